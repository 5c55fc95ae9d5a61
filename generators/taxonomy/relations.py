"""The line that describes a relation: `holds / is held by; n:1; also OWNS, <HELD_BY`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Literal

from generators.taxonomy.model import ROLES, Anchor, Degrees, Fits, Hint, Reified, Relation, Turned
from generators.taxonomy.options import CARDINALITIES, OptionsError, check_together
from generators.taxonomy.values import (
    UNITS,
    LineError,
    hint,
    name,
    number,
    span,
    type_name,
    wording,
)
from graphmill.english.inflection import plural
from graphmill.errors import did_you_mean

DEGREES = {"power": 2, "poisson": 1, "fixed": 1, "uniform": 2}
_ENDS = re.compile(r"^(\S+) (\S+) (\S+)$")


def relation(title: str, line: str, properties: Mapping[str, str]) -> Relation:
    """A relation of its title (`customer HOLDS account`), its line and its properties' lines.

    Raises:
        LineError: one of them is not understood.
    """
    ends = _ENDS.match(title)
    if ends is None:
        raise LineError(f"'{title}' is no relation; write it as: customer HOLDS account.")
    first, *options = (part.strip() for part in line.split(";"))
    given: dict[str, object] = {
        "source": name(ends[1]),
        "type": type_name(ends[2]),
        "target": name(ends[3]),
        "wording": wording(first),
        "properties": tuple(_hint(key, text) for key, text in properties.items()),
    }
    for option in options:
        word, _, rest = option.partition(" ")
        if word in CARDINALITIES:
            given["many"] = word
        elif word == "via":
            given["via"] = (*given.get("via", ()), *_via(rest)["via"])  # type: ignore[misc]  # tuples
        elif word == "fits":
            given["fits"] = (*given.get("fits", ()), _fits(rest))  # type: ignore[misc]  # a tuple
        elif word == "match":
            given["match"] = (*given.get("match", ()), *_match(rest)["match"])  # type: ignore[misc]  # tuples
        elif word == "order":
            given["order"] = (*given.get("order", ()), *_order(rest)["order"])  # type: ignore[misc]  # tuples
        elif word in _OPTIONS:
            given |= _OPTIONS[word](rest.strip())
        else:
            known = [*CARDINALITIES, *_OPTIONS, "fits"]
            raise LineError(f"There is no option '{word}'.{did_you_mean(word, known)}")
    words = [option.partition(" ")[0] for option in options]
    try:
        check_together(words, str(given.get("role", "")), ends[2], itself=ends[1] == ends[3])
    except OptionsError as problem:
        raise LineError(str(problem)) from None
    return Relation(**given)  # type: ignore[arg-type]  # the table below knows the fields


def _hint(key: str, text: str) -> Hint:
    try:
        return hint(key, text)
    except LineError as problem:
        raise LineError(f"{key}: {problem}") from None


def _also(text: str) -> dict[str, object]:
    parts = [part.strip() for part in text.split(",")]
    turned = tuple(Turned(type_name(part[1:])) for part in parts if part.startswith("<"))
    return {
        "also": tuple(type_name(part) for part in parts if not part.startswith("<")),
        "turned": turned,
    }


def degrees(text: str) -> Degrees:
    """`power 2.2 400`, `poisson 3`, `fixed 2`, `1..5`.

    Raises:
        LineError: it is none of these.
    """
    parts = text.split()
    if len(parts) == 1 and ".." in parts[0]:
        return Degrees("uniform", span(parts[0]))
    if not parts or parts[0] not in DEGREES:
        raise LineError(
            f"'{text}' are no degrees.{did_you_mean(parts[0] if parts else '', DEGREES)}"
        )
    if len(parts) != DEGREES[parts[0]] + 1:
        raise LineError(f"The degrees {parts[0]} need {DEGREES[parts[0]]} numbers.")
    return Degrees(parts[0], tuple(number(part) for part in parts[1:]))


def _role(text: str) -> dict[str, object]:
    if text not in ROLES:
        raise LineError(f"There is no role '{text}'.{did_you_mean(text, ROLES)}")
    return {"role": text}


def _reciprocal(text: str) -> dict[str, object]:
    share = number(text)
    if not 0 <= share <= 1:
        raise LineError("The share of edges with one in return is between 0 and 1.")
    return {"reciprocity": share}


def _order(text: str) -> dict[str, object]:
    earlier, sign, later = (part.strip() for part in text.partition("<"))
    if not sign:
        raise LineError("Write the order as: order opened_on < raised_on.")
    ends = [part.partition(".") for part in (earlier, later)]
    if all(dot for _, dot, _ in ends):
        if {end for end, _, _ in ends} != {"source", "target"}:
            raise LineError("Write an order of both ends: order target.since < source.raised_on.")
        _over(ends[0][2]), _over(ends[1][2])
        return {"order": ((earlier, later),)}
    return {"order": ((f"source.{name(earlier)}", f"target.{name(later)}"),)}


def _match(text: str) -> dict[str, object]:
    ours, sign, theirs = (part.strip() for part in text.partition("="))
    if not sign:
        raise LineError("Write what is equal as: match country = name.")
    return {"match": ((name(ours), name(theirs)),)}


def _fits(text: str) -> Fits:
    """`subject = title`, or with pairs: `level = level: junior > senior, lead | lead > -`."""
    head, colon, listing = text.partition(":")
    ours, sign, theirs = (part.strip() for part in head.partition("="))
    if not sign:
        raise LineError("Write what goes together as: fits subject = title.")
    pairs = []
    back = "<" in listing
    for part in listing.split("|") if colon else ():
        part = part.replace("<", ">") if back else part
        values, sign, others = (piece.strip() for piece in part.partition(">"))
        if not sign or not others:
            raise LineError(f"'{part.strip()}' is no pair; write it as: junior > senior, lead.")
        listed = () if others == "-" else tuple(other.strip() for other in others.split(","))
        pairs += [(value.strip(), listed) for value in values.split(",")]
    return Fits(_over(ours), _over(theirs), tuple(pairs), bool(colon), back)


def _over(text: str) -> str:
    """A property of an end, or of what relations lead to from there: `ISSUED_AT.kind`."""
    kind, dot, key = text.rpartition(".")
    for step in kind.split(".") if dot else ():
        type_name(step)
    name(key)
    return text


def _via(text: str) -> dict[str, object]:
    """`FROM_RESTAURANT.cuisine = cuisine`."""
    ours, sign, theirs = (part.strip() for part in text.partition("="))
    if not sign or "." not in ours + theirs:
        raise LineError("Write what is equal over another relation as: via SOLD_BY.country = name.")
    return {"via": ((_over(ours), _over(theirs)),)}


def _within(text: str) -> dict[str, object]:
    least, dots, most = text.rpartition("..")
    if not most.isdigit() or (dots and not least.isdigit()) or int(most) <= int(least or 0):
        raise LineError(
            "Write how many days lie between the ends at most as: within 14, or at least and at "
            "most as: within 3..14."
        )
    return {"within": int(most), "gap": int(least or 0)}


def _only(text: str) -> dict[str, object]:
    key, sign, states = (part.strip() for part in text.partition("="))
    if not sign or not states:
        raise LineError("Write which states as: only status = delivered, shipped.")
    return {"only": (_over(key), tuple(value.strip() for value in states.split(",")))}


def _node(text: str) -> dict[str, object]:
    """`transfer: SENT_FROM is sent from / sends, SENT_TO is sent to / receives`."""
    noun, _, rest = text.partition(":")
    ends = [part.strip() for part in rest.split(",")]
    if len(ends) != 2:
        raise LineError("A node for a relation needs two ends: node loan: OF is of / has, TO ….")
    sides = []
    for end in ends:
        word, _, phrase = end.partition(" ")
        sides.append((type_name(word), wording(phrase)))
    singular = noun.strip()
    return {"reified": Reified(singular, plural(singular), sides[0], sides[1])}


def _later(text: str) -> dict[str, object]:
    """`1..30`, `2..8h`, `closed_on 1..30`, `1..30 by position`, `7..70 by number sharp`."""
    text, _, by = text.partition(" by ")
    by, _, sharp = by.partition(" ")
    if sharp not in ("", "sharp"):
        raise LineError(f"Behind the number '{by}' may stand 'sharp', not '{sharp}'.")
    of, _, rest = text.strip().rpartition(" ")
    unit: Literal["days", "hours", "minutes"] = "days"
    if rest[-1:] in UNITS:
        unit = UNITS[rest[-1:]]
    low, high = span(rest.rstrip("hm"))
    gap, of, by = (int(low), int(high)), name(of) if of else "", name(by) if by else ""
    return {"anchor": Anchor(gap, unit, of, by, bool(sharp))}


def _alone(text: str) -> dict[str, object]:
    """Nothing, or for how many days each is there, from its first date or that behind `by`; then
    relations that count as well: `330`, `9 by arrives_on`, `3 over HOME_TEAM`."""
    head, _, over = f" {text}".partition(" over ")
    days, _, by = head.partition(" by ")
    days = days.strip()
    if (days and not (days.isdigit() and int(days))) or (by and not days):
        raise LineError(f"Write for how many days each is there as: alone 330, not '{text}'.")
    also = tuple(type_name(part.strip()) for part in over.split(",")) if over else ()
    return {
        "alone": True,
        "alone_days": int(days or 0),
        "alone_by": name(by.strip()) if by else "",
        "alone_over": also,
    }


def _once(text: str) -> dict[str, object]:
    """`PARTY_TO`, `HOME_TEAM 214`, `billing_month, resource_type`: relations, or paths of them, to
    what is another each time, or properties."""
    paths, _, days = text.rpartition(" ")
    if not days.isdigit():
        paths, days = text, "0"
    parts = tuple(part.strip() for part in paths.split(","))
    for part in parts:
        *kinds, last = part.split(".")
        for kind in kinds if last.islower() else (*kinds, last):
            type_name(kind)
        if last.islower():
            name(last)
    return {"once": parts, "once_days": int(days)}


def _seat(text: str) -> dict[str, object]:
    """Nothing, or the share of those that are in the seat."""
    share = number(text) if text else 1.0
    if not 0 < share <= 1:
        raise LineError("The share of those in the seat is above 0 and at most 1.")
    return {"seat": share}


def _apart(text: str) -> dict[str, object]:
    """`FROM_AIRPORT`, `FOR_LISTING.POSTED`: relations, or paths of them, one or several."""
    paths = (part.strip().split(".") for part in text.split(","))
    return {"apart": tuple(".".join(map(type_name, path)) for path in paths)}


_OPTIONS: dict[str, Callable[[str], dict[str, object]]] = {
    "also": _also,
    "out": lambda text: {"outgoing": degrees(text)},
    "in": lambda text: {"incoming": degrees(text)},
    "role": _role,
    "symmetric": lambda text: {"symmetric": True},
    "reciprocal": _reciprocal,
    "oneway": lambda text: {"oneway": True},
    "order": _order,
    "match": _match,
    "noun": lambda text: {"noun": text},
    "during": lambda text: {"anchor": Anchor()},
    "later": _later,
    "only": _only,
    "within": _within,
    "via": _via,
    "apart": _apart,
    "anytime": lambda text: {"anytime": True},
    "alone": _alone,
    "once": _once,
    "own": lambda text: {"own": True},
    "always": lambda text: {"always": True},
    "home": lambda text: {"home": True},
    "seat": _seat,
    "free": lambda text: {"free": True},
    "unless": lambda text: {"unless": name(text)},
    "node": _node,
}
