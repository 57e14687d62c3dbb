"""What a request costs, in words. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from gemmviz.domain import figures
from gemmviz.domain.access import SECTOR_BYTES, Site
from gemmviz.gui.inspector.request_choice import LaneRequest
from gemmviz.trace.model.rules import WORD_BYTES
from gemmviz.trace.model.sectors import GlobalCost, Sector
from gemmviz.trace.model.wavefronts import SharedCost, Word

NO_LANE = "no lane of this warp takes part"
NO_REQUEST = "copied as a whole by the copy engine: there is no warp request to show"
_NAMED = 4
_LONGEST_TEXT = 27


def access_words(site: Site) -> str:
    """ "37  load A[row * K + k]": line, kind and text, cut short with dots where it is long."""
    text = site.text if len(site.text) <= _LONGEST_TEXT else f"{site.text[: _LONGEST_TEXT - 1]}…"
    return f"{site.line}  {site.kind} {text}"


def lanes_words(request: LaneRequest) -> str:
    """ "warp 0 · 32 lanes of 4 bytes", "copy engine for warp 0 · 32 pieces of 16 bytes"."""
    width = counted(request.site.width_bytes, "byte")
    if not request.site.way.is_requested:
        return f"{request.site.way} for warp {request.warp} · {counted(request.lanes, 'piece')} of {width}"
    return f"warp {request.warp} · {counted(request.lanes, 'lane')} of {width}"


def bank_sentence(cost: SharedCost) -> str:
    """ "1 wavefront, ideal 1: no conflict", "2 wavefronts, ideal 1: lanes 0 and 16 meet in bank 0"; where lanes agree
    in pairs, how many are served together.
    """
    if not cost.wavefronts:
        return NO_LANE
    head = f"{counted(len(cost.wavefronts), 'wavefront')}, ideal {cost.ideal}"
    if cost.merges and len(cost.lanes) > 1:
        head += f" ({cost.lanes_together} lanes at once, because pairs share a word)"
    if not cost.excess:
        widest = max((len(word.lanes) for wavefront in cost.wavefronts for word in wavefront.words), default=1)
        shared = f", one word serves {widest} lanes" if widest > 1 else ""
        return f"{head}: no conflict{shared}"
    words, more = _worst_bank(cost)
    lanes = listed([str(word.lanes[0]) for word in words])
    where = f" and in {counted(more, 'bank')} more" if more else ""
    return f"{head}: lanes {lanes} meet in bank {words[0].bank}{where}"


def sector_sentence(cost: GlobalCost) -> str:
    """ "requests 1 · sectors 4 · 128 of 128 bytes used"; of a copy past L1 that is counted otherwise than it reads:
    "requests 1 · sectors 18 counted, 16 in memory, 24 sent by L2: its targets are not aligned to sectors".
    """
    read = len(cost.sectors)
    if not read:
        return NO_LANE
    if (cost.counted, cost.sent) != (read, read):
        return f"requests 1 · sectors {cost.counted} counted, {read} in memory, {cost.sent} sent by L2: {_why(cost)}"
    used, fetched = figures.count(cost.bytes_used), figures.count(read * SECTOR_BYTES)
    return f"requests 1 · sectors {read} · {used} of {fetched} bytes used"


def _why(cost: GlobalCost) -> str:
    """Why a copy past L1 is not counted by the sectors that it reads."""
    if cost.is_askew:
        return "its targets are not aligned to sectors"
    is_scattered = cost.sent > len(cost.sectors)
    return "its targets are scattered" if is_scattered else "its targets are closer together than its sources"


def word_tip(request: LaneRequest, word: Word, wavefront: int) -> str:
    """What a cell of the bank view says; wavefronts count from 0 here and from 1 in words."""
    lanes = f"lane {word.lanes[0]}" if len(word.lanes) == 1 else f"lanes {listed([str(lane) for lane in word.lanes])}"
    return f"bank {word.bank}, wavefront {wavefront + 1}: {request.element_at(word.word * WORD_BYTES)}, {lanes}"


def sector_tip(request: LaneRequest, sector: Sector) -> str:
    """What a sector of the coalescing view says."""
    first, last = (request.element_at(sector.begin + offset) for offset in (sector.used[0], sector.used[-1]))
    span = first if first == last else f"{first} to {last}"
    lanes = listed([str(lane) for lane in sector.lanes])
    who = f"lane{'s'[: len(sector.lanes) > 1]} {lanes}"
    sent = f", sent {sector.sent} times, to different places in shared memory" if sector.sent > 1 else ""
    return f"{span}: {len(sector.used)} of {SECTOR_BYTES} bytes used, {who}{sent}"


def counted(count: int, noun: str) -> str:
    """ "1 lane", "2 lanes"."""
    return f"{figures.count(count)} {noun}{'' if count == 1 else 's'}"


def listed(items: Sequence[str], most: int = _NAMED) -> str:
    """ "0", "0 and 16", "0, 2, 4 and 13 more"."""
    if len(items) > most:
        return f"{', '.join(items[: most - 1])} and {len(items) - most + 1} more"
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def _worst_bank(cost: SharedCost) -> tuple[list[Word], int]:
    """The words of the first of the busiest banks, in the order they are served; how many other banks conflict."""
    by_bank: dict[tuple[int, int], list[Word]] = {}
    for wavefront in cost.wavefronts:
        for word in wavefront.words:
            by_bank.setdefault((wavefront.group, word.bank), []).append(word)
    conflicts = {place: words for place, words in by_bank.items() if len(words) > 1}
    worst = max(conflicts.values(), key=len)
    return worst, len({bank for _, bank in conflicts}) - 1
