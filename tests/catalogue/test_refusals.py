"""A launch that cannot be is refused beforehand, in words with the numbers in it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gemmviz.backends.registry import find_device
from gemmviz.catalogue.kernel import Kernel, ParameterError, Refusal
from gemmviz.catalogue.loader import Catalogue, load_catalogue
from gemmviz.domain.device import Device
from gemmviz.domain.kernels.capability import NOT_BY_CUDA, nvidia_facts
from gemmviz.domain.shape import Shape

MakeDevice = Callable[..., Device]


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


def refusal(kernel: Kernel, shape: Shape, device: Device, **params: int) -> str:
    with pytest.raises(Refusal) as caught:
        kernel.plan(shape, kernel.params(params), device)
    return str(caught.value)


def test_that_a_tile_too_large_for_the_device_is_refused(catalogue: Catalogue, make_device: MakeDevice) -> None:
    words = refusal(catalogue.get("tiled"), Shape(17, 33, 5), make_device(), TILE=16)
    assert words.startswith("tiled: needs TILE * TILE <= 64 threads, but 16 * 16 = 256 (")
    assert "one thread for each" in words


def test_that_a_block_too_large_for_the_device_is_refused_without_any_constraint(
    catalogue: Catalogue, make_device: MakeDevice
) -> None:
    words = refusal(catalogue.get("row_per_block"), Shape(3, 4, 5), make_device(), THREADS=128)
    assert "a block of 128 threads is too large: Small device allows 64" in words
    assert words.count("128") == 1
    narrow = make_device(max_block=(32, 7, 4))
    words = refusal(catalogue.get("row_per_block"), Shape(3, 4, 5), narrow, THREADS=128)
    assert "a block of 128 threads in x: Small device allows 1 to 32" in words


def test_that_one_axis_of_a_block_has_its_own_limit(
    make_kernel: Callable[..., Kernel], make_device: MakeDevice
) -> None:
    kernel = make_kernel('["TILE"]', '["1", "2 * TILE"]')
    assert "a block of 8 threads in y: Small device allows 1 to 7" in refusal(
        kernel, Shape(1, 1, 1), make_device(max_block=(64, 7, 4))
    )


def test_that_less_than_no_shared_memory_is_refused(
    make_kernel: Callable[..., Kernel], make_device: MakeDevice
) -> None:
    kernel = make_kernel('block = ["TILE"]', 'block = ["TILE"]\nshared_bytes = "4 - K"')
    assert "-4 bytes of shared memory per block: a launch takes 0 or more" in refusal(
        kernel, Shape(1, 1, 8), make_device()
    )
    assert kernel.plan(Shape(1, 1, 4), kernel.params({}), make_device()).launch.dynamic_shared_bytes == 0


@pytest.mark.parametrize("sums", ["-1", "0", "1000000000000"])
def test_that_a_number_of_partial_sums_that_no_launch_leaves_is_refused(
    make_kernel: Callable[..., Kernel], make_device: MakeDevice, sums: str
) -> None:
    kernel = make_kernel('block = ["TILE"]', f'block = ["TILE"]\npartial_sums = {sums}')
    assert f"{sums} values for each element of C: 1 to 2147483647 can be added up" in refusal(
        kernel, Shape(1, 1, 1), make_device()
    )


@pytest.mark.parametrize(("k", "fits"), [(255, True), (256, True), (257, False), (4096, False)])
def test_that_row_shared_takes_as_long_a_row_as_fits(
    catalogue: Catalogue, make_device: MakeDevice, k: int, fits: bool
) -> None:
    kernel, shape = catalogue.get("row_shared"), Shape(3, 4, k)
    if fits:
        plan = kernel.plan(shape, kernel.params({}), make_device())
        assert plan.launch.dynamic_shared_bytes == 1024
    else:
        words = refusal(kernel, shape, make_device())
        assert "needs 16 * ceil(K / 4) <= 1024 bytes of shared memory" in words
        assert f"16 * ceil({k} / 4) = {16 * -(-k // 4)}" in words
        assert "a whole row of A" in words


def test_that_shared_memory_beyond_the_device_is_refused_with_both_numbers(
    make_kernel: Callable[..., Kernel], make_device: MakeDevice
) -> None:
    kernel = make_kernel("grid  =", 'shared_bytes = "4 * K"\nstatic_shared_bytes = "1000"\ngrid  =')
    assert "1040 bytes of shared memory per block are too many: Small device has 1024" in refusal(
        kernel, Shape(1, 1, 10), make_device()
    )
    assert kernel.plan(Shape(1, 1, 6), kernel.params({}), make_device()).launch.shared_bytes == 1024


def test_that_private_rows_are_refused_beyond_their_limit(catalogue: Catalogue, make_device: MakeDevice) -> None:
    for name in ("cl_row_private", "cl_row_private_grouped"):
        words = refusal(catalogue.get(name), Shape(1, 1, 4097), make_device(max_threads_per_block=1024))
        assert "needs K <= 4096, but K is 4097" in words


def test_that_a_grid_beyond_the_device_is_refused(make_kernel: Callable[..., Kernel], make_device: MakeDevice) -> None:
    words = refusal(make_kernel(), Shape(501, 4004, 1), make_device())
    assert "a grid of 1001 blocks in x: Small device allows 1 to 1000" in words
    assert "a grid of 501 blocks in y: Small device allows 1 to 500" in words


def test_that_more_blocks_than_an_emulated_device_ever_ends_are_refused_with_their_number(
    make_kernel: Callable[..., Kernel],
) -> None:
    kernel = make_kernel('["ceil_div(N, TILE)", "M"]', '["2000000000", "60000"]')
    words = refusal(kernel, Shape(8, 8, 8), find_device("machine"))
    assert "a grid of 2000000000 x 60000 x 1 = 120000000000000 blocks: " in words


def test_that_grid_stride_kernels_fit_any_grid(catalogue: Catalogue, make_device: MakeDevice) -> None:
    for name in ("naive", "naive_uncoalesced", "row_per_block"):
        kernel = catalogue.get(name)
        given = {"THREAD": 2} if "naive" in name else {"THREADS": 32}
        plan = kernel.plan(Shape(5000, 7000, 2), kernel.params(given), make_device())
        assert plan.launch.grid[0] == 1000


def test_that_every_broken_constraint_is_named(make_kernel: Callable[..., Kernel], make_device: MakeDevice) -> None:
    kernel = make_kernel(
        "[params.TILE]",
        'constraints = ["M == 1", {rule = "is_power_of_two(TILE)", because = "it is halved"}]\n[params.TILE]',
    )
    words = refusal(kernel, Shape(2, 4, 3), make_device(), TILE=3)
    assert words == "mine: needs M = 1, but M is 2. Needs TILE to be a power of two, but TILE is 3 (it is halved)"


def test_that_a_constraint_that_cannot_be_computed_refuses(
    make_kernel: Callable[..., Kernel], make_device: MakeDevice
) -> None:
    kernel = make_kernel("[params.TILE]", 'constraints = ["N % (M - 1) == 0"]\n[params.TILE]')
    assert "its constraint cannot be checked" in refusal(kernel, Shape(1, 4, 3), make_device())


@pytest.mark.parametrize("block", ["M / 2", "M // (N - 4)", "2 ** 100000"])
def test_that_a_geometry_that_is_no_whole_number_refuses(
    make_kernel: Callable[..., Kernel], make_device: MakeDevice, block: str
) -> None:
    kernel = make_kernel('["TILE"]', f'["{block}"]')
    assert "mine: no launch geometry for 3x4x5: " in refusal(kernel, Shape(3, 4, 5), make_device())


@pytest.mark.parametrize("block", ["0", "-4", "M - N"])
def test_that_an_empty_block_is_refused(
    make_kernel: Callable[..., Kernel], make_device: MakeDevice, block: str
) -> None:
    kernel = make_kernel('["TILE"]', f'["{block}"]')
    assert "threads in x: Small device allows 1 to 64" in refusal(kernel, Shape(3, 4, 5), make_device())


def test_that_a_dot_product_needs_one_row_and_one_column(catalogue: Catalogue, make_device: MakeDevice) -> None:
    words = refusal(catalogue.get("dot"), Shape(2, 3, 4), make_device(), THREADS=32)
    assert "dot: needs M = 1, but M is 2 (" in words
    assert ". Needs N = 1, but N is 3 (" in words


def test_that_what_a_kernel_requires_is_asked_of_the_device(
    make_kernel: Callable[..., Kernel], make_device: MakeDevice
) -> None:
    kernel = make_kernel("[params.TILE]", 'requires = ["opencl", "cuda", "sm_80"]\n[params.TILE]')
    assert refusal(kernel, Shape(1, 1, 1), make_device()) == (
        f"mine: needs an NVIDIA GPU of compute capability 8.0 or newer, but Small device {NOT_BY_CUDA}"
    )
    able = make_device(capabilities=("opencl", "cuda"), gpu_facts=nvidia_facts((8, 6)))
    assert kernel.plan(Shape(1, 1, 1), kernel.params({}), able).launch.block == (4, 1, 1)


def test_that_an_unknown_parameter_is_answered_with_the_offered_ones(catalogue: Catalogue) -> None:
    with pytest.raises(ParameterError, match=r"tiled has no parameter 'TIEL': it has TILE; did you mean TILE\?"):
        catalogue.get("tiled").params({"TIEL": 4})
    with pytest.raises(ParameterError, match=r"cpu_ijk has no parameter 'TILE': it has none$"):
        catalogue.get("cpu_ijk").params({"TILE": 4})


def test_that_a_choice_that_is_not_offered_is_answered_with_those_that_are(catalogue: Catalogue) -> None:
    with pytest.raises(ParameterError, match="tiled does not offer TILE=5: choose from 2, 4, 8, 16, 32"):
        catalogue.get("tiled").params({"TILE": 5})


def test_that_defaults_stand_where_nothing_is_given(catalogue: Catalogue) -> None:
    assert catalogue.get("tiled_wide").params({"F": 2}) == (("TILE", 16), ("F", 2))
