"""Guesses from names, launches and constants: what is tried first."""

from __future__ import annotations

import pytest

from gemmviz.adopt.propose.geometry import blocks_of
from gemmviz.adopt.propose.instances import instances_of
from gemmviz.adopt.propose.roles import factor_of, matrices_in_order, role_of
from gemmviz.adopt.prove.gpu_limits import too_many_threads
from gemmviz.adopt.source.kernels import SignatureParameter
from gemmviz.adopt.source.read import read_source
from gemmviz.domain.terms import Language


def number(name: str) -> SignatureParameter:
    return SignatureParameter(name, f"int {name}", "int", False, False)


def pointer(name: str, *, is_const: bool = False) -> SignatureParameter:
    return SignatureParameter(name, f"float *{name}", "float", True, is_const)


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("M", "M"),
        ("n", "N"),
        ("K", "K"),
        ("lda", "lda"),
        ("ldb", "ldb"),
        ("stride_c", "ldc"),
        ("wA", "K"),
        ("hA", "M"),
        ("wB", "N"),
        ("numARows", "M"),
        ("numAColumns", "K"),
        ("num_rows_B", "K"),
        ("num_cols_B", "N"),
        ("num_rows_C", "M"),
        ("inner", "K"),
        ("tile_width", "tile"),
        ("BATCH", "batch"),
        ("o", ""),
        ("flags", ""),
    ],
)
def test_that_a_name_says_what_a_number_stands_for(name: str, role: str) -> None:
    found = role_of(number(name), {})
    assert found.word == role
    assert name in found.because


def test_that_rows_and_columns_are_those_of_the_pointer_that_is_named() -> None:
    pointers = {"M": "A", "N": "B", "P": "C"}
    assert role_of(number("num_cols_M"), pointers).word == "K"
    assert role_of(number("num_cols_P"), pointers).word == "N"


@pytest.mark.parametrize(
    ("name", "word"), [("mat1_cols", "K"), ("mat2_rows", "K"), ("mat2_cols", "N"), ("in_rows", ""), ("mat_rows", "M")]
)
def test_that_a_part_that_one_pointer_alone_has_in_its_name_tells_its_matrix(name: str, word: str) -> None:
    assert role_of(number(name), {"in_mat1": "A", "in_mat2": "B", "out_mat": "C"}).word == word


def test_that_pointers_are_matrices_by_name_or_by_order() -> None:
    assert matrices_in_order([pointer("C"), pointer("A"), pointer("B")]) == {0: "C", 1: "A", 2: "B"}
    assert matrices_in_order([pointer("d_A"), pointer("d_B"), pointer("d_C")]) == {0: "A", 1: "B", 2: "C"}
    assert matrices_in_order([pointer("M"), pointer("N"), pointer("P")]) == {0: "A", 1: "B", 2: "C"}
    out_first = [pointer("out"), pointer("left", is_const=True), pointer("right", is_const=True)]
    assert matrices_in_order(out_first) == {0: "C", 1: "A", 2: "B"}
    assert matrices_in_order([pointer("C"), pointer("A"), pointer("Bm")]) == {0: "C", 1: "A", 2: "B"}


def test_that_alpha_and_beta_are_told_by_name() -> None:
    assert [factor_of(number(name)) for name in ("alpha", "Beta", "scale")] == ["alpha", "beta", ""]


def instances(text: str, missing: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], tuple[tuple[str, int], ...]]]:
    source = read_source(text, Language.CUDA)
    kernel = source.kernels[0]
    found = instances_of(kernel, source.launches, source.instantiations_of(kernel), source.names, missing)
    return [(one.template, one.defines) for one in found]


def test_that_launches_come_before_defaults_and_usual_sizes() -> None:
    text = "template <int T = 8> __global__ void f(float *C) {}\nvoid g(float *C) { f<24><<<1, 24>>>(C); }"
    found = instances(text)
    assert found[:3] == [(("24",), ()), (("8",), ()), (("32",), ())] or found[:2] == [(("24",), ()), (("8",), ())]


def test_that_arguments_of_a_template_may_be_functions_truth_values_and_earlier_ones() -> None:
    head = "template <typename T, template <typename> class E, bool ON, int BM = 16, int BN = BM>"
    assert instances(
        f"{head} __global__ void f(T *C) {{}}\nvoid g(float *C) {{ f<float, Twice, true><<<1, 24>>>(C); }}"
    )[0][0] == (
        *("float", "Twice", "true"),
        *("16", "16"),
    )


def test_that_a_default_with_the_suffix_of_a_type_is_its_number() -> None:
    head = "template <unsigned B = 16u, long T = 8LL, typename U = int2, int V = B * 2u>"
    assert instances(f"{head} __global__ void f(float *C) {{}}")[0][0] == ("16", "8", "int2", "16 * 2")


def test_that_sizes_of_tiles_are_guessed_by_their_names() -> None:
    text = "template <const int BM, const int BN, const int BK, const int TM> __global__ void f(float *C) {}"
    assert instances(text)[0][0] == ("64", "64", "8", "8")
    text = "template <typename T, int BLOCK_SIZE, bool ON> __global__ void f(T *C) {}"
    assert instances(text)[0][0] == ("float", "32", "false")


