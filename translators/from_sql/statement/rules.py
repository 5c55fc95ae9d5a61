"""What SQL dialects do differently: one table, which the handlers of expressions consult.

Measured on SQLite 3.40, PostgreSQL 15, MariaDB 10.11 (for MySQL) and DuckDB 2.0; T-SQL from its
documentation. How text is compared is not said here, but by the collation of each column in the
mapping: that belongs to the source, not to its language.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from graphmill.errors import ConfigError, did_you_mean


class Division(StrEnum):
    """What `/` makes of two integers, and of numbers that are not binary floats."""

    TRUNCATED = "truncated"  # an integer; other numbers as they are
    REAL = "real"  # always a real number
    SCALED = "scaled"  # decimals of a scale of its own, unless a side is a binary float
    TRUNCATED_SCALED = "truncated, else scaled"


class Like(StrEnum):
    """Which letters LIKE takes for equal."""

    ASCII = "ascii"  # without regard to the case of ASCII letters
    EXACT = "exact"
    COLLATION = "collation"  # as the column compares


class Average(StrEnum):
    """What avg() makes of integers."""

    REAL = "real"
    SCALED = "scaled"  # a decimal of four digits
    TRUNCATED = "truncated"


@dataclass(frozen=True, slots=True)
class Rules:
    """A dialect of SQL; `name` is sqlglot's. Defaults are the standard's.

    `quoted_text`: a name in double quotes that is no column is text. `reads_numbers`: text is read
    as a number where one is needed. `affinity`: operands of a comparison are converted by SQLite's
    rules, else a literal takes the type of the other side. `booleans`: truth values are a type of
    their own. `infinite`: `/` by zero gives an infinite number. `raises`: other divisions by zero
    are errors, else NULL. `rounds`: a cast to an integer rounds, else cuts. `ascii_case`: lower()
    and upper() change ASCII letters only, at least under some collation. `null_extremes`:
    greatest() and least() are NULL where an argument is. `empty_null`: concat() takes NULL for no
    text. `plus_text`: `+` joins texts. `from_end`: a negative start of substr() counts from the
    end. `bytes`: length() counts bytes. `sticky`: what is computed from a text has its collation.
    `half_even`: round() of a binary float to no digits goes to the even neighbour, `half_open`: to
    some digits, either way. `wide_sums`: a sum of integers is an integer or a decimal, by their
    width. `pattern_sets`: `[…]` in LIKE is a set of characters, `backslash`: a backslash in LIKE
    escapes. `rowids`: tables have hidden row numbers. `plain_decimal`: a cast to DECIMAL without a
    scale changes nothing. `extreme_rows`: where one min() or max() is all there is, columns that
    are neither grouped nor aggregated are those of a row that has it. `identical_rows`: `(a, b) =
    (c, d)` takes NULL for equal to NULL and different from all else, which IN over a subquery does
    not. `quantifiers`: it compares with ANY and ALL rows of a query. `recursive_word`: a WITH reads
    itself behind the word RECURSIVE alone; without it, its name inside is that of a table.
    `forward_names`: a CTE sees those that come after it. `trims_words`: trim() of a text takes it
    as one, not its characters; `trims_blanks`: trim() of nothing named may take more than spaces.
    `folds`: texts are compared under a collation that may equate some that differ. `untyped`: a
    text constant has no type of its own, but that of what it stands among. `outputs_first`: a bare
    name in HAVING that is no key is an output column's before it is a column's. `joined_first`: `*`
    has the columns that USING or NATURAL joins before all others. `full_joins`: FULL JOIN is one.
    """

    name: str
    division: Division = Division.TRUNCATED
    like: Like = Like.EXACT
    average: Average = Average.REAL
    quoted_text: bool = False
    reads_numbers: bool = False
    affinity: bool = False
    booleans: bool = True
    infinite: bool = False
    raises: bool = False
    rounds: bool = True
    ascii_case: bool = False
    null_extremes: bool = False
    empty_null: bool = True
    plus_text: bool = False
    from_end: bool = False
    bytes: bool = False
    sticky: bool = False
    half_even: bool = False
    half_open: bool = False
    wide_sums: bool = False
    pattern_sets: bool = False
    backslash: bool = True
    rowids: bool = False
    plain_decimal: bool = False
    extreme_rows: bool = False
    identical_rows: bool = False
    quantifiers: bool = True
    recursive_word: bool = True
    forward_names: bool = False
    trims_words: bool = False
    trims_blanks: bool = False
    folds: bool = False
    untyped: bool = False
    outputs_first: bool = False
    joined_first: bool = True
    full_joins: bool = True


_KNOWN = (
    Rules(
        "sqlite",
        like=Like.ASCII,
        quoted_text=True,
        reads_numbers=True,
        affinity=True,
        booleans=False,
        rounds=False,
        ascii_case=True,
        null_extremes=True,
        from_end=True,
        backslash=False,
        rowids=True,
        plain_decimal=True,
        extreme_rows=True,
        quantifiers=False,
        recursive_word=False,
        forward_names=True,
        joined_first=False,
    ),
    Rules(
        "postgres",
        raises=True,
        ascii_case=True,
        half_even=True,
        plain_decimal=True,
        wide_sums=True,
        untyped=True,
    ),
    Rules(
        "duckdb",
        division=Division.REAL,
        infinite=True,
        raises=True,
        from_end=True,
        backslash=False,
        identical_rows=True,
        trims_blanks=True,
        outputs_first=True,
        joined_first=False,
    ),
    Rules(
        "mysql",
        division=Division.SCALED,
        like=Like.COLLATION,
        average=Average.SCALED,
        booleans=False,
        null_extremes=True,
        empty_null=False,
        from_end=True,
        bytes=True,
        sticky=True,
        half_even=True,
        half_open=True,
        trims_words=True,
        folds=True,
        outputs_first=True,
        full_joins=False,
    ),
    Rules(
        "tsql",
        division=Division.TRUNCATED_SCALED,
        like=Like.COLLATION,
        average=Average.TRUNCATED,
        raises=True,
        booleans=False,
        rounds=False,
        plus_text=True,
        sticky=True,
        pattern_sets=True,
        backslash=False,
        recursive_word=False,
    ),
)
RULES = {rules.name: rules for rules in _KNOWN}
DIALECTS = tuple(RULES)


def rules_of(dialect: str) -> Rules:
    """The rules of a dialect.

    Raises:
        ConfigError: there is no such dialect.
    """
    rules = RULES.get(dialect)
    if rules is None:
        raise ConfigError(f"SQL dialect '{dialect}' is not known.{did_you_mean(dialect, DIALECTS)}")
    return rules
