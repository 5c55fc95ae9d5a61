"""Traces of a build by OpenTelemetry: a span for the build, each database and each unit of work.

Nothing is recorded or sent unless a collector is named. Spans have names, figures and the codes of
errors; no text of a question, a query or an error, which could hold data of the source.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlsplit

from graphmill.errors import ConfigError

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.util.types import AttributeValue

SERVICE = "graphmill"
PATH = "/v1/traces"  # where a collector takes spans by OTLP over HTTP (OTLP specification)
LAST = 5_000  # milliseconds that the end of a build waits for a collector


class Trace(Protocol):
    """Where spans go."""

    @contextmanager
    def span(self, name: str, figures: Figures) -> Iterator[None]:
        """The block as a span, within the one around it."""
        ...

    def past(self, name: str, seconds: float, figures: Figures) -> None:
        """A span that ends now and has taken `seconds`, within the one around it."""
        ...

    def note(self, figures: Figures) -> None:
        """Figures of the span around it."""
        ...


type Figures = Mapping[str, str | int | float]


class Silent:
    """No telemetry, as long as nobody asks for it."""

    @contextmanager
    def span(self, name: str, figures: Figures) -> Iterator[None]:
        """Nothing."""
        yield

    def past(self, name: str, seconds: float, figures: Figures) -> None:
        """Nothing."""

    def note(self, figures: Figures) -> None:
        """Nothing."""


class Otlp:
    """Spans for a collector that speaks OTLP over HTTP."""

    def __init__(self, provider: TracerProvider) -> None:
        from opentelemetry import trace

        self._api = trace
        self._tracer = provider.get_tracer(SERVICE)

    @contextmanager
    def span(self, name: str, figures: Figures) -> Iterator[None]:
        """The block as a span, within the one around it; an error leaves its code."""
        started = self._tracer.start_as_current_span(
            name,
            attributes=_named(figures),
            record_exception=False,  # its text could hold data of the source
            set_status_on_exception=False,
        )
        with started as span:
            try:
                yield
            except BaseException as problem:
                code = str(getattr(problem, "code", type(problem).__name__))
                span.set_status(self._api.Status(self._api.StatusCode.ERROR, code))
                raise

    def past(self, name: str, seconds: float, figures: Figures) -> None:
        """A span that ends now and has taken `seconds`, within the one around it."""
        end = time.time_ns()
        began = end - round(seconds * 1e9)
        span = self._tracer.start_span(name, attributes=_named(figures), start_time=began)
        span.end(end)

    def note(self, figures: Figures) -> None:
        """Figures of the span around it."""
        self._api.get_current_span().set_attributes(_named(figures))


@contextmanager
def tracing(collector: str) -> Iterator[Trace]:
    """Where a build's spans go: to the collector at this URL, nowhere if there is none.

    Headers of the collector, such as a key, come from `OTEL_EXPORTER_OTLP_HEADERS`. A collector
    that cannot be reached costs its spans and a warning, never the build.

    Raises:
        ConfigError: `collector` is no http or https URL, or has a password in it, or the extra
            `telemetry` is not installed.
    """
    if not collector:
        yield Silent()
        return
    address = _address(collector)
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as problem:
        raise ConfigError(
            f"Telemetry needs the package {problem.name}: pip install 'graphmill[telemetry]'."
        ) from problem
    provider = TracerProvider(resource=Resource({"service.name": SERVICE}))
    exporter = OTLPSpanExporter(endpoint=address, timeout=LAST / 1000)
    provider.add_span_processor(BatchSpanProcessor(exporter, export_timeout_millis=LAST))
    logging.getLogger("opentelemetry").setLevel(logging.ERROR)
    try:
        yield Otlp(provider)
    finally:
        provider.shutdown()


def _address(collector: str) -> str:
    parts = urlsplit(collector)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConfigError(
            f"'{collector}' is no collector: give a URL such as http://127.0.0.1:4318."
        )
    if parts.password is not None or parts.username is not None:
        raise ConfigError(
            "A collector's key does not belong into its URL: give it in the environment variable "
            "OTEL_EXPORTER_OTLP_HEADERS."
        )
    return collector if parts.path.strip("/") else collector.rstrip("/") + PATH


def _named(figures: Figures) -> dict[str, AttributeValue]:
    return {f"{SERVICE}.{name}": value for name, value in figures.items()}
