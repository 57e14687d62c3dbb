"""After a choice from a list above the picture the keyboard goes to the picture, so that Space plays."""

from __future__ import annotations

from PySide6.QtCore import Qt

from gemmviz.gui.fields import ComboBox
from gemmviz.gui.memory.followed import Followed
from gemmviz.gui.memory.page import MemoryPage


def hand_on_focus(page: MemoryPage, followed: Followed) -> None:
    """Let each list above the picture give up the focus once a person chose: to the picture that the panels follow,
    or to the request that is in front.
    """

    def hand_on() -> None:
        (page.stages.in_front or page.panes[followed.place].view).setFocus(Qt.FocusReason.OtherFocusReason)

    for combo in page.findChildren(ComboBox, options=Qt.FindChildOption.FindDirectChildrenOnly):
        combo.activated.connect(hand_on)
