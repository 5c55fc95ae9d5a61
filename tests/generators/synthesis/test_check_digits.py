"""Codes with check digits: published examples, and what cannot have them."""

import numpy as np
import polars as pl
import pytest
from pydantic import ValidationError

from generators.schemas.amounts import iban_at
from generators.schemas.national import LOCALES, around_bank, check_in, pattern_in
from generators.synthesis.library.digits import with_check_digits
from generators.synthesis.library.rows import Rows
from generators.synthesis.library.values import draw
from generators.synthesis.spec import Pattern, Template
from generators.taxonomy.values import NATIONAL
from qa.synthesis.check_digits import valid
from qa.synthesis.columns import measure_column
from schemagraph.model import Kind, Property, Type
from schemagraph.specification.codes import Check
from schemagraph.specification.model import Column

# Examples of ISO 13616's registry, of GLEIF, of Wikipedia's articles on Luhn, EAN, ISIN, ISO 6346,
# IMO numbers and SSCC, of RFC 3187, of ORCID and ISSN, and of tax offices and python-stdnum.
KNOWN = [
    ("iban", "DE89 3704 0044 0532 0130 00", "DE## #### #### #### #### ##"),
    ("iban", "GB29 NWBK 6016 1331 9268 19", "GB## ???? #### #### #### ##"),
    ("iban", "IT60 X054 2811 1010 0000 0123 456", "IT## ?### #### #### #### #### ###"),
    ("iban", "FR76 3000 6000 0112 3456 7890 189", "FR## #### #### #### #### #### ###"),
    ("iban", "ES91 2100 0418 4502 0005 1332", "ES## #### #### #### #### ####"),
    ("iban", "PL61 1090 1014 0000 0712 1981 2874", "PL## #### #### #### #### #### ####"),
    ("lei", "5493001KJTIIGC8Y1R12", "5493###?????????##"),
    ("luhn", "79927398713", "###########"),
    ("gtin", "4006381333931", "#############"),
    ("gtin", "978-0-306-40615-7", "###-#-###-#####-#"),
    ("gtin", "106141412345678908", "##################"),
    ("isin", "US0378331005", "US##########"),
    ("isin", "AU0000XVGZA3", "AU0000?????#"),
    ("issn", "0378-5955", "####-####"),
    ("orcid", "0000-0002-1825-0097", "0000-0002-####-####"),
    ("imo", "9074729", "9######"),
    ("container", "CSQU3054383", "???U#######"),
    ("vat", "DE136695976", "DE#########"),
    ("vat", "ESA13585625", "ES?########"),
    ("vat", "FR40303265045", "FR###########"),
    ("vat", "GB980780684", "GB#########"),
    ("vat", "IT00743110157", "IT###########"),
    ("vat", "NL004495445B01", "NL#########B01"),
    ("vat", "PL8567346215", "PL##########"),
    ("vat", "SE123456789701", "SE##########01"),
]
# Where check digits stand, by how many marks from the end; else the last one.
PLACES = {"lei": (-2, -1), "GB": (-2, -1), "NL": (-4,), "SE": (-3,), "FR": (2, 3, -1)}


@pytest.mark.parametrize(("check", "code", "form"), KNOWN)
def test_check_digits_come_out_as_published(check: Check, code: str, form: str) -> None:
    digits = [place for place, mark in enumerate(code) if mark.isalnum()]
    own = PLACES.get(code[:2] if check == "vat" else check, (2, 3) if check == "iban" else (-1,))
    places = [digits[place] for place in own]
    spoilt = "".join("0" if place in places else mark for place, mark in enumerate(code))
    assert with_check_digits(pl.Series([spoilt, code]), check).to_list() == [code, code]


@pytest.mark.parametrize(
    ("code", "spoilt"),
    [
        ("FR76 3000 6000 0112 3456 7890 189", "FR76 3000 6000 0112 3456 7890 100"),
        ("ES91 2100 0418 4502 0005 1332", "ES91 2100 0418 0002 0005 1332"),
        ("PL61 1090 1014 0000 0712 1981 2874", "PL61 1090 1010 0000 0712 1981 2874"),
    ],
)
def test_the_keys_of_a_country_come_out_as_published(code: str, spoilt: str) -> None:
    assert with_check_digits(pl.Series([spoilt, code]), "iban").to_list() == [code, code]


