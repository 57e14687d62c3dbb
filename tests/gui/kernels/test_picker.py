from typing import Any

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QCheckBox, QLineEdit, QPushButton, QWidget

from gemmviz.catalogue.loader import load_catalogue
from gemmviz.gui.kernels.availability import NEEDS_NVIDIA, Availability
from gemmviz.gui.kernels.browser import KernelBrowser, about
from gemmviz.gui.kernels.kernel_list import KernelList
from gemmviz.gui.kernels.model import KernelModel
from gemmviz.gui.kernels.picker import KernelPicker
from gemmviz.gui.kernels.rows import rows_of
from gemmviz.gui.looks.theme import DARK, LIGHT
from gemmviz.gui.work.experiment import default_experiment

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
CATALOGUE = load_catalogue()
REFUSED = {
    "dot": Availability("refused", "Needs M = 1, but M is 5."),
    "cp_async": Availability(NEEDS_NVIDIA, "Needs an NVIDIA GPU of compute capability 8.0."),
}
ROWS = rows_of(CATALOGUE, default_experiment(CATALOGUE), REFUSED)


class Heard(KernelPicker):
    """Keeps what it told."""

    told: list[Any]
    window_kept: QWidget


@pytest.fixture
def picker(qtbot) -> Heard:
    window = QWidget()
    made = Heard(LIGHT, (16, 8), window)
    qtbot.addWidget(window)
    window.resize(1280, 800)
    made.resize(296, 400)
    made.show_rows(ROWS, "tiled")
    window.show()
    qtbot.waitExposed(window)
    made.window_kept = window
    made.told = []
    made.kernel_chosen.connect(lambda kernel: made.told.append(("chosen", kernel)))
    made.kernel_ticked.connect(lambda kernel, on: made.told.append(("ticked", kernel, on)))
    return made


def row_of(kernels: KernelList, kernel: str) -> QModelIndex:
    model = kernels.model()
    assert isinstance(model, KernelModel)
    return model.row_of(kernel)


def ids_in(kernels: KernelList) -> list[str]:
    model = kernels.model()
    rows = [model.index(row, 0).data(Qt.ItemDataRole.UserRole) for row in range(model.rowCount())]
    return [row.id for row in rows if row.id]


def browser_of(picker: Heard, qtbot) -> tuple[KernelBrowser, KernelList]:
    qtbot.mouseClick(picker.findChild(QPushButton, "kernelBrowse"), Qt.MouseButton.LeftButton)
    browser = picker.window().findChild(KernelBrowser, "kernelBrowser")
    qtbot.waitUntil(browser.isVisible)
    return browser, browser.findChild(KernelList, "kernelBrowserList")


def test_that_typing_filters_and_escape_shows_all_again(picker: Heard, qtbot) -> None:
    field = picker.findChild(QLineEdit, "kernelFilter")
    qtbot.keyClicks(field, "dot")
    assert ids_in(picker.list)[0] == "dot"
    assert picker.told == [], "a filter chooses nothing"
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert picker.told == [("chosen", "dot")]
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert len(ids_in(picker.list)) == len(CATALOGUE.kernels)


def test_that_only_what_can_run_here_is_shown(picker: Heard, qtbot) -> None:
    qtbot.mouseClick(picker.findChild(QCheckBox, "kernelRunnable"), Qt.MouseButton.LeftButton)
    assert set(ids_in(picker.list)) == {kernel.id for kernel in CATALOGUE.kernels} - set(REFUSED)


def test_that_a_filter_that_finds_nothing_says_so(picker: Heard, qtbot) -> None:
    qtbot.keyClicks(picker.findChild(QLineEdit, "kernelFilter"), "nothing like it")
    assert ids_in(picker.list) == []
    assert not picker.findChild(type(picker._none), "kernelNone").isHidden()


def test_that_a_filter_stays_when_the_rows_change(picker: Heard, qtbot) -> None:
    qtbot.keyClicks(picker.findChild(QLineEdit, "kernelFilter"), "register")
    picker.show_rows(ROWS, "register_2d")
    assert {"register_1d", "register_2d"} <= set(ids_in(picker.list))
    assert "tiled" not in ids_in(picker.list)
    assert picker.list.currentIndex().data().startswith("register_2d")


def test_that_a_filter_that_hides_a_newly_chosen_kernel_is_cleared(picker: Heard, qtbot) -> None:
    field = picker.findChild(QLineEdit, "kernelFilter")
    qtbot.keyClicks(field, "register")
    picker.show_rows(ROWS, "tiled")
    assert field.text() == "register", "the chosen one is no other"
    picker.show_rows(ROWS, "dot")
    assert field.text() == ""
    assert picker.list.currentIndex().data().startswith("dot")


def test_that_the_browser_shows_more_than_eight_kernels_and_passes_on_what_is_done(picker: Heard, qtbot) -> None:
    browser, kernels = browser_of(picker, qtbot)
    shown = [
        row
        for row in range(kernels.model().rowCount())
        if kernels.viewport().rect().contains(kernels.visualRect(kernels.model().index(row, 0)))
    ]
    assert len(shown) > 8
    field = browser.findChild(QLineEdit, "kernelBrowserFilter")
    qtbot.keyClicks(field, "naive")
    qtbot.keyClick(field, Qt.Key.Key_Down)
    kernels.setCurrentIndex(row_of(kernels, "naive_1d"))
    qtbot.keyClick(kernels, Qt.Key.Key_Space)
    assert picker.told == [("chosen", "naive_1d"), ("ticked", "naive_1d", True)]
    browser.set_theme(DARK)
    qtbot.keyClick(kernels, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not browser.isVisible())


def test_that_enter_in_the_browsers_filter_takes_the_first_kernel(picker: Heard, qtbot) -> None:
    browser, _ = browser_of(picker, qtbot)
    field = browser.findChild(QLineEdit, "kernelBrowserFilter")
    qtbot.keyClicks(field, "dot")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert picker.told == [("chosen", "dot")]
    qtbot.waitUntil(lambda: not browser.isVisible())


def test_that_the_browser_says_why_a_kernel_cannot_run_or_be_recorded() -> None:
    rows = {row.id: row for row in ROWS}
    assert about(rows["dot"]).splitlines()[0] == f"dot · {CATALOGUE.get('dot').title}"
    assert about(rows["dot"]).endswith("Needs M = 1, but M is 5.")
    assert "Only GPU kernels can be recorded" in about(rows["cpu_ijk"])
