from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.backends.compile_log import all_errors, names_a_place

PATH = Path("folder/mine.cu")


def test_that_an_error_is_told_with_the_original_file_and_line() -> None:
    log = "build on x:\n\nmine.cu:7:3: warning: odd\nmine.cu:12:5: error: use of undeclared identifier 'x'\n"
    assert all_errors(log, PATH) == "folder/mine.cu:12:5: use of undeclared identifier 'x'"


def test_that_every_error_is_told_in_a_line_of_its_own() -> None:
    log = "mine.cu:1:2: error: one\nmine.cu:3:4: fatal error: two\nmine.cu:5:6: error: three\n3 errors generated."
    told = "folder/mine.cu:1:2: one (and 2 more)\nfolder/mine.cu:3:4: two\nfolder/mine.cu:5:6: three"
    assert all_errors(log, PATH) == told
    assert all_errors(log + "\nmine.cu:1:2: error: one", PATH) == told, "an error that is reported twice is one"
    many = "\n".join(f"mine.cu:{line}:1: error: odd" for line in range(1, 100))
    assert len(all_errors(many, PATH).splitlines()) == 20


def test_that_a_log_without_a_line_is_shown_by_its_first_words() -> None:
    assert all_errors("  something\n went   wrong ", PATH) == "folder/mine.cu: does not compile: something went wrong"
    assert all_errors("", PATH) == "folder/mine.cu: does not compile: the compiler gives no reason"
    assert len(all_errors("word " * 1000, PATH)) < 350


WRITTEN = "first\n  if (t) s += row * x;\n  int y = __private_sum; z = z + z;\n"
COMPILED = """#define GV_LOAD nothing
#line 1 "mine.cu"
first
GV_FOR_EACH_THREAD {
#line 2
  if (t) s += GV_LOAD(row) * x;
#line 2
  row[GV_THREAD];
  int y = private_sum; z = z + z;
"""


@pytest.mark.parametrize(
    ("log", "expected"),
    [
        ("mine.cu:2:39: error: use of undeclared identifier 'x'", ":2:21: use of undeclared identifier 'x'"),
        ("mine.cu:2:10: error: expected expression", ":2:10: expected expression"),
        ("mine.cu:2:3: error: expected expression", ":2: expected expression"),
        ("mine.cu:2:24: error: expected expression", ":2: expected expression"),
        ("mine.cu:3:24: error: unknown type name 'z'", ":3: unknown type name 'z'"),
        ("mine.cu:1:1: error: odd", ":1:1: odd"),
        ("mine.cu:99:1: error: odd", ":3: odd"),
        ("mine.cu:2:1: error: from '__global float *' to 'float *'", ":2: from 'float *' to 'float *'"),
        ("mine.cu:2:15: error: expected ')' after 'GV_LOAD'", ":2: this does not compile"),
        ("mine.cu:1:1: error: redefinition of '_cl_step'", ":1:1: redefinition of 'step'"),
    ],
)
def test_that_a_place_is_that_of_the_original(log: str, expected: str) -> None:
    assert all_errors(log, PATH, WRITTEN, COMPILED) == f"folder/mine.cu{expected}"


def test_that_an_address_space_that_was_written_stays() -> None:
    said = all_errors("mine.cl:1:1: error: to '__local int'", PATH, "__local int x;", '#line 1 "x"\n__local int x;')
    assert said.endswith(":1:1: to '__local int'")


def test_that_a_column_is_told_in_a_line_with_a_comment() -> None:
    written, compiled = "int a; // x\nint b = x + x; // x\n", '#line 1 "mine.cu"\nint a;     \nint b = x + x;     \n'
    log = "mine.cu:2:13: error: use of undeclared identifier 'x'"
    assert all_errors(log, PATH, written, compiled) == "folder/mine.cu:2:13: use of undeclared identifier 'x'"


def test_that_a_function_that_is_nowhere_is_named() -> None:
    log = (
        "clBuildProgram failed: BUILD_PROGRAM_FAILURE\n\nBuild on <pyopencl.Device 'pthread' at 0x55>:\n\n"
        "Error(s) while linking: \nCannot find symbol getppid in kernel library"
    )
    words = "mine.cl: calls getppid, which the file does not define; a kernel may call its own functions only"
    assert all_errors(log, Path("mine.cl")) == words
    assert names_a_place(log)
