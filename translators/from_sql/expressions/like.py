"""LIKE and GLOB with literal patterns, as prefix, suffix, substring, equality or regex.

SQLite's LIKE folds the case of ASCII letters only (https://www.sqlite.org/lang_expr.html
section 5), so a pattern with other letters that have a case cannot be said with toLower().
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from graph_ir import nodes as ir
from schemagraph.model import Kind
from translators.from_sql.expressions.casing import ascii_lower, lowered
from translators.from_sql.expressions.compare import moment_and_text
from translators.from_sql.expressions.expressions import as_text
from translators.from_sql.statement.context import Site, ValueTable
from translators.from_sql.statement.rules import Like
from translators.from_sql.statement.spelling import collation, with_parts
from translators.from_sql.statement.terms import all_of
from translators.from_sql.statement.values import NULL, Value, truth

VALUES = ValueTable()

_META = frozenset("\\^$.|?*+()[]{}")


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern taken apart: literal runs, None for any run of characters, "" for one."""

    parts: tuple[str | None, ...]

    def test(self, subject: ir.Expr) -> ir.Expr:
        """The shortest test that means the same."""
        literal = "".join(part for part in self.parts if part)
        plain = "" not in self.parts
        shape = tuple(part is None for part in self.parts)
        tests = {
            (): ir.Compare(ir.CompareOp.EQ, subject, ir.Literal(literal)),
            (False,): ir.Compare(ir.CompareOp.EQ, subject, ir.Literal(literal)),
            (False, True): ir.Text(ir.TextOp.STARTS, subject, ir.Literal(literal)),
            (True, False): ir.Text(ir.TextOp.ENDS, subject, ir.Literal(literal)),
            (True, False, True): ir.Text(ir.TextOp.CONTAINS, subject, ir.Literal(literal)),
        }
        if plain and shape in tests:
            return tests[shape]
        if shape == (True,):
            return ir.Text(ir.TextOp.STARTS, subject, ir.Literal(""))
        return ir.Text(ir.TextOp.REGEX, subject, ir.Literal(self.regex()))

    def regex(self) -> str:
        """The pattern as a regular expression over the whole text."""
        shown = [".*" if p is None else "." if p == "" else _escaped(p) for p in self.parts]
        return "(?s)" + "".join(shown)


def _escaped(word: str) -> str:
    return "".join(f"\\{letter}" if letter in _META else letter for letter in word)


def taken_apart(pattern: str, any_run: str, one: str, escape: str = "") -> Pattern | None:
    """A LIKE or GLOB pattern; None where an escape ends it.

    >>> taken_apart("%ab_", "%", "_").parts
    (None, 'ab', '')
    """
    parts: list[str | None] = []
    letters = iter(pattern)
    for letter in letters:
        if escape and letter == escape:
            following = next(letters, None)
            if following is None:
                return None
            _extend(parts, following)
        elif letter == any_run:
            if not parts or parts[-1] is not None:
                parts.append(None)
        elif letter == one:
            parts.append("")
        else:
            _extend(parts, letter)
    return Pattern(tuple(parts))


def _extend(parts: list[str | None], letter: str) -> None:
    if parts and parts[-1]:
        parts[-1] += letter
    else:
        parts.append(letter)


@VALUES.of(exp.Like, exp.ILike)
def like(site: Site, node: exp.Like | exp.ILike) -> Value:
    """`x LIKE 'pattern'`."""
    return _like(site, node, "")


@VALUES.of(exp.Escape)
def escaped_like(site: Site, node: exp.Escape) -> Value:
    """`x LIKE 'pattern' ESCAPE '!'`."""
    if not isinstance(node.this, exp.Like | exp.ILike) or len(node.expression.name) != 1:
        raise site.refused("like-pattern", node, "escapes by something that is no character")
    return _like(site, node.this, node.expression.name)


def _like(site: Site, node: exp.Like | exp.ILike, escape: str) -> Value:
    rules = site.house.rules
    subject = (
        _subject(site, node.this)
        if rules.like is Like.ASCII
        else as_text(site, node.this, padded=True)
    )
    pattern = _literal(site, node, node.expression)
    if pattern is None or subject.kind is Kind.NULL:
        return NULL
    if rules.pattern_sets and "[" in pattern:
        raise site.refused("like-pattern", node, "matches against a set of characters")
    parts = taken_apart(pattern, "%", "_", escape or ("\\" if rules.backslash else ""))
    if parts is None and rules.like is not Like.ASCII:
        raise site.refused("like-pattern", node, "ends in the character that escapes")
    if parts is not None and rules.affinity:
        folds = rules.like is Like.ASCII
        inner = _without_case(node.this) if folds else node.this.unnest()
        within = _within(site.value(inner), parts, folds=True)
        if within is not None:
            return truth(ir.Not(within.expr), within) if node.args.get("negate") else within
    if parts is None:
        test: ir.Expr = ir.Literal(False)
    elif isinstance(node, exp.ILike):
        test = _any_case(parts).test(ir.Call("toLower", (subject.expr,)))
    elif site.house.rules.folds:
        test = _collated(site, node, subject, parts)
    elif rules.like is not Like.ASCII:
        test = parts.test(subject.expr)  # `as_text` lets no column under a collation through
    else:
        test = _folded(site, node, subject, parts)
    answer = truth(test, subject)
    return truth(ir.Not(test), answer) if node.args.get("negate") else answer


def _any_case(pattern: Pattern) -> Pattern:
    """The pattern in lower case."""
    return Pattern(tuple(part.lower() if part else part for part in pattern.parts))


