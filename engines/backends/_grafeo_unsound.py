"""What grafeo 0.6 answers wrongly without an error, as predicates over Graph-IR.

Measured on 0.6.0 against the openCypher TCK, ISO probes, DuckDB and Neo4j; every entry has
examples in tests/engines/grafeo/unsound.cases, which fail when a new version mends the fault.
`cypher` and `gql` are the plain languages; the profiles `cypher-grafeo` and `gql-grafeo` say most
of this otherwise or refuse it, and are named only where they do not.

Types decide many of these, so a statement should come from `graph_ir.bind`; one without types is
bound without a schema. Not seen here, because the statement does not show it: faults of spelling
that no dialect of ours writes (`->?`, `{,n}`, `~[]~`, a LET that reads its own names, a GQL
variable `inf` or `nan`, a column called as a value of the session in ORDER BY); a text in a
property map compared with a number (`graph_ir.bind` reports it as `incomparable`); compact dates
in stored text.

One predicate a fault and the table that lists them are one module of over 600 lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from engines.backends._wide_numbers import groups_wide_numbers
from engines.base import Unsound
from engines.values import NANOS, parse_duration
from graph_ir import nodes as ir
from graph_ir.bind.statements import TOLERATED, bound
from graph_ir.lowerings import conjuncts
from graph_ir.rewrites import has_aggregate
from graph_ir.variables import introduced, pattern_names, read_names
from graph_ir.walk import find
from schemagraph.model import NUMERIC, TEMPORAL, Kind, Type

CYPHER, GQL = "cypher", "gql"
CYPHER_PROFILE, GQL_PROFILE = "cypher-grafeo", "gql-grafeo"
PLAIN = (CYPHER, GQL)
PGQ_PROFILE = "pgq-grafeo"
EVERY = (CYPHER, CYPHER_PROFILE, GQL, GQL_PROFILE)

_ZERO = ir.Literal(0)
ELEMENTS = (Kind.NODE, Kind.EDGE, Kind.PATH)
ORDERED = (ir.CompareOp.LT, ir.CompareOp.LE, ir.CompareOp.GT, ir.CompareOp.GE)
JOINING = (ir.CompareOp.GT, ir.CompareOp.GE, ir.CompareOp.NE)
TURNED = {ir.CompareOp.LT: ir.CompareOp.GT, ir.CompareOp.LE: ir.CompareOp.GE}
INSTANTS = frozenset(("date", "time", "localtime", "datetime", "localdatetime"))
INTERNAL = frozenset(("_id", "_labels", "_source", "_target", "_type"))
READ_PARTS = frozenset(("year", "month", "day", "hour", "minute", "second", "timezone"))

_DATE = r"-?\d{4}-\d{2}-\d{2}"
_TIME = r"\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?"
_ZONE = r"(?:Z|[+-]\d{2}:\d{2})"
_UNITS = {  # months, days or nanoseconds
    "years": 12,
    "quarters": 3,
    "weeks": 7,
    "hours": 3600 * NANOS,
    "minutes": 60 * NANOS,
    "seconds": NANOS,
    "milliseconds": NANOS // 1000,
    "microseconds": 1000,
}
_NUMBERS = frozenset(("INF", "INFINITY", "NAN"))
READ_TEXTS = {
    "date": re.compile(_DATE),
    "localtime": re.compile(_TIME),
    "time": re.compile(f"{_TIME}{_ZONE}?"),
    "localdatetime": re.compile(f"{_DATE}T{_TIME}"),
    "datetime": re.compile(f"{_DATE}T{_TIME}{_ZONE}"),
}

type Test = Callable[[ir.Statement], Iterator[ir.Node]]


def _kind(expr: ir.Expr) -> Kind:
    return expr.type.kind


def _lists_and_items(statement: ir.Statement) -> Iterator[ir.Node]:
    for node in find(statement, ir.Arith):
        kinds = (_kind(node.left), _kind(node.right))
        if node.op is ir.ArithOp.ADD and Kind.LIST in kinds and kinds[0] is not kinds[1]:
            yield node


def _slices(statement: ir.Statement) -> Iterator[ir.Node]:
    for node in find(statement, ir.Slice):
        if any(bound is not None and not _counts(bound) for bound in (node.lo, node.hi)):
            yield node


def _counts(expr: ir.Expr) -> bool:
    """Whether `expr` is surely a number from 0 up."""
    match expr:
        case ir.Literal(value=int(value)):
            return value >= 0
        case ir.Call("size", (arg,)) | ir.Call("length", (arg,)):
            return not arg.type.nullable
        case ir.Agg("count") | ir.CountOf():
            return True
    return False


def _quantifiers(statement: ir.Statement) -> Iterator[ir.Node]:
    return (node for node in find(statement, ir.Quantifier) if node.where.type.nullable)


def _null_inside(statement: ir.Statement) -> Iterator[ir.Node]:
    for node in find(statement, ir.Compare):
        sides = (node.left, node.right)
        if Kind.MAP in map(_kind, sides) or any(_holds_null(side.type) for side in sides):
            yield node
    for member in find(statement, ir.In):
        some = isinstance(member.list, ir.ListOf) and member.list.items
        item, listed = member.item.type, member.list.type.item
        inside = _holds_null(item) or (listed is not None and _holds_null(listed))
        if inside or (item.nullable and not some):
            yield member


def _holds_null(kind: Type) -> bool:
    """Whether a list of this type can hold a null, at any depth."""
    while kind.kind is Kind.LIST and kind.item is not None:
        if kind.item.nullable:
            return True
        kind = kind.item
    return kind.kind is Kind.MAP


def _orders(statement: ir.Statement) -> Iterator[ir.Node]:
    for node in find(statement, ir.Compare):
        if node.op in ORDERED and {_kind(node.left), _kind(node.right)} & {Kind.BOOLEAN, Kind.LIST}:
            yield node


def _text_and_number(statement: ir.Statement) -> Iterator[ir.Node]:
    for node, left, right in _comparisons(statement):
        kinds = {_kind(left), _kind(right)}
        if Kind.STRING in kinds and kinds & NUMERIC:
            yield node


def _comparisons(statement: ir.Statement) -> Iterator[tuple[ir.Node, ir.Expr, ir.Expr]]:
    for node in find(statement, ir.Compare):
        yield node, node.left, node.right
    for member in find(statement, ir.In):
        items = member.list.items if isinstance(member.list, ir.ListOf) else ()
        yield from ((member, member.item, item) for item in items)
        if not items and member.list.type.item is not None:
            yield member, member.item, ir.Var("item", type=member.list.type.item)
    for case in find(statement, ir.Case):
        if case.operand is not None:
            yield from ((case, case.operand, when.condition) for when in case.whens)


def _percentiles(statement: ir.Statement) -> Iterator[ir.Node]:
    for node in find(statement, ir.Agg):
        if node.name.startswith("percentile") and not isinstance(node.args[1], ir.Literal):
            yield node


def _discrete_percentile(statement: ir.Statement) -> Iterator[ir.Node]:
    return _typed_otherwise(
        statement, [agg for agg in find(statement, ir.Agg) if agg.name == "percentileDisc"]
    )


def _continuous_percentile(statement: ir.Statement) -> Iterator[ir.Node]:
    means = [agg for agg in find(statement, ir.Agg) if agg.name == "percentileCont"]
    return _typed_otherwise(statement, [agg for agg in means if _may_be_integer(agg.args[0])])


def _rounded_integer(statement: ir.Statement) -> Iterator[ir.Node]:
    calls = [call for call in find(statement, ir.Call) if call.name in ("ceil", "floor", "round")]
    return _typed_otherwise(statement, [call for call in calls if _may_be_integer(call.args[0])])


def _may_be_integer(value: ir.Expr) -> bool:
    return value.type.kind is not Kind.FLOAT or value.type.mixed


def _typed_otherwise(statement: ir.Statement, values: Sequence[ir.Expr]) -> Iterator[ir.Node]:
    """Where it shows that values are right and their types are not: divided, printed, in lists."""
    for node in find(statement, ir.Arith, ir.Call, ir.ListOf, ir.MapOf):
        inner = [part for part in find(node, ir.Agg, ir.Call) if part is not node]
        if any(part is value for part in inner for value in values):
            yield node
    if values:
        yield from (a for a in find(statement, ir.Arith) if a.op is ir.ArithOp.DIV)


def _empty_hops(statement: ir.Statement) -> Iterator[ir.Node]:
    return (h for h in find(statement, ir.Hops) if h.hi is not None and h.hi < h.lo)


def _powers(statement: ir.Statement) -> Iterator[ir.Node]:
    power = ir.ArithOp.POW
    for node in find(statement, ir.Arith):
        if node.op is power and isinstance(node.left, ir.Arith) and node.left.op is power:
            yield node


def _comprehensions(statement: ir.Statement) -> Iterator[ir.Node]:
    return (node for node in find(statement, ir.PatternComp) if node.result.type.nullable)


def _to_integer(statement: ir.Statement) -> Iterator[ir.Node]:
    for node in _calls(statement, "toInteger", "toIntegerOrNull"):
        arg = node.args[0]
        whole = isinstance(arg, ir.Literal) and re.fullmatch(r"[+-]?\d+", str(arg.value))
        if _kind(arg) in (Kind.STRING, Kind.ANY) and not whole:
            yield node


def _to_string(statement: ir.Statement) -> Iterator[ir.Node]:
    exact = (Kind.STRING, Kind.INTEGER, Kind.BOOLEAN, Kind.DATE, Kind.NULL)
    for node in _calls(statement, "toString", "toStringOrNull"):
        if _kind(node.args[0]) not in exact:
            yield node


def _of_nothing(statement: ir.Statement) -> Iterator[ir.Node]:
    """Sums and deviations; `coalesce(sum(x), 0)` says what Cypher's sum of nothing is."""
    zero = {id(call.args[0]) for call in _calls(statement, "coalesce") if call.args[1:] == (_ZERO,)}
    for node in find(statement, ir.Agg):
        if node.name in ("sum", "stDev") and id(node) not in zero:
            yield node


