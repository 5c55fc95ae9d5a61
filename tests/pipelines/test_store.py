"""Finished work is never done again, and nothing is half-written."""

from __future__ import annotations

import zlib
from base64 import b64encode
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from graphmill.record import Reject
from pipelines.build.candidates import draft_to_json, stored_drafts
from pipelines.build.plan import outcomes_of
from pipelines.build.query_oracle import stored_statistics
from pipelines.build.recall import Memory
from pipelines.configuration import store as stores
from pipelines.configuration.store import (
    HARMED,
    WHOLE,
    Read,
    Store,
    a_picture,
    a_text,
    entry,
    pack,
    sealed,
)
from pipelines.database import _as_stored as a_database
from pipelines.funnel import Funnel
from pipelines.release.ledger import checked_text, ledger_text
from pipelines.release.nearest import _as_stored as nearest_lines


def test_work_is_done_once(tmp_path: Path) -> None:
    store, calls = Store(tmp_path), count(1)
    key = store.key("stage", "input")
    for _ in range(2):
        assert store.done(key, lambda: {"n": next(calls)}) == {"n": 1}
    assert Store(tmp_path).done(key, lambda: {"n": 2}) == {"n": 1}


def test_a_key_depends_on_stage_and_input(tmp_path: Path) -> None:
    store = Store(tmp_path)
    keys = {store.key("a", 1), store.key("a", 2), store.key("b", 1), store.key("a", "1")}
    assert len(keys) == 4


