"""The JSON documents of `--json`, format 1. Numbers that are not finite become null."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from gemmviz.catalogue.kernel import Kernel
from gemmviz.cli.run.gpu_report import gpu_entry
from gemmviz.cli.run.speedups import speedups_of
from gemmviz.cli.run.sweep_verdicts import sweep_verdicts
from gemmviz.domain import figures
from gemmviz.domain.device import Device
from gemmviz.domain.runs.result import Accuracy, RunResult, Summary, Timing
from gemmviz.domain.runs.whole_runs import WholeTime
from gemmviz.domain.runs.whole_words import WHOLE_COLUMNS, whole_cells
from gemmviz.domain.runs.wrong_elements import wrong_elements
from gemmviz.domain.session.session import Session
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch
from gemmviz.domain.terms import Arithmetic, Fill
from gemmviz.explain.figures.sweep import SweepChoice
from gemmviz.explain.figures.timing.speedup import Speedup

FORMAT = 1

Document = dict[str, Any]


def run_document(session: Session, shape: Shape, fill: Fill, seed: int) -> Document:
    """What `gemmviz run --json` prints."""
    return {
        "format": FORMAT,
        "device": device_entry(session.device),
        "shape": shape_entry(shape),
        "fill": str(fill),
        "seed": seed,
        "init_ms": _number(session.init_ms),
        "runs": run_entries(session.runs),
        "errors": [{"kernel": error.kernel, "reason": error.reason} for error in session.errors],
    }


def shape_entry(shape: Shape) -> Document:
    return {"m": shape.m, "n": shape.n, "k": shape.k}


def run_entries(runs: tuple[RunResult, ...]) -> list[Document]:
    """Each run, with its speed-ups and its place in its sweep."""
    verdicts, against = sweep_verdicts(runs), tuple(speedups_of(runs).values())
    return [
        {
            **run_entry(run, _ratios(speedups[place] for speedups in against)),
            "sweep": _sweep_entry(run, verdicts.get(run)),
        }
        for place, run in enumerate(runs)
    ]


def _sweep_entry(run: RunResult, choice: SweepChoice | None) -> Document | None:
    """`ratio` is the run's time over the best's, by blocks of pairs, from `low` to `high`; null outside a sweep."""
    if choice is None:
        return None
    return {
        "number": run.sweep,
        "verdict": choice.words,
        "ratio": _number(choice.ratio),
        "low": _number(choice.low),
        "high": _number(choice.high),
    }


def _ratios(speedups: Iterable[Speedup | None]) -> dict[str, float]:
    """How many times as fast as each kernel that the run is held against."""
    return {one.baseline.run.spec.kernel: one.ratio for one in speedups if one is not None}


def run_entry(run: RunResult, speedup: dict[str, float]) -> Document:
    return {
        "kernel": run.spec.kernel,
        "params": dict(run.spec.params),
        "computes": run.spec.computes or "C = A·B",
        "device": run.device.id,
        "arithmetic": str(run.arithmetic),
        "build": run.build,
        "printed": run.printed,
        "launch": launch_entry(run.launch),
        "emulated": run.is_emulated,
        "timing": {**timing_entry(run.timing), "gflops": None if run.is_emulated else _number(run.gflops)},
        "accuracy": accuracy_entry(run.accuracy, run.arithmetic),
        "wrong_elements": [
            {name: _number(value) for name, value in asdict(wrong).items()} for wrong in wrong_elements(run)
        ],
        "gpu": gpu_entry(run),
        "speedup": {name: _number(value) for name, value in speedup.items()},
    }


def launch_entry(launch: Launch) -> Document:
    return {
        "grid": list(launch.grid),
        "block": list(launch.block),
        "shared_bytes": launch.shared_bytes,
        "dynamic_shared_bytes": launch.dynamic_shared_bytes,
        "cluster": list(launch.cluster),
    }


def timing_entry(timing: Timing) -> Document:
    return {
        "mode": str(timing.mode),
        "kernel_ms": {
            **summary_entry(timing.kernel_ms),
            "discarded": timing.discarded,
            "stopped_by": str(timing.stopped_by),
        },
        "host_clock_ms": summary_entry(timing.host_clock_ms)["median"],
        "unsynchronised_ms": _number(timing.unsynchronised_ms),
        "end_to_end": whole_entry(timing.whole),
        "end_to_end_pinned": whole_entry(timing.pinned) if timing.pinned.n else None,
        "first_launch_ms": _number(timing.first_launch_ms),
        "compile_ms": _number(timing.compile_ms),
        "launches_per_sample": timing.launches_per_sample,
    }


def whole_entry(whole: WholeTime) -> Document:
    """The median end-to-end run, part by part; null for what is not known."""
    cells = zip(WHOLE_COLUMNS, whole_cells(whole), strict=True)
    return {name: None if value == "" else _number(value) for name, value in cells}


def summary_entry(summary: Summary) -> Document:
    return {
        "median": _number(summary.median),
        "iqr": _number(summary.iqr) if figures.has_quartiles(summary.n) else None,
        "min": _number(summary.min),
        "n": summary.n,
    }


def accuracy_entry(accuracy: Accuracy, arithmetic: Arithmetic) -> Document:
    """`max_ulp` counts units in the last place of a number of the type `ulp_of`, whatever C was stored as."""
    entry = {name: _number(value) for name, value in asdict(accuracy).items() if name != "first_mismatches"}
    entry["ulp_of"] = "float64" if arithmetic is Arithmetic.FP64 else "float32"
    entry["first_mismatches"] = [
        {name: _number(value) for name, value in asdict(mismatch).items()} for mismatch in accuracy.first_mismatches
    ]
    return entry


def device_entry(device: Device) -> Document:
    return {name: _plain(value) for name, value in asdict(device).items()}


def kernel_entry(kernel: Kernel) -> Document:
    return {
        "kernel": kernel.id,
        "title": kernel.title,
        "teaches": kernel.teaches,
        "origin": kernel.origin,
        "order": kernel.order,
        "language": str(kernel.language),
        "arithmetic": str(kernel.arithmetic),
        "requires": list(kernel.requires),
        "constraints": [asdict(constraint) for constraint in kernel.constraints],
        "params": {
            p.name: {"label": p.label, "choices": list(p.choices), "default": p.default} for p in kernel.parameters
        },
        "launch": {"block": list(kernel.rule.block), "grid": list(kernel.rule.grid)},
        "file": str(kernel.path),
    }


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _number(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
