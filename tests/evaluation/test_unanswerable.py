"""Questions without an answer lie in a configuration of their own; to abstain is right there."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

import graphmill
from graphmill.files import read_records, write_records
from graphmill.record import Record
from pipelines.build.context import Graph
from pipelines.configuration.config import load
from pipelines.release.held import digests, held_files
from pipelines.release.hub import configurations
from pipelines.release.lock import load_lock, write_lock
from pipelines.release.unanswerable import unanswerable, unanswerable_file
from schemagraph.folder.graphdata import graph_fingerprint


@pytest.fixture(scope="module")
def made(corpus: Path, records: list[Record]) -> list[Record]:
    text = (corpus.parent / "corpus.toml").read_text(encoding="utf-8")
    config = corpus.parent / "more.toml"
    config.write_text(text + "[questions]\nunanswerable = 1.0\n", encoding="utf-8")
    folder = corpus / "graphs" / "ferries"
    graph = Graph("ferries", folder, graph_fingerprint(folder))
    return list(unanswerable(load(config), graph, records))


def test_each_has_a_reason_its_pair_s_split_and_no_query(
    made: list[Record], records: list[Record]
) -> None:
    assert made
    parents = {record.id: record for record in records}
    for each in made:
        assert not each.queries
        assert each.unanswerable["reason"]
        assert each.unanswerable["missing"].split(":")[0] in each.questions.business
        assert each.split == parents[each.provenance.parent].split
        assert each.questions.business not in {r.questions.business for r in records}
    assert len({each.id for each in made}) == len(made)


def test_none_are_made_unless_they_are_asked_for(corpus: Path, records: list[Record]) -> None:
    folder = corpus / "graphs" / "ferries"
    graph = Graph("ferries", folder, "")
    assert list(unanswerable(load(corpus.parent / "corpus.toml"), graph, records)) == []
    assert "unanswerable" not in configurations(corpus)


def test_they_come_back_from_their_file_and_are_answered_by_abstention(
    corpus: Path, made: list[Record], records: list[Record], tmp_path: Path
) -> None:
    folder = tmp_path / "corpus"
    shutil.copytree(corpus, folder)
    for split in {str(each.split) for each in made}:
        file = unanswerable_file(folder, split)
        file.parent.mkdir(exist_ok=True)
        mine = [each for each in made if each.split == split]
        write_records(file, mine, ("cypher", "gql", "ngql"))
        back = [record for _, record in read_records(file)]
        assert [(r.id, r.unanswerable) for r in back] == [(r.id, r.unanswerable) for r in mine]
    assert configurations(folder)["unanswerable"] == "unanswerable"
    lock = load_lock(folder)
    write_lock(folder, {**lock, "files": digests(folder, held_files(folder, lock["graphs"]))})
    tried = {"id": made[0].id, "query": "MATCH (n) RETURN n"}
    given: list[dict[str, Any]] = [tried, *({"id": each.id, "query": None} for each in made[1:])]
    scores = graphmill.evaluate(folder, given, language="cypher")
    own = scores["languages"]["cypher"]
    assert own["abstention"]["unanswerable"] == len(made)
    assert own["abstention"]["recall"] == pytest.approx((len(made) - 1) / len(made), abs=1e-6)
    assert own["n"] == own["missing"] == len(records), "EX is of answerable questions"
    assert own["ex"] == own["ladder"]["ordered"] == own["suite_ex"] == 0.0
    for dimension, values in own["by"].items():
        if dimension != "construct":
            assert sum(each["n"] for each in values.values()) == len(records), dimension
    graphmill.evaluate(folder, given, language="cypher", out=tmp_path / "run")
    again = graphmill.evaluate(folder, given, language="cypher", against=[tmp_path / "run"])
    assert again["against"]["run"]["cypher"]["n"] == len(records)


def test_to_abstain_where_there_is_an_answer_is_a_false_alarm(
    corpus: Path, records: list[Record]
) -> None:
    answered = {"id": records[1].id, "query": records[1].queries["cypher"]}
    given: list[dict[str, Any]] = [{"id": records[0].id, "query": None}, answered]
    own = graphmill.evaluate(corpus, given, language="cypher")["languages"]["cypher"]
    assert own["abstention"]["false_alarms"] == pytest.approx(1 / len(records), abs=1e-6)
    assert own["abstained"] == 1
    assert own["missing"] == len(records) - 2
    assert own["ex"] == pytest.approx(1 / len(records), abs=1e-6)
