"""Ready-made experiments, from assets/presets.toml."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from difflib import get_close_matches

from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Fill
from gemmviz.resources import resource_folder


class UnknownPresetError(LookupError):
    """A preset that does not exist; the message lists those that do."""


@dataclass(frozen=True, slots=True)
class Preset:
    """A size, kernels, parameters and fill that belong together."""

    id: str
    title: str
    shape: Shape
    kernels: tuple[str, ...]
    params: tuple[tuple[str, int], ...]
    fill: Fill
    origin: str


def load_presets() -> tuple[Preset, ...]:
    """Every preset in the order of the file."""
    tables = tomllib.loads((resource_folder("assets") / "presets.toml").read_text(encoding="utf-8"))
    return tuple(
        Preset(
            id=name,
            title=table["title"],
            shape=Shape.parse(table["size"]),
            kernels=tuple(table["kernels"]),
            params=tuple(table["params"].items()),
            fill=Fill(table["fill"]),
            origin=table["origin"],
        )
        for name, table in tables.items()
    )


def find_preset(preset_id: str) -> Preset:
    """The preset of that id.

    Raises:
        UnknownPresetError: there is none.
    """
    presets = load_presets()
    for preset in presets:
        if preset.id == preset_id:
            return preset
    names = [preset.id for preset in presets]
    near = get_close_matches(preset_id, names, 1, 0.55)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise UnknownPresetError(f"there is no preset {preset_id!r}: there are {', '.join(names)}{hint}")
