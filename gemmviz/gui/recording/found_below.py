"""What stands below the source of a recording: its sums, its hazards, and what was found where there are none."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QBoxLayout,
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QListWidgetItem,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from gemmviz.domain.kernels.version_names import VersionNames
from gemmviz.domain.recordings.hazard import by_gravity
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.forms.comparison import FormComparison
from gemmviz.explain.source.recorded_lines import (
    FORMS_TIP,
    moved_rows,
    notes_of,
    totals_rows,
    why_no_forms,
)
from gemmviz.explain.source.recordings_beside import SIDES, totals_beside
from gemmviz.gui.looks.icons import icon
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.recording.clean_words import clean_words, words_beside
from gemmviz.gui.recording.hazard_list import HAZARDS_HEIGHT, LINE_ROLE, HazardList, HazardSigns
from gemmviz.gui.recording.totals import RecordingTotals
from gemmviz.gui.recording.totals_beside import TotalsBeside
from gemmviz.gui.widgets.focus_ring import FocusRing
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import plain_text

Pair = tuple[TraceRun, TraceRun]
LEAST_HEIGHT = 96
"""Pixels that are left of it in the lowest page; the rest is scrolled to."""
LEAST_HAZARDS, LEAST_CLEAN = 320, 240
"""Pixels: lines of hazards and of words beside the totals."""


class FoundBelow(QScrollArea):
    """Shows the totals and the hazards of a recording, beside each other where there is room, and scrolls where its
    height is less than they need.
    """

    both_clicked = Signal(bool)
    """Whether a person wants both forms."""
    line_chosen = Signal(int)
    """The line of the hazard that a person has moved to."""
    hazard_chosen = Signal(object)
    """The hazard that a person wants to see happen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("recordingFindings")
        self.setAccessibleName("Totals and hazards")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._trace: TraceRun | None = None
        self._pair: Pair | None = None
        self._both = named(QCheckBox("Both forms"), "recordingBoth")
        self._totals, self._beside = RecordingTotals(), TotalsBeside()
        self._totals_head = named(PlainLabel(), "recordingTotalsHead", role="head")
        self._hazards_head = named(PlainLabel(), "recordingHazardsHead", role="head")
        self._hazards = HazardList()
        self._clean = named(PlainLabel(), "recordingClean", role="muted")
        self._clean.setWordWrap(True)
        self._lay_out()
        FocusRing(self)
        self._both.clicked.connect(self.both_clicked)
        bar = self._hazards.verticalScrollBar()
        bar.valueChanged.connect(self._head_hazards)
        bar.rangeChanged.connect(self._head_hazards)
        self._hazards.itemActivated.connect(self._on_hazard_chosen)
        self._hazards.itemClicked.connect(self._on_hazard_chosen)
        self._hazards.currentItemChanged.connect(self._on_hazard)
        self.set_theme(LIGHT)

    def show_findings(
        self,
        trace: TraceRun,
        other: TraceRun | None,
        comparison: FormComparison | None,
        pair: Pair | None,
        names: VersionNames,
    ) -> None:
        """Show what was found in `trace`: its totals in both forms where they are compared, those of a pair of
        recordings beside each other, else its own. `other` is its other form, if there is one.
        """
        self._trace, self._pair = trace, pair
        self._both.setVisible(pair is None)
        self._both.setEnabled(other is not None)
        self._both.setChecked(comparison is not None)
        self._both.setToolTip(plain_text(why_no_forms(trace, other) or FORMS_TIP))
        is_alone = comparison is None and pair is None
        self._totals.setVisible(is_alone)
        self._beside.setVisible(not is_alone)
        if comparison is not None:
            self._beside.show_comparison(comparison)
        elif pair is not None:
            self._beside.show_pair(totals_beside(*pair, names))
        else:
            self._totals.show_rows(totals_rows(trace), moved_rows(trace))
        self._hazards.show_hazards(by_gravity(trace.hazards), self._signs)
        words = "Totals, left and right" if pair is not None else "Totals of both forms"
        self._totals_head.setText(f"Totals, recorded {trace.form}" if is_alone else words)
        self._head_hazards()
        self._hazards.setVisible(bool(trace.hazards))
        found = (clean_words(trace), *notes_of(trace))
        self._clean.setText(words_beside(trace, pair, names) if pair is not None else "\n".join(found).strip())
        self._clean.setVisible(bool(self._clean.text()))

    def minimumSizeHint(self) -> QSize:
        bar = self.verticalScrollBar().sizeHint().width() if self._scrolls else 0
        return QSize(self._inside.minimumSizeHint().width() + bar, LEAST_HEIGHT)

    def stack(self, width: int) -> None:
        """Put what was found below the totals in a narrow page."""
        least = LEAST_HAZARDS if self._hazards.count() else LEAST_CLEAN
        stack_in(self._columns, self._left.sizeHint().width() + least, width)
        self.updateGeometry()

    def needed(self, width: int) -> tuple[int, int]:
        """The pixels that everything but hazards that the list scrolls to needs at a width, and how many more those
        need.
        """
        least = max(self._inside.minimumSizeHint().height(), self._inside.heightForWidth(width))
        more = max(self._hazards.whole_height() - HAZARDS_HEIGHT, 0) if self._hazards.count() else 0
        return least, more

    def set_for_picture(self) -> None:
        """Show nothing that a person works it with; for a picture, and for good."""
        self._both.hide()
        for part in (self, self._hazards):
            part.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            part.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def whole_height(self, width: int) -> int:
        """What totals and all hazards need at a width."""
        hazards, layout = self._hazards, self._inside.layout()
        assert layout is not None
        hazards.setMinimumHeight(hazards.whole_height())
        layout.invalidate()
        layout.activate()  # the columns in it have to know as well
        return layout.heightForWidth(width) if layout.hasHeightForWidth() else layout.sizeHint().height()

    def fix_height(self, width: int, most: int) -> int:
        """Be as high as everything needs, `most` at most, where the list of hazards shows a part; the pixels that
        everything needs.
        """
        needed = self.whole_height(width)
        if needed > most:
            self._hazards.setMinimumHeight(HAZARDS_HEIGHT)
        self.setFixedHeight(min(needed, most))
        return needed

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._signs = HazardSigns(icon("warning", theme, theme.hazard), icon("info", theme, theme.accent))
        self._hazards.set_signs(self._signs)

    @property
    def _scrolls(self) -> bool:
        return self.verticalScrollBarPolicy() is not Qt.ScrollBarPolicy.ScrollBarAlwaysOff

    def _lay_out(self) -> None:
        left, right = QVBoxLayout(), QVBoxLayout()
        for column, head in ((left, self._totals_head), (right, self._hazards_head)):
            head.setText("Totals" if column is left else "Hazards")
            column.setSpacing(8)
            heads = QHBoxLayout()
            heads.addWidget(head, 1)
            head.setMinimumHeight(self._both.sizeHint().height())
            if column is left:
                heads.addWidget(self._both)
            column.addLayout(heads)
        left.addWidget(self._totals)
        left.addWidget(self._beside)
        left.addStretch(1)
        right.addWidget(self._hazards, 1)
        right.addWidget(self._clean, 1)
        self._clean.setAlignment(Qt.AlignmentFlag.AlignTop)
        inside = self._inside = QWidget()
        self._left = left
        columns = self._columns = QHBoxLayout(inside)
        columns.setContentsMargins(16, 12, 16, 12)
        columns.setSpacing(24)
        columns.addLayout(left)
        columns.addLayout(right, 1)
        self.setWidget(inside)

    @Slot()
    def _head_hazards(self) -> None:
        """Say how many hazards there are, and how many of them lie below what is seen of the list."""
        hazards, count = self._hazards, self._hazards.count()
        seen = hazards.viewport().height()
        hidden = sum(hazards.visualItemRect(hazards.item(row)).bottom() > seen for row in range(count))
        side = f" at the {SIDES[self._pair[0] is not self._trace]}" if self._pair is not None else ""
        head = f"Hazards{side}: {count}" if count else "Hazards"
        self._hazards_head.setText(f"{head} ({hidden} more below)" if 0 < hidden < count else head)

    @Slot(QListWidgetItem)
    def _on_hazard(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.line_chosen.emit(int(item.data(LINE_ROLE)))

    @Slot(QListWidgetItem)
    def _on_hazard_chosen(self, item: QListWidgetItem) -> None:
        trace, row = self._trace, self._hazards.row(item)
        self._on_hazard(item)
        if trace is not None and 0 <= row < len(trace.hazards):
            self.hazard_chosen.emit(by_gravity(trace.hazards)[row])


def stack_in(row: QBoxLayout, needed: int, width: int) -> None:
    """Let the parts of a row that need so many pixels beside each other stand below each other in less width."""
    is_narrow = needed + row.spacing() + 2 * row.contentsMargins().left() > width
    row.setDirection(QBoxLayout.Direction.TopToBottom if is_narrow else QBoxLayout.Direction.LeftToRight)
