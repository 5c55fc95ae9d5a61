"""What stands before every page: host, token, origin, size, load; and headers behind it.

A token in an address (`?token=…`) moves into a cookie that no other site's request carries
(SameSite=Strict) and no script reads. Whoever has none sees nothing. The page that takes the
token over goes on by itself, so that the next request begins on this site, wherever the link was.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from html import escape
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BODY = 64 * 1024  # bytes of a request
_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": _POLICY,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cache-control": "no-store",
}


def new_token() -> str:
    """A token that cannot be guessed."""
    return secrets.token_urlsafe(24)


def form_key(token: str) -> str:
    """What a form's address carries as `?key=…`, so that its post is told from another site's."""
    return hmac.new(token.encode("utf-8", "replace"), b"form", "sha256").hexdigest()[:32]


def is_loopback(host: str) -> bool:
    """Whether an address to listen on is reached from this machine alone."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


@dataclass(slots=True)
class Door:
    """Who may come in, and by which names this site is called.

    `tokens` has the visitor's name for each token; pages read it from `request.state.visitor`, and
    from `request.state.form_key` what the action of a form carries as `?key=…`.
    `hosts` are the names that a request may call this site by, without port; where `addresses`
    is set (the site listens beyond loopback), any IP address is right too: a rebound name is none.
    """

    tokens: Mapping[str, str]
    hosts: Iterable[str] = ("127.0.0.1", "localhost", "[::1]")
    addresses: bool = False
    cookie: str = "graphmill"
    _hosts: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        self._hosts = frozenset(name.lower() for name in self.hosts)

    def knows_host(self, header: str) -> bool:
        """Whether a Host header names this site."""
        name = header.lower()
        name = name[: name.index("]") + 1] if name.startswith("[") and "]" in name else name
        name = name if name.startswith("[") else name.partition(":")[0]
        if name in self._hosts:
            return True
        if not self.addresses:
            return False
        try:
            ipaddress.ip_address(name.strip("[]"))
        except ValueError:
            return False
        return True

    def visitor(self, token: str) -> str | None:
        """Whose token it is; every token is compared, in the same time."""
        visitor = None
        for known, name in self.tokens.items():
            if hmac.compare_digest(known.encode(), token.encode("utf-8", "replace")):
                visitor = name
        return visitor


class Guard:
    """Refuses what must not come in, and puts headers on all that goes out."""

    def __init__(self, app: ASGIApp, door: Door, posts: Iterable[str] = ()) -> None:
        """`posts` are the beginnings of the paths that may be posted to."""
        self._app = app
        self._door = door
        self._posts = tuple(posts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # no web sockets here
            await send({"type": "websocket.close", "code": 1008})
            return

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        answer = self._refusal(scope)
        if answer is None:
            size = Headers(scope=scope).get("content-length", "0")
            if not size.isdecimal() or int(size) > MOST_BODY:
                answer = PlainTextResponse("The request is too large.", 413)
        if answer is not None:
            await answer(scope, receive, sent)
            return
        await self._app(scope, _limited(receive), sent)

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if not self._door.knows_host(headers.get("host", "")):
            return PlainTextResponse("This site has another name.", 421)
        method, path = scope["method"], scope["path"]
        if method not in ("GET", "HEAD", "POST"):
            return PlainTextResponse("No such method here.", 405)
        if method == "POST" and not path.startswith(self._posts or ("\0",)):
            return PlainTextResponse("Nothing is posted here.", 405)
        if not self._is_own(scope, headers):
            return PlainTextResponse("Another site may not ask this one.", 403)
        return self._entry(scope, headers)

    def _is_own(self, scope: Scope, headers: Headers) -> bool:
        """Whether a request comes from this site, or from nobody's page.

        Under `no-referrer` a browser sends `Origin: null` with a form. It is ours where the browser
        says so, or where the address has the visitor's form key, which no other site knows.
        """
        host, method = headers.get("host", "").lower(), scope["method"]
        origin, site = headers.get("origin"), headers.get("sec-fetch-site")
        if origin == "null" and method == "POST":
            return site == "same-origin" or (site is None and self._has_key(scope, headers))
        if origin is not None and origin.lower() not in (f"http://{host}", f"https://{host}"):
            return False
        if site in (None, "same-origin", "none"):
            return True
        is_link = (headers.get("sec-fetch-mode"), headers.get("sec-fetch-dest", "document")) == (
            "navigate",
            "document",  # no frame
        )
        return method != "POST" and is_link

    def _has_key(self, scope: Scope, headers: Headers) -> bool:
        fields = dict(parse_qsl(scope["query_string"].decode("latin-1")))
        key = form_key(_cookie(headers, self._door.cookie))
        return hmac.compare_digest(fields.get("key", "").encode(), key.encode())

    def _entry(self, scope: Scope, headers: Headers) -> Response | None:
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = [value for name, value in query if name == "token"]
        if given:
            if self._door.visitor(given[0]) is None:
                return _closed()
            rest = urlencode([(name, value) for name, value in query if name != "token"])
            return self._taken(scope["path"] + (f"?{rest}" if rest else ""), given[0])
        token = _cookie(headers, self._door.cookie)
        visitor = self._door.visitor(token)
        if visitor is None:
            return _closed()
        scope.setdefault("state", {}).update(visitor=visitor, form_key=form_key(token))
        return None

    def _taken(self, address: str, token: str) -> Response:
        """The page that keeps the token in a cookie and goes on."""
        address = "/" + address.lstrip("/\\")
        text = escape(address, quote=True)
        page = HTMLResponse(
            f'<!doctype html><html lang="en"><meta charset="utf-8"><title>graphmill</title>'
            f'<meta http-equiv="refresh" content="0;url={text}"><p><a href="{text}">Go on</a></p>'
        )
        page.set_cookie(self._door.cookie, token, path="/", httponly=True, samesite="strict")
        return page


def _closed() -> Response:
    return PlainTextResponse(
        "This site needs its token: open the address that graphmill printed, with ?token=…", 403
    )


def _cookie(headers: Headers, name: str) -> str:
    try:
        morsel = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return ""
    return morsel.value if morsel else ""


def _limited(receive: Receive) -> Receive:
    """The body, which ends where it gets too large."""
    read = 0

    async def limited() -> Message:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        if read > MOST_BODY:
            return {"type": "http.disconnect"}
        return message

    return limited


class Load:
    """Lets so many requests in at a time; others wait, and are told 503 where that takes long."""

    def __init__(
        self, app: ASGIApp, at_once: int = 4, waiting: int = 512, patience: float = 6.0
    ) -> None:
        """`patience` is in seconds."""
        self._app = app
        self._places = asyncio.Semaphore(at_once)
        self._most = at_once + waiting
        self._patience = patience
        self._here = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        busy = PlainTextResponse("Too many requests at a time.", 503, {"retry-after": "2"})
        if self._here >= self._most:
            await busy(scope, receive, send)
            return
        self._here += 1
        try:
            try:
                await asyncio.wait_for(self._places.acquire(), self._patience)
            except TimeoutError:
                await busy(scope, receive, send)
                return
            try:
                await self._app(scope, receive, send)
            finally:
                self._places.release()
        finally:
            self._here -= 1
