"""The model client against a server that fails: nothing lost, nothing paid twice, little time lost.

    python benchmarks/llm_faults.py [--calls 1000] [--rate 0.3] [--concurrency 16] [--latency 0.5]
                                    [--kills 2] [--seed 1] [--unusable]

A local stub of an OpenAI-compatible endpoint answers structured requests after `--latency` seconds.
Of its calls, a share of `--rate` fails: 429 with Retry-After, 500, a timeout, a body that is cut,
JSON that is cut, JSON of another shape, an empty text, a refusal. The runs, a JSON line each:

`fault-free`: the same requests without faults: the mean of the calls in flight, against the limit.
`faults`: how each request ended; `busy` as before, over the whole run and until 95 % had ended;
    then the same requests again from the record: calls made and charged then.
`interrupted`, `killed`: the process that asks is ended at random moments with SIGINT (Ctrl-C), or
    with SIGKILL, and started again. `paid_again` counts the requests that were charged twice. After
    SIGKILL these can only be those on their way at that moment, which no client can know of; the
    server of `killed, keys honoured` knows them by their Idempotency-Key and charges none twice.
`unusable`: eight questions and a budget of 0.02 USD, where every answer has status 200, is charged
    and cannot be used; a line for each way. `booked` is what the books say of the US dollars that
    were `charged`; `again` are the calls of the same requests begun
    anew. With `--unusable` these alone.
"""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from pydantic import BaseModel

from graphmill.errors import LLMError
from graphmill.llm.base import Ask, Message
from graphmill.llm.budget import Prices
from graphmill.llm.client import Settings, connect
from graphmill.llm.stub import UNUSABLE, Call, Fault, Stub, seeded


class Answer(BaseModel):
    """What is asked for."""

    number: int


def answer(messages: list[dict[str, str]]) -> str:
    """The right answer to `request N`."""
    text = next(message["content"] for message in messages if message["role"] == "user")
    return json.dumps({"number": int(text.split()[-1])})


def asks(count: int) -> list[Ask]:
    """The requests."""
    return [Ask((Message("user", f"request {number}"),), stage="test") for number in range(count)]


def run(url: str, count: int, concurrency: int, record: Path) -> dict[str, Any]:
    """Ask all; how they ended, and after how many seconds 95 % of them had."""
    settings = Settings(url, "stub", timeout=2.0, concurrency=concurrency)
    ends: list[float] = []
    outcomes: Counter[str] = Counter()
    wrong = 0
    start = time.monotonic()
    with connect(settings, record) as client:
        for number, found in enumerate(client.fill_many(asks(count), Answer)):
            ends.append(time.monotonic() - start)
            if isinstance(found, LLMError):
                outcomes[found.code] += 1
            else:
                outcomes["answered"] += 1
                wrong += found.value.number != number
        books = client.budget.to_json().get("test", {})
    return {
        "seconds": round(ends[-1], 1),
        "accounted_for": sum(outcomes.values()),
        "outcomes": dict(sorted(outcomes.items())),
        "wrong": wrong,
        "paid_calls": books.get("calls", 0),
        "recorded": books.get("recorded", 0),
    }


def measure(options: argparse.Namespace, rate: float, folder: Path) -> dict[str, Any]:
    """One run and one from the record, on a server of its own."""
    record = folder / f"replies-{rate}.jsonl"
    plan = seeded(rate, options.seed)
    with Stub(answer, plan, latency=options.latency, hang=2.1) as server:
        first = run(server.url, options.calls, options.concurrency, record)
        busy = (server.busy(), server.busy(0.95))
        calls = list(server.calls)
        again = run(server.url, options.calls, options.concurrency, record)
        return {
            **first,
            "calls": len(calls),
            "failed_calls": sum(bool(call.fault) for call in calls),
            "faults": dict(sorted(Counter(call.fault for call in calls if call.fault).items())),
            "most_in_flight": server.most_open,
            "busy": round(busy[0] / options.concurrency, 3),
            "busy_until_95": round(busy[1] / options.concurrency, 3),
            "charged": sum(call.charged for call in calls),
            "again": {
                "calls": len(server.calls) - len(calls),
                "same": again["outcomes"] == first["outcomes"],
            },
        }


