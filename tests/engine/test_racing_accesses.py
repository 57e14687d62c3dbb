"""What the report tells of races and what frames mark are the same accesses, whatever puts accesses in order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gemmviz.backends.registry import NoDeviceError
from gemmviz.catalogue.loader import load_user_kernel
from gemmviz.domain.recordings.hazard import HazardKind
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.session.codec import decode, encode
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.recording import device_for_recording, record
from gemmviz.measure.bench import Watch
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode
from gemmviz.trace.hazards.rules.hazard_frames import hazard_frames
from gemmviz.trace.hazards.rules.hazard_marks import hazard_marks

ROOT = Path(__file__).parents[2]
KERNEL = """/*---
title = "Orders of accesses"
entry = "mine"
[launch]
block = ["64"]
grid = ["1"]
static_shared_bytes = "1024"
---*/
extern "C" __global__ void mine(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float s[64];
    __shared__ int flag;
    const int me = threadIdx.x;
    float sum = 0.0f;
    if (me == 0) flag = 0;
    s[me] = 0.0f;
    __syncthreads();
    BODY
    C[me] = sum;
}
"""
SYNCWARP = """s[me] = A[me];
    __syncwarp();
    for (int step = 1; step <= LAST; step *= 2)
        sum += s[me ^ step];"""
FLAG = """if (me == 32) { s[1] = A[1]; RELEASE atomicExch(&flag, 1); }
    if (me == 0) { while (atomicAdd(&flag, 0) != 1) {} ACQUIRE sum = s[1]; }
    if (me == 1) sum = s[OTHER];"""
LOCK = """for (bool done = false; !done;)
        if (atomicCAS(&flag, 0, 1) == 0) { FENCE s[0] += A[me]; RELEASE atomicExch(&flag, 0); done = true; }"""
FENCE = "__threadfence_block();"
Recorded = Callable[..., TraceRun]


@pytest.fixture
def recorded(tmp_path: Path) -> Recorded:
    """Records a kernel with this body between a barrier and the store of `sum`."""

    def record_body(body: str, form: CodeForm) -> TraceRun:
        path = tmp_path / "mine.cu"
        path.write_text(KERNEL.replace("BODY", body), encoding="utf-8")
        return recording(path, Shape(1, 64, 64), form)

    return record_body


def recording(path: Path, shape: Shape, form: CodeForm | None = None, **params: int) -> TraceRun:
    kernel = load_user_kernel(path)
    try:
        device = device_for_recording(kernel, form=form)
    except NoDeviceError as error:
        pytest.skip(str(error))
    conditions = replace(Conditions(shape), form=form)
    run = record(Job(kernel, kernel.params(params)), conditions, device, [(0, 0, 0)], Watch())
    return decode(*encode(run), TraceRun)  # as a session gives it to the window


def marked(run: TraceRun) -> set[tuple[int, frozenset[int], str]]:
    """The line of each race that frames mark, its two threads, and the element that both touch."""
    trace = run.blocks[0].trace(run.sites, run.arrays)
    found = set()
    for mode in FrameMode:
        frames = Frames(trace, mode)
        shown = {index: hazard_marks(frames.frame(index), run.hazards, trace) for index in range(len(frames))}
        at_fault = hazard_frames(frames, run.hazards)
        assert at_fault is not None
        assert at_fault.tolist() == [index for index, marks in shown.items() if marks]
        for marks in shown.values():
            found |= {
                (int(mark.words.split("line ")[1].split(":")[0]), frozenset(mark.threads), mark.words)
                for mark in marks
                if mark.kind is HazardKind.RACE
            }
    return found


def lines_of(run: TraceRun) -> set[int]:
    return {hazard.line for hazard in run.hazards if hazard.kind is HazardKind.RACE}


@pytest.mark.parametrize("form", list(CodeForm))
@pytest.mark.parametrize(
    ("body", "races"),
    [
        (SYNCWARP.replace("LAST", "16"), False),
        (SYNCWARP.replace("LAST", "32"), True),
        (SYNCWARP.replace("LAST", "16").replace("__syncwarp();", ""), True),
        (FLAG.replace("RELEASE", FENCE).replace("ACQUIRE", FENCE).replace("OTHER", "2"), False),
        (FLAG.replace("RELEASE", FENCE).replace("ACQUIRE", FENCE).replace("OTHER", "1"), True),
        (FLAG.replace("RELEASE", "").replace("ACQUIRE", "").replace("OTHER", "2"), True),
        (LOCK.replace("FENCE", FENCE).replace("RELEASE", FENCE), False),
        (LOCK.replace("FENCE", FENCE).replace("RELEASE", ""), True),
    ],
    ids=[
        "warp",
        "two warps",
        "no __syncwarp",
        "flag",
        "past the flag",
        "flag without fences",
        "lock",
        "lock, no fence",
    ],
)
def test_that_frames_mark_the_lines_that_the_report_names(
    recorded: Recorded, body: str, races: bool, form: CodeForm
) -> None:
    run = recorded(body, form)
    assert {line for line, _, _ in marked(run)} == lines_of(run)
    assert bool(lines_of(run)) is races
    racing = run.blocks[0].racing
    assert racing is not None
    named = {(hazard.sites, hazard.threads) for hazard in run.hazards if hazard.kind is HazardKind.RACE}
    assert {pair.sites for pair in racing.pairs} == {sites for sites, _ in named}


def test_that_of_a_loop_only_the_rounds_that_race_are_marked(recorded: Recorded) -> None:
    """`__syncwarp` orders the exchanges within a warp; the last round reads what the other warp wrote."""
    run = recorded(SYNCWARP.replace("LAST", "32"), CodeForm.AS_WRITTEN)
    assert {abs(one - other) for _, (one, other), _ in (mark for mark in marked(run))} == {32}
    racing, trace = run.blocks[0].racing, run.blocks[0].trace(run.sites, run.arrays)
    assert racing is not None
    (race,) = [hazard for hazard in run.hazards if hazard.kind is HazardKind.RACE]
    reads = np.flatnonzero(trace.slot_site == race.sites[1])
    assert reads.size == 6
    assert set(racing.slot[trace.slot_site[racing.slot] == race.sites[1]].tolist()) == {int(reads[-1])}
    assert race.count == 64
    assert racing.pairs[0].accesses == 128


def test_that_a_flag_marks_only_the_read_that_does_not_wait_for_it(recorded: Recorded) -> None:
    body = FLAG.replace("RELEASE", FENCE).replace("ACQUIRE", FENCE).replace("OTHER", "1")
    run = recorded(body, CodeForm.AS_WRITTEN)
    assert {threads for _, threads, _ in marked(run)} == {frozenset({1, 32})}


@pytest.mark.parametrize("form", list(CodeForm))
@pytest.mark.parametrize(
    ("file", "params"),
    [
        ("assets/lessons/kernels/race_broken.cu", {"TILE": 4}),
        ("tests/data/faulty/no_first_barrier.cu", {}),
        ("tests/data/faulty/no_second_barrier.cu", {}),
        ("tests/data/faulty/member_race.cu", {}),
    ],
)
def test_that_kernels_with_races_mark_the_lines_that_the_report_names(
    file: str, params: dict[str, int], form: CodeForm
) -> None:
    run = recording(ROOT / file, Shape(8, 8, 24), form, **params)
    assert lines_of(run)
    assert {line for line, _, _ in marked(run)} == lines_of(run)
