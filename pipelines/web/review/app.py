"""The pages of `graphmill review`: one pair after the other, blind to others and to its level."""

from __future__ import annotations

import time
from collections.abc import Sequence

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from pipelines.pictures.patterns import drawn
from pipelines.review.sample import Item
from pipelines.review.store import FLAGS, Rating, Store
from pipelines.web.site import Door, Pages, form, site

LEVELS = ("business", "logical", "syntactic")
_MOST_SECONDS = 1_800.0  # of one item; longer is a pause
_SCALE = (
    "another question",
    "mostly wrong",
    "partly right",
    "right, with a doubt",
    "exactly right",
)


class Review:
    """The pages over one store; a visitor's name is the expert's."""

    def __init__(self, store: Store, items: Sequence[Item]) -> None:
        self._store = store
        self._items = items
        self._shown: dict[tuple[str, int], float] = {}
        self._pages = Pages()

    def app(self, door: Door) -> ASGIApp:
        """The application behind `door`."""
        routes = [
            Route("/", self.item),
            Route("/rate/{number:int}", self.rate, methods=["POST"]),
            Route("/undo/", self.undo, methods=["POST"]),
        ]
        return site(routes, door, self._pages, posts=["/rate/", "/undo/"])

    def item(self, request: Request) -> Response:
        """The expert's next pair."""
        expert = request.state.visitor
        rated = self._store.rated(expert)
        order = self._store.order(expert, len(self._items))
        number = next((n for n in order if n not in rated), None)
        if number is not None:
            self._shown.setdefault((expert, number), time.monotonic())
        item = None if number is None else self._items[number]
        return self._pages.page(
            "review.html",
            item=item,
            number=number,
            svg=drawn(item.query) if item else None,
            done=len(rated),
            size=len(self._items),
            levels=LEVELS,
            flags=FLAGS,
            scale=_SCALE,
            form_key=request.state.form_key,
        )

    async def rate(self, request: Request) -> Response:
        """Keep a rating and go on."""
        number, expert = request.path_params["number"], request.state.visitor
        fields = await form(request)
        alignment, level = fields.get("alignment", ""), fields.get("level", "")
        if number >= len(self._items) or alignment not in ("1", "2", "3", "4", "5"):
            raise HTTPException(400, "A rating is a number from 1 to 5, of an item that is there.")
        if level not in ("", *LEVELS):
            raise HTTPException(400, "There is no such level.")
        since = self._shown.pop((expert, number), None)
        seconds = 0.0 if since is None else min(time.monotonic() - since, _MOST_SECONDS)
        flags = tuple(flag for flag in FLAGS if f"flag-{flag}" in fields)
        note = fields.get("note", "").strip()
        rating = Rating(expert, number, int(alignment), level, flags, note, seconds)
        await run_in_threadpool(self._store.rate, rating)
        return RedirectResponse("/", 303)

    async def undo(self, request: Request) -> Response:
        """Take the last rating back: its pair is shown again in its turn."""
        await run_in_threadpool(self._store.undo, request.state.visitor)
        return RedirectResponse("/", 303)
