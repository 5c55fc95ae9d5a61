"""Draw a graph in this process, for tests that need its tables and no sandbox."""

from pathlib import Path
from typing import Any

import numpy as np

from generators.synthesis.sizes import sized
from generators.synthesis.spec import load_specification
from generators.synthesis.writer import write_program
from schemagraph.folder.serde import load_schema
from schemagraph.model import SchemaGraph
from schemagraph.specification.model import Specification, specification_to_json

PARCELS = Path(__file__).parent / "parcels"


def parcels(nodes: int = 3_000, edges: int | None = None) -> tuple[SchemaGraph, Specification]:
    """The example's schema, and its specification for a number of nodes."""
    schema = load_schema(PARCELS)
    return schema, sized(schema, load_specification(PARCELS), nodes, edges)


def draw(schema: SchemaGraph, given: Specification, seed: int, out: Path) -> None:
    """Run the program that is written for them."""
    space: dict[str, Any] = {"__name__": "program"}
    exec(compile(write_program(schema, given), "program.py", "exec"), space)
    value = specification_to_json(given, complete=True)
    space["generate"](value, np.random.default_rng(seed), out)
