"""The figures of one run and of one recording as lines of words, value and evidence. No Qt."""

from __future__ import annotations

import math
from dataclasses import replace

from gemmviz.catalogue.kernel_names import kernel_name
from gemmviz.domain import figures
from gemmviz.domain.device import HOST, Device, DeviceKind
from gemmviz.domain.kernels.examined_sweep import digest_of
from gemmviz.domain.kernels.version_names import VersionNames
from gemmviz.domain.places import place_words
from gemmviz.domain.recordings.access import Space
from gemmviz.domain.recordings.hazard import HazardKind, by_gravity
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.recordings.trace_tables import element_loads
from gemmviz.domain.runs.doubts import DOUBTS, EMULATED, doubt_of_device, doubts_of, marks_of
from gemmviz.domain.runs.result import RunResult, Session
from gemmviz.domain.runs.roof import compute_roof, newest_roofs
from gemmviz.domain.runs.roof_words import roof_words, throttle_sentence
from gemmviz.domain.runs.schedule import BlockSchedule
from gemmviz.domain.runs.tables import format_params
from gemmviz.domain.runs.whole_words import (
    MEANING,
    WAITING,
    parts_notes,
    spread_cells,
    spread_words,
    why_kernel_differs,
    why_launch_differs,
    why_whole_is_shorter,
)
from gemmviz.domain.runs.wrong_elements import wrong_notes
from gemmviz.domain.spec import RunSpec
from gemmviz.domain.terms import Evidence
from gemmviz.explain.figures.run_facts import facts_of
from gemmviz.explain.figures.timing.speedup import speedup_of
from gemmviz.explain.figures.traffic.recorded import ideal_words
from gemmviz.explain.runs.figure_lines import BY_RULES, Line, Section, ValueTone
from gemmviz.explain.runs.provenance import measured_on
from gemmviz.explain.runs.recorded_extent import blocks_words, loaders_words, searched_words
from gemmviz.explain.runs.reference import computed, reference_words
from gemmviz.explain.source.machine_words import differs_in, shared_cost_of
from gemmviz.gui.figures.gpu_section import limit_notes, lines_of_recorded
from gemmviz.gui.figures.printed import shown_lines, with_printed
from gemmviz.gui.figures.run_choice import LAST_RUN
from gemmviz.gui.work.last_work import Asked, LastWork
from gemmviz.gui.work.words import words_aside, words_for_empty
from gemmviz.trace.counts.totals import Totals
from gemmviz.trace.explain import totals_of

NO_RUN = "Nothing has run yet. Press Run. The newest result appears here."
_WAITED_TIP = "Median from launch to completion, with all waiting, by the host clock"
NO_TRACE = "Nothing is recorded yet. Press Record to see the memory accesses of the kernel."


def run_of(schedule: BlockSchedule, session: Session | None) -> RunResult | None:
    """The newest run of what a schedule is of: kernel, parameters, size and device; None where there is none."""
    wanted = schedule.spec
    return next(
        (
            run
            for run in reversed(session.runs if session is not None else ())
            if (run.spec.kernel, run.spec.params, run.spec.shape) == (wanted.kernel, wanted.params, wanted.shape)
            and run.device.name == schedule.device.name
        ),
        None,
    )


