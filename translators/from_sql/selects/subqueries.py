"""IN and EXISTS over subqueries, correlated or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from graph_ir import nodes as ir
from graph_ir.rewrites import has_aggregate
from schemagraph.model import Kind
from translators.from_sql.expressions.floats import if_decimal
from translators.from_sql.expressions.predicates import compared, in_list
from translators.from_sql.selects.select import Select
from translators.from_sql.statement.context import Site, TruthTable, ValueTable
from translators.from_sql.statement.terms import any_of, conjunction, piped, variables, with_names
from translators.from_sql.statement.values import Value, truth

VALUES = ValueTable()
TRUTHS = TruthTable()

_ITEM = "listed row"


@TRUTHS.of(exp.In)
def membership_truth(site: Site, node: exp.In, wanted: bool) -> ir.Expr:
    """IN and NOT IN in a condition."""
    query = _query(site, node)
    if query is None:
        membership_ = in_list(site, node).expr
        return membership_ if wanted else ir.Not(membership_)
    return _member(site, node, query) if wanted else _no_member(site, node, query)


@VALUES.of(exp.In)
def membership(site: Site, node: exp.In) -> Value:
    """IN as a value: over a subquery, a CASE of the two conditions."""
    query = _query(site, node)
    if query is None:
        return in_list(site, node)
    yes, no = _member(site, node, query), _no_member(site, node, query)
    whens = (ir.When(yes, ir.Literal(True)), ir.When(no, ir.Literal(False)))
    return Value(ir.Case(whens), Kind.BOOLEAN)


def _query(site: Site, node: exp.In) -> exp.Query | None:
    """The subquery of an IN; `x IN table` reads the table's one column."""
    table = node.args.get("field")
    if table is not None:
        raise site.refused("in-table", node, "looks into a table that is named without SELECT")
    aggregates = site.house.rules.name == "mysql" and node.find_ancestor(exp.Having) is not None
    if aggregates and any(operand.find(exp.AggFunc) for operand in _operands(node)):
        sentence = "looks for an aggregate in rows, of which MariaDB's answer is not the standard's"
        if node.args.get("query") is not None or node.find(exp.Select):
            raise site.refused("having", node, f"{sentence}: give it a name")
    query = node.args.get("query")
    if query is None and len(node.expressions) == 1:
        only = node.expressions[0].unnest()
        if isinstance(node.expressions[0], exp.Subquery) and isinstance(only, exp.Query):
            return only
    return query.unnest() if query is not None else None


def _operands(node: exp.In) -> list[exp.Expr]:
    inner = node.this.unnest()
    return list(inner.expressions) if isinstance(inner, exp.Tuple) else [node.this]


def simple(query: exp.Expr) -> bool:
    """Whether a query only selects, so that its rows can be asked for one by one."""
    if not isinstance(query, exp.Select) or query.args.get("from_") is None:
        return False
    clauses = ("group", "having", "limit", "offset", "with_")
    if any(query.args.get(name) for name in clauses):
        return False
    return not any(_aggregates(e) for e in query.expressions)


def _aggregates(node: exp.Expr) -> bool:
    aggregate = node.find(exp.AggFunc, exp.Window)
    return aggregate is not None and aggregate.find_ancestor(exp.Select) is node.find_ancestor(
        exp.Select
    )


def _member(site: Site, node: exp.In, query: exp.Query) -> ir.Expr:
    """True exactly where a row of the query is equal."""
    if isinstance(query, exp.SetOperation) and not query.args.get("limit"):
        return _set_member(site, node, query)
    if simple(query) and not _of_aggregates(site, node):
        assert isinstance(query, exp.Select)  # noqa: S101 - only those are simple
        return _exists(site, query, node)
    if len(_operands(node)) != 1:
        return site.true(_row_among(site, node, query, maybe=False))
    items = _listed(site, query, node)
    value = site.value(_operands(node)[0])
    return compared_in(site, node, value, items)


def _of_aggregates(site: Site, node: exp.In) -> bool:
    """Whether an aggregate is looked for, which no pattern can be asked for."""
    return site.aggregates and any(has_aggregate(site.value(e).expr) for e in _operands(node))


