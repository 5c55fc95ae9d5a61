"""A schema as a small picture: node types on a circle, edge types as arrows between them (SVG).

The text is whole by itself: no script, no style sheet, no address; names are escaped.
"""

from __future__ import annotations

from html import escape
from math import cos, hypot, pi, sin

from schemagraph.model import EdgeType, NodeType, SchemaGraph

MOST = 60  # node types; of more, a picture shows nothing
_LETTER = 7.2  # pixels, of the 12-pixel font
_HEIGHT = 28
_LONGEST = 28  # letters of a name
_LOOP = 26  # pixels from a box to the end of an edge type that leads back to it
_APART = 22  # pixels between two edge types of one pair


def as_svg(schema: SchemaGraph) -> str:
    """The picture as SVG text; pointing at a type shows its properties.

    Of a schema with more than `MOST` node types the first ones are drawn, and the rest counted.
    """
    nodes = schema.nodes[:MOST]
    radius = 0.0 if len(nodes) == 1 else max(90.0, len(nodes) * 24.0)
    width, height = 2 * radius + 320, 2 * radius + 120
    places: dict[str, tuple[float, float]] = {}
    for number, node in enumerate(nodes):
        turn = 2 * pi * number / len(nodes) - pi / 2
        places[node.name] = (width / 2 + radius * cos(turn), height / 2 + radius * sin(turn))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="sans-serif" font-size="12">',
        f"<title>{_text(schema.name)}</title>",
        '<defs><marker id="graphmill-arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" '
        'markerHeight="8" orient="auto-start-reverse"><path d="M0 0 L8 4 L0 8 z" fill="#667"/>'
        "</marker></defs>",
    ]
    drawn = [edge for edge in schema.edges if edge.source in places and edge.target in places]
    lines += [_edge(edge, places, drawn) for edge in drawn]
    lines += [_node(node, *places[node.name]) for node in nodes]
    if len(schema.nodes) > len(nodes):
        rest = f"and {len(schema.nodes) - len(nodes)} more node types"
        lines.append(f'<text x="8" y="{height - 8:.0f}" fill="#667">{rest}</text>')
    return "\n".join([*lines, "</svg>"])


def _node(node: NodeType, x: float, y: float) -> str:
    wide = _width(node.name)
    return (
        f"<g><title>{_text(_described(node))}</title>"
        f'<rect x="{x - wide / 2:.1f}" y="{y - _HEIGHT / 2:.1f}" width="{wide:.1f}" '
        f'height="{_HEIGHT}" rx="8" fill="#eaf1fb" stroke="#4a6fa5"/>'
        f'<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle" fill="#123">'
        f"{_text(_short(node.name))}</text></g>"
    )


def _edge(edge: EdgeType, places: dict[str, tuple[float, float]], all_: list[EdgeType]) -> str:
    (x, y), (u, v) = places[edge.source], places[edge.target]
    pair = {edge.source, edge.target}
    among = [other for other in all_ if {other.source, other.target} == pair]
    number = among.index(edge)
    if edge.source == edge.target:
        side = _width(edge.source) / 2 + _LOOP + number * _APART
        top, low = y - _HEIGHT / 4, y + _HEIGHT / 4
        edge_x = x + _width(edge.source) / 2
        path = f"M{edge_x:.1f} {top:.1f} C{x + side:.1f} {top - 24:.1f} "
        path += f"{x + side:.1f} {low + 24:.1f} {edge_x:.1f} {low:.1f}"
        at = (x + side, y + 4)
    else:
        # bent aside by its number; one end is always named first, so that two ways do not meet
        first, last = sorted((edge.source, edge.target))
        (a, b), (c, d) = places[first], places[last]
        long = hypot(c - a, d - b)
        bend = (number - (len(among) - 1) / 2) * 2 * _APART
        middle = ((x + u) / 2 - (d - b) / long * bend, (y + v) / 2 + (c - a) / long * bend)
        begin = _border(edge.source, (x, y), middle)
        end = _border(edge.target, (u, v), middle)
        path = f"M{begin[0]:.1f} {begin[1]:.1f} Q{middle[0]:.1f} {middle[1]:.1f} "
        path += f"{end[0]:.1f} {end[1]:.1f}"
        at = ((x + u) / 4 + middle[0] / 2, (y + v) / 4 + middle[1] / 2)
    return (
        f"<g><title>{_text(_described(edge))}</title>"
        f'<path d="{path}" fill="none" stroke="#667" marker-end="url(#graphmill-arrow)"/>'
        f'<text x="{at[0]:.1f}" y="{at[1]:.1f}" text-anchor="middle" font-size="10" fill="#445" '
        f'stroke="#fff" stroke-width="3" paint-order="stroke">{_text(_short(edge.label))}</text>'
        "</g>"
    )


def _border(
    name: str, centre: tuple[float, float], towards: tuple[float, float]
) -> tuple[float, float]:
    """Where a line from the centre of a box leaves it."""
    across, down = towards[0] - centre[0], towards[1] - centre[1]
    share = max(abs(across) / (_width(name) / 2), abs(down) / (_HEIGHT / 2), 1e-9)
    return centre[0] + across / share, centre[1] + down / share


def _described(kind: NodeType | EdgeType) -> str:
    return "\n".join([kind.name, *(f"{each.name}: {each.type}" for each in kind.properties)])


def _width(name: str) -> float:
    return len(_short(name)) * _LETTER + 20


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"


def _text(text: str) -> str:
    """Escaped, and without the control characters that XML has no place for."""
    plain = "".join(
        letter if letter.isprintable() or letter == "\n" else "\N{REPLACEMENT CHARACTER}"
        for letter in text
    )
    return escape(plain)
