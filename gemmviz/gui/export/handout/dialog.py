"""The dialog of a handout: title, paper, what is taken, a preview of the pages, save as PDF."""

from __future__ import annotations

from collections.abc import Collection
from itertools import groupby
from pathlib import Path

from PySide6.QtCore import QSize, Qt, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import QColor, QDesktopServices, QPainter, QPixmap, QResizeEvent
from PySide6.QtWidgets import QCheckBox, QDialog, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from gemmviz.domain.visible_text import visible
from gemmviz.gui.export.form import field_label, named_row, row
from gemmviz.gui.export.handout.contents import HandoutChoice, HandoutPart, Paper
from gemmviz.gui.export.handout.maker import HandoutMaker, HandoutPages
from gemmviz.gui.export.saving import save_asked
from gemmviz.gui.tasks.background import Background
from gemmviz.gui.widgets.allowed import allow
from gemmviz.gui.widgets.dialog_size import ScrolledContents, fit_screen
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import action_text
from gemmviz.gui.widgets.wrapped_text import wrapped

PREPARING = "The pages are being made…"
EMPTY = "Tick something to have pages."
NOT_READY = "Wait for the pages."
_SIZE = QSize(1080, 800)
_FORM_WIDTH = 380
_BESIDE_TICK = 72
"""Pixels beside the words of a tick: its box, the bar that scrolls, margins."""
_MOST_LINES = 4
"""Lines of the words of a tick."""
_LATER_MS = 200
"""Pages are made once a person pauses for so long."""
_MARGIN = 8


