"""From the rules of gql.lark to Graph-IR: one method a rule, called while the text is parsed.

Each method gets the children of its rule (absent optional parts are None). Statements that GQL
joins by NEXT become one query with WITH between them; what Graph-IR has no form of is refused.

The parser calls one object, so that the methods are one class, of over 600 lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from graph_ir import nodes as ir
from graph_ir.cypher.automaton import CHAINED, MAX_LEVELS
from graph_ir.cypher.build import ALL_VARIABLES, LET_STAR, STAR
from graph_ir.cypher.build import Build as CypherBuild
from graph_ir.cypher.scanning import Token, failed
from graph_ir.rewrites import has_aggregate
from graph_ir.variables import columns, introduced
from graph_ir.walk import find
from graphmill.errors import QueryTextError, Refused, Span
from translators.gql.emit.uniqueness import (
    can_repeat_edge,
    edges_of,
    is_named_cycle,
    overlap,
    search_can_repeat_edge,
)
from translators.gql.reader.expressions import Expressions
from translators.gql.reader.flavours import Flavour
from translators.gql.reader.grouping import grouped
from translators.gql.reader.patterns import Patterns, Prefix
from translators.gql.reader.setops import combined
from translators.gql.reader.stages import names_of, together

type Children = list[Any]

PLACE = "\0place"
MOST_REPEATED = 100_000  # nodes of IR, as a text of the greatest length has, too
# Rules whose terminals the lexer makes for GoogleSQL alone.
_OF_GOOGLESQL = frozenset(("array_query", "chosen", "interval", "nulls_said", "part_in_zone"))


@dataclass(frozen=True, slots=True)
class OpenMatch(ir.Match):
    """A MATCH that names no match mode where it could matter; `translators.gql.reader.settled`
    decides when the types of the edges are known."""


@dataclass(frozen=True, slots=True)
class Composite:
    """What NEXT joins: a statement, whether a set operator made it, and which."""

    statement: ir.Statement
    made_of: bool = False
    operator: str = ""


@dataclass(frozen=True, slots=True)
class Chain:
    """What stands before a NEXT, and all names that its clauses bind, the last one's apart: each
    NEXT adds its own to them, as to collect them anew would take quadratic time."""

    statement: ir.Statement
    names: set[str]


class Build(Patterns, Expressions, CypherBuild):
    """Callbacks of the parser; the names are those of the grammar's rules and aliases."""

    def __init__(self, flavour: Flavour) -> None:
        self.flavour = flavour

    def method(self, name: str) -> Callable[[Children], Any]:
        """The callback of a rule; some of the names are keywords of Python."""
        python = ("with", "return", "for", "from")
        of_another = name in _OF_GOOGLESQL and not self.flavour.googlesql
        action: Callable[[Children], Any] = (
            _none_here if of_another else getattr(self, f"{name}_" if name in python else name)
        )
        return action

    # --- statements ------------------------------------------------------------------------

    def start(self, c: Children) -> Any:
        return c[0]

    def ended(self, c: Children) -> ir.Statement:
        statement: ir.Statement = c[0].statement
        return statement

    def first_statement(self, c: Children) -> Chain:
        statement = c[0].statement
        return Chain(statement, set() if _is_union(statement) else names_of(statement.clauses[:-1]))

    def next_statement(self, c: Children) -> Chain:
        left, keyword, yields, right = c
        before, names = _as_clauses(left.statement, keyword), left.names
        if _is_union(left.statement):
            names = names_of(before[:-1])
        if yields is not None:
            names.update(introduced(before[-1]))
            before.append(ir.Project(tuple(yields), span=keyword.span))
        return _continued(before, names, right, keyword)

    def first_linear(self, c: Children) -> Composite:
        return Composite(c[0])

    def set_operation(self, c: Children) -> Composite:
        left, (operator, all_), right = c
        name = f"{operator.type}{' ALL' if all_ else ''}"
        if left.operator not in ("", name) and not self.flavour.extended:
            message = f"All set operators of a statement are one (clause 14.2): {left.operator}."
            raise failed(operator, message, "several-set-operators")
        return Composite(combined(left.statement, right, operator, all_), True, name)

    def set_operator(self, c: Children) -> tuple[Token, bool]:
        return c[0], len(c) > 1 and c[1] is not None and c[1].type == "ALL"

    def query(self, c: Children) -> ir.Statement:
        return _query(c[0])

    def query_result(self, c: Children) -> ir.Statement:
        return _query([*c[0], c[1]])

    def only_result(self, c: Children) -> ir.Statement:
        return _query([c[0]])

    def nested(self, c: Children) -> Any:
        return c[1]

    def used(self, c: Children) -> Any:
        return c[2]

    def use(self, c: Children) -> list[ir.Clause]:
        parts = [token.text.upper() for token in c[1]]
        if parts not in (["CURRENT_GRAPH"], ["CURRENT_PROPERTY_GRAPH"]):
            name = "".join(token.text for token in c[1])
            raise Refused(
                "graph-choice", f"USE {name}", "The graph is chosen by the caller.", c[0].span
            )
        return []

    def more_graph(self, c: Children) -> Children:
        return [*c[0], c[1], c[2]]

    # --- MATCH -----------------------------------------------------------------------------

    def match(self, c: Children) -> Any:
        optional, keyword, mode, paths, keep, where, yields = c
        span = (optional or keyword).span
        if keep is not None:
            paths = [self._kept(path, keep, where, keyword) for path in paths]
        made = self._match(paths, where, optional is not None, mode, span)
        if yields is None:
            return [made]
        raise Refused("match-yield", "YIELD", "YIELD behind MATCH is not translated.", span)

    def _kept(self, path: ir.Path, keep: Prefix, where: Any, keyword: Token) -> ir.Path:
        if path.selector is not None or path.mode is not None:
            raise failed(keyword, "KEEP stands for the prefixes of all paths.", "two-prefixes")
        if keep.selector is not None and where is not None:
            raise Refused("keep", "KEEP", "KEEP beside a WHERE is not translated.", keyword.span)
        return replace(path, selector=keep.selector, mode=keep.mode)

    def _match(
        self,
        paths: list[ir.Path],
        where: ir.Expr | None,
        optional: bool,
        mode: ir.MatchMode | None,
        span: Span | None,
    ) -> ir.Match:
        moved: list[ir.Expr] = []
        plain = [_hoisted(path, moved) for path in paths]
        if where is not None:
            moved.append(where)
        plain, mode = self._modes(plain, mode, span)
        test = moved[0] if len(moved) == 1 else ir.Bool(ir.BoolOp.AND, tuple(moved), span=span)
        where = test if moved else None
        if mode is None:
            return OpenMatch(tuple(plain), where, optional, span=span)
        return ir.Match(tuple(plain), where, optional, mode, span=span)

    def _modes(
        self, paths: list[ir.Path], mode: ir.MatchMode | None, span: Span | None
    ) -> tuple[list[ir.Path], ir.MatchMode | None]:
        """The paths and the match mode, where those that cannot matter are Cypher's own; no mode
        where the text leaves open one that can."""
        different = ir.MatchMode.DIFFERENT_EDGES
        if any(path.selector is not None for path in paths):
            if mode is not different and any(map(self._searches_walks, paths)):
                raise Refused(
                    "path-mode",
                    "SHORTEST",
                    "A search that names no mode is one for walks, which may pass an edge twice: "
                    "write TRAIL.",
                    span,
                )
            return [self._searched(path) for path in paths], mode or different
        trails = [
            replace(path, mode=None) if path.mode in (ir.PathMode.WALK, ir.PathMode.TRAIL) else path
            for path in paths
        ]
        if mode is different:
            return trails, different
        if not can_repeat_edge(tuple(paths)):
            return trails, different
        if len(paths) == 1 and paths[0].mode is ir.PathMode.TRAIL:
            return trails, different
        if len(paths) == 1 and paths[0].mode in (ir.PathMode.ACYCLIC, ir.PathMode.SIMPLE):
            # No node twice is no edge twice, but for the two edges of a cycle of one hop back.
            return paths, mode or self.flavour.mode or ir.MatchMode.REPEATABLE
        if mode is None:
            mode = self.flavour.mode
        if mode is different:
            return trails, different
        return [replace(p, mode=None) if p.mode is ir.PathMode.WALK else p for p in paths], mode

    def _searches_walks(self, path: ir.Path) -> bool:
        """Whether what is searched for may have an edge twice, as no trail has.

        A path both ways between two variables is read as a search for trails, though both can be
        bound to one node, from which a walk goes along an edge and back: so shortestPath() is
        written, which has no path there. For all other pairs of nodes the two are the same.
        """
        walk = path.mode is ir.PathMode.WALK or (
            path.mode is None and not self.flavour.searches_trails
        )
        return walk and search_can_repeat_edge(replace(path, mode=None), is_named_cycle)

    def _searched(self, path: ir.Path) -> ir.Path:
        """A path search: the shortest walk is a trail, so both modes are one."""
        if path.mode in (ir.PathMode.WALK, ir.PathMode.TRAIL):
            return replace(path, mode=None)
        return path

    def optional_block(self, c: Children) -> list[ir.Clause]:
        keyword, matches = c[0], [clause for part in c[2] for clause in part]
        merged = _merged(matches)
        if merged is not None:
            return [replace(merged, optional=True, span=keyword.span)]
        inner = ir.Query((*matches, _everything(keyword.span, final=True)), span=keyword.span)
        return [ir.Subquery(inner, ALL_VARIABLES, True, span=keyword.span)]

    # --- LET, FILTER, FOR, ORDER BY --------------------------------------------------------

    def let(self, c: Children) -> Any:
        stages: list[list[ir.Item]] = [[]]
        for item in c[1]:
            if has_aggregate(item.expr):
                raise _misplaced(item.expr)
            known = {each.alias for each in stages[-1]}
            if any(var.name in known for var in find(item.expr, ir.Var)):
                stages.append([])
            stages[-1].append(item)
        star = replace(LET_STAR, span=c[0].span)
        return [ir.Project((star, *items), span=c[0].span) for items in stages]

    def typed_definition(self, c: Children) -> ir.Item:
        _value, name, type, _eq, value = c
        if type is not None:
            raise Refused("typed-value", name.text, "A typed value is not translated.", name.span)
        return ir.Item(value, name.text, span=name.span)

    def filter(self, c: Children) -> ir.Project:
        if has_aggregate(c[2]):
            raise _misplaced(c[2])
        return ir.Project((replace(STAR, span=c[0].span),), where=c[2], span=c[0].span)

    def for_(self, c: Children) -> ir.Unwind:
        return ir.Unwind(c[3], c[1].text, span=c[0].span)

    def for_numbered(self, c: Children) -> list[ir.Clause]:
        keyword, item, _in, listed, numbered, place = c
        span = keyword.span
        first = 0 if numbered.text == "OFFSET" else 1
        size = ir.Call("coalesce", (ir.Call("size", (listed,)), ir.Literal(0)), span=span)
        last: ir.Expr = size
        index: ir.Expr = ir.Var(place.text, span=place.span)
        if first:
            index = ir.Arith(ir.ArithOp.SUB, index, ir.Literal(1), span=span)
        else:
            last = ir.Arith(ir.ArithOp.SUB, size, ir.Literal(1), span=span)
        places = ir.Call("range", (ir.Literal(first), last), span=span)
        value = ir.Item(ir.Index(listed, index, span=span), item.text, span=item.span)
        return [
            ir.Unwind(places, place.text, span=span),
            ir.Project((replace(LET_STAR, span=span), value), span=span),
        ]

    def unwind(self, c: Children) -> ir.Unwind:
        self.only_extended(c[0], "UNWIND: write FOR x IN list")
        return super().unwind(c)

    def with_(self, c: Children) -> Any:
        keyword, distinct, items, group, having, order, skip, limit, where = c
        self.only_extended(keyword, "WITH: write RETURN … NEXT, or LET")
        return self._projected(
            keyword, distinct, items, group, having, order, skip, limit, where, final=False
        )

    def page_order(self, c: Children) -> ir.Project:
        order, skip, limit = c
        return self._page(order[0].span, order, skip, limit)

    def page_skip(self, c: Children) -> ir.Project:
        return self._page(c[0].span, None, c[0], c[1])

    def page_limit(self, c: Children) -> ir.Project:
        return self._page(c[0].span, None, None, c[0])

    def _page(
        self, span: Span | None, order: Any, skip: ir.Expr | None, limit: ir.Expr | None
    ) -> ir.Project:
        keys = tuple(order or ())
        for key in keys:
            if has_aggregate(key.expr):
                raise _misplaced(key.expr)
        star = replace(STAR, span=span)
        return ir.Project((star,), order=keys, skip=skip, limit=limit, span=span)

    def order(self, c: Children) -> list[ir.SortKey]:
        return [key for keys in c[2] for key in keys]

    def nulls(self, c: Children) -> bool:
        return bool(c[1].type == "FIRST")

    def key(self, c: Children) -> Any:
        """A sort key; where nulls shall come otherwise than in Cypher, a second one before it."""
        expr, word, first = c
        descending = word is not None and word.type.startswith("DESC")
        key = ir.SortKey(expr, descending, span=expr.span)
        if first is None:
            first = self.flavour.nulls_first[descending]
        if first == descending:
            return [key]
        return [ir.SortKey(ir.IsNull(expr, span=expr.span), first, span=expr.span), key]

    def skip(self, c: Children) -> Any:
        value: ir.Expr = c[1]
        plain = isinstance(value, ir.Param) or (
            isinstance(value, ir.Literal) and type(value.value) is int and value.value >= 0
        )
        if not plain and not self.flavour.extended:
            raise failed(c[0], f"{c[0].text} takes a number or a parameter.", "limit-expression")
        return value

    limit = skip

    def set_value(self, c: Children) -> ir.SetItem:
        whole = isinstance(c[0], ir.Var) and not isinstance(c[2], ir.MapOf)
        if whole and not self.flavour.extended:
            message = "All properties are set by what stands in braces (clause 13.3)."
            raise failed(c[1], message, "not-in-gql")
        return super().set_value(c)

    # --- CALL ------------------------------------------------------------------------------

    def call_bare(self, c: Children) -> ir.Subquery:
        optional, keyword, _open, statement, _close = c
        return ir.Subquery(statement, ALL_VARIABLES, optional is not None, span=keyword.span)

    def procedure(self, c: Children) -> Any:
        self.only_extended(c[1], "CALL of a procedure without parentheses")
        return self._called(c[0], c[1], c[2], None, c[3])

    def procedure_args(self, c: Children) -> Any:
        return self._called(c[0], c[1], c[2], tuple(c[4] or ()), c[6])

    def _called(self, optional: Any, keyword: Token, name: Any, args: Any, yields: Any) -> Any:
        if optional is not None:
            raise Refused(
                "procedure", "OPTIONAL CALL", "An optional procedure is not translated.",
                optional.span,
            )  # fmt: skip
        parts = tuple(ir.Yield(item.expr.name, item.alias, span=item.span) for item in yields or ())
        dotted = ".".join(token.text for token in name)
        return ir.Procedure(dotted, args, parts, span=keyword.span)

    def yields(self, c: Children) -> Any:
        return c[1]

    def yields_all(self, c: Children) -> list[ir.Item]:
        return [ir.Item(ir.Var("*"), "*", span=c[1].span)]

    def yield_item(self, c: Children) -> Any:
        alias = (c[2] if c[2] is not None else c[0]).text
        return ir.Item(ir.Var(c[0].text, span=c[0].span), alias, span=c[0].span)

    # --- RETURN, SELECT, FINISH ------------------------------------------------------------

    def return_(self, c: Children) -> Any:
        keyword, distinct, items, group, having, order, skip, limit = c
        if having is not None:
            self.only_extended(keyword, "HAVING behind RETURN: write NEXT FILTER")
        return self._projected(
            keyword, distinct, items, group, having, order, skip, limit, None, final=True
        )

    def _projected(
        self,
        keyword: Token,
        distinct: Token | None,
        items: Children,
        group: list[ir.Expr] | None,
        having: ir.Expr | None,
        order: list[ir.SortKey] | None,
        skip: ir.Expr | None,
        limit: ir.Expr | None,
        where: ir.Expr | None,
        *,
        final: bool,
    ) -> list[ir.Clause]:
        unique = distinct if distinct is not None and distinct.type == "DISTINCT" else None
        # The first column begins behind DISTINCT or ALL.
        parts = [keyword, distinct or keyword, items, order, skip, limit, where]
        project = self._project(parts, final=final)
        project = replace(project, distinct=unique is not None)
        _check_columns(project)
        return grouped(project, group, having, googlesql=self.flavour.googlesql)

    def group_by(self, c: Children) -> Any:
        return c[2]

    def group_none(self, c: Children) -> list[ir.Expr]:
        return []

    def having(self, c: Children) -> Any:
        return c[1]

    def finish(self, c: Children) -> list[ir.Clause]:
        return [ir.ServerOption("FINISH", span=c[0].span)]

    def select(self, c: Children) -> list[ir.Clause]:
        keyword, distinct, items, source, where, group, having, order, skip, limit = c
        clauses: list[ir.Clause] = list(source or ())
        if where is not None:
            clauses.append(self.filter([keyword, None, where]))
        clauses += self._projected(
            keyword, distinct, items, group, having, order, skip, limit, None, final=True
        )
        return clauses

    def from_graphs(self, c: Children) -> list[ir.Clause]:
        return [clause for part in c[1] for clause in part]

    def here_match(self, c: Children) -> Any:
        return c[0]

    def graph_match(self, c: Children) -> Any:
        self.use([c[0][0], c[0]])
        return c[1]

    def from_query(self, c: Children) -> list[ir.Clause]:
        return [ir.Subquery(c[2], (), span=c[0].span)]

    def from_graph_query(self, c: Children) -> list[ir.Clause]:
        self.use([c[0], c[1]])
        return [ir.Subquery(c[3], (), span=c[0].span)]

    # --- bodies of EXISTS ------------------------------------------------------------------

    def body_pattern(self, c: Children) -> ir.Query:
        return self._body(c[0], None, c[1], c[2])

    def body_mode(self, c: Children) -> ir.Query:
        return self._body(c[1], c[0], c[2], c[3])

    def _body(self, paths: Any, mode: Any, keep: Any, where: Any) -> ir.Query:
        span = paths[0].span
        if keep is not None:
            raise Refused("keep", "KEEP", "KEEP inside EXISTS is not translated.", span)
        return ir.Query((self._match(paths, where, False, mode, span),), span=span)

    # --- writes ----------------------------------------------------------------------------

    def insert(self, c: Children) -> ir.Create:
        if c[0].type == "CREATE":
            self.only_extended(c[0], "CREATE of elements: write INSERT")
        return ir.Create(tuple(c[1]), span=c[0].span)


