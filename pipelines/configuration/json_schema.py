"""The configuration as a JSON Schema, for editors, and as a page, for people."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from pipelines.configuration.config import SET_BY_US, Config

DRAFT = "https://json-schema.org/draft/2020-12/schema"


def json_schema() -> dict[str, Any]:
    """What a `corpus.toml` may hold; only the file's own keys are in it."""
    schema = Config.model_json_schema()
    for name in SET_BY_US:
        del schema["properties"][name]
    schema["description"] = "A configuration of `graphmill build`."
    return {"$schema": DRAFT, **schema}


def schema_text() -> str:
    """The schema as the text of a file."""
    return json.dumps(json_schema(), indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def page() -> str:
    """Every key with its type and default, table by table."""
    schema = json_schema()
    lines = [
        "# Configuration",
        "",
        "`graphmill init` writes a `corpus.toml` with comments. Every key, as the code reads it;",
        "an unknown key is an error that names the nearest one. Editors that read JSON Schema",
        "check and complete the file with [corpus.schema.json](corpus.schema.json): put it beside",
        "the file and begin that with `#:schema ./corpus.schema.json`.",
    ]
    for name, value in schema["properties"].items():
        for title, table in _tables(name, value, schema):
            lines += ["", f"## {title}", "", " ".join(table.get("description", "").split()), ""]
            lines += ["| key | value | default |", "|---|---|---|"]
            needed = table.get("required", ())
            for key, each in table["properties"].items():
                default = "needed" if key in needed else _code(each.get("default"))
                lines.append(f"| `{key}` | {_type(each, schema)} | {default} |")
    return "\n".join([*lines, ""])


def _tables(
    name: str, value: dict[str, Any], schema: dict[str, Any]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """The tables that may stand at a key, with how they are headed in the file."""
    title = f"[{name}]"
    if "items" in value:
        value, title = value["items"], f"[[{name}]]"
    elif isinstance(each := value.get("additionalProperties"), dict):
        value, title = each, f"[{name}.NAME]"
    for table in _choices(value, schema):
        kind = table["properties"].get("kind", {}).get("const", "")
        yield f"{title} {kind}".strip(), table


def _choices(value: dict[str, Any], schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The tables that a value may be, its references followed."""
    if "$ref" in value:
        yield from _choices(schema["$defs"][value["$ref"].rpartition("/")[2]], schema)
    elif "properties" in value:
        yield value
    else:
        for choice in value.get("oneOf") or value.get("anyOf") or ():
            yield from _choices(choice, schema)


def _type(value: dict[str, Any], schema: dict[str, Any]) -> str:
    if "$ref" in value:
        return _type(schema["$defs"][value["$ref"].rpartition("/")[2]], schema)
    if "const" in value or "enum" in value:
        return " or ".join(_code(each) for each in value.get("enum", [value.get("const")]))
    if "anyOf" in value:
        return " or ".join(
            dict.fromkeys(
                _type(each, schema) for each in value["anyOf"] if each.get("type") != "null"
            )
        )
    names = {"string": "text", "array": "a list", "object": "a table", "boolean": "true or false"}
    kind = str(value.get("type", "any"))
    return f"{names.get(kind, kind)}{_range(value)}"


def _range(value: dict[str, Any]) -> str:
    """Which numbers are allowed, as the page says it; "" where all are."""
    bounds = {"exclusiveMinimum": " above {:,},", "minimum": " from {:,}", "maximum": " to {:,}"}
    words = (text.format(value[key]) for key, text in bounds.items() if key in value)
    return "".join(words).rstrip(",")


def _code(value: Any) -> str:
    if value is None or value == "" or value == {}:
        return ""
    return f"`{json.dumps(value, ensure_ascii=False)}`".replace("|", "\\|")
