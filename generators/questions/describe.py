"""Entities with all that restricts them: "museums that are in a city whose country is …"."""

from __future__ import annotations

from dataclasses import dataclass, field

from generators.questions.author import NotExpressible
from generators.questions.english import a, cardinal, listing, plural
from generators.questions.gathered import membership
from generators.questions.naming import introduced
from generators.questions.nouns import is_person
from generators.questions.plan import (
    Block,
    Entity,
    EntityRef,
    Inner,
    Link,
    LinkRef,
    Range,
    Same,
    TrailRef,
    refs,
)
from generators.questions.relations import Predicate
from generators.questions.rows import row_entities
from generators.questions.speech import Speech
from generators.questions.terms import flag
from generators.questions.vocabulary import Vocabulary
from generators.questions.wording import (
    FLIPPED,
    MORE,
    OPPOSITE,
    between,
    constant,
    period,
    unfolded,
)
from graph_ir import nodes as ir
from graph_ir.walk import find
from schemagraph.model import Kind

# Marks of verb phrases, which follow "that", and of relative clauses, which stand alone.
VERB, RELATIVE = "\0", "\1"
MARKS = VERB + RELATIVE

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
        relative = self.restrictions(entity, many=det in ("plural", "all"))
        self.depth -= 1
        return f"{self.head(entity, det)} {relative}".strip()

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
            return f"{_CARRIED.get(det, det)} {plural(entity.name)}"
        if det in ("plural", "all"):
            return f"{'all ' if det == 'all' else ''}{plural(entity.noun)}"
        if det in ("bare", "no"):
            return f"no {entity.noun}" if det == "no" else entity.noun
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
        reached.sort(key=lambda text: text.count(" "))
        who = self.who(entity)
        clauses = list(whose)
        if that:
            clauses.append(f"{who} {listing(that)}")
        plain = [text for text in reached if not text.startswith(RELATIVE)]
        relative = [text[1:] for text in reached if text.startswith(RELATIVE)]
        clauses += [f"{who} {text}" for text in plain] + relative
        return listing(clauses)

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
        negated, test = _stripped(condition)
        if isinstance(test, Inner) and test.kind == "exists":
            return self._existence(test.block, entity, negated=negated, many=many)
        if isinstance(test, ir.Prop) and self.speech.flags:
            words = self.speech.of(test)
            if words is not None and words.kind is Kind.BOOLEAN and _base(test) is entity:
                return VERB + flag(words, truth=not negated, plural=many)
        if (counted := self._how_many(test, entity, negated=negated, many=many)) is not None:
            return counted
        if isinstance(test, Range):
            words = self.speech.of(test.subject)
            ends = [self._value(end, test.subject) for end in (test.lo, test.hi)]
            said = period(*ends) if test.open else between(*ends)
            be = "number" if words is not None and words.plural and words.numeric else "is"
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
                return VERB + flag(words, truth=truth, plural=many)
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
            if words is not None and self.speech.flags and _base(inner) is entity:
                known = test.negated is not negated
                have = "have" if many else "has"
                referred = isinstance(inner, ir.Prop) and self.words.referred(
                    entity.types, inner.key
                )
                noun = referred or words.noun
                no = "no" if referred else "no known"
                return f"{VERB}{have} {a(noun) if known else f'{no} {noun}'}"
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
        return f"{VERB}{predicate.verb(plural=many).format(said)}{teller.tail()}"

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
        if words is not None and isinstance(inner, ir.Prop) and _base(inner) is entity:
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
        self.open_links = [k for k in self.open_links if k is not link]
        if not known:
            self.remarks[id(end)] = aside(link)
        bare = predicate.relative and not known and self._long(end)
        other = self.plainly(end, "a") if bare else self.describe(end, "a")
        return fill(predicate, other, link, entity, many=many)

    def _long(self, entity: Entity) -> bool:
        """Whether the entity's restrictions would keep a verb waiting."""
        own = [c for c in self.open_conditions if any(t is entity for t in refs(c))]
        return len(self._links_of(entity)) + len(own) > 1

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
            return f"{self.speech.np(condition.subject)} is {said}"
        return self.speech.clause(condition)


