"""The parser of the command line: what does not exist is told with the nearest that does."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NoReturn

from graphmill.errors import did_you_mean
from graphmill.messages import one_line

_OF_THE_PROGRAM = ("--debug", "--version")


class Parser(argparse.ArgumentParser):
    """That of the program, and as those of its commands are made by it, of each of them."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As argparse's, but an option that there is not is the first error that is told: what it
        was meant for may be missing because of it."""
        if args is not None:
            for option in self._unknown_options(args):
                self._refuse_option(option)
        return super().parse_known_args(args, namespace)

    def _unknown_options(self, arguments: Sequence[str]) -> Iterator[str]:
        """Those before the command, of which none takes a value, else before `--`."""
        for argument in arguments:
            name = argument.partition("=")[0]
            if name == "--" or (self._subparsers is not None and not name.startswith("-")):
                return
            if name.startswith("--") and not self._get_option_tuples(name):
                yield name

    def _refuse_option(self, name: str) -> NoReturn:
        if name in _OF_THE_PROGRAM:
            program, _, command = self.prog.rpartition(" ")
            self.error(f"{name} stands before the command: {program} {name} {command} …")
        known = [each for each in self._option_string_actions if each.startswith("--")]
        self.error(f"there is no option {name}.{did_you_mean(name, known)}")

    def error(self, message: str) -> NoReturn:
        """As argparse's, which repeats arguments as they are."""
        super().error(one_line(message))

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as problem:
            near = did_you_mean(str(value), _texts(action.choices))
            if near.startswith(" Did"):  # the message has all that there are
                problem.message = f"{problem.message}.{near}"
            raise


def _texts(choices: Iterable[Any] | None) -> list[str]:
    return [str(each) for each in choices or ()]
