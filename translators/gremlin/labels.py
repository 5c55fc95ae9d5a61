"""Labels: a vertex has one, `A::B` for a node with several, so a test names all that fit."""

from __future__ import annotations

from collections.abc import Sequence

from graph_ir import nodes as ir
from graphmill.errors import Refused
from translators.gremlin.rows import Compiler
from translators.gremlin.steps.text import Step, Traversal, quoted, step

BETWEEN = "::"
UNLABELLED = "vertex"  # the label of a vertex whose node has none


def label_steps(cx: Compiler, labels: ir.LabelExpr, *, edge: bool) -> Traversal:
    """A filter on the labels of a vertex, or on the type of an edge."""
    if edge:
        return _of_edge(labels)
    if cx.schema is None:
        cx.caveat(
            "label-expression", "hasLabel", "Every vertex has one label, as in TinkerPop's model."
        )
        return _of_edge(labels)
    fitting = [kind for kind in cx.schema.nodes if holds(labels, kind.labels)]
    if not fitting and isinstance(labels, ir.LabelName):
        return (step("hasLabel", quoted(labels.name)),)
    if not fitting:
        return (step("not", (step("identity"),)),)
    if len(fitting) == len(cx.schema.nodes) and not isinstance(labels, ir.LabelName):
        return ()
    names = [quoted(BETWEEN.join(kind.labels) or UNLABELLED) for kind in fitting]
    return (step("hasLabel", *names),)


def _of_edge(labels: ir.LabelExpr) -> Traversal:
    if names := names_of(labels):
        return (step("hasLabel", *map(quoted, names)),)
    match labels:
        case ir.LabelNot(arg=arg):
            return (Step("not", (_of_edge(arg),)),)
        case ir.LabelAny():
            return ()
        case ir.LabelOr(args=args):
            return (Step("or", tuple(map(_of_edge, args))),)
    raise Refused("label-expression", "&", "An element has one label in Gremlin.", labels.span)


def names_of(labels: ir.LabelExpr | None) -> tuple[str, ...]:
    """The names of a label or of alternatives; none of anything else."""
    match labels:
        case ir.LabelName(name=name):
            return (name,)
        case ir.LabelOr(args=args) if all(isinstance(each, ir.LabelName) for each in args):
            return tuple(dict.fromkeys(name for each in args for name in names_of(each)))
    return ()


def holds(labels: ir.LabelExpr, own: tuple[str, ...]) -> bool:
    """Whether a node with these labels fits.

    >>> holds(ir.LabelAnd((ir.LabelName("A"), ir.LabelNot(ir.LabelName("B")))), ("A", "C"))
    True
    """
    match labels:
        case ir.LabelName(name=name):
            return name in own
        case ir.LabelAnd(args=args):
            return all(holds(each, own) for each in args)
        case ir.LabelOr(args=args):
            return any(holds(each, own) for each in args)
        case ir.LabelNot(arg=arg):
            return not holds(arg, own)
        case ir.LabelAny():
            return bool(own)


def told_apart(
    names: Sequence[str], label_sets: Sequence[tuple[str, ...]]
) -> tuple[ir.LabelExpr, ...]:
    """What labels of vertices, `A` or `A::B`, say of the labels of nodes.

    A vertex `A::B` is none of the label `A`; where all vertices with an `A` are named, `A` says it.
    A node without a label is a vertex called `vertex`.

    >>> told_apart(["A", "A::B"], [("A",), ("A", "B")]) == (ir.LabelName("A"),)
    True
    """
    named = list(dict.fromkeys(tuple(name.split(BETWEEN)) for name in names))
    tests: list[ir.LabelExpr] = []
    if (UNLABELLED,) in named and () in label_sets:
        tests.append(ir.LabelNot(ir.LabelAny()))
        if (UNLABELLED,) not in label_sets:
            named.remove((UNLABELLED,))
    covered: list[tuple[str, ...]] = []
    for own in sorted(named, key=len):
        if own in covered:
            continue
        beyond = [other for other in label_sets if set(other) > set(own)]
        parts: tuple[ir.LabelExpr, ...] = tuple(map(ir.LabelName, own))
        if all(other in named for other in beyond):
            covered += beyond
        else:
            more = dict.fromkeys(next(n for n in other if n not in own) for other in beyond)
            parts += tuple(ir.LabelNot(ir.LabelName(name)) for name in more)
        tests.append(parts[0] if len(parts) == 1 else ir.LabelAnd(parts))
    return tuple(tests)
