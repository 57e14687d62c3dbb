"""Between which sizes an animation will be, in figures and in words. No Qt."""

from __future__ import annotations

from gemmviz.gui.export.film.formats import FilmFormat

_WHOLE = 0.06, 0.18
"""Bytes for each pixel of a whole picture, as a film begins with one, at least and at most."""
_PER_PIXEL = {FilmFormat.GIF: (0.0022, 0.0120), FilmFormat.MP4: (0.0020, 0.0107), FilmFormat.FRAMES: _WHOLE}
"""Bytes for each pixel of each further picture that differs from the one before, at least and at most; of FRAMES, of
each picture. Of 54 films of 22 recordings, from 640x360 to 1920x1080, alone and as slides, 94 of 108 files lie between
the two: a picture in which large tiles with numbers travel takes five times as much as one of many small elements.
"""
_GAP = "\N{NO-BREAK SPACE}"


def film_bytes(form: FilmFormat, pictures: int, shots: int, size: tuple[int, int]) -> tuple[int, int]:
    """The least and the most bytes that a film probably takes in which `shots` of the `pictures` differ from the one
    before.
    """
    pixels, (least, most) = size[0] * size[1], _PER_PIXEL[form]
    if form is FilmFormat.FRAMES:
        return round(least * pixels * pictures), round(most * pixels * pictures)
    further = max(shots - 1, 0)
    return round(pixels * (_WHOLE[0] + least * further)), round(pixels * (_WHOLE[1] + most * further))


def range_words(sizes: tuple[int, int]) -> str:
    """ "1.2 to 5.4 MB", or "0.9 MB to 1.2 GB"."""
    least, most = map(size_words, sizes)
    amount, _, unit = least.partition(_GAP)
    return f"{amount} to {most}" if unit and most.endswith(f"{_GAP}{unit}") else f"{least} to {most}"


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