def _subject(site: Site, node: exp.Expr) -> Value:
    """What is matched; lower() and upper() around it do not matter, as LIKE folds case."""
    return as_text(site, _without_case(node))


def _without_case(node: exp.Expr) -> exp.Expr:
    inner = node.unnest()
    while isinstance(inner, exp.Lower | exp.Upper):
        inner = inner.this.unnest()
    return inner


def _literal(site: Site, node: exp.Expr, pattern: exp.Expr) -> str | None:
    operand = as_text(site, pattern)
    if operand.kind is Kind.NULL:
        return None
    if not isinstance(operand.expr, ir.Literal):
        raise site.refused("like-pattern", node, "matches against a pattern that is no literal")
    return str(operand.expr.value)


def _folded(site: Site, node: exp.Expr, operand: Value, pattern: Pattern) -> ir.Expr:
    literal = "".join(part for part in pattern.parts if part)
    if literal.lower() == literal.upper():
        return pattern.test(operand.expr)
    if any(letter.lower() != letter.upper() for letter in literal if not letter.isascii()):
        raise site.refused("ascii-case", node, "folds the case of ASCII letters only")
    lower = tuple(ascii_lower(part) if part else part for part in pattern.parts)
    by_letter = "" in pattern.parts
    return Pattern(lower).test(lowered(site, node, operand, literal, by_letter=by_letter))


def _collated(site: Site, node: exp.Expr, operand: Value, pattern: Pattern) -> ir.Expr:
    """LIKE of MySQL, which compares character by character under the collation of the text
    (https://dev.mysql.com/doc/refman/8.4/en/string-comparison-functions.html)."""
    words = [part or "" for part in pattern.parts]
    begins = bool(words[:1]) and bool(words[0]) and not any(words[1:])
    expr, changed = with_parts(site, node, operand, words, begins=begins)
    parts = zip(pattern.parts, changed, strict=True)
    return Pattern(tuple(new if old else old for old, new in parts)).test(expr)


@VALUES.of(exp.Glob)
def glob(site: Site, node: exp.Glob) -> Value:
    """`x GLOB 'pattern'`: `*`, `?`, case-sensitive."""
    operand = as_text(site, node.this)
    pattern = _literal(site, node, node.expression)
    if pattern is None or operand.kind is Kind.NULL:
        return NULL
    if "[" in pattern:
        raise site.refused("like-pattern", node, "matches against a set of characters")
    parts = taken_apart(pattern, "*", "?")
    assert parts is not None  # noqa: S101 - only an escape can fail
    within = _within(site.value(node.this), parts, folds=False)
    return within or truth(parts.test(operand.expr), operand)


def _within(value: Value, pattern: Pattern, *, folds: bool) -> Value | None:
    """Whether a date or time begins with a text, which is a comparison; None for other patterns.

    `folds`: small letters match capital ones; the texts of times have none but `T`.
    """
    if not value.temporal or len(pattern.parts) != 2 or pattern.parts[1] is not None:
        return None
    word = pattern.parts[0]
    if not word or not word.isascii():
        return None
    word = word.upper() if folds else word
    after = word[:-1] + chr(ord(word[-1]) + 1)
    parts = (
        moment_and_text(ir.CompareOp.GE, value, word),
        moment_and_text(ir.CompareOp.LT, value, after),
    )
    return truth(all_of(part.expr for part in parts), *parts)


@VALUES.of(exp.RegexpLike, exp.RegexpILike)
def matched(site: Site, node: exp.RegexpLike | exp.RegexpILike) -> Value:
    """`x ~ '^plain text$'`: that of LIKE."""
    rules = site.house.rules
    word = node.expression.name if node.expression.is_string else None
    plain = None if word is None else _plain_pattern(word)
    if plain is None or rules.name not in ("postgres", "mysql") or node.args.get("flag"):
        sentence = "is a regular expression of more than plain text between ^ and $"
        raise site.refused("unsupported-expression", node, sentence)
    begins, text_, ends = plain
    if rules.name == "mysql" and ends:
        raise site.refused("unsupported-expression", node, "ends before a line feed, too")
    of = site.value(node.this)
    known = collation(of.collation) if rules.folds and of.collation != "BINARY" else None
    accented = [sign for sign in (of.spelled.signs or "") if not sign.isascii()]
    bases = {known.plain(sign).lower() for sign in accented} if known is not None else set()
    if rules.folds and of.collation != "BINARY":  # which folds letters' case, not accents, here
        letters = text_.lower()
        if not text_.isascii() or any(base in letters for base in bases):
            raise site.refused("collation", node, "tells letters with accents from those without")
    escaped = "".join(f"\\{letter}" if letter in "%_\\" else letter for letter in text_)
    shown = f"{'' if begins else '%'}{escaped}{'' if ends else '%'}"
    kind = exp.ILike if isinstance(node, exp.RegexpILike) else exp.Like
    like = kind(this=node.this.copy(), expression=exp.Literal.string(shown))
    like.parent = node.parent
    return site.value(like)


def _plain_pattern(word: str) -> tuple[bool, str, bool] | None:
    """Whether a pattern begins with ^, its plain text and whether it ends with $.

    >>> _plain_pattern("^a.b"), _plain_pattern("^a\\\\.b$")
    (None, (True, 'a.b', True))
    """
    begins = word.startswith("^")
    rest = word[begins:]
    plain = ""
    while rest and rest != "$":
        if rest[0] == "\\" and rest[1:2] in _META and rest[1:2]:
            plain, rest = plain + rest[1], rest[2:]
        elif rest[0] in _META:
            return None
        else:
            plain, rest = plain + rest[0], rest[1:]
    return begins, plain, rest == "$"
