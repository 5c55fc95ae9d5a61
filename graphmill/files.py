"""Read and write artefacts atomically: a temporary name, fsync, rename."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from glob import escape
from importlib import resources
from pathlib import Path
from typing import IO, Any, Self

from graphmill.decoded import check_parquet
from graphmill.errors import GraphmillError, UnknownNameError, did_you_mean, is_exhausted, naming
from graphmill.json_lines import values_of
from graphmill.record import FORMAT, Record
from graphmill.record_rows import COLUMNS, RECORD_TEXTS, record_of
from graphmill.regular import check_regular


def canonical(value: Any) -> str:
    """One text for one JSON value: sorted keys, no spaces, Unicode as it is."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def digest(*parts: Any) -> str:
    """SHA-256 over the canonical JSON of all parts, in hex."""
    return hashlib.sha256(canonical(parts).encode("utf-8", "surrogatepass")).hexdigest()


def file_digest(path: Path) -> str:
    """SHA-256 of a file's bytes, in hex.

    Raises:
        SourceError: it is a pipe, a device or a socket, which would be read for ever.
    """
    check_regular(path)
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def write_bytes(path: Path, content: bytes, *, sync: bool = True) -> None:
    """Write a whole file so that a reader sees the old or the new one, never a part.

    Without `sync` that does not hold for a machine that stops: who writes many files calls
    `os.sync()` once when they are written, which is a hundred times as fast.

    Raises:
        GraphmillError: the place cannot be written.
    """
    with whole_file(path, sync=sync) as stream:
        stream.write(content)


@contextmanager
def whole_file(path: Path, *, sync: bool = True) -> Iterator[IO[bytes]]:
    """A file to write that takes its place when the block ends well, and leaves nothing else;
    `sync`: `write_bytes`.

    Raises:
        GraphmillError: the place cannot be written.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.unlink(missing_ok=True)  # a link of that name is not followed
        with draft.open("xb") as stream:
            yield stream
            stream.flush()
            if sync:
                os.fsync(stream.fileno())
        draft.replace(path)
    except BaseException as problem:
        with suppress(OSError):  # where the folder cannot be made there is none to remove it from
            draft.unlink(missing_ok=True)
        if isinstance(problem, OSError):
            reason = problem.strerror or problem
            raise GraphmillError(f"Cannot write {path}: {reason}.") from problem
        raise


@contextmanager
def whole_folder(out: Path) -> Iterator[Path]:
    """A folder to write whose files take their places in `out` when the block ends well; else `out`
    is as it was. What `out` has besides stays.

    Raises:
        GraphmillError: the place cannot be written.
        OSError: a folder above it cannot be made. Else what the block raises.
    """
    draft = out / f".export.{os.getpid()}.part"
    with nothing_left(out), naming(draft, out):
        out.mkdir(parents=True, exist_ok=True)
        for left in out.glob(".export.*.part"):  # by one that was killed
            if not is_alive(int(left.name.split(".")[2])):
                remove(left)
        draft.mkdir()
        try:
            yield draft
            for path in sorted(path for path in draft.rglob("*") if path.is_file()):
                place = out / path.relative_to(draft)
                place.parent.mkdir(parents=True, exist_ok=True)
                path.replace(place)
        finally:
            remove(draft)


@contextmanager
def new_folder(out: Path) -> Iterator[Path]:
    """A folder to write that takes the place of `out`, which is empty or not there, when the block
    ends well; else nothing is left. What was killed leaves nothing under that name either.

    Raises:
        GraphmillError: the place cannot be written.
        OSError: a folder above it cannot be made. Else what the block raises.
    """
    place = out.resolve()
    draft = place.with_name(f".{place.name}.{os.getpid()}.part")
    with nothing_left(out), naming(draft, out):
        place.parent.mkdir(parents=True, exist_ok=True)
        for left in place.parent.glob(f".{escape(place.name)}.*.part"):
            number = _DRAFT.search(left.name)
            if number and not is_alive(int(number[1])):
                remove(left)
        try:
            draft.mkdir()
            yield draft
            draft.replace(place)
        finally:
            remove(draft)


@contextmanager
def nothing_left(*folders: Path) -> Iterator[None]:
    """A block that fails leaves nothing in `folders` that were empty, nor those that were not
    there, nor folders above that it made."""
    absent = [path for folder in folders for path in (folder, *folder.parents) if not path.exists()]
    empty = [folder for folder in folders if not (folder.is_dir() and any(folder.iterdir()))]
    try:
        yield
    except BaseException:
        with suppress(OSError):
            for folder in empty:
                for path in folder.iterdir() if folder.is_dir() else ():
                    remove(path)
        for path in sorted(set(absent), key=lambda each: len(each.parts), reverse=True):
            with suppress(OSError):  # who else wrote into it keeps it
                path.rmdir()
        raise


def remove_leftovers(folder: Path) -> None:
    """Remove what killed processes left half-written below `folder`: `.NAME.PID.part`, `.old`."""
    for path in sorted(folder.rglob(".*")):
        draft = _DRAFT.search(path.name)
        if draft and not is_alive(int(draft[1])):
            remove(path)


def remove(path: Path) -> None:
    """Remove what is at a place of ours, a folder with all in it; of a link the link alone."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


