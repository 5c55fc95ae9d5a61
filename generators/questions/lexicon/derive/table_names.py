"""Nouns of labels, and names without what only tables need: their sort, their short forms."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from lemminflect import getAllLemmas

from generators.questions.lexicon.derive.clear import is_clear
from generators.questions.lexicon.derive.data import kind_of
from generators.questions.lexicon.model import ThingKind
from graphmill.english.lists import word_map, word_set
from graphmill.english.names import singular
from graphmill.english.senses import ALONE, Around
from graphmill.english.spoken import abbreviates, compounded, split, spoken
from graphmill.english.verbs import by_base, by_past, by_third
from schemagraph.model import EdgeType, NodeType

_GOING_ON = frozenset({"attendance", "consumption", "maintenance", "progress", "usage"})
_RHYTHMS = frozenset({"annual", "daily", "hourly", "monthly", "weekly", "yearly"})
_DEGREES = frozenset({"full", "high", "long", "low", "part", "short", "special"})
_TELLS = frozenset({"description", "name", "label", "title", "meaning"})


def is_person(noun: str) -> bool:
    """Whether a noun is for people."""
    return kind_of(noun)[0] is ThingKind.PERSON


def node_noun(label: str, around: Around = ALONE, things: Collection[str] = ()) -> str:
    """The noun for one node of a label; `around` are the words that it stands among, `things` the
    schema's things of one word.

    >>> node_noun("OrderDetail"), node_noun("Staff"), node_noun("PERSON"), node_noun("Countries")
    ('order detail', 'staff member', 'person', 'country')
    >>> node_noun("Undergoes"), node_noun("Prescribe"), node_noun("Order")
    ('undergoes record', 'prescription', 'order')
    """
    parts = compounded(spoken(label, around))
    if not split(label):
        return " ".join(parts)
    parts[-1] = singular(parts[-1])
    deed = by_past(parts[-1]) if parts[-1] not in label.lower() else None
    if deed is not None and "NOUN" in getAllLemmas(deed.base):
        parts[-1] = deed.base  # EST: an estimate, as nothing is "an estimated"
    if len(parts) > 1 and parts[0] == "has":
        return f"{' '.join(parts[1:])} record"  # HasAllergy
    if len(parts) == 2 and parts[1] in word_set("prepositions"):
        joins = by_past(parts[0]) or by_base(parts[0])  # EnrolledIn
        return f"{joins.event if joins else parts[0]} record"
    spelt = parts[0] in label.lower()  # LV_REQ: short forms are of nouns
    led = by_base(parts[0]) if len(split(label)) > 1 and spelt else None
    done = len(parts) > 1 and by_past(parts[0]) is not None  # found_item
    nouns = word_set("also_nouns") | {"leave", *things}  # leave_request; of hires
    if led is not None and not done and led.base not in nouns:
        parts[0] = led.gerund  # operate_company
    if len(parts) == 3 and parts[0] in _DEGREES and parts[1] in word_set("compared"):
        parts = ["-".join(parts[:2]), parts[2]]  # a special-diet pupil
    if len(parts) == 1 and _doing(parts[0]):
        return f"{parts[0]} record"
    if len(parts) == 1 and parts[0] == label.lower() and by_base(parts[0]) and _only_verb(parts[0]):
        parts = [word_map("deeds").get(parts[0], f"{parts[0]} record")]
    elif len(parts) == 1 and _only_verb(parts[0]):
        parts = [label.lower() if by_third(label.lower()) else parts[0], "record"]
    if parts[-1].lower() in ("staff", "personnel", "crew", "clergy"):
        parts.append("member")
    elif parts[-1].lower() in word_set("masses"):
        parts.append("item")
    elif parts[-1].lower() in _GOING_ON or (parts[1:] == ["generation"] and parts[0] in _RHYTHMS):
        parts.append("record")
    return " ".join(parts)


def _doing(word: str) -> bool:
    """Whether a label is what somebody does, and nothing that is counted: checking, saving."""
    if not word.endswith("ing") or word in word_set("counted_ings"):
        return False
    stem = word.removesuffix("ing")
    return any(by_base(form) for form in (stem, f"{stem}e", stem[:-1]) if len(form) > 2)


def _only_verb(word: str) -> bool:
    """Whether a label is a verb and no noun: what joins two things."""
    verb = by_base(word) or by_third(word)
    if verb is None or verb.base in word_set("also_nouns") or is_person(word):
        return False
    return verb.base in word_map("deeds") or by_base(word) is None


def plain_noun(noun: str, others: Collection[str], columns: Sequence[list[str]]) -> str:
    """A noun of a label without such words before and after it, unless another label has it then.

    `columns` are the words of its properties' names, those of the key first: a master of customers
    has customers' numbers, a station master has none of stations.
    """
    first, _, rest = noun.partition(" ")
    if rest and first in word_set("table_sorts") and rest not in others:
        noun = rest
    if not _names_a_table(noun, columns):
        return noun
    plain = node_noun(noun.removesuffix(" item").rpartition(" ")[0])
    kept = plain in others or plain in word_set("coded") or not is_clear(plain)
    # An alarm code is no alarm where there are alarm events.
    if noun.rpartition(" ")[2] in word_set("code_tables"):
        kept = kept or any(each.startswith(f"{plain} ") and each != noun for each in others)
        kept = kept or plain.endswith(" record")  # closing codes are none of what they say
    return noun if kept else plain


def _names_a_table(noun: str, columns: Sequence[list[str]]) -> bool:
    """Whether the last word of a noun says only that there is a table."""
    *rest, last = noun.lower().removesuffix(" item").split()
    if last == "header" or not rest:
        return bool(rest)
    if last in word_set("code_tables"):
        return bool(columns) and any(words[-1].lower() in _TELLS for words in columns[:3])
    own = [word.lower() for words in columns[:2] for word in words[: len(rest)]]
    return last in word_set("table_ends") and own[: len(rest)] == rest


def short_name(element: NodeType | EdgeType, name: str, owner: str) -> tuple[str, str]:
    """A property's name without the short form of its owner before it, and that: EQ_NO."""
    parts = split(name)
    if len(parts) > 1:
        prefixes = own_prefixes([p.name for p in element.properties], owner)
        if parts[0].lower() in prefixes:
            return "_".join(parts[1:]), parts[0]
    return name, ""


def own_prefixes(names: list[str], owner: str) -> set[str]:
    """Short forms of the owner that names of its properties start with: `emp_name`, `emp_no`."""
    prefixes: set[str] = set()
    parts = [[word.lower() for word in split(name)] for name in names]
    firsts = [words[0] for words in parts if len(words) > 1]
    for first in dict.fromkeys(firsts):
        short = abbreviates(first, owner) or abbreviates(first, owner.rpartition(" ")[2])
        if not short or len(first) > 4 or first in owner.split():
            continue
        if firsts.count(first) > 1 or any([first, end] in parts for end in _ENDS):
            prefixes.add(first)
    return prefixes


_ENDS = ("name", "id", "title", "no", "code", "number")
