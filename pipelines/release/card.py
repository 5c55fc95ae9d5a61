"""The dataset card: metadata for the Hub and figures measured from this very corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from statistics import mean
from typing import Any

from graphmill.record import SPLITS, Record
from pipelines.build.context import Graph
from pipelines.configuration.config import Config
from pipelines.configuration.version import library_versions
from pipelines.release.figures import lengths, vocabulary

FORMS = {
    "original": "question",
    "syntactic": "question_syntactic",
    "logical": "question_logical",
    "business": "question_business",
}


def card(
    config: Config, records: Sequence[Record], graphs: Sequence[Graph], funnel: dict[str, Any]
) -> str:
    """`README.md` of a corpus."""
    present = [split for split in SPLITS if any(record.split == split for record in records)]
    head = [
        "---",
        "language: [en]",
        "task_categories: [text-generation]",
        "tags: [text-to-cypher, text-to-gql, graph-database, property-graph]",
        f"pretty_name: {config.corpus.name}",
        f"license: {_licence(config.corpus.licence)}",
        "configs:",
        "- config_name: default",
        "  default: true",
        "  data_files:",
        *(
            line
            for split in present
            for line in (f"  - split: {split}", f"    path: data/{split}-*.parquet")
        ),
        "---",
    ]
    return "\n".join([*head, "", *_body(config, records, graphs, funnel), ""])


def _body(
    config: Config, records: Sequence[Record], graphs: Sequence[Graph], funnel: dict[str, Any]
) -> list[str]:
    languages = _languages(config, records)
    forms = [name for name in FORMS if any(getattr(r.questions, name) for r in records)]
    pairs = sum(
        sum(bool(getattr(r.questions, form)) for form in forms) * len(r.queries) for r in records
    )
    return [
        f"# {config.corpus.name}",
        "",
        "Questions in natural language with the graph queries that answer them, and the graphs",
        "they run on. Each query was executed on independent engines, and their answers agree.",
        "",
        f"{len(records)} examples × {len(languages)} languages × {len(forms)} question forms: "
        f"{pairs} (question, query) pairs.",
        "",
        "## Size",
        "",
        *_table(
            ("", "total", *SPLITS),
            [
                _counts("domains", records, lambda r: r.domain),
                _counts("sub-domains", records, lambda r: (r.domain, r.subdomain)),
                _counts("databases", records, lambda r: r.db),
                _counts("examples", records, lambda r: r.id),
            ],
        ),
        "",
        "## Languages",
        "",
        *_table(
            ("language", "examples", "executed on"),
            [(lang, _having(lang, records), _executed(lang, records)) for lang in languages],
        ),
        "",
        "## Question forms",
        "",
        *_table(
            ("form", "examples", "words, mean", "distinct words"),
            [(form, *row.values()) for form, row in vocabulary(records).items()],
        ),
        "",
        "## Difficulty",
        "",
        *_table(
            ("tier", "examples", "share", "Cypher characters, mean"),
            [
                (tier, count, f"{share:.1%}", f"{length:.0f}" if count else "")
                for tier, count, share, length in lengths(records)
            ],
        ),
        "",
        "The tier follows from the parsed query by written rules (graphmill: docs/difficulty.md).",
        "",
        "## Where queries come from",
        "",
        *_table(("maker", "examples"), sorted(_makers(records).items())),
        "",
        *_discrimination(records),
        "## Certificates",
        "",
        *_table(
            ("engine", "version", "dialect", "executions", "agree"),
            _certificates(records),
        ),
        "",
        "## From candidates to records",
        "",
        *_table(("stage", "left"), list(funnel["stages"].items())),
        "",
        "`rejects.jsonl` names stage, code, reason and evidence for each candidate that is not",
        "here. `graphmill verify` runs every gold and every certificate again.",
        "",
        "## Sources",
        "",
        *_table(
            ("database", "domain", "sub-domain", "node types", "edge types", "licence"),
            [_source(config, graph) for graph in graphs],
        ),
        "",
        "Made by " + ", ".join(f"{name} {version}" for name, version in _versions()) + ".",
    ]


def _licence(text: str) -> str:
    return text if text != "not stated" else "unknown"


def _versions() -> Iterable[tuple[str, str]]:
    return sorted(library_versions().items())


def _table(head: Sequence[object], rows: Iterable[Sequence[object]]) -> list[str]:
    def line(cells: Sequence[object]) -> str:
        escaped = (str(cell).replace("|", "\\|").replace("\n", " ") for cell in cells)
        return f"| {' | '.join(escaped)} |"

    return [line(head), line(["---"] * len(head)), *(line(row) for row in rows)]


def _languages(config: Config, records: Sequence[Record]) -> list[str]:
    named = (*config.corpus.languages, *config.corpus.also)
    return [language for language in named if _having(language, records)]


def _having(language: str, records: Sequence[Record]) -> int:
    return sum(language in record.queries for record in records)


def _executed(language: str, records: Sequence[Record]) -> str:
    engines = {
        c.engine for r in records for c in r.certificates if c.dialect.split("-")[0] == language
    }
    return ", ".join(sorted(engines)) or f"not executed ({language} has no engine here)"


def _counts(
    name: str, records: Sequence[Record], key: Callable[[Record], object]
) -> tuple[object, ...]:
    per_split = [len({key(r) for r in records if r.split == split}) for split in SPLITS]
    return (name, len({key(r) for r in records}), *per_split)


def _makers(records: Sequence[Record]) -> Counter[str]:
    return Counter(record.provenance.maker for record in records)


def _discrimination(records: Sequence[Record]) -> list[str]:
    scores = [float(r.discrimination["score"]) for r in records if r.discrimination]
    if not scores:
        return []
    return [
        f"Answers tell a query from {mean(scores):.1%} of its mutants on average, from",
        f"{min(scores):.1%} at least, on its graph or on a small one in `graphs/DB/instances`.",
        "",
    ]


def _certificates(records: Sequence[Record]) -> list[tuple[object, ...]]:
    runs: Counter[tuple[str, str, str]] = Counter()
    agree: Counter[tuple[str, str, str]] = Counter()
    for record in records:
        for c in record.certificates:
            runs[c.engine, c.version, c.dialect] += 1
            agree[c.engine, c.version, c.dialect] += bool(c.agrees)
    return [(*run, count, agree[run]) for run, count in sorted(runs.items())]


def _source(config: Config, graph: Graph) -> tuple[object, ...]:
    source = next(s for s in config.source if config.database(s) == graph.db)
    schema = graph.schema
    sizes = len(schema.nodes), len(schema.edges)
    return (graph.db, graph.domain, graph.subdomain, *sizes, source.licence)
