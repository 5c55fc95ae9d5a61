"""A question before it has words: a goal, what it is about, and the atoms that must be said.

Atoms are the parts of a query that a question has to carry: tests, relations, figures, columns,
bounds, windows. They are compared by identity: the ledger sees that each is said exactly once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from generators.questions.plan.constants import Constant
from generators.questions.plan.model import Entity

type Op = Literal[
    "=", "<>", "<", "<=", ">", ">=", "in", "not in", "between", "period", "null", "known",
    "starts", "ends", "contains",
]  # fmt: skip
type How = Literal["some", "no", "only", "count"]
type Aggregate = Literal["count", "sum", "avg", "min", "max"]


class Atom:
    """A part of a query that is said once."""

    __slots__ = ()


@dataclass(eq=False, slots=True)
class Test(Atom):
    """A condition on a property of the node or edge type `owner`; a period has its end open."""

    owner: str
    key: str
    op: Op
    values: tuple[Constant, ...] = ()


@dataclass(eq=False, slots=True)
class Either(Atom):
    """One of several tests of the same thing holds."""

    tests: tuple[Test, ...]

    @property
    def mixed(self) -> bool:
        """Whether they are of several properties."""
        return len({test.key for test in self.tests}) > 1


@dataclass(eq=False, slots=True)
class Against(Atom):
    """A property held against another figure: that of another thing, or an average of many.

    `times` is a factor of the other side. `relation` leads to the other thing, which has a name
    where there is none.
    """

    key: str
    op: Op
    other: Thing | None = None
    figure: Figure | None = None
    of_group: bool = False
    times: int | float = 1
    relation: Relation | None = None


@dataclass(eq=False, slots=True)
class Bound(Atom):
    """A limit to a number of things, or to a figure."""

    op: Op
    value: Constant


@dataclass(eq=False, slots=True)
class Steps(Atom):
    """How many times a relation is followed; `most` is None where that is open."""

    least: int
    most: int | None


@dataclass(eq=False, slots=True)
class Apart(Atom):
    """A thing is another one than the one that it is related to."""


@dataclass(eq=False, slots=True)
class Relation(Atom):
    """Another thing along a path, `along` as in the lexicon.

    `how`: there is one, there is none, all of them are such (and there is one), or so many.
    `tests` are those of the edge or of the junction on the way. `one`: there is never more than one
    of them. `again`: it leads back the way that came here, to another thing. `steps`: it is
    followed several times. `rivals`: another edge type joins the same two types, so that it has to
    be said which is meant.
    """

    along: tuple[str, ...]
    other: Thing
    how: How = "some"
    tests: list[Test] = field(default_factory=list)
    bound: Bound | None = None
    one: bool = False
    link: object = None
    again: bool = False
    steps: Steps | None = None
    rivals: bool = False

    def own_atoms(self) -> Iterator[Atom]:
        """All that is said of the relation itself, the thing at its end apart."""
        yield self
        yield from self.tests
        yield from (atom for atom in (self.bound, self.steps) if atom is not None)


@dataclass(eq=False, slots=True)
class Thing:
    """A node of the pattern with all that is said of it. `name` are the tests that name it.

    `apart`: it is another one than the one of its type that it is related to.
    """

    type: str
    entity: Entity
    name: list[Test] = field(default_factory=list)
    tests: list[Test | Either] = field(default_factory=list)
    relations: list[Relation] = field(default_factory=list)
    against: list[Against] = field(default_factory=list)
    apart: Apart | None = None

    @property
    def bare(self) -> bool:
        """Whether nothing is said of it."""
        return self.bare_but_against and not self.against

    @property
    def bare_but_against(self) -> bool:
        """Whether nothing but a comparison is said of it."""
        return not (self.name or self.tests or self.relations or self.apart)

    def everything(self) -> Iterator[Thing]:
        """The thing and all that it is described by."""
        yield self
        for relation in self.relations:
            yield from relation.other.everything()

    def atoms(self) -> Iterator[Atom]:
        """All that is said of it."""
        yield from (*self.name, *self.tests, *self.against)
        if self.apart is not None:
            yield self.apart
        for relation in self.relations:
            yield from relation.own_atoms()
            yield from relation.other.atoms()


@dataclass(eq=False, slots=True)
class Column(Atom):
    """A property that is shown, or the thing itself where `key` is empty."""

    thing: Thing
    owner: str
    key: str = ""


@dataclass(eq=False, slots=True)
class Figure(Atom):
    """An aggregate: of things where `key` is empty, else of their property, of type `owner`.

    `test` is set for shares: of `thing`, those that pass it. `along` leads from what is grouped by
    to what is counted.
    """

    how: Aggregate | Literal["share"]
    thing: Thing
    owner: str = ""
    key: str = ""
    test: Test | None = None
    distinct: bool = False


@dataclass(eq=False, slots=True)
class Year(Atom):
    """The year, or another part, of a moment: `part` is "year" or "month"."""

    thing: Thing
    owner: str
    key: str
    part: str = "year"


@dataclass(eq=False, slots=True)
class Top(Atom):
    """The first `count` by `by`, the highest first where `most`; 0 is all of them, in order."""

    by: Figure | Column | Year
    most: bool
    count: int


@dataclass(slots=True)
class Ask:
    """A goal with its slots: `focus` is what is asked for, `group` what figures are for each of.

    `relation` is the way from a group to what is counted in it. `zero`: groups with nothing are
    among them. `named` are the properties by which the answer names what is asked for,
    `group_named` those by which it names what that is the best of; `shown`: it has the figures by
    which they are chosen.
    """

    goal: str
    focus: Thing
    columns: list[Column] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    group: Column | Year | Thing | None = None
    relation: Relation | None = None
    bound: Bound | None = None
    top: Top | None = None
    other: Thing | None = None
    zero: bool = False
    distinct: bool = False
    named: tuple[str, ...] = ()
    group_named: tuple[str, ...] = ()
    shown: bool = False
    second: Ask | None = None
    extra: list[Atom] = field(default_factory=list)

    def atoms(self) -> list[Atom]:
        """Everything that the question has to say, each once."""
        atoms: list[Atom] = [*self.focus.atoms(), *self.columns, *self.figures, *self.extra]
        if isinstance(self.group, Column | Year):
            atoms.append(self.group)
            if self.group.thing is not self.focus:
                atoms += self.group.thing.atoms()
        elif self.group is not None and self.group is not self.focus:
            atoms += self.group.atoms()
        if self.relation is not None:
            atoms += self.relation.own_atoms()
            if self.relation.other not in (self.focus, self.group):
                atoms += self.relation.other.atoms()
        if self.other is not None:
            atoms += self.other.atoms()
        atoms += [atom for atom in (self.bound, self.top) if atom is not None]
        if self.second is not None:
            atoms += self.second.atoms()
        return list({id(atom): atom for atom in atoms}.values())
