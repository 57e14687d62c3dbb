"""What the tests of the window share: no display, the bundled fonts, a picture of the window where a test fails."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication, QWidget

from gemmviz.gui.fonts import NORMAL, load_fonts, words


@pytest.fixture(scope="session")
def qapp_args() -> list[str]:
    return ["gemmviz"]


@pytest.fixture(scope="session", autouse=True)
def _fonts(qapp: QApplication) -> None:
    load_fonts()
    qapp.setFont(words(NORMAL))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    report = yield
    if report.when == "call" and report.failed and "qtbot" in getattr(item, "fixturenames", ()):
        folder = Path(os.environ.get("GEMMVIZ_SCREENSHOTS", "screenshots"))
        for number, widget in enumerate(w for w in QApplication.topLevelWidgets() if w.isVisible()):
            _keep(widget, folder / f"{item.name.replace('/', '_')}-{number}.png")
    return report


def _keep(widget: QWidget, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    widget.grab().save(str(path))
