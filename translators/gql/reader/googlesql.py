"""What GoogleSQL has beyond the standard: functions without a form, strings, hints, comments.

Pages: "Functions", "Aggregate functions", "Lexical structure" of the GoogleSQL reference for
Spanner.
"""

from __future__ import annotations

import re
from typing import Final

_UNREAD = """
    ACOSH ANY_VALUE APPROX_COSINE_DISTANCE APPROX_COUNT_DISTINCT APPROX_DOT_PRODUCT
    APPROX_EUCLIDEAN_DISTANCE APPROX_QUANTILES APPROX_TOP_COUNT APPROX_TOP_SUM ARRAY_CONCAT_AGG
    ARRAY_FILTER ARRAY_FIRST ARRAY_INCLUDES ARRAY_INCLUDES_ALL ARRAY_INCLUDES_ANY
    ARRAY_IS_DISTINCT ARRAY_LAST ARRAY_MAX ARRAY_MIN ARRAY_TO_STRING ARRAY_TRANSFORM ASCII ASINH
    ATANH BIT_AND BIT_COUNT BIT_OR BIT_REVERSE BIT_XOR BOOL BOOL_ARRAY BYTE_LENGTH CBRT CHR
    CODE_POINTS_TO_BYTES CODE_POINTS_TO_STRING CORR COSINE_DISTANCE COT COTH COVAR_POP
    COVAR_SAMP CSC CSCH CURRENT_DATETIME CURRENT_TIME DATETIME DATE_BUCKET DATE_FROM_UNIX_DATE
    DATE_TRUNC DENSE_RANK DESTINATION_NODE_ID DOT_PRODUCT EDIT_DISTANCE ERROR EUCLIDEAN_DISTANCE
    FARM_FINGERPRINT FIRST_VALUE FLOAT32 FLOAT32_ARRAY FLOAT64 FLOAT64_ARRAY FORMAT FORMAT_DATE
    FORMAT_TIMESTAMP FROM_BASE32 FROM_BASE64 FROM_HEX GENERATE_DATE_ARRAY
    GENERATE_TIMESTAMP_ARRAY GENERATE_UUID GET_INTERNAL_SEQUENCE_STATE GET_NEXT_SEQUENCE_VALUE
    GET_TABLE_COLUMN_IDENTITY_STATE GROUPING INITCAP INSTR INT64 INT64_ARRAY IS_ACYCLIC IS_FIRST
    IS_INF IS_LAST IS_SIMPLE IS_TRAIL JSON_ARRAY JSON_ARRAY_APPEND JSON_ARRAY_INSERT
    JSON_CONTAINS JSON_KEYS JSON_OBJECT JSON_QUERY JSON_QUERY_ARRAY JSON_REMOVE JSON_SET
    JSON_STRIP_NULLS JSON_TYPE JSON_VALUE JSON_VALUE_ARRAY JUSTIFY_DAYS JUSTIFY_HOURS
    JUSTIFY_INTERVAL LAG LAST_DAY LAST_VALUE LAX_BOOL LAX_FLOAT64 LAX_INT64 LAX_STRING LEAD LEFT
    LOGICAL_AND LOGICAL_OR LPAD MAKE_INTERVAL MAX_BY MD5 MIN_BY NEW_UUID NORMALIZE_AND_CASEFOLD
    NTH_VALUE NTILE NULLIFZERO OCTET_LENGTH PARSE_DATE PARSE_JSON PARSE_NUMERIC PARSE_TIMESTAMP
    PATH PATH_FIRST PATH_LAST PENDING_COMMIT_TIMESTAMP PERCENTILE_CONT PERCENTILE_DISC
    PERCENT_RANK PROPERTY_EXISTS PROPERTY_NAMES RAND RANGE_BUCKET RANK REGEXP_CONTAINS
    REGEXP_EXTRACT REGEXP_EXTRACT_ALL REGEXP_INSTR REGEXP_REPLACE REGEXP_SUBSTR REPEAT RIGHT
    ROW_NUMBER RPAD SAFE_ADD SAFE_CONVERT_BYTES_TO_STRING SAFE_DIVIDE SAFE_MULTIPLY SAFE_NEGATE
    SAFE_SUBTRACT SAFE_TO_JSON SCORE SCORE_NGRAMS SEARCH SEARCH_NGRAMS SEARCH_SUBSTRING SEC SECH
    SHA1 SHA256 SHA512 SNIPPET SOUNDEX SOURCE_NODE_ID SPLIT_SUBSTR STDDEV_POP STRING STRING_AGG
    STRING_ARRAY STRUCT TIMESTAMP TIMESTAMP_DIFF TIMESTAMP_MICROS TIMESTAMP_MILLIS TIMESTAMP_SECONDS
    TIMESTAMP_TRUNC TOKEN TOKENIZE_BOOL TOKENIZE_FULLTEXT TOKENIZE_JSON TOKENIZE_NGRAMS
    TOKENIZE_NUMBER TOKENIZE_SUBSTRING TOKENLIST_CONCAT TO_BASE32 TO_BASE64 TO_CODE_POINTS
    TO_HEX TO_JSON TO_JSON_STRING TRANSLATE UNICODE UNIX_DATE UNIX_MICROS VARIANCE VAR_POP
    VAR_SAMP ZEROIFNULL ZSTD_COMPRESS ZSTD_DECOMPRESS_TO_BYTES ZSTD_DECOMPRESS_TO_STRING"""
