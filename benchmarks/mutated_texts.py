"""Mutated texts through parser and checker: typed errors only, none that takes long.

    .venv/bin/python -m benchmarks.mutated_texts [--language cypher|gql|ngql] [--count 20000]
        [--seed 7] [--texts FILE ...]

Texts come from the fixtures of the translators and, one a line or as JSON lines with "query" or
"cypher", from FILE. A mutant has one to four changes: characters dropped, doubled, swapped or put
in; tokens dropped, doubled, swapped or taken from another text; a part put in brackets many times.
Prints what raised anything else than a typed error, and the slowest texts.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random
from time import perf_counter

from graphmill.errors import Diagnostic, GraphmillError
from pipelines.checking import opened
from translators.language import checkable

FIXTURES = Path(__file__).parents[1] / "tests" / "translators"
TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
HOSTILE = [
    *("'", '"', "`", "\\", "/*", "//", "*/", "$", "\\u", "\\ud800", "\x00", "\u2028", "\ufeff"),
    *("(", ")", "[", "]", "{", "}", "..", "->", "<-", "*", "1e999", "9" * 40, "0x", "é", "😀"),
]
SLOW = 1.0  # seconds


def given(files: Sequence[Path]) -> list[str]:
    """The texts that mutants are made of."""
    texts: list[str] = []
    for path in sorted(FIXTURES.glob("*/*.pairs")):
        if path.parent.name == "from_sql":
            continue
        texts += [
            line for line in path.read_text().splitlines() if not line.startswith(("--", "!"))
        ]
    for path in files:
        for line in path.read_text().splitlines():
            raw = json.loads(line) if line.startswith("{") else {"query": line}
            texts.append(str(raw.get("cypher") or raw.get("query") or ""))
    return [text.strip() for text in texts if text.strip()]


def mutant(text: str, others: Sequence[str], random: Random) -> str:
    """`text` with one to four changes."""
    for _ in range(random.randint(1, 4)):
        text = random.choice((_character, _token, _brackets))(text, others, random)
    return text


def _character(text: str, _: Sequence[str], random: Random) -> str:
    at = random.randint(0, len(text))
    kind = random.randrange(4)
    if kind == 0:
        return text[:at] + text[at + random.randint(1, 3) :]
    if kind == 1:
        return text[:at] + text[at : at + 1] * random.randint(2, 40) + text[at + 1 :]
    if kind == 2:
        return text[:at] + text[at + 1 : at + 2] + text[at : at + 1] + text[at + 2 :]
    return text[:at] + random.choice(HOSTILE) + text[at:]


def _token(text: str, others: Sequence[str], random: Random) -> str:
    tokens = TOKEN.findall(text)
    if not tokens:
        return text
    at, other = random.randrange(len(tokens)), random.randrange(len(tokens))
    kind = random.randrange(4)
    if kind == 0:
        del tokens[at]
    elif kind == 1:
        tokens[at:at] = tokens[at : at + random.randint(1, 6)]
    elif kind == 2:
        tokens[at], tokens[other] = tokens[other], tokens[at]
    else:
        tokens[at] = random.choice(TOKEN.findall(random.choice(others)) or [""])
    return "".join(tokens)


def _brackets(text: str, _: Sequence[str], random: Random) -> str:
    tokens = TOKEN.findall(text)
    at = random.randrange(len(tokens) + 1)
    to = min(len(tokens), at + random.randint(1, 5))
    left, right = random.choice(("()", "[]", "{}"))
    deep = random.choice((1, 2, 5, 50, 2000))
    return "".join([*tokens[:at], left * deep, *tokens[at:to], right * deep, *tokens[to:]])


def judged(
    check: Callable[[str], list[Diagnostic]], texts: Iterator[str]
) -> tuple[Counter[str], list[tuple[float, str]]]:
    """How many texts had which end, and the slow ones."""
    ends: Counter[str] = Counter()
    slow: list[tuple[float, str]] = []
    for text in texts:
        begin = perf_counter()
        try:
            findings = check(text)
            ends["refused" if any(f.severity == "error" for f in findings) else "taken"] += 1
        except GraphmillError as problem:
            ends[f"typed error {type(problem).__name__}"] += 1
        except Exception as problem:  # noqa: BLE001 - what is looked for
            ends[f"FAULT {type(problem).__name__}: {problem}"[:100]] += 1
            print(f"{type(problem).__name__}: {text[:300]!r}")
        took = perf_counter() - begin
        if took > SLOW:
            slow.append((took, text))
    return ends, slow


def main() -> int:
    """Print the ends and the slowest; 1 where a fault was met."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--language", default="cypher", choices=checkable())
    reader.add_argument("--count", type=int, default=20_000)
    reader.add_argument("--seed", type=int, default=7)
    reader.add_argument("--texts", type=Path, nargs="*", default=[])
    options = reader.parse_args()
    texts, random = given(options.texts), Random(options.seed)
    with ExitStack() as stack:
        check = stack.enter_context(opened(options.language, None))
        mutants = (mutant(random.choice(texts), texts, random) for _ in range(options.count))
        ends, slow = judged(check, mutants)
    for end, count in ends.most_common():
        print(f"{count:>7}  {end}")
    print(f"over {SLOW:g} s: {len(slow)}")
    for took, text in sorted(slow, reverse=True)[:5]:
        print(f"  {took:.1f} s: {len(text)} characters: {text[:150]!r}")
    return int(any(end.startswith("FAULT") for end in ends))


if __name__ == "__main__":
    sys.exit(main())
