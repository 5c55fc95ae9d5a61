"""The order of groups at the business level, and whether it ranks them."""

from __future__ import annotations

from generators.questions.levels.analyst import AnalystBase
from generators.questions.realise.clauses import window
from graph_ir import nodes as ir


class GroupOrder(AnalystBase):
    """Says in which order groups come."""

    def _ranking(self) -> str:
        """Whether one measure and a limit pick the best."""
        block = self.block
        keys = self._sort_keys()
        if not keys or block.limit is None or block.skip:
            return ""
        expr = keys[0].expr
        if not isinstance(expr, ir.Agg) or expr.name not in ("count", "sum", "avg", "max", "min"):
            return ""
        if any(isinstance(key.expr, ir.Agg) for key in keys[1:]):
            return ""
        return "best"

    def _ties(self) -> str:
        """Further sort keys of a ranking."""
        keys = self._sort_keys()[1:]
        if not keys:
            return ""
        said = [self._sort_words(key) for key in keys]
        return f" (ties broken by {', then '.join(said)})"

    def _sort_words(self, key: ir.SortKey) -> str:
        words = self.speech.of(key.expr)
        if isinstance(key.expr, ir.Prop) and isinstance(key.expr.base, ir.Prop):
            return "latest first" if key.descending else "earliest first"
        if words is None:
            named = self.speech.np(key.expr).removeprefix("the ")
            return f"{named} in {'descending' if key.descending else 'ascending'} order"
        way = "descending" if key.descending else "ascending"
        if words.timely:
            return f"{'latest' if key.descending else 'earliest'} {words.noun} first"
        if words.textual:
            way = "reverse alphabetical" if key.descending else "alphabetical"
        return f"{words.noun} in {way} order"

    def _group_order(self) -> str:
        """The order of groups: ", largest number first, then kind in alphabetical order"."""
        said = []
        for key in self._sort_keys():
            if isinstance(key.expr, ir.Agg) and key.expr.name == "count":
                said.append(f"{'largest' if key.descending else 'smallest'} number first")
            elif isinstance(key.expr, ir.Agg):
                said.append(f"{'highest' if key.descending else 'lowest'} value first")
            else:
                said.append(self._sort_words(key))
        joined = f", {', then '.join(said)}" if said else ""
        return joined + window(self.block.skip, self.block.limit)
