"""The style sheet of the application, made from a theme.

Widgets ask for a look with dynamic properties and otherwise leave it alone:

- QLabel `role`: "display" (the one large line of a page), "headline", "step", "lead", "question", "answer" and
  "counter" (the words and figures of a lesson), "title", "head" (section heads), "strong", "muted", "faint", "code",
  "figure" (a number), "progress" (how far a lesson has come), "evidence" (where it comes from), "key" (a keycap),
  "hint" (a line over a picture), "refusal" (why something cannot run), "link".
- QToolButton `role`: "hazard" (leads to what goes wrong).
- QPushButton `role`: "primary", "secondary" (outlined accent), "segment" (checkable, in a row), "quiet" (no frame;
  `flush`: its words begin where those of other lines do).
- QToolBar `role`: "strip" (folded panels at an edge of the window).
- `byKeys` (`widgets/key_focus.py`): keys brought the focus to a button, list or slider, which has a frame then.
- QFrame `role`: "panel", "card", "picture" (on the ground of what is painted in it), "rule" (a thin line),
  "popup"; `notice`: "info", "warning", "error", "none".
"""

from __future__ import annotations

from functools import cache
from string import Template

from gemmviz.gui.looks.fonts import FIGURES, LARGE, NORMAL, SMALL, WORDS
from gemmviz.gui.looks.icons import style_icon_folder
from gemmviz.gui.looks.lesson_style import LESSON_POINTS, step_buttons
from gemmviz.gui.looks.theme import Theme, blend

DISPLAY = 18.0
"""Points of the one large line a page may have."""


@cache
def style_sheet(theme: Theme) -> str:
    """The whole style sheet for a theme; the same theme gives the same text."""
    values = {
        name: getattr(theme, name)
        for name in (
            "window",
            "panel",
            "canvas",
            "field",
            "line",
            "text",
            "muted",
            "faint",
            "accent",
            "on_accent",
            "selected",
            "b",
            "hazard",
            "good",
        )
    }
    values |= shades(theme) | {
        "icons": style_icon_folder(theme).as_posix(),
        "figures": f'{FIGURES}", "{WORDS}',
        "small": f"{SMALL}pt",
        "normal": f"{NORMAL}pt",
        "large": f"{LARGE}pt",
        "display": f"{DISPLAY}pt",
        **{role: f"{points}pt" for role, points in LESSON_POINTS.items()},
    }
    return "".join(Template(part).substitute(values) for part in (_LABELS, _BUTTONS, _INPUTS, _VIEWS, _FRAME)) + (
        step_buttons(1.0)
    )


def shades(theme: Theme) -> dict[str, str]:
    """The colours between the theme's own: edges of controls, what the pointer is on, tints behind messages."""
    return {
        "edge": blend(theme.line, theme.faint, 0.35),
        "hover": blend(theme.panel, theme.text, 0.05),
        "pressed": blend(theme.panel, theme.text, 0.10),
        "field_hover": blend(theme.field, theme.text, 0.05),
        "accent_hover": blend(theme.accent, theme.text, 0.14),
        "accent_pressed": blend(theme.accent, theme.text, 0.26),
        "tint": blend(theme.panel, theme.accent, 0.06),
        "info_tint": blend(theme.panel, theme.accent, 0.09),
        "warning_tint": blend(theme.panel, theme.b, 0.09),
        "error_tint": blend(theme.panel, theme.hazard, 0.09),
        "handle": blend(theme.panel, theme.faint, 0.55),
        "stripe": blend(theme.panel, theme.field, 0.45),
    }


