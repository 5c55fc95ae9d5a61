"""What `graphmill synth` and synthetic sources ask for: a domain, or a schema folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from generators.questions.lexicon.completion.complete import derived_for
from generators.questions.lexicon.completion.store import read_for
from generators.questions.lexicon.model import FILE as LEXICON
from generators.questions.lexicon.toml_file import lexicon_text
from generators.schemas.author import SchemaProposal, SchemaRequest
from generators.schemas.fitting import fitted
from generators.schemas.model import ModelSchemaAuthor
from generators.schemas.national import AS_OF
from generators.schemas.rules import RuleSchemaAuthor
from generators.synthesis.model import STAGE, ModelProgramAuthor
from generators.synthesis.writer import write_program
from generators.taxonomy import nearest
from generators.taxonomy.load import load_taxonomy, shipped_subdomain, spelled, subdomain
from generators.taxonomy.model import SubDomain
from graphmill.errors import ConfigError
from graphmill.files import digest, write_text
from graphmill.llm.client import Client
from graphmill.record import Reject
from graphmill.seed import rng
from pipelines.author.authoring import AuthoringError, author_schema
from pipelines.synth.ledger import program_rejects, write_ledger
from pipelines.synth.synthesis import (
    Attempt,
    ProgramAuthor,
    Synthesised,
    SynthesisError,
    synthesise,
)
from schemagraph.folder.serde import load_schema, schema_to_json
from schemagraph.model import SchemaGraph
from schemagraph.specification.model import FILE as SPECIFICATION_FILE
from schemagraph.specification.model import Specification, load_specification, specification_text

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
    author: ProgramAuthor | None = None
    rejects: tuple[Reject, ...] = ()
    ledger: Path | None = None

    @property
    def title(self) -> str:
        """What is made, in a line."""
        types = f"{len(self.schema.nodes)} node types and {len(self.schema.edges)} edge types"
        return f"Synthesising {self.schema.name}: {types}, {self.nodes} nodes, seed {self.seed}."

    def content(self) -> list[Any]:
        """All that the graph depends on: part of the key of its work."""
        given = specification_text(self.specification)
        size = [self.nodes, self.edges, self.seed]
        program: Any = digest(write_program(self.schema, self.specification))
        if self.author is not None:
            program = [self.author.name, self.author.origin()]
        return [schema_to_json(self.schema), given, size, program, self.files, self.licence]

    def make(self) -> Synthesised:
        """Draw it; raises as `synthesise` does. A model's rounds go into a ledger beside it."""
        author = self.author
        if not isinstance(author, ModelProgramAuthor):
            return self._make()
        ledger = self.ledger or ledger_beside(self.out)
        try:
            made = self._make()
        except SynthesisError as problem:
            write_ledger(ledger, self._rejects(author, problem.attempts))
            message = f"{problem} Every round: {ledger}."
            raise type(problem)(message, problem.attempts) from problem
        author.client.budget.accept(STAGE)
        write_ledger(ledger, self._rejects(author, made.attempts))
        return made

    def _rejects(
        self, author: ModelProgramAuthor, attempts: Sequence[Attempt]
    ) -> tuple[Reject, ...]:
        return (*self.rejects, *program_rejects(author, self.schema.name, attempts))

    def _make(self) -> Synthesised:
        return synthesise(
            self.schema,
            self.specification,
            self.out,
            nodes=self.nodes,
            edges=self.edges,
            seed=self.seed,
            origin=self.origin,
            files=self.files,
            finish=_complete_words,
            csv=self.csv,
            licence=self.licence,
            allow_degraded=self.allow_degraded,
            author=self.author,
        )


def _complete_words(graph: Path) -> None:
    write_text(graph / LEXICON, lexicon_text(derived_for(graph)))


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
    client: Client | None = None,
    ledger: Path | None = None,
) -> Order:
    """An order for a sub-domain; its schema is written by rule from the taxonomy and the seed,
    and drawn for the numbers asked.

    With `client`, a model writes schema and program; what it wrote and could not be used goes
    into the file `ledger`, by default beside the graph.

    Raises:
        AuthoringError: the model wrote no schema that can be used; its rounds are in the ledger.
        ConfigError: no schema of the domain has so many nodes and edges; with the range.
        GraphmillError: there is no such sub-domain or level.
    """
    request = SchemaRequest(asked_domain(path, taxonomy, made_up=client is not None), level)
    path = request.domain.path
    proposal, origin, rejects = _proposal(
        request, seed, client, (nodes, edges), ledger or ledger_beside(out)
    )
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
            **({"as_of": AS_OF} if client is None else {}),
            "subdomain": sub,
            "level": level,
            "schema_author": origin,
        },
        {LEXICON: lexicon_text(proposal.lexicon, digests=False)},
        licence=licence,
        author=None if client is None else ModelProgramAuthor(client, seed),
        rejects=rejects,
        ledger=ledger,
    )


