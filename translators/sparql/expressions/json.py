"""Lists, maps and paths that a query makes: JSON text, which leaves as an `rdf:JSON` literal.

`{"@id": …}` is a node or an edge, `{"@value": …, "@type": …}` a value that JSON has no form for,
`{"@path": […]}` a path (docs/rdf.md).
"""

from __future__ import annotations

import re
from dataclasses import replace
from json import dumps, loads

from graph_ir import nodes as ir
from schemagraph.model import TEMPORAL, Kind, Type
from translators.sparql.expressions.core import expression, refused
from translators.sparql.model import terms
from translators.sparql.model.compiler import Compiler, Emits, Sx, Walk
from translators.sparql.model.numbers import holds_lists, inside

EMITS = Emits()

_PLAIN = frozenset({Kind.INTEGER, Kind.BOOLEAN})
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")


def text(sx: Sx, node: ir.Node) -> str:
    """The JSON of a value as a string of SPARQL; of null it is null."""
    kind = sx.type.kind
    if sx.form == "json":
        return sx.text
    if kind is Kind.NULL:
        return '"null"'
    if sx.form == "stored" or kind in (Kind.LIST, Kind.MAP) or holds_lists(sx.type):
        raise refused("nested-list", node, "A stored list has no place inside another value.")
    if kind is Kind.STRING and sx.text.startswith('"') and sx.text.endswith('"'):
        return terms.string(dumps(loads(sx.text), ensure_ascii=False))
    if kind is Kind.STRING or kind is Kind.DATE:
        return f'CONCAT("\\"", {_escaped(sx)}, "\\"")'
    if kind in _PLAIN:
        return f"STR({sx.text})"
    if kind is Kind.FLOAT:
        return _float(sx)
    if kind in (Kind.NODE, Kind.EDGE):
        return f'CONCAT("{{\\"@id\\":\\"", STR({sx.text}), "\\"}}")'
    if kind in TEMPORAL or kind is Kind.BYTES:
        return _typed(sx)
    resource = f'CONCAT("{{\\"@id\\":\\"", STR({sx.text}), "\\"}}")'
    # a head of a stored list has no name: what no JSON is makes the answer an error
    return f'IF(isLiteral({sx.text}), {_typed(sx)}, IF(isIRI({sx.text}), {resource}, "!"))'


def _float(sx: Sx) -> str:
    """A float has a point or an exponent in JSON: Oxigraph (0.5.13) writes 2.0 as "2", and so does
    Jena what it makes of an integer."""
    if _NUMBER.fullmatch(sx.text):
        return terms.string(repr(float(sx.text)))
    if sx.type.mixed or sx.type.of_nothing:  # or an integer
        return _typed(sx)
    return f'REPLACE(STR({sx.text}), "^(-?[0-9]+)$", "$1.0")'


def _typed(sx: Sx) -> str:
    return (
        f'CONCAT("{{\\"@value\\":\\"", {_escaped(sx)}, "\\",\\"@type\\":\\"", '
        f'STR(DATATYPE({sx.text})), "\\"}}")'
    )


def _escaped(sx: Sx) -> str:
    shown = sx.text if sx.type.kind is Kind.STRING else f"STR({sx.text})"
    return (
        f'REPLACE({shown}, "([\\"\\\\\\\\])", "\\\\\\\\$1")'
        if sx.type.kind in (Kind.STRING, Kind.ANY)
        else shown
    )


def item(sx: Sx, node: ir.Node) -> str:
    """The JSON of a value in a list or map: null where there is none."""
    made = text(sx, node)
    return f'COALESCE({made}, "null")' if sx.null and sx.form != "json" else made


def literal(text: str) -> str:
    """What leaves the query."""
    return f"STRDT({text}, rdf:JSON)"


def joined(parts: list[str]) -> str:
    """Pieces of JSON in a row; constants next to each other are one."""
    merged: list[str] = []
    for part in parts:
        if merged and merged[-1].endswith('"') and _constant(part) and _constant(merged[-1]):
            merged[-1] = merged[-1][:-1] + part[1:]
        elif part.startswith("CONCAT(") and part.endswith(")"):
            merged.append(part)
        else:
            merged.append(part)
    return merged[0] if len(merged) == 1 else f"CONCAT({', '.join(merged)})"


def _constant(part: str) -> bool:
    return part.startswith('"') and part.endswith('"')


def of_list(items: list[str]) -> str:
    """The JSON of a list of pieces."""
    parts = ['"["']
    for number, each in enumerate(items):
        parts += ['","', each] if number else [each]
    return joined([*parts, '"]"'])


def of_walk(cx: Compiler, walk: Walk, node: ir.Node) -> Sx:
    """A path, or the edges of a variable length."""
    of = Type(Kind.LIST if walk.edges_only else Kind.PATH)
    if walk.json:
        return Sx(f"STR({walk.json})", of, walk.null, form="json")
    return Sx(path_text(walk.parts), of, walk.null, form="json")


def path_text(parts: tuple[str, ...]) -> str:
    """The JSON of a path through these variables."""
    pieces = ['"{\\"@path\\":["']
    for number, part in enumerate(parts):
        pieces += ['"\\""' if not number else '",\\""', f"STR({part})", '"\\""']
    return joined([*pieces, '"]}"'])


def ids_text(parts: tuple[str, ...]) -> str:
    """The JSON of a list of elements."""
    return of_list([text(Sx(part, Type(Kind.NODE)), ir.Literal(None)) for part in parts])


@EMITS.of(ir.ListOf)
def _list_of(cx: Compiler, node: ir.ListOf) -> Sx:
    made = [expression(cx, each) for each in node.items]
    of = replace(node.type, item=inside(sx.type for sx in made))
    items = [item(sx, each) for sx, each in zip(made, node.items, strict=True)]
    return Sx(of_list(items), of, null=False, form="json")


@EMITS.of(ir.MapOf)
def _map_of(cx: Compiler, node: ir.MapOf) -> Sx:
    return of_entries(cx, [(entry.key, entry.value) for entry in node.entries])


def of_entries(cx: Compiler, entries: list[tuple[str, ir.Expr]]) -> Sx:
    """A map of named values."""
    pieces = ['"{"']
    made = [expression(cx, value) for _, value in entries]
    for number, ((key, value), sx) in enumerate(zip(entries, made, strict=True)):
        if key.startswith("@"):
            raise refused("reserved-name", value, f"'{key}' is a word of the form of values.")
        name = terms.string(f"{',' if number else ''}{terms.string(key)}:")
        pieces += [name, item(sx, value)]
    of = Type(Kind.MAP, item=inside(sx.type for sx in made))
    return Sx(joined([*pieces, '"}"']), of, null=False, form="json")


@EMITS.of(ir.MapProjection)
def _map_projection(cx: Compiler, node: ir.MapProjection) -> Sx:
    if node.all_properties:
        raise refused("all-properties", node, "SPARQL cannot list properties as one value.")
    base = expression(cx, node.base)
    made = of_entries(cx, [(entry.key, entry.value) for entry in node.entries])
    if base.null:
        test = f"BOUND({base.text})" if base.variable else "true"
        return Sx(f"IF({test}, {made.text}, {terms.ERROR})", made.type, form="json")
    return made
