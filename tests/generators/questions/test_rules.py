"""The rule-based author: wordings that were written first, and what holds for all of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import pytest

from generators.questions.author import NoWording
from generators.questions.levels.authors import author_named
from generators.questions.levels.rules import RuleAuthor
from generators.questions.levels.syntactic import syntactic
from generators.questions.lexicon.derive import derive
from generators.questions.lexicon.model import Property, Standing
from generators.questions.lexicon.toml_file import parse_lexicon
from generators.questions.phrases.tree import Text
from generators.questions.realise.conditions.framing import unvalued
from graph_ir.cypher.reader import parse
from graph_ir.values import lost
from graphmill.errors import UnknownNameError
from pipelines.build.question_writer import spoken
from schemagraph.model import SchemaGraph
from tests.schema_text import read_schema


def with_one(schema: SchemaGraph, label: str) -> SchemaGraph:
    edges = tuple(replace(e, targets="1") if e.label == label else e for e in schema.edges)
    return replace(schema, edges=edges)


HERE = Path(__file__).parent
LIBRARY = read_schema((HERE / "library.schema").read_text(encoding="utf-8"))
SCHEMA = with_one(LIBRARY, "HAS_BRANCH")
LEXICON = parse_lexicon((HERE / "library.lexicon.toml").read_text(encoding="utf-8")).lexicon
AUTHOR = RuleAuthor(LEXICON)
COLUMNS = read_schema((HERE / "columns.schema").read_text(encoding="utf-8"))
COLUMNS = with_one(with_one(COLUMNS, "HAS_CUSTOMER"), "HAS_CLINIC")
DERIVED = RuleAuthor(derive(COLUMNS).at())
OFFICE = read_schema((HERE / "office.schema").read_text(encoding="utf-8"))
for _edge in OFFICE.edges:
    OFFICE = with_one(OFFICE, _edge.label)
OFFICE_AUTHOR = RuleAuthor(derive(OFFICE).at())
MOST_WORDS = {"3": 35, "2": 60, "K": 60}


@dataclass(frozen=True)
class Case:
    """One block of a fixture: a query, then lines of a mark, a colon and a text."""

    line: int
    query: str
    expected: dict[str, str]


def cases(name: str) -> Iterator[Case]:
    block: list[str] = []
    start = 0
    text = (HERE / name).read_text(encoding="utf-8")
    for number, line in enumerate([*text.splitlines(), ""], 1):
        if line.startswith("--"):
            continue
        if line:
            start = start if block else number
            block.append(line)
        elif block:
            said = [re.fullmatch(r"([S32?K!]): (.*)", each) for each in block[1:]]
            yield Case(start, block[0], {found[1]: found[2] for found in said if found})
            block = []


ENGINEER = list(cases("level_one.pairs"))
GOALS = list(cases("goals.pairs"))
PLAIN = list(cases("columns.pairs"))
PAID = list(cases("office.pairs"))
WORDED = [case for case in GOALS if "!" not in case.expected]


def plain(levels: dict[str, str]) -> dict[str, str]:
    """Levels that begin in one way wherever people use several alike, so that a text fixture need
    not know which of them a sentence chooses."""
    return {**levels, **{level: _plain(levels[level]) for level in levels if level in "23"}}


def _plain(text: str) -> str:
    for openings in OPENINGS:
        for opening in openings:
            if text.startswith(opening):
                return f"{openings[0]}{text.removeprefix(opening)[:-1]}"
    return text[:-1]


OPENINGS = (
    ("What are the ", "Give me the ", "Show me the "),
    ("List the ", "Find the "),
)


def write(query: str, author: RuleAuthor = AUTHOR, schema: SchemaGraph = SCHEMA) -> dict[str, str]:
    found = author.write(parse(query), schema, Random(7))
    asked = found.questions
    levels = {"3": asked.business, "2": asked.logical, "?": asked.original}
    return {**levels, **({"K": found.knowledge} if found.knowledge else {})}


def compare(case: Case, author: RuleAuthor, schema: SchemaGraph) -> None:
    if "!" not in case.expected:
        assert plain(write(case.query, author, schema)) == plain(case.expected)
        return
    with pytest.raises(NoWording) as problem:
        write(case.query, author, schema)
    assert problem.value.construct == case.expected["!"]
    assert problem.value.code == "no-wording"


def ids(found: list[Case]) -> list[str]:
    return [f"line {case.line}" for case in found]


@pytest.mark.parametrize("case", ENGINEER, ids=ids(ENGINEER))
def test_level_one(case: Case) -> None:
    assert AUTHOR.engineer(parse(case.query), Random(7)) == case.expected["S"]


@pytest.mark.parametrize("case", GOALS, ids=ids(GOALS))
def test_wordings(case: Case) -> None:
    compare(case, AUTHOR, SCHEMA)


@pytest.mark.parametrize("case", PLAIN, ids=ids(PLAIN))
def test_columns_without_words_of_their_own(case: Case) -> None:
    compare(case, DERIVED, COLUMNS)


@pytest.mark.parametrize("case", PAID, ids=ids(PAID))
def test_what_people_in_an_office_say(case: Case) -> None:
    compare(case, OFFICE_AUTHOR, OFFICE)


@pytest.mark.parametrize("case", WORDED, ids=ids(WORDED))
def test_form_and_budget(case: Case) -> None:
    levels = write(case.query)
    for level, text in levels.items():
        assert "  " not in text
        assert not re.search(r"\b(\w{3,}) \1\b|\ba [aeio]\w|[\x00-\x1f{}]| [,.?]", text), text
        assert len(text.split()) <= MOST_WORDS.get(level, 35)
        if level in "32":
            assert re.match(r"[A-Z]", text)
            assert text[-1] in ".?"
            # A term of the glossary has its number in the knowledge.
            known = levels.get("K", "") if level == "3" else ""
            assert lost(parse(case.query), f"{text} {known}") == ()
            assert not re.search(r"\b(?:nodes?|edges?|hops?|MATCH|RETURN)\b|[A-Z]+_[A-Z]+", text)


def test_level_one_needs_no_lexicon_and_no_schema() -> None:
    query = parse("MATCH (p:SalesRep)-[:LIVES_IN]->(c:City {name: 'Oslo'}) RETURN p.name")
    text = syntactic(query, Random(1))
    assert 'a SalesRep node that has a LIVES_IN edge to a City node with name "Oslo"' in text
    assert "the sales rep's name" in text


def test_an_average_is_of_something() -> None:
    schema = read_schema(
        "Category(category_id!: INTEGER, name: STRING)"
        "\nCustomer(customer_id!: INTEGER, name: STRING)"
        "\nProduct(product_id!: INTEGER, name: STRING, price: FLOAT)"
        "\nProduct-[HAS_CATEGORY]->Category\nProduct-[HAS_CUSTOMER]->Customer"
    )
    schema = with_one(with_one(schema, "HAS_CATEGORY"), "HAS_CUSTOMER")
    author = RuleAuthor(derive(schema).at())
    query = (
        "MATCH (g:{0})<-[:{1}]-(s:Product) WITH g, avg(s.price) AS m "
        "MATCH (g)<-[:{1}]-(t:Product) WHERE t.price > m RETURN t.name"
    )
    said = write(query.format("Category", "HAS_CATEGORY"), author, schema)
    assert said["2"].endswith(
        " the names of the products whose price is above the average price for their category."
    )
    # Things are compared with those of their sort or place, not with those of one customer.
    with pytest.raises(NoWording, match="a price of his own"):
        write(query.format("Customer", "HAS_CUSTOMER"), author, schema)


NARROW = read_schema(
    "Sale(sale_id!: INTEGER, sold_on: DATE)\nProduct(product_id!: INTEGER, name: STRING)"
    "\nSaleLine(sale_line_id!: INTEGER, quantity: INTEGER)\nReview(review_id!: INTEGER)"
    "\nTank(tank_id!: INTEGER, name: STRING, status: STRING, town: STRING, "
    "pot_size_litres: FLOAT, price: FLOAT, hourly_fee: FLOAT, depth_metres: FLOAT, "
    "last_inspection_date: DATE, inspection_date: DATE)"
    "\nSaleLine-[OF_SALE]->Sale\nSaleLine-[OF_PRODUCT]->Product\nReview-[OF_PRODUCT]->Product"
)
NOT_ASKED = [  # what nobody asks, and its neighbour that people do ask
    (
        "MATCH (p:Product)<-[:OF_PRODUCT]-(x:SaleLine) WITH p, count(x) AS n"
        " WHERE n > 2 RETURN p.name",
        "MATCH (p:Product)<-[:OF_PRODUCT]-(x:Review) WITH p, count(x) AS n"
        " WHERE n > 2 RETURN p.name",
    ),
    (
        "MATCH (s:SaleLine) WHERE s.quantity = 7 RETURN count(s) AS n",
        "MATCH (s:SaleLine) WHERE s.quantity > 7 RETURN count(s) AS n",
    ),
    (
        "MATCH (x:Tank) WITH avg(x.pot_size_litres) AS m MATCH (t:Tank) WHERE t.pot_size_litres > m"
        " RETURN count(t) AS n",
        "MATCH (x:Tank) WITH avg(x.price) AS m MATCH (t:Tank) WHERE t.price > m"
        " RETURN count(t) AS n",
    ),
    (
        "MATCH (t:Tank) RETURN min(t.last_inspection_date) AS a, max(t.last_inspection_date) AS b",
        "MATCH (t:Tank) RETURN min(t.inspection_date) AS a, max(t.inspection_date) AS b",
    ),
    (
        "MATCH (t:Tank {name: 'T4'}) RETURN t.depth_metres, t.inspection_date",
        "MATCH (t:Tank {name: 'T4'}) RETURN t.depth_metres, t.pot_size_litres",
    ),
    (
        "MATCH (x:Tank) WITH avg(x.price) AS m MATCH (t:Tank) WHERE t.price > m AND t.town = 'Oslo'"
        " RETURN count(t) AS n",
        "MATCH (x:Tank) WITH avg(x.price) AS m MATCH (t:Tank) WHERE t.price > m AND t.town = 'Oslo'"
        " RETURN t.name",
    ),
    (
        "MATCH (t:Tank) RETURN t.inspection_date AS d, count(t) AS n",
        "MATCH (t:Tank) RETURN t.town AS d, count(t) AS n",
    ),
    (
        "MATCH (t:Tank) RETURN sum(t.hourly_fee) AS n",
        "MATCH (t:Tank) RETURN avg(t.hourly_fee) AS n",
    ),
    (
        "MATCH (t:Tank) WHERE t.price >= 2 AND t.price <= 3 RETURN count(t) AS n",
        "MATCH (t:Tank) WHERE t.price >= 20 AND t.price <= 30 RETURN count(t) AS n",
    ),
    (
        "MATCH (t:Tank) WITH t.status AS s, avg(t.price) AS m RETURN s ORDER BY m DESC LIMIT 1",
        "MATCH (t:Tank) WITH t.town AS s, avg(t.price) AS m RETURN s ORDER BY m DESC LIMIT 1",
    ),
]


@pytest.mark.parametrize(("odd", "plain"), NOT_ASKED)
def test_what_nobody_asks_is_not_asked_and_its_neighbour_is(odd: str, plain: str) -> None:
    author = RuleAuthor(derive(NARROW).at())
    assert texts(plain, author, NARROW)
    assert texts(odd, author, NARROW) == []


def test_sentences_begin_in_all_the_ways_that_people_use_alike() -> None:
    kept = [f"MATCH (b:Book) WHERE b.pages > {most} RETURN b.title" for most in range(200, 400)]
    levels = [write(query) for query in kept]
    for level, ways in (("3", 3), ("2", 2)):
        texts = [each[level] for each in levels]
        openings = Counter(text.partition(" the ")[0] for text in texts)
        assert len(openings) == ways
        assert max(openings.values()) < 2 * min(openings.values())
        assert all((text[-1] == "?") == text.startswith("What") for text in texts)
    assert levels == [write(query) for query in kept]


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (t:Teacher)-[:HAS_MANAGER*]->(u:Teacher) WHERE t <> u "
        "WITH t, count(DISTINCT u) AS n RETURN t.name ORDER BY n DESC LIMIT 3",
        "MATCH (t:Teacher)-[:HAS_MANAGER]->(:Teacher)-[:HAS_MANAGER]->(u:Teacher) "
        "WHERE u.name = 'Ann' RETURN DISTINCT t.name",
        "MATCH (t:Teacher)-[:HAS_MANAGER*2..2]->(u:Teacher) WHERE u.name = 'Ann' AND t <> u "
        "RETURN DISTINCT t.name",
    ],
)
def test_of_a_line_of_one_each_nobody_asks_for_both_steps_or_the_longest(query: str) -> None:
    with pytest.raises(NoWording, match="Nobody asks"):
        DERIVED.write(parse(query), with_one(COLUMNS, "HAS_MANAGER"), Random(7))


def test_a_line_of_one_each_is_followed_up_and_down() -> None:
    up, down = (
        texts(
            f"MATCH (t:Teacher){step}(u:Teacher) WHERE t.name = 'Bo' AND t <> u "
            "RETURN DISTINCT u.name",
            DERIVED,
            with_one(COLUMNS, "HAS_MANAGER"),
        )
        for step in ("-[:HAS_MANAGER*]->", "<-[:HAS_MANAGER*]-")
    )
    assert "teachers that Bo reports to directly or indirectly" in up[-1]
    assert "teachers who report directly or indirectly to Bo" in down[-1]


def test_one_of_whom_several_columns_are_shown_begins_with_give_me() -> None:
    query = (
        "MATCH (e:Employee)<-[:SIGNED_BY]-(r:Rental) WITH e, count(r) AS n "
        "ORDER BY n DESC LIMIT 1 RETURN e.employee_id, e.name"
    )
    said = write(query, OFFICE_AUTHOR, OFFICE)["3"]
    assert said.split(" ", 2)[2] == "the ID and name of the employee who signed the most rentals."


def test_how_much_asks_for_prices_alone() -> None:
    schema = read_schema("Employee(employee_id!: INTEGER, name: STRING, salary: FLOAT)")
    query = "MATCH (e:Employee) RETURN min(e.salary) AS low, max(e.salary) AS high"
    said = write(query, RuleAuthor(derive(schema).at()), schema)["3"]
    assert " the lowest and highest salaries of the employees" in said


def test_things_without_any_of_their_own_kind_are_not_asked_for() -> None:
    schema = read_schema(
        "Model(model_id!: INTEGER, name: STRING)\nModel-[MODEL_NEAR]->Model\n"
        "Tram(tram_id!: INTEGER, name: STRING)\nTram-[OF_MODEL]->Model"
    )
    author = RuleAuthor(derive(schema).at())
    own = "MATCH (m:Model) WHERE NOT EXISTS { (m)<-[:MODEL_NEAR]-(:Model) } RETURN m.name"
    for text in texts(own, author, schema):
        assert "without any models" not in text
        assert "no models" not in text
    other = "MATCH (m:Model) WHERE NOT EXISTS { (m)<-[:OF_MODEL]-(:Tram) } RETURN m.name"
    assert any(
        "without any trams" in text or "no trams" in text for text in texts(other, author, schema)
    )


def texts(query: str, author: RuleAuthor, schema: SchemaGraph) -> list[str]:
    """What is written of a query; nothing where there are no words for it."""
    try:
        return [*write(query, author, schema).values()]
    except NoWording:
        return []


def test_people_are_not_sorted_by_their_surnames() -> None:
    schema = read_schema("Donor(donor_id!: INTEGER, full_name: STRING, surname: STRING)")
    query = "MATCH (d:Donor) RETURN d.surname, count(d) AS n"
    with pytest.raises(NoWording, match="groups by a description"):
        write(query, RuleAuthor(derive(schema).at()), schema)


def test_nobody_asks_by_the_sort_of_another_of_the_kind() -> None:
    """ "The average credit of parties per party type" is by the type of their own."""
    schema = read_schema(
        "Party(party_no!: INTEGER, name: STRING, party_type: STRING, credit_usd: FLOAT)\n"
        "Party-[HAS_PARENT_PARTY]->Party"
    )
    author = RuleAuthor(derive(schema).at())
    own = "MATCH (p:Party) RETURN p.party_type AS sort, avg(p.credit_usd) AS average"
    assert write(own, author, schema)["3"]
    another = "MATCH (p:Party)-[:HAS_PARENT_PARTY]->(q:Party) RETURN q.party_type AS sort"
    with pytest.raises(NoWording, match="another of its kind"):
        write(f"{another}, avg(p.credit_usd) AS average", author, schema)


def test_a_second_name_beside_what_is_asked_of_a_thing_is_not_lost() -> None:
    schema = read_schema("Constellation(abbr!: STRING, name: STRING, hemisphere: STRING)")
    author = RuleAuthor(derive(schema).at())
    of_one = "MATCH (c:Constellation {name: 'Leo'}) RETURN c.hemisphere AS hemisphere"
    assert write(of_one, author, schema)["3"]
    with pytest.raises(NoWording, match="a second name"):
        write(f"{of_one}, c.abbr AS abbr", author, schema)


def test_what_a_named_thing_leads_to_is_neither_counted_nor_chosen() -> None:
    kept = "MATCH (r:Branch)<-[:HAS_BRANCH]-(b:Book {title: 'Dune'})"
    author = RuleAuthor(LEXICON)  # AUTHOR remembers what it said of another schema
    assert write(f"{kept} RETURN DISTINCT r.name", author)["3"]
    for query in (
        f"{kept} RETURN count(DISTINCT r) AS n",
        f"{kept}, (r)-[:IN_CITY]->(c:City {{name: 'Oslo'}}) RETURN DISTINCT r.name",
    ):
        assert write(query, schema=LIBRARY)["3"]  # where a book may be kept at several
        with pytest.raises(NoWording, match="one thing at most"):
            write(query, author)


def test_what_has_but_one_named_thing_is_for_it() -> None:
    query = "MATCH (d:Delivery)-[:HAS_BATCH]->(b:Batch {name: 'East'}) RETURN count(d) AS n"
    said = write(query, RuleAuthor(derive(COLUMNS).at()), with_one(COLUMNS, "HAS_BATCH"))
    assert said["3"] == "How many deliveries are there for the batch East?"
    assert said["2"] == "Find the number of deliveries for the batch East."


def test_a_status_of_another_thing_is_named_after_it() -> None:
    query = (
        "MATCH (d:Delivery)-[:HAS_BATCH]->(b:Batch) "
        "RETURN b.status AS status, avg(d.freight) AS average"
    )
    said = write(query, RuleAuthor(derive(COLUMNS).at()), with_one(COLUMNS, "HAS_BATCH"))
    assert said["2"] == "Find the average delivery freight for each batch status."


def test_a_thing_is_named_by_its_plural_too() -> None:
    """Taxa that a named taxon leads to are all of the noun that level 2 has."""
    text = """
