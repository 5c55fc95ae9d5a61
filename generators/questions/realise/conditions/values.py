"""Constants as people write them: numbers with units, days in words, names without quotes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from generators.questions.author import NoWording
from generators.questions.lexicon.derive.clear import are_words
from generators.questions.lexicon.model import MOMENTS, Property, Role
from generators.questions.plan.constants import Constant, duration_text
from graph_ir.values import whole_period
from graphmill.english.inflection import cardinal, listing, plural
from graphmill.english.lists import word_map, word_set
from graphmill.english.names import singular

MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)
_SIGNS = {"USD": "$", "EUR": "€", "GBP": "£", "$": "$", "€": "€", "£": "£"}
_SIGNS |= {"dollars": "$", "dollar": "$", "euros": "€", "euro": "€"}
_SCALES = frozenset({"thousand", "million", "billion", "trillion", "percent"})
_CLOSE = frozenset({"%", "°C", "°F"})
_ARTICLED = frozenset(  # names of countries that have an article
    {
        *("united states", "united kingdom", "united arab emirates", "netherlands", "philippines"),
        *("bahamas", "gambia", "maldives", "seychelles", "usa", "us", "uk", "czech republic"),
        *("dominican republic", "united states of america", "soviet union", "lake district"),
        *("peak district", "caribbean", "midwest"),
    }
)
_ARTICLED_ENDS = frozenset(  # last words of names of regions that have an article
    {
        *(
            "alps",
            "americas",
            "balkans",
            "borders",
            "broads",
            "cairngorms",
            "cotswolds",
            "dales",
            "dolomites",
        ),
        *("emirates", "highlands", "islands", "lowlands", "midlands", "moors", "mountains"),
        *("pennines", "peninsula", "pyrenees", "republic", "rockies", "wolds"),
    }
)
_PROPER = frozenset({"language", "nationality", "country", "city"})  # whose values have capitals
_SORTING = frozenset(  # whose values are words of the language and no names
    {
        *("type", "kind", "category", "class", "condition", "status", "state", "purpose"),
        *("industry", "sector", "material", "surface", "terrain", "shape", "reason"),
        *("cause", "outcome", "result", "priority", "severity", "role", "stage", "phase"),
    }
)
_LOOSE = frozenset({"away", "back", "down", "in", "off", "on", "out", "over", "up"})
_SITES = ("_com", "_net", "_org")  # ends of names of websites, of which nobody leaves out the dot
_DOZEN = 12
_CODE = 3  # letters up to which capitals are a code
_FEW = 2  # words of a category; more are a sentence, or a name
_PARTICLE = 3  # letters of what stands within names: "of the", "van der"
_NAMED = 60  # characters of a text that can stand as a name without quotation marks


def value_text(value: Constant, words: Property | None, *, quoted: bool = False) -> str:
    """One constant. A text stands in quotation marks where it is no name, or where `quoted`.

    >>> value_text(Constant("2024-06-24", "date"), None), value_text(Constant(12000), None)
    ('24 June 2024', '12,000')
    >>> value_text(Constant("Fiji"), None), value_text(Constant("a, b"), None)
    ('Fiji', '"a, b"')
    """
    raw = value.value
    if words is not None and (word := words.word(raw)):
        return f"the {word}" if _has_article(word, words) else word
    if isinstance(raw, bool) or raw is None:
        return str(raw).lower()
    if isinstance(raw, str):
        if value.moment == "duration":
            return duration_text(raw)
        if value.moment or _is_day(raw, words):
            return moment_text(raw)
        if not raw.isprintable() or raw.count('"') % 2:
            raise NoWording("a text that is no line")
        spoken = spoken_code(raw)
        if words is not None:
            spoken = proper(spoken, words.noun)  # "in English", whatever is stored
            spoken = _sorting(spoken, words) if words.kind is Role.CATEGORY else spoken
        if _has_article(raw, words):
            return f"the {raw}"
        loose = spoken.lower() in word_set("prepositions") | _LOOSE  # the status "out"
        return f'"{spoken}"' if quoted or loose or not _is_name(spoken) else spoken
    return _amount(raw, words)


def range_text(values: Sequence[Constant], words: Property) -> tuple[str, str]:
    """Both bounds of a range; a unit that both have stands behind the second alone: "between 10
    and 20 km"."""
    low, high = (value_text(value, words) for value in values)
    number, _, unit = low.partition(" ")
    once = unit and unit == high.partition(" ")[2] and words.kind not in MOMENTS
    return (number if once and number[-1:].isdigit() else low), high


def spoken_code(text: str) -> str:
    """A stored text as it is spoken: without underscores.

    >>> spoken_code("credit_card"), spoken_code("V8")
    ('credit card', 'V8')
    """
    if text.lower().endswith(_SITES):
        return word_map("brands").get(text.lower().replace("_", "."), text)
    return " ".join(text.split("_")) if "_" in text.strip("_") else text


def _has_article(place: str, words: Property | None) -> bool:
    """Whether a place is said with an article that its name does not have: the Netherlands, and as
    a property's value the Yorkshire Dales."""
    low = place.casefold()
    if words is not None and words.kind is Role.PLACE and not low.startswith("the "):
        return low in _ARTICLED or low.rpartition(" ")[2] in _ARTICLED_ENDS
    return low in _ARTICLED


