"""Parameters of a query: what each is used for, and constants in their place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from graph_ir import nodes as ir
from graph_ir.bind.statements import bind
from graph_ir.walk import find, rewrite
from graphmill.errors import QueryTextError, shortened
from graphmill.json_lines import BYTES, FLOAT, NO_NUMBERS, float_of
from schemagraph.model import ANY, EdgeType, Kind, NodeType, SchemaGraph, Type


class Role(StrEnum):
    """What a parameter is to the property that it is compared with."""

    EQUAL = "equal"
    MEMBER = "member"  # a list that has the property's value
    ABOVE = "above"  # the property is larger
    BELOW = "below"
    PREFIX = "prefix"
    SUFFIX = "suffix"
    PART = "part"
    COUNT = "count"  # how many rows LIMIT leaves
    START = "start"  # how many rows SKIP passes


@dataclass(frozen=True, slots=True)
class Use:
    """One use: the role, the property's key, and the type of the element that has it."""

    role: Role
    key: str = ""
    owner: Type = ANY


_SIDES = {
    ir.CompareOp.EQ: (Role.EQUAL, Role.EQUAL),
    ir.CompareOp.GT: (Role.ABOVE, Role.BELOW),
    ir.CompareOp.GE: (Role.ABOVE, Role.BELOW),
    ir.CompareOp.LT: (Role.BELOW, Role.ABOVE),
    ir.CompareOp.LE: (Role.BELOW, Role.ABOVE),
}
_TEXTS = {
    ir.TextOp.STARTS: Role.PREFIX,
    ir.TextOp.ENDS: Role.SUFFIX,
    ir.TextOp.CONTAINS: Role.PART,
}


def uses(statement: ir.Statement, schema: SchemaGraph) -> dict[str, list[Use]]:
    """The uses of every parameter, in the order of the text; none where it tells nothing."""
    by_parameter: dict[str, list[Use]] = {each.name: [] for each in find(statement, ir.Param)}
    for node in find(bind(statement, schema).statement, ir.Node):
        for name, use in _of(node):
            by_parameter[name].append(use)
    return by_parameter


def _of(node: ir.Node) -> Iterator[tuple[str, Use]]:
    match node:
        case ir.Compare(left=ir.Prop() as prop, right=ir.Param(name=name), op=op) if op in _SIDES:
            yield name, Use(_SIDES[op][0], prop.key, prop.base.type)
        case ir.Compare(left=ir.Param(name=name), right=ir.Prop() as prop, op=op) if op in _SIDES:
            yield name, Use(_SIDES[op][1], prop.key, prop.base.type)
        case ir.In(item=ir.Prop() as prop, list=ir.Param(name=name)):
            yield name, Use(Role.MEMBER, prop.key, prop.base.type)
        case ir.Text(left=ir.Prop() as prop, right=ir.Param(name=name), op=op) if op in _TEXTS:
            yield name, Use(_TEXTS[op], prop.key, prop.base.type)
        case ir.NodePattern(props=ir.MapOf() as props) | ir.EdgePattern(props=ir.MapOf() as props):
            for entry in props.entries:
                if isinstance(entry.value, ir.Param):
                    yield entry.value.name, Use(Role.EQUAL, entry.key, node.type)
        case ir.Project():
            if isinstance(node.limit, ir.Param):
                yield node.limit.name, Use(Role.COUNT)
            if isinstance(node.skip, ir.Param):
                yield node.skip.name, Use(Role.START)


def properties_of(use: Use, schema: SchemaGraph) -> Iterator[tuple[NodeType | EdgeType, Kind]]:
    """The types whose property a parameter is compared with, and that property's kind."""
    if not use.key:
        return
    kinds: list[tuple[Kind, Sequence[NodeType | EdgeType]]] = [
        (Kind.NODE, schema.nodes),
        (Kind.EDGE, schema.edges),
    ]
    for kind, owners in kinds:
        for owner in owners if use.owner.kind in (kind, Kind.ANY) else ():
            own = owner.property(use.key)
            if own is not None and (not use.owner.of or owner.name in use.owner.of):
                yield owner, own.type.kind


def kind_of(parameter_uses: Sequence[Use], schema: SchemaGraph) -> Kind:
    """The kind of the property that a parameter is compared with; ANY where there is none."""
    return next(
        (kind for use in parameter_uses for _, kind in properties_of(use, schema)), Kind.ANY
    )


