"""Check digits of codes, for all rows at once.

Each standard is weights and a modulus where it can be; the others are a function.
"""

from __future__ import annotations

import numpy as np
import polars as pl

# Weights of what stands before the check digit; how often their sum is taken, and beside what; the
# modulus. Where that is 11, ten is no digit: the digit before it moves on by one.
WEIGHTED = {
    "imo": ((7, 6, 5, 4, 3, 2), 1, 0, 10),
    "issn": ((8, 7, 6, 5, 4, 3, 2), -1, 0, 11),
    "orcid": (tuple(2**place for place in range(15, 0, -1)), -1, 1, 11),
    "container": (tuple(2**place for place in range(10)), 1, 0, 11),
    "vat-NL": ((9, 8, 7, 6, 5, 4, 3, 2), 1, 0, 11),
    "vat-PL": ((6, 5, 7, 2, 3, 4, 5, 6, 7), 1, 0, 11),
}


def with_check_digits(values: pl.Series, check: str) -> pl.Series:
    """Codes of one form with their check digits put right.

    Raises:
        ValueError: they are not of one length.
    """
    if not len(values):
        return values
    if values.null_count() or values.str.len_chars().n_unique() > 1:
        raise ValueError(f"codes with the check digits of {check} are of one length")
    text = np.frombuffer("".join(values.to_list()).encode(), np.uint8).reshape(len(values), -1)
    text = text.copy()
    bare = [place for place, mark in enumerate(values[0]) if mark.isalnum()]
    if check == "vat":
        check = f"vat-{values[0][:2]}"
        bare = [place for place in bare if values[0][place].isdigit()]
        bare = bare[: {"vat-NL": 9, "vat-SE": 10}.get(check, len(bare))]
    digits = text[:, bare].astype(int) - 48
    digits[digits > 9] -= 7  # A is 10
    text[:, bare] = np.where(digits > 9, text[:, bare], put_right(digits, check) + 48)
    return pl.Series(text.view(f"S{text.shape[1]}").ravel().astype(str).tolist())


def put_right(digits: np.ndarray, check: str) -> np.ndarray:
    """A row of digits for each code (A is 10), with those in the places of check digits."""
    digits = digits.copy()
    if check in ("iban", "lei"):
        place = 2 if check == "iban" else digits.shape[1] - 2
        if check == "iban":
            _national(digits)
        digits[:, place : place + 2] = 0
        turned = np.roll(digits, -4 if check == "iban" else 0, axis=1)
        two_digits(digits, place, 98 - remainder_97(turned))
    elif check in WEIGHTED:
        digits[:, -1] = weighted(digits, check)
        digits[:, -2] = np.where(digits[:, -1] > 9, (digits[:, -2] + 1) % 10, digits[:, -2])
        digits[:, -1] = weighted(digits, check)
    elif check == "vat-DE":  # ISO 7064, mod 11, 10
        rest = np.full(len(digits), 10)
        for column in digits[:, :-1].T:
            rest = 2 * ((column + rest - 1) % 10 + 1) % 11
        digits[:, -1] = (11 - rest) % 10
    elif check == "vat-GB":
        two_digits(digits, 7, 97 - digits[:, :7] @ np.arange(8, 1, -1) % 97)
    elif check == "vat-FR":  # two digits before a number of the register with its own
        digits[:, 2:] = put_right(digits[:, 2:], "luhn")
        two_digits(digits, 0, (12 + 3 * remainder_97(digits[:, 2:])) % 97)
    else:
        digits[:, -1] = last_of_ten(digits[:, :-1], factor=3 if check == "gtin" else 2)
    return digits


def _national(digits: np.ndarray) -> None:
    """The keys that France, Spain and Poland have within an IBAN."""
    country = "".join(chr(int(letter) + 55) for letter in digits[0, :2])
    if country == "FR":
        digits[:, 25:27] = 0
        two_digits(digits, 25, 97 - remainder_97(digits[:, 4:27]))
    elif country == "ES":
        weights = np.array((1, 2, 4, 8, 5, 10, 9, 7, 3, 6))
        for place, before, used in ((12, digits[:, 4:12], 2), (13, digits[:, 14:24], 0)):
            rest = 11 - before @ weights[used:] % 11
            digits[:, place] = np.where(rest > 9, 11 - rest, rest)
    elif country == "PL":
        digits[:, 11] = -(digits[:, 4:11] @ np.array((3, 9, 7, 1, 3, 9, 7))) % 10


def remainder_97(digits: np.ndarray) -> np.ndarray:
    """The numbers that digits and letters (of two digits) make, modulo 97."""
    rest = np.zeros(len(digits), dtype=int)
    for column in digits.T:
        rest = np.where(column > 9, rest * 100 + column, rest * 10 + column) % 97
    return rest


def two_digits(digits: np.ndarray, place: int, numbers: np.ndarray) -> None:
    """Puts numbers below 100 at two places."""
    digits[:, place], digits[:, place + 1] = numbers // 10, numbers % 10


def weighted(digits: np.ndarray, check: str) -> np.ndarray:
    """The last digit by the weights of the others."""
    weights, sign, beside, modulus = WEIGHTED[check]
    before = digits[:, :-1]
    if check == "container":  # letters leave out multiples of 11
        before = before + (before > 10) + (before > 20) + (before > 30)
    total: np.ndarray = before @ np.array(weights)
    return (sign * total + beside) % modulus


def last_of_ten(before: np.ndarray, *, factor: int) -> np.ndarray:
    """The digit that makes the sum a multiple of ten, each second number times a factor.

    Times two (Luhn), the digits of a number are added up; letters (ISIN) are two numbers.
    """
    numbers = [
        part
        for column in before.T
        for part in ((column // 10, column % 10) if (column > 9).any() else (column,))
    ]
    total = np.zeros(len(before), dtype=int)
    for place, number in enumerate(reversed(numbers)):
        product = number if place % 2 else number * factor
        total += product if factor == 3 else product // 10 + product % 10
    return -total % 10
