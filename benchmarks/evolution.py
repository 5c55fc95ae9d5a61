"""Grow queries on databases, and hold what is released against the bars of query evolution.

    python -m benchmarks.evolution SOURCE… [--queries 400] [--engines grafeo,duckdb] [--keep DIR]
        [--synthesise N --nodes 20000] [--pairs] [--seed 7] [--results FILE] [--table]

A SOURCE is `example:NAME`, a SQLite file, or anything else that `graphmill convert`
takes. `--synthesise N` adds graphs of N sub-domains of the taxonomy. Each is a corpus of its own,
built offline by the rules, one after the other; given pairs take part with `--pairs`. Prints one
JSON line a database and one with the totals, among them the archetypes and operators that no
released query of any database shows; exits with 1 when one is absent or a bar is missed. `--table`
prints Markdown tables of both as well. `--results` keeps each finished database in a file and takes
it from there again, so that a run may be interrupted and taken up. Speed is counted per second of
processor time of this process and its workers, so that other work on the machine does not disturb
it; but the pace of a processor changes from minute to minute, so that `pace` tells with it how many
milliseconds a loop over a million squares took before and after.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

from benchmarks.appearances import absent, appearances, tables
from benchmarks.pace import pace
from graph_ir.canonical import shape
from graph_ir.cypher.reader import parsed
from graphmill.errors import GraphmillError
from graphmill.files import canonical, example, read_records
from graphmill.record import DIFFICULTIES, Record
from graphmill.seed import rng
from pipelines.build.quotas import traits
from pipelines.configuration.certify import Certify
from pipelines.configuration.config import (
    Config,
    Corpus,
    GraphSource,
    RelationalSource,
    Source,
    SyntheticSource,
    load,
)
from pipelines.configuration.progress import Watch
from pipelines.configuration.targets import Queries
from pipelines.release.figures import LEVELS, Texts
from pipelines.run import build
from pipelines.synth.domains import names

BARS = {
    "tier_points": 2.0,  # percentage points between a tier's share and its target, at most
    "certified": 0.99,
    "shapes": 150 / 400,  # distinct shapes for each query
    "alike": 0.03,
    "variable-length": 0.08,
    "three-hops": 0.12,
    "optional-or-negation": 0.08,
    "multi-stage": 0.12,
    "told_apart_mean": 0.95,
    "told_apart_least": 0.80,
    "yield": 0.50,
    "per_second": 15.0,
    "words": 1.5,  # distinct words of the business level for each one of the syntactic
}


def main() -> int:
    """Build, measure, print."""
    options = _options()
    sources = [_source(text, options.pairs) for text in options.sources]
    sources += _synthetic(options)
    kept = _kept(options.results)
    results: list[dict[str, Any]] = []
    missed: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="graphmill-") as scratch:
        for source, folder in sources:
            key = _key(source, options)
            found = kept.get(key)
            if found is None:
                try:
                    found = _one(source, folder, Path(options.keep or scratch), options)
                except GraphmillError as problem:
                    print(json.dumps({"source": str(source), "error": str(problem)}), flush=True)
                    missed["built"] += 1
                    continue
                _keep(options.results, {"key": key, **found})
            results.append(found)
            missed.update(found["missed"])
            print(json.dumps(found, ensure_ascii=False), flush=True)
    lacking = absent(results)
    records = sum(each["released"] for each in results)
    told = sum(each["told_apart_mean"] * each["released"] for each in results)
    used = sum(each["processor_seconds"] for each in results)
    total = {
        "databases": len(sources),
        "built": len(results),
        "released": records,
        "absent": lacking,
        "told_apart_mean": _round(told / records) if records else None,
        "per_second": _round(records / used) if records else None,
        "pace": _round(sum(each["pace"] for each in results) / len(results)) if results else None,
        "missed": dict(missed),
    }
    print(json.dumps(total))
    if options.table:
        print("\n".join(tables(results)))
    return 1 if missed or any(lacking.values()) else 0


def _key(source: Source, options: argparse.Namespace) -> str:
    """All that a database's figures depend on, beside the program."""
    settings = options.queries, options.engines, options.seed
    return canonical([source.model_dump(mode="json"), *settings])


