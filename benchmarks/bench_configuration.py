"""Write `data/sources/bench/corpus.toml`: two graphs of every sub-domain of the taxonomy.

    python benchmarks/bench_configuration.py data/sources/bench/corpus.toml

Sizes are spread evenly over the logarithm: 1,000 to 14,000 nodes for the smaller graph of a
sub-domain, 14,000 to 200,000 for the larger one, and 1,000,000 for three of those.
"""

from __future__ import annotations

import sys
from pathlib import Path

from graphmill.files import data_folder, write_text

HEAD = """\
# The corpus that graphmill ships as a configuration: two graphs of every sub-domain of the
# taxonomy, and the relational examples. It needs no network and no key.
# Written by benchmarks/bench_configuration.py.
#
#     graphmill build example:bench --size small|medium|full

[corpus]
name = "bench"
seed = 7
languages = ["cypher", "gql"]      # of every pair; nGQL of those that it can say
also = ["ngql"]
splits = { train = 0.76, validation = 0.1, test = 0.14 }
split_by = "domain"                # no domain of test is in train
licence = "Apache-2.0"

[queries]                          # as --size small
per_database = 16
difficulty = { easy = 0.20, medium = 0.34, hard = 0.26, extra_hard = 0.20 }

[duplicates]
per_shape = 20                     # of queries that differ in their values only

[split.test]                       # where there is no Neo4j: --without neo4j
also = ["all"]
engines = ["all", "neo4j"]

[size.small]                       # 2,000 pairs
per_database = 16
most_nodes = 2000

[size.medium]                      # 22,273 pairs, as many as Text2GQL-Bench has
per_database = 174
most_nodes = 20000

[size.full]                        # 100,000 pairs: small graphs have up to a third fewer
per_database = 980
alike = 0.0106                     # ten of a shape in a graph, twenty in both of a sub-domain
"""

RELATIONAL = """\
[[source]]
kind = "relational"
script = "../{name}/fill.py"
name = "{name}"
domain = "{domain}"
subdomain = "{subdomain}"
pairs = "../{name}/questions.jsonl"
lexicon = "../{name}/lexicon.toml"
licence = "Apache-2.0"
"""
EXAMPLES = {  # and the domain of each
    "museum_loans": "culture",
    "night_trains": "transport",
    "grain_cooperative": "agriculture",
    "clinical_trials": "healthcare",
}

LEAST, MIDDLE, MOST, HUGE = 1_000, 14_000, 200_000, 1_000_000
HUGE_ONES = ("social-network", "payment-fraud", "mobile-network")


def configuration(taxonomy: Path) -> str:
    """The text of the configuration."""
    files = sorted(path for path in taxonomy.glob("*/*.toml") if not path.name.startswith("_"))
    parts = [HEAD]
    for name, domain in EXAMPLES.items():
        subdomain = name.replace("_", "-")
        parts.append(RELATIONAL.format(name=name, domain=domain, subdomain=subdomain))
    for number, file in enumerate(files):
        place = number / (len(files) - 1)
        for name, level, low, high, seed in (
            (file.stem, 2, LEAST, MIDDLE, 7),
            (f"{file.stem}-large", 4, MIDDLE, MOST, 8),
        ):
            nodes = round(low * (high / low) ** place, -2)
            if level == 4 and file.stem in HUGE_ONES:
                nodes = HUGE
            parts.append(
                f'[[source]]\nkind = "synthetic"\nname = "{name}"\ndomain = "{file.parent.name}"\n'
                f'subdomain = "{file.stem}"\nnodes = {int(nodes)}\nlevel = {level}\nseed = {seed}\n'
                'licence = "Apache-2.0"\n'
            )
    return "\n".join(parts)


if __name__ == "__main__":
    write_text(Path(sys.argv[1]), configuration(data_folder() / "taxonomy"))
