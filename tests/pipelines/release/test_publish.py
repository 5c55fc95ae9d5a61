"""Publishing: what leaves, to whom, and what never does; against a Hub on loopback."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from graph_ir.cypher.reader import parsed
from graph_ir.difficulty import tier
from graph_ir.features import features
from graphmill.errors import ConfigError, GraphmillError
from graphmill.files import write_records
from graphmill.record import Certificate, Provenance, Record
from pipelines.cli import main
from pipelines.publish.export import export
from pipelines.publish.inspection import inspect, inspected
from pipelines.publish.upload import planned, upload
from pipelines.release.folder import split_file
from pipelines.release.held import digests, held_files
from pipelines.release.lock import load_lock, write_lock
from qa.mutation.analysis import SHIPPED
from schemagraph.folder.graphdata import graph_fingerprint
from schemagraph.folder.serde import declared_fingerprint, load_schema
from schemagraph.model import SchemaGraph
from tests.pipelines.pages.corpora import LANGUAGES, record, write_corpus
from tests.pipelines.release.hub import Hub, running
from translators.render import render

pytestmark = pytest.mark.slow


TOKEN = "hf_" + "aB3" * 12


def licensed(folder: Path) -> Path:
    """A small corpus in `folder` whose lock says licence and fingerprint of its graph, and whose
    records say what their queries are."""
    funnel = {"stages": {"released": 3}}
    write_corpus(folder, [record(number) for number in range(3)], funnel=funnel, pages=False)
    graph = folder / "graphs" / "contract"
    schema = load_schema(graph)
    for number in range(3):
        one = _proven(record(number, schema=declared_fingerprint(schema)), schema)
        write_records(split_file(folder, str(one.split)), [one], LANGUAGES)
    lock = load_lock(folder)
    lock["config"]["source"] = [{"name": "contract", "licence": "CC0-1.0"}]
    lock["graphs"]["contract"] |= {
        "fingerprint": graph_fingerprint(graph),
        "subdomain": record(0).subdomain,
    }
    write_lock(folder, {**lock, "files": digests(folder, lock["files"])})
    return folder


def _proven(one: Record, schema: SchemaGraph) -> Record:
    """A record with the texts, traits and executions that a build gives its query."""
    statement = parsed(one.queries["cypher"])
    traits, answer = features(statement), one.answer
    assert answer is not None
    runs = (("grafeo", "cypher-grafeo"), ("grafeo", "gql-grafeo"), ("duckdb", "sql"))
    return replace(
        one,
        queries={name: render(statement, name, schema).text for name in ("cypher", "gql")},
        difficulty=tier(traits),
        constructs=tuple(traits.constructs),
        certificates=tuple(
            Certificate(
                engine, "1", dialect, 2, answer.hash, True, render(statement, dialect, schema).text
            )
            for engine, dialect in runs
        ),
        discrimination={**one.discrimination, "instances": [SHIPPED]},
    )


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An exported corpus with nothing against it."""
    folder = tmp_path_factory.mktemp("ready")
    return export(licensed(folder / "c"), folder / "e").folder


@pytest.fixture
def copy(ready: Path, tmp_path: Path) -> Path:
    """A copy of it that may be spoilt."""
    shutil.copytree(ready, tmp_path / "copy")
    return tmp_path / "copy"


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    pytest.importorskip("huggingface_hub", reason="huggingface_hub uploads")
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    with running() as one:
        yield one


def codes(folder: Path) -> set[str]:
    return {problem.code for problem in inspect(folder)}


