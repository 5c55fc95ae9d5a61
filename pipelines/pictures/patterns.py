"""The pattern of a query as a drawing: what it looks for, without its text (SVG).

Nodes are circles with their variable and labels, edges arrows with their types. What is optional
or must exist is dashed, what must not exist is dashed and crossed out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape

from graph_ir import nodes as ir
from graph_ir.cypher.reader import parsed
from graph_ir.walk import children, find
from graphmill.errors import GraphmillError
from pipelines.pictures.texts import shown
from schemagraph.layout import placed

COLOURS = {
    "node": "#dff1e6",
    "ring": "#2f7d4f",
    "ink": "#112233",
    "soft": "#44505f",
    "line": "#667085",
    "paper": "#fffffe",
    "no": "#b42318",
}
MOST = 24  # nodes; of more, a drawing shows nothing
_RADIUS = 17
_ACROSS, _DOWN = 150, 96
_LETTER = 6.2


@dataclass(slots=True)
class Spot:
    """A node of the pattern: its names, and how it is asked for (match, optional, exists, not)."""

    var: str
    labels: str
    mode: str


@dataclass(slots=True)
class Arc:
    """An edge of the pattern."""

    source: str
    target: str
    label: str
    directed: bool
    mode: str


@dataclass(slots=True)
class Pattern:
    """All nodes and edges of a query, from all of its stages."""

    spots: dict[str, Spot] = field(default_factory=dict)
    arcs: list[Arc] = field(default_factory=list)

    def add(self, node: ir.Node, mode: str) -> None:
        """What is below a node of the query, each pattern once."""
        if isinstance(node, ir.Match):
            mode = "optional" if node.optional and mode == "match" else mode
        elif isinstance(node, ir.Exists):
            mode = "exists" if mode != "not" else "not"
        elif isinstance(node, ir.Not):
            mode = "not" if any(isinstance(c, ir.Exists) for c in children(node)) else mode
        elif isinstance(node, ir.Path):
            self._path(node, mode)
        for child in children(node):
            self.add(child, mode)

    def _path(self, path: ir.Path, mode: str) -> None:
        at = self._node(path.head, mode)
        for step in path.steps:
            if isinstance(step.edge, ir.Quantified):
                inner = step.edge.path
                types = [
                    _named(s.edge.types) for s in inner.steps if isinstance(s.edge, ir.EdgePattern)
                ]
                label = f"({', '.join(filter(None, types))}){_hops(step.edge.hops)}"
                direction = next(
                    (s.edge.direction for s in inner.steps if isinstance(s.edge, ir.EdgePattern)),
                    ir.Direction.OUT,
                )
            else:
                label = _named(step.edge.types) + _hops(step.edge.hops)
                direction = step.edge.direction
            following = self._node(step.node, mode)
            ends = (following, at) if direction is ir.Direction.IN else (at, following)
            arc = Arc(*ends, label, direction is not ir.Direction.BOTH, mode)
            if arc not in self.arcs:
                self.arcs.append(arc)
            at = following

    def _node(self, node: ir.NodePattern, mode: str) -> str:
        name = node.var or f" {len(self.spots)}"
        labels = _named(node.labels)
        known = self.spots.get(name)
        if known is None:
            self.spots[name] = Spot(node.var or "", labels, mode)
        elif not known.labels:
            known.labels = labels
        return name


def types_of(cypher: str) -> frozenset[str]:
    """The labels and edge types that a Cypher query names; none where it cannot be read."""
    try:
        statement = parsed(cypher)
    except GraphmillError:
        return frozenset()
    return frozenset(name.name for name in find(statement, ir.LabelName))


def _named(labels: ir.LabelExpr | None) -> str:
    match labels:
        case None:
            return ""
        case ir.LabelName():
            return labels.name
        case ir.LabelAnd():
            return "&".join(map(_named, labels.args))
        case ir.LabelOr():
            return "|".join(map(_named, labels.args))
        case ir.LabelNot():
            return f"!{_named(labels.arg)}"
        case _:
            return "%"


def _hops(hops: ir.Hops | None) -> str:
    if hops is None:
        return ""
    if hops.hi is None:
        return f" ×{hops.lo}…"
    return f" ×{hops.lo}" if hops.lo == hops.hi else f" ×{hops.lo}–{hops.hi}"


def drawn(cypher: str) -> str:
    """The pattern of a Cypher query as SVG; empty where it has none, or cannot be read.

    >>> drawn("MATCH (a:City)<-[:IN]-(m:Museum) RETURN a").count("<circle")
    2
    """
    try:
        statement = parsed(cypher)
    except GraphmillError:
        return ""
    pattern = Pattern()
    pattern.add(statement, "match")
    if not pattern.spots or len(pattern.spots) > MOST:
        return ""
    return picture_of(pattern)


def picture_of(pattern: Pattern, kind: str = "Pattern") -> str:
    """Circles and arrows as SVG; `kind` is what it is called where it is not seen."""
    cells = placed(list(pattern.spots), [(a.source, a.target) for a in pattern.arcs])
    rows = 1 + max(y for _, y in cells.values())
    if rows > 1 and len(cells) <= 3:  # a short chain lies in one row
        cells = {name: (n, 0) for n, name in enumerate(_chain(pattern))}
        rows = 1
    places = {name: (70.0 + x * _ACROSS, 34.0 + y * _DOWN) for name, (x, y) in cells.items()}
    width = 140 + _ACROSS * max(x for x, _ in cells.values())
    height = 34 + _DOWN * (rows - 1) + 50
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" class="pattern" width="{width}" '
        f'height="{height}" viewBox="0 0 {width} {height}" font-family="sans-serif" '
        f'font-size="11"><title>{_text(_sentence(pattern, kind))}</title>'
    ]
    seen: dict[frozenset[str], int] = {}
    for arc in pattern.arcs:
        pair = frozenset((arc.source, arc.target))
        lines += _arrow(arc, places[arc.source], places[arc.target], seen.get(pair, 0))
        seen[pair] = seen.get(pair, 0) + 1
    for name, spot in pattern.spots.items():
        lines += _circle(spot, *places[name])
    return "".join([*lines, "</svg>"])


def _chain(pattern: Pattern) -> list[str]:
    """The nodes of a short pattern from one end to the other."""
    degree = dict.fromkeys(pattern.spots, 0)
    for arc in pattern.arcs:
        degree[arc.source] += 1
        degree[arc.target] += 1
    order = sorted(pattern.spots, key=lambda name: degree[name])
    if len(order) == 3:
        order = [order[0], order[2], order[1]]
    return order


def _sentence(pattern: Pattern, kind: str) -> str:
    """The drawing in words, for whoever does not see it."""

    def name(key: str) -> str:
        spot = pattern.spots[key]
        return spot.labels or spot.var or "any node"

    words = {
        "match": "",
        "optional": " (optional)",
        "exists": " (must exist)",
        "not": " (must not exist)",
    }
    arcs = [
        f"{name(a.source)} {'to' if a.directed else 'with'} {name(a.target)} by "
        f"{a.label or 'any edge'}{words[a.mode]}"
        for a in pattern.arcs
    ]
    return f"{kind}: " + ("; ".join(arcs) or ", ".join(name(key) for key in pattern.spots))


def _dash(mode: str) -> str:
    return "" if mode == "match" else ' stroke-dasharray="4 3"'


def _circle(spot: Spot, x: float, y: float) -> list[str]:
    ring = COLOURS["no"] if spot.mode == "not" else COLOURS["ring"]
    var = _short(spot.var, 5) if spot.var else ""
    return [
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{_RADIUS}" fill="{COLOURS["node"]}" '
        f'stroke="{ring}" stroke-width="1.5"{_dash(spot.mode)}/>',
        f'<text x="{x:.1f}" y="{y + 3.5:.1f}" text-anchor="middle" font-size="9.5" '
        f'fill="{COLOURS["soft"]}">{_text(var)}</text>'
        if var
        else "",
        _behind(x, y + _RADIUS + 9, len(_short(spot.labels, 22)) * _LETTER * 1.1)
        + f'<text x="{x:.1f}" y="{y + _RADIUS + 13:.1f}" text-anchor="middle" font-weight="600" '
        f'fill="{COLOURS["ink"]}">{_text(_short(spot.labels, 22))}</text>'
        if spot.labels
        else "",
    ]


def _behind(x: float, y: float, wide: float) -> str:
    """Paper behind a text, so that no line runs through it."""
    return (
        f'<rect x="{x - wide / 2:.1f}" y="{y - 6:.1f}" width="{wide:.1f}" height="12" rx="3" '
        f'fill="{COLOURS["paper"]}" fill-opacity="0.85"/>'
    )


def _arrow(
    arc: Arc, start: tuple[float, float], end: tuple[float, float], number: int
) -> list[str]:
    colour = COLOURS["no"] if arc.mode == "not" else COLOURS["line"]
    (x, y), (u, v) = start, end
    if start == end:
        path = (
            f"M{x - 9:.1f} {y - 15:.1f} C{x - 22:.1f} {y - 44:.1f} "
            f"{x + 22:.1f} {y - 44:.1f} {x + 9:.1f} {y - 15:.1f}"
        )
        head = (x + 9, y - 15, -0.4, 0.9)
        at = (x, y - 26)
    else:
        long = ((u - x) ** 2 + (v - y) ** 2) ** 0.5
        dx, dy = (u - x) / long, (v - y) / long
        bend = (0, 26, -26, 46, -46)[number % 5]
        if (x, y) > (u, v):
            bend = -bend
        middle = ((x + u) / 2 - dy * bend, (y + v) / 2 + dx * bend)
        if dy == 0 and number == 0 and abs(u - x) > _ACROSS:  # over the nodes between
            middle = (middle[0], middle[1] - 40)
        a = _towards((x, y), middle)
        b = _towards((u, v), middle)
        path = f"M{a[0]:.1f} {a[1]:.1f} Q{middle[0]:.1f} {middle[1]:.1f} {b[0]:.1f} {b[1]:.1f}"
        reach = ((b[0] - middle[0]) ** 2 + (b[1] - middle[1]) ** 2) ** 0.5 or 1.0
        head = (b[0], b[1], (b[0] - middle[0]) / reach, (b[1] - middle[1]) / reach)
        at = ((a[0] + b[0]) / 4 + middle[0] / 2, (a[1] + b[1]) / 4 + middle[1] / 2)
    parts = [
        f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.3"{_dash(arc.mode)}/>'
    ]
    if arc.directed:
        hx, hy, dx, dy = head
        corners = (
            (hx, hy),
            (hx - 8 * dx + 3.5 * dy, hy - 8 * dy - 3.5 * dx),
            (hx - 8 * dx - 3.5 * dy, hy - 8 * dy + 3.5 * dx),
        )
        points = " ".join(f"{px:.1f},{py:.1f}" for px, py in corners)
        parts.append(f'<polygon points="{points}" fill="{colour}"/>')
    text = _short(("not " if arc.mode == "not" else "") + arc.label, 20)
    if text:
        wide = len(text) * _LETTER * 0.92
        if abs(u - x) < abs(v - y):  # on the line, not over it
            at = (at[0], at[1] + 12)
        parts.append(
            _behind(at[0], at[1] - 8, wide)
            + f'<text x="{at[0]:.1f}" y="{at[1] - 4.5:.1f}" text-anchor="middle" font-size="9.5" '
            f'fill="{colour if arc.mode == "not" else COLOURS["soft"]}">{_text(text)}</text>'
        )
    return parts


def _towards(start: tuple[float, float], end: tuple[float, float]) -> tuple[float, float]:
    """The point on the rim of the circle around `start` that faces `end`."""
    long = ((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2) ** 0.5 or 1.0
    return (
        start[0] + (end[0] - start[0]) / long * (_RADIUS + 1.5),
        start[1] + (end[1] - start[1]) / long * (_RADIUS + 1.5),
    )


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _text(text: str) -> str:
    return escape(shown(text))
