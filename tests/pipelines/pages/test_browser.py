"""The pages in Chromium: on a telephone and a wide screen, light and dark, by keys, attacked.

Needs a Chromium on PATH and, for accessibility, axe-core in node_modules (`npm ci`).
"""

from __future__ import annotations

import os
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NoReturn

import pytest

from graphmill.files import write_text
from graphmill.record import Reject
from pipelines.difference.corpora import compare
from pipelines.difference.page import page as difference_page
from pipelines.evaluate.page import page as run_page
from pipelines.web.explorer.app import Explorer, Shelf, shelves
from pipelines.web.explorer.catalogue import Wish
from pipelines.web.site import address, door_of, listening
from tests.pipelines.pages.corpora import HOSTILE, grown, hostile, record, write_corpus

playwright = pytest.importorskip("playwright.sync_api", reason="the package playwright is missing")
uvicorn = pytest.importorskip("uvicorn", reason="the extra web is missing")

pytestmark = [pytest.mark.browser, pytest.mark.slow]
TOKEN = "a-token-of-sufficient-length"
AXE = Path(__file__).parents[3] / "node_modules" / "axe-core" / "axe.min.js"
SHAPES = [(400, "light"), (400, "dark"), (1400, "light"), (1400, "dark")]


def _missing(what: str) -> NoReturn:
    if os.environ.get("CI"):
        pytest.fail(f"CI must have it: {what}")
    pytest.skip(what)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """One Chromium for all tests."""
    names = ("chromium", "chromium-browser", "google-chrome")
    path = next((found for name in names if (found := shutil.which(name))), None)
    if path is None:
        _missing("no Chromium on PATH: apt-get install chromium")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> list[Shelf]:
    """A good corpus and one of hostile texts."""
    place = tmp_path_factory.mktemp("corpora")
    records = [record(number) for number in range(30)]
    rejects = [Reject("translate", "contains", "No CONTAINS.", "contract", "Q?", "SELECT 1")]
    first = write_corpus(place / "first", [*records, grown(records[0])], rejects)
    bad = [text.replace("\ud800", "") for text in HOSTILE]
    worst = write_corpus(
        place / "worst",
        [hostile(n) for n in range(len(HOSTILE))],
        [Reject(b, b, b, b, b, b, evidence={b: b}) for b in bad],
        HOSTILE[1],
    )
    write_text(place / "difference.html", difference_page(compare(first, worst)))
    own = [{"language": text, "records": 3, "why": text} for text in bad]
    run = {"corpus": bad[1], "split": "test", "static": True, "languages": {}, "left_out": own}
    write_text(place / "run.html", run_page(run))
    return shelves([first, worst], place / "indexes", lambda text: None)


@pytest.fixture(scope="module")
def base(corpora: list[Shelf]) -> Iterator[str]:
    """The address of an explorer on loopback, without its token."""
    on = listening("127.0.0.1", 0)
    port = on.getsockname()[1]
    app = Explorer(corpora, queries=True).app(door_of("127.0.0.1", {TOKEN: "you"}, port))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", ws="none"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [on]})
    thread.start()
    yield address("127.0.0.1", port, TOKEN).split("/?")[0]
    server.should_exit = True
    thread.join(30)


@pytest.fixture
def opened(chromium: Any, base: str) -> Iterator[Callable[..., Any]]:
    """Opens pages of a visitor who has come in; what they complain of is in `page.complaints`."""
    contexts = []

    def open_(path: str, width: int = 1400, scheme: str = "light") -> Any:
        context = chromium.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme
        )
        contexts.append(context)
        page = context.new_page()
        page.complaints = []
        page.asked = []
        page.on("console", lambda message: page.complaints.append(message.text))
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        page.on("dialog", lambda dialog: page.complaints.append(dialog.message))
        page.on("request", lambda request: page.asked.append(request.url))
        if path.startswith("/"):
            page.goto(f"{base}/?token={TOKEN}")
            page.wait_for_url(lambda url: "token" not in url)
            path = base + path
        page.goto(path)
        return page

    yield open_
    for context in contexts:
        context.close()


def _paths(corpora: list[Shelf], number: int) -> list[str]:
    """A page of each kind of one corpus."""
    shelf = corpora[number]
    (one, *_) = shelf.catalogue.find(Wish.of({"kind": "record"})).items
    (no, *_) = shelf.catalogue.find(Wish.of({"kind": "reject"})).items
    return [
        "/",
        shelf.path,
        f"{shelf.path}?q=over&page=2",
        f"{shelf.path}item/{one['key']}",
        f"{shelf.path}item/{no['key']}",
        f"{shelf.path}schema/contract",
        f"{shelf.path}query",
        f"/compare?a={number}&b={1 - number}",
        (shelf.folder / "report.html").as_uri(),
        (shelf.folder.parent / "difference.html").as_uri(),
        (shelf.folder.parent / "run.html").as_uri(),
    ]


