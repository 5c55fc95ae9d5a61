"""A small graph for a schema that comes without data, from its statistics and examples.

Every label gets nodes and every triple edges. Values are the schema's examples, numbers and dates
between its bounds (both bounds among them), few where few distinct ones are known; a key never
repeats. What a query over the schema asks for is mostly one of those, so that it finds rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from random import Random
from typing import Any

from graphmill.seed import rng
from schemagraph.convert.element_values import Written
from schemagraph.convert.elements import Elements
from schemagraph.convert.source import Asked
from schemagraph.model import TEMPORAL, Kind, Type
from schemagraph.naming import distinct, singular
from schemagraph.sources.formats.structured import Shape, Structured

MOST_NODES = 100
FEWEST_NODES = 12
EDGES_PER_NODE = 3
MOST_ITEMS = 16
_NULLS = 0.05
_ASKED = 0.4
_KEYS = ("id", "uuid", "key", "code", "name", "title")
_START = datetime(2015, 6, 15, tzinfo=UTC)


def synthesise(schema: Structured, elements: Elements, seed: int, asked: Asked) -> None:
    """Add nodes and edges for `schema` to `elements`; the same seed, the same graph.

    Properties whose names are in `asked` have those of its values that are of their kind, too.
    """
    keys: dict[str, list[Any]] = {}
    names: dict[str, str] = {}
    words = _words(schema)
    for label, shapes in schema.nodes.items():
        random = rng(seed, schema.name, label)
        key = key_of(schema, label)
        names[label] = key.name
        given = {shape.name for shape in shapes}
        if key.name not in given:
            elements.decisions.append(f"Nodes {label} get the property {key.name} as their key.")
        count = _node_count(shapes)
        unique = {name: iter(_distinct_values(_by_name(shapes, name), count, random, asked))
                  for name in {*schema.unique.get(label, ()), key.name} & given}  # fmt: skip
        makers = {s.name: _maker(s, random, words, asked) for s in shapes if s.name not in unique}
        table = elements.node_table((label,), (key.name,))
        table.declared = {shape.name: declared(shape) for shape in shapes}
        keys[label] = []
        for number in range(count):
            row: dict[str, Any] = {} if key.name in given else {key.name: number + 1}
            row |= {name: next(values) for name, values in unique.items()}
            for name, make in makers.items():
                value = make(number)
                if value is not None:
                    row[name] = value
            keys[label].append(row[key.name])
            table.add(row, number + 1)
    for start, label, end in schema.triples:
        random = rng(seed, schema.name, start, label, end)
        shapes = schema.edges.get(label, ())
        makers = {shape.name: _maker(shape, random, words, asked) for shape in shapes}
        table = elements.edge_table((start,), label, (end,))
        table.declared = {shape.name: declared(shape) for shape in shapes}
        for number, (a, b) in enumerate(_pairs(len(keys[start]), len(keys[end]), random)):
            row = {name: make(number) for name, make in makers.items()}
            filled = {name: value for name, value in row.items() if value is not None}
            table.add(filled, number + 1, (keys[start][a], keys[end][b]))


def declared(shape: Shape) -> Type:
    """The type of a property, as far as the schema tells it."""
    if shape.kind is Kind.LIST:
        return Type(Kind.LIST, Type(Kind.FLOAT if _is_vector(shape) else Kind.STRING))
    return Type(Kind.STRING if shape.kind is Kind.POINT else shape.kind)


def key_of(schema: Structured, label: str) -> Shape:
    """The property that tells nodes of the label apart: a unique one, else a likely one.

    A label without a text or an integer to choose gets one of its own.
    """
    shapes = schema.nodes[label]
    for name in schema.unique.get(label, ()):
        if _by_name(shapes, name).kind in (Kind.STRING, Kind.INTEGER):
            return _by_name(shapes, name)
    able = [shape for shape in shapes if shape.kind in (Kind.STRING, Kind.INTEGER)]

    def rank(shape: Shape) -> int:
        name = shape.name.lower().replace("_", "")
        likely = (*_KEYS, f"{label.lower()}id")
        return min((n for n, key in enumerate(likely) if name == key), default=len(likely))

    best = min(able, key=rank, default=None)
    if best is not None and rank(best) < len(_KEYS) + 1:
        return best
    return Shape(distinct("id", [shape.name for shape in shapes]), Kind.INTEGER)


def _by_name(shapes: tuple[Shape, ...], name: str) -> Shape:
    return next(shape for shape in shapes if shape.name == name)


def _node_count(shapes: tuple[Shape, ...]) -> int:
    known = max((shape.distinct for shape in shapes), default=0)
    return min(MOST_NODES, max(FEWEST_NODES, known)) if known else MOST_NODES


def _pairs(sources: int, targets: int, random: Random) -> list[tuple[int, int]]:
    """Distinct pairs of positions, the first ones more often: some nodes have many edges."""
    wanted = min(EDGES_PER_NODE * max(sources, targets), sources * targets // 2 or 1)
    pairs: dict[tuple[int, int], None] = {}
    for _ in range(20 * wanted):
        if len(pairs) >= wanted:
            break
        pair = (_skewed(sources, random), _skewed(targets, random))
        if pair[0] != pair[1] or sources != targets or sources == 1:
            pairs[pair] = None
    return list(pairs)


def _skewed(count: int, random: Random) -> int:
    return int(count * random.random() ** 1.7)


# --- values --------------------------------------------------------------------------------


def _distinct_values(shape: Shape, count: int, random: Random, asked: Asked) -> list[Any]:
    """So many different values, the examples first, then what is asked for."""
    wanted = _wanted(shape, asked)[: count // 2]
    if shape.kind is Kind.INTEGER:
        numbers = [n for n in map(_whole, [*shape.values, shape.low, shape.high]) if n is not None]
        taken = dict.fromkeys([*numbers, *wanted])
        low = min(numbers, default=1)
        taken |= dict.fromkeys(range(low, low + count))
        return list(taken)[:count]
    examples = (*shape.values, *wanted) or (singular(shape.name),)
    return _texts(tuple(dict.fromkeys(examples)), count, random)


def _wanted(shape: Shape, asked: Asked) -> list[Any]:
    """What is asked of a property, as far as it is of its kind."""
    read = _guarded(_READ.get(shape.kind, lambda text: None))
    candidates = [
        read(str(value))
        for value in asked.get(shape.name, ())
        if isinstance(value, str | int | float)
        and isinstance(value, str) is (shape.kind in _AS_TEXT)
    ]
    return list(dict.fromkeys(value for value in candidates if value is not None))


_DIGITS = 4_000  # of an example that is counted on; Python converts some more


def _texts(examples: tuple[str, ...], count: int, random: Random) -> list[str]:
    """Examples, then new ones of their words, then numbered ones."""
    texts = dict.fromkeys(examples)
    halves = [text.split(" ", 1) for text in examples if " " in text.strip()]
    if len(halves) > 1:
        for _ in range(2 * count):
            made = f"{random.choice(halves)[0]} {random.choice(halves)[1]}"
            texts[made] = None
    number = 2
    while len(texts) < count:
        text = examples[number % len(examples)]
        is_number = text.isdecimal() and len(text) < _DIGITS and not text.startswith("0")
        texts[str(int(text) + number) if is_number else f"{text} {number}"] = None
        number += 1
    return list(texts)[:count]


def _maker(
    shape: Shape, random: Random, words: dict[str, tuple[str, ...]], asked: Asked
) -> Callable[[int], Any]:
    """What makes the value of the n-th element: the first ones get bounds and what is asked for.

    They have the most edges, so that what is asked for has some.
    """
    pool, wanted = _pool(shape, random), _wanted(shape, asked)
    first = list(dict.fromkeys([*pool[:1], *pool[-1:], *wanted]))
    near = [value for number in wanted for value in _near(number)]

    def make(number: int) -> Any:
        if shape.kind is Kind.LIST:
            return _list(shape, random, words, asked)
        if number < len(first):
            return first[number]
        if random.random() < _NULLS:
            return None
        if wanted and random.random() < _ASKED:
            return random.choice(near or wanted)
        return pool[_skewed(len(pool), random)] if pool else _free(shape.kind, random)

    return make


def _near(value: Any) -> tuple[Any, ...]:
    """A number or a day with some below and above, which comparisons find; nothing else has any."""
    if isinstance(value, bool | str):
        return ()
    if isinstance(value, int):
        step = 1 + abs(value) // 5
        return value - step, value, value + step
    if isinstance(value, float):
        part = 0.1 + abs(value) / 5
        return round(value - part, 4), value, round(value + part, 4)
    if isinstance(value, date) and 1 < value.year < 9999:
        return value - timedelta(days=40), value, value + timedelta(days=40)
    return (value,)


def _pool(shape: Shape, random: Random) -> list[Any]:
    """Values to draw from: examples, and so many between the bounds as there may be."""
    read = _READ.get(shape.kind, lambda text: None)
    examples = [value for value in map(_guarded(read), shape.values) if value is not None]
    if shape.kind is Kind.STRING:
        if shape.distinct > len(examples) > 1 and len(examples) < MOST_NODES:
            return _texts(shape.values, min(shape.distinct, 2 * len(examples)), random)
        return examples
    low, high = (None if t is None else _guarded(read)(t) for t in (shape.low, shape.high))
    if low is None or high is None or not low <= high:
        return list(
            dict.fromkeys([*examples, *(near for value in examples for near in _near(value))])
        )
    if isinstance(low, int) and high - low < 2 * min(shape.distinct, MOST_NODES):
        return [low, *range(low + 1, high), *({high} - {low})]
    more = min(shape.distinct or MOST_NODES, MOST_NODES)
    return list(
        dict.fromkeys(
            [low, *examples, *(_between(low, high, random) for _ in range(more - 2)), high]
        )
    )


def _between(low: Any, high: Any, random: Random) -> Any:
    if isinstance(low, int | float):
        value = random.uniform(low, high)
        if low >= 0 and high > 100 * max(low, 1) and random.random() < 0.5:
            value = math.exp(random.uniform(math.log(max(low, 1)), math.log(high)))
        return min(max(round(value), low), high) if isinstance(low, int) else round(value, 4)
    if isinstance(low, datetime):
        return low + timedelta(seconds=random.randint(0, int((high - low).total_seconds())))
    if isinstance(low, date):
        return low + timedelta(days=random.randint(0, (high - low).days))
    return random.choice((low, high))


def _free(kind: Kind, random: Random) -> Any:
    """A value where nothing is known of any."""
    moment = _START + timedelta(minutes=random.randint(0, 10 * 365 * 24 * 60))
    match kind:
        case Kind.BOOLEAN:
            return random.random() < 0.5
        case Kind.INTEGER:
            return random.randint(0, 100)
        case Kind.FLOAT:
            return round(random.uniform(0, 100), 2)
        case Kind.DATE:
            return moment.date()
        case Kind.DATETIME:
            return moment.replace(tzinfo=None)
        case Kind.ZONED_DATETIME:
            return moment
        case Kind.TIME:
            return moment.time()
        case Kind.ZONED_TIME:
            return moment.timetz()
        case Kind.DURATION:
            return Written(Kind.DURATION, f"P{random.randint(1, 90)}D")
        case Kind.POINT:
            x, y = round(random.uniform(-180, 180), 3), round(random.uniform(-90, 90), 3)
            return Written(Kind.POINT, f"POINT({x} {y})")
    return random.choice("abcdefgh")


def _list(
    shape: Shape, random: Random, words: dict[str, tuple[str, ...]], asked: Asked
) -> list[Any]:
    low, high = (min(size, MOST_ITEMS) for size in shape.sizes)
    size = random.randint(min(low, high), max(low, high, 1))
    if _is_vector(shape):
        return [round(random.uniform(-1, 1), 4) for _ in range(size)]
    one = singular(shape.name).lower()
    pool = shape.values or words.get(one) or tuple(f"{one} {n}" for n in range(1, 9))
    wanted = [value for value in asked.get(shape.name, ()) if isinstance(value, str)]
    return random.sample(tuple(dict.fromkeys((*wanted, *pool))), min(size, len(pool)))


def _is_vector(shape: Shape) -> bool:
    """Lists tell no type of their items: long ones and embeddings are numbers, others texts."""
    return shape.sizes[1] >= 64 or "embedding" in shape.name.lower()


def _words(schema: Structured) -> dict[str, tuple[str, ...]]:
    """Examples of each label's name, by the label in lower case: what lists of them hold."""
    words = {}
    for label, shapes in schema.nodes.items():
        for shape in shapes:
            if shape.name in ("name", "title") and shape.values:
                words[label.lower()] = shape.values
    return words


