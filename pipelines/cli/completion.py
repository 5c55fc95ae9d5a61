"""`graphmill completion SHELL`: what completes the command line, made from its parser."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from graphmill.files import examples
from pipelines.cli.options import path_of

_PATHS = frozenset(("--source", "--predictions", "--against", "--store"))
"""Options that take a file, a folder or an address."""


class Option(NamedTuple):
    """An option: how it is spelled, what it says, the values it takes (None: it takes none; empty:
    any), and whether these are files."""

    names: tuple[str, ...]
    text: str
    values: tuple[str, ...] | None
    files: bool = False


class Command(NamedTuple):
    """A command: what it says, its options, and the values that its places take."""

    text: str
    options: tuple[Option, ...]
    values: tuple[str, ...]


def commands(parser: argparse.ArgumentParser) -> dict[str, Command]:
    """The commands of a parser; under the empty name, what stands before them."""
    by_name = {"": _command(parser, "")}
    listed = _listed()
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            texts = {each.dest: each.help or "" for each in action._choices_actions}
            for name, sub in action.choices.items():
                command = _command(sub, texts.get(name, ""))
                options = [
                    option._replace(values=listed.get((name, option.names[0]), option.values))
                    for option in command.options
                ]
                by_name[name] = command._replace(options=tuple(options))
    return by_name


def _listed() -> dict[tuple[str, str], tuple[str, ...]]:
    """Values that folders list, which the parser does not read, by command and option."""
    from engines import ENGINES, SOURCE_ENGINES, runnable
    from evaluation.registry import SYSTEMS
    from graphmill.record import SPLITS
    from pipelines.configuration.certify import query_languages
    from schemagraph.targets.base import TARGETS
    from translators.from_sql.statement.rules import DIALECTS as SQL
    from translators.language import DIALECTS, checkable, readable

    engines, languages = tuple(ENGINES.names()), tuple(query_languages())
    provers = tuple(name for name in engines if name != "sqlite")
    without = {(name, "--without"): provers for name in ("build", "schedule", "verify")}
    return {
        **without,
        ("translate", "--dialect"): SQL,
        ("convert", "--dialect"): SQL,
        ("run", "--engine"): (*engines, *SOURCE_ENGINES.names()),
        ("evaluate", "--engine"): engines,
        ("evaluate", "--split"): tuple(SPLITS),
        ("evaluate", "--language"): languages,
        ("evaluate", "--system"): tuple(SYSTEMS.names()),
        ("export", "--hold-out"): tuple(SPLITS),
        ("export", "--language"): languages,
        ("export", "--schema"): ("cypher", "ddl", "json"),
        ("schema", "--to"): tuple(TARGETS.names()),
        ("translate", "--from"): tuple(readable()),
        ("translate", "--to"): tuple(DIALECTS.names()),
        ("run", "--language"): tuple(runnable()),
        ("check", "--language"): tuple(checkable()),
    }


def _command(parser: argparse.ArgumentParser, text: str) -> Command:
    options: list[Option] = []
    values: list[str] = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            continue
        chosen = tuple(map(str, action.choices or ()))
        if action.option_strings:
            takes = None if action.nargs == 0 else chosen
            names = tuple(action.option_strings)
            files = action.type in (path_of, Path) or not _PATHS.isdisjoint(names)
            options.append(Option(names, action.help or "", takes, files))
        elif action.dest == "config":
            values += [f"example:{name}" for name in examples()]
        else:
            values += chosen
    return Command(text, tuple(options), tuple(values))


def bash(by_name: Mapping[str, Command]) -> str:
    """For bash; for zsh too, which reads the same with `bashcompinit`."""
    names = " ".join(name for name in by_name if name)
    return "\n".join(
        [
            "_graphmill() {",
            '  local current="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"',
            '  local command="" words="" word',
            '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
            '    case "$word" in -*) ;; *) command="$word"; break ;; esac',
            "  done",
            '  case "$command $before" in',
            *_bash_values(by_name),
            "  esac",
            '  case "$command" in',
            f'    "") words="{names} {_spelled(by_name[""])}" ;;',
            *(
                f'    {name}) words="{" ".join([_spelled(each), *each.values])}" ;;'
                for name, each in by_name.items()
                if name
            ),
            "  esac",
            # bash takes a colon for the end of a word: what is before it stays
            '  local line="${COMP_LINE:0:COMP_POINT}"; local typed="${line##*[[:space:]]}"',
            '  if [[ "$typed" == example:* && "$current" != "$typed" ]]; then',
            '    COMPREPLY=($(compgen -W "$words" -- "$typed"))',
            '    COMPREPLY=("${COMPREPLY[@]#example:}")',
            "    return",
            "  fi",
            '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
            '  [[ "${COMPREPLY[*]}" == example:* ]] && compopt +o filenames 2>/dev/null',
            '  if [[ -n "$command" && "$current" != -* ]]; then',
            '    COMPREPLY+=($(compgen -f -- "$current"))',
            "  fi",
            "}",
            "complete -o filenames -F _graphmill graphmill",
            "",
        ]
    )


def _bash_values(by_name: Mapping[str, Command]) -> Iterator[str]:
    for name, each in by_name.items():
        for option in each.options:
            for spelled in option.names if option.values is not None else ():
                values = " ".join(option.values or ())
                how = f'-W "{values}"' if values else "-f"
                reply = f'COMPREPLY=($(compgen {how} -- "$current")); return'
                if not (values or option.files):
                    reply = "COMPREPLY=(); return"
                yield f'    "{name} {spelled}") {reply} ;;'


def zsh(by_name: Mapping[str, Command]) -> str:
    """For zsh."""
    return "#compdef graphmill\nautoload -U +X bashcompinit && bashcompinit\n" + bash(by_name)


def fish(by_name: Mapping[str, Command]) -> str:
    """For fish."""
    lines = ["complete -c graphmill -n __fish_use_subcommand -f"]
    for name, each in by_name.items():
        where = f'"__fish_seen_subcommand_from {name}"' if name else "__fish_use_subcommand"
        if name:
            lines.append(
                f"complete -c graphmill -n __fish_use_subcommand -a {name} -d {_quoted(each.text)}"
            )
        if each.values:
            lines.append(f"complete -c graphmill -n {where} -a {_quoted(' '.join(each.values))}")
        for option in each.options:
            spelled = " ".join(
                f"-l {text[2:]}" if text.startswith("--") else f"-s {text[1:]}"
                for text in option.names
            )
            takes = "" if option.values is None else " -r" if option.files else " -x"
            if option.values:
                takes = f" -x -a {_quoted(' '.join(option.values))}"
            lines.append(
                f"complete -c graphmill -n {where} {spelled}{takes} -d {_quoted(option.text)}"
            )
    return "\n".join([*lines, ""])


def _spelled(command: Command) -> str:
    return " ".join(name for option in command.options for name in option.names)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


SHELLS: dict[str, Callable[[Mapping[str, Command]], str]] = {
    "bash": bash,
    "zsh": zsh,
    "fish": fish,
}