def _kept(path: Path | None) -> dict[str, dict[str, Any]]:
    """What earlier runs finished, by key; a line that was not written to its end is left out."""
    found = {}
    if path is not None and path.is_file():
        for line in path.read_text(encoding="utf-8").splitlines():
            with suppress(json.JSONDecodeError):
                one = json.loads(line)
                found[one.pop("key")] = one
    return found


def _keep(path: Path | None, found: dict[str, Any]) -> None:
    if path is not None:
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(found, ensure_ascii=False) + "\n")


def _options() -> argparse.Namespace:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("sources", nargs="*")
    arguments.add_argument("--queries", type=int, default=400)
    arguments.add_argument("--engines", default="grafeo,duckdb")
    arguments.add_argument("--keep", type=Path, help="keep the corpora in this folder")
    arguments.add_argument("--synthesise", type=int, default=0, metavar="N")
    arguments.add_argument("--nodes", type=int, default=20_000)
    arguments.add_argument("--seed", type=int, default=7)
    arguments.add_argument("--pairs", action="store_true", help="begin with an example's pairs")
    arguments.add_argument("--results", type=Path, help="keep finished databases in this file")
    arguments.add_argument("--table", action="store_true", help="print Markdown tables, too")
    return arguments.parse_args()


def _source(text: str, pairs: bool) -> tuple[Source, Path]:
    """The source, and the folder at which its paths begin."""
    if text.startswith("example:"):
        config = load(example(text.removeprefix("example:")))
        source = config.source[0]
        return (source if pairs else source.model_copy(update={"pairs": ""})), config.folder
    path = Path(text).resolve()
    about = {"name": path.stem, "domain": "benchmark", "subdomain": path.stem}
    if path.suffix in (".sqlite", ".db"):
        return RelationalSource(kind="relational", url=f"sqlite:///{path}", **about), path.parent
    return GraphSource(kind="graph", path=str(path), **about), path.parent


def _synthetic(options: argparse.Namespace) -> list[tuple[Source, Path]]:
    chosen = rng(options.seed, "evolution").sample(names(), options.synthesise)
    found: list[tuple[Source, Path]] = []
    for name in chosen:
        domain, _, subdomain = name.partition("/")
        source = SyntheticSource(
            kind="synthetic", domain=domain, subdomain=subdomain, nodes=options.nodes
        )
        found.append((source, Path()))
    return found


def _one(source: Source, folder: Path, place: Path, options: argparse.Namespace) -> dict[str, Any]:
    config = Config(
        corpus=Corpus(name="evolution", seed=options.seed),
        source=(source,),
        queries=Queries(per_database=options.queries),
        certify=Certify(engines=tuple(options.engines.split(","))),
        folder=folder,
    )
    db = config.database(source)
    out = place / db
    # What does not belong to queries (the graph, its engines) is paid by a first, small build.
    small = config.model_copy(update={"queries": Queries(per_database=5)})
    build(small, out, Watch(quiet=True))
    loop = pace(20)
    start, before = time.perf_counter(), _processor()
    funnel = build(config, out, Watch(quiet=True)).to_json()
    seconds, used = time.perf_counter() - start, _processor() - before
    loop = (loop + pace(20)) / 2
    files = sorted((out / "data").glob("*.parquet"))
    records = [record for path in files for _, record in read_records(path)]
    (grown,) = funnel["grown"]
    witnesses = 3 if "neo4j" in options.engines else 2
    measured = _measured(records, witnesses, set(grown["asks_absence"])) | {
        "yield": _round(grown["grown"] / max(1, grown["candidates"])),
        "yield_of_drafts": _round(grown["grown"] / max(1, grown["drafts"])),
        "per_second": _round(grown["grown"] / used),
    }
    return {
        "db": db,
        **measured,
        "seconds": _round(seconds),
        "processor_seconds": _round(used),
        "pace": _round(loop),
        "tiers": grown["tiers"],
        "stopped": grown["stopped"],
        "stages": funnel["stages"],
        "rejects": {f"{r['stage']}/{r['code']}": r["count"] for r in funnel["rejects"]},
        "missed": _missed(measured, len(records), options.queries),
        "appearances": appearances(records),
        "drafts": grown["makers"],
    }


