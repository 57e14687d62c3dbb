"""What a person is told to do about the hazards of a kernel whose results are right."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gemmviz.adopt.description import Description, FoundHazard, SizeRule, SweptParameter
from gemmviz.adopt.words import (
    combinations_words,
    hazard_sentences,
    hazards_shown,
    launch_words,
    reach_words,
    remedy_words,
    summary_of,
    verdict_words,
)
from gemmviz.domain.kernels.call import Storage
from gemmviz.domain.recordings.hazard import HazardKind, Mend
from gemmviz.domain.shape import Shape


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (HazardKind.RACE, "Separate the two accesses by a barrier, and look again."),
        (
            HazardKind.BLOCK_RACE,
            "No barrier orders blocks: write to another array, or in a second launch, and look again.",
        ),
        (
            HazardKind.PLAIN_READ,
            "No barrier orders blocks: write to another array, or in a second launch, and look again.",
        ),
        (HazardKind.MISALIGNED, "Correct the line, and look again."),
        (HazardKind.DIVERGENT_BARRIER, "Let every thread of the block reach the barrier, and look again."),
        (HazardKind.UNWRITTEN_READ, "Write it before it is read, and look again."),
    ],
)
def test_that_the_remedy_fits_the_hazard(kind: HazardKind, words: str) -> None:
    storages = (Storage(), Storage(), Storage(), Storage())
    hazards = (FoundHazard(kind, (8,), "a sentence"),)
    assert remedy_words(Description("mm", (), (), ("A", "B", "C"), storages, ("16",), ("1",), hazards=hazards)) == words


def test_that_no_barrier_is_offered_where_two_threads_own_one_element() -> None:
    hazards = (FoundHazard(HazardKind.RACE, (7,), "a sentence", mend=Mend.ONE_WRITER),)
    storages = (Storage(), Storage(), Storage(), Storage())
    found = Description("mm", (), (), ("A", "B", "C"), storages, ("16",), ("1",), hazards=hazards)
    assert remedy_words(found).startswith("No barrier orders two writes of one line: let one thread alone write each")


def test_that_no_barrier_is_offered_between_updates_in_one_line() -> None:
    storages = (Storage(), Storage(), Storage(), Storage())
    found = Description("mm", (), (), ("A", "B", "C"), storages, ("16",), ("1",))
    hazard = FoundHazard(HazardKind.RACE, (7,), "a sentence", mend=Mend.ATOMIC)
    assert remedy_words(replace(found, hazards=(hazard,))).startswith("No barrier orders updates in one line")
    other = FoundHazard(HazardKind.RACE, (7, 9), "a sentence")
    assert remedy_words(replace(found, hazards=(hazard, other))).startswith("Separate the two accesses by a barrier")


def test_that_no_barrier_is_offered_where_blocks_race_as_well() -> None:
    hazards = tuple(FoundHazard(kind, (8,), "a sentence") for kind in (HazardKind.RACE, HazardKind.BLOCK_RACE))
    storages = (Storage(), Storage(), Storage(), Storage())
    found = Description("mm", (), (), ("A", "B", "C"), storages, ("16",), ("1",), hazards=hazards)
    assert remedy_words(found).startswith("No barrier orders blocks")
    update = FoundHazard(HazardKind.BLOCK_RACE, (8,), "a sentence", mend=Mend.ATOMIC)
    assert remedy_words(replace(found, hazards=(update,))) == (
        "No barrier orders blocks: add atomically, or in a second launch, and look again."
    )


def test_that_a_block_is_told_without_axes_of_one_thread() -> None:
    storages = (Storage(), Storage(), Storage(), Storage())
    launched = ("16", "16", "1"), ("1", "ceil_div(M, 16)", "1")
    found = Description("mm", (), (), ("A", "B", "C"), storages, *launched)
    assert launch_words(found) == "blocks of 16 × 16 threads, a grid of 1 × ceil_div(M, 16) blocks"
    assert launch_words(replace(found, block=("1",), grid=("1", "1"))) == "blocks of 1 thread, a grid of 1 block"


def test_that_a_kernel_that_races_is_not_called_right_or_fit_for_sizes() -> None:
    storages = (Storage(), Storage(), Storage(), Storage())
    hazards = (FoundHazard(HazardKind.RACE, (8,), "a sentence"),)
    found = Description("mm", (), (), ("A", "B", "C"), storages, ("16",), ("1",), hazards=hazards)
    assert verdict_words(found).startswith("not verified: the kernel races in line 8; in the runs that were tried")
    assert summary_of(found) == "C = A·B, which sizes it takes is not known, because it races"


def test_that_a_race_between_blocks_is_called_one_in_the_verdict() -> None:
    storage, hazards = Storage(), (FoundHazard(HazardKind.BLOCK_RACE, (4,), "block 0 writes it, too"),)
    storages = (storage, storage, storage, storage)
    found = Description("mm", (), (), ("A", "B", "C"), storages, ("16",), ("1",), hazards=hazards)
    assert verdict_words(found).startswith("not verified: blocks of the kernel race in line 4; in the runs")


def test_that_the_largest_sizes_that_were_right_are_told() -> None:
    one_by_one = (Shape(2048, 24, 64), Shape(24, 2048, 320), Shape(40, 41, 42))
    assert reach_words(one_by_one) == "M and N each up to 2048, K up to 320, together up to 40x41x42"
    assert reach_words((*one_by_one, Shape(2048, 2048, 320))) == "M and N up to 2048, K up to 320"
    assert reach_words(()) == ""


def test_that_the_first_sentence_says_up_to_which_sizes_a_kernel_was_tried() -> None:
    storage, sizes = Storage(), (Shape(2048, 24, 64), Shape(24, 2048, 320))
    found = Description("mm", (), (), ("A", "B", "C"), (storage, storage, storage, storage), ("16",), ("1",))
    reach = "M and N each up to 2048, K up to 320, together up to 24x2048x320"
    assert summary_of(found, sizes) == f"C = A·B, takes every size that was tried, {reach}"
    ruled = replace(found, rules=(SizeRule("K", 16),))
    assert summary_of(ruled, sizes) == f"C = A·B, needs K in multiples of 16, tried with {reach}"


def test_that_places_of_one_kind_of_hazard_are_told_in_one_sentence() -> None:
    races = [FoundHazard(HazardKind.RACE, (8, line), f"thread 0 in line {line}") for line in range(11, 35)]
    other = FoundHazard(HazardKind.MISALIGNED, (9,), "an address")
    assert hazard_sentences([*races[:1], other]) == [
        "race between lines 8 and 11: thread 0 in line 11",
        "misaligned in line 9: an address",
    ]
    assert hazard_sentences([*races, other])[0] == (
        "race between lines 8 and 11, the first of 24 (lines 8 and 12, lines 8 and 13, lines 8 and 14 and 20 more): "
        "thread 0 in line 11"
    )


def test_that_hazards_of_one_line_are_counted_without_naming_it_again() -> None:
    reads = [FoundHazard(HazardKind.UNWRITTEN_READ, (11,), f"thread {one}") for one in (4, 5)]
    assert hazard_sentences(reads) == ["uninitialised read in line 11, the first of 2 there: thread 4"]


def test_that_one_parameter_has_values_and_no_combinations() -> None:
    storages = (Storage(), Storage(), Storage(), Storage())
    settings = ((("TS", 8),), (("TS", 32),))
    found = Description("mm", (), (), ("A", "B", "C"), storages, ("16",), ("1",), settings=settings)
    found = replace(found, parameters=(SweptParameter("TS", (8, 16, 32), 16),))
    assert combinations_words(found) == "right with TS = 8, 16 and 32"


def test_that_a_kernel_that_races_is_not_called_right_where_it_was_wrong_at_some_sizes() -> None:
    hazards = (FoundHazard(HazardKind.RACE, (8,), "a sentence"),)
    storage = Storage()
    racing = Description("mm", (), (), (), (storage, storage, storage, storage), ("16",), ("M",), hazards=hazards)
    assert verdict_words(racing).endswith("its results were right")
    assert verdict_words(replace(racing, is_wrong_at_some=True)).endswith("right at some sizes and wrong at others")


def test_that_a_warp_alone_is_not_told_to_wait_for_the_block() -> None:
    storages = (Storage(), Storage(), Storage(), Storage())
    found = Description("mm", (), (), ("A", "B", "C"), storages, ("16",), ("1",))
    of_warp = FoundHazard(HazardKind.RACE, (14,), "a sentence", is_within_warp=True)
    of_block = FoundHazard(HazardKind.RACE, (9,), "a sentence")
    assert remedy_words(replace(found, hazards=(of_warp,))).startswith(
        "Separate the two accesses by `__syncwarp()`, or"
    )
    assert "__syncwarp" not in remedy_words(replace(found, hazards=(of_warp, of_block)))


def test_that_a_headline_names_the_other_hazards() -> None:
    storages = (Storage(), Storage(), Storage(), Storage())
    lines = ((24, 28), (14,), (14,), (15,))
    hazards = tuple(FoundHazard(HazardKind.UNWRITTEN_READ, one, "a sentence") for one in lines)
    found = Description("mm", (), (), ("A", "B", "C"), storages, ("16",), ("1",), hazards=hazards)
    assert hazards_shown(found).endswith(
        "and there are 3 more hazards (uninitialised read in line 14 and uninitialised read in line 15)"
    )
