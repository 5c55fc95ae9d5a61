"""Finished work by content: a value is on disk under the hash of what it was made from.

Values are lines that are appended to a file of this process, so that a run may be killed
anywhere: a finished line is read again. A line that was torn or changed is not what its checksum
says; it is told of, passed over, and done again. `sweep` gathers the lines that a whole run used in
one file. A key holds stage, code, libraries, inputs and settings: whatever changes,
only what depends on it is done again. With a store that is shared by URL, what is finished
anywhere is taken from there, and kept here as well.

A checksum says that a line is as it was written, not who wrote it. So a value has its key beside it
when it is packed, and who asks for it gives `read`, which trips over what its stage does not write:
what is another's, or of another kind, counts as damaged.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
import weakref
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from itertools import count
from pathlib import Path
from typing import IO, Any, NamedTuple, Protocol

from graphmill.errors import GraphmillError
from graphmill.files import canonical, digest, is_alive, remove
from pipelines.configuration.version import code_version, library_versions

WHOLE = "finished.jsonl"
_KEY = 64  # hex digits of a key; a space, the checksum, a space and the packed value follow
_SUM = 32  # hex digits of a checksum, which is over key and value
_HEAD = _KEY + _SUM + 2
_COUNT = "0" * _KEY  # the key of how many entries follow, the first line of a file that is swept
_SYNCED = 64  # lines after which the file is forced to the disk
_PIECE = 1 << 20  # bytes of a line that are read at a time
MOST = 1 << 30
"""Bytes of an entry, packed or not: a hundred times what 50,000 pairs of one database take."""
HARMED = (
    *(ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError),
    *(zlib.error, GraphmillError),
)
"""What is raised of a value that is none of its stage's, by `unpack` or who reads it."""
type Read = Callable[[Any], Any]


_NOTED: ContextVar[set[str] | None] = ContextVar("noted", default=None)


class _Place(NamedTuple):
    path: Path
    start: int
    size: int


class Finished(Protocol):
    """Where finished work is found and kept."""

    def key(self, stage: str, *inputs: Any) -> str:
        """The key of one piece of work: everything that its result depends on."""
        ...

    def done(self, key: str, work: Callable[[], Any], read: Read = ...) -> Any:
        """What `read` makes of the JSON value under `key`: as it was stored, else from `work`,
        stored now."""
        ...


class Shared(Protocol):
    """Finished work that others have and take part in; see `pipelines.jobs.shared`."""

    def get(self, key: str) -> bytes | None:
        """The packed value under a key, if it is there and whole."""
        ...

    def put(self, key: str, packed: bytes) -> None:
        """Keep a packed value under its key."""
        ...

    def harmed(self, key: str, why: str) -> None:
        """Tell that a value is damaged."""
        ...


def key_of(stage: str, *inputs: Any) -> str:
    """The key of one piece of work: everything that its result depends on."""
    return digest(stage, code_version(), library_versions(), *inputs)


def pack(value: Any) -> bytes:
    """A JSON value as it is stored: a text without spaces and ends of lines, the same each time."""
    text = canonical(value).encode("utf-8", "surrogatepass")
    return b64encode(zlib.compress(text, 1))


def unpack(packed: bytes | str, most: int = 0) -> Any:
    """The inverse of `pack`, of at most so many bytes where `most` is given.

    Raises:
        ValueError, RecursionError, zlib.error: it is none.
    """
    whole = zlib.decompressobj()
    text = whole.decompress(b64decode(packed, validate=True), most)
    if not whole.eof:
        raise ValueError("it is cut, or longer than what is kept")
    return json.loads(text)


def sealed(key: str, value: Any) -> bytes:
    """A JSON value with its key, packed."""
    return pack({"key": key, "value": value})


def unsealed(key: str, packed: bytes, read: Read, most: int = 0) -> Any:
    """What `read` makes of a value that was `sealed` under a key.

    Raises:
        One of `HARMED`: it is none, or another key's, or what `read` does not take.
    """
    raw = unpack(packed, most)
    if raw["key"] != key:
        raise ValueError("it is another key's")
    return read(raw["value"])


