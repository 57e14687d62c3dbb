"""Writes an animated GIF picture by picture: of each only what is new, so that files stay small and memory free."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gemmviz.gui.export.film.palette import Colours, Indices, Matcher, colours_of

Part = tuple[slice, slice]
"""Rows and columns of a picture."""
FOREVER = 0
"""Begin again without end."""
_LEAVE = 1
"""What a picture leaves behind is where the next begins."""


class GifWriter:
    """A context manager. Pictures are RGBA, shape (height, width, 4); times are counted in hundredths of a second.

    Raises:
        OSError: the file cannot be written.
    """

    def __init__(self, path: Path, palette: Colours, fps: int, loop: bool) -> None:
        self._palette, self._fps, self._loop = palette, fps, loop
        self._matcher = Matcher(palette)
        self._clear = palette.size
        self._file = path.open("wb")
        self._waiting: tuple[Indices, tuple[int, int]] | None = None
        self._before: Indices | None = None
        self._colours: Colours | None = None
        self._pictures = self._told = 0

    def __enter__(self) -> GifWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._file:
            if kind is None:
                self._flush()
                self._file.write(b";")

    def add(self, picture: NDArray[np.uint8], pictures: int) -> None:
        """Show a picture for as long as so many pictures take; one that is like the last prolongs it."""
        colours = colours_of(picture)
        if self._before is None or self._colours is None:
            self._before = self._matcher.indices(colours)
            self._begin(self._before)
            self._waiting = self._before, (0, 0)
        else:
            self._change(self._before, colours, _bounds(colours != self._colours))
        self._colours = colours
        self._pictures += pictures

    def _change(self, shown: Indices, colours: Colours, part: Part | None) -> None:
        """Let `part` of what is `shown` have these colours from now on: the least rectangle in which indices differ."""
        if part is None:
            return
        indices = self._matcher.indices(colours[part])
        inner = _bounds(indices != shown[part])
        if inner is None:
            return
        self._flush()
        old, new = shown[part][inner], indices[inner]
        offset = part[1].start + inner[1].start, part[0].start + inner[0].start
        self._waiting = np.where(new == old, self._clear, new).astype(np.uint8), offset
        shown[part] = indices

    def _begin(self, indices: Indices) -> None:
        from PIL import GifImagePlugin

        info: dict[str, Any] = {"duration": 1, "optimize": False}
        if self._loop:
            info["loop"] = FOREVER
        header, _ = GifImagePlugin.getheader(self._image(indices), info=info)
        self._file.writelines(header)

    def _flush(self) -> None:
        """Write the picture whose time is known now."""
        from PIL import GifImagePlugin

        if self._waiting is None:
            return
        indices, offset = self._waiting
        until = round(self._pictures * 100 / self._fps)
        hundredths, self._told = until - self._told, until
        settings = {"duration": 10 * hundredths, "disposal": _LEAVE, "transparency": self._clear}
        self._file.writelines(GifImagePlugin.getdata(self._image(indices), offset, **settings))
        self._waiting = None

    def _image(self, indices: Indices) -> Any:
        from PIL import Image

        height, width = indices.shape
        image = Image.frombytes("P", (width, height), indices.tobytes())
        levels = [
            level for colour in self._palette.tolist() for level in (colour >> 16, colour >> 8 & 0xFF, colour & 0xFF)
        ]
        image.putpalette(levels + [0] * (768 - len(levels)))
        return image


def _bounds(differs: NDArray[np.bool_]) -> Part | None:
    """The least rectangle that holds all that differs; None for nothing."""
    rows = np.flatnonzero(differs.any(axis=1))
    if not rows.size:
        return None
    down = slice(int(rows[0]), int(rows[-1]) + 1)
    columns = np.flatnonzero(differs[down].any(axis=0))
    return down, slice(int(columns[0]), int(columns[-1]) + 1)
