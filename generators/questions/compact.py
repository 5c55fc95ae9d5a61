"""Entities with their restrictions in few words, the way from one to the other left out."""

from __future__ import annotations

from dataclasses import dataclass, field

from generators.questions.author import NotExpressible
from generators.questions.describe import Range, Teller
from generators.questions.english import a, listing, plural
from generators.questions.lists import word_set
from generators.questions.naming import introduced
from generators.questions.nouns import PropertyWords
from generators.questions.plan import Block, Entity, EntityRef, Inner, Link, Scalar, refs
from generators.questions.speech import flag
from generators.questions.wording import OPPOSITE, Constant, constant, unfolded
from graph_ir import nodes as ir

_ABOVE = {
    ir.CompareOp.EQ: "of",
    ir.CompareOp.NE: "other than",
    ir.CompareOp.GT: "above",
    ir.CompareOp.GE: "of at least",
    ir.CompareOp.LT: "below",
    ir.CompareOp.LE: "of at most",
}
MORE = {
    ir.CompareOp.EQ: "exactly",
    ir.CompareOp.NE: "not exactly",
    ir.CompareOp.GT: "more than",
    ir.CompareOp.GE: "at least",
    ir.CompareOp.LT: "fewer than",
    ir.CompareOp.LE: "at most",
}
_WHEN = {
    ir.CompareOp.EQ: "on {}",
    ir.CompareOp.GT: "after {}",
    ir.CompareOp.GE: "on or after {}",
    ir.CompareOp.LT: "before {}",
    ir.CompareOp.LE: "on or before {}",
}
_YEAR = {
    ir.CompareOp.EQ: "in {}",
    ir.CompareOp.GT: "after {}",
    ir.CompareOp.GE: "in {} or later",
    ir.CompareOp.LT: "before {}",
    ir.CompareOp.LE: "in {} or earlier",
}
_HOUR = {
    ir.CompareOp.EQ: "at {}",
    ir.CompareOp.GT: "after {}",
    ir.CompareOp.GE: "at {} or later",
    ir.CompareOp.LT: "before {}",
    ir.CompareOp.LE: "at {} or earlier",
}


@dataclass
class Mods:
    """What goes before the noun, right after it, and at the end of a description."""

    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)
    place: str = ""
    area: str = ""
    name: str = ""
    late: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.before or self.after or self.place or self.name or self.late)


