"""The slices that a prediction belongs to: properties of its record, its question, its schema."""

from __future__ import annotations

from evaluation.score import Prediction
from graph_ir import nodes as ir
from graph_ir.features import features
from graphmill.record import Record
from schemagraph.model import SchemaGraph

LENGTHS = (80, 120)  # characters of the gold query, as the bins of Adaptive Text2GQL (Table 12)
WITHIN = " · "  # between the two values of a slice of two dimensions
TYPES = (5, 10, 20)  # node and edge types of a schema


def groups(
    record: Record, gold: str, statement: ir.Statement, schema: SchemaGraph
) -> dict[str, tuple[str, ...]]:
    """Values by dimension; a record has one of each, but for constructs, of which it has many."""
    measured = features(statement)
    return {
        "tier": (record.difficulty or "unknown",),
        "database": (record.db,),
        "domain": (record.domain or "unknown",),
        "construct": tuple(record.constructs),
        "hops": (_hops(measured.hops, measured.variable_length),),
        "query_length": (length_bin(gold),),
        "schema_size": (_bin(len(schema.nodes) + len(schema.edges), TYPES, "types"),),
        "external_knowledge": ("needed" if record.external_knowledge else "none",),
    }


def question_groups(prediction: Prediction, domain: str) -> dict[str, tuple[str, ...]]:
    """What the line of predictions says of its question."""
    values: dict[str, tuple[str, ...]] = {}
    if prediction.form:
        values["form"] = (prediction.form,)
    if prediction.knowledge is not None:
        values["knowledge"] = ("with" if prediction.knowledge else "without",)
    if prediction.form:
        level = prediction.form
        if level == "business" and prediction.knowledge is not None:
            level += ", with evidence" if prediction.knowledge else ", without evidence"
        values["level"] = (level,)
        values["domain_level"] = (f"{domain or 'unknown'}{WITHIN}{level}",)
    if prediction.oral is not None:
        values["oral_names"] = ("with" if prediction.oral else "without",)
    return values


def length_bin(gold: str) -> str:
    """The bin of a gold query's length."""
    return _bin(len(gold), LENGTHS, "characters")


def _hops(number: int, variable: bool) -> str:
    shown = str(number) if number < 4 else "4 or more"
    return f"{shown}, variable length" if variable else shown


def _bin(number: int, edges: tuple[int, ...], unit: str) -> str:
    low = 0
    for edge in edges:
        if number <= edge:
            return f"{low:03d}–{edge:03d} {unit}"
        low = edge + 1
    return f"{low:03d} or more {unit}"
