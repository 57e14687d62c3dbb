"""Tooltips look alike wherever they come up: on the theme's ground, in its colour."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from driving import act
from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from gemmviz.domain.runs.result import RunResult
from gemmviz.gui.looks.theme import DARK, LIGHT, Theme
from gemmviz.gui.window.main_window import MainWindow


def colours_of(widget: QWidget) -> tuple[str, str]:
    """The ground of a widget's tooltip, with its opacity, and the colour of its words."""
    QToolTip.showText(QPoint(300, 300), "words", widget)
    (tip,) = (each for each in QApplication.topLevelWidgets() if each.inherits("QTipLabel") and each.isVisible())
    image = tip.grab().toImage().convertToFormat(QImage.Format.Format_ARGB32)
    inner = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), image.width())[2:-2, 2:-2]
    colours, counts = np.unique(inner, return_counts=True)
    ground = QColor.fromRgba(int(colours[counts.argmax()])).name(QColor.NameFormat.HexArgb)
    words = tip.palette().color(tip.foregroundRole()).name()
    tip.hide()
    tip.deleteLater()  # the next one is made anew, in the style of its widget
    return ground, words


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_that_every_tooltip_has_the_colours_of_the_theme(
    window: MainWindow, make_result: Callable[..., RunResult], theme: Theme
) -> None:
    window.document.add_run(make_result(), 0.0)
    act(window, "themeDark" if theme is DARK else "themeLight")
    for name in ("Timing", "Accuracy", "Sweep", "Traffic", "Schedule", "Memory"):
        act(window, f"tab{name}Action")
        QApplication.processEvents()
    others = {
        each.objectName() or f"{type(each).__name__} in {each.parentWidget().objectName()}": found
        for each in window.findChildren(QWidget)
        if each.toolTip()
        and (found := colours_of(each))
        != (QColor(theme.panel).name(QColor.NameFormat.HexArgb), QColor(theme.text).name())
    }
    assert not others