def given(
    statement: ir.Statement, values: Mapping[str, Any], schema: SchemaGraph | None
) -> ir.Statement:
    """The statement with JSON `values` in the place of those parameters that have one.

    A text becomes a date or a time where the property that it is compared with is one.

    Raises:
        QueryTextError: a value is none that a query can hold (`bad-parameter`,
            `integer-overflow`).
    """
    names = dict.fromkeys(each.name for each in find(statement, ir.Param))
    if not names.keys() & values.keys():
        return statement
    roles = uses(statement, schema) if schema is not None else {}
    expressions: dict[str, ir.Expr] = {}
    for name in names:
        if name in values:
            check_tags(name, values[name])
            kind = kind_of(roles.get(name, []), schema) if schema is not None else Kind.ANY
            expressions[name] = constant(values[name], kind)
        else:
            expressions[name] = ir.Param(name)
    return put_in(statement, expressions)


def put_in(statement: ir.Statement, values: Mapping[str, ir.Expr]) -> ir.Statement:
    """The statement with constants for its parameters.

    Raises:
        QueryTextError: a parameter has none (`unbound-parameter`), or stands where only a map can
            and is none (`bad-parameter`).
    """
    for each in find(statement, ir.Param):
        if each.name not in values:
            raise _error("unbound-parameter", f"The parameter ${each.name} has no value.")
    for pattern in find(statement, ir.Node):
        match pattern:
            case (
                ir.NodePattern(props=ir.Param(name=name))
                | ir.EdgePattern(props=ir.Param(name=name))
            ) if not isinstance(values[name], ir.MapOf | ir.Param):
                raise _error("bad-parameter", f"The parameter ${name} has to be a map.")
    return rewrite(statement, lambda n: values[n.name] if isinstance(n, ir.Param) else n)


_CALLS = {
    Kind.DATE: "date",
    Kind.TIME: "localtime",
    Kind.ZONED_TIME: "time",
    Kind.DATETIME: "localdatetime",
    Kind.ZONED_DATETIME: "datetime",
    Kind.DURATION: "duration",
}


def constant(value: Any, kind: Kind = Kind.ANY) -> ir.Expr:
    """A JSON value as an expression; a text of a temporal `kind` becomes a value of that kind, and
    `{"$float": "nan"}` the float.

    >>> constant([1, "a"]), constant("2024-01-31", Kind.DATE).name
    (ListOf(items=(Literal(value=1, kind='int'), Literal(value='a', kind='str'))), 'date')

    Raises:
        QueryTextError: it is no value that a query can hold (`bad-parameter`), or an integer of
            more than 64 bits (`integer-overflow`), as in a text.
    """
    if isinstance(value, list | tuple):
        return ir.ListOf(tuple(constant(item, kind) for item in value))
    if (number := float_of(value)) is not None:
        return ir.Literal(number)
    if isinstance(value, dict):
        return ir.MapOf(tuple(ir.Entry(str(k), constant(v)) for k, v in value.items()))
    if isinstance(value, str) and kind in _CALLS:
        return ir.Call(_CALLS[kind], (ir.Literal(value),))
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise _error("integer-overflow", f"The integer {str(value)[:20]}… is too large.")
    if value is None or isinstance(value, bool | int | float | str):
        return ir.Literal(value)
    raise _error("bad-parameter", f"A {type(value).__name__} is no value for a parameter.")


def check_tags(name: str, value: Any) -> None:
    """Refuse what the parameter `name` has of maps whose only key begins with `$`, which are tags,
    but for floats that can be read. A map with such a key beside others is a map.

    >>> check_tags("p", [{"$float": "nan"}, {"$a": 1, "b": 2}])

    Raises:
        QueryTextError: there is one (`bad-parameter`); the message says where.
    """
    within: list[tuple[str, Any]] = [("", value)]
    while within:
        place, each = within.pop()
        if isinstance(each, list | tuple):
            within += [(f"{place}[{number}]", item) for number, item in enumerate(each)]
        elif isinstance(each, dict) and float_of(each) is None:
            if len(each) == 1 and (tag := str(next(iter(each)))).startswith("$"):
                where = f"${name}{f' at {shortened(place, 60)}' if place else ''}"
                raise _error("bad-parameter", f"The parameter {where}: {_mistagged(tag)}")
            within += [(f"{place}.{key}", item) for key, item in each.items()]


def _mistagged(tag: str) -> str:
    if tag == BYTES:
        return f'bytes ({{"{BYTES}": …}}) are no value for a parameter: no query has them.'
    floats = ", ".join(f'"{word}"' for word in NO_NUMBERS)
    if tag == FLOAT:
        return f'{{"{FLOAT}": …}} has one of {floats}; write other floats as numbers.'
    return (
        f"""there is no tag "{shortened(tag, 60)}". A map whose only key begins with $ is a tag: """
        f'{{"{FLOAT}": …}} with one of {floats}, or {{"{BYTES}": …}}, which no parameter can be.'
    )


def _error(code: str, message: str) -> QueryTextError:
    return QueryTextError(message, kind="semantic", code=code)
