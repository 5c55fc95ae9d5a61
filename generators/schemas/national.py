"""How numbers and codes are written in the countries that graphs are at home in."""

from __future__ import annotations

import re

from schemagraph.specification.codes import Check

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
    "bic": ("????DEFFXXX", "????GB2LXXX", "????US33XXX", "????ESMMXXX", "????FRPPXXX",
            "????ITMMXXX", "????NL2AXXX", "????PLPWXXX", "????SESSXXX"),
    "phone": ("+49 17# #######", "+44 77## ######", "+1 617 5## ####", "+34 6## ### ###",
              "+33 6 ## ## ## ##", "+39 34# ### ####", "+31 6 5### ####", "+48 60# ### ###",
              "+46 70 ### ## ##"),
    "vat": ("DE2########", "GB#########", "3#-#######", "ESB########", "FR##4########",
            "IT0######0###", "NL8########B01", "PL5#########", "SE556#######01"),
    "company": ("HRB ######", "0#######", "C#######", "B########", "4## ### ###", "REA-######",
                "########", "00000#####", "556###-####"),
    "plate": ("B-@? 1###", "@?19 ???", "???-####", "#### K@?", "F@-###-??", "F@###??", "V-###-@?",
              "WX #####", "??? ###"),
    "postal": ("#####", "?## #??", "#####", "#####", "#####", "#####", "35## AB", "##-###",
               "### ##"),
    "ean": ("40###########", "50###########", "00###########", "84###########", "33###########",
            "80###########", "87###########", "590##########", "73###########"),
    "isbn": ("978-3-7###-####-#", "978-0-7###-####-#", "978-1-6###-####-#", "978-84-7###-###-#",
             "978-2-7###-####-#", "978-88-7###-###-#", "978-90-5###-###-#", "978-83-7###-###-#",
             "978-91-7###-###-#"),
    "isin": ("DE00########", "GB00########", "US##########", "ES01########", "FR00########",
             "IT00########", "NL00########", "PL?????00###", "SE00########"),
    "iccid": ("8949###############", "8944###############", "8901###############",
              "8934###############", "8933###############", "8939###############",
              "8931###############", "8948###############", "8946###############"),
}  # fmt: skip


# The letters that plates have, and those that stand for `@` in them: vehicles of our graphs came on
# the road from March to August 2019, and most countries give plates in the order of the alphabet.
_PLATE_LETTERS = (
    ("ABCDEFGHJKLMNPRSTUVWXYZ", "ABCDEFGLMPRTVWXYZ"),
    ("ABCDEFGHJKLMNOPRSTUVWXYZ", "ABCDEFGHKLMNOPRSVWY"),
    ("ABCDEFGHJKLMNPRSTUVWXYZ", ""),
    ("BCDFGHJKLMNPRSTVWXYZ", "VWXYZ"),
    ("ABCDEFGHJKLMNPQRSTVWXYZ", "EFGH"),
    ("ABCDEFGHJKLMNPRSTVWXYZ", "VWXY"),
    ("BDFGHJKLNPRSTXZ", "GH"),
    ("ABCDEFGHIJKLMNOPRSTUVWXYZ", ""),
    ("ABCDEFGHJKLMNOPRSTUWXYZ", ""),
)

# How the bank is told in an IBAN: by digits, or by the first letters of its BIC; and that of a bank
# whose accounts all are of one house.
_BANK = ("#### ####", "????", "????", "####", "#### #", "### ##", "????", "####", "####")
_HOUSE = ("3707 0418", "CLDN", "CLDN", "0417", "1740 8", "034 17", "CLDN", "1740", "5170")

# The check digits of these codes, and the countries whose numbers of companies have one.
_CHECKS: dict[str, Check] = {
    "iban": "iban", "house_iban": "iban", "vat": "vat", "ean": "gtin", "sscc": "gtin",
    "isbn": "gtin", "isin": "isin", "iccid": "luhn",
}  # fmt: skip
_LUHN = frozenset({"fr_FR", "sv_SE"})

# The usual rates of value-added tax, 2025; sales taxes of the United States differ by state.
_VAT = (0.19, 0.2, 0.07, 0.21, 0.2, 0.22, 0.21, 0.23, 0.25)


def vat_in(locale: str) -> float:
    """The usual rate of value-added tax in the country of a locale."""
    return _VAT[list(LOCALES).index(locale)]


def pattern_in(locale: str, code: str) -> str:
    """The pattern of a kind of code (`iban`, `plate` …) in the country of a locale."""
    if code == "house_iban":
        before, _, behind = around_bank(locale)
        return f"{before}{_HOUSE[list(LOCALES).index(locale)]}{behind}"
    if code == "sscc":  # a digit, what the country's article numbers begin with, a serial number
        return f"3{pattern_in(locale, 'ean')}####"
    return _PATTERNS[code][list(LOCALES).index(locale)]


def plate_in(locale: str) -> tuple[str, dict[str, tuple[str, ...]]]:
    """A number plate of the country of a locale: a text, and what stands in its places."""
    letters, first = _PLATE_LETTERS[list(LOCALES).index(locale)]
    return lettered(pattern_in(locale, "plate"), {"?": letters, "@": first})


def lettered(pattern: str, marks: dict[str, str]) -> tuple[str, dict[str, tuple[str, ...]]]:
    """A pattern as a text with a list for each place: digits, and of letters those of `marks`."""
    text = ""
    lists: dict[str, tuple[str, ...]] = {}
    for mark in pattern:
        if drawn := {"#": "0123456789", **marks}.get(mark):
            name = f"mark_{len(lists)}"
            lists[name] = tuple(drawn)
            text += f"{{{name}}}"
        else:
            text += mark
    return text, lists


def around_bank(locale: str) -> tuple[str, str, str]:
    """An IBAN of the country of a locale: before the bank, the bank, behind it."""
    return pattern_in(locale, "iban").partition(_BANK[list(LOCALES).index(locale)])


def check_in(locale: str, code: str) -> Check:
    """The check digits that a kind of code has in the country of a locale."""
    if code == "company":
        return "luhn" if locale in _LUHN else ""
    if code == "vat" and locale == "en_US":  # numbers of employers, which have none
        return ""
    return _CHECKS.get(code, "")


_DIAL = ("+49", "+44", "+1", "+34", "+33", "+39", "+31", "+48", "+46")
_OF_GERMANY = re.compile(r"^DE(?=[ #?*-])|(?<=^ECLI:)DE(?=:)")


def at_home(pattern: str, locale: str) -> str:
    """A code that begins with Germany's letters or dialling code, with those of a country."""
    country = locale.partition("_")[2]
    dial = _DIAL[list(LOCALES).index(locale)]
    return re.sub(r"^\+49(?=\D)", dial, _OF_GERMANY.sub(country, pattern))
