"""`gemmviz referee`: the verdict on a kernel with its reasons, in words, as JSON, as a page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gemmviz.backends.base import BackendError
from gemmviz.catalogue.kernel import Kernel
from gemmviz.cli.export.overwriting import checked_out
from gemmviz.cli.faults import FAILED, NOT_PROVEN, BadInputError, FailedError
from gemmviz.cli.one_job import device_asked_for, tell_of_first_use
from gemmviz.cli.options.option_numbers import MOST_LIMIT_S, seconds
from gemmviz.cli.progress import RunProgress
from gemmviz.cli.run.document import FORMAT
from gemmviz.cli.run.request import read_request
from gemmviz.cli.terminal import Terminal, print_json, report_terminal
from gemmviz.domain.figures import counted
from gemmviz.domain.files.csv_files import write_csv
from gemmviz.domain.runs.tables import ExportError
from gemmviz.domain.spec import Params
from gemmviz.domain.terms import Mode
from gemmviz.referee.confined import device_for, judge_confined
from gemmviz.referee.finding import Finding, Judgement, Outcome, Ruling
from gemmviz.referee.words import (
    COLUMNS,
    circumstances_words,
    headline_words,
    reach_words,
    rows_of,
    summary_words,
    verdict_words,
)

_SUFFIXES = (".png", ".svg", ".pdf", ".csv")
_STYLES = {Outcome.HELD: "green", Outcome.VARIES: "green", Outcome.FAILED: "bold red", Outcome.NOT_EXAMINED: "dim"}
_CODES = {Judgement.RIGHT: 0, Judgement.WRONG: FAILED, Judgement.NOT_EXAMINED: NOT_PROVEN}
_MOST_CASES, _MOST_FAULTS = 3, 8
"""Failed cases of an examination that are printed, and lines at fault."""


@dataclass(frozen=True, slots=True)
class RefereeRequest:
    """A checked `gemmviz referee`. `force`: the page may be replaced; `is_alone`: no other values are judged."""

    kernel: Kernel
    params: Params
    device: str | None
    budget_s: float
    page: Path | None
    force: bool
    is_alone: bool


def read_referee_request(
    kernel: str | None,
    param: list[str],
    kernel_file: list[Path],
    description: Mapping[str, Any],
    device: str | None,
    time_limit: float,
    page: Path | None,
    force: bool,
    run_python: bool = False,
) -> RefereeRequest:
    """Check every option.

    Raises:
        BadInputError: naming the option, its value and what would be right.
    """
    if (kernel is None) == (not kernel_file):
        raise BadInputError("name one kernel (`gemmviz kernels` lists them), or give one file with --kernel-file")
    if page is not None and page.suffix not in _SUFFIXES:
        raise BadInputError(f"--page {page}: the name of a page ends in {', '.join(_SUFFIXES[:-1])} or {_SUFFIXES[-1]}")
    request = read_request(
        kernel=kernel,
        size="1x1x1",  # sizes are chosen by the examinations
        preset=None,
        param=param,
        device=device,
        kernel_file=kernel_file,
        fill=None,
        seed=0,
        mode=Mode.COLD,
        budget=1.0,
        time_limit=time_limit,
        out=None,
        description=description,
        run_python=run_python,
    )
    if len(request.jobs) != 1:
        raise BadInputError("one kernel with one set of parameters is judged at a time; give one of each")
    budget_s = seconds("--time-limit", time_limit, MOST_LIMIT_S)
    path = checked_out(page, force, "--page")
    return RefereeRequest(*request.jobs[0], device, budget_s, path, force, is_alone=bool(param))


def referee_and_print(request: RefereeRequest, as_json: bool) -> int:
    """Judge, print, write the page if that is asked for; the exit code: 0 right, 1 wrong, 4 could not be examined.

    Raises:
        BadInputError: there is no such device, or the kernel's description does not fit its file.
        FailedError: the page cannot be written.
    """
    with device_asked_for(request.device):
        try:
            device = device_for(request.kernel, request.device or "")
        except BackendError as error:
            raise BadInputError(str(error) if request.device is None else f"--device {error}") from error
    with RunProgress(1) as progress:
        progress.next()
        tell_of_first_use(progress, is_confined=True)
        ruling = judge_confined(
            request.kernel, request.params, device, request.budget_s, progress.say, is_alone=request.is_alone
        )
    if ruling.is_misdescribed:
        raise BadInputError(f"{ruling.kernel}: {ruling.fault}")
    if request.page is not None:
        _write(ruling, request.page, may_replace=request.force)
    if as_json:
        print_json(document(ruling))
    else:
        _print(report_terminal(), ruling)
        if request.page is not None:
            report_terminal().print_words(f"Written to {request.page}.")
    return _CODES[ruling.judgement]


def document(ruling: Ruling) -> dict[str, Any]:
    """The ruling as a JSON document."""
    return {
        "format": FORMAT,
        "kernel": ruling.kernel,
        "params": dict(ruling.params),
        "device": ruling.device,
        "verdict": str(ruling.judgement),
        "headline": headline_words(ruling),
        "reach": asdict(ruling.reach) | {"words": reach_words(ruling)} if ruling.reach is not None else None,
        "fault": ruling.fault,
        "claims": ruling.claims,
        "found_arithmetic": ruling.found_arithmetic,
        "time": ruling.time,
        "seconds": ruling.seconds,
        "examinations": [asdict(finding) for finding in ruling.findings],
    }


def _write(ruling: Ruling, page: Path, *, may_replace: bool) -> None:
    try:
        if page.suffix == ".csv":
            write_csv(rows_of(ruling), page, COLUMNS, may_replace=may_replace)
        else:
            from gemmviz.gui.export.ruling_page import export_ruling

            export_ruling(ruling, page, may_replace=may_replace)
    except ExportError as error:
        raise FailedError(f"--page {error}") from error


def _print(terminal: Terminal, ruling: Ruling) -> None:
    style = {Judgement.RIGHT: "bold green", Judgement.WRONG: "bold red"}.get(ruling.judgement, "bold")
    terminal.print_words((f"{verdict_words(ruling)}.", style))
    if reach := reach_words(ruling):
        terminal.print_words(reach)
    terminal.print_words(summary_words(ruling))
    terminal.print_words(circumstances_words(ruling), style="dim")
    width = max((len(finding.name) for finding in ruling.findings), default=0)
    for finding in ruling.findings:
        terminal.print_words((f"  {finding.name.ljust(width)}  ", ""), (finding.outcome, _STYLES[finding.outcome]))
    for outcome in (Outcome.FAILED, Outcome.VARIES, Outcome.NOT_EXAMINED, Outcome.HELD):
        for finding in ruling.findings:
            if finding.outcome is outcome:
                _print_reason(terminal, finding)


def _print_reason(terminal: Terminal, finding: Finding) -> None:
    terminal.print_words((f"{finding.name}: ", "bold"), finding.reason)
    if finding.outcome is not Outcome.FAILED:
        return
    faults = finding.faults[:_MOST_FAULTS]
    width = max((len(fault.place) for fault in faults), default=0)
    for fault in faults:
        terminal.print_hanging(f"  {fault.place.ljust(width)}  ", hanging=fault.words)
    if len(finding.faults) > _MOST_FAULTS:
        terminal.print_words(f"and {counted(len(finding.faults) - _MOST_FAULTS, 'hazard')} more", indent=2)
    wrong = [case for case in finding.cases if case.failed and not case.faults]
    for case in wrong[:_MOST_CASES]:
        where = f" at {case.shape}, seed {case.seed}" if case.shape else ""
        terminal.print_words(f"{case.tried}{where}: {case.found}", indent=2)
    if len(wrong) > _MOST_CASES:
        terminal.print_words(f"and {len(wrong) - _MOST_CASES} more", indent=2)
