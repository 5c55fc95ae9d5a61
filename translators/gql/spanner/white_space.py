"""What is trimmed of texts: the white space of Java is not that of Unicode."""

from __future__ import annotations

from typing import Final

from graph_ir import nodes as ir

_BOTH = (
    "\t\n\x0b\f\r \u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2008\u2009\u200a"
    "\u2028\u2029\u205f\u3000"
)
JAVA: Final = f"{_BOTH}\x1c\x1d\x1e\x1f"
"""`Character.isWhitespace`, which trim() of Cypher takes."""
UNICODE: Final = f"{_BOTH}\x85\xa0\u2007\u202f"
"""The property White_Space, which TRIM of GoogleSQL takes ("String functions")."""


def is_set(node: ir.Expr, characters: str) -> bool:
    """Whether `node` is a constant text of these characters, in any order."""
    match node:
        case ir.Literal(str(text)):
            return {*text} == {*characters}
    return False
