"""A whole number that sounds like no size is given a constant, and what another constant would make is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.adopt.finding import KernelFinding
from gemmviz.adopt.look import look_at
from gemmviz.adopt.propose.roles import may_be_flags
from gemmviz.adopt.prove.readings import roles_of
from gemmviz.adopt.source.read import read_source
from gemmviz.domain.terms import Language

KERNEL = """FRONT__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K, FLAG) {
    int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
    if (row >= M || column >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * RIGHT;
    C[row * N + column] = RESULT;
}
"""
PLAIN, RIGHT = "sum", "B[k * N + column]"


def text_of(flag: str, right: str = RIGHT, result: str = PLAIN, front: str = "") -> str:
    kernel = KERNEL.replace("FRONT", front).replace("FLAG", flag)
    return kernel.replace("RIGHT", right).replace("RESULT", result)


def found_of(text: str) -> KernelFinding:
    (found,) = look_at(Path("mm.cu"), text, "", 120, lambda _: None).found
    assert found.description is not None, found.reasons
    return found


@pytest.mark.usefixtures("nvrtc")
@pytest.mark.parametrize(
    ("text", "value", "words"),
    [
        (text_of("int upper", result="upper == 1 ? 0.0f : sum"), "0", "with 1, no product was proven"),
        (text_of("int mode", result="mode == 3 ? -sum : sum"), "0", "with 1, the product is the same"),
        (text_of("int transB", "(transB ? B[column * K + k] : B[k * N + column])"), "0", "with 1, B is column-major"),
        (text_of("int add", result="add ? C[row * N + column] + sum : sum"), "0", "with 1, C = A·B + C"),
        (text_of("int scale", result="scale * sum"), "1", "with 0, no product was proven"),
        (
            text_of("Sign sign", result="sign == Sign::Minus ? -sum : sum", front="enum class Sign { Plus, Minus };\n"),
            "0",
            "with 1, C = -A·B",
        ),
        (text_of("bool minus", result="minus ? -sum : sum"), "0", "with 1, C = -A·B"),
    ],
)
def test_that_a_flag_gets_a_constant_and_what_the_other_one_makes_is_said(text: str, value: str, words: str) -> None:
    found = found_of(text)
    assert found.description is not None
    assert found.description.arguments[-1] == value
    assert found.description.rules == () or all(rule.least == rule.multiple for rule in found.description.rules)
    assert any(one.endswith(f" is given {value}; {words}") for one in found.notes), found.notes


@pytest.mark.usefixtures("nvrtc")
def test_that_an_unused_number_that_sounds_like_a_dimension_keeps_it() -> None:
    text = (
        text_of("int flag").replace(", int flag", "").replace("row >= M || ", "").replace("int M, ", "int num_rows, ")
    )
    found = found_of(text)
    assert found.description is not None
    assert found.description.arguments[3] == "M"


@pytest.mark.usefixtures("nvrtc")
def test_that_a_number_without_which_no_constant_is_right_is_a_dimension() -> None:
    found = found_of(text_of("int valid").replace("column >= N", "column >= valid"))
    assert found.description is not None
    assert found.description.arguments[-1] == "N"


@pytest.mark.parametrize(
    ("parameter", "is_flag"),
    [
        ("int transB", True),
        ("int rowOffset", True),
        ("int sA", True),
        ("int num_rows", False),
        ("int ldx", True),
        ("int b_step", False),
        ("int Pdim", False),
        ("int stride", False),
        ("int lda", False),
    ],
)
def test_that_names_of_sizes_are_no_flags(parameter: str, is_flag: bool) -> None:
    (kernel,) = read_source(text_of(parameter), Language.CUDA).kernels
    roles = roles_of(kernel.parameters, [3, 4, 5, 6])
    assert may_be_flags(kernel.parameters, roles) == ([6] if is_flag else [])


def test_that_short_names_may_be_dimensions_where_one_is_missing() -> None:
    (kernel,) = read_source(text_of("int p").replace("int M", "int q"), Language.CUDA).kernels
    assert may_be_flags(kernel.parameters, roles_of(kernel.parameters, [3, 4, 5, 6])) == []


BIASED = """__global__ void layer(const float *in, const float *weights, const float *offsets, float *out, int M, int N,
                      int K) {
    int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
    if (row >= M || column >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += in[row * K + k] * weights[k * N + column];
    out[row * N + column] = RESULT;
}
void run(float *a, float *b, float *bias, float *c, int m, int n, int k) {
    layer<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16)>>>(a, b, bias, c, m, n, k);
}
"""


@pytest.mark.usefixtures("nvrtc")
def test_that_a_pointer_of_which_the_kernel_asks_whether_it_is_null_is_tried_with_null() -> None:
    found = found_of(BIASED.replace("RESULT", "offsets != nullptr ? sum + offsets[column] : sum"))
    assert found.description is not None
    assert found.description.arguments == ("A", "B", "null", "C", "M", "N", "K")
    assert "offsets is given null; with an array, no product was proven" in found.notes
    assert any("it gives the kernel bias, where null was proven" in one for one in found.left_out)


@pytest.mark.usefixtures("nvrtc")
@pytest.mark.parametrize("result", ["offsets ? sum + offsets[column] : 2 * sum + 1", "offsets ? sum : fmaxf(sum, 0)"])
def test_that_what_is_no_product_with_null_either_is_refused(result: str) -> None:
    (found,) = look_at(Path("mm.cu"), BIASED.replace("RESULT", result), "", 120, lambda _: None).found
    assert found.description is None or "null" not in found.description.arguments


@pytest.mark.parametrize(
    ("use", "is_tested"),
    [
        ("if (p) x = p[i];", True),
        ("x = p ? p[i] : 0;", True),
        ("x = !p || i;", True),
        ("if (i < 3 && p != NULL) x = 1;", True),
        ("x = p[i] ? 1 : 0;", False),
        ("if (*p == 0) x = 1;", False),
        ("x = load(p);", False),
        ("if (q.p == 0) x = 1;", False),
    ],
)
def test_that_a_question_about_a_pointer_is_read(use: str, is_tested: bool) -> None:
    (kernel,) = read_source(f"__global__ void f(const float *p, float *out) {{ {use} }}", Language.CUDA).kernels
    assert kernel.tested == ({"p"} if is_tested else frozenset())