_LABELS = """
QToolTip { background: $panel; color: $text; border: 1px solid $edge; padding: 4px 8px; }
QLabel { background: transparent; }
QLabel[role="title"] { font-size: $large; font-weight: 600; color: $text; }
QLabel[role="head"] { font-size: $small; font-weight: 600; letter-spacing: 0.6px; text-transform: uppercase; color: $muted; }
QLabel[role="display"] { font-size: $display; font-weight: 600; color: $text; }
QLabel[role="headline"] { font-size: $headline; font-weight: 600; color: $text; }
QLabel[role="step"], QLabel[role="lead"] { font-size: $lead; color: $muted; }
QLabel[role="answer"] { font-size: $answer; color: $text; }
QLabel[role="counter"] { font-family: "$figures"; font-size: $counter; font-weight: 600; color: $text; }
QLabel[role="counter"][lit="true"] { color: $accent; }
QLabel[role="strong"], QLabel[role="question"] { font-weight: 600; color: $text; }
QLabel[role="code"] { font-family: "$figures"; }
QLabel[role="muted"] { color: $muted; }
QLabel[role="faint"] { color: $faint; }
QLabel[role="progress"] { color: $accent; font-size: $small; font-weight: 600; }
QLabel[role="evidence"] { color: $muted; font-size: $small; }
QLabel[role="figure"] { font-family: "$figures"; font-weight: 600; color: $text; }
QLabel[role="refusal"], QLabel[role="title"][fault="true"] { color: $hazard; }
QLabel[role="link"] { color: $accent; }
QLabel[role="key"] { font-family: "$figures"; font-size: $small; color: $text; background: $field;
  border: 1px solid $edge; border-radius: 4px; padding: 1px 6px; }
QLabel[role="hint"] { background: $panel; color: $text; font-size: $large; border: 1px solid $edge;
  border-radius: 8px; padding: 6px 14px; }
QFrame[role="panel"] { background: $panel; border: none; }
QFrame[role="card"] { background: $panel; border: 1px solid $line; border-radius: 8px; }
QFrame[role="picture"] { background: $canvas; border: 1px solid $line; border-radius: 8px; }
QFrame[role="popup"] { background: $panel; border: 1px solid $faint; border-radius: 0; }
QFrame[role="rule"] { background: $line; border: none; min-height: 1px; max-height: 1px; }
QFrame[notice] { border: none; border-left: 3px solid $accent; background: $info_tint; }
QFrame[notice="warning"] { border-left-color: $b; background: $warning_tint; }
QFrame[notice="error"] { border-left-color: $hazard; background: $error_tint; }
QFrame[notice="none"] { border-left-color: $line; background: transparent; }
"""  # noqa: E501 - one rule a line reads best

