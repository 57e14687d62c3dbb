"""The icons: one grid, one stroke, the theme's colour, crisp on any screen."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QIcon, QImage

from gemmviz.gui.layout.action_table import ACTIONS
from gemmviz.gui.looks.icons import APPLICATION_SIZES, application_icon, icon, icon_names, icon_pixmap
from gemmviz.gui.looks.theme import DARK, LIGHT, Theme
from gemmviz.resources import resource_folder

FOLDER = resource_folder("assets") / "icons"


def ink(image: QImage) -> dict[str, int]:
    """How often each opaque colour occurs."""
    found: dict[str, int] = {}
    for y in range(image.height()):
        for x in range(image.width()):
            colour = QColor.fromRgba(image.pixel(x, y))
            if colour.alpha() > 250:
                found[colour.name()] = found.get(colour.name(), 0) + 1
    return found


@pytest.mark.parametrize("name", icon_names())
def test_that_line_icons_share_grid_stroke_and_colour(name: str) -> None:
    text = (FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    assert 'viewBox="0 0 16 16"' in text
    assert 'stroke="currentColor"' in text
    assert re.findall(r'stroke-width="([^"]+)"', text) == ["1.5"]
    assert re.search(r"#[0-9a-fA-F]{3}", text) is None


@pytest.mark.parametrize("name", icon_names())
def test_that_an_icon_stays_inside_its_grid(name: str) -> None:
    image = icon_pixmap(name, "#000000", 64, 1.0).toImage()
    edge = [(x, y) for x in range(64) for y in range(64) if x in (0, 63) or y in (0, 63)]
    assert [at for at in edge if image.pixelColor(*at).alpha() > 8] == []
    assert sum(ink(image).values()) > 20


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_that_an_icon_is_in_the_themes_colours(theme: Theme) -> None:
    made = icon("stop", theme)
    shades = {
        mode: ink(made.pixmap(QSize(48, 48), mode).toImage()) for mode in (QIcon.Mode.Normal, QIcon.Mode.Disabled)
    }
    assert max(shades[QIcon.Mode.Normal], key=shades[QIcon.Mode.Normal].__getitem__) == theme.text
    assert max(shades[QIcon.Mode.Disabled], key=shades[QIcon.Mode.Disabled].__getitem__) == theme.faint
    assert set(ink(icon("stop", theme, theme.hazard).pixmap(QSize(48, 48)).toImage())) == {theme.hazard}


def test_that_a_dense_screen_gets_as_many_pixels() -> None:
    once, twice = (icon("run", LIGHT).pixmap(QSize(16, 16), density) for density in (1.0, 2.0))
    assert (once.width(), twice.width()) == (16, 32)
    assert twice.deviceIndependentSize().toSize() == QSize(16, 16)
    smooth = icon_pixmap("run", LIGHT.text, 24, 1.5)
    assert (smooth.width(), smooth.devicePixelRatio()) == (36, 1.5)


def test_that_the_mark_has_its_three_tiles_at_every_size() -> None:
    for size in APPLICATION_SIZES:
        image = application_icon().pixmap(QSize(size, size), 1.0).toImage()
        assert image.width() == size
        at = [(0.2, 0.6), (0.6, 0.2), (0.6, 0.6)]
        a, b, c = (image.pixelColor(int(x * size), int(y * size)).name() for x, y in at)
        assert (a, b, c) == ("#4f9aed", "#f4b740", "#42cba7"), size
        assert image.pixelColor(0, 0).alpha() < 40


def test_that_every_action_has_the_icon_it_names() -> None:
    assert {spec.icon for spec in ACTIONS if spec.icon} - set(icon_names()) == set()


def test_that_an_unknown_icon_is_named() -> None:
    with pytest.raises(KeyError, match="unicorn"):
        icon("unicorn", LIGHT)
