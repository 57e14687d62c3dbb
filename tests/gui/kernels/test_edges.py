from collections.abc import Callable
from pathlib import Path

import pytest
from some_devices import GPU

from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import load_kernel
from gemmviz.domain.shape import Shape
from gemmviz.gui.kernels.edges import EdgeWaste, edge_waste
from gemmviz.resources import resource_folder


@pytest.fixture
def make_kernel(tmp_path: Path) -> Callable[[str, str], Kernel]:
    """A kernel with this grid and these constraints."""

    def make(grid: str, constraints: str = "") -> Kernel:
        path = tmp_path / "mine.cu"
        header = f'title = "Mine"\nentry = "mine"\nconstraints = [{constraints}]\n'
        header += f'[launch]\nblock = ["16"]\ngrid = [{grid}]\n'
        body = 'extern "C" __global__ void mine(const float *A, const float *B, float *C, int M, int N, int K) {}\n'
        path.write_text(f"/*---\n{header}---*/\n{body}", encoding="utf-8")
        return load_kernel(path)

    return make


@pytest.mark.parametrize(
    ("grid", "shape", "waste"),
    [
        ('"ceil_div(N, 8)", "ceil_div(M, 4)"', Shape(4, 8, 1), EdgeWaste(0.0)),
        ('"ceil_div(N, 8)", "ceil_div(M, 4)"', Shape(5, 9, 1), EdgeWaste(1 - 45 / 128)),
        ('"ceil_div(N, 8)", "M"', Shape(7, 6, 1), EdgeWaste(1 - 6 / 8)),
        ('"ceil_div(M * N, 10)"', Shape(3, 5, 1), EdgeWaste(1 - 15 / 20)),
        ('"ceil_div(N, 10)"', Shape(3, 25, 1), EdgeWaste(1 - 25 / 30, "columns")),
        ('"ceil_div(M, 10)"', Shape(10, 25, 1), EdgeWaste(0.0, "rows")),
        ('"N"', Shape(3, 25, 1), None),
        ('"N // 8", "M // 8"', Shape(64, 64, 64), EdgeWaste(0.0)),
        ('"N // 16", "M // 16"', Shape(64, 64, 64), EdgeWaste(0.0)),
        ('"N // 8", "ceil_div(M, 8)"', Shape(60, 64, 64), EdgeWaste(1 - 60 / 64)),
        ('"M // 10"', Shape(20, 25, 1), EdgeWaste(0.0, "rows")),
        ('"M * N // 16"', Shape(8, 8, 1), EdgeWaste(0.0)),
        ('"N // 8 + 1", "ceil_div(M, 4)"', Shape(4, 63, 1), EdgeWaste(0.0)),
        ('"ceil_div(K, 10)"', Shape(3, 25, 11), None),
        ('"min(ceil_div(N, 8), 2)", "ceil_div(M, 4)"', Shape(3, 100, 1), EdgeWaste(1 - 3 / 4, "rows")),
    ],
)
def test_that_the_waste_is_what_the_grid_covers_beyond_c(make_kernel, grid, shape, waste) -> None:
    found = edge_waste(make_kernel(grid), (), shape, GPU)
    assert (found is None) == (waste is None)
    assert found is None or (found.part, found.of) == (pytest.approx(waste.part), waste.of)


def test_that_a_lesson_whose_tiles_fit_wastes_nothing() -> None:
    kernel = load_kernel(resource_folder("assets") / "lessons" / "kernels" / "race_broken.cu")
    for tile in (2, 4, 8, 16):
        assert edge_waste(kernel, (("TILE", tile),), Shape(64, 64, 64), GPU) == EdgeWaste(0.0)


def test_that_constraints_do_not_stand_in_the_way(make_kernel) -> None:
    kernel = make_kernel('"ceil_div(N, 8)", "ceil_div(M, 4)"', '"N == 5"')
    found = edge_waste(kernel, (), Shape(4, 5, 1), GPU)
    assert (found.part, found.of) == (pytest.approx(1 - 5 / 8), EdgeWaste(0.0).of)


def test_that_a_size_at_the_limit_of_an_index_has_no_known_waste(make_kernel) -> None:
    assert edge_waste(make_kernel('"ceil_div(M, 4)"'), (), Shape(2**24, 1, 1), GPU) is None


def test_that_a_grid_that_cannot_be_has_no_waste(make_kernel) -> None:
    assert edge_waste(make_kernel('"M - 5"'), (), Shape(5, 1, 1), GPU) is None
