"""Names that a kernel's file takes from files beside it: sizes, tiles, functions of the host code."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.adopt.finding import KernelFinding
from gemmviz.adopt.look import look_at
from gemmviz.adopt.propose.constants import SizeConstant
from gemmviz.adopt.prove.searched_kernel import SearchedKernel
from gemmviz.adopt.source.read import read_source
from gemmviz.domain.terms import Language

KERNEL = """#include "sizes.h"
__global__ void mm(const float *a, const float *b, float *c) {
    int row = blockIdx.y * EDGE + threadIdx.y, column = blockIdx.x * EDGE + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < N; ++k) sum += a[row * N + k] * b[k * N + column];
    c[row * N + column] = sum;
}
void run(const float *a, const float *b, float *c) { mm<<<dim3(N / EDGE, N / EDGE), dim3(EDGE, EDGE)>>>(a, b, c); }
"""


def found_with(folder: Path, sizes: str) -> KernelFinding:
    (folder / "sizes.h").write_text(sizes, encoding="utf-8")
    return look_at(folder / "mm.cu", KERNEL, "", 120, lambda _: None).found[0]


@pytest.mark.usefixtures("nvrtc", "no_further_values")
def test_that_sizes_of_an_included_file_are_those_of_the_kernel(tmp_path: Path) -> None:
    found = found_with(tmp_path, "#define N 96\n#define EDGE 16\n")
    assert found.description is not None, found.reasons
    assert found.description.fixed == (("M", 96), ("N", 96), ("K", 96))
    assert (found.description.block, found.description.grid) == (("16", "16"), ("6", "6"))


def test_that_a_size_counts_as_one_that_others_may_define_where_the_included_file_says_so() -> None:
    guarded, fixed = "#ifndef N\n#define N 4096\n#endif\n#define EDGE 32\n", "#define N 4096\n#define EDGE 32\n"
    for included, is_guarded in ((guarded, True), (fixed, False)):
        source = read_source(KERNEL, Language.CUDA, (included,))
        searched = SearchedKernel(Path("mm.cu"), KERNEL, Language.CUDA, source, source.kernels[0])
        assert searched.constants[0] == SizeConstant("N", 4096, is_guarded)


def test_that_what_a_file_defines_itself_counts_more_than_what_it_includes() -> None:
    source = read_source("#define EDGE 8\n" + KERNEL, Language.CUDA, ("#define EDGE 32\n#define N 64\n", "(" * 100_000))
    assert (source.names.value_of("EDGE"), source.names.value_of("N")) == (8, 64)
