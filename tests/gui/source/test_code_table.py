"""The table of lines: what is seen, what is scrolled to, keys, copies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest
from image_pixels import colours_of
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QWheelEvent
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.access import SkippedAccess
from gemmviz.domain.recordings.executed import Executed
from gemmviz.domain.recordings.hazard import Hazard, HazardKind
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.terms import Language
from gemmviz.explain.source.line_figures import FigureSet, LineFigureKind
from gemmviz.explain.source.recorded_lines import plain_lines, source_lines
from gemmviz.explain.source.tokens import TokenKind
from gemmviz.gui.looks.theme import DARK, LIGHT, Theme
from gemmviz.gui.source.code_delegate import ROW_HEIGHT
from gemmviz.gui.source.code_table import HANDS_OFF_S, LEAST_CODE, CodeTable
from gemmviz.gui.source.highlight import heat, word_colour
from gemmviz.gui.source.source_model import CODE, FIGURES, FIRST_FIGURE, NUMBER, SourceModel

Record = Callable[..., TraceRun]
RACE = Hazard(HazardKind.RACE, 6, "As[i]", (0, 0, 0), (0, 1), 0, 8, "two threads")
BOTH = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
LONG = "/*---\n---*/\n" + "\n".join(f"line {number};" for number in range(3, 300))


@dataclass
class Clock:
    """Seconds that pass when a test says so."""

    now: float = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def table(qtbot: QtBot, clock: Clock) -> CodeTable:
    table = CodeTable("sourceLines", clock)
    qtbot.addWidget(table)
    table.resize(700, 300)
    table.show()
    qtbot.waitExposed(table)
    return table


def show(table: CodeTable, run: TraceRun) -> None:
    table.show_lines(source_lines(run), Language.CUDA, "1 block")


def first_shown(table: CodeTable) -> int:
    return int(table.model().index(table.rowAt(0), NUMBER).data())


def is_seen(table: CodeTable, number: int) -> bool:
    return table.viewport().rect().contains(table.visualRect(table.model().index(number - 1, NUMBER)))


def model_of(table: CodeTable) -> SourceModel:
    model = table.model()
    assert isinstance(model, SourceModel)
    return model


def picture(table: CodeTable, row: int, column: int) -> QImage:
    return table.viewport().grab(table.visualRect(table.model().index(row, column))).toImage()


def rgb(colour: QColor) -> tuple[int, int, int]:
    return colour.red(), colour.green(), colour.blue()


def distance(one: QColor, other: QColor) -> int:
    return sum(abs(a - b) for a, b in zip(rgb(one), rgb(other), strict=True))


def figure_column(figure: LineFigureKind) -> int:
    return FIRST_FIGURE + FIGURES.index(figure)


def shown_figures(table: CodeTable) -> list[LineFigureKind]:
    return [figure for figure in FIGURES if not table.isColumnHidden(figure_column(figure))]


def turn(table: CodeTable, x: int, y: int, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    place = QPointF(50, 50)
    event = QWheelEvent(
        place,
        table.mapToGlobal(place),
        QPoint(),
        QPoint(x, y),
        Qt.MouseButton.NoButton,
        modifiers,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(table.viewport(), event)


def test_that_the_header_is_folded_until_it_is_asked_for(table: CodeTable, make_recording: Record) -> None:
    show(table, make_recording())
    assert table.header_lines == 4
    assert [table.isRowHidden(row) for row in range(7)] == [True] * 4 + [False] * 3
    table.set_folded(False)
    assert not any(table.isRowHidden(row) for row in range(7))
    assert first_shown(table) == 1
    table.set_folded(True)
    assert table.isRowHidden(0)
    table.show_lines(plain_lines("no\nheader"), Language.CUDA)
    assert not table.isRowHidden(0)


def test_that_figures_leave_the_code_its_place(table: CodeTable, recorded: Record, qtbot: QtBot) -> None:
    table.resize(900, 300)
    show(table, replace(recorded("tiled", TILE=4), executed=(Executed(40, "moves", 8, 128),)))
    table.show_figures(FigureSet.ALL.figures)
    there = [figure for figure in FIGURES if figure not in FigureSet.FORMS.figures]  # one form was recorded
    assert (shown_figures(table), table.left_out) == (there, ())
    table.resize(300, 300)
    qtbot.waitUntil(lambda: 0 < len(table.left_out) < len(there) == len([*shown_figures(table), *table.left_out]))
    assert table.columnWidth(CODE) >= LEAST_CODE
    right = table.columnViewportPosition(figure_column(shown_figures(table)[-1]))
    assert right < table.viewport().width()


def test_that_a_long_source_begins_near_its_first_access(qtbot: QtBot, make_recording: Record) -> None:
    view = CodeTable("sourceLines")
    qtbot.addWidget(view)
    view.resize(700, 240)
    base = make_recording(source="\n" * 99 + "x = A[i];\n" + "\n" * 99)
    show(view, replace(base, sites=tuple(replace(site, line=100) for site in base.sites)))
    view.show()
    qtbot.waitExposed(view)
    assert first_shown(view) == 97
    view.verticalScrollBar().setValue(0)
    view.hide()
    view.show()
    assert first_shown(view) == 1, "once seen, it stays where the person left it"


def test_that_in_a_low_view_the_first_access_is_the_first_line_until_a_person_scrolls(
    qtbot: QtBot, make_recording: Record
) -> None:
    view = CodeTable("sourceLines")
    qtbot.addWidget(view)
    view.resize(700, 300)
    base = make_recording(source="\n" * 99 + "x = A[i];\n" + "\n" * 99)
    show(view, replace(base, sites=tuple(replace(site, line=100) for site in base.sites)))
    view.show()
    qtbot.waitExposed(view)
    assert first_shown(view) == 97
    view.resize(700, 120)
    assert first_shown(view) == 100
    assert view.show_line(150)
    place = view.verticalScrollBar().value()
    view.resize(700, 100)
    assert view.verticalScrollBar().value() == place


def test_that_a_line_can_be_brought_into_view(table: CodeTable, make_recording: Record) -> None:
    show(table, make_recording(source=LONG))
    assert table.show_line(200)
    assert table.selectionModel().selectedRows()[0].data() == "200"
    assert is_seen(table, 200)
    assert [table.show_line(number) for number in (0, 1, 300)] == [False, False, False]


def test_that_lines_that_run_come_into_view(table: CodeTable, make_recording: Record) -> None:
    show(table, make_recording(source=LONG))
    for number in (200, 30, 299, 3):
        table.show_running([number])
        assert is_seen(table, number)
    place = table.verticalScrollBar().value()
    table.show_running([5])
    table.show_running([])
    table.show_running([1, 4000])
    assert table.verticalScrollBar().value() == place


@pytest.mark.parametrize("by", ["wheel", "key", "bar"])
def test_that_a_persons_scrolling_goes_before_the_lines_that_run(
    table: CodeTable, clock: Clock, make_recording: Record, qtbot: QtBot, by: str
) -> None:
    show(table, make_recording(source=LONG))
    table.show_running([10])
    match by:
        case "wheel":
            turn(table, 0, -1200)
        case "key":
            qtbot.keyClick(table, Qt.Key.Key_PageDown)
        case "bar":
            table.verticalScrollBar().triggerAction(table.verticalScrollBar().SliderAction.SliderPageStepAdd)
    place = table.verticalScrollBar().value()
    clock.now += HANDS_OFF_S - 0.1
    table.show_running([200])
    assert table.verticalScrollBar().value() == place
    clock.now += 0.2
    table.show_running([200])
    assert is_seen(table, 200)


@BOTH
def test_that_a_line_that_runs_is_lit_from_edge_to_edge(table: CodeTable, theme: Theme, make_recording: Record) -> None:
    table.set_theme(theme)
    show(table, make_recording())
    ends = (NUMBER, figure_column(LineFigureKind.SECTORS_PER_REQUEST))
    for numbers, ground in (((5,), theme.selected), ((), theme.panel)):
        table.show_running(numbers)
        for column in ends:
            assert picture(table, 4, column).pixelColor(6, 1).name() == ground
        edge = picture(table, 4, NUMBER).pixelColor(1, ROW_HEIGHT // 2).name()
        assert (edge == theme.accent) == bool(numbers), "the bar at the edge is a sign beside the colour"


@BOTH
def test_that_the_bar_below_a_figure_is_its_share(table: CodeTable, theme: Theme, recorded: Record) -> None:
    run = recorded("tiled_transposed", TILE=16)
    table.set_theme(theme)
    table.show_figures((LineFigureKind.SECTORS_PER_REQUEST,))
    show(table, run)
    column = figure_column(LineFigureKind.SECTORS_PER_REQUEST)
    table.resize(700, 900)
    table.viewport().grab()  # lays the columns out
    shares = {}
    for site in run.sites:
        image = picture(table, site.line - 1, column)
        if site.space.value == "global":
            bar = sum(
                image.pixelColor(x, ROW_HEIGHT - 3).name() == heat(theme, theme.panel) for x in range(image.width())
            )
            shares[site.line] = (bar / (image.width() - 2), model_of(table).figure(site.line - 1, column).share)
    assert len(shares) == 3
    assert all(seen == pytest.approx(share, abs=0.04) for seen, share in shares.values()), shares


@BOTH
def test_that_words_have_their_colours(table: CodeTable, theme: Theme) -> None:
    table.set_theme(theme)
    table.show_lines(plain_lines("for\n// why\n3"), Language.CUDA)
    for row, kind in enumerate((TokenKind.KEYWORD, TokenKind.COMMENT, TokenKind.NUMBER)):
        wanted = QColor(word_colour(kind, theme))
        found = [QColor(name) for name in colours_of(picture(table, row, CODE))]
        nearest = min(
            abs(c.red() - wanted.red()) + abs(c.green() - wanted.green()) + abs(c.blue() - wanted.blue()) for c in found
        )
        assert nearest < 40, (kind, wanted.name())


@BOTH
def test_that_a_hazard_is_hatched_from_edge_to_edge(table: CodeTable, theme: Theme, make_recording: Record) -> None:
    table.set_theme(theme)
    skipped = (SkippedAccess(6, "f(p)", "a function gets it"),)
    for column in (NUMBER, figure_column(LineFigureKind.SECTORS_PER_REQUEST)):
        seen = []
        for fields in ({}, {"skipped": skipped}, {"hazards": (RACE,)}):
            show(table, make_recording(**fields))
            seen.append(colours_of(picture(table, 5, column)))
        assert seen[0] == seen[1], "what was not recorded is no hazard"
        assert len(seen[2]) > len(seen[0])


def test_that_marks_stand_in_words_beside_the_code(table: CodeTable, make_recording: Record) -> None:
    pictures = []
    for fields in ({}, {"skipped": (SkippedAccess(6, "f(p)", "why"),)}, {"hazards": (RACE,)}):
        show(table, make_recording(**fields))
        image = picture(table, 5, CODE)
        pictures.append(image.copy(image.width() - 100, 0, 100, image.height()))
    assert len(colours_of(pictures[0])) == 1
    assert all(len(colours_of(marked)) > 5 for marked in pictures[1:])


def test_that_all_of_a_line_can_be_read_in_a_narrow_column(table: CodeTable, recorded: Record, qtbot: QtBot) -> None:
    run = recorded("tiled", TILE=4)
    table.resize(1200, 300)
    show(table, run)
    shown = source_lines(run)[table.header_lines :]
    longest = max(shown, key=lambda line: len(line.code)).number - 1
    assert table.rowHeight(longest) == ROW_HEIGHT
    table.resize(300, 300)
    qtbot.waitUntil(lambda: table.rowHeight(longest) > 2 * ROW_HEIGHT)
    assert table.rowHeight(longest) % ROW_HEIGHT == 0
    table.show_line(longest + 1)
    last = picture(table, longest, CODE).copy(0, table.rowHeight(longest) - ROW_HEIGHT, 90, ROW_HEIGHT)
    assert len(colours_of(last)) > 5, "the end of the line is painted"
    table.show_figures(())
    assert table.rowHeight(longest) < 5 * ROW_HEIGHT, "and takes less where the code has more room"


def test_that_code_reaches_to_the_first_figure_of_its_line_and_goes_on_below_the_figures(
    table: CodeTable, qtbot: QtBot, make_recording: Record
) -> None:
    table.resize(300, 300)
    long = "value_of_a = A[i] * 1111111111 + 2222222222 + 333333333 + 44;"
    table.show_figures(FigureSet.SECTORS.figures)
    show(table, make_recording(source=f"\n\n\n\n{long}\nAs[i] = x;\n{long}\n"))
    qtbot.waitUntil(lambda: table.rowHeight(4) >= table.rowHeight(6) > ROW_HEIGHT)
    assert len(colours_of(picture(table, 6, figure_column(LineFigureKind.SECTORS_PER_REQUEST)))) > 5, "it has no figure"
    image = picture(table, 4, figure_column(LineFigureKind.SECTORS_PER_REQUEST))
    assert len(colours_of(image.copy(0, 0, image.width(), ROW_HEIGHT))) > 5  # the figure
    assert len(colours_of(image.copy(0, ROW_HEIGHT, image.width(), ROW_HEIGHT))) > 5, "code, below the figure"
    assert len(colours_of(picture(table, 4, CODE).copy(0, ROW_HEIGHT, 90, ROW_HEIGHT))) > 5


def test_that_a_click_and_enter_choose_a_line(table: CodeTable, make_recording: Record, qtbot: QtBot) -> None:
    show(table, make_recording())
    place = table.visualRect(table.model().index(4, CODE)).center()
    with qtbot.waitSignal(table.line_chosen) as chosen:
        qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert chosen.args == [5]
    qtbot.keyClick(table, Qt.Key.Key_Down)
    with qtbot.waitSignal(table.line_chosen) as chosen:
        qtbot.keyClick(table, Qt.Key.Key_Return)
    assert chosen.args == [6]


def test_that_nothing_is_chosen_of_nothing(table: CodeTable, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(table.line_chosen):
        qtbot.keyClick(table, Qt.Key.Key_Return)
    table.explain()
    assert not QToolTip.isVisible()
    assert (table.text(), table.header_lines) == ("", 0)


def test_that_chosen_lines_or_all_are_copied(table: CodeTable, make_recording: Record, qtbot: QtBot) -> None:
    show(table, make_recording())
    table.show_line(5)
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "    x = A[i]; // five"
    assert table.text(whole=True).splitlines()[0] == "/*---"
    heads, line = table.text(with_figures=True).splitlines()
    assert heads.split("\t")[:3] == ["line", "source", "requests to global memory"]
    assert line.split("\t") == ["5", "    x = A[i]; // five", "10", "", "5.7", "", "", "900", "1824", *7 * [""]]


def test_that_a_figure_is_explained_by_a_key(table: CodeTable, make_recording: Record, qtbot: QtBot) -> None:
    show(table, make_recording())
    table.setCurrentIndex(table.model().index(5, figure_column(LineFigureKind.EXCESS)))
    qtbot.keyClick(table, Qt.Key.Key_F1, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(QToolTip.isVisible)
    assert "line 6: 15 excess wavefronts · recorded" in QToolTip.text()
    QToolTip.hideText()