def _whole(text: str | None) -> int | None:
    try:
        value = int(float(text or ""))
    except (ValueError, OverflowError):
        return None
    return value if abs(value) < 2**62 else None


def _real(text: str) -> float | None:
    value = float(text)
    return value if math.isfinite(value) else None


def _zoned(text: str) -> datetime:
    moment = datetime.fromisoformat(text[:32])
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _zoned_time(text: str) -> time:
    clock = time.fromisoformat(text)
    return clock if clock.tzinfo else clock.replace(tzinfo=UTC)


_AS_TEXT = frozenset({Kind.STRING, *TEMPORAL})
"""Kinds whose values queries write as texts."""

_READ: dict[Kind, Callable[[str], Any]] = {
    Kind.STRING: str,
    Kind.INTEGER: _whole,
    Kind.FLOAT: _real,
    Kind.DATE: lambda text: date.fromisoformat(text[:10]),
    Kind.ZONED_DATETIME: _zoned,
    Kind.DATETIME: lambda text: datetime.fromisoformat(text).replace(tzinfo=None),
    Kind.TIME: lambda text: time.fromisoformat(text).replace(tzinfo=None),
    Kind.ZONED_TIME: _zoned_time,
    Kind.BOOLEAN: lambda text: {"true": True, "false": False}.get(text.lower()),
    Kind.DURATION: lambda text: Written(Kind.DURATION, text) if text[:1] == "P" else None,
}


def _guarded(read: Callable[[str], Any]) -> Callable[[str], Any]:
    def attempt(text: str) -> Any:
        try:
            return read(text)
        except (ValueError, OverflowError):
            return None

    return attempt
