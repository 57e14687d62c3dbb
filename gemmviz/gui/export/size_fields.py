"""The fields of the export dialog for the size of a picture: a choice, and width and height that are typed."""

from __future__ import annotations

from gemmviz.gui.export.choice import LARGEST, SIZES, SMALLEST
from gemmviz.gui.widgets.fields import ComboBox, SpinBox
from gemmviz.gui.widgets.plain_text import plain_text

OWN = (0, 0)
"""The size that is typed."""


def size_choice() -> ComboBox:
    """The sizes that are offered: None as data for an automatic one, OWN for one that is typed."""
    combo = ComboBox()
    combo.addItem("automatic", None)
    for width, height in SIZES:
        combo.addItem(f"{width} × {height}", (width, height))
    combo.addItem("custom", OWN)
    return combo


def side_field(name: str, pixels: int) -> SpinBox:
    """A side of a picture, "exportWidth" or "exportHeight", that begins with so many pixels."""
    side = SpinBox()
    side.setObjectName(name)
    kept = side.sizePolicy()
    kept.setRetainSizeWhenHidden(True)  # a field is higher than a choice: the rows below would move
    side.setSizePolicy(kept)
    side.setRange(SMALLEST, LARGEST)
    side.setValue(pixels)
    side.setSuffix(" px")
    side.setAccessibleName(name.removeprefix("export"))
    side.setToolTip(plain_text(f"{name.removeprefix('export')} in pixels, before it is scaled"))
    return side
