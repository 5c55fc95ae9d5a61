"""FROM as blocks: sets of sources that are joined inwardly, some of them optional.

A LEFT JOIN whose right side a later condition needs to be there is an inner join.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlglot import exp

from graph_ir import nodes as ir
from graphmill.errors import did_you_mean
from schemagraph.mapping import EdgeTable, NodeTable
from translators.from_sql.expressions.conditions import Column, Condition, mentioned, required
from translators.from_sql.statement.context import Site, conjuncts
from translators.from_sql.statement.from_items import EdgeItem, Ending, FromItem, NodeItem
from translators.from_sql.statement.names import variable


@dataclass(eq=False, slots=True)
class Block:
    """Sources joined inwardly; `optional` blocks are the right sides of LEFT JOINs.

    `shared` are equalities from USING and NATURAL; `calls` the subqueries that bind the columns
    of derived tables.
    """

    optional: bool = False
    sources: list[FromItem] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)
    shared: list[tuple[Column, Column]] = field(default_factory=list)
    calls: list[ir.Clause] = field(default_factory=list)

    def absorb(self, other: Block) -> None:
        """Take over what another block has."""
        self.sources += other.sources
        self.conditions += other.conditions
        self.shared += other.shared
        self.calls += other.calls


def blocks(site: Site, node: exp.Select, links: Sequence[Condition] = ()) -> list[Block]:
    """The blocks of a SELECT's FROM and WHERE, in order; the sources enter the site's scope.

    `links` are conditions of the query around it.
    """
    start = node.args.get("from_")
    joined = [Block()]
    if start is not None:
        joined = _tree(site, start.this, node.args.get("joins") or [])
    where = node.args.get("where")
    conditions = [Condition(site, part) for part in conjuncts(where.this if where else None)]
    return simplified(joined, [*conditions, *links])


def _tree(site: Site, first: exp.Expr, joins: list[exp.Join]) -> list[Block]:
    return _in_turn(site, _operand(site, first), joins, 0)


def _in_turn(site: Site, joined: list[Block], joins: list[exp.Join], start: int) -> list[Block]:
    """The blocks of what is joined to the sources from number `start` on.

    A comma joins less tightly than JOIN, but in SQLite; the parser tells it from a JOIN of nothing
    else in no dialect, which MySQL has too.
    """
    bare = False
    for join in joins:
        before = len(site.scope.sources)
        if bare and site.house.rules.name == "mysql" and _names_columns(join):
            site.scope.order = None
        joined = _joined(site, joined, join, start)
        conditioned = any(join.args.get(name) for name in ("on", "side", "kind", "using", "method"))
        bare = bare or not conditioned
        if not conditioned and site.house.rules.name in ("postgres", "duckdb"):
            start = before
    return joined


def _names_columns(join: exp.Join) -> bool:
    return bool(join.args.get("using")) or (join.args.get("method") or "").upper() == "NATURAL"


def _joined(site: Site, left: list[Block], join: exp.Join, start: int) -> list[Block]:
    side = (join.side or "").upper()
    if side == "FULL" and not site.house.rules.full_joins:
        sentence = "takes FULL for the name of the table before it: there is no FULL JOIN"
        raise site.refused("full-join", join, sentence)
    if (join.kind or "").upper() in ("SEMI", "ANTI") or side not in ("", "LEFT", "RIGHT"):
        raise site.refused("full-join", join, "is a join that Cypher has no clause for")
    before = site.scope.sources[start:]
    number = len(site.scope.sources)
    right = _operand(site, join.this)
    added = site.scope.sources[number:]
    columns = site.scope.columns()
    shared = _shared(site, join, before, added)
    if shared and site.house.rules.joined_first and site.scope.order is not None:
        sides = [[c for c in columns if any(c[0] is s for s in of)] for of in (before, added)]
        others = [c for c in columns if not any(c[0] is s for s in (*before, *added))]
        site.scope.order = [*others, *_joined_first(site, join, shared, *sides)]
    extra = Block(
        conditions=[Condition(site, part) for part in conjuncts(join.args.get("on"))],
        shared=shared,
    )
    if side == "RIGHT":
        left, right = right, left
    if not side:
        return [*left, *right, extra]
    if len(right) != 1 or right[0].optional:
        merged = simplified(right, [])
        if len(merged) != 1:
            raise site.refused("nested-outer-join", join, "is an outer join of outer joins")
        right = merged
    block = right[0]
    block.absorb(extra)
    block.optional = True
    for source in block.sources:
        _set_optional(source, True)
    return [*left, block]


def _set_optional(source: FromItem, value: bool) -> None:
    source.optional = value


def _shared(
    site: Site, join: exp.Join, before: list[FromItem], added: list[FromItem]
) -> list[tuple[Column, Column]]:
    """The columns that USING or NATURAL equates; the right ones leave the bare names."""
    names = [word.name for word in join.args.get("using") or []]
    if (join.args.get("method") or "").upper() == "NATURAL":
        left = {n.casefold() for source in before for n in source.names()}
        names = [n for source in added for n in source.names() if n.casefold() in left]
    pairs = []
    for name in names:
        one, other = _owner(site, join, before, name), _owner(site, join, added, name)
        hidden = one if (join.side or "").upper() == "RIGHT" else other
        site.scope.merged.add((id(hidden.source), hidden.name))
        pairs.append((one, other))
    return pairs


def _joined_first(
    site: Site,
    join: exp.Join,
    shared: list[tuple[Column, Column]],
    left: list[tuple[FromItem, str]],
    right: list[tuple[FromItem, str]],
) -> list[tuple[FromItem, str]]:
    """The columns of `*`: those that are joined, then the others of either side.

    They come as USING lists them, with NATURAL as the left side has them; in MySQL always as the
    first side has them, which is the right one of a RIGHT JOIN.
    https://www.postgresql.org/docs/current/queries-table-expressions.html#QUERIES-FROM
    https://dev.mysql.com/doc/refman/8.4/en/join.html
    """
    mysql = site.house.rules.name == "mysql"
    if mysql and (join.side or "").upper() == "RIGHT":
        shared = [(other, one) for one, other in shared]
        left, right = right, left
    if mysql or not join.args.get("using"):
        shared = sorted(shared, key=lambda pair: left.index((pair[0].source, pair[0].name)))
    kept = [pair[0] if _is_kept(site, pair[0]) else pair[1] for pair in shared]
    common = [(column.source, column.name) for column in kept]
    joined = {(id(c.source), c.name) for pair in shared for c in pair}
    return common + [c for c in (*left, *right) if (id(c[0]), c[1]) not in joined]


def _is_kept(site: Site, column: Column) -> bool:
    return (id(column.source), column.name) not in site.scope.merged


def _owner(site: Site, join: exp.Join, sources: list[FromItem], name: str) -> Column:
    owners = [s for s in sources if (own := s.find(name)) and _is_kept(site, Column(s, own))]
    if len(owners) > 1 and site.house.rules.name == "mysql":  # an error, or of the last by a comma
        raise site.refused("open-name", join, f"joins by '{name}', of which there are two before")
    for source in sources:
        exact = source.find(name)
        if exact is not None and (id(source), exact) not in site.scope.merged:
            return Column(source, exact)
    raise site.error("unknown-column", join, f"Both sides of the join need a column '{name}'.")


def _operand(site: Site, node: exp.Expr) -> list[Block]:
    """One item of FROM."""
    start = len(site.scope.sources)
    if isinstance(node, exp.Subquery):
        inner = node.this
        if isinstance(inner, exp.Query) and not isinstance(inner, exp.Subquery):
            joined = _derived(site, inner, node.alias or "", node)
        else:
            joined = _operand(site, inner)
    elif isinstance(node, exp.Table):
        joined = _table(site, node)
    elif isinstance(node, exp.Values):
        joined = _derived(site, node, node.alias or "", node)
    elif isinstance(node, exp.Paren):
        joined = _operand(site, node.this)
    elif isinstance(node, exp.Lateral):
        raise site.refused("table-function", node, "reads the rows of the tables beside it")
    else:
        raise site.refused("table-function", node, "is no table")
    return _in_turn(site, joined, node.args.get("joins") or [], start)


def _table(site: Site, node: exp.Table) -> list[Block]:
    if not isinstance(node.this, exp.Identifier):
        raise site.refused("table-function", node, "is a table-valued function")
    schema = node.args.get("db")
    if schema is not None and schema.name.casefold() != "main":
        raise site.refused("other-schema", node, "is in another database")
    name = node.name
    cte = site.ctes.get(name.casefold())
    if cte is not None and schema is None:
        return _derived(site, cte.node, node.alias or name, node)
    table = site.house.mapping.by_table.get(name.casefold())
    if table is None:
        known = [t.table for t in site.house.mapping.by_table.values()]
        message = f"There is no table '{name}'.{did_you_mean(name, known)}"
        raise site.error("unknown-table", node, message)
    source = source_of(site, table, node.alias)
    site.scope.sources.append(source)
    return [Block(sources=[source])]


def source_of(site: Site, table: NodeTable | EdgeTable, alias: str) -> FromItem:
    """A table of FROM, under a variable of its own."""
    own = table.label if isinstance(table, NodeTable) else table.table
    var = site.names.variable(variable(alias, own))
    name = alias or table.table
    if isinstance(table, NodeTable):
        return NodeItem(name, table, var)
    nodes = site.house.mapping.node_by_table
    source, target = (
        Ending(end.columns, nodes[end.table], end.referenced)
        for end in (table.source, table.target)
    )
    return EdgeItem(name, table, var, (source, target))


def _derived(site: Site, query: exp.Expr, alias: str, node: exp.Expr) -> list[Block]:
    """A derived table or CTE: merged into this query where it only selects, else a subquery."""
    inner_blocks: list[Block] = site.house.queries.derived(site, query, alias, node)
    return inner_blocks


def simplified(given_blocks: list[Block], where: list[Condition]) -> list[Block]:
    """The blocks after turning outer joins into inner ones where a condition needs the row, and
    joining inner blocks together; conditions of WHERE go to the first block or to the end."""
    while True:
        inner = [block for block in given_blocks if not block.optional]
        conditions = [*where, *(c for block in inner for c in block.conditions)]
        strict = {id(source) for condition in conditions for source in required(condition)}
        strict |= {id(c.source) for block in inner for pair in block.shared for c in pair}
        changed = [
            block
            for block in given_blocks
            if block.optional and any(id(source) in strict for source in block.sources)
        ]
        for block in changed:
            block.optional = False
            for source in block.sources:
                _set_optional(source, False)
        if not changed:
            break
    return _gathered(given_blocks, where)


def _gathered(given_blocks: list[Block], where: list[Condition]) -> list[Block]:
    """Inner blocks joined where no optional block stands between that they need."""
    result: list[Block] = [Block()]
    optional: set[int] = set()
    for block in given_blocks:
        needs = {i for c in block.conditions for i in mentioned(c)}
        needs |= {id(column.source) for pair in block.shared for column in pair}
        if block.optional:
            optional |= {id(source) for source in block.sources}
            result.append(block)
        elif needs & optional:
            if result[-1].optional:
                result.append(Block())
            result[-1].absorb(block)
        else:
            result[0].absorb(block)
    rest = Block()
    for condition in where:
        target = rest if mentioned(condition) & optional else result[0]
        target.conditions.append(condition)
    if rest.conditions:
        result.append(rest)
    if not result[0].sources and len(result) > 1 and not result[0].conditions:
        result = result[1:] if not result[1].optional else result
    return result
