"""`nearest`: the query of the nearest training question, with the question's own values in it.

No model is asked. It is a baseline, and shows how far a corpus's splits leak into each other.

Questions are compared without the values that they name. Each constant of the nearest example's
query that its question names is replaced by a value that the new question names: one of the same
property first, else one of the same sort, from left to right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from evaluation.answering.neighbours import Neighbours
from evaluation.answering.options import Options
from evaluation.answering.values import Mention, Place, Sort, Values
from evaluation.base import Attempt, Example, Setting, Task
from graph_ir import nodes as ir
from graph_ir.bind.statements import bind
from graph_ir.cypher.reader import parse
from graph_ir.walk import children, descend, find, substitute
from graphmill.errors import QueryTextError, Refused
from graphmill.similarity.texts import TRIGRAMS
from translators.render import render

SQL = "sql"
_MASKS: Mapping[Sort, str] = {"text": " § ", "number": " # ", "date": " ¶ "}
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2})?)?")


@dataclass(frozen=True, slots=True)
class Slot:
    """A constant of an example's query that its question names: which literal, where in the
    question, and the properties that the query holds it against."""

    literal: ir.Literal
    mention: Mention
    places: frozenset[Place]


@dataclass(slots=True)
class _Known:
    """An example, read: its statement and its slots in the order of its question."""

    example: Example
    statement: ir.Statement | None
    slots: tuple[Slot, ...]
    masked: str


class Nearest:
    """Settings: `encoder` compares questions, `across` = yes lets examples of other databases be
    the nearest where the task's own has some, `values` = no leaves constants as they are."""

    name: ClassVar[str] = "nearest"
    needs_model: ClassVar[bool] = False
    defaults: ClassVar[Mapping[str, str]] = {"encoder": TRIGRAMS, "across": "no", "values": "yes"}

    def __init__(self, setting: Setting) -> None:
        options = Options(self.name, setting, self.defaults)
        self._language = setting.language
        self._across = options.flag("across")
        self._replaces = options.flag("values")
        self._known = [_known(example) for example in setting.examples]
        self._index = Neighbours([known.masked for known in self._known], options.text("encoder"))
        self._values: dict[str, Values] = {}

    def answer(self, task: Task) -> Attempt:
        """The nearest example's query, its constants replaced; None where there is no example."""
        values = self._values_of(task)
        mentions = values.mentions(task.question)
        nearest = self._nearest(task, masked(task.question, mentions))
        if nearest is None:
            return Attempt(None, trace={"nearest": None})
        known, cosine = nearest
        chosen = assigned(known.slots, mentions) if self._replaces else {}
        trace = {
            "nearest": known.example.record.id,
            "cosine": round(cosine, 6),
            "replaced": [
                [slot.mention.value, chosen[number].value]
                for number, slot in enumerate(known.slots)
                if number in chosen
            ],
        }
        return Attempt(self._text(known, chosen), trace=trace)

    def _values_of(self, task: Task) -> Values:
        if task.db not in self._values:
            self._values.clear()  # databases come one after the other
            self._values[task.db] = Values.of(task.graph, task.schema)
        return self._values[task.db]

    def _nearest(self, task: Task, question: str) -> tuple[_Known, float] | None:
        own = any(known.example.record.db == task.db for known in self._known)
        best = None
        for known, cosine in zip(self._known, self._index.cosines(question), strict=True):
            record = known.example.record
            if own and not self._across and record.db != task.db:
                continue
            if record.id == task.id:
                continue
            rank = (cosine, record.db == task.db, _reversed(record.id))
            if best is None or rank > best[0]:
                best = rank, known
        return None if best is None else (best[1], best[0][0])

    def _text(self, known: _Known, chosen: Mapping[int, Mention]) -> str:
        changes = {
            number: mention
            for number, mention in chosen.items()
            if mention.value != known.slots[number].literal.value
        }
        if not changes:
            return known.example.query
        if self._language == SQL or known.statement is None:
            return _in_text(known, changes, self._language)
        values = {id(known.slots[n].literal): ir.Literal(m.value) for n, m in changes.items()}
        changed = substitute(known.statement, lambda node: values.get(id(node)))
        try:
            return render(changed, self._language, known.example.schema).text
        except (QueryTextError, Refused):
            return _in_text(known, changes, self._language)


SYSTEM = Nearest


def masked(question: str, mentions: Sequence[Mention]) -> str:
    """The question with a sign in the place of each mention."""
    for mention in sorted(mentions, key=lambda each: -each.start):
        sign = _MASKS[mention.sort]
        question = question[: mention.start] + sign + question[mention.end :]
    return question


