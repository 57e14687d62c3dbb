"""Where barriers are put into a copy of a kernel."""

from __future__ import annotations

import pytest

from gemmviz.adopt.source.added_barriers import with_barriers
from gemmviz.domain.terms import Language

LOOP = """__global__ void f(float *s, float *t)
{
    for (int k = 0; k < 4; ++k) {
        s[threadIdx.x] = k;  // written
        #pragma unroll
        for (int i = 0; i < 4; ++i)
            t[i] += s[i];
    }
}
"""


def test_that_barriers_stand_around_statements_and_no_line_moves() -> None:
    found = with_barriers(LOOP, Language.CUDA, (4, 7)).split("\n")
    assert len(found) == len(LOOP.split("\n"))
    assert found[2].endswith("{ __syncthreads(); ")
    assert "= k; __syncthreads();   // written" in found[3]
    assert found[4:6] == LOOP.split("\n")[4:6], "a pragma stays before its loop"
    assert found[6].endswith("s[i]; __syncthreads(); ")


def test_that_opencl_gets_its_own_barriers_at_the_same_places() -> None:
    text = LOOP.replace("__global__", "__kernel").replace("float *s", "__local float *s")
    assert with_barriers(text, Language.OPENCL, (4, 7)).count("; barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL") == 2


@pytest.mark.parametrize(("language", "lines"), [(Language.PTX, (4, 7)), (Language.CUDA, ()), (Language.CUDA, (4, 70))])
def test_that_nothing_is_made_where_there_is_no_place(language: Language, lines: tuple[int, ...]) -> None:
    assert with_barriers(LOOP, language, lines) == ""
