"""Kernels on the headers of CUDA C++ are recorded in both forms: barriers, pipelines, groups, 16-bit numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gemmviz.backends.recording import recorder_for
from gemmviz.backends.registry import backend_of, find_device
from gemmviz.catalogue.loader import load_user_kernel
from gemmviz.domain.operands import make_operands
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm, Fill
from gemmviz.trace.analyse import analyse

pytestmark = pytest.mark.usefixtures("nvrtc")

FOLDER = Path(__file__).parents[3] / "data" / "cuda_headers"
TILED = {"barrier", "copies_to_barrier", "groups", "pipeline"}
"""Each element of A and B is fetched once; the others load it for each product."""


@pytest.mark.parametrize(
    ("device", "form"), [*(("machine", form) for form in CodeForm), ("machine:sm_80", CodeForm.AS_COMPILED)]
)
@pytest.mark.parametrize("name", sorted(path.stem for path in FOLDER.glob("*.cu")))
def test_that_a_kernel_on_the_headers_is_recorded(name: str, device: str, form: CodeForm) -> None:
    kernel, shape = load_user_kernel(FOLDER / f"{name}.cu"), Shape(16, 16, 16)
    machine = backend_of(find_device(device)).open(find_device(device))
    plan = kernel.plan(shape, kernel.params({}), machine.device)
    recorder = recorder_for(machine, kernel, plan, shape, make_operands(shape, Fill.INTEGERS, 3), 250.0, form)
    made = analyse(recorder, np.zeros(1, np.int32), shape)
    assert made.hazards == ()
    assert set(made.reuse.a.reshape(-1).tolist()) == {1 if name in TILED else 16}
    assert set(made.reuse.b.reshape(-1).tolist()) == {1 if name in TILED else 16}
