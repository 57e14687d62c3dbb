"""The races of a described kernel at large sizes: those at which the referee looks for them, too."""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.adopt.description import FoundHazard
from gemmviz.adopt.finding import SearchedSize
from gemmviz.adopt.prove.search_log import SearchLog
from gemmviz.adopt.recordings.timed_recording import NOT_RECORDED, NotInTimeError, record_in_time, why_not
from gemmviz.catalogue.claims.claims import Claims, NoSizeError
from gemmviz.catalogue.claims.large_sizes import large_sizes, long_sums
from gemmviz.catalogue.claims.recorded_size import recorded_size
from gemmviz.catalogue.gpus import emulated
from gemmviz.catalogue.kernel import Kernel
from gemmviz.domain.listing import listed
from gemmviz.domain.processes.host_memory import available_memory_bytes
from gemmviz.engine.recording import Block

LARGE_S, SIZE_S = 15.0, 5.0
"""For all large sizes of a kernel, and for one of them; nearly always they take less than 3 s together."""
_LONG = 2048
"""Of sums: from here on the first block alone is recorded."""


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
    something is, within LARGE_S seconds: the first and last blocks of each grid are recorded, as compiled, and of long
    sums, from short to long, the first block.
    """
    claims = Claims(kernel, kernel.params({}), emulated("", available_memory_bytes() or 0))
    try:
        sizes = [one for one in (recorded_size(claims), *large_sizes(claims)) if one.k < _LONG]
        sums = [*reversed(long_sums(claims, max(one.k for one in sizes)))] if sizes else []
    except NoSizeError:  # those that its constants have were recorded
        return FurtherRaces()
    end, found, late = log.now() + LARGE_S, FurtherRaces(), list[str]()
    for size in (*sizes, *sums):
        left_s = min(end - log.now(), SIZE_S)
        try:
            if min(left_s, log.left_s) <= 0:
                raise NotInTimeError
            is_alone = size in sums
            one = record_in_time(kernel, size, log, first_block_alone=is_alone, choose=end_blocks, within_s=left_s)
        except NotInTimeError:
            late.append(str(size))
            continue
        except NOT_RECORDED as error:
            found = found.and_then(
                FurtherRaces(unrecorded=(f"not searched for races at {size}: {why_not(kernel, error)}",))
            )
            continue
        found = found.and_then(FurtherRaces(one.faults(f" (at {size})"), (SearchedSize(size, one.blocks, one.of),)))
        if found.hazards:
            return found
    if not late:
        return found
    why = f"a recording would have taken longer than {SIZE_S:g} s" if log.left_s else log.late_words
    return found.and_then(FurtherRaces(unrecorded=(f"not searched for races at {listed(late)}: {why}",)))


def end_blocks(grid: Block) -> list[Block]:
    """A few blocks of a large grid, the first and the last one leading: along x and y the first two, the middle one and
    the last two, along z the first and the last one.
    """
    x, y, z = ({0, 1, count // 2, count - 2, count - 1} & {*range(count)} for count in grid)
    found = sorted((one, two, three) for three in z & {0, grid[2] - 1} for two in y for one in x)
    return [*dict.fromkeys((found[0], found[-1], *found))]