def run_section(
    run: RunResult | None,
    session: Session | None = None,
    last: LastWork | None = None,
    schedule: BlockSchedule | None = None,
    head: str = LAST_RUN,
) -> Section:
    """The figures of a run below a head, of the kernel of the `schedule` in view if one is; CPU runs to compare with
    are taken from the session. Without a run: what is going on.
    """
    head = head if schedule is None else "Run of the schedule's kernel"
    if run is None and schedule is not None:
        where = f"{schedule.spec.shape.words} on {schedule.device.short_name}"
        return Section(head, "", "", note=f"This session has no run of {_name(schedule.spec)} at {where}.")
    if run is None:
        return Section(head, "", "", note=words_for_empty(NO_RUN, last))
    spec, device = run.spec, run.device
    if run.is_emulated:
        detail, lines = _detail(spec, spec.shape.words, device.short_name), (_emulated(run), *_accuracy(run))
    else:
        detail = _detail(spec, spec.shape.words, f"{run.timing.mode} caches", device.short_name)
        lines = (*_times(run), *_of_the_roof(run, session), *_against_cpu(run, session), *_accuracy(run))
    legend = [f"{words}." for words in DOUBTS if any(words in line.tip for line in lines)]
    legend += filter(None, [why_whole_is_shorter(run.timing)])
    roofs = newest_roofs(session.roofs, device) if session is not None else None
    if roofs is not None and any(line.words == _roof_name(run) for line in lines):
        legend += filter(None, [throttle_sentence(roofs, run.arithmetic)])
    note = "\n".join(filter(None, (*legend, where_it_ran(device), *_place(run), _older_than_version(run, session))))
    return Section(head, _name(spec), detail, lines, with_printed(note, run.printed), shown_lines(run.printed))


def _older_than_version(run: RunResult, session: Session | None) -> str:
    """That another text ran than the one that was saved last, in a sentence; "" where that is not known. A text
    that was restored, and so saved again after the run, is the same text.
    """
    mine = [one for one in session.versions if one.kernel == run.spec.kernel] if session is not None else []
    newest = max(mine, key=lambda one: one.saved, default=None)
    if newest is None or len(mine) < 2 or "T" not in run.finished or run.finished >= newest.saved:
        return ""
    if run.source_digest == digest_of(newest.text):
        return ""
    names = session.version_names if session is not None else VersionNames(tuple(mine))
    return f"It ran before {names.of(newest)} was saved."


def _place(run: RunResult) -> tuple[str, ...]:
    return tuple(f"{words[:1].upper()}{words[1:]}." for words in measured_on([run]))


def recording_section(
    trace: TraceRun | None, last: LastWork | None = None, *, is_on_page: bool = False, version: str = ""
) -> Section:
    """The figures of a recording, the newest of its kernel unless it `is_on_page`, with the name of the `version` that
    was recorded. Without one: what is going on.
    """
    head = "Recorded" if trace is None else "Recording on the Memory page" if is_on_page else "Newest recording"
    if trace is None:
        return Section(head, "", "", note=words_aside(NO_TRACE, last, {Asked.RECORDING}))
    detail = _detail(trace.spec, version, trace.spec.shape.words, blocks_words(trace), str(trace.form))
    said = [f"Addresses recorded on {place_words(trace.device)}. {BY_RULES}", *_of_compiled(trace)]
    note = with_printed("\n".join(said), trace.printed)
    lines = (*_traffic(trace), *_loads(trace), *_hazards(trace), *lines_of_recorded(trace))
    return Section(head, _name(trace.spec), detail, lines, note, shown_lines(trace.printed))


def _of_compiled(trace: TraceRun) -> list[str]:
    """Who says what the kernel takes, and what allows no more blocks; [] where neither is known."""
    if not trace.resources.are_known:
        return []
    return [f"Registers and occupancy: as optimised for a run, {trace.compiler}.", *limit_notes(trace)]


def recording_of(kernel: str, session: Session) -> TraceRun | None:
    """The newest recording of a kernel in the session."""
    return next((trace for trace in reversed(session.traces) if trace.spec.kernel == kernel), None)


def where_it_ran(device: Device) -> str:
    """A sentence for times that need one: a GPU's kernel on a CPU."""
    doubt = doubt_of_device(device)
    if not doubt:
        return ""
    platform = "PoCL on the CPU" if device.is_pocl else device.name
    return f"{platform}: {doubt}."


