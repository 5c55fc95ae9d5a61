"""Cypher as LadybugDB 0.22 runs it, over the tables that `graphmill schema --to ladybugdb` makes.

LadybugDB (Kuzu's successor) is typed by tables: a node is a row of one table, so labels become the
tables that have them, and a property has one type. It matches walks: two edges of a MATCH are told
apart by a condition, variable length is `TRAIL` with an upper bound. An undirected edge meets a
self-loop twice, so rows of elements are made distinct. `IN` and quantifiers are two-valued, every
branch of a CASE is computed, text equals the number it spells: what would show that is refused.

One long file on purpose: it is one class, whose state is the scope of the clause being written.

Source: the LadybugDB documentation, "Query clauses", "Differences with Neo4j"; and what version
0.22.0 does (docs/measurements.md).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import ClassVar

from graph_ir import nodes as ir
from graph_ir.lowerings import (
    from_zero,
    keep_for_where,
    keeps_rows,
    move_predicates,
    names_in,
    substitute,
    unused_names,
)
from graph_ir.numbers import may_be_below_zero
from graph_ir.types import sum_over_integer
from graph_ir.walk import children, find
from graphmill.errors import Refused
from schemagraph.model import EdgeType, Kind, NodeType, SchemaGraph, Type
from schemagraph.targets.ladybugdb import TARGET, column_name
from translators.base import Rendered, Rewrite, check_length
from translators.cypher.dialect import (
    ADD,
    CONSTANT,
    OPERATORS,
    TEST,
    TIGHT_IS_NOT_NULL,
    TIGHT_IS_NULL,
    TIGHT_TESTS,
    Cypher,
)
from translators.cypher.ladybug_functions import FUNCTIONS, NUMBERS, SORTED, regular
from translators.cypher.ladybug_items import (
    Items,
    casts_wide,
    copied,
    copy_of,
    gathers,
    has_parts,
    one_by_one,
    reads_beside,
    reads_outer,
)
from translators.cypher.ladybug_known_nodes import known_as_conditions
from translators.cypher.ladybug_nulls import undeclared_as_null
from translators.cypher.ladybug_subqueries import (
    Subquery,
    meets,
    outer_values,
    where_null,
)
from translators.cypher.ladybug_tables import WORDS, Owner, Tables, differ, holds
from translators.cypher.ladybug_windows import keep_windows, united
from translators.gql.emit.uniqueness import overlap
from translators.gql.emit.values import item_nullable, kind_of, nullable
from translators.opencypher import arrow
from translators.printing import Code, Infix, Postfix, between

_ELEMENTS = (Kind.NODE, Kind.EDGE)
_CHOICE, _ONE_OF = "CASE ", "list_extract("  # as texts have them
_COUNT = Type(Kind.INTEGER, nullable=False)
_PARTS_OF_ELEMENTS = frozenset(("_ID", "_LABEL", "_SRC", "_DST", "_NODES", "_RELS"))
_DATE_PARTS = frozenset(("year", "month", "day", "quarter"))
_PARTS = {Kind.DATE: _DATE_PARTS, Kind.DATETIME: _DATE_PARTS | {"hour", "minute"}}
_JOINED = between("+", ADD, CONSTANT)  # of texts
_MOST_HOPS = 30  # LadybugDB's own bound
_MOST_NULLS = 2  # values from outside that may be null: each doubles the text


def _move(statement: ir.Statement) -> ir.Statement:
    return move_predicates(statement, lambda labels, is_edge: True)


class CypherLadybug(Cypher):
    """The profile of Cypher for LadybugDB."""

    name: ClassVar[str] = "cypher-ladybug"
    LOWERINGS: ClassVar[tuple[Rewrite, ...]] = (keep_for_where, _move, keep_windows)
    OPERATORS: ClassVar[Mapping[str, Infix]] = TIGHT_TESTS
    IS_NULL: ClassVar[Postfix] = TIGHT_IS_NULL
    IS_NOT_NULL: ClassVar[Postfix] = TIGHT_IS_NOT_NULL
    UNSUPPORTED: ClassVar[Mapping[type[ir.Node], tuple[str, str]]] = {
        ir.Param: ("parameter", "LadybugDB must know the type of every value."),
        ir.MapProjection: ("map-projection", "LadybugDB has no map projections."),
        ir.PatternComp: ("function", "LadybugDB has no pattern comprehensions."),
        ir.PathExpr: ("path-expression", "LadybugDB searches paths in MATCH only."),
        ir.CollectOf: ("collect", "LadybugDB has no COLLECT subquery."),
        ir.Reduce: ("reduce", "LadybugDB folds no lists from a value."),
        ir.Subquery: ("call-subquery", "LadybugDB has no CALL subquery."),
        ir.Procedure: ("procedure", "LadybugDB has other procedures."),
        ir.Yield: ("procedure", "LadybugDB has other procedures."),
        ir.Selector: ("path-search", "LadybugDB searches shortest walks."),
        ir.Quantified: ("quantified-path", "LadybugDB repeats a single edge."),
        ir.ServerOption: ("server-option", "The option is a server's own."),
        **dict.fromkeys(
            (ir.Create, ir.Merge, ir.Delete, ir.Set, ir.SetItem, ir.Remove, ir.Foreach, ir.LoadCsv),
            ("not-a-read", "Only reads are translated for LadybugDB."),
        ),
    }

    def __init__(self, schema: SchemaGraph | None = None) -> None:
        super().__init__(schema)
        self._tables = Tables(schema) if schema is not None else None
        self._spare: Iterator[str] = iter(())
        self._bound: set[str] = set()
        self._owners: dict[str, set[str]] = {}  # tables that a variable's pattern names
        self._lengths: set[str] = set()  # variables of variable length
        self._below_zero: set[str] = set()  # floats that may be -0.0
        self._items: frozenset[str] = frozenset()  # what comprehensions call their items
        self._read = Counter[ir.Expr]()  # how often each list is read by its items
        self._undirected: set[str] = set()  # edges that LadybugDB tells by their direction, too
        self._subquery = False
        self._outside: set[str] = set()  # what the subquery being written sees from outside
        self._columns = False  # within a column of WITH, of groups or of distinct rows
        self._known: frozenset[ir.Expr] = frozenset()  # values from outside that are not null
        self._constants: set[str] = set()  # variables whose value LadybugDB knows for all rows
        self._met_later = False  # whether a pattern is behind the clause

    @property
    def tables(self) -> Tables:
        """The schema as tables.

        Raises:
            Refused: there is no schema.
        """
        if self._tables is None:
            raise Refused("schema-needed", self.name, "LadybugDB's labels are tables of a schema.")
        return self._tables

    def generate(self, query: ir.Statement) -> Rendered:
        """The text; LadybugDB tells no names apart that differ in case only."""
        self.tables.check()
        differ(sorted(names_in(query)))
        self._refuse_second_names(query)
        self._spare = unused_names(query, "edge")
        self._subquery = self._columns = False
        query = undeclared_as_null(one_by_one(query), self.tables.schema)
        readers: list[Items] = [*find(query, ir.ListComp), *find(query, ir.Quantifier)]
        self._read = Counter(each.list for each in readers)
        return super().generate(known_as_conditions(query, self.tables.schema))

    def _limit(self, construct: str, reason: str, node: ir.Node) -> Refused:
        return Refused("engine-limit", construct, f"LadybugDB {reason}.", node.span)

    def _refuse_second_names(self, query: ir.Statement) -> None:
        """An element under two names, both of which a further WITH keeps: to LadybugDB they are
        two columns of one name."""
        for part in find(query, ir.Query):
            owner: dict[str, str] = {}
            for clause in part.clauses:
                if not isinstance(clause, ir.Project):
                    continue
                known, kept = (
                    owner,
                    [
                        (item.alias, item.expr.name)
                        for item in clause.items
                        if isinstance(item.expr, ir.Var)
                        and item.expr.type.kind in (Kind.NODE, Kind.EDGE)
                    ],
                )
                owners = [known.get(name, name) for _, name in kept]
                twice = any(name in known for _, name in kept) and len({*owners}) < len(owners)
                if twice and not clause.final:
                    raise self._limit("WITH", "keeps no element under two names", clause)
                owner = {alias: of for (alias, _), of in zip(kept, owners, strict=True)}

    # --- names, literals, labels -------------------------------------------------------------

    def ident(self, name: str, node: ir.Node | None = None) -> str:
        """A variable or alias; what LadybugDB may keep for itself is quoted."""
        return self.key(name)

    def key(self, name: str, node: ir.Node | None = None) -> str:
        """A name, in backticks where it is no plain one."""
        if "`" in name:
            raise Refused("name-character", name, "LadybugDB's names have no backticks.")
        plain = name.isidentifier() and name.isascii() and name.upper() not in WORDS
        return name if plain else self.quoted(name)

    def literal(self, node: ir.Literal) -> str:
        value = node.value
        if isinstance(value, float):
            if not math.isfinite(value):
                raise Refused("number", str(value), "LadybugDB has no such literal.", node.span)
            return repr(value).replace("e+", "e")
        if isinstance(value, str) and any(ord(c) < 32 and c not in "\n\r\t" for c in value):
            raise Refused("name-character", "text", "A control character in a text.", node.span)
        return super().literal(node)

    def _labels(self, node: ir.NodePattern) -> tuple[NodeType, ...]:
        """The node types whose tables a pattern names."""
        fitting = [t for t in self.tables.schema.nodes if holds(node.labels, t.labels)]
        if self.tables.clashes(fitting) and node.type.of:
            fitting = [t for t in fitting if t.name in node.type.of]
        if not fitting:
            raise Refused("undeclared-name", "label", "No node of the schema fits.", node.span)
        return tuple(fitting)

    def _types(self, node: ir.EdgePattern) -> tuple[EdgeType, ...]:
        fitting = tuple(t for t in self.tables.schema.edges if holds(node.types, (t.label,)))
        if not fitting:
            raise Refused("undeclared-name", "type", "No edge of the schema fits.", node.span)
        return fitting

    # --- expressions -------------------------------------------------------------------------

    def emit_Var(self, node: ir.Var) -> str:
        if node.name in self._lengths:
            return f"rels({self.ident(node.name)})"
        return super().emit_Var(node)

    def emit_Prop(self, node: ir.Prop) -> str:
        kind = kind_of(node.base)
        if kind in _PARTS:
            if node.key not in _PARTS[kind]:
                raise Refused("function", node.key, "LadybugDB computes it otherwise.", node.span)
            return f"date_part('{node.key}', {self.emit(node.base)})"
        if kind not in _ELEMENTS:
            raise Refused("map-value", node.key, "No property of a node or edge.", node.span)
        if not self.tables.has(self._of(node.base), node.key):
            of = TARGET.type_of(node.type)  # the column is an error to LadybugDB
            return f"cast(null AS {of})" if of else "null"
        stored = self.tables.stored(self._of(node.base), node.key)
        if stored == "conflict":
            raise Refused(
                "property-conflict", node.key, "Tables give it different types.", node.span
            )
        if stored == "text":
            raise Refused("property-type", node.key, "LadybugDB keeps it as text.", node.span)
        return self._column(node)

    def _column(self, node: ir.Prop) -> str:
        """A property of an element by the name of its column, whatever its type is."""
        if not self.tables.keeps(self._of(node.base), node.key):
            reason = "Edges of one label give it different types."
            raise Refused("property-conflict", node.key, reason, node.span)
        return super().emit_Prop(replace(node, key=column_name(node.key)))

    def _of(self, base: ir.Expr) -> Sequence[Owner]:
        """The types whose tables a value can come from."""
        schema = self.tables.schema
        if isinstance(base, ir.Var) and base.name in self._owners:
            own = self._owners[base.name]
            every: tuple[Owner, ...] = (*schema.nodes, *schema.edges)
            return [t for t in every if t.name in own]
        return schema.nodes if kind_of(base) is Kind.NODE else schema.edges

    def emit_IsNull(self, node: ir.IsNull) -> str:
        prop = node.arg
        if self._subquery and isinstance(prop, ir.Var) and prop.name in self._outside:
            # What may be null is told apart before (`_asked`); the test would join the rows by
            # all properties of a node, of which one that is null joins nothing.
            return Code("true" if node.negated else "false", TEST)
        if isinstance(prop, ir.Prop) and kind_of(prop.base) in _ELEMENTS:
            if not self.tables.has(self._of(prop.base), prop.key):
                return Code("false" if node.negated else "true", TEST)
            text = self._column(prop)
            return (self.IS_NOT_NULL if node.negated else self.IS_NULL)(text)
        return super().emit_IsNull(node)

    def emit_Compare(self, node: ir.Compare) -> str:
        left, right = kind_of(node.left), kind_of(node.right)
        same = left is right or {left, right} <= set(NUMBERS) or Kind.NULL in (left, right)
        equality = node.op in (ir.CompareOp.EQ, ir.CompareOp.NE)
        known = (*SORTED, Kind.NULL, *(_ELEMENTS if equality else ()))
        if Kind.ANY in (left, right):
            raise Refused("dynamic-value", node.op, "A type is not known.", node.span)
        if not same or left not in known or right not in known:
            raise Refused(
                "comparison",
                node.op,
                f"LadybugDB compares {left} and {right} otherwise.",
                node.span,
            )
        if node.op is ir.CompareOp.EQ and left in _ELEMENTS and self._joins(node):
            # LadybugDB fails of an element outside that is joined with one of the subquery
            return self.emit(ir.Not(replace(node, op=ir.CompareOp.NE)))
        return super().emit_Compare(node)

    def _joins(self, node: ir.Compare) -> bool:
        """Whether one side is from outside of the subquery, and the other is not."""
        sides = [{var.name for var in find(s, ir.Var)} for s in (node.left, node.right)]
        return (sides[0] <= self._outside) is not (sides[1] <= self._outside)

    def emit_Arith(self, node: ir.Arith) -> str:
        left, right = kind_of(node.left), kind_of(node.right)
        numbers = left in NUMBERS and right in NUMBERS
        texts = Kind.STRING in (left, right) and {left, right} <= {Kind.STRING, Kind.INTEGER}
        if texts and node.op is ir.ArithOp.ADD:
            return self._together(list(_joined(node)))
        if not numbers:
            raise Refused("function", node.op, f"Of {left} and {right}.", node.span)
        if node.op in (ir.ArithOp.DIV, ir.ArithOp.MOD):
            self._check_division(node)
            if right is Kind.INTEGER and not isinstance(node.right, ir.Literal):
                # Beside a float LadybugDB takes the integer 0 for one, where Cypher raises; `x / x`
                # raises, and is 1 of any other.
                divide, by = OPERATORS[ir.ArithOp.DIV], self.emit(node.right)
                divisor = OPERATORS[ir.ArithOp.MUL](by, divide(by, by))
                return divide(self.emit(node.left), divisor)
        return super().emit_Arith(node)

    def _together(self, parts: list[ir.Expr]) -> str:
        """Texts and integers joined: a null among them LadybugDB takes for an empty text."""
        shown = [
            self.emit(part) if kind_of(part) is Kind.STRING else self._text(part) for part in parts
        ]
        text = _JOINED.chain(shown)
        tests = dict.fromkeys(self.IS_NULL(self.emit(part)) for part in parts if nullable(part))
        if not tests:
            return text
        null = OPERATORS[ir.BoolOp.OR].chain(tests)
        return Code(f"CASE WHEN {null} THEN null ELSE {text} END", ADD)

    def _text(self, node: ir.Expr) -> str:
        return f"cast({self.emit(node)} AS STRING)"

    def _check_division(self, node: ir.Arith) -> None:
        sides = (node.left, node.right)
        if any(kind_of(side) is Kind.FLOAT and side.type.mixed for side in sides):
            raise Refused("integer-division", node.op, "Some may be integers.", node.span)
        if self._may_divide_integers(node):
            reason = "A sum of no floats is an integer."
            raise Refused("integer-division", node.op, reason, node.span)
        floats = any(kind_of(side) is Kind.FLOAT for side in sides)
        if isinstance(node.right, ir.Literal) and node.right == ir.Literal(0):
            raise Refused("division-by-zero", node.op, "Null by zero is an error.", node.span)
        if floats and node.op is ir.ArithOp.MOD:
            raise Refused("modulo-float", "%", "The remainder of floats.", node.span)
        known = isinstance(node.right, ir.Literal) and node.right.value
        if not floats and not known:
            raise Refused(
                "division-by-zero", node.op, "LadybugDB computes every branch and row.", node.span
            )

    def _may_divide_integers(self, node: ir.Arith) -> bool:
        """Whether a sum of no floats, the integer 0, makes both sides integers and the quotient
        another than that of floats."""
        left, right = node.left.type, node.right.type
        if not (left.of_nothing or right.of_nothing) or sum_over_integer(left, right):
            return False
        return left.may_be_whole and right.may_be_whole

    def emit_Text(self, node: ir.Text) -> str:
        if {kind_of(node.left), kind_of(node.right)} - {Kind.STRING, Kind.NULL}:
            raise Refused("dynamic-value", node.op, "A type is not known.", node.span)
        empty = not (isinstance(node.right, ir.Literal) and node.right.value)
        if node.op is ir.TextOp.CONTAINS and empty and kind_of(node.right) is not Kind.NULL:
            raise Refused("contains", node.op, "What may be an empty text is in none.", node.span)
        if node.op is ir.TextOp.REGEX:
            pattern = regular(node.right)
            node = replace(node, right=ir.Literal(pattern))
        return super().emit_Text(node)

    def emit_In(self, node: ir.In) -> str:
        items = node.list.items if isinstance(node.list, ir.ListOf) else ()
        kinds = {kind_of(node.item)} | {kind_of(item) for item in items}
        of = node.list.type.item
        if not items:
            kinds |= {of.kind if of else Kind.ANY}
        kinds.discard(Kind.NULL)
        alike = len(kinds) == 1 or kinds <= set(NUMBERS)
        if not alike or not kinds <= set(SORTED):
            raise Refused("comparison", "IN", "Items of other types.", node.span)
        if item_nullable(node.list) or (not items and nullable(node.item)):
            raise Refused("null-in-list", "IN", "LadybugDB's IN is two-valued.", node.span)
        return super().emit_In(node)

    def emit_LabelTest(self, node: ir.LabelTest) -> str:
        if not isinstance(node.arg, ir.Var) or nullable(node.arg):
            raise Refused("label-test", "IS LABELED", "Of what may be null.", node.span)
        return self._is(node.arg.name, self._fitting(node))

    def _fitting(self, node: ir.LabelTest) -> list[str]:
        if kind_of(node.arg) is Kind.EDGE:
            types = [t.label for t in self.tables.schema.edges if holds(node.labels, (t.label,))]
            return [self.tables.types[label] for label in dict.fromkeys(types)]
        fitting = [t for t in self.tables.schema.nodes if holds(node.labels, t.labels)]
        return [self.tables.nodes[t.name] for t in fitting]

    def _is(self, name: str, tables: list[str]) -> str:
        shown = [self.emit(ir.Literal(table)) for table in tables]
        label = f"label({self.ident(name)})"
        if len(shown) == 1:
            return self.OPERATORS[ir.CompareOp.EQ](label, shown[0])
        return self.OPERATORS["IN"](label, f"[{', '.join(shown)}]") if shown else "false"

    def emit_Call(self, node: ir.Call) -> str:
        make = FUNCTIONS.get(node.name)
        if make is None:
            raise Refused("function", node.name, "LadybugDB has no equal function.", node.span)
        return make(self, node)

    def emit_Agg(self, node: ir.Agg) -> str:
        kinds = [kind_of(arg) for arg in node.args]
        if kinds == [Kind.NULL] and node.name in ("count", "collect"):
            return f"{node.name}({self._typed_null(node.args[0], 'STRING')})"
        allowed = {"sum": NUMBERS, "avg": NUMBERS, "min": SORTED, "max": SORTED}.get(node.name)
        if node.name not in ("count", "collect") and allowed is None:
            raise Refused("aggregate", node.name, "LadybugDB has no equal aggregate.", node.span)
        if allowed is not None and kinds[0] not in allowed:
            raise Refused("dynamic-value", node.name, f"Of {kinds[0]}.", node.span)
        for arg in node.args if node.name == "collect" else ():
            self._check_output(arg)
            if node.distinct:
                self._check_key(arg)
        match node:
            case ir.Agg(name="count", args=(ir.Prop() as prop,), distinct=False) if kind_of(
                prop.base
            ) in _ELEMENTS and self.tables.has(self._of(prop.base), prop.key):
                return f"count({self._column(prop)})"
        text = super().emit_Agg(node)
        if node.name == "sum":
            if kinds[0] is Kind.FLOAT:
                return f"coalesce({text}, 0.0)"
            return f"cast(coalesce({text}, 0) AS INT64)"  # an error beyond: a sum has 128 bits
        return text

    def _typed_null(self, node: ir.Expr, of: str) -> str:
        """A value; with a type where it is always null, which aggregates and lists must know."""
        text = self.emit(node)
        return f"cast({text} AS {of})" if kind_of(node) is Kind.NULL else text

    def emit_Neg(self, node: ir.Neg) -> str:
        taken = from_zero(node)
        return super().emit_Neg(taken) if isinstance(taken, ir.Neg) else self.emit(taken)

    def emit_Case(self, node: ir.Case) -> str:
        whens = [when.condition for when in node.whens]
        if node.operand is not None:
            self._one_kind([node.operand, *whens], node)
            if any(kind_of(when) is Kind.NULL for when in whens):
                raise Refused("comparison", "CASE", "WHEN null.", node.span)
        results = [when.result for when in node.whens]
        self._one_kind([*results, *([node.default] if node.default else [])], node)
        if kind_of(node) is Kind.NULL:
            if any(find(node, ir.Arith, ir.Neg, ir.Call, ir.Agg, ir.Exists, ir.CountOf)):
                raise Refused("dynamic-value", "CASE", "A CASE of nothing but nulls.", node.span)
            return "null"  # LadybugDB finds no type for such a CASE
        return super().emit_Case(node)

    def emit_When(self, node: ir.When) -> str:
        condition = self.emit(node.condition)
        if kind_of(node.condition) is Kind.BOOLEAN and "CASE" in condition:
            # LadybugDB takes a CASE that is itself a condition, or part of an AND, for false
            condition = self.OPERATORS[ir.CompareOp.EQ](condition, "true")
        return f"WHEN {condition} THEN {self.emit(node.result)}"

    def _one_kind(self, parts: Iterable[ir.Expr], node: ir.Node) -> None:
        parts = tuple(parts)
        kinds = {kind_of(part) for part in parts} - {Kind.NULL}
        if len(kinds) > 1 or Kind.ANY in kinds or casts_wide(parts):
            raise Refused("mixed-types", type(node).__name__, "LadybugDB casts them.", node.span)
        if kinds & {Kind.NODE, Kind.EDGE, Kind.PATH, Kind.MAP}:
            raise Refused("element-expression", type(node).__name__, "Of elements.", node.span)

    def emit_ListOf(self, node: ir.ListOf) -> str:
        if not node.items:
            raise Refused("dynamic-value", "[]", "An empty list has no type.", node.span)
        self._one_kind(node.items, node)
        return super().emit_ListOf(node)

    def emit_MapOf(self, node: ir.MapOf) -> str:
        differ(entry.key for entry in node.entries)
        if any(entry.key in _PARTS_OF_ELEMENTS for entry in node.entries):
            reason = "tells its nodes, edges and paths by such keys"
            raise self._limit("map key", reason, node)
        for entry in node.entries:
            self._check_output(entry.value)
            if kind_of(entry.value) in (Kind.ANY, Kind.PATH):
                raise Refused("dynamic-value", entry.key, "A type is not known.", node.span)
        return super().emit_MapOf(node)

    def emit_Index(self, node: ir.Index) -> str:
        place = node.index.value if isinstance(node.index, ir.Literal) else None
        if not isinstance(place, int) or isinstance(place, bool):
            raise Refused("index", "[]", "The index is no constant.", node.span)
        return self.item(node.base, place)

    def item(self, items: ir.Expr, place: int) -> str:
        """The item at a place, null where there is none: LadybugDB counts from 1, and fails where
        there is none, in a branch that is not taken, too."""
        if kind_of(items) is not Kind.LIST or not isinstance(items, ir.ListOf):
            raise Refused("index", "[]", "It is not known to be a list.", items.span)
        text, number = self.emit(items), len(items.items)
        at = place if place >= 0 else place + number
        if 0 <= at < number:
            return f"list_extract({text}, {at + 1})"
        return f"CASE WHEN size({text}) > {number} THEN list_extract({text}, 1) END"

    def emit_Slice(self, node: ir.Slice) -> str:
        lo, hi = (s.value if isinstance(s, ir.Literal) else None for s in (node.lo, node.hi))
        lo = 0 if node.lo is None else lo
        if type(lo) is not int or type(hi) is not int or not 0 <= lo < hi:
            raise Refused("index", "[..]", "The bounds are no constants in order.", node.span)
        if kind_of(node.base) is not Kind.LIST:
            raise Refused("index", "[..]", "It is not known to be a list.", node.span)
        return f"list_slice({self.emit(node.base)}, {lo + 1}, {hi})"

    def emit_Entry(self, node: ir.Entry) -> str:
        value = self.emit(node.value)
        if value in self._items:  # LadybugDB has the first item in the map of each
            value = f"{_ONE_OF}[{value}], 1)"
        return f"{self.key(node.key, node)}: {value}"

    def emit_ListComp(self, node: ir.ListComp) -> str:
        if kind_of(node.list) is not Kind.LIST or nullable(node.list):
            raise Refused("dynamic-value", "[x IN …]", "Of what may be null.", node.span)
        self._check_items(node)
        stored = not has_parts(node.list) and any(find(node.list, ir.Var))
        beside = node.result is not None and reads_beside(node, node.result)
        self._check_filter(node, beside=beside)
        name, tests, shown = self.ident(node.var), "", ""
        if node.where is not None:
            tests = f"{name} -> {self._item(node.where, 'BOOL')}"
        if node.result is not None and node.result != ir.Var(node.var):
            outer, self._items = self._items, self._items | {name}
            try:
                shown = f"{name} -> {self._item(node.result, 'STRING', node)}"
            finally:
                self._items = outer
        text = self.emit(copied(node.list, also=_CHOICE in shown))
        text = f"list_filter({text}, {tests})" if tests else text
        if stored and (beside or _ONE_OF in shown or gathers(node, node.result)):
            text = copy_of(text)
        return f"list_transform({text}, {shown})" if shown else text

    def _check_filter(self, node: ir.ListComp, *, beside: bool) -> None:
        """What filters a copy of a list, or a list that is read again, must look at each item
        alone: LadybugDB has the items of other rows."""
        if node.where is None:
            return
        outer, gathered = reads_beside(node, node.where), gathers(node, node.where)
        again = self._read[node.list] > 1 and any(find(node.list, ir.Var))
        if has_parts(node.list) and (outer or beside):
            reason = "filters nodes, edges and maps in lists by their own parts only"
        elif (outer and gathered) or (again and (outer or gathered)):
            reason = "has the items of other rows in such a filter"
        else:
            return
        raise self._limit("[x IN … WHERE …]", reason, node)

    def _item(self, node: ir.Expr, of: str, shown: ir.ListComp | None = None) -> str:
        """What is worked out for the items of a list, where a CASE takes values of others, but
        for one of what is `shown` that looks at the item alone."""
        text = self._typed_null(node, of)
        if _CHOICE in text and (shown is None or reads_beside(shown, node)):
            raise self._limit("CASE", "mistakes a CASE for the items of a list", node)
        return text

    def emit_Quantifier(self, node: ir.Quantifier) -> str:
        if nullable(node.where) or item_nullable(node.list) or nullable(node.list):
            raise Refused("null-in-list", node.kind, "LadybugDB's is two-valued.", node.span)
        self._check_items(node)
        self._item(node.where, "BOOL")
        also = gathers(node, node.where) and reads_beside(node, node.where)
        return super().emit_Quantifier(replace(node, list=copied(node.list, also=also)))

    def _check_items(self, node: Items) -> None:
        inner: list[Items] = [
            *find(node, ir.ListComp),
            *find(node, ir.Quantifier),
        ]
        called = [each.var for each in inner if each is not node]
        if node.var in self._bound or node.var in called:
            raise Refused("rebound", node.var, "A variable is called so already.", node.span)
        if next(reads_outer(node), None) is not None:
            reason = "reads one item only in what it works out for the items of a list"
            raise self._limit(node.var, reason, node)
        if any(find(node, ir.Exists, ir.CountOf)):
            raise self._limit("subquery", "has no subqueries for the items of a list", node)

    def emit_Exists(self, node: ir.Exists) -> str:
        return self._asked(node)

    def emit_CountOf(self, node: ir.CountOf) -> str:
        return self._asked(node)

    def _asked(self, node: Subquery) -> str:
        """A subquery; apart, where a value from outside is null."""
        match = node.query.clauses[0] if isinstance(node.query, ir.Query) else node.query
        outer = outer_values(match, self._bound)
        unknown = [value for value in outer if value not in self._known and nullable(value)]
        if unknown:
            value = unknown[0]
            if self._columns or len(unknown) > _MOST_NULLS:
                reason = "gets subqueries wrong where a value from outside is null"
                raise self._limit("subquery", reason, value)
            test = self.IS_NULL(self.emit(value))
            null = self.emit(where_null(node, value))
            known, self._known = self._known, self._known | {value}
            try:
                given = self._asked(node)
            finally:
                self._known = known
            return f"CASE WHEN {test} THEN {null} ELSE {given} END"
        pattern = self._pattern(node.query, exists=isinstance(node, ir.Exists))
        if isinstance(node, ir.Exists):
            return f"EXISTS {{ {pattern} }}"
        count = f"COUNT {{ {pattern} }}"
        if not outer and not meets(match, self._bound):
            return count
        if self._columns and outer:
            raise self._limit("subquery", "hands on no count by values from outside", node)
        # of nothing, what is read of a count may be that of the row before, or no value at all
        return f"CASE WHEN EXISTS {{ {pattern} }} THEN {count} ELSE 0 END"

    def _pattern(self, query: ir.Statement, *, exists: bool) -> str:
        """The one MATCH of a subquery."""
        clauses = query.clauses if isinstance(query, ir.Query) else ()
        match = clauses[0] if clauses else None
        rest = clauses[1:]
        plain = all(isinstance(c, ir.Project) and c.final and keeps_rows(c) for c in rest)
        one = isinstance(match, ir.Match) and not match.optional
        if not isinstance(match, ir.Match) or not one or not plain or len(rest) > 1:
            raise self._limit("subquery", "has subqueries of one MATCH", query)
        if not exists and self._loops(match):
            raise self._limit("undirected edges", "meets a self-loop twice", match)
        state = self._subquery, self._break, self._outside
        bound, owners = set(self._bound), dict(self._owners)
        self._subquery, self._break, self._outside = True, " ", bound
        try:
            return self.emit(match)
        finally:
            self._subquery, self._break, self._outside = state
            self._bound, self._owners = bound, owners

    # --- patterns ----------------------------------------------------------------------------

    def emit_NodePattern(self, node: ir.NodePattern) -> str:
        fitting = self._labels(node)
        text = self.ident(node.var) if node.var else ""
        again = node.var in self._bound and node.labels is None
        if not again and (node.labels is not None or len(fitting) < len(self.tables.schema.nodes)):
            text += ":" + "|".join(self.key(self.tables.nodes[t.name]) for t in fitting)
        if node.var and not (again and node.var in self._owners):
            self._owners.setdefault(node.var, set()).update(t.name for t in fitting)
        if node.props:
            text += f"{' ' if text else ''}{self._properties(node.props, fitting)}"
        return f"({text})"

    def _properties(
        self, props: ir.MapOf | ir.Param, owners: tuple[NodeType | EdgeType, ...]
    ) -> str:
        if not isinstance(props, ir.MapOf):
            raise Refused("parameter-map", "$", "Properties of a parameter.", props.span)
        for entry in props.entries:
            kinds = {p.type.kind for o in owners if (p := o.property(entry.key)) is not None}
            given = kind_of(entry.value)
            if not kinds:
                raise Refused("undeclared-name", entry.key, "No such property.", entry.span)
            if self.tables.stored(owners, entry.key):
                raise Refused("property-type", entry.key, "Not of one stored type.", entry.span)
            if given not in kinds and not (kinds | {given} <= set(NUMBERS)):
                raise Refused("comparison", entry.key, "A value of another type.", entry.span)
        entries = (replace(entry, key=column_name(entry.key)) for entry in props.entries)
        return f"{{{', '.join(map(self.emit, entries))}}}"

    def emit_EdgePattern(self, node: ir.EdgePattern) -> str:
        types = self._types(node)
        labels = dict.fromkeys(self.tables.types[t.label] for t in types)
        text = self.ident(node.var) if node.var else ""
        if node.types is not None:
            text += ":" + "|".join(map(self.key, labels))
        if node.hops:
            text += self._hops(node)
        elif node.props:
            text += f"{' ' if text else ''}{self._properties(node.props, types)}"
        if node.var:
            self._owners.setdefault(node.var, set()).update(t.name for t in types)
            if node.direction is ir.Direction.BOTH:
                self._undirected.add(node.var)
        return arrow(text, node.direction)

    def _hops(self, node: ir.EdgePattern) -> str:
        hops = node.hops
        assert hops is not None  # noqa: S101 # only where there are
        if hops.hi is None or hops.hi > _MOST_HOPS or hops.lo > hops.hi:
            raise Refused("hops", "*", f"LadybugDB walks {_MOST_HOPS} edges at most.", node.span)
        if node.where is not None or node.props is not None:
            raise Refused("hop-predicate", "*", "A predicate of each edge.", node.span)
        if _may_loop(node, self.tables.schema):
            raise self._limit("undirected edges", "meets a self-loop twice", node)
        return f"* TRAIL {hops.lo}..{hops.hi}"

    def emit_Path(self, node: ir.Path) -> str:
        if node.selector is not None:
            raise Refused("path-search", node.selector.kind, "Walks are searched.", node.span)
        if node.mode not in (None, ir.PathMode.TRAIL):
            raise Refused("path-mode", node.mode, "Another mode.", node.span)
        if node.var and not node.steps:
            raise Refused("path-value", "path", "A path of no edge.", node.span)
        before = node.head
        for step in node.steps:
            if isinstance(step.edge, ir.EdgePattern):
                self._check_joined(before, step.edge, step.node)
            before = step.node
        return super().emit_Path(node)

    def _check_joined(
        self, left: ir.NodePattern, edge: ir.EdgePattern, right: ir.NodePattern
    ) -> None:
        """LadybugDB answers EXISTS of an edge that the schema has not with true, and finds no path
        of no edge at a node whose table has no such edge."""
        ends = []
        for node in (left, right):
            names = {t.name for t in self.tables.schema.nodes if holds(node.labels, t.labels)}
            ends.append(names & self._owners.get(node.var or "", names))
        types = self._types(edge)
        if edge.hops:
            met = {name for each in types for name in (each.source, each.target)}
            if edge.hops.lo == 0 and not ends[0] & ends[1] <= met:
                reason = "loses paths of no edge at nodes that have no such edges"
                raise self._limit("*0..", reason, edge)
            return
        for each in types:
            out = each.source in ends[0] and each.target in ends[1]
            back = each.target in ends[0] and each.source in ends[1]
            if (out and edge.direction is not ir.Direction.IN) or (
                back and edge.direction is not ir.Direction.OUT
            ):
                return
        raise Refused("undeclared-name", "type", "No edge joins such nodes.", edge.span)

    # --- clauses -----------------------------------------------------------------------------

    def emit_Match(self, node: ir.Match) -> str:
        if node.mode is ir.MatchMode.REPEATABLE:
            raise Refused("match-mode", "REPEATABLE", "Another match mode.", node.span)
        tests: list[str] = []
        paths, pairs = self._distinct_edges(node)
        if node.optional or self._subquery:
            paths = tuple(self._unlabelled(path, tests) for path in paths)
        names = {p.var for p in paths if p.var}
        for path in paths:
            for step in path.steps:
                assert isinstance(step.edge, ir.EdgePattern)  # noqa: S101 # others are refused
                if step.edge.hops and step.edge.var:
                    self._lengths.add(step.edge.var)
                if step.edge.var in self._bound:
                    raise Refused("rebound", "edge", "A bound edge again.", step.edge.span)
        if names & self._bound:
            raise Refused("rebound", "path", "A bound path again.", node.span)
        shown = self._list(paths)
        self._bound |= _names(paths)
        tests += [f"id({self.ident(a)}) <> id({self.ident(b)})" for a, b in pairs]
        if node.where is not None:
            tests.append(self.emit(node.where))
        where = f"{self._break}WHERE {OPERATORS[ir.BoolOp.AND].chain(tests)}" if tests else ""
        return f"{'OPTIONAL ' if node.optional else ''}MATCH {shown}{where}"

    def _distinct_edges(self, node: ir.Match) -> tuple[tuple[ir.Path, ...], list[tuple[str, str]]]:
        """The paths, and the names of edges that must not be one."""
        for path in node.paths:
            for step in path.steps:
                if not isinstance(step.edge, ir.EdgePattern):
                    raise Refused("quantified-path", "(…){}", "Not of one edge.", step.edge.span)
        edges = [s.edge for p in node.paths for s in p.steps if isinstance(s.edge, ir.EdgePattern)]
        named = [e.var for e in edges if e.var]
        if len(named) != len(set(named)):
            raise Refused("repeated-edge", "edge", "One edge twice in a MATCH.", node.span)
        names: dict[int, str] = {}
        pairs = []
        for (i, a), (j, b) in combinations(enumerate(edges), 2):
            if not overlap(a, b) or (a.hops and a.hops.hi == 0) or (b.hops and b.hops.hi == 0):
                continue
            if a.hops or b.hops:
                raise Refused("edge-uniqueness", "*", "Edges may be shared.", node.span)
            for place, edge in ((i, a), (j, b)):
                names.setdefault(place, edge.var or next(self._spare))
            pairs.append((names[i], names[j]))
            check_length(len(pairs), node)
        places = iter(range(len(edges)))
        paths = []
        for path in node.paths:
            steps = []
            for step in path.steps:
                place = next(places)
                edge = replace(edges[place], var=names.get(place, edges[place].var))
                steps.append(replace(step, edge=edge))
            paths.append(replace(path, steps=tuple(steps)))
        return tuple(paths), pairs

    def _unlabelled(self, path: ir.Path, tests: list[str]) -> ir.Path:
        """Labels of a node that is bound already, as tests: in an OPTIONAL MATCH they drop rows."""

        def bare(node: ir.NodePattern) -> ir.NodePattern:
            if node.var is None or node.var not in self._bound or node.labels is None:
                return node
            fitting = {t.name for t in self.tables.schema.nodes if holds(node.labels, t.labels)}
            if not self._owners.get(node.var, {""}) <= fitting:
                tests.append(
                    self._is(node.var, [self.tables.nodes[name] for name in sorted(fitting)])
                )
            return replace(node, labels=None)

        steps = tuple(replace(step, node=bare(step.node)) for step in path.steps)
        return replace(path, head=bare(path.head), steps=steps)

    def emit_Unwind(self, node: ir.Unwind) -> str:
        if kind_of(node.expr) is not Kind.LIST:
            raise Refused("dynamic-value", "UNWIND", "It is not known to be a list.", node.span)
        item = node.expr.type.item
        if item is None or item.kind is not Kind.NODE or not self._met_later:
            text = super().emit_Unwind(node)
        else:
            # behind a WITH, and in a condition, a pattern meets any node in the place of an item
            held = next(self._spare)
            text = super().emit_Unwind(replace(node, alias=held))
            optional = "OPTIONAL " if item_nullable(node.expr) else ""
            pattern = self.emit(ir.NodePattern(node.alias, type=item))
            test = f"id({self.ident(node.alias)}) = id({held})"
            text += f"{self._break}{optional}MATCH {pattern} WHERE {test}"
        self._bound.add(node.alias)
        return text

    def emit_Item(self, node: ir.Item) -> str:
        self._check_output(node.expr)
        text = self.emit(node.expr)
        same = isinstance(node.expr, ir.Var) and node.expr.name == node.alias
        if same and node.alias not in self._lengths:
            return text
        return f"{text} AS {self.ident(node.alias)}"

    def _check_output(self, expr: ir.Expr) -> None:
        """A value that goes out or into a list whole: its tables must agree in their types."""
        kind = kind_of(expr)
        of = expr.type.item.kind if kind is Kind.LIST and expr.type.item else None
        for each in (kind, of):
            if each in (Kind.NODE, Kind.EDGE, Kind.PATH):
                schema = self.tables.schema
                owners = (*schema.nodes, *schema.edges) if each is Kind.PATH else self._of(expr)
                if self.tables.clashes([o for o in owners if isinstance(o, NodeType)]) or (
                    self.tables.clashes([o for o in owners if isinstance(o, EdgeType)])
                ):
                    raise Refused(
                        "property-conflict", "element", "Tables differ in types.", expr.span
                    )

    def _check_key(self, expr: ir.Expr) -> None:
        """What rows are told by must not be an edge that has a direction beside its identity."""
        if any(var.name in self._undirected for var in find(expr, ir.Var)) and kind_of(expr) in (
            *(Kind.EDGE, Kind.LIST, Kind.PATH, Kind.MAP),
        ):
            raise self._limit("undirected edges", "tells an edge from itself the other way", expr)

    def emit_SortKey(self, node: ir.SortKey) -> str:
        if kind_of(node.expr) not in SORTED:
            raise Refused("order", "ORDER BY", "No order of such values.", node.span)
        if may_be_below_zero(node.expr, self._below_zero):  # before all numbers, as it sorts bits
            zero = ir.Arith(ir.ArithOp.ADD, node.expr, ir.Literal(0.0), type=node.expr.type)
            node = replace(node, expr=zero)
        return super().emit_SortKey(node)

    def _check_window(self, node: ir.Project) -> None:
        """The order and the window of a projection must be such as LadybugDB has."""
        if node.order and not node.final and node.skip is None and node.limit is None:
            raise Refused("open-order", "WITH … ORDER BY", "No order without LIMIT.", node.span)
        for window in (node.skip, node.limit):
            if window is not None and not isinstance(window, ir.Literal):
                raise Refused("limit-expression", "LIMIT", "No constant.", node.span)

    def emit_Project(self, node: ir.Project) -> str:
        self._check_window(node)
        grouped = node.distinct or node.group is not None
        for item in node.items if grouped else ():
            self._check_key(item.expr)
        hidden: dict[ir.Expr, ir.Expr] = {
            ir.Var(item.alias): item.expr
            for item in node.items
            if item.alias in self._bound and item.expr != ir.Var(item.alias)
        }  # LadybugDB sorts by the variable of before, but for groups and distinct rows
        if grouped:
            hidden = {}
        order = tuple(replace(key, expr=substitute(key.expr, hidden)) for key in node.order)
        if order and not grouped:
            order += self._kept_for_order(node, order)
        self._below_zero |= {
            item.alias for item in node.items if may_be_below_zero(item.expr, self._below_zero)
        }
        self._columns = grouped or not node.final
        constants = {item.alias for item in node.items if self._is_constant(item.expr)}
        shown = replace(node, order=order, where=None)
        if not node.final and len(constants) == len(node.items) and node.group is None:
            shown = self._window_of_constants(shown)
        text = super().emit_Project(shown)
        self._constants = constants
        self._columns = False
        self._undirected = {
            item.alias
            for item in node.items
            if any(var.name in self._undirected for var in find(item.expr, ir.Var))
        }
        owners = {
            item.alias: self._owners[item.expr.name]
            for item in node.items
            if isinstance(item.expr, ir.Var) and item.expr.name in self._owners
        }
        self._owners = owners
        self._bound = {item.alias for item in node.items}
        self._lengths.clear()
        if node.where:
            text += f"{self._break}WHERE {self.emit(node.where)}"
        return text

    def _kept_for_order(
        self, node: ir.Project, order: tuple[ir.SortKey, ...]
    ) -> tuple[ir.SortKey, ...]:
        """Values from outside that subqueries in a CASE read, as the last of the sort keys: an
        order loses what it does not show, and LadybugDB fails to read them."""
        shown = {*(item.expr for item in node.items), *(key.expr for key in order)}
        keys: list[ir.SortKey] = []
        joined: list[ir.Expr] = []
        for part in dict.fromkeys((*(i.expr for i in node.items), *(k.expr for k in order))):
            subqueries: list[Subquery] = [*find(part, ir.Exists), *find(part, ir.CountOf)]
            for asked in subqueries:
                counts = isinstance(asked, ir.CountOf)
                for value in outer_values(asked.query, self._bound):
                    if meets(asked.query, [var.name for var in find(value, ir.Var)]):
                        joined += [value] if counts else []
                        continue
                    chosen = counts or nullable(value) or any(find(part, ir.Case))
                    if value in shown or not chosen:
                        continue
                    if kind_of(value) not in SORTED:
                        raise self._limit("subquery", "loses what it reads in an order", value)
                    shown.add(value)
                    keys.append(ir.SortKey(value))
        twice = next((value for value in joined if value in shown), None)
        if twice is not None:
            reason = "has rows twice that are sorted beside what a count through them reads"
            raise self._limit("subquery", reason, twice)
        return tuple(keys)

    def _is_constant(self, part: ir.Node) -> bool:
        """Whether LadybugDB may know the value for all rows: labels are those of a table."""
        match part:
            case ir.Var():
                return part.name in self._constants
            case ir.LabelTest() | ir.Call(name="labels" | "type"):
                return True
            case ir.Prop() if kind_of(part.base) in _ELEMENTS:
                return not self.tables.has(self._of(part.base), part.key)
            case ir.Exists() | ir.CountOf() | ir.Agg():
                return False
        return all(map(self._is_constant, children(part)))

    def _window_of_constants(self, node: ir.Project) -> ir.Project:
        """A WITH of nothing but constants: LadybugDB drops its DISTINCT, SKIP and LIMIT, but those
        of groups."""
        if node.distinct:
            count = ir.Item(ir.Agg("count", (), type=_COUNT), next(self._spare))
            return replace(node, items=(*node.items, count), distinct=False)
        if not node.order and (node.skip is not None or node.limit is not None):
            raise self._limit("LIMIT", "takes no part of rows of constants", node)
        return node

    # --- statements --------------------------------------------------------------------------

    def emit_Query(self, node: ir.Query) -> str:
        self._bound, self._owners, self._undirected = set(), {}, set()
        self._constants = set()
        self._lengths.clear()
        parts = []
        last_pattern = max(
            (i for i, clause in enumerate(node.clauses) if any(find(clause, ir.NodePattern))),
            default=-1,
        )
        for place, clause in enumerate(node.clauses):
            before = node.clauses[:place]
            self._met_later = place < last_pattern
            if isinstance(clause, ir.Match) and self._loops(clause):
                clause = self._whole(clause, before)
                parts.append(self.emit(clause))
                parts.append(self._once_each(clause, node.clauses[place + 1 :]))
                continue
            parts.append(self.emit(clause))
        return self._break.join(parts)

    def _once_each(self, match: ir.Match, after: tuple[ir.Clause, ...]) -> str:
        """Each row once: of an edge that was met in two directions only its identity is one."""
        read = {var.name for var in find(ir.Query(after), ir.Var)}
        shown = []
        for name in sorted(_names(match.paths) | self._bound):
            text = self.ident(name)
            if name in self._undirected:
                if name in read:
                    raise self._limit("undirected edges", "meets a self-loop twice", match)
                text = f"id({text}) AS {text}"
            shown.append(text)
        return f"WITH DISTINCT {', '.join(shown)}"

    def _loops(self, match: ir.Match) -> bool:
        edges = [step.edge for path in match.paths for step in path.steps]
        return any(
            isinstance(edge, ir.EdgePattern)
            and not edge.hops
            and _may_loop(edge, self.tables.schema)
            for edge in edges
        )

    def _whole(self, match: ir.Match, before: tuple[ir.Clause, ...]) -> ir.Match:
        """The match with a name for every element, so that its rows are told by them."""
        anonymous = any(node.var is None for node in find(ir.Query(before), ir.NodePattern)) or any(
            edge.var is None or edge.hops for edge in find(ir.Query(before), ir.EdgePattern)
        )
        own = [edge for path in match.paths for edge in find(path, ir.EdgePattern)]
        if (
            anonymous
            or any(not isinstance(clause, ir.Match) for clause in before)
            or any(edge.hops for edge in own)
            or any(path.var for path in match.paths)
        ):
            raise self._limit("undirected edges", "meets a self-loop twice", match)

        def named[P: (ir.NodePattern, ir.EdgePattern)](part: P) -> P:
            return part if part.var else replace(part, var=next(self._spare))

        paths = []
        for path in match.paths:
            steps = [
                replace(s, edge=named(s.edge), node=named(s.node))
                for s in path.steps
                if isinstance(s.edge, ir.EdgePattern)
            ]
            paths.append(replace(path, head=named(path.head), steps=tuple(steps)))
        return replace(match, paths=tuple(paths))

    def emit_Union(self, node: ir.Union) -> str:
        node = united(node, self.tables.schema)
        return super().emit_Union(node)


def _may_loop(edge: ir.EdgePattern, schema: SchemaGraph) -> bool:
    """Whether an undirected pattern can match an edge from a node to itself."""
    types = [t for t in schema.edges if not edge.type.of or t.name in edge.type.of]
    return edge.direction is ir.Direction.BOTH and any(t.source == t.target for t in types)


def _joined(node: ir.Expr) -> Iterator[ir.Expr]:
    """The texts that a chain of `+` joins."""
    joins = isinstance(node, ir.Arith) and node.op is ir.ArithOp.ADD
    if isinstance(node, ir.Arith) and joins and kind_of(node) is Kind.STRING:
        yield from _joined(node.left)
        yield from _joined(node.right)
    else:
        yield node


def _names(paths: Iterable[ir.Path]) -> set[str]:
    """The variables of patterns."""
    names: set[str | None] = set()
    for path in paths:
        names |= {path.var, path.head.var}
        for step in path.steps:
            names.add(step.node.var)
            if isinstance(step.edge, ir.EdgePattern):
                names.add(step.edge.var)
    return {name for name in names if name}
