"""Kernels in the styles that people write: each is described rightly, and what is no product is not described."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from gemmviz.adopt.finding import AdoptionStep, Findings, KernelFinding
from gemmviz.adopt.look import look_at
from gemmviz.adopt.sidecar import sidecar_text
from gemmviz.adopt.words import call_words, hazard_words, summary_of, verdict_words
from gemmviz.backends.registry import find_device
from gemmviz.catalogue.loader import described_kernel
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill
from gemmviz.measure.bench import Bench, make_inputs

DATA = Path(__file__).parents[1] / "data"
pytestmark = pytest.mark.usefixtures("nvrtc", "no_further_values")

TILES = "needs M in multiples of BM (64), N of BN (32) and K of BK (8)"
EVERY = "takes every size that was tried"
PROVEN = {
    "adopt/adds_up.cu": (f"C = A·B + C, {EVERY}", "adds(A, B, C, M, N, K)"),
    "adopt/batch_of_eight.cu": (f"C = A·B, {EVERY}", "eight(A, B, C, M, N, K, 4096, 4096, 4096)"),
    "adopt/batch_of_one.cu": (f"C = A·B, {EVERY}", "bmm(A, B, C, 1, M, N, K, M * K, K * N, M * N)"),
    "adopt/batched.cu": (f"C = A·B, {EVERY}", "batched(A, B, C, 1, M, N, K)"),
    "adopt/bfloat16.cu": (
        "C = A·B, all matrices in bf16, needs M in multiples of BM (32), N of BN (64) and K of BK (16)",
        "narrow<BM, BN, BK, NUM_THREADS>(M, N, K, A, B, C)",
    ),
    "adopt/bfloat16_elsewhere.cu": (f"C = A·B, all matrices in bf16, {EVERY}", "elsewhere(M, N, K, A, B, C)"),
    "adopt/blocktile_template.cu": (
        f"C = alpha·A·B + beta·C, {TILES}",
        "sgemm_blocktile<BM, BN, BK, TM, TM>(M, N, K, alpha, A, B, beta, C)",
    ),
    "adopt/column_macros.cu": (
        "C = alpha·A·B + beta·C, all matrices column-major, needs M, N and K in multiples of 16",
        "column_tiles(M, N, K, alpha, A, B, beta, C)",
    ),
    "adopt/columns_apart.cu": ("C = A·B, needs M = K", "columns_apart(A, B, C, K, N)"),
    "adopt/constant_guarded.cu": ("C = A·B, needs M = 256, N = 256 and K = 256", "guarded(A, B, C)"),
    "adopt/constant_rectangle.cu": ("C = A·B, needs M = 96, N = 160 and K = 64", "rectangle(A, B, C)"),
    "adopt/constant_sizes.cu": ("C = A·B, needs M = 256, N = 256 and K = 256", "fixed(A, B, C)"),
    "adopt/counts_of_vectors.cu": (
        "C = A·B, needs N in multiples of 4 and K of TILE (8)",
        "vectors(A, B, C, M, N // 4, K // 8)",
    ),
    "adopt/dynamic_shared.cu": (f"C = A·B, {EVERY}", "tiles<float>(A, B, C, M, K, K, N, M, N)"),
    "adopt/edges_by_last_block.cu": (
        "C = A·B, right with K in multiples of 16 (or M of at most 128)",
        "last_guards<128, 64, 16>(A, B, C, M, K, N)",
    ),
    "adopt/edges_in_source.cu": ("C = A·B, needs M in multiples of 4 and N of 16", "edges(A, B, C, M, N, K)"),
    "adopt/first_columns.cu": ("C = A·B, needs N of at most 100", "first_columns(A, B, C, M, N, K)"),
    "adopt/forgets_last_tile.cu": ("C = A·B, needs K in multiples of 16", "forgets(A, B, C, M, N, K)"),
    "adopt/functor.cu": (f"C = A·B, {EVERY}", "functor<Same>(A, B, C, M, N, K, 0)"),
    "adopt/grid_for_squares.cu": (
        "C = alpha·A·B + beta·C, needs M and N in multiples of 32",
        "exchanged(M, N, K, alpha, A, B, beta, C)",
    ),
    "adopt/half_gemm.cu": (
        f"C = alpha·A·B + beta·C, all matrices in half, {EVERY}",
        "half_kernel(A, B, C, M, N, K, alpha, beta)",
    ),
    "adopt/halved_c.cu": (f"C = 2·A·B + 0.5·C, all matrices in double, {EVERY}", "halved_c(A, B, C, M, N, K)"),
    "adopt/inline_assembly.cu": (f"C = A·B, {EVERY}", "assembled(A, B, C, M, N, K, K * 4, N * 4)"),
    "adopt/local_argument.cl": (
        "C = A·B, needs M, N and K in multiples of 16",
        "staged(A, B, C, local(2048), M, N, K)",
    ),
    "adopt/local_tiles.cl": (
        f"C = alpha·A·B + beta·C, {EVERY}",
        "tiles(A, B, C, local(256), local(256), M, N, K, alpha, beta)",
    ),
    "adopt/launched_by_name.cu": (f"C = A·B, all matrices in double, {EVERY}", "mine::rows(C, A, B, M, K, N)"),
    "adopt/layouts_apart.cu": (
        f"D = alpha·A·B + beta·C, D column-major, {EVERY}",
        "layouts_apart(M, N, K, alpha, A, lda, B, ldb, beta, C, ldc, D, ldd)",
    ),
    "adopt/lines_between.cu": (f"C = A·B, {EVERY}", "lines_between(M, N, K, A, lda, B, ldb, C, ldc)"),
    "adopt/lines_last.cu": (f"C = A·B, {EVERY}", "lines_last(A, B, C, M, N, K, lda, ldb, ldc)"),
    "adopt/lines_without_sizes.cu": (
        "C = A·B, A and C column-major, needs M and N in multiples of 16",
        "lines_without_sizes(A, lda, B, ldb, C, ldc, K)",
    ),
    "adopt/negated.cu": (f"C = -A·B, {EVERY}", "negated(A, B, C, M, N, K)"),
    "adopt/one_number.cu": ("C = A·B, needs M = N, needs M = K", "square(A, B, C, K)"),
    "adopt/one_warp.cu": ("C = A·B, which sizes it takes is not known, because it races", "one_warp(A, B, C, M, N, K)"),
    "adopt/result_apart.cu": (
        f"D = alpha·A·B + beta·C, {EVERY}",
        "apart<float>(A, lda, B, ldb, C, ldc, D, ldd, alpha, beta, M, N, K)",
    ),
    "adopt/row_in_shared.cu": ("C = A·B, needs K of at most 1024", "row_in_shared(A, B, C, M, N, K)"),
    "adopt/pointer_aliases.cu": (f"C = A·B, {EVERY}", "aliased(C, A, B, M, N, K)"),
    "adopt/rows_apart.cu": ("C = A·B, needs N = K", "rows_apart(A, B, C, M, N, K)"),
    "adopt/six_template_arguments.cu": (
        "C = A·B, needs M in multiples of BLOCK_SIZE_M (64), N of BLOCK_SIZE_N (32) and K of BLOCK_SIZE_K (8)",
        "MatMul<BLOCK_SIZE_M, BLOCK_SIZE_K, BLOCK_SIZE_N, THREAD_SIZE_Y, THREAD_SIZE_Y, false>(A, B, C, M, K, N)",
    ),
    "adopt/pitched.cu": (f"C = A·B, {EVERY}", "mm(A, lda * 4, B, ldb * 4, C, ldc * 4, M, N, K)"),
    "adopt/split_by_grid.cu": (f"C = A·B + C, {EVERY}", "split(A, B, C, M, N, K)"),
    "adopt/split_evenly.cu": ("C = A·B + C, needs K in multiples of 4", "evenly(A, B, C, M, N, K)"),
    "adopt/split_in_chunks.cu": (f"C = A·B + C, {EVERY}", "chunks(A, B, C, M, N, K)"),
    "adopt/split_workspace.cu": (f"C = A·B, {EVERY}", "parts(A, B, C, M, N, K, 1)"),
    "adopt/slice_without_host.cu": (f"C = A·B + C, {EVERY}", "slices(A, B, C, M, N, K, K)"),
    "adopt/split_by_host.cu": (f"C = A·B + C, {EVERY}", "slices(A, B, C, M, N, K, ceil_div(K, 4))"),
    "adopt/split_by_macro.cu": (f"C = A·B + C, {EVERY}", "slices(A, B, C, M, N, K)"),
    "adopt/split_by_number.cu": (f"C = A·B + C, {EVERY}", "slices(A, B, C, M, N, K, 4)"),
    "adopt/square_only.cu": ("C = A·B, needs M = N, needs M = K", "squares(A, B, C, K, K, K)"),
    "adopt/strided_batches.cu": (f"C = A·B, {EVERY}", "strided(A, B, C, M, N, K)"),
    "adopt/stride_by_grid.cu": (f"C = A·B, {EVERY}", "goes_on(A, B, C, M, N, K)"),
    "adopt/stride_of_one_block.cu": (f"C = A·B, {EVERY}", "one_block(A, B, C, M, N, K)"),
    "adopt/subtracts.cu": (f"C = -alpha·A·B + C, {EVERY}", "subtracts(C, A, B, alpha, M, N, K)"),
    "adopt/tile_of_host.cu": (
        "C = A·B, needs M = N, needs M = K, needs M in multiples of 16",
        "tiles(C, A, B, K, 16)",
    ),
    "adopt/turned_b.cu": (f"C = A·B, B column-major, {EVERY}", "rows_of_both(A, B, C, M, N, K)"),
    "adopt/turned_by_flag.cu": (f"C = A·B, B column-major, {EVERY}", "turned(A, B, C, M, N, K, 1)"),
    "adopt/unused_alpha.cu": (f"C = A·B, {EVERY}", "unused(A, B, C, M, N, K, 1.0, 0.0)"),
    "adopt/warp_for_an_element.cu": (f"C = A·B, {EVERY}", "warps(A, B, C, M, N, K)"),
    "adopt/widths_and_main.cu": ("C = A·B, needs M, N and K in multiples of 16", "multiply<16>(C, A, B, K, N)"),
    "foreign/half_inputs.cu": (
        f"C = alpha·A·B + beta·C, B column-major, A and B in half, {EVERY}",
        "mixed::product<__half, float, 16>(A, B, C, M, N, K, alpha, beta)",
    ),
    "foreign/in_double.cu": (f"C = alpha·A·B + beta·C, {EVERY}", "in_type<float>(A, B, C, alpha, beta, M, N, K)"),
    "foreign/several.cu": (f"D = alpha·A·B + beta·C, {EVERY}", "apart(A, B, C, D, M, N, K, K, alpha, beta, null)"),
}
WITH_HAZARDS = {"adopt/one_warp.cu": ("race between lines 8 and 11", 6)}
REFUSED = {
    "adopt/a_times_itself.cu": "it looks like a matrix times itself: ",
    "adopt/constant_large.cu": "constant_large.cu:2: a product with SIZE = 8192 takes too long on the PTX machine: put",
    "adopt/cut_off.cu": "it is right with elements from -1 to 1, but not from -1024 to 1024: ",
    "adopt/deduced.cu": "deduced.cu:6: the type of `F f` is a parameter of the template that no host code names, and",
    "adopt/does_not_compile.cu": 'does_not_compile.cu:3: does not compile: identifier "undeclared" is undefined',
    "adopt/not_a_number.cu": "elements are wrong; C[63,95] is not a number (NaN), right is ",
    "adopt/padded_squares.cu": "neither its name nor the host code says what extra stands for",
    "adopt/rectified.cu": "it looks like a product with a maximum with 0 (ReLU) behind it: ",
    "adopt/sum_of_matrices.cu": "elements that were compared is A[i] + B[i]; gemmviz describes products of two",
    "adopt/whole_numbers.cu": "it points to int, and gemmviz gives kernels matrices of float, double, half and",
    "adopt/without_last.cu": "it looks like a product of which the last term of each sum is missing: ",
    "adopt/with_bias.cu": "it looks like a product with a function of each element behind it: ",
}


def quiet(step: AdoptionStep) -> None:
    del step


@cache
def looked(name: str) -> Findings:
    path = DATA / name
    return look_at(path, path.read_text(encoding="utf-8"), "", 60.0, quiet)


def called(one: KernelFinding) -> str:
    assert one.description is not None
    template = f"<{', '.join(one.description.template)}>" if one.description.template else ""
    return f"{one.kernel}{template}({', '.join(one.description.arguments)})"


@pytest.mark.parametrize("name", PROVEN)
def test_that_a_kernel_is_described_by_what_it_does(name: str) -> None:
    (found,) = looked(name).proven
    assert found.description is not None
    assert (summary_of(found.description), called(found)) == PROVEN[name]


@pytest.mark.parametrize("name", PROVEN)
def test_that_the_recording_of_a_proven_kernel_is_searched_for_races(name: str) -> None:
    (found,) = looked(name).proven
    assert found.description is not None
    hazards = found.description.hazards
    first, count = WITH_HAZARDS.get(name, ("", 0))
    assert (hazard_words(hazards[0]) if hazards else "", len(hazards)) == (first, count)
    assert not any("not searched for races" in one for one in found.left_out)


@pytest.mark.parametrize("name", PROVEN)
def test_that_what_is_written_down_is_what_runs(name: str) -> None:
    found = looked(name).proven[0].description
    assert found is not None
    path = DATA / name
    kernel = described_kernel(path, path.read_text(encoding="utf-8"), sidecar_text(found))
    fixed = {"M": 128, "N": 128 if found.equal else 192, "K": 128 if found.equal else 96, **dict(found.fixed)}
    fixed |= {rule.dimension: rule.most for rule in found.rules if 0 < rule.most < fixed[rule.dimension]}
    inputs = make_inputs(Shape(fixed["M"], fixed["N"], fixed["K"]), Fill.NORMAL, 9)
    with Bench() as bench:
        run = bench.run(kernel, kernel.params({}), find_device("machine"), inputs)[0]
    assert run.accuracy.passed


def test_that_a_number_that_was_tried_holds_at_all_launches_whose_condition_tells_it() -> None:
    (found,) = looked("adopt/widths_and_main.cu").proven
    assert found.description is not None
    assert not found.description.open_launches


@pytest.mark.parametrize("name", REFUSED)
def test_that_what_is_no_product_is_not_described(name: str) -> None:
    found = looked(name)
    assert found.proven == ()
    assert any(REFUSED[name] in reason for reason in found.found[0].reasons), found.found[0].reasons


def test_that_a_guessed_launch_and_what_to_give_are_named_only_where_another_block_may_help() -> None:
    path = DATA / "adopt" / "some_terms.cu"
    text = path.read_text(encoding="utf-8")
    (found,) = look_at(
        path, text.replace("float sum = 0.0f;", "float sum = 0.0f; __syncthreads();"), "", 60.0, quiet
    ).found
    guessed, written = found.reasons
    assert "in a launch that gemmviz guessed, with blocks of 16 × 16 threads: " in guessed
    assert ": a block of 16 × 16 threads changed 255 elements of C; C[0] is " in written
    assert guessed.endswith("write the launch into the file, or `block` into some_terms.cu.toml")
    (apart,) = looked("adopt/rectified.cu").found
    assert not any("guessed" in one for one in apart.reasons)


def test_that_of_two_kernels_the_one_with_gaps_is_not_described() -> None:
    plain, with_gaps = looked("adopt/two_kernels.cu").found
    assert plain.description is not None
    assert plain.description.arguments == ("A", "B", "C", "M", "K", "N")
    assert with_gaps.description is None
    assert any("was not written" in reason for reason in with_gaps.reasons)


def test_that_kernels_under_conditions_are_compiled_with_them() -> None:
    plain, tiled = looked("adopt/conditional_column.cl").proven
    assert plain.description is not None
    assert tiled.description is not None
    assert plain.description.defines == (("KERNEL", 1),)
    assert tiled.description.defines == (("KERNEL", 2), ("TS", 32))
    assert summary_of(tiled.description) == ("C = A·B, all matrices column-major, needs M, N and K in multiples of 32")


def test_that_the_grid_of_the_host_code_is_not_believed() -> None:
    found = looked("adopt/grid_for_squares.cu").proven[0].description
    assert found is not None
    assert found.grid == ("ceil_div(N, 32)", "ceil_div(M, 32)")


@pytest.mark.parametrize(
    ("name", "blocks"), [("split_by_grid", "4"), ("split_evenly", "4"), ("split_in_chunks", "ceil_div(K, 48)")]
)
def test_that_blocks_that_share_sums_are_launched_and_c_starts_at_zero(name: str, blocks: str) -> None:
    found = looked(f"adopt/{name}.cu").proven[0].description
    assert found is not None
    assert found.grid == ("ceil_div(N, 16)", "ceil_div(M, 16)", blocks)
    assert 'start = "zero"' in sidecar_text(found)


def test_that_a_second_kernel_that_adds_up_parts_is_named_as_not_supported() -> None:
    _, second = looked("adopt/split_workspace.cu").found
    assert "split_workspace.cu:9: it takes 2 pointers; a product needs A, B and C. Where it adds" in second.reasons[0]
    assert "split K with a workspace" in second.reasons[0]


def test_that_c_that_is_read_where_beta_is_zero_is_told() -> None:
    assert "a NaN in it stays one" in looked("adopt/half_gemm.cu").proven[0].notes[0]
    assert looked("adopt/turned_b.cu").proven[0].notes == ()


def test_that_a_kernel_that_is_not_there_is_refused_with_those_that_are() -> None:
    path = DATA / "adopt" / "two_kernels.cu"
    found = look_at(path, path.read_text(encoding="utf-8"), "missing", 60.0, quiet)
    assert found.fault.endswith("there is no kernel 'missing' in it; it has plain, with_gaps")
    assert "no __global__ function" in look_at(path, "int main() {}", "", 60.0, quiet).fault


def test_that_nothing_is_proven_when_time_is_over() -> None:
    path = DATA / "adopt" / "turned_b.cu"
    (found,) = look_at(path, path.read_text(encoding="utf-8"), "", 0.0, quiet).found
    assert found.description is None
    why = "nothing was proven within 0 s of search, of a time limit of 0 s"
    assert found.reasons[0] == f"{path}:2: {why}; allow more time (`gemmviz adopt --time-limit`)"


def test_that_inputs_of_20_bits_are_told_though_sums_may_be_as_far_off() -> None:
    text = """__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K) {
    int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
    if (row >= M || column >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += __uint_as_float(__float_as_uint(A[row * K + k]) MASK) * B[k * N + column];
    C[row * N + column] = sum;
}"""
    (cut,) = look_at(Path("mm.cu"), text.replace("MASK", "& 0xfffffff0"), "", 120, quiet).found
    assert any("results are less exact than float32 allows" in one for one in cut.notes), cut.reasons


def test_that_sums_in_half_are_told_and_not_called_verified() -> None:
    (found,) = looked("adopt/sums_in_half.cu").proven
    assert not found.is_verified
    assert found.description is not None
    assert verdict_words(found.description) == "right, but less exact than `run` allows"
    assert found.notes == (
        "results are less exact than float32 allows, which `run` takes for an error: keep products, sums and factors "
        "in float, and convert the result",
        "its sums are in half, as probes with sums of three terms tell",
    )


@pytest.mark.parametrize("result", ["float", "__half"])
def test_that_products_rounded_to_half_are_told_from_sums_in_half(result: str) -> None:
    text = f"""#include <cuda_fp16.h>
__global__ void mm(const __half *A, const __half *B, {result} *C, int M, int N, int K) {{
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || column >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += __half2float(__hmul(A[row * K + k], B[k * N + column]));
    C[row * N + column] = sum;
}}
"""
    (found,) = look_at(Path("mm.cu"), text, "", 60.0, quiet).found
    words = "each product is rounded to half before it is added, as probes with sums of three terms tell"
    assert found.notes[1:] == (words,)


def test_that_what_a_result_in_half_loses_by_underflow_is_no_coarse_sum() -> None:
    (found,) = looked("adopt/rounded_once.cu").proven
    assert (found.is_verified, found.notes) == (True, ())


@pytest.mark.parametrize(
    ("name", "grid"), [("of_one_block", ("1",)), ("by_grid", ("ceil_div(N, 16)", "ceil_div(M, 16)"))]
)
def test_that_a_grid_stride_loop_is_told_and_launched_as_its_host_code_does(name: str, grid: tuple[str, ...]) -> None:
    (found,) = looked(f"adopt/stride_{name}.cu").proven
    assert found.description is not None
    assert found.description.grid == grid
    assert found.notes[0].startswith("its blocks go on in a grid-stride loop")


def test_that_the_axis_is_named_along_which_any_number_of_blocks_will_do() -> None:
    (found,) = looked("adopt/split_by_grid.cu").proven
    assert found.notes == ("any number of blocks in z computes all of the result",)


def test_that_distances_in_bytes_are_told() -> None:
    (found,) = looked("adopt/pitched.cu").proven
    assert "pitchA, pitchB and pitchC are distances in bytes: so, as lda * 4, results are right" in found.because


def test_that_distances_in_bytes_are_known_by_the_letters_of_their_matrices() -> None:
    path = DATA / "adopt/pitched.cu"
    text = path.read_text(encoding="utf-8").replace("pitch", "p")
    (found,) = look_at(path, text, "", 60.0, quiet).proven
    assert "pA, pB and pC are distances in bytes: so, as lda * 4, results are right" in found.because


def test_that_distances_in_bytes_follow_the_type_of_the_elements() -> None:
    (of_half,) = looked("adopt/pitched_half.cu").proven
    assert of_half.description is not None
    assert call_words(of_half.description) == "squares(A, B, C, K, ldc * 2)"


def test_that_counts_of_vectors_are_told_as_the_host_code_computes_them() -> None:
    (found,) = looked("adopt/counts_of_vectors.cu").proven
    assert "n4 is N // 4: the host code computes it so" in found.because
    assert "tiles is K // 8: the host code computes it so" in found.because


def test_that_one_product_of_a_batch_is_said_to_be_described() -> None:
    (eight,), (workspace,) = (looked(f"adopt/{name}.cu").proven for name in ("batch_of_eight", "split_workspace"))
    assert eight.because[-2] == (
        "blocks along z go on to the next product, by sA, sB and sC: one product of 8 is described; "
        "two were run at 24x37x19 and 21x13x37, and both are right"
    )
    assert not any("next product" in one for one in workspace.because)


def test_that_kernels_of_one_name_are_told_apart_by_their_types() -> None:
    square, every = looked("adopt/overloads.cu").proven
    assert square.kernel == "mm(const float*, const float*, float*, int)"
    assert square.description is not None
    assert every.description is not None
    assert (square.description.entry, square.description.arguments) == (square.kernel, ("A", "B", "C", "K"))
    assert (every.description.entry, every.description.arguments[3:]) == (every.kernel, ("M", "N", "K"))
    assert call_words(every.description) == "mm(A, B, C, M, N, K)"
    path = DATA / "adopt" / "overloads.cu"
    found = look_at(path, path.read_text(encoding="utf-8"), "mm(float*, float*, float*, int)", 0.0, quiet)
    assert [one.kernel for one in found.found] == [square.kernel]
