"""DDL text read by sqlglot: the tables, keys and references of CREATE and ALTER TABLE, and no rows.

The dialect is the one that is named, else the first of a fixed list in which all of the text's
CREATE TABLE statements can be read. Text with what SQLite alone has (a column without a type,
WITHOUT ROWID) is SQLite's where SQLite takes it, and so is what sqlglot cannot read. Data of a
dump (INSERT, COPY) is not read, which is said.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import sqlglot
from sqlglot import TokenType, exp
from sqlglot.errors import SqlglotError

from graphmill.errors import SourceError, did_you_mean, shortened
from schemagraph.mapping import Affinity, Semantics
from schemagraph.relational import Reference, SourceColumn, SourceTable
from schemagraph.sources.formats import carriers
from schemagraph.sources.formats.carriers import Carrier
from schemagraph.sources.formats.checks import closed_set, enumerated, never_null
from schemagraph.sources.sqlite import of_ddl
from schemagraph.storage_classes import Batch

_ORDER = ("sqlite", "postgres", "mysql", "duckdb", "tsql", "oracle", "snowflake", "bigquery")
_ROWS = re.compile(r"^COPY\s[^;]*?FROM\s+stdin[^;]*;.*?^\\\.$", re.I | re.M | re.S)
_META = re.compile(r"^(\\\w.*|GO|(SET|USE|LOCK|UNLOCK)\s[^(]*;)\s*$", re.I | re.M)

_T = exp.DataType.Type
_TYPES: dict[Any, Carrier] = {
    **dict.fromkeys(
        (
            *(_T.TINYINT, _T.SMALLINT, _T.MEDIUMINT, _T.INT, _T.BIGINT, _T.UTINYINT, _T.USMALLINT),
            *(_T.UMEDIUMINT, _T.UINT, _T.SERIAL, _T.SMALLSERIAL, _T.BIGSERIAL, _T.YEAR),
        ),
        carriers.INTEGER,
    ),
    **dict.fromkeys(
        (_T.UBIGINT, _T.INT128, _T.UINT128, _T.INT256, _T.UINT256, _T.BIGNUM), carriers.BIG_INTEGER
    ),
    **dict.fromkeys(
        (_T.DECIMAL, _T.UDECIMAL, _T.BIGDECIMAL, _T.MONEY, _T.SMALLMONEY), carriers.DECIMAL
    ),
    **dict.fromkeys((_T.FLOAT, _T.DOUBLE, _T.UDOUBLE), carriers.REAL),
    **dict.fromkeys((_T.BOOLEAN, _T.BIT), carriers.BOOLEAN),
    **dict.fromkeys(
        (
            *(_T.BINARY, _T.VARBINARY, _T.BLOB, _T.TINYBLOB, _T.MEDIUMBLOB, _T.LONGBLOB),
            *(_T.IMAGE, _T.ROWVERSION),
        ),
        carriers.BYTES,
    ),
    **dict.fromkeys((_T.DATE, _T.DATE32), carriers.DATE),
    _T.TIME: carriers.TIME,
    _T.TIMETZ: carriers.ZONED_TIME,
    **dict.fromkeys(
        (
            *(_T.DATETIME, _T.DATETIME2, _T.DATETIME64, _T.SMALLDATETIME, _T.TIMESTAMP),
            *(_T.TIMESTAMPNTZ, _T.TIMESTAMP_S, _T.TIMESTAMP_MS, _T.TIMESTAMP_NS),
        ),
        carriers.DATETIME,
    ),
    **dict.fromkeys((_T.TIMESTAMPTZ, _T.TIMESTAMPLTZ), carriers.ZONED_DATETIME),
    _T.INTERVAL: carriers.DURATION,
}
_TEXTS = frozenset(
    {
        *(_T.CHAR, _T.NCHAR, _T.VARCHAR, _T.NVARCHAR, _T.BPCHAR, _T.TEXT, _T.TINYTEXT),
        *(_T.MEDIUMTEXT, _T.LONGTEXT, _T.NAME, _T.FIXEDSTRING),
    }
)
_SEMANTICS = {
    _T.YEAR: Semantics.YEAR,
    _T.UUID: Semantics.UUID,
    **dict.fromkeys((_T.ENUM, _T.ENUM8, _T.ENUM16), Semantics.LABELS),
    **dict.fromkeys((_T.MONEY, _T.SMALLMONEY, _T.TIMETZ, _T.INTERVAL), Semantics.OWN),
}
_LISTS = {
    carriers.INTEGER: carriers.INTEGERS,
    carriers.REAL: carriers.FLOATS,
    carriers.BOOLEAN: carriers.BOOLEANS,
    carriers.TEXT: carriers.STRINGS,
}


class DdlText:
    """The tables of a DDL text; none has a row."""

    def __init__(self, name: str, where: str, text: str, dialect: str) -> None:
        self.name = name
        self._where = where
        self.dialect, statements = _parsed(where, text, dialect)
        if self.dialect == "sqlite":
            database, ignored = of_ddl(Path(where), text)
            self.tables = database.tables
            self.notes = tuple(_notes("sqlite", [], ignored))
            database.close()
        else:
            self.tables, self.notes = self._read(statements)

    def close(self) -> None:
        """Nothing is open."""

    def batches(self, table: SourceTable) -> Iterator[Batch]:
        """None."""
        return iter(())

    def _read(
        self, statements: Sequence[exp.Expr]
    ) -> tuple[tuple[SourceTable, ...], tuple[str, ...]]:
        drafts: dict[str, _Draft] = {}
        enums = _enums(statements, self.dialect)
        views, ignored = [], 0
        for statement in statements:
            kind = str(statement.args.get("kind", "")).upper()
            if isinstance(statement, exp.Create) and kind == "TABLE":
                schema = statement.this
                if not isinstance(schema, exp.Schema):
                    ignored += 1  # CREATE TABLE … AS, whose columns are a query's
                    continue
                name = schema.this.name
                if name.casefold() in drafts:
                    if statement.args.get("exists"):
                        continue
                    raise SourceError(f"{self._where}: table {name} is created twice.")
                draft = drafts[name.casefold()] = _Draft(self._where, name, self.dialect, enums)
                for item in schema.expressions:
                    draft.take(item)
            elif isinstance(statement, exp.Create) and kind == "VIEW":
                views.append(statement.find(exp.Table).name)  # type: ignore[union-attr]
            elif isinstance(statement, exp.Create) and kind == "INDEX":
                self._index(statement, drafts)
            elif isinstance(statement, exp.Alter) and statement.this.name.casefold() in drafts:
                for action in statement.args.get("actions") or ():
                    for item in action.expressions or [action]:
                        drafts[statement.this.name.casefold()].take(item)
            else:
                ignored += 1
        if not drafts:
            raise SourceError(f"{self._where} creates no table with columns.")
        notes = _notes(self.dialect, views, ignored)
        return tuple(draft.table(drafts) for draft in drafts.values()), tuple(notes)

    def _index(self, statement: exp.Create, drafts: dict[str, _Draft]) -> None:
        index = statement.this
        table = index.args.get("table") if isinstance(index, exp.Index) else None
        parameters = index.args.get("params")
        if not statement.args.get("unique") or table is None or parameters is None:
            return
        columns = parameters.args.get("columns") or []
        draft = drafts.get(table.name.casefold())
        if draft and all(map(_is_plain, columns)) and not parameters.args.get("where"):
            draft.unique.append(_names(columns))


def _notes(dialect: str, views: Sequence[str], ignored: int) -> list[str]:
    notes = [f"The text is read as {dialect}'s; --dialect names another."]
    if views:
        notes.append(f"Views are ignored: {', '.join(views)}.")
    if ignored:
        notes.append(f"{ignored} statements that declare no table are not read: no rows either.")
    return notes


# what changes no column, key or reference
_NO_STRUCTURE = (
    exp.ExcludeColumnConstraint,
    exp.Index,
    exp.IndexColumnConstraint,
)


class _Draft:
    """A table as its statements declare it, names as they are written."""

    def __init__(
        self, where: str, name: str, dialect: str, enums: Mapping[str, tuple[str | int, ...]]
    ) -> None:
        self.where = where
        self.name = name
        self.dialect = dialect
        self.enums = enums
        self.columns: dict[str, SourceColumn] = {}
        self.key: list[str] = []
        self.unique: list[list[str]] = []
        self.references: list[tuple[list[str], str, list[str]]] = []

    def take(self, item: exp.Expression) -> None:
        """Take in a column, or a constraint of the table."""
        if isinstance(item, exp.ColumnDef):
            self._column(item)
        elif isinstance(item, exp.Constraint | exp.AddConstraint):
            parts = item.expressions
            if len(parts) == 2 and isinstance(parts[0], exp.PrimaryKeyColumnConstraint):
                parts = [exp.PrimaryKey(expressions=_clustered(parts[1]))]  # T-SQL
            for inner in parts:
                self.take(inner)
        elif isinstance(item, exp.PrimaryKey):
            self.key = _names(item.expressions)
        elif isinstance(item, exp.UniqueColumnConstraint):
            inner = item.this
            parts = inner.expressions if isinstance(inner, exp.Schema) else _clustered(inner)
            if parts and all(map(_is_plain, parts)):  # not of the first letters, as in MySQL
                self.unique.append(_names(parts))
        elif isinstance(item, exp.ForeignKey):
            self._refers(_names(item.expressions), item.args.get("reference"))
        elif isinstance(item, exp.Check | exp.CheckColumnConstraint):
            self._checked(item.this)
        elif isinstance(item, exp.Identifier):  # a column without a type
            self._column(exp.ColumnDef(this=item))
        elif isinstance(item, exp.AlterColumn) and not self._unread_null(item):
            self._altered(item)
        elif isinstance(item, exp.ModifyColumn) and not item.args.get("rename_from"):
            self._resolved([item.this.name])
            self._column(item.this)  # which is its whole definition but for keys
        elif not isinstance(item, _NO_STRUCTURE):
            shown = item.sql(dialect=self.dialect)
            raise SourceError(f"{self.where}, table {self.name}: cannot read {shown[:80]}.")

    def _column(self, item: exp.ColumnDef) -> None:
        kind = item.args.get("kind")
        declared = kind.sql(dialect=self.dialect) if kind is not None else ""
        made = SourceColumn(item.name, "", Affinity.BLOB)  # without a type it may hold anything
        if kind is not None:
            made = self._typed(item.name, kind)
        given = item.args.get("constraints") or ()
        wanted = [
            each.args["kind"]
            for each in given
            if isinstance(each.args.get("kind"), exp.NotNullColumnConstraint)
        ]
        needed = any(not each.args.get("allow_null") for each in wanted)
        values = enumerated(declared) or made.values
        self.columns[item.name.casefold()] = replace(made, nullable=not needed, values=values)
        for constraint in given:
            what = constraint.args.get("kind")
            if isinstance(what, exp.CheckColumnConstraint):
                self._checked(what.this)
            if isinstance(what, exp.PrimaryKeyColumnConstraint):
                self.key = [item.name]
            elif isinstance(what, exp.UniqueColumnConstraint):
                self.unique.append([item.name])
            elif isinstance(what, exp.Reference):
                self._refers([item.name], what)

    def _typed(self, name: str, kind: exp.DataType) -> SourceColumn:
        """The column of that type, with the labels of an enumerated one that has a name."""
        declared = kind.sql(dialect=self.dialect)
        labels = self.enums.get(_type_name(declared), ())
        plain = kind.this in _TYPES or kind.this in _TEXTS
        semantics = _SEMANTICS.get(kind.this, Semantics.PROPERTY if plain else Semantics.OWN)
        if kind.this is _T.FLOAT and self.dialect in ("postgres", "duckdb"):
            semantics = Semantics.SINGLE
        return replace(
            _carrier(kind).column(name, declared),
            values=labels,
            semantics=Semantics.LABELS if labels else semantics,
        )

    def _unread_null(self, item: exp.AlterColumn) -> bool:
        """Whether NULL or NOT NULL may stand behind a type, as in T-SQL, which sqlglot drops."""
        return self.dialect in ("tsql", "fabric") and bool(item.args.get("dtype"))

    def _altered(self, item: exp.AlterColumn) -> None:
        """Take in another type of a column, and whether it may be NULL; defaults are none of it."""
        (name,) = self._resolved([item.name])
        column = self.columns[name.casefold()]
        if (kind := item.args.get("dtype")) is not None:
            made = self._typed(name, kind)
            values = enumerated(made.declared) or made.values or column.values
            column = replace(made, nullable=column.nullable, values=values)
        if (allowed := item.args.get("allow_null")) is not None:
            column = replace(column, nullable=bool(allowed))
        self.columns[name.casefold()] = column

    def _checked(self, condition: exp.Expr) -> None:
        """Take in a closed set of texts, `status IN ('a', 'b')`, and `age IS NOT NULL`."""
        for needed in never_null(condition):
            of = self.columns.get(needed.casefold())
            if of is not None:
                self.columns[needed.casefold()] = replace(of, nullable=False)
        name, texts = closed_set(condition)
        column = self.columns.get(name.casefold())
        if column is not None and texts:
            self.columns[name.casefold()] = replace(column, values=texts)

    def _refers(self, columns: list[str], reference: exp.Expression | None) -> None:
        if not isinstance(reference, exp.Reference):
            return
        target = reference.this
        named = _names(target.expressions) if isinstance(target, exp.Schema) else []
        self.references.append((columns, target.find(exp.Table).name, named))

    def _resolved(self, names: Sequence[str]) -> tuple[str, ...]:
        for name in names:
            if name.casefold() not in self.columns:
                near = did_you_mean(name, (c.name for c in self.columns.values()))
                raise SourceError(f"{self.where}: table {self.name} has no column {name}.{near}")
        return tuple(self.columns[name.casefold()].name for name in names)

    def table(self, drafts: dict[str, _Draft]) -> SourceTable:
        """The table, its references resolved."""
        references = []
        for columns, other, named in self.references:
            parent = drafts.get(other.casefold())
            if parent is None:
                near = did_you_mean(other, (draft.name for draft in drafts.values()))
                raise SourceError(
                    f"{self.where}: a foreign key of table {self.name} references table {other}, "
                    f"which is not created.{near}"
                )
            keyed = parent.key if len(parent.key) == len(columns) else []
            reference = Reference(
                self._resolved(columns), parent.name, parent._resolved(named or keyed)
            )
            if reference not in references:
                references.append(reference)
        key = self._resolved(self.key)
        unique = {self._resolved(names) for names in self.unique} - {key}
        columns_ = tuple(self.columns.values())
        return SourceTable(self.name, columns_, key, tuple(sorted(unique)), tuple(references))


def _clustered(item: Any) -> list[exp.Expr]:
    """The columns of T-SQL's CLUSTERED (…) or NONCLUSTERED (…)."""
    is_one = isinstance(item, exp.ClusteredColumnConstraint | exp.NonClusteredColumnConstraint)
    return list(item.this) if is_one else []


