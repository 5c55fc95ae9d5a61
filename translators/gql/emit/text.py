"""Spelling of ISO GQL: words, names, strings, numbers.

Source: ISO/IEC 39075:2024 clause 21 (names, literals, tokens).
"""

from __future__ import annotations

import re
from typing import Final

from graphmill.errors import Refused

# Clause 21.3. Reserved and pre-reserved words are no regular identifiers.
_RESERVED: Final = """
    ABS ABSTRACT ACOS AGGREGATE AGGREGATES ALL ALL_DIFFERENT ALTER AND ANY ARRAY AS ASC
    ASCENDING ASIN AT ATAN AVG BIG BIGINT BINARY BOOL BOOLEAN BOTH BTRIM BY BYTES BYTE_LENGTH CALL
    CARDINALITY CASE CAST CATALOG CEIL CEILING CHAR CHARACTERISTICS CHARACTER_LENGTH CHAR_LENGTH
    CLEAR CLONE CLOSE COALESCE COLLECT_LIST COMMIT CONSTRAINT COPY COS COSH COT COUNT CREATE
    CURRENT_DATE CURRENT_GRAPH CURRENT_PROPERTY_GRAPH CURRENT_ROLE CURRENT_SCHEMA CURRENT_TIME
    CURRENT_TIMESTAMP CURRENT_USER DATA DATE DATETIME DAY DEC DECIMAL DEGREES DELETE DESC
    DESCENDING DETACH DIRECTORY DISTINCT DOUBLE DROP DRYRUN DURATION DURATION_BETWEEN ELEMENT_ID
    ELSE END EXACT EXCEPT EXISTING EXISTS EXP FALSE FILTER FINISH FLOAT FLOAT128 FLOAT16 FLOAT256
    FLOAT32 FLOAT64 FLOOR FOR FROM FUNCTION GQLSTATUS GRANT GROUP HAVING HOME_GRAPH
    HOME_PROPERTY_GRAPH HOME_SCHEMA HOUR IF IMPLIES IN INFINITY INSERT INSTANT INT INT128 INT16
    INT256 INT32 INT64 INT8 INTEGER INTEGER128 INTEGER16 INTEGER256 INTEGER32 INTEGER64 INTEGER8
    INTERSECT INTERVAL IS LEADING LEFT LET LIKE LIMIT LIST LN LOCAL LOCAL_DATETIME LOCAL_TIME
    LOCAL_TIMESTAMP LOG LOG10 LOWER LTRIM MATCH MAX MIN MINUTE MOD MONTH NEXT NODETACH NORMALIZE
    NOT NOTHING NULL NULLIF NULLS NUMBER NUMERIC OCTET_LENGTH OF OFFSET ON OPEN OPTIONAL OR ORDER
    OTHERWISE PARAMETER PARAMETERS PARTITION PATH PATHS PATH_LENGTH PERCENTILE_CONT
    PERCENTILE_DISC POWER PRECISION PROCEDURE PRODUCT PROJECT PROPERTY_EXISTS QUERY RADIANS REAL
    RECORD RECORDS REFERENCE REMOVE RENAME REPLACE RESET RETURN REVOKE RIGHT ROLLBACK RTRIM SAME
    SCHEMA SECOND SELECT SESSION SESSION_USER SET SIGNED SIN SINH SIZE SKIP SMALL SMALLINT SQRT
    START STDDEV_POP STDDEV_SAMP STRING SUBSTRING SUM SYSTEM_USER TAN TANH TEMPORAL THEN TIME
    TIMESTAMP TRAILING TRIM TRUE TYPED UBIGINT UINT UINT128 UINT16 UINT256 UINT32 UINT64 UINT8
    UNION UNIQUE UNIT UNKNOWN UNSIGNED UPPER USE USMALLINT VALUE VALUES VARBINARY VARCHAR VARIABLE
    WHEN WHERE WITH XOR YEAR YIELD ZONED ZONED_DATETIME ZONED_TIME"""
RESERVED: Final = frozenset(_RESERVED.split())
# Clause 21.3 again: names may be these, but parsers differ on variables, so we rename those.
_UNRESERVED: Final = """
    ACYCLIC BINDING BINDINGS CONNECTING DESTINATION DIFFERENT DIRECTED EDGE EDGES ELEMENT
    ELEMENTS FIRST GRAPH GROUPS KEEP LABEL LABELED LABELS LAST NFC NFD NFKC NFKD NO NODE
    NORMALIZED ONLY ORDINALITY PROPERTY READ RELATIONSHIP RELATIONSHIPS REPEATABLE SHORTEST SIMPLE
    SOURCE TABLE TEMP TO TRAIL TRANSACTION TYPE UNDIRECTED VERTEX WALK WITHOUT WRITE
    ZONE"""
