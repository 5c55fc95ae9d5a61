"""The page of a run: texts of predictions and corpora are shown, and nothing of them is markup."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest

from evaluation.tables import markdown
from pipelines.evaluate.page import page

TAGS = {"html", "head", "meta", "title", "style", "body", "main", "h1", "h2", "p", "section"}
TAGS |= {"div", "table", "thead", "tbody", "tr", "th", "td", "footer"}
HOSTILE = [
    "<script>hit()</script>",
    "</title></style><img src=x onerror=hit()>",
    "\u202egnitset\u202c",
    "a | b \\| c `d`",
    "two\nlines",
]


def figures(text: str) -> dict[str, Any]:
    left_out = [{"language": text, "records": 3, "why": text}]
    return {
        "corpus": text,
        "split": "test",
        "static": True,
        "languages": {},
        "left_out": left_out,
    }


class _Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_is_markup(text: str) -> None:
    html = page(figures(text))
    assert _Tags(html).tags <= TAGS
    assert "\u202e" not in html
    assert '<td class="num">3</td>' in html


@pytest.mark.parametrize("text", HOSTILE)
def test_a_row_of_the_markdown_has_its_cells(text: str) -> None:
    row = next(line for line in markdown(figures(text)).splitlines() if "| 3 |" in line)
    assert len(re.findall(r"(?<!\\)(?:\\\\)*\|", row)) == 4
    assert "<" not in row
