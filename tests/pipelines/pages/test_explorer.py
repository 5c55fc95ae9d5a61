"""The explorer: what is found, what a page says, what may run, and that nothing is executed."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from engines.isolation import IsolatedEngine
from graphmill.errors import GraphmillError
from graphmill.record import Reject
from pipelines.release.lock import write_lock
from pipelines.web.explorer.app import Explorer, Shelf, shelves
from pipelines.web.explorer.catalogue import Catalogue, Wish, match_text
from pipelines.web.explorer.index import indexed, token
from pipelines.web.explorer.runs import Bench
from pipelines.web.site import Door
from tests.pipelines.pages.corpora import HOSTILE, grown, hostile, record, write_corpus
from tests.pipelines.pages.test_report import Page

pytest.importorskip("httpx", reason="starlette's test client needs httpx")

from starlette.testclient import TestClient  # after the check that it can be had

pytestmark = pytest.mark.slow
TOKEN = "a-token-of-sufficient-length"
REJECTS = [
    Reject("translate", "contains", "LIKE is not CONTAINS here.", "contract", "Q?", "SELECT 1"),
    Reject("seeds", "empty", "No rows.", "contract", "", "MATCH (p:Person) RETURN p.age AS age"),
]


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Shelf]]:
    """A good corpus, one of hostile texts, and a larger one of the first."""
    place = tmp_path_factory.mktemp("corpora")
    records = [record(number) for number in range(60)]
    first = write_corpus(place / "first", [*records, grown(records[0])], REJECTS)
    bad = [h.replace("\ud800", "") for h in HOSTILE]
    worst = write_corpus(
        place / "worst",
        [hostile(n) for n in range(len(HOSTILE))],
        [Reject(b, b, b, b, b, b, evidence={b: b}) for b in bad],
        HOSTILE[1],
    )
    third = write_corpus(place / "third", [*records[:50], record(70)], name="third")
    found = shelves([first, worst, third], place / "indexes", lambda text: None)
    yield found
    for shelf in found:
        shelf.bench.close()
        shelf.catalogue.close()


@pytest.fixture(scope="module")
def browser(corpora: list[Shelf]) -> Iterator[TestClient]:
    """A browser that has come in."""
    app = Explorer(corpora, queries=True).app(Door({TOKEN: "you"}))
    with TestClient(app, base_url="http://127.0.0.1:8700") as client:
        client.get(f"/?token={TOKEN}")
        yield client


def found(shelf: Shelf, **wish: str) -> int:
    return shelf.catalogue.find(Wish.of(wish)).number


def test_facets_and_words_narrow_down(corpora: list[Shelf]) -> None:
    first = corpora[0]
    assert found(first) == 63
    assert found(first, kind="reject") == 2
    assert found(first, code="contains") == 1
    assert found(first, tier="easy") == 15
    assert found(first, level="business", split="train") == 21
    along = found(first, construct="directed-edge")
    assert 0 < found(first, construct="directed-edge", q="people over 17") < along
    assert found(first, q="KNOWS") == 61
    assert found(first, q="contains like") == 1
    assert found(first, q="nothing like this") == 0
    assert found(first, construct="no such") == 0


def test_facets_count_what_fits(corpora: list[Shelf]) -> None:
    hits = corpora[0].catalogue.find(Wish.of({"tier": "hard"}))
    counted = dict(hits.facets["split"])
    assert hits.exact
    assert sum(counted.values()) == hits.number == 16
    assert dict(hits.facets["construct"])["match"] == 16


def test_words_and_facets_meet_in_the_index(corpora: list[Shelf]) -> None:
    wish = {"q": "people", "construct": "comparison", "tier": "hard"}
    apart = [found(corpora[0], **{name: value}) for name, value in wish.items()]
    assert apart == [61, 61, 16]
    hits = corpora[0].catalogue.find(Wish.of(wish))
    assert {item["tier"] for item in hits.items} == {"hard"}
    assert hits.number == len(hits.items) == 16


@pytest.mark.parametrize(
    "wish",
    [
        {"q": token("tier", "hard")},
        {"tier": 'hard" OR text : "people'},
        {"tier": "Hard"},
        {"construct": token("tier", "hard")},
        {"tier": "easy", "db": "hard"},
    ],
)
def test_a_facet_is_its_value_and_no_word_or_syntax(
    corpora: list[Shelf], wish: dict[str, str]
) -> None:
    assert found(corpora[0], **wish) == 0


def test_a_record_names_those_that_were_made_of_it(corpora: list[Shelf]) -> None:
    from dataclasses import replace

    parent, child = replace(record(0), schema="s"), replace(grown(record(0)), schema="s")
    children = corpora[0].catalogue.children(child.provenance.parent)
    assert [key for key, _ in children] == [child.id]
    assert corpora[0].catalogue.children(parent.queries["cypher"]) == []


def test_pages_follow_each_other_without_gap(corpora: list[Shelf]) -> None:
    catalogue = corpora[0].catalogue
    keys = [item["key"] for page in "123" for item in catalogue.find(Wish.of({"page": page})).items]
    assert len(keys) == len(set(keys)) == 63


@pytest.mark.parametrize(
    "words",
    ['"', "a OR b", "NEAR(a b)", "text:x", "*", "a*b", "(", "';--", "^a", "-a", "\x00", "ä" * 300],
)
def test_a_search_has_no_syntax_to_break(corpora: list[Shelf], words: str) -> None:
    corpora[0].catalogue.find(Wish.of({"q": words}))
    assert match_text(words).count('"') % 2 == 0


@pytest.mark.parametrize("page", ["0", "-1", "x", "9" * 30, "²", "1e3"])
def test_a_page_that_is_none_is_the_first(page: str) -> None:
    assert Wish.of({"page": page}).page == 1


def test_the_index_is_made_anew_when_the_corpus_changes(tmp_path: Path) -> None:
    folder = write_corpus(tmp_path / "corpus", [record(1)])
    before = sorted(p.name for p in folder.rglob("*"))
    first = indexed(folder, tmp_path / "indexes", lambda text: None)
    assert indexed(folder, tmp_path / "indexes", lambda text: None) == first
    assert sorted(p.name for p in folder.rglob("*")) == before  # CORPUS is never written
    write_corpus(folder, [record(1), record(4)])
    second = indexed(folder, tmp_path / "indexes", lambda text: None)
    assert second != first
    with closing(Catalogue(second)) as catalogue:
        assert catalogue.records == 2


def test_the_catalogue_cannot_write(corpora: list[Shelf]) -> None:
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        corpora[0].catalogue._all("DELETE FROM items")


def test_a_record_shows_all_that_proves_it(browser: TestClient, corpora: list[Shelf]) -> None:
    child = grown(record(0))
    from dataclasses import replace

    child = replace(child, schema="s")
    parent = replace(record(0), schema="s")
    page = Page(browser.get(f"/c/0/item/{child.id}").text)
    text = " ".join(page.text.split())
    for words in (
        "Find the names of people whom a person of age over 0 knows.",
        "ISO GQL",
        "nGQL cannot say it",
        "2 executions agree",
        "90.0 % of mutants told apart",
        "What changed from its parent" if child.provenance.parent == parent.id else "parent",
        "Not told apart: flipped-direction",
        "Step 1: summarise",
        "Bob",
    ):
        assert words in text
    assert page.named("ins")
    assert page.named("del")
    assert page.named("circle")


def test_a_reject_shows_why(browser: TestClient) -> None:
    text = browser.get("/c/0/item/reject-1").text
    assert "LIKE is not CONTAINS here." in text
    assert "contains" in text


def test_two_corpora_are_compared(browser: TestClient) -> None:
    text = " ".join(Page(browser.get("/compare?a=0&b=2").text).text.split())
    assert "records are in both50" in text
    assert "only in the first11" in text
    assert "only in the second1" in text


@pytest.mark.parametrize(
    "path",
    [
        "/c/9/",
        "/c/0/item/none",
        "/c/0/item/..%2f..%2fcorpus.lock",
        "/c/0/schema/..%2F..",
        "/c/0/schema/none",
        "/c/0/report/../../../../etc/passwd",
        "/c/0/%2e%2e/%2e%2e/etc/passwd",
        "/c/-1/",
        "/c/0/?page=99999",
        "/compare",
        "/compare?a=0&b=x",
        "/compare?a=0&b=99",
        "/templates/style.css",
    ],
)
def test_what_is_not_there_is_not_found(browser: TestClient, path: str) -> None:
    answer = browser.get(path)
    assert answer.status_code == 404
    assert "root:" not in answer.text
    assert "Traceback" not in answer.text


def test_hostile_texts_stay_texts_on_every_page(browser: TestClient, corpora: list[Shelf]) -> None:
    paths = ["/", "/c/1/", "/c/1/?kind=reject", "/c/1/query", "/compare?a=0&b=1", "/c/1/?q=window"]
    items = corpora[1].catalogue.find(Wish()).items
    paths += [f"/c/1/item/{item['key']}" for item in items]
    paths += [f"/c/1/?{name}={HOSTILE[0]}" for name in ("q", "code", "db", "construct")]
    for path in paths:
        raw = browser.get(path).text
        page = Page(raw)
        assert all(a == {"src": "/site.js"} for a in page.named("script"))
        assert not page.named("img")
        attributes = [(k, v) for _, a in page.tags for k, v in a.items()]
        assert not any(key.startswith("on") or key == "style" for key, _ in attributes)
        links = [str(value) for key, value in attributes if key in ("href", "src", "action")]
        assert all(link.startswith(("/", "#")) and not link.startswith("//") for link in links)
        assert not re.search("[\u202a-\u202e\u2066-\u2069\x00\x1b]", raw)


def test_a_cell_of_ten_megabytes_is_cut(tmp_path: Path) -> None:
    from graphmill.record import Answer, Questions

    long = "x<" * 5_000_000
    one = record(
        1,
        questions=Questions(long, long, long, long),
        answer=Answer(("name",), 1, "0" * 64, ((long,),)),
    )
    folder = write_corpus(tmp_path / "corpus", [one])
    assert (folder / "report.html").stat().st_size < 400_000
    (shelf,) = shelves([folder], tmp_path / "indexes", lambda text: None)
    app = Explorer([shelf], queries=False).app(Door({TOKEN: "you"}))
    with TestClient(app, base_url="http://127.0.0.1:8700") as client:
        client.get(f"/?token={TOKEN}")
        (item,) = shelf.catalogue.find(Wish()).items
        text = client.get(f"/c/0/item/{item['key']}").text
    assert len(text) < 100_000
    assert "10,000,000 characters" in text


def test_the_report_of_a_corpus_runs_nothing(browser: TestClient) -> None:
    answer = browser.get("/c/1/report")
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'")
    assert "sandbox" in policy
    assert "script" not in policy


def test_a_query_of_ones_own_is_written_anew(
    browser: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[str] = []
    run = IsolatedEngine.run

    def noted(self: IsolatedEngine, text: str, **options: object) -> object:
        given.append(text)
        return run(self, text, **options)  # type: ignore[arg-type] # as it was called

    monkeypatch.setattr(IsolatedEngine, "run", noted)
    text = "match (p:Person) /* a comment */ where p.age>29 return p.name as name"
    fields = {"db": "contract", "language": "cypher", "engine": "duckdb", "text": text}
    answer = browser.post("/run/0", data=fields)
    assert answer.status_code == 200
    assert "Ann" in answer.text
    assert "Bob" in answer.text
    assert len(given) == 1
    assert "comment" not in given[0]
    assert "match" not in given[0]
    assert "FROM" in given[0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("CREATE (n:Person {name: 'x'}) RETURN n", "Only queries that read"),
        ("MATCH (n) DETACH DELETE n", "Only queries that read"),
        ("CALL db.labels() YIELD label RETURN label", ""),
        ("LOAD CSV FROM 'file:///etc/passwd' AS row RETURN row", ""),
        ("MATCH (n RETURN n", ""),
        ("COPY (SELECT 1) TO '/x'", ""),
        ("MATCH (p:Person) RETURN q.name AS name", ""),
        ("", ""),
        ("x" * 20_001, "at most 20,000 characters"),
    ],
)
def test_what_does_not_read_is_not_run(browser: TestClient, text: str, words: str) -> None:
    fields = {"db": "contract", "language": "cypher", "engine": "duckdb", "text": text}
    answer = browser.post("/run/0", data=fields)
    assert answer.status_code == 400
    assert words in answer.text
    assert "Traceback" not in answer.text
    assert "root:" not in answer.text


def test_names_that_are_none_are_told(corpora: list[Shelf]) -> None:
    bench = corpora[0].bench
    for db, language, engine in (
        ("../contract", "cypher", "duckdb"),
        ("contract", "klingon", "duckdb"),
        ("contract", "cypher", "sqlite"),
    ):
        with pytest.raises(GraphmillError):
            bench.run(db, "MATCH (n) RETURN 1 AS one", language, engine)


def test_a_record_is_run_again(browser: TestClient, corpora: list[Shelf]) -> None:
    (item, *_) = corpora[0].catalogue.find(Wish.of({"kind": "record"})).items
    answer = browser.post("/run/0", data={"key": item["key"], "engine": "duckdb"})
    assert "Another answer." in answer.text  # the record was made up, and that is told
    assert browser.post("/run/0", data={"key": "none", "engine": "duckdb"}).status_code == 404


def test_a_graph_outside_the_corpus_is_none_of_it(tmp_path: Path) -> None:
    import json

    folder = write_corpus(tmp_path / "corpus", [record(1)])
    lock = json.loads((folder / "corpus.lock").read_text())
    lock["graphs"]["../../elsewhere"] = {"fingerprint": "f"}
    (folder / "corpus.lock").write_text(json.dumps(lock))
    with pytest.raises(GraphmillError, match=r"'\.\./\.\./elsewhere' of its graphs is no name"):
        shelves([folder], tmp_path / "indexes", lambda text: None)
    del lock["graphs"]["../../elsewhere"]
    lock["graphs"]["linked"] = {"fingerprint": "f"}
    (tmp_path / "elsewhere").mkdir()
    (folder / "graphs" / "linked").symlink_to(tmp_path / "elsewhere")
    write_lock(folder, lock)
    with pytest.raises(GraphmillError, match="graphs/linked: It is a link"):
        shelves([folder], tmp_path / "indexes", lambda text: None)


def test_where_queries_are_off_none_is_run(corpora: list[Shelf]) -> None:
    app = Explorer(corpora, queries=False).app(Door({TOKEN: "you"}))
    with TestClient(app, base_url="http://127.0.0.1:8700") as client:
        client.get(f"/?token={TOKEN}")
        fields = {"db": "contract", "text": "RETURN 1 AS one", "engine": "duckdb"}
        assert client.post("/run/0", data=fields).status_code == 403
        assert "<form" not in client.get("/c/0/query").text


def test_engines_stop_with_the_site(tmp_path: Path) -> None:
    folder = write_corpus(tmp_path / "corpus", [record(1)])
    bench = Bench(folder, ["contract"])
    bench.run("contract", "MATCH (p:Person) RETURN p.name AS name", "cypher", "duckdb")
    worker = next(iter(bench._open.values())).engine("duckdb")
    bench.close()
    assert not bench._open
    assert worker is not None
