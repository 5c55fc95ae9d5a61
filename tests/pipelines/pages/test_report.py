"""Report and card: whole by themselves, the same twice, and safe with any text."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import yaml

from graphmill.decoded import OPTION
from graphmill.errors import GraphmillError
from graphmill.files import file_digest, read_json_lines, write_json_lines
from graphmill.record import Reading, Reject
from pipelines.cli import main
from pipelines.pictures import drawing
from pipelines.release.description import Description
from pipelines.release.figures import figures, rows
from pipelines.release.ledger import ledger_line
from pipelines.release.limits import limits
from pipelines.release.lock import load_lock, write_lock
from pipelines.release.pages import rewrite_pages
from tests.pipelines.pages.corpora import HOSTILE, grown, hostile, record, write_corpus

pytestmark = pytest.mark.slow


REJECT = Reject("s", "c", "Why.", "db", "Q?", "RETURN 1", evidence={"a": [1, None, "b"]})


class Page(HTMLParser):
    """What a browser would make of a page: tags with their attributes, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def named(self, tag: str) -> list[dict[str, str | None]]:
        """The attributes of all elements of one name."""
        return [attributes for name, attributes in self.tags if name == tag]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six records, one of them made of another, and two rejects."""
    records = [record(number) for number in range(5)]
    rejects = [
        Reject("translate", "contains", "SQL's LIKE is not CONTAINS.", "contract", "Q?", "SELECT 1")
    ] * 2
    return write_corpus(tmp_path_factory.mktemp("corpus"), [*records, grown(records[0])], rejects)


@pytest.fixture(scope="module")
def worst(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus all of whose texts attack the page."""
    rejects = [
        Reject(b, b, b, "contract", b, b) for b in (h.replace("\ud800", "") for h in HOSTILE)
    ]
    stopped = {"db": HOSTILE[0], "stopped": HOSTILE[1], "tiers": {HOSTILE[0]: [3, 1]}}
    funnel = {
        "stages": {"candidates": 9, HOSTILE[0]: 3, "released": 2},
        "rejects": [],
        "grown": [{**stopped, "groups": {}, "makers": {HOSTILE[3]: [1, 1, 1]}}],
    }
    return write_corpus(
        tmp_path_factory.mktemp("worst"),
        [hostile(n) for n in range(len(HOSTILE))],
        rejects,
        HOSTILE[1],
        funnel,
    )


def page(folder: Path) -> Page:
    return Page((folder / "report.html").read_text(encoding="utf-8"))


def test_the_page_is_whole_by_itself(corpus: Path) -> None:
    found = page(corpus)
    links = [a[key] for _, a in found.tags for key in ("href", "src", "xlink:href") if key in a]
    assert links
    assert all(str(link).startswith("#") for link in links)
    assert not found.named("script")
    assert not any(key == "style" or key.startswith("on") for _, a in found.tags for key in a)


def test_the_policy_allows_the_one_style_sheet_and_nothing_else(corpus: Path) -> None:
    text = (corpus / "report.html").read_text(encoding="utf-8")
    (style,) = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    (policy,) = [a["content"] for a in page(corpus).named("meta") if "http-equiv" in a]
    assert f"default-src 'none'; style-src 'sha256-{digest}'" in str(policy)


def test_identifiers_are_unique_and_each_reference_leads_to_one(corpus: Path) -> None:
    text = (corpus / "report.html").read_text(encoding="utf-8")
    names = re.findall(r'\bid="([^"]+)"', text)
    assert len(names) == len(set(names))
    used = re.findall(r"url\(#([^)]+)\)", text) + re.findall(r'href="#([^"]+)"', text)
    assert used
    assert set(used) <= set(names)


