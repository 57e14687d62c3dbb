"""The colours of a source: every word reads on everything that may lie behind it."""

from __future__ import annotations

import pytest

from gemmviz.explain.source.tokens import TokenKind
from gemmviz.gui.looks.theme import DARK, LIGHT, Theme
from gemmviz.gui.source.highlight import ground, grounds, hatch, heat, word_colour

BOTH = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    """WCAG 2.2."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@BOTH
def test_that_every_word_reads_on_every_ground(theme: Theme) -> None:
    assert len(grounds(theme)) == 4
    assert theme.panel in grounds(theme)
    pairs = {(kind, under): contrast(word_colour(kind, theme), under) for kind in TokenKind for under in grounds(theme)}
    assert {pair: round(ratio, 2) for pair, ratio in pairs.items() if ratio < 4.5} == {}


@BOTH
def test_that_figures_read_on_their_bars_and_hatch(theme: Theme) -> None:
    behind = [heat(theme, under) for under in grounds(theme)] + [hatch(theme)]
    low = {colour: contrast(theme.text, colour) for colour in behind}
    assert {colour: round(ratio, 2) for colour, ratio in low.items() if ratio < 4.5} == {}


@BOTH
def test_that_kinds_of_words_differ(theme: Theme) -> None:
    alike = {TokenKind.PREPROCESSOR, TokenKind.BUILTIN}
    colours = {kind: word_colour(kind, theme) for kind in TokenKind if kind not in alike}
    assert len(set(colours.values())) == len(colours)


@BOTH
def test_that_a_line_that_runs_and_a_chosen_one_look_different(theme: Theme) -> None:
    assert ground(theme, True, False) == theme.selected
    assert len({ground(theme, runs, chosen) for runs in (True, False) for chosen in (True, False)}) == 4
    assert heat(theme, theme.panel) != theme.panel
