"""A race that begins at a large size keeps a kernel from being verified, and what was searched is told."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from broken_kernels import SUM, kernel_of

from gemmviz.adopt.finding import AdoptionStep, SearchedSize
from gemmviz.adopt.prove.search_log import SearchLog
from gemmviz.adopt.recordings import large_size_races as module
from gemmviz.adopt.recordings import race_beginnings
from gemmviz.adopt.recordings.large_size_races import FurtherRaces, all_blocks, large_size_races
from gemmviz.adopt.report import searched_words
from gemmviz.domain.kernels.compared_blocks import ComparedBlocks
from gemmviz.domain.shape import Shape

pytestmark = pytest.mark.usefixtures("nvrtc")
RACE = "__shared__ volatile float last; if ({where}) last = acc; C[row * N + col] = acc;"


def quiet(step: AdoptionStep) -> None:
    del step


def allow_time(patch: pytest.MonkeyPatch) -> None:
    """Let all be recorded: the machine may be busy."""
    for limit in ("LARGE_S", "SIZE_S", "ALL_S", "COMPARED_S"):
        patch.setattr(module, limit, 100.0)
    patch.setattr(race_beginnings, "BEGINNING_S", 100.0)


def searched(folder: Path, where: str) -> FurtherRaces:
    body = SUM.replace("C[row * N + col] = acc;", RACE.format(where=where))
    return large_size_races(kernel_of(folder, body), SearchLog(quiet, 400.0))


@pytest.mark.parametrize(
    ("where", "size", "last", "first"),
    [
        ("M > 300", "448x492x19", "300x492x19", "301x492x19"),
        ("K >= 1000", "32x32x1040", "32x32x999", "32x32x1000"),
        ("blockIdx.y >= 200", "4161x19x19", "3200x19x19", "3201x19x19"),
        ("blockIdx.x == 13 && blockIdx.y % 13 == 12", "448x492x19", "192x492x19", "193x492x19"),
        ("blockIdx.x == 45 && blockIdx.y == 5", "97x737x67", "80x737x67", "81x737x67"),
    ],
    ids=("M", "K", "blocks along M", "a block in the middle", "a block of a long row"),
)
def test_that_a_race_that_begins_at_a_large_size_or_in_one_block_is_found(
    tmp_path: Path, where: str, size: str, last: str, first: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    allow_time(monkeypatch)
    found = searched(tmp_path, where)
    assert found.hazards
    assert found.hazards[0].detail.endswith(f"(at {size}; none at {last}, but at {first})")
    assert str(found.searched[-1].shape) == size


@pytest.mark.parametrize(
    ("where", "size", "others"),
    [
        ("K == 96", "37x41x96", "37x41x95 and 37x41x97"),
        ("M == 83 && N == 91", "83x91x67", "82x91x67 and 84x91x67"),
    ],
    ids=("K", "M and N"),
)
def test_that_a_race_at_a_size_that_the_code_names_is_found(
    tmp_path: Path, where: str, size: str, others: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    allow_time(monkeypatch)
    found = searched(tmp_path, where)
    assert found.hazards
    assert found.hazards[0].detail.endswith(f"(at {size}; none at {others}, but at {size})")


def test_that_a_size_that_takes_too_long_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SIZE_S", 0.0)
    found = searched(tmp_path, "M < 0")
    assert (found.hazards, found.searched) == ((), ())
    assert found.unrecorded[0].startswith("not searched for races at 37x41x67, 134x138x226, ")


def test_that_the_first_the_last_and_the_compared_blocks_of_a_grid_come_first() -> None:
    none = ComparedBlocks()
    assert none.few_of((1, 2, 1)) == [(0, 0, 0), (0, 1, 0)]
    blocks = ComparedBlocks((frozenset({7}), frozenset({9}), frozenset())).few_of((31, 28, 9))
    assert blocks[:4] == [(0, 0, 0), (30, 27, 8), (7, 9, 0), (7, 9, 8)]
    assert len(blocks) == 52
    assert {one[0] for one in blocks} == {0, 1, 7, 15, 29, 30}


def test_that_every_block_of_a_grid_follows_once() -> None:
    none = ComparedBlocks()
    blocks = all_blocks((31, 28, 9), none)
    assert blocks[:50] == none.few_of((31, 28, 9))
    assert sorted(blocks) == [*product(range(31), range(28), range(9))]


def test_that_the_words_name_whole_grids_apart_from_a_few_blocks() -> None:
    sizes = [SearchedSize(Shape(140, 132, 72), 81, 81), SearchedSize(Shape(4161, 19, 19), 10, 522)]
    sizes.append(SearchedSize(Shape(32, 32, 4160), 1, 4))
    assert searched_words(sizes) == (
        "races were looked for at 140x132x72, in a few blocks (up to 10) at 4161x19x19, "
        "in the first block at 32x32x4160"
    )
    assert searched_words((*sizes, *sizes)) == searched_words(sizes)
    assert searched_words(()) == ""


def test_that_of_many_sizes_the_words_name_the_largest() -> None:
    sizes = [SearchedSize(Shape(37, 41, k), 9, 9) for k in (*range(1, 12), 4161)]
    assert searched_words(sizes).startswith("races were looked for at 37x41x4161, 37x41x11, 37x41x10, ")
    assert searched_words(sizes).endswith("37x41x4 and 3 more")
