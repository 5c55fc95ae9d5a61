"""Source SQL parsed by sqlglot, with positions and errors as graphmill gives them."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass

import sqlglot
from sqlglot import exp
from sqlglot.errors import ParseError, TokenError

from graph_ir.cypher.automaton import CHAINED, MAX_LEVELS
from graph_ir.cypher.errors import picture
from graphmill.errors import QueryTextError, Refused, Span
from graphmill.query_text import check_text
from translators.from_sql.statement.equal_forms import equal_forms
from translators.from_sql.statement.rules import Rules
from translators.from_sql.statement.supported_syntax import check
from translators.from_sql.statement.unary_plus import dialect, plain
from translators.from_sql.statement.values_tables import as_select, tables

# sqlglot warns of statements it does not know; they come back as Command and are refused.
logging.getLogger("sqlglot").setLevel(logging.ERROR)


_OPENING = re.compile(r"[^\W\d]\w*\s*\(\s*(?:DISTINCT\s+)?\Z", re.IGNORECASE)
_REMAINDER = re.compile(r"\bmod\s*\(", re.IGNORECASE)
_DIGITS = re.compile(r"\d{309,}")  # more than a float holds
_HEXADECIMAL = re.compile(r"(?<=0[xX])[0-9a-fA-F]{309,}")
_MOST_IN_TEXT = 4000  # Python converts 4,300 digits to a number
_EXECUTED = re.compile(r"/\*M?!")
_INTERVAL = re.compile(r"\binterval\s*'([^']*)'", re.IGNORECASE)
_ONE_UNIT = re.compile(r"\s*[+-]?[0-9]+\s*[A-Za-z]+\s*")
_CLOSING = re.compile(r"\s*\)")


@dataclass(frozen=True, slots=True)
class SqlText:
    """A text and its statement; turns nodes of the tree into spans."""

    text: str
    tree: exp.Query

    def span(self, node: exp.Expr) -> Span | None:
        """Where `node` stands, as far as the names in it tell."""
        places = [n.meta for n in node.walk() if "start" in n.meta]
        if not places:
            return None
        start = min(meta["start"] for meta in places)
        end = max(meta["end"] for meta in places) + 1
        if isinstance(node, exp.Func):  # only some functions know where their names are
            opening = _OPENING.search(self.text, 0, start)
            closing = _CLOSING.match(self.text, end)
            if opening is not None and closing is not None:
                start, end = opening.start(), closing.end()
        line, column = position(self.text, start)
        end_line, end_column = position(self.text, end)
        return Span(line, column, end_line, end_column)

    def quote(self, name: exp.Identifier) -> str:
        """The character that opens a quoted name: `"`, `[`, a backtick, or none."""
        start = name.meta.get("start")
        if not name.args.get("quoted"):
            return ""
        return self.text[start] if start is not None else '"'


def position(text: str, offset: int) -> tuple[int, int]:
    """1-based line and column of an offset.

    >>> position("SELECT\\n x", 8)
    (2, 2)
    """
    before = text[:offset]
    return before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1


def _check_chains(tree: exp.Query) -> None:
    """Refuse more UNIONs in a row than a statement may have, before work that is quadratic in them.

    Raises:
        Refused: there are.
    """
    for operation in tree.find_all(exp.SetOperation):
        number, first = 0, operation
        if not isinstance(operation.parent, exp.SetOperation):
            while isinstance(first, exp.SetOperation):
                number, first = number + 1, first.this
        if number > MAX_LEVELS:
            raise Refused("nesting", "sql", CHAINED)


def parse(text: str, rules: Rules) -> SqlText:
    """The one read statement of `text`.

    Raises:
        QueryTextError: the text is no SQL, or not one statement.
        Refused: the statement is no query.
    """
    check_text(text)
    try:
        trees = [tree for tree in sqlglot.parse(text, dialect=dialect(rules)) if tree is not None]
    except ParseError as problem:
        raise _syntax(text, problem) from problem
    except TokenError as problem:
        raise QueryTextError(f"The SQL cannot be read: {problem}.") from problem
    except RecursionError as problem:
        raise Refused("nesting", "sql", "The query is nested too deeply.") from problem
    except ValueError as problem:  # the parser makes decimal digits of hexadecimal ones
        long = _HEXADECIMAL.search(text)
        if long is None:
            raise
        raise _too_long(text, long.start(), long[0]) from problem
    if rules.name == "mysql":
        _check_comments(text, rules)
    if len(trees) != 1:
        what = "is empty" if not trees else f"holds {len(trees)} statements"
        raise QueryTextError(f"One SQL statement is expected; this text {what}.")
    tree = trees[0]
    if isinstance(tree, exp.Subquery):
        tree = tree.unnest()
    if isinstance(tree, exp.Values):
        tree = as_select(tree)
    if not isinstance(tree, exp.Query):
        raise Refused(
            "not-a-read", type(tree).__name__.upper(), "Only queries (SELECT) can be translated."
        )
    _check_chains(tree)
    _check_intervals(text, tree)
    tree = equal_forms(_denied(tree), rules)
    check(tree)
    _check_digits(text, tree)
    if rules.reads_numbers and _REMAINDER.search(text) and tree.find(exp.Mod):
        raise Refused("modulo", "mod()", "mod() gives real numbers, and the parser takes it for %.")
    if not rules.quantifiers and (over := tree.find(exp.Any, exp.All)) is not None:
        word = type(over).__name__.upper()
        sentence = f"{rules.name} has no comparison with ANY or ALL rows."
        raise Refused("unsupported-expression", word, sentence)
    return SqlText(text, _memberships(tables(plain(tree, rules), rules)))


def _denied(tree: exp.Query) -> exp.Query:
    """The tree with `NOT x IS NULL` for `x IS NOT NULL`, which sqlglot marks in PostgreSQL's trees
    alone, as `negate`."""
    for node in list(tree.find_all(exp.Is)):
        if node.args.get("negate"):
            node.replace(exp.Not(this=exp.Is(this=node.this, expression=node.expression)))
    return tree


def _check_comments(text: str, rules: Rules) -> None:
    """See that no comment is code (https://dev.mysql.com/doc/refman/8.4/en/comments.html).

    Raises:
        Refused: one is, of some versions of the server.
    """
    if not _EXECUTED.search(text):
        return
    comments = [c for token in dialect(rules).tokenize(text) for c in token.comments]
    if any(comment.startswith(("!", "M!")) for comment in comments):
        sentence = "A comment that the server executes, by its version: write what it holds."
        raise Refused("unsupported-expression", "/*!", sentence)


def _check_intervals(text: str, tree: exp.Query) -> None:
    """See that the parser has read all of each interval: of one number and its unit it leaves out
    what else there is, a clock or `ago`.

    Raises:
        Refused: one has more.
    """
    for match in _INTERVAL.finditer(text) if tree.find(exp.Interval) else ():
        words = match[1]
        if len(exp.INTERVAL_STRING_RE.findall(words)) == 1 and not _ONE_UNIT.fullmatch(words):
            span = Span(*position(text, match.start()), *position(text, match.end()))
            raise Refused("duration", "INTERVAL", f"The interval '{words}' is not supported.", span)
    if tree.find(exp.IntervalSpan):
        raise Refused("duration", "INTERVAL", "Intervals of two units (DAY TO HOUR) are not read.")


def _check_digits(text: str, tree: exp.Query) -> None:
    """Numbers that no type of an engine holds, and that Python does not convert."""
    if _DIGITS.search(text) is None:
        return
    for node in tree.find_all(exp.Literal):
        digits = _DIGITS.search(node.name)
        if digits is None:
            continue
        start = max(0, text.find(digits[0]))
        if not node.is_string:
            raise _too_long(text, start, digits[0])
        if len(digits[0]) > _MOST_IN_TEXT:
            raise Refused(
                "unsupported-expression",
                f"{digits[0][:20]}…",
                f"A text with {len(digits[0]):,} digits in a row is not translated.",
                Span(*position(text, start)),
            )


def _memberships(tree: exp.Query) -> exp.Query:
    """`x = ANY (SELECT …)` is `x IN (SELECT …)`, and `x <> ALL (…)` is NOT IN."""
    for node in list(tree.find_all(exp.EQ, exp.NEQ)):
        over = node.expression.unnest()
        wanted = exp.Any if isinstance(node, exp.EQ) else exp.All
        if isinstance(over, wanted) and isinstance(over.this.unnest(), exp.Query):
            inside: exp.Expr = exp.In(this=node.this, query=over.this.unnest())
            node.replace(exp.Not(this=inside) if wanted is exp.All else inside)
    return tree


def _too_long(text: str, start: int, digits: str) -> QueryTextError:
    line, column = position(text, start)
    message = f"The number {digits[:20]}… has {len(digits):,} digits; no type holds so many."
    return QueryTextError(message, code="integer-overflow", line=line, column=column)


def _syntax(text: str, problem: ParseError) -> QueryTextError:
    if not problem.errors:
        return QueryTextError(f"The SQL cannot be read: {problem}.")
    first = problem.errors[0]
    line, column = int(first.get("line") or 1), int(first.get("col") or 1)
    word = str(first.get("highlight") or "")
    column = max(1, column - len(word) + 1)
    lines = text.splitlines() or [""]
    shown = lines[min(line, len(lines)) - 1]
    message = str(first.get("description") or "cannot be read").split("<Token", 1)[0].rstrip()
    return QueryTextError(
        f"SQL syntax error at line {line}, column {column}: {message}.\n"
        f"{picture(shown, column - 1)}",
        line=line,
        column=column,
    )
