"""What stands before the pages of a site: names, tokens, origins, methods, sizes, load."""

from __future__ import annotations

import asyncio

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from pipelines.web.guard import MOST_BODY, Load, form_key, is_loopback
from pipelines.web.site import Door, Pages, address, door_of, form, site

httpx = pytest.importorskip("httpx", reason="starlette's test client needs httpx")

from starlette.testclient import TestClient  # noqa: E402 # after the check that it can be had

TOKEN = "a-token-of-sufficient-length"
BASE = "http://127.0.0.1:8000"


async def _who(request: Request) -> Response:
    return PlainTextResponse(request.state.visitor)


async def _posted(request: Request) -> Response:
    fields = await form(request)
    return PlainTextResponse(fields.get("text", ""))


async def _broken(request: Request) -> Response:
    raise RuntimeError("a secret of the inside")


def client(door: Door | None = None, **options: object) -> TestClient:
    """A browser at the door of a site with three pages."""
    routes = [
        Route("/", _who),
        Route("/run", _posted, methods=["POST"]),
        Route("/broken", _broken),
    ]
    made = site(routes, door or Door({TOKEN: "ann", "t" * 30: "bob"}), Pages(), posts=["/run"])
    return TestClient(made, base_url=BASE, raise_server_exceptions=False)


def inside() -> TestClient:
    """A browser that has come in."""
    found = client()
    assert found.get(f"/?token={TOKEN}").status_code == 200
    return found


def test_the_token_moves_into_a_cookie_that_other_sites_do_not_carry() -> None:
    browser = client()
    answer = browser.get(f"/?x=1&token={TOKEN}")
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "samesite=strict" in cookie.lower()
    assert TOKEN not in answer.text
    assert 'content="0;url=/?x=1"' in answer.text
    assert browser.get("/").text == "ann"


@pytest.mark.parametrize("path", ["/", "/style.css", "/site.js", "/?token=", "/?token=wrong"])
def test_without_a_token_there_is_nothing(path: str) -> None:
    answer = client().get(path)
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("cookie", ["graphmill=wrong", "graphmill=", "x", f"other={TOKEN}", "é=é"])
def test_a_wrong_cookie_lets_nobody_in(cookie: str) -> None:
    answer = client().get("/", headers={b"cookie": cookie.encode()})
    assert answer.status_code == 403


def test_each_token_has_its_visitor() -> None:
    browser = client()
    browser.get(f"/?token={'t' * 30}")
    assert browser.get("/").text == "bob"


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example", "", "192.168.0.7:8000"]
)
def test_a_rebound_name_is_refused(host: str) -> None:
    assert inside().get("/", headers={"host": host}).status_code == 421


@pytest.mark.parametrize("host", ["127.0.0.1:9", "localhost:8000", "[::1]:8000", "LOCALHOST"])
def test_the_names_of_this_machine_are_right(host: str) -> None:
    assert client().get(f"/?token={TOKEN}", headers={"host": host}).status_code == 200


def test_beyond_loopback_addresses_are_right_and_names_are_not() -> None:
    door = door_of("0.0.0.0", {TOKEN: "ann"}, 8000)  # the address, not bound
    browser = client(door)
    assert browser.get(f"/?token={TOKEN}", headers={"host": "192.168.0.7:8000"}).status_code == 200
    assert browser.get(f"/?token={TOKEN}", headers={"host": "evil.example"}).status_code == 421


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "http://127.0.0.1:8001"},
        {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"},
        {"sec-fetch-site": "same-site", "sec-fetch-mode": "cors"},
        {
            "sec-fetch-site": "same-site",
            "sec-fetch-mode": "navigate",
            "sec-fetch-dest": "iframe",
        },
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_another_site_may_not_ask(method: str, headers: dict[str, str]) -> None:
    path = "/" if method == "GET" else "/run"
    assert inside().request(method, path, headers=headers).status_code == 403


def test_a_form_under_no_referrer_is_told_from_another_sites() -> None:
    browser = inside()
    null = {"origin": "null"}
    key = form_key(TOKEN)
    assert (
        browser.post("/run", headers={**null, "sec-fetch-site": "same-origin"}).status_code == 200
    )
    assert browser.post(f"/run?key={key}", headers=null).status_code == 200
    assert browser.post("/run", headers=null).status_code == 403
    assert browser.post(f"/run?key={key[:-1]}x", headers=null).status_code == 403
    for site_ in ("same-site", "cross-site", "none"):
        headers = {**null, "sec-fetch-site": site_}
        assert browser.post(f"/run?key={key}", headers=headers).status_code == 403
    assert browser.get("/", headers=null).status_code == 403


def test_a_link_on_another_site_may_not_post() -> None:
    headers = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    assert inside().post("/run", headers=headers).status_code == 403


def test_only_what_runs_is_posted_to() -> None:
    browser = inside()
    assert browser.post("/run", data={"text": "ä"}).text == "ä"
    assert browser.post("/").status_code == 405
    assert browser.get("/run").status_code == 405
    for method in ("PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"):
        assert browser.request(method, "/").status_code == 405


def test_bodies_have_a_limit() -> None:
    assert inside().post("/run", content=b"a=" + b"b" * MOST_BODY).status_code == 413


def test_every_answer_has_the_headers() -> None:
    browser = inside()
    for answer in (
        browser.get("/"),
        client().get("/"),
        browser.get("/none"),
        browser.get("/broken"),
    ):
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; style-src 'self'; script-src 'self'")
        assert "unsafe" not in policy
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"


def test_a_defect_tells_nothing_of_the_inside() -> None:
    answer = inside().get("/broken")
    assert answer.status_code == 500
    assert "secret" not in answer.text


@pytest.mark.parametrize("target", ["//evil.example/", "/\\evil.example", "///evil.example"])
def test_the_token_page_goes_on_to_this_site_alone(target: str) -> None:
    answer = client().get(f"http://127.0.0.1:8000{target}?token={TOKEN}")
    if answer.status_code == 200:
        assert 'content="0;url=/evil.example' in answer.text


def test_loopback_is_told_from_the_rest() -> None:
    assert all(map(is_loopback, ("127.0.0.1", "127.3.2.1", "::1", "localhost")))
    assert not any(map(is_loopback, ("0.0.0.0", "::", "192.168.0.1", "example.org", "")))


def test_addresses_are_written_with_their_token() -> None:
    assert address("::1", 80, "T") == "http://[::1]:80/?token=T"


def test_who_waits_too_long_is_told_so_and_nobody_is_let_in_beside() -> None:
    inside, most = 0, 0

    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        await asyncio.sleep(0.05)
        inside -= 1
        await PlainTextResponse("done")(scope, receive, send)

    async def requested() -> list[int]:
        load = Load(slow, at_once=2, waiting=6, patience=0.12)
        statuses: list[int] = []

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                statuses.append(message["status"])

        async def received() -> Message:
            return {"type": "http.request"}

        await asyncio.gather(*(load({"type": "http"}, received, sent) for _ in range(20)))
        await load({"type": "http"}, received, sent)  # the place is free again
        return statuses

    statuses = asyncio.run(requested())
    assert most == 2
    assert len(statuses) == 21
    assert statuses[:12] == [503] * 12  # beyond those that may wait: at once
    assert statuses[-1] == 200
    assert 2 <= statuses.count(200) <= 9
