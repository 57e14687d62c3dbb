"""The edge of a tile that host code gives a kernel as a number is tried as calls, or a default argument, give it."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.adopt.description import Description
from gemmviz.adopt.finding import KernelFinding
from gemmviz.adopt.look import look_at
from gemmviz.adopt.propose.geometry import blocks_of
from gemmviz.adopt.prove.check import Checked
from gemmviz.adopt.prove.host.host_launches import HostLaunches
from gemmviz.adopt.prove.host.launch_terms import terms_of
from gemmviz.adopt.source.read import read_source
from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Language

HOST = """
void launch(const float *A, const float *B, float *C, int M, int N, int K, {}) {{
    mm<<<dim3((N + bs - 1) / bs, (M + bs - 1) / bs), dim3(bs, bs), 8 * bs * bs>>>(A, B, C, M, N, K, bs);
}}
{}"""
KERNEL = "__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K, int bs) {}\n"
RACING = """extern __shared__ float tile[];
__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K, int bs) {
    float *a = tile, *b = tile + bs * bs, sum = 0.0f;
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * bs + y, column = blockIdx.x * bs + x;
    for (int p = 0; p < (K + bs - 1) / bs; ++p) {
        a[y * bs + x] = row < M && p * bs + x < K ? A[row * K + p * bs + x] : 0.0f;
        b[y * bs + x] = column < N && p * bs + y < K ? B[(p * bs + y) * N + column] : 0.0f;
        for (int k = 0; k < bs; ++k) sum += a[y * bs + k] * b[k * bs + x];
    }
    if (row < M && column < N) C[row * N + column] = sum;
}
"""
TRIED = "line 4 launches bs × bs threads, and bs = {} was tried for it"
SO = "line 4 launches it so"
MAIN = "int main() { float *p; "


@pytest.mark.parametrize(
    ("parameter", "calls", "first"),
    [
        ("int bs = 8", "", ((8, 8, 1), "512", SO)),
        ("int bs = 8", MAIN + "launch(p, p, p, 64, 64, 64); }", ((8, 8, 1), "512", SO)),
        ("int bs = 8", MAIN + "launch(p, p, p, 64, 64, 64, 4); }", ((4, 4, 1), "128", SO)),
        ("int bs", MAIN + "const int edge = 24; launch(p, p, p, 64, 64, 64, edge); }", ((24, 24, 1), "4608", SO)),
        ("int bs", "", ((32, 32, 1), "8192", TRIED.format(32))),
        ("int bs", MAIN + "launch(p, p, p, 64, 64, 64, chosen()); }", ((32, 32, 1), "8192", TRIED.format(32))),
    ],
)
def test_that_the_block_is_that_of_the_value_that_the_host_code_gives(
    parameter: str, calls: str, first: tuple[tuple[int, int, int], str, str]
) -> None:
    source = read_source(KERNEL + HOST.format(parameter, calls), Language.CUDA)
    (guess, *others) = blocks_of(source.kernels[0], source.launches[0], {}, source.names)
    assert (guess.block, guess.shared_bytes, guess.because) == first
    assert guess.values == {"bs": first[0][0]}
    assert all(one.because != SO for one in others)


@pytest.mark.parametrize(("calls", "words"), [("8", ""), ("16", "bs = 16"), ("8, 4, 2", "bs = 4 or 2")])
def test_that_other_edges_that_calls_give_leave_a_doubt(calls: str, words: str) -> None:
    called = " ".join(f"launch(p, p, p, 64, 64, 64, {edge});" for edge in calls.split(", "))
    source = read_source(KERNEL + HOST.format("int bs", MAIN + called + " }"), Language.CUDA)
    arguments, grid = ("A", "B", "C", "M", "N", "K", "8"), ("ceil_div(N, 8)", "ceil_div(M, 8)")
    described = Description("mm", (), (), arguments, (Storage(),) * 4, ("8", "8"), grid, "512")
    found = KernelFinding("mm", 1, described, right_sizes=(Shape(64, 96, 128), Shape(72, 64, 96)))
    terms = terms_of(source.launches[0], arguments, {"bs": 8})
    told = HostLaunches((terms,)).beside(found, lambda *_: Checked(""), is_free=False)
    of_line = "the launch in line 4 was not compared with the one described here: calls of its function give it "
    assert told.left_out == ((f"{of_line}{words}, and bs = 8 was proven",) if words else ())


@pytest.mark.usefixtures("nvrtc")
def test_that_a_kernel_without_barriers_races_in_the_block_of_a_default_argument() -> None:
    (found,) = look_at(Path("mm.cu"), RACING + HOST.format("int bs = 16", ""), "", 120, lambda _: None).found
    assert found.has_race
    assert found.as_it_is is not None
    assert found.as_it_is.block[:2] == ("16", "16")
