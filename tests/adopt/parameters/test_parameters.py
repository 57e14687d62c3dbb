"""Further values of template arguments and macros: only those are offered that were right in every combination."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from gemmviz.adopt.description import Description, SizeRule, SweptParameter
from gemmviz.adopt.finding import AdoptionStep, KernelFinding
from gemmviz.adopt.look import look_at
from gemmviz.adopt.parameters.tries import rounds_of, sizes_of
from gemmviz.adopt.sidecar import sidecar_text
from gemmviz.adopt.words import parameter_words
from gemmviz.backends.registry import find_device
from gemmviz.catalogue.loader import described_kernel
from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.shape import Shape

pytestmark = pytest.mark.usefixtures("nvrtc")

TILES = """#ifndef TILE
#define TILE 16
#endif
__global__ void tiles(const float *A, const float *B, float *C, int M, int N, int K)
{
    ASSERTED
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int t = 0; t < K; t += TILE) {
        As[threadIdx.y][threadIdx.x] = A[row * K + t + threadIdx.x];
        Bs[threadIdx.y][threadIdx.x] = B[(t + threadIdx.y) * N + col];
        __syncthreads();
        for (int k = 0; k < UNROLLED; ++k) sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }
    C[row * N + col] = sum;
}
"""


def quiet(step: AdoptionStep) -> None:
    del step


@cache
def found_in(text: str) -> KernelFinding:
    """What is found of a file with this text; tests that ask different things of one text share it."""
    return look_at(Path("mine.cu"), text, "", 90.0, quiet).found[0]


def described(found: KernelFinding) -> Description:
    assert found.description is not None
    return found.description


def test_that_a_guarded_tile_is_a_parameter_of_the_block_the_grid_and_the_rules() -> None:
    text = TILES.replace("ASSERTED", 'static_assert(TILE != 8, "");').replace("UNROLLED", "TILE")
    description = described(found_in(text))
    assert description.parameters == (SweptParameter("TILE", (4, 16, 32), 16),)
    assert (description.block, description.grid) == (
        ("TILE", "TILE"),
        ("ceil_div(N, TILE)", "ceil_div(M, TILE)"),
    )
    kernel = described_kernel(Path("mine.cu"), text, sidecar_text(description))
    assert [one.choices for one in kernel.parameters] == [(4, 16, 32)]
    assert [one.rule for one in kernel.constraints] == ["M % TILE == 0", "N % TILE == 0", "K % TILE == 0"]


def test_that_a_value_with_which_the_product_is_wrong_is_left_out() -> None:
    """With more than 16 columns the sum is cut off."""
    text = TILES.replace("ASSERTED", "").replace("UNROLLED", "(TILE > 16 ? 16 : TILE)")
    assert described(found_in(text)).parameters == (SweptParameter("TILE", (4, 8, 16), 16),)


def test_that_the_values_that_were_tried_in_vain_are_named() -> None:
    """Only with 16 columns the sum is whole."""
    text = TILES.replace("ASSERTED", 'static_assert(TILE <= 32, "");').replace("UNROLLED", "(TILE == 16 ? 16 : 2)")
    only = found_in(text)
    left_out = {one.value: one.because for one in described(only).values_left_out}
    assert sorted(left_out) == [4, 8, 32, 64]
    assert re.match(r"at \d+x\d+x\d+, .*; launched with 8 × 8 threads in a grid of ", left_out[8])
    assert re.match(r"does not compile: line \d+: static assertion failed", left_out[64])
    assert only.fixed == ("TILE = 16 stays fixed, since with 4, 8, 32 and 64 it was not proven right",)
    assert not any("TILE" in one for one in only.left_out), "they were looked at"
    text = TILES.replace("ASSERTED", 'static_assert(TILE != 8, "");').replace("UNROLLED", "TILE")
    description = described(found_in(text))
    assert {one.value for one in description.values_left_out} == {8, 64}
    kernel = described_kernel(Path("mine.cu"), text, sidecar_text(description))
    assert {(one.name, one.value) for one in kernel.values_left_out} == {("TILE", 8), ("TILE", 64)}


def test_that_a_tile_which_nothing_else_may_define_stays_a_number_and_says_how_it_becomes_a_parameter() -> None:
    text = TILES.replace("#ifndef TILE\n#define TILE 16\n#endif", "#define TILE (8 + 8)")
    found = found_in(text.replace("ASSERTED", "").replace("UNROLLED", "TILE"))
    assert described(found).parameters == ()
    assert described(found).block == ("16", "16")
    assert any(one.startswith("TILE cannot be a parameter: the file sets a value") for one in found.notes)


def test_that_nobody_is_told_to_define_what_is_computed_from_other_numbers() -> None:
    text = TILES.replace("#ifndef TILE\n#define TILE 16\n#endif", "#define EDGE (8 + 8)\n#define TILE (EDGE)")
    notes = found_in(text.replace("ASSERTED", "").replace("UNROLLED", "TILE")).notes
    assert not any("TILE cannot" in one for one in notes)


def test_that_a_large_value_is_tried_with_its_half() -> None:
    assert [*rounds_of((4096,))] == [[], [(0, 2048)], [], [(0, 1024)]]


def test_that_sizes_for_further_values_are_equal_where_they_must_be_and_no_large_products() -> None:
    cube = Description(
        entry="mm",
        template=(),
        defines=(),
        arguments=(),
        storages=(Storage(), Storage(), Storage(), Storage()),
        block=("32", "32"),
        grid=("ceil_div(N, 128)", "ceil_div(K, 32)"),
        equal=(("M", "N"), ("M", "K")),
        rules=(SizeRule("M", 128),),
    )
    sizes = sizes_of(cube, is_first=True)
    assert {one.m for one in sizes} == {128, 384}
    assert all(one.m == one.n == one.k for one in sizes)


EDGES = TILES.replace("ASSERTED", "").replace("UNROLLED", "BK").replace("#ifndef TILE\n#define TILE 16\n#endif\n", "")
EDGES = EDGES.replace("As[TILE][TILE], Bs[TILE][TILE]", "As[BM][BK], Bs[BK][BN]").replace("t += TILE", "t += BK")
EDGES = EDGES.replace("blockIdx.y * TILE", "blockIdx.y * BM").replace("blockIdx.x * TILE", "blockIdx.x * BN")
"""A kernel that is right only where all three edges of its tiles are equal."""


def test_that_sizes_of_a_template_that_have_to_be_equal_are_one_parameter() -> None:
    launch = "void run(float *p) { mine<16, 16, 16><<<dim3(p[0], p[0]), dim3(16, 16)>>>(p, p, p, p[0], p[0], p[0]); }\n"
    text = "template <int BM, int BN, int BK>\n" + EDGES.replace("tiles(", "mine(") + launch
    found = found_in(text)
    description = described(found)
    (swept,) = description.parameters
    assert (swept.name, swept.default) == ("BM", 16)
    assert {8, 16, 32} <= set(swept.choices)
    assert description.template == ("BM", "BM", "BM")
    assert description.block == ("BM", "BM")
    assert any("with BM = BN = BK = " in one for one in found.notes)
    kernel = described_kernel(Path("mine.cu"), text, sidecar_text(description))
    assert [one.rule for one in kernel.constraints] == ["M % BM == 0", "N % BM == 0", "K % BM == 0"]


def test_that_guarded_macros_that_have_to_be_equal_are_one_parameter_that_defines_all() -> None:
    guards = "".join(f"#ifndef {name}\n#define {name} 16\n#endif\n" for name in ("BM", "BN", "BK"))
    description = described(found_in(guards + EDGES))
    (swept,) = description.parameters
    assert (swept.name, description.tied) == ("BM", (("BN", "BM"), ("BK", "BM")))
    (why,) = (one.because for one in description.values_left_out if (one.name, one.value) == ("BM", 64))
    assert why.startswith("with BN = 64 and BK = 64: ")
    kernel = described_kernel(Path("mine.cu"), guards + EDGES, sidecar_text(description))
    plan = kernel.plan(Shape(64, 64, 64), kernel.params({"BM": 8}), find_device("machine"))
    assert dict(plan.defines) == {"BM": 8, "BN": 8, "BK": 8}
    assert plan.launch.block == (8, 8, 1)


def test_that_a_guarded_macro_of_any_name_is_a_parameter() -> None:
    text = TILES.replace("ASSERTED", "").replace("UNROLLED", "TILE").replace("TILE", "BS")
    (swept,) = described(found_in(text)).parameters
    assert (swept.name, swept.default) == ("BS", 16)
    assert {8, 16, 32} <= set(swept.choices)


SPLIT = """template <int PARTS>
__global__ void split(const float *A, const float *B, float *C, int M, int N, int K)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= M || col >= N) return;
    int part = K / DIVISOR, first = blockIdx.z * part;
    float sum = 0;
    #pragma unroll PARTS
    for (int k = first; k < first + part; ++k) sum += A[row * K + k] * B[k * N + col];
    atomicAdd(&C[row * N + col], sum);
}
void run(const float *a, const float *b, float *c, int M, int N, int K)
{
    dim3 block(16, 16), grid((N + 15) / 16, (M + 15) / 16, BLOCKS);
    split<4><<<grid, block>>>(a, b, c, M, N, K);
}
"""


@pytest.mark.parametrize(
    ("divisor", "blocks", "grid"),
    [
        ("PARTS", "4", ("ceil_div(N, 16)", "ceil_div(M, 16)", "PARTS")),
        ("1", "1", ("ceil_div(N, 16)", "ceil_div(M, 16)")),
    ],
)
def test_that_only_that_part_of_a_launch_follows_a_parameter_which_is_wrong_without_it(
    divisor: str, blocks: str, grid: tuple[str, ...]
) -> None:
    """16 = 4 * 4, but the block is no square of the parameter."""
    description = described(found_in(SPLIT.replace("DIVISOR", divisor).replace("BLOCKS", blocks)))
    assert {2, 4, 8} <= set(description.parameters[0].choices)
    assert (description.block, description.grid) == (("16", "16"), grid)


BLOCK = TILES.replace("ASSERTED", "").replace("UNROLLED", "TILE")


@pytest.mark.parametrize(
    ("definition", "words"),
    [("#define TILE 16", "#define TILE"), ("static constexpr int TILE = 16;", "static constexpr int TILE")],
)
def test_that_a_constant_of_the_file_is_a_parameter_that_takes_its_place(definition: str, words: str) -> None:
    text = BLOCK.replace("#ifndef TILE\n#define TILE 16\n#endif", definition)
    found = found_in(text)
    assert described(found).replaced == (words,)
    assert {8, 16, 32} <= {*described(found).parameters[0].choices}
    assert any(f"in the place of {words} (line 1)" in note for note in found.notes)
    sidecar = sidecar_text(described(found))
    assert f'replaces = ["{words}"]' in sidecar
    kernel = described_kernel(Path("mine.cu"), text, sidecar)
    assert (kernel.parameters[0].name, kernel.parameters[0].default) == ("TILE", 16)


def test_that_constants_of_one_value_that_must_be_equal_take_their_places_together() -> None:
    text = BLOCK.replace("#ifndef TILE\n#define TILE 16\n#endif", "#define TILE 16\nconst int EDGE = 16;")
    text = text.replace("[TILE][TILE]", "[TILE][EDGE]").replace("blockIdx.x * TILE", "blockIdx.x * EDGE")
    found = described(found_in(text))
    assert {*found.replaced} == {"#define TILE", "const int EDGE"}
    kernel = described_kernel(Path("mine.cu"), text, sidecar_text(found))
    assert kernel.replaces == {"TILE", "EDGE"}
    assert [one.name for one in kernel.parameters] in (["TILE"], ["EDGE"])


SWITCHED = """#ifndef TILE
#define TILE 16
#endif
__global__ void tiles(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[16][16], Bs[16][16];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    float sum = 0.0f;
    for (int t = 0; t < (K + TILE - 1) / TILE; t++) {
        As[y][x] = row < M && t * TILE + x < K ? A[row * K + t * TILE + x] : 0.0f;
        Bs[y][x] = col < N && t * TILE + y < K ? B[(t * TILE + y) * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++) sum += As[y][k] * Bs[k][x];
        if (TILE > 8) __syncthreads();
    }
    if (row < M && col < N) C[row * N + col] = sum;
}
"""


def test_that_a_value_that_races_is_left_out_though_its_results_are_right() -> None:
    found = found_in(SWITCHED)
    description = described(found)
    assert not description.hazards
    assert description.parameters == (SweptParameter("TILE", (16,), 16),)
    assert parameter_words(description) == "TILE = 16"
    (told,) = (one.because for one in description.values_left_out if one.value == 4)
    assert re.match(r"right results, but line 1[01]: race: ", told)  # of As and of Bs
    assert told.endswith("(at 44x36x72, with blocks of TILE × TILE threads)")


def test_that_a_macro_of_another_kernel_or_that_chooses_one_is_no_parameter() -> None:
    one = "__global__ void one(const float *A, const float *B, float *C, int M, int N, int K) { int row = blockIdx.y * "
    one += "blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x; float sum = 0.0f; if (row < M && "
    one += "col < N) { for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + col]; C[row * N + col] = sum; } }"
    other = (
        "__global__ void fill(float *to) { __shared__ float held[EDGE]; held[threadIdx.x] = EDGE; to[0] = held[0]; }"
    )
    found = look_at(Path("mine.cu"), f"#if KERNEL == 1\n{one}\n#endif\n{other}\n", "", 90.0, quiet).found[0]
    assert described(found).parameters == ()
    assert {"KERNEL", "EDGE"} <= {name for name, _ in described(found).defines}
    assert not [note for note in found.notes if "EDGE" in note or "KERNEL" in note]


def test_that_a_block_that_spoils_the_next_ones_part_is_not_described_though_that_writes_last() -> None:
    """With T = 8 a block of 16 × 16 threads writes beyond its tile, where the next block writes what is right."""
    text = """#define T 16