def _is_plain(item: exp.Expr) -> bool:
    inner = item.this if isinstance(item, exp.Ordered) else item
    return isinstance(inner, exp.Identifier | exp.Column)


def _names(items: Sequence[exp.Expr]) -> list[str]:
    return [item.this.name if isinstance(item, exp.Ordered) else item.name for item in items]


def _carrier(kind: exp.DataType | None) -> Carrier:
    if kind is None:
        return carriers.TEXT
    if kind.this in (_T.ARRAY, _T.LIST):
        inner = kind.expressions[0] if kind.expressions else None
        return _LISTS.get(_carrier(inner), carriers.TEXT)
    carrier = _TYPES.get(kind.this, carriers.TEXT)
    if carrier is carriers.DECIMAL and len(kind.expressions) == 1:
        return carriers.BIG_INTEGER  # no digit after the point
    if kind.this is _T.BIT and kind.expressions and kind.expressions[0].name != "1":
        return carriers.TEXT
    return carrier


def _parsed(where: str, text: str, dialect: str) -> tuple[str, list[exp.Expr]]:
    """The statements, and the dialect in which they were read."""
    known = [name for name in sqlglot.Dialect.classes if name]
    if dialect == "sqlite":
        return dialect, []  # SQLite itself reads it
    if dialect and dialect not in known:
        near = did_you_mean(dialect, known) or f" There are: {', '.join(sorted(known))}."
        raise SourceError(f"There is no SQL dialect {dialect}.{near}")
    logging.getLogger("sqlglot").setLevel(logging.ERROR)  # what it does not read is counted here
    plain = _META.sub("", _ROWS.sub("", text))

    @cache
    def taken() -> bool:
        return not dialect and _is_taken(where, text)

    if _has_marks(plain) and taken():
        return "sqlite", []
    problems = []
    for name in (dialect,) if dialect else _ORDER:
        try:
            statements = [s for s in sqlglot.parse(plain, dialect=name) if s is not None]
        except (SqlglotError, RecursionError) as reason:
            problems += [str(reason).splitlines()[0]] if isinstance(reason, SqlglotError) else []
            continue
        if _is_untyped(statements) and taken():
            return "sqlite", []
        if name == "sqlite" and not dialect and not taken():
            continue
        unread = [
            s for s in statements if isinstance(s, exp.Command) and (_creates(s) or _changes(s))
        ]
        if not unread and (dialect or not _foreign(statements, name)):
            return name, statements
        problems += [shortened(" ".join(f"{s.this}{s.expression}".split())) for s in unread[:1]]
    if taken():
        return "sqlite", []
    tried = dialect or "any dialect that is tried (--dialect names one)"
    about = f": {problems[0].rstrip('.')}" if problems else ""
    raise SourceError(f"{where} cannot be read as DDL of {tried}{about}.")


