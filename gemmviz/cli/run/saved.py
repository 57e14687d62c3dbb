"""`gemmviz report`: a saved session printed as its commands printed it; needs no device."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from gemmviz.cli.faults import BadInputError
from gemmviz.cli.roofs import print_roofs, roofs_entry
from gemmviz.cli.run.document import FORMAT, Document, device_entry, run_entries, shape_entry
from gemmviz.cli.run.report import experiments_of, print_errors, print_runs
from gemmviz.cli.schedule.report import print_schedule, schedule_document
from gemmviz.cli.sweep.settings_report import print_settings, setting_entries
from gemmviz.cli.terminal import print_json, report_terminal
from gemmviz.cli.trace.document import trace_document
from gemmviz.cli.trace.report import print_trace
from gemmviz.domain.kernels.examined_sweep import ExaminedSweep
from gemmviz.domain.runs.result import RESULT_FIELDS, RunResult, Session
from gemmviz.domain.runs.warp_timeline import WarpTimeline
from gemmviz.domain.session.session import SessionError, load_session
from gemmviz.explain.figures.settings import notes_of_sweep, settings_of_sweep, sweep_words
from gemmviz.explain.runs.warp_timeline import WarpsFigure, launch_share


def report_and_print(path: Path, as_json: bool) -> int:
    """Print a session's runs, errors and recordings; the exit code.

    Raises:
        BadInputError: the file is no session.
    """
    try:
        session = load_session(path)
    except SessionError as error:
        raise BadInputError(str(error)) from error
    if as_json:
        print_json(session_document(session))
    else:
        _print_session(session, path)
    return 0


def session_document(session: Session) -> Document:
    """What `gemmviz report --json` prints: entries as of `gemmviz run`, with size and fill, and as of `trace`."""
    return {
        "format": FORMAT,
        "created": session.created,
        "program_version": session.program_version,
        "device": device_entry(session.device),
        "runs": _run_entries(session),
        "errors": [
            {"kernel": e.kernel, "params": dict(e.params), "size": e.size, "reason": e.reason} for e in session.errors
        ],
        "traces": [trace_document(trace) for trace in session.traces],
        "roofs": [roofs_entry(roofs) for roofs in session.roofs],
        "schedules": [schedule_document(schedule) for schedule in session.schedules],
        "sweeps": [sweep_entry(sweep) for sweep in session.sweeps],
        "warp_timelines": [warps_entry(one) for one in session.warp_timelines],
    }


def warps_entry(timeline: WarpTimeline) -> Document:
    """How much of a launch at least one warp of an SM computed in; the bars are in the CSV of an export."""
    return {
        "kernel": timeline.spec.kernel,
        "params": dict(timeline.spec.params),
        "shape": shape_entry(timeline.spec.shape),
        "device": device_entry(timeline.device),
        "sm": timeline.unit,
        "blocks_per_sm": timeline.blocks_per_unit,
        "warps": timeline.rows,
        "computing_share": launch_share(timeline),
        "kernel_ms": float(np.median(timeline.plain_ms)),
        "finished": timeline.finished,
    }


def sweep_entry(sweep: ExaminedSweep) -> Document:
    """Settings that were examined without a GPU: as of `gemmviz sweep --json`, and of which text and for which GPU."""
    return {
        "kernel": sweep.kernel,
        "source": sweep.source_name,
        "source_sha256": sweep.digest,
        "gpu": sweep.gpu,
        "settings": setting_entries(settings_of_sweep(sweep)),
        "left_out": sweep.left_out,
        "not_examined": sweep.missing,
    }


def _run_entries(session: Session) -> list[Document]:
    """In the order of the session; each run held against those of its own experiment."""
    entries: dict[RunResult, Document] = {}
    for runs in experiments_of(session.runs).values():
        entries.update(zip(runs, run_entries(runs), strict=True))
    return [
        {
            **entries[run],
            "shape": shape_entry(run.spec.shape),
            "fill": str(run.spec.fill),
            "seed": run.spec.seed,
            "finished": run.finished,
        }
        for run in session.runs
    ]


def _print_session(session: Session, path: Path) -> None:
    terminal = report_terminal()
    begun = f"a session begun {session.created} with gemmviz {session.program_version}"
    terminal.print_words(f"{path}, {begun}", style="dim")
    for experiment, runs in experiments_of(session.runs).items():
        terminal.print()
        print_runs(terminal, experiment, runs)
    print_errors(terminal, session.errors)
    for trace in session.traces:
        terminal.print()
        print_trace(trace)
    for roofs in session.roofs:
        terminal.print()
        print_roofs(roofs)
    for schedule in session.schedules:
        terminal.print()
        print_schedule(terminal, schedule)
    for sweep in session.sweeps:
        terminal.print()
        print_settings(terminal, sweep.kernel, settings_of_sweep(sweep), sweep_words(sweep), notes_of_sweep(sweep))
    if session.warp_timelines:
        figure = WarpsFigure(session.warp_timelines)
        terminal.print()
        terminal.print_words(figure.title, style="bold")
        terminal.print_words(figure.subtitle, style="dim")
        terminal.print_words(figure.sentence)
    if not any(getattr(session, name) for name in RESULT_FIELDS if name != "versions"):
        terminal.print_words("This session holds no runs and no recordings.")
