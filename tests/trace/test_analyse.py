"""Whole recordings analysed: each fault of tests/data/faulty is found, and sums do not depend on how they are added."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from pace import clock_limit_s

from gemmviz.backends.machine.device import MachineDevice
from gemmviz.backends.recording import recorder_for
from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import load_catalogue, load_user_kernel
from gemmviz.domain.operands import make_operands
from gemmviz.domain.recordings.access import BlockTrace
from gemmviz.domain.recordings.hazard import Hazard, HazardKind
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill
from gemmviz.trace import analyse as analysis_module
from gemmviz.trace.analyse import Analysis, analyse
from gemmviz.trace.hazards.hazards import find_hazards
from gemmviz.trace.recorder import BlocksSeen, Recorder
from gemmviz.trace.repeats import whole_trace

FAULTY = Path(__file__).parents[1] / "data" / "faulty"
SHAPE = Shape(20, 19, 21)
OUT, RACE, UNWRITTEN = HazardKind.OUT_OF_BOUNDS, HazardKind.RACE, HazardKind.UNWRITTEN_READ
STORE_A, STORE_B, READ, STORE_C = "As[ty][tx] =", "Bs[ty][tx] =", "acc += As[ty][k]", "C[row * N + col] = acc"
FAULTS = {
    "no_first_barrier": {(RACE, READ, "As[ty][k]"), (RACE, READ, "Bs[k][tx]")},
    "no_second_barrier": {(RACE, STORE_A, "As[ty][tx]"), (RACE, STORE_B, "Bs[ty][tx]")},
    "guard_one_too_far": {(OUT, STORE_A, "A[row * K + k0 + tx]")},
    "transposed_index": {(OUT, STORE_A, "A[(k0 + tx) * K + row]")},
    "unwritten_slot": {(UNWRITTEN, READ, "As[ty][k]")},
    "two_blocks": {(HazardKind.BLOCK_RACE, "= acc", "C[threadIdx.y * N + col]")},
    "far_write": {(OUT, "= acc", "C[row * N + col + 1000000000]")},
    "barrier_never": {(RACE, STORE_A, "As[ty][tx]"), (RACE, STORE_B, "Bs[ty][tx]")},
    "barrier_sometimes": {(RACE, STORE_A, "As[ty][tx]"), (RACE, STORE_B, "Bs[ty][tx]")},
    "misaligned": {
        (HazardKind.MISALIGNED, "first = ", "*(const float4 *)(A + 1)"),
        (HazardKind.MISALIGNED, "= first", "*(float4 *)(s + t)"),
    },
    "member_race": {(RACE, "= other->a", "other->a")},
    "member_too_far": {(OUT, "(cell + 1000000)", "(cell + 1000000)->value")},
    "other_block_reads": {
        (HazardKind.BLOCK_RACE, "C[row * N + col] = acc; // first", "C[row * N + col]"),
        (HazardKind.BLOCK_RACE, "C[row * N + col] = acc; // again", "C[row * N + col]"),
    },
}

Make = Callable[..., tuple[Recorder, np.ndarray]]


@pytest.fixture(scope="module")
def recorder_of(machine: MachineDevice) -> Make:
    """A recorder of a kernel and the indices of all blocks of its grid."""

    def make(kernel: Kernel, shape: Shape, **params: int) -> tuple[Recorder, np.ndarray]:
        plan = kernel.plan(shape, kernel.params(params), machine.device)
        recorder = recorder_for(machine, kernel, plan, shape, make_operands(shape, Fill.UNIFORM, 0), 60.0)
        return recorder, np.arange(plan.launch.blocks, dtype=np.int32)

    return make


@pytest.fixture(scope="module")
def faulty(recorder_of: Make) -> Callable[[str], Analysis]:
    found: dict[str, Analysis] = {}

    def look(name: str) -> Analysis:
        if name not in found:
            found[name] = analyse(*recorder_of(load_user_kernel(FAULTY / f"{name}.cu"), SHAPE), SHAPE)
        return found[name]

    return look


def line_with(name: str, text: str) -> int:
    lines = (FAULTY / f"{name}.cu").read_text(encoding="utf-8").splitlines()
    (number,) = [number for number, line in enumerate(lines, 1) if text in line]
    return number


def only(analysis: Analysis) -> Hazard:
    (hazard,) = analysis.hazards
    return hazard


@pytest.mark.parametrize("name", FAULTS)
def test_that_a_fault_is_found_where_it_is_and_nothing_else(faulty: Callable[[str], Analysis], name: str) -> None:
    expected = {(kind, line_with(name, line), text) for kind, line, text in FAULTS[name]}
    assert {(hazard.kind, hazard.line, hazard.text) for hazard in faulty(name).hazards} == expected


def test_that_every_faulty_kernel_has_a_test() -> None:
    assert {path.stem for path in FAULTY.glob("*.cu")} == {*FAULTS, "divergent_barrier", "endless"}


def test_that_it_is_said_how_far_out_of_bounds_an_access_is(faulty: Callable[[str], Analysis]) -> None:
    hazard = only(faulty("guard_one_too_far"))
    # Row 20 is the fifth of block row 2: threads 32 to 39 read A[20,k], K elements in three rows of blocks.
    assert (hazard.block, hazard.threads, hazard.epoch) == ((0, 2, 0), (32, 33, 34, 35, 36, 37, 38, 39), 0)
    assert (hazard.count, hazard.blocks) == (3 * SHAPE.k, 3)
    assert "4 bytes (1 element) past the end of A, which has 20×21 elements" in hazard.detail
    far = only(faulty("far_write"))
    assert far.count == SHAPE.m * SHAPE.n
    beyond = 1_000_000_000 - SHAPE.m * SHAPE.n + 1
    assert f"{4 * beyond} bytes ({beyond} elements) past the end of C" in far.detail


def test_that_a_transposed_index_is_found_in_the_thread_that_leaves_a(faulty: Callable[[str], Analysis]) -> None:
    hazard = only(faulty("transposed_index"))
    # A[20 * 21 + row] with k = 20, the fifth column of the third tile, which two barriers each go before.
    assert hazard.epoch == 4
    assert {thread % 8 for thread in hazard.threads} == {4}
    assert hazard.count == 3 * SHAPE.m


def test_that_two_blocks_are_both_named(faulty: Callable[[str], Analysis]) -> None:
    hazard = only(faulty("two_blocks"))
    assert hazard.block == (0, 1, 0)
    assert "block (0, 0, 0) writes it too" in hazard.detail
    assert (hazard.count, hazard.blocks) == ((SHAPE.m - 8) * SHAPE.n, 6)


def test_that_a_block_that_reads_what_another_writes_is_told_from_two_that_write(
    faulty: Callable[[str], Analysis],
) -> None:
    for hazard in faulty("other_block_reads").hazards:
        assert (hazard.block, hazard.threads) == ((0, 1, 0), (0,))
        assert "block (0, 0, 0) reads it (line 17); blocks cannot wait for each other" in hazard.detail
        assert hazard.count == (SHAPE.m - 8) * SHAPE.n


def test_that_a_barrier_that_is_skipped_once_separates_the_other_times(faulty: Callable[[str], Analysis]) -> None:
    """Of three tiles the second is stored too early, in nine blocks of 64 threads; without a barrier the third too."""
    assert [hazard.count for hazard in faulty("barrier_sometimes").hazards] == [9 * 64] * 2
    assert [hazard.count for hazard in faulty("barrier_never").hazards] == [9 * 2 * 64] * 2
    assert {hazard.epoch for hazard in faulty("barrier_sometimes").hazards} == {1}


def test_that_it_is_said_how_far_an_address_is_from_where_it_must_be(faulty: Callable[[str], Analysis]) -> None:
    load, store = faulty("misaligned").hazards
    assert "thread 0 reads *(const float4 *)(A + 1)" in load.detail
    assert "at byte 4 of A: that is 4 bytes past a multiple of 16" in load.detail
    assert load.count == 9 * 64
    assert "thread 1 writes *(float4 *)(s + t)" in store.detail
    assert store.count == 9 * 48  # every fourth thread stores where it must


def test_that_a_member_behind_a_pointer_is_measured_against_its_array(faulty: Callable[[str], Analysis]) -> None:
    hazard = only(faulty("member_too_far"))
    assert hazard.count == 9  # thread 0 of each block
    beyond = 1_000_000 - SHAPE.m * SHAPE.n + 1
    assert f"{4 * beyond} bytes ({beyond} elements) past the end of C" in hazard.detail
    assert only(faulty("member_race")).count == 9 * 64


def test_that_the_threads_of_a_race_are_named(faulty: Callable[[str], Analysis]) -> None:
    first = next(h for h in faulty("no_second_barrier").hazards if h.text == "As[ty][tx]")
    assert (first.threads, first.epoch) == ((1, 0), 1)
    assert "a barrier between the two accesses is missing" in first.detail
    # In each of nine blocks each of two later tiles is stored while seven others of a row read the last one.
    assert first.count == 9 * 2 * 64


def test_that_a_barrier_that_some_threads_miss_is_found(recorder_of: Make) -> None:
    name = "divergent_barrier"
    recorder, indices = recorder_of(load_user_kernel(FAULTY / f"{name}.cu"), SHAPE)
    analysis = analyse(recorder, indices, SHAPE)
    found = [hazard for hazard in analysis.hazards if hazard.kind is HazardKind.DIVERGENT_BARRIER]
    assert [hazard.line for hazard in found] == [line_with(name, STORE_B) + 1, line_with(name, READ) + 1]
    assert {hazard.text for hazard in found} == {"__syncthreads()"}
    for hazard in found:
        assert hazard.block == (0, 2, 0)
        assert hazard.threads[0] == 32  # rows 16 to 19 are the first four of the block
        assert "32 of the block's 64 threads wait" in hazard.detail
        assert hazard.count == 9  # three tiles in three blocks
    # What the missing threads never stored is read, and told where it belongs.
    assert list(analysis.hazards) == found
    assert found[0].detail.endswith(f"these reads are uninitialised: Bs[k][tx] (line {line_with(name, READ)})")


def test_that_no_fault_is_reported_where_the_size_hides_it(recorder_of: Make) -> None:
    recorder, indices = recorder_of(load_user_kernel(FAULTY / "guard_one_too_far.cu"), Shape(16, 16, 16))
    assert analyse(recorder, indices, Shape(16, 16, 16)).hazards == ()


@pytest.mark.parametrize("threads", [1, 5])
def test_that_sums_are_the_same_with_one_thread_and_with_many(
    recorder_of: Make, monkeypatch: pytest.MonkeyPatch, threads: int
) -> None:
    recorder, indices = recorder_of(load_catalogue().get("tiled"), SHAPE, TILE=4)
    first = analyse(recorder, indices, SHAPE)
    monkeypatch.setattr("os.sched_getaffinity", lambda _process: range(threads), raising=False)
    monkeypatch.setattr(analysis_module, "_STACK_BYTES", 1 if threads == 1 else 1 << 30)
    seen: list[BlocksSeen] = []
    again = analyse(recorder, indices, SHAPE, seen.append)
    assert again.totals == first.totals
    assert (again.reuse.a == first.reuse.a).all()
    assert (again.reuse.b == first.reuse.b).all()
    assert again.reuse.bytes_asked == first.reuse.bytes_asked
    assert (again.accesses, again.blocks_recorded) == (first.accesses, first.blocks_recorded)
    steps = [one.blocks for one in seen]
    assert next(step for step in steps if step) == 1
    assert steps == sorted(steps)
    assert steps[-1] == indices.size


def test_that_what_hears_of_the_progress_can_end_the_recording(recorder_of: Make) -> None:
    recorder, indices = recorder_of(load_catalogue().get("tiled"), Shape(600, 600, 600), TILE=4)

    def cancel(seen: BlocksSeen) -> None:
        if seen.blocks > 1:
            raise InterruptedError

    begin = time.perf_counter()
    with pytest.raises(InterruptedError):
        analyse(recorder, indices, Shape(600, 600, 600), cancel)
    assert time.perf_counter() - begin < clock_limit_s(2)


def test_that_each_block_is_recorded_once(recorder_of: Make) -> None:
    recorder, _ = recorder_of(load_catalogue().get("tiled"), SHAPE, TILE=4)
    with pytest.raises(ValueError, match="runs once"):
        analyse(recorder, np.array([2, 3, 2], np.int32), SHAPE)


def test_that_tiles_save_loads(recorder_of: Make) -> None:
    shape = Shape(12, 16, 8)
    recorder, indices = recorder_of(load_catalogue().get("tiled"), shape, TILE=4)
    analysis = analyse(recorder, indices, shape)
    assert (analysis.reuse.a == 16 // 4).all()
    assert (analysis.reuse.b == 12 // 4).all()
    # Loads and stores of global memory, stores and loads of shared memory.
    tiles = 2 * (12 * 16 * 8 // 4)
    assert analysis.accesses == tiles + 12 * 16 + tiles + 2 * 12 * 16 * 8


def test_that_partial_sums_are_no_fault(recorder_of: Make) -> None:
    shape = Shape(1, 1, 1073)
    analysis = analyse(*recorder_of(load_catalogue().get("dot"), shape), shape)
    assert analysis.hazards == ()
    assert analysis.blocks_recorded == 3
    assert (analysis.reuse.a == 1).all()
    assert analysis.totals.global_store_requests == 3
    assert analysis.reuse.bytes_asked == 4 * (2 * shape.k + 3)  # A and B once, a sum of each block


def test_that_all_blocks_are_searched_and_of_very_many_accesses_some(
    recorder_of: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder, indices = recorder_of(load_catalogue().get("tiled"), SHAPE, TILE=2)
    searched: list[tuple[int, int, int]] = []

    def search(trace: BlockTrace, _c_is_undefined: bool, *, is_part: bool) -> tuple[Hazard, ...]:
        searched.append(trace.block)
        return find_hazards(trace, is_part=is_part)

    monkeypatch.setattr(analysis_module, "find_hazards", search)
    for_each = recorder.for_each
    monkeypatch.setattr(
        recorder,
        "for_each",
        lambda indices, see, told: for_each(indices, lambda place, one: see(place, whole_trace(one)), told),
    )
    whole = analyse(recorder, indices, SHAPE)
    assert sorted(searched) == sorted(set(searched))
    assert len(searched) == 100 == whole.blocks_searched
    searched.clear()
    monkeypatch.setattr("gemmviz.trace.hazards.search.SEARCHED_ACCESSES", 1)
    part = analyse(recorder, indices, SHAPE)
    assert {(0, 0, 0), (9, 0, 0), (0, 9, 0), (9, 9, 0)} <= set(searched)
    assert len(searched) == part.blocks_searched <= 16
    assert part.blocks_recorded == 100


HANDED = """/*---
title = "One warp hands each row of B to the other"
entry = "handed"
requires = ["cuda"]
[launch]
block = [64]
grid = ["ceil_div(N, 32)", "M"]
---*/
__global__ void handed(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float held[32];
    int lane = threadIdx.x % 32, col = blockIdx.x * 32 + lane;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) {
        if (threadIdx.x < 32) {
            asm volatile("bar.sync 1, 64;" ::: "memory");
            held[lane] = col < N ? B[k * N + col] : 0.0f;
            asm volatile("bar.arrive 2, 64;" ::: "memory");
        } else {
            asm volatile("bar.arrive 1, 64;" ::: "memory");
            asm volatile("bar.sync 2, 64;" ::: "memory");
            sum += A[blockIdx.y * K + k] * held[lane];
        }
    }
    if (threadIdx.x >= 32 && col < N) C[blockIdx.y * N + col] = sum;
}
"""


@pytest.mark.usefixtures("nvrtc")
def test_that_arrivals_are_said_not_to_be_followed_and_what_they_order_is_no_race(
    recorder_of: Make, tmp_path: Path
) -> None:
    file = tmp_path / "handed.cu"
    file.write_text(HANDED, encoding="utf-8")
    shape = Shape(3, 40, 5)
    recorder, blocks = recorder_of(load_user_kernel(file), shape)
    assert analyse(recorder, blocks, shape).hazards == ()
    assert {(one.line, one.text) for one in recorder.instrumented.skipped} == {(18, "bar.arrive"), (20, "bar.arrive")}
