"""Every kernel of the catalogue on the GPU: right in its arithmetic, at sizes that are no multiple of anything."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gemmviz.catalogue.kernel import Kernel, Refusal
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.device import Device
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill, Language, Mode
from gemmviz.measure.bench import Bench, Inputs, Patience, make_inputs
from gemmviz.measure.stopping import StoppingRule

KERNELS = [kernel for kernel in load_catalogue().kernels if kernel.language in (Language.CUDA, Language.LIBRARY)]
OWN = [kernel for kernel in KERNELS if kernel.language is Language.CUDA]
SIZES = [
    Shape(1, 1, 1),
    Shape(17, 33, 5),
    Shape(130, 70, 33),
    Shape(128, 128, 64),
    Shape(1037, 1031, 1055),
    Shape(1, 1, 1025),
    Shape(256, 512, 1024),
]
QUICK = Patience(StoppingRule(min_samples=1, min_seconds=0.0, limit_seconds=0.02), 10.0)


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    with Bench() as bench:
        yield bench


@pytest.fixture(scope="module")
def inputs() -> dict[Shape, Inputs]:
    return {shape: make_inputs(shape, Fill.NORMAL, 3) for shape in SIZES}


def can_run(kernel: Kernel, shape: Shape, device: Device) -> bool:
    try:
        kernel.plan(shape, kernel.params({}), device)
    except Refusal:
        return False
    return True


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.id)
def test_that_a_kernel_is_right_or_refuses_with_a_reason(
    bench: Bench, device: Device, inputs: dict[Shape, Inputs], kernel: Kernel
) -> None:
    able = [shape for shape in SIZES if can_run(kernel, shape, device)]
    assert len(able) >= 2
    for shape in able:
        result, _ = bench.run(kernel, kernel.params({}), device, inputs[shape], Mode.COLD, QUICK)
        assert result.accuracy.unwritten == 0, shape
        assert result.accuracy.passed, f"{shape}: {result.accuracy.max_error_over_ug} > {result.accuracy.bound}"
        assert (result.resources.registers > 0) == (kernel in OWN)
        assert result.build.startswith("nvcc " if kernel in OWN else kernel.library)


@pytest.mark.parametrize("kernel", OWN, ids=lambda kernel: kernel.id)
def test_that_the_headers_shared_bytes_are_what_the_compiler_counts(
    bench: Bench, device: Device, inputs: dict[Shape, Inputs], kernel: Kernel
) -> None:
    shape = next(shape for shape in SIZES if can_run(kernel, shape, device))
    ready = bench.prepare(kernel, kernel.params({}), device, inputs[shape], 10.0)
    ready.release()
    planned = kernel.plan(shape, kernel.params({}), device).launch
    assert ready.launcher.compiled.static_shared_bytes == planned.static_shared_bytes
