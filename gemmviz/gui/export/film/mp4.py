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

_QUALITY = "18"
"""Of x264, 0 (exact) to 51: text stays sharp."""
_COLOURS = (
    *("-vf", "scale=out_color_matrix=bt709:out_range=tv", "-colorspace", "bt709", "-color_primaries", "bt709"),
    *("-color_trc", "bt709", "-color_range", "tv"),
)
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

    def __init__(self, ffmpeg: ChildProcess, said: IO[bytes]) -> None:
        self._ffmpeg, self._said = ffmpeg, said

    def add(self, picture: NDArray[np.uint8], pictures: int) -> None:
        """Show a picture, RGBA of shape (height, width, 4), for as long as so many pictures take.

        Raises:
            ExportError: ffmpeg ended.
            OSError: the disk is full.
        """
        for _ in range(pictures):
            try:
                self._ffmpeg.stdin.write(picture.data)
            except BrokenPipeError as error:
                self._ffmpeg.wait()
                raise self._fault() from error

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
    command = [_program(), *_options(size, fps), str(path)]
    path.touch()  # where that cannot be, the system says why
    with TemporaryFile() as said, ExitStack() as stack:
        try:
            running = child_process(command, stdin=subprocess.PIPE, stderr=said, leftovers=[path])
            ffmpeg = stack.enter_context(running)
        except OSError as error:
            raise NoFfmpegError(MISSING) from error
        writer = Mp4Writer(ffmpeg, said)
        yield writer
        writer.finish()


def _program() -> str:
    try:
        import imageio_ffmpeg

        return str(imageio_ffmpeg.get_ffmpeg_exe())
    except (ImportError, RuntimeError) as error:
        raise NoFfmpegError(MISSING) from error


def _options(size: tuple[int, int], fps: int) -> list[str]:
    threads = max(core_count() - 1, 1)  # all cores but one: somebody may sit before a window
    return [
        *("-hide_banner", "-loglevel", "error", "-nostdin", "-y"),
        *("-f", "rawvideo", "-pix_fmt", "rgba", "-s", f"{size[0]}x{size[1]}", "-r", str(fps), "-i", "pipe:0"),
        *("-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", _QUALITY, "-preset", "medium", "-tune", "animation"),
        *(*_COLOURS, "-threads", str(threads), "-movflags", "+faststart", "-f", "mp4"),
    ]
