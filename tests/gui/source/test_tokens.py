"""Words of a source: their kinds in three languages, and that nothing of a line gets lost."""

from __future__ import annotations

import subprocess
import sys

import pytest

from gemmviz.catalogue.examples import load_examples
from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.session.session import load_session
from gemmviz.domain.terms import Language
from gemmviz.explain.source.recorded_lines import lines_of_text
from gemmviz.explain.source.tokens import MOST_CHARACTERS, TokenKind, is_same_program, language_of, tokens_of


def kinds(text: str, language: Language) -> dict[str, TokenKind]:
    return {token.text.strip(): token.kind for line in tokens_of(text.split("\n"), language) for token in line}


@pytest.mark.parametrize("kernel", load_catalogue().kernels, ids=lambda kernel: kernel.id)
def test_that_the_tokens_of_a_line_are_the_line(kernel: Kernel) -> None:
    lines = lines_of_text(kernel.text)
    tokens = tokens_of(lines, kernel.language)
    assert ["".join(token.text for token in line) for line in tokens] == list(lines)
    for line in tokens:
        assert [token.start for token in line] == [sum(len(t.text) for t in line[:i]) for i in range(len(line))]


def test_that_cuda_c_is_known() -> None:
    found = kinds(
        "#define TILE 2\n__global__ void f(const float4 *A) // why\n"
        '{ __shared__ float As[TILE]; for (;;) __syncthreads(); char *s = "x"; y = fmaf(threadIdx.x, 2.0f); }',
        Language.CUDA,
    )
    assert found["#define TILE 2"] is TokenKind.PREPROCESSOR
    assert found["__global__"] is found["__shared__"] is found["for"] is TokenKind.KEYWORD
    assert found["float4"] is found["float"] is TokenKind.TYPE
    assert found["// why"] is TokenKind.COMMENT
    assert found["threadIdx"] is found["fmaf"] is found["__syncthreads"] is TokenKind.BUILTIN
    assert found["2.0f"] is TokenKind.NUMBER
    assert found['"x"'] is TokenKind.STRING


def test_that_opencl_c_is_known() -> None:
    found = kinds(
        "__kernel void f(__global const float *A) { uint i = get_global_id(0); barrier(CLK_LOCAL_MEM_FENCE); }",
        Language.OPENCL,
    )
    assert found["__kernel"] is found["__global"] is TokenKind.KEYWORD
    assert found["uint"] is TokenKind.TYPE
    assert found["get_global_id"] is found["barrier"] is found["CLK_LOCAL_MEM_FENCE"] is TokenKind.BUILTIN


def test_that_python_is_known() -> None:
    found = kinds('"""What it\ndoes."""\n@njit\ndef f(x):\n    return range(3) if min else barrier', Language.PYTHON)
    assert found['"""What it'] is found['does."""'] is TokenKind.COMMENT
    assert found["def"] is found["return"] is TokenKind.KEYWORD
    assert found["range"] is found["min"] is found["@njit"] is TokenKind.BUILTIN
    assert found["barrier"] is TokenKind.PLAIN, "a word of OpenCL C means nothing in Python"


def test_that_a_comment_over_several_lines_stays_a_comment() -> None:
    first, second, third = tokens_of(["x; /* one", "", "two */ y;"], Language.CUDA)
    assert [token.kind for token in first] == [TokenKind.PLAIN, TokenKind.COMMENT]
    assert second == ()
    assert [(token.start, token.text, token.kind) for token in third] == [
        (0, "two */", TokenKind.COMMENT),
        (6, " y;", TokenKind.PLAIN),
    ]


@pytest.mark.parametrize(
    "lines", [[], [""], ["", ""], ["", "x", ""], ['"never ended'], ["/* never ended", "x"], ["ä = 'µ'"]]
)
@pytest.mark.parametrize("language", list(Language))
def test_that_odd_sources_keep_their_lines(lines: list[str], language: Language) -> None:
    assert ["".join(token.text for token in line) for line in tokens_of(lines, language)] == lines


def test_that_the_end_of_a_very_long_source_stays_plain() -> None:
    lines = ["for (;;) x = 1; // y"] * 20_000
    tokens = tokens_of(lines, Language.CUDA)
    assert len(tokens) == len(lines)
    cut = MOST_CHARACTERS // (len(lines[0]) + 1)
    assert tokens[cut - 1][0].kind is TokenKind.KEYWORD
    assert [(token.kind, token.text) for token in tokens[cut]] == [(TokenKind.PLAIN, lines[0])]


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("a.cu", Language.CUDA),
        ("a.CL", Language.OPENCL),
        ("b.py", Language.PYTHON),
        ("", Language.CUDA),
        ("x", Language.CUDA),
    ],
)
def test_that_a_name_tells_the_language(name: str, language: Language) -> None:
    assert language_of(name) is language


def test_that_pygments_waits_for_the_first_source() -> None:
    code = "import sys, gemmviz.gui.source.source_view; print('pygments' in sys.modules, 'numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


def test_that_the_same_source_is_cut_up_once() -> None:
    first = tokens_of(["int x;", ""], Language.CUDA)
    assert tokens_of(("int x;", ""), Language.CUDA) is first
    assert tokens_of(["int x;", ""], Language.PYTHON) is not first


@pytest.mark.parametrize(
    ("other", "is_same"),
    [
        ("/*---\ntitle = 'new'\n---*/\nint a = 1; // one", True),
        ("int a\n  = 1;", True),
        ("int a = 2;", False),
        ("int a = 1; int b;", False),
        ("int a = 1; /* int b; */", True),
    ],
)
def test_that_comments_and_white_space_make_no_other_program(other: str, is_same: bool) -> None:
    assert is_same_program("int a = 1;", other, Language.CUDA) is is_same


def test_that_the_examples_are_of_the_kernels_of_today() -> None:
    """What the H200 recorded and what comes with the program now differ in words at most."""
    kernels = {kernel.id: kernel.text for kernel in load_catalogue().kernels}
    for example in load_examples():
        for trace in load_session(example.path).traces:
            now = kernels[trace.spec.kernel]
            assert is_same_program(now, trace.source_text, language_of(trace.source_name)), trace.spec.kernel
