"""The configuration's JSON Schema takes what the code takes, and no more."""

from __future__ import annotations

import tomllib

import pytest
from jsonschema import Draft202012Validator, ValidationError

from graphmill.files import example
from pipelines.configuration.json_schema import json_schema, page
from pipelines.configuration.template import TEMPLATE


@pytest.mark.parametrize("text", [TEMPLATE, example("museum_loans").read_text("utf-8")])
def test_it_takes_our_configurations(text: str) -> None:
    Draft202012Validator(json_schema()).validate(tomllib.loads(text))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('name = "my-corpus"', 'nmae = "my-corpus"'),
        ("seed = 7", 'seed = "seven"'),
        ("seed = 7", "seed = 9223372036854775808"),
        ('kind = "relational"', 'kind = "relation"'),
        ("[certify]", "[certified]"),
    ],
)
def test_it_refuses_what_the_code_refuses(old: str, new: str) -> None:
    assert old in TEMPLATE
    with pytest.raises(ValidationError):
        Draft202012Validator(json_schema()).validate(tomllib.loads(TEMPLATE.replace(old, new)))


def test_the_page_says_which_numbers_are_allowed() -> None:
    text = page()
    assert "| `per_database` | integer above 0, to 1,000,000 | `200` |" in text
    assert "| `level` | integer from 1 to 5 | `3` |" in text
    assert "| `timeout` | number from 0.1 to 86,400 | `30.0` |" in text
