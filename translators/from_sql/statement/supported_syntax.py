"""Which parts of a parsed statement the translation looks at; what it does not is refused.

The parser reads far more than one dialect has. A part that no handler asks for would be lost
silently, so that every part of the classes below that is set must be one of those named.
"""

from __future__ import annotations

from sqlglot import exp

from graphmill.errors import Refused

_QUERY = "with_ expressions distinct from_ joins where group having windows order limit offset"
_CLASSES: dict[type[exp.Expr], str] = {
    exp.Select: f"{_QUERY} qualify laterals connect distribute into match",  # refused by `Rows`
    exp.Subquery: "this alias joins",
    exp.SetOperation: "this expression distinct with_ order limit offset",
    exp.Table: "this alias db joins",
    exp.Values: "expressions alias joins with_ order limit offset",
    exp.Join: "this on side kind using method",
    exp.Limit: "expression limit_options",
    exp.LimitOptions: "rows",
    exp.Offset: "expression",
    exp.Fetch: "direction count limit_options",
    exp.Order: "this expressions",
    exp.Ordered: "this desc nulls_first",
    exp.Group: "expressions grouping_sets cube rollup totals all",  # refused by `Select`
    exp.With: "expressions recursive",
    exp.CTE: "this alias materialized",
    exp.Cast: "this to",
    exp.TryCast: "this to",
    exp.Between: "this low high symmetric",
    exp.In: "this expressions query field",
    exp.Window: "this partition_by order spec alias over",
    exp.Count: "this expressions big_int",
    exp.Min: "this expressions",
    exp.Max: "this expressions",
    exp.Trim: "this expression position",
    exp.Substring: "this start length",
    exp.Round: "this decimals",
    exp.Length: "this binary",
    exp.Star: "",
    exp.Column: "this table",
    exp.Date: "this expressions",
    exp.StrPosition: "this substr",
    exp.Ceil: "this",
    exp.Floor: "this",
    exp.Trunc: "this decimals",
    exp.DateDiff: "this expression unit date_part_boundary",
    exp.TimestampTrunc: "this unit",
    exp.TimeToStr: "this format",
}
# Parts of which a word tells what is meant, and the words that are understood.
_WORDS: dict[tuple[type[exp.Expr], str], set[str]] = {
    (exp.Join, "method"): {"NATURAL"},
    (exp.Join, "side"): {"LEFT", "RIGHT", "FULL"},
    (exp.Join, "kind"): {"INNER", "CROSS", "OUTER", "SEMI", "ANTI", "STRAIGHT_JOIN"},
}
_KNOWN = {kind: frozenset(words.split()) for kind, words in _CLASSES.items()}
_SEEN: dict[type[exp.Expr], frozenset[str] | None] = {}
# Types that the parser notes in the tree are no part of the text.
_NOTES = frozenset({"_type", "typed", "safe", "ignore_nulls", "input_type_preserved"})


def check(tree: exp.Expr) -> None:
    """Refuse what would be lost.

    Raises:
        Refused
    """
    for node in tree.dfs():
        known = _allowed(type(node))
        if known is None:
            continue
        for name, value in node.args.items():
            if value and name not in known and name not in _NOTES:
                word = name.strip("_").replace("_", " ")
                raise Refused(
                    "unsupported-clause",
                    type(node).__name__,
                    f"{_shown(node)} has a part that is not supported: {word}.",
                )
            words = _WORDS.get((type(node), name))
            if value and words is not None and str(value).upper() not in words:
                raise Refused(
                    "unsupported-clause",
                    f"{value} {type(node).__name__}".upper(),
                    f"{_shown(node)} is joined in a way that Cypher has no clause for.",
                )


def _allowed(kind: type[exp.Expr]) -> frozenset[str] | None:
    if kind not in _SEEN:
        _SEEN[kind] = next((_KNOWN[parent] for parent in kind.__mro__ if parent in _KNOWN), None)
    return _SEEN[kind]


def _shown(node: exp.Expr) -> str:
    text = node.sql()
    return text if len(text) <= 80 else f"{text[:77]}…"
