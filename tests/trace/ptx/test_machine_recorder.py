"""Recordings on the PTX machine, as written and as compiled, against each other and those made on a GPU."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gemmviz.backends.base import LaunchError
from gemmviz.backends.machine import recorder as machine_recorder
from gemmviz.backends.machine.device import MachineDevice
from gemmviz.backends.machine.recorder_factory import machine_recorder_for
from gemmviz.catalogue.examples import examples_folder
from gemmviz.catalogue.loader import load_catalogue, load_user_kernel
from gemmviz.domain.operands import make_operands
from gemmviz.domain.recordings.access import INACTIVE, BlockTrace
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.session.session import load_session
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm, Fill
from gemmviz.trace.analyse import analyse
from gemmviz.trace.hazards.findings import HazardKind
from gemmviz.trace.recorder import Recorder

CATALOGUE = load_catalogue()
SHAPE = Shape(40, 24, 20)
FIRST = np.zeros(1, np.int32)
RECORDED = load_session(examples_folder() / "gpu-odd.gemmviz").traces
"""One block of each rung up to double buffering, recorded on an H200 at 37x31x33."""
Accesses = Counter[tuple[int, str, str, int]]
"""Of line, kind, array, and byte from the array's start."""


def on_machine(
    machine: MachineDevice, name: str, form: CodeForm = CodeForm.AS_COMPILED, shape: Shape = SHAPE
) -> Recorder:
    kernel = CATALOGUE.get(name)
    plan = kernel.plan(shape, kernel.params({}), machine.device)
    return machine_recorder_for(machine, kernel, plan, shape, make_operands(shape, Fill.INTEGERS, 3), 60.0, form)


def accesses(trace: BlockTrace) -> Accesses:
    """Every lane's access, split into elements of four bytes."""
    found: Accesses = Counter()
    for slot, number in enumerate(trace.slot_site.tolist()):
        if number < 0:
            continue
        site = trace.sites[number]
        lanes = trace.addresses[:, slot][trace.addresses[:, slot] != INACTIVE]
        for address in lanes.tolist():
            (array,) = (each for each in trace.arrays if each.base <= address < each.base + each.nbytes)
            for more in range(0, site.width_bytes, 4):
                found[site.line, site.kind.value, array.name, address + more - array.base] += 1
    return found


def lines_of(found: Accesses) -> set[int]:
    return {line for line, _, _, _ in found}


def at_line_0(found: Accesses, lines: set[int]) -> Accesses:
    """The same, with 0 for any of these lines."""
    made: Accesses = Counter()
    for (line, kind, array, place), count in found.items():
        made[0 if line in lines else line, kind, array, place] += count
    return made


TEMPLATE = """/*---
title = "A race in a template"
entry = "mine"
requires = ["cuda"]
[launch]
block = ["16", "16"]
grid = ["ceil_div(N, 16)", "ceil_div(M, 16)"]
---*/
template <int T> __device__ float product(const float (*a)[T], const float *b, int ty, int tx)
{
    float sum = 0.0f;
    for (int k = 0; k < T; ++k) sum += a[ty][k] * b[k * T + tx];
    return sum;
}
extern "C" __global__ void mine(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[16][16], Bs[16][16];
    const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
    const float *pointers[2] = {A, B};
    float sum = 0.0f;
    for (int k0 = 0; k0 < K; k0 += 16) {
        As[ty][tx] = row < M && k0 + tx < K ? pointers[0][row * K + k0 + tx] : 0.0f;
        Bs[ty][tx] = k0 + ty < K && col < N ? pointers[1][(k0 + ty) * N + col] : 0.0f;
        __syncthreads();
        sum += product<16>(As, &Bs[0][0], ty, tx);
    }
    if (row < M && col < N) C[row * N + col] = sum;
}
"""
"""A barrier is missing, and the compiler forgets where pointers point to that are kept in memory (-G)."""


