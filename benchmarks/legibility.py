"""Fit how likely readers find a sentence clumsy to what blind readers rated.

    python -m benchmarks.legibility RATED [RATED …]

RATED is CORPUS=KEY=RATINGS[=RATINGS …]: the folder of a built corpus, the key that says which
sentence of which pair each code stands for, and files with a line {"code", "G", "B"} for each
sentence and rater: its English, and whether somebody would ask it. Prints the weights of
`generators/questions/realise/legibility.toml`, and how well they tell good from bad on databases
that they were not fitted to: `auc` by form among what the same readers rated, and the share of
pairs kept against the share of their sentences that have 4 and more for both. Readers differ in
how strict they are, so that each KEY has a constant of its own; `all` is their mean.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np
import pyarrow.parquet as pq

from generators.questions.author import NotExpressible
from generators.questions.goals.recognise import recognise
from generators.questions.lexicon.completion.complete import derived_for
from generators.questions.plan.analysis import analyse
from generators.questions.plan.simplify import simplified
from generators.questions.plan.types import Types
from generators.questions.realise.conditions.options import Form
from generators.questions.realise.legibility import traits
from generators.questions.realise.realiser import Wording, wordings
from graph_ir.cypher.reader import parse
from schemagraph.folder.serde import load_schema

_FORMS: dict[int, Form] = {2: "explicit", 3: "contracted", 4: "search"}
_GOOD = 4.0  # mean of the raters, of 5
_PENALTY = 4.0  # of the squares of the weights
_STEPS = 20


@dataclass(frozen=True, slots=True)
class Rated:
    """A sentence with its traits and what readers said, the worse of both ratings: `pair` is of one
    corpus, `key` names its readers."""

    key: str
    pair: tuple[str, str]
    db: str
    level: int
    traits: dict[str, float]
    rating: float


def main() -> int:
    """Read, fit, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rated", nargs="+")
    given = [each.split("=") for each in parser.parse_args().rated]
    for path in (path for each in given for path in each):
        if not Path(path).exists():
            parser.error(f"There is no {path}: give CORPUS=KEY=RATINGS, a folder and two files.")
    sentences = [sentence for each in given for sentence in _rated(each)]
    names = list(sentences[0].traits)
    table = np.array([[*s.traits.values()] for s in sentences], float)
    bad = np.array([s.rating < _GOOD for s in sentences])
    dbs = np.array([s.db for s in sentences])
    keys = np.array([s.key for s in sentences])
    odds = np.zeros(len(bad))
    for db in sorted(set(dbs)):
        here = dbs == db
        constant, *weights = _fitted(table[~here], bad[~here], keys[~here])
        odds[here] = constant + table[here] @ weights
    levels = np.array([s.level for s in sentences])
    for level, form in _FORMS.items():
        of = levels == level
        told = _auc(odds[of], bad[of], keys[of])
        print(json.dumps({"form": form, "sentences": int(of.sum()), "auc": told}), file=sys.stderr)
    for share in (1.0, 0.9, 0.8, 0.7, 0.6, 0.5):
        print(json.dumps(_kept(share, sentences, odds)), file=sys.stderr)
    print("[weights]")
    for name, weight in zip(("all", *names), _fitted(table, bad, keys), strict=True):
        print(f"{name} = {weight:.2f}")
    return 0