# A database that is being filled has files of its own beside it: `.part-journal`, `.part-wal`.
_DRAFT = re.compile(r"\.(\d+)\.(?:part|old)(?:-\w+)?$")


def is_alive(pid: int) -> bool:
    """Whether a process of this number runs, which may be ours and then has work to do."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def write_text(path: Path, text: str) -> None:
    """`write_bytes` of UTF-8 text."""
    write_bytes(path, text.encode())


def write_json_lines(path: Path, rows: Iterable[Any]) -> int:
    """One canonical JSON value a line, written as they come; how many there are."""
    number = 0
    with whole_file(path) as stream:
        for row in rows:
            stream.write(f"{canonical(row)}\n".encode())
            number += 1
    return number


def read_json_lines(path: Path) -> Iterator[tuple[int, Any | GraphmillError]]:
    """Line numbers (from 1) with their values; a broken line yields an error and goes on.

    Raises:
        GraphmillError: the file cannot be read at all.
    """
    check_regular(path)
    try:
        with path.open("rb") as stream:
            for number, value in values_of(stream):
                if isinstance(value, GraphmillError):
                    value = GraphmillError(f"{path}, line {number}, {value}.")
                yield number, value
    except OSError as problem:
        reason = problem.strerror or problem
        raise GraphmillError(f"Cannot read {path}: {reason}.") from problem


def missing(path: Path) -> str:
    """Why there is no file `path`, and what is there instead, in a sentence."""
    folder = path.parent
    if folder.is_file():
        return f"{folder} is a file."
    if not folder.is_dir():
        near = folder.parent.iterdir() if folder.parent.is_dir() else ()
        folders = [other.name for other in near if other.is_dir()]
        return f"There is no folder {folder}.{did_you_mean(folder.name, folders)}"
    names = sorted(file.name for file in folder.iterdir())
    held = ", ".join(names[:6]) + (", …" if len(names) > 6 else "")
    return f"{folder} has no {path.name}: it " + (f"holds {held}." if names else "is empty.")


def data_folder() -> Path:
    """What graphmill ships to read at run time: in the wheel, else the checkout's `data`."""
    packaged = Path(str(resources.files("graphmill"))) / "data"
    return packaged if packaged.is_dir() else Path(__file__).resolve().parent.parent / "data"


def examples() -> list[str]:
    """The names of the example sources that have a configuration."""
    folder = data_folder() / "sources"
    return sorted(path.parent.name for path in folder.glob("*/corpus.toml"))


