"""What `gemmviz sweep` examines, prints and writes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from rich.table import Table

from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import is_shipped
from gemmviz.cli.faults import FAILED, FailedError
from gemmviz.cli.guarded.guard import GuardedError, examine_guarded
from gemmviz.cli.progress import RunProgress
from gemmviz.cli.run.document import FORMAT
from gemmviz.cli.signals import Signalled
from gemmviz.cli.sweep.examining import examined_here
from gemmviz.cli.sweep.request import SweepFiguresRequest
from gemmviz.cli.terminal import print_json, report_terminal
from gemmviz.domain.clock import timestamp
from gemmviz.domain.files.csv_files import ExportError, write_csv
from gemmviz.domain.kernels.kernel_version import KernelVersion
from gemmviz.domain.runs.tables import format_params
from gemmviz.domain.spec import Params
from gemmviz.engine.jobs import without_name
from gemmviz.engine.messages import Job
from gemmviz.explain.figures.settings import (
    HEADS_MEAN,
    SETTING_FIGURES,
    head_of,
    setting_rows,
    settings_head,
    settings_table,
    settings_words,
)
from gemmviz.explain.source.version_figures import UNKNOWN, Measured
from gemmviz.measure.bench import Watch

_PIPED_WIDTH = 140


def sweep_and_print(request: SweepFiguresRequest, as_json: bool) -> int:
    """Examine each setting, print and write the table; what there is, too, where a signal ends it. The exit code:
    FAILED where nothing came of any setting.

    Raises:
        FailedError: the table cannot be written.
    """
    found: list[Measured] = []
    try:
        _examine_all(request, found)
    except Signalled as ended:
        if not found:
            raise
        _tell(request, found, as_json=as_json)
        left = f"{len(found)} of {len(request.settings.each)} settings are in the table"
        raise Signalled(ended.number, left) from ended
    _tell(request, found, as_json=as_json)
    return 0 if any(one.trace is not None or one.version.compilation is not None for one in found) else FAILED


def _examine_all(request: SweepFiguresRequest, found: list[Measured]) -> None:
    kernel, several = request.run.jobs[0][0], request.settings.each
    with RunProgress(len(several)) as progress:
        for number, params in enumerate(several, 1):
            progress.next()
            name = f"{kernel.id} {format_params(params)}, setting {number} of {len(several)}"
            progress.say(name)
            found.append(_examined(request, kernel, params, Watch(partial(_say, progress, name), progress.advance)))


def _say(progress: RunProgress, name: str, words: str) -> None:
    progress.say(f"{name}: {words}")


def _examined(request: SweepFiguresRequest, kernel: Kernel, params: Params, watch: Watch) -> Measured:
    """One setting; of a person's own kernel examined in a process of its own."""
    if is_shipped(kernel):
        return Measured(*examined_here(request.run, Job(kernel, params), request.gpu, watch))
    try:
        return Measured(*examine_guarded(request.run, request.gpu, kernel, params))
    except GuardedError as error:
        reason = without_name(kernel, str(error))
        return Measured(
            KernelVersion(kernel.id, 1, kernel.path.name, kernel.file_text, timestamp(), params, faults=(reason,)),
            None,
        )


def _tell(request: SweepFiguresRequest, found: Sequence[Measured], *, as_json: bool) -> None:
    table = settings_table(found)
    if request.csv is not None:
        try:
            write_csv(table.rows, request.csv, table.columns, may_replace=request.run.force)
        except ExportError as error:
            raise FailedError(str(error)) from error
    if as_json:
        print_json(_document(request, found))
    else:
        _print_report(request, found)


def _document(request: SweepFiguresRequest, found: Sequence[Measured]) -> dict[str, Any]:
    rows = settings_table(found).rows
    return {
        "format": FORMAT,
        "kernel": request.run.jobs[0][0].id,
        "settings": [
            {"params": dict(one.version.params)}
            | {name: (None if cell == "" else cell) for name, cell in row.items() if not name.startswith("param_")}
            for one, row in zip(found, rows, strict=True)
        ],
        "left_out": request.settings.left_out,
    }


def _print_report(request: SweepFiguresRequest, found: Sequence[Measured]) -> None:
    terminal = report_terminal(_PIPED_WIDTH)
    kernel = request.run.jobs[0][0]
    terminal.print_words((kernel.id, "bold"), f" {len(found)} settings, examined without a GPU")
    if words := settings_words(found):
        terminal.print_words(words)
    terminal.print()
    rows = setting_rows(found)
    places = [place for place in range(len(SETTING_FIGURES)) if any(row.cells[place] != UNKNOWN for row in rows)]
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column(settings_head(found), no_wrap=True)
    for place in places:
        table.add_column(head_of(SETTING_FIGURES[place]), justify="right", no_wrap=True)
    for row in rows:
        table.add_row(row.name, *(row.cells[place] for place in places), style="" if row.is_sound else "yellow")
    terminal.print_table(table)
    terminal.print()
    terminal.print_words(f"{HEADS_MEAN}.", style="dim")
    if words := request.settings.left_out_words:
        terminal.print_words(f"{words}.", style="dim")
    for row in rows:
        for fault in row.faults:
            terminal.print_words((f"{settings_head(found)} {row.name}: ", "bold"), fault, style="yellow")
