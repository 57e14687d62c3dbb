"""The bank stage: lanes, the 32 banks of shared memory, and another layout of the array to try."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gemmviz.domain.recordings.access import BlockTrace, Space
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.terms import Evidence
from gemmviz.explain.figures.figure import PlotTable
from gemmviz.explain.requests.block_requests import BlockRequests
from gemmviz.explain.requests.machine_cost import IN_OTHER_LAYOUT, MachineCost, machine_cost
from gemmviz.explain.requests.machine_requests import MachineRequests, RequestCode, machine_requests, shared_requests
from gemmviz.explain.requests.request_choice import LaneRequest
from gemmviz.explain.requests.request_table import banks_table
from gemmviz.explain.requests.what_if import (
    AS_RECORDED,
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
from gemmviz.gui.stages.arrays_beside import ArraysBeside
from gemmviz.gui.stages.bank_canvas import BankCanvas
from gemmviz.gui.stages.code_choice import CODE_KEYS, CodeChoice
from gemmviz.gui.stages.code_choice import IN_OTHER_LAYOUT as NO_OTHER_LAYOUT
from gemmviz.gui.stages.layout_controls import LAYOUT_KEYS, LayoutControls
from gemmviz.gui.stages.longest_words import longest_banks_sentences, longest_effects
from gemmviz.gui.stages.own_keys import Keys
from gemmviz.gui.stages.request_stage import RequestStage
from gemmviz.gui.stages.stage_words import NO_SHARED, banks_sentence, layout_heading, of_ptx_words
from gemmviz.gui.stages.transport import Shows
from gemmviz.gui.tasks.latest_only import LatestOnly
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_text import plain_text
from gemmviz.trace.model.wavefronts import NO_SHARED_COST, SharedCost, shared_cost

Arrays = Mapping[int, ArrayRequests]
"""The requests on each array that can be laid out otherwise, by its base."""
Gathered = tuple[dict[RequestCode, BlockRequests], MachineRequests | None, dict[RequestCode, Arrays]]
"""The requests of a block to shared memory in each code that they are known in, those that SASS merged, and the same on
each array.
"""


class BankStage(RequestStage):
    """Words fall into their banks, wavefront by wavefront; padding and swizzles of the array are tried at once."""

    layout_changed = Signal(object)
    """The NewLayout from now on."""
    effect_shown = Signal(object)
    """The Effect of the layout on all requests of the block, once it is counted."""
    code_chosen = Signal(object)
    """The RequestCode that a person chose."""
    sectors_asked = Signal()
    """The block uses no bank: its requests to global memory are to be shown."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        self._picture = BankCanvas(theme)
        super().__init__("bankStage", Space.SHARED, self._picture, theme, parent)
        self.setAccessibleName("Banks")
        self._arrays: dict[RequestCode, Arrays] = {}
        self._run: TraceRun | None = None
        self._merged: MachineRequests | None = None
        self._of_code: dict[RequestCode, BlockRequests] = {}
        self._wanted_code = RequestCode.SASS
        self._layout, self._is_first = AS_RECORDED, True
        self._effect: Effect | None = None
        self._pointed: int | None = None
        self._counting = LatestOnly(self)
        self.layouts, self._codes = LayoutControls(theme), CodeChoice("bankStage", theme)
        self._aside = ArraysBeside(theme)
        self._lay_out(self._aside, self._make_controls())
        self._sectors = named(QPushButton("Show sectors"), "bankStageSectors", "Show its requests to global memory")
        self._sectors.clicked.connect(lambda: self.sectors_asked.emit())
        column = QVBoxLayout(self._picture)
        column.addStretch(2)
        column.addWidget(self._sectors, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)
        self.layouts.changed.connect(self.set_layout)
        self.layouts.refused.connect(self.refused)
        self._codes.changed.connect(self._on_code)
        self._picture.bank_pointed.connect(self._on_pointed)
        self.show_block(None, None)

    @property
    def compares_layouts(self) -> bool:
        """Whether the array as recorded stays in sight beside another layout; else that has the room of both."""
        return self._aside.compares

    @compares_layouts.setter
    def compares_layouts(self, compares: bool) -> None:
        self._aside.compares = compares

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
        self._show_code_possible()
        request = self.request
        if request is not None:
            is_at_once = self._reduced_motion or not self._picture.isVisible()
            self._player.pause()
            self._picture.show_layout(request, self._cost_of(request), is_at_once, *self._code_of(request))
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
        self._run, self._of_code, self._merged = run, {}, None
        self._show_code_possible()
        super().show_block(run, block)

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.layouts.set_theme(theme)
        self._codes.set_theme(theme)
        self._aside.set_theme(theme)
        self._show_maps()

    def gather(self, block: BlockTrace) -> Gathered:
        merged = machine_requests(self._run, block) if self._run is not None else None
        requests = shared_requests(block, merged)
        arrays: dict[RequestCode, Arrays] = {
            code: {array.base: requests_on(each.block, array) for array in shared_arrays(block)}
            for code, each in requests.items()
        }
        return requests, merged, arrays

    def table(self) -> PlotTable:
        return banks_table(self.request, self.cost)

    def _new(self, theme: Theme) -> RequestStage:
        made = BankStage(theme)
        made.compares_layouts = self.compares_layouts
        made._is_first = False  # what a layout does to the whole block is said here; a twin has no thread to wait for
        made._run, made._merged, made._of_code, made._arrays = self._run, self._merged, self._of_code, self._arrays
        made._wanted_code = self._wanted_code
        made._show_code_possible()
        return made

    def follow(self, other: RequestStage) -> None:
        if isinstance(other, BankStage):
            self._on_code(other._wanted_code)
            self.set_layout(other.new_layout)
        super().follow(other)

    @property
    def keys(self) -> Keys:
        return {**super().keys, **self.layouts.keys, **self._codes.keys}

    @property
    def key_words(self) -> tuple[str, ...]:
        return *super().key_words, *LAYOUT_KEYS, *((CODE_KEYS,) if self._merged is not None else ())

    @property
    def is_modelled(self) -> bool:
        """Whether the request is shown in another layout than it was recorded in."""
        request = self.request
        is_movable = request is not None and self._array_requests(request) is not None
        return is_movable and not self._layout.is_as_recorded

    @property
    def evidence(self) -> Evidence:
        """Where what is shown comes from: a recording, SASS, or a layout that is tried."""
        if self.is_modelled:
            return Evidence.MODELLED
        return Evidence.DERIVED if self.request is not None and self._is_merged(self.request) else Evidence.RECORDED

    @property
    def presented(self) -> tuple[str, str]:
        request = self.request
        if request is None or self._array_requests(request) is None:
            return super().presented
        heading = layout_heading(self._layout, self._in_source(request))
        modelled = f" ({Evidence.MODELLED})" if self.is_modelled else ""
        return f"{heading}{modelled}", self._sentence_of(request, AS_RECORDED)

    def _take(self, gathered: Gathered) -> BlockRequests:
        self._of_code, self._merged, self._arrays = gathered
        self._show_code_possible()
        return self._of_code[self.code]

    def _longest(self, block: BlockTrace) -> tuple[Sequence[str], Sequence[str]]:
        details = [words for requests in self._arrays[RequestCode.PTX].values() for words in longest_effects(requests)]
        breaks = [misaligned_words(one, NewLayout(1)) for one in self._arrays[RequestCode.PTX].values()]
        machine = self._run.machine if self._run is not None else None
        costs = [found for site in block.sites if (found := machine_cost(machine, site)) is not None]
        costs += [IN_OTHER_LAYOUT] if costs else []
        said = longest_banks_sentences(block)
        merged = self._merged.longest_words if self._merged is not None else ()
        in_code = (*(of_ptx_words(said[0], one) for one in costs), *(f"{said[0]} {words}" for words in merged))
        return (*said, *in_code, *breaks), details

    def _show_request(self, request: LaneRequest) -> tuple[str, str]:
        found = self._array_requests(request)
        why_not = "" if found is not None else NO_ARRAY
        self.layouts.set_possible(why_not, self._in_source(request), found.piece if found is not None else 1)
        self._picture.show_request(request, self._cost_of(request), *self._code_of(request))
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
        arrays = self._arrays.get(RequestCode.PTX, {})
        return arrays.get(request.array.base) if request.array is not None else None

    def _in_source(self, request: LaneRequest) -> int | None:
        """The columns of padding that the array has as recorded; 0 also for one that cannot be padded."""
        found = self._array_requests(request)
        return found.source_padding if found is not None else 0

    def _breaks(self, request: LaneRequest) -> str:
        """Why the kernel could not run with the layout shown; "" where it could."""
        found = self._array_requests(request)
        return misaligned_words(found, self._layout) if found is not None else ""

    @property
    def code(self) -> RequestCode:
        """The code whose requests are drawn. How ptxas would merge those of another layout is not known."""
        if self._wanted_code not in self._of_code or self._layout != AS_RECORDED:
            return RequestCode.PTX
        return self._wanted_code

    @Slot(object)
    def show_code(self, code: RequestCode) -> None:
        """Draw the requests of a code where they are known, of the request that is shown the same one there."""
        self._wanted_code = code
        self._show_code_possible()

    @Slot(object)
    def _on_code(self, code: RequestCode) -> None:
        if code is not self._wanted_code:
            self.show_code(code)
            self.code_chosen.emit(code)

    def _show_code_possible(self) -> None:
        """Let the switch and the requests to choose from be those of the code that is drawn."""
        self._codes.setVisible(self._merged is not None)
        self._codes.show_code(self.code, "" if self._layout == AS_RECORDED else NO_OTHER_LAYOUT)
        shown, before = self._of_code.get(self.code), self._requests
        if shown is None or before is None or shown is before or self._merged is None:
            return
        place = self._merged.place_in(self.code, self._of_code, self._chooser.choice)
        self._requests = shown
        self._chooser.show_requests(shown)
        if place is not None:
            self._choose(*place)

    def _shown_place(self, recorded: tuple[int, int]) -> tuple[int, int]:
        if self.code is RequestCode.PTX or self._merged is None:
            return recorded
        return self._merged.place_in(self.code, self._of_code, recorded) or recorded

    def _is_merged(self, request: LaneRequest) -> bool:
        """Whether the request is one of SASS that ptxas merged."""
        return self.code is RequestCode.SASS and self._merged is not None and self._merged.is_merged(request.site)

    def _code_of(self, request: LaneRequest) -> tuple[MachineCost | None, bool]:
        """What a GPU makes of a request, where it is drawn otherwise, and whether it is drawn as merged for a GPU."""
        return self._machine_cost(request), self._is_merged(request)

    def _machine_cost(self, request: LaneRequest) -> MachineCost | None:
        """What a GPU makes of a request, where its machine code has another than is drawn."""
        if self._run is None or self._is_merged(request):
            return None
        found = machine_cost(self._run.machine, request.site)
        is_moved = self._array_requests(request) is not None and not self._layout.is_as_recorded
        return IN_OTHER_LAYOUT if found is not None and is_moved else found

    def _sentence_of(self, request: LaneRequest, layout: NewLayout, in_source: int | None = None) -> str:
        """What the banks do with a request, or why the kernel could not run so."""
        said = banks_sentence(request, self.cost, layout, in_source)
        if self._merged is not None and self._is_merged(request):
            return f"{said} {self._merged.merged_words(request)}"
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
            drawn = self._arrays[self.code][found.array.base]
            self._counting.start(partial(effect_of, drawn, layout), partial(self._on_counted, drawn), self._on_failed)
        said = self._sentence_of(request, layout, self._in_source(request))
        return said, self._detail.text() if found is not None else ""

    def _on_counted(self, requests: ArrayRequests, effect: Effect) -> None:
        self._effect = effect
        machine = self._run.machine if self._run is not None else None
        recorded = self._arrays[RequestCode.PTX][requests.array.base].sites
        is_other = any(machine_cost(machine, each.requests.site) is not None for each in recorded)
        code = self.code if is_other else None
        self._detail.setText(effect_words(effect, requests, code=code))
        every = effect_words(effect, requests, most_sites=len(effect.sites), code=code)
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
        found = self._array_requests(request) if request is not None else None
        self._aside.show_request(request, found, self._layout, self.cost, self._pointed)

    def _make_controls(self) -> QWidget:
        controls = QWidget()
        row = QHBoxLayout(controls)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(16)
        row.addWidget(self._codes, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.layouts, 1)
        return controls