def example(name: str) -> Path:
    """The configuration of the example source called `name`.

    Raises:
        UnknownNameError: there is no such example.
    """
    names = examples()
    if name not in names:
        raise UnknownNameError(f"No example called '{name}'.{did_you_mean(name, names)}")
    return data_folder() / "sources" / name / "corpus.toml"


def write_records(path: Path, records: Iterable[Record], languages: tuple[str, ...]) -> None:
    """Records as one Parquet file: a row a record, a field of `queries` a language."""
    with RecordWriter(path, languages) as writer:
        for record in records:
            writer.write(record)
        if not writer.rows:
            writer.flush()


_FORMAT = b"graphmill.format"  # in a file's metadata: the format of the corpus it was written for
GROUP = 1_000  # rows that are held in memory, and that one group of a file has


class RecordWriter:
    """A Parquet file of records that is written group by group, and is there when it is whole.

    `rows` is how many it has. Without any, no file takes the place of one that is there.
    """

    def __init__(self, path: Path, languages: tuple[str, ...]) -> None:
        self.rows = 0
        self._path = path
        self._languages = languages
        self._layout = _layout(languages)
        self._form = FORMAT
        self._held: list[dict[str, Any]] = []
        self._stack = ExitStack()
        self._file: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: Any) -> None:
        if kind is not None:
            self._stack.__exit__(kind, *rest)
            return
        with self._stack:  # what fails here ends the file, too
            if self._held:
                self.flush()
            if self._file is not None:
                self._file.close()

    def write(self, record: Record) -> None:
        """Add a record.

        Raises:
            GraphmillError: the place cannot be written.
        """
        self.rows += 1
        if self.rows == 1:
            self._form = record.format
        self._held.append(_row(record, self._languages))
        if len(self._held) == GROUP:
            self.flush()

    def flush(self) -> None:
        """Write what is held as a group of its own.

        Raises:
            GraphmillError: the place cannot be written.
        """
        import pyarrow as pa
        import pyarrow.parquet as pq

        if self._file is None:
            stream = self._stack.enter_context(whole_file(self._path))
            layout = self._layout.with_metadata({_FORMAT: str(self._form)})
            self._file = pq.ParquetWriter(stream, layout, compression="zstd")
        self._file.write_table(pa.Table.from_pylist(self._held, schema=self._layout))
        self._held.clear()


def _layout(languages: tuple[str, ...]) -> Any:
    """The columns of a file of records."""
    import pyarrow as pa

    text, texts = pa.string(), pa.list_(pa.string())
    struct = pa.struct
    step = struct([("operation", text), ("before", text), ("evidence", text)])
    certificate = struct(
        [
            ("engine", text),
            ("version", text),
            ("dialect", text),
            ("rows", pa.int64()),
            ("hash", text),
            ("agrees", pa.bool_()),
            ("text", text),
        ]
    )
    provenance = struct(
        [(name, text) for name in ("maker", "version")]
        + [("seed", pa.int64())]
        + [(name, text) for name in ("model", "source", "parent")]
        + [("trace", pa.list_(step))]
    )
    answer = [("columns", texts), ("rows", pa.int64()), ("hash", text), ("sample", text)]
    discrimination = [("score", pa.float64()), ("instances", texts), ("detail", text)]
    return pa.schema(
        [(name, text) for name in RECORD_TEXTS]
        + [
            ("constructs", texts),
            ("queries", struct([(language, text) for language in languages])),
            ("answer", struct(answer)),
            ("certificates", pa.list_(certificate)),
            ("discrimination", struct(discrimination)),
            ("readings", pa.list_(struct([(name, text) for name in READING]))),
            ("unanswerable", struct([(name, text) for name in UNANSWERABLE])),
            ("provenance", provenance),
        ]
    )


READING = ("reading", "level", "outcome")
UNANSWERABLE = ("reason", "missing")


