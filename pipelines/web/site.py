"""A site of this machine: pages from templates, one style sheet, guarded; and its server.

`site` makes the application and `serve` runs it until it is interrupted. A page is a function of
a request that returns `Pages.page(…)`; what takes long runs in a thread (`def`, not `async def`).
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, ExitStack
from functools import cache
from typing import Any
from urllib.parse import parse_qsl

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from graphmill.errors import ConfigError, GraphmillError, shortened
from graphmill.messages import write_message
from pipelines.pages.templates import FOLDER, Pictures, environment, style
from pipelines.pictures.texts import shown
from pipelines.web.guard import MOST_BODY, Door, Guard, Load, is_loopback, new_token

type Lifespan = Callable[[Starlette], AbstractAsyncContextManager[None]]


class Pages:
    """Makes pages of the templates in `pipelines/pages/html`; `shared` is known to all of them."""

    def __init__(self, **shared: Any) -> None:
        self._environment = environment()
        self._environment.globals.update(shared)

    def compile(self, *names: str) -> None:
        """Read templates now, so that the first visitor does not wait for it."""
        for name in names:
            self._environment.get_template(name)

    def page(self, name: str, status: int = 200, **context: Any) -> Response:
        """The page that the template `name` makes; `picture` puts pictures into it."""
        text = self._environment.get_template(name).render(picture=Pictures(), **context)
        return HTMLResponse(text, status)


def site(
    routes: Sequence[BaseRoute],
    door: Door,
    pages: Pages,
    posts: Sequence[str] = (),
    lifespan: Lifespan | None = None,
) -> ASGIApp:
    """An application of `routes` behind `door`; only paths that begin as one of `posts` take POST.

    Errors are pages (`message.html`): what the user did wrong with its sentence, anything else
    without a word of the inside.
    """

    async def refused(request: Request, problem: Exception) -> Response:
        status = problem.status_code if isinstance(problem, HTTPException) else 400
        title = {404: "There is nothing here"}.get(status, "This did not work")
        text = problem.detail if isinstance(problem, HTTPException) else str(problem)
        return pages.page("message.html", status, title=title, text=shown(text, 1_000))

    async def broken(request: Request, problem: Exception) -> Response:
        text = "graphmill has a defect here; what happened is in the terminal."
        return pages.page("message.html", 500, title="This did not work", text=text)

    app = Starlette(
        routes=[
            *routes,
            Route("/style.css", _style),
            Route("/site.js", _script),
            Route("/favicon.ico", _nothing),
        ],
        exception_handlers={HTTPException: refused, GraphmillError: refused, 500: broken},
        lifespan=lifespan,
    )
    return Guard(Load(app), door, posts)  # around all of it, pages of errors too


async def _style(request: Request) -> Response:
    return Response(style(), media_type="text/css")


async def _script(request: Request) -> Response:
    return Response(_text("site.js"), media_type="text/javascript")


async def _nothing(request: Request) -> Response:
    return Response(status_code=204)


@cache
def _text(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


async def form(request: Request) -> dict[str, str]:
    """What a form sent, each name once.

    Raises:
        HTTPException: it is too large, or no form.
    """
    body = await request.body()
    if len(body) > MOST_BODY:
        raise HTTPException(413, "The request is too large.")
    try:
        pairs = parse_qsl(
            body.decode("utf-8"),
            keep_blank_values=True,
            strict_parsing=bool(body),
            max_num_fields=50,
        )
    except ValueError as problem:
        raise HTTPException(400, "This is no form.") from problem
    return dict(pairs)


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens; port 0 is any that is free.

    Raises:
        ConfigError: host and port cannot be listened on.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        with ExitStack() as stack:
            listener = stack.enter_context(socket.socket(family, socket.SOCK_STREAM))
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((host, port))
            listener.listen(512)
            stack.pop_all()  # it is open for the caller
    except (OSError, OverflowError, UnicodeError) as problem:
        reason = str(getattr(problem, "strerror", None) or problem).rstrip(".")
        where = f"{shortened(host, 60)}, port {port}"
        raise ConfigError(f"Cannot listen on {where}: {reason}.") from problem
    return listener


def door_of(host: str, tokens: Mapping[str, str], port: int) -> Door:
    """The door of a site that listens on `host`."""
    if is_loopback(host):
        return Door(tokens, cookie=f"graphmill-{port}")
    names = ("127.0.0.1", "localhost", "[::1]", host, socket.gethostname())
    return Door(tokens, names, addresses=True, cookie=f"graphmill-{port}")


def address(host: str, port: int, token: str, path: str = "/") -> str:
    """The address to open, with a token."""
    shown_host = f"[{host}]" if ":" in host else host
    return f"http://{shown_host}:{port}{path}?token={token}"


def serve(app: ASGIApp, on: socket.socket) -> None:
    """Answer requests until interrupted."""
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        limit_concurrency=1_000,
        timeout_keep_alive=30,
        ws="none",
    )
    try:
        uvicorn.Server(config).run(sockets=[on])
    except KeyboardInterrupt:
        write_message("")


__all__ = [
    "Door",
    "Pages",
    "address",
    "door_of",
    "form",
    "listening",
    "new_token",
    "serve",
    "site",
]
