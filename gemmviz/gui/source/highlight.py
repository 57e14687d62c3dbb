"""The colours of a source, derived from a theme: the words, what lies behind them, the bars behind figures. No Qt."""

from __future__ import annotations

from gemmviz.explain.source.tokens import TokenKind
from gemmviz.gui.looks.theme import Theme, blend

HEAT = 0.30
"""How much of the accent shows in the bar behind a figure."""


def word_colour(kind: TokenKind, theme: Theme) -> str:
    """The colour of a word; 4.5:1 on every ground of `grounds` (tested). Code stays near the colour of text."""
    match kind:
        case TokenKind.COMMENT:
            return theme.muted
        case TokenKind.KEYWORD:
            return blend(theme.text, theme.accent, 0.75)
        case TokenKind.TYPE:
            return blend(theme.text, theme.accent, 0.55)
        case TokenKind.PREPROCESSOR | TokenKind.BUILTIN:
            return blend(theme.text, theme.host, 0.75)
        case TokenKind.NUMBER:
            return blend(theme.text, theme.c, 0.8)
        case TokenKind.STRING:
            return blend(theme.text, theme.b, 0.4)
    return theme.text


def ground(theme: Theme, is_running: bool, is_chosen: bool) -> str:
    """What lies behind a line: the pale accent where it runs, a grey where it is chosen."""
    under = theme.selected if is_running else theme.panel
    return blend(under, theme.text, 0.04 if is_running else 0.07) if is_chosen else under


def heat(theme: Theme, under: str) -> str:
    """The bar behind a figure that lies on `under`."""
    return blend(under, theme.accent, HEAT)


def hatch(theme: Theme) -> str:
    """The lines over a line with a hazard."""
    return blend(theme.panel, theme.hazard, 0.36)


def grounds(theme: Theme) -> tuple[str, ...]:
    """Every colour that may lie behind words."""
    return tuple(dict.fromkeys(ground(theme, running, chosen) for running in (False, True) for chosen in (False, True)))
