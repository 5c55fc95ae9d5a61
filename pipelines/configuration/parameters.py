"""Values for a query's parameters: those that came with it, else some drawn from the data."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from pathlib import Path
from random import Random
from typing import Any

from graph_ir import nodes as ir
from graph_ir.bind.parameters import (
    Role,
    Use,
    check_tags,
    constant,
    kind_of,
    properties_of,
    put_in,
    uses,
)
from graph_ir.walk import find
from graphmill.errors import QueryTextError
from graphmill.files import canonical
from graphmill.seed import rng
from schemagraph.folder.graphdata import batches, edge_file, edge_layout, node_file, node_layout
from schemagraph.model import Kind, NodeType, SchemaGraph

DRAWS = 12
_ROWS = 10  # what LIMIT gets
_SHOWN = 4  # letters of a text that a search looks for
_MEMBERS = 3
_NAMED = re.compile(r"\$([^\W\d]\w*)")
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)")


@dataclass(frozen=True, slots=True)
class Filled:
    """A statement with constants for its parameters, and the values as JSON."""

    statement: ir.Statement
    values: Mapping[str, Any]

    @property
    def text(self) -> str:
        """The values as canonical JSON."""
        return canonical(self.values)

    def asked(self, question: str) -> str:
        """A question with the values in the places where it names them: "to account $id".

        >>> Filled(ir.Query(()), {"day": "2024-05-01T10:00:00", "n": 3}).asked("$n since $day, $5")
        '3 since 2024-05-01 10:00:00, $5'
        """
        return _NAMED.sub(
            lambda name: _in_words(self.values[name[1]]) if name[1] in self.values else name[0],
            question,
        )


def has_parameters(statement: ir.Statement) -> bool:
    """Whether the statement has any."""
    return next(find(statement, ir.Param), None) is not None


def fill(
    statement: ir.Statement,
    given: Mapping[str, Any],
    schema: SchemaGraph,
    folder: Path,
    answers: Callable[[ir.Statement], bool],
    seed: tuple[Any, ...],
) -> Filled:
    """The statement with the values `given`, and drawn ones for parameters without.

    A drawn value fits the use: one of the property's own for a comparison by equality, a small or
    a large one where others have to be above or below. Of several draws the first is taken that
    `answers` accepts, else the first of all.

    Raises:
        QueryTextError: a parameter has no value and no use that tells one.
    """
    roles = uses(statement, schema)
    data = _Data(schema, folder)
    first: Filled | None = None
    for number in range(DRAWS):
        random = rng(int(seed[0]), "parameters", *seed[1:], number)
        values: dict[str, Any] = {}
        expressions: dict[str, ir.Expr] = {}
        for name, places_of_use in roles.items():
            if name in given:
                check_tags(name, given[name])
                values[name], kind = given[name], data.kind(places_of_use)
            else:
                values[name], kind = data.draw(name, places_of_use, random)
            expressions[name] = constant(values[name], kind)
        filled = Filled(put_in(statement, expressions), values)
        first = first or filled
        if roles.keys() <= given.keys():
            return filled
        if answers(filled.statement):
            return filled
    assert first is not None  # noqa: S101 - DRAWS is not 0
    return first


_WITHOUT_DATA: dict[Kind, Any] = {
    Kind.STRING: "a",
    Kind.INTEGER: 1,
    Kind.FLOAT: 1.0,
    Kind.BOOLEAN: True,
    Kind.DATE: "2020-01-01",
    Kind.DATETIME: "2020-01-01T00:00:00",
    Kind.ZONED_DATETIME: "2020-01-01T00:00:00Z",
}
"""What is as good as any other value where a property has none."""


class _Data:
    """Values of properties, read when they are asked for."""

    def __init__(self, schema: SchemaGraph, folder: Path) -> None:
        self._schema = schema
        self._folder = folder
        self._known: dict[tuple[Kind, tuple[str, ...], str], list[Any]] = {}

    def kind(self, places_of_use: list[Use]) -> Kind:
        """The kind of the property that a parameter is compared with."""
        return kind_of(places_of_use, self._schema)

    def draw(self, name: str, places_of_use: list[Use], random: Random) -> tuple[Any, Kind]:
        """A value for the parameter, and its kind."""
        for use in sorted(places_of_use, key=lambda use: use.role not in (Role.EQUAL, Role.MEMBER)):
            if use.role is Role.COUNT:
                return _ROWS, Kind.INTEGER
            if use.role is Role.START:
                return 0, Kind.INTEGER
            pool = self._values(use)
            if pool:
                return _drawn(use.role, pool, random), self.kind([use])
        for use in places_of_use:
            kind = self.kind([use])
            if kind in _WITHOUT_DATA and use.role is not Role.MEMBER:
                return _WITHOUT_DATA[kind], kind
        message = f"The parameter ${name} has no value, and the data has none for its use."
        raise QueryTextError(message, kind="semantic", code="unbound-parameter")

    def _columns(self, use: Use) -> Iterator[tuple[Path, Any, Kind]]:
        """Tables with the property and their layouts, of the types that its owner can be."""
        for owner, kind in properties_of(use, self._schema):
            if isinstance(owner, NodeType):
                yield node_file(self._folder, owner), node_layout(owner), kind
            else:
                layout = edge_layout(owner, self._schema)
                yield edge_file(self._folder, owner), layout, kind

    def _values(self, use: Use) -> list[Any]:
        """All different values of the property, in order."""
        key = (use.owner.kind, use.owner.of, use.key)
        if key not in self._known:
            values: dict[Any, None] = {}
            kinds: set[Kind] = set()
            for path, layout, kind in self._columns(use):
                kinds.add(kind)
                for batch in batches(path, layout):
                    column = batch.column(batch.schema.get_field_index(use.key))
                    values |= dict.fromkeys(column.drop_null().unique().to_pylist())
            usable = len(kinds) == 1 and not kinds & {Kind.LIST, Kind.BYTES}
            self._known[key] = sorted(values) if usable else []
        return self._known[key]


def _drawn(role: Role, pool: list[Any], random: Random) -> Any:
    shares = {Role.ABOVE: (0.0, 0.3), Role.BELOW: (0.7, 1.0)}
    low, high = shares.get(role, (0.0, 1.0))
    at = int((low + (high - low) * random.random()) * len(pool))
    value = _plain(pool[min(at, len(pool) - 1)])
    if role is Role.MEMBER:
        return [_plain(v) for v in random.sample(pool, min(_MEMBERS, len(pool)))]
    if isinstance(value, str) and role is Role.PREFIX:
        return value[:_SHOWN]
    if isinstance(value, str) and role is Role.SUFFIX:
        return value[-_SHOWN:]
    if isinstance(value, str) and role is Role.PART:
        start = random.randrange(max(1, len(value) - _SHOWN + 1))
        return value[start : start + _SHOWN]
    return value


def _in_words(value: Any) -> str:
    """A value as it stands in a question: a list's members one after another."""
    if isinstance(value, list):
        return ", ".join(map(_in_words, value))
    if isinstance(value, str):
        return " ".join(_MOMENT.sub(r"\1 \2", value).split())
    return canonical(value)


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date | datetime | time) else value