def test_a_clean_folder_has_no_problems(
    ready: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("HF_TOKEN", raising=False)
    assert main(["publish", str(ready), "--repo", "me/mine", "--dry-run"]) == 0
    plan = json.loads(capsys.readouterr().out)
    assert (plan["repository"], plan["private"]) == ("me/mine", True)
    assert plan["files"] == sum(path.is_file() for path in ready.rglob("*"))


@pytest.mark.parametrize(
    "secret",
    [
        TOKEN,
        "sk-proj-" + "a1B2" * 8,
        "ghp_" + "a1B2" * 9,
        "AKIA" + "ABCD1234" * 2,
        "-----BEGIN RSA PRIVATE KEY-----",
        "postgresql://ann:hunter2hunter2@db.example/shop",
    ],
)
def test_a_secret_is_found_where_pieces_of_a_file_meet(tmp_path: Path, secret: str) -> None:
    file = tmp_path / "note.txt"
    file.write_text("-" * (2**20 - len(secret) // 2) + f" {secret} ")
    (problem,) = inspected(file, "note.txt", [])
    assert problem.code == "secret"
    assert secret not in problem.detail


def test_a_folder_with_a_secret_is_not_sent(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("report.html", "graphs/contract/note.txt", "rejects.jsonl"):
        with (copy / name).open("a") as stream:
            stream.write(json.dumps({"reason": TOKEN}) + "\n")
    assert main(["publish", str(copy), "--repo", "me/mine"]) == 1
    shown = capsys.readouterr()
    assert shown.out.count('"secret"') == 3
    assert TOKEN not in shown.out + shown.err


def test_a_secret_in_a_cell_is_refused(tmp_path: Path) -> None:
    bad = replace(record(0), external_knowledge=f"The key is {TOKEN}.")
    write_records(tmp_path / "x.parquet", [record(1), bad], ("cypher", "gql", "ngql"))
    assert [each.code for each in inspected(tmp_path / "x.parquet", "x", [])] == ["secret"]


def test_the_value_of_a_variable_named_like_a_key_is_refused(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHOP_API_KEY", "correct horse battery")
    assert codes(copy) == set()
    with (copy / "report.html").open("a") as stream:
        stream.write("<!-- correct horse battery -->")
    assert codes(copy) == {"secret", "file-changed"}


@pytest.mark.parametrize(
    "path",
    [
        "/home/ann/shop.sqlite",
        "sqlite:////home/ann/shop.sqlite",
        "file:///Users/ann/x",
        "C:\\Users\\ann\\shop.csv",
        "\\\\server\\share\\x",
        "read from /tmp/x/shop.csv",
    ],
)
def test_an_absolute_path_is_refused(copy: Path, path: str) -> None:
    lock = load_lock(copy)
    lock["config"]["source"][0]["url"] = path
    write_lock(copy, lock)
    assert codes(copy) == {"absolute-path"}


@pytest.mark.parametrize("path", ["shop.sqlite", "sqlite:///shop.sqlite", "https://a.org/data/x"])
def test_a_relative_place_is_none_of_a_machine(copy: Path, path: str) -> None:
    lock = load_lock(copy)
    lock["config"]["source"][0]["url"] = path
    write_lock(copy, lock)
    assert codes(copy) == set()


def test_a_path_in_provenance_is_refused_and_one_in_data_is_not(tmp_path: Path) -> None:
    made = Provenance("pairs", "0", 7, source="/home/ann/pairs.jsonl:3")
    file = tmp_path / "data" / "train.parquet"
    languages = ("cypher", "gql", "ngql")
    write_records(file, [replace(record(0), provenance=made)], languages)
    assert [each.code for each in inspected(file, "x", [])] == ["absolute-path"]
    write_records(file, [replace(record(0), external_knowledge="In /home/ann/x.")], languages)
    assert list(inspected(file, "x", [])) == []


def test_a_missing_licence_is_refused(copy: Path) -> None:
    lock = load_lock(copy)
    lock["config"]["source"][0]["licence"] = "not stated"
    lock["config"]["corpus"]["licence"] = ""
    write_lock(copy, lock)
    assert [(problem.code, problem.where) for problem in inspect(copy)] == [
        ("no-licence", "the corpus"),
        ("no-licence", "contract"),
    ]


def test_what_is_not_what_was_exported_is_refused(copy: Path) -> None:
    (copy / ".git").mkdir()
    (copy / "pseudonyms.json").write_text("{}")
    (copy / "link").symlink_to("/etc/hostname")
    (copy / "languages" / "gql" / "test-00000-of-00001.parquet").write_bytes(b"x")
    files = {"file-unknown", "file-link", "file-changed"}
    rows = {"damaged", "rows-damaged"}
    assert codes(copy) == {"hidden", "private", *rows, *files}


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda row: row["queries"].update(cypher="MATCH (p:Person) RETURN p.age"), "id"),
        (lambda row: row.update(certificates=row["certificates"][:1]), "one-witness"),
        (lambda row: row["certificates"][0].update(text="RETURN 1"), "text"),
        (lambda row: row["answer"].update(hash="0"), "gold"),
        (lambda row: row.update(certificates=None), "record-damaged"),
    ],
)
def test_records_that_are_none_are_not_sent_though_the_hashes_are_renewed(
    copy: Path,
    change: Callable[[dict[str, Any]], object],
    code: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """All that `verify` tells without running a query."""
    file = split_file(copy, "train")
    table = pq.read_table(file)
    rows = table.to_pylist()
    change(rows[0])
    pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), file)
    lock = load_lock(copy)
    write_lock(copy, {**lock, "files": digests(copy, held_files(copy, lock["graphs"]))})
    assert main(["publish", str(copy), "--repo", "me/mine", "--dry-run"]) == 1
    assert f'"{code}"' in capsys.readouterr().out


def test_a_corpus_that_was_not_exported_is_sent_to_export(tmp_path: Path) -> None:
    with pytest.raises(GraphmillError, match="graphmill export"):
        inspect(licensed(tmp_path / "c"))


@pytest.mark.parametrize("name", ["", "a/b/c", "../x", "a b", "-x", "me/", "me/a..b"])
def test_a_name_that_is_none_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError, match="no name of a repository"):
        planned(tmp_path, name, public=False)


