"""Whether a question turns a relation round: "books that cite X" for the books that X cites.

Only relations between things of one type can be turned round unnoticed, and only where one end
is known by a value does a text tell which end it means. The rule looks at the verb beside that
value: active before it ("cite “Emma”"), passive before it ("are cited by “Emma”").
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from graph_ir import nodes as ir
from qa.mentions import content, stem
from qa.parts import Parts, edge_labels
from schemagraph.model import SchemaGraph
from schemagraph.naming import words

_NEAR = 14  # words between a verb and the value that it is about
_TOKEN = re.compile(r'"[^"]*"|[^\W_]+(?:[-\'’][^\W_]+)*|[.;?]')
_BREAKS = frozenset({".", ";", "?", "and", "or", "whom", "which", "where"})
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")
_DOER = re.compile(r"(?:er|or)s?$", re.IGNORECASE)
_VERBAL = re.compile(r"(?:[a-z]+(?:s|ed|es|en)|[a-z]+_(?:by|to|of))$", re.IGNORECASE)


def reversed_link(parts: Parts, text: str, schema: SchemaGraph) -> str:
    """What the text turns round, "" where nothing is seen to be."""
    for edge, anchored, value in _anchored(parts, schema):
        names = edge_labels(edge)
        acts = [n for n in names if len(content(n)) == 1 and not n.upper().startswith("HAS")]
        verbs = [content(name)[0] for name in acts]
        passive = any(words(name)[-1:][0].lower() == "by" for name in names)
        for verb in verbs:
            ways = list(_ways(text, verb, value))
            if not ways:
                continue
            # An edge runs from the one that does it to the one it is done to, unless it is "… BY".
            expected = "active" if (anchored == "target") is not passive else "passive"
            if all(way != expected for way in ways):
                return f"turns the relation {names[0]!r} round at {value!r}"
    return ""


def _anchored(parts: Parts, schema: SchemaGraph) -> Iterator[tuple[ir.EdgePattern, str, str]]:
    """Directed edges between things of one type of which one end is known by a text."""
    loops = {e.label for e in schema.edges if e.source == e.target}
    if not loops & {label.name for label in parts.labels}:
        return
    values = _known_values(parts)
    for path in parts.paths:
        left = path.head
        for step in path.steps:
            edge, right = step.edge, step.node
            if isinstance(edge, ir.EdgePattern) and edge.direction is not ir.Direction.BOTH:
                names = set(edge_labels(edge))
                ends = (left, right) if edge.direction is ir.Direction.OUT else (right, left)
                known = [_value(end, values) for end in ends]
                anchor = ends[0] if known[0] else ends[1]
                if _met(anchor, names, parts) > 1:
                    known = ["", ""]  # its words may be those of another edge
                if names and names <= loops and bool(known[0]) != bool(known[1]):
                    side = "source" if known[0] else "target"
                    yield edge, side, known[0] or known[1]
            left = right


def _met(node: ir.NodePattern, names: set[str], parts: Parts) -> int:
    """How many edges of these types a node has in a statement."""
    met = 0
    for path in parts.paths:
        around = [path.head, *(step.node for step in path.steps)]
        for place, step in enumerate(path.steps):
            if isinstance(step.edge, ir.EdgePattern) and names & set(edge_labels(step.edge)):
                met += any(
                    end is node or (node.var and end.var == node.var)
                    for end in around[place : place + 2]
                )
    return met


def _value(node: ir.NodePattern, values: dict[str, str]) -> str:
    for entry in node.props.entries if isinstance(node.props, ir.MapOf) else ():
        if isinstance(entry.value, ir.Literal) and (text := _anchor(entry.value.value)):
            return text
    return values.get(node.var or "", "")


def _known_values(parts: Parts) -> dict[str, str]:
    """Variables that a comparison with a constant tells apart."""
    anchors: dict[str, str] = {}
    for test in parts.tests:
        match test:
            case ir.Compare(_, ir.Prop(ir.Var(name), _), ir.Literal(value)):
                text = _anchor(value)
                if text and name not in anchors:
                    anchors[name] = text
    twice = [text for text in anchors.values() if list(anchors.values()).count(text) > 1]
    return {name: text for name, text in anchors.items() if text not in twice}


def _anchor(value: object) -> str:
    """A constant as a text has it, "" where it may be said in other ways."""
    if isinstance(value, str):
        return value
    whole = isinstance(value, int) and not isinstance(value, bool)
    return str(value) if whole else ""


def _ways(text: str, verb: str, value: str) -> Iterator[str]:
    """How the verb stands before the value: `active`, or `passive` with its "by"."""
    tokens = _TOKEN.findall(_THOUSANDS.sub("", text))
    root = stem(verb)
    for place, token in enumerate(tokens):
        if token.strip('"').casefold() != value.casefold():
            continue
        before = tokens[max(0, place - _NEAR) : place]
        for back in range(len(before) - 1, -1, -1):
            word = before[back]
            if word.casefold() in _BREAKS:
                break
            if _DOER.search(word):
                continue  # "whose followers number more than 5"
            if not word.startswith('"') and stem(word) == root and _VERBAL.search(word):
                after = before[back + 1 : back + 2]
                if after == ["over"]:  # "are cited, over one to three steps, by …"
                    after = [word for word in before[back + 2 :] if word in ("by", "from")][:1]
                yield "passive" if after in (["by"], ["from"]) else "active"
                break
            if not word.startswith('"') and stem(word) == root:
                yield "active"
                break
