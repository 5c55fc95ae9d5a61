"""The pages of a review in Chromium: rated by keys alone, narrow and wide, nobody barred."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="playwright drives the browser")
uvicorn = pytest.importorskip("uvicorn", reason="the pages need the extra web")

from pipelines.review.sample import Item  # noqa: E402 # after the checks that it can be had
from pipelines.review.store import Store  # noqa: E402
from pipelines.web.review.app import Review  # noqa: E402
from pipelines.web.site import address, door_of, listening  # noqa: E402
from tests.pipelines.pages.test_browser import AXE, chromium  # noqa: E402

__all__ = ["chromium"]  # a fixture

pytestmark = [pytest.mark.browser, pytest.mark.slow]

CYPHER = "MATCH (p:Person)-[:KNOWS]->(q:Person) WHERE p.age > 1 RETURN q.name AS name"
ITEMS = [Item(f"r{n}", "business", "db", "easy", f"Who is {n}?", CYPHER, "") for n in range(3)]


@pytest.fixture
def review(tmp_path: Path) -> Iterator[tuple[Store, str]]:
    """A review of three pairs with its address for one expert."""
    store = Store(tmp_path / "r.sqlite")
    store.create(ITEMS, "c", 7)
    on = listening("127.0.0.1", 0)
    port, token = on.getsockname()[1], "a" * 30
    app = Review(store, ITEMS).app(door_of("127.0.0.1", {token: "ann"}, port))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", ws="none"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [on]})
    thread.start()
    yield store, address("127.0.0.1", port, token)
    server.should_exit = True
    thread.join(30)


@pytest.mark.parametrize(("width", "scheme"), [(1400, "light"), (400, "dark")])
def test_an_expert_rates_by_keys_alone(
    chromium: Any, review: tuple[Store, str], width: int, scheme: str
) -> None:
    store, where = review
    context = chromium.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.goto(where)
    page.wait_for_url(lambda url: "token" not in url)
    for done, key in enumerate(("5", "2", "4")):
        page.get_by_text(f"{done} of 3 rated").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        if not done and AXE.is_file():
            page.evaluate(AXE.read_text(encoding="utf-8"))
            violations = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
            assert [v["id"] for v in violations if v["impact"] in ("serious", "critical")] == []
        page.keyboard.press(key)
        page.keyboard.press("Enter")
    page.get_by_text("All 3 pairs are rated").wait_for()
    assert sorted(rating.alignment for rating in store.ratings()) == [2, 4, 5]
    page.keyboard.press("u")
    page.get_by_text("2 of 3 rated").wait_for()
    assert sorted(rating.alignment for rating in store.ratings()) == [2, 5]
    assert complaints == []
    context.close()
