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
from graph_ir.cypher.scanning import (
    ARITHMETIC,
    COMPARISON,
    HOPS,
    QueryText,
    Terminal,
    Token,
    after,
    first,
    number,
    scanned,
    stray,
)
from graphmill.errors import QueryTextError

_WORD = r"[^\W\d]\w*+"
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
_QUANTIFIER = re.compile(r"[+*]|\{\s*(?:\d+\s*)?(?:,\s*(?:\d+\s*)?)?\}")
_BAR_COLON = re.compile(r"\|\s*:")
_NODE_HEAD = re.compile(
    rf"\({_SKIP}(?:\)|[:{{$]|{_NAME}{_SKIP}(?:\)|[:{{$]|WHERE\b|IS\b(?!{_SKIP}(?:NOT|NULL)\b)))"
    rf"|\({_SKIP}WHERE\b",
    re.I | re.DOTALL,
)
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
_INFIX = r"(?:AND|OR|XOR|IN|IS|STARTS|ENDS|CONTAINS)\b"
# Words that are keywords only when this follows, where an expression could begin with a name.
_KEYWORD_IF = {
    word: re.compile(_SKIP + follows, re.I | re.DOTALL)
    for words, follows in (
        ("EXISTS COUNT COLLECT", rf"\{{{_SKIP}[^.\s]"),
        ("ALL ANY NONE SINGLE", rf"\({_SKIP}{_NAME}{_SKIP}IN\b"),
        ("REDUCE", rf"\({_SKIP}{_NAME}{_SKIP}="),
        ("SHORTESTPATH ALLSHORTESTPATHS", r"\("),
        ("IS", r"(?:NOT\b" + _SKIP + r")?NULL\b"),
        ("BOTH LEADING TRAILING FROM", rf"(?!{_INFIX})[\w$'\"`]"),
    )
    for word in words.split()
}
_OPERATORS = frozenset(("AND", "OR", "XOR", "IN", "CONTAINS"))
_WITH = re.compile(rf"{_SKIP}WITH\b", re.I | re.DOTALL)


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

    def terminal(
        kind: str, value: str, start: int, end: int, accepts: Mapping[str, int], within: str
    ) -> Terminal:
        if kind == "word":
            word = value.upper()
            if word in keywords and word in accepts:
                if "NAME" not in accepts or _is_keyword(word, text, end, accepts):
                    return word, value, end
            elif "OP" in accepts and word in _OPERATORS:
                return "OP", word, end
            elif word in ("STARTS", "ENDS") and ("OP" in accepts or "COMPARISON" in accepts):
                second = _WITH.match(text, end)
                if second:
                    return first(("OP",), accepts, "COMPARISON"), word + " WITH", second.end()
            return "NAME", value, end
        if kind == "mark":
            return _mark(value, source, start, accepts, within)
        if kind == "string":
            return "STRING", value, end
        if kind == "number":
            return _number(value, text, start, end)
        if kind == "quoted":
            return "NAME", value[1:-1].replace("``", "`"), end
        return "PARAM", value[1:] if value[1] != "`" else value[2:-1].replace("``", "`"), end

    return scanned(source, _TOKEN, states, stack, terminal, _stray)


DYNAMIC_LABEL = (
    "Labels and types that are computed, $(…), are not read here: name them, or test labels(n) and "
    "type(r) in WHERE."
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
    start = after(_SPACE, text, pos)
    if text.startswith("$(", start):
        return error_at(text, start, DYNAMIC_LABEL, code="dynamic-label")
    return stray(text, start, _STRAY, "backticks")


def _is_keyword(word: str, text: str, end: int, accepts: Mapping[str, int]) -> bool:
    """Whether `word` is the keyword, where a name could stand as well."""
    only_if = _KEYWORD_IF.get(word)
    if only_if and "INT" in accepts:  # an expression may begin here
        return bool(only_if.match(text, end))
    unless = _NAME_IF.get(word)
    return not (unless and unless.match(text, end))


def _mark(
    mark: str, source: QueryText, start: int, accepts: Mapping[str, int], within: str
) -> Terminal:
    """The terminal, text and end of a mark with several meanings, inside the bracket `within`."""
    text = source.text
    if mark in "([{]|:":
        return _structure(mark, source, start, accepts, within)
    if mark == "*":
        hops = HOPS.match(text, start) if "HOPS" in accepts else None
        if hops:
            return "HOPS", "".join(hops[0].split()), hops.end()
        return first(("QUANTIFIER", "OP"), accepts, "STAR"), mark, start + 1
    edge = _edge(text, start) if "EDGE_OPEN" in accepts else None
    if edge:
        return edge
    comparison = COMPARISON.match(text, start)
    if comparison:
        type = first(("OP", "COMPARISON"), accepts, "")
        if type:
            return type, comparison[0], comparison.end()
        return ("EQ" if mark == "=" else "OP"), mark, start + 1
    if mark == "+":
        if text.startswith("+=", start) and "ADD_EQ" in accepts:
            return "ADD_EQ", "+=", start + 2
        return first(("QUANTIFIER", "OP"), accepts, "PLUS"), mark, start + 1
    if mark in ARITHMETIC:
        return first(("OP",), accepts, ARITHMETIC[mark]), mark, start + 1
    raise error_at(text, start, f"Unexpected character {mark!r}.", code="unexpected-character")


def _structure(
    mark: str, source: QueryText, start: int, accepts: Mapping[str, int], within: str
) -> Terminal:
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


def _edge(text: str, start: int) -> Terminal | None:
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


def _bar(text: str, start: int, accepts: Mapping[str, int], within: str) -> Terminal:
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
    end = _end_of(source, start)
    return end is not None and _EDGE_STARTS.match(source.text, end) is not None


def _end_of(source: QueryText, start: int) -> int | None:
    """The end of the bracket that opens at `start`, None when it never closes."""
    if source.ends is None:
        source.ends = {}
        opened: list[int] = []
        for item, end in _scan(source.text, 0):
            if item in "([{":
                opened.append(end - 1)
            elif item in ")]}" and opened:
                source.ends[opened.pop()] = end
    return source.ends.get(start)


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


def _number(value: str, text: str, start: int, end: int) -> Terminal:
    hint = ""
    if value[0] == "0" and value[1:].isdigit():
        hint = f": write 0o{value[1:]} (octal) or {value.lstrip('0')}"
    return number(value, text, start, end, _INTEGER, _FLOAT, hint)
