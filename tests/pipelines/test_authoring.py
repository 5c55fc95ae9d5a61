"""Schemas by a model: judged whole, sent back with codes, given up after three rounds."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from generators.schemas.author import SchemaRequest
from generators.schemas.model import ModelSchemaAuthor
from generators.taxonomy.load import load_taxonomy, subdomain
from graphmill.errors import LLMError
from graphmill.llm.base import Reply
from graphmill.llm.budget import Budget, Budgeted, Prices
from graphmill.llm.client import Client
from graphmill.llm.scripted import Line, Scripted
from pipelines.author.authoring import Authored, AuthoringError, author_schema
from schemagraph.model import Kind
from schemagraph.specification.check import check_synthesis
from tests.pipelines.drafts import DRAFT, PATH, prop


@pytest.fixture(scope="module")
def request_() -> SchemaRequest:
    return SchemaRequest(subdomain(load_taxonomy(()), PATH), level=1)


def run(request: SchemaRequest, *lines: Line) -> tuple[Authored, Scripted, Budget]:
    model, budget = Scripted(lines), Budget(None, Prices(1.0, 1.0))
    with Client(Budgeted(model, budget), budget) as client:
        return author_schema(ModelSchemaAuthor(client), request, 7), model, budget


def test_a_draft_becomes_a_schema_with_its_distributions_and_words(request_: SchemaRequest) -> None:
    made, model, budget = run(request_, json.dumps(DRAFT))
    schema = made.proposal.schema
    assert [node.name for node in schema.nodes] == ["Customer&Party", "Account", "Alert"]
    assert schema.nodes[0].key == ("customer_no",)
    assert [edge.name for edge in schema.edges] == [
        "Customer&Party-HOLDS-Account",
        "Account-TRANSFERRED_TO-Account",
        "Alert-RAISED_FOR-Account",
    ]
    balance = schema.nodes[1].property("balance")
    assert balance is not None
    assert (balance.type.kind, balance.nullable) == (Kind.FLOAT, True)
    assert check_synthesis(schema, made.proposal.specification) == []
    assert made.proposal.specification.nodes["Alert"].fixed == 12
    words = made.proposal.lexicon
    back = words.paths["Customer&Party-HOLDS-Account"].backward
    assert back is not None
    assert (back.be, back.particle) == ("held", "by")
    assert words.properties["Account"]["balance"].unit == "EUR"
    assert made.round == 1
    assert made.rejects == ()
    assert made.origin["model"] == "scripted"
    assert len(made.origin["prompt"]) == 64
    assert "3 to 5 node" in model.asks[0].messages[1].text.replace("\n", " ")
    assert budget.to_json()["schema"]["usd_per_accepted"] > 0


def change(path: str, value: Any) -> Callable[[dict[str, Any]], None]:
    """Set the place `path` (dots, numbers for lists) of a draft."""

    def apply(draft: dict[str, Any]) -> None:
        *steps, last = path.split(".")
        place: Any = draft
        for step in steps:
            place = place[int(step) if step.isdigit() else step]
        place[int(last) if last.isdigit() else last] = value

    return apply


def append(path: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def apply(draft: dict[str, Any]) -> None:
        place: Any = draft
        for step in path.split("."):
            place = place[int(step) if step.isdigit() else step]
        place.append(copy.deepcopy(value))

    return apply


LONER = {**DRAFT["nodes"][2], "name": "Loner"}
BALANCE = DRAFT["nodes"][1]["properties"][1]
FAULTS: dict[str, Callable[[dict[str, Any]], None]] = {
    "unknown-end": change("edges.0.target", "Acount"),
    "isolated-node": append("nodes", LONER),
    "no-key": change("nodes.2.properties.0.key", False),
    "two-types": append(
        "nodes.0.properties", prop("balance", "STRING", {"kind": "faker", "provider": "name"})
    ),
    "repeated-type": append("edges", DRAFT["edges"][0]),
    "repeated-property": append("nodes.1.properties", BALANCE),
    "bad-name": change("edges.1.type", "transferredTo"),
    "nullable-key": change("nodes.1.properties.0.null", 0.1),
    "wrong-kind": change("nodes.1.properties.1.values", {"kind": "faker", "provider": "name"}),
    "wrong-edges": change("edges.0.triangles", 0.2),
    "unknown-provider": change("nodes.0.properties.1.values.provider", "nmae"),
    "bad-argument": change(
        "nodes.0.properties.1.values",
        {"kind": "faker", "provider": "pystr", "arguments": {"max_chars": 10**9}},
    ),
    "other-ends": change("edges.2", {**DRAFT["edges"][2], "cardinality": "n:m", "triangles": 0.2}),
    "unknown-column": change(
        "nodes.1.properties.1.values",
        {"kind": "scaled", "column": "x", "factor": {"kind": "uniform", "low": 1, "high": 2}},
    ),
    "node-count": lambda draft: draft["nodes"].extend(
        {**LONER, "name": f"Loner{n}"} for n in range(3)
    ),
    "invalid": change("nodes.1.weight", -1),
}


@pytest.mark.parametrize("code", FAULTS)
def test_each_fault_has_its_code_and_goes_back(code: str, request_: SchemaRequest) -> None:
    broken = copy.deepcopy(DRAFT)
    FAULTS[code](broken)
    lines = [json.dumps(broken), json.dumps(DRAFT)]
    if code == "invalid":  # the repair round of the client comes first
        lines.insert(0, json.dumps(broken))
    made, model, _ = run(request_, *lines)
    assert made.round == 2
    assert code in made.rejects[0].evidence["codes"]
    assert made.rejects[0].stage == "schema-author"
    last = model.asks[-1].messages
    assert [message.role for message in last] == ["system", "user", "assistant", "user"]
    assert f"[{code}]" in last[-1].text


def test_three_failures_end_with_a_complete_ledger(request_: SchemaRequest) -> None:
    broken = copy.deepcopy(DRAFT)
    FAULTS["isolated-node"](broken)
    with pytest.raises(AuthoringError, match=r"in 3 rounds.*isolated-node") as caught:
        run(request_, *[json.dumps(broken)] * 3, json.dumps(DRAFT))
    assert [reject.evidence["round"] for reject in caught.value.rejects] == [1, 2, 3]
    assert all(reject.code == "isolated-node" for reject in caught.value.rejects)
    assert all(json.loads(reject.evidence["reply"]) for reject in caught.value.rejects)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (Reply("I must not.", "m", finish="refusal"), "refusal"),
        (LLMError("The endpoint answered 500", "server"), "server"),
        (LLMError("The budget of 1.00 USD is used up", "budget"), "budget"),
    ],
)
def test_a_model_that_does_not_answer_is_in_the_ledger_too(
    line: Line, code: str, request_: SchemaRequest
) -> None:
    broken = copy.deepcopy(DRAFT)
    FAULTS["unknown-end"](broken)
    with pytest.raises(AuthoringError) as caught:
        run(request_, json.dumps(broken), line)
    assert [reject.code for reject in caught.value.rejects] == ["unknown-end", code]
