"""Systems and metrics of other packages: by entry point, loaded only when they are named."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from evaluation import registry
from graphmill.errors import ConfigError, UnknownNameError

MODULE = """
class Echo:
    name = "echo"
    needs_model = False
    def __init__(self, setting): self.setting = setting
    def answer(self, task): return None

class Length:
    name = "length"
    def measure(self, pair): return float(len(pair.predicted))
"""


@pytest.fixture
def foreign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "another_package.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    points = {
        registry.SYSTEM_GROUP: [
            EntryPoint("echo", "another_package:Echo", registry.SYSTEM_GROUP),
            EntryPoint("gone", "nowhere_at_all:Echo", registry.SYSTEM_GROUP),
            EntryPoint("wrong", "another_package:Length", registry.SYSTEM_GROUP),
        ],
        registry.METRIC_GROUP: [
            EntryPoint("length", "another_package:Length", registry.METRIC_GROUP)
        ],
    }
    monkeypatch.setattr(registry, "entry_points", lambda group: points[group])
    monkeypatch.delitem(sys.modules, "another_package", raising=False)


@pytest.mark.usefixtures("foreign")
def test_they_are_listed_without_being_loaded() -> None:
    assert {"echo", "gone", "wrong"} <= set(registry.system_names())
    assert registry.metric_names() == ["length"]
    assert "another_package" not in sys.modules


@pytest.mark.usefixtures("foreign")
def test_they_are_loaded_when_they_are_named() -> None:
    assert registry.system("echo").name == "echo"
    assert registry.metric("length").name == "length"
    with pytest.raises(UnknownNameError, match="Did you mean 'echo'"):
        registry.system("ehco")
    with pytest.raises(ConfigError, match="cannot be loaded"):
        registry.system("gone")
    with pytest.raises(ConfigError, match=r"no method answer"):
        registry.system("wrong")
