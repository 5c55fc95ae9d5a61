"""What a corpus says of the whole of its records, held against all of them: how they are split,
what each of them has, how many there are."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self

from pydantic import ValidationError

from engines import ENGINE_OF, SERVERS
from graph_ir.canonical import shape
from graph_ir.cypher.reader import parsed
from graphmill.errors import GraphmillError, QueryTextError
from graphmill.files import read_json_lines
from graphmill.record import Record
from pipelines.build.splits import Unit, splits_of
from pipelines.configuration.config import (
    FILES,
    Config,
    RelationalSource,
    Splits,
    SyntheticSource,
)
from pipelines.jobs.work import LOST
from pipelines.release.description import FUNNEL, Description
from pipelines.release.hub import MASKED
from pipelines.release.ledger import LEDGER, ledger_lines
from pipelines.release.lock import DEALT, LOCK, setting
from pipelines.verification.integrity import Problem
from pipelines.verification.released import Released

_SHOWN = 5  # ids in a problem of many records
type Stored = tuple[str, Record]  # with the id that stands in its row


class Promised(NamedTuple):
    """What the configuration in a lock says, as far as verification needs it: how splits are dealt,
    and the databases that were drawn and that came from files."""

    splits: Splits
    seed: int
    by: Unit | Literal[""]
    synthetic_only: bool
    synthetic: frozenset[str]
    relational: frozenset[str]

    @classmethod
    def of(cls, lock: Mapping[str, Any]) -> Self | None:
        """None where a lock has no configuration, or one of before splits had settings.

        Raises:
            GraphmillError: it is none.
        """
        by, seed = setting(lock, "corpus", "split_by"), setting(lock, "corpus", "seed")
        if by is None:
            return None
        if by not in ("", "database", "shape", "domain"):
            raise GraphmillError(f"corpus.split_by is {by!r}")
        if not isinstance(seed, int):
            raise GraphmillError(f"corpus.seed is {seed!r}")
        try:
            splits = Splits.model_validate(setting(lock, "corpus", "splits"))
        except ValidationError as problem:
            raise GraphmillError(f"corpus.splits: {problem.errors()[0]['msg']}") from problem
        only = setting(lock, "corpus", "test") == "synthetic-only"
        databases: dict[str, set[str]] = {"synthetic": set(), "relational": set()}
        for given in setting(lock, "source") or ():
            kind, db = str(given.get("kind")), _database(given)
            if kind in databases and db:
                databases[kind].add(db)
        drawn, files = (frozenset(databases[kind]) for kind in ("synthetic", "relational"))
        return cls(splits, seed, by, only, drawn, files)


def _database(given: Mapping[str, Any]) -> str:
    """What a source of the configuration is called; "" where its data are on a server."""
    kinds: dict[str, type[RelationalSource | SyntheticSource]] = {
        "relational": RelationalSource,
        "synthetic": SyntheticSource,
    }
    kind = kinds.get(str(given.get("kind")))
    if kind is None:
        return ""
    # Not validated: a setting that was not given is there as "", which some do not take.
    source = kind.model_construct(None, **{str(name): str(each) for name, each in given.items()})
    if isinstance(source, RelationalSource) and source.is_server:
        return ""
    return Config.model_construct(folder=Path(), private=Path()).database(source)


def promised(lock: Mapping[str, Any]) -> tuple[Promised | None, list[Problem]]:
    """What the configuration in a lock says, and that it is none."""
    try:
        return Promised.of(lock), []
    except GraphmillError as problem:
        detail = f"Its configuration is none, so that nothing can be held to it: {problem}."
        return None, [Problem(LOCK, "config", detail)]


def split_problems(
    lock: Mapping[str, Any], given: Promised, rows: Sequence[Released], whole: bool = True
) -> Iterator[Problem]:
    """Splits that are not what the configuration says: what no two splits share is in several, a
    database that was not drawn is in test, or all were dealt by seed and shares and are no more.
    The split of a record is that of its file, if that is of one. Where the rows are not the `whole`
    of the records, or a query of theirs cannot be read, nothing can be dealt again.
    """
    synthetic = given.synthetic
    if given.synthetic_only:
        tested = [row.record.db for row in rows if _split(row) == "test"]
        real = Counter(db for db in tested if db not in synthetic)
        for db, number in sorted(real.items()):
            detail = f'{number} of its records are in test, which has `test = "synthetic-only"`.'
            yield Problem(db, "splits", detail)
    readable = list(_with_shapes(rows))
    queries = [(row.record.db, form) for row, form in readable]
    several = len({db for db, _ in queries if db in lock["graphs"]}) > 1
    by = given.by or ("database" if several else "shape")
    domains = {db: str(_entry(lock, db).get("domain", "")) for db, _ in queries}
    groups: dict[str, dict[str | None, list[str]]] = defaultdict(lambda: defaultdict(list))
    for row, form in readable:
        db = row.record.db
        group = {"database": db, "shape": form, "domain": domains[db]}[by]
        groups[group][_split(row)].append(row.stored)
    for group, homes in groups.items():
        if len(homes) > 1:
            yield _shared(by, group, homes)
    if lock.get("splits") == DEALT and whole and len(readable) == len(rows):
        dealt = splits_of(
            queries,
            given.splits,
            given.seed,
            by=by,
            domains=domains,
            synthesised=synthetic,
            synthetic_only=given.synthetic_only,
        )
        pairs = zip(readable, dealt, strict=True)
        wrong = [row.stored for (row, _), split in pairs if _split(row) != split]
        if wrong:
            detail = (
                f"{LOCK} says that seed and shares dealt the splits, and they put {len(wrong)} of "
                f"its records elsewhere ({_some(wrong)}): records were moved, added or taken away."
            )
            yield Problem("data", "splits", detail)


def _shared(by: str, group: str, homes: Mapping[str | None, list[str]]) -> Problem:
    """What lies in several splits: a shape is told by the record that fewest are with."""
    names = ", ".join(sorted(map(str, homes)))
    if by != "shape":
        return Problem(group, "splits", f"This {by} is in {names}, and no two splits share one.")
    ranked = sorted(homes.items(), key=lambda home: (len(home[1]), home[1]))
    (split, mine), (other, others) = ranked[0], ranked[-1]
    detail = (
        f"It is in {split}, and {others[0]} in {other} differs from it in values only: no two "
        "splits share a shape."
    )
    return Problem(mine[0], "splits", detail)


def _split(row: Released) -> str | None:
    return row.split or row.record.split


def _with_shapes(rows: Iterable[Released]) -> Iterator[tuple[Released, str]]:
    for row in rows:
        try:
            yield row, shape(parsed(row.record.queries.get("cypher", "")))
        except QueryTextError:
            continue  # which is told of the record


def _entry(lock: Mapping[str, Any], db: str) -> Mapping[str, Any]:
    entry = lock["graphs"].get(db)
    return entry if isinstance(entry, Mapping) else {}


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:_SHOWN]) + (", …" if len(names) > _SHOWN else "")


def mutation_problems(lock: Mapping[str, Any], records: Iterable[Stored]) -> Iterator[Problem]:
    """Records that were not told from enough of their mutants, as each of a build is, and those
    whose score is not that of its own counts."""
    least = setting(lock, "queries", "discrimination")
    asked = isinstance(least, int | float) and setting(lock, MASKED) is None
    kept = list(records)
    everywhere = asked or any(record.discrimination for _, record in kept)
    for stored, record in kept:
        apart = record.discrimination
        if not apart:
            if everywhere:
                detail = "It has no `discrimination`, and all records of its corpus have one."
                yield Problem(stored, "discrimination", detail)
            continue
        score = apart.get("score")
        if not isinstance(score, int | float) or isinstance(score, bool):
            yield Problem(stored, "discrimination", "Its `score` is no number.")
        elif asked and score < round(least, 4):
            detail = f"Its score {score} is below the {least} that the configuration asks for."
            yield Problem(stored, "discrimination", detail)
        elif faults := list(_count_faults(apart)):
            detail = f"Its counts are no numbers of mutants: {', '.join(faults)}."
            yield Problem(stored, "discrimination", detail)
        elif score != _score(apart):
            detail = f"Its score {score} is not that of its `told_apart` and `mutants`."
            yield Problem(stored, "discrimination", detail)


def _count_faults(apart: Mapping[str, Any]) -> Iterator[str]:
    """What is no count in a `discrimination`: each is an integer from 0 on, and of an operator no
    more are told apart than there are."""
    apart_counts, whole = apart.get("told_apart"), apart.get("mutants")
    for name, counts in (("told_apart", apart_counts), ("mutants", whole)):
        if not isinstance(counts, dict):
            yield f"{name} is missing"
            continue
        for operator, number in sorted(counts.items()):
            if type(number) is not int or number < 0:  # True is an int
                yield f"{name}.{operator} is {number}"
    if isinstance(apart_counts, dict) and isinstance(whole, dict):
        for operator, number in sorted(apart_counts.items()):
            if number > whole.get(operator, 0) >= 0:
                yield f"told_apart.{operator} is {number} of {whole.get(operator, 0)}"


def _score(apart: Mapping[str, Any]) -> float:
    """The share of mutants told apart, of which there may be none."""
    killed, whole = (sum(apart[name].values()) for name in ("told_apart", "mutants"))
    return round(killed / whole, 4) if whole else 1.0


def language_problems(lock: Mapping[str, Any], records: Iterable[Stored]) -> Iterator[Problem]:
    """Records without a text in a language that the corpus has all records in."""
    languages = setting(lock, "corpus", "languages")
    for stored, record in records if isinstance(languages, list) else ():
        if missing := [str(name) for name in languages if name not in record.queries]:
            detail = f"It has no text in {', '.join(missing)}, which all of its corpus have."
            yield Problem(stored, "text", detail)


def count_problems(folder: Path, lock: dict[str, Any], number: int | None) -> Iterator[Problem]:
    """A funnel that counts more or fewer records than there are, or is none; and what it counts of
    the ledger. The `number` of records is None where it is not known."""
    if not (folder / FUNNEL).is_file():
        return  # of before there was one, or told of the file
    try:
        funnel = Description.of(folder, lock).funnel
    except GraphmillError as problem:
        if isinstance(problem.__cause__, ValidationError):  # else it is told of the file
            yield Problem(FUNNEL, "funnel", str(problem))
        return
    if below := list(_below_zero(funnel)):
        detail = f"Its counts are no numbers of what there is: {_some(below)}."
        yield Problem(FUNNEL, "funnel", detail)
    yield from _ledger_problems(folder, funnel)
    stages = funnel.get("stages", {})
    counted = next(
        (stages[name] for name in ("review", "split", "across", "released") if name in stages), None
    )
    if counted is None:
        yield Problem(FUNNEL, "funnel", "It does not count the records that were released.")
    elif number is not None and counted != number:
        detail = f"It counts {counted} released records, and `data` has {number}."
        yield Problem(FUNNEL, "records", detail)


def _below_zero(value: Any, name: str = "") -> Iterator[str]:
    """The numbers in a value that are below zero, with their dotted names."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _below_zero(each, f"{name}.{key}" if name else str(key))
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from _below_zero(each, f"{name}.{number}")
    elif isinstance(value, int | float) and value < 0:
        yield f"{name} is {value}"


