"""Atomic operations are no races with each other, but with plain accesses; reads of a C that nothing has written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gemmviz.backends.machine.device import MachineDevice
from gemmviz.backends.machine.recorder_factory import machine_recorder_for
from gemmviz.catalogue.loader import load_user_kernel
from gemmviz.domain.operands import make_operands
from gemmviz.domain.recordings.access import AccessKind, AccessPath, Site, Space
from gemmviz.domain.recordings.hazard import Hazard, HazardKind
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill
from gemmviz.trace.analyse import analyse
from gemmviz.trace.counts.columns import BYTES_ASKED, FIGURES, REQUESTS, SECTORS, SiteColumns
from gemmviz.trace.counts.totals import by_line, total
from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.plan import FrameMode
from gemmviz.trace.recorder import Recorder

SHAPE = Shape(4, 32, 6)
SPLIT_K = (Path(__file__).parents[2] / "data" / "c_begins" / "split_k.cu").read_text(encoding="utf-8")
ADD = "atomicAdd(&C[row * N + col], sum);"
SHARED = """__shared__ float total[32];
    FIRST
    atomicAdd(&total[threadIdx.x], sum);
    __syncthreads();
    if (threadIdx.y == 0) atomicAdd(&C[row * N + col], total[threadIdx.x]);"""


@pytest.fixture
def recorder_of(machine: MachineDevice, tmp_path: Path):
    def make(text: str) -> Recorder:
        path = tmp_path / "own.cu"
        path.write_text(text, encoding="utf-8")
        kernel = load_user_kernel(path)
        plan = kernel.plan(SHAPE, (), machine.device)
        return machine_recorder_for(machine, kernel, plan, SHAPE, make_operands(SHAPE, Fill.INTEGERS, 3), 60.0)

    return make


@pytest.fixture
def hazards_of(recorder_of):
    def find(text: str, blocks: int = 2) -> tuple[Hazard, ...]:
        return analyse(recorder_of(text), np.arange(blocks, dtype=np.int32), SHAPE).hazards

    return find


def undefined(text: str) -> str:
    return text.replace('c_begins = "zero"\n', "")


def test_that_blocks_that_add_to_c_atomically_do_not_race(recorder_of) -> None:
    recorder = recorder_of(SPLIT_K)
    analysis = analyse(recorder, np.arange(2, dtype=np.int32), SHAPE)
    assert analysis.hazards == ()
    assert AccessPath.ATOMIC in {site.path for site in recorder.sites.sites}
    operands = make_operands(SHAPE, Fill.INTEGERS, 3)
    for _ in range(2):  # C begins as zero each time
        np.testing.assert_array_equal(recorder.c[0], operands.a @ operands.b)
        list(recorder.blocks(np.arange(2, dtype=np.int32)))


CAS = """int *place = (int *)&C[row * N + col];
    int old = *place, seen;
    do { seen = old; old = atomicCAS(place, seen, __float_as_int(__int_as_float(seen) + sum)); } while (old != seen);"""


def test_that_an_atomic_operation_is_one_request_and_neither_a_load_nor_a_store(recorder_of) -> None:
    first = "if (threadIdx.y == 0) total[threadIdx.x] = 0.0f; __syncthreads();"
    text = SPLIT_K.replace(ADD, SHARED.replace("FIRST", first))
    found = analyse(recorder_of(text), np.arange(2, dtype=np.int32), SHAPE)
    totals = found.totals
    assert (totals.global_atomic_requests, totals.global_atomic_sectors) == (2, 8)  # a row of 32 floats each
    assert (totals.shared_atomic_requests, totals.shared_atomic_wavefronts) == (8, 8)
    assert totals.shared_atomic_ideal_wavefronts == 8
    assert totals.global_store_requests == 0
    assert totals.shared_store_requests == 2
    assert totals.global_requests == totals.global_load_requests + 2


def test_that_lanes_at_one_address_are_as_many_sectors_on_the_way_to_it(recorder_of) -> None:
    """A row of 32 lanes adds to 8 elements of one sector: four lanes want each."""
    text = SPLIT_K.replace(ADD, ADD.replace("col]", "col / 32 * 32 + col % 8]"))
    assert text != SPLIT_K
    totals = analyse(recorder_of(text), np.arange(2, dtype=np.int32), SHAPE).totals
    assert totals.global_atomic_sectors == 4 * totals.global_atomic_requests > 0
    distinct = analyse(recorder_of(SPLIT_K), np.arange(2, dtype=np.int32), SHAPE).totals
    assert distinct.global_atomic_requests == totals.global_atomic_requests
    assert distinct.bytes_moved - totals.bytes_moved == 32 * 3 * totals.global_atomic_requests


def test_that_the_load_of_an_atomic_operation_in_an_older_recording_counts_nothing() -> None:
    sites = tuple(
        Site(i, 5, 1, "atom.global.add.f32", Space.GLOBAL, kind, 4, "C", path=AccessPath.ATOMIC)
        for i, kind in enumerate((AccessKind.LOAD, AccessKind.STORE))
    )
    counts = np.zeros((2, len(FIGURES)), np.int64)
    counts[:, [REQUESTS, SECTORS, BYTES_ASKED]] = 3, 12, 384
    found = total(sites, SiteColumns(counts), SHAPE)
    assert (found.global_atomic_requests, found.global_atomic_sectors, found.bytes_asked) == (3, 12, 384)
    (line,) = by_line(sites, SiteColumns(counts))
    assert (line.global_requests, line.sectors, line.bytes_asked) == (3, 12, 384)


def test_that_a_frame_says_how_many_atomic_operations_there_are(recorder_of) -> None:
    (trace,) = recorder_of(SPLIT_K).blocks(np.zeros(1, np.int32))
    frames = Frames(trace, FrameMode.PHASE)
    assert "128 atomic operations on all of C" in frames.frame(len(frames) - 1).caption
    requests = Frames(trace, FrameMode.REQUEST)
    assert "32 lanes: atomically change row 3, columns 0–31 of C" in requests.frame(len(requests) - 1).caption


@pytest.mark.parametrize("blocks", [[0, 1], [1, 0]])
def test_that_the_first_read_of_a_compare_and_swap_loop_is_told_as_a_plain_read(recorder_of, blocks) -> None:
    recorder = recorder_of(SPLIT_K.replace(ADD, CAS))
    found = analyse(recorder, np.array(blocks, np.int32), SHAPE).hazards
    assert {hazard.kind for hazard in found} == {HazardKind.PLAIN_READ}
    read = next(hazard for hazard in found if "reads C[0,0]" in hazard.detail)
    assert "atomically changes it (line 21); a read that is not atomic may be out of date" in read.detail
    assert (read.array, read.elements) == ("C", (0, 128))
    operands = make_operands(SHAPE, Fill.INTEGERS, 3)
    np.testing.assert_array_equal(recorder.c[0], operands.a @ operands.b)


def test_that_a_compare_and_swap_loop_on_an_undefined_c_reads_what_nothing_has_written(hazards_of) -> None:
    kinds = {hazard.kind for hazard in hazards_of(undefined(SPLIT_K).replace(ADD, CAS))}
    assert kinds == {HazardKind.PLAIN_READ, HazardKind.UNWRITTEN_READ}


def test_that_a_plain_access_races_with_another_block_s_atomic_one(hazards_of) -> None:
    mixed = f"if (blockIdx.z == 0) C[row * N + col] = sum; else {ADD}"
    (race,) = hazards_of(SPLIT_K.replace(ADD, mixed))
    assert race.kind is HazardKind.BLOCK_RACE
    assert "atomically changes C[0,0]" in race.detail
    assert "block (0, 0, 0) writes it" in race.detail


def test_that_plain_additions_of_several_blocks_race(hazards_of) -> None:
    found = hazards_of(SPLIT_K.replace(ADD, "C[row * N + col] += sum;"))
    assert {hazard.kind for hazard in found} == {HazardKind.BLOCK_RACE}


LOCK = """if (threadIdx.x + threadIdx.y == 0) { while (atomicCAS(&lock, 0, 1) != 0) {} FENCE }
    __syncthreads();
    C[row * N + col] += sum;
    __syncthreads();
    if (threadIdx.x + threadIdx.y == 0) { FENCE atomicExch(&lock, 0); }"""
FLAG = """if (blockIdx.z == 1) while (*(volatile int *)&lock == 0) {}
    FENCE
    C[row * N + col] += sum;
    FENCE
    __syncthreads();
    *(volatile int *)&lock = 1;"""
LAST = """if (blockIdx.z == 0) C[row * N + col] = sum;
    FENCE
    __syncthreads();
    if (threadIdx.x + threadIdx.y == 0) is_last = atomicAdd(&lock, 1) == 1;
    __syncthreads();
    if (is_last) C[row * N + col] += 1.0f;"""


@pytest.mark.parametrize("body", [LOCK, FLAG, LAST])
@pytest.mark.parametrize(
    ("fence", "may_order"), [("__threadfence();", True), ("__threadfence_block();", False), ("", False)]
)
def test_that_it_is_known_whether_blocks_may_wait_for_each_other(
    recorder_of, body: str, fence: str, may_order: bool
) -> None:
    text = SPLIT_K.replace('extern "C"', '__device__ int lock;\nextern "C"')
    text = text.replace("    const int row", "    __shared__ bool is_last;\n    const int row")
    made = recorder_of(text.replace(ADD, body.replace("FENCE", fence))).instrumented
    assert made.may_order_blocks is may_order
    assert made.follows_order


@pytest.mark.parametrize("body", [ADD, "C[row * N + col] += sum;"])
def test_that_a_read_of_an_undefined_c_is_told_with_line_thread_and_element(hazards_of, body: str) -> None:
    (hazard,) = hazards_of(undefined(SPLIT_K).replace(ADD, body).replace('"2"]', '"1"]'), blocks=1)
    assert hazard.kind is HazardKind.UNWRITTEN_READ
    line = 1 + SPLIT_K[: SPLIT_K.index(ADD)].count("\n") - 1  # the header has one line less
    assert (hazard.line, hazard.threads[0], hazard.count) == (line, 0, 128)
    assert f"thread 0 reads C[0,0] (line {line})" in hazard.detail
    assert 'c_begins = "zero"' in hazard.detail


def test_that_a_written_c_may_be_read(hazards_of) -> None:
    text = undefined(SPLIT_K).replace('"2"]', '"1"]')
    assert hazards_of(text.replace(ADD, f"C[row * N + col] = 0.0f; {ADD}"), blocks=1) == ()
    assert hazards_of(text.replace(ADD, f"atomicExch(&C[row * N + col], 1.0f); {ADD}"), blocks=1) == ()


def test_that_a_read_of_what_another_block_wrote_is_its_race_and_no_uninitialised_read(hazards_of) -> None:
    text = undefined(SPLIT_K).replace(ADD, f"if (blockIdx.z == 0) C[row * N + col] = sum; else {ADD}")
    assert {hazard.kind for hazard in hazards_of(text)} == {HazardKind.BLOCK_RACE}


def test_that_some_blocks_are_not_judged_where_blocks_may_wait_for_each_other(hazards_of) -> None:
    counted = SPLIT_K.replace('extern "C"', '__device__ int turn;\nextern "C"', 1)
    text = undefined(counted).replace(ADD, "atomicAdd(&turn, 1); C[row * N + col] += sum;")
    assert hazards_of(text, blocks=1) == ()


def test_that_atomic_additions_in_shared_memory_do_not_race(hazards_of) -> None:
    first = "if (threadIdx.y == 0) total[threadIdx.x] = 0.0f; __syncthreads();"
    assert hazards_of(SPLIT_K.replace(ADD, SHARED.replace("FIRST", first))) == ()


def test_that_shared_memory_must_be_written_before_it_is_added_to(hazards_of) -> None:
    (hazard,) = hazards_of(SPLIT_K.replace(ADD, SHARED.replace("FIRST", "")))
    assert hazard.kind is HazardKind.UNWRITTEN_READ
    assert "reads total[0]" in hazard.detail


def test_that_a_plain_store_races_with_an_atomic_addition(hazards_of) -> None:
    found = hazards_of(SPLIT_K.replace(ADD, SHARED.replace("FIRST", "total[threadIdx.x] = 0.0f;")))
    assert HazardKind.RACE in {hazard.kind for hazard in found}


def test_that_a_counter_of_the_module_is_recorded_and_does_not_race(recorder_of) -> None:
    counted = SPLIT_K.replace('extern "C"', '__device__ int turn;\nextern "C"', 1)
    recorder = recorder_of(counted.replace(ADD, f"atomicAdd(&turn, 1); {ADD}"))
    assert analyse(recorder, np.arange(2, dtype=np.int32), SHAPE).hazards == ()
    assert recorder.sites.skipped == ()
    assert "turn" in {site.array for site in recorder.sites.sites}
    assert recorder.instrumented.hidden == frozenset()


ACCESSES = {
    "plain": ("C[i] = sum;", "sum = C[i];"),
    "volatile": ("*(volatile float *)&C[i] = sum;", "sum = *(volatile float *)&C[i];"),
    "relaxed": (
        'asm volatile("st.relaxed.gpu.global.f32 [%0], %1;" :: "l"(&C[i]), "f"(sum) : "memory");',
        'asm volatile("ld.relaxed.gpu.global.f32 %0, [%1];" : "=f"(sum) : "l"(&C[i]) : "memory");',
    ),
}


@pytest.mark.parametrize("path", ACCESSES)
def test_that_accesses_to_c_itself_are_counted_and_race_however_they_are_written(recorder_of, path: str) -> None:
    """A store, a load and a store by each of 4 warps of each of two blocks, of a row of 32 numbers: 4 sectors each."""
    store, load = ACCESSES[path]
    body = f"const int i = row * N + col; {store} {load} sum += 1.0f; {store}"
    recorder = recorder_of(SPLIT_K.replace(ADD, body))
    found = analyse(recorder, np.arange(2, dtype=np.int32), SHAPE)
    at = [site for site in recorder.sites.sites if site.array == "C"]
    stores, loads = (
        sum(int(found.columns.requests[site.index]) for site in at if site.kind is kind)
        for kind in (AccessKind.STORE, AccessKind.LOAD)
    )
    expected = (8, 0) if path == "plain" else (16, 8)  # the compiler drops what a plain access need not do
    assert (stores, loads) == expected
    assert found.totals.global_store_requests == stores
    assert sum(int(found.columns.sectors[site.index]) for site in at) == 4 * (stores + loads)
    assert {hazard.kind for hazard in found.hazards} == {HazardKind.BLOCK_RACE}
    assert {hazard.array for hazard in found.hazards} == {"C"}
