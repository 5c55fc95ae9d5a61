"""The figures of a run as tables, and as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from evaluation.corpus_tables import corpus_tables
from evaluation.papers import paper_tables, static_paper_tables
from evaluation.run_tables import run_tables

type Row = Sequence[str]
type Table = tuple[str, Row, list[Row]]


def tables(figures: Mapping[str, Any]) -> list[Table]:
    """Title, heads and rows of every table of a run."""
    languages: Mapping[str, Mapping[str, Any]] = figures["languages"]
    all_tables = [_texts(languages), _classes(languages)]
    if not figures.get("static"):
        all_tables = [_overview(languages), _ladder(languages), *all_tables]
        all_tables += [_slice(languages, name, title) for name, title in _SLICES.items()]
        all_tables += [_costs(languages), _abstention(languages), *_against(figures)]
        all_tables += paper_tables(languages)
        all_tables += corpus_tables(figures["of_records"]) if "of_records" in figures else []
        all_tables += run_tables(figures.get("runs", ()))
    else:
        all_tables += static_paper_tables(languages)
    all_tables.append(
        (
            "Left out",
            ("language", "records", "why"),
            [(r["language"], str(r["records"]), r["why"]) for r in figures["left_out"]],
        )
    )
    return [table for table in all_tables if table[2]]


_SLICES = {
    "tier": "By difficulty",
    "form": "By form of question (Text2GQL-Bench, Fig 9)",
    "knowledge": "With and without external knowledge (Text2GQL-Bench, Fig 9)",
    "oral_names": "With and without names as people say them",
    "domain": "By domain (Text2GQL-Bench, Fig 7)",
    "database": "By database",
    "hops": "By hops",
    "query_length": "By length of the gold query",
    "schema_size": "By size of the schema",
    "construct": "By construct",
}


def _overview(languages: Mapping[str, Mapping[str, Any]]) -> Table:
    rows: list[Row] = []
    for name, own in languages.items():
        rows.append(
            (
                name,
                str(own["n"]),
                str(own["missing"]),
                _share(own["ex"]),
                _interval(own["ex_interval"]),
                _share(own["suite_ex"]),
                str(own["suite"]["right_by_luck"]),
                _share(_part(own, "exec")),
                _share(_part(own, "grammar")),
                _share(_part(own, "psjs")),
            )
        )
    heads = ("language", "n", "missing", "EX", "95 %", "EX on the suite", "right by luck")
    return "Execution", (*heads, "Exec", "Grammar", "PSJS"), rows


def _ladder(languages: Mapping[str, Mapping[str, Any]]) -> Table:
    rows: list[Row] = [
        (name, *map(_share, own["ladder"].values()), *map(_share, own["any_columns"].values()))
        for name, own in languages.items()
    ]
    heads = ("language", "ordered", "bag", "set", "set, columns in any order")
    more = ("ordered, columns in any order", "bag, columns in any order")
    return "The ladder of EX", (*heads, *more, "set, columns in any order (again)"), rows


def _texts(languages: Mapping[str, Mapping[str, Any]]) -> Table:
    names = ("em_exact", "em_text", "em_clauses", "gam")
    rows: list[Row] = [
        (
            name,
            *(_share(_part(own, each)) for each in names),
            _figure(own["gleu"]),
            _figure(_part(own, "jaro_winkler")),
            _figure(own["jaro_winkler_distance"]),
            _share(_part(own, "related_schema")),
            _share(_part(own, "twig_hits")),
        )
        for name, own in languages.items()
    ]
    heads = ("language", "EM (exact text)", "EM (normalised text)", "EM (clauses)", "GAM")
    more = ("Google-BLEU", "Jaro-Winkler", "distance", "related schema", "twig hits")
    return "Texts and structure", (*heads, *more), rows


def _classes(languages: Mapping[str, Mapping[str, Any]]) -> Table:
    rows: list[Row] = []
    for name, own in languages.items():
        wrong = {k: v for k, v in own["classes"].items() if k != "harmless"}
        whole = sum(wrong.values())
        for kind, number in sorted(own["classes"].items(), key=lambda one: (-one[1], one[0])):
            share = _share(number / whole) if whole and kind in wrong else ""
            rows.append((name, kind, str(number), share))
    return "Classes of errors (Text2GQL-Bench, Fig 8)", ("language", "class", "n", "share"), rows


def _slice(languages: Mapping[str, Mapping[str, Any]], dimension: str, title: str) -> Table:
    rows: list[Row] = [
        (
            name,
            value,
            str(own["n"]),
            _share(own["ex"]),
            _interval(own["ex_interval"]),
            _share(own["suite_ex"]),
            _share(own["exec"]),
            _share(own["grammar"]),
            _figure(own["gleu"]),
            _figure(own["jaro_winkler"]),
        )
        for name, figures in languages.items()
        for value, own in figures["by"].get(dimension, {}).items()
    ]
    heads = ("language", dimension.replace("_", " "), "n", "EX", "95 %", "EX on the suite")
    return title, (*heads, "Exec", "Grammar", "Google-BLEU", "Jaro-Winkler"), rows


def _costs(languages: Mapping[str, Mapping[str, Any]]) -> Table:
    rows: list[Row] = []
    for name, own in languages.items():
        if costs := own.get("costs"):
            parts = ", ".join(
                f"{part} {tokens:g}" for part, tokens in costs["prompt_parts"].items()
            )
            rows.append(
                (
                    name,
                    str(costs["traced"]),
                    str(costs["calls"]),
                    f"{costs['prompt_tokens']:.1f}",
                    parts,
                    f"{costs['completion_tokens']:.1f}",
                    f"{costs['usd']:.6f}",
                    "" if costs["seconds"] is None else f"{costs['seconds']:.3f}",
                    _share(costs["repaired"]),
                )
            )
    heads = ("language", "with a trace", "calls", "prompt tokens, mean", "by part")
    more = ("completion tokens, mean", "US dollars", "seconds, mean", "repaired")
    return "Costs (Adaptive Text2GQL, Table 15 and Fig 3)", (*heads, *more), rows


def _abstention(languages: Mapping[str, Mapping[str, Any]]) -> Table:
    rows: list[Row] = [
        (
            name,
            str(own["abstention"]["unanswerable"]),
            _share(own["abstention"]["recall"]),
            _share(own["abstention"]["false_alarms"]),
        )
        for name, own in languages.items()
        if own["abstention"]["unanswerable"] or own["abstained"]
    ]
    return "Abstention", ("language", "unanswerable", "recall", "false alarms"), rows


def _against(figures: Mapping[str, Any]) -> list[Table]:
    rows: list[Row] = [
        (
            run,
            language,
            str(own["n"]),
            _share(own["ex"]),
            _share(own["other_ex"]),
            str(own["only_this"]),
            str(own["only_other"]),
            f"{own['p']:.4g}",
        )
        for run, languages in figures.get("against", {}).items()
        for language, own in languages.items()
    ]
    heads = ("run", "language", "paired", "EX here", "EX there", "right here only")
    title = "Against other runs (McNemar's exact test)"
    return [(title, (*heads, "right there only", "p"), rows)]


def _part(own: Mapping[str, Any], name: str) -> float | None:
    figure = own.get(name)
    return None if figure is None else figure["mean"]


def _share(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.2f} %"


def _figure(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"


def _interval(value: Sequence[float] | None) -> str:
    return "" if value is None else f"{100 * value[0]:.2f}–{100 * value[1]:.2f}"


NOTE = (
    "The tables have the layout of the papers they name. No model of those papers was asked: the "
    "figures are those of the predictions that were given."
)


def markdown(figures: Mapping[str, Any]) -> str:
    """`tables.md`."""
    lines = [f"# {_plain(figures['corpus'])}, {figures['split']}", "", NOTE]
    for title, heads, rows in tables(figures):
        lines += ["", f"## {title}", "", _line(heads), _line(["---"] * len(heads))]
        lines += map(_line, rows)
    return "\n".join([*lines, ""])


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(map(_plain, cells))} |"


def _plain(text: str) -> str:
    """A cell that is one: no pipes, no line ends, no markup of HTML."""
    plain = str(text).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")
    return " ".join(plain.split())
