"""Every system that asks a model, with the simulated model, killed twice and resumed.

    python benchmarks/systems.py CORPUS [--split test] [--question business] [--rate 0.08]

The papers' baselines on one corpus, with one prompt interface and one set of metrics (X-1). Each
system runs twice over HTTP: in one go, and killed (SIGKILL) after a third and after two thirds
of its calls, then resumed. Printed are EX, calls, prompt tokens, repairs, whether both runs wrote
the same bytes, and how many calls were paid twice. EX is that of the simulated model's errors: it
shows that the systems work, and says nothing of any model.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.simulated_model import KINDS, Rates, Simulated  # noqa: E402
from graphmill.llm.stub import Stub  # noqa: E402

SYSTEMS = ("zero-shot", "few-shot", "adaptive", "three-agents", "hybrid", "multi-agent")
SAME = ("predictions.jsonl", "scores.json", "trace.jsonl", "tables.md", "report.html")


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--split", default="test")
    parser.add_argument("--question", default="business")
    parser.add_argument("--rate", type=float, default=0.08)
    parser.add_argument("--systems", default=",".join(SYSTEMS))
    given = parser.parse_args()
    sys.stdout.write(
        "| system | n | EX | calls | prompt tokens | repaired | same bytes | twice |\n"
    )
    sys.stdout.write("|---|---|---|---|---|---|---|---|\n")
    for name in given.systems.split(","):
        with tempfile.TemporaryDirectory() as folder:
            sys.stdout.write(f"{row(given, name, Path(folder))}\n")
            sys.stdout.flush()


def row(given: argparse.Namespace, name: str, folder: Path) -> str:
    """One system's line."""
    rates = Rates(dict.fromkeys(KINDS, given.rate), examples=0.5)
    with Stub(Simulated.of(given.corpus, rates=rates).answer) as server:
        run(given, name, server.url, folder / "whole").wait()
        calls = len(server.charged)
    with Stub(Simulated.of(given.corpus, rates=rates).answer) as server:
        for share in (1 / 3, 2 / 3):
            work = run(given, name, server.url, folder / "killed")
            while work.poll() is None and len(server.charged) < share * calls:
                time.sleep(0.01)
            work.kill()
            work.wait()
        run(given, name, server.url, folder / "killed").wait()
        # A call in flight when the process died was paid and could not be recorded.
        twice = len(server.charged) - calls
    same = all(
        (folder / "whole" / file).read_bytes() == (folder / "killed" / file).read_bytes()
        for file in SAME
    )
    own = json.loads((folder / "whole" / "scores.json").read_text())["languages"]["cypher"]
    costs = own["costs"]
    repaired = "" if costs["repaired"] is None else f"{costs['repaired']:.0%}"
    return (
        f"| {name} | {own['n']} | {own['ex']:.0%} | {calls} | {costs['prompt_tokens']:.0f} | "
        f"{repaired} | {'yes' if same else 'no'} | {twice} |"
    )


def run(given: argparse.Namespace, name: str, url: str, out: Path) -> subprocess.Popen[bytes]:
    """One run in a process of its own."""
    command = [sys.executable, "-m", "graphmill", "evaluate", str(given.corpus), "--quiet"]
    command += ["--system", name, "--split", given.split, "--question", given.question]
    command += ["--base-url", url, "--model", "simulated", "--no-suites", "--out", str(out)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)  # ours


if __name__ == "__main__":
    main()
