"""Writes pictures as numbered PNG files, each as often as it is shown, so that any program can make a film of them."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain.files.bounded_read import read_bytes

DIGITS = 5
PATTERN = "frame_*.png"
_MOST_BYTES = 2**28
"""Of one picture."""


class FolderWriter:
    """A context manager for an empty folder that is there. Pictures are RGBA, shape (height, width, 4).

    Raises:
        OSError: a file cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self._folder, self._pictures = folder, 0

    def __enter__(self) -> FolderWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing is open."""

    def add(self, picture: NDArray[np.uint8], pictures: int) -> None:
        """Show a picture for as long as so many pictures take."""
        from PIL import Image

        first: bytes | None = None
        for _ in range(pictures):
            self._pictures += 1
            path = self._folder / f"frame_{self._pictures:0{DIGITS}d}.png"
            if first is None:
                Image.fromarray(picture[:, :, :3]).save(path, "PNG")
                first = read_bytes(path, _MOST_BYTES)
            else:
                path.write_bytes(first)
