"""Shared variables of every type and size: what is accessed of them is inside, and what follows them is not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gemmviz.backends.machine.device import MachineDevice
from gemmviz.backends.machine.recorder_factory import machine_recorder_for
from gemmviz.catalogue.loader import load_user_kernel
from gemmviz.domain.operands import make_operands
from gemmviz.domain.recordings.access import Space
from gemmviz.domain.recordings.hazard import HazardKind
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm, Fill
from gemmviz.trace.analyse import Analysis, analyse
from gemmviz.trace.recorder import Recorder

SHAPE = Shape(1, 32, 1)
KERNEL = """/*---
title = "A shared variable"
entry = "mine"
requires = ["cuda"]
[launch]
block = ["32"]
grid = ["1"]
---*/
extern "C" __global__ void mine(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ DECLARED;
    const int t = threadIdx.x;
    if (t == 0) STORE;
    __syncthreads();
    C[t] = READ;
}
"""


def recorded(
    machine: MachineDevice, folder: Path, form: CodeForm, declared: str, store: str, read: str
) -> tuple[Recorder, Analysis]:
    path = folder / "mine.cu"
    path.write_text(KERNEL.replace("DECLARED", declared).replace("STORE", store).replace("READ", read))
    kernel = load_user_kernel(path)
    plan = kernel.plan(SHAPE, (), machine.device)
    recorder = machine_recorder_for(machine, kernel, plan, SHAPE, make_operands(SHAPE, Fill.INTEGERS, 3), 60.0, form)
    return recorder, analyse(recorder, np.zeros(1, np.int32), SHAPE)


@pytest.mark.parametrize("form", CodeForm)
@pytest.mark.parametrize(
    ("declared", "store", "read", "nbytes"),
    [
        ("int one", "one = M", "one", 4),
        ("float one", "one = A[0]", "one", 4),
        ("double one", "one = M", "(float)one", 8),
        ("short one", "one = M", "one", 2),
        ("bool one", "one = M", "one", 1),
        ("short three[3]", "three[2 * K] = M", "three[2 * K]", 6),
        ("unsigned char ten[10]", "ten[9 * K] = M", "ten[9 * K]", 10),
    ],
)
def test_that_every_byte_of_a_shared_variable_is_inside(
    machine: MachineDevice, tmp_path: Path, form: CodeForm, declared: str, store: str, read: str, nbytes: int
) -> None:
    recorder, found = recorded(machine, tmp_path, form, declared, store, read)
    (array,) = (one for one in recorder.arrays if one.space is Space.SHARED)
    assert array.nbytes == nbytes
    assert found.hazards == ()
    recorder.snapshots(0)


def test_that_the_byte_behind_a_shared_variable_is_outside(machine: MachineDevice, tmp_path: Path) -> None:
    _, found = recorded(
        machine, tmp_path, CodeForm.AS_COMPILED, "unsigned char ten[10]", "ten[10 * M] = ten[9 * K] = 1", "ten[9 * K]"
    )
    (hazard,) = found.hazards
    assert hazard.kind is HazardKind.OUT_OF_BOUNDS
    assert "1 byte (1 element) past the end of ten" in hazard.detail
