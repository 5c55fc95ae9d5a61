"""What the parser could have taken, in the words of people."""

from __future__ import annotations

from graph_ir.cypher.tables import Tables

_EXPRESSION = frozenset({"NOT", "CASE", "LIST_OPEN", "LPAR"})
_CLAUSE = frozenset({"MATCH", "WITH", "RETURN", "UNWIND"})
_CLAUSES = frozenset(
    (
        *_CLAUSE,
        "CALL",
        "CREATE",
        "DELETE",
        "DETACH",
        "FILTER",
        "FOREACH",
        "LET",
        "LOAD",
        "MERGE",
        "NODETACH",
        "OPTIONAL",
        "REMOVE",
        "SET",
    )
)
_PATTERN = frozenset({"NODE_OPEN", "GROUP_OPEN", "SHORTEST", "SHORTESTPATH"})
_PATTERNS = frozenset(
    (*_PATTERN, "ALL", "ALLSHORTESTPATHS", "ANY", "DIFFERENT", "NAME", "REPEATABLE")
)
_STARTS = frozenset(
    (
        *_EXPRESSION,
        "ALL",
        "ALLSHORTESTPATHS",
        "ANY",
        "ARRAY_WORD",
        "BYTES",
        "CAST",
        "COLLECT",
        "COMPREHENSION_OPEN",
        "CONSTANT",
        "COUNT",
        "EXISTS",
        "FALSE",
        "FLOAT",
        "FUNCTION",
        "GROUP_OPEN",
        "INT",
        "INTERVAL",
        "LBRACE",
        "LET",
        "LIST_WORD",
        "MINUS",
        "NAME",
        "NODE_OPEN",
        "NONE",
        "NULL",
        "PARAM",
        "PATH",
        "PATTERN_OPEN",
        "PLUS",
        "QUANTIFIED",
        "RECORD",
        "REDUCE",
        "SHORTESTPATH",
        "SINGLE",
        "STRING",
        "TEMPORAL",
        "TRUE",
        "UNKNOWN",
        "VALUE",
    )
)
_WORDS = {
    "$END": "the end",
    "NAME": "a name",
    "STRING": "a string",
    "INT": "an integer",
    "FLOAT": "a number",
    "PARAM": "a parameter",
    "OP": "an operator",
    "COMPARISON": "a comparison",
    "LABEL_OP": "'|' or '&'",
    "HOPS": "'*'",
    "QUANTIFIER": "a quantifier",
    "NODE_OPEN": "'('",
    "GROUP_OPEN": "'('",
    "LPAR": "'('",
    "RPAR": "')'",
    "LSQB": "'['",
    "LIST_OPEN": "'['",
    "COMPREHENSION_OPEN": "'['",
    "PATTERN_OPEN": "'['",
    "RSQB": "']'",
    "LBRACE": "'{'",
    "RBRACE": "'}'",
    "EDGE_OPEN": "a relationship",
    "EDGE_BARE": "a relationship",
    "EDGE_CLOSE": "']-' or ']->'",
    "COMMA": "','",
    "COLON": "':'",
    "DOT": "'.'",
    "DOTDOT": "'..'",
    "EQ": "'='",
    "ADD_EQ": "'+='",
    "BAR": "'|'",
    "STAR": "'*'",
    "MINUS": "'-'",
    "PLUS": "'+'",
    "BANG": "'!'",
    "PERCENT": "'%'",
    "SEMICOLON": "';'",
    "ALTERNATIVE": "'|'",
    "ARRAY_WORD": "ARRAY",
    "BYTES": "a string of bytes",
    "CONSTANT": "a constant",
    "FUNCTION": "a function",
    "GRAPH_WORD": "GRAPH",
    "LIST_WORD": "LIST",
    "NULLS_SAID": "IGNORE NULLS",
    "NUMBERED": "WITH OFFSET",
    "QUALIFIER": "a unit of durations",
    "QUANTIFIED": "a quantifier",
    "SIMPLIFIED": "a relationship",
    "TEMPORAL": "a date or time",
    "TYPE": "a type",
    "UNIT": "a unit of time",
    "ZONE": "AT TIME ZONE",
}


def expected(tables: Tables, stack: list[int]) -> frozenset[str]:
    """The terminals that the parser can really take next.

    A row of the table also names terminals that would only be found wrong some reductions later,
    so each is tried on a copy of the stack.
    """
    names = (n for n in tables.states[stack[-1]] if n.isupper() or n == "$END")
    return frozenset(name for name in names if _takes(tables, list(stack), name))


def _takes(tables: Tables, stack: list[int], name: str) -> bool:
    while True:
        action = tables.states[stack[-1]].get(name)
        if action is None:
            return False
        if action >= 0:
            return True
        rule = tables.rules[~action]
        del stack[-rule.size :]
        stack.append(tables.states[stack[-1]][rule.origin])
        if stack[-1] == tables.end:
            return name == "$END"


def listed(allowed: frozenset[str]) -> str:
    """The expected terminals as people say them."""
    names = set(allowed)
    words: list[str] = []
    if names >= _EXPRESSION:
        words.append("an expression")
        names -= _STARTS
    if names >= _CLAUSE:
        words.append("a clause")
        names -= _CLAUSES
    if names >= _PATTERN:
        words.append("a pattern")
        names -= _PATTERNS
    words += sorted({_WORDS.get(name, name) for name in names}, key=lambda w: (w[0] == "'", w))
    if len(words) > 8:
        words = [*words[:8], "…"]
    if len(words) < 2:
        return "".join(words) or "something else"
    return f"{', '.join(words[:-1])} or {words[-1]}" if words[-1] != "…" else ", ".join(words)
