"""An instance that a switch of its template makes compute something else is not called wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.adopt.description import Description
from gemmviz.adopt.look import look_at
from gemmviz.adopt.outcome import AdoptOutcome
from gemmviz.adopt.prove.host.other_meanings import layout_words, may_mean_otherwise, other_layouts
from gemmviz.adopt.source.kernels import TemplateParameter
from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.terms import Layout

ROWS, COLUMNS = Storage(), Storage(layout=Layout.COLUMN)
DESCRIPTION = Description("mm", (), (), ("A", "B", "C", "N"), (ROWS, COLUMNS, ROWS, ROWS), ("16", "16"), ("N",))
TEMPLATE = [TemplateParameter("T", "type"), TemplateParameter("edge", "number"), TemplateParameter("flag", "bool")]
KERNEL = """struct ByRows { static __device__ int at(int i, int j, int ld) { return i * ld + j; } };
struct ByColumns { static __device__ int at(int i, int j, int ld) { return j * ld + i; } };
template <class LayoutOfA, bool is_clipped, bool is_inside>
__global__ void mm(const float *A, int lda, const float *B, float *C, int M, int N, int K) {
    int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
    if (!is_inside && (row >= M || column >= N)) return;
    float sum = 0;
    for (int k = 0; k < K; k++) sum += A[LayoutOfA::at(row, k, lda)] * B[k * N + column];
    C[row * N + column] = is_clipped && sum < 0 ? 0 : sum;
}
void run(const float *A, const float *B, float *C, int M, int N, int K) {
    dim3 grid((N + 15) / 16, (M + 15) / 16), block(16, 16);
    mm<ByRows, false, false><<<grid, block>>>(A, K, B, C, M, N, K);
LAUNCH
}
"""


@pytest.mark.parametrize(
    ("one", "two", "is_other"),
    [
        (("float", "16", "false"), ("double", "32", "false"), False),
        (("float", "16", "false"), ("float", "16", "true"), True),
        (("float", "16", "false"), ("float", "1", "false"), True),
        (("ByRows", "16", "false"), ("ByColumns", "16", "false"), True),
    ],
)
def test_that_switches_and_classes_may_change_what_is_computed_and_edges_and_types_of_numbers_do_not(
    one: tuple[str, ...], two: tuple[str, ...], *, is_other: bool
) -> None:
    assert may_mean_otherwise(TEMPLATE, one, two) is is_other


def test_that_every_other_layout_is_tried_once_the_nearest_first() -> None:
    found = other_layouts(DESCRIPTION)
    layouts = [tuple(one.storage(name).layout for name in "ABC") for one in found]
    assert len({*layouts}) == len(layouts) == 7
    assert (Layout.ROW, Layout.COLUMN, Layout.ROW) not in layouts
    assert {layout_words(one, DESCRIPTION) for one in found[:3]} == {
        ", with A column-major",
        ", with B row-major",
        ", with C column-major",
    }
    assert layout_words(DESCRIPTION, DESCRIPTION) == ""


def looked_at(launch: str) -> tuple[AdoptOutcome, str, str, str]:
    """The outcome, what is wrong, what is open and what is right of a launch beside one that is right."""
    (found,) = look_at(Path("mm.cu"), KERNEL.replace("LAUNCH", launch), "", 120, lambda _: None).found
    assert found.description is not None, found.reasons
    rights = [one for one in found.notes if one.startswith("right at")]
    return found.outcome, found.description.otherwise, "".join(found.left_out), "".join(rights)


@pytest.mark.usefixtures("nvrtc")
def test_that_a_launch_that_is_right_with_another_layout_is_right_and_told_so() -> None:
    outcome, wrong, _, right = looked_at("mm<ByColumns, false, false><<<grid, block>>>(A, M, B, C, M, N, K);")
    assert (outcome, wrong) == (AdoptOutcome.VERIFIED, "")
    assert right.endswith("as mm<ByColumns, false, false>, too, as line 14 launches it, with A column-major")


@pytest.mark.usefixtures("nvrtc")
def test_that_a_launch_that_computes_something_else_is_a_doubt() -> None:
    outcome, wrong, open_, _ = looked_at("mm<ByRows, true, false><<<grid, block>>>(A, K, B, C, M, N, K);")
    assert (outcome, wrong) == (AdoptOutcome.RIGHT_WITH_DOUBTS, "")
    assert open_.startswith(
        "the launch of mm<ByRows, true, false> in line 14 computes something else than what is described: at "
    )


@pytest.mark.usefixtures("nvrtc")
def test_that_a_switch_with_which_only_some_sizes_are_wrong_is_wrong() -> None:
    outcome, wrong, _, _ = looked_at("mm<ByRows, false, true><<<grid, block>>>(A, K, B, C, M, N, K);")
    assert outcome is AdoptOutcome.RIGHT_IN_ANOTHER_LAUNCH
    assert wrong.startswith("line 14 launches mm<ByRows, false, true> with blocks of 16 × 16 threads")
