"""Kernel files as other people write them, unedited, on a real GPU: right, with the accesses that the machine sees."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from gemmviz.backends.base import OpenDevice
from gemmviz.backends.cuda.device import CudaBackend
from gemmviz.backends.recording import recorder_for
from gemmviz.backends.registry import backend_of, find_device
from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import load_user_kernel
from gemmviz.domain.device import Device
from gemmviz.domain.operands import make_operands
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm, Fill
from gemmviz.measure.bench import Bench, make_inputs
from gemmviz.trace.analyse import Analysis, analyse

FILES = sorted((Path(__file__).parents[1] / "data" / "foreign").glob("*.cu"))
SHAPES = Shape(64, 96, 32), Shape(192, 128, 64)
LIMIT_S = 60.0


@pytest.fixture(scope="module")
def opened(backend: CudaBackend, device: Device) -> Iterator[OpenDevice]:
    found = backend.open(device)
    yield found
    found.release()


@pytest.fixture(scope="module")
def machine() -> Iterator[OpenDevice]:
    device = find_device("machine")
    found = backend_of(device).open(device)
    yield found
    found.release()


def recorded(opened: OpenDevice, kernel: Kernel, shape: Shape, form: CodeForm) -> Analysis:
    """Every block of the grid, recorded and analysed."""
    plan = kernel.plan(shape, kernel.params({}), opened.device)
    recorder = recorder_for(opened, kernel, plan, shape, make_operands(shape, Fill.UNIFORM, 3), LIMIT_S, form)
    return analyse(recorder, np.arange(plan.launch.blocks, dtype=np.int32), shape)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_that_an_unedited_file_is_right(device: Device, path: Path) -> None:
    kernel = load_user_kernel(path)
    for shape in SHAPES:
        with Bench() as bench:
            run, _ = bench.run(kernel, kernel.params({}), device, make_inputs(shape, Fill.UNIFORM, 7))
        assert run.accuracy.passed, (shape, run.accuracy)
        assert run.accuracy.unwritten == 0


@pytest.mark.parametrize("form", list(CodeForm))
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_that_its_accesses_are_those_of_the_machine(
    opened: OpenDevice, machine: OpenDevice, path: Path, form: CodeForm
) -> None:
    kernel = load_user_kernel(path)
    on_gpu, on_machine = (recorded(each, kernel, SHAPES[0], form) for each in (opened, machine))
    assert on_gpu.totals == on_machine.totals
    assert on_gpu.reuse.a.tolist() == on_machine.reuse.a.tolist()
    assert on_gpu.reuse.b.tolist() == on_machine.reuse.b.tolist()
    assert on_gpu.hazards == on_machine.hazards
