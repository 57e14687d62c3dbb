"""The sentences about both forms of a kernel."""

from __future__ import annotations

from pathlib import Path

import pytest
from form_kernel import forms_kernel, in_both_forms

from gemmviz.domain.recordings.access import AccessKind, AccessPath, Space
from gemmviz.explain.forms.comparison import AccessGroup, AccessSum, Change, FormChange, compare_forms
from gemmviz.explain.forms.sentences import KEPT, change_sentence, line_sentences, total_sentence

LOADS = AccessGroup(Space.SHARED, AccessKind.LOAD, AccessPath.LOAD_STORE, "As")
STORES = AccessGroup(Space.GLOBAL, AccessKind.STORE, AccessPath.LOAD_STORE, "")


@pytest.mark.usefixtures("nvrtc")
def test_that_a_real_kernel_is_told_line_by_line_and_in_all(tmp_path: Path) -> None:
    found = compare_forms(*in_both_forms(forms_kernel(tmp_path)))
    assert total_sentence(found) == (
        "Per warp, the compiler turned 10 load requests to global memory into 6, 4 load requests to shared memory into "
        "1 and 4 store requests to shared memory into 1."
    )
    assert line_sentences(found) == (
        "Line 14: the compiler merged stores to rows into wider ones: 4 requests per warp as written, 1 as compiled, "
        "for the same bytes.",
        "Line 18: more loads of B: none as written, 1 request per warp as compiled; the compiler makes fewer of them "
        "on lines 20 and 21.",
        "Line 18: the compiler merged loads of rows into wider ones: 4 requests per warp as written, 1 as compiled, "
        "for the same bytes.",
        "Line 20: fewer loads of B: 4 requests per warp as written, none as compiled; the compiler makes more of them "
        "on line 18.",
        "Line 21: fewer loads of B: 1 request per warp as written, none as compiled; the compiler makes more of them "
        "on line 18.",
    )


@pytest.mark.usefixtures("nvrtc")
def test_that_several_warps_are_counted_per_warp_and_uneven_ones_together() -> None:
    dropped = compare_forms(*in_both_forms("global_accumulate", "33x40x17"))
    assert total_sentence(dropped) == "Per warp, the compiler turned 51 load requests to global memory into 34."
    assert line_sentences(dropped) == (
        "Line 35: the compiler dropped loads of C: 17 requests per warp as written, none as compiled.",
    )
    edge = compare_forms(*in_both_forms("global_accumulate", "35x35x5", ((2, 2, 0),)))
    assert line_sentences(edge) == (
        "Line 35: the compiler dropped loads of C: 10 requests as written, none as compiled.",
    ), "2 of the 8 warps have elements of C"
    assert total_sentence(edge).startswith("In all recorded warps together, the compiler turned 30 load requests")
    assert total_sentence(compare_forms(*in_both_forms("naive", "33x40x17"))) == KEPT


@pytest.mark.usefixtures("nvrtc")
def test_that_merged_requests_are_counted_with_the_same_bytes() -> None:
    merged = compare_forms(*in_both_forms("cp_async", "33x40x17"))
    assert " load requests to shared memory into " in total_sentence(merged)
    assert total_sentence(merged).endswith(". They are for the same bytes.")


@pytest.mark.parametrize(
    ("change", "group", "before", "after", "others", "words"),
    [
        (
            Change.SPLIT,
            LOADS,
            (2, 64, 1024),
            (8, 256, 1024),
            (),
            "Line 7: the compiler split loads of As into narrower ones: 1 request per warp as written, 4 as compiled, "
            "for the same bytes.",
        ),
        (
            Change.REGROUPED,
            STORES,
            (4, 64, 256),
            (2, 64, 256),
            (),
            "Line 7: the same stores to global memory with more lanes in each request: 2 requests per warp as written, "
            "1 as compiled.",
        ),
        (
            Change.REGROUPED,
            STORES,
            (2, 64, 256),
            (3, 64, 256),
            (),
            "Line 7: the same stores to global memory with fewer lanes in each request: 2 requests as written, "
            "3 as compiled.",
        ),
        (
            Change.MOVED,
            LOADS,
            (2, 64, 256),
            (0, 0, 0),
            (9, 11),
            "Line 7: the compiler moved loads of As to lines 9 and 11: 1 request per warp as written, none as compiled "
            "here.",
        ),
        (
            Change.MOVED,
            LOADS,
            (0, 0, 0),
            (2, 64, 256),
            (0, 9),
            "Line 7: the compiler moved loads of As here from line 9 and code without a line: none as written, "
            "1 request per warp as compiled.",
        ),
        (
            Change.DROPPED,
            LOADS,
            (8, 256, 1024),
            (1, 32, 512),
            (),
            "Line 7: the compiler dropped loads of As and merged others into wider ones: 8 requests as written, "
            "1 as compiled.",
        ),
        (
            Change.DROPPED,
            LOADS,
            (2, 64, 256),
            (2, 60, 240),
            (),
            "Line 7: the compiler dropped loads of As: 64 lane accesses as written, 60 as compiled.",
        ),
        (
            Change.ADDED,
            STORES,
            (0, 0, 0),
            (1, 32, 128),
            (),
            "Line 7: the compiler added stores to global memory: none as written, 1 request as compiled.",
        ),
    ],
)
def test_that_each_change_has_its_sentence(
    change: Change,
    group: AccessGroup,
    before: tuple[int, int, int],
    after: tuple[int, int, int],
    others: tuple[int, ...],
    words: str,
) -> None:
    told = FormChange(7, group, change, AccessSum(*before), AccessSum(*after), others)
    assert change_sentence(told, warps=2) == words


def test_that_code_without_a_line_and_other_units_have_names() -> None:
    copies = AccessGroup(Space.GLOBAL, AccessKind.LOAD, AccessPath.ASYNC_COPY, "A")
    told = FormChange(0, copies, Change.DROPPED, AccessSum(2, 64, 256), AccessSum())
    assert change_sentence(told, 1) == (
        "Code without a line: the compiler dropped asynchronous copies of A: 2 requests per warp as written, "
        "none as compiled."
    )
    updates = AccessGroup(Space.GLOBAL, AccessKind.STORE, AccessPath.ATOMIC, "C")
    told = FormChange(3, updates, Change.KEPT, AccessSum(2, 64, 256), AccessSum(2, 64, 256))
    assert change_sentence(told, 1) == "Line 3: the compiler kept the atomic updates of C."
    tile = AccessGroup(Space.SHARED, AccessKind.LOAD, AccessPath.WARP_TILE, "As")
    assert "tile loads of As" in change_sentence(FormChange(3, tile, Change.ADDED, AccessSum(), AccessSum(1, 1, 1)), 1)
