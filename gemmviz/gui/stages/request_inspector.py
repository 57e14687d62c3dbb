"""One warp request of the current frame: which one, what it touches, what it costs."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from gemmviz.domain.recordings.access import BlockTrace, Site, Space
from gemmviz.domain.recordings.machine_accesses import MachineAccesses
from gemmviz.domain.terms import Evidence
from gemmviz.explain.requests.machine_cost import machine_cost
from gemmviz.explain.requests.machine_requests import MachineRequests, RequestCode
from gemmviz.explain.requests.request_choice import LaneRequest, RequestChoices, request_at
from gemmviz.explain.requests.request_words import NO_REQUEST, access_words, lanes_words
from gemmviz.explain.requests.what_if import NewLayout
from gemmviz.explain.source.machine_words import differs_in
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.stages.bank_canvas import BankCanvas
from gemmviz.gui.stages.code_choice import CodeChoice
from gemmviz.gui.stages.request_in_front import RequestInFront
from gemmviz.gui.stages.sector_canvas import SectorCanvas
from gemmviz.gui.stages.site_combo import SiteCombo
from gemmviz.gui.stages.stage_words import banks_sentence, of_ptx_words, sectors_sentence
from gemmviz.gui.widgets.fields import SpinBox
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.trace.frames.values import Frame
from gemmviz.trace.model.sectors import NO_GLOBAL_COST, GlobalCost, global_cost
from gemmviz.trace.model.wavefronts import NO_SHARED_COST, SharedCost, shared_cost

WARP_WIDTH, TIME_WIDTH = 64, 96
_LINES, _LINES_WITH_SASS = 3, 6
NOTHING = "No memory is touched in this frame."


class RequestInspector(QWidget):
    """Shows the request of a frame; where a frame has many, a person chooses site, warp and iteration.

    The choice is kept from frame to frame where the next one has it. Where ptxas merged the request with others, a
    switch says which code's request is drawn. While a page shows one request, that is shown here, too.
    """

    request_shown = Signal(object)
    """The LaneRequest, or None."""
    code_chosen = Signal(object)
    """The RequestCode that a person chose."""

    def __init__(self, theme: Theme = LIGHT, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("requestInspector")
        self.setAccessibleName("This request")
        self._choices: RequestChoices | None = None
        self._request: LaneRequest | None = None
        self._recorded: LaneRequest | None = None
        self._front: RequestInFront | None = None
        self._has_choice = False  # whether a person chooses among the requests of the frame
        self._merged: MachineRequests | None = None
        self._code, self._codes = RequestCode.SASS, CodeChoice("request", theme)
        self._site: Site | None = None
        self._wanted = 0, 0
        self._machine: MachineAccesses | None = None
        self._offered: tuple[Site, ...] = ()
        self._head = _label("head", "This request")
        self._evidence = _label("evidence", str(Evidence.RECORDED))
        self._site_box = SiteCombo("requestSite", "Which access of the source")
        self._warp = named(SpinBox(), "requestWarp", "Which warp of the block", "Warp")
        self._iteration = named(SpinBox(), "requestIteration", "Which of its executions in this frame", "Iteration")
        self._iteration.setMinimum(1)
        for box, width in ((self._warp, WARP_WIDTH), (self._iteration, TIME_WIDTH)):
            box.setMinimumWidth(width)  # less than Qt asks for: beside a scroll bar the dock has no more
        self._pickers = QWidget()
        self._access, self._line = _label("strong"), _label("muted")
        for label in (self._access, self._line):
            label.setWordWrap(True)  # or their words would make the column wider than its place
        self._sentence = named(_label(""), "requestSentence")
        self._sentence.setWordWrap(True)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.banks = named(BankCanvas(theme, is_small=True), "bankView")
        self.coalescing = named(SectorCanvas(theme, is_small=True), "coalescingView")
        self._views = QStackedWidget()
        self._arrange()
        self._site_box.currentIndexChanged.connect(self._on_site)
        self._warp.valueChanged.connect(self._on_choice)
        self._iteration.valueChanged.connect(self._on_choice)
        self._codes.changed.connect(self.show_code)
        self._codes.changed.connect(self.code_chosen)
        self.clear()

    @property
    def request(self) -> LaneRequest | None:
        """What is shown."""
        return self._request

    def show_frame(
        self,
        frame: Frame,
        block: BlockTrace,
        machine: MachineAccesses | None = None,
        merged: MachineRequests | None = None,
    ) -> None:
        """Show the frame's own request, or the one of its many that was chosen before, or its first, of the recorded
        `block`; with what the `machine` code makes of it, where that is known, and as SASS `merged` it.
        """
        self._keep_room_for(machine)
        self._take_merged(merged)
        self._has_choice = frame.request is None and bool(frame.sites)
        if frame.request is not None:
            self._choices = None
            warp, slot = frame.request.warp, frame.request.slot
            if merged is not None and merged.is_merged(frame.request.site):
                slot = merged.first_piece(warp, slot)
            self._show(request_at(block, warp, slot))
        elif frame.sites:
            self._choices = RequestChoices(frame, block)
            self._offer()
        else:
            self.clear()

    def _keep_room_for(self, machine: MachineAccesses | None) -> None:
        """Keep room for all lines of a sentence, so that what is below stays in its place while frames go by."""
        self._machine = machine
        lines = _LINES_WITH_SASS if differs_in(machine, Space.SHARED) else _LINES
        self._sentence.setMinimumHeight(lines * self._sentence.fontMetrics().lineSpacing())

    def clear(self) -> None:
        """Show no request."""
        self._keep_room_for(None)
        self._take_merged(None)
        self._choices, self._has_choice = None, False
        self._show(None)

    def show_in_front(self, front: RequestInFront | None) -> None:
        """Show the request of the page in front in place of the frame's; None: that of the frame again."""
        if front != self._front:
            self._front = front
            self._show(self._recorded)

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._codes.set_theme(theme)
        self.banks.set_theme(theme)
        self.coalescing.set_theme(theme)

    def _offer(self) -> None:
        """Fill the list of sites; choose the same as before if it is there."""
        assert self._choices is not None
        sites = self._choices.sites
        place = next((p for p, site in enumerate(sites) if site == self._site), 0)
        with QSignalBlocker(self._site_box):
            if sites != self._offered:
                self._offered = sites
                self._site_box.show_sites((site, site.text) for site in sites)
            self._site_box.setCurrentIndex(place)
        self._offer_requests(place)

    def _offer_requests(self, place: int) -> None:
        """Show the warp and iteration that a person wanted, or for the while the first there is."""
        assert self._choices is not None
        choices, times = self._choices, self._choices.iterations(place)
        warp, iteration = self._wanted
        if warp not in choices.warps or iteration >= times or not choices.request(place, warp, iteration).lanes:
            warp, iteration = choices.first(place)
        with QSignalBlocker(self._warp), QSignalBlocker(self._iteration):
            self._warp.setRange(choices.warps.start, choices.warps.stop - 1)
            self._warp.setValue(warp)
            self._iteration.setMaximum(times)
            self._iteration.setSuffix(f" of {times}")
            self._iteration.setValue(iteration + 1)
        self._show_choice()

    def _show_choice(self) -> None:
        assert self._choices is not None
        place = self._site_box.currentIndex()
        self._show(self._choices.request(place, self._warp.value(), self._iteration.value() - 1))

    def _show(self, recorded: LaneRequest | None) -> None:
        """Show a request of the frame, unless a page shows another one."""
        self._recorded = recorded
        self._pickers.setVisible(self._has_choice and self._front is None)
        if self._front is None:
            self._show_own(recorded)
        else:
            self._show_front(self._front)
        self.request_shown.emit(self._request)

    def _show_front(self, front: RequestInFront) -> None:
        request = self._request = front.request
        is_shared = request.site.space is Space.SHARED
        self._codes.hide()  # the page has the switch
        if is_shared:
            self._draw(request, front.near, NO_GLOBAL_COST, front.said)
        else:
            site = request.site
            far = global_cost(request.addresses, site.width_bytes, request.targets, is_atomic=site.is_atomic)
            self._draw(request, NO_SHARED_COST, far, front.said)
        self._views.setCurrentWidget(self.banks if is_shared else self.coalescing)
        self._access.setText(access_words(request.site))
        self._access.show()
        self._line.setText(lanes_words(request))
        self._evidence.setText(front.evidence)
        self._evidence.show()
        self._sentence.setText(front.said)
        self._sentence.explain_terms()

    def _draw(self, request: LaneRequest | None, near: SharedCost, far: GlobalCost, said: str) -> None:
        is_shared = request is not None and request.site.space is Space.SHARED
        self.banks.show_request(request if is_shared else None, near)
        self.coalescing.show_request(None if is_shared else request, far)
        for view in (self.banks, self.coalescing):
            view.setAccessibleName(said)

    def _show_own(self, recorded: LaneRequest | None) -> None:
        is_shared = recorded is not None and recorded.site.space is Space.SHARED
        merged = None
        if recorded is not None and is_shared and self._merged is not None:
            merged = self._merged.merged_at(recorded.warp, recorded.slot)
        self._codes.setVisible(merged is not None)
        self._codes.show_code(self._code)
        request = merged if merged is not None and self._code is RequestCode.SASS else recorded
        self._request = request
        shared = request is not None and request.site.space is Space.SHARED
        asked = request if request is not None and request.site.path.is_requested else None
        said = self._show_cost(asked)
        self._views.setCurrentWidget(self.banks if shared else self.coalescing)
        self._access.setText(access_words(request.site) if request else "")
        self._access.setVisible(request is not None and self._choices is None)
        self._line.setText(lanes_words(request) if request else NOTHING)
        self._evidence.setText(Evidence.RECORDED if request is recorded else Evidence.DERIVED)
        self._evidence.setVisible(request is not None)
        if request is None:
            self._sentence.setText("")
        elif asked is None:
            self._sentence.setText(NO_REQUEST)
        else:
            self._sentence.setText(said)
            self._sentence.explain_terms()

    def _show_cost(self, request: LaneRequest | None) -> str:
        """Paint the request in small; what it costs, in words, "" for none."""
        near, far = NO_SHARED_COST, NO_GLOBAL_COST
        is_merged = request is not self._recorded
        is_shared = request is not None and request.site.space is Space.SHARED
        said = ""
        if request is not None and is_shared:
            near = shared_cost(request.addresses, request.site.width_bytes, request.site.kind)
            said = banks_sentence(request, near, NewLayout())
            if is_merged and self._merged is not None:
                said = f"{said} {self._merged.merged_words(request)}"
            else:
                said = of_ptx_words(said, machine_cost(self._machine, request.site))
        elif request is not None:
            site = request.site
            far = global_cost(request.addresses, site.width_bytes, request.targets, is_atomic=site.is_atomic)
            said = sectors_sentence(request, far)
        self._draw(request, near, far, said)
        return said

    def _arrange(self) -> None:
        top = QHBoxLayout()
        top.addWidget(self._head, 1)
        top.addWidget(self._evidence)
        row = QHBoxLayout()
        row.setSpacing(8)
        for words, spin in (("warp", self._warp), ("time", self._iteration)):
            row.addWidget(_label("muted", words))
            row.addWidget(spin, 1)
        choices = QVBoxLayout(self._pickers)
        choices.setContentsMargins(0, 0, 0, 4)
        choices.setSpacing(8)
        choices.addWidget(self._site_box)
        choices.addLayout(row)
        self._views.addWidget(self.banks)
        self._views.addWidget(self.coalescing)
        self._views.setFixedHeight(max(self.banks.sizeHint().height(), self.coalescing.sizeHint().height()))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(top)
        column.addSpacing(4)
        column.addWidget(self._pickers)
        column.addWidget(self._access)
        column.addWidget(self._line)
        column.addWidget(self._codes)
        column.addWidget(self._sentence)
        column.addSpacing(4)
        column.addWidget(self._views)

    def _take_merged(self, found: MachineRequests | None) -> None:
        """Keep the room of the switch while frames with and without merged requests go by."""
        self._merged = found
        policy = self._codes.sizePolicy()
        policy.setRetainSizeWhenHidden(found is not None)
        self._codes.setSizePolicy(policy)

    @Slot(object)
    def show_code(self, code: RequestCode) -> None:
        """Draw the request as a code has it, where it is known in it."""
        self._code = code
        self._show(self._recorded)

    @Slot(int)
    def _on_site(self, place: int) -> None:
        if self._choices is not None and place >= 0:
            self._site = self._choices.sites[place]
            self._offer_requests(place)

    @Slot()
    def _on_choice(self) -> None:
        if self._choices is not None:
            self._wanted = self._warp.value(), self._iteration.value() - 1
            self._show_choice()


def _label(role: str, text: str = "") -> PlainLabel:
    label = PlainLabel(text)
    if role:
        label.setProperty("role", role)
    return label
