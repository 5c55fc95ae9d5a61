"""Generated programs: what they may do, what they may not, and how each of them ends."""

from __future__ import annotations

import json
import re
import resource
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from generators.sandbox import (
    LAYERS,
    Limits,
    Outcome,
    SandboxUnavailable,
    UnwritableError,
    lint,
    process,
    run_program,
)
from generators.sandbox.confinement import calls
from generators.sandbox.probes import PROBES, SECRET, attack, plainly
from graphmill.errors import GraphmillError
from tests.full_disk import full_after
from tests.generators.sandbox.interpreters import NOBODY, interpreter_for_all

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
QUICK = Limits(wall=5, cpu=5)


def run(script: str, folder: Path, limits: Limits = QUICK) -> Outcome:
    return run_program(script, {}, folder / "out", limits)


@pytest.mark.parametrize("user", ["own", "nobody"])
def test_no_probe_succeeds(user: str) -> None:
    command = [sys.executable, "-m", "generators.sandbox.probes"]
    if user == "nobody":
        command += ["--user", str(NOBODY), "--interpreter", interpreter_for_all()]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", SECRET: "1"},
        check=False,
    )
    results = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["probe"] for line in results] == [probe.name for probe in PROBES], done.stderr
    assert [line["probe"] for line in results if line["succeeded"]] == []


def test_every_probe_succeeds_where_nothing_stops_it() -> None:
    brief = tuple(probe for probe in PROBES if not probe.endless)
    assert [name for name, succeeded in attack(plainly, brief) if not succeeded] == []


OUTSIDE = {
    "chmod": "os.chmod(path, 0o777)",
    "chown": "os.chown(path, 1, 1)",
    "times": "os.utime(path, (1, 1))",
    "attribute": "os.setxattr(path, 'user.x', b'1')",
    "unlink": "os.unlink(path)",
    "rename": "os.rename(path, 'mine')",
    "hard link": "os.link(path, 'out/mine')",
    "truncate": "os.truncate(path, 0)",
    "list": "os.listdir(os.path.dirname(path))",
    "limits": "resource.setrlimit(resource.RLIMIT_AS, (1 << 40, 1 << 40))",
    "limits, by prlimit": "resource.prlimit(0, resource.RLIMIT_CPU, (9999, 9999))",
    "UDP": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
    "unix socket": "socket.socket(socket.AF_UNIX)",
    "memory file": "os.memfd_create('x')",
    "signal": "os.kill(1, 0)",
    "subprocess": "subprocess.run(['/bin/true'])",
    "spawn": "os.posix_spawn('/bin/true', ['true'], {})",
    "outlive the parent": "assert ctypes.CDLL(None).prctl(1, 0, 0, 0, 0) == 0",
    "hide from the parent": "assert ctypes.CDLL(None).prctl(4, 0, 0, 0, 0) == 0",
    "signal by descriptor": "fcntl.fcntl(0, fcntl.F_SETOWN, os.getppid())",
    "signal of a descriptor": "fcntl.fcntl(0, 10, 9)",
    "terminal input": "fcntl.ioctl(0, 0x5412, b'x')",
    "report again": "[os.write(n, b'{}') for n in range(3, 64)]",
    "shared memory": "assert ctypes.CDLL(None).shmget(0, 4096, 0o1600) >= 0",
}

# What does not even exist for a program, where there are namespaces.
HIDDEN = ("unlink", "rename", "hard link", "truncate", "list")


