"""An endpoint that drips, floods, miscounts and repeats the key."""

from __future__ import annotations

import base64
import gc
import html
import json
import re
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
from graphmill.llm.cache import books
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


CONTENT, MESSAGE = "choices[0].message.content", "choices[0].message"
SHAPES: list[tuple[Callable[[dict[str, Any]], Any], str]] = [
    (_text(["a"]), f"`{CONTENT}` is a list, and should be a text"),
    (_text({"text": "a"}), f"`{CONTENT}` is an object, and should be a text"),
    (_text(7), f"`{CONTENT}` is a number, and should be a text"),
    (lambda completion: [], "`choices` is null or missing, and should be a list of answers"),
    (lambda completion: "text", "`choices` is null or missing, and should be a list of answers"),
    *(
        (
            lambda completion, given=given: {**completion, "choices": given},
            f"`choices` is {what}, and should be a list of answers",
        )
        for given, what in (
            ({}, "an object"),
            ({"0": 1}, "an object"),
            ("abc", "a text"),
            (None, "null or missing"),
            ([], "an empty list"),
            (5, "a number"),
            (True, "a truth value"),
        )
    ),
    *(
        (
            lambda completion, given=given: {**completion, "choices": [given]},
            f"`{MESSAGE}` is {what}, and should be an object with a text",
        )
        for given, what in (
            (None, "null or missing"),
            (5, "null or missing"),
            ({"message": [1]}, "a list"),
            ({"message": "a"}, "a text"),
            ({"message": {}}, "an object"),
        )
    ),
]


@pytest.mark.parametrize(("spoil", "says"), SHAPES)
def test_an_answer_of_another_shape_is_typed(
    spoil: Callable[[dict[str, Any]], Any], says: str, tmp_path: Path
) -> None:
    with (
        Stub(seven, spoil=spoil) as server,
        asking(server, tmp_path) as client,
        pytest.raises(LLMError) as caught,
    ):
        client.ask(ASK)
    assert caught.value.code == "broken-reply"
    assert f"cannot be read: its {says}." in str(caught.value)


def _refused(message: dict[str, Any], finish: str = "stop") -> Callable[[dict[str, Any]], Any]:
    choice = {"index": 0, "message": message, "finish_reason": finish}
    return lambda completion: {**completion, "choices": [choice]}


