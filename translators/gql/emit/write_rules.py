"""Cypher's writes as ISO GQL can say them: rows that write and read one another are refused.

A clause of Cypher runs row by row, each item after the other, and sees what the rows before it
wrote. A statement of ISO GQL evaluates all its rows first, then writes; whether two values for one
property of one element are an exception or an arbitrary choice is left to the implementation
(ISO/IEC 39075:2024 clauses 13.2 to 13.5 and item IA017 of its Annex B). So a write is said only
where both ways end in the same graph: where no row reads what another writes, and no two rows
write one property of one element. `lower` proves that from the text of the query alone.

Two conventions are Cypher's: a property that is set to null is absent (a reader of the graph that
GQL makes sees null in both cases), and the null element is not written, so it is filtered away.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.lowerings import unused_names
from graph_ir.walk import children, find
from graphmill.errors import Refused
from schemagraph.model import Kind
from translators.gql.emit.write_rows import (
    ELEMENTS,
    Rows,
    apart,
    asks_graph,
    declared_first,
    named,
    plain,
    reads,
    reference,
    refused,
    shared_alike,
    target_name,
    without_nulls,
    written_by,
)

# Functions of an element whose value holds no element.
_SCALAR = frozenset(
    ("count", "elementId", "id", "keys", "labels", "length", "properties", "size", "type")
)


def writes(statement: ir.Statement) -> bool:
    """Whether `statement` writes anywhere."""
    return next(find(statement, *ir.WRITES), None) is not None


def reads_after_write(statement: ir.Statement) -> bool:
    """Whether a clause stands behind one that writes: what a schema promises may not hold there."""
    if isinstance(statement, ir.Union):
        return False
    kinds = [isinstance(clause, ir.WRITES) for clause in statement.clauses]
    return True in kinds[:-1]


def lower(statement: ir.Statement) -> ir.Statement:
    """`statement` with its writes in the form that GQL has for them.

    Raises:
        Refused: GQL may end in another graph, or has no such write.
    """
    if not writes(statement):
        return statement
    if isinstance(statement, ir.Union):
        raise refused("write-place", "UNION", "A side of a UNION writes.", statement)
    for clause in statement.clauses:
        if not isinstance(clause, ir.Foreach) and _inner_writes(clause):
            raise refused("write-place", type(clause).__name__, "A subquery writes.", clause)
    return _Lowering(statement).lowered()


def _inner_writes(clause: ir.Clause) -> bool:
    return any(write is not clause for write in find(clause, *ir.WRITES))


class _Lowering:
    """One pass over the clauses of a query."""

    def __init__(self, query: ir.Query) -> None:
        self.query = query
        self.spare = unused_names(query, "element")
        self.rows = Rows()
        # Variables that are bound; those whose value holds an element; of the latter, those that
        # may be null, and those whose element may be deleted by now.
        self.visible: set[str] = set()
        self.holders: set[str] = set()
        self.nullable: set[str] = set()
        self.deleted: set[str] = set()
        self.nodes_deleted = False

    def lowered(self) -> ir.Query:
        """The whole query."""
        clauses = _joined_deletes(_unfolded(self.query.clauses))
        lowered: list[ir.Clause] = []
        for number, clause in enumerate(clauses):
            self._check_deleted(clause)
            last = number == len(clauses) - 1
            lowered += self._clause(clause, last=last)
            self.rows = self.rows.after(clause, self.visible)
            self._hold(clause)
        return replace(self.query, clauses=tuple(lowered))

    def _clause(self, clause: ir.Clause, *, last: bool) -> list[ir.Clause]:
        match clause:
            case ir.Create():
                return self._create(clause)
            case ir.Set():
                return self._set(clause, last=last)
            case ir.Remove():
                names = [target_name(item) for item in clause.items]
                guard = self._present(names, clause.items, last=last)
                return [*guard, clause]
            case ir.Delete():
                return self._delete(clause, last=last)
            case _:
                return [clause]

    # --- what is deleted -------------------------------------------------------------------

    def _check_deleted(self, clause: ir.Clause) -> None:
        used = {var.name for var in find(clause, ir.Var)}
        used |= named(clause)
        if used & self.deleted:
            name = sorted(used & self.deleted)[0]
            raise refused(
                "deleted-element",
                name,
                f"'{name}' may be deleted by now, and GQL has no value for it.",
                clause,
            )
        if isinstance(clause, ir.Delete) and self.nodes_deleted:
            raise refused(
                "write-rows",
                "DELETE",
                "Cypher asks at the end whether a deleted node has relationships, GQL after "
                "each DELETE.",
                clause,
            )

    def _hold(self, clause: ir.Clause) -> None:
        """Take note of what `clause` binds and deletes."""
        match clause:
            case ir.Project():
                held = [item for item in clause.items if self._holds(item.expr)]
                self.holders = {item.alias for item in held}
                self.nullable = {item.alias for item in held if item.expr.type.nullable}
                self.deleted = set()
                self.visible = {item.alias for item in clause.items}
            case ir.Unwind():
                self.visible.add(clause.alias)
                if self._holds(clause.expr):
                    item = clause.expr.type.item
                    self._bind({clause.alias}, nullable=item is None or item.nullable)
            case ir.Delete():
                self.deleted = set(self.holders)
                self.nodes_deleted |= not clause.detach and not _edges_only(clause)
            case ir.Match():
                paths = {path.var for path in find(clause, ir.Path) if path.var}
                self._bind(named(clause) | paths, nullable=clause.optional)
            case ir.Create():
                self._bind(named(clause), nullable=False)
            case ir.Subquery():
                self._bind({item.alias for item in find(clause, ir.Item)}, nullable=True)
            case ir.Procedure():
                self._bind({part.alias for part in clause.yields}, nullable=True)
        self.visible |= self.holders

    def _bind(self, names: set[str], *, nullable: bool) -> None:
        self.nullable = (
            self.nullable | (names - self.holders) if nullable else self.nullable - names
        )
        self.holders |= names

    def _holds(self, node: ir.Node) -> bool:
        """Whether the value of `node` may be or contain an element."""
        match node:
            case ir.Var():
                return node.name in self.holders
            case ir.Prop(base=ir.Var() as base) if base.type.kind in ELEMENTS:
                return False
            case ir.Call() | ir.Agg() if node.name in _SCALAR:
                return False
            case (
                ir.Compare() | ir.Not() | ir.IsNull() | ir.LabelTest() | ir.Exists() | ir.CountOf()
            ):
                return False
            case ir.CollectOf() | ir.PatternComp() | ir.PathExpr():
                return True
        return any(self._holds(child) for child in children(node))

    # --- CREATE ----------------------------------------------------------------------------

    def _create(self, create: ir.Create) -> list[ir.Clause]:
        for path in create.paths:
            if path.var is not None:
                raise refused(
                    "insert-pattern", path.var, "INSERT has no variable for a path.", path
                )
        for part in find(create, ir.NodePattern):
            if part.var is not None and part.var in self.nullable:
                raise _null(part.var, part)
            if part.var in self.visible - self.holders:
                raise refused(
                    "write-target", part.var, f"'{part.var}' is not known to be a node.", part
                )
        made = named(create) - self.visible
        values = [entry.value for entry in find(create, ir.Entry)]
        for value in values:
            names = {var.name for var in find(value, ir.Var)}
            if names & made:
                raise refused(
                    "insert-pattern",
                    sorted(names & made)[0],
                    "A property is made of an element that the same CREATE makes.",
                    value,
                )
            if not self.rows.single and asks_graph(value):
                raise _rows("CREATE", value)
        paths = [without_nulls(path) for path in create.paths]
        return [replace(create, paths=group) for group in declared_first(paths, self.visible)]

    # --- SET -------------------------------------------------------------------------------

    def _set(self, clause: ir.Set, *, last: bool) -> list[ir.Clause]:
        items = [part for item in clause.items for part in plain(item)]
        if not items:
            return [replace(clause, items=())] if last else []
        names = [target_name(item) for item in items]
        guard = self._present(names, items, last=last)
        if not self.rows.single and not self._independent(items):
            if not last or len(set(names)) > 1 or not self._of_target_alone(items, names[0]):
                raise _rows("SET", clause)
            # Each element once, whatever the number of its rows.
            column = ir.Item(reference(items[0]), names[0])
            guard = [*guard, ir.Project((column,), distinct=True)]
        return [*guard, *apart(items)]

    def _independent(self, items: Sequence[ir.SetItem]) -> bool:
        """Whether rows neither read nor write what another row writes."""
        written = {key for item in items for key in written_by(item)}
        names = {target_name(item) for item in items}
        for item in items:
            if item.value is None:
                continue
            own = reference(item)
            mine = len(names) == 1 and self.rows.tells(own.name)
            if reads(item.value, written, own.name if mine else ""):
                return False
        for name in names:
            keys = [key for i in items if target_name(i) == name for _, key in written_by(i)]
            if not self.rows.tells(name) and not all(key.startswith(":") for key in keys):
                return False
        return len(names) == 1 or shared_alike(items)

    def _of_target_alone(self, items: Sequence[ir.SetItem], name: str) -> bool:
        """Whether every row of one element writes the same: values are made of that element
        alone, and read nothing that is written."""
        written = {key for item in items for key in written_by(item)}
        values = [item.value for item in items if item.value is not None]
        names = {var.name for value in values for var in find(value, ir.Var)}
        alone = names & self.visible <= {name}
        return alone and not any(reads(value, written, "") for value in values)

    # --- null elements ---------------------------------------------------------------------

    def _present(
        self, names: Sequence[str], items: Sequence[ir.SetItem], *, last: bool
    ) -> list[ir.Clause]:
        """What drops the rows in which the target is null: Cypher writes nothing there."""
        targets = [reference(item) for item in items]
        for target in targets:
            if target.type.kind not in ELEMENTS:
                raise refused(
                    "write-target",
                    target.name,
                    f"'{target.name}' is not known to be a node or a relationship.",
                    target,
                )
        nullable = next((var for var in targets if var.type.nullable), None)
        if nullable is None:
            return []
        if not last or len(set(names)) > 1:
            raise _null(nullable.name, nullable)
        used = {var.name: var for item in items for var in find(item, ir.Var)}
        columns = tuple(ir.Item(used[name], name) for name in used if name in self.visible)
        return [ir.Project(columns, where=ir.IsNull(nullable, negated=True))]

    def _delete(self, clause: ir.Delete, *, last: bool) -> list[ir.Clause]:
        for expr in clause.exprs:
            if expr.type.kind not in ELEMENTS:
                raise refused(
                    "write-target",
                    "DELETE",
                    "GQL deletes nodes and edges; this is not known to be one.",
                    expr,
                )
        if not any(expr.type.nullable for expr in clause.exprs):
            return [clause]
        nullable = next(expr for expr in clause.exprs if expr.type.nullable)
        if not last:
            raise _null("DELETE", nullable)
        kind = replace(nullable.type, nullable=True)
        if len(clause.exprs) == 1 and isinstance(nullable, ir.Var):
            one: ir.Var = nullable
            rows: list[ir.Clause] = []
        else:
            one = ir.Var(next(self.spare), type=kind)
            rows = [ir.Unwind(ir.ListOf(clause.exprs), one.name)]
        there = ir.Project((ir.Item(one, one.name),), where=ir.IsNull(one, negated=True))
        return [*rows, there, replace(clause, exprs=(one,))]


def _null(construct: str, node: ir.Node) -> Refused:
    return refused(
        "null-target",
        construct,
        "The element can be null, which Cypher passes over, and more follows the write.",
        node,
    )


def _rows(construct: str, node: ir.Node) -> Refused:
    return refused(
        "write-rows",
        construct,
        "Several rows may write one property, or read what others write: GQL evaluates all rows "
        "before it writes.",
        node,
    )


def _unfolded(clauses: Sequence[ir.Clause]) -> list[ir.Clause]:
    """A FOREACH of one clause at the end is that clause for each item."""
    last = clauses[-1]
    if (
        isinstance(last, ir.Foreach)
        and len(last.clauses) == 1
        and last.list.type.kind is Kind.LIST
        and not isinstance(last.clauses[0], ir.Foreach)
    ):
        return [*clauses[:-1], ir.Unwind(last.list, last.var, span=last.span), last.clauses[0]]
    return [*clauses]


def _joined_deletes(clauses: Sequence[ir.Clause]) -> list[ir.Clause]:
    """DELETE behind DELETE, of variables, is one: edges do not mind DETACH."""
    joined: list[ir.Clause] = []
    for clause in clauses:
        before = joined[-1] if joined else None
        if (
            isinstance(clause, ir.Delete)
            and isinstance(before, ir.Delete)
            and all(isinstance(expr, ir.Var) for expr in clause.exprs)
            and (before.detach == clause.detach or _edges_only(clause if before.detach else before))
        ):
            exprs = (*before.exprs, *clause.exprs)
            joined[-1] = replace(before, exprs=exprs, detach=before.detach or clause.detach)
        else:
            joined.append(clause)
    return joined


def _edges_only(clause: ir.Delete) -> bool:
    return {expr.type.kind for expr in clause.exprs} == {Kind.EDGE}
