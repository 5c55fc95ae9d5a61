"""A system is asked a corpus's questions; what it answers is scored as predictions are.

A run is begun again from its first question: every paid answer is in `replies.jsonl`, so a run
that was killed goes on where it stopped, pays nothing twice and writes the same bytes. How long
calls took is no part of them: it stands in `latency.jsonl`, with the date in `run.json`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from evaluation.base import FORMS, Attempt, Example, Form, Setting, System, Task
from evaluation.languages import evaluable
from evaluation.registry import system
from graphmill import __version__
from graphmill.errors import ConfigError, GraphmillError, unknown_name
from graphmill.files import canonical, read_records, write_json_lines, write_text
from graphmill.llm.client import Client
from graphmill.record import SPLITS, Record
from graphmill.seed import rng
from pipelines.author.authors import REPLIES, model_author
from pipelines.configuration.progress import Watch
from pipelines.evaluate.database import SQL, Options
from pipelines.evaluate.judging import judge
from pipelines.evaluate.oral import OralNames
from pipelines.evaluate.run import check_options
from pipelines.evaluate.service import evaluate_predictions
from pipelines.release.folder import split_file
from pipelines.release.lock import format_of, load_lock
from pipelines.release.unanswerable import unanswerable_file
from pipelines.verification.integrity import intact_lock
from schemagraph.folder.serde import load_schema
from schemagraph.model import SchemaGraph

ORDERS = "orders.json"
SPREAD = ("ex", "suite_ex", "gam", "em_text", "grammar", "exec", "twig_hits")
PREDICTIONS, LATENCY, RUN = "predictions.jsonl", "latency.jsonl", "run.json"
ABREAST = 16  # questions that a system without memory is asked at a time


@dataclass(frozen=True, slots=True)
class Order:
    """What is asked of which system, and how it is scored.

    `orders` above 1 asks the questions in so many seeded orders, each with a new system.
    With `judge` a model compares answers in words with the gold's rows.
    `per_database` draws so many questions of each database, by the seed.
    With `oral` names in questions are written as people write them (`pipelines.evaluate.oral`).
    `model` are the options of a model as the command line has them: `model` is a name, or
    `role=name` by commas. `out` gets predictions, figures and the recorded replies.
    """

    corpus: Path
    system: str
    language: str = "cypher"
    form: Form = "business"
    knowledge: bool = False
    split: str = "test"
    calls: int | None = None
    orders: int = 1
    per_database: int | None = None
    oral: bool = False
    settings: Mapping[str, str] = field(default_factory=dict)
    model: Mapping[str, Any] = field(default_factory=dict)
    replay: bool = False
    judge: bool = False
    out: Path | None = None
    against: tuple[Path, ...] = ()
    metrics: tuple[str, ...] = ()
    timeout: float = 10.0
    memory_mb: int = 1500
    seed: int = 7
    suites: bool = True
    second_opinion: bool = False
    jobs: int | None = None


def evaluate_system(order: Order, watch: Watch) -> dict[str, Any]:
    """Ask the system every question of the split, and score its queries.

    Raises:
        UnknownNameError: there is no such system, setting, language or split.
        ConfigError: options contradict each other, or a model is missing.
        LLMError: the model cannot be asked (any more). What is paid for is kept.
        GraphmillError: the corpus cannot be read, or `out` cannot be written.
    """
    kind = system(order.system)
    _check(order, kind)
    lock = intact_lock(order.corpus)
    schemas = {db: load_schema(order.corpus / "graphs" / db) for db in sorted(lock["graphs"])}
    examples = list(examples_of(order, schemas))
    tasks, names = _spoken(order, _drawn(order, tasks_of(order, schemas)))
    with ExitStack() as stack:
        client, roles = _clients(order, kind, stack)
        setting = Setting(
            order.language,
            examples,
            client,
            roles,
            order.calls,
            order.seed,
            order.settings,
            {db: (order.corpus / "graphs" / db, schema) for db, schema in schemas.items()},
        )
        answers = [
            _answered(order, kind, setting, tasks, number, watch)
            for number in range(1, order.orders + 1)
        ]
        if order.judge:
            golds = _golds(order)
            for lines in answers:
                judge(lines, tasks, golds, setting)
        for line in (line for lines in answers for line in lines if order.oral):
            line |= {"oral_names": bool(names[line["id"]]), "oral_name": names[line["id"]]}
    run = _run(order, kind, roles, client, len(examples))
    if order.out is not None:
        _write_run(order.out / RUN, run)
    scores = _scored(order, answers, frozenset(task.id for task in tasks), run, watch)
    figures = {**scores[0], "system": run}
    if order.orders > 1:
        figures["orders"] = spread([each["languages"][order.language] for each in scores])
        if order.out is not None:
            text = json.dumps(figures["orders"], indent=1, sort_keys=True)
            write_text(order.out / ORDERS, f"{text}\n")
    return figures


def _scored(
    order: Order,
    answers: Sequence[list[dict[str, Any]]],
    asked: frozenset[str],
    run: Mapping[str, Any],
    watch: Watch,
) -> list[dict[str, Any]]:
    """The figures of each order of the questions; those after the first have folders in `out`."""
    options = Options(
        languages=(order.language,),
        split=order.split,
        timeout=order.timeout,
        memory_mb=order.memory_mb,
        seed=order.seed,
        suites=order.suites,
        second_opinion=order.second_opinion,
        asked=asked,
        unasked="no question in the form" + (", or not drawn" if order.per_database else ""),
        jobs=order.jobs,
    )
    scores = []
    for number, lines in enumerate(answers, 1):
        out = order.out if number == 1 or order.out is None else order.out / f"order-{number}"
        if out is not None:
            write_json_lines(out / PREDICTIONS, lines)
        scores.append(
            evaluate_predictions(
                order.corpus,
                lines,
                options,
                watch,
                form=order.form,
                knowledge=order.knowledge,
                out=out,
                against=order.against,
                metrics=order.metrics,
                run=run,
            )
        )
    return scores


def _answered(
    order: Order,
    kind: type[System],
    setting: Setting,
    tasks: Sequence[Task],
    number: int,
    watch: Watch,
) -> list[dict[str, Any]]:
    """What a new system answers in the order of that number; lines are in the order of `tasks`.

    A single order is that of the tasks.
    """
    asked = list(tasks)
    if order.orders > 1:
        rng(order.seed, "order", number).shuffle(asked)
    answering = kind(setting)
    try:
        lines = _predictions(order, answering, asked, watch)
    finally:
        close = getattr(answering, "close", None)
        if close is not None:
            close()
    by_id = {line["id"]: line for line in lines}
    return [by_id[task.id] for task in tasks]


def spread(figures: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The mean over orders of each share, its standard deviation, least, most, and all of them."""
    spreads: dict[str, Any] = {"orders": len(figures)}
    for name in SPREAD:
        values = [_share(own.get(name)) for own in figures]
        known = [value for value in values if value is not None]
        if len(known) == len(values):
            spreads[name] = {
                "mean": round(mean(known), 6),
                "deviation": round(stdev(known), 6),
                "least": min(known),
                "most": max(known),
                "each": known,
            }
    return spreads