def _rated(given: Sequence[str]) -> Iterator[Rated]:
    corpus, key = Path(given[0]), json.loads(Path(given[1]).read_text("utf-8"))
    ratings: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for line in (line for file in given[2:] for line in Path(file).read_text("utf-8").splitlines()):
        each = json.loads(line)
        if "G" in each and "B" in each:
            ratings[each["code"]].append((each["G"], each["B"]))
    records = {
        record["id"]: record
        for file in sorted(corpus.glob("data/*.parquet"))
        for record in pq.read_table(file).to_pylist()
    }
    graphs: dict[str, Any] = {}
    for code, said in sorted(ratings.items()):
        entry = key.get(code, {})
        record = records.get(key.get(entry.get("pair"), {}).get("id"))
        if record is None or entry.get("level") not in _FORMS:
            continue
        folder = corpus / "graphs" / record["db"]
        if record["db"] not in graphs:
            graphs[record["db"]] = load_schema(folder), derived_for(folder).at()
        made = _traits(record, entry["level"], *graphs[record["db"]])
        if made is not None:
            pair = str(corpus), record["id"]
            worse = min(map(mean, zip(*said, strict=True)))
            yield Rated(given[1], pair, record["db"], entry["level"], made, worse)


def _traits(record: Any, level: int, schema: Any, lexicon: Any) -> dict[str, float] | None:
    """The traits of a sentence; None where the rules of today would not word its query."""
    types = Types(schema)
    statement = parse(dict(record["queries"])["cypher"])
    try:
        ask = recognise(analyse(simplified(statement), types), lexicon, types)
        worded = sorted((w.cost, w.text) for w in wordings(ask, lexicon, _FORMS[level]))
    except NotExpressible:
        return None
    field = {2: "question_logical", 3: "question_business", 4: "question"}[level]
    text = record[field]
    same = [cost for cost, each in worded if each == text]
    if not worded:
        return None
    cost = same[0] if same else worded[0][0]
    return traits(Wording(text, cost, text), ask, lexicon)


def _fitted(table: Any, bad: Any, keys: Any) -> Any:
    """Logistic regression, by Newton's method: the mean of the constants of the keys, then a weight
    of each trait, of which the squares have a penalty."""
    constants = keys[:, None] == np.unique(keys)[None, :]
    rounds = constants.shape[1]
    table = np.hstack([constants, table])
    weights = np.zeros(table.shape[1])
    penalty = _PENALTY * np.eye(table.shape[1])
    penalty[:rounds] = 0.0
    for _ in range(_STEPS):
        odds = 1 / (1 + np.exp(-table @ weights))
        curvature = (table.T * (odds * (1 - odds))) @ table + penalty
        slope = table.T @ (bad - odds) - penalty @ weights
        weights = weights + np.linalg.solve(curvature, slope)
    return np.array([(constants @ weights[:rounds]).mean(), *weights[rounds:]])


def _auc(odds: Any, bad: Any, keys: Any) -> float:
    """How often a bad sentence has higher odds than a good one of the same readers."""
    told = held = 0.0
    for key in np.unique(keys):
        low, high = odds[(keys == key) & ~bad][None, :], odds[(keys == key) & bad][:, None]
        told += float(((high > low) + 0.5 * (high == low)).sum())
        held += low.size * high.size
    return round(told / held, 3)


def _kept(share: float, sentences: Sequence[Rated], odds: Any) -> dict[str, Any]:
    """What readers said of the pairs whose worst sentence is among the best."""
    pairs: dict[tuple[str, str], dict[int, tuple[float, float]]] = defaultdict(dict)
    for sentence, each in zip(sentences, odds, strict=True):
        pairs[sentence.pair][sentence.level] = (float(each), sentence.rating)
    worst = {pair: max(odd for odd, _ in forms.values()) for pair, forms in pairs.items()}
    most = sorted(worst.values())[max(0, round(share * len(worst)) - 1)]
    left = [forms for pair, forms in pairs.items() if worst[pair] <= most]
    said = {
        form: [forms[level][1] for forms in left if level in forms]
        for level, form in _FORMS.items()
    }
    return {
        "kept": share,
        "most": round(1 / (1 + float(np.exp(-most))), 3),
        **{form: round(mean(r), 2) for form, r in said.items()},
        **{f"{form}_good": round(mean(x >= _GOOD for x in r), 3) for form, r in said.items()},
    }


if __name__ == "__main__":
    raise SystemExit(main())
