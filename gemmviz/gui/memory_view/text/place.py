"""The last line of the picture, the same in every frame: where and when it was recorded, and what is not to scale."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gemmviz.domain.device import Device, DeviceKind
from gemmviz.domain.places import place_words
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.gui.memory_view.paint.looks import Face, Looks
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.places.legend import APART, LEGEND_HEIGHT, STRIP_HEIGHT
from gemmviz.gui.memory_view.places.matrix_layout import MARGIN
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.text.text_item import LineSide, TextItem, text_in

BELOW = 4.0
"""Pixels between that line and the edge of the window."""

EMULATED, ON_CPU = (
    "recorded while a CPU executed the GPU code of the kernel",
    "recorded while a CPU executed the kernel",
)
NEARER = "Zoom in to see the numbers", "Zoom in for numbers"


def words_of_place(scene: Scene, looks: Looks) -> tuple[TextItem, ...]:
    """Device, driver and day at the left, as much as has room, and at the right the longest note on the scale that fits
    beside it; else how to see the numbers of elements. A picture whose device is named elsewhere has the note
    alone.
    """
    window, notes = scene.window, scene.layout.notes
    hints = NEARER if scene.notes.can_zoom and not scene.shows_numbers else ()
    line = Box(
        MARGIN,
        window.bottom - STRIP_HEIGHT + LEGEND_HEIGHT,
        window.width - 2 * MARGIN,
        STRIP_HEIGHT - LEGEND_HEIGHT - BELOW,
    )
    least = looks.width(notes[-1], Face.SMALL) + APART if notes else 0.0
    labels = list(_labels(scene)) if scene.notes.names_device else []
    said = next(
        (label for label in labels if looks.width(label, Face.SMALL) <= line.width - least),
        labels[-1] if labels else "",
    )
    found = []
    if said:
        room = replace(line, width=max(line.width - least, 0.0))
        found.append(text_in(looks, said, room, Face.SMALL, looks.theme.muted))
    left = line.width - (found[0].box.width + APART if found else 0.0)
    note = next((note for note in (notes or hints) if looks.width(note, Face.SMALL) <= left), "")
    if note:
        found.append(text_in(looks, note, line, Face.SMALL, looks.theme.muted, LineSide.RIGHT))
    return tuple(found)


def _labels(scene: Scene) -> Iterator[str]:
    """Where it was recorded, in less and less room."""
    device, day = scene.run.device, scene.run.finished
    if scene.notes.is_in_lesson:
        yield from lesson_labels(scene.run)
        return
    for place in (
        place_words(device, day),
        place_words(replace(device, driver=""), day),
        place_words(device),
        place_words(replace(device, driver="")),
    ):
        yield f"{scene.run.recorded_words} on {place}"
    yield from _shortest(device)


def _shortest(device: Device) -> tuple[str, str]:
    """What executed a kernel, for where there is hardly room: "recorded on H200", "H200"."""
    name = f"the {device.short_name}" if device.is_emulated else device.short_name
    return f"recorded on {'a CPU' if _is_usual_cpu(device) else name}", device.short_name


def _is_usual_cpu(device: Device) -> bool:
    return device.kind is DeviceKind.CPU and not device.is_emulated


def lesson_labels(run: TraceRun) -> tuple[str, ...]:
    """Where a recording of a lesson was made, in less and less room: what executed the kernel, not its driver."""
    device = run.device
    on_device = ON_CPU if device.kind is DeviceKind.CPU else f"recorded on {device.name}"
    said, day = EMULATED if device.is_emulated else on_device, run.finished[:10]
    short = "recorded on a CPU" if device.kind is DeviceKind.CPU else f"recorded on {device.short_name}"
    return f"{said}, {day}", f"{short}, {day}", short