def _ledger_problems(folder: Path, funnel: Mapping[str, Any]) -> Iterator[Problem]:
    """Lines of the ledger that are more or fewer than the funnel counts of their stage and code."""
    path = folder / LEDGER
    if not path.is_file() or "rejects" not in funnel:
        return
    if any(isinstance(line, GraphmillError) for _, line in read_json_lines(path)):
        return  # which is told of the file
    lines: Counter[str] = Counter()
    try:
        lines.update(f"{line['stage']}: {line['code']}" for line in ledger_lines(path))
    except GraphmillError as problem:
        yield Problem(LEDGER, "ledger", str(problem))
        return
    counted: Counter[str] = Counter()
    for each in funnel["rejects"]:
        counted[f"{each['stage']}: {each['code']}"] += each["count"]
    wrong = [
        f"{name} is there {lines[name]:,} times and not {counted[name]:,}"
        for name in sorted({*lines, *counted})
        if lines[name] != counted[name]
    ]
    if wrong:
        yield Problem(LEDGER, "rejects", f"Its lines are not those of {FUNNEL}: {_some(wrong)}.")


def without_records(folder: Path, given: Promised | None, known: Collection[str]) -> Iterator[str]:
    """The databases from files that the configuration names and that are not among the `known`,
    which have records; but for those that a build left out, as the ledger says."""
    absent = set() if given is None else {*given.relational} - {*known}
    path = folder / LEDGER
    for _, line in read_json_lines(path) if absent and path.is_file() else ():
        if isinstance(line, dict) and line.get("stage") == LOST:
            absent.discard(str(line.get("db")))
    yield from sorted(absent)


def source_problems(
    folder: Path,
    lock: Mapping[str, Any],
    given: Promised | None,
    db: str,
    records: Iterable[Record],
    without: Collection[str],
) -> Iterator[Problem]:
    """A source that is not beside its records, though its engine proved them, or the configuration
    names its file. A file that the lock has is told with the files, and what is `without` an engine
    needs none."""
    files = [f"sources/{db}{ending}" for ending in FILES]
    if any((folder / name).is_file() or name in lock["files"] for name in files):
        return
    embedded = {engine for engine in ENGINE_OF.values() if engine not in SERVERS}
    ran = Counter(each.engine for record in records for each in record.certificates)
    proved = {name: ran[name] for name in sorted(embedded.difference(without)) if ran[name]}
    named = given is not None and db in given.relational
    if not proved and (not named or embedded.intersection(without)):
        return
    each = [f"{number} executions of {engine}" for engine, number in proved.items()]
    detail = f"There is no file {' or '.join(files)}, which the configuration names."
    if each:
        detail = (
            f"There is no file {' or '.join(files)}, of which its records are made: "
            f"{', '.join(each)} cannot be repeated."
        )
    yield Problem(f"sources/{db}", "source-missing", detail)
