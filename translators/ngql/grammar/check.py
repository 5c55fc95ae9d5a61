"""What NebulaGraph's parser refuses, as diagnostics: its grammar and what its actions refuse.

Source: the manual of NebulaGraph 3.8 where it states a rule (named in each message's rule
below), else the messages of the engine itself. Names are not looked up: that is the
validator's business, which reports SemanticError.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lark import Token, Tree

from graphmill.errors import Diagnostic, QueryTextError, did_you_mean
from schemagraph.model import SchemaGraph
from translators.ngql.grammar.functions import AGGREGATES, ANY_NUMBER, ARITY, RANDOM
from translators.ngql.grammar.parser import Node, parse_tree

MAX_DEPTH = 200
"""Texts whose tree is deeper are refused."""

_INT16 = 2**15 - 1
_COMMENT_BYTES = 256
_CALLS = frozenset({"call", "call_distinct", "call_star", "call_distinct_star"})


def checker(_: SchemaGraph | None) -> Callable[[str], list[Diagnostic]]:
    """The check, which looks no name up."""
    return check


def check(text: str) -> list[Diagnostic]:
    """Why NebulaGraph 3.x would refuse to parse `text`; empty when it would not.

    >>> check("MATCH (v:player) RETURN v.player.name")
    []
    >>> [d.code for d in check("OPTIONAL MATCH (v:player) WHERE id(v) == 'x' RETURN v")]
    ['optional-where']
    """
    try:
        tree = parse_tree(text)
        check_depth(tree)
    except QueryTextError as problem:
        return [Diagnostic("error", problem.code, str(problem), problem.line, problem.column)]
    return refusals(tree)


def refusals(tree: Node) -> list[Diagnostic]:
    """What the actions of NebulaGraph's parser refuse in a tree of its grammar."""
    return sorted(_refusals(tree), key=lambda refusal: (refusal.line, refusal.column, refusal.code))


def check_depth(tree: Node) -> None:
    """Refuse a tree that is so deep that reading it could overflow; runs of one connective count
    once.

    Raises:
        QueryTextError: it is deeper than `MAX_DEPTH`.
    """
    level: list[tuple[Node, int]] = [(tree, 1)]
    while level:
        node, depth = level.pop()
        if depth > MAX_DEPTH:
            raise QueryTextError(
                f"The statement is nested deeper than {MAX_DEPTH} levels.",
                code="nesting-too-deep",
                line=1 if node.meta.empty else node.meta.line,
                column=1 if node.meta.empty else node.meta.column,
            )
        for child in trees(node):
            run = child.data == node.data and child.data in ("and", "or", "xor")
            level.append((child, depth + (not run)))


def statement_kinds(text: str) -> list[str]:
    """The rule of each statement of `text`, in order: `match_statement`, `go`, `pipe`, ….

    Raises:
        QueryTextError: the text is no nGQL.

    >>> statement_kinds("GO FROM 'a' OVER e YIELD dst(edge) AS d | LIMIT 1; SHOW TAGS")
    ['pipe', 'show']
    """
    kinds: list[str] = []
    for child in parse_tree(text).children:
        if isinstance(child, Tree) and child.data == "explain":
            kinds += [str(s.data) for s in trees(child) if s.data != "format"]
        elif isinstance(child, Tree):
            kinds.append(str(child.data))
    return kinds


def trees(node: Node) -> Iterator[Node]:
    """The children of `node` that are trees."""
    return (child for child in node.children if isinstance(child, Tree))


def name_of(node: Node) -> str:
    """The text of a `name` or `function` tree."""
    return str(node.children[0])


class _Below:
    """Which trees hold a random value, an aggregate or a variable, themselves or below them."""

    def __init__(self) -> None:
        self.random: set[int] = set()
        self.aggregate: set[int] = set()
        self.variable: dict[int, Node] = {}

    def add(self, node: Node) -> None:
        """Take `node` in; its children were before it."""
        here = id(node)
        if node.data in _CALLS:
            if node.data != "call" or is_aggregate(node):
                self.aggregate.add(here)
            elif _name(node) in RANDOM:
                self.random.add(here)
        elif node.data == "parameter":
            self.variable[here] = node
        for child in trees(node):
            if id(child) in self.random:
                self.random.add(here)
            if id(child) in self.aggregate:
                self.aggregate.add(here)
            if id(child) in self.variable:
                self.variable.setdefault(here, self.variable[id(child)])


def _refusals(tree: Node) -> Iterator[Diagnostic]:
    below = _Below()
    for node in tree.iter_subtrees():
        below.add(node)
        rule = _RULES.get(str(node.data))
        if rule is not None:
            yield from rule(node, below)


def is_aggregate(call: Node) -> bool:
    """Whether a `call` tree calls an aggregate: those with two arguments are plain functions."""
    return _name(call) in AGGREGATES and len(list(trees(call))) == 2


def _error(node: Node, code: str, message: str) -> Diagnostic:
    meta = node.meta
    if meta.empty:
        return Diagnostic("error", code, message)
    return Diagnostic("error", code, message, meta.line, meta.column)


