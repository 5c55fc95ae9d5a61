"""The public vocabulary of refusals: every code a translator may refuse with, and its meaning.

`Refused.code` is one of these. A new code needs a line here; `tests/translators` checks that
each code that the sources use is listed, and the table in docs is generated from this one.
"""

from __future__ import annotations

CODES: dict[str, str] = {
    "empty-name": "A label, type, property or column has an empty name, which no quoting can say.",
    "integer-range": "An integer is outside the range of the language's integers.",
    "match-mode": "The language cannot let one MATCH bind an edge twice.",
    "path-mode": "The language has no such path mode (WALK, TRAIL, ACYCLIC, SIMPLE).",
}
