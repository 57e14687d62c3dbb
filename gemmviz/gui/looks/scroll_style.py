"""A scroll bar as narrow as a chart likes it."""

from __future__ import annotations

from gemmviz.gui.looks.theme import Theme, blend


def scroll_bar_style(theme: Theme) -> str:
    """The stylesheet of a chart's scroll bars."""
    handle = blend(theme.line, theme.muted, 0.4)
    return (
        "QScrollBar { background: transparent; margin: 0; border: none; }"
        "QScrollBar:vertical { width: 8px; } QScrollBar:horizontal { height: 8px; }"
        f"QScrollBar::handle {{ background: {handle}; border-radius: 4px; min-height: 24px; min-width: 24px; }}"
        f"QScrollBar::handle:hover {{ background: {theme.faint}; }}"
        "QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }"
        "QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }"
    )