def _call(node: Node, below: _Below) -> Iterator[Diagnostic]:
    first = next(trees(node))
    name = name_of(first).lower()
    if node.data in ("call_star", "call_distinct_star"):
        if name != "count":
            yield _error(node, "star-argument", f"Only count takes '*', not {name}.")
        return
    arguments = list(trees(node))[1:]
    if node.data == "call_distinct":
        if name not in AGGREGATES:
            yield _error(node, "unknown-aggregate", f"{name} is no aggregate.")
        return
    if len(arguments) == 1 and name in AGGREGATES:
        if id(arguments[0]) in below.random:
            yield _error(
                arguments[0], "random-in-aggregate", "An aggregate may not contain a random value."
            )
        return
    arity = ARITY.get(name)
    if arity is None:
        tail = did_you_mean(name, {*ARITY, *AGGREGATES})
        yield _error(node, "unknown-function", f"NebulaGraph has no function '{name}'.{tail}")
    elif not arity[0] <= len(arguments) <= arity[1]:
        few, many = arity
        wanted = str(few) if few == many else f"{few} to {many}"
        if many == ANY_NUMBER:
            wanted = f"at least {few}"
        yield _error(node, "wrong-arity", f"{name} takes {wanted} arguments, not {len(arguments)}.")


def _name(call: Node) -> str:
    return name_of(next(trees(call))).lower()


def _where(node: Node, below: _Below) -> Iterator[Diagnostic]:
    if id(node) in below.aggregate:
        yield _error(node, "aggregate-in-where", "An aggregate may not stand in WHERE.")


def _optional_match(node: Node, _: _Below) -> Iterator[Diagnostic]:
    for child in trees(node):
        if child.data == "where":
            yield _error(child, "optional-where", "OPTIONAL MATCH takes no WHERE.")


def _yield_clause(node: Node, below: _Below) -> Iterator[Diagnostic]:
    if any(id(column) in below.aggregate for column in trees(node) if column.data == "column"):
        yield _error(
            node,
            "aggregate-in-yield",
            "This YIELD takes no aggregate; write '| YIELD …' or '| GROUP BY …' after it.",
        )


def _yield(node: Node, below: _Below) -> Iterator[Diagnostic]:
    if any(child.data == "join" for child in trees(node)):
        yield from _yield_clause(node, below)


def _column(node: Node, below: _Below) -> Iterator[Diagnostic]:
    parts = list(trees(node))
    if parts[0].data == "element_column" and len(parts) == 1:
        word = str(parts[0].children[0])
        yield _error(node, "alias-missing", f"'{word}' needs an alias: '{word} AS …'.")
    variable = below.variable.get(id(parts[0]))
    if variable is not None:
        name = variable.children[0]
        yield _error(variable, "variable-output", f"Variable '${name}' may not be put out.")


def _vid(node: Node, _: _Below) -> Iterator[Diagnostic]:
    child = node.children[0]
    if isinstance(child, Token) and child.type == "VARIABLE":
        yield _error(node, "variable-as-vid", "A variable may not stand for a vertex id.")


def _loop(node: Node, _: _Below) -> Iterator[Diagnostic]:
    """`x IN list` of a comprehension or quantifier: its left end must be a name."""
    child = next(trees(node))
    while isinstance(child, Tree) and child.data in _LEFT_SPINE:
        if child.data == "compare" and _is_in(child) and _is_name(child.children[0]):
            return
        following = child.children[0]
        if not isinstance(following, Tree):
            break
        child = following
    yield _error(node, "loop-variable", "Expected 'name IN list' here.")


_LEFT_SPINE = frozenset({"compare", "and", "or", "xor", "postfix", "conditional"})


def _is_in(node: Node) -> bool:
    operator = node.children[1]
    return isinstance(operator, Token) and operator.type == "IN"


def _is_name(node: object) -> bool:
    return isinstance(node, Tree) and node.data == "variable"


def _exists(node: Node, _: _Below) -> Iterator[Diagnostic]:
    child = next(trees(node))
    if child.data not in ("attribute", "name_attribute", "subscript", "pattern"):
        yield _error(node, "exists-argument", "exists takes a property or a pattern.")


def _node(node: Node, _: _Below) -> Iterator[Diagnostic]:
    """A node pattern in parentheses without label is a name, or a map of properties."""
    for child in trees(node):
        if child.data == "paren" and next(trees(child)).data not in ("variable", "map"):
            yield _error(node, "node-pattern", "A node pattern is '(name:Tag {key: value})'.")


def _type(node: Node, _: _Below) -> Iterator[Diagnostic]:
    for child in node.children:
        if isinstance(child, Token) and child.type == "INTEGER" and not 0 < int(child) <= _INT16:
            yield _error(node, "out-of-range", f"Out of range: a length is 1 to {_INT16}.")


def _comment(node: Node, _: _Below) -> Iterator[Diagnostic]:
    if len(str(node.children[-1]).encode(errors="replace")) > _COMMENT_BYTES:
        yield _error(node, "long-comment", f"A comment has at most {_COMMENT_BYTES} bytes.")


def _format(node: Node, _: _Below) -> Iterator[Diagnostic]:
    if str(node.children[0]).lower() not in ("row", "dot", "dot:struct", "tck"):
        yield _error(node, "unknown-format", "A plan's format is row, dot, dot:struct or tck.")


_RULES: dict[str, Callable[[Node, _Below], Iterator[Diagnostic]]] = {
    **dict.fromkeys(_CALLS, _call),
    "where": _where,
    "optional_match": _optional_match,
    "yield_clause": _yield_clause,
    "yield": _yield,
    "column": _column,
    "vid": _vid,
    "predicate": _loop,
    "comprehension_filter": _loop,
    "comprehension_map": _loop,
    "comprehension_both": _loop,
    "exists": _exists,
    "node": _node,
    "type": _type,
    "index_field": _type,
    "comment": _comment,
    "comment_word": _comment,
    "format": _format,
}