def _row(record: Record, languages: tuple[str, ...]) -> dict[str, Any]:
    raw = record.to_json()
    answer = raw["answer"]
    if answer is not None:
        answer = {**answer, "sample": canonical(answer["sample"])}
    asked = record.questions
    return {
        **{name: raw.get(name) for name in RECORD_TEXTS},
        "question": asked.original,
        "question_syntactic": asked.syntactic,
        "question_logical": asked.logical,
        "question_business": asked.business,
        "constructs": raw["constructs"],
        "queries": {language: record.queries.get(language) for language in languages},
        "answer": answer,
        "certificates": raw["certificates"],
        "discrimination": _discrimination(raw["discrimination"]),
        "readings": raw["readings"],
        "unanswerable": raw["unanswerable"] or None,
        "provenance": raw["provenance"],
    }


def _discrimination(raw: Mapping[str, Any]) -> dict[str, Any] | None:
    """Score and instances as columns, the whole as JSON."""
    if not raw:
        return None
    return {
        "score": raw.get("score"),
        "instances": raw.get("instances", []),
        "detail": canonical(raw),
    }


def read_records(path: Path, form: int = FORMAT) -> Iterator[tuple[str, Record]]:
    """Stored ids with their records: the inverse of `write_records`, but for what only the
    build needs (findings, meta). `form` is the corpus's format (`corpus.lock`).

    Raises:
        GraphmillError: the file is no corpus file.
    """
    for row in read_rows(path):
        try:
            record = record_of(row, form)
        except GraphmillError as problem:
            raise GraphmillError(f"{path} is no file of a graphmill corpus: {problem}") from problem
        yield row["id"], record


@contextmanager
def stored_rows(path: Path) -> Iterator[Any]:
    """A Parquet file of a corpus (`pyarrow.parquet.ParquetFile`).

    Raises:
        GraphmillError: it is none, or decodes to more than it may.
    """
    import pyarrow.parquet as pq

    with ExitStack() as stack:
        with _errors_of(path):
            check_parquet(path)
            stored = stack.enter_context(pq.ParquetFile(path))
            twice = next(_twice(stored.schema_arrow), "")
        if twice:
            detail = f"the column {twice[:60]!r} is there twice"
            raise GraphmillError(f"{path} is no file of a graphmill corpus: {detail}.")
        yield stored


@contextmanager
def _errors_of(path: Path) -> Iterator[None]:
    """What Arrow says of a file that it cannot read, or whose values Python has not, as our error:
    texts that are not UTF-8, times of the year 300000."""
    import pyarrow as pa

    try:
        yield
    except (OSError, pa.ArrowException, ValueError, OverflowError) as problem:
        if is_exhausted(problem):
            raise
        detail = " ".join(str(problem).split()).rstrip(".")
        raise GraphmillError(f"{path} is no file of a graphmill corpus: {detail}.") from problem


def _twice(layout: Any, within: str = "") -> Iterator[str]:
    """Dotted names that two columns have, or two fields of a structure: which of them is meant
    nobody can say, and each reader takes another."""
    import pyarrow.types as types

    fields = list(layout)
    yield from (within + name for name, n in Counter(f.name for f in fields).items() if n > 1)
    for field in fields:
        kind = field.type
        while types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
            kind = kind.value_type
        if types.is_struct(kind):
            yield from _twice(kind, f"{within}{field.name}.")


def read_rows(path: Path, columns: Sequence[str] | None = None) -> Iterator[dict[str, Any]]:
    """Released records as their file has them, field by field; `columns` are those that are
    wanted (`provenance.maker`), all unless given.

    Raises:
        GraphmillError: the file is no Parquet, has a column twice or a text that is not UTF-8, or
            decodes to more than it may.
    """
    with stored_rows(path) as file:
        for rows in read_batches(path, file, columns):
            yield from rows


