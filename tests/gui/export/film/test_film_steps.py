"""Films of a real recording, opened again: pictures, size, time, the colour of a slot; and films that are not made."""

from __future__ import annotations

import errno
import os
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import imageio_ffmpeg
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageSequence
from PySide6.QtGui import QImage

from gemmviz.domain.runs.result import Session
from gemmviz.domain.runs.tables import ExportError
from gemmviz.gui.export.film.choice import SLIDE_SIZE, FilmChoice
from gemmviz.gui.export.film.folder import FolderWriter
from gemmviz.gui.export.film.formats import FilmFormat
from gemmviz.gui.export.film.mp4 import MISSING, NoFfmpegError
from gemmviz.gui.export.film.steps import FilmStep, film_steps
from gemmviz.gui.export.film_source import FilmSource, film_source_of
from gemmviz.gui.export.pictures.memory_picture import MemoryPicture
from gemmviz.gui.looks.theme import DARK, LIGHT, Theme
from gemmviz.gui.memory_view.paint.looks import looks_of
from gemmviz.gui.memory_view.paint.painted import legend_of
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.places.legend import picture_legend
from gemmviz.gui.memory_view.text.signs import Sign

GIF, MP4, FRAMES = FilmFormat
SIZE = (642, 362)
CHOICE = FilmChoice((GIF, MP4, FRAMES), 1, 3, 4.0, 10, SIZE, every_picture=True)
PICTURES = 25
"""Half a second a frame, and one at the end."""
LOADED, READ = 4, 9
"""The pictures, counted from 0, that show frame 1 (which loads a tile) and frame 2 (which reads it) at rest."""
Pixels = NDArray[np.uint8]

pytestmark = pytest.mark.usefixtures("qapp")


def make(film_source: FilmSource, choice: FilmChoice, folder: Path, theme: Theme = LIGHT) -> list[FilmStep]:
    return list(film_steps(film_source, choice, folder, "film", theme))


def test_that_a_film_takes_as_much_as_was_estimated(
    tmp_path_factory: pytest.TempPathFactory, recorded: Session
) -> None:
    """Of one frame, too, which is little more than its first picture."""
    folder = tmp_path_factory.mktemp("sizes")
    choice = replace(CHOICE, formats=(GIF, MP4), last=1, size=SLIDE_SIZE, every_picture=False, is_slide=True)
    make(film_source_of(recorded.traces[0]), choice, folder)
    for form in choice.formats:
        least, most = choice.bytes_of(form)
        assert least <= (folder / f"film.{form.words.lower()}").stat().st_size <= most, form


@pytest.fixture(scope="module")
def made_in_steps(tmp_path_factory: pytest.TempPathFactory, recorded: Session) -> tuple[Path, list[FilmStep]]:
    """A folder with one film in all formats, and what was told while it was made."""
    folder = tmp_path_factory.mktemp("film")
    return folder, make(film_source_of(recorded.traces[0]), CHOICE, folder)


@pytest.fixture(scope="module")
def made(made_in_steps: tuple[Path, list[FilmStep]]) -> Path:
    """The folder of that film."""
    return made_in_steps[0]


