"""What somebody edited in a file since graphmill wrote it, and where its comments go."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from generators.questions.lexicon.model import Entry, Lexicon, Path, Provenance
from generators.questions.lexicon.toml_file import LexiconFile, content_mark


def settled(file: LexiconFile) -> Lexicon:
    """The lexicon of a file, entries that somebody edited marked as a user's.

    An entry is edited where it differs from what graphmill noted when it wrote the file, or where
    nothing was noted of its name, whatever its `from` says. One whose words were changed is sure,
    unless its `sure` was changed as well; 0, of the entry or of a part in `unsure`, stays 0. A file
    without these notes is taken as it is.
    """
    if not file.written:
        return file.lexicon

    def settle[E: Entry](place: str, entry: E) -> E:
        if entry.source is Provenance.USER:
            return entry
        content, _, sure = file.written.get(place, f" {entry.sure:g}").partition(" ")
        same_words, same_sure = content_mark(entry) == content, f"{entry.sure:g}" == sure
        if same_words and same_sure:
            return entry
        mine = replace(entry, source=Provenance.USER, rule="")
        if same_words and isinstance(entry, Path):
            return replace(mine, unsure={})  # the doubt about a path asks for all its parts
        if same_words or not same_sure:
            return mine
        refused = {part: sure for part, sure in entry.unsure.items() if sure == 0}
        return replace(mine, sure=float(entry.sure > 0), unsure=refused)

    return _mapped(file.lexicon, settle)


class _Change(Protocol):
    def __call__[E: Entry](self, place: str, entry: E) -> E: ...


def _mapped(lexicon: Lexicon, change: _Change) -> Lexicon:
    return replace(
        lexicon,
        things={n: change(f"things.{n}", entry) for n, entry in lexicon.things.items()},
        paths={n: change(f"paths.{n}", entry) for n, entry in lexicon.paths.items()},
        properties={
            owner: {n: change(f"properties.{owner}.{n}", e) for n, e in entries.items()}
            for owner, entries in lexicon.properties.items()
        },
        glossary=tuple(change(f"glossary.{t.of}.{t.term}", t) for t in lexicon.glossary),
    )


def comments_in(lexicon: Lexicon, file: LexiconFile) -> dict[tuple[str, ...], tuple[str, ...]]:
    """The comments of a file by the places that its entries have in another lexicon, where terms
    may have other numbers."""
    numbers = {(t.of, t.term): str(number) for number, t in enumerate(lexicon.glossary, 1)}
    placed = {}
    for where, lines in file.comments.items():
        section, *rest = where
        if section == "glossary" and rest:
            term = file.lexicon.glossary[int(rest[0]) - 1]
            rest[0] = numbers.get((term.of, term.term), "")
        placed[section, *rest] = lines
    return placed