@pytest.mark.parametrize("name", OUTSIDE)
def test_what_lies_outside_stays_as_it_is(name: str, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.write_text("as it was")
    before = kept.stat()
    head = f"import ctypes, fcntl, os, resource, socket, subprocess\npath = {str(kept)!r}\n"
    outcome = run(f"{head}{OUTSIDE[name]}", tmp_path)
    assert outcome.exit == 1
    said = {
        **dict.fromkeys(HIDDEN, "FileNotFoundError"),
        "limits": "not allowed to raise maximum limit",
        "report again": "Bad file descriptor",
    }
    if "assert" in OUTSIDE[name]:  # a call of the C library, which raises nothing itself
        said[name] = "AssertionError"
    assert said.get(name, "PermissionError") in outcome.stderr
    assert kept.read_text() == "as it was"
    after = kept.stat()
    assert (after.st_mode, after.st_uid, after.st_mtime, after.st_nlink) == (
        before.st_mode,
        before.st_uid,
        before.st_mtime,
        before.st_nlink,
    )


def test_a_program_reads_its_inputs_and_writes_its_output(tmp_path: Path) -> None:
    source = tmp_path / "spec.json"
    source.write_text('{"rows": 3}')
    script = (
        "import json, os, sys, helper\n"
        "rows = json.load(open('spec.json'))['rows']\n"
        "os.mkdir('out/nodes')\n"
        "open('out/nodes/A.csv', 'w').write(helper.text * rows)\n"
        "print(sys.argv[1:], sorted(os.environ), hash('x'))\n"
        "open(os.environ['TMPDIR'] + '/scratch', 'w').close()\n"
    )
    inputs: dict[str, bytes | Path] = {"spec.json": source, "helper.py": b"text = 'ab'"}
    out = tmp_path / "made" / "out"
    outcome = run_program(script, inputs, out, QUICK, arguments=["--seed", "7"])
    assert outcome.ok, outcome.stderr
    assert outcome.files == ("nodes/A.csv",)
    assert (out / "nodes" / "A.csv").read_text() == "ababab"
    assert outcome.stdout.startswith("['--seed', '7'] ['HOME', 'LANG', 'OMP_NUM_THREADS'")
    assert set(LAYERS) <= set(outcome.layers)
    assert not outcome.degraded
    assert sorted(path.name for path in out.parent.iterdir()) == ["out"]
    again = run_program(script, inputs, out, QUICK, arguments=["--seed", "7"])
    assert again.stdout == outcome.stdout  # the hash seed is fixed


def test_the_usual_libraries_work_with_threads(tmp_path: Path) -> None:
    script = (
        "import faker, numpy as np, polars as pl\n"
        "faker.Faker.seed(1)\n"
        "frame = pl.DataFrame({'x': np.random.default_rng(1).normal(size=1000)})\n"
        "frame.lazy().group_by(pl.col('x').round()).len().collect()\n"
        "frame.write_parquet('out/x.parquet')\n"
        "print(faker.Faker().name())\n"
    )
    outcome = run(script, tmp_path, Limits(wall=30))
    assert outcome.ok, outcome.stderr
    assert outcome.peak > 30 << 20
    assert (tmp_path / "out" / "x.parquet").is_file()


ENDS = {
    "wall": ("import time\ntime.sleep(60)", Limits(wall=0.5)),
    "cpu": ("while True:\n    pass", Limits(cpu=1, wall=10)),
    "output": ("while True:\n    print('x' * 9999)", Limits(output=1 << 20, wall=10)),
    "disk": (
        "import time\nfor n in range(40):\n    open(f'{n}', 'w').write('x' * 1_000_000)\n"
        "time.sleep(9)",
        Limits(disk=20 << 20, wall=9),
    ),
    "disk, of deleted files": (
        "import os, time\nkept = []\nfor n in range(40):\n    kept.append(open('x', 'w'))\n"
        "    kept[-1].write('x' * 1_000_000)\n    kept[-1].flush()\n    os.unlink('x')\n"
        "time.sleep(9)",
        Limits(disk=20 << 20, wall=9),
    ),
    "disk, too much at once": (
        "import os\nfor n in range(3):\n    x = os.open('x', os.O_CREAT | os.O_WRONLY)\n"
        "    os.unlink('x')\n    os.posix_fallocate(x, 0, 15 << 20)",
        Limits(disk=20 << 20, wall=9),
    ),
    "disk, of many files": (
        "import time\nfor n in range(300):\n    open(f'{n}', 'w').close()\ntime.sleep(9)",
        Limits(files=100, wall=9),
    ),
    "threads": (
        "import threading, time\nthreading.stack_size(65536)\n"
        "for n in range(2000):\n    threading.Thread(target=time.sleep, args=(9,)).start()",
        Limits(wall=9),
    ),
    "disk, of a mapped file": (
        "import mmap\nwith open('x', 'w+b') as file:\n    file.truncate(15 << 20)\n"
        "    one = mmap.mmap(file.fileno(), 15 << 20)\nwith open('y', 'w+b') as file:\n"
        "    file.truncate(15 << 20)\n    other = mmap.mmap(file.fileno(), 15 << 20)\n"
        "for place in range(0, 15 << 20, 4096):\n    one[place] = other[place] = 1",
        Limits(disk=20 << 20, wall=9),
    ),
    "files": ("import os\nos.symlink('/etc/passwd', 'out/x')", QUICK),
    "files, a folder that cannot be read": (
        "import os\nos.mkdir('out/x', 0o300)\nopen('out/x/y', 'w').close()",
        QUICK,
    ),
    "files, of a name that is no text": ("open(b'out/\\xff', 'w').close()", QUICK),
    "files, one by two names": (
        "import os\nopen('out/x', 'w').close()\nos.link('out/x', 'out/y')",
        QUICK,
    ),
    "disk, of holes": (
        "for n in range(9):\n    open(f'out/{n}', 'w').truncate(3_000_000)",
        Limits(disk=20 << 20, wall=9),
    ),
    "files, a pipe": ("import os\nos.mkfifo('out/x')", QUICK),
    **{
        f"files, the folder itself, of mode {mode}": (
            f"import os\nos.rmdir('out')\nos.mkdir('out', {mode})\n"
            "try:\n    open('out/x', 'w').close()\nexcept OSError:\n    pass",
            QUICK,
        )
        for mode in ("0o300", "0o100")
    },
    "files, the folder itself, without its files": (
        "import os\nos.rmdir('out')\nos.mkdir('out', 0o400)",
        QUICK,
    ),
    "files, the folder itself": ("import os\nos.rmdir('out')\nos.symlink('/etc', 'out')", QUICK),
}


@pytest.mark.parametrize("name", ENDS)
def test_each_limit_ends_a_program_and_is_named(name: str, tmp_path: Path) -> None:
    script, limits = ENDS[name]
    outcome = run(script, tmp_path, limits)
    assert outcome.stopped == name.split(",")[0]
    assert not outcome.ok
    assert outcome.files == ()
    assert outcome.problem()
    assert outcome.wall < 8
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_named_by_the_folder_that_is_full(tmp_path: Path) -> None:
    out = tmp_path / "made" / "out"
    script = "open('out/x', 'w').write('x' * 500_000)"
    with full_after(100_000), pytest.raises(UnwritableError) as caught:
        run_program(script, {}, out, QUICK)
    assert str(caught.value) == f"Cannot write what the program made to {out}: File too large."


def test_a_program_that_is_stopped_tells_what_it_used(tmp_path: Path) -> None:
    outcome = run("while True:\n    pass", tmp_path, Limits(wall=2, cpu=60))
    assert outcome.stopped == "wall"
    assert outcome.cpu > 0.3


def test_memory_is_limited(tmp_path: Path) -> None:
    outcome = run("x = bytearray(600 << 20)", tmp_path, Limits(memory=512 << 20))
    assert outcome.exit == 1
    assert "MemoryError" in outcome.problem()


def test_a_failed_program_leaves_its_traceback_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "earlier").write_text("kept")
    outcome = run("open('out/x', 'w').close()\n\nraise KeyError('a\\x1b[31mb')", tmp_path)
    assert outcome.problem().splitlines() == [
        "The program ended with status 1.",
        "Traceback (most recent call last):",
        '  File "program.py", line 3, in <module>',
        "    raise KeyError('a\\x1b[31mb')",
        "KeyError: 'a\\x1b[31mb'",
    ]
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["earlier"]


