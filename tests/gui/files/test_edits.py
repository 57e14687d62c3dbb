"""Changes of a session: nothing gets lost, and what is removed can be put back where it was."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from gpu_runs import GPU, made_roofs

from gemmviz.domain.device import Device
from gemmviz.domain.recordings.access import MappedArray, Space
from gemmviz.domain.recordings.trace_run import StoredBlock, StoredSnapshot, TraceRun
from gemmviz.domain.runs.result import RunError, RunResult, Session
from gemmviz.gui.files.edits import (
    NO_DEVICE,
    Item,
    bytes_of,
    with_error,
    with_restored,
    with_roofs,
    with_run,
    with_trace,
    without,
)

Make = Callable[..., RunResult]
Record = Callable[..., TraceRun]


@pytest.fixture
def empty() -> Session:
    return Session("", "1", NO_DEVICE, 0.0)


def test_that_the_device_is_that_of_the_newest_gpu_kernel(
    make_result: Make, make_recording: Record, empty: Session, host: Device
) -> None:
    on_host, on_gpu = make_result("cpu_ijk", backend="host"), make_result()
    assert with_run(empty, on_host, 1.0).device == host
    assert with_run(with_run(empty, on_host, 1.0), on_gpu, 1.0).device == on_gpu.device
    assert with_run(with_run(empty, on_gpu, 1.0), on_host, 1.0).device == on_gpu.device
    assert with_trace(empty, make_recording()).device == make_recording().device


def test_that_what_is_added_comes_last(make_result: Make, make_recording: Record, empty: Session) -> None:
    runs = [make_result(), make_result()]
    session = with_run(with_run(empty, runs[0], 1.0), runs[1], 2.5)
    assert session.runs == tuple(runs)
    assert session.init_ms == 2.5
    error, trace = RunError("a", "b"), make_recording()
    assert with_error(session, error).errors == (error,)
    assert with_trace(session, trace).traces == (trace,)


@pytest.mark.parametrize("places", [(0,), (3,), (0, 1), (1, 3), (0, 1, 2, 3)])
def test_that_what_is_removed_comes_back_to_its_place(
    make_result: Make, make_recording: Record, empty: Session, places: tuple[int, ...]
) -> None:
    session = replace(
        empty, runs=tuple(make_result() for _ in range(4)), errors=(RunError("a", "b"),), traces=(make_recording(),)
    )
    items: list[Item] = [*(session.runs[place] for place in places), session.errors[0], session.traces[0]]
    smaller, removed = without(session, items)
    assert smaller.runs == tuple(run for place, run in enumerate(session.runs) if place not in places)
    assert (smaller.errors, smaller.traces) == ((), ())
    assert removed.count == len(items)
    assert {id(item) for item in removed.items} == {id(item) for item in items}
    assert with_restored(smaller, removed) == session


def test_that_what_came_meanwhile_stays_when_something_is_put_back(make_result: Make, empty: Session) -> None:
    first, second, third = make_result(), make_result(), make_result()
    smaller, removed = without(replace(empty, runs=(first, second)), [second])
    back = with_restored(with_run(smaller, third, 1.0), removed)
    assert back.runs == (first, second, third)
    assert with_restored(back, removed).runs == (first, second, third), "putting back twice adds nothing"
    assert with_restored(empty, removed).runs == (second,)


def test_that_only_the_very_objects_are_removed(empty: Session) -> None:
    error, equal = RunError("a", "b"), RunError("a", "b")
    session = replace(empty, errors=(error, equal))
    smaller, removed = without(session, [equal])
    assert smaller.errors[0] is error
    assert len(smaller.errors) == 1
    assert removed.errors == ((1, equal),)
    assert without(session, [RunError("a", "b")])[1].count == 0, "an equal one is another one"


def test_that_bytes_are_those_of_all_columns(make_result: Make, make_recording: Record, empty: Session) -> None:
    assert bytes_of(empty) == 0
    run, trace = make_result(ms=(1.0, 2.0)), make_recording()
    samples = 2 * 2 * 8
    assert bytes_of(replace(empty, runs=(run, run))) == 2 * (samples + run.error_map.values.nbytes)
    loads, counts = (8 + 6) * 8, 7 * 2 * 8
    assert bytes_of(replace(empty, traces=(trace,))) == loads + counts
    block = StoredBlock(
        (0, 0, 0),
        32,
        np.zeros(1, np.int32),
        np.zeros(1, np.int32),
        np.zeros(32, np.int64),
        (StoredSnapshot(0, "As", 2, 2, np.zeros(4, np.int64), np.zeros(4, np.int8)),),
    )
    shared = MappedArray("As", Space.SHARED, 0, 2, 2)
    kept = replace(trace, arrays=(*trace.arrays, shared), blocks=(block,))
    assert bytes_of(replace(empty, traces=(kept,))) == loads + counts + 4 + 4 + 32 * 8 + 4 * 8 + 4


def test_that_roofs_come_last_and_count_as_bytes(empty: Session) -> None:
    first, second = made_roofs(), made_roofs()
    session = with_roofs(with_roofs(empty, first), second)
    assert session.roofs[0] is first
    assert session.roofs[1] is second
    assert session.device == GPU
    assert bytes_of(session) == bytes_of(empty) + 2 * 4 * 4 * 8, "four roofs of four samples, twice"
