"""Numbers that a launch gives a kernel for other ones are told where all of them show."""

from __future__ import annotations

from gemmviz.adopt.description import Description
from gemmviz.adopt.finding import KernelFinding
from gemmviz.adopt.host_launch import LaunchRemedy
from gemmviz.adopt.prove.check import Checked
from gemmviz.adopt.prove.host.host_launches import HostLaunches
from gemmviz.adopt.prove.host.launch_numbers import described_numbers
from gemmviz.adopt.prove.host.launch_terms import terms_of
from gemmviz.adopt.source.read import read_source
from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Language

STORAGE = Storage()
SIZES = (Shape(19, 41, 37), Shape(64, 72, 72), Shape(64, 72, 100), Shape(100, 72, 64))
DESCRIBED = Description(
    "mm",
    (),
    (),
    ("M", "N", "K", "A", "lda", "B", "ldb", "C", "ldc"),
    (STORAGE, STORAGE, STORAGE, STORAGE),
    ("16", "16"),
    ("ceil_div(N, 16)", "ceil_div(M, 16)"),
)


def launched(parameters: str, call: str) -> Description:
    """What is told of a kernel that host code launches so."""
    file = f"""__global__ void mm(int m, int n, int k, const float *A, int lda, const float *B, int ldb, float *C,
                   int ldc) {{}}
void h(float *a, float *b, float *c, {parameters}) {{
    mm<<<{call};
}}
"""
    source = read_source(file, Language.CUDA)
    names = tuple(one.name for one in source.kernels[0].parameters)
    launches = HostLaunches(tuple(terms_of(one, DESCRIBED.arguments, {}) for one in source.launches), names)

    def right_if_the_same(description: Description, shape: Shape) -> Checked:
        has, needs = described_numbers(description, shape), described_numbers(DESCRIBED, shape)
        return Checked("" if has == needs else "elements are wrong")

    found = launches.beside(KernelFinding("mm", 1, DESCRIBED, right_sizes=SIZES), right_if_the_same, is_free=False)
    assert found.description is not None
    return found.description


def test_that_every_number_that_is_given_for_another_is_told_at_a_size_where_all_of_them_show() -> None:
    call = "dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(M, N, K, a, M, b, K, c, M)"
    found = launched("int M, int N, int K", call)
    assert found.otherwise == (
        "line 4 gives the kernel M for lda, K for ldb and M for ldc. "
        "With that launch the result is wrong at 64x128x96: elements are wrong"
    )
    assert found.otherwise_remedy is LaunchRemedy.LAUNCH


def test_that_a_call_whose_grid_shows_that_it_exchanges_two_sizes_is_told_to_exchange_them() -> None:
    call = "dim3((cols + 15) / 16, (rows + 15) / 16), dim3(16, 16)>>>(rows, inner, cols, a, cols, b, inner, c, inner)"
    found = launched("int rows, int inner, int cols", call)
    assert found.otherwise == (
        "line 4 exchanges N and K: it gives the kernel inner for N and cols for K, and launches a grid of "
        "ceil_div(K, 16) × ceil_div(M, 16) blocks, in the names of the kernel. With that launch the result is wrong at "
        "64x72x100: elements are wrong"
    )
    assert found.otherwise_remedy is LaunchRemedy.ARGUMENTS
