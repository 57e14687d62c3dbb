"""One warp request as a table: which lane needs which word, or which sector. Pure."""

from __future__ import annotations

from gemmviz.domain.files.csv_files import Row
from gemmviz.explain.figures.figure import PlotTable
from gemmviz.explain.requests.request_choice import LaneRequest
from gemmviz.trace.model.rules import WORD_BYTES
from gemmviz.trace.model.sectors import GlobalCost
from gemmviz.trace.model.wavefronts import SharedCost

_BANKS = "wavefront", "bank", "word_address", "lane", "element"
_SECTORS = "sector_address", "lane", "address", "element", "bytes_used_of_sector"


def banks_table(request: LaneRequest | None, cost: SharedCost) -> PlotTable:
    """A row for each lane of each word in the order of the wavefronts, counted from 1. Addresses are those of the
    layout that is shown, elements those that the lanes ask for.
    """
    rows = list[Row]()
    for number, wavefront in enumerate(cost.wavefronts, 1):
        for word in wavefront.words:
            for lane in word.lanes:
                element = request.element_at(int(request.addresses[lane])) if request is not None else ""
                values = number, word.bank, word.word * WORD_BYTES, lane, element
                rows.append(dict(zip(_BANKS, values, strict=True)))
    return PlotTable("banks", _BANKS, tuple(rows))


def sectors_table(request: LaneRequest | None, cost: GlobalCost) -> PlotTable:
    """A row for each lane of each sector, ascending."""
    rows = list[Row]()
    for sector in cost.sectors:
        for lane in sector.lanes:
            address = int(request.addresses[lane]) if request is not None else 0
            element = request.element_at(address) if request is not None else ""
            values = sector.begin, lane, address, element, len(sector.used)
            rows.append(dict(zip(_SECTORS, values, strict=True)))
    return PlotTable("sectors", _SECTORS, tuple(rows))
