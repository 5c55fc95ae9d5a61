"""A small schema as a model would draft it."""

from __future__ import annotations

from typing import Any

PATH = "finance/anti-money-laundering"


def prop(name: str, type_: str, values: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"name": name, "type": type_, "values": values, **more}


DRAFT: dict[str, Any] = {
    "nodes": [
        {
            "name": "Customer",
            "singular": "customer",
            "plural": "customers",
            "also": ["Party"],
            "properties": [
                prop(
                    "customer_no",
                    "STRING",
                    {"kind": "sequence", "prefix": "C", "digits": 6},
                    key=True,
                ),
                prop("full_name", "STRING", {"kind": "faker", "provider": "name"}),
                prop(
                    "born_on", "DATE", {"kind": "dates", "start": "1940-01-01", "end": "2005-12-31"}
                ),
            ],
        },
        {
            "name": "Account",
            "singular": "account",
            "plural": "accounts",
            "weight": 2.0,
            "properties": [
                prop(
                    "iban", "STRING", {"kind": "pattern", "text": "DE## #### #### ####"}, key=True
                ),
                prop(
                    "balance",
                    "FLOAT",
                    {"kind": "lognormal", "median": 900.0},
                    null=0.02,
                    unit="EUR",
                ),
            ],
        },
        {
            "name": "Alert",
            "singular": "alert",
            "plural": "alerts",
            "fixed": 12,
            "properties": [
                prop("alert_no", "INTEGER", {"kind": "sequence"}, key=True),
                prop(
                    "risk",
                    "STRING",
                    {"kind": "categorical", "values": ["low", "high"], "weights": [3, 1]},
                ),
            ],
        },
    ],
    "edges": [
        {
            "type": "HOLDS",
            "source": "Customer",
            "target": "Account",
            "forward": "holds",
            "backward": "is held by",
            "cardinality": "1:n",
            "source_degree": {"kind": "power_law", "exponent": 2.4},
        },
        {
            "type": "TRANSFERRED_TO",
            "source": "Account",
            "target": "Account",
            "forward": "transferred to",
            "backward": "received from",
            "parallel": True,
            "properties": [
                prop("amount", "FLOAT", {"kind": "lognormal", "median": 120, "sigma": 1.5})
            ],
        },
        {
            "type": "RAISED_FOR",
            "source": "Alert",
            "target": "Account",
            "forward": "was raised for",
            "backward": "raised",
            "cardinality": "n:1",
        },
    ],
    "questions": ["Which accounts send money in a circle?"],
}
