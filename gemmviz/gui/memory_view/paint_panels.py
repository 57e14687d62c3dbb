"""Draws what stays where it is: the key, the legend of the heat, the card, the sums of a thread, the overview."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from gemmviz.domain.figures import count
from gemmviz.gui.fonts import NORMAL, SMALL, figures, words
from gemmviz.gui.memory_view.box import Box
from gemmviz.gui.memory_view.heat_maps import LEVELS, HeatMap
from gemmviz.gui.memory_view.looks import PALE, Looks
from gemmviz.gui.memory_view.paint_cells import dashed, rect
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.theme import blend

FOOT = 24.0
"""Height of the strip at the foot of the window that the key or the legend stands in."""
RAMP_WIDTH = 144.0
TINY = 7.0
"""Points of the figures on the ramp."""
OVERVIEW = 168.0
CARD_WIDTH, CARD_LINE = 264.0, 18.0


def draw_foot(painter: QPainter, scene: Scene, looks: Looks) -> None:
    """The legend of the heat that is shown, else the key to the roles; beside it what is not to scale."""
    window, theme = scene.window, looks.theme
    y = window.bottom - FOOT
    back = QColor(theme.canvas)
    back.setAlphaF(0.9)
    painter.fillRect(QRectF(0, y, window.width, FOOT), back)
    heat = scene.picture.heat if scene.picture is not None else None
    right = _draw_heat(painter, looks, heat, 28.0, y) if heat is not None else _draw_key(painter, scene, looks, y)
    note = heat.note if heat is not None else scene.stage.note
    if note:
        painter.setFont(words(SMALL))
        painter.setPen(QColor(theme.muted))
        room = window.width - right - 28 - 24
        said = QFontMetricsF(painter.font()).elidedText(note, Qt.TextElideMode.ElideRight, room)
        painter.drawText(QRectF(right + 24, y, room, FOOT), _RIGHT if heat is None else _LEFT, said)


def _draw_key(painter: QPainter, scene: Scene, looks: Looks, y: float) -> float:
    theme = looks.theme
    x, colour = 28.0, theme.a
    keys = [("now", colour), ("before", blend(theme.field, colour, PALE)), ("to come", "")]
    if scene.places and not scene.shows_tree:
        keys += [("zero", "zero"), ("stale", "stale")]
    painter.setFont(words(SMALL))
    for word, fill in keys:
        box = QRectF(x, y + 7, 10, 10)
        if fill == "":
            painter.setPen(dashed(QColor(colour), 1.0))
            painter.drawRect(box)
        elif fill == "zero":
            painter.fillRect(box, QColor(blend(theme.field, theme.reference, 0.4)))
            painter.setBrush(QColor(theme.text))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.drawEllipse(box.center(), 1.6, 1.6)
            painter.setBrush(Qt.BrushStyle.NoBrush)
        elif fill == "stale":
            painter.fillRect(box, QColor(blend(theme.field, colour, 0.2)))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.fillRect(box, QColor(theme.muted))
            painter.fillRect(box.adjusted(1, 1, -1, -1), QColor(blend(theme.field, colour, 0.2)))
            painter.setPen(QPen(QColor(theme.muted), 1.0))
            painter.drawLine(box.bottomLeft(), box.topRight())
        else:
            painter.fillRect(box, QColor(fill))
        painter.setPen(QColor(theme.muted))
        width = QFontMetricsF(painter.font()).horizontalAdvance(word)
        painter.drawText(QRectF(x + 15, y, width + 4, FOOT), _LEFT, word)
        x += 15 + width + 16
    return x - 16


def _draw_heat(painter: QPainter, looks: Looks, heat: HeatMap, x: float, y: float) -> float:
    """The title, the ramp between its figures, and the evidence."""
    theme = looks.theme
    font = words(SMALL, QFont.Weight.DemiBold)
    painter.setFont(font)
    painter.setPen(QColor(theme.text))
    x = _say(painter, heat.title, x, y) + 20
    for place in range(int(RAMP_WIDTH)):
        level = 1 + round(place * (LEVELS - 1) / (RAMP_WIDTH - 1))
        painter.fillRect(QRectF(x + place, y + 14, 1.0, 7), QColor(looks.heat[level] & 0xFFFFFF))
    painter.setPen(QPen(QColor(theme.line), 1.0))
    painter.drawRect(QRectF(x, y + 14, RAMP_WIDTH, 7))
    painter.setFont(figures(TINY))
    painter.setPen(QColor(theme.muted))
    for mark in heat.marks:
        at = x + heat.place(mark) * RAMP_WIDTH
        painter.drawText(QRectF(at - 40, y, 80, 13), int(Qt.AlignmentFlag.AlignCenter), count(mark))
    x += RAMP_WIDTH + 20
    painter.setPen(QColor(theme.muted))
    painter.setFont(words(SMALL))
    return _say(painter, str(heat.evidence), x, y)


def _say(painter: QPainter, text: str, x: float, y: float) -> float:
    width = QFontMetricsF(painter.font()).horizontalAdvance(text)
    painter.drawText(QRectF(x, y, width + 4, FOOT), _LEFT, text)
    return x + width


def draw_card(painter: QPainter, scene: Scene, looks: Looks) -> None:
    """The card of the element under the pointer, beside it."""
    if scene.card is None or scene.hovered is None:
        return
    cell = scene.cell(*scene.hovered)
    if cell is None:
        return
    card, theme, window = scene.card, looks.theme, scene.window
    hazard_lines = _wrapped(card.hazard, CARD_WIDTH - 24) if card.hazard else []
    rows = _card_rows(card.lines)
    height = 34 + len(rows) * CARD_LINE + len(hazard_lines) * CARD_LINE + (16 if card.evidence else 0) + 4
    x = cell.right + 14 if cell.right + 14 + CARD_WIDTH < window.right else cell.x - 14 - CARD_WIDTH
    x = min(max(x, 8.0), window.right - CARD_WIDTH - 8)
    y = min(max(cell.middle_y - height / 2, 8.0), max(window.bottom - height - FOOT - 4, 8.0))
    _panel(painter, looks, Box(x, y, CARD_WIDTH, height))
    painter.setFont(figures(NORMAL, QFont.Weight.Bold))
    is_matrix = scene.place(scene.hovered[0]) is None
    painter.setPen(looks.colour(scene.hovered[0]) if is_matrix else QColor(theme.text))
    painter.drawText(QRectF(x + 12, y + 6, CARD_WIDTH - 24, 22), _LEFT, card.title)
    y += 32
    for name, figure in rows:
        painter.setFont(words(SMALL))
        painter.setPen(QColor(theme.muted))
        painter.drawText(QRectF(x + 12, y, CARD_WIDTH - 24, CARD_LINE), _LEFT, name)
        painter.setFont(figures(SMALL))
        painter.setPen(QColor(theme.text))
        painter.drawText(QRectF(x + 12, y, CARD_WIDTH - 24, CARD_LINE), _RIGHT, figure)
        y += CARD_LINE
    painter.setFont(words(SMALL, QFont.Weight.DemiBold))
    painter.setPen(QColor(theme.hazard))
    for line in hazard_lines:
        painter.drawText(QRectF(x + 12, y, CARD_WIDTH - 24, CARD_LINE), _LEFT, line)
        y += CARD_LINE
    painter.setFont(words(SMALL))
    painter.setPen(QColor(theme.faint))
    painter.drawText(QRectF(x + 12, y, CARD_WIDTH - 24, 14), _RIGHT, card.evidence)


def _card_rows(lines: tuple[tuple[str, str], ...]) -> list[tuple[str, str]]:
    """A line whose two parts do not fit beside each other takes two."""
    left, right = QFontMetricsF(words(SMALL)), QFontMetricsF(figures(SMALL))
    rows = []
    for name, figure in lines:
        if left.horizontalAdvance(name) + right.horizontalAdvance(figure) + 12 > CARD_WIDTH - 24:
            rows += [(name, ""), ("", figure)]
        else:
            rows.append((name, figure))
    return rows


def draw_sums(painter: QPainter, scene: Scene, looks: Looks, lines: tuple[tuple[str, str], ...], head: str) -> None:
    """The sums of a thread, term by term, in the space beside A."""
    if not lines:
        return
    theme, window = looks.theme, scene.window
    place = sums_place(scene, len(lines))
    _panel(painter, looks, place)
    painter.setFont(words(SMALL, QFont.Weight.Bold))
    painter.setPen(QColor(theme.muted))
    painter.drawText(QRectF(place.x + 12, place.y + 6, place.width - 24, 18), _LEFT, head)
    y = place.y + 28
    for left, right in lines:
        if y > window.bottom - FOOT - 18:
            break
        painter.setFont(figures(SMALL))
        painter.setPen(QColor(theme.text))
        painter.drawText(QRectF(place.x + 12, y, place.width - 24, 16), _LEFT, left)
        painter.setPen(QColor(theme.c))
        painter.drawText(QRectF(place.x + 12, y, place.width - 24, 16), _RIGHT, right)
        y += 16


def sums_place(scene: Scene, lines: int) -> Box:
    """Left of A where there is room, else right of C, else over the lower left corner."""
    width, height = 272.0, 36.0 + 16.0 * lines
    stage, window = scene.stage, scene.window
    y = min(stage.a.y, max(window.bottom - FOOT - height - 4, 8.0))
    if stage.a.x - 16 - width >= 8:
        return Box(stage.a.x - 16 - width, y, width, height)
    if stage.c.right + 16 + width <= window.right - 8:
        return Box(stage.c.right + 16, y, width, height)
    return Box(8, max(window.bottom - FOOT - height - 4, 8.0), width, height)


def overview_box(scene: Scene) -> Box:
    """Where the overview stands: at the lower right, in the window's proportions."""
    window = scene.window
    height = OVERVIEW * window.height / max(window.width, 1.0)
    return Box(window.right - OVERVIEW - 12, window.bottom - FOOT - height - 8, OVERVIEW, height)


