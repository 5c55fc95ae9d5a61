"""A Java program's classes are archived once a machine, and nothing depends on it but time."""

from __future__ import annotations

import fcntl
import os
import sys
import zipfile
from pathlib import Path

import pytest

from engines.isolation import IsolatedEngine
from engines.jvm.archive import MOST, Archive, unsigned
from engines.jvm.neo4j import NEO4J

RECORDS = '#!/bin/sh\necho seen >> "{log}"\ntouch "$4"\n'
CREATES = """#!/bin/sh
echo made >> "{log}"
for word; do case $word in -XX:AOTCache=*) echo classes > "${{word#*=}}";; esac; done
"""
FAILS = "#!/bin/sh\necho no memory left >&2\nexit 3\n"


def program(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Archive:
    """One of a Java machine that writes down that it was run."""
    log = tmp_path / "log"
    log.touch()
    recorder = program(tmp_path / "python", RECORDS.format(log=log))
    monkeypatch.setattr(sys, "executable", str(recorder))
    program(tmp_path / "java" / "bin" / "java", CREATES.format(log=log))
    (tmp_path / "java" / "release").write_text('JAVA_VERSION="25"')
    (tmp_path / "some.jar").write_bytes(b"jar")
    (tmp_path / "cache").mkdir()
    return of(tmp_path)


def of(folder: Path, *options: str) -> Archive:
    jars = [str(folder / "some.jar")]
    return Archive("Program 1", folder / "cache", folder / "java", jars, options)


def runs(folder: Path) -> list[str]:
    return (folder / "log").read_text().split()


def test_it_is_made_once(archive: Archive, tmp_path: Path) -> None:
    (tmp_path / "cache" / "archive-killed").mkdir()
    made = archive.ready()
    assert made is not None
    assert made.read_text() == "classes\n"
    assert of(tmp_path).ready() == made
    assert runs(tmp_path) == ["seen", "made"]
    assert sorted(p.name for p in made.parent.iterdir()) == ["archive.lock", made.name]


def test_each_machine_path_and_options_have_their_own(archive: Archive, tmp_path: Path) -> None:
    first = archive.ready()
    assert of(tmp_path, "-Xss4m").ready() != first
    (tmp_path / "some.jar").write_bytes(b"another jar")
    assert of(tmp_path).ready() != first
    (tmp_path / "java" / "release").write_text('JAVA_VERSION="26"')
    assert of(tmp_path).ready() != first
    assert runs(tmp_path) == ["seen", "made"] * 4
    of(tmp_path, "-one-more").ready()
    assert len(list((tmp_path / "cache").glob("classes-*.aot"))) == MOST


def test_while_another_process_makes_it_a_start_goes_without(
    archive: Archive, tmp_path: Path
) -> None:
    with (tmp_path / "cache" / "archive.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert archive.ready() is None
    assert runs(tmp_path) == []
    assert archive.ready() is not None


@pytest.mark.parametrize("failing", ["python", "java/bin/java"])
def test_what_cannot_be_made_is_tried_again_the_next_day(
    archive: Archive, tmp_path: Path, failing: str
) -> None:
    program(tmp_path / failing, FAILS)
    assert archive.ready() is None
    (failed,) = (tmp_path / "cache").glob("*.failed")
    assert "no memory left" in failed.read_text()
    (tmp_path / "log").write_text("")
    assert of(tmp_path).ready() is None
    assert runs(tmp_path) == []
    program(tmp_path / "python", RECORDS.format(log=tmp_path / "log"))
    program(tmp_path / "java" / "bin" / "java", CREATES.format(log=tmp_path / "log"))
    os.utime(failed, (1, 1))
    assert of(tmp_path).ready() is not None


def test_a_signed_jar_is_taken_without_its_signature(tmp_path: Path) -> None:
    names = ("META-INF/MANIFEST.MF", "META-INF/KEY.SF", "META-INF/KEY.RSA", "a/B.class", "x.SF")
    signed, plain = tmp_path / "signed.jar", tmp_path / "plain.jar"
    for jar, kept in ((signed, names), (plain, ("META-INF/MANIFEST.MF", "a/B.class"))):
        with zipfile.ZipFile(jar, "w") as made:
            for name in kept:
                made.writestr(name, name * 9)
    first, second = unsigned([str(signed), str(plain)], tmp_path / "copies")
    assert second == plain
    with zipfile.ZipFile(first) as copy:
        assert copy.namelist() == ["META-INF/MANIFEST.MF", "a/B.class", "x.SF"]
        assert copy.read("a/B.class") == b"a/B.class" * 9
    assert zipfile.ZipFile(signed).namelist() == list(names)


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="needs /proc")
def test_a_local_neo4j_starts_from_its_archive(local_neo4j: IsolatedEngine) -> None:
    """The fixture's start makes the archive where there was none; the second compiler has little
    to do."""
    assert local_neo4j.version()
    with IsolatedEngine("neo4j", None, memory_mb=1024) as engine:
        engine.version()
        assert engine._worker is not None
        process = Path("/proc", str(engine._worker.process.pid))
        assert f"{NEO4J.folder}/classes-" in (process / "maps").read_text()
        assert compiled(process, "C2") < compiled(process, "C1")


def compiled(process: Path, compiler: str) -> int:
    """Ticks of processor time of one of Java's compilers."""
    threads = [(task / "stat").read_text().rpartition(")") for task in process.glob("task/*")]
    return sum(
        int(fields.split()[11]) + int(fields.split()[12])
        for name, _, fields in threads
        if f"({compiler} " in name
    )
