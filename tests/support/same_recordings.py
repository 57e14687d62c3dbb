"""Two recordings of one kernel at one size, made on different devices, compared to the last address."""

from __future__ import annotations

import numpy as np

from gemmviz.domain.access import OTHER, PADDING
from gemmviz.trace.record import Recorder


def check_the_same(ours: Recorder, theirs: Recorder, *, results: bool = True, zeros: bool = True) -> None:
    """Every block's events; with `results` also C, and what shared memory held in the first block and the last.

    Without `zeros` a zero that was stored and a computed value count as one: whether the vanishing product of two tags
    is added as +0 or as -0 is the compiler's choice.
    """
    assert ours.instrumented.sites == theirs.instrumented.sites
    assert ours.instrumented.barriers == theirs.instrumented.barriers
    indices = np.arange(np.prod(theirs.grid), dtype=np.int32)
    for our, their in zip(ours.blocks(indices), theirs.blocks(indices), strict=True):
        assert (our.block, our.threads, our.arrays) == (their.block, their.threads, their.arrays)
        assert our.ended_by == their.ended_by
        assert np.array_equal(our.slot_site, their.slot_site)
        assert np.array_equal(our.slot_epoch, their.slot_epoch)
        assert np.array_equal(our.addresses, their.addresses), our.block
    if not results:
        return
    assert ours.c.tobytes() == theirs.c.tobytes()
    for block in sorted({0, int(indices[-1])}):
        for mine, other in zip(ours.snapshots(block), theirs.snapshots(block), strict=True):
            assert (mine.epoch, mine.array) == (other.epoch, other.array)
            held = [np.where(one.origin == OTHER, OTHER if zeros else PADDING, one.origin) for one in (mine, other)]
            assert np.array_equal(*held), (mine.array, mine.epoch)
            is_copy = mine.origin >= 0
            assert np.array_equal(mine.matrix[is_copy], other.matrix[is_copy])
