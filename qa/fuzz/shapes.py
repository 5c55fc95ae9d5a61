"""What the generator knows of a value: its kind, its items or entries, whether it is exact."""

from __future__ import annotations

from dataclasses import dataclass

from schemagraph.model import Kind


@dataclass(frozen=True, slots=True)
class Shape:
    """`loose` values may differ between engines that are right: a float that was rounded, a list
    whose order the query leaves open, one of several shortest paths. They are put out and
    counted, but nothing else is computed from them.

    `item` belongs to a list, `fields` to a map.
    """

    kind: Kind
    item: Shape | None = None
    fields: tuple[tuple[str, Shape], ...] = ()
    loose: bool = False


BOOLEAN = Shape(Kind.BOOLEAN)
INTEGER = Shape(Kind.INTEGER)
FLOAT = Shape(Kind.FLOAT)
STRING = Shape(Kind.STRING)
DATE = Shape(Kind.DATE)
TIME = Shape(Kind.TIME)
DATETIME = Shape(Kind.DATETIME)
ZONED = Shape(Kind.ZONED_DATETIME)
DURATION = Shape(Kind.DURATION)
NODE = Shape(Kind.NODE)
EDGE = Shape(Kind.EDGE)
PATH = Shape(Kind.PATH)
ANY = Shape(Kind.ANY)
INTEGERS = Shape(Kind.LIST, INTEGER)
STRINGS = Shape(Kind.LIST, STRING)
NODES = Shape(Kind.LIST, NODE)
EDGES = Shape(Kind.LIST, EDGE)
MAP = Shape(Kind.MAP, fields=(("a", INTEGER), ("b", STRING)))

SCALARS = (BOOLEAN, INTEGER, FLOAT, STRING, DATE, TIME, DATETIME, ZONED, DURATION)
ORDERED = (BOOLEAN, INTEGER, FLOAT, STRING, DATE, TIME, DATETIME, ZONED)
COMMON = (INTEGER, INTEGER, INTEGER, STRING, STRING, STRING, FLOAT, FLOAT, BOOLEAN)
