"""The rungs for tensor cores: what their headers make of a size and a GPU. Their arithmetic is tested in tests/gpu."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gemmviz.catalogue.kernel import Kernel, Refusal
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.device import Device
from gemmviz.domain.kernels.capability import nvidia_facts
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Arithmetic, Element

CATALOGUE = load_catalogue()
BY_CP_ASYNC = ("wmma_tf32", "mma_tf32")
BY_COPY_ENGINE = ("wgmma_tf32", "wgmma_bf16", "tf32x3", "wgmma_bf16_late")
MakeGpu = Callable[..., Device]


@pytest.fixture
def make_gpu(make_device: Callable[..., Device]) -> MakeGpu:
    """An NVIDIA GPU with the limits of compute capability 9.0, 132 units, or with other facts as given."""

    def make(capability: tuple[int, int] = (9, 0), units: int = 132) -> Device:
        return make_device(
            compute_units=units,
            max_threads_per_block=1024,
            max_block=(1024, 1024, 64),
            max_grid=(2**31 - 1, 65535, 65535),
            shared_bytes_per_block=232448,
            capabilities=("cuda",),
            gpu_facts=nvidia_facts(capability, static_shared_bytes=49152),
        )

    return make


def blocks(kernel: Kernel, shape: Shape, device: Device, **params: int) -> int:
    return kernel.plan(shape, kernel.params(params), device).launch.blocks


@pytest.mark.parametrize("name", [*BY_CP_ASYNC, *BY_COPY_ENGINE])
def test_that_the_largest_choices_are_refused_for_their_shared_memory_and_the_defaults_run(
    make_gpu: MakeGpu, name: str
) -> None:
    kernel, shape = CATALOGUE.get(name), Shape(256, 512, 1024)
    assert kernel.plan(shape, kernel.params({}), make_gpu()).launch.shared_bytes <= 232448
    largest = {parameter.name: max(parameter.choices) for parameter in kernel.parameters}
    if name in ("wmma_tf32", "mma_tf32", "tf32x3"):
        assert kernel.plan(shape, kernel.params(largest), make_gpu()).launch.shared_bytes <= 232448
    else:
        with pytest.raises(Refusal, match="<= 232448 bytes of shared memory"):
            kernel.plan(shape, kernel.params(largest), make_gpu())


@pytest.mark.parametrize("name", BY_CP_ASYNC)
def test_that_rungs_without_the_copy_engine_take_any_size(make_gpu: MakeGpu, name: str) -> None:
    assert blocks(CATALOGUE.get(name), Shape(1037, 1031, 1055), make_gpu((8, 0))) == 9 * 9


@pytest.mark.parametrize("name", BY_COPY_ENGINE)
def test_that_rungs_with_the_copy_engine_refuse_rows_it_cannot_read(make_gpu: MakeGpu, name: str) -> None:
    kernel = CATALOGUE.get(name)
    with pytest.raises(Refusal, match=r"a row of A has 1055 elements .* multiples of 16 bytes"):
        kernel.plan(Shape(1037, 1024, 1055), kernel.params({}), make_gpu())
    with pytest.raises(Refusal, match=r"a row of B has 1031 elements .* multiples of 16 bytes"):
        kernel.plan(Shape(1037, 1031, 1024), kernel.params({}), make_gpu())


@pytest.mark.parametrize("name", BY_COPY_ENGINE)
def test_that_wgmma_is_for_hopper_alone(make_gpu: MakeGpu, name: str) -> None:
    kernel = CATALOGUE.get(name)
    for other in ((8, 9), (10, 0)):
        with pytest.raises(Refusal, match=r"compute capability 9\.0 and no other"):
            kernel.plan(Shape(256, 512, 1024), kernel.params({}), make_gpu(other))


@pytest.mark.parametrize(
    ("shape", "units", "expected"),
    [
        (Shape(4096, 4096, 64), 132, 128),  # 256 clusters' tiles in 4 rounds of 64, not 66
        (Shape(8192, 8192, 64), 132, 128),  # 1024 in 16 rounds of 64
        (Shape(4096, 4096, 64), 114, 104),  # 5 rounds of 52, not 57
        (Shape(1, 8, 8), 132, 2),
        (Shape(1037, 1032, 64), 132, 50),
    ],
)
def test_that_no_more_blocks_are_launched_than_the_rounds_need(
    make_gpu: MakeGpu, shape: Shape, units: int, expected: int
) -> None:
    for name in ("wgmma_bf16", "wgmma_bf16_late"):
        assert blocks(CATALOGUE.get(name), shape, make_gpu(units=units)) == expected


def test_that_only_plain_tf32_is_rounded_by_the_copy_engine(make_gpu: MakeGpu) -> None:
    for name in BY_COPY_ENGINE:
        kernel = CATALOGUE.get(name)
        maps = kernel.plan(Shape(256, 512, 1024), kernel.params({}), make_gpu()).tensor_maps
        assert [one.to_tf32 for one in maps] == 2 * [kernel.arithmetic is Arithmetic.TF32]
        assert {one.element for one in maps} == {Element.BFLOAT16 if "bf16" in name else Element.FLOAT32}
