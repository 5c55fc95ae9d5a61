"""Tables of the papers, in their layout: what one run has of them.

A run is a row, or a row for each language; rows of other models are other runs. EM is what each
paper means by it (X-2), and its column says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

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
        _three_measures(languages),
        _twig_hits(languages),
        *(_binned(languages, name, title) for name, title in _BINS.items()),
        _clauses_and_answers(languages),
        _related_schema(languages),
        _by_hops(languages),
        _errors_by_hops(languages),
        _words_and_answers(languages),
        _graphs(languages),
    ]


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


def _binned(languages: Mapping[str, Figures], dimension: str, title: str) -> Table:
    rows: list[Row] = [
        (name, value, str(own["n"]), share(_mean(own, "em_text")), share(_mean(own, "gam")), ex)
        for name, figures in languages.items()
        for value, own in figures["by"].get(dimension, {}).items()
        for ex in [share(own["ex"])]
    ]
    heads = ("language", dimension.replace("_", " "), "n", EM_OF["at"], "GAM", "EX")
    return title, heads, rows


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
