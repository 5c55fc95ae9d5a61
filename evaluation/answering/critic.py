"""The static error base (AT-17, AT-23): nine faults found before a query is run, with their mends.

They are decided on trees, not on texts: four of the printed text rules refuse valid queries. A rule
for what does not parse holds only where the mended text does parse; the others read Graph-IR, the
tree of a traversal, or the groups of a SPARQL query. Gold queries have none of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from evaluation.answering.traversals import dead_ends, elements_by_nothing
from graph_ir import nodes as ir
from graph_ir.walk import descend, find
from schemagraph.model import EdgeType, Kind, NodeType, SchemaGraph
from schemagraph.rdf.names import decode


@dataclass(frozen=True, slots=True)
class Checked:
    """A query as rules see it: `statement` where it was read, `parses` tells whether another text
    of the language would be."""

    text: str
    statement: ir.Statement | None
    readable: bool
    schema: SchemaGraph
    parses: Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Fault:
    """A match: the rule, and what a model is told."""

    rule: str
    message: str


type Rule = Callable[[Checked], str]
"""Where the fault is, in words; empty where it is not."""


def static_fault(language: str, query: Checked) -> Fault | None:
    """The first fault of the error base; None where there is none, or no base for the language."""
    for name, rule, mend in RULES.get(language, ()):
        where = rule(query)
        if where:
            return Fault(name, f"{where} {mend}")
    return None


# --- Cypher ---------------------------------------------------------------------------------

_HIDDEN = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|`[^`]*`|//[^\n]*|/\*.*?\*/", re.S)
_NO_COLON = re.compile(r"\(\s*(\w+)\s+(?=[A-Z]\w*\s*[){])")


def _missing_colon(query: Checked) -> str:
    if query.readable:
        return ""
    places = [match.end(1) for match in _NO_COLON.finditer(_blank(query.text))]
    mended = query.text
    for place in reversed(places):
        mended = mended[:place] + ":" + mended[place:].lstrip()
    return "A label has no colon before it." if places and query.parses(mended) else ""


def _cartesian(query: Checked) -> str:
    if query.statement is None:
        return ""
    for match in find(query.statement, ir.Match):
        pieces = _pieces(match, query.statement)
        if len(pieces) > 1:
            named = " and ".join(sorted(min(piece) for piece in pieces)[:2])
            return f"Parts of a MATCH are not connected: {named} (a Cartesian product)."
    return ""


def _pieces(match: ir.Match, statement: ir.Statement) -> list[set[str]]:
    """The components of a MATCH: variables that a path, a MATCH or an expression brings together
    anywhere in the statement are one."""
    own = [{v for v in _variables(path) if v} for path in match.paths]
    if len(own) < 2 or not all(own):
        return own[:1]
    ties = [{v for v in _variables(path) if v} for path in find(statement, ir.Path)]
    ties += [_variables(each) for each in descend(statement) if isinstance(each, ir.Expr)]
    pieces: list[set[str]] = []
    for group in own:
        together = set(group)
        for piece in [p for p in pieces if p & together]:
            pieces.remove(piece)
            together |= piece
        pieces.append(together)
    for tie in ties:
        near = [piece for piece in pieces if piece & tie]
        if near:
            for piece in near:
                pieces.remove(piece)
            pieces.append(set(tie).union(*near))
    return pieces


def _variables(node: ir.Node) -> set[str]:
    names: set[str] = set()
    for each in descend(node):
        if isinstance(each, ir.Var):
            names.add(each.name)
        elif isinstance(each, ir.NodePattern | ir.EdgePattern | ir.Path) and each.var:
            names.add(each.var)
    return names


# --- Gremlin --------------------------------------------------------------------------------

_SQL_WORDS = re.compile(r"(?<![.\w])(?:SELECT|FROM|WHERE)\b(?!\s*\()", re.I)


def _invalid_chain(query: Checked) -> str:
    step = next(iter(dead_ends(query.text, query.schema)), "")
    return f"The step {step} leads nowhere: no edge of that label is there." if step else ""


def _empty_modulator(query: Checked) -> str:
    label = next(iter(elements_by_nothing(query.text)), "")
    return f"select() gives the element '{label}', and its by() is empty." if label else ""


def _sql_words(query: Checked) -> str:
    match = None if query.readable else _SQL_WORDS.search(_blank(query.text))
    return f"{match[0].upper()} is a word of SQL." if match else ""


# --- SPARQL ---------------------------------------------------------------------------------

_SPARQL_HIDDEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|<[^<>\s]*>')
_SUBJECT = re.compile(r"[?$<]|[\w-]*:")
_VARIABLE = re.compile(r"[?$](\w+)")
_EQUALS = re.compile(
    r"\?(\w+)\s*=\s*(\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')(?!\s*(?:\^\^|@))", re.S
)


def _open_triple(query: Checked) -> str:
    if query.readable:
        return ""
    lines = query.text.splitlines()
    mended, added, depth = [], False, 0
    for number, line in enumerate(lines):
        plain = _SPARQL_HIDDEN.sub('""', line).strip()
        inside, depth = depth > 0, depth + plain.count("{") - plain.count("}")
        following = next((each.strip() for each in lines[number + 1 :] if each.strip()), "")
        triple = inside and len(plain.split()) >= 3 and plain[-1] not in ".;,{}("
        if triple and _SUBJECT.match(following):
            line, added = f"{line} .", True
        mended.append(line)
    good = added and query.parses("\n".join(mended))
    return "A triple is not closed by a dot." if good else ""


def _string_equality(query: Checked) -> str:
    kinds: dict[str, set[Kind]] = {}
    owners: list[NodeType | EdgeType] = [*query.schema.nodes, *query.schema.edges]
    for given in (p for owner in owners for p in owner.properties):
        kinds.setdefault(given.name, set()).add(given.type.kind)
    for name, literal in _EQUALS.findall(query.text):
        bound = re.findall(rf"[\w-]*:([\w%.-]+)\s+\?{name}\b", query.text)
        held = [kinds.get(decode(local), set()) for local in bound]
        if held and all(own and Kind.STRING not in own for own in held):
            kind = sorted(held[0])[0].lower()
            return f"?{name} is a {kind}, and {literal} a string: they are never equal."
    return ""


def _unbound(query: Checked) -> str:
    for head, group in _selections(_SPARQL_HIDDEN.sub('""', query.text)):
        named = set(re.findall(r"\bAS\s+[?$](\w+)", head, re.I))
        inside = set(_VARIABLE.findall(group))
        lacking = [v for v in _VARIABLE.findall(head) if v not in inside | named]
        if lacking:
            return f"?{lacking[0]} is selected, and nothing in WHERE binds it."
    return ""


def _selections(text: str) -> Iterator[tuple[str, str]]:
    """Each SELECT: what it selects, and its group."""
    for match in re.finditer(r"\bSELECT\b([^{]*?)(?:\bWHERE\b\s*)?\{", text, re.I):
        depth, end = 1, match.end()
        while end < len(text) and depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        yield match[1], text[match.end() : end]


def _blank(text: str) -> str:
    """A text of the same length without strings, quoted names and comments."""
    return _HIDDEN.sub(lambda match: "_" * len(match[0]), text)


RULES: Mapping[str, Sequence[tuple[str, Rule, str]]] = {
    "cypher": (
        ("missing-colon", _missing_colon, "Insert it: (n:Person)."),
        ("cartesian-product", _cartesian, "Add a relationship, or a condition in WHERE."),
    ),
    "gremlin": (
        ("invalid-chain", _invalid_chain, "Check the direction, or use both()."),
        ("empty-modulator", _empty_modulator, "Put in the property's key: by('name')."),
        ("sql-words", _sql_words, "Begin with g.V(); use select(), has(), where()."),
    ),
    "sparql": (
        ("open-triple", _open_triple, "Append the dot."),
        ("string-equality", _string_equality, "Write the literal without quotation marks."),
        ("unbound-variable", _unbound, "Remove it, or add a triple that binds it."),
    ),
}


def rule_names() -> list[str]:
    """The names of all rules."""
    return [name for rules in RULES.values() for name, _, _ in rules]
