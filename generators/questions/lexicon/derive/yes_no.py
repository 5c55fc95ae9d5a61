"""Names of flags: booleans, and those that are kept as texts or numbers."""

from __future__ import annotations

from generators.questions.lexicon.derive.moments import PARTICLES
from generators.questions.lexicon.derive.property_words import (
    ADJECTIVE_END,
    Answer,
    PropertyName,
    PropertyWords,
    first_answer,
    noun_phrase,
    surely_done,
)
from generators.questions.lexicon.derive.table_names import is_person
from graphmill.english.inflection import a, is_plural
from graphmill.english.lists import word_set
from graphmill.english.names import is_agent
from graphmill.english.verbs import by_base, by_past, by_third
from schemagraph.model import Kind

_HOW = frozenset(
    {"still", "currently", "now", "fully", "highly", "very", "most", "not", "on", "in"}
)


def coded_flag(name: PropertyName) -> PropertyName | PropertyWords | None:
    """chargeable_yn"""
    if len(name.parts) < 2 or name.last not in word_set("flag_codes"):
        return None
    parts = name.parts[:-1]
    parts = parts[1:] if parts[0] == "is" and len(parts) > 1 else parts
    if name.kind is Kind.STRING and (surely_done(parts[-1]) or ADJECTIVE_END.search(parts[-1])):
        return name.called(f"{'-'.join(parts)} flag")
    return name.reworded(*parts)


def flag_end(name: PropertyName) -> PropertyName | None:
    """actv_ind"""
    if name.kind is Kind.BOOLEAN and len(name.parts) > 1 and name.last in word_set("flag_ends"):
        return name.reworded(*name.parts[:-1])
    return None


def asked_flag(name: PropertyName) -> PropertyWords | None:
    """is_active, kept as a text or a number."""
    first, *rest = name.parts
    if rest and name.kind is not Kind.BOOLEAN and first in ("is", "if", "whether"):
        return name.called(f"{noun_phrase(rest)} flag")
    return None


def placed_flag(name: PropertyName) -> PropertyWords | None:
    """on_sale, kept as a text."""
    placed = len(name.parts) == 2 and name.parts[0] in ("on", "in", "under")
    return name.called(f"{'-'.join(name.parts)} flag") if placed and _is_text(name) else None


def decided_flag(name: PropertyName) -> PropertyWords | None:
    """FDA_approved"""
    decided = name.parts[-1] in word_set("decided") and name.parts[0] not in ("date", "time")
    if decided and len(name.parts) > 1 and _is_text(name):
        return name.called(f"{'-'.join(name.parts)} flag")
    return None


def _is_text(name: PropertyName) -> bool:
    return name.kind is Kind.STRING


def boolean(name: PropertyName) -> PropertyWords | None:
    """A boolean: an adjective, or something that one has."""
    if name.kind is not Kind.BOOLEAN:
        return None
    return first_answer(_FLAGS, name) or _adjective_or_noun(name)


def _is_so(name: PropertyName) -> PropertyWords | None:
    """is_active, is_lead"""
    if name.parts[0] not in ("is", "are", "was", "were") or len(name.parts) < 2:
        return None
    parts = name.parts[1:]
    noun = noun_phrase(parts)
    sort = parts[-1] in word_set("adjectives")
    agent = len(parts) == 1 and is_agent(parts[0])
    somebody = not sort and (agent or is_person(parts[-1]))  # is_lead
    thing = somebody or noun.lower() in word_set("flag_things")
    return PropertyWords(noun, Kind.BOOLEAN, adjective=a(noun) if thing else noun)


def _is_somewhere(name: PropertyName) -> PropertyWords | None:
    """in_tolerance"""
    first = name.parts[0]
    where = first in word_set("prepositions") or first in ("behind", "off", "out")
    if not where or first == "with" or len(name.parts) < 2:
        return None
    return _adjective(" ".join(name.parts))


