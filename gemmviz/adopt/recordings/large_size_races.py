"""The races of a described kernel at large sizes: those at which the referee looks for them, too."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import product

from gemmviz.adopt.description import FoundHazard
from gemmviz.adopt.finding import SearchedSize
from gemmviz.adopt.prove.search_log import SearchLog
from gemmviz.adopt.recordings.race_beginnings import beginning_of, claims_of
from gemmviz.adopt.recordings.timed_recording import (
    NOT_RECORDED,
    NotInTimeError,
    TimedRecording,
    record_in_time,
    why_not,
)
from gemmviz.backends.machine.compared_values import blocks_compared_by, sizes_compared_by
from gemmviz.catalogue.claims.claims import Claims, NoSizeError
from gemmviz.catalogue.claims.compared_sizes import claimed_compared_sizes
from gemmviz.catalogue.claims.fault_beginnings import Choice
from gemmviz.catalogue.claims.large_sizes import large_sizes, long_sums
from gemmviz.catalogue.claims.recorded_size import recorded_size
from gemmviz.catalogue.claims.singled_out import singled_out_first
from gemmviz.catalogue.claims.size_of_blocks import sizes_of_blocks
from gemmviz.catalogue.kernel import Kernel
from gemmviz.domain.kernels.compared_blocks import Block, ComparedBlocks
from gemmviz.domain.listing import listed
from gemmviz.domain.shape import Shape

LARGE_S, SIZE_S, ALL_S = 15.0, 5.0, 20.0
"""For a few blocks at all large sizes of a kernel, at one of them, and for all blocks there: nearly always these take
less than 3 s, those of all sizes 8 s.
"""
COMPARED_S = 10.0
"""For a few blocks at all sizes that the kernel compares its own with, of which nearly every one takes 0.1 s."""
_LONG = 2048
"""Of sums: from here on the first block alone is recorded."""
_STRIDES = (97, 89, 83, 79, 73, 71)
"""Primes between the places of blocks that are recorded one after the other."""


@dataclass(frozen=True, slots=True)
class FurtherRaces:
    """What is wrong in further recordings, the sizes at which they were made, and what was not recorded."""

    hazards: tuple[FoundHazard, ...] = ()
    searched: tuple[SearchedSize, ...] = ()
    unrecorded: tuple[str, ...] = ()

    def and_then(self, other: FurtherRaces) -> FurtherRaces:
        """The two, one behind the other."""
        return FurtherRaces(
            (*self.hazards, *other.hazards), (*self.searched, *other.searched), (*self.unrecorded, *other.unrecorded)
        )


def large_size_races(kernel: Kernel, log: SearchLog) -> FurtherRaces:
    """What is wrong at the small size and the large ones that the referee records, up to the first of these at which
    something is: as compiled a few blocks of each grid, within LARGE_S seconds, and of long sums, from short to long,
    the first one, then all blocks of the grids within ALL_S. Where the kernel compares its block with one that none of
    these grids has, a few blocks of a grid that has it are recorded before the long sums. Where nothing is wrong by
    then, those of the sizes that it compares its own with are, within COMPARED_S.
    """
    claims = claims_of(kernel)
    try:
        sizes = [one for one in (recorded_size(claims), *large_sizes(claims)) if one.k < _LONG]
        sums = [*reversed(long_sums(claims, max(one.k for one in sizes)))] if sizes else []
    except NoSizeError:  # those that its constants have were recorded
        return FurtherRaces()
    compared = blocks_compared_by(kernel, claims.params, claims.home)
    apart = sizes_of_blocks(claims, compared, sizes)
    end, found, late = log.now() + LARGE_S, FurtherRaces(), list[str]()
    for size in (*sizes, *apart, *sums):
        left_s = min(end - log.now(), SIZE_S)
        try:
            if min(left_s, log.left_s) <= 0:
                raise NotInTimeError
            one = record_in_time(
                kernel, size, log, first_block_alone=size in sums, choose=compared.few_of, within_s=left_s
            )
        except NotInTimeError:
            late.append(str(size))
            continue
        except NOT_RECORDED as error:
            found = found.and_then(
                FurtherRaces(unrecorded=(f"not searched for races at {size}: {why_not(kernel, error)}",))
            )
            continue
        found = found.and_then(_of_one(one, size))
        if found.hazards:
            return _with_beginning(found, claims, size, log, compared.few_of, first_block_alone=size in sums)
    if late:
        why = f"a recording would have taken longer than {SIZE_S:g} s" if log.left_s else log.late_words
        found = found.and_then(FurtherRaces(unrecorded=(f"not searched for races at {listed(late)}: {why}",)))
    treated_apart = claimed_compared_sizes(claims, sizes_compared_by(kernel, claims.params, claims.home))
    known = {one.shape for one in found.searched}
    found = found.and_then(
        _at_compared_sizes(claims, [one for one in singled_out_first(treated_apart) if one not in known], compared, log)
    )
    if found.hazards:
        return found
    return _in_all_blocks(claims, [one.shape for one in found.searched if one.shape in sizes], compared, log, found)


def _at_compared_sizes(
    claims: Claims, sizes: Sequence[Shape], compared: ComparedBlocks, log: SearchLog
) -> FurtherRaces:
    """What is wrong in a few blocks at the sizes that a kernel compares its own with, up to the first at which
    something is, as far as COMPARED_S suffice.
    """
    found, late, why, end = FurtherRaces(), 0, "", log.now() + COMPARED_S
    for size in sizes:
        left_s, is_long = min(end - log.now(), SIZE_S), size.k >= _LONG
        try:
            if min(left_s, log.left_s) <= 0:
                raise NotInTimeError(
                    f"{COMPARED_S:g} s did not suffice for all of them" if log.left_s else log.late_words
                )
            one = record_in_time(
                claims.kernel, size, log, first_block_alone=is_long, choose=compared.few_of, within_s=left_s
            )
        except NOT_RECORDED as error:
            late, why = late + 1, why_not(claims.kernel, error)
            continue
        found = found.and_then(_of_one(one, size))
        if found.hazards:
            return _with_beginning(found, claims, size, log, compared.few_of, first_block_alone=is_long)
    if not late:
        return found
    words = f"not searched for races at {late} of {len(sizes)} sizes that the code compares its own with: {why}"
    return found.and_then(FurtherRaces(unrecorded=(words,)))


def _in_all_blocks(
    claims: Claims, sizes: Sequence[Shape], compared: ComparedBlocks, log: SearchLog, found: FurtherRaces
) -> FurtherRaces:
    """What was `found` in a few blocks, and what is wrong in the others at these sizes, as far as ALL_S suffice."""
    kernel, end = claims.kernel, log.now() + ALL_S
    for size in sizes:
        few = next(one for one in found.searched if one.shape == size)
        left_s = end - log.now()
        if few.is_whole or min(left_s, log.left_s) <= 0:
            continue
        choose = partial(all_blocks, compared=compared)
        with suppress(*NOT_RECORDED):
            one = record_in_time(kernel, size, log, first_block_alone=False, choose=choose, within_s=left_s)
            if one.blocks > few.blocks:
                searched = tuple(one for one in found.searched if one != few)
                found = replace(found, searched=searched).and_then(_of_one(one, size))
            if found.hazards:
                return _with_beginning(found, claims, size, log, choose, first_block_alone=False)
    return found


def _with_beginning(
    found: FurtherRaces, claims: Claims, size: Shape, log: SearchLog, choose: Choice, *, first_block_alone: bool
) -> FurtherRaces:
    """What was found at a size, each with where the gravest of it begins, as far as there is time."""
    kind = found.hazards[0].kind
    words = beginning_of(kind, claims, size, log, (choose,), first_block_alone=first_block_alone)
    if not words:
        return found
    told = (f"{one.detail.removesuffix(')')}; {words})" if one.kind is kind else one.detail for one in found.hazards)
    hazards = (replace(one, detail=detail) for one, detail in zip(found.hazards, told, strict=True))
    return replace(found, hazards=tuple(hazards))


def _of_one(recording: TimedRecording, size: Shape) -> FurtherRaces:
    searched = SearchedSize(size, recording.blocks, recording.of)
    return FurtherRaces(recording.faults(f" (at {size})"), (searched,))


def all_blocks(grid: Block, compared: ComparedBlocks) -> list[Block]:
    """Every block of a grid, a few of them first (`ComparedBlocks.few_of`), then the others spread over it."""
    every = [(x, y, z) for x, y, z in product(*map(range, grid))]
    stride = next(one for one in _STRIDES if len(every) % one)
    spread = (every[place * stride % len(every)] for place in range(len(every)))
    return [*dict.fromkeys((*compared.few_of(grid), *spread))]
