"""Another layout of a shared array, on the recorded addresses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from pace import limit_s, own_s
from warp_requests import request_of

from gemmviz.domain.recordings.access import AccessKind, AccessPath, BlockTrace, MappedArray, Space
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.requests.what_if import (
    ArrayRequests,
    NewLayout,
    Swizzle,
    bytes_of,
    effect_of,
    moved,
    requests_on,
    shared_arrays,
    splits_vectors,
)
from gemmviz.explain.requests.what_if_words import NO_REQUESTS, effect_words, misaligned_words
from gemmviz.trace.model.shortcuts import SCRATCH, active_lanes, shared_counts

BASE = 1 << 36
AS_RECORDED = NewLayout()


def array(rows: int = 16, columns: int = 16, nbytes: int = 4) -> MappedArray:
    return MappedArray("As", Space.SHARED, BASE, rows, columns, nbytes)


@pytest.fixture(scope="module")
def runs(recorded: Callable[..., TraceRun]) -> dict[str, TraceRun]:
    return {
        "tiled": recorded("tiled", "32x32x32"),
        "transposed": recorded("tiled_transposed", "32x32x32"),
        "padded": recorded("tiled_padded", "32x32x32"),
        "vectorized": recorded("vectorized", "64x64x16"),
        "naive": recorded("naive", "16x16x16"),
    }


def block_of(run: TraceRun) -> BlockTrace:
    return run.blocks[0].trace(run.sites, run.arrays)


def requests(run: TraceRun, name: str = "As") -> ArrayRequests:
    block = block_of(run)
    return requests_on(block, next(each for each in shared_arrays(block) if each.name == name))


def all_elements(of: MappedArray) -> np.ndarray:
    """Every element of an array, 32 a row."""
    return of.base + of.element_bytes * np.arange(of.rows * of.columns, dtype=np.int64).reshape(-1, 32)


@pytest.mark.parametrize("padding", range(9))
def test_that_padding_moves_each_row_by_so_many_columns_more(padding: int) -> None:
    found = (moved(all_elements(array()), array(), NewLayout(padding), 1) - BASE).reshape(16, 16) // 4
    assert np.array_equal(found, np.arange(16)[:, None] * (16 + padding) + np.arange(16))


@pytest.mark.parametrize(("rows", "columns", "piece"), [(16, 16, 1), (32, 17, 1), (8, 64, 4), (4, 8, 2), (64, 4, 4)])
def test_that_a_swizzle_gives_every_element_a_place_of_its_own_in_its_row(rows: int, columns: int, piece: int) -> None:
    of = array(rows, columns)
    elements = of.base + 4 * np.arange(rows * columns, dtype=np.int64)
    padded = np.append(elements, np.full(-elements.size % 32, -1)).reshape(-1, 32)
    found = ((moved(padded, of, NewLayout(swizzle=Swizzle.COLUMN), piece) - BASE) // 4).reshape(-1)[: elements.size]
    assert sorted(found.tolist()) == list(range(rows * columns))
    assert np.array_equal(found // columns, np.arange(rows * columns) // columns)
    assert np.array_equal(found % piece, np.arange(rows * columns) % columns % piece)


def test_that_bytes_within_an_element_and_lanes_elsewhere_stay_as_they_are() -> None:
    lanes = np.full((1, 32), -1, np.int64)
    lanes[0, :4] = BASE + 64 + 3, BASE - 4, BASE + 1024, BASE + 5
    found = moved(lanes, array(), NewLayout(1, swizzle=Swizzle.COLUMN), 1)
    assert found[0, :4].tolist() == [BASE + 4 * (17 + 1) + 3, BASE - 4, BASE + 1024, BASE + 5]
    assert np.all(found[0, 4:] == -1)


def test_that_the_layout_as_recorded_costs_what_was_recorded(runs: dict[str, TraceRun]) -> None:
    for run in runs.values():
        for each in shared_arrays(block_of(run)):
            found = requests(run, each.name)
            effect = effect_of(found, AS_RECORDED)
            assert effect.before == effect.after >= effect.ideal > 0
            assert effect.bytes_before == effect.bytes_after == each.nbytes
            for site in effect.sites:
                assert (site.before, site.ideal, site.requests) == (
                    run.counts.wavefronts[site.site.index],
                    run.counts.ideal_wavefronts[site.site.index],
                    run.counts.requests[site.site.index],
                )


def test_that_one_column_of_padding_makes_the_padded_kernel_of_the_transposed_one(runs: dict[str, TraceRun]) -> None:
    """The model's claim against a recording: the catalogue has the kernel with the padding written in."""
    modelled = effect_of(requests(runs["transposed"]), NewLayout(padding=1))
    really = effect_of(requests(runs["padded"]), AS_RECORDED)
    assert [site.after for site in modelled.sites] == [site.before for site in really.sites]
    assert modelled.bytes_after == really.bytes_before == 16 * 17 * 4
    assert modelled.after < modelled.before


