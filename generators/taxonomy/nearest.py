"""Which sub-domains come nearest to a name that is none of ours: by words, and by spelling."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher

from generators.taxonomy.model import SubDomain, Taxonomy

SHOWN = 3
_NAMED, _OWN, _PURPOSE, _USED, _LISTED = (
    6.0,
    3.0,
    2.0,
    0.5,
    0.4,
)  # what a word counts, by where it stands
_SPELT = 0.85  # from this likeness on, one word is another with a slip
_LEAST = 0.25  # of the best score: what is further off is not named
_EMPTY = frozenset(
    ("a", "an", "and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to")
)
# Words that people say for what our domains call otherwise.
_MEANT = {
    "supermarket": "grocery", "shop": "store", "shopping": "commerce", "clinic": "hospital",
    "bus": "rail", "plane": "aircraft", "airport": "air", "court": "court", "police": "criminal",
    "tv": "television", "movie": "film", "cinema": "film", "gym": "fitness", "soccer": "football",
    "car": "motor", "solar": "power", "electricity": "power", "bitcoin": "crypto", "stock":
    "securities", "school": "university", "telco": "mobile", "phone": "mobile", "ship": "freight",
    "hacking": "cybersecurity", "vaccine": "infection", "epidemic": "infection", "chip":
    "semiconductors", "drug": "drug", "medicine": "pharmacy", "housing": "property", "estate":
    "property", "tax": "tax", "election": "parliament", "politics": "parliament",
}  # fmt: skip


def nearest(taxonomy: Taxonomy, name: str) -> tuple[str, ...]:
    """At most `SHOWN` sub-domains, the nearest first; those of an industry that `name` names
    come before others. Empty where no word of `name` is anywhere near ours.
    """
    words = list(dict.fromkeys(_stems(name)))
    words += [stem for word in words for stem in _stems(_MEANT.get(word, ""))]
    vocabularies = {domain.path: _words(domain) for domain in taxonomy}
    industry = name.partition("/")[0].strip().casefold()
    scores = dict.fromkeys(vocabularies, 0.0)
    for word in words:
        near = {path: _nearness(word, known) for path, known in vocabularies.items()}
        holders = sum(score > 0 for score in near.values())
        rarity = math.log(1 + len(vocabularies) / max(1, holders))
        for path, score in near.items():
            scores[path] += rarity * score
    for path in vocabularies:
        within = path.partition("/")[0] == industry
        spelt = SequenceMatcher(None, name.casefold(), path).ratio()
        scores[path] += 6.0 * within + (4.0 * spelt if spelt > 0.6 else 0.0)
    best = max(scores.values(), default=0.0)
    ranked = sorted(scores, key=lambda path: (-scores[path], path))
    return tuple(path for path in ranked if scores[path] > _LEAST * best)[:SHOWN] if best else ()


def _words(domain: SubDomain) -> dict[str, float]:
    """The words of a sub-domain, each with what it counts where it counts most."""
    texts: list[tuple[str, float]] = [(f"{domain.path} {domain.title}", _NAMED)]
    for entity in domain.entities.values():
        weight = _OWN if entity.name in domain.own else _USED
        texts.append((" ".join((entity.singular, *entity.also)), weight))
    texts.append((domain.purpose, _PURPOSE))
    texts += [(question, 1.0) for question in domain.questions]
    for listed in domain.lists.values():
        texts += [(value, _LISTED) for value, _ in listed.values]
    weights: dict[str, float] = {}
    for text, weight in texts:
        for stem in _stems(text):
            weights[stem] = max(weights.get(stem, 0.0), weight)
    return weights


def _nearness(word: str, known: dict[str, float]) -> float:
    """What `word` counts among the words of a sub-domain: itself, its kin, or a slip of it."""
    if word in known:
        return known[word]
    return max((0.6 * known[other] for other in known if _kin(word, other)), default=0.0)


def _kin(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    if len(short) < 4 or one[0] != other[0]:
        return False
    if long.startswith(short) and (len(short) >= 5 or len(long) - len(short) <= 3):
        return True
    return SequenceMatcher(None, one, other).ratio() >= _SPELT


def _stems(text: str) -> Iterator[str]:
    for word in _plain(re.findall(r"[^\W\d_]+", text.casefold())):
        for tail, least in (("ies", 5), ("s", 4)):
            if word.endswith(tail) and len(word) >= least and not word.endswith("ss"):
                word = word.removesuffix(tail) + ("y" if tail == "ies" else "")
                break
        yield word


def _plain(words: Iterable[str]) -> Iterator[str]:
    return (word for word in words if word not in _EMPTY and len(word) > 1)


def made_up(name: str) -> SubDomain:
    """A sub-domain that has its name only, for an author who knows what belongs there.

    >>> made_up("Space missions").path
    'space-missions/space-missions'
    >>> made_up("museums/Loans of paintings").path
    'museums/loans-of-paintings'
    """
    industry, slash, sub = name.partition("/")
    parts = [part.strip() for part in ((industry, sub) if slash else (industry, industry))]
    slugs = [re.sub(r"[\W_]+", "-", part.casefold()).strip("-") for part in parts]
    title = parts[1] or name
    return SubDomain(
        industry=slugs[0] or "own",
        name=slugs[1] or slugs[0] or "own",
        title=title[:1].upper() + title[1:],
        purpose=f"What people who work with {title} need to know.",
        questions=(),
        core=(),
        own=frozenset(),
        entities={},
        relations=(),
    )
