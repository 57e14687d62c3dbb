"""Every instance of a template that host code launches is tried in that launch, and a wrong one is named."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gemmviz.adopt.description import Description
from gemmviz.adopt.finding import KernelFinding
from gemmviz.adopt.look import look_at
from gemmviz.adopt.outcome import AdoptOutcome
from gemmviz.adopt.prove.host.instance_judgement import InstanceJudgement, UnprovenLaunch, with_other_instances
from gemmviz.adopt.source.launches import FoundLaunch
from gemmviz.adopt.words import verdict_words
from gemmviz.domain.kernels.call import Storage

# the name of the edge is no parameter's, so that no further values are tried
KERNEL = """template <typename T, int edge, bool is_inside>
__global__ void mm(const T *A, const T *B, T *C, int M, int N, int K) {
    int row = blockIdx.y * edge + threadIdx.y, column = blockIdx.x * edge + threadIdx.x;
    if (!is_inside && (row >= M || column >= N)) return;
    T sum = 0;
    for (int k = edge == 4 ? 1 : 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
    C[row * N + column] = sum;
}
template <typename T>
void run(const T *A, const T *B, T *C, int M, int N, int K, int pitch) {
LAUNCHES
}
template void run<float>(const float *, const float *, float *, int, int, int, int);
"""
GRID = "dim3((N + {0} - 1) / {0}, (M + {0} - 1) / {0}), dim3({0}, {0})"
STORAGE = Storage()
DESCRIPTION = Description(
    "mm", ("16",), (), ("A", "B", "C", "N"), (STORAGE, STORAGE, STORAGE, STORAGE), ("16", "16"), ("N",)
)


def launch(template: str, edge: int, before: str = "") -> str:
    return f"    {before}mm<{template}><<<{GRID.format(edge)}>>>(A, B, C, M, N, K);"


def look(*launches: str) -> KernelFinding:
    text = KERNEL.replace("LAUNCHES", "\n".join(launches))
    (found,) = look_at(Path("mm.cu"), text, "", 120, lambda _: None).found
    assert found.description is not None, found.reasons
    return found


@pytest.mark.usefixtures("nvrtc")
def test_that_each_instance_is_tried_as_its_line_launches_it() -> None:
    found = look(
        launch("float, 16, false", 16),
        launch("double, 8, false", 8),
        launch("float, 8, true", 8, "if (M % 8 == 0 && N % 8 == 0) "),
        launch("float, 2, false", 8),
        launch("float, 4, false", 4),
        launch("float, 32, false", 16, "if (pitch(N)) "),
    )
    assert found.description is not None
    rights = [one for one in found.notes if one.startswith("right at")]
    assert [one.partition(" as ")[2] for one in rights] == [
        "mm<double, 8, false>, too, as line 12 launches it",
        "mm<float, 8, true>, too, as line 13 launches it",
    ]
    # with a grid for edges of 8 a block of 8 × 8 threads writes over edges of 2, and leaves the rest
    assert found.description.otherwise.startswith(
        "line 14 launches mm<float, 2, false> with blocks of 8 × 8 threads and a grid of ceil_div(N, 8) × "
        "ceil_div(M, 8) blocks. With that launch the result is wrong at "
    )
    assert any(
        one.startswith("line 15 launches mm<float, 4, false> ") and "the result is wrong at" in one
        for one in found.notes
    )
    assert found.outcome is AdoptOutcome.RIGHT_IN_ANOTHER_LAUNCH
    (left_out,) = found.left_out
    assert left_out.startswith("the launch in line 16 was not compared with the one described here: it stands under a")


@pytest.mark.usefixtures("nvrtc")
def test_that_an_instance_for_other_sizes_is_tried_at_those() -> None:
    found = look(
        launch("float, 16, true", 16, "if (M % 16 == 0 && N % 16 == 0) "),
        launch("float, 16, false", 16, "else "),
    )
    assert (found.outcome, found.left_out) == (AdoptOutcome.VERIFIED, ())
    assert found.description is not None
    assert [one.line for one in found.description.launched] == [12]
    assert any("as mm<float, 16, false>, too, as line 12 launches it" in one for one in found.notes)


@pytest.mark.usefixtures("nvrtc")
def test_that_a_block_that_only_the_caller_knows_is_that_of_the_template() -> None:
    grid = "dim3((N + pitch - 1) / pitch, (M + pitch - 1) / pitch), dim3(pitch, pitch)"
    lines = [f"    mm<float, {edge}, false><<<{grid}>>>(A, B, C, M, N, K);" for edge in (16, 4)]
    found = look(f"    if (pitch == 16)\n{lines[0]}\n    else\n{lines[1]}")
    assert found.description is not None
    assert found.description.otherwise.startswith("line 14 launches mm<float, 4, false> with blocks of 4 × 4 threads")


def test_that_a_kernel_with_a_launch_that_was_not_tried_is_not_verified() -> None:
    found = KernelFinding("mm", 1, DESCRIPTION)
    lines = [FoundLaunch("mm", line, "run", ("32",), (), (), "0", ()) for line in (9, 12)]
    judged = [InstanceJudgement(one, "mm<32>", untried="within the time limit") for one in lines]
    told = with_other_instances(found, judged, [])
    assert told.left_out == (
        "the launch of mm<32> in line 9 was not tried within the time limit",
        "the launch of mm<32> in line 12 was not tried within the time limit",
    )
    assert told.description is not None
    assert (told.is_verified, verdict_words(told.description)) == (
        False,
        "right, but the launches in lines 9 and 12 were not tried",
    )


def test_that_what_a_launch_was_seen_to_do_is_told_in_the_place_of_why_it_proved_nothing() -> None:
    found = KernelFinding("mm", 1, DESCRIPTION)
    line = FoundLaunch("mm", 9, "run", ("32",), (), (), "0", ())
    unproven = [
        UnprovenLaunch(9, "line 9 launches mm<32>. It was not proven right", "mm<32>"),
        UnprovenLaunch(7, "line 7 launches mm<8>", "mm<8>"),
    ]
    wrong = InstanceJudgement(line, "mm<32>", wrong="line 9 is wrong at 5x5x5")

    def otherwise(judgement: InstanceJudgement) -> list[str]:
        told = with_other_instances(found, [judgement], unproven)
        assert told.description is not None
        return [told.description.otherwise, *told.notes]

    assert otherwise(wrong) == ["line 9 is wrong at 5x5x5", "line 7 launches mm<8>"]
    assert otherwise(replace(wrong, wrong="", not_compared="why")) == [
        "line 9 launches mm<32>. It was not proven right"
    ]
    assert otherwise(replace(wrong, wrong="", right=2))[0] == "line 7 launches mm<8>"


def test_that_of_several_launches_in_a_line_the_one_with_the_same_arguments_is_meant() -> None:
    found = KernelFinding("mm", 1, DESCRIPTION)
    line = FoundLaunch("mm", 9, "run", ("32",), (), (), "0", ())
    judged = [InstanceJudgement(line, "mm<32>", right=2), InstanceJudgement(line, "mm<8>", untried="in time")]
    for name, otherwise in (("mm<32>", ""), ("mm<8>", "why, beside mm<32> in line 9")):
        told = with_other_instances(found, judged, [UnprovenLaunch(9, "why, beside mm<32> in line 9", name)])
        assert told.description is not None
        assert told.description.otherwise == otherwise
