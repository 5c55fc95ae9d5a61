"""The lexer of the Cypher grammar: it asks the parser what may come next.

Cypher has no reserved words (`RETURN n.order`, `WITH 1 AS union`), and one bracket opens a node,
an expression, a group, a list or a comprehension. A word is a keyword only where the parser's
state accepts that keyword; where a name could stand as well, and for brackets, a look ahead
decides. openCypher 9 names and comments; unicode dashes and arrow heads as openCypher allows them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from graph_ir.cypher.errors import error_at
from graphmill.errors import QueryTextError, Span

MAX_NESTING = 150
"""More open brackets than this are refused, so that no later recursion can overflow."""

_WORD = r"[^\W\d]\w*"
_NAME = rf"(?:{_WORD}|`(?:[^`]|``)+`)"
_DASH = "[-\u00ad\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d]"
_LEFT = "[<\u27e8\u3008\ufe64\uff1c]"
_RIGHT = "[>\u27e9\u3009\ufe65\uff1e]"
_SKIP = r"(?:[\s\ufeff]++|//[^\n]*+|/\*.*?\*/)*+"

_TOKEN = re.compile(
    rf"""{_SKIP}(?:
      (?P<word>{_WORD})
    | (?P<mark>[(){{}}\[\],;&!%+*/^=|:]|\.\.|\.(?!\d)|{_DASH}|{_LEFT}|{_RIGHT})
    | (?P<string>'[^'\\]*(?:\\.[^'\\]*)*'|"[^"\\]*(?:\\.[^"\\]*)*")
    | (?P<number>0[xX]\w+|\.?\d\w*(?:(?<=\w)\.\d\w*)?(?:(?<=[\d.][eE])[+-]\d\w*)?)
    | (?P<quoted>`(?:[^`]|``)+`)
    | (?P<param>\$(?:\w+|`(?:[^`]|``)+`))
    | (?P<end>\Z)
    )""",
    re.VERBOSE | re.DOTALL,
)
_SPACE = re.compile(_SKIP, re.DOTALL)
_EDGE_OPEN = re.compile(rf"({_LEFT}\s*)?{_DASH}\s*\[")
_EDGE_CLOSE = re.compile(rf"\]\s*{_DASH}\s*({_RIGHT})?")
_EDGE_BARE = re.compile(rf"({_LEFT}\s*)?{_DASH}\s*{_DASH}\s*({_RIGHT})?")
_HOPS = re.compile(r"\*\s*(?:(\d+)(?!\s*\.\d))?\s*(?:(\.\.)\s*(\d+)?)?")
_QUANTIFIER = re.compile(r"[+*]|\{\s*(?:\d+\s*)?(?:,\s*(?:\d+\s*)?)?\}")
_BAR_COLON = re.compile(r"\|\s*:")
_NODE_HEAD = re.compile(
    rf"\({_SKIP}(?:\)|[:{{$]|{_NAME}{_SKIP}(?:\)|[:{{$]|WHERE\b|IS\b(?!{_SKIP}(?:NOT|NULL)\b)))"
    rf"|\({_SKIP}WHERE\b",
    re.I | re.DOTALL,
)
_COMPARISON = re.compile(r"<>|<=|>=|=~|[<>=]")
_INTEGER = re.compile(r"0x[\da-f](?:_?[\da-f])*|0o[0-7](?:_?[0-7])*|0|[1-9](?:_?\d)*", re.I)
_FLOAT = re.compile(r"(?:\d(?:_?\d)*)?\.\d(?:_?\d)*(?:e[+-]?\d+)?|\d(?:_?\d)*e[+-]?\d+", re.I)
_LIST_OF = re.compile(rf"\[{_SKIP}{_NAME}{_SKIP}IN\b", re.I | re.DOTALL)
_LIST_OF_PATTERN = re.compile(rf"\[{_SKIP}(?:{_NAME}{_SKIP}={_SKIP})?\(", re.DOTALL)
_GROUP = re.compile(rf"\({_SKIP}(?:\(|{_NAME}{_SKIP}=|shortestPath|allShortestPaths)", re.I | re.S)
_EDGE_STARTS = re.compile(
    rf"{_SKIP}(?:{_LEFT}\s*{_DASH}\s*(?:\[|{_DASH})|{_DASH}\s*(?:\[|{_DASH}))", re.DOTALL
)

# Words that are names after all when this follows, where a name could stand as well.
_NAME_IF = {
    word: re.compile(_SKIP + follows, re.I | re.DOTALL)
    for words, follows in (
        ("DISTINCT", r"(?:[,).\]}=<>+*/]|AS\b)"),
        ("CASE", r"[,).\]}=<>+*/]"),
        ("WHEN", r"[,).\]}=<>+*/]"),
        ("IS WHERE", r"[):{]"),
        ("MATCH OPTIONAL CALL UNWIND WITH RETURN USE", r"="),
        ("ANY ALL SHORTEST SHORTESTPATH ALLSHORTESTPATHS", r"="),
    )
    for word in words.split()
}
# Words that are keywords only when this follows, where an expression could begin with a name.
_KEYWORD_IF = {
    word: re.compile(_SKIP + follows, re.I | re.DOTALL)
    for words, follows in (
        ("EXISTS COUNT COLLECT", rf"\{{{_SKIP}[^.\s]"),
        ("ALL ANY NONE SINGLE", rf"\({_SKIP}{_NAME}{_SKIP}IN\b"),
        ("REDUCE", rf"\({_SKIP}{_NAME}{_SKIP}="),
        ("SHORTESTPATH ALLSHORTESTPATHS", r"\("),
        ("IS", r"(?:NOT\b" + _SKIP + r")?NULL\b"),
    )
    for word in words.split()
}
_OPERATORS = {"AND": "AND", "OR": "OR", "XOR": "XOR", "IN": "IN", "CONTAINS": "CONTAINS"}
_WITH = re.compile(rf"{_SKIP}WITH\b", re.I | re.DOTALL)
_SINGLE = {
    ")": "RPAR",
    ",": "COMMA",
    "}": "RBRACE",
    ";": "SEMICOLON",
    "&": "LABEL_OP",
    "!": "BANG",
    ".": "DOT",
    "..": "DOTDOT",
}
# What arithmetic is where the grammar takes no operator as such.
_ARITHMETIC = {"%": "PERCENT", "/": "OP", "^": "OP", "-": "MINUS"}
OPENING = frozenset(
    (
        "LPAR",
        "NODE_OPEN",
        "GROUP_OPEN",
        "LSQB",
        "LIST_OPEN",
        "COMPREHENSION_OPEN",
        "PATTERN_OPEN",
        "LBRACE",
        "EDGE_OPEN",
    )
)
CLOSING = frozenset(("RPAR", "RBRACE", "RSQB", "EDGE_CLOSE"))


class QueryText:
    """The text of one query and the tokens read from it so far."""

    __slots__ = ("_ends", "text", "tokens")

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[Token] = []
        self._ends: dict[int, int] | None = None

    def end_of(self, start: int) -> int | None:
        """The end of the bracket that opens at `start`, None when it never closes."""
        if self._ends is None:
            self._ends = {}
            opened: list[int] = []
            for item, end in _scan(self.text, 0):
                if item in "([{":
                    opened.append(end - 1)
                elif item in ")]}" and opened:
                    self._ends[opened.pop()] = end
        return self._ends.get(start)


class Token:
    """One terminal and where it stands. `text` is unquoted for names and parameters."""

    __slots__ = ("column", "end", "index", "line", "source", "start", "text", "type")

    def __init__(
        self, type: str, text: str, start: int, end: int, line: int, column: int, source: QueryText
    ) -> None:
        self.type = type
        self.text = text
        self.start = start
        self.end = end
        self.line = line
        self.column = column
        self.source = source
        self.index = len(source.tokens)
        source.tokens.append(self)

    @property
    def span(self) -> Span:
        """Where the token stands."""
        return Span(self.line, self.column, self.line, self.column + self.end - self.start)


def failed(token: Token, message: str, code: str) -> QueryTextError:
    """A syntax error at `token`."""
    return error_at(token.source.text, token.start, message, code=code)


def tokens(
    source: QueryText,
    states: Sequence[Mapping[str, int]],
    stack: list[int],
    keywords: frozenset[str],
) -> Iterator[Token]:
    """The tokens of a text, each chosen by what the parser accepts when it asks for it.

    `stack` is the parser's stack of states and `states` says what each accepts.

    Raises:
        QueryTextError: no token begins here, a number or bracket is wrong.
    """
    text = source.text
    match = _TOKEN.match
    pos, line, line_start = 0, 1, 0
    opened: list[str] = []
    while True:
        lexeme = match(text, pos)
        if lexeme is None:
            raise _stray(text, pos)
        kind = lexeme.lastgroup
        start, end = lexeme.span(kind)  # type: ignore[arg-type] # one group always matched
        if start != pos:
            breaks = text.count("\n", pos, start)
            if breaks:
                line += breaks
                line_start = text.rfind("\n", pos, start) + 1
        accepts: Mapping[str, int] = states[stack[-1]]
        value = text[start:end]
        if kind == "word":
            type = "NAME"
            word = value.upper()
            if word in keywords and word in accepts:
                if "NAME" not in accepts or _is_keyword(word, text, end, accepts):
                    type = word
            elif "OP" in accepts and word in _OPERATORS:
                type, value = "OP", word
            elif word in ("STARTS", "ENDS") and ("OP" in accepts or "COMPARISON" in accepts):
                second = _WITH.match(text, end)
                if second:
                    type = "OP" if "OP" in accepts else "COMPARISON"
                    value, end = word + " WITH", second.end()
        elif kind == "mark":
            type = _SINGLE.get(value, "")
            if not type:
                type, value, end = _mark(
                    value, source, start, accepts, opened[-1] if opened else ""
                )
            if type in OPENING:
                _open(opened, type, text, start)
            elif type in CLOSING and opened:
                opened.pop()
        elif kind == "string":
            type = "STRING"
        elif kind == "number":
            type, value, end = _number(value, text, start, end)
        elif kind == "quoted":
            type, value = "NAME", value[1:-1].replace("``", "`")
        elif kind == "param":
            type = "PARAM"
            value = value[1:] if value[1] != "`" else value[2:-1].replace("``", "`")
        else:
            yield Token("$END", "", start, start, line, start - line_start + 1, source)
            return
        yield Token(type, value, start, end, line, start - line_start + 1, source)
        if kind != "word" and "\n" in text[start:end]:
            line += text.count("\n", start, end)
            line_start = text.rfind("\n", start, end) + 1
        pos = end


DYNAMIC_LABEL = (
    "Labels and types that are computed, $(…), are not read here: name them, or test labels(n) and "
    "type(r) in WHERE."
)


def _open(opened: list[str], type: str, text: str, start: int) -> None:
    opened.append(type)
    if len(opened) > MAX_NESTING:
        raise error_at(
            text,
            start,
            f"Brackets are nested deeper than {MAX_NESTING} levels.",
            code="nesting-too-deep",
        )


_STRAY = {
    "#": "A comment begins with //.",
    "$": "'$' begins a parameter: $name.",
    "\u201c": "Strings stand in straight quotes.",
    "\u201d": "Strings stand in straight quotes.",
    "\u2018": "Strings stand in straight quotes.",
    "\u2019": "Strings stand in straight quotes.",
    "?": "A parameter is written $name.",
    "~": "Regular expressions are tested with =~.",
}


def _stray(text: str, pos: int) -> QueryTextError:
    """The error for text at which no token begins."""
    skipped = _SPACE.match(text, pos)
    start = skipped.end() if skipped else pos
    first = text[start]
    if text.startswith("``", start):
        return error_at(text, start, "A name in backticks cannot be empty.", code="empty-name")
    if first in "'\"`":
        what = "name in backticks" if first == "`" else "string"
        return error_at(text, start, f"The {what} is not closed.", code="open-string")
    if text.startswith("$(", start):
        return error_at(text, start, DYNAMIC_LABEL, code="dynamic-label")
    message = f"Unexpected character {first!r}. {_STRAY.get(first, '')}".rstrip()
    return error_at(text, start, message, code="unexpected-character")


def _is_keyword(word: str, text: str, end: int, accepts: Mapping[str, int]) -> bool:
    """Whether `word` is the keyword, where a name could stand as well."""
    only_if = _KEYWORD_IF.get(word)
    if only_if and "NOT" in accepts:
        return bool(only_if.match(text, end))
    unless = _NAME_IF.get(word)
    return not (unless and unless.match(text, end))


def _mark(
    mark: str, source: QueryText, start: int, accepts: Mapping[str, int], within: str
) -> tuple[str, str, int]:
    """The terminal, text and end of a mark with several meanings, inside the bracket `within`."""
    text = source.text
    if mark in "([{]|:":
        return _structure(mark, source, start, accepts, within)
    if mark == "*":
        hops = _HOPS.match(text, start) if "HOPS" in accepts else None
        if hops:
            return "HOPS", "".join(hops[0].split()), hops.end()
        return _first(("QUANTIFIER", "OP"), accepts, "STAR"), mark, start + 1
    edge = _edge(text, start) if "EDGE_OPEN" in accepts else None
    if edge:
        return edge
    comparison = _COMPARISON.match(text, start)
    if comparison:
        type = _first(("OP", "COMPARISON"), accepts, "")
        if type:
            return type, comparison[0], comparison.end()
        return ("EQ" if mark == "=" else "OP"), mark, start + 1
    if mark == "+":
        if text.startswith("+=", start) and "ADD_EQ" in accepts:
            return "ADD_EQ", "+=", start + 2
        return _first(("QUANTIFIER", "OP"), accepts, "PLUS"), mark, start + 1
    if mark in _ARITHMETIC:
        return _first(("OP",), accepts, _ARITHMETIC[mark]), mark, start + 1
    raise error_at(text, start, f"Unexpected character {mark!r}.", code="unexpected-character")


def _first(types: Sequence[str], accepts: Mapping[str, int], otherwise: str) -> str:
    for type in types:
        if type in accepts:
            return type
    return otherwise


def _structure(
    mark: str, source: QueryText, start: int, accepts: Mapping[str, int], within: str
) -> tuple[str, str, int]:
    """The same of a bracket, a bar or a colon."""
    text, end = source.text, start + 1
    match mark:
        case "(":
            return _parenthesis(source, start, accepts), mark, end
        case "[":
            return _bracket(source, start, accepts), mark, end
        case "|":
            return _bar(text, start, accepts, within)
        case ":":
            return ("LABEL_OP" if "LABEL_OP" in accepts else "COLON"), mark, end
        case "]":
            closing = _EDGE_CLOSE.match(text, start) if within == "EDGE_OPEN" else None
            if closing:
                return "EDGE_CLOSE", ">" if closing[1] else "", closing.end()
            return "RSQB", mark, end
    quantifier = _QUANTIFIER.match(text, start) if "QUANTIFIER" in accepts else None
    if quantifier:
        return "QUANTIFIER", quantifier[0], quantifier.end()
    return "LBRACE", mark, end


def _edge(text: str, start: int) -> tuple[str, str, int] | None:
    """The same of what begins an edge pattern, if one begins here."""
    opening = _EDGE_OPEN.match(text, start)
    if opening:
        return "EDGE_OPEN", "<" if opening[1] else "", opening.end()
    bare = _EDGE_BARE.match(text, start)
    if bare:
        return "EDGE_BARE", ("<" if bare[1] else "") + (">" if bare[2] else ""), bare.end()
    return None


def _parenthesis(source: QueryText, start: int, accepts: Mapping[str, int]) -> str:
    if "LPAR" in accepts:
        if "NODE_OPEN" in accepts and _begins_pattern(source, start):
            return "NODE_OPEN"
        return "LPAR"
    if "GROUP_OPEN" in accepts and _GROUP.match(source.text, start):
        return "GROUP_OPEN"
    return "NODE_OPEN" if "NODE_OPEN" in accepts else "LPAR"


def _bracket(source: QueryText, start: int, accepts: Mapping[str, int]) -> str:
    text = source.text
    if "LIST_OPEN" not in accepts:
        return "LSQB"
    if _LIST_OF.match(text, start):
        separators = list(_separators(text, start + 1))
        if separators[:1] != [","] or "WHERE" in separators:
            return "COMPREHENSION_OPEN"
    pattern = _LIST_OF_PATTERN.match(text, start)
    if (
        pattern
        and _begins_pattern(source, pattern.end() - 1)
        and "|" in _separators(text, start + 1)
    ):
        return "PATTERN_OPEN"
    return "LIST_OPEN"


def _bar(text: str, start: int, accepts: Mapping[str, int], within: str) -> tuple[str, str, int]:
    """`|` joins labels or ends the first part of a comprehension; the last one does the latter."""
    end = start + 1
    if "LABEL_OP" in accepts:
        if within in ("COMPREHENSION_OPEN", "PATTERN_OPEN") and "BAR" in accepts:
            following = next((s for s in _separators(text, end) if s in "|])}"), "")
            if following == "]":
                return "BAR", "|", end
        colon = _BAR_COLON.match(text, start)
        return "LABEL_OP", "|", colon.end() if colon else end
    if text.startswith("||", start) and "OP" in accepts:
        return "OP", "||", start + 2
    return "BAR", "|", end


def _begins_pattern(source: QueryText, start: int) -> bool:
    """Whether the parenthesis at `start` is a node that an edge follows, not an expression."""
    if not _NODE_HEAD.match(source.text, start):
        return False
    end = source.end_of(start)
    return end is not None and _EDGE_STARTS.match(source.text, end) is not None


def _scan(text: str, start: int) -> Iterator[tuple[str, int]]:
    """Marks and words from `start` on with their ends, without looking at the parser."""
    pos = start
    while True:
        lexeme = _TOKEN.match(text, pos)
        if lexeme is None or lexeme.lastgroup == "end":
            return
        pos = lexeme.end()
        if lexeme.lastgroup in ("mark", "word"):
            yield lexeme[lexeme.lastgroup], pos


def _separators(text: str, start: int) -> Iterator[str]:
    """`,`, `|`, WHERE on the level of the token before `start`, and the bracket that closes it."""
    depth = 0
    for item, _end in _scan(text, start):
        if item in "([{":
            depth += 1
        elif item in ")]}":
            depth -= 1
            if depth < 0:
                yield item
                return
        elif depth == 0 and (item in ",|" or item.upper() == "WHERE"):
            yield item.upper()


def _number(value: str, text: str, start: int, end: int) -> tuple[str, str, int]:
    if _INTEGER.fullmatch(value):
        return "INT", value, end
    if _FLOAT.fullmatch(value):
        return "FLOAT", value, end
    if value[0] == "0" and value[1:].isdigit():
        message = f"'{value}' is no number: write 0o{value[1:]} (octal) or {value.lstrip('0')}."
    else:
        message = f"'{value}' is no number."
    raise error_at(text, start, message, code="invalid-number")