def cpu_runs(run: RunResult, session: Session | None) -> tuple[RunResult, ...]:
    """The newest run of each CPU kernel with the same size, fill and seed, the fastest first."""
    newest: dict[str, RunResult] = {}
    for other in session.runs if session else ():
        spec = other.spec
        if other.device.backend == HOST and (spec.shape, spec.fill, spec.seed) == (
            run.spec.shape,
            run.spec.fill,
            run.spec.seed,
        ):
            newest[spec.kernel] = other
    return tuple(sorted(newest.values(), key=lambda other: other.timing.kernel_ms.median))


def _name(spec: RunSpec) -> str:
    return f"{spec.kernel} {format_params(spec.params)}".rstrip()


def _detail(spec: RunSpec, *parts: str) -> str:
    """The kernel's title, where it has one, and what else stands below its name."""
    return " · ".join(filter(None, (kernel_name(spec.kernel).title, *parts)))


def _emulated(run: RunResult) -> Line:
    """How long the PTX machine took, which is no measurement."""
    return Line("emulated in", figures.milliseconds(run.timing.kernel_ms.median), Evidence.MODELLED, EMULATED)


def _times(run: RunResult) -> list[Line]:
    timing, kernel_ms, device = run.timing, run.timing.kernel_ms, run.device
    kernel = "CPU kernel" if device.backend == HOST else "GPU kernel" if device.kind is DeviceKind.GPU else "kernel"
    clock = "host" if device.backend == HOST else "device"
    notes = [
        f"Median of {figures.counted(kernel_ms.n, 'sample')} on the {clock}'s clock, stopped by: {timing.stopped_by}"
    ]
    notes += _doubts(run)
    measured, time = Evidence.MEASURED, figures.milliseconds
    return [
        Line(_marked(kernel, run), time(kernel_ms.median), measured, "\n".join(notes)),
        *_spread("IQR", figures.spread(kernel_ms.iqr, kernel_ms.median, kernel_ms.n), "samples"),
        Line("rate", figures.flops(run.gflops), Evidence.DERIVED, "2·M·N·K / median kernel time"),
        Line(
            "waited",
            time(timing.host_clock_ms.median),
            measured,
            "\n".join(filter(None, (_WAITED_TIP, why_launch_differs(timing)))),
            begins_group=True,
        ),
        *_whole(run),
    ]


def _spread(words: str, value: str, of: str) -> list[Line]:
    """A line for an interquartile range; none where so few samples have none."""
    return [Line(words, value, Evidence.MEASURED, f"The spread of the middle half of the {of}")] if value != "–" else []


def _whole(run: RunResult) -> list[Line]:
    """The median end-to-end run, and its parts below it."""
    whole, time = run.timing.whole, figures.milliseconds
    if not whole.n:
        return []
    evidence = Evidence.DERIVED if whole.is_estimate else Evidence.MEASURED
    notes = (spread_words(whole), MEANING, *parts_notes([whole]))
    lines = [Line("end to end", time(whole.median), Evidence.MEASURED, "\n".join(notes), begins_group=True)]
    if not whole.is_estimate:
        lines += _spread(f"IQR of {figures.counted(whole.n, 'run')}", spread_cells(whole)[0], "end-to-end runs")
    if whole.are_parts_unknown:
        return [*lines, Line("parts", "unknown", None, "\n".join(parts_notes([whole])))]
    own = "The kernel's time in that launch, by the device clock"
    if whole.is_estimate:
        own = "The median of the kernel's own samples, by the device clock"
    tip = "\n".join(filter(None, (own, why_kernel_differs(run.timing))))
    rest = "Launching and waiting: the host time from launch to completion minus the kernel's time"
    return [
        *lines,
        Line("A and B in", time(whole.in_ms), Evidence.MEASURED, "A and B to the device"),
        Line("kernel part", time(whole.kernel_ms), evidence, tip),
        Line(WAITING, time(whole.waiting_ms), evidence, rest),
        Line("C out", time(whole.out_ms), Evidence.MEASURED, "C back from the device"),
    ]


