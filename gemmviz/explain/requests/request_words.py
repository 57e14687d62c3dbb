"""What a request costs, in words. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from gemmviz.domain.figures import counted
from gemmviz.domain.listing import listed
from gemmviz.domain.recordings.access import SECTOR_BYTES, Site
from gemmviz.explain.requests.request_choice import LaneRequest
from gemmviz.trace.model.sectors import GlobalCost, Sector
from gemmviz.trace.model.wavefronts import Word

NO_REQUEST = "copied as a whole by the TMA: there is no warp request to show"
_NAMED = 4
_LONGEST_TEXT = 27


def access_words(site: Site) -> str:
    """ "37  load A[row * K + k]": line, noun and text, cut short with dots where it is long."""
    text = site.text if len(site.text) <= _LONGEST_TEXT else f"{site.text[: _LONGEST_TEXT - 1]}…"
    return f"{short_access_words(site)} {text}"


def short_access_words(site: Site) -> str:
    """ "37  load": line and noun."""
    return f"{site.line}  {site.noun}"


def lanes_words(request: LaneRequest) -> str:
    """ "warp 0 · 32 lanes of 4 bytes", "TMA for warp 0 · 32 pieces of 16 bytes"."""
    width = counted(request.site.width_bytes, "byte")
    if not request.site.path.is_requested:
        return f"{request.site.path.words} for warp {request.warp} · {counted(request.lanes, 'piece')} of {width}"
    return f"warp {request.warp} · {counted(request.lanes, 'lane')} of {width}"


def reason_of_sent(cost: GlobalCost) -> str:
    """Why a copy past L1 is not counted by the sectors that it reads."""
    if cost.is_askew:
        return "its targets are not aligned to sectors"
    is_scattered = cost.sent > len(cost.sectors)
    return "its targets are scattered" if is_scattered else "its targets are closer together than its sources"


def word_tip(element: str, word: Word, wavefront: int) -> str:
    """ "bank 3, wavefront 2: As[0,3], lane 7": a word in its bank; `wavefront` counts from 0."""
    return f"bank {word.bank}, wavefront {wavefront + 1}: {element}, {_lanes_words(word.lanes)}"


def sector_tip(request: LaneRequest, sector: Sector) -> str:
    """What a sector says."""
    first, last = (request.element_at(sector.begin + offset) for offset in (sector.used[0], sector.used[-1]))
    span = first if first == last else f"{first} to {last}"
    who = _lanes_words(sector.lanes)
    sent = f", sent {sector.sent} times, to different places in shared memory" if sector.sent > 1 else ""
    return f"{span}: {len(sector.used)} of {SECTOR_BYTES} bytes used, {who}{sent}"


def _lanes_words(lanes: Sequence[int]) -> str:
    """ "lane 3", "lanes 0, 2, 4 and 13 more"."""
    return f"lane{'s'[: len(lanes) > 1]} {listed([str(lane) for lane in lanes], _NAMED)}"
