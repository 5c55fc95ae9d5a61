"""The public vocabulary of refusals: every code a translator may refuse with, and its meaning.

`Refused.code` is one of these. A new code needs a line here; `tests/translators` checks that
each code that the sources use is listed, and the table in docs is generated from this one.
"""

from __future__ import annotations

CODES: dict[str, str] = {}
