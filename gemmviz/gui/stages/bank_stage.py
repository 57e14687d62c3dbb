"""The bank stage: lanes, the 32 banks of shared memory, and another layout of the array to try."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from gemmviz.domain.recordings.access import BlockTrace, Space
from gemmviz.domain.recordings.machine_accesses import MachineAccesses
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.terms import Evidence
from gemmviz.explain.requests.block_requests import BlockRequests, requests_to
from gemmviz.explain.requests.machine_cost import IN_OTHER_LAYOUT, MachineCost, machine_cost
from gemmviz.explain.requests.request_choice import LaneRequest
from gemmviz.explain.requests.what_if import (
    ArrayRequests,
    Effect,
    NewLayout,
    effect_of,
    moved,
    requests_on,
    shared_arrays,
)
from gemmviz.explain.requests.what_if_words import NO_ARRAY, effect_words, misaligned_words
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.stages.array_map import ArrayMap
from gemmviz.gui.stages.bank_canvas import BankCanvas
from gemmviz.gui.stages.layout_controls import LAYOUT_KEYS, LayoutControls
from gemmviz.gui.stages.longest_words import longest_banks_sentences, longest_effects, longest_layout_words
from gemmviz.gui.stages.own_keys import Keys
from gemmviz.gui.stages.request_stage import RequestStage, Shows
from gemmviz.gui.stages.slot_banks import SlotUse, slot_banks
from gemmviz.gui.stages.slot_legend import SlotLegend
from gemmviz.gui.stages.stage_words import (
    NO_SHARED,
    banks_sentence,
    layout_heading,
    layout_words,
    of_ptx_words,
)
from gemmviz.gui.tasks.latest_only import LatestOnly
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import plain_text
from gemmviz.gui.widgets.roomy_label import RoomyLabel
from gemmviz.trace.model.wavefronts import NO_SHARED_COST, SharedCost, busiest_bank, conflicted_banks, shared_cost

AS_RECORDED = NewLayout()
_BETWEEN_ARRAYS = 6
"""Pixels between an array and the name of the next, beside the spacing of the column."""

Gathered = tuple[BlockRequests, Mapping[int, ArrayRequests]]
"""The requests of a block to shared memory, and those on each array that can be laid out otherwise, by its base."""


class BankStage(RequestStage):
    """Words fall into their banks, wavefront by wavefront; padding and swizzles of the array are tried at once."""

    layout_changed = Signal(object)
    """The NewLayout from now on."""
    effect_shown = Signal(object)
    """The Effect of the layout on all requests of the block, once it is counted."""
    sectors_asked = Signal()
    """The block uses no bank: its requests to global memory are to be shown."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        self._picture = BankCanvas(theme)
        super().__init__("bankStage", Space.SHARED, self._picture, theme, parent)
        self.setAccessibleName("Banks")
        self._arrays: Mapping[int, ArrayRequests] = {}
        self._machine: MachineAccesses | None = None
        self._layout, self._is_first = AS_RECORDED, True
        self._effect: Effect | None = None
        self._pointed: int | None = None
        self._counting = LatestOnly(self)
        self.compares_layouts = True
        """Whether the array as recorded stays in sight beside another layout; else that has the room of both."""
        self.layouts = LayoutControls(theme)
        self._maps = ArrayMap(theme, "bankMapRecorded"), ArrayMap(theme, "bankMapNow")
        self._maps[0].compare_with(self._maps[1])
        self._names = named(PlainLabel(), role="strong"), named(RoomyLabel(), role="strong")
        self._names[1].keep_room_for([longest_layout_words()])
        self._names[1].setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom)  # next to its array
        self._legend = named(SlotLegend(), "bankMapLegend", role="evidence")
        self._lay_out(self._make_aside(), self.layouts)
        self._sectors = named(QPushButton("Show sectors"), "bankStageSectors", "Show its requests to global memory")
        self._sectors.clicked.connect(lambda: self.sectors_asked.emit())
        column = QVBoxLayout(self._picture)
        column.addStretch(2)
        column.addWidget(self._sectors, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)
        self.layouts.changed.connect(self.set_layout)
        self._picture.bank_pointed.connect(self._on_pointed)
        self.show_block(None, None)

    @property
    def cost(self) -> SharedCost:
        """What the request shown costs in the layout shown."""
        return self._picture.cost

    @property
    def new_layout(self) -> NewLayout:
        """How the array of the request is laid out."""
        return self._layout

    @property
    def effect(self) -> Effect | None:
        """What the layout does to all requests of the block on the array; None until it is counted."""
        return self._effect

    @property
    def pointed(self) -> int | None:
        """The bank that the pointer is on."""
        return self._pointed

    def point(self, bank: int | None) -> None:
        """Mark a bank as if the pointer was on it; None: no bank."""
        self._picture.point(bank)

    @Slot(object)
    def set_layout(self, layout: NewLayout) -> None:
        """Lay the array of the request out otherwise and show what its banks do now."""
        if layout == self._layout:
            return
        self._layout, self._shows = layout, Shows.END
        self.layouts.show_layout(layout)
        request = self.request
        if request is not None:
            is_at_once = self._reduced_motion or not self._picture.isVisible()
            self._player.pause()
            self._picture.show_layout(request, self._cost_of(request), is_at_once, self._machine_cost(request))
            self._count_steps()
            self._player.last()
            self._on_moved()
            self._say(*self._words_of(request))
            self._show_maps()
        self.layout_changed.emit(layout)

    def show_block(self, run: TraceRun | None, block: BlockTrace | None) -> None:
        """As `RequestStage.show_block`; the array lies as it was recorded again."""
        self._arrays = {}
        if self._layout != AS_RECORDED:
            self.set_layout(AS_RECORDED)
        self._machine = run.machine if run is not None else None
        super().show_block(run, block)

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.layouts.set_theme(theme)
        for each in self._maps:
            each.set_theme(theme)
        self._show_maps()

    def gather(self, block: BlockTrace) -> Gathered:
        arrays = {array.base: requests_on(block, array) for array in shared_arrays(block)}
        return requests_to(block, Space.SHARED), arrays

    def _new(self, theme: Theme) -> RequestStage:
        made = BankStage(theme)
        made.compares_layouts = self.compares_layouts
        made._is_first = False  # what a layout does to the whole block is said here; a twin has no thread to wait for
        made._arrays, made._machine = self._arrays, self._machine
        return made

    def follow(self, other: RequestStage) -> None:
        if isinstance(other, BankStage):
            self.set_layout(other.new_layout)
        super().follow(other)

    @property
    def keys(self) -> Keys:
        return {**super().keys, **self.layouts.keys}

    @property
    def key_words(self) -> tuple[str, ...]:
        return *super().key_words, *LAYOUT_KEYS

    @property
    def is_modelled(self) -> bool:
        """Whether the request is shown in another layout than it was recorded in."""
        request = self.request
        is_movable = request is not None and self._array_requests(request) is not None
        return is_movable and not self._layout.is_as_recorded

    @property
    def presented(self) -> tuple[str, str]:
        request = self.request
        if request is None or self._array_requests(request) is None:
            return super().presented
        heading = layout_heading(self._layout, self._in_source(request))
        modelled = f" ({Evidence.MODELLED})" if self.is_modelled else ""
        return f"{heading}{modelled}", self._sentence_of(request, AS_RECORDED)

    def _take(self, gathered: Gathered) -> BlockRequests:
        requests, self._arrays = gathered
        return requests

    def _longest(self, block: BlockTrace) -> tuple[Sequence[str], Sequence[str]]:
        details = [words for requests in self._arrays.values() for words in longest_effects(requests)]
        breaks = [misaligned_words(one, NewLayout(1)) for one in self._arrays.values()]
        costs = [found for site in block.sites if (found := machine_cost(self._machine, site)) is not None]
        costs += [IN_OTHER_LAYOUT] if costs else []
        said = longest_banks_sentences(block)
        return (*said, *(of_ptx_words(said[0], one) for one in costs), *breaks), details

    def _show_request(self, request: LaneRequest) -> tuple[str, str]:
        found = self._array_requests(request)
        why_not = "" if found is not None else NO_ARRAY
        self.layouts.set_possible(why_not, self._in_source(request), found.piece if found is not None else 1)
        self._picture.show_request(request, self._cost_of(request), self._machine_cost(request))
        self._show_maps()
        return self._words_of(request)

    def _say(self, sentence: str, detail: str) -> None:
        super()._say(sentence, detail)
        request = self.request
        is_fault = request is not None and bool(self._breaks(request))
        if is_fault != bool(self._sentence.property("fault")):
            self._sentence.setProperty("fault", is_fault)
            self._sentence.style().polish(self._sentence)
        self._sectors.setVisible(self._is_first and sentence == NO_SHARED)

    def _clear(self) -> None:
        self._picture.show_request(None, NO_SHARED_COST)
        self._counting.forget()
        self._effect = None
        self.layouts.set_possible(NO_ARRAY)
        self._show_maps()

    def _array_requests(self, request: LaneRequest) -> ArrayRequests | None:
        return self._arrays.get(request.array.base) if request.array is not None else None

    def _in_source(self, request: LaneRequest) -> int | None:
        """The columns of padding that the array has as recorded; 0 also for one that cannot be padded."""
        found = self._array_requests(request)
        return found.source_padding if found is not None else 0

    def _breaks(self, request: LaneRequest) -> str:
        """Why the kernel could not run with the layout shown; "" where it could."""
        found = self._array_requests(request)
        return misaligned_words(found, self._layout) if found is not None else ""

    def _machine_cost(self, request: LaneRequest) -> MachineCost | None:
        """What a GPU makes of a request, where its machine code has another."""
        found = machine_cost(self._machine, request.site)
        is_moved = self._array_requests(request) is not None and not self._layout.is_as_recorded
        return IN_OTHER_LAYOUT if found is not None and is_moved else found

    def _sentence_of(self, request: LaneRequest, layout: NewLayout, in_source: int | None = None) -> str:
        """What the banks do with a request, or why the kernel could not run so."""
        said = banks_sentence(request, self.cost, layout, in_source)
        return self._breaks(request) or of_ptx_words(said, self._machine_cost(request))

    def _cost_of(self, request: LaneRequest) -> SharedCost:
        found, addresses = self._array_requests(request), request.addresses
        if found is not None:
            addresses = moved(addresses[None], found.array, self._layout, found.piece)[0]
        return shared_cost(addresses, request.site.width_bytes, request.site.kind)

    def _words_of(self, request: LaneRequest) -> tuple[str, str]:
        """The sentence at once; what the layout does to the whole block is counted on another thread."""
        found = self._array_requests(request)
        layout = self._layout if found is not None else AS_RECORDED
        self._effect = None
        self._counting.forget()
        if found is not None and self._is_first:
            self._counting.start(partial(effect_of, found, layout), partial(self._on_counted, found), self._on_failed)
        said = self._sentence_of(request, layout, self._in_source(request))
        return said, self._detail.text() if found is not None else ""

    def _on_counted(self, requests: ArrayRequests, effect: Effect) -> None:
        self._effect = effect
        is_of_ptx = any(machine_cost(self._machine, each.requests.site) is not None for each in requests.sites)
        self._detail.setText(effect_words(effect, requests, is_of_ptx=is_of_ptx))
        every = effect_words(effect, requests, most_sites=len(effect.sites), is_of_ptx=is_of_ptx)
        self._detail.setToolTip(plain_text(every))
        self.effect_shown.emit(effect)

    @Slot(object)
    def _on_pointed(self, bank: int | None) -> None:
        self._pointed = bank
        self._show_maps()

    def _show_maps(self) -> None:
        """The array as recorded and, where that is another, as it is laid out now."""
        request = self.request
        self.picture.show_beside(request is not None)
        if request is None or request.array is None:
            for each in self._maps:
                each.show_slots(None, 0, (), "")
            return
        array, width = request.array, request.site.width_bytes
        found = self._array_requests(request)
        recorded = shared_cost(request.addresses, width, request.site.kind)
        costs = recorded, self.cost
        busiest = busiest_bank(recorded if recorded.excess else self.cost)
        marked = self._pointed if self._pointed is not None else busiest
        conflicts = [conflicted_banks(cost) for cost in costs]
        is_other = found is not None and not self._layout.is_as_recorded
        titles = f"{array.name}, as recorded", layout_words(self._layout, self._in_source(request))
        layouts = AS_RECORDED, self._layout if found is not None else AS_RECORDED
        shown_as = zip(self._maps, self._names, titles, layouts, conflicts, strict=True)
        for each, name, title, layout, banks in shown_as:
            slots = slot_banks(array, layout, found.piece if found is not None else 1, request.addresses, width)
            each.show_slots(slots, marked, banks, title)
            name.setText(title)
        is_recorded_seen = self.compares_layouts or not is_other
        for at, is_seen in enumerate((is_recorded_seen, is_other)):
            self._maps[at].setVisible(is_seen)
            self._names[at].setVisible(is_seen)
        shown = self._maps[0].slots
        rows = (shown.first_row, shown.first_row + shown.rows - 1) if shown is not None and shown.is_part else None
        drawn = zip(self._maps, conflicts, (is_recorded_seen, is_other), strict=True)
        seen = [(each.slots, banks) for each, banks, is_seen in drawn if is_seen]
        uses = {
            use
            for slots, banks in seen
            if slots is not None
            for use in SlotUse
            if slots.used_as(use, marked, banks).any()
        }
        self._legend.show_uses(uses, marked, rows, self._theme)

    def _make_aside(self) -> QWidget:
        aside = QWidget()
        column = QVBoxLayout(aside)
        column.setContentsMargins(0, 6, 16, 8)
        column.setSpacing(4)
        for place, (name, each) in enumerate(zip(self._names, self._maps, strict=True)):
            column.addSpacing(_BETWEEN_ARRAYS * place)
            column.addWidget(name)
            column.addWidget(each, 20)  # all the height it wants, up to its most
        column.addWidget(self._legend)
        column.addStretch(1)
        return aside