def _does(name: PropertyName) -> PropertyWords | None:
    """accepts_cards, but no sales_open: sales are as well the plural of a noun."""
    verb = by_third(name.parts[0]) if len(name.parts) > 1 else None
    if verb is None or verb.base in ("be", "have") or verb.base in word_set("also_nouns"):
        return None
    rest = " ".join(name.parts[1:])
    forms = (f"{verb.third} {rest}", f"{verb.base} {rest}")
    return PropertyWords(noun_phrase(name.parts), Kind.BOOLEAN, does=forms)


def _has(name: PropertyName) -> PropertyWords | None:
    """has_pool"""
    first, *rest = name.parts
    return name.called(noun_phrase(rest)) if rest and first in ("has", "have", "with") else None


def _is_somebody(name: PropertyName) -> PropertyWords | None:
    """smoker"""
    last = name.parts[-1]
    sort = last in word_set("adjectives")  # indoor
    if surely_done(last) or _is_aside(name) or sort:  # insured, charged to a tenant
        return None
    if not is_person(last) and not (is_person(name.owner) and is_agent(last)):
        return None
    noun = noun_phrase(name.parts)
    return PropertyWords(noun, Kind.BOOLEAN, adjective=a(noun))


def _is_only(name: PropertyName) -> PropertyWords | None:
    """rx_only, barrier_free"""
    limited = name.parts[-1] in ("only", "free") and len(name.parts) > 1
    return _adjective("-".join(name.parts)) if limited else None


def _is_ok(name: PropertyName) -> PropertyWords | None:
    """freezer_ok"""
    *where, last = name.parts
    if last not in ("ok", "okay") or not where or is_plural(where[-1]):
        return None
    return _adjective(f"ok in {noun_phrase(where)}")


def _was_done(name: PropertyName) -> PropertyWords | None:
    """won_back, reported_stolen"""
    first, *rest = name.parts
    led = by_past(first) if rest else None
    if led is None or led.participle != first or rest[-1] not in PARTICLES | {"stolen", "lost"}:
        return None
    return _adjective(noun_phrase(name.parts))


def _adjective_last(name: PropertyName) -> PropertyWords | None:
    """exploit_public"""
    last = name.parts[-1]
    if len(name.parts) != 2 or last not in word_set("adjectives") or name.parts[0] in _HOW:
        return None
    return None if _is_passive(name) else name.called(f"{last} {name.parts[0]}")


def _is_known(name: PropertyName) -> PropertyWords | None:
    """allergies_known"""
    *what, last = name.parts
    return name.called(f"known {noun_phrase(what)}") if what and last == "known" else None


def _adjective_or_noun(name: PropertyName) -> PropertyWords:
    """What one is, where the last word is an adjective, and else what one has."""
    last, alone = name.parts[-1], len(name.parts) == 1
    passive = _is_passive(name)
    adjective = (
        last in word_set("adjectives")
        or passive
        or (last.endswith("ing") and by_base(last) is None and alone)
        or (ADJECTIVE_END.search(last) is not None and not _ends_like_one(last))
    )
    hyphened = passive and len(name.parts) == 2
    noun = "-".join(name.parts) if hyphened else noun_phrase(name.parts)
    return _adjective(noun) if adjective else name.called(noun)


def _adjective(phrase: str) -> PropertyWords:
    return PropertyWords(phrase, Kind.BOOLEAN, adjective=phrase)


def _is_passive(name: PropertyName) -> bool:
    """Whether its last word is what was done, and to what is named before it."""
    return surely_done(name.parts[-1]) is not None and not _is_aside(name)


def _is_aside(name: PropertyName) -> bool:
    """Whether there is a preposition in it: charged to a tenant."""
    return bool({*name.parts} & word_set("prepositions"))


def _ends_like_one(word: str) -> bool:
    """Whether a noun only ends like an adjective: a hospital, a tenant."""
    return word in word_set("no_adjectives") or is_person(word)


_FLAGS: tuple[Answer, ...] = (
    _is_so,
    _is_somewhere,
    _does,
    _has,
    _is_somebody,
    _is_only,
    _is_ok,
    _was_done,
    _adjective_last,
    _is_known,
)