def _share(value: Any) -> float | None:
    own = value.get("mean") if isinstance(value, Mapping) else value
    return own if isinstance(own, int | float) else None


def _check(order: Order, kind: type[System]) -> None:
    check_options(Options(timeout=order.timeout, memory_mb=order.memory_mb))
    if order.language not in evaluable() and order.language != SQL:
        raise unknown_name("language to evaluate", order.language, evaluable())
    if order.split not in SPLITS:
        raise unknown_name("split", order.split, SPLITS)
    if order.form not in FORMS:
        raise unknown_name("form of question", order.form, FORMS)
    if order.orders < 1:
        raise ConfigError("--orders is at least 1.")
    if order.per_database is not None and order.per_database < 1:
        raise ConfigError("--per-database is at least 1.")
    if order.calls is not None and order.calls < 1:
        raise ConfigError("--calls is at least 1.")
    if order.out is not None and order.out.resolve().is_relative_to(order.corpus.resolve()):
        raise ConfigError(f"{order.out} lies in the corpus, which is only read.")
    if not kind.needs_model:
        if order.model or order.replay or order.judge:
            raise ConfigError(f"The system {order.system} asks no model: leave its options out.")
        return
    if order.out is None:
        raise ConfigError(
            f"The system {order.system} asks a model, whose answers are recorded: give --out DIR."
        )


