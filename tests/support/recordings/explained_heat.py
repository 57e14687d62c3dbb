"""The heat of a frame as it is shown, and as it follows from what the inspector shows of each request."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from gemmviz.domain.recordings.access import BlockTrace, Space
from gemmviz.explain.block.heat_maps import HeatKind, HeatMaker
from gemmviz.explain.requests.request_choice import request_at
from gemmviz.trace.frames.values import Frame
from gemmviz.trace.model.sectors import global_cost
from gemmviz.trace.model.wavefronts import shared_cost


def heat_by_inspector(block: BlockTrace, frame: Frame, space: Space) -> dict[tuple[str, int], int]:
    """The heat of each element by array and number, from what the inspector shows of each request that touches it."""
    found: dict[tuple[str, int], int] = defaultdict(int)
    for warp in range(*frame.warps):
        for slot in range(*frame.slots):
            request = request_at(block, warp, slot)
            if request.site.space is not space or not request.site.path.is_requested:
                continue
            width = request.site.width_bytes
            at_once: dict[int, int] = defaultdict(int)
            if space is Space.GLOBAL:
                is_atomic = request.site.is_atomic
                counted = global_cost(request.addresses, width, request.targets, is_atomic=is_atomic).counted
                at_once.update(dict.fromkeys(range(32), counted))
            else:
                cost = shared_cost(request.addresses, width, request.site.kind)
                words = [(each.group, word) for each in cost.wavefronts for word in each.words]
                for group, word in words:
                    meeting = sum(other.bank == word.bank for there, other in words if there == group)
                    for lane in word.lanes:
                        at_once[lane] = max(at_once[lane], meeting)
            for lane, address in enumerate(request.addresses.tolist()):
                for array in block.arrays:
                    if array.base <= address and address + width <= array.base + array.nbytes:
                        ends = address - array.base, address - array.base + width - 1
                        first, last = (byte // array.element_bytes for byte in ends)
                        for element in range(first, last + 1):
                            found[array.name, element] = max(found[array.name, element], at_once[lane])
    return dict(found)


def heat_shown(maker: HeatMaker, frame: Frame, kind: HeatKind) -> dict[tuple[str, int], int]:
    """The figures of a heat map by array and number of the element."""
    heat = maker.heat(kind, frame)
    assert heat is not None
    found = {}
    for name, layer in heat.layers.items():
        full, box = layer.figures.full, layer.box
        for row, column in zip(*np.nonzero(full), strict=True):
            element = (box.row_start + int(row)) * layer.array.columns + box.column_start + int(column)
            found[name, element] = int(full[row, column])
    return found
