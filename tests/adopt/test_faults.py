"""Of many tries that came to nothing a person is told those that matter, each once."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.adopt.propose.geometry import BlockGuess
from gemmviz.adopt.prove.faults import (
    NO_TRY,
    OF_RULES,
    OF_RUNS,
    Tried,
    TriedFault,
    guessed_grid,
    is_hopeless,
    reasons_of,
)
from gemmviz.adopt.reasons import FaultKind, Reason, explained

GUESS = BlockGuess((32, 8, 1), "0", "constants of its source", {})


def test_that_what_came_farthest_is_told_first_and_equal_reasons_once() -> None:
    faults = [
        TriedFault(0, Reason("past the end of parameter 3, which has 8192 elements", FaultKind.PAST_END, line=8), True),
        TriedFault(
            0, Reason("past the end of parameter 3, which has 16384 elements", FaultKind.PAST_END, line=8), True
        ),
        TriedFault(
            2, Reason("at 64x96x128: 1 of 6144 elements are wrong; C[63,95] was not written", FaultKind.LEFT_OUT), True
        ),
        TriedFault(
            2,
            Reason("at 64x768x128: 1 of 49152 elements are wrong; C[63,767] was not written", FaultKind.LEFT_OUT),
            True,
        ),
    ]
    assert reasons_of(faults) == (faults[2].reason, faults[0].reason)


def test_that_guesses_are_told_only_where_the_launch_was_not_tried() -> None:
    guessed, launched = TriedFault(3, Reason("a guess"), False), TriedFault(0, Reason("a launch"), True)
    assert reasons_of([guessed, launched]) == (Reason("a launch"),)
    assert reasons_of([guessed]) == (Reason("a guess"),)


def test_that_a_fault_of_a_guessed_launch_is_not_told_as_the_kernels() -> None:
    fault = Reason("st.shared.f32 at byte 2048", FaultKind.TOO_LITTLE_SHARED, line=8)
    assert NO_TRY.said_of(fault) == fault
    assert Tried(GUESS, is_likely=True).said_of(fault) == fault
    assert Tried(GUESS, is_likely=False).said_of(fault) == Reason(
        "in a launch that gemmviz guessed, with blocks of 32 × 8 threads: st.shared.f32 at byte 2048",
        FaultKind.TOO_LITTLE_SHARED,
        is_guessed=True,
        line=8,
    )


def test_that_a_wrong_block_is_no_reason_where_threads_are_apart_and_all_elements_were_written() -> None:
    apart = Tried(GUESS, is_likely=False, are_threads_apart=True)
    wrong = Reason("1 of 6144 elements are wrong; C[0,0] is 1, which was not written")
    left_out = Reason("1 of 9 elements are wrong; C[0,0] was not written", FaultKind.LEFT_OUT)
    assert apart.said_of(wrong) == wrong
    assert apart.said_of(left_out).words.startswith("in a launch that gemmviz guessed, with blocks of 32 × 8 threads: ")


def test_that_of_guesses_one_reason_is_told_and_rather_not_that_of_a_wrong_block() -> None:
    faults = [
        TriedFault(1, Reason("what one block wrote is no part of a product"), False),
        TriedFault(3, Reason("6 of 9 elements are wrong; C[0,0] was not written", FaultKind.LEFT_OUT), False),
        TriedFault(3, Reason("past the end of A"), False),
    ]
    assert reasons_of(faults) == (Reason("past the end of A"),)


@pytest.mark.parametrize("is_likely", [False, True])
def test_that_a_run_which_changed_nothing_is_told_after_those_which_did(is_likely: bool) -> None:
    nothing = TriedFault(OF_RUNS, Reason("nothing was written", FaultKind.NOTHING_CHANGED), is_likely)
    wrong = TriedFault(OF_RUNS, Reason("something else was written", FaultKind.NO_PART), is_likely)
    assert reasons_of([nothing, wrong])[0] == wrong.reason
    assert reasons_of([nothing]) == (nothing.reason,)
    told = explained(reasons_of([wrong])[0], Path("mm.cu"), 3, "mm.cu").words
    assert told.startswith(f"mm.cu:3: {wrong.reason.words}; it was compared with alpha·A·B + beta·C")
    assert told.endswith("gemmviz describes no other kernels")


def test_that_reasons_that_name_another_parameter_are_one() -> None:
    unclear = [
        TriedFault(2, Reason(f"they do not show what {name} stands for", FaultKind.UNCLEAR), True)
        for name in ("lda", "m")
    ]
    assert reasons_of(unclear) == (unclear[0].reason,)


def test_that_more_time_is_not_asked_for_where_it_would_not_help() -> None:
    endless = TriedFault(OF_RUNS, Reason("a loop: nothing changes any more", FaultKind.ENDLESS, line=3), True)
    assert is_hopeless([endless])
    assert is_hopeless(
        [TriedFault(OF_RUNS, Reason("it wrote nothing"), True), TriedFault(OF_RULES, Reason("no rule"), True)]
    )
    assert not is_hopeless([endless, TriedFault(OF_RUNS, Reason("it wrote nothing"), True)])
    assert not is_hopeless([])


def test_that_more_time_is_not_asked_for_where_no_other_block_would_help() -> None:
    assert is_hopeless([TriedFault(OF_RUNS, Reason("alpha does not act as such"), True, is_of_block=False)])


def test_that_a_guessed_grid_is_named_beside_one_of_the_host_code_that_grows() -> None:
    launched, guess = ("ceil_div(N, 16) * M",), ("ceil_div(N, 16)",)
    assert guessed_grid(guess, launched) == "in a launch that gemmviz guessed, with a grid of ceil_div(N, 16) blocks, "
    assert guessed_grid(launched, launched) == guessed_grid(guess, ()) == guessed_grid(guess, ("",)) == ""
    assert guessed_grid(guess, ("4",)) == ""


WORDS = "it is past the end of A, outside every array, and did not end within 3 s: the kernel races, n is undefined"


@pytest.mark.parametrize(
    ("kind", "remedy"),
    [
        (FaultKind.OTHER, ""),
        (FaultKind.PAST_END, ""),
        (FaultKind.NO_TIME, "; allow more time"),
        (FaultKind.TOO_SLOW, "; it may loop forever"),
        (FaultKind.MISSING_FILE, "; put the missing files beside it"),
        (FaultKind.UNDEFINED, "; define it in the file"),
        (FaultKind.NOT_COMPILED, "; correct that line"),
        (FaultKind.RACE, "; separate the two accesses by a barrier"),
        (FaultKind.BLOCKS_RACE, "; no barrier orders blocks"),
        (FaultKind.MISSING_FENCE, "; add it, and look again"),
        (FaultKind.TWO_WRITERS, "; no barrier orders two writes of one line"),
        (FaultKind.UPDATE_RACE, "; add atomically"),
        (FaultKind.UNINITIALISED, "; write it before it is read"),
        (FaultKind.TOO_LITTLE_SHARED, "; its arrays there"),
        (FaultKind.FAR_PAST_END, "; it was given the matrices of a product"),
        (FaultKind.OUTSIDE, "; it was given the matrices of a product"),
    ],
)
@pytest.mark.parametrize("is_guessed", [False, True])
def test_that_a_remedy_follows_from_the_kind_of_a_reason_whatever_its_words(
    kind: FaultKind, remedy: str, is_guessed: bool
) -> None:
    told = explained(Reason(WORDS, kind, is_guessed), Path("mm.cu"), 3, "mm.cu")
    assert told.kind is kind
    assert told.words.startswith(f"mm.cu:3: {WORDS}{remedy}")
    assert told.words.endswith("or `block` into mm.cu.toml") == is_guessed
    assert (told.words == f"mm.cu:3: {WORDS}") == (not remedy and not is_guessed)
