"""Races are looked for with every launch in host code, since one that is right may race all the same."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gemmviz.adopt.description import Description
from gemmviz.adopt.finding import KernelFinding
from gemmviz.adopt.host_launch import HostLaunch
from gemmviz.adopt.look import look_at
from gemmviz.adopt.outcome import AdoptOutcome
from gemmviz.adopt.prove.search_log import SearchLog
from gemmviz.adopt.recordings.launch_races import with_races_of_launches
from gemmviz.adopt.words import verdict_words
from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.shape import Shape

# with twice as many blocks along x each element is written twice, with other roundings of the same sum
KERNEL = """TEMPLATE__global__ void twice(const float *A, const float *B, float *C, int M, int N, int K)
{
    int across = (N + 15) / 16;
    int col = blockIdx.x % across * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
    if (threadIdx.x > 15 || col >= N || row >= M) return;
    float sum = 0;
    for (int i = 0, k; i < K; ++i) k = blockIdx.x < across ? i : K - 1 - i, sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum;
}
void run(float *A, float *B, float *C, int M, int N, int K) {
    int x = (N + 15) / 16, y = (M + 15) / 16;
LAUNCHES
}
"""
STORAGE = Storage()
DESCRIPTION = Description(
    "twice",
    (),
    (),
    ("A", "B", "C", "M", "N", "K"),
    (STORAGE, STORAGE, STORAGE, STORAGE),
    ("16", "16"),
    ("ceil_div(N, 16)", "ceil_div(M, 16)"),
)
TWICE = HostLaunch(
    13,
    (),
    (),
    DESCRIPTION.arguments,
    DESCRIPTION.storages,
    ("16", "16"),
    ("2 * ceil_div(N, 16)", "ceil_div(M, 16)"),
    "0",
    (Shape(40, 36, 24),),
)
RACE = "With that launch blocks of the kernel race in line 8"


def text_of(*launches: str, template: str = "") -> str:
    return KERNEL.replace("TEMPLATE", template).replace("LAUNCHES", "\n".join(f"    {one}" for one in launches))


def looked(text: str) -> Description:
    (found,) = look_at(Path("mine.cu"), text, "", 120.0, lambda _: None).found
    assert found.description is not None, found.reasons
    assert found.outcome is AdoptOutcome.RIGHT_IN_ANOTHER_LAUNCH
    return found.description


@pytest.mark.usefixtures("nvrtc")
def test_that_races_are_looked_for_with_every_launch_that_differs() -> None:
    given = "(A, B, C, M, N, K);"
    text = text_of(
        f"twice<<<dim3(x, y), dim3(16, 16)>>>{given}",
        f"twice<<<dim3(x, y), dim3(32, 16)>>>{given}",
        f"twice<<<dim3(2 * x, y), dim3(16, 16)>>>{given}",
    )
    told = looked(text).otherwise
    assert told.startswith("line 14 launches blocks of 16 × 16 threads, a grid of 2 * ceil_div(N, 16) × ")
    assert told.endswith(RACE)


@pytest.mark.usefixtures("nvrtc", "no_further_values")
def test_that_races_are_looked_for_with_other_arguments_of_the_template() -> None:
    given = "(A, B, C, M, N, K);"
    text = text_of(
        f"twice<1><<<dim3(x, y), dim3(16, 16)>>>{given}",
        f"twice<2><<<dim3(2 * x, y), dim3(16, 16)>>>{given}",
        template="template <int copies> ",
    )
    told = looked(text).otherwise
    assert told.startswith("line 13 launches twice<2> with blocks of 16 × 16 threads, a grid of 2 * ceil_div(N, 16)")
    assert told.endswith(RACE)


@pytest.mark.usefixtures("nvrtc")
def test_that_a_race_of_a_launch_is_a_note_where_another_launch_is_wrong() -> None:
    wrong = replace(DESCRIPTION, otherwise="line 12 is wrong", launched=(TWICE, replace(TWICE, line=14)))
    found = KernelFinding("twice", 1, wrong)
    told = with_races_of_launches(found, Path("mine.cu"), text_of(), SearchLog(lambda _: None, 120.0))
    assert told.description is not None
    assert told.description.otherwise == "line 12 is wrong"
    (note,) = told.notes  # of two launches that differ in their lines alone one is told
    assert note.startswith("line 13 launches ")
    assert note.endswith(RACE)


def test_that_launches_with_which_there_was_no_time_to_look_for_races_are_named() -> None:
    found = KernelFinding("twice", 1, replace(DESCRIPTION, launched=(TWICE, replace(TWICE, line=14, block=("8",)))))
    told = with_races_of_launches(found, Path("mine.cu"), text_of(), SearchLog(lambda _: None, 0.0)).description
    assert told is not None
    assert verdict_words(told) == "right, but races were not looked for as lines 13 and 14 launch it"
