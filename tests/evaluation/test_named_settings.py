"""Every choice that a paper leaves open is a named setting with a recorded value (X-5), and no
figure is called by a name that the papers use for three things (X-2)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import graphmill as gm
from benchmarks.simulated_model import KINDS
from evaluation.registry import SYSTEMS, system
from graphmill.record import Record
from tests.evaluation.test_systems import ask, predicted, served

RIGHT = dict.fromkeys(KINDS, 0.0)


def test_the_settings_of_adaptive_are_those_of_the_paper() -> None:
    """AT-24: what is stated; AT-25: what is not has a name, too."""
    defaults = getattr(system("adaptive"), "defaults")  # noqa: B009 # optional in the contract
    stated = {"gamma": 0.8, "alpha": 1.0, "beta": 1.0, "lambda": 0.001, "eta": 0.3, "repairs": 2}
    assert {name: float(defaults[name]) for name in stated} == stated
    assert {"delta", "twigs", "shots", "rho", "capacity"} <= set(defaults)


@pytest.mark.parametrize("name", SYSTEMS.names())
def test_a_setting_that_is_none_is_refused_and_those_that_are_have_values(
    name: str, corpus: Path, tmp_path: Path
) -> None:
    model = {"model": "m", "base_url": "http://127.0.0.1:9/v1"} if system(name).needs_model else {}
    with pytest.raises(gm.UnknownNameError, match="setting"):
        gm.evaluate(
            corpus,
            system=name,
            settings={"no-such-setting": "1"},
            model=model,
            out=tmp_path / "run",
        )
    assert all(isinstance(v, str) for v in getattr(system(name), "defaults", {}).values())


def test_a_run_records_model_version_date_and_each_setting(corpus: Path, tmp_path: Path) -> None:
    _, server = served(corpus, errors=RIGHT)
    with server:
        more = ("--system", "adaptive", "--split", "train", "--set", "delta=0.8")
        ask(corpus, server.url, tmp_path / "run", *more)
    run = json.loads((tmp_path / "run" / "run.json").read_text())
    assert run["settings"]["delta"] == "0.8"
    assert set(run["settings"]) == set(getattr(system("adaptive"), "defaults"))  # noqa: B009
    assert run["version"] == gm.__version__
    assert run["models"] == {"": "simulated"}
    assert len(run["date"]) == 10


def keys_of(value: Any) -> set[str]:
    if isinstance(value, dict):
        return set(value) | {key for each in value.values() for key in keys_of(each)}
    return set()


def test_no_figure_is_called_em_alone(corpus: Path, records: list[Record]) -> None:
    """X-2, AT-29: strict, normalised and by parts (NS-19) stand apart, and execution is EX."""
    lines = [{"id": r.id, "query": r.queries["cypher"]} for r in records[:2]]
    named = keys_of(gm.evaluate(corpus, lines, suites=False))
    assert {"em_exact", "em_text", "em_clauses", "gam", "ex"} <= named
    assert not {"em", "EM", "exact_match"} & named


def test_the_preprocessor_rewrites_names_as_the_database_has_them(
    corpus: Path, tmp_path: Path
) -> None:
    """NS-10, NS-14: names are recognised; the rewritten question has the formal ones."""
    _, server = served(corpus, errors=RIGHT)
    with server:
        ask(corpus, server.url, tmp_path / "run", "--system", "three-agents", "--split", "train")
    traces = [line["trace"] for line in predicted(tmp_path / "run")]
    named = [trace for trace in traces if trace["names"]]
    for trace in named:
        assert all(formal in trace["rewritten"] for _, _, formal in trace["names"])
    assert all(trace["rewritten"] for trace in traces)