@pytest.mark.parametrize(("check", "code", "form"), KNOWN)
def test_codes_of_a_pattern_are_right_by_the_reading_of_the_other_side(
    check: Check, code: str, form: str
) -> None:
    pattern = Pattern(text=form.replace("ES?", "ESB"), check=check)
    rng = np.random.default_rng(7)
    drawn = draw(pattern.model_dump(), Rows({}, 3000, rng), rng).to_list()
    assert valid(code, check)
    assert all(valid(text, check) for text in drawn)
    wrong = [text[:-1] + str((int(text[-1]) + 1) % 10) for text in drawn if check != "vat"]
    assert not any(valid(text, check) for text in wrong)


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("code", sorted(NATIONAL))
def test_codes_of_every_country_are_right(locale: str, code: str) -> None:
    check = check_in(locale, code)
    pattern = Pattern(text=pattern_in(locale, code), check=check)
    drawn = draw(pattern.model_dump(), Rows({}, 200, rng := np.random.default_rng(7)), rng)
    assert not check or all(valid(text, check) for text in drawn)


def test_a_code_that_begins_with_a_column_has_its_check_digit() -> None:
    digits = {f"digit_{place}": tuple("0123456789") for place in range(7)}
    text = "{owner}" + "".join(f"{{{name}}}" for name in digits)
    template = Template(text=text, lists=digits, check="container")
    rows = Rows({}, 300, rng := np.random.default_rng(7))
    rows.columns["owner"] = pl.Series(["CSQU", "TRLU", "ZZZU"] * 100)
    drawn = draw(template.model_dump(), rows, rng)
    assert all(valid(number, "container") for number in drawn)
    column, given = Column(of=template), Property("number", Type(Kind.STRING), False)
    spoilt = drawn.scatter(0, drawn[0][:-1] + str((int(drawn[0][-1]) + 1) % 10))
    table = pl.DataFrame({"number": spoilt, "owner": rows.columns["owner"]})
    wrong = [m for m in measure_column("x", given, column, spoilt, table.__getitem__) if not m.ok]
    assert [(m.what, m.observed) for m in wrong] == [
        ("codes with wrong check digits (container)", 1)
    ]


@pytest.mark.parametrize("locale", LOCALES)
def test_ibans_of_one_bank_have_its_code(locale: str) -> None:
    template = iban_at("bank", locale)
    rows = Rows({}, 300, rng := np.random.default_rng(7))
    bics = pattern_in(locale, "bic")[4:]
    rows.columns["bank"] = pl.Series([f"CLDN{bics}", f"XKJR{bics}", f"ABBA{bics}"] * 100)
    drawn = draw(template.model_dump(), rows, rng)
    assert all(valid(iban, "iban") for iban in drawn)
    before, bank, _ = around_bank(locale)
    codes = drawn.str.slice(len(before), len(bank))
    assert len(set(zip(rows.columns["bank"], codes, strict=True))) == codes.n_unique() == 3
    if "?" in bank:  # the first letters of the BIC
        assert set(codes) == {"CLDN", "XKJR", "ABBA"}
    column, given = Column(of=template), Property("iban", Type(Kind.STRING), False)
    table = pl.DataFrame({"iban": drawn, "bank": rows.columns["bank"]})
    assert all(m.ok for m in measure_column("x", given, column, drawn, table.__getitem__))


@pytest.mark.parametrize("form", ["x", "####?", "#" * 9, "?" * 10])
def test_a_form_of_a_column_is_one_of_four(form: str) -> None:
    with pytest.raises(ValueError, match=r"write .name."):
        Template(text=f"{{bank:{form}}}")


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
        ("####-###", "issn"),
        ("????#######", "imo"),
        ("AB##########", "vat"),
        ("PL#########", "vat"),
        ("??########", "container"),
    ],
)
def test_a_pattern_has_room_for_its_check_digits(text: str, check: str) -> None:
    with pytest.raises(ValidationError, match="check digit"):
        Pattern.model_validate({"text": text, "check": check})