_BUTTONS = """
QPushButton { background: $panel; color: $text; border: 1px solid $edge; border-radius: 6px; padding: 5px 13px;
  min-height: 20px; }
QPushButton:hover { background: $hover; border-color: $faint; }
QPushButton:pressed, QPushButton:open { background: $pressed; }
QPushButton:checked { background: $selected; border-color: $accent; }
QPushButton[byKeys="true"] { border: 2px solid $accent; padding: 4px 12px; }
QPushButton:disabled { color: $faint; background: transparent; border: 1px solid $line; padding: 5px 13px; }
QPushButton::menu-indicator { image: url("$icons/chevron-down.svg"); width: 12px; height: 12px;
  subcontrol-origin: padding; subcontrol-position: center right; right: 6px; }

QPushButton[role="primary"] { background: $accent; color: $on_accent; border: 1px solid $accent; font-weight: 600; }
QPushButton[role="primary"]:hover { background: $accent_hover; border-color: $accent_hover; }
QPushButton[role="primary"]:pressed { background: $accent_pressed; border-color: $accent_pressed; }
QPushButton[role="primary"][byKeys="true"] { border: 2px solid $text; }
QPushButton[role="primary"]:disabled { background: $field; color: $faint; border: 1px solid $line; }

QPushButton[role="secondary"] { color: $accent; border: 1px solid $accent; font-weight: 600; }
QPushButton[role="secondary"]:hover { background: $tint; }
QPushButton[role="secondary"]:pressed { background: $selected; }
QPushButton[role="secondary"][byKeys="true"] { border: 2px solid $accent; background: $tint; }
QPushButton[role="secondary"]:disabled { color: $faint; border: 1px solid $line; background: transparent; }

QPushButton[role="segment"] { background: $field; border: 1px solid $edge; border-radius: 4px; padding: 3px 9px;
  min-width: 20px; }
QPushButton[role="segment"]:hover { background: $field_hover; border-color: $faint; }
QPushButton[role="segment"]:checked { background: $accent; color: $on_accent; border-color: $accent; font-weight: 600; }
QPushButton[role="segment"][byKeys="true"] { border: 2px solid $accent; padding: 2px 8px; }
QPushButton[role="segment"][byKeys="true"]:checked { border: 2px solid $text; }
QPushButton[role="segment"]:disabled { background: transparent; color: $faint; border: 1px solid $line;
  padding: 3px 9px; }
QPushButton[role="segment"]:checked:disabled { background: $field; color: $muted; border: 1px solid $faint; }

QPushButton[role="quiet"] { background: transparent; border: 1px solid transparent; color: $accent; padding: 3px 7px;
  min-height: 18px; }
QPushButton[role="quiet"]:hover { background: $hover; }
QPushButton[role="quiet"]:pressed { background: $pressed; }
QPushButton[role="quiet"][byKeys="true"] { border: 2px solid $accent; padding: 2px 6px; }
QPushButton[role="quiet"]:disabled { color: $faint; border: 1px solid transparent; padding: 3px 7px; }
QPushButton[role="quiet"][fault="true"] { color: $hazard; padding-left: 0; padding-right: 0; text-align: left; }
QPushButton[role="quiet"][flush="true"] { padding-left: 0; padding-right: 0; text-align: left; }
QPushButton[role="quiet"][inText="true"] { padding: 0; border: 1px solid transparent; min-height: 0; }
QPushButton[role="quiet"][inText="true"][byKeys="true"] { border: 1px solid $accent; }
QPushButton[role="card"] { background: $panel; border: 1px solid $edge; border-radius: 8px; padding: 0; text-align: left; }
QPushButton[role="card"]:hover { background: $hover; border-color: $accent; }
QPushButton[role="card"][leads="true"] { border: 2px solid $accent; }
QPushButton[role="card"]:pressed { background: $pressed; }
QPushButton[role="card"][byKeys="true"] { border: 2px solid $text; }

QPushButton[role="gap"] { background: $panel; color: $accent; border: 1px dashed $accent; border-radius: 4px;
  padding: 0 8px; min-height: 16px; font-family: "$figures"; text-align: left; }
QPushButton[role="gap"]:hover { background: $selected; }
QPushButton[role="gap"]:disabled { color: $muted; border-color: $line; }

QToolButton { background: transparent; color: $text; border: 1px solid transparent; border-radius: 6px; padding: 4px; }
QToolButton:hover { background: $pressed; }
QToolButton:pressed, QToolButton:open { background: $line; }
QToolButton:checked { background: $selected; color: $text; border-color: $accent; }
QToolButton[byKeys="true"] { border: 2px solid $accent; padding: 3px; }
QToolButton:disabled { color: $faint; }
QToolButton[role="hazard"] { color: $hazard; border-color: $line; padding: 4px 8px; }
QToolButton[notice="warning"] { background: $warning_tint; border-color: $b; font-weight: 600; }
QToolButton[notice="error"] { background: $error_tint; border-color: $hazard; font-weight: 600; }
QToolButton[role="hazard"][byKeys="true"] { border-color: $accent; padding: 3px 7px; }
QToolButton[popupMode="1"] { padding-right: 20px; }
QToolButton[popupMode="2"] { padding-right: 18px; }
QToolButton::menu-button { border: none; border-left: 1px solid $line; width: 16px; margin: 4px 0; }
QToolButton::menu-arrow, QToolButton::menu-indicator { image: url("$icons/chevron-down.svg"); width: 12px; height: 12px; }
QToolButton::menu-indicator { subcontrol-origin: padding; subcontrol-position: center right; right: 3px; }

QCheckBox, QRadioButton { background: transparent; spacing: 8px; padding: 2px; border: 2px solid transparent; border-radius: 6px; }
QCheckBox[byKeys="true"], QRadioButton[byKeys="true"] { border-color: $accent; }
QCheckBox:disabled, QRadioButton:disabled { color: $faint; }
QCheckBox::indicator, QAbstractItemView::indicator { width: 14px; height: 14px; border: 1px solid $faint;
  border-radius: 4px; background: $panel; }
QCheckBox::indicator:hover, QAbstractItemView::indicator:hover { border-color: $accent; }
QCheckBox::indicator:checked, QAbstractItemView::indicator:checked { background: $accent; border-color: $accent;
  image: url("$icons/check.svg"); }
QCheckBox::indicator:indeterminate, QAbstractItemView::indicator:indeterminate { background: $accent;
  border-color: $accent; image: url("$icons/part.svg"); }
QCheckBox::indicator:disabled, QAbstractItemView::indicator:disabled { background: $field; border-color: $line; }
QCheckBox::indicator:checked:disabled { background: $faint; border-color: $faint; }
QRadioButton::indicator { width: 14px; height: 14px; border: 1px solid $faint; border-radius: 8px; background: $panel; }
QRadioButton::indicator:checked { width: 6px; height: 6px; border: 5px solid $accent; background: $on_accent; }
QRadioButton::indicator:disabled { border-color: $line; }
"""  # noqa: E501

