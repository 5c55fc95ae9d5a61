"""graphglot's own tests as a suite for our reader of GQL: what it takes and refuses, and why.

    python -m benchmarks.gql_suite FOLDER [--show 40]

FOLDER holds the tests of graphglot's source package (`pip download --no-binary :all: --no-deps
graphglot`). Every text in them that begins like a query or a write is judged by graphglot's dialect
of the whole standard: what it takes is a positive, what it does not a negative. We take a text that
is read without an error of the binder, and one that Graph-IR has no form of, which is a typed
refusal. graphglot takes parts of queries, functions of Cypher, and set operations of other columns,
which the standard does not: `NOT_ISO` names our codes for them, and they are counted apart.
"""

from __future__ import annotations

import argparse
import ast
import re
from collections import Counter
from pathlib import Path

from engines.judges.gql import check
from graphmill.errors import QueryTextError, Refused
from translators.gql.reader.read import checker, parse

NOT_ISO = frozenset(
    {
        "unknown-function",  # range(), keys() and others of Cypher
        "missing-return",  # ISO/IEC 39075:2024, 14.3: a query ends with its result
        "next-without-return",
        "union-columns",  # 14.2, syntax rules: the columns of both sides are the same
        "unexpected-character",  # @name, a macro of graphglot's
    }
)
_BEGIN = re.compile(
    r"\s*(MATCH|OPTIONAL|RETURN|FOR|LET|FILTER|INSERT|SELECT|USE|CALL|SET|REMOVE|DELETE|DETACH"
    r"|NODETACH|FINISH|ORDER)\b"
)


def texts(folder: Path) -> dict[str, str]:
    """The texts of a folder of tests, with the file of each; sentences about tests are none."""
    made: dict[str, str] = {}
    for path in sorted(folder.rglob("*.py")):
        nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
        prose = {id(each.value) for each in nodes if isinstance(each, ast.Expr)}
        for node in nodes:
            if not isinstance(node, ast.Constant) or id(node) in prose:
                continue
            if isinstance(node.value, str) and _BEGIN.match(node.value):
                made.setdefault(node.value, path.name)
    return made


def own(text: str) -> str:
    """'read', 'refused', or the code of an error."""
    try:
        parse(text)
    except Refused:
        return "refused"
    except QueryTextError as problem:
        return problem.code
    errors = [each for each in checker(None)(text) if each.severity == "error"]
    return errors[0].code if errors else "read"


def main() -> None:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--show", type=int, default=40)
    options = arguments.parse_args()
    positives: Counter[str] = Counter()
    negatives: Counter[str] = Counter()
    shown: list[str] = []
    for text, file in texts(options.folder).items():
        valid, state = not check(text), own(text)
        (positives if valid else negatives)[state] += 1
        if (valid and state not in {"read", "refused", *NOT_ISO}) or (
            not valid and state == "read"
        ):
            shown.append(f"{'+' if valid else '-'} {state} {file}: {' '.join(text.split())}")
    apart = sum(positives[code] for code in NOT_ISO)
    whole = positives.total() - apart
    taken = positives["read"] + positives["refused"]
    print(f"positives: {positives.total()}, {apart} of them not of the standard; of the others")
    print(
        f"  {positives['read']} read, {positives['refused']} refused as not of Graph-IR,", end=" "
    )
    print(f"{whole - taken} not taken: {taken / whole:.1%}")
    refused = negatives.total() - negatives["read"]
    print(f"negatives: {negatives.total()}, refused {refused}: {refused / negatives.total():.1%}")
    print("\n".join(sorted(shown)[: options.show]))


if __name__ == "__main__":
    main()
