"""Copies of a vector member by member are one access where the line as compiled has one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gemmviz.machine.ptx.parse import parse
from gemmviz.trace.ptx.probing.split_vectors import Vectors, joined, vector_accesses

Module = Callable[[str], str]
FOUR = "".join(f"st.f32 [%rd4{offset}], %f{i};\n" for i, offset in enumerate(("+12", "+8", "+4", ""), 1))
WORDS = "ld.u32 %r8, [%rd4+8];\nld.u32 %r9, [%rd4+12];\n"
COPY = "st.u32 [%SP+20], %r9;\nst.u32 [%SP+16], %r8;\n"
PAIR = "ld.f32 %f1, [%rd4+8];\nld.f32 %f2, [%rd4+12];\n"


@pytest.mark.parametrize(
    ("lines", "vectors", "expected"),
    [
        (FOUR, {("st", 7, 16)}, ["st.v4.f32 [%rd4] {_, _, _, _}"]),
        (FOUR, {("st", 7, 8)}, []),
        (FOUR, {("ld", 7, 16)}, []),
        (FOUR, {("st", 8, 16)}, ["st.v4.f32 [%rd4] {_, _, _, _}"]),
        (f"{FOUR}.loc\t1 8 3\n{FOUR}", {("st", 8, 16), ("st", 7, 8)}, ["st.v4.f32 [%rd4] {_, _, _, _}"]),
        (FOUR * 2, {("st", 7, 16)}, ["st.v4.f32 [%rd4] {_, _, _, _}"] * 2),
        (PAIR, {("ld", 7, 8)}, ["ld.v2.f32 {_, _} [%rd4+8]"]),
        (PAIR.replace("%rd4+12", "%rd1+12"), {("ld", 7, 8)}, []),
        (PAIR.replace("+12", "+16"), {("ld", 7, 8)}, []),
        (PAIR.replace("\n", "\n.loc\t1 8 3\n", 1), {("ld", 7, 8)}, []),
        (PAIR.replace("ld.f32 %f2", "@%p1 ld.f32 %f2"), {("ld", 7, 8)}, []),
        (FOUR.replace("\n", "\nadd.f32 %f1, %f1, %f1;\n", 1), {("st", 7, 16)}, []),
        (PAIR, {("ld", 7, 16)}, ["ld.v2.f32 {_, _} [%rd4+8]"]),
        (f"{PAIR}add.f32 %f3, %f1, %f2;", {("ld", 7, 8)}, []),
        (f"{PAIR}.loc\t1 8 3\n{PAIR}", {("ld", 7, 16)}, ["ld.v2.f32 {_, _} [%rd4+8]"] * 2),
        (f"{PAIR}.loc\t1 8 3\nld.v4.f32 {{%f3, %f4, %f5, %f6}}, [%rd4];", {("ld", 8, 16)}, []),
        (f"{PAIR}st.param.v2.f32 [param0+0], {{%f1, %f2}};", set(), ["ld.v2.f32 {_, _} [%rd4+8]"]),
        (f"{PAIR}st.param.f32 [param0+0], %f1;\nst.param.f32 [param0+4], %f2;", set(), []),
        (f"ld.param.v4.f32 {{%f4, %f3, %f2, %f1}}, [retval0+0];\n{FOUR}", set(), ["st.v4.f32 [%rd4] {_, _, _, _}"]),
        (f"{WORDS}{COPY}", {("ld", 8, 16)}, ["ld.v2.u32 {_, _} [%rd4+8]", "st.v2.u32 [%SP+16] {_, _}"]),
        (f"{WORDS}{COPY.replace('+20', '+24')}", {("ld", 8, 16)}, []),
    ],
)
def test_that_neighbours_of_one_vector_become_one(
    module: Module, lines: str, vectors: set[tuple[str, int, int]], expected: list[str]
) -> None:
    (kernel,) = (one for one in parse(module(lines), "kernel.cu").functions if one.is_entry)
    found = joined(kernel.statements, Vectors(frozenset(vectors)))
    made = [one for one in found.values() if one is not None]
    assert [" ".join((one.opcode, *one.operands)) for one in made] == expected
    assert len(found) == sum(int(one.opcode.split(".")[1][1:]) for one in made)


def test_that_the_lines_with_vectors_are_known(module: Module) -> None:
    text = module("ld.global.nc.v4.f32 {%f1, %f2, %f3, %f4}, [%rd4];\n.loc\t1 9 1\nst.shared.v2.u32 [%r3], {%r1, %r2};")
    found = vector_accesses(parse(text, "kernel.cu"), "", is_opencl=False)
    assert found.lines == {("ld", 7, 16), ("st", 9, 8)}
    assert found.scalar_lines == frozenset()


def test_that_a_line_with_single_accesses_keeps_them(module: Module) -> None:
    (kernel,) = (one for one in parse(module(FOUR), "kernel.cu").functions if one.is_entry)
    assert joined(kernel.statements, Vectors(frozenset({("st", 8, 16)}), frozenset({("st", 7, 32)}))) == {}
    assert vector_accesses(parse(module(FOUR), "kernel.cu"), "", is_opencl=False).scalar_lines == {("st", 7, 32)}


@pytest.mark.parametrize(
    ("vectors", "is_whole"),
    [
        (Vectors(), False),
        (Vectors(is_opencl=True), True),
        (Vectors(scalar_lines=frozenset({("ld", 7, 32)}), is_opencl=True), True),
        (Vectors(scalar_lines=frozenset({("ld", 7, 64)}), is_opencl=True), False),
        (Vectors(frozenset({("ld", 7, 8)}), is_opencl=True), False),
        (Vectors(frozenset({("ld", 8, 16)}), frozenset({("ld", 7, 32)})), True),
        (Vectors(frozenset({("ld", 8, 16)}), frozenset({("ld", 7, 64)})), False),
    ],
)
def test_that_a_copy_by_doublewords_is_one_access_unless_the_line_has_single_ones(
    module: Module, vectors: Vectors, is_whole: bool
) -> None:
    text = module("ld.u64 %rd1, [%rd4];\nld.u64 %rd2, [%rd4+8];")
    (kernel,) = (one for one in parse(text, "kernel.cu").functions if one.is_entry)
    assert (len(joined(kernel.statements, vectors)) == 2) == is_whole
