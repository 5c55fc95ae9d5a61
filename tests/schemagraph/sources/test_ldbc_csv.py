"""LDBC's folders: layouts, types found in the text, and what is wrong with a file."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from graphmill.errors import SourceError
from schemagraph.convert.service import convert
from schemagraph.folder.graphdata import edge_rows, node_rows
from schemagraph.folder.serde import load_schema

EXAMPLE = Path(__file__).parent / "examples" / "ldbc_csv"


def test_values_have_the_types_that_all_of_them_fit(tmp_path: Path) -> None:
    convert(str(EXAMPLE), tmp_path / "out")
    schema = load_schema(tmp_path / "out")
    account = schema.node_by_name["Account"]
    assert [(p.name, str(p.type)) for p in account.properties] == [
        ("id", "STRING"),
        ("createTime", "ZONED_DATETIME"),
        ("isBlocked", "BOOLEAN"),
        ("type", "STRING"),
    ]
    rows = list(node_rows(tmp_path / "out", account))
    assert [row["id"] for row in rows] == ["001", "002", "010", "011"]
    assert datetime.fromisoformat(rows[0]["createTime"]) == datetime(
        2024, 2, 29, 2, 53, 5, 518_000, UTC
    )
    assert rows[1]["createTime"].endswith("+01:00")
    assert rows[2] == {**rows[2], "isBlocked": None, "type": None}
    person = schema.node_by_name["Person"]
    assert [row["score"] for row in node_rows(tmp_path / "out", person)] == [3.0, 4.5]
    loan = schema.node_by_name["Loan"]
    assert [str(p.type) for p in loan.properties] == ["STRING", "FLOAT", "FLOAT"]
    transfer = schema.edge_by_name["Account-transfer-Account"]
    paid = list(edge_rows(tmp_path / "out", transfer, schema))
    assert [(r.source, r.target, r.properties["amount"], r.properties["type"]) for r in paid] == [
        (("001",), ("002",), 12.5, "a"),
        (("001",), ("002",), 12.5, "a"),
        (("002",), ("011",), 7.0, None),
    ]


@pytest.mark.parametrize("layout", ["camel", "folders", "inside", "static"])
def test_other_layouts(tmp_path: Path, layout: str) -> None:
    folder = tmp_path / "data"
    person, account = "id|name\n1|Ann\n", "id|type\n5|card\n"
    own = "since|Person1Id|AccountId\n2024-01-31|1|5\n"
    places = {
        "camel": ("Person.csv", "Account.csv", "PersonOwnAccount.csv"),
        "folders": (
            "initial_snapshot/dynamic/Person/part-0.csv",
            "initial_snapshot/dynamic/Account/part-0.csv",
            "initial_snapshot/dynamic/Person_own_Account/part-0.csv",
        ),
        "inside": (
            "snapshot/Person.csv",
            "snapshot/Account.csv",
            "snapshot/PersonOwnAccount.csv",
        ),
        "static": (
            "static/person_0_0.csv",
            "dynamic/account_0_0.csv",
            "dynamic/person_own_account_0_0.csv",
        ),
    }
    for place, text in zip(places[layout], (person, account, own), strict=True):
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).write_text(text)
    report = convert(str(folder), tmp_path / "out")
    assert report.kind == "ldbc-csv"
    assert report.edges == {"Person-own-Account": 1}
    schema = load_schema(tmp_path / "out")
    (edge,) = edge_rows(tmp_path / "out", schema.edges[0], schema)
    assert (edge.source, edge.target) == ((1,), (5,))


def test_a_folder_of_plain_tables_is_none(tmp_path: Path) -> None:
    folder = tmp_path / "tables"
    folder.mkdir()
    (folder / "person.csv").write_text("id,name\n1,Ann\n")
    (folder / "account.csv").write_text("id,type\n5,card\n")
    (folder / "person_own_account.csv").write_text("personId,accountId\n1,5\n")
    assert convert(str(folder), tmp_path / "out").kind != "ldbc-csv"


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("person_own_account_0_0.csv", "2|002", "2|003", "line 3: .* has the end '003'"),
        ("person_own_account_0_0.csv", "2|002", "02|002", "line 3, column personId: '02' is no"),
        ("person_own_account_0_0.csv", "2|002", "2|", "line 3: the column accountId, which is an"),
        ("person_own_account_0_0.csv", "2|002", "2", "line 3: 1 columns, where .* names 2"),
        ("person_own_account_0_0.csv", "personId|", "person|", "two columns of ids"),
        ("account_1_0.csv", "011", "010", "account_1_0.csv, line 2: a second node Account"),
        ("account_1_0.csv", "isBlocked", "blocked", "account_1_0.csv: the columns are"),
        ("account_0_0.csv", "010|", "|", "line 4: the column id, which is the key, is empty"),
        ("loan_0_0.csv", "balance", "id", "the column id is there twice"),
        ("loan_0_0.csv", "id|loanAmount", "id|", "the first line does not name the columns"),
    ],
)
def test_wrong_files(tmp_path: Path, file: str, old: str, new: str, said: str) -> None:
    shutil.copytree(EXAMPLE, tmp_path / "data")
    path = tmp_path / "data" / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(SourceError, match=said):
        convert(str(tmp_path / "data"), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_relation_needs_the_file_of_its_source(tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE, tmp_path / "data")
    (tmp_path / "data" / "person_0_0.csv").unlink()
    with pytest.raises(SourceError, match="no file of the entity person"):
        convert(str(tmp_path / "data"), tmp_path / "out")
