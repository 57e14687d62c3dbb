"""The same file in plainer words, its lines and places kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.backends.base import CompileError
from gemmviz.backends.dialect.plain_form import in_plain_form
from gemmviz.backends.dialect.tree import SourceTree, find_all, parse, text_of

BEFORE = "struct P { float x; };\nstruct Q { P p[2]; };\n"


def plain(body: str, before: str = "") -> str:
    return tree_of(body, before).text.decode().removeprefix(before).partition("{\n")[2].removesuffix("\n}\n")


def tree_of(body: str, before: str = "") -> SourceTree:
    head = "__global__ void k(const float *A, float *C, int M) {\n"
    return in_plain_form(parse(Path("mine.cu"), f"{before}{head}{body}\n}}\n"))


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("p->x = q->p->x;", "(*p).x = (*(*q).p).x;"),
        ("((P *)C + 1)->x = 1;", "(*((P *)C + 1)).x = 1;"),
        ("C[M] = M[A];", "C[M] = (A)[M];"),
        ("(M * 2 + 1[A])[C] = 0;", "(C)[(M * 2 + (A)[1])] = 0;"),
        ("C[M[A] > 0 ? 1 : 0] = 0;", "C[(A)[M] > 0 ? 1 : 0] = 0;"),
        ("int t[2]; M[t] = 1;", "int t[2]; (t)[M] = 1;"),
        ("const int a = 1,\n b = a; float *p = C, x;", "const int a = 1; const int\n b = a; float *p = C; float x;"),
        ("for (int i = 0, j = 1; i < j; ++i) ;", "for (int i = 0, j = 1; i < j; ++i) ;"),
        ("P own; P *p; struct P a;", "struct P own; struct P *p; struct P a;"),
        ("int clamp = 3;", "int clamp = 3;"),
    ],
)
def test_that_what_is_written_becomes_plain(written: str, expected: str) -> None:
    known = {name: name in written for name in ("P ",)}
    assert plain(written, BEFORE if known["P "] and "(P" not in written else "") == expected


def test_that_names_of_opencl_are_given_back() -> None:
    before = "__constant__ float step[2] = {1, 2};\n__device__ float dot(float x) { return step[0] * x; }\n"
    tree = tree_of("C[0] = dot(step[1]) + clamp(1, 2, 3);", before)
    text = tree.text.decode()
    assert "float step_gv[2]" in text
    assert "C[0] = dot_gv(step_gv[1]) + clamp(1, 2, 3);" in text
    for node in find_all(tree.root, lambda node: node.type == "identifier" and text_of(node).endswith("_gv")):
        assert tree.place(node)[2] == text_of(node).removesuffix("_gv")


def test_that_a_kernel_keeps_its_name() -> None:
    text = "__global__ void dot(const float *A, float *C) { C[0] = A[0]; }\n"
    assert in_plain_form(parse(Path("mine.cu"), text)).text.decode() == text


def test_that_every_place_is_that_of_what_was_written() -> None:
    tree = tree_of("int a = 1, b = 2;\nM[A]; p->x = (a + 1)[C];", "struct P { float x; };\n")
    places = {tree.place(node) for node in find_all(tree.root, lambda node: node.type == "subscript_expression")}
    assert places == {(4, 1, "M[A]"), (4, 14, "(a + 1)[C]")}
    (member,) = find_all(tree.root, lambda node: node.type == "field_expression")
    assert tree.place(member) == (4, 7, "p->x")


@pytest.mark.parametrize(
    ("structure", "words"),
    [
        ("struct P { float f() { return 1; } };", "a structure with functions"),
        ("struct P { P(); };", "a structure with functions"),
        ("struct P { int n : 3; };", "bit-fields"),
        ("struct P { float *p; };", "a pointer inside a structure"),
        ("struct P { float x = 1; };", "a value of its own"),
        ("struct P : Q { float x; };", "a structure made from another"),
    ],
)
def test_that_a_structure_of_cpp_is_refused(structure: str, words: str) -> None:
    with pytest.raises(CompileError, match=rf"^mine\.cu:1:\d+: .*{words}"):
        plain("", structure + "\n")