def _sorts_by_alias(statement: ir.Statement) -> Iterator[ir.Node]:
    """Sort keys of a RETURN that are computed from its columns, beside what no column shows."""
    for project in find(statement, ir.Project):
        if not project.final or project.distinct or project.group is not None:
            continue
        shown = {item.expr for item in project.items}
        made = {item.alias for item in project.items if item.expr != ir.Var(item.alias)}
        elements = {item.alias for item in project.items if _kind(item.expr) in ELEMENTS}
        keys = [key for key in project.order if key.expr not in shown]
        reads = [{var.name for var in find(key.expr, ir.Var)} for key in keys]
        if any(names - (made - elements) for names in reads):
            for key, names in zip(keys, reads, strict=True):
                if names & (made - elements) and not isinstance(key.expr, ir.Var):
                    yield key


def _windows(statement: ir.Statement) -> Iterator[ir.Node]:
    """A LIMIT, and an order, a condition or groups after it."""
    for query in find(statement, ir.Query):
        window: ir.Project | None = None
        for project in query.clauses:
            if not isinstance(project, ir.Project):
                continue
            if window is not None and (project.order or project.where or project.group):
                yield window
            if project.limit is not None and project.group is None:
                window = project


def _temporal_maps(statement: ir.Statement) -> Iterator[ir.Node]:
    for node in _calls(statement, *INSTANTS):
        arg = node.args[0] if node.args else None
        if isinstance(arg, ir.MapOf):
            if not {entry.key for entry in arg.entries} <= READ_PARTS:
                yield node
        elif arg is not None and _kind(arg) in (*TEMPORAL, Kind.MAP):
            yield node


