"""One file per check; the file's name is the check's name, its class is exported as `CHECK`."""

from __future__ import annotations

from graphmill.registry import Registry
from qa.base import Check

CHECKS: Registry[type[Check]] = Registry("check", __name__, "CHECK")


def all_checks() -> list[Check]:
    """Every check, in the order in which they are asked."""
    checks = [CHECKS.get(name)() for name in CHECKS.names()]
    return sorted(checks, key=lambda check: (check.order, check.name))
