"""The syntactic level: an engineer's words, clause by clause as the query has them.

It is made from the IR itself, not from a plan, so that it mirrors every clause there is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random

from generators.questions.author import NotExpressible
from generators.questions.levels.syntactic_values import Values
from graph_ir import nodes as ir
from graphmill.english.inflection import a, listing, ordinal, sentence
from graphmill.english.names import words

_STARTS = ("match", "match", "first match")
_LASTS = ("return", "return", "then return", "finally, return")
_SEARCHES = {
    ir.SelectorKind.FUNCTION_ONE: "a shortest path",
    ir.SelectorKind.FUNCTION_ALL: "all shortest paths",
    ir.SelectorKind.ANY: "any one path",
    ir.SelectorKind.ANY_SHORTEST: "any one shortest path",
    ir.SelectorKind.ALL_SHORTEST: "all shortest paths",
    ir.SelectorKind.SHORTEST_K: "the {} shortest paths",
    ir.SelectorKind.SHORTEST_GROUPS: "the paths of the {} shortest lengths",
}


def syntactic(statement: ir.Statement, rng: Random) -> str:
    """The question.

    Raises:
        NotExpressible: it holds something that no words are known for.
    """
    state = rng.getstate()
    counting = Engineer(rng, Counter())
    counting.statement(statement, {})
    rng.setstate(state)
    return sentence(Engineer(rng, counting.declared).statement(statement, {}))


type Scope = dict[str, str]


class Engineer(Values):
    """Says a statement as steps. `expected` is how often each kind of element is named."""

    def __init__(self, rng: Random, expected: Counter[str]) -> None:
        self.rng = rng
        self.expected = expected
        self.declared: Counter[str] = Counter()
        self.depth = 0

    # --- statements and clauses ----------------------------------------------------------

    def statement(self, statement: ir.Statement, outer: Scope) -> str:
        """A query, or the branches of a union."""
        if isinstance(statement, ir.Union):
            kind = "UNION ALL, which keeps duplicates" if statement.all else "UNION"
            branches = _branches(statement, all=statement.all)
            texts = [self.statement(branch, outer) for branch in branches]
            return f"{'; then, as another branch, '.join(texts)}; combine the branches with {kind}"
        scope = dict(outer)
        steps: list[str] = []
        self.depth += 1
        for clause in statement.clauses:
            first = self.depth == 1 and not steps
            steps.append(self.clause_text(clause, scope, outer, first=first))
        self.depth -= 1
        return "; ".join(steps)

    def clause_text(self, clause: ir.Clause, scope: Scope, outer: Scope, *, first: bool) -> str:
        """One clause as a step; `scope` is changed to what is visible after it."""
        match clause:
            case ir.Match():
                start = self.rng.choice(_STARTS) if first else "match"
                if clause.optional:
                    start = "optionally match"
                return f"{start} {self.pattern(clause.paths, scope)}{self._where(clause, scope)}"
            case ir.Unwind(expr, alias):
                step = f"unwind {self.np(expr, scope)} into one row for each {alias}"
                scope[alias] = alias
                return step
            case ir.Project():
                return self._project(clause, scope, outer)
            case ir.Subquery(query, imports):
                inner = {name: scope[name] for name in imports if name in scope}
                taking = f" with {listing(list(inner.values()))}" if inner else ""
                optional = "optionally " if clause.optional else ""
                step = f"{optional}call a subquery{taking} ({self.statement(query, inner)})"
                for item in _final(query).items:
                    scope[item.alias] = self._carried(item, inner)
                return step
        raise NotExpressible(type(clause).__name__.upper())

    def _where(self, clause: ir.Match | ir.Project, scope: Scope) -> str:
        if clause.where is None:
            return ""
        return f" where {self.clause(clause.where, scope)}"

    def _project(self, clause: ir.Project, scope: Scope, outer: Scope) -> str:
        steps = []
        keys = [key for key in clause.group or () if not isinstance(key, ir.Var)]
        variables = [key for key in clause.group or () if isinstance(key, ir.Var)]
        if clause.group:
            shown = [self._group_key(key, clause.items, scope) for key in (*variables, *keys)]
            steps.append(f"group by {listing(shown)}")
        items = self._columns(clause.items, scope, clause.group or ())
        verb = "continue with"
        if clause.final:
            verb = self.rng.choice(_LASTS) if self.depth == 1 else "return"
        distinct = "distinct " if clause.distinct else ""
        text = f"{verb} {distinct}{items}"
        after = {i.alias: self._carried(i, scope) for i in clause.items}
        if clause.order:
            within = {**scope, **after}
            by = [self._key(key, within) for key in clause.order]
            text += f", ordered by {', then by '.join(by)}"
        if clause.skip is not None:
            text += f", skip {self.np(clause.skip, scope)}"
        if clause.limit is not None:
            text += f", limit {self.np(clause.limit, scope)}"
        visible = {**outer, **after}
        if clause.where is not None:
            rows = "groups" if clause.group else "rows"
            text += f"; keep {rows} where {self.clause(clause.where, visible)}"
        steps.append(text)
        scope.clear()
        scope.update(visible)
        return "; ".join(steps)

    def _group_key(self, key: ir.Expr, items: Iterable[ir.Item], scope: Scope) -> str:
        """A grouping key, with the name that its column gets where it is computed."""
        text = self.np(key, scope)
        name = next((i.alias for i in items if i.expr == key and _computed(i)), "")
        return f"{text} as {name}" if name else text

    def _columns(
        self, items: Iterable[ir.Item], scope: Scope, keys: tuple[ir.Expr, ...] = ()
    ) -> str:
        """Result columns; properties of one element stand together."""
        groups: list[tuple[str, list[str]]] = []
        for item in items:
            match item.expr:
                case expr if expr in keys and _computed(item):
                    groups.append(("", [item.alias]))
                case ir.Prop(ir.Var(name), key) if name in scope and not _renamed(item):
                    if groups and groups[-1][0] == scope[name]:
                        groups[-1][1].append(key)
                    else:
                        groups.append((scope[name], [key]))
                case _:
                    groups.append(("", [self._column(item, scope)]))
        parts = [(f"{owner}'s " if owner else "") + listing(names) for owner, names in groups]
        if len(parts) == 2 and any(" and " in part for part in parts):
            return ", and ".join(parts)
        return listing(parts)

    def _column(self, item: ir.Item, scope: Scope) -> str:
        text = self.np(item.expr, scope)
        return f"{text} as {item.alias}" if _renamed(item) else text

    def _carried(self, item: ir.Item, scope: Scope) -> str:
        """What a column is called from here on."""
        match item.expr:
            case ir.Var(name) if name in scope and not _renamed(item):
                return scope[name]
            case ir.Var(name) if name in scope and scope[name].startswith("the "):
                return scope[name]
            case ir.Prop() if not item.named:
                return self.np(item.expr, scope)
        return item.alias if item.alias.isidentifier() else self.np(item.expr, scope)

    def _key(self, key: ir.SortKey, scope: Scope) -> str:
        if isinstance(key.expr, ir.IsNull):
            last = key.expr.negated is key.descending
            where = f"with nulls {'last' if last else 'first'}"
            return f"{self.np(key.expr.arg, scope)} {where}"
        way = "descending" if key.descending else "ascending"
        return f"{self.np(key.expr, scope)} in {way} order"

    # --- patterns ------------------------------------------------------------------------

    def pattern(self, paths: tuple[ir.Path, ...], scope: Scope) -> str:
        """The paths of one MATCH."""
        return listing([self.path(path, scope) for path in paths])

    def path(self, path: ir.Path, scope: Scope) -> str:
        """One linear pattern: "a Book node that has a CITES edge to …"."""
        searched = ""
        if path.selector is not None:
            searched = _SEARCHES[path.selector.kind].format(path.selector.count)
        elif path.var is not None:
            searched = "a path"
        named = ""
        if path.var is not None:
            name = self._declare(path.var, "path", scope)
            named = f" ({name})" if self.expected["path"] > 1 else ""
        lone = path.steps[0].edge if len(path.steps) == 1 else None
        if searched and isinstance(lone, ir.EdgePattern) and lone.hops is not None:
            return self._searched(path, f"{searched}{named}", scope)
        has = " with " if path.head.var in scope else " that has "
        head = self.node(path.head, scope)
        text = head
        for step in path.steps:
            edge = self.edge(step.edge, scope)
            text += f"{has}{edge} {self.node(step.node, scope)}"
            has = " that has "
        if searched:
            text = f"{searched}{named} from {text.replace(' that has ', ' through ', 1)}"
        return text

    def _searched(self, path: ir.Path, searched: str, scope: Scope) -> str:
        """A path of one variable-length step: "a shortest path of 1 to 6 CITES edges from …"."""
        (step,) = path.steps
        assert isinstance(step.edge, ir.EdgePattern)  # noqa: S101 - the caller asks
        head = self.node(path.head, scope)
        edges = self.edge(step.edge, scope).removeprefix("a path of ")
        for towards in ("in either direction to", "from", "to"):
            if edges.endswith(f" {towards}"):
                edges = edges.removesuffix(towards)
                break
        tail = self.node(step.node, scope)
        both = "in either direction " if towards.startswith("in") else ""
        ends = f"from {tail} to {head}" if towards == "from" else f"from {head} to {tail}"
        return f"{searched} of {edges}{both}{ends}"

    def node(self, pattern: ir.NodePattern, scope: Scope) -> str:
        """ "an Author node", "the author", "a Book node with title "Dune""."""
        known = scope.get(pattern.var or "")
        if known is not None:
            text = known
        else:
            labels = _labels(pattern.labels)
            text = f"{a(f'{labels} node')}" if labels else "a node"
            if pattern.var is not None:
                noun = self._noun(pattern.labels)
                name = self._declare(pattern.var, noun, scope)
                if self.expected[noun] > 1:
                    text += f" ({name})"
        return text + self._inline(pattern.props, pattern.where, scope)

    def _noun(self, labels: ir.LabelExpr | None) -> str:
        match labels:
            case ir.LabelName(name):
                return spoken(name)
            case ir.LabelAnd(args) | ir.LabelOr(args) if all(
                isinstance(arg, ir.LabelName) for arg in args
            ):
                names = [spoken(arg.name) for arg in args if isinstance(arg, ir.LabelName)]
                return (
                    " ".join(names[::-1])
                    if isinstance(labels, ir.LabelAnd)
                    else listing(names, "or")
                )
        return "node"

    def _declare(self, var: str, noun: str, scope: Scope) -> str:
        """Name an element: "the author", "the second author" where there are several."""
        self.declared[noun] += 1
        which = f"{ordinal(self.declared[noun])} " if self.expected[noun] > 1 else ""
        scope[var] = f"the {which}{noun}"
        return scope[var]

    def edge(self, edge: ir.EdgePattern | ir.Quantified, scope: Scope) -> str:
        """ "a WROTE edge to", "an incoming WROTE edge from"."""
        if isinstance(edge, ir.Quantified):
            inner = self.path(edge.path, scope)
            where = f" where {self.clause(edge.where, scope)}" if edge.where is not None else ""
            return f"{_many(edge.hops)} repetitions of ({inner}{where}) that end at"
        types = _labels(edge.types)
        label = f"{types} " if types else ""
        way = "from" if edge.direction is ir.Direction.IN else "to"
        named = ""
        if edge.var is not None:
            noun = f"{label}edge" if edge.hops is None else f"list of {label}edges"
            name = self._declare(edge.var, noun, scope)
            named = f" ({name})" if self.expected[noun] > 1 else ""
        named += self._inline(edge.props, edge.where, scope)
        if edge.hops is not None:
            both = edge.direction is ir.Direction.BOTH
            towards = "in either direction to" if both else way
            one = edge.hops.lo == edge.hops.hi == 1
            return f"a path of {_many(edge.hops)} {label}edge{'' if one else 's'}{named} {towards}"
        if edge.direction is ir.Direction.BOTH:
            return f"{a(f'{label}edge')}{named} in either direction to"
        if edge.direction is ir.Direction.IN:
            return f"an incoming {label}edge{named} from"
        return f"{a(f'{label}edge')}{named} to"

    def _inline(
        self, props: ir.MapOf | ir.Param | None, where: ir.Expr | None, scope: Scope
    ) -> str:
        text = ""
        if isinstance(props, ir.Param):
            text += f" with the properties of ${props.name}"
        elif props is not None and props.entries:
            texts = [f"{e.key} {self.np(e.value, scope)}" for e in props.entries]
            text += f" with {listing(texts)}"
        if where is not None:
            text += f" with {self.clause(where, scope)}"
        return text


def spoken(name: str) -> str:
    """A label as a noun.

    >>> spoken("OrderLine"), spoken("SUPPORT_REP"), spoken("HTTPServer")
    ('order line', 'support rep', 'HTTP server')
    """
    mixed = any(letter.islower() for letter in name)
    parts = words(name) or [name]
    return " ".join(w if mixed and len(w) > 1 and w.isupper() else w.lower() for w in parts)


def _renamed(item: ir.Item) -> bool:
    """Whether the author gave the column a name of its own."""
    match item.expr:
        case ir.Var(name):
            return name != item.alias
        case ir.Prop(_, key):
            return item.named and item.alias != key
    return item.named


def _computed(item: ir.Item) -> bool:
    """Whether a column is more than a variable or a property, and has a name."""
    return item.named and not isinstance(item.expr, ir.Var | ir.Prop)


def _final(statement: ir.Statement) -> ir.Project:
    """The projection that ends a statement, the first branch's in a union."""
    while isinstance(statement, ir.Union):
        statement = statement.left
    last = statement.clauses[-1]
    if not isinstance(last, ir.Project):
        raise NotExpressible("a subquery without a result")
    return last


def _branches(statement: ir.Statement, *, all: bool) -> list[ir.Statement]:
    """The branches of a run of the same set operation."""
    if isinstance(statement, ir.Union) and statement.all is all:
        return [*_branches(statement.left, all=all), *_branches(statement.right, all=all)]
    return [statement]


def _labels(labels: ir.LabelExpr | None) -> str:
    match labels:
        case ir.LabelName(name):
            return name
        case ir.LabelAnd(args):
            return "&".join(_labels(arg) for arg in args)
        case ir.LabelOr(args):
            return "|".join(_labels(arg) for arg in args)
        case ir.LabelNot(arg):
            return f"non-{_labels(arg)}"
        case ir.LabelAny():
            return "labelled"
    return ""


def _many(hops: ir.Hops) -> str:
    if hops.hi is None:
        return f"{hops.lo} or more"
    return f"exactly {hops.lo}" if hops.lo == hops.hi else f"{hops.lo} to {hops.hi}"