_INPUTS = """
QLineEdit, QAbstractSpinBox, QComboBox { background: $field; color: $text; border: 1px solid $edge; border-radius: 6px;
  padding: 4px 7px; min-height: 20px; selection-background-color: $accent; selection-color: $on_accent;
  placeholder-text-color: $muted; }
QAbstractSpinBox { font-family: "$figures"; padding-right: 0; qproperty-alignment: "AlignRight | AlignVCenter"; }
QLineEdit:hover, QAbstractSpinBox:hover, QComboBox:hover { border-color: $faint; }
QLineEdit:focus, QAbstractSpinBox:focus, QComboBox[byKeys="true"], QComboBox:on { border: 2px solid $accent; padding: 3px 6px; }
QAbstractSpinBox:focus { padding-right: 0; }
QLineEdit:disabled, QAbstractSpinBox:disabled, QComboBox:disabled { color: $faint; background: transparent;
  border-color: $line; }
QLineEdit[wrong="true"], QAbstractSpinBox[wrong="true"], QComboBox[wrong="true"] { border: 2px solid $hazard;
  padding: 3px 6px; }
QAbstractSpinBox QLineEdit, QComboBox QLineEdit { background: transparent; border: none; padding: 0; min-height: 0; }
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { subcontrol-origin: border; width: 18px; border: none;
  background: transparent; }
QAbstractSpinBox::up-button { subcontrol-position: top right; border-top-right-radius: 6px; margin: 2px 2px 0 0; }
QAbstractSpinBox::down-button { subcontrol-position: bottom right; border-bottom-right-radius: 6px; margin: 0 2px 2px 0; }
QAbstractSpinBox::up-button:hover, QAbstractSpinBox::down-button:hover { background: $line; }
QAbstractSpinBox::up-button:pressed, QAbstractSpinBox::down-button:pressed { background: $edge; }
QAbstractSpinBox::up-arrow { image: url("$icons/chevron-up.svg"); width: 10px; height: 10px; }
QAbstractSpinBox::down-arrow { image: url("$icons/chevron-down.svg"); width: 10px; height: 10px; }
QAbstractSpinBox::up-arrow:off, QAbstractSpinBox::down-arrow:off { image: none; }
QComboBox { padding-right: 24px; combobox-popup: 0; }
QComboBox[byKeys="true"], QComboBox:on { padding-right: 23px; }
QComboBox::drop-down { subcontrol-origin: padding; subcontrol-position: center right; width: 22px; border: none; }
QComboBox::down-arrow { image: url("$icons/chevron-down.svg"); width: 12px; height: 12px; }
QComboBoxPrivateContainer { background: $panel; border: none; }
QComboBox QAbstractItemView, QComboBox QAbstractItemView:focus { background: $panel; border: 1px solid $faint;
  padding: 4px; outline: none; }
QComboBox QAbstractItemView::item { min-height: 26px; padding: 0 8px; border-radius: 4px; border: none; }
QComboBox QAbstractItemView::item:hover, QComboBox QAbstractItemView::item:selected { background: $selected; color: $text;
  border: none; }
QComboBox QAbstractItemView::item:disabled { color: $faint; background: transparent; }

QPlainTextEdit, QTextEdit { background: $panel; color: $text; border: 1px solid $line; border-radius: 6px; padding: 4px;
  selection-background-color: $accent; selection-color: $on_accent; }
QPlainTextEdit:focus, QTextEdit:focus { border: 2px solid $accent; padding: 3px; }
QPlainTextEdit[role="code"] { font-family: "$figures"; background: $field; }

QSlider { min-height: 22px; border: 2px solid transparent; border-radius: 6px; }
QSlider[byKeys="true"] { border-color: $accent; }
QSlider::groove:horizontal { height: 4px; border-radius: 2px; background: $line; }
QSlider::sub-page:horizontal { height: 4px; border-radius: 2px; background: $accent; }
QSlider::handle:horizontal { width: 14px; height: 14px; margin: -5px 0; border-radius: 7px; background: $accent; }
QSlider::handle:horizontal:hover { background: $accent_hover; }
QSlider::sub-page:horizontal:disabled, QSlider::handle:horizontal:disabled { background: $faint; }

QProgressBar { background: $line; border: none; border-radius: 2px; min-height: 4px; max-height: 4px; color: transparent; }
QProgressBar::chunk { background: $accent; border-radius: 2px; }
"""  # noqa: E501