def test_texts_without_a_certificate_are_counted_one_by_one(tmp_path: Path) -> None:
    one = record(0, queries={"cypher": "RETURN 1", "gql": "RETURN 1"})
    gql = replace(one.certificates[0], dialect="gql-grafeo")
    two = replace(one, certificates=(*one.certificates, gql), split="test")
    folder = write_corpus(tmp_path, [one, two])
    text = " ".join(page(folder).text.split())
    card = " ".join((folder / "README.md").read_text(encoding="utf-8").split())
    title = "Each record’s answer is proven by execution, its ISO GQL (1 of 2) text is not."
    assert title in text
    assert title in card
    assert "Not executed: ISO GQL (1 of 2) (1 text)." in text
    assert "ISO GQL (1 of 2) was not executed. 1 query is translated" in text
    assert "| ISO GQL | 2 | Grafeo; 1 not executed |" in card


def test_what_the_first_screen_says(corpus: Path) -> None:
    text = " ".join(page(corpus).text.split())
    first = text[: text.index("From candidates to records", text.index("Before you rely on it"))]
    for words in (
        "6 questions in plain English about the graph database contract (society: friends)",
        "Each record’s answer is proven by execution, its ISO GQL and nGQL text is not.",
        "12 of 12 executions",
        "Executed: Cypher (Grafeo). Not executed: ISO GQL and nGQL (8 texts).",
        "Each is asked in up to 4 wordings: "
        "source’s own or short, syntactic, logical and business.",
        "ISO GQL and nGQL were not executed.",
        "8 queries are translated by the same rules, and checked, but no engine ran them.",
        "1 database of 1 lies in both",
        "One domain only. All of it is about society (1 database).",
        "Test and train share a graph.",
        "No person rated it yet.",
    ):
        assert words in first
    assert len(page(corpus).named("svg")) >= 6
    assert len(page(corpus).named("dd")) >= 6


def test_the_papers_tables_of_this_corpus(corpus: Path) -> None:
    raw = (corpus / "report.html").read_text(encoding="utf-8")
    text = " ".join(re.sub("<[^>]+>", " ", raw).split())
    for caption, words in {
        "This corpus, by what data sets": "source 5 given pairs, 1 made by program or model",
        "This corpus beside others": "Text2Cypher synthetic Cypher – 44,387 16",
        "Splits": "examples 6 3 2 1",
        "Queries by tier": "easy 2 33.3 %",
        "Questions by level": "business 6",
    }.items():
        at = text.rindex(caption)
        assert words in text[at : at + 500], caption
    for words in (
        "question levels 4 (source’s own or short, syntactic, logical and business), in English",
        "(question, query) pairs 56",
        "queries that walk along edges 6 (100 %)",
        "graded 4 tiers, by written rules",
    ):
        assert words in text


def test_a_disagreement_is_the_first_thing_that_is_said(tmp_path: Path) -> None:
    from dataclasses import replace

    base = record(1)
    bad = replace(base, certificates=tuple(replace(c, agrees=False) for c in base.certificates))
    found = " ".join(page(write_corpus(tmp_path, [record(0), bad])).text.split())
    assert "2 of 4 executions are not confirmed." in found
    assert "Not all is proven." in found
    assert "proven by execution." not in found[: found.index("Before you rely")]


@pytest.mark.parametrize(
    ("changes", "config", "words"),
    [
        ({"discrimination": {}}, {}, "Wrong queries were not tried."),
        (
            {"readings": (Reading("self", "original", "differs"),)},
            {},
            "Some questions may be read in two ways. 2 records of 2 have a plain reading",
        ),
        ({}, {"source": [{"kind": "synthetic"}]}, "The data is made up. All of it is drawn"),
        (
            {},
            {"source": [{"kind": "graph"}, {"kind": "synthetic"}]},
            "The data is made up. 1 of 2 databases are drawn by programs",
        ),
        (
            {"queries": {"cypher": "RETURN 1", "gql": "RETURN 1", "ngql": "RETURN 1"}},
            {},
            "ISO GQL and nGQL were not executed. 4 queries",
        ),
    ],
)
def test_a_weak_point_is_told_where_it_is_one(
    tmp_path: Path, changes: dict[str, Any], config: dict[str, Any], words: str
) -> None:
    def told(config: dict[str, Any], **changes: Any) -> str:
        records = [record(number, **changes) for number in (0, 3)]
        folder = write_corpus(tmp_path, records, pages=False)
        return " ".join(
            f"{each.title} {each.text}"
            for each in limits(folder, Description(config, {}), figures(folder), [])
        )

    assert words in told(config, **changes)
    assert words not in told({})


