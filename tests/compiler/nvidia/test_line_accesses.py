"""The accesses of each line in PTX and in SASS, read from texts as the compiler and nvdisasm write them."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.compiler.nvidia.line_accesses import AssembledCode, compare_accesses
from gemmviz.compiler.nvidia.nvrtc import compile_cuda
from gemmviz.compiler.source import SOURCE_NAME, Source
from gemmviz.domain.recordings.machine_accesses import AccessSort, LineAccesses, MachineChange, WidthCount
from gemmviz.domain.terms import Language

PTX = f"""
.version 8.0
.target sm_90a
.visible .entry k(
    .param .u64 p
)
{{
    .loc 1 10 1
    ld.param.u64 %rd1, [p];
    ld.shared.f32 %f1, [%r1];
    ld.shared.f32 %f2, [%r1+4];
    ld.shared.f32 %f3, [%r1+8];
    @%p1 ld.shared.f32 %f4, [%r1+12];
    .loc 1 11 1
    ld.global.nc.v4.f32 {{%f5, %f6, %f7, %f8}}, [%rd1];
    st.shared.v2.f32 [%r2], {{%f5, %f6}};
    .loc 1 12 1
    st.shared.u16 [%r3], %rs1;
    cp.async.cg.shared.global [%r4], [%rd1], 16;
    .loc 1 13 1
    st.volatile.global.f64 [%rd1], %fd1;
    ret;
}}
.file 1 "{SOURCE_NAME}"
"""
SASS = f"""
.section .text.other,"ax",@progbits
//## File "{SOURCE_NAME}", line 10
        /*0000*/                   LDS R0, [R1] ;
.section .text.k,"ax",@progbits
//## File "{SOURCE_NAME}", line 10
        /*0000*/                   LDC R1, c[0x0][0x28] ;
        /*0010*/                   LDS.128 R4, [R0] ;
        /*0020*/              @!PT LDS RZ, [RZ] ;
//## File "{SOURCE_NAME}", line 11
        /*0030*/                   LDG.E.128.CONSTANT R8, desc[UR4][R2.64] ;
        /*0040*/               @P0 STS.64 [R0], R8 ;
        /*0050*/                   STL [R1], R9 ;
//## File "{SOURCE_NAME}", line 12
        /*0060*/                   LDGSTS.E.BYPASS.128 [R5], desc[UR4][R2.64] ;
//## File "{SOURCE_NAME}", line 13
        /*0070*/                   STS.U16 [R3], R7 ;
        /*0080*/                   STG.E.64.STRONG.SYS desc[UR4][R2.64], R8 ;
"""


def widths(accesses: tuple[WidthCount, ...]) -> list[tuple[int, int]]:
    return [(one.nbytes, one.count) for one in accesses]


def test_that_each_line_has_its_accesses_of_both_codes_by_their_width() -> None:
    found = compare_accesses(PTX, SASS, "k")
    assert found is not None
    assert [(one.line, one.sort.value, widths(one.ptx), widths(one.sass)) for one in found] == [
        (10, "shared loads", [(4, 4)], [(16, 1)]),
        (11, "shared stores", [(8, 1)], [(8, 1)]),
        (11, "global loads", [(16, 1)], [(16, 1)]),
        (11, "local stores", [], [(4, 1)]),
        (12, "shared stores", [(2, 1)], []),
        (12, "asynchronous copies", [(16, 1)], [(16, 1)]),
        (13, "shared stores", [], [(2, 1)]),
        (13, "global stores", [(8, 1)], [(8, 1)]),
    ]


def test_that_a_sort_with_an_access_of_no_line_is_left_out() -> None:
    header = SASS.replace(f'"{SOURCE_NAME}", line 12', '"cuda_pipeline.h", line 12')
    found = compare_accesses(PTX, header, "k")
    assert found is not None
    assert AccessSort.ASYNC_COPIES not in {one.sort for one in found}
    assert AccessSort.SHARED_LOADS in {one.sort for one in found}


@pytest.mark.parametrize(
    ("ptx", "sass", "symbol"),
    [
        (PTX, SASS, "missing"),
        (PTX.replace(".loc 1", "//"), SASS, "k"),
        (PTX, SASS.replace("//## File", "// "), "k"),
        (PTX.replace("ld.global.nc.v4.f32", "ld.v4.f32"), SASS, "k"),
        (PTX.replace(".visible .entry k", ".func f(.param .b32 x)\n{\nret;\n}\n.visible .entry k"), SASS, "k"),
        ("", "", "k"),
    ],
    ids=["no such kernel", "PTX without lines", "SASS without lines", "unknown memory", "a function", "nothing"],
)
def test_that_nothing_is_told_where_the_codes_cannot_be_compared(ptx: str, sass: str, symbol: str) -> None:
    assert compare_accesses(ptx, sass, symbol) is None


HEADER_CALL = """#include <cuda_fp16.h>
extern "C" __global__ void k(const __half2* a, float* c)
{
    __shared__ __align__(16) __half2 tile[4];
    tile[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < 4; ++i)
        sum += __half22float2(tile[i]).x;
    c[threadIdx.x] = sum;
}
"""


@pytest.mark.usefixtures("nvrtc")
def test_that_accesses_in_functions_of_headers_count_at_the_calling_line() -> None:
    code = compile_cuda(Source(Path("mine.cu"), HEADER_CALL, "k", Language.CUDA), "sm_90a")
    found = AssembledCode(code.ptx, code.ptx, code.symbol, code.cubin, code.target).accesses()
    assert found is not None
    loads = [one for one in found.lines if one.sort is AccessSort.SHARED_LOADS]
    assert [(one.line, widths(one.ptx), widths(one.sass)) for one in loads] == [(9, [(4, 4)], [(16, 1)])]
    assert found.differing == tuple(loads)


def test_that_code_without_machine_code_tells_nothing() -> None:
    assert AssembledCode(PTX, PTX, "k").accesses() is None


@pytest.mark.parametrize(
    ("ptx", "sass", "change"),
    [
        (((4, 4),), ((16, 1),), MachineChange.WIDENED),
        (((4, 32),), ((4, 16), (16, 4)), MachineChange.PARTLY),
        (((4, 4), (16, 4)), ((16, 5),), MachineChange.PARTLY),
        (((4, 8), (16, 1)), ((4, 4), (16, 2)), MachineChange.PARTLY),
        (((16, 4),), ((4, 16),), MachineChange.NARROWED),
        (((4, 7),), ((4, 5),), MachineChange.FEWER),
        (((4, 7),), (), MachineChange.GONE),
        ((), ((4, 7),), MachineChange.ADDED),
        (((4, 7),), ((4, 28),), MachineChange.NONE),
    ],
)
def test_that_a_change_is_told_by_widths_since_an_unrolled_loop_changes_counts(
    ptx: tuple[tuple[int, int], ...], sass: tuple[tuple[int, int], ...], change: MachineChange
) -> None:
    def made(pairs: tuple[tuple[int, int], ...]) -> tuple[WidthCount, ...]:
        return tuple(WidthCount(*pair) for pair in pairs)

    assert LineAccesses(1, AccessSort.SHARED_LOADS, made(ptx), made(sass)).change is change
