"""However the window ends, nothing is left of the worker; however long it lasts, nothing gathers."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pace import clock_limit_s
from PySide6.QtCore import QThread

from gemmviz.engine.client import BusyError, Client
from gemmviz.engine.messages import Conditions, Finished, Job, Progressed, RunDone, RunRequest, WorkerReady

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")

MakeJob = Callable[..., Job]
WINDOW = Path(__file__).parents[1] / "data" / "engine" / "window.py"
SOUND = "    C[row * N + col] = acc;"
ENDLESS = "    while (K > 0) acc += A[0]; C[row * N + col] = acc;"


class Window:
    """A process with a client in it, in a group of its own like a program in a terminal."""

    def __init__(self, job: Job, limit_s: float = 60.0, last_event: str = "none") -> None:
        words = [sys.executable, str(WINDOW), str(job.kernel.path), str(limit_s), last_event]
        self.process = subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        assert self.process.stdout is not None
        self.lines = iter(self.process.stdout)
        self.worker = int(self.wait_for("WorkerReady").split()[1])

    def wait_for(self, words: str) -> str:
        return next(line for line in self.lines if words in line)

    def rest(self) -> tuple[str, str]:
        """What it printed from here on to its end."""
        return self.process.communicate(timeout=30)


@pytest.fixture
def window() -> Iterator[Callable[..., Window]]:
    made: list[Window] = []

    def make(*arguments: Any) -> Window:
        made.append(Window(*arguments))
        return made[-1]

    yield make
    for one in made:
        one.process.kill()
        one.process.communicate()


def wait_until_dead(pid: int, is_alive: Callable[[int], bool], within_s: float = 5.0) -> float:
    begin = time.monotonic()
    while is_alive(pid):
        late = time.monotonic() - begin > within_s
        assert not late or time.monotonic() - begin < clock_limit_s(within_s), "the worker outlives its window"
        time.sleep(0.01)
    return time.monotonic() - begin


def threads_of(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/task").iterdir()))


def readers_of(client: Client) -> list[QThread]:
    """The threads that wait for workers of a client."""
    return [reader for place in (client._ordinary, client._confined) for reader in place.readers.values()]


def files_of(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


def children_of(pid: int) -> int:
    return len(Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split())


def memory_mib(pid: int) -> float:
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text(encoding="ascii"))
    assert found is not None
    return int(found[1]) / 1024


@pytest.mark.parametrize("words", ["", "mine: trying how", "mine: starting"])
def test_that_a_worker_ends_with_a_window_that_is_killed(
    window: Callable[..., Window], own_job: MakeJob, is_alive: Callable[[int], bool], words: str
) -> None:
    one = window(own_job(ENDLESS))
    one.wait_for(words)
    one.process.kill()
    wait_until_dead(one.worker, is_alive)


def test_that_ctrl_c_in_the_terminal_costs_no_traceback_of_the_worker(
    window: Callable[..., Window], own_job: MakeJob, is_alive: Callable[[int], bool]
) -> None:
    one = window(own_job(SOUND))
    one.wait_for("Finished")
    os.killpg(one.process.pid, signal.SIGINT)
    assert is_alive(one.worker), "Ctrl-C is for the window to hear"
    os.kill(one.process.pid, signal.SIGKILL)
    assert one.rest()[1] == ""
    wait_until_dead(one.worker, is_alive)


def test_that_ctrl_c_while_the_worker_starts_costs_no_traceback_either(own_job: MakeJob) -> None:
    words = [sys.executable, str(WINDOW), str(own_job(SOUND).kernel.path), "9", "Finished"]
    with subprocess.Popen(
        ["/bin/sh", "-c", 'trap "" INT; exec "$@"', "sh", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        for _ in range(40):
            time.sleep(0.02)
            os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert err == ""
    assert "RunDone" in out


def test_that_what_a_kernel_prints_does_not_reach_the_windows_terminal(
    window: Callable[..., Window], own_job: MakeJob
) -> None:
    one = window(own_job(f'    if (row == 0 && col == 0) printf("hello from a kernel\\n");\n{SOUND}'), 60.0, "Finished")
    out, err = one.rest()
    assert "RunDone" in out
    assert "hello" not in out + err


@pytest.mark.parametrize("last_event", ["WorkerReady", "Progressed", "RunDone", "Finished"])
def test_that_a_window_closed_in_its_own_event_ends_cleanly(
    window: Callable[..., Window], own_job: MakeJob, is_alive: Callable[[int], bool], last_event: str
) -> None:
    one = window(own_job(SOUND), 60.0, last_event)
    _, err = one.rest()
    assert (one.process.returncode, err) == (0, "")
    assert not is_alive(one.worker)


@pytest.mark.parametrize("endless", [False, True])
def test_that_closing_at_work_leaves_no_process_and_no_thread(
    own_engine: Any, quick: Conditions, own_job: MakeJob, is_alive: Callable[[int], bool], endless: bool
) -> None:
    engine = own_engine()
    engine.client.start()
    process = engine.process()
    engine.client.submit(
        RunRequest(engine.client.next_id(), (own_job(ENDLESS if endless else SOUND),), replace(quick, budget_s=30.0))
    )
    engine.wait_for(Progressed, check=lambda event: ("trying how" if endless else "measuring") in event.words)
    readers = readers_of(engine.client)
    assert readers
    assert all(reader.isRunning() for reader in readers)
    begin = time.monotonic()
    engine.client.close()
    took_s = time.monotonic() - begin
    assert took_s < clock_limit_s(1.0)
    engine.qtbot.waitUntil(lambda: all(reader.isFinished() for reader in readers))
    took_s = wait_until_dead(process, is_alive)
    assert took_s < clock_limit_s(1.0)
    assert not engine.client.busy
    count = len(engine.events)
    engine.client.close()
    engine.client.cancel()
    engine.client.start()
    with pytest.raises(BusyError, match="being closed"):
        engine.client.submit(RunRequest(engine.client.next_id(), (own_job(SOUND),), quick))
    assert len(engine.events) == count


def test_that_a_client_that_never_started_closes(own_engine: Any) -> None:
    engine = own_engine()
    engine.client.close()
    assert engine.events == []


def test_that_closing_while_the_worker_starts_leaves_nothing(own_engine: Any, is_alive: Callable[[int], bool]) -> None:
    for _ in range(3):
        engine = own_engine()
        engine.client.start()
        process = engine.client._at_work.worker.pid
        engine.client.close()
        took_s = wait_until_dead(process, is_alive)
        assert took_s < clock_limit_s(1.0)
        assert not any(isinstance(event, WorkerReady) for event in engine.events)


def test_that_requests_in_a_row_leave_nothing_behind(engine: Any, quick: Conditions, job: MakeJob) -> None:
    def ask(number: int) -> None:
        tiny = replace(quick, budget_s=0.001, seed=number)
        jobs = (job("naive"), job("cpu_ikj")) if number % 10 == 0 else (job("naive"),)
        events = engine.ask(RunRequest(engine.client.next_id(), jobs, tiny))
        assert sum(isinstance(event, RunDone) for event in events) == len(jobs)
        assert isinstance(events[-1], Finished)

    def gathered(pid: int) -> tuple[int, int, int]:
        return threads_of(pid), files_of(pid), children_of(pid)

    def growth_mib(numbers: range) -> float:
        memory = memory_mib(worker)
        for number in numbers:
            ask(number)
        return memory_mib(worker) - memory

    own, worker = os.getpid(), engine.process()
    for number in range(5):
        ask(number)
    before = (gathered(own), gathered(worker))
    # What is kept grows in every stretch; the allocator's and the compiler's own pools grow for a while and then stay.
    stretches = (growth_mib(range(first, first + 30)) for first in range(0, 240, 30))
    assert any(growth < 3.0 for growth in stretches)
    for now, then in zip((gathered(own), gathered(worker)), before, strict=True):
        assert all(one <= other for one, other in zip(now, then, strict=True)), (now, then)
    assert engine.process() == worker


def test_that_cancelled_workers_leave_nothing_behind(
    own_engine: Any, odd_workers: Any, quick: Conditions, job: MakeJob
) -> None:
    engine = own_engine(main=odd_workers.hears_nothing, cancel_limit_s=0.01)
    engine.client.start()

    def cancel() -> None:
        engine.process()
        engine.client.submit(RunRequest(engine.client.next_id(), (job("naive"),), quick))
        engine.client.cancel()
        engine.wait_until_idle()
        engine.process()
        engine.qtbot.waitUntil(lambda: len(readers_of(engine.client)) == 1)

    cancel()
    before = (threads_of(os.getpid()), files_of(os.getpid()), children_of(os.getpid()))
    for _ in range(5):
        cancel()
    assert (threads_of(os.getpid()), files_of(os.getpid()), children_of(os.getpid())) == before