def _roof_name(run: RunResult) -> str:
    return f"of the {run.arithmetic} roof"


def _of_the_roof(run: RunResult, session: Session | None) -> list[Line]:
    """Which part of the measured roof of its device and arithmetic the run reaches."""
    roofs = newest_roofs(session.roofs, run.device) if session is not None else None
    roof = compute_roof(roofs, run.arithmetic) if roofs is not None else None
    if roof is None or roofs is None:
        return []
    tip = f"The rate over the {roof_words(roofs, run.arithmetic)}"
    if held := throttle_sentence(roofs, run.arithmetic):
        tip += f"\n{held}"
    return [Line(_roof_name(run), figures.percent(run.gflops / roof), Evidence.DERIVED, tip, begins_group=True)]


def _doubts(*runs: RunResult) -> list[str]:
    """What makes the times of any of these runs doubtful."""
    timings = [run.timing for run in runs]
    found = {doubt for one in timings for doubt in doubts_of(one.kernel_ms, one.stopped_by, one.gauges)}
    return [doubt for doubt in DOUBTS if doubt in found]


def _marked(words: str, *runs: RunResult) -> str:
    """Words with the marks of what makes the times of these runs doubtful."""
    return f"{words} {marks_of(_doubts(*runs))}".rstrip()


def _against_cpu(run: RunResult, session: Session | None) -> list[Line]:
    """The fastest and the slowest CPU kernel, and how many times faster this run is than each."""
    found = cpu_runs(run, session)
    own = run.timing.kernel_ms.median
    lines: list[Line] = []
    for which, other in zip(("fastest", "slowest"), dict.fromkeys(found[:1] + found[-1:]), strict=False):
        if other is run:
            continue
        name, median = other.spec.kernel, other.timing.kernel_ms.median
        tip = f"The {which} kernel on the CPU with this size, fill and seed" if len(found) > 1 else "On the CPU"
        tip = "\n".join((tip, *_doubts(other)))
        time = figures.milliseconds(median)
        lines.append(Line(_marked(name, other), time, Evidence.MEASURED, tip, begins_group=not lines))
        if own > 0:
            ratio = speedup_of(*facts_of((run, other))).range
            tip = "\n".join((f"Speed-up: the median time of {name} divided by that of this run", *_doubts(run, other)))
            lines.append(Line(_marked(f"× {name}", run, other), ratio, Evidence.DERIVED, tip))
    return lines


def _accuracy(run: RunResult) -> list[Line]:
    accuracy, derived = run.accuracy, Evidence.DERIVED
    used = accuracy.max_error_over_ug / accuracy.bound if accuracy.bound > 0 else math.nan
    largest = (
        "The largest error of an element as a share of the allowed bound: "
        f"{figures.error_formula(accuracy.max_error_over_ug, accuracy.bound)}"
    )
    check = [
        f"Against {'random projections' if accuracy.method == 'freivalds' else f'{computed(run.spec)} in float64'}"
    ]
    if accuracy.unwritten:
        check.append(f"Never written: {figures.counted(accuracy.unwritten, 'element')} of C")
    check += wrong_notes(run)
    passed = accuracy.passed
    return [
        Line(
            "relative error",
            figures.scientific(run.accuracy.relative_frobenius),
            derived,
            f"‖C−R‖ / ‖R‖. {reference_words([run.spec])}",
            begins_group=True,
        ),
        Line("error / bound", figures.percent(used, 2), derived, largest),
        Line(
            "check",
            "passed" if passed else "WRONG",
            derived,
            "\n".join(check),
            ValueTone.GOOD if passed else ValueTone.WRONG,
        ),
    ]


