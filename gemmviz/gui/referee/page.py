"""The page of the referee: the verdict in large letters, a row for each examination."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from gemmviz.domain.shape import with_times_signs
from gemmviz.explain.figures.figure import PlotTable
from gemmviz.gui.charts.page import Page
from gemmviz.gui.charts.page_spec import ChartSpec, PageSpec
from gemmviz.gui.looks.fonts import LARGE, NORMAL, SMALL, words
from gemmviz.gui.looks.scroll_style import scroll_bar_style
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.referee.finding_row import FindingRow
from gemmviz.gui.widgets.named import named
from gemmviz.gui.widgets.on_screen import only_on_screen
from gemmviz.gui.widgets.plain_label import PlainLabel
from gemmviz.gui.widgets.plain_text import action_text, plain_text
from gemmviz.gui.work.device_status import BAR_WIDTH
from gemmviz.referee.finding import Judgement, Ruling
from gemmviz.referee.words import (
    COLUMNS,
    caveat_sentences,
    circumstances_words,
    judgement_words,
    name_words,
    reach_words,
    rows_of,
    summary_words,
)

EMPTY = (
    "The referee examines whether a kernel is right: its results for many sizes and inputs, accesses outside its "
    "matrices, the precision it computes in, races, and whether the order in which blocks run changes the result. "
    "Press Judge. The verdict appears here."
)
_TIP = "Examine the chosen kernel: results, bounds, arithmetic, races, order of blocks"
_AROUND = 48


class RefereePage(Page):
    """Shows one ruling.

    Signals:
        judge_asked(), cancel_asked(): a button was pressed.
        again_asked(): the kernel that was judged is to be judged as its file is now.
        repeat_asked(case): the failed Case that a person wants to see in the window.
        line_asked(number): the line, from 1, that a person wants to see in the source of the kernel that was judged.
    """

    filled_by = frozenset()
    judge_asked = Signal()
    cancel_asked = Signal()
    again_asked = Signal()
    repeat_asked = Signal(object)
    line_asked = Signal(int)

    def __init__(self, theme: Theme = LIGHT, parent: QWidget | None = None) -> None:
        super().__init__("refereeView", "Referee", theme, parent)
        self._ruling: Ruling | None = None
        self._earlier = self._version = ""
        self._progress, self._chosen, self._is_picture = "", "", False
        self.rows: list[FindingRow] = []
        self._make_widgets()
        self._lay_out()
        self.set_readiness("", "")
        self.renew()

    @property
    def is_blank(self) -> bool:
        return self._ruling is None

    @property
    def ruling(self) -> Ruling | None:
        """What is shown."""
        return self._ruling

    @property
    def earlier(self) -> str:
        """That the verdict is of an earlier text of the file; "" where it is not."""
        return self._earlier

    def show_ruling(self, ruling: Ruling | None) -> None:
        """Show a verdict and what it rests on; None for none."""
        self._ruling = ruling
        self._earlier = self._version = ""
        self._show_judge()
        self.renew()

    def show_age(self, earlier: str, version: str) -> None:
        """Say that the verdict is of an earlier text, nothing for "", and what the `version` that was judged is called
        by now, "" where it has no name. What is open stays open.
        """
        if (earlier, version) != (self._earlier, self._version):
            self._earlier, self._version = earlier, version
            self._write_age()

    def show_like(self, other: RefereePage) -> None:
        """Show what another page shows."""
        self.show_ruling(other.ruling)
        self.show_age(other._earlier, other._version)

    def show_progress(self, step: str) -> None:
        """Say what is being examined; "" once nothing is."""
        self._progress = step
        focused = QApplication.focusWidget()
        had_keys = focused is not None and (self.isAncestorOf(focused) if step else focused is self.cancel)
        was_going_on = not self.cancel.isHidden()
        self.cancel.setVisible(bool(step))
        self._bar.setVisible(bool(step))
        self._empty.show_button(not step)
        self._show_judge()
        if had_keys and was_going_on != bool(step):  # else Qt takes the keys to whatever comes next, the messages
            (self.cancel if step else self._empty.button if self.is_blank else self.judge).setFocus()
        if self.is_blank:
            self.renew()

    def set_readiness(self, kernel: str, reason: str) -> None:
        """The kernel that the button judges, and why it cannot, "" where it can."""
        self.judge.setText(action_text(f"Judge {kernel}" if kernel else "Judge"))
        self.judge.setEnabled(not reason)
        self.judge.setToolTip(plain_text(f"{_TIP}\n{reason}" if reason else _TIP))
        self.judge.setAccessibleDescription(reason or _TIP)
        self._chosen = kernel
        self._show_judge()

    def tables(self) -> tuple[PlotTable, ...]:
        """The verdict, which says so where it is of an earlier text, and every case of every examination."""
        if self._ruling is None:
            return ()
        return (PlotTable("referee", COLUMNS, tuple(rows_of(self._ruling, self._earlier))),)

    def set_for_picture(self, wanted: bool, width: int = 0, *, large: bool = False) -> None:
        """Leave controls out and show every row without scrolling."""
        del width, large
        self.refresh()
        self.controls.setVisible(not wanted)
        self._is_picture = wanted
        self._write_age()
        self._show_reach()
        for row in self.rows:
            row.set_for_picture(wanted)
        never, as_needed = Qt.ScrollBarPolicy.ScrollBarAlwaysOff, Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self._scroll.setVerticalScrollBarPolicy(never if wanted else as_needed)

    def picture_height(self, width: int) -> int:
        """The height that a picture of a width needs to show every row."""
        self.refresh()
        inner = width - _AROUND
        labels = (self.age, self.verdict, self.caveat, self.summary, self.reach, self._subtitle)
        heights = [label.heightForWidth(inner) for label in labels if not label.isHidden()]
        rows = self._content.heightForWidth(inner) if self.rows else 120
        return sum(max(height, 0) for height in heights) + self._title.sizeHint().height() + rows + 72

    def restyle(self, theme: Theme) -> None:
        super().restyle(theme)
        self._scroll.setStyleSheet(
            f"QScrollArea, #refereeRows {{ background: transparent; }} {scroll_bar_style(theme)}"
        )
        self.summary.set_colour(theme.text)
        self.reach.set_colour(theme.muted)
        self._colour_verdict()
        for row in self.rows:
            row.set_theme(theme)

    def fill(self) -> None:
        ruling = self._ruling
        for row in self.rows:
            self._column.removeWidget(row)
            row.deleteLater()
        self.rows = []
        self._empty.words.setText(f"{self._progress} …" if self._progress else EMPTY)
        self._empty.setVisible(ruling is None)
        self.write_subtitle(circumstances_words(ruling) if ruling is not None else "")
        for part in (self.verdict, self.caveat, self.summary, self._scroll):
            part.setVisible(ruling is not None)
        self.details.hide()
        self.reach.hide()
        self._evidence.setVisible(False)
        if ruling is None:
            self._write_age()
            return
        verdict = judgement_words(ruling)
        self.verdict.setText(f"{verdict[:1].upper()}{verdict[1:]}")
        self.caveat.setText(with_times_signs("\n".join(caveat_sentences(ruling))))
        self.caveat.setVisible(bool(self.caveat.text()))
        self.summary.setText(with_times_signs(summary_words(ruling)))
        self.reach.setText(with_times_signs(reach_words(ruling)))
        self._show_reach()
        for finding in (*ruling.failed, *ruling.varying, *ruling.held, *ruling.not_examined):
            row = FindingRow(finding, self._theme)
            row.repeat_asked.connect(self.repeat_asked)
            row.line_asked.connect(self.line_asked)
            self._column.insertWidget(len(self.rows), row)
            self.rows.append(row)
        self._write_age()

    @Slot()
    def _show_reach(self) -> None:
        """The sizes and inputs that were tried, folded behind a button on the screen and whole in a picture."""
        has_reach = bool(self.reach.text())
        self.details.setVisible(has_reach and not self._is_picture)
        self.details.setText(f"Sizes and inputs {'▴' if self.details.isChecked() else '▾'}")
        self.reach.setVisible(has_reach and (self._is_picture or self.details.isChecked()))

    def _write_age(self) -> None:
        """Write the title, and which text was judged; the verdict on an earlier one has no colour of its own."""
        ruling = self._ruling
        name = name_words(ruling, self._version) if ruling is not None else ""
        self.write_title(f"Referee: {name}" if name else "Referee")
        self.age.setText(f"{self._earlier}." if self._earlier else "")
        self.age.setVisible(bool(self._earlier))
        self._show_judge()
        said = (f"{part}." for part in (self._earlier, self.verdict.text()) if part)
        rest = (self.caveat.text().replace("\n", " "), self.summary.text(), self.reach.text())
        described = " ".join(filter(None, (*said, *rest)))
        self.setAccessibleDescription(described if ruling is not None else EMPTY)
        self._colour_verdict()

    def _show_judge(self) -> None:
        """One button for one deed: the one in the middle of an empty page, else the one above, and *Judge again* only
        where another kernel is chosen than the one that was judged.
        """
        ruling = self._ruling
        self.judge.setVisible(ruling is not None and not self._progress)
        is_other = ruling is not None and ruling.kernel != self._chosen
        self.again.setVisible(bool(self._earlier) and is_other and not self._is_picture)

    def _colour_verdict(self) -> None:
        theme = self._theme
        judgement = self._ruling.judgement if self._ruling is not None else Judgement.NOT_EXAMINED
        colours = {Judgement.RIGHT: theme.good, Judgement.WRONG: theme.hazard}
        self.verdict.set_colour(theme.muted if self._earlier else colours.get(judgement, theme.muted))
        self.age.set_colour(theme.text)
        self.caveat.set_colour(theme.muted)  # as what is not examined

    def _make_widgets(self) -> None:
        self.controls = QWidget()
        only_on_screen(self.controls)
        named(self._empty.words, "refereeStep")
        self.judge = named(QPushButton("Judge"), "refereeButton", role="outlined")
        self.cancel = named(QPushButton("Cancel"), "refereeCancel", "Stop examining", "Cancel", "stop")
        self.cancel.hide()
        self._bar = named(QProgressBar(textVisible=False), "refereeProgress", says="Progress of the referee")
        self._bar.setRange(0, 0)  # nobody knows how long an examination takes
        self._bar.setFixedWidth(BAR_WIDTH)
        self._bar.hide()
        self.again = named(
            QPushButton("Judge again"), "refereeAgain", "Judge this kernel as its file is now", role="outlined"
        )
        self.again.setFont(words(SMALL))
        only_on_screen(self.again)
        for button in (self.judge, self.cancel, self.again):
            button.setAutoDefault(False)
        self.judge.clicked.connect(self.judge_asked)
        self.cancel.clicked.connect(self.cancel_asked)
        self.again.clicked.connect(self.again_asked)
        self.age = named(PlainLabel(wordWrap=True), "refereeAge", says="Which text was judged")
        self.age.setFont(words(NORMAL, QFont.Weight.DemiBold))
        self.verdict = named(PlainLabel(wordWrap=True), "refereeVerdict", says="Verdict")
        self.verdict.setFont(words(1.5 * LARGE, QFont.Weight.DemiBold))
        self.caveat = named(PlainLabel(wordWrap=True), "refereeCaveat", says="What the verdict leaves open")
        self.caveat.setFont(words(NORMAL))
        self.summary = named(PlainLabel(wordWrap=True), "refereeSummary")
        self.summary.setFont(words(NORMAL))
        self.summary.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.reach = named(PlainLabel(wordWrap=True), "refereeReach", says="What was tried")
        self.reach.setFont(words(SMALL))
        self.details = named(
            QPushButton(), "refereeDetails", "Show which sizes and inputs were tried", "Sizes and inputs", "quiet"
        )
        self.details.setCheckable(True)
        self.details.setProperty("inText", True)
        self.details.setAutoDefault(False)
        self.details.setFont(words(SMALL))
        only_on_screen(self.details)
        self.details.toggled.connect(self._show_reach)

    def _lay_out(self) -> None:
        row = QHBoxLayout(self.controls)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._bar, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addSpacing(8)
        row.addWidget(self.cancel)
        row.addWidget(self.judge)
        self._content = QWidget()
        self._content.setObjectName("refereeRows")
        self._column = QVBoxLayout(self._content)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addStretch(1)
        self._scroll = QScrollArea(widgetResizable=True)
        self._scroll.setObjectName("refereeScroll")
        self._scroll.setAccessibleName("Examinations")
        self._scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setWidget(self._content)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 16, 24, 12)
        layout.setSpacing(6)
        heading, beside_title = self.heading()
        beside_title.addWidget(self.controls)
        layout.addLayout(heading)
        age = QHBoxLayout()
        age.setSpacing(12)
        age.addWidget(self.age, 1)
        age.addWidget(self.again)
        layout.addLayout(age)
        layout.addWidget(self.verdict)
        layout.addWidget(self.caveat)
        told = QHBoxLayout()
        told.setSpacing(12)
        told.addWidget(self.summary, 1)
        told.addWidget(self.details, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(told)
        layout.addWidget(self.reach)
        layout.addWidget(self._scroll, 100)
        layout.addWidget(self._empty, 100)
        QWidget.setTabOrder(self.judge, self.cancel)
        QWidget.setTabOrder(self.cancel, self.again)
        QWidget.setTabOrder(self.again, self.details)


REFEREE_CHART = ChartSpec(
    RefereePage,
    lambda _page, _session, _charted: None,  # a ruling is no part of a session
    copy=lambda live, twin: twin.show_like(live),
)
REFEREE_PAGE = PageSpec("Referee", (REFEREE_CHART,), wants_height=True, starts=("refereeAction",))
