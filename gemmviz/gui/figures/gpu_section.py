"""The figures that a GPU, its compiler and its sensors report of a run, and the compiler of a recording. No Qt."""

from __future__ import annotations

import numpy as np

from gemmviz.catalogue.gpus import target_of_machine
from gemmviz.domain import figures
from gemmviz.domain.kernels.capability import architecture_words
from gemmviz.domain.kernels.occupancy_words import limit_words, limited_by_short
from gemmviz.domain.kernels.resources import occupancy, shared_bytes_of
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.moved import gb_per_s_words, moved_bytes
from gemmviz.domain.runs.result import FloatColumn, RunResult, Session
from gemmviz.domain.runs.roof import newest_roofs
from gemmviz.domain.spec import Launch
from gemmviz.domain.terms import Evidence
from gemmviz.explain.runs.figure_lines import Line, Section, ValueTone

HEAD, HEAD_EMULATED = "On the GPU", "As compiled for the GPU"
BY_COMPILER = "Reported by the compiler"


def gpu_section(run: RunResult | None, session: Session | None = None) -> Section | None:
    """What was reported about a run; None where it did not run on a GPU, or nothing was reported."""
    if run is None or not (run.resources.are_known or run.timing.gauges.count or run.timing.pinned.n):
        return None
    lines = (*resource_lines(run), *_waves(run), *_gauged(run), *_moved(run), *_floor(run, session))
    architecture = architecture_words(run.device.gpu_facts)
    driver = f"driver {run.device.driver}" if run.device.driver else ""
    detail = " · ".join(filter(None, (architecture, driver))) if architecture else run.device.driver
    head, title = (HEAD_EMULATED, target_of_machine(run.device)) if run.is_emulated else (HEAD, run.device.name)
    return Section(head, title, detail, lines, "\n".join((*limit_notes(run), *_throttle_notes(run))))


def lines_of_recorded(trace: TraceRun) -> list[Line]:
    """What a recorded kernel takes as compiled for a run, and how many of its blocks fit on a multiprocessor."""
    return resource_lines(trace, trace.compiler) if trace.resources.are_known else []


def resource_lines(run: RunResult | TraceRun, compiler: str = BY_COMPILER) -> list[Line]:
    """What a kernel takes of a GPU, as `compiler` says, and how many blocks fit on a multiprocessor, where known."""
    return [*_taken(run, compiler), *_fitting(run)]


def _taken(run: RunResult | TraceRun, compiler: str) -> list[Line]:
    """What a thread and a block take, as the compiler says."""
    taken, launch, derived = run.resources, run.launch, Evidence.DERIVED
    shared = shared_bytes_of(taken, launch)
    lines = []
    if taken.are_known:
        spilled = taken.spill_store_bytes or taken.spill_load_bytes
        tip = (
            f"{compiler}: a thread stores {figures.count(taken.spill_store_bytes)} and loads "
            f"{figures.count(taken.spill_load_bytes)} bytes, because registers ran out; "
            f"{figures.count(taken.local_bytes)} bytes of local memory in all"
        )
        lines += [
            Line(
                "registers",
                figures.count(taken.registers),
                derived,
                f"{compiler}, of a thread",
                begins_group=isinstance(run, TraceRun),
            ),
            Line(
                "spills",
                figures.counted(taken.spill_store_bytes, "byte") if spilled else "none",
                derived,
                tip,
                ValueTone.WRONG if spilled else ValueTone.PLAIN,
            ),
        ]
    if taken.are_known or shared:  # a library does not tell what its kernels take
        lines.append(Line("shared", figures.size(shared), derived, _shared_tip(shared, launch)))
    return lines


def _shared_tip(shared: int, launch: Launch) -> str:
    dynamic = launch.dynamic_shared_bytes
    parts = f"{figures.count(shared - dynamic)} static, {figures.count(dynamic)} dynamic"
    return f"{figures.count(shared)} bytes of shared memory for a block: {parts}"


def _fitting(run: RunResult | TraceRun) -> list[Line]:
    """How many blocks fit on a unit at once, and why no more."""
    facts = run.device.gpu_facts
    found = occupancy(run.resources, run.launch, facts)
    if found is None:
        return []
    limits = "\n".join(limit_words(run.resources, run.launch, facts))
    tip = f"Theoretical: {found.warps} of {found.most_warps} warps fit on a multiprocessor\n{limits}"
    by = limited_by_short(run.resources, run.launch, facts)
    return [
        Line("occupancy", figures.percent(found.fraction), Evidence.DERIVED, tip, begins_group=True),
        Line("limited by", by, Evidence.DERIVED, limits),
        Line("blocks / SM", str(found.blocks), Evidence.DERIVED, limits),
    ]


