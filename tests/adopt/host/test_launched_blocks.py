"""The blocks that host code launches are compared at several sizes, and with what a GPU launches."""

from __future__ import annotations

import pytest

from gemmviz.adopt.description import Description
from gemmviz.adopt.finding import KernelFinding
from gemmviz.adopt.prove.check import Checked
from gemmviz.adopt.prove.host.host_launches import HostLaunches
from gemmviz.adopt.prove.host.launch_terms import terms_of
from gemmviz.adopt.source.read import read_source
from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Language

FILE = """__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K) {{}}
void h(float *a, float *b, float *c, int M, int N, int K) {{
    {};
}}
"""
DESCRIPTION = Description(
    "mm",
    (),
    (),
    ("A", "B", "C", "M", "N", "K"),
    (Storage(), Storage(), Storage(), Storage()),
    ("16", "16"),
    ("ceil_div(N, 16)", "ceil_div(M, 16)"),
)
SIZES = (Shape(64, 96, 128), Shape(96, 64, 160), Shape(128, 80, 96))


def otherwise(launch: str) -> str:
    """What is said of a launch of a kernel that is right with every launch that a GPU takes."""
    source = read_source(FILE.format(launch), Language.CUDA)
    launches = HostLaunches(tuple(terms_of(one, DESCRIPTION.arguments, {}) for one in source.launches))
    found = KernelFinding("mm", 1, DESCRIPTION, right_sizes=SIZES)
    described = launches.beside(found, lambda *_: Checked(""), is_free=False).description
    assert described is not None
    return described.otherwise


@pytest.mark.parametrize(
    ("launch", "words"),
    [
        (
            "mm<<<dim3(16, 16), dim3((N + 15) / 16, (M + 15) / 16)>>>(a, b, c, M, N, K)",
            "line 3 launches blocks of ceil_div(N, 16) × ceil_div(M, 16) threads and a grid of 16 × 16 blocks. No GPU "
            "launches that at 513x513x5: a block has 33 × 33 = 1089 threads, and a GPU allows 1024; a GPU launches it "
            "for M and N below 513",
        ),
        (
            "mm<<<dim3(1, M), N>>>(a, b, c, M, N, K)",
            "line 3 launches blocks of N threads and a grid of 1 × M blocks. No GPU launches that at 5x1025x5: a block "
            "has 1025 threads, and a GPU allows 1024; a GPU launches it for N below 1025",
        ),
        (
            "mm<<<dim3(16, 16), dim3(128, 64)>>>(a, b, c, 1024, 2048, 512)",
            "line 3 launches blocks of 128 × 64 threads and a grid of 16 × 16 blocks. No GPU launches that at "
            "1024x2048x512: a block has 128 × 64 = 8192 threads, and a GPU allows 1024",
        ),
        ("mm<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(a, b, c, M, N, K)", ""),
        ("mm<<<dim3((N + 31) / 32, (M + 31) / 32), dim3(32, 32)>>>(a, b, c, M, N, K)", ""),
    ],
    ids=("exchanged", "N threads", "constants", "as proven", "larger"),
)
def test_that_a_block_is_compared_at_several_sizes_as_a_grid_is(launch: str, words: str) -> None:
    assert otherwise(launch) == words
