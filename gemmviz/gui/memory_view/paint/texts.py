"""Names and values in cells that are large enough for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import ceil

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QFont, QPainter

from gemmviz.gui.looks.fonts import figures
from gemmviz.gui.looks.narrow_text import write_narrow
from gemmviz.gui.looks.projector import SCARCE
from gemmviz.gui.memory_view.paint.cells import seen_bins
from gemmviz.gui.memory_view.paint.device_pixels import pixels_of_unit
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.text.cell_values import BECOMES, NumberForm, Pixels, cell_values, form_with_room
from gemmviz.gui.memory_view.text.number_samples import NumberSamples
from gemmviz.gui.memory_view.text.picture_numbers import NumberGroup

LEAST_PIXELS, MOST_PIXELS, MOST_NAME_PIXELS = 6.5, 56.0, 16.0
VALUE_SHARE, ALONE_SHARE, NAME_SHARE, PAIR_SHARE = 0.44, 0.58, 0.19, 0.47
"""Height of a value above a name, of one alone, of a name, and of each of two values, over that of their cell."""
LEAST_NAME_PIXELS, READABLE_NAME_PIXELS = 10.0, 10.0
"""Names of small cells are larger than their share, so that they can be read; a name that would be smaller on the
screen than the second is left out, and seen once the picture is larger, or in the card of the element.
"""
READABLE_VALUE_PIXELS = 12.0
"""Values that would be smaller on the screen have fewer decimals, or are left out: their figures are 9 pixels high."""
LEAST_LETTERS = 2
"""All values of an array have one size, that of its longest; shorter ones do not change it from frame to frame."""
ROOMY, TIGHT = 0.8, 0.92
"""How much of the width of a cell letters take, and how much where they would be too small to read."""
GAP_ON_SCREEN = 1.4
"""Pixels between the values of neighbours on a whole screen, besides: those of a row would read as one number."""
_WIDE = 0.62
"""Width of a figure over the size of its font."""

CellText = Callable[[int, int], tuple[str, float | None, QColor] | None]
"""Name, value, None where it is not known, and colour of the cell in a row and column; None for nothing."""


@dataclass(frozen=True, slots=True)
class CellFonts:
    """The fonts of the values and of the names of an array; None for what would be too small to read."""

    value: QFont | None
    name: QFont | None
    narrow: float = 1.0
    """The part of their usual width that values have, SCARCE at least."""


def draw_texts(
    painter: QPainter,
    area: Box,
    size: tuple[int, int],
    window: Box,
    text: CellText,
    numbers: NumberGroup,
    least: float = 0.0,
) -> None:
    """Write into every cell in the window: the name small, above it the value if there is one; of a name with
    BECOMES its parts, as large as values. `numbers` says how values are written in the picture. Names and values are at
    least `least` pixels large, or left out; where there is no room for any value in that size they may be SCARCE as
    wide.
    """
    found = seen_bins(area, *size, window, 1.0)
    if found is None:
        return
    cells: list[tuple[int, int, tuple[str, float | None, QColor]]] = [
        (row, column, said)
        for row in found[0].edges[:-1].tolist()
        for column in found[1].edges[:-1].tolist()
        if (said := text(row, column)) is not None
    ]
    cell, known = area.part(*size, 0, 0), [value for _, _, (_, value, _) in cells if value is not None]
    scale = pixels_of_unit(painter)
    for pixels in _rooms(cell, scale, least):
        texts, letters = cell_values(known, pixels, numbers.known, numbers.first)
        if letters:
            break
    names = [name for _, _, (name, _, _) in cells]
    fonts = cell_fonts(cell, [name for name in names if BECOMES not in name], letters, scale, least)
    pair = _pair_font(cell, [name for name in names if BECOMES in name], least)
    said_of: dict[float | None, str] = dict(zip(known, texts, strict=True))
    for row, column, (name, value, colour) in cells:
        painter.setPen(colour)
        box = area.part(*size, row, column)
        if BECOMES not in name:
            _write(painter, box, name, said_of.get(value, ""), fonts)
        elif pair is not None:
            old, _, new = name.partition(BECOMES)
            half = box.height / 2
            _write_line(painter, replace(box, y=box.y + half * 0.1, height=half), old, pair)
            _write_line(painter, replace(box, y=box.y + half * 0.9, height=half), f"{BECOMES}{new}", pair)


def form_of_cells(cell: Box, samples: NumberSamples, scale: float, least: float) -> NumberForm | None:
    """The form in which cells of that size have room for numbers such as the samples, painted `scale` times as large;
    None if they have for none. `least` as for `draw_texts`.
    """
    rooms = _rooms(cell, scale, least)
    forms = (form_with_room(samples.known, pixels, is_exact=samples.is_exact) for pixels in rooms)
    return next(filter(None, forms), None)


def _rooms(cell: Box, scale: float, least: float) -> Iterator[Pixels]:
    """The room that a cell has for values, in each of the least sizes that they may have."""
    for enough in _sizes(scale, least):
        yield partial(_value_pixels, _with_gap(cell, least), share=ALONE_SHARE, least=enough)


def cell_fonts(
    cell: Box, names: Sequence[str], of_value: int, scale: float = 1.0, least_label: float = 0.0
) -> CellFonts:
    """The fonts in which the longest name and values of `of_value` letters fit cells of size `cell`, which are painted
    `scale` times as large; `least_label` as for `draw_texts`.
    """
    letters = max((len(name) for name in names), default=0)
    high = min(max(cell.height * NAME_SHARE, LEAST_NAME_PIXELS, least_label), cell.height * 0.28)
    least = max(READABLE_NAME_PIXELS / scale, LEAST_PIXELS, least_label)
    name = _pixels(cell, letters, high, MOST_NAME_PIXELS, least) if letters else 0.0
    name = name if name >= least else 0.0
    sizes = _sizes(scale, least_label)
    cell = _with_gap(cell, least_label)
    value = _value_pixels(cell, of_value, VALUE_SHARE, sizes[0]) if of_value and name else 0.0
    if of_value and not value:  # a value is left without its name before it is smaller, or left out
        alone = (_value_pixels(cell, of_value, ALONE_SHARE, size) for size in sizes)
        value, name = next(filter(None, alone), 0.0), 0.0
    bold, plain = QFont.Weight.DemiBold, QFont.Weight.Normal
    narrow = 1.0
    if 0.0 < value < least_label:
        fitting = cell.width * TIGHT / (max(of_value, LEAST_LETTERS) * _WIDE)
        narrow = min(max(fitting / ceil(least_label), SCARCE), 1.0)
    return CellFonts(_font(value, bold, least_label), _font(name, plain, least_label), narrow)


def _with_gap(cell: Box, least_label: float) -> Box:
    """What values take of a cell: on a whole screen, where `least_label` is more than 0, not all of its width."""
    return replace(cell, width=cell.width - GAP_ON_SCREEN) if least_label else cell


def _sizes(scale: float, least_label: float) -> tuple[float, ...]:
    """The least sizes that values fit in, the preferred first: that of a label, then what is SCARCE as wide."""
    return (least_label, least_label * SCARCE) if least_label else (READABLE_VALUE_PIXELS / scale,)


def _pair_font(cell: Box, pairs: Sequence[str], least: float) -> QFont | None:
    """The font of the two lines of slots that are read before and after a store; None where there is no room."""
    letters = max((len(pair) - pair.index(BECOMES) for pair in pairs), default=0)
    letters = max(letters, *(pair.index(BECOMES) for pair in pairs)) if pairs else 0
    pixels = _pixels(cell, letters, cell.height * PAIR_SHARE, MOST_PIXELS, max(LEAST_PIXELS, least)) if letters else 0.0
    return _font(pixels, QFont.Weight.DemiBold, 0.0)


def _write(painter: QPainter, box: Box, name: str, value: str, fonts: CellFonts) -> None:
    if value and fonts.value is not None:
        part = 0.66 if fonts.name is not None else 1.0
        _write_line(painter, replace(box, height=box.height * part), value, fonts.value, fonts.narrow)
        if fonts.name is not None:
            below = replace(box, y=box.y + box.height * 0.58, height=box.height * 0.36)
            _write_line(painter, below, name, fonts.name)
    elif fonts.name is not None and name:
        _write_line(painter, box, name, fonts.name)


def _write_line(painter: QPainter, room: Box, text: str, font: QFont, narrow: float = 1.0) -> None:
    """Write into the middle of a room, `narrow` as wide as the font is."""
    painter.setFont(font)
    write_narrow(painter, QRectF(room.x, room.y, room.width, room.height), text, narrow)


def _value_pixels(cell: Box, letters: int, share: float, least: float = 0.0) -> float:
    """The size in which values of so many letters fit `share` of the height of a cell; 0 where they would be too small
    to read. `least` is that of labels.
    """
    least = max(LEAST_PIXELS, least)
    pixels = _pixels(cell, max(letters, LEAST_LETTERS), cell.height * share, MOST_PIXELS, least)
    return pixels if pixels >= least else 0.0


def _pixels(cell: Box, letters: int, high: float, most: float, least: float = LEAST_PIXELS) -> float:
    """The size in which so many letters fit a cell, `high` and `most` pixels at most; they come nearer to its edges
    where they could not be read else.
    """
    wide = max(letters * _WIDE, 1.0)
    pixels = min(cell.width * ROOMY / wide, high, most)
    return pixels if pixels >= least else min(cell.width * TIGHT / wide, high, most, least)


def _font(pixels: float, weight: QFont.Weight, least: float) -> QFont | None:
    """Figures of that size, rounded, but not to less than `least`; None where they would be too small to read."""
    if pixels < LEAST_PIXELS:
        return None
    made = figures(weight=weight)
    made.setPixelSize(max(round(pixels), ceil(least)))
    return made
