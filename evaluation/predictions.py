"""Predictions as files: one JSON object a line, `{"id", "query"}` or `{"id", "queries"}`.

A line is hostile text: what is wrong with it is told and counted, and ends nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from evaluation.base import FORMS
from evaluation.score import Prediction
from graphmill.errors import GraphmillError

SHOWN = 20

type Key = tuple[str, str, str, bool | None]


@dataclass(slots=True)
class Predictions:
    """Predictions by id, language, form and knowledge, in the order of the file.

    `bad` are the messages of lines that are none (the first few), `broken` how many there are;
    `repeated` counts lines for what an earlier line has answered.
    """

    by_key: dict[Key, Prediction] = field(default_factory=dict)
    bad: list[str] = field(default_factory=list)
    broken: int = 0
    repeated: int = 0

    @property
    def languages(self) -> list[str]:
        """The languages that are predicted."""
        return sorted({prediction.language for prediction in self.by_key.values()})

    def variants(self, language: str) -> list[tuple[str, bool | None]]:
        """The forms of question that were asked in a language, with and without knowledge."""
        pairs = {
            (form, knowledge): None for _, of, form, knowledge in self.by_key if of == language
        }
        return sorted(pairs, key=lambda pair: (pair[0], str(pair[1])))

    def refuse(self, message: str) -> None:
        """Count a line that is no prediction."""
        self.broken += 1
        if len(self.bad) < SHOWN:
            self.bad.append(message)


def load(
    lines: Iterable[tuple[int, Any | GraphmillError]],
    *,
    language: str = "",
    form: str = "",
    knowledge: bool | None = None,
) -> Predictions:
    """Predictions of JSON lines, numbered from 1.

    `language` is that of a `query` whose line names none (Cypher unless given); only its entry of
    `queries` is taken where it is given. `form` and `knowledge` are those of lines that say none.
    """
    predictions = Predictions()
    for number, value in lines:
        if isinstance(value, GraphmillError):
            predictions.refuse(str(value))
            continue
        try:
            own = list(_of_line(value, language, form, knowledge))
        except _NoPrediction as problem:
            predictions.refuse(f"Line {number}: {problem}.")
            continue
        for each in own:
            key = (each.id, each.language, each.form, each.knowledge)
            if key in predictions.by_key:
                predictions.repeated += 1
            else:
                predictions.by_key[key] = each
    return predictions


class _NoPrediction(Exception):
    """What is wrong with a line."""


def _of_line(value: Any, language: str, form: str, knowledge: bool | None) -> Iterator[Prediction]:
    if not isinstance(value, dict):
        raise _NoPrediction('it is no object with "id" and "query"')
    if not isinstance(value.get("id"), str):
        raise _NoPrediction('it has no text "id"')
    if "query" not in value and "queries" not in value and not value.get("abstains"):
        raise _NoPrediction('it has neither "query" nor "queries"')
    own_form = value.get("form", form)
    if own_form not in ("", *FORMS):
        raise _NoPrediction(f'"form" is none of {", ".join(FORMS)}')
    own_knowledge = value.get("knowledge", knowledge)
    oral = value.get("oral_names")
    calls = value.get("calls", ())
    trace = value.get("trace", {})
    for query_language, query in _queries(value, language):
        yield Prediction(
            value["id"],
            query_language,
            None if value.get("abstains") is True else query,
            own_form,
            own_knowledge if isinstance(own_knowledge, bool) else None,
            oral if isinstance(oral, bool) else None,
            tuple(c for c in calls if isinstance(c, dict)) if isinstance(calls, list) else (),
            trace if isinstance(trace, dict) else {},
        )


def _queries(value: Mapping[str, Any], language: str) -> Iterator[tuple[str, str | None]]:
    if "queries" not in value:
        query = value.get("query")
        if query is not None and not isinstance(query, str):
            raise _NoPrediction('"query" is neither a text nor null')
        own = value.get("language", language or "cypher")
        if not isinstance(own, str):
            raise _NoPrediction('"language" is no text')
        if not language or own == language:
            yield own, query
        return
    queries = value["queries"]
    if not isinstance(queries, dict):
        raise _NoPrediction('"queries" is no object of queries by language')
    for name, query in queries.items():
        if query is not None and not isinstance(query, str):
            raise _NoPrediction(f"the query in {name[:30]} is neither a text nor null")
        if not language or name == language:
            yield name, query
