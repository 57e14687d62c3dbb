"""What SASS does otherwise than the recorded PTX, in words."""

from __future__ import annotations

import pytest

from gemmviz.domain.recordings.access import Space
from gemmviz.domain.recordings.machine_accesses import (
    AccessSort,
    LineAccesses,
    MachineAccesses,
    MergedRequests,
    SharedMemoryCost,
    WidthCount,
)
from gemmviz.domain.terms import COMPILED_NOTE, CodeForm
from gemmviz.explain.source.machine_words import (
    code_words,
    differences,
    differs_in,
    machine_mark,
    machine_sentences,
    merged_sentences,
)

Pairs = tuple[tuple[int, int], ...]


def made(line: int, ptx: Pairs, sass: Pairs, sort: AccessSort = AccessSort.SHARED_LOADS) -> LineAccesses:
    counted = [tuple(WidthCount(*pair) for pair in pairs) for pairs in (ptx, sass)]
    return LineAccesses(line, sort, counted[0], counted[1])


MERGED = made(30, ((4, 64),), ((16, 16),))
SAME = made(31, ((4, 7),), ((4, 28),))
STORES = tuple(made(line, ((4, 7),), (), AccessSort.SHARED_STORES) for line in (87, 88, 89))
LAST_STORE = made(90, ((4, 7),), ((16, 7),), AccessSort.SHARED_STORES)
COST = MergedRequests((30,), AccessSort.SHARED_LOADS, 512, 2048, 2048, 2048, 4096, 2048)


@pytest.mark.parametrize(
    ("accesses", "mark"),
    [
        ((MERGED,), "SASS: 128-bit"),
        ((made(1, ((4, 32),), ((4, 16), (16, 4))),), "SASS: some 128-bit"),
        ((STORES[0],), "SASS: none here"),
        ((made(1, ((4, 7),), ((4, 5),)),), "SASS: fewer"),
        ((made(1, (), ((4, 5),), AccessSort.LOCAL_STORES),), "SASS: spills"),
        ((STORES[0], MERGED), "SASS: 128-bit"),
        ((SAME,), ""),
        ((), ""),
    ],
)
def test_that_a_line_is_marked_where_machine_code_differs(accesses: tuple[LineAccesses, ...], mark: str) -> None:
    assert machine_mark(accesses) == mark


def test_that_a_line_says_what_both_codes_have_and_what_the_assembler_did() -> None:
    (sentence,) = machine_sentences((MERGED, SAME))
    assert sentence.startswith("The PTX code has 64 shared loads of 32 bits here, the SASS code 16 of 128 bits: ptxas ")
    (sentence,) = machine_sentences((LAST_STORE,))
    assert "also of other lines" in sentence
    (sentence,) = machine_sentences((made(5, ((4, 1), (8, 1)), (), AccessSort.ASYNC_COPIES),))
    assert sentence.startswith(
        "The PTX code has 1 asynchronous copy of 32 bits and 1 of 64 bits here, the SASS code none"
    )


def test_that_a_figure_says_what_it_counts_of_its_own_space_alone() -> None:
    words = code_words((MERGED,), (COST,), Space.SHARED, CodeForm.AS_COMPILED)
    assert "The figures count the PTX." in words
    assert "Derived for SASS: 512 requests, 2 048 wavefronts, 0 of them excess" in words.replace("\u202f", " ")
    assert code_words((MERGED,), (COST,), Space.GLOBAL, CodeForm.AS_COMPILED) == COMPILED_NOTE
    assert "the same widths" in code_words((SAME,), (), Space.SHARED, CodeForm.AS_COMPILED)
    assert code_words((), (), Space.SHARED, CodeForm.AS_COMPILED) == COMPILED_NOTE


def test_that_lines_merged_with_each_other_are_told_together() -> None:
    together = MergedRequests((87, 88, 89, 90), AccessSort.SHARED_STORES, 32, 128, 128, 128, 512, 128)
    (sentence,) = merged_sentences((together,))
    assert sentence.startswith("Derived for SASS of lines 87\N{EN DASH}90 together: 32 requests, 128 wavefronts, 0 of")


def test_that_a_recording_tells_each_sort_with_its_widths_and_lines() -> None:
    machine = MachineAccesses("sm_90a", "NVRTC 13.5", (MERGED, SAME, *STORES, LAST_STORE))
    assert differences(machine.differing) == (
        "shared loads: 32-bit in PTX, 128-bit in SASS (line 30)",
        "shared stores: 32-bit in PTX, 128-bit in SASS (lines 87\N{EN DASH}90)",
    )
    assert differs_in(machine, Space.SHARED)
    assert not differs_in(machine, Space.GLOBAL)
    assert not differs_in(None, Space.SHARED)


def test_that_what_machine_code_adds_is_told_only_where_another_line_lost_it_or_it_is_spilled() -> None:
    added, spilled = made(9, (), ((4, 2),)), made(9, (), ((4, 2),), AccessSort.LOCAL_LOADS)
    assert MachineAccesses("sm_90a", "NVRTC", (MERGED, added)).differing == (MERGED,)
    lost = made(8, ((4, 2),), ())
    assert MachineAccesses("sm_90a", "NVRTC", (lost, added, spilled)).differing == (lost, added, spilled)


def test_that_the_cost_of_a_recording_is_known_only_where_that_of_each_changed_line_is() -> None:
    recorded = SharedMemoryCost(4256, 6784, 2432)
    known = MachineAccesses("sm_90a", "NVRTC", (MERGED, SAME), (COST,))
    assert known.shared_cost(recorded) == SharedMemoryCost(2720, 4736, 384)
    assert MachineAccesses("sm_90a", "NVRTC", (MERGED, *STORES), (COST,)).shared_cost(recorded) is None
    assert MachineAccesses("sm_90a", "NVRTC", (SAME,)).shared_cost(recorded) == recorded
