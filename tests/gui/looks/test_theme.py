"""The colours: that they read, and that people with any common colour blindness tell them apart."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from gemmviz.gui.looks.style_sheet import shades
from gemmviz.gui.looks.theme import DARK, LIGHT, WORDS_CONTRAST, Theme, ThemeChoice, blend, ink_on, theme_for
from gemmviz.gui.memory_view.paint.looks import CLEAR, looks_of, pale

Array = NDArray[np.float64]

GROUNDS = ("window", "panel", "canvas", "field")
NEVER_TOGETHER = ({"a", "accent"},)
"""The accent is the blue of A by design; no picture uses both for different things."""
LEAST_DIFFERENCE = 9.0
"""CIEDE2000. Two is just seen side by side; nine is seen across a chart."""

# Machado, Oliveira, Fernandes: A Physiologically-based Model for Simulation of Color Vision Deficiency, IEEE TVCG
# 2009; severity 1.0, on linear RGB.
SIGHT = {
    "common": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}


def linear(colour: str) -> Array:
    values = np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    """WCAG 2.2."""
    low, high = sorted(float(linear(colour) @ [0.2126, 0.7152, 0.0722]) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


def lab(rgb: Array) -> Array:
    """CIE L*a*b* of linear sRGB, white D65."""
    to_xyz = np.array(
        [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
    )
    ratio = to_xyz @ np.clip(rgb, 0, 1) / np.array([0.95047, 1.0, 1.08883])
    f = np.where(ratio > 216 / 24389, np.cbrt(ratio), (24389 / 27 * ratio + 16) / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def ciede2000(one: Array, other: Array) -> float:
    """Sharma, Wu, Dalal: The CIEDE2000 Color-Difference Formula (2005), equations 2 to 22."""
    mean = (np.hypot(*one[1:]) + np.hypot(*other[1:])) / 2
    g = 0.5 * (1 - np.sqrt(mean**7 / (mean**7 + 25.0**7)))
    (l1, a1, b1), (l2, a2, b2) = one * [1, 1 + g, 1], other * [1, 1 + g, 1]
    c1, c2 = np.hypot(a1, b1), np.hypot(a2, b2)
    h1, h2 = np.degrees(np.arctan2(b1, a1)) % 360, np.degrees(np.arctan2(b2, a2)) % 360
    turn = 0.0 if c1 * c2 == 0 else (h2 - h1 + 180) % 360 - 180
    dh = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn) / 2)
    l, c, h = (l1 + l2) / 2, (c1 + c2) / 2, h1 + turn / 2 if c1 * c2 else h1 + h2  # noqa: E741
    t = (
        1
        - 0.17 * np.cos(np.radians(h - 30))
        + 0.24 * np.cos(np.radians(2 * h))
        + 0.32 * np.cos(np.radians(3 * h + 6))
        - 0.20 * np.cos(np.radians(4 * h - 63))
    )
    rotation = np.sin(np.radians(60 * np.exp(-(((h % 360 - 275) / 25) ** 2))))
    rc = -2 * np.sqrt(c**7 / (c**7 + 25.0**7)) * rotation
    x = (l2 - l1) / (1 + 0.015 * (l - 50) ** 2 / np.sqrt(20 + (l - 50) ** 2))
    y, z = (c2 - c1) / (1 + 0.045 * c), dh / (1 + 0.015 * c * t)
    return float(np.sqrt(x * x + y * y + z * z + rc * y * z))


@pytest.mark.parametrize(
    ("one", "other", "difference"),
    [
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, 2.5, 0), (58, 24, 15), 19.4535),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_that_the_difference_is_that_of_the_published_examples(
    one: tuple[float, ...], other: tuple[float, ...], difference: float
) -> None:
    assert ciede2000(np.array(one), np.array(other)) == pytest.approx(difference, abs=1e-4)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_that_words_read_on_every_ground(theme: Theme) -> None:
    tints = {name: shade for name, shade in shades(theme).items() if "tint" in name or name in ("hover", "stripe")}
    grounds = {name: getattr(theme, name) for name in (*GROUNDS, "selected")} | tints
    worst = {
        (word, name): round(contrast(getattr(theme, word), ground), 2)
        for word in ("text", "muted")
        for name, ground in grounds.items()
    }
    assert {pair: ratio for pair, ratio in worst.items() if ratio < 4.5} == {}


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_that_coloured_words_read_where_they_stand(theme: Theme) -> None:
    tints = shades(theme)
    pairs = [(role, getattr(theme, ground)) for role in ("accent", "hazard", "good", "a", "c") for ground in GROUNDS]
    pairs += [("accent", tints[name]) for name in ("hover", "tint", "info_tint", "warning_tint", "error_tint")]
    pairs += [("on_accent", theme.accent), ("on_accent", tints["accent_hover"]), ("on_accent", tints["accent_pressed"])]
    low = {(role, ground): round(contrast(getattr(theme, role), ground), 2) for role, ground in pairs}
    assert {pair: ratio for pair, ratio in low.items() if ratio < 4.5} == {}


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_that_words_in_the_colour_of_a_matrix_read_where_they_stand(theme: Theme) -> None:
    pairs = [(name, getattr(theme, ground)) for name in "ABCD" for ground in ("window", "panel", "canvas")]
    low = {(name, ground): contrast(looks_of(theme).words_colour(name), ground) for name, ground in pairs}
    assert {pair: round(ratio, 2) for pair, ratio in low.items() if ratio < WORDS_CONTRAST} == {}


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_that_values_read_on_every_colour_that_a_cell_can_have(theme: Theme) -> None:
    looks = looks_of(theme)
    tables = {**looks.matrix, "shared": looks.shared, "heat": looks.heat, "sums": looks.sums}
    grounds = {f"#{colour & 0xFFFFFF:06x}": colour for table in tables.values() for colour in table.tolist() if colour}
    assert len(grounds) > 20
    low = {ground: contrast(looks.ink_on(colour).name(), ground) for ground, colour in grounds.items()}
    assert {ground: round(ratio, 2) for ground, ratio in low.items() if ratio < WORDS_CONTRAST} == {}
    assert looks.ink_on(CLEAR).name() == theme.text


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_that_ink_is_the_themes_own_where_that_reads(theme: Theme) -> None:
    assert ink_on(theme, theme.panel) == theme.text
    assert ink_on(theme, theme.accent) == theme.on_accent
    between = {ink_on(theme, blend(theme.text, theme.on_accent, step / 50)) for step in range(51)}
    assert {theme.text, theme.on_accent} <= between
    greys = [f"#{grey:02x}{grey:02x}{grey:02x}" for grey in range(256)]
    assert min(contrast(ink_on(theme, grey), grey) for grey in greys) >= WORDS_CONTRAST


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_that_areas_and_lines_that_mean_something_are_seen(theme: Theme) -> None:
    outlines = {g: contrast(theme.outline, getattr(theme, g)) for g in ("field", "canvas", "panel")}
    assert {g: round(ratio, 2) for g, ratio in outlines.items() if ratio < 3.0} == {}
    roles = ("faint", "a", "b", "c", "host", "hazard", "accent", "reference")
    low = {
        (role, g): contrast(getattr(theme, role), getattr(theme, g)) for role in roles for g in (*GROUNDS, "selected")
    }
    assert {pair: round(ratio, 2) for pair, ratio in low.items() if ratio < 2.995} == {}


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_that_grid_lines_of_charts_are_seen_but_fainter_than_all_that_means_something(theme: Theme) -> None:
    seen = contrast(theme.grid, theme.canvas)
    assert seen >= (1.5 if theme.dark else 1.15), "a dark ground hides more"
    assert seen < contrast(theme.faint, theme.canvas)


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_that_roles_are_told_apart_by_any_eye(theme: Theme, sight: str) -> None:
    seen = {
        role: lab(SIGHT[sight] @ linear(getattr(theme, role)))
        for role in ("a", "b", "c", "host", "hazard", "accent", "reference")
    }
    near = {
        (one, other): round(ciede2000(seen[one], seen[other]), 1)
        for one, other in combinations(seen, 2)
        if {one, other} not in NEVER_TOGETHER
    }
    assert {pair: distance for pair, distance in near.items() if distance < LEAST_DIFFERENCE} == {}


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_that_the_frame_around_what_a_text_speaks_of_is_taken_for_no_matrix(theme: Theme) -> None:
    assert theme.spot not in {theme.a, theme.b, theme.c, theme.hazard}
    assert min(contrast(theme.spot, ground) for ground in (theme.panel, theme.canvas, theme.field)) >= 3.0


def test_that_a_choice_stands_for_a_theme() -> None:
    assert [theme_for(choice, dark).name for choice in ThemeChoice for dark in (False, True)] == [
        "light",
        "light",
        "dark",
        "dark",
        "light",
        "dark",
    ]


def test_that_a_blend_goes_from_one_colour_to_the_other() -> None:
    assert [blend("#000000", "#ff8040", part) for part in (0, 0.5, 1)] == ["#000000", "#804020", "#ff8040"]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_that_what_was_touched_before_stands_out_from_its_ground_but_not_as_much_as_now(theme: Theme) -> None:
    for colour in (theme.a, theme.b, theme.c):
        before = contrast(blend(theme.field, colour, pale(theme)), theme.field)
        assert 1.35 < before < contrast(colour, theme.field) / 1.5


def test_that_a_sum_is_told_from_an_empty_cell_on_a_dark_ground_from_its_first_product_on() -> None:
    sums = [f"#{colour & 0xFFFFFF:06x}" for colour in looks_of(DARK).sums.tolist()]
    seen = [contrast(colour, DARK.field) for colour in sums[1:]]
    assert seen[0] > 1.8
    assert seen == sorted(seen)
    assert seen[-1] > 1.5 * seen[-2], "a stored sum stands out from one that is not yet stored"