[things.Taxon]
singular = "taxon"
plural = "taxa"
name = ["name"]
"""
    lexicon = parse_lexicon(text).lexicon
    assert {"taxon", "taxa"} <= {*spoken(lexicon).nodes["Taxon"]}


def test_without_words_there_is_no_wording() -> None:
    query = parse("MATCH (c:City) WHERE c.country = 'Chile' RETURN c.name")
    with pytest.raises(NoWording):
        RuleAuthor().write(query, SCHEMA, Random(1))
    assert RuleAuthor().goal(query, SCHEMA) == ""
    assert AUTHOR.goal(query, SCHEMA) == "find"


def test_an_unknown_author_is_named_with_those_that_exist() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'rules'"):
        author_named("rule")


@pytest.mark.parametrize(
    ("more", "query", "said"),
    [
        ("", "c.country = 'US'", "in the States"),
        ("", "c.country <> 'US'", "outside the States"),
        ("", "c.country IN ['US', 'GB']", "in the States or Britain"),
        ('place = "before", ', "c.country = 'US'", "States cities"),
    ],
)
def test_words_of_values_fill_the_frame_unless_they_have_a_place(
    more: str, query: str, said: str
) -> None:
    schema = read_schema("City(id!: INTEGER, name: STRING, country: STRING)")
    values = f'values = {{ US = "{"" if more else "the "}States", GB = "Britain" }}'
    frames = 'equal = "in {}", unequal = "outside {}"'
    text = f"""
