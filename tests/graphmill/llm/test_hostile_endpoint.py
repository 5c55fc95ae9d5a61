"""An endpoint that drips, floods, miscounts and repeats the key."""

from __future__ import annotations

import base64
import gc
import html
import json
import socket
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from pydantic import BaseModel

from graphmill.errors import LLMError
from graphmill.llm import stub
from graphmill.llm.base import Ask, Message, Reply
from graphmill.llm.budget import Prices, prompt_tokens
from graphmill.llm.client import Client, Settings, connect
from graphmill.llm.scripted import Scripted
from graphmill.llm.structured import fill
from graphmill.llm.stub import Fault, Stub

pytestmark = pytest.mark.slow

pytest.importorskip("openai", reason="needs the package openai (extra llm)")

KEY = "sk-live-Zq7/x+4Vw_82mTnB=L0pYc"
ASK = Ask((Message("user", "request 7 please"),), stage="test")


class Answer(BaseModel):
    number: int


def seven(messages: list[dict[str, str]]) -> str:
    return '{"number": 7}'


def settings(url: str, **changed: Any) -> Settings:
    return Settings(url, "stub-model", **{"timeout": 30.0, "attempts": 1, **changed})


@contextmanager
def asking(server: Stub, folder: Path, **changed: Any) -> Iterator[Client]:
    with connect(settings(server.url, **changed), folder / "replies.jsonl") as client:
        yield client


