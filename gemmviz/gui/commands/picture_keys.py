"""What keys and the mouse do on pictures: no actions, because they belong to the picture that has the focus."""

from __future__ import annotations

from gemmviz.gui.commands.commands import Command

PRESENTATION, LESSON = "Presentation", "Lesson"
MEMORY, REQUEST, TIMELINE = "Picture of memory", "Banks and Sectors", "Timeline of a schedule"
PICTURE_KEYS = (
    Command(MEMORY, "Zoom", ("Wheel", "+", "−")),
    Command(MEMORY, "Move", ("Drag", "Arrow keys")),
    Command(MEMORY, "Show all of it", ("0",)),
    Command(MEMORY, "Enlarge an array, or show all again", ("Double-click",)),
    Command(MEMORY, "Choose an element", ("Click", "Shift+arrow keys")),
    Command(MEMORY, "See another block at work", ("Click a block of C",)),
    Command(REQUEST, "Another request of the access, with the focus in the view", ("↑", "↓")),
    Command(REQUEST, "Another access, wherever the focus is while the view is in front", ("A", "Shift+A")),
    Command(REQUEST, "The costliest request, likewise", ("C",)),
    Command(REQUEST, "Banks alone, likewise: more, less padding", ("P", "Shift+P")),
    Command(REQUEST, "Banks alone, likewise: the next swizzle", ("S",)),
    Command(TIMELINE, "Zoom the time", ("Ctrl+Wheel", "+", "−")),
    Command(TIMELINE, "Zoom the rows", ("Shift+Wheel",)),
    Command(TIMELINE, "Move", ("Drag",)),
    Command(TIMELINE, "Show all of it", ("Double-click", "0")),
    Command(TIMELINE, "From block to block", ("Arrow keys",)),
)
PRESENTATION_KEYS = (
    Command(PRESENTATION, "Leave", ("Esc", "F11")),
    Command(PRESENTATION, "Play or pause", ("Space",)),
    Command(PRESENTATION, "Next frame, or next view of a page", ("→", "PgDown")),
    Command(PRESENTATION, "Previous frame, or view", ("←", "PgUp")),
    Command(PRESENTATION, "Exchange the left and the right picture", ("X",)),
    Command(PRESENTATION, "Choose the rows of a chart", ("R",)),
    Command(PRESENTATION, "Back to the lesson that filled a chart", ("B",)),
    Command(PRESENTATION, "All notes of a chart", ("N", "Click near the bottom")),
    Command(PRESENTATION, "First, last frame", ("Home", "End")),
    Command(PRESENTATION, "Faster, slower", ("↑", "↓")),
    Command(PRESENTATION, "Zoom, or speed of a request", ("+", "−")),
    Command(PRESENTATION, "Show all of the picture", ("0",)),
    Command(PRESENTATION, "Animation, banks, sectors of the frame", ("1", "2", "3")),
)
LESSON_KEYS = (
    Command(LESSON, "Next step, or lesson", ("→", "Enter")),
    Command(LESSON, "Previous step", ("←", "Backspace")),
    Command(LESSON, "Play or pause", ("Space",)),
    Command(LESSON, "Next, previous frame", (".", ",")),
    Command(LESSON, "Answer a question", ("A … I",)),
    Command(LESSON, "Choose in the picture", ("1 … 9",)),
    Command(LESSON, "Begin again", ("Home",)),
    Command(LESSON, "Full screen, or leave it", ("F11",)),
    Command(LESSON, "Leave the whole screen, then the lesson", ("Esc",)),
)


def keys_beside(own: str) -> tuple[tuple[Command, ...], tuple[Command, ...]]:
    """The keys that are no action's: those to be listed before the actions, of `own`, and those to be listed after."""
    first = {PRESENTATION: PRESENTATION_KEYS, LESSON: LESSON_KEYS}.get(own, ())
    return first, tuple(key for key in (*PICTURE_KEYS, *PRESENTATION_KEYS, *LESSON_KEYS) if key not in first)
