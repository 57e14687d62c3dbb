"""What is piped to ffmpeg, read again by ffmpeg: pictures with their times, each sent once."""

from __future__ import annotations

import subprocess
from io import BytesIO
from types import SimpleNamespace
from typing import Any, cast

import imageio_ffmpeg
import numpy as np

from gemmviz.gui.export.film.matroska import picture_head, stream_head
from gemmviz.gui.export.film.mp4 import Mp4Writer

SIZE = (6, 4)
SHARES = (3, 1, 40, 2)
"""How many pictures of the film each picture stands for."""


def pictures() -> list[np.ndarray[Any, np.dtype[np.uint8]]]:
    made = [np.full((SIZE[1], SIZE[0], 4), 255, np.uint8) for _ in SHARES]
    for number, picture in enumerate(made):
        picture[:, :, :3] = (10 * number, 20, 200)
        picture[0, 0, :3] = (1, 2, 3)
    return made


def read_again(stream: bytes, fps: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """The pictures of the film that ffmpeg makes of a stream, RGBA."""
    command = [imageio_ffmpeg.get_ffmpeg_exe(), "-v", "error", "-f", "matroska", "-i", "pipe:0", "-vf", f"fps={fps}"]
    done = subprocess.run([*command, "-f", "rawvideo", "-"], input=stream, capture_output=True, check=True)
    assert not done.stderr, done.stderr
    return np.frombuffer(done.stdout, np.uint8).reshape(-1, SIZE[1], SIZE[0], 4)


def test_that_each_picture_is_there_byte_for_byte_and_as_often_as_it_is_shown() -> None:
    wanted = np.repeat(np.stack(pictures()), SHARES, axis=0)
    for fps in (1, 24, 25, 30, 60):
        stream, at = stream_head(SIZE, fps), 0
        for picture, share in zip(pictures(), SHARES, strict=True):
            stream += picture_head(at, share, picture.nbytes) + picture.tobytes()
            at += share
        assert np.array_equal(read_again(stream, fps), wanted), fps


def test_that_a_picture_that_is_shown_for_long_is_sent_once() -> None:
    pipe = BytesIO()
    writer = Mp4Writer(cast(Any, SimpleNamespace(stdin=pipe)), BytesIO(), stream_head(SIZE, 25))
    large = np.zeros((400, 600, 4), np.uint8)
    writer.add(large, 500)
    assert large.nbytes < len(pipe.getvalue()) < large.nbytes + 1000
