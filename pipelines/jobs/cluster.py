"""Units on a Dask cluster: one that is there, by its address, or a temporary one of this machine.

Units travel as pickles and results come back as such: who reaches a scheduler without TLS runs
code on all its workers and on this machine. Dashboards are off on what is started here. A unit
carries no key and no password; workers take those from their own environment.
"""

from __future__ import annotations

import contextlib
import ipaddress
import logging
import os
import pickle
import socket
import threading
from collections.abc import Callable
from concurrent.futures import Future
from itertools import count
from typing import Any
from urllib.parse import urlsplit

from graphmill.errors import ConfigError, GraphmillError
from graphmill.secrets import conceal, keep_url, without_user
from pipelines.configuration.version import code_version
from pipelines.jobs.desks import DESKS
from pipelines.jobs.executor import WorkerLost
from pipelines.jobs.processes import UNIT_SECONDS
from pipelines.jobs.units import Done, Unit

LOCAL = "local"
CONNECT = 20.0  # seconds
ENDED = 17  # the exit status of a worker that a unit kept too long


class Dask:
    """Workers of the cluster at `address`, or of a temporary one with `jobs` processes.

    `warn` hears what is dangerous about an address.

    Raises:
        ConfigError: the package is missing, it is no such address, or no scheduler answers.
    """

    remote = True
    kind = "dask"

    def __init__(self, address: str, jobs: int, warn: Callable[[str], None]) -> None:
        self._cluster: Any = None
        self._names = count()
        self._homes: dict[str, str] = {}
        distributed = _distributed()
        self._distributed = distributed
        if address == LOCAL:
            logging.getLogger("distributed").setLevel(logging.CRITICAL)
            import dask

            dask.config.set({"distributed.scheduler.allowed-failures": 0})
            self._cluster = distributed.LocalCluster(
                n_workers=jobs,
                threads_per_worker=1,
                host="127.0.0.1",
                dashboard_address=None,
                worker_dashboard_address=None,
                silence_logs=logging.CRITICAL,
            )
            target, security = self._cluster.scheduler_address, None
        else:
            keep_url(address)
            target, security = checked(address, warn), None
            if address.startswith("tls://"):
                security = distributed.Security(require_encryption=True)
        try:
            self._client = distributed.Client(
                target, timeout=CONNECT, set_as_default=False, security=security
            )
        except (OSError, TimeoutError, TypeError, ValueError, RuntimeError) as problem:
            self._end_cluster()
            where = without_user(address)
            raise ConfigError(
                f"No scheduler answers at {where}: {conceal(str(problem))}. For tls://, "
                "distributed.comm.tls of Dask's configuration names the certificates."
            ) from problem
        self.jobs = max(1, len(self._workers()))

    def submit(self, unit: Unit) -> Future[Done]:
        """Give a unit to the cluster, to the worker that has its database open if it is free."""
        future: Future[Done] = Future()
        body = pickle.dumps(unit, pickle.HIGHEST_PROTOCOL)
        options: dict[str, Any] = {}
        home = self._home(unit.place)
        if home:
            options = {"workers": [home], "allow_other_workers": True}
        try:
            given = self._client.submit(
                do_unit,
                body,
                code_version(),
                key=f"graphmill-{os.getpid()}-{id(self)}-{next(self._names)}",
                pure=False,
                **options,
            )
        except (OSError, RuntimeError, ValueError) as problem:
            future.set_exception(self._gone(problem))
            return future

        def ended(done: Any) -> None:
            try:
                ok, value = pickle.loads(done.result())  # noqa: S301 - of our own workers
            except BaseException as problem:  # noqa: BLE001 - it is raised where it is waited for
                future.set_exception(self._lost(unit, problem))
                return
            if ok:
                future.set_result(value)
            else:
                future.set_exception(value)

        given.add_done_callback(ended)
        return future

    def call[T](self, function: Callable[..., T], *arguments: object, label: str) -> Future[Done]:
        """Call a function here: it is about files of this machine."""
        future: Future[Done] = Future()
        try:
            future.set_result(Done(function(*arguments)))
        except GraphmillError as problem:
            future.set_exception(problem)
        return future

    def close(self) -> None:
        """Let the cluster go; a temporary one ends with its workers."""
        with contextlib.suppress(Exception):
            self._client.close(timeout=2)
        self._end_cluster()

    def _workers(self) -> list[str]:
        return sorted(self._client.scheduler_info(n_workers=-1)["workers"])

    def _home(self, place: str) -> str:
        """The worker of a database: one after the other, as long as it is there."""
        if not place:
            return ""
        try:
            there = self._workers()
        except (OSError, RuntimeError, KeyError, TypeError):
            return ""
        if self._homes.get(place) not in there:
            taken = list(self._homes.values())
            free = sorted(there, key=taken.count)
            self._homes[place] = free[0] if free else ""
        return self._homes[place]

    def _lost(self, unit: Unit, problem: BaseException) -> BaseException:
        if isinstance(problem, self._distributed.scheduler.KilledWorker):
            return WorkerLost(f"{unit.label}: its Dask worker died.", "worker-killed")
        if type(problem).__name__ in ("FutureCancelledError", "CancelledError"):
            return self._gone(problem)
        if isinstance(problem, self._distributed.CommClosedError | OSError):
            return self._gone(problem)
        return problem

    def _gone(self, problem: BaseException) -> GraphmillError:
        why = conceal(str(problem))[:200]
        return GraphmillError(
            f"The Dask scheduler is gone ({why}). What is finished is kept: run the build again."
        )

    def _end_cluster(self) -> None:
        if self._cluster is not None:
            with contextlib.suppress(Exception):
                self._cluster.close(timeout=5)
            self._cluster = None