def _temporal_texts(statement: ir.Statement) -> Iterator[ir.Node]:
    for node in _calls(statement, *INSTANTS):
        arg = node.args[0] if node.args else None
        text = arg.value if isinstance(arg, ir.Literal) else None
        if isinstance(text, str) and not READ_TEXTS[node.name].fullmatch(text):
            yield node


def _negative_fractions(statement: ir.Statement) -> Iterator[ir.Node]:
    for node in _calls(statement, "duration"):
        arg = node.args[0]
        text = arg.value if isinstance(arg, ir.Literal) else None
        if isinstance(text, str) and re.search(r"-\d+[.,]\d", text):
            yield node


def _wide_durations(statement: ir.Statement) -> Iterator[ir.Node]:
    """Durations of whose months, days or nanoseconds 64 bits are too few, as far as is written."""
    for node in _calls(statement, "duration"):
        arg = node.args[0]
        parts: list[int] = []
        if isinstance(arg, ir.Literal) and isinstance(arg.value, str):
            try:
                parts += parse_duration(arg.value)
            except ValueError:
                continue
        for entry in arg.entries if isinstance(arg, ir.MapOf) else ():
            if isinstance(entry.value, ir.Literal) and isinstance(entry.value.value, int | float):
                parts.append(int(entry.value.value * _UNITS.get(entry.key, 1)))
        if sum(map(abs, parts)) > 2**63 - 1:
            yield node


