"""A real worker process behind a real client, and what is asked of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TypeVar

import pytest
from patient_bot import PatientBot
from pytestqt.qtbot import QtBot
from warm_process import WarmWorker

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QObject

from gemmviz.catalogue.loader import load_catalogue, load_user_kernel
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Mode
from gemmviz.engine import worker_place
from gemmviz.engine.client import Client
from gemmviz.engine.messages import Conditions, Event, Job, Work, WorkerReady

DATA = Path(__file__).parents[1] / "data"
QUICK = Conditions(Shape(33, 17, 9), mode=Mode.HOT, budget_s=0.05, launch_limit_s=20.0)
HEAD = """/*---
title = "Mine"
entry = "mine"
[launch]
block = ["8", "8"]
grid = ["ceil_div(N, 8)", "ceil_div(M, 8)"]
---*/
extern "C" __global__ void mine(const float *A, const float *B, float *C, int M, int N, int K)
{
    const int row = blockIdx.y * 8 + threadIdx.y, col = blockIdx.x * 8 + threadIdx.x;
    if (row >= M || col >= N) return;
    float acc = 0.0f;
    for (int k = 0; k < K; ++k) acc += A[row * K + k] * B[k * N + col];
"""
E = TypeVar("E", bound=Event)


@pytest.fixture(scope="session")
def quick() -> Conditions:
    """A small odd size and a small budget."""
    return QUICK


@pytest.fixture(scope="session")
def job() -> Callable[..., Job]:
    """A job of the catalogue: job("tiled", TILE=16)."""
    catalogue = load_catalogue()

    def make(name: str, **params: int) -> Job:
        kernel = catalogue.get(name)
        return Job(kernel, kernel.params(params))

    return make


@pytest.fixture(scope="session")
def faulty() -> Callable[[str], Job]:
    """A job of tests/data/faulty."""

    def make(name: str) -> Job:
        kernel = load_user_kernel(DATA / "faulty" / f"{name}.cu")
        return Job(kernel, kernel.params({}))

    return make


@pytest.fixture
def own_job(tmp_path: Path) -> Callable[..., Job]:
    """A job of a kernel whose body is given; its block is 8 x 8."""

    def make(body: str, name: str = "mine") -> Job:
        path = tmp_path / f"{name}.cu"
        path.write_text(f"{HEAD}{body}\n}}\n", encoding="utf-8")
        kernel = load_user_kernel(path)
        return Job(kernel, kernel.params({}))

    return make


@pytest.fixture(scope="session")
def is_alive() -> Callable[[int], bool]:
    return _is_alive


@pytest.fixture
def odd_workers(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module of tests/data/engine, where a spawned process finds it too."""
    monkeypatch.syspath_prepend(str(DATA / "engine"))
    return import_module("odd_workers")


def _is_alive(pid: int) -> bool:
    """Whether a process is there and no mere entry that nobody has fetched."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


@dataclass
class Engine:
    """A client, and every event it emitted during the test."""

    qtbot: QtBot
    client: Client
    events: list[Event] = field(default_factory=list)

    def ask(self, work: Work) -> list[Event]:
        """Hand in a request and wait until it has ended: its events, the last one ended it."""
        first = len(self.events)
        self.client.submit(work)
        self.wait_until_idle()
        return [event for event in self.events[first:] if not isinstance(event, WorkerReady)]

    def wait_until_idle(self) -> None:
        self.qtbot.waitUntil(lambda: not self.client.busy)

    def wait_for(self, kind: type[E], after: int = 0, check: Callable[[E], object] = bool) -> E:
        """The first event of a kind from position `after` on; waits for it."""

        def found() -> E | None:
            return next((event for event in self.events[after:] if isinstance(event, kind) and check(event)), None)

        self.qtbot.waitUntil(lambda: found() is not None)
        event = found()
        assert event is not None
        return event

    def process(self) -> int:
        """The process id of the worker that works or worked last, once it is ready."""
        self.qtbot.waitUntil(lambda: self.client._at_work.worker is not None and self.client._at_work.is_ready)
        assert self.client._at_work.worker is not None
        return self.client._at_work.worker.pid

    def last(self, kind: type[E]) -> E:
        return [event for event in self.events if isinstance(event, kind)][-1]


@pytest.fixture
def qtbot(qapp: QObject, request: pytest.FixtureRequest) -> QtBot:  # noqa: ARG001 - pytest-qt's own takes it too
    return PatientBot(request)


WARM = ("test_client_cancel.py", "test_client_faults.py", "test_client_runs.py")
"""Files of tests of what a worker does, whose workers begin warm; the others test how one starts and ends, too."""


@pytest.fixture(scope="module", autouse=True)
def _warm_workers(request: pytest.FixtureRequest) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        if request.path.name in WARM:
            patch.setattr(worker_place, "WorkerProcess", WarmWorker)
        yield


@pytest.fixture(scope="module")
def shared_client(qapp: QObject) -> Iterator[Client]:
    client = Client(qapp)
    client.start()
    yield client
    client.close()
    client.setParent(None)


@pytest.fixture
def engine(qtbot: QtBot, shared_client: Client) -> Iterator[Engine]:
    """The module's client, idle and with a worker that is ready."""
    engine = Engine(qtbot, shared_client)
    shared_client.happened.connect(engine.events.append)
    shared_client.start()
    engine.process()
    engine.events.clear()  # of a worker that was still starting
    yield engine
    shared_client.happened.disconnect(engine.events.append)
    shared_client.cancel()
    engine.wait_until_idle()


@pytest.fixture
def own_engine(qtbot: QtBot) -> Iterator[Callable[..., Engine]]:
    """Makes an engine with a client of its own, not started."""
    made: list[Engine] = []

    def make(**arguments: object) -> Engine:
        engine = Engine(qtbot, Client(**arguments))  # type: ignore[arg-type]
        engine.client.happened.connect(engine.events.append)
        made.append(engine)
        return engine

    yield make
    for engine in made:
        engine.client.close()
