"""A CuPy kernel whose source its file computes: what is run, what comes of it, and what is said where nothing does."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from gemmviz.compiler.languages import compile_source
from gemmviz.compiler.source import CompileError, Source
from gemmviz.domain.terms import CodeForm, Language

pytestmark = pytest.mark.usefixtures("nvrtc")

FILE = r"""
import cupy as cp

T = 4
print("launching") or exit(3)

def lines(count):
    return "\n".join(f"a[{one}] = {one};" for one in range(count))

def make(count):
    code = '''
    extern "C" __global__ void k(float *a)
    {
        a[16] = cp;
        LINES
        a[17] = T;
    }
    '''.replace("LINES", lines(count)).replace("cp", "1")
    return cp.RawKernel(code, "k", options=[f"-DT={T}"])

k = make(2)
k((1,), (1,), (cp.zeros(99),))
if __name__ == "__main__":
    make(3)
"""


def source_of(text: str, **defines: int) -> Source:
    return Source(Path("mine.py"), text, "k", Language.CUPY, tuple(defines.items()), is_foreign=True, limit_s=60.0)


def ptx_of(source: Source) -> str:
    return compile_source(source, "sm_80", CodeForm.AS_COMPILED).ptx


def test_that_what_makes_the_source_is_run_and_lines_are_those_of_the_python_file() -> None:
    made = compile_source(source_of(FILE), "sm_80", CodeForm.AS_COMPILED)
    assert made.signature is not None
    assert [kind.is_pointer for kind in made.signature] == [True]
    stored = {}
    line = 0
    for words in made.ptx.splitlines():
        place = re.match(r"\s*\.loc\s+\d+\s+(\d+)", words)
        line = int(place[1]) if place is not None else line
        if "st.global" in words:
            stored.setdefault(line, 0)
            stored[line] += 1
    named = FILE.splitlines()
    assert [named[line - 1].strip() for line in sorted(stored)] == [
        "a[17] = T;",
        'return cp.RawKernel(code, "k", options=[f"-DT={T}"])',
    ]


def test_that_a_parameter_takes_the_place_of_a_constant_and_of_the_macro() -> None:
    four, five = (str(np.float32(value).view(np.int32)) for value in (4, 5))
    assert (four in ptx_of(source_of(FILE)), five in ptx_of(source_of(FILE))) == (True, False)
    assert (four in ptx_of(source_of(FILE, T=5)), five in ptx_of(source_of(FILE, T=5))) == (False, True)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("a[17] = T", "a[17] = nothing"), 'mine.py:16: identifier "nothing" is undefined'),
        (("k = make(2)", "k = make(1); o = make(2)"), "the file gives 2 different sources of 'k'"),
        (("k = make(2)", "k = make(1 // 0)"), "mine.py:21: ZeroDivisionError"),
        (("k = make(2)", "k = make(open('there').read())"), "mine.py:21: FileNotFoundError"),
        (("-DT=", "-lineinfo"), "mine.py:19: the option '-lineinfo4' is not known"),
        (('"k", options', '"other", options'), "no source that the file gives to RawKernel or RawModule"),
    ],
)
def test_that_a_fault_of_the_file_is_named_with_its_line(change: tuple[str, str], words: str) -> None:
    with pytest.raises(CompileError) as caught:
        ptx_of(source_of(FILE.replace(*change)))
    assert words in str(caught.value)
