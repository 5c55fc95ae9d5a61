"""A server that speaks Bolt 4.4 or 5.0 on loopback, for the drivers' side of engines.

It answers each text by a function of the test, and keeps what it was asked. The protocol is that of
https://neo4j.com/docs/bolt/current: handshake, HELLO, RUN, PULL, BEGIN, COMMIT, RESET; values in
PackStream.
"""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

PREAMBLE = b"\x60\x60\xb0\x17"
HELLO, GOODBYE, RESET, RUN, BEGIN, COMMIT, ROLLBACK = 0x01, 0x02, 0x0F, 0x10, 0x11, 0x12, 0x13
DISCARD, PULL, SUCCESS, RECORD, IGNORED, FAILURE = 0x2F, 0x3F, 0x70, 0x71, 0x7E, 0x7F


class ServerError(Exception):
    """What the server answers with a FAILURE: code and message."""


@dataclass(frozen=True)
class Structure:
    """A structure of PackStream: a message, a node."""

    tag: int
    fields: tuple[Any, ...]


def packed(value: Any) -> bytes:
    """A value in PackStream."""
    match value:
        case None:
            return b"\xc0"
        case bool():
            return b"\xc3" if value else b"\xc2"
        case int():
            return b"\xcb" + struct.pack(">q", value)
        case float():
            return b"\xc1" + struct.pack(">d", value)
        case str():
            text = value.encode()
            return b"\xd2" + struct.pack(">I", len(text)) + text
        case list() | tuple():
            return b"\xd6" + struct.pack(">I", len(value)) + b"".join(map(packed, value))
        case dict():
            body = b"".join(packed(k) + packed(v) for k, v in value.items())
            return b"\xda" + struct.pack(">I", len(value)) + body
        case Structure(tag, fields):
            return bytes([0xB0 | len(fields), tag]) + b"".join(map(packed, fields))
    raise TypeError(value)


class Unpacker:
    """Values of one message."""

    def __init__(self, data: bytes) -> None:
        self.data, self.place = data, 0

    def take(self, size: int) -> bytes:
        self.place += size
        return self.data[self.place - size : self.place]

    def number(self, form: str) -> int:
        (made,) = struct.unpack(form, self.take(struct.calcsize(form)))
        return int(made)

    def value(self) -> Any:
        mark = self.take(1)[0]
        high, low = mark & 0xF0, mark & 0x0F
        if mark <= 0x7F or mark >= 0xF0:
            return mark if mark <= 0x7F else mark - 0x100
        if high in (0x80, 0x90, 0xA0, 0xB0):
            return self.sized(high, low)
        sizes = {0: ">B", 1: ">H", 2: ">I"}
        match mark:
            case 0xC0:
                return None
            case 0xC2 | 0xC3:
                return mark == 0xC3
            case 0xC1:
                return struct.unpack(">d", self.take(8))[0]
            case 0xC8 | 0xC9 | 0xCA | 0xCB:
                return self.number({0xC8: ">b", 0xC9: ">h", 0xCA: ">i", 0xCB: ">q"}[mark])
            case 0xD0 | 0xD1 | 0xD2:
                return self.sized(0x80, self.number(sizes[mark - 0xD0]))
            case 0xD4 | 0xD5 | 0xD6:
                return self.sized(0x90, self.number(sizes[mark - 0xD4]))
            case 0xD8 | 0xD9 | 0xDA:
                return self.sized(0xA0, self.number(sizes[mark - 0xD8]))
        raise ValueError(hex(mark))

    def sized(self, kind: int, size: int) -> Any:
        match kind:
            case 0x80:
                return self.take(size).decode()
            case 0x90:
                return [self.value() for _ in range(size)]
            case 0xA0:
                return {self.value(): self.value() for _ in range(size)}
        tag = self.take(1)[0]
        return Structure(tag, tuple(self.value() for _ in range(size)))


type Rows = tuple[list[str], list[list[Any]]]
type Answers = Callable[[str, Mapping[str, Any]], Rows]


@dataclass
class BoltServer:
    """One server; `asked` are the texts and parameters of all RUNs, `messages` all tags."""

    answers: Answers
    agent: str
    version: tuple[int, int] = (4, 4)
    asked: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    messages: list[int] = field(default_factory=list)

    def __enter__(self) -> BoltServer:
        self._listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._listener.close()

    @property
    def url(self) -> str:
        return f"bolt://127.0.0.1:{self._listener.getsockname()[1]}"

    def node(self, own: int, labels: list[str], properties: dict[str, Any]) -> Structure:
        """A node of an answer."""
        fields = (own, labels, properties)
        return Structure(0x4E, fields if self.version < (5, 0) else (*fields, str(own)))

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return  # closed
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection, connection.makefile("rb") as stream:
            if stream.read(4) != PREAMBLE:
                return
            stream.read(16)
            connection.sendall(bytes([0, 0, self.version[1], self.version[0]]))
            rows: list[list[Any]] = []
            failed = False
            while data := _message(stream):
                message = Unpacker(data).value()
                self.messages.append(message.tag)
                replies: list[Structure] = []
                if message.tag == GOODBYE:
                    return
                if message.tag == RESET:
                    failed = False
                if failed:
                    connection.sendall(_chunked(Structure(IGNORED, ())))
                    continue
                done: dict[str, Any] = {}
                try:
                    match message.tag:
                        case 0x01:
                            done = {"server": self.agent, "connection_id": "bolt-1"}
                        case 0x10:
                            text, given = message.fields[:2]
                            self.asked.append((text, given))
                            columns, rows = self.answers(text, given)
                            done = {"fields": columns}
                        case 0x3F:
                            replies = [Structure(RECORD, (row,)) for row in rows]
                            done = {"type": "r"}
                        case 0x11 | 0x12 | 0x13:
                            raise ServerError("Memgraph.ClientError", "no explicit transactions")
                    replies.append(Structure(SUCCESS, (done,)))
                except ServerError as problem:
                    failed = True
                    code, text = problem.args
                    replies = [Structure(FAILURE, ({"code": code, "message": text},))]
                connection.sendall(b"".join(map(_chunked, replies)))


def _message(stream: Any) -> bytes:
    """The chunks of the next message; empty at the end."""
    data = b""
    while size := stream.read(2):
        (length,) = struct.unpack(">H", size)
        if length:
            data += stream.read(length)
        elif data:
            return data
    return b""


def _chunked(message: Structure) -> bytes:
    data = packed(message)
    chunks = [data[start : start + 60_000] for start in range(0, len(data), 60_000)]
    return b"".join(struct.pack(">H", len(chunk)) + chunk for chunk in chunks) + b"\0\0"
