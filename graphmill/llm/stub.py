"""An OpenAI-compatible server on this machine that answers by rule and fails as it is told.

For tests and benchmarks: no model, no network but loopback. It keeps books of what it charged for,
and of how many calls were open at a time.
"""

from __future__ import annotations

import gzip
import json
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal, Self

from graphmill.seed import rng

type Fault = (
    Literal["", "401", "404", "429", "500", "timeout", "cut-body"]
    | Literal["cut-head", "bad-length", "two-lengths", "long-head"]
    | Literal["cut-json", "cut-text", "wrong-json", "empty", "refusal"]
    | Literal["drip", "drip-headers", "endless", "endless-headers", "bomb", "unasked-coding"]
    | Literal["list-text", "no-choices", "not-utf8", "too-long", "half-json", "deep-json", "null"]
)
HEADS: tuple[Fault, ...] = ("cut-head", "bad-length", "two-lengths", "long-head")
FAULTS: tuple[Fault, ...] = (
    *("429", "500", "timeout", "cut-body"),
    *("cut-json", "wrong-json", "empty", "refusal"),
)
UNUSABLE: tuple[Fault, ...] = (
    *("list-text", "no-choices", "not-utf8", "too-long", "half-json", "deep-json"),
    *("bomb", "unasked-coding"),
)
CHARGED: frozenset[Fault] = frozenset(
    {"", "cut-json", "cut-text", "wrong-json", "empty", "refusal", "null", *UNUSABLE}
)


@dataclass(frozen=True, slots=True)
class Call:
    """One request: the first user message, its number among those of this text, what it got."""

    text: str
    number: int
    fault: Fault
    key: str
    charged: bool


def seeded(rate: float, seed: int) -> Callable[[str, int], Fault]:
    """A plan in which every call fails with probability `rate`, all faults alike."""

    def plan(text: str, number: int) -> Fault:
        dice = rng(seed, "fault", text, number)
        return dice.choice(FAULTS) if dice.random() < rate else ""

    return plan


