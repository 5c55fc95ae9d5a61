"""`SELECT DISTINCT ON (a) … ORDER BY a, b`: the first row of each `a`, as a row numbered 1.

PostgreSQL wants that the order begins with what is distinct, so that the rows of one `a` stand
together, and the first of them is the first by the rest of the order.
"""

from __future__ import annotations

from sqlglot import exp

_PLAIN = frozenset(
    {"expressions", "from_", "joins", "where", "distinct", "order", "limit", "offset"}
)


def number_first_rows(tree: exp.Query) -> exp.Query:
    """The statement with a numbered subquery in the place of each DISTINCT ON of plain columns."""
    for select in list(tree.find_all(exp.Select)):
        numbered = _numbered(select)
        if numbered is None:
            continue
        numbered.set("with_", select.args.get("with_"))
        if select is tree:
            tree = numbered
        else:
            select.replace(numbered)
    return tree


def _numbered(select: exp.Select) -> exp.Select | None:
    distinct, order = select.args.get("distinct"), select.args.get("order")
    on = distinct.args.get("on") if distinct is not None else None
    used = {name for name, part in select.args.items() if part} - {"with_"}
    if on is None or order is None or used - _PLAIN or select.find(exp.AggFunc, exp.Window):
        return None
    outputs = list(select.expressions)
    if any(each.is_star or not each.alias_or_name for each in outputs):
        return None
    named = {each.alias: each.this for each in outputs if isinstance(each, exp.Alias)}
    keys, terms = list(on.expressions), list(order.expressions)
    first = [term.this for term in terms[: len(keys)]]
    columns = [*keys, *(term.this for term in terms)]
    if not all(isinstance(each, exp.Column) and each.name not in named for each in columns):
        return None
    if sorted(key.sql() for key in keys) != sorted(key.sql() for key in first):
        return None
    number = exp.Window(
        this=exp.RowNumber(),
        partition_by=[key.copy() for key in keys],
        order=exp.Order(expressions=[term.copy() for term in terms]),
    )
    names = [exp.to_identifier(f"first{place}", quoted=True) for place in range(len(outputs))]
    sorts = [exp.to_identifier(f"order{place}", quoted=True) for place in range(len(terms))]
    inner = exp.Select(
        expressions=[
            *(exp.alias_(e.unalias(), n) for e, n in zip(outputs, names, strict=True)),
            *(exp.alias_(t.this.copy(), n) for t, n in zip(terms, sorts, strict=True)),
            exp.alias_(number, "row number", quoted=True),
        ],
        **{name: select.args.get(name) for name in ("from_", "joins", "where")},
    )
    for term, name in zip(terms, sorts, strict=True):
        term.set("this", exp.Column(this=name.copy()))
    rows = exp.Subquery(
        this=inner, alias=exp.TableAlias(this=exp.to_identifier("first rows", quoted=True))
    )
    counted = exp.Column(this=exp.to_identifier("row number", quoted=True))
    return exp.Select(
        expressions=[
            exp.alias_(exp.Column(this=n.copy()), e.alias_or_name, quoted=True)
            for e, n in zip(outputs, names, strict=True)
        ],
        from_=exp.From(this=rows),
        where=exp.Where(this=exp.EQ(this=counted, expression=exp.Literal.number(1))),
        order=order,
        **{name: select.args.get(name) for name in ("limit", "offset")},
    )
