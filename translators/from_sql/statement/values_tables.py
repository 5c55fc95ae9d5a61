"""VALUES in one form wherever it stands: a table in FROM, or the list of an IN."""

from __future__ import annotations

from sqlglot import exp

from translators.from_sql.statement.rules import Rules


def tables(tree: exp.Query, rules: Rules) -> exp.Query:
    """The statement with each VALUES in FROM, or as the list of an IN."""
    for node in list(tree.find_all(exp.Values)):
        if not isinstance(node.parent, exp.From | exp.Join):
            node.replace(as_select(node))
    for test in list(tree.find_all(exp.In)):
        rows = _rows_alone(test)
        several = isinstance(test.this.unnest(), exp.Tuple)
        if rows is None:
            continue
        listed = several and rules.identical_rows
        test.set("query", _query(rows) if listed else None)
        test.set("expressions", None if listed else [_item(row) for row in rows])
    return tree


def as_select(values: exp.Values) -> exp.Select:
    """VALUES as a query: its ORDER BY and LIMIT become those of a SELECT."""
    copy = values.copy()
    select = exp.Select(expressions=[exp.Star()], from_=exp.From(this=copy))
    for name in ("with_", "order", "limit", "offset"):
        part = copy.args.get(name)
        copy.set(name, None)
        if part is not None:
            select.set(name, part)
    return select


def _rows_alone(test: exp.In) -> list[exp.Expr] | None:
    """The rows of `x IN (VALUES …)`."""
    query = test.args.get("query")
    if query is None and len(test.expressions) == 1:
        query = test.expressions[0]
    query = query.unnest() if isinstance(query, exp.Subquery) else query
    if not isinstance(query, exp.Select) or query.expressions != [exp.Star()]:
        return None
    only = query.args.get("from_")
    parts = [name for name, part in query.args.items() if part and name not in ("kind", "hint")]
    if only is None or not isinstance(only.this, exp.Values) or len(parts) > 2:
        return None
    return list(only.this.expressions)


def _query(rows: list[exp.Expr]) -> exp.Select:
    """The rows as a query whose columns have names."""
    names = [f"value{number}" for number in range(1, len(cells_of(rows[0])) + 1)]
    columns = [exp.to_identifier(name, quoted=True) for name in names]
    alias = exp.TableAlias(this=exp.to_identifier("listed values", quoted=True), columns=columns)
    values = exp.Values(expressions=rows, alias=alias)
    outputs = [exp.column(name, "listed values", quoted=True) for name in names]
    return exp.Select(expressions=outputs, from_=exp.From(this=values))


def _item(row: exp.Expr) -> exp.Expr:
    cells = cells_of(row)
    return cells[0] if len(cells) == 1 else exp.Tuple(expressions=cells)


def cells_of(row: exp.Expr) -> list[exp.Expr]:
    """The values of one row; MySQL writes `ROW(…)`."""
    if isinstance(row, exp.Tuple):
        inner = row.expressions
        if len(inner) == 1 and isinstance(inner[0], exp.Anonymous) and inner[0].name == "ROW":
            return list(inner[0].expressions)
        return list(inner)
    return [row]
