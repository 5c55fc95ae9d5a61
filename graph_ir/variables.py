"""Which variables clauses and patterns bind, by name."""

from __future__ import annotations

from graph_ir import nodes as ir
from graph_ir.walk import descend, find

SUBQUERIES = (ir.Exists, ir.CountOf, ir.CollectOf)
BINDING = (*SUBQUERIES, ir.PatternComp, ir.ListComp, ir.Quantifier, ir.Reduce)
"""Expressions that bind variables of their own."""


def introduced(clause: ir.Clause) -> tuple[str, ...]:
    """The names that a clause binds, in the order of the text; a projection's are its columns."""
    match clause:
        case ir.Match(paths=paths) | ir.Create(paths=paths):
            return tuple(name for path in paths for name in pattern_names(path))
        case ir.Merge(path=path):
            return tuple(pattern_names(path))
        case ir.Unwind(alias=alias) | ir.LoadCsv(alias=alias):
            return (alias,)
        case ir.Procedure(yields=yields):
            return tuple(each.alias for each in yields)
        case ir.Project(items=items):
            return tuple(item.alias for item in items)
        case ir.Subquery(query=query):
            return columns(query)
    return ()


def pattern_names(path: ir.Path) -> list[str]:
    """The variables of a path, those inside quantified parts too, in the order of the text."""
    names = [path.var] if path.var else []
    if path.head.var:
        names.append(path.head.var)
    for step in path.steps:
        if isinstance(step.edge, ir.Quantified):
            names.extend(pattern_names(step.edge.path))
        elif step.edge.var:
            names.append(step.edge.var)
        if step.node.var:
            names.append(step.node.var)
    return list(dict.fromkeys(names))


def columns(statement: ir.Statement) -> tuple[str, ...]:
    """The column names of a statement, none where it ends without RETURN."""
    query = statement.left if isinstance(statement, ir.Union) else statement
    while isinstance(query, ir.Union):
        query = query.left
    last = query.clauses[-1]
    return introduced(last) if isinstance(last, ir.Project) and last.final else ()


def read_names(*parts: ir.Node) -> set[str]:
    """Every variable that the parts read, and those that patterns in them bind or meet again."""
    names: set[str | None] = set()
    for part in parts:
        names |= {each.name for each in find(part, ir.Var)}
        names |= {each.var for each in find(part, ir.NodePattern)}
        names |= {each.var for each in find(part, ir.EdgePattern)}
        names |= {each.var for each in find(part, ir.Path)}
    return {name for name in names if name is not None}


def bound_inside(node: ir.Node) -> set[str]:
    """Every variable that is bound at some place inside a node, columns too."""
    names: set[str | None] = set()
    for part in descend(node):
        match part:
            case ir.NodePattern() | ir.EdgePattern() | ir.Path():
                names.add(part.var)
            case ir.ListComp() | ir.Quantifier():
                names.add(part.var)
            case ir.Reduce():
                names |= {part.var, part.acc}
            case ir.Item() | ir.Unwind() | ir.Yield():
                names.add(part.alias)
            case _:
                continue
    return {name for name in names if name is not None}
