"""Questions with the names in them as people write them: short, misspelt, in another spelling.

What is written instead is no value of the graph, so the name that is meant stays the only one.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from random import Random

from evaluation.answering.values import Values
from evaluation.base import Task
from generators.masked.oral import ShortForms
from graphmill.seed import rng

_QUOTES = "\"'“”‘’"
LEAST = 5  # letters of a name that may be misspelt: of shorter ones too little is left


@dataclass(slots=True)
class OralNames:
    """Rewrites the questions of a run, database after database, by the seed."""

    seed: int
    _db: str = ""
    _values: Values = field(default_factory=Values)
    _short: ShortForms = field(default_factory=lambda: ShortForms((), people=False))

    def of(self, task: Task) -> tuple[Task, Mapping[str, str]]:
        """The task with other names, and what stands for which name of the graph; the task as it
        is, and nothing, where its question names no text of the graph or none can be changed.

        Raises:
            SchemaError: a table of the graph is missing or damaged.
        """
        if task.db != self._db:
            self._db, self._values = task.db, Values.of(task.graph, task.schema)
            names = (name for written in self._values.texts.values() for name in written)
            self._short = ShortForms(names, people=False)
        question, names_of = task.question, {}
        for mention in reversed(self._values.mentions(question)):
            written = question[mention.start : mention.end]
            name = written.strip(_QUOTES)
            if not mention.places or name != mention.value:  # "participant" is no name
                continue
            spoken = self._spoken(name, str(mention.value), rng(self.seed, "oral", task.id, name))
            if spoken:
                other = written.replace(name, spoken)
                question = f"{question[: mention.start]}{other}{question[mention.end :]}"
                names_of[spoken] = str(mention.value)
        return replace(task, question=question), names_of

    def _spoken(self, name: str, value: str, random: Random) -> str:
        """Another way to write a name, its short form first; empty where there is none that is
        no value's.
        """
        ways = [respelt(name), misspelt(name, random)]
        random.shuffle(ways)
        ways.insert(0, self._short.of(value))
        return next((w for w in ways if w and w != name and not self._values.named(w)), "")


def misspelt(name: str, random: Random) -> str:
    """The name with a letter inside of a word left out, doubled, or in its neighbour's place.

    With a wrong letter these are the four slips behind four misspellings in five (Damerau 1964).
    The first two letters of a word stay: there, few slip. Empty where the name is short.

    >>> misspelt("Kiel", Random(1))
    ''
    """
    places = [
        at
        for at in range(2, len(name) - 2)
        if name[at - 2 : at + 3].isalpha() and name[at] != name[at + 1]
    ]
    if len(name) < LEAST or not places:
        return ""
    at = random.choice(places)
    left, right = name[:at], name[at + 2 :]
    slips = (name[at + 1] + name[at], name[at + 1], name[at] * 2 + name[at + 1])
    return f"{left}{random.choice(slips)}{right}"


def respelt(name: str) -> str:
    """The name without accents, points and hyphens.

    >>> respelt("Saint-Rémy")
    'Saint Remy'
    """
    bare = unicodedata.normalize("NFKD", name)
    kept = "".join(letter for letter in bare if not unicodedata.combining(letter))
    return " ".join(kept.replace("-", " ").replace(".", " ").split())
