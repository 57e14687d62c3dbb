"""Macros that hold more than arithmetic are expanded, lines and places kept; what is not plain stays as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.backends.base import CompileError
from gemmviz.backends.dialect.tree import parse, walk
from gemmviz.compiler.macros import expanded, macros_of, plain_macros
from gemmviz.compiler.written import as_written


def after(text: str) -> str:
    """The text expanded, white space made one."""
    return " ".join(expanded(as_written(text)).text.decode().split())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#define FIRST A[0]\nx = FIRST;", "x = A[0] ;"),
        ("#define AT(i) A[(i)]\nx = AT(j + 1);", "x = A[( j + 1 )] ;"),
        ("#define AT(i) A[(i)]\nx = AT (j);", "x = A[( j )] ;"),
        ("#define A(i, j) A[(i) * K + (j)]\nx = A(1, f(2, 3)) + A[4];", "x = A[( 1 ) * K + ( f(2, 3) )] + A[4];"),
        ("#define A(i) A[i]\nx = A(A(0));", "x = A[ A[ 0 ] ] ;"),
        (
            "#define IN(r, c) ((r) * N + (c))\n#define B(r, c) B[IN(r, c)]\nx = B(1, 2);",
            "x = B[ (( 1 ) * N + ( 2 )) ] ;",
        ),
        (
            "#define F4(p) (reinterpret_cast<float4*>(&(p))[0])\nx = F4(A[i]);",
            "x = (reinterpret_cast<float4*>(&( A[i] ))[0]) ;",
        ),
        ("#define SYNC() __syncthreads()\nSYNC();", "__syncthreads() ;"),
        ("#define UP(x) x++\nUP(n);", "n ++ ;"),
        ("#define TWO \\\n  A[0] + \\\n  A[1] // both\nx = TWO;", "x = A[0] + A[1] ;"),
        ("#define NEXT (-x[0])\ny = -NEXT;", "y = - (-x[0]) ;"),
        ("#define REST(i) A[i]\n#define ALL(i) REST(i) + B[i]\nx = ALL(2);", "x = A[ 2 ] + B[ 2 ] ;"),
        ("#define real double\n__shared__ real s[4];", "__shared__ double s[4];"),
        (
            "#define MIN(a, b) ((a) < (b) ? (a) : (b))\nx = MIN(A[0], 1);",
            "#define MIN(a, b) ((a) < (b) ? (a) : (b)) x = (( A[0] ) < ( 1 ) ? ( A[0] ) : ( 1 )) ;",
        ),
    ],
)
def test_that_a_macro_is_expanded(text: str, expected: str) -> None:
    assert after(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "#define TILE 16\n#define AREA (TILE * TILE)\nfloat s[AREA];",
        "#define OFFSET(r, c, ld) ((r) * (ld) + (c))\nx = A[OFFSET(i, j, K)];",
        "#define MIN(a, b) ((a) < (b) ? (a) : (b))\nx = MIN(n, m);",
        "#define OR(c, x) ((c) ? (x) : 0.0f)\nx = OR(i < n, A[i]);",
        "#define AT(i) A[i]\n#define AT(i) B[i]\nx = AT(0);",
        "#define AT(i) A[i]\nx = AT(0);\n#undef AT\n",
        "#ifdef X\n#define AT(i) A[i]\n#endif\nx = AT(0);",
        "#define AT(i) A ## i[0]\nx = AT(0);",
        "#define AT(i) A[sizeof(#i)]\nx = AT(0);",
        "#define AT(...) A[__VA_ARGS__]\nx = AT(0);",
        "#define AT(i, j) A[i * j]\nx = AT(0);",
        "/*\n#define AT(i) A[i]\n*/ x = AT(0);",
        "// #define AT(i) A[i]\nx = AT(0);",
        "x = AT(0);",
    ],
)
def test_that_anything_else_stays_as_it_is(text: str) -> None:
    assert expanded(as_written(text)).text.decode() == text


def test_that_comments_texts_and_directives_are_left_alone() -> None:
    text = '#define X A[0]\n/* X */ s = "X"; // X\n#pragma X\n#if X\n#endif\ny = X;'
    expected = '/* X */ s = "X"; // X\n#pragma X\n#if X\n#endif\ny =  A[0]  ;'
    assert expanded(as_written(text)).text.decode() == f"#define X A[0]\n{expected}"


def test_that_a_raw_string_is_left_alone_and_its_lines_are_no_directives() -> None:
    raw = 's = R"x(a "quote", )" // and\n#define X B[0]\n#if X\n)x";'
    text = f"#define X A[0]\n{raw} y = X;"
    assert list(macros_of(text)) == ["X"]
    assert macros_of(text)["X"].why_not == ""
    assert expanded(as_written(text)).text.decode().strip() == f"{raw} y =  A[0]  ;"


def test_that_many_raw_strings_without_an_end_are_read_in_one_pass() -> None:
    text = "#define X A[0]\n" + 'R"(' * 100_000
    assert list(macros_of(text)) == ["X"]
    assert expanded(as_written(text)).text.decode().endswith('R"(')


def test_that_a_macro_is_used_only_behind_its_definition() -> None:
    assert after("x = AT(0);\n#define AT(i) A[i]\ny = AT(1);").startswith("x = AT(0);")


def test_that_lines_stay_where_they_are() -> None:
    text = "#define AT(i, \\\n           j) A[i + j]\nx = AT(1,\n  2); y =\nAT(3, 4);\nz"
    found = expanded(as_written(text)).text.decode()
    assert found.count("\n") == text.count("\n")
    assert found.splitlines()[5] == "z"


def test_that_places_are_those_a_person_wrote() -> None:
    text = "// ü\n#define AT(i) A[(i) + B[0]]\nvoid f() { x = 1 + AT(C[2] *\n 3) + D[4]; }\n"
    tree = parse(Path("mine.cu"), text)
    found = {tree.place(node) for node in walk(tree.root) if node.type == "subscript_expression"}
    whole = "AT(C[2] *\n 3)"
    assert found == {(3, 20, whole), (3, 23, "C[2]"), (4, 7, "D[4]")}


def test_that_a_fault_names_the_place_a_person_wrote() -> None:
    tree = parse(Path("mine.cu"), "#define AT(i) A[(i) * 1000 + 1]\nvoid f() { AT(0) = 1; x = D[4]; }\n")
    (node,) = [node for node in walk(tree.root) if node.text == b"D[4]"]
    assert str(tree.fault(node, "no")) == "mine.cu:2:27: no"


def test_that_what_parses_only_unexpanded_is_left_so() -> None:
    tree = parse(Path("mine.cu"), "#define BAD A[0] + + }{\nvoid f() { BAD; }\n")
    assert b"#define BAD" in tree.text


@pytest.mark.parametrize(
    ("definition", "plain"),
    [
        ("X 16", True),
        ("X (4 * 4)", True),
        ("X(a) ((a) + 1)", True),
        ("X(a, b) min(a, b)", True),
        ("X", True),
        ("X(a) (*(a))", False),
        ("X(a) (&(a))", False),
        ("X(p) ((float *)p)", False),
        ("X(a) a = 1", False),
        ("X(a) (a)[0]", False),
        ("X threadIdx.x", False),
        ("X(p) p->x", False),
        ("X(a) f(a)", False),
        ("X X", False),
    ],
)
def test_that_plain_is_arithmetic_alone(definition: str, plain: bool) -> None:
    macros = macros_of(f"#define {definition}\n")
    assert ("X" in plain_macros(macros)) == plain


def test_that_macros_that_double_without_end_are_refused_before_they_fill_the_memory() -> None:
    macros = "\n".join(f"#define D{i} D{i - 1} D{i - 1}" for i in range(1, 41))
    text = f"#define D0 acc += A[0];\n{macros}\nvoid f(float *A) {{ float acc; D40 }}"
    with pytest.raises(CompileError, match=r"mine\.cu:42:\d+: with its macros the file has more than \d+ words"):
        parse(Path("mine.cu"), text)


def test_that_plain_macros_that_double_are_found_plain_at_once() -> None:
    text = "#define D0(x) ((x) + 1)\n" + "\n".join(f"#define D{i}(x) (D{i - 1}(x) * D{i - 1}(x))" for i in range(1, 41))
    assert "D40" in plain_macros(macros_of(text))
    assert not plain_macros(macros_of("#define D0 D1\n#define D1 D0"))
