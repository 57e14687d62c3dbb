"""What a header says about the hardware: how operands are stored, boxes of the TMA, clusters."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gemmviz.catalogue.header import HeaderError
from gemmviz.catalogue.kernel import Kernel, Refusal
from gemmviz.domain.device import Device, GpuFacts
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import TensorMap
from gemmviz.domain.terms import Arithmetic, Element

MAPS = """requires = ["cuda"]
operands = "bfloat16"
arithmetic = "bf16"
[tensor_maps.A]
box = ["16 * TILE", 128]
swizzle = 128
[tensor_maps.B]
box = ["8 * TILE", "TILE"]
[params.TILE]"""

MakeKernel = Callable[..., Kernel]
MakeDevice = Callable[..., Device]


@pytest.fixture
def make_device(make_device: MakeDevice) -> MakeDevice:
    """The small device, by CUDA, or with other facts as given."""
    return lambda **facts: make_device(**{"capabilities": ("cuda",), **facts})


def refused(kernel: Kernel, shape: Shape, device: Device, **params: int) -> str:
    with pytest.raises(Refusal) as caught:
        kernel.plan(shape, kernel.params(params), device)
    return str(caught.value)


def test_that_a_plan_has_the_boxes_with_their_numbers(make_kernel: MakeKernel, make_device: MakeDevice) -> None:
    kernel = make_kernel("[params.TILE]", MAPS)
    plan = kernel.plan(Shape(17, 40, 24), kernel.params({}), make_device())
    assert [plan.call.storage(name).element for name in "ABC"] == [Element.BFLOAT16] * 2 + [Element.FLOAT32]
    assert plan.tensor_maps == (
        TensorMap("A", 17, 24, Element.BFLOAT16, (64, 128), 128),
        TensorMap("B", 24, 40, Element.BFLOAT16, (32, 4), 0),
    )
    assert [one.pitch_bytes for one in plan.tensor_maps] == [48, 80]
    assert kernel.arithmetic is Arithmetic.BF16


def test_that_c_is_float32_whatever_the_operands_are(make_kernel: MakeKernel, make_device: MakeDevice) -> None:
    kernel = make_kernel("[params.TILE]", MAPS.replace("tensor_maps.B", "tensor_maps.C"))
    plan = kernel.plan(Shape(17, 40, 24), kernel.params({}), make_device())
    assert plan.tensor_maps[1] == TensorMap("C", 17, 40, Element.FLOAT32, (32, 4), 0)


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        (Shape(17, 40, 1055), "a row of A has 1055 elements of 2 bytes, 2110 bytes"),
        (Shape(17, 1031, 24), "a row of B has 1031 elements of 2 bytes, 2062 bytes"),
    ],
)
def test_that_rows_the_copy_engine_does_not_take_are_refused_with_their_bytes(
    make_kernel: MakeKernel, make_device: MakeDevice, shape: Shape, words: str
) -> None:
    said = refused(make_kernel("[params.TILE]", MAPS), shape, make_device())
    assert said.startswith(f"mine: {words}")
    assert said.endswith("rows that are multiples of 16 bytes: choose a multiple of 8")


@pytest.mark.parametrize(
    ("box", "words"),
    [
        ('["4", "257"]', "a box of 257 rows of A: the TMA moves 1 to 256"),
        ('["4", "0"]', "a box of 0 rows of A"),
        ('["260", "4"]', "a box of 260 columns of A"),
        ('["6", "4"]', "a box of A is 24 bytes wide: the TMA moves multiples of 16"),
        ('["16", "4"]\nswizzle = 32', "a box of A is 64 bytes wide, more than the 32 bytes it is swizzled over"),
    ],
)
def test_that_a_box_the_copy_engine_does_not_move_is_refused(
    make_kernel: MakeKernel, make_device: MakeDevice, box: str, words: str
) -> None:
    kernel = make_kernel("[params.TILE]", f'requires = ["cuda"]\n[tensor_maps.A]\nbox = {box}\n[params.TILE]')
    assert words in refused(kernel, Shape(8, 8, 8), make_device())


@pytest.fixture
def clustered(make_kernel: MakeKernel, header: str) -> Callable[[str], Kernel]:
    """A kernel whose header asks for clusters."""
    rest = header[header.index("[params.TILE]") : header.index("grid  =")]
    return lambda cluster: make_kernel(rest, f'requires = ["cuda"]\n{rest}cluster = {cluster}\n')


def test_that_a_grid_must_be_cut_into_whole_clusters(clustered: MakeKernel, make_device: MakeDevice) -> None:
    kernel = clustered('[1, "TILE // 2"]')
    assert kernel.plan(Shape(6, 8, 8), kernel.params({}), make_device()).launch.cluster == (1, 2, 1)
    assert "a grid of 7 blocks in y cannot be cut into clusters of 2" in refused(kernel, Shape(7, 8, 8), make_device())


def test_that_a_cluster_is_of_eight_blocks_at_most(clustered: MakeKernel, make_device: MakeDevice) -> None:
    kernel = clustered('[3, "TILE"]')
    assert "a cluster of 3 x 4 blocks: 1 to 8" in refused(kernel, Shape(4, 12, 8), make_device())


def test_that_static_shared_memory_has_a_limit_of_its_own(make_kernel: MakeKernel, make_device: MakeDevice) -> None:
    device = make_device(shared_bytes_per_block=232448, gpu_facts=GpuFacts(static_shared_bytes=49152))
    dynamic = make_kernel("grid  =", "shared_bytes = 65536\ngrid  =")
    assert dynamic.plan(Shape(3, 4, 5), dynamic.params({}), device).launch.dynamic_shared_bytes == 65536
    static = make_kernel("grid  =", "static_shared_bytes = 65536\ngrid  =")
    assert refused(static, Shape(3, 4, 5), device) == (
        "mine: 65536 bytes of static shared memory per block are too many: Small device allows 49152, and more only "
        "where it is dynamic"
    )


@pytest.mark.parametrize(
    ("new", "key"),
    [
        ("[tensor_maps.A]\nbox = [4, 4]\n[params.TILE]", "tensor_maps"),
    ],
)
def test_that_what_only_cuda_has_is_asked_for_by_its_kernels_alone(make_kernel: MakeKernel, new: str, key: str) -> None:
    assert make_kernel("[params.TILE]", f'requires = ["cuda", "sm_90"]\n{new}')
    with pytest.raises(HeaderError, match=rf"'{key}' is for NVIDIA GPUs only: say requires = \[.cuda.\]"):
        make_kernel("[params.TILE]", new)


def test_that_operands_in_float32_need_nothing(make_kernel: MakeKernel) -> None:
    kernel = make_kernel("[params.TILE]", 'operands = "float32"\n[params.TILE]')
    assert kernel.call.storage("A").element is Element.FLOAT32
    assert not kernel.requires
