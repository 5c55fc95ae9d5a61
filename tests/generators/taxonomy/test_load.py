"""The taxonomy: enough of it, complete, and users' files with positions of what is wrong."""

from pathlib import Path

import pytest

from generators.taxonomy import load_taxonomy, subdomain
from generators.taxonomy.load import shipped_subdomain, spelled
from generators.taxonomy.model import Becomes, By, Choice, Code, Fraction, Moment, Number, Wording
from generators.taxonomy.relations import relation
from generators.taxonomy.values import LineError, hint
from graphmill.errors import ConfigError, UnknownNameError

SHOP = """title = "Wine shop"
purpose = "Sells wine."
questions = ["Which wines sell best?"]
core = ["wine"]
uses = ["city"]

[lists]
vineyard = "Sonnenberg 5 | Les Clos"

[rows]
grapes = ["name|colour", "Riesling|white", "Merlot|red"]

[wine]
also = "bottle"
rows = "grapes"
bottle_no = "code W-#####; key"
grape = "row name; need"
colour = "row"
name = "text {vineyard} {grape}"
price = "money by colour: red = lognormal 14 0.6 | else lognormal 10 0.5; unit EUR"

[shop]
name = "in vineyard; need"
opened_on = "date 2001..2020"

[relations]
"wine SOLD_IN shop" = "is sold in / sells; also <SELLS; out power 2.2 30"
"shop LOCATED_IN city" = "is in / has; n:1"
"""


def users(folder: Path, text: str, name: str = "drinks/wine-shop.toml") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return folder


def test_the_shipped_taxonomy_is_wide_and_complete() -> None:
    taxonomy = load_taxonomy()
    assert len(taxonomy.industries) >= 13
    assert len(taxonomy.names()) >= 60
    for found in taxonomy:
        assert 8 <= len(found.own) <= 15, found.path
        assert 5 <= len(found.questions) <= 10, found.path
        assert found.purpose.endswith("."), found.path
        assert all(question.endswith("?") for question in found.questions), found.path


def test_users_add_a_sub_domain(tmp_path: Path) -> None:
    found = subdomain(load_taxonomy([users(tmp_path, SHOP)]), "drinks/wine-shop")
    assert set(found.entities) == {"wine", "shop", "city"}
    assert found.own == {"wine", "shop"}
    assert [r.type for r in found.relations] == ["SOLD_IN", "LOCATED_IN"]
    assert found.entities["wine"].plural == "wines"
    assert found.rows["grapes"].column("colour") == ("white", "red")


def test_users_replace_a_shipped_sub_domain(tmp_path: Path) -> None:
    users(tmp_path, SHOP, "finance/retail-banking.toml")
    taxonomy = load_taxonomy([tmp_path])
    assert taxonomy.subdomains["finance/retail-banking"].title == "Wine shop"
    assert len(taxonomy.names()) == len(load_taxonomy().names())


