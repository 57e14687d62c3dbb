"""Text on its way to Qt, which reads HTML in tooltips, `&` in menus and `[*]` in titles: all of it stays text."""

from __future__ import annotations

from html import escape

from PySide6.QtGui import QGuiApplication, Qt

from gemmviz.domain.visible_text import visible, visible_layout, visible_lines


def plain_text(text: str) -> str:
    """Text for a tooltip, where Qt takes for HTML whatever looks like it."""
    text = visible_lines(text)
    if not Qt.mightBeRichText(text):
        return text
    return f"<div style='white-space:pre-wrap'>{escape(text, quote=False)}</div>"


def action_text(text: str) -> str:
    """Text for a menu or a button, where `&` would mark a key."""
    return visible(text).replace("&", "&&")


def copy_text(text: str) -> None:
    """Put text on the clipboard; nothing in it is a command where it is pasted, into a terminal for instance."""
    QGuiApplication.clipboard().setText(visible_layout(text))


def title_text(text: str) -> str:
    """Text for the title of a window, where `[*]` would be a mark of unsaved work."""
    return visible(text).replace("[*]", "[*][*]")
