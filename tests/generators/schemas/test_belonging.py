"""A domain of an own file: amounts, lives, places and first ones, seen in what is drawn."""

from __future__ import annotations

from pathlib import Path
from random import Random

import polars as pl
import pytest

from generators.schemas.author import SchemaProposal, SchemaRequest
from generators.schemas.rules import RuleSchemaAuthor
from generators.synthesis.sizes import sized
from generators.synthesis.spec import Specification
from generators.taxonomy.load import load_taxonomy, subdomain
from generators.taxonomy.values import LineError, hint
from qa.synthesis import verify_graph
from schemagraph.folder.graphdata import edge_file, node_file
from schemagraph.model import SchemaGraph
from tests.generators.synthesis.drawing import draw

TEXT = """
title = "Letting"
purpose = "Lets flats."
questions = ["Who pays late?"]
core = ["flat", "lease", "rent", "depot"]
uses = ["city", "address"]

[lists]
town = "Altenberg | Neustadt"

[flat]
flat_no = "code FL-#####; key"
built_in = "int 1990..2024; need"
rooms = "int 1..5; need; count HAS_ROOM"

[lease]
share = 3
lease_no = "code LE-#####; key"
starts_on = "date 2010..2025; need"
ends_on = "date after starts_on 300..2000; need"
yearly = "money lognormal 9000 0.4; unit EUR; need"
kind = "furnished 50 | empty 50; need"
deposit = "money by kind: furnished = of yearly 0.1..0.2 | else none; unit EUR; need"

[rent]
share = 9
rent_no = "code RE-######; key"
noted_on = "date 2010..2025; need"
done_on = "date after noted_on 1..30; need"
amount = "money lognormal 500 0.5; unit EUR; need; part OF_LEASE.yearly 0.5..1"
position = "int within OF_LEASE by noted_on 1..9; need"
twelfth = "money lognormal 700 0.4; unit EUR; need; as OF_LEASE.yearly 0.08333333..0.08333333"

[depot]
depot_no = "code DP-####; key"
name = "text Depot {town}; need"

[tenant]
share = 2
tenant_no = "code TE-#####; key"
nickname = "Ada | Ben | Cleo; need"

[chamber]
share = 3
chamber_no = "code CH-#####; key"
area = "float1 3..30; need"

[relations]
"rent OF_LEASE lease" = "is of / has; n:1"
"lease OF_FLAT flat" = "is of / has; n:1"
"chamber HAS_ROOM flat" = "is in / has; n:1"

"depot LOCATED_IN city" = "is in / has; n:1"
"depot KEEPS flat" = "keeps the keys of / is kept by; 1:n"
"address NEXT_TO flat" = "is that of / has; n:1"

[relations."tenant SIGNED lease"]
say = "signed / was signed by; out 1..3; in 1..3"
part = "first target: main tenant | else other tenant; need"
stake = "float1 stakes target 100 1..1; need"
"""


