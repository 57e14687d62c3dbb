"""What all parts of the export dialog have in common that ask for an animation."""

from __future__ import annotations

from abc import abstractmethod

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from gemmviz.gui.export.film.choice import FilmFaults
from gemmviz.gui.export.film.request import AnyFilm


class FilmColumn(QWidget):
    """A column of the dialog, beside what is written at once."""

    changed = Signal()

    @property
    @abstractmethod
    def is_offered(self) -> bool:
        """Whether there is anything that can become an animation."""

    @abstractmethod
    def request(self) -> AnyFilm | None:
        """The animation that is chosen, sound or not; None if no format is."""

    @abstractmethod
    def faults(self) -> FilmFaults:
        """What is wrong with the animation."""

    @abstractmethod
    def width_of_titles(self) -> int:
        """The width in pixels at which its longest choice is whole."""

    @abstractmethod
    def room_for_faults(self, height: int) -> int:
        """Pixels that it grows by where what is wrong, `height` pixels of it, takes the place of the estimate."""
