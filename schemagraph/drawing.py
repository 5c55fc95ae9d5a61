"""A schema as a picture: node types as boxes on a grid, edge types as arrows between them (SVG).

The text is whole by itself: no script, no style sheet, no address; names are escaped. A page that
shows it maps its colours (`COLOURS`) to its own, for dark mode.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from html import escape
from math import hypot
from unicodedata import east_asian_width

from schemagraph.layout import overlaps, placed
from schemagraph.model import EdgeType, NodeType, SchemaGraph

type Point = tuple[float, float]
type Box = tuple[float, float, float, float]

MOST = 60  # node types; of more, a picture shows nothing
COLOURS = {
    "line": "#667085",
    "fill": "#eaf1fb",
    "edge": "#4a6fa5",
    "ink": "#112233",
    "soft": "#44505f",
    "paper": "#fffffe",
}
_LETTER = 7.4  # pixels, of the 12-pixel font
_SMALL = 6.3  # pixels, of the 10-pixel font
_LONGEST = 28  # letters of a name
_LOOP = 34  # pixels from a box to the end of an edge type that leads back to it
_APART = 26  # pixels between two edge types of one pair
_AGAIN = 2  # times that labels are placed anew
_LINE = 12  # pixels from one line of a label to the next
_PAGE = 1240  # pixels that a page has for the picture; wider ones need a scroll bar
_FEWEST = 4  # columns that a picture has, though it be wider than the page
_FEW = 30  # node types up to which so few columns hide no line behind boxes
_AIR = 4  # pixels between a label and the next
_CROSSED = 60.0  # what a point of another line below a label costs, in hidden square pixels
_POINTS = 20  # of a line that are looked at


def as_svg(
    schema: SchemaGraph,
    counts: Mapping[str, int] | None = None,
    marked: Collection[str] | None = None,
) -> str:
    """The picture as SVG text; pointing at a type shows its properties.

    `counts` has the nodes and edges of each type by its name. With `marked`, labels and edge types
    that are not among them are pale. Of a schema with more than `MOST`
    node types the first ones are drawn, and the rest counted.
    """
    counts = counts or {}
    nodes = schema.nodes[:MOST]
    names = {node.name for node in nodes}
    drawn = [edge for edge in schema.edges if edge.source in names and edge.target in names]
    bundles = _bundles(drawn)
    high = 40 if counts else 28
    widest = max(_width(node.name) for node in nodes)
    label = max((_wide(edge, counts) for edge in drawn), default=0.0)
    across, down = widest + min(max(label, 60.0), 150.0) + 12, high + 72.0
    fit = max(_FEWEST, int((_PAGE - 48 - widest) / across) + 1)
    columns = fit if len(nodes) <= _FEW else len(nodes)
    cells = placed([node.name for node in nodes], [(e.source, e.target) for e in drawn], columns)
    places = {
        name: (24 + widest / 2 + x * across, 40 + high / 2 + y * down)
        for name, (x, y) in cells.items()
    }
    boxes = {name: _box(name, place, high) for name, place in places.items()}
    edges, extents = _edges(bundles, boxes, counts, marked)
    left, top, right, bottom = _around_all([*boxes.values(), *extents])
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{right - left:.0f}" '
        f'height="{bottom - top:.0f}" viewBox="{left:.0f} {top:.0f} {right - left:.0f} '
        f'{bottom - top:.0f}" font-family="sans-serif" font-size="12">',
        f"<title>{_text(schema.name)}</title>",
        '<defs><marker id="graphmill-arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" '
        f'markerHeight="7" orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="{COLOURS["line"]}"/>'
        "</marker></defs>",
    ]
    lines += edges
    lines += [_node(node, boxes[node.name], counts, _pale(node.labels, marked)) for node in nodes]
    if len(schema.nodes) > len(nodes):
        rest = f"and {len(schema.nodes) - len(nodes)} more node types"
        place = f'x="{left + 8:.0f}" y="{bottom - 8:.0f}"'
        lines.append(f'<text {place} fill="{COLOURS["soft"]}">{rest}</text>')
    return "\n".join([*lines, "</svg>"])


def _around_all(boxes: list[Box]) -> Box:
    """What holds all boxes and some room round them."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts) - 16, min(tops) - 16, max(rights) + 16, max(bottoms) + 24


def _bundles(edges: list[EdgeType]) -> list[list[EdgeType]]:
    """Edge types from one node type to another, which share an arrow."""
    bundles: dict[tuple[str, str], list[EdgeType]] = {}
    for edge in edges:
        bundles.setdefault((edge.source, edge.target), []).append(edge)
    return list(bundles.values())


