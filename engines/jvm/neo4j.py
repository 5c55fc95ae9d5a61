"""A real Neo4j in this process, from pip packages alone (`engines.jvm.java`).

Neo4j Community is GPLv3: it is downloaded by the user's machine, never bundled, and spoken to over
Bolt.
"""

from __future__ import annotations

import shutil
import socket
import tempfile
from pathlib import Path
from typing import Any

from engines.jvm.archive import recording
from engines.jvm.java import Program, heap
from graphmill.errors import EngineUnavailable

VERSION = "2026.08.1"
NEO4J = Program(
    name=f"Neo4j {VERSION}",
    folder=f"neo4j-{VERSION}",
    coordinates=f"org.neo4j:neo4j:{VERSION}",
    size_mb=170,
    install="pip install 'graphmill[neo4j-local]', or set GRAPHMILL_NEO4J_URL to a server",
    archived=True,
)

JVM = (
    # What is run but for a moment, as most of a planner is, is not worth the second compiler, which
    # took a third of Neo4j's time in a build; what runs long still gets it.
    "-XX:Tier4InvocationThreshold=100000",
    "-XX:Tier4MinInvocationThreshold=20000",
    "-XX:Tier4CompileThreshold=200000",
    "-XX:Tier4BackEdgeThreshold=400000",
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
    "--add-opens=java.base/java.lang=ALL-UNNAMED",
)

# Queries are not to be trusted: no files, no hosts, bounded memory, stopped at the limit.
SETTINGS = {
    "dbms.security.auth_enabled": "false",
    "dbms.security.allow_csv_import_from_file_urls": "false",
    "internal.dbms.cypher_ip_blocklist": "0.0.0.0/0,::/0",
    "db.transaction.monitor.check.interval": "100ms",
    "internal.server.bolt.thread_pool_shutdown_wait_time": "0s",
    "server.memory.pagecache.size": "64m",
    "dbms.usage_report.enabled": "false",
}


class Local:
    """One Neo4j in this process; `restart` gives it an empty database.

    `recorded` is a file that names the classes that were loaded, once Java has ended.

    Raises:
        EngineUnavailable: a package is missing, or the jars cannot be had.
    """

    def __init__(self, recorded: Path | None = None) -> None:
        self.used = False
        self._home = Path(tempfile.mkdtemp(prefix="neo4j-"))
        self._service: Any = None
        if recorded is None:
            self._java = NEO4J.start(*JVM)
        else:
            self._java = NEO4J.start(*JVM, *recording(recorded), archive=False)

    def start(self) -> str:
        """Start the server; the URL it answers at."""
        builder = self._java.JClass("org.neo4j.dbms.api.DatabaseManagementServiceBuilder")
        connector = self._java.JClass("org.neo4j.configuration.connectors.BoltConnector")
        address = self._java.JClass("org.neo4j.configuration.helpers.SocketAddress")
        path = self._java.JClass("java.nio.file.Path")
        boolean = self._java.JClass("java.lang.Boolean")
        port = _free_port()
        settings = self._home / "settings.conf"
        memory = f"db.memory.transaction.max={heap() * 6 // 10}m\n"
        lines = "".join(f"{name}={value}\n" for name, value in SETTINGS.items())
        settings.write_text(memory + lines)
        try:
            self._service = (
                builder(path.of(str(self._home)))
                .setConfig(connector.enabled, boolean.TRUE)
                .setConfig(connector.listen_address, address("127.0.0.1", port))
                .loadPropertiesFromFile(path.of(str(settings)))
                .build()
            )
        except self._java.JException as problem:
            raise EngineUnavailable(f"Neo4j {VERSION} does not start: {problem}") from problem
        return f"bolt://127.0.0.1:{port}"

    def restart(self) -> str:
        """An empty database: quicker and cleaner than deleting, which keeps old names."""
        if self._service is not None:
            self._service.shutdown()
        for name in ("data", "logs", "run"):
            shutil.rmtree(self._home / name, ignore_errors=True)
        return self.start()

    def stop(self) -> None:
        """End the server, whose threads would keep this process alive, and delete its files."""
        if self._service is not None:
            self._service.shutdown()
            self._service = None
        shutil.rmtree(self._home, ignore_errors=True)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
