"""The view of what each setting of a kernel takes and does, as far as that is known without a GPU."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from gemmviz.domain.figures import counted
from gemmviz.domain.kernels.examined_sweep import ExaminedSweep
from gemmviz.domain.spec import Params, format_params
from gemmviz.domain.visible_text import visible
from gemmviz.explain.figures.figure import PlotTable
from gemmviz.explain.figures.settings import (
    HEADS_MEAN,
    NO_SETTINGS,
    notes_of_sweep,
    same_words,
    setting_rows,
    settings_head,
    settings_of_sweep,
    settings_table,
    sweep_words,
)
from gemmviz.explain.figures.settings_code import form_note
from gemmviz.explain.source.version_figures import Measured
from gemmviz.gui.charts.page import Page
from gemmviz.gui.charts.page_spec import ChartSpec
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.sweep.shown_sweep import ShownSweep
from gemmviz.gui.sweep.table import SettingsTable
from gemmviz.gui.sweep.values_row import ValuesRow
from gemmviz.gui.widgets.allowed import allow, set_tip
from gemmviz.gui.widgets.fields import ComboBox
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.on_screen import only_on_screen
from gemmviz.gui.widgets.plain_text import action_text, plain_text
from gemmviz.gui.work.device_status import BAR_WIDTH

_TIP = "Compile each setting, record one block on the PTX machine and check a small product. No GPU is needed"
_MOST_FAULTS = 4
_MOST_LETTERS = 24
"""Of a setting on a button: a longer one leaves the title no room."""
Names = tuple[str, ...]


class SettingsPage(Page):
    """Shows the settings of one sweep, each as soon as it is examined.

    Signals:
        examine_asked(), cancel_asked(): a button was pressed.
        names_changed(): other parameters are to be swept, or other values of them.
        sweeps_changed(): the session keeps other sweeps than before.
        use_asked(kernel, params): the setting that the experiment should take.
        write_asked(): what the sweep shows of further values should go to the kernel's description.
    """

    filled_by = frozenset()
    examine_asked = Signal()
    cancel_asked = Signal()
    names_changed = Signal()
    sweeps_changed = Signal()
    use_asked = Signal(str, object)
    write_asked = Signal()

    def __init__(self, theme: Theme = LIGHT, parent: QWidget | None = None) -> None:
        super().__init__("settingsView", "Figures of the settings", theme, parent)
        self._choice = ShownSweep()
        self._said: tuple[str, ...] = ()
        self._choices: tuple[Names, ...] = ()
        self._notes_of_rows: tuple[str, ...] = ()
        self._progress = ""
        self._can_write = False
        self._make_widgets()
        self._lay_out()
        self.renew()

    @property
    def is_blank(self) -> bool:
        return self._choice.sweep is None

    @property
    def choice(self) -> ShownSweep:
        """The sweeps to show."""
        return self._choice

    @property
    def settings(self) -> tuple[Measured, ...]:
        """What is shown."""
        return settings_of_sweep(self._choice.sweep) if self._choice.sweep is not None else ()

    @property
    def said(self) -> tuple[str, ...]:
        """What is said first below the figures."""
        return self._said

    @property
    def names(self) -> Names:
        """The parameters that are to be swept; () for one setting."""
        place = self._combo.currentIndex()
        return self._choices[place] if 0 <= place < len(self._choices) else ()

    def show_choices(self, choices: Sequence[tuple[Names, str]], first: int = -1) -> None:
        """The parameters that can be swept, and their words; the choice stays where it is still there, else that at
        place `first` is shown.
        """
        was = self.names if self._choices else None
        self._choices = tuple(names for names, _ in choices)
        self._combo.blockSignals(True)
        self._combo.clear()
        self._combo.addItems([visible(words) for _, words in choices])
        self._combo.setCurrentIndex(
            self._choices.index(was) if was is not None and was in self._choices else first % max(len(choices), 1)
        )
        self._combo.blockSignals(False)
        self._combo.setVisible(len(choices) > 1)

    def show_writing(self, words: str, tip: str, reason: str) -> None:
        """What the button to write says, "" to hide it, its tooltip, and why it cannot be pressed, "" where it can."""
        self._can_write = bool(words)
        self.write.setText(action_text(words))
        allow(self.write, reason)
        set_tip(self.write, tip)
        self.write.setVisible(self._can_write and not self._progress)

    def set_readiness(self, words: str, reason: str) -> None:
        """What the button says, and why it cannot be pressed, "" where it can."""
        self.examine.setText(action_text(words))
        self.examine.setEnabled(not reason)
        self.examine.setToolTip(plain_text(f"{_TIP}\n{reason}" if reason else _TIP))
        self.examine.setAccessibleDescription(reason or _TIP)

    def show_sweeps(self, sweeps: Sequence[ExaminedSweep]) -> None:
        """Show the newest of these, or the one that a person chose as long as no other came."""
        if self._choice.take(sweeps):
            self.sweeps_changed.emit()
            self.renew()

    def show_choice(
        self, place: int, unfinished: ExaminedSweep | None, said: Sequence[str], swept: Sequence[str] = ()
    ) -> None:
        """Show the sweep at a place, or one that is not finished and sweeps these parameters, and say this of it."""
        self._choice.choose(place)
        self._choice.unfinished, self._choice.swept, self._said = unfinished, tuple(swept), tuple(said)
        self.renew()

    def show_progress(self, words: str, done: int = 0, count: int = 0) -> None:
        """Say what is being examined, and how many settings of all are; "" once nothing is."""
        self._progress = words
        self.examine.setVisible(not words)
        self.values.setEnabled(not words)
        self.write.setVisible(self._can_write and not words)
        self._combo.setVisible(not words and len(self._choices) > 1)
        self.cancel.setVisible(bool(words))
        self._bar.setVisible(bool(words))
        self._empty.show_button(not words)
        self._bar.setRange(0, count)
        self._bar.setValue(done)
        self._bar.setToolTip(plain_text(words))
        self.renew()

    def tables(self) -> tuple[PlotTable, ...]:
        return (settings_table(self.settings),) if self.settings else ()

    def set_for_picture(self, wanted: bool, width: int = 0, *, large: bool = False) -> None:
        del width, large
        self.refresh()
        for widget in (self.controls, self.of_shown):
            widget.setVisible(not wanted)
        self.values.setVisible(not wanted and bool(self.values.controls))
        self.table.set_for_picture(wanted)

    def picture_height(self, width: int) -> int:
        del width
        self.refresh()
        rows = self.table.rowCount() * self.table.verticalHeader().defaultSectionSize()
        return self._title.sizeHint().height() + self.table.horizontalHeader().height() + rows + 160

    def restyle(self, theme: Theme) -> None:
        super().restyle(theme)
        self.table.set_theme(theme)
        self.values.set_theme(theme)

    def fill(self) -> None:
        sweep, settings = self._choice.sweep, self.settings
        is_there = bool(settings)
        self._empty.words.setText(f"Examining {self._progress} …" if self._progress else NO_SETTINGS)
        self._empty.setVisible(not is_there)
        self.table.setVisible(is_there)
        kernel = settings[0].version.kernel if is_there else ""
        swept = self._choice.swept
        head = settings_head(settings, swept)
        self.write_title(f"Figures over {head}: {kernel}" if is_there else "Figures of each setting")
        self.write_subtitle(sweep_words(sweep, swept) if sweep is not None and is_there else "")
        self.write_evidence("recorded" if is_there else "")
        self._evidence.setVisible(is_there)
        rows = setting_rows(settings, swept)
        self.table.show_rows(head, rows)
        faults = [f"{row.name}: {fault}" for row in rows for fault in row.faults]
        if len(faults) > _MOST_FAULTS:
            faults = [*faults[: _MOST_FAULTS - 1], f"{len(faults) - _MOST_FAULTS + 1} more: point at the rows"]
        going_on = (f"Examining {self._progress}",) if self._progress else ()
        of_sweep = notes_of_sweep(sweep) if sweep is not None else ()
        of_form = filter(None, (form_note(settings),))
        same = filter(None, (same_words(rows),))
        self._notes_of_rows = (*going_on, *self._said, *same, *faults, *of_sweep, *of_form) if is_there else ()
        self._write_notes()
        self.of_shown.setMinimumHeight(self.use.sizeHint().height())  # no row moves under the mouse once one is chosen
        self.setAccessibleDescription("" if is_there else NO_SETTINGS)
        self._offer()

    @Slot()
    def _write_notes(self) -> None:
        """Say what is doubtful, what the columns mean, and how many have no room."""
        hidden = self.table.columns_without_room
        more = (f"{counted(hidden, 'more column')} in the window and in the CSV file",) if hidden else ()
        self.write_notes((*self._notes_of_rows, *more, HEADS_MEAN) if self._notes_of_rows or not self.is_blank else ())

    @Slot()
    def _offer(self) -> None:
        """Let the button name the setting that is chosen."""
        place = self.table.chosen_place
        settings = self.settings
        is_one = place is not None and place < len(settings)
        self.use.setVisible(is_one and not self._progress)
        if is_one and place is not None:
            words = f"Use {format_params(settings[place].version.params)}"
            self.use.setText(action_text(words if len(words) <= _MOST_LETTERS else "Use this setting"))
            self.use.setToolTip(plain_text(f"{words}: set it up in the experiment"))

    @Slot()
    def _on_use(self) -> None:
        place = self.table.chosen_place
        if place is not None:
            version = self.settings[place].version
            params: Params = version.params
            self.use_asked.emit(version.kernel, params)

    def _make_widgets(self) -> None:
        self.controls, self.of_shown = QWidget(), QWidget()  # what is examined next; what is done with what is shown
        for widget in (self.controls, self.of_shown):
            only_on_screen(widget)
        self._combo = named(ComboBox(), "settingsCombo", "Which parameters take each of their values")
        self._combo.currentIndexChanged.connect(lambda _place: self.names_changed.emit())
        self.values = ValuesRow(self._theme)
        only_on_screen(self.values)
        self.values.changed.connect(self.names_changed)
        self.write = named(QPushButton(), "settingsWrite", role="outlined")
        self.write.clicked.connect(self.write_asked)
        self.examine = named(QPushButton("Examine settings"), "settingsButton", role="outlined")
        self.cancel = named(
            QPushButton("Cancel"), "settingsCancel", "Stop; what is examined stays", "Cancel the sweep", "stop"
        )
        self.use = named(QPushButton("Use"), "settingsUse", role="outlined")
        self._bar = named(QProgressBar(textVisible=False), "settingsProgress", says="Settings that are examined")
        self._bar.setFixedWidth(BAR_WIDTH)
        for widget in (self.cancel, self.use, self.write, self._bar):
            widget.hide()
        for button in (self.examine, self.cancel, self.use, self.write):
            button.setAutoDefault(False)
        self.examine.clicked.connect(self.examine_asked)
        self.cancel.clicked.connect(self.cancel_asked)
        self.use.clicked.connect(self._on_use)
        self.table = SettingsTable()
        self.table.itemSelectionChanged.connect(self._offer)
        self.table.columns_fitted.connect(self._write_notes)

    def _lay_out(self) -> None:
        row, shown = QHBoxLayout(self.controls), QHBoxLayout(self.of_shown)
        for each in (row, shown):
            each.setContentsMargins(0, 0, 0, 0)
            each.setSpacing(8)
        row.addWidget(self._bar, 0, Qt.AlignmentFlag.AlignVCenter)
        for widget in (self._combo, self.cancel, self.examine):
            row.addWidget(widget)
        for widget in (self.use, self.write):
            shown.addWidget(widget)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 16, 24, 12)
        layout.setSpacing(6)
        heading, beside_title = self.heading()
        beside_title.addWidget(self.of_shown)
        layout.addLayout(heading)
        to_examine = QHBoxLayout()
        to_examine.setSpacing(12)
        to_examine.addWidget(self.values, 1)
        to_examine.addStretch(0)
        to_examine.addWidget(self.controls, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(to_examine)
        layout.addWidget(self.table, 100)
        layout.addWidget(self._empty, 100)
        layout.addWidget(self._notes)
        order = self.use, self.write, self.values, self._combo, self.examine, self.cancel, self.table
        for before, after in pairwise(order):
            QWidget.setTabOrder(before, after)


def _copy(live: SettingsPage, twin: SettingsPage) -> None:
    sweep = live.choice.sweep
    twin.show_sweeps((sweep,) if sweep is not None else ())
    twin.show_choice(0, None, live.said, live.choice.swept)


SETTINGS_CHART = ChartSpec(
    SettingsPage,
    lambda page, session, _charted: page.show_sweeps(session.sweeps),
    copy=_copy,
)
