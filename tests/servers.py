"""Real database servers on loopback, started by the tests: PostgreSQL and MariaDB of Debian.

A server runs as an unprivileged user in a folder of its own under /tmp and is stopped at the end.
Where its programs are missing, tests are skipped by name; in CI (`CI` is set) they fail.
"""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

PASSWORD = "s3cret/word"
QUOTED = "s3cret%2Fword"


def program(name: str, *folders: str) -> str:
    """The path of a server's program; skips where there is none."""
    places = [*sorted((str(p) for f in folders for p in Path("/").glob(f)), reverse=True)]
    found = shutil.which(name, path=os.pathsep.join([*places, os.environ.get("PATH", "")]))
    if found is None:
        message = f"{name} is not installed"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return found


def _port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class _Server:
    """A folder and a process that run as another user where we are root."""

    def __init__(self, user: str) -> None:
        self.user = user if os.geteuid() == 0 else None
        self.folder = Path(tempfile.mkdtemp(prefix="graphmill-server-", dir="/tmp"))
        self.port = _port()
        if self.user is not None:
            entry = pwd.getpwnam(self.user)
            os.chown(self.folder, entry.pw_uid, entry.pw_gid)

    def run(self, *command: str) -> None:
        done = subprocess.run(
            command, user=self.user, capture_output=True, text=True, cwd=self.folder
        )
        assert done.returncode == 0, done.stderr + done.stdout

    def start(self, *command: str) -> subprocess.Popen[bytes]:
        with (self.folder / "log").open("wb") as log:
            return subprocess.Popen(
                command, user=self.user, stdout=log, stderr=log, cwd=self.folder
            )

    def wait(self, process: subprocess.Popen[bytes], ready: Callable[[], None]) -> None:
        for _ in range(300):
            try:
                ready()
            except Exception as problem:  # noqa: BLE001 - whatever the driver raises
                assert process.poll() is None, (self.folder / "log").read_text()
                last = problem
                time.sleep(0.1)
            else:
                return
        raise AssertionError(f"no answer: {last}")

    def stop(self, process: subprocess.Popen[bytes]) -> None:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


@contextmanager
def postgresql() -> Iterator[str]:
    """The address (with password) of an empty PostgreSQL database."""
    initdb = program("initdb", "usr/lib/postgresql/*/bin")
    server = _Server("nobody")
    data, secret = server.folder / "data", server.folder / "secret"
    secret.write_text(PASSWORD)
    secret.chmod(0o644)
    server.run(
        *(initdb, "-D", str(data), "-U", "tester", "--auth=scram-sha-256", "-E", "UTF8"),
        *("--locale=C.UTF-8", f"--pwfile={secret}", "--no-sync"),
    )
    process = server.start(
        *(str(Path(initdb).with_name("postgres")), "-D", str(data), "-F", "-p", str(server.port)),
        *("-c", "listen_addresses=127.0.0.1", "-c", f"unix_socket_directories={server.folder}"),
    )
    url = f"postgresql://tester:{QUOTED}@127.0.0.1:{server.port}/postgres"
    try:
        server.wait(process, lambda: execute(url, ["SELECT 1"]))
        yield url
    finally:
        server.stop(process)


@contextmanager
def mariadb() -> Iterator[str]:
    """The address (with password) of an empty MariaDB database."""
    daemon = program("mariadbd", "usr/sbin")
    server = _Server("nobody")
    data = server.folder / "data"
    server.run(
        *(program("mariadb-install-db"), "--no-defaults", f"--datadir={data}"),
        *("--auth-root-authentication-method=normal", "--skip-test-db"),
    )
    process = server.start(
        *(daemon, "--no-defaults", f"--datadir={data}", f"--socket={server.folder}/socket"),
        *(f"--port={server.port}", "--bind-address=127.0.0.1", f"--pid-file={server.folder}/pid"),
        *("--innodb-flush-log-at-trx-commit=0", "--innodb-buffer-pool-size=32M"),
        *("--character-set-server=utf8mb4", "--sql-mode="),
    )
    root = f"mysql://root@127.0.0.1:{server.port}/mysql"
    try:
        server.wait(process, lambda: execute(root, ["SELECT 1"]))
        execute(
            root,
            [
                "CREATE DATABASE shop",
                f"CREATE USER tester@'127.0.0.1' IDENTIFIED BY '{PASSWORD}'",
                "GRANT ALL ON *.* TO tester@'127.0.0.1'",
            ],
        )
        yield f"mysql://tester:{QUOTED}@127.0.0.1:{server.port}/shop"
    finally:
        server.stop(process)


def execute(url: str, statements: Sequence[str]) -> None:
    """Run statements at a server, in one transaction."""
    import sqlalchemy
    from sqlalchemy.pool import NullPool

    driver = {"postgresql": "postgresql+psycopg", "mysql": "mysql+pymysql"}
    scheme, _, rest = url.partition("://")
    engine = sqlalchemy.create_engine(f"{driver[scheme]}://{rest}", poolclass=NullPool)
    with engine.begin() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)


_NEO4J = """
import os, sys
from engines.jvm.neo4j import Local
print(Local().start(), flush=True)
sys.stdin.read()
os._exit(0)
"""


@contextmanager
def neo4j(folder: Path) -> Iterator[str]:
    """The address of an empty Neo4j in a process of its own, with its files in `folder`."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(Path(__file__).parents[1]),
        "GRAPHMILL_MEMORY_MB": "1024",
        "TMPDIR": str(folder),
    }
    with subprocess.Popen(
        [sys.executable, "-c", _NEO4J],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        line = process.stdout.readline().strip()
        if not line:
            problem = process.communicate()[1].strip().splitlines()[-1]
            if "EngineUnavailable" in problem and not os.environ.get("CI"):
                pytest.skip(f"no neo4j here: {problem}")
            raise AssertionError(problem)
        yield line
        process.stdin.close()
