"""The `graphmill` command: JSON lines in and out, messages on standard error (design, section 7).

Each command imports what it needs when it runs, so that the first line comes quickly.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import sys
import threading
import warnings
from _thread import interrupt_main
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any

from graphmill import __version__
from graphmill.errors import ConfigError, GraphmillError, exhausted, is_exhausted, shortened
from graphmill.messages import plain, write_message
from graphmill.regular import check_name, is_text, shown
from pipelines.cli import corpora, evaluation, graphs, queries, releases, reviews, sites
from pipelines.cli.options import Command, watch_of
from pipelines.cli.parser import Parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit status is 0, or 1 when the command could not work (2 of `diff`)."""
    arguments = parser().parse_args(sys.argv[1:] if argv is None else argv)
    for value in vars(arguments).values():
        if isinstance(value, str) and "://" in value:
            from graphmill.secrets import keep_url

            keep_url(value)
    sys.excepthook = _clean_traceback
    warnings.formatwarning = _clean_warning
    try:
        _check_names(arguments)
        with interruptible():
            return COMMANDS[arguments.name].run(arguments)
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    except Exception as problem:  # what is none of these goes on
        if arguments.debug or not (
            isinstance(problem, GraphmillError | OSError) or is_exhausted(problem)
        ):
            raise
        from graphmill.secrets import conceal

        text = shortened(conceal(_sentence(problem)), _LONGEST)
        if getattr(arguments, "log_format", "") == "json":
            watch_of(arguments).error(text)
        else:
            write_message(f"graphmill: {text}")
        return COMMANDS[arguments.name].failed
    except KeyboardInterrupt as stopped:
        write_message("graphmill: stopped; what is finished is kept.")
        return 128 + (stopped.number if isinstance(stopped, _Asked) else signal.SIGINT)


_ENDING: dict[int, str] = {signal.SIGINT: "Ctrl-C", signal.SIGTERM: "SIGTERM"}
_PYTHONS_WARNING = warnings.formatwarning
_SOON = 0.05  # seconds until a stop that was lost is raised again
_LONGEST = 20_000  # characters of a message: all violations of a configuration, and no file


def _sentence(problem: Exception) -> str:
    """What is wrong; of what the system refuses (a folder that may not be read) where and why."""
    if is_exhausted(problem):
        return exhausted(problem)
    if not isinstance(problem, OSError) or isinstance(problem, GraphmillError):
        return str(problem)
    from graphmill.files import copying

    is_named = bool(problem.filename) or isinstance(problem, shutil.Error)
    return f"{copying(problem)}." + ("" if is_named else " `--debug` shows what was done.")


def _check_names(arguments: argparse.Namespace) -> None:
    """Refuse an argument that is not UTF-8 and a path that no file could have, before any work.

    Raises:
        ConfigError, SourceError: there is one.
    """
    for name, value in sorted(vars(arguments).items()):
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, Path):
                check_name(each)
            elif isinstance(each, str) and not is_text(each):
                raise ConfigError(f"{shown(each)} ({name}) is not UTF-8: give another name.")


def _clean_traceback(
    kind: type[BaseException], problem: BaseException, trace: TracebackType | None
) -> None:
    """Tracebacks quote what libraries were given, keys too."""
    import traceback

    from graphmill.secrets import conceal

    text = "".join(traceback.format_exception(kind, problem, trace))
    sys.stderr.write(plain(conceal(text)))


def _clean_warning(*of: Any, **more: Any) -> str:
    """So do warnings of Python."""
    from graphmill.secrets import conceal

    return plain(conceal(_PYTHONS_WARNING(*of, **more)))


class _Asked(KeyboardInterrupt):
    """The process was asked to end, by the signal `number`."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


@contextmanager
def interruptible() -> Iterator[None]:
    """Ctrl-C or SIGTERM once ends the block as an exception does, and what is paid for is waited
    for; twice ends the process at once: nothing is ever half-written, and engines end with it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    asked: list[int] = []
    timers: list[threading.Timer] = []
    hook = sys.unraisablehook
    before = {number: signal.getsignal(number) for number in _ENDING}

    def stop(number: int, frame: FrameType | None) -> None:
        for each in _ENDING:
            signal.signal(each, end)
        asked.append(number)
        write_message(f"graphmill: stopping; {_ENDING[number]} again ends at once.")
        raise _Asked(number)

    def late(number: int, frame: FrameType | None) -> None:
        signal.signal(number, end)
        raise _Asked(number)

    def ignored(problem: sys.UnraisableHookArgs) -> None:
        """Python drops what is raised in a destructor or a callback: so it is raised once more."""
        if not isinstance(problem.exc_value, _Asked):
            hook(problem)
            return
        number = problem.exc_value.number
        signal.signal(number, late)
        again = threading.Timer(_SOON, interrupt_main, (number,))
        again.daemon = True
        again.start()
        timers.append(again)

    def end(number: int, frame: FrameType | None) -> None:
        os.write(2, b"graphmill: ended; what is finished is kept.\n")
        os._exit(128 + number)

    for number in _ENDING:
        signal.signal(number, stop)
    sys.unraisablehook = ignored
    try:
        yield
    except Exception as problem:  # of a library that was interrupted, such as DuckDB
        if asked:
            raise _Asked(asked[0]) from problem
        raise
    finally:
        for timer in timers:
            timer.cancel()
        sys.unraisablehook = hook
        for number, handler in before.items():
            signal.signal(number, handler)


def parser() -> argparse.ArgumentParser:
    """The whole command line; every command has help with an example."""
    top = Parser(
        prog="graphmill",
        description="Build text-to-graph-query corpora whose gold is proven by execution.",
    )
    top.add_argument("--version", action="version", version=f"graphmill {__version__}")
    top.add_argument("--debug", action="store_true", help="show the traceback of an error")
    commands = top.add_subparsers(dest="name", required=True, metavar="COMMAND")
    for name, command in COMMANDS.items():
        sub = commands.add_parser(
            name,
            help=command.text,
            description=f"{command.text[0].upper()}{command.text[1:]}.",
            epilog=f"example: {command.example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.add(sub)
    return top


def _add_completion(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("shell", choices=("bash", "zsh", "fish"), help="whose completion")


def _completion(arguments: argparse.Namespace) -> int:
    from pipelines.cli.completion import SHELLS, commands

    sys.stdout.write(SHELLS[arguments.shell](commands(parser())))
    return 0


COMMANDS = {
    **{name: corpora.COMMANDS[name] for name in ("init",)},
    **graphs.COMMANDS,
    **queries.COMMANDS,
    **corpora.COMMANDS,
    **reviews.COMMANDS,
    **releases.COMMANDS,
    **sites.COMMANDS,
    **evaluation.COMMANDS,
    "completion": Command(
        _add_completion,
        _completion,
        "print what completes this command line in a shell",
        "graphmill completion bash > ~/.local/share/bash-completion/completions/graphmill",
    ),
}


if __name__ == "__main__":
    sys.exit(main())
