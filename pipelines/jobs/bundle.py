"""A database on its way to a worker that does not see the coordinator's folders.

Through the store that they share: the graph, the file of its source, and archetypes of the user's
own are one object, found by their content. What must not travel is refused before anything is
sent.
"""

from __future__ import annotations

import io
import os
import shutil
import tempfile
import uuid
import zipfile
import zlib
from dataclasses import replace
from pathlib import Path

from graphmill.errors import ConfigError, GraphmillError
from graphmill.files import file_digest
from graphmill.secrets import has_secret, without_user
from pipelines.author.authors import ModelAuthor
from pipelines.build.context import Graph
from pipelines.configuration.config import Config, RelationalSource
from pipelines.configuration.expansion import VARIABLE
from pipelines.configuration.store import MOST, key_of
from pipelines.jobs.shared import SharedStore

SERVER = "server"  # stands for the address of a source that workers find in their environment
_LOCATION = Path("graphmill-databases")


def check_travels(config: Config) -> None:
    """See that the configuration holds no password that would travel with units of work.

    Raises:
        ConfigError: it does.
    """
    addresses = {"certify.neo4j_url": config.certify.neo4j_url}
    if isinstance(config.author, ModelAuthor):
        addresses["author.base_url"] = config.author.base_url or ""
    for number, source in enumerate(config.source, 1):
        if isinstance(source, RelationalSource) and source.is_server:
            addresses[f"source.{number}.url"] = source.url
    for place, address in addresses.items():
        if has_secret(VARIABLE.sub("", address)):
            raise ConfigError(
                f"{place} holds a password or key, which would travel to every worker of the "
                "cluster: name a variable of the environment that each worker has "
                "(docs/scale.md)."
            )


def without_secrets(graph: Graph) -> Graph:
    """A graph as it may travel: the address of a server, which has a password, stays here."""
    bare = replace(graph, rejects=(), folder=graph.folder.absolute())
    if isinstance(bare.source, Path):
        return replace(bare, source=bare.source.absolute())
    return bare if bare.source is None else replace(bare, source=SERVER)


def send(config: Config, graph: Graph, shared: SharedStore) -> str:
    """Put a database into the store; the key that it has there.

    Raises:
        GraphmillError: it cannot be put there.
    """
    files = _files(config, graph)
    key = key_of("bundle", graph.fingerprint, [[name, file_digest(path)] for name, path in files])
    known = shared.get(key)
    if known is not None and zipfile.is_zipfile(io.BytesIO(known)):
        return key
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as bundle:
        for name, path in files:
            bundle.writestr(zipfile.ZipInfo(name), path.read_bytes())
    if body.tell() > MOST - 1_000:  # beside it the object has its key
        raise GraphmillError(
            f"{graph.db} has {body.tell():,} bytes when packed, and an object of a store at most "
            f"{MOST:,}: give all machines one file system instead of --store."
        )
    shared.put(key, body.getvalue())
    if not shared.has(key):
        raise GraphmillError(
            f"{graph.db} could not be put into the store {without_user(shared.url)}, so that no "
            "worker would see it."
        )
    return key


def fetched(config: Config, graph: Graph, key: str, shared: SharedStore) -> tuple[Config, Graph]:
    """A database that was sent, in a folder of this machine, and the configuration for it.

    Raises:
        GraphmillError: the store does not have it.
    """
    top = Path(tempfile.gettempdir()) / _LOCATION / key[:32]
    if not top.is_dir():
        body = shared.get(key)
        if body is None:
            raise GraphmillError(
                f"The store {without_user(shared.url)} does not have the graph of {graph.db}."
            )
        draft = top.with_name(f"{top.name}.{os.getpid()}.{uuid.uuid4().hex}.part")
        try:
            with zipfile.ZipFile(io.BytesIO(body)) as bundle:
                bundle.extractall(draft)
        except (zipfile.BadZipFile, NotImplementedError, RuntimeError, zlib.error) as problem:
            shutil.rmtree(draft, ignore_errors=True)
            raise GraphmillError(
                f"The graph of {graph.db} in the store {without_user(shared.url)} is damaged: "
                f"{problem}. Remove the object {key[:2]}/{key} there; the next build puts it anew."
            ) from problem
        try:
            draft.rename(top)
        except OSError:  # another worker of this machine was first
            shutil.rmtree(draft, ignore_errors=True)
    moved = replace(graph, folder=top / "graph")
    if isinstance(graph.source, Path):
        moved = replace(moved, source=top / "source" / graph.source.name)
    own = tuple(
        str(top / "archetypes" / str(number)) for number in range(len(config.queries.archetypes))
    )
    queries = config.queries.model_copy(update={"archetypes": own})
    return config.model_copy(update={"queries": queries}), moved


def at_home(config: Config, graph: Graph) -> Graph:
    """A graph whose source is a server, with the address that this machine's environment gives.

    Raises:
        ConfigError: a variable that the address names is not set here.
    """
    if graph.source != SERVER:
        return graph
    for source in config.source:
        if isinstance(source, RelationalSource) and config.database(source) == graph.db:
            return replace(graph, source=config.address(source))
    return graph


def _files(config: Config, graph: Graph) -> list[tuple[str, Path]]:
    """What is sent, by its name there."""
    wanted = [("graph", graph.folder)]
    for number, text in enumerate(config.queries.archetypes):
        wanted.append((f"archetypes/{number}", config.path(text)))
    files = [
        (f"{name}/{path.relative_to(folder).as_posix()}", path)
        for name, folder in wanted
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "instances" not in path.relative_to(folder).parts[:1]
    ]
    if isinstance(graph.source, Path):
        files.append((f"source/{graph.source.name}", graph.source))
    return files
