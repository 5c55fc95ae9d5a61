"""What a question says that its query does not: constants and things of another query.

A question that belongs to another query often has all that this one has, and more: a filter that
was dropped, a thing that is not asked for. Only what stands out is judged: texts in quotation
marks, numbers in digits, and labels of the schema that are no everyday words.
"""

from __future__ import annotations

import re
from functools import cache

from graph_ir.values import spoken_forms
from qa.mentions import Spoken, content, has_word, stem, stems
from qa.parts import Parts
from schemagraph.model import SchemaGraph

_QUOTED = re.compile(r'"([^"]*)"')
_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?!\w)")
_DIGITS = re.compile(r"\d+(?:\.\d+)?")
# Labels that questions also use as plain words.
_EVERYDAY_WORDS = """
account address amount area article base block case category chain change check class code
combination company count country date day department detail edge element entry event family field
file first form game group head home hour information item kind last level line link list location
log loss map match matter measure member message method month name node note number object office
order part party path people period person place plan plot point position price process project
purpose question range rank rate ratio reason record region relation report result return review
road role row run school score section series service set share show side site size source stage
standing state status step stock store subject table tag target task team term text thing time
title top total track transaction type unit use user value version view visit way week word work
year
"""
_EVERYDAY = frozenset(_EVERYDAY_WORDS.split())


@cache
def _everyday_stems() -> frozenset[str]:
    return frozenset(stem(word) for word in _EVERYDAY)


def foreign_value(text: str, query: str) -> str:
    """A constant of the question that the query does not have, "" where there is none.

    >>> foreign_value('more than 1,000 books in "Bergen"', "… c.name = 'Bergen' AND b.n > 1000")
    ''
    >>> foreign_value('books of "Emma" after 1990', "… a.name = 'Emma'")
    '1990'
    """
    have = " ".join(query.replace("\\'", "'").replace("\\n", " ").casefold().split())
    for quoted in _QUOTED.findall(text):
        plain = " ".join(quoted.casefold().split())
        if (
            plain
            and plain not in have
            and not any(form in have for form in map(str.casefold, spoken_forms(quoted)))
        ):
            return f'"{quoted}"'
    numbers = {"1", *(_plain(each) for each in _DIGITS.findall(have))}  # "1 or more" steps
    numbers |= {_plain(str(float(each) * 100)) for each in numbers if each.startswith("0.")}
    for shown in _NUMBER.findall(_QUOTED.sub(" ", text)):
        if _plain(shown.rstrip(",").replace(",", "")) not in numbers:
            return str(shown)
    return ""


def _plain(number: str) -> str:
    return f"{float(number):.10g}"


def foreign_entity(text: str, parts: Parts, schema: SchemaGraph, spoken: Spoken) -> str:
    """A label that a text names and the query does not, "" where there is none."""
    used = {label.name for label in parts.labels}
    names = used | {prop.key for prop in parts.properties} | {e.key for e in parts.entries}
    names |= {var.name for var in parts.variables}
    others = [w for group in (spoken.nodes, spoken.edges) for n in used for w in group.get(n, ())]
    others += [w for e in schema.edges if e.label in used for w in spoken.edges.get(e.name, ())]
    others += [w for (_, key), ways in spoken.properties.items() if key in names for w in ways]
    own = {word for name in (*names, *others) for word in content(name)}
    known, mine = stems(text), stems(" ".join(own))
    for node in schema.nodes:
        for label in node.labels:
            words = [w for w in content(label) if stem(w) not in _everyday_stems()]
            if label in used or not words or len(words) < len(content(label)):
                continue
            if all(stem(w) in known for w in words) and not any(has_word(w, mine) for w in words):
                return label
    return ""
