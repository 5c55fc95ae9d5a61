"""How Neo4j's store keeps short texts, for the one function whose answers tell.

`rtrim(text, characters)` leaves the first of an ASCII text's characters that are all to go,
where Neo4j (2026.08.1) has the text as UTF-8, and nothing where it has it as Latin-1.
The store keeps up to 27 characters in tables of letters, digits and signs, which it reads back as
UTF-8, and others in Latin-1; longer texts and those of other characters are UTF-8.
"""

from __future__ import annotations

STORED_WHOLE = (
    r"[a-z0-9 #$%&'()*+,\-./:;<=>?@_]*|[A-Za-z0-9 _]*|[A-Z0-9 _./:-]*|[A-Za-z '+,\-./:@_|]*"
    r"|.{28,}|.*[^\x00-\xFF].*"
)
"""Texts that are read back as UTF-8, as a pattern of RE2 and of Rust."""
STORED_AS_LATIN = r"[\x00-\xFF]*[\x00-\x1F!\"\[\\\]^`{}~\x7F-\xFF][\x00-\xFF]*"
"""Texts, not of `STORED_WHOLE`, that are read back as Latin-1; of others neither is known."""
