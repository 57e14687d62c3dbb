"""Updates such as `x += v`: a read and a write of one element by one thread in one line."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from gemmviz.domain.recordings.access import AccessKind, AccessPath, BlockTrace, Site
from gemmviz.domain.recordings.warp import LANES


def update_it(trace: BlockTrace, sites: tuple[Site, Site], threads: Iterable[int], address: int) -> bool:
    """Whether each of the threads of a block reads and writes the bytes at an address in the line of both sites, by
    plain accesses. Of threads that meet there it is atomic operations that are missing, no barrier.
    """
    one, other = sites
    if (one.line, one.header) != (other.line, other.header) or AccessPath.ATOMIC in (one.path, other.path):
        return False
    in_line = [site for site in trace.sites if (site.line, site.header) == (one.line, one.header)]
    return all(
        any(_touches(trace, site, thread, address) for site in in_line if site.kind is kind and site.space is one.space)
        for kind in (AccessKind.LOAD, AccessKind.STORE)
        for thread in threads
    )


def _touches(trace: BlockTrace, site: Site, thread: int, address: int) -> bool:
    warp, lane = divmod(thread, LANES)
    start = trace.addresses[warp, trace.slot_site == site.index, lane]
    return bool(np.any((start <= address) & (address < start + site.width_bytes)))