def asked_domain(path: str, taxonomy: Sequence[Path], *, made_up: bool) -> SubDomain:
    """The sub-domain called `path`, case, spaces, hyphens and underscores aside; with `made_up`,
    one of that name alone where there is none.

    The one of a FILE among `taxonomy` may be called by its own name, without its folder's.

    Raises:
        UnknownNameError: there is none; the message names the nearest ones and other ways.
    """
    shipped = None if taxonomy else shipped_subdomain(path)
    if shipped is not None:
        return shipped
    known = load_taxonomy(tuple(taxonomy))
    own = [file.stem for file in taxonomy if file.is_file()]
    path = spelled(path, known.subdomains if "/" in path else (*own, *known.industries))
    if path in own:
        path = next(name for name in known.names() if name.partition("/")[2] == path)
    if made_up and path not in known.subdomains and path not in known.industries:
        return nearest.made_up(path)
    return subdomain(known, path)


def ledger_beside(out: Path) -> Path:
    """Where the ledger of a graph lies that is no part of a corpus."""
    return out.with_name(f"{out.name}.rejects.jsonl")


def _proposal(
    request: SchemaRequest,
    seed: int,
    client: Client | None,
    size: tuple[int, int | None],
    ledger: Path,
) -> tuple[SchemaProposal, dict[str, Any], tuple[Reject, ...]]:
    """The schema with who wrote it, and the ledger of a model's rounds."""
    random = rng(seed, "schema", request.domain.path, request.level)
    if client is None:
        author = RuleSchemaAuthor()
        proposal = fitted(author.generate(request, random), *size)
        return proposal, {"name": author.name, "version": author.version}, ()
    try:
        made = author_schema(ModelSchemaAuthor(client), request, random.getrandbits(31), size)
    except AuthoringError as problem:
        write_ledger(ledger, problem.rejects)
        raise AuthoringError(f"{problem} Every round: {ledger}.", problem.rejects) from problem
    return made.proposal, made.origin, made.rejects


def order_for_folder(
    folder: Path,
    out: Path,
    *,
    nodes: int | None = None,
    edges: int | None = None,
    seed: int = 7,
    licence: str = "",
    client: Client | None = None,
    ledger: Path | None = None,
) -> Order:
    """An order for a schema of the user's, with the numbers of its specification by default.

    With `client`, a model writes the program.

    Raises:
        LexiconError: the lexicon beside the schema is wrong, or does not fit it.
        SchemaError: a file is missing or wrong.
    """
    schema, given, folder = given_schema(folder)
    if nodes is None:
        counts = [part.count for part in given.nodes.values()]
        links = [part.count for part in given.edges.values()]
        nodes = sum(n or 0 for n in counts) if None not in counts else NODES
        if edges is None and None not in counts and None not in links:
            edges = sum(n or 0 for n in links)
    lexicon = folder / LEXICON
    files = {}
    if lexicon.is_file():
        read_for(lexicon, schema)
        files[LEXICON] = lexicon.read_text(encoding="utf-8")
    origin = {"schema_author": {"name": "given"}}
    author = None if client is None else ModelProgramAuthor(client, seed)
    return Order(
        schema,
        given,
        out,
        nodes,
        edges,
        seed,
        origin,
        files,
        licence=licence,
        author=author,
        ledger=ledger,
    )


def given_schema(path: Path) -> tuple[SchemaGraph, Specification, Path]:
    """Schema and specification of the user's, and their folder. `path` is that folder, or the
    schema's file, with `distributions.json` beside it.

    Raises:
        ConfigError: there is no `distributions.json` beside the file.
        SchemaError: a file is missing or wrong.
    """
    if path.is_dir() or not path.exists():
        return load_schema(path), load_specification(path), path
    folder = path.parent
    if path.name == SPECIFICATION_FILE:
        return load_schema(folder), load_specification(folder), folder
    schema = load_schema(path)
    if not (folder / SPECIFICATION_FILE).is_file():
        raise ConfigError(
            f"There is no {folder / SPECIFICATION_FILE}: it says how many nodes and edges of each "
            f"type of {path.name} there are and how values are distributed (docs/synthesis.md)."
        )
    return schema, load_specification(folder), folder


def order_for(
    domain: str | None,
    out: Path,
    *,
    schema: Path | None = None,
    nodes: int | None = None,
    edges: int | None = None,
    seed: int = 7,
    level: int = 3,
    taxonomy: Sequence[Path] = (),
    csv: bool = False,
    allow_degraded: bool = False,
    client: Client | None = None,
) -> Order:
    """The order for a domain or for the user's `schema`, by rule or by the model of `client`.

    Of a single file in `taxonomy` the domain need not be named.

    Raises:
        GraphmillError: an argument is missing, or the domain or folder cannot be used.
    """
    files = [path for path in taxonomy if path.is_file()]
    if not domain and not schema and len(files) == 1:
        domain = files[0].stem
    if bool(domain) == bool(schema):
        raise ConfigError(
            "Give a domain (`graphmill synth --list` prints all of them), or --schema with a file "
            "or folder."
        )
    for name, value in (("nodes", nodes), ("edges", edges)):
        if value is not None and value < 1:
            raise ConfigError(f"--{name} must be at least 1.")
    if schema:
        order = order_for_folder(schema, out, nodes=nodes, edges=edges, seed=seed, client=client)
    else:
        order = order_for_domain(
            domain or "",
            out,
            nodes=nodes or NODES,
            edges=edges,
            seed=seed,
            level=level,
            taxonomy=taxonomy,
            client=client,
        )
    return replace(order, csv=csv, allow_degraded=allow_degraded)