def test_programs_at_the_same_time_have_their_threads_each(tmp_path: Path) -> None:
    """One that starts all that it may leaves as many to another of the same process."""
    script = (
        "import _thread, threading, time\nthreading.stack_size(65_536)\n"
        "for _ in range(200):\n    _thread.start_new_thread(time.sleep, (9,))\n"
        "print('all', flush=True)\ntime.sleep(0.5)"
    )
    with ThreadPoolExecutor() as pool:
        outs = [tmp_path / name for name in "ab"]
        ended = pool.map(lambda out: run_program(script, {}, out, Limits(wall=20)), outs)
        assert [(outcome.problem(), outcome.stdout) for outcome in ended] == [("", "all\n")] * 2


def test_half_a_letter_in_a_program_is_an_error_of_the_program(tmp_path: Path) -> None:
    """As a model may send it in JSON."""
    outcome = run("x = '\ud800'", tmp_path)
    assert outcome.exit == 1
    assert "SyntaxError" in outcome.problem()


def test_a_crash_leaves_no_dump(tmp_path: Path) -> None:
    """Neither in the folder nor with a program that the kernel would start for it."""
    script = (
        "import ctypes, resource\n"
        "print(resource.getrlimit(resource.RLIMIT_CORE), ctypes.CDLL(None).prctl(3, 0, 0, 0, 0))\n"
        "import sys; sys.stdout.flush()\n"
        "ctypes.string_at(0)"
    )
    outcome = run(script, tmp_path)
    assert outcome.stdout == "(1, 1) 0\n"
    assert outcome.exit == -11
    assert "signal SIGSEGV" in outcome.problem()


