"""Whether a code's check digits are right, by each standard's own rule for reading it."""

from __future__ import annotations

from collections.abc import Sequence

# Value-added tax: the number that is checked behind the letters of the country, and how.
_VAT = {
    "DE": (2, None, "mod-11-10"),
    "ES": (3, None, "luhn"),
    "GB": (2, None, "mod-97"),
    "IT": (2, None, "luhn"),
    "NL": (2, 11, "nl"),
    "PL": (2, None, "nip"),
    "SE": (2, 12, "luhn"),
}
# Weights with which a right code's numbers add up to a multiple of the modulus.
_WEIGHTS = {
    "issn": ((8, 7, 6, 5, 4, 3, 2, 1), 11),
    "imo": ((7, 6, 5, 4, 3, 2, -1), 10),
    "nl": ((9, 8, 7, 6, 5, 4, 3, 2, -1), 11),
    "nip": ((6, 5, 7, 2, 3, 4, 5, 6, 7, -1), 11),
    "mod-97": ((8, 7, 6, 5, 4, 3, 2, 10, 1), 97),
}
# Letters of a container's number, A to Z: multiples of 11 are left out.
_NUMBERS = [number for number in range(10, 39) if number % 11]
_CONTAINER = dict(zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", _NUMBERS, strict=True))


def valid(text: str, check: str) -> bool:
    """Whether the check digits of a code are right."""
    code = "".join(mark for mark in text if mark.isalnum())
    match check:
        case "iban":
            return int(_spelt(code[4:] + code[:4])) % 97 == 1
        case "lei":
            return int(_spelt(code)) % 97 == 1
        case "isin":
            return _ten(_spelt(code), 2)
        case "luhn" | "gtin":
            return _ten(code, 2 if check == "luhn" else 3)
        case "orcid":
            return sum(int(mark) << place for place, mark in enumerate(reversed(code))) % 11 == 1
        case "container":
            numbers = [_CONTAINER.get(mark) or int(mark) for mark in code]
            total = sum(number << place for place, number in enumerate(numbers[:-1]))
            return total % 11 % 10 == numbers[-1]
        case "vat" if code.startswith("FR"):
            key, register = int(code[2:4]), code[4:]
            return _ten(register, 2) and int(f"{register}12") % 97 == key
        case "vat":
            begin, end, rule = _VAT[code[:2]]
            return _by(rule, code[begin:end])
    return _by(check, code)


def _by(rule: str, code: str) -> bool:
    if rule == "luhn":
        return _ten(code, 2)
    if rule == "mod-11-10":
        rest = 5
        for mark in code:
            rest = ((rest or 10) * 2 % 11 + int(mark)) % 10
        return rest == 1
    weights, modulus = _WEIGHTS[rule]
    return _sum(weights, code) % modulus == 0


def _spelt(code: str) -> str:
    """A code with numbers for its letters: A is 10."""
    return "".join(str(int(mark, 36)) for mark in code)


def _sum(weights: Sequence[int], code: str) -> int:
    return sum(weight * int(mark) for weight, mark in zip(weights, code, strict=True))


def _ten(code: str, factor: int) -> bool:
    """Whether the digits, each second one times a factor, add up to a multiple of ten."""
    total = 0
    for place, mark in enumerate(reversed(code)):
        number = int(mark) * (factor if place % 2 else 1)
        total += number // 10 + number % 10 if factor == 2 else number
    return total % 10 == 0
