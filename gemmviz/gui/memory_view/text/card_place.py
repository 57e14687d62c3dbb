"""Where the card of an element stands, and what is written on it."""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.gui.memory_view.example import rectangles
from gemmviz.gui.memory_view.highlights import element_marks
from gemmviz.gui.memory_view.paint.looks import Face, Looks
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.places.legend import STRIP_HEIGHT
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.text.card import HoverCard
from gemmviz.gui.memory_view.text.figures import block_figures
from gemmviz.gui.memory_view.text.sum_card import points_at_sum
from gemmviz.gui.memory_view.text.text_item import LineSide, TextItem, text_in, wrapped
from gemmviz.trace.frames.regions import Rectangle

WIDTH, LINE, PAD, TITLE = 264.0, 18.0, 12.0, 30.0
AWAY, EDGE = 12.0, 6.0
"""Pixels between card and element, between card and window."""
MUCH, LESS = 4.0, 0.2
"""How much it matters to cover what the frame is about or the arrays on chip, and the rest of a matrix."""
NEAR = 60.0
"""Pixels between a sum and its card, across and down together, at most."""
FAR = 12.0
"""Square pixels that a card rather covers than to stand one pixel farther away."""
STEPS = 10
"""Places are tried all over the window, at so many steps across and down."""


@dataclass(frozen=True, slots=True)
class CardPlace:
    """A card on the picture."""

    box: Box
    words: tuple[TextItem, ...]


def place_card(scene: Scene, looks: Looks) -> CardPlace | None:
    """Beside the element under the pointer, whole in the window, where it hides least; None without a card."""
    cell = pointed_at(scene)
    if scene.card is None or scene.pointed.hovered is None or cell is None:
        return None
    width = min(WIDTH, scene.window.width - 2 * EDGE)
    rows = _rows(looks, scene.card.lines, width - 2 * PAD)
    hazards = wrapped(looks, scene.card.hazard, width - 2 * PAD, Face.SMALL_STRONG) if scene.card.hazard else []
    height = TITLE + (len(rows) + len(hazards)) * LINE + 6.0
    box = _best(scene, looks, cell, width, height)
    return CardPlace(box, tuple(_words(scene, looks, scene.card, box, rows, hazards)))


def pointed_at(scene: Scene) -> Box | None:
    """Where the element under the pointer is seen: of its several places the one the pointer is at."""
    if scene.pointed.hovered is None:
        return None
    name, row, column = scene.pointed.hovered
    cells = scene.parts(name, Rectangle(row, row + 1, column, column + 1))
    at = scene.pointed.pointer
    return next((cell for cell in cells if at is not None and cell.grown(2.0).holds(*at)), cells[0] if cells else None)


def _best(scene: Scene, looks: Looks, cell: Box, width: float, height: float) -> Box:
    """Of the places around the cell and all over the window the one that covers least, near rather than far; what it
    explains and the figures of the block are covered last. The card of a sum in registers, which arrays surround, is
    NEAR it whatever else it covers.
    """
    window = scene.window
    last_x, last_y = max(window.right - EDGE - width, EDGE), max(window.bottom - STRIP_HEIGHT - 2 - height, EDGE)
    beside = (cell.right + AWAY, cell.x - AWAY - width, cell.middle_x - width / 2)
    level = (cell.bottom + AWAY, cell.y - AWAY - height, cell.middle_y - height / 2)
    places = [(x, y) for x in beside for y in level]
    places += [
        (EDGE + (last_x - EDGE) * across / STEPS, EDGE + (last_y - EDGE) * down / STEPS)
        for across in range(STEPS + 1)
        for down in range(STEPS + 1)
    ]
    inside = [Box(min(max(x, EDGE), last_x), min(max(y, EDGE), last_y), width, height) for x, y in places]
    shown, written = _shown(scene), [line.box for line in block_figures(scene, looks).words]
    around, explained, is_of_sum = cell.grown(AWAY - 1), explained_by(scene), points_at_sum(scene)

    def cost(box: Box) -> tuple[bool, bool, int, int, float]:
        hidden = sum(weight * _common(box, part) for part, weight in shown)
        covered = sum(box.meets(part) for part in explained)
        over_words = sum(box.meets(line) for line in written)
        away = _apart(box, cell)
        return box.meets(around), is_of_sum and away > NEAR, covered, over_words, hidden + FAR * away

    return min(inside, key=cost)


