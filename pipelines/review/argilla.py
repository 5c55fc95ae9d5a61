"""Items and ratings as Argilla's records (version 2), out and in: JSON that
`dataset.records.from_json` reads and `to_json` writes.

A record's `id` is the number of its item; each question of ours (alignment, level, flags, note)
has a list of responses, one of each user.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from graphmill.errors import GraphmillError
from graphmill.json_lines import parse_json
from pipelines.review.sample import Item
from pipelines.review.sheet import rating_of
from pipelines.review.store import Rating

_STATUS = "submitted"


def written(items: Sequence[Item], ratings: Sequence[Rating]) -> str:
    """All items, with the responses that are there; levels are not told."""
    by_item: dict[int, list[Rating]] = {}
    for rating in ratings:
        by_item.setdefault(rating.item, []).append(rating)
    records = [
        {
            "id": str(number),
            "status": "completed" if number in by_item else "pending",
            "fields": {
                "question": item.question,
                "query": item.query,
                "knowledge": item.knowledge,
            },
            "metadata": {"record": item.record, **_seconds(by_item.get(number, ()))},
            "suggestions": {},
            "responses": _responses(by_item.get(number, ())),
            "vectors": {},
        }
        for number, item in enumerate(items)
    ]
    return json.dumps(records, ensure_ascii=False, indent=1) + "\n"


def _seconds(ratings: Sequence[Rating]) -> dict[str, str]:
    """How long each expert took, which is no question."""
    timed = {rating.expert: rating.seconds for rating in ratings if rating.seconds}
    return {"seconds": json.dumps(timed)} if timed else {}


def _responses(ratings: Sequence[Rating]) -> dict[str, list[dict[str, Any]]]:
    responses: dict[str, list[dict[str, Any]]] = {}
    for rating in ratings:
        values = {
            "alignment": rating.alignment,
            "level": rating.level,
            "flags": list(rating.flags),
            "note": rating.note,
        }
        for name, value in values.items():
            if value not in ("", []):
                response = {"value": value, "user_id": rating.expert, "status": _STATUS}
                responses.setdefault(name, []).append(response)
    return responses


def read(text: str, items: Sequence[Item]) -> list[Rating]:
    """The ratings of Argilla's records: responses that were submitted.

    Raises:
        GraphmillError: it is no list of records, or one is none of a rating; it says which.
    """
    try:
        records = parse_json(text.removeprefix("\ufeff"))
    except GraphmillError as problem:
        raise GraphmillError(f"This is no JSON of Argilla: {problem}.") from problem
    if not isinstance(records, list):
        raise GraphmillError("Argilla's records are a list.")
    ratings = []
    for number, record in enumerate(records, 1):
        try:
            item, responses = str(record["id"]), record.get("responses") or {}
            seconds = parse_json((record.get("metadata") or {}).get("seconds") or "{}")
            users: dict[str, dict[str, Any]] = {}
            drafts: set[str] = set()
            for name, each in responses.items():
                for response in each:
                    user = str(response["user_id"])
                    users.setdefault(user, {})[name] = response["value"]
                    if response.get("status", _STATUS) != _STATUS:
                        drafts.add(user)
            for expert, values in sorted(users.items()):
                if expert in drafts:
                    continue
                cells = {
                    "item": item,
                    "expert": expert,
                    "alignment": str(values["alignment"]),
                    "level": str(values.get("level", "")),
                    "flags": " ".join(values.get("flags", ())),
                    "note": str(values.get("note", "")),
                    "seconds": str(seconds.get(expert, 0)),
                }
                ratings.append(rating_of(cells, len(items)))
        except KeyError as problem:
            raise GraphmillError(f"Record {number} of Argilla: it has no {problem}.") from problem
        except (TypeError, AttributeError) as problem:
            what = "it is not as Argilla writes records"
            raise GraphmillError(f"Record {number} of Argilla: {what} ({problem}).") from problem
        except (ValueError, GraphmillError) as problem:
            raise GraphmillError(f"Record {number} of Argilla: {problem}.") from problem
    return ratings