def test_the_whole_folder_arrives_in_a_private_repository(ready: Path, hub: Hub) -> None:
    done = upload(ready, planned(ready, "me/mine", public=False), hub.url)
    assert done.private
    assert hub.private == {"me/mine": True}
    sent = {path.relative_to(ready).as_posix(): path for path in ready.rglob("*") if path.is_file()}
    assert set(hub.files["me/mine"]) == set(sent)
    assert all(hub.files["me/mine"][name] == sent[name].read_bytes() for name in sent)
    assert hub.tokens == {f"Bearer {TOKEN}"}


def test_public_is_told(ready: Path, hub: Hub) -> None:
    assert not upload(ready, planned(ready, "me/open", public=True), hub.url).private
    assert hub.private == {"me/open": False}


def test_a_public_repository_is_not_written_to_unless_told(ready: Path, hub: Hub) -> None:
    hub.private["me/mine"], hub.files["me/mine"] = False, {}
    with pytest.raises(GraphmillError, match="--public"):
        upload(ready, planned(ready, "me/mine", public=False), hub.url)
    assert hub.files["me/mine"] == {}


def test_a_refusal_of_the_hub_is_one_sentence_without_the_token(ready: Path, hub: Hub) -> None:
    hub.refusing = 100
    with pytest.raises(GraphmillError, match="did not take") as caught:
        upload(ready, planned(ready, "me/mine", public=False), hub.url)
    assert TOKEN not in str(caught.value)
    hub.refusing = 0
    assert upload(ready, planned(ready, "me/mine", public=False), hub.url).url


def test_without_a_token_one_is_asked_for(
    ready: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("huggingface_hub", reason="huggingface_hub uploads")
    monkeypatch.setattr("huggingface_hub.get_token", lambda: None)
    with pytest.raises(ConfigError, match="HF_TOKEN"):
        upload(ready, planned(ready, "me/mine", public=False), "http://127.0.0.1:9")


def test_json_that_is_nested_too_deeply_is_damaged(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text("[" * 900 + "]" * 900)
    found = inspected(tmp_path / "manifest.json", "graphs/g/manifest.json", [])
    assert [each.code for each in found] == ["damaged"]
