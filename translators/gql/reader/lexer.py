"""The lexer of the GQL grammar: it asks the parser what may come next.

Reserved words are no names (ISO/IEC 39075:2024 clause 21.3); the others are keywords only where
the parser's state accepts them. One bracket opens a node, a group, an expression or a list, which
the state and a look ahead decide.

All of it works on the parser's state as it goes, so that it is one module, of over 600 lines.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import NoReturn

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
from graph_ir.cypher.tables import Tables
from graphmill.errors import QueryTextError, Refused, Span
from translators.gql.emit.text import RESERVED
from translators.gql.reader import googlesql
from translators.gql.reader.flavours import Flavour

_WORD = r"[^\W\d]\w*"
_GAP = r"(?:[\s\ufeff]++|//[^\n]*+|--[^\n]*+|/\*.*?\*/)*+"
_GAP_NO_DASHES = r"(?:[\s\ufeff]++|//[^\n]*+|/\*.*?\*/)*+"
_PIECES = r"""{gap}(?:
      (?P<bytes>{octets}[xX]'[^'\n]*')
    | (?P<string>{strings}@?(?:'(?:[^'\\]|\\.{quote})*+'|"(?:[^"\\]|\\.{double})*+"))
    | (?P<word>{word})
    | (?P<number>0[xXoObB]\w+
        |(?:\d[\d_]*+(?:\.(?!\.|[^\W\d])[\d_]*+)?|\.\d[\d_]*+)(?:[eE][+-]?\d+)?\w*)
    | (?P<mark>{unequal}::|\.\.|[(){{}}\[\],;&!%+*/^=|:?~<>.\-])
    | (?P<quoted>`(?:[^`\\]|\\.|``)+`)
    | (?P<param>{parameter}(?:\w+|`(?:[^`]|``)+`|"(?:[^"]|"")+"))
    | (?P<end>\Z)
    )"""


def _compiled(
    gap: str,
    quote: str,
    double: str,
    parameter: str = r"\$",
    strings: str = "",
    unequal: str = "",
    octets: str = "",
) -> re.Pattern[str]:
    text = _PIECES.format(
        gap=gap,
        word=_WORD,
        quote=quote,
        double=double,
        parameter=parameter,
        strings=strings,
        unequal=unequal,
        octets=octets,
    )
    return re.compile(text, re.VERBOSE | re.DOTALL)


_STANDARD = _compiled(_GAP, "|''", '|""')
_NEO4J = _compiled(_GAP_NO_DASHES, "", "")
_GOOGLESQL = _compiled(_GAP, "", "", "@", googlesql.STRINGS, "!=|", googlesql.BYTES)
_SPACE = re.compile(_GAP, re.DOTALL)
_EDGE_OPEN = re.compile(r"<?\s*[-~]\s*\[")
_EDGE_CLOSE = re.compile(r"\]\s*[-~]\s*>?")
_EDGE_BARE = re.compile(r"<[-~]>|<[-~]|[-~]>|[-~]")
_LONG_EDGE = re.compile(r"<--|-->|--")
_SIMPLIFIED = re.compile(r"<?[-~]/[^/\n]*/[-~]>?")
_QUANTIFIER = re.compile(r"\{\s*(?:\d[\d_]*\s*)?(?:,\s*(?:\d[\d_]*\s*)?)?\}")
_MODES = "WALK|TRAIL|ACYCLIC|SIMPLE|ANY|ALL|SHORTEST"
_GROUP = re.compile(
    rf"\({_GAP}(?:[(<~-]|(?:{_WORD}|`[^`]+`){_GAP}="
    rf"|(?:{_MODES})\b{_GAP}(?:[(<~-]|(?!WHERE\b|IS\b)\w))",
    re.I | re.S,
)
_CALLED = re.compile(rf"(?:{_GAP}\.{_GAP}{_WORD})*+{_GAP}\(", re.S)
_NAMED = re.compile(rf"{_GAP}=(?!~)", re.S)
_QUOTE = re.compile(rf"{_GAP}@?['\"]", re.S)
_BRACKET = re.compile(rf"{_GAP}\[", re.S)
_BRACE = re.compile(rf"{_GAP}\{{", re.S)
_ITEM_OF = re.compile(rf"{_GAP}\({_GAP}(?:{_WORD}|`[^`]+`){_GAP}IN\b", re.S | re.I)
_COMPREHENSION = re.compile(rf"\[{_GAP}(?:{_WORD}|`[^`]+`){_GAP}IN\b", re.S | re.I)
_WITH = re.compile(rf"{_GAP}WITH\b", re.S | re.I)
_NUMBERED = re.compile(rf"{_GAP}(ORDINALITY|OFFSET)\b", re.S | re.I)
_QUALIFIER = re.compile(rf"{_GAP}TO{_GAP}(MONTH|SECOND)\b", re.S | re.I)
_TYPE_PART = re.compile(
    rf"{_GAP}(?:(?P<word>{_WORD})|(?P<open>[<({{])|(?P<close>[>)}}])|(?P<mark>::|[,|:])|(?P<num>\d+))",
    re.S,
)

_TEMPORAL = frozenset(("DATE", "TIME", "DATETIME", "TIMESTAMP", "DURATION"))
_CONSTANT_WORDS = """
    CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP LOCAL_TIME LOCAL_TIMESTAMP SESSION_USER
    CURRENT_USER INFINITY NAN"""
_CONSTANTS = frozenset(_CONSTANT_WORDS.split())
_NO_FUNCTION_WORDS = """
    NOT CASE CAST EXISTS DISTINCT ALL REDUCE WHEN BOTH LEADING TRAILING FROM WHERE AND OR XOR IN
    AS OFFSET LIMIT RETURN MATCH"""
_NO_FUNCTION = frozenset(_NO_FUNCTION_WORDS.split())
_QUANTIFIERS = frozenset(("ALL", "ANY", "NONE", "SINGLE"))
# What stands behind a word that is no call, and begins no literal.
_NO_CALL = frozenset(",)]}=<>;|+*:")
_LOOKING_AHEAD = frozenset(("YEAR", "DAY", "WITH", "STARTS", "ENDS", "LET", "IN"))
_MOST_WORDS = 50_000
"""Words of a flavour, each in one state of the parser, that are remembered."""
_OF_SESSIONS = frozenset(("AT", "GRAPH", "INTERVAL", "TABLE", "VALUE"))
_GRAPHS = frozenset(("CURRENT_GRAPH", "CURRENT_PROPERTY_GRAPH"))
_WORD_BEHIND = re.compile(rf"{_GAP}(?:(?P<mark>[{{$/'+-])|(?P<name>{_WORD}))", re.S)
_OPERATORS = frozenset(("AND", "OR", "XOR", "IN", "CONTAINS"))
_INTEGER = re.compile(r"0[xX](?:_?[\da-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|\d(?:_?\d)*")
_FLOAT = re.compile(
    r"(?:\d(?:_?\d)*)?\.\d(?:_?\d)*(?:[eE][+-]?\d+)?[mMfFdD]?|\d(?:_?\d)*\.?(?:[eE][+-]?\d+)?[mMfFdD]?"
)
_FIRST_OF_TYPE = """
    ANY ARRAY BIG BIGINT BINARY BINDING BOOL BOOLEAN BYTES CHAR DATE DATETIME DEC DECIMAL DOUBLE
    DURATION EDGE FLOAT FLOAT128 FLOAT16 FLOAT256 FLOAT32 FLOAT64 GRAPH INT INT128 INT16 INT256
    INT32 INT64 INT8 INTEGER INTEGER128 INTEGER16 INTEGER256 INTEGER32 INTEGER64 INTEGER8 LIST
    LOCAL NODE NOTHING NULL NUMERIC PATH PROPERTY REAL RECORD RELATIONSHIP SIGNED SMALL SMALLINT
    STRING TABLE TIME TIMESTAMP UBIGINT UINT UINT128 UINT16 UINT256 UINT32 UINT64 UINT8 UNSIGNED
    USMALLINT VALUE VARBINARY VARCHAR VERTEX ZONED TYPED"""
_TYPE_WORDS = frozenset(_FIRST_OF_TYPE.split())
_REST_OF_TYPE = """
    PRECISION WITH WITHOUT TIME ZONE NOT NULL YEAR TO MONTH DAY SECOND VALUE"""
_TYPE_LATER = _TYPE_WORDS | frozenset(_REST_OF_TYPE.split())


def tokens(source: QueryText, stack: list[int], table: Tables, flavour: Flavour) -> Iterator[Token]:
    """The tokens of a text, each chosen by what the parser accepts when it asks for it.

    Raises:
        QueryTextError: no token begins here, a number or bracket is wrong.
    """
    text, keywords = source.text, table.keywords
    known = table.words.setdefault(flavour.name, {})
    lets = 0  # values LET … IN … END of which no IN was met yet

    def terminal(
        kind: str, value: str, start: int, end: int, accepts: Mapping[str, int], within: str
    ) -> Terminal:
        nonlocal lets
        if kind == "word":
            word = value.upper()
            if flavour.googlesql:
                special = _googlesql_word(word, value, source, end, accepts)
                if special is not None:
                    return special
            elif word in _OF_SESSIONS and not flavour.extended:
                _check_word(word, source, start, end, accepts)
            if "FUNCTION" in accepts:
                special = _value_word(word, value, text, end, accepts)
                if special is not None:
                    return special
            place = id(accepts), value
            settled = known.get(place)
            if settled is not None:
                return *settled, end
            type, value, end = _word(word, value, text, start, end, accepts, keywords, flavour)
            if type == "LET" and "FUNCTION" in accepts:
                lets += 1
            elif type == "IN" and "OP" in accepts:
                # Behind a value, IN ends the definitions of a LET or tests membership.
                type, value = "IN" if lets else "OP", "IN"
                lets -= lets > 0
            elif len(known) < _MOST_WORDS and _is_settled(word, accepts, keywords, flavour):
                known[place] = type, value
            return type, value, end
        if kind == "mark":
            if value == "{" and flavour.googlesql and _asks_among(source.tokens, text, end):
                _refuse(source, start, end, "subquery", "IN { } of a query has no form.")
            if value == "!=":
                return first(("OP", "COMPARISON"), accepts, "OP"), "<>", end
            return _mark(value, text, start, accepts, within, flavour)
        if kind == "string":
            value = googlesql.short(value) if flavour.googlesql else value
            return *_text_or_name(value, accepts), end
        if kind == "number":
            return number(value, text, start, end, _INTEGER, _FLOAT)
        if kind == "quoted":
            return "NAME", _unquoted(value), end
        if kind == "param":
            if source.tokens and source.tokens[-1].type == "USE":
                _refuse(source, start, end, "graph-choice", "The graph is chosen by the caller.")
            return "PARAM", _parameter(value), end
        return "BYTES", value, end

    pattern = _GOOGLESQL if flavour.googlesql else _STANDARD if flavour.doubled else _NEO4J
    return scanned(source, pattern, table.states, stack, terminal, _stray)


_UNITS = frozenset(("YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND"))
_NEGATED = re.compile(rf"{_GAP}(IN|LIKE|BETWEEN)\b", re.S | re.I)
_NULLS = re.compile(rf"{_GAP}NULLS\b", re.S | re.I)
_OFFSET_AS = re.compile(rf"{_GAP}OFFSET\b(?:{_GAP}AS\b)?", re.S | re.I)
_TIME_ZONE = re.compile(rf"{_GAP}TIME\b{_GAP}ZONE\b", re.S | re.I)
_ARRAY_OF = re.compile(rf"{_GAP}<{_GAP}\w+{_GAP}>(?={_GAP}\[)", re.S)
_FUNCTION = re.compile(rf"{_GAP}(\.{_GAP}\w+{_GAP})?\(", re.S)
_OF_AGGREGATES = frozenset(("HAVING", "LIMIT", "ORDER"))
_QUERY = re.compile(rf"{_GAP}(?:FOR|GRAPH|LET|MATCH|OPTIONAL|RETURN|WITH)\b", re.S | re.I)
_AMOUNT = re.compile(rf"{_GAP}(?:-{_GAP})?[\d@(]", re.S)


def _googlesql_word(
    word: str, value: str, source: QueryText, end: int, accepts: Mapping[str, int]
) -> Terminal | None:
    """What a word is in GoogleSQL alone: an operator, a part of one, a name behind a dot."""
    text, behind = source.text, None
    if source.tokens and source.tokens[-1].type == "DOT":
        return "NAME", value, end
    if "FUNCTION" in accepts and (behind := _FUNCTION.match(text, end)):
        start = end - len(value)
        if behind[1]:
            if word in googlesql.OF_NAMESPACES:
                _refuse(source, start, end, "gql-function", f"No function of {word} has a form.")
        elif word in googlesql.UNREAD:
            _refuse(source, start, end, "gql-function", f"Graph-IR has no form of {word}().")
        elif word == "SAFE_CAST" and "CAST" in accepts:
            return "CAST", value, end
        elif word == "OFFSET":
            return "FUNCTION", value, end
    if word in _OF_AGGREGATES and _is_called(source.tokens):
        start = end - len(value)
        _refuse(source, start, end, "gql-function", f"An aggregate with {word} has no form.")
    if word == "SELECT" and source.tokens and source.tokens[-1].text == "(":
        _refuse(source, end - len(value), end, "subquery", "A SELECT inside of GQL has no form.")
    if "OP" in accepts:
        if word == "NOT" and (behind := _NEGATED.match(text, end)):
            return "OP", f"NOT {behind[1].upper()}", behind.end()
        if word in ("LIKE", "BETWEEN"):
            return "OP", word, end
    if word == "DISTINCT" and source.tokens and source.tokens[-1].text.upper() in ("IS", "NOT"):
        _refuse(source, end - len(value), end, "gql-function", "IS DISTINCT FROM has no form.")
    if word in ("IGNORE", "RESPECT") and "NULLS_SAID" in accepts:
        behind = _NULLS.match(text, end)
        return ("NULLS_SAID", word, behind.end()) if behind else None
    if word == "AT" and "ZONE" in accepts:
        behind = _TIME_ZONE.match(text, end)
        return ("ZONE", word, behind.end()) if behind else None
    if word == "WITH" and "NUMBERED" in accepts:
        behind = _OFFSET_AS.match(text, end)
        return ("NUMBERED", "OFFSET", behind.end()) if behind else None
    if word == "GRAPH" and "GRAPH_WORD" in accepts and not _NAMED.match(text, end):
        return "GRAPH_WORD", value, end
    if word == "ARRAY" and "ARRAY_WORD" in accepts and _BRACE.match(text, end):
        return "ARRAY_WORD", value, end
    if word == "ARRAY" and "LIST_WORD" in accepts and (behind := _ARRAY_OF.match(text, end)):
        return "LIST_WORD", value, behind.end()
    if word == "INTERVAL" and "INTERVAL" in accepts and _AMOUNT.match(text, end):
        return "INTERVAL", value, end
    if word in _UNITS and "UNIT" in accepts:
        return "UNIT", word, end
    return None


def _asks_among(before: Sequence[Token], text: str, end: int) -> bool:
    """Whether a brace opens the query whose values `x IN { … }` looks through."""
    return bool(before) and before[-1].text.endswith("IN") and bool(_QUERY.match(text, end))


def _is_called(before: Sequence[Token]) -> bool:
    """Whether what follows stands in the parentheses of a function."""
    closed = 0
    for place in range(len(before) - 1, -1, -1):
        mark = before[place].text
        if mark in (")", "]", "}"):
            closed += 1
        elif mark in ("(", "[", "{"):
            if not closed:
                return mark == "(" and place > 0 and before[place - 1].type == "FUNCTION"
            closed -= 1
    return False


def _check_word(
    word: str, source: QueryText, start: int, end: int, accepts: Mapping[str, int]
) -> None:
    """Refuse what the standard has and Graph-IR has not: values that are tables or graphs,
    INTERVAL, definitions of variables and schemas at the begin of a statement.

    Raises:
        Refused: the word begins one.
    """
    behind = _WORD_BEHIND.match(source.text, end)
    mark = (behind["mark"] or "") if behind else ""
    name = (behind["name"] or "").upper() if behind else ""
    if "FUNCTION" in accepts:
        named = name in _GRAPHS or (name and name not in RESERVED)
        if word in ("TABLE", "GRAPH") and (mark in ("{", "$") or named):
            _refuse(source, start, end, "typed-value", f"A {word} is no value of Graph-IR.")
        if word == "INTERVAL" and mark in ("'", "-", "+"):
            _refuse(source, start, end, "duration", "A span in SQL's form is not translated.")
    elif "OP" not in accepts and "NAME" not in accepts:
        if word == "AT" and mark == "/":
            _refuse(source, start, end, "graph-choice", "The schema is chosen by the caller.")
        if word in ("VALUE", "TABLE", "GRAPH") and name and name not in RESERVED:
            _refuse(source, start, end, "typed-value", "A variable is defined before a statement.")


def _refuse(source: QueryText, start: int, end: int, code: str, reason: str) -> NoReturn:
    line = source.text.count("\n", 0, start) + 1
    column = start - source.text.rfind("\n", 0, start)
    raise Refused(
        code, source.text[start:end], reason, Span(line, column, line, column + end - start)
    )


def _parameter(value: str) -> str:
    """The name of a parameter, which may be quoted."""
    quote = value[1]
    return value[1:] if quote not in '`"' else value[2:-1].replace(quote * 2, quote)


def _text_or_name(value: str, accepts: Container[str]) -> tuple[str, str]:
    """What stands in quotes: a name in double ones where only a name may stand."""
    if value[0] == '"' and "STRING" not in accepts and "NAME" in accepts:
        return "NAME", value[1:-1].replace('""', '"')
    return "STRING", value


_NAME_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{6})|([\\`'\"]))|``")


def _unquoted(value: str) -> str:
    """A delimited name; `\\u0060` and a doubled accent are an accent."""

    def plain(escape: re.Match[str]) -> str:
        code = escape[1] or escape[2]
        if code:
            return chr(int(code, 16)) if int(code, 16) <= 0x10FFFF else escape[0]
        return escape[3] or "`"

    return _NAME_ESCAPE.sub(plain, value[1:-1])


def _is_settled(
    word: str, accepts: Mapping[str, int], keywords: frozenset[str], flavour: Flavour
) -> bool:
    """Whether what a word is follows from what is accepted, and not from what stands behind it."""
    if word in _LOOKING_AHEAD or ("TYPE" in accepts and word in _TYPE_WORDS):
        return False
    keyword = word in keywords and word in accepts
    return not (keyword and "NAME" in accepts and word not in flavour.reserved)


def _word(
    word: str,
    value: str,
    text: str,
    start: int,
    end: int,
    accepts: Mapping[str, int],
    keywords: frozenset[str],
    flavour: Flavour,
) -> Terminal:
    """The terminal of a word that begins no function or literal, its text and its end."""
    if "TYPE" in accepts and word in _TYPE_WORDS and word not in accepts:
        return _type(text, start)
    if "QUALIFIER" in accepts and word in ("YEAR", "DAY"):
        continued = _QUALIFIER.match(text, end)
        if continued:
            return "QUALIFIER", f"{word} TO {continued[1].upper()}", continued.end()
    if word == "WITH" and "NUMBERED" in accepts:
        continued = _NUMBERED.match(text, end)
        if continued:
            return "NUMBERED", continued[1].upper(), continued.end()
    if word in keywords and word in accepts:
        if "NAME" not in accepts or word in flavour.reserved:
            return word, value, end
        if not _is_name(word, text, end, accepts):
            return word, value, end
        return "NAME", value, end
    if word in _OPERATORS and "OP" in accepts:
        return "OP", word, end
    if word in ("STARTS", "ENDS") and ("OP" in accepts or "COMPARISON" in accepts):
        second = _WITH.match(text, end)
        if second:
            type = "OP" if "OP" in accepts else "COMPARISON"
            return type, f"{word} WITH", second.end()
    if word in flavour.reserved and not (flavour.extended and "NAME" in accepts):
        return "RESERVED", value, end
    return "NAME", value, end


def _is_name(word: str, text: str, end: int, accepts: Mapping[str, int]) -> bool:
    """Whether a word that is not reserved is a name where a keyword could stand as well."""
    if _NAMED.match(text, end):
        return True
    if "FUNCTION" in accepts:  # an expression may begin here
        if word in ("EXISTS", "COUNT", "COLLECT", "VALUE"):
            return not (_BRACE.match(text, end) or (word == "EXISTS" and _CALLED.match(text, end)))
        if word in ("DISTINCT", "ALL", "NOT", "CASE", "NULL", "TRUE", "FALSE", "WHEN", "WHERE"):
            return bool(re.compile(rf"{_GAP}[,.)\]}}]", re.S).match(text, end)) and word not in (
                "NULL",
                "TRUE",
                "FALSE",
            )
        if word in ("CAST", "REDUCE"):
            return not _CALLED.match(text, end)
        return word not in ("LET", "FROM", "BOTH", "LEADING", "TRAILING")
    return word in ("IS", "WHERE") and bool(re.compile(rf"{_GAP}[):{{]", re.S).match(text, end))


def _value_word(
    word: str, value: str, text: str, end: int, accepts: Mapping[str, int]
) -> Terminal | None:
    """A word at the begin of a value that is no plain name: a function, a constant, a literal."""
    if text[end : end + 1] in _NO_CALL:
        return ("CONSTANT", word, end) if word in _CONSTANTS else None
    if word in _TEMPORAL and _QUOTE.match(text, end):
        return "TEMPORAL", word, end
    if word in _QUANTIFIERS and _ITEM_OF.match(text, end):
        return "QUANTIFIED", word, end
    if word in ("LIST", "ARRAY") and _BRACKET.match(text, end):
        return "LIST_WORD", word, end
    called = _CALLED.match(text, end)
    if called is not None:
        if word in _NO_FUNCTION or (word in accepts and word not in ("COUNT", "COLLECT")):
            return None
        stop = called.end() - 1
        name = value + "".join(_SPACE.sub("", part) for part in text[end:stop])
        while stop > end and text[stop - 1].isspace():
            stop -= 1
        return "FUNCTION", name, stop
    if word in _CONSTANTS:
        return "CONSTANT", word, end
    return None


def _type(text: str, start: int, *of: str) -> Terminal:
    """A whole type as one token: words, sizes, and what stands in its brackets."""
    parts: list[str] = [*of]
    pos, depth, end = start, 0, start
    while True:
        type_part = _TYPE_PART.match(text, pos)
        if type_part is None:
            break
        word = (type_part["word"] or "").upper()
        if type_part["word"]:
            if depth == 0 and (word not in _TYPE_LATER if parts else word not in _TYPE_WORDS):
                break
            parts.append(word)
        elif type_part["open"]:
            before = parts[-1:]
            record = type_part["open"] != "{" or before in (["RECORD"], ["TABLE"], [">"], ["NULL"])
            if depth == 0 and not record:
                break
            depth += 1
            parts.append(type_part["open"])
        elif type_part["close"]:
            if depth == 0:
                break
            depth -= 1
            parts.append(type_part["close"])
        elif type_part["num"]:
            if depth == 0:
                break
            parts.append(type_part["num"])
        else:
            if (
                depth == 0
                and type_part["mark"] != "|"
                and not (type_part["mark"] == "::" and not parts)
            ):
                break
            parts.append(type_part["mark"])
        pos = end = type_part.end()
    return "TYPE", " ".join(part for part in parts if part not in ("TYPED", "::")), end


def _mark(
    mark: str, text: str, start: int, accepts: Mapping[str, int], within: str, flavour: Flavour
) -> Terminal:
    """The terminal, text and end of a mark with several meanings, inside the bracket `within`."""
    end = start + len(mark)
    if "EDGE_BARE" in accepts and mark in "<-~":
        return _edge(text, start, flavour)
    if mark in "([{]|":
        return _structure(mark, text, start, accepts, within)
    if mark in ARITHMETIC:
        return ("OP" if "OP" in accepts else ARITHMETIC[mark]), mark, end
    match mark:
        case ":":
            return ("LABEL_OP" if "LABEL_OP" in accepts and flavour.extended else "COLON"), ":", end
        case "::":
            return _type(text, start) if "TYPE" in accepts else ("COLON", ":", start + 1)
        case "*":
            hops = HOPS.match(text, start) if "HOPS" in accepts else None
            if hops:
                return "HOPS", "".join(hops[0].split()), hops.end()
            return first(("QUANTIFIER", "OP"), accepts, "STAR"), mark, end
        case "+":
            return first(("QUANTIFIER", "OP"), accepts, "PLUS"), mark, end
        case "?":
            return "QUANTIFIER", mark, end
    comparison = COMPARISON.match(text, start)
    if comparison is None:
        raise error_at(text, start, f"Unexpected character {mark!r}.", code="unexpected-character")
    kind = first(("OP", "COMPARISON"), accepts, "")
    if kind:
        return kind, comparison[0], comparison.end()
    return ("EQ" if mark == "=" else "OP"), mark, end


def _structure(
    mark: str, text: str, start: int, accepts: Mapping[str, int], within: str
) -> Terminal:
    """The same of a bracket or a bar."""
    end = start + 1
    match mark:
        case "(":
            if "LPAR" not in accepts:
                if "GROUP_OPEN" in accepts and _GROUP.match(text, start):
                    return "GROUP_OPEN", mark, end
                if "NODE_OPEN" in accepts:
                    return "NODE_OPEN", mark, end
            return "LPAR", mark, end
        case "[":
            if "LIST_OPEN" not in accepts:
                return "LSQB", mark, end
            begins = "COMPREHENSION_OPEN" in accepts and _COMPREHENSION.match(text, start)
            comprehends = begins and _comprehends(text, start)
            return ("COMPREHENSION_OPEN" if comprehends else "LIST_OPEN"), mark, end
        case "]":
            closing = _EDGE_CLOSE.match(text, start) if within == "EDGE_OPEN" else None
            if closing:
                return "EDGE_CLOSE", "".join(closing[0][1:].split()), closing.end()
            return "RSQB", mark, end
        case "|":
            return _bar(text, start, accepts)
    if "TYPE" in accepts and "LBRACE" not in accepts:
        return _type(text, start, "RECORD")
    quantifier = _QUANTIFIER.match(text, start) if "QUANTIFIER" in accepts else None
    if quantifier:
        return "QUANTIFIER", quantifier[0].replace("_", ""), quantifier.end()
    return "LBRACE", mark, end


def _edge(text: str, start: int, flavour: Flavour) -> Terminal:
    opened = _EDGE_OPEN.match(text, start)
    if opened:
        return "EDGE_OPEN", "".join(opened[0][:-1].split()), opened.end()
    opened = _SIMPLIFIED.match(text, start)
    if opened:
        return "SIMPLIFIED", opened[0], opened.end()
    opened = _LONG_EDGE.match(text, start) if flavour.extended else None
    if opened:
        return "EDGE_BARE", opened[0].replace("--", "-"), opened.end()
    opened = _EDGE_BARE.match(text, start)
    if opened:
        return "EDGE_BARE", opened[0], opened.end()
    return "OP", text[start], start + 1


def _bar(text: str, start: int, accepts: Mapping[str, int]) -> Terminal:
    if "LABEL_OP" in accepts:
        return "LABEL_OP", "|", start + 1
    if text.startswith("||", start) and "OP" in accepts:
        return "OP", "||", start + 2
    if "ALTERNATIVE" in accepts:
        mark = "|+|" if text.startswith("|+|", start) else "|"
        return "ALTERNATIVE", mark, start + len(mark)
    return "BAR", "|", start + 1


def _comprehends(text: str, start: int) -> bool:
    """Whether the bracket at `start`, which begins with `x IN`, has no comma of its own."""
    depth, pos = 0, start
    while True:
        token = _STANDARD.match(text, pos)
        if token is None or token.lastgroup == "end":
            return True
        pos = token.end()
        if token.lastgroup == "mark":
            mark = token["mark"]
            if mark in "([{":
                depth += 1
            elif mark in ")]}":
                depth -= 1
                if depth == 0:
                    return True
            elif mark == "," and depth == 1:
                return False
            elif mark == "|" and depth == 1:
                return True
        elif token.lastgroup == "word" and depth == 1 and token["word"].upper() == "WHERE":
            return True


_STRAY = {
    "#": "A comment begins with // or --.",
    "$": "'$' begins a parameter: $name.",
    "\u201c": "Strings stand in straight quotes.",
    "\u201d": "Strings stand in straight quotes.",
    "\u2018": "Strings stand in straight quotes.",
    "\u2019": "Strings stand in straight quotes.",
}


def _stray(text: str, pos: int) -> QueryTextError:
    return stray(text, after(_SPACE, text, pos), _STRAY, "accents")
