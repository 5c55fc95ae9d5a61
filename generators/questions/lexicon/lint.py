"""What a user says that contradicts itself, and what is not wrong and hardly meant."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from generators.questions.lexicon.model import (
    Lexicon,
    Phrase,
    Property,
    Provenance,
    Standing,
    Thing,
    edges,
    value_key,
)
from graphmill.english.inflection import is_plural, plural
from graphmill.english.lists import word_set
from graphmill.english.verbs import by_base
from graphmill.errors import did_you_mean
from schemagraph.folder.statistics import PropertyStatistics

type Place = tuple[str, ...]
type Problem = tuple[Place, str]

_BARE = ("{}", "not {}")
_MEANT = (("equal", "{}"), ("unequal", "not {}"))  # which at least say what they are for
_BEING = frozenset({"am", "are", "be", "been", "is", "was", "were"})
_FRAMES = ("equal", "unequal", "above", "below", "at_least", "at_most")


def contradictions(lexicon: Lexicon) -> Iterator[Problem]:
    """What a user cannot mean, each with its place in the file: phrases that would never be used,
    verbs that have no forms, frames that say something else than they are for.

    `lexicon` is that of a file, edited entries marked as a user's.
    """
    yield from _paths_twice(lexicon)
    yield from _rows(lexicon)
    yield from _verbs(lexicon)
    yield from _terms(lexicon)
    for place, entry in mine(lexicon):
        for frame in _FRAMES:
            text = getattr(entry, frame).strip()
            if text in _BARE and (frame, text) not in _MEANT:
                what = f"'{text}' alone does not say '{frame}': write the words around the value."
                yield (*place, frame), what


def _paths_twice(lexicon: Lexicon) -> Iterator[Problem]:
    first: dict[tuple[str, ...], str] = {}
    for name, path in lexicon.paths.items():
        before = first.setdefault(edges(path), name)
        sources = (path.source, lexicon.paths[before].source)
        if before != name and Provenance.USER in sources:
            yield (
                ("paths", name, "along"),
                f"the edges of paths.{before}, either way, of which one alone is used: "
                "keep one of the two.",
            )


def _terms(lexicon: Lexicon) -> Iterator[Problem]:
    """A term that values are said with already, so that it would have two meanings."""
    for number, term in enumerate(lexicon.glossary, 1):
        thing = lexicon.things.get(term.of)
        if term.source is not Provenance.USER or thing is None or term.refused():
            continue
        for name, entry in lexicon.properties.get(term.of, {}).items():
            for key, word in entry.values.items():
                if term.term.casefold() in _terms_of(word, entry.place, thing):
                    what = f"'{term.term}' is what value '{key}' of {name} is called already"
                    fix = "leave the term out, or call one of the two otherwise."
                    yield ("glossary", str(number), "term"), f"{what}: {fix}"


def _terms_of(word: str, place: Standing, thing: Thing) -> set[str]:
    """The thing with the word of a value, for one and for many."""
    if place is Standing.HEAD:
        terms = {word, plural(word)}
    elif place is Standing.BEFORE:
        terms = {f"{word} {noun}" for noun in (thing.singular, thing.plural)}
    else:
        terms = {f"{noun} {word}" for noun in (thing.singular, thing.plural)}
    return {text.casefold() for text in terms}


def _rows(lexicon: Lexicon) -> Iterator[Problem]:
    for name, thing in lexicon.things.items():
        if thing.row is not None and not thing.junction and thing.source is Provenance.USER:
            yield (
                ("things", name, "row"),
                f'only a junction has rows, and this is a {thing.kind}: write kind = "junction", '
                "or singular and plural in its place.",
            )


def _verbs(lexicon: Lexicon) -> Iterator[Problem]:
    phrases: list[tuple[Place, Phrase | None]] = []
    for name, path in lexicon.paths.items():
        if path.source is Provenance.USER:
            phrases += [(("paths", name, "forward"), path.forward)]
            phrases += [(("paths", name, "backward"), path.backward)]
    phrases += [((*place, "verb"), entry.verb) for place, entry in mine(lexicon)]
    for place, phrase in phrases:
        if phrase is not None:
            yield from _loose_words(place, phrase)
        base = "" if phrase is None else _base_of(phrase.verb)
        if phrase is not None and base:
            done = f' and tense = "past", or be = "{phrase.verb}"' * phrase.verb.endswith("ed")
            what = f"'{phrase.verb}' is a form of '{base}': write verb = \"{base}\"{done}."
            yield (*place, "verb"), what


def _loose_words(place: Place, phrase: Phrase) -> Iterator[Problem]:
    """A form of "to be" in `be`, which is put before it; a particle inside a verb."""
    first, _, rest = phrase.be.partition(" ")
    if first in _BEING and rest:
        yield (*place, "be"), f"'{first}' is said before it by itself: write be = \"{rest}\"."
    verb, _, last = phrase.verb.rpartition(" ")
    if verb and last in word_set("prepositions") and not phrase.particle:
        what = f'\'{last}\' is no part of the verb: write verb = "{verb}", particle = "{last}".'
        if place[0] == "properties":
            what = f"'{last}' is no part of the verb: write verb = \"{verb}\"."
        yield (*place, "verb"), what


def _base_of(verb: str) -> str:
    """The base form of what is only another form of a verb; "" for base forms and what is unknown.

    >>> _base_of("released"), _base_of("check out"), _base_of("embed"), _base_of("found")
    ('release', '', '', '')
    """
    word, _, rest = verb.partition(" ")
    if not word or by_base(word) is not None:
        return ""
    import lemminflect  # slow to load, and few verbs are unknown

    bases = lemminflect.getAllLemmas(word, upos="VERB").get("VERB", ())
    return "" if not bases or word in bases else f"{bases[0]} {rest}".strip()


def mine(lexicon: Lexicon) -> Iterator[tuple[Place, Property]]:
    """The properties that a user wrote or edited, each with its place in the file."""
    for owner, entries in lexicon.properties.items():
        for name, entry in entries.items():
            if entry.source is Provenance.USER:
                yield ("properties", owner, name), entry


def lexicon_warnings(
    lexicon: Lexicon, statistics: Mapping[tuple[str, str], PropertyStatistics]
) -> list[str]:
    """What a user says that is not wrong and hardly meant: one word for several types or codes,
    frames without a word, words for values that are not in data whose values are all known
    (`GraphStatistics.properties`)."""
    warnings = list(_shared_nouns(lexicon))
    for place, entry in mine(lexicon):
        where = ".".join(place)
        warnings += [f"{where}.{what}" for what in _one_word(entry)]
        for frame, text in _MEANT:
            if getattr(entry, frame).strip() == text:
                owner = place[1]
                what = f"'{text}' alone puts the bare value behind the noun of {owner}"
                warnings.append(f"{where}.{frame}: {what}: write the words around it.")
        if entry.place is Standing.HEAD:
            warnings += [f"{where}.{what}" for what in _many(entry)]
        known = statistics.get((place[1], place[2]))
        warnings += [f"{where}.{what}" for what in _absent_values(entry, known)]
    return warnings


def _shared_nouns(lexicon: Lexicon) -> Iterator[str]:
    used = {name: thing for name, thing in lexicon.things.items() if not thing.refused()}
    mine = {name for name, thing in used.items() if thing.source is Provenance.USER}
    shared: list[list[str]] = []
    for form, what in (("singular", ""), ("plural", " in the plural")):
        by_noun: dict[str, list[str]] = defaultdict(list)
        for name, thing in used.items():
            by_noun[getattr(thing, form).casefold()].append(name)
        for noun, names in by_noun.items():
            if noun and len(names) > 1 and mine & {*names} and names not in shared:
                shared.append(names)
                called = f"{', '.join(names)} are all called '{noun}'{what}"
                yield f"{called}: nobody can tell one from another."
    for name, thing in used.items():
        for word in map(str.casefold, thing.also):
            others = [n for n in used if n != name and word in _nouns(used[n])]
            others = [n for n in others if {n, name} & mine and sorted((n, name)) not in shared]
            shared += [sorted((n, name)) for n in others]
            if others:
                yield f"things.{name}.also: '{word}' is a word for {', '.join(others)}, too."


def _nouns(thing: Thing) -> set[str]:
    return {word.casefold() for word in (thing.singular, thing.plural, *thing.also)}


def _one_word(entry: Property) -> Iterator[str]:
    by_word: dict[str, list[str]] = defaultdict(list)
    for key, word in entry.values.items():
        by_word[word.casefold()].append(key)
    for word, keys in by_word.items():
        if len({key.casefold() for key in keys}) > 1:
            codes = " and ".join(f"'{key}'" for key in keys)
            yield f"values: {codes} are all said '{word}': nobody can tell one from another."


def _many(entry: Property) -> Iterator[str]:
    for word in dict.fromkeys(entry.values.values()):
        if is_plural(word):
            yield f"values: '{word}' takes the place of the noun for one: write the singular."


def _absent_values(entry: Property, figures: PropertyStatistics | None) -> Iterator[str]:
    if figures is None or not figures.count or figures.distinct > len(figures.common):
        return
    known = [value_key(value) for value, _ in figures.common]
    for key in entry.values:
        if key not in known:
            yield f"values: the data have no '{key}'.{did_you_mean(key, known)}"