def _measured(records: list[Record], witnesses: int, absence: set[str]) -> dict[str, Any]:
    """What the bars are about, from the records alone."""
    count = len(records)
    found = [traits(parsed(record.queries["cypher"])) for record in records]
    shapes = Counter(shape(parsed(record.queries["cypher"])) for record in records)
    tiers = Counter(record.difficulty for record in records)
    mix = Queries().mix
    groups = Counter(name for one in found for name in one.groups)
    scores = [record.discrimination.get("score", 0.0) for record in records]
    words = _vocabulary(records)
    return {
        "released": count,
        "tier_points": _round(
            max(abs(100 * tiers[t] / count - 100 * mix.share(t)) for t in DIFFICULTIES)
        ),
        "certified": _round(sum(_is_certified(r, witnesses) for r in records) / count),
        "trivial": sum(_is_trivial(record) for record in records if record.id not in absence),
        "shapes": len(shapes),
        "alike": _round(max(shapes.values()) / count),
        **{name: _round(groups[name] / count) for name in sorted(groups)},
        "told_apart_mean": _round(sum(scores) / count),
        "told_apart_least": _round(min(scores)),
        "instances": len({n for r in records for n in r.discrimination.get("instances", ())}),
        "evolved": sum(bool(record.provenance.trace) for record in records),
        "depth": max(len(record.provenance.trace) for record in records),
        "makers": dict(Counter(record.provenance.maker for record in records)),
        "vocabulary": words,
        "words": _round(words["business"]["distinct"] / max(1, words["syntactic"]["distinct"])),
    }


def _vocabulary(records: list[Record]) -> dict[str, dict[str, Any]]:
    """For each question level its questions, their mean length in words, and distinct words."""
    levels: dict[str, Texts] = {}
    for record in records:
        for level in LEVELS:
            if text := getattr(record.questions, level):
                levels.setdefault(level, Texts()).add(text)
        if record.external_knowledge:
            levels.setdefault("knowledge", Texts()).add(record.external_knowledge)
    return {
        level: {
            "questions": texts.number,
            "words": round(texts.mean, 1),
            "distinct": len(texts.distinct),
        }
        for level, texts in levels.items()
    }


def _is_certified(record: Record, witnesses: int) -> bool:
    """At least one more execution than there are witnesses, on that many engines."""
    runs = [c for c in record.certificates if c.agrees]
    return len(runs) > witnesses and len({c.engine for c in runs}) >= witnesses


def _is_trivial(record: Record) -> bool:
    """Whether the answer is empty, or a lone 0 or NULL."""
    answer = record.answer
    if answer is None:
        return True
    return not answer.rows or (answer.rows == 1 and all(v in (None, 0) for v in answer.sample[0]))


def _missed(measured: dict[str, Any], count: int, wanted: int) -> list[str]:
    found = [] if count >= wanted else ["released"]
    for name, bar in BARS.items():
        value = measured.get(name, 0)
        if name == "shapes":
            value = value / max(1, count)
        if name in ("tier_points", "alike"):
            value, bar = -value, -bar
        if value < bar - 1e-9:
            found.append(name)
    return [*found, *(["trivial"] if measured["trivial"] else [])]


def _processor() -> float:
    """Seconds of processor time of this process and of the workers that have ended."""
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    used = [resource.getrusage(kind) for kind in kinds]
    return sum(each.ru_utime + each.ru_stime for each in used)


def _round(value: float) -> float:
    return round(value, 3)


if __name__ == "__main__":
    os.environ.setdefault("PYTHONHASHSEED", "0")
    sys.exit(main())
