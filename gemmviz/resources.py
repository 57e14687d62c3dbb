"""Finds kernels/, assets/ and the glossary, in a checkout and installed alike, and folders for what is compiled."""

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


def glossary_file() -> Path:
    """The page of the documentation that explains every term, GLOSSARY.md.

    Raises:
        FileNotFoundError: neither the checkout nor the installed package has it.
    """
    places = (_PACKAGE / "shipped" / "GLOSSARY.md", _PACKAGE.parent / "docs" / "GLOSSARY.md")
    for place in places:
        if place.is_file():
            return place
    raise FileNotFoundError(f"gemmviz is not installed whole: its file GLOSSARY.md is at none of {places}")


def cache_folder(name: str) -> Path:
    """Where things of one kind are kept that can be made again; it may not be there yet."""
    return user_cache_path("gemmviz", appauthor=False) / name
