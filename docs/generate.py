"""Write the documents that are generated from the code: `python docs/generate.py`.

`tests/test_docs.py` fails when one of them is not current.
"""

from __future__ import annotations

from pathlib import Path

from graphmill.files import write_text
from translators.refusals import CODES

DOCS = Path(__file__).parent


def refusals() -> str:
    """The table of refusal codes."""
    rows = [f"| `{code}` | {meaning} |" for code, meaning in sorted(CODES.items())]
    return "\n".join(
        [
            "# Refusals",
            "",
            "A translator says exactly the same in the target language, or it refuses. A refusal",
            "has one of these codes, the construct, a sentence and the place in the text.",
            "",
            "| code | meaning |",
            "|---|---|",
            *rows,
            "",
        ]
    )


DOCUMENTS = {"refusals.md": refusals}


if __name__ == "__main__":
    for name, text in DOCUMENTS.items():
        write_text(DOCS / name, text())
