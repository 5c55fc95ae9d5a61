"""Codes with check digits: published examples, and what cannot have them."""

import polars as pl
import pytest
from pydantic import ValidationError

from generators.synthesis.library.values import with_check_digits
from generators.synthesis.spec import Pattern
from qa.synthesis.columns import measure_column
from schemagraph.model import Kind, Property, Type
from schemagraph.specification.model import Column

# Examples of ISO 13616's registry, of GLEIF, of Wikipedia's articles on Luhn and EAN, of RFC 3187.
KNOWN = [
    ("iban", "DE89 3704 0044 0532 0130 00", "DE## #### #### #### #### ##"),
    ("iban", "GB29 NWBK 6016 1331 9268 19", "GB## ???? #### #### #### ##"),
    ("iban", "IT60 X054 2811 1010 0000 0123 456", "IT## ?### #### #### #### #### ###"),
    ("lei", "5493001KJTIIGC8Y1R12", "5493###?????????##"),
    ("luhn", "79927398713", "###########"),
    ("gtin", "4006381333931", "#############"),
    ("gtin", "978-0-306-40615-7", "###-#-###-#####-#"),
]


@pytest.mark.parametrize(("check", "code", "form"), KNOWN)
def test_check_digits_come_out_as_published(check: str, code: str, form: str) -> None:
    digits = [place for place, mark in enumerate(code) if mark.isalnum()]
    places = digits[2:4] if check == "iban" else digits[-2:] if check == "lei" else digits[-1:]
    spoilt = "".join("0" if place in places else mark for place, mark in enumerate(code))
    assert with_check_digits(pl.Series([spoilt, code]), check).to_list() == [code, code]


def test_wrong_check_digits_are_measured() -> None:
    column = Column(of=Pattern(text="DE## #### #### #### #### ##", check="iban"))
    right, wrong = "DE89 3704 0044 0532 0130 00", "DE88 3704 0044 0532 0130 00"
    values = pl.Series("iban", [right, wrong, right])
    given = Property("iban", Type(Kind.STRING), False)
    found = [
        m
        for m in measure_column("x", given, column, values, values.to_frame().__getitem__)
        if not m.ok
    ]
    assert [(m.what, m.observed) for m in found] == [("codes with wrong check digits (iban)", 1)]


@pytest.mark.parametrize(
    ("text", "check"),
    [
        ("DE?? ####", "iban"),
        ("AB-#?", "luhn"),
        ("####?", "gtin"),
        ("**##", "lei"),
        ("Ä###", "luhn"),
    ],
)
def test_a_pattern_has_room_for_its_check_digits(text: str, check: str) -> None:
    with pytest.raises(ValidationError, match="check digit"):
        Pattern.model_validate({"text": text, "check": check})
