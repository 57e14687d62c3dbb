import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QColor, QHelpEvent
from PySide6.QtWidgets import QApplication

from gemmviz.gui import experiment_labels
from gemmviz.gui.experiment_labels import GeometryLabel, RefusalLabel
from gemmviz.gui.geometry import Fact
from gemmviz.gui.theme import DARK, LIGHT

FACTS = (Fact("grid", "65 × 65 blocks", "Blocks of the launch"), Fact("", "A sentence."))


def test_that_the_text_has_every_fact_in_a_line(qtbot) -> None:
    label = GeometryLabel(LIGHT)
    qtbot.addWidget(label)
    label.show_facts(FACTS)
    assert label.text() == "grid 65 × 65 blocks\nA sentence."
    assert label.accessibleDescription() == label.text()
    two = label.sizeHint().height()
    label.show_facts(FACTS[:1])
    assert label.sizeHint().height() == two / 2


def test_that_a_fact_explains_itself_under_the_pointer(qtbot, monkeypatch) -> None:
    shown = []
    monkeypatch.setattr(experiment_labels.QToolTip, "showText", lambda *what: shown.append(what[1]))
    label = GeometryLabel(LIGHT)
    qtbot.addWidget(label)
    label.show_facts(FACTS)
    label.resize(200, 60)
    for place in (QPoint(5, 5), QPoint(5, 25), QPoint(5, 58)):
        QApplication.sendEvent(label, QHelpEvent(QEvent.Type.ToolTip, place, label.mapToGlobal(place)))
    assert shown == ["Blocks of the launch", "", ""]


def test_that_a_refusal_shows_only_while_there_is_one(qtbot) -> None:
    label = RefusalLabel(LIGHT)
    qtbot.addWidget(label)
    assert label.isHidden()
    label.show_refusal("Needs more threads.")
    assert not label.isHidden()
    assert (label.text(), label.toolTip()) == ("Needs more threads.", "Needs more threads.")
    label.show_refusal("")
    assert label.isHidden()


def test_that_a_longer_refusal_is_higher_but_never_without_end(qtbot) -> None:
    label = RefusalLabel(LIGHT)
    qtbot.addWidget(label)
    label.resize(258, 30)
    heights = []
    for count in (1, 20, 400, 4000):
        label.show_refusal("words " * count)
        heights.append(label.height())
    assert heights[0] < heights[1] < heights[2] == heights[3] < 200


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_that_a_refusal_has_a_drawn_sign_in_the_colour_of_hazards(qtbot, theme) -> None:
    label = RefusalLabel(LIGHT)
    qtbot.addWidget(label)
    label.set_theme(theme)
    label.resize(258, 30)
    label.show_refusal("No.")
    image = label.grab().toImage()
    sign = {image.pixelColor(x, y).name() for x in range(10, 24) for y in range(9, 23)}
    assert QColor(theme.hazard).name() in sign
