"""What was meant: the mistakes that models and people make most when they write Cypher.

Each rule looks at the token that did not fit and at what stands before it. The first that applies
gives the code and the sentence of the error.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from graph_ir.cypher.errors import error_at
from graph_ir.cypher.expected import expected, listed
from graph_ir.cypher.lexer import DYNAMIC_LABEL
from graph_ir.cypher.scanning import CLOSING, OPENING, Token
from graph_ir.cypher.tables import Tables
from graphmill.errors import QueryTextError

_SQL = {
    "SELECT": "Cypher has no SELECT: MATCH a pattern, then RETURN the columns.",
    "FROM": "Cypher has no FROM: MATCH a pattern instead.",
    "JOIN": "Cypher has no JOIN: a pattern such as (a)-[:TYPE]->(b) connects nodes.",
    "GROUP": "Cypher has no GROUP BY: in WITH and RETURN the columns without aggregates are the"
    " groups.",
    "HAVING": "Cypher has no HAVING: aggregate in a WITH, then filter with WHERE.",
    "LIKE": "Cypher has no LIKE: use CONTAINS, STARTS WITH, ENDS WITH or =~.",
    "ILIKE": "Cypher has no ILIKE: use toLower(x) CONTAINS 'text'.",
    "BETWEEN": "Cypher has no BETWEEN: write low <= x AND x <= high.",
    "OVER": "Cypher has no window functions.",
    "INSERT": "Cypher has no INSERT: use CREATE.",
    "UPDATE": "Cypher has no UPDATE: use MATCH … SET.",
    "EXCEPT": "Cypher has no EXCEPT: use WHERE NOT EXISTS { … }.",
    "INTERSECT": "Cypher has no INTERSECT: use WHERE EXISTS { … }.",
    "REGEXP": "Regular expressions are tested with =~.",
    "RLIKE": "Regular expressions are tested with =~.",
    "TOP": "The first rows are taken with LIMIT, behind ORDER BY.",
    "INTERVAL": "A span of time is duration('P1D') or duration({days: 1}).",
}
_UNSUPPORTED = {
    "EXPLAIN": "EXPLAIN asks for a plan and no answer: leave it out.",
    "PROFILE": "PROFILE asks for a plan: leave it out.",
    "SHOW": "SHOW is administration and no query of the graph.",
    "DROP": "DROP changes the schema and is no query of the graph.",
    "ALTER": "ALTER changes the schema and is no query of the graph.",
    "USE": "USE chooses a database, which the caller does here.",
    "FINISH": "FINISH returns nothing: end with RETURN.",
    "CYPHER": "Options before a query (CYPHER …) belong to a server and are not read here.",
    "BEGIN": "Transactions are not part of a query.",
}
_TYPE_TEST = "Tests of a value's type (IS :: TYPE) are not read here: compare valueType(x)."
_ARROW = "A relationship is written -[:TYPE]->, <-[:TYPE]-, -[:TYPE]-, --> or --."
_EDGE_ENDS = frozenset({"EDGE_CLOSE", "EDGE_BARE"})
_READ_AS_NAMES = frozenset({"RETURN", "WHERE", "ORDER", "LIMIT", "WITH", "MATCH"})
_CLAUSES = frozenset({"MATCH", "UNWIND", "WITH", "RETURN", "CALL", "CREATE", "MERGE"})
_PAIRS = {")": "(", "]": "[", "}": "{"}
_TAIL = frozenset({"ORDER", "SKIP", "LIMIT", "OFFSET"})

type Hint = tuple[str, str]
type _Rule = Callable[[Token, list[Token], list[Token], frozenset[str]], Hint | None]


def unexpected(token: Token, tables: Tables, stack: list[int]) -> QueryTextError:
    """The error for a token that the grammar does not allow there: what was meant or expected."""
    text = token.source.text
    allowed = expected(tables, stack)
    code, meant = hint(token, allowed)
    shown = text[token.start : token.end]
    what = "the end of the text" if token.type == "$END" else f"'{_short(shown)}'"
    message = f"Unexpected {what}. {meant or f'Expected {listed(allowed)}.'}"
    return error_at(text, token.start, message, code=code)


def _short(text: str) -> str:
    line = text.split("\n", 1)[0]
    return line if len(line) <= 30 else f"{line[:30]}…"


def hint(token: Token, allowed: frozenset[str]) -> Hint:
    """A code and what was meant; the code alone when nothing is known."""
    before = token.source.tokens[: token.index]
    opened = _opened(before)
    for rule in _RULES:
        suggestion = rule(token, before, opened, allowed)
        if suggestion is not None:
            return suggestion
    return "unexpected-token", ""


def _opened(tokens: list[Token]) -> list[Token]:
    """The brackets that are still open."""
    stack: list[Token] = []
    for token in tokens:
        if token.type in OPENING:
            stack.append(token)
        elif token.type in CLOSING and stack:
            stack.pop()
    return stack


def _raw(token: Token) -> str:
    return token.source.text[token.start : token.end]


def _is_word(token: Token) -> bool:
    return _raw(token)[:1].isalpha() or _raw(token)[:1] == "_"


def _prose(
    token: Token, before: list[Token], opened: list[Token], allowed: frozenset[str]
) -> Hint | None:
    if "```" in token.source.text:
        return "code-fence", "Take the query out of its Markdown fence (```)."
    line = token.source.text[: token.start].rsplit("\n", 1)
    begins_line = len(line) == 2 and not line[1].strip()
    word = _raw(token)
    if begins_line and "$END" in allowed and word[:1].isupper() and word.upper() not in _SQL:
        return "trailing-text", "Text that is no Cypher follows the query."
    return None


def _neo4j(
    token: Token, before: list[Token], opened: list[Token], allowed: frozenset[str]
) -> Hint | None:
    """Constructs of Neo4j that are not read."""
    text = token.source.text
    if token.type == "PARAM" and re.match(r"\$(?:all|any)\s*\(", text[token.start :], re.I):
        return "dynamic-label", DYNAMIC_LABEL
    after = text[token.start :]
    words = [_raw(each).upper() for each in before[-2:]]
    if words[-1:] == ["IS"] or words == ["IS", "NOT"]:
        if after.startswith("::"):
            return "type-test", _TYPE_TEST
        if _raw(token).upper() in ("NORMALIZED", "NFC", "NFD", "NFKC", "NFKD"):
            return "normalized", "IS NORMALIZED is not read here."
    if words[-1:] == ["TYPED"]:
        return "type-test", _TYPE_TEST
    word = _raw(token).upper()
    if (before and word == "NEXT" and "$END" in allowed) or (not before and word == "WHEN"):
        instead = " Clauses after WITH say the same, and GQL (`--from gql`) has NEXT."
        unread = f"{word} of Cypher 25 is not read here."
        return "unsupported-clause", unread + (instead if word == "NEXT" else "")
    return None


def _sql(
    token: Token, before: list[Token], opened: list[Token], allowed: frozenset[str]
) -> Hint | None:
    word = _raw(token).upper()
    if word == "BY" and before and before[-1].text.upper() == "GROUP":
        word = "GROUP"
    if word in _SQL:
        return "sql", _SQL[word]
    if before and before[-1].type == "NAME" and before[-1].text.upper() in ("SELECT", "INTERVAL"):
        return "sql", _SQL[before[-1].text.upper()]
    if before:
        return None
    if word in _UNSUPPORTED:
        return "unsupported-statement", _UNSUPPORTED[word]
    if _is_word(token):
        return "no-clause", "A query begins with a clause such as MATCH, WITH, UNWIND or RETURN."
    return None


def _statements(
    token: Token, before: list[Token], opened: list[Token], allowed: frozenset[str]
) -> Hint | None:
    if before and before[-1].type == "SEMICOLON":
        return "several-statements", "One statement at a time: text follows the ';'."
    return None


def _operators(
    token: Token, before: list[Token], opened: list[Token], allowed: frozenset[str]
) -> Hint | None:
    raw = _raw(token)
    text, end = token.source.text, token.end
    last = before[-1] if before else None
    if raw == "!" and text.startswith("=", end):
        return "not-equal", "'Not equal' is written <>."
    if raw == "!":
        return "not", "A negation is written NOT."
    if raw == "=" and last is not None and _raw(last) == "=":
        return "double-equals", "'Equal' is written with one '='."
    if raw == "&" and text.startswith("&", end):
        return "double-ampersand", "'And' is written AND."
    if raw.upper() == "NOT" and text[end:].lstrip()[:2].upper() == "IN":
        return "not-in", "'Not in' is written NOT x IN list."
    if raw == "/" and text.startswith("*", end):
        return "open-comment", "The comment is not closed by '*/'."
    return None


def _maps(
    token: Token, before: list[Token], opened: list[Token], allowed: frozenset[str]
) -> Hint | None:
    within = opened[-1].type if opened else ""
    if within == "LBRACE" and before[-1].type == "COLON" and _raw(token)[:1] in "<>=":
        return "map-comparison", "A property map only tests for equality: compare in WHERE."
    if within == "LBRACE" and _raw(token) == "=" and before[-1].type == "NAME":
        return "map-equals", "In a map, a key and its value are joined with ':'."
    if within == "LBRACE" and token.type == "STRING" and "NAME" in allowed:
        return "quoted-name", "A key stands without quotes, or in backticks: {`my key`: 1}."
    return None


def _quotes(
    token: Token, before: list[Token], opened: list[Token], allowed: frozenset[str]
) -> Hint | None:
    last = before[-1] if before else None
    if last is not None and last.type == "STRING" and last.end == token.start:
        return "quote-in-string", "A quote inside a string is written \\'."
    if token.type == "STRING" and "NAME" in allowed and "STRING" not in allowed:
        name = token.text[1:-1]
        return "quoted-name", f"Names are quoted with backticks, strings with quotes: `{name}`."
    return None


def _nodes(
    token: Token, before: list[Token], opened: list[Token], allowed: frozenset[str]
) -> Hint | None:
    last = before[-1] if before else None
    within = opened[-1].type if opened else ""
    if last is None:
        return None
    if within in ("NODE_OPEN", "EDGE_OPEN") and last.type == "NAME" and token.type == "NAME":
        what = "label" if within == "NODE_OPEN" else "type"
        return "missing-colon", f"A {what} is written with a colon: {last.text}:{token.text}."
    if token.type == "NAME" and last.type in ("EDGE_CLOSE", "EDGE_BARE"):
        comment = " A comment begins with //." if _raw(last) == "--" else ""
        return "bare-node", f"A node stands in parentheses: ({token.text}).{comment}"
    if _raw(token) in ("-", "<") and last.type == "NAME" and "EQ" in allowed:
        return "bare-node", f"A node stands in parentheses: ({last.text})."
    if within == "EDGE_OPEN" and _raw(token) == "]":
        return "arrow", _ARROW
    if _raw(token)[:1] in ("-", "<") and ("EDGE_OPEN" in allowed or last.type in _EDGE_ENDS):
        return "arrow", _ARROW
    opens = last.type in ("LIST_OPEN", "LSQB") and len(before) > 1
    if token.type == "COLON" and opens and _raw(before[-2]) == "-":
        return (
            "bare-node",
            "A node stands in parentheses: (a)-[:TYPE]->(b). To count matches write"
            " COUNT { (a)-[:TYPE]->(b) }.",
        )
    return None


def _names(
    token: Token, before: list[Token], opened: list[Token], allowed: frozenset[str]
) -> Hint | None:
    raw = _raw(token).upper()
    if raw == "AS" and opened and opened[-1].type == "LPAR":
        return "as-inside", "AS stands behind the closing parenthesis: count(x) AS total."
    if token.type == "NAME" and "AS" in allowed and "COMMA" in allowed and _is_word(token):
        return "missing-as", f"A column is named with AS: … AS {token.text}."
    return None


def _order(
    token: Token, before: list[Token], opened: list[Token], allowed: frozenset[str]
) -> Hint | None:
    word = _raw(token).upper()
    if word not in _TAIL and word != "WHERE":
        return None
    since = max((at for at, t in enumerate(before) if t.type in _CLAUSES), default=0)
    clause = before[since].type if before else ""
    types = {each.type for each in before[since:]}
    if word != "WHERE":
        subclause = "ORDER BY" if word == "ORDER" else word
        return "clause-order", f"{subclause} stands behind RETURN or WITH."
    if "WHERE" in types:
        return "clause-order", "A clause has one WHERE: join the conditions with AND."
    if clause == "RETURN":
        return "clause-order", "WHERE stands behind MATCH or WITH, before RETURN."
    if "RETURN" in allowed:
        return "clause-order", "WHERE stands behind MATCH or WITH: here, write WITH * WHERE …"
    return None


def _bodies(
    token: Token, before: list[Token], opened: list[Token], allowed: frozenset[str]
) -> Hint | None:
    if not opened or opened[-1].type != "LBRACE":
        return None
    brace = opened[-1]
    owner = before[brace.index - 1].type if brace.index else ""
    if owner not in ("EXISTS", "COUNT", "COLLECT"):
        return None
    first = before[brace.index + 1] if brace.index + 1 < len(before) else None
    if _raw(token).upper() in ("WITH", "RETURN", "UNWIND", "ORDER") and (
        first is None or first.type not in ("MATCH", "OPTIONAL", "UNWIND", "WITH", "CALL")
    ):
        return "subquery-match", f"With further clauses, begin with MATCH: {owner} {{ MATCH … }}."
    if token.type == "NODE_OPEN" or _raw(token) == "(":
        return "subquery-commas", "Several patterns are separated by commas."
    if token.type == "OP" and token.text in ("AND", "OR"):
        return "subquery-condition", "Braces hold a pattern: join conditions in its WHERE."
    return None


def _conditions(
    token: Token, before: list[Token], opened: list[Token], allowed: frozenset[str]
) -> Hint | None:
    if _raw(token).upper() in ("AND", "OR") and "WHERE" in allowed:
        return "missing-where", "Conditions begin with WHERE."
    if "END" in allowed and token.type != "NAME" and any(t.type == "CASE" for t in before):
        return "missing-end", "A CASE ends with END."
    return None


def _brackets(
    token: Token, before: list[Token], opened: list[Token], allowed: frozenset[str]
) -> Hint | None:
    raw = _raw(token)
    closes = raw[:1] if raw[:1] in _PAIRS else ""
    if closes and not opened:
        return "unbalanced", f"No bracket is open that '{closes}' could close."
    if not opened:
        return None
    bracket = opened[-1]
    shown = _raw(bracket)[-1]
    inside = before[bracket.index + 1] if bracket.index + 1 < len(before) else None
    if bracket.type == "LPAR" and inside is not None and inside.text.upper() == "MATCH":
        return (
            "subquery-braces",
            "A query inside an expression stands in braces: COUNT { MATCH … } or"
            " COLLECT { MATCH … RETURN x }.",
        )
    clause = token.type == "$END" or raw.upper() in _READ_AS_NAMES
    if clause or (closes and _PAIRS[closes] != shown):
        where = f"line {bracket.line}, column {bracket.column + len(_raw(bracket)) - 1}"
        return "unbalanced", f"'{shown}' of {where} is not closed."
    return None


def _missing(
    token: Token, before: list[Token], opened: list[Token], allowed: frozenset[str]
) -> Hint | None:
    last = before[-1] if before else None
    if last is not None and last.type == "NAME" and last.text.upper() in _READ_AS_NAMES:
        return "missing-part", f"Something is missing before '{_raw(last)}'."
    return None


_RULES: tuple[_Rule, ...] = (
    _prose,
    _statements,
    _neo4j,
    _sql,
    _operators,
    _maps,
    _quotes,
    _nodes,
    _bodies,
    _names,
    _order,
    _conditions,
    _brackets,
    _missing,
)
