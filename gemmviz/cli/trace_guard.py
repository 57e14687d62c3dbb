"""A recording of a person's own kernel, made in a process of its own and handed over as a session file."""

from __future__ import annotations

import os
import tempfile
from dataclasses import replace
from pathlib import Path

from gemmviz.catalogue.kernel import Kernel
from gemmviz.cli.guard import INSIDE, start_guarded, words_for
from gemmviz.cli.request import TraceRequest
from gemmviz.domain.spec import Params
from gemmviz.domain.trace_run import TraceRun

_FIGURES = "figures"
"""In a guarded process: nobody asks for the events of single blocks, which may be many."""

_CRASH = (
    "most likely it reads or writes outside a private array, or has a vector access at an address that is no "
    "multiple of its size"
)


def record_guarded(request: TraceRequest, kernel: Kernel, params: Params) -> TraceRun:
    """Record a kernel in a process of its own; its launches have time limits, the whole has none.

    Raises:
        GuardedError: it crashed, or cannot be recorded.
    """
    run = request.run
    block = ("--all-blocks",) if request.block is None else ("--block", ",".join(map(str, request.block)))
    with tempfile.TemporaryDirectory(prefix="gemmviz-") as folder:
        saved = Path(folder) / "trace.gemmviz"
        words = ["trace", *words_for(run, kernel, [params]), *block, "--out", str(saved)]
        session, _ = start_guarded(words, {INSIDE: _FIGURES if run.out is None else "1"}, saved, None, _CRASH)
    (trace,) = session.traces
    return replace(trace, spec=replace(trace.spec, kernel=kernel.id))


def as_handed_over(run: TraceRun) -> TraceRun:
    """In a guarded process: the recording without what nobody asks for; elsewhere as it is."""
    return replace(run, blocks=()) if os.environ.get(INSIDE) == _FIGURES else run