def test_a_failure_leaves_nothing_behind(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with pytest.raises(ZeroDivisionError):
        store.done(store.key("x"), lambda: 1 // 0)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_sweep_keeps_what_this_run_used(tmp_path: Path) -> None:
    old = Store(tmp_path)
    for name in ("a", "b"):
        old.done(old.key(name), lambda: 1)
    (file,) = tmp_path.glob("finished.*.jsonl")
    file.rename(tmp_path / "finished.999999999.0.jsonl")  # of a process that is gone
    new = Store(tmp_path)
    assert new.done(new.key("a"), lambda: 2) == 1
    new.done(new.key("c"), lambda: 3)
    new.sweep()
    last = Store(tmp_path)
    kept = {name: last.done(last.key(name), lambda: "gone") for name in "abc"}
    assert kept == {"a": 1, "b": "gone", "c": 3}
    new.done(new.key("d"), lambda: 4)  # a store that was swept can go on
    assert Store(tmp_path).done(new.key("d"), lambda: "gone") == 4


def test_a_line_that_was_torn_is_done_again(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for name in ("a", "b"):
        store.done(store.key(name), lambda: "whole")
    (file,) = tmp_path.glob("finished.*.jsonl")
    file.write_bytes(file.read_bytes()[:-4])
    after = Store(tmp_path)
    kept = [after.done(after.key(name), lambda: "again") for name in ("a", "b")]
    assert kept == ["whole", "again"]


@pytest.mark.parametrize("place", [3, 64, 70, 97, 99, 105])
def test_a_changed_line_is_told_of_and_done_again(place: int, tmp_path: Path) -> None:
    store = Store(tmp_path)
    for name in ("a", "b"):
        store.done(store.key(name), lambda: {"rows": 1234})
    (file,) = tmp_path.glob("finished.*.jsonl")
    raw = bytearray(file.read_bytes())
    raw[place] = ord("7") if raw[place] != ord("7") else ord("8")
    file.write_bytes(raw)
    notes: list[str] = []
    after = Store(tmp_path, notes.append)
    kept = [after.done(after.key(name), lambda: "again") for name in ("a", "b")]
    # the space after the key is the only byte that says nothing
    assert kept == ([{"rows": 1234}] if place in (64, 97) else ["again"]) + [{"rows": 1234}]
    assert bool(notes) == (place not in (64, 97))
    after.sweep()
    assert Store(tmp_path, lambda text: pytest.fail(text))


@pytest.mark.parametrize("left", [1, 2, 3])
def test_entries_that_are_gone_are_told_of(left: int, tmp_path: Path) -> None:
    store = Store(tmp_path)
    for name in "abc":
        store.done(store.key(name), lambda: "whole")
    store.sweep()
    lines = (tmp_path / WHOLE).read_bytes().splitlines(keepends=True)
    (tmp_path / WHOLE).write_bytes(b"".join(lines[:left]))
    notes: list[str] = []
    after = Store(tmp_path, notes.append)
    assert f"{4 - left} of 3 entries are gone; what is missing is made anew" in notes[0]
    for name in "abc":
        after.done(after.key(name), lambda: "again")
    after.sweep()
    assert Store(tmp_path, lambda text: pytest.fail(text))


@pytest.mark.parametrize("content", [b"", b"\n\n", b'{"key": 1}\n', b"\xff" * 500, b"x" * 90])
def test_a_file_of_another_format_is_told_of_and_passed_over(
    content: bytes, tmp_path: Path
) -> None:
    (tmp_path / WHOLE).write_bytes(content)
    notes: list[str] = []
    store = Store(tmp_path, notes.append)
    assert len(notes) == 1
    assert store.done(store.key("a"), lambda: 5) == 5


def test_a_line_that_is_damaged_while_it_is_used_is_done_again(tmp_path: Path) -> None:
    old = Store(tmp_path)
    old.done(old.key("a"), lambda: 12)
    old.sweep()
    store = Store(tmp_path)
    (tmp_path / WHOLE).write_bytes((tmp_path / WHOLE).read_bytes().replace(b"12\n", b"13\n"))
    assert store.done(store.key("a"), lambda: 12) == 12


def test_stores_of_one_folder_write_side_by_side(tmp_path: Path) -> None:
    stores = [Store(tmp_path) for _ in range(2)]
    for number, store in enumerate(stores):
        store.done(store.key(str(number)), lambda number=number: number)  # type: ignore[misc]
    seen = Store(tmp_path)
    assert [seen.done(seen.key(str(n)), lambda: "gone") for n in range(2)] == [0, 1]


def test_the_same_work_leaves_the_same_bytes(tmp_path: Path) -> None:
    for folder, names in (("x", "abc"), ("y", "cba")):
        store = Store(tmp_path / folder)
        for name in names:
            store.done(store.key(name), lambda name=name: name)  # type: ignore[misc]
        store.sweep()
    assert (tmp_path / "x" / WHOLE).read_bytes() == (tmp_path / "y" / WHOLE).read_bytes()


OTHER_KINDS = {
    "null": pack(None),
    "a list": pack([]),
    "a value without its key": pack({"value": "whole"}),
    "another key's": sealed("1" * 64, "whole"),
    "deep": b64encode(zlib.compress(b"[" * 100_000 + b"]" * 100_000)),
    "bad UTF-8": b64encode(zlib.compress(b'"\xc0"')),
    "packed otherwise": b64encode(b"hello"),
    "cut": b64encode(zlib.compress(b'{"pairs": []}')[:-6]),
    "no base64": b"\xff\xfe",
    "longer than what is kept": sealed("0", "x" * 1000),
}


@pytest.mark.parametrize("kind", OTHER_KINDS)
def test_a_value_that_no_stage_writes_is_made_anew_whatever_its_checksum(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stores, "MOST", 900)
    key, other = (Store(tmp_path).key(name) for name in "ab")
    forged = b"".join(entry(each, OTHER_KINDS[kind]) for each in ("0" * 64, key, other))
    (tmp_path / WHOLE).write_bytes(forged)
    notes: list[str] = []
    store = Store(tmp_path, notes.append)
    kept = [store.done(each, lambda: "whole", a_text) for each in (key, other)]
    assert kept == ["whole", "whole"]
    assert len(notes) == 1
    assert "entries are damaged; what is missing is made anew" in notes[0]
    store.sweep()
    after = Store(tmp_path, lambda text: pytest.fail(text))
    assert after.done(key, lambda: "again", a_text) == "whole"


REJECT = Reject("stage", "code", "reason", "db")
SPOOL = {"records": 0, "rejects": 1, "shapes": [], "lines": [pack(REJECT.to_json()).decode()]}
STAGES: dict[str, tuple[Read, Any]] = {
    "text": (a_text, "x"),
    "picture": (a_picture, "<svg></svg>"),
    "ledger": (checked_text, ledger_text([REJECT])),
    "drafts": (stored_drafts, [draft_to_json(REJECT)]),
    "outcomes": (partial(outcomes_of, number=1), [{"Reject": REJECT.to_json()}]),
    "memory": (
        Memory.of,
        {"s": {"of": "", "made": {}, "heard": [{"question": ["values", "a", "b"], "answer": "",
                                               "tables": ""}]}},
    ),
    "statistics": (stored_statistics, {"nodes": {}, "edges": {}, "properties": []}),
    "nearest": (
        nearest_lines,
        [dict.fromkeys(("id", "form", "nearest", "cosine", "same_database"), "")],
    ),
    "database": (a_database, {"spool": SPOOL, "funnel": Funnel().to_text(), "used": ["x"]}),
}  # fmt: skip


@pytest.mark.parametrize("stage", STAGES)
def test_each_stage_reads_what_it_writes_and_trips_over_what_others_write(stage: str) -> None:
    read, value = STAGES[stage]
    assert read(value) is not None
    others = [each for _, each in STAGES.values() if each != value and stage != "text"]
    wrong = [*others, None, 7, [[]], ["x"], {"x": 1}, {"x": []}, {"spool": {}}]
    for other in wrong:
        with pytest.raises(HARMED):
            read(other)


@pytest.mark.parametrize(
    "part", [{"lines": ["x\ny"]}, {"lines": []}, {"records": 1}, {"shapes": ["x"]}]
)
def test_a_database_whose_lines_are_others_is_damaged(part: dict[str, Any]) -> None:
    with pytest.raises(HARMED):
        a_database({"spool": {**SPOOL, **part}, "funnel": Funnel().to_text(), "used": []})


def test_a_line_of_any_length_is_read_piece_by_piece_and_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stores, "MOST", 5000)
    monkeypatch.setattr(stores, "_PIECE", 200)
    store, texts = Store(tmp_path), {"a": "x", "b": "".join(map(chr, range(1000, 2500)))}
    for name, text in texts.items():
        store.done(store.key(name), lambda text=text: text)  # type: ignore[misc]
    huge = "".join(map(chr, range(1000, 9000)))
    assert store.done(store.key("huge"), lambda: huge) == huge  # which is not kept
    store.sweep()
    whole = (tmp_path / WHOLE).read_bytes()
    for harm in (b"\0" * 20_000, b"\0" * 20_000 + b"\n", entry("2" * 64, b"A" * 20_000)):
        (tmp_path / WHOLE).write_bytes(harm + whole if harm.endswith(b"\n") else whole + harm)
        notes: list[str] = []
        after = Store(tmp_path, notes.append)
        assert "1 of the entries are damaged" in notes[0]
        for name, text in texts.items():
            assert after.done(after.key(name), lambda: "again") == text
