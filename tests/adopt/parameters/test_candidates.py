"""Constants that conditions (#if) leave out of a kernel as it is compiled, as those of an order of blocks, and launches
beside such conditions.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.adopt.description import Description
from gemmviz.adopt.parameters.candidates import candidates_of, matters
from gemmviz.adopt.parameters.hints import replaced_words
from gemmviz.adopt.prove.machine import KernelBuild, compiled
from gemmviz.adopt.prove.searched_kernel import SearchedKernel
from gemmviz.adopt.source.active_code import active_code
from gemmviz.adopt.source.read import read_source
from gemmviz.catalogue.languages.file_constants import file_constants
from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.terms import Language

TEXT = """#define TILE 16
#define GROUP 4
__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K)
{
#ifdef SWIZZLE
    int by = blockIdx.x / (GROUP * N) * GROUP, bx = blockIdx.x % GROUP;
#else
    int bx = blockIdx.x, by = blockIdx.y;
#endif
    C[(by * TILE + threadIdx.y) * N + bx * TILE + threadIdx.x] = A[0] * B[0];
}
void run(const float *A, const float *B, float *C, int M, int N, int K)
{
#ifdef SWIZZLE
    dim3 grid((M + TILE - 1) / TILE * ((N + TILE - 1) / TILE));
#else
    dim3 grid((N + TILE - 1) / TILE, (M + TILE - 1) / TILE);
#endif
    mm<<<grid, dim3(TILE, TILE)>>>(A, B, C, M, N, K);
}
"""


def test_that_a_grid_is_read_that_conditions_choose() -> None:
    (launch,) = read_source(TEXT, Language.CUDA).launches
    assert launch.grid == ("ceil_div(N, 16)", "ceil_div(M, 16)")
    (other,) = read_source("#define SWIZZLE\n" + TEXT, Language.CUDA).launches
    assert other.grid == ("ceil_div(M, 16) * ceil_div(N, 16)",)


def test_that_conditions_stay_that_cannot_be_told() -> None:
    text = "#if A\nx;\n#elif 0\ny;\n#else\nz;\n#endif\n#if 1\nw;\n#endif\n"
    plain = [line.strip() for line in active_code(text, {"A"}).split("\n")]
    assert plain == ["#if A", "x;", "#elif 0", "", "#else", "z;", "#endif", "", "w;", "", ""]


@pytest.mark.usefixtures("nvrtc")
def test_that_a_constant_that_comes_into_no_code_is_no_parameter() -> None:
    source = read_source(TEXT, Language.CUDA)
    searched = SearchedKernel(Path("mm.cu"), TEXT, Language.CUDA, source, source.kernels[0])
    made = compiled(searched.path, TEXT, Language.CUDA, KernelBuild("mm"), (), 60.0)
    defaults, replaceable = candidates_of(searched, made)
    assert defaults == {"TILE": 16, "GROUP": 4}
    assert [name for name, one in defaults.items() if matters(searched, made, replaceable, name, one)] == ["TILE"]


def test_that_only_values_that_were_tried_are_said_to_have_been_compiled() -> None:
    described = Description(
        "mm", (), (), ("A", "B", "C"), (Storage(),) * 4, ("16",), ("1",), replaced=("#define TILE", "#define GROUP")
    )
    constants = {name: one for name, one in file_constants(TEXT).items() if name in ("TILE", "GROUP")}
    (told,) = replaced_words(described, constants, {"TILE": {8}})
    assert "#define TILE (line 1)" in told
    assert "GROUP" not in told
    assert replaced_words(described, constants, {}) == ()
