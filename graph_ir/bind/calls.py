"""Types and checks of function calls and aggregates; a part of `graph_ir.bind`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.bind.label_inference import Index
from graph_ir.bind.report import Report
from graph_ir.functions import MEANT, NAMESPACES, Signature, signatures
from graph_ir.types import COUNT, UNKNOWN, item_of, join, list_of, not_null, nullable
from graphmill.errors import did_you_mean
from schemagraph.model import ANY, Kind, Type

type Scope = dict[str, Type]

_ENDS = frozenset({"startNode", "endNode"})
_PARTS = {"nodes": Kind.NODE, "relationships": Kind.EDGE}
_PERCENTILES = frozenset({"percentileCont", "percentileDisc"})
_COUNTING = frozenset({"left", "right", "round"})
_MODES = ("CEILING", "FLOOR", "UP", "DOWN", "HALF_EVEN", "HALF_UP", "HALF_DOWN", "UNNECESSARY")
_RANDOM = frozenset({"rand", "randomUUID"})


class Calls:
    """Binding of calls, and what every part of the binder shares."""

    report: Report
    index: Index | None
    place: str
    """Where aggregates may not stand now ("WHERE"), "" where they may."""

    def __init__(self, report: Report, index: Index | None) -> None:
        self.report = report
        self.index = index
        self.place = "this clause"
        self.aggregate = ""
        self.keyed = False  # whether groups have keys, so that none is empty

    def expr(self, node: ir.Expr, scope: Scope) -> ir.Expr:
        """`node` with its type and those of everything inside it."""
        raise NotImplementedError

    def _all(self, nodes: Sequence[ir.Expr], scope: Scope) -> tuple[ir.Expr, ...]:
        return tuple([self.expr(node, scope) for node in nodes])

    def call(self, node: ir.Call, scope: Scope) -> ir.Expr:
        """A scalar function."""
        if node.name == "normalize" and len(node.args) == 2:  # whose second is a word
            self.report.error(node, "normalized", "The form of normalize() is not read here.")
            return node
        args = self._all(node.args, scope)
        signature = signatures().get(node.name)
        if signature is None:
            self._unknown_function(node)
            return ir.Call(node.name, args, span=node.span)
        if self.aggregate and node.name in _RANDOM:
            self.report.error(
                node, "non-constant", f"{node.name}() cannot stand inside {self.aggregate}()."
            )
        type = self._result(node, node.name, args, signature)
        self._check_written(node.name, args)
        if self.index is not None and node.name in _ENDS and args and args[0].type.of:
            type = self._end(node.name, args[0].type)
        elif self.index is not None and node.name in _PARTS and args and args[0].type.of:
            type = self._parts(node.name, args[0].type)
        return ir.Call(node.name, args, span=node.span, type=type)

    def _end(self, name: str, edge: Type) -> Type:
        """What stands at one end of an edge, by the edge's candidates."""
        if self.index is None:
            return ANY
        edges = self.index.edges(self.index.mask(edge))
        names = dict.fromkeys(e.source if name == "startNode" else e.target for e in edges)
        return Type(Kind.NODE, None, tuple(names), edge.nullable)

    def _parts(self, name: str, path: Type) -> Type:
        """The nodes or relationships of a path, by the types that it can pass."""
        if self.index is None:
            return ANY
        schema, kind = self.index.schema, _PARTS[name]
        known = schema.node_by_name if kind is Kind.NODE else schema.edge_by_name
        names = tuple(each for each in path.of if each in known)
        return list_of(Type(kind, None, names, nullable=False), nullable=path.nullable)

    def _unknown_function(self, node: ir.Call) -> None:
        space, dot, _ = node.name.partition(".")
        if dot and space.lower() not in NAMESPACES:
            return  # of a plug-in, which we cannot know
        meant = MEANT.get(node.name.lower())
        hint = f" {meant}" if meant else _closest(node.name)
        self.report.error(node, "unknown-function", f"No function '{node.name}'.{hint}")

    def _result(
        self, node: ir.Expr, name: str, args: tuple[ir.Expr, ...], signature: Signature
    ) -> Type:
        count, most = len(args), signature.most
        if count < signature.least or (most is not None and count > most):
            self.report.error(node, "wrong-arity", _arity(name, signature, count))
            return ANY
        params = signature.params
        for position, arg in enumerate(args):
            kinds = params[min(position, len(params) - 1)]
            if arg.type.kind not in kinds and arg.type.kind not in UNKNOWN:
                self._wrong_argument(name, arg, kinds)
        return _apply(signature, args)

    def _wrong_argument(self, name: str, arg: ir.Expr, kinds: frozenset[Kind]) -> None:
        hint = ""
        if name == "size" and arg.type.kind is Kind.PATH:
            hint = " The length of a path is length(p)."
        elif name == "length" and arg.type.kind in (Kind.LIST, Kind.STRING):
            hint = " The length of a list or string is size(x)."
        elif name == "type" and arg.type.kind is Kind.NODE:
            hint = " The labels of a node are labels(n)."
        elif name == "labels" and arg.type.kind is Kind.EDGE:
            hint = " The type of a relationship is type(r)."
        names = " or ".join(sorted(kind.value for kind in kinds))
        self.report.error(
            arg, "argument-type", f"{name}() takes {names}, this is {a_type(arg.type)}.{hint}"
        )

    def agg(self, node: ir.Agg, scope: Scope) -> ir.Expr:
        """An aggregate."""
        if self.aggregate:
            self.report.error(
                node,
                "nested-aggregate",
                f"{node.name}() stands inside {self.aggregate}(): aggregate in a WITH first.",
            )
        elif self.place:
            self.report.error(
                node,
                "misplaced-aggregate",
                f"{node.name}() cannot stand in {self.place}: aggregate in a WITH first.",
            )
        outer, self.aggregate = self.aggregate, node.name
        args = self._all(node.args, scope)
        self.aggregate = outer
        if not args:
            return ir.Agg(node.name, (), node.distinct, span=node.span, type=COUNT)
        type = self._result(node, node.name, args, signatures()[node.name])
        self._check_written(node.name, args)
        if node.name == "count":
            type = COUNT  # never null, whatever is counted
        if node.name == "sum" and type.kind is Kind.FLOAT:
            empty = not self.keyed or args[0].type.nullable
            type = replace(type, of_nothing="0" if empty else "")
        return ir.Agg(node.name, args, node.distinct, span=node.span, type=type)

    def _check_written(self, name: str, args: Sequence[ir.Expr]) -> None:
        """Arguments that are written, and outside what the function takes."""
        for place, arg in enumerate(args):
            value = arg.value if isinstance(arg, ir.Literal) else None
            number = value if isinstance(value, int | float) else None
            if name in _PERCENTILES and place == 1 and number is not None and not 0 <= number <= 1:
                message = f"{name}() takes a share from 0.0 to 1.0, not {number}."
                self.report.error(arg, "percentile-range", message)
            elif name in _COUNTING and place and number is not None and number < 0:
                message = f"{name}() takes no negative number here: it fails where it has a value."
                self.report.warning(arg, "negative-argument", message)
            elif name == "round" and place == 2 and isinstance(value, str) and value not in _MODES:
                message = f"round() has no mode '{value}'.{did_you_mean(value, _MODES)}"
                self.report.error(arg, "rounding-mode", message)


