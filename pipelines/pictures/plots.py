"""Plots as SVG without a browser: Vega-Lite specifications, drawn by vl-convert.

Colours are those of the light page; a page maps them to its own (`COLOURS`), so that a plot
follows dark mode and is right by itself. The same figures give the same text: identifiers are
numbered anew in each picture.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from pipelines.pictures.drawing import drawn
from pipelines.pictures.texts import shown

WIDTH = 330  # pixels of a plot; it fits a telephone
COLOURS = {
    "ink": "#1d2733",
    "soft": "#566374",
    "grid": "#dfe4ea",
    "one": "#2f6f9f",
    "two": "#c8741a",
    "three": "#2f7d4f",
    "four": "#7a4fa3",
    "rest": "#b9c4cf",
    "heat0": "#f3f6f9",
    "heat1": "#d3e3ef",
    "heat2": "#a5c8de",
    "heat3": "#6fa6c7",
    "heat4": "#2f6f9d",
    "heat5": "#174a70",
    "on_low": "#1d2734",
    "on_high": "#fdfdfe",
}
_HEAT = [COLOURS[f"heat{n}"] for n in range(6)]
_ACCESSIBLE = re.compile(r' (?:aria-[a-z]+|role|class|pointer-events)="[^"]*"')
_EMPTY = re.compile(r'<path (?:d="(?:M0,0h0v0h0Z)?"|display="none"| )*/>')
_NUMBER = re.compile(r"-?\d+\.\d{3,}")
_ID = re.compile(r"\b((?:clip|gradient|pattern)_?)(\d+)\b")

type Rows = Sequence[Mapping[str, Any]]


def bars(
    rows: Rows, *, label: str, value: str, title: str, colour: str = "one", mark: str = ""
) -> str:
    """One bar a row, from the top down in the given order; `mark` is a field that names, instead
    of the value, what is written at the end of a bar."""
    longest = max((len(str(row[mark])) for row in rows), default=0) if mark else 6
    room = max((row[value] for row in rows), default=1) * (1 + 0.045 * longest)  # for the text
    base = {
        "y": {"field": label, "type": "nominal", "sort": None, "title": None},
        "x": {
            "field": value,
            "type": "quantitative",
            "axis": None,
            "scale": {"domain": [0, room], "nice": False},
        },
    }
    written = {"field": mark or value, "type": "nominal" if mark else "quantitative"}
    if not mark:
        written["format"] = ",d"
    return _svg(
        {
            "height": {"step": 21},
            "data": {"values": [dict(row) for row in rows]},
            "layer": [
                {
                    "mark": {"type": "bar", "color": COLOURS[colour], "cornerRadiusEnd": 2},
                    "encoding": base,
                },
                {
                    "mark": {
                        "type": "text",
                        "align": "left",
                        "dx": 4,
                        "color": COLOURS["ink"],
                        "fontSize": 11,
                    },
                    "encoding": {**base, "text": written},
                },
            ],
        },
        title,
    )


def grouped(
    rows: Rows, *, label: str, value: str, series: str, names: Sequence[str], title: str
) -> str:
    """Bars side by side: one for each of `names` (at most four) at each label."""
    colours = [COLOURS[key] for key in ("rest", "one", "two", "three")][: len(names)]
    if len(names) > 2:
        colours = [COLOURS[key] for key in ("one", "two", "three", "four")][: len(names)]
    return _svg(
        {
            "height": {"step": 13},
            "data": {"values": [dict(row) for row in rows]},
            "mark": {"type": "bar", "cornerRadiusEnd": 2},
            "encoding": {
                "y": {"field": label, "type": "nominal", "sort": None, "title": None},
                "yOffset": {"field": series, "sort": list(names)},
                "x": {
                    "field": value,
                    "type": "quantitative",
                    "title": None,
                    "axis": {"tickCount": 4},
                },
                "color": {
                    "field": series,
                    "type": "nominal",
                    "scale": {"domain": list(names), "range": colours},
                    "legend": {"title": None, "orient": "top", "symbolType": "square"},
                },
            },
        },
        title,
    )


def histogram(rows: Rows, *, label: str, value: str, title: str, colour: str = "one") -> str:
    """Upright bars over bins that have their names, in the given order."""
    return _svg(
        {
            "height": 130,
            "width": WIDTH - 70,
            "data": {"values": [dict(row) for row in rows]},
            "mark": {"type": "bar", "color": COLOURS[colour], "cornerRadiusEnd": 2},
            "encoding": {
                "x": {
                    "field": label,
                    "type": "ordinal",
                    "sort": None,
                    "title": None,
                    "axis": {"labelAngle": 0, "labelOverlap": True},
                },
                "y": {
                    "field": value,
                    "type": "quantitative",
                    "title": None,
                    "axis": {"tickCount": 4, "tickMinStep": 1},
                },
            },
        },
        title,
    )


def lines(
    rows: Rows, *, x: str, y: str, series: str, names: Sequence[str], axis: str, title: str
) -> str:
    """One line for each of `names` (at most five)."""
    colours = [COLOURS[key] for key in ("rest", "four", "one", "two", "three")][-len(names) :]
    return _svg(
        {
            "height": 150,
            "width": WIDTH - 70,
            "data": {"values": [dict(row) for row in rows]},
            "mark": {"type": "line", "strokeWidth": 2.2, "interpolate": "monotone"},
            "encoding": {
                "x": {"field": x, "type": "quantitative", "title": axis, "axis": {"tickCount": 6}},
                "y": {
                    "field": y,
                    "type": "quantitative",
                    "title": None,
                    "axis": {"tickCount": 4, "format": "%"},
                },
                "color": {
                    "field": series,
                    "type": "nominal",
                    "scale": {"domain": list(names), "range": colours},
                    "legend": {"title": None, "orient": "top", "symbolType": "stroke"},
                },
            },
        },
        title,
    )


def heat(
    rows: Rows, *, row: str, column: str, value: str, columns: Sequence[str], title: str
) -> str:
    """A table of shares (0 to 1) as colours, with the per cent in each field."""
    steps = [0.0005, 0.1, 0.25, 0.5, 0.75]
    base = {
        "y": {"field": row, "type": "nominal", "sort": None, "title": None},
        "x": {
            "field": column,
            "type": "nominal",
            "sort": list(columns),
            "title": None,
            "axis": {"orient": "top", "labelAngle": 0, "domain": False},
        },
    }
    return _svg(
        {
            "height": {"step": 19},
            "data": {"values": [dict(each) for each in rows]},
            "layer": [
                {
                    "mark": {"type": "rect", "stroke": COLOURS["heat0"], "strokeWidth": 1},
                    "encoding": {
                        **base,
                        "color": {
                            "field": value,
                            "type": "quantitative",
                            "scale": {"type": "threshold", "domain": steps, "range": _HEAT},
                            "legend": {
                                "title": None,
                                "orient": "bottom",
                                "direction": "horizontal",
                                "type": "symbol",
                                "symbolType": "square",
                                "format": ".0%",
                            },
                        },
                    },
                },
                {
                    "transform": [{"filter": f"datum.{value} > 0"}],
                    "mark": {"type": "text", "fontSize": 10},
                    "encoding": {
                        **base,
                        "text": {"field": value, "type": "quantitative", "format": ".0%"},
                        "color": {
                            "condition": {
                                "test": f"datum.{value} >= 0.5",
                                "value": COLOURS["on_high"],
                            },
                            "value": COLOURS["on_low"],
                        },
                    },
                },
            ],
        },
        title,
    )


def _svg(spec: dict[str, Any], title: str) -> str:
    """The picture of a specification: our colours, our numbering, words for whoever is told it."""
    whole = {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "background": None,
        "width": WIDTH - 130,
        "padding": {"left": 16, "right": 10, "top": 2, "bottom": 2},
        "autosize": {"type": "pad"},
        "config": {
            "font": "sans-serif",
            "view": {"stroke": None},
            "axis": {
                "labelColor": COLOURS["soft"],
                "titleColor": COLOURS["soft"],
                "titleFontWeight": "normal",
                "gridColor": COLOURS["grid"],
                "domainColor": COLOURS["grid"],
                "tickColor": COLOURS["grid"],
                "labelFontSize": 11,
                "labelLimit": 170,
            },
            "axisY": {"ticks": False},
            "legend": {"labelColor": COLOURS["ink"], "labelFontSize": 11, "symbolStrokeWidth": 3},
        },
        **_shown(spec),
    }
    text = drawn(whole)
    text = _ACCESSIBLE.sub("", text)
    text = _EMPTY.sub("", text)
    text = _NUMBER.sub(lambda number: f"{float(number[0]):.2f}".rstrip("0").rstrip("."), text)
    return _renumbered(text).replace(
        "<svg ", f'<svg class="plot" role="img" aria-label="{escape(title)}" ', 1
    )


def _shown(value: Any) -> Any:
    """Texts of data without what a page must not show."""
    if isinstance(value, str):
        return shown(value, 80)
    if isinstance(value, dict):
        return {key: _shown(each) for key, each in value.items()}
    return [_shown(each) for each in value] if isinstance(value, list) else value


def _renumbered(text: str) -> str:
    """Identifiers as they come: the library counts over all pictures of a process."""
    known: dict[str, str] = {}
    return _ID.sub(lambda c: known.setdefault(c[0], f"{c[1]}{len(known)}"), text)
