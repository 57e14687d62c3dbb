"""What Triton and Numba raise is told as one sentence with the line of the file, whether or not they are installed."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from numba.core.errors import TypingError
from numba.core.ir import Loc

from gemmviz.compiler.python.numba_code import line_of, said
from gemmviz.compiler.python.triton_code import plain_words


@pytest.mark.parametrize(
    ("words", "plain"),
    [
        ("NameError('cmask is not defined')", "cmask is not defined"),
        ("AttributeError(\"module 'tl' has no attribute 'x'\")", "module 'tl' has no attribute 'x'"),
        ("arange's range must\n be a power of 2", "arange's range must be a power of 2"),
    ],
)
def test_that_triton_is_told_without_the_name_of_an_error(words: str, plain: str) -> None:
    assert plain_words(words) == plain


def infer(loc: Loc, inner: Loc) -> None:
    statement = SimpleNamespace(loc=loc)
    resolve(inner)
    del statement


def resolve(loc: Loc) -> None:
    raise TypingError(f"at {loc.line}")


@pytest.mark.parametrize(("inner", "line"), [(Loc("mine.py", 12), 12), (Loc("numba/typeof.py", 99), 27)])
def test_that_the_innermost_place_in_the_file_is_told(inner: Loc, line: int) -> None:
    with pytest.raises(TypingError) as caught:
        infer(Loc("mine.py", 27), inner)
    assert line_of(caught.value, "mine.py") == line
    assert line_of(caught.value, "other.py") == 0


def test_that_a_line_in_the_message_is_told_where_no_place_is_held() -> None:
    assert line_of(TypingError('no such thing\nFile "mine.py", line 31:\n'), "mine.py") == 31


def test_that_the_call_without_an_implementation_is_told() -> None:
    words = """Failed in cuda mode pipeline (step: nopython frontend)
No implementation of function Function(<built-in function sorted>) found for signature:

 >>> sorted(DictType[int64,int64])

There are 2 candidate implementations:
"""
    found = said(words)
    assert found.startswith("No implementation of function Function(<built-in function sorted>) found for signature: ")
    assert found.endswith("sorted(DictType[int64,int64])")
    assert said("Failed in cuda mode pipeline\nNameError: name 'accu' is not defined\n") == "name 'accu' is not defined"
