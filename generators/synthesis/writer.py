"""The program writer: a readable Python program that makes the data of one schema.

A program has the functions of `generators.synthesis.library` that it needs, as they stand there,
then a function for each node and edge type, then `generate(spec, rng, out)`. It imports numpy,
polars and Faker, and nothing of graphmill.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from schemagraph.folder.graphdata import edge_table, node_table
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type
from schemagraph.specification.columns import End, needs, order_of
from schemagraph.specification.distributions import Aggregated, Distribution, inner
from schemagraph.specification.leads import Step, gathered, leading, own_end, steps
from schemagraph.specification.model import Column, Edges, Nodes, Specification

HEAD = '''"""{title}

    python program.py distributions.json SEED OUT

writes OUT/nodes/*.parquet and OUT/edges/*.parquet, the same bytes for the same seed. How many rows
there are and how values are distributed stands in distributions.json; which tables and columns
there are, in this file. It was written by graphmill; it is yours to change.
"""

from __future__ import annotations

'''

MAIN = """

if __name__ == "__main__":
    specification, seed, folder = sys.argv[1:]
    generate(
        json.loads(Path(specification).read_text(encoding="utf-8")),
        np.random.default_rng(int(seed)),
        Path(folder),
    )
"""

_HOW = {"1:1": "one_to_one", "1:n": "one_to_many", "n:1": "many_to_one", "n:m": "many_to_many"}
_DTYPES = {
    Kind.BOOLEAN: "pl.Boolean",
    Kind.INTEGER: "pl.Int64",
    Kind.FLOAT: "pl.Float64",
    Kind.DATE: "pl.Date",
    Kind.DATETIME: 'pl.Datetime("us")',
}


def write_program(schema: SchemaGraph, given: Specification) -> str:
    """The text of a program for a schema and a specification that go together."""
    names = _function_names(schema)
    over = leading(schema, given)
    late = _late(schema, given)
    body = [_node_function(node, names[node.name], given, late) for node in schema.nodes]
    for edge in schema.edges:
        if edge.name in over:
            body.append(_link_function(edge, names[edge.name], schema, given))
        body.append(_edge_function(edge, names[edge.name], schema, given, linked=edge.name in over))
    body.append(_generate(schema, names, given, late))
    text = "\n\n\n".join(body)
    parts: list[Nodes | Edges] = [*given.nodes.values(), *given.edges.values()]
    columns = [column for part in parts for column in part.properties.values()]
    kinds = {kind for column in columns for kind in _kinds(column.of)}
    types, edges = len(schema.nodes), len(schema.edges)
    title = f"Data of the graph {schema.name}: {types} node types, {edges} edge types."
    program = library_for(text + MAIN, kinds) + "\n\n\n" + text + "\n" + MAIN
    return HEAD.format(title=_plain(title)) + program


def _kinds(given: Distribution) -> Iterator[str]:
    yield given.kind
    for part in inner(given):
        yield from _kinds(part)


# --- a function for each type ------------------------------------------------------------------


def _function_names(schema: SchemaGraph) -> dict[str, str]:
    names: dict[str, str] = {}
    for element in (*(n.name for n in schema.nodes), *(e.name for e in schema.edges)):
        words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", element)
        words = re.sub(r"[^a-z0-9]+", "_", words.lower()).strip("_")
        name, number = f"make_{words}", 2
        while name in names.values():
            name, number = f"make_{words}_{number}", number + 1
        names[element] = name
    return names


def _late(schema: SchemaGraph, given: Specification) -> tuple[Step, ...]:
    """The columns that can be made after a link only, and these links, in their order."""
    over = leading(schema, given)
    late: list[Step] = []
    waiting: set[tuple[str, str]] = set()
    for step in steps(schema, given) or ():
        kind, element, name = step
        if kind == "link":
            if element in over:
                late.append(step)
            continue
        if kind == "rows":
            late.append(step)
            continue
        refers = list(needs(given.nodes[element].properties[name].of))
        own = given.nodes[element].properties
        made_of_edges = isinstance(given.nodes[element].properties[name].of, Aggregated)
        if made_of_edges or any(o not in own or (element, o) in waiting for o in refers):
            waiting.add((element, name))
            late.append(step)
    return tuple(late)


def _node_function(node: NodeType, name: str, given: Specification, late: Sequence[Step]) -> str:
    later = {column for kind, element, column in late if (kind, element) == ("column", node.name)}
    lines = [
        f"def {name}(spec: dict[str, Any], rng: np.random.Generator) -> Rows:",
        f'    """{_plain(node.name)}: nodes with the key {_plain(", ".join(node.key))}."""',
        f'    wanted = spec["nodes"][{_literal(node.name)}]',
        '    rows = Rows(wanted, wanted["count"], rng.spawn(1)[0])',
        *_additions(node.properties, given.nodes[node.name].properties, later),
        "    return rows",
    ]
    return "\n".join(lines)


def _link_function(edge: EdgeType, name: str, schema: SchemaGraph, given: Specification) -> str:
    """The ends of edges that columns of nodes refer over: they are there before these."""
    needed = ", needed=True" if _is_needed(edge, schema, given) else ""
    lines = [
        f"def {_linked(name)}(",
        "    spec: dict[str, Any], rng: np.random.Generator, source: Rows, target: Rows",
        ") -> Pairs:",
        f'    """The ends of {_plain(_described(edge, given.edges[edge.name]))}"""',
        f'    wanted = spec["edges"][{_literal(edge.name)}]',
        f"    return link({_how(given.edges[edge.name])}, wanted, source, target, rng{needed})",
    ]
    return "\n".join(lines)


def _is_needed(edge: EdgeType, schema: SchemaGraph, given: Specification) -> bool:
    """Whether a column that must have a value is made over edges of a type with preferred ends,
    of which each node has at most one."""
    part = given.edges[edge.name]
    if part.cardinality != "1:1" or not (part.source.prefer or part.target.prefer):
        return False
    return any(
        name.startswith(f"{edge.name}.")
        for end in {edge.source, edge.target}
        for prop in schema.node_by_name[end].properties
        if not prop.nullable
        for name in needs(given.nodes[end].properties[prop.name].of)
    )


def _linked(name: str) -> str:
    return name.replace("make_", "link_", 1)


def _how(part: Edges) -> str:
    return "both_ways" if part.symmetric else _HOW[part.cardinality]


def _edge_function(
    edge: EdgeType, name: str, schema: SchemaGraph, given: Specification, *, linked: bool
) -> str:
    part = given.edges[edge.name]
    keys = [
        f"{side}.{key}"
        for side, end in (("source", edge.source), ("target", edge.target))
        for key in schema.node_by_name[end].key
    ]
    lines = [
        f"def {name}(",
        "    spec: dict[str, Any], rng: np.random.Generator, source: Rows, target: Rows"
        + (", pairs: Pairs" if linked else ""),
        ") -> Rows:",
        f'    """{_plain(_described(edge, part))}"""',
        f'    wanted = spec["edges"][{_literal(edge.name)}]',
        *([] if linked else [f"    pairs = link({_how(part)}, wanted, source, target, rng)"]),
        "    rows = EdgeRows(wanted, rng.spawn(1)[0], pairs, source=source, target=target)",
        f"    rows.add_keys({', '.join(map(_literal, keys))})",
        *_additions(edge.properties, part.properties),
        *(["    rows.mirror()"] if part.symmetric else []),
        "    return rows",
    ]
    return "\n".join(lines)


def _described(edge: EdgeType, part: Edges) -> str:
    cardinality = {
        "1:1": "each node has at most one",
        "1:n": f"each {edge.target} has at most one",
        "n:1": f"each {edge.source} has at most one",
        "n:m": "any number at both ends",
    }[part.cardinality]
    return f"{edge.source}-{edge.label}-{edge.target}: {cardinality}."


def _additions(
    properties: Sequence[Property], columns: Mapping[str, Column], later: Collection[str] = ()
) -> Iterator[str]:
    """A line for each column, in an order in which they can be drawn; not for those of `later`."""
    types = {given.name: given.type for given in properties}
    for name in order_of(columns) or ():
        if name in later:
            continue
        reason = ", ".join(dict.fromkeys(needs(columns[name].of)))
        comment = f"  # from {_plain(reason)}" if reason else ""
        yield f"    rows.add({_literal(name)}, {_dtype(types[name])}){comment}"


def _dtype(kind: Type) -> str:
    if kind.kind is Kind.LIST:
        return f"pl.List({_dtype(kind.item or Type(Kind.STRING))})"
    return _DTYPES.get(kind.kind, "pl.String")


def _generate(
    schema: SchemaGraph, names: Mapping[str, str], given: Specification, late: Sequence[Step]
) -> str:
    rows = {node.name: names[node.name].removeprefix("make_") + "_rows" for node in schema.nodes}
    lines = [
        "def generate(spec: dict[str, Any], rng: np.random.Generator, out: Path) -> None:",
        '    """Make and write all tables, edges after the nodes that they join."""',
    ]
    for node in schema.nodes:
        path = f'out / "nodes" / {_literal(node_table(node) + ".parquet")}'
        lines.append(f"    {rows[node.name]} = {names[node.name]}(spec, rng)")
        if not late:
            lines.append(f"    {rows[node.name]}.write({path})")
    for kind, element, column in late:
        if kind == "link":
            lines += _lead(schema.edge_by_name[element], names[element], rows, given)
            lines += _joined(schema.edge_by_name[element], names[element], rows, schema, given)
        elif kind == "rows":
            lines += _early(schema.edge_by_name[element], names[element], rows, schema, given)
        else:
            node = schema.node_by_name[element]
            kept = {name for name in given.nodes[element].properties if name != column}
            parts = _additions(node.properties, given.nodes[element].properties, kept)
            lines += [line.replace("rows.add", f"{rows[element]}.add", 1) for line in parts]
    for node in schema.nodes if late else ():
        path = f'out / "nodes" / {_literal(node_table(node) + ".parquet")}'
        lines.append(f"    {rows[node.name]}.write({path})")
    if not schema.edges:
        return "\n".join(lines)
    linked = {element for kind, element, _ in late if kind == "link"}
    early = {element for kind, element, _ in late if kind == "rows"}
    lines.append("    edges = [")
    for edge in schema.edges:
        ends = f"{names[edge.name]}, {rows[edge.source]}, {rows[edge.target]}"
        if edge.name in linked:
            ends += f", {_pairs(names[edge.name])}"
        if edge.name in early:
            ends = f"ready, {_made(names[edge.name])}"
        file = _literal(edge_table(edge) + ".parquet")
        line = f"        ({file}, {ends}),"
        wide = ["        (", f"            {file},", f"            {ends},", "        ),"]
        lines += [line] if len(line) <= _WIDTH else wide
    lines.append("    ]")
    return "\n".join(lines) + _EDGES


def _pairs(name: str) -> str:
    return name.removeprefix("make_") + "_pairs"


def _lead(
    edge: EdgeType, name: str, rows: Mapping[str, str], given: Specification
) -> Iterator[str]:
    """Lines that link an edge type and let the nodes at its ends refer over it."""
    pairs, source, target = _pairs(name), rows[edge.source], rows[edge.target]
    yield f"    {pairs} = {_linked(name)}(spec, rng, {source}, {target})"
    cardinality = given.edges[edge.name].cardinality
    several = cardinality == "n:m" and edge.source != edge.target
    if cardinality in ("n:1", "1:1") or several:
        yield f"    {source}.lead({_literal(edge.name)}, {target}, {pairs}[0], {pairs}[1])"
    if cardinality == "1:n" or (cardinality == "1:1" and edge.source != edge.target) or several:
        yield f"    {target}.lead({_literal(edge.name)}, {source}, {pairs}[1], {pairs}[0])"


def _made(name: str) -> str:
    return name.removeprefix("make_") + "_edges"


def _joined(
    edge: EdgeType,
    name: str,
    rows: Mapping[str, str],
    schema: SchemaGraph,
    given: Specification,
    *,
    early: bool = False,
) -> Iterator[str]:
    """Lines that let nodes have columns made of all their edges of a type."""
    part = given.edges[edge.name]
    for (node, over), own in gathered(schema, given).items():
        if over != edge.name or (early and not own):
            continue
        made, place = _made(name), _literal(edge.name)
        if not early:
            ends = f"source={rows[edge.source]}, target={rows[edge.target]}"
            wanted = f'spec["edges"][{place}]'
            yield f"    {made} = EdgeRows({wanted}, rng, {_pairs(name)}, {ends})"
        side = 0 if own_end(edge, node, part.cardinality) is End.SOURCE else 1
        yield f"    {rows[node]}.join({place}, {made}, {_pairs(name)}[{side}])"


def _early(
    edge: EdgeType,
    name: str,
    rows: Mapping[str, str],
    schema: SchemaGraph,
    given: Specification,
) -> Iterator[str]:
    """Lines that make the rows of an edge type before columns of nodes that are made of them."""
    ends = f"{rows[edge.source]}, {rows[edge.target]}, {_pairs(name)}"
    yield f"    {_made(name)} = {name}(spec, rng.spawn(1)[0], {ends})"
    yield from _joined(edge, name, rows, schema, given, early=True)


_WIDTH = 100
_EDGES = """
    # Two tables at a time; each has randomness of its own, so that their order does not matter.
    streams = rng.spawn(len(edges))
    with ThreadPoolExecutor(2) as pool:
        tasks = [
            pool.submit(save, out / "edges" / file, make, spec, stream, *ends)
            for stream, (file, make, *ends) in zip(streams, edges, strict=True)
        ]
    for task in tasks:
        task.result()"""


def _literal(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _plain(text: str) -> str:
    """A name within a docstring or comment, where it can do no harm."""
    return re.sub(r"[^\w ,.:()&%-]", "?", text)


# --- the library -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Piece:
    """A top-level statement of the library: its text, the heading above it, the names it uses."""

    text: str
    heading: str
    uses: frozenset[str]


@cache
def _library() -> tuple[dict[str, _Piece], dict[str, str]]:
    """The statements of the library by the name that each defines, and import lines by name."""
    pieces: dict[str, _Piece] = {}
    imports: dict[str, str] = {}
    for module in ("days", "digits", "values", "rows", "partners", "edges"):
        text = resources.files("generators.synthesis.library").joinpath(f"{module}.py").read_text()
        lines, heading = text.splitlines(), ""
        tree, end = ast.parse(text), 0
        for statement in tree.body:
            between = [
                line for line in lines[end : statement.lineno - 1] if line.startswith("# --")
            ]
            heading = between[-1] if between else heading
            end = statement.end_lineno or statement.lineno
            source = "\n".join(lines[statement.lineno - 1 : end])
            match statement:
                case ast.Import(names=names):
                    for alias in names:
                        imports[alias.asname or alias.name] = source
                case ast.ImportFrom(module=origin, names=names):
                    for alias in names if not str(origin).startswith("generators") else ():
                        imports[alias.asname or alias.name] = f"from {origin} import {alias.name}"
                case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                    pieces[name] = _Piece(source, heading, _names(statement))
                case ast.Assign(targets=[ast.Name(id=name)]):
                    pieces[name] = _Piece(source, heading, _names(statement))
                case ast.TypeAlias(name=ast.Name(id=name)):
                    pieces[name] = _Piece(source, "", _names(statement))
    return pieces, imports


def _names(tree: ast.AST) -> frozenset[str]:
    return frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))


def library_for(body: str, kinds: Collection[str]) -> str:
    """Imports, and the functions of the library that `body` needs for these kinds of value."""
    pieces, imports = _library()
    entries = _entries(pieces["KINDS"].text, kinds)
    needed: set[str] = set()
    waiting = {*_names(ast.parse(body)), *entries.values()}
    while waiting:
        name = waiting.pop()
        if name in pieces and name not in needed:
            needed.add(name)
            waiting |= pieces[name].uses if name != "KINDS" else set()
    used = _names(ast.parse(body)).union(*(pieces[name].uses for name in needed))
    lines = {line for name, line in (_MAIN_IMPORTS | imports).items() if name in used}
    texts = [_sorted_imports(lines)]
    heading = ""
    for name, piece in pieces.items():
        if name not in needed:
            continue
        if piece.heading != heading:
            heading = piece.heading
            texts.append(heading)
        if name == "KINDS":
            rows = "".join(f"    {_literal(kind)}: {made},\n" for kind, made in entries.items())
            texts.append(f"KINDS = {{\n{rows}}}")
        else:
            texts.append(piece.text)
    aliases = [text for text in texts[1:] if text.startswith("type ")]
    others = [text for text in texts[1:] if not text.startswith("type ")]
    start = f"{texts[0]}\n\n{chr(10).join(dict.fromkeys(aliases))}"
    return "\n\n\n".join([start, *others])


_MAIN_IMPORTS = {
    "json": "import json",
    "sys": "import sys",
    "Path": "from pathlib import Path",
    "ThreadPoolExecutor": "from concurrent.futures import ThreadPoolExecutor",
}


def _entries(table: str, kinds: Collection[str]) -> dict[str, str]:
    """The rows of `KINDS` that are needed: kind and function."""
    rows = re.findall(r'"(\w+)": (\w+),', table)
    return {kind: made for kind, made in rows if kind in kinds}


def _sorted_imports(lines: Collection[str]) -> str:
    """Import lines in two blocks: the standard library, then what has to be installed."""
    merged: dict[str, list[str]] = {}
    for line in sorted(lines):
        match = re.match(r"from (\S+) import (.+)", line)
        if match:
            merged.setdefault(f"from {match[1]} import ", []).append(match[2])
        else:
            merged[line] = []
    texts = [head + ", ".join(names) for head, names in merged.items()]
    installed = [t for t in texts if t.split()[1] in ("numpy", "polars")]
    standard = [t for t in texts if t not in installed]
    standard.sort(key=lambda text: (text.startswith("from"), text))
    return "\n".join([*standard, "", *installed])
