"""What a compiler takes out before it looks at tokens is blank, and everything else stays where it is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gemmviz.backends.base import CompileError
from gemmviz.backends.dialect.bare_code import bare_code
from gemmviz.backends.dialect.tree import Edits, parse, text_of, walk
from gemmviz.compiler.written import as_written

Translate = Callable[..., str]


def bare(text: str) -> str:
    return bare_code(as_written(text)).text.decode()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('int a; // of "it\'s"\nint b;', "int a;              \nint b;"),
        ("int/* one\n two */b;", "int      \n       b;"),
        ("// on \\\nand on\nint a;", "       \n      \nint a;"),
        ("a \\\n + b", "a  \n + b"),
        ("a\r\nb\r\n", "a \nb \n"),
        ("int s<:4:> = <% 1 %>;", "int s[ 4 ] = {  1  };"),
        ("x = 1'000'000u;", "x = 1000000u  ;"),
        ("c = '\\'' + '\"'; /**/ s = \"// no /* comment\";", "c = '\\'' + '\"';      s = \"// no /* comment\";"),
        ("%:define X 1\nX", "# define X 1\nX"),
        ("#define F(a) a /* one\n  two */ + 1", "#define F(a) a     \\\n         + 1"),
        ("#define F(a) a \\\r\n + 1\r\n", "#define F(a) a  \\\n + 1 \n"),
        ("do\n#pragma unroll\nwhile (a) b(); while (c);", "do\n              \nwhile (a) b(); while (c);"),
        ("#pragma unroll 4\nfor", "#pragma unroll 4\nfor"),
    ],
)
def test_that_the_code_alone_is_left(text: str, expected: str) -> None:
    found = bare(text)
    assert [line.split() for line in found.split("\n")] == [line.split() for line in expected.split("\n")]
    assert len(found) == len(text)
    assert bare(found) == found


def test_that_a_word_over_two_lines_is_one_and_knows_its_place() -> None:
    written = bare_code(as_written("flo\\\nat x;\nint y;"))
    assert written.text.decode().split() == ["float", "x;", "int", "y;"]
    assert written.place(0, 5) == (1, 1, "flo\\\nat")
    at = written.text.index(b"y;")
    assert written.place(at, at + 1) == (3, 5, "y")


def test_that_an_include_with_something_behind_it_parses() -> None:
    for line in (
        "#include <cuda_runtime.h> // all\n",
        "#include <cuda_runtime.h> \r\n",
        "#include <a.h> /* x */\n",
    ):
        assert not parse(Path("mine.cu"), line + "int a;\n").root.has_error


def test_that_what_does_not_parse_without_an_error_node_is_an_error_all_the_same() -> None:
    with pytest.raises(CompileError, match=r"mine\.cu:\d+:\d+: "):
        parse(Path("mine.cu"), '#if __has_include("x.h")\nint a;\n#endif\n')


@pytest.mark.parametrize("head", ["if (M > 1)", "else", "do", "while (--t)"])
def test_that_an_unroll_request_stands_in_front_of_a_lone_statement(work_items: Translate, head: str) -> None:
    before = "if (N) t = 1;\n" if head == "else" else ""
    behind = "while (t);" if head == "do" else ""
    body = f"int t = 0;\n{before}{head}\n    #pragma unroll\n    for (int i = 0; i < 4; ++i) C[i] = 0;\n{behind}"
    assert "for (int i = 0; i < 4; ++i) C[i] = 0;" in work_items(body)


def test_that_values_without_a_blank_are_declared_apart(work_items: Translate, thread_loops: Translate) -> None:
    body = "int r=blockIdx.y*16+threadIdx.y,c=blockIdx.x;C[r]=c;"
    assert "; int c=blockIdx.x" in work_items(body)
    assert "intc" not in work_items(body) + thread_loops(body)


@pytest.mark.parametrize(
    ("text", "word", "new", "expected"),
    [
        ("a(b)c", "(b)", "b", "a b c"),
        ("x-y", "y", "-1", "x- -1"),
        ("x/y", "y", "/**/z", "x/ /**/z"),
        ("f(x)", "x", "1", "f(1)"),
        ('"a"b', "b", "c", '"a" c'),
        ("return(x)", "(x)", ".5f", "return .5f"),
        ("x<y", "y", "<z", "x< <z"),
    ],
)
def test_that_no_edit_makes_one_token_of_two(text: str, word: str, new: str, expected: str) -> None:
    edits = Edits(text.encode())
    start = text.index(word)
    edits.replacements[start, start + len(word)] = new
    assert edits.render() == expected


def test_that_what_is_removed_joins_nothing() -> None:
    tree = parse(Path("mine.cu"), "__device__/**/int/**/f();")
    edits = Edits(b"static/**/int")
    edits.replacements[6, 10] = ""
    assert edits.render() == "static int"
    assert [text_of(node) for node in walk(tree.root) if node.type == "identifier"] == ["f"]


def test_that_an_empty_argument_of_a_macro_is_expanded(work_items: Translate) -> None:
    text = work_items("C[0] = ADD(, 1.0f);", before="#define ADD(a, b) (a + b)")
    assert "".join(text.split()).endswith("C[0]=(+1.0f);}")
