"""What the stages say: whole sentences about one request. Pure."""

from __future__ import annotations

from gemmviz.domain import figures
from gemmviz.domain.figures import counted
from gemmviz.domain.recordings.access import SECTOR_BYTES, AccessKind, Space
from gemmviz.explain.requests.machine_cost import MachineCost
from gemmviz.explain.requests.request_choice import LaneRequest
from gemmviz.explain.requests.request_words import reason_of_sent
from gemmviz.explain.requests.what_if import NewLayout, Swizzle
from gemmviz.gui.stages.slot_banks import SlotUse
from gemmviz.trace.model.rules import LINE_BYTES
from gemmviz.trace.model.sectors import GlobalCost, fewest_sectors
from gemmviz.trace.model.wavefronts import SharedCost, words_at_banks

NO_BLOCK = "Nothing is recorded yet. Record a block, and its requests are shown here."
NO_SHARED = (
    "This block does not access shared memory, so no bank is used. Choose Sectors to see its requests to global "
    "memory, or record a kernel that uses shared memory."
)
NO_GLOBAL = "This block does not access global memory."
MOVED_WHOLE = "Here the TMA and the tensor cores access {memory} memory without warp requests."
PADDING_COLUMNS = "padding"
BANK_SHADES = "shade: bank"
LOOKING = "Loading the picture…"
_SHORT_SWIZZLES = {Swizzle.COLUMN: "XOR row", Swizzle.PIECES_64: "64 B swizzle", Swizzle.PIECES_128: "128 B swizzle"}
_SWIZZLES = {
    Swizzle.COLUMN: "columns swapped by XOR with the row",
    Swizzle.PIECES_64: "the 64-byte swizzle",
    Swizzle.PIECES_128: "the 128-byte swizzle",
}


def captions_of(request: LaneRequest, code: str = "") -> tuple[str, ...]:
    """ "Warp 0 stores to As[tx][ty]: one request of 32 lanes, 4 bytes each", and the same in fewer words; behind the
    `code` that it is of, if one is given.
    """
    does = {"store": "stores to", "load": "loads"}.get(request.site.noun, request.site.verb)
    lanes = counted(request.lanes, "lane")
    name, what = request.array.name if request.array is not None else "", request.site.text
    if name not in what:  # compiled code names an instruction
        what = f"{name} ({what})"
    whose = f"{code}: warp" if code else "Warp"
    who, each = f"{whose} {request.warp} {does} {what}", request.site.width_bytes
    return (
        f"{who}: one request of {lanes}, {each} bytes each",
        f"{who}: {lanes}, {each} bytes each",
        f"{who}: {lanes}",
    )


def place_words(place: int, count: int) -> str:
    """ "request 1 of 32"; `place` counts from 0."""
    return f"request {figures.count(place + 1)} of {figures.count(count)}"


def layout_words(layout: NewLayout, in_source: int | None = None) -> str:
    """ "With 1 column of padding and the 128-byte swizzle"; "" as recorded. `in_source`: columns that pad the rows as
    recorded, "With 2 columns of padding beyond the 1 in the source"; None where that is not known.
    """
    words = [f"{counted(layout.padding, 'column')} of padding{_beyond(in_source)}"] if layout.padding else []
    words += [_SWIZZLES[layout.swizzle]] if layout.swizzle is not Swizzle.NONE else []
    return f"With {' and '.join(words)}" if words else ""


def layout_title(layout: NewLayout, in_source: int | None = None) -> str:
    """The same above a picture of the array, where there is little room: "Padding 1, XOR row", "Padding 1 + 2" where
    the source has 1 of them; "" as recorded.
    """
    own = f"{figures.count(in_source)} + " if in_source else ""
    words = [f"padding {own}{figures.count(layout.padding)}"] if layout.padding else []
    words += [_SHORT_SWIZZLES[layout.swizzle]] if layout.swizzle is not Swizzle.NONE else []
    said = ", ".join(words)
    return f"{said[:1].upper()}{said[1:]}"


def layout_heading(layout: NewLayout, in_source: int | None = None) -> str:
    """The same as a heading: "1 column of padding, the 128-byte swizzle"; "As recorded, without padding", "As recorded,
    with one column of padding in the source", "As recorded" where the padding is not known.
    """
    columns = "one column" if in_source == 1 else counted(in_source or 0, "column")
    own = f"{columns} of padding in the source" if in_source else ""
    if layout.is_as_recorded:
        with_padding = f", with {own}" if own else ", without padding"
        return f"As recorded{with_padding if in_source is not None else ''}"
    padding = f"{own[:1].upper()}{own[1:]}" or ("No padding" if in_source == 0 else "No padding added")
    if layout.padding:
        padding = f"{counted(layout.padding, 'column')} of padding{_beyond(in_source)}"
    return f"{padding}, {_SWIZZLES.get(layout.swizzle, 'no swizzle')}"


