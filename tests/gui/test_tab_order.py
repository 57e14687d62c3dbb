import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QTabBar, QWidget

from gemmviz.catalogue.examples import examples_folder
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.gui.experiment.panel import ExperimentPanel
from gemmviz.gui.kernels.choice import with_kernel
from gemmviz.gui.memory.page import MemoryPage
from gemmviz.gui.window.main_window import MainWindow

MOST_STOPS = 150


def walk(window: MainWindow, start: QWidget, key: Qt.Key, modifier: Qt.KeyboardModifier) -> list[QWidget]:
    """The controls that a key goes through until it is back at the first, or for MOST_STOPS steps."""
    met = [start]
    while len(met) < MOST_STOPS:
        QTest.keyClick(window.windowHandle(), key, modifier)
        control = QApplication.focusWidget()
        assert control is not None, [widget.objectName() for widget in met]
        if control is start:
            break
        met.append(control)
    return met


@pytest.mark.parametrize("tab", ["", "tabTimingAction"], ids=["first page", "timing"])
@pytest.mark.parametrize("kernel", ["tiled", "register_2d"])
def test_that_tab_goes_once_through_the_whole_window(
    window: MainWindow, make_result, qtbot, kernel: str, tab: str
) -> None:
    panel = window.findChild(ExperimentPanel)
    panel.set_experiment(with_kernel(panel.experiment(), kernel, load_catalogue()))
    if tab:
        window.document.add_run(make_result(), 1.0)
        window.findChild(QAction, tab).trigger()
    window.activateWindow()
    start = window.findChild(QWidget, "sizeM" if tab else "lessonCard_tiling")
    start.setFocus()
    qtbot.waitUntil(start.hasFocus)
    forwards = walk(window, start, Qt.Key.Key_Tab, Qt.KeyboardModifier.NoModifier)
    backwards = walk(window, start, Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    for met in (forwards, backwards):
        names = [control.objectName() for control in met]
        assert len(met) < MOST_STOPS, names
        assert len(set(met)) == len(met), names
        if tab:
            assert {"sizeM", "kernelList", "runButton"} <= set(names)
            assert {"resultsFilter", "resultsTable"} <= set(names)
            assert any(isinstance(control, QTabBar) for control in met), names
        else:
            assert {name for name in names if "Card" in name}, names


@pytest.mark.parametrize(
    ("view", "parts"),
    [
        ("memoryAnimation", ["memoryCombo", "heatCombo", "memoryView", "frameSlider", "playButton"]),
        ("memoryBanks", ["memoryCombo", "bankStage", "paddingSlider", "bankStageSite", "bankStagePlay"]),
        ("memorySectors", ["memoryCombo", "coalescingStage", "coalescingStageSite", "coalescingStagePlay"]),
        ("memoryTotals", ["recordingCombo", "recordingSource"]),
    ],
)
def test_that_tab_goes_through_each_view_of_a_recording_before_it_leaves_the_page(
    window: MainWindow, qtbot, view: str, parts: list[str]
) -> None:
    """And to nothing that is out of sight: of the panels that share a place, the one in front alone."""
    window.open_path(examples_folder() / "cpu-four.gemmviz")
    page = window.findChild(MemoryPage)
    button = window.findChild(QAbstractButton, view)
    qtbot.waitUntil(lambda: page.isVisible() and button.isEnabled())
    button.click()
    qtbot.waitUntil(lambda: page.stages.in_front is None or not page.stages.in_front.is_busy)
    qtbot.waitUntil(lambda: any(page.findChild(QWidget, name).isVisible() for name in parts))
    qtbot.wait(300)  # what is arranged anew is put in order a moment later
    window.activateWindow()
    button.setFocus()
    qtbot.waitUntil(button.hasFocus)
    met = walk(window, button, Qt.Key.Key_Tab, Qt.KeyboardModifier.NoModifier)
    assert not [control.objectName() for control in met if control.visibleRegion().isEmpty()]
    of_page = [place for place, control in enumerate(met) if page.isAncestorOf(control)]
    assert of_page == list(range(len(of_page))), [control.objectName() for control in met]
    names = [control.objectName() for control in met]
    assert [name for name in names if name in parts] == parts