@pytest.mark.parametrize(
    ("before", "after", "line", "message"),
    [
        ('uses = ["city"]', 'uses = ["citi"]', 5, "no entity 'citi'. Did you mean 'city'?"),
        ('core = ["wine"]', "", 1, "needs core"),
        ('core = ["wine"]', 'cores = ["wine"]', 4, "Did you mean 'core'?"),
        ("{vineyard} {grape}", "{vinyard}", 19, "no list 'vinyard'. Did you mean 'vineyard'?"),
        ("lognormal 14 0.6", "lognorm 14 0.6", 20, "no shape 'lognorm'. Did you mean 'lognormal'"),
        ("by colour:", "by color:", 20, "no property 'color'. Did you mean 'colour'?"),
        ("; key", "; keys", 16, "no option 'keys'. Did you mean 'key'?"),
        ('rows = "grapes"', 'rows = "grape"', 15, "no rows 'grape'. Did you mean 'grapes'?"),
        ("row name", "row nane", 17, "no column 'nane'. Did you mean 'name'?"),
        ("2001..2020", "2020..2001", 24, "ends before it begins"),
        ("is sold in / sells", "is sold in", 27, "lacks a verb phrase"),
        ("wine SOLD_IN shop", "wine SOLD_IN shoo", 27, "no entity 'shoo'. Did you mean 'shop'?"),
        ("n:1", "n:one", 28, "no option 'n:one'"),
        ("Riesling|white", "Riesling", 11, "Row 1 of grapes has 1 cells"),
        ("[shop]", "[shop", 22, "not TOML"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(
    tmp_path: Path, before: str, after: str, line: int, message: str
) -> None:
    assert before in SHOP
    users(tmp_path, SHOP.replace(before, after, 1))
    with pytest.raises(ConfigError) as caught:
        load_taxonomy([tmp_path])
    text = "\n".join(caught.value.violations)
    assert message in text
    if "TOML" in message:
        assert f"line {line}" in text
    else:
        assert f"wine-shop.toml:{line}: " in text


def test_every_problem_is_told_at_once(tmp_path: Path) -> None:
    users(tmp_path, SHOP.replace("; key", "; keys").replace("lognormal 14", "lognorm 14"))
    with pytest.raises(ConfigError) as caught:
        load_taxonomy([tmp_path])
    assert len(caught.value.violations) == 2


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="There is no folder"):
        load_taxonomy([tmp_path / "none"])


def test_an_unknown_sub_domain_is_told_with_the_closest_one() -> None:
    taxonomy = load_taxonomy()
    with pytest.raises(UnknownNameError, match=r"Nearest of ours: finance/retail-banking"):
        subdomain(taxonomy, "finance/retail-bank")
    with pytest.raises(UnknownNameError, match=r"The industry finance has: finance/anti-money"):
        subdomain(taxonomy, "finance")


@pytest.mark.parametrize(
    ("asked", "near"),
    [
        ("hospital", "healthcare/hospital-care"),
        ("airlines", "travel/air-travel"),
        ("supermarkets", "retail/grocery-stores"),
        ("Loans to consumers", "finance/consumer-lending"),
        ("breweries/cows and milk", "agriculture/dairy-farming"),
        ("trains", "travel/rail-travel"),
        ("genomcs", "life-sciences/genomics"),
        ("travel/hotel booking", "travel/hotels"),
    ],
)
def test_an_unknown_name_is_answered_with_the_nearest_by_its_words(asked: str, near: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        subdomain(load_taxonomy(), asked)
    message = str(caught.value)
    assert f"Nearest of ours: {near}" in message
    assert "--taxonomy FILE" in message
    assert "--schema FILE" in message


def test_a_name_far_from_all_is_answered_with_the_industries() -> None:
    with pytest.raises(UnknownNameError, match=r"None of ours is near it; the industries are agr"):
        subdomain(load_taxonomy(), "qqqq")


def test_a_file_or_a_flat_folder_is_a_domain_of_the_users(tmp_path: Path) -> None:
    folder = users(tmp_path, SHOP)
    file = folder / "drinks" / "wine-shop.toml"
    assert "drinks/wine-shop" in load_taxonomy([file]).names()
    assert "drinks/wine-shop" in load_taxonomy([file.parent]).names()
    (tmp_path / "empty").mkdir()
    with pytest.raises(ConfigError, match="holds no sub-domain"):
        load_taxonomy([tmp_path / "empty"])


def test_lines_of_properties() -> None:
    status = hint("status", "in review 20 | open 70 | void; null 0.1; also state")
    assert status.value == Choice((("in review", 20.0), ("open", 70.0), ("void", 10.0)))
    assert (status.null, status.also) == (0.1, ("state",))
    assert hint("model", '"Boeing 737" | A380 30').value == Choice(
        (("Boeing 737", 10.0), ("A380", 30.0))
    )
    assert hint("no", "code A-##; key").value == Code("A-##")
    assert hint("n", "int lognormal 5 0.5 1..90").value == Number(
        "lognormal", (5.0, 0.5), 0, 1.0, 90.0
    )
    assert hint("fee", "money of price 0.1..0.2").value == Fraction("price", 0.1, 0.2)
    assert hint("d", "date 2019..2021 busy 1,2 workdays").value == Moment(
        clock=False, first=2019, last=2021, busy=(1, 2), workdays=True
    )
    assert hint("d", "datetime 2019..2021 shopdays at 8..20").value == Moment(
        clock=True, first=2019, last=2021, shopdays=True, hours=(8, 20)
    )
    ranges = hint("c", "int by price: upto 9.5 = 1..2 | upto 80 = 3..4 | else 5..6").value
    assert isinstance(ranges, By)
    assert ranges.upto
    assert [case for case, _ in ranges.cases] == ["9.5", "80"]
    nested = hint("c", "int by kind: a = [by on: upto 2020-12-31 = 1..2 | else 3..4] | else 5..6")
    assert isinstance(nested.value, By)
    inner = dict(nested.value.cases)["a"]
    assert isinstance(inner, By)
    assert (inner.of, inner.upto, len(nested.value.cases)) == ("on", True, 1)
    for wrong in (
        "upto 9 = 1..2 | b = 3..4 | else 5..6",
        "upto 9 = 1..2",
        "upto 9 = 1..2 | upto 8 = 1..2 | else 1..2",
    ):
        with pytest.raises(LineError, match="ranges"):
            hint("c", f"int by price: {wrong}")
    assert hint("c", "by kind: a = x, y | else z").value == By(
        "kind", (("a", Choice((("x", 10.0), ("y", 10.0)))),), Choice((("z", 10.0),))
    )
    assert hint("k", "a | b; node HAS,OF has / is of").becomes == Becomes(
        ("HAS", "OF"), Wording("has", "is of")
    )


@pytest.mark.parametrize(
    "line",
    [
        "",
        "int",
        "date 2020..2010",
        "bool 2",
        "a | a",
        "code",
        "a 0 | b",
        "a|b; null 1",
        "date after d 1..2h",
    ],
)
def test_lines_that_are_refused(line: str) -> None:
    with pytest.raises(LineError):
        hint("x", line)


def test_a_relation_that_is_symmetric_has_one_end_type() -> None:
    with pytest.raises(LineError, match="symmetric"):
        relation("a KNOWS b", "knows / knows; symmetric", {})


def test_a_shipped_sub_domain_is_read_alone_as_it_is_read_with_all_others() -> None:
    for path, domain in load_taxonomy().subdomains.items():
        assert shipped_subdomain(path) == domain


@pytest.mark.parametrize(
    "path", ["healthcare", "healthcare/", "healthcare/_industry", "../taxonomy/x", "retail/nothing"]
)
def test_what_is_no_shipped_sub_domain_is_none(path: str) -> None:
    assert shipped_subdomain(path) is None


@pytest.mark.parametrize(
    "path", ["ENERGY/Power-Grid", "energy/power grid", "Energy/POWER_GRID", "energy/powergrid"]
)
def test_names_of_sub_domains_are_read_as_people_write_them(path: str) -> None:
    assert subdomain(load_taxonomy(), path).path == "energy/power-grid"


def test_names_of_industries_are_read_so_where_the_error_lists_them() -> None:
    with pytest.raises(UnknownNameError, match=r"The industry energy has: .*energy/power-grid"):
        subdomain(load_taxonomy(), "Energy")


def test_a_spelling_that_several_names_have_is_none_of_them() -> None:
    assert spelled("A b", ["a-b", "a_b"]) == "A b"
    assert spelled("a_b", ["a-b", "a_b"]) == "a_b"