def test_targets_are_summed_over_databases(tmp_path: Path) -> None:
    grown_by_db = [
        {"db": db, "tiers": {"easy": easy}, "groups": {"three-hops": hops}, "makers": {}}
        for db, easy, hops in (("a", [4, 4], [5, 1]), ("b", [4, 3], [5, 9]), ("c", [2, 3], [1, 1]))
    ]
    about = Description({}, {}, {"grown": grown_by_db})
    folder = write_corpus(tmp_path, [record(0)], pages=False)
    texts = [each.text for each in limits(folder, about, figures(folder), [])]
    assert "easy 9 of 10; three-hops 7 of 11." in texts


def test_a_ledger_of_long_texts_is_read_again(tmp_path: Path) -> None:
    long = "\x01" * 4_000_000  # six bytes each as JSON
    lines = [ledger_line(Reject("s", "c", long, "db", long, long, evidence={"a": [long]}))]
    write_json_lines(tmp_path / "rejects.jsonl", lines)
    ((_, line),) = read_json_lines(tmp_path / "rejects.jsonl")
    assert not isinstance(line, GraphmillError)
    assert line["query"].endswith("… (4,000,000 characters)")
    assert ledger_line(REJECT) == REJECT.to_json()


def test_readings_are_drawn_and_made_up_texts_are_told(tmp_path: Path) -> None:
    told = [
        (Reading("row-or-thing", "business", "harmless"), Reading("self", "logical", "differs")),
        (Reading("self", "business", "said"),),
        (Reading("self", "business", "harmless"),),
        (),
    ]
    folder = write_corpus(tmp_path, [record(n, readings=each) for n, each in enumerate(told)])
    found = " ".join(page(folder).text.split())
    at = found.index("Other readings", found.index("Mutants told apart"))
    drawn = found[at : found.index("Executions that are certified", at)]
    for words in (
        "another answer, marked",
        "ruled out by the wording",
        "the same answer",
        "50.0 %",
    ):
        assert words in drawn
    assert "mended" not in drawn
    assert "Texts are made up." not in found
    lock = load_lock(folder)
    lock["config"]["privacy"] = {"pseudonyms": True}
    write_lock(folder, lock)
    rewrite_pages(folder)
    assert "Texts are made up." in page(folder).text


