"""`gemmviz adopt`: what was found out about a kernel file, in words or as JSON, and the file that describes it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from gemmviz.adopt.confined import BUDGET_S, AdoptError, look_confined
from gemmviz.adopt.finding import AdoptionStep, Findings, KernelFinding
from gemmviz.adopt.outcome import AdoptOutcome
from gemmviz.adopt.report import headline_of, parts_of
from gemmviz.adopt.sidecar import sidecar_text, write_sidecar
from gemmviz.adopt.words import rule_texts, summary_of
from gemmviz.backends.registry import find_device
from gemmviz.catalogue.gpus import emulated
from gemmviz.catalogue.header import beside_file
from gemmviz.catalogue.loader import KERNEL_SUFFIXES
from gemmviz.catalogue.values.values_left_out import left_out_table
from gemmviz.cli.export.overwriting import checked_out
from gemmviz.cli.faults import HAZARDS, NOT_PROVEN, BadInputError, FailedError
from gemmviz.cli.one_job import device_asked_for, tell_of_first_use
from gemmviz.cli.options.option_numbers import MOST_LIMIT_S, seconds
from gemmviz.cli.progress import RunProgress
from gemmviz.cli.run.document import FORMAT
from gemmviz.cli.terminal import Terminal, print_json, report_terminal
from gemmviz.domain.device import Device
from gemmviz.domain.files.atomic import WriteError
from gemmviz.domain.listing import listed

_LEAST_S = 1.0
_CODES = {
    AdoptOutcome.VERIFIED: 0,
    AdoptOutcome.RIGHT_WITH_DOUBTS: NOT_PROVEN,
    AdoptOutcome.RIGHT_IN_ANOTHER_LAUNCH: HAZARDS,
    AdoptOutcome.HAZARD: HAZARDS,
    AdoptOutcome.NOT_PROVEN: NOT_PROVEN,
}
_MOST_NAMED = 3
"""Kernels that are named of those that can be described by hand."""


def adopt_and_print(
    file: Path,
    entry: str,
    write: bool,
    time_limit: float | None,
    force: bool,
    as_json: bool,
    run_python: bool = False,
    device: str | None = None,
    began_at: float | None = None,
) -> int:
    """Look at a file, print what was found, and write it beside the file if that is asked for; the exit code. Without a
    time limit each kernel has BUDGET_S, beside what is compiled once for all kernels. The time limit of the first
    kernel counts from `began_at`, seconds since the epoch; from now on for None.

    Raises:
        BadInputError: there is no such file, kernel or device, or what is to be written to is taken.
        FailedError: the process that ran its kernels came to no end.
    """
    if time_limit is not None:
        seconds("--time-limit", time_limit, MOST_LIMIT_S, _LEAST_S)
    if write:
        checked_out(beside_file(file), force, "--write")
    further = _further_device(device)
    printed: list[str] = []

    def print_part(part: Findings) -> None:
        for one in part.found[len(printed) :]:
            _print_finding(report_terminal(), one)
            printed.append(one.kernel)

    heard = None if as_json else print_part
    found = _looked(file, entry, time_limit, further, heard, began_at, may_run_python=run_python)
    if found.fault:
        raise BadInputError(found.fault)
    chosen = found.only or found.only_as_it_is
    written = None
    if write and chosen is not None and chosen.description is not None:
        try:
            written = write_sidecar(file, chosen.description, may_replace=force)
        except WriteError as error:
            raise FailedError(str(error)) from error
    if as_json:
        print_json(_document(file, found, written))
    else:
        print_part(found)
        _print_outcome(report_terminal(), file, found, written, entry, is_asked=write)
    return _CODES[found.outcome]


def _further_device(wanted: str | None) -> Device | None:
    """The device that `--device` names, None where that is the PTX machine as it is used anyway.

    Raises:
        BadInputError: there is no such device.
    """
    if wanted is None:
        return None
    with device_asked_for(wanted):
        device = find_device(wanted)
    return None if device.id == emulated().id else device


def _looked(
    file: Path,
    entry: str,
    time_limit: float | None,
    device: Device | None,
    print_part: Callable[[Findings], None] | None,
    began_at: float | None,
    *,
    may_run_python: bool,
) -> Findings:
    """What was found; `print_part` hears of kernels that are done meanwhile."""
    with RunProgress(1) as progress:
        progress.next()
        if time_limit is None and file.suffix in KERNEL_SUFFIXES and file.is_file():
            compiles_at = time.monotonic()
            tell_of_first_use(progress, is_confined=True)
            if began_at is not None:  # no kernel's own time
                began_at += time.monotonic() - compiles_at
        begin, budget_s = time.monotonic(), BUDGET_S if time_limit is None else time_limit

        def follow(step: AdoptionStep) -> None:
            """Show a step, and as what is done the part of the time limit that has passed."""
            passed_s = time.monotonic() - begin
            progress.advance(min(1.0, passed_s / (budget_s * max(1, step.kernels))))
            progress.say(f"of the time limit: {step.text or f'reading {file.name}'}")

        seen = 0

        def print_meanwhile(part: Findings) -> None:
            nonlocal seen
            if print_part is not None and len(part.found) > seen:
                seen = len(part.found)
                with progress.paused():
                    print_part(part)

        try:
            return look_confined(
                file,
                entry,
                budget_s,
                follow,
                may_run_python=may_run_python,
                device=device,
                has_hard_limit=time_limit is not None,
                began_at=began_at,
                on_part=print_meanwhile,
            )
        except AdoptError as error:
            is_kernel = file.is_file() and file.suffix in KERNEL_SUFFIXES
            raise FailedError(str(error)) if is_kernel else BadInputError(str(error)) from error


def _print_outcome(
    terminal: Terminal, file: Path, found: Findings, written: Path | None, entry: str, *, is_asked: bool
) -> None:
    """Print what was written, or what can be done with what was found."""
    if found.unseen and not entry:
        seen, every = len(found.found), len(found.kernels)
        terminal.print_words(f"Only the first {seen} of {every} kernels were looked at: choose another with --entry.")
    if (known := found.only_as_it_is) is not None:
        beside = beside_file(file).name
        is_in_parts = known.description is not None and known.description.partial_sums != "1"
        then = "`gemmviz run` then adds its parts." if is_in_parts else "`gemmviz trace` then shows what is wrong."
        said = f"Written to {written}" if written is not None else f"--write writes how it is launched to {beside}"
        terminal.print_words(f"Nothing was proven. {said}, marked as not verified: {then}")
    elif written is not None:
        terminal.print_words(f"Written to {written}.")
    elif len(found.proven) > 1:
        names = ", ".join(one.kernel for one in found.proven)
        terminal.print_words(f"Several kernels of {file.name} are products: {names}. Choose one with --entry.")
    elif found.only is not None and not is_asked:
        terminal.print_words(f"--write writes this to {beside_file(file).name} beside the file.", style="dim")
    elif not found.proven and file.suffix in KERNEL_SUFFIXES:
        describable = [one.kernel for one in found.found if one.is_describable]
        which = "it" if len(found.found) == 1 else listed(describable, _MOST_NAMED) if describable else ""
        which = f"one of {which}" if len(describable) > 1 else which
        how = f"describe it in {beside_file(file).name} or by options (`gemmviz run --help`)"
        terminal.print_words(f"Nothing was proven.{f' To run {which} all the same, {how}.' if describable else ''}")


def _print_finding(terminal: Terminal, one: KernelFinding) -> None:
    terminal.print_words((one.kernel, "bold"), f" (line {one.line}): {headline_of(one)}")
    for part in parts_of(one):
        for words in part.sentences:
            terminal.print_words(f"{part.lead}{words}", indent=2, style="dim" if part.is_aside else "")


def _document(file: Path, found: Findings, written: Path | None) -> dict[str, Any]:
    chosen = found.only or found.only_as_it_is
    description = chosen.description if chosen is not None else None
    return {
        "format": FORMAT,
        "file": str(file),
        "outcome": found.outcome.value,
        "verified": found.outcome is AdoptOutcome.VERIFIED,
        "kernel": found.only.kernel if found.only is not None else None,
        "kernels": [_entry(one) for one in found.found],
        "description": sidecar_text(description) if description is not None else None,
        "written": None if written is None else str(written),
    }


def _entry(one: KernelFinding) -> dict[str, Any]:
    description = one.description
    entry: dict[str, Any] = {
        "kernel": one.kernel,
        "line": one.line,
        "outcome": one.outcome.value,
        "verified": one.is_verified,
        "reasons": list(one.reasons),
        "notes": [*one.notes, *one.fixed, *one.left_out],
        "because": list(one.because),
        "checks": one.checks,
        "searched": [{"size": str(size.shape), "blocks": size.blocks, "of": size.of} for size in one.searched],
        "devices": list(one.devices),
    }
    if description is None:
        return entry
    return entry | {
        "summary": summary_of(description, one.right_sizes),
        "formula": description.formula,
        "template": list(description.template),
        "defines": dict(description.defines),
        "args": list(description.arguments),
        "operands": {
            name: {word: str(value) for word, value in asdict(description.storage(name)).items()}
            for name in ("A", "B", "C", "D")
            if name in description.arguments
        },
        "parameters": {
            one.name: {"choices": list(one.choices), "default": one.default} for one in description.parameters
        },
        "values_left_out": left_out_table(description.values_left_out),
        "replaces": list(description.replaced),
        "block": list(description.block),
        "grid": list(description.grid),
        "shared_bytes": description.shared_bytes,
        "constraints": [rule for rule, _ in rule_texts(description)],
        "otherwise": description.otherwise,
        "hazards": [
            {"kind": one.kind.value, "lines": list(one.lines), "detail": one.detail} for one in description.hazards
        ],
    }