_CALLS = [{"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}]
REFUSALS = {
    "a filter": (_refused({"role": "assistant", "content": None}, "content_filter"), False),
    "a filter, no role": (_refused({"role": None, "content": ""}, "content_filter"), False),
    "calls beside": (_refused({"tool_calls": _CALLS, "refusal": "I must not."}), True),
    "a filter and calls": (
        _refused({"content": None, "refusal": "I must not.", "tool_calls": _CALLS}, "tool_calls"),
        True,
    ),
}


@pytest.mark.parametrize("form", REFUSALS)
def test_a_refusal_is_told_and_not_asked_again(form: str, tmp_path: Path) -> None:
    spoil, says = REFUSALS[form]
    with (
        Stub(seven, spoil=spoil) as server,
        asking(server, tmp_path, attempts=4) as client,
        pytest.raises(LLMError) as caught,
    ):
        client.fill(ASK, Answer)
    assert caught.value.code == "refusal"
    reason = " declined: I must not." if says else " declined, and gave no reason."
    assert str(caught.value).endswith(reason)
    assert len(server.calls) == 1


STATUSES = {
    400: ("request", 1), 401: ("authentication", 1), 403: ("authentication", 1),
    404: ("request", 1), 302: ("request", 1), 429: ("rate-limit", 2), 500: ("server", 2),
}  # fmt: skip


@pytest.mark.parametrize(
    ("status", "fault"),
    [
        *((400, fault) for fault in ("endless", "bomb", "unasked-coding", "cut-body", *stub.HEADS)),
        *((status, "bomb") for status in STATUSES),
    ],
)
def test_a_status_is_heeded_whatever_comes_with_it(
    status: int, fault: Fault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A request that an endpoint refused was sent eight times, and the status not told."""
    requests = []

    def respond(*_: Any) -> tuple[int, bytes, Fault]:
        requests.append(status)
        return status, b'{"error": {"message": "no"}}' + b" " * 999, fault

    monkeypatch.setattr(stub.Stub, "_respond", respond)
    with (
        Stub(seven) as server,
        asking(server, tmp_path, attempts=2) as client,
        pytest.raises(LLMError, match=f" answered {status}: ") as caught,
    ):
        client.ask(ASK)
    assert (caught.value.code, len(requests)) == STATUSES[status]
    assert not (tmp_path / "replies.jsonl").read_text(encoding="utf-8")


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


# --- answers that are paid for and cannot be used -------------------------------------------

TOLD = {"prompt_tokens": 10, "completion_tokens": 110}
COSTLY = Prices(40, 40)
TOLD_USD = COSTLY.cost(10, 110)
BROKEN_OFF: tuple[Fault, ...] = ("cut-body", *stub.HEADS)
UNTOLD: tuple[Fault, ...] = ("too-long", "half-json", "bomb", "unasked-coding", *BROKEN_OFF)


def _always(fault: Fault) -> Callable[[str, int], Fault]:
    return lambda text, number: fault


@pytest.mark.parametrize("fault", [*stub.UNUSABLE, *BROKEN_OFF, "null"])
def test_answers_of_no_use_are_held_to_the_budget(fault: Fault, tmp_path: Path) -> None:
    """64 calls were made, and nothing was booked."""
    asks = [Ask((Message("user", f"request {n}"),), max_tokens=120) for n in range(8)]
    changed = {"attempts": 8, "prices": COSTLY, "budget_usd": 0.02}
    with Stub(seven, _always(fault), spoil=_usage(**TOLD)) as server:
        with asking(server, tmp_path, **changed) as client:
            found = list(client.ask_many(asks))
            spent = client.budget.spent
        calls = len(server.calls)
        assert calls * TOLD_USD <= spent <= 0.02, "no more is paid for than is booked"
        if fault not in UNTOLD:
            assert spent == pytest.approx(calls * TOLD_USD)
        assert 3 <= calls <= 4
        assert {one.code for one in found if isinstance(one, LLMError)} == {"budget"}
        assert f"{spent:.4f} USD are spent" in str(found[0])
        with asking(server, tmp_path, **changed) as client:
            assert client.budget.spent == pytest.approx(spent), "the record has it"
            assert len(list(client.ask_many(asks))) == 8
        assert len(server.calls) == calls


@pytest.mark.parametrize("fault", [*stub.UNUSABLE, *BROKEN_OFF])
def test_an_answer_of_no_use_is_asked_for_few_times(fault: Fault, tmp_path: Path) -> None:
    with Stub(seven, _always(fault), spoil=_usage(**TOLD)) as server:
        with asking(server, tmp_path, attempts=8, prices=COSTLY) as client:
            with pytest.raises(LLMError, match=r"USD are booked for it, and \d\.\d+ USD") as caught:
                client.ask(ASK)
            assert client.budget.spent >= 3 * TOLD_USD
        assert len(server.calls) == 3
    assert caught.value.code == ("connection" if fault in BROKEN_OFF else "broken-reply")
    assert "cannot be reached" not in str(caught.value)


@pytest.mark.parametrize("fault", [*stub.UNUSABLE, *BROKEN_OFF, "empty"])
def test_what_was_of_no_use_costs_nothing_twice(fault: Fault, tmp_path: Path) -> None:
    plan: Callable[[str, int], Fault] = lambda text, number: "" if number else fault  # noqa: E731
    with Stub(seven, plan, spoil=_usage(**TOLD)) as server:
        with asking(server, tmp_path, attempts=8, prices=COSTLY) as client:
            first = client.ask(ASK)
            spent = client.budget.spent
        assert spent >= 2 * TOLD_USD
        assert COSTLY.cost(first.prompt_tokens, first.completion_tokens) == pytest.approx(spent)
        with asking(server, tmp_path, attempts=8, prices=COSTLY) as client:
            again = client.ask(ASK)
            assert client.budget.spent == pytest.approx(spent)
            assert client.budget.now == 0
            assert client.budget.stages["test"].usd == pytest.approx(spent)
        assert len(server.calls) == 2
        keys = {call.key for call in server.calls}
    assert (again.text, again.prompt_tokens) == (first.text, first.prompt_tokens)
    assert len(keys) == (1 if fault in BROKEN_OFF else 2), "an honest server sends the same again"
    kept = books(tmp_path / "replies.jsonl", COSTLY)["test"]
    assert kept.calls == 2
    assert kept.usd == pytest.approx(spent)


def test_a_later_run_asks_again_under_another_key(tmp_path: Path) -> None:
    plan: Callable[[str, int], Fault] = lambda text, n: "list-text" if n < 3 else ""  # noqa: E731
    with Stub(seven, plan, spoil=_usage(**TOLD)) as server:
        with asking(server, tmp_path, attempts=8, prices=COSTLY) as client:
            assert isinstance(next(client.ask_many([ASK])), LLMError)
        with asking(server, tmp_path, attempts=8, prices=COSTLY) as client:
            assert client.ask(ASK).text == seven([])
            assert client.budget.spent == pytest.approx(4 * TOLD_USD)
            assert client.budget.stages["test"].usd == pytest.approx(4 * TOLD_USD)
            assert client.budget.now == pytest.approx(TOLD_USD)
        assert len({call.key for call in server.calls}) == 4


def test_what_tells_no_usage_is_estimated(tmp_path: Path) -> None:
    with Stub(seven, spoil=_text(["a" * 300]), counts=False) as server:
        with asking(server, tmp_path) as client, pytest.raises(LLMError, match="tokens are booked"):
            client.ask(ASK)
        stage = client.budget.stages["test"]
    assert stage.prompt_tokens == prompt_tokens(ASK)
    assert 100 < stage.completion_tokens < 300


def test_a_failure_that_is_no_answer_costs_nothing(tmp_path: Path) -> None:
    with Stub(seven, _always("500")) as server:
        with asking(server, tmp_path, attempts=4, prices=COSTLY) as client:
            with pytest.raises(LLMError, match="answered 500"):
                client.ask(ASK)
            assert client.budget.spent == 0
        assert len(server.calls) == 4


@pytest.mark.parametrize(
    ("body", "usage"),
    [
        (b"", None),
        (b'\xff{"usage": {"prompt_tokens": 5}}', {"prompt_tokens": 5}),
        (b'{"usage": {"prompt_tokens": 5}, "a": ' + b"[" * 200_000, {"prompt_tokens": 5}),
        (b'{"a": "\\"usage\\": {\\"prompt_tokens\\": 0}", "b"', None),
        (b'{"usage": {"prompt_tok', None),
        (b'{"usage": 7}', None),
        (b'"usage":{' * 900_000, None),
        ('{"usage": {"prompt_tokens": 5}}'.encode("utf-16"), {"prompt_tokens": 5}),
    ],
)
def test_usage_is_read_where_it_can_be(body: bytes, usage: dict[str, int] | None) -> None:
    from graphmill.llm.answers import usage_of

    assert usage_of(body)[0] == usage


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
    "url twice": quote(quote(KEY, safe=""), safe=""),
    "backwards": KEY[::-1],
    "base64": base64.b64encode(KEY.encode()).decode(),
    "basic": base64.b64encode(f"user:{KEY}".encode()).decode(),
    "json": json.dumps(json.dumps(KEY.replace("/", "\\/")))[2:-2],
    "unicode": "".join(f"\\u{ord(letter):04X}" for letter in KEY),
    "html": html.escape(KEY).replace("s", "&#115;"),
    "hex": KEY.encode().hex(),
    "base16": base64.b16encode(KEY.encode()).decode(),
    **{
        f"base32 after {before}": base64.b32encode(("x" * before + KEY).encode()).decode()
        for before in range(5)
    },
    "base32 small": base64.b32encode(KEY.encode()).decode().lower(),
    "hex backwards": KEY.encode().hex()[::-1],
    "base64 backwards": base64.b64encode(KEY.encode()).decode()[::-1],
    "numbers": ", ".join(map(str, KEY.encode())),
    "numbers of three digits": "".join(f"{byte:03d}" for byte in KEY.encode()),
    "octal": "".join(f"\\{byte:o}" for byte in KEY.encode()),
    "as in C": ",".join(f"0x{byte:02x}" for byte in KEY.encode()),
    "UTF-16": KEY.encode("utf-16-le").hex(),
    "lines": "\n  ".join((KEY[:9], KEY[9:20], KEY[20:])),
    "letters": " ".join(KEY),
    "capitals": KEY.upper(),
    "begun": KEY[:20],
    **{
        f"{name} {coded}": code(text)
        for name, text in (
            ("dashes", KEY.replace("-", "\u2010").replace("_", "\u2011")),
            ("nothing between", "\u200b".join(KEY)),
            ("wide", "".join(chr(ord(letter) + 0xFEE0) for letter in KEY)),
            ("accents", "".join(f"{letter}\u0301" for letter in KEY)),
        )
        for coded, code in (
            ("plain", str),
            ("json", lambda text: json.dumps(json.dumps(text))[2:-2]),
            ("html", lambda text: text.encode("ascii", "xmlcharrefreplace").decode()),
            ("url", lambda text: quote(quote(text)) if "\uff4b" not in text else text),
            ("braces", lambda text: re.sub(r"\\u(\w{4})", r"\\u{\1}", json.dumps(text)[1:-1])),
        )
    },
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
