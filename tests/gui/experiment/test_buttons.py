import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetricsF
from PySide6.QtWidgets import QAbstractButton, QCheckBox, QPushButton, QToolButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.shape import Shape
from gemmviz.gui.experiment import block as experiment_block
from gemmviz.gui.experiment import buttons as module
from gemmviz.gui.experiment.buttons import RunButtons
from gemmviz.gui.experiment.readiness import Readiness
from gemmviz.gui.experiment.record_choice import usual_recording
from gemmviz.gui.experiment.run_plan import RunPlan
from gemmviz.gui.experiment.sweeps import Sweep
from gemmviz.gui.work.words import BUSY, IDLE

CATALOGUE = load_catalogue()
EXAMINE = "Examine settings without a GPU …"
EXAMINE_ONE = "Examine this setting without a GPU …"


@pytest.fixture
def buttons(qtbot) -> RunButtons:
    made = RunButtons()
    qtbot.addWidget(made)
    made.show_readiness(Readiness(cancel=IDLE))
    show_grid(made, (65, 64, 1))
    made.resize(264, 72)
    made.show()
    qtbot.waitExposed(made)
    return made


def show_grid(buttons: RunButtons, grid) -> None:
    buttons.show_recording(grid, usual_recording(grid, Shape(1037, 1031, 1055), None) if grid is not None else None)


def menu_of(buttons: RunButtons, name: str):
    return buttons.findChild(QToolButton, name).menu()


@pytest.mark.parametrize(
    ("name", "signal", "cancel"), [("runButton", "run_asked", IDLE), ("cancelButton", "cancel_asked", "")]
)
def test_that_a_button_asks_for_what_it_says(buttons: RunButtons, qtbot, name: str, signal: str, cancel: str) -> None:
    buttons.show_readiness(Readiness(cancel=cancel))
    with qtbot.waitSignal(getattr(buttons, signal)):
        qtbot.mouseClick(buttons.findChild(QAbstractButton, name), Qt.MouseButton.LeftButton)


