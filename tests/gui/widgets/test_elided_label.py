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
