"""The dialog that exports what is on the screen: title, size, colours, a preview, copy, save, open the folder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QMimeData, QSize, Qt, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices, QImage, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from gemmviz.domain.visible_text import visible
from gemmviz.gui.export.drawn_view import DrawnLook, ViewOnScreen
from gemmviz.gui.export.form import named_row, row
from gemmviz.gui.export.pictures.chart_picture import Size, screen_picture
from gemmviz.gui.export.pictures.widget_pdf import pdf_bytes
from gemmviz.gui.export.saving import save_asked
from gemmviz.gui.export.tables import as_csv
from gemmviz.gui.looks.theme import Theme, ThemeChoice, theme_for
from gemmviz.gui.tasks.background import Background
from gemmviz.gui.widgets.allowed import allow
from gemmviz.gui.widgets.clipboard import put_on_clipboard
from gemmviz.gui.widgets.dialog_size import fit_screen
from gemmviz.gui.widgets.fields import ComboBox
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.widget_image import PictureTooLargeError, png_bytes

SIZES: tuple[Size, ...] = ((1920, 1080), (1280, 720), (1200, 900), (2560, 1440), (3840, 2160))
COLOURS = ((ThemeChoice.AUTO, "as on screen"), (ThemeChoice.LIGHT, "light"), (ThemeChoice.DARK, "dark"))
_PREVIEW, _SIDES = QSize(800, 450), 48
_TYPING_MS = 250
"""A preview is made once a person pauses for so long."""
NOT_READY = "Wait for the preview."
PREPARING = "The preview is being made…"
ALWAYS_LARGE = "This picture always has the form of a presentation."
ALWAYS_LARGE_OF_TWO = "Two pictures beside each other always have the form of a presentation."


class ViewExportDialog(QDialog):
    """Exports one View. `folder_used` tells where a picture was saved; `more_asked` wants the large
    dialog, with the ThemeChoice made here, and whether as a presentation, None where that cannot be chosen."""

    folder_used = Signal(Path)
    more_asked = Signal(object, object)

    def __init__(
        self,
        view: ViewOnScreen,
        theme: Theme,
        folder: Path,
        parent: QWidget | None = None,
        background: Background | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("viewExportDialog")
        self.setWindowTitle("Export this view")
        self._view, self._current, self._folder = view, theme, folder
        self._made: Any = None
        self._image: QImage | None = None
        self._title = named(
            QLineEdit(view.title, placeholderText="No title"), "viewTitle", "Stands above the picture", "Title"
        )
        tip = "Stands above the picture beside"
        self._beside = named(QLineEdit(view.beside_title, placeholderText="No title"), "viewBesideTitle", tip, "Title")
        self._size = named(ComboBox(), "viewSize", "Width and height of the picture in pixels", "Size in pixels")
        for width, height in SIZES:
            self._size.addItem(f"{width} × {height}", (width, height))
        self._theme = named_row("viewTheme", [(str(t), words) for t, words in COLOURS], "auto", "Colours")
        self._large = named(
            QCheckBox("As a presentation"), "viewLarge", "In type that can be read across a room, as F11"
        )
        names = [(one.name, one.title) for one in view.moments]
        shown = next((one.name for one in view.moments if one.view.paint is view.paint), "")
        self._moment = named_row("viewMoment", names, shown, "Moment") if names else None
        self._preview = named(PlainLabel(PREPARING), "viewPreview", says="Preview")
        self._message = named(PlainLabel(wordWrap=True), "viewMessage", role="muted")
        self._copy = named(QPushButton("Copy"), "viewCopy", "Copy the picture to the clipboard", "Copy")
        self._save = named(QPushButton("Save PNG…"), "viewSave", "Choose a file and write the picture", "", "primary")
        self._pdf = named(QPushButton("Save PDF…"), "viewPdf", "Choose a file and write one page, its text as text")
        self._pdf.setVisible(view.draw is not None)
        self._csv = named(QPushButton("Save CSV…"), "viewCsv", "Choose a file and write the data as a table")
        self._csv.setVisible(bool(view.tables()))
        self._open = named(QPushButton("Open folder"), "viewOpenFolder", "Open the folder of the saved picture")
        self._more = named(
            QPushButton("More formats…"), "viewMore", "SVG, CSV, animations, and all charts at once", "", "quiet"
        )
        self._later = QTimer(self, singleShot=True, interval=_TYPING_MS)
        # One that outlives the dialog: closing must not wait for a large recording.
        self._background = background or Background(self, threads=1)
        self._lay_out()
        self._connect()
        self._enable(is_ready=False)
        allow(self._open, "Save the picture first.")
        if view.is_slide:
            self._large.setChecked(True)
            allow(self._large, self._why_large)
        task = self._background.start(view.prepare, self._on_prepared, self._on_failed)
        self.finished.connect(lambda _: self._background.cancel(task))

    @property
    def _has_large(self) -> bool:
        """Whether the view can have, or has, the form of a presentation."""
        return self._view.is_slide or self._view.paint_large is not None

    @property
    def _why_large(self) -> str:
        """Why the form of a presentation cannot be chosen, where it is the only one."""
        return ALWAYS_LARGE_OF_TWO if self._view.paint_both is not None else ALWAYS_LARGE

    @property
    def image(self) -> QImage | None:
        """The picture as it would be saved; None while it is being made, or where it cannot be made."""
        if self._later.isActive():
            self._later.stop()
            self._make()
        return self._image

    def _lay_out(self) -> None:
        self._preview.setMinimumSize(_PREVIEW / 2)
        self._preview.setAlignment(Qt.AlignmentFlag.AlignCenter)
        policy = self._preview.sizePolicy()
        policy.setVerticalPolicy(policy.Policy.Ignored)
        policy.setHorizontalPolicy(policy.Policy.Ignored)
        self._preview.setSizePolicy(policy)
        column = QVBoxLayout(self)
        column.setContentsMargins(_SIDES // 2, 24, _SIDES // 2, 16)
        column.setSpacing(12)
        column.addWidget(self._preview, 1)
        title, choices, buttons = QHBoxLayout(), QHBoxLayout(), QHBoxLayout()
        titles = [self._title, self._beside] if self._view.paint_both is not None else [self._title]
        for field in reversed(titles) if self._view.beside_is_left else titles:
            title.addWidget(field, 1)
        choices.setSpacing(24)
        choices.addWidget(self._size)
        choices.addWidget(self._theme)
        if self._has_large:
            choices.addWidget(self._large)
        choices.addStretch(1)
        column.addLayout(row("Title", title))
        column.addLayout(row("Size, colours", choices))
        if self._moment is not None:
            moments = QHBoxLayout()
            moments.addWidget(self._moment)
            moments.addStretch(1)
            column.addLayout(row("Moment", moments))
        if self._view.is_slide:
            why = QHBoxLayout()
            why.addWidget(named(PlainLabel(self._why_large), "viewWhyLarge", role="muted"))
            column.addLayout(row("", why))
        column.addWidget(self._message)
        buttons.setSpacing(8)
        buttons.addWidget(self._more)
        buttons.addStretch(1)
        for button in (self._open, self._csv, self._copy, self._pdf, self._save):
            buttons.addWidget(button)
        for button in (self._more, self._open, self._csv, self._copy, self._pdf):
            button.setAutoDefault(False)
        self._save.setDefault(True)
        column.addLayout(buttons)
        rest = column.totalMinimumSize().height() - self._preview.minimumHeight()
        fit_screen(self, _PREVIEW + QSize(_SIDES, rest))
        preview = (self.width() - _SIDES) * _PREVIEW.height() // _PREVIEW.width()
        self.resize(self.width(), min(self.height(), preview + rest))  # no band above and below the preview

    def _connect(self) -> None:
        for title in (self._title, self._beside):
            title.textChanged.connect(lambda _: self._later.start())
        self._size.currentIndexChanged.connect(lambda _: self._make())
        self._theme.chosen.connect(self._make)
        self._large.toggled.connect(lambda _: self._make())
        if self._moment is not None:
            self._moment.chosen.connect(self._on_moment)
        self._later.timeout.connect(self._make)
        self._copy.clicked.connect(self._on_copy)
        self._save.clicked.connect(self._on_save)
        self._pdf.clicked.connect(self._on_pdf)
        self._csv.clicked.connect(self._on_csv)
        self._open.clicked.connect(lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._folder))))
        self._more.clicked.connect(self._on_more)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_preview()

    def _on_prepared(self, made: object) -> None:
        self._made = made
        self._enable(is_ready=True)
        self._make()

    def _on_failed(self, error: Exception) -> None:
        self._image = None
        self._enable(is_ready=False)
        self._preview.setText("")
        self._tell(f"The picture cannot be made: {error}. Close other programs or choose a smaller size.", "refusal")

    @Slot()
    def _make(self) -> None:
        if not self._save.isEnabled() and self._image is None and self._preview.text() == PREPARING:
            return
        look = self._look()
        size, theme, title, beside = look.size, look.theme, look.title, look.beside_title
        try:
            if self._view.paint_both is not None:
                self._image = self._view.paint_both(self._made, size, theme, title, beside)
            else:
                large = self._view.paint_large if look.is_large else None
                self._image = (
                    screen_picture(lambda room: large(self._made, room, theme, title), size, theme)
                    if large is not None
                    else self._view.paint(self._made, size, theme, title)
                )
        except (PictureTooLargeError, MemoryError) as error:
            self._on_failed(error)
            return
        self._enable(is_ready=True)
        self._tell("", "muted")
        self._show_preview()

    def _look(self) -> DrawnLook:
        choice = ThemeChoice(self._theme.value)
        theme = self._current if choice is ThemeChoice.AUTO else theme_for(choice, desktop_is_dark=False)
        size, title, beside = self._size.currentData(), _typed(self._title), _typed(self._beside)
        return DrawnLook(size, theme, title, beside, self._large.isChecked())

    def _show_preview(self) -> None:
        if self._image is None:
            return
        ratio = self.devicePixelRatioF()
        small = self._image.scaled(
            self._preview.size() * ratio, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        )
        small.setDevicePixelRatio(ratio)
        self._preview.setPixmap(QPixmap.fromImage(small))

    @Slot()
    def _on_moment(self) -> None:
        """Take the view at the moment that is chosen."""
        if self._moment is not None:
            chosen = next(one.view for one in self._view.moments if one.name == self._moment.value)
            self._view = replace(chosen, moments=self._view.moments)
            self._make()

    @Slot()
    def _on_copy(self) -> None:
        image = self.image
        if image is not None:
            data = QMimeData()
            data.setImageData(image)
            put_on_clipboard(data)
            self._tell(f"Copied: {image.width()} × {image.height()} pixels.", "muted")

    @Slot()
    def _on_save(self) -> None:
        image = self.image
        if image is None:
            return
        self._write("Save picture", ".png", lambda: png_bytes(image))

    @Slot()
    def _on_pdf(self) -> None:
        draw, look, made = self._view.draw, self._look(), self._made
        if draw is None:
            return
        size = QSize(*look.size)
        titles = [look.title or self._view.title, look.beside_title or self._view.beside_title]
        title = " and ".join(filter(None, reversed(titles) if self._view.beside_is_left else titles))
        self._write("Save PDF", ".pdf", lambda: pdf_bytes(lambda painter: draw(made, painter, look), size, size, title))

    @Slot()
    def _on_csv(self) -> None:
        self._write("Save data", ".csv", lambda: as_csv(self._view.tables()).encode("utf-8", errors="backslashreplace"))

    def _write(self, title: str, suffix: str, data: Callable[[], bytes]) -> None:
        """Ask for a name and write a file."""
        path = save_asked(self, title, self._folder / f"{self._view.name}{suffix}", data, self._tell)
        if path is not None:
            self._folder = path.parent
            allow(self._open, "")
            self.folder_used.emit(path.parent)

    @Slot()
    def _on_more(self) -> None:
        self.reject()
        self.more_asked.emit(ThemeChoice(self._theme.value), self._large.isChecked() if self._has_large else None)

    def _enable(self, *, is_ready: bool) -> None:
        for button in (self._copy, self._pdf, self._save):
            allow(button, "" if is_ready else NOT_READY)

    def _tell(self, text: str, role: str) -> None:
        self._message.setText(text)
        if self._message.property("role") != role:
            self._message.setProperty("role", role)
            self._message.style().polish(self._message)


def _typed(field: QLineEdit) -> str:
    """A title as it is painted."""
    return visible(field.text().strip())
