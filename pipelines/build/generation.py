"""Who drafts the queries of a database: the rules, or a model."""

from __future__ import annotations

from generators.queries.archetypes.load import load_archetypes, own_archetypes
from pipelines.author.authors import ModelAuthor
from pipelines.build.augmentation import Drafter
from pipelines.build.context import DatabaseContext
from pipelines.build.model_generation import ModelDrafter
from pipelines.build.query_oracle import QueryOracle
from pipelines.build.rule_generation import RuleDrafter
from pipelines.configuration.config import Config
from schemagraph.folder.statistics import GraphStatistics


def drafter(config: Config, database: DatabaseContext, statistics: GraphStatistics) -> Drafter:
    """Those who draft for one database under this configuration."""
    own = own_archetypes()
    if config.queries.archetypes:
        folders = [config.path(text) for text in config.queries.archetypes]
        own = (*own, *load_archetypes(folders))
    ground = QueryOracle(database, statistics)
    if isinstance(config.author, ModelAuthor) and config.author.queries == "llm":
        return ModelDrafter(database.graph.db, ground, database.client)
    return RuleDrafter(database, ground, own)
