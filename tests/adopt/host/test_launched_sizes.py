"""A launch for sizes that the rules of a description leave out is run at these sizes, or at smaller ones alike."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gemmviz.adopt.description import Description, SizeRule
from gemmviz.adopt.finding import KernelFinding
from gemmviz.adopt.host_launch import LaunchRemedy
from gemmviz.adopt.outcome import AdoptOutcome
from gemmviz.adopt.prove.check import Checked
from gemmviz.adopt.prove.host.host_launches import HostLaunches
from gemmviz.adopt.prove.host.launch_terms import terms_of
from gemmviz.adopt.prove.host.launched_sizes import smaller_alike
from gemmviz.adopt.reasons import FaultKind
from gemmviz.adopt.source.read import read_source
from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Element, Language, Layout

ROWS = Storage(layout=Layout.ROW, element=Element.FLOAT32)
OF_EIGHTS = SizeRule("K", 8)
DESCRIPTION = Description(
    "mm",
    (),
    (),
    ("A", "B", "C", "M", "N", "K"),
    (ROWS,) * 4,
    ("16", "16"),
    ("ceil_div(N, 16)", "ceil_div(M, 16)"),
    rules=(OF_EIGHTS,),
)
GRID = "dim3((N + 15) / 16, (M + 15) / 16)"
FILE = """__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K) {{}}
int main() {{
    const int M = {}, N = {}, K = {};
    float *A, *B, *C;
    {}mm<<<{}, dim3(16, 16)>>>(A, B, C, M, N, K);
}}
"""


class Kernel:
    """What comes of a kernel that is right where K is a multiple, and the sizes at which it was run."""

    def __init__(self, multiple: int = 8, kind: FaultKind = FaultKind.WRONG, slow: int = 2**30) -> None:
        self._multiple, self._kind, self._slow = multiple, kind, slow
        self.run_at: list[str] = []

    def __call__(self, _: Description, shape: Shape) -> Checked:
        self.run_at.append(str(shape))
        if shape.m * shape.n * shape.k > self._slow:
            return Checked("it took too long", is_untold=True)
        return Checked("" if shape.k % self._multiple == 0 else "line 9: it is wrong", self._kind)


def judged(
    m: int, n: int, k: int, kernel: Kernel, grid: str = GRID, condition: str = "", described: Description = DESCRIPTION
) -> KernelFinding:
    return judged_text(FILE.format(m, n, k, condition, grid), kernel, described)


def judged_text(text: str, kernel: Kernel, described: Description) -> KernelFinding:
    source = read_source(text, Language.CUDA)
    terms = tuple(terms_of(one, described.arguments, {}) for one in source.launches)
    found = KernelFinding("mm", 1, described, right_sizes=(Shape(64, 96, 128), Shape(72, 64, 96)))
    return HostLaunches(terms).beside(found, kernel, is_free=False)


@pytest.mark.parametrize(
    ("kind", "words"), [(FaultKind.WRONG, "the result is wrong"), (FaultKind.PAST_END, "it fails")]
)
def test_that_a_launch_for_a_size_that_a_rule_leaves_out_is_run_there(kind: FaultKind, words: str) -> None:
    kernel = Kernel(kind=kind)
    found = judged(200, 300, 100, kernel)
    assert kernel.run_at == ["200x300x100"]
    assert found.description is not None
    assert found.description.otherwise == f"line 5 launches it for 200x300x100, where {words}: line 9: it is wrong"
    assert found.description.otherwise_remedy is LaunchRemedy.SIZE
    assert found.outcome is AdoptOutcome.RIGHT_IN_ANOTHER_LAUNCH


@pytest.mark.parametrize("slow", [2**30, 2**22])
def test_that_a_size_that_is_too_large_is_tried_as_a_smaller_one_alike(slow: int) -> None:
    size = (1000, 1000, 1009) if slow > 2**22 else (200, 200, 201)
    found = judged(*size, Kernel(slow=slow))
    small = Shape(72, 72, 64 + 16 + size[2] % 16)
    assert found.description is not None
    assert found.description.otherwise == (
        f"line 5 launches it for {Shape(*size)}, and the result is wrong at {small}, which leaves the same "
        "remainders: line 9: it is wrong"
    )


def test_that_a_launch_of_which_one_size_breaks_a_rule_is_run_with_it() -> None:
    file = FILE.replace("int main()", "void run(int M, int N)").replace("const int M = {}, N = {}, K", "const int K")
    found = judged_text(file.format(100, "", GRID), Kernel(), DESCRIPTION)
    assert found.description is not None
    assert found.description.otherwise == (
        "line 5 launches it for K = 100, and the result is wrong at 64x96x100: line 9: it is wrong"
    )
    assert judged_text(file.format(96, "", GRID), Kernel(), DESCRIPTION).description == DESCRIPTION


def test_that_a_launch_for_sizes_that_no_rule_leaves_out_is_as_described() -> None:
    found = judged(200, 300, 104, Kernel())
    assert (found.outcome, found.because) == (AdoptOutcome.VERIFIED, ("the grid: line 5 launches it so",))


def test_that_a_size_that_is_right_in_spite_of_the_rule_is_nothing_against_it() -> None:
    assert judged(200, 300, 100, Kernel(4)).outcome is AdoptOutcome.VERIFIED


def test_that_a_launch_that_its_condition_keeps_from_such_sizes_is_not_held_against_it() -> None:
    kernel = Kernel()
    assert judged(200, 300, 100, kernel, condition="if (K % 8 == 0) ").outcome is AdoptOutcome.VERIFIED
    assert kernel.run_at == []


def test_that_too_large_a_size_that_no_smaller_one_stands_for_leaves_a_doubt() -> None:
    described = replace(DESCRIPTION, rules=(SizeRule("K", most=1024),))
    found = judged(4096, 4096, 4096, Kernel(), described=described)
    assert found.outcome is AdoptOutcome.RIGHT_WITH_DOUBTS
    assert found.left_out == (
        "the launch in line 5 was not compared with the one described here: it is for 4096x4096x4096, which the rules "
        "leave out, and which could not be run",
    )


def test_that_a_smaller_size_leaves_the_same_remainders() -> None:
    described = replace(DESCRIPTION, rules=(SizeRule("M", 32), SizeRule("K", 24)))
    assert smaller_alike(Shape(1000, 90, 4100), described) == Shape(232, 90, 356)
    assert smaller_alike(Shape(60, 60, 60), described) is None