@pytest.mark.parametrize(("width", "scheme"), SHAPES)
def test_pages_fit_and_complain_of_nothing(
    opened: Callable[..., Any], corpora: list[Shelf], width: int, scheme: str
) -> None:
    page = opened("/", width, scheme)
    base = page.url.rstrip("/")
    for path in _paths(corpora, 0):
        page.goto(path if path.startswith("file:") else base + path)
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, path
        paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (paper == "rgb(255, 255, 255)") == (scheme == "light")
    assert page.complaints == []


@pytest.mark.parametrize(("width", "scheme"), [(1400, "light"), (400, "dark")])
def test_nothing_bars_anybody(
    opened: Callable[..., Any], corpora: list[Shelf], width: int, scheme: str
) -> None:
    if not AXE.is_file():
        _missing("no node_modules/axe-core: npm ci --ignore-scripts")
    page = opened("/", width, scheme)
    base = page.url.rstrip("/")
    for path in _paths(corpora, 0):
        page.goto(path if path.startswith("file:") else base + path)
        page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
        page.evaluate(AXE.read_text(encoding="utf-8"))
        found = page.evaluate("axe.run({resultTypes: ['violations']})")
        assert [
            (each["id"], node["target"], node.get("failureSummary", "")[:200])
            for each in found["violations"]
            for node in each["nodes"][:3]
        ] == [], path


def test_hostile_texts_execute_nothing(opened: Callable[..., Any], corpora: list[Shelf]) -> None:
    page = opened("/")
    base = page.url.rstrip("/")
    items = [
        f"{corpora[1].path}item/{item['key']}" for item in corpora[1].catalogue.find(Wish()).items
    ]
    for path in [*_paths(corpora, 1), *items]:
        page.goto(path if path.startswith("file:") else base + path)
        assert page.evaluate("window.hit") is None, path
    assert page.complaints == []
    assert all(url.startswith((base, "file:")) for url in page.asked)


def test_keys_alone_are_enough(opened: Callable[..., Any]) -> None:
    page = opened("/c/0/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.type") == "search"
    page.keyboard.type("over 17")
    page.keyboard.press("Enter")
    page.wait_for_url("**q=over*")
    for _ in range(120):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.className") == "title":
            break
    page.keyboard.press("Enter")
    page.wait_for_url("**/item/*")
    assert "someone over 17" in page.inner_text("h1")


def test_a_query_is_run_and_drawn(opened: Callable[..., Any]) -> None:
    page = opened("/c/0/query")
    page.select_option("select[name=engine]", "duckdb")
    page.fill("textarea", "MATCH (p:Person)-[k:KNOWS]->(q:Person) RETURN p, k, q LIMIT 3")
    page.click("button:has-text('Run')")
    page.wait_for_selector("#result", timeout=60_000)
    assert page.locator("#result").inner_text().startswith("3 rows")
    assert page.locator("svg.pattern circle").count() >= 2
    assert page.complaints == []


class _Elsewhere(BaseHTTPRequestHandler):
    """Another site on this machine that tries to use the visitor's cookie."""

    target = ""

    def do_GET(self) -> None:
        page = (
            f"<form id=f action='{self.target}/run/0' method=post><input name=db value=contract>"
            "<input name=engine value=duckdb><input name=text value='RETURN 1 AS one'></form>"
            f"<img src='{self.target}/c/0/'><iframe src='{self.target}/c/0/'></iframe>"
            f"<script>fetch('{self.target}/run/0', {{method: 'POST', credentials: 'include', "
            "mode: 'no-cors', body: 'db=contract'}).catch(() => 0)</script>"
        )
        self.send_response(200)
        self.send_header("content-type", "text/html")
        if "null" in self.path:
            self.send_header("referrer-policy", "no-referrer")
        self.end_headers()
        self.wfile.write(page.encode())

    def log_message(self, *parts: object) -> None:
        """Nothing is printed."""


@pytest.mark.parametrize("path", ["/", "/null"])
def test_another_site_gets_nothing_with_the_visitors_cookie(
    opened: Callable[..., Any],
    base: str,
    corpora: list[Shelf],
    monkeypatch: pytest.MonkeyPatch,
    path: str,
) -> None:
    ran: list[object] = []
    monkeypatch.setattr(type(corpora[0].bench), "run", lambda *given: ran.append(given))
    _Elsewhere.target = base
    with ThreadingHTTPServer(("127.0.0.1", 0), _Elsewhere) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        page = opened("/")
        statuses: list[int] = []
        page.on("response", lambda r: statuses.append(r.status) if r.url.startswith(base) else None)
        page.goto(f"http://127.0.0.1:{other.server_port}{path}")
        page.wait_for_timeout(300)
        page.evaluate("document.getElementById('f').submit()")
        page.wait_for_url(re.compile("/run/0"))
        other.shutdown()
    assert statuses
    assert set(statuses) == {403}
    assert ran == []
