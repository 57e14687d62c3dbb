"""Turns the small images that cells are painted with into rectangles, so that an SVG is a drawing throughout."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage

from gemmviz.trace.frames.regions import Rectangle

MOST_RECTANGLES = 20_000
"""An image that is no simpler than that stays one: a drawing of it would be slow to open and larger."""

_IMAGE = re.compile(
    r'<image x="(?P<x>[^"]+)" y="(?P<y>[^"]+)" width="(?P<width>[^"]+)" height="(?P<height>[^"]+)"'
    r'[^>]*?xlink:href="data:image/png;base64,(?P<data>[^"]+)"\s*/>'
)


def with_rectangles(svg: str) -> str:
    """An SVG as Qt writes it, its images as groups of rectangles, one group for each colour."""
    return _IMAGE.sub(_drawn, svg)


def rectangles(cells: NDArray[np.uint32]) -> Iterator[tuple[int, Rectangle]]:
    """Cells of a colour, 0xAARRGGBB, as rectangles: runs of a row, joined with the same run of the row before."""
    open_runs: dict[tuple[int, int, int], int] = {}
    for row, line in enumerate(cells):
        edges = np.concatenate(([0], np.flatnonzero(line[1:] != line[:-1]) + 1, [line.size])).tolist()
        runs = {(int(line[a]), a, b) for a, b in pairwise(edges)}
        for run in [run for run in open_runs if run not in runs]:
            yield run[0], Rectangle(open_runs.pop(run), row, run[1], run[2])
        for run in runs:
            open_runs.setdefault(run, row)
    for (colour, left, right), top in open_runs.items():
        yield colour, Rectangle(top, cells.shape[0], left, right)


def _drawn(found: re.Match[str]) -> str:
    cells = _cells(base64.b64decode(found["data"]))
    if cells is None:
        return found[0]
    x, y, width, height = (float(found[name]) for name in ("x", "y", "width", "height"))
    down, across = height / cells.shape[0], width / cells.shape[1]
    groups: dict[int, list[str]] = {}
    for number, (colour, part) in enumerate(rectangles(cells)):
        if number >= MOST_RECTANGLES:
            return found[0]
        left, top = _figure(x + part.column_start * across), _figure(y + part.row_start * down)
        size = f'width="{_figure(part.columns * across)}" height="{_figure(part.rows * down)}"'
        groups.setdefault(colour, []).append(f'<rect x="{left}" y="{top}" {size}/>')
    return "\n".join(_group(colour, groups[colour]) for colour in sorted(groups) if colour >> 24)


def _group(colour: int, inside: list[str]) -> str:
    opacity = "" if colour >> 24 == 255 else f' fill-opacity="{(colour >> 24) / 255:.3f}"'
    looks = f'fill="#{colour & 0xFFFFFF:06x}"{opacity} stroke="none" shape-rendering="crispEdges"'
    return "\n".join([f"<g {looks}>", *inside, "</g>"])


def _cells(png: bytes) -> NDArray[np.uint32] | None:
    """0xAARRGGBB, shape (rows, columns); None if it is no picture."""
    image = QImage.fromData(png).convertToFormat(QImage.Format.Format_ARGB32)
    if image.isNull():
        return None
    shape = (image.height(), image.width())
    return np.frombuffer(image.constBits(), np.uint32).reshape(shape).copy()


def _figure(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")
