"""How each example session is made, from assets/examples/examples.toml."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gemmviz.catalogue.examples import WORDS
from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import Catalogue
from gemmviz.catalogue.presets import find_preset
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Params
from gemmviz.domain.terms import Fill
from gpu_record.plan import ladder

LADDER = "ladder"


@dataclass(frozen=True, slots=True)
class Part:
    """Kernels with their parameters on the same inputs; `tuned`: those that have a choice worth it are swept first."""

    shape: Shape
    fill: Fill
    jobs: tuple[tuple[Kernel, Params], ...]
    tuned: bool = False


@dataclass(frozen=True, slots=True)
class Recipe:
    """An example: what is run, what is swept, and at which size what is recorded; `whole`: every block of it.

    `recorded` are kernels, empty for every portable one that is run; of those `scheduled` it is kept where their blocks
    ran, of `warps` what the warps of an SM do. `roofs`: the device's are measured too. `plays` is the
    kernel whose recording is shown first, "" for the first.
    """

    id: str
    file: str
    on: str
    parts: tuple[Part, ...]
    swept: tuple[Kernel, ...]
    swept_at: Shape | None
    recorded_at: Shape | None
    whole: bool
    recorded: tuple[str, ...] = ()
    scheduled: tuple[str, ...] = ()
    roofs: bool = False
    plays: str = ""
    warps: tuple[str, ...] = ()


def read_recipes(folder: Path, catalogue: Catalogue) -> tuple[Recipe, ...]:
    """Every recipe in the order of the file."""
    tables = tomllib.loads((folder / WORDS).read_text(encoding="utf-8"))
    return tuple(_recipe(name, table, catalogue) for name, table in tables.items())


def at_size(recipe: Recipe, shape: Shape) -> Recipe:
    """The same at another size, to try it; presets keep theirs, and so does what is recorded."""
    resized = tuple(replace(part, shape=shape) for part in recipe.parts) if recipe.swept_at else recipe.parts
    return replace(recipe, parts=resized, swept_at=shape if recipe.swept_at else None)


def _recipe(name: str, table: Mapping[str, Any], catalogue: Catalogue) -> Recipe:
    shape = Shape.parse(table["size"]) if "size" in table else None
    own_fill = Fill(table["fill"]) if "fill" in table else None
    parts = [_of_preset(preset, catalogue, own_fill) for preset in table.get("presets", ())]
    wanted = table.get("kernels", ())
    kernels = ladder(catalogue) if wanted == LADDER else tuple(catalogue.get(one) for one in wanted)
    if shape is not None and kernels:
        jobs = tuple((kernel, kernel.params({})) for kernel in kernels)
        parts.append(Part(shape, own_fill or Fill.UNIFORM, jobs, table.get("tuned", False)))
    recorded = Shape.parse(table["record"]) if "record" in table else None
    swept = tuple(catalogue.get(one) for one in table.get("sweep", ()))
    return Recipe(
        name,
        table["file"],
        table["on"],
        tuple(parts),
        swept,
        shape,
        recorded,
        table.get("whole", False),
        tuple(table.get("recorded", ())),
        tuple(table.get("scheduled", ())),
        table.get("roofs", False),
        table.get("plays", ""),
        tuple(table.get("warps", ())),
    )


def _of_preset(name: str, catalogue: Catalogue, fill: Fill | None) -> Part:
    preset, jobs = find_preset(name), []
    for kernel in map(catalogue.get, preset.kernels):
        own = {parameter.name for parameter in kernel.parameters}
        jobs.append((kernel, kernel.params({key: value for key, value in preset.params if key in own})))
    return Part(preset.shape, fill or preset.fill, tuple(jobs))
