"""Where codes of a pattern have room for their check digits."""

from __future__ import annotations

import re
from typing import Literal

type Check = Literal[
    "", "iban", "lei", "luhn", "gtin", "isin", "issn", "orcid", "imo", "container", "vat"
]
# What a pattern is without blanks and signs: `#` where check digits go. Value-added tax has a form
# for each country, by the letters that a number begins with.
_ANY = "[A-Z0-9?#]"
_FORMS = {
    "iban": f"{_ANY}{{2}}##{_ANY}+",
    "lei": f"{_ANY}+##",
    "luhn": "[0-9#]+#",
    "gtin": "[0-9#]+#",
    "isin": f"[A-Z?]{{2}}{_ANY}{{9}}#",
    "issn": "[0-9#]{7}#",
    "orcid": "[0-9#]{15}#",
    "imo": "[0-9#]{6}#",
    "container": "[A-Z?]{4}[0-9#]{6}#",
    "vat": "DE[0-9#]{8}#|GB[0-9#]{7}##|ES[A-Z][0-9#]{7}#|FR##[0-9#]{8}#|IT[0-9#]{10}#"
    "|NL[0-9#]{8}#B[0-9]{2}|PL[0-9#]{9}#|SE[0-9#]{9}#[0-9]{2}",
}
_PLACES = {"iban": 100, "lei": 100}


def misfit(text: str, check: Check) -> str | None:
    """Why a pattern has no room for the check digits of a standard; None where it has."""
    bare = "".join(mark for mark in text if mark.isalnum() or mark in "#?*")
    if not check or (text.isascii() and re.fullmatch(_FORMS[check], bare)):
        return None
    return f"'{text}' has no # in the place of each check digit of {check}, or another form"


def alike(text: str, check: Check) -> int:
    """How many texts of a pattern differ in nothing but their check digits."""
    if check == "vat":
        return {"GB": 100, "FR": 1000}.get(text[:2], 10)
    return _PLACES.get(check, 10) if check else 1