[things.City]
singular = "city"
plural = "cities"
kind = "place"
name = ["name"]
[properties.City]
name = {{ noun = "name", kind = "name" }}
country = {{ noun = "country", kind = "place", {frames}, {more}{values} }}
"""
    author = RuleAuthor(parse_lexicon(text).lexicon)
    found = write(f"MATCH (c:City) WHERE {query} RETURN c.name", author, schema)
    assert said in found["3"]
    assert ("The States means" in found["K"]) is not bool(more)


def test_what_is_not_what_is_not_so_is_so() -> None:
    known = Property(place=Standing.AFTER, values={"Y": "in service", "N": "not in service"})
    phrases = [option.phrase for option in unvalued("not in service", known, ())]
    assert Text("in service") in phrases
    third = replace(known, values={**known.values, "S": "scrapped"})
    assert list(unvalued("not in service", third, ())) == []


def test_things_that_have_names_are_not_asked_for_by_which_where_numbers_come_back() -> None:
    query = (
        "MATCH (p:Pet)-[:HAS_OWNER]->(o:Owner)<-[:HAS_OWNER]-(p2:Pet) "
        "WHERE p.{0} = 'N17' RETURN DISTINCT p2.{0}"
    )
    assert write(query.format("pet_name"), OFFICE_AUTHOR, OFFICE)["3"].startswith("Which other")
    lexicon = derive(OFFICE)
    pet = replace(lexicon.things["Pet"], name=("microchip_number",))
    author = RuleAuthor(replace(lexicon, things={**lexicon.things, "Pet": pet}).at())
    said = write(query.format("microchip_number"), author, OFFICE)["3"]
    assert "the microchip numbers of the other pets" in said
    with pytest.raises(NoWording):
        write(
            "MATCH (o:Owner)<-[:HAS_OWNER]-(p:Pet) RETURN o.name, p.microchip_number",
            author,
            OFFICE,
        )


def test_a_code_of_a_flag_is_explained_by_the_flag() -> None:
    schema = read_schema("Office(id!: INTEGER, name: STRING, open: STRING)")
    text = """
[things.Office]
singular = "office"
plural = "offices"
kind = "place"
name = ["name"]
[properties.Office]
name = { noun = "name", kind = "name" }
open = { noun = "open", kind = "flag", values = { Y = "open", N = "closed" }, place = "before" }
"""
    author = RuleAuthor(parse_lexicon(text).lexicon)
    written = write("MATCH (o:Office) WHERE o.open = 'Y' RETURN o.name", author, schema)
    assert written["K"] == 'Open means that the open flag is "Y".'


def test_a_date_without_sure_words_is_a_date_all_the_same() -> None:
    """The number of defects by year may be that of either."""
    query = (
        "MATCH (d:Defect) WHERE d.closed_on IS NOT NULL "
        "RETURN d.closed_on.year AS year, count(*) AS number"
    )
    both = read_schema("Defect(defect_id!: INTEGER, rptd_dt: DATE, closed_on: DATE)")
    assert all(" closed" in text for text in texts(query, RuleAuthor(derive(both).at()), both))
    one = read_schema("Defect(defect_id!: INTEGER, closed_on: DATE)")
    alone = texts(query, RuleAuthor(derive(one).at()), one)
    assert not all(" closed" in text for text in alone)
