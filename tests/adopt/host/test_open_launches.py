"""A launch in host code that cannot be compared leaves a kernel in doubt, whatever keeps it from that."""

from __future__ import annotations

import pytest

from gemmviz.adopt.description import Description
from gemmviz.adopt.finding import KernelFinding
from gemmviz.adopt.host_launch import OpenLaunch, open_words
from gemmviz.adopt.outcome import AdoptOutcome
from gemmviz.adopt.prove.check import Checked
from gemmviz.adopt.prove.host.host_launches import HostLaunches
from gemmviz.adopt.prove.host.launch_terms import terms_of
from gemmviz.adopt.source.read import read_source
from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Language

SIZES = (Shape(64, 72, 100), Shape(64, 96, 128), Shape(100, 64, 72))
FILE = """__global__ void mm(int m, int n, int k, const float *A, const float *B, float *C) {{}}
void h(float *a, float *b, float *c, int M, int N, int K) {{
    dim3 t(16, 16);
    {}
}}
"""
GRID = ("ceil_div(N, 16)", "ceil_div(M, 16)")
STORAGE = Storage()
STORAGES = (STORAGE, STORAGE, STORAGE, STORAGE)
DESCRIPTION = Description("mm", (), (), ("M", "N", "K", "A", "B", "C"), STORAGES, ("16", "16"), GRID)
NOT_COMPARED = "the launch in line 4 was not compared with the one described here: "


def judged(code: str, *, is_handed: bool = False) -> KernelFinding:
    """What is found of a kernel that is right however it is launched."""
    source = read_source(FILE.format(code), Language.CUDA)
    terms = tuple(terms_of(one, DESCRIPTION.arguments, {}) for one in source.launches)
    handed = tuple((line, name) for _, line, name in source.handed) if is_handed else ()
    found = KernelFinding("mm", 1, DESCRIPTION, right_sizes=SIZES)
    return HostLaunches(terms, handed=handed).beside(found, lambda *_: Checked(""), is_free=False)


def launch(given: str, rows: str = "M") -> str:
    return f"mm<<<dim3((N + 15) / 16, ({rows} + 15) / 16), t>>>({given}, a, b, c);"


@pytest.mark.parametrize(
    ("code", "given"),
    [
        (launch("M, N, K / 2"), "`K / 2` for K"),
        ("int half = K / 2;" + launch("M, N, half"), "`half` for K"),
        ("int rows = M / 4;" + launch("rows, N - 1, K", "rows"), "`rows` for M and `N - 1` for N"),
    ],
)
def test_that_a_part_of_a_size_is_a_doubt(code: str, given: str) -> None:
    found = judged(code)
    assert found.left_out == (f"{NOT_COMPARED}it gives the kernel {given}, so it may compute a part of a product",)
    assert found.outcome is AdoptOutcome.RIGHT_WITH_DOUBTS


@pytest.mark.parametrize(
    "code",
    [
        launch("M, N, K"),
        "int depth = (K + 31) / 32 * 32;" + launch("M, N, depth"),
        launch("M, N, (K + 3) / 4 * 4"),
    ],
)
def test_that_a_size_that_is_rounded_up_is_none(code: str) -> None:
    assert (judged(code).outcome, judged(code).left_out) == (AdoptOutcome.VERIFIED, ())


def test_that_a_kernel_that_is_handed_to_a_function_is_in_doubt_and_the_function_is_named() -> None:
    code = "cudaFuncSetAttribute(mm, x, 1); start(mm, dim3((M + 15) / 16, (N + 15) / 16), t, a, b);"
    found = judged(code, is_handed=True)
    words = "the kernel is handed to `start`, and how that launches it could not be read"
    assert found.left_out == (f"{NOT_COMPARED}{words}",)
    assert found.outcome is AdoptOutcome.RIGHT_WITH_DOUBTS


def test_that_a_launch_of_an_unknown_handle_is_a_doubt() -> None:
    found = judged("void *args[] = {&M, &N, &K, &a, &b, &c}; cuLaunchKernel(f, N, M, 1, 16, 16, 1, 0, 0, args, 0);")
    assert found.left_out == (f"{NOT_COMPARED}it launches `f`, and which kernel that is could not be read",)
    assert found.outcome is AdoptOutcome.RIGHT_WITH_DOUBTS


def test_that_launches_of_one_line_are_told_once_and_those_not_tried_apart() -> None:
    late = OpenLaunch(9, "within the time limit", "mm<8>", is_untried=True)
    launches = (OpenLaunch(4, "its grid"), OpenLaunch(4, "its block"), late)
    assert open_words(launches) == (
        "the launch in line 9 was not tried, and the launch in line 4 was not compared with this one"
    )
    assert late.words == "the launch of mm<8> in line 9 was not tried within the time limit"
