"""What the rows and items of a clause that writes have to do with one another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from graph_ir import nodes as ir
from graph_ir.walk import descend, find, rewrite
from graphmill.errors import Refused
from schemagraph.model import Kind

ELEMENTS = frozenset({Kind.NODE, Kind.EDGE})
_SUBQUERIES = (ir.CollectOf, ir.CountOf, ir.Exists, ir.PathExpr, ir.PatternComp)
_WHOLE = frozenset({"keys", "properties"})
ANY_KEY = "*"


def refused(code: str, construct: str, reason: str, node: ir.Node) -> Refused:
    return Refused(code, construct, reason, node.span)


def named(node: ir.Node) -> set[str]:
    """The variables of the nodes and edges in patterns below `node`."""
    nodes = {part.var for part in find(node, ir.NodePattern)}
    return {name for name in nodes | {p.var for p in find(node, ir.EdgePattern)} if name}


@dataclass(slots=True)
class Rows:
    """What is known of the rows at one place: at most one, and variables never equal in two."""

    single: bool = True
    unique: frozenset[str] = frozenset()

    def tells(self, name: str) -> bool:
        """Whether no two rows have the same element as `name`."""
        return self.single or name in self.unique

    def after(self, clause: ir.Clause, visible: set[str]) -> Rows:
        """The same behind `clause`, before which the variables `visible` are bound."""
        match clause:
            case ir.Match():
                return self._matched(clause)
            case ir.Project():
                return self._projected(clause)
            case ir.Create():
                # Each row makes its own.
                return replace(self, unique=self.unique | (named(clause) - visible))
            case ir.Set() | ir.Remove() | ir.Delete():
                return self
            case _:
                return Rows(single=False)

    def _matched(self, match: ir.Match) -> Rows:
        if not self.single or len(match.paths) != 1:
            return Rows(single=False)
        (path,) = match.paths
        first = path.head if not path.steps else path.steps[0].edge
        plain = not path.steps or (
            len(path.steps) == 1
            and isinstance(first, ir.EdgePattern)
            and first.hops is None
            and first.direction is not ir.Direction.BOTH
        )
        if not plain or path.selector is not None or isinstance(first, ir.Quantified):
            return Rows(single=False)
        return Rows(single=False, unique=frozenset({first.var} if first.var else ()))

    def _projected(self, node: ir.Project) -> Rows:
        one = isinstance(node.limit, ir.Literal) and node.limit.value in (0, 1)
        renamed = {i.alias: i.expr.name for i in node.items if isinstance(i.expr, ir.Var)}
        if node.group is not None or node.distinct:
            keys = [i for i in node.items if node.group is None or i.expr in node.group]
            alone = len(keys) == 1 and keys[0].alias in renamed
            unique = frozenset({keys[0].alias} if alone else ())
            return Rows(one or not keys or self.single, unique)
        kept = {alias for alias, name in renamed.items() if name in self.unique}
        return Rows(one or self.single, frozenset(kept))


def reference(item: ir.SetItem) -> ir.Var:
    """The variable whose element an item writes."""
    target = item.target.base if isinstance(item.target, ir.Prop) else item.target
    if not isinstance(target, ir.Var):
        raise refused("write-target", "SET", "GQL writes properties and labels of variables.", item)
    if item.labels and target.type.kind is not Kind.NODE:
        raise refused(
            "write-target", target.name, f"'{target.name}' is not known to be a node.", item
        )
    return target


def target_name(item: ir.SetItem) -> str:
    return reference(item).name


def is_null(value: ir.Expr | None) -> bool:
    return isinstance(value, ir.Literal) and value.value is None


def without_nulls(path: ir.Path) -> ir.Path:
    """A pattern without properties that are null: they would be absent."""

    def part[P: (ir.NodePattern, ir.EdgePattern)](element: P) -> P:
        if not isinstance(element.props, ir.MapOf):
            return element
        return replace(element, props=distinct(element.props))

    steps = tuple(
        replace(
            step,
            edge=part(step.edge) if isinstance(step.edge, ir.EdgePattern) else step.edge,
            node=part(step.node),
        )
        for step in path.steps
    )
    return replace(path, head=part(path.head), steps=steps)


def declared_first(paths: Sequence[ir.Path], visible: set[str]) -> list[tuple[ir.Path, ...]]:
    """Paths to insert, in as many statements as it takes to use no node where it is declared."""
    groups: list[tuple[ir.Path, ...]] = []
    group: list[ir.Path] = []
    here: set[str] = set()
    known = set(visible)
    for path in paths:
        names = [node.var for node in find(path, ir.NodePattern) if node.var]
        twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
        alone = [name for name in twice if name not in known]
        if group and (alone or here & {*names}):
            groups.append(tuple(group))
            group, here = [], set()
        if alone:
            nodes = [node for node in find(path, ir.NodePattern) if node.var in alone]
            groups.append(tuple(ir.Path(n) for n in {n.var: n for n in reversed(nodes)}.values()))
            path = _bare(path, {*alone})
        here |= {*names} - {*alone} - known
        known |= {*names}
        group.append(path)
    return [*groups, tuple(group)]


def _bare(path: ir.Path, names: set[str]) -> ir.Path:
    """`path` with nothing but their name in the nodes called `names`."""

    def change(node: ir.Node) -> ir.Node:
        if isinstance(node, ir.NodePattern) and node.var in names:
            return ir.NodePattern(node.var)
        return node

    return rewrite(path, change)


def distinct(props: ir.MapOf) -> ir.MapOf:
    keys = [entry.key for entry in props.entries]
    if len(set(keys)) != len(keys):
        raise refused("write-target", "{}", "A map has one key twice.", props)
    return replace(props, entries=tuple(e for e in props.entries if not is_null(e.value)))


def plain(item: ir.SetItem) -> list[ir.SetItem]:
    """An item as those that GQL has: one property, one label, or all properties by name."""
    reference(item)
    if item.labels:
        return [replace(item, labels=(label,)) for label in item.labels]
    if isinstance(item.target, ir.Prop):
        return [item]
    if not isinstance(item.value, ir.MapOf):
        raise refused(
            "all-properties", "SET", "GQL sets all properties by name, not from a value.", item
        )
    if not item.add:
        return [replace(item, value=distinct(item.value))]
    distinct(item.value)
    return [
        replace(item, target=ir.Prop(item.target, entry.key), value=entry.value, add=False)
        for entry in item.value.entries
    ]


type Written = tuple[Kind, str]
"""What a write changes: of nodes or of edges, a property key, `*` for all, or `:` and a label."""


def written_by(item: ir.SetItem) -> list[Written]:
    """What an item writes."""
    kind = reference(item).type.kind
    if item.labels:
        return [(kind, f":{label}") for label in item.labels]
    return [(kind, item.target.key if isinstance(item.target, ir.Prop) else ANY_KEY)]


def asks_graph(value: ir.Expr) -> bool:
    """Whether `value` matches patterns."""
    return next(find(value, *_SUBQUERIES), None) is not None


def reads(value: ir.Expr, written: Iterable[Written], own: str) -> bool:
    """Whether `value` may read what is written, but for properties and labels of `own`."""
    if asks_graph(value):
        return True
    for part in descend(value):
        read = _read(part)
        if read is None or (isinstance(read[0], ir.Var) and read[0].name == own):
            continue
        base, key = read
        for kind, what in written:
            if base.type.kind in (kind, Kind.ANY) and _meet(key, what):
                return True
    return False


def _read(part: ir.Node) -> tuple[ir.Expr, str] | None:
    """Whose properties or labels an expression itself reads: which key, `*`, or `:`."""
    match part:
        case ir.Prop():
            return part.base, part.key
        case ir.Index() | ir.MapProjection():
            return part.base, ANY_KEY
        case ir.Call(args=(base, *_)) if part.name in _WHOLE:
            return base, ANY_KEY
        case ir.Call(args=(base, *_)) if part.name == "labels":
            return base, ":"
        case ir.LabelTest():
            return part.arg, ":"
    return None


def _meet(read: str, written: str) -> bool:
    if read == ":" or written.startswith(":"):
        return read == ":" and written.startswith(":")
    return ANY_KEY in (read, written) or read == written


def shared_alike(items: Sequence[ir.SetItem]) -> bool:
    """Whether targets that may be one element get the same constants."""
    given: dict[Written, dict[str, ir.Expr | None]] = {}
    for item in items:
        for key in written_by(item):
            given.setdefault(key, {})[target_name(item)] = item.value
    if any(key == ANY_KEY for _, key in given):
        return False
    return all(
        len(by) == 1 or (len(set(by.values())) == 1 and not _made_of_variables(by.values()))
        for (_, key), by in given.items()
        if not key.startswith(":")
    )


def _made_of_variables(values: Iterable[ir.Expr | None]) -> bool:
    return any(value is not None and next(find(value, ir.Var), None) for value in values)


def apart(items: Sequence[ir.SetItem]) -> list[ir.Clause]:
    """SET and REMOVE statements, parted where an item meets what one before it wrote."""
    clauses: list[ir.Clause] = []
    group: list[ir.SetItem] = []
    removes = False
    written: set[Written] = set()
    for item in items:
        keys = written_by(item)
        away = is_null(item.value) and not item.labels
        value = item.value
        meets = value is not None and reads(value, written, "")
        again = any(key in written for key in keys) or any(
            key == ANY_KEY for _, key in (*written, *keys)
        )
        if group and (meets or again or away != removes):
            clauses.append(ir.Remove(tuple(group)) if removes else ir.Set(tuple(group)))
            group, written = [], set()
        removes = away
        group.append(replace(item, value=None) if away else item)
        written |= {*keys}
    clauses.append(ir.Remove(tuple(group)) if removes else ir.Set(tuple(group)))
    return clauses
