"""The class of an error, from the difference of two statements; and the smallest repair.

The elements of both queries are aligned so that most facts agree; what is left differs, and each
difference is one step of the repair. The class is that of the step that comes first in the order
of `_RANK`: a wrong name makes what is built on it wrong, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from evaluation.metrics.alignment import aligned
from evaluation.metrics.facts import (
    EdgeFact,
    Facts,
    Keys,
    Window,
    branches,
    facts,
    hidden_aggregates,
    leaves,
    masked,
    node_keys,
    text_of,
    variables,
    without_aggregates,
    without_distinct,
    without_operators,
    without_owners,
    without_properties,
)
from evaluation.metrics.idioms import SQL_FUNCTIONS
from graph_ir import nodes as ir
from graph_ir.rewrites import has_aggregate
from graph_ir.walk import find, rewrite, substitute
from graphmill.errors import Refused
from schemagraph.model import SchemaGraph
from translators.cypher.dialect import Cypher

SCHEMA, CONDITION, AGGREGATION = "schema", "condition", "aggregation"
STRUCTURE, RETURNED = "structure", "returned"
CLASSES = ("syntax", "idiom", SCHEMA, CONDITION, AGGREGATION, STRUCTURE, RETURNED, "harmless")
"""The classes of what was answered; `other` is what differs in none of the known ways."""

_RANK = {
    (STRUCTURE, "union"): 0,
    (STRUCTURE, "optional"): 2,
    (SCHEMA, "label"): 2,
    (SCHEMA, "type"): 2,
    (SCHEMA, "direction"): 2,
    (STRUCTURE, "hops"): 3,
    (STRUCTURE, "subquery"): 5,
    (SCHEMA, "property"): 4,
    (AGGREGATION, "function"): 5,
    (AGGREGATION, "grouping"): 5,
    (CONDITION, "constant"): 6,
    (CONDITION, "operator"): 6,
    (CONDITION, "missing"): 6,
    (CONDITION, "extra"): 6,
    (RETURNED, "element"): 7,
    (RETURNED, "missing"): 7,
    (RETURNED, "extra"): 7,
    (RETURNED, "expression"): 7,
    (RETURNED, "column order"): 8,
}
_LAST = 9  # windows, uniqueness, lists


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a repair: the class and kind of what differs, and what to do."""

    category: str
    kind: str
    text: str
    implied: bool = False

    @property
    def rank(self) -> int:
        """Steps of a lower rank come first and give the class."""
        return 10 if self.implied else _RANK.get((self.category, self.kind), _LAST)


@dataclass(frozen=True, slots=True)
class Difference:
    """What kind of error it is, which parts differ (`class: kind`), and the steps that mend it."""

    category: str
    details: tuple[str, ...] = ()
    repair: tuple[str, ...] = ()


def classify(
    gold: ir.Statement,
    predicted: ir.Statement | None,
    *,
    right: bool,
    code: str,
    parses: bool,
    schema: SchemaGraph | None = None,
) -> Difference:
    """The class of a prediction that is not the gold query; both statements are bound.

    `code` is the error of what was not read or not run. With a `schema`, grouping by a key is
    grouping by its node.
    """
    if predicted is None:
        if right:
            return Difference("harmless")
        return Difference(_unread(code, parses))
    differences = steps(gold, predicted, schema)
    details = tuple(dict.fromkeys(f"{step.category}: {step.kind}" for step in differences))
    repair = tuple(dict.fromkeys(step.text for step in differences))
    if right:
        return Difference("harmless", details, repair)
    if code == "writes":
        return Difference("writes", (), ())
    if code == "unknown-function" and _calls_sql(predicted):
        return Difference("idiom", details, repair)
    if not differences:
        return Difference(code or "other")
    return Difference(differences[0].category, details, repair)


def _calls_sql(predicted: ir.Statement) -> bool:
    return any(call.name.casefold() in SQL_FUNCTIONS for call in find(predicted, ir.Call))


