"""Blocks that wait for a later one are recorded together, and a block recorded without the other says what it lacks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from own_recordings import block_0, recorder_of_text, whole_grid

from gemmviz.backends.base import LaunchError
from gemmviz.backends.machine import recorder as machine_recorder
from gemmviz.backends.machine.device import MachineDevice
from gemmviz.backends.machine.recorder import MachineRecorder
from gemmviz.compiler.nvidia.instructions import FUSED
from gemmviz.domain.operands import make_operands
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch
from gemmviz.domain.terms import CodeForm, Fill
from gemmviz.trace.analyse import analyse

SHAPE = Shape(3, 32, 5)
LAUNCH = Launch((3, 1, 1), (32, 1, 1))
TEXT = """
__device__ int ready, counted;
__global__ void k(const float *A, const float *B, float *C, int M, int N, int K) {
    const int row = blockIdx.x, col = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + col];
    if (row == 0) {
        while (LOOK != 2) ;  // the line where it waits
        __threadfence();
        sum += counted;
    }
    C[row * N + col] = sum;
    __syncthreads();
    if (row > 0 && col == 0) {
        atomicAdd(&counted, 1);
        __threadfence();
        atomicAdd(&ready, 1);
    }
}
"""
WAITS = next(number for number, line in enumerate(TEXT.splitlines(), 1) if "while" in line)
ADDS = next(number for number, line in enumerate(TEXT.splitlines(), 1) if "sum += A" in line)
VOLATILE, ATOMIC = "*(volatile int *)&ready", "atomicAdd(&ready, 0)"
Make = Callable[..., MachineRecorder]


@pytest.fixture
def recorder(machine: MachineDevice) -> Make:
    """A recorder whose first block waits until both others have been there."""

    def made(look: str, form: CodeForm = CodeForm.AS_COMPILED) -> MachineRecorder:
        return recorder_of_text(machine, TEXT.replace("LOOK", look), LAUNCH, SHAPE, form, fill=Fill.INTEGERS)

    return made


@pytest.mark.parametrize("look", [VOLATILE, ATOMIC])
def test_that_a_block_that_waits_for_later_ones_is_recorded_with_them(
    recorder: Make, look: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine_recorder, "_ALONE_S", 1.5)
    found = recorder(look)
    made = analyse(found, whole_grid(found), SHAPE)
    operands = make_operands(SHAPE, Fill.INTEGERS, 0)
    expected = operands.a @ operands.b
    expected[0] += 2  # two blocks have counted, once each
    assert np.array_equal(found.c[0], expected)
    assert made.hazards == ()
    assert made.totals.global_store_requests == 3
    # What the first block executed by itself is not among it.
    added = [one for one in found.executed if one.line == ADDS and one.kind == FUSED]
    assert sum(one.instructions for one in added) == 3 * SHAPE.k


def test_that_a_block_that_waited_is_kept_with_its_variables(recorder: Make) -> None:
    found = recorder(VOLATILE, CodeForm.AS_WRITTEN)
    analyse(found, whole_grid(found), SHAPE)
    trace, values = found.with_variables(0)
    assert trace.block == (0, 0, 0)
    assert {one.name for one in values.variables} >= {"row", "col", "sum"}


CHAIN = """
__device__ volatile int turn;
__device__ float total;
__global__ void k(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ float own[32];
    own[threadIdx.x] = A[threadIdx.x % K];
    __syncthreads();
    if (threadIdx.x == 0) {
        while (turn != blockIdx.x) ;
        __threadfence();
        total += 1.0f;
        C[blockIdx.x] = total + 0.0f * own[0];
        __threadfence();
        turn = blockIdx.x + 1;
    }
}
"""


def test_that_each_block_of_a_chain_is_kept_with_what_those_before_it_left(machine: MachineDevice) -> None:
    found = recorder_of_text(machine, CHAIN, LAUNCH, SHAPE, fill=Fill.INTEGERS)
    made = analyse(found, whole_grid(found), SHAPE)
    assert made.hazards == ()
    assert found.c[0, 0, :3].tolist() == [1.0, 2.0, 3.0]
    for block in range(3):
        alone = next(found.blocks(np.array([block], np.int32)))
        trace, values = found.with_variables(block)
        assert alone.block == trace.block == (block, 0, 0)
        assert values.variables
        assert {one.array for one in found.snapshots(block)} == {"own"}


def test_that_a_block_that_waits_is_tried_by_itself_once(
    machine: MachineDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = recorder_of_text(machine, CHAIN, LAUNCH, SHAPE, fill=Fill.INTEGERS)
    analyse(found, whole_grid(found), SHAPE)
    recorded: list[list[int]] = []
    record = MachineDevice.record

    def counting(self: MachineDevice, *given: Any, **more: Any) -> str:
        recorded.append([*given[3]])
        return record(self, *given, **more)

    monkeypatch.setattr(MachineDevice, "record", counting)
    for _ in range(2):
        next(found.blocks(np.array([1], np.int32)))
    assert recorded == [[1], [0, 1, 2], [0, 1, 2]]


def test_that_a_block_asked_for_alone_says_that_another_one_may_set_what_it_waits_for(recorder: Make) -> None:
    with pytest.raises(LaunchError) as error:
        block_0(recorder(VOLATILE))
    assert str(error.value) == (
        f"line {WAITS}: the block waits for a value that a block which is not recorded may set: threads 0 to 31 run in "
        f"line {WAITS} (block (0, 0, 0)). Record all blocks (--all-blocks)"
    )


def test_that_a_recording_names_who_waited_at_a_barrier_before_it_was_opened(machine: MachineDevice) -> None:
    text = """
__global__ void k(const float *A, const float *B, float *C, int M, int N, int K) {
    __shared__ volatile int ready;
    ready = 0;
    __syncthreads();
    if (threadIdx.x < 32)
        while (ready == 0) ;
    __syncthreads();
    C[threadIdx.x] = 1.0f;
}
"""
    found = recorder_of_text(machine, text, Launch((1, 1, 1), (64, 1, 1)), Shape(1, 64, 1), CodeForm.AS_COMPILED)
    with pytest.raises(LaunchError) as error:
        block_0(found)
    assert "line 7: deadlock: no thread can go on: threads 0 to 31 run in line 7" in str(error.value)
    assert "threads 32 to 63 wait at a barrier in line 8 (block (0, 0, 0))" in str(error.value)
