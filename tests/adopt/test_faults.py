"""Of many tries that came to nothing a person is told those that matter, each once."""

from __future__ import annotations

import pytest

from gemmviz.adopt.propose.geometry import BlockGuess
from gemmviz.adopt.prove.faults import (
    NO_TRY,
    OF_RULES,
    OF_RUNS,
    FaultKind,
    Reason,
    Tried,
    TriedFault,
    guessed_grid,
    is_hopeless,
    reasons_of,
)

GUESS = BlockGuess((32, 8, 1), "0", "constants of its source", {})


def test_that_what_came_farthest_is_told_first_and_equal_reasons_once() -> None:
    faults = [
        TriedFault(0, "past the end of parameter 3, which has 8192 elements", True),
        TriedFault(0, "past the end of parameter 3, which has 16384 elements", True),
        TriedFault(2, "at 64x96x128: 1 of 6144 elements are wrong; C[63,95] was not written", True),
        TriedFault(2, "at 64x768x128: 1 of 49152 elements are wrong; C[63,767] was not written", True),
    ]
    assert reasons_of(faults) == (Reason(faults[2].words), Reason(faults[0].words))


def test_that_guesses_are_told_only_where_the_launch_was_not_tried() -> None:
    guessed, launched = TriedFault(3, "a guess", False), TriedFault(0, "a launch", True)
    assert reasons_of([guessed, launched]) == (Reason("a launch"),)
    assert reasons_of([guessed]) == (Reason("a guess"),)


def test_that_a_fault_of_a_guessed_launch_is_not_told_as_the_kernels() -> None:
    words = "line 8: st.shared.f32 at byte 2048"
    assert NO_TRY.said_of(words) == words
    assert Tried(GUESS, is_likely=True).said_of(words) == words
    assert Tried(GUESS, is_likely=False).said_of(words) == (
        "line 8: in a launch that gemmviz guessed, with blocks of 32 × 8 × 1 threads: st.shared.f32 at byte 2048"
    )


def test_that_a_wrong_block_is_no_reason_where_threads_are_apart_and_all_elements_were_written() -> None:
    apart = Tried(GUESS, is_likely=False, are_threads_apart=True)
    wrong, left_out = (
        "1 of 6144 elements are wrong; C[0,0] is 1, not 2",
        "1 of 9 elements are wrong; C[0,0] was not written",
    )
    assert apart.said_of(wrong) == wrong
    assert apart.said_of(left_out).startswith("in a launch that gemmviz guessed, with blocks of 32 × 8 × 1 threads: ")


def test_that_of_guesses_one_reason_is_told_and_rather_not_that_of_a_wrong_block() -> None:
    faults = [
        TriedFault(1, "what one block wrote is no part of a product", False),
        TriedFault(3, "6 of 9 elements are wrong; C[0,0] was not written", False),
        TriedFault(3, "past the end of A", False),
    ]
    assert reasons_of(faults) == (Reason("past the end of A"),)


@pytest.mark.parametrize("is_likely", [False, True])
def test_that_a_run_which_changed_nothing_is_told_after_those_which_did(is_likely: bool) -> None:
    nothing = TriedFault(OF_RUNS, "nothing was written", is_likely, kind=FaultKind.NOTHING_CHANGED)
    wrong = TriedFault(OF_RUNS, "something else was written", is_likely, kind=FaultKind.NO_PART)
    assert reasons_of([nothing, wrong])[0] == Reason(wrong.words, FaultKind.NO_PART)
    assert reasons_of([nothing]) == (Reason(nothing.words, FaultKind.NOTHING_CHANGED),)
    assert wrong.words in reasons_of([wrong])[0].told
    assert "gemmviz describes no other kernels" in reasons_of([wrong])[0].told


def test_that_reasons_that_name_another_parameter_are_one() -> None:
    unclear = [TriedFault(2, f"they do not show what {name} stands for", True) for name in ("lda", "m")]
    assert reasons_of(unclear) == (Reason(unclear[0].words),)


def test_that_more_time_is_not_asked_for_where_it_would_not_help() -> None:
    endless = TriedFault(OF_RUNS, "line 3: a loop that never ends: nothing changes any more", True)
    assert is_hopeless([endless])
    assert is_hopeless([TriedFault(OF_RUNS, "it wrote nothing", True), TriedFault(OF_RULES, "no rule", True)])
    assert not is_hopeless([endless, TriedFault(OF_RUNS, "it wrote nothing", True)])
    assert not is_hopeless([])


def test_that_more_time_is_not_asked_for_where_no_other_block_would_help() -> None:
    assert is_hopeless([TriedFault(OF_RUNS, "alpha does not act as such", True, is_of_block=False)])


def test_that_a_guessed_grid_is_named_beside_one_of_the_host_code_that_grows() -> None:
    launched, guess = ("ceil_div(N, 16) * M",), ("ceil_div(N, 16)",)
    assert guessed_grid(guess, launched) == "in a launch that gemmviz guessed, with a grid of ceil_div(N, 16) blocks, "
    assert guessed_grid(launched, launched) == guessed_grid(guess, ()) == guessed_grid(guess, ("",)) == ""
    assert guessed_grid(guess, ("4",)) == ""
