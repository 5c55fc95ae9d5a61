"""A server on loopback that speaks the protocol of NebulaGraph's graph service (Thrift)."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from typing import Any, Self

type Rows = tuple[list[str], list[list[Any]]]


class Refusal(Exception):
    """What a server answers to a statement that it does not take."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class NebulaServer:
    """Answers statements by a function; `asked` are those that came."""

    def __init__(self, answer: Callable[[str], Rows]) -> None:
        self.answer = answer
        self.asked: list[str] = []
        self.users: list[tuple[str, str]] = []
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"nebula://127.0.0.1:{self._socket.getsockname()[1]}"
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> Self:
        self._start(self._accept)
        return self

    def __exit__(self, *exc: object) -> None:
        self._socket.close()

    def _start(self, work: Callable[..., None], *given: Any) -> None:
        thread = threading.Thread(target=work, args=given, daemon=True)
        thread.start()
        self._threads.append(thread)

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self._start(self._serve, connection)

    def _serve(self, connection: socket.socket) -> None:
        from nebula3.fbthrift.protocol.THeaderProtocol import THeaderProtocol
        from nebula3.fbthrift.transport.THeaderTransport import THeaderTransport
        from nebula3.fbthrift.transport.TSocket import TSocket
        from nebula3.fbthrift.transport.TTransport import TBufferedTransport, TTransportException
        from nebula3.graph import GraphService

        processor = GraphService.Processor(self)
        end = TSocket()
        end.setHandle(connection)
        protocol = THeaderProtocol(THeaderTransport(TBufferedTransport(end)))
        try:
            while True:
                processor.process(protocol, protocol)
        except (TTransportException, OSError):
            connection.close()

    # --- the service, called by names of its own ------------------------------------------------

    def verifyClientVersion(self, request: object) -> Any:
        """Any client will do."""
        from nebula3.graph.ttypes import VerifyClientVersionResp

        return VerifyClientVersionResp(error_code=0)

    def authenticate(self, user: Any, password: Any) -> Any:
        """A session for everybody."""
        from nebula3.graph.ttypes import AuthResponse

        self.users.append((_text(user), _text(password)))
        return AuthResponse(
            error_code=0, session_id=7, time_zone_offset_seconds=0, time_zone_name=b"UTC"
        )

    def signout(self, session: int) -> None:
        """The session is over."""

    def executeWithParameter(self, session: int, stmt: Any, parameters: Any) -> Any:
        """One statement."""
        from nebula3.common.ttypes import DataSet, ErrorCode, Row
        from nebula3.graph.ttypes import ExecutionResponse

        text = _text(stmt)
        self.asked.append(text)
        try:
            names, rows = self.answer(text)
        except Refusal as refusal:
            code = getattr(ErrorCode, refusal.code)
            return ExecutionResponse(
                error_code=code, latency_in_us=1, error_msg=str(refusal).encode()
            )
        data = DataSet(
            column_names=[name.encode() for name in names],
            rows=[Row(values=[value_of(value) for value in row]) for row in rows],
        )
        return ExecutionResponse(error_code=0, latency_in_us=1, data=data)


def value_of(value: Any) -> Any:
    """A value of the protocol; one that is made is given as it is."""
    from nebula3.common.ttypes import NullType, Value

    match value:
        case None:
            return Value(nVal=NullType.__NULL__)
        case bool():
            return Value(bVal=value)
        case int():
            return Value(iVal=value)
        case float():
            return Value(fVal=value)
        case str():
            return Value(sVal=value.encode())
    return value


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)
