"""The GIF writer: pictures read back as they were given, their times, and how small what does not change is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageSequence

from gemmviz.gui.export.film.gif import GifWriter
from gemmviz.gui.export.film.palette import Colours, Indices, Matcher, colours_of, palette_of

SIZE = (31, 47)
Pixels = NDArray[np.uint8]


def pictures(count: int) -> list[Pixels]:
    """A square that moves to the right over a ground of stripes."""
    ground = np.zeros((*SIZE, 4), np.uint8)
    ground[::2, :, 1] = 200
    made = []
    for place in range(count):
        picture = ground.copy()
        picture[5:12, 3 * place : 3 * place + 7] = (250, 10, 30, 255)
        made.append(picture)
    return made


def write(path: Path, shown: list[tuple[Pixels, int]], fps: int = 25, loop: bool = True) -> list[tuple[Pixels, int]]:
    """What was shown as it is read back: the pixels, and hundredths of a second."""
    palette = palette_of([colours_of(picture) for picture, _ in shown])
    with GifWriter(path, palette, fps, loop) as writer:
        for picture, times in shown:
            writer.add(picture, times)
    with Image.open(path) as file:
        assert file.size == SIZE[::-1]
        assert file.info.get("loop") == (0 if loop else None)
        return [
            (np.asarray(frame.convert("RGB")), frame.info["duration"] // 10) for frame in ImageSequence.Iterator(file)
        ]


def test_that_pictures_come_back_as_they_were(tmp_path: Path) -> None:
    given = [(picture, 1 + place) for place, picture in enumerate(pictures(6))]
    found = write(tmp_path / "a.gif", given)
    assert [time for _, time in found] == [4 * times for _, times in given]
    for (picture, _), (back, _) in zip(given, found, strict=True):
        assert np.array_equal(back, picture[:, :, :3])


def test_that_a_picture_like_the_last_prolongs_it(tmp_path: Path) -> None:
    one, two = pictures(2)
    found = write(tmp_path / "a.gif", [(one, 2), (one.copy(), 3), (two, 1), (two, 1), (one, 1)], fps=50)
    assert [time for _, time in found] == [10, 4, 2]
    assert np.array_equal(found[2][0], one[:, :, :3])


@pytest.mark.parametrize("fps", [7, 15, 24, 30])
def test_that_hundredths_of_a_second_do_not_add_up(tmp_path: Path, fps: int) -> None:
    found = write(tmp_path / "a.gif", [(picture, 1) for picture in pictures(12)], fps)
    assert sum(time for _, time in found) == round(12 * 100 / fps)
    assert {time for _, time in found} <= {100 // fps, 100 // fps + 1}


def test_that_only_what_is_new_is_kept(tmp_path: Path) -> None:
    noise = np.random.default_rng(1).integers(0, 2, (*SIZE, 1), np.uint8) * np.full(4, 255, np.uint8)
    other = noise.copy()
    other[10:14, 20:23] = (9, 9, 9, 255)
    write(tmp_path / "one.gif", [(noise, 1)])
    write(tmp_path / "two.gif", [(noise, 1), (other, 1)])
    assert (tmp_path / "two.gif").stat().st_size - (tmp_path / "one.gif").stat().st_size < 60


def test_that_it_may_stop_at_its_end(tmp_path: Path) -> None:
    assert len(write(tmp_path / "a.gif", [(picture, 1) for picture in pictures(2)], loop=False)) == 2


def test_that_colours_are_looked_up_only_where_a_picture_differs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    class Counting(Matcher):
        def indices(self, picture: Colours) -> Indices:
            asked.append(picture.size)
            return super().indices(picture)

    monkeypatch.setattr("gemmviz.gui.export.film.gif.Matcher", Counting)
    one, two = pictures(2)
    write(tmp_path / "a.gif", [(one, 1), (two, 1), (two, 1)])
    assert asked == [SIZE[0] * SIZE[1], 7 * 10]