def do_unit(body: bytes, version: str) -> bytes:
    """What a worker of the cluster does with a unit: its result or its error, as a pickle."""
    me = f"{socket.gethostname()}:{os.getpid()}"
    if version != code_version():
        problem: Exception = GraphmillError(
            f"The Dask worker {me} has another version of graphmill than this machine: install "
            "the same on all."
        )
        return pickle.dumps((False, problem))
    unit: Unit = pickle.loads(body)  # noqa: S301 - whoever reaches a scheduler runs code anyway
    watch = threading.Timer(UNIT_SECONDS, os._exit, (ENDED,))
    watch.daemon = True
    watch.start()
    try:
        with DESKS.borrowed(unit.place) as desk:
            return pickle.dumps((True, desk.do(unit, me)), pickle.HIGHEST_PROTOCOL)
    except MemoryError:
        text = f"{unit.label}: its Dask worker ran out of memory."
        return pickle.dumps((False, WorkerLost(text, "worker-out-of-memory")))
    except GraphmillError as failed:
        if isinstance(failed, WorkerLost):
            return pickle.dumps((False, failed))
        return pickle.dumps((False, GraphmillError(conceal(str(failed)))))
    finally:
        watch.cancel()


def checked(address: str, warn: Callable[[str], None]) -> str:
    """An address as it may be used; `warn` hears of one that is open to others.

    Raises:
        ConfigError: it is none of a scheduler.
    """
    shown = without_user(address)
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not address.startswith(("tcp://", "tls://")) or not host or not port:
        raise ConfigError(
            f"--scheduler takes tls://HOST:PORT, tcp://HOST:PORT or 'local', not '{shown}'."
        )
    if parts.username or parts.password:
        raise ConfigError(
            f"--scheduler takes no user and no password ({shown}): a scheduler knows none. "
            "Certificates are named in Dask's configuration."
        )
    if address.startswith("tcp://") and not _is_loopback(host):
        warn(
            f"warning: {shown} is not encrypted and asks nobody who they are: who reaches it runs "
            "code on every worker and on this machine. Use tls://, or a network of your own."
        )
    return address


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _distributed() -> Any:
    try:
        import distributed
    except ImportError as problem:
        raise ConfigError(
            "--scheduler needs the package distributed: pip install 'graphmill[dask]'."
        ) from problem
    return distributed