def _row_among(site: Site, node: exp.In, query: exp.Query, *, maybe: bool) -> exp.Exists:
    """`(a, b) IN (query)` as EXISTS over the query as a table; with `maybe`, of those for which
    equality is unknown, too."""
    operands = _operands(node)
    if any(operand.find(exp.AggFunc) for operand in operands):
        raise site.refused("row-value", node, "looks for a row of aggregates in a subquery")
    taken = {c.name.casefold() for operand in operands for c in operand.find_all(exp.Column)}
    stem = "item"
    while any(name.startswith(stem) for name in taken):
        stem += "_"
    names = [f"{stem}{number}" for number in range(1, len(operands) + 1)]
    tests: list[exp.Expr] = []
    for operand, name in zip(operands, names, strict=True):
        own = exp.column(name, _ITEM, quoted=True)
        test: exp.Expr = exp.EQ(this=operand.copy(), expression=own)
        if maybe:
            unknown = exp.Is(this=exp.Paren(this=test.copy()), expression=exp.Null())
            test = exp.Paren(this=exp.Or(this=exp.Paren(this=test), expression=unknown))
        tests.append(test)
    alias = exp.TableAlias(
        this=exp.to_identifier(_ITEM, quoted=True),
        columns=[exp.to_identifier(name, quoted=True) for name in names],
    )
    select = exp.Select(
        expressions=[exp.Literal.number(1)],
        from_=exp.From(this=exp.Subquery(this=query.copy(), alias=alias)),
        where=exp.Where(this=exp.and_(*tests, wrap=False, copy=False)),
    )
    among = exp.Exists(this=select)
    among.parent = node.parent
    return among


def _set_member(site: Site, node: exp.In, query: exp.SetOperation) -> ir.Expr:
    left, right = query.this.unnest(), query.expression.unnest()
    one, other = _member(site, node, left), _member(site, node, right)
    if isinstance(query, exp.Union):
        return any_of((one, other))
    if not query.args.get("distinct", True):
        raise site.refused("set-operation-all", query, "counts equal rows in a set operation")
    second = ir.Not(_sure(other)) if isinstance(query, exp.Except) else other
    return conjunction((one, second)) or one


def _sure(expr: ir.Expr) -> ir.Expr:
    """A condition that is never null."""
    return expr if isinstance(expr, ir.Exists) else ir.Call("coalesce", (expr, ir.Literal(False)))


def _no_member(site: Site, node: exp.In, query: exp.Query) -> ir.Expr:
    """True exactly where no row of the query is equal, and none might be."""
    if simple(query) and not _of_aggregates(site, node):
        assert isinstance(query, exp.Select)  # noqa: S101 - only those are simple
        return ir.Not(_exists(site, query, node, maybe=_unsure(site, node, query)))
    if len(_operands(node)) != 1:
        return site.false(_row_among(site, node, query, maybe=True))
    items = _listed(site, query, node)
    value = site.value(_operands(node)[0])
    known = ir.Not(compared_in(site, node, value, items))
    no_null = ir.Compare(ir.CompareOp.EQ, items.nulls, ir.Literal(0))
    empty = ir.Compare(ir.CompareOp.EQ, items.count, ir.Literal(0))
    parts = [known] if not items.nullable else [known, no_null]
    sure = conjunction(parts) or known
    if value.nullable:
        return any_of((empty, sure))
    return sure


def _unsure(site: Site, node: exp.In, query: exp.Select) -> bool:
    """Whether a side of the comparison can be null; the query is translated on the side."""
    if any(site.value(operand).nullable for operand in _operands(node)):
        return True
    inner = Select(site.house, query, site.scope, site.names.fork(), site.ctes)
    inner.rows()
    return any(value.nullable for _, value in inner.output().columns)


def _exists(site: Site, query: exp.Select, node: exp.In, *, maybe: bool = False) -> ir.Expr:
    """EXISTS of the query's rows whose columns equal the operands, by traversal where it is
    one; with `maybe`, of those for which equality is unknown, too."""
    inner = Select(site.house, query, site.scope, site.names, site.ctes)
    operands = _operands(node)
    if len(inner.outputs()) != len(operands):
        raise site.error("column-count", node, "Both sides of IN need as many columns.")
    inner.rows([(site, operand) for operand in operands], maybe=maybe)
    return _subquery_exists(site, inner)


def _subquery_exists(site: Site, inner: Select) -> ir.Exists:
    site.before += inner.site.before
    clauses = with_names(_existential(inner.clauses), inner.joiner.renamed) or (
        ir.Project((ir.Item(ir.Literal(1), "one"),), final=True),
    )
    return ir.Exists(ir.Query(clauses))


def _bound(match: ir.Match) -> set[str]:
    """The variables of a clause's patterns, bound there or before."""
    return variables(*match.paths)