def test_the_death_of_what_draws_costs_the_plots_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As under a limit of address space, which V8 does not survive."""
    folder = write_corpus(tmp_path / "c", [record(number) for number in range(5)])
    with monkeypatch.context() as patched:
        patched.setattr(drawing, "_DRAWER", drawing._Drawer())
        patched.setattr(drawing, "_started", _dying)
        told: list[str] = []
        rewrite_pages(folder, told.append)
    (text,) = told
    assert text.startswith("warning: the report has no plots. The process that draws plots")
    assert "died of signal 5" in text
    assert "The plots are missing." in page(folder).text
    assert not list((folder / "figures").glob("tiers.svg"))
    rewrite_pages(folder, told.append)
    assert len(told) == 1
    assert (folder / "figures" / "tiers.svg").is_file()


def _dying() -> subprocess.Popen[bytes]:
    code = "import os, sys; sys.stdin.buffer.readline(); os.kill(os.getpid(), 5)"
    pipe = subprocess.PIPE
    return subprocess.Popen((sys.executable, "-c", code), stdin=pipe, stdout=pipe)


def test_the_same_corpus_has_the_same_pages(corpus: Path) -> None:
    before = {p.name: p.read_bytes() for p in (corpus / "report.html", corpus / "README.md")}
    before |= {p.name: p.read_bytes() for p in (corpus / "figures").iterdir()}
    rewrite_pages(corpus)
    after = {p.name: p.read_bytes() for p in (corpus / "report.html", corpus / "README.md")}
    after |= {p.name: p.read_bytes() for p in (corpus / "figures").iterdir()}
    assert before == after


def test_the_command_writes_pages_that_were_lost(corpus: Path) -> None:
    before = (corpus / "report.html").read_bytes()
    (corpus / "report.html").unlink()
    (corpus / "README.md").write_text("gone")
    assert main(["report", str(corpus)]) == 0
    assert (corpus / "report.html").read_bytes() == before
    assert load_lock(corpus)["files"]["README.md"] == file_digest(corpus / "README.md")


def test_a_folder_that_is_no_corpus_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", str(tmp_path)]) == 1
    assert "is no finished corpus" in capsys.readouterr().err


def test_hostile_texts_stay_texts(worst: Path) -> None:
    found = page(worst)
    assert not found.named("script")
    assert not found.named("img")
    assert not any(key.startswith("on") for _, a in found.tags for key in a)
    links = [str(a["href"]) for _, a in found.tags if "href" in a]
    assert all(link.startswith("#") for link in links)
    raw = (worst / "report.html").read_text(encoding="utf-8")
    assert "<script>window.hit=1</script>" in found.text  # it is shown, as text
    assert not re.search("[\u202a-\u202e\u2066-\u2069\x00\x1b]", raw)
    assert "49" not in re.findall(r"Who[^<]*", raw)


def test_hostile_texts_break_no_line_of_the_card(worst: Path) -> None:
    text = (worst / "README.md").read_text(encoding="utf-8")
    head = yaml.safe_load(text.split("---")[1])
    assert head["pretty_name"].startswith("</title>")
    assert "<script" not in text.split("---", 2)[2].replace("\\<script", "")


def test_the_card_is_metadata_that_the_hub_reads(corpus: Path) -> None:
    from datasets import load_dataset

    head = yaml.safe_load((corpus / "README.md").read_text(encoding="utf-8").split("---")[1])
    assert head["license"] == "cc-by-4.0"
    assert head["size_categories"] == ["n<1K"]
    splits = {s["name"]: s["num_examples"] for s in head["dataset_info"]["splits"]}
    assert splits == {"train": 3, "validation": 2, "test": 1}
    loaded = load_dataset(str(corpus), cache_dir=str(corpus.parent / "cache"))
    assert {name: len(rows) for name, rows in loaded.items()} == splits
    row = loaded["train"][0]
    assert row["queries"]["cypher"].startswith("MATCH")
    assert row["certificates"][0]["engine"] == "grafeo"


def test_pictures_of_the_card_exist(corpus: Path) -> None:
    text = (corpus / "README.md").read_text(encoding="utf-8")
    named = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", text)
    assert len(named) >= 4
    assert all((corpus / name).is_file() for name in named)


def test_files_of_several_row_groups_are_read_whole(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.concat_tables([pq.read_table(p) for p in (corpus / "data").glob("train-*")] * 30)
    (tmp_path / "data").mkdir()
    monkeypatch.setenv(OPTION, "1")  # megabytes, so that the size of each text is looked at
    pq.write_table(table, tmp_path / "data" / "train-00000-of-00001.parquet", row_group_size=10)
    assert [row["id"] for row in rows(tmp_path)] == table["id"].to_pylist()


def test_the_lock_does_not_forget_the_graphs(corpus: Path) -> None:
    lock = json.loads((corpus / "corpus.lock").read_text(encoding="utf-8"))
    assert set(lock) == {"format", "config", "code", "libraries", "graphs", "files", "sha256"}
