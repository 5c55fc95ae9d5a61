"""Whether the three question levels keep what the query says, and say it at their level.

Text2GQL-Bench (section 4.4) asks of the syntactic level that it mirrors the query's words, of the
logical level that it has none of them but names every entity and relation, of the business level
that it shows no structure; it finds the logical and business levels weak where filter values are
missing (section 5.3). So every value of the query must be in the question, or in the external
knowledge.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from graph_ir import nodes as ir
from graph_ir.cypher.pair import Pair
from graph_ir.rewrites import has_aggregate
from graph_ir.setops import recognise
from graph_ir.values import mentioned_values, missing
from graphmill.record import Finding, Record
from qa.denials import denial_lost
from qa.directions import reversed_link
from qa.foreign import foreign_entity, foreign_value
from qa.mentions import Spoken, content, stems, touched
from qa.parts import Parts, edge_labels
from schemagraph.model import EdgeType, SchemaGraph

# Words that only a query language uses this way: capitals, or with their brackets and arrows.
_QUERY_TEXT = re.compile(
    r"\b(?:MATCH|WHERE|RETURN|ORDER BY|LIMIT|WITH|DISTINCT|UNWIND|EXISTS|COUNT)\b|\)-\[|\]->|\(\w*:"
)
# Words for how a graph is built, which an analyst does not think of.
_TOPOLOGY = re.compile(
    r"\b(?:nodes?|edges?|vert(?:ex|ices)|hops?|paths?|relationships?|traversals?|traverse[sd]?"
    r"|subgraphs?|multi-hop|adjacent|outgoing|incoming)\b|<?-{1,2}>|→|←",
    re.IGNORECASE,
)
_ENGINEER = re.compile(r"\b(?:nodes?|vert(?:ex|ices)|edges?|relationships?)\b", re.IGNORECASE)
_CODE = re.compile(r"(?<![\w.])(?:[A-Za-z]+_\w+|[a-z]+[A-Z]\w*)(?!\w)")
_QUOTED = re.compile(r'"[^"]*"')  # values are the data's words, whatever they are
_CLAUSES = (
    ("order", re.compile(r"\b(?:order|sort|rank)", re.IGNORECASE)),
    ("limit", re.compile(r"\b(?:limit|first|top|only)\b", re.IGNORECASE)),
    ("skip", re.compile(r"\b(?:skip|offset|leav|pass)", re.IGNORECASE)),
    ("distinct", re.compile(r"\b(?:distinct|unique|different|dedup)", re.IGNORECASE)),
    ("optional", re.compile(r"\b(?:optional|if any|whether or not)", re.IGNORECASE)),
    ("union", re.compile(r"\b(?:union|combin|branch|both|togeth)", re.IGNORECASE)),
    ("aggregate", re.compile(
        r"\b(?:count|number|sum|total|averag|mean|min|max|collect|list|standard dev|percentile"
        r"|median|aggregat|highest|lowest|how many)", re.IGNORECASE)),
)  # fmt: skip
NOTHING = Spoken()


@dataclass(frozen=True, slots=True)
class Asked:
    """One level's question with what may be known besides."""

    level: str
    text: str
    knowledge: str

    @property
    def both(self) -> str:
        """Question and knowledge."""
        return f"{self.text} {self.knowledge}"


def check_levels(
    pair: Pair, schema: SchemaGraph | None = None, spoken: Spoken = NOTHING
) -> Finding:
    """The first of `level_findings`, or that there is none."""
    return next(level_findings(pair, schema, spoken), Finding("levels", ok=True))


