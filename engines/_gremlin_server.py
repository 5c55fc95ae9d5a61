"""A Gremlin server by URL, asked with `gremlinpython` in the grammar `gremlin-lang`.

https://tinkerpop.apache.org/docs/3.8.0/reference/#gremlin-python
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from engines.base import MAX_ROWS, Result
from engines.values import plain
from graphmill.errors import EngineUnavailable, QueryError, QueryTimeout, QueryTooLarge

INSTALL = "pip install 'graphmill[gremlin-server]'"
_KEYS = re.compile(r"\bproject\(((?:\s*'(?:[^'\\]|\\.)*'\s*,?)+)\)")
_STRING = re.compile(r"'((?:[^'\\]|\\.)*)'")


class Server:
    """One connection.

    Raises:
        EngineUnavailable: there is no driver, or no server answers.
    """

    def __init__(self, url: str) -> None:
        try:
            from gremlin_python.driver.client import Client
        except ImportError as problem:
            text = f"The driver for Gremlin servers is not installed: {INSTALL}"
            raise EngineUnavailable(text) from problem
        self._client = Client(url, "g")
        self.url = url
        try:
            self.run("g.inject(0)", 30.0)
        except EngineUnavailable:
            self._client.close()
            raise

    def close(self) -> None:
        """End the connection."""
        self._client.close()

    def version(self) -> str:
        """What a server tells of itself is nothing; so its URL."""
        return self.url

    def run(self, text: str, timeout: float) -> Result:
        """The answer to a text, which the server stops at the limit.

        Raises:
            QueryError, QueryTimeout, QueryTooLarge, EngineUnavailable
        """
        from gremlin_python.driver.protocol import GremlinServerError

        options = {"language": "gremlin-lang", "evaluationTimeout": int(timeout * 1000)}
        try:
            rows = self._client.submit(text, request_options=options).all().result()
        except GremlinServerError as problem:
            message = str(problem)
            if "evaluationTimeout" in message or "TimeoutException" in message:
                raise QueryTimeout(f"The query took longer than {timeout:g} s.") from problem
            raise QueryError(message) from problem
        except (OSError, RuntimeError) as problem:
            raise EngineUnavailable(f"No Gremlin server at {self.url}: {problem}") from problem
        if len(rows) > MAX_ROWS:
            raise QueryTooLarge(f"The answer has more than {MAX_ROWS:,} rows.")
        return _result(text, rows)


def _result(text: str, rows: list[Any]) -> Result:
    """Rows with the columns of the last `project` of the text, where every row has no others."""
    keys: tuple[str, ...] = ()
    for projection in _KEYS.finditer(text):
        keys = tuple(_unescaped(each) for each in _STRING.findall(projection[1]))
    if keys and all(isinstance(row, dict) and row.keys() <= set(keys) for row in rows):
        return Result(keys, tuple(tuple(_plain(row.get(key)) for key in keys) for row in rows))
    return Result(("value",), tuple((_plain(row),) for row in rows))


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)


def _plain(value: Any) -> Any:
    """A value of the driver as a plain one; a server's own ids are all that it tells of nodes."""
    match type(value).__name__:
        case "Vertex":
            properties = {each.key: _plain(each.value) for each in value.properties or ()}
            key = {"id": _plain(value.id)}
            return {"labels": [value.label], "key": key, "properties": properties}
        case "Edge":
            ends = [{"labels": [v.label], "key": {"id": v.id}} for v in (value.outV, value.inV)]
            properties = {each.key: _plain(each.value) for each in value.properties or ()}
            return {
                "type": value.label,
                "source": ends[0],
                "target": ends[1],
                "properties": properties,
            }
        case "Path":
            return {
                "nodes": [_plain(each) for each in value.objects[::2]],
                "edges": [_plain(each) for each in value.objects[1::2]],
            }
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set):
        return [_plain(item) for item in value]
    return plain(value) if not isinstance(value, datetime) else value.isoformat()
