"""The catalogue of query archetypes: Cypher texts with slots, read from TOML and checked whole.

docs/archetypes.md says how one is written. A file is a family; its name is the family's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from generators.queries.archetypes.facets import Use
from generators.queries.archetypes.template import Template, TemplateError, read_template
from graph_ir.difficulty import tier
from graph_ir.features import Features, features
from graphmill.errors import ConfigError, SourceError
from graphmill.files import data_folder
from graphmill.messages import one_line
from graphmill.record import Difficulty
from graphmill.regular import check_regular
from graphmill.toml_lines import TomlError, parse_toml

Share = Annotated[float, Field(ge=0, le=1)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class Value(_Strict):
    """How a constant is drawn; exactly one of the ways is given.

    `share`: a value that such a share of the rows have. `at`: a value that such a share of the
    values are below. `sample`: the value of some row. `prefix`, `suffix`: so many characters of
    one. `word`: a word out of one. `number`: a number between two. `degree`: how many edges of a
    type a node has at its beginning (`end`: at its end), at such a share of the nodes.
    """

    of: str = ""
    share: tuple[Share, Share] | None = None
    at: tuple[Share, Share] | None = None
    sample: bool = False
    prefix: tuple[int, int] | None = None
    suffix: tuple[int, int] | None = None
    word: bool = False
    number: tuple[int, int] | None = None
    degree: tuple[Share, Share] | None = None
    end: bool = False

    @model_validator(mode="after")
    def _one_way(self) -> Value:
        ways = ("share", "at", "sample", "prefix", "suffix", "word", "number", "degree")
        given = [way for way in ways if getattr(self, way)]
        if len(given) != 1:
            raise ValueError(f"give one of {', '.join(ways)}, not {' and '.join(given) or 'none'}")
        if bool(self.of) == bool(self.number):
            raise ValueError("`of` names the property or the edge that it is drawn from")
        return self


class EdgeRule(_Strict):
    """What an edge slot takes.

    `symmetric` relations; `many` edges at some nodes where it begins, or at a usual one
    (`several`), or none at some of them (`partial`), or not many at any (`few`); only walks
    `forward`. With `shared` it has no direction and goes to and fro between two types, whose nodes
    are linked through what they share.
    """

    symmetric: bool = False
    many: bool = False
    several: bool = False
    partial: bool = False
    few: bool = False
    forward: bool = False
    shared: bool = False


class _Entry(_Strict):
    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]*$")]
    cypher: Annotated[str, Field(min_length=1)]
    tier: Difficulty
    hops: Annotated[int, Field(ge=0)] = 0
    constructs: tuple[str, ...] = ()
    properties: Mapping[str, Use] = Field(default_factory=dict)
    values: Mapping[str, Value] = Field(default_factory=dict)
    edges: Mapping[str, EdgeRule] = Field(default_factory=dict)
    different: tuple[tuple[str, ...], ...] = ()
    lacks: tuple[str, ...] = ()
    absence: bool = False
    joint: bool = False
    keys: bool = False
    weight: Annotated[float, Field(gt=0)] = 1.0


class _File(_Strict):
    about: Annotated[str, Field(min_length=1)]
    archetype: tuple[_Entry, ...] = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class Archetype:
    """One archetype: its template and what it claims of the queries that are made of it.

    `lacks` are languages that cannot say it. `absence`: no row can be its answer. `different`
    are groups of slots that must be filled differently. `joint`: its constants are drawn together,
    from what the graph has. `keys`: a number that is a key may stand for a name.
    """

    name: str
    family: str
    template: Template
    features: Features
    tier: Difficulty
    hops: int
    constructs: tuple[str, ...]
    properties: Mapping[str, Use]
    values: Mapping[str, Value]
    edges: Mapping[str, EdgeRule]
    different: tuple[tuple[str, ...], ...] = ()
    lacks: tuple[str, ...] = ()
    absence: bool = False
    joint: bool = False
    keys: bool = False
    weight: float = field(default=1.0, compare=False)

    @property
    def lists(self) -> bool:
        """Whether its queries list what they find, neither counted nor cut off."""
        used = self.features.constructs
        return not self.features.aggregates and "limit" not in used


@cache
def own_archetypes() -> tuple[Archetype, ...]:
    """The catalogue that comes with graphmill."""
    return load_archetypes([data_folder() / "archetypes"])


def load_archetypes(folders: Sequence[Path]) -> tuple[Archetype, ...]:
    """All archetypes of the folders' TOML files, sorted by family and name.

    Raises:
        ConfigError: files or archetypes are wrong; `violations` has everything that is.
    """
    problems: list[str] = []
    archetypes: dict[str, Archetype] = {}
    for folder in folders:
        files = sorted(folder.glob("*.toml"))
        if not files:
            problems.append(f"{folder} has no .toml file.")
        for path in files:
            for each in _read(path, problems):
                if each.name in archetypes:
                    problems.append(f"{path}: the name {each.name} is taken already.")
                archetypes[each.name] = each
    if problems:
        raise ConfigError(
            f"The archetypes have {len(problems)} faults:\n" + "\n".join(map(one_line, problems)),
            problems,
        )
    return tuple(sorted(archetypes.values(), key=lambda each: (each.family, each.name)))


def _read(path: Path, problems: list[str]) -> list[Archetype]:
    try:
        check_regular(path)
        file = _File.model_validate(parse_toml(path.read_text(encoding="utf-8")))
    except SourceError as problem:
        problems.append(str(problem))
        return []
    except (OSError, UnicodeDecodeError) as problem:
        problems.append(f"{path}: {problem}.")
        return []
    except TomlError as problem:
        problems.append(f"{path}:{problem.line}: {problem}.")
        return []
    except ValidationError as problem:
        for error in problem.errors():
            where = ".".join(map(str, error["loc"]))
            problems.append(f"{path}: {where}: {error['msg']}.")
        return []
    archetypes = []
    for entry in file.archetype:
        try:
            template = read_template(entry.cypher)
        except TemplateError as problem:
            problems += [f"{path}: {entry.name}: {fault}" for fault in problem.violations]
            continue
        archetype = Archetype(
            entry.name,
            path.stem,
            template,
            features(template.statement),
            entry.tier,
            entry.hops,
            entry.constructs,
            entry.properties,
            entry.values,
            entry.edges,
            entry.different,
            entry.lacks,
            entry.absence,
            entry.joint,
            entry.keys,
            entry.weight,
        )
        faults = list(_faults(archetype))
        problems += [f"{path}: {entry.name}: {fault}" for fault in faults]
        if not faults:
            archetypes.append(archetype)
    return archetypes


def _faults(given: Archetype) -> list[str]:
    template = given.template
    faults = []
    used: list[tuple[str, set[str], set[str]]] = [
        ("property", set(template.properties), set(given.properties)),
        ("value", set(template.parameters), set(given.values)),
    ]
    for what, needed, declared in used:
        faults += [f"the {what} {name} is not declared." for name in sorted(needed - declared)]
        faults += [f"the {what} {name} is not used." for name in sorted(declared - needed)]
    edges = {each.slot for each in template.edges}
    faults += [f"there is no edge {name}." for name in sorted(set(given.edges) - edges)]
    for name, value in given.values.items():
        known = edges if value.degree else {*given.properties, *template.named}
        if value.of and value.of not in known:
            faults.append(f"the value {name} is of {value.of}, which is none of {sorted(known)}.")
    slots = edges | set(template.labels) | set(given.properties)
    for group in given.different:
        faults += [f"`different` names {name}, which is no slot." for name in set(group) - slots]
    own = given.features
    if own.hops != given.hops:
        faults.append(f"it claims {given.hops} hops and has {own.hops}.")
    if tier(own) != given.tier:
        faults.append(f"it claims to be {given.tier} and is {tier(own)}.")
    missing = set(given.constructs) - set(own.constructs)
    faults += [f"it claims {name} and does not use it." for name in sorted(missing)]
    return faults