def read_batches(
    path: Path, file: Any, columns: Sequence[str] | None = None
) -> Iterator[list[dict[str, Any]]]:
    """The rows of `file`, which are those `stored_rows` of `path`, as many at a time as are held in
    memory.

    Raises:
        GraphmillError: as `read_rows`.
    """
    start = 1
    # one by one: Arrow cannot convert nested columns across row groups
    for group in range(file.num_row_groups):
        batches = file.iter_batches(GROUP, row_groups=[group], columns=columns)
        while True:
            with _errors_of(path):
                batch = next(batches, None)
                rows = None if batch is None else _as_rows(batch, start)
            if rows is None:
                break
            start += len(rows)
            yield rows


def _as_rows(batch: Any, start: int) -> list[dict[str, Any]]:
    """The rows of a batch, the first of which is row `start` of its file.

    Raises:
        ValueError, OverflowError: a value is none of Python; the message says where it stands.
    """
    try:
        rows: list[dict[str, Any]] = batch.to_pylist()
    except (ValueError, OverflowError):
        for number in range(batch.num_rows):
            for name, column in zip(batch.schema.names, batch.columns, strict=True):
                try:
                    column[number].as_py()
                except UnicodeDecodeError as problem:
                    what = f"row {start + number}: a text in {name[:60]!r} is not UTF-8"
                    raise ValueError(what) from problem
                except (ValueError, OverflowError) as problem:
                    raise ValueError(f"row {start + number}: {name[:60]!r}: {problem}") from problem
        raise
    return rows


def checked(
    path: Path, rows: Iterable[dict[str, Any]], start: int = 1, form: int | None = None
) -> Iterator[dict[str, Any]]:
    """Rows of the file `path`, of which each is a record: for those who take them field by field.
    `start` is the number of the first. With `form`, the format of their corpus, each has the id of
    its content.

    Raises:
        GraphmillError: one is none; the message has its number.
    """
    for number, row in enumerate(rows, start):
        try:
            record = record_of(row) if form is None else record_of(row, form)
            if form is not None and record.id != row["id"]:
                raise GraphmillError(f"The id {row['id']} is not the hash of the record's content.")
        except GraphmillError as problem:
            raise GraphmillError(
                f"{path}, row {number}: {problem} `graphmill verify` says what else is wrong."
            ) from problem
        yield row


def copying(problem: OSError) -> str:
    """Why a folder could not be copied, in one sentence: `shutil` lists every file of it.

    >>> copying(shutil.Error([("a", "b", "[Errno 28] No space left on device: 'a' -> 'b'")] * 3))
    "[Errno 28] No space left on device: 'a' -> 'b' (and 2 files more)"
    >>> copying(FileNotFoundError(2, "No such file or directory", "a"))
    'a: No such file or directory'
    """
    if not isinstance(problem, shutil.Error):
        reason = problem.strerror or str(problem)
        return f"{problem.filename}: {reason}" if problem.filename else reason
    (*_, why), *others = problem.args[0]
    return f"{why} (and {len(others)} files more)" if others else why


def stored_layout(path: Path) -> Any:
    """The Arrow schema of a file of records.

    Raises:
        GraphmillError: the file is no Parquet.
    """
    with stored_rows(path) as file:
        return file.schema_arrow


def format_written(layout: Any) -> str:
    """The format of the corpus that a file of this `stored_layout` was written for, as it says; ""
    where it does not: of before format 3 none does, nor of its first days."""
    return bytes((layout.metadata or {}).get(_FORMAT, b"")).decode("utf-8", "replace")


def columns_missing(layout: Any) -> list[str]:
    """The columns that a file of records lacks of those that are written today; none where it does
    not say its format, as older ones may have fewer."""
    if not format_written(layout):
        return []
    return [name for name in _layout(()).names if name not in layout.names]


def columns_unknown(layout: Any) -> list[str]:
    """The columns of a file of records that no record has."""
    return [name for name in layout.names if name not in COLUMNS]
