"""`Dialect`, what every target language implements, and `Rendered`, what it returns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from graph_ir import nodes as ir
from graphmill.errors import Refused, Span
from schemagraph.model import SchemaGraph

OPTION = ("server-option", "The option is a server's own, its meaning is not known here.")

MOST_STEPS = 20_000  # or tests of one MATCH; more is no text that anybody reads
MOST_CHARACTERS = 1_000_000  # longer texts come of operands that are written more than once

type Rewrite = Callable[[ir.Statement], ir.Statement]


def too_long(node: ir.Node) -> Refused:
    """The refusal of a text that nobody reads, as it says its parts again and again."""
    return Refused(
        "text-too-long",
        type(node).__name__,
        "Written out, the text would be too long.",
        node.span,
    )


def check_length(steps: int, node: ir.Node) -> None:
    """Refuse what is said by so many steps or tests that nobody reads the text.

    Each edge of a MATCH is told from all others: their number grows with the square of edges.

    Raises:
        Refused: there are more than `MOST_STEPS`.
    """
    if steps > MOST_STEPS:
        raise too_long(node)


@dataclass(frozen=True, slots=True)
class Caveat:
    """What the one who asked must know for a text to mean the same; `code` is a refusal's."""

    code: str
    construct: str
    reason: str
    span: Span | None = None

    def as_json(self) -> dict[str, Any]:
        """One of the `warnings` of a `translate` result."""
        span = self.span.as_json() if self.span else None
        return {
            "code": self.code,
            "construct": self.construct,
            "reason": self.reason,
            "span": span,
        }


@dataclass(frozen=True, slots=True)
class Rendered:
    """A query's text in one language; `columns` are the names of its result columns.

    With `caveats` it means the same only if they hold, which nobody here can know.
    """

    text: str
    dialect: str
    columns: tuple[str, ...] = ()
    caveats: tuple[Caveat, ...] = ()


class Dialect:
    """Render a bound statement. Declare flags and lowerings first, `emit_<Node>` second.

    A class emits a node type by a method `emit_<NodeName>(self, node) -> str`, or lists it in
    `UNSUPPORTED` with (code, sentence); `missing()` must be empty. Lowerings run on the IR before
    printing. Instances are cheap and hold the schema, if there is one.
    """

    name: ClassVar[str] = ""
    LOWERINGS: ClassVar[tuple[Rewrite, ...]] = ()
    UNSUPPORTED: ClassVar[Mapping[type[ir.Node], tuple[str, str]]] = {}
    _emit: ClassVar[dict[type[ir.Node], str]] = {}

    def __init__(self, schema: SchemaGraph | None = None) -> None:
        self.schema = schema

    def __init_subclass__(cls) -> None:
        stray = [m for m in vars(cls) if m.startswith("emit_") and m[5:] not in ir.NODE_CLASSES]
        if stray:
            raise TypeError(f"{cls.__name__}: {', '.join(stray)} matches no IR node")
        cls._emit = {
            node: f"emit_{name}"
            for name, node in ir.NODE_CLASSES.items()
            if hasattr(cls, f"emit_{name}") and node not in cls.UNSUPPORTED
        }

    @classmethod
    def missing(cls) -> set[str]:
        """Names of nodes that are neither emitted nor declared unsupported: must be empty."""
        return {
            name
            for name, node in ir.NODE_CLASSES.items()
            if node not in cls._emit and node not in cls.UNSUPPORTED
        }

    def generate(self, query: ir.Statement) -> Rendered:
        """The text of `query`, which is bound (`graph_ir.bind`) where a schema is known.

        Raises:
            Refused: the language cannot say exactly this.
        """
        for lower in self.LOWERINGS:
            query = lower(query)
        return Rendered(self.emit(query), self.name)

    def emit(self, node: ir.Node) -> str:
        """The text of one node, through the table of methods."""
        method = self._emit.get(type(node))
        if method is None:
            code, sentence = self.UNSUPPORTED[type(node)]
            raise Refused(code, type(node).__name__, sentence, node.span)
        text: str = getattr(self, method)(node)
        if len(text) > MOST_CHARACTERS:
            raise too_long(node)
        return text