def _unread(code: str, parses: bool) -> str:
    if code in ("sql", "idiom"):
        return "idiom"
    return (code or "other") if parses else "syntax"


def steps(
    gold: ir.Statement, predicted: ir.Statement, schema: SchemaGraph | None = None
) -> list[Step]:
    """The steps that turn a prediction into the gold query, the weightiest first."""
    keys = {node.name: node.key for node in schema.nodes} if schema else {}
    return sorted(_statements(gold, predicted, frozenset(), keys), key=lambda step: step.rank)


def _statements(
    gold: ir.Statement, predicted: ir.Statement, outer: frozenset[str], keys: Keys
) -> Iterator[Step]:
    theirs, kinds = branches(gold)
    mine, own_kinds = branches(predicted)
    if len(mine) != len(theirs):
        text = f"unite {len(theirs)} queries, not {len(mine)}"
        yield Step(STRUCTURE, "union", text)
        return
    if kinds != own_kinds:
        yield Step(STRUCTURE, "union", "UNION and UNION ALL are exchanged")
    for one, other in zip(theirs, mine, strict=True):
        readings = (False, True) if _tests_existence(one) != _tests_existence(other) else (False,)
        repairs = []
        for joins in readings:
            read = facts(one, joins=joins), facts(other, joins=joins)
            repairs.append(list(_Comparison(*read, outer, keys).steps()))
        yield from min(repairs, key=len)


def _tests_existence(query: ir.Query) -> bool:
    return next(find(query, ir.Exists), None) is not None


