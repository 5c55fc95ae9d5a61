"""The client against a server that fails, cuts, declines and refuses options."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import BaseModel

from graphmill.errors import LLMError
from graphmill.llm.base import Ask, Message
from graphmill.llm.budget import Prices, prompt_tokens
from graphmill.llm.client import Client, Settings, connect
from graphmill.llm.stub import FAULTS, Fault, Stub, seeded

pytestmark = pytest.mark.slow


pytest.importorskip("openai", reason="needs the package openai (extra llm)")


class Answer(BaseModel):
    number: int


def answer(messages: list[dict[str, str]]) -> str:
    return json.dumps({"number": int(messages[0]["content"].split()[1])})


def ask(number: int) -> Ask:
    return Ask((Message("user", f"request {number} please"),), stage="test")


def client(server: Stub, folder: Path, **changed: object) -> Client:
    settings = Settings(server.url, "stub-model", timeout=0.4, concurrency=8, attempts=8)
    return connect(replace(settings, **changed), folder / "replies.jsonl")  # type: ignore[arg-type]


def first(fault: Fault, *faults: Fault) -> object:
    """A plan: the first calls of a text fail like this, the later ones do not."""
    script = [fault, *faults]
    return lambda text, number: script[number] if number < len(script) else ""


def always(fault: Fault) -> object:
    return lambda text, number: fault


def test_every_request_is_accounted_for_and_none_is_paid_twice(tmp_path: Path) -> None:
    asks = [ask(number) for number in range(120)]
    with Stub(answer, seeded(0.3, 5), latency=0.01, hang=0.6) as server:
        with client(server, tmp_path) as llm:
            found = list(llm.fill_many(asks, Answer))
            paid = llm.budget.stages["test"].calls
        calls = list(server.calls)
        assert {call.fault for call in calls} == {"", *FAULTS}
        assert server.most_open <= 8 + sum(call.fault == "timeout" for call in calls)
        assert len(found) == 120
        codes: Counter[str] = Counter()
        for number, one in enumerate(found):
            if isinstance(one, LLMError):
                codes[one.code] += 1
            else:
                assert one.value.number == number
        assert set(codes) <= {"refusal", "not-json", "invalid"}
        assert codes["refusal"] == sum(call.fault == "refusal" for call in calls)
        # What breaks off may be charged, too.
        assert paid == sum(call.charged or call.fault == "cut-body" for call in calls)
        charged = [call.key for call in calls if call.charged]
        assert len(set(charged)) == len(charged)
        with client(server, tmp_path) as llm:
            again = list(llm.fill_many(asks, Answer))
        assert server.calls == calls
        assert [str(one) for one in again if isinstance(one, LLMError)] == [
            str(one) for one in found if isinstance(one, LLMError)
        ]


@pytest.mark.parametrize("fault", [*FAULTS, "cut-text"])
def test_one_failure_of_each_kind_is_overcome_or_typed(fault: Fault, tmp_path: Path) -> None:
    with Stub(answer, first(fault), hang=0.6) as server, client(server, tmp_path) as llm:  # type: ignore[arg-type]
        if fault == "refusal":
            with pytest.raises(LLMError, match="declined: I cannot help with that") as caught:
                llm.fill(ask(7), Answer)
            assert caught.value.code == "refusal"
        else:
            assert llm.fill(ask(7), Answer).value.number == 7
            assert len(server.calls) == 2


CODES: dict[Fault, tuple[str, int]] = {
    "401": ("authentication", 1),
    "404": ("request", 1),
    "429": ("rate-limit", 3),
    "500": ("server", 3),
    "cut-body": ("connection", 3),
    "cut-json": ("not-json", 2),
    "cut-text": ("truncated", 2),
    "wrong-json": ("invalid", 2),
    "empty": ("empty", 3),
    "refusal": ("refusal", 1),
}


@pytest.mark.parametrize("fault", CODES)
def test_a_failure_that_stays_ends_in_its_code(fault: Fault, tmp_path: Path) -> None:
    code, calls = CODES[fault]
    plan = always(fault)
    with Stub(answer, plan) as server, client(server, tmp_path, attempts=3) as llm:  # type: ignore[arg-type]
        with pytest.raises(LLMError) as caught:
            llm.fill(ask(7), Answer)
        assert caught.value.code == code
        assert len(server.calls) == calls


def test_the_server_says_how_long_to_wait(tmp_path: Path) -> None:
    with Stub(answer, first("429"), retry_after=0.7) as server, client(server, tmp_path) as llm:  # type: ignore[arg-type]
        start = time.monotonic()
        assert llm.fill(ask(1), Answer).value.number == 1
        assert time.monotonic() - start >= 0.7


@pytest.mark.parametrize(
    "after", [3600, "Fri, 31 Dec 9999 23:59:59 GMT", "Fri, 31 Dec 9999 23:59:59 -0000"]
)
def test_a_server_that_wants_an_hour_is_not_waited_for(after: float | str, tmp_path: Path) -> None:
    with Stub(answer, always("429"), retry_after=after) as server:  # type: ignore[arg-type]
        with client(server, tmp_path) as llm, pytest.raises(LLMError, match="answered 429"):
            llm.ask(ask(1))
        assert len(server.calls) == 1


@pytest.mark.parametrize("after", ["Fri, 31 Dec 1999 23:59:59 GMT", "in an hour", "nan"])
def test_a_time_that_is_over_or_none_is_not_waited_for(after: str, tmp_path: Path) -> None:
    with Stub(answer, first("429"), retry_after=after) as server, client(server, tmp_path) as llm:  # type: ignore[arg-type]
        assert llm.fill(ask(1), Answer).value.number == 1


def test_the_key_comes_from_the_environment_and_stays_out_of_messages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", "top-secret-value")
    with Stub(answer, always("401")) as server:  # type: ignore[arg-type]
        with (
            client(server, tmp_path, api_key_env="MY_KEY") as llm,
            pytest.raises(LLMError) as caught,
        ):
            llm.ask(ask(1))
        assert server.headers[0]["authorization"] == "Bearer top-secret-value"
    assert "Bearer ***" in str(caught.value)
    assert "top-secret" not in str(caught.value) + caught.value.evidence
    assert "top-secret" not in (tmp_path / "replies.jsonl").read_text()
    with pytest.raises(LLMError, match="set the environment variable NOT_SET"):
        connect(Settings("http://127.0.0.1:9", "m", api_key_env="NOT_SET"), tmp_path / "r")


def test_no_server_is_an_error(tmp_path: Path) -> None:
    settings = Settings("http://127.0.0.1:9/v1", "m", attempts=1)
    with (
        connect(settings, tmp_path / "r") as llm,
        pytest.raises(LLMError, match="cannot be reached"),
    ):
        llm.ask(ask(1))


@pytest.mark.parametrize(
    "refused",
    [
        ("response_format",),
        ("max_tokens", "temperature"),
        ("response_format", "max_tokens", "temperature", "seed"),
    ],
)
def test_options_that_an_endpoint_refuses_are_said_in_another_way(
    refused: tuple[str, ...], tmp_path: Path
) -> None:
    with Stub(answer, refuses=refused) as server, client(server, tmp_path) as llm:
        for number in (1, 2):
            asked = replace(ask(number), seed=3)
            assert llm.fill(asked, Answer).value.number == number
        assert len(server.calls) == 2
        assert len(server.bodies) == 2 + len(refused)
        last = server.bodies[-1]
    assert not set(refused) & set(last)
    assert last.get("max_completion_tokens", last.get("max_tokens")) == 2048
    if "response_format" in refused:
        assert '"number"' in last["messages"][-1]["content"]
    else:
        assert last["response_format"]["json_schema"]["schema"]["required"] == ["number"]


def test_no_more_calls_are_begun_than_the_rate_allows(tmp_path: Path) -> None:
    with Stub(answer) as server, client(server, tmp_path, per_minute=600) as llm:
        start = time.monotonic()
        assert len(list(llm.ask_many([ask(number) for number in range(6)]))) == 6
        assert time.monotonic() - start >= 0.5


def test_closing_lets_paid_calls_end_and_begins_no_other(tmp_path: Path) -> None:
    asks = [ask(number) for number in range(40)]
    with Stub(answer, latency=0.15) as server:
        with client(server, tmp_path, concurrency=4, timeout=30) as llm:
            assert next(llm.ask_many(asks))
        calls = list(server.calls)
        assert 4 <= len(calls) < 20
        recorded = (tmp_path / "replies.jsonl").read_text().splitlines()
        assert len(recorded) == len(calls)
        with client(server, tmp_path, timeout=30) as llm:
            assert len(list(llm.ask_many(asks))) == 40
        assert len(server.calls) == 40


@pytest.mark.parametrize("concurrency", [1, 2])
def test_calls_that_wait_for_a_place_are_held_to_the_budget_again(
    concurrency: int, tmp_path: Path
) -> None:
    def dear(completion: dict[str, object]) -> object:
        usage = {"prompt_tokens": 100_000, "completion_tokens": 100_000, "total_tokens": 200_000}
        return {**completion, "usage": usage}

    with (
        Stub(answer, latency=0.05, spoil=dear) as server,
        client(
            server,
            tmp_path,
            concurrency=concurrency,
            prices=Prices(2.0, 8.0),
            budget_usd=0.5,
            timeout=5.0,
        ) as llm,
    ):
        found = list(llm.ask_many([ask(number) for number in range(6)]))
        assert llm.budget.spent == pytest.approx(concurrency)  # what was in flight, 1 USD each
    assert len(server.calls) == concurrency
    assert (
        sum(isinstance(one, LLMError) and one.code == "budget" for one in found) == 6 - concurrency
    )


def test_closing_begins_no_call_that_waits_for_what_others_cost(tmp_path: Path) -> None:
    prices = Prices(1000.0, 1000.0)
    most = prices.cost(prompt_tokens(ask(1)), ask(1).max_tokens)
    with Stub(answer, latency=0.3) as server:
        with client(
            server, tmp_path, concurrency=4, prices=prices, budget_usd=1.5 * most, timeout=5.0
        ) as llm:
            begun = llm.ask_many([ask(number) for number in range(4)])
            threading.Thread(target=lambda: list(begun), daemon=True).start()
            time.sleep(0.15)
        assert len(server.calls) == 1


def test_an_endpoint_that_counts_nothing_costs_what_the_budget_guesses(tmp_path: Path) -> None:
    prices = Prices(1000.0, 1000.0)
    with (
        Stub(answer, counts=False) as server,
        client(server, tmp_path, prices=prices, budget_usd=50.0) as llm,
    ):
        reply = llm.ask(ask(1))
        assert reply.prompt_tokens == prompt_tokens(ask(1))
        assert reply.completion_tokens > 0
        assert llm.budget.spent > 0
