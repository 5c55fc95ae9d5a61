"""A lexicon against its schema: names that are none, edges that lead elsewhere, wrong terms."""

from __future__ import annotations

from collections.abc import Iterator

from generators.questions.lexicon.lint import Problem, contradictions
from generators.questions.lexicon.lint_data import kinds_against
from generators.questions.lexicon.model import Lexicon, Path, Term
from generators.questions.lexicon.settle import settled
from generators.questions.lexicon.toml_file import LexiconFile, place_text
from graph_ir import nodes as ir
from graph_ir.bind.statements import bound
from graph_ir.cypher.reader import parse
from graph_ir.rewrites import has_aggregate, is_repeatable
from graphmill.errors import QueryTextError, did_you_mean
from schemagraph.model import Kind, SchemaGraph


def check_lexicon(lexicon: Lexicon, schema: SchemaGraph) -> list[Problem]:
    """All that contradicts the schema, each with its place in the file."""
    return [
        *_things(lexicon, schema),
        *_paths(lexicon, schema),
        *_properties(lexicon, schema),
        *_glossary(lexicon, schema),
    ]


def foreign(file: LexiconFile, schema: SchemaGraph) -> list[str]:
    """All that contradicts the schema, or itself where a user says it, each with its line."""
    mine = settled(file)
    problems = [*check_lexicon(file.lexicon, schema), *contradictions(mine)]
    problems += kinds_against(mine, schema)
    terms = [term.term for term in file.lexicon.glossary]
    return [f"{file.at(*place)}: {place_text(place, terms)}: {what}" for place, what in problems]


def _unknown(what: str, name: str, known: Iterator[str] | list[str]) -> str:
    return f"the schema has no {what} '{name}'.{did_you_mean(name, known)}"


def _things(lexicon: Lexicon, schema: SchemaGraph) -> Iterator[Problem]:
    for name, thing in lexicon.things.items():
        place = ("things", name)
        node = schema.node_by_name.get(name)
        if node is None:
            yield place, _unknown("node type", name, list(schema.node_by_name))
            continue
        for part in thing.name:
            if node.property(part) is None:
                known = [p.name for p in node.properties]
                yield (*place, "name"), _unknown(f"property of {name}", part, known)
        for other in thing.joins:
            if other not in schema.node_by_name:
                yield (*place, "joins"), _unknown("node type", other, list(schema.node_by_name))


def _paths(lexicon: Lexicon, schema: SchemaGraph) -> Iterator[Problem]:
    for name, path in lexicon.paths.items():
        for what in path_problems(path, schema):
            yield ("paths", name, "along"), what


def path_problems(path: Path, schema: SchemaGraph) -> list[str]:
    """What of a path the schema does not have."""
    return list(_steps(path, schema))


def _steps(path: Path, schema: SchemaGraph) -> Iterator[str]:
    for node in path.along[::2]:
        if node not in schema.node_by_name:
            yield _unknown("node type", node, list(schema.node_by_name))
    for place in range(1, len(path.along) - 1, 2):
        before, step, after = path.along[place - 1 : place + 2]
        source, target = (before, after) if step.endswith(">") else (after, before)
        label = step.strip("<>") if step[0] == "<" or step[-1] == ">" else step
        between = schema.edges_between.get((source, target), ())
        if not any(edge.label == label for edge in between):
            turned = schema.edges_between.get((target, source), ())
            if any(edge.label == label for edge in turned):
                other = f"<{label}" if step.endswith(">") else f"{label}>"
                yield f"'{label}' leads from {target} to {source}: write '{other}'."
            else:
                known = [e.label for e in (*between, *turned)] or list(schema.edge_labels)
                yield _unknown(f"edge between {before} and {after}", label, known)


def _properties(lexicon: Lexicon, schema: SchemaGraph) -> Iterator[Problem]:
    for owner, entries in lexicon.properties.items():
        element = schema.node_by_name.get(owner) or schema.edge_by_name.get(owner)
        if element is None:
            names = [*schema.node_by_name, *schema.edge_by_name]
            yield ("properties", owner), _unknown("node or edge type", owner, names)
            continue
        for name in entries:
            if element.property(name) is None:
                known = [p.name for p in element.properties]
                yield ("properties", owner, name), _unknown(f"property of {owner}", name, known)


def _glossary(lexicon: Lexicon, schema: SchemaGraph) -> Iterator[Problem]:
    for number, term in enumerate(lexicon.glossary, 1):
        place = ("glossary", str(number))
        if not term.of:
            continue  # which is told as missing
        node = schema.node_by_name.get(term.of)
        if node is None:
            yield (*place, "of"), _unknown("node type", term.of, list(schema.node_by_name))
            continue
        what = term.holds and term_problem(term, node.labels, schema)
        if what:
            yield (*place, "is"), what


def term_query(term: Term, labels: tuple[str, ...]) -> str:
    """The Cypher that asks for the condition of a term on each node of its type."""
    carried = ":".join(f"`{label.replace('`', '``')}`" for label in labels)
    return f"MATCH (n:{carried}) RETURN {term.holds} AS holds"


def term_problem(term: Term, labels: tuple[str, ...], schema: SchemaGraph) -> str:
    """What is wrong with the condition of a term, "" where nothing is."""
    if not _is_closed(term.holds):
        return "a condition on `n`, and nothing beside it."
    try:
        statement = parse(term_query(term, labels))
    except QueryTextError as problem:
        return f"no condition on `n`: {problem}"
    if not isinstance(statement, ir.Query) or len(statement.clauses) != 2:
        return "a condition on `n`, and nothing beside it."
    if any(has_aggregate(item.expr) for item in _items(statement)):
        return (
            "no condition on `n`: a condition asks one node alone, without aggregates outside { }."
        )
    if not is_repeatable(statement):
        return "no condition on `n`: it draws lots or reads a clock, so that it has no one answer."
    binding = bound(statement, schema)
    if binding.errors:
        wrong = " ".join(error.message for error in binding.errors)
        dated = " A date kept as text is compared with a text: '1958-01-31'."
        return f"no condition on `n`: {wrong}{dated * ('with a date' in wrong)}"
    columns = binding.columns
    if len(columns) != 1 or columns[0][1].kind not in (Kind.BOOLEAN, Kind.ANY):
        return "the expression is no condition: it is neither true nor false."
    return ""


def _items(query: ir.Query) -> tuple[ir.Item, ...]:
    last = query.clauses[-1]
    return last.items if isinstance(last, ir.Project) else ()


def _is_closed(text: str) -> bool:
    """Whether a text cannot leave the place it is put into: brackets match, and no comment."""
    depth: list[str] = []
    quote = ""
    pairs = {")": "(", "]": "[", "}": "{"}
    for place, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote and text[place - 1] != "\\" else quote
        elif letter in "'\"`":
            quote = letter
        elif letter in "([{":
            depth.append(letter)
        elif letter in pairs and (not depth or depth.pop() != pairs[letter]):
            return False
        if text.startswith(("//", "/*"), place) and not quote:
            return False
    return not depth and not quote