def _box(name: str, place: Point, high: float) -> Box:
    wide = _width(name)
    return (place[0] - wide / 2, place[1] - high / 2, place[0] + wide / 2, place[1] + high / 2)


def _pale(names: Collection[str], marked: Collection[str] | None) -> str:
    """The attribute of what is not marked, where something is."""
    return "" if marked is None or set(names) & set(marked) else ' opacity="0.28"'


def _node(node: NodeType, box: Box, counts: Mapping[str, int], pale: str) -> str:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    top = y - 2 if counts else y + 4
    count = (
        f'<text x="{x:.1f}" y="{y + 13:.1f}" text-anchor="middle" font-size="10" '
        f'fill="{COLOURS["soft"]}">{counts.get(node.name, 0):,}</text>'
        if counts
        else ""
    )
    return (
        f"<g{pale}><title>{_text(_described(node))}</title>"
        f'<rect x="{box[0]:.1f}" y="{box[1]:.1f}" width="{box[2] - box[0]:.1f}" '
        f'height="{box[3] - box[1]:.1f}" rx="8" fill="{COLOURS["fill"]}" '
        f'stroke="{COLOURS["edge"]}"/>'
        f'<text x="{x:.1f}" y="{top:.1f}" text-anchor="middle" font-weight="600" '
        f'fill="{COLOURS["ink"]}">{_text(_short(node.name))}</text>{count}</g>'
    )


def _edges(
    bundles: list[list[EdgeType]],
    boxes: Mapping[str, Box],
    counts: Mapping[str, int],
    marked: Collection[str] | None,
) -> tuple[list[str], list[Box]]:
    """The arrows, and then their labels, each where it hides least; and how far they reach."""
    pairs = {(bundle[0].source, bundle[0].target) for bundle in bundles}
    paths, spots, sizes, points = [], [], [], []
    for bundle in bundles:
        source, target = bundle[0].source, bundle[0].target
        if source == target:
            path, free, run = _loop(boxes[source])
        else:
            both_ways = (target, source) in pairs
            path, free, run = _curve(boxes[source], boxes[target], _APART if both_ways else 0)
        paths.append(path)
        spots.append(free)
        points.append(run)
        widest = max(_wide(edge, counts) for edge in bundle)
        sizes.append((widest, float(len(bundle) * _LINE)))
    crossed = _crossed(spots, sizes, points)
    centres = _labels_apart(spots, sizes, list(boxes.values()), crossed)
    arrows, labels = [], []
    drawn = zip(bundles, paths, sizes, centres, strict=True)
    for bundle, path, (wide, high), (x, y) in drawn:
        texts = [_labelled(edge, counts) for edge in bundle]
        title = _text("\n\n".join(map(_described, bundle)))
        pale = _pale([edge.label for edge in bundle], marked)
        arrows.append(
            f"<g{pale}><title>{title}</title>"
            f'<path d="{path}" fill="none" stroke="{COLOURS["line"]}" stroke-width="1.2" '
            'marker-end="url(#graphmill-arrow)"/></g>'
        )
        first = y - (len(texts) - 1) * _LINE / 2 + 3.5
        labels.append(
            f'<rect x="{x - wide / 2:.1f}" y="{y - high / 2:.1f}" width="{wide:.1f}" '
            f'height="{high}" rx="3" fill="{COLOURS["paper"]}" fill-opacity="0.9"{pale}/>'
        )
        labels += [
            f'<text x="{x:.1f}" y="{first + n * _LINE:.1f}" text-anchor="middle" font-size="10" '
            f'fill="{COLOURS["soft"]}"{pale}>{_text(text)}</text>'
            for n, text in enumerate(texts)
        ]
    reach = [_around(centre, size) for centre, size in zip(centres, sizes, strict=True)]
    reach += [(x, y, x, y) for run in points for x, y in run]
    return [*arrows, *labels], reach


def _crossed(
    spots: list[list[Point]], sizes: list[tuple[float, float]], points: list[list[Point]]
) -> list[list[float]]:
    """For each label and place, what it costs to lie on the lines of others."""
    costs = []
    for number, ((wide, high), free) in enumerate(zip(sizes, spots, strict=True)):
        rectangles = [_around(place, (wide, high)) for place in free]
        left, top, right, bottom = _around_all(rectangles)
        near = [
            (x, y)
            for other, run in enumerate(points)
            if other != number
            for x, y in run
            if left < x < right and top < y < bottom
        ]
        costs.append(
            [sum(a < x < c and b < y < d for x, y in near) * _CROSSED for a, b, c, d in rectangles]
        )
    return costs