def _none_here(_c: Children) -> None:
    """What the lexer makes no terminals for."""
    raise AssertionError("GoogleSQL's terminals are its own")


def _query(parts: Children) -> ir.Statement:
    clauses: list[ir.Clause] = []
    for part in parts:
        clauses += part if isinstance(part, list) else [part]
    if clauses and isinstance(clauses[-1], ir.ServerOption):
        if not any(isinstance(clause, ir.WRITES) for clause in clauses):
            raise Refused(
                "finish", "FINISH", "A query that returns nothing is not translated.",
                clauses[-1].span,
            )  # fmt: skip
        clauses.pop()
    if not clauses:
        raise QueryTextError("A statement follows USE.", code="no-clause", line=1, column=1)
    return ir.Query(tuple(clauses), span=clauses[0].span)


def _everything(span: Span | None, *, final: bool) -> ir.Project:
    return ir.Project((replace(STAR, span=span),), final=final, span=span)


def _as_clauses(statement: ir.Statement, keyword: Token) -> list[ir.Clause]:
    """A statement as the beginning of another, which sees its columns."""
    if isinstance(statement, ir.Union):
        names = columns(statement)
        kept = tuple(ir.Item(ir.Var(name), name) for name in names)
        return [ir.Subquery(statement, (), span=statement.span), ir.Project(kept)]
    last = statement.clauses[-1]
    if not isinstance(last, ir.Project) or not last.final:
        if isinstance(last, ir.Procedure) and len(statement.clauses) == 1:
            return [*statement.clauses]
        raise failed(keyword, "What stands before NEXT ends with RETURN.", "next-without-return")
    return [*statement.clauses[:-1], replace(last, final=False)]


