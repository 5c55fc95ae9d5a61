"""Small corpora written by hand, for tests of the pages that show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from graphmill.files import file_digest, write_json_lines, write_records, write_text
from graphmill.record import (
    DIFFICULTIES,
    FORMAT,
    SPLITS,
    Answer,
    Certificate,
    Evolved,
    Provenance,
    Questions,
    Record,
    Reject,
)
from pipelines.release.folder import split_file
from pipelines.release.lock import write_lock
from pipelines.release.pages import rewrite_pages
from tests.engines.graphs import write_graph

LANGUAGES = ("cypher", "gql", "ngql")
FUNNEL = {
    "stages": {"candidates": 9, "translate": 8, "prove": 7, "check": 7, "released": 6},
    "rejects": [],
    "grown": [],
}
HOSTILE = (
    "<script>window.hit=1</script>",
    "</title></style><script>window.hit=1</script>",
    "javascript:window.hit=1",
    '"><img src=x onerror="window.hit=1">',
    "{{ 7 * 7 }} {% raw %} ]]> --> <!--",
    "\u202egnitset\u202c\u2066 \x00\x1b[31m \ud800",
    "| cell | [link](javascript:window.hit=1) `code`",
    "Longest" * 40,
)


def record(number: int, **changes: Any) -> Record:
    """A record that every engine would answer: the age of a person."""
    cypher = f"MATCH (p:Person)-[:KNOWS]->(q:Person) WHERE p.age > {number} RETURN q.name AS name"
    hash_ = f"{number:064x}"
    made = Record(
        schema="s",
        db="contract",
        domain="society",
        subdomain="friends",
        questions=Questions(
            f"Whom do people over {number} know?",
            f"Match a person with age over {number}; return the name of whom they know.",
            f"Find the names of people whom a person of age over {number} knows.",
            f"Who is known by someone over {number}?",
        ),
        queries={"cypher": cypher, "gql": cypher, "ngql": cypher if number % 2 else ""},
        provenance=Provenance("pairs", "0", 7, source=f"contract:{number}"),
        difficulty=DIFFICULTIES[number % 4],
        split=SPLITS[number % 3],
        constructs=("match", "directed-edge", "comparison", "return"),
        answer=Answer(("name",), 2, hash_, (("Bob",), ("Cid",))),
        certificates=(
            Certificate("grafeo", "0.6.0", "cypher-grafeo", 2, hash_, True, cypher),
            Certificate("duckdb", "2.0.0", "sql", 2, hash_, True, "SELECT 1"),
        ),
        discrimination={
            "score": 0.9,
            "instances": [],
            "mutants": {"changed-constant": 9, "flipped-direction": 1},
            "told_apart": {"changed-constant": 9},
            "survivors": [{"operator": "flipped-direction", "cypher": cypher}],
            "equivalent": [],
        },
    )
    return replace(made, **changes)


def grown(parent: Record) -> Record:
    """A record that was made of another."""
    cypher = str(parent.queries["cypher"]).replace("q.name AS name", "count(q) AS people")
    step = Evolved("summarise", str(parent.queries["cypher"]), "count")
    by = Provenance("evolution", "0", 7, source="contract", parent=parent.id, trace=(step,))
    texts = {"cypher": cypher, "gql": cypher, "ngql": ""}
    return replace(parent, queries=texts, provenance=by, difficulty="hard")


def hostile(number: int) -> Record:
    """A record whose texts are made to break a page."""
    bad = HOSTILE[number % len(HOSTILE)]
    bad = bad.replace("\ud800", "")  # Parquet has no lone surrogates
    cypher = "MATCH (p:Person) WHERE p.name = '" + bad.replace("'", "") + "' RETURN p.name AS name"
    return record(
        100 + number,
        questions=Questions(bad, bad, bad, bad),
        queries={"cypher": cypher, "gql": bad, "ngql": bad},
        external_knowledge=bad,
        source_sql=bad,
        domain=bad,
        subdomain=bad,
        constructs=("match", bad),
        answer=Answer((bad,), 1, "0" * 64, ((bad,),)),
        provenance=Provenance(bad, bad, 7, bad, bad, "", (Evolved(bad, cypher, bad),)),
    )


def write_corpus(
    folder: Path,
    records: Sequence[Record],
    rejects: Sequence[Reject] = (),
    name: str = "little",
    funnel: dict[str, Any] | None = None,
    *,
    pages: bool = True,
) -> Path:
    """A finished corpus of the contract suite's graph, with its pages unless told."""
    write_graph(folder / "graphs" / "contract")
    for split in SPLITS:
        chosen = [replace(r, schema="s") for r in records if r.split == split]
        if chosen:
            write_records(split_file(folder, split), chosen, LANGUAGES)
    write_json_lines(folder / "rejects.jsonl", (reject.to_json() for reject in rejects))
    import json

    write_text(folder / "funnel.json", json.dumps(FUNNEL if funnel is None else funnel))
    files = [*sorted((folder / "data").glob("*.parquet")), folder / "rejects.jsonl"]
    write_lock(
        folder,
        {
            "format": FORMAT,
            "config": {"corpus": {"name": name, "licence": "CC-BY-4.0"}},
            "code": "c",
            "libraries": {"python": "3"},
            "graphs": {"contract": {"fingerprint": "f", "domain": "society", "subdomain": "x"}},
            "files": {path.relative_to(folder).as_posix(): file_digest(path) for path in files},
        },
    )
    if pages:
        rewrite_pages(folder)
    return folder
