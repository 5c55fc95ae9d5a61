"""The figures of a run: means with intervals, the ladder, slices, classes of errors."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from engines.ladder import RUNGS
from evaluation.metrics.text import Gleu
from evaluation.score import Score
from evaluation.statistics import clustered, mcnemar

DIGITS = 6
NAMED = 50  # ids of predictions that are right by luck, as many as are listed


def summary(scores: Sequence[Score], *, seed: int = 7) -> dict[str, Any]:
    """The figures of one language, as plain JSON.

    All figures but `abstention` and `costs` are of answerable questions: `n` of them. Every
    expected prediction counts: one that is missing, or an abstention, is wrong. Measures that do
    not apply to a prediction leave it out, and say of how many they are the mean (`n`).
    """
    answerable = [score for score in scores if score.answerable]
    lucky = [score for score in answerable if score.lucky]
    return {
        "n": len(answerable),
        "answered": sum(not (s.missing or s.abstained) for s in answerable),
        "missing": sum(s.missing for s in answerable),
        "abstained": sum(s.abstained for s in answerable),
        **_main(answerable, seed),
        "ladder": {
            rung.value: _mean([float(s.stands_on(rung)) for s in answerable]) for rung in RUNGS
        },
        "any_columns": _any_columns(answerable),
        "suite": {
            "tested": sum(s.suite is not None for s in answerable),
            "graphs": sum(s.suite_size for s in answerable),
            "right_by_luck": len(lucky),
            "ids": [score.id for score in lucky[:NAMED]],
        },
        **{name: _of(answerable, read) for name, read in _MEASURES.items()},
        "gleu": _gleu(answerable),
        "jaro_winkler_distance": _distance(answerable),
        **_costs(scores),
        **_others(answerable),
        "abstention": _abstention(scores),
        "classes": _classes(answerable),
        "by": _slices(answerable, seed),
    }


def _main(scores: Sequence[Score], seed: int) -> dict[str, Any]:
    right = [float(score.right) for score in scores]
    suite = [float(score.right and score.suite is not False) for score in scores]
    clusters = [score.db for score in scores]
    first, second = clustered(right, clusters, seed=seed), clustered(suite, clusters, seed=seed)
    return {
        "ex": _mean(right),
        "ex_interval": first and first.to_json(),
        "suite_ex": _mean(suite),
        "suite_ex_interval": second and second.to_json(),
    }


_MEASURES: Mapping[str, Callable[[Score], float | None]] = {
    "exec": lambda s: float(s.ran),
    "grammar": lambda s: float(s.parses),
    "grammar_second": lambda s: None if s.second is None else float(s.second),
    "em_exact": lambda s: float(s.exact),
    "em_text": lambda s: float(s.text),
    "em_clauses": lambda s: float(s.clauses),
    "gam": lambda s: None if s.gam is None else float(s.gam),
    "jaro_winkler": lambda s: s.similarity,
    "psjs": lambda s: s.psjs,
    "related_schema": lambda s: None if s.related is None else float(s.related),
    "linked_schema": lambda s: None if s.linked is None else float(s.linked),
    "twig_hits": lambda s: s.twigs,
    "judged": lambda s: None if s.judged is None else float(s.judged),
}
"""Means over predictions. `em_exact` is equality of texts, `em_text` of normalised texts,
`em_clauses` of their clauses as sets: no figure is called EM alone."""


def _of(scores: Sequence[Score], read: Callable[[Score], float | None]) -> dict[str, Any] | None:
    values = [value for score in scores if (value := read(score)) is not None]
    return {"mean": _mean(values), "n": len(values)} if values else None


def _mean(values: Sequence[float]) -> float | None:
    return round(sum(values) / len(values), DIGITS) if values else None


def _any_columns(scores: Sequence[Score]) -> dict[str, float | None]:
    """The ladder of rows with the columns in the best order."""
    return {
        rung.value: _mean(
            [
                float(s.any_columns is not None and s.any_columns in RUNGS[: RUNGS.index(rung) + 1])
                for s in scores
            ]
        )
        for rung in RUNGS[:-1]
    }


def _gleu(scores: Sequence[Score]) -> float | None:
    """Google-BLEU over the corpus: the counts are added up before they are divided."""
    if not scores:
        return None
    shared, whole = (sum(column) for column in zip(*(s.gleu for s in scores), strict=True))
    return round(Gleu(shared, whole).score, DIGITS)


def _distance(scores: Sequence[Score]) -> float | None:
    mean = _mean([s.similarity for s in scores])
    return None if mean is None else round(1 - mean, DIGITS)


def _costs(scores: Sequence[Score]) -> dict[str, Any]:
    """Calls, tokens, dollars and seconds, where the predictions came with a trace."""
    traced = [score for score in scores if score.calls is not None]
    if not traced:
        return {}
    parts: Counter[str] = Counter()
    for score in traced:
        parts.update(score.parts)
    repaired = [score for score in traced if score.repairs is not None]
    return {
        "costs": {
            "traced": len(traced),
            "calls": sum(s.calls or 0 for s in traced),
            "prompt_tokens": _mean([float(s.prompt_tokens or 0) for s in traced]),
            "prompt_parts": {
                name: round(number / len(traced), 3) for name, number in sorted(parts.items())
            },
            "completion_tokens": _mean([float(s.completion_tokens or 0) for s in traced]),
            "usd": round(sum(s.usd or 0.0 for s in traced), DIGITS),
            "seconds": _mean([s.seconds for s in traced if s.seconds is not None]),
            "repaired": _mean([float(bool(s.repairs)) for s in repaired]),
        }
    }


def _others(scores: Sequence[Score]) -> dict[str, Any]:
    names = sorted({name for score in scores for name in score.more})
    metrics = {name: _of(scores, lambda s, name=name: s.more.get(name)) for name in names}  # type: ignore[misc] # bound now
    return {"metrics": metrics} if metrics else {}


def _abstention(scores: Sequence[Score]) -> dict[str, Any]:
    """How many unanswerable questions were told (recall), and how many answerable ones were
    declined (false alarms)."""
    hopeless = [score for score in scores if not score.answerable]
    others = [score for score in scores if score.answerable]
    return {
        "unanswerable": len(hopeless),
        "missing": sum(s.missing for s in hopeless),
        "recall": _mean([float(s.abstained) for s in hopeless]),
        "false_alarms": _mean([float(s.abstained) for s in others]),
    }


def _classes(scores: Sequence[Score]) -> dict[str, int]:
    return dict(sorted(Counter(s.category for s in scores if s.category).items()))


_OF_SLICES = ("em_text", "em_clauses", "gam", "psjs", "judged")


def _slices(scores: Sequence[Score], seed: int) -> dict[str, Any]:
    slices: dict[str, dict[str, list[Score]]] = defaultdict(lambda: defaultdict(list))
    for score in scores:
        for dimension, values in score.groups.items():
            for value in values:
                slices[dimension][value].append(score)
    return {
        dimension: {
            value: {
                "n": len(own),
                "missing": sum(s.missing for s in own),
                **_main(own, seed),
                "exec": _mean([float(s.ran) for s in own]),
                "grammar": _mean([float(s.parses) for s in own]),
                "gleu": _gleu(own),
                "jaro_winkler": _mean([s.similarity for s in own]),
                **{name: _of(own, _MEASURES[name]) for name in _OF_SLICES},
                "classes": _classes(own),
            }
            for value, own in sorted(values.items())
        }
        for dimension, values in sorted(slices.items())
    }


type Run = Mapping[tuple[str, str, str], bool]
"""Whether a prediction was right, by id, language and form of question."""


def compared(scores: Iterable[Score], other: Run) -> dict[str, Any]:
    """This run against another on the answerable questions that both have (McNemar's exact
    test)."""
    own = {(s.id, s.language, s.form): s.right for s in scores if s.answerable}
    keys = [key for key in own if key in other]
    test = mcnemar([own[key] for key in keys], [other[key] for key in keys])
    return {
        "n": len(keys),
        "not_paired": len(own) - len(keys),
        "ex": _mean([float(own[key]) for key in keys]),
        "other_ex": _mean([float(other[key]) for key in keys]),
        "both": test.both,
        "only_this": test.only_first,
        "only_other": test.only_second,
        "neither": test.neither,
        "p": round(test.p, 9),
    }
