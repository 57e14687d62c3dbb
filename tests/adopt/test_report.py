"""What is told of a kernel stands in parts, the same for the command line and the window."""

from __future__ import annotations

from dataclasses import replace

from gemmviz.adopt.description import Description, FoundHazard, SizeRule
from gemmviz.adopt.finding import KernelFinding
from gemmviz.adopt.reasons import Reason
from gemmviz.adopt.report import headline_of, parts_of
from gemmviz.adopt.words import hazard_words
from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.recordings.hazard import HazardKind

FOUND = KernelFinding(
    "mm",
    3,
    Description(
        "mm",
        (),
        (),
        ("A", "B", "C", "M", "N", "K"),
        (Storage(), Storage(), Storage(), Storage()),
        ("16", "16"),
        ("ceil_div(N, 16)", "ceil_div(M, 16)"),
    ),
    notes=("a note",),
    because=("a ground",),
    checks=1,
)


def test_that_parts_without_a_sentence_are_left_out() -> None:
    assert headline_of(FOUND) == "verified: C = A·B, takes every size that was tried"
    told = {part.heading: part.sentences for part in parts_of(FOUND)}
    assert told == {
        "Call": ("mm(A, B, C, M, N, K)",),
        "Launch": ("blocks of 16 × 16 threads, a grid of ceil_div(N, 16) × ceil_div(M, 16) blocks",),
        "Notes": ("a note",),
        "Checks": ("compared with the float64 product at one size on the PTX machine",),
        "Grounds": ("a ground",),
    }


def test_that_a_hazard_is_followed_by_what_to_do_about_it() -> None:
    assert FOUND.description is not None
    hazard = FoundHazard(HazardKind.RACE, (8, 11), "thread 0 and thread 32 meet")
    racing = replace(FOUND, description=replace(FOUND.description, hazards=(hazard,)))
    assert headline_of(racing) == (
        "not verified: the kernel races in lines 8 and 11; in the runs that were tried on the PTX machine its results "
        "were right. It computes C = A·B, which sizes it takes is not known, because it races"
    )
    hazards = next(part.sentences for part in parts_of(racing) if part.heading == "Hazards")
    assert hazards == (
        "race between lines 8 and 11: thread 0 and thread 32 meet",
        "Separate the two accesses by a barrier, and look again.",
    )


def test_that_of_a_kernel_that_was_not_proven_the_reasons_are_told() -> None:
    refused = KernelFinding("mm", 3, None, (Reason("k.cu:3: it adds"),))
    assert headline_of(refused) == "not verified"
    assert [(part.heading, part.sentences) for part in parts_of(refused)] == [("Why", ("k.cu:3: it adds",))]


def test_that_a_multiple_is_told_with_a_size_that_goes_wrong() -> None:
    assert FOUND.description is not None
    of_m = SizeRule("M", 16, example="17x16x16", fault="line 7: past the end of A")
    rules = (of_m, SizeRule("N"), SizeRule("K", 8, example="16x16x12"))
    found = replace(FOUND, description=replace(FOUND.description, rules=rules))
    (checks,) = (part.sentences for part in parts_of(found) if part.heading == "Checks")
    assert checks[1:] == (
        "where M is no such multiple, it is wrong at 17x16x16: line 7: past the end of A; "
        "where K is no such multiple, it is wrong at 16x16x12",
    )


def test_that_two_lines_of_blocks_race_in_them_and_two_of_threads_between_them() -> None:
    said = [hazard_words(FoundHazard(kind, (8, 9), "")) for kind in (HazardKind.BLOCK_RACE, HazardKind.RACE)]
    assert said == ["race between blocks in lines 8 and 9", "race between lines 8 and 9"]
