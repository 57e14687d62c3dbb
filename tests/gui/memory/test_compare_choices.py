"""What can stand beside a recording, the most useful first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QComboBox
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import Session
from gemmviz.domain.terms import CodeForm
from gemmviz.engine.messages import Job
from gemmviz.gui.control.memory_control import MemoryControl
from gemmviz.gui.layout.parts import Parts
from gemmviz.gui.memory.playing.offers import Offer, Offers
from gemmviz.gui.recording.grids import grids_of

Record = Callable[..., TraceRun]
SessionOf = Callable[..., Session]


def as_compiled(run: TraceRun) -> TraceRun:
    return replace(run, instrumented_text=".target sm_90a\n")


def test_that_recordings_of_the_same_size_come_first_and_other_blocks_last(
    parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf
) -> None:
    kernels = load_catalogue()
    jobs = tuple(Job(kernels.get(name), kernels.get(name).params({})) for name in ("naive", "tiled_wide"))
    same, large = recorded("naive", "16x16x16", (0, 0)), recorded("naive", "32x32x32", (0, 0))
    shown = recorded("tiled", "16x16x16", (0, 0), (1, 0), TILE=8)
    control.set_offers(Offers(jobs, (shown.device,)))
    control.show_session(session_of(same, large, shown))
    combo = parts.memory_page.findChild(QComboBox, "compareCombo")
    words = [combo.itemText(place) for place in range(combo.count())]
    assert [text.partition("  ·  ")[0] for text in words] == [
        "Compare with: none",
        "naive THREAD=16",
        "naive THREAD=16",
        "",
        "Record tiled_wide with these settings",
        "",
        "tiled TILE=8",
    ]
    assert "16x16x16" in words[1].replace("×", "x")
    assert "32x32x32" in words[2].replace("×", "x")
    assert words[-1].endswith(", another block")
    asked: list[str] = []
    control.record_asked.connect(lambda _spec, kernel, _blocks, _form: asked.append(kernel))
    for place, beside in ((1, same), (2, large), (len(words) - 1, shown)):
        combo.activated.emit(place)
        assert control.played[1] is not None
        assert control.played[1].run is beside
        assert combo.currentIndex() == place
    combo.activated.emit(words.index("Record tiled_wide with these settings"))
    assert asked == ["tiled_wide"]
    assert combo.currentIndex() == len(words) - 1  # until it is recorded, nothing has changed
    combo.activated.emit(0)
    assert control.played[1] is None


def test_that_only_kernels_that_can_be_recorded_here_are_offered(recorded: Record) -> None:
    jobs = tuple(Job(kernel, kernel.params({})) for kernel in load_catalogue().kernels)
    run = recorded("tiled", "64x64x64", (0, 0))
    on_gpu = replace(run, device=replace(run.device, id="cuda:1", backend="cuda", capabilities=("cuda", "sm_90a")))
    for shown in (run, on_gpu):
        offered = {offer.kernel for offer in Offers(jobs, (run.device,)).beside(shown, ())}
        assert {"naive", "tiled", "warp_tiled", "cp_async"} <= offered
        assert not {"cublas_fp32", "cublas_bf16", "cpu_ijk", "wgmma_tf32", "wgmma_bf16"} & offered
    assert Offers(jobs, ()).beside(run, ()) == ()
    without = Offers(jobs, (run.device,), faulty=frozenset({"naive"})).beside(run, ())
    assert {*Offers(jobs, (run.device,)).beside(run, ())} - {*without} == {Offer("naive")}


def test_that_a_kernel_is_offered_in_the_form_of_the_recording_that_plays(
    parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf
) -> None:
    kernels = load_catalogue()
    jobs = tuple(Job(kernels.get(name), kernels.get(name).params({})) for name in ("naive", "cp_async", "tiled_padded"))
    written = recorded("tiled", "16x16x16", (0, 0), TILE=16)
    compiled, naive = as_compiled(written), recorded("naive", "16x16x16", (0, 0))
    offers = Offers(jobs, (written.device,))
    copying = Offer("cp_async", CodeForm.AS_WRITTEN)  # as compiled where nobody chooses
    assert offers.beside(written, grids_of((naive,))) == (copying, Offer("tiled_padded"))
    assert offers.beside(written, grids_of((as_compiled(naive),))) == (Offer("naive"), copying, Offer("tiled_padded"))
    plain = CodeForm.AS_COMPILED
    assert offers.beside(compiled, ()) == (Offer("naive", plain), Offer("cp_async"), Offer("tiled_padded", plain))
    control.set_offers(offers)
    control.show_session(session_of(naive, compiled))
    asked: list[tuple[object, ...]] = []
    control.record_asked.connect(lambda *values: asked.append(values))
    combo = parts.memory_page.findChild(QComboBox, "compareCombo")
    combo.activated.emit(combo.findText("Record naive as compiled with these settings"))
    assert asked == [(compiled.spec, "naive", (), CodeForm.AS_COMPILED)]
    control.show_session(session_of(compiled, recorded("naive", "16x16x16", (0, 0))))
    assert control.played[1] is None, "that is the other form"
    control.play(compiled)
    combo.activated.emit(combo.findText("Record naive as compiled with these settings"))
    wanted = as_compiled(naive)
    control.show_session(session_of(compiled, wanted))
    assert [each.run for each in control.played if each is not None] == [compiled, wanted]


def test_that_another_block_is_recorded_in_the_form_of_the_one_in_view(
    parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf
) -> None:
    compiled = as_compiled(recorded("tiled", "16x16x16", (0, 0), TILE=8))
    control.show_session(session_of(compiled))
    asked: list[tuple[object, ...]] = []
    control.record_asked.connect(lambda *values: asked.append(values))
    parts.memory.block_chosen.emit(1, 0)
    assert asked == [(compiled.spec, "tiled", ((1, 0, 0),), CodeForm.AS_COMPILED)]


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_that_a_name_that_is_typed_is_chosen_by_enter_and_not_before(
    qtbot: QtBot, parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf
) -> None:
    kernels = load_catalogue()
    jobs = tuple(Job(kernels.get(name), kernels.get(name).params({})) for name in ("tiled_wide", "register_1d"))
    naive = recorded("naive", "16x16x16", (0, 0))
    padded, tiled = recorded("tiled_padded", "16x16x16", (0, 0)), recorded("tiled", "16x16x16", (0, 0), TILE=8)
    control.set_offers(Offers(jobs, (naive.device,)))
    control.show_session(session_of(tiled, padded, naive))
    asked: list[str] = []
    control.record_asked.connect(lambda _spec, kernel, _blocks, _form: asked.append(kernel))
    page = parts.memory_page
    with qtbot.waitActive(page):
        page.show()
        page.activateWindow()
    combo = page.findChild(QComboBox, "compareCombo")

    def chosen_by(word: str) -> None:
        combo.setFocus()
        qtbot.keyClick(combo, word[0])
        qtbot.waitUntil(combo.view().isVisible)
        qtbot.keyClicks(combo.view(), word[1:])
        qtbot.keyClick(combo.view(), Qt.Key.Key_Return)

    for word, run in (("tiled", tiled), ("tiled_p", padded), ("none", None)):
        chosen_by(word)
        qtbot.waitUntil(lambda run=run: (control.played[1].run if control.played[1] else None) is run)
    assert asked == []
    chosen_by("register")
    assert asked == ["register_1d"]


@pytest.mark.qt_log_ignore("This plugin does not support")
@pytest.mark.parametrize("by_mouse", [False, True])
@pytest.mark.parametrize("name", ["compareCombo", "heatCombo", "memoryCombo"])
def test_that_the_keyboard_goes_to_the_picture_after_a_choice(
    qtbot: QtBot,
    parts: Parts,
    control: MemoryControl,
    recorded: Record,
    session_of: SessionOf,
    name: str,
    by_mouse: bool,
) -> None:
    first, second = recorded("naive", "16x16x16", (0, 0)), recorded("tiled", "16x16x16", (0, 0), TILE=8)
    control.show_session(session_of(first, second))
    page = parts.memory_page
    with qtbot.waitActive(page):
        page.show()
        page.activateWindow()
    combo = page.findChild(QComboBox, name)
    combo.setFocus()
    before = combo.currentIndex()
    if by_mouse:
        combo.showPopup()
        view = combo.view()
        qtbot.waitUntil(view.isVisible)
        place = view.visualRect(combo.model().index(1 - min(before, 1), 0)).center()
        qtbot.mouseMove(view.viewport(), place)
        qtbot.wait(QApplication.doubleClickInterval() + 50)  # sooner a release is taken as the end of the first press
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(place))
    else:
        qtbot.keyClick(combo, Qt.Key.Key_Up if before else Qt.Key.Key_Down)
    assert combo.currentIndex() != before
    qtbot.waitUntil(parts.memory.hasFocus)


def test_that_both_lists_of_recordings_have_one_order_and_those_of_one_size_are_offered_first(
    parts: Parts, control: MemoryControl, recorded: Record, session_of: SessionOf
) -> None:
    runs = [recorded(name, "16x16x16", (0, 0)) for name in ("naive", "register_1d", "tiled_padded")]
    control.show_session(
        session_of(*runs, recorded("row_shared", "8x8x8", (0, 0)), recorded("tiled", "16x16x16", (0, 0)))
    )
    combos = [parts.memory_page.findChild(QComboBox, name) for name in ("memoryCombo", "compareCombo")]
    kernels = [[combo.itemText(place).split()[0] for place in range(1, combo.count())] for combo in combos]
    assert kernels[0] == ["row_shared", "tiled_padded", "register_1d", "naive"]
    assert kernels[1][:4] == ["tiled_padded", "register_1d", "naive", "row_shared"]