@pytest.mark.parametrize("form", CodeForm)
def test_that_pointers_of_unknown_memory_are_told_apart_by_their_addresses(
    machine: MachineDevice, tmp_path: Path, form: CodeForm
) -> None:
    (tmp_path / "mine.cu").write_text(TEMPLATE, encoding="utf-8")
    kernel = load_user_kernel(tmp_path / "mine.cu")
    plan = kernel.plan(SHAPE, kernel.params({}), machine.device)
    recorder = machine_recorder_for(machine, kernel, plan, SHAPE, make_operands(SHAPE, Fill.INTEGERS, 3), 60.0, form)
    made = analyse(recorder, np.arange(plan.launch.blocks, dtype=np.int32), SHAPE)
    assert recorder.instrumented.skipped == ()
    assert [(one.kind, one.count) for one in made.hazards] == [(HazardKind.RACE, 6 * 256)] * 2
    assert made.totals.global_load_requests == 2 * (8 + 8 + 4) * 2 + 6 * (8 + 2)
    assert made.totals.shared_load_requests == 6 * 2 * 8 * 32
    assert (made.reuse.a.sum(), made.reuse.b.sum()) == (40 * 20 * 2, 20 * 24 * 3)


@pytest.mark.parametrize("form", CodeForm)
def test_that_accesses_outside_an_array_are_found(machine: MachineDevice, form: CodeForm) -> None:
    tiled = CATALOGUE.get("tiled")
    text = tiled.text.replace("(row < M && k0 + tx < K) ? A[row * K + k0 + tx] : 0.0f", "A[row * K + k0 + tx]")
    text = text.replace("Bs[k][tx];", "Bs[k][tx + 1];").replace("C[row * N + col] =", "C[(row - 20) * N + col] =")
    kernel = replace(tiled, text=text)
    plan = kernel.plan(SHAPE, kernel.params({}), machine.device)
    recorder = machine_recorder_for(machine, kernel, plan, SHAPE, make_operands(SHAPE, Fill.INTEGERS, 3), 60.0, form)
    hazards = analyse(recorder, np.arange(plan.launch.blocks, dtype=np.int32), SHAPE).hazards
    lines = {number: line.strip() for number, line in enumerate(text.splitlines(), 1)}
    assert {one.kind for one in hazards} == {HazardKind.OUT_OF_BOUNDS}
    assert sorted((lines[one.line][:9], one.count) for one in hazards) == [
        ("As[ty][tx", 2 * sum(row * 20 + k >= 40 * 20 for row in range(48) for k in range(32))),
        ("C[(row - ", 20 * 24),
        ("acc += As", 2 * 6 * 16),
    ]


@pytest.mark.parametrize("run", RECORDED, ids=lambda run: run.spec.kernel)
def test_that_a_recording_made_on_a_gpu_is_made_again(machine: MachineDevice, run: TraceRun) -> None:
    """A helper that several lines call was recorded at its own lines then, and is at the lines that call it now."""
    kernel, shape = CATALOGUE.get(run.spec.kernel), run.spec.shape
    plan = kernel.plan(shape, run.spec.params, machine.device)
    operands = make_operands(shape, run.spec.fill, run.spec.seed)
    recorder = machine_recorder_for(machine, kernel, plan, shape, operands, 60.0, run.form)
    stored = run.blocks[0]
    x, y, z = stored.block
    index = x + plan.launch.grid[0] * (y + plan.launch.grid[1] * z)
    (made,) = recorder.blocks(np.array([index], np.int32))
    now, then = accesses(made), accesses(stored.trace(run.sites, run.arrays))
    calls, helper = lines_of(now) - lines_of(then), lines_of(then) - lines_of(now)
    source = kernel.text.splitlines()
    begin = next(number for number, line in enumerate(source, 1) if "__global__" in line)
    assert all(line < begin for line in helper)
    assert all("four_of(" in source[line - 1] for line in calls)
    assert at_line_0(now, calls) == at_line_0(then, helper)


def test_that_shared_memory_holds_the_same_at_each_barrier_in_both_forms(machine: MachineDevice) -> None:
    written, compiled = (on_machine(machine, "tiled", form).snapshots(1) for form in CodeForm)
    assert [(one.epoch, one.array) for one in written] == [(one.epoch, one.array) for one in compiled]
    for mine, other in zip(written, compiled, strict=True):
        assert (mine.origin >= 0).any()
        np.testing.assert_array_equal(mine.origin, other.origin)
        np.testing.assert_array_equal(mine.matrix[mine.origin >= 0], other.matrix[other.origin >= 0])


