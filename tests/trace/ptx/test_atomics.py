"""Atomic operations are no races with each other, but with plain accesses; reads of a C that nothing has written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gemmviz.backends.machine_device import MachineDevice
from gemmviz.catalogue.loader import load_user_kernel
from gemmviz.domain.access import AccessWay
from gemmviz.domain.hazard import Hazard, HazardKind
from gemmviz.domain.operands import make_operands
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill
from gemmviz.trace.analyse import analyse
from gemmviz.trace.ptx.machine_recorder import machine_recorder_for
from gemmviz.trace.ptx.recorder import Recorder

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
    assert AccessWay.ATOMIC in {site.way for site in recorder.sites.sites}
    operands = make_operands(SHAPE, Fill.INTEGERS, 3)
    for _ in range(2):  # C begins as zero each time
        np.testing.assert_array_equal(recorder.c[0], operands.a @ operands.b)
        list(recorder.blocks(np.arange(2, dtype=np.int32)))


def test_that_a_plain_access_races_with_another_block_s_atomic_one(hazards_of) -> None:
    mixed = f"if (blockIdx.z == 0) C[row * N + col] = sum; else {ADD}"
    (race,) = hazards_of(SPLIT_K.replace(ADD, mixed))
    assert race.kind is HazardKind.BLOCK_RACE
    assert "atomically changes C[0,0]" in race.detail
    assert "block (0, 0, 0) writes it" in race.detail


def test_that_plain_additions_of_several_blocks_race(hazards_of) -> None:
    found = hazards_of(SPLIT_K.replace(ADD, "C[row * N + col] += sum;"))
    assert {hazard.kind for hazard in found} == {HazardKind.BLOCK_RACE}


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


def test_that_a_variable_of_the_module_is_named_as_not_recorded(recorder_of) -> None:
    counted = SPLIT_K.replace('extern "C"', '__device__ int turn;\nextern "C"', 1)
    recorder = recorder_of(counted.replace(ADD, f"atomicAdd(&turn, 1); {ADD}"))
    assert analyse(recorder, np.arange(2, dtype=np.int32), SHAPE).hazards == ()
    (skipped,) = {(one.text, one.reason) for one in recorder.sites.skipped}
    assert skipped[0] == "atom.global.add.u32"
    assert "a variable of the module" in skipped[1]
    assert recorder.instrumented.hidden == frozenset()
