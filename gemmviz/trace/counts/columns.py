"""Counts of a recording's requests, one number per site, in the order of the sites."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.recordings.access import SECTOR_BYTES

Column = NDArray[np.int64]
"""Shape (sites,), or (warps, sites) where counted per warp."""

REQUESTS, ACCESSES, SECTORS, LINES, BYTES_ASKED, WAVEFRONTS, IDEAL_WAVEFRONTS, SENT = FIGURES = range(8)
"""Where each figure stands in the last axis of `SiteColumns.counts`."""


@dataclass(frozen=True, slots=True, eq=False)
class SiteColumns:
    """Counts per site; `counts` has the shape of a column and one axis more, of the figures below.

    Sectors, lines and bytes moved are 0 at sites of shared memory, wavefronts at sites of global memory. As many
    sectors are sent as there are, but for copies past L1 (`past_l1`) and for atomic operations, of which each sector is
    taken to be sent once, however often it is counted (`contention`).
    """

    counts: NDArray[np.int64]

    def __add__(self, other: SiteColumns) -> SiteColumns:
        """The counts of both.

        Raises:
            ValueError: they have different shapes.
        """
        if self.counts.shape != other.counts.shape:
            raise ValueError(f"counts of shapes {self.counts.shape} and {other.counts.shape} cannot be added")
        return SiteColumns(self.counts + other.counts)

    @property
    def requests(self) -> Column:
        return self.counts[..., REQUESTS]

    @property
    def accesses(self) -> Column:
        """Active lanes of all requests."""
        return self.counts[..., ACCESSES]

    @property
    def sectors(self) -> Column:
        return self.counts[..., SECTORS]

    @property
    def lines(self) -> Column:
        """128-byte lines of memory, summed over the requests."""
        return self.counts[..., LINES]

    @property
    def bytes_asked(self) -> Column:
        """Distinct bytes of each request, summed over the requests."""
        return self.counts[..., BYTES_ASKED]

    @property
    def sent(self) -> Column:
        """Sectors that are sent for the requests."""
        return self.counts[..., SENT]

    @property
    def bytes_moved(self) -> Column:
        """32 bytes for each sector that is sent; of a store, the bytes of the sectors it writes to."""
        return self.sent * SECTOR_BYTES

    @property
    def sectors_per_request(self) -> NDArray[np.float64]:
        """nan where there is no sector."""
        quotient = np.full(self.sectors.shape, np.nan)
        np.divide(self.sectors, self.requests, out=quotient, where=self.sectors > 0)
        return quotient

    @property
    def wavefronts(self) -> Column:
        return self.counts[..., WAVEFRONTS]

    @property
    def ideal_wavefronts(self) -> Column:
        return self.counts[..., IDEAL_WAVEFRONTS]

    @property
    def excess_wavefronts(self) -> Column:
        """Wavefronts that bank conflicts add to the ideal."""
        return self.wavefronts - self.ideal_wavefronts
