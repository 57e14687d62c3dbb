"""Recordings of many blocks, for which LLVM optimises the kernel after the first: the same figures, sooner."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from own_recordings import recorder_of_text, whole_grid

from gemmviz.backends import optimising
from gemmviz.backends.base import CompilerStuckError
from gemmviz.backends.machine.device import MachineDevice
from gemmviz.backends.machine.recent_programs import PROGRAMS
from gemmviz.backends.machine.recorder_factory import machine_recorder_for
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.operands import make_operands
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch
from gemmviz.domain.terms import CodeForm, Fill
from gemmviz.machine.program import Program, compile_ptx
from gemmviz.trace.analyse import Analysis, analyse
from gemmviz.trace.recorder import Recorder

ALWAYS, NEVER = 0, 10**15
SHAPE = Shape(67, 35, 33)
IN_TURN = """
__device__ unsigned next = 0;
extern "C" __global__ void k(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ unsigned tile;
    if (threadIdx.x == 0) tile = atomicAdd(&next, 1u);
    __syncthreads();
    const unsigned number = tile * blockDim.x + threadIdx.x;
    if (number < M * N) C[number] = number;
}
"""


def _of(machine: MachineDevice, name: str, form: CodeForm = CodeForm.AS_COMPILED) -> Recorder:
    kernel = load_catalogue().get(name)
    plan = kernel.plan(SHAPE, kernel.params({}), machine.device)
    return machine_recorder_for(machine, kernel, plan, SHAPE, make_operands(SHAPE, Fill.UNIFORM, 0), 60.0, form)


def _analysed(recorder: Recorder, shape: Shape = SHAPE) -> Analysis:
    return analyse(recorder, whole_grid(recorder), shape)


def _figures(found: Analysis) -> tuple[object, ...]:
    """All that was found, but for the time that it took."""
    counts = (found.columns.counts.tolist(), found.reuse.a.tolist(), found.reuse.b.tolist())
    return *counts, found.totals, found.hazards, found.blocks_recorded, found.blocks_searched, found.accesses


@pytest.mark.parametrize("name", ["naive", "tiled"])
@pytest.mark.parametrize("form", list(CodeForm))
def test_that_what_is_recorded_does_not_depend_on_how_llvm_optimises(
    machine: MachineDevice, name: str, form: CodeForm, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for words in (NEVER, ALWAYS):
        monkeypatch.setattr(optimising, "_WORTH_A_SECOND", words)
        recorder = _of(machine, name, form)
        found.append((_figures(_analysed(recorder)), recorder.executed, recorder.c.tobytes()))
    assert found[0] == found[1]


def test_that_variables_of_the_module_keep_their_values_when_the_kernel_is_optimised(
    machine: MachineDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each block takes the next tile by a counter; begun anew, it would give a tile twice and the last to none."""
    monkeypatch.setattr(optimising, "_WORTH_A_SECOND", ALWAYS)
    shape = Shape(16, 16, 4)
    recorder = recorder_of_text(machine, IN_TURN, Launch((8, 1, 1), (32, 1, 1)), shape)
    assert not _analysed(recorder, shape).hazards
    np.testing.assert_array_equal(recorder.c.ravel(), np.arange(256, dtype=np.float32))


def test_that_llvm_optimises_only_where_many_words_are_still_to_be_written_down(
    machine: MachineDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    levels: list[int | None] = []

    def told(*arguments: Any, **more: Any) -> Program:
        levels.append(more["level"])
        return compile_ptx(*arguments, **more)

    def analysed_anew() -> None:
        PROGRAMS.forget()
        _analysed(_of(machine, "tiled"))

    monkeypatch.setattr("gemmviz.backends.machine.device.compile_ptx", told)
    PROGRAMS.forget()
    first = _of(machine, "tiled")
    words = 8 * 33 * 2 * 8  # of one block: 8 warps, K steps, two loads and their stores, and what a request needs
    next(first.blocks(np.zeros(1, np.int32)))
    assert levels == [0]
    analysed_anew()
    assert levels == [0, 0]
    monkeypatch.setattr(optimising, "_WORTH_A_SECOND", words)
    analysed_anew()
    assert levels == [0, 0, 0, 2]


def test_that_a_recording_goes_on_unoptimised_where_llvm_takes_too_long(
    machine: MachineDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = _figures(_analysed(_of(machine, "tiled")))

    def slow(*arguments: Any, **more: Any) -> Program:
        if more["level"]:
            raise CompilerStuckError("compiling did not end")
        return compile_ptx(*arguments, **more)

    monkeypatch.setattr(optimising, "_WORTH_A_SECOND", ALWAYS)
    monkeypatch.setattr("gemmviz.backends.machine.device.compile_ptx", slow)
    PROGRAMS.forget()
    assert _figures(_analysed(_of(machine, "tiled"))) == expected
