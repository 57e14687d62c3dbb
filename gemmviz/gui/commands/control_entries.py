"""The controls in sight, for the command palette: lists, fields, ticks and buttons, by their spoken names."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QAbstractSlider, QAbstractSpinBox, QComboBox, QLineEdit, QWidget

from gemmviz.gui.commands.commands import plain_words
from gemmviz.gui.commands.entries import Entry
from gemmviz.gui.widgets.key_focus import focus_by_keys
from gemmviz.gui.widgets.segments import Segments

_KINDS = QAbstractButton, QAbstractSlider, QAbstractSpinBox, QComboBox, QLineEdit
NOT_NOW = "It cannot be used now."


def control_entries(
    places: Iterable[tuple[str, QWidget, Callable[[], object]]], but: Collection[str] = ()
) -> list[Entry]:
    """The controls of some parts of the window, each with its name and what shows it. Those named as one of `but`,
    which are commands, the views of a page, and whatever is hidden in its part are left out.

    A button is pressed, a list opened, and every other control gets the keyboard.
    """
    found: dict[tuple[str, str], Entry] = {}
    for part, widget, show in places:
        for control in widget.findChildren(QWidget):
            if not isinstance(control, _KINDS) or control.focusPolicy() is Qt.FocusPolicy.NoFocus:
                continue
            title = plain_words(
                control.accessibleName() or (control.text() if isinstance(control, QAbstractButton) else "")
            )
            is_view = isinstance(control.parentWidget(), Segments)
            if not title or title in but or is_view or not control.isVisibleTo(widget):
                continue
            found.setdefault((part, title), _entry(part, title, control, show))
    return list(found.values())


def _entry(part: str, title: str, control: QWidget, show: Callable[[], object]) -> Entry:
    tip = control.toolTip().partition("\n")[0]
    shown = _text(control)
    refusal = "" if control.isEnabled() else control.toolTip().rpartition("\n")[2] or NOT_NOW
    words = (part, plain_words(shown)) if shown else (part,)
    return Entry("Control", title, partial(_use, control, show), f"{part}: {tip}" if tip else part, words, refusal)


def _text(control: QWidget) -> str:
    return control.text() if isinstance(control, QAbstractButton) else ""


def _use(control: QWidget, show: Callable[[], object]) -> None:
    show()
    focus_by_keys(control)
    if isinstance(control, QAbstractButton):
        control.click()
    elif isinstance(control, QComboBox):
        control.showPopup()
