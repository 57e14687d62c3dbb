"""A control that cannot be used says why: in its tooltip, and to a screen reader."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from gemmviz.gui.widgets.plain_text import plain_text

_TIP = "tip_of_use"
"""The property of a control that has its tooltip while it can be used."""


def allow(control: QWidget, refusal: str) -> None:
    """Enable a control, or disable it and say why below its tooltip; "" is no refusal.

    The tooltip that a control has at the first call is the one that it keeps.
    """
    if control.property(_TIP) is None:
        control.setProperty(_TIP, control.toolTip())
    tip = str(control.property(_TIP))
    control.setEnabled(not refusal)
    control.setToolTip(plain_text(f"{tip}\n{refusal}") if refusal else tip)
    control.setAccessibleDescription(refusal or tip)
