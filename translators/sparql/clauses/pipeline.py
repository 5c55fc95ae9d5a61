"""Clauses one after the other, each going on in the group of those before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.lowerings import range_items
from graph_ir.multiplicity import counts_once_behind, once
from graph_ir.walk import find
from translators.sparql.clauses.patterns import Matcher
from translators.sparql.clauses.projection import project
from translators.sparql.expressions.core import expression, refused
from translators.sparql.model.compiler import Bound, Compiler, Element, Sx, Walk
from translators.sparql.model.group import Block, Group


def run(cx: Compiler, clauses: Sequence[ir.Clause], inside_exists: bool = False) -> None:
    """All clauses but a final projection."""
    alike = counts_once_behind(clauses, cx.alike_after)
    for place, clause in enumerate(clauses):
        if not inside_exists:
            cx.alike = alike[place] and not _counted(cx.having)
            cx.matched = place == 1 and _again(clauses[0], clauses[2:])
        match clause:
            case ir.Match(optional=False):
                _match(cx, clause)
            case ir.Match():
                _optional(cx, clause)
            case ir.Unwind():
                _unwind(cx, clause)
            case ir.Project(final=True):
                return
            case ir.Project():
                project(cx, clause)
            case ir.Subquery():
                _subquery(cx, clause)
            case ir.Procedure():
                raise refused("procedure", clause, "SPARQL has no procedures.")
            case _:
                raise refused("write", clause, "Only reads have a form.")


def _counted(having: ir.Expr | None) -> bool:
    """Whether a condition on groups asks how many rows they have."""
    return having is not None and not all(map(once, find(having, ir.Agg)))


def _again(before: ir.Clause, after: Sequence[ir.Clause]) -> bool:
    """Whether all nodes of a label were matched, and one is matched after the aggregates: without
    any there is no row anyway."""
    match before, after:
        case [ir.Match(optional=False, where=None) as first, [ir.Match() as then, *_]]:
            if then.optional:
                return False
            of = [path.head.labels for path in first.paths if not path.steps]
            if len(of) != 1 or len(first.paths) > 1 or first.paths[0].head.where is not None:
                return False
            if first.paths[0].head.props is not None or not isinstance(of[0], ir.LabelName):
                return False
            nodes = [node for path in then.paths for node in find(path, ir.NodePattern)]
            fixed = [path for path in then.paths if path.selector is None]
            return len(fixed) == len(then.paths) and any(n.labels == of[0] for n in nodes)
    return False


def _match(cx: Compiler, clause: ir.Match) -> None:
    Matcher(cx, clause).run()


def _optional(cx: Compiler, clause: ir.Match) -> None:
    inner = Group(outer=cx.group)
    outer, before = cx.group, dict(cx.env)
    with cx.inside(inner):
        _match(cx, replace(clause, optional=False))
        made = {name: bound for name, bound in cx.env.items() if name not in before}
    outer.parts.append(Block((inner,), "OPTIONAL"))
    for name, bound in made.items():
        cx.env[name] = _after_optional(bound, outer)


def _after_optional(bound: Bound, scope: Group) -> Bound:
    match bound:
        case Element():
            return replace(bound, null=True, scope=scope)
        case Walk():
            if bound.parts:
                raise refused("path-elements", ir.Literal(None), "A path that may be absent.")
            return replace(bound, null=True)
    return replace(bound, null=True)


def _unwind(cx: Compiler, clause: ir.Unwind) -> None:
    var = cx.name(clause.alias, own=True)
    match clause.expr:
        case ir.ListOf(items):
            _constants(cx, clause, var, items)
            return
        case ir.Call("range", args):
            _range(cx, clause, var, args)
            return
    stored = expression(cx, clause.expr)
    if stored.form != "stored" or stored.type.item is None:
        raise refused("unsupported-clause", clause, "Only stored and constant lists are unwound.")
    subject = stored.text
    if stored.null:
        subject = cx.name("list")
        cx.group.line(f"BIND(COALESCE({stored.text}, rdf:nil) AS {subject})")
    cx.group.triple(subject, "rdf:rest*/rdf:first", var)
    cx.env[clause.alias] = Sx(var, stored.type.item, null=False)


def _constants(cx: Compiler, clause: ir.Unwind, var: str, items: Sequence[ir.Expr]) -> None:
    values = [expression(cx, item) for item in items]
    if not all(isinstance(item, ir.Literal) for item in items):
        raise refused("unsupported-clause", clause, "Only constants are listed.")
    kinds = {value.type.kind: value.type for value in values if value.text != "1/0"}
    if len(kinds) > 1:
        raise refused("mixed-types", clause, "The list holds values of several types.")
    null = any(value.text == "1/0" for value in values)
    shown = " ".join("UNDEF" if value.text == "1/0" else value.text for value in values)
    cx.group.line(f"VALUES {var} {{ {shown} }}")
    of = next(iter(kinds.values()), values[0].type if values else clause.expr.type)
    cx.env[clause.alias] = Sx(var, of, null)


def _range(cx: Compiler, clause: ir.Unwind, var: str, args: Sequence[ir.Expr]) -> None:
    numbers = [arg.value for arg in args if isinstance(arg, ir.Literal)]
    whole = [n for n in numbers if type(n) is int]
    if len(whole) != len(args) or (len(whole) > 2 and not whole[2]):
        raise refused("range", clause, "Only constant ranges are written out.")
    items = range_items(*whole)
    if len(items) > 1000:
        raise refused("range", clause, "Only ranges of moderate size are written out.")
    _constants(cx, clause, var, [ir.Literal(number, type=clause.expr.type) for number in items])


def _subquery(cx: Compiler, clause: ir.Subquery) -> None:
    raise refused("call-subquery", clause, "A subselect sees nothing from outside.")
