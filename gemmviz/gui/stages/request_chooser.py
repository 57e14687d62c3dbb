"""Chooses one request of a block: the access of the source, then which of its requests."""

from __future__ import annotations

import re
from functools import partial

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QToolButton, QWidget

from gemmviz.domain import figures
from gemmviz.domain.recordings.access import Space
from gemmviz.explain.requests.block_requests import BlockRequests, RequestsOfSite
from gemmviz.gui.looks.icons import icon
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.stages.own_keys import Keys
from gemmviz.gui.stages.site_combo import SiteCombo
from gemmviz.gui.stages.stage_words import place_words
from gemmviz.gui.widgets.allowed import allow, refusal_of
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel

CHOOSER_KEYS = "↑ ↓  request", "A  access", "C  costliest request"
FIRST = "This is the first request of the access: choose another access from the list."
LAST = "This is the last request of the access: choose another access from the list."
ALL_IDEAL = "No request of this block costs more than its ideal."
COSTLIEST = "This is the costliest request."
ONLY_ACCESS = "This is the only access of the block to this memory."
NO_REQUESTS = "There are no requests to choose from. Record a block that accesses this memory."


class RequestChooser(QWidget):
    """Shows which request is chosen and says which one a person wants."""

    chosen = Signal(int, int)
    """The index of a site in the recording, and the place of one of its requests."""
    refused = Signal(str)
    """Why there is nothing to choose, as a sentence."""

    def __init__(self, name: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._requests: BlockRequests | None = None
        self._site, self._place = -1, 0
        self._sites = SiteCombo(f"{name}Site", "Which access of the source (A)")
        self._before = named(QToolButton(), f"{name}Previous", "Previous request (↑)", "Previous request")
        self._after = named(QToolButton(), f"{name}Next", "Next request (↓)", "Next request")
        self._words = named(PlainLabel(), f"{name}Place", role="muted")
        self._worst = named(
            QPushButton("Costliest"),
            f"{name}Costliest",
            "The request that costs most above its ideal (C)",
        )
        self._worst.setProperty("role", "quiet")
        for button in (self._before, self._after):
            button.setAutoRepeat(True)
            button.setIconSize(QSize(16, 16))
        row = self._row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for widget in (self._sites, self._before, self._words, self._after, self._worst):
            row.addWidget(widget)
        row.addStretch(1)
        self._sites.activated.connect(self._on_site)
        self._before.clicked.connect(lambda: self.step(-1))
        self._after.clicked.connect(lambda: self.step(1))
        self._worst.clicked.connect(self.choose_costliest)
        self.set_theme(theme)
        self.show_requests(None)

    def show_requests(self, requests: BlockRequests | None) -> None:
        """Offer the requests of a block; None while there are none."""
        self._requests = requests
        with QSignalBlocker(self._sites):
            sites = requests.sites if requests is not None else ()
            self._sites.show_sites((each.site, _cost_words(each)) for each in sites)
            self._sites.setCurrentIndex(-1)
        self._keep_room()
        self.show_choice(-1, 0)

    def show_choice(self, site: int, place: int) -> None:
        """Which request is shown; nothing is emitted."""
        self._site, self._place = site, place
        found = self._requests.of_site(site) if self._requests is not None else None
        with QSignalBlocker(self._sites):
            self._sites.setCurrentIndex(self._sites.findData(site))
        self._words.setText(place_words(place, len(found)) if found is not None else "")
        self._row.activate()  # at once: else they are painted over the buttons until the next event
        none = "" if found is not None else NO_REQUESTS
        is_last = found is not None and place + 1 == len(found)
        allow(self._before, none or ("" if place > 0 else FIRST))
        allow(self._after, none or (LAST if is_last else ""))
        allow(self._sites, none)
        worst = self._requests.worst if self._requests is not None else None
        allow(self._worst, none or (ALL_IDEAL if worst is None else COSTLIEST if worst == (site, place) else ""))

    @property
    def choice(self) -> tuple[int, int]:
        """The site and the place of the request that is shown."""
        return self._site, self._place

    def set_narrow(self, narrow: bool) -> None:
        """Whether there is hardly any room; the costliest request is then found by choosing its access."""
        self._worst.setVisible(not narrow)

    def _keep_room(self) -> None:
        """Let the words take the room of the longest, so that the buttons beside stay where they are."""
        requests = self._requests.sites if self._requests is not None else ()
        longest = (re.sub(r"\d", "0", place_words(len(each) - 1, len(each))) for each in requests)
        widths = map(self._words.fontMetrics().horizontalAdvance, longest)
        self._words.setMinimumWidth(max(widths, default=0))

    def step(self, by: int) -> None:
        """Choose another request of the same site, if there is one so many places on; else say why not."""
        found = self._requests.of_site(self._site) if self._requests is not None else None
        if found is not None and 0 <= self._place + by < len(found):
            self.chosen.emit(self._site, self._place + by)
        else:
            self.refused.emit(refusal_of(self._before if by < 0 else self._after))

    @property
    def keys(self) -> Keys:
        """What keys choose another request; CHOOSER_KEYS names them."""
        key, step, step_site = Qt.Key, self.step, self.step_site
        return {
            (key.Key_Up, False): partial(step, -1),
            (key.Key_Down, False): partial(step, 1),
            (key.Key_A, False): partial(step_site, 1),
            (key.Key_A, True): partial(step_site, -1),
            (key.Key_C, False): self.choose_costliest,
        }

    def step_site(self, by: int) -> None:
        """Choose another access, so many places on in the list; after the last one comes the first. Say where there is
        no other.
        """
        if self._sites.count() < 2:
            self.refused.emit(refusal_of(self._sites) or ONLY_ACCESS)
        else:
            self._on_site((self._sites.currentIndex() + by) % self._sites.count())

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._before.setIcon(icon("chevron-left", theme))
        self._after.setIcon(icon("chevron-right", theme))

    @Slot(int)
    def _on_site(self, at: int) -> None:
        """The request of that site that costs most."""
        if self._requests is not None and (found := self._requests.of_site(self._sites.itemData(at))) is not None:
            self.chosen.emit(found.site.index, int(found.excess.argmax()))

    @Slot()
    def choose_costliest(self) -> None:
        """Choose the request that costs most above its ideal; say where it is shown already, or where there is none."""
        if why := refusal_of(self._worst):
            self.refused.emit(why)
        elif self._requests is not None and self._requests.worst is not None:
            self.chosen.emit(*self._requests.worst)


def _cost_words(each: RequestsOfSite) -> str:
    """What the requests of a site cost at most."""
    unit, most = "wavefronts" if each.site.space is Space.SHARED else "sectors", int(each.excess.max())
    extra = f"the costliest takes {most} {unit} above its ideal" if most > 0 else f"none takes {unit} above its ideal"
    return f"{each.site.text}: {figures.counted(len(each), 'request')}, {extra}"
