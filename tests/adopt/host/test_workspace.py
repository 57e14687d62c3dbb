"""A kernel that writes partial products into a workspace is no product; its parts, added up, are one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gemmviz.adopt.description import Description
from gemmviz.adopt.prove.host.workspace import sums_in_workspace
from gemmviz.adopt.prove.search_log import SearchLog
from gemmviz.adopt.prove.searched_kernel import SearchedKernel
from gemmviz.adopt.sidecar import sidecar_text
from gemmviz.adopt.source.read import read_source
from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.terms import Language

TEXT = """#define S 4
__global__ void partial(const float *A, const float *B, float *work, int M, int N, int K)
{
    int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x, s = blockIdx.z;
    int part = (K + S - 1) / S, end = min(K, (s + 1) * part);
    float acc = 0.0f;
    for (int k = s * part; k < end && row < M && col < N; ++k) acc += A[row * K + k] * B[k * N + col];
    if (row < M && col < N) work[s * M * N + row * N + col] = acc;
}
__global__ void reduce(const float *work, float *C, int count) { C[threadIdx.x] = work[threadIdx.x] * count; }
void run(const float *A, const float *B, float *C, float *work, int M, int N, int K)
{
    partial<<<dim3((N + 15) / 16, (M + 15) / 16, S), dim3(16, 16)>>>(A, B, work, M, N, K);
    reduce<<<1, 256>>>(work, C, M * N);
}
"""
ROW = Storage()
CALLED = Description("partial", (), (), ("A", "B", "C", "M", "N", "K"), (ROW, ROW, ROW, ROW), ("16", "16"), ())
GRID = ("ceil_div(N, 16)", "ceil_div(M, 16)", "4")


def found_in(text: str, called: Description) -> tuple[Description, str] | None:
    source = read_source(text, Language.CUDA)
    searched = SearchedKernel(Path("mm.cu"), text, Language.CUDA, source, source.kernels[0])
    return sums_in_workspace(searched, called, SearchLog(lambda _: None, 90.0))


@pytest.mark.usefixtures("nvrtc")
def test_that_parts_in_a_workspace_are_described_as_what_the_host_adds_up() -> None:
    found = found_in(TEXT, replace(CALLED, grid=GRID))
    assert found is not None
    description, why = found
    assert why.startswith(
        "it writes 4 partial products into a workspace, one behind the other, which reduce adds (split K)"
    )
    assert not description.is_proven
    assert 'partial_sums = "4"' in sidecar_text(description)


@pytest.mark.usefixtures("nvrtc")
@pytest.mark.parametrize(
    ("old", "new", "grid"), [("K + S - 1", "K + S", GRID), ("", "", GRID[:2])], ids=["wrong parts", "no parts"]
)
def test_that_what_does_not_add_up_to_the_product_is_not_described(old: str, new: str, grid: tuple[str, ...]) -> None:
    text = TEXT.replace(old, new).replace("acc += ", "acc += 1.0f + ") if old else TEXT
    assert found_in(text, replace(CALLED, grid=grid)) is None
