"""Where the card of an element stands, and what is written on it."""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.gui.memory_view.box import Box
from gemmviz.gui.memory_view.card import Card
from gemmviz.gui.memory_view.foot import FOOT
from gemmviz.gui.memory_view.inscription import Inscription, Side, inscribed, wrapped
from gemmviz.gui.memory_view.looks import Face, Looks
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.trace.frame_regions import Rectangle

WIDTH, LINE, PAD, TITLE, EVIDENCE = 264.0, 18.0, 12.0, 30.0, 18.0
AWAY, EDGE = 12.0, 6.0
"""Pixels between card and element, between card and window."""
LESS = 0.25
"""How much less it matters to cover a matrix than the arrays in the corner."""


@dataclass(frozen=True, slots=True)
class CardPlace:
    """A card on the picture."""

    box: Box
    words: tuple[Inscription, ...]


def place_card(scene: Scene, looks: Looks) -> CardPlace | None:
    """Beside the element under the pointer, whole in the window, where it hides least; None without a card."""
    cell = pointed_at(scene)
    if scene.card is None or scene.hovered is None or cell is None:
        return None
    width = min(WIDTH, scene.window.width - 2 * EDGE)
    rows = _rows(looks, scene.card.lines, width - 2 * PAD)
    hazards = wrapped(looks, scene.card.hazard, width - 2 * PAD, Face.SMALL_STRONG) if scene.card.hazard else []
    height = TITLE + (len(rows) + len(hazards)) * LINE + (EVIDENCE if scene.card.evidence else 0.0) + 6.0
    box = _best(scene, cell, width, height)
    return CardPlace(box, tuple(_words(scene, looks, scene.card, box, rows, hazards)))


def pointed_at(scene: Scene) -> Box | None:
    """Where the element under the pointer is seen: of its several places the one the pointer is at."""
    if scene.hovered is None:
        return None
    name, row, column = scene.hovered
    cells = scene.parts(name, Rectangle(row, row + 1, column, column + 1))
    at = scene.pointer
    return next((cell for cell in cells if at is not None and cell.grown(2.0).holds(*at)), cells[0] if cells else None)


def _best(scene: Scene, cell: Box, width: float, height: float) -> Box:
    """Of the places around the cell the one that covers least."""
    window = scene.window
    right, left = cell.right + AWAY, cell.x - AWAY - width
    below, above = cell.bottom + AWAY, cell.y - AWAY - height
    middle_x, middle_y = cell.middle_x - width / 2, cell.middle_y - height / 2
    corners = [
        (right, middle_y), (left, middle_y), (middle_x, below), (middle_x, above), (right, below), (left, below),
        (right, above), (left, above),
    ]  # fmt: skip
    lowest = max(window.bottom - FOOT - 2 - height, EDGE)
    inside = [
        Box(min(max(x, EDGE), max(window.right - EDGE - width, EDGE)), min(max(y, EDGE), lowest), width, height)
        for x, y in corners
    ]
    return min(inside, key=lambda box: (box.meets(cell), _hidden(scene, box)))


def _hidden(scene: Scene, box: Box) -> float:
    """How much of what matters a box covers, in square pixels."""
    shown = [*scene.corner.factors, *([scene.corner.sums] if scene.corner.sums is not None else [])]
    stage = scene.stage
    covered = sum(_common(box, scene.camera.seen(part)) for part in shown)
    return covered + LESS * sum(_common(box, scene.camera.seen(part)) for part in (stage.a, stage.b, stage.c))


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
    scene: Scene, looks: Looks, card: Card, box: Box, rows: list[tuple[str, str]], hazards: list[str]
) -> list[Inscription]:
    theme = looks.theme
    assert scene.hovered is not None
    x, width = box.x + PAD, box.width - 2 * PAD
    is_matrix = scene.place(scene.hovered[0]) is None
    colour = looks.colour(scene.hovered[0]).name() if is_matrix else theme.text
    said = [inscribed(looks, card.title, Box(x, box.y + 4, width, TITLE - 4), Face.NAME, colour)]
    y = box.y + TITLE
    for name, figure in rows:
        at = Box(x, y, width, LINE)
        said += [inscribed(looks, name, at, Face.SMALL, theme.muted)] if name else []
        said += [inscribed(looks, figure, at, Face.FIGURES, theme.text, Side.RIGHT)] if figure else []
        y += LINE
    for line in hazards:
        said.append(inscribed(looks, line, Box(x, y, width, LINE), Face.SMALL_STRONG, theme.hazard))
        y += LINE
    if card.evidence:
        said.append(inscribed(looks, card.evidence, Box(x, y, width, EVIDENCE), Face.SMALL, theme.muted, Side.RIGHT))
    return said
