"""A race of a guessed launch is told where no other guess of the kernel's numbers is without it."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.adopt.description import Description
from gemmviz.adopt.prove.search_log import SearchLog
from gemmviz.adopt.prove.searched_kernel import SearchedKernel
from gemmviz.adopt.reasons import FaultKind
from gemmviz.adopt.recordings.guessed_races import GuessedRace, race_of_guesses
from gemmviz.adopt.source.read import read_source
from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.terms import Language

TEXT = """__global__ void mm(const float *A, const float *B, float *C, int M, int N, int K, int other, int inc)
{
    int row = threadIdx.y, col = blockIdx.x;
    for (int k = threadIdx.x; k < K; k += 16) C[ELEMENT] += other * A[row * K + k] * B[k * N + col];
}
"""


def race_in(element: str) -> GuessedRace:
    text = TEXT.replace("ELEMENT", element)
    source = read_source(text, Language.CUDA)
    searched = SearchedKernel(Path("mm.cu"), text, Language.CUDA, source, source.kernels[0])
    row, given = Storage(), ("A", "B", "C", "M", "N", "K", "K", "K")
    guess = Description("mm", (), (), given, (row, row, row, row), block=("16", "16"), grid=("1",))
    return race_of_guesses(searched, [guess], SearchLog(lambda _: None, 90.0))


@pytest.mark.usefixtures("nvrtc")
def test_that_a_race_in_global_memory_that_every_guess_has_is_told() -> None:
    race = race_in("row * N + col")
    assert race.lines == (4,)
    assert race.reason is not None
    assert race.reason.kind is FaultKind.UPDATE_RACE
    assert race.reason.line == 4
    assert race.reason.words.startswith(
        "the kernel races, with blocks of 16 × 16 threads, which gemmviz guessed, and with each of 5 guesses "
        "for other and inc: thread 0 writes C[0,0]"
    )


@pytest.mark.usefixtures("nvrtc")
def test_that_a_race_that_another_guess_is_without_is_not_told() -> None:
    assert race_in("k % 16 * other + row * inc") == GuessedRace()
