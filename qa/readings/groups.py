"""Groups: does a filter choose groups or what is counted, and do empty ones belong?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.lowerings import conjuncts
from graph_ir.walk import find, rewrite
from qa.readings.shape import Stage, both, named_nodes, read_by, renamed, stages
from schemagraph.model import SchemaGraph


def filter_groups(query: ir.Query, schema: SchemaGraph) -> Iterator[ir.Query]:
    """A condition on what is counted, read as one that a group has to meet once."""
    for stage in stages(query):
        match, keys = stage.match, _keys(stage)
        if match is None or not keys:
            continue
        own: list[ir.Expr] = []
        counted: list[ir.Expr] = []
        for part in conjuncts(match.where):
            (own if _variables(part) <= keys else counted).append(part)
        if not counted:
            continue
        others = [name for name in _names(match) if name not in keys]
        again = {name: f"{name}_met" for name in others}
        met = renamed(ir.Match(match.paths, both(*counted)), again)
        test = ir.Exists(ir.Query((met,)))
        changed = replace(match, where=both(*own, test))
        yield stage.with_clauses(changed, stage.project)


def empty_groups(query: ir.Query, schema: SchemaGraph) -> Iterator[ir.Query]:
    """Counts of each thing, with those that have nothing to count."""
    for stage in stages(query):
        match, keys = stage.match, _keys(stage)
        if match is None or len(keys) != 1 or len(match.paths) != 1:
            continue
        (key,) = keys
        path = match.paths[0]
        node = named_nodes((match,)).get(key)
        far = [path.head, *(step.node for step in path.steps)]
        names = [each.var for each in far if each.var and each.var != key]
        counts = [a for i in stage.project.items for a in find(i, ir.Agg) if a.name == "count"]
        if node is None or not path.steps or not counts or not names or path.selector is not None:
            continue
        own = [part for part in conjuncts(match.where) if _variables(part) <= keys]
        rest = [
            part for part in conjuncts(match.where) if _variables(part) > keys or part not in own
        ]
        alone = ir.Match((ir.Path(node),), both(*own))
        plain = replace(node, labels=None, props=None, where=None)

        def unlabelled(
            each: ir.Node, node: ir.NodePattern = node, plain: ir.Node = plain
        ) -> ir.Node:
            return plain if each == node else each

        def rows(each: ir.Node, name: str = names[0]) -> ir.Node:
            if isinstance(each, ir.Agg) and each.name == "count" and not each.args:
                return replace(each, args=(ir.Var(name),))
            return each

        linked = ir.Match((rewrite(path, unlabelled),), both(*rest), optional=True)
        yield stage.with_clauses(alone, linked, rewrite(stage.project, rows))


def empty_neighbours(query: ir.Query, schema: SchemaGraph) -> Iterator[ir.Query]:
    """Things listed along with what is beside them, with those that have nothing beside them."""
    stage = list(stages(query))[-1]
    match, shown = stage.match, stage.project
    if match is None or shown.group is not None or len(match.paths) != 1:
        return
    path = match.paths[0]
    read = read_by(shown)
    node = named_nodes((match,)).get(read[0]) if len(read) > 1 else None
    if node is None or len(path.steps) != 1 or path.selector is not None:
        return
    own = [part for part in conjuncts(match.where) if _variables(part) <= {read[0]}]
    rest = [part for part in conjuncts(match.where) if part not in own]
    if rest:
        return  # whose neighbour has to be so, has one
    plain = replace(node, labels=None, props=None, where=None)

    def unlabelled(each: ir.Node) -> ir.Node:
        return plain if each == node else each

    alone = ir.Match((ir.Path(node),), both(*own))
    yield stage.with_clauses(alone, ir.Match((rewrite(path, unlabelled),), optional=True), shown)


def empty_values(query: ir.Query, schema: SchemaGraph) -> Iterator[ir.Query]:
    """Counts for each value of a property, with values that none of those counted has."""
    for stage in stages(query):
        match, keys = stage.match, stage.project.group or ()
        if match is None or match.where is None or len(keys) != 1:
            continue
        (key,), condition = keys, match.where
        counts = [a for i in stage.project.items for a in find(i, ir.Agg)]
        plain = len(match.paths) == 1 and not match.paths[0].steps and isinstance(key, ir.Prop)
        if not plain or not counts or any(a.name != "count" or a.distinct for a in counts):
            continue

        def those(each: ir.Node, condition: ir.Expr = condition) -> ir.Node:
            if isinstance(each, ir.Agg):
                met = ir.When(condition, ir.Literal(1))
                return replace(each, args=(ir.Case((met,)),))
            return each

        known = ir.Bool(ir.BoolOp.OR, (condition, ir.IsNull(key, negated=True)))
        yield stage.with_clauses(replace(match, where=known), rewrite(stage.project, those))


def _keys(stage: Stage) -> set[str]:
    """The variables of the grouping keys; none where nothing is counted by group."""
    group = stage.project.group or ()
    return {var.name for key in group for var in find(key, ir.Var)}


def _variables(expr: ir.Expr) -> set[str]:
    return {var.name for var in find(expr, ir.Var)}


def _names(match: ir.Match) -> list[str]:
    variables = [each.var for path in match.paths for each in find(path, ir.NodePattern)]
    variables += [each.var for path in match.paths for each in find(path, ir.EdgePattern)]
    return [name for name in dict.fromkeys(variables) if name is not None]
