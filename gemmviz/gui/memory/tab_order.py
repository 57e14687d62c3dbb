"""The order in which Tab goes through the page of memory: as it is read."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from PySide6.QtWidgets import QWidget

from gemmviz.gui.memory.pane import MemoryPane


def order_tabs(
    page: QWidget,
    lists: Iterable[QWidget],
    panes: Iterable[MemoryPane],
    others: Iterable[QWidget],
) -> None:
    """Let Tab go through the `lists` above the pictures, the pictures and the `others` below them; a picture that was
    elsewhere would come last.
    """
    views = [pane.view for pane in panes if pane.view.window() is page.window()]
    record = [view.empty.button for view in views[:1]]
    for before, after in pairwise([*lists, *views, *record, *others]):
        QWidget.setTabOrder(before, after)
