"""The functions that NebulaGraph 3.x knows, with how many arguments they take.

The parser itself refuses a call of an unknown function or with a wrong number of arguments.
Source: NebulaGraph 3.8 manual, chapter "Functions and expressions".
"""

from __future__ import annotations

from translators.ngql.grammar.keywords import words

ANY_NUMBER = 1 << 30

AGGREGATES = frozenset(
    {
        "count",
        "sum",
        "avg",
        "max",
        "min",
        "std",
        "bit_and",
        "bit_or",
        "bit_xor",
        "collect",
        "collect_set",
    }
)

RANDOM = frozenset({"rand", "rand32", "rand64"})

_ONE = words("""
    abs ceil floor sqrt cbrt exp exp2 log log2 log10 radians sin cos tan asin acos atan sign
    lower tolower upper toupper length trim ltrim rtrim reverse tostring tointeger tofloat
    toboolean toset hash size id tags labels properties type typeid src dst rank startnode
    endnode keys nodes tail relationships head last duration json_extract is_edge
    none_direct_src none_direct_dst hassameedgeinpath hassamevertexinpath reversepath
    st_geogfromtext st_astext st_centroid st_isvalid
""")

_TWO = words("""
    bit_and bit_or bit_xor hypot pow strcasecmp left right split extract setadd erase
    st_point st_intersects st_covers st_coveredby st_distance
""")

ARITY: dict[str, tuple[int, int]] = {
    **dict.fromkeys(_ONE, (1, 1)),
    **dict.fromkeys(_TWO, (2, 2)),
    "e": (0, 0),
    "pi": (0, 0),
    "rand": (0, 0),
    "now": (0, 0),
    "rand32": (0, 2),
    "rand64": (0, 2),
    "round": (1, 3),
    "timestamp": (0, 1),
    "date": (0, 1),
    "time": (0, 1),
    "datetime": (0, 1),
    "replace": (3, 3),
    "lpad": (3, 3),
    "rpad": (3, 3),
    "substr": (2, 3),
    "substring": (2, 3),
    "range": (2, 3),
    "datasetrowcol": (3, 3),
    "st_dwithin": (3, 4),
    "s2_cellidfrompoint": (1, 2),
    "s2_coveringcellids": (1, 4),
    "coalesce": (1, ANY_NUMBER),
    "concat": (1, ANY_NUMBER),
    "concat_ws": (2, ANY_NUMBER),
    "_joinkey": (1, ANY_NUMBER),
    "udf_is_in": (2, ANY_NUMBER),
}