class HandoutDialog(QDialog):
    """Asks what a handout has, and saves it; `ticked` are the names of the parts that are taken at first."""

    folder_used = Signal(Path)
    """Where a handout was saved."""

    def __init__(
        self,
        maker: HandoutMaker,
        title: str,
        ticked: Collection[str],
        folder: Path,
        background: Background,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("handoutDialog")
        self.setWindowTitle("Handout")
        self._maker, self._folder, self._name = maker, folder, title
        # One that outlives the dialog: closing must not wait for a large recording.
        self._background = background
        self._task = 0
        self._pages: HandoutPages | None = None
        self._page = 0
        self._title = named(
            QLineEdit(title, placeholderText="No title"), "handoutTitle", "Stands above the first page", "Title"
        )
        self._paper = named_row("handoutPaper", [(paper.value, paper.words) for paper in Paper], Paper.A4, "Paper")
        self._ticks = {part.name: self._make_tick(part, part.name in ticked) for part in maker.parts}
        self._preview = named(PlainLabel(PREPARING), "handoutPreview", says="Preview of a page")
        self._where = named(PlainLabel(""), "handoutPage", role="muted")
        self._previous = named(
            QPushButton("Previous"), "handoutPrevious", "Show the page before (Page Up)", "", "quiet"
        )
        self._next = named(QPushButton("Next"), "handoutNext", "Show the next page (Page Down)", "", "quiet")
        self._previous.setShortcut(Qt.Key.Key_PageUp)
        self._next.setShortcut(Qt.Key.Key_PageDown)
        self._message = named(PlainLabel(wordWrap=True), "handoutMessage", role="muted")
        self._open = named(QPushButton("Open folder"), "handoutOpenFolder", "Open the folder of the saved handout")
        self._close = named(QPushButton("Close"), "handoutClose", "Close (Esc)")
        self._save = named(QPushButton("Save PDF…"), "handoutSave", "Choose a file and write the pages", "", "primary")
        self._later = QTimer(self, singleShot=True, interval=_LATER_MS)
        self._lay_out()
        self._connect()
        allow(self._open, "Save the handout first.")
        self._prepare()

    @property
    def choice(self) -> HandoutChoice:
        """What is chosen now."""
        ticked = frozenset(name for name, tick in self._ticks.items() if tick.isChecked())
        return HandoutChoice(visible(self._title.text().strip()), ticked, Paper(self._paper.value))

    @property
    def pages(self) -> HandoutPages | None:
        """The pages that are shown; None while they are being made, or where nothing is ticked."""
        return self._pages

    def _make_tick(self, part: HandoutPart, is_ticked: bool) -> QCheckBox:
        title = "\n".join(wrapped(part.title, self.font(), _FORM_WIDTH - _BESIDE_TICK, _MOST_LINES))
        tick = named(QCheckBox(action_text(title)), f"handoutPart_{part.name}", part.title)
        tick.setChecked(is_ticked)
        tick.toggled.connect(lambda _: self._renew())
        return tick

    def _lay_out(self) -> None:
        parts = QWidget()
        ticks = QVBoxLayout(parts)
        ticks.setContentsMargins(0, 0, 12, 0)
        ticks.setSpacing(0)
        for kind, of_kind in groupby(self._maker.parts, lambda part: part.kind):
            head = field_label(kind.value, "head")
            head.setContentsMargins(0, 8 if ticks.count() else 0, 0, 4)
            ticks.addWidget(head)
            for part in of_kind:
                ticks.addWidget(self._ticks[part.name])
        ticks.addStretch(1)
        form = QVBoxLayout()
        form.setSpacing(16)
        title, paper = QHBoxLayout(), QHBoxLayout()
        title.addWidget(self._title)
        paper.addWidget(self._paper)
        paper.addStretch(1)
        form.addLayout(row("Title", title))
        form.addLayout(row("Paper", paper))
        form.addWidget(ScrolledContents(parts), 1)
        shown, below = QVBoxLayout(), QHBoxLayout()
        shown.setSpacing(8)
        self._preview.setAlignment(Qt.AlignmentFlag.AlignCenter)
        policy = self._preview.sizePolicy()
        policy.setHorizontalPolicy(policy.Policy.Ignored)
        policy.setVerticalPolicy(policy.Policy.Ignored)
        self._preview.setSizePolicy(policy)
        self._preview.setMinimumSize(_SIZE.height() // 3, _SIZE.height() // 3)
        shown.addWidget(self._preview, 1)
        below.addStretch(1)
        for widget in (self._previous, self._where, self._next):
            below.addWidget(widget)
        below.addStretch(1)
        shown.addLayout(below)
        sides, buttons, column = QHBoxLayout(), QHBoxLayout(), QVBoxLayout(self)
        left = QWidget()
        left.setFixedWidth(_FORM_WIDTH)
        form.setContentsMargins(0, 0, 0, 0)
        left.setLayout(form)
        sides.setSpacing(24)
        sides.addWidget(left)
        sides.addLayout(shown, 1)
        column.setContentsMargins(24, 24, 24, 16)
        column.setSpacing(12)
        column.addLayout(sides, 1)
        buttons.setSpacing(8)
        buttons.addWidget(self._message, 1)
        for button in (self._open, self._close, self._save):
            buttons.addWidget(button)
        column.addLayout(buttons)
        for button in (self._previous, self._next, self._open, self._close):
            button.setAutoDefault(False)
        self._save.setDefault(True)
        fit_screen(self, _SIZE)

    def _connect(self) -> None:
        self._title.textChanged.connect(lambda _: self._renew())
        self._paper.chosen.connect(self._renew)
        self._later.timeout.connect(self._prepare)
        self._previous.clicked.connect(lambda: self._turn(-1))
        self._next.clicked.connect(lambda: self._turn(1))
        self._open.clicked.connect(lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._folder))))
        self._close.clicked.connect(self.reject)
        self._save.clicked.connect(self._on_save)
        self.finished.connect(self._on_finished)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_page()

    @Slot()
    def _renew(self) -> None:
        """Make the pages anew once a person pauses."""
        self._pages = None
        self._allow()
        self._tell("", "muted")
        self._later.start()

    @Slot()
    def _prepare(self) -> None:
        choice = self.choice
        self._background.cancel(self._task)
        self._task = self._background.start(
            lambda: self._maker.prepare(choice), lambda _: self._on_prepared(choice), self._on_failed
        )

    def _on_prepared(self, choice: HandoutChoice) -> None:
        if choice != self.choice:
            return
        made = self._maker.pages(choice)
        self._pages = made if choice.parts else None
        self._page = max(min(self._page, made.count - 1), 0)
        self._show_page()

    def _on_failed(self, error: Exception) -> None:
        self._pages = None
        self._show_page()
        self._tell(f"The pages cannot be made: {error}. Untick large recordings, or close other programs.", "refusal")

    def _turn(self, by: int) -> None:
        self._page += by
        self._show_page()

    def _show_page(self) -> None:
        self._allow()
        pages = self._pages
        if pages is None:
            self._where.setText("")
            if not self._later.isActive():
                self._preview.setText(PREPARING if self.choice.parts else EMPTY)
            return
        size, ratio = pages.size, self.devicePixelRatioF()
        room = self._preview.size() - QSize(2 * _MARGIN, 2 * _MARGIN)
        width = min(room.width(), room.height() * size.width() / size.height())
        image = pages.image(self._page, max(round(width * ratio), 1))
        with QPainter(image) as painter:  # paper and dialog may have one colour
            painter.setPen(QColor(pages.theme.muted))
            painter.drawRect(image.rect().adjusted(0, 0, -1, -1))
        image.setDevicePixelRatio(ratio)
        self._preview.setPixmap(QPixmap.fromImage(image))
        self._where.setText(f"Page {self._page + 1} of {pages.count}")

    def _allow(self) -> None:
        """Enable what can be used now."""
        pages = self._pages
        waits = "" if pages is not None else NOT_READY if self.choice.parts else EMPTY
        allow(self._save, waits)
        allow(self._previous, waits or ("" if self._page else "This is the first page."))
        is_last = pages is not None and self._page >= pages.count - 1
        allow(self._next, waits or ("This is the last page." if is_last else ""))

    @Slot()
    def _on_save(self) -> None:
        pages = self._pages
        if pages is None:
            return
        stem = "".join(letter if letter.isalnum() or letter in "-_. " else "_" for letter in self.choice.title).strip()
        path = save_asked(self, "Save handout", self._folder / f"{stem or 'handout'}.pdf", pages.pdf, self._tell)
        if path is not None:
            self._folder = path.parent
            allow(self._open, "")
            self.folder_used.emit(path.parent)

    def _tell(self, text: str, role: str) -> None:
        self._message.setText(text)
        if self._message.property("role") != role:
            self._message.setProperty("role", role)
            self._message.style().polish(self._message)

    @Slot()
    def _on_finished(self) -> None:
        self._later.stop()
        self._background.cancel(self._task)
        self._maker.close()
