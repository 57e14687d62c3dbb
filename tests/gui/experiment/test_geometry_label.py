import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip

from gemmviz.gui.experiment.geometry import Fact
from gemmviz.gui.experiment.geometry_label import GeometryLabel, as_written, width_of
from gemmviz.gui.looks.theme import LIGHT

GRID = Fact("grid", "65 × 65 blocks", "Blocks of the launch", ("grid", "65 × 65"))
BLOCK = Fact("block", "16 × 16 = 256 threads", "Threads per block", ("block", "16 × 16 = 256"))
SHARED = Fact("shared", "2 048 of 49 152 bytes", "Shared memory per block")


@pytest.fixture
def label(qtbot) -> GeometryLabel:
    made = GeometryLabel(LIGHT)
    qtbot.addWidget(made)
    made.resize(264, 100)
    made.show()
    return made


def lines(label: GeometryLabel) -> int:
    one = GeometryLabel(LIGHT)
    one.show_facts((SHARED,))
    return round(label.sizeHint().height() / one.sizeHint().height())


def test_that_the_text_has_every_fact_in_a_line(label: GeometryLabel) -> None:
    label.show_facts((GRID, BLOCK, Fact("", "A sentence.")))
    assert label.text() == "grid 65 × 65 blocks\nblock 16 × 16 = 256 threads\nA sentence."
    assert label.accessibleDescription() == label.text()


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ((), 0),
        ((GRID,), 1),
        ((GRID, BLOCK), 1),
        ((GRID, BLOCK, SHARED), 2),
        ((GRID, BLOCK, BLOCK, SHARED), 3),
        ((SHARED, GRID), 2),
        ((GRID, Fact("", "A sentence."), BLOCK), 3),
    ],
)
def test_that_two_short_facts_share_a_line(label: GeometryLabel, facts: tuple[Fact, ...], expected: int) -> None:
    label.show_facts(facts)
    assert lines(label) == expected


@pytest.mark.usefixtures("qapp")
def test_that_a_long_value_keeps_a_gap_from_its_name() -> None:
    fact = Fact("memory", "192 bytes A, B, C · 1.88 KiB host", brief="192 bytes · 1.88 KiB host")
    width = width_of(fact.name, fact.value)
    assert as_written(fact, width + 12, shared=False) == ("memory", fact.value)
    assert as_written(fact, width + 11, shared=False) == ("memory", fact.brief)
    assert as_written(SHARED, 10, shared=False) == ("shared", SHARED.value), "there is no briefer one"


def test_that_what_has_no_room_beside_another_has_a_line_of_its_own(label: GeometryLabel) -> None:
    label.show_facts((Fact("grid", "", "", ("grid", "1 048 576 × 1 048 576")), BLOCK))
    assert lines(label) == 2
    label.resize(600, 100)
    assert lines(label) == 1


def test_that_a_fact_explains_itself_under_the_pointer(label: GeometryLabel, monkeypatch) -> None:
    shown = []
    monkeypatch.setattr(QToolTip, "showText", lambda *what: shown.append(what[1]))
    label.show_facts((GRID, BLOCK, SHARED))
    for place in (QPoint(5, 5), QPoint(250, 5), QPoint(5, 25), QPoint(250, 25), QPoint(5, 58)):
        QApplication.sendEvent(label, QHelpEvent(QEvent.Type.ToolTip, place, label.mapToGlobal(place)))
    words = [GRID.words, BLOCK.words, SHARED.words, SHARED.words, ""]
    assert [tip.split("\n\n")[0] for tip in shown] == words
    assert "The grid is all blocks of a launch." in shown[0]


def test_that_both_facts_of_a_line_are_painted(label: GeometryLabel) -> None:
    def inked(left: int, right: int) -> bool:
        image = label.grab().toImage()
        ground = image.pixelColor(0, image.height() - 1)
        return any(image.pixelColor(x, y) != ground for x in range(left, right) for y in range(14))

    label.show_facts((GRID,))
    assert (inked(0, 30), inked(140, 170)) == (True, False)
    label.show_facts((GRID, BLOCK))
    assert (inked(0, 30), inked(80, 120), inked(140, 170), inked(200, 264)) == (True, True, True, True)