def aside(link: Link) -> str:
    """What is said of a link in brackets: " (the first transfer, in either direction)"."""
    said = [f"the {link.name}"] if link.numbered else []
    if link.edge.direction is ir.Direction.BOTH and link.edge.hops is None and link.edge.types:
        said.append("in either direction")
    return f" ({', '.join(said)})" if said else ""


def gathers(condition: ir.Expr) -> bool:
    """Whether a condition speaks of a path, which `rest` says."""
    return any(True for _ in find(condition, TrailRef))


def fill(predicate: Predicate, other: str, link: Link, entity: Entity, *, many: bool) -> str:
    """The verb phrase with the other end in it; relative clauses are marked."""
    if predicate.relative:
        return RELATIVE + relative(predicate, entity).format(other)
    verb = predicate.verb(plural=many)
    have, _, role = verb.partition(" {} as ")
    if role and have in ("has", "have"):
        short = _as_role(other, role, link.other(entity).noun)
        if short:
            return f"{have} {short}"
        if other.count(" ") > 2:
            return f"{have} as {role} {other}"
    return verb.format(other)


def relative(predicate: Predicate, entity: Entity) -> str:
    """The relative clause about a thing or a person: "to which {} reports", "to whom …"."""
    said = predicate.relative
    return said.replace(" which ", " whom ", 1) if is_person(entity.noun) else said


def _as_role(other: str, role: str, noun: str) -> str:
    """ "a birth city whose …" for "a city whose … as birth city"."""
    bare = role.removeprefix("a ").removeprefix("an ")
    determiner, _, rest = other.partition(" ")
    if bare.split()[-1] != noun.split()[-1] or determiner not in ("a", "an", "no"):
        return ""
    if not rest.startswith(noun):
        return ""
    named = f"no {bare}" if determiner == "no" else a(bare)
    return f"{named}{rest[len(noun) :]}"


def merged(conditions: list[ir.Expr]) -> list[ir.Expr]:
    """Conditions with `lo <= x` and `x <= hi`, or `x < hi`, made one."""
    found: list[ir.Expr] = []
    for condition in conditions:
        place = next((n for n, c in enumerate(found) if _bounds(c, condition) is not None), None)
        if place is None:
            found.append(condition)
        else:
            whole = _bounds(found[place], condition)
            assert whole is not None  # noqa: S101 - that is how the place was found
            found[place] = whole
    return found


def _bounds(one: ir.Expr, two: ir.Expr) -> Range | None:
    """The range that two bounds of one thing make; half open ones only of moments."""
    for low, high in ((one, two), (two, one)):
        match low, high:
            case (
                ir.Compare(ir.CompareOp.GE, subject, lo),
                ir.Compare(ir.CompareOp.LE | ir.CompareOp.LT as op, other, hi),
            ) if same(subject, other):
                bounds = constant(lo), constant(hi)
                if bounds[0] is None or bounds[1] is None:
                    return None
                if op is ir.CompareOp.LE:
                    return Range(subject, lo, hi)
                if bounds[0].moment and bounds[1].moment:
                    return Range(subject, lo, hi, open=True)
    return None


def same(one: ir.Expr, other: ir.Expr) -> bool:
    """Whether two resolved expressions are the same property of the same thing."""
    match one, other:
        case ir.Prop(base, key), ir.Prop(base2, key2):
            return key == key2 and same(base, base2)
        case EntityRef(entity=entity), EntityRef(entity=other_entity):
            return entity is other_entity
        case LinkRef(link=link), LinkRef(link=other_link):
            return link is other_link
        case ir.Call(name, args), ir.Call(name2, args2):
            return name == name2 and len(args) == len(args2) and all(map(same, args, args2))
    return one == other


def subject_of(test: ir.In | ir.IsNull) -> ir.Expr:
    """What IN and IS NULL are said of."""
    if isinstance(test, ir.IsNull):
        return test.arg
    return test.list if isinstance(test.list, ir.Prop) else test.item


def _base(expr: ir.Expr) -> Entity | Link | None:
    match expr:
        case ir.Prop(EntityRef(entity=entity), _):
            return entity
        case ir.Prop(LinkRef(link=link), _):
            return link
    return None


def _stripped(condition: ir.Expr) -> tuple[bool, ir.Expr]:
    negated = False
    while isinstance(condition, ir.Not):
        negated, condition = not negated, condition.arg
    return negated, condition