@cache
def uncapitalised(text: str) -> str:
    """What sorts things and is stored in capitals, as it is written where it is a word or two.

    >>> uncapitalised("ARCHITECT"), uncapitalised("ON HOLD"), uncapitalised("AIR")
    ('architect', 'on hold', 'air')
    >>> uncapitalised("RAM"), uncapitalised("SUV"), uncapitalised("Architect")
    ('RAM', 'SUV', 'Architect')
    """
    parts = text.lower().split()
    words = [part for part in parts if part not in word_set("prepositions")]
    codes = word_set("acronyms") | word_set("known_codes")
    long = [word for word in words if word not in word_set("short_sorts")]
    plain = bool(words) and all(len(word) > _CODE and word not in codes for word in long)
    if not (text.isupper() and len(parts) <= _FEW and plain):
        return text
    return text.lower() if are_words(text.lower()) else text


def _sorting(text: str, words: Property) -> str:
    """A value of what sorts things as it stands within a sentence: in small letters, where it is
    words, and the property is none whose values are names."""
    head = words.noun.rpartition(" ")[2]
    plain = head in _SORTING and not text.isupper() and text[1:] == text[1:].lower()
    if plain and len(text.split()) <= _FEW and are_words(text.lower()):
        return text.lower()
    return uncapitalised(text)


def proper(text: str, noun: str) -> str:
    """A stored text with the capitals that names of languages, peoples and places have.

    >>> proper("bangla", "language"), proper("rock", "genre")
    ('Bangla', 'rock')
    """
    return text.title() if text.islower() and noun.rpartition(" ")[2] in _PROPER else text


def _is_day(text: str, words: Property | None) -> bool:
    timed = words is not None and words.kind in (Role.DATE, Role.TIME)
    return timed and len(text) >= 10 and text[:4].isdigit() and text[4] == "-" == text[7]


def _is_name(text: str) -> bool:
    """Whether a text can stand in a sentence as it is."""
    plain = all(part.isalnum() or part in " -'.&/+" for part in text)
    if not plain or len(text) > _NAMED or text != text.strip() or not text:
        return False
    parts = text.split()
    capital = text[0].isupper() or text[0].isdigit()
    ended = text.endswith(".") and not _is_abbreviated(parts[-1])
    return not ended and ((capital and len(parts) < 6) or len(parts) < 3)


def _is_abbreviated(word: str) -> bool:
    """Whether the full stop at the end of a name belongs to it.

    >>> _is_abbreviated("B.V."), _is_abbreviated("Inc."), _is_abbreviated("late.")
    (True, True, False)
    """
    *letters, rest = word.split(".")
    initials = not rest and all(len(letter) == 1 for letter in letters)
    return initials or word.lower().removesuffix(".") in word_set("abbreviated_names")


def has_plain_words(text: str) -> bool:
    """Whether a name goes on in plain words, which would run into those of a sentence.

    >>> has_plain_words("Own direct import"), has_plain_words("Bank of the West")
    (True, False)
    """
    _, *rest = text.split()
    plain = [word for word in rest if word.islower() and len(word) > _PARTICLE]
    return len(rest) > 1 and any(word not in word_set("prepositions") for word in plain)


def moment_text(text: str) -> str:
    """A moment as it is written out.

    >>> moment_text("2024-05-01T00:00:00"), moment_text("2024-05-01T08:30:00")
    ('1 May 2024', '08:30 on 1 May 2024')
    """
    day, _, clock = text.replace(" ", "T").partition("T")
    parts = day.split("-")
    if len(parts) != 3 or not all(part.isdigit() for part in parts):
        return text
    year, month, number = map(int, parts)
    if not 1 <= month <= len(MONTHS):
        return text
    date = f"{number} {MONTHS[month - 1]} {year:04}"
    clock = clock.removesuffix("Z")
    if not clock.strip("0:."):
        return date
    return f"{clock.removesuffix(':00') if clock.count(':') > 1 else clock} on {date}"


def _amount(number: int | float, words: Property | None) -> str:
    kind = words.kind if words is not None else None
    if kind in (Role.YEAR, Role.CODE, Role.KEY, Role.REFERENCE):
        return f"{number}".removesuffix(".0")
    shown = f"{number:,}".removesuffix(".0")
    unit = words.unit if words is not None else ""
    if not unit or (words is not None and words.noun.rpartition(" ")[2] == unit):
        return shown  # "more than 25 planned days"
    if unit == "percent" and words is not None and words.noun.endswith("percentage"):
        return f"{shown}%"
    if unit.removesuffix("s") in _SCALES:
        return f"{shown} {unit.removesuffix('s')}"
    if unit in _SIGNS:
        return f"{_SIGNS[unit]}{shown}"
    if unit in _CLOSE:
        return f"{shown}{unit}"
    symbol = unit == "kcal" or not unit[1:].islower()  # mmHg, kWh, "0.06 EUR per minute"
    if len(unit) < 4 or (symbol and " " not in unit) or unit.partition(" ")[0].isupper():
        return f"{shown} {unit}"
    head, of, rest = unit.partition(" per ")
    return f"{shown} {singular(head) if number == 1 else plural(head)}{of}{rest}"


def values_text(values: tuple[Constant, ...], words: Property | None, last: str = "or") -> str:
    """Several constants, one of them meant; where one is quoted, all texts are.

    >>> values_text((Constant("a, b"), Constant("Fiji")), None)
    '"a, b" or "Fiji"'
    """
    texts = [value_text(value, words) for value in values]
    if any(text.startswith('"') for text in texts):
        texts = [text if text.startswith('"') else f'"{text}"' for text in texts]
    return listing(texts, last)


def period_text(values: tuple[Constant, ...], words: Property | None) -> str:
    """ "in March 2021" for a whole period, "from 3 May to 8 June 2021" else; "" for no days."""
    lo, hi = (str(value.value) for value in values)
    whole = whole_period(lo, hi)
    return f"in {whole}" if whole else ""


def number_text(number: int | float) -> str:
    """A number of things: a word up to a dozen."""
    return cardinal(number) if isinstance(number, int) and number <= _DOZEN else f"{number:,}"