def test_that_conditions_and_missing_names_become_macros() -> None:
    text = "#if KERNEL == 3\n__global__ void f(float *C) {}\n#endif"
    assert instances(text)[0] == ((), (("KERNEL", 3),))
    found = dict(instances(text, ("TS", "WPT", "RTS"))[0][1])
    assert found == {"KERNEL": 3, "TS": 32, "WPT": 8, "RTS": 4}


def blocks(text: str, **sizes: int) -> list[tuple[tuple[int, int, int], str]]:
    source = read_source(text, Language.CUDA)
    kernel = source.kernels[0]
    launches = source.launches_of(kernel)
    found = blocks_of(kernel, launches[0] if launches else None, sizes, source.names)
    return [(one.block, one.shared_bytes) for one in found]


def test_that_the_square_of_a_number_is_a_try_and_no_tile_that_the_source_may_not_have() -> None:
    text = """template <int BK> __global__ void f(float *C) {
        __shared__ float As[64 * BK]; As[threadIdx.x] = C[threadIdx.x]; }"""
    source = read_source(text, Language.CUDA)
    grounds = {one.block: one.because for one in blocks_of(source.kernels[0], None, {"BK": 16}, source.names)}
    assert grounds[256, 1, 1] == "BK × BK threads were tried, and with so many it is right"


def test_that_the_block_of_a_launch_is_tried_first() -> None:
    text = """__global__ void f(float *C, int n) { C[threadIdx.x] = 0; }
    void g(float *C, int n) { f<<<n, 96, 4 * n>>>(C, n); }"""
    assert blocks(text)[0] == ((96, 1, 1), "4 * {1}")


def test_that_names_that_nothing_tells_are_tried_with_edges_of_tiles() -> None:
    text = """__global__ void f(float *C, int n) { C[threadIdx.x + threadIdx.y] = 0; }
    void g(float *C, int n, int edge) { dim3 block(edge, edge); f<<<n, block, edge * edge * sizeof(float)>>>(C, n); }"""
    assert blocks(text)[:3] == [((32, 32, 1), "4096"), ((16, 16, 1), "1024"), ((8, 8, 1), "256")]


@pytest.mark.parametrize(
    ("head", "body", "sizes", "first"),
    [
        ("__launch_bounds__(192)", "threadIdx.x", {}, (192, 1, 1)),
        ("__launch_bounds__(1024)", "threadIdx.x + threadIdx.y", {}, (32, 32, 1)),
        ("", "threadIdx.x; assert(BM * BK == blockDim.x)", {"BM": 64, "BK": 8}, (512, 1, 1)),
        ("", "threadIdx.x", {"BM": 128, "BN": 128, "TM": 8, "TN": 8}, (256, 1, 1)),
        ("", "threadIdx.x; const int NUM_THREADS = 160", {}, (160, 1, 1)),
        (
            "",
            "threadIdx.x + threadIdx.y",
            {"BLOCK_SIZE_M": 64, "BLOCK_SIZE_N": 32, "THREAD_SIZE_Y": 4, "THREAD_SIZE_X": 2},
            (16, 16, 1),
        ),
        ("", "threadIdx.x", {"BLOCKSIZE": 32}, (1024, 1, 1)),
    ],
)
def test_that_constants_of_the_source_make_the_block(
    head: str, body: str, sizes: dict[str, int], first: tuple[int, int, int]
) -> None:
    assert blocks(f"__global__ {head} void f(float *C) {{ int i = {body}; }}", **sizes)[0][0] == first


TILE_OF_64 = """#define T 64
__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K) {
    int row = blockIdx.y * T + threadIdx.y, col = blockIdx.x * T + threadIdx.x; C[row * N + col] = A[row] * B[col];
}
"""


@pytest.mark.parametrize(
    ("host", "words"),
    [
        (
            "void f(float *A, int n) {\n dim3 b(T, T);\n mm<<<n, b>>>(A, A, A, n, n, n);\n}",
            "launches blocks of 64 × 64 = 4096 threads, and a block can have 1024",
        ),
        (
            "void f(float *A, int n) { mm<<<n, 2048>>>(A, A, A, n, n, n); }",
            "launches blocks of 2048 threads, and a block can have 1024",
        ),
        (
            "",
            "with a thread for each element of the tile by which its source steps, a block has 64 × 64 = 4096 threads, "
            "and can have 1024; no smaller block that was tried proved a product",
        ),
        ("void f(float *A, int n) { mm<<<n, 1024>>>(A, A, A, n, n, n); }", ""),
        ("void f(float *A, dim3 b) { mm<<<9, b>>>(A, A, A, 1, 1, 1); }", ""),
    ],
)
def test_that_more_threads_than_a_block_can_have_are_named(host: str, words: str) -> None:
    found = read_source(TILE_OF_64 + host, Language.CUDA)
    (kernel,) = found.kernels
    (instance, *_) = instances_of(kernel, found.launches, (), found.names)
    assert too_many_threads(kernel, instance, {}, found.names) == words
