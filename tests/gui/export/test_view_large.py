"""A chart exported in the type of a presentation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtGui import QImage
from PySide6.QtWidgets import QCheckBox
from pytestqt.qtbot import QtBot

from gemmviz.gui.export.on_screen import ViewOnScreen
from gemmviz.gui.export.view_dialog import SIZES, ViewExportDialog
from gemmviz.gui.looks.theme import LIGHT, Theme


def test_that_a_chart_is_exported_in_the_large_type_of_a_presentation_where_that_is_ticked(
    qtbot: QtBot, tmp_path: Path
) -> None:
    painted_sizes: list[tuple[str, tuple[int, int]]] = []

    def paint(name: str) -> Callable[..., QImage]:
        def painted(_made: object, size: tuple[int, int], _theme: Theme, _title: str) -> QImage:
            image = QImage(*size, QImage.Format.Format_RGB32)
            painted_sizes.append((name, size))
            return image

        return painted

    for large in (None, paint("large")):
        dialog = ViewExportDialog(ViewOnScreen("x", "Rate", paint("usual"), paint_large=large), LIGHT, tmp_path)
        qtbot.addWidget(dialog)
        dialog.show()
        qtbot.waitUntil(lambda dialog=dialog: dialog.image is not None)
        box = dialog.findChild(QCheckBox, "viewLarge")
        assert (box is not None and box.isVisible()) == (large is not None)
        assert dialog.image is not None
        assert painted_sizes[-1] == ("usual", SIZES[0])
        if box is not None:
            box.setChecked(True)
            assert painted_sizes[-1] == ("large", (1920, 1035))
            assert (dialog.image.width(), dialog.image.height()) == SIZES[0]
