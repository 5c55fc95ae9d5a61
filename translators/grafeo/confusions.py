"""What grafeo 0.6 mixes up or loses: names that variables give away in Cypher, types of edges that
differ in case, nodes and edges behind comprehensions.

A comprehension leaves numbers of nodes and edges. A node of such a list is found again by its
number, an edge is not, and neither is what stands in a map or a list beside other things.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from functools import reduce

from graph_ir import nodes as ir
from graph_ir.variables import BINDING, read_names
from graph_ir.walk import children, find
from graphmill.errors import Refused
from schemagraph.model import Kind, SchemaGraph, Type

ELEMENTS = (Kind.NODE, Kind.EDGE)


def check_edge_types(statement: ir.Statement, schema: SchemaGraph | None) -> None:
    """grafeo finds edges of type KNOWS by `[:knows]`.

    Raises:
        Refused: a pattern asks for a type that the graph has in other letters.
    """
    alike: dict[str, set[str]] = {}
    for label in () if schema is None else schema.edge_labels:
        alike.setdefault(label.casefold(), set()).add(label)
    for edge in find(statement, ir.EdgePattern) if alike else ():
        for name in find(edge.types, ir.LabelName) if edge.types is not None else ():
            if alike.get(name.name.casefold(), {name.name}) != {name.name}:
                reason = "grafeo does not tell types of edges apart that differ in case."
                raise Refused("engine-limit", name.name, reason, name.span or edge.span)


def refuse_borrowed_names(statement: ir.Statement) -> None:
    """grafeo finds the columns of a projection by how their expressions are written.

    Raises:
        Refused: a column has for its name how another expression is written.
    """
    named = [item for item in find(statement, ir.Item) if not item.alias.isidentifier()]
    if not named:
        return
    texts: dict[str, set[ir.Expr]] = {}
    for expr in find(statement, ir.Prop, ir.Agg, ir.Call):
        texts.setdefault(_spelt(expr), set()).add(expr)
    for item in named:
        alias = "".join(item.alias.split()).casefold()
        if texts.get(alias, {item.expr}) != {item.expr}:
            reason = "grafeo takes this name for the expression that it spells: give another."
            raise Refused("engine-limit", item.alias, reason, item.span)


def _spelt(expr: ir.Expr) -> str:
    """How a property, a function or an aggregate is written, without blanks, in small letters; ""
    of other expressions."""
    match expr:
        case ir.Var(name):
            return name.casefold()
        case ir.Prop(base, key):
            return f"{_spelt(base)}.{key}".casefold()
        case ir.Agg(name, args, distinct):
            given = ",".join(map(_spelt, args)) if args else "*"
            return f"{name}({'distinct' if distinct else ''}{given})".casefold()
        case ir.Call(name, args):
            return f"{name}({','.join(map(_spelt, args))})".casefold()
    return ""


def gives_name_away(project: ir.Project) -> bool:
    """Whether a group, or what is asked for it, reads a variable whose name is another column's,
    which grafeo takes for it: `WITH q AS p, count(*) AS q`."""
    keys = {item.expr.name for item in project.items if isinstance(item.expr, ir.Var)}
    asked = (part for item in project.items for part in find(item.expr, *BINDING))
    made = {item.alias for item in project.items if item.expr != ir.Var(item.alias)}
    return not made.isdisjoint(keys | read_names(*asked))


def changes_kind(statement: ir.Statement) -> ir.Item | None:
    """A column of a WITH that is a node and has the name of an edge, or the other way round, which
    grafeo reads as what it was; or None."""
    for query in find(statement, ir.Query):
        named: set[tuple[str | None, Kind]] = set()
        for clause in query.clauses:
            if isinstance(clause, ir.Project) and not clause.final:
                for item in clause.items:
                    other = _OTHER.get(item.expr.type.kind)
                    if other is not None and (item.alias, other) in named:
                        return item
            named |= {(node.var, Kind.NODE) for node in find(clause, ir.NodePattern)}
            named |= {(edge.var, Kind.EDGE) for edge in find(clause, ir.EdgePattern)}
    return None


_OTHER = {Kind.NODE: Kind.EDGE, Kind.EDGE: Kind.NODE}


def refuse_lost(statement: ir.Statement) -> None:
    """Refuse a statement that looks into what a comprehension has lost.

    Raises:
        Refused: it does.
    """
    holding = _named(statement, _holds)
    for unwind in find(statement, ir.Unwind):
        if _holds(unwind.expr, holding):
            holding.add(unwind.alias)
    passed = {id(part) for part in _left_as_they_are(statement)}
    lost: set[str] = set()
    for item in find(statement, ir.Item):
        if _is_lost(item.expr, holding, lost):
            lost.add(item.alias)
            passed.add(id(item.expr))
    for part in (*find(statement, ir.ListComp), *find(statement, ir.Var)):
        if id(part) not in passed and _is_lost(part, holding, lost):
            raise _refused(part)
    taken = _named(statement, lambda value, names: _takes_part(value, holding, names))
    for prop in find(statement, ir.Prop):
        if _takes_part(prop.base, holding, taken):
            raise _refused(prop)


class Numbered:
    """Which names of a statement hold nodes and edges as numbers, and which hold any in a map.

    grafeo numbers them wherever a value is no plain list or map of variables: where it is listed
    by a comprehension, joined, chosen or folded. A node is found again by its number where a
    variable has it; an edge is taken for the node of its number.
    """

    def __init__(self, statement: ir.Statement, plain: Callable[[ir.Expr], ir.Expr]) -> None:
        """`plain` is the value of a column as it is said."""
        self.keys: dict[str, Container[str]] = {}
        self.holding: dict[Kind, set[str]] = {kind: set() for kind in ELEMENTS}
        bound = [(name, plain(value)) for name, value in bindings(statement)]
        self._given: dict[str, list[ir.Expr]] = {}
        self._asked: set[int] = set()
        for name, value in bound:
            self._given.setdefault(name, []).append(value)
        size = -1
        while size < (size := len(self.keys) + sum(map(len, self.holding.values()))):
            for name, value in bound:
                for kind, names in self.holding.items():
                    if self.holds(value, kind):
                        names.add(name)
                if self.leaves(value):
                    self.keys[name] = _either(self.keys.get(name, ()), self._keys(value))

    def leaves(self, node: ir.Expr) -> bool:
        """Whether nodes and edges in a value are numbers."""
        match node:
            case _ if not _may_hold(node.type):
                return False
            case ir.Var(name):
                return name in self.keys
            case ir.ListComp(result=ir.Expr() as result, type=Type(item=Type(kind=Kind.ANY))):
                return self.leaves(result) or self._is_element(result)
            case ir.ListComp():
                return self.holds(node)
            case ir.Prop(base=base, key=key):
                return not self._is_element(base) and key in self._keys(base)
            case ir.Call(name="=let", args=(ir.Var(name), value, body)):
                if self.leaves(value) and not self._is_element(value):
                    self.keys.setdefault(name, self._keys(value))
                return self.leaves(body)
            case ir.CollectOf(query=query):
                return any(self.leaves(item.expr) for item in find(query, ir.Item))
            case ir.MapProjection(base=base, entries=entries, all_properties=whole):
                of_map = whole and base.type.kind not in ELEMENTS and self.leaves(base)
                return of_map or any(self.leaves(entry.value) for entry in entries)
        return any(map(self.holds if _is_chosen(node) else self.leaves, _values(node)))

    def _keys(self, node: ir.Expr, *, chosen: bool = False) -> Container[str]:
        """The keys of a map, or of maps in a list, whose values are or hold such numbers."""
        match node:
            case _ if _innermost(node) in ELEMENTS:
                return ()
            case ir.Var(name):
                return _EVERY if chosen else self.keys.get(name, ())
            case ir.MapOf(entries=entries) | ir.MapProjection(entries=entries):
                is_number = self.holds if chosen else self.leaves
                return {entry.key for entry in entries if is_number(entry.value)}
            case ir.Prop() if self._is_element(node):
                return ()
            case ir.Prop(base=base, key=key) if base.type.kind is Kind.MAP and not self._asked:
                self._asked.add(id(node))
                values = list(self._values_at(base, key, frozenset()))
                keyed = [self._keys(value, chosen=True) for value in values]
                self._asked.clear()
                return reduce(_either, keyed, ())
            case ir.Prop() | ir.ListComp():
                return _EVERY if self.leaves(node) else ()
        keys: Container[str] = ()
        for part in _values(node):
            keys = _either(keys, self._keys(part, chosen=chosen or _is_chosen(node)))
        return keys

    def _is_element(self, node: ir.Expr) -> bool:
        """Whether a value surely is a node or an edge, or null."""
        if node.type.kind in ELEMENTS or not isinstance(node, ir.Prop):
            return node.type.kind in ELEMENTS
        values = list(self._values_at(node.base, node.key, frozenset()))
        return bool(values) and all(value.type.kind in ELEMENTS for value in values)

    def _values_at(self, node: ir.Expr, key: str, seen: frozenset[str]) -> Iterator[ir.Expr]:
        """What may stand at a key of a map, or of the maps of a list; what is not known is itself
        among that, and properties of nodes and edges are not."""
        match node:
            case _ if node.type.kind in ELEMENTS:
                pass
            case ir.Var(name) if name in self._given:
                for value in () if name in seen else self._given[name]:
                    yield from self._values_at(value, key, seen | {name})
            case ir.MapOf(entries=entries):
                yield from (entry.value for entry in entries if entry.key == key)
            case ir.Case() | ir.ListOf() | ir.Index() | ir.Slice() | ir.Agg() | ir.Arith():
                for part in _values(node):
                    yield from self._values_at(part, key, seen)
            case ir.Call(name="coalesce" | "nullIf" | "head" | "last" | "tail" | "reverse"):
                for part in node.args:
                    yield from self._values_at(part, key, seen)
            case ir.Literal(value=None):
                pass
            case _:
                yield node

    def holds(self, node: ir.Expr, *kinds: Kind) -> bool:
        """Whether a value is a node or an edge (one of `kinds`), or may have one in it."""
        inner = _innermost(node)
        if inner in ELEMENTS:
            return inner in (kinds or ELEMENTS)
        match node:
            case _ if not _may_hold(node.type):
                return False
            case ir.Var(name):
                return any(name in self.holding[kind] for kind in kinds or ELEMENTS)
            case ir.CollectOf(query=query):
                return any(self.holds(item.expr, *kinds) for item in find(query, ir.Item))
            case ir.Prop(base=base, key=key) if base.type.kind is Kind.ANY and self.leaves(base):
                return key in self._keys(base)
            case ir.Prop(base=base, key=key) if base.type.kind is Kind.MAP:
                if id(node) in self._asked:  # of what is folded
                    return False
                self._asked.add(id(node))
                values = list(self._values_at(base, key, frozenset()))
                held = any(self.holds(value, *kinds) for value in values)
                self._asked.discard(id(node))
                return held
        return any(self.holds(part, *kinds) for part in _values(node))


class _Every:
    """All keys there are."""

    def __contains__(self, key: object) -> bool:
        return True


_EVERY = _Every()


def _either(one: Container[str], other: Container[str]) -> Container[str]:
    if isinstance(one, set | tuple) and isinstance(other, set | tuple):
        return {*one, *other}
    return _EVERY


def _is_chosen(node: ir.Expr) -> bool:
    """Whether a value is joined, chosen or folded, which makes numbers of nodes and edges."""
    match node:
        case ir.Arith() | ir.Case() | ir.Reduce() | ir.Call(name="coalesce" | "nullIf"):
            return True
    return False


def _is_chosen_map(node: ir.Expr) -> bool:
    maps = (value for value in (node, *_values(node)) if value.type.kind is Kind.MAP)
    return _is_chosen(node) and any(maps)


def _values(node: ir.Expr) -> Iterator[ir.Expr]:
    """The expressions of whose values one has parts, or is one."""
    match node:
        case ir.Prop(base=base) | ir.Index(base=base) | ir.Slice(base=base):
            if base.type.kind not in ELEMENTS:
                yield base
        case ir.Case(whens=whens, default=default):
            yield from (when.result for when in whens)
            if default is not None:
                yield default
        case ir.Call(name="properties", args=(base,)) if base.type.kind not in ELEMENTS:
            yield base
        case ir.Call(name="properties" | "keys" | "labels" | "type"):
            pass
        case ir.MapProjection(base=base, entries=entries):
            yield from (entry.value for entry in entries)
            if base.type.kind not in ELEMENTS:
                yield base
        case ir.ListComp(list=listed, result=result):
            yield listed if result is None else result
        case ir.Reduce(init=init, step=step):
            yield from (init, step)
        case _:
            yield from _parts(node)


def bindings(statement: ir.Node, *, rows: bool = True) -> Iterator[tuple[str, ir.Expr]]:
    """Names, each with the value or the list of values that it is given; without `rows` those that
    UNWIND gives are left out."""
    for each in find(statement, *_BINDERS):
        match each:
            case ir.Unwind() if not rows:
                continue
            case ir.Item(expr=value, alias=name) | ir.Unwind(expr=value, alias=name):
                yield name, value
            case ir.ListComp(var=name, list=value) | ir.Quantifier(var=name, list=value):
                yield name, value
            case ir.Reduce(var=name, list=value, acc=acc, init=init, step=step):
                yield from ((name, value), (acc, init), (acc, step))


_BINDERS = (ir.Item, ir.Unwind, ir.ListComp, ir.Quantifier, ir.Reduce)


def refuse_numbers(statement: ir.Statement, numbered: Numbered, schema: SchemaGraph | None) -> None:
    """Refuse a statement that asks nodes and edges that are numbers for what numbers have not.

    Raises:
        Refused: it does.
    """
    kept = {id(prop) for prop in _kept_properties(statement, schema)}
    for node in find(statement, ir.Prop, ir.Index, ir.MapProjection, ir.Call):
        match node:
            case ir.Prop(base=base) if _is_chosen_map(base):
                reason = "grafeo reads no key of a map where it is chosen: name the map in a WITH."
                raise Refused("engine-limit", "map", reason, node.span)
            case ir.Call(name="properties" | "keys", args=(element,)):
                pass
            case ir.Prop(base=element) | ir.Index(base=element) | ir.MapProjection(base=element):
                pass
            case _:
                continue
        may_be_edge = element.type.kind in (Kind.EDGE, Kind.ANY) and id(node) not in kept
        if may_be_edge and numbered.leaves(element) and numbered.holds(element, Kind.EDGE):
            reason = (
                "grafeo takes an edge that is joined, chosen or listed by a comprehension for the "
                "node of its number: take its properties first, and list them."
            )
            raise Refused("engine-limit", "element value", reason, node.span)
    _refuse_compared(statement, numbered)


def _refuse_compared(statement: ir.Statement, numbered: Numbered) -> None:
    """Refuse comparisons of numbers of which is not known what they are of, or with the other."""
    tests = [((t.left, t.right), (t.left, t.right), t.span) for t in find(statement, ir.Compare)]
    tests += [((t.item, t.list), (t.item, t.item), t.span) for t in find(statement, ir.In)]
    for case in find(statement, ir.Case):
        for when in case.whens if case.operand is not None else ():
            pair = (case.operand or when.condition, when.condition)
            tests.append((pair, pair, case.span))
    for sides, values, span in tests:
        unknown = [value for value in values if value.type.kind is Kind.ANY]
        unlike = set(map(_innermost, sides)) == set(ELEMENTS)
        if any(map(numbered.leaves, sides if unlike else unknown)):
            reason = (
                "grafeo compares a node or an edge that a map holds, once it is joined or chosen, "
                "as a number: name it in a WITH."
            )
            raise Refused("engine-limit", "comparison", reason, span)


def _kept_properties(statement: ir.Statement, schema: SchemaGraph | None) -> Iterator[ir.Prop]:
    """Those that grafeo reads of the edge of a number: of a row that UNWIND has made of it, in a
    column, where no node has such a property."""
    if schema is None:
        return
    names = {each.alias for each in find(statement, ir.Unwind)}
    names -= {name for name, _ in bindings(statement, rows=False)}
    of_nodes = {each.name for node in schema.nodes for each in node.properties}
    for project in find(statement, ir.Project):
        for prop in (each for item in project.items for each in find(item.expr, ir.Prop)):
            known = isinstance(prop.base, ir.Var) and prop.base.name in names
            if known and prop.key not in of_nodes:
                yield prop


def _innermost(of: ir.Expr) -> Kind:
    """The kind of a value, or of what stands in a list of lists of it."""
    inner = of.type
    while inner.kind is Kind.LIST and inner.item is not None:
        inner = inner.item
    return inner.kind


def _refused(node: ir.Expr) -> Refused:
    reason = "grafeo finds no edge again that a comprehension has listed, and nothing in a map."
    return Refused("engine-limit", "list comprehension", reason, node.span)


def _named(
    statement: ir.Statement, is_meant: Callable[[ir.Expr, Container[str]], bool]
) -> set[str]:
    """The names of values that are meant, by those before them."""
    names: set[str] = set()
    for item in find(statement, ir.Item):
        if is_meant(item.expr, names):
            names.add(item.alias)
    return names


def _left_as_they_are(statement: ir.Statement) -> Iterator[ir.Expr]:
    """What is counted or compared as a whole, what has its type asked, edges row by row."""
    for call in find(statement, ir.Call):
        if call.name in ("size", "isEmpty"):
            yield from call.args
        elif call.name == "type":  # which grafeo has of a number, too
            yield from (*find(call, ir.ListComp), *find(call, ir.Var))
    for unwind in find(statement, ir.Unwind):
        item = unwind.expr.type.item
        if item is not None and item.kind is Kind.EDGE:
            yield unwind.expr
    for each in find(statement, ir.Compare):
        yield from (each.left, each.right)
    for test in find(statement, ir.In):
        yield test.list
    for check in find(statement, ir.IsNull):
        yield check.arg


def _is_lost(node: ir.Expr, holding: Container[str], lost: Container[str]) -> bool:
    """Whether this is a list of edges, or of maps and lists with nodes or edges in them, that a
    comprehension has made; `lost` are the names of such."""
    if isinstance(node, ir.Var):
        return node.name in lost
    if not isinstance(node, ir.ListComp):
        return False
    if node.type.item is not None and node.type.item.kind in ELEMENTS:
        return node.type.item.kind is Kind.EDGE
    if node.result is None or node.result == ir.Var(node.var, type=node.result.type):
        return _holds(node.list, holding)
    return _is_built(node.result)


def _is_built(node: ir.Expr) -> bool:
    """Whether a map or a list is made here that has nodes or edges in it."""
    if not isinstance(node, ir.ListOf | ir.MapOf | ir.MapProjection | ir.Case):
        return False
    base = node.base if isinstance(node, ir.MapProjection) else None
    parts = (part for part in _parts(node) if part is not base)
    return any(part.type.kind in ELEMENTS or _is_built(part) for part in parts)


def _takes_part(node: ir.Expr, holding: Container[str], names: Container[str]) -> bool:
    """Whether a value is a list of parts of maps or lists that hold nodes or edges, which a
    comprehension has taken out (`[m IN maps | m.node]`), or an item of one; `names` hold such."""
    match node:
        case _ if not _may_hold(node.type):
            return False
        case ir.Var(name):
            return name in names
        case ir.ListComp(var=var, list=listed, result=ir.Prop(base=base) | ir.Index(base=base)):
            return isinstance(base, ir.Var) and base.name == var and _holds(listed, holding)
        case ir.Prop(base=base) if base.type.kind in ELEMENTS:
            return False
    return any(_takes_part(part, holding, names) for part in _parts(node))


def _holds(node: ir.Expr, names: Container[str]) -> bool:
    """Whether a value is a map or a list that has maps or lists in it with nodes or edges, or is
    made of such; `names` hold some."""
    match node:
        case _ if not _may_hold(node.type):
            return False
        case ir.Var(name):
            return name in names
        case ir.Prop(base=base) if base.type.kind in ELEMENTS:
            return False
    return _is_built(node) or any(_holds(part, names) for part in _parts(node))


def _may_hold(of: Type) -> bool:
    """Whether a value of this type may be a node or an edge, or have one in it."""
    if of.kind is Kind.LIST:
        return of.item is None or _may_hold(of.item)
    return of.kind in (*ELEMENTS, Kind.MAP, Kind.ANY)


def _parts(node: ir.Node) -> Iterator[ir.Expr]:
    """The expressions of which one is made, but for those of its patterns and queries."""
    for child in children(node):
        if isinstance(child, ir.Expr):
            yield child
        elif isinstance(child, ir.When | ir.Entry):
            yield from _parts(child)
