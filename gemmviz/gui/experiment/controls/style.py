"""The style sheet of the experiment panel, made from a theme."""

from __future__ import annotations

from gemmviz.gui.looks.fonts import WORDS
from gemmviz.gui.looks.theme import Theme

BAR_WIDTH = 8
"""Pixels of a scroll bar."""


def panel_style(theme: Theme) -> str:
    """For everything in the panel that does not paint itself."""
    return f"""
#experimentPanel, #experimentBody, #blockDialog {{ background: {theme.panel}; }}
#experimentPanel QScrollArea, #experimentPanel #kernelList {{ background: transparent; border: 0; }}
#experimentPanel QLabel {{ color: {theme.text}; background: transparent; }}
#experimentPanel QLabel[role="muted"] {{ color: {theme.muted}; }}
#footerLine, #listLine {{ background: {theme.line}; }}
#experimentPanel #kernelFilter {{ padding: 1px 7px; min-height: 20px; }}
#experimentPanel #kernelBrowse {{ padding: 1px 4px; min-height: 16px; }}
#experimentPanel #kernelRunnable {{ color: {theme.text}; }}
#experimentPanel QComboBox, #experimentPanel QAbstractSpinBox {{
    background: {theme.field}; color: {theme.text}; border: 1px solid {theme.line}; border-radius: 4px;
    min-height: 26px; max-height: 26px; padding: 0;
    selection-background-color: {theme.accent}; selection-color: {theme.on_accent};
}}
#experimentPanel QAbstractSpinBox::up-button, #experimentPanel QAbstractSpinBox::down-button {{
    width: 0; height: 0; border: 0;
}}
#experimentPanel QAbstractSpinBox::up-arrow, #experimentPanel QAbstractSpinBox::down-arrow {{
    image: none; width: 0; height: 0;
}}
#experimentPanel QComboBox {{ padding: 0 22px 0 8px; }}
#experimentPanel QComboBox::drop-down {{ border: 0; width: 22px; }}
#experimentPanel QComboBox::down-arrow, #experimentPanel QToolButton::menu-indicator {{ image: none; width: 0; }}
#experimentPanel QComboBox:hover, #experimentPanel QAbstractSpinBox:hover {{ border-color: {theme.faint}; }}
#experimentPanel QComboBox[byKeys="true"], #experimentPanel QAbstractSpinBox:focus {{
    border-color: {theme.accent};
}}
#experimentPanel QComboBox:disabled, #experimentPanel QAbstractSpinBox:disabled {{
    background: {theme.panel}; color: {theme.faint};
}}
#experimentPanel QPushButton[role="segment"] {{
    background: {theme.field}; color: {theme.text}; border: 1px solid {theme.line}; border-radius: 4px; padding: 0;
    min-width: 0; min-height: 0; font-weight: 400;
}}
#experimentPanel #modeSelector QPushButton {{ font-family: "{WORDS}"; }}
#experimentPanel QPushButton[role="segment"]:hover {{ border-color: {theme.faint}; }}
#experimentPanel QPushButton[role="segment"][byKeys="true"] {{ border: 1px solid {theme.accent}; }}
#experimentPanel QPushButton[role="segment"][refused="true"] {{
    background: transparent; color: {theme.faint}; border: 1px dashed {theme.faint};
}}
#experimentPanel QPushButton[role="segment"]:checked {{
    background: {theme.accent}; color: {theme.on_accent}; border: 1px solid {theme.accent};
}}
#experimentPanel QPushButton[role="segment"][byKeys="true"]:checked {{ border: 2px solid {theme.text}; }}
#experimentPanel QPushButton[role="segment"][refused="true"]:checked {{
    background: transparent; color: {theme.hazard}; border: 1px dashed {theme.hazard};
}}
{_button("primary", theme.accent, theme.on_accent, theme.accent, theme)}
{_button("outlined", "transparent", theme.accent, theme.accent, theme)}
{_button("plain", theme.field, theme.text, theme.line, theme)}
{_button("stop", theme.field, theme.hazard, theme.hazard, theme)}
#experimentPanel QToolButton[role="outlined"], #experimentPanel QToolButton[role="plain"] {{ padding-right: 20px; }}
#experimentPanel [role="primary"]:hover:enabled {{ border-color: {theme.text}; }}
#experimentPanel [role="primary"][byKeys="true"] {{ border: 2px solid {theme.text}; }}
#experimentPanel #refusalBox QPushButton {{ min-height: 22px; max-height: 22px; border-radius: 5px; }}
#experimentPanel #quickBox {{ spacing: 5px; padding: 0; }}
#experimentPanel QMenu {{
    background: {theme.panel}; color: {theme.text}; border: 1px solid {theme.line}; padding: 4px;
}}
#experimentPanel QMenu::item {{ padding: 6px 16px; border-radius: 4px; }}
#experimentPanel QMenu::item:selected {{ background: {theme.selected}; }}
#experimentPanel QMenu::item:disabled {{ color: {theme.faint}; }}
#experimentPanel QMenu::separator {{ background: {theme.line}; height: 1px; margin: 4px 8px; }}
#experimentPanel QLabel[role="refusal"] {{ color: {theme.hazard}; }}
#experimentPanel QLabel#sizeRefusal {{
    background: {theme.panel}; border: 1px solid {theme.hazard}; border-radius: 5px; padding: 5px 8px; }}
#experimentPanel QScrollBar:vertical {{ background: transparent; width: {BAR_WIDTH}px; margin: 0; }}
#experimentPanel QScrollBar::handle:vertical {{
    background: {theme.line}; border-radius: 3px; min-height: 24px; margin: 1px;
}}
#experimentPanel QScrollBar::handle:vertical:disabled {{ background: transparent; }}
#experimentPanel QScrollBar::handle:vertical:hover {{ background: {theme.faint}; }}
#experimentPanel QScrollBar::add-line, #experimentPanel QScrollBar::sub-line {{ height: 0; }}
#experimentPanel QScrollBar::add-page, #experimentPanel QScrollBar::sub-page {{ background: transparent; }}
"""


def _button(role: str, ground: str, words: str, edge: str, theme: Theme) -> str:
    selector = f'#experimentPanel [role="{role}"]'
    return f"""
{selector} {{
    background: {ground}; color: {words}; border: 1px solid {edge}; border-radius: 6px; padding: 0 6px;
    min-width: 0; min-height: 28px; max-height: 28px;
}}
{selector}:hover:enabled, {selector}[byKeys="true"] {{ border-color: {theme.accent}; }}
{selector}:pressed {{ background: {theme.selected}; color: {theme.text}; }}
{selector}:disabled {{ background: {theme.panel}; color: {theme.faint}; border: 1px solid {theme.line}; }}
"""