__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * T + threadIdx.y, col = blockIdx.x * T + threadIdx.x;
    if (row >= M || col >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = threadIdx.y < T && threadIdx.x < T ? sum : -1.0f;
}
void run(float *a, float *b, float *c, int M, int N, int K) {
    mm<<<dim3((N + T - 1) / T, (M + T - 1) / T), dim3(16, 16)>>>(a, b, c, M, N, K);
}
"""
    description = described(found_in(text))
    assert [one.name for one in description.parameters] in ([], ["T"])
    if any(len(one.choices) > 1 for one in description.parameters):
        assert description.block == ("T", "T")


def test_that_a_rule_grows_with_its_parameter_as_far_as_the_kernel_needs() -> None:
    """Rows have to fill whole groups of tiles: 32 is 8 * GROUP, and not 2 * GROUP * GROUP."""
    text = """#define GROUP 4
__global__ void grouped(const float *A, const float *B, float *C, int M, int N, int K)
{
    int across = (N + 7) / 8, each = GROUP * across, group = blockIdx.x / each;
    int tile_y = group * GROUP + blockIdx.x % each % GROUP, tile_x = blockIdx.x % each / GROUP;
    int col = tile_x * 8 + threadIdx.x, row = tile_y * 8 + threadIdx.y;
    if (col >= N || row >= M) return;
    float sum = 0;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum;
}
void run(float *A, float *B, float *C, int M, int N, int K) {
    grouped<<<((N + 7) / 8) * ((M + 7) / 8), dim3(8, 8)>>>(A, B, C, M, N, K);
}
"""
    (rule,) = (one for one in described(found_in(text)).rules if one.multiple > 1)
    assert (rule.dimension, rule.multiple, rule.multiple_words) == ("M", 32, "8 * GROUP")


def test_that_a_value_counts_only_where_all_of_many_blocks_are_right() -> None:
    """Of 8 rows of threads, each with TM rows of C: a step of TM * TM rows leaves rows out where TM is 16."""
    text = """template <int TM>