def _is_union(statement: ir.Statement) -> bool:
    return isinstance(statement, ir.Union)


def _continued(before: list[ir.Clause], names: set[str], right: Composite, keyword: Token) -> Chain:
    """Clauses and what goes on from them; `names` are those of all but the last."""
    statement = right.statement
    if isinstance(statement, ir.Query) and not right.made_of:
        merged = together(before[-1], statement.clauses, names)
        if merged is not None:
            return Chain(ir.Query((*before[:-1], merged), span=before[0].span), names)
        names.update(introduced(before[-1]), names_of(statement.clauses[:-1]))
        return Chain(ir.Query((*before, *statement.clauses), span=before[0].span), names)
    parts, first = 1, statement
    while isinstance(first, ir.Union):
        parts, first = parts + 1, first.left
    if parts > MAX_LEVELS:
        raise failed(keyword, CHAINED, "nesting-too-deep")
    nodes = (node for clause in before for node in find(clause, ir.Node))
    if any(number * parts > MOST_REPEATED for number, _ in enumerate(nodes, 1)):
        raise Refused(
            "next-union",
            "NEXT",
            "What stands before NEXT is said again for each part of a set operation, and would "
            f"have more than {MOST_REPEATED:,} operators and names in all: split it.",
            keyword.span,
        )
    return Chain(_repeated(before, right, keyword), names)


