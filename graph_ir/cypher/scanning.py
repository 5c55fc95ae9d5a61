"""What the lexers of Cypher and GQL do alike: tokens with positions, brackets, numbers, strays.

A lexer asks the parser what may come next. It gives the pattern of its tokens, and a function that
chooses the terminal of each by what the parser's state accepts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from graph_ir.cypher.errors import error_at
from graphmill.errors import QueryTextError, Span

MAX_NESTING = 150
"""More open brackets than this are refused, so that no later recursion can overflow."""

HOPS = re.compile(r"\*\s*(?:(\d+)(?!\s*\.\d))?\s*(?:(\.\.)\s*(\d+)?)?")
COMPARISON = re.compile(r"<>|<=|>=|=~|[<>=]")
SINGLE = {
    ")": "RPAR",
    ",": "COMMA",
    "}": "RBRACE",
    ";": "SEMICOLON",
    "&": "LABEL_OP",
    "!": "BANG",
    ".": "DOT",
    "..": "DOTDOT",
}
# What arithmetic is where the grammar takes no operator as such.
ARITHMETIC = {"%": "PERCENT", "/": "OP", "^": "OP", "-": "MINUS"}
OPENING = frozenset(
    (
        "LPAR",
        "NODE_OPEN",
        "GROUP_OPEN",
        "LSQB",
        "LIST_OPEN",
        "COMPREHENSION_OPEN",
        "PATTERN_OPEN",
        "LBRACE",
        "EDGE_OPEN",
    )
)
CLOSING = frozenset(("RPAR", "RBRACE", "RSQB", "EDGE_CLOSE"))

type Terminal = tuple[str, str, int]
"""The type of a token, its text and its end."""
type Choose = Callable[[str, str, int, int, Mapping[str, int], str], Terminal]
"""A terminal of the kind, text, start and end of a lexeme, by what is accepted inside a bracket."""


class QueryText:
    """The text of one query and the tokens read from it so far."""

    __slots__ = ("ends", "text", "tokens")

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[Token] = []
        # Where the bracket that opens at a place ends, once a lexer has looked for it.
        self.ends: dict[int, int] | None = None


class Token:
    """One terminal and where it stands. `text` is unquoted for names and parameters."""

    __slots__ = ("column", "end", "index", "line", "source", "start", "text", "type")

    def __init__(
        self, type: str, text: str, start: int, end: int, line: int, column: int, source: QueryText
    ) -> None:
        self.type = type
        self.text = text
        self.start = start
        self.end = end
        self.line = line
        self.column = column
        self.source = source
        self.index = len(source.tokens)
        source.tokens.append(self)

    @property
    def span(self) -> Span:
        """Where the token stands."""
        return Span(self.line, self.column, self.line, self.column + self.end - self.start)


def failed(token: Token, message: str, code: str) -> QueryTextError:
    """A syntax error at `token`."""
    return error_at(token.source.text, token.start, message, code=code)


def scanned(
    source: QueryText,
    pattern: re.Pattern[str],
    states: Sequence[Mapping[str, int]],
    stack: list[int],
    choose: Choose,
    wrong: Callable[[str, int], QueryTextError],
) -> Iterator[Token]:
    """The tokens of a text, each chosen by what the parser accepts when it asks for it.

    The groups of `pattern` are the kinds of lexemes; `mark` and `end` among them. `wrong` makes
    the error for a place where no token begins.

    Raises:
        QueryTextError: no token begins here, a number or bracket is wrong.
    """
    text = source.text
    match = pattern.match
    pos, line, line_start = 0, 1, 0
    opened: list[str] = []
    while True:
        lexeme = match(text, pos)
        if lexeme is None:
            raise wrong(text, pos)
        kind = lexeme.lastgroup or ""
        start, end = lexeme.span(kind)
        if start != pos:
            breaks = text.count("\n", pos, start)
            if breaks:
                line += breaks
                line_start = text.rfind("\n", pos, start) + 1
        value = text[start:end]
        if kind == "mark":
            type = SINGLE.get(value, "")
            if not type:
                within = opened[-1] if opened else ""
                type, value, end = choose(kind, value, start, end, states[stack[-1]], within)
            if type in OPENING:
                opened.append(type)
                if len(opened) > MAX_NESTING:
                    message = f"Brackets are nested deeper than {MAX_NESTING} levels."
                    raise error_at(text, start, message, code="nesting-too-deep")
            elif type in CLOSING and opened:
                opened.pop()
        elif kind == "end":
            yield Token("$END", "", start, start, line, start - line_start + 1, source)
            return
        else:
            type, value, end = choose(kind, value, start, end, states[stack[-1]], "")
        yield Token(type, value, start, end, line, start - line_start + 1, source)
        if kind != "word" and "\n" in text[start:end]:
            line += text.count("\n", start, end)
            line_start = text.rfind("\n", start, end) + 1
        pos = end


def first(types: Sequence[str], accepts: Mapping[str, int], otherwise: str) -> str:
    """The first of `types` that is accepted."""
    for type in types:
        if type in accepts:
            return type
    return otherwise


def number(
    value: str,
    text: str,
    start: int,
    end: int,
    integer: re.Pattern[str],
    floating: re.Pattern[str],
    hint: str = "",
) -> Terminal:
    """A number as a language writes it.

    Raises:
        QueryTextError: it is none.
    """
    if integer.fullmatch(value):
        return "INT", value, end
    if floating.fullmatch(value):
        return "FLOAT", value, end
    raise error_at(text, start, f"'{value[:40]}' is no number{hint}.", code="invalid-number")


def after(space: re.Pattern[str], text: str, pos: int) -> int:
    """The first place from `pos` on that is no space."""
    skipped = space.match(text, pos)
    return skipped.end() if skipped and skipped.end() < len(text) else pos


def stray(text: str, start: int, hints: Mapping[str, str], quotes: str) -> QueryTextError:
    """The error for the character at `start`, where no token begins; names stand in `quotes`."""
    character = text[start]
    if text.startswith("``", start):
        return error_at(text, start, f"A name in {quotes} cannot be empty.", code="empty-name")
    if character in "'\"`":
        what = f"name in {quotes}" if character == "`" else "string"
        return error_at(text, start, f"The {what} is not closed.", code="open-string")
    message = f"Unexpected character {character!r}. {hints.get(character, '')}".rstrip()
    return error_at(text, start, message, code="unexpected-character")
