"""Systems that ask a model, end to end over HTTP against the simulated model of benchmarks/."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import graphmill as gm
from benchmarks.given_schema import files
from benchmarks.simulated_model import KINDS, Rates, Simulated, recognised
from evaluation.answering.schema_text import schema_text
from evaluation.answering.values import Values
from evaluation.base import Task
from graphmill.files import write_json_lines
from graphmill.llm.stub import Stub
from pipelines.cli.commands import main
from pipelines.evaluate.oral import OralNames, misspelt
from schemagraph.folder.serde import load_schema
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type

pytestmark = pytest.mark.slow


RIGHT = dict.fromkeys(KINDS, 0.0)

type Ask = Callable[..., dict[str, Any]]


def ask(corpus: Path, url: str, out: Path, *more: str) -> dict[str, Any]:
    """The figures of one run on the questions of train and its exit status 0."""
    options = ["--question", "original", "--base-url", url, "--model", "simulated", "--quiet"]
    arguments = ["evaluate", str(corpus), *options, "--no-suites", "--out", str(out), *more]
    assert main(arguments) == 0
    found: dict[str, Any] = json.loads((out / "scores.json").read_text())
    return found


def served(corpus: Path, language: str = "cypher", **rates: Any) -> tuple[Simulated, Stub]:
    """A simulated model, and its server."""
    model = Simulated.of(corpus, language=language, rates=Rates(**rates))
    return model, Stub(model.answer)


def predicted(out: Path) -> list[dict[str, Any]]:
    """The predictions of a run."""
    return [json.loads(line) for line in (out / "predictions.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("system", ["zero-shot", "few-shot"])
def test_a_model_without_errors_is_right_and_one_call_a_question(
    corpus: Path, tmp_path: Path, system: str
) -> None:
    """AT-1: Ŷ = LLM(Q, 𝒮). AT-40: seconds of calls are kept, beside the figures."""
    _, server = served(corpus, errors=RIGHT)
    with server:
        figures = ask(corpus, server.url, tmp_path / "run", "--system", system)
    own = figures["languages"]["cypher"]
    assert own["ex"] == 1.0
    assert own["costs"]["calls"] == own["n"] == len(server.calls)
    assert own["costs"]["prompt_parts"]["schema"] > 0
    assert own["costs"]["seconds"] is None  # they differ from run to run, and stand apart
    assert (tmp_path / "run" / "latency.jsonl").is_file()


@pytest.mark.parametrize("system", ["few-shot", "adaptive"])
def test_a_run_that_is_repeated_pays_nothing_and_writes_the_same_bytes(
    corpus: Path, tmp_path: Path, system: str
) -> None:
    _, server = served(corpus)
    out = tmp_path / "run"
    with server:
        ask(corpus, server.url, out, "--system", system)
        paid = len(server.charged)
        before = {p.name: p.read_bytes() for p in out.iterdir()}
        ask(corpus, server.url, out, "--system", system)
        assert len(server.charged) == paid
    ask(corpus, server.url, out, "--system", system, "--replay")  # nobody answers there now
    assert before == {p.name: p.read_bytes() for p in out.iterdir()}


def test_errors_of_the_model_are_found_as_what_they_are(corpus: Path, tmp_path: Path) -> None:
    model, server = served(corpus, errors={**RIGHT, "syntax": 1.0})
    with server:
        options = ("--system", "zero-shot", "--split", "train")
        figures = ask(corpus, server.url, tmp_path / "run", *options)
    own = figures["languages"]["cypher"]
    assert own["n"] > 1
    assert own["ex"] == 0.0
    assert set(own["classes"]) == {"syntax"}
    assert model.counts["syntax"] == own["n"]


def test_the_fixed_shots_are_the_same_in_every_prompt(corpus: Path, tmp_path: Path) -> None:
    _, server = served(corpus, errors=RIGHT)
    with server:
        for shots in ("3", "4"):  # 4 is the control of NS-18
            more = ("--system", "few-shot", "--set", f"shots={shots}", "--split", "test")
            ask(corpus, server.url, tmp_path / shots, *more)
    for most in (3, 4):
        lines = predicted(tmp_path / str(most))
        assert len({tuple(line["trace"]["shots"]) for line in lines}) == 1
        assert 0 < len(lines[0]["trace"]["shots"]) <= most
    prompts = [call.text for call in server.calls]
    assert all("Examples" in text and "Question: " in text for text in prompts)


def test_schema_forms(corpus: Path) -> None:
    schema = load_schema(corpus / "graphs" / "ferries")
    ddl, cypher, as_json = (schema_text(schema, form) for form in ("ddl", "cypher", "json"))
    assert ddl.startswith("CREATE GRAPH TYPE")
    assert "-[:CALLS_AT" in cypher
    parsed = json.loads(as_json)
    assert {"from": "Ship", "to": "Port", "type": "CALLS_AT"}.items() <= next(
        edge for edge in parsed["edges"] if edge["type"] == "CALLS_AT"
    ).items()
    sampled = schema_text(schema, "cypher", {("Port", "name"): "Kiel"})
    assert 'name: STRING = "Kiel"' in sampled  # MA-6: one sampled value a property


def test_schemas_of_prompts_say_what_is_declared() -> None:
    text, number = Type(Kind.STRING), Type(Kind.INTEGER)
    properties = (
        Property("id", number, False),
        Property("code", text, unique=True),
        Property("state", text, values=("in", "out")),
    )
    ship = NodeType(("Ship",), properties, ("id",), unique=(("code", "state"),))
    call = EdgeType("CALLS", "Ship", "Ship", (Property("kind", text, values=("a",)),))
    schema = SchemaGraph("x", (ship,), (call,))
    assert schema_text(schema).splitlines() == [
        '(:Ship {id: INTEGER KEY, code: STRING UNIQUE, state: STRING IN ["in", "out"]})'
        " UNIQUE (code, state)",
        '(:Ship)-[:CALLS {kind: STRING IN ["a"]}]->(:Ship)',
    ]
    as_json = json.loads(schema_text(schema, "json", {("Ship", "id"): 7}))
    assert as_json["nodes"][0]["properties"]["id"] == "INTEGER KEY, such as 7"
    assert as_json["nodes"][0]["properties"]["state"] == 'STRING IN ["in", "out"]'
    assert as_json["nodes"][0]["unique"] == [["code", "state"]]
    assert as_json["edges"][0]["properties"] == {"kind": 'STRING IN ["a"]'}


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--system", "few-shot"], "model"),
        (["--system", "few-shot", "--model", "m"], "base-url"),
        (["--system", "few-shot", "--model", "a,b", "--base-url", "http://localhost/v1"], "twice"),
        (["--system", "few-shots"], "few-shot"),
    ],
)  # fmt: skip
def test_what_is_missing_is_said(
    corpus: Path, tmp_path: Path, more: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["evaluate", str(corpus), "--quiet", "--out", str(tmp_path / "run"), *more]
    assert main(arguments) == 1
    assert told in capsys.readouterr().err


def test_a_model_for_one_role_has_its_own_record(corpus: Path, tmp_path: Path) -> None:
    """NS-24: a model per role."""
    _, server = served(corpus, errors=RIGHT)
    out = tmp_path / "run"
    with server:
        arguments = ["--system", "zero-shot", "--model", "small,generator=large"]
        ask(corpus, server.url, out, *arguments)
    assert (out / "replies.large.jsonl").stat().st_size > 0
    assert {body["model"] for body in server.bodies} == {"large"}
    assert json.loads((out / "run.json").read_text())["models"] == {
        "": "small",
        "generator": "large",
    }


def test_three_agents_repairs_what_the_error_names(corpus: Path, tmp_path: Path) -> None:
    """NS-16, NS-25: the refiner mends what the error names; without it nothing is mended."""
    _, server = served(corpus, errors={**RIGHT, "label": 1.0}, repair=1.0)
    options = ("--system", "three-agents", "--split", "train")
    with server:
        whole = ask(corpus, server.url, tmp_path / "whole", *options)
        less = ask(corpus, server.url, tmp_path / "less", *options, "--set", "refiner=no")
    assert whole["languages"]["cypher"]["ex"] == 1.0
    assert whole["languages"]["cypher"]["costs"]["repaired"] == 1.0
    assert less["languages"]["cypher"]["ex"] == 0.0
    assert whole["languages"]["cypher"]["linked_schema"]["mean"] == 1.0  # NS-22, revised


@pytest.mark.parametrize(("kind", "ex"), [("wrong", 0.0), ("full", 1.0), ("gold", 1.0)])
def test_the_schema_that_is_given_takes_the_place_of_the_linked_one(
    corpus: Path, tmp_path: Path, kind: str, ex: float
) -> None:
    """NS-23: wrong, full, gold; what is not in it cannot be written."""
    model, server = served(corpus, errors=RIGHT)
    lines = [line for split in ("train", "test") for line in files(corpus, split)[kind]]
    given = tmp_path / f"{kind}.jsonl"
    write_json_lines(given, lines)
    with server:
        more = ("--set", f"given={given}", "--set", "refiner=no", "--split", "train")
        own = ask(corpus, server.url, tmp_path / "run", "--system", "three-agents", *more)
    shown = {line["id"]: line["schema"] for line in lines}
    for line in predicted(tmp_path / "run"):
        assert set(line["trace"]["schema"]) == set(shown[line["id"]]), kind
    assert own["languages"]["cypher"]["ex"] == ex
    assert model.counts.get("schema lacks", 0) == (own["languages"]["cypher"]["n"] * (1 - ex))


@pytest.mark.parametrize("text", ['{"id": 1, "schema": []}', '{"id": "a"}', "nothing"])
def test_a_file_of_given_schemas_that_is_none_is_named(
    corpus: Path, tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "given.jsonl"
    path.write_text(text)
    arguments = ["evaluate", str(corpus), "--quiet", "--out", str(tmp_path / "run")]
    arguments += ["--system", "three-agents", "--set", f"given={path}"]
    assert main([*arguments, "--base-url", "http://127.0.0.1:9/v1", "--model", "m"]) == 1
    told = capsys.readouterr().err
    assert "given.jsonl, line 1" in told


def test_so_many_questions_of_each_database_are_drawn_by_the_seed(
    corpus: Path, tmp_path: Path
) -> None:
    """MA-9: 150 random questions of each graph, here 2."""
    drawn = set()
    for seed in (1, 1, 2, 3, 4):
        out = tmp_path / str(seed)
        asked: dict[str, Any] = {"system": "nearest", "split": "train", "question": "original"}
        figures = gm.evaluate(corpus, **asked, per_database=2, seed=seed, out=out, suites=False)
        lines = predicted(out)
        assert len(lines) == figures["languages"]["cypher"]["n"] == 2
        left = figures["left_out"]
        assert sum(each["records"] for each in left) == figures["records"] - 2
        assert all("not drawn" in each["why"] for each in left)
        drawn.add((seed, tuple(line["id"] for line in lines)))
    assert len(drawn) == 4, "one seed, one draw"
    assert len({ids for _, ids in drawn}) > 1
    with pytest.raises(gm.ConfigError, match="per-database"):
        gm.evaluate(corpus, system="nearest", per_database=0)
    with pytest.raises(gm.ConfigError, match="per_database"):
        gm.evaluate(corpus, [], per_database=1)


def test_names_are_written_as_people_do_and_told_apart(corpus: Path, tmp_path: Path) -> None:
    """Short, misspelt, in another spelling; never as another value of the graph is written."""
    asked: dict[str, Any] = {"system": "nearest", "split": "train", "question": "original"}
    figures = gm.evaluate(corpus, **asked, out=tmp_path / "run", oral=True, suites=False)
    lines = predicted(tmp_path / "run")
    changed = [line["oral_names"] for line in lines]
    assert changed == [bool(line["oral_name"]) for line in lines]
    parts = figures["languages"]["cypher"]["by"]["oral_names"]
    assert {name: part["n"] for name, part in parts.items()} == {
        name: number
        for name, number in (("with", sum(changed)), ("without", len(changed) - sum(changed)))
        if number
    }


def test_a_name_that_a_question_has_is_written_otherwise(corpus: Path) -> None:
    graph = corpus / "graphs" / "ferries"
    schema = load_schema(graph)
    values = Values.of(graph, schema)
    names = [name for own in values.texts.values() for name in own if len(name) > 5]
    assert names
    for name in names:
        given = Task("a", "ferries", f"What about {name}, then?", "cypher", schema, graph)
        task, spoken = OralNames(7).of(given)
        ((written, meant),) = spoken.items()
        assert meant == name
        assert task.question == f"What about {written}, then?"
        assert not values.named(written)
        assert (task, spoken) == OralNames(7).of(given), "one seed, one way"


@pytest.mark.parametrize("seed", range(5))
def test_a_slip_is_inside_of_a_word(seed: int) -> None:
    wrong = misspelt("Aurora Borealis", Random(seed))
    assert wrong != "Aurora Borealis"
    assert set(wrong) <= set("Aurora Borealis")
    assert abs(len(wrong) - len("Aurora Borealis")) <= 1
    assert [word[:2] + word[-1] for word in wrong.split()] == ["Aua", "Bos"]


def test_three_agents_writes_ngql(corpus: Path, tmp_path: Path) -> None:
    """NS-15, NS-16: the language of the paper, read and run through its meaning."""
    _, server = served(corpus, "ngql", errors={**RIGHT, "syntax": 1.0}, repair=1.0)
    options = ("--system", "three-agents", "--split", "train", "--language", "ngql")
    with server:
        own = ask(corpus, server.url, tmp_path / "run", *options)["languages"]["ngql"]
    assert own["n"] > 1
    assert own["ex"] == own["costs"]["repaired"] == 1.0
    asked = " ".join(m["content"] for body in server.bodies for m in body["messages"])
    assert "s.stock.name" in asked  # NS-8: properties are qualified by tag, equality is ==
    assert "==" in asked


def test_three_agents_goes_back_to_the_preprocessor(corpus: Path, tmp_path: Path) -> None:
    """NS-17: Info Error sends question, query and error back as history; three rounds at most."""
    model, server = served(corpus, errors={**RIGHT, "label": 1.0}, repair=0.0)
    with server:
        options = ("--system", "three-agents", "--split", "train")
        ask(corpus, server.url, tmp_path / "run", *options)
    lines = predicted(tmp_path / "run")
    assert {line["trace"]["repairs"] for line in lines} == {3}
    assert {len(line["calls"]) for line in lines} == {6}  # recognise, revise, generate, 3 rounds
    model.info_error = True
    server = Stub(model.answer)
    with server:
        ask(corpus, server.url, tmp_path / "back", *options)
    lines = predicted(tmp_path / "back")
    assert {len(line["calls"]) for line in lines} == {15}  # 3 + 3 × (refiner, then all anew)
    assert any("What was tried before" in call.text for call in server.calls)


@pytest.mark.parametrize(
    ("system", "calls"),
    [
        ("zero-shot", 1),
        ("few-shot", 1),
        ("adaptive", 2),
        ("three-agents", 2),
        ("hybrid", 2),
        ("multi-agent", 2),
    ],
)
def test_calls_bound_every_system(corpus: Path, tmp_path: Path, system: str, calls: int) -> None:
    """X-4: the same number of calls for all; those that repair would take more of this model."""
    _, server = served(corpus, errors={**RIGHT, "label": 1.0}, repair=0.0)
    with server:
        options = ("--system", system, "--split", "train", "--calls", "2")
        figures = ask(corpus, server.url, tmp_path / "run", *options)
    assert figures["languages"]["cypher"]["n"]
    assert {len(line["calls"]) for line in predicted(tmp_path / "run")} == {calls}


def test_hybrid_builds_a_library_and_chooses_from_it(corpus: Path, tmp_path: Path) -> None:
    """HR-1 to HR-11: templates filled and verified, a proxy, three examples with reasoning."""
    _, server = served(corpus, errors={**RIGHT, "syntax": 1.0}, examples=0.0)
    options = ("--system", "hybrid", "--split", "train")
    with server:
        own = ask(corpus, server.url, tmp_path / "run", *options)["languages"]["cypher"]
        paid = len(server.charged)
        ask(corpus, server.url, tmp_path / "run", *options)
        assert len(server.charged) == paid
    assert own["ex"] == 1.0  # this model errs without examples, and not with them
    lines = predicted(tmp_path / "run")
    library = lines[0]["trace"]["library"]
    assert library["entries"] > 0
    assert library["feedback"]["syntax"] == library["feedback"]["success"]  # HR-4, refined once
    assert {len(line["calls"]) for line in lines} == {2}  # the proxy, the answer
    assert all(0 < len(line["trace"]["examples"]) <= 3 for line in lines)


@pytest.mark.parametrize("setting", ["leave-out=yes", "retrieval=none"])
def test_hybrid_without_examples(corpus: Path, tmp_path: Path, setting: str) -> None:
    """HR-17 and the control: no example of the tested graph, which is the only one here."""
    _, server = served(corpus, errors={**RIGHT, "syntax": 1.0}, examples=0.0)
    options = ("--system", "hybrid", "--split", "train", "--set", setting)
    with server:
        own = ask(corpus, server.url, tmp_path / "run", *options)["languages"]["cypher"]
    assert own["ex"] == 0.0
    assert all(line["trace"]["examples"] == [] for line in predicted(tmp_path / "run"))


def test_multi_agent_verifies_names_against_the_graph(corpus: Path, tmp_path: Path) -> None:
    """MA-2, MA-4, MA-7: a wrong label is told from the graph and corrected; answers in words."""
    _, server = served(corpus, errors={**RIGHT, "label": 1.0}, repair=1.0)
    with server:
        options = ("--system", "multi-agent", "--split", "train")
        own = ask(corpus, server.url, tmp_path / "run", *options)["languages"]["cypher"]
    assert own["ex"] == 1.0
    lines = predicted(tmp_path / "run")
    assert {tuple(line["trace"]["grades"]) for line in lines} == {("error or empty", "accept")}
    assert all(line["trace"]["words"].startswith("The answer is") for line in lines)
    # generate, evaluate; extract, instruct, aggregate; generate, evaluate; interpret
    assert {len(line["calls"]) for line in lines} <= {8, 9}


def test_multi_agent_gives_up_after_four_attempts(corpus: Path, tmp_path: Path) -> None:
    """MA-7; and the control "Single" (MA-10) knows no grade but an error."""
    _, server = served(corpus, errors={**RIGHT, "label": 1.0}, repair=0.0)
    options = ("--system", "multi-agent", "--split", "train")
    with server:
        ask(corpus, server.url, tmp_path / "run", *options)
        ask(corpus, server.url, tmp_path / "single", *options, "--set", "roles=no")
    for line in predicted(tmp_path / "run"):
        assert line["trace"]["grades"] == ["error or empty"] * 4
    for line in predicted(tmp_path / "single"):
        assert len(line["calls"]) == 5  # four attempts, the interpreter


FIRST = (
    "MATCH (s:Ship)-[:CALLS_AT]->(p:Port) WHERE s.name IN ['stena', 'aurora'] RETURN p.name AS port"
)
SECOND = (
    "MATCH (x:Ship {name: 'Stena'}) OPTIONAL MATCH (x)-[:CALLS_AT]->(p:Port) "
    "WITH collect(p) AS own MATCH (y:Ship {name: 'Aurora'}) "
    "OPTIONAL MATCH (y)-[:CALLS_AT]->(q:Port) WITH own, collect(q) AS others "
    "UNWIND own + others AS port RETURN count(DISTINCT port) AS ports"
)


def test_the_trace_of_the_paper(corpus: Path, tmp_path: Path) -> None:
    """MA-14: names in lower case give nothing; verification tells the spellings of the graph, and
    two optional matches, collected, joined, unwound and counted distinct give the answer."""
    told: list[str] = []

    def model(messages: list[dict[str, str]]) -> str:
        name, values = recognised(messages)
        if name == "ma-generate":
            told.append(values["feedback"])
            return FIRST if values["query"] == "none" else SECOND
        if name == "ma-evaluate":
            right = values["query"] == SECOND and values["result"].split() == ["ports", "4"]
            return json.dumps({"grade": "accept" if right else "error or empty", "feedback": ""})
        if name == "ma-extract":
            named = [["Ship", "name", "stena"], ["Ship", "name", "aurora"]]
            return json.dumps({"node_labels": ["Ship"], "node_property_values": named})
        if name == "ma-rank":
            return json.dumps({"ranked": [values["value"].title()]})
        return {"ma-instruct": values.get("checks", ""), "ma-interpret": "Four ports."}.get(
            name, values.get("instructions", "")
        )

    with Stub(model) as server:
        ask(corpus, server.url, tmp_path / "run", "--system", "multi-agent", "--split", "test")
    (line, *_) = predicted(tmp_path / "run")
    assert line["query"] == SECOND
    assert line["trace"]["grades"] == ["error or empty", "accept"]
    assert line["trace"]["words"] == "Four ports."
    assert told[0] == "none"
    for name, share in (("Stena", "80.00"), ("Aurora", "83.33")):
        assert f"near: {name} ({share})" in told[1]
        assert f"most likely: {name}" in told[1]


def test_a_judge_compares_answers_in_words_with_the_rows_of_the_gold(
    corpus: Path, tmp_path: Path
) -> None:
    """MA-11, MA-12: the judge is shown the gold's rows, by a model of its own, and told by graph; a
    question without words is wrong and asked of nobody."""
    _, server = served(corpus, errors=RIGHT)
    options = ("--system", "multi-agent", "--judge", "--model", "small,judge=large")
    with server:
        own = ask(corpus, server.url, tmp_path / "run", *options)["languages"]["cypher"]
        judged = [call for call in server.bodies if call["model"] == "large"]
        silent = ask(corpus, server.url, tmp_path / "no", *options, "--set", "words=no")
        asked = len([call for call in server.bodies if call["model"] == "large"])
    assert own["judged"]["n"] == own["n"] == len(judged) == asked
    assert own["judged"]["mean"] == 1.0
    assert own["costs"]["calls"] == 3 * own["n"]  # generate, evaluate, interpret: not the judge's
    assert silent["languages"]["cypher"]["judged"] == {"mean": 0.0, "n": own["n"]}
    assert all('"right": true' in body["messages"][0]["content"] for body in judged)


def test_multi_agent_grades_what_runs_and_is_wrong_as_incorrect(
    corpus: Path, tmp_path: Path
) -> None:
    """MA-3: rows that do not answer the question: back to the generator with the feedback alone."""
    _, server = served(corpus, errors={**RIGHT, "condition": 1.0})
    with server:
        ask(corpus, server.url, tmp_path / "run", "--system", "multi-agent", "--split", "train")
    grades = {tuple(line["trace"]["grades"]) for line in predicted(tmp_path / "run")}
    assert grades <= {("accept",), ("incorrect",) * 4}
    assert ("incorrect",) * 4 in grades


def test_the_python_api_asks_systems_like_the_command(corpus: Path, tmp_path: Path) -> None:
    _, server = served(corpus, errors=RIGHT)
    with server:
        figures = gm.evaluate(
            corpus,
            system="few-shot",
            settings={"shots": "2"},
            model={"model": "simulated", "base_url": server.url},
            question="original",
            split="train",
            suites=False,
            out=tmp_path / "run",
        )
    assert figures["languages"]["cypher"]["ex"] == 1.0
    assert figures["system"]["settings"]["shots"] == "2"
    assert gm.evaluate(corpus, system="nearest", suites=False)["system"]["name"] == "nearest"
    with pytest.raises(gm.ConfigError, match="either"):
        gm.evaluate(corpus)
    with pytest.raises(gm.ConfigError, match="for a system"):
        gm.evaluate(corpus, [], calls=2)
    with pytest.raises(gm.UnknownNameError, match="form"):
        gm.evaluate(corpus, system="nearest", question="sung")
