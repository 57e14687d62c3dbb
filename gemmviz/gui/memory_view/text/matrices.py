"""The captions of A, B and C: letter, size in letters, size in figures, and where they lie."""

from __future__ import annotations

from collections.abc import Sequence

from gemmviz.gui.memory_view.paint.looks import Face, Looks
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.places.matrix_layout import GAP
from gemmviz.gui.memory_view.places.overview import overview_box
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.text.labels import size_words
from gemmviz.gui.memory_view.text.text_item import TextItem, text_in

WHERE = "global memory"
PIECES = (Face.LETTER, Face.SMALL, Face.SMALL, Face.SMALL)
CAPTION, APART, MARGIN, BORDER = 22.0, 8.0, 4.0, 12.0
"""Height of a caption, between its pieces, to the left edge of the window at least, and to the right one."""
SIGN = 24.0
"""Width of the sign beside a fault."""
Piece = tuple[str, Face, str]
"""Words of a caption, with their letters and their colour."""
OVERHANG = 12.0
"""How much wider than its matrix a caption may be, without coming near that of its neighbour."""


def matrix_words(scene: Scene, looks: Looks) -> list[TextItem]:
    """Above B and below A and C; kept in the window as long as the matrix is. All say where they lie, or none, and all
    have their sizes in letters, or none.
    """
    shown = [(name, area) for name in scene.layout.places if (area := scene.area(name)) is not None]
    shown = [(name, area) for name, area in shown if area.meets(scene.window)]
    whole = [(_fitting(scene, looks, name, area, WHERE), area) for name, area in shown]
    wide = [len(pieces) == len(PIECES) and _width(looks, pieces) <= area.width for pieces, area in whole]
    where = WHERE if all(wide) else ""
    captions = [(_fitting(scene, looks, name, area, where), name, area) for name, area in shown]
    has_letters = all(len(pieces) > 2 for pieces, _, _ in captions if pieces)
    found: list[TextItem] = []
    for pieces, name, area in captions:
        found += _caption(
            scene, looks, name, area, pieces if has_letters else [*pieces[:1], *pieces[-1:]][: len(pieces)]
        )
    return found


def _fitting(scene: Scene, looks: Looks, name: str, area: Box, where: str) -> list[Piece]:
    """The pieces of a caption that have room: first goes where it lies, then the size in letters, in figures."""
    array, window, theme = scene.array(name), scene.window, looks.theme
    if array is None:
        return []
    size, numbers = size_words(array, scene.run.spec.shape)
    if scene.layout.added is not None and name in ("C", "D"):
        size = f"{size}, {'result' if name == 'D' else 'read'}"
    colours = (looks.words_colour(name), theme.muted, theme.muted, theme.muted)
    pieces = [piece for piece in zip((name, size, numbers, where), PIECES, colours, strict=True) if piece[0]]
    room = area.width + OVERHANG
    seen = [scene.camera.seen(box) for box in scene.layout.places.values()]
    if name == "B" or area.x == max(box.x for box in seen):  # nothing stands to the right
        room = max(room, min(window.right - BORDER - area.x, _width(looks, pieces[:3])))
    elif name == "A":  # the figures of the block end above it
        room = max(room, min(area.right + OVERHANG / 2 - _left_end(scene, area), _width(looks, pieces[:3])))
    while _width(looks, pieces) > room and len(pieces) > 1:
        del pieces[1 if len(pieces) == 3 else -1]
    return pieces


def _width(looks: Looks, pieces: Sequence[Piece]) -> float:
    return sum(looks.width(text, face) for text, face, _ in pieces) + APART * (len(pieces) - 1)


def _caption(scene: Scene, looks: Looks, name: str, area: Box, pieces: Sequence[Piece]) -> list[TextItem]:
    window = scene.window
    whole = _width(looks, pieces)
    left, right = max(area.x, window.x), min(area.right, window.right)
    y = max(area.y - CAPTION - 2, window.y + 2) if name == "B" else _below(scene, area)
    x = (left + right - whole) / 2 if whole <= area.width or name == "A" else area.x
    x = min(x, right + OVERHANG / 2 - whole) if name == "A" else x
    x = min(max(x, window.x + MARGIN), _end(scene, y) - whole - BORDER)
    x = _beside_faults(scene, name, area, x, whole)
    covers = y < area.bottom and y + CAPTION > area.y
    found = []
    for text, face, colour in pieces:
        found.append(text_in(looks, text, Box(x, y, looks.width(text, face), CAPTION), face, colour, plate=covers))
        x += found[-1].box.width + APART
    return found


def _below(scene: Scene, area: Box) -> float:
    """Where a caption below a matrix begins."""
    return min(area.bottom + 2, scene.window.bottom - 2 * CAPTION - 4)


def _left_end(scene: Scene, area: Box) -> float:
    """How far to the left the caption of A may reach: up to what else stands there in its line."""
    y = _below(scene, area)
    others = [box for box in (scene.onchip.panel, scene.onchip.registers, scene.figures) if box is not None]
    seen = [scene.camera.seen(box) for box in others]
    ends = [box.right + APART for box in seen if box.x < area.x and box.y < y + CAPTION and y < box.bottom]
    return max(scene.window.x + BORDER, *ends) if ends else scene.window.x + BORDER


def _end(scene: Scene, y: float) -> float:
    """How far to the right a caption may reach: up to the overview where that stands beside it."""
    if not scene.camera.shows_all:
        overview = overview_box(scene)
        if y + CAPTION > overview.y:
            return overview.x
    return scene.window.right


def _beside_faults(scene: Scene, name: str, area: Box, x: float, width: float) -> float:
    """Not over accesses behind the end of a matrix, which are drawn below it."""
    if scene.picture is None or name == "B":
        return x
    array = scene.array(name)
    behind = [
        scene.cell(name, mark.array.rows, int(column))
        for mark in scene.picture.hazards
        if array is not None and mark.array.name == name
        for row, column in zip(mark.rows.tolist(), mark.columns.tolist(), strict=True)
        if row >= mark.array.rows
    ]
    boxes = [box for box in behind if box is not None]
    if not boxes:
        return x
    left, right = min(box.x for box in boxes) - SIGN, max(box.right for box in boxes)
    for at in (x, area.right - width, area.x, min(right + APART, area.right + 2 * GAP - width)):
        if at >= right + APART or at + width <= left - APART:
            return at
    return x
