import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QToolButton

from gemmviz.catalogue.loader import load_catalogue
from gemmviz.gui.experiment import block as experiment_block
from gemmviz.gui.experiment.buttons import RunButtons
from gemmviz.gui.experiment.readiness import BUSY, IDLE, Readiness
from gemmviz.gui.experiment.sweeps import Sweep

CATALOGUE = load_catalogue()


@pytest.fixture
def buttons(qtbot) -> RunButtons:
    made = RunButtons()
    qtbot.addWidget(made)
    made.show_readiness(Readiness(cancel=IDLE))
    made.show_grid((65, 64, 1))
    made.resize(258, 72)
    made.show()
    qtbot.waitExposed(made)
    return made


def menu_of(buttons: RunButtons, name: str):
    return buttons.findChild(QToolButton, name).menu()


@pytest.mark.parametrize(
    ("name", "signal"), [("runButton", "run_asked"), ("ladderButton", "ladder_asked"), ("cancelButton", "cancel_asked")]
)
def test_that_a_button_asks_for_what_it_says(buttons: RunButtons, qtbot, name: str, signal: str) -> None:
    buttons.show_readiness(Readiness(cancel=""))
    with qtbot.waitSignal(getattr(buttons, signal)):
        qtbot.mouseClick(buttons.findChild(QAbstractButton, name), Qt.MouseButton.LeftButton)


def test_that_a_disabled_button_says_why(buttons: RunButtons) -> None:
    buttons.show_readiness(Readiness(run="Too many threads.", cancel=IDLE))
    run = buttons.findChild(QAbstractButton, "runButton")
    assert not run.isEnabled()
    assert "Too many threads." in run.toolTip()
    assert run.accessibleDescription() == "Too many threads."
    buttons.show_readiness(Readiness(cancel=IDLE))
    assert run.isEnabled()
    assert "Too many" not in run.toolTip()


def test_that_the_keyboard_goes_from_run_to_cancel_when_a_run_starts(buttons: RunButtons, qtbot) -> None:
    buttons.activateWindow()
    buttons.run.setFocus()
    qtbot.waitUntil(buttons.run.hasFocus)
    buttons.show_readiness(Readiness("", BUSY, BUSY, BUSY, BUSY, ""))
    assert buttons.cancel.hasFocus()


@pytest.mark.parametrize(
    ("action", "text", "blocks"),
    [(0, "Whole grid (4\u202f160 blocks)", ()), (1, "First block (0, 0)", ((0, 0, 0),)),
     (2, "Last block (64, 63)", ((64, 63, 0),))],
)  # fmt: skip
def test_that_the_record_menu_names_blocks(buttons: RunButtons, qtbot, action: int, text: str, blocks) -> None:
    entry = menu_of(buttons, "recordButton").actions()[action]
    assert entry.text() == text
    with qtbot.waitSignal(buttons.record_asked) as signal:
        entry.trigger()
    assert signal.args == [blocks]


@pytest.mark.parametrize(("answer", "told"), [((3, 1, 0), [((3, 1, 0),)]), (None, [])])
def test_that_one_block_is_asked_for(buttons: RunButtons, monkeypatch, answer, told) -> None:
    monkeypatch.setattr(experiment_block, "ask_block", lambda _, grid: answer if grid == (65, 64, 1) else None)
    heard = []
    buttons.record_asked.connect(heard.append)
    menu_of(buttons, "recordButton").actions()[3].trigger()
    assert heard == told


def test_that_a_grid_of_one_block_offers_no_other(buttons: RunButtons) -> None:
    buttons.show_grid((1, 1, 1))
    assert [a.text() for a in menu_of(buttons, "recordButton").actions()] == ["Whole grid (1 block)", "First block (0)"]
    buttons.show_grid(None)
    assert menu_of(buttons, "recordButton").actions() == []


def test_that_the_sweep_menu_is_counted_when_it_opens(buttons: RunButtons, qtbot) -> None:
    asked = []

    def count(names: tuple[str, ...]) -> Sweep:
        asked.append(names)
        return Sweep(names, f"Sweep {len(asked)}", "" if len(names) == 1 else "Too many.")

    buttons.show_sweeps(CATALOGUE.get("tiled_wide"), count)
    menu = menu_of(buttons, "sweepButton")
    entries = [action for action in menu.actions() if not action.isSeparator()]
    assert [action.text() for action in entries] == ["Sweep TILE", "Sweep F", "Sweep all combinations"]
    assert asked == []
    menu.aboutToShow.emit()
    assert asked == [("TILE",), ("F",), ("TILE", "F")]
    assert [action.isEnabled() for action in entries] == [True, True, False]
    assert entries[2].toolTip() == "Too many."
    with qtbot.waitSignal(buttons.sweep_asked) as signal:
        entries[1].trigger()
    assert signal.args == [("F",)]


def test_that_another_kernel_brings_its_own_sweeps(buttons: RunButtons) -> None:
    for kernel, texts in (("tiled", ["Sweep TILE"]), ("dot", ["Sweep THREADS"]), ("cpu_ijk", [])):
        buttons.show_sweeps(CATALOGUE.get(kernel), lambda names: Sweep(names, "?"))
        assert [action.text() for action in menu_of(buttons, "sweepButton").actions()] == texts
