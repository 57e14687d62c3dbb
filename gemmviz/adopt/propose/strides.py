"""Parameters that are a stride along the rows or the columns of a matrix, as in BLIS: `rs_a` and `cs_a`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gemmviz.adopt.source.kernels import SignatureParameter

UNIT = "unit"
"""What a stride stands for along which elements are neighbours: it is 1."""
_STRIDE = re.compile(r"(?i)(r|c)(?:(?:ow|ol|olumn)_?)?s(?:tride)?_?([abcd])")


def stride_roles(parameters: Sequence[SignatureParameter]) -> list[dict[int, str]]:
    """What such parameters stand for by their places, where a matrix has both: leading dimension and 1 of row-major
    matrices, then of column-major ones; [] for none. With other values elements of a matrix may share an address.
    """
    found: dict[str, dict[str, int]] = {}
    for place, one in enumerate(parameters):
        stride = _STRIDE.fullmatch(one.name)
        if stride is not None and not one.is_pointer:
            found.setdefault(stride[2].lower(), {})[stride[1].lower()] = place
    pairs = {letter: places for letter, places in found.items() if len(places) == len("rc")}
    return [
        {
            place: f"ld{letter}" if along == leading else UNIT
            for letter, places in pairs.items()
            for along, place in places.items()
        }
        for leading in ("rc" if pairs else "")
    ]
