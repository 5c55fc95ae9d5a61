"""What a question about a path has to add, because a MATCH uses no edge twice.

Said hop by hop, a path may come back to an edge that it used before; the query's may not. And
"other" is ambiguous there: other than the one before, or than all that were taken before.
"""

from __future__ import annotations

from generators.masked.base import Language
from generators.queries.archetypes.filling import labels_of
from generators.queries.base import Ground
from graph_ir import nodes as ir
from schemagraph.model import EdgeType, SchemaGraph
from schemagraph.views import SubSchema

# What is said of a path: that "other" is meant hop by hop, that no edge is used twice, both
_NOTES: dict[Language, tuple[str, str, str]] = {
    "en": (
        "Here, “other” only rules out going straight back. ",
        "On the way, no connection is used twice. ",
        "Here, “other” only rules out going straight back, and no connection is used twice. ",
    ),
    "zh": (
        "其中“其他”只表示不原路折返。",
        "途中同一条关系不用两次。",
        "其中“其他”只表示不原路折返，同一条关系也不用两次。",
    ),
}


def without_note(question: str) -> str:
    """A question without what `Uniqueness.note` adds to it."""
    for note in (text for notes in _NOTES.values() for text in notes):
        question = question.replace(note, "")
    return question


class Uniqueness:
    """What has to be said of paths; `loose` are the edge types of which two edges can join the
    same two nodes, or one a node with itself, so that another edge need not lead elsewhere."""

    def __init__(self, loose: frozenset[str] = frozenset()) -> None:
        self.loose = loose

    @classmethod
    def of(cls, ground: Ground) -> Uniqueness:
        """As the data are; an edge type counts as loose where they do not tell."""
        return cls(frozenset(e.name for e in ground.schema.edges if _is_loose(e, ground)))

    def other(self, path: SubSchema, place: int) -> bool:
        """Whether a hop leads to something other than what is two hops before it."""
        return path.turns_back(place) and path.hops[place].edge.name not in self.loose

    def once(self, path: SubSchema) -> bool:
        """Whether to say that no connection is used twice."""
        return any(
            one.edge == two.edge and (later > place + 1 or one.edge.name in self.loose)
            for place, one in enumerate(path.hops)
            for later, two in enumerate(path.hops[place + 1 :], place + 1)
        )

    def note(self, path: SubSchema, language: Language) -> str:
        """What the steps of a path do not say by themselves."""
        ambiguous = any(self.other(path, place) for place in range(2, len(path.hops)))
        other, once, both = _NOTES[language]
        if self.once(path):
            return both if ambiguous else once
        return other if ambiguous else ""


def _is_loose(edge: EdgeType, ground: Ground) -> bool:
    patterns = [_path(edge, ground.schema, loop=False)]
    if edge.source == edge.target:
        patterns.append(_path(edge, ground.schema, loop=True))
    last = ir.Project((ir.Item(ir.Literal(1), "found"),), limit=ir.Literal(1), final=True)
    answers = [ground.ask(ir.Query((ir.Match((path,)), last))) for path in patterns]
    return any(answer is None or answer.rows for answer in answers)


def _path(edge: EdgeType, schema: SchemaGraph, *, loop: bool) -> ir.Path:
    """A node that an edge joins with itself, or that two edges join with the same other one."""
    head = ir.NodePattern("a", labels_of(schema.node_by_name[edge.source], schema))
    other = ir.NodePattern("b", labels_of(schema.node_by_name[edge.target], schema))
    there = ir.EdgePattern(None, ir.LabelName(edge.label), ir.Direction.OUT)
    back = ir.EdgePattern(None, ir.LabelName(edge.label), ir.Direction.IN)
    again = ir.NodePattern("a")
    if loop:
        return ir.Path(head, (ir.Step(there, again),))
    return ir.Path(head, (ir.Step(there, other), ir.Step(back, again)))
