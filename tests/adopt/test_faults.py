"""Of many tries that came to nothing a person is told those that matter, each once."""

from __future__ import annotations

from gemmviz.adopt.propose.geometry import BlockGuess
from gemmviz.adopt.prove.faults import NO_TRY, Tried, TriedFault, reasons_of

GUESS = BlockGuess((32, 8, 1), "0", "constants of its source", {})


def test_that_what_came_farthest_is_told_first_and_equal_reasons_once() -> None:
    faults = [
        TriedFault(0, "past the end of parameter 3, which has 8192 elements", True),
        TriedFault(0, "past the end of parameter 3, which has 16384 elements", True),
        TriedFault(2, "at 64x96x128: 1 of 6144 elements are wrong; C[63,95] was not written", True),
        TriedFault(2, "at 64x768x128: 1 of 49152 elements are wrong; C[63,767] was not written", True),
    ]
    assert reasons_of(faults) == (faults[2].words, faults[0].words)


def test_that_guesses_are_told_only_where_the_launch_was_not_tried() -> None:
    guessed, launched = TriedFault(3, "a guess", False), TriedFault(0, "a launch", True)
    assert reasons_of([guessed, launched]) == ("a launch",)
    assert reasons_of([guessed]) == ("a guess",)


def test_that_a_fault_of_a_guessed_launch_is_not_told_as_the_kernels() -> None:
    words = "line 8: st.shared.f32 at byte 2048"
    assert NO_TRY.said_of(words) == words
    assert Tried(GUESS, is_likely=True).said_of(words) == words
    assert Tried(GUESS, is_likely=False).said_of(words) == (
        "line 8: in a launch that gemmviz guessed, with blocks of 32 x 8 x 1 threads: st.shared.f32 at byte 2048"
    )