class _Comparison:
    def __init__(self, gold: Facts, predicted: Facts, outer: frozenset[str], keys: Keys) -> None:
        self.gold = gold
        self.predicted = predicted
        self.keys = keys
        self.names = aligned(gold, predicted, outer)
        self.own = {name: name for name in (*outer, *_all_names(gold))}
        self.lost = set(gold.nodes) - set(self.names.values())
        self.extra = {name for name in self.names.values() if name.startswith("extra ")}
        self.surplus = {own for own, name in self.names.items() if name in self.extra}
        self.filters = self._filters(gold, self.lost), self._filters(predicted, self.surplus)
        if all(self.filters):  # a filter that sits elsewhere is no filter that was forgotten
            self.filters = set(), set()

    @staticmethod
    def _filters(of: Facts, nodes: set[str]) -> set[str]:
        """Those of the nodes that are there for a condition on their values alone."""
        used = {name for expr in (*of.columns, *sum(of.groups, ())) for name in variables(expr)}
        tested = {
            name
            for expr, _ in of.conditions
            if not _queries(expr) and next(find(expr, ir.Literal), None)
            for name in variables(expr)
        }
        return (nodes & tested) - used

    def steps(self) -> Iterator[Step]:
        yield from self._nodes()
        yield from self._edges()
        yield from self._conditions()
        yield from self._columns()
        yield from self._groups()
        yield from self._windows()
        yield from self._rest()

    # --- patterns ------------------------------------------------------------------------------

    def _nodes(self) -> Iterator[Step]:
        for name, node in self.predicted.nodes.items():
            other = self.gold.nodes.get(self.names[name])
            if other is None:
                continue
            if node.optional != other.optional:
                how = "optional" if other.optional else "not optional"
                yield Step(STRUCTURE, "optional", f"{name} is {how}")
                continue
            if node.labels != other.labels:
                implied = set(node.of) == set(other.of) and not (node.labels and other.labels)
                text = f"{name} is {_labels(other.labels)}, not {_labels(node.labels)}"
                yield Step(SCHEMA, "label", text, implied)

    def _edges(self) -> Iterator[Step]:
        left = {edge.var: edge for edge in self.gold.edges}
        for edge in self.predicted.edges:
            other = left.pop(self.names.get(edge.var, ""), None)
            if other is None:
                text = f"leave out the edge {_labels(edge.types)}"
                implied = bool({edge.left, edge.right} & self.filters[1])
                yield Step(STRUCTURE, "hops", text, implied)
            else:
                yield from self._edge(edge, other)
        for other in left.values():
            text = f"add an edge {_labels(other.types)} from {other.left} to {other.right}"
            implied = bool({other.left, other.right} & self.filters[0]) or self._is_collapsed()
            yield Step(STRUCTURE, "hops", text, implied)
        if not self.gold.edges and not self.predicted.edges:
            for name in sorted(self.lost):
                text = f"add a pattern {_labels(self.gold.nodes[name].labels)}"
                yield Step(STRUCTURE, "hops", text, self._is_collapsed())
            if self.extra:
                yield Step(STRUCTURE, "hops", "leave out a pattern")

    def _edge(self, edge: EdgeFact, other: EdgeFact) -> Iterator[Step]:
        shown = _labels(other.types)
        if edge.types != other.types:
            implied = bool(edge.of) and set(edge.of) == set(other.of)
            text = f"the edge is {shown}, not {_labels(edge.types)}"
            yield Step(SCHEMA, "type", text, implied)
        turned = not other.both and self.names.get(edge.left) != other.left
        if edge.both != other.both or turned:
            way = "in both directions" if other.both else f"from {other.left} to {other.right}"
            yield Step(SCHEMA, "direction", f"{shown} runs {way}")
        if edge.hops != other.hops:
            yield Step(STRUCTURE, "hops", f"{shown} has {other.hops or '1'} hops")
        ends = self.gold.nodes.get(other.left), self.gold.nodes.get(other.right)
        if edge.optional != other.optional and any(ends):
            how = "optional" if other.optional else "not optional"
            yield Step(STRUCTURE, "optional", f"{shown} is {how}")

    # --- expressions ---------------------------------------------------------------------------

    def _text(self, expr: ir.Expr, *, gold: bool) -> str:
        return text_of(expr, self.own if gold else self.names)

    def _unequal(
        self, theirs: Sequence[ir.Expr], mine: Sequence[ir.Expr]
    ) -> tuple[list[ir.Expr], list[ir.Expr]]:
        """Expressions that only the gold has, and that only the prediction has."""
        counted = Counter(self._text(expr, gold=False) for expr in mine)
        left = []
        for expr in theirs:
            text = self._text(expr, gold=True)
            if counted[text]:
                counted[text] -= 1
            else:
                left.append(expr)
        other = Counter(self._text(expr, gold=True) for expr in theirs)
        own = []
        for expr in mine:
            text = self._text(expr, gold=False)
            if other[text]:
                other[text] -= 1
            else:
                own.append(expr)
        return left, own

    def _paired(
        self, theirs: list[ir.Expr], mine: list[ir.Expr]
    ) -> Iterator[tuple[ir.Expr, ir.Expr, list[Step]]]:
        """Pairs of expressions that differ in one known way, taken from the lists."""
        for kind, form in _FORMS:
            for expr in list(theirs):
                wanted = text_of(form(expr), self.own)
                for other in mine:
                    if text_of(form(other), self.names) == wanted:
                        theirs.remove(expr)
                        mine.remove(other)
                        text = f"{_shown(expr)} instead of {_shown(other)}"
                        copied = form is without_owners and bool(
                            variables(expr) & self.lost or variables(other) & self.surplus
                        )  # a reference has the value of the key at the other end of its edge
                        yield expr, other, [Step(*kind, text, copied)]
                        break
        for expr in list(theirs):
            for other in list(mine):
                inside = self._nested(expr, other)
                if inside is not None:
                    theirs.remove(expr)
                    mine.remove(other)
                    yield expr, other, inside
                    break

    def _nested(self, expr: ir.Expr, other: ir.Expr) -> list[Step] | None:
        """Differences inside subqueries of expressions that are alike around them; None where they
        are not, or have none. There may be no difference: patterns are read from both ends."""
        gold, own = _queries(expr), _queries(other)
        if not gold or len(gold) != len(own):
            return None
        differences: list[Step] = []
        if not self._same_text(_hollow(expr), _hollow(other)):
            form = without_operators
            if not self._same_text(_hollow(form(expr)), _hollow(form(other))):
                return None
            text = f"{_shown(expr)} instead of {_shown(other)}"
            differences.append(Step(CONDITION, "operator", text))
        outer = frozenset(self.own.values()) | frozenset(self.names.values())
        for one, two in zip(gold, own, strict=True):
            differences += _statements(one, _renamed(two, self.names), outer, self.keys)
        return differences

    def _same_text(self, expr: ir.Expr, other: ir.Expr) -> bool:
        return text_of(expr, self.own) == text_of(other, self.names)

    def _conditions(self) -> Iterator[Step]:
        theirs, mine = self._unequal(
            [expr for expr, _ in self.gold.conditions],
            [expr for expr, _ in self.predicted.conditions],
        )
        hidden = self.lost - self.filters[0]
        theirs = [expr for expr in theirs if not variables(expr) & hidden]
        mine = [expr for expr in mine if not self._is_extra(expr)]
        one = Counter(self._text(leaf, gold=True) for leaf in leaves(theirs))
        if one and one == Counter(self._text(leaf, gold=False) for leaf in leaves(mine)):
            text = f"{_joined(theirs)} instead of {_joined(mine)}"
            yield Step(CONDITION, "operator", text)
            return
        for _, _, inner in self._paired(theirs, mine):
            yield from inner
        for expr in theirs:
            yield Step(*_condition(expr, "missing"), f"add {_shown(expr)}")
        for expr in mine:
            implied = self._nulls_last(expr)
            yield Step(*_condition(expr, "extra"), f"leave out {_shown(expr)}", implied)

    def _is_extra(self, expr: ir.Expr) -> bool:
        names = variables(expr) - self.filters[1]
        return any(self.names.get(name, name) in self.extra for name in names)

    def _nulls_last(self, expr: ir.Expr) -> bool:
        """Whether it keeps out the rows that the gold query orders last, or orders at all."""
        if not (isinstance(expr, ir.IsNull) and expr.negated):
            return False
        wanted = self._text(expr.arg, gold=False)
        keys = (part for key, _ in self.gold.window.order for part in (key, *find(key, ir.Expr)))
        return any(isinstance(k, ir.Expr) and self._text(k, gold=True) == wanted for k in keys)

    def _columns(self) -> Iterator[Step]:
        texts = [self._text(expr, gold=True) for expr in self.gold.columns]
        own = [self._text(expr, gold=False) for expr in self.predicted.columns]
        if texts == own:
            return
        if sorted(texts) == sorted(own):
            yield Step(RETURNED, "column order", f"return {_joined(self.gold.columns)}")
            return
        theirs, mine = self._unequal(self.gold.columns, self.predicted.columns)
        for _, _, inner in self._paired(theirs, mine):
            yield from inner
        grouped = self.gold.aggregated or self.predicted.aggregated
        while theirs and mine:
            expr, other = theirs.pop(0), mine.pop(0)
            yield _replaced(expr, other, self._same_aggregates(expr, other))
        for kind, left in (("missing", theirs), ("extra", mine)):
            for expr in left:
                text = f"{'add' if kind == 'missing' else 'leave out'} the column {_shown(expr)}"
                if has_aggregate(expr) and not (kind == "extra" and self.gold.groups):
                    yield Step(AGGREGATION, "function", text)
                elif grouped and not has_aggregate(expr):
                    yield Step(AGGREGATION, "grouping", text)
                else:
                    yield Step(RETURNED, kind, text)

    def _same_aggregates(self, expr: ir.Expr, other: ir.Expr) -> bool:
        """Whether two columns compute something else from the same aggregates."""
        gold = sorted(self._text(each, gold=True) for each in find(expr, ir.Agg))
        own = sorted(self._text(each, gold=False) for each in find(other, ir.Agg))
        return bool(gold) and gold == own

    def _groups(self) -> Iterator[Step]:
        for gold, own in zip_longest(self.gold.groups, self.predicted.groups):
            if gold is None or own is None:
                text = "add a stage that aggregates" if own is None else "leave out a stage"
                yield Step(AGGREGATION, "grouping", text)
                continue
            theirs, mine = self._unequal(gold, own)
            changes = [step for *_, inner in self._paired(theirs, mine) for step in inner]
            if theirs or mine:
                theirs, mine = self._unequal(
                    node_keys(gold, self.gold.nodes, self.keys),
                    node_keys(own, self.predicted.nodes, self.keys),
                )
                changes = [step for *_, inner in self._paired(theirs, mine) for step in inner]
            yield from changes
            if theirs or mine:
                yield Step(AGGREGATION, "grouping", f"group by {_joined(gold)}")

    def _is_collapsed(self) -> bool:
        """Whether a group of each is compared with itself: the prediction has one pattern where
        the gold query aggregates one and compares another with it."""
        if not self.gold.groups or not self.lost:
            return False
        if any(has_aggregate(expr) and not after for expr, after in self.predicted.conditions):
            return True  # an aggregate in WHERE, where there are no groups yet
        kept = {node.labels for name, node in self.gold.nodes.items() if name not in self.lost}
        if not self.predicted.groups or {self.gold.nodes[name].labels for name in self.lost} - kept:
            return False
        theirs, mine = self._unequal(
            node_keys(self.gold.groups[0], self.gold.nodes, self.keys),
            node_keys(self.predicted.groups[0], self.predicted.nodes, self.keys),
        )
        return bool(mine) and not theirs

    def _windows(self) -> Iterator[Step]:
        yield from self._window(self.gold.window, self.predicted.window)
        pairs = zip_longest(self.gold.inner, self.predicted.inner, fillvalue=Window())
        for gold, own in pairs:
            yield from self._window(gold, own)

    def _window(self, gold: Window, own: Window) -> Iterator[Step]:
        if gold.distinct != own.distinct:
            yield Step(STRUCTURE, "distinct", f"{'add' if gold.distinct else 'leave out'} DISTINCT")
        theirs = [(self._text(expr, gold=True), down) for expr, down in gold.order]
        mine = [(self._text(expr, gold=False), down) for expr, down in own.order]
        if theirs != mine:
            keys = ", ".join(f"{_shown(e)}{' DESC' if down else ''}" for e, down in gold.order)
            text = f"ORDER BY {keys}" if keys else "leave out ORDER BY"
            by_another = self._aggregated_otherwise(gold, own)
            yield Step(*(AGGREGATION, "function") if by_another else (STRUCTURE, "order"), text)
        for name, a, b in (("LIMIT", gold.limit, own.limit), ("SKIP", gold.skip, own.skip)):
            if a != b:
                text = f"leave out {name}" if a is None else f"{name} {_shown(a)}"
                yield Step(STRUCTURE, "limit", text)

    def _aggregated_otherwise(self, gold: Window, own: Window) -> bool:
        """Whether two orders differ in nothing but what their keys aggregate."""
        theirs, mine = (
            [(text_of(hidden_aggregates(e), {}), down) for e, down in window.order]
            for window in (gold, own)
        )
        plain = not any(has_aggregate(expr) for expr, _ in own.order)
        ways = [[down for _, down in window.order] for window in (gold, own)]
        either = theirs == mine or (plain and ways[0] == ways[1])
        return either and any(has_aggregate(expr) for expr, _ in gold.order)

    def _rest(self) -> Iterator[Step]:
        if self.gold.repeatable != self.predicted.repeatable:
            yield Step(STRUCTURE, "uniqueness", "edges of a MATCH are different ones")
        for a, b in zip_longest(self.gold.lists, self.predicted.lists):
            if a is None or b is None:
                yield Step(STRUCTURE, "list", "add UNWIND" if b is None else "leave out UNWIND")
            elif self._text(a, gold=True) != self._text(b, gold=False):
                yield Step(CONDITION, "constant", f"{_shown(a)} instead of {_shown(b)}")
        for one, two in zip_longest(self.gold.calls, self.predicted.calls):
            if one is None or two is None:
                yield Step(STRUCTURE, "subquery", "add CALL" if two is None else "leave out CALL")
            else:
                outer = frozenset(self.own.values()) | frozenset(self.names.values())
                yield from _statements(one, _renamed(two, self.names), outer, self.keys)


