"""A kernel that is chosen while two recordings are compared: both pictures stay, and the panels are those of one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from driving import act, choose_kernel, part
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.session.session import load_session
from gemmviz.gui.app import create_window
from gemmviz.gui.memory.chosen_note import ChosenNote
from gemmviz.gui.notices.bar import NoticeBar
from gemmviz.gui.source.source_view import SourceView
from gemmviz.gui.source.stale_note import RECORD_AGAIN
from gemmviz.gui.window.main_window import MainWindow

LADDER = Path(__file__).parents[3] / "assets" / "examples" / "cpu-ladder.gemmviz"
FOUR = LADDER.with_name("cpu-four.gemmviz")


@pytest.fixture
def compared(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    """The ladder's `naive` at the left and `tiled` at the right, the panels at the left one."""
    window = create_window(tmp_path)
    assert isinstance(window, MainWindow)
    window.show()
    window.open_path(LADDER)
    qtbot.waitUntil(lambda: len(window.document.session.traces) > 10)
    act(window, "tabMemoryAction")
    choose_kernel(window, "naive")
    qtbot.waitUntil(lambda: pictures(window)[0] == "naive" and source(window) == "naive")
    choose(part(window, QComboBox, "compareCombo"), "tiled TILE")
    qtbot.waitUntil(lambda: pictures(window) == ("naive", "tiled"))
    yield window
    window.document.new()
    window.close()


def choose(combo: QComboBox, words: str) -> None:
    place = next(i for i in range(combo.count()) if combo.itemText(i).startswith(words))
    combo.setCurrentIndex(place)
    combo.activated.emit(place)


def pictures(window: MainWindow) -> tuple[str, str]:
    """The kernels of the two pictures by the lists above them; "" for none."""
    first, second = (part(window, QComboBox, name).currentText() for name in ("memoryCombo", "compareCombo"))
    return first.partition(" ")[0], "" if second.startswith("Compare with") else second.partition(" ")[0]


def source(window: MainWindow) -> str:
    trace = part(window, SourceView, "sourceView").trace
    return trace.spec.kernel if trace is not None else ""


def test_that_two_compared_recordings_stay_whatever_kernel_is_chosen(qtbot: QtBot, compared: MainWindow) -> None:
    note, show = part(compared, ChosenNote, "chosenNote"), part(compared, QPushButton, "chosenNoteShow")
    choose_kernel(compared, "vectorized")
    assert pictures(compared) == ("naive", "tiled")
    assert source(compared) == "naive", "that of the picture the panels follow"
    assert note.isVisible()
    words = part(compared, QLabel, "chosenNoteText").text()
    assert words == (
        "These are the recordings of naive and tiled. The chosen kernel, vectorized, has a recording, too."
    )
    assert part(compared, QPushButton, "chosenNoteRecord").isHidden()
    assert show.text() == "Show vectorized at the left"

    choose_kernel(compared, "tiled")
    assert note.isHidden()
    qtbot.waitUntil(lambda: source(compared) == "tiled")
    assert pictures(compared) == ("naive", "tiled"), "its picture is there already: the panels turn to it"

    choose_kernel(compared, "vectorized")
    show.click()
    qtbot.waitUntil(lambda: pictures(compared) == ("vectorized", "tiled") and source(compared) == "vectorized")
    assert note.isHidden()

    choose(part(compared, QComboBox, "compareCombo"), "Compare with")
    choose_kernel(compared, "naive")
    qtbot.waitUntil(lambda: pictures(compared) == ("naive", "") and source(compared) == "naive")
    choose(part(compared, QComboBox, "memoryCombo"), "tiled TILE")
    qtbot.waitUntil(lambda: source(compared) == "tiled" and note.isVisible())
    assert show.text() == "Show naive"


def test_that_the_line_names_the_pictures_in_view_once_the_right_one_is_another(
    qtbot: QtBot, compared: MainWindow
) -> None:
    choose_kernel(compared, "vectorized")
    choose(part(compared, QComboBox, "compareCombo"), "row_per_block")
    words = part(compared, QLabel, "chosenNoteText")
    qtbot.waitUntil(lambda: "of naive and row_per_block." in words.text())
    assert source(compared) == "naive"


def test_that_a_file_that_was_changed_is_recorded_again_in_the_place_of_its_picture(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = load_session(FOUR).traces[0]
    path, kernel = tmp_path / "mine.cu", load_catalogue().get(shown.spec.kernel)
    path.write_text(kernel.file_text, encoding="utf-8")
    window.open_path(path)
    qtbot.waitUntil(lambda: window.experiment.kernel == "mine")
    trace = replace(shown, spec=replace(shown.spec, kernel="mine"), source_text=f"{shown.source_text}\nint later;")
    asked = list[tuple[object, ...]]()
    monkeypatch.setattr(window.work, "record", lambda _, kernel, blocks, form: asked.append((kernel.id, blocks, form)))
    window.work.busy_changed.emit(False)
    window._set_up.file_reread.emit(str(path), "mine")
    bar = part(window, NoticeBar, "noticeBar")
    assert not [each for each in bar.findChildren(QPushButton, "noticeAction") if each.isVisible()], "no picture of it"
    window.document.add_trace(trace)
    qtbot.waitUntil(lambda: window._player.played[0] is not None and source(window) == "mine")
    window._set_up.file_reread.emit(str(path), "mine")
    assert bar.texts()[0] == "mine.cu was changed on disk and read again"
    of_message = next(each for each in bar.findChildren(QPushButton) if each.text() == RECORD_AGAIN)
    assert of_message.isVisible()
    kernel_now = window._set_up.catalogue.get("mine")
    here = replace(trace, source_text=kernel_now.shown.text, finished="2026-11-30T14:51:08+00:00")
    of_other_inputs = replace(here, spec=replace(here.spec, params=(("TILE", 4),)))
    for earlier, is_offered in ((of_other_inputs, True), (here, False)):
        window.document.add_trace(earlier)
        assert of_message.isVisible() is is_offered, "only what is not there yet"
        window.document.remove([each for each in window.document.session.traces if each is not trace])
        window._player.play(trace)
    qtbot.waitUntil(lambda: of_message.isVisible() and source(window) == "mine")
    blocks = () if trace.blocks_recorded == trace.blocks_in_grid else tuple(each.block for each in trace.blocks)
    for number, button in enumerate((of_message, part(window, QPushButton, "sourceRecordAgain")), 1):
        act(window, "tabMemoryAction")
        button.click()
        assert asked == [("mine", blocks, trace.form)] * number
        pending, played = window._player._pending, window._player.played[0]
        assert pending is not None
        assert played is not None
        assert played.is_same(pending.found_in(trace))
        assert pending.place == 0