def test_that_only_the_chosen_blocks_run(machine: MachineDevice) -> None:
    recorder = on_machine(machine, "tiled")
    (trace,) = recorder.blocks(np.array([3], np.int32))
    assert trace.block == (1, 1, 0)
    expected = np.full((SHAPE.m, SHAPE.n), np.nan, np.float32)
    operands = make_operands(SHAPE, Fill.INTEGERS, 3)
    expected[16:32, 16:24] = (operands.a.astype(np.float64) @ operands.b)[16:32, 16:24]
    np.testing.assert_array_equal(recorder.c[0], expected)


def test_that_a_log_grows_as_long_as_it_may(machine: MachineDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    shape = Shape(1, 32, 5000)  # two loads for each k, and the store: more than many pieces of a log hold
    recorder = on_machine(machine, "naive", shape=shape)
    (trace,) = recorder.blocks(FIRST)
    assert (trace.addresses != INACTIVE).any(axis=2).sum() == 2 * shape.k + 1
    monkeypatch.setattr(machine_recorder, "MAX_BYTES", 1 << 20)
    words = r"^line \d+: the kernel may loop without end.* in block \(0, 0, 0\) threads 0 to .* run in "
    with pytest.raises(LaunchError, match=words):
        list(recorder.blocks(FIRST))


def test_that_asynchronous_copies_are_seen_in_shared_memory(machine: MachineDevice) -> None:
    recorder = on_machine(machine, "cp_async", shape=Shape(128, 128, 32))
    snapshots = recorder.snapshots(0)
    assert {one.array for one in snapshots} == {"buffers"}
    held = [one.origin >= 0 for one in snapshots]
    copied = {
        pair
        for one, there in zip(snapshots, held, strict=True)
        for pair in zip(one.matrix[there].tolist(), one.origin[there].tolist(), strict=True)
    }
    assert copied == {(matrix, number) for matrix in (0, 1) for number in range(128 * 32)}


def _own(machine: MachineDevice, folder: Path, body: str, limit_s: float = 60.0) -> Recorder:
    """A recorder of a kernel of one block of 32 threads."""
    header = TEMPLATE.split("---*/")[0].replace('["16", "16"]', '["32"]')
    head = "(const float *A, const float *B, float *C, int M, int N, int K)"
    path = folder / "mine.cu"
    path.write_text(f'{header}---*/\nextern "C" __global__ void mine{head}\n{{\n{body}\n}}\n', encoding="utf-8")
    kernel, shape = load_user_kernel(path), Shape(1, 32, 8)
    plan = kernel.plan(shape, (), machine.device)
    return machine_recorder_for(machine, kernel, plan, shape, make_operands(shape, Fill.INTEGERS, 3), limit_s)


def test_that_what_an_endless_loop_wrote_down_is_not_looked_at(machine: MachineDevice, tmp_path: Path) -> None:
    """It writes down hundreds of megabytes until its time is over."""
    recorder = _own(
        machine, tmp_path, "while (((volatile float *)C)[threadIdx.x] != 7.5f) C[threadIdx.x] += 1.0f;", 0.5
    )
    used = time.process_time()
    with pytest.raises(
        LaunchError, match=r"did not end within 0\.5 s: in block \(0, 0, 0\) threads 0 to 31 run in line"
    ):
        list(recorder.blocks(FIRST))
    assert time.process_time() - used < 4


def test_that_an_mbarrier_at_a_wrong_address_is_a_fault_where_a_kernel_is_recorded(
    machine: MachineDevice, tmp_path: Path
) -> None:
    body = """__shared__ alignas(8) unsigned long long bar[2];
    unsigned a = (unsigned)__cvta_generic_to_shared(bar) + 4;
    asm volatile("mbarrier.init.shared.b64 [%0], 4;" :: "r"(a));
    C[threadIdx.x] = 1;"""
    with pytest.raises(LaunchError, match=r"mbarrier\.init\.shared\.b64 of an address that is not aligned to its size"):
        list(_own(machine, tmp_path, body).blocks(FIRST))
