"""The templates of pages (Jinja2): every text is escaped, and an unknown name is an error."""

from __future__ import annotations

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from itertools import count as counter
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from pipelines.pages.reasons import meaning
from pipelines.pictures import patterns, plots, texts
from pipelines.pictures.highlight import highlighted
from schemagraph import drawing

FOLDER = Path(__file__).resolve().parent / "html"
_NAMED = re.compile(r'(\bid="|\burl\(#|\bhref="#)([\w-]+)')


def environment() -> Environment:
    """An environment with our filters: `shown`, `cell`, `percent`, `amount`, `code`, …"""
    made = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_finalized,
    )
    made.filters.update(
        shown=texts.shown,
        cell=texts.cell,
        percent=texts.percent,
        amount=texts.amount,
        listed=texts.listed,
        code=highlighted,
        language=texts.language,
        engine=texts.engine,
        tier=lambda name: texts.TIERS.get(name, name or "not graded"),
        meaning=meaning,
        level=lambda name: texts.LEVELS.get(name, name),
    )
    made.globals.update(count=texts.count)
    return made


def _finalized(value: object) -> object:
    """No text reaches a page with characters that hide or turn others, whatever its filters."""
    is_text = isinstance(value, str) and not hasattr(value, "__html__")
    return texts.shown(value) if is_text else value


class Pictures:
    """Puts pictures into one page: each gets identifiers of its own there."""

    def __init__(self) -> None:
        self._number = counter(1)

    def __call__(self, svg: str) -> Markup:
        """A picture that we drew (its texts are escaped already) as it goes into the page."""
        prefix = f"f{next(self._number)}-"
        return Markup(_NAMED.sub(lambda c: f"{c[1]}{prefix}{c[2]}", svg))  # noqa: S704 - ours


@cache
def style() -> str:
    """The one style sheet; the colours of pictures follow the page's variables."""
    text = (FOLDER / "style.css").read_text(encoding="utf-8")
    rules = [
        f'svg [{what}="{colour}"]{{{what}:var(--{prefix}{name})}}'
        for prefix, colours in (
            ("plot-", plots.COLOURS),
            ("schema-", drawing.COLOURS),
            ("pattern-", patterns.COLOURS),
        )
        for name, colour in colours.items()
        for what in ("fill", "stroke")
    ]
    return text + "\n".join(rules) + "\n"


@cache
def style_hash() -> str:
    """The style sheet's hash as a Content-Security-Policy names it."""
    return "sha256-" + b64encode(sha256(style().encode()).digest()).decode()
