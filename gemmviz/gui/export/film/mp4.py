"""Writes an MP4 that browsers play: H.264, in the colours of the theme, by the ffmpeg that imageio-ffmpeg brings.

ffmpeg is started here and not by imageio, which neither tells its exit code nor what it said.
"""

from __future__ import annotations

import errno
import os
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.files.csv_files import ExportError
from gemmviz.domain.processes.child_process import ChildProcess, child_process
from gemmviz.domain.processes.cores import core_count
from gemmviz.gui.export.film.matroska import picture_head, stream_head

_QUALITY, _EFFORT = "16", "veryfast"
"""Of x264: quality from 0 (exact) to 51, with which text stays sharp, and a preset. A slower one takes two to
three times as long for files that are hardly smaller: in films of this kind large areas stay as they are.
"""
_SCALE = "scale=out_color_matrix=bt709:out_range=tv"
_COLOURS = "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"
"""Without these tags players guess how colours are meant, by the height of the film, and show others."""
_FULL = ("No space left on device", "Disk quota exceeded")
MISSING = (
    "MP4 needs ffmpeg. Run pip install imageio-ffmpeg, or set IMAGEIO_FFMPEG_EXE to an ffmpeg program; "
    "GIF and PNG frames work without it"
)


class NoFfmpegError(ExportError):
    """There is no program to make an MP4 with; the message says what brings one."""


class Mp4Writer:
    """Hands pictures to an ffmpeg that runs; made by `mp4_writer`."""

    def __init__(self, ffmpeg: ChildProcess, said: IO[bytes], head: bytes) -> None:
        self._ffmpeg, self._said, self._head = ffmpeg, said, head
        self._pictures = 0

    def add(self, picture: NDArray[np.uint8], pictures: int) -> None:
        """Show a picture, RGBA of shape (height, width, 4), for as long as so many pictures take.

        Raises:
            ExportError: ffmpeg ended.
            OSError: the disk is full.
        """
        try:
            self._ffmpeg.stdin.write(self._head + picture_head(self._pictures, pictures, picture.nbytes))
            self._ffmpeg.stdin.write(picture.data)
        except BrokenPipeError as error:
            self._ffmpeg.wait()
            raise self._fault() from error
        self._head = b""
        self._pictures += pictures

    def finish(self) -> None:
        """Wait for the last picture.

        Raises:
            ExportError: ffmpeg failed.
            OSError: the disk is full.
        """
        with suppress(BrokenPipeError):  # then its exit code tells
            self._ffmpeg.stdin.close()
        if self._ffmpeg.wait():
            raise self._fault()

    def _fault(self) -> OSError | ExportError:
        self._said.seek(0)
        lines = self._said.read().decode(errors="replace").splitlines()
        if any(words in line for words in _FULL for line in lines):
            return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        said = f": {lines[-1].strip()}" if lines else ""
        return ExportError(f"ffmpeg stopped before the video was complete{said}. Choose GIF or PNG frames")


@contextmanager
def mp4_writer(path: Path, size: tuple[int, int], fps: int) -> Iterator[Mp4Writer]:
    """A writer of a film with even sides. Where anything goes wrong ffmpeg is ended; what it wrote is half a film.

    Raises:
        NoFfmpegError: there is no ffmpeg.
        ExportError: it did not make the film.
        OSError: the file cannot be written.
    """
    command = [_program(), *_options(fps), str(path)]
    path.touch()  # where that cannot be, the system says why
    with TemporaryFile() as said, ExitStack() as stack:
        try:
            running = child_process(command, stdin=subprocess.PIPE, stderr=said, leftovers=[path])
            ffmpeg = stack.enter_context(running)
        except OSError as error:
            raise NoFfmpegError(MISSING) from error
        writer = Mp4Writer(ffmpeg, said, stream_head(size, fps))
        yield writer
        writer.finish()


def _program() -> str:
    try:
        import imageio_ffmpeg

        return str(imageio_ffmpeg.get_ffmpeg_exe())
    except (ImportError, RuntimeError) as error:
        raise NoFfmpegError(MISSING) from error


def _options(fps: int) -> list[str]:
    threads = max(core_count() - 1, 1)  # all cores but one: somebody may sit before a window
    return [
        *("-hide_banner", "-loglevel", "error", "-nostdin", "-y"),
        *("-f", "matroska", "-i", "pipe:0", "-vf", f"{_SCALE},format=yuv420p,fps={fps}", *_COLOURS),
        *("-c:v", "libx264", "-crf", _QUALITY, "-preset", _EFFORT, "-tune", "animation"),
        *("-threads", str(threads), "-movflags", "+faststart", "-f", "mp4"),
    ]
