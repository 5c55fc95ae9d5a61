"""The LALR tables of a grammar, made by lark once and kept in tables.json beside it.

Making them takes lark a third of a second, reading them some milliseconds, and a command line has
to start at once. The file holds the hash of the grammar that it was made from; where that differs,
the tables are made anew in memory. After a change of a grammar, write its file again:

    python -m graph_ir.cypher.tables graph_ir.cypher cypher.lark
    python -m graph_ir.cypher.tables translators.gql.reader gql.lark
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

_TABLES = "tables.json"


@dataclass(frozen=True, slots=True)
class Rule:
    """A production: how many values it takes, and what it becomes.

    `callback` names the method that builds it, empty where the only value passes through.
    `absent` holds the positions at which a None stands for an optional part that is missing.
    """

    origin: str
    size: int
    callback: str
    absent: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Tables:
    """`states[s]` maps terminals and nonterminals to a state to go to, or to ~rule to reduce.

    State 0 is the start; the input is accepted in the state `end`. `passed` keeps what the
    automaton finds out: (state below, state, terminal) -> the state behind rules of one value;
    `words` what a lexer does: flavour -> (identity of a state, word) -> terminal and text.
    """

    states: tuple[dict[str, int], ...]
    rules: tuple[Rule, ...]
    keywords: frozenset[str]
    end: int
    passed: dict[tuple[int, int, str], int] = field(default_factory=dict, compare=False)
    words: dict[str, dict[tuple[int, str], tuple[str, str]]] = field(
        default_factory=dict, compare=False
    )


def grammar(package: str, name: str) -> str:
    """The text of the grammar `name` in a package."""
    return files(package).joinpath(name).read_text(encoding="utf-8")


@cache
def tables(package: str, name: str) -> Tables:
    """The tables of a grammar as it is now."""
    text = grammar(package, name)
    stored = files(package).joinpath(_TABLES)
    data = json.loads(stored.read_text(encoding="utf-8")) if stored.is_file() else {}
    if data.get("grammar") != _hash(text):
        data = make(text)
    sets = [names.split() for names in data["sets"]]
    return Tables(
        tuple(
            {name: action for action, place in row for name in sets[place]}
            for row in data["states"]
        ),
        tuple(
            Rule(o, size, callback, tuple(absent)) for o, size, callback, absent in data["rules"]
        ),
        frozenset(data["keywords"]),
        data["end"],
    )


def make(text: str) -> dict[str, Any]:
    """The tables of a grammar as plain JSON values; what shares an action shares a line."""
    from lark import Lark
    from lark.lexer import Lexer

    class NoLexer(Lexer):
        """Terminals are chosen by a lexer of ours."""

        __future_interface__ = 2

        def __init__(self, conf: object) -> None:
            pass

        def lex(self, lexer_state: Any, parser_state: Any) -> Any:
            return iter(())

    lark = Lark(text, parser="lalr", lexer=NoLexer, keep_all_tokens=True, maybe_placeholders=True)
    table = lark.parser.parser._parse_table
    rules = {rule: number for number, rule in enumerate(lark.rules)}
    numbers = {table.start_states["start"]: 0}  # by distance from the start, so always the same
    rows: list[dict[str, int]] = []
    for state in _growing(numbers):
        row: dict[str, int] = {}
        for name, (action, argument) in sorted(table.states[state].items()):
            if action.name == "Shift":
                row[name] = numbers.setdefault(argument, len(numbers))
            else:
                row[name] = ~rules.setdefault(argument, len(rules))
        rows.append(row)
    sets: dict[str, int] = {}
    states = []
    for row in rows:
        targets: dict[int, list[str]] = {}
        for name, target in row.items():
            targets.setdefault(target, []).append(name)
        states.append(
            [
                [target, sets.setdefault(" ".join(names), len(sets))]
                for target, names in sorted(targets.items())
            ]
        )
    keywords = sorted(t.name for t in lark.terminals if t.pattern.value.upper() == t.name)
    return {
        "grammar": _hash(text),
        "end": numbers[table.end_states["start"]],
        "keywords": keywords,
        "rules": [_rule(rule) for rule in rules],
        "sets": list(sets),
        "states": states,
    }


def _growing(numbers: dict[Any, int]) -> Iterator[Any]:
    """The keys of `numbers` in their order, those that are added meanwhile too."""
    done = 0
    while done < len(numbers):
        for key in list(numbers)[done:]:
            done += 1
            yield key


def _rule(rule: Any) -> list[Any]:
    size = len(rule.expansion)
    absent = [at for at, missing in enumerate(rule.options.empty_indices) if missing]
    passes = rule.options.expand1 and not rule.alias and size + len(absent) == 1
    callback = "" if passes else rule.alias or rule.origin.name
    return [str(rule.origin.name), size, str(callback), absent]


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def as_text(data: dict[str, Any]) -> str:
    """The form in which the tables are kept: one rule, set and state a line."""
    lines = []
    for key, value in data.items():
        if isinstance(value, list) and key != "keywords":
            body = ",\n".join(json.dumps(item, separators=(",", ":")) for item in value)
            lines.append(f"{json.dumps(key)}: [\n{body}\n]")
        else:
            lines.append(f"{json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main(package: str, name: str) -> None:
    """Write the tables of a grammar beside it."""
    target = Path(str(files(package).joinpath(_TABLES)))
    target.write_text(as_text(make(grammar(package, name))), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:3])
