"""A Java program's classes: read, checked and linked once a machine instead of once a start.

The archive is Java's AOT cache (https://openjdk.org/jeps/483, https://openjdk.org/jeps/514). A
program whose classes were never archived here is run once by `engines.jvm.training`, which does
what the program usually does; the Java machine keeps the classes that it has loaded by then.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from time import time

from engines.base import progress
from graphmill.files import digest, whole_file, write_text

MOST = 4  # archives that are kept, of other environments and versions; 180 MB each
AGAIN = 86_400.0  # seconds from which one that failed is tried again
LIMIT = 300.0  # seconds that a step of making an archive may take
_SIGNATURES = (".SF", ".RSA", ".DSA", ".EC")
_RECORD = ("-XX:AOTMode=record", "-XX:TieredStopAtLevel=1")
_DRAFT = "archive-"  # begins the name of a folder in which an archive is being made


@dataclass(frozen=True)
class Archive:
    """The archived classes of the program `name` for one Java machine, class path and options.

    `home` is the machine's folder, `folder` the program's in the cache; `jars` are the class path
    in its order.
    """

    name: str
    folder: Path
    home: Path
    jars: Sequence[str]
    options: Sequence[str]

    @cached_property
    def path(self) -> Path:
        """Its file. Java itself refuses one whose jars have changed since."""
        files = [(jar, (of := Path(jar).stat()).st_size, of.st_mtime_ns) for jar in self.jars]
        release = (self.home / "release").read_text(encoding="utf-8")
        return self.folder / f"classes-{digest(release, files, self.options, _RECORD)[:12]}.aot"

    def ready(self) -> Path | None:
        """The archive, made now where there is none; None where it cannot be had.

        Nothing depends on it but the time of a start: one that cannot be made is tried again the
        next day, and while another process makes it, this one starts without.
        """
        try:
            if self.path.is_file():
                return self.path
            if self._failed.is_file() and time() - self._failed.stat().st_mtime < AGAIN:
                return None
            with (self.folder / "archive.lock").open("w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if not self.path.is_file():
                    self._make()
        except (OSError, subprocess.SubprocessError):
            return None
        return self.path if self.path.is_file() else None

    @property
    def _failed(self) -> Path:
        return self.path.with_suffix(".failed")

    def _make(self) -> None:
        """Have the program run, and keep its classes."""
        progress(f"{self.name}: its classes are archived, once, which takes about half a minute")
        for draft in self.folder.glob(f"{_DRAFT}*/"):  # of a process that was killed
            shutil.rmtree(draft)
        others = sorted(self.folder.glob("classes-*"), key=lambda path: path.stat().st_mtime)
        for other in others[: -(MOST - 1)]:
            other.unlink()
        with tempfile.TemporaryDirectory(dir=self.folder, prefix=_DRAFT) as scratch:
            seen, made = Path(scratch, "seen"), Path(scratch, "made")
            java = str(self.home / "bin" / "java")
            classpath = ("-cp", os.pathsep.join(self.jars))
            create = ("-XX:AOTMode=create", f"-XX:AOTConfiguration={seen}", f"-XX:AOTCache={made}")
            record = (sys.executable, "-P", "-m", "engines.jvm.training", str(seen))
            self._step(record, scratch)
            self._step((java, *self.options, *create, *classpath), scratch)
            made.replace(self.path)

    def _step(self, command: Sequence[str], scratch: str) -> None:
        """Run a program of ours; what it says where it fails is kept, and why there is no archive.

        Raises:
            SubprocessError: it fails, or takes too long.
        """
        try:
            subprocess.run(  # noqa: S603 - our own module, and Java with what it wrote
                command,
                check=True,
                env={**os.environ, "TMPDIR": scratch},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                timeout=LIMIT,
            )
        except subprocess.SubprocessError as problem:
            errors = (getattr(problem, "stderr", None) or b"").decode(errors="replace")
            write_text(self._failed, f"{problem}\n{errors[-4000:]}")
            raise


def recording(seen: Path) -> tuple[str, ...]:
    """Options of a Java machine that writes down what it has loaded when it ends.

    Without its second compiler it writes down no profiles: with them a start compiles what they
    call hot, and takes longer.
    """
    return (*_RECORD, f"-XX:AOTConfiguration={seen}")


def use(archive: Path) -> tuple[str, ...]:
    """Options of a Java machine that takes classes from an archive, and others where it is not
    of this machine."""
    return (f"-XX:AOTCache={archive}", "-Xlog:aot*=off", "-Xlog:cds*=off")


def unsigned(jars: Sequence[str], folder: Path) -> list[Path]:
    """The jars, each signed one as a copy in `folder` without its signature.

    Java archives no class of a signed jar, and computes the checksums of all that is in it at
    every start; nobody asks who signed it.
    """
    return [_unsigned(Path(jar), folder) for jar in jars]


def _unsigned(jar: Path, folder: Path) -> Path:
    with zipfile.ZipFile(jar) as whole:
        entries = whole.infolist()
        kept = [entry for entry in entries if not _is_signature(entry.filename)]
        if len(kept) == len(entries):
            return jar
        folder.mkdir(exist_ok=True)
        copy = folder / jar.name
        with whole_file(copy) as draft, zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as made:
            for entry in kept:
                made.writestr(entry, whole.read(entry))
    return copy


def _is_signature(name: str) -> bool:
    return name.startswith("META-INF/") and name.upper().endswith(_SIGNATURES)