def explained_by(scene: Scene) -> list[Box]:
    """What the card is about: the element wherever it is seen, its copies, and what its thread reads and computes."""
    if scene.pointed.hovered is None:
        return []
    name, row, column = scene.pointed.hovered
    found = scene.parts(name, Rectangle(row, row + 1, column, column + 1))
    if scene.picture is not None and scene.array(name) is not None:
        for marked in element_marks(scene.picture.frame, name, row, column).now:
            for part in rectangles(marked.rows, marked.columns):
                found += scene.parts(marked.name, part)
    if name == scene.result and scene.example is not None:
        for read, part in scene.example.read:
            found += scene.parts(read, part)
    return found


def _shown(scene: Scene) -> list[tuple[Box, float]]:
    """What is seen, and how much it matters: most what this frame is about, then arrays and figures, least matrices."""
    layout, onchip, see = scene.layout, scene.onchip, scene.camera.seen
    found = [(see(box), MUCH) for box in (*onchip.factors, onchip.sums) if box is not None]
    found += [(see(scene.figures), 2.0)] if scene.figures is not None else []  # written in figures, not in areas
    if scene.shows_tree:
        found.append((see(onchip.panel), 1.0))
    found += [(see(box), LESS) for box in layout.places.values()]
    if scene.picture is not None:
        touched = [(touch.array.name, touch.box) for touch in scene.picture.frame.touches]
        found += [(box, MUCH) for name, part in touched if (box := scene.part(name, part)) is not None]
    if scene.analysis is not None and scene.analysis.part is not None:
        found += [
            (box, weight)
            for name, part, weight in _own(scene, scene.analysis.part)
            if (box := scene.part(name, part)) is not None
        ]
    return found


def _own(scene: Scene, part: Rectangle) -> list[tuple[str, Rectangle, float]]:
    """The block's part of the result, the rows of A and the columns of B that it is made of."""
    k = scene.run.spec.shape.k
    rows = Rectangle(part.row_start, part.row_stop, 0, k)
    columns = Rectangle(0, k, part.column_start, part.column_stop)
    return [(scene.result, part, MUCH), ("A", rows, 0.6), ("B", columns, 0.6)]


def _apart(box: Box, cell: Box) -> float:
    """Pixels between the two, across and down."""
    across = max(cell.x - box.right, box.x - cell.right, 0.0)
    return across + max(cell.y - box.bottom, box.y - cell.bottom, 0.0)


def _common(one: Box, other: Box) -> float:
    across = min(one.right, other.right) - max(one.x, other.x)
    down = min(one.bottom, other.bottom) - max(one.y, other.y)
    return max(across, 0.0) * max(down, 0.0)


def _rows(looks: Looks, lines: tuple[tuple[str, str], ...], room: float) -> list[tuple[str, str]]:
    """A line whose two parts do not fit beside each other takes two."""
    rows = []
    for name, figure in lines:
        if looks.width(name, Face.SMALL) + looks.width(figure, Face.FIGURES) + 12 > room:
            rows += [(name, ""), ("", figure)]
        else:
            rows.append((name, figure))
    return rows


def _words(
    scene: Scene, looks: Looks, card: HoverCard, box: Box, rows: list[tuple[str, str]], hazards: list[str]
) -> list[TextItem]:
    theme = looks.theme
    assert scene.pointed.hovered is not None
    x, width = box.x + PAD, box.width - 2 * PAD
    is_matrix = scene.place(scene.pointed.hovered[0]) is None
    colour = looks.words_colour(scene.pointed.hovered[0]) if is_matrix else theme.text
    said = [text_in(looks, card.title, Box(x, box.y + 4, width, TITLE - 4), Face.NAME, colour)]
    y = box.y + TITLE
    for name, figure in rows:
        at = Box(x, y, width, LINE)
        said += [text_in(looks, name, at, Face.SMALL, theme.muted)] if name else []
        said += [text_in(looks, figure, at, Face.FIGURES, theme.text, LineSide.RIGHT)] if figure else []
        y += LINE
    for line in hazards:
        said.append(text_in(looks, line, Box(x, y, width, LINE), Face.SMALL_STRONG, theme.hazard))
        y += LINE
    beside = Box(said[0].box.right + 8, box.y + 4, max(box.right - PAD - said[0].box.right - 8, 0.0), TITLE - 4)
    if card.evidence and looks.width(card.evidence, Face.SMALL) <= beside.width:
        said.append(text_in(looks, card.evidence, beside, Face.SMALL, theme.muted, LineSide.RIGHT))
    return said
