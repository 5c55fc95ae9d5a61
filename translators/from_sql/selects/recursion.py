"""Recursive CTEs that walk along one foreign key: a path of any length.

    WITH RECURSIVE r(id, level) AS (
      SELECT id, 0 FROM employee WHERE boss IS NULL
      UNION ALL SELECT e.id, r.level + 1 FROM employee e JOIN r ON e.boss = r.id)

is `MATCH (a)<-[:BOSS*0..]-(e) WHERE a.boss IS NULL`. With UNION ALL there is a row for each path;
a cycle would never end in SQL, so that no path that SQL finds has an edge twice. With UNION rows
are distinct, and what a walk reaches, a path without repetition reaches too; a level is then
finite only where there is no cycle. What a step asks of the row that it leads to, each edge of
the path has to have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from graph_ir import nodes as ir
from schemagraph.mapping import ForeignKey
from schemagraph.model import Kind
from translators.from_sql.selects.select import Select
from translators.from_sql.statement.context import (
    Cte,
    House,
    Site,
    Translated,
    conjuncts,
    names_cte,
)
from translators.from_sql.statement.from_items import NodeItem, Scope
from translators.from_sql.statement.names import Names, variable
from translators.from_sql.statement.rules import Rules
from translators.from_sql.statement.terms import conjunction
from translators.from_sql.statement.terms import variables as used
from translators.from_sql.statement.values import Value, as_number, number


@dataclass(frozen=True, slots=True)
class Walk:
    """What a recursive CTE walks along: `outward` from the row that holds the key.

    `inside` is the row of each step, and `where` what must hold of it.
    """

    key: ForeignKey
    outward: bool
    step: NodeItem
    inside: str = ""
    where: ir.Expr | None = None


def reads_itself(cte: exp.CTE, rules: Rules) -> bool:
    """Whether a CTE reads its own rows, and not a table of its name, which it hides from others."""
    clause = cte.parent
    word = isinstance(clause, exp.With) and clause.args.get("recursive")
    return bool(word or not rules.recursive_word) and _names_itself(cte.this, cte.alias)


def _names_itself(query: exp.Expr, name: str) -> bool:
    return any(names_cte(table, name) for table in query.find_all(exp.Table))


def recursive(
    house: House,
    cte: exp.CTE,
    site: Site,
    names: Names,
    ctes: dict[str, Cte],
    wishes: Sequence[str],
    outputs: Sequence[str],
) -> Translated:
    """The rows of a recursive CTE; `wishes` are its columns' names, `outputs` their variables.

    Raises:
        Refused: it is more than a walk along one foreign key of one table.
    """

    def refused(sentence: str) -> Exception:
        return site.refused("recursive-cte", cte, sentence)

    union = cte.this
    if not isinstance(union, exp.Union) or any(
        union.args.get(name) for name in ("order", "limit", "offset", "with_")
    ):
        raise refused("is a WITH that reads itself otherwise than in a UNION")
    first, second = union.this.unnest(), union.expression.unnest()
    plain = isinstance(first, exp.Select) and isinstance(second, exp.Select)
    if not plain or _names_itself(first, cte.alias):
        raise refused("is a WITH that reads itself in another way than step by step")
    start = Select(house, first, site.scope.parent, names, ctes)
    start.rows()
    origin = start.site.scope.sources
    if not origin:
        raise refused("starts from constants, not from rows of a table, and is no counter")
    if len(origin) != 1 or not isinstance(origin[0], NodeItem) or first.args.get("distinct"):
        raise refused("starts from more than one table")
    if first.args.get("group") or first.find(exp.AggFunc, exp.Window, exp.Limit):
        raise refused("starts from more than rows")
    source = origin[0]
    anchors = [e.unalias() for e in first.expressions]
    steps = [e.unalias() for e in second.expressions]
    if len(anchors) != len(steps) or len(anchors) != len(wishes):
        raise site.error("column-count", cte, "Both sides of a UNION need as many columns.")
    walk = _walk(site, cte, second, source, anchors, wishes, names)
    if walk is None:
        raise refused("is a WITH that reads itself in another way than along one foreign key")
    path = names.value("path")
    items: list[ir.Item] = []
    columns: list[tuple[str, Value]] = []
    for wish, output, anchor, step in zip(wishes, outputs, anchors, steps, strict=True):
        value = _column(start.site, walk, wish, anchor, step, path)
        if value is None:
            raise refused("computes a column from step to step")
        items.append(ir.Item(value.expr, output))
        columns.append((wish, value))
    direction = ir.Direction.OUT if walk.outward else ir.Direction.IN
    label = ir.LabelName(source.table.label)
    hops, kind = ir.Hops(0, None), ir.LabelName(walk.key.edge)
    edge: ir.EdgePattern | ir.Quantified = ir.EdgePattern(None, kind, direction, hops)
    if walk.where is not None:
        once = ir.Step(ir.EdgePattern(None, kind, direction), ir.NodePattern(walk.inside, label))
        edge = ir.Quantified(ir.Path(ir.NodePattern(), (once,)), hops, walk.where)
    steps_ = (ir.Step(edge, ir.NodePattern(walk.step.var, label)),)
    level = any(path in used(item.expr) for item in items)
    whole = ir.Path(ir.NodePattern(source.var), steps_, path if level else None)
    ending = ir.Project(tuple(items), distinct=bool(union.args.get("distinct", True)), final=True)
    clauses = (*start.site.before, *start.clauses, ir.Match((whole,)), ending)
    return Translated(ir.Query(clauses), tuple(columns))


def _walk(
    site: Site,
    cte: exp.CTE,
    second: exp.Select,
    source: NodeItem,
    anchors: Sequence[exp.Expr],
    wishes: Sequence[str],
    names: Names,
) -> Walk | None:
    """The foreign key that the second part joins along, if it does nothing else."""
    if any(second.args.get(n) for n in ("group", "having", "distinct", "order", "limit", "offset")):
        return None
    joins = second.args.get("joins") or []
    tables = [second.args["from_"].this, *(join.this for join in joins)]
    if len(tables) != 2 or not all(isinstance(table, exp.Table) for table in tables):
        return None
    if joins[0].side or joins[0].method or joins[0].args.get("using"):
        return None
    own = [t for t in tables if names_cte(t, cte.alias)]
    table = source.table.table.casefold()
    other = [t for t in tables if t.name.casefold() == table and not names_cte(t, cte.alias)]
    if len(own) != 1 or len(other) != 1:
        return None
    where = second.args.get("where")
    conditions = [*conjuncts(joins[0].args.get("on")), *conjuncts(where.this if where else None)]
    mine, theirs = own[0].alias_or_name.casefold(), other[0].alias_or_name.casefold()
    if mine == theirs:
        return None
    links = [_link(each, mine, theirs, source, wishes, anchors) for each in conditions]
    place = next((place for place, link in enumerate(links) if link is not None), None)
    link = links[place] if place is not None else None
    if link is None:
        return None
    rest = [each for number, each in enumerate(conditions) if number != place]
    var = names.variable(variable(other[0].alias, source.table.label))
    walk = Walk(*link, NodeItem(other[0].alias_or_name, source.table, var))
    return _restricted(site, walk, rest, wishes, names) if rest else walk


def _restricted(
    site: Site, walk: Walk, rest: Sequence[exp.Expr], wishes: Sequence[str], names: Names
) -> Walk:
    """A walk each step of which leads to a row under conditions.

    Raises:
        Refused: a condition asks more than for columns of that row: a bound would let cycles end,
            and they repeat edges.
    """
    folded = {wish.casefold() for wish in wishes}
    inside = names.variable("next")
    row = NodeItem(walk.step.name, walk.step.table, inside)
    inner = Site(site.house, Scope(None, [row]), names)
    tests: list[ir.Expr] = []
    for each in rest:
        columns = list(each.find_all(exp.Column))
        of_row = all(
            column.table.casefold() == row.name.casefold()
            if column.table
            else column.name.casefold() not in folded and row.find(column.name) is not None
            for column in columns
        )
        if not columns or not of_row or each.find(exp.Query):
            sentence = "is a condition of a step that reads more than columns of the next row"
            raise site.refused("recursive-cte", each, sentence)
        tests.append(inner.true(each))
    return replace(walk, inside=inside, where=conjunction(tests))


def _link(
    condition: exp.Expr,
    mine: str,
    theirs: str,
    source: NodeItem,
    wishes: Sequence[str],
    anchors: Sequence[exp.Expr],
) -> tuple[ForeignKey, bool] | None:
    """`e.boss = r.id` or `e.id = r.boss`, and whether that goes from the key to its target."""
    if not isinstance(condition, exp.EQ):
        return None
    ends = {}
    for side in (condition.this.unnest(), condition.expression.unnest()):
        if not isinstance(side, exp.Column) or not side.table:
            return None
        ends[side.table.casefold()] = side.name.casefold()
    folded = [wish.casefold() for wish in wishes]
    if set(ends) != {mine, theirs} or ends[mine] not in folded:
        return None
    anchor = anchors[folded.index(ends[mine])]
    here = anchor.name.casefold() if isinstance(anchor, exp.Column) else ""
    for key in source.table.foreign_keys:
        if key.table != source.table.table or len(key.columns) != 1:
            continue
        child, parent = key.columns[0].casefold(), key.referenced[0].casefold()
        if (ends[theirs], here) == (child, parent):
            return key, False
        if (ends[theirs], here) == (parent, child):
            return key, True
    return None


def _column(
    start: Site, walk: Walk, wish: str, anchor: exp.Expr, step: exp.Expr, path: str
) -> Value | None:
    """An output column: one of the row that is reached, of the first row, or the level."""
    inner = step.unnest()
    if isinstance(inner, exp.Column):
        same = inner.name.casefold() == wish.casefold()
        from_itself = same and inner.table.casefold() != walk.step.name.casefold()
        if isinstance(anchor, exp.Column) and not from_itself:
            column, first = walk.step.find(inner.name), walk.step.find(anchor.name)
            if column is None or column != first:
                return None
            return walk.step.value(column)
        return start.value(anchor) if from_itself and inner.table else None
    if isinstance(inner, exp.Add) and isinstance(inner.expression, exp.Literal):
        level = inner.this.unnest()
        begin = as_number(start.value(anchor))
        plain = isinstance(level, exp.Column) and level.name.casefold() == wish.casefold()
        if plain and inner.expression.name == "1" and begin is not None:
            return _level(begin, path)
    return None


def _level(begin: Value, path: str) -> Value | None:
    if not isinstance(begin.expr, ir.Literal) or begin.kind is not Kind.INTEGER:
        return None
    length: ir.Expr = ir.Call("length", (ir.Var(path),))
    if begin.expr.value != 0:
        length = ir.Arith(ir.ArithOp.ADD, length, number(int(str(begin.expr.value))).expr)
    return Value(length, Kind.INTEGER, nullable=False)
