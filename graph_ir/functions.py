"""The functions of Cypher under their canonical names (openCypher 9, Neo4j 5).

Names are case-insensitive in texts and spelt as Neo4j spells them in the IR. Functions of other
namespaces (`apoc.…`, `gds.…`) keep the spelling of the text.
"""

from __future__ import annotations

AGGREGATES = (
    "avg",
    "collect",
    "count",
    "max",
    "min",
    "percentileCont",
    "percentileDisc",
    "stDev",
    "stDevP",
    "sum",
)

_NAMES = """
    abs acos all any asin atan atan2 btrim ceil char_length character_length coalesce cos cosh cot
    coth date date.realtime date.statement date.transaction date.truncate datetime
    datetime.fromEpoch datetime.fromEpochMillis datetime.realtime datetime.statement
    datetime.transaction datetime.truncate degrees duration duration.between duration.inDays
    duration.inMonths duration.inSeconds e elementId endNode exists exp floor haversin head id
    isEmpty isNaN keys labels last left length localdatetime localdatetime.realtime
    localdatetime.statement localdatetime.transaction localdatetime.truncate localtime
    localtime.realtime localtime.statement localtime.transaction localtime.truncate log log10
    lower ltrim nodes none normalize nullIf pi point point.distance point.withinBBox properties
    radians rand randomUUID range reduce relationships replace reverse right round rtrim sign sin
    single sinh size split sqrt startNode substring tail tan tanh time time.realtime
    time.statement time.transaction time.truncate timestamp toBoolean toBooleanList
    toBooleanOrNull toFloat toFloatList toFloatOrNull toInteger toIntegerList toIntegerOrNull
    toLower toString toStringList toStringOrNull toUpper trim type upper valueType
    vector.similarity.cosine vector.similarity.euclidean
"""

_SYNONYMS = {
    "lower": "toLower",
    "upper": "toUpper",
    "char_length": "size",
    "character_length": "size",
}

_CANONICAL = {name.lower(): _SYNONYMS.get(name, name) for name in (*_NAMES.split(), *AGGREGATES)}
KNOWN = frozenset(_CANONICAL.values())


def canonical(name: str) -> str:
    """The spelling of a function's name in the IR.

    >>> canonical("TOLOWER"), canonical("Duration.Between"), canonical("apoc.text.Join")
    ('toLower', 'duration.between', 'apoc.text.Join')
    """
    return _CANONICAL.get(name.lower(), name)
