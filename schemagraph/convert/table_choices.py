"""What a user says of tables: `tables.toml`, read, checked and written.

    [tables.rental]
    key = ["rental_id"]
    references = [
        { columns = ["customer_id"], table = "customer", referenced = ["customer_id"] },
    ]
    as = "nodes"              # or "edges"
    label = "Rental"          # the node label, or of a table of edges the edge label
    reverse = false           # a link table: the edges run the other way
    types = { zip = "VARCHAR" }    # files only: columns whose type is not the one that was found
    encoding = "latin-1"      # CSV only

A key or references that are given replace what was declared or found. A reference with
`use = false` is left out, one with `edge = "…"` is called so.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from graphmill.errors import SourceError, did_you_mean
from graphmill.files import write_text
from graphmill.regular import check_regular
from graphmill.toml_lines import TomlError, parse_toml
from schemagraph.convert.inference import Proposal
from schemagraph.relational import Reference, SourceTable

_FORMS = {"key", "references", "as", "label", "reverse", "types", "encoding", "delimiter"}
_REFERENCE_KEYS = {"columns", "table", "referenced", "use", "edge", "evidence"}


@dataclass(frozen=True, slots=True)
class Choice:
    """What is said of one table; None and "" leave it to the rules."""

    key: tuple[str, ...] | None = None
    references: tuple[Reference, ...] | None = None
    edges: Mapping[Reference, str] = field(default_factory=dict)
    form: str = ""
    label: str = ""
    reverse: bool = False
    types: Mapping[str, str] = field(default_factory=dict)
    encoding: str = ""
    delimiter: str = ""


type Choices = Mapping[str, Choice]


def load_choices(path: Path) -> Choices:
    """Read `tables.toml`.

    Raises:
        SourceError: it cannot be read, or says what cannot be said.
    """
    check_regular(path)
    try:
        raw = parse_toml(path.read_text(encoding="utf-8-sig"))
    except OSError as problem:
        raise SourceError(f"Cannot read {path}: {problem.strerror}.") from None
    except TomlError as problem:
        raise SourceError(f"{path} is {problem}.") from None
    except UnicodeDecodeError as problem:
        raise SourceError(f"{path} is not TOML: {problem}.") from None
    _known(path, "the file", raw, {"tables"})
    tables = raw.get("tables", {})
    if not isinstance(tables, dict):
        raise SourceError(f"{path}: tables are written as [tables.NAME].")
    return {name: _choice(path, name, value) for name, value in tables.items()}


def _known(path: Path, where: str, value: Any, known: set[str]) -> None:
    if not isinstance(value, dict):
        raise SourceError(f"{path}: {where} is no table of settings.")
    for key in value:
        if key not in known:
            raise SourceError(f"{path}: {where} has no setting {key}.{did_you_mean(key, known)}")


def _choice(path: Path, name: str, value: Any) -> Choice:
    where = f"table {name}"
    _known(path, where, value, _FORMS)
    references = None
    edges: dict[Reference, str] = {}
    if "references" in value:
        used = []
        for item in _list_of(path, where, "references", value["references"], dict):
            _known(path, f"a reference of {where}", item, _REFERENCE_KEYS)
            columns, referenced = (
                tuple(_list_of(path, where, key, item.get(key), str))
                for key in ("columns", "referenced")
            )
            if not columns or len(columns) != len(referenced):
                raise SourceError(
                    f"{path}: a reference of {where} needs as many columns as it names."
                )
            reference = Reference(
                columns, _text(path, where, "table", item.get("table")), referenced
            )
            if item.get("use", True) is True:
                used.append(reference)
            if "edge" in item:
                edges[reference] = _text(path, where, "edge", item["edge"])
        references = tuple(used)
    form = value.get("as", "")
    if form not in ("", "nodes", "edges"):
        raise SourceError(f'{path}: {where}: as is "nodes" or "edges".')
    key = value.get("key")
    types = value.get("types", {})
    if not isinstance(types, dict) or not all(isinstance(kind, str) for kind in types.values()):
        raise SourceError(f'{path}: {where}: types are written as {{ column = "TYPE" }}.')
    if not isinstance(value.get("reverse", False), bool):
        raise SourceError(f"{path}: {where}: reverse is true or false.")
    return Choice(
        None if key is None else tuple(_list_of(path, where, "key", key, str)),
        references,
        edges,
        form,
        _text(path, where, "label", value["label"]) if "label" in value else "",
        value.get("reverse", False),
        types,
        _text(path, where, "encoding", value["encoding"]) if "encoding" in value else "",
        _text(path, where, "delimiter", value["delimiter"]) if "delimiter" in value else "",
    )


def _text(path: Path, where: str, key: str, value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise SourceError(f"{path}: {where}: {key} is a text.")
    return value


def _list_of[T](path: Path, where: str, key: str, value: Any, kind: type[T]) -> list[T]:
    if not isinstance(value, list) or not all(isinstance(item, kind) for item in value):
        raise SourceError(f"{path}: {where}: {key} is a list of {_WORDS[kind]}.")
    return value


_WORDS: dict[type, str] = {str: "names", dict: "settings in braces"}


def apply_choices(tables: Sequence[SourceTable], choices: Choices) -> tuple[SourceTable, ...]:
    """The tables with the keys and references that are given.

    Raises:
        SourceError: a table or column that is named does not exist.
    """
    names = {table.name: table for table in tables}
    for name in choices:
        if name not in names:
            raise SourceError(f"tables.toml names table {name}.{_missing(name, names)}")
    made = []
    for table in tables:
        choice = choices.get(table.name, Choice())
        if choice.key is not None:
            _check_columns(table, choice.key)
            table = replace(table, key=choice.key)
        if choice.references is not None:
            for reference in choice.references:
                _check_columns(table, reference.columns)
                parent = names.get(reference.table)
                if parent is None:
                    near = _missing(reference.table, names)
                    raise SourceError(
                        f"tables.toml lets {table.name} reference {reference.table}.{near}"
                    )
                _check_columns(parent, reference.referenced)
            table = replace(table, references=choice.references)
        made.append(table)
    return tuple(made)


def _missing(name: str, known: Mapping[str, object]) -> str:
    return did_you_mean(name, known) or f" There are: {', '.join(known)}."


def _check_columns(table: SourceTable, names: Sequence[str]) -> None:
    known = {column.name: column for column in table.columns}
    for name in names:
        if name not in known:
            raise SourceError(
                f"tables.toml names column {name} of table {table.name}.{_missing(name, known)}"
            )


def write_choices(path: Path, tables: Sequence[SourceTable], proposals: Sequence[Proposal]) -> None:
    """Write keys, references and what was proposed as a file to edit."""
    lines = [
        "# What graphmill takes for keys and foreign keys. Edit it, and give it back with",
        "# `graphmill convert SOURCE --tables FILE`. A key or references that are given here",
        "# replace what is declared or found; `use = false` leaves a reference out.",
    ]
    for table in tables:
        lines += ["", f"[tables.{_key(table.name)}]"]
        mine = [p for p in proposals if p.table == table.name]
        for proposal in mine:
            if proposal.reference is None:
                lines.append(f"# found: {proposal.evidence}")
        lines.append(f"key = {_names(table.key)}")
        proposed = {p.reference: p for p in mine if p.reference is not None}
        items = [
            _reference(reference, proposed.get(reference), True) for reference in table.references
        ]
        items += [
            _reference(reference, proposal, False)
            for reference, proposal in proposed.items()
            if reference not in table.references
        ]
        lines += ["references = [", *(f"    {item}," for item in items), "]"] if items else []
        lines += [] if items else ["references = []"]
    write_text(path, "".join(f"{line}\n" for line in lines))


def _reference(reference: Reference, proposal: Proposal | None, use: bool) -> str:
    parts = [
        f"columns = {_names(reference.columns)}",
        f"table = {_quoted(reference.table)}",
        f"referenced = {_names(reference.referenced)}",
    ]
    if not use:
        parts.append("use = false")
    if proposal is not None:
        parts.append(f"evidence = {_quoted(proposal.evidence)}")
    return f"{{ {', '.join(parts)} }}"


def _names(names: Sequence[str]) -> str:
    return f"[{', '.join(map(_quoted, names))}]"


def _key(name: str) -> str:
    return name if name.isascii() and name.replace("_", "a").isalnum() else _quoted(name)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