def _duration_parts(statement: ir.Statement) -> Iterator[ir.Node]:
    for node in _calls(statement, "duration"):
        arg = node.args[0]
        for entry in arg.entries if isinstance(arg, ir.MapOf) else ():
            part = entry.key in ("milliseconds", "microseconds")
            if part or _kind(entry.value) is not Kind.INTEGER:
                yield node
        text = arg.value if isinstance(arg, ir.Literal) else None
        if isinstance(text, str) and re.search(r"\d[.,]\d+[YMWDH]|\d[.,]\d+M\b", text):
            yield node


def _names_of_numbers(statement: ir.Statement) -> Iterator[ir.Node]:
    for var in find(statement, ir.Var):
        if var.name.upper() in _NUMBERS:
            yield var


def _week_days(statement: ir.Statement) -> Iterator[ir.Node]:
    return (n for n in find(statement, ir.Prop) if n.key == "weekDay" and _kind(n.base) in TEMPORAL)


def _rounding(statement: ir.Statement) -> Iterator[ir.Node]:
    for node in _calls(statement, "round"):
        if len(node.args) == 1 and _kind(node.args[0]) is not Kind.INTEGER:
            yield node


def _text_and_number_joined(statement: ir.Statement) -> Iterator[ir.Node]:
    """`1 + 'a'` and `'a' + 1.0`; `'a' + 1` is right."""
    number = (Kind.INTEGER, Kind.FLOAT)
    for node in find(statement, ir.Arith):
        left, right = _kind(node.left), _kind(node.right)
        if node.op is ir.ArithOp.ADD and (
            (left in number and right is Kind.STRING)
            or (left is Kind.STRING and right is Kind.FLOAT)
        ):
            yield node


def _edge_labels(statement: ir.Statement) -> Iterator[ir.Node]:
    return (node for node in find(statement, ir.LabelTest) if _kind(node.arg) is Kind.EDGE)


def _numbers_for_elements(statement: ir.Statement) -> Iterator[ir.Node]:
    # Of what it cannot compute a property of, it says so.
    bases = {id(prop.base) for prop in find(statement, ir.Prop)}
    for node in find(statement, ir.Case, ir.Call):
        if (
            id(node) not in bases
            and _kind(node) in ELEMENTS
            and not (
                isinstance(node, ir.Call) and node.name in ("startNode", "endNode", "head", "last")
            )
        ):
            yield node
    for unwind in find(statement, ir.Unwind):
        if isinstance(unwind.expr, ir.ListOf) and any(
            _kind(item) in ELEMENTS for item in unwind.expr.items
        ):
            yield unwind


