"""Turtle (RDF 1.1) of lines of N-Triples: prefixes, and the triples of one subject together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from schemagraph.rdf.names import PREFIXES, TYPE

_TRIPLE = re.compile(r"(\S+) (\S+) (.*) \.")
_DATATYPE = re.compile(r"\^\^<([^>]*)>$")
_LOCAL = re.compile(r"(?:[^\W]|%[0-9A-F]{2})(?:[\w-]|%[0-9A-F]{2})*")


def prefixes() -> str:
    """The declarations of all prefixes."""
    return "".join(f"@prefix {name}: <{space}> .\n" for name, space in PREFIXES.items())


def short(iri: str) -> str:
    """A prefixed name where there is one, else the IRI in angle brackets.

    >>> short("https://graphmill.example/label/Person"), short("urn:x")
    ('label:Person', '<urn:x>')
    """
    for name, space in PREFIXES.items():
        local = iri[len(space) :]
        if iri.startswith(space) and _LOCAL.fullmatch(local):
            return f"{name}:{local}"
    return f"<{iri}>"


def turtle(pieces: Iterable[str]) -> Iterator[str]:
    """The same triples as Turtle."""
    yield prefixes()
    last = ""
    for piece in pieces:
        for line in piece.split("\n"):
            triple = _TRIPLE.fullmatch(line)
            if triple is None:
                continue
            subject, predicate, target = (_term(text) for text in triple.groups())
            predicate = "a" if predicate == short(TYPE) else predicate
            head = f" ;\n  {predicate}" if subject == last else f"{_end(last)}{subject} {predicate}"
            yield f"{head} {target}"
            last = subject
    yield _end(last)


def _end(last: str) -> str:
    return " .\n" if last else ""


def _term(text: str) -> str:
    if text.startswith("<"):
        return short(text[1:-1])
    return _DATATYPE.sub(lambda match: f"^^{short(match[1])}", text)
