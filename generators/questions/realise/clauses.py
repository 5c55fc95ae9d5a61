"""What every question level over a plan shares: subjects, columns, results, order."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from generators.questions.author import NotExpressible
from generators.questions.lexicon.nouns import is_person
from generators.questions.lexicon.properties import PropertyWords
from generators.questions.lexicon.vocabulary import Vocabulary
from generators.questions.plan.cardinality import connected, ordered, repeats, row_entities, single
from generators.questions.plan.model import (
    Block,
    Derived,
    Entity,
    EntityRef,
    Inner,
    Link,
    Scalar,
    refs,
)
from generators.questions.plan.terms import amount_of
from generators.questions.plan.wording import unfolded
from generators.questions.realise.noun_phrases import Teller
from graph_ir import nodes as ir
from graph_ir.walk import children
from graphmill.english.inflection import a, cardinal, listing, plural
from schemagraph.model import Kind


class Sayer:
    """Says one block; a level adds its sentences."""

    teller_class: type[Teller] = Teller

    def __init__(self, block: Block, words: Vocabulary, rng: Random) -> None:
        self.block = block
        self.words = words
        self.rng = rng
        self.teller = self.teller_class(words, block, list(block.outer))
        self.speech = self.teller.speech
        self.earlier_notes: list[str] = []

    def _owning(self, entity: Entity) -> None:
        """From here on, "its" is the entity's."""
        if not is_person(entity.noun):
            self.speech.its = entity

    def _scene(self, roots: list[Entity]) -> str:
        """Several roots: "a museum and another museum where …"."""
        said = [self.teller.describe(root, "a") for root in roots]
        others = [e for e in self.block.entities if not self.teller.is_known(e)]
        said += [self.teller.describe(e, "a") for e in others]
        return f"{listing(said)}{self.teller.tail()}{self._optional()}"

    def _subject(self) -> Entity | None:
        """The one entity that all results are properties of, or are."""
        about = ordered(self.block.items)
        links = [t for i in self.block.items for t in refs(i.expr) if isinstance(t, Link)]
        if len(about) == 1 and not links and about[0] in self.block.entities:
            return about[0]
        return None

    def _listable(self) -> bool:
        """Whether all results are properties, or one thing itself."""
        found = [unfolded(item.expr)[0] for item in self.block.items]
        if len(found) == 1 and isinstance(found[0], EntityRef):
            return True
        said = [self.speech.of(e) for e in found if isinstance(e, ir.Prop)]
        return len(said) == len(found) and all(w and w.kind is not Kind.BOOLEAN for w in said)

    def _named(self, root: Entity) -> bool:
        """Whether a condition names the thing, so that one is meant."""
        for condition in self.block.conditions:
            match condition:
                case ir.Compare(ir.CompareOp.EQ, ir.Prop(EntityRef(entity=entity)), ir.Literal()):
                    words = self.speech.of(condition.left)
                    if entity is root and words is not None and words.identity:
                        return True
        return False

    def _columns(self, *, one: bool = False) -> str:
        """What is asked: "names and fees", "" for the things themselves."""
        found = [unfolded(item.expr)[0] for item in self.block.items]
        if any(isinstance(e, EntityRef) for e in found):
            return ""
        said = [words for e in found if (words := self.speech.of(e)) is not None]
        nouns = [w.full if one else plural_of(w) for w in said]
        different = "different " if self.block.distinct and not one else ""
        return f"{different}{listing(list(dict.fromkeys(nouns)))}"

    def _superlative(self, root: Entity) -> tuple[PropertyWords, bool] | None:
        """The property and direction that picks the top, where a superlative says it."""
        block = self.block
        keys = [key for key in block.order if not isinstance(key.expr, ir.IsNull)]
        if not keys or block.limit is None or block.skip or block.distinct:
            return None
        if any(_owner(key.expr) is not root for key in keys[1:]):
            return None
        words = self.speech.of(keys[0].expr)
        inner, _ = unfolded(keys[0].expr)
        match inner:
            case ir.Prop(EntityRef(entity=entity)) if entity is root and words is not None:
                if words.numeric or words.year or words.temporal:
                    return words, keys[0].descending
        return None

    def _identified(self, keys: list[Entity]) -> bool:
        """Whether the grouping keys tell one entity from another."""
        return bool(keys) and all(entity in self.block.identified for entity in keys)

    def _by_name(self) -> bool:
        """Whether the groups are names of things."""
        keys = [self.speech.of(key) for key in self.block.keys or ()]
        return len(keys) == 1 and keys[0] is not None and keys[0].identity

    def _repeats(self, root: Entity | None = None) -> list[tuple[Entity, list[Entity]]]:
        """Things that sums and counts take more than once, with the things that make them so."""
        block = self.block
        exprs = [item.expr for item in block.items] + [key.expr for key in block.order]
        found = []
        for agg in (g for e in [*exprs, *block.having] for g in own_aggregates(e)):
            if agg.distinct or agg.name in ("min", "max"):
                continue
            argument = unfolded(agg.args[0])[0] if agg.args else None
            entity = _owner(argument) if isinstance(argument, ir.Prop) else root
            if isinstance(argument, EntityRef):
                entity = argument.entity
            again = repeats(block, entity) if entity is not None else []
            if entity is not None and again and (entity, again) not in found:
                found.append((entity, again))
        return found

    def _repeated(self, root: Entity | None = None) -> str:
        """ ", counting a book once for each award"."""
        said = [
            f"counting {a(entity.name)} once for each {listing([e.name for e in again])}"
            for entity, again in self._repeats(root)
        ]
        return f", {listing(said)}" if said else ""

    def _plain_key(self, key: ir.Expr) -> bool:
        inner, _ = unfolded(key)
        if isinstance(inner, EntityRef):
            return True
        words = self.speech.of(inner) if isinstance(inner, ir.Prop) else None
        return words is not None and words.kind is not Kind.BOOLEAN

    def _key_nouns(self) -> str:
        nouns = []
        for key in self.block.keys or ():
            words = self.speech.of(key)
            if words is None:
                raise NotExpressible("a group of things and values")
            nouns.append(key_noun(words))
        return f"combination of {listing(nouns)}" if len(nouns) > 1 else nouns[0]

    def _having(self, start: str) -> str:
        if not self.block.having:
            return ""
        return f"{start}{listing([self.teller.condition(c) for c in self.block.having])}"

    def _results(self, items: list[ir.Item], *, owner: bool = True) -> str:
        """Results as a list; neighbours that one thing owns are said together."""
        said: list[str] = []
        last: Entity | None = None
        seen: list[ir.Expr] = []
        if self.speech.here is not None and self._alike(items):
            self.speech.here = None
        for item in items:
            if any(item.expr == other for other in seen):
                continue
            seen.append(item.expr)
            thing = _owner(item.expr)
            if self.speech.its is not None and thing is not self.speech.its:
                self.speech.its = None
            if self.speech.here is not None and isinstance(last, Entity):
                self.speech.here = self.speech.here if last is self.speech.here else None
            if isinstance(item.expr, ir.Agg) and not owner:
                said.append(f"the {self.speech.bare_measure(item.expr, owner=owner)}")
            else:
                text = self.speech.np(item.expr)
                words = self.speech.of(item.expr)
                joins = said and last is not None and thing is last and words is not None
                joins = joins and not said[-1].startswith("whether ")
                plain = isinstance(item.expr, ir.Prop) and thing is not None
                if joins and words is not None and words.kind is not Kind.BOOLEAN:
                    noun = amount_of(words) if plain else words.noun
                    whose = f" of {self.speech.the(thing)}" if thing is not None else " of"
                    head = said[-1].removesuffix(whose)
                    said[-1] = f"{head}\0{noun}{said[-1][len(head) :]}"
                elif plain and words is not None and thing and amount_of(words) != words.noun:
                    said.append(self.speech.owned(thing, amount_of(words)))
                else:
                    said.append(text)
            last = thing
        self.speech.its = None
        parts = [listing(text.split("\0")) for text in said]
        if len(parts) == 2 and any("\0" in text for text in said):
            return ", and ".join(parts)
        if len(parts) > 1 and parts[0].startswith("whether "):
            return f"{parts[0]}, and {listing(parts[1:])}"
        return listing(parts)

    @staticmethod
    def _told(verb: str, results: str) -> str:
        """What to do with results: flags that come first are said, what follows is given."""
        if not results.startswith("whether "):
            return f"{verb} {results}"
        flag, joined, rest = results.partition(", and ")
        rest = rest if rest.startswith("whether ") or not rest else f"{verb} {rest}"
        return f"say {flag}{joined}{rest}"

    def _alike(self, items: list[ir.Item]) -> bool:
        """Whether properties of two things are called the same, so that each needs its owner."""
        owners: dict[str, Entity] = {}
        for item in items:
            thing, words = _owner(item.expr), self.speech.of(item.expr)
            if thing is None or words is None:
                continue
            if owners.setdefault(words.noun, thing) is not thing:
                return True
        return False

    def _roots(self) -> list[Entity]:
        """What one result is about."""
        found = row_entities(self.block, optional=False, within_group=False)
        if len(found) > 1 and connected(self.block):
            about = [e for e in ordered(self.block.items) if e in found]
            asked = [e for c in self.block.conditions for e in refs(c) if e in self.block.carried]
            first = [e for e in found if e in asked and e in self.block.carried]
            if single(self.block):
                found = [e for e in found if e not in self.block.carried] or found
                about = [e for e in about if e in found]
                first = []
            return (first or about or found)[:1]
        return found

    def _optional(self, head: Entity | None = None) -> str:
        """Optional parts: ", whether or not they have …"."""
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
            anchor = anchors[0]
            known = [e for e in self.teller.known if e is not anchor]
            teller = self.teller.inside(part, known)
            many = anchor is head
            det = "plural" if many else "bare"
            described = teller.describe(anchor, det)
            clause = described.removeprefix(teller.head(anchor, det)).strip()
            self.teller.known += part.entities
            if not clause.startswith(("that ", "who ")):
                said.append(f", whether or not {self._link_clause(part, anchor)}")
                continue
            clause = clause.removeprefix("that ").removeprefix("who ")
            who = f"the {plural(anchor.name) if many else anchor.name}"
            who = "they" if anchor is head and not said else who
            said.append(f", whether or not {who} {clause}{teller.tail()}")
        if len(said) > 1:
            said[1:] = [
                text.replace(", whether or not", " and whether or not", 1) for text in said[1:]
            ]
        return "".join(said)

    def _link_clause(self, part: Block, anchor: Entity) -> str:
        """An optional part as a clause: "a vehicle is based at the depot"."""
        teller = self.teller.inside(part, [anchor, *self.teller.block.entities])
        teller.known = [e for e in teller.known if e not in part.entities]
        return listing(teller.rest())

    def _ordering(self) -> str:
        """Order and window: ", sorted by … from highest to lowest, keeping only the first five"."""
        keys = [key for key in self.block.order if not isinstance(key.expr, ir.IsNull)]
        said = ""
        if keys:
            said = f", sorted by {', then by '.join(self.speech.sorted_by(key) for key in keys)}"
        return said + window(self.block.skip, self.block.limit)


