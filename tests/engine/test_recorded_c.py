"""What the recorded blocks stored to C stays with their recording."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gemmviz.domain.operands import make_operands
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import Session
from gemmviz.domain.session.session import load_session, save_session
from gemmviz.domain.shape import Shape
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.recording import device_for_recording, record
from gemmviz.measure.bench import Watch

MakeJob = Callable[..., Job]


def recorded(job: Job, size: str, *blocks: tuple[int, int, int]) -> TraceRun:
    return record(job, Conditions(Shape.parse(size)), device_for_recording(job.kernel), blocks, Watch())


def test_that_c_is_kept_where_a_recorded_block_stored_it_and_nowhere_else(job: MakeJob) -> None:
    one, all_ = (recorded(job("tiled", TILE=4), "8x8x5", *blocks) for blocks in ([(1, 0, 0)], []))
    c, whole = one.c.reshape(8, 8), all_.c.reshape(8, 8)
    is_stored = np.zeros((8, 8), bool)
    is_stored[:4, 4:] = True
    assert (np.isfinite(c) == is_stored).all()
    assert c[is_stored].tobytes() == whole[is_stored].tobytes()
    operands = make_operands(one.spec.shape, one.spec.fill, one.spec.seed)
    assert np.allclose(whole, operands.a.astype(np.float64) @ operands.b, rtol=1e-6)


def test_that_every_partial_sum_is_kept(job: MakeJob) -> None:
    run = recorded(job("dot", THREADS=4), "1x1x8")
    assert run.c.shape == (2,)
    operands = make_operands(run.spec.shape, run.spec.fill, run.spec.seed)
    halves = [operands.a[:, half] @ operands.b[half] for half in (slice(0, 4), slice(4, 8))]
    assert np.allclose(run.c, np.ravel(halves), rtol=1e-6)


def test_that_a_large_c_is_not_kept(job: MakeJob) -> None:
    assert recorded(job("naive", THREAD=16), "1024x1024x1", (0, 0, 0)).c.size == 1 << 20
    assert recorded(job("naive", THREAD=16), "1025x1024x1", (0, 0, 0)).c.size == 0


def test_that_a_session_keeps_it_and_one_of_version_4_has_none(job: MakeJob, tmp_path: Path) -> None:
    run = recorded(job("tiled", TILE=2), "4x4x4", (0, 0, 0))
    new, old = tmp_path / "new.gemmviz", tmp_path / "old.gemmviz"
    save_session(Session("2026-01-01T00:00:00Z", "1", run.device, 1.0, traces=(run,)), new)
    assert load_session(new).traces[0].c.tobytes() == run.c.tobytes()
    with zipfile.ZipFile(new) as archive, zipfile.ZipFile(old, "w") as aged:
        for name in archive.namelist():
            data = archive.read(name)
            if name == "manifest.json":
                manifest = json.loads(data)
                manifest["version"] = 4
                (trace,) = manifest["session"]["traces"]
                del trace["c"], manifest["arrays"]["traces.0.c"]
                trace.update(keeps_barriers=False, past_barriers="line 25 jumps with goto")  # up to version 10
                data = json.dumps(manifest).encode()
            if "traces.0.c.npy" not in name:
                aged.writestr(name, data)
    opened = load_session(old).traces[0]
    assert opened.c.size == 0
    assert opened.sites == run.sites


def test_that_values_that_are_not_one_for_each_element_are_damage(job: MakeJob) -> None:
    run = recorded(job("tiled", TILE=2), "4x4x4", (0, 0, 0))
    with pytest.raises(ValueError, match="its values are not one for each element of C"):
        replace(run, c=np.zeros(15, np.float32))
