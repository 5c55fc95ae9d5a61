"""The dataset card: metadata for the Hub, and figures and pictures of this very corpus."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from pipelines.pictures.texts import listed, percent, shown
from pipelines.release.description import Description
from pipelines.release.figures import Figures
from pipelines.release.funnel import steps, sum_text
from pipelines.release.funnel import table as funnel_table
from pipelines.release.glance import GraphGlance
from pipelines.release.hub import (
    APART,
    CONFIGURATIONS,
    MASKED,
    UNANSWERABLE,
    configs,
    configurations,
    dataset_info,
    licence_id,
    size_category,
)
from pipelines.release.limits import limits, used_splits
from pipelines.release.nearest import nearness
from pipelines.release.report import (
    certificates,
    languages,
    lead,
    proof,
    table_4,
    table_5,
    used_libraries,
)

FIGURES = "figures"  # the folder of the card's pictures
PICTURES = {  # of the plots of the report, those that the card shows
    "tiers": "Records of each tier",
    "constructs": "Constructs by tier",
    "lengths": "Length of questions",
    "engines": "Executions that agree",
}
_FIELDS = (
    ("id", "hash of schema, questions and queries"),
    ("db, schema", "the graph in `graphs/<db>`, and the fingerprint of its schema"),
    ("domain, subdomain, split, difficulty, constructs", "what kind of record it is"),
    ("question", "the source's own question; may be empty"),
    ("question_syntactic, question_logical, question_business", "the same, at three levels"),
    ("external_knowledge", "what one must know to get from question to query"),
    ("queries", "one text for each language; null where a language cannot say it"),
    ("source_sql", "the source's query, for relational sources"),
    ("answer", "columns, number of rows, hash of all of them, the first ten as JSON"),
    ("certificates", "who ran which text, how many rows it gave, and whether they agree"),
    ("discrimination", "the share of the query's mutants that its answers tell apart"),
    ("readings", "other plain readings of the question, and whether they give another answer"),
    ("unanswerable", "why there is no answer, and what is missing; null where there are queries"),
    ("provenance", "who made it, from what, in which steps"),
)


_BESIDE = {
    UNANSWERABLE: "has questions that the graph has no answer to, with the reason.",
    MASKED: "has the nine fields of StockGQL for each record: question and nGQL with masks and "
    "with names, sub-schema, names, short names and answer; structures are JSON.",
}


def card(
    folder: Path,
    about: Description,
    figures: Figures,
    graphs: Sequence[GraphGlance],
    pictures: Iterable[str],
) -> str:
    """`README.md` of a corpus; `pictures` are the names of the files in `figures`."""
    head = [
        "---",
        f"language: [{about.question_language}]",
        "task_categories: [text-generation]",
        "tags: [text-to-cypher, text-to-gql, graph-database, property-graph]",
        f"pretty_name: {json.dumps(about.name, ensure_ascii=False)}",
        *licence_id(about.licence),
        f"size_categories: [{size_category(figures.records)}]",
        *configs(folder, used_splits(figures)),
        *dataset_info(folder, used_splits(figures)),
        "---",
    ]
    return "\n".join([*head, "", *_body(folder, about, figures, graphs, set(pictures)), ""])


def _body(
    folder: Path,
    about: Description,
    figures: Figures,
    graphs: Sequence[GraphGlance],
    pictures: set[str],
) -> list[str]:
    proven = proof(figures)
    return [
        f"# {_plain(about.name)}",
        "",
        _plain(lead(figures, about.question_language)),
        "",
        f"**{proven['title']}** {_plain(proven['text'])}",
        "",
        f"{figures.records:,} examples in {len(figures.languages)} languages at up to "
        f"{len(figures.levels)} levels: {figures.pairs:,} (question, query) pairs.",
        "",
        *(
            line
            for name, title in PICTURES.items()
            if name in pictures
            for line in (f"![{title}]({FIGURES}/{name}.svg)", "")
        ),
        *_use(used_splits(figures)[0]),
        *_exported(folder, about),
        "`graphmill verify FOLDER` runs every query and every certificate again;",
        "`graphmill serve FOLDER` lets you look at each record.",
        "",
        "## Limits",
        "",
        *(
            f"- **{each.title}** {_plain(each.text)}"
            for each in limits(folder, about, figures, graphs)
        ),
        "",
        *_counts(folder, about, figures),
        "## Fields",
        "",
        *_table(("field", "what it holds"), _FIELDS),
        "",
        "## Graphs",
        "",
        *_graphs(about, graphs, pictures),
        "## Citation",
        "",
        "```bibtex",
        f"@misc{{{_key(about.name)},",
        f"  title = {{{_key(about.name, ' ')}: questions, graph queries, proven answers}},",
        "  note = {Built with graphmill},",
        "}",
        "```",
        "",
        "Made by " + ", ".join(f"{n} {v}" for n, v in used_libraries(about, figures)) + ".",
    ]


def _use(split: str) -> list[str]:
    """How the corpus is loaded."""
    return [
        "## Use",
        "",
        "```python",
        "from datasets import load_dataset",
        "",
        'corpus = load_dataset("PATH-OR-REPOSITORY")',
        f'record = corpus["{split}"][0]',
        'print(record["question_business"] or record["question"])',
        'print(record["queries"]["cypher"])',
        "```",
        "",
    ]


def _counts(folder: Path, about: Description, figures: Figures) -> list[str]:
    """The tables of sizes, languages, forms, tiers, origins, certificates and stages."""
    stages = steps(about, figures)
    return [
        "## Size",
        "",
        *_table(
            ("how many", "total", "train", "validation", "test"),
            [(name, *counts) for name, counts in figures.table_3()],
        ),
        "",
        *_near(folder),
        "## Languages",
        "",
        *_table(("language", "examples", "executed on"), languages(figures)),
        "",
        "## Question forms",
        "",
        *_table(("form", "examples", "words, mean", "distinct words"), table_5(figures)),
        "",
        "## Difficulty",
        "",
        *_table(("tier", "examples", "share", "Cypher characters, mean"), table_4(figures)),
        "",
        "The tier follows from the parsed query by written rules (graphmill: docs/difficulty.md).",
        "",
        "## Where queries come from",
        "",
        *_table(("maker", "examples"), sorted(figures.makers.items())),
        "",
        *_apart(figures),
        "## Certificates",
        "",
        *_table(("engine", "version", "dialect", "executions", "agree"), certificates(figures)),
        "",
        "## From candidates to records",
        "",
        *_table(*funnel_table(stages)),
        "",
        f"{sum_text(stages, figures)} `report.html` shows all of this with pictures and examples.",
        "",
    ]


def _near(folder: Path) -> list[str]:
    near = nearness(folder)
    return [] if near is None else [near.text(), ""]


def _exported(folder: Path, about: Description) -> list[str]:
    """What an exported corpus has besides."""
    places = configurations(folder)
    names = [name for name in places if name != "default" and name not in APART]
    beside = [f"- `{name}` {text}" for name, text in _BESIDE.items() if name in places]
    if beside:
        beside = ["Configurations of other rows:", "", *beside, ""]
    if not names:
        return beside
    return [
        *beside,
        f"Configurations besides `default`, with one row for each query (`{CONFIGURATIONS}`):",
        f"{listed([f'`{name}`' for name in names])}. A row has `schema_text`, the schema with a "
        "value of each",
        'property for a prompt: `load_dataset("PATH-OR-REPOSITORY", "cypher")`.',
        "`croissant.json` describes the files, `licences.json` has each graph's licence.",
        "",
        "This is meant for tests as well as for training: where it is your test, do not train on",
        f"it. Canary: `{about.canary}`",
        "",
    ]


def _apart(figures: Figures) -> list[str]:
    if not figures.scores or figures.score is None:
        return []
    return [
        f"Answers tell queries from {percent(figures.score)} of their mutants, each query from",
        f"{percent(min(figures.scores))} of its own at least, on its graph or on a small one in "
        "`graphs/DB/instances`.",
        "",
    ]


def _graphs(about: Description, graphs: Sequence[GraphGlance], pictures: set[str]) -> list[str]:
    lines = _table(
        ("database", "domain", "sub-domain", "nodes", "edges", "licence"),
        [
            (
                graph.db,
                about.graphs[graph.db].get("domain", ""),
                about.graphs[graph.db].get("subdomain", ""),
                f"{graph.node_count:,} of {len(graph.nodes)} types",
                f"{graph.edge_count:,} of {len(graph.edges)} types",
                graph.licence or "not stated",
            )
            for graph in graphs
        ],
    )
    if len(about.graphs) > len(graphs):
        lines += ["", f"And {len(about.graphs) - len(graphs)} more in `graphs`."]
    for number, graph in enumerate(graphs, 1):
        name = f"schema-{number}"
        if name in pictures:
            lines += ["", f"![Schema of {_plain(graph.db)}]({FIGURES}/{name}.svg)"]
    return [*lines, ""]


def _key(name: str, between: str = "_") -> str:
    return between.join(re.findall(r"\w+", name)) or "corpus"


def _plain(text: str) -> str:
    """A text of data in a line of Markdown: nothing of it is markup."""
    line = shown(text, 400).replace("\n", " ")
    return re.sub(r"([\\`*_\[\]<>|#~])", r"\\\1", line)


def _table(head: Sequence[object], rows: Iterable[Sequence[object]]) -> list[str]:
    def line(cells: Sequence[object]) -> str:
        return f"| {' | '.join(_cell(str(cell)) for cell in cells)} |"

    return [line(head), line(["---"] * len(head)), *(line(row) for row in rows)]


def _cell(text: str) -> str:
    line = shown(text, 400).replace("\n", " ")
    return re.sub(r"([\\|<>\[\]])", r"\\\1", line)