def _unwound_nulls(statement: ir.Statement) -> Iterator[ir.Node]:
    for unwind in find(statement, ir.Unwind):
        if isinstance(unwind.expr, ir.ListOf):
            kinds = {_kind(item) for item in unwind.expr.items}
            if Kind.NULL in kinds and not kinds.isdisjoint(ELEMENTS):
                yield unwind


def _without_alias(statement: ir.Statement) -> Iterator[ir.Node]:
    for project in find(statement, ir.Project):
        if project.final and not any(item.named for item in project.items):
            grouped = any(has_aggregate(item.expr) for item in project.items)
            for item in project.items if grouped else ():
                yield from filter(_is_element, find(item, ir.Expr))


def _is_element(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Var) and _kind(expr) in ELEMENTS


def _internal_names(statement: ir.Statement) -> Iterator[ir.Node]:
    patterns = {id(p.props) for p in find(statement, ir.NodePattern)}
    patterns |= {id(p.props) for p in find(statement, ir.EdgePattern)}
    for node in find(statement, ir.Expr):
        if isinstance(node, ir.MapOf | ir.MapProjection) and id(node) not in patterns:
            keys = {entry.key for entry in node.entries}
            if keys & INTERNAL or keys == {"months", "days", "nanos"}:
                yield node


def _quantified(statement: ir.Statement) -> Iterator[ir.Node]:
    for node in find(statement, ir.Quantified):
        ends = (node.path.head, *(step.node for step in node.path.steps))
        bare = all(end.labels is None and end.props is None and end.where is None for end in ends)
        if len(node.path.steps) != 1 or not bare or node.where is not None:
            yield node


def _joined_lists(statement: ir.Statement) -> Iterator[ir.Node]:
    for node in find(statement, ir.Arith):
        kinds = (_kind(node.left), _kind(node.right))
        if node.op is ir.ArithOp.ADD and Kind.LIST in kinds:
            yield node


def _null_properties(statement: ir.Statement) -> Iterator[ir.Node]:
    nodes, edges = find(statement, ir.NodePattern), find(statement, ir.EdgePattern)
    for props in (*(node.props for node in nodes), *(edge.props for edge in edges)):
        if isinstance(props, ir.MapOf):
            yield from (e for e in props.entries if e.value == ir.Literal(None))


def _search_predicates(statement: ir.Statement) -> Iterator[ir.Node]:
    for match in find(statement, ir.Match):
        for path in match.paths if match.where is not None else ():
            inside = {path.var, *(edge.var for edge in find(path, ir.EdgePattern))}
            if path.selector is not None and match.where is not None:
                yield from (v for v in find(match.where, ir.Var) if v.name in inside)


def _optional_subqueries(statement: ir.Statement) -> Iterator[ir.Node]:
    for match in find(statement, ir.Match):
        if match.optional and match.where is not None:
            yield from find(match.where, ir.Exists, ir.CountOf)


def _filtered_anchors(statement: ir.Statement) -> Iterator[ir.Node]:
    """A condition on what an OPTIONAL MATCH starts from, beside a subquery from elsewhere."""
    for query in find(statement, ir.Query):
        for place, match in enumerate(query.clauses):
            if not isinstance(match, ir.Match) or match.optional:
                continue
            here = {name for path in match.paths for name in pattern_names(path)}
            conditions = conjuncts(match.where)
            asking = [c for c in conditions if any(find(c, ir.Exists, ir.CountOf))]
            plain = [c for c in conditions if c not in asking]
            read = {var.name for c in plain for var in find(c, ir.Var)}
            if len(read) == 1 and any(
                read & {name for path in later.paths for name in pattern_names(path)}
                for later in query.clauses[place + 1 :]
                if isinstance(later, ir.Match) and later.optional
            ):
                for condition in filter(_kept_apart, asking):
                    ends = {node.var for node in find(condition, ir.NodePattern)}
                    if ends & here - read:
                        yield condition