def gif_pictures(path: Path) -> Iterator[Pixels]:
    """Every picture of the film, as often as it is shown."""
    with Image.open(path) as file:
        for frame in ImageSequence.Iterator(file):
            for _ in range(frame.info["duration"] // 100):
                yield np.asarray(frame.convert("RGB"))


def mp4_pictures(path: Path) -> Iterator[Pixels]:
    """What a player shows, decoded by ffmpeg."""
    decode = [
        imageio_ffmpeg.get_ffmpeg_exe(),
        "-v",
        "error",
        "-i",
        str(path),
        "-f",
        "rawvideo",
        "-pix_fmt",
        "rgb24",
        "-",
    ]
    done = subprocess.run(decode, capture_output=True, check=True)
    assert not done.stderr
    yield from np.frombuffer(done.stdout, np.uint8).reshape(-1, *SIZE[::-1], 3)


def pictures_of(folder: Path, form: FilmFormat) -> list[Pixels]:
    match form:
        case FilmFormat.GIF:
            return list(gif_pictures(folder / "film.gif"))
        case FilmFormat.MP4:
            return list(mp4_pictures(folder / "film.mp4"))
        case FilmFormat.FRAMES:
            return [np.asarray(Image.open(path)) for path in sorted((folder / "film_frames").iterdir())]


def painted(film_source: FilmSource, frame: int, frames: range = range(3), *, is_animated: bool = True) -> Pixels:
    """What a frame, counted from 0, looks like at rest in a film of those frames."""
    picture = MemoryPicture(film_source, *SIZE, LIGHT)
    picture.keep_legend(frames, is_animated=is_animated)
    image = picture.image(frame, 1.0).convertToFormat(QImage.Format.Format_RGBA8888)
    return np.frombuffer(image.constBits(), np.uint8).reshape(*SIZE[::-1], 4)[:, :, :3].copy()


def slot(film_source: FilmSource, frame: int, name: str, row: int, column: int) -> Box:
    found = MemoryPicture(film_source, *SIZE, LIGHT).scene(frame).cell(name, row, column)
    assert found is not None
    return found


def role(picture: Pixels, box: Box, theme: Theme) -> str:
    """Which of the theme's colours a box mostly has in its middle; the closest one."""
    inner = box.grown(-box.width / 4)
    part = picture[round(inner.y) : round(inner.bottom), round(inner.x) : round(inner.right)].reshape(-1, 3)
    middle = np.median(part, axis=0)
    names = ("a", "b", "c", "canvas", "text", "reference")
    colours = {name: np.array([int(getattr(theme, name)[at : at + 2], 16) for at in (1, 3, 5)]) for name in names}
    return min(colours, key=lambda name: float(np.abs(colours[name] - middle).sum()))


@pytest.mark.parametrize("form", FilmFormat)
def test_that_a_film_has_its_pictures_and_its_size(made: Path, form: FilmFormat) -> None:
    found = pictures_of(made, form)
    assert len(found) == PICTURES
    assert {picture.shape for picture in found} == {(*SIZE[::-1], 3)}


def test_that_films_last_as_long_as_planned(made: Path) -> None:
    with Image.open(made / "film.gif") as file:
        assert sum(frame.info["duration"] for frame in ImageSequence.Iterator(file)) == 2500
        assert file.info["loop"] == 0
    frames, seconds = imageio_ffmpeg.count_frames_and_secs(made / "film.mp4")
    assert (frames, seconds) == (PICTURES, pytest.approx(2.5, abs=0.05))
    told = subprocess.run(
        [imageio_ffmpeg.get_ffmpeg_exe(), "-i", str(made / "film.mp4")], capture_output=True, text=True, check=False
    ).stderr  # it complains that it shall make nothing of it
    for words in ("Video: h264", "yuv420p(tv, bt709", f"{SIZE[0]}x{SIZE[1]}", "10 fps"):
        assert words in told


@pytest.mark.parametrize("formats", [(FRAMES,), (GIF, FRAMES)])
def test_that_png_frames_are_one_for_each_frame_at_rest_unless_every_picture_is_asked_for(
    tmp_path: Path, film_source: FilmSource, formats: tuple[FilmFormat, ...]
) -> None:
    choice = replace(CHOICE, formats=formats, first=2, last=4, every_picture=False)
    make(film_source, choice, tmp_path)
    found = pictures_of(tmp_path, FRAMES)
    assert len(found) == choice.files == 3
    for index, picture in enumerate(found, 1):
        at_rest = painted(film_source, index, range(1, 4), is_animated=formats != (FRAMES,))
        assert np.array_equal(picture, at_rest)


@pytest.mark.parametrize(("form", "off", "mean"), [(GIF, 12, 1.5), (FRAMES, 0, 0.0), (MP4, 40, 2.5)])
def test_that_pictures_show_the_frames_of_the_recording(
    made: Path, film_source: FilmSource, form: FilmFormat, off: int, mean: float
) -> None:
    """An MP4 loses more where there are numbers in small elements, whose colours it keeps in half the resolution."""
    found = pictures_of(made, form)
    for place, frame in ((LOADED, 0), (READ, 1), (PICTURES - 1, 2)):
        apart = np.abs(found[place].astype(int) - painted(film_source, frame))
        assert np.quantile(apart, 0.98) <= off
        assert apart.mean() <= mean


@pytest.mark.parametrize("form", FilmFormat)
def test_that_a_slot_has_the_colour_of_what_is_loaded_into_it(
    made: Path, film_source: FilmSource, form: FilmFormat
) -> None:
    found = pictures_of(made, form)
    for place, frame in ((LOADED, 0), (READ, 1)):
        assert role(found[place], slot(film_source, frame, "As", 0, 0), LIGHT) == "a"
        assert role(found[place], slot(film_source, frame, "Bs", 0, 0), LIGHT) == "b"
    assert role(found[0], slot(film_source, 0, "As", 0, 0), LIGHT) == "canvas", "its tile has not arrived"


def test_that_flat_colours_of_a_gif_are_exactly_those_of_the_theme(film_source: FilmSource, tmp_path: Path) -> None:
    make(film_source, replace(CHOICE, formats=(GIF,), last=1), tmp_path, DARK)
    picture = next(gif_pictures(tmp_path / "film.gif"))
    assert "#" + bytes(picture[2, 2]).hex() == DARK.canvas
    assert "#" + bytes(picture[-3, 2]).hex() == DARK.panel


def test_that_tiles_travel_only_if_they_may(film_source: FilmSource, tmp_path: Path) -> None:
    for is_animated, pictures in ((True, 4), (False, 0)):
        make(film_source, replace(CHOICE, formats=(FRAMES,), last=1, is_animated=is_animated), tmp_path)
        found = pictures_of(tmp_path, FRAMES)
        assert sum(not np.array_equal(one, found[-1]) for one in found) == pictures


def test_that_a_large_film_shows_the_same_finer(film_source: FilmSource, tmp_path: Path) -> None:
    for width in (1280, 2560):
        make(
            film_source,
            replace(CHOICE, formats=(FRAMES,), size=(width, width * 9 // 16), last=1, fps=2),
            tmp_path / f"{width}",
        )
    small, large = (pictures_of(tmp_path / f"{width}", FRAMES)[-1] for width in (1280, 2560))
    halved = large.reshape(720, 2, 1280, 2, 3).mean(axis=(1, 3))
    assert np.abs(halved - small).mean() < 3.0, "only edges of lines and letters differ, of 255 levels"
    other = np.abs(np.roll(halved, 4, axis=1) - small).mean()
    assert other > 3.0, "another picture would be farther off"


def test_that_progress_is_told_picture_by_picture(made_in_steps: tuple[Path, list[FilmStep]]) -> None:
    folder, steps = made_in_steps
    assert {step.total for step in steps} == {PICTURES}
    done = [step.done for step in steps]
    assert done == sorted(done)
    assert (done[0], done[-1]) == (0, PICTURES)
    assert steps[-1].paths == CHOICE.paths(folder, "film")
    assert all(path.exists() for path in steps[-1].paths)


def test_that_a_film_given_up_leaves_nothing(film_source: FilmSource, tmp_path: Path) -> None:
    folder = tmp_path / "new"
    with closing(film_steps(film_source, CHOICE, folder, "film", LIGHT)) as steps:
        while next(steps).done < 3:
            pass
        assert len(list(folder.iterdir())) == 3, "what is made is there under other names"
    assert list(folder.iterdir()) == []


def test_that_a_film_that_fails_leaves_nothing_and_says_why(
    film_source: FilmSource, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "film.gif").write_text("the one of last time")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(FolderWriter, "add", full)
    with pytest.raises(ExportError) as told:
        make(film_source, CHOICE, tmp_path)
    assert str(told.value) == (
        f"cannot write {tmp_path / 'film_frames'}: the disk of {tmp_path} is full. "
        "Free some space or choose another folder"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["film.gif"]
    assert (tmp_path / "film.gif").read_text() == "the one of last time"


def test_that_a_missing_ffmpeg_is_told_with_its_remedy(
    film_source: FilmSource, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none() -> str:
        raise RuntimeError("No ffmpeg exe could be found.")

    monkeypatch.setattr(imageio_ffmpeg, "get_ffmpeg_exe", none)
    with pytest.raises(NoFfmpegError, match="pip install imageio-ffmpeg") as told:
        make(film_source, CHOICE, tmp_path)
    assert str(told.value) == MISSING
    assert list(tmp_path.iterdir()) == []
    make(film_source, replace(CHOICE, formats=(GIF, FRAMES), last=1, is_animated=False), tmp_path)
    assert len(list(tmp_path.iterdir())) == 2, "the others need none"


@pytest.mark.parametrize(
    ("does", "words"),
    [
        (
            "echo Unknown encoder >&2; exit 1",
            "film.mp4: ffmpeg stopped before the video was complete: Unknown encoder. Choose GIF",
        ),
        ("head -c 900000 >/dev/null; exit 0", "film.mp4: ffmpeg stopped before the video was complete. Choose GIF"),
        ("cat >/dev/null; exit 3", "film.mp4: ffmpeg stopped before the video was complete. Choose GIF"),
        ("echo av_write: No space left on device >&2; exit 1", "is full. Free some space or choose another folder"),
    ],
)
def test_that_an_ffmpeg_that_fails_is_noticed(
    film_source: FilmSource, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, does: str, words: str
) -> None:
    broken = tmp_path / "ffmpeg"
    broken.write_text(f"#!/bin/sh\n{does}\n")
    broken.chmod(0o755)
    monkeypatch.setenv("IMAGEIO_FFMPEG_EXE", str(broken))
    with pytest.raises(ExportError, match=words):
        make(film_source, replace(CHOICE, formats=(MP4,)), tmp_path / "out")
    assert list((tmp_path / "out").iterdir()) == []


def test_that_a_program_that_is_not_there_is_told(
    film_source: FilmSource, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IMAGEIO_FFMPEG_EXE", str(tmp_path / "no match"))
    with pytest.raises(NoFfmpegError):
        make(film_source, replace(CHOICE, formats=(MP4,)), tmp_path / "out")
    assert list((tmp_path / "out").iterdir()) == []


def test_that_a_browser_can_begin_before_it_has_the_whole_film(made: Path) -> None:
    data = (made / "film.mp4").read_bytes()
    assert 0 < data.index(b"moov") < data.index(b"mdat")


def test_that_entries_of_the_legend_keep_their_places_in_a_film_and_name_only_what_is_painted(
    film_source: FilmSource,
) -> None:
    picture, looks = MemoryPicture(film_source, *SIZE, LIGHT), looks_of(LIGHT)
    frames = range(len(film_source.frames))

    def places() -> dict[Sign, set[float]]:
        found: dict[Sign, set[float]] = {}
        for scene in (picture.scene(frame, arrival) for frame in frames for arrival in (0.0, 0.5, 1.0)):
            swatches = picture_legend(scene, looks).swatches
            assert {each.sign: each.names for each in swatches} == {e.sign: e.names for e in legend_of(scene)}
            for each in swatches:
                found.setdefault(each.sign, set()).add(each.box.x)
        return found

    assert any(len(each) > 1 for each in places().values())
    picture.keep_legend(frames)
    assert {sign: each for sign, each in places().items() if len(each) > 1} == {}


def test_that_the_legend_of_a_film_begins_with_what_most_of_its_frames_show(film_source: FilmSource) -> None:
    picture, frames = MemoryPicture(film_source, *SIZE, LIGHT), range(len(film_source.frames))
    at_rest = Counter(entry.sign for frame in frames for entry in legend_of(picture.scene(frame, 1.0)))
    picture.keep_legend(frames)
    counts = [at_rest[entry.sign] for entry in picture.scene(0).notes.kept_legend]
    assert len(set(counts)) > 2
    assert counts == sorted(counts, reverse=True)
