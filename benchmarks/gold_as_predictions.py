"""Gold as predictions: each language of a corpus through `graphmill evaluate CORPUS --predictions`.

    python -m benchmarks.gold_as_predictions CORPUS

Prints a line of figures a language, and below it each query with a figure under 100 %; ends with
status 1 where there is one. EX, suite EX, Exec, Grammar, GAM, PSJS and EM by clause should be 1.0.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import graphmill as gm

MEANS = ("exec", "grammar", "gam", "psjs", "em_clauses")


def short(own: dict[str, Any]) -> dict[str, float]:
    """The measures of a language's figures that gold does not reach; what is left out is none."""
    measures = {"ex": own["ex"], "suite_ex": own["suite_ex"]}
    measures |= {name: (own.get(name) or {}).get("mean") for name in MEANS}
    return {name: value for name, value in measures.items() if value is not None and value < 1.0}


def main() -> int:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    arguments.add_argument("corpus", type=Path)
    corpus = arguments.parse_args().corpus
    golds: dict[str, dict[str, str]] = {}
    for record in gm.Corpus(corpus).records():
        # SQL is scored on the source: not the text over the graph's tables
        texts = {**record["queries"], "sql": record["source_sql"]}
        for language, text in texts.items():
            if text:
                golds.setdefault(language, {})[record["id"]] = text
    status = 0
    for language, queries in golds.items():
        with tempfile.TemporaryDirectory() as folder:
            path, out = Path(folder) / "predictions.jsonl", Path(folder) / "run"
            lines = [json.dumps({"id": each, "query": text}) for each, text in queries.items()]
            path.write_text("\n".join(lines), encoding="utf-8")
            command = [sys.executable, "-m", "graphmill", "evaluate", str(corpus), "--quiet"]
            options = ["--predictions", str(path), "--language", language, "--out", str(out)]
            done = subprocess.run([*command, *options], stdout=subprocess.PIPE, check=True)
            own = json.loads(done.stdout)["languages"][language]
            below = short(own)
            figures = {"given": len(queries), "n": own["n"], "below": below}
            print(language, json.dumps(figures | {"graphs": own["suite"]["graphs"]}))
            if not below and own["n"] == len(queries):
                continue
            status = 1
            for line in (out / "trace.jsonl").read_text(encoding="utf-8").splitlines():
                each = json.loads(line)
                if each.get("class") or any(each.get(name) in (False, 0.0) for name in MEANS):
                    print("  ", line[:1500])
    return status


if __name__ == "__main__":
    sys.exit(main())
