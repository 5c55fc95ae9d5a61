"""What a configuration that is well formed asks for and cannot have: files, databases, domains,
splits. All of it is told before anything is read or written."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from engines.bolt import is_bolt
from generators.taxonomy.load import UnknownDomain
from graphmill.errors import GraphmillError
from graphmill.record import SPLITS
from graphmill.regular import check_regular
from graphmill.secrets import without_user
from pipelines.configuration.expansion import REMEDY, VARIABLE
from schemagraph.convert.source import parted
from schemagraph.sources.duckdb import SOURCE as DUCKDB
from schemagraph.sources.sqlite import SOURCE as SQLITE

if TYPE_CHECKING:
    from pipelines.configuration.config import Config, Source, SyntheticSource

type Place = tuple[str, ...]
type Problem = tuple[Place, str]
_HEAD = 64  # bytes that tell what a database file is
_MANY = 50_000_000  # elements of a graph, from which on its drawing is told of
_DRAWN = 400_000  # elements a second (docs/measurements.md, `benchmarks/synthesis_speed.py`)


def problems(config: Config, *, here: bool = True) -> Iterator[Problem]:
    """What is wrong, each with its place in the file; sources are counted from 1.

    With `here` servers are asked by this process, with the variables of its environment.
    """
    for number, text in enumerate(config.queries.archetypes, 1):
        if not config.path(text).is_dir():
            archetypes = ("queries", "archetypes", str(number))
            yield archetypes, f"no such folder: {config.path(text)}"
    names: dict[str, str] = {}
    for number, source in enumerate(config.source, 1):
        place = ("source", str(number))
        unset = _unset(source) if here else ()
        for key, what in (*_of_source(config, source), *unset):
            yield (*place, *key.split(".")), what
        name = config.database(source)
        other = names.get(name.casefold())
        if other is not None:
            differs = "" if other == name else f", but for case '{other}', which files may not tell"
            what = f"a second source is called '{name}'{differs}; set `name` in one of them"
            yield (*place, "name"), what
        names[name.casefold()] = name
    yield from _splits(config)
    yield from _neo4j(config)


def warnings(config: Config) -> Iterator[str]:
    """What a configuration that can be built may not mean."""
    yield from split_warnings(config)
    yield from _long_draws(config)


def split_warnings(config: Config) -> Iterator[str]:
    """Splits that must be empty, though shares are asked of them."""
    by, groups = _groups(config)
    wanted = _wanted(config)
    if by != "shape" and 1 < groups < len(wanted):
        yield (
            f"there are {groups} {by}s for {len(wanted)} splits, each of which lies wholly in one: "
            f"one of {', '.join(wanted)} gets no record."
        )


def _long_draws(config: Config) -> Iterator[str]:
    """Synthetic graphs that take minutes to draw."""
    for source in config.source:
        elements = (source.nodes or 0) + (source.edges or 0) if source.kind == "synthetic" else 0
        if elements > _MANY:
            yield (
                f"{config.database(source)} has {elements:,} nodes and edges, which take "
                f"{elements / _DRAWN / 60:,.0f} minutes or more to draw."
            )


def _neo4j(config: Config) -> Iterator[Problem]:
    """The address of a server that nobody asks, or that is none."""
    url = config.certify.neo4j_url
    place = ("certify", "neo4j_url")
    if url and "neo4j" not in config.engines:
        yield place, "engines does not name 'neo4j', so that nothing would be proven there"
    elif url and not is_bolt(url):
        yield place, f"no Bolt URL, such as bolt://localhost:7687: {without_user(url)}"


def _of_source(config: Config, source: Source) -> Iterator[tuple[str, str]]:
    """What is wrong with which key of a source."""
    keys = {"pairs": source.pairs, "lexicon": source.lexicon}
    if source.kind == "relational":
        keys |= {"url": "" if source.is_server else source.url, "script": source.script}
    else:
        keys["path"] = source.path
    if source.kind == "synthetic":
        keys |= {f"taxonomy.{n}": text for n, text in enumerate(source.taxonomy, 1)}
    unreadable = False
    for key, text in sorted(keys.items()):
        if key == "path":
            text = "" if "://" in text else parted(str(config.folder / text))[0]
        if not text:
            continue
        path = config.path(text)
        if not path.exists():
            unreadable = True
            yield key, f"no such file: {path}"
            continue
        try:
            check_regular(path)
        except GraphmillError as problem:
            unreadable = True
            yield key, str(problem)
            continue
        if path.is_dir() and key in ("pairs", "lexicon", "url", "script"):
            yield key, f"a folder, and no file: {path}"
        elif key == "url":
            yield from ((key, what) for what in _no_database(path))
    if source.kind == "synthetic" and not unreadable:
        yield from _domain(config, source)


def _unset(source: Source) -> Iterator[tuple[str, str]]:
    """Variables of a server's address that this process does not have."""
    if source.kind == "relational" and source.is_server:
        for name in VARIABLE.findall(source.url):
            if name not in os.environ:
                yield "url", f"the variable {name} is not set ({REMEDY})"


def _no_database(path: Path) -> Iterator[str]:
    """Why a file is no database that can be read; an empty one is told when it is converted."""
    try:
        with path.open("rb") as stream:
            head = stream.read(_HEAD)
    except OSError as problem:
        yield f"cannot be read: {path}: {problem.strerror}"
    else:
        if head and not any(kind.accepts(str(path), path, head) for kind in (SQLITE, DUCKDB)):
            yield f"neither {SQLITE.says} nor {DUCKDB.says}: {path}"


def _domain(config: Config, source: SyntheticSource) -> Iterator[tuple[str, str]]:
    """A domain that neither the taxonomy nor a model knows."""
    if source.path or config.author.kind == "llm":
        return
    from pipelines.synth.domains import asked_domain  # which is slow to import, and often not used

    taxonomy = [config.path(text) for text in source.taxonomy]
    try:
        asked_domain(f"{source.domain}/{source.subdomain}", taxonomy, made_up=False)
    except UnknownDomain as problem:
        yield (
            "subdomain",
            f"{problem.near} One of your own is named by `taxonomy`, a schema by `path`; with "
            '[author] kind = "llm" a model writes one of any domain',
        )
    except GraphmillError as problem:
        yield "subdomain", str(problem)


def _splits(config: Config) -> Iterator[Problem]:
    """Splits that cannot be as they are asked for."""
    corpus = config.corpus
    wanted = _wanted(config)
    synthetic = any(source.kind == "synthetic" for source in config.source)
    if corpus.test == "synthetic-only" and not synthetic and "test" in wanted:
        yield (
            ("corpus", "test"),
            "no source is synthetic, so that test would be empty: add one, or give test no share "
            "(splits = { train = 0.9, validation = 0.1, test = 0.0 })",
        )
    by, groups = _groups(config)
    if corpus.split_by and by != "shape" and groups == 1 and len(wanted) > 1:
        yield (
            ("corpus", "split_by"),
            f"all is of one {by}, which lies wholly in one split, so that the others would be "
            'empty: split_by = "shape" splits it',
        )


def _wanted(config: Config) -> list[str]:
    """The splits with a share."""
    return [split for split in SPLITS if getattr(config.corpus.splits, split) > 0]


def _groups(config: Config) -> tuple[str, int]:
    """What no two splits share, and how many there are of it; of shapes, nobody knows yet (0)."""
    by = config.corpus.split_by or ("database" if len(config.source) > 1 else "shape")
    of_domains = len({source.domain for source in config.source})
    return by, {"database": len(config.source), "domain": of_domains}.get(by, 0)
