"""The tables of Adaptive Text2GQL in their shape, with the simulated model.

    python benchmarks/adaptive.py CORPUS noise [--language cypher] [--rate 0.29]
    python benchmarks/adaptive.py CORPUS stores|eta|weights|gamma|lengths|ablations

`noise` is AT-34: errors that can be noticed are put in at a rate of each kind, then repaired; it
tells EX before and after, and what was repaired. `stores` is AT-33 (evolving, few-shot, zero-shot),
`eta` AT-35, `weights` AT-36, `gamma` AT-37, `lengths` AT-38 and AT-39 (by query and by schema),
`ablations` AT-30's column without correction, and the other switches. Tokens are AT-41. The model
errs by dice, so that figures show whether the parts work, and say nothing of any model of the
papers; settings that change prompts alone change nothing here but what shots are chosen.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.simulated_model import KINDS, Rates, Simulated  # noqa: E402
from graphmill.llm.stub import Stub  # noqa: E402

NOTICED = ("syntax", "label", "property", "direction", "constant")
TABLES: dict[str, list[tuple[str, ...]]] = {
    "noise": [("repairs=0",), ("repairs=2",)],
    "stores": [("store=evolving",), ("store=fixed",), ("store=none",)],
    "eta": [(f"eta={value}",) for value in (0.1, 0.3, 0.5, 0.7, 0.9)],
    "weights": [
        *((f"lambda={value}",) for value in (0.1, 0.01, 0.001, 0.0001)),
        ("beta=0.5",),
        ("alpha=0.5",),
    ],
    "gamma": [(f"gamma={value}",) for value in (0, 0.2, 0.4, 0.6, 0.8, 1)],
    "lengths": [()],
    "ablations": [
        (),
        ("critic=no", "verifier=no"),
        ("critic=no",),
        ("verifier=no",),
        ("linking=no",),
        ("empty=no",),
    ],
}


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("table", choices=sorted(TABLES))
    parser.add_argument("--language", default="cypher")
    parser.add_argument("--split", default="test")
    parser.add_argument("--question", default="business")
    parser.add_argument("--rate", type=float, default=0.05, help="of each kind of error")
    parser.add_argument("--repair", type=float, default=0.95)
    parser.add_argument("--orders", type=int, default=1)
    given = parser.parse_args()
    errors = dict.fromkeys(KINDS, 0.0) | dict.fromkeys(NOTICED, given.rate)
    sys.stdout.write(
        "| settings | n | EX | GAM | em_text | twig hits | tokens a prompt | repair fires |\n"
        "|---|---|---|---|---|---|---|---|\n"
    )
    for settings in TABLES[given.table]:
        helped = 0.7 if given.table == "stores" else 1.0  # errors where there are examples
        rates = Rates(errors, repair=given.repair, examples=helped)
        model = Simulated.of(given.corpus, language=given.language, rates=rates)
        with Stub(model.answer) as server, tempfile.TemporaryDirectory() as folder:
            own = figures(given, server.url, Path(folder), settings)
        sys.stdout.write(f"{row(settings, own)}\n")
        if given.table == "lengths":
            for dimension in ("query_length", "schema_size"):
                for name, part in own["by"][dimension].items():
                    sys.stdout.write(f"| {name} | {part['n']} | {part['ex']:.1%} |\n")
        if given.table == "noise":
            sys.stdout.write(f"{json.dumps(model.counts)}\n")
        sys.stdout.flush()


def row(settings: tuple[str, ...], own: dict[str, Any]) -> str:
    """One line of the table."""
    costs = own["costs"]
    shares = [own["ex"], own["gam"]["mean"], own["em_text"]["mean"]]
    hits = own["twig_hits"]
    cells = [f"{share:.1%}" for share in shares]
    cells.append("" if hits is None else f"{hits['mean']:.1%}")
    cells.append(f"{costs['prompt_tokens'] / costs['calls'] * own['n']:.0f}")
    cells.append(f"{costs['repaired']:.1%}")
    return f"| {' '.join(settings) or 'full'} | {own['n']} | {' | '.join(cells)} |"


def figures(
    given: argparse.Namespace, url: str, out: Path, settings: tuple[str, ...]
) -> dict[str, Any]:
    """The figures of one run in a process of its own."""
    command = [sys.executable, "-m", "graphmill", "evaluate", str(given.corpus), "--quiet"]
    command += ["--system", "adaptive", "--split", given.split, "--question", given.question]
    command += ["--language", given.language, "--orders", str(given.orders), "--no-suites"]
    command += ["--base-url", url, "--model", "simulated", "--out", str(out)]
    for setting in settings:
        command += ["--set", setting]
    subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=True)  # ours
    scores = json.loads((out / "scores.json").read_text())
    found: dict[str, Any] = scores["languages"][given.language]
    return found


if __name__ == "__main__":
    main()
