"""A presentation, and a slide in a file, show every number for which words that are read from afar leave room."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from gemmviz.domain.kernels.version_names import VersionNames
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.requests.pairing import PairStep
from gemmviz.explain.source.recordings_beside import names_beside
from gemmviz.gui.export.film_source import film_source_of
from gemmviz.gui.export.pictures.slide_picture import SlidePicture
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.memory.playing.linked_view import LinkedView
from gemmviz.gui.memory.playing.making import make
from gemmviz.gui.memory_view.paint.looks import looks_of
from gemmviz.gui.memory_view.places.legend import picture_legend
from gemmviz.gui.memory_view.shown_values import LEAST_SHARE, OF_THREAD, READABLE, shown_values
from gemmviz.gui.presentation.stage import PresentationStage
from gemmviz.gui.recording.block_names import Beside
from gemmviz.trace.frames.frames import natural_mode

Record = Callable[..., TraceRun]
Opened = Callable[..., tuple[PresentationStage, list[LinkedView]]]


@pytest.fixture
def opened(qtbot: QtBot) -> Opened:
    """A stage of a full HD screen with pictures of runs, with their numbers or without."""

    def made(*runs: TraceRun, has_values: bool = True) -> tuple[PresentationStage, list[LinkedView]]:
        views = []
        for run in runs:
            trace = run.blocks[0].trace(run.sites, run.arrays)
            view, found = LinkedView(LIGHT), make(run, trace, natural_mode(trace))
            view.show_recording(run, trace, found.frames, found.analysis)
            if has_values:
                view.set_values(found.a, found.b, found.c)
            view.show_frame(found.frames.frame(len(found.frames) // 2))
            views.append(view)
        for view, other in zip(views, reversed(views), strict=True):
            if view is not other:
                view.needs_changed.connect(other.lay_out_beside)
        stage = PresentationStage(views)
        qtbot.addWidget(stage)
        stage.resize(1920, 1080)
        stage.show()
        return stage, views

    return made


def assert_all_there(view: LinkedView, largest: float) -> None:
    least = max(LEAST_SHARE * largest, 1.0)
    wanted = {
        key
        for key, size in view.shown_values(view.width(), view.height(), least).items()
        if key == OF_THREAD or size * least >= READABLE * largest
    }
    scene = view.picture_state()
    assert shown_values(scene, looks_of(LIGHT)).keys() >= wanted
    assert least <= view.magnification <= largest


def test_that_sums_values_and_the_sum_of_a_thread_are_on_the_whole_screen(opened: Opened, recorded: Record) -> None:
    stage, (view,) = opened(recorded("naive_uncoalesced", "8x8x8", (0, 0), THREAD=8))
    stage.resize(1280, 800)  # a projector that is less wide than full HD
    assert_all_there(view, stage.plan.scale)
    found = shown_values(view.picture_state(), looks_of(LIGHT))
    assert found.keys() >= {"A", "B", "C", "C on chip", OF_THREAD}
    assert 1.0 < view.magnification < stage.plan.scale
    pane, looks = stage.plan.panes[0], looks_of(LIGHT)
    words = picture_legend(view.picture_state(), looks).swatches[0].box.x * view.magnification + view.x()
    assert words == pytest.approx(pane.title.x * stage.plan.scale, abs=1.0)  # the legend stands below the title
    at_type = view.shown_values(view.width(), view.height(), stage.plan.scale)
    assert OF_THREAD not in at_type  # with words as large as the type around, the picture would lose it


def test_that_two_pictures_show_their_numbers_in_letters_of_one_size(opened: Opened, recorded: Record) -> None:
    runs = recorded("tiled", "8x8x8", (0, 0), TILE=4), recorded("naive", "8x8x8", (0, 0), THREAD=8)
    stage, views = opened(*runs)
    for view in views:
        assert_all_there(view, stage.plan.scale)
    assert views[0].magnification == views[1].magnification


def test_that_a_picture_without_numbers_is_magnified_as_the_words_are(opened: Opened, recorded: Record) -> None:
    stage, (view,) = opened(recorded("tiled", "65x67x33", (0, 0), TILE=16))
    assert view.magnification == stage.plan.scale == 1.8


def test_that_numbers_that_come_later_get_their_room(qtbot: QtBot, opened: Opened, recorded: Record) -> None:
    run = recorded("naive_uncoalesced", "8x8x8", (0, 0), THREAD=8)
    stage, (view,) = opened(run, has_values=False)
    without = shown_values(view.picture_state(), looks_of(LIGHT))
    assert "A" not in without
    trace = run.blocks[0].trace(run.sites, run.arrays)
    found = make(run, trace, natural_mode(trace))
    qtbot.waitUntil(lambda: not stage._later.isActive())
    view.set_values(found.a, found.b, found.c)
    assert stage._later.isActive()
    qtbot.waitUntil(lambda: not stage._later.isActive())
    assert_all_there(view, stage.plan.scale)


def test_that_a_picture_given_back_is_not_placed_any_more(opened: Opened, recorded: Record) -> None:
    stage, (view,) = opened(recorded("naive", "8x8x8", (0, 0), THREAD=8))
    stage.release()
    assert view.magnification == 1.0
    view.set_values()
    assert not stage._later.isActive()


def test_that_a_slide_in_a_file_is_as_the_screen(opened: Opened, recorded: Record) -> None:
    run = recorded("tiled", "8x8x8", (0, 0), TILE=4)
    stage, (view,) = opened(run)
    slide = SlidePicture(film_source_of(run), 1920, 1080, LIGHT)
    assert slide._magnification * slide.scale == pytest.approx(view.magnification, abs=0.01)
    other = recorded("naive", "8x8x8", (0, 0), THREAD=8)
    beside = Beside(other, 0, None, PairStep.WORK, names_beside(run, other, VersionNames()))
    both = SlidePicture(film_source_of(run), 1920, 1080, LIGHT, beside=beside)
    for scenes, pane in zip(both._scenes, both._plan.panes, strict=True):
        found = scenes.shown_values(
            pane.picture.width / LEAST_SHARE, pane.picture.height / LEAST_SHARE, looks_of(LIGHT)
        )
        wanted = {key for key, size in found.items() if size * LEAST_SHARE >= READABLE}
        assert shown_values(scenes.scene(2), looks_of(LIGHT)).keys() >= wanted
        assert stage.plan.scale == both.scale
