"""A control or an action that cannot be used says why: in its tooltip, to a screen reader, in the status bar."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QStandardItem
from PySide6.QtWidgets import QWidget

from gemmviz.gui.widgets.plain_text import plain_text

_TIP, _STATUS_TIP, _REFUSAL = "tip_of_use", "status_tip_of_use", "refusal"
"""The properties that have the tips of what can be used, and why a control or an action cannot be."""
_TIP_ROLE = Qt.ItemDataRole.UserRole + 100
"""The data of an entry that has the tip of what can be used."""


def allow(control: QWidget, refusal: str) -> None:
    """Enable a control, or disable it and say why below its tooltip; "" is no refusal.

    The tooltip that a control has at the first call is the one that it keeps.
    """
    if control.property(_TIP) is None:
        control.setProperty(_TIP, control.toolTip())
    tip = str(control.property(_TIP))
    control.setProperty(_REFUSAL, refusal)
    control.setEnabled(not refusal)
    control.setToolTip(plain_text(f"{tip}\n{refusal}" if refusal else tip))
    control.setAccessibleDescription(refusal or tip)


def refusal_of(control: QWidget | QAction) -> str:
    """Why a control or an action cannot be used, as `allow` or `allow_action` was told; "" where it can."""
    return str(control.property(_REFUSAL) or "")


def set_tip(control: QWidget, tip: str) -> None:
    """Give a control another tip; why it cannot be used stays below it."""
    control.setProperty(_TIP, plain_text(tip))
    refusal = refusal_of(control)
    control.setToolTip(plain_text(f"{tip}\n{refusal}" if refusal else tip))


def allow_entry(entry: QStandardItem, refusal: str) -> None:
    """Enable an entry of a list, or disable it and say why below its tooltip; "" is no refusal.

    The tooltip that an entry has at the first call is the one that it keeps.
    """
    if entry.data(_TIP_ROLE) is None:
        entry.setData(entry.toolTip(), _TIP_ROLE)
    entry.setEnabled(not refusal)
    entry.setToolTip(plain_text("\n".join(filter(None, (str(entry.data(_TIP_ROLE)), refusal)))))


def allow_action(action: QAction, refusal: str) -> None:
    """Enable an action, or disable it and say why below its tooltip and in the status bar; "" is no refusal.

    The tips that an action has at the first call are those that it keeps.
    """
    if action.property(_TIP) is None:
        action.setProperty(_TIP, action.toolTip())
        action.setProperty(_STATUS_TIP, action.statusTip())
    tip, status_tip = str(action.property(_TIP)), str(action.property(_STATUS_TIP))
    action.setProperty(_REFUSAL, refusal)
    action.setEnabled(not refusal)
    action.setToolTip(plain_text(f"{tip}\n{refusal}" if refusal else tip))
    is_name = refusal[1:2].isupper()  # "PTX machine"
    why = refusal if is_name else f"{refusal[:1].lower()}{refusal[1:]}"
    action.setStatusTip(plain_text(f"{status_tip}: {why}" if refusal else status_tip))
