"""The races of a kernel as its host code launches it, where that is not as it is described and was right as well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import log2, prod
from pathlib import Path

from gemmviz.adopt.description import Description, FoundHazard
from gemmviz.adopt.finding import KernelFinding
from gemmviz.adopt.host_launch import HostLaunch
from gemmviz.adopt.prove.host.wrong_launches import WrongLaunch, with_wrong_launches
from gemmviz.adopt.prove.search_log import SearchLog
from gemmviz.adopt.reasons import NO_RACES_SEARCHED
from gemmviz.adopt.recordings.timed_recording import NOT_RECORDED, TimedRecording, record_in_time
from gemmviz.adopt.sidecar import sidecar_text
from gemmviz.adopt.words import hazards_shown, launch_words
from gemmviz.catalogue.loader import described_kernel
from gemmviz.compiler.ptx.arrivals import uses_arrivals
from gemmviz.domain.listing import listed
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm

_USUAL_PRODUCTS = 140 * 132 * 72
"""Of the size that is recorded: about as many as of the described launch."""
_MOST_PRODUCTS = 1 << 23
"""Of a recording of a whole grid."""
_SHARE = 0.5
"""Of the time that is left, for all launches together: further values of parameters are searched behind them."""


def with_races_of_launches(found: KernelFinding, path: Path, text: str, log: SearchLog) -> KernelFinding:
    """The finding with what recordings show of each launch that was right beside the described one: the first that is
    faulty is how the host code launches it `otherwise`, if nothing else is, and the others are notes; launches that
    could not be recorded, or not as a whole, leave the kernel in doubt.
    """
    description = found.description
    assert description is not None
    end, faults, unsearched = log.now() + _SHARE * log.left_s, list[WrongLaunch](), list[HostLaunch]()
    for launched in _each_once(description.launched):
        described = described_as(launched, description)
        hazards = _hazards_of(path, text, described, launched.shapes, log, end)
        if hazards is None:
            unsearched.append(launched)
        elif hazards:
            name = f"{launched.instance} with " if launched.instance else ""
            shown = hazards_shown(replace(described, hazards=hazards))
            words = f"line {launched.line} launches {name}{launch_words(described)}. With that launch {shown}"
            faults.append(WrongLaunch(launched.line, words))
    raced, notes = with_wrong_launches(description, faults)
    return replace(found, description=with_unsearched_launches(raced, unsearched), notes=(*found.notes, *notes))


def with_unsearched_launches(description: Description, launches: Sequence[HostLaunch]) -> Description:
    """The description with the launches of host code with which races were not looked for."""
    if not launches:
        return description
    lines = [str(line) for line in dict.fromkeys(one.line for one in launches)]
    launched = f"line {lines[0]} launches it" if len(lines) == 1 else f"lines {listed(lines)} launch it"
    words = f"{NO_RACES_SEARCHED} as {launched}"
    unsearched = " and ".join(filter(None, (description.unsearched, words)))
    return replace(description, unsearched=unsearched)


def described_as(launched: HostLaunch, description: Description) -> Description:
    """How a launch of host code launches a kernel, with the values that the file gives its parameters."""
    return Description(
        entry=description.entry,
        template=launched.template,
        defines=launched.defines,
        arguments=launched.arguments,
        storages=launched.storages,
        block=launched.block,
        grid=launched.grid,
        shared_bytes=launched.shared_bytes,
        adds_to_c=description.adds_to_c,
        times=description.times,
        kept=description.kept,
    )


def _each_once(launches: Sequence[HostLaunch]) -> list[HostLaunch]:
    """The launches without those that differ from an earlier one in nothing but their line."""
    return [*{replace(one, line=0, shapes=()): one for one in reversed(launches)}.values()][::-1]


def _hazards_of(
    path: Path, text: str, described: Description, shapes: Sequence[Shape], log: SearchLog, end: float
) -> tuple[FoundHazard, ...] | None:
    """What is wrong in recordings, as compiled and as written, at one of the sizes at which a launch was right; None
    where it cannot be recorded as a whole, or not in time.
    """
    if uses_arrivals(text):
        return None
    shape = min(shapes, key=lambda one: (min(one.m, one.n, one.k) < 2, abs(log2(_products(one) / _USUAL_PRODUCTS))))
    try:
        kernel = described_kernel(path, text, sidecar_text(described))
        for form in (None, CodeForm.AS_WRITTEN) if kernel.language.has_written_form else (None,):
            left_s = end - log.now()
            one: TimedRecording = record_in_time(
                kernel, shape, log, first_block_alone=_products(shape) > _MOST_PRODUCTS, form=form, within_s=left_s
            )
            if hazards := one.faults(f" (at {shape})"):
                return hazards
            if not one.is_whole:
                return None
    except NOT_RECORDED:
        return None
    return ()


def _products(shape: Shape) -> int:
    return prod((shape.m, shape.n, shape.k))
