"""What `gemmviz sweep` examines, prints and writes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import is_shipped
from gemmviz.catalogue.values.values_left_out import ValueLeftOut
from gemmviz.cli.faults import FAILED, FailedError
from gemmviz.cli.guarded.guard import GuardedError, examine_guarded
from gemmviz.cli.progress import RunProgress
from gemmviz.cli.run.document import FORMAT
from gemmviz.cli.signals import Signalled
from gemmviz.cli.sweep.examining import examined_here
from gemmviz.cli.sweep.request import SweepFiguresRequest
from gemmviz.cli.sweep.settings_report import SETTINGS_WIDTH, print_settings, setting_entries
from gemmviz.cli.terminal import print_json, report_terminal
from gemmviz.domain.clock import timestamp
from gemmviz.domain.files.csv_files import ExportError, write_csv
from gemmviz.domain.kernels.kernel_version import KernelVersion
from gemmviz.domain.runs.tables import format_params
from gemmviz.domain.spec import Params
from gemmviz.engine.jobs import without_name
from gemmviz.engine.messages import Job
from gemmviz.explain.figures.further_settings import further_values
from gemmviz.explain.figures.settings import settings_table, settings_words
from gemmviz.explain.source.version_figures import Measured
from gemmviz.measure.bench import Watch


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
        return Measured(*examined_here(request.run, request.kernel, Job(kernel, params), request.gpu, watch))
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
    further = further_values(request.kernel, found)
    return {
        "format": FORMAT,
        "kernel": request.run.jobs[0][0].id,
        "settings": setting_entries(found),
        "left_out": request.settings.left_out,
        "further_values": {
            "right": [{"name": name, "value": value} for name, value in further.right],
            "wrong": _with_reasons(further.wrong),
            "not_examined": _with_reasons(further.not_examined),
        },
    }


def _with_reasons(values: Sequence[ValueLeftOut]) -> list[dict[str, Any]]:
    return [{"name": one.name, "value": one.value, "because": one.because} for one in values]


def _print_report(request: SweepFiguresRequest, found: Sequence[Measured]) -> None:
    left_out = request.settings.left_out_words
    notes = tuple(filter(None, (left_out, further_values(request.kernel, found).sentence)))
    print_settings(report_terminal(SETTINGS_WIDTH), request.kernel.id, found, settings_words(found), notes)