UNRESERVED: Final = frozenset(_UNRESERVED.split())
# Not reserved, yet graphglot 0.14 takes the first two for the begin of something else, Spanner's
# graph syntax the third, and grafeo 0.6 the others. Accent quotes are right everywhere.
_DELIMITED: Final = RESERVED | {
    *("TABLE", "TYPE", "UNWIND"),
    *("ACYCLIC", "GROUPS", "ORDINALITY", "SHORTEST", "SIMPLE", "TRAIL", "WALK"),
}
# Words of grafeo's that the standard does not have: behind a colon or a dot they are names.
CYPHERS: Final = frozenset({"CONTAINS", "ENDS", "MERGE", "STARTS", "UNWIND"})
# Names that grafeo reads as the number, in accent quotes, too; INFINITY is reserved.
_NUMBERS: Final = frozenset({"INF", "NAN"})
# What GoogleSQL reserves beyond the standard ("Lexical structure and syntax", reserved keywords).
_GOOGLESQL: Final = """
    ASSERT_ROWS_MODIFIED BETWEEN COLLATE CONTAINS CROSS CUBE CURRENT DEFAULT DEFINE ENUM ESCAPE
    EXCLUDE EXTRACT FETCH FOLLOWING FULL GRAPH_TABLE GROUPING GROUPS HASH IGNORE INNER INTO JOIN
    LATERAL LOOKUP MERGE NATURAL NEW NO OUTER OVER PRECEDING PROTO QUALIFY RANGE RECURSIVE RESPECT
    ROLLUP ROWS SOME STRUCT TABLESAMPLE TO TREAT UNBOUNDED UNNEST USING WINDOW WITHIN"""
GOOGLESQL: Final = frozenset(_GOOGLESQL.split())


_NO_VARIABLES: Final = RESERVED | UNRESERVED | CYPHERS | _NUMBERS


def is_variable(name: str) -> bool:
    """Whether `name` may be written as a variable by every parser: a regular identifier.

    >>> is_variable("movie"), is_variable("count"), is_variable("a b"), is_variable("source")
    (True, False, False, False)
    """
    upper = name.upper()
    return _is_regular(name) and upper not in _NO_VARIABLES


def _is_regular(name: str) -> bool:
    """Whether every parser takes it for a name: some have no marks as the middle dot in them."""
    return name.isidentifier() and _MARKS.search(name) is None


# Other_ID_Continue of Unicode (UAX #31), which Python takes within a name.
_MARKS = re.compile("[\u00b7\u0387\u1369-\u1371\u19da\u30fb\uff65\u200c\u200d]")


def delimited(name: str) -> str:
    """`name` in accent quotes; an accent inside is escaped, parsers differ on a doubled one.

    >>> delimited("a`b")
    '`a\\\\u0060b`'
    """
    if _SPECIAL.search(name):
        raise Refused(
            "name-character", repr(name), "A name holds a backslash or a control character."
        )
    return "`" + name.replace("`", ACCENT) + "`"


def doubled_accents(text: str) -> str:
    """A whole text with the accents of names doubled, for engines that escape nothing there.

    >>> doubled_accents(delimited("a`b"))
    '`a``b`'
    """
    return _ACCENT.sub("``", text)


def identifier(name: str) -> str:
    """A label, property, field or column name, delimited where it must be.

    >>> identifier("born"), identifier("date"), identifier("a.name"), identifier("source")
    ('born', '`date`', '`a.name`', 'source')
    """
    if _is_regular(name) and name.upper() not in _DELIMITED:
        return name
    return delimited(name)


# Strings hold their accents as they are, so this stands in names only.
ACCENT: Final = "\\u0060"
_ACCENT = re.compile(r"(?<!\\)\\u0060")
_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_SPECIAL = re.compile("[\\\\\x00-\x1f\x7f]")


def string(value: str) -> str:
    """A character string literal; a quote inside turns to the other quotes, never to `''`.

    Parsers of the standard differ on a doubled or escaped quote; they agree on the other quotes
    and on the Unicode escape.

    >>> string("Ann"), string("it's"), string('a\\n')
    ("'Ann'", '"it\\'s"', "'a\\\\n'")
    """
    text = escaped(value)
    if "'" not in text:
        return f"'{text}'"
    if '"' not in text:
        return f'"{text}"'
    return "'" + text.replace("'", "\\u0027") + "'"


def escaped(value: str) -> str:
    """`value` with backslashes and control characters escaped, quotes as they are."""
    return _SPECIAL.sub(_escape, value)


def number(value: int | float, exact: bool = False) -> str:
    """A numeric literal. Floats are approximate numbers, as in Cypher, unless `exact` will do.

    `1.5` is an exact decimal in GQL (clause 21.2), so arithmetic on it would be decimal
    arithmetic; beside a comparison both say the same and the plain form reads better.

    >>> number(3), number(1.5), number(1.5, exact=True), number(1e300, exact=True)
    ('3', '1.5E0', '1.5', '1e+300')
    """
    if isinstance(value, int):
        return str(value)
    text = repr(value)
    if "n" in text:  # inf, nan
        raise Refused("number", text, "GQL has no literal for infinity or NaN.")
    if exact or "e" in text:
        return text
    return f"{text}E0"


def _escape(match: re.Match[str]) -> str:
    char = match.group()
    return _ESCAPES.get(char) or f"\\u{ord(char):04x}"
