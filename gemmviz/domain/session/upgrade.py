"""What older session files say in another way than today's: their tree, brought into today's form before it is read."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import numpy as np

from gemmviz.domain.device import GpuFacts
from gemmviz.domain.kernels.capability import nvidia_facts
from gemmviz.domain.session.arrays import Array
from gemmviz.domain.session.pack import SHARED
from gemmviz.domain.session.types import NOT_FINITE

WHOLE_RUNS = 8
"""The version since which whole runs are kept one by one, each with its parts."""
BARRIERS_KEPT = 11
"""The version since which threads wait at barriers in every recording, and none says that they did."""
NEUTRAL_FACTS = 15
"""The version since which a device says what its GPU tells in `gpu_facts`; before, what CUDA tells in `cuda`."""
NAMED_PATHS = 17
"""The version since which the unit that makes an access is a site's `path`; before, its `way`."""
_WITH_A_DEVICE = ("runs", "traces", "roofs", "schedules")


def upgrade(tree: Any, columns: dict[str, Array], version: int) -> None:
    """Change `tree` and `columns`, as `session_codec.decode` takes them, in place. What has not the form of an older
    file is left as it is: `decode` says what is wrong with it.
    """
    if version < WHOLE_RUNS:
        for number, run in _each(tree, "runs"):
            timing = run.get("timing")
            if isinstance(timing, dict):
                _keep_whole(timing, columns, f"runs.{number}.timing")
    if version < BARRIERS_KEPT:
        for _, trace in _each(tree, "traces"):
            for name in ("keeps_barriers", "past_barriers"):
                trace.pop(name, None)
    if version < NAMED_PATHS:
        for site in _sites(tree):
            site["path"] = site.pop("way")
    if version < NEUTRAL_FACTS:
        for device in _devices(tree):
            _name_facts(device)


def _each(tree: Any, kind: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The runs or traces of a tree that have the form of some, with their numbers."""
    found = tree.get(kind) if isinstance(tree, dict) else None
    for number, one in enumerate(found if isinstance(found, list) else ()):
        if isinstance(one, dict):
            yield number, one


def _sites(tree: Any) -> Iterator[dict[str, Any]]:
    """The sites of the traces of a tree that have a `way`."""
    for _, trace in _each(tree, "traces"):
        sites = trace.get("sites")
        for site in sites if isinstance(sites, list) else ():
            if isinstance(site, dict) and "way" in site and "path" not in site:
                yield site


def _devices(tree: Any) -> Iterator[dict[str, Any]]:
    """The devices of a tree that have the form of some, and what else many parts of it share."""
    of_parts = (one.get("device") for kind in _WITH_A_DEVICE for _, one in _each(tree, kind))
    of_all = tree.get("device") if isinstance(tree, dict) else None
    for device in (of_all, *of_parts, *(shared for _, shared in _each(tree, SHARED))):
        if isinstance(device, dict):
            yield device


def _name_facts(device: dict[str, Any]) -> None:
    """Up to version 14 CUDA's compute capability stood for the architecture and for what all GPUs of it have alike."""
    told = device.get("cuda")
    if "gpu_facts" in device or not isinstance(told, dict):
        return
    match told.get("capability"):
        case [0, 0]:
            made = GpuFacts()
        case [int(major), int(minor)] if type(major) is type(minor) is int and major > 0 and 0 <= minor <= 9:
            made = nvidia_facts((major, minor))
        case _:
            return
    del device["cuda"]
    device["gpu_facts"] = asdict(made) | {name: value for name, value in told.items() if name != "capability"}


def _keep_whole(timing: dict[str, Any], columns: dict[str, Array], path: str) -> None:
    """Up to version 7 transfers and the whole were one figure each, taken in passes of their own."""
    told = [_number(timing.get(name)) for name in ("h2d_ms", "d2h_ms", "end_to_end_ms")]
    pinned = [_number(timing.get(name, 0.0)) for name in ("h2d_pinned_ms", "d2h_pinned_ms")]
    if None in told or None in pinned:
        return
    for name in ("h2d_ms", "d2h_ms", "end_to_end_ms", "h2d_pinned_ms", "d2h_pinned_ms"):
        timing.pop(name, None)
    (in_ms, out_ms, whole_ms), (pinned_in_ms, pinned_out_ms) = told, pinned
    of_pinned = (pinned_in_ms, math.nan, pinned_out_ms, math.nan) if pinned_in_ms and pinned_out_ms else ()
    for field, row in (("whole_runs", (in_ms, math.nan, out_ms, whole_ms)), ("pinned_runs", of_pinned)):
        name = f"{path}.{field}.samples_ms"  # the one run's figures in the order of `WholeRun`
        columns[name] = np.array(row, np.float64)
        timing[field] = {"samples_ms": {"array": name}}


def _number(value: Any) -> float | None:
    """A float of a tree; None where it is none."""
    if isinstance(value, str):
        return NOT_FINITE.get(value)
    try:
        return float(value) if type(value) in (int, float) else None
    except OverflowError:
        return None