_FORMS: Sequence[tuple[tuple[str, str], Callable[[ir.Expr], ir.Expr]]] = (
    ((CONDITION, "constant"), masked),
    ((CONDITION, "operator"), without_operators),
    ((SCHEMA, "property"), without_properties),
    ((SCHEMA, "property"), without_owners),
    ((STRUCTURE, "distinct"), without_distinct),
    ((AGGREGATION, "function"), without_aggregates),
    ((CONDITION, "operator"), lambda expr: masked(without_operators(expr))),
    ((SCHEMA, "property"), lambda expr: without_properties(without_operators(masked(expr)))),
)
"""What two expressions differ in when they are equal in a form, the least difference first."""


def _condition(expr: ir.Expr, kind: str) -> tuple[str, str]:
    """The class of a condition more or less: a pattern that must or must not be there is a part of
    the structure."""
    whole = expr.arg if isinstance(expr, ir.Not) else expr
    return (STRUCTURE, "subquery") if isinstance(whole, ir.Exists) else (CONDITION, kind)


def _replaced(expr: ir.Expr, other: ir.Expr, same_aggregates: bool) -> Step:
    """A column in the place of another that it has nothing in common with."""
    text = f"return {_shown(expr)} instead of {_shown(other)}"
    if same_aggregates:
        return Step(RETURNED, "expression", text)
    if has_aggregate(expr) or has_aggregate(other):
        if _same_form(expr, other):
            return Step(SCHEMA, "property", text)
        return Step(AGGREGATION, "function", text)
    if isinstance(expr, ir.Var) != isinstance(other, ir.Var):
        return Step(RETURNED, "element", text)
    return Step(RETURNED, "expression", text)