def assigned(slots: Sequence[Slot], mentions: Sequence[Mention]) -> dict[int, Mention]:
    """Which mention takes which slot (by number): slots and mentions of one property first, then
    those of one sort, both in order. A value that an example names twice is one slot each time."""
    chosen: dict[int, Mention] = {}
    by_value: dict[Any, Mention] = {}
    free = list(mentions)
    for same_place in (True, False):
        for number, slot in enumerate(slots):
            if number in chosen:
                continue
            key = (slot.mention.start, slot.mention.value)
            match = by_value.get(key) or next(
                (m for m in free if _fits(slot, m, same_place=same_place)), None
            )
            if match is not None:
                chosen[number] = by_value[key] = match
                free = [m for m in free if m is not match]
    return chosen


def _fits(slot: Slot, mention: Mention, *, same_place: bool) -> bool:
    if slot.mention.sort != mention.sort:
        return False
    if not same_place:
        return not (slot.places and mention.places)
    return bool(slot.places & mention.places)


def _known(example: Example) -> _Known:
    try:
        parsed = parse(example.record.queries["cypher"])
        statement = bind(parsed, example.schema).statement
    except (KeyError, QueryTextError, Refused):
        return _Known(example, None, (), example.question)
    slots = tuple(_slots(example.question, statement))
    return _Known(example, statement, slots, masked(example.question, [s.mention for s in slots]))


def _slots(question: str, statement: ir.Statement) -> Iterator[Slot]:
    """The constants of a statement that the question names, in the order of the question."""
    nothing = Values()
    places = dict(_places(statement))
    slots: list[Slot] = []
    spoken = nothing.mentions(question)
    for literal in find(statement, ir.Literal):
        held = places.get(id(literal), frozenset())
        mention = _mention(question, literal.value, held, spoken)
        if mention is not None:
            slots.append(Slot(literal, mention, held))
    yield from sorted(slots, key=lambda slot: slot.mention.start)


def _mention(
    question: str, value: Any, places: frozenset[Place], spoken: Sequence[Mention]
) -> Mention | None:
    """Where a question names a constant."""
    if isinstance(value, bool) or value is None or value == "":
        return None
    for each in spoken:
        if each.sort == "date" and each.value == value:
            return Mention(each.start, each.end, "date", value, places)
    if isinstance(value, str):
        pattern = r"\s+".join(map(re.escape, value.split()))
        match = re.search(rf"(?<!\w){pattern}(?!\w)", question, re.IGNORECASE)
        if match is None:
            return None
        sort: Sort = "date" if _DATE.fullmatch(value) else "text"
        start, end = match.span()
        if question[start - 1 : start] in ("'", '"') and question[end : end + 1] in ("'", '"'):
            start, end = start - 1, end + 1
        return Mention(start, end, sort, value, places)
    for each in spoken:
        if each.sort == "number" and each.value == value:
            return Mention(each.start, each.end, "number", value, places)
    return None


def _places(statement: ir.Statement) -> Iterator[tuple[int, frozenset[Place]]]:
    """Literals (by identity) with the properties that they are held against."""
    for node in find(statement, ir.Compare, ir.Text, ir.In):
        sides = list(children(node))
        properties = frozenset(place for side in sides for place in _property(side))
        for side in sides:
            yield from ((id(literal), properties) for literal in find(side, ir.Literal))
    for pattern in descend(statement):
        if isinstance(pattern, ir.NodePattern | ir.EdgePattern) and isinstance(
            pattern.props, ir.MapOf
        ):
            for entry in pattern.props.entries:
                held = frozenset((owner, entry.key) for owner in pattern.type.of)
                yield from ((id(literal), held) for literal in find(entry.value, ir.Literal))


def _property(expr: ir.Node) -> Iterator[Place]:
    for prop in find(expr, ir.Prop):
        yield from ((owner, prop.key) for owner in prop.base.type.of)


def _in_text(known: _Known, changes: Mapping[int, Mention], language: str) -> str:
    """The example's text with constants replaced where they stand as such, all at once."""
    new = {_written(known.slots[n].literal.value, language): m.value for n, m in changes.items()}
    signs = "|".join(sorted(map(re.escape, new), key=len, reverse=True))
    bounded = rf"(?<![\w.])(?:{signs})(?![\w.])"
    return re.sub(bounded, lambda at: _written(new[at[0]], language), known.example.query)


def _written(value: Any, language: str) -> str:
    """A constant as texts write it: SQL doubles quotation marks, others put a backslash."""
    if not isinstance(value, str):
        return str(value)
    if language == SQL:
        return "'" + value.replace("'", "''") + "'"
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _reversed(id: str) -> tuple[int, ...]:
    """A key by which the first id is the greatest."""
    return tuple(-ord(letter) for letter in id)