def _waves(run: RunResult) -> list[Line]:
    """How often all multiprocessors are filled with blocks."""
    found = occupancy(run.resources, run.launch, run.device.gpu_facts)
    if found is None:
        return []
    units, blocks = run.device.compute_units, run.launch.blocks
    waves = blocks / (found.blocks * units) if found.blocks and units else 0.0
    tip = f"{figures.count(blocks)} blocks on {units} multiprocessors, {found.blocks} each; a partial last wave "
    return [Line("waves", figures.number(waves), Evidence.DERIVED, f"{tip}leaves some idle")]


def _gauged(run: RunResult) -> list[Line]:
    """Medians of what was read beside the samples."""
    gauges = run.timing.gauges
    if not gauges.count:
        return []
    held, reasons = int(gauges.throttled.sum()), ", ".join(gauges.throttles)
    held_words = f"{held} of {gauges.count}" if held else "none"
    held_tip = f"Samples taken while the clock was throttled: {reasons}" if held else "The clock was not throttled"
    clock = figures.megahertz(float(np.median(gauges.clock_mhz)))
    least = figures.megahertz(float(gauges.clock_mhz.min()))
    memory = f"memory at {figures.megahertz(float(np.median(gauges.memory_clock_mhz)))}"
    most = f"the device's highest is {figures.megahertz(run.device.clock_mhz)}; {memory}"
    measured = Evidence.MEASURED
    return [
        Line("clock", clock, measured, f"Median during the samples; {most}", begins_group=True),
        Line("lowest clock", least, measured, "The lowest during a sample"),
        Line("temperature", f"{np.median(gauges.temperature_c):.0f} °C", measured, _span(gauges.temperature_c, "°C")),
        Line("power", f"{np.median(gauges.power_w):.0f} W", measured, _span(gauges.power_w, "W")),
        Line("throttled", held_words, measured, held_tip, ValueTone.WRONG if held else ValueTone.PLAIN),
    ]


def _span(values: FloatColumn, unit: str) -> str:
    return f"Median reading during the samples; from {values.min():.0f} to {values.max():.0f} {unit}"


def _moved(run: RunResult) -> list[Line]:
    """Transfers from page-locked memory."""
    whole, from_pinned, measured = run.timing.whole, run.timing.pinned, Evidence.MEASURED
    if not from_pinned.n:
        return []
    lines: list[Line] = []
    for words, nbytes, pinned, pageable in zip(
        ("in, pinned", "out, pinned"),
        moved_bytes(run),
        (from_pinned.in_ms, from_pinned.out_ms),
        (whole.in_ms, whole.out_ms),
        strict=True,
    ):
        tip = f"{figures.size(nbytes)} from page-locked memory at {gb_per_s_words(nbytes, pinned)}"
        if pageable > 0:
            tip += f"; from pageable memory {figures.milliseconds(pageable)}, {gb_per_s_words(nbytes, pageable)}"
        lines.append(Line(words, figures.milliseconds(pinned), measured, tip, begins_group=not lines))
        lines.append(Line("as a rate", gb_per_s_words(nbytes, pinned), Evidence.DERIVED, tip))
    return lines


def _floor(run: RunResult, session: Session | None) -> list[Line]:
    roofs = newest_roofs(session.roofs, run.device) if session is not None else None
    if roofs is None or not roofs.floor_ms:
        return []
    tip = "The time of a kernel that does nothing, the shortest time a launch can take"
    return [Line("empty kernel", figures.milliseconds(roofs.floor_ms), Evidence.MEASURED, tip, begins_group=True)]


def limit_notes(run: RunResult | TraceRun) -> list[str]:
    """What allows no more blocks on a multiprocessor, with its arithmetic."""
    found = occupancy(run.resources, run.launch, run.device.gpu_facts)
    limits = limit_words(run.resources, run.launch, run.device.gpu_facts)
    tightest = [words for words in limits if found is not None and words.partition(":")[0] in found.limited_by]
    return [f"No more blocks fit by {words}." for words in tightest]


def _throttle_notes(run: RunResult) -> list[str]:
    gauges = run.timing.gauges
    if not gauges.throttled.any():
        return []
    share = figures.percent(float(gauges.throttled.mean()), 2)
    return [f"The clock was throttled in {share} of the samples: {', '.join(gauges.throttles)}."]
