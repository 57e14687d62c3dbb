"""PTX that somebody else made: its lines, and the types of its parameters."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gemmviz.catalogue.loader import load_user_kernel
from gemmviz.compiler.ptx.file import compile_ptx_file
from gemmviz.compiler.ptx.lines import with_own_lines
from gemmviz.compiler.ptx.types import signature_of_ptx
from gemmviz.compiler.source import CompileError, Source
from gemmviz.domain.terms import Language
from gemmviz.machine.ptx.parse import parse

DATA = Path(__file__).parents[2] / "data" / "languages"
HEAD = ".version 8.0\n.target sm_80, debug\n.address_size 64\n"
BODY = """
.visible .entry k(
    .param .u64 a, .param .u64 .ptr .global .align 4 b, .param .u64 n, .param .b64 unused,
    .param .u32 m, .param .b32 x, .param .f32 y, .param .f64 z, .param .u16 s, .param .u8 c,
    .param .align 8 .b8 pair[16], .param .b64 generic
)
{
    .reg .b64 %rd<9>; .reg .b32 %r<4>; .reg .f32 %f<4>; .reg .pred %p<2>;   // several on a line
    ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [n];
    .loc 1 7 3
    ld.param.b32 %r1, [m];
    ld.param.b32 %f1, [x];
    ld.param.b64 %rd6, [generic];
    cvta.to.global.u64 %rd3, %rd1;
    mul.lo.s64 %rd4, %rd2, 4;
    add.s64 %rd5, %rd3, %rd4;
    { .param .b32 v; /* ; } */ st.param.b32
        [v], %r1; }
$L__one: $L__two:
    @%p1 bra $L__one;
    fma.rn.f32 %f2, %f1, %f1, %f1;
    add.s64 %rd7, %rd6, %rd4;
    ld.f32 %f3, [%rd7+4];
    st.global.f32 [%rd5], %f2;
    ret;
}
.file 1 "/somewhere/k.cu"
.section .debug_info { .b8 1
.b8 2 }
"""
TEXT = HEAD + BODY


def source(text: str, name: str = "k.ptx", entry: str = "k", listing: str = "") -> Source:
    return Source(Path(name), text, entry, Language.PTX, listing=listing)


def test_that_types_are_told_as_far_as_the_instructions_tell_them() -> None:
    words = [one.words for one in signature_of_ptx(TEXT, "k")]
    assert words == [
        "void *",
        "void *",
        "long long",
        "64 bits",
        "int",
        "float",
        "float",
        "double",
        "short",
        "unsigned char",
        "a structure of 16 bytes",
        "void *",
    ]


def test_that_every_instruction_has_its_own_line() -> None:
    module = parse(with_own_lines(TEXT), "kernel.cu")
    statements = module.functions[0].statements
    lines = TEXT.split("\n")
    assert len(statements) == 15
    for one in statements:
        assert lines[one.place.line - 1][one.place.column - 1 :].startswith((one.opcode, "@%p1"))
    assert statements[0].place.line == statements[1].place.line
    assert ".section" not in module.text
    assert "debug" not in module.text
    assert [name.partition("@")[0] for name in module.functions[0].labels] == ["$L__one", "$L__two"]


def test_that_lines_are_those_of_the_source_that_is_listed() -> None:
    kernel = load_user_kernel(DATA / "tiled.ptx")
    made = compile_ptx_file(source(kernel.text, entry="matmul", listing="tiled.cu"), "sm_90a")
    lines = (DATA / "tiled.cu").read_text().splitlines()
    (function,) = parse(made.ptx, "kernel.cu").functions
    stores = [one.place.line for one in function.statements if one.words[:2] == ("st", "shared")]
    assert {lines[line - 1].split("[")[0].strip() for line in stores} == {"As", "Bs"}
    assert made.words == f"PTX {made.release} for sm_75"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "it is no PTX: there is no .version in it"),
        (".version 8.0\n", "it is no PTX: there is no .target in it"),
        (TEXT.replace("ret;\n}", "ret;\n"), "the brace that is opened here is never closed: the PTX is not whole"),
        (f"{HEAD}}}", "k.ptx:4: a brace is closed that was not opened"),
        (TEXT.replace("entry k", "entry other"), "the entry 'k' is not in the file; it defines other"),
    ],
)
def test_that_what_is_no_ptx_is_refused_with_its_line(text: str, words: str) -> None:
    with pytest.raises(CompileError, match=re.escape(words)):
        compile_ptx_file(source(text), "sm_90a")
