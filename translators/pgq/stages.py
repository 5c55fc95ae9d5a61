"""The pipeline of a query as SELECTs: which projections become one, and which are nested.

A WITH that only computes is put into what follows it. One that groups becomes the GROUP BY of the
SELECT at hand, its WHERE the HAVING; what groups again, or follows DISTINCT or LIMIT, reads a
derived table. Expressions are those over the variables of the patterns, or over the columns of the
derived table: `Column` names one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from graph_ir import nodes as ir
from graph_ir.lowerings import aggregates, conjuncts, substitute
from graph_ir.walk import children, find
from schemagraph.model import Kind
from translators.gql.emit.values import kind_of

ELEMENTS = frozenset({Kind.NODE, Kind.EDGE})
_COLUMN = "\0column "


@dataclass(slots=True)
class Stage:
    """One SELECT: conditions before and after grouping, keys (None: no grouping), its columns."""

    columns: tuple[ir.Item, ...] = ()
    where: list[ir.Expr] = field(default_factory=list)
    keys: tuple[ir.Expr, ...] | None = None
    having: list[ir.Expr] = field(default_factory=list)
    distinct: bool = False
    order: tuple[ir.SortKey, ...] = ()
    skip: ir.Expr | None = None
    limit: ir.Expr | None = None

    @property
    def cut(self) -> bool:
        """Whether rows are dropped after the columns are made."""
        return self.distinct or self.skip is not None or self.limit is not None

    def parts(self) -> list[ir.Expr]:
        """Every expression of the SELECT."""
        keys = [*(self.keys or ()), *(key.expr for key in self.order)]
        return [*(item.expr for item in self.columns), *self.where, *self.having, *keys]


def column(name: str, of: ir.Expr) -> ir.Var:
    """The column of a derived table that holds the value of `of`."""
    return ir.Var(_COLUMN + name, type=replace(of.type, kind=kind_of(of)))


def column_name(node: ir.Var) -> str | None:
    """The name of the column that a variable stands for, or None where it stands for none."""
    return node.name.removeprefix(_COLUMN) if node.name.startswith(_COLUMN) else None


def stages(projects: Sequence[ir.Project]) -> list[Stage]:
    """The SELECTs of a query, innermost first."""
    done: list[Stage] = []
    stage = Stage()
    known: dict[ir.Expr, ir.Expr] = {}
    for project in projects:
        if stage.cut or (project.group is not None and stage.keys is not None):
            done.append(stage)
            known = _behind(stage)
            stage = Stage()
        items = tuple(replace(item, expr=substitute(item.expr, known)) for item in project.items)
        if project.group is not None:
            keys = (item.expr for item in items if not aggregates(item.expr))
            stage.keys = tuple(dict.fromkeys(keys))
        aliases: dict[ir.Expr, ir.Expr] = {ir.Var(item.alias): item.expr for item in items}
        seen = {**known, **aliases}
        order = tuple(replace(key, expr=substitute(key.expr, seen)) for key in project.order)
        stage.columns, stage.distinct = items, project.distinct
        stage.skip, stage.limit = project.skip, project.limit
        stage.order = order if project.final or stage.cut else ()
        if project.where is not None:
            tests = conjuncts(project.where)
            if stage.cut:
                done.append(stage)
                aliases = _behind(stage)
                stage = Stage(where=[substitute(test, aliases) for test in tests])
            else:
                into = stage.where if stage.keys is None else stage.having
                into += [substitute(test, seen) for test in tests]
        known = aliases
    return [*done, stage]


def _behind(stage: Stage) -> dict[ir.Expr, ir.Expr]:
    """The names that a SELECT leaves, as what reads it sees them."""
    return {
        ir.Var(item.alias): item.expr if is_element(item.expr) else column(item.alias, item.expr)
        for item in stage.columns
    }


def is_element(node: ir.Expr) -> bool:
    """Whether an expression is the variable of a node or an edge."""
    return isinstance(node, ir.Var) and kind_of(node) in ELEMENTS


def properties(parts: Sequence[ir.Node]) -> list[ir.Prop]:
    """The properties of elements that expressions ask for, in their order."""
    asked = (prop for part in parts for prop in find(part, ir.Prop) if is_element(prop.base))
    return list(dict.fromkeys(asked))


def stands_alone(element: ir.Expr, node: ir.Node) -> bool:
    """Whether the variable of an element stands in `node` outside of a property of it."""
    if isinstance(node, ir.Prop) and is_element(node.base):
        return False
    return node == element or any(stands_alone(element, child) for child in children(node))
