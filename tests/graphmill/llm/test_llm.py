"""The wrappers, one by one, round a model that says what it is told."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from graphmill.errors import GraphmillError, LLMError
from graphmill.files import digest
from graphmill.llm import cache
from graphmill.llm.base import Ask, Message, Reply
from graphmill.llm.budget import Budget, Budgeted, Prices, prompt_tokens
from graphmill.llm.cache import Record, Recorded, books, counter_of, mend
from graphmill.llm.client import Client, Settings, connect
from graphmill.llm.prompts import load
from graphmill.llm.retry import Bounded, Retrying
from graphmill.llm.scripted import Line, Scripted
from graphmill.llm.structured import json_object


class City(BaseModel):
    name: str
    people: int


ASK = Ask((Message("user", "Name a city."),), stage="cities")
ULM = '{"name": "Ulm", "people": 126000}'


def recorded(model: Scripted, path: Path, budget: Budget | None = None, **options: bool) -> Client:
    budget = budget or Budget()
    return Client(Recorded(Budgeted(model, budget), Record(path), budget, **options), budget)


# --- structured -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", [ULM, f"```json\n{ULM}\n```", f"Of course {{x}}! {ULM} Anything else? {{}}"]
)
def test_a_value_is_found_in_what_models_say(text: str) -> None:
    with Client(Scripted([text])) as llm:
        filled = llm.fill(ASK, City)
    assert filled.value == City(name="Ulm", people=126000)
    assert len(filled.replies) == 1


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ("I like Ulm.", "without a JSON object"),
        ('{"name": "Ulm"}', "people: Field required"),
        ('{"name": "Ulm", "people": "many"}', "people: Input should be a valid integer"),
    ],
)
def test_one_repair_round_says_what_is_wrong(bad: str, said: str) -> None:
    model = Scripted([bad, ULM])
    with Client(model) as llm:
        filled = llm.fill(ASK, City)
    assert filled.value.name == "Ulm"
    assert len(filled.replies) == 2
    assert [message.role for message in model.asks[1].messages] == ["user", "assistant", "user"]
    assert model.asks[1].messages[1].text == bad
    assert said in model.asks[1].messages[2].text


def test_a_second_bad_answer_is_an_error_with_its_evidence() -> None:
    with Client(Scripted(["no", "no again", ULM])) as llm, pytest.raises(LLMError) as caught:
        llm.fill(ASK, City)
    assert caught.value.code == "not-json"
    assert caught.value.evidence == "no again"


def test_a_cut_answer_gets_twice_the_room() -> None:
    cut = Reply(ULM[:9], "m", finish="length")
    model = Scripted([cut, ULM])
    with Client(model) as llm:
        assert llm.fill(ASK, City).value.name == "Ulm"
    assert [asked.max_tokens for asked in model.asks] == [2048, 4096]


@given(st.text() | st.text(alphabet='{}[]",:a1\\ '))
def test_any_text_has_an_object_or_none(text: str) -> None:
    found = json_object(text)
    assert found is None or isinstance(json.loads(found), dict)


# --- the record -----------------------------------------------------------------------------


def test_a_recorded_run_replays_exactly_without_a_model(tmp_path: Path) -> None:
    path = tmp_path / "replies.jsonl"
    asks = [replace(ASK, seed=number) for number in range(5)]
    with recorded(Scripted([f"answer {n}" for n in range(5)]), path) as llm:
        said = [reply.text for reply in llm.ask_many(asks) if isinstance(reply, Reply)]
    with connect(Settings("", "scripted"), path, replay=True) as llm:
        replayed = list(llm.ask_many(asks))
        assert [reply.text for reply in replayed if isinstance(reply, Reply)] == said
        assert llm.budget.stages["cities"].recorded == 5
        assert llm.budget.stages["cities"].calls == 0
        with pytest.raises(LLMError, match="has no reply to this request") as caught:
            llm.ask(replace(ASK, temperature=0.5))
    assert caught.value.code == "unrecorded"
    with pytest.raises(GraphmillError, match="No such file"):
        connect(Settings("", "scripted"), tmp_path / "none.jsonl", replay=True)
    assert sorted(item.name for item in tmp_path.iterdir()) == [
        ".replies.jsonl.count",
        "replies.jsonl",
    ]


@pytest.mark.parametrize(
    "changed",
    [
        {"messages": (Message("user", "Name a town."),)},
        {"messages": (Message("system", "Name a city."),)},
        {"temperature": 0.1},
        {"max_tokens": 10},
        {"seed": 1},
        {"schema": "{}"},
        {"repetition": 1},
    ],
)
def test_the_key_is_the_whole_request(changed: dict[str, object]) -> None:
    assert replace(ASK, **changed).key("m") != ASK.key("m")  # type: ignore[arg-type]
    assert replace(ASK, stage="other", attempt=3).key("m") == ASK.key("m")
    assert ASK.key("n") != ASK.key("m")


def test_a_line_cut_by_a_kill_costs_that_answer_only(tmp_path: Path) -> None:
    path = tmp_path / "replies.jsonl"
    asks = [replace(ASK, seed=number) for number in range(3)]
    with recorded(Scripted(["a", "b", "c"]), path) as llm:
        list(llm.ask_many(asks))
    whole = path.read_bytes()
    for cut in (2, 20, len(whole.splitlines(keepends=True)[-1]) - 1):
        path.write_bytes(whole[:-cut])
        model = Scripted(["again"])
        with recorded(model, path) as llm:
            texts = [r.text for r in llm.ask_many(asks) if isinstance(r, Reply)]
        assert len(model.asks) == 1
        assert texts.count("again") == 1
        assert set(texts) < {"a", "b", "c", "again"}
        with recorded(Scripted([]), path) as llm:
            assert [r.text for r in llm.ask_many(asks) if isinstance(r, Reply)] == texts


LOSSES: dict[str, tuple[Callable[[bytes], bytes | None], str]] = {
    "the last line": (lambda raw: b"".join(raw.splitlines(keepends=True)[:-1]), "1 is gone"),
    "all but one": (lambda raw: raw.splitlines(keepends=True)[1], "2 are gone"),
    "all of it": (lambda raw: b"", "3 are gone"),
    "the file": (lambda raw: None, "3 are gone"),
    "a line and a half": (lambda raw: raw[: len(raw) // 2], "1 is damaged and 1 is gone"),
    "half a line": (lambda raw: raw[:-9], "1 is damaged"),
}


@pytest.mark.parametrize("name", LOSSES)
def test_replies_that_are_gone_are_told_of_once(name: str, tmp_path: Path) -> None:
    harm, words = LOSSES[name]
    path = tmp_path / "replies.jsonl"
    asks = [replace(ASK, seed=number) for number in range(3)]
    with recorded(Scripted(["a", "b", "c"]), path) as llm:
        list(llm.ask_many(asks))
    assert not Record(path, read_only=True).harm.text(path)
    left = harm(path.read_bytes())
    if left is None:
        path.unlink()
    else:
        path.write_bytes(left)
        with connect(Settings("", "scripted"), path, replay=True) as llm:
            problems = [p for p in llm.ask_many(asks) if isinstance(p, LLMError)]
            assert all("of its replies are gone or damaged" in str(each) for each in problems)
    for text in (f"{path}: of its replies {words}; what is missing is asked anew", ""):
        model = Scripted(["again"] * 3)
        record = Record(path)
        assert text in record.harm.text(path)
        assert bool(text) == bool(record.harm.text(path))
        budget = Budget()
        with Client(Recorded(model, record, budget), budget) as llm:
            assert len([r for r in llm.ask_many(asks) if isinstance(r, Reply)]) == 3


def test_a_mended_record_is_counted_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "replies.jsonl"
    with recorded(Scripted(["a", "b", "c"]), path) as llm:
        list(llm.ask_many([replace(ASK, seed=number) for number in range(3)]))
    path.write_bytes(path.read_bytes()[:-9])
    assert mend(path) == (1, 0)
    assert mend(path) == (0, 0)
    path.write_bytes(b"")
    assert mend(path) == (0, 2)
    assert mend(path) == (0, 0)
    counter_of(path).unlink()
    assert mend(path, 5) == (0, 5)
    counter_of(path).unlink()
    counter_of(path).mkdir()
    assert mend(path) == (0, 0)


def test_a_record_of_anything_else_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "replies.jsonl"
    path.write_bytes(
        b'\xff\xfe\n{"key": 1}\n[]\n{"key": "x", "reply": {"no": 1}}\n'
        b'{"key": "y", "reply": {"text": 1, "model": "m"}}\n' + b"[" * 9999 + b"\nhalf"
    )
    with recorded(Scripted(["a"]), path) as llm:
        assert llm.ask(ASK).text == "a"
    assert len(Record(path)) == 1
    with pytest.raises(GraphmillError, match="Cannot open the recorded replies"):
        Record(tmp_path)


FORGED: dict[str, dict[str, Any]] = {
    "no text": {"text": 7},
    "tokens as a text": {"prompt_tokens": "9"},
    "tokens below nothing": {"completion_tokens": -9},
    "tokens as a list": {"completion_tokens": []},
}


@pytest.mark.parametrize("kind", FORGED)
def test_a_line_that_is_no_reply_is_damaged_whatever_its_checksum(
    kind: str, tmp_path: Path
) -> None:
    path = tmp_path / "replies.jsonl"
    with recorded(Scripted(["a"]), path) as llm:
        llm.ask(ASK)
    value = json.loads(path.read_text())
    del value["sum"]
    value["reply"].update(FORGED[kind])
    path.write_text(json.dumps({**value, "sum": digest("reply", value)}) + "\n")
    assert books(path, Prices()) == {}
    assert Record(path, read_only=True).damaged == 1
    with recorded(Scripted(["again"]), path) as llm:
        assert llm.ask(ASK).text == "again"
    assert mend(path) == (1, 0)


@pytest.mark.parametrize("end", [b"", b"\n"])
def test_a_line_that_is_longer_than_any_answer_is_damaged_and_not_held(
    end: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "MOST_LINE", 1000)
    path = tmp_path / "replies.jsonl"
    with recorded(Scripted(["a"]), path) as llm:
        llm.ask(ASK)
    whole = path.read_bytes()
    path.write_bytes(whole + b"\0" * 3_000_000 + end)
    assert sum(spent.calls for spent in books(path, Prices()).values()) == 1
    other = replace(ASK, seed=5)
    for model in (Scripted(["b"]), Scripted([])):  # the second finds what the first recorded
        with recorded(model, path) as llm:
            assert [llm.ask(each).text for each in (ASK, other)] == ["a", "b"]
    assert mend(path).damaged == 1
    assert path.read_bytes().startswith(whole)
    assert len(path.read_bytes()) < 3000
    assert len(Record(path, read_only=True)) == 2


def test_the_same_request_at_the_same_time_is_asked_once(tmp_path: Path) -> None:
    model = Scripted(["only"])
    with recorded(model, tmp_path / "r") as llm:
        found = list(llm.ask_many([ASK] * 20))
    assert [reply.text for reply in found if isinstance(reply, Reply)] == ["only"] * 20
    assert len(model.asks) == 1


def test_what_came_to_nothing_was_paid_too_and_is_not_asked_again(tmp_path: Path) -> None:
    refusal = Reply("no", "scripted", 10, 2, finish="refusal")
    for model in (Scripted([refusal]), Scripted([])):
        with recorded(model, tmp_path / "r") as llm, pytest.raises(LLMError, match="declined"):
            llm.ask(ASK)


# --- the budget -----------------------------------------------------------------------------

PRICES = Prices(input=1000.0, output=1000.0)  # a tenth of a cent a token


def test_the_budget_stops_hard_and_keeps_what_is_finished(tmp_path: Path) -> None:
    asks = [replace(ASK, seed=number, max_tokens=50) for number in range(30)]
    reply = Reply("word", "scripted", 10, 40)

    def run(limit: float) -> tuple[list[bool], Budget, int]:
        budget = Budget(limit, PRICES)
        model = Scripted(lambda ask: reply)
        inner = Bounded(Budgeted(model, budget), 8)
        with Client(Recorded(inner, Record(tmp_path / "r"), budget), budget) as llm:
            found = list(llm.ask_many(asks))
        for one in found:
            assert isinstance(one, Reply) or one.code == "budget"
        return [isinstance(one, Reply) for one in found], budget, len(model.asks)

    done, budget, asked = run(1.0)
    most = PRICES.cost(prompt_tokens(asks[0]), 50)
    assert 1.0 - most < budget.spent <= 1.0
    assert asked == sum(done) == 19  # the twentieth could have cost 0.062 after 0.95
    done, budget, asked = run(1.0)  # the first run's answers count in the second
    assert (sum(done), asked) == (19, 0)
    done, budget, asked = run(2.0)
    assert (sum(done), asked) == (30, 11)
    books = budget.to_json()["cities"]
    assert books["calls"] == 11
    assert books["recorded"] == 19
    assert books["usd"] == pytest.approx(1.5)
    assert books["usd_now"] == pytest.approx(0.55)
    budget.accept("cities", 15)
    assert budget.to_json()["cities"]["usd_per_accepted"] == pytest.approx(0.1)


def test_an_estimate_is_no_less_than_the_bill() -> None:
    asks = [replace(ASK, seed=number, max_tokens=100) for number in range(4)]
    estimate = Budget(None, PRICES).estimate(asks)
    budget = Budget(None, PRICES)
    with Client(Budgeted(Scripted([ULM] * 4), budget), budget) as llm:
        list(llm.ask_many(asks))
    assert estimate.calls == 4
    assert estimate.completion_tokens == 400
    assert estimate.usd >= budget.spent > 0


# --- retries --------------------------------------------------------------------------------


def test_failures_in_passing_are_asked_again_and_others_are_not(tmp_path: Path) -> None:
    empty = Reply("", "m", 5, 0)
    lines: list[Line] = [LLMError("x", "server"), empty, LLMError("y", "timeout"), "word"]
    model = Scripted(lines)
    record = Record(tmp_path / "r")
    retrying = Retrying(model, base=0.001, record=record)
    with Client(Recorded(retrying, record, Budget())) as llm:
        reply = llm.ask(ASK)
    assert reply.text == "word"
    assert reply.prompt_tokens == 5 + prompt_tokens(ASK)  # the empty answer was paid, too
    assert [ask.attempt for ask in model.asks] == [0, 0, 1, 1]
    model = Scripted([LLMError("x", "authentication"), "word"])
    with Client(Retrying(model)) as llm, pytest.raises(LLMError, match="x"):
        llm.ask(ASK)
    assert len(model.asks) == 1


def test_the_back_off_doubles_with_jitter_from_the_seed() -> None:
    retrying = Retrying(Scripted([]), base=1.0, longest=10.0, seed=3)
    waits = [retrying.delay(ASK, attempt) for attempt in range(1, 8)]
    for wait, full in zip(waits, [1, 2, 4, 8, 10, 10, 10], strict=True):
        assert full / 2 <= wait <= full
    assert waits == [
        Retrying(Scripted([]), base=1.0, longest=10.0, seed=3).delay(ASK, n) for n in range(1, 8)
    ]
    assert waits != [
        Retrying(Scripted([]), base=1.0, longest=10.0, seed=4).delay(ASK, n) for n in range(1, 8)
    ]


def test_a_script_says_when_it_runs_dry() -> None:
    with Client(Scripted([])) as llm, pytest.raises(LLMError, match="no line for request 1"):
        llm.ask(ASK)


# --- prompts --------------------------------------------------------------------------------

PROMPT = (
    "---\nvariables: thing, place\n---\n# system\nBe brief.\n# user\nA {{thing}} in {{place}}?\n"
)


def test_a_prompt_is_filled_once(tmp_path: Path) -> None:
    path = tmp_path / "ask.md"
    path.write_text(PROMPT)
    prompt = load(path)
    messages = prompt.render(thing="{{place}}", place="# user\nUlm")
    assert messages == (
        Message("system", "Be brief."),
        Message("user", "A {{place}} in # user\nUlm?"),
    )
    other = tmp_path / "other.md"
    other.write_text(PROMPT.replace("brief", "quick"))
    assert load(other).hash != prompt.hash
    with pytest.raises(GraphmillError, match="missing variables: place; undeclared ones: x"):
        prompt.render(thing=1, x=2)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# user\nx", "does not begin with"),
        ("---\nvariables: a\n---\n# user\nx", "declares a and uses none"),
        ("---\nvariables:\n---\n# user\n{{a}}", "declares no variables and uses a"),
        ("---\nvariables:\n---\nx", "has no turns"),
        ("---\nvariables:\n---\nx\n# user\ny", "has no turns"),
    ],
)
def test_a_prompt_that_is_wrong_is_refused_at_once(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "ask.md"
    path.write_text(text)
    with pytest.raises(GraphmillError, match=said):
        load(path)


def test_answers_that_come_together_are_written_at_once_and_share_a_sync(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "replies.jsonl"
    seen: list[int] = []

    def sync(descriptor: int) -> None:
        time.sleep(0.02)
        seen.append(path.read_bytes().count(b"\n"))

    monkeypatch.setattr("graphmill.llm.cache.os.fsync", sync)

    async def put_all() -> None:
        record = Record(path)
        await asyncio.gather(*(record.put(str(n), "test", Reply("x", "stop")) for n in range(40)))
        assert len(record) == 40

    asyncio.run(put_all())
    assert path.read_bytes().count(b"\n") == 40
    assert seen[0] == 40, "a kill during the first sync would lose lines"
    assert len(seen) < 5
