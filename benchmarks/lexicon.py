"""The precision of the lexicon's rules, by class: what hand-made labels accept of what they say.

    python benchmarks/lexicon.py list GRAPH... > entries.tsv   # one claim a line, to be labelled
    python benchmarks/lexicon.py score entries.tsv    # after a + or - in the first column

A claim is one entry or one frame of one. The labels of the measurement in docs/measurements.md are
of schemas that are not ours to ship.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

from generators.questions.lexicon.derive import derive
from generators.questions.lexicon.model import Lexicon, Phrase, Property, Role
from schemagraph.folder.serde import load_schema
from schemagraph.folder.statistics import gather_statistics

MOST = 24  # claims of a class that are drawn
_FRAMES = {
    "superlative": ("most", "least"),
    "frame": ("equal", "above"),
}


def claims(db: str, lexicon: Lexicon) -> Iterator[tuple[str, str]]:
    """Class of the rule and what it claims, as people would read it."""
    for name, thing in lexicon.things.items():
        called = f"{db}: {name} is {thing.singular}/{thing.plural}, a {thing.kind}"
        yield thing.rule, f"{called}, named {'+'.join(thing.name) or '-'}"
    for path in lexicon.paths.values():
        there, back = _phrase_text(path.forward), _phrase_text(path.backward)
        yield path.rule, f"{db}: {' '.join(path.along)}: {there} | {back}"
    for owner, entries in lexicon.properties.items():
        for name, entry in entries.items():
            yield from _property(f"{db}: {owner}.{name}", entry)
    for term in lexicon.glossary:
        yield term.rule, f"{db}: {term.term}: {term.means}"


def _property(place: str, entry: Property) -> Iterator[tuple[str, str]]:
    if entry.hidden:
        yield entry.rule, f"{place} hidden"
        return
    values = f" {dict(entry.values)}" if entry.values else ""
    yield entry.rule, f"{place} is the {entry.noun} ({entry.kind}){values}"
    for frame in (*_FRAMES["superlative"], *_FRAMES["frame"]):
        text = getattr(entry, frame)
        if text:
            sort = "superlative" if frame in _FRAMES["superlative"] else _frame_class(entry)
            yield sort, f"{place} ({entry.noun}) {frame}: {text}"


def _frame_class(entry: Property) -> str:
    if entry.verb is not None:
        return "moment-verb" if entry.kind in (Role.DATE, Role.YEAR, Role.TIME) else "head-frame"
    if entry.kind in (Role.DATE, Role.YEAR, Role.TIME):
        return "main-date" if entry.ask else "date-frame"
    if entry.kind is Role.COUNT:
        return "count-frame"
    return "category-frame" if entry.kind in (Role.CATEGORY, Role.PLACE) else "measure-frame"


def _phrase_text(phrase: Phrase | None) -> str:
    if phrase is None:
        return "-"
    parts = (phrase.verb, "be" if phrase.be else "", phrase.be, phrase.noun, phrase.particle)
    return " ".join(filter(None, parts)) + (f" ({phrase.tense})" if phrase.verb else "")


def listed(folders: list[Path]) -> list[str]:
    """At most MOST claims of each class, drawn from all graphs."""
    found: dict[str, list[str]] = {}
    for folder in folders:
        schema = load_schema(folder)
        lexicon = derive(schema, gather_statistics(folder, schema, 7))
        for rule, claim in claims(folder.name, lexicon):
            found.setdefault(rule, []).append(claim)
    lines = []
    for rule, every in sorted(found.items()):
        drawn = Random(7).sample(every, min(MOST, len(every)))
        lines += [f"?\t{rule}\t{claim}" for claim in sorted(drawn)]
    return lines


def scored(lines: list[str]) -> list[str]:
    """Precision and number of labels of each class."""
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for line in lines:
        label, rule, _ = line.split("\t", 2)
        if label in "+-":
            total[rule] += 1
            right[rule] += label == "+"
    return [f"{rule:20} {right[rule] / n:.2f} {n}" for rule, n in sorted(total.items())]


if __name__ == "__main__":
    command, *rest = sys.argv[1:]
    texts = (
        listed([Path(each) for each in rest])
        if command == "list"
        else scored(Path(rest[0]).read_text(encoding="utf-8").splitlines())
    )
    print("\n".join(texts))
