"""Writes of equal values by several threads or blocks are no race; what differs in one byte, or is read, is one."""

from __future__ import annotations

from pathlib import Path

import pytest
from broken_kernels import SUM, kernel_of

from gemmviz.backends.registry import find_device
from gemmviz.domain.recordings.hazard import Gravity, HazardKind, gravity_of
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm, Fill
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.recording import record
from gemmviz.measure.bench import Watch
from gemmviz.trace.hazards.equal_writes import with_equal_writes
from gemmviz.trace.hazards.rules.table import faults_of

EQUAL, EQUAL_OF_BLOCKS = HazardKind.EQUAL_WRITES, HazardKind.EQUAL_BLOCK_WRITES
RACE, BLOCK_RACE = HazardKind.RACE, HazardKind.BLOCK_RACE
COMPILED, WRITTEN = CodeForm.AS_COMPILED, CodeForm.AS_WRITTEN
STORE = "C[row * N + col] = acc;"


def shared(kind: str, statements: str, between: str = "") -> str:
    """A kernel whose threads all write one shared variable, and read it behind a barrier."""
    behind = f"{between} __syncthreads(); if (*(char *)&one == 99) return;"
    return f"    __shared__ {kind} one; {statements} {behind}\n{SUM}"


def overlapping(store: str) -> str:
    """A kernel whose blocks overlap by a row."""
    return SUM.replace("row", "(row - (int)blockIdx.y)").replace(STORE.replace("row", "(row - (int)blockIdx.y)"), store)


AT = "C[(row - (int)blockIdx.y) * N + col]"


@pytest.fixture(autouse=True)
def _compiler(nvrtc: None) -> None:
    del nvrtc


def recorded(folder: Path, body: str, form: CodeForm) -> TraceRun:
    kernel, device = kernel_of(folder, body), find_device("machine")
    conditions = Conditions(Shape(17, 35, 5), Fill.UNIFORM, 1, device=device.id, launch_limit_s=60.0, form=form)
    return record(Job(kernel, ()), conditions, device, (), Watch(), keeps_traces=False)


@pytest.mark.parametrize(
    ("body", "form", "kind"),
    [
        (shared("int", "one = K;"), COMPILED, EQUAL),
        (shared("int", "one = K;"), WRITTEN, EQUAL),
        (shared("float2", "one = make_float2(K, 1.0f);"), COMPILED, EQUAL),
        (shared("char", "one = (char)K;"), COMPILED, EQUAL),
        (shared("int", "one = threadIdx.y == 3 ? K + 65536 : K;"), COMPILED, RACE),
        (shared("int", "one = K + 1; one = K;"), WRITTEN, RACE),
        (shared("int", "one = K;", "if (one == 12345) return;"), WRITTEN, RACE),
        (overlapping(f"{AT} = acc;"), COMPILED, EQUAL_OF_BLOCKS),
        (overlapping(f"{AT} = blockIdx.y ? acc + 1e-6f : acc;"), COMPILED, BLOCK_RACE),
        (overlapping(f"{AT} += acc;"), COMPILED, BLOCK_RACE),
    ],
)
def test_that_writes_alone_of_one_value_are_no_race(
    tmp_path: Path, body: str, form: CodeForm, kind: HazardKind
) -> None:
    run = recorded(tmp_path, body, form)
    assert {one.kind for one in run.hazards} == {kind}
    is_race = kind in (RACE, BLOCK_RACE)
    assert bool(faults_of(run.hazards)) is is_race
    assert all(gravity_of(one) is (Gravity.FAULT if is_race else Gravity.MAY_BE_RIGHT) for one in run.hazards)
    for one in run.hazards:
        is_equal = ": the same value in this recording, so the result does not depend on their order" in one.detail
        assert is_equal is not is_race
        assert is_race or "undefined" not in one.detail
        assert is_race or "atomic" not in one.detail


def test_that_a_race_stays_one_where_no_values_are_known(tmp_path: Path) -> None:
    (hazard,) = recorded(tmp_path, shared("int", "one = threadIdx.y;"), COMPILED).hazards
    sites = recorded(tmp_path, shared("int", "one = threadIdx.y;"), COMPILED).sites
    assert with_equal_writes([hazard], sites, lambda _: None) == (hazard,)
