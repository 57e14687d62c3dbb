"""What the player can be told from the menus and the keyboard."""

from __future__ import annotations

from gemmviz.gui.commands.actions import ActionSpec

PLAY = "Play"
"""The section of all of them."""

PLAY_ACTIONS = (
    ActionSpec("playAction", PLAY, "&Play or pause", ("Space",), "run", "Play the recording, or pause it"),
    ActionSpec("stepBackAction", PLAY, "Step &back", (",",), "step-back", "One frame back", new_part=True),
    ActionSpec("stepForwardAction", PLAY, "Step &forward", (".",), "step-forward", "One frame forward"),
    ActionSpec("firstFrameAction", PLAY, "F&irst frame", ("Home",), "", "Go to the first frame"),
    ActionSpec("lastFrameAction", PLAY, "&Last frame", ("End",), "", "Go to the last frame"),
    ActionSpec("loopAction", PLAY, "L&oop", (), "loop", "Start again after the last frame", new_part=True),
)
"""Keys without Ctrl belong to the control that has the focus, if it uses them: see `KeyGuard`."""
