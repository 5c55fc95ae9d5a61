"""Paths of GQL from the parts that the grammar found (ISO/IEC 39075:2024 clauses 16.3 to 16.12)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from graph_ir import nodes as ir
from graph_ir.cypher.patterns import hops_of, labels_of, quantifier_hops, quantify
from graph_ir.cypher.scanning import Token, failed
from graphmill.errors import Refused, Span
from translators.gql.reader.flavours import Flavour

type Children = list[Any]


@dataclass(frozen=True, slots=True)
class Prefix:
    """A path search prefix and a path mode."""

    selector: ir.Selector | None
    mode: ir.PathMode | None
    span: Span | None = None


@dataclass(slots=True)
class Part:
    """A parenthesised path pattern; what follows it tells what it means."""

    begin: Token
    path: ir.Path
    where: ir.Expr | None
    quantifier: Token | None
    tests: tuple[ir.Expr, ...]


_DIRECTIONS = {
    "->": ir.Direction.OUT,
    "-->": ir.Direction.OUT,
    "<-": ir.Direction.IN,
    "<--": ir.Direction.IN,
    "-": ir.Direction.BOTH,
    "--": ir.Direction.BOTH,
    "<->": ir.Direction.BOTH,
    # Graphs here have no undirected edges (clause 16.7).
    "~>": ir.Direction.OUT,
    "<~": ir.Direction.IN,
}


class Patterns:
    """Callbacks for patterns."""

    flavour: Flavour

    def different_edges(self, c: Children) -> ir.MatchMode:
        return ir.MatchMode.DIFFERENT_EDGES

    def repeatable(self, c: Children) -> ir.MatchMode:
        return ir.MatchMode.REPEATABLE

    def keep(self, c: Children) -> Any:
        return c[1]

    # --- prefixes --------------------------------------------------------------------------

    def mode(self, c: Children) -> ir.PathMode:
        return ir.PathMode(c[0].type)

    def mode_prefix(self, c: Children) -> Prefix:
        return Prefix(None, c[0])

    def search_all(self, c: Children) -> Prefix:
        return Prefix(None, c[1])

    def search_any(self, c: Children) -> Prefix:
        keyword, number, mode, _ = c
        if number is not None and _positive(number) != 1:
            raise Refused(
                "any-paths",
                f"ANY {number.text}",
                "Several paths of no particular choice cannot be asked for.",
                keyword.span,
            )
        return Prefix(ir.Selector(ir.SelectorKind.ANY, span=keyword.span), mode)

    def search_any_shortest(self, c: Children) -> Prefix:
        return Prefix(ir.Selector(ir.SelectorKind.ANY_SHORTEST, span=c[0].span), c[2])

    def search_all_shortest(self, c: Children) -> Prefix:
        return Prefix(ir.Selector(ir.SelectorKind.ALL_SHORTEST, span=c[0].span), c[2])

    def search_shortest(self, c: Children) -> Prefix:
        keyword, number, mode, _, groups = c
        kinds = ir.SelectorKind
        kind = kinds.SHORTEST_K if groups is None else kinds.SHORTEST_GROUPS
        return Prefix(ir.Selector(kind, _positive(number), span=keyword.span), mode)

    def search_groups(self, c: Children) -> Prefix:
        selector = ir.Selector(ir.SelectorKind.SHORTEST_GROUPS, 1, span=c[0].span)
        return Prefix(selector, c[1])

    # --- paths -----------------------------------------------------------------------------

    def named_path(self, c: Children) -> Any:
        return replace(c[2], var=c[0].text, span=c[0].span)

    def plain_path(self, c: Children) -> Any:
        return c[0]

    def prefixed_path(self, c: Children) -> Any:
        prefix: Prefix = c[0]
        return replace(c[1], selector=prefix.selector, mode=prefix.mode)

    def one_chain(self, c: Children) -> ir.Path:
        return self.path(c[0])

    def alternatives(self, c: Children) -> ir.Path:
        raise Refused(
            "path-union",
            c[1].text,
            "Alternatives of paths inside one pattern are not translated: write a UNION.",
            c[1].span,
        )

    def path(self, chain: Sequence[Any]) -> ir.Path:
        """A linear path; nodes that the text leaves out come between its edges."""
        first = chain[0]
        if len(chain) == 1 and isinstance(first, Part) and first.quantifier is None:
            return self._whole(first)
        head: ir.NodePattern | None = None
        steps: list[ir.Step] = []
        waiting: ir.EdgePattern | ir.Quantified | None = None
        for part in self._flat(chain):
            if isinstance(part, ir.NodePattern):
                if waiting is not None:
                    steps.append(ir.Step(waiting, part, span=waiting.span))
                    waiting = None
                elif head is None and not steps:
                    head = part
                else:
                    before = steps[-1].node if steps else head
                    raise _beside(before, part)
                continue
            head = head or ir.NodePattern()
            if waiting is not None:
                steps.append(ir.Step(waiting, ir.NodePattern(), span=waiting.span))
            waiting = part
        if waiting is not None:
            steps.append(ir.Step(waiting, ir.NodePattern(), span=waiting.span))
        head = head or ir.NodePattern()
        return ir.Path(head, tuple(steps), span=head.span or (steps[0].span if steps else None))

    def _flat(self, chain: Sequence[Any]) -> list[ir.NodePattern | ir.EdgePattern | ir.Quantified]:
        parts: list[ir.NodePattern | ir.EdgePattern | ir.Quantified] = []
        for part in chain:
            if not isinstance(part, Part):
                parts.append(part)
            elif part.quantifier is not None:
                parts.append(_quantified(part))
            else:
                path = self._plain(part)
                parts.append(path.head)
                for step in path.steps:
                    parts += (step.edge, step.node)
        return parts

    def _whole(self, part: Part) -> ir.Path:
        """A path that stands in parentheses as a whole."""
        if part.where is None:
            return part.path
        if part.path.selector is not None:
            raise Refused(
                "path-where",
                "WHERE",
                "A predicate inside a path search is not translated.",
                part.begin.span,
            )
        return _with_test(part.path, part.where)

    def _plain(self, part: Part) -> ir.Path:
        path = part.path
        if path.var is not None or path.selector is not None or path.mode is not None:
            raise Refused(
                "subpath",
                "( … )",
                "A part of a path with a name, a mode or a search of its own is not translated.",
                part.begin.span,
            )
        return path if part.where is None else _with_test(path, part.where)

    # --- elements --------------------------------------------------------------------------

    def node(self, c: Children) -> ir.NodePattern:
        begin, var, labels, props, where, end = c
        span = Span(begin.line, begin.column, end.line, end.column + 1)
        name = var.text if var is not None else None
        _one_filter(begin, props, where)
        return ir.NodePattern(name, labels, props, where, span=span)

    def node_labels(self, c: Children) -> ir.LabelExpr:
        return labels_of(c[1])

    def edge_bare(self, c: Children) -> Any:
        edge = ir.EdgePattern(direction=_direction(c[0], c[0].text), span=c[0].span)
        return self._repeated(edge, c[1])

    def edge(self, c: Children) -> Any:
        begin, var, types, hops, props, where, end, quantifier = c
        if hops is not None:
            if not self.flavour.extended:
                raise failed(
                    hops, "A quantifier follows the edge: -[:TYPE]->{1,3}.", "misplaced-quantifier"
                )
            if quantifier is not None:
                raise failed(quantifier, "An edge has one length.", "hops")
        _one_filter(begin, props, where)
        edge = ir.EdgePattern(
            var.text if var is not None else None,
            types,
            _direction(begin, begin.text + end.text),
            hops_of(hops) if hops is not None else None,
            props,
            where,
            span=Span(begin.line, begin.column, end.line, end.column + end.end - end.start),
        )
        return self._repeated(edge, quantifier)

    def _repeated(
        self, edge: ir.EdgePattern, quantifier: Token | None
    ) -> ir.EdgePattern | ir.Quantified:
        if quantifier is None:
            return edge
        _check_quantifier(quantifier)
        return quantify(edge, quantifier)

    def simplified(self, c: Children) -> ir.EdgePattern:
        raise Refused(
            "simplified-path",
            c[0].text[:40],
            "Simplified path patterns are not translated: write -[:TYPE]->.",
            c[0].span,
        )

    def group(self, c: Children) -> Any:
        begin, path, where, _end, quantifier = c
        return Part(begin, path, where, quantifier, ())

    def named_group(self, c: Children) -> Any:
        begin, name, _eq, path, where, _end, quantifier = c
        return Part(begin, replace(path, var=name.text), where, quantifier, ())

    def labels_more(self, c: Children) -> Any:
        c[0] += (c[1].text, c[2])
        return c[0]

    def label_name(self, c: Children) -> ir.LabelName:
        return ir.LabelName(c[0].text, span=c[0].span)

    def label_any(self, c: Children) -> ir.LabelAny:
        return ir.LabelAny(span=c[0].span)

    def label_not(self, c: Children) -> ir.LabelNot:
        return ir.LabelNot(c[1], span=c[0].span)

    def label_group(self, c: Children) -> Any:
        return labels_of(c[1])


def _one_filter(begin: Token, props: Any, where: Any) -> None:
    """Clause 16.7: an element pattern has a property map or a WHERE."""
    if props is not None and where is not None:
        raise failed(begin, "An element has a property map or a WHERE, not both.", "two-predicates")


def _with_test(path: ir.Path, test: ir.Expr) -> ir.Path:
    """A path with one more predicate, kept on its first node until the MATCH is built."""
    head = path.head
    both = test if head.where is None else _both(head.where, test)
    return replace(path, head=replace(head, where=both))


def _both(first: ir.Expr, second: ir.Expr) -> ir.Expr:
    return ir.Bool(ir.BoolOp.AND, (first, second), span=first.span)


def _quantified(part: Part) -> ir.Quantified:
    token = part.quantifier
    assert token is not None  # noqa: S101 - asked for by the caller
    _check_quantifier(token)
    path = part.path
    if path.var is not None or path.selector is not None:
        raise Refused(
            "subpath",
            "( … )",
            "A repeated part of a path with a name or a search of its own is not translated.",
            part.begin.span,
        )
    if path.mode is not None:
        raise Refused(
            "subpath",
            path.mode.value,
            "A repeated part of a path with a mode of its own is not translated.",
            part.begin.span,
        )
    if not path.steps:
        raise failed(token, "What is repeated has at least one edge.", "quantified-node")
    return ir.Quantified(path, quantifier_hops(token), part.where, span=part.begin.span)


def _check_quantifier(token: Token) -> None:
    if token.text == "?":
        raise Refused(
            "questioned-path",
            "?",
            "A questioned path, whose variables are null where it is left out, is not translated.",
            token.span,
        )
    if token.text[0] == "{":
        lo, comma, hi = token.text[1:-1].partition(",")
        if comma and hi.strip() and lo.strip() and len(hi) < 20 and int(hi) < int(lo):
            raise failed(
                token, "The upper bound of a quantifier is below its lower one.", "quantifier"
            )
        if (hi.strip() or (lo if not comma else "")).strip().strip("0") == "" and (
            hi.strip() or not comma
        ):
            raise failed(token, "The upper bound of a quantifier is at least one.", "quantifier")


def _direction(token: Token, arrow: str) -> ir.Direction:
    plain = arrow.replace("[", "").replace("]", "")
    plain = {"--": "-", "-->": "->", "<--": "<-", "<-->": "<->", "~~": "~", "~~>": "~>",
             "<~~": "<~"}.get(plain, plain)  # fmt: skip
    if plain == "~":
        raise Refused(
            "undirected-edge",
            "~",
            "Edges of these graphs are directed: a pattern of undirected ones matches none.",
            token.span,
        )
    if plain not in _DIRECTIONS:
        raise failed(token, f"'{arrow}' is no edge: write -[ ]->, <-[ ]- or -[ ]-.", "arrow")
    return _DIRECTIONS[plain]


def _positive(token: Token) -> int:
    digits = token.text.replace("_", "")
    if len(digits) > 19 or int(digits, 0) < 1:
        raise failed(token, "The number of paths must be positive.", "path-count")
    return int(digits, 0)


def _beside(before: ir.NodePattern | None, node: ir.NodePattern) -> Refused:
    return Refused(
        "adjacent-nodes",
        ")(",
        "Two node patterns beside each other, which are one node, are not translated.",
        node.span,
    )
