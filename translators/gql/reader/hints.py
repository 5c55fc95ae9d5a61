"""What was meant: the mistakes that models and people make most when they write GQL."""

from __future__ import annotations

from graph_ir.cypher.errors import error_at
from graph_ir.cypher.expected import expected, listed
from graph_ir.cypher.scanning import Token
from graph_ir.cypher.tables import Tables
from graphmill.errors import QueryTextError

_MEANT = {
    "WITH": "GQL has no WITH: write RETURN … NEXT, or LET x = ….",
    "UNWIND": "GQL has no UNWIND: write FOR x IN list.",
    "CREATE": "Elements are made with INSERT.",
    "MERGE": "GQL has no MERGE.",
    "WHERE": "WHERE stands behind MATCH; elsewhere write FILTER.",
    "JOIN": "A pattern such as (a)-[:TYPE]->(b) connects nodes.",
    "LIKE": "ISO GQL has no LIKE.",
    "BETWEEN": "Write low <= x AND x <= high.",
    "HAVING": "Write RETURN … NEXT FILTER ….",
    "FOREACH": "GQL has no FOREACH: write FOR x IN list.",
    "MINUS": "Write EXCEPT.",
    "OVER": "GQL has no window functions.",
}


def unexpected(token: Token, tables: Tables, stack: list[int]) -> QueryTextError:
    """The error for a token that the grammar does not allow there: what was meant or expected."""
    text = token.source.text
    allowed = expected(tables, stack)
    shown = text[token.start : token.end].split("\n", 1)[0][:30]
    what = "the end of the text" if token.type == "$END" else f"'{shown}'"
    code, meant = _hint(token, allowed)
    message = f"Unexpected {what}. {meant or f'Expected {listed(allowed)}.'}"
    return error_at(text, token.start, message, code=code)


def _hint(token: Token, allowed: frozenset[str]) -> tuple[str, str]:
    before = token.source.tokens[: token.index]
    text, raw = token.source.text, token.source.text[token.start : token.end]
    last = before[-1] if before else None
    if "```" in text:
        return "code-fence", "Take the query out of its Markdown fence (```)."
    if token.type == "RESERVED" and "NAME" in allowed:
        return "reserved-word", f"It is a reserved word: write `{raw}` as a name."
    if last is not None and last.type == "SEMICOLON":
        return "several-statements", "One statement at a time: text follows the ';'."
    if raw == "=" and last is not None and last.text == "=":
        return "double-equals", "'Equal' is written with one '='."
    if raw == "!" and text.startswith("=", token.end):
        return "not-equal", "'Not equal' is written <>."
    if raw.upper() in _MEANT:
        return "not-in-gql", _MEANT[raw.upper()]
    if token.type == "NAME" and "AS" in allowed and "COMMA" in allowed:
        return "missing-as", f"A column is named with AS: … AS {raw}."
    return "unexpected-token", ""
