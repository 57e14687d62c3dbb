"""Items of a list that need several lines, with their sign beside the first one."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtWidgets import QListWidget, QStyle, QStyledItemDelegate, QStyleOptionViewItem

_TALL = 1 << 16
"""Pixels; higher than any text."""


class TopDelegate(QStyledItemDelegate):
    """Puts the sign of an item beside the first of its lines, and makes the item as high as all its lines need."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Qt's own hint forgets what padding and sign take from the width, and the last line would be cut."""
        hint = super().sizeHint(option, index)
        view = option.widget
        if not isinstance(view, QListWidget):
            return hint
        whole = QStyleOptionViewItem(option)
        self.initStyleOption(whole, index)
        width = view.viewport().width()
        whole.rect = QRect(0, 0, width, _TALL)
        text = view.style().subElementRect(QStyle.SubElement.SE_ItemViewItemText, whole, view)
        margin = view.style().pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, None, view) + 1
        room = QRect(0, 0, max(text.width() - 2 * margin, 1), _TALL)
        lines = whole.fontMetrics.boundingRect(room, int(Qt.TextFlag.TextWordWrap), whole.text)
        return QSize(min(hint.width(), width), max(hint.height(), lines.height() + _TALL - text.height()))

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        super().initStyleOption(option, index)
        option.decorationAlignment = Qt.AlignmentFlag.AlignTop
        option.displayAlignment = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft
