"""The steps of TinkerPop 3.8, and those that no text may hold: what reaches beyond reads."""

from __future__ import annotations

READS = frozenset(
    {
        *("V", "E", "inject", "union", "out", "in", "both", "outE", "inE", "bothE", "inV", "outV"),
        *("bothV", "otherV", "to", "toE", "toV", "map", "flatMap", "local", "sideEffect"),
        *("filter", "where", "and", "or", "not", "is", "has", "hasLabel", "hasId", "hasKey"),
        *("hasValue", "hasNot", "values", "properties", "valueMap", "elementMap", "propertyMap"),
        *("element", "key", "value", "id", "label", "labels", "constant", "identity", "index"),
        *("path", "simplePath", "cyclicPath", "tree", "as", "select", "project", "match", "by"),
        *("with", "from", "order", "dedup", "range", "limit", "skip", "tail", "sample", "coin"),
        *("count", "sum", "min", "max", "mean", "fold", "unfold", "group", "groupCount"),
        *("aggregate", "store", "cap", "inside", "repeat", "emit", "until", "times", "loops"),
        *("optional", "choose", "option", "coalesce", "branch", "barrier", "none", "any", "all"),
        *("discard", "fail", "timeLimit", "math", "concat", "format", "length", "toLower"),
        *("toUpper", "trim", "lTrim", "rTrim", "replace", "reverse", "split", "substring"),
        *("asString", "asNumber", "asBool", "asDate", "dateAdd", "dateDiff", "merge", "combine"),
        *("intersect", "difference", "disjunct", "product", "conjoin", "sack", "withSack"),
        *("withBulk", "withPath", "explain", "profile", "toList", "toSet", "toBulkSet", "next"),
        *("iterate", "hasNext", "tryNext"),
    }
)
WRITES = frozenset({"addV", "addE", "mergeV", "mergeE", "property", "drop"})
BEYOND = frozenset(
    {
        *("io", "call", "read", "write", "program", "tx", "commit", "rollback", "close", "open"),
        *("withStrategies", "withoutStrategies", "withComputer", "withRemote", "withSideEffect"),
        *("pageRank", "peerPressure", "connectedComponent", "shortestPath", "subgraph"),
    }
)
PREDICATES = frozenset(
    {
        *("eq", "neq", "lt", "lte", "gt", "gte", "inside", "outside", "between", "within"),
        *("without", "startingWith", "notStartingWith", "endingWith", "notEndingWith"),
        *("containing", "notContaining", "regex", "notRegex", "typeOf", "not"),
    }
)
"""Those of P and TextP; `not` is a step, too."""
VALUES = frozenset({"datetime", "DateTime", "Duration", "UUID", "Binary", "Char"})
