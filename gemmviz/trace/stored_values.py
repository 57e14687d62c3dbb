"""What chosen stores wrote, byte by byte."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Columns = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class StoredValues:
    """Columns of shape (n,), a row for each byte that an access wrote: the site, the place of the block among
    those that were recorded, the barriers passed before, the thread, the virtual address of the byte, and its value.
    """

    site: Columns
    block: Columns
    epoch: Columns
    thread: Columns
    address: Columns
    value: Columns
