"""What was found out about the kernels of a file: to read, to copy, and to take back where it was written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from itertools import takewhile
from pathlib import Path

from PySide6.QtCore import QEvent, QSize, Qt, QUrl, Signal, Slot
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QTextBrowser, QVBoxLayout, QWidget

from gemmviz.adopt.finding import KernelFinding
from gemmviz.adopt.reasons import line_places
from gemmviz.adopt.report import LEFT_OUT, headline_of, parts_of
from gemmviz.catalogue.header import beside_file
from gemmviz.catalogue.loader import MOST_BYTES
from gemmviz.catalogue.values.values_left_out import ValueLeftOut, left_out_lines
from gemmviz.domain.files.bounded_read import ReadError, read_text
from gemmviz.domain.visible_text import visible, visible_layout
from gemmviz.gui.kernels.described import text_of
from gemmviz.gui.looks.fonts import FIGURES
from gemmviz.gui.widgets.allowed import allow, set_tip
from gemmviz.gui.widgets.dialog_size import fit_screen
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import copy_text, title_text
from gemmviz.gui.work.window_words import in_window

WHAT_WAS_FOUND = "What was found"
NOT_WRITTEN = "Nothing is written beside the file"
TAKE_BACK = "Delete the description"
LOOK_AGAIN = "Look again"
_SIZE = QSize(820, 680)
_HEADING = 120
"""Pixels of the column of headings."""
_LINE = re.compile(r"\bline (\d+)\b")
"""A line of the file, where a sentence names one."""


@dataclass(frozen=True, slots=True)
class FoundReport:
    """What was found in a file, the kernel that was described first; `written` is the text of the description beside
    the file, "" where there is none. Without kernels only that text is known, whoever wrote it, and the values that it
    leaves out. `source` is the text of the file when it was looked at; "" where that is not known.
    """

    path: Path
    kernels: tuple[KernelFinding, ...] = ()
    written: str = ""
    source: str = ""
    left_out: tuple[ValueLeftOut, ...] = ()

    @property
    def description(self) -> Path:
        """Where the description of the file stands, or would stand."""
        return beside_file(self.path)

    @property
    def is_as_written(self) -> bool:
        """Whether the description is on the disk with that text."""
        try:
            return bool(self.written) and read_text(self.description, MOST_BYTES) == self.written
        except ReadError:
            return False

    @property
    def outdated_words(self) -> str:
        """That the file was changed since it was looked at, or since its description was written, where no more is
        known; "" where it was not.
        """
        if self.source:
            return f"This is of an earlier version of {self.path.name}." if text_of(self.path) != self.source else ""
        if not self.written or self.kernels or not _is_newer(self.path, self.description):
            return ""
        return f"{self.path.name} was changed after {self.description.name} was written."

    @property
    def no_deletion(self) -> str:
        """Why gemmviz does not delete the description, "" if it may: it wrote it since the window opened."""
        name = self.description.name
        if self.written and not self.kernels:
            return f"{name} was written before this window opened, perhaps by hand: delete the file yourself."
        return "" if self.is_as_written else f"{name} is not there, or was changed since gemmviz wrote it."

    @property
    def written_words(self) -> str:
        """Where the description is, or that there is none."""
        name = self.description.name
        if not self.is_as_written:
            return NOT_WRITTEN
        return f"Written beside the file: {name}" if self.kernels else f"Beside the file: {name}"

    @property
    def text(self) -> str:
        """Everything, as plain text."""
        told = [_kernel_text(one, self.path) for one in self.kernels]
        head = f"{self.path.name}. {self.written_words}"
        return in_window("\n\n".join(filter(None, (self.outdated_words, head, *told, self.written))))

    @property
    def sentences(self) -> tuple[str, ...]:
        """What the description says in words, in the comment that it begins with."""
        comments = takewhile(lambda line: line.startswith("#"), self.written.splitlines())
        return tuple(filter(None, (line.lstrip("# ").strip() for line in comments)))


class FoundDialog(QDialog):
    """Shows a report beside the window.

    Signals:
        line_asked(path, number): a line of the file, from 1, that a person wants to see.
        taken_back(path): the description that gemmviz wrote of a file was deleted.
        look_asked(path): a file is to be looked at again.
    """

    line_asked = Signal(object, int)
    taken_back = Signal(object)
    look_asked = Signal(object)

    def __init__(self, report: FoundReport, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("foundDialog")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._report = report
        self._outdated = named(PlainLabel(wordWrap=True), "foundOutdated", role="refusal")
        self._look = named(QPushButton(LOOK_AGAIN), "foundLookAgain")
        self._written = named(PlainLabel(wordWrap=True), "foundWritten", role="muted")
        self._page = named(QTextBrowser(openLinks=False), "foundPage", says="What was found")
        self._page.setTabChangesFocus(True)
        self._page.anchorClicked.connect(self._on_anchor)
        self._copy = named(QPushButton("Copy"), "foundCopy", "Copy everything as text")
        self._take_back = named(QPushButton(TAKE_BACK), "foundTakeBack")
        self._close = named(QPushButton("Close"), "foundClose", "Close", role="primary")
        self._copy.clicked.connect(lambda: copy_text(self._report.text))
        self._take_back.clicked.connect(self._on_take_back)
        self._close.clicked.connect(self.close)
        self._look.clicked.connect(lambda: self.look_asked.emit(self._report.path))
        self._close.setDefault(True)
        self._lay_out()
        self.show_report(report)
        fit_screen(self, _SIZE)
        self._close.setFocus()

    @property
    def report(self) -> FoundReport:
        """What is shown."""
        return self._report

    def show_report(self, report: FoundReport) -> None:
        """Show another report."""
        self._report = report
        self.setWindowTitle(title_text(f"{WHAT_WAS_FOUND} in {report.path.name}"))
        self._written.setText(report.written_words)
        self.show_whether_outdated()
        self._show_page()
        name = report.description.name
        set_tip(self._take_back, f"Delete {name}: the kernel then has no description")
        allow(self._take_back, report.no_deletion)

    def show_whether_outdated(self) -> None:
        """Say at the top where the file was changed since it was looked at."""
        words = self._report.outdated_words
        self._outdated.setText(words)
        for part in (self._outdated, self._look):
            part.setVisible(bool(words))
        set_tip(self._look, f"Find out what {self._report.path.name} computes now")

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.ActivationChange and self.isActiveWindow():
            self.show_whether_outdated()
        if event.type() is QEvent.Type.PaletteChange:
            self._show_page()

    def _show_page(self) -> None:
        role, palette = QPalette.ColorRole, self.palette()
        link, muted = palette.color(role.Link).name(), palette.color(role.PlaceholderText).name()
        code = f"pre {{ font-family: '{FIGURES}'; white-space: pre-wrap }}"
        sheet = f"a {{ color: {link} }} .head {{ color: {muted} }} {code}"
        self._page.document().setDefaultStyleSheet(sheet)
        self._page.setHtml(_html(self._report))

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in (self._take_back, self._copy, self._look):
            button.setAutoDefault(False)
        buttons.addWidget(self._take_back)
        buttons.addStretch(1)
        buttons.addWidget(self._copy)
        buttons.addWidget(self._close)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 16)
        column.setSpacing(12)
        top = QHBoxLayout()
        top.addWidget(self._outdated, 1)
        top.addWidget(self._look)
        column.addLayout(top)
        column.addWidget(self._page, 1)
        column.addWidget(self._written)
        column.addLayout(buttons)

    @Slot(QUrl)
    def _on_anchor(self, link: QUrl) -> None:
        self.line_asked.emit(self._report.path, int(link.path()))

    @Slot()
    def _on_take_back(self) -> None:
        if not self._report.no_deletion:
            try:
                self._report.description.unlink(missing_ok=True)
            except OSError as error:
                self._written.setText(f"{self._report.description.name} cannot be deleted: {error.strerror}")
                return
            self.taken_back.emit(self._report.path)
        self.show_report(self._report)


def _is_newer(one: Path, other: Path) -> bool:
    """Whether a file was changed after another one was."""
    try:
        return one.stat().st_mtime > other.stat().st_mtime
    except OSError:
        return False


def _kernel_text(one: KernelFinding, path: Path) -> str:
    lines = [f"{one.kernel} (line {one.line}): {headline_of(one)}"]
    lines += [f"  {part.lead}{line_places(words, path)}" for part in parts_of(one) for words in part.sentences]
    return "\n".join(lines)


def _html(report: FoundReport) -> str:
    rows = "".join(_kernel_rows(one, report.path) for one in report.kernels)
    if not report.kernels:
        said = {"Description": report.sentences, LEFT_OUT: left_out_lines(report.left_out)}
        rows = "".join(_row(heading, "".join(map(_sentence, told))) for heading, told in said.items() if told)
    if report.written:
        name, text = visible(report.description.name), visible_layout(report.written)
        rows += _row(name, f"<pre>{escape(text)}</pre>")
    return f'<table width="100%" cellspacing="0" cellpadding="4">{rows}</table>'


def _kernel_rows(one: KernelFinding, path: Path) -> str:
    """The rows of a table: what a kernel is, then a row for each part of what was found."""
    name, headline = escape(visible(one.kernel)), headline_of(one)
    head = (
        f"<h3>{name} ({_with_links(f'line {one.line}')})</h3><p>{_with_links(headline[:1].upper() + headline[1:])}</p>"
    )
    parts = (
        _row(part.heading, "".join(_sentence(line_places(words, path)) for words in part.sentences))
        for part in parts_of(one)
    )
    return f'<tr><td colspan="2">{head}</td></tr>{"".join(parts)}'


def _row(heading: str, html: str) -> str:
    return f'<tr><td width="{_HEADING}" class="head">{escape(heading)}</td><td>{html}</td></tr>'


def _sentence(words: str) -> str:
    return f'<p style="margin: 0 0 4px">{_with_links(words)}</p>'


def _with_links(words: str) -> str:
    """A sentence as the window says it, with a link at each line of the file that it names."""
    said = escape(visible(in_window(words)))
    return _LINE.sub(lambda found: f'<a href="{found.group(1)}">{found.group(0)}</a>', said)