def _labels_apart(
    spots: list[list[Point]],
    sizes: list[tuple[float, float]],
    boxes: list[Box],
    crossed: list[list[float]],
) -> list[Point]:
    """Where each label hides least of boxes, other labels and lines: first as far as those before
    it are known, then twice again with all others in place."""
    centres: dict[int, Point] = {}
    for _ in range(1 + _AGAIN):
        for number, ((wide, high), free) in enumerate(zip(sizes, spots, strict=True)):
            others = [
                _around(place, sizes[other]) for other, place in centres.items() if other != number
            ]
            tried = [
                (
                    overlaps(_around(place, (wide + _AIR, high)), [*boxes, *others])
                    + crossed[number][n],
                    n,
                    place,
                )
                for n, place in enumerate(free)
            ]
            centres[number] = min(tried)[2]
    return [centres[number] for number in range(len(spots))]


def _around(centre: Point, size: tuple[float, float]) -> Box:
    (x, y), (wide, high) = centre, size
    return (x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)


def _loop(box: Box) -> tuple[str, list[Point], list[Point]]:
    """An edge from a box back to it, over its right upper corner; see `_curve`."""
    x, y = box[2], box[1]
    path = (
        f"M{x - 16:.1f} {y:.1f} C{x - 16:.1f} {y - _LOOP:.1f} "
        f"{x + _LOOP:.1f} {y - 2:.1f} {x:.1f} {y + 12:.1f}"
    )
    tops = [(x + 8, y - 24), (x + 26, y - 20), (x - 30, y - 26), (x + 30, y + 24)]
    free = [*tops, (x + 62, y - 10), (x + 62, y + 4), (x - 10, y - 36)]
    return path, free, [(x - 12, y - 16), (x, y - 22), (x + 12, y - 12), (x + 10, y)]


def _curve(start: Box, end: Box, bend: float) -> tuple[str, list[Point], list[Point]]:
    """A line from box to box, bent to its left by `bend`, the places for a label on it, and points
    of it."""
    a = ((start[0] + start[2]) / 2, (start[1] + start[3]) / 2)
    b = ((end[0] + end[2]) / 2, (end[1] + end[3]) / 2)
    long = hypot(b[0] - a[0], b[1] - a[1]) or 1.0
    middle = (
        (a[0] + b[0]) / 2 - (b[1] - a[1]) / long * bend,
        (a[1] + b[1]) / 2 + (b[0] - a[0]) / long * bend,
    )
    begin, stop = _border(start, a, middle), _border(end, b, middle)
    path = (
        f"M{begin[0]:.1f} {begin[1]:.1f} Q{middle[0]:.1f} {middle[1]:.1f} "
        f"{stop[0]:.1f} {stop[1]:.1f}"
    )

    def at(t: float) -> Point:
        u, v, w = (1 - t) ** 2, 2 * t * (1 - t), t * t
        return (
            u * begin[0] + v * middle[0] + w * stop[0],
            u * begin[1] + v * middle[1] + w * stop[1],
        )

    spots = [at(t) for t in (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82)]
    return path, spots, [at(n / _POINTS) for n in range(_POINTS + 1)]


def _border(box: Box, centre: Point, towards: Point) -> Point:
    """Where a line from the centre of a box leaves it."""
    across, down = towards[0] - centre[0], towards[1] - centre[1]
    share = max(abs(across) / (box[2] - box[0]), abs(down) / (box[3] - box[1]), 1e-9) * 2
    return centre[0] + across / share, centre[1] + down / share


def _labelled(edge: EdgeType, counts: Mapping[str, int]) -> str:
    return _short(edge.label) + (f" {counts.get(edge.name, 0):,}" if counts else "")


def _wide(edge: EdgeType, counts: Mapping[str, int]) -> float:
    return _letters(_labelled(edge, counts)) * _SMALL


def _described(kind: NodeType | EdgeType) -> str:
    return "\n".join([kind.name, *(f"{each.name}: {each.type}" for each in kind.properties)])


def _width(name: str) -> float:
    return _letters(_short(name)) * _LETTER + 22


def _letters(text: str) -> float:
    """How many letters long a text is; those of East Asia and emojis are wider than others."""
    return sum(1.7 if east_asian_width(letter) in "WF" else 1 for letter in text)


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"


def _text(text: str) -> str:
    """Escaped, and without the control characters that XML has no place for."""
    plain = "".join(
        letter if letter.isprintable() or letter == "\n" else "\N{REPLACEMENT CHARACTER}"
        for letter in text
    )
    return escape(plain)