_VIEWS = """
QAbstractItemView { background: $panel; alternate-background-color: $stripe; color: $text;
  selection-background-color: $selected; selection-color: $text; border: 2px solid transparent; outline: none; }
QListView:focus, QTreeView:focus, QTableView:focus { border-color: $accent; }
QListView::item { padding: 4px 8px; border-left: 3px solid transparent; }
QListView::item:hover { background: $hover; }
QListView::item:selected { background: $selected; color: $text; border-left: 3px solid $accent; }
QTreeView::item { padding: 3px 4px; }
QTreeView::item:hover { background: $hover; }
QTreeView::item:selected { background: $selected; color: $text; }
QTreeView::branch:has-children:closed { image: url("$icons/chevron-right.svg"); padding: 4px; }
QTreeView::branch:has-children:open { image: url("$icons/chevron-down.svg"); padding: 4px; }
QTableView { gridline-color: transparent; }
#resultsFrozen, #settingsFrozen { border: none; border-right: 1px solid $line; }
QTableView::item { padding: 2px 8px; border-bottom: 1px solid $field; }
#versionList::item { padding: 2px 4px; }
QTableView::item:hover { background: $hover; }
QTableView::item:selected { background: $selected; color: $text; }
QTableView::item:focus { border: 1px solid $accent; }
QHeaderView { background: $panel; border: none; }
QHeaderView::section { background: $panel; color: $muted; font-size: $small; font-weight: 600; border: none;
  border-bottom: 1px solid $edge; padding: 6px 8px; }
#versionList QHeaderView::section { padding: 2px 4px; }
QHeaderView::section:hover { color: $text; background: $hover; }
QHeaderView::section:vertical { border-bottom: 1px solid $field; font-weight: 400; }
QHeaderView::up-arrow { image: url("$icons/chevron-up.svg"); width: 10px; height: 10px; right: 6px; }
QHeaderView::down-arrow { image: url("$icons/chevron-down.svg"); width: 10px; height: 10px; right: 6px; }
QTableCornerButton::section { background: $panel; border: none; border-bottom: 1px solid $edge; }

QScrollArea { background: transparent; border: none; }
QScrollArea > QWidget > QWidget { background: transparent; }
QAbstractScrollArea::corner { background: transparent; }
QScrollBar { background: transparent; border: none; }
QScrollBar:vertical { width: 12px; }
QScrollBar:horizontal { height: 12px; }
QScrollBar::handle { background: $handle; border-radius: 3px; }
QScrollBar::handle:vertical { margin: 2px 3px; min-height: 36px; }
QScrollBar::handle:horizontal { margin: 3px 2px; min-width: 36px; }
QScrollBar::handle:hover, QScrollBar::handle:pressed { background: $muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; border: none; background: none; }
QScrollBar::add-page, QScrollBar::sub-page { background: none; }
"""

