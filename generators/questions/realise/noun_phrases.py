"""Entities with all that restricts them: "museums that are in a city whose country is …"."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from generators.questions.author import NotExpressible
from generators.questions.lexicon.nouns import is_person
from generators.questions.lexicon.relations import Predicate
from generators.questions.lexicon.vocabulary import Vocabulary
from generators.questions.plan.cardinality import only_between, row_entities, single
from generators.questions.plan.model import Block, Entity, EntityRef, Inner, Link, Range, Same, refs
from generators.questions.plan.naming import another, introduced
from generators.questions.plan.terms import amount_of, flag
from generators.questions.plan.wording import (
    FLIPPED,
    MORE,
    OPPOSITE,
    agreed,
    between,
    constant,
    period,
    unfolded,
)
from generators.questions.realise.collections import membership
from generators.questions.realise.expressions import Speech
from generators.questions.realise.modifiers import (
    INSIDE,
    MARKS,
    RELATIVE,
    VERB,
    apart,
    aside,
    base_of,
    crowded,
    either,
    fill,
    gathers,
    in_turn,
    later,
    merged,
    same_one,
    stripped,
    subject_of,
    verb_about,
)
from graph_ir import nodes as ir
from graphmill.english.inflection import a, cardinal, listing, plural, within
from schemagraph.model import Kind

DEEP = 4  # things within things, after which a sentence goes on with "where"
_CARRIED = {
    "plural": "these",
    "all": "all of these",
    "a": "one of these",
    "each": "each of these",
    "no": "none of these",
}


@dataclass
class Teller:
    """Describes the entities of one block, each link and condition once.

    `known` are entities that are spoken of as "the museum"; what is not said while describing is
    said by `rest`.
    """

    brief: ClassVar[bool] = False
    words: Vocabulary
    block: Block
    known: list[Entity] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.depth = 0
        self.remarks: dict[int, str] = {}
        self.speech = Speech(self.words, self.subquery, self.existence)
        self.speech.block = self.block
        self.speech.restriction = self.restriction
        self.open_links = list(self.block.links)
        self.open_conditions = merged(self.block.conditions)

    # --- entities ------------------------------------------------------------------------

    def describe(self, entity: Entity, det: str) -> str:
        """The entity with its determiner (`a`, `no`, `plural`, `all`, `each`) and restrictions."""
        if self.is_known(entity):
            return self.speech.the(entity)
        self.known.append(entity)
        self.depth += 1
        relative = self.restrictions(entity, many=self.many(entity, det))
        self.depth -= 1
        return f"{self.head(entity, det)} {relative}".strip()

    def many(self, entity: Entity, det: str) -> bool:
        """Whether a description with this determiner speaks of several."""
        one = single(self.block) and any(entity is other for other in self.block.carried)
        return det in ("plural", "all") and not one

    def plainly(self, entity: Entity, det: str) -> str:
        """The entity without restrictions, which `rest` says as clauses."""
        if self.is_known(entity):
            return self.speech.the(entity)
        self.known.append(entity)
        return self.head(entity, det)

    def head(self, entity: Entity, det: str) -> str:
        """The entity's noun with its determiner."""
        return f"{self.bare_head(entity, det)}{self.remark(entity)}"

    def remark(self, entity: Entity) -> str:
        """ " (the first transfer)": the name of the link that leads to the entity."""
        return self.remarks.pop(id(entity), "")

    def bare_head(self, entity: Entity, det: str) -> str:
        """The same without the name of a link."""
        if any(entity is other for other in self.block.carried):
            if single(self.block):
                return f"this {entity.name}"
            return f"{_CARRIED.get(det, det)} {plural(entity.name)}"
        if det in ("plural", "all"):
            return f"{'all ' if det == 'all' else ''}{plural(entity.noun)}"
        if det in ("bare", "no"):
            other = "other " if another(entity, self.block) else ""
            return f"{'no ' if det == 'no' else ''}{other}{entity.noun}"
        noun = introduced(entity)
        if noun != entity.noun:
            return noun if det == "a" else f"{det} {entity.name}"
        return a(noun) if det == "a" else f"{det} {noun}"

    def restriction(self, test: ir.Expr, entity: Entity) -> str:
        """One condition as a relative clause: "that are overdue", "whose fine is …"."""
        outer, self.speech.here = self.speech.here, entity
        said = self._attribute(test, entity, many=True)
        self.speech.here = outer
        return f"{self.who(entity)} {said[1:]}" if said.startswith(VERB) else said

    def who(self, entity: Entity) -> str:
        """The relative pronoun for an entity."""
        return "who" if is_person(entity.noun) else "that"

    def which(self, entity: Entity) -> str:
        """The relative pronoun after a preposition."""
        return "whom" if self.who(entity) == "who" else "which"

    def predicate(self, link: Link, entity: Entity) -> Predicate:
        """What `entity` says of the other end."""
        forward = entity is link.source if link.left is not link.right else True
        return link.words.forward if forward else link.words.backward

    def is_known(self, entity: Entity) -> bool:
        """Whether the entity was introduced before."""
        return any(entity is other for other in self.known)

    def restrictions(self, entity: Entity, *, many: bool) -> str:
        """Relative clauses: own properties first, then links, the longest last."""
        outer, self.speech.here = self.speech.here, entity
        whose, that = self._own(entity, many=many)
        self.speech.here = outer
        reached = [self._reach(entity, link, many=many) for link in self._links_of(entity)]
        reached = [text for text in reached if text]
        reached.sort(key=lambda text: (crowded(text), later(text), text.count(" ")))
        who = self.who(entity)
        nested = [text for text in whose if INSIDE.match(text) or either(text)]
        clauses = [text for text in whose if text not in nested]
        if that:
            clauses.append(f"{who} {listing(that)}")
        clauses += nested
        plain = [text for text in reached if not text.startswith(RELATIVE)]
        relative = [text[1:] for text in reached if text.startswith(RELATIVE)]
        clauses += [f"{who} {text}" for text in plain] + relative
        return apart(in_turn(clauses))

    def _own(self, entity: Entity, *, many: bool) -> tuple[list[str], list[str]]:
        """Clauses with whose, and verb phrases that follow that."""
        whose: list[str] = []
        that: list[str] = []
        for condition in list(self.open_conditions):
            about = [thing for thing in refs(condition) if not self._is_settled(thing, entity)]
            if about or not any(thing is entity for thing in refs(condition)):
                continue
            if isinstance(condition, Same) or gathers(condition):
                continue
            self._close(condition)
            said = self._attribute(condition, entity, many=many)
            (that if said.startswith(VERB) else whose).append(said.lstrip(MARKS))
        return whose, that

    def _is_settled(self, thing: Entity | Link, entity: Entity) -> bool:
        if thing is entity:
            return True
        return isinstance(thing, Entity) and any(thing is e for e in self.block.outer)

    def _close(self, condition: ir.Expr) -> None:
        self.open_conditions = [c for c in self.open_conditions if c is not condition]

    def _attribute(self, condition: ir.Expr, entity: Entity, *, many: bool) -> str:
        """One condition on the entity: "whose name is …"; verb phrases are marked."""
        negated, test = stripped(condition)
        if isinstance(test, Inner) and test.kind == "exists":
            return self._existence(test.block, entity, negated=negated, many=many)
        if isinstance(test, ir.Prop) and self.speech.flags:
            words = self.speech.of(test)
            if words is not None and words.kind is Kind.BOOLEAN and base_of(test) is entity:
                return VERB + flag(words, truth=not negated, many=many)
        if (counted := self._how_many(test, entity, negated=negated, many=many)) is not None:
            return counted
        if isinstance(test, Range):
            words = self.speech.of(test.subject)
            ends = [self._value(end, test.subject) for end in (test.lo, test.hi)]
            said = period(*ends) if test.open else between(*ends)
            many_of = words is not None and words.plural and words.numeric
            bare = many_of and words is not None and not within(words.noun) and not words.unit
            be = "number" if bare else "are" if many_of else "is"
            return self._whose(test.subject, f"{be} {said}", condition, entity)
        if isinstance(test, ir.Compare):
            left, right = test.left, test.right
            if constant(left) is not None:
                left, right = right, left
            words = self.speech.of(left)
            value = constant(right)
            equality = test.op in (ir.CompareOp.EQ, ir.CompareOp.NE)
            flagged = words is not None and self.speech.flags and equality
            if flagged and words and value is not None and isinstance(value.value, bool):
                truth = (value.value is (test.op is ir.CompareOp.EQ)) is not negated
                return VERB + flag(words, truth=truth, many=many)
            for mine, other in ((left, right), (right, left)):
                if isinstance(mine, EntityRef) and isinstance(other, EntityRef):
                    if mine.entity is not entity:
                        continue
                    same_one = (test.op is ir.CompareOp.EQ) is not negated
                    be = "are" if many else "is"
                    return f"{VERB}{be} {'' if same_one else 'not '}{self.speech.np(other)}"
            subject, verb = self.speech.comparison(test.op, test.left, test.right, negated=negated)
            if constant(test.left) is not None:
                return self._whose(test.right, verb, condition, entity, subject)
            return self._whose(test.left, verb, condition, entity, subject)
        if isinstance(test, ir.IsNull):
            inner, _ = unfolded(test.arg)
            words = self.speech.of(inner)
            if words is not None and self.speech.flags and base_of(inner) is entity:
                known = test.negated is not negated
                have = "have" if many else "has"
                noun = amount_of(words)
                referred = isinstance(inner, ir.Prop) and self.words.referred(
                    entity.types, inner.key
                )
                no = "no" if referred else "no known"
                said = a(referred or (f"known {noun}" if noun != words.noun else noun))
                return f"{VERB}{have} {said if known else f'{no} {referred or noun}'}"
        if isinstance(test, ir.In) and not isinstance(test.list, ir.ListOf | ir.Prop):
            be = "are" if many else "is"
            subject, among = membership(self.speech, test.item, test.list)
            if subject == self.speech.the(entity):
                return f"{VERB}{be} {'not ' if negated else ''}among {among}"
            return self._whose(
                test.item,
                f"is {'not ' if negated else ''}among {among}",
                condition,
                entity,
                subject,
            )
        if isinstance(test, ir.In | ir.Text | ir.IsNull):
            subject, verb = self.speech.test(test, negated=negated)
            inner = test.left if isinstance(test, ir.Text) else subject_of(test)
            return self._whose(inner, verb, condition, entity, subject)
        return f"for {self.which(entity)} {self.speech.clause(condition)}"

    def _how_many(self, test: ir.Expr, entity: Entity, *, negated: bool, many: bool) -> str | None:
        """COUNT { … } against a number: "wrote at least three books"."""
        match test:
            case ir.Compare(op, Inner("count", block), ir.Literal(int() as bound)):
                pass
            case ir.Compare(op, ir.Literal(int() as bound), Inner("count", block)):
                op = FLIPPED[op]
            case _:
                return None
        links = [k for k in block.links if entity in (k.left, k.right)]
        simple = len(links) == 1 and not block.optional and block.keys is None
        if not simple or block.previous is not None or block.windowed or block.distinct:
            return None
        (link,) = links
        target, predicate = link.other(entity), self.predicate(link, entity)
        teller = self.inside(block, [*self.known, entity])
        own = [c for c in teller.open_conditions if all(r is entity for r in refs(c))]
        if own or predicate.relative or target is entity or teller.is_known(target):
            return None
        if row_entities(block) != [target]:
            return None
        teller.open_links = [k for k in teller.open_links if k is not link]
        things = teller.describe(target, "plural" if bound != 1 else "bare")
        said = f"{MORE[OPPOSITE[op] if negated else op]} {cardinal(bound)} {things}"
        verb = verb_about(predicate, target.noun, many=many)
        return f"{VERB}{verb.format(said)}{teller.tail()}"

    def _value(self, end: ir.Expr, subject: ir.Expr) -> str:
        value = constant(end)
        if value is None:
            return self.speech.np(end)
        return value.text(self.speech.of(subject))

    def _whose(
        self, subject: ir.Expr, verb: str, condition: ir.Expr, entity: Entity, said: str = ""
    ) -> str:
        inner, _ = unfolded(subject)
        words = self.speech.of(inner)
        if words is not None and isinstance(inner, ir.Prop) and base_of(inner) is entity:
            return f"whose {words.noun} {verb}"
        if isinstance(condition, Range):
            return f"for {self.which(entity)} {self.speech.np(subject)} {verb}"
        return f"for {self.which(entity)} {said} {verb}"

    def _existence(self, inner: Block, entity: Entity, *, negated: bool, many: bool) -> str:
        """EXISTS as a verb phrase: "have no tour whose language is …"."""
        teller = self.inside(inner, list(self.known))
        if not any(teller.is_known(e) for e in (entity,)):
            teller.known.append(entity)
        links = [k for k in inner.links if entity in (k.left, k.right)]
        own = [c for c in teller.open_conditions if all(r is entity for r in refs(c))]
        if len(links) == 1 and not own and not inner.optional:
            (link,) = links
            teller.open_links = [k for k in teller.open_links if k is not link]
            target = link.other(entity)
            if target is not entity and not teller.is_known(target):
                said = teller.describe(target, "no" if negated else "a")
                predicate = self.predicate(link, entity)
                text = fill(predicate, said, link, entity, many=many)
                end = teller.tail()
                return f"{text}{end}" if text.startswith(RELATIVE) else f"{VERB}{text}{end}"
        det = "no" if negated else "a"
        if not inner.entities:
            teller = self.inside(inner, [*self.known, entity])
            said = listing(teller.rest())
            no = "it is not the case that " if negated else ""
            return f"for {self.which(entity)} {no}{said}"
        return f"for {self.which(entity)} there is {self.subquery(inner, det, entity)}"

    def subquery(self, block: Block, det: str, *known: Entity) -> str:
        """The rows of a subquery: "loans that have the museum as lender"."""
        if block.previous is not None or block.windowed or block.having or block.keys:
            raise NotExpressible("a subquery with stages")
        teller = self.inside(block, [*self.known, *known])
        roots = [block.root] if block.root is not None else row_entities(block)
        if not roots:
            raise NotExpressible("a subquery without a pattern")
        for candidate in roots:
            said = teller.describe(candidate, det)
            return said + teller.tail()
        raise NotExpressible("a subquery without a pattern")

    def existence(self, block: Block, negated: bool) -> str:
        """EXISTS as a clause: "there is a loan that …", "the museum is the lender of …"."""
        if block.entities:
            return f"there is {self.subquery(block, 'no' if negated else 'a')}"
        said = listing(self.inside(block, list(self.known)).rest())
        return f"it is not the case that {said}" if negated else said

    def finish(self) -> None:
        """See that all of the block was said.

        Raises:
            NotExpressible: a link or a condition was left out.
        """
        if self.open_links or self.open_conditions:
            raise NotExpressible("a part that was left unsaid")

    def inside(self, block: Block, known: list[Entity]) -> Teller:
        """A teller of the same style for a subquery or an optional part."""
        return type(self)(self.words, block, known)

    # --- links ---------------------------------------------------------------------------

    def _links_of(self, entity: Entity) -> list[Link]:
        return [k for k in self.open_links if entity is k.left or entity is k.right]

    def _reach(self, entity: Entity, link: Link, *, many: bool) -> str:
        """What the entity has to do with the other end: "are in a city whose …"."""
        if not any(link is other for other in self.open_links):
            return ""
        predicate, end = self.predicate(link, entity), link.other(entity)
        known = self.is_known(end)
        if not known and self.depth >= DEEP:
            return ""  # said by `rest`
        if shared := self._shared(entity, link):
            return shared.verb(plural=many).format(self.describe(self._sharer(entity, link), "a"))
        self.open_links = [k for k in self.open_links if k is not link]
        if not known:
            self.remarks[id(end)] = aside(link)
        bare = predicate.relative and not known and self._long(end)
        end.vague = end.vague and not bare  # `rest` comes back to it
        other = self.plainly(end, "a") if bare else self.describe(end, "a")
        return fill(predicate, other, link, entity, many=many)

    def _shared(self, entity: Entity, link: Link) -> Predicate | None:
        """ "belongs to the same club as {}": two things with one between them."""
        other = only_between(self.block, link, entity)
        end = link.other(entity)
        if other is None or self.is_known(end) or not any(other is k for k in self.open_links):
            return None
        if link.numbered or other.numbered:
            return None
        return same_one(self.predicate(link, entity), end.noun, brief=self.brief)

    def _sharer(self, entity: Entity, link: Link) -> Entity:
        """The other thing that has the same; both links and what is between are said by that."""
        other = only_between(self.block, link, entity)
        assert other is not None  # noqa: S101 - `_shared` found it
        self.open_links = [k for k in self.open_links if k is not link and k is not other]
        self.known.append(link.other(entity))
        return other.source

    def _long(self, entity: Entity) -> bool:
        """Whether the entity's restrictions would keep a verb waiting."""
        own = [c for c in self.open_conditions if any(t is entity for t in refs(c))]
        links = self._links_of(entity)
        further = [n for k in links for n in self._links_of(k.other(entity)) if n is not k]
        return len(links) + len(own) + len(further) > 1

    # --- the rest ------------------------------------------------------------------------

    def tail(self) -> str:
        """What the descriptions left open, as ", where …"."""
        rest = self.rest()
        return f", where {listing(rest)}" if rest else ""

    def rest(self) -> list[str]:
        """Clauses for links and conditions that no description has said."""
        said: list[str] = []
        self.known += [e for e in self.block.carried if not self.is_known(e)]
        while self.open_links:
            link = next(
                (k for k in self.open_links if self.is_known(k.left) or self.is_known(k.right)),
                None,
            )
            if link is None:
                raise NotExpressible("a pattern in parts that are not linked")
            self.open_links = [k for k in self.open_links if k is not link]
            said.append(self._link_clause(link))
        for condition in list(self.open_conditions):
            if any(condition is c for c in self.open_conditions):
                self._close(condition)
                said.append(self.condition(condition))
        return [text for text in dict.fromkeys(said) if text]

    def _link_clause(self, link: Link) -> str:
        """A link as a clause: "the book is cited by another book that …"."""
        subject = link.left if self.is_known(link.left) else link.right
        predicate = self.predicate(link, subject)
        end = link.other(subject)
        if not self.is_known(end):
            self.remarks[id(end)] = aside(link)
        if predicate.relative:
            back = self.predicate(link, end)
            new = not self.is_known(end)
            other = self.plainly(end, "a") if new else self.speech.the(end)
            return f"{other} {back.singular.format(self.speech.the(subject))}"
        outer, self.depth = self.depth, 1
        other = self.describe(end, "a")
        self.depth = outer
        if predicate is link.words.forward and link.left is link.right:
            other = "itself"
        return f"{self.speech.the(subject)} {fill(predicate, other, link, subject, many=False)}"

    def condition(self, condition: ir.Expr) -> str:
        """Any condition as a clause, "" where the words for the things say it."""
        if isinstance(condition, Same) and not condition.ordered:
            return ""
        if isinstance(condition, Range):
            ends = [self._value(end, condition.subject) for end in (condition.lo, condition.hi)]
            said = period(*ends) if condition.open else between(*ends)
            verb = agreed(f"is {said}", self.speech.of(condition.subject))
            return f"{self.speech.np(condition.subject)} {verb}"
        return self.speech.clause(condition)
