"""The hazards of a recording, one below the other, each as high as its sentence needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QSizePolicy

from gemmviz.domain.recordings.hazard import Hazard
from gemmviz.domain.visible_text import visible_lines
from gemmviz.explain.source.recorded_lines import hazard_text
from gemmviz.gui.recording.top_delegate import TopDelegate
from gemmviz.gui.widgets.plain_text import plain_text

HAZARDS_HEIGHT = 96
"""Pixels that the list keeps however low the page is."""
LINE_ROLE = Qt.ItemDataRole.UserRole + 1
_IS_REMARK_ROLE = LINE_ROLE + 1


@dataclass(frozen=True, slots=True)
class HazardSigns:
    """What stands before a hazard: before a fault, and before what is none."""

    fault: QIcon
    remark: QIcon


class HazardList(QListWidget):
    """Lists hazards and scrolls where they need more room than there is."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("recordingHazards")
        self.setAccessibleName("Hazards")
        self.setItemDelegate(TopDelegate(self))
        self.setToolTip("Click a hazard, or press Enter, to see it happen; the arrow keys show its line")
        self.setWordWrap(True)
        self.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self.setMinimumHeight(HAZARDS_HEIGHT)

    def whole_height(self) -> int:
        """Pixels that all hazards need at this width."""
        rows = sum(max(self.sizeHintForRow(row), 0) for row in range(self.count()))
        return rows + 2 * self.frameWidth()

    def show_hazards(self, hazards: Sequence[Hazard], signs: HazardSigns) -> None:
        """List these behind their signs, telling nobody; each knows its line."""
        with QSignalBlocker(self):
            self.clear()
            for hazard in hazards:
                item = QListWidgetItem(visible_lines(hazard_text(hazard)))
                item.setData(LINE_ROLE, hazard.line)
                item.setToolTip(plain_text(hazard.text))
                item.setData(_IS_REMARK_ROLE, hazard.kind.is_of_equal_values)
                item.setIcon(signs.remark if hazard.kind.is_of_equal_values else signs.fault)
                self.addItem(item)

    def set_signs(self, signs: HazardSigns) -> None:
        """Show these signs before the hazards."""
        for row in range(self.count()):
            item = self.item(row)
            item.setIcon(signs.remark if item.data(_IS_REMARK_ROLE) else signs.fault)