def any_value(raw: Any) -> Any:
    """A value of any kind, as it is."""
    return raw


def a_text(raw: Any) -> str:
    """A value that is a text.

    Raises:
        TypeError: it is none.
    """
    if not isinstance(raw, str):
        raise TypeError("it is no text")
    return raw


def entry(key: str, packed: bytes) -> bytes:
    """A packed value with its key and checksum, in one line."""
    return b" ".join((key.encode(), _sum(key.encode(), packed), packed)) + b"\n"


def packed_of(key: str, line: bytes) -> bytes | None:
    """The packed value of an entry; None where it is damaged, or that of another key."""
    return line[_HEAD:-1] if _whole(line) and line[:_KEY] == key.encode() else None


def a_list(raw: Any) -> list[Any]:
    """A value that is a list.

    Raises:
        TypeError: it is none.
    """
    if not isinstance(raw, list):
        raise TypeError("it is no list")
    return raw


def a_picture(raw: Any) -> str:
    """A value that is an SVG.

    Raises:
        TypeError, ValueError: it is none.
    """
    if not a_text(raw).startswith("<svg"):
        raise ValueError("it is no picture")
    return a_text(raw)


class Store:
    """A folder of finished work; several processes and threads may write to it. `note` is told of
    damage.

    Raises:
        GraphmillError: the folder cannot be read.
    """

    def __init__(
        self,
        folder: Path,
        note: Callable[[str], None] = lambda text: None,
        shared: Shared | None = None,
    ) -> None:
        self.folder = folder
        self.shared = shared
        self._note = note
        self._used: set[str] = set()
        self._warned: set[Path] = set()  # files whose damage was told of
        self._places: dict[str, _Place] = {}
        self._file = -1
        self._close: Callable[[], Any] | None = None  # while the file is open
        self._path = folder
        self._lines = 0
        self._lock = threading.RLock()
        for path in sorted(folder.glob("finished*.jsonl")):
            if not path.is_file():  # who reads from a pipe waits for ever
                note(f"warning: {path} is no file; what is missing is made anew.")
                continue
            try:
                self._index(path)
            except OSError as problem:
                raise GraphmillError(f"Cannot read {path}: {problem.strerror}.") from problem

    def key(self, stage: str, *inputs: Any) -> str:
        """The key of one piece of work: everything that its result depends on."""
        return key_of(stage, *inputs)

    def done(self, key: str, work: Callable[[], Any], read: Read = any_value) -> Any:
        """What `read` makes of the JSON value under `key`: as it was stored, else from `work`,
        stored now.

        Raises:
            GraphmillError: the folder cannot be written.
        """
        value = self.get(key, read)
        return self.renew(key, work, read) if value is None else value

    def renew(self, key: str, work: Callable[[], Any], read: Read = any_value) -> Any:
        """As `done`, whatever was stored.

        Raises:
            GraphmillError: the folder cannot be written.
        """
        packed = sealed(key, work())
        if self.shared is not None:
            self.shared.put(key, packed)
        self.put(key, packed)
        return unsealed(key, packed, read)

    def get(self, key: str, read: Read = any_value) -> Any:
        """What `read` makes of the value under `key`, if it is here, or in the store that is
        shared; None where it is not, or is none of its stage's, which is told."""
        packed = self.own(key)
        if packed is not None:
            value = self._read(key, packed, read)
            if value is not None:
                return value
        packed = None if self.shared is None else self.shared.get(key)
        value = None if packed is None else value_of(key, packed, read, self.shared)
        if packed is not None and value is not None:
            self.put(key, packed)
        return value

    def checked(self, key: str, read: Read) -> bytes | None:
        """The packed value under `key`, if it is here and `read` takes it."""
        packed = self.own(key)
        return None if packed is None or self._read(key, packed, read) is None else packed

    def own(self, key: str) -> bytes | None:
        """The packed value under `key`, if it is here."""
        noted = _NOTED.get()
        if noted is not None:
            noted.add(key)
        with self._lock:
            self._used.add(key)
            place = self._places.get(key)
            if place is not None:
                line = self._line(place)
                if _whole(line):
                    return line[_HEAD:-1]
                self._note(f"warning: {place.path} was damaged meanwhile; it is made anew.")
        return None

    @contextmanager
    def noting(self) -> Iterator[set[str]]:
        """The keys that the block asks for in its own thread, to `use` them another time."""
        keys: set[str] = set()
        token = _NOTED.set(keys)
        try:
            yield keys
        finally:
            _NOTED.reset(token)

    def use(self, keys: Iterable[str]) -> None:
        """Count entries as used that nobody has to read, so that `sweep` keeps them."""
        with self._lock:
            self._used.update(keys)

    def put(self, key: str, packed: bytes) -> None:
        """Keep a packed value that somebody worked out, unless it is larger than what is read.

        Raises:
            GraphmillError: the folder cannot be written.
        """
        line = entry(key, packed)
        with self._lock:
            self._used.add(key)
            if len(line) <= MOST:
                self._append(key, line)

    def sweep(self) -> None:
        """Keep what this run used, in one file: no results of other code, inputs and settings."""
        whole = self.folder / WHOLE
        self.folder.mkdir(parents=True, exist_ok=True)
        draft = whole.with_name(f".{WHOLE}.{os.getpid()}.part")
        with self._lock:
            try:
                keys = sorted(self._used & self._places.keys())
                draft.unlink(missing_ok=True)  # a link of that name is not followed
                with draft.open("xb") as lines:
                    lines.write(entry(_COUNT, pack(len(keys))))
                    for key in keys:
                        lines.write(self._line(self._places[key]))
                    lines.flush()
                    os.fsync(lines.fileno())
                self.close()
                if whole.is_dir():
                    remove(whole)
                draft.replace(whole)
            except OSError as problem:
                raise GraphmillError(f"Cannot write {whole}: {problem.strerror}.") from problem
            for path in self.folder.glob("finished.*.jsonl"):
                pid = int(path.name.split(".")[1])
                if pid == os.getpid() or not is_alive(pid):
                    remove(path)
            self._places.clear()
            self._index(whole)

    def close(self) -> None:
        """Force what was written to the disk."""
        with self._lock:
            if self._close is not None:
                os.fsync(self._file)
                self._close()
                self._close = None

    def _index(self, path: Path) -> None:
        start = damaged = entries = counted = 0
        for key, size, whole in _scanned(path):
            place = _Place(path, start, size)
            if not whole:
                damaged += 1
            elif key == _COUNT:
                counted = _number(self._line(place)[_HEAD:-1])
            else:
                entries += 1
                self._places.setdefault(key, place)
            start += size
        harm = [f"{damaged} of the entries are damaged"] if damaged else []
        if entries + damaged < counted:
            harm.append(f"{counted - entries - damaged} of {counted} entries are gone")
        if not start:
            harm = ["it is empty"]
        if harm:
            self._note(f"warning: {path}: {' and '.join(harm)}; what is missing is made anew.")

    def _read(self, key: str, packed: bytes, read: Read) -> Any:
        """What `read` makes of a value that is here; None where it is none of its stage's, which
        is told and forgotten."""
        try:
            return unsealed(key, packed, read, MOST)
        except HARMED:
            with self._lock:
                place = self._places.pop(key, None)
                if place is None or place.path in self._warned:
                    return None
                self._warned.add(place.path)
            self._note(f"warning: {place.path}: entries are damaged; what is missing is made anew.")
        return None

    def _line(self, place: _Place) -> bytes:
        with place.path.open("rb") as lines:
            lines.seek(place.start)
            return lines.read(place.size)

    def _append(self, key: str, line: bytes) -> None:
        try:
            if self._close is None:
                self._open()
            start = os.lseek(self._file, 0, os.SEEK_END)
            view = memoryview(line)  # unbuffered: the next run sees the line, whatever ends us
            while view:
                view = view[os.write(self._file, view) :]
            self._lines += 1
            if self._lines % _SYNCED == 0:
                os.fsync(self._file)
        except OSError as problem:
            reason = problem.strerror or problem
            raise GraphmillError(f"Cannot write to {self.folder}: {reason}.") from problem
        self._places[key] = _Place(self._path, start, len(line))

    def _open(self) -> None:
        """A file of this store's own: a line that another process writes is never split."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for number in count():
            self._path = self.folder / f"finished.{os.getpid()}.{number}.jsonl"
            try:
                self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
            except FileExistsError:
                continue
            self._close = weakref.finalize(self, os.close, self._file)
            return


class Gathered:
    """The finished work of one unit, on its way to the coordinator's store.

    With a shared store, what another worker finished is taken from it.
    """

    def __init__(self, shared: Shared | None = None) -> None:
        self.shared = shared
        self.entries: list[tuple[str, bytes]] = []

    def key(self, stage: str, *inputs: Any) -> str:
        """As that of a `Store`."""
        return key_of(stage, *inputs)

    def done(self, key: str, work: Callable[[], Any], read: Read = any_value) -> Any:
        """What `read` makes of the JSON value under `key`, from the shared store or `work`."""
        packed = None if self.shared is None else self.shared.get(key)
        value = None if packed is None else value_of(key, packed, read, self.shared)
        if packed is None or value is None:
            packed = sealed(key, work())
            if self.shared is not None:
                self.shared.put(key, packed)
            value = unsealed(key, packed, read)
        self.entries.append((key, packed))
        return value


def value_of(key: str, packed: bytes, read: Read, shared: Shared | None) -> Any:
    """What `read` makes of a value that others stored; None where it is none of its stage's."""
    try:
        return unsealed(key, packed, read, MOST)
    except HARMED:
        if shared is not None:
            shared.harmed(key, "its stage writes no such thing")
    return None


