"""An engine that a configuration names proves, or nothing is built."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engines.base import Result
from engines.isolation import IsolatedEngine
from graphmill.errors import EngineLost, EngineStarved, EngineUnavailable, GraphmillError
from pipelines.build import context
from pipelines.build.context import DatabaseContext
from pipelines.cli.commands import main
from pipelines.configuration.reach import idle_engines
from pipelines.release.corpus import Corpus
from tests.engines.bolt_server import BoltServer

DEAD = "bolt://127.0.0.1:1"


def _certified(config: Path, engines: str, more: str = "") -> Path:
    text = f"{config.read_text()}\n[certify]\nengines = {engines}\n{more}\n"
    config.write_text(text, encoding="utf-8")
    return config


@pytest.mark.parametrize("estimate", [[], ["--estimate"]])
@pytest.mark.parametrize(
    ("engine", "more", "said"),
    [
        ("neo4j", f'neo4j_url = "{DEAD}"', f"No Bolt server answers at {DEAD}"),
        ("memgraph", "", "give its Bolt URL as GRAPHMILL_MEMGRAPH_URL"),
    ],
)
def test_an_engine_out_of_reach_is_an_error_before_anything_is_written(
    ferries: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    engine: str,
    more: str,
    said: str,
    estimate: list[str],
) -> None:
    monkeypatch.delenv("GRAPHMILL_MEMGRAPH_URL", raising=False)
    config, out = (
        _certified(ferries, f'["grafeo", "duckdb", "{engine}"]', more),
        ferries.parent / "o",
    )
    assert main(["build", str(config), "--out", str(out), "--jobs", "1", *estimate]) == 1
    told = capsys.readouterr()
    assert said in told.err
    assert f"take {engine} out of the list" in told.err
    assert not told.out
    assert not out.exists()


def test_a_server_that_takes_no_graph_ends_the_build(
    ferries: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It answers, and holds something else."""

    def full(text: str, given: Any) -> tuple[list[str], list[list[Any]]]:
        return ["x"], [[1]]

    config, out = _certified(ferries, '["grafeo", "duckdb", "memgraph"]'), ferries.parent / "o"
    with BoltServer(full, "Memgraph/1", (5, 0)) as server:
        monkeypatch.setenv("GRAPHMILL_MEMGRAPH_URL", server.url)
        assert main(["build", str(config), "--out", str(out), "--jobs", "1"]) == 1
    assert "take memgraph out of the list" in capsys.readouterr().err
    assert not (out / "corpus.lock").exists()


def test_an_engine_that_cannot_hold_a_graph_is_told_everywhere(
    ferries: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = DatabaseContext.run

    def without_ladybug(self: DatabaseContext, engine: str, text: str, language: str) -> Result:
        if engine == "ladybug":
            raise EngineUnavailable("LadybugDB cannot load it.")
        return run(self, engine, text, language)

    monkeypatch.setattr(DatabaseContext, "run", without_ladybug)
    config, out = _certified(ferries, '["grafeo", "duckdb", "ladybug"]'), ferries.parent / "o"
    assert main(["build", str(config), "--out", str(out), "--jobs", "1"]) == 0
    assert "warning: ladybug proved no record of ferries." in capsys.readouterr().err
    said = "Ladybug proved no record of ferries."
    assert said in (out / "README.md").read_text()
    assert said in (out / "report.html").read_text()


@pytest.mark.parametrize(
    ("problem", "advice"),
    [
        (EngineLost("It was killed. Run this again: what is finished is kept."), "Run this again"),
        (EngineUnavailable("There is none"), 'lists tinkergraph, by its name or in "all", so'),
    ],
)
def test_an_engine_of_all_that_does_not_start_ends_a_build_with_what_to_do(
    ferries: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    problem: GraphmillError,
    advice: str,
) -> None:
    def gone(self: IsolatedEngine) -> str:
        raise problem

    monkeypatch.setattr(IsolatedEngine, "version", gone)
    config, out = _certified(ferries, '["grafeo", "duckdb", "tinkergraph"]'), ferries.parent / "o"
    text = config.read_text()
    config.write_text(text + '[split.test]\nalso = ["gremlin"]\n', encoding="utf-8")
    assert main(["build", str(config), "--out", str(out), "--jobs", "1"]) == 1
    words = capsys.readouterr().err
    assert advice in words
    assert "--without tinkergraph" in words


def test_a_full_disk_ends_a_build_and_is_no_verdict_on_pairs(
    ferries: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(self: DatabaseContext, engine: str, text: str, language: str) -> Result:
        raise EngineStarved(f"{engine} cannot load the graph: No space left on device.")

    out = ferries.parent / "o"
    build = ["build", str(ferries), "--out", str(out), "--jobs", "1", "--limit", "4"]
    with monkeypatch.context() as patched:
        patched.setattr(DatabaseContext, "run", full)
        assert main(build) == 1
    assert "graphmill: sqlite cannot load the graph: No space" in capsys.readouterr().err
    assert not (out / "rejects.jsonl").exists()
    assert main(build) == 0
    assert "not-executed" not in (out / "rejects.jsonl").read_text("utf-8")


def test_an_engine_is_idle_only_where_it_could_run_something() -> None:
    named = {"engines": ["grafeo", "duckdb", "neo4j", "oxigraph"]}
    ran = {"a": {"grafeo", "duckdb"}, "b": {"neo4j"}}

    def idle(*languages: str, **more: Any) -> dict[str, list[str]]:
        config = {"corpus": {"languages": list(languages)}, "certify": named, **more}
        return idle_engines(config, ran, {"a": ["train"], "b": ["test"]})

    assert idle("cypher", "gql") == {"grafeo": ["b"], "neo4j": ["a"]}
    assert idle("sparql") == {"oxigraph": ["a", "b"]}
    in_test = {"test": {"also": ["sparql"], "engines": ["ladybug"]}}
    assert idle("cypher", split=in_test) == {
        "grafeo": ["b"],
        "neo4j": ["a"],
        "oxigraph": ["b"],
        "ladybug": ["b"],
    }


def test_an_engine_that_goes_on_is_started_once_for_all_databases(
    lakes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[str] = []

    class Counted(IsolatedEngine):
        def __init__(self, name: str, *given: Any, **options: Any) -> None:
            started.append(name)
            super().__init__(name, *given, **options)

    text = lakes.read_text().replace('domain = "nature"', 'domain = "nature"\nname = "one"')
    source = text.partition("[[source]]")[2].partition("[queries]")[0]
    text += f"\n[[source]]{source.replace('one', 'other')}"
    lakes.write_text(text)
    config, out = _certified(lakes, '["grafeo", "duckdb", "ladybug"]'), lakes.parent / "o"
    monkeypatch.setattr(context, "IsolatedEngine", Counted)
    assert main(["build", str(config), "--out", str(out), "--jobs", "1"]) == 0
    assert sorted(started) == ["duckdb", "duckdb", "grafeo", "grafeo", "ladybug"]
    ran = {
        record["db"]: {run["engine"] for run in record["certificates"]}
        for record in Corpus(out).records()
    }
    assert ran == {db: {"duckdb", "grafeo", "ladybug"} for db in ("one", "other")}
