"""Local memory that an OpenCL launch gives is an array of the kernel for a compiler of CUDA."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.compiler.opencl.local_parameters import local_parameters, with_local_arrays
from gemmviz.compiler.source import CompileError, Source
from gemmviz.domain.terms import Language

TEXT = """__kernel void k(__global float *C, __local const volatile unsigned int *restrict As,
              local float4* Bs, /* local */ __global const float *local_rows) {
    C[0] = As[0];
}
__kernel void other(__local float *tile) { tile[0] = 0.0f; }
"""


def source(*defines: tuple[str, int], entry: str = "k") -> Source:
    return Source(Path("mine.cl"), TEXT, entry, Language.OPENCL, defines)


def test_that_local_parameters_are_those_that_point_to_local_memory() -> None:
    found = [(one.number, one.name, one.type) for one in local_parameters(TEXT, "k")]
    assert found == [(2, "As", "unsigned int"), (3, "Bs", "float4")]


@pytest.mark.parametrize("head", ["{} __kernel void k", "__kernel {} void k", "__kernel void {} k"])
def test_that_they_are_found_wherever_the_kernel_says_its_block(head: str) -> None:
    said = head.format("__attribute__((reqd_work_group_size(TS, TS, 1)))")
    text = TEXT.replace("__kernel void k", said)
    assert [one.name for one in local_parameters(text, "k")] == ["As", "Bs"]


def test_that_they_become_arrays_and_every_line_stays() -> None:
    made = with_local_arrays(source(("GEMMVIZ_LOCAL_2", 64), ("GEMMVIZ_LOCAL_3", 100)))
    size = "sizeof(unsigned int)"
    assert f"{{ __shared__ __align__(16) unsigned int As[(64 + {size} - 1) / {size}];" in made
    assert "float4 Bs[(100 + sizeof(float4) - 1) / sizeof(float4)];" in made
    assert "*restrict   ," in made
    assert made.count("\n") == TEXT.count("\n")
    assert made.endswith(TEXT[TEXT.index("__kernel void other") :])


def test_that_without_bytes_they_stay_pointers() -> None:
    assert with_local_arrays(source(("GEMMVIZ_LOCAL_2", 0), ("GEMMVIZ_LOCAL_3", 0))) == TEXT


def test_that_a_local_parameter_without_local_memory_is_refused_with_its_line() -> None:
    with pytest.raises(
        CompileError, match=r"mine\.cl:1: parameter 3 of k, 'Bs', is local memory: give it local\(BYTES\)"
    ):
        with_local_arrays(source(("GEMMVIZ_LOCAL_2", 64)))


def test_that_local_memory_for_another_parameter_is_refused_with_its_line() -> None:
    with pytest.raises(
        CompileError, match=r"mine\.cl:1: parameter 4 of k is given local memory .* but is no `__local`"
    ):
        with_local_arrays(source(*((f"GEMMVIZ_LOCAL_{number}", 64) for number in (2, 3, 4))))
