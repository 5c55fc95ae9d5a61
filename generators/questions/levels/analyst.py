"""What all questions of the business level share: compact descriptions, notes, ways to ask."""

from __future__ import annotations

import re

from generators.questions.author import NotExpressible
from generators.questions.levels.logical import Logical
from generators.questions.plan.model import Block, Entity, Link, refs
from generators.questions.plan.terms import amount_of
from generators.questions.plan.wording import unfolded
from generators.questions.realise.clauses import window
from generators.questions.realise.compact import Compact
from graph_ir import nodes as ir
from graph_ir.rewrites import has_aggregate
from graphmill.english.inflection import a, listing, sentence

_BEST = re.compile(r"^(?:latest|earliest|highest|lowest) ")
LONG = 7  # words that may stand between a noun and its verb


class AnalystBase(Logical):
    """Says one block as a goal; what it leaves out is in `notes`."""

    teller: Compact
    teller_class = Compact
    counted_root: Entity | None = None

    @property
    def notes(self) -> list[str]:
        """What was left out, as sentences without capital and mark."""
        found = [f"{name} is {self.speech.computed(expr)}" for expr, name in self.speech.cases]
        for entity, again in self._repeats(self.counted_root):
            each = listing([other.name for other in again])
            found.append(f"{a(entity.name)} counts once for each {each}")
        return list(
            dict.fromkeys([*self.earlier_notes, *found, *getattr(self.teller, "notes", ())])
        )

    def like(self, block: Block) -> AnalystBase:
        """An earlier stage in the sentences of the logical level, with compact descriptions."""
        return AnalystBase(block, self.words, self.rng)

    def all_notes(self) -> list[str]:
        """What was left out, as sentences without capital and mark."""
        return self.notes

    def _name_computed(self) -> None:
        """Call computed results by their names; what they are is left to the notes."""
        for item in self.block.items:
            name = self.speech.result_name(item)
            if name:
                self.speech.cases.append((item.expr, name))

    def _spoken(self, *entities: Entity) -> None:
        """Entities that results or order name, so that modifiers need not."""
        about = [e for i in self.block.items for e in refs(i.expr) if isinstance(e, Entity)]
        about += [e for k in self.block.order for e in refs(k.expr) if isinstance(e, Entity)]
        self.teller.spoken = [*about, *entities]

    def _parts(self, entity: Entity, det: str) -> tuple[str, str]:
        """The described entity in two pieces, with what had to wait."""
        head, rest = self.teller.parts(entity, det)
        rest = f"{rest}{self._with_optional(entity)}{self.teller.tail()}".strip()
        return head, rest

    def _with_optional(self, head: Entity | None = None) -> str:
        """Optional parts: " (with or without a museum profile)"."""
        said = []
        for part in self.block.optional:
            anchors = [
                end
                for link in part.links
                for end in (link.left, link.right)
                if self.teller.is_known(end)
            ]
            if not anchors:
                raise NotExpressible("an optional part of its own")
            teller = self.teller.inside(part, list(self.teller.known))
            teller.known = [e for e in teller.known if e is not anchors[0]]
            _, rest = teller.parts(anchors[0], "plural")
            self.teller.known += part.entities
            if re.match(r"with (?!wh)", rest) and (head is None or anchors[0] is head):
                said.append(f"with or without {rest.removeprefix('with ')}{teller.tail()}")
            else:
                said.append(f"whether or not {self._link_clause(part, anchors[0])}")
        return f" ({listing(said)})" if said else ""

    def _optional(self, head: Entity | None = None) -> str:
        return self._with_optional(head)

    def _order_words(self, root: Entity | None = None) -> str:
        """The order in few words: ", latest hiring date first, then lowest ID first"."""
        said = []
        outer, self.speech.here = self.speech.here, root
        for key in self._sort_keys():
            words = self.speech.of(key.expr)
            number = words is not None and amount_of(words) != words.noun
            number = number and isinstance(key.expr, ir.Prop)
            noun = self.speech.np(key.expr).removeprefix("the ").removeprefix("that ")
            noun = f"number of {noun}" if number else _BEST.sub("", noun)
            if isinstance(key.expr, ir.Agg):
                said.append(f"{'highest' if key.descending else 'lowest'} {noun} first")
            elif words is not None and words.textual:
                way = "reverse alphabetical" if key.descending else "alphabetical"
                said.append(f"{'' if said else 'sorted by '}{noun} in {way} order")
            elif words is not None and words.timely:
                said.append(f"{'latest' if key.descending else 'earliest'} {noun} first")
            else:
                said.append(f"{'highest' if key.descending else 'lowest'} {noun} first")
        self.speech.here = outer
        joined = ", then ".join(said)
        return (f", {joined}" if joined else "") + window(self.block.skip, self.block.limit)

    def _sort_keys(self) -> list[ir.SortKey]:
        return [key for key in self.block.order if not isinstance(key.expr, ir.IsNull)]


def asked(text: str) -> str:
    """A question or a wish, by how it begins."""
    asks = text.startswith(("which", "what", "how", "who", "for ", "to how", "across", "among"))
    return sentence(text, "?" if asks else ".")


def descending(block: Block) -> bool:
    """Whether the first sort key goes down."""
    keys = [key for key in block.order if not isinstance(key.expr, ir.IsNull)]
    return keys[0].descending


def among(expr: ir.Expr, keys: list[ir.Expr]) -> bool:
    """Whether an expression is one of the keys."""
    return any(expr is key or expr == key for key in keys)


def measures(block: Block) -> list[ir.Expr]:
    """What results, order and filter of a grouped block measure."""
    exprs = [item.expr for item in block.items]
    exprs += [key.expr for key in block.order if not isinstance(key.expr, ir.IsNull)]
    for condition in block.having:
        match condition:
            case ir.Compare(_, left, right):
                exprs += [left, right]
            case _:
                raise NotExpressible("a filter on groups")
    return [e for e in exprs if has_aggregate(e)]


def path(links: list[Link], start: Entity, end: Entity) -> list[Link] | None:
    """The links from one entity to another, the fewest."""
    ways: list[tuple[Entity, list[Link]]] = [(start, [])]
    seen = {id(start)}
    while ways:
        here, way = ways.pop(0)
        if here is end:
            return way
        for link in links:
            if here is link.left or here is link.right:
                other = link.other(here)
                if id(other) not in seen:
                    seen.add(id(other))
                    ways.append((other, [*way, link]))
    return None


def plain(expr: ir.Expr) -> ir.Expr:
    """An expression without conversions around it."""
    return unfolded(expr)[0]
