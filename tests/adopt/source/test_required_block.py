"""The block that an OpenCL kernel asks for is read where the attribute stands before or behind `kernel`."""

from __future__ import annotations

import pytest

from gemmviz.adopt.propose.geometry import blocks_of
from gemmviz.adopt.source.read import read_source
from gemmviz.domain.terms import Language

BODY = "void mm(global float *a, global float *b, global float *c, int n) { c[get_global_id(0)] = n; }\n"
SIZES = "__attribute__((reqd_work_group_size(TS, TS / 2, 1)))"
OTHER = f"__kernel __attribute__((reqd_work_group_size(4, 4, 1))) {BODY.replace('mm', 'other')}"


@pytest.mark.parametrize(
    "head", [f"__kernel {SIZES}", f"{SIZES} kernel", f"kernel {SIZES} __attribute__((vec_type_hint(float4)))"]
)
def test_that_the_block_that_a_kernel_asks_for_is_the_only_guess(head: str) -> None:
    source = read_source(f"#define TS 16\n{OTHER}{head} {BODY}", Language.OPENCL)
    kernel = next(one for one in source.kernels if one.name == "mm")
    assert kernel.required_block == ("TS", "TS / 2", "1")
    found = blocks_of(kernel, None, {}, source.names)
    assert {(one.block, one.because) for one in found} == {((16, 8, 1), "its `reqd_work_group_size` asks for it")}


def test_that_a_kernel_without_the_attribute_asks_for_no_block() -> None:
    (kernel, other) = read_source(f"kernel {BODY}{OTHER}", Language.OPENCL).kernels
    assert (kernel.required_block, other.required_block) == ((), ("4", "4", "1"))
