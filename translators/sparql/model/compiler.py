"""What the emitters share: names, prefixes, the current group and what variables stand for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from graph_ir import nodes as ir
from graph_ir.lowerings import names_in
from graph_ir.numbers import may_be_nan, nan_names
from graph_ir.walk import find
from graphmill.errors import Refused
from schemagraph.model import ANY, EdgeType, Kind, NodeType, SchemaGraph, Type
from schemagraph.rdf.terms import DATATYPES
from translators.base import Caveat
from translators.printing import ATOM, level_of, wrap
from translators.sparql.model import terms
from translators.sparql.model.group import Block, Group
from translators.sparql.model.numbers import either
from translators.tables import Table


@dataclass(frozen=True, slots=True)
class Sx:
    """An expression of SPARQL. `null`: it may be unbound or an error.

    `form` is `json` for lists and maps that the query makes, `stored` for heads of stored lists,
    else empty.
    """

    text: str
    type: Type = ANY
    null: bool = True
    form: str = ""

    @property
    def atom(self) -> bool:
        """Whether it needs no parentheses as an operand."""
        return level_of(self.text) == ATOM

    @property
    def operand(self) -> str:
        """The text inside an operator."""
        return wrap(self.text, ATOM)

    @property
    def variable(self) -> bool:
        """Whether it is a variable, which BOUND takes."""
        return self.text.startswith("?") and self.text[1:].isidentifier()


@dataclass(frozen=True, slots=True)
class Element:
    """A node or an edge: its variable, and the group in which patterns bind it.

    `null`: it may be unbound where it is used, in `scope`. `inner`: the patterns of `home` bind it,
    so that reads there are exact; else `home` is `scope`, and it comes out of a subselect.
    """

    var: str
    type: Type
    is_edge: bool
    null: bool
    home: Group
    scope: Group
    inner: bool = True


@dataclass(frozen=True, slots=True)
class Walk:
    """A path, or the edges of a variable length: its nodes and edges in turn, as variables.

    What branches of a UNION bind differently is the text of a variable that each binds.
    """

    parts: tuple[str, ...] = ()
    null: bool = False
    json: str = ""  # a variable with the JSON of the whole
    length: str = ""  # a variable, or a number
    edges_only: bool = False


type Bound = Element | Walk | Sx


@dataclass(slots=True)
class Compiler:
    """The state of one statement's translation."""

    schema: SchemaGraph | None
    statement: ir.Statement
    run: Run  # of clauses, for those of subqueries
    emits: Emits  # what emits each class of expression
    having: ir.Expr | None = None  # the condition on the groups of the last projection
    group: Group = field(default_factory=Group)
    env: dict[str, Bound] = field(default_factory=dict)
    keys: dict[ir.Expr, Sx] | None = None  # of a grouping, while its columns are made
    matched: bool = False  # whether what is made of no match is dropped later
    grouped: bool = False  # whether the grouping has keys, so that no group is empty
    ordered: bool = False  # whether rows are in an order that collected lists would show
    alike: bool = False  # whether equal rows count once in what becomes of them
    alike_after: bool = False  # the same, of what becomes of the statement's own rows
    results: list[str] = field(default_factory=list)
    preferred: dict[tuple[str, str], str] = field(default_factory=dict)
    used: dict[str, int] = field(default_factory=dict)
    read_once: set[ir.Expr] = field(default_factory=set)
    safes: dict[tuple[str, int], str] = field(default_factory=dict)
    caveats: list[Caveat] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)
    numbers: dict[tuple[str, bool], int] = field(default_factory=dict)  # the last of each name
    reserved: set[str] = field(default_factory=set)
    unstored: set[str] = field(default_factory=set)
    not_numbers: set[str] = field(default_factory=set)  # names of what may be NaN
    held: frozenset[str] = frozenset()  # names that only columns of the result have
    renamed: set[str] = field(default_factory=set)  # columns whose name something else has
    depth: int = 0

    def __post_init__(self) -> None:
        self.reserved = {legal(name) for name in names_in(self.statement)}
        self.unstored = _unstored(self.schema)
        self.not_numbers = nan_names(self.statement)
        self.used = Counter(var.name for var in find(self.statement, ir.Var))
        if self.having is not None:
            self.used += Counter(var.name for var in find(self.having, ir.Var))
        props = Counter(find(self.statement, ir.Prop))
        self.read_once = {prop for prop, times in props.items() if times == 1}

    def may_be_nan(self, expr: ir.Expr) -> bool:
        """Whether a number may be no number: SPARQL engines compare and sort it otherwise."""
        numeric = expr.type.kind in (Kind.FLOAT, Kind.ANY)
        return numeric and may_be_nan(expr, self.not_numbers)

    def column(self, alias: str) -> str:
        """A new variable of the result; `renamed` where its name is taken."""
        base = legal(alias)
        if base in self.taken:
            self.renamed.add(base)
            return self.name(alias, own=True)
        self.taken.add(base)
        return f"?{base}"

    def name(self, hint: str, *, own: bool = False) -> str:
        """A new variable; `own` ones are called as the author called them."""
        base = legal(hint)
        number = self.numbers.get((base, own), 1)
        chosen, number = f"{base}_{number}" if number > 1 else base, number + 1
        used = self.taken | self.held if own else self.taken | self.reserved
        while chosen in used:
            chosen, number = f"{base}_{number}", number + 1
        self.taken.add(chosen)
        self.numbers[base, own] = number - 1
        return f"?{chosen}"

    @contextmanager
    def inside(self, group: Group) -> Iterator[Group]:
        """Go on in another group; variables bound there are gone after it."""
        before = (self.group, self.env)
        self.group, self.env = group, dict(self.env)
        self.depth += 1
        if self.depth > 40:
            raise Refused("nesting", "sparql", "The query is nested too deeply.")
        try:
            yield group
        finally:
            self.depth -= 1
            self.group, self.env = before

    def fork(self) -> Compiler:
        """The same statement with a state of its own, for what is compiled apart: its rows are
        counted, whatever becomes of those outside."""
        other = replace(self, group=Group(), env={}, keys=None, alike=False, alike_after=False)
        other.taken, other.numbers, other.caveats = self.taken, self.numbers, self.caveats
        return other

    def element(self, name: str, node: ir.Node) -> Element:
        """A node or an edge by its name.

        Raises:
            Refused: the name stands for something else.
        """
        bound = self.env.get(name)
        if isinstance(bound, Element):
            return bound
        raise Refused(
            "dynamic-element", name, "Whether this is a node or an edge is not known.", node.span
        )

    def safe(self, element: Element) -> str:
        """A variable for an element that patterns can start from, which is never unbound."""
        if not element.null:
            return element.var
        key = (element.var, id(element.scope))
        if key not in self.safes:
            name = self.name(element.var[1:])
            element.scope.line(f"BIND(COALESCE({element.var}, {terms.NOTHING}) AS {name})")
            self.safes[key] = name
        return self.safes[key]

    def read(
        self, element: Element, key: str, of: Type, *, hint: str = "", needed: bool = False
    ) -> Sx:
        """The variable of a property; `needed` where rows without it are dropped anyway.

        `hint` is what it is called if it can be.
        """
        if key in self.unstored:
            raise Refused("property-type", key, "RDF has no literals of this property's type.")
        place = (element.var, key)
        for group in (self.group, element.home):
            if place in group.reads:
                known: Sx = group.reads[place]
                return replace(known, null=True) if element.null else known
        of = self._held(element, key, of)
        var = self.name(hint, own=True) if hint else self.name(f"{element.var[1:]}_{key}")
        lacking = of.nullable or of.kind is Kind.ANY
        subject, home = element.var, element.home
        if needed:
            subject, home = self.safe(element), self.group
        elif element.null and not element.inner:
            subject, home = self.safe(element), element.scope
            lacking = True
        if lacking and not needed:
            optional = Group(outer=home)
            optional.triple(subject, terms.prop(key), var)
            home.parts.append(Block((optional,), "OPTIONAL"))
        else:
            home.triple(subject, terms.prop(key), var)
        null = not needed and (lacking or element.null)
        made = Sx(var, of, null, form="stored" if of.kind is Kind.LIST else "")
        home.reads[place] = made
        return made

    def _held(self, element: Element, key: str, of: Type) -> Type:
        """The type of a property, with the kinds of its values where it is of several."""
        if self.schema is None or Kind.ANY not in (of.kind, of.item and of.item.kind):
            return of
        known = self.schema.edge_by_name if element.is_edge else self.schema.node_by_name
        owners = [known[name] for name in element.type.of] or known.values()
        types = [p.type for owner in owners if (p := owner.property(key)) is not None]
        if of.kind is Kind.LIST:
            return replace(of, item=either(each.item for each in types if each.item is not None))
        return either(types)


def _unstored(schema: SchemaGraph | None) -> set[str]:
    """Properties that have no triples, as their values have no literals."""
    owners: list[NodeType | EdgeType] = [*schema.nodes, *schema.edges] if schema is not None else []
    return {
        p.name
        for owner in owners
        for p in owner.properties
        if ((p.type.item or p.type) if p.type.kind is Kind.LIST else p.type).kind not in DATATYPES
    }


def legal(name: str) -> str:
    """A name as a variable's: letters, digits and `_`; other characters become `_`."""
    return re.sub(r"[^A-Za-z0-9_\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff]", "_", name) or "_"


type Run = Callable[[Compiler, Sequence[ir.Clause], bool], None]
Emits = Table[type[ir.Expr], Callable[[Compiler, Any], Sx]]