def _apply(signature: Signature, args: tuple[ir.Expr, ...]) -> Type:
    """The type of a call by the rule of its signature."""
    rule, first = signature.result, args[0].type if args else ANY
    null = signature.may_be_null or any(arg.type.nullable for arg in args)
    match rule:
        case "same":
            return nullable(first, null) if first.kind is not Kind.NULL else ANY
        case "mean":
            known = first.kind is Kind.DURATION or first.kind in UNKNOWN
            return nullable(first if known else Type(Kind.FLOAT))
        case "between":
            sure = first.kind is Kind.FLOAT and not first.mixed
            return Type(Kind.FLOAT, nullable=null, mixed=not sure)
        case "total":
            return not_null(first) if first.kind not in UNKNOWN else ANY
        case "first":
            return nullable(item_of(first))
        case "join":
            joined = join(arg.type for arg in args)
            return joined if all(arg.type.nullable for arg in args) else not_null(joined)
        case "list-same":
            return list_of(not_null(first) if first.kind is not Kind.NULL else ANY)
    if rule.startswith("list-"):
        return list_of(Type(Kind(rule[5:]), nullable=False), nullable=null)
    if rule == "INTEGER" and not signature.params:
        null = False
    return Type(Kind(rule), nullable=null)


def _closest(name: str) -> str:
    hint = did_you_mean(name, signatures())
    return hint if "Did you mean" in hint else ""


def _arity(name: str, signature: Signature, count: int) -> str:
    least, most = signature.least, signature.most
    if most is None:
        wanted = f"at least {least}"
    else:
        wanted = str(least) if least == most else f"{least} to {most}"
    return f"{name}() takes {wanted} argument{'' if wanted == '1' else 's'}, not {count}."


def a_type(type: Type, *, capital: bool = False) -> str:
    """A type for people: `an integer`, `a list`."""
    names = {
        Kind.EDGE: "relationship",
        Kind.BOOLEAN: "boolean",
        Kind.ZONED_DATETIME: "datetime with zone",
        Kind.ZONED_TIME: "time with zone",
        Kind.DATETIME: "local datetime",
        Kind.TIME: "local time",
        Kind.BYTES: "byte array",
    }
    name = names.get(type.kind, type.kind.value.lower())
    article = "an" if name[0] in "aeiou" else "a"
    return f"{article.capitalize() if capital else article} {name}"