def padding_words(added: int, in_source: int | None) -> str:
    """How much padding is tried: "2 columns", "1 + 2 columns" where the source has 1 of them, "+2 columns" where the
    source's is not known. Without any "no padding", "1 in the source", "none added".
    """
    if not added:
        known = "no padding" if in_source == 0 else "none added"
        return f"{figures.count(in_source)} in the source" if in_source else known
    if not in_source:
        return f"{'' if in_source == 0 else '+'}{counted(added, 'column')}"
    return f"{figures.count(in_source)} + {counted(added, 'column')}"


def padding_tip(in_source: int | None) -> str:
    """What the figures of `padding_words` are: "The source pads each row by 1 column; the slider adds to it."; "" where
    it does not, or where that is not known.
    """
    return f"The source pads each row by {counted(in_source, 'column')}; the slider adds to it." if in_source else ""


def xor_tip(piece: int = 1) -> str:
    """Where the swizzle by XOR with the row puts what lies in the array: pieces of so many elements, as wide as the
    widest access.
    """
    if piece == 1:
        return "Element [row][column] lies at [row][column ^ row]"
    return (
        f"{piece} neighbouring elements stay together, as the widest access needs them: element [row][column] lies at "
        f"[row][column ^ {piece} * row]"
    )


def _beyond(in_source: int | None) -> str:
    return f" beyond the {figures.count(in_source)} in the source" if in_source else ""


def banks_sentence(request: LaneRequest, cost: SharedCost, layout: NewLayout, in_source: int | None = None) -> str:
    """What the banks do with a request: "All 32 lanes need bank 0, so one store takes 32 wavefronts."."""
    if not cost.wavefronts:
        return "No lane of this warp is active in this request."
    said, before = _why(cost, len(cost.lanes)), layout_words(layout, in_source)
    said = f"{before}, {said[0].lower()}{said[1:]}" if before else said
    ending = f"so one {request.site.kind} takes {counted(len(cost.wavefronts), 'wavefront')}"
    if cost.ideal > 1:
        least = "the fewest possible" if not cost.excess else f"not {cost.ideal}"
        ending = f"{ending}, {least}"
    return f"{said}, {ending}."


def _why(cost: SharedCost, lanes: int) -> str:
    """Why a request takes its wavefronts, as the first half of a sentence."""
    words = [word for wavefront in cost.wavefronts for word in wavefront.words]
    wanted = words_at_banks(cost)
    most = max(wanted.values())
    busiest = sorted({bank for (_, bank), count in wanted.items() if count == most})
    active = "All" if lanes > 1 else "The"
    noun = f"{active} {counted(lanes, 'lane')}" if lanes > 1 else "The one lane that takes part"
    if most > 1 and len({word.bank for word in words}) == 1 and len(words) == lanes:
        return f"{noun} need bank {busiest[0]}"
    if most > 1:
        who = f"Bank {busiest[0]}" if len(busiest) == 1 else f"Each of {len(busiest)} banks"
        at_once = f" by {cost.lanes_together} lanes" if cost.ideal > 1 else ""
        return f"{who} is asked for {most} different words at once{at_once}"
    if lanes == 1:
        return f"{noun} meets no other"
    if len(words) == 1:
        return f"{noun} need the same word, which is read once for all"
    if cost.ideal > 1:
        return f"No two words meet in a bank, and {cost.lanes_together} lanes are served at a time"
    shared = max(len(word.lanes) for word in words)
    if shared > 1:
        return f"No bank is asked for two different words, and one word serves up to {shared} lanes"
    return f"No two of the {lanes} lanes share a bank"


def wavefront_words(done: int, total: int) -> str:
    """The running count: "5 of 32 wavefronts" are over; "32 wavefronts" once all are."""
    return _count_so_far(done, total, "wavefront")


def in_machine_words(machine: MachineCost, drawn: str) -> tuple[str, str]:
    """The count and the line below it, of a request that SASS has otherwise than it is `drawn`: "PTX: 2 wavefronts",
    "SASS: 4 wavefronts, no bank conflict (derived)".
    """
    below = f"SASS: {machine.head}, {machine.below}" if machine.is_known else "SASS has other requests here"
    return f"PTX: {drawn}", below


