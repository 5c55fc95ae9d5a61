"""What a run tells: on one terminal for several databases at once, in plain lines, as JSON."""

from __future__ import annotations

import io
import json
import threading
from contextlib import ExitStack

import pytest
from rich.console import Console

from pipelines.cli import main
from pipelines.configuration.progress import Listener, Watch
from pipelines.configuration.tally import Tally
from pipelines.jobs.summary import Summary
from pipelines.jobs.units import CallUnit, Done

HIDE, SHOW = "\x1b[?25l", "\x1b[?25h"  # the cursor, which a live display hides


def _terminal() -> tuple[Console, io.StringIO]:
    screen = io.StringIO()
    return Console(file=screen, force_terminal=True, width=120, soft_wrap=True), screen


def test_databases_at_once_share_one_display() -> None:
    console, screen = _terminal()
    watch = Watch(console=console)
    inside, go_on = threading.Barrier(5), threading.Event()

    def one(name: str) -> None:
        with watch.stage(f"{name}: pairs", 4) as tick:
            tick()
            inside.wait(timeout=20)
            go_on.wait(timeout=20)
            for _ in range(3):
                tick()

    threads = [threading.Thread(target=one, args=(f"db{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    inside.wait(timeout=20)
    watch.note("a line in between")
    go_on.set()
    for thread in threads:
        thread.join()
    text = screen.getvalue()
    assert text.count(HIDE) == text.count(SHOW) == 1
    assert "a line in between" in text
    for number in range(4):
        assert f"db{number}: pairs: 4/4" in text


def test_the_terminal_is_given_back_when_a_build_is_stopped() -> None:
    console, screen = _terminal()
    watch = Watch(console=console)
    open_stages = ExitStack()
    stopped = pytest.raises(KeyboardInterrupt)
    with stopped, watch.whole("databases", 2):
        tick = open_stages.enter_context(watch.stage("a: pairs", 3))
        raise KeyboardInterrupt
    assert screen.getvalue().endswith(SHOW)
    tick()  # its thread has not heard of it yet
    open_stages.close()
    assert screen.getvalue().count(HIDE) == 1


def test_below_the_bars_stands_what_it_came_to() -> None:
    console, screen = _terminal()
    watch = Watch(console=console)
    with watch.tally.metered(lambda: 0.25), watch.stage("a: pairs", 2) as tick:
        watch.tally.release(3)
        watch.tally.reject(["no-answer"])
        tick()
    assert "3 released, 1 rejected (no-answer 1), 0.2500 USD" in screen.getvalue()


def test_plain_lines_have_rate_and_rest() -> None:
    lines, now = io.StringIO(), [0.0]
    watch = Watch(console=Console(file=lines, soft_wrap=True), clock=lambda: now[0])
    with watch.stage("a: pairs", 4) as tick:
        for _ in range(4):
            now[0] += 2
            tick()
    assert lines.getvalue().splitlines() == [
        "a: pairs: 0/4",
        "a: pairs: 1/4, 30.0/min, 6 s left",
        "a: pairs: 2/4, 30.0/min, 4 s left",
        "a: pairs: 3/4, 30.0/min, 2 s left",
        "a: pairs: 4/4, 30.0/min",
    ]


def test_a_stage_of_nothing_and_one_of_more_than_it_said_are_no_errors() -> None:
    lines = io.StringIO()
    watch = Watch(console=Console(file=lines))
    with watch.stage("a: grow", 0) as tick:
        tick()
    console, _ = _terminal()
    with Watch(console=console).stage("a: grow", 1) as tick:
        tick()
        tick()
    assert lines.getvalue().startswith("a: grow: 0/0\n")


def test_json_is_one_object_a_line() -> None:
    lines = io.StringIO()
    console = Console(file=lines, width=20, force_terminal=True)  # neither wrapped nor coloured
    watch = Watch(console=console, log_format="json")
    watch.note("museums [red] :smile: “quoted”\nand a second line of a good length")
    watch.warn("careful")
    with watch.stage("a: pairs", 1) as tick:
        watch.tally.reject(["no-answer"])
        tick()
    watch.summary({"stages": {"released": 1}, "rejects": [], "grown": []})
    events = [json.loads(line) for line in lines.getvalue().splitlines()]
    assert [each["event"] for each in events] == [
        "note",
        "warning",
        "progress",
        "progress",
        "summary",
    ]
    assert events[0]["text"].startswith("museums [red] :smile: “quoted”\nand")
    assert (events[3]["stage"], events[3]["done"], events[3]["total"]) == ("a: pairs", 1, 1)
    assert events[3]["rejects"] == {"no-answer": 1}
    assert events[4]["stages"] == {"released": 1}
    assert all(each["time"].endswith("+00:00") for each in events)


def test_the_funnel_has_a_column_for_each_origin_that_brought_something() -> None:
    given = {"candidates": 3, "prove": 2}
    grown = {"grown: candidates": 7, "grown: prove": 6, "grown: select": 5}
    for counts, head, first, last in (
        (given, "stage │ given │ together", "candidates │ 3 │ │", "released │ │ 2 │"),
        (grown, "stage │ grown │ together", "candidates │ 7 │ │", "released │ │ 5 │"),
        (
            {**given, **grown},
            "stage │ given │ grown │ together",
            "candidates │ 3 │ 7 │ │",
            "released │ │ │ 7 │",
        ),
    ):
        lines = io.StringIO()
        released = counts.get("grown: select", 0) + counts.get("prove", 0)
        stages = {"candidates": 0, **counts, "released": released}
        watch = Watch(console=Console(file=lines, width=80))
        watch.summary({"stages": stages, "rejects": [], "grown": []})
        text = " ".join(lines.getvalue().replace("┃", "│").split())
        for row in (head, first, last):
            assert f"│ {row}" in text


def test_quiet_keeps_back_all_but_warnings_and_errors() -> None:
    for log_format in ("text", "json"):
        lines = io.StringIO()
        watch = Watch(quiet=True, console=Console(file=lines), log_format=log_format)
        watch.note("no")
        with watch.stage("a", 1) as tick:
            tick()
        watch.summary({"stages": {}, "rejects": [], "grown": []})
        watch.spending("no", {})
        assert lines.getvalue() == ""
        watch.warn("yes")
        watch.error("yes")
        assert lines.getvalue().count("yes") == 2


def test_an_error_of_a_command_is_json_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "/no/such/file.toml", "--log-format", "json"]) == 1
    *_, last = capsys.readouterr().err.splitlines()
    event = json.loads(last)
    assert event["event"] == "error"
    assert "Cannot read the configuration" in event["text"]


def test_a_listener_hears_lines_and_no_drawing() -> None:
    heard: list[str] = []
    watch = Listener(heard.append)
    with watch.whole("databases", 2) as whole, watch.stage("a: pairs", 1) as tick:
        tick()
        whole()
    assert heard == [
        "databases: 0/2",
        "a: pairs: 0/1",
        "a: pairs: 1/1",
        "databases: 1/2",
    ]


def test_dollars_of_meters_that_ended_stay_counted() -> None:
    tally, first, second = Tally(), [0.0], [0.0]
    with tally.metered(lambda: first[0]):
        first[0] = 1.5
        with tally.metered(lambda: second[0]):
            second[0] = 0.25
            assert tally.to_json()["usd"] == 1.75
    first[0] = 99.0
    assert tally.to_json()["usd"] == 1.75


def test_the_summary_tells_where_time_and_money_went() -> None:
    summary = Summary(jobs=2, kind="processes", usd={"questions": 0.5, "queries": 1.25})
    unit = CallUnit(len, (), "farms: 8 given")
    summary.add(unit, Done(None, seconds=4.0, stages={"prove": 3.0, "check": 1.0}, worker="1"))
    summary.add(unit, Done(None, seconds=2.0, stages={"prove": 2.0}, worker="2"))
    summary.add(CallUnit(len, (), "mills: drafts"), Done(None, seconds=2.0, worker="2"))
    _, time, longest, money = summary.text().splitlines()
    assert time == "Time: prove 5 s (62%), drafts 2 s (25%), check 1 s (12%)"
    assert longest == "Longest: farms 6 s, mills 2 s"
    assert money == "Money: queries 1.2500 USD, questions 0.5000 USD"
    figures = summary.to_json()
    assert figures["stages"] == {"prove": 5.0, "drafts": 2.0, "check": 1.0}
    assert list(figures["usd"]) == ["queries", "questions"]