__global__ void column(const float *A, const float *B, float *C, int M, int N, int K)
{
    int first = (blockIdx.y * 8 + threadIdx.x / 8) * TM, col = blockIdx.x * 8 + threadIdx.x % 8;
    if (col >= N) return;
    for (int row = first; row < first + TM && row < M; ++row) {
        float sum = 0;
        for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + col];
        C[row * N + col] = sum;
    }
}
void run(float *A, float *B, float *C, int M, int N, int K) {
    column<8><<<dim3((N + 7) / 8, (M + 63) / 64), 64>>>(A, B, C, M, N, K);
}
"""
    description = described(found_in(text))
    assert (description.block, description.grid) == (("64",), ("ceil_div(N, 8)", "ceil_div(M, 8 * TM)"))
    assert {2, 4, 8, 16} & {*description.parameters[0].choices} - {8}


def test_that_a_rule_stays_a_number_where_the_kernel_needs_no_more_with_a_larger_value() -> None:
    """TILE says how many elements are held, of which 16 are used in each row and column."""
    text = BLOCK.replace("blockIdx.y * TILE", "blockIdx.y * 16").replace("blockIdx.x * TILE", "blockIdx.x * 16")
    text = text.replace("t += TILE", "t += 16").replace("k < TILE", "k < 16")
    text += (
        "void run(float *a, float *b, float *c, int M, int N, int K) {\n"
        "    tiles<<<dim3(N / 16, M / 16), dim3(16, 16)>>>(a, b, c, M, N, K);\n}\n"
    )
    description = described(found_in(text))
    assert [(one.name, one.default) for one in description.parameters] == [("TILE", 16)]
    assert {32, 64} & {*description.parameters[0].choices}
    assert [(one.multiple, one.multiple_words) for one in description.rules] == [(16, "")] * 3