_ENUM_TYPE = re.compile(r"CREATE\s+TYPE\s+(\S+)\s+AS\s+(ENUM\s*\(.*\))", re.I | re.S)


def _enums(statements: Sequence[exp.Expr], dialect: str) -> dict[str, tuple[str | int, ...]]:
    """The texts of the types that are created as enumerations, as in PostgreSQL."""
    made = (exp.Command, exp.Create)
    texts = (each.sql(dialect=dialect) for each in statements if isinstance(each, made))
    created = filter(None, map(_ENUM_TYPE.match, texts))
    return {_type_name(match[1]): enumerated(match[2]) for match in created}


def _type_name(written: str) -> str:
    """The name of a type without its schema."""
    return written.rpartition(".")[2].strip('"').casefold()


def _creates(statement: exp.Command) -> bool:
    return str(statement.this).upper() == "CREATE" and bool(
        re.match(r"\s*(\w+\s+)?TABLE\b", str(statement.expression), re.I)
    )


def _changes(statement: exp.Command) -> bool:
    """Whether an ALTER TABLE that is not understood could change columns, keys or references."""
    if str(statement.this).upper() != "ALTER":
        return False
    text = _QUOTED.sub("''", str(statement.expression))
    return bool(re.match(r"\s*TABLE\b", text, re.I) and _CHANGE.search(_NAMED.sub("", text)))


