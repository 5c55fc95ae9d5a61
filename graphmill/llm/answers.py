"""Limits of an endpoint's answer, which is not trusted: bytes, and the counts that it tells."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator
from functools import partial
from typing import Any

import httpx2

from graphmill.errors import LLMError

MOST_BYTES = 8 << 20  # of one answer, decoded; a hundred times the longest that models write
MOST_TOKENS = 10_000_000  # of one call; more than any model takes or writes
_CODED = {"gzip": 47, "x-gzip": 47, "deflate": 47}  # zlib's window bits: with any of its heads


class TooLong(Exception):
    """An answer is longer than `MOST_BYTES`, or coded in a way that we did not ask for."""


async def limit(response: httpx2.Response) -> None:
    """Hook of a client: the body ends in TooLong where it grows beyond the limit, and its JSON may
    have integers of any length (`integer`).

    Compressed bodies are decoded here, for elsewhere a few bytes may become any number.
    """
    coding = response.headers.get("content-encoding", "identity").strip().casefold()
    if coding not in ("", "identity", *_CODED):
        await response.aclose()
        raise TooLong(f"it is coded as {coding[:40]!r}, which was not asked for")
    response.headers.pop("content-encoding", None)
    if isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = _Limited(response.stream, _CODED.get(coding))
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
    def __init__(self, stream: httpx2.AsyncByteStream, bits: int | None) -> None:
        self._stream = stream
        self._bits = bits

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
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


def tokens(usage: Any, name: str, guess: int, model: str) -> int:
    """The tokens that an answer says it used; `guess` where it says nothing of them.

    Raises:
        LLMError: `usage`; it is no count, so that no budget could be kept with it.
    """
    reported = getattr(usage, name, None)
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