def _kept_apart(condition: ir.Expr) -> bool:
    """Whether a condition with a subquery is no join: an existence and `COUNT { } > 1` are."""
    match condition:
        case ir.Exists() | ir.Bool(op=ir.BoolOp.OR):
            return False
        case ir.Compare(op, left, right):
            if isinstance(left, ir.Literal):
                op, left, right = TURNED.get(op, op), right, left
            return op not in JOINING or not isinstance(right, ir.Literal)
    return True


def _dropped_anchors(statement: ir.Statement) -> Iterator[ir.Node]:
    """A WHERE of a WITH with a subquery that meets what the WITH has dropped."""
    for project in find(statement, ir.Project):
        if project.where is not None and not project.final:
            columns = {item.alias for item in project.items}
            before = read_names(*project.items)
            for inner in find(project.where, ir.Exists, ir.CountOf, ir.CollectOf, ir.PatternComp):
                if read_names(inner) & before - columns:
                    yield inner


def _known_edges(statement: ir.Statement) -> Iterator[ir.Node]:
    """An edge from outside, met in a pattern without a direction whose matches are counted."""
    for query in find(statement, ir.Query):
        known = {name for clause in query.clauses for name in introduced(clause)}
        for counted in find(query, ir.CountOf, ir.CollectOf, ir.PatternComp):
            for edge in find(counted, ir.EdgePattern):
                if edge.direction is ir.Direction.BOTH and edge.var in known:
                    yield edge


def _wide_groups(statement: ir.Statement) -> Iterator[ir.Node]:
    if groups_wide_numbers(statement):
        yield statement


def _calls(statement: ir.Statement, *names: str) -> Iterator[ir.Call]:
    return (node for node in find(statement, ir.Call) if node.name in names)


def _typed(statement: ir.Statement) -> ir.Statement:
    """The statement with types; bound without a schema when nothing has bound it before."""
    if any(_kind(expr) is not Kind.ANY for expr in find(statement, ir.Expr)):
        return statement
    return bound(statement, None).statement


def _invalid(statement: ir.Statement) -> Iterator[ir.Node]:
    if any(finding.code not in TOLERATED for finding in bound(statement, None).errors):
        yield statement


def _fault(code: str, dialects: tuple[str, ...], why: str, test: Test) -> Unsound:
    def applies(statement: ir.Statement) -> bool:
        return next(test(_typed(statement)), None) is not None

    return Unsound(code, dialects, why, applies)