def of_ptx_words(sentence: str, machine: MachineCost | None) -> str:
    """A sentence about a recorded request, with what SASS makes of it first, where that is something else."""
    if machine is None:
        return sentence
    return f"{machine.sentence} In PTX, as drawn: {sentence[:1].lower()}{sentence[1:]}"


def sector_words(done: int, total: int) -> str:
    """The running count: "5 of 32 sectors" are there; "32 sectors" once all are."""
    return _count_so_far(done, total, "sector")


def _count_so_far(done: int, total: int, noun: str) -> str:
    whole = counted(total, noun)
    return whole if done >= total else f"{figures.count(done)} of {whole}"


def sectors_sentence(request: LaneRequest, cost: GlobalCost) -> str:
    """What a request fetches and uses: "32 lanes touch 32 sectors of 32 bytes: 128 of 1 024 bytes fetched are used.";
    of a store what it writes, of an atomic operation or a copy past L1 that costs otherwise also how it is counted.
    """
    touched = len(cost.sectors)
    if not touched:
        return "No lane of this warp is active in this request."
    used, whole = cost.bytes_used, touched * SECTOR_BYTES
    is_store = request.site.kind is AccessKind.STORE
    does = "atomically change" if request.site.is_atomic else "store to" if is_store else "touch"
    if request.lanes == 1:
        does = request.site.verb if request.site.is_atomic else "stores to" if is_store else "touches"
    head = f"{counted(request.lanes, 'lane')} {does} {counted(touched, 'sector')} of {SECTOR_BYTES} bytes"
    if used == whole:
        figure = f"all {figures.count(whole)} bytes {'are written' if is_store else 'fetched are used'}"
    elif is_store:
        whose = "its" if touched == 1 else "their"
        figure = f"{figures.count(used)} of {whose} {figures.count(whole)} bytes are written"
    else:
        left = figures.count(whole - used)
        figure = f"{figures.count(used)} of {figures.count(whole)} bytes fetched are used, {left} are not"
    if (cost.counted, cost.sent) == (touched, touched):
        return f"{head}: {figure}."
    if request.site.is_atomic:
        most = max(sector.turns for sector in cost.sectors)
        return (
            f"{head}: {figure}. This atomic request counts as {counted(cost.counted, 'sector')}, "
            f"because up to {most} lanes want the same address."
        )
    return (
        f"{head}: {figure}. This copy past L1 counts as {counted(cost.counted, 'sector')}, and L2 sends {cost.sent}, "
        f"because {reason_of_sent(cost)}."
    )


def bytes_words(used: int, touched: int, is_store: bool) -> str:
    """ "24 of 192 bytes used"."""
    return f"{figures.count(used)} of {figures.count(touched * SECTOR_BYTES)} bytes {'written' if is_store else 'used'}"


def nothing_words(space: Space, is_moved_whole: bool) -> str:
    """What is said of a block without a request to that memory; `is_moved_whole`: something else moves it."""
    if is_moved_whole:
        return MOVED_WHOLE.format(memory=space.value)
    return NO_SHARED if space is Space.SHARED else NO_GLOBAL


def slots_words(bank: int) -> dict[SlotUse, str]:
    """The legend of the array beside the banks; `bank` is the one that is marked."""
    return {
        SlotUse.CONFLICT: "needed, bank conflict",
        SlotUse.NEEDED: "needed, no conflict",
        SlotUse.OF_BANK: f"others in bank {bank}",
    }


def rows_words(rows: tuple[int, int] | None) -> str:
    """Which rows of the array are shown, the first and the last; "" for all (None)."""
    return f"Rows {rows[0]} to {rows[1]} are shown." if rows is not None else ""


def lines_words(cost: GlobalCost) -> str:
    """How far the bytes that the sentence before has counted are spread: "They lie in 32 lines of 128 bytes; packed
    together they would fit in 4 sectors."; "" where no lane takes part.
    """
    if not cost.sectors:
        return ""
    fewest = fewest_sectors(cost.bytes_used)
    spread = f"{counted(len(cost.touched_lines), 'line')} of {LINE_BYTES} bytes"
    fit = "they fit in no fewer sectors"
    if fewest < len(cost.sectors):
        fit = f"packed together they would fit in {counted(fewest, 'sector')}"
    return f"They lie in {spread}; {fit}."
