"""Write the documents that are generated from code and fixtures: `python docs/generate.py`.

`tests/test_docs.py` fails when one of them is not current.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

DOCS = Path(__file__).parent
FIXTURES = DOCS.parent / "tests"
EXAMPLES = FIXTURES / "generators" / "queries" / "operators.cypher"
sys.path.insert(0, str(DOCS.parent))

from generators.queries.evolution.operators import all_operators  # noqa: E402
from graph_ir.cypher.reader import parse  # noqa: E402 # the fixtures' readers are beside the tests
from graphmill.errors import Refused  # noqa: E402
from graphmill.files import write_text  # noqa: E402
from pipelines.configuration import json_schema  # noqa: E402
from schemagraph.model import Kind, Type  # noqa: E402
from schemagraph.targets.base import TARGETS  # noqa: E402
from tests.blocks import blocks  # noqa: E402
from tests.generators.queries.examples import examples_of  # noqa: E402
from tests.schema_text import read_schema  # noqa: E402
from translators.language import DIALECTS  # noqa: E402
from translators.refusals import CODES, OPEN  # noqa: E402
from translators.render import render  # noqa: E402


def refusals() -> str:
    """The table of refusal codes, with the shortest fixture that shows each."""
    found = examples()
    rows = []
    for code, meaning in sorted(CODES.items()):
        example = found.get(code)
        shown = f"{example[0]}: `{_cell(example[1])}`" if example else ""
        rows.append(f"| `{code}` | {meaning} | {shown} |")
    return "\n".join(
        [
            "# Refusals",
            "",
            "A translator says exactly the same in the target language, or it refuses. A refusal",
            "has one of these codes, the construct, a sentence and the place in the text.",
            "",
            "The examples are fixtures of the tests: a text, and the language it was to be said in",
            "(`sql in` is source SQL, `gql in` GQL that is read). A code without one cannot be met",
            "from a text alone: what leads to it is an error of the text before. Some hang on",
            "types of the source (`source-type`: also `ORDER BY status` of an enumerated type).",
            "",
            "| code | meaning | example |",
            "|---|---|---|",
            *rows,
            "",
        ]
    )


def examples() -> dict[str, tuple[str, str]]:
    """The shortest fixture of each code: the language, and the text."""
    found: dict[str, tuple[str, str]] = {}
    for language, text, code in _refused():
        if code in CODES and (code not in found or len(text) < len(found[code][1])):
            found[code] = language, text
    return found


def _refused() -> Iterator[tuple[str, str, str]]:
    # Fixtures of a reader come last: what a dialect refuses is the plainer example.
    for path in sorted((FIXTURES / "translators").rglob("*.pairs"), key=lambda p: (_reader(p), p)):
        language = _reader(path) or path.parent.name
        for block in blocks(path):
            if len(block.lines) > 1 and block.lines[1].startswith("!"):
                yield language, block.lines[0], block.lines[1][1:].split()[0]


def _reader(path: Path) -> str:
    """What fixtures of a reader are in, and nothing for those of a dialect."""
    if path.parent.name in ("dialects", "decimals", "everyday"):
        return f"{path.stem} in"
    return {"from_sql": "sql in", "from_gql": "gql in"}.get(path.parent.name, "")


def coverage() -> str:
    """Each construct in each language: said, refused for good, or refused for now."""
    names = DIALECTS.names()
    lines = [
        "# Coverage",
        "",
        "What each language makes of one plain query for each construct of Cypher",
        "(`tests/translators/constructs.cypher`, over a small schema). **yes**: it is said. A code",
        "([refusals](refusals.md)): the language cannot say it exactly, or its engine is known to",
        "get it wrong. A code with a star: a limit of the translator.",
    ]
    schema = read_schema((FIXTURES / "translators" / "music.schema").read_text("utf-8"))
    for line in (FIXTURES / "translators" / "constructs.cypher").read_text("utf-8").splitlines():
        if line.startswith("// # "):
            lines += ["", f"## {line[5:]}", "", f"| | {' | '.join(names)} |"]
            lines += ["|---" * (len(names) + 1) + "|"]
        elif line and not line.startswith("//"):
            name, query = line.split(": ", 1)
            cells = []
            for dialect in names:
                try:
                    render(parse(query), dialect, schema)
                    cells.append("yes")
                except Refused as refused:
                    cells.append(f"`{refused.code}`" + ("*" if refused.code in OPEN else ""))
            lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def types() -> str:
    """The type of each engine for each type of a property."""
    names = TARGETS.names()
    kinds = [kind for kind in Kind if kind not in (Kind.LIST, Kind.NODE, Kind.EDGE, Kind.PATH)]
    scalars = [Type(kind) for kind in kinds if kind is not Kind.NULL]
    lists = [Type(Kind.LIST, Type(kind)) for kind in (Kind.STRING, Kind.INTEGER, Kind.FLOAT)]
    lines = [
        "# Property types",
        "",
        "The type that `graphmill schema` gives to a property in each engine. *text*: the engine",
        "has none that fits, the value's text is stored, and the command says so.",
        "",
        f"| | {' | '.join(names)} |",
        "|---" * (len(names) + 1) + "|",
    ]
    for of in (*scalars, *lists):
        found = [TARGETS.get(name).type_of(of) for name in names]
        cells = " | ".join(f"`{cell}`" if cell else "*text*" for cell in found)
        lines.append(f"| {of} | {cells} |")
    return "\n".join([*lines, ""])


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("`", "'")


def evolution() -> str:
    """The document on evolution with its table of operators new: what each promises, examples."""
    found = {name: text for name, _, text in examples_of(EXAMPLES)}
    rows = []
    for operator in all_operators():
        effect = operator.effect
        promises = [f"`{name}`" for name in sorted(effect.adds)]
        promises += [f"{name} +{least}" for name, least in sorted(effect.grows.items())]
        promises += sorted(effect.turns)
        said = ", ".join(promises).replace("_", " ")
        rows.append(
            f"| `{operator.name}` | {operator.says} | {said} | `{_cell(found[operator.name])}` |"
        )
    text = (DOCS / "evolution.md").read_text(encoding="utf-8")
    head, rule, _ = text.partition("|---|---|---|---|\n")
    return head + rule + "\n".join([*rows, ""])


DOCUMENTS = {
    "refusals.md": refusals,
    "coverage.md": coverage,
    "types.md": types,
    "evolution.md": evolution,
    "configuration.md": json_schema.page,
    "corpus.schema.json": json_schema.schema_text,
}


if __name__ == "__main__":
    for name, text in DOCUMENTS.items():
        write_text(DOCS / name, text())