def draw_overview(painter: QPainter, scene: Scene, looks: Looks) -> None:
    """The whole stage, small, with a frame around what is seen."""
    if not scene.overview or scene.camera.shows_all:
        return
    place, theme, window = overview_box(scene), looks.theme, scene.window
    _panel(painter, looks, place)
    scale = place.width / window.width

    def small(box: Box) -> QRectF:
        return QRectF(place.x + box.x * scale, place.y + box.y * scale, box.width * scale, box.height * scale)

    for name, box in (("A", scene.stage.a), ("B", scene.stage.b), ("C", scene.stage.c)):
        painter.fillRect(small(box), QColor(blend(theme.panel, looks.colour(name).name(), 0.4)))
    for shared in scene.places:
        painter.fillRect(small(shared.box), QColor(blend(theme.panel, theme.reference, 0.5)))
    painter.setPen(QPen(QColor(theme.text), 1.4))
    seen = scene.camera.looked_at(window)
    painter.drawRect(small(seen))


def _panel(painter: QPainter, looks: Looks, box: Box) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(looks.theme.line), 1.0))
    painter.setBrush(QColor(looks.theme.panel))
    painter.drawRoundedRect(rect(box).adjusted(0.5, 0.5, -0.5, -0.5), 4.0, 4.0)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)


def _wrapped(text: str, width: float) -> list[str]:
    """Lines of words that fit a width."""
    metrics = QFontMetricsF(words(SMALL, QFont.Weight.DemiBold))
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if metrics.horizontalAdvance(longer) > width and lines[-1]:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
