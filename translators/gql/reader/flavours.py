"""What a profile of GQL reads otherwise than the standard."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from graph_ir import nodes as ir
from translators.gql.emit.text import GOOGLESQL, RESERVED


@dataclass(frozen=True, slots=True)
class Flavour:
    """One profile that texts are written in.

    `extended` allows Cypher's functions and operators. `reserved` words are no names unless they
    are delimited. `doubled` quotes stand for one inside a string. `mode` is the match mode of a
    MATCH that names none; None where that is left open (ISO/IEC 39075:2024, ID086).
    `nulls_first` says whether nulls come first (ascending, descending) where ORDER BY does not
    say; the standard leaves it open, and Cypher's order is one that it allows. `googlesql` reads
    the expressions, parameters and comments of GoogleSQL. One that `draws` counts NaN by numbers
    drawn for it (`translators.grafeo.not_numbers`). One that `multiplies_constants` does so before
    what varies (`graph_ir.cypher.operators.constant_factors`). `title` is for people.
    """

    name: str
    title: str = "ISO GQL"
    extended: bool = False
    reserved: frozenset[str] = RESERVED
    doubled: bool = True
    mode: ir.MatchMode | None = None
    nulls_first: tuple[bool, bool] = (False, True)
    truncates: bool = False
    searches_trails: bool = False
    googlesql: bool = False
    draws: bool = False
    multiplies_constants: bool = False


# Words that begin or go on a clause in every profile.
_CLAUSE_WORDS = """
    AND AS CALL CASE CAST DISTINCT ELSE END EXISTS FALSE FILTER FINISH FOR FROM GROUP HAVING IN
    INSERT IS LET LIMIT MATCH NEXT NOT NULL OFFSET OPTIONAL OR ORDER OTHERWISE RETURN SELECT SET
    SKIP THEN TRUE UNION UNWIND USE WHEN WHERE WITH XOR YIELD"""
_CLAUSES = frozenset(_CLAUSE_WORDS.split())

STRICT: Final = Flavour("gql")
NEO4J: Final = Flavour(
    "gql-neo4j",
    extended=True,
    reserved=_CLAUSES,
    doubled=False,
    mode=ir.MatchMode.DIFFERENT_EDGES,
    truncates=True,
    searches_trails=True,
    multiplies_constants=True,
)
GRAFEO: Final = Flavour(
    "gql-grafeo",
    extended=True,
    reserved=_CLAUSES,
    mode=ir.MatchMode.REPEATABLE,
    nulls_first=(False, False),
    truncates=True,
    draws=True,
)
# "Lexical structure and syntax": a reserved word is a name in quotes only.
SPANNER: Final = Flavour(
    "spanner",
    title="Spanner's GQL",
    reserved=_CLAUSES | GOOGLESQL,
    doubled=False,
    mode=ir.MatchMode.REPEATABLE,
    nulls_first=(True, False),
    truncates=True,  # by functions of its own: `/` is that of floats
    googlesql=True,
)
