"""An exported corpus: others load it, prove it, and read what it says of itself."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml

from graphmill import files as files_module
from graphmill.files import file_digest, read_records, write_records
from pipelines.cli import main
from pipelines.publish.export import export
from pipelines.release.hub import configurations
from pipelines.release.lock import load_lock, write_lock
from pipelines.release.pages import rewrite_pages
from pipelines.release.unanswerable import unanswerable_file
from pipelines.verification.integrity import file_problems
from tests.pipelines.pages.corpora import HOSTILE, LANGUAGES, hostile, record, write_corpus

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six records; nGQL can say every other one."""
    records = [record(number) for number in range(6)]
    folder = write_corpus(tmp_path_factory.mktemp("corpus") / "c", records, pages=False)
    (folder / ".work").mkdir()
    (folder / ".work" / "secret").write_text("not for others")
    return folder


@pytest.fixture(scope="module")
def exported(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """That corpus in the form of the Hub."""
    out = tmp_path_factory.mktemp("exported") / "e"
    assert main(["export", str(corpus), "--to", "huggingface", str(out)]) == 0
    return out


def files(folder: Path) -> dict[str, str]:
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): file_digest(path) for path in paths}


def test_nothing_hidden_leaves_and_the_same_corpus_gives_the_same_bytes(
    corpus: Path, exported: Path, tmp_path: Path
) -> None:
    export(corpus, tmp_path / "again")
    assert files(exported) == files(tmp_path / "again")
    assert not [name for name in files(exported) if "/." in f"/{name}"]


@pytest.mark.parametrize("to", ["huggingface", "chat"])
def test_an_export_has_its_name_when_it_is_whole(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, to: str
) -> None:
    """A killed one left a half folder, which the same command refused."""
    seen: list[str] = []
    inside = files_module.write_bytes

    def writing(path: Path, content: bytes) -> None:
        seen.extend(each.name for each in tmp_path.iterdir())
        inside(path, content)

    monkeypatch.setattr(files_module, "write_bytes", writing)
    (tmp_path / ".out.99999999.part" / "data").mkdir(parents=True)
    assert main(["export", str(corpus), "--to", to, str(tmp_path / "out")]) == 0
    assert set(seen) == {f".out.{os.getpid()}.part"}
    assert [each.name for each in tmp_path.iterdir()] == ["out"]


def test_the_lock_holds_every_file_but_itself(exported: Path) -> None:
    there = files(exported)
    del there["corpus.lock"]
    assert load_lock(exported)["files"] == there