class Stub:
    """`with Stub(answer) as server:` serves at `server.url` until the block ends.

    `answer` makes the content from the messages. `plan` says how the n-th call (from 0) of a
    first user message fails. `latency`, `hang` (of a `timeout`), `retry_after` (or a date) and
    `apart`, the time between two bytes of a `drip`, are seconds. `spoil` changes completions.
    A key (`Idempotency-Key`) that was charged gets the same answer again and is not charged again,
    unless not `honours_keys`.
    `refuses` are options that it answers with status 400. Without `counts` it tells no usage.
    """

    def __init__(
        self,
        answer: Callable[[list[dict[str, str]]], str],
        plan: Callable[[str, int], Fault] = lambda text, number: "",
        *,
        latency: float = 0.0,
        hang: float = 1.0,
        retry_after: float | str = 0.05,
        refuses: tuple[str, ...] = (),
        honours_keys: bool = True,
        counts: bool = True,
        apart: float = 0.1,
        spoil: Callable[[dict[str, Any]], Any] = lambda completion: completion,
    ) -> None:
        self.answer, self.plan = answer, plan
        self.latency, self.hang, self.retry_after = latency, hang, retry_after
        self.refuses, self.honours_keys, self.counts = refuses, honours_keys, counts
        self.apart, self.spoil = apart, spoil
        self.ended = threading.Event()
        self.calls: list[Call] = []
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.charged: list[tuple[int, int]] = []  # tokens of prompt and answer
        self.most_open = 0
        self._spans: list[tuple[float, float]] = []
        self._answered: dict[str, bytes] = {}
        self._numbers: Counter[str] = Counter()
        self._open = 0
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _handler(self))

    @property
    def url(self) -> str:
        """The base URL for a client."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.ended.set()
        self._server.shutdown()
        self._server.server_close()

    def busy(self, share: float = 1.0) -> float:
        """The mean number of open calls until that share of all calls had ended."""
        spans = sorted(self._spans, key=lambda span: span[1])
        begun = min(start for start, _ in spans)
        until = spans[max(0, int(len(spans) * share) - 1)][1]
        held = sum(min(end, until) - start for start, end in spans if start < until)
        return held / (until - begun)

    def respond(self, body: dict[str, Any], headers: dict[str, str]) -> tuple[int, bytes, Fault]:
        """Status, body and fault of one request; enters it in the books."""
        start = time.monotonic()
        with self._lock:
            self._open += 1
            self.most_open = max(self.most_open, self._open)
            self.bodies.append(body)
            self.headers.append(headers)
        try:
            return self._respond(body, headers.get("idempotency-key", ""))
        finally:
            with self._lock:
                self._open -= 1
                self._spans.append((start, time.monotonic()))

    def _respond(self, body: dict[str, Any], key: str) -> tuple[int, bytes, Fault]:
        for option in self.refuses:
            if option in body:
                error = {"message": f"Unsupported parameter: '{option}'.", "param": option}
                return 400, json.dumps({"error": error}).encode(), ""
        text = next(m["content"] for m in body["messages"] if m["role"] == "user")
        with self._lock:
            known = self._answered.get(key)
            number = self._numbers[text]
            self._numbers[text] += 1
            fault: Fault = "" if known else self.plan(text, number)
            charged = known is None and fault in CHARGED
            self.calls.append(Call(text, number, fault, key, charged))
        time.sleep(self.hang if fault == "timeout" else self.latency)
        if known is not None:
            return 200, known, ""
        if fault.isdigit():
            error = {"message": f"fault {fault} for {self.headers[-1].get('authorization')}"}
            return int(fault), json.dumps({"error": error}).encode(), fault
        made = _completion(self.answer(body["messages"]), fault, body)
        if charged:
            used = made["usage"]
            self.charged.append((used["prompt_tokens"], used["completion_tokens"]))
        if not self.counts:
            del made["usage"]
        content = _spoilt(json.dumps(self.spoil(made)).encode(), fault)
        if charged and key and self.honours_keys:
            with self._lock:
                self._answered[key] = content
        return 200, content, fault


def _completion(text: str, fault: Fault, body: dict[str, Any]) -> dict[str, Any]:
    """A chat completion, spoilt as the fault says."""
    half = text[: len(text) // 2]
    spoilt = {"cut-json": half, "cut-text": half, "wrong-json": '{"unasked": 1}', "empty": ""}
    text = spoilt.get(fault, text)
    finish = "length" if fault == "cut-text" else "stop"
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if fault in ("list-text", "null"):
        message["content"] = [text] if fault == "list-text" else None
    if fault == "refusal":
        message |= {"content": None, "refusal": "I cannot help with that."}
    asked = sum(len(m["content"]) for m in body["messages"]) // 4
    used = {"prompt_tokens": asked, "completion_tokens": len(text) // 4}
    return {
        "id": "stub",
        "object": "chat.completion",
        "created": 0,
        "model": body["model"],
        "choices": [{"index": 0, "finish_reason": finish, "message": message}],
        "usage": {**used, "total_tokens": sum(used.values())},
    }


def _spoilt(content: bytes, fault: Fault) -> bytes:
    """A completion's bytes as the fault says. Those that are too long or cut tell no usage."""
    match fault:
        case "no-choices":
            return json.dumps({**json.loads(content), "choices": []}).encode()
        case "not-utf8":
            return content.replace(b'"stub"', b'"\xff\xfe"')
        case "too-long":
            return b" " * (9 << 20) + content
        case "half-json":
            return content[: content.index(b'"usage"')]
        case "deep-json":
            return b'{"more": ' + b"[" * 200_000 + b"]" * 200_000 + b", " + content[1:]
    return content


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 256

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away (timeout, kill) is part of the plan."""


def _handler(stub: Stub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            length = int(self.headers.get("content-length", 0))
            body = json.loads(self.rfile.read(length))
            headers = {name.lower(): value for name, value in self.headers.items()}
            status, content, fault = stub.respond(body, headers)
            if fault.startswith("drip"):
                self._drip(content, after_head=fault == "drip")
                return
            self.send_response(status)
            self.send_header("content-type", "application/json")
            if fault == "endless-headers":
                while not stub.ended.is_set():
                    self.wfile.write(b"x-more: " + b"x" * 1000 + b"\r\n")
            if fault == "bomb":
                content = gzip.compress(b" " * (32 << 20), 9) + gzip.compress(content)
                self.send_header("content-encoding", "gzip")
            if fault == "unasked-coding":
                self.send_header("content-encoding", "br")
            if fault in HEADS:
                self._spoil_head(fault, len(content))
            if fault != "endless":
                self.send_header("content-length", str(len(content)))
            if status == 429:
                self.send_header("retry-after", str(stub.retry_after))
            self.end_headers()
            while fault == "endless" and not stub.ended.is_set():
                self.wfile.write(b" " * 65536)
            self.wfile.write(content[: len(content) // 2] if fault == "cut-body" else content)
            if fault in ("cut-body", "endless"):
                self.close_connection = True

        def _spoil_head(self, fault: Fault, length: int) -> None:
            """A head that no client takes, or that ends within a line, after a status that is."""
            if fault in ("bad-length", "two-lengths"):
                self.send_header(
                    "content-length", "ten" if fault == "bad-length" else str(length + 1)
                )
            elif fault == "long-head":
                self.send_header("x-more", "x" * 200_000)
            else:
                self.flush_headers()
                self.wfile.write(b"x-more: x")
                self.connection.shutdown(socket.SHUT_WR)
            self.close_connection = True

        def _drip(self, content: bytes, *, after_head: bool) -> None:
            """A byte at a time: each comes before any limit that counts from the last one."""
            head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
            head += f"content-length: {len(content)}\r\n\r\n".encode()
            if after_head:
                self.wfile.write(head)
            for byte in content if after_head else head + content:
                if stub.ended.wait(stub.apart):
                    break
                self.wfile.write(bytes([byte]))
            self.close_connection = True

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing is printed."""

    return Handler
