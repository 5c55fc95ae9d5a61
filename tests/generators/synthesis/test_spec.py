"""The distribution specification: file form, and each violation at its place."""

import json
from pathlib import Path
from typing import Any

import pytest

from generators.synthesis.spec import (
    check_synthesis,
    load_specification,
    save_specification,
    specification_from_json,
    specification_to_json,
)
from graphmill.errors import SchemaError
from schemagraph.folder.serde import load_schema, schema_from_json, schema_to_json
from schemagraph.specification.columns import order_of

PARCELS = Path(__file__).parent / "parcels"


def edited(path: str, value: Any) -> dict[str, Any]:
    """The example's specification as JSON with one place changed; None removes it."""
    found: Any = json.loads((PARCELS / "distributions.json").read_text(encoding="utf-8"))
    at = found
    *steps, last = path.split("/")
    for step in steps:
        at = at[int(step) if step.isdigit() else step]
    if value is None:
        del at[last]
    else:
        at[int(last) if last.isdigit() else last] = value
    assert isinstance(found, dict)
    return found


def test_the_example_is_right_and_survives_writing(tmp_path: Path) -> None:
    given = load_specification(PARCELS)
    assert check_synthesis(load_schema(PARCELS), given) == []
    save_specification(tmp_path, given)
    assert load_specification(tmp_path) == given
    assert (tmp_path / "distributions.json").read_bytes() == (
        PARCELS / "distributions.json"
    ).read_bytes()
    assert specification_from_json(specification_to_json(given)) == given


CUSTOMER = "nodes/Customer/properties"
PARCEL = "nodes/Parcel/properties"


@pytest.mark.parametrize(
    ("path", "value", "code", "place"),
    [
        ("nodes/Depot", None, "missing-nodes", "nodes"),
        ("nodes/Dept", {}, "unknown-nodes", "nodes"),
        ("edges/Customer-SENT-Parcel", None, "missing-edges", "edges"),
        (f"{CUSTOMER}/city", None, "missing-property", "nodes.Customer.properties"),
        (f"{CUSTOMER}/town", {"of": {"kind": "flag"}}, "unknown-property", "nodes.Customer"),
        (f"{PARCEL}/express/of", {"kind": "uniform", "low": 0, "high": 1}, "wrong-kind", "express"),
        (f"{PARCEL}/status/of/values/0", 7, "wrong-value", "status.of.values.0"),
        (f"{PARCEL}/vat/of/column", "prise", "unknown-column", "vat.of"),
        (f"{PARCEL}/vat/of/column", "status", "unknown-column", "vat.of"),
        (f"{PARCEL}/weight_kg/of", {"kind": "scaled", "column": "vat", "factor": {
            "kind": "uniform", "low": 1, "high": 2}}, "circular-columns", "nodes.Parcel"),
        (f"{CUSTOMER}/last_name/of/provider", "last_nam", "unknown-provider", "last_name.of"),
        (f"{CUSTOMER}/last_name/of/provider", "pyfloat", "unknown-provider", "last_name.of"),
        (f"{CUSTOMER}/last_name/of/provider", "date_of_birth", "unknown-provider", "last_name.of"),
        (f"{CUSTOMER}/last_name/of/provider", "iso8601", "unknown-provider", "last_name.of"),
        (f"{CUSTOMER}/last_name/of/provider", "user_agent", "unknown-provider", "last_name.of"),
        (f"{CUSTOMER}/last_name/of/locale", "xx_XX", "unknown-provider", "last_name.of"),
        (f"{CUSTOMER}/city/null", 0.5, "null-forbidden", "city.null"),
        (f"{PARCEL}/delivered_at/of/columns", ["status"], "unknown-column", "delivered_at"),
        (f"{CUSTOMER}/customer_id/unique", False, "key-not-unique", "customer_id"),
        ("nodes/Depot/properties/depot_no/of", {"kind": "categorical", "values": [1, 2]},
         "few-values", "depot_no"),
        ("edges/Customer-PREFERS-Depot/acyclic", True, "other-ends", "PREFERS-Depot.acyclic"),
        ("edges/Customer-PREFERS-Depot/same/0/target", "town", "unknown-column", "same.0"),
        ("edges/Customer-PREFERS-Depot/same/0/target", "staff", "impossible-same", "same.0"),
        ("edges/Customer-REFERRED-Customer/order/0/first", "source.city", "impossible-order",
         "order.0"),
        ("edges/Customer-REFERRED-Customer/order/0/first", "source.jo", "unknown-column", "order"),
        ("edges/Parcel-PASSED-Depot/properties/scanned_at/of",
         {"kind": "dates", "start": "2024-01-01", "end": "2024-12-31"}, "impossible-order",
         "order.0"),
    ],
)  # fmt: skip
def test_a_violation_has_a_code_and_a_path(path: str, value: Any, code: str, place: str) -> None:
    found = check_synthesis(load_schema(PARCELS), specification_from_json(edited(path, value)))
    assert [finding.code for finding in found] == [code], found
    assert place in found[0].message


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (f"{PARCEL}/price/of/of/sigma", -1, "nodes.Parcel.properties.price.of.of.sigma: "),
        (f"{PARCEL}/price/of/kind", "lognormall", "'lognormall'"),
        (f"{PARCEL}/price/nul", 0.1, "nodes.Parcel.properties.price.nul: no such setting"),
        (f"{PARCEL}/status/of/weights", [1, 2], "2 weights for 4 values"),
        (f"{PARCEL}/posted_at/of/end", "2023-01-01", "upper end of the range"),
        (f"{PARCEL}/posted_at/of/end", "the end", "'the end' is no ISO day or moment"),
        (f"{PARCEL}/posted_at/of/months", [1], "months must be 12 weights"),
        (f"{PARCEL}/delivered_at/of/gap", {"kind": "normal", "mean": 1, "deviation": 1},
         "gap can be negative"),
        ("edges/Customer-SENT-Parcel/parallel", True, "cardinality n:m"),
        ("edges/Customer-KNOWS-Customer/acyclic", True, "symmetric edges cannot be acyclic"),
        ("version", 2, "version"),
    ],
)  # fmt: skip
def test_a_wrong_value_is_refused_with_its_path(path: str, value: Any, message: str) -> None:
    with pytest.raises(SchemaError) as caught:
        specification_from_json(edited(path, value))
    assert message in str(caught.value)


