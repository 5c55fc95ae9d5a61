"""Programs by a model: run in the sandbox, measured, sent back, given up after three rounds."""

from __future__ import annotations

import errno
import json
import shutil
import sys
from pathlib import Path

import pytest

from generators.sandbox import Limits
from generators.schemas.author import SchemaProposal, SchemaRequest
from generators.schemas.draft import Draft, parse
from generators.synthesis.model import ModelProgramAuthor
from generators.synthesis.sizes import sized
from generators.synthesis.writer import write_program
from generators.taxonomy.load import load_taxonomy, subdomain
from graphmill.errors import GraphmillError
from graphmill.llm.base import Reply
from graphmill.llm.budget import Budget, Budgeted, Prices
from graphmill.llm.client import Client
from graphmill.llm.scripted import Line, Scripted
from graphmill.llm.stub import Stub
from pipelines.cli.commands import main
from pipelines.synth import synthesis
from pipelines.synth.ledger import program_rejects
from pipelines.synth.synthesis import Synthesised, SynthesisError, synthesise
from schemagraph.folder.manifest import load_manifest
from tests.pipelines.drafts import DRAFT, PATH

pytestmark = pytest.mark.slow

NODES, EDGES = 120, 300
FENCE = "Here is the program:\n```python\n{}\n```\nIt is vectorised."


@pytest.fixture(scope="module")
def proposal() -> SchemaProposal:
    request = SchemaRequest(subdomain(load_taxonomy(()), PATH), level=1)
    made, _ = parse(Draft.model_validate(DRAFT), request)
    assert made is not None
    return made


@pytest.fixture(scope="module")
def right(proposal: SchemaProposal) -> str:
    """A program that draws it as specified: our own writer's, which other tests prove."""
    given = sized(proposal.schema, proposal.specification, NODES, EDGES)
    return write_program(proposal.schema, given)


def spoilt(program: str, statements: str) -> str:
    """The program, with more done after it has written everything."""
    return program.replace(
        '\n\nif __name__ == "__main__":',
        '\n\nif __name__ == "__main__":\n    import atexit\n'
        f"    atexit.register(lambda: exec({statements!r}))",
    )


RENAME = """
import polars as pl
path = 'out/nodes/Account.parquet'
pl.read_parquet(path).rename({'balance': 'saldo'}).write_parquet(path)
"""
DANGLING = """
import polars as pl
path = 'out/edges/Account__TRANSFERRED_TO__Account.parquet'
frame = pl.read_parquet(path)
frame.with_columns(pl.lit('DE00 0000 0000 0000').alias('target.iban')).write_parquet(path)
"""


class Run:
    """One synthesis with a scripted model."""

    def __init__(self, proposal: SchemaProposal, out: Path, *lines: Line) -> None:
        self.model = Scripted(lines)
        self.budget = Budget(None, Prices(1.0, 1.0))
        self.made: Synthesised | None = None
        self.failure: SynthesisError | None = None
        with Client(Budgeted(self.model, self.budget), self.budget) as client:
            author = ModelProgramAuthor(client, 7)
            try:
                self.made = synthesise(
                    proposal.schema,
                    proposal.specification,
                    out,
                    nodes=NODES,
                    edges=EDGES,
                    seed=7,
                    author=author,
                )
            except SynthesisError as problem:
                self.failure = problem
            attempts = (self.made or self.failure).attempts  # type: ignore[union-attr]
            self.ledger = program_rejects(author, proposal.schema.name, attempts)

    @property
    def codes(self) -> list[str]:
        return [reject.code for reject in self.ledger]


def test_a_right_program_is_taken_at_once(
    proposal: SchemaProposal, right: str, tmp_path: Path
) -> None:
    run = Run(proposal, tmp_path / "g", FENCE.format(right))
    assert run.made is not None
    assert run.codes == []
    assert (tmp_path / "g" / "program.py").read_text() == right
    program = run.made.manifest.origin["program"]
    assert program["author"] == "llm"
    assert program["model"] == "scripted"
    assert len(program["prompt"]) == 64
    assert run.budget.stages["program"].usd > 0
    assert "nodes/Account.parquet: iban String not null" in run.model.asks[0].messages[1].text


FIRST = {
    "run": ("1 / 0", "ZeroDivisionError: division by zero"),
    "run, endless": ("while True: pass", "seconds of processor time"),
    "files": (RENAME, "saldo"),
    "measure, dangling": (DANGLING, "edges without their target: expected 0"),
}


