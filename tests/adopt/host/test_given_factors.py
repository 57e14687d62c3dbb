"""What host code gives a kernel for alpha and beta is told where it is a constant."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gemmviz.adopt.description import Description
from gemmviz.adopt.prove.host.given_factors import described_factors, given_factors
from gemmviz.adopt.source.read import read_source
from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.terms import Language

FILE = """__global__ void mm(int n, float s, const float *A, const float *B, float t, float *C) {{}}
const float HALF = 1.0f / 2;
void h(int n, float given, float *a, float *b, float *c) {{
{code}
}}
"""
WORDS = ("M", "alpha", "A", "B", "beta", "C")


def told(code: str) -> list[str]:
    return given_factors(read_source(FILE.format(code=code), Language.CUDA).launches, WORDS)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("mm<<<1, 32>>>(n, 1.0f, a, b, 0.0f, c);", "line 4 gives it alpha = 1 and beta = 0"),
        ("const float s = -2.5, t = 0; mm<<<1, 32>>>(n, s, a, b, t, c);", "line 4 gives it alpha = -2.5 and beta = 0"),
        ("mm<<<1, 32>>>(n, given, a, b, HALF, c);", "line 4 gives it beta = 0.5"),
        ("float s = 1; s += 2; mm<<<1, 32>>>(n, s, a, b, given, c);", "line 4 gives it alpha = 3"),
        (
            "float t = 0; void *x[] = {&n, &given, &a, &b, &t, &c};\ncudaLaunchKernel((void *)mm, 1, 32, x, 0, 0);",
            "line 5 gives it beta = 0",
        ),
    ],
)
def test_that_constants_for_alpha_and_beta_are_told(code: str, words: str) -> None:
    assert told(code) == [words]


@pytest.mark.parametrize(
    "code",
    [
        "mm<<<1, 32>>>(n, given, a, b, given, c);",
        "float s = 1; if (n > 2) s = 3; mm<<<1, 32>>>(n, s, a, b, given, c);",
        "float s = 1; for (int i = 0; i < n; ++i) { s += 1; mm<<<1, 32>>>(n, s, a, b, given, c); }",
    ],
)
def test_that_what_is_no_constant_is_not_told(code: str) -> None:
    assert told(code) == []


def test_that_launches_with_the_same_constants_are_told_in_one_sentence() -> None:
    one, other = "mm<<<1, 32>>>(n, 1, a, b, 0, c);", "mm<<<1, 32>>>(n, 1, a, b, 2, c);"
    assert told("\n".join((one, other, one))) == [
        "lines 4 and 6 give it alpha = 1 and beta = 0",
        "line 5 gives it alpha = 1 and beta = 2",
    ]


def test_that_the_values_of_the_description_are_told() -> None:
    described = Description("mm", (), (), WORDS, (Storage(),) * 4, ("32",), ("1",))
    assert described_factors(described) == (
        "its description has alpha = 1.5 and beta = 0.5, so that both show in the result: change them there or by "
        "options of run and trace"
    )
    assert described_factors(replace(described, arguments=("M", "alpha", "A", "B", "C"), times=2.0)) == (
        "its description has alpha = 3, so that it shows in the result: change it there or by options of run and trace"
    )
    assert described_factors(replace(described, arguments=("M", "A", "B", "C"))) == ""
