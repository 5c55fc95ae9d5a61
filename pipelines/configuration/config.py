"""A run's configuration as a model read from TOML, and all that is wrong with it at once."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeAliasType, get_args
from urllib.parse import quote, unquote, urlsplit

from pydantic import (
    BaseModel,
    Field,
    ValidationError,
    field_serializer,
    field_validator,
    model_validator,
)

from generators.questions.lexicon.model import CONFIDENCE
from graphmill.errors import ConfigError, UnknownNameError, did_you_mean
from graphmill.record import Split
from graphmill.secrets import keep_url, without_user
from graphmill.settings import Elements, Name, Pairs, Part, Seed, Text
from graphmill.similarity.texts import similarity_named
from graphmill.toml_lines import TomlError, line_of, parse_toml, positions
from pipelines.author.authors import Author, ModelAuthor, RulesAuthor
from pipelines.configuration.certify import Certify, Languages, SplitProof
from pipelines.configuration.duplicates import Duplicates
from pipelines.configuration.expansion import VARIABLE, expanded
from pipelines.configuration.feasibility import problems
from pipelines.configuration.targets import Alike, Mix, Queries, Share
from pipelines.configuration.wording import (
    FOREIGN,
    Violation,
    meant,
    message_of,
    refuse,
    steps_of,
)
from schemagraph.convert.source import parted
from schemagraph.sources.bolt import graph_name as address_name
from schemagraph.sources.tugraph import graph_name


class Splits(Part):
    """Shares of the splits; they add up to 1."""

    train: Share = 0.8
    validation: Share = 0.1
    test: Share = 0.1

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if abs(self.train + self.validation + self.test - 1) > 1e-9:
            raise ValueError("the shares of train, validation and test must add up to 1")
        return self


class Corpus(Part):
    """What is released: its name, seed, languages and splits.

    `split_by` is what no two splits share: a `database`, the `shape` of a query (values masked), or
    the `domain` of a database. Unless it is given, databases where there are several, else shapes.
    Test takes synthetic graphs first; with `test = "synthetic-only"` it has nothing else, so that
    no model can have met its data.
    """

    name: Name
    seed: Seed = 7
    languages: Languages = ("cypher", "gql")
    also: Languages = ()
    splits: Splits = Field(default_factory=Splits)
    split_by: Literal["", "database", "shape", "domain"] = ""
    test: Literal["", "synthetic-only"] = ""
    licence: str = "not stated"

    @field_validator("languages")
    @classmethod
    def _with_cypher(cls, languages: tuple[str, ...]) -> tuple[str, ...]:
        if "cypher" not in languages:
            raise ValueError("languages must contain 'cypher', which every other text comes from")
        return languages

    @field_validator("splits", mode="before")
    @classmethod
    def _shares(cls, given: object) -> object:
        if given == {}:
            raise ValueError("it is empty: give the shares of train, validation and test")
        return given

    @model_validator(mode="after")
    def _once(self) -> Self:
        both = [language for language in self.also if language in self.languages]
        if both:
            refuse("also", f"{', '.join(both)}: in `languages` already, so take it out of one")
        return self


PRIVATE = "pseudonyms:"  # how paths of copies with pseudonyms begin
# endings of the files in a corpus, and how addresses of such files begin
FILES = {".sqlite": "sqlite:///", ".duckdb": "duckdb:///"}
_ENDINGS = {**FILES, ".sqlite3": FILES[".sqlite"], ".db": FILES[".sqlite"]}  # of a bare path
SERVERS = ("postgresql://", "mysql://", "mariadb://")
_SERVER = re.compile(r"(postgres|postgresql|mysql|mariadb)([+]\w+)?://")


class RelationalSource(Part):
    """A relational database, or a program that fills one (`fill(path)` in `script`).

    `url` is an address, or the path of a file of SQLite or DuckDB.
    """

    kind: Literal["relational"]
    url: str = ""
    script: str = ""
    name: Name = ""
    domain: Text
    subdomain: Text
    pairs: str = ""
    lexicon: str = ""
    licence: str = "not stated"

    @field_validator("url")
    @classmethod
    def _of_file(cls, url: str) -> str:
        """The address of a file that is given as a path, as `graphmill convert` takes it."""
        scheme = "" if "://" in url else _ENDINGS.get(Path(url).suffix.lower(), "")
        return scheme + url

    @model_validator(mode="after")
    def _one_origin(self) -> Self:
        if bool(self.url) == bool(self.script):
            raise ValueError("give either url or script")
        if self.url and not (self.is_server or self.url.startswith(tuple(FILES.values()))):
            known = ", ".join([*(f"{scheme}PATH" for scheme in FILES.values()), *SERVERS])
            files = ", ".join(_ENDINGS)
            refuse("url", f"url must be one of {known}, or a path that ends in {files}")
        return self

    @property
    def is_server(self) -> bool:
        """Whether the address is one of a server."""
        return bool(_SERVER.match(self.url))

    @field_serializer("url")
    def _without_secrets(self, url: str) -> str:
        return without_user(url) if self.is_server else url


class GraphSource(Part):
    """An existing graph: anything that `graphmill convert` takes."""

    kind: Literal["graph"]
    path: Text
    name: Name = ""
    domain: Text
    subdomain: Text
    pairs: str = ""
    lexicon: str = ""
    licence: str = "not stated"

    @field_serializer("path")
    def _without_secrets(self, path: str) -> str:
        return without_user(path) if "://" in path else path


class SyntheticSource(Part):
    """A graph that is drawn: of a sub-domain of the taxonomy, or of the schema folder `path`.

    `seed` is that of the corpus where it is not given; `taxonomy` are folders with domains.
    `allow_degraded` draws it even where the sandbox lacks a layer (docs/sandbox.md).
    """

    kind: Literal["synthetic"]
    domain: Text
    subdomain: Text
    path: str = ""
    taxonomy: tuple[Text, ...] = ()
    nodes: Elements | None = None
    edges: Elements | None = None
    level: Annotated[int, Field(ge=1, le=5)] = 3
    seed: Seed | None = None
    name: Name = ""
    pairs: str = ""
    lexicon: str = ""
    licence: str = "not stated"
    allow_degraded: bool = Field(default=False, exclude=True)  # the graph's manifest says it


type Source = Annotated[
    RelationalSource | GraphSource | SyntheticSource, Field(discriminator="kind")
]


class Questions(Part):
    """How questions are written: `confidence` is the least that a word of the lexicon needs.

    `unanswerable` is how many questions that a graph cannot answer are released beside its pairs,
    as a share of these.
    """

    confidence: Annotated[float, Field(ge=0, le=1)] = CONFIDENCE
    unanswerable: Annotated[float, Field(ge=0, le=1)] = 0.0


class Privacy(Part):
    """What a corpus keeps to itself: with `pseudonyms`, no text of its sources is in it, and each
    has a made-up one in its place (docs/pseudonyms.md)."""

    pseudonyms: bool = False


class Size(Part):
    """One of the sizes that a configuration comes in: pairs of a database, `alike` where it differs
    from that of `queries`, and the most nodes that a synthetic graph has, where that is less than
    its own."""

    per_database: Pairs | None = None
    alike: Alike | None = None
    most_nodes: Elements | None = None


class Config(Part):
    """One run. `split` says what the records of a split have beside those of all; `size` are named
    sizes, of which `sized` takes one. `folder` is where relative paths start: the configuration's
    own folder; those that begin with `PRIVATE` start in `private`, where copies with pseudonyms
    are."""

    corpus: Corpus
    source: Annotated[tuple[Source, ...], Field(min_length=1)]
    queries: Queries = Field(default_factory=Queries)
    certify: Certify = Field(default_factory=Certify)
    split: dict[Split, SplitProof] = Field(default_factory=dict)
    questions: Questions = Field(default_factory=Questions)
    duplicates: Duplicates = Field(default_factory=Duplicates)
    author: Author = Field(default_factory=RulesAuthor)
    privacy: Privacy = Field(default_factory=Privacy)
    size: dict[Name, Size] = Field(default_factory=dict, exclude=True)
    folder: Path = Field(default=Path(), exclude=True)
    private: Path = Field(default=Path(), exclude=True)

    def chosen(self, size: str = "", without: Sequence[str] = ()) -> Self:
        """The same in one of its sizes, if any is named, and without these engines.

        Raises:
            ConfigError, UnknownNameError: as `sized` and `without`.
        """
        config = self.sized(size) if size else self
        return config.without(without) if without else config

    def sized(self, name: str) -> Self:
        """The same in the size called `name`, which its corpus's name ends with.

        Raises:
            UnknownNameError: the configuration has no such size.
        """
        if name not in self.size:
            known = f"It has {', '.join(self.size)}" if self.size else "It has none"
            raise UnknownNameError(
                f"The configuration has no size '{name}'.{did_you_mean(name, self.size)} {known}."
            )
        size = self.size[name]
        sources = tuple(
            source.model_copy(update={"nodes": min(source.nodes, size.most_nodes)})
            if isinstance(source, SyntheticSource) and source.nodes and size.most_nodes
            else source
            for source in self.source
        )
        corpus = self.corpus.model_copy(update={"name": f"{self.corpus.name}-{name}"})
        own = size.model_dump(include={"per_database", "alike"}, exclude_none=True)
        queries = self.queries.model_copy(update=own)
        return self.model_copy(update={"corpus": corpus, "source": sources, "queries": queries})

    @property
    def languages(self) -> tuple[str, ...]:
        """All languages that a record may be in, those of every record first."""
        further = (name for proof in self.split.values() for name in proof.also)
        return tuple(dict.fromkeys((*self.corpus.languages, *self.corpus.also, *further)))

    @property
    def engines(self) -> tuple[str, ...]:
        """All engines that prove a record, those that prove every one first."""
        further = (name for proof in self.split.values() for name in proof.engines)
        return tuple(dict.fromkeys((*self.certify.engines, *further)))

    def of_split(self, split: Split) -> Self:
        """The same with the languages and engines of a split; itself where it has none of its
        own."""
        proof = self.split.get(split, SplitProof())
        known = (*self.corpus.languages, *self.corpus.also)
        also = tuple(name for name in proof.also if name not in known)
        engines = tuple(name for name in proof.engines if name not in self.certify.engines)
        if not (also or engines):
            return self
        corpus = self.corpus.model_copy(update={"also": (*self.corpus.also, *also)})
        certify = self.certify.model_copy(update={"engines": (*self.certify.engines, *engines)})
        return self.model_copy(update={"corpus": corpus, "certify": certify})

    def without(self, engines: Sequence[str]) -> Self:
        """The same with these engines left out.

        Raises:
            ConfigError: one of them is not in it, or no two are left that prove every record.
        """
        for name in engines:
            if name not in self.engines:
                raise ConfigError(
                    f"--without {name}: the configuration has no such engine."
                    f"{did_you_mean(name, self.engines)}"
                )
        left = tuple(name for name in self.certify.engines if name not in engines)
        try:
            Certify(engines=left)
        except ValidationError as problem:
            reason = message_of(dict(problem.errors()[0]), ("engines",))
            raise ConfigError(f"--without {', '.join(engines)}: {reason}.") from problem
        split = {
            name: proof.model_copy(
                update={"engines": tuple(each for each in proof.engines if each not in engines)}
            )
            for name, proof in self.split.items()
        }
        url = "" if "neo4j" in engines else self.certify.neo4j_url
        certify = self.certify.model_copy(update={"engines": left, "neo4j_url": url})
        return self.model_copy(update={"certify": certify, "split": split})

    def degraded(self) -> Self:
        """The same, with leave to draw every graph where the sandbox lacks a layer."""
        sources = tuple(
            source.model_copy(update={"allow_degraded": True})
            if isinstance(source, SyntheticSource)
            else source
            for source in self.source
        )
        return self.model_copy(update={"source": sources})

    def path(self, text: str) -> Path:
        """A path of the configuration, made absolute; a link keeps its own name."""
        for scheme in FILES.values():
            text = text.removeprefix(scheme)
        if text.startswith(PRIVATE):
            return (self.private / text.removeprefix(PRIVATE)).absolute()
        return Path(os.path.normpath((self.folder / text).absolute()))

    def address(self, source: RelationalSource) -> str:
        """The address of a server, with the variables of the environment that it names.

        Raises:
            ConfigError: one of them is not set.
        """

        def value(variable: re.Match[str]) -> str:
            if variable[1] not in os.environ:
                raise ConfigError(
                    f"The address of the source {self.database(source)} names the variable "
                    f"{variable[1]}, which is not set. Export it where the build runs."
                )
            return quote(os.environ[variable[1]], safe="")

        address = VARIABLE.sub(value, source.url)
        keep_url(address)
        return address

    def origin(self, source: GraphSource) -> str:
        """What `schemagraph.convert` is to read: an address, or a path made absolute."""
        if "://" in source.path:
            return source.path
        if source.path.startswith(PRIVATE):
            return str(self.path(source.path))
        file, part = parted(str(self.folder / source.path))
        return f"{self.path(file)}#{part}" if part else str(self.path(file))

    def names(self, source: Source) -> tuple[str, ...]:
        """What files of pairs may call the source: its name, its file's, its folder's, its part."""
        if isinstance(source, SyntheticSource):
            return (self.database(source),)
        if isinstance(source, RelationalSource):
            url = urlsplit(source.url).path if source.is_server else source.url
            path, part = self.path(url or source.script), ""
        else:
            file, part = parted(self.origin(source))
            path = Path(file)
        names = (self.database(source), part, path.stem, path.parent.name)
        return tuple(dict.fromkeys(filter(None, names)))

    def database(self, source: Source) -> str:
        """The database's name: the source's `name`, else that of its part, its file or folder."""
        if source.name:
            return source.name
        if isinstance(source, SyntheticSource):
            return source.subdomain
        if isinstance(source, RelationalSource):
            if source.is_server:
                return unquote(urlsplit(source.url).path.strip("/"))
            origin = self.path(source.url or source.script)
            return origin.stem if source.url else origin.parent.name
        if "://" in source.path:
            return address_name(source.path)
        file, part = parted(self.origin(source))
        return part or graph_name(Path(file))


_MOST = 1 << 20  # bytes of a configuration
_SHOWN = 20  # violations that a message has; all are in the error's `violations`
SET_BY_US = ("folder", "private")  # what no file may set


def load(path: Path, *, here: bool = True) -> Config:
    """Read and validate a configuration, which with `here` this process is to build.

    Raises:
        ConfigError: with every violation; nothing has been done yet.
    """
    if path.is_fifo() and path.resolve().exists():  # a pipe without a name has a writer
        raise ConfigError(
            f"{path} is a named pipe, no regular file. Write the configuration to a file, and give "
            "that."
        )
    try:
        with path.open("rb") as stream:
            content = stream.read(_MOST + 1)
    except OSError as problem:
        raise ConfigError(
            f"Cannot read the configuration {path}: {problem.strerror}. "
            "`graphmill init` writes one."
        ) from problem
    if len(content) > _MOST:  # a device has no end
        raise ConfigError(f"{path} has more than {_MOST >> 20} MB, as no configuration has.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = content[: problem.start].count(b"\n") + 1
        raise ConfigError(f"{path}: line {line}: not UTF-8.") from problem
    try:
        raw = parse_toml(text)
    except TomlError as problem:
        raise ConfigError(f"{path} is {problem}.") from problem
    lines = positions(text)[0]
    violations = [
        _foreign((name,), Config) for name in SET_BY_US if raw.pop(name, None) is not None
    ]
    raw, numbers, unset = expanded(raw, path.resolve().parent, os.environ)
    if unset:
        violations += [Violation(place, what) for place, what in unset]
        raise _invalid(path, lines, violations)
    try:
        # JSON, read strictly, has lists for tuples, and takes no text for a number, and no number
        # for a text or a boolean.
        config = Config.model_validate_json(json.dumps(raw, default=_no_json), strict=True)
    except ValidationError as problem:
        errors = [dict(error) for error in problem.errors()]
        if errors[0]["type"] == "json_invalid":  # what TOML took is JSON, and only too deep
            raise ConfigError(f"{path} is nested too deeply to be read.") from problem
        if len(errors) > 1:  # a list whose members are wrong is not short
            errors = [error for error in errors if error["type"] != "too_short"]
        wrong = [each for error in errors for each in (_violation(error), *_stray(error))]
        violations += [violation.counted(numbers) for violation in meant(wrong)]
        raise _invalid(path, lines, violations) from problem
    config = config.model_copy(update={"folder": path.resolve().parent})
    _keep_secrets(config)
    infeasible = [Violation(*each) for each in problems(config, here=here)]
    others = (*infeasible, *_idle_author(config), *_no_encoder(config))
    violations += [violation.counted(numbers) for violation in others]
    if violations:
        raise _invalid(path, lines, violations)
    return config


def _keep_secrets(config: Config) -> None:
    """Passwords in addresses are shown nowhere."""
    keep_url(config.certify.neo4j_url)
    if isinstance(config.author, ModelAuthor):
        keep_url(config.author.base_url)
    for source in config.source:
        if isinstance(source, RelationalSource):
            keep_url(source.url)
        elif isinstance(source, GraphSource):
            keep_url(source.path)


def _invalid(
    path: Path, lines: Mapping[tuple[str, ...], int], violations: Sequence[Violation]
) -> ConfigError:
    shown = violations[:_SHOWN]
    text = "; ".join(f"line {line_of(lines, each.place)}: {each}" for each in shown)
    if len(violations) > _SHOWN:
        text += f"; and {len(violations) - _SHOWN:,} more"
    end = "" if text.endswith("?") else "."
    return ConfigError(f"{path}: {text}{end}", [str(each) for each in violations])


# What pydantic calls the member of a union is no place in the file.
_MEMBERS: dict[str, type[BaseModel]] = {
    "relational": RelationalSource,
    "graph": GraphSource,
    "synthetic": SyntheticSource,
    "rules": RulesAuthor,
    "llm": ModelAuthor,
    "mix": Mix,
}
_TAGS = (*_MEMBERS, "paper")
_UNIONS: dict[str, tuple[type[BaseModel], ...]] = {
    "source": (RelationalSource, GraphSource, SyntheticSource),
    "author": (RulesAuthor, ModelAuthor),
}


def _violation(error: dict[str, Any]) -> Violation:
    """What pydantic found."""
    steps = [step for step in steps_of(error) if step not in _TAGS]
    place = tuple(str(step + 1) if isinstance(step, int) else str(step) for step in steps)
    if error["type"] == "extra_forbidden":
        return _foreign(place, _table(error["loc"][:-1]))
    message = message_of(error, place)
    return Violation(place, f"{message[:1].lower()}{message[1:]}")


def _stray(error: dict[str, Any]) -> list[Violation]:
    """The settings that no table of a union has, where its `kind` is missing or wrong: the
    validator looks at no more, and one of them may be meant for the `kind`."""
    given, members = error["input"], _UNIONS.get(str(error["loc"][0]), ()) if error["loc"] else ()
    if error["type"] not in ("union_tag_invalid", "union_tag_not_found") or not members:
        return []
    known = {name for member in members for name in member.model_fields if name not in SET_BY_US}
    place = tuple(str(step + 1) if isinstance(step, int) else str(step) for step in error["loc"])
    return [
        Violation((*place, name), f"{FOREIGN}.{did_you_mean(name, known)}")
        for name in (given if isinstance(given, dict) else {})
        if name not in known
    ]


def _foreign(place: tuple[str, ...], table: type[BaseModel]) -> Violation:
    """A setting that its table does not have."""
    known = [name for name in table.model_fields if name not in SET_BY_US]
    return Violation(place, f"{FOREIGN}.{did_you_mean(place[-1], known)}")


def _table(place: Sequence[int | str]) -> type[BaseModel]:
    """The table at a place of the file."""
    part: type[BaseModel] = Config
    for step in place:
        if step in _MEMBERS:
            part = _MEMBERS[str(step)]
        elif isinstance(step, str) and step in part.model_fields:
            part = _part(part.model_fields[step].annotation) or part
    return part


def _part(annotation: Any) -> type[BaseModel] | None:
    """The table that a setting is, if it is one."""
    if isinstance(annotation, TypeAliasType):
        return _part(annotation.__value__)
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next(filter(None, map(_part, get_args(annotation))), None)


def _idle_author(config: Config) -> list[Violation]:
    """A model that would have nothing to write: nobody is left to believe that it wrote."""
    author = config.author
    if (
        isinstance(author, ModelAuthor)
        and author.queries == author.questions == "rules"
        and not any(isinstance(source, SyntheticSource) for source in config.source)
    ):
        return [Violation(("author", "kind"), "the model would write nothing here; use 'rules'")]
    return []


def _no_encoder(config: Config) -> list[Violation]:
    """Embeddings that cannot be had."""
    try:
        similarity_named(config.duplicates.similarity)
    except ConfigError as problem:
        return [Violation(("duplicates", "similarity"), str(problem).removesuffix("."))]
    return []


def _no_json(value: object) -> dict[str, str]:
    """A date or time, which no setting is, as what no setting takes."""
    return {type(value).__name__: str(value)}
