"""A copy of a graph in which every text has a made-up one, the same wherever it stands.

What is made of the copy (queries, questions, answers) is then consistent by itself.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from pipelines.pseudonyms import graph_copy
from pipelines.pseudonyms.words import Pseudonyms


def pseudonymous(graph: Path, out: Path, seed: int) -> tuple[Pseudonyms, frozenset[str]]:
    """Write the copy to `out`, with the lexicons that lie in the graph, whose words are of its
    schema; returns what stands for what, and the names of the schema.

    Raises:
        ConfigError: `out` is not empty.
        SchemaError: the graph is damaged.
    """
    values = graph_copy.values_of(graph)
    made = Pseudonyms(values.texts, values.numbers, values.names, seed=seed)
    graph_copy.copied(graph, out, made, "pseudonyms", seed)
    for path in sorted(graph.glob("lexicon.*.json")):
        shutil.copyfile(path, out / path.name)
    return made, values.names
