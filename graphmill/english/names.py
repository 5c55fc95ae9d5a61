"""As much English as names of tables need: words, the singular of nouns, who acts."""

from __future__ import annotations

import re

from graphmill.english.lists import word_set

_IRREGULAR_WORDS = """
aliases:alias atlases:atlas avalanches:avalanche axes:axis biases:bias bonuses:bonus buses:bus
caches:cache calories:calorie calves:calf campuses:campus canvases:canvas censuses:census
children:child cookies:cookie criteria:criterion emus:emu feet:foot gases:gas geese:goose
gurus:guru halves:half heroes:hero indices:index knives:knife leaves:leaf lies:lie lives:life
loaves:loaf matrices:matrix men:man menus:menu mice:mouse movies:movie niches:niche oxen:ox
people:person phenomena:phenomenon pies:pie potatoes:potato quizzes:quiz rookies:rookie
selfies:selfie shelves:shelf statuses:status teeth:tooth thieves:thief ties:tie tomatoes:tomato
vertices:vertex viruses:virus wives:wife wolves:wolf women:woman zombies:zombie
"""
_ES_IS_WORDS = """
analyses crises diagnoses hypotheses oases parentheses syntheses theses
"""
_INVARIANT_WORDS = """
alias always athletics atlas bias canvas chaos christmas corps cosmos gas headquarters
kudos lens lyrics means news pants premises series species yes
"""
_AGENT_WORDS = """
actress agent applicant artist assistant candidate chef child client coach company consultant
employee expert faculty guest guide host individual man member nurse owner parent participant
patient people performer person physician pilot president resident scientist staff student
tenant tourist user woman
"""
_NO_AGENT_WORDS = """
accelerator adapter banner barrier blender boiler border browser buffer burner calculator center
centre chapter charger charter cluster collar color computer container copier corner corridor
counter cover cursor cylinder detector disorder dollar door elevator error factor filter finger
flavor flavour floor flower folder footer freezer generator hammer header heater indicator ladder
layer ledger letter locker marker matter meter mirror mixer monitor motor newsletter number offer
order paper paragraph parameter poster power printer processor propeller quarter reactor
refrigerator register river roller router rudder scanner sector sensor server supplier theater
timer tower tracker tractor trailer transfer trigger vector water weather
"""
_IRREGULAR = dict(pair.split(":") for pair in _IRREGULAR_WORDS.split())
_ES_IS = frozenset(_ES_IS_WORDS.split())
_INVARIANT = frozenset(_INVARIANT_WORDS.split())
_AGENTS = frozenset(_AGENT_WORDS.split())
_NO_AGENTS = frozenset(_NO_AGENT_WORDS.split())
_ICS_PLURAL_WORDS = """
characteristics clinics comics critics fabrics graphics metrics topics
"""
_ICS_PLURAL = frozenset(_ICS_PLURAL_WORDS.split())
_SHORT_PLURAL = {"ads", "cds", "ids", "pcs", "tvs"}


def words(name: str) -> list[str]:
    """The words of a name, split at separators and at changes of case.

    >>> words("order_details"), words("CustomerID"), words("HTTPServer log"), words("SUPPORT_REP")
    (['order', 'details'], ['Customer', 'ID'], ['HTTP', 'Server', 'log'], ['SUPPORT', 'REP'])
    """
    pieces: list[str] = []
    for part in re.split(r"[\W_]+", name):
        start = 0
        for i in range(1, len(part)):
            rises = part[i].isupper() and (part[i - 1].islower() or part[i - 1].isdigit())
            new_word = (
                part[i - 1].isupper()
                and part[i].isupper()
                and i + 1 < len(part)
                and part[i + 1].islower()
            )
            if rises or new_word:
                pieces.append(part[start:i])
                start = i
        pieces.append(part[start:])
    return [word for word in pieces if word]


def singular(word: str) -> str:
    """The singular of an English noun where a safe rule gives it, else the word itself.

    >>> [singular(w) for w in ("categories", "address", "status", "boxes", "Movies", "analysis")]
    ['category', 'address', 'status', 'box', 'Movie', 'analysis']
    >>> [singular(w) for w in ("series", "dues", "people", "ADDRESSES", "sizes", "主公")]
    ['series', 'dues', 'person', 'ADDRESS', 'size', '主公']
    """
    low = word.lower()
    if "-" in word and low[:-1] in word_set("particle_nouns"):
        return word[:-1]  # add-ons
    if not word.isascii() or not word.isalpha():
        return word
    if low in _IRREGULAR:
        return _cased(_IRREGULAR[low], word)
    if low in _ES_IS:
        return word[:-2] + _cased("is", word[-2:])
    unchanged = low in _INVARIANT or low in word_set("plural_only")
    if unchanged or not low.endswith("s") or low.endswith(("ss", "us", "is")):
        return word
    if (low.endswith("ics") and low not in _ICS_PLURAL) or low.endswith("goes"):
        return word
    if len(low) <= 3:
        return word[:-1] if low in _SHORT_PLURAL else word
    if low.endswith("ies") and len(low) > 4:
        return word[:-3] + ("Y" if word.isupper() else "y")
    if low.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return word[:-2]
    return word[:-1]


def _cased(word: str, like: str) -> str:
    if like.isupper():
        return word.upper()
    return word.capitalize() if like[:1].isupper() else word


def is_agent(word: str) -> bool:
    """Whether a noun in the singular says who acts, rather than what is acted on.

    >>> is_agent("author"), is_agent("student"), is_agent("order"), is_agent("film")
    (True, True, False, False)
    """
    if word in _AGENTS:
        return True
    return word not in _NO_AGENTS and bool(re.search(r"(er|or|ist|ian)$", word))
