"""The form that asks for an animation: what it proposes, refuses and remembers, and what it says beforehand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QLabel, QSpinBox, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.domain.kernels.version_names import VersionNames
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.block.heat_maps import HeatKind
from gemmviz.explain.requests.pairing import PairStep
from gemmviz.explain.source.recordings_beside import names_beside
from gemmviz.gui.export.film.choice import FILM_SIZES, SLIDE_SIZE, FilmChoice
from gemmviz.gui.export.film.form import FilmForm
from gemmviz.gui.export.film.formats import FilmFormat
from gemmviz.gui.export.film.request import FilmRequest
from gemmviz.gui.export.pictures.still_choice import StillChoice
from gemmviz.gui.recording.block_names import Beside, BlockName
from gemmviz.trace.frames.plan import FrameMode

GIF, MP4, FRAMES = FilmFormat
BLOCK_NAMES = (
    BlockName(0, 0, (3, 1, 0), "tiled_64x48x32_memory_block_3_1", "tiled TILE=16, block (3, 1)"),
    BlockName(1, 0, (0, 0, 0), "naive_9x7x10_memory_block_0_0", "naive THREAD=16, block (0, 0)"),
)


@pytest.fixture
def form(qtbot: QtBot) -> FilmForm:
    made = FilmForm(BLOCK_NAMES)
    qtbot.addWidget(made)
    made.show()
    qtbot.waitExposed(made)
    return made


@pytest.fixture
def counted(form: FilmForm) -> FilmForm:
    form.show_frames(FrameMode.PHASE, 133, 65)
    return form


def tick(form: FilmForm, name: str, on: bool = True) -> None:
    form.findChild(QCheckBox, name).setChecked(on)


def spin(form: FilmForm, name: str) -> QSpinBox:
    found = form.findChild(QSpinBox, name)
    assert isinstance(found, QSpinBox)
    return found


def choose(form: FilmForm, name: str, words: str) -> None:
    combo = form.findChild(QComboBox, name)
    combo.setCurrentText(words)
    assert combo.currentText() == words
    combo.activated.emit(combo.currentIndex())


def said(form: FilmForm, name: str) -> str:
    label = form.findChild(QLabel, name)
    assert isinstance(label, QLabel)
    return label.text().replace("\N{NO-BREAK SPACE}", " ") if label.isVisible() else ""


def test_that_nothing_is_ordered_without_a_format(counted: FilmForm) -> None:
    assert counted.request() is None
    assert not counted.faults().any


def test_that_the_newest_recording_and_a_short_film_are_proposed(counted: FilmForm) -> None:
    tick(counted, "exportGif")
    tick(counted, "exportMp4")
    choice = FilmChoice((GIF, MP4), 1, 76, 8.0, 25, SLIDE_SIZE, FrameMode.PHASE)
    assert counted.request() == FilmRequest(BLOCK_NAMES[1], choice, is_own=False)
    assert (
        said(counted, "exportEstimate")
        == "76 of 133 frames, 20.0 s, 500 video frames: GIF 2.2 to 12 MB, MP4 2.0 to 10 MB"
    )


def test_that_a_short_recording_is_shown_whole(form: FilmForm) -> None:
    form.show_frames(FrameMode.PHASE, 9, 3)
    tick(form, "exportFrames")
    assert said(form, "exportEstimate").startswith("All 9 frames: 9 PNG files 1.1 to 3.4 MB")
    tick(form, "exportEveryPicture")
    assert said(form, "exportEstimate").startswith("All 9 frames, 19.0 s, 475 video frames: 475 PNG files 59 to 177 MB")


def test_that_everything_can_be_chosen(counted: FilmForm) -> None:
    for name in ("exportGif", "exportMp4", "exportFrames"):
        tick(counted, name)
    choose(counted, "exportFilmSize", "custom")
    for name, value in (
        ("exportFilmWidth", 642),
        ("exportFilmHeight", 362),
        ("exportFrom", 3),
        ("exportTo", 20),
        ("exportStill", 7),
    ):
        spin(counted, name).setValue(value)
    choose(counted, "exportFilmSpeed", "0.5× · a frame every 4 s")
    choose(counted, "exportFps", "30 fps")
    choose(counted, "exportFilmHeat", "Colour by: bank conflicts")
    tick(counted, "exportAnimate", False)
    tick(counted, "exportLoop", False)
    choice = FilmChoice(
        (GIF, MP4, FRAMES), 3, 20, 0.5, 30, (642, 362), FrameMode.PHASE, HeatKind.BANKS, is_animated=False, loop=False
    )
    assert counted.request() == FilmRequest(BLOCK_NAMES[1], choice, is_own=True)
    stem = "naive_9x7x10_memory_block_0_0"
    assert counted.still() == StillChoice(FrameMode.PHASE, HeatKind.BANKS, stems=(stem,), frame=(stem, 7))
    assert counted.still_words == "frame 7 of 133"


def test_that_frames_are_counted_anew_for_another_block_or_mode(form: FilmForm, qtbot: QtBot) -> None:
    with qtbot.waitSignal(form.frames_asked) as asked:
        form.ask()
    assert asked.args == [BLOCK_NAMES[1], None, None]
    form.show_frames(FrameMode.STEP, 64, 32)
    with qtbot.waitSignal(form.frames_asked) as asked:
        choose(form, "exportRecording", BLOCK_NAMES[0].title)
    assert asked.args == [BLOCK_NAMES[0], None, None]
    assert not form.counted
    assert said(form, "exportEstimate") == "Counting the frames…"
    form.show_frames(FrameMode.PHASE, 133, 65)
    with qtbot.waitSignal(form.frames_asked) as asked:
        choose(form, "exportFilmMode", "a warp request")
    assert asked.args == [BLOCK_NAMES[0], FrameMode.REQUEST, None]


def test_that_nothing_begins_before_the_frames_are_counted(form: FilmForm) -> None:
    tick(form, "exportGif")
    assert form.faults().frames == "the frames are still being counted"
    assert form.still() == StillChoice(stems=(form.block_name.stem,))
    form.show_frames(FrameMode.PHASE, 9, 3)
    assert not form.faults().any


@pytest.mark.parametrize(
    ("name", "value", "fault", "words"),
    [
        ("exportTo", 2, "frames", "the first frame comes after the last. Swap them"),
        ("exportFilmWidth", 641, "size", "MP4 needs an even width and height. Choose 640x1080"),
    ],
)
def test_that_a_fault_stands_beside_its_control(
    counted: FilmForm, name: str, value: int, fault: str, words: str
) -> None:
    tick(counted, "exportMp4")
    choose(counted, "exportFilmSize", "custom")
    spin(counted, "exportFrom").setValue(3)
    spin(counted, name).setValue(value)
    assert said(counted, f"exportFilmFault_{fault}") == words
    assert said(counted, "exportEstimate") == ""
    tick(counted, "exportMp4", False)
    assert not counted.faults().any, "nobody asks for a film"


def test_that_a_film_too_long_says_so(form: FilmForm) -> None:
    form.show_frames(FrameMode.REQUEST, 100_000, 500)
    tick(form, "exportGif")
    assert not form.faults().any
    spin(form, "exportTo").setValue(100_000)
    assert "video frames are more than" in said(form, "exportFilmFault_length")


def test_that_choices_of_last_time_are_taken_over(form: FilmForm) -> None:
    choice = FilmChoice(
        (FRAMES,), 5, 9, 2.0, 10, (800, 450), FrameMode.STEP, HeatKind.AGE, is_animated=False, loop=False
    )
    form.use(FilmRequest(BLOCK_NAMES[0], choice, is_own=True))
    tick(form, "exportFrames")
    form.show_frames(FrameMode.STEP, 64, 32)
    assert form.request() == FilmRequest(BLOCK_NAMES[0], choice, is_own=True)
    form.show_frames(FrameMode.PHASE, 9, 3)
    request = form.request()
    assert request is not None
    assert (request.choice.first, request.choice.last, request.choice.speed, request.is_own) == (1, 9, 1.0, False)


def test_that_what_a_person_looks_at_is_proposed(form: FilmForm) -> None:
    asked: list[tuple[object, object]] = []
    form.frames_asked.connect(lambda *values: asked.append(values))
    form.look_at(BLOCK_NAMES[0], 40, 900, FrameMode.REQUEST, HeatKind.SECTORS)
    form.ask()
    assert asked == [(BLOCK_NAMES[0], FrameMode.REQUEST, None)]
    form.show_frames(FrameMode.REQUEST, 900, 450)
    assert form.still_words == "frame 40 of 900"
    assert form.still() == StillChoice(
        FrameMode.REQUEST, HeatKind.SECTORS, stems=(BLOCK_NAMES[0].stem,), frame=(BLOCK_NAMES[0].stem, 40)
    )
    form.show_frames(FrameMode.PHASE, 133, 65)
    assert form.still_words == "frame 65 of 133", "another way of counting them"


def test_that_what_a_person_looks_at_comes_before_the_choices_of_last_time(form: FilmForm) -> None:
    asked: list[tuple[object, object]] = []
    form.frames_asked.connect(lambda *values: asked.append(values))
    choice = FilmChoice(
        (FRAMES,), 5, 9, 2.0, 10, (800, 450), FrameMode.STEP, HeatKind.AGE, is_animated=False, loop=False
    )
    form.use(FilmRequest(BLOCK_NAMES[0], choice, is_own=True))
    form.look_at(BLOCK_NAMES[0], 1, 133, FrameMode.PHASE, HeatKind.NONE)
    form.ask()
    form.show_frames(FrameMode.PHASE, 133, 65)
    assert asked == [(BLOCK_NAMES[0], FrameMode.PHASE, None)]
    assert form.still() == StillChoice(
        FrameMode.PHASE, HeatKind.NONE, stems=(BLOCK_NAMES[0].stem,), frame=(BLOCK_NAMES[0].stem, 1)
    )


def test_that_a_recording_that_is_gone_is_not_asked_for(form: FilmForm) -> None:
    gone = replace(BLOCK_NAMES[0], stem="dot_4x4x4_memory_block_0_0")
    form.use(FilmRequest(gone, FilmChoice((GIF,), 5, 9, mode=FrameMode.PHASE), is_own=True))
    tick(form, "exportGif")
    form.show_frames(FrameMode.PHASE, 133, 65)
    request = form.request()
    assert request is not None
    assert (request.block_name, request.choice.first, request.choice.last) == (BLOCK_NAMES[1], 1, 76)


def test_that_every_control_has_its_names_and_its_place_in_the_order_of_tabs(counted: FilmForm) -> None:
    seen: list[QWidget] = []
    control = counted.nextInFocusChain()
    while control is not counted and control not in seen:
        seen.append(control)
        control = control.nextInFocusChain()
    kinds = (QCheckBox, QComboBox, QSpinBox)
    found = [control for kind in kinds for control in counted.findChildren(kind)]
    assert len(found) == 19
    for control in found:
        assert control.objectName().startswith("export"), control
        assert control.toolTip(), control.objectName()
        assert control.accessibleName(), control.objectName()
        assert control in seen, control.objectName()
    named = [control.objectName() for control in seen if control.objectName() in {c.objectName() for c in found}]
    assert named[:4] == ["exportSlide", "exportRecording", "exportFilmMode", "exportFilmHeat"]
    assert named.index("exportFrom") < named.index("exportTo") < named.index("exportFilmSpeed")


def test_that_the_size_of_last_time_is_the_preset_again_and_no_format_is(form: FilmForm) -> None:
    """Also where it is another tuple; nothing is ordered that a person did not tick this time."""
    width, height = FILM_SIZES[0]
    choice = FilmChoice((GIF, MP4), 1, 5, size=(int(f"{width}"), height), loop=False)
    form.use(FilmRequest(BLOCK_NAMES[0], choice, False))
    assert form.findChild(QComboBox, "exportFilmSize").currentText() == f"{width} × {height}"
    assert form.request() is None
    assert not form.findChild(QCheckBox, "exportLoop").isChecked()


def test_that_the_words_of_an_own_size_are_whole(counted: FilmForm) -> None:
    choose(counted, "exportFilmSize", "custom")
    combo = counted.findChild(QComboBox, "exportFilmSize")
    assert combo.width() >= combo.sizeHint().width()


def test_that_it_is_said_why_both_pictures_cannot_be_had(
    counted: FilmForm, make_recording: Callable[..., TraceRun]
) -> None:
    run, both = make_recording(), counted.findChild(QCheckBox, "exportBeside")
    beside = Beside(run, 0, None, PairStep.PHASE, names_beside(run, run, VersionNames()))
    assert said(counted, "exportWhyAlone") == "", "there is nothing beside it"
    counted.look_at(BLOCK_NAMES[0], 3, 133, FrameMode.PHASE, HeatKind.NONE, beside=beside)
    counted.show_frames(FrameMode.PHASE, 133, 65)
    assert said(counted, "exportWhyAlone") == "Tick As a presentation to have both."
    assert (both.isEnabled(), both.isChecked()) == (False, False), "no tick is shown that is not in force"
    assert both.toolTip().endswith("Tick As a presentation to have both.")
    tick(counted, "exportSlide")
    counted.show_frames(FrameMode.PHASE, 133, 65)
    assert said(counted, "exportWhyAlone") == ""
    assert (both.isEnabled(), both.isChecked()) == (True, True)
    assert counted.still().beside is beside
    nouns = [label.text() for label in counted.findChildren(QLabel) if label.text().startswith("moment")]
    assert nouns == ["moment", "moments"], "the still and the range count the same"
    row = counted.findChild(QSpinBox, "exportStill")
    QApplication.processEvents()
    places = []
    for is_slide in (True, False, True):
        tick(counted, "exportSlide", is_slide)
        QApplication.processEvents()
        places.append(row.mapTo(counted, row.rect().topLeft()).y())
    assert len(set(places)) == 1, "no row moves under the pointer"
    choose(counted, "exportRecording", BLOCK_NAMES[1].title)
    counted.show_frames(FrameMode.PHASE, 20, 1)
    assert said(counted, "exportWhyAlone") == "Only the recording on the screen has a picture beside it."
    assert counted.still().beside is None
    assert not both.isChecked()
