"""The records of a split that asks for more languages and engines than the corpus."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engines.base import Result
from graphmill.errors import ConfigError, EngineError, EngineLost
from graphmill.files import file_digest
from pipelines.build.context import DatabaseContext
from pipelines.cli.commands import main
from pipelines.configuration.config import load
from pipelines.release.corpus import Corpus

MORE = '[split.test]\nalso = ["sparql", "sql"]\nengines = ["ladybug", "oxigraph"]\n'


def _with(config: Path, text: str) -> Path:
    config.write_text(f"{config.read_text()}\n{text}", encoding="utf-8")
    return config


def _built(config: Path, *options: str) -> Corpus:
    out = config.parent / "o"
    assert main(["build", str(config), "--out", str(out), "--jobs", "1", *options]) == 0
    return Corpus(out)


def _texts(record: dict[str, Any]) -> set[str]:
    return {name for name, text in record["queries"].items() if text}


def _engines(record: dict[str, Any]) -> set[str]:
    return {run["engine"] for run in record["certificates"]}


def test_a_split_has_more_languages_and_engines(ferries: Path) -> None:
    _with(ferries, f"{MORE}[questions]\nunanswerable = 0.5\n")
    corpus = _built(ferries)
    test, train = list(corpus.records("test")), list(corpus.records("train"))
    assert test
    assert train
    for record in test:
        assert _texts(record) >= {"cypher", "gql", "sparql", "sql"}
        assert _engines(record) >= {"sqlite", "grafeo", "duckdb", "ladybug", "oxigraph"}
        assert all(run["agrees"] for run in record["certificates"])
    for record in train:
        assert _texts(record) <= {"cypher", "gql", "ngql"}
        assert _engines(record) == {"sqlite", "grafeo", "duckdb"}
    assert main(["verify", str(corpus.folder)]) == 0
    files = {name: file_digest(corpus.folder / name) for name in corpus.lock["files"]}
    (corpus.folder / "corpus.lock").unlink()
    again = _built(ferries)
    assert {name: file_digest(again.folder / name) for name in again.lock["files"]} == files


def test_parents_are_named_as_they_are_released(ferries: Path) -> None:
    """An id is a hash of all texts, so that what a split adds changes it."""
    text = ferries.read_text().replace("grow = false", "grow = true\nper_database = 24")
    ferries.write_text(
        text.replace("test = 0.2", "test = 0.5").replace("train = 0.6", "train = 0.3")
    )
    corpus = _built(_with(ferries, MORE))
    records = list(corpus.records())
    ids = {record["id"] for record in records}
    parents = [each for record in records if (each := record["provenance"]["parent"])]
    assert parents
    assert {*parents} <= ids
    assert main(["verify", str(corpus.folder)]) == 0


def test_what_an_engine_of_a_split_answers_otherwise_is_not_released(
    ferries: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = DatabaseContext.run
    wrong: list[str] = []

    def other(self: DatabaseContext, engine: str, text: str, language: str) -> Result:
        answer = run(self, engine, text, language)
        if engine != "ladybug" or (wrong and text not in wrong):
            return answer
        wrong.append(text)
        return replace(answer, rows=(*answer.rows, *answer.rows))

    whole = len(list(_built(ferries).records()))
    monkeypatch.setattr(DatabaseContext, "run", other)
    corpus = _built(_with(ferries, MORE), "--replace")
    assert len(list(corpus.records())) == whole - 1
    (reject,) = [each for each in corpus.rejects() if each["stage"] == "split"]
    assert reject["code"] == "disagrees"
    assert reject["evidence"]["engine"] == "ladybug"
    assert main(["verify", str(corpus.folder)]) == 0


def test_a_further_text_that_its_engine_cannot_run_is_left_out(
    ferries: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = DatabaseContext.run

    def without(self: DatabaseContext, engine: str, text: str, language: str) -> Result:
        if engine == "oxigraph":
            raise EngineError("It is too much.")
        return run(self, engine, text, language)

    monkeypatch.setattr(DatabaseContext, "run", without)
    corpus = _built(_with(ferries, MORE))
    test = list(corpus.records("test"))
    assert test
    assert all("sparql" not in _texts(record) and "sql" in _texts(record) for record in test)


@pytest.mark.parametrize("kind", ["split", "corpus"])
def test_no_text_is_released_that_its_engine_did_not_run(
    ferries: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """SQL/PGQ, of which grafeo runs a part."""
    run = DatabaseContext.run
    ran: list[str] = []

    def every_other(self: DatabaseContext, engine: str, text: str, language: str) -> Result:
        if language == "pgq" and text not in ran:
            ran.append(text)
        if language == "pgq" and ran.index(text) % 2:
            raise EngineError("It is too much.")
        return run(self, engine, text, language)

    monkeypatch.setattr(DatabaseContext, "run", every_other)
    if kind == "split":
        _with(ferries, '[split.test]\nalso = ["pgq"]\n')
    else:
        text = ferries.read_text()
        ferries.write_text(re.sub(r"also = .*", 'also = ["pgq"]', text), encoding="utf-8")
        assert text != ferries.read_text()
    corpus = _built(ferries)
    records = [each for each in corpus.records() if kind == "corpus" or each["split"] == "test"]
    assert records
    texts = [each for each in records if "pgq" in _texts(each)]
    assert len(texts) < len(records)
    assert all("pgq-grafeo" in {run["dialect"] for run in each["certificates"]} for each in texts)
    assert main(["verify", str(corpus.folder)]) == 0


def test_an_engine_that_somebody_kills_costs_its_unit_a_retry_and_then_one_record(
    ferries: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = _built(_with(ferries, MORE))
    files = {name: file_digest(corpus.folder / name) for name in corpus.lock["files"]}
    released = len(list(corpus.records()))
    run = DatabaseContext.run
    victims: list[str] = []
    kills = 5

    def killed(self: DatabaseContext, engine: str, text: str, language: str) -> Result:
        nonlocal kills
        if engine == "oxigraph" and text in (victims or [text]) and kills:
            victims.append(text)
            kills -= 1
            raise EngineLost("oxigraph's worker was killed by SIGKILL.")
        return run(self, engine, text, language)

    monkeypatch.setattr(DatabaseContext, "run", killed)
    again = _built(ferries, "--replace")
    assert not kills
    assert {name: file_digest(again.folder / name) for name in again.lock["files"]} == files
    victims, kills = [], -1
    less = _built(ferries, "--replace")
    assert len(list(less.records())) == released - 1
    (reject,) = [each for each in less.rejects() if each["code"] == "engine-killed"]
    assert reject["stage"] == "work"
    assert "SIGKILL" in reject["reason"]
    kills = 0
    whole = _built(ferries)
    assert {name: file_digest(whole.folder / name) for name in whole.lock["files"]} == files


def test_an_engine_that_cannot_be_had_is_left_out_by_name(
    ferries: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = _built(_with(ferries, MORE), "--without", "oxigraph")
    assert all(_engines(record) >= {"ladybug"} for record in corpus.records("test"))
    assert not any("oxigraph" in _engines(record) for record in corpus.records())
    assert "Left out by --without: oxigraph." in capsys.readouterr().err
    build = ["build", str(ferries), "--out", str(ferries.parent / "p"), "--without"]
    assert main([*build, "oxigraf"]) == 1
    assert "--without oxigraf: the configuration has no such engine." in capsys.readouterr().err
    assert main([*build, "duckdb"]) == 1
    assert "a certificate needs two engines" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[split.tset]\nalso = ["sql"]', "split.tset"),
        ('[split.test]\nengines = ["oxigraf"]', "unknown engine 'oxigraf'. Did you mean"),
        ('[split.test]\nalso = ["sparq"]', "unknown language 'sparq'. Did you mean"),
        ('[split.test]\nlanguages = ["sql"]', "split.test.languages: no such setting"),
    ],
)
def test_what_no_split_can_have_is_told(ferries: Path, text: str, said: str) -> None:
    with pytest.raises(ConfigError) as error:
        load(_with(ferries, text))
    assert said in str(error.value)


def test_all_is_every_language_and_every_engine(ferries: Path) -> None:
    config = load(_with(ferries, '[split.test]\nalso = "all"\nengines = ["all", "neo4j"]\n'))
    test = config.of_split("test")
    assert {"gremlin", "ngql", "pgq", "spanner", "sparql", "sql"} <= {*test.corpus.also}
    assert test.certify.engines[:2] == ("grafeo", "duckdb")
    assert {"oxigraph", "neo4j"} <= {*test.certify.engines}
    assert config.of_split("train") is config
    assert json.loads(config.model_dump_json())["split"]["test"]["also"][0] == "cypher"