def test_that_a_swizzle_takes_the_conflicts_from_a_transposed_store(runs: dict[str, TraceRun]) -> None:
    effect = effect_of(requests(runs["transposed"]), NewLayout(swizzle=Swizzle.COLUMN))
    store = next(site for site in effect.sites if site.site.kind is AccessKind.STORE)
    assert store.before == 8 * store.ideal
    assert store.after == store.ideal
    assert effect.bytes_after == effect.bytes_before


@pytest.mark.parametrize(
    "layout", [NewLayout(3), NewLayout(8), NewLayout(0, Swizzle.COLUMN), NewLayout(5, Swizzle.COLUMN)]
)
@pytest.mark.parametrize("name", ["tiled", "vectorized"])
def test_that_the_counts_are_those_of_the_compiled_model(
    runs: dict[str, TraceRun], name: str, layout: NewLayout
) -> None:
    found = requests(runs[name])
    scratch = np.empty(SCRATCH, np.int64)
    for each, effect in zip(found.sites, effect_of(found, layout).sites, strict=True):
        site, there = effect.site, moved(each.requests.addresses, found.array, layout, found.piece)
        is_load = site.kind is AccessKind.LOAD
        rows = map(request_of, there)
        counted = [shared_counts(row, site.width_bytes, is_load, active_lanes(row), scratch) for row in rows]
        assert effect.after == sum(passes for passes, _, _ in counted)


def test_that_vectors_stay_whole_and_rows_that_would_split_them_are_told(runs: dict[str, TraceRun]) -> None:
    found = requests(runs["tiled"])
    assert (found.piece, splits_vectors(found, NewLayout(1))) == (1, False)
    wide = replace(found, piece=4)
    assert [splits_vectors(wide, NewLayout(padding)) for padding in (0, 1, 4, 6)] == [False, True, False, True]
    assert effect_words(effect_of(wide, NewLayout(1)), wide).startswith("As if the kernel ran: all ")
    apart = (wide.array.columns + 1) * 4
    assert misaligned_words(wide, NewLayout(1)) == (
        f"Misaligned 128-bit access: rows of As would be {apart} bytes apart, which is no multiple of 16. The kernel "
        "would stop with an error. Padding of 0, 4 or 8 columns works."
    )
    assert "Added padding of 0, 4" in misaligned_words(replace(wide, source_padding=4), NewLayout(1))
    assert misaligned_words(wide, NewLayout(4)) == misaligned_words(found, NewLayout(1)) == ""


def test_that_only_shared_arrays_with_rows_can_be_laid_out(runs: dict[str, TraceRun]) -> None:
    assert [each.name for each in shared_arrays(block_of(runs["tiled"]))] == ["As", "Bs"]
    assert shared_arrays(block_of(runs["naive"])) == ()
    block = block_of(runs["tiled"])
    flat = replace(block, arrays=tuple(replace(each, rows=1, columns=256) for each in block.arrays))
    assert shared_arrays(flat) == ()


def test_that_what_is_moved_as_a_whole_has_no_wavefronts_to_save(runs: dict[str, TraceRun]) -> None:
    block = block_of(runs["tiled"])
    moved_whole = replace(block, sites=tuple(replace(site, path=AccessPath.COPY_ENGINE) for site in block.sites))
    found = requests_on(moved_whole, shared_arrays(block)[0])
    assert found.requests == 0
    assert effect_words(effect_of(found, NewLayout(1)), found) == NO_REQUESTS


