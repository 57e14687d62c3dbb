"""Finds kernels/ and assets/, in a checkout and in an installed wheel alike."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def resource_folder(name: str) -> Path:
    """The folder `name` ("kernels" or "assets").

    Raises:
        FileNotFoundError: neither the checkout nor the installed package has it.
    """
    places = (_PACKAGE / "shipped" / name, _PACKAGE.parent / name)
    for place in places:
        if place.is_dir():
            return place
    raise FileNotFoundError(f"gemmviz is not installed whole: its folder {name!r} is at none of {places}")
