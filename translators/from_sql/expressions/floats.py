"""Which expressions are binary floats for sure, where SQL has decimals beside them."""

from __future__ import annotations

from schemagraph.mapping import Affinity
from translators.from_sql.statement.context import Site
from translators.from_sql.statement.values import Value


def binary(site: Site, *values: Value, some: bool = False) -> Affinity | None:
    """The affinity REAL, where all of the values have it, or `some` do.

    In SQLite, only columns have an affinity.
    """
    real = [value.affinity is Affinity.REAL for value in values]
    sure = any(real) if some else bool(real) and all(real)
    return Affinity.REAL if sure and not site.house.rules.affinity else None
