"""A colour and a shape for every role in a chart, so that none is told by its colour alone. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gemmviz.explain.figures.figure import Look, Tone
from gemmviz.gui.looks.theme import Theme

Colour = Callable[[Theme], str]


@dataclass(frozen=True, slots=True)
class Style:
    """How a role is painted: its colour, the symbol of its dots (pyqtgraph's letters), filled or only outlined."""

    colour: Colour
    symbol: str = "o"
    filled: bool = True
    size: float = 10.0
    is_half_filled: bool = False
    """Outlined, its left half filled."""


STYLES: dict[Look, Style] = {
    Look.GPU: Style(lambda theme: theme.accent, "o"),
    Look.GPU_WAITED: Style(lambda theme: theme.accent, "o", filled=False, size=9.0),
    Look.CPU: Style(lambda theme: theme.host, "s", size=9.5),
    Look.CPU_WAITED: Style(lambda theme: theme.host, "s", filled=False, size=8.5),
    Look.MOVED_IN: Style(lambda theme: theme.reference, "t2"),
    Look.MOVED_OUT: Style(lambda theme: theme.reference, "t3", filled=False, size=8.5),
    Look.WAITING: Style(lambda theme: theme.b, "s"),
    Look.WHOLE: Style(lambda theme: theme.text, "d", size=8.0),
    Look.ASKED: Style(lambda theme: theme.reference),
    Look.MOVED: Style(lambda theme: theme.accent),
    Look.IDEAL: Style(lambda theme: theme.text, filled=False),
    Look.BOUND: Style(lambda theme: theme.text),
    Look.WRONG: Style(lambda theme: theme.hazard, "x", size=12.0),
    Look.WRONG_WAITED: Style(lambda theme: theme.hazard, "o", filled=False, size=8.5),
    Look.BEST: Style(lambda theme: theme.accent, "star", size=16.0),
    Look.OPEN: Style(lambda theme: theme.text, "d", filled=False, size=12.0),
    Look.SLOWER: Style(lambda theme: theme.reference, "o"),
    Look.SAMPLE: Style(lambda theme: theme.accent, "o", size=4.5),
    Look.CPU_SAMPLE: Style(lambda theme: theme.host, "s", size=4.0),
    Look.HELD_SAMPLE: Style(lambda theme: theme.hazard, "o", filled=False, size=6.5),
    Look.PINNED_IN: Style(lambda theme: theme.good, "t2"),
    Look.PINNED_KERNEL: Style(lambda theme: theme.accent),
    Look.PINNED_WAITING: Style(lambda theme: theme.b, "s"),
    Look.PINNED_OUT: Style(lambda theme: theme.good, "t3", filled=False, size=8.5),
    Look.ROOF: Style(lambda theme: theme.text),
    Look.SPOKEN_OF: Style(lambda theme: theme.accent),
    Look.COMPARED: Style(lambda theme: theme.reference, "s"),
    Look.AT_IDEAL: Style(lambda theme: theme.text, "o", filled=False, size=8.0),
    Look.AT_RECORDED: Style(lambda theme: theme.text, "o"),
    Look.AT_ESTIMATED: Style(lambda theme: theme.text, "o", is_half_filled=True),
    Look.TF32: Style(lambda theme: theme.accent, "d", size=12.0),
    Look.TF32X3: Style(lambda theme: theme.accent, "t", size=11.0),
    Look.BF16: Style(lambda theme: theme.accent, "t1", size=11.0),
    Look.QUIET: Style(lambda theme: theme.reference, "o", filled=False, size=6.0),
}

HOLLOW_BAR_ALPHA = 0.16
"""How much of its colour an outlined bar keeps inside."""
_HOLLOW_BARS = frozenset({Look.CPU, Look.WRONG})


def is_hollow_bar(look: Look) -> bool:
    """Whether the bars of a role are only outlined."""
    return look in _HOLLOW_BARS or not STYLES[look].filled


def tone_colour(tone: Tone, theme: Theme) -> str:
    """The colour of a row's figure."""
    return {Tone.WRONG: theme.hazard, Tone.OPEN: theme.muted}.get(tone, theme.text)


def note_colour(tone: Tone, theme: Theme) -> str:
    """The colour of the words below a row's figure."""
    return {Tone.WRONG: theme.hazard, Tone.GOOD: theme.good}.get(tone, theme.muted)
