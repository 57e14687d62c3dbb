"""The examples of the first page: one click, by mouse or by keyboard, opens a copy without a name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from driving import act, part
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QSpinBox, QTabWidget, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.examples import Example, examples_folder, load_examples
from gemmviz.domain.runs.session_kernels import shown_spec
from gemmviz.domain.session.session import load_session
from gemmviz.gui.charts.accuracy_chart import ACCURACY_CHART
from gemmviz.gui.charts.plot_table import Plot
from gemmviz.gui.charts.timing_chart import TimingChart, TimingView
from gemmviz.gui.control.examples_control import look_words
from gemmviz.gui.files.file_dialog import FileDialog
from gemmviz.gui.layout.action_table import TABS
from gemmviz.gui.notices.bar import NoticeBar
from gemmviz.gui.preferences import Preferences
from gemmviz.gui.welcome.examples import ExampleButton, ExamplesSection, measured_words
from gemmviz.gui.window.main_window import MainWindow

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
ONE = Example(
    "one",
    "Title",
    "It is this. It shows that.",
    "Look here",
    "Timing",
    Path("one.gemmviz"),
    "A GPU",
    "5",
    "2026-11-21T06:00:00+00:00",
)
MANY = [replace(ONE, id=f"e{number}", text="It is this, at some length. " * 3) for number in range(5)]


@pytest.fixture
def section(qtbot: QtBot) -> ExamplesSection:
    made = ExamplesSection(MANY)
    qtbot.addWidget(made)
    made.resize(940, 400)
    made.show()
    return made


def test_that_a_card_says_title_whole_text_device_and_date(qtbot: QtBot) -> None:
    button = ExampleButton(ONE)
    qtbot.addWidget(button)
    assert [label.text() for label in button.findChildren(QLabel)] == ["Title", ONE.text, "A GPU · 2026-11-21"]
    assert button.toolTip() == "It is this. It shows that.\nLook here."
    assert button.accessibleName() == "Title"
    assert measured_words(ONE) == "A GPU · 2026-11-21"


def test_that_mouse_and_keyboard_ask_for_the_example(qtbot: QtBot, section: ExamplesSection) -> None:
    buttons = section.findChildren(ExampleButton)
    with qtbot.waitSignal(section.asked) as asked:
        qtbot.mouseClick(buttons[1], Qt.MouseButton.LeftButton)
    assert asked.args == [MANY[1]]
    with qtbot.waitSignal(section.asked) as asked:
        qtbot.keyClick(buttons[2], Qt.Key.Key_Return)
    assert asked.args == [MANY[2]]


def test_that_the_columns_follow_the_width_and_every_word_has_room(qtbot: QtBot, section: ExamplesSection) -> None:
    for width, columns in ((1180, 4), (900, 3), (640, 2), (320, 1), (900, 3)):
        section.resize(width, 900)
        buttons = section.findChildren(ExampleButton)
        qtbot.waitUntil(lambda: len({button.y() for button in buttons}) == -(-len(MANY) // columns))  # noqa: B023
        for button in buttons:
            assert button.height() >= button.height_at(button.width())
            for label in button.findChildren(QLabel):
                assert button.rect().contains(label.geometry()), label.text()


def test_that_no_examples_leave_nothing(qtbot: QtBot) -> None:
    around = QWidget()
    qtbot.addWidget(around)
    empty = ExamplesSection((), around)
    around.show()
    assert not empty.isVisible()


def test_that_an_example_opens_as_a_copy_that_a_save_asks_a_name_for(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    example = load_examples()[0]
    before = example.path.read_bytes()
    with qtbot.waitSignal(window.document.opened):
        qtbot.mouseClick(part(window, ExampleButton, f"example_{example.id}"), Qt.MouseButton.LeftButton)
    assert window.document.path is None
    assert not window.document.modified
    assert window.windowTitle().startswith(example.title)
    assert TABS[part(window, QTabWidget, "tabs").currentIndex()] == example.tab
    assert example.look in "\n".join(part(window, NoticeBar, "noticeBar").texts())
    target = tmp_path / "mine.gemmviz"
    monkeypatch.setattr(FileDialog, "name_to_save", lambda *_: str(target))
    with qtbot.waitSignal(window.document.saved):
        act(window, "saveAction")
    assert window.document.path == target
    assert window.windowTitle().startswith("mine.gemmviz")
    assert example.path.read_bytes() == before


def test_that_the_hint_of_an_example_leaves_with_it(qtbot: QtBot, window: MainWindow) -> None:
    example, notices = load_examples()[0], part(window, NoticeBar, "noticeBar")
    with qtbot.waitSignal(window.document.opened):
        qtbot.mouseClick(part(window, ExampleButton, f"example_{example.id}"), Qt.MouseButton.LeftButton)
    assert example.look in "\n".join(notices.texts())
    act(window, "newAction")
    assert example.look not in "\n".join(notices.texts())


def test_that_an_example_shows_the_charts_of_which_its_text_speaks(qtbot: QtBot, window: MainWindow) -> None:
    timing = part(window, TimingChart, "timingChart")
    timing.set_view(TimingView.ROOFLINE)
    part(window, QPushButton, "accuracyRelative").click()
    with qtbot.waitSignal(window.document.opened):
        act(window, "exampleAction_gpu-ladder")
    assert timing.view is TimingView.KERNEL
    assert part(window, ACCURACY_CHART.kind, "accuracyChart").view is Plot.ERROR_BOUND


def test_that_the_menu_opens_examples_too_and_they_are_no_recent_files(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    used: list[Path] = []
    monkeypatch.setattr(Preferences, "use_file", lambda _memory, path: used.append(path))
    for example in load_examples()[:2]:
        with qtbot.waitSignal(window.document.opened):
            act(window, f"exampleAction_{example.id}")
        assert window.windowTitle().startswith(example.title)
    assert used == []


def test_that_an_example_on_the_memory_page_sets_its_recording_up_and_undo_goes_back(
    qtbot: QtBot, window: MainWindow
) -> None:
    before = window.experiment
    with qtbot.waitSignal(window.document.opened):
        qtbot.mouseClick(part(window, ExampleButton, "example_cpu-four"), Qt.MouseButton.LeftButton)
    spec = window.document.session.traces[1].spec
    found = window.experiment
    assert (found.kernel, str(found.shape)) == (spec.kernel, "4x4x4") == ("tiled_global_accumulate", "4x4x4")
    assert found.params_of(window._set_up.kernel) == spec.params == (("TILE", 2),)
    assert part(window, QSpinBox, "sizeM").value() == 4
    act(window, "undoAction")
    assert window.experiment == before


def test_which_recording_run_or_schedule_of_a_session_is_shown() -> None:
    session = load_session(examples_folder() / "gpu-feeding.gemmviz")
    specs = [trace.spec for trace in session.traces]
    assert session.shown is not None
    assert session.shown.first is not None
    assert shown_spec(session) == specs[session.shown.first.recording] != specs[-1]
    assert shown_spec(replace(session, shown=None)) == specs[-1]
    gone = replace(session.shown, first=replace(session.shown.first, recording=len(specs)))
    assert shown_spec(replace(session, shown=gone)) == specs[-1]
    bare = replace(session, traces=())
    assert shown_spec(bare) == session.runs[-1].spec
    assert shown_spec(replace(bare, runs=())) is None
    waves = load_session(examples_folder() / "gpu-waves.gemmviz")
    assert shown_spec(replace(waves, runs=())) == waves.schedules[-1].spec


def test_that_an_example_says_of_which_sizes_its_times_and_its_recordings_are() -> None:
    by_id = {example.id: example for example in load_examples()}
    ladder, odd, four = (by_id[name] for name in ("gpu-ladder", "gpu-odd", "cpu-four"))
    assert look_words(ladder, load_session(ladder.path)) == (
        f"{ladder.look}. The times are of 4096×4096×4096. "
        "The recordings are of 32×32×32, and the experiment starts at that size."
    )
    assert "The recordings are of 37×31×33, and the experiment starts at that size." in look_words(
        odd, load_session(odd.path)
    )
    assert look_words(four, load_session(four.path)) == f"{four.look}.", "one size needs no words"
    spec = shown_spec(load_session(ladder.path))
    assert spec is not None
    assert spec.shape.words == "32×32×32", "as the words say"
