"""Words carried over from another language, in a text that does not parse; functions of SQL.

Models that know one language well write its clauses in another: HAVING and SELECT of SQL, WITH
and IN of Cypher in GQL (Text2GQL-Bench, section 7.2), steps of Gremlin.
"""

from __future__ import annotations

import re

from engines.guard import bare

_SQL = (
    r"\b(?:SELECT|HAVING|JOIN|LIKE|ILIKE|BETWEEN|INSERT\s+INTO|DELETE\s+FROM|UPDATE\s+\w+\s+SET)\b"
)
_FROM = r"\bFROM\s+\w+"
_GROUP = r"\bGROUP\s+BY\b"
_CYPHER = (
    r"(?<!STARTS )(?<!ENDS )\bWITH\b|\bUNWIND\b|\bSTARTS\s+WITH\b|\bENDS\s+WITH\b|\bCONTAINS\b"
    r"|=~|\bIN\s*\[|\[[^\]]*\*\s*\d*\s*(?:\.\.\s*\d*)?\s*\]"
)
_GQL = r"\bNEXT\b|->\s*\{\s*\d*\s*,|\bFOR\s+\w+\s+IN\b"
_GREMLIN = r"\bg\s*\.\s*[VE]\s*\("
_SPARQL = r"\bPREFIX\b|\bSELECT\s+(?:DISTINCT\s+)?\?\w|\?\w+\s+:?\w+\s+\?\w+"

SQL_FUNCTIONS = frozenset(
    # dates and times
    {"curdate", "current_date", "date_add", "date_diff", "date_format", "date_part", "date_sub"}
    | {"dateadd", "datediff", "datename", "datepart", "day", "extract", "getdate", "hour"}
    | {"julianday", "minute", "month", "now", "second", "strftime", "week", "year"}
    # texts, NULL, conversions
    | {"concat", "concat_ws", "convert", "group_concat", "ifnull", "isnull", "len", "listagg"}
    | {"lower", "nvl", "string_agg", "strpos", "substr", "to_char", "to_date", "trunc", "upper"}
)
"""Functions that databases with SQL have and graph languages have not, in small letters."""

_FOREIGN = {
    "cypher": (_SQL, _FROM, _GROUP, _GQL, _GREMLIN, _SPARQL),
    "gql": (_SQL, _FROM, _CYPHER, _GREMLIN, _SPARQL),
    "ngql": (_SQL, _GREMLIN, _SPARQL),
    "gremlin": (_SQL, _FROM, _GROUP, r"\bMATCH\s*\(", r"\bRETURN\b", _SPARQL),
    "sparql": (r"\bMATCH\s*\(", r"\bRETURN\b", _GREMLIN),
    "sql": (r"\bMATCH\s*\(", r"\bRETURN\b", _GREMLIN, _SPARQL),
}


def idiom(text: str, language: str) -> str:
    """The words of another language in a text that does not parse; empty where there are none.

    >>> idiom("MATCH (n) RETURN n.x, count(*) HAVING count(*) > 1", "cypher")
    'HAVING'
    >>> idiom("MATCH (n RETURN 'SELECT'", "cypher")
    ''
    """
    seen = bare(text)
    for pattern in _FOREIGN.get(language, ()):
        match = re.search(pattern, seen, re.IGNORECASE)
        if match:
            return match[0]
    return ""
