"""A session with every odd value a session can hold, and the means to compare two and to forge a file."""

from __future__ import annotations

import dataclasses
import json
import math
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gemmviz.domain.device import Device, DeviceKind
from gemmviz.domain.runs.result import Accuracy, ErrorMap, Mismatch, RunError, RunResult, Session, Timing, WorstElement
from gemmviz.domain.runs.whole_runs import WholeRun, whole_runs_of
from gemmviz.domain.session.session import save_session
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch, RunSpec
from gemmviz.domain.terms import Arithmetic, Fill, Mode, StopReason

Change = Callable[[dict[str, Any]], object]


def make_device() -> Device:
    return Device(
        id="pocl",
        backend="opencl",
        name='Prozessor Größe 1, "best" (PoCL)',
        kind=DeviceKind.CPU,
        vendor="nan",
        driver="line one\nline two",
        compute_units=2,
        max_threads_per_block=4096,
        max_block=(4096, 4096, 4096),
        max_grid=(2**31 - 1,) * 3,
        shared_bytes_per_block=2**20,
        global_bytes=2**40,
        max_allocation_bytes=2**38,
        cache_bytes=2**21,
        clock_mhz=0,
        capabilities=("opencl",),
        embedded=True,
    )


def make_run(kernel: str = "tiled", samples: tuple[float, ...] = (0.3, 0.1, 0.2)) -> RunResult:
    params = (("TILE", 16), ("F", 2))
    return RunResult(
        spec=RunSpec(kernel, Shape(33, 17, 5), params, "pocl", Fill.INTEGERS, seed=7, mode=Mode.HOT),
        device=make_device(),
        arithmetic=Arithmetic.FP32,
        launch=Launch((3, 2, 1), (16, 16, 1), dynamic_shared_bytes=0, static_shared_bytes=2048),
        build="PoCL workitemrepl",
        timing=Timing(
            mode=Mode.HOT,
            kernel_samples_ms=np.array(samples),
            host_samples_ms=np.array(samples) + 1.0,
            launches_per_sample=4,
            discarded=1,
            stopped_by=StopReason.STEADY_NOISE,
            first_launch_ms=12.5,
            compile_ms=1e-3,
            unsynchronised_ms=5e-324,
            whole_runs=whole_runs_of([WholeRun(0.25, math.nan, 0.125, 2.5)]),  # as a file before version 8 tells it
        ),
        accuracy=Accuracy(
            relative_frobenius=1 / 3,
            max_error_over_ug=math.nan,
            bound=5.0,
            passed=False,
            method="float64",
            unwritten=1,
            max_ulp=math.inf,
            exact_reference="cpu_ijk",
            exact_matches=560,
            elements=561,
            first_mismatches=(Mismatch(32, 16, math.nan, 2.0),),
        ),
        error_map=ErrorMap(
            rows=2,
            columns=1,
            cell_rows=32,
            cell_columns=17,
            values=np.array([0.5, math.nan], np.float32),
            worst=(WorstElement(32, 16, math.nan, 2.0, math.inf),),
        ),
        sweep=3,
        finished="2025-01-02T03:04:05Z",
        source_digest="a" * 64,
    )


@pytest.fixture
def session() -> Session:
    runs = (make_run(), make_run('naïve, "mine"\n', (5e-324, 0.1 + 0.2)))
    errors = (RunError("row_shared", "5 floats of shared memory are too many", (("THREADS", 64),), "5x6x7"),)
    return Session("2025-01-02T03:04:05Z", "0.1.0", make_device(), 0.75, runs, errors)


@pytest.fixture
def same() -> Callable[[Any, Any], bool]:
    """Equality that looks into columns, takes nan for equal to nan, and tells 1 from 1.0 and True."""

    def same(left: Any, right: Any) -> bool:
        if type(left) is not type(right):
            return False
        if isinstance(left, np.ndarray):
            return left.dtype == right.dtype and np.array_equal(left, right, equal_nan=True)
        if dataclasses.is_dataclass(left):
            return all(same(getattr(left, f.name), getattr(right, f.name)) for f in dataclasses.fields(left))
        if isinstance(left, tuple):
            return len(left) == len(right) and all(map(same, left, right))
        return bool(left == right) or (isinstance(left, float) and math.isnan(left) and math.isnan(right))

    return same


@pytest.fixture
def saved(session: Session, tmp_path: Path) -> Path:
    path = tmp_path / "saved.gemmviz"
    save_session(session, path)
    return path


@pytest.fixture
def entries(saved: Path) -> dict[str, bytes]:
    """The content of every entry of a sound file."""
    with zipfile.ZipFile(saved) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture
def forge(entries: dict[str, bytes], tmp_path: Path) -> Callable[..., Path]:
    """Makes a file of a sound one's entries, with a changed manifest, other entries, or entries left out."""

    def forge(change: Change | None = None, replace: dict[str, bytes] | None = None, leave_out: str = "") -> Path:
        contents = entries | (replace or {})
        if change is not None:
            manifest = json.loads(contents["manifest.json"])
            change(manifest)
            contents["manifest.json"] = json.dumps(manifest).encode()
        path = tmp_path / "forged.gemmviz"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in contents.items():
                if name != leave_out:
                    archive.writestr(name, data)
        return path

    return forge