def level_findings(
    pair: Pair, schema: SchemaGraph | None = None, spoken: Spoken = NOTHING
) -> Iterator[Finding]:
    """All that is wrong with the questions; the evidence names the `level`.

    Codes: `level-missing`, `value-lost`, `value-foreign`, `negation-lost`, `level-mixed`; with a
    schema `direction-reversed`, `label-missing` and `clause-missing` (syntactic),
    `entity-missing`, `entity-foreign` and `relation-missing` (logical). `spoken` are the graph's
    own words for its names.
    """
    record, statement = pair.record, pair.statement
    asked = record.questions
    parts, values = Parts.of(statement), mentioned_values(statement)
    names = _names(parts)
    levels = {
        "syntactic": asked.syntactic,
        "logical": asked.logical,
        "business": asked.business,
    }
    if record.provenance.maker != "pairs" and denial_lost(statement, asked.original or "no"):
        yield _bad("original", "negation-lost", "The question denies nothing.")
    for level, text in levels.items():
        one = Asked(level, text, record.external_knowledge)
        if not text.strip() and level != "syntactic" and _is_unworded(record):
            continue
        if not text.strip():
            yield _bad(level, "level-missing", f"There is no {level} question.")
            continue
        if gone := missing(values, one.both):
            shown = ", ".join(map(repr, gone))
            yield _bad(level, "value-lost", f"The {level} question loses {shown}.")
        if added := foreign_value(text, record.queries["cypher"]):
            yield _bad(level, "value-foreign", f"The {level} question has {added} of its own.")
        if level != "syntactic" and denial_lost(statement, one.text):
            yield _bad(level, "negation-lost", f"The {level} question denies nothing.")
        yield from _mixed(names, one)
        if schema is None:
            continue
        if level != "syntactic" and (reversal := reversed_link(parts, text, schema)):
            yield _bad(level, "direction-reversed", f"The {level} question {reversal}.")
        if level == "syntactic":
            yield from _mirrored(parts, one)
        elif level == "logical":
            yield from _named(statement, one, schema, spoken)


_HELD = re.compile(r"(?:\b(?:without|with|no|of|have|has)|'s)(?= ((?:\w+ ){0,2}\w+))")


def _is_unworded(record: Record) -> bool:
    """Whether a given query has no question but its own and that of level 1."""
    asked = record.questions
    return record.provenance.maker == "pairs" and not (asked.logical or asked.business)


def _mixed(names: frozenset[str], asked: Asked) -> Iterator[Finding]:
    """Query text at the two upper levels, structure at the business level."""
    if asked.level == "syntactic":
        return
    plain = _QUOTED.sub("", asked.text)
    if match := _QUERY_TEXT.search(plain):
        yield _mix(asked, f"has query text: {match[0]!r}")
        return
    code = next((c for c in _CODE.findall(plain) if c in names), "")
    if code:
        yield _mix(asked, f"has a name in code form: {code!r}")
        return
    words = {word for name in names for word in content(name)}
    pattern = _TOPOLOGY if asked.level == "business" else _ENGINEER
    shown = (f[0] for f in pattern.finditer(plain))
    built = next((w for w in shown if not touched(w, stems(" ".join(words)))), "")
    if built:
        yield _mix(asked, f"shows how the graph is built: {built!r}")


def _mirrored(parts: Parts, asked: Asked) -> Iterator[Finding]:
    """The syntactic level has the labels, the edge types and the clauses of the query."""
    plain = re.sub(r"[\s_]+", "", asked.text).casefold()
    for name in sorted({label.name for label in parts.labels}):
        if re.sub(r"[\s_]+", "", name).casefold() not in plain:
            yield _bad("syntactic", "label-missing", f"The syntactic question lacks {name!r}.")
            return
    for clause in _clauses(parts):
        pattern = dict(_CLAUSES)[clause]
        if not pattern.search(_QUOTED.sub("", asked.text)):
            detail = f"The syntactic question does not say the query's {clause}."
            yield _bad("syntactic", "clause-missing", detail)
            return


def _clauses(parts: Parts) -> list[str]:
    """Which clauses a statement has that a mirror of it must name."""
    present: dict[str, bool] = {}
    for project in parts.projections:
        present["order"] = present.get("order", False) or bool(project.order)
        present["limit"] = present.get("limit", False) or project.limit is not None
        present["skip"] = present.get("skip", False) or project.skip is not None
        present["distinct"] = present.get("distinct", False) or project.distinct
        present["aggregate"] = present.get("aggregate", False) or any(
            has_aggregate(item.expr) for item in project.items
        )
    present["optional"] = any(match.optional for match in parts.matches)
    present["union"] = bool(parts.unions)
    return [name for name, _ in _CLAUSES if present.get(name)]