def test_control_characters_and_floods_do_not_come_back(tmp_path: Path) -> None:
    outcome = run("print('\\x1b[2J' + 'a' * 100_000 + 'end')", tmp_path)
    assert "\x1b" not in outcome.stdout
    assert len(outcome.stdout) < 10_000
    assert outcome.stdout.endswith("end\n")


def test_the_program_ends_with_its_parent(tmp_path: Path) -> None:
    parent = (
        "from generators.sandbox import *\nfrom pathlib import Path\n"
        f"run_program('import time; time.sleep(30)', {{}}, Path({str(tmp_path / 'out')!r}))"
    )
    with subprocess.Popen([sys.executable, "-c", parent], cwd=ROOT) as process:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        found: list[str] = []
        for _ in range(200):
            time.sleep(0.05)
            found = children.read_text().split()
            if (
                found
                and "wchan"
                and b"confinement" in Path(f"/proc/{found[0]}/cmdline").read_bytes()
            ):
                break
        time.sleep(0.3)
        process.kill()
    assert found
    for _ in range(100):
        if not Path(f"/proc/{found[0]}").exists():
            return
        time.sleep(0.05)
    pytest.fail("the program outlived the process that ran it")


MISSING = {
    # What a kernel without the layer answers, brought about by a number that it does not know.
    "landlock": ("landlock", "CREATE, ADD, RESTRICT = 444", "CREATE, ADD, RESTRICT = 4444"),
    "namespaces": ("namespaces", "NEWUSER, NEWPID", "NEWPID, NEWUSER"),
    "seccomp": ("seccomp", "(RETURN, 0, 0, KILL)", "(RETURN, 255, 255, 0xFFFF), (0xFF, 0, 0, 0)"),
}


