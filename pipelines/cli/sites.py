"""serve: pages on this machine over what is built."""

from __future__ import annotations

import argparse

from graphmill.cache import cache_folder
from graphmill.messages import write_message
from pipelines.cli.corpora import extra
from pipelines.cli.options import Command, path_of


def add_site_options(sub: argparse.ArgumentParser) -> None:
    """The options of a command that serves pages."""
    sub.add_argument("--host", default="127.0.0.1", help="the address to listen on")
    sub.add_argument("--port", type=int, default=8700, help="0 is any that is free")


def _add_serve(sub: argparse.ArgumentParser) -> None:
    sub.add_argument(
        "corpora", type=path_of, nargs="+", metavar="CORPUS", help="folders to look at"
    )
    add_site_options(sub)
    sub.add_argument("--index", type=path_of, help="where indexes lie; default: the user's cache")
    sub.add_argument(
        "--queries",
        choices=("on", "off"),
        help="whether visitors may run queries; default: on, and off beyond loopback",
    )


def _serve(arguments: argparse.Namespace) -> int:
    with extra("web", "serve"):
        from pipelines.web.explorer.app import Explorer, shelves
        from pipelines.web.guard import is_loopback
        from pipelines.web.site import address, door_of, listening, new_token, serve

    def note(text: str) -> None:
        write_message(text)

    on = listening(arguments.host, arguments.port)
    with on:
        port, token = on.getsockname()[1], new_token()
        local = is_loopback(arguments.host)
        queries = arguments.queries == "on" or (arguments.queries is None and local)
        corpora = shelves(arguments.corpora, arguments.index or cache_folder(), note)
        app = Explorer(corpora, queries=queries).app(door_of(arguments.host, {token: "you"}, port))
        note(f"Open {address(arguments.host, port, token)}")
        if not local:
            note(
                "Everybody who can reach this machine and has the address can read these corpora; "
                + ("they can run queries, too." if queries else "queries are off.")
            )
        serve(app, on)
    return 0


COMMANDS = {
    "serve": Command(
        _add_serve,
        _serve,
        "show corpora in a browser, on this machine",
        "graphmill serve corpora/mine",
    ),
}
