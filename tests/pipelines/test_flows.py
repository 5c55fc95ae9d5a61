"""The same corpus as a Prefect flow, against a real Prefect server on loopback."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphmill.errors import GraphmillError
from graphmill.files import file_digest
from pipelines import run
from pipelines.configuration.config import load
from pipelines.configuration.progress import Watch
from pipelines.synth.domains import order_for_domain

START_SECONDS = 180  # a loaded machine needs most of a minute

pytest.importorskip("prefect", reason="the extra prefect is not installed")

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The environment that talks to a server of our own; it ends with the tests."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {
        **os.environ,
        "PREFECT_HOME": str(tmp_path_factory.mktemp("prefect")),
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "DO_NOT_TRACK": "1",
        "PREFECT_LOGGING_LEVEL": "WARNING",
        "PREFECT_API_URL": f"http://127.0.0.1:{port}/api",
    }
    command = [sys.executable, "-m", "prefect", "server", "start", "--host", "127.0.0.1"]
    process = subprocess.Popen(
        [*command, "--port", str(port)],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait(f"http://127.0.0.1:{port}/api/health", process)
        yield environment
    finally:
        process.terminate()
        process.wait(timeout=30)


def _wait(url: str, process: subprocess.Popen[bytes]) -> None:
    for _ in range(START_SECONDS * 2):
        try:
            with urllib.request.urlopen(url, timeout=2) as reply:
                if reply.status == 200:
                    return
        except OSError:
            assert process.poll() is None, "the Prefect server ended"
            time.sleep(0.5)
    pytest.fail(f"the Prefect server did not start within {START_SECONDS} s")


@pytest.mark.parametrize("command", [["build", "--flow"], ["schedule", "--cron", "0 3 * * 1"]])
def test_a_server_that_cannot_be_reached_is_told(
    ferries: Path, tmp_path: Path, command: list[str]
) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))  # and nobody listens
        url = f"http://me:secret@127.0.0.1:{probe.getsockname()[1]}/api"
        name, *options = command
        done = subprocess.run(
            [sys.executable, "-m", "pipelines.cli", name, str(ferries), *options],
            env={**os.environ, "PREFECT_API_URL": url, "PREFECT_HOME": str(tmp_path / "prefect")},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=300,
        )
    assert done.returncode == 1
    assert "Prefect's server at http://127.0.0.1:" in done.stderr
    assert "cannot be reached" in done.stderr
    assert "unset PREFECT_API_URL" in done.stderr
    assert "Traceback" not in done.stderr
    assert "secret" not in done.stderr


def test_a_temporary_server_that_is_not_up_in_time_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from pipelines import flows

    def late(**_: object) -> None:
        raise RuntimeError("Timed out while attempting to connect.")

    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    monkeypatch.setattr(flows, "get_client", late)
    cure = r"\(Timed out .*\): start one with 'prefect server"
    with pytest.raises(GraphmillError, match=cure), flows.served():
        pass


def test_the_flow_builds_the_same_corpus(
    ferries: Path, tmp_path: Path, server: dict[str, str]
) -> None:
    direct, flow = tmp_path / "direct", tmp_path / "flow"
    settings = "per_database = 12\nalike = 0.2"  # six of these are given
    ferries.write_text(ferries.read_text().replace("grow = false", settings))
    (figures,) = run.build(load(ferries), direct, Watch(quiet=True)).to_json()["grown"]
    assert figures["grown"] >= 4
    command = [sys.executable, "-m", "pipelines.cli", "build", str(ferries), "--out", str(flow)]
    done = subprocess.run(
        [*command, "--flow", "--quiet"], env=server, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr[-3000:]
    files = [p for p in sorted(direct.rglob("*")) if p.is_file() and ".work" not in p.parts]
    assert [p for p in files if p.parent.name == "instances"]
    for path in files:
        assert file_digest(path) == file_digest(flow / path.relative_to(direct)), path.name
    request = urllib.request.Request(
        f"{server['PREFECT_API_URL']}/flow_runs/filter",
        data=b"{}",
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=30) as reply:
        runs = json.load(reply)
    assert [run["state_type"] for run in runs] == ["COMPLETED"]


SYNTHESIS = """
import json, sys
from pipelines.flows import synth_flow
made = synth_flow("media/music-streaming", sys.argv[1], nodes=300, seed=3, level=1, graphs=2)
print(json.dumps(made))
"""


def test_the_flow_synthesises_the_same_graphs(tmp_path: Path, server: dict[str, str]) -> None:
    flow = tmp_path / "flow"
    command = [sys.executable, "-c", SYNTHESIS, str(flow)]
    done = subprocess.run(command, env=server, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    made = json.loads(done.stdout.splitlines()[-1])
    assert [Path(one["graph"]) for one in made] == [flow / "3", flow / "4"]
    order_for_domain(
        "media/music-streaming", tmp_path / "direct", nodes=300, seed=4, level=1
    ).make()
    files = [path for path in sorted((tmp_path / "direct").rglob("*")) if path.is_file()]
    assert len(files) > 8
    for path in files:
        other = flow / "4" / path.relative_to(tmp_path / "direct")
        assert file_digest(path) == file_digest(other), path.name


RELEASE = """
import json, sys
from pipelines.flows import release_flow
made = [release_flow(sys.argv[1], sys.argv[2], limit=2) for _ in range(2)]
print(json.dumps(made))
"""


def test_the_flow_releases_what_has_changed(
    ferries: Path, tmp_path: Path, server: dict[str, str]
) -> None:
    releases = tmp_path / "releases"
    command = [sys.executable, "-c", RELEASE, str(ferries), str(releases)]
    done = subprocess.run(command, env=server, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    first, again = json.loads(done.stdout.splitlines()[-1])
    assert (first["version"], first["difference"]) == ("0001", "The first release.")
    assert again["version"] == "0001"
    assert again["difference"].startswith("Nothing has changed")
    assert sorted(path.name for path in releases.iterdir()) == ["0001", "build"]