def test_that_a_million_accesses_are_counted_in_a_fifth_of_a_second(runs: dict[str, TraceRun]) -> None:
    found = requests(runs["transposed"])
    times = -(-1_000_000 // (32 * found.requests))
    tiled = [np.tile(each.requests.addresses, (times, 1)) for each in found.sites]
    sites = [
        replace(each, requests=replace(each.requests, addresses=rows))
        for each, rows in zip(found.sites, tiled, strict=True)
    ]
    many = replace(found, sites=tuple(sites))
    assert 32 * many.requests >= 1_000_000
    layout = NewLayout(1, swizzle=Swizzle.COLUMN)
    assert effect_of(many, layout).after == times * effect_of(found, layout).after
    assert min(own_s(lambda: effect_of(many, layout)) for _ in range(3)) < limit_s(0.2)


def test_that_before_and_after_are_told_with_their_evidence(runs: dict[str, TraceRun]) -> None:
    found = requests(runs["transposed"])
    assert effect_words(effect_of(found, NewLayout(padding=1)), found) == (
        "All 272 requests of the block on As: 384 → 288 wavefronts (modelled; 272 would be ideal). "
        "Line 38 store: 128 → 32. Line 45 load: 256 → 256. "
        "As would take 1\N{NARROW NO-BREAK SPACE}088 bytes, not 1\N{NARROW NO-BREAK SPACE}024."
    )
    assert effect_words(effect_of(found, AS_RECORDED), found) == (
        "All 272 requests of the block on As: 384 wavefronts (recorded; 272 would be ideal). "
        "Line 38 store: 128. Line 45 load: 256."
    )


def test_that_of_many_accesses_those_are_named_that_change_most(runs: dict[str, TraceRun]) -> None:
    found = requests(runs["vectorized"])
    effect = effect_of(found, NewLayout(4))
    assert len(effect.sites) == 5
    short, whole = effect_words(effect, found), effect_words(effect, found, most_sites=5)
    assert "2 more accesses." in short
    assert short.count("Line ") == 3
    assert whole.count("Line ") == 5
    named = [site for site in effect.sites if f"Line {site.site.line} " in short]
    assert min(abs(site.after - site.before) for site in named) >= max(
        abs(site.after - site.before) for site in effect.sites if site not in named
    )


@pytest.mark.parametrize(("swizzle", "nbytes"), [(Swizzle.PIECES_64, 64), (Swizzle.PIECES_128, 128)])
def test_that_pieces_of_16_bytes_change_places_within_64_or_128_bytes(swizzle: Swizzle, nbytes: int) -> None:
    of = array(32, 40)
    found = (moved(all_elements(of), of, NewLayout(3, swizzle), 4) - BASE).reshape(-1)
    plain = (moved(all_elements(of), of, NewLayout(3), 4) - BASE).reshape(-1)
    assert len(set(found.tolist())) == 32 * 40
    assert np.array_equal(found // nbytes, plain // nbytes)
    assert np.array_equal(found % 16, plain % 16)
    assert np.array_equal(found // 16 % (nbytes // 16), plain // 16 % (nbytes // 16) ^ plain // 128 % (nbytes // 16))
    assert found.max() < bytes_of(of, NewLayout(3, swizzle))


def test_that_the_128_byte_swizzle_leaves_a_transposed_store_four_words_a_bank(
    recorded: Callable[..., TraceRun],
) -> None:
    """Eight rows of eight pieces: a column of 32 rows comes back to the same bank four times."""
    effect = effect_of(requests(recorded("tiled_transposed", "32x32x32", TILE=32)), NewLayout(0, Swizzle.PIECES_128))
    store = next(site for site in effect.sites if site.site.kind is AccessKind.STORE)
    assert (store.before, store.after, store.ideal) == (1024, 128, 32)


def test_that_swizzled_pieces_take_the_last_64_or_128_bytes_whole() -> None:
    assert bytes_of(array(3, 10), NewLayout(1)) == 132
    assert bytes_of(array(3, 10), NewLayout(1, Swizzle.COLUMN)) == 132
    assert bytes_of(array(3, 10), NewLayout(1, Swizzle.PIECES_128)) == 256
    assert bytes_of(array(3, 10), NewLayout(1, Swizzle.PIECES_64)) == 192
    assert bytes_of(array(16, 16), NewLayout(1, Swizzle.PIECES_64)) == 17 * 64, "whole chunks of 64 bytes already"
    assert bytes_of(array(16, 16), NewLayout(1, Swizzle.PIECES_128)) == 9 * 128


@pytest.mark.parametrize(
    ("kernel", "size", "params", "columns"),
    [
        ("tiled", "32x32x32", {}, {"As": 0, "Bs": 0}),
        ("tiled_padded", "32x32x32", {}, {"As": 1, "Bs": 0}),
        ("tiled_padded", "4x4x4", {}, {"As": 1, "Bs": 0}),  # a guard fills the tile with zeros
        ("warp_tiled", "128x128x16", {}, {"As": 4, "Bs": 0}),
    ],
)
def test_that_the_padding_in_the_source_is_found_in_the_recording(
    recorded: Callable[..., TraceRun], kernel: str, size: str, params: dict[str, int], columns: dict[str, int]
) -> None:
    run = recorded(kernel, size, **params)
    assert {name: requests(run, name).source_padding for name in columns} == columns


def test_that_padding_is_not_guessed_where_lanes_leave_a_part_of_the_tile_out(runs: dict[str, TraceRun]) -> None:
    block = block_of(runs["tiled"])
    addresses = block.addresses.copy()
    of = next(each for each in shared_arrays(block) if each.name == "As")
    column = (addresses - of.base) // of.element_bytes % of.columns
    inside = (addresses >= of.base) & (addresses < of.base + of.nbytes)
    addresses[inside & (column >= of.columns - 4)] = -1  # as where the matrix ends four columns before the tile
    assert requests_on(replace(block, addresses=addresses), of).source_padding is None
