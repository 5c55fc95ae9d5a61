"""Spans of a build: to the collector that is named, to nobody else, without a text of the data."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from graphmill.errors import ConfigError
from pipelines import run
from pipelines.configuration.config import load
from pipelines.configuration.progress import Watch
from pipelines.jobs.telemetry import tracing
from tests.pipelines.jobs.farms import released

QUIET = Watch(quiet=True)


class Collector(ThreadingHTTPServer):
    """An OTLP collector on loopback that keeps what it is sent."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Receiver)
        self.spans: list[Span] = []
        self.paths: set[str] = set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        server = self.server
        assert isinstance(server, Collector)
        server.paths.add(self.path)
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
            for scope in resource.scope_spans:
                server.spans += scope.spans
        self.send_response(200)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Silence."""


@pytest.fixture
def collector() -> Iterator[Collector]:
    with Collector() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.mark.slow
def test_a_collector_is_sent_the_spans_and_the_corpus_is_the_same(
    collector: Collector, farms: Path, by_one: dict[str, str], tmp_path: Path
) -> None:
    out = tmp_path / "farms"
    run.build(load(farms), out, QUIET, collector=collector.url)
    assert released(out) == by_one
    assert collector.paths == {"/v1/traces"}
    names = {span.span_id: span.name for span in collector.spans}
    parents = {(span.name, names.get(span.parent_span_id, "")) for span in collector.spans}
    assert parents == {
        ("build", ""),
        ("database", "build"),
        ("release", "build"),
        ("sources", "database"),
        ("PlanUnit", "database"),
        ("DraftUnit", "database"),
    }
    assert [span.name for span in collector.spans].count("database") == 2
    assert all(span.end_time_unix_nano >= span.start_time_unix_nano for span in collector.spans)
    sent = b"".join(span.SerializeToString() for span in collector.spans)
    assert b"Grower" not in sent
    assert b"SELECT" not in sent


def test_an_error_leaves_its_code_and_not_its_text(collector: Collector) -> None:
    with (
        pytest.raises(ConfigError),
        tracing(collector.url) as trace,
        trace.span("build", {"corpus": "c"}),
    ):
        raise ConfigError("the password is hush")
    (span,) = collector.spans
    assert span.status.code == span.status.STATUS_CODE_ERROR
    assert span.status.message == "ConfigError"
    assert b"hush" not in span.SerializeToString()


def test_a_collector_that_is_not_there_costs_only_its_spans(tmp_path: Path) -> None:
    with tracing("http://127.0.0.1:9") as trace, trace.span("build", {}):
        trace.past("unit", 0.1, {"mb": 1.0})


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("collector:4318", "is no collector"),
        ("ftp://collector", "is no collector"),
        ("http://", "is no collector"),
        ("https://me:hush@collector:4318", "does not belong into its URL"),
    ],
)
def test_what_is_no_collector_is_refused(url: str, why: str) -> None:
    with pytest.raises(ConfigError, match=why) as caught, tracing(url):
        pass
    assert "hush" not in str(caught.value)


def test_nothing_is_sent_unless_a_collector_is_named(
    collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
    with tracing("") as trace, trace.span("build", {}):
        trace.past("unit", 0.1, {})
    assert collector.spans == []
