"""`gemmviz roofs`: what a device can do at most, measured."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.table import Table

from gemmviz import __version__
from gemmviz.backends.base import BackendError
from gemmviz.cli.export.overwriting import checked_out, save_if_asked
from gemmviz.cli.faults import BadInputError, FailedError
from gemmviz.cli.one_job import device_asked_for
from gemmviz.cli.options.option_numbers import MOST_LIMIT_S, seconds
from gemmviz.cli.output import kernels_kept_quiet
from gemmviz.cli.progress import RunProgress
from gemmviz.cli.run.document import FORMAT, device_entry
from gemmviz.cli.terminal import print_json, report_terminal, words
from gemmviz.domain import figures
from gemmviz.domain.runs.roof import Roof, Roofs
from gemmviz.domain.runs.roof_words import KIND_WORDS, clock_words, rate_words
from gemmviz.domain.session.session import Session, SessionError, load_session
from gemmviz.engine.roofs import device_for_roofs, roofs_of_device
from gemmviz.measure.bench import Watch
from gemmviz.measure.sampling import MeasurementError


def roofs_and_print(device: str, limit_s: float, into: Path | None, as_json: bool) -> int:
    """Measure, keep in a session if asked to, print; the exit code.

    Raises:
        BadInputError: no such device, or `into` is a file that is no session.
        FailedError: measuring failed.
    """
    seconds("--time-limit", limit_s, MOST_LIMIT_S)
    with device_asked_for(device):
        wanted = device_for_roofs(device)
    _session(into)
    with RunProgress(1) as progress:
        progress.next()
        try:
            with kernels_kept_quiet():
                roofs = roofs_of_device(wanted.id, limit_s, Watch(progress.say, progress.advance))
        except (BackendError, MeasurementError) as error:
            raise FailedError(f"{wanted.name}: {error}") from error
    code = 0
    if into is not None:
        kept = _session(into)  # as it is now: somebody else may have added to it meanwhile
        session = kept or Session(roofs.finished, __version__, wanted, 0.0)
        added = replace(session, roofs=(*session.roofs, roofs))
        code = save_if_asked(added, into, "--into", may_replace=kept is not None)
    if as_json:
        print_json({"format": FORMAT, **roofs_entry(roofs)})
    else:
        print_roofs(roofs)
    return code


def _session(into: Path | None) -> Session | None:
    """The session to add to; None where it is still to be made. Looked at before anything is measured."""
    if into is None:
        return None
    if not into.exists() or into.is_symlink():
        checked_out(into, force=False, option="--into")
        return None
    try:
        return load_session(into)
    except SessionError as error:
        raise BadInputError(f"--into {error}") from error


def print_roofs(roofs: Roofs) -> None:
    """A table with a line for each roof."""
    terminal = report_terminal()
    table = Table(
        title=words((f"Roofs of {roofs.device.name}", "bold"), f", measured {roofs.finished}"),
        title_justify="left",
        title_style="none",
        box=None,
        header_style="dim",
        padding=(0, 2, 0, 0),
    )
    table.add_column("roof", no_wrap=True)
    for column in ("median", "IQR", "n"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("how", overflow="fold")
    for roof in roofs.roofs:
        median, spread = (rate_words(roof.kind, rate) for rate in (roof.median, roof.iqr))
        has_spread = figures.has_quartiles(roof.samples_ms.size)
        shown = spread if has_spread else "–"
        table.add_row(KIND_WORDS[roof.kind], median, shown, str(roof.samples_ms.size), _how(roof))
    if roofs.floor_ms:
        floor = "the shortest time a launch can take"
        table.add_row("empty kernel", figures.milliseconds(roofs.floor_ms), "", "", floor)
    terminal.print_table(table)
    for lack in roofs.left_out:
        terminal.print_words(f"not measured: {lack}", style="dim")


def _how(roof: Roof) -> str:
    return ", ".join(filter(None, (roof.instruction, roof.how, clock_words(roof))))


def roofs_entry(roofs: Roofs) -> dict[str, Any]:
    """The same for JSON documents; rates in GB/s (copy) or GFLOP/s."""
    return {
        "device": device_entry(roofs.device),
        "finished": roofs.finished,
        "floor_ms": roofs.floor_ms,
        "roofs": [
            {
                "kind": str(roof.kind),
                "unit": roof.kind.unit,
                "median": roof.median,
                "iqr": roof.iqr if figures.has_quartiles(roof.samples_ms.size) else None,
                "work": roof.work,
                "samples_ms": roof.samples_ms.tolist(),
                "clock_mhz": roof.clock_mhz,
                "throttled": int(roof.gauges.throttled.sum()),
                "how": roof.how,
                "instruction": roof.instruction,
                "build": roof.build,
                "stopped_by": str(roof.stopped_by),
            }
            for roof in roofs.roofs
        ],
        "left_out": list(roofs.left_out),
    }
