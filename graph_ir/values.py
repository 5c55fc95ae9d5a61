"""The constants of a query that its questions must carry, and whether a text carries them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from graph_ir import nodes as ir
from graph_ir.setops import recognise
from graph_ir.walk import children

type Value = str | int | float

_WORDS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    *("nineteen", "twenty"),
)


def mentioned_values(statement: ir.Statement) -> tuple[Value, ...]:
    """Every constant of a condition, and of SKIP and LIMIT, in the order of the text.

    Not among them: flags, NULL, what only marks the side of a set operation, the 0 of SQL's
    "sum or null", a constant compared with a constant, and LIMIT 1, which a superlative says.

    >>> from graph_ir.cypher import parse
    >>> mentioned_values(parse("MATCH (n) WHERE n.a = 'x' AND n.b > 2 RETURN n.c LIMIT 5"))
    ('x', 2, 5)
    """
    return tuple(dict.fromkeys(_values(statement)))


def _values(node: ir.Node) -> Iterator[Value]:
    match node:
        case ir.Query():
            found = recognise(node)
            if found is not None:
                for part in found.parts:
                    yield from _values(part)
                yield from _window(found.final)
                return
        case ir.Case(
            (ir.When(ir.Compare(_, ir.Agg("count"), ir.Literal(0)), ir.Literal(None)),),
            ir.Agg("sum") as total,
        ):
            yield from _values(total)
            return
        case ir.Project():
            for inner in (*node.items, *node.order, *((node.where,) if node.where else ())):
                yield from _values(inner)
            yield from _window(node)
            return
        case ir.Compare(_, ir.Literal(), ir.Literal()):
            return  # says nothing of the data
        case ir.Literal(value):
            if value is not None and not isinstance(value, bool):
                yield value
            return
        case ir.EdgePattern(hops=ir.Hops(lo, hi)):
            yield from (bound for bound in (lo, hi) if bound is not None)
    for child in children(node):
        yield from _values(child)


def _window(project: ir.Project) -> Iterator[Value]:
    for expr in (project.skip, project.limit):
        if isinstance(expr, ir.Literal) and isinstance(expr.value, int) and expr.value != 1:
            yield expr.value


def carries(text: str, value: Value) -> bool:
    """Whether a text has the value: as it is, in other case, with commas, or as a word.

    >>> carries('more than 1,000 in "Old Town"', 1000), carries("more than 21000", 1000)
    (True, False)
    >>> carries("the top five", 5), carries("in old town", "Old Town")
    (True, True)
    """
    said = " ".join(text.casefold().split())
    if isinstance(value, str):
        return " ".join(value.casefold().split()) in said
    forms = {str(value), f"{value:,}", f"{value:g}", str(value).removesuffix(".0")}
    forms |= {form.removesuffix(".0") for form in forms}
    if isinstance(value, int) and 0 <= value < len(_WORDS):
        forms.add(_WORDS[value])
    return any(re.search(rf"(?<![\w.,]){re.escape(f)}(?![\w]|[.,]\d)", said) for f in forms)


def lost(statement: ir.Statement, text: str) -> tuple[Value, ...]:
    """Values of the query that a text does not carry."""
    return tuple(value for value in mentioned_values(statement) if not carries(text, value))
