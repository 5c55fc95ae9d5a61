"""The form in which a result shows elements, paths and temporal values (`engines.base.Result`)."""

from __future__ import annotations

from schemagraph.folder.graphdata import SOURCE, TARGET
from schemagraph.model import TEMPORAL, Kind
from translators.duckdb.expressions.temporal.texts import temporal_text
from translators.duckdb.model import tags, values
from translators.duckdb.model.compiler import Compiler
from translators.duckdb.model.names import ident, text
from translators.duckdb.model.sql import Element, Sql, Value
from translators.duckdb.model.types import ANY, STRING, T, list_of

JSON = T(Kind.ANY)
_SHOWN = frozenset(
    {
        *(Kind.PATH, Kind.BYTES, Kind.ANY),
        *(Kind.ZONED_TIME, Kind.ZONED_DATETIME, Kind.DURATION),
    }
)


def contains_element(of: T) -> bool:
    """Whether a value of this type is, or holds, a node or an edge."""
    if of.element or of.kind is Kind.PATH:
        return True
    inner = [of.item] if of.item else []
    return any(contains_element(part) for part in (*inner, *(t for _, t in of.fields)))


def shows(of: T) -> bool:
    """Whether the shown form differs from the stored one."""
    if of.kind in (Kind.LIST, Kind.MAP):
        inner = [of.item] if of.item else []
        return any(shows(part) for part in (*inner, *(t for _, t in of.fields)))
    return of.element or of.fine or of.kind in _SHOWN


def output(cx: Compiler, sql: Sql) -> Sql:
    """`sql` as the result shows it."""
    if not shows(sql.type):
        return sql
    if sql.type.kind in TEMPORAL:
        return temporal_text(cx, sql, shown=True)
    return Sql(shown(cx, sql), JSON, null=sql.null)


def shown(cx: Compiler, sql: Sql) -> str:
    """The JSON of one value, NULL for NULL."""
    of = sql.type
    if of.kind is Kind.ANY:
        return sql.text
    if of.kind is Kind.LIST:
        name = cx.local("x")
        inner = shown(cx, Sql(name, of.item or ANY))
        return f"to_json(list_transform({sql.text}, lambda {name}: {inner}))"
    if of.element:
        return _guarded(sql, element(cx, Value(sql)))
    if of.kind is Kind.PATH:
        parts = dict(of.fields)
        inside = ", ".join(
            f"{text(name)}, {shown(cx, Sql(f'{sql.operand}.{name}', parts[name]))}"
            for name in ("nodes", "edges")
        )
        return _guarded(sql, f"json_object({inside})")
    if of.kind is Kind.MAP:
        inside = ", ".join(
            f"{text(tags.escaped(name))}, {shown(cx, Sql(f'{sql.operand}.{ident(name)}', kind))}"
            for name, kind in of.fields
        )
        return _guarded(sql, f"json_object({inside})")
    if of.kind in TEMPORAL:
        return f"to_json({temporal_text(cx, sql, shown=True).text})"
    if of.kind is Kind.BYTES:
        return _guarded(sql, f"json_object('$bytes', to_base64({sql.text}))")
    return f"to_json({sql.text})"


def _guarded(sql: Sql, made: str) -> str:
    return f"CASE WHEN {sql.operand} IS NOT NULL THEN {made} END" if sql.null else made


def output_element(cx: Compiler, bound: Element) -> Sql:
    """A node or edge of the current FROM as the result shows it."""
    return Sql(element(cx, bound), JSON, null=False)


def element(cx: Compiler, bound: Element | Value) -> str:
    """The JSON of a node or edge; its parts depend on which of the candidates it is."""
    catalog = cx.catalog
    of = bound.type
    if not of.of:
        return "NULL::JSON"
    made = {name: _one(cx, bound, name) for name in of.of}
    if len(made) == 1:
        return made[of.of[0]]
    order = catalog.order(of.kind)
    identity = values.identity(catalog, bound)
    place = catalog.position(of.kind, identity.operand)
    branches = " ".join(f"WHEN {order[name]} THEN {body}" for name, body in made.items())
    return f"CASE {place} {branches} END"


def _one(cx: Compiler, bound: Element | Value, name: str) -> str:
    catalog = cx.catalog
    kind = bound.type.kind
    own = catalog.properties(kind, name)
    properties = _object(cx, bound, {key: key for key in own})
    if own:
        properties = f"json_merge_patch('{{}}', {properties})"
    if kind is Kind.NODE:
        node = catalog.node(name)
        return (
            f"json_object('labels', {_labels(name, cx)}, 'key', "
            f"{_object(cx, bound, {key: key for key in node.key})}, 'properties', {properties})"
        )
    edge = catalog.edge(name)
    ends = []
    for word, prefix, end in (("source", SOURCE, edge.source), ("target", TARGET, edge.target)):
        key = _object(cx, bound, {prefix + k: k for k in catalog.node(end).key})
        ends.append(f"'{word}', json_object('labels', {_labels(end, cx)}, 'key', {key})")
    return f"json_object('type', {text(edge.label)}, {', '.join(ends)}, 'properties', {properties})"


def _labels(name: str, cx: Compiler) -> str:
    labels = cx.catalog.node(name).labels
    return "[" + ", ".join(text(label) for label in labels) + "]" if labels else "[]::VARCHAR[]"


def _object(cx: Compiler, bound: Element | Value, keys: dict[str, str]) -> str:
    """A JSON object of the element's fields `keys`, each under its new name."""
    parts = []
    for key, name in keys.items():
        stored = cx.catalog.field(bound.type, key)
        value = "NULL"
        if stored is not None:
            value = json_value(cx, values.field_of(cx.catalog, bound, stored))
        parts.append(f"{text(tags.escaped(name))}, {value}")
    return f"json_object({', '.join(parts)})"


def json_value(cx: Compiler, sql: Sql) -> str:
    """A value inside json_object, which makes JSON of plain values itself."""
    if shows(sql.type) or sql.type.kind in (Kind.TIME, Kind.DATETIME):
        return shown(cx, sql)
    return sql.text


def strings(items: list[str]) -> Sql:
    """A list of string constants."""
    return Sql("[" + ", ".join(text(i) for i in items) + "]", list_of(STRING), null=False)
