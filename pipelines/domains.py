"""What `graphmill synth` and synthetic sources ask for: a domain, or a schema folder."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from generators.questions.lexicon import FILE as LEXICON_FILE
from generators.questions.lexicon import lexicon_text
from generators.schemas.author import SchemaRequest
from generators.schemas.rules import RuleSchemaAuthor
from generators.taxonomy.load import load_taxonomy, subdomain
from graphmill.errors import ConfigError
from graphmill.seed import rng
from pipelines.synthesis import Synthesised, synthesise
from schemagraph.model import SchemaGraph
from schemagraph.serde import load_schema
from schemagraph.specification import Specification, load_specification

NODES = 10_000


@dataclass(frozen=True, slots=True)
class Order:
    """A graph that is wanted: schema, distributions, size, seed and place."""

    schema: SchemaGraph
    specification: Specification
    out: Path
    nodes: int
    edges: int | None
    seed: int
    origin: dict[str, Any]
    files: dict[str, str] = field(default_factory=dict)
    csv: bool = False
    licence: str = ""
    allow_degraded: bool = False

    @property
    def title(self) -> str:
        """What is made, in a line."""
        types = f"{len(self.schema.nodes)} node types and {len(self.schema.edges)} edge types"
        return f"Synthesising {self.schema.name}: {types}, {self.nodes} nodes, seed {self.seed}."

    def make(self) -> Synthesised:
        """Draw it; raises as `synthesise` does."""
        return synthesise(
            self.schema,
            self.specification,
            self.out,
            nodes=self.nodes,
            edges=self.edges,
            seed=self.seed,
            origin=self.origin,
            files=self.files,
            csv=self.csv,
            licence=self.licence,
            allow_degraded=self.allow_degraded,
        )


def names(taxonomy: Sequence[Path] = ()) -> list[str]:
    """All sub-domains, `industry/sub-domain`, sorted.

    Raises:
        ConfigError: a file of the taxonomy is wrong.
    """
    return sorted(load_taxonomy(tuple(taxonomy)).names())


def order_for_domain(
    path: str,
    out: Path,
    *,
    nodes: int = NODES,
    edges: int | None = None,
    seed: int = 7,
    level: int = 3,
    taxonomy: Sequence[Path] = (),
    licence: str = "",
) -> Order:
    """An order for a sub-domain; its schema is written by rule from the taxonomy and the seed.

    Raises:
        GraphmillError: there is no such sub-domain or level.
    """
    request = SchemaRequest(subdomain(load_taxonomy(tuple(taxonomy)), path), level)
    author = RuleSchemaAuthor()
    proposal = next(author.generate(request, rng(seed, "schema", path, level)))
    industry, _, sub = path.partition("/")
    return Order(
        proposal.schema,
        proposal.specification,
        out,
        nodes,
        edges,
        seed,
        {
            "domain": industry,
            "subdomain": sub,
            "level": level,
            "schema_author": {"name": author.name, "version": author.version},
        },
        {LEXICON_FILE: lexicon_text(proposal.lexicon)},
        licence=licence,
    )


def order_for_folder(
    folder: Path,
    out: Path,
    *,
    nodes: int | None = None,
    edges: int | None = None,
    seed: int = 7,
    licence: str = "",
) -> Order:
    """An order for a schema of the user's, with the numbers of its specification by default.

    Raises:
        SchemaError: a file is missing or wrong.
    """
    schema, given = load_schema(folder), load_specification(folder)
    if nodes is None:
        counts = [part.count for part in given.nodes.values()]
        links = [part.count for part in given.edges.values()]
        nodes = sum(n or 0 for n in counts) if None not in counts else NODES
        if edges is None and None not in counts and None not in links:
            edges = sum(n or 0 for n in links)
    lexicon = folder / LEXICON_FILE
    files = {LEXICON_FILE: lexicon.read_text(encoding="utf-8")} if lexicon.is_file() else {}
    origin = {"schema_author": {"name": "given"}}
    return Order(schema, given, out, nodes, edges, seed, origin, files, licence=licence)


def order_for(arguments: argparse.Namespace) -> Order:
    """The order of a command line.

    Raises:
        GraphmillError: an argument is missing, or the domain or folder cannot be used.
    """
    if bool(arguments.domain) == bool(arguments.schema):
        raise ConfigError(
            "Give a domain (`graphmill synth --list` prints all of them), or --schema FOLDER."
        )
    if arguments.out is None:
        raise ConfigError("Say where the graph goes: --out FOLDER.")
    for name in ("nodes", "edges"):
        value = getattr(arguments, name)
        if value is not None and value < 1:
            raise ConfigError(f"--{name} must be at least 1.")
    size = {"edges": arguments.edges, "seed": arguments.seed}
    if arguments.schema:
        order = order_for_folder(arguments.schema, arguments.out, nodes=arguments.nodes, **size)
    else:
        order = order_for_domain(
            arguments.domain,
            arguments.out,
            nodes=arguments.nodes or NODES,
            level=arguments.level,
            taxonomy=arguments.taxonomy,
            **size,
        )
    return replace(order, csv=arguments.csv, allow_degraded=arguments.allow_degraded)
