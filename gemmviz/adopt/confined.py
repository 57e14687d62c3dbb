"""Looks at a kernel file in a process of its own, which is confined: what it runs is somebody else's code."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

from gemmviz.adopt.finding import MOST_KERNELS, AdoptionStep, Findings, Progress
from gemmviz.catalogue.loader import KERNEL_SUFFIXES, WHAT_KERNEL_FILES_END_IN
from gemmviz.domain.device import Device
from gemmviz.domain.session.codec import CodecError, decode
from gemmviz.engine.confined_process import ConfinedProcessError, run_confined
from gemmviz.engine.sandbox.confinement import may_use_gpu

BUDGET_S = 120.0
"""How long a kernel is looked at where nobody says otherwise."""
_ALLOWANCE_S = 120.0
"""For starting, reading, and what is under way when a budget has ended."""


class AdoptError(Exception):
    """A file could not be looked at; the message says why and what to do."""


def look_confined(
    path: Path,
    entry: str = "",
    budget_s: float = BUDGET_S,
    progress: Progress | None = None,
    *,
    may_run_python: bool = False,
    device: Device | None = None,
    must_run_there: bool = True,
    has_hard_limit: bool = False,
    began_at: float | None = None,
    on_part: Callable[[Findings], None] | None = None,
) -> Findings:
    """What is found out about the first MOST_KERNELS kernels of a file, or the one called `entry`; `budget_s` for each.
    `may_run_python`: a Python file may be run to know the source that it computes. `device`: what was proven on the PTX
    machine is to be proven there, too; without `must_run_there` only where it runs the kernel. With
    `has_hard_limit` what is done once for all kernels counts, too, such as compiling the analysis. The budget of the
    first kernel counts from `began_at`, seconds since the epoch; from now on for None.

    `on_part` hears several times a second what was found so far in a file of several kernels. What `progress` and it
    raise ends the process and is raised again.

    Raises:
        AdoptError: another kind of file, one that cannot be read, or a process that crashed or did not end.
    """
    if path.suffix not in KERNEL_SUFFIXES:
        raise AdoptError(f"{path}: a kernel file ends in {WHAT_KERNEL_FILES_END_IN}")
    request = {
        "file": str(path.absolute()),
        "entry": entry,
        "budget_s": budget_s,
        "began_at": time.time() if began_at is None else began_at,
        "may_run_python": may_run_python,
        "device": device.id if device is not None else "",
        "must_run_there": must_run_there,
        "has_hard_limit": has_hard_limit,
        "uses_gpu": device is not None and may_use_gpu(device.id, (device,)),
    }
    limit_s = _ALLOWANCE_S + MOST_KERNELS * budget_s
    heard = None if progress is None else lambda words: progress(_step(words))
    try:
        return run_confined("gemmviz.adopt.process", request, Findings, limit_s, heard, str(path), on_part)
    except ConfinedProcessError as error:
        raise AdoptError(str(error)) from error


def _step(words: str) -> AdoptionStep:
    """What the process said that it is doing; nothing where that is no step."""
    if not words:
        return AdoptionStep()
    try:
        return decode(json.loads(words), {}, AdoptionStep)
    except (CodecError, ValueError):
        return AdoptionStep()
