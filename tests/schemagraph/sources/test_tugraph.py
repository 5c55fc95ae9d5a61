"""TuGraph's import configuration: values, and every way to get it wrong."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

from graphmill.errors import SourceError
from schemagraph.convert.service import convert
from schemagraph.folder.graphdata import edge_rows, node_rows
from schemagraph.folder.serde import load_schema

EXAMPLE = Path(__file__).parent / "examples" / "tugraph"


@pytest.fixture
def garden(tmp_path: Path) -> Path:
    """A copy of the example that may be broken."""
    shutil.copytree(EXAMPLE, tmp_path / "garden")
    return tmp_path / "garden"


def edited(folder: Path, change: Callable[[Any], None]) -> None:
    """The configuration in `folder`, changed."""
    path = folder / "import.json"
    config = json.loads(path.read_text())
    change(config)
    path.write_text(json.dumps(config))


def test_values_have_their_types(tmp_path: Path) -> None:
    report = convert(str(EXAMPLE / "import.json"), tmp_path / "out")
    schema = load_schema(tmp_path / "out")
    assert schema.name == "tugraph"
    assert [(n.name, n.key) for n in schema.nodes] == [
        ("gardener", ("id",)),
        ("植物", ("名称",)),
        ("plot", ("code",)),
    ]
    assert list(node_rows(tmp_path / "out", schema.nodes[0])) == [
        {"id": 1, "name": "Ann, the elder", "born": date(1970, 2, 28), "member": True},
        {"id": 2, "name": "Bo", "born": None, "member": False},
        {"id": 3, "name": "Two\nlines", "born": date(2001, 12, 31), "member": False},
    ]
    assert list(node_rows(tmp_path / "out", schema.nodes[1])) == [
        {"名称": "玫瑰", "高度": 1.5, "notes": 'say "rose"'},
        {"名称": "竹", "高度": None, "notes": None},
    ]
    planted = list(edge_rows(tmp_path / "out", schema.edges[0], schema))
    assert [(row.source, row.target) for row in planted] == [
        ((1,), ("玫瑰",)),
        ((1,), ("竹",)),
        ((3,), ("玫瑰",)),
        ((1,), ("玫瑰",)),
    ]
    assert planted[2].properties == {"count": -2, "at": datetime(2024, 5, 1, 0, 0, 0, 250_000)}
    grows = list(edge_rows(tmp_path / "out", schema.edges[1], schema))
    assert (grows[0].source, grows[0].target) == (("玫瑰",), ("north",))
    assert [w for w in report.warnings if "helps.csv has no header" in w] != []


def test_a_label_without_rows_keeps_its_properties(garden: Path, tmp_path: Path) -> None:
    edited(garden, lambda config: config.update(files=[config["files"][0]]))
    report = convert(str(garden / "import.json"), tmp_path / "out")
    schema = load_schema(tmp_path / "out")
    assert [(p.name, str(p.type)) for p in schema.node_by_name["植物"].properties] == [
        ("名称", "STRING"),
        ("高度", "FLOAT"),
        ("notes", "STRING"),
    ]
    assert report.edges == {"植物-grows_in-plot": 0, "gardener-helps-gardener": 0}
    assert "Edge label 种植 has neither a file nor constraints." in report.notes
    assert any(text.startswith("planted.csv lies beside") for text in report.warnings)


def test_paths_may_begin_in_a_folder_above(garden: Path, tmp_path: Path) -> None:
    (garden / "import.json").rename(garden / "data" / "import.json")
    report = convert(str(garden / "data" / "import.json"), tmp_path / "out")
    assert sum(report.nodes.values()) == 7


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("planted.csv", "1,竹,1,", "9,竹,1,", r"planted.csv, line 3: .* has the end 9, and there"),
        ("planted.csv", "1,竹,1,", "1,竹", r"planted.csv, line 3: 2 columns, where .* says 4"),
        ("planted.csv", "1,竹,1,", "1,竹,1000,", r"line 3, column count: '1000' is no INT8 \(more"),
        ("planted.csv", "1,竹,1,", "x,竹,1,", r"line 3, column SRC_ID: 'x' is no INT32 \(not an"),
        ("planted.csv", "1,竹,1,", "1,,1,", r"line 3: .* the end '', and there is no such node"),
        ("planted.csv", "1,竹,1,", "1,竹,1,May", r"column at: 'May' is no DATETIME"),
        (
            "gardeners.csv",
            "2,Bo",
            "1,Bo",
            r"line 3: a second node gardener with the key 1",
        ),
        ("gardeners.csv", "2,Bo,,,0", "2,Bo,,,", "column member: no value, and member is not opt"),
        ("gardeners.csv", "2,Bo,,,0", '2,"Bo,,,0', "line 3: not CSV"),
        ("plots.jsonl", '["south"]', "south", "plots.jsonl, line 3, column 1: not JSON"),
        ("plots.jsonl", '["south"]', '"south"', "plots.jsonl, line 3: not a JSON list"),
        ("plots.jsonl", '["south"]', "[null]", "line 3, column code: no value"),
    ],
)
def test_wrong_rows(garden: Path, tmp_path: Path, file: str, old: str, new: str, said: str) -> None:
    path = garden / "data" / file
    text = path.read_bytes().decode()
    assert old in text
    path.write_bytes(text.replace(old, new, 1).encode())
    with pytest.raises(SourceError, match=said):
        convert(str(garden / "import.json"), tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda c: c.pop("files"), 'it has no list "files"'),
        (lambda c: c["schema"].append({"label": "plot", "type": "EDGE"}), "a second label"),
        (lambda c: c["schema"][0].update(type="NODE"), 'schema 1 .gardener.: "type" is VERTEX'),
        (lambda c: c["schema"][0].update(primary="nmae"), "no property of it. Did you mean 'name'"),
        (lambda c: c["schema"][0]["properties"][0].update(type="INT"), "unknown type INT."),
        (lambda c: c["schema"][4].update(constraints=[["plot"]]), "a list of pairs"),
        (
            lambda c: c["schema"][4].update(constraints=[["plot", "plant"]]),
            "no vertex label",
        ),
        (lambda c: c["files"][0].update(path="data/gone.csv"), "lists data/gone.csv, which is not"),
        (lambda c: c["files"][0].update(label="gardner"), "no label 'gardner'. Did you mean 'gard"),
        (lambda c: c["files"][0].update(columns=["id", "nick"]), "gardener has no property nick"),
        (lambda c: c["files"][0].update(columns=["id", "name"]), "there is no column for member"),
        (lambda c: c["files"][3].update(DST_ID="plan"), "DST_ID: there is no vertex label 'plan'"),
        (lambda c: c["files"][4].update(DST_ID="植物"), "do not go from 植物 to 植物; the constr"),
        (lambda c: c["files"][0].update(header="1"), "number of header lines, not '1'"),
        (lambda c: c["files"][0].update(format="XML"), "CSV or JSON, not XML"),
    ],
)
def test_wrong_configurations(
    garden: Path, tmp_path: Path, change: Callable[[Any], None], said: str
) -> None:
    edited(garden, change)
    with pytest.raises(SourceError, match=said):
        convert(str(garden / "import.json"), tmp_path / "out")


@pytest.mark.parametrize("way", ["above", "link", "folder", "linked-folder"])
def test_paths_stay_below_the_configuration(garden: Path, tmp_path: Path, way: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    listed = json.loads((garden / "import.json").read_text())["files"][0]["path"]
    data = garden / listed
    shutil.copy(data, outside / data.name)
    paths = {
        "above": f"../outside/{data.name}",
        "folder": "../outside",
    }
    if way == "link":
        data.unlink()
        data.symlink_to(outside / data.name)
    if way == "linked-folder":
        (garden / "linked").symlink_to(outside)
        paths[way] = f"linked/{data.name}"
    edited(garden, lambda config: config["files"][0].update(path=paths.get(way, listed)))
    with pytest.raises(SourceError, match=r"lies outside of .*garden"):
        convert(str(garden / "import.json"), tmp_path / "out")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("{garden}/{file}", "the path is absolute"),
        ("/etc/hostname", "the path is absolute"),
        ("{file}\0", "zero character"),
        ("", "is empty"),
        (".", "the configuration itself"),
        ("import.json", "the configuration itself"),
        ("./../garden", "the configuration itself"),
        ("garden", "the configuration itself"),
        ("linked", "the configuration itself"),
    ],
)
def test_a_path_is_refused_with_its_own_reason(
    garden: Path, tmp_path: Path, given: str, message: str
) -> None:
    (garden / "linked").symlink_to(garden)
    file = json.loads((garden / "import.json").read_text())["files"][0]["path"]
    text = given.format(garden=garden, file=file)
    # alone: all files begin in the same folder, and one that is not there would be told first
    edited(garden, lambda config: config.update(files=[{**config["files"][0], "path": text}]))
    with pytest.raises(SourceError, match=message):
        convert(str(garden / "import.json"), tmp_path / "out")


def test_a_link_within_the_folder_is_followed(garden: Path, tmp_path: Path) -> None:
    listed = json.loads((garden / "import.json").read_text())["files"][0]["path"]
    data = garden / listed
    data.rename(data.with_name("real.csv"))
    data.symlink_to("real.csv")
    convert(str(garden / "import.json"), tmp_path / "out")


def test_a_pipe_is_no_data_file(garden: Path, tmp_path: Path) -> None:
    listed = json.loads((garden / "import.json").read_text())["files"][0]["path"]
    (garden / listed).unlink()
    os.mkfifo(garden / listed)
    with pytest.raises(SourceError, match="named pipe"):
        convert(str(garden / "import.json"), tmp_path / "out")
