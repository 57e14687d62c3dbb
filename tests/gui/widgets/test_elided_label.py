"""A name in a narrow place."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from gemmviz.gui.widgets.elided_label import ElidedLabel


@pytest.fixture
def label(qtbot: QtBot) -> ElidedLabel:
    label = ElidedLabel()
    qtbot.addWidget(label)
    label.show_text("tiled_global_accumulate.cu")
    return label


def test_that_a_name_with_room_is_whole(label: ElidedLabel) -> None:
    label.resize(label.sizeHint())
    assert label.text() == "tiled_global_accumulate.cu"
    assert label.minimumSizeHint().width() == 0


def test_that_the_middle_of_a_name_gives_way_and_the_tooltip_has_it_all(label: ElidedLabel, qtbot: QtBot) -> None:
    label.show()
    qtbot.waitExposed(label)
    label.resize(80, 20)
    assert label.text().startswith("t")
    assert label.text().endswith("u")
    assert "…" in label.text()
    assert label.toolTip() == label.accessibleName() == "tiled_global_accumulate.cu"
    label.resize(400, 20)
    assert label.text() == "tiled_global_accumulate.cu"
    label.show_text("")
    assert label.text() == ""


def test_that_a_short_text_stands_in_for_one_without_room(qtbot: QtBot) -> None:
    label = ElidedLabel()
    qtbot.addWidget(label)
    label.show()
    label.show_text("Speed-up against a kernel with a long name", "Speed-up")
    label.resize(600, 20)
    assert label.text() == label.whole == "Speed-up against a kernel with a long name"
    label.resize(100, 20)
    assert label.text() == "Speed-up"
    assert label.whole == "Speed-up against a kernel with a long name"
    label.resize(20, 20)
    assert label.text() != "Speed-up"
    label.show_text("Another text that has no room")
    label.resize(100, 20)
    assert "…" in label.text()