def test_a_broken_file_is_refused_with_its_place(tmp_path: Path) -> None:
    with pytest.raises(SchemaError, match="Cannot read"):
        load_specification(tmp_path)
    (tmp_path / "distributions.json").write_text('{\n "version": 1,\n "nodes" {}}')
    with pytest.raises(SchemaError, match="line 3, column 10"):
        load_specification(tmp_path)


def test_a_made_up_schema_hangs_together() -> None:
    value = schema_to_json(load_schema(PARCELS))
    spec = load_specification(PARCELS)
    value["edges"] = [e for e in value["edges"] if "Depot" not in (e["source"], e["target"])]
    codes = {finding.code for finding in check_synthesis(schema_from_json(value), spec)}
    assert codes == {"isolated-node"}
    value = schema_to_json(load_schema(PARCELS))
    value["edges"] = [e for e in value["edges"] if e["label"] not in ("PASSED", "PREFERS")]
    codes = {finding.code for finding in check_synthesis(schema_from_json(value), spec)}
    assert codes == {"unconnected"}
    value = schema_to_json(load_schema(PARCELS))
    value["nodes"][1]["properties"][2]["type"] = "INTEGER"  # `city` is text elsewhere
    found = check_synthesis(schema_from_json(value), spec)
    assert [finding.code for finding in found] == ["two-types"]
    assert "property city" in found[0].message


def test_columns_are_made_after_those_they_need() -> None:
    columns = load_specification(PARCELS).nodes["Parcel"].properties
    order = order_of({name: columns[name] for name in reversed(columns)})
    assert order is not None
    assert order.index("vat") > order.index("price") > order.index("weight_kg")
    assert order.index("delivered_at") > order.index("posted_at")
