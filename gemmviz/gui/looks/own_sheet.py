"""Gives one widget a style sheet of its own."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget


def set_sheet(widget: QWidget, sheet: str) -> None:
    """Give a widget a style sheet; nothing happens where it has the same, after which Qt would still style all in it
    anew.
    """
    if widget.styleSheet() != sheet:
        widget.setStyleSheet(sheet)
