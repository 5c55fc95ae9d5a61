"""Constants that a property is compared with, beside the few values that it has.

A set of values is declared (CHECK, ENUM), or observed: a few texts that come again and again. A
constant outside it is allowed, and rarely meant; so this warns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from graph_ir import nodes as ir
from graph_ir.bind.report import Report
from graph_ir.walk import children, descend
from graphmill.errors import Diagnostic, did_you_mean
from schemagraph.model import Kind, SchemaGraph, Type

_SHOWN = 8  # values that a message lists
_FOLDS: dict[str, Callable[[str], str]] = {"toLower": str.lower, "toUpper": str.upper}


@dataclass(frozen=True, slots=True)
class _Constants:
    """What names stand for where that is constants alone: one of some values, or a list of them."""

    values: Mapping[str, tuple[ir.Expr, ...]]
    lists: Mapping[str, tuple[ir.Expr, ...]]

    def of(self, expr: ir.Expr) -> tuple[ir.Expr, ...]:
        """The constants that `expr` may be; none where it may be something else."""
        if isinstance(expr, ir.Var):
            return self.values.get(expr.name, ())
        return (expr,) if isinstance(expr, ir.Literal) else ()

    def items(self, expr: ir.Expr) -> tuple[ir.Expr, ...]:
        """The constants among the items of a list."""
        if isinstance(expr, ir.Var):
            return self.lists.get(expr.name, ())
        items = expr.items if isinstance(expr, ir.ListOf) else ()
        return tuple(each for item in items for each in self.of(item))

    def inside(self, node: ir.Node) -> _Constants:
        """What names stand for below `node`, which may give its items a name of their own."""
        if not isinstance(node, ir.Quantifier | ir.ListComp | ir.Reduce):
            return self
        return _Constants(
            {**self.values, node.var: self.items(node.list)}, {**self.lists, node.var: ()}
        )


def outside(statement: ir.Statement, schema: SchemaGraph) -> tuple[Diagnostic, ...]:
    """Warnings for the constants of a bound statement that are no value of their property."""
    report = Report()
    aliases, constants = _aliases(statement)
    for at, stored, compared in _compared(statement, constants):
        fold: Callable[[str], str] = str
        if isinstance(stored, ir.Call) and stored.name in _FOLDS and len(stored.args) == 1:
            fold, stored = _FOLDS[stored.name], stored.args[0]
        stored = _property(stored)
        if isinstance(stored, ir.Var):
            stored = aliases.get(stored.name, stored)
        if not isinstance(stored, ir.Prop):
            continue
        values, seen = _values(stored.base.type, stored.key, schema)
        known = {fold(value) if isinstance(value, str) else value: None for value in values}
        texts = [value for value in known if isinstance(value, str)]
        for constant in dict.fromkeys(compared) if known else ():
            value = constant.value if isinstance(constant, ir.Literal) else None
            is_number = isinstance(value, int | float) and not isinstance(value, bool) and not texts
            if (isinstance(value, str) or is_number) and value not in known:
                how = "observed" if seen else "declared"
                listed = ", ".join(map(_shown, list(known)[:_SHOWN]))
                more = ", …" if len(known) > _SHOWN else ""
                meant = did_you_mean(value, texts) if isinstance(value, str) else ""
                report.warning(
                    at,
                    "closed-set",
                    f"{_shown(value)} is none of the values that are {how} of '{stored.key}': "
                    f"{listed}{more}.{meant}",
                )
    return report.sorted()


def _shown(value: object) -> str:
    return f"'{value}'" if isinstance(value, str) else str(value)


def _property(expr: ir.Expr) -> ir.Expr:
    """`o.status` for `o['status']`, which of nodes and edges is the same."""
    if isinstance(expr, ir.Index) and isinstance(expr.index, ir.Literal):
        key = expr.index.value
        return ir.Prop(expr.base, key) if isinstance(key, str) else expr
    return expr


def _aliases(statement: ir.Statement) -> tuple[dict[str, ir.Prop], _Constants]:
    """Properties and constants by the name that a WITH or UNWIND gives them, where nothing else
    has that name."""
    given: dict[str, ir.Node | None] = {}
    for node in descend(statement):
        if isinstance(node, ir.Item):
            name, expr = node.alias, _property(node.expr)
            if isinstance(expr, ir.Var) and expr.name == name:
                continue  # handed on
            _give(given, name, expr)
        elif isinstance(node, ir.Unwind):
            _give(given, node.alias, node)
        else:
            for part in ("var", "alias"):
                other = getattr(node, part, None)
                if isinstance(other, str):
                    given[other] = None
    constants = _Constants({}, {})
    values, lists = {}, {}
    for name, what in given.items():  # a name that stands for another is behind it
        if isinstance(what, ir.Unwind):
            values[name] = constants.items(what.expr)
        elif isinstance(what, ir.Expr):
            values[name], lists[name] = constants.of(what), constants.items(what)
        constants = _Constants(values, lists)
    return {name: each for name, each in given.items() if isinstance(each, ir.Prop)}, constants


def _give(given: dict[str, ir.Node | None], name: str, what: ir.Node) -> None:
    same = _place(given.get(name, what)) == _place(what)
    given[name] = what if same else None


def _place(given: ir.Node | None) -> object:
    """What two expressions of one name have in common where they are the same."""
    return (given.base.type, given.key) if isinstance(given, ir.Prop) else given


type _Comparison = tuple[ir.Node, ir.Expr, Sequence[ir.Expr]]


def _compared(node: ir.Node, constants: _Constants) -> Iterator[_Comparison]:
    """Where something is compared for equality, or set, with the constants of that."""
    match node:
        case ir.Compare(ir.CompareOp.EQ | ir.CompareOp.NE, left, right):
            yield node, left, constants.of(right)
            yield node, right, constants.of(left)
        case ir.In(item, items):
            yield node, item, constants.items(items)
        case ir.Case(whens, _, ir.Expr() as operand):
            yield node, operand, [each for w in whens for each in constants.of(w.condition)]
        case ir.NodePattern(props=ir.MapOf(entries)) | ir.EdgePattern(props=ir.MapOf(entries)):
            for entry in entries:
                owner = ir.Var("", type=node.type)
                yield entry, ir.Prop(owner, entry.key), constants.of(entry.value)
        case ir.SetItem(target, ir.MapOf(entries)):
            for entry in entries:
                yield entry, ir.Prop(target, entry.key), constants.of(entry.value)
        case ir.SetItem(target, ir.Expr() as value):
            yield node, target, constants.of(value)
    inside = constants.inside(node)
    for child in children(node):
        yield from _compared(child, inside)


def _values(owner: Type, key: str, schema: SchemaGraph) -> tuple[list[str | int], bool]:
    """All values of a property over the types that have it, and whether some were only observed;
    none where the set of one of them is open."""
    if owner.kind not in (Kind.NODE, Kind.EDGE):
        return [], False
    every = schema.node_by_name if owner.kind is Kind.NODE else schema.edge_by_name
    domain: dict[str | int, None] = {}
    seen = False
    for name in owner.of or every:
        given = every[name].property(key) if name in every else None
        if given is None:
            continue
        values = given.values or given.observed.values
        if not values:
            return [], False
        seen = seen or not given.values
        domain |= dict.fromkeys(values)
    return list(domain), seen
