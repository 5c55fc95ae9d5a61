"""Values whose type is known only when the query runs."""

from __future__ import annotations

from typing import Never

from graphmill.errors import Refused
from translators.duckdb.sql import Sql


def _refuse(what: str) -> Never:
    raise Refused(
        "dynamic-value", what, "The type of this value is known only when the query runs."
    )


def aggregate(*args: object) -> Sql:
    _refuse("aggregate")


def arithmetic(*args: object) -> Sql:
    _refuse("arithmetic")


def as_text(*args: object) -> Sql:
    _refuse("as_text")


def compare(*args: object) -> Sql:
    _refuse("compare")


def concat(*args: object) -> Sql:
    _refuse("concat")


def distinct(*args: object) -> str:
    _refuse("distinct")


def entry(*args: object) -> Sql:
    _refuse("entry")


def equal(*args: object) -> Sql:
    _refuse("equal")


def index(*args: object) -> Sql:
    _refuse("index")


def integer(*args: object) -> Sql:
    _refuse("integer")


def items(*args: object) -> Sql:
    _refuse("items")


def keys(*args: object) -> Sql:
    _refuse("keys")


def map_from(*args: object) -> Sql:
    _refuse("map_from")


def member(*args: object) -> Sql:
    _refuse("member")


def properties(*args: object) -> Sql:
    _refuse("properties")


def size(*args: object) -> Sql:
    _refuse("size")


def sortable(*args: object) -> str:
    _refuse("sortable")


def string(*args: object) -> Sql:
    _refuse("string")


def tagged(*args: object) -> Sql:
    _refuse("tagged")


def to_boolean(*args: object) -> Sql:
    _refuse("to_boolean")


def to_float(*args: object) -> Sql:
    _refuse("to_float")


def to_integer(*args: object) -> Sql:
    _refuse("to_integer")


def to_number(*args: object) -> Sql:
    _refuse("to_number")


def truth(*args: object) -> Sql:
    _refuse("truth")
