"""Text with precedence: a piece of a query that knows how tightly it binds, operators as tables.

A plain `str` is an atom: a name, a call, what stands in brackets. `Code` is a text that could fall
apart beside an operator, with the level at which it binds. Levels are numbers of a language's own,
which rise with the tightness and end below `ATOM`. The rows of its tables, `Infix`, `Prefix` and
`Postfix`, write an operator and put an operand in parentheses where it binds looser than it must
there. What is pasted together otherwise, by an f-string or `join`, is an atom again: give it a
level (`Code(text, level)`) where it is none.

    >>> OR, ADD, MUL, UNARY = range(1, 5)
    >>> plus, minus, times = leftward("+", ADD), leftward("-", ADD), leftward("*", MUL)
    >>> times(plus("a", "b"), "c"), minus("a", minus("b", "c")), minus(minus("a", "b"), "c")
    ('(a + b) * c', 'a - (b - c)', 'a - b - c')
    >>> chained("OR", OR).chain(["a", chained("OR", OR)("b", "c")])
    'a OR b OR c'
    >>> Prefix("-", UNARY, ATOM)(Code("-1", UNARY))
    '-(-1)'

SQL and SPARQL, whose engines differ in what binds tighter, know two levels: `LOOSE`, and atoms
(`apart`). A language of method chains, Gremlin, has no operators and nothing to take from here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

ATOM: Final = 100
LOOSE: Final = 0


class Code(str):
    """A piece of text with the level at which it binds; a plain `str` is an atom."""

    __slots__ = ("level",)
    level: int

    def __new__(cls, text: str, level: int) -> Code:
        made = super().__new__(cls, text)
        made.level = level
        return made


def level_of(text: str) -> int:
    """How tightly a text binds."""
    return text.level if isinstance(text, Code) else ATOM


def wrap(text: str, least: int) -> str:
    """`text`, in parentheses where it binds looser than `least`."""
    return f"({text})" if isinstance(text, Code) and text.level < least else text


@dataclass(frozen=True, slots=True)
class Infix:
    """An operator between operands: its level, and the least levels that its sides need.

    The sign is written as it is here, with its spaces.
    """

    sign: str
    level: int
    left: int
    right: int

    def __call__(self, left: str, right: str) -> Code:
        """The operator with two operands."""
        a, b = wrap(left, self.left), wrap(right, self.right)
        return Code(f"{a}{self.sign}{b}", self.level)

    def chain(self, operands: Iterable[str]) -> str:
        """The operator between all operands, each a left one; an only one stays as it is."""
        parts = tuple(operands)
        if len(parts) == 1:
            return parts[0]
        least = self.left
        return Code(self.sign.join([wrap(part, least) for part in parts]), self.level)


@dataclass(frozen=True, slots=True)
class Prefix:
    """An operator before its operand; the sign is written as it is here."""

    sign: str
    level: int
    operand: int

    def __call__(self, operand: str) -> Code:
        """The operator with its operand."""
        return Code(f"{self.sign}{wrap(operand, self.operand)}", self.level)


@dataclass(frozen=True, slots=True)
class Postfix:
    """An operator behind its operand; the sign is written as it is here."""

    sign: str
    level: int
    operand: int

    def __call__(self, operand: str) -> Code:
        """The operator with its operand."""
        return Code(f"{wrap(operand, self.operand)}{self.sign}", self.level)


def chained(sign: str, level: int) -> Infix:
    """An operator whose grouping does not matter: `a AND b AND c`."""
    return Infix(f" {sign} ", level, level, level)


def leftward(sign: str, level: int) -> Infix:
    """An operator that groups from the left: `a - b - c` is `(a - b) - c`."""
    return Infix(f" {sign} ", level, level, level + 1)


def alone(sign: str, level: int) -> Infix:
    """An operator that takes no other of its level as an operand: comparisons."""
    return between(sign, level, level + 1)


def between(sign: str, level: int, operand: int) -> Infix:
    """An operator both of whose operands bind as tightly as `operand` at least."""
    return Infix(f" {sign} ", level, operand, operand)


def apart(sign: str) -> Infix:
    """An operator of two levels only: every operand that is no atom is in parentheses."""
    return between(sign, LOOSE, ATOM)


def call(name: str, *arguments: str) -> str:
    """A function's call, which is an atom.

    >>> call("pow", "x", "2")
    'pow(x, 2)'
    """
    return f"{name}({', '.join(arguments)})"
