"""F11: the pictures go to a screen of their own, keys drive them, and come back as they were. Without a worker."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.examples import examples_folder
from gemmviz.domain.runs.result import Session
from gemmviz.domain.session.session import load_session
from gemmviz.domain.shape import Shape
from gemmviz.explain.block.totals_ratios import totals_ratios
from gemmviz.gui.control.memory_control import MemoryControl
from gemmviz.gui.figures.panel import FiguresPanel
from gemmviz.gui.layout.parts import Parts
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory.frame_panel import FramePanel
from gemmviz.gui.memory.memory_views import MEMORY_VIEWS
from gemmviz.gui.memory.page import MemoryPage
from gemmviz.gui.memory.playing.linked_view import LinkedView
from gemmviz.gui.memory_view.paint.looks import looks_of
from gemmviz.gui.memory_view.paint.painted import legend_of
from gemmviz.gui.memory_view.places.camera import Camera
from gemmviz.gui.memory_view.places.legend import Swatch, picture_legend
from gemmviz.gui.memory_view.text.signs import Sign
from gemmviz.gui.player.player_bar import PlayerBar
from gemmviz.gui.presentation.control import PREPARING
from gemmviz.gui.presentation.hint import FadingHint
from gemmviz.gui.presentation.paint_ratios import RATIOS_HEIGHT
from gemmviz.gui.presentation.screen import OTHER, PresentationScreen
from gemmviz.gui.presentation.slide import picture_units
from gemmviz.gui.recording.grids import Playable
from gemmviz.gui.recording.view import RecordingView
from gemmviz.gui.source.source_view import SourceView

Presented = tuple[MemoryControl, QAction]


@pytest.fixture(scope="module")
def four() -> Session:
    """Two kernels at 4x4x4, recorded."""
    session = load_session(examples_folder() / "cpu-four.gemmviz")
    return replace(session, shown=None)


@pytest.fixture
def made(qtbot: QtBot) -> Callable[[Session | None], Presented]:
    """The page of memory with a session, and what begins the presentation."""

    def make(session: Session | None) -> Presented:
        memory, beside, bar, recording = LinkedView(LIGHT), LinkedView(LIGHT), PlayerBar(LIGHT), RecordingView()
        page, panel, source = MemoryPage(memory, beside, bar, recording), FramePanel(LIGHT), SourceView()
        figures = FiguresPanel()
        for widget in (page, panel, source, figures):
            qtbot.addWidget(widget)
        page.resize(1000, 700)
        page.show()
        parts = SimpleNamespace(
            memory=memory,
            beside=beside,
            player_bar=bar,
            recording=recording,
            memory_page=page,
            frame_panel=panel,
            source=source,
            figures=figures,
        )
        action = QAction(page)
        control = MemoryControl(cast("Parts", parts), page, action)
        if session is not None:
            control.show_session(session)
            qtbot.waitUntil(lambda: control.player.count > 0 and control._playbacks[0].frame is not None)
        return control, action

    return make


def screen_of(control: MemoryControl) -> PresentationScreen:
    screen = control.presentation.screen
    assert screen is not None
    return screen


def test_that_f11_shows_the_picture_alone_and_puts_it_back(
    qtbot: QtBot, made: Callable[[Session | None], Presented], four: Session
) -> None:
    control, action = made(four)
    view = cast("LinkedView", control._playbacks[0].view)
    pane, size = view.parentWidget(), view.size()
    view.zoom_in()
    camera = view.camera
    action.trigger()
    screen = screen_of(control)
    assert screen.isFullScreen()
    assert view.window() is screen
    assert view.camera == Camera()
    qtbot.waitUntil(lambda: bool(screen.stage.texts[0].sentence))
    text = screen.stage.texts[0]
    assert text.title == "tiled_global_accumulate TILE=2"
    assert text.size == "M×N×K = 4×4×4  ·  block (0, 0)"
    factor = screen.stage.plan.scale * picture_units([Shape(4, 4, 4)])
    assert view.canvas_size[1] * factor == pytest.approx(view.height())  # magnified as labels are
    assert not view.picture_state().notes.names_device  # the caption does
    action.trigger()
    assert control.presentation.screen is None
    assert view.parentWidget() is pane
    assert view.canvas_size == (view.width(), view.height())
    assert view.camera == camera
    assert view.focusPolicy() is Qt.FocusPolicy.StrongFocus
    qtbot.waitUntil(lambda: view.size() == size)


def test_that_f11_while_frames_are_prepared_says_so_and_begins_when_they_are_ready(
    qtbot: QtBot, made: Callable[[Session | None], Presented], four: Session
) -> None:
    control, action = made(None)
    said: list[str] = []
    control.presentation.refused.connect(said.append)
    control.show_session(four)
    action.trigger()
    assert said == [PREPARING]
    assert control.presentation.screen is None
    qtbot.waitUntil(lambda: control.presentation.screen is not None)
    assert said == [PREPARING]
    assert screen_of(control).isFullScreen()
    action.trigger()
    assert control.presentation.screen is None


def test_that_keys_drive_it_and_escape_leaves(
    qtbot: QtBot, made: Callable[[Session | None], Presented], four: Session
) -> None:
    control, action = made(four)
    action.trigger()
    screen, player = screen_of(control), control.player
    view = cast("LinkedView", control._playbacks[0].view)
    for key, index in (
        (Qt.Key.Key_End, 3),
        (Qt.Key.Key_Left, 2),
        (Qt.Key.Key_PageUp, 1),
        (Qt.Key.Key_PageDown, 2),
        (Qt.Key.Key_Home, 0),
        (Qt.Key.Key_Period, 1),
        (Qt.Key.Key_Comma, 0),
        (Qt.Key.Key_Right, 1),
    ):
        qtbot.keyClick(screen, key)
        assert player.index == index
    qtbot.waitUntil(lambda: screen.stage.texts[0].head == "Barrier interval 2 of 4")
    qtbot.keyClick(screen, Qt.Key.Key_Up)
    assert player.speed == 2.0
    qtbot.keyClick(screen, Qt.Key.Key_Down)
    assert player.speed == 1.0
    qtbot.keyClick(screen, Qt.Key.Key_Plus)
    assert not view.camera.shows_all
    qtbot.keyClick(screen, Qt.Key.Key_0)
    assert view.camera.shows_all
    qtbot.keyClick(screen, Qt.Key.Key_Space)
    assert player.playing
    qtbot.keyClick(screen, Qt.Key.Key_Space)
    assert not player.playing
    qtbot.keyClick(screen, Qt.Key.Key_Escape)
    assert control.presentation.screen is None


def test_that_two_compared_pictures_are_presented_beside_each_other(
    qtbot: QtBot, made: Callable[[Session | None], Presented], four: Session
) -> None:
    control, action = made(four)
    other = next(run for run in four.traces if run is not control.played[0].run)
    control._on_playable(1, Playable(other))
    qtbot.waitUntil(lambda: control._playbacks[1].frame is not None)
    action.trigger()
    stage = screen_of(control).stage
    left, right = stage.views
    qtbot.waitUntil(lambda: left.geometry().right() < right.geometry().left())
    assert [text.title.partition(" ")[0] for text in stage.texts] == [
        run.spec.kernel for run in (control.played[0].run, other)
    ]
    qtbot.waitUntil(lambda: all(totals is not None and totals.stores for totals in stage.totals))
    compared = stage.totals
    control.player.last()
    strips = [totals.lines for totals in compared if totals is not None]
    panes = control._parts.memory_page.panes
    qtbot.waitUntil(lambda: [pane.totals.lines for pane in panes] == strips)  # in the end those of the window
    assert stage.totals == compared, "at every frame the whole blocks"
    first, second = stage.plan.panes
    assert first.figures.height == second.figures.height == RATIOS_HEIGHT
    assert first.figures.y == second.figures.y == first.picture.bottom
    assert f"{strips[1][0].words} {strips[1][0].value}" in stage.accessibleName()
    ratios = totals_ratios(*stage.totals)
    assert ratios
    said = " ".join(part.words for part in stage.ratios)
    assert said.startswith(f"{stage.texts[ratios[0].place].title}, whole block: {ratios[0].part} {ratios[0].words}")
    assert stage._so_far == stage.totals, "at the end of both"
    control._on_playable(1, None)  # what is presented is gone
    assert control.presentation.screen is None


def test_that_a_presented_request_of_two_recordings_says_whose_it_is_and_a_key_leads_to_the_other(
    qtbot: QtBot, made: Callable[[Session | None], Presented], four: Session
) -> None:
    control, action = made(four)
    page, stages = control._parts.memory_page, control.presentation._stages
    control._on_playable(1, Playable(next(run for run in four.traces if run is not control.played[0].run)))
    qtbot.waitUntil(lambda: control._playbacks[1].frame is not None)
    page.show_view(MEMORY_VIEWS[2])
    qtbot.waitUntil(lambda: not stages.sectors.is_busy and stages.sectors.request is not None)
    titles = []
    for _ in page.titles:
        action.trigger()
        screen = screen_of(control)
        titles.append(screen.stage.texts[0].title)
        hint = screen.findChild(FadingHint)
        assert hint is not None
        screen.resize(1920, 1080)
        assert OTHER in hint.text()
        before = stages.playable
        qtbot.keyClick(screen, Qt.Key.Key_O)
        assert stages.playable is not before
        control.presentation.end()
        qtbot.waitUntil(lambda: not stages.sectors.is_busy)
    assert titles == list(page.titles)


def test_that_the_hint_names_the_keys_and_fades(
    qtbot: QtBot, made: Callable[[Session | None], Presented], four: Session
) -> None:
    control, action = made(four)
    action.trigger()
    screen = screen_of(control)
    hint = screen.findChild(FadingHint, "presentationHint")
    assert hint.isVisible()
    screen.resize(1920, 1080)
    for key in ("Space", "Home End", "Esc or F11", "+ −"):
        assert key in hint.text()
    hint._wait.setInterval(0)
    hint._fade.setDuration(1)
    hint.show_hint()
    qtbot.waitUntil(hint.isHidden)
    qtbot.keyClick(screen, Qt.Key.Key_Q)
    assert hint.isVisible()
    control.stop()


def test_that_without_a_recording_it_says_what_to_do(qtbot: QtBot, made: Callable[[Session | None], Presented]) -> None:
    control, action = made(None)
    with qtbot.waitSignal(control.notified) as told:
        action.trigger()
    assert told.args[1].startswith("Nothing to present: record a block first")
    assert control.presentation.screen is None


def test_that_the_legend_names_only_what_is_painted_at_places_that_stay_and_is_the_windows_own_at_the_end(
    qtbot: QtBot, made: Callable[[Session | None], Presented], four: Session
) -> None:
    control, action = made(four)
    action.trigger()
    (view,) = screen_of(control).stage.views
    assert isinstance(view, LinkedView)
    seen: dict[Sign, set[float]] = {}
    looks, everything = looks_of(LIGHT), set[frozenset[Sign]]()

    def swatches() -> tuple[Swatch, ...]:
        legend = picture_legend(view.picture_state(), looks)
        assert not {each.box for each in legend.swatches} & {each.box for each in legend.faint}
        everything.add(frozenset(each.sign for each in (*legend.swatches, *legend.faint)))
        return legend.swatches

    for index in range(control.player.count):
        control.player.seek(index)
        qtbot.waitUntil(lambda index=index: view.picture_state().picture.frame.index == index)
        for arrival in (0.0, 1.0):
            view.set_arrival(arrival)
            painted = {entry.sign: entry.names for entry in legend_of(view.picture_state())}
            assert {each.sign: each.names for each in swatches()} == painted
            for each in swatches():
                seen.setdefault(each.sign, set()).add(each.box.x)
    assert len(seen) > len(swatches())  # some are not in the last frame
    assert Sign.TO_COME in seen
    assert Sign.TO_COME not in {each.sign for each in swatches()}, "nothing comes after the end"
    assert all(len(places) == 1 for places in seen.values())
    assert everything == {frozenset(seen)}, "what only other frames paint stands there faintly: there are no holes"
    action.trigger()
    assert not view.picture_state().notes.kept_legend
    control.stop()
