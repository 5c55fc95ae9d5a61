"""What a query asks to be absent: a question that says nothing of it asks the opposite."""

from __future__ import annotations

import re

from graph_ir import nodes as ir
from graph_ir.walk import find

# Words that deny or exclude ("only": none that are otherwise).
_DENIALS = re.compile(
    r"\b(?:no|not|never|none|nobody|nothing|nowhere|neither|nor|without|except|excluding|exclude"
    r"|other than|apart from|rather than|lack(?:s|ing|ed)?|miss(?:es|ing)?|cannot|outside|yet to"
    r"|only|alone|any but|un\w+)\b|n't\b|\w+less\b",
    re.IGNORECASE,
)


# Words for all of them: none of which something does not hold.
_WHOLE = re.compile(r"\b(?:all|each|every)\b", re.IGNORECASE)


def denial_lost(statement: ir.Statement, text: str) -> bool:
    """Whether a query asks for what lacks something and the text neither denies nor excludes."""
    if not denies(statement) or _DENIALS.search(text):
        return False
    whole = any(any(find(test, ir.Not)) for test in find(statement, ir.Exists))
    return not (whole and _WHOLE.search(text))


def denies(statement: ir.Statement) -> bool:
    """Whether rows are asked for that have no match of a pattern."""
    if any(isinstance(no.arg, ir.Exists) for no in find(statement, ir.Not)):
        return True
    return any(
        test.op is ir.CompareOp.EQ
        and isinstance(test.left, ir.CountOf)
        and test.right == ir.Literal(0)
        for test in find(statement, ir.Compare)
    )
