"""Predictions in, figures out: the files that are read and written around `run.evaluate`."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import IOBase
from pathlib import Path
from typing import IO, Any, cast

from evaluation.foreign import load_benchmark
from evaluation.languages import tools
from evaluation.predictions import Predictions, load
from evaluation.registry import metric
from evaluation.run_tables import figures_of_run
from evaluation.static import static_scores, without_answers, without_execution
from evaluation.summary import Run, summary
from evaluation.tables import markdown
from graphmill.errors import ConfigError, GraphmillError
from graphmill.files import (
    canonical,
    missing,
    read_json_lines,
    whole_folder,
    write_json_lines,
    write_text,
)
from graphmill.json_lines import read_json, values_of
from pipelines.configuration.progress import Watch
from pipelines.evaluate.database import Options
from pipelines.evaluate.page import page
from pipelines.evaluate.run import check_options, evaluate, prediction_notes
from translators.language import Origin

RUN, TRACE = "run.json", "trace.jsonl"
SCORES = "scores.json"

type PredictionLines = Path | IO[bytes] | Iterable[dict[str, Any]]


def evaluate_predictions(
    corpus: Path,
    source: PredictionLines,
    options: Options,
    watch: Watch,
    *,
    form: str = "",
    knowledge: bool | None = None,
    out: Path | None = None,
    against: Sequence[Path] = (),
    metrics: Sequence[str] = (),
    run: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Score a file of predictions; the figures are also written to `out`, where one is given.

    `run` describes what made the predictions (`run.json`), where a system did.

    Raises:
        ConfigError: options contradict each other, or `out` lies in the corpus.
        UnknownNameError: there is no such language, split, engine or metric.
        GraphmillError: corpus or predictions cannot be read, or `out` cannot be written.
    """
    check_options(options)
    options = Options(
        **{name: getattr(options, name) for name in Options.__slots__ if name != "metrics"},
        metrics=tuple(metric(name) for name in metrics),
    )
    if out is not None and corpus.is_dir() and out.resolve().is_relative_to(corpus.resolve()):
        raise ConfigError(f"{out} lies in the corpus, which is only read: give another --out.")
    runs = {path.name: read_run(path) for path in against}
    language = options.languages[0] if len(options.languages) == 1 else ""
    predictions = load(_lines(source), language=language, form=form, knowledge=knowledge)
    if corpus.is_file():
        return _static(corpus, predictions, options, out)
    if out is None:
        figures = evaluate(corpus, predictions, options, watch, against=runs).figures
        return _beside(figures, run, "this run", against)
    with _whole(out) as draft:
        with _trace(draft / TRACE) as stream:
            evaluation = evaluate(
                corpus,
                predictions,
                options,
                watch,
                trace=lambda line: _write(stream, line),
                against=runs,
            )
        figures = _beside(evaluation.figures, run, out.name, against)
        _write_figures(draft, figures)
    return figures


def _beside(
    figures: dict[str, Any], run: Mapping[str, Any] | None, name: str, against: Sequence[Path]
) -> dict[str, Any]:
    """The figures with those of other runs of systems, for tables whose rows are runs."""
    runs = [figures_of_run(name, run, figures)] if run is not None else []
    for folder in against if runs else ():
        described = [folder / RUN, folder / SCORES]
        if all(path.is_file() for path in described):
            try:
                other, scores = map(read_json, described)
                runs.append(figures_of_run(folder.name, other, scores))
            except (ValueError, TypeError, KeyError, AttributeError) as problem:
                raise GraphmillError(f"{folder}: {RUN} or {SCORES} is damaged.") from problem
    return {**figures, "runs": runs} if len(runs) > 1 else figures


def _static(
    path: Path, predictions: Predictions, options: Options, out: Path | None
) -> dict[str, Any]:
    """Score predictions of a benchmark's file, whose gold is not run."""
    benchmark = load_benchmark(path)
    with tools(benchmark.language, Origin(), second=options.second_opinion) as toolbox:
        scores = list(static_scores(benchmark, predictions, toolbox))
    known = {item.id for item in benchmark.items}
    own = summary(scores, seed=options.seed)
    figures: dict[str, Any] = {
        "corpus": benchmark.name,
        "split": path.name,
        "seed": options.seed,
        "static": True,
        "records": len(benchmark.items),
        "languages": {benchmark.language: without_execution(own)},
        "left_out": [],
        "predictions": prediction_notes(predictions, known),
    }
    if out is not None:
        with _whole(out) as draft:
            lines = [without_answers(score.to_json()) for score in scores]
            write_json_lines(draft / TRACE, lines)
            _write_figures(draft, figures)
    return figures


def _write_figures(out: Path, figures: dict[str, Any]) -> None:
    write_text(out / SCORES, json.dumps(figures, indent=1, sort_keys=True) + "\n")
    write_text(out / "tables.md", markdown(figures))
    write_text(out / "report.html", page(figures))


def read_run(folder: Path) -> Run:
    """Which predictions of a finished run were right.

    Raises:
        GraphmillError: the folder is none of a run.
    """
    path = folder / TRACE
    if not path.is_file():
        raise GraphmillError(f"{folder} is no run of evaluate. {missing(path)}")
    right: dict[tuple[str, str, str], bool] = {}
    for number, line in read_json_lines(path):
        if isinstance(line, GraphmillError):
            raise line
        try:
            if line.get("answerable", True):
                right[line["id"], line["language"], line.get("form", "")] = line["ex"]
        except (KeyError, TypeError) as problem:
            raise GraphmillError(f"{path}, line {number}, is no line of a trace.") from problem
    return right


def _lines(source: PredictionLines) -> Iterator[tuple[int, Any | GraphmillError]]:
    if isinstance(source, Path):
        yield from read_json_lines(source)
    elif isinstance(source, IOBase):
        for number, value in values_of(cast(IO[bytes], source)):
            yield number, _numbered(number, value)
    else:
        yield from enumerate(cast(Iterable[dict[str, Any]], source), 1)


def _numbered(number: int, value: Any) -> Any:
    if isinstance(value, GraphmillError):
        return GraphmillError(f"Line {number}, {value}.")
    return value


@contextmanager
def _whole(out: Path) -> Iterator[Path]:
    """A folder whose files take their places in `out` when all of them are written."""
    try:
        with whole_folder(out) as draft:
            yield draft
    except OSError as problem:
        if isinstance(problem, GraphmillError):
            raise
        place = problem.filename or out
        raise GraphmillError(f"Cannot write {place}: {problem.strerror or problem}.") from problem


@contextmanager
def _trace(path: Path) -> Iterator[IO[str]]:
    """A file that is there when it is whole."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with draft.open("w", encoding="utf-8", errors="backslashreplace") as stream:
            yield stream
        draft.replace(path)
    except OSError as problem:
        raise GraphmillError(f"Cannot write {path}: {problem.strerror or problem}.") from problem
    finally:
        draft.unlink(missing_ok=True)


def _write(stream: IO[str], line: dict[str, Any]) -> None:
    stream.write(f"{canonical(line)}\n")
