"""Kernels of one name are told apart by the types of their parameters."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.backends.registry import find_device
from gemmviz.catalogue.header import HeaderError
from gemmviz.catalogue.loader import load_user_kernel
from gemmviz.catalogue.overloads import OverloadError, is_entry_of, name_of, only_overload, overloads_of
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill
from gemmviz.measure.bench import Bench, make_inputs

FILE = Path(__file__).parents[1] / "data" / "adopt" / "overloads.cu"
SQUARE = "mm(const float*, const float*, float*, int)"
EVERY = "mm(const float*, const float*, float*, int, int, int)"
TYPES = """
template <int B> __global__ void f(const float *__restrict__ a, unsigned int n) { if (n) { } }
namespace mine { __global__ void f(float const *a, float b[], unsigned) {
#define SIZE 4
} }
template <typename T> __global__ void f(T *a, unsigned n);
template <typename T> __global__ void f(T *a, unsigned n) { }
"""


def test_that_each_kernel_of_a_name_has_an_entry_of_its_own() -> None:
    assert overloads_of(FILE.read_text()) == {2: SQUARE, 9: EVERY}
    assert overloads_of(TYPES) == {2: "f(const float*, unsigned int)", 7: "f(T*, unsigned)"}


def test_that_kernels_of_other_branches_of_a_condition_are_no_overloads() -> None:
    text = "#if X == 1\n__global__ void f(int a) { }\n#else\n__global__ void f(float *a) { }\n#endif\n"
    assert overloads_of(text) == {}
    assert only_overload(text, "f") == text


def test_that_other_kernels_of_the_name_become_blanks_in_their_place() -> None:
    left = only_overload(TYPES, "f(T *a, unsigned n)")
    assert [len(line) for line in left.split("\n")] == [len(line) for line in TYPES.split("\n")]
    assert [number for number, line in enumerate(left.split("\n"), 1) if line.strip()] == [3, 4, 5, 6, 7]
    left = only_overload(TYPES, "mine::f(float const*, float*, unsigned)")
    assert left == TYPES
    left = only_overload(TYPES, "f(const float*, unsigned int)")
    assert [number for number, line in enumerate(left.split("\n"), 1) if line.strip()] == [2, 3, 4, 5]


def test_that_types_are_compared_as_people_write_them() -> None:
    assert is_entry_of("mm(const float *A, const float *B, float *C, int n)", SQUARE)
    assert is_entry_of("mm", SQUARE)
    assert not is_entry_of("mm(float*, float*, float*)", SQUARE)
    assert name_of(SQUARE) == "mm"
    assert only_overload(FILE.read_text(), "mm(float*, float*, float*, int)") == only_overload(FILE.read_text(), SQUARE)


def test_that_a_name_of_several_is_refused_with_each_of_them() -> None:
    text = FILE.read_text()
    with pytest.raises(OverloadError) as refused:
        only_overload(text, "mm")
    assert str(refused.value).startswith("mm is the name of 2 kernels with different parameters: name one of them")
    assert f'"{SQUARE}" (line 2) or "{EVERY}" (line 9)' in str(refused.value)
    with pytest.raises(OverloadError, match=r"no kernel mm\(int\) is in the file: it has "):
        only_overload(text, "mm(int)")
    with pytest.raises(OverloadError, match="has no kernel other"):
        only_overload(text, "other(int)")


@pytest.mark.usefixtures("nvrtc")
@pytest.mark.parametrize(("entry", "args", "size"), [(SQUARE, "K", 1), (EVERY, "M, N, K", 2)])
def test_that_the_named_kernel_runs_with_the_lines_of_its_file(entry: str, args: str, size: int) -> None:
    given = ["A", "B", "C", *args.split(", ")]
    launch = {"block": ["16", "16"], "grid": ["ceil_div(N, 16)", "ceil_div(M, 16)"]}
    kernel = load_user_kernel(FILE, {"entry": entry, "args": given, "launch": launch})
    assert kernel.entry == "mm"
    assert kernel.shown.text == kernel.file_text == FILE.read_text()
    inputs = make_inputs(Shape(17, 17 * size, 17), Fill.NORMAL, 9)
    with Bench() as bench:
        run = bench.run(kernel, kernel.params({}), find_device("machine"), inputs)[0]
    assert run.accuracy.passed


def test_that_a_description_must_say_which_kernel_of_a_name() -> None:
    with pytest.raises(HeaderError, match="mm is the name of 2 kernels"):
        load_user_kernel(FILE, {"entry": "mm", "args": ["A", "B", "C", "K"], "launch": {"block": ["16"]}})
