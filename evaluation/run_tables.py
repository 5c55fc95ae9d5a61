"""The papers' tables whose rows are settings or models of one system: several runs, side by side.

A table is made of the runs of a system (this one, and those of `--against`) that differ in its
settings, a row a run; runs whose other settings differ too say so by the run's name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evaluation.papers import EM_OF, Row, Table, share

type Runs = Sequence[Mapping[str, Any]]
"""Each with `run` (its name), `system`, `settings`, `models` and `languages`."""

FIGURES = ("ex", "em_text", "em_clauses", "gam", "judged")


@dataclass(frozen=True, slots=True)
class _Rows:
    """A table: its title, the settings that its rows differ in, the figures of its columns."""

    title: str
    settings: tuple[str, ...]
    columns: tuple[tuple[str, str], ...]
    by_database: bool = False


_AT = (("em_text", EM_OF["at"]), ("gam", "GAM"), ("ex", "EX"))
_NS = (("em_clauses", EM_OF["ns"]), ("ex", "EX"))
_HR = (("ex", EM_OF["hr"]),)
_MA = (("ex", "EX"), ("judged", "judged right"))

_TABLES: Mapping[str, tuple[_Rows, ...]] = {
    "adaptive": (
        _Rows("Adaptive Text2GQL, Table 1 (with and without AEGC)", ("critic", "verifier"), _AT),
        _Rows("Adaptive Text2GQL, Table 3", ("store",), _AT),
        _Rows("Adaptive Text2GQL, Table 4", ("repairs",), _AT),
        _Rows("Adaptive Text2GQL, Table 9", ("eta",), _AT),
        _Rows("Adaptive Text2GQL, Table 10", ("alpha", "beta", "lambda"), _AT),
        _Rows("Adaptive Text2GQL, Table 11", ("gamma",), _AT),
    ),
    "three-agents": (
        _Rows("NAT-NL2GQL, Table 4", ("given",), _NS),
        _Rows("NAT-NL2GQL, Table 6", ("preprocessor", "revision", "refiner", "return"), _NS),
    ),
    "hybrid": (
        _Rows("Hybrid retrieval, Fig 3", ("retrieval",), _HR),
        _Rows("Hybrid retrieval, Fig 4", ("k",), _HR),
        _Rows("Hybrid retrieval, Fig 5", ("alpha",), _HR),
    ),
    "multi-agent": (_Rows("Multi-Agent GraphRAG, Table 1", ("roles",), _MA, by_database=True),),
}
_MODELS = {"three-agents": ("NAT-NL2GQL, Table 5", _NS)}


def figures_of_run(name: str, run: Mapping[str, Any], figures: Mapping[str, Any]) -> dict[str, Any]:
    """What the tables need of a run: `run.json` and `scores.json`."""
    return {
        "run": name,
        "system": str(run.get("name", "")),
        "settings": dict(run.get("settings", {})),
        "models": dict(run.get("models", {})),
        "languages": {
            language: {
                **_shares(own),
                "n": own["n"],
                "by_database": {
                    db: {**_shares(part), "n": part["n"]}
                    for db, part in own["by"].get("database", {}).items()
                },
            }
            for language, own in figures["languages"].items()
        },
    }


def run_tables(runs: Runs) -> list[Table]:
    """Every table for which there are runs that differ in its settings, or in their models."""
    tables = []
    for system, kinds in _TABLES.items():
        own = [run for run in runs if run["system"] == system]
        for kind in kinds:
            values = {tuple(run["settings"].get(name) for name in kind.settings) for run in own}
            if len(values) > 1:
                tables.append(_by_settings(kind, own))
        if system in _MODELS and len({_models(run) for run in own}) > 1:
            tables.append(_by_models(*_MODELS[system], own))
    return tables


def _by_settings(kind: _Rows, runs: Runs) -> Table:
    heads = (*kind.settings, "run", "language", *(("graph",) if kind.by_database else ()), "n")
    rows: list[Row] = []
    for run in runs:
        setting = [str(run["settings"].get(name, "")) for name in kind.settings]
        for language, own in run["languages"].items():
            parts = {**own["by_database"], "all": own} if kind.by_database else {"": own}
            for graph, part in parts.items():
                where = [graph] if kind.by_database else []
                rows.append(
                    (*setting, run["run"], language, *where, str(part["n"]), *_cells(kind, part))
                )
    return kind.title, (*heads, *(head for _, head in kind.columns)), sorted(rows, key=tuple)


def _cells(kind: _Rows, own: Mapping[str, Any]) -> list[str]:
    return [share(own.get(name)) for name, _ in kind.columns]


def _by_models(title: str, columns: tuple[tuple[str, str], ...], runs: Runs) -> Table:
    rows: list[Row] = [
        (_models(run), run["run"], language, str(own["n"]), *(share(own[n]) for n, _ in columns))
        for run in runs
        for language, own in run["languages"].items()
    ]
    heads = ("model by role", "run", "language", "n", *(head for _, head in columns))
    return title, heads, sorted(rows, key=tuple)


def _models(run: Mapping[str, Any]) -> str:
    return ", ".join(f"{role or 'all'}: {name}" for role, name in sorted(run["models"].items()))


def _shares(own: Mapping[str, Any]) -> dict[str, float | None]:
    values = {name: own.get(name) for name in FIGURES}
    return {n: v["mean"] if isinstance(v, Mapping) else v for n, v in values.items()}
