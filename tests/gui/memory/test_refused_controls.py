"""A control of the page that cannot be used says why, and what to do."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QAbstractButton, QAbstractSlider, QApplication, QCheckBox, QComboBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import Session
from gemmviz.gui.control.memory_control import MemoryControl
from gemmviz.gui.layout.parts import Parts
from gemmviz.gui.memory.picture_options import NOT_OF_ONE_SIZE

Record = Callable[..., TraceRun]
SessionOf = Callable[..., Session]
PAGES = "memoryAnimation", "memoryBanks", "memorySectors", "memoryTotals"


def refused(page: QWidget) -> dict[str, str]:
    """Every control in sight that cannot be used, by its name, and its tooltip."""
    kinds = (QAbstractButton, QComboBox, QAbstractSlider)
    controls = [one for kind in kinds for one in page.findChildren(kind) if one.isVisible() and not one.isEnabled()]
    return {one.objectName(): one.toolTip() for one in controls if one.objectName()[:3] != "qt_"}


def is_reason(tip: str) -> bool:
    """Whether a tooltip has a second line, which says why, or is itself a sentence that does."""
    return len(tip.splitlines()) > 1 or "<br" in tip or tip.endswith(".")


@pytest.mark.parametrize("kernels", [(), ("naive",), ("tiled",)])
def test_that_every_control_that_cannot_be_used_says_why(
    qtbot: QtBot,
    parts: Parts,
    control: MemoryControl,
    recorded: Record,
    session_of: SessionOf,
    kernels: tuple[str, ...],
) -> None:
    page = parts.memory_page
    with qtbot.waitExposed(page):
        page.show()
    control.show_session(session_of(*(recorded(kernel, "16x16x16", (0, 0)) for kernel in kernels)))
    names = set[str]()
    for name in PAGES:
        page.findChild(QPushButton, name).click()
        QApplication.processEvents()
        found = refused(page)
        names |= {*found}
        silent = {each: tip for each, tip in found.items() if not is_reason(tip)}
        assert not silent, f"{kernels} on {name}"
    assert names


def test_that_zoom_together_says_why_it_cannot_be(
    parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf
) -> None:
    small, large = recorded("naive", "16x16x16", (0, 0)), recorded("naive", "32x32x32", (0, 0))
    control.show_session(session_of(small, large))
    combo = parts.memory_page.findChild(QComboBox, "compareCombo")
    link = parts.memory_page.findChild(QCheckBox, "linkBox")
    combo.activated.emit(1)
    assert not link.isEnabled()
    assert NOT_OF_ONE_SIZE in link.toolTip()
    assert link.accessibleDescription() == NOT_OF_ONE_SIZE
