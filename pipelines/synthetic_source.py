"""Synthetic sources of a build: the graph is drawn once, and found by what it was asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from graphmill.llm.client import Client
from pipelines.authors import REPLIES, ModelAuthor
from pipelines.config import Config, SyntheticSource
from pipelines.domains import NODES, Order, order_for_domain, order_for_folder
from pipelines.progress import Watch
from pipelines.store import Store
from pipelines.workshop import Graph
from schemagraph.graphdata import graph_fingerprint


def drawn(
    config: Config, source: SyntheticSource, folder: Path, store: Store, watch: Watch
) -> Graph:
    """The graph of a synthetic source, by rule or by the model of the configuration."""
    db = config.database(source)
    if not source.pairs:
        watch.note(
            f"warning: {db} has no pairs, so it releases none: a synthetic source has only those "
            "that its setting `pairs` names."
        )
    if isinstance(config.author, ModelAuthor):  # the same request has the same answers
        wanted = [source.model_dump(), config.corpus.seed, config.author.model_dump()]
        order = None
    else:
        order = _order(config, source, folder)
        wanted = order.content()

    def work() -> str:
        if isinstance(config.author, ModelAuthor):
            seed = config.corpus.seed if source.seed is None else source.seed
            with config.author.connect(store.folder / f"{db}.{REPLIES}", seed=seed) as client:
                asked = _order(config, source, folder, client)
                watch.note(asked.title)
                asked.make()
        elif order is not None:
            watch.note(order.title)
            order.make()
        return graph_fingerprint(folder)

    fingerprint = str(store.done(store.key("synthesise", wanted, db), work))
    if not folder.is_dir() or graph_fingerprint(folder) != fingerprint:
        fingerprint = work()
    return Graph(db, folder, fingerprint, source.domain, source.subdomain)


def _order(
    config: Config, source: SyntheticSource, folder: Path, client: Client | None = None
) -> Order:
    """What a synthetic source asks for; with `client`, a model writes it."""
    size: dict[str, Any] = {
        "edges": source.edges,
        "seed": config.corpus.seed if source.seed is None else source.seed,
        "licence": source.licence,
        "client": client,
    }
    if source.path:
        return order_for_folder(config.path(source.path), folder, nodes=source.nodes, **size)
    return order_for_domain(
        f"{source.domain}/{source.subdomain}",
        folder,
        nodes=source.nodes or NODES,
        level=source.level,
        taxonomy=[config.path(text) for text in source.taxonomy],
        **size,
    )