@pytest.fixture(scope="module")
def drawn(
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[SchemaGraph, Specification, Path]:
    folder = tmp_path_factory.mktemp("letting")
    (folder / "homes").mkdir()
    (folder / "homes" / "letting.toml").write_text(TEXT, encoding="utf-8")
    taxonomy = load_taxonomy((folder,))
    made: SchemaProposal | None = None
    for seed in range(40):
        request = SchemaRequest(subdomain(taxonomy, "homes/letting"), 2)
        made = next(RuleSchemaAuthor().generate(request, Random(seed)))
        said = made.specification.model_dump_json()
        kinds = all(f'"kind":"{kind}"' in said for kind in ("allotted", "aggregated", "first"))
        names = {edge.name.casefold() for edge in made.schema.edges}
        if kinds and any("depot" in name and "city" in name for name in names):
            break
    assert made is not None
    given = sized(made.schema, made.specification, 900)
    draw(made.schema, given, 5, folder / "graph")
    report = verify_graph(folder / "graph", made.schema, given)
    assert report.ok, report.problem()
    return made.schema, given, folder / "graph"


def rows(drawn: tuple[SchemaGraph, Specification, Path], *words: str) -> list[dict[str, object]]:
    """The edges whose name has these words, with the properties of their ends as they are called
    in the taxonomy's first letters."""
    schema, _, folder = drawn
    edge = next(e for e in schema.edges if all(word in e.name.casefold() for word in words))
    table = pl.read_parquet(edge_file(folder, edge))
    for end, name in (("source", edge.source), ("target", edge.target)):
        node = schema.node_by_name[name]
        own = pl.read_parquet(node_file(folder, node))
        own = own.rename({column: f"{end}.{column}" for column in own.columns})
        table = table.join(own, on=[f"{end}.{key}" for key in node.key])
    return table.to_dicts()


def value(row: dict[str, object], *words: str) -> object:
    return next(
        cell
        for name, cell in row.items()
        if all(word in name.casefold().replace("_", "") for word in words)
    )


def test_parts_are_within_the_whole(drawn: tuple[SchemaGraph, Specification, Path]) -> None:
    sums: dict[object, list[float]] = {}
    for row in rows(drawn, "rent", "lease"):
        total = sums.setdefault(value(row, "lease"), [0.0, 0])
        total[0] += float(str(value(row, "amount")))
        total[1] = float(str(value(row, "yearly")))
        assert total[0] <= total[1] + 0.01
    assert len(sums) > 1


def test_a_twelfth_is_right_to_the_cent(
    drawn: tuple[SchemaGraph, Specification, Path],
) -> None:
    for row in rows(drawn, "rent", "lease"):
        twelfth, yearly = (float(str(value(row, name))) for name in ("twelfth", "yearly"))
        assert abs(twelfth - yearly / 12) < 0.0051


def test_what_is_part_of_a_life_lies_within_it(
    drawn: tuple[SchemaGraph, Specification, Path],
) -> None:
    late = 0
    for row in rows(drawn, "rent", "lease"):
        noted, done = str(value(row, "noted")), str(value(row, "done"))
        starts, ends = str(value(row, "starts")), str(value(row, "ends"))
        assert starts <= noted <= ends
        late += done > ends
    assert not late


def test_a_year_is_not_after_the_day(drawn: tuple[SchemaGraph, Specification, Path]) -> None:
    for row in rows(drawn, "lease", "flat"):
        assert int(str(value(row, "built"))) <= int(str(value(row, "starts"))[:4])


def test_one_of_several_is_the_first_and_shares_are_whole(
    drawn: tuple[SchemaGraph, Specification, Path],
) -> None:
    mains: dict[object, int] = {}
    stakes: dict[object, float] = {}
    for row in rows(drawn, "tenant", "lease"):
        lease = value(row, "lease")
        mains[lease] = mains.get(lease, 0) + (value(row, "part") == "main tenant")
        stakes[lease] = stakes.get(lease, 0) + float(str(value(row, "stake")))
    assert set(mains.values()) == {1}
    assert all(abs(total - 100) < 0.06 for total in stakes.values())


def test_what_is_called_after_a_town_stands_there(
    drawn: tuple[SchemaGraph, Specification, Path],
) -> None:
    for row in rows(drawn, "depot", "city"):
        names = [str(cell) for name, cell in row.items() if "name" in name.casefold()]
        depot = next(name for name in names if name.startswith("Depot "))
        assert depot.removeprefix("Depot ") in names


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("int within source 1..9", ""),
        ("money lognormal 5 1; total HAS.amount; total OF.amount", ""),
        ("first source: a | else b, c", ""),
        ("first 60 | second 40", ""),
        ("float by AT.kind: a = 1..2 | else none", ""),
        ("first nobody: a | else b", "first target: main driver"),
        ("int stakes owner 100 1..1", "stakes target 100"),
        ("money lognormal 5 1; total HAS.amount 1..2", "too much"),
        ("money lognormal 5 1; times HAS.amount", "no name"),
    ],
)
def test_lines_of_the_taxonomy(line: str, wrong: str) -> None:
    if not wrong:
        hint("thing", line)
        return
    with pytest.raises(LineError, match=wrong):
        hint("thing", line)
