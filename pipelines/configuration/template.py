"""`graphmill init`: a configuration with comments, ready to edit."""

from __future__ import annotations

from pathlib import Path

from graphmill.errors import ConfigError
from graphmill.files import write_text

TEMPLATE = """\
# What graphmill builds. Paths are relative to this file.

[corpus]
name = "my-corpus"
seed = 7                           # same sources, configuration and seed: same bytes
languages = ["cypher", "gql"]      # every released pair has these; else it goes to the ledger
also = ["ngql"]                    # shipped where the meaning can be said in them
splits = { train = 0.8, validation = 0.1, test = 0.1 }
licence = "not stated"

[[source]]
kind = "relational"                # a relational database …
url = "sqlite:///shop.sqlite"      # duckdb:///…, postgresql://USER:${PASSWORD}@HOST/DB, mysql://…
# script = "fill.py"               # … or a program whose fill(path) writes one
domain = "retail"                  # for the card and the splits
subdomain = "online-shop"
pairs = "questions.jsonl"          # lines {"question": …, "sql": …}

# [[source]]
# kind = "graph"                   # networkx node-link JSON
# path = "movies.json"
# domain = "entertainment"
# subdomain = "films"
# pairs = "movies.jsonl"           # lines {"question": …, "cypher": …}

# [[source]]
# kind = "synthetic"               # a graph that is drawn (docs/synthesis.md)
# domain = "finance"               # `graphmill synth --list` prints all of them
# subdomain = "anti-money-laundering"
# nodes = 20_000
# edges = 80_000
# level = 3                        # size of the schema, 1 to 5
# pairs = "aml.jsonl"

[queries]
per_database = 200                 # released pairs; what the sources do not bring is grown
# grow = false                     # only the pairs that the sources bring
difficulty = { easy = 0.20, medium = 0.34, hard = 0.26, extra_hard = 0.20 }   # or "paper"
# constructs = { variable-length = 0.08, multi-stage = 0.12 }   # least shares (docs/queries.md)
# discrimination = 0.8             # least share of its mutants that a query is told from
# archetypes = ["my-archetypes"]   # folders with archetypes of yours

[certify]
engines = ["grafeo", "duckdb"]     # the source's own engine always; "neo4j": a local one, or
# neo4j_url = "bolt://…"           # this server; "all": every engine that is installed
timeout = 30                       # seconds a query
memory_mb = 4096                   # an engine

# [split.test]                     # what the records of one split have besides
# also = ["all"]                   # every other language that can say them
# engines = ["all", "neo4j"]       # and every engine that is installed

[author]
kind = "rules"                     # no model, no network, no cost. Or:
# kind = "llm"                     # any OpenAI-compatible endpoint (docs/llm.md)
# base_url = "http://127.0.0.1:8000/v1"
# model = "my-model"
# api_key_env = "OPENAI_API_KEY"   # the name of the variable that holds the key, never the key
# budget_usd = 20                  # a hard limit; what is finished is kept
# prices = { input = 2.0, output = 8.0 }   # dollars a million tokens, as your provider lists them
# concurrency = 16                 # calls at a time
# queries = "llm"                  # or "rules"
# questions = "llm"                # or "rules"
"""


def write_template(path: Path) -> None:
    """Write the commented configuration to `path`.

    Raises:
        ConfigError: there is a file already.
    """
    if path.exists():
        raise ConfigError(f"{path} is there already; give another name with --out.")
    write_text(path, TEMPLATE)