def test_that_a_wider_font_leaves_the_word_of_sweep_whole(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    wide = QFont("Inter")
    wide.setPixelSize(18)
    monkeypatch.setattr(module, "words", lambda *_: QFont(wide))
    made = RunButtons()
    qtbot.addWidget(made)
    needed = QFontMetricsF(wide).horizontalAdvance("Sweep")
    assert needed > 45, "wider than the usual button has room for"
    assert made.sweep.width() >= needed + 25, "beside its edges and its chevron"


def test_that_a_disabled_button_says_why(buttons: RunButtons) -> None:
    buttons.show_readiness(Readiness(run="Too many threads.", cancel=IDLE))
    run = buttons.findChild(QAbstractButton, "runButton")
    assert not run.isEnabled()
    assert "Too many threads." in run.toolTip()
    assert run.accessibleDescription() == "Too many threads."
    buttons.show_readiness(Readiness(cancel=IDLE))
    assert run.isEnabled()
    assert "Too many" not in run.toolTip()


@pytest.mark.parametrize("name", ["runButton", "runMenuButton", "quickBox", "recordButton", "sweepButton"])
def test_that_cancel_does_not_take_the_keyboard_when_work_starts(buttons: RunButtons, qtbot, name: str) -> None:
    starter = buttons.findChild(QAbstractButton, name)
    buttons.activateWindow()
    starter.setFocus()
    qtbot.waitUntil(starter.hasFocus)
    page = QWidget(buttons)
    page.show()
    buttons.keys_left.connect(page.setFocus)
    for _ in range(2):
        buttons.show_readiness(Readiness("", BUSY, BUSY, BUSY, BUSY, ""))
        assert buttons.window().focusWidget() is page
    buttons.show_readiness(Readiness(cancel=IDLE))
    assert buttons.window().focusWidget() is page


def test_that_enter_and_a_click_cancel_but_space_does_not(buttons: RunButtons, qtbot) -> None:
    buttons.show_readiness(Readiness("", BUSY, BUSY, BUSY, BUSY, ""))
    asked: list[bool] = []
    buttons.cancel_asked.connect(lambda: asked.append(True))
    qtbot.keyClick(buttons.cancel, Qt.Key.Key_Space)
    assert not asked
    qtbot.keyClick(buttons.cancel, Qt.Key.Key_Return)
    qtbot.mouseClick(buttons.cancel, Qt.MouseButton.LeftButton)
    assert len(asked) == 2


def test_that_a_menu_that_cannot_be_opened_says_why(buttons: RunButtons) -> None:
    buttons.show_readiness(Readiness(record="Not here.", ladder="No kernel can run.", cancel=IDLE))
    for name, reason in (("runMenuButton", "No kernel can run."), ("recordMenuButton", "Not here.")):
        arrow = buttons.findChild(QToolButton, name)
        assert not arrow.isEnabled()
        assert reason in arrow.toolTip()
        assert arrow.accessibleDescription() == reason
    buttons.show_readiness(Readiness(cancel=IDLE))
    assert buttons.findChild(QToolButton, "recordMenuButton").accessibleDescription() == "Record other blocks"


def test_that_run_says_how_many_kernels_and_about_how_long(buttons: RunButtons) -> None:
    for runs, text in (
        (("tiled",), "Run 1 kernel, about 10 s"),
        (("tiled", "naive"), "Run 2 kernels, about 20 s"),
        (tuple("abcdefg"), "Run 7 kernels, about 75 s"),
        ((), "Run"),
    ):
        buttons.show_plan(RunPlan(runs, budget_s=10, run_s=(11 * len(runs), 11 * len(runs))), is_quick=False)
        assert (buttons.run.text(), buttons.run.accessibleName()) == (text, text)
    buttons.show_plan(RunPlan(("tiled", "naive"), budget_s=10, run_s=(22, 22)), is_quick=False)
    assert "tiled, naive" in buttons.run.toolTip()
    assert "10 s at most" in buttons.run.toolTip()


def test_that_a_narrow_button_leaves_the_time_to_the_tooltip_and_the_screen_reader(buttons: RunButtons) -> None:
    buttons.show_plan(RunPlan(tuple("abcdefghijkl"), run_s=(840, 840)), is_quick=False)
    buttons.resize(205, 72)
    assert buttons.run.text() == "Run 12 kernels"
    assert buttons.run.accessibleName() == "Run 12 kernels, about 14 min"


def test_that_the_ladder_is_behind_the_arrow_of_run(buttons: RunButtons, qtbot) -> None:
    buttons.show_plan(RunPlan(("tiled",), ladder=("tiled", "naive"), run_s=(2, 2), ladder_s=(4, 4)), is_quick=True)
    (entry,) = menu_of(buttons, "runMenuButton").actions()
    assert entry.text() == "Run ladder: all 2 kernels that can run here, about 4 s"
    with qtbot.waitSignal(buttons.ladder_asked):
        entry.trigger()


def test_that_quick_mode_is_beside_run_and_gives_its_place_to_cancel(buttons: RunButtons, qtbot) -> None:
    quick = buttons.findChild(QCheckBox, "quickBox")
    with qtbot.waitSignal(buttons.quick_chosen) as signal:
        qtbot.mouseClick(quick, Qt.MouseButton.LeftButton, pos=quick.rect().center())
    assert signal.args == [True]
    with qtbot.assertNotEmitted(buttons.quick_chosen):
        buttons.show_plan(RunPlan(), is_quick=False)
    assert not quick.isChecked()
    assert not buttons.cancel.isVisible()
    width = buttons.run.width()
    buttons.show_readiness(Readiness("", BUSY, BUSY, BUSY, BUSY, ""))
    assert buttons.cancel.isVisible()
    assert not quick.isVisible()
    assert buttons.run.width() == width
    assert "finished results are kept" in buttons.cancel.toolTip()


def test_that_record_records_at_once_what_it_says(buttons: RunButtons, qtbot) -> None:
    record = buttons.findChild(QAbstractButton, "recordButton")
    assert record.text() == "Record block (0, 0)"
    with qtbot.waitSignal(buttons.record_asked) as signal:
        qtbot.mouseClick(record, Qt.MouseButton.LeftButton)
    assert signal.args == [((0, 0, 0),)]
    buttons.show_recording((2, 2, 1), usual_recording((2, 2, 1), Shape(4, 4, 4), None))
    assert record.text() == "Record all 4 blocks"


@pytest.mark.parametrize(
    ("action", "text", "blocks"),
    [
        (0, "Whole grid (4\u202f160 blocks)", ()),
        (1, "First block (0, 0)", ((0, 0, 0),)),
        (2, "Middle block (32, 32)", ((32, 32, 0),)),
        (3, "Last block (64, 63)", ((64, 63, 0),)),
    ],
)
def test_that_the_record_menu_names_blocks(buttons: RunButtons, qtbot, action: int, text: str, blocks) -> None:
    entry = menu_of(buttons, "recordMenuButton").actions()[action]
    assert entry.text() == text
    with qtbot.waitSignal(buttons.record_asked) as signal:
        entry.trigger()
    assert signal.args == [blocks]


@pytest.mark.parametrize(("answer", "told"), [((3, 1, 0), [((3, 1, 0),)]), (None, [])])
def test_that_one_block_is_asked_for(buttons: RunButtons, monkeypatch, answer, told) -> None:
    monkeypatch.setattr(experiment_block, "ask_block", lambda _, grid: answer if grid == (65, 64, 1) else None)
    heard = []
    buttons.record_asked.connect(heard.append)
    menu_of(buttons, "recordMenuButton").actions()[4].trigger()
    assert heard == told


def test_that_a_grid_of_one_block_offers_no_other(buttons: RunButtons) -> None:
    show_grid(buttons, (1, 1, 1))
    entries = menu_of(buttons, "recordMenuButton").actions()
    assert [a.text() for a in entries] == ["The only block"]
    show_grid(buttons, None)
    assert menu_of(buttons, "recordMenuButton").actions() == []


def test_that_the_sweep_menu_is_counted_when_it_opens(buttons: RunButtons, qtbot) -> None:
    asked = []

    def count(names: tuple[str, ...]) -> Sweep:
        asked.append(names)
        return Sweep(names, f"Sweep {len(asked)}", "" if len(names) == 1 else "Too many.")

    buttons.show_sweeps(CATALOGUE.get("tiled_wide"), count)
    menu = menu_of(buttons, "sweepButton")
    entries = [action for action in menu.actions() if not action.isSeparator()]
    assert [action.text() for action in entries] == ["Sweep TILE", "Sweep F", "Sweep all combinations", EXAMINE]
    assert asked == []
    menu.aboutToShow.emit()
    assert asked == [("TILE",), ("F",), ("TILE", "F")]
    assert [action.isEnabled() for action in entries] == [True, True, False, True]
    assert entries[2].toolTip() == "Too many."
    with qtbot.waitSignal(buttons.sweep_asked) as signal:
        entries[1].trigger()
    assert signal.args == [("F",)]


def test_that_another_kernel_brings_its_own_sweeps(buttons: RunButtons) -> None:
    for kernel, texts in (
        ("tiled", ["Sweep TILE", EXAMINE]),
        ("dot", ["Sweep THREADS", EXAMINE]),
        ("cpu_ijk", [EXAMINE_ONE]),
    ):
        buttons.show_sweeps(CATALOGUE.get(kernel), lambda names: Sweep(names, "?"))
        entries = menu_of(buttons, "sweepButton").actions()
        assert [action.text() for action in entries if not action.isSeparator()] == texts


def test_that_where_times_mean_nothing_settings_can_still_be_examined(buttons: RunButtons, qtbot: QtBot) -> None:
    buttons.show_sweeps(CATALOGUE.get("tiled"), lambda names: Sweep(names, "Sweep TILE"))
    buttons.show_readiness(Readiness(sweep="Times mean nothing."))
    assert buttons.sweep.isEnabled()
    menu = menu_of(buttons, "sweepButton")
    menu.aboutToShow.emit()
    timed, examine = [action for action in menu.actions() if not action.isSeparator()]
    assert (timed.isEnabled(), timed.toolTip()) == (False, "Times mean nothing.")
    with qtbot.waitSignal(buttons.settings_asked):
        examine.trigger()
    buttons.show_readiness(Readiness(sweep="No parameters.", settings="No parameters."))
    assert not buttons.sweep.isEnabled()


def test_that_a_button_elsewhere_that_began_work_leaves_its_keys_to_the_page(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    buttons, starter, tab = RunButtons(window), QPushButton("Record naive", window), QPushButton("Tab", window)
    tab.setCheckable(True)
    column = QVBoxLayout(window)
    for each in (buttons, starter, tab):
        column.addWidget(each)
    window.show()
    window.activateWindow()
    left: list[bool] = []
    buttons.keys_left.connect(lambda: left.append(True))
    buttons.show_readiness(Readiness(cancel=IDLE))
    for focused, leaves in ((starter, 1), (tab, 1)):
        focused.setFocus()
        qtbot.waitUntil(focused.hasFocus)
        buttons.show_readiness(Readiness("", BUSY, BUSY, BUSY, BUSY, ""))
        assert len(left) == leaves
        buttons.show_readiness(Readiness(cancel=IDLE))
        assert focused.hasFocus()
