"""Instructions that NVIDIA's assembler refuses are found, and those that it takes are not (ptxas of CUDA 13)."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.compiler.ptx.file import compile_ptx_file
from gemmviz.compiler.ptx.validity import invalid_instruction
from gemmviz.compiler.source import CompileError, Source
from gemmviz.domain.terms import Language

DATA = Path(__file__).parents[2] / "data"
TEXT = """.version 8.5
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p)
{
.reg .pred %p<4>; .reg .f32 %f<9>; .reg .f64 %fd<9>; .reg .b32 %r<9>; .reg .u32 %u<3>;
.reg .s32 %s<3>; .reg .b64 %rd<9>; .reg .b16 %h<5>; .reg .f16 %hf<3>;
.shared .align 4 .b8 sm[64];
.loc 1 2 3
{ .reg .b64 %tmp; mov.b64 %tmp, {%r1, %r2}; }
L:
INSTRUCTION;
ret;
}
"""


@pytest.mark.parametrize(
    ("instruction", "why"),
    [
        ("fma.rn.f64 %f1, %f2, %f3, %f4", "%f1 is a register of .f32, and .f64 is needed"),
        ("add.f32 %fd1, %fd2, %fd3", "%fd1 is a register of .f64, and .f32 is needed"),
        ("add.s32 %r1, %r2, %f1", "%f1 is a register of .f32, and .s32 is needed"),
        ("add.f32 %f1, %f2", "add takes 3 operands, and it has 2"),
        ("ret %r1", "ret takes 0 operands, and it has 1"),
        ("add.foo.f32 %f1, %f2, %f3", "add takes no .foo"),
        ("and.f32 %f1, %f2, %f3", "and takes no f32"),
        ("fma.f32 %f1, %f2, %f3, %f4", "fma.f32 needs one of .rm, .rn, .rp, .rz"),
        ("mul.s32 %r1, %r2, %r3", "mul.s32 needs one of .hi, .lo, .wide"),
        ("mul.wide.s32 %r1, %r2, %r3", "%r1 is a register of .b32, and .s64 is needed"),
        ("add.f32 %f1, %f2, %f99", "%f99 is no register that its function declares"),
        ("mov.b64 %rd1, %tmp", "%tmp is no register that its function declares"),
        ("bra NOWHERE", "there is no label NOWHERE in its function"),
        ("ld.global.f32 %f1, %rd1", "%rd1 is no address: ld takes one in brackets"),
        ("ld.global.f64 %f1, [%rd1]", "%f1 is a register of .f32, and .f64 is needed"),
        ("st.global.f32 [%rd1], %s1", "%s1 is a register of .s32, and .f32 is needed"),
        ("add.f32 %f1, %f2, [%rd1]", "[%rd1] is an address in memory, and add computes with registers: load it first"),
        ("selp.f32 %f1, %f2, %f3, %r1", "%r1 is a register of .b32, and .pred is needed"),
        ("setp.lt.s32 %r1, %r2, %r3", "%r1 is a register of .b32, and .pred is needed"),
        ("@%r1 bra L", "%r1 is a register of .b32, and a predicate is needed"),
        ("shl.b32 %r1, %r2, %rd1", "%rd1 is a register of .b64, and .b32 is needed"),
        ("cvt.f64.f32 %f1, %f2", "%f1 is a register of .f32, and .f64 is needed"),
        ("add.f32 %f1, %f2, 1", "1 is no number of .f32"),
        ("add.s32 %r1, %r2, 0f3F800000", "0f3F800000 is no number of .s32"),
    ],
)
def test_that_an_instruction_that_is_none_is_found_with_its_line_and_why(instruction: str, why: str) -> None:
    found = invalid_instruction(TEXT.replace("INSTRUCTION", instruction))
    assert found is not None
    assert (found.line, found.words, found.why) == (12, instruction, why)


@pytest.mark.parametrize(
    "instruction",
    [
        "add.s32 %s1, %u1, %r2",
        "mov.b32 %f1, %r1",
        "mov.b64 {%r1, %r2}, %fd1",
        "mov.u32 %r1, sm",
        "mov.u32 %r1, %tid.x",
        "xor.b32 %r1, %r2, 0f3F800000",
        "and.pred %p1, %p2, !%p3",
        "setp.lt.and.s32 %p1|%p2, %r2, -1, !%p3",
        "mad.wide.s32 %rd1, %r1, %r2, %rd2",
        "shr.s32 %r1, %r2, %u1",
        "fma.rn.bf16 %h1, %h2, %h3, %h4",
        "fma.rn.f16 %hf1, %h2, %h3, %h4",
        "ld.global.u8 %r1, [%rd1]",
        "ld.global.f32 %rd2, [%rd1+4]",
        "ld.global.nc.L1::no_allocate.v2.f32 {%f1, %f2}, [%rd1]",
        "st.shared.u8 [sm], %h1",
        "cvt.rn.f16.f32 %r1, %f2",
        "cvt.u32.u64 %r1, %rd2",
        "@!%p1 bra.uni L",
        "add .f32 %f1, %f2, %f3",
    ],
)
def test_that_an_instruction_that_the_assembler_takes_is_let_pass(instruction: str) -> None:
    assert invalid_instruction(TEXT.replace("INSTRUCTION", instruction)) is None


def test_that_a_file_with_such_an_instruction_is_refused_with_file_and_line() -> None:
    text = (DATA / "ptx" / "naive.ptx").read_text(encoding="utf-8")
    assert invalid_instruction(text) is None
    spoiled = text.replace("fma.rn.f32", "fma.rn.f64", 1)
    line = spoiled[: spoiled.index("fma.rn.f64")].count("\n") + 1
    source = Source(Path("mine.ptx"), spoiled, "", Language.PTX)
    with pytest.raises(CompileError, match=rf"mine\.ptx:{line}: `fma\.rn\.f64 .*` is no valid PTX: .* correct the"):
        compile_ptx_file(source, "sm_90")
