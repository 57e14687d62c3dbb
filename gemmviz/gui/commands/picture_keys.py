"""What keys and the mouse do on pictures: no actions, because they belong to the picture that has the focus."""

from __future__ import annotations

from gemmviz.gui.commands.commands import Command

MEMORY, REQUEST, TIMELINE = "Picture of memory", "Banks and Sectors", "Timeline of a schedule"
PICTURE_KEYS = (
    Command(MEMORY, "Zoom", ("Wheel", "+", "−")),
    Command(MEMORY, "Move", ("Drag", "Arrow keys")),
    Command(MEMORY, "Show all of it", ("0",)),
    Command(MEMORY, "Enlarge an array, or show all again", ("Double-click",)),
    Command(MEMORY, "Choose an element", ("Click", "Shift+arrow keys")),
    Command(MEMORY, "See another block at work", ("Click a block of C",)),
    Command(REQUEST, "Another request of the access", ("↑", "↓")),
    Command(REQUEST, "Another access", ("A", "Shift+A")),
    Command(REQUEST, "The costliest request", ("C",)),
    Command(REQUEST, "Padding: more, less", ("P", "Shift+P")),
    Command(REQUEST, "The next swizzle", ("S",)),
    Command(TIMELINE, "Zoom the time", ("Ctrl+Wheel", "+", "−")),
    Command(TIMELINE, "Zoom the rows", ("Shift+Wheel",)),
    Command(TIMELINE, "Move", ("Drag",)),
    Command(TIMELINE, "Show all of it", ("Double-click", "0")),
    Command(TIMELINE, "From block to block", ("Arrow keys",)),
)
