"""Taxonomy files: what a TOML file may hold, and the lines on which its parts stand."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from graphmill.errors import SourceError, did_you_mean
from graphmill.regular import check_regular
from graphmill.toml_lines import TomlError, parse_toml

_HEADER = re.compile(r"^\[([^\[\]]+)\]\s*(?:#.*)?$")
_KEY = re.compile(r"""^\s*(?:"([^"]+)"|'([^']+)'|([A-Za-z0-9_-]+))\s*=""")
Text = Annotated[str, Field(min_length=1)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class EntityTable(_Strict):
    """What the table of an entity says, its properties apart."""

    noun: Text = ""
    also: Text = ""
    share: Annotated[float, Field(gt=0)] = 1.0
    most: Annotated[int, Field(gt=0)] | None = None
    parent: Annotated[str, Field(alias="is")] = ""
    rows: str = ""
    local: str = ""
    note: str = ""


class Head(_Strict):
    """What a file says of its sub-domain or industry, its entities and relations apart."""

    title: Text
    purpose: str = ""
    questions: tuple[Text, ...] = ()
    uses: tuple[Text, ...] = ()
    core: tuple[Text, ...] = ()
    homes: tuple[Text, ...] = ()
    lists: dict[str, str | tuple[Text, ...]] = {}
    rows: dict[str, tuple[Text, ...]] = {}
    topics: dict[str, str | tuple[Text, ...]] = {}


ENTITY_KEYS = tuple(field.alias or key for key, field in EntityTable.model_fields.items())
HEAD_KEYS = (*Head.model_fields, "relations")


class TaxonomyFile:
    """One file, read and checked as far as it can be on its own; `problems` has the rest."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problems: list[str] = []
        self.head: Head | None = None
        self.entities: dict[str, tuple[EntityTable, dict[str, str]]] = {}
        self.relations: dict[str, tuple[str, dict[str, str]]] = {}
        try:
            check_regular(path)
            text = path.read_text(encoding="utf-8")
            raw = parse_toml(text)
        except OSError as problem:
            self.problems.append(f"Cannot read {path}: {problem.strerror or problem}.")
            return
        except SourceError as problem:
            self.problems.append(str(problem))
            return
        except UnicodeDecodeError as problem:
            self.problems.append(f"{path} is not UTF-8: {problem}.")
            return
        except TomlError as problem:
            self.problems.append(f"{path}:{problem.line}: {problem}.")
            return
        self.lines = _positions(text)
        self._take(raw)

    def at(self, *where: str) -> str:
        """`FILE:LINE`, of the table or key named by the path, or of the nearest one above it."""
        for length in range(len(where), 0, -1):
            if where[:length] in self.lines:
                return f"{self.path}:{self.lines[where[:length]]}"
        return f"{self.path}:1"

    def wrong(self, message: str, *where: str) -> None:
        """Note a problem with its position."""
        self.problems.append(f"{self.at(*where)}: {message}")

    def _take(self, raw: dict[str, Any]) -> None:
        head = {key: raw.pop(key) for key in list(raw) if key in Head.model_fields}
        self.head = self._checked(Head, head)
        relations = raw.pop("relations", {})
        if not isinstance(relations, dict):
            self.wrong("relations is a table.", "relations")
            relations = {}
        for title, entry in relations.items():
            self._relation(title, entry)
        for entity, table in raw.items():
            if not isinstance(table, dict):
                near = did_you_mean(entity, HEAD_KEYS)
                self.wrong(f"'{entity}' is neither a known key nor a table.{near}", entity)
                continue
            own = {key: table.pop(key) for key in list(table) if key in ENTITY_KEYS}
            model = self._checked(EntityTable, own, entity)
            if model is not None:
                self.entities[entity] = (model, self._lines(table, entity))

    def _relation(self, title: str, entry: object) -> None:
        where = ("relations", title)
        if isinstance(entry, str):
            self.relations[title] = (entry, {})
        elif isinstance(entry, dict) and isinstance(entry.get("say"), str):
            say = entry.pop("say")
            self.relations[title] = (say, self._lines(entry, *where))
        else:
            self.wrong(f"The relation '{title}' is a text, or a table with the text `say`.", *where)

    def _lines(self, table: dict[str, Any], *where: str) -> dict[str, str]:
        for key, line in table.items():
            if not isinstance(line, str):
                self.wrong(f"'{key}' is a text that describes values, not {line!r}.", *where, key)
        return {key: line for key, line in table.items() if isinstance(line, str)}

    def _checked[M: BaseModel](
        self, model: type[M], value: dict[str, Any], *where: str
    ) -> M | None:
        try:
            return TypeAdapter(model).validate_python(value)
        except ValidationError as problem:
            for error in problem.errors():
                at = (*where, *map(str, error["loc"]))
                self.wrong(f"{'.'.join(at)}: {error['msg']}.", *at)
            return None


def _positions(text: str) -> dict[tuple[str, ...], int]:
    """Line numbers of tables and keys."""
    positions: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.split("\n"), 1):
        if header := _HEADER.match(line):
            table = tuple(part.strip().strip("\"'") for part in header[1].split("."))
            positions.setdefault(table, number)
        elif key := _KEY.match(line):
            positions.setdefault((*table, key[1] or key[2] or key[3]), number)
    return positions