@dataclass
class Compact(Teller):
    """Describes with modifiers instead of relative clauses.

    `notes` are the ways that were left out, as sentences; `spoken` are entities that the rest of
    the sentence names anyway.
    """

    notes: list[str] = field(default_factory=list)
    spoken: list[Entity] = field(default_factory=list)

    def describe(self, entity: Entity, det: str) -> str:
        """The entity with its modifiers."""
        if self.is_known(entity):
            return self.speech.the(entity)
        self.known.append(entity)
        return self.dressed(entity, self.modifiers(entity), det)

    def dressed(self, entity: Entity, mods: Mods, det: str) -> str:
        """The noun with modifiers: "coastal cities with more than …"."""
        many = det in ("plural", "all")
        noun = plural(entity.noun) if many else entity.noun
        if not many and introduced(entity) != entity.noun and det == "a":
            noun = f"other {noun}"
        bare = " ".join([*mods.before, noun])
        if mods.name:
            bare = f"{bare} {mods.name}"
        if det == "all":
            bare = f"all {bare}"
        elif det == "a":
            bare = a(bare)
        elif det == "no":
            bare = f"no {bare}"
        elif det == "each":
            bare = f"the {bare}"
        return " ".join(filter(None, [bare, mods.place, joined(mods.after), *mods.late]))

    # --- modifiers -----------------------------------------------------------------------

    def modifiers(self, entity: Entity) -> Mods:
        """All restrictions of the entity, links included."""
        mods = Mods()
        outer, self.speech.here = self.speech.here, entity
        for condition in list(self.open_conditions):
            about = [thing for thing in refs(condition) if not self._is_settled(thing, entity)]
            if about or not any(thing is entity for thing in refs(condition)):
                continue
            self._close(condition)
            self._add(mods, condition, entity)
        self.speech.here = outer
        for link in self._links_of(entity):
            if any(link is other for other in self.open_links):
                self._follow(mods, entity, link)
        return mods

    def _add(self, mods: Mods, condition: ir.Expr, entity: Entity) -> None:
        """One condition as a modifier."""
        negated, test = False, condition
        while isinstance(test, ir.Not):
            negated, test = not negated, test.arg
        match test:
            case Inner(kind="exists", block=block):
                mods.after.append(self._with(block, entity, negated=negated))
                return
            case ir.Compare(op, left, right) if not negated or op in OPPOSITE:
                op = OPPOSITE[op] if negated else op
                if self._compared(mods, op, left, right, entity):
                    return
            case ir.In(item, ir.ListOf(options)) if not negated:
                words = self.speech.of(item)
                values = [constant(option) for option in options]
                if words is not None and all(value is not None for value in values):
                    texts = [v.text(words, bare=words.place) for v in values if v is not None]
                    if self._equal(mods, words, listing(texts, "or")):
                        return
            case Range(subject=subject, lo=lo, hi=hi):
                if self._between(mods, subject, constant(lo), constant(hi)):
                    return
            case ir.Text(op, left, right) if not negated and op is not ir.TextOp.REGEX:
                words, value = self.speech.of(left), constant(right)
                if words is not None and value is not None:
                    _, folded = unfolded(left)
                    mods.after.append(_text(op, words, value, folded=folded))
                    return
            case ir.IsNull(arg, known):
                words = self.speech.of(arg)
                if words is not None:
                    noun = words.noun
                    if isinstance(arg, ir.Prop):
                        noun = self.words.referred(entity.types, arg.key) or noun
                    present = known is not negated
                    mods.after.append(f"with {a(noun) if present else f'no known {noun}'}")
                    return
        said = self._attribute(condition, entity, many=True)
        if said.startswith("\0"):
            said = f"that {said[1:]}"
        mods.late.append(said)

    def _compared(
        self, mods: Mods, op: ir.CompareOp, left: ir.Expr, right: ir.Expr, entity: Entity
    ) -> bool:
        words = self.speech.of(left)
        value = constant(unfolded(right)[0])
        inner, folded = unfolded(left)
        if words is None or not isinstance(inner, ir.Prop) or folded:
            return False
        if value is None:
            return self._average(mods, op, left, right, words, entity)
        if isinstance(value.value, bool):
            truth = value.value is (op is ir.CompareOp.EQ)
            self._flag(mods, words, truth=truth)
            return True
        said = value.text(words)
        if words.verb is not None and self._moment(mods, op, words, said):
            return True
        if op is ir.CompareOp.EQ and isinstance(value.value, str) and not value.moment:
            bare = value.text(words, bare=words.place)
            return self._equal(mods, words, bare if words.place else said)
        if words.numeric or words.year or words.temporal or words.reference or words.clock:
            mods.after.append(_measured(op, words, said))
            return True
        return False

    def _moment(self, mods: Mods, op: ir.CompareOp, words: PropertyWords, said: str) -> bool:
        assert words.verb is not None  # noqa: S101 - the caller asks
        table = _YEAR if words.year else _HOUR if words.clock else _WHEN
        if op not in table:
            return False
        mods.after.append(f"{_action(words)} {table[op].format(said)}")
        return True

    def _between(
        self, mods: Mods, subject: ir.Expr, lo: Constant | None, hi: Constant | None
    ) -> bool:
        words = self.speech.of(subject)
        if words is None or lo is None or hi is None:
            return False
        ends = f"between {lo.text(words)} and {hi.text(words)}"
        if words.verb is not None:
            mods.after.append(f"{_action(words)} {ends}")
        elif words.plural and words.numeric:
            mods.after.append(f"with {ends} {words.noun}")
        else:
            mods.after.append(f"with {a(words.noun)} {ends}")
        return True

    def _equal(self, mods: Mods, words: PropertyWords, said: str) -> bool:
        if words.identity and not mods.name:
            mods.name = said
        elif words.place and not mods.place:
            mods.place, mods.area = f"in {said}", words.noun
        elif words.noun.split()[-1] in word_set("kinds"):
            mods.after.insert(0, f"of the {words.noun} {said}")
        else:
            mods.after.append(f"with the {words.noun} {said}")
        return True

    def _flag(self, mods: Mods, words: PropertyWords, *, truth: bool) -> None:
        if words.adjective and truth and words.adjective.count(" ") == 0:
            mods.before.append(words.adjective)
        elif words.adjective:
            mods.after.append(f"that {flag(words, truth=truth, plural=True)}")
        else:
            mods.after.append(f"with {a(words.noun) if truth else f'no {words.noun}'}")

    def _average(
        self,
        mods: Mods,
        op: ir.CompareOp,
        left: ir.Expr,
        right: ir.Expr,
        words: PropertyWords,
        entity: Entity,
    ) -> bool:
        """ "with above-average fees", where all of the same kind are averaged."""
        match right:
            case Scalar(block=block, expr=ir.Agg("avg", (ir.Prop(EntityRef(entity=other), key),))):
                whole = not block.conditions and not block.links and len(block.entities) == 1
                mine, _ = unfolded(left)
                if not whole or other.types != entity.types or not isinstance(mine, ir.Prop):
                    return False
                if mine.key != key or op not in (ir.CompareOp.GT, ir.CompareOp.LT):
                    return False
                way = "above" if op is ir.CompareOp.GT else "below"
                noun = words.noun if words.plural else f"{words.noun}"
                article = "" if words.plural else ("an " if way == "above" else "a ")
                mods.after.append(f"with {article}{way}-average {noun}")
                return True
        return False

    # --- links ---------------------------------------------------------------------------

    def _follow(self, mods: Mods, entity: Entity, link: Link) -> None:
        """What a link adds: a place, a name, a thing with modifiers of its own."""
        self.open_links = [k for k in self.open_links if k is not link]
        other = link.other(entity)
        if self.is_known(other):
            mods.late.append(self._back(entity, link))
            return
        self.known.append(other)
        more = self.modifiers(other)
        role = role_of(link, entity)
        if not more and any(other is e for e in self.spoken):
            return
        if self._lent(mods, entity, other, more, role):
            return
        mods.after.append(f"with {self._object(other, more, role)}")

    def _object(self, other: Entity, more: Mods, role: str) -> str:
        """The other end: "a birth city in Norway", "Elbe Gallery as lender"."""
        if role and more.name and not (more.before or more.after or more.late or more.place):
            return f"{more.name} as {role}"
        if role:
            noun, other.noun = other.noun, role
            try:
                return self.dressed(other, more, "a")
            finally:
                other.noun = noun
        return self.dressed(other, more, "a")

    def _lent(self, mods: Mods, entity: Entity, other: Entity, more: Mods, role: str) -> bool:
        """Modifiers of the other end that can be said of the entity itself."""
        rest = more.before or more.after or more.late
        if rest or role:
            return False
        if more.place and not more.name and not mods.place:
            self._note(entity, other, more.area)
            mods.place, mods.area = more.place, more.area
            return True
        if more.name and not more.place:
            if other.noun.split()[-1] in ("city", "country", "town", "state", "region"):
                mods.place = mods.place or f"in {more.name.strip(chr(34))}"
                return mods.place == f"in {more.name.strip(chr(34))}"
            mods.after.append(f"of the {other.noun} {more.name}")
            return True
        return False

    def _note(self, entity: Entity, other: Entity, area: str) -> None:
        note = f"the {area} of {a(entity.noun)} is that of its {other.noun}"
        if area and note not in self.notes:
            self.notes.append(note)

    def _back(self, entity: Entity, link: Link) -> str:
        predicate = self.predicate(link, entity)
        other = self.speech.the(link.other(entity))
        if predicate.relative:
            return predicate.relative.format(other)
        return f"that {predicate.verb(plural=True).format(other)}"

    def _with(self, inner: Block, entity: Entity, *, negated: bool) -> str:
        """EXISTS: "with at least one tour …", "without any loan as lender"."""
        teller = self.inside(inner, [e for e in self.known if e is not entity])
        links = [k for k in inner.links if entity in (k.left, k.right)]
        if len(links) != 1 or inner.optional or inner.keys:
            raise NotExpressible("a subquery that is not one link")
        (link,) = links
        if any(all(r is entity for r in refs(c)) for c in teller.open_conditions):
            raise NotExpressible("a subquery with conditions on the outside")
        teller.known.append(entity)
        teller.open_links = [k for k in teller.open_links if k is not link]
        other = link.other(entity)
        teller.known.append(other)
        more = teller.modifiers(other)
        rest = teller.rest()
        self.notes += teller.notes
        role = role_of(link, entity)
        if negated:
            said = (
                teller.dressed(other, more, "bare")
                if not role
                else teller.dressed(_renamed(other, role), more, "bare")
            )
            said = f"without any {said}"
        elif role:
            said = f"with {teller._object(other, more, role)}"
        else:
            said = f"with at least one {teller.dressed(other, more, 'bare')}"
        mine = role_of(link, other)
        if mine:
            said += f" as {mine}"
        return said + (f" where {listing(rest)}" if rest else "")

    def inside(self, block: Block, known: list[Entity]) -> Compact:
        """A teller of the same style for a subquery."""
        return Compact(self.words, block, known)