def _scanned(path: Path) -> Iterator[tuple[str, int, bool]]:
    """The key of each line of a file, its bytes, and whether it is as it was written: read piece by
    piece, as a line that is none of ours may be larger than the memory."""
    with path.open("rb") as lines:
        while piece := lines.readline(_PIECE):
            head, size = piece[:_HEAD], len(piece)
            hashed = hashlib.sha256(head[:_KEY] + b" " + piece[_HEAD:].removesuffix(b"\n"))
            for more in () if piece.endswith(b"\n") else _rest_of_line(lines):
                piece, size = more, size + len(more)
                if size <= MOST:
                    hashed.update(more.removesuffix(b"\n"))
            right = hashed.hexdigest()[:_SUM].encode() == head[_KEY + 1 : _HEAD - 1]
            whole = right and piece.endswith(b"\n") and _HEAD < size <= MOST
            yield head[:_KEY].decode("ascii", "replace"), size, whole


def _rest_of_line(lines: IO[bytes]) -> Iterator[bytes]:
    """What is left of a line, in pieces: gigabytes of it take a second each with `readline`."""
    while piece := lines.read(_PIECE):
        end = piece.find(b"\n") + 1
        if end:
            lines.seek(end - len(piece), os.SEEK_CUR)
            piece = piece[:end]
        yield piece
        if end:
            return


def _number(packed: bytes) -> int:
    """How many entries a file says that it has; none where it says something else."""
    with suppress(*HARMED):
        return int(unpack(packed, _PIECE))
    return 0


def _sum(key: bytes, packed: bytes) -> bytes:
    return hashlib.sha256(key + b" " + packed).hexdigest()[:_SUM].encode()


def _whole(line: bytes) -> bool:
    """Whether a line is as it was written."""
    return line.endswith(b"\n") and line[_KEY + 1 : _HEAD - 1] == _sum(line[:_KEY], line[_HEAD:-1])