def own_aggregates(expr: ir.Node) -> Iterator[ir.Agg]:
    """Aggregates of this stage in an expression, not those of earlier stages and subqueries."""
    if isinstance(expr, ir.Agg):
        yield expr
    elif not isinstance(expr, Derived | Scalar | Inner):
        for child in children(expr):
            yield from own_aggregates(child)


def window(skip: int | None, limit: int | None) -> str:
    """SKIP and LIMIT: ", leaving out the first three and keeping the next five"."""
    if skip:
        after = f" and keeping the next {_count(limit)}".rstrip() if limit is not None else ""
        return f", leaving out the first {_count(skip)}".rstrip() + after
    return f", keeping only the first {_count(limit)}".rstrip() if limit is not None else ""


def _count(number: int | None) -> str:
    return "" if number == 1 else cardinal(number or 0)


def other_way_round(key: Entity, block: Block) -> None:
    """Call the grouped thing by its noun, and what is counted "other", not by a role."""
    if key.name == key.noun:
        return
    taken = {entity.name for entity in block.every_entity()}
    for entity in block.every_entity():
        if entity is not key and entity.name == key.noun:
            other = f"other {key.noun}"
            entity.name, key.name = key.name if other in taken else other, key.noun


def _owner(expr: ir.Expr) -> Entity | None:
    match unfolded(expr)[0]:
        case ir.Prop(EntityRef(entity=entity)):
            return entity
    return None


def short(name: str) -> str:
    """How an earlier result is taken up again: "that number"."""
    return name.removeprefix("the ").partition(" of ")[0]


def is_key(expr: ir.Expr, block: Block) -> bool:
    return any(expr == key or expr is key for key in block.keys or ())


def key_noun(words: PropertyWords) -> str:
    """What one group of a property is called: "number of pages", "value of slots"."""
    if not words.plural:
        return words.noun
    return f"number of {words.noun}" if words.numeric else f"value of {words.noun}"


def plural_of(words: PropertyWords) -> str:
    """A property of many things, with its unit."""
    if words.plural and words.numeric and not words.unit:
        return f"numbers of {words.noun}"
    if words.many:
        return words.many
    noun = words.noun if words.plural else plural(words.noun)
    return f"{noun} in {words.unit}" if words.unit else noun


def superlative(words: PropertyWords, *, descending: bool) -> str:
    """ "highest fee", "most visitors", "earliest opening date"."""
    if words.temporal or words.year:
        return f"{'latest' if descending else 'earliest'} {words.noun}"
    if words.plural and not words.unit:
        return f"{'most' if descending else 'fewest'} {words.noun}"
    return f"{'highest' if descending else 'lowest'} {words.noun}"
