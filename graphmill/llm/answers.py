"""Limits of an endpoint's answer, which is not trusted: bytes, and the counts that it tells."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import httpx2

from graphmill.errors import LLMError

MOST_BYTES = 8 << 20  # of one answer, decoded; a hundred times the longest that models write
MOST_TOKENS = 10_000_000  # of one call; more than any model takes or writes
_CODED = {"gzip": 47, "x-gzip": 47, "deflate": 47}  # zlib's window bits: with any of its heads


class TooLong(Exception):
    """An answer is longer than `MOST_BYTES`, or coded in a way that we did not ask for."""


_STATUS = re.compile(rb"^HTTP/1\.[01] ([2-5]\d\d)", re.MULTILINE)  # 1xx come before an answer
_MOST_HEAD = 64 << 10  # bytes of a head in which its status is looked for


@dataclass(slots=True)
class Heard:
    """What has come of an answer so far, whatever becomes of it."""

    status: int = 0
    head: bytes = b""
    chunks: list[bytes] = field(default_factory=list)

    @property
    def is_paid(self) -> bool:
        """Whether a provider charges for it: it said that all is well."""
        return 200 <= self.status < 300

    def take(self, read: bytes) -> None:
        """What was read before a status is known, which a head that cannot be read may have."""
        if not self.status and len(self.head) < _MOST_HEAD:
            self.head += read
            line = _STATUS.search(self.head)
            self.status = int(line[1]) if line else 0


HEARD: ContextVar[Heard | None] = ContextVar("HEARD", default=None)  # of the call that is made


async def listen(request: httpx2.Request) -> None:
    """Hook of a client: the status of an answer is heard as it comes (`Heard.take`)."""
    request.extensions["trace"] = _trace


async def _trace(event: str, info: dict[str, Any]) -> None:
    """Called with what goes on in a connection, such as a stream that was made for it."""
    if event.endswith("start_tls.started") and (heard := HEARD.get()):
        heard.status, heard.head = 0, b""  # a proxy's, which let it through
    elif event.endswith(("connect_tcp.complete", "start_tls.complete")):
        stream = info["return_value"]
        stream.read = partial(_read, stream.read)


async def _read(read: Callable[..., Awaitable[bytes]], *of: Any, **more: Any) -> bytes:
    content = await read(*of, **more)
    if heard := HEARD.get():
        heard.take(content)
    return content


async def limit(response: httpx2.Response) -> None:
    """Hook of a client: the body ends in TooLong where it grows beyond the limit, and its JSON may
    have integers of any length (`integer`).

    Compressed bodies are decoded here, for elsewhere a few bytes may become any number.
    """
    heard = HEARD.get() or Heard()
    heard.status = response.status_code
    coding = response.headers.get("content-encoding", "identity").strip().casefold()
    if coding not in ("", "identity", *_CODED):
        await response.aclose()
        raise TooLong(f"it is coded as {coding[:40]!r}, which was not asked for")
    response.headers.pop("content-encoding", None)
    if isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = _Limited(response.stream, _CODED.get(coding), heard)
    # The client calls it without arguments.
    response.json = partial(response.json, parse_int=integer)  # type: ignore[method-assign]


def integer(digits: str) -> int | str:
    """The integer of a JSON text; one of more digits than Python converts stays a text, which is no
    count of anything: the answer is paid for, and is not to be asked for again because of it.

    >>> integer("-12"), type(integer("9" * 5000)).__name__
    (-12, 'str')
    """
    try:
        return int(digits)
    except ValueError:
        return digits


class _Limited(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream, bits: int | None, heard: Heard) -> None:
        self._stream = stream
        self._bits = bits
        self._heard = heard

    async def __aiter__(self) -> AsyncIterator[bytes]:
        length = 0
        decoder = None if self._bits is None else zlib.decompressobj(self._bits)
        async for chunk in self._stream:
            if decoder is not None:
                try:
                    chunk = decoder.decompress(chunk, MOST_BYTES + 1 - length)
                except zlib.error as problem:
                    raise TooLong(f"it is not coded as it says ({problem})") from None
            length += len(chunk)
            if length > MOST_BYTES:
                raise TooLong(f"it is longer than {MOST_BYTES >> 20} MB")
            self._heard.chunks.append(chunk)
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


def usage_of(body: bytes) -> tuple[dict[str, Any] | None, bool]:
    """The usage that a body tells, even if it is no JSON, or not all of it; and whether it is.

    >>> usage_of(b'{"usage": {"prompt_tokens": 5}, "choices": [{"mess')
    ({'prompt_tokens': 5}, False)
    """
    text = body.decode(json.detect_encoding(body), "replace")
    with suppress(ValueError, RecursionError):
        whole = json.loads(text, parse_int=integer)
        usage = whole.get("usage") if isinstance(whole, dict) else None
        return usage if isinstance(usage, dict) else None, True
    decoder = json.JSONDecoder(parse_int=integer)
    end = len(text)
    for _ in range(_USAGES):
        # In the text of an answer its quotes would be escaped.
        end = text.rfind('"usage"', 0, end)
        if end < 0:
            break
        start = _USAGE.match(text, end)
        if start is None:
            continue
        with suppress(ValueError, RecursionError):
            return dict(decoder.raw_decode(text, start.end())[0]), False
    return None, False


_USAGE = re.compile(r'"usage"\s*:\s*(?=\{)')
_USAGES = 3  # places that are looked at, from the end


def tokens(usage: Any, name: str, guess: int, model: str) -> int:
    """The tokens that an answer says it used; `guess` where it says nothing of them.

    Raises:
        LLMError: `usage`; it is no count, so that no budget could be kept with it.
    """
    reported = usage.get(name) if isinstance(usage, dict) else getattr(usage, name, None)
    if reported is None:
        return guess
    whole = isinstance(reported, int | float) and not isinstance(reported, bool) and reported >= 0
    if not whole or reported > MOST_TOKENS or reported != int(reported):
        raise LLMError(
            f"The endpoint of {model} says that a call used {str(reported)[:40]!r} {name}, "
            f"which is no number of tokens from 0 to {MOST_TOKENS:,}: no budget can be kept with "
            "it. Use an endpoint that counts, or one that tells no usage, which is then estimated.",
            "usage",
        )
    return int(reported)
