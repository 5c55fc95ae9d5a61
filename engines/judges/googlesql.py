"""GoogleSQL's own analyser, which Spanner Graph's dialect comes from, in this process.

The program is `com.google.zetasql` (Apache-2.0), a C++ library with a Java client; the client
knows no property graphs as objects, so requests are made of protocol buffers directly. The mix of
versions below is one that starts; later clients do not, earlier libraries lack the path modes.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any, ClassVar, Self

from engines.base import Engine, Needs, Result, Unsound
from engines.judges.catalog import catalog
from engines.judges.profile import FUNCTIONS, language_options
from engines.jvm.java import ENVIRONMENT, Program
from graphmill.errors import EngineUnavailable, QueryError
from schemagraph.folder.serde import load_schema

VERSION = "2025.12.1"
_GROUP = "com.google.zetasql"
GOOGLESQL = Program(
    name=f"GoogleSQL analyser {VERSION}",
    folder=f"googlesql-{VERSION}",
    coordinates=(
        f"{_GROUP}:zetasql-client:2025.09.1+{_GROUP}:zetasql-jni-channel:2025.09.1"
        f"+{_GROUP}:zetasql-jni-channel-linux:{VERSION}+com.google.protobuf:protobuf-java:4.29.0"
    ),
    size_mb=110,
    install="pip install 'graphmill[spanner]'",
    unwanted=("protobuf-javalite", "zetasql-jni-channel-darwin"),
)
COLUMNS = ("code", "message", "line", "column")
_PLACE = re.compile(r"\s*\[at (\d+):(\d+)\]\s*$")
_STATUS = re.compile(r"^(?:[\w.]+: )?([A-Z_]+): ")


class GoogleSql(Engine):
    """Findings about texts of Spanner's GQL; `profile` is `spanner`, or `full` for all features.

    Without a graph only the grammar is asked.
    """

    name: ClassVar[str] = "googlesql"
    languages: ClassVar[tuple[str, ...]] = ("spanner",)
    profiles: ClassVar[dict[str, str]] = {"spanner": "spanner"}
    unsound: ClassVar[tuple[Unsound, ...]] = ()
    needs: ClassVar[Needs] = Needs(environment=ENVIRONMENT, address_space=False, reloads=True)

    def __init__(self, profile: str = "spanner") -> None:
        self.profile = profile
        self._graph: int | None = None

    def __enter__(self) -> Self:
        if sys.platform != "linux":
            raise EngineUnavailable("GoogleSQL's analyser is published for Linux only.")
        self._java = GOOGLESQL.start()
        self._json = self._java.JClass("com.google.protobuf.util.JsonFormat")
        channel = self._java.JClass(f"{_GROUP}.ClientChannelProvider").loadChannel()
        self._service = self._java.JClass(f"{_GROUP}.ZetaSqlLocalServiceGrpc")
        self._stub = self._service.newBlockingStub(channel)
        every = self._stub.getLanguageOptions(
            self._message("LocalService$LanguageOptionsRequest", {"maximumFeatures": True})
        )
        maximum = [str(feature.name()) for feature in every.getEnabledLanguageFeaturesList()]
        self._language = language_options(maximum, self.profile)
        self._options = {
            "languageOptions": self._language,
            "errorMessageMode": "ERROR_MESSAGE_ONE_LINE",
            "defaultTimezone": "UTC",
            "allowUndeclaredParameters": True,
            "parameterMode": "PARAMETER_NAMED",
        }
        return self

    def __exit__(self, *exc: object) -> None:
        """The process ends, and the analyser with it."""

    def version(self) -> str:
        """The version of the C++ library."""
        return VERSION

    def load(self, graph: Path) -> None:
        """Make the catalogue of a graph's schema the one that names are looked up in."""
        functions: dict[str, Any] = {"languageOptions": self._language}
        if self.profile == "spanner":
            functions["includeFunctionIds"] = self._supported()
        request = {
            "simpleCatalog": {**catalog(load_schema(graph)), "builtinFunctionOptions": functions},
            "descriptorPoolList": _POOLS,
        }
        message = self._message("LocalService$RegisterCatalogRequest", request)
        try:
            self._graph = int(self._stub.registerCatalog(message).getRegisteredId())
        except self._java.JException as problem:
            raise EngineUnavailable(f"The analyser does not take this schema: {problem}") from None

    def run(self, text: str, *, language: str, timeout: float) -> Result:
        """What is wrong with a text: one row of code, message, line and column, or none."""
        text.encode()  # the client would put question marks for what is no character
        if "\0" in text:
            return Result(COLUMNS, (("syntax", "The text holds a NUL character.", 1, 1),))
        try:
            if self._graph is None:
                request = {"sqlStatement": text, "options": self._language}
                self._stub.parse(self._message("LocalService$ParseRequest", request))
            else:
                request = {
                    "sqlStatement": text,
                    "options": self._options,
                    "registeredCatalogId": str(self._graph),
                    "descriptorPoolList": _POOLS,
                }
                self._stub.analyze(self._message("LocalService$AnalyzeRequest", request))
        except self._java.JException as problem:
            return Result(COLUMNS, (_finding(str(problem)),))
        return Result(COLUMNS, ())

    def _supported(self) -> list[int]:
        """The signatures of Spanner's functions, as far as the client has a number for them."""
        numbers = self._java.JClass(f"{_GROUP}.ZetaSQLFunction$FunctionSignatureId")
        options = {"languageOptions": self._language}
        kind = "ZetaSQLOptionsProto$ZetaSQLBuiltinFunctionOptionsProto"
        response = self._stub.getBuiltinFunctions(self._message(kind, options))
        return [
            int(signature.getContextId())
            for function in response.getFunctionList()
            if ".".join(str(part) for part in function.getNamePathList()) in FUNCTIONS
            for signature in function.getSignatureList()
            if numbers.forNumber(int(signature.getContextId())) is not None
        ]

    def _message(self, kind: str, value: dict[str, Any]) -> Any:
        builder = self._java.JClass(f"{_GROUP}.{kind}").newBuilder()
        self._json.parser().merge(json.dumps(value), builder)
        return builder.build()


_POOLS: dict[str, Any] = {"definitions": [{"builtin": {}}]}


def _finding(problem: str) -> tuple[str, str, int, int]:
    """An error of the analyser as code, message, line and column."""
    status = _STATUS.match(problem)
    if status is None:
        raise QueryError(problem)
    message = problem[status.end() :]
    place = _PLACE.search(message)
    line, column = (int(place[1]), int(place[2])) if place else (1, 1)
    message = message[: place.start()] if place else message
    code = "syntax" if message.startswith("Syntax error") else "analysis"
    if status[1] != "INVALID_ARGUMENT":
        code = status[1].lower().replace("_", "-")
    return code, message, line, column


JUDGE = GoogleSql
