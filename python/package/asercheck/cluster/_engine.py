"""Dask: the scheduler, its workers, and the tasks that are under way."""

from __future__ import annotations

import importlib
import importlib.util
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from asercheck.cluster._errors import ClusterError, JobError, WorkersDied

#: How many workers of this machine may die while they run a task, or with its result, before it counts as the cause.
DEATHS = 10

#: Tasks that are under way for each thread of the workers. More would hide how expensive a task is until it is too late.
AHEAD = 3


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ClusterError(f"Dask is not installed ({error}): pip install asercheck[cluster]") from None


@contextmanager
def client_of(scheduler: str | None, workers: int | None) -> Iterator[Any]:
    """A client of a scheduler: of the one at an address, or of a new one with worker processes on this machine."""
    distributed, dask = _module("distributed"), _module("dask")
    if scheduler is not None:
        try:
            client = distributed.Client(scheduler, timeout="30s")
        except OSError as error:
            raise ClusterError(f"there is no scheduler at {scheduler}: {error}") from None
        try:
            yield client
        finally:
            client.close(timeout=2)
        return
    with dask.config.set({"distributed.scheduler.allowed-failures": DEATHS}):
        try:
            cluster = distributed.LocalCluster(
                n_workers=workers, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0"
            )
        except (RuntimeError, OSError) as error:
            raise ClusterError(f"the workers do not start: {error}") from None
        with cluster, distributed.Client(cluster) as client:
            yield client


class Engine:
    """The tasks that are under way. Each has a function that is called with its result in the caller's thread.

    If the connection to the scheduler is lost, the results so far are kept, and ``Lost`` is raised.
    """

    def __init__(self, client: Any) -> None:
        self._client = client
        self._distributed = _module("distributed")
        self._completed = self._distributed.as_completed(loop=client.loop)
        self._after: dict[Any, tuple[Callable[[Any, Any], None], Callable[[JobError], None]]] = {}
        #: How often the result of a task was lost.
        self._losses: Counter[Any] = Counter()

    @property
    def dashboard(self) -> str | None:
        """The address of the dashboard, if there is one."""
        link = self._client.dashboard_link
        return str(link) if link and importlib.util.find_spec("bokeh") else None

    @property
    def threads(self) -> int:
        """Number of threads of all workers."""
        return sum(self._client.nthreads().values())

    @property
    def under_way(self) -> int:
        """Number of tasks that have no result yet."""
        return len(self._after)

    def has_room(self) -> bool:
        """Whether more tasks would keep the workers busy."""
        return self.under_way < max(1, self.threads) * AHEAD

    def submit(
        self,
        function: Callable[..., Any],
        *arguments: Any,
        key: str,
        priority: float,
        then: Callable[[Any, Any], None],
        failed: Callable[[JobError], None],
    ) -> None:
        """Starts a task. ``then`` is called with the result and its future, or ``failed`` with the error."""
        future = self._client.submit(function, *arguments, key=key, priority=priority, pure=False)
        self._after[future] = (then, failed)
        self._completed.add(future)

    def step(self) -> None:
        """Waits for a result."""
        future = next(self._completed)
        if future.status == "cancelled" or self._client.status != "running":
            raise Lost()
        if future.status == "lost":
            self._wait_again(future)
            return
        try:
            result = future.result()
        except self._distributed.scheduler.KilledWorker:
            result = WorkersDied()
        except self._distributed.CancelledError:
            raise Lost() from None
        except (OSError, KeyError):
            if future.status == "error":
                raise
            self._wait_again(future)
            return
        then, failed = self._after.pop(future)
        if isinstance(result, JobError):
            failed(result)
        else:
            then(result, future)

    def _wait_again(self, future: Any) -> None:
        """Waits for a result that is lost, or that could not be fetched, because its worker has died. The scheduler
        repeats the task."""
        self._losses[future] += 1
        if self._losses[future] > DEATHS:
            raise Lost()
        self._completed.add(future)


class Lost(Exception):
    """The scheduler cannot be reached any more."""