_QUOTED = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|`[^`]*`|\[[^\]]*\]")
# names, which may be words of the language: `ALTER TABLE type`, `ALTER COLUMN change`
_NAMED = re.compile(
    r"\bTABLE\s+(IF\s+EXISTS\s+)?(ONLY\s+)?[\w$.']+|\b(COLUMN|CONSTRAINT)\s+[\w$']+"
    r"|\bOWNER\s+TO\s+\S+",
    re.I,
)
_CHANGE = re.compile(
    r"\b(MODIFY|CHANGE|RENAME|TYPE|(?<!\bIS\s)NOT\s+NULL|PRIMARY|FOREIGN|REFERENCES|UNIQUE"
    r"|ADD(?!\s+(GENERATED|PARTITION|CHECK|EXCLUDE|DEFAULT|((FULLTEXT|SPATIAL)\s+)?(INDEX|KEY))\b)"
    r"|DROP(?!\s+(DEFAULT|IDENTITY|EXPRESSION|PARTITION)\b))\b",
    re.I,
)


def _is_taken(where: str, text: str) -> bool:
    """Whether SQLite itself takes the text."""
    try:
        of_ddl(Path(where), text)[0].close()
    except SourceError:
        return False
    return True


def _has_marks(text: str) -> bool:
    """Whether words stand in a text that no other dialect has: AUTOINCREMENT, WITHOUT ROWID, and
    STRICT behind a table."""
    try:
        tokens = sqlglot.tokenize(text, dialect="sqlite")
    except SqlglotError:
        return False
    quoted = (TokenType.STRING, TokenType.IDENTIFIER)
    words = ["" if token.token_type in quoted else token.text.upper() for token in tokens]
    for before, word, after in zip(["", *words], words, [*words[1:], ";"], strict=False):
        strict = word == "STRICT" and before in (")", ",") and after in (",", ";")
        if strict or word == "AUTOINCREMENT" or (word, after) == ("WITHOUT", "ROWID"):
            return True
    return False


def _is_untyped(statements: Sequence[exp.Expr]) -> bool:
    """Whether a column has no type, as SQLite allows it.

    Not so where it is computed, where a query gives it, and of T-SQL's `timestamp`.
    """
    return any(
        item.name.lower() != "timestamp" and _lacks_type(item)
        for statement in statements
        if isinstance(statement, exp.Create) and statement.expression is None
        if isinstance(statement.this, exp.Schema)
        for item in statement.this.expressions
    )


def _lacks_type(item: exp.Expr) -> bool:
    if not isinstance(item, exp.ColumnDef):
        return isinstance(item, exp.Identifier)
    return item.args.get("kind") is None and not item.find(exp.ComputedColumnConstraint)


def _foreign(statements: Sequence[exp.Expr], dialect: str) -> bool:
    """Whether SQLite's reader, which takes any word for a type, was given another one's types."""
    if dialect != "sqlite":
        return False
    for statement in statements:
        for kind in statement.find_all(exp.DataType):
            if kind.this not in _SQLITE or kind.find(exp.Interval):
                return True
        if isinstance(statement, exp.Alter) or statement.find(exp.Properties):
            return True
    return False


_SQLITE = frozenset(
    {
        *(_T.INT, _T.TEXT, _T.VARCHAR, _T.FLOAT, _T.DOUBLE, _T.BLOB, _T.DECIMAL, _T.DATE, _T.CHAR),
        *(_T.BOOLEAN, _T.TIME, _T.TIMESTAMP, _T.DATETIME, _T.BIGINT, _T.SMALLINT, _T.TINYINT),
    }
)
