"""How numbers and codes are written in the countries that graphs are at home in."""

from __future__ import annotations

import re

# The day that graphs made by rule show: only what is due or planned lies after it.
AS_OF = "2025-12-31"
# What people of one country are called; one graph has names of one country.
PERSONAL = frozenset({"first_name", "first_name_female", "first_name_male", "last_name", "name"})
LOCALES = {
    "de_DE": "Germany",
    "en_GB": "United Kingdom",
    "en_US": "United States",
    "es_ES": "Spain",
    "fr_FR": "France",
    "it_IT": "Italy",
    "nl_NL": "Netherlands",
    "pl_PL": "Poland",
    "sv_SE": "Sweden",
}
# Patterns in the order of LOCALES. The United States have no IBAN: a bank in London keeps it.
_PATTERNS = {
    "iban": (
        "DE## #### #### #### #### ##",
        "GB## ???? #### #### #### ##",
        "GB## ???? #### #### #### ##",
        "ES## #### #### #### #### ####",
        "FR## #### #### #### #### #### ###",
        "IT## ?### #### #### #### #### ###",
        "NL## ???? #### #### ##",
        "PL## #### #### #### #### #### ####",
        "SE## #### #### #### #### ####",
    ),
    "bic": ("????DE##XXX", "????GB2L###", "????US33###", "????ES##XXX", "????FR##XXX",
            "????IT##XXX", "????NL2A###", "????PLP####", "????SE##XXX"),
    "phone": ("+49 15# ########", "+44 77## ######", "+1 617 5## ####", "+34 6## ### ###",
              "+33 6 ## ## ## ##", "+39 34# ### ####", "+31 6 #### ####", "+48 60# ### ###",
              "+46 70 ### ## ##"),
    "vat": ("DE#########", "GB#########", "##-#######", "ESB########", "FR###########",
            "IT###########", "NL#########B##", "PL##########", "SE##########01"),
    "company": ("HRB ######", "0#######", "C#######", "B########", "### ### ###", "REA-######",
                "########", "00000#####", "55####-####"),
    "plate": ("??-?? ####", "??15 ???", "???-####", "#### ???", "??-###-??", "??###??", "??-###-?",
              "?? #####", "??? ###"),
    "postal": ("#####", "?## #??", "#####", "#####", "#####", "#####", "35## AB", "##-###",
               "### ##"),
}  # fmt: skip


# The usual rates of value-added tax, 2025; sales taxes of the United States differ by state.
_VAT = (0.19, 0.2, 0.07, 0.21, 0.2, 0.22, 0.21, 0.23, 0.25)


def vat_in(locale: str) -> float:
    """The usual rate of value-added tax in the country of a locale."""
    return _VAT[list(LOCALES).index(locale)]


def pattern_in(locale: str, code: str) -> str:
    """The pattern of a kind of code (`iban`, `plate` …) in the country of a locale."""
    return _PATTERNS[code][list(LOCALES).index(locale)]


_DIAL = ("+49", "+44", "+1", "+34", "+33", "+39", "+31", "+48", "+46")
_OF_GERMANY = re.compile(r"^DE(?=[ #?*-])|(?<=^ECLI:)DE(?=:)")


def at_home(pattern: str, locale: str) -> str:
    """A code that begins with Germany's letters or dialling code, with those of a country."""
    country = locale.partition("_")[2]
    dial = _DIAL[list(LOCALES).index(locale)]
    return re.sub(r"^\+49(?=\D)", dial, _OF_GERMANY.sub(country, pattern))
