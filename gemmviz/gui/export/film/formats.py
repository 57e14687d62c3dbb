"""The formats of an animation and the names of its files."""

from __future__ import annotations

from enum import StrEnum


class FilmFormat(StrEnum):
    """FRAMES is a folder of PNG files, numbered from 1."""

    GIF = "gif"
    MP4 = "mp4"
    FRAMES = "frames"

    @property
    def words(self) -> str:
        """What people call it."""
        return "PNG frames" if self is FilmFormat.FRAMES else self.value.upper()


def film_name(stem: str, form: FilmFormat) -> str:
    """The name of a film, or of the folder of its frames."""
    return f"{stem}_frames" if form is FilmFormat.FRAMES else f"{stem}.{form}"
