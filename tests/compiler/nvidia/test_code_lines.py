"""Lines of PTX and SASS lead to lines of the source; instructions are counted by kind."""

from __future__ import annotations

import pytest

from gemmviz.compiler.nvidia.code_lines import lines_of_ptx, lines_of_sass, with_short_paths
from gemmviz.compiler.nvidia.instructions import (
    count_instructions,
    count_machine_instructions,
    kind_of,
    machine_opcodes_of,
    opcodes_of,
)

PTX = """
.visible .entry k(
	.param .u64 k_param_0
)
{
	.reg .f32 	%f<3>;
	.loc	1 10 5
	ld.param.u64 	%rd1, [k_param_0];
	.loc	2 900 5, function_name $L__info_string0, inlined_at 1 12 9
	@%p1 bra 	$L__BB0_2;
	.loc	2 20 1, function_name $L__info_string1, inlined_at 2 900 5
	ld.global.nc.v4.f32 	{%f1, %f2, %f3, %f4}, [%rd1];
	.loc	1 0 5
	fma.rn.f32 	%f1, %f2, %f3, %f4;
	// begin inline asm
	{
cp.async.cg.shared.global [%r1], [%rd1], 16;
}
	.loc	3 4 1
	add.rn.f32 %f1, %f2, %f3;
$L__BB0_2:
	.loc	1 14 1
	ret;
}
.visible .entry other()
{
	st.local.f32 [%rd1], %f1;
	ret;
}
	.file	1 "/tmp/somewhere/kernel.cu"
	.file	2 "/usr/include/cuda_fp16.hpp"
	.file	3 "kernel.h"
"""
SASS = """	.target	sm_90
.text.k:
	//## File "/tmp/somewhere/kernel.cu", line 10
        /*0000*/                   LDC R1, c[0x0][0x28] ;
        /*0010*/                   S2R R3, SR_TID.X ;
	//## File "C:\\\\include\\\\cuda_fp16.hpp", line 900 inlined at "/tmp/somewhere/kernel.cu", line 12
	//## File "/tmp/somewhere/kernel.cu", line 12 inlined at "/tmp/somewhere/kernel.cu", line 30
        /*0020*/              @!P0 BRA `(.L_x_0) ;
.L_x_0:
	//## File "/usr/include/other.h", line 4
        /*0030*/                   EXIT ;
"""


def test_that_instructions_of_headers_count_as_the_line_that_called_them() -> None:
    found = zip(PTX.splitlines(), lines_of_ptx(PTX), strict=True)
    of_line = {line.strip(): number for line, number in found if number}
    assert of_line["ld.param.u64 	%rd1, [k_param_0];"] == 10
    assert of_line["@%p1 bra 	$L__BB0_2;"] == 12
    assert of_line["ld.global.nc.v4.f32 	{%f1, %f2, %f3, %f4}, [%rd1];"] == 12
    assert "fma.rn.f32 	%f1, %f2, %f3, %f4;" not in of_line, "line 0 is nobody's"
    assert "add.rn.f32 %f1, %f2, %f3;" not in of_line, "a header that nobody called"
    assert set(of_line.values()) == {10, 12, 14}


def test_that_sass_leads_to_the_innermost_line_of_the_source() -> None:
    numbers = dict(zip(SASS.splitlines(), lines_of_sass(SASS, PTX), strict=True))
    assert [number for line, number in numbers.items() if "/*00" in line] == [10, 10, 12, 0]
    shown = with_short_paths(SASS, "mine.cu")
    assert '//## File "mine.cu", line 10' in shown
    assert "/tmp/somewhere" not in shown
    assert "kernel.cu" not in shown


