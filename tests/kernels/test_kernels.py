"""Every kernel of the catalogue, at sizes that are no multiple of anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gemmviz.catalogue.kernel import Kernel, Refusal
from gemmviz.catalogue.loader import Catalogue, load_catalogue
from gemmviz.domain.kernels.initial_c import count_poison
from gemmviz.domain.operands import Operands, make_operands
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Params
from gemmviz.domain.terms import Fill, Language
from gemmviz.measure.check.accuracy import check
from gemmviz.measure.check.reference import build_reference

if TYPE_CHECKING:
    Runner = Any  # the fixture's type stands in conftest.py, which importlib mode cannot import by name

KERNELS = [kernel for kernel in load_catalogue().kernels if not kernel.needs_cuda]  # tests/gpu has the others
SIZES = [Shape(1, 1, 1), Shape(3, 4, 5), Shape(17, 33, 5), Shape(31, 1, 7), Shape(64, 64, 64), Shape(130, 70, 33)]
DOT_SIZES = [Shape(1, 1, k) for k in (1, 2, 17, 511, 1024, 50_001)]
ODD = Shape(37, 29, 41)


def is_dot(kernel: Kernel) -> bool:
    return any(constraint.rule == "M == 1" for constraint in kernel.constraints)


def assert_right(runner: Runner, kernel: Kernel, params: Params, shape: Shape) -> None:
    operands = make_operands(shape, Fill.NORMAL, 3)
    c = runner.run(kernel, params, operands)
    result = check(c, build_reference(operands.a, operands.b))
    assert count_poison(c) == 0
    assert result.passed, f"{shape}: {result.max_error_over_ug} > {result.bound}"


def assert_exact(runner: Runner, kernel: Kernel, params: Params, shape: Shape) -> None:
    operands = make_operands(shape, Fill.INTEGERS, 5)
    expected = operands.a.astype(np.int64) @ operands.b.astype(np.int64)
    assert np.array_equal(runner.run(kernel, params, operands).astype(np.int64), expected), shape


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.id)
def test_that_a_kernel_is_right_at_every_size(runner: Runner, kernel: Kernel) -> None:
    params = kernel.params({})
    for shape in DOT_SIZES if is_dot(kernel) else SIZES:
        assert_right(runner, kernel, params, shape)
        assert_exact(runner, kernel, params, shape)


EXTREMES = [
    (kernel, choice)
    for kernel in KERNELS
    if kernel.parameters
    for choice in {min(kernel.parameters[0].choices), max(kernel.parameters[0].choices)}
]
BESIDE = {"register_1d": {"TM": 16}}  # with the default, the largest block would have too many threads


@pytest.mark.parametrize(("kernel", "choice"), EXTREMES, ids=[f"{k.id}-{c}" for k, c in EXTREMES])
def test_that_the_smallest_and_the_largest_choice_are_right(runner: Runner, kernel: Kernel, choice: int) -> None:
    shape = Shape(1, 1, 1025) if is_dot(kernel) else ODD
    given = {kernel.parameters[0].name: choice, **BESIDE.get(kernel.id, {})}
    assert_right(runner, kernel, kernel.params(given), shape)


COMBINATIONS = {
    "register_1d": [{"BM": 16, "BN": 32, "BK": 4, "TM": 1}, {"BM": 32, "BN": 16, "BK": 32, "TM": 16}],
    "register_2d": [{"BM": 16, "BN": 64, "BK": 32, "TM": 1, "TN": 8}, {"BM": 32, "BN": 16, "BK": 4, "TM": 8, "TN": 1}],
    "vectorized": [{"BM": 16, "BN": 16, "BK": 4, "TM": 1, "TN": 8}, {"BM": 32, "BN": 64, "BK": 32, "TM": 4, "TN": 8}],
    "tiled_wide": [{"TILE": 2, "F": 8}, {"TILE": 8, "F": 1}],
}


@pytest.mark.parametrize("name", COMBINATIONS)
def test_that_uneven_combinations_of_parameters_are_right(runner: Runner, catalogue: Catalogue, name: str) -> None:
    kernel = catalogue.get(name)
    for given in COMBINATIONS[name]:
        for shape in (ODD, Shape(36, 28, 40), Shape(35, 28, 41)):  # each branch of the 128-bit loads
            assert_right(runner, kernel, kernel.params(given), shape)


def test_that_naive_kernels_are_right_on_a_grid_smaller_than_c(runner: Runner, catalogue: Catalogue) -> None:
    operands = make_operands(Shape(70, 83, 9), Fill.INTEGERS, 1)
    expected = operands.a.astype(np.int64) @ operands.b.astype(np.int64)
    for name, grids in {
        "naive": [(1, 1, 1), (2, 1, 1), (1, 3, 1), (3, 2, 1), (9, 9, 1)],
        "naive_uncoalesced": [(1, 1, 1), (2, 3, 1)],
        "row_per_block": [(1, 1, 1), (7, 1, 1)],
        "row_shared": [(1, 1, 1), (7, 1, 1)],
    }.items():
        kernel = catalogue.get(name)
        for grid in grids:
            c = runner.run(kernel, kernel.params({}), operands, grid)
            assert np.array_equal(c.astype(np.int64), expected), f"{name} {grid}"


DEVICE_KERNELS = [kernel for kernel in KERNELS if kernel.language is Language.CUDA]


@pytest.mark.parametrize("kernel", DEVICE_KERNELS, ids=lambda kernel: kernel.id)
def test_that_the_headers_shared_bytes_are_what_the_compiler_counts(runner: Runner, kernel: Kernel) -> None:
    shape = Shape(1, 1, 17) if is_dot(kernel) else Shape(17, 33, 5)
    params = kernel.params({})
    device = runner.device_of(kernel).device
    launch = kernel.plan(shape, params, device).launch
    compiled = runner.compiled(kernel, params, shape, as_work_items=True)
    assert compiled.static_shared_bytes == launch.static_shared_bytes


def test_that_a_row_beyond_shared_memory_is_refused_and_the_longest_one_runs(
    runner: Runner, catalogue: Catalogue
) -> None:
    kernel = catalogue.get("row_shared")
    device = runner.device_of(kernel).device
    longest = device.shared_bytes_per_block // 16 * 4
    with pytest.raises(Refusal, match=rf"16 \* ceil\({longest + 1} / 4\) = {16 * (longest // 4 + 1)}"):
        kernel.plan(Shape(1, 1, longest + 1), kernel.params({}), device)
    assert_right(runner, kernel, kernel.params({}), Shape(2, 3, longest))


def test_that_a_private_row_beyond_its_limit_is_refused_and_the_longest_one_runs(
    runner: Runner, catalogue: Catalogue
) -> None:
    kernel = catalogue.get("cl_row_private")
    with pytest.raises(Refusal, match="needs K <= 4096, but K is 4097"):
        kernel.plan(Shape(2, 3, 4097), (), runner.device_of(kernel).device)
    assert_right(runner, kernel, (), Shape(2, 3, 4096))


def test_that_a_dot_product_of_the_tutorial_has_its_sum(runner: Runner, catalogue: Catalogue) -> None:
    operands = make_operands(Shape(1, 1, 1024), Fill.INDEX_TWOS, 0)
    for name in ("dot", "dot_serial"):
        kernel = catalogue.get(name)
        assert runner.run(kernel, kernel.params({}), operands)[0, 0] == 1_047_552.0


@pytest.mark.parametrize("name", ["register_2d", "naive", "tiled", "vectorized", "cl_naive", "cpu_blocked"])
def test_that_infinities_and_nans_stay_in_their_row_and_column(runner: Runner, catalogue: Catalogue, name: str) -> None:
    a, b = np.ones((20, 19), np.float32), np.ones((19, 18), np.float32)
    a[7, 18], b[18, 5] = np.inf, np.nan
    kernel = catalogue.get(name)
    c = runner.run(kernel, kernel.params({}), Operands(a, b))
    assert np.isnan(c[:, 5]).all()
    assert np.isposinf(np.delete(c[7], 5)).all()
    assert (np.delete(np.delete(c, 7, 0), 5, 1) == 19.0).all()
