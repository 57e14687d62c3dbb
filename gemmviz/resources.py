"""Finds kernels/ and assets/, in a checkout and in an installed wheel alike, and folders for what is compiled."""

from __future__ import annotations

from pathlib import Path

from platformdirs import user_cache_path

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


def cache_folder(name: str) -> Path:
    """Where things of one kind are kept that can be made again; it may not be there yet."""
    return user_cache_path("gemmviz", appauthor=False) / name
