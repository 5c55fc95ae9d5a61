"""The named settings of a system: every choice that a paper leaves open has one (X-5)."""

from __future__ import annotations

from collections.abc import Mapping

from evaluation.base import Setting
from graphmill.errors import ConfigError, unknown_name


class Options:
    """The settings of a system as they were given, over its defaults; all are texts.

    Raises:
        ConfigError: one was given that the system does not have.
    """

    def __init__(self, system: str, setting: Setting, defaults: Mapping[str, str]) -> None:
        self.system = system
        for name in setting.options:
            if name not in defaults:
                raise unknown_name(f"setting of {system}", name, sorted(defaults))
        self.values: dict[str, str] = {**defaults, **setting.options}

    def text(self, name: str, among: tuple[str, ...] = ()) -> str:
        """A text, one of `among` where they are given."""
        value = self.values[name]
        if among and value not in among:
            raise unknown_name(f"{name} of {self.system}", value, among)
        return value

    def number(self, name: str, least: float = 0.0, most: float = float("inf")) -> float:
        """A number within bounds."""
        try:
            value = float(self.values[name])
        except ValueError:
            value = float("nan")
        if not least <= value <= most:
            raise ConfigError(
                f"{name} of {self.system} is {self.values[name]!r}, and has to be a number from "
                f"{least:g} to {most:g}."
            )
        return value

    def whole(self, name: str, least: int = 0, most: int = 1_000_000) -> int:
        """A whole number within bounds."""
        value = self.number(name, least, most)
        if value != int(value):
            raise ConfigError(f"{name} of {self.system} is {value}, and has to be whole.")
        return int(value)

    def flag(self, name: str) -> bool:
        """A switch: `yes` or `no`."""
        return self.text(name, ("yes", "no")) == "yes"