def _existential(clauses: Sequence[ir.Clause]) -> tuple[ir.Clause, ...]:
    """The clauses without optional ones that nothing needs, and with one WHERE at the end."""
    kept: list[ir.Clause] = []
    needed: set[str] = set()
    for clause in reversed(clauses):
        if isinstance(clause, ir.Match) and clause.optional and not _bound(clause) & needed:
            continue
        needed |= variables(clause)
        kept.insert(0, clause)
    if not all(isinstance(clause, ir.Match) and not clause.optional for clause in kept):
        return tuple(kept)
    matches = [clause for clause in kept if isinstance(clause, ir.Match)]
    where = conjunction(clause.where for clause in matches if clause.where is not None)
    plain = [replace(clause, where=None) for clause in matches]
    return (*plain[:-1], replace(plain[-1], where=where)) if plain else ()


@dataclass(frozen=True, slots=True)
class Listed:
    """The values of a subquery as a list, and how many rows and nulls it has."""

    value: Value
    items: ir.Expr
    count: ir.Expr
    nulls: ir.Expr

    @property
    def nullable(self) -> bool:
        """Whether a row can be null."""
        return self.value.nullable


def compared_in(site: Site, node: exp.Expr, value: Value, listed: Listed) -> ir.Expr:
    """`value IN list`, where equality of the two kinds is equality of the graph's values."""
    equal = compared(site, node, ir.CompareOp.EQ, value, listed.value).expr
    sought = if_decimal(site, value).expr
    as_real = ir.Call("toFloat", (sought,))
    if equal == ir.Compare(ir.CompareOp.EQ, as_real, listed.value.expr):
        sought = as_real
    if not isinstance(equal, ir.Compare) or {equal.left, equal.right} != {
        sought,
        listed.value.expr,
    }:
        raise site.refused("affinity", node, "looks for a value among those of another type")
    return ir.In(sought, listed.items)


def _listed(site: Site, query: exp.Query, node: exp.Expr) -> Listed:
    """Bind the values of a subquery as a list before they are needed."""
    name = site.names.column("item")
    translated = site.house.queries.query(query, site, columns=(name,))
    if len(translated.columns) != 1:
        raise site.error("column-count", node, "A subquery of IN needs one column.")
    value: Value = translated.columns[0][1].like(ir.Var(name))
    items, rows, nulls = (site.names.column(wish) for wish in ("items", "rows", "nulls"))
    collected = (
        ir.Item(ir.Agg("collect", (ir.Var(name),), distinct=True), items),
        ir.Item(ir.Agg("count"), rows),
        ir.Item(ir.Arith(ir.ArithOp.SUB, ir.Agg("count"), ir.Agg("count", (ir.Var(name),))), nulls),
    )
    clauses = piped(translated.statement)
    ending = ir.Project(collected, final=True, group=())
    site.attach(ir.Query((*clauses, ending)))
    return Listed(value, ir.Var(items), ir.Var(rows), ir.Var(nulls))


@TRUTHS.of(exp.Exists)
def exists_truth(site: Site, node: exp.Exists, wanted: bool) -> ir.Expr:
    """EXISTS in a condition."""
    existence = exists(site, node).expr
    return existence if wanted else ir.Not(existence)


@VALUES.of(exp.Exists)
def exists(site: Site, node: exp.Exists) -> Value:
    """EXISTS (SELECT …): true or false."""
    query = node.this.unnest()
    if not simple(query) or query.args.get("distinct"):
        stripped = _without_window(query)
        if not simple(stripped):
            count = site.names.column("rows")
            translated = site.house.queries.query(query, site)
            counted = (ir.Item(ir.Agg("count"), count),)
            ending = ir.Project(counted, final=True, group=())
            site.attach(ir.Query((*piped(translated.statement), ending)))
            some = ir.Compare(ir.CompareOp.GT, ir.Var(count), ir.Literal(0))
            return truth(some)
        query = stripped
    inner = Select(site.house, query, site.scope, site.names, site.ctes)
    inner.rows()
    return truth(_subquery_exists(site, inner))


def _without_window(query: exp.Expr) -> exp.Expr:
    """A query without DISTINCT and ORDER BY, and without a LIMIT that keeps a row."""
    if not isinstance(query, exp.Select) or query.args.get("offset"):
        return query
    limit = query.args.get("limit")
    positive = isinstance(limit, exp.Limit) and limit.expression.name.isdigit()
    if limit is not None and not (positive and int(limit.expression.name) > 0):
        return query
    copy = query.copy()
    copy.parent = query.parent
    for name in ("limit", "order", "distinct"):
        copy.set(name, None)
    return copy
