"""The functions of Cypher: canonical names, arguments and result types.

Sources: openCypher 9 (TCK, expressions) and the Neo4j Cypher manual, version 5, "Functions".
Names are case-insensitive in texts and spelt as Neo4j spells them in the IR. Functions of other
namespaces (`apoc.…`, `gds.…`) keep the spelling of the text and are not checked.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from schemagraph.model import Kind

_LETTERS = {
    "A": frozenset(Kind),
    "B": frozenset({Kind.BOOLEAN}),
    "I": frozenset({Kind.INTEGER}),
    "N": frozenset({Kind.INTEGER, Kind.FLOAT}),
    "S": frozenset({Kind.STRING}),
    "L": frozenset({Kind.LIST}),
    "M": frozenset({Kind.MAP}),
    "n": frozenset({Kind.NODE}),
    "e": frozenset({Kind.EDGE}),
    "p": frozenset({Kind.PATH}),
    "P": frozenset({Kind.POINT}),
    "D": frozenset({Kind.DURATION}),
    "Y": frozenset({Kind.BYTES}),
    "T": frozenset({Kind.DATE, Kind.TIME, Kind.ZONED_TIME, Kind.DATETIME, Kind.ZONED_DATETIME}),
}

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

# name, arguments, result. Each argument is a word of letters (the kinds it may have); those
# after `?` are optional, `*` repeats the last. Results: a kind, `same` (as the first argument),
# `first` (its items), `list` (a list of what follows), `join` (the common type of all), `mean`
# (FLOAT for numbers), `between` (FLOAT, of integers mixed with them), `total` (as the first
# argument, and never null). `!` marks functions that give null for some arguments that are not
# null.
_TABLE = """
avg ND mean!
collect A list-same
count A INTEGER
max A same!
min A same!
percentileCont N N between!
percentileDisc N N same!
stDev N FLOAT!
stDevP N FLOAT!
sum ND total
abs N same
acos N FLOAT
asin N FLOAT
atan N FLOAT
atan2 N N FLOAT
btrim S ? S STRING
ceil N FLOAT
coalesce A * join
cos N FLOAT
cosh N FLOAT
cot N FLOAT
coth N FLOAT
date ? SMT DATE
date.realtime ? S DATE
date.statement ? S DATE
date.transaction ? S DATE
date.truncate S ? T M DATE
datetime ? SMT ZONED_DATETIME
datetime.fromEpoch N N ZONED_DATETIME
datetime.fromEpochMillis N ZONED_DATETIME
datetime.realtime ? S ZONED_DATETIME
datetime.statement ? S ZONED_DATETIME
datetime.transaction ? S ZONED_DATETIME
datetime.truncate S ? T M ZONED_DATETIME
degrees N FLOAT
duration SMD DURATION
duration.between T T DURATION
duration.inDays T T DURATION
duration.inMonths T T DURATION
duration.inSeconds T T DURATION
e FLOAT
elementId ne STRING
endNode e NODE
exists A BOOLEAN
exp N FLOAT
floor N FLOAT
haversin N FLOAT
head L first!
id ne INTEGER
isEmpty LMS BOOLEAN
isNaN N BOOLEAN
keys neM list-STRING
labels n list-STRING
last L first!
left S I STRING
length p INTEGER
localdatetime ? SMT DATETIME
localdatetime.realtime ? S DATETIME
localdatetime.statement ? S DATETIME
localdatetime.transaction ? S DATETIME
localdatetime.truncate S ? T M DATETIME
localtime ? SMT TIME
localtime.realtime ? S TIME
localtime.statement ? S TIME
localtime.transaction ? S TIME
localtime.truncate S ? T M TIME
log N FLOAT
log10 N FLOAT
ltrim S ? S STRING
nodes p list-NODE
normalize S ? A STRING
nullIf A A same!
pi FLOAT
point M POINT
point.distance P P FLOAT!
point.withinBBox P P P BOOLEAN!
properties neM MAP
radians N FLOAT
rand FLOAT
randomUUID STRING
range I I ? I list-INTEGER
relationships p list-EDGE
replace S S S ? I STRING
reverse SL same
right S I STRING
round N ? I S FLOAT
rtrim S ? S STRING
sign N INTEGER
sin N FLOAT
sinh N FLOAT
size LS INTEGER
split S SL list-STRING
sqrt N FLOAT
startNode e NODE
substring S I ? I STRING
tail L same
tan N FLOAT
tanh N FLOAT
time ? SMT ZONED_TIME
time.realtime ? S ZONED_TIME
time.statement ? S ZONED_TIME
time.transaction ? S ZONED_TIME
time.truncate S ? T M ZONED_TIME
timestamp INTEGER
toBoolean BIS BOOLEAN!
toBooleanList L list-BOOLEAN
toBooleanOrNull A BOOLEAN!
toFloat NS FLOAT!
toFloatList L list-FLOAT
toFloatOrNull A FLOAT!
toInteger BNS INTEGER!
toIntegerList L list-INTEGER
toIntegerOrNull A INTEGER!
toLower S STRING
toString BNSTPD STRING
toStringList L list-STRING
toStringOrNull A STRING!
toUpper S STRING
trim S ? S STRING
type e STRING
valueType A STRING
vector.similarity.cosine A A FLOAT
vector.similarity.euclidean A A FLOAT
"""

_SYNONYMS = {
    "lower": "toLower",
    "upper": "toUpper",
    "char_length": "size",
    "character_length": "size",
}

MEANT = {
    "concat": "Strings are joined with '+'.",
    "contains": "Write: text CONTAINS part.",
    "curdate": "Today is date().",
    "current_date": "Today is date().",
    "current_timestamp": "The present moment is datetime().",
    "datediff": "Write duration.between(a, b), or duration.inDays(a, b).days.",
    "day": "A component is read as x.day.",
    "group_concat": "Collect the values: collect(x).",
    "ifnull": "Write coalesce(a, b).",
    "isnull": "Write: x IS NULL.",
    "len": "Write size(x) for lists and strings, length(p) for paths.",
    "like": "Write CONTAINS, STARTS WITH, ENDS WITH or =~.",
    "lcase": "Write toLower(x).",
    "mean": "Write avg(x).",
    "median": "Write percentileCont(x, 0.5).",
    "month": "A component is read as x.month.",
    "now": "The present moment is datetime(), today is date().",
    "nvl": "Write coalesce(a, b).",
    "position": "Cypher has no search for a position.",
    "stddev": "Write stDev(x).",
    "strlen": "Write size(x).",
    "substr": "Write substring(text, start, length), which counts from 0.",
    "ucase": "Write toUpper(x).",
    "year": "A component is read as x.year.",
}
"""What was meant by functions that Cypher does not have, in lower case."""


@dataclass(frozen=True, slots=True)
class Signature:
    """`params` are the kinds that each argument may have; `repeats` the last of them.

    `result` is a rule of the table above; `may_be_null` holds even where no argument is null.
    """

    params: tuple[frozenset[Kind], ...]
    least: int
    repeats: bool
    result: str
    may_be_null: bool

    @property
    def most(self) -> int | None:
        """The greatest number of arguments, None without a limit."""
        return None if self.repeats else len(self.params)


def _read(line: str) -> tuple[str, Signature]:
    name, *args, result = line.split()
    params = tuple(
        frozenset(kind for letter in arg for kind in _LETTERS[letter])
        for arg in args
        if arg not in "?*"
    )
    least = args.index("?") if "?" in args else len(params)
    rule = result.rstrip("!")
    return name, Signature(params, least, "*" in args, rule, rule != result)


@cache
def signatures() -> dict[str, Signature]:
    """Every function that is known, by canonical name."""
    return dict(_read(line) for line in _TABLE.strip().splitlines())


_CANONICAL = {line.split(" ", 1)[0].lower(): line.split(" ", 1)[0] for line in _TABLE.split("\n")}
_CANONICAL |= _SYNONYMS

NAMESPACES = frozenset(name.partition(".")[0] for name in _CANONICAL if "." in name)
"""Namespaces whose functions are all known, in lower case."""


def canonical(name: str) -> str:
    """The spelling of a function's name in the IR.

    >>> canonical("TOLOWER"), canonical("Duration.Between"), canonical("apoc.text.Join")
    ('toLower', 'duration.between', 'apoc.text.Join')
    """
    return _CANONICAL.get(name.lower(), name)
