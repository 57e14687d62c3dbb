import pytest
from PySide6.QtGui import QColor

from gemmviz.gui.experiment.refusal_label import RefusalLabel
from gemmviz.gui.looks.theme import DARK, LIGHT


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


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_that_a_note_in_place_of_a_refusal_is_not_in_the_colour_of_hazards(qtbot, theme) -> None:
    label = RefusalLabel(theme)
    qtbot.addWidget(label)
    label.resize(258, 30)
    label.show_refusal("No GPU.", "Cannot be timed here.")
    assert (label.text(), label.toolTip()) == ("Cannot be timed here.", "No GPU.")
    image = label.grab().toImage()
    sign = [image.pixelColor(x, y) for x in range(10, 24) for y in range(9, 23)]
    assert any(colour.blue() - colour.red() > 60 for colour in sign)
    assert not any(colour.red() - colour.blue() > 60 for colour in sign)
