"""What the steps of a Gremlin traversal lead to, by a schema: for the static error base."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from graphmill.errors import QueryTextError
from schemagraph.model import EdgeType, SchemaGraph
from translators.gremlin.read.tree import Call, Chain, Item, Many, Pairs, Value, parse

_OUT, _IN, _BOTH = ("out", "outE"), ("in", "inE"), ("both", "bothE")
_EDGE_STEPS = ("outE", "inE", "bothE")
_ELEMENTS = ("V", "E", *_OUT, *_IN, *_BOTH, "outV", "inV", "bothV", "otherV")
# Steps that keep what stands before them, as far as node types go.
_KEPT = frozenset(
    (
        *("as", "has", "hasNot", "where", "filter", "not", "and", "or", "dedup", "order", "by"),
        *("limit", "range", "skip", "tail", "is", "sample", "simplePath", "cyclicPath"),
        *("barrier", "identity"),
    )
)


@dataclass(frozen=True, slots=True)
class _Here:
    """Node types or edges that a traverser may be at; None where it is not known."""

    nodes: frozenset[str] | None
    edges: tuple[EdgeType, ...] = ()
    way: str = ""


def dead_ends(text: str, schema: SchemaGraph) -> Iterator[str]:
    """Steps along edges that no element before them has, by the schema; only where all labels are
    known, as the paper's `.out('x')` directly followed by `.in('y')` is valid where both ends fit.
    """
    chain = _chain(text)
    if chain is not None:
        yield from _walk(chain, _Here(None), schema)


def _walk(chain: Chain, here: _Here, schema: SchemaGraph) -> Iterator[str]:
    every = frozenset(node.name for node in schema.nodes)
    for call in chain.calls:
        for inner in _inside(call.args):
            begin = here if call.name in _KEPT and inner.root != "g" else _Here(None)
            yield from _walk(inner, begin, schema)
        if call.name == "V" or (call.name == "E" and not call.args):
            here = _Here(every) if call.name == "V" else _Here(None)
        elif call.name in ("hasLabel", "has"):
            here = _Here(_labelled(call, here, schema), here.edges, here.way)
        elif call.name in (*_OUT, *_IN, *_BOTH):
            labels = [a.value for a in call.args if isinstance(a, Value)]
            known = all(label in schema.edge_labels for label in labels)
            if here.nodes is None or not known or len(labels) != len(call.args):
                here = _Here(None)
                continue
            here = _along(call.name, labels, here.nodes, schema)
            if not here.nodes and not here.edges:
                yield f"{call.name}({', '.join(repr(label) for label in labels)})"
                return
        elif call.name in ("inV", "outV", "otherV", "bothV"):
            here = _Here(_ends(call.name, here)) if here.edges else _Here(None)
        elif call.name not in _KEPT:
            here = _Here(None)


def _along(name: str, labels: list[object], nodes: frozenset[str], schema: SchemaGraph) -> _Here:
    edges, ends = [], set()
    for edge in schema.edges:
        if labels and edge.label not in labels:
            continue
        leaves = edge.source in nodes and name not in _IN
        enters = edge.target in nodes and name not in _OUT
        if leaves or enters:
            edges.append(edge)
        ends |= {edge.target} if leaves else set()
        ends |= {edge.source} if enters else set()
    if name in _EDGE_STEPS:
        return _Here(frozenset(ends), tuple(edges), name)
    return _Here(frozenset(ends))


def _ends(name: str, here: _Here) -> frozenset[str] | None:
    if name == "otherV":
        return here.nodes
    outs = {edge.source for edge in here.edges} if name != "inV" else set()
    ins = {edge.target for edge in here.edges} if name != "outV" else set()
    return frozenset(outs | ins)


def _labelled(call: Call, here: _Here, schema: SchemaGraph) -> frozenset[str] | None:
    """The node types that are left after a test of labels; those of edges stay as they are."""
    if here.nodes is None or here.edges or call.name == "has":
        return here.nodes
    labels = [a.value for a in call.args if isinstance(a, Value)]
    if len(labels) != len(call.args):
        return None
    wanted = {node.name for label in labels for node in schema.with_label(str(label))}
    return (here.nodes & wanted) or None


def elements_by_nothing(text: str) -> Iterator[str]:
    """Labels of elements that a select() gives as they are, through a by() without argument."""
    chain = _chain(text)
    for each in _every(chain) if chain is not None else ():
        marked = _marked_elements(each)
        for place, call in enumerate(each.calls):
            if call.name != "select":
                continue
            labels = [str(a.value) for a in call.args if isinstance(a, Value)]
            modulators = []
            for other in each.calls[place + 1 :]:
                if other.name != "by":
                    break
                modulators.append(other)
            for number, label in enumerate(labels):
                if not modulators:
                    break
                by = modulators[number % len(modulators)]
                if not by.args and label in marked:
                    yield label


def _marked_elements(chain: Chain) -> set[str]:
    """Labels that `as` gives to nodes and edges."""
    labels: set[str] = set()
    element = False
    for call in chain.calls:
        if call.name == "as" and element:
            labels |= {str(a.value) for a in call.args if isinstance(a, Value)}
        elif call.name in _ELEMENTS:
            element = True
        elif call.name not in _KEPT and call.name not in ("hasLabel", "hasId"):
            element = False
    return labels


def _chain(text: str) -> Chain | None:
    try:
        return parse(text)
    except QueryTextError:
        return None


def _every(chain: Chain) -> Iterator[Chain]:
    yield chain
    for call in chain.calls:
        for inner in _inside(call.args):
            yield from _every(inner)


def _inside(items: tuple[Item, ...]) -> Iterator[Chain]:
    for item in items:
        match item:
            case Chain():
                yield item
            case Many(items=held):
                yield from _inside(held)
            case Pairs(items=pairs):
                yield from _inside(tuple(each for pair in pairs for each in pair))