def _repeated(before: list[ir.Clause], right: Composite, keyword: Token) -> ir.Statement:
    """A set operation each of whose parts goes on from the same clauses."""
    statement = right.statement
    chooses = any(
        project.skip is not None or project.limit is not None
        for clause in before
        for project in find(clause, ir.Project)
    )
    if chooses or isinstance(statement, ir.Query):
        raise Refused(
            "next-union",
            "NEXT",
            "A set operation of statements that go on from one table is not translated.",
            keyword.span,
        )
    if isinstance(statement.left, ir.Union):
        left = _repeated(before, Composite(statement.left, True), keyword)
    else:
        names = names_of(before[:-1])
        left = _continued(before, names, Composite(statement.left), keyword).statement
    right_query = ir.Query((*before, *statement.right.clauses), span=before[0].span)
    return replace(statement, left=left, right=right_query)


def _hoisted(path: ir.Path, moved: list[ir.Expr]) -> ir.Path:
    """A path without predicates of elements that speak of others; those are the MATCH's.

    Raises:
        Refused: the path is searched for, and such a predicate would take part in the search.
    """
    if not any(element.where is not None for element in _elements(path)):
        return path

    def plain[N: ir.NodePattern | ir.EdgePattern](element: N) -> N:
        where = element.where
        if where is None:
            return element
        if {var.name for var in find(where, ir.Var)} <= {element.var}:
            return element
        if isinstance(element, ir.EdgePattern) and element.hops is not None:
            return element
        if path.selector is not None:
            raise Refused(
                "path-where",
                "WHERE",
                "A predicate of several elements inside a path search is not translated.",
                where.span,
            )
        moved.append(where)
        return replace(element, where=None)

    steps = tuple(
        replace(
            step,
            edge=step.edge if isinstance(step.edge, ir.Quantified) else plain(step.edge),
            node=plain(step.node),
        )
        for step in path.steps
    )
    head = plain(path.head)
    if head is path.head and all(a.edge is b.edge and a.node is b.node
                                 for a, b in zip(steps, path.steps, strict=True)):  # fmt: skip
        return path
    return replace(path, head=head, steps=steps)


