"""A block of literals in host code follows the parameters that products and quotients of its number are made of."""

from __future__ import annotations

from gemmviz.adopt.description import Description
from gemmviz.adopt.parameters.hints import tried_launches
from gemmviz.adopt.parameters.host_expressions import host_expressions
from gemmviz.adopt.source.read import read_source
from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.terms import Language

FILE = """template <int BM, int BN, int BK, int TM> __global__ void mm(const float *A, const float *B, float *C,
    int M, int N, int K) {{ C[threadIdx.x] = 0; }}
void run(float *A, float *B, float *C, int M, int N, int K) {{
    constexpr int ROWS = 32;
    mm<{}, 32, 8, 8><<<dim3((N + 31) / 32, (M + 31) / 32), 32 * 32 / 8>>>(A, B, C, M, N, K);
}}
"""
STORAGE = Storage()
DEFAULTS = {"BM": 32, "BN": 32, "BK": 8, "TM": 8}


def described(block: str = "128", grid: str = "ceil_div(N, 32)") -> Description:
    given = ("A", "B", "C", "M", "N", "K")
    return Description("mm", (), (), given, (STORAGE, STORAGE, STORAGE, STORAGE), (block,), (grid, "ceil_div(M, 32)"))


def forms(first: str) -> tuple[str, ...]:
    """What may stand for the threads of a block."""
    source = read_source(FILE.format(first), Language.CUDA)
    (kernel,), (launch,) = source.kernels, source.launches
    return host_expressions(kernel, launch, source.names, described(), DEFAULTS, {}).parts[0].forms[0]


def test_that_products_and_quotients_of_parameters_are_tried_behind_the_number() -> None:
    assert forms("32") == ("128", "BM * BN // BK", "BM * BN // TM")


def test_that_no_parameter_is_taken_that_the_host_code_has_a_name_for() -> None:
    """The block would be written with it."""
    assert forms("ROWS") == ("128",)


def test_that_the_launches_of_a_wrong_value_are_named() -> None:
    grid = "in a grid of ceil_div(N, 32) × ceil_div(M, 32) blocks"
    assert tried_launches([]) == ""
    assert tried_launches([described()]) == f"launched with 128 threads {grid}"
    of_grids = [described(), described(grid="ceil_div(N, 64)")]
    assert tried_launches(of_grids) == f"launched with 128 threads {grid}; no other grid is right"
    of_blocks = [*of_grids, described("256"), described("256", "ceil_div(N, 64)"), described("64")]
    assert tried_launches(of_blocks) == f"launched with 128 threads {grid}; not right with 256 or 64 threads either"