def test_every_changed_missing_and_added_file_is_noticed(exported: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(exported, copy)
    # The records of the test name another fingerprint than their graph has.
    before = {(problem.where, problem.code) for problem in file_problems(copy, load_lock(copy))}
    assert before == {("graphs/contract", "file-changed")}

    def noticed() -> set[tuple[str, str]]:
        return {(each.where, each.code) for each in file_problems(copy, load_lock(copy))} - before

    for name in load_lock(exported)["files"]:
        raw = (copy / name).read_bytes()
        (copy / name).write_bytes(b"\x00" + raw[1:])
        assert (name, "file-changed") in noticed(), name
        (copy / name).unlink()
        assert (name, "file-missing") in noticed(), name
        (copy / name).write_bytes(raw)
    for name in ("figures/x.svg", "graphs/contract/instances/x.txt", "sources/contract.duckdb"):
        (copy / name).parent.mkdir(exist_ok=True)
        (copy / name).write_text("x")
        assert (name, "file-unknown") in noticed(), name
        (copy / name).unlink()
    (copy / "graphs" / "contract" / "lexicon.toml").write_text("x")
    assert not noticed(), "a lexicon is for people to edit"


def test_pages_that_are_written_again_are_held_as_they_are(exported: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(exported, copy)
    (copy / "figures" / "old.svg").write_text("x")
    (copy / "README.md").write_text("x")
    rewrite_pages(copy)
    problems = {(problem.where, problem.code) for problem in file_problems(copy, load_lock(copy))}
    assert problems == {("graphs/contract", "file-changed")}


def test_a_lock_from_before_all_files_were_held_holds_what_it_names(corpus: Path) -> None:
    assert not any(name.startswith("graphs/") for name in load_lock(corpus)["files"])
    problems = {
        (problem.where, problem.code) for problem in file_problems(corpus, load_lock(corpus))
    }
    assert problems == {("graphs/contract", "file-changed")}


def test_rows_are_those_of_the_corpus_with_schema_text_and_canary(
    corpus: Path, exported: Path
) -> None:
    canary = load_lock(exported)["canary"]
    for path in sorted((corpus / "data").glob("*.parquet")):
        rows = pq.read_table(exported / "data" / path.name).to_pylist()
        assert {row.pop("canary") for row in rows} == {canary}
        assert all("(:Person" in row.pop("schema_text") for row in rows)
        assert rows == pq.read_table(path).to_pylist()
        assert list(read_records(exported / "data" / path.name)) == list(read_records(path))


def test_datasets_loads_each_configuration(exported: Path, tmp_path: Path) -> None:
    from datasets import get_dataset_config_names, load_dataset

    assert get_dataset_config_names(str(exported)) == ["default", "cypher", "gql", "ngql"]
    head = yaml.safe_load((exported / "README.md").read_text(encoding="utf-8").split("---")[1])
    about = {each["config_name"]: each for each in head["dataset_info"]}
    for name, splits in {
        "default": {"train": 2, "validation": 2, "test": 2},
        "cypher": {"train": 2, "validation": 2, "test": 2},
        "ngql": {"train": 1, "validation": 1, "test": 1},
    }.items():
        loaded = load_dataset(str(exported), name, cache_dir=str(tmp_path / "cache"))
        assert {split: len(rows) for split, rows in loaded.items()} == splits
        assert {s["name"]: s["num_examples"] for s in about[name]["splits"]} == splits
    row = loaded["train"][0]
    assert row["language"] == "ngql"
    assert row["question"] == "Whom do people over 3 know?"
    assert row["query"].startswith("MATCH")
    assert row["constructs"] == ["match", "directed-edge", "comparison", "return"]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of rdflib and pandas, beneath it
def test_mlcroissant_validates_the_description_and_reads_records(exported: Path) -> None:
    mlcroissant = pytest.importorskip("mlcroissant", reason="mlcroissant reads the description")
    described = mlcroissant.Dataset(jsonld=str(exported / "croissant.json"))
    assert not described.metadata.ctx.issues.errors
    rows = list(described.records("ngql/train"))
    assert [row["ngql/train/question"] for row in rows] == [b"Whom do people over 3 know?"]
    assert len(list(described.records("default/test"))) == 2


def test_the_card_says_of_columns_and_rows_what_the_files_say(
    exported: Path, tmp_path: Path
) -> None:
    from datasets import Features
    from datasets.info import DatasetInfosDict
    from huggingface_hub import DatasetCard

    card = DatasetCard.load(exported / "README.md", ignore_metadata_errors=False)
    infos = DatasetInfosDict.from_dataset_card_data(card.data)
    assert list(infos) == ["default", "cypher", "gql", "ngql"]
    assert (card.data.license, card.data.size_categories) == ("cc-by-4.0", ["n<1K"])
    for name, place in configurations(exported).items():
        for split, about in infos[name].splits.items():
            (path,) = (exported / place).glob(f"{split}-*.parquet")
            assert infos[name].features == Features.from_arrow_schema(pq.read_schema(path))
            assert about.num_examples == pq.read_metadata(path).num_rows
            assert about.num_bytes > 0


def test_questions_without_an_answer_are_exported_with_schema_and_canary(
    corpus: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(corpus, copy)
    hopeless = record(
        1, queries={}, answer=None, certificates=(), unanswerable={"reason": "r", "missing": "m"}
    )
    file = unanswerable_file(copy, "test")
    write_records(file, [hopeless], LANGUAGES)
    lock = load_lock(copy)
    lock["files"]["unanswerable/" + file.name] = file_digest(file)
    write_lock(copy, lock)
    made = export(copy, tmp_path / "out")
    assert made.rows["unanswerable"] == 1
    (row,) = pq.read_table(unanswerable_file(made.folder, "test")).to_pylist()
    assert row.pop("canary") == load_lock(made.folder)["canary"]
    assert "(:Person" in row.pop("schema_text")
    assert row == pq.read_table(file).to_pylist()[0]
    assert [each for _, each in read_records(unanswerable_file(made.folder, "test"))]
    assert "- `unanswerable` has questions" in (made.folder / "README.md").read_text()
    outside = tmp_path / "outside.parquet"
    shutil.move(file, outside)
    file.symlink_to(outside)
    assert "unanswerable" not in export(copy, tmp_path / "again").rows


def test_the_card_names_configurations_and_canary(exported: Path) -> None:
    text = (exported / "README.md").read_text(encoding="utf-8")
    assert load_lock(exported)["canary"] in text
    assert "`cypher`, `gql` and `ngql`" in text
    assert main(["report", str(exported)]) == 0
    assert (exported / "README.md").read_text(encoding="utf-8") == text


def test_missing_licences_are_named(
    corpus: Path, exported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    licences = json.loads((exported / "licences.json").read_text())
    assert licences == {"corpus": "CC-BY-4.0", "graphs": {"contract": None}}
    assert main(["export", str(corpus), str(tmp_path / "again")]) == 0
    assert "No licence is stated for graph contract" in capsys.readouterr().err


def test_a_licence_of_the_source_is_carried_over(corpus: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(corpus, copy)
    lock = load_lock(copy)
    lock["config"]["source"] = [{"name": "contract", "licence": "ODbL-1.0"}]
    write_lock(copy, lock)
    assert export(copy, tmp_path / "out").licences.missing == []
    described = json.loads((tmp_path / "out" / "croissant.json").read_text())
    assert "https://spdx.org/licenses/ODbL-1.0.html" in described["license"]


def test_hostile_texts_come_through_as_they_are(tmp_path: Path) -> None:
    records = [hostile(number) for number in range(len(HOSTILE))]
    source = write_corpus(tmp_path / "c", records, name=HOSTILE[1], pages=False)
    out = export(source, tmp_path / "e").folder
    asked = {
        row["question"]
        for path in out.glob("languages/cypher/*.parquet")
        for row in pq.read_table(path).to_pylist()
    }
    assert asked == {each.replace("\ud800", "") for each in HOSTILE}
    json.loads((out / "croissant.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("outside", ["sources/../../secret", "/etc/hostname"])
def test_a_lock_that_points_outside_exports_nothing_of_it(
    corpus: Path, tmp_path: Path, outside: str
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(corpus, copy)
    (tmp_path / "secret").write_text("x")
    lock = load_lock(copy)
    lock["files"]["sources/" + outside.removeprefix("sources/")] = "0"
    write_lock(copy, lock)
    assert main(["export", str(copy), str(tmp_path / "out")]) == 1
    assert not list((tmp_path / "out").rglob("corpus.lock"))


def places(corpus: Path, tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").write_text("")
    yield tmp_path / "full"
    yield tmp_path / "full" / "x"
    yield corpus / "export"


def test_another_place_is_asked_for(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for place in places(corpus, tmp_path):
        assert main(["export", str(corpus), str(place)]) == 1
        assert "give another folder" in capsys.readouterr().err


@pytest.mark.slow
def test_an_exported_corpus_is_proven_there(
    ferries: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["build", str(ferries), "--out", str(tmp_path / "c"), "--quiet"]) == 0
    assert main(["export", str(tmp_path / "c"), str(tmp_path / "e")]) == 0
    shutil.rmtree(tmp_path / "c")
    capsys.readouterr()
    assert main(["verify", str(tmp_path / "e")]) == 0
    assert ", 0 problems" in capsys.readouterr().err
