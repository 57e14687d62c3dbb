"""OpenCL C in CUDA C's words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemmviz.backends.dialect.opencl_source import as_cuda
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.terms import Language


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("__kernel void k", 'extern "C" __global__ void k'),
        ("kernel void k", 'extern "C" __global__ void k'),
        ("__global const float *restrict A", " const float *__restrict__ A"),
        ("__local float s[4];", "__shared__ float s[4];"),
        ("local float s[4];", "__shared__ float s[4];"),
        ("__private float x;", " float x;"),
        ("__constant float t[2]", "const float t[2]"),
        ("uint i; uchar c;", "unsigned i; unsigned char c;"),
        ("get_local_id(0)", "threadIdx.x"),
        ("get_local_id( 1 )", "threadIdx.y"),
        ("get_group_id(2)", "blockIdx.z"),
        ("get_local_size (0)", "blockDim.x"),
        ("get_num_groups(1)", "gridDim.y"),
        ("get_global_id(0)", "(blockIdx.x * blockDim.x + threadIdx.x)"),
        ("get_global_size(1)", "(gridDim.y * blockDim.y)"),
        ("barrier(CLK_LOCAL_MEM_FENCE);", "__syncthreads();"),
        ("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);", "__syncthreads();"),
        ("__attribute__((reqd_work_group_size(8, 4, 1))) void k", " void k"),
    ],
)
def test_that_words_are_replaced(text: str, expected: str) -> None:
    assert as_cuda(text).text.decode() == expected


@pytest.mark.parametrize(
    "text",
    [
        '"__local \\" kernel"',
        "my_kernel globally local_x get_global_id_of(0) xget_local_id(0)",
        "get_global_id(dimension)",
        "float4 v = vload4(0, A);",
        "float local_sum = 0.0f;",
    ],
)
def test_that_everything_else_is_left_alone(text: str) -> None:
    assert as_cuda(text).text.decode() == text


@pytest.mark.parametrize(
    "text", ["// barrier(CLK_LOCAL_MEM_FENCE) in __local memory\n", "/* get_global_id(0)\n __global */"]
)
def test_that_comments_become_blanks(text: str) -> None:
    found = as_cuda(text).text.decode()
    assert not found.strip()
    assert [len(line) for line in found.split("\n")] == [len(line) for line in text.split("\n")]


@pytest.mark.parametrize(
    "text",
    ["get_global_id(\n0)", "barrier(\nCLK_LOCAL_MEM_FENCE\n);", "__attribute__((\nreqd_work_group_size(8,\n4, 1)))"],
)
def test_that_what_spans_lines_keeps_its_lines(text: str) -> None:
    assert as_cuda(text).text.decode().count("\n") == text.count("\n")


@given(st.lists(st.sampled_from(["__kernel ", "barrier(0)", "\n", "/*", "*/", "//", '"', "local ", "x", "("])))
def test_that_lines_stay_where_they_are(pieces: list[str]) -> None:
    text = "".join(pieces)
    assert as_cuda(text).text.decode().count("\n") == text.count("\n")


def test_that_no_word_of_opencl_is_left_in_the_catalogue() -> None:
    kernels = [kernel for kernel in load_catalogue().kernels if kernel.language is Language.OPENCL]
    assert len(kernels) >= 3
    for kernel in kernels:
        found = as_cuda(kernel.text.partition("---*/")[2]).text.decode()
        code = "\n".join(line.partition("//")[0] for line in found.splitlines())
        for word in ("__kernel", "__global ", "get_global_id", "get_local_id", "reqd_work_group_size"):
            assert word not in code, kernel.id
        assert found.count("\n") == kernel.text.partition("---*/")[2].count("\n")
