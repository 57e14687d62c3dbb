"""Guards are comparisons of a size with what each thread has for itself; ends of loops and prefetches are none."""

from __future__ import annotations

import pytest

from gemmviz.adopt.source.read import read_source
from gemmviz.domain.terms import Language

HEAD = "__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K) {\n"
INDEX = "int tx = threadIdx.x, row = blockIdx.y * 16 + threadIdx.y; int column;\ncolumn = blockIdx.x * 16 + tx;\n"


@pytest.mark.parametrize(
    ("body", "guards"),
    [
        ("if (row >= M || column >= N) return;", {"M": 4, "N": 4}),
        ("if (row > M) return;\nif (row < M) C[row] = 0;", {"M": 4}),
        ("float a = M > row ? A[row * K] : 0.0f;", {"M": 4}),
        ("for (int k = 0; k < K; k += 16)\n{ if (k + tx < K) C[0] = A[k + tx]; }", {"K": 5}),
        ("for (int i = row; i < M; i += 16) C[i] = 0;", {}),
        ("while (column < N) column += 16;", {}),
        ("for (int k = 0; k < K; k += 16) if (k + 16 < K) C[0] = A[k];", {}),
        ("if (row * N + column < M * N) C[0] = 0;", {}),
        ("if (M < 16 || M > N) return;", {}),
        ("if (row % M == 0) return;", {}),
    ],
)
def test_that_guards_are_found_with_their_first_line(body: str, guards: dict[str, int]) -> None:
    (kernel,) = read_source(f"{HEAD}{INDEX}{body}\n}}\n", Language.CUDA).kernels
    assert dict(kernel.guards) == guards


@pytest.mark.parametrize(
    "body",
    [
        "if (!even && row >= M) return;",
        "if constexpr (!even) { if (row >= M) return; }",
        "float a = even || row < M ? A[row] : 0;",
        "#ifdef GUARD\nif (row >= M) return;\n#endif",
    ],
)
def test_that_a_guard_that_an_instance_may_lack_is_none(body: str) -> None:
    text = f"template <bool even> {HEAD}{INDEX}{body}\n}}\n"
    (kernel,) = read_source(text, Language.CUDA).kernels
    assert kernel.guards == ()
    (alone,) = read_source(text.replace("bool even", "int even"), Language.CUDA).kernels
    assert bool(alone.guards) == ("GUARD" not in body)


def test_that_opencl_has_guards_too() -> None:
    text = "kernel void mm(global float *c, int m) {\nint row = get_global_id(0);\nif (row < m) c[row] = 0;\n}"
    (kernel,) = read_source(text, Language.OPENCL).kernels
    assert kernel.guards == (("m", 3),)