def _traffic(trace: TraceRun) -> list[Line]:
    totals, recorded = totals_of(trace), Evidence.RECORDED
    requests = totals.global_requests
    each = f"{totals.sectors_per_request:.2f}" if requests else "none"
    lines = [
        Line(
            "global requests",
            figures.count(requests),
            recorded,
            "Warp requests: loads, stores and async copies",
        ),
        Line("sectors / request", each, recorded, "32-byte sectors: 4 is one full row of 32 floats, 32 the worst"),
        _bytes("bytes asked", totals.bytes_asked, recorded, "Distinct bytes of each request", begins_group=True),
        _bytes("bytes moved", totals.bytes_moved, recorded, "32 for each sector that is read or written"),
    ]
    if totals.bytes_ideal is not None:
        lines.append(_bytes("bytes ideal", totals.bytes_ideal, Evidence.DERIVED, ideal_words(trace)))
    return [*lines, *_excess(trace, totals)] if totals.wavefronts else lines


def _excess(trace: TraceRun, totals: Totals) -> list[Line]:
    """Wavefronts that bank conflicts add: where the machine code has other accesses, first as a GPU has them."""
    name, added = "excess wavefronts", "Wavefronts that bank conflicts add; {} in all"
    tip = added.format(figures.counted(totals.wavefronts, "wavefront"))
    of_ptx = Line(name, figures.count(totals.excess_wavefronts), Evidence.RECORDED, tip, begins_group=True)
    if not differs_in(trace.machine, Space.SHARED):
        return [of_ptx]
    cost = shared_cost_of(trace.machine, totals)
    unknown = "SASS has other accesses to shared memory, and what all of these cost does not follow from the recording"
    of_sass = Line(f"{name} in SASS", "unknown", None, unknown, begins_group=True)
    if cost is not None:
        tip_of_sass = f"{added.format(figures.counted(cost.wavefronts, 'wavefront'))}, of the machine code of a GPU"
        of_sass = replace(of_sass, value=figures.count(cost.excess), evidence=Evidence.DERIVED, tip=tip_of_sass)
    tip = f"{tip}, as the PTX says: a GPU runs the SASS"
    return [of_sass, replace(of_ptx, words=f"{name} in PTX", tip=tip, begins_group=False)]


def _bytes(words: str, nbytes: int, evidence: Evidence, meaning: str, begins_group: bool = False) -> Line:
    tip = f"{meaning}: {figures.count(nbytes)} bytes"
    return Line(words, figures.size(nbytes), evidence, tip, begins_group=begins_group)


def _loads(trace: TraceRun) -> list[Line]:
    lines = []
    for name, loads in (("A", trace.a_loads), ("B", trace.b_loads)):
        found = element_loads(loads)
        value = f"{found.median:g}" + ("" if found.min == found.max else f" ({found.min} to {found.max})")
        tip = f"How often {loaders_words(trace)} loaded an element, if at all:\n{found.median:g} {found.median_words}"
        lines.append(Line(f"loads / element of {name}", value, Evidence.RECORDED, tip, begins_group=name == "A"))
    return lines


def _hazards(trace: TraceRun) -> list[Line]:
    """One line for each kind of hazard that was found."""
    if not trace.hazards:
        return [
            Line("hazards", "none", Evidence.RECORDED, f"No hazards found {searched_words(trace)}", begins_group=True)
        ]
    kinds = dict.fromkeys(hazard.kind for hazard in by_gravity(trace.hazards))
    return [_hazard_line(trace, kind, first=place == 0) for place, kind in enumerate(kinds)]


def _hazard_line(trace: TraceRun, kind: HazardKind, first: bool) -> Line:
    found = [hazard for hazard in by_gravity(trace.hazards) if hazard.kind is kind]
    told = "No fault" if kind.is_of_equal_values else "A hazard"
    tip = "\n".join([told, *(f"line {hazard.line}: {hazard.detail}" for hazard in found[:4])])
    if kind.is_of_equal_values:
        return Line(kind.words, str(len(found)), Evidence.RECORDED, tip, begins_group=first)
    return Line(kind.words, f"! {len(found)}", Evidence.RECORDED, tip, ValueTone.WRONG, begins_group=first)