def _named(
    statement: ir.Statement, asked: Asked, schema: SchemaGraph, spoken: Spoken
) -> Iterator[Finding]:
    """The logical level names every entity and every relation."""
    known = stems(asked.both)
    parts = Parts.of(*_stated_parts(statement))
    for name in _entities(parts, schema):
        if not touched(name, known, spoken.nodes.get(name, ())) and content(name):
            detail = f"The logical question does not name the entity {name!r}."
            yield _bad("logical", "entity-missing", detail)
            return
    if other := foreign_entity(asked.text, parts, schema, spoken):
        detail = f"The logical question names {other!r}, which is not in the query."
        yield _bad("logical", "entity-foreign", detail)
        return
    for name in sorted({label for edge in parts.edges for label in edge_labels(edge)}):
        held = (e for e in schema.edges if e.label == name and _is_held(e, asked, schema, spoken))
        if not _related(name, known, schema, spoken) and next(held, None) is None:
            detail = f"The logical question does not name the relation {name!r}."
            yield _bad("logical", "relation-missing", detail)
            return


def _entities(parts: Parts, schema: SchemaGraph) -> list[str]:
    """The labels that a question must name: of (:Employee:Person), where all employees are
    people, the first."""
    counted = Counter(label.name for label in parts.labels)
    for pattern in parts.nodes:
        if isinstance(pattern.labels, ir.LabelAnd):
            names = [label.name for label in pattern.labels.args if isinstance(label, ir.LabelName)]
            for name in reversed(names[:]):
                those = [node for node in schema.nodes if ({*names} - {name}) & {*node.labels}]
                if those and all(name in node.labels for node in those):
                    names.remove(name)
                    counted[name] -= 1
    nodes = {label for node in schema.nodes for label in node.labels}
    return sorted(name for name, number in counted.items() if number and name in nodes)


def _stated_parts(statement: ir.Statement) -> tuple[ir.Statement, ...]:
    """The statement, or the parts of a set operation that a translator wrote as one query."""
    if isinstance(statement, ir.Query) and (set_operation := recognise(statement)) is not None:
        return set_operation.parts
    return (statement,)


def _related(name: str, known: frozenset[str], schema: SchemaGraph, spoken: Spoken) -> bool:
    """Whether a relation is named, or is no more than that its ends belong together."""
    types = [edge for edge in schema.edges if edge.label == name]
    ends = {w for e in types for end in (e.source, e.target) for w in content(end)}
    own = [word for word in content(name) if word not in ends]
    phrases = [p for e in types for p in spoken.edges.get(e.name, ())]
    phrases += spoken.edges.get(name, ())
    if not own or touched(" ".join(own), known):
        return True
    return any(touched(p, known) or not content(p) for p in phrases)


def _is_held(edge: EdgeType, asked: Asked, schema: SchemaGraph, spoken: Spoken) -> bool:
    """Whether a question says that one end has the other, "batches without any recalls", and no
    other relation of the schema could be meant."""
    ends = {edge.source, edge.target}
    between = [other for other in schema.edges if {other.source, other.target} == ends]
    if len(ends) == 1 or len(between) > 1:
        return False
    for match in _HELD.finditer(asked.text):
        before, behind = stems(asked.text[: match.start()]), stems(match[1])
        for one, other in ((edge.source, edge.target), (edge.target, edge.source)):
            if touched(one, before, spoken.nodes.get(one, ())) and touched(
                other, behind, spoken.nodes.get(other, ())
            ):
                return True
    return False


def _names(parts: Parts) -> frozenset[str]:
    """Labels, edge types, properties and variables of a statement."""
    names = {label.name for label in parts.labels} | {var.name for var in parts.variables}
    names |= {prop.key for prop in parts.properties} | {entry.key for entry in parts.entries}
    return frozenset(names)


def _mix(asked: Asked, what: str) -> Finding:
    return _bad(asked.level, "level-mixed", f"The {asked.level} question {what}.")


def _bad(level: str, code: str, detail: str) -> Finding:
    return Finding("levels", ok=False, code=code, detail=detail, evidence={"level": level})
