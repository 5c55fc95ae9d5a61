"""IRIs of the RDF form of a graph (docs/rdf.md): namespaces, and names in them.

A name becomes one segment: letters, digits, `_` and `-` stay, all else is percent-encoded as UTF-8,
so that every segment is also the local part of a prefixed name of SPARQL 1.1 and Turtle. Characters
beyond U+FFFF are encoded, too: Oxigraph (0.5.13) reads them in Turtle, and in no name of a query.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import unquote

BASE = "https://graphmill.example/"
PREFIXES = {
    "pg": f"{BASE}pg#",
    "label": f"{BASE}label/",
    "edge": f"{BASE}edge/",
    "prop": f"{BASE}property/",
    "node": f"{BASE}node/",
    "link": f"{BASE}link/",
    "owl": "http://www.w3.org/2002/07/owl#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "sh": "http://www.w3.org/ns/shacl#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
"""The namespaces that are used, by prefix: `pg` holds the form's own words."""

TYPE = f"{PREFIXES['rdf']}type"
FIRST, REST, NIL = (f"{PREFIXES['rdf']}{word}" for word in ("first", "rest", "nil"))
NODE, FROM, TO = (f"{PREFIXES['pg']}{word}" for word in ("Node", "from", "to"))
RANK = f"{PREFIXES['pg']}rank"

_EMPTY = "%FF"  # no UTF-8 text is encoded to it
# What a local name and an IRI may hold as it is: SPARQL 1.1 PN_CHARS, RFC 3987 ucschar.
_KEPT = (
    "A-Za-z0-9_\\-\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u2070-\u218f"
    "\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\uffef"
)
_OTHER = re.compile(rf"[^{_KEPT}]|^[-\u0300-\u036f]")


@lru_cache(4096)
def encode(name: str) -> str:
    """A name as one segment of an IRI, different for different names.

    >>> encode("Person"), encode("order line"), encode("a/b%"), encode("größe"), encode("")
    ('Person', 'order%20line', 'a%2Fb%25', 'größe', '%FF')
    >>> encode("🎵")
    '%F0%9F%8E%B5'
    """
    if not name:
        return _EMPTY
    return _OTHER.sub(lambda m: "".join(f"%{b:02X}" for b in m[0].encode("utf-8")), name)


def decode(segment: str) -> str:
    """The inverse of `encode`."""
    return "" if segment == _EMPTY else unquote(segment)


def local(iri: str, prefix: str) -> str | None:
    """The part of an IRI behind the namespace of a prefix; None where it is in another."""
    space = PREFIXES[prefix]
    return iri[len(space) :] if iri.startswith(space) else None


def label_iri(label: str) -> str:
    """The class of a label."""
    return PREFIXES["label"] + encode(label)


def edge_iri(label: str) -> str:
    """An edge type: the class of its edges, and the predicate of its direct triples."""
    return PREFIXES["edge"] + encode(label)


def property_iri(key: str) -> str:
    """The predicate of a property."""
    return PREFIXES["prop"] + encode(key)


def node_iri(node: str, key: Iterable[str]) -> str:
    """The resource of a node: its type's name and the text of its key's values."""
    return PREFIXES["node"] + "/".join(encode(part) for part in (node, *key))


def link_iri(edge: str, number: int) -> str:
    """The resource of an edge: its type's name, and its place among the edges of the type."""
    return f"{PREFIXES['link']}{encode(edge)}/{number}"
