"""Groups at the logical level: "for each of the museums …", "list every genre …"."""

from __future__ import annotations

import re

from generators.questions.plan.cardinality import connected, grouped_by
from generators.questions.plan.model import Entity, EntityRef
from generators.questions.plan.wording import unfolded
from generators.questions.realise.clauses import Sayer, is_key, other_way_round, plural_of
from graph_ir import nodes as ir
from graph_ir.rewrites import has_aggregate
from graphmill.english.inflection import cardinal, listing, plural, sentence


class GroupSayer(Sayer):
    """Says grouped blocks."""

    def _grouped(self) -> str:
        """One result for each group."""
        block = self.block
        keys = grouped_by(block)
        simple = (
            len(keys) == 1
            and keys[0] in block.entities
            and connected(block)
            and all(self._plain_key(key) for key in block.keys or ())
        )
        if not simple:
            return self._considered()
        (key,) = keys
        other_way_round(key, block)
        if self._identified(keys) or self._by_name():
            ranked = self._ranked(key)
            if ranked:
                return ranked
        if self._identified(keys):
            start = self._each_key(key)
            having = self._having(", if ")
            self._owning(key)
            verb = self.rng.choice(["give", "show"])
            end = f"{self._repeated()}{self._ordering()}"
            return sentence(f"{start}{having}, {verb} {self._results(block.items)}{end}")
        return self._values(key)

    def _each_key(self, key: Entity) -> str:
        described = self.teller.describe(key, "plural")
        end = f"{self.teller.tail()}{self._optional(key)}"
        if self._identified([key]):
            return f"for each of the {described}{end}"
        return f"for each {self._key_nouns()} of {described}{end}"

    def _values(self, key: Entity) -> str:
        """Groups by values: "list every genre of artworks, together with …"."""
        block = self.block
        measures = [i for i in block.items if not is_key(i.expr, block)]
        shown = [i for i in block.items if i not in measures]
        ranked = self._ranked_values(key) if not measures else ""
        if ranked:
            return ranked
        described = self.teller.describe(key, "plural")
        where = f"{described}{self.teller.tail()}{self._optional(key)}"
        having = self._having(" for which ")
        nouns = self._key_nouns()
        if len(shown) != len(block.keys or ()):
            results = self._results(block.items)
            verb = self.rng.choice(["give", "show"])
            start = f"for each {nouns} of {where}{having}"
            return sentence(f"{start}, {verb} {results}{self._repeated()}{self._ordering()}")
        results = self._results(measures)
        together = f" together with {results}" if results else ""
        end = f"{self._repeated()}{self._ordering()}"
        if (
            "," in where
            or where.count(" ") > 6
            or (having and " " in where)
            or self.rng.random() < 0.4
        ):
            verb = self.rng.choice(["show", "give", "list"])
            comma = "," if having and together else ""
            return sentence(f"for {where}, {verb} each {nouns}{having}{comma}{together}{end}")
        verb = self.rng.choice(["list every", "show each", "give each", "list each"])
        comma = "," if together else ""
        return sentence(f"{verb} {nouns} of {where}{having}{comma}{together}{end}")

    def _ranked_values(self, key: Entity) -> str:
        """The value with the most: "which genre of artworks has the highest number of …"."""
        measure = self._ranking()
        if not measure or self.block.having:
            return ""
        described = self.teller.describe(key, "plural")
        limit = self.block.limit or 1
        nouns = self._key_nouns()
        if limit == 1:
            return sentence(
                f"which {nouns} of {described}{self.teller.tail()} has {measure}{self._repeated()}",
                "?",
            )
        many = f"{cardinal(limit)} {plural(nouns)}"
        return sentence(
            f"which {many} of {described}{self.teller.tail()} have {measure}{self._repeated()}", "?"
        )

    def _ranking(self) -> str:
        """ "the highest number of artworks", where one measure and a limit pick the best."""
        block = self.block
        keys = [key for key in block.order if not isinstance(key.expr, ir.IsNull)]
        if not keys or block.limit is None or block.skip:
            return ""
        expr = keys[0].expr
        if not isinstance(expr, ir.Agg) or expr.name not in ("count", "sum", "avg", "max", "min"):
            return ""
        if any(has_aggregate(key.expr) or self.speech.of(key.expr) is None for key in keys[1:]):
            return ""
        words = self.speech.of(expr)
        if expr.name != "count" and (words is None or words.year or not words.numeric):
            return ""
        best = "highest" if keys[0].descending else "lowest"
        return f"the {best} {self.speech.bare_measure(expr)}{self._tie_words(keys[1:])}"

    def _tie_words(self, keys: list[ir.SortKey]) -> str:
        """ " (ties broken by name in alphabetical order)"."""
        if not keys:
            return ""
        said = [self._tie(key) for key in keys]
        return f" (ties broken by {', then '.join(said)})"

    def _tie(self, key: ir.SortKey) -> str:
        words = self.speech.of(key.expr)
        if words is None:
            return self.speech.sorted_by(key).removeprefix("the ")
        if words.textual:
            return f"{words.noun} in {'reverse ' if key.descending else ''}alphabetical order"
        if words.timely:
            return f"{'latest' if key.descending else 'earliest'} {words.noun} first"
        return f"{'highest' if key.descending else 'lowest'} {words.noun} first"

    def _ranked(self, key: Entity) -> str:
        """Things with the highest measure: "of the museums …, give the name of the one with …"."""
        measure = self._ranking()
        if not measure:
            return ""
        own, others = [], []
        for item in self.block.items:
            match unfolded(item.expr)[0]:
                case ir.Prop(EntityRef(entity=entity)) if entity is key:
                    words = self.speech.of(item.expr)
                    assert words is not None  # noqa: S101 - a property has words
                    own.append(words)
                case _:
                    others.append(item)
        if not own:
            return ""
        described = self.teller.describe(key, "plural") + self._optional(key)
        whom = self.teller.which(key)
        start = f"{' and' if ' ' in described.strip() else ''} for {whom} "
        kept = self._having(", provided that " if self.block.optional else start)
        limit = self.block.limit or 1
        one = "one" if limit == 1 else cardinal(limit)
        columns = listing([w.one if limit == 1 else plural_of(w) for w in own])
        asked = f"the {columns} of the {one} with {measure}"
        together = f", together with {self._results(others)}" if others else ""
        end = f"{together}{self._repeated()}"
        return sentence(f"of the {described}{self.teller.tail()}{kept}, give {asked}{end}")

    def _considered(self) -> str:
        """Groups over several things: "Consider all … For each …"."""
        block = self.block
        roots = self._roots()
        if len(roots) == 1:
            scene = f"all {self.teller.describe(roots[0], 'plural')}{self.teller.tail()}"
            scene += self._optional(roots[0])
        else:
            scene = f"every combination of {self._scene(roots)}"
        keys = grouped_by(block)
        identified = self._identified(keys)
        items, shown = block.items, ""
        self.speech.here = roots[0] if len(roots) == 1 and not identified else None
        if identified:
            names = [e.name for e in keys]
            things = f"combination of {listing(names)}" if len(names) > 1 else names[0]
            start = f"For each {things}"
        else:
            values = [self.speech.np(key) for key in block.keys or ()]
            flags = [value for value in values if value.startswith("whether ")]
            if flags and len(flags) == len(values):
                start = f"Depending on {listing(values)}"
                items = [i for i in block.items if not is_key(i.expr, block)]
            else:
                start = f"For each combination of {listing(values)}"
                if len(values) == 1:
                    start = f"For each value of {values[0]}"
                    if found := re.match(r"the ((?:year|month|day|hour) of .+)", values[0]):
                        start = f"For each {found[1]}"
                if all(any(i.expr == k for i in items) for k in block.keys or ()):
                    items = [i for i in items if not is_key(i.expr, block)]
                    shown = "it and " if len(values) == 1 else "the combination and "
        having = self._having(", if ")
        results = f"{shown}{self._results(items)}" if items else shown.removesuffix(" and ")
        verb = self.rng.choice(["give", "show"])
        before = sentence(f"consider {scene}")
        end = f"{self._repeated()}{self._ordering()}"
        self.speech.here = None
        return f"{before} {start}{having}, {verb} {results}{end}."