UNREAD: Final = frozenset(_UNREAD.split())
"""Functions of GoogleSQL that Graph-IR has no exact form of."""

OF_NAMESPACES: Final = frozenset(("AI", "HLL_COUNT", "KEYS", "KLL_QUANTILES", "ML", "NET", "SAFE"))
"""What a function's name may begin with: `SAFE.SUBSTR(…)`."""

STRINGS: Final = r"""
    [rR]?(?:\'\'\'(?:[^'\\]|\\.|\'(?!\'\'))*+\'\'\'|\"\"\"(?:[^"\\]|\\.|\"(?!\"\"))*+\"\"\")
    |[rR]'(?:[^'\\\n]|\\.)*+'|[rR]"(?:[^"\\\n]|\\.)*+"|"""
"""Raw strings, and those in three quotes, in the form of a pattern that goes on with others."""


BYTES: Final = r"""(?:[bB][rR]?|[rR][bB])(?:'(?:[^'\\\n]|\\.)*+'|"(?:[^"\\\n]|\\.)*+")|"""
"""Strings of bytes, which Graph-IR has no value for."""

_UNSAID = re.compile(
    rf"""(?:{STRINGS}'(?:[^'\\]|\\.)*+'?|"(?:[^"\\]|\\.)*+"?|`(?:[^`\\]|\\.)*+`?
    |//[^\n]*|--[^\n]*|/\*(?:.*?\*/|.*))|(?P<unsaid>\#[^\n]*|@\s*\{{[^{{}}]*\}})""",
    re.VERBOSE | re.DOTALL,
)


def without_hints(text: str) -> str:
    """The text with blanks for hints (`@{…}`) and for comments behind `#`: neither has a meaning.

    Positions stay as they are.
    """

    def blank(piece: re.Match[str]) -> str:
        unsaid = piece["unsaid"]
        return _SEEN.sub(" ", unsaid) if unsaid else piece[0]

    return _UNSAID.sub(blank, text)


def short(value: str) -> str:
    """A raw or long string as one in single quotes: without escapes behind `@`, else with them."""
    raw = value[0] in "rR"
    body = value[1:] if raw else value
    if body[:3] not in ("'''", '"""'):
        if not raw:
            return value
        body = body[1:-1]
    else:
        body = body[3:-3].replace("\r\n", "\n").replace("\r", "\n")
    if raw:
        return "@'" + body.replace("'", "''") + "'"
    return "'" + _QUOTE.sub(lambda each: each[0] if len(each[0]) > 1 else "\\'", body) + "'"


_SEEN = re.compile(r"\S")
_QUOTE = re.compile(r"\\.|'", re.DOTALL)