@pytest.mark.parametrize("name", FIRST)
def test_what_was_wrong_goes_back_and_the_next_program_is_taken(
    name: str,
    proposal: SchemaProposal,
    right: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    statements, said = FIRST[name]
    if "endless" in name:  # the second program has the limits of a graph of this size
        real = synthesis.limits_for
        few = iter([Limits(cpu=3, wall=60)])
        monkeypatch.setattr(synthesis, "limits_for", lambda given: next(few, real(given)))
    if name.startswith("run"):
        broken = right.replace("def generate(", f"{statements}\n\n\ndef generate(")
    else:
        broken = spoilt(right, statements)
    run = Run(proposal, tmp_path / "g", FENCE.format(broken), FENCE.format(right))
    assert run.made is not None
    assert run.codes == [name.partition(",")[0]]
    assert said in run.model.asks[1].messages[-1].text
    assert run.budget.stages["program"].calls == 2
    assert run.made.manifest.origin["program"]["attempts"] == 2


BOMB = """
import pyarrow as pa, pyarrow.parquet as pq
column = pa.DictionaryArray.from_arrays(pa.array([0] * 1000, pa.int32()), pa.array(['x' * 100_000]))
table = pa.table({'iban': column})
with pq.ParquetWriter('out/nodes/Account.parquet', table.schema, compression='zstd') as writer:
    for _ in range(20):
        writer.write_table(table)
"""
NOT_PARQUET = """
import os
open('out/nodes/Account.parquet', 'wb').write(b'PAR1' + b'x' * 3000 + b'\\xff\\xff\\xff\\x7fPAR1')
"""
TWO_FACED = """
import os, sys, tempfile, threading, time, uuid
where = tempfile.mkdtemp()
print(time.strftime('%Y-%m-%d %H:%M:%S'), time.time(), os.path.__file__, file=sys.stderr)
print(object(), uuid.uuid4(), where, f'{time.perf_counter():.3f} s', file=sys.stderr)
raise ValueError(f'{sys.prefix} {time.sleep} {threading.Event()} {threading.__file__}')
"""
NOISY = """
import sys, time
for number in range(10_000_000):
    print(number, file=sys.stderr) if number % 100_000 == 0 else None
while True: pass
"""
REPEATED = {
    "files, decodes to too much": (BOMB, "decodes to more than 1,024 MB"),
    "files, no Parquet": (NOT_PARQUET, "nodes/Account.parquet cannot be read"),
    "run, clock and addresses": (TWO_FACED, "ValueError: "),
    "run, stopped": (NOISY, "used up its 3 seconds of processor time."),
    "measure": (DANGLING, "edges without their target: expected 0"),
}


@pytest.mark.parametrize("name", REPEATED)
def test_a_correction_has_nothing_of_one_run_alone(
    name: str,
    proposal: SchemaProposal,
    right: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    statements, said = REPEATED[name]
    real = synthesis.limits_for
    if name.startswith("run"):
        broken = right.replace("def generate(", f"{statements}\n\n\ndef generate(")
    else:
        broken = spoilt(right, statements)
    requests = []
    for folder in (tmp_path / "first", tmp_path / "a second one"):
        few = iter([Limits(cpu=3, wall=60)] if "stopped" in name else [])
        monkeypatch.setattr(synthesis, "limits_for", lambda given, few=few: next(few, real(given)))
        run = Run(proposal, folder / "g", FENCE.format(broken), FENCE.format(right))
        assert run.made is not None
        assert run.codes == [name.partition(",")[0]]
        requests.append(run.model.asks[1])
    first, second = (request.messages[-1].text for request in requests)
    assert first == second
    assert requests[0].key("m") == requests[1].key("m")
    assert said in first
    for place in (tmp_path, Path(sys.prefix), Path(sys.base_prefix), Path.cwd()):
        assert str(place) not in first
    assert "GRAPHMILL_" not in first


def test_what_a_program_says_otherwise_each_time_is_not_paid_for_again(
    proposal: SchemaProposal, right: str, tmp_path: Path
) -> None:
    chance = "import random\n    raise ValueError(random.random(), id(object()), 'rows a second')"
    broken = right.replace(
        "def generate(", f"def chance():\n    {chance}\n\n\nchance()\ndef generate("
    )
    requests = []
    for folder in (tmp_path / "first", tmp_path / "second"):
        run = Run(proposal, folder / "g", FENCE.format(broken), FENCE.format(right))
        assert run.made is not None
        requests.append(run.model.asks[1])
    first, second = requests
    assert first.messages[-1] != second.messages[-1]
    assert first.key("m") == second.key("m")
    assert first.key("m", whole=True) != second.key("m", whole=True)
    assert first.key("m") != run.model.asks[0].key("m")


def test_a_model_that_answers_the_same_again_is_not_asked_a_third_time(
    proposal: SchemaProposal, right: str, tmp_path: Path
) -> None:
    failing = FENCE.format(right.replace("def generate(", "1 / 0\n\n\ndef generate("))
    run = Run(proposal, tmp_path / "g", failing, failing, FENCE.format(right))
    assert run.failure is not None
    assert run.codes == ["run", "run"]
    assert run.budget.stages["program"].calls == 2


def test_a_full_disk_is_named_by_the_place_of_the_graph(
    proposal: SchemaProposal, right: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(shutil, "copyfileobj", full)
    with pytest.raises(GraphmillError) as caught:
        Run(proposal, tmp_path / "g", FENCE.format(right))
    assert str(caught.value) == f"Cannot write {tmp_path / 'g'}: No space left on device."
    assert list(tmp_path.iterdir()) == []


def test_three_failures_end_in_an_error_with_a_complete_ledger(
    proposal: SchemaProposal, right: str, tmp_path: Path
) -> None:
    failing = right.replace("def generate(", "1 / 0\n\n\ndef generate(")
    renamed = spoilt(right, RENAME)
    lines = [FENCE.format(failing), "I would rather not.", FENCE.format(renamed)]
    run = Run(proposal, tmp_path / "g", *lines, FENCE.format(right))
    assert run.failure is not None
    assert run.codes == ["run", "no-program", "files"]
    assert [reject.evidence["round"] for reject in run.ledger] == [1, 2, 3]
    assert not (tmp_path / "g").exists()
    assert run.budget.stages["program"].calls == 3
    assert run.budget.spent > 0


def test_a_model_that_declines_ends_it(
    proposal: SchemaProposal, right: str, tmp_path: Path
) -> None:
    refusal = Reply("I must not.", "m", 10, 3, finish="refusal")
    run = Run(proposal, tmp_path / "g", FENCE.format(spoilt(right, RENAME)), refusal)
    assert isinstance(run.failure, SynthesisError)
    assert "declined" in str(run.failure)
    assert run.codes == ["files", "refusal"]


# --- the command line -----------------------------------------------------------------------


def command(folder: Path, server: Stub, *more: str) -> list[str]:
    size = ["--nodes", str(NODES), "--edges", str(EDGES), "--level", "1"]
    model = ["--author", "llm", "--base-url", server.url, "--model", "stub-model"]
    return ["synth", PATH, "--out", str(folder / "g"), *size, *model, *more]


def test_the_command_writes_a_graph_by_model_and_replays_it(
    right: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("openai", reason="needs the package openai (extra llm)")

    def answer(messages: list[dict[str, str]]) -> str:
        schema = "specification that a" in messages[0]["content"]
        return json.dumps(DRAFT) if schema else FENCE.format(right)

    prices = ["--prices", "2", "8", "--budget-usd", "1"]
    with Stub(answer) as server:
        assert main(command(tmp_path, server, *prices)) == 0
        said = json.loads(capsys.readouterr().out)
        assert len(server.calls) == 2
        manifest = (tmp_path / "g" / "manifest.json").read_bytes()
        origin = load_manifest(tmp_path / "g").origin
        shutil.rmtree(tmp_path / "g")
        assert main(command(tmp_path, server, *prices, "--replay")) == 0
        assert len(server.calls) == 2
    again = json.loads(capsys.readouterr().out)
    assert (tmp_path / "g" / "manifest.json").read_bytes() == manifest
    assert said["nodes"] == NODES
    assert said["costs"]["schema"]["calls"] == said["costs"]["program"]["accepted"] == 1
    assert again["costs"]["schema"]["usd_now"] == 0
    assert again["costs"]["schema"]["usd"] == said["costs"]["schema"]["usd"] > 0
    assert origin["schema_author"]["model"] == "stub-model"
    assert not (tmp_path / "g.rejects.jsonl").exists()


def test_a_model_is_asked_for_a_domain_of_any_name(
    right: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("openai", reason="needs the package openai (extra llm)")

    asked: list[str] = []

    def answer(messages: list[dict[str, str]]) -> str:
        asked.append(messages[-1]["content"])
        schema = "specification that a" in messages[0]["content"]
        return json.dumps(DRAFT) if schema else FENCE.format(right)

    with Stub(answer) as server:
        arguments = command(tmp_path, server)
        arguments[1] = "Beehives and honey"
        estimate = ["synth", "Beehives and honey", "--level", "1", "--estimate"]
        model = ["--author", "llm", "--base-url", server.url, "--model", "m"]
        assert main([*estimate, *model]) == 0
        capsys.readouterr()
        assert main(arguments) == 0
    assert "Design a graph of Beehives and honey" in asked[0]
    origin = load_manifest(tmp_path / "g").origin
    assert origin["subdomain"] == "beehives-and-honey"


def test_what_a_model_cannot_do_is_one_sentence_and_a_ledger(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("openai", reason="needs the package openai (extra llm)")
    with Stub(lambda messages: "I do not do JSON.") as server:
        assert main(command(tmp_path, server)) == 1
        assert len(server.calls) == 6  # three rounds, each with its repair
    error = capsys.readouterr().err
    assert "wrote no schema of finance/anti-money-laundering that can be used in 3 rounds" in error
    ledger = (tmp_path / "g.rejects.jsonl").read_text().splitlines()
    assert [json.loads(line)["code"] for line in ledger] == ["not-json"] * 3
    assert not (tmp_path / "g").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--model", "m"], "need --author llm"),
        (["--author", "llm"], "--base-url: Field required; --model: Field required"),
        (["--author", "llm", "--base-url", "ftp://x", "--model", "m"], "--base-url: String should"),
    ],
)
def test_wrong_options_are_one_sentence(
    options: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["synth", PATH, "--out", str(tmp_path / "g"), *options]) == 1
    assert said in capsys.readouterr().err


def test_an_estimate_bounds_the_costs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--author", "llm", "--base-url", "http://127.0.0.1:9", "--model", "m"]
    prices = ["--prices", "2", "8", "--budget-usd", "0.5"]
    assert main(["synth", PATH, "--level", "1", "--estimate", *options, *prices]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["calls"] == [2, 12]
    assert 0 < said["usd"][0] < said["usd"][1]
    assert said["within_budget"] is (said["usd"][1] <= 0.5)
    assert main(["synth", PATH, "--estimate"]) == 0
    assert json.loads(capsys.readouterr().out)["usd"] == [0.0, 0.0]
    assert list(tmp_path.iterdir()) == []


# --- a build --------------------------------------------------------------------------------

CONFIG = """
[corpus]
name = "laundering"
seed = 5

[queries]
grow = false
[[source]]
kind = "synthetic"
domain = "finance"
subdomain = "anti-money-laundering"
level = 1
nodes = 120
edges = 300
pairs = "pairs.jsonl"

[author]
kind = "llm"
base_url = "{url}"
model = "stub-model"
prices = {{ input = 2, output = 8 }}
budget_usd = 5
questions = "rules"
"""


def test_a_build_draws_by_model_keeps_the_ledger_and_pays_once(
    right: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("openai", reason="needs the package openai (extra llm)")
    lonely = json.loads(json.dumps(DRAFT))
    lonely["nodes"].append({**DRAFT["nodes"][2], "name": "Loner"})

    def answer(messages: list[dict[str, str]]) -> str:
        if "specification that a" not in messages[0]["content"]:
            return FENCE.format(right)
        return json.dumps(DRAFT if len(messages) > 2 else lonely)

    pair = {
        "question": "How many alerts are there?",
        "cypher": "MATCH (a:Alert) RETURN count(a) AS n",
    }
    (tmp_path / "pairs.jsonl").write_text(json.dumps(pair))
    out = tmp_path / "corpus"
    with Stub(answer) as server:
        (tmp_path / "corpus.toml").write_text(CONFIG.format(url=server.url))
        assert main(["build", str(tmp_path / "corpus.toml"), "--estimate"]) == 0
        estimate = json.loads(capsys.readouterr().out)
        assert estimate["calls"] == [2, 12]
        assert server.calls == []
        for _ in range(2):
            assert main(["build", str(tmp_path / "corpus.toml"), "--out", str(out)]) == 0
            said = json.loads(capsys.readouterr().out)
            assert said["stages"]["released"] == 1
            assert said["rejects"] == [
                {"stage": "schema-author", "code": "isolated-node", "count": 1}
            ]
            ledger = (out / "rejects.jsonl").read_text().splitlines()
            assert [json.loads(line)["code"] for line in ledger] == ["isolated-node"]
            assert len(server.calls) == 3
        costs = json.loads((out / ".work" / "anti-money-laundering.costs.json").read_text())
        replies = out / ".work" / "replies.jsonl"
        whole = replies.read_bytes()
        replies.write_bytes(b"".join(whole.splitlines(keepends=True)[:-1]))
        (out / ".work" / "finished.jsonl").unlink()
        capsys.readouterr()
        assert main(["build", str(tmp_path / "corpus.toml"), "--out", str(out)]) == 0
        error = capsys.readouterr().err
        assert f"{replies}: of its replies 1 is gone; what is missing is asked anew" in error
        assert "finished.jsonl is gone; what is missing is made anew" in error
        assert len(server.calls) == 4
    assert costs["schema"]["calls"] == 2
    assert costs["program"]["accepted"] == 1
    assert 0 < costs["schema"]["usd"] < estimate["usd"][1]
    origin = load_manifest(out / "graphs" / "anti-money-laundering").origin
    assert origin["program"]["author"] == "llm"