def _elements(path: ir.Path) -> Iterator[ir.NodePattern | ir.EdgePattern]:
    """The nodes and single edges of a path."""
    yield path.head
    for step in path.steps:
        yield step.node
        if not isinstance(step.edge, ir.Quantified):
            yield step.edge


def _merged(matches: list[ir.Clause]) -> ir.Match | None:
    """Several MATCHes that say the same as one: no edge of one can be an edge of another."""
    plain = [clause for clause in matches if isinstance(clause, ir.Match)]
    if len(plain) < len(matches) or any(clause.optional for clause in plain):
        return None
    modes = {clause.mode for clause in plain}
    if len(modes) > 1 or any(isinstance(clause, OpenMatch) for clause in plain):
        return None
    paths = tuple(path for clause in plain for path in clause.paths)
    edges = [[edge for path in clause.paths for edge in edges_of(path)] for clause in plain]
    for number, own in enumerate(edges):
        others = [edge for later in edges[number + 1 :] for edge in later]
        if any(overlap(one, other) for one in own for other in others):
            return None
    tests = tuple(clause.where for clause in plain if clause.where is not None)
    test = tests[0] if len(tests) == 1 else ir.Bool(ir.BoolOp.AND, tests) if tests else None
    return ir.Match(paths, test, mode=modes.pop(), span=plain[0].span)


def _check_columns(project: ir.Project) -> None:
    names = [item.alias for item in project.items if item.expr != STAR.expr]
    if len(set(names)) == len(names):
        return
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        place = project.span or Span(1, 1)
        raise QueryTextError(
            f"Two columns are called '{twice}'.",
            code="duplicate-column",
            line=place.line,
            column=place.column,
        )


def _misplaced(expr: ir.Expr) -> QueryTextError:
    place = expr.span or Span(1, 1)
    return QueryTextError(
        "An aggregate stands in RETURN only.",
        code="misplaced-aggregate",
        line=place.line,
        column=place.column,
    )
