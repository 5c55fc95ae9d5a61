"""The style of one schema: how its labels, relation types, properties and keys are spelt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from schemagraph.naming import upper_snake

KEYS = ("natural", "natural", "id", "named id", "named code")
_PROPERTIES = ("snake", "snake", "camel")
_TYPES = ("upper", "upper", "upper", "upper", "camel", "snake")
_SYNONYMS = (0.15, 0.35, 0.6)
# Acronyms keep their capitals in labels, and lose them in camelCase: `ipAddress`, `IPAddress`.
_ACRONYM_WORDS = """
api bic dna ecg eu gp ip iban icd icu id iot isbn isin it mri nft pcr rfid sar sim sku sla tv url
usb vat vin vpn wlan
"""
_ACRONYMS = frozenset(_ACRONYM_WORDS.split())


@dataclass(frozen=True, slots=True)
class Style:
    """One way to spell names, kept through a whole schema.

    `synonyms` is how often another word than the usual one is taken; `parents` says whether
    special cases carry the label of the general one, as `Customer&Person`; `keys` is what
    identifies nodes: `natural` codes, a number `id`, a number or a code called after the type.
    """

    properties: str
    types: str
    keys: str
    synonyms: float
    parents: bool

    def label(self, noun: str) -> str:
        """A node label of a noun.

        >>> style(Random(1)).label("IP address"), style(Random(1)).label("X-ray image")
        ('IPAddress', 'XRayImage')
        """
        return "".join(_capital(word) for word in _words(noun))

    def property(self, name: str) -> str:
        """A property's name of words joined by `_`."""
        return _spelt(name.split("_"), self.properties)

    def type(self, name: str) -> str:
        """A relation type of its usual spelling, `BELONGS_TO`."""
        parts = name.lower().split("_")
        return upper_snake(parts) if self.types == "upper" else _spelt(parts, self.types)

    def identifier(self, noun: str) -> str:
        """The name of a key that is made up: `id`, `customer_id`, `customerId`."""
        if self.keys == "id":
            return "id"
        return _spelt([*(word.lower() for word in _words(noun)), "id"], self.properties)


def style(rng: Random) -> Style:
    """A style, drawn for one schema."""
    return Style(
        rng.choice(_PROPERTIES),
        rng.choice(_TYPES),
        rng.choice(KEYS),
        rng.choice(_SYNONYMS),
        rng.random() < 0.5,
    )


def either[T](rng: Random, usual: T, others: Sequence[T], chance: float) -> T:
    """The usual one of several words, or with `chance` one of the others."""
    return rng.choice(others) if others and rng.random() < chance else usual


def _words(noun: str) -> list[str]:
    kept = "".join(letter if letter.isalnum() else " " for letter in noun.replace("'", ""))
    return kept.split()


def _capital(word: str) -> str:
    if word.lower() in _ACRONYMS or word.isupper():
        return word.upper()
    return word[:1].upper() + word[1:]


def _spelt(parts: Sequence[str], case: str) -> str:
    join: Callable[[list[str]], str] = "_".join if case == "snake" else _camel
    return join([part for part in parts if part])


def _camel(parts: list[str]) -> str:
    return parts[0] + "".join(part[:1].upper() + part[1:] for part in parts[1:])
