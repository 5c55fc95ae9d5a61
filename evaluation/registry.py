"""Systems and metrics by name: those of this package, and entry points of others.

An entry point is loaded only when it is named: a package that is installed runs no code by being
there.
"""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points

from evaluation.base import Metric, System
from graphmill.errors import ConfigError, UnknownNameError, unknown_name
from graphmill.registry import Registry

SYSTEMS: Registry[type[System]] = Registry("system", "evaluation.systems", "SYSTEM")
SYSTEM_GROUP = "graphmill.systems"
METRIC_GROUP = "graphmill.metrics"


def system_names() -> list[str]:
    """Every system that can be named."""
    return sorted({*SYSTEMS.names(), *_points(SYSTEM_GROUP)})


def system(name: str) -> type[System]:
    """The class of a system; ours stands before another package's of the same name.

    Raises:
        UnknownNameError: there is none.
        ConfigError: it cannot be loaded, or is none.
    """
    if name in SYSTEMS.names():
        return SYSTEMS.get(name)
    points = _points(SYSTEM_GROUP)
    if name not in points:
        raise unknown_name("system", name, system_names())
    kind: type[System] = _loaded(points[name], "answer")
    return kind


def metric_names() -> list[str]:
    """Metrics of other packages."""
    return sorted(_points(METRIC_GROUP))


def metric(name: str) -> Metric:
    """A metric of another package.

    Raises:
        UnknownNameError: there is none.
        ConfigError: it cannot be loaded, or is none.
    """
    points = _points(METRIC_GROUP)
    if not points:
        raise UnknownNameError(
            f"Unknown metric '{name}': no package that is installed here brings one, by an entry "
            f"point of {METRIC_GROUP} (docs/evaluation.md)."
        )
    if name not in points:
        raise unknown_name("metric", name, list(points))
    kind: type[Metric] = _loaded(points[name], "measure")
    return kind()


def _points(group: str) -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=group)}


def _loaded[T](point: EntryPoint, method: str) -> type[T]:
    try:
        kind: type[T] = point.load()
    except (ImportError, AttributeError) as problem:
        raise ConfigError(f"{point.name} ({point.value}) cannot be loaded: {problem}.") from problem
    if not callable(getattr(kind, method, None)):
        raise ConfigError(f"{point.name} ({point.value}) has no method {method}().")
    return kind
