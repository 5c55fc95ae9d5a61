"""Names of two parts are whole: the first name of the only one with a last name stands beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from generators.queries.archetypes.facets import Facets
from generators.queries.archetypes.full_names import FullNames
from generators.queries.base import Ground
from graph_ir.cypher.reader import parse
from pipelines.build.context import DatabaseContext, Graph
from pipelines.build.query_oracle import QueryOracle
from tests.schema_text import parse_schema