def _renamed(entity: Entity, noun: str) -> Entity:
    return Entity(noun, entity.types, entity.var, entity.label, entity.role, entity.name)


def role_of(link: Link, entity: Entity) -> str:
    """What the other end is to `entity`, where the edge names a role."""
    if link.edge.hops is not None or not link.words.role:
        return ""
    return link.words.role if entity is link.source else ""


def joined(parts: list[str]) -> str:
    """Modifiers in a row; those that begin alike are listed."""
    if len(parts) < 2:
        return "".join(parts)
    alike = all(part.startswith("with ") for part in parts)
    if alike:
        return f"with {listing([part.removeprefix('with ') for part in parts])}"
    return listing(parts) if len(parts) > 2 else " and ".join(parts)


def _action(words: PropertyWords) -> str:
    """ "hired", "opening"."""
    verb = words.verb
    assert verb is not None  # noqa: S101 - the caller asks
    return verb.gerund if words.active else verb.participle


def _measured(op: ir.CompareOp, words: PropertyWords, said: str) -> str:
    if words.plural and words.numeric:
        return f"with {MORE[op]} {said} {words.noun}"
    if words.reference:
        return f"with {words.noun} {'' if op is ir.CompareOp.EQ else _ABOVE[op] + ' '}{said}"
    table = None
    if words.temporal or words.year:
        table = {ir.CompareOp.EQ: "of {}", **{k: v for k, v in _WHEN.items() if "on" not in v}}
        table |= {ir.CompareOp.GE: "of {} or later", ir.CompareOp.LE: "of {} or earlier"}
    if table is not None and op in table:
        return f"with {a(words.noun)} {table[op].format(said)}"
    return f"with {a(words.noun)} {_ABOVE[op]} {said}"


def _text(op: ir.TextOp, words: PropertyWords, value: Constant, *, folded: bool) -> str:
    verbs = {
        ir.TextOp.STARTS: "starting with",
        ir.TextOp.ENDS: "ending in",
        ir.TextOp.CONTAINS: "containing",
    }
    if op is ir.TextOp.CONTAINS:
        return f"with {value.text()} in the {words.noun}"
    return f"with {a(words.noun)} {verbs[op]} {value.text()}"
