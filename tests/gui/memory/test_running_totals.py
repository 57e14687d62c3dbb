"""What was asked for so far agrees with what the recording counted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gemmviz.backends.registry import find_device
from gemmviz.catalogue.loader import load_user_kernel
from gemmviz.domain.recordings.access import AccessKind, Space
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm, Evidence, Fill
from gemmviz.engine.messages import Conditions, Job
from gemmviz.engine.recording import record
from gemmviz.explain.block.load_counters import RunningLoadCounters
from gemmviz.explain.block.running_totals import RunningTotals, TotalsSoFar
from gemmviz.explain.block.timeline import timeline_of
from gemmviz.explain.source.recorded_lines import notes_of
from gemmviz.measure.bench import Watch
from gemmviz.trace.explain import totals_of
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode

Record = Callable[..., TraceRun]


APART = """/*---
title = "Apart"
entry = "apart"
args = ["A", "B", "C", "D", "M", "N", "K"]
beta = 1.0
[launch]
block = ["8", "8"]
grid = ["N // 8", "M // 8"]
---*/
__global__ void apart(const float *A, const float *B, const float *C, float *D, int M, int N, int K)
{
    const int row = blockIdx.y * 8 + threadIdx.y, col = blockIdx.x * 8 + threadIdx.x;
    float sum = C[row * N + col];
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + col];
    D[row * N + col] = sum;
}
"""
KERNELS = ["naive", "tiled", "tiled_transposed", "row_shared", "vectorized", "global_accumulate", "register_2d"]


@pytest.mark.parametrize("kernel", KERNELS)
def test_that_the_last_frame_has_what_the_recording_counted(recorded: Record, kernel: str) -> None:
    run = recorded(kernel, "33x36x20", (0, 0))
    block = run.blocks[0].trace(run.sites, run.arrays)
    frames, totals = Frames(block, FrameMode.STEP), RunningTotals(block, timeline_of(block))
    found = totals.until(frames.frame(len(frames) - 1))
    counted = totals_of(run)
    assert found == totals.in_all
    assert found.loads - found.c_loads == run.a_loads.sum() + run.b_loads.sum()
    assert found.a_loads == run.a_loads.sum()
    assert found.a_elements == (run.a_loads > 0).sum()
    assert found.sectors == counted.global_load_sectors + counted.global_store_sectors
    assert found.bytes_moved == counted.bytes_moved
    assert found.wavefronts == counted.shared_load_wavefronts + counted.shared_store_wavefronts
    ideal = counted.shared_load_ideal_wavefronts + counted.shared_store_ideal_wavefronts
    assert found.excess_wavefronts == found.wavefronts - ideal


def test_that_loads_and_stores_of_c_are_counted_where_a_kernel_adds_up_there(recorded: Record) -> None:
    """Each of 16 x 16 threads loads C 64 times; it stores C as often, and once more before."""
    run = recorded("global_accumulate", "64x64x64", (0, 0), TILE=16)
    block = run.blocks[0].trace(run.sites, run.arrays)
    found = RunningTotals(block, timeline_of(block)).in_all
    assert (found.loads, found.c_loads, found.stores) == (49152, 16384, 16640)
    assert found.lines[0].words == "values loaded from global memory, 16\N{NARROW NO-BREAK SPACE}384 of them of C"
    run = recorded("naive", "64x64x64", (0, 0), THREAD=16)
    block = run.blocks[0].trace(run.sites, run.arrays)
    found = RunningTotals(block, timeline_of(block)).in_all
    assert (found.loads, found.c_loads, found.stores, found.bytes_moved) == (32768, 0, 256, 66560)


def test_that_stores_of_a_result_apart_from_c_are_counted_and_named_so(tmp_path: Path) -> None:
    path = tmp_path / "apart.cu"
    path.write_text(APART, encoding="utf-8")
    kernel = load_user_kernel(path)
    device = find_device("machine")
    run = record(Job(kernel, kernel.params({})), Conditions(Shape(16, 16, 4)), device, [(0, 0, 0)], Watch())
    block = run.blocks[0].trace(run.sites, run.arrays)
    found = RunningTotals(block, timeline_of(block)).in_all
    assert (found.c_loads, found.stores, found.result) == (64, 64, "D")
    assert found.lines[1].tip.startswith("Values of D that the threads of this block have stored")


def test_that_a_transposed_tile_shows_its_bank_conflicts_beside_one_that_is_not(recorded: Record) -> None:
    found = {}
    for kernel in ("tiled", "tiled_transposed"):
        run = recorded(kernel, "64x64x64", (0, 0), TILE=16)
        block = run.blocks[0].trace(run.sites, run.arrays)
        found[kernel] = RunningTotals(block, timeline_of(block)).in_all
    one, other = found["tiled"], found["tiled_transposed"]
    assert one.sizes[:-1] == other.sizes[:-1]
    assert (one.excess_wavefronts, other.excess_wavefronts) == (0, 224)
    assert other.wavefronts == one.wavefronts + 224


@pytest.mark.parametrize("mode", list(FrameMode))
def test_that_totals_grow_with_the_heat_of_the_frames(recorded: Record, mode: FrameMode) -> None:
    run = recorded("tiled", "17x33x9", (1, 0), TILE=4)
    block = run.blocks[0].trace(run.sites, run.arrays)
    frames, totals = Frames(block, mode), RunningTotals(block, timeline_of(block))
    for index in range(0, len(frames), 3):
        heat = {name: frames.heat(name, index).counts for name in "AB"}
        found = totals.until(frames.frame(index))
        assert (found.a_loads, found.a_elements) == (heat["A"].sum(), (heat["A"] > 0).sum())
        assert found.loads == heat["A"].sum() + heat["B"].sum()


def test_that_naive_loads_an_element_for_every_thread_of_its_row_and_tiled_once(recorded: Record) -> None:
    each = {}
    for kernel in ("naive", "tiled"):
        run = recorded(kernel, "64x64x64", (1, 1))
        block = run.blocks[0].trace(run.sites, run.arrays)
        each[kernel] = RunningTotals(block, timeline_of(block)).in_all
    assert each["naive"].loads_per_element == 16.0
    assert each["naive"].loads_per_input == 16.0
    assert (each["naive"].b_loads, each["naive"].b_elements) == (each["naive"].a_loads, each["naive"].a_elements)
    assert each["tiled"].loads_per_element == 1.0
    assert each["naive"].loads == 16 * each["tiled"].loads


def test_that_every_figure_has_its_evidence() -> None:
    lines = TotalsSoFar(1536, 0, 256, 48, 768, 512, 40, 8).lines
    assert [(line.words, line.value, line.evidence) for line in lines] == [
        ("values loaded from global memory", "1\N{NARROW NO-BREAK SPACE}536", Evidence.RECORDED),
        ("values stored to global memory", "256", Evidence.RECORDED),
        ("bytes moved in 48 sectors", "1\N{NARROW NO-BREAK SPACE}536", Evidence.DERIVED),
        ("loads per element of A", "1.5", Evidence.DERIVED),
        ("excess wavefronts, of 40", "8", Evidence.RECORDED),
    ]
    assert [line.value for line in TotalsSoFar().lines[-2:]] == ["–", "–"]


def test_that_accesses_outside_the_arrays_are_counted_in_every_total_and_told(tmp_path: Path) -> None:
    """Each of 64 threads loads A four times and stores D once far outside of it, B and C within."""
    path = tmp_path / "apart.cu"
    beyond = APART.replace('"N // 8", "M // 8"', '"1", "1"').replace("A[row * K + k]", "A[row * K + k + 100000]")
    path.write_text(beyond.replace("D[row * N + col] =", "D[row * N + col + 100000] ="), encoding="utf-8")
    kernel = load_user_kernel(path)
    conditions = Conditions(Shape(8, 8, 4), Fill.UNIFORM, 1, device="machine", form=CodeForm.AS_WRITTEN)
    run = record(Job(kernel, kernel.params({})), conditions, find_device("machine"), [(0, 0, 0)], Watch())
    block = run.blocks[0].trace(run.sites, run.arrays)
    found = RunningTotals(block, timeline_of(block)).in_all
    counted = [s.index for s in run.sites if s.space is Space.GLOBAL and s.kind is AccessKind.LOAD]
    assert found.loads == run.counts.accesses[counted].sum() == 64 * (1 + 2 * 4)
    assert (found.outside_loads, found.stores, found.outside_stores) == (256, 64, 64)
    assert (found.a_loads, found.loads_per_element) == (0, 0.0)
    assert found.lines[0].words == "values loaded from global memory, 64 of them of C, 256 outside the arrays"
    assert found.lines[1].words == "values stored to global memory, 64 outside the arrays"
    assert notes_of(run)[0] == "320 accesses outside the arrays are counted like every other."
    counters = RunningLoadCounters(block, timeline_of(block)).before(2 * block.slot_site.size)
    assert (counters.global_loads, counters.outside) == (found.loads, 256)
    assert counters.lines[0].remarks[-1] == "256 outside the arrays"