def ended(
    options: argparse.Namespace, folder: Path, by: signal.Signals, *, honours_keys: bool
) -> dict[str, Any]:
    """Ask in a process that is ended and started again, until all is done."""
    record = folder / f"replies-{by}-{honours_keys}.jsonl"
    dice = Random(options.seed)
    with Stub(
        answer,
        seeded(options.rate, options.seed),
        latency=options.latency,
        hang=2.1,
        honours_keys=honours_keys,
    ) as server:
        command = [sys.executable, __file__, "--ask", server.url, "--record", str(record)]
        command += ["--calls", str(options.calls), "--concurrency", str(options.concurrency)]
        targets = sorted(dice.sample(range(options.calls // 10, options.calls), options.kills))
        for target in targets:
            with subprocess.Popen(
                command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            ) as process:
                while lines(record) < target:
                    time.sleep(0.01)
                process.send_signal(by)
        done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
        calls = list(server.calls)
    twice = twice_paid(calls)
    return {
        **json.loads(done.stdout),
        "ended_at": targets,
        "paid_again": twice,
        "in_flight_then": options.kills * options.concurrency,
        "lines": lines(record),
    }


LIMIT, PRICES = 0.02, Prices(40.0, 40.0)  # US dollars; a call may cost 0.0052
USED = {"prompt_tokens": 10, "completion_tokens": 110}


def unusable(fault: Fault, folder: Path) -> dict[str, Any]:
    """Eight requests whose answers all fail in one way, with a budget; and once more."""
    settings = Settings("", "stub", budget_usd=LIMIT, prices=PRICES, timeout=30.0, concurrency=4)
    requests = [replace(one, max_tokens=120) for one in asks(8)]
    found: list[Any] = []
    calls: list[int] = []
    spent: list[float] = []
    spoil: Callable[[dict[str, Any]], Any] = lambda said: {**said, "usage": USED}  # noqa: E731
    with Stub(answer, lambda text, number: fault, spoil=spoil, honours_keys=False) as server:
        for _ in range(2):
            there = replace(settings, base_url=server.url)
            with connect(there, folder / f"replies-{fault}.jsonl") as client:
                found = [*found, *client.ask_many(requests)]
                spent.append(client.budget.spent)
            calls.append(len(server.calls))
        charged = calls[0] * PRICES.cost(*USED.values())
    return {
        "fault": fault,
        "calls": calls[0],
        "charged": round(charged, 6),
        "booked": round(spent[0], 6),
        "again": calls[1] - calls[0],
        "booked_then": round(spent[1], 6),
        "ends": dict(Counter(getattr(one, "code", "answered") for one in found[:8])),
        "says": str(found[0]),
    }


def lines(record: Path) -> int:
    """The number of recorded replies."""
    return record.read_bytes().count(b"\n") if record.exists() else 0


def twice_paid(calls: list[Call]) -> int:
    """Calls charged again for an answer that was whole the first time."""
    spoilt: frozenset[Fault] = frozenset({"empty"})  # asked for again on purpose
    charged = Counter(call.key for call in calls if call.charged and call.fault not in spoilt)
    return sum(number - 1 for number in charged.values())


def main() -> int:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--calls", type=int, default=1000)
    arguments.add_argument("--rate", type=float, default=0.3)
    arguments.add_argument("--concurrency", type=int, default=16)
    arguments.add_argument("--latency", type=float, default=0.5)
    arguments.add_argument("--kills", type=int, default=2)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--unusable", action="store_true")
    arguments.add_argument("--ask", help=argparse.SUPPRESS)
    arguments.add_argument("--record", type=Path, help=argparse.SUPPRESS)
    options = arguments.parse_args()
    if options.ask:
        # A shell starts what runs in the background with SIGINT ignored.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        print(json.dumps(run(options.ask, options.calls, options.concurrency, options.record)))
        return 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for fault in (*UNUSABLE, "cut-body", "null"):
            found = unusable(fault, folder)
            print(json.dumps({"run": "unusable", **found}), flush=True)
        if options.unusable:
            return 0
        print(json.dumps({"run": "fault-free", **measure(options, 0.0, folder)}), flush=True)
        print(json.dumps({"run": "faults", **measure(options, options.rate, folder)}), flush=True)
        for run_name, by, honours in (
            ("interrupted", signal.SIGINT, False),
            ("killed", signal.SIGKILL, False),
            ("killed, keys honoured", signal.SIGKILL, True),
        ):
            found = ended(options, folder, by, honours_keys=honours)
            print(json.dumps({"run": run_name, **found}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
