"""Related schema of `three-agents`, without and with the revision by a simulated model (NS-22).

    python benchmarks/related_schema.py CORPUS [--split test] [--question business] [--rate 0.4]

How often the node types and labels of edges that the preprocessor hands on are exactly those that
the gold query needs: as linking by names completes them, and after the model's revision, which
leaves its candidate as it is at the stated rate and else answers what the gold needs. What is
measured is the system's own linking, and that a revision reaches the generator; no model's skill.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.given_schema import GIVEN, files  # noqa: E402
from benchmarks.simulated_model import Rates, Simulated  # noqa: E402
from graphmill.files import read_json_lines  # noqa: E402
from graphmill.llm.stub import Stub  # noqa: E402

GOLD = GIVEN[-1]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--split", default="test")
    parser.add_argument("--question", default="business")
    parser.add_argument("--rate", type=float, default=0.4, help="of revisions that change nothing")
    given = parser.parse_args()
    needed = {line["id"]: line["schema"] for line in files(given.corpus, given.split)[GOLD]}
    model = Simulated.of(given.corpus, rates=Rates({}, schema=given.rate))
    sys.stdout.write("| revision | n | related schema exactly as needed |\n|---|---|---|\n")
    with Stub(model.answer) as server, tempfile.TemporaryDirectory() as scratch:
        for revision in ("no", "yes"):
            out = Path(scratch) / revision
            own = schemas(given, server.url, out, revision)
            right = [own[id] == needed[id] for id in own]
            sys.stdout.write(f"| {revision} | {len(right)} | {sum(right) / len(right):.1%} |\n")


def schemas(given: argparse.Namespace, url: str, out: Path, revision: str) -> dict[str, list[str]]:
    """The schema that each question's generator was given, by the run's trace."""
    command = [sys.executable, "-m", "graphmill", "evaluate", str(given.corpus), "--quiet"]
    command += ["--system", "three-agents", "--split", given.split, "--question", given.question]
    command += ["--base-url", url, "--model", "simulated", "--no-suites", "--out", str(out)]
    command += ["--set", "refiner=no", "--set", f"revision={revision}"]
    subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=True)  # ours
    return {
        line["id"]: line["trace"]["schema"]
        for _, line in read_json_lines(out / "predictions.jsonl")
        if isinstance(line, dict)
    }


if __name__ == "__main__":
    main()