def _clients(
    order: Order, kind: type[System], stack: ExitStack
) -> tuple[Client | None, dict[str, Client]]:
    """The model, and those of single roles; each records its answers in the run's folder."""
    if not kind.needs_model:
        return None, {}
    named = roles_of(str(order.model.get("model", "")))
    opened: dict[str, Client] = {}
    for name in dict.fromkeys(named.values()):
        author = model_author({**order.model, "model": name})
        part = "" if len(set(named.values())) == 1 else f".{_plain(name)}"
        replies = Path(order.out or ".") / REPLIES.replace(".", f"{part}.", 1)
        client = author.connect(replies, seed=order.seed, replay=order.replay)
        opened[name] = stack.enter_context(client)
    roles = {role: opened[name] for role, name in named.items() if role}
    default = named.get("") or next(iter(named.values()))
    return opened[default], roles


def roles_of(text: str) -> dict[str, str]:
    """Models by role; the role of a name alone is empty.

    >>> roles_of("small,generator=large")
    {'': 'small', 'generator': 'large'}

    Raises:
        ConfigError: a role or the name alone is there twice.
    """
    models: dict[str, str] = {}
    for piece in text.split(","):
        role, sign, name = piece.partition("=")
        key, name = (role.strip(), name.strip()) if sign else ("", piece.strip())
        if key in models:
            raise ConfigError(f"--model names {key or 'a model for all roles'} twice.")
        models[key] = name
    return models


def _plain(name: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in name)


def examples_of(order: Order, schemas: Mapping[str, SchemaGraph]) -> Iterator[Example]:
    """The pairs of `train` that a system may learn from."""
    if order.split == "train":
        return  # a system never learns from what it is asked
    for record in _records(order.corpus, "train"):
        question = getattr(record.questions, order.form)
        query = record.source_sql if order.language == SQL else record.queries.get(order.language)
        if question and query:
            yield Example(record, question, query, schemas[record.db])


def tasks_of(order: Order, schemas: Mapping[str, SchemaGraph]) -> Iterator[Task]:
    """The questions that are asked, database after database."""
    for record in sorted(_records(order.corpus, order.split), key=lambda r: (r.db, r.id)):
        question = getattr(record.questions, order.form)
        has = record.source_sql if order.language == SQL else record.queries.get(order.language)
        if question and (has or not record.queries):
            yield Task(
                record.id,
                record.db,
                question,
                order.language,
                schemas[record.db],
                order.corpus / "graphs" / record.db,
                order.form,
                record.external_knowledge if order.knowledge else "",
            )


def _drawn(order: Order, tasks: Iterable[Task]) -> list[Task]:
    """All tasks, or so many of each database, in their order."""
    if order.per_database is None:
        return list(tasks)
    drawn: list[Task] = []
    for db, own in groupby(tasks, key=lambda task: task.db):
        each = list(own)
        places = list(range(len(each)))
        rng(order.seed, "questions", db).shuffle(places)
        drawn += [each[place] for place in sorted(places[: order.per_database])]
    return drawn


def _spoken(order: Order, tasks: Sequence[Task]) -> tuple[list[Task], dict[str, Mapping[str, str]]]:
    """The tasks with names as people write them, where that is asked for, and by id what stands
    for which name."""
    if not order.oral:
        return list(tasks), {}
    oral = OralNames(order.seed)
    made = [oral.of(task) for task in tasks]
    return [task for task, _ in made], {task.id: names for task, names in made}


