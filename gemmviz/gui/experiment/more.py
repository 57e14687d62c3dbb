"""The settings that are rarely touched: fill, seed, mode, limits."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPointF, Qt, Signal, Slot
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QFormLayout, QToolButton, QVBoxLayout, QWidget

from gemmviz.domain.terms import Fill, Mode
from gemmviz.gui.experiment.words import FILL_WORDS, MODE_WORDS, budget_tooltip, seed_refusal, summary
from gemmviz.gui.looks.fonts import SMALL, words
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.widgets.drawn_marks import draw_chevron
from gemmviz.gui.widgets.plain_fields import FIELD_POINTS, ChoiceBox, Seconds, Whole
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import plain_text
from gemmviz.gui.widgets.segments import NarrowRow, Segment
from gemmviz.gui.widgets.wrapped_text import heading_font
from gemmviz.gui.work.experiment import BUDGETS_S, LAUNCH_LIMITS_S, SEEDS, Experiment

_SEED_TOOLTIP = "The start of the random numbers; the same seed gives the same A and B everywhere"


class MoreButton(QToolButton):
    """Opens and closes the section; at its right end what is set while it is closed."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("moreButton")
        self.setText("More")
        self.setAccessibleName("More settings")
        self.setToolTip("Fill, seed, cold or hot caches, time limits")
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(self.sizePolicy().Policy.Expanding, self.sizePolicy().Policy.Fixed)
        self.setFixedHeight(26)
        self._theme, self._summary = theme, ""

    def show_summary(self, words_now: str) -> None:
        self._summary = words_now
        self.setAccessibleDescription(words_now)
        self.update()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.hasFocus():
            painter.setPen(QColor(self._theme.accent))
            painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1), 4, 4)
        middle = self.height() / 2
        draw_chevron(painter, QPointF(6, middle), QColor(self._theme.muted), points_down=self.isChecked())
        painter.setPen(QColor(self._theme.muted))
        painter.setFont(heading_font())
        painter.drawText(self.rect().adjusted(16, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, self.text())
        if not self.isChecked():
            painter.setFont(words(SMALL))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, self._summary)
        painter.end()


class MoreSection(QWidget):
    """`edited` has the whole experiment with one setting changed; `opened` tells that the settings are in sight."""

    edited = Signal(object)
    opened = Signal()

    def __init__(self, experiment: Experiment, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("moreSection")
        self._experiment = experiment
        self.button = MoreButton(theme)
        self.fill = ChoiceBox("fillCombo", "Fill", "How the elements of A and B are made")
        for fill, (title, meaning) in FILL_WORDS.items():
            self.fill.offer(title, fill.value, meaning)
        self.seed = Whole("seedSpin", "Seed", _SEED_TOOLTIP, int(SEEDS[0]), int(SEEDS[1]))
        modes = [Segment("", title, meaning, f"Mode {title}") for title, meaning in (MODE_WORDS[mode] for mode in Mode)]
        self.mode = NarrowRow(modes, words(FIELD_POINTS))
        self.mode.setObjectName("modeSelector")
        self.mode.setAccessibleName("Mode")
        self.budget = Seconds("budgetSpin", "Budget", budget_tooltip(experiment), *BUDGETS_S)
        self.limit = Seconds(
            "launchLimitSpin", "Time limit", "The longest time that one launch may take", *LAUNCH_LIMITS_S
        )
        self._body = QWidget()
        form = QFormLayout(self._body)
        form.setContentsMargins(0, 4, 0, 0)
        form.setHorizontalSpacing(12)
        form.setVerticalSpacing(8)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignVCenter)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for title, control in (
            ("Fill", self.fill),
            ("Seed", self.seed),
            ("Caches", self.mode),
            ("Budget", self.budget),
            ("Time limit", self.limit),
        ):
            label = PlainLabel(title)
            label.setFont(words(SMALL))
            label.setProperty("role", "muted")
            label.setBuddy(control)
            form.addRow(label, control)
        self._body.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.button)
        column.addWidget(self._body)
        self.button.toggled.connect(self._on_toggled)
        self.fill.currentIndexChanged.connect(self._on_edited)
        self.seed.valueChanged.connect(self._on_edited)
        self.mode.chosen.connect(self._on_edited)
        self.budget.valueChanged.connect(self._on_edited)
        self.limit.valueChanged.connect(self._on_edited)
        self.show_experiment(experiment)

    @property
    def controls(self) -> tuple[QWidget, ...]:
        """What takes the keyboard, in order."""
        return (self.button, self.fill, self.seed, *self.mode.buttons, self.budget, self.limit)

    def show_experiment(self, experiment: Experiment) -> None:
        """Show the settings; nothing is emitted."""
        self._experiment = experiment
        controls = (self.fill, self.seed, self.budget, self.limit)
        before = [control.blockSignals(True) for control in controls]
        self.fill.setCurrentIndex(list(FILL_WORDS).index(experiment.fill))
        self.seed.setValue(min(experiment.seed, int(SEEDS[1])))
        self.budget.setValue(experiment.budget_s)
        self.limit.setValue(experiment.launch_limit_s)
        for control, was_blocked in zip(controls, before, strict=True):
            control.blockSignals(was_blocked)
        self.mode.show_current(list(Mode).index(experiment.mode))
        self.fill.setToolTip(plain_text(FILL_WORDS[experiment.fill][1]))
        refusal = seed_refusal(experiment.fill)
        self.seed.setEnabled(not refusal)
        self.seed.setToolTip(plain_text(refusal or _SEED_TOOLTIP))
        self.seed.setAccessibleDescription(refusal)
        self.budget.setEnabled(not experiment.is_quick)
        self.budget.setToolTip(plain_text(budget_tooltip(experiment)))
        self.button.show_summary(summary(experiment))

    def set_theme(self, theme: Theme) -> None:
        self.button.set_theme(theme)

    @Slot(bool)
    def _on_toggled(self, is_open: bool) -> None:
        self._body.setVisible(is_open)
        if is_open:
            self.opened.emit()

    @Slot()
    def _on_edited(self) -> None:
        """Only what differs from what is shown is new: the seed shown may be a shortened one."""
        now, shown = self._experiment, min(self._experiment.seed, int(SEEDS[1]))
        is_same_limit = self.limit.value() == round(now.launch_limit_s, 1)
        self.edited.emit(
            replace(
                now,
                fill=Fill(self.fill.currentData()),
                seed=now.seed if self.seed.value() == shown else self.seed.value(),
                mode=list(Mode)[self.mode.current],
                budget_s=now.budget_s if self.budget.value() == round(now.budget_s, 1) else self.budget.value(),
                launch_limit_s=now.launch_limit_s if is_same_limit else self.limit.value(),
            )
        )