UNSOUND: tuple[Unsound, ...] = (
    _fault("list-and-item", PLAIN, "a list plus an item is null", _lists_and_items),
    _fault("joined-lists", (GQL,), "|| of lists is null", _joined_lists),
    _fault("slice-bounds", (CYPHER,), "negative and null bounds of a slice count wrong", _slices),
    _fault("quantifier-unknown", (CYPHER,), "any() and all() take unknown for false", _quantifiers),
    _fault("null-inside", PLAIN, "lists, maps and IN take null for a value", _null_inside),
    _fault("order-of-values", PLAIN, "booleans and lists have no order", _orders),
    _fault("text-as-number", PLAIN, "a text equals the number it spells", _text_and_number),
    _fault(
        "text-and-number",
        (CYPHER, CYPHER_PROFILE),
        "numbers beside text print wrong",
        _text_and_number_joined,
    ),
    _fault(
        "percentile-computed",
        (*PLAIN, GQL_PROFILE),
        "a percentile that is no constant is 0.5",
        _percentiles,
    ),
    _fault(
        "percentile-type",
        (CYPHER,),
        "percentileDisc of integers is a float",
        _discrete_percentile,
    ),
    _fault(
        "percentile-integer",
        (CYPHER,),
        "percentileCont that lies on an integer is a float",
        _continuous_percentile,
    ),
    _fault(
        "rounded-integer",
        (CYPHER,),
        "ceil, floor and round of an integer are integers",
        _rounded_integer,
    ),
    _fault("empty-hops", (CYPHER,), "an empty range of hops is its lower bound", _empty_hops),
    _fault("power-chain", (CYPHER,), "^ runs from right to left", _powers),
    _fault("comprehension-null", (CYPHER,), "pattern comprehensions drop nulls", _comprehensions),
    _fault("to-integer", PLAIN, "toInteger of a decimal text is null", _to_integer),
    _fault("to-string", (CYPHER,), "floats and parts of microseconds print otherwise", _to_string),
    _fault(
        "round-half",
        (CYPHER,),
        "negative halves are rounded away from zero",
        _rounding,
    ),
    _fault(
        "sum-of-nothing",
        (CYPHER,),
        "a sum of nothing and a deviation of one value are null",
        _of_nothing,
    ),
    _fault(
        "sort-by-alias",
        PLAIN,
        "a sort key computed from a column is lost beside one that no column shows",
        _sorts_by_alias,
    ),
    _fault("window-lost", (GQL,), "what is ordered after a LIMIT can lose its rows", _windows),
    _fault("temporal-map", (CYPHER,), "weeks, quarters and milliseconds are lost", _temporal_maps),
    _fault("temporal-text", (CYPHER,), "partial and compact ISO texts are null", _temporal_texts),
    _fault("number-name", (CYPHER,), "inf, infinity and nan are numbers", _names_of_numbers),
    _fault("week-day", (CYPHER,), "the part weekDay is null", _week_days),
    _fault("duration-overflow", EVERY, "it begins again below zero, or is null", _wide_durations),
    _fault("negative-fraction", EVERY, "-3.25 seconds are read as -2.75", _negative_fractions),
    _fault(
        "duration-fraction",
        (CYPHER,),
        "fractions of a duration's parts are cut",
        _duration_parts,
    ),
    _fault("edge-label", PLAIN, "a label test of an edge is never true", _edge_labels),
    _fault(
        "number-for-element",
        (*PLAIN, GQL_PROFILE),
        "computed nodes and edges come back as numbers",
        _numbers_for_elements,
    ),
    _fault(
        "unwound-null",
        EVERY,
        "nodes and edges that are unwound beside a null come back as numbers",
        _unwound_nulls,
    ),
    _fault(
        "element-without-alias",
        (CYPHER,),
        "nodes and edges beside an aggregate come back as numbers",
        _without_alias,
    ),
    _fault("internal-names", EVERY, "such a map cannot be told from a node", _internal_names),
    _fault("quantified-path", (GQL,), "only a bare edge may be repeated", _quantified),
    _fault("null-property", PLAIN, "{key: null} finds what has no key", _null_properties),
    _fault(
        "optional-subquery",
        PLAIN,
        "an OPTIONAL MATCH drops rows for which a subquery in its WHERE fails",
        _optional_subqueries,
    ),
    _fault(
        "filtered-anchor",
        PLAIN,
        "an OPTIONAL MATCH finds nothing after a condition on its start and a subquery elsewhere",
        _filtered_anchors,
    ),
    _fault(
        "search-predicate",
        (CYPHER,),
        "predicates of shortestPath() are tested after the search",
        _search_predicates,
    ),
    _fault(
        "dropped-anchor",
        (CYPHER,),
        "a subquery in the WHERE of a WITH does not meet what the WITH has dropped",
        _dropped_anchors,
    ),
    _fault("known-edge", EVERY, "a loop that is known is counted from both ends", _known_edges),
    _fault(
        "wide-groups",
        (*EVERY, PGQ_PROFILE),
        "2^63 - 1 and 2^63 as a float are two values where rows are told apart",
        _wide_groups,
    ),
    _fault("invalid", (CYPHER,), "texts that must be refused run", _invalid),
)