def _golds(order: Order) -> dict[str, str]:
    """The gold queries of the split by id."""
    golds = {}
    for record in _records(order.corpus, order.split):
        if order.language in record.queries:
            golds[record.id] = record.queries[order.language]
    return golds


def _records(corpus: Path, split: str) -> Iterator[Record]:
    for path in (split_file(corpus, split), unanswerable_file(corpus, split)):
        if path.is_file():
            form = format_of(load_lock(corpus))
            yield from (record for _, record in read_records(path, form))


def _predictions(
    order: Order, answering: System, tasks: Sequence[Task], watch: Watch
) -> list[dict[str, Any]]:
    """The lines of predictions, in the order of the tasks."""
    lines = []
    latency = _latency(order)
    with watch.stage(f"{order.system}: answer", len(tasks)) as tick:
        for task, attempt in zip(tasks, _attempts(answering, tasks), strict=True):
            lines.append(_line(order, task, attempt))
            latency(task, attempt)
            tick()
    return lines


def _attempts(answering: System, tasks: Sequence[Task]) -> Iterable[Attempt]:
    if not getattr(answering, "concurrent", False):
        return map(answering.answer, tasks)
    with ThreadPoolExecutor(ABREAST) as pool:
        begun = [pool.submit(answering.answer, task) for task in tasks]
        try:
            return [future.result() for future in begun]
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def _line(order: Order, task: Task, attempt: Attempt) -> dict[str, Any]:
    """One prediction; what differs from run to run (seconds, what was recorded) is no part."""
    calls = [call.to_json() for call in attempt.calls]
    for call in calls:
        del call["seconds"], call["cached"]
    return {
        "id": task.id,
        "language": task.language,
        "form": task.form,
        "knowledge": order.knowledge,
        "query": attempt.query,
        "calls": calls,
        "trace": dict(attempt.trace),
    }


def _latency(order: Order) -> Callable[[Task, Attempt], None]:
    """What notes the seconds of a question's calls, of those that were made now."""

    def note(task: Task, attempt: Attempt) -> None:
        live = [call for call in attempt.calls if not call.cached]
        if order.out is None or not live:
            return
        seconds = [round(call.seconds, 3) for call in live]
        line = {"id": task.id, "seconds": seconds, "models": [call.model for call in live]}
        try:
            with (order.out / LATENCY).open("a", encoding="utf-8") as stream:
                stream.write(f"{canonical(line)}\n")
        except OSError as problem:
            raise GraphmillError(f"Cannot write {LATENCY}: {problem.strerror}.") from problem

    return note


def _run(
    order: Order,
    kind: type[System],
    roles: Mapping[str, Client],
    client: Client | None,
    examples: int,
) -> dict[str, Any]:
    """What a run was made with: every named setting with its value, the model of each role."""
    settings = {**getattr(kind, "defaults", {}), **order.settings}
    models = {role: each.name for role, each in sorted(roles.items())}
    if client is not None:
        models = {"": client.name, **models}
    return {
        "name": order.system,
        "version": __version__,
        "settings": dict(sorted(settings.items())),
        "models": models,
        "calls": order.calls,
        "judge": order.judge,
        "orders": order.orders,
        "per_database": order.per_database,
        "oral": order.oral,
        "question": order.form,
        "knowledge": order.knowledge,
        "language": order.language,
        "split": order.split,
        "seed": order.seed,
        "examples": examples,
    }


def _write_run(path: Path, run: Mapping[str, Any]) -> None:
    """The run's description, with the day on which it was begun."""
    date = datetime.now(UTC).date().isoformat()
    try:
        earlier = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        if {**earlier, "date": ""} == {**run, "date": ""}:
            date = str(earlier["date"])
    except (OSError, ValueError, TypeError, KeyError):
        pass
    write_text(path, json.dumps({**run, "date": date}, indent=1, sort_keys=True) + "\n")