# --- time and length ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        ("drip", "timeout"),
        ("drip-headers", "timeout"),
        ("endless", "broken-reply"),
        ("bomb", "broken-reply"),
        ("unasked-coding", "broken-reply"),
        ("endless-headers", "connection"),
    ],
)
def test_an_answer_without_end_ends(fault: Fault, code: str, tmp_path: Path) -> None:
    plan: Callable[[str, int], Fault] = lambda text, number: fault  # noqa: E731 - typed
    start = time.monotonic()
    with (
        Stub(seven, plan) as server,
        asking(server, tmp_path, timeout=1.0) as client,
        pytest.raises(LLMError) as caught,
    ):
        client.ask(ASK)
    assert caught.value.code == code
    assert time.monotonic() - start < 15.0  # of 30 that the drip takes, and bombs are slow to make


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_nothing_is_sent_where_an_endpoint_points_to(status: int, tmp_path: Path) -> None:
    with Stub(seven) as elsewhere:

        class Pointing(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(status)
                self.send_header("Location", f"{elsewhere.url}/chat/completions")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                """Say nothing."""

        server = HTTPServer(("127.0.0.1", 0), Pointing)
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        place = f"http://127.0.0.1:{server.server_port}/v1"
        with (
            connect(settings(place), tmp_path / "replies.jsonl") as client,
            pytest.raises(LLMError, match=rf"answered {status}: .*Set base_url") as caught,
        ):
            client.ask(ASK)
        server.shutdown()
        server.server_close()
        assert caught.value.code == "request"
        assert not elsewhere.headers


def test_a_slow_answer_within_the_limit_is_taken(tmp_path: Path) -> None:
    plan: Callable[[str, int], Fault] = lambda text, number: "drip"  # noqa: E731 - typed
    with (
        Stub(seven, plan, apart=0.001) as server,
        asking(server, tmp_path, timeout=20.0) as client,
    ):
        assert client.fill(ASK, Answer).value.number == 7


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_server_that_never_greets_ends_in_time(scheme: str, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"{scheme}://127.0.0.1:{silent.getsockname()[1]}/v1"
        start = time.monotonic()
        with (
            connect(settings(url, timeout=0.5), tmp_path / "r") as client,
            pytest.raises(LLMError, match=r"within 0\.5 s"),
        ):
            client.ask(ASK)
        assert time.monotonic() - start < 10.0
    with warnings.catch_warnings():
        # anyio leaves the socket of a greeting that was cancelled to the collector.
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


def test_closing_does_not_wait_for_turns_of_the_rate(tmp_path: Path) -> None:
    asks = [Ask((Message("user", f"request {n}"),)) for n in range(9)]
    start = time.monotonic()
    with Stub(seven) as server, asking(server, tmp_path, per_minute=6) as client:
        assert isinstance(next(client.ask_many(asks[:1])), Reply)
        later = client.ask_many(iter(asks))
        next(later)
    assert time.monotonic() - start < 15.0


# --- shapes and counts ----------------------------------------------------------------------


def _text(value: Any) -> Callable[[dict[str, Any]], Any]:
    def spoil(completion: dict[str, Any]) -> Any:
        completion["choices"][0]["message"]["content"] = value
        return completion

    return spoil


@pytest.mark.parametrize(
    "spoil",
    [
        _text(["a"]),
        _text({"text": "a"}),
        _text(7),
        lambda completion: [],
        lambda completion: "text",
        lambda completion: {**completion, "choices": [None]},
        lambda completion: {**completion, "choices": {}},
    ],
)
def test_an_answer_of_another_shape_is_typed(
    spoil: Callable[[dict[str, Any]], Any], tmp_path: Path
) -> None:
    with (
        Stub(seven, spoil=spoil) as server,
        asking(server, tmp_path) as client,
        pytest.raises(LLMError) as caught,
    ):
        client.ask(ASK)
    assert caught.value.code == "broken-reply"


def test_half_a_character_is_no_end_of_the_work(tmp_path: Path) -> None:
    with Stub(seven, spoil=_text("half \ud800 of")) as server, asking(server, tmp_path) as client:
        assert client.ask(ASK).text == "half \N{REPLACEMENT CHARACTER} of"


def test_an_answer_nested_too_deeply_is_told_in_words() -> None:
    from graphmill.llm.openai import OpenAI

    model = OpenAI("http://127.0.0.1:9/v1", "m")
    said = str(model._broken(RecursionError("maximum recursion depth exceeded")))
    assert said == "The reply of m cannot be read: it is nested too deeply."
    digits = ValueError("Exceeds the limit (4300 digits) for integer string conversion")
    assert "a number has too many digits" in str(model._broken(digits))


def _usage(**counts: Any) -> Callable[[dict[str, Any]], Any]:
    return lambda completion: {**completion, "usage": counts}


@pytest.mark.parametrize(
    "bad", [-1, -0.5, float("nan"), float("inf"), 10**9, 10**400, 2.5, "12", "", True, [], {}]
)
@pytest.mark.parametrize("name", ["prompt_tokens", "completion_tokens"])
def test_usage_that_is_no_count_is_refused(name: str, bad: Any, tmp_path: Path) -> None:
    counts = {"prompt_tokens": 5, "completion_tokens": 5, name: bad}
    with (
        Stub(seven, spoil=_usage(**counts)) as server,
        asking(server, tmp_path, attempts=5, prices=Prices(1, 1), budget_usd=1.0) as client,
    ):
        with pytest.raises(LLMError) as caught:
            client.ask(ASK)
        assert len(server.calls) == 1
        assert client.budget.spent >= 0
    assert caught.value.code in ("usage", "broken-reply")  # JSON has no integer of 400 digits


@pytest.mark.parametrize("bad", [-1, 10**30])
def test_an_answer_of_impossible_usage_is_paid_for_once(bad: int, tmp_path: Path) -> None:
    prices = Prices(1e6, 1e6)
    counts = {"prompt_tokens": 5, "completion_tokens": bad}
    with Stub(seven, spoil=_usage(**counts)) as server:
        with asking(server, tmp_path, prices=prices) as client:
            with pytest.raises(LLMError, match="no number of tokens"):
                client.ask(ASK)
            paid = client.budget.spent
            assert paid >= prompt_tokens(ASK)
        with asking(server, tmp_path, prices=prices) as client:
            assert client.budget.spent == paid, "the record has it"
            assert client.ask(ASK).text
            assert client.budget.now == 0
        assert len(server.calls) == 1


class Digits(Stub):
    """Its completions have a number of 5,000 digits, which Python does not write, for "digits"."""

    def respond(self, body: dict[str, Any], headers: dict[str, str]) -> tuple[int, bytes, Fault]:
        status, said, fault = super().respond(body, headers)
        return status, said.replace(b'"digits"', b"9" * 5000), fault


@pytest.mark.parametrize("name", ["prompt_tokens", "completion_tokens"])
def test_a_count_of_thousands_of_digits_is_paid_for_once(name: str, tmp_path: Path) -> None:
    counts = {"prompt_tokens": 5, "completion_tokens": 5, name: "digits"}
    with Digits(seven, spoil=_usage(**counts)) as server:
        with asking(server, tmp_path, attempts=8, prices=Prices(1, 1)) as client:
            with pytest.raises(LLMError, match="no number of tokens") as caught:
                client.ask(ASK)
            assert client.budget.spent > 0
        assert len(str(caught.value)) < 300
        with asking(server, tmp_path) as client:
            assert client.ask(ASK).text
        assert len(server.calls) == 1


@pytest.mark.parametrize("name", ["created", "index", "unknown"])
def test_other_numbers_of_thousands_of_digits_spoil_no_answer(name: str, tmp_path: Path) -> None:
    def spoil(said: dict[str, Any]) -> Any:
        return {**said, name: "digits", "choices": [{**said["choices"][0], name: "digits"}]}

    with Digits(seven, spoil=spoil) as server, asking(server, tmp_path, attempts=8) as client:
        assert client.ask(ASK).text == seven([])
    assert len(server.calls) == 1


@pytest.mark.parametrize(
    ("counts", "prompt"),
    [({}, None), ({"prompt_tokens": None}, None), ({"prompt_tokens": 11.0}, 11)],
)
def test_what_is_not_counted_is_guessed(
    counts: dict[str, Any], prompt: int | None, tmp_path: Path
) -> None:
    with Stub(seven, spoil=_usage(**counts)) as server, asking(server, tmp_path) as client:
        reply = client.ask(ASK)
    assert reply.prompt_tokens == (prompt_tokens(ASK) if prompt is None else prompt)
    assert reply.completion_tokens > 0


def test_a_repair_quotes_an_excerpt_of_the_bad_answer() -> None:
    import asyncio

    model = Scripted(["no " * 200_000, '{"number": 7}'])
    assert asyncio.run(fill(model, ASK, Answer)).value.number == 7
    first, second = model.asks
    assert prompt_tokens(second) < prompt_tokens(first) + 1500


# --- the key --------------------------------------------------------------------------------

FORMS: dict[str, str] = {
    "plain": KEY,
    "url": quote(KEY, safe=""),
    "base64": base64.b64encode(KEY.encode()).decode(),
    "basic": base64.b64encode(f"user:{KEY}".encode()).decode(),
    "json": json.dumps(json.dumps(KEY.replace("/", "\\/")))[2:-2],
    "unicode": "".join(f"\\u{ord(letter):04X}" for letter in KEY),
    "html": html.escape(KEY).replace("s", "&#115;"),
    "hex": KEY.encode().hex(),
    "lines": "\n  ".join((KEY[:9], KEY[9:20], KEY[20:])),
    "letters": " ".join(KEY),
    "capitals": KEY.upper(),
    "begun": KEY[:20],
}


def leaked(text: str) -> bool:
    """Whether a text has a good part of the key in any of the forms."""
    for form in FORMS.values():
        for start in range(len(form) - 15):
            if form[start : start + 16] in text:
                return True
    return False


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("before", [0, 50, 110, 270, 290, 299])
def test_the_key_in_an_error_is_hidden_wherever_it_is_cut(
    form: str, before: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    body = {"error": {"message": "x" * before + f" {FORMS[form]} refused", "param": FORMS[form]}}
    monkeypatch.setattr(stub.Stub, "_respond", lambda *_: (400, json.dumps(body).encode(), ""))
    with (
        Stub(seven) as server,
        asking(server, tmp_path, api_key_env="MY_KEY") as client,
        pytest.raises(LLMError) as caught,
    ):
        client.ask(ASK)
    trace = "".join(traceback.format_exception(caught.value))
    assert not leaked(str(caught.value) + caught.value.evidence + trace)


@pytest.mark.parametrize("form", FORMS)
def test_the_key_in_an_answer_is_neither_kept_nor_shown(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", KEY)

    def spoil(completion: dict[str, Any]) -> Any:
        completion = _text("x" * 110 + f" {FORMS[form]} is yours")(completion)
        return {**completion, "model": f"m {FORMS[form]}"}

    with (
        Stub(seven, spoil=spoil) as server,
        asking(server, tmp_path, api_key_env="MY_KEY") as client,
    ):
        reply = client.ask(ASK)
        with pytest.raises(LLMError) as caught:
            client.fill(ASK, Answer)
        sent = json.dumps(server.bodies)
    assert "is yours" in reply.text
    kept = (tmp_path / "replies.jsonl").read_text(encoding="utf-8")
    for text in (reply.text, reply.model, str(caught.value), caught.value.evidence, kept, sent):
        assert not leaked(text)


def test_an_address_with_a_password_is_shown_without(tmp_path: Path) -> None:
    url = "http://someone:hunter2-hunter3@127.0.0.1:9/v1?api_key=abcdef-123456"
    with connect(settings(url), tmp_path / "r") as client, pytest.raises(LLMError) as caught:
        client.ask(ASK)
    said = "".join(traceback.format_exception(caught.value))
    assert "http://127.0.0.1:9/v1" in said
    assert "hunter" not in said
    assert "abcdef" not in said


def test_words_that_servers_take_for_a_key_stay_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for word in ("none", "EMPTY", "ollama", "x"):
        monkeypatch.setenv("MY_KEY", word)
        text = f"{word} of the museums is {word}"
        with (
            Stub(seven, spoil=_text(text)) as server,
            asking(server, tmp_path / word, api_key_env="MY_KEY") as client,
        ):
            assert client.ask(ASK).text == text
