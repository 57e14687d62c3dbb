"""How often a block loads its elements in all: asked for once, since counting goes on from the last answer."""

from __future__ import annotations

from gemmviz.trace.frames.frames import Frames
from gemmviz.trace.frames.values import Heat


class Loads:
    """What is known of one block. For the thread that makes the frames."""

    def __init__(self) -> None:
        self._in_all: dict[str, Heat] = {}

    def in_all(self, frames: Frames, name: str) -> Heat:
        """The loads of an array at the last frame.

        Raises:
            KeyError: there is no such array.
        """
        if name not in self._in_all:
            self._in_all[name] = frames.heat(name, len(frames) - 1)
        return self._in_all[name]
