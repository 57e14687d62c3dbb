"""An exception within an event handler is told, and does not end the program."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject

from gemmviz.gui.tasks.overrides import NEEDS_GUARDS, guard_overrides


@pytest.mark.usefixtures("qapp")
def test_that_an_exception_of_c_code_within_an_override_is_told() -> None:
    class Heard(QObject):
        __module__ = "gemmviz.heard"

        def event(self, event: QEvent) -> bool:
            if event.type() is QEvent.Type.User:
                int("x")  # up to Python 3.11 this ends the program where nothing guards it
            return super().event(event)

        def other(self) -> int:
            return 7

    plain = Heard.other
    guarded = guard_overrides()
    assert (guarded > 0) is NEEDS_GUARDS
    assert Heard.other is plain
    heard = Heard()
    with pytest.raises(ValueError, match=r"invalid literal for int\(\)"):
        QCoreApplication.sendEvent(heard, QEvent(QEvent.Type.User))


def test_that_nothing_is_guarded_twice() -> None:
    guard_overrides()
    assert guard_overrides() == 0
