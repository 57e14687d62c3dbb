"""Reads the samples that nvbench leaves with `--jsonbin`, and sets medians side by side. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gemmviz.domain import figures
from gemmviz.domain.runs.result import FloatColumn

SAMPLES = "nv/json/bin:nv/cold/sample_times"
NEAR = 0.02
"""By how much medians of two measurers may differ."""


def read_samples(path: Path, axis: str) -> dict[int, FloatColumn]:
    """The device's times of each state in ms, by the value of its whole-number axis.

    Seconds in float32, in a file that the state's summary names, beside the JSON file or in the folder nvbench ran in.

    Raises:
        ValueError: a state has no samples, or not as many as it says.
    """
    document = json.loads(path.read_text(encoding="utf-8"))
    states = [state for benchmark in document["benchmarks"] for state in benchmark["states"]]
    return {_value(state, axis): _samples(state, path) for state in states if not state.get("is_skipped")}


def _value(state: Mapping[str, Any], axis: str) -> int:
    return next(int(one["value"]) for one in state["axis_values"] if one["name"] == axis)


def _samples(state: Mapping[str, Any], path: Path) -> FloatColumn:
    summary = next((one for one in state.get("summaries") or () if one["tag"] == SAMPLES), None)
    if summary is None:
        raise ValueError(f"nvbench kept no samples of {state['name']}")
    facts = {one["name"]: one["value"] for one in summary["data"]}
    named = Path(facts["filename"])
    places = (path.parent / named, path.parent / path.name / named.name, path.parent.parent / named, named)
    found = next((place for place in places if place.is_file()), None)
    if found is None:
        raise ValueError(f"nvbench's file {named} is not there")
    samples = np.fromfile(found, "<f4").astype(np.float64) * 1000.0
    if samples.size != int(facts["size"]):
        raise ValueError(f"{found} holds {samples.size} samples and should hold {facts['size']}")
    return samples


COLUMNS = ("kernel", "size", "gemmviz before and after, n", "nvbench, n", "difference of the medians", "within 2 %")


def row(kernel: str, size: str, before: FloatColumn, after: FloatColumn, theirs: FloatColumn) -> tuple[str, ...]:
    """A line of the table: gemmviz's median over both of its series, nvbench's between them."""
    own, other = float(np.median(np.concatenate([before, after]))), float(np.median(theirs))
    difference = own / other - 1.0
    time = figures.milliseconds
    return (
        f"`{kernel}`",
        size,
        f"{time(float(np.median(before)))} and {time(float(np.median(after)))}, {before.size} and {after.size}",
        f"{time(other)}, {theirs.size}",
        f"{100 * difference:+.2f} %",
        "yes" if abs(difference) <= NEAR else "NO",
    )


def all_near(rows: Sequence[Sequence[str]]) -> bool:
    """Whether every line says yes."""
    return all(line[-1] == "yes" for line in rows)
