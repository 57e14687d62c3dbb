"""A kernel that takes two sizes has the third one as a constant, which is found and is a limit."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.adopt.look import look_at
from gemmviz.adopt.prove.searched_kernel import SearchedKernel
from gemmviz.adopt.source.read import read_source
from gemmviz.adopt.words import rule_texts
from gemmviz.domain.terms import Language

KERNEL = """__global__ void mm(const float *A, const float *B, float *C, int M, int N) {
    int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
    if (i >= M || j >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < LENGTH; ++k) sum += A[i * LENGTH + k] * B[k * N + j];
    C[i * N + j] = sum;
}
"""
OF_TEMPLATE = f"template <int LENGTH, int TILE>\n{KERNEL}"


def unnamed(text: str, template: tuple[str, ...] = ()) -> list[str]:
    source = read_source(text, Language.CUDA)
    searched = SearchedKernel(Path("mm.cu"), text, Language.CUDA, source, source.kernels[0])
    return [one.words for one in searched.unnamed_sizes(searched.types(), template).values()]


@pytest.mark.parametrize(
    ("text", "template", "words"),
    [
        (KERNEL.replace("LENGTH", "48"), (), ["16 in line 2", "48 in line 5"]),
        (f"#define LENGTH 96\n{KERNEL}", (), ["LENGTH = 96", "16 in line 3"]),
        (f"constexpr int TILES = 5, LENGTH = 16 * TILES;\n{KERNEL}", (), ["LENGTH = 80", "16 in line 3"]),
        (OF_TEMPLATE, ("128", "32"), ["LENGTH = 128", "16 in line 3"]),
        (OF_TEMPLATE, ("16", "32"), ["LENGTH = 16"]),
        (f"constexpr int DEPTH = 64;\n{KERNEL.replace('LENGTH', 'DEPTH')}", (), ["DEPTH = 64"]),
        (KERNEL.replace("LENGTH", "K").replace("int N)", "int N, int K)"), (), []),
        (KERNEL.replace("LENGTH", "65536"), (), ["16 in line 2"]),
        (
            KERNEL.replace("LENGTH", "48").replace("int M, int N)", "int a, int b)"),
            (),
            ["16 in line 2", "48 in line 5"],
        ),
    ],
    ids=("number", "macro", "computed", "template", "both 16", "called K", "all three", "too large", "no names"),
)
def test_that_the_missing_size_may_be_a_constant(text: str, template: tuple[str, ...], words: list[str]) -> None:
    assert unnamed(text, template) == words


@pytest.mark.usefixtures("nvrtc")
def test_that_two_equal_sizes_of_the_source_leave_the_third_one_free() -> None:
    text = f"#define N 64\n#define K 64\n{KERNEL}".replace("LENGTH", "K").replace(", int N)", ")")
    (found,) = look_at(Path("mm.cu"), text, "", 90.0, print).found
    assert found.description is not None, found.reasons
    assert [rule for rule, _ in rule_texts(found.description)] == ["N == 64", "K == 64"]
    assert max(one.m for one in found.right_sizes) > 64


@pytest.mark.usefixtures("nvrtc")
@pytest.mark.parametrize(
    ("text", "rule", "ground"),
    [
        (KERNEL.replace("LENGTH", "48"), "K == 48", "K = 48: the number in line 5, as no parameter of the kernel"),
        (
            f"#define COLS 96\n{KERNEL}".replace("LENGTH", "K").replace("int N)", "int K)").replace(" N", " COLS"),
            "N == 96",
            "N = 96: COLS, as no parameter of the kernel gives N",
        ),
    ],
)
def test_that_a_kernel_is_described_with_the_size_that_its_source_fixes(text: str, rule: str, ground: str) -> None:
    (found,) = look_at(Path("mm.cu"), text, "", 90.0, print).found
    assert found.description is not None, found.reasons
    assert rule_texts(found.description) == [(rule, "it is a constant of the source")]
    assert any(one.startswith(ground) for one in found.because)
