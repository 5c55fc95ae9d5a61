"""`graphmill review --judge MODEL`: a model rates what experts rated, and then the rest.

It is asked for a probability that experts pass a pair. On the pairs that all experts have rated a
threshold is calibrated: the lowest one above which at least the stated share is passed by most
experts. With it the model judges the rest of the corpus; without one (no threshold is precise
enough) it judges nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, Field

from generators.prompts import prompt
from generators.queries.model.context import schema_text
from graphmill.errors import LLMError
from graphmill.files import write_json_lines
from graphmill.llm.base import WASTED, Ask
from graphmill.llm.client import Client
from pipelines.release.corpus import Corpus
from pipelines.review.results import by_item, passed
from pipelines.review.sample import Item, items_of
from pipelines.review.statistics import cohen, wilson
from pipelines.review.store import Rating
from schemagraph.folder.serde import load_schema
from schemagraph.folder.statistics import gather_statistics

STAGE = "judge"
_SEED = 7


class Judgement(BaseModel):
    """What the model says of one pair; `right` is the probability that experts pass it."""

    alignment: Annotated[int, Field(ge=1, le=5)]
    right: Annotated[float, Field(ge=0, le=1)]


@dataclass(frozen=True, slots=True)
class Threshold:
    """From which probability on pairs count as right; `kept` of the experts' pairs reach it, of
    which they passed `good`."""

    value: float
    kept: int
    good: int


def calibrated(scores: Sequence[float], good: Sequence[bool], precision: float) -> Threshold | None:
    """The lowest threshold at which at least the share `precision` is good; None where there is
    none.

    >>> calibrated([0.9, 0.8, 0.7, 0.2], [True, True, False, True], 0.9)
    Threshold(value=0.8, kept=2, good=2)
    >>> calibrated([0.9, 0.1], [False, False], 0.5) is None
    True
    """
    best = None
    for value in sorted(set(scores), reverse=True):
        reached = [right for score, right in zip(scores, good, strict=True) if score >= value]
        if sum(reached) >= precision * len(reached):
            best = Threshold(value, len(reached), sum(reached))
    return best


class Judge:
    """A model that rates pairs of one corpus."""

    def __init__(self, corpus: Corpus, client: Client) -> None:
        self._client = client
        self._texts = {db: _schema(corpus.folder / "graphs" / db) for db in corpus.lock["graphs"]}

    def judged(self, items: Iterable[Item]) -> Iterator[tuple[Item, Judgement | None]]:
        """Each pair with what the model says; None where it gives no usable answer.

        Raises:
            LLMError: it cannot be asked.
        """
        both = list(items)
        answers = self._client.fill_many(map(self._ask, both), Judgement)
        for item, answer in zip(both, answers, strict=True):
            if isinstance(answer, LLMError):
                if answer.code not in WASTED:
                    raise answer
                yield item, None
            else:
                yield item, answer.value

    def _ask(self, item: Item) -> Ask:
        messages = prompt("judge").render(
            schema=self._texts[item.db],
            question=item.question,
            knowledge=item.knowledge or "nothing",
            query=item.query,
        )
        return Ask(messages, max_tokens=200, stage=STAGE)


def judge(
    corpus: Corpus,
    client: Client,
    items: Sequence[Item],
    ratings: Sequence[Rating],
    experts: int,
    precision: float,
    out: Path,
) -> dict[str, Any]:
    """Rate the experts' pairs and the rest; a line for each goes to `out`, the figures are given.

    Raises:
        LLMError: the model cannot be asked.
        GraphmillError: a file of the corpus is damaged, or `out` cannot be written.
    """
    judging = Judge(corpus, client)
    rated = {number: each for number, each in by_item(ratings).items() if len(each) == experts}
    numbers = sorted(rated)
    scores: list[float] = []
    good: list[bool] = []
    close: list[float] = []
    silent = 0
    lines: list[dict[str, Any]] = []
    for number, (item, judgement) in zip(
        numbers, judging.judged(items[n] for n in numbers), strict=True
    ):
        if judgement is None:
            silent += 1
            continue
        each = rated[number]
        scores.append(judgement.right)
        good.append(passed(each))
        close.append(abs(judgement.alignment - sum(r.alignment for r in each) / len(each)))
        lines.append({**_line(item, judgement), "experts_pass": good[-1]})
    threshold = calibrated(scores, good, precision)
    figures: dict[str, Any] = {
        "rated_by_all": len(numbers),
        "no_answer": silent,
        "alignment_off_by": round(sum(close) / len(close), 4) if close else None,
        "asked_precision": precision,
        **_agreement(scores, good, threshold),
    }
    if threshold is not None:
        known = {(item.record, item.level) for item in items}
        rest = (i for i in items_of(corpus.records()) if (i.record, i.level) not in known)
        more = list(judging.judged(rest))
        judged_rest = [
            _line(item, judgement, threshold) for item, judgement in more if judgement is not None
        ]
        lines = [
            {**line, "passes": line["right"] >= threshold.value} for line in lines
        ] + judged_rest
        figures["rest"] = {
            "pairs": len(more),
            "no_answer": len(more) - len(judged_rest),
            "passes": sum(line["passes"] for line in judged_rest),
        }
    write_json_lines(out, lines)
    return figures


def _agreement(
    scores: Sequence[float], good: Sequence[bool], threshold: Threshold | None
) -> dict[str, Any]:
    """Agreement with most experts at the threshold (at 0.5 where there is none)."""
    at = 0.5 if threshold is None else threshold.value
    says = [score >= at for score in scores]
    alike = sum(a == b for a, b in zip(says, good, strict=True))
    kappa = cohen(says, good)
    precision = None if threshold is None else round(threshold.good / threshold.kept, 4)
    return {
        "agreement": round(alike / len(good), 4) if good else None,
        "kappa": None if kappa is None else round(kappa, 4),
        "threshold": None if threshold is None else threshold.value,
        "precision": precision,
        "precision_interval": None
        if threshold is None
        else [round(x, 4) for x in wilson(threshold.good, threshold.kept)],
        "recall": round(threshold.good / sum(good), 4)
        if threshold is not None and any(good)
        else None,
    }


def _line(item: Item, judgement: Judgement, threshold: Threshold | None = None) -> dict[str, Any]:
    line: dict[str, Any] = {
        "record": item.record,
        "level": item.level,
        "alignment": judgement.alignment,
        "right": judgement.right,
    }
    return line if threshold is None else {**line, "passes": judgement.right >= threshold.value}


def _schema(folder: Path) -> str:
    schema = load_schema(folder)
    return schema_text(schema, gather_statistics(folder, schema, _SEED))