_FRAME = """
QMainWindow, QDialog { background: $window; }
QDialog { background: $panel; }
QMainWindow::separator { background: $line; width: 1px; height: 1px; margin: 2px; }
QMainWindow::separator:hover { background: $accent; }
QSplitter::handle { background: $line; }
QSplitter::handle:horizontal { width: 1px; margin: 0 2px; }
QSplitter::handle:vertical { height: 1px; margin: 2px 0; }
QSplitter::handle:hover { background: $accent; }

QTabWidget::pane { border: none; border-top: 1px solid $line; background: $canvas; }
QTabBar { background: $panel; qproperty-drawBase: 0; }
QTabBar::tab { background: transparent; color: $muted; font-weight: 500; border: none;
  border-bottom: 3px solid transparent; border-radius: 1px; padding: 11px 8px 9px 8px; margin: 0 4px; }
QTabBar[isTight="true"]::tab { padding-left: 6px; padding-right: 6px; margin: 0; }
QTabBar::tab:hover { color: $text; border-bottom-color: $edge; }
QTabBar::tab:selected { color: $text; border-bottom-color: $accent; }
QTabBar[byKeys="true"]::tab:focus { background: $selected; border-bottom-color: $accent; }
QTabBar::tab:disabled { color: $faint; }
QTabBar::close-button { image: url("$icons/close.svg"); }

QDockWidget { color: $muted; font-size: $small; font-weight: 600; text-transform: uppercase; letter-spacing: 0.6px;
  border: none; titlebar-close-icon: url("$icons/close.svg"); titlebar-normal-icon: url("$icons/float.svg"); }
QDockWidget::title { background: $panel; padding: 8px 14px; text-align: left; }
QDockWidget::close-button, QDockWidget::float-button { border: none; border-radius: 4px; background: transparent;
  padding: 0; icon-size: 14px; }
QDockWidget::close-button:hover, QDockWidget::float-button:hover { background: $pressed; }
QDockWidget > QWidget { background: $panel; }
QDockWidget#experimentDock { titlebar-close-icon: url("$icons/chevron-left.svg"); }
QDockWidget#figuresDock, QDockWidget#sourceDock, QDockWidget#frameDock {
  titlebar-close-icon: url("$icons/chevron-right.svg"); }
QDockWidget#resultsDock { titlebar-close-icon: url("$icons/chevron-down.svg"); }

QMenuBar { background: $panel; border: none; padding: 2px 8px; }
QMenuBar::item { background: transparent; padding: 4px 10px; border-radius: 4px; }
QMenuBar::item:selected { background: $pressed; }
QMenuBar::item:pressed { background: $selected; }
QMenu { background: $panel; border: 1px solid $edge; padding: 4px; }
QMenu::item { padding: 5px 24px 5px 8px; border-radius: 4px; border: 1px solid transparent; }
QMenu::item:selected { background: $selected; color: $text; }
QMenu::item:disabled { color: $faint; }
QMenu::icon { padding-left: 8px; }
QMenu::separator { height: 1px; background: $line; margin: 4px 8px; }
QMenu::indicator { width: 14px; height: 14px; margin-left: 8px; }
QMenu::indicator:checked { image: url("$icons/menu-check.svg"); }
QMenu::right-arrow { image: url("$icons/chevron-right.svg"); width: 12px; height: 12px; margin-right: 6px; }

QToolBar { background: $panel; border: none; border-bottom: 1px solid $line; padding: 4px 8px; spacing: 4px;
  qproperty-iconSize: 16px 16px; }
QToolBar[role="strip"] { padding: 4px 2px; border: none; border-left: 1px solid $line; border-right: 1px solid $line;
  border-top: 1px solid $line; spacing: 4px; }
QToolBar[role="strip"] > QToolButton { background: $field; color: $text; border-color: $edge; font-size: $small;
  font-weight: 600; padding: 3px 10px; }
QToolBar[role="strip"] > QToolButton:hover { background: $hover; border-color: $accent; color: $accent; }
QToolBar[role="strip"] > QToolButton[byKeys="true"] { border: 2px solid $accent; padding: 2px 9px; }
QToolBar::separator { background: $line; width: 1px; margin: 6px 4px; }
QStatusBar { background: $panel; border-top: 1px solid $line; color: $muted; font-size: $small; }
QStatusBar::item { border: none; }
QGroupBox { border: none; margin-top: 22px; padding: 0; font-size: $small; font-weight: 600; color: $muted; }
QGroupBox::title { subcontrol-origin: margin; subcontrol-position: top left; padding: 0; }
QDialogButtonBox { button-layout: 0; }
"""
