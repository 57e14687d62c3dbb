"""A control gets everything a control has."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from gemmviz.gui.widgets.named import named


def test_that_the_tooltip_is_read_aloud_unless_other_words_are_given(qtbot: QtBot) -> None:
    plain, other, bare = QLabel(), QLabel(), QLabel()
    for widget in (plain, other, bare):
        qtbot.addWidget(widget)
    assert named(plain, "x", "Tip", role="muted") is plain
    assert (plain.objectName(), plain.toolTip(), plain.accessibleName(), plain.property("role")) == (
        "x",
        "Tip",
        "Tip",
        "muted",
    )
    assert named(other, tip="Tip", says="Words").accessibleName() == "Words"
    assert (named(bare).accessibleName(), bare.property("role")) == ("", None)
