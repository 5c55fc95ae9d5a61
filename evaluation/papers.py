"""Tables of the papers, in their layout: what one run has of them.

A run is a row, or a row for each language; rows of other models are other runs. EM is what each
paper means by it (X-2), and its column says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evaluation.groups import WITHIN
from graphmill.record import DIFFICULTIES

type Row = Sequence[str]
type Table = tuple[str, Row, list[Row]]
type Figures = Mapping[str, Any]
"""Those of one language (`evaluation.summary`)."""

EM_OF = {"at": "EM (normalised text)", "ns": "EM (clauses)", "hr": "EM (the answer is equal)"}


def paper_tables(languages: Mapping[str, Figures]) -> list[Table]:
    """Every table that the figures allow, paper after paper."""
    return [
        _main_results(languages),
        _languages_compared(languages),
        _languages_by_domain(languages),
        *_levels_by_domain(languages),
        _three_measures(languages),
        _twig_hits(languages),
        *(_binned(languages, name, title) for name, title in _BINS.items()),
        _clauses_and_answers(languages),
        _related_schema(languages),
        _by_hops(languages),
        _errors_by_hops(languages),
        _words_and_answers(languages),
        _graphs(languages),
        _judged(languages),
    ]


def static_paper_tables(languages: Mapping[str, Figures]) -> list[Table]:
    """Those of gold that cannot be run: GAM and EM in all (AT-31) and by length of the query."""
    rows: list[Row] = [
        (name, str(own["n"]), share(_mean(own, "gam")), share(_mean(own, "em_text")))
        for name, own in languages.items()
    ]
    heads = ("language", "n", "GAM", EM_OF["at"])
    by_length = _binned(languages, "query_length", "Adaptive Text2GQL, Table 13", answers=False)
    return [("Adaptive Text2GQL, 5.2", heads, rows), by_length]


def share(value: float | None) -> str:
    """A share as the papers print one: of 100, two digits."""
    return "" if value is None else f"{100 * value:.2f}"


def _main_results(languages: Mapping[str, Figures]) -> Table:
    rows: list[Row] = []
    for name, own in languages.items():
        tiers = own["by"].get("tier", {})
        by_tier = [tiers.get(tier, {}).get("ex") for tier in DIFFICULTIES]
        similarity = _mean(own, "jaro_winkler")
        figures = (_mean(own, "grammar"), own["gleu"], similarity, *by_tier, own["ex"])
        rows.append((name, *(_digits(figure) for figure in figures)))
    heads = ("language", "Grammar", "GLEU", "Sim", *(f"EX {tier}" for tier in DIFFICULTIES))
    return "Text2GQL-Bench, Table 6", (*heads, "EX Avg"), rows


def _languages_compared(languages: Mapping[str, Figures]) -> Table:
    row = [_digits(own["ex"]) for own in languages.values()]
    return "Text2GQL-Bench, Table 7", tuple(languages), [row] if len(row) > 1 else []


def _languages_by_domain(languages: Mapping[str, Figures]) -> Table:
    """SQL against Cypher over domains, where both were predicted (TB-J19)."""
    heads = [name for name in ("sql", *languages) if name in languages]
    by_domain = {name: languages[name]["by"].get("domain", {}) for name in dict.fromkeys(heads)}
    rows: list[Row] = [
        (domain, *(_digits(own.get(domain, {}).get("ex")) for own in by_domain.values()))
        for domain in sorted({domain for own in by_domain.values() for domain in own})
    ]
    both = {"sql", "cypher"} <= set(languages)
    return "Text2GQL-Bench, Fig 7", ("domain", *by_domain), rows if both else []


LEVELS = (
    *("original", "syntactic", "logical", "business"),
    *("business, without evidence", "business, with evidence"),
)


def _levels_by_domain(languages: Mapping[str, Figures]) -> list[Table]:
    """EX by domain and form of question, where several forms were asked (TB-J21)."""
    tables: list[Table] = []
    for name, figures in languages.items():
        asked = [level for level in LEVELS if level in figures["by"].get("level", {})]
        ex = {
            tuple(value.rsplit(WITHIN, 1)): own["ex"]
            for value, own in figures["by"].get("domain_level", {}).items()
        }
        rows: list[Row] = [
            (domain, *(_digits(ex.get((domain, level))) for level in asked))
            for domain in sorted({domain for domain, _ in ex})
        ]
        if len(asked) > 1:
            tables.append((f"Text2GQL-Bench, Fig 9 ({name})", ("domain", *asked), rows))
    return tables


def _judged(languages: Mapping[str, Figures]) -> Table:
    """Answers in words that a judge took for right, by graph (MA-11, MA-12)."""
    rows: list[Row] = [
        (name, graph, str(own["judged"]["n"]), share(own["judged"]["mean"]), share(own["ex"]))
        for name, figures in languages.items()
        for graph, own in {**figures["by"].get("database", {}), "all": figures}.items()
        if own.get("judged")
    ]
    heads = ("language", "graph", "n", "judged right", "EX")
    return "Multi-Agent GraphRAG, Table 1 (one column)", heads, rows


def _three_measures(languages: Mapping[str, Figures]) -> Table:
    rows: list[Row] = [
        (name, share(_mean(own, "em_text")), share(_mean(own, "gam")), share(own["ex"]))
        for name, own in languages.items()
    ]
    return "Adaptive Text2GQL, Table 1", ("language", EM_OF["at"], "GAM", "EX"), rows


def _twig_hits(languages: Mapping[str, Figures]) -> Table:
    rows: list[Row] = [
        (name, share(hits))
        for name, own in languages.items()
        if (hits := _mean(own, "twig_hits")) is not None
    ]
    return "Adaptive Text2GQL, Table 2", ("language", "twig hit rate"), rows


_BINS = {
    "query_length": "Adaptive Text2GQL, Table 12",
    "schema_size": "Adaptive Text2GQL, Table 14 (by types of the schema, not by its characters)",
}


def _binned(
    languages: Mapping[str, Figures], dimension: str, title: str, *, answers: bool = True
) -> Table:
    rows: list[Row] = [
        (name, value, str(own["n"]), share(_mean(own, "em_text")), share(_mean(own, "gam")), *ex)
        for name, figures in languages.items()
        for value, own in figures["by"].get(dimension, {}).items()
        for ex in [[share(own["ex"])] if answers else []]
    ]
    heads = ("language", dimension.replace("_", " "), "n", EM_OF["at"], "GAM")
    return title, (*heads, "EX") if answers else heads, rows


def _clauses_and_answers(languages: Mapping[str, Figures]) -> Table:
    rows: list[Row] = [
        (name, share(_mean(own, "em_clauses")), share(own["ex"])) for name, own in languages.items()
    ]
    return "NAT-NL2GQL, Table 2", ("language", EM_OF["ns"], "EX"), rows


def _related_schema(languages: Mapping[str, Figures]) -> Table:
    """Of the schema that a system linked, where it says which."""
    rows: list[Row] = [
        (name, share(linked))
        for name, own in languages.items()
        if (linked := _mean(own, "linked_schema")) is not None
    ]
    return "NAT-NL2GQL, Table 3", ("language", "accuracy of the related schema"), rows


def _by_hops(languages: Mapping[str, Figures]) -> Table:
    rows: list[Row] = [
        (name, hops, str(own["n"]), share(_mean(own, "em_clauses")), share(own["ex"]))
        for name, figures in languages.items()
        for hops, own in figures["by"].get("hops", {}).items()
    ]
    return "NAT-NL2GQL, Fig 5", ("language", "hops", "n", EM_OF["ns"], "EX"), rows


def _errors_by_hops(languages: Mapping[str, Figures]) -> Table:
    """Classes are ours: the paper's schema extraction is `schema`."""
    classes = sorted(
        {
            kind
            for figures in languages.values()
            for own in figures["by"].get("hops", {}).values()
            for kind in own["classes"]
            if kind != "harmless"
        }
    )
    rows: list[Row] = [
        (name, hops, *(str(own["classes"].get(kind, 0)) for kind in classes))
        for name, figures in languages.items()
        for hops, own in figures["by"].get("hops", {}).items()
    ]
    return "NAT-NL2GQL, Fig 10", ("language", "hops", *classes), rows if classes else []


def _words_and_answers(languages: Mapping[str, Figures]) -> Table:
    rows: list[Row] = [
        (name, _digits(own["gleu"]), _digits(own["ex"])) for name, own in languages.items()
    ]
    return "Hybrid retrieval, Table 2", ("language", "Google-BLEU", EM_OF["hr"]), rows


def _graphs(languages: Mapping[str, Figures]) -> Table:
    rows: list[Row] = []
    for name, figures in languages.items():
        graphs = {**figures["by"].get("database", {}), "all": figures}
        for graph, own in graphs.items():
            run = own["exec"] if isinstance(own["exec"], float | None) else own["exec"]["mean"]
            rows.append((name, graph, share(own["ex"]), share(_mean(own, "psjs")), share(run)))
    return "Hybrid retrieval, Table 3", ("language", "graph", "EX", "PSJS", "Exec"), rows


def _mean(own: Figures, name: str) -> float | None:
    figure = own.get(name)
    return None if figure is None else figure["mean"]


def _digits(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"