def test_that_code_of_a_helper_which_several_lines_call_leads_to_these_lines() -> None:
    loc = "	.loc	1 8 74, function_name $L__info_string0, inlined_at 1 {} 9\n	ld.global.f32 %f1, [%rd1];\n"
    body = '.visible .entry k()\n{{\n{}\n}}\n\t.file 1 "/tmp/kernel.cu"\n'
    place = '	.section .text.k\n	//## File "kernel.cu", line 8 inlined at "kernel.cu", line 24\n	/*0000*/ LDG R1 ;\n'
    several, one = body.format(loc.format(23) + loc.format(24)), body.format(loc.format(24))
    assert [line for line in lines_of_ptx(several) if line] == [23, 24]
    assert [line for line in lines_of_sass(place, several) if line] == [24]
    assert [line for line in lines_of_ptx(one) if line] == [8]
    assert [line for line in lines_of_sass(place, one) if line] == [8]


def test_that_instructions_are_counted_by_kind_and_by_kernel() -> None:
    assert count_instructions(PTX, "k") == {
        "branches and calls": 2,
        "parameter and constant loads": 1,
        "global loads": 1,
        "fused multiply-adds": 1,
        "asynchronous copies": 1,
        "other floating point": 1,
    }
    assert opcodes_of(PTX, "other") == ["st.local.f32", "ret"]
    assert count_instructions(PTX, "absent") == {}


@pytest.mark.parametrize(
    ("opcode", "kind"),
    [
        ("st.param.f32", "arguments and results of calls"),
        ("ld.param.f32", "parameter and constant loads"),
        ("st.f32", "generic stores"),
        ("st.global.v4.f32", "global stores"),
        ("st.volatile.shared.u32", "shared stores"),
    ],
)
def test_that_an_argument_of_a_call_is_no_store_to_memory(opcode: str, kind: str) -> None:
    assert kind_of(opcode) == kind


def test_that_machine_code_is_counted_by_the_same_kinds_without_its_padding() -> None:
    code = (
        f"{SASS}        /*0040*/                   NOP ;\n\t.section\t.text.other\n        /*0000*/  @P1 LDG.E R1 ;\n"
    )
    assert machine_opcodes_of(code, "k") == ["LDC", "S2R", "BRA", "EXIT"]
    assert count_machine_instructions(code, "k") == {
        "branches and calls": 2,
        "parameter and constant loads": 1,
        "moves": 1,
    }
    assert count_machine_instructions(code, "absent") == {}


@pytest.mark.parametrize(
    ("opcode", "kind"),
    [
        ("LDGSTS.E.BYPASS.128", "asynchronous copies"),
        ("UTMALDG.2D", "asynchronous copies"),
        ("HGMMA.64x256x16.F32.BF16", "tensor core instructions"),
        ("HFMA2.MMA", "other floating point"),
        ("LDG.E.128.CONSTANT", "global loads"),
        ("STG.E", "global stores"),
        ("LDS.128", "shared loads"),
        ("STS", "shared stores"),
        ("LDL.64", "local loads and stores"),
        ("FFMA", "fused multiply-adds"),
        ("BAR.SYNC.DEFER_BLOCKING", "barriers and fences"),
        ("LDGDEPBAR", "barriers and fences"),
        ("BSSY", "branches and calls"),
        ("IMAD.MOV.U32", "moves"),
        ("FSEL", "comparisons and selections"),
        ("ISETP.GE.AND", "comparisons and selections"),
        ("I2F.RP", "conversions"),
        ("MUFU.RCP", "other floating point"),
        ("IMAD.WIDE", "integer, logic and address arithmetic"),
        ("LOP3.LUT", "integer, logic and address arithmetic"),
        ("SHFL.BFLY", "warp exchanges"),
        ("RED.E.ADD", "atomics"),
        ("REDUX.SUM", "warp exchanges"),
        ("USETMAXREG.DEALLOC.CTAPOOL", "other"),
    ],
)
def test_that_each_opcode_of_machine_code_is_of_its_kind(opcode: str, kind: str) -> None:
    assert count_machine_instructions(f".text.k:\n /*0000*/  {opcode} R1 ;\n", "k") == {kind: 1}


@pytest.mark.parametrize(
    "text", ["", "}", ".loc 1", '.file 1 "', "//## File", "\x00{{{", ".loc 2 1 1 inlined_at 2 1 1\nret;"]
)
def test_that_broken_text_has_no_lines(text: str) -> None:
    assert not any(lines_of_ptx(text))
    assert not any(lines_of_sass(text, text))
