"""How large an animation will be, about, in figures and in words. No Qt."""

from __future__ import annotations

from gemmviz.gui.export.film.formats import FilmFormat

_WHOLE = 0.095
"""Bytes for each pixel of a whole picture, as a film begins with one."""
_PER_PIXEL = {FilmFormat.GIF: 0.0042, FilmFormat.MP4: 0.0036, FilmFormat.FRAMES: _WHOLE}
"""Bytes for each pixel of each further picture that differs from the one before; of FRAMES, of each picture. Found by
making films of one frame to hundreds of `tiled` and `naive`, from 32x32x32 to 1037x1031x1055, in three sizes, alone and
two side by side: they took between half and twice as much.
"""
_GAP = "\N{NO-BREAK SPACE}"


def film_bytes(form: FilmFormat, pictures: int, shots: int, size: tuple[int, int]) -> int:
    """About how many bytes a film takes in which `shots` of the `pictures` differ from the one before."""
    pixels = size[0] * size[1]
    if form is FilmFormat.FRAMES:
        return round(_PER_PIXEL[form] * pixels * pictures)
    return round(pixels * (_WHOLE + _PER_PIXEL[form] * max(shots - 1, 0)))


def size_words(size: int) -> str:
    """ "1.2 MB"; two figures, as it is an estimate."""
    for unit, of in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= of:
            amount = size / of
            return f"{amount:.1f}{_GAP}{unit}" if amount < 9.95 else f"{amount:.0f}{_GAP}{unit}"
    return f"{size} bytes"


def seconds_words(seconds: float) -> str:
    """ "8.4 s", "2 min 05 s"."""
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02d} s"
