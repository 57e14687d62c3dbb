"""Paints a scene on anything: a widget, an image, an SVG."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtGui import QColor, QPainter

from gemmviz.gui.memory_view.paint.cells import rect
from gemmviz.gui.memory_view.paint.connectors import draw_leads
from gemmviz.gui.memory_view.paint.device_pixels import pixels_of_unit
from gemmviz.gui.memory_view.paint.figures import draw_figures
from gemmviz.gui.memory_view.paint.legend import draw_legend
from gemmviz.gui.memory_view.paint.looks import Looks
from gemmviz.gui.memory_view.paint.matrices import draw_matrices
from gemmviz.gui.memory_view.paint.number_room import numbers_of
from gemmviz.gui.memory_view.paint.onchip import draw_onchip, draw_panels, draw_sheet
from gemmviz.gui.memory_view.paint.over import (
    draw_example,
    draw_factors_now,
    draw_hazard_signs,
    draw_hazards,
    draw_marks,
    draw_spots,
    draw_tags,
)
from gemmviz.gui.memory_view.paint.panels import draw_overview, draw_panel
from gemmviz.gui.memory_view.paint.tiles import draw_tiles
from gemmviz.gui.memory_view.paint.tree import draw_tree
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.text.card_place import place_card
from gemmviz.gui.memory_view.text.stepped_back import Flights, flights_of
from gemmviz.gui.memory_view.text.text_item import draw_text_items
from gemmviz.gui.memory_view.text.text_layer import text_layer


def paint_scene(painter: QPainter, scene: Scene, looks: Looks) -> None:
    """All of it, from the back to the front."""
    paint_moving(painter, scene, looks, paint_still(painter, scene, looks))


def paint_still(painter: QPainter, scene: Scene, looks: Looks) -> Flights:
    """All below the tiles that are on their way, which is the same as long as `still_key` of the scene is; their ways,
    with the texts that step back for them and are painted with them.
    """
    painter.fillRect(rect(scene.window), QColor(looks.theme.canvas))
    scene = _with_numbers(painter, scene)
    draw_matrices(painter, scene, looks)
    draw_panels(painter, scene, looks)
    draw_leads(painter, scene, looks)
    draw_onchip(painter, scene, looks)
    if scene.shows_tree:
        draw_tree(painter, scene, looks)
    draw_spots(painter, scene, looks)
    signs = draw_hazards(painter, scene, looks)
    draw_example(painter, scene, looks)  # over the ground of the hatching
    draw_marks(painter, scene, looks)
    whole = text_layer(scene, looks)
    flights = replace(flights_of(scene, looks, whole), signs=signs)
    written = whole.without(flights.items)
    draw_text_items(painter, written.words, looks)
    draw_figures(painter, written.figures, looks)
    if written.sums is not None:
        if written.sums.is_sheet:
            draw_sheet(painter, looks, written.sums.box)
        draw_text_items(painter, written.sums.words, looks)
    draw_legend(painter, scene, looks, written.legend)
    draw_text_items(painter, written.place, looks)
    return flights


def paint_moving(painter: QPainter, scene: Scene, looks: Looks, flights: Flights) -> None:
    """The factors that the thread is at, the tiles that are on their way with the texts that step back for them, and
    what lies above them.
    """
    scene = _with_numbers(painter, scene)
    for text in flights.texts:
        painter.setOpacity(text.opacity(scene.arrival))
        draw_text_items(painter, (text.item,), looks)
    painter.setOpacity(1.0)
    draw_factors_now(painter, scene, looks)
    draw_tags(painter, scene, looks)
    draw_tiles(painter, scene, looks, flights.paths)
    draw_hazard_signs(painter, flights.signs, looks)  # nothing crosses what is wrong
    draw_overview(painter, scene, looks)
    card = place_card(scene, looks)
    if card is not None:
        draw_panel(painter, looks, card.box)
        draw_text_items(painter, card.words, looks)


def _with_numbers(painter: QPainter, scene: Scene) -> Scene:
    return replace(scene, numbers=numbers_of(scene, pixels_of_unit(painter)))
