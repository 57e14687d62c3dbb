"""What a save changed: totals, lines, and the versions of the kernel, below the text."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from gemmviz.domain.kernels.version_names import VersionNames
from gemmviz.explain.source.comparability import form_words, other_params_words, other_target_words, why_not_compared
from gemmviz.explain.source.line_changes import COMPARED, LineChange, figure_to_show
from gemmviz.explain.source.line_figures import MEANINGS, LineFigureKind
from gemmviz.explain.source.version_faults import faults_of
from gemmviz.explain.source.version_figures import (
    HAZARDS,
    NOT_CHECKED,
    NOT_COMPARED,
    REGISTERS,
    RESULT,
    UNKNOWN_BEFORE,
    FigureChange,
    Measured,
    by_weight,
    figure_changes,
)
from gemmviz.explain.source.version_lines import changes_between
from gemmviz.explain.source.worth import Worth
from gemmviz.gui.editor.changes_table import ChangesTable, TableRow
from gemmviz.gui.editor.status_lines import StatusLines
from gemmviz.gui.editor.version_rows import HEADS, version_rows
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.widgets.allowed import allow
from gemmviz.gui.widgets.fields import ComboBox
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel

NOTHING_YET = "Save the file (Ctrl+S). What the save changes appears here."
FIRST = "This is the first version. Change the text and save it. The changes appear here."
QUEUED = "This is an earlier version. The text of the file is examined after it."
EXAMINED = "The saved text is being examined. The changes appear here."
CHECK_AGAIN = "Check again"
PAGES = ("Totals", "Lines", "Versions")
_LEAST_LIST, _WIDEST_FIGURE = 72, 240
"""Pixels of a list at least, and of the list of figures at most."""


NO_VERSION = "Choose a version from the list first."
NEWEST_VERSION = "The other versions are compared with this one. Choose another version."
NOT_BOTH_RECORDED = "One of the two versions was not recorded, so that there are no two pictures to compare."


class ComparisonView(QWidget):
    """Shows two versions beside each other; which of them comes before can be chosen."""

    before_chosen = Signal(int)
    """The number of the version that a person wants to compare with."""
    line_chosen = Signal(int)
    """A line, from 1, that a person turned to."""
    lines_shown = Signal(object)
    """The LineChange of each line by its number, of one figure: for the margin."""
    check_asked = Signal(int)
    """To try again what was not checked of the version with this number."""
    take_back_asked = Signal(int)
    describe_asked = Signal()
    """To find out what the file computes, and describe it."""
    texts_asked = Signal(int)
    """To show what differs between the text of a version and the newest."""
    pictures_asked = Signal(int)
    """To play the recording of a version beside that of the newest."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("versionComparison")
        self._before: Measured | None = None
        self._after: Measured | None = None
        self._versions: tuple[Measured, ...] = ()
        self.file_texts: tuple[tuple[str, str], ...] = ()
        """The texts that the files of kernels have now, by which a version is the current one."""
        self._alone = FIRST
        self._checkable: Collection[int] = ()
        self._lines: tuple[LineChange, ...] = ()
        self._figure: LineFigureKind | None = None
        self._status = StatusLines()
        self._combo = named(ComboBox(), "versionBefore", "The version to compare with the current one", "Compare with")
        self._buttons = [_segment(name) for name in PAGES]
        heads: tuple[str, ...] = ("", "before", "after", "change")
        self.totals = ChangesTable("versionTotals", "Totals before and after", heads, 0, (0,))
        heads = ("line", "source", "before", "after", "change")
        self.lines = ChangesTable("versionLines", "Figures of lines before and after", heads, 1, (1,), code=1)
        self.versions = ChangesTable("versionList", "Versions of this kernel", HEADS, 1, (0, 1))
        self._margin = named(ComboBox(), "versionFigure", "The figure of the lines, here and beside the text", "Figure")
        self._takes = _button("versionTakeBack", "Restore text", "Put the text of this version into the editor")
        self._texts = _button("versionTexts", "Texts", "Show what differs in the text", "Compare texts")
        self._pictures = _button(
            "versionPictures", "Pictures", "Play both recordings beside each other", "Compare pictures"
        )
        self._pages, self._choices = QStackedWidget(), QWidget()
        self._lay_out()
        self._connect()
        self.show_status(NOTHING_YET)
        self.show_versions((), None, None)
        self._choose(0)

    @property
    def compared(self) -> tuple[Measured | None, Measured | None]:
        """The two versions that are compared."""
        return self._before, self._after

    def show_status(
        self, words: str, *, is_fault: bool = False, is_describable: bool = False, description: Path | None = None
    ) -> None:
        """Say what goes on, or how long it took; in the colour of errors why there is nothing to show.
        `is_describable`: the file lacks a description, which gemmviz can make; `description` is the file with one that
        is wrong.
        """
        self._status.show_status(words, is_fault=is_fault, is_describable=is_describable, description=description)

    def show_versions(
        self,
        versions: Sequence[Measured],
        before: Measured | None,
        after: Measured | None,
        alone: str = FIRST,
        *,
        checkable: Collection[int] = (),
    ) -> None:
        """Show the versions of a kernel, the oldest first, and two of them beside each other; `alone` is what is said
        where there is none before. What was not checked of versions whose numbers are `checkable` can be tried again.
        """
        self._checkable = checkable
        self._versions, self._before, self._after, self._alone = tuple(versions), before, after, alone
        for widget in (self._choices, self._pages):  # what is said stands at the top where there is nothing to show
            widget.setVisible(bool(versions))
        self._combo.refill(self._show_combo)
        self._show_faults()
        self._show_totals()
        self._show_lines()
        self._show_list()
        self._enable()

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        for table in (self.totals, self.lines, self.versions):
            table.set_theme(theme)

    def _lay_out(self) -> None:
        top, buttons = QHBoxLayout(), QHBoxLayout()
        top.addWidget(named(PlainLabel("Before → after"), role="strong"))
        top.addWidget(self._combo, 1)
        pages = QHBoxLayout(self._choices)
        pages.setContentsMargins(0, 0, 0, 0)
        pages.setSpacing(4)
        for button in self._buttons:
            pages.addWidget(button)
        for combo in (self._margin, self._combo):  # in a narrow panel these are cut, and no button is
            combo.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            combo.setMinimumWidth(_LEAST_LIST)  # less than Qt asks for
        self._margin.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._margin.setMaximumWidth(_WIDEST_FIGURE)
        pages.addWidget(self._margin, 1)
        pages.addStretch()
        for widget in (self._takes, PlainLabel("Compare:"), self._texts, self._pictures):
            buttons.addWidget(widget)
        buttons.addStretch(1)
        versions = QWidget()
        column = QVBoxLayout(versions)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.versions, 1)
        column.addLayout(buttons)
        for page in (self.totals, self.lines, versions):
            self._pages.addWidget(page)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(12, 4, 12, 8)
        whole.setSpacing(4)
        whole.addLayout(top)
        whole.addWidget(self._choices)
        whole.addWidget(self._pages, 1)
        whole.addWidget(self._status)  # below: no row moves under the mouse when its text gets longer or shorter

    def _connect(self) -> None:
        for place, button in enumerate(self._buttons):
            button.clicked.connect(lambda _checked=False, place=place: self._choose(place))
        self._combo.activated.connect(lambda place: self.before_chosen.emit(self._combo.itemData(place)))
        self._margin.activated.connect(self._on_figure)
        self.lines.chosen.connect(lambda line: self.line_chosen.emit(line) if line else None)
        self.versions.chosen.connect(lambda _: self._enable())
        self._status.describe_asked.connect(self.describe_asked)
        self.totals.button_pressed.connect(lambda data: self.check_asked.emit(data[1]))
        for button, signal in (
            (self._takes, self.take_back_asked),
            (self._texts, self.texts_asked),
            (self._pictures, self.pictures_asked),
        ):
            button.clicked.connect(lambda _checked=False, signal=signal: signal.emit(self._chosen))

    @property
    def names(self) -> VersionNames:
        """What the versions that are shown are called."""
        return VersionNames(tuple(one.version for one in self._versions), file_texts=self.file_texts)

    @property
    def _chosen(self) -> int:
        """The number of the version that is chosen in the list, else of the one that is compared with."""
        row = self.versions.chosen_row
        if row is not None and isinstance(row.data, int):
            return row.data
        return self._before.version.number if self._before is not None else 0

    def _choose(self, place: int) -> None:
        self._pages.setCurrentIndex(place)
        for number, button in enumerate(self._buttons):
            button.setChecked(number == place)
            button.updateGeometry()  # a chosen one has bolder, wider letters

    def _show_combo(self) -> None:
        after, names = self._after.version.number if self._after is not None else 0, self.names
        with QSignalBlocker(self._combo):
            self._combo.clear()
            for one in reversed(self._versions):
                if one.version.number != after:
                    self._combo.addItem(f"with {names.with_time(one.version)}", one.version.number)
            number = self._before.version.number if self._before is not None else 0
            self._combo.setCurrentIndex(self._combo.place_of(number))
        self._combo.setVisible(self._before is not None)

    def _show_faults(self) -> None:
        faults = faults_of(self._after.version) if self._after is not None else ()
        found = [_of_version(self._after, _first_sentence(words)) for words in faults]
        if self._after is not None and self._before is not None:
            versions = self._before.version, self._after.version
            other_target, other_params = other_target_words(*versions), other_params_words(*versions)
            again = f" Press {CHECK_AGAIN} to compile and record version {self._before.version.number} for it, too."
            can_again = self._before.version.number in self._checkable
            found.append(f"{other_target}{again * can_again}" if other_target else "")
            other_recording = why_not_compared(self._before.trace, self._after.trace)
            found.append(other_params or ("" if other_target else other_recording))
        if self._after is not None and self._before is None:
            found.append(self._alone if len(self._versions) < 2 else "")
        self._status.show_faults("\n".join(filter(None, found)), "\n".join(faults))

    def _show_totals(self) -> None:
        changes = figure_changes(self._before, self._after) if self._after is not None else ()
        alone = self._before is None
        rows = []
        for one in changes if alone else by_weight(changes):
            before, change = ("", "") if alone else (one.before, _with_word(one.change, one.worth))
            worth = Worth.SAME if alone else one.worth
            number = self._number_to_check(one)
            button = CHECK_AGAIN if number in self._checkable else ""
            if number and self._is_unchecked(one):
                before, change = (NOT_CHECKED, "") if one.change == UNKNOWN_BEFORE else (before, "")
            change = "" if button else change  # the button stands in its place
            texts = one.name, before, one.after, change
            rows.append(TableRow(texts, worth, one.tip, (one.name, number), button))
        traces = [one.trace if one is not None else None for one in (self._before, self._after)]
        code = self._after.version.compilation if self._after is not None else None
        target = f"for {code.gpu_words}" if code is not None else ""
        self.totals.show_head(0, ", ".join(filter(None, (form_words(*traces), target))))  # the end may be cut
        self.totals.show_rows(rows)

    def _number_to_check(self, change: FigureChange) -> int:
        """The number of the version of which it is not known whether it is right, or of the one before where it was
        compiled for another target; 0 for none.
        """
        if self._after is not None and change.after == NOT_CHECKED:
            return self._after.version.number
        is_of_other_target = (
            self._after is not None
            and (change.name, change.change) == (REGISTERS.name, NOT_COMPARED)
            and self._before is not None
            and bool(other_target_words(self._before.version, self._after.version))
        )
        is_asked = is_of_other_target or self._is_unchecked(change)
        return self._before.version.number if is_asked and self._before is not None else 0

    @staticmethod
    def _is_unchecked(change: FigureChange) -> bool:
        """Whether it is not known of one of the versions whether it is right."""
        is_asked = change.name in (HAZARDS.name, RESULT.name) and change.change == UNKNOWN_BEFORE
        return is_asked or change.after == NOT_CHECKED

    def _show_lines(self) -> None:
        self._lines = changes_between(self._before, self._after)
        there = [figure for figure in COMPARED if any(one.figure is figure for one in self._lines)]
        kept = self._figure
        shown = kept if kept is not None and kept in there else figure_to_show(self._lines)
        with QSignalBlocker(self._margin):
            self._margin.clear()
            for figure in there:
                self._margin.addItem(MEANINGS[figure].name, figure)
            self._margin.setCurrentIndex(self._margin.place_of(shown))
        self._margin.setVisible(bool(there))
        self._show_figure(shown)

    def _show_figure(self, figure: LineFigureKind) -> None:
        of_figure = [one for one in self._lines if one.figure is figure]
        self.lines.show_rows(
            [
                TableRow(
                    (
                        str(one.line) if one.line else f"({one.before_line})",
                        one.code.strip(),
                        *one.cells,
                        _with_word(one.change, one.worth),
                    ),
                    one.worth,
                    one.tip,
                    one.line,
                )
                for one in of_figure
            ]
        )
        self.lines_shown.emit({one.line: one for one in of_figure if one.line})

    def _show_list(self) -> None:
        found = version_rows(self._versions, self.names)
        for column, head in enumerate(found.heads):
            self.versions.show_head(column, head)
        self.versions.show_rows(found.rows, found.goes_first)

    def _enable(self) -> None:
        number = self._chosen
        chosen = next((one for one in self._versions if one.version.number == number), None)
        is_other = chosen is not None and self._after is not None and number != self._after.version.number
        none = "" if chosen is not None else NO_VERSION
        same = none or ("" if is_other else NEWEST_VERSION)
        has_both = bool(chosen and chosen.trace and self._after and self._after.trace)
        allow(self._takes, none)
        allow(self._texts, same)
        allow(self._pictures, same or ("" if has_both else NOT_BOTH_RECORDED))

    @Slot(int)
    def _on_figure(self, place: int) -> None:
        self._figure = LineFigureKind(self._margin.itemData(place))
        self._show_figure(self._figure)


def _with_word(change: str, worth: Worth) -> str:
    """A change with the word for what it is worth, unless that is unknown; nothing changed is "="."""
    if worth is Worth.SAME:
        return "="
    if worth is Worth.UNKNOWN:
        return change
    return ", ".join(filter(None, (change, worth)))


def _segment(name: str) -> QPushButton:
    button = named(QPushButton(name), f"versions{name}", f"Show {name.lower()}", role="segment")
    button.setCheckable(True)
    button.setAutoDefault(False)
    return button


def _button(name: str, words: str, tip: str, spoken: str = "") -> QPushButton:
    button = named(QPushButton(words), name, tip, spoken or words, role="quiet")
    button.setAutoDefault(False)
    return button


def _of_version(measured: Measured | None, words: str) -> str:
    """Words about a version that name it: the text in the editor may be a later one."""
    return f"Version {measured.version.number}: {words[:1].lower()}{words[1:]}" if measured is not None else words


def _first_sentence(words: str) -> str:
    """What happened; what may be done about it would leave the figures no room."""
    head, dot, _ = words.partition(". ")
    return f"{head}." if dot else head
