"""Who drafts the queries of a database: the rules, or a model."""

from __future__ import annotations

from generators.queries.archetypes import load_archetypes, own_archetypes
from pipelines.authors import ModelAuthor
from pipelines.config import Config
from pipelines.drafting import RuleDrafter
from pipelines.ground import WorkshopGround, statistics_of
from pipelines.growth import Drafter
from pipelines.model_drafting import ModelDrafter
from pipelines.store import Store
from pipelines.workshop import Workshop


def drafter(config: Config, shop: Workshop, store: Store) -> Drafter:
    """Those who draft for one database under this configuration."""
    own = own_archetypes()
    if config.queries.archetypes:
        folders = [config.path(text) for text in config.queries.archetypes]
        own = (*own, *load_archetypes(folders))
    ground = WorkshopGround(shop, statistics_of(shop.graph, config.corpus.seed, store))
    if isinstance(config.author, ModelAuthor) and config.author.queries == "llm":
        return ModelDrafter(shop.graph.db, ground, shop.client)
    return RuleDrafter(shop, ground, own)
