"""One examination on the page of the referee: its verdict, its reason, what was tried, a button to repeat a failure."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from gemmviz.domain.figures import counted
from gemmviz.domain.shape import with_times_signs
from gemmviz.gui.looks.fonts import NORMAL, SMALL, words
from gemmviz.gui.looks.theme import Theme
from gemmviz.gui.referee.fault_list import FaultList
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.on_screen import only_on_screen
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import plain_text
from gemmviz.referee.finding import Case, Finding, Outcome

SIGNS = {Outcome.HELD: "✓", Outcome.VARIES: "≈", Outcome.FAILED: "✗", Outcome.NOT_EXAMINED: "–"}
_SIGN_WIDTH, _OUTCOME_WIDTH, _GAP = 16, 92, 8
MOST_CASES = 40
"""Cases that a row shows; the table of the export has all."""


class FindingRow(QFrame):
    """A finding. `repeat_asked` brings the failed Case that is to be seen, `line_asked` the number of a line."""

    repeat_asked = Signal(object)
    line_asked = Signal(int)

    def __init__(self, finding: Finding, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.finding = finding
        self.setObjectName("refereeRow")
        self.setAccessibleName(f"{finding.name}: {finding.outcome}. {with_times_signs(finding.reason)}")
        self._sign = _label(SIGNS[finding.outcome], NORMAL, QFont.Weight.DemiBold)
        self._sign.setFixedWidth(_SIGN_WIDTH)
        self._outcome = _label(finding.outcome, SMALL, QFont.Weight.DemiBold)
        self._outcome.setFixedWidth(_OUTCOME_WIDTH)
        self._name = _label(finding.name, NORMAL, QFont.Weight.DemiBold)
        self._name.setToolTip(plain_text(finding.asks))
        self._reason = _label(with_times_signs(finding.reason), NORMAL, wraps=True)
        self.faults = FaultList(finding.faults, self)  # a list without a parent would be shown as a window
        self.faults.setVisible(bool(finding.faults))
        self.faults.line_asked.connect(self.line_asked)
        self.cases = _label("\n".join(map(_case_words, _shown(finding))), SMALL, wraps=True)
        self.cases.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.cases.hide()
        self.evidence = named(QPushButton(f"{_count_words(finding)} ▾"), "refereeEvidence", role="quiet")
        self.evidence.setToolTip("Show what was tried and with what result")
        self.evidence.setAccessibleName(f"Cases of “{finding.name}”")
        self.evidence.setCheckable(True)
        self.evidence.setProperty("inText", True)
        if not finding.cases:
            self.evidence.hide()
        self.repeat = named(QPushButton("Repeat and record"), "refereeRepeat", role="outlined")
        case = finding.repeatable
        if case is None:
            self.repeat.hide()
        else:
            self.repeat.setToolTip(
                plain_text(f"Set M, N and K to {with_times_signs(case.shape)} and record the kernel")
            )
        for button in (self.evidence, self.repeat):
            button.setAutoDefault(False)
            button.setFont(words(SMALL))
            only_on_screen(button)
        self._lay_out()
        self.evidence.toggled.connect(self.cases.setVisible)
        self.repeat.clicked.connect(self._on_repeat)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        colours = {Outcome.HELD: theme.good, Outcome.VARIES: theme.good, Outcome.FAILED: theme.hazard}
        colour = colours.get(self.finding.outcome, theme.muted)
        for label in (self._sign, self._outcome):
            label.set_colour(colour)
        self._name.set_colour(theme.text)
        self._reason.set_colour(theme.text if self.finding.outcome is Outcome.FAILED else theme.muted)
        self.cases.set_colour(theme.muted)
        self.faults.set_theme(theme)
        self.setStyleSheet(f"#refereeRow {{ border: none; border-top: 1px solid {theme.line}; }}")

    def set_for_picture(self, wanted: bool) -> None:
        """Leave buttons out that only a screen has."""
        self.evidence.setVisible(not wanted and bool(self.finding.cases))
        self.repeat.setVisible(not wanted and self.finding.repeatable is not None)
        self.faults.set_for_picture(wanted)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(_GAP)
        for widget in (self._sign, self._outcome):
            head.addWidget(widget, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self._name, 1, Qt.AlignmentFlag.AlignTop)
        for button in (self.repeat, self.evidence):
            head.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 6, 0, 6)
        whole.setSpacing(2)
        whole.addLayout(head)
        below: tuple[QWidget, ...] = self._reason, self.faults, self.cases  # below the buttons, too
        for part in below:
            part.setContentsMargins(_SIGN_WIDTH + _OUTCOME_WIDTH + 2 * _GAP, 0, 0, 0)
            whole.addWidget(part)

    @Slot()
    def _on_repeat(self) -> None:
        if self.finding.repeatable is not None:
            self.repeat_asked.emit(self.finding.repeatable)


def _label(text: str, points: float, weight: QFont.Weight = QFont.Weight.Normal, *, wraps: bool = False) -> PlainLabel:
    label = PlainLabel(text, wordWrap=wraps)
    label.setFont(words(points, weight))
    policy = QSizePolicy.Policy.Ignored if wraps else QSizePolicy.Policy.Preferred
    label.setSizePolicy(policy, QSizePolicy.Policy.Preferred)
    return label


def _shown(finding: Finding) -> list[Case]:
    """Failed cases first, up to MOST_CASES."""
    return sorted(finding.cases, key=lambda case: not case.failed)[:MOST_CASES]


def _count_words(finding: Finding) -> str:
    """How many cases are shown, and of how many: "24 cases", "40 of 44 cases"."""
    every = len(finding.cases)
    return counted(every, "case") if every <= MOST_CASES else f"{MOST_CASES} of {counted(every, 'case')}"


def _case_words(case: Case) -> str:
    where = f" at {case.shape}" if case.shape else ""
    seed = f", seed {case.seed}" if case.seed else ""
    return with_times_signs(f"{'✗' if case.failed else '·'} {case.tried}{where}{seed}: {case.found}")
