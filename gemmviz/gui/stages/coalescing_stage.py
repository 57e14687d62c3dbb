"""The coalescing stage: from lanes to 32-byte sectors in 128-byte lines, and what is fetched and not used."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from gemmviz.domain.recordings.access import BlockTrace, Space
from gemmviz.explain.figures.figure import PlotTable
from gemmviz.explain.requests.block_requests import BlockRequests, requests_to
from gemmviz.explain.requests.request_choice import LaneRequest
from gemmviz.explain.requests.request_table import sectors_table
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.stages.longest_words import longest_lines_words, longest_sectors_sentences
from gemmviz.gui.stages.request_stage import RequestStage
from gemmviz.gui.stages.sector_canvas import SectorCanvas
from gemmviz.gui.stages.stage_words import lines_words, sectors_sentence
from gemmviz.trace.model.sectors import NO_GLOBAL_COST, GlobalCost, global_cost


class CoalescingStage(RequestStage):
    """Each lane's bytes drop into their sector, sector by sector."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        self._picture = SectorCanvas(theme)
        super().__init__("coalescingStage", Space.GLOBAL, self._picture, theme, parent)
        self.setAccessibleName("Sectors")
        self._lay_out(None, None)
        self.show_block(None, None)

    @property
    def cost(self) -> GlobalCost:
        """What the request shown costs."""
        return self._picture.cost

    def gather(self, block: BlockTrace) -> BlockRequests:
        return requests_to(block, Space.GLOBAL)

    def table(self) -> PlotTable:
        return sectors_table(self.request, self.cost)

    def _new(self, theme: Theme) -> RequestStage:
        return CoalescingStage(theme)

    def _take(self, gathered: BlockRequests) -> BlockRequests:
        return gathered

    def _longest(self, block: BlockTrace) -> tuple[Sequence[str], Sequence[str]]:
        return longest_sectors_sentences(block), longest_lines_words(block)

    def _show_request(self, request: LaneRequest) -> tuple[str, str]:
        site = request.site
        cost = global_cost(request.addresses, site.width_bytes, request.targets, is_atomic=site.is_atomic)
        self._picture.show_request(request, cost)
        return sectors_sentence(request, cost), lines_words(cost)

    def _clear(self) -> None:
        self._picture.show_request(None, NO_GLOBAL_COST)