def _same_form(expr: ir.Expr, other: ir.Expr) -> bool:
    """Whether two aggregates differ in the properties alone that they read, whosoever they are."""
    both = [without_owners(without_properties(each)) for each in (expr, other)]
    return text_of(both[0], {}) == text_of(both[1], {})


def _all_names(of: Facts) -> Iterator[str]:
    yield from of.nodes
    yield from (edge.var for edge in of.edges if edge.var)
    for expr in (*of.columns, *(c for c, _ in of.conditions)):
        yield from (n for n in variables(expr) if n.startswith(("list ", "path ")))


def _queries(expr: ir.Expr) -> list[ir.Statement]:
    nodes = find(expr, ir.Exists, ir.CountOf, ir.CollectOf)
    return [n.query for n in nodes if isinstance(n, ir.Exists | ir.CountOf | ir.CollectOf)]


def _hollow(expr: ir.Expr) -> ir.Expr:
    """The expression with nothing in its subqueries."""

    def change(node: ir.Node) -> ir.Node | None:
        if isinstance(node, ir.Exists | ir.CountOf | ir.CollectOf):
            return ir.Call(type(node).__name__)
        return None

    return substitute(expr, change)


def _renamed(statement: ir.Statement, names: Mapping[str, str]) -> ir.Statement:
    def change(node: ir.Node) -> ir.Node:
        if isinstance(node, ir.Var) and node.name in names:
            return replace(node, name=names[node.name])
        if isinstance(node, ir.NodePattern | ir.EdgePattern) and node.var in names:
            return replace(node, var=names[str(node.var)])
        return node

    return rewrite(statement, change)


def _labels(text: str) -> str:
    """A label expression from its text, for people."""
    if not text:
        return "any"
    names = [part.split("'")[1] for part in text.split("name=")[1:] if "'" in part]
    return ":" + "|".join(names) if names else text[:40]


def _shown(expr: ir.Expr) -> str:
    try:
        return str(Cypher().emit(expr))
    except Refused:
        return repr(expr)[:80]


def _joined(exprs: Sequence[ir.Expr]) -> str:
    return ", ".join(map(_shown, exprs))
