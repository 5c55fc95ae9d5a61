"""Mutated queries: whatever the text, the front end and the translators answer with typed errors.

    python benchmarks/hostile_queries.py QUERIES.jsonl [--schemas SCHEMAS.jsonl] [--count 100000]
        [--seed 0] [--to gql,ngql,sql]

QUERIES has lines {"cypher" or "query"}, optionally with "database". Texts are drawn and changed:
characters and words dropped, doubled, swapped, replaced by those of other texts or by hostile ones;
some get thousands of parentheses. Each is parsed, checked and said in the languages of `--to`.
Prints one JSON line: how they ended, the slowest, and what was no typed error; exits with 1 when
there was one, or a text took more than a second.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import time
from collections import Counter
from pathlib import Path

from benchmarks.random_graphs import read_schemas, schema_of
from graph_ir.cypher.reader import parse
from graphmill.errors import QueryTextError, Refused
from translators.render import render

_WORD = re.compile(r"\w+|\s+|[^\w\s]")
_HOSTILE = (
    "\x00", "\u202e", "\ud800", "'", '"', "`", "/*", "*/", "//", "\\", "$", "{", "}", "(", ")", "[",
    "]", "-", "->", "<-", "*", "*..", "|", "..", "9" * 400, "1e999", "0x", "'\\u12", "NULL", "CASE",
    "CALL {", "EXISTS {", "RETURN", "UNION", "WITH *", "\N{ZERO WIDTH SPACE}", "\N{PILE OF POO}",
)  # fmt: skip


def mutated(text: str, others: list[str], rng: random.Random) -> str:
    """`text` after one to three changes."""
    for _ in range(rng.choice((1, 1, 2, 3))):
        parts = _WORD.findall(text) or [""]
        place = rng.randrange(len(parts))
        match rng.randrange(8):
            case 0:
                del parts[place]
            case 1:
                parts.insert(place, parts[rng.randrange(len(parts))])
            case 2:
                other = rng.randrange(len(parts))
                parts[place], parts[other] = parts[other], parts[place]
            case 3:
                parts[place] = rng.choice(_HOSTILE)
            case 4:
                foreign = _WORD.findall(rng.choice(others)) or [""]
                start = rng.randrange(len(foreign))
                parts[place : place + 1] = foreign[start : start + rng.randint(1, 9)]
            case 5:
                parts = parts[:place]
            case 6:
                word = parts[place]
                parts[place] = word[: len(word) // 2] + rng.choice(_HOSTILE)
            case _:
                if rng.random() < 0.01:
                    many = rng.choice((100, 1_000, 10_000))
                    parts[place] = "(" * many + parts[place] + ")" * many
                else:
                    parts.insert(place, rng.choice(_HOSTILE))
        text = "".join(parts)
    return text


def main() -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("queries", type=Path)
    parser.add_argument("--schemas", type=Path)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--to", default="gql,ngql,sql")
    arguments = parser.parse_args()
    found = [json.loads(line) for line in arguments.queries.read_text("utf-8").splitlines()]
    texts = [record.get("cypher") or record.get("query") or "" for record in found]
    known = read_schemas(arguments.schemas) if arguments.schemas else {}
    schemas = {name: schema_of(name, given) for name, given in known.items()}
    rng = random.Random(arguments.seed)
    ended: Counter[str] = Counter()
    bad: list[str] = []
    slowest = (0.0, "")
    for _ in range(arguments.count):
        place = rng.randrange(len(texts))
        text = mutated(texts[place], texts, rng)
        schema = schemas.get(found[place].get("database", ""))
        start = time.perf_counter()
        try:
            statement = parse(text)
            for language in arguments.to.split(","):
                try:
                    render(statement, language, schema)
                    ended["said"] += 1
                except Refused:
                    ended["refused"] += 1
        except QueryTextError as problem:
            ended[f"error: {problem.kind}"] += 1
        except Exception as problem:  # noqa: BLE001 # these are what is looked for
            ended["untyped"] += 1
            bad.append(f"{type(problem).__name__}: {problem}: {text[:300]!r}")
        slowest = max(slowest, (time.perf_counter() - start, text[:200]))
    print(json.dumps({**ended, "slowest": [round(slowest[0], 3), slowest[1]], "untyped": bad[:10]}))
    return int(bool(bad) or slowest[0] > 1)


if __name__ == "__main__":
    sys.exit(main())
