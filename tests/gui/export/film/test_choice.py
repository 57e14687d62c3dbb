"""What is asked of an animation: what is refused, with the figure and the remedy, and what is estimated."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gemmviz.gui.export.film.choice import FilmChoice, FilmFaults, film_faults
from gemmviz.gui.export.film.estimate import range_words, seconds_words, size_words
from gemmviz.gui.export.film.formats import FilmFormat

GIF, MP4, FRAMES = FilmFormat
SOUND = FilmChoice((GIF, MP4, FRAMES), 3, 20)


def test_that_a_sound_choice_has_no_faults() -> None:
    assert film_faults(SOUND, 20) == FilmFaults()
    assert not film_faults(SOUND, 20).any


@pytest.mark.parametrize(
    ("wrong", "place", "words"),
    [
        ({"size": (1281, 720)}, "size", "MP4 needs an even width and height. Choose 1280x720"),
        ({"size": (1281, 721)}, "size", "MP4 needs an even width and height. Choose 1280x720"),
        ({"size": (100, 100)}, "size", "choose from 320x240 to 3840x2160"),
        ({"size": (8000, 600)}, "size", "choose from 320x240 to 3840x2160"),
        ({"last": 21}, "frames", "choose frames from 1 to 20"),
        ({"first": 0}, "frames", "choose frames from 1 to 20"),
        ({"first": 5, "last": 4}, "frames", "the first frame comes after the last. Swap them"),
        ({"speed": 17.0}, "speed", "choose from 0.25 to 16"),
        ({"speed": float("nan")}, "speed", "choose from 0.25 to 16"),
        ({"fps": 0}, "fps", "choose from 1 to 50 fps for a GIF"),
        ({"fps": 60}, "fps", "choose from 1 to 50 fps for a GIF"),
        ({"fps": 61, "formats": (MP4,)}, "fps", "choose from 1 to 60 fps"),
        ({"fps": 5, "speed": 10.5}, "fps", "frames would be left out. Choose 6 fps or more, or a lower speed"),
    ],
)
def test_that_a_fault_names_the_remedy(wrong: dict[str, Any], place: str, words: str) -> None:
    faults = film_faults(replace(SOUND, **wrong), 20)
    assert faults == FilmFaults(**{place: words})
    assert faults.any


def test_that_odd_sides_are_fine_without_mp4() -> None:
    assert not film_faults(replace(SOUND, formats=(GIF, FRAMES), size=(641, 359)), 20).any


def test_that_a_film_of_a_hundred_thousand_frames_is_refused_with_its_figure() -> None:
    long = replace(SOUND, first=1, last=100_000)
    told = film_faults(long, 100_000).length.replace("\N{NARROW NO-BREAK SPACE}", " ")
    assert told == (
        "5 000 025 video frames are more than the limit of 10 000. Choose fewer frames, a higher speed or fewer fps"
    )


def test_that_a_film_of_many_gigabytes_is_refused() -> None:
    large = replace(SOUND, formats=(FRAMES,), first=1, last=195, size=(3840, 2160), every_picture=True)
    told = film_faults(large, 390).length
    assert told.startswith("4.9 to 15\N{NO-BREAK SPACE}GB are more than 2.0\N{NO-BREAK SPACE}GB. Choose fewer frames")
    assert not film_faults(replace(large, formats=(MP4,)), 390).any
    assert not film_faults(replace(large, every_picture=False), 390).any, "one for each frame"


def test_that_files_are_named_after_the_block() -> None:
    found = SOUND.paths(Path("out"), "tiled_memory_block_1_2")
    names = ("tiled_memory_block_1_2.gif", "tiled_memory_block_1_2.mp4", "tiled_memory_block_1_2_frames")
    assert found == tuple(Path("out") / name for name in names)


def test_that_figures_are_put_in_words() -> None:
    plain = [words.replace("\N{NO-BREAK SPACE}", " ") for words in map(size_words, (900, 1_240_000, 43_000_000))]
    assert plain == ["900 bytes", "1.2 MB", "43 MB"]
    ranges = [
        range_words(sizes).replace("\N{NO-BREAK SPACE}", " ")
        for sizes in ((1_200_000, 4_000_000), (900_000, 2_000_000))
    ]
    assert ranges == ["1.2 to 4.0 MB", "900 kB to 2.0 MB"]
    assert [seconds_words(s) for s in (8.44, 59.9, 125.2)] == ["8.4 s", "59.9 s", "2 min 05 s"]