@pytest.fixture(params=MISSING)
def missing(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A machine whose kernel lacks a layer."""
    layer = str(request.param)
    module, old, new = MISSING[layer]
    folder = tmp_path / "sandbox" / "confinement"
    shutil.copytree(process.CONFINEMENT.parent, folder, ignore=shutil.ignore_patterns("*.pyc"))
    altered = folder / f"{module}.py"
    text = altered.read_text()
    assert old in text
    if layer == "namespaces":
        text = text.replace("wanted = NEWPID", "wanted = 1 | NEWPID")
    altered.write_text(text.replace(old, new) if layer != "namespaces" else text)
    monkeypatch.setattr(process, "CONFINEMENT", folder / "__main__.py")
    return layer


def test_a_missing_layer_is_refused_unless_allowed(missing: str, tmp_path: Path) -> None:
    script = "open('out/ran', 'w').close()\nprint(open('given').read())"
    inputs: dict[str, bytes | Path] = {"given": b"input"}
    with pytest.raises(SandboxUnavailable, match=rf"{missing} \(.*--allow-degraded") as caught:
        run_program(script, inputs, tmp_path / "out", QUICK)
    assert list(caught.value.missing) == [missing]
    assert not (tmp_path / "out").exists()
    outcome = run_program(script, inputs, tmp_path / "out", QUICK, allow_degraded=True)
    assert outcome.ok, outcome.stderr
    assert outcome.stdout == "input\n"
    assert outcome.files == ("ran",)
    assert outcome.degraded
    assert set(LAYERS) - set(outcome.layers) == {missing}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "sandbox"]


@pytest.mark.parametrize("missing", ["namespaces"], indirect=True)
def test_runaways_end_without_namespaces(missing: str, tmp_path: Path) -> None:
    assert missing
    place = tmp_path / "place"
    for name in ("wall", "disk", "disk, of deleted files", "disk, of many files", "threads"):
        script, limits = ENDS[name]
        outcome = run_program(script, {}, place / "out", limits, allow_degraded=True)
        assert outcome.stopped == name.split(",")[0]
    script = "import os\nos.mkdir('x', 0o300)\nopen('x/y', 'w').close()\nos.mkdir('x/z', 0)"
    assert run_program(script, {}, place / "out", QUICK, allow_degraded=True).ok
    assert [path.name for path in place.iterdir()] == ["out"]


def test_an_interpreter_that_does_not_start_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(GraphmillError, match="Cannot start /nowhere/python"):
        run_program("", {}, tmp_path / "out", interpreter="/nowhere/python")
    with pytest.raises(SandboxUnavailable, match="did not start"):
        run_program("", {}, tmp_path / "out", interpreter="/bin/true")


@pytest.mark.parametrize("name", ["program.py", "../x", "out", "a/b", ""])
def test_inputs_lie_in_the_folder(name: str, tmp_path: Path) -> None:
    with pytest.raises(GraphmillError, match="An input of a program"):
        run_program("", {name: b""}, tmp_path / "out")


def test_it_starts_quickly(tmp_path: Path) -> None:
    """Processor time of a whole run of nothing, against that of the bare interpreter."""

    def cost(command: list[str]) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    bare = min(cost([sys.executable, "-c", "pass"]) for _ in range(3))
    confined = min(run("pass", tmp_path).cpu for _ in range(3))
    assert confined - bare < 0.1


@pytest.mark.parametrize(("machine", "column"), [("x86_64", 0), ("aarch64", 1)])
def test_the_numbers_are_those_of_the_kernel(machine: str, column: int) -> None:
    header = Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h")
    if machine == "aarch64":
        header = Path("/usr/include/asm-generic/unistd.h")
    if not header.exists():
        pytest.skip(f"no {header}: install linux-libc-dev")
    pairs = re.findall(r"#define __NR3?2?6?4?_?(\w+) (\d+)", header.read_text())
    kernel = {name.lower(): int(number) for name, number in pairs}
    tables = calls.ALLOWED | calls.FILTERED | calls.UNSUPPORTED | calls.UNKNOWN
    ours = {name: numbers[column] for name, numbers in tables.items()}
    absent = {name for name, number in ours.items() if number is None}
    known = {name: number for name, number in ours.items() if name in kernel}
    assert len(known) > 90 - len(absent)
    assert not absent & set(kernel)
    assert known == {name: kernel[name] for name in known}


@pytest.mark.parametrize("script", ["\0", "(" * 10_000, "import urllib.request", "from . import x"])
def test_lint_takes_any_text(script: str) -> None:
    assert lint(script)
