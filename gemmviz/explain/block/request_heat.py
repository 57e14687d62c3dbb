"""What the requests of one frame cost at each element that they touch, as the hardware model tells it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import BlockTrace, Space
from gemmviz.domain.recordings.warp import LANES
from gemmviz.trace.frames.access import LaneAccesses, decode
from gemmviz.trace.frames.regions import Rectangle, bounding
from gemmviz.trace.frames.values import Frame
from gemmviz.trace.model.site_costs import at_lanes, requests_of

Figures = NDArray[np.int32]
"""Shape (rows, columns) of a rectangle of elements, 0 where a request touches none."""


def request_heat(trace: BlockTrace, frame: Frame, space: Space) -> dict[str, tuple[Rectangle, Figures]]:
    """What requests to one memory cost, by the name of the array; the most where several touch an element.

    In global memory the sectors of the request as the hardware counts them; in shared memory how many words a group of
    lanes that are served together wants at once of the bank of the element, 1 being no conflict. What is moved as a
    whole has none.
    """
    first, last = frame.slots
    warps = range(*frame.warps)
    of_lane = np.zeros((len(warps), last - first, LANES), np.int64)
    asked = np.zeros(len(trace.sites), np.bool_)
    for site in frame.sites:
        if site.space is space and site.path.is_requested:
            asked[site.index] = True
            slots = first + np.flatnonzero(trace.slot_site[first:last] == site.index)
            found = at_lanes(requests_of(trace, site, warps, slots.tolist()))
            of_lane[:, slots - first] = found.reshape(len(warps), slots.size, LANES)
    chosen = np.arange(first, last)
    chosen = chosen[np.append(asked, False)[trace.slot_site[first:last]]]
    accesses = decode(trace, chosen, frame.warps)
    figures = of_lane[accesses.thread // LANES - warps.start, accesses.slot - first, accesses.thread % LANES]
    return {
        array.name: _largest(accesses.only(here), array.columns, figures[here])
        for index, array in enumerate(trace.arrays)
        if (here := accesses.array == index).any()
    }


def _largest(accesses: LaneAccesses, columns: int, figures: NDArray[np.int64]) -> tuple[Rectangle, Figures]:
    """The largest figure of each element, in the rectangle around all of them."""
    element, which = accesses.elements()
    rows, across = np.divmod(element, columns)
    box = bounding(rows, across)
    largest = np.zeros((box.rows, box.columns), np.int32)
    np.maximum.at(largest, (rows - box.row_start, across - box.column_start), figures[which].astype(np.int32))
    return box, largest
