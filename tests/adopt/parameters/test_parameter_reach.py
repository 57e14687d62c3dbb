"""Values of parameters are tried beyond a step of every loop: those that leave elements out or race are not offered."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from gemmviz.adopt.description import Description
from gemmviz.adopt.look import look_at
from gemmviz.adopt.parameters.reach import remainder_sizes
from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.shape import Shape

pytestmark = pytest.mark.usefixtures("nvrtc")

HEAD = "__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K)\n{\n"
SUM = "float s = 0; for (int k = 0; k < K; k++) s += A[r * K + k] * B[k * N + c]; C[r * N + c] = s;"
HOST = "void run(const float *A, const float *B, float *C, int M, int N, int K) { LAUNCH(A, B, C, M, N, K); }\n"
GRID_STRIDE = (
    "#define BS 128\n" + HEAD + "for (int i = blockIdx.x * BS + threadIdx.x; i < M * N; i += gridDim.x * BS) "
    "{ int r = i / N, c = i % N; " + SUM + " }\n}\n" + HOST.replace("LAUNCH", "mm<<<64, 128>>>")
)
STRIPS = (
    "template <int COLS> " + HEAD + "int r = blockIdx.x;\nfor (int c0 = 0; c0 < N; c0 += COLS) "
    "{ int c = c0 + threadIdx.x; if (c < N) { "
    + SUM
    + " } }\n}\n"
    + HOST.replace("LAUNCH", "constexpr int WIDE = 256; mm<WIDE><<<M, 256>>>")
)
LONG_SUM = (
    "static constexpr int ITERS = 1024;\n" + HEAD + "int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + "
    "threadIdx.y;\nif (r >= M || c >= N) return;\nfloat s = 0;\nfor (int k = 0; k < ITERS * 8 && k < K; k++) "
    "s += A[r * K + k] * B[k * N + c];\nC[r * N + c] = s;\n}\n"
    + HOST.replace("LAUNCH", "mm<<<dim3((N + 31) / 32, (M + 7) / 8), dim3(32, 8)>>>")
)

TAIL = (
    "#ifndef UN\n#define UN 4\n#endif\n" + HEAD + "int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + "
    "threadIdx.y, k = 0;\nif (r >= M || c >= N) return;\nfloat s = 0;\nfor (; k + UN <= K; k += UN) "
    "for (int u = 0; u < UN; u++) s += A[r * K + k + u] * B[(k + u) * N + c];\n"
    "for (int t = 0; t < 14 && k < K; t++, k++) s += A[r * K + k] * B[k * N + c];\nC[r * N + c] = s;\n}\n"
)
"""Right but where 15 products are left over by an unrolled loop of 16."""


@cache
def described(text: str) -> Description:
    """What is described of a file with this text; tests that ask different things of one text share it."""
    found = look_at(Path("mine.cu"), text, "", 90.0, lambda _: None).found[0].description
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("text", "wrong"),
    [(GRID_STRIDE, {256, 512}), (STRIPS, {512, 1024}), (LONG_SUM, {256, 512}), (TAIL, {16})],
    ids=["grid-stride", "strips", "sum", "tail"],
)
def test_that_a_value_which_leaves_elements_out_is_not_offered(text: str, wrong: set[int]) -> None:
    found = described(text)
    assert not wrong & {value for one in found.parameters for value in one.choices}
    left_out = {one.value: one.because for one in found.values_left_out}
    assert all("elements are wrong" in left_out[value] for value in wrong)


def test_that_a_value_whose_threads_write_the_same_to_each_others_elements_is_offered() -> None:
    """Strips of 64 columns, of which 256 threads write four at once, the same in each."""
    found = described(STRIPS)
    assert [one.choices for one in found.parameters] == [(64, 128, 256)]
    assert {one.value for one in found.values_left_out} == {512, 1024}


def test_that_a_value_is_tried_where_it_leaves_most_and_least_of_a_step_over() -> None:
    plain = Description(
        entry="mm",
        template=(),
        defines=(),
        arguments=(),
        storages=(Storage(), Storage(), Storage(), Storage()),
        block=("16",),
        grid=("M",),
        fixed=(("N", 8),),
    )
    sizes = remainder_sizes(plain, [16], {})
    assert sizes == [Shape(31, 8, 5), Shape(33, 8, 5), Shape(5, 8, 31), Shape(5, 8, 33)]
    assert Shape(8, 8, 28) in remainder_sizes(plain, [16], {"M": 8, "K": 4})
    equal = replace(plain, fixed=(), equal=(("M", "N"), ("N", "K")))
    assert remainder_sizes(equal, [16], {}) == [Shape(31, 31, 31), Shape(33, 33, 33)]
