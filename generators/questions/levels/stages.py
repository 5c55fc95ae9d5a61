"""Earlier stages as sentences of their own, whose results get names: "that number"."""

from __future__ import annotations

from generators.questions.levels.logical_groups import GroupSayer
from generators.questions.lexicon.properties import PropertyWords
from generators.questions.plan.cardinality import connected, grouped_by
from generators.questions.plan.model import Block, Derived, Entity, EntityRef, refs
from generators.questions.plan.wording import unfolded
from generators.questions.realise.clauses import is_key, short, superlative
from graph_ir import nodes as ir
from graphmill.english.inflection import cardinal, listing, plural, sentence


class StageSayer(GroupSayer):
    """Says what a stage before the last one works out or keeps."""

    def stage(self, block: Block) -> str:
        """An earlier stage; from here on its results are called "that number", its things "these".

        Raises:
            NotExpressible: there is no good way to say it.
        """
        earlier = self.like(block)
        earlier.speech.derived.update(self.speech.derived)
        earlier.speech.cases = self.speech.cases
        if block.once:
            earlier.teller.known += block.carried
        if block.keys is None:
            text = earlier.taken()
        elif block.keys:
            text = earlier.worked_out()
        else:
            text = earlier.overall()
        for item in block.items:
            if not isinstance(item.expr, EntityRef):
                self._remember(block, item, earlier)
        earlier.teller.finish()
        self.earlier_notes += earlier.all_notes()
        return f"{text} "

    def like(self, block: Block) -> StageSayer:
        """A sayer of the same style for an earlier stage."""
        return type(self)(block, self.words, self.rng)

    def all_notes(self) -> list[str]:
        """What was left out, for the knowledge."""
        return []

    def _remember(self, block: Block, item: ir.Item, earlier: StageSayer) -> None:
        """Give a result its name for later."""
        said = self.speech.derived
        words = earlier.speech.of(item.expr)
        if isinstance(item.expr, Derived):
            name = earlier.speech.np(item.expr)
        elif words is not None and not isinstance(item.expr, ir.Agg):
            name = f"that {words.noun}"
        else:
            whole = earlier.speech.np(item.expr).removeprefix("the ")
            name = f"that {short(whole)}"
            columns = [w.noun for i in self.block.items if (w := self.speech.of(i.expr))]
            taken = name in said.values() or short(whole) in columns
            if taken or self._twice(block, item, earlier, short(whole)):
                name = f"that {whole}"
            if name in said.values():
                name = f"that earlier {whole}"
        said[id(block), item.alias] = name

    @staticmethod
    def _twice(block: Block, item: ir.Item, earlier: StageSayer, name: str) -> bool:
        others = [i for i in block.items if i is not item and isinstance(i.expr, ir.Agg)]
        return any(short(earlier.speech.np(i.expr)) == name for i in others)

    # --- the three kinds of stages -------------------------------------------------------

    def taken(self) -> str:
        """Without aggregates: what is kept."""
        block = self.block
        about = [e for i in block.items for e in refs(i.expr) if isinstance(e, Entity)]
        roots = list(dict.fromkeys(e for e in about if e in block.entities))
        if not connected(block):
            return sentence(f"consider every combination of {self._scene(block.entities)}")
        root = next((e for e in roots if e not in block.carried), None)
        root = root or next(iter([*roots, *self._roots()]))
        each = "for each of them, take" if block.once else "take"
        top = self._superlative(root)
        described = self.teller.describe(root, "plural")
        if top is not None:
            chosen = self._top(described, root, top)
            return sentence(f"{each} {chosen}{self.teller.tail()}{self._optional(root)}")
        end = f"{self.teller.tail()}{self._optional(root)}"
        kept = self._ordering() if block.windowed else ""
        different = "each different " if block.distinct and len(roots) == 1 else "all "
        different = "" if described.startswith("these") or block.windowed else different
        one = different.startswith("each")
        described = described.replace(plural(root.noun), root.noun, 1) if one else described
        if one:
            return sentence(
                f"{each} the different {plural(root.noun)}{described[len(root.noun) :]}{end}"
            )
        return sentence(f"{each} {different}{described}{end}{kept}")

    def _top(self, described: str, root: Entity, top: tuple[PropertyWords, bool]) -> str:
        words, descending = top
        noun = plural(root.noun)
        rest = described.removeprefix(noun).strip()
        best = superlative(words, descending=descending)
        keys = [key for key in self.block.order if not isinstance(key.expr, ir.IsNull)]
        if len(keys) > 1:
            self.speech.here = root
            ties = ", then ".join(self.speech.sorted_by(key) for key in keys[1:])
            self.speech.here = None
            best = f"{best} (ties broken by {ties})"
        if self.block.limit == 1:
            return f"the {root.noun} with the {best}{f' among the {noun} {rest}' if rest else ''}"
        among = f" among those {rest}" if rest else ""
        return f"the {cardinal(self.block.limit or 0)} {noun} with the {best}{among}"

    def overall(self) -> str:
        """One row: "work out the average of that number"."""
        block = self.block
        results = listing([self.speech.np(i.expr) for i in block.items if _measures(i.expr)])
        if not block.entities:
            return sentence(f"overall, work out {results}")
        roots = self._roots()
        scene = (
            self.teller.describe(roots[0], "all") + self.teller.tail() + self._optional(roots[0])
            if len(roots) == 1
            else f"all combinations of {self._scene(roots)}"
        )
        return sentence(f"over {scene}, work out {results}")

    def worked_out(self) -> str:
        """Groups: "for each of the museums …, work out the number of loans"."""
        block = self.block
        keys = grouped_by(block)
        plain = all(self._plain_key(key) for key in block.keys or ())
        simple = connected(block) and plain and len(keys) == 1 and keys[0] in block.entities
        measured = [i for i in block.items if _measures(i.expr) and not is_key(i.expr, block)]
        before = ""
        if simple:
            (key,) = keys
            start = self._each_key(key)
            things = plural(key.name)
        else:
            roots = self._roots()
            if len(roots) == 1:
                scene = f"all {self.teller.describe(roots[0], 'plural')}{self.teller.tail()}"
                scene += self._optional(roots[0])
            else:
                scene = f"every combination of {self._scene(roots)}"
            before = f"{sentence(f'consider {scene}')} "
            names = [self._key_name(key) for key in block.keys or ()]
            start = f"for each {'combination of ' if len(names) > 1 else ''}{listing(names)}"
            things = "of them"
        said = listing([self.speech.np(item.expr) for item in measured])
        text = sentence(f"{start}, work out {said}") if said else ""
        if not said:
            text = sentence(f"take {start.removeprefix('for ').replace('each of the', 'the')}")
        things = "those" if not simple else f"those {things}"
        if block.having:
            kept = listing([self.teller.condition(c) for c in block.having])
            text += f" Keep only {things} for {self._whom(keys, simple)} {kept}."
        if block.windowed:
            text += self._kept(things.removeprefix("those ") if simple else "of these")
        return before + text

    def _whom(self, keys: list[Entity], simple: bool) -> str:
        return self.teller.which(keys[0]) if simple else "which"

    def _key_name(self, key: ir.Expr) -> str:
        inner, _ = unfolded(key)
        said = self.speech.np(key).removeprefix("the ")
        return said if not isinstance(inner, EntityRef) else inner.entity.name

    def _kept(self, things: str) -> str:
        """ " Keep the five museums with the highest number of loans."."""
        block = self.block
        keys = [key for key in block.order if not isinstance(key.expr, ir.IsNull)]
        ties = [key for key in keys[1:] if self.speech.of(key.expr) is not None]
        if keys and len(ties) == len(keys) - 1 and block.limit and not block.skip:
            best = "highest" if keys[0].descending else "lowest"
            measure = self.speech.np(keys[0].expr).removeprefix("the ").removeprefix("that ")
            many = "one" if block.limit == 1 else cardinal(block.limit)
            things = things if things == "of these" or block.limit != 1 else f"of these {things}"
            tie = self._tie_words(ties)
            return f" {sentence(f'keep the {many} {things} with the {best} {measure}{tie}')}"
        order = self._ordering().removeprefix(", ")
        return f" {sentence(f'take them {order}')}"


def _measures(expr: ir.Expr) -> bool:
    """Whether a result is worked out, not just passed on."""
    return not isinstance(expr, EntityRef | Derived)
