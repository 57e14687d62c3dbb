"""A recording as a person reads it: the source line by line with its figures, totals, hazards. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gemmviz.catalogue.kernel_functions import kernel_functions, line_of_signature
from gemmviz.domain import figures
from gemmviz.domain.listing import listed
from gemmviz.domain.places import place_words
from gemmviz.domain.recordings.access import AccessKind, SkippedAccess, Space
from gemmviz.domain.recordings.executed import ExecutedSum, by_line
from gemmviz.domain.recordings.hazard import Hazard, HazardKind
from gemmviz.domain.recordings.machine_accesses import LineAccesses, MergedRequests, SharedMemoryCost
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.recordings.warp import LANES
from gemmviz.domain.runs.tables import format_params
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Params
from gemmviz.domain.terms import CodeForm, Evidence
from gemmviz.domain.visible_text import visible
from gemmviz.explain.forms.comparison import Change, FormComparison, LineForms
from gemmviz.explain.forms.sentences import change_sentence
from gemmviz.explain.runs.recorded_extent import blocks_words
from gemmviz.explain.source.line_costs import line_code
from gemmviz.explain.source.machine_words import (
    derived_cost,
    lines_words,
    machine_mark,
    machine_note,
    machine_sentences,
    merged_sentences,
)
from gemmviz.trace.counts.totals import LineCounts, Totals
from gemmviz.trace.explain import HelperLine, accesses_in_calls, helper_lines, lines_of, totals_of
from gemmviz.trace.register_sums import register_sums

HEADER_STARTS = ("/*---", '"""---')
HEADER_ENDS = ("---*/", '---"""')
TAB = 4
"""Columns a tabulator reaches to."""
NAMED = 4
"""Threads that a hazard names at most."""
SIGN = "!"
"""Stands before a hazard's name, beside colour and hatch."""
FORMS_TIP = "Show the recordings as written and as compiled side by side"
SEPARATOR = "  ·  "
"""Between the parts of a recording's title."""
SHARED_IN_SASS = "shared in SASS, derived"
"""The row of the totals whose figures are those of the lines, where SASS has other accesses than the PTX."""
NOT_RECORDED, NOT_COMPILED, FAILED = "not recorded", "does not compile", "failed while it ran"


@dataclass(frozen=True, slots=True)
class SourceLine:
    """One line of the kernel, from 1: what it cost (None: it touches no memory), what is wrong with it.

    `kinds` are those of its sites, `executed` its instructions where they were counted, `forms` what it does as written
    and as compiled where both are known, `form_sentences` what the compiler changed, `skipped` what was not recorded,
    `fault` what is wrong with it, "" for nothing, `fault_column` where, from 1, 0 for the whole line, and
    `fault_kind` that it does not compile, or that the kernel failed there while it ran. `shared_cost` is what is
    derived for its accesses to shared memory where SASS has others than the PTX.
    """

    number: int
    code: str
    counts: LineCounts | None = None
    shared_cost: SharedMemoryCost | None = None
    hazards: tuple[Hazard, ...] = ()
    skipped: tuple[SkippedAccess, ...] = ()
    kinds: frozenset[tuple[Space, AccessKind]] = frozenset()
    executed: ExecutedSum | None = None
    forms: LineForms | None = None
    form_sentences: tuple[str, ...] = ()
    fault: str = ""
    fault_column: int = 0
    fault_kind: str = NOT_COMPILED
    in_calls: tuple[str, ...] = ()
    """What code accesses that the line calls, of included files or shown at the lines that call it."""
    helper: HelperLine | None = None
    """Of a line whose accesses are shown at the lines that call it: these, and the sum."""
    machine: tuple[LineAccesses, ...] = ()
    """What it accesses in PTX and in SASS, where both are known."""
    merged: tuple[MergedRequests, ...] = ()
    """What merged accesses cost that it has a part in."""

    @property
    def mark(self) -> str:
        """What kind of fault it has, or the parts of its mark: `! race  ·  SASS: 128-bit`; "" for none."""
        return f"{SIGN} {self.fault_kind}" if self.fault else SEPARATOR.join(self.marks)

    @property
    def gpu_counts(self) -> LineCounts | None:
        """What it costs a GPU: the recorded counts, those of shared memory as SASS has them where that is derived."""
        cost = self.shared_cost
        if self.counts is None or cost is None:
            return self.counts
        ideal = cost.wavefronts - cost.excess
        return replace(self.counts, shared_requests=cost.requests, wavefronts=cost.wavefronts, ideal_wavefronts=ideal)

    @property
    def marks(self) -> tuple[str, ...]:
        """The parts of its mark: the hazards in words behind a sign, each kind once, or else that something was not
        recorded; then at which lines its accesses are counted, and what SASS has otherwise.
        """
        kinds = dict.fromkeys(kind_words(hazard) for hazard in self.hazards)
        said = f"{SIGN} {', '.join(kinds)}" if kinds else NOT_RECORDED if self.skipped else ""
        counted_at = f"counted at {lines_words(self.helper.callers)}" if self.helper is not None else ""
        return tuple(filter(None, (said, counted_at, machine_mark(self.machine))))

    @property
    def tip(self) -> str:
        """Everything about the line, for its tooltip and for a screen reader."""
        parts = [f"line {self.number}: {self.code.strip()}"]
        parts += [f"{SIGN} {self.fault_kind}: {self.fault}"] if self.fault else []
        parts += [f"{SIGN} {kind_words(hazard)}: {hazard.detail}" for hazard in self.hazards[:NAMED]]
        if len(self.hazards) > NAMED:
            parts.append(f"{SIGN} and {len(self.hazards) - NAMED} more")
        parts += [f"{NOT_RECORDED}: {skip.text}: {skip.reason}" for skip in self.skipped]
        parts += [f"calls {words}" for words in self.in_calls]
        parts += [helper_words(self.helper)] if self.helper is not None else []
        counts = self.counts
        if counts is not None and counts.global_requests:
            parts.append(
                f"global memory: {figures.counted(counts.global_requests, 'request')}, "
                f"{figures.counted(counts.sectors, 'sector')}, {counts.sectors_per_request:.2f} sectors per request, "
                f"{figures.counted(counts.bytes_asked, 'byte')} asked for, "
                f"{figures.count(counts.bytes_moved)} moved (recorded)"
            )
        if counts is not None and counts.shared_requests:
            parts.append(
                f"shared memory: {figures.counted(counts.shared_requests, 'request')}, "
                f"{figures.counted(counts.wavefronts, 'wavefront')}, "
                f"{figures.count(counts.excess_wavefronts)} of them excess (recorded)"
            )
        if self.executed is not None:
            of_all = f"{figures.percent(self.executed.share)} of all"
            parts.append(
                f"instructions: {figures.average(self.executed.per_warp)} per warp, {of_all}, "
                f"{self.executed.lanes:.1f} of {LANES} lanes active on average (recorded)"
            )
        return "\n".join(
            (*parts, *machine_sentences(self.machine), *merged_sentences(self.merged), *self.form_sentences)
        )


@dataclass(frozen=True, slots=True)
class TotalsRow:
    """Sums over all sites of a kind; "" where a figure has no meaning."""

    name: str
    requests: str
    sectors: str = ""
    per_request: str = ""
    wavefronts: str = ""
    excess: str = ""
    evidence: Evidence = Evidence.RECORDED


@dataclass(frozen=True, slots=True)
class MovedRow:
    """Bytes that move by no load or store instruction, so that there is no request to count."""

    name: str
    nbytes: str


def lines_of_text(text: str) -> tuple[str, ...]:
    """A source line by line as a compiler counts them: tabs as spaces, hidden characters written out, ends trimmed."""
    # str.splitlines also parts lines at form feeds and the like, which compilers do not.
    lines = text.replace("\r\n", "\n").split("\n")
    shown = lines if lines[-1] else lines[:-1]
    return tuple(visible(line.replace("\r", " ").expandtabs(TAB)).rstrip() for line in shown)


def plain_lines(text: str) -> tuple[SourceLine, ...]:
    """A source of which nothing is recorded."""
    return tuple(SourceLine(number, code) for number, code in enumerate(lines_of_text(text), 1))


def source_lines(trace: TraceRun, comparison: FormComparison | None = None) -> tuple[SourceLine, ...]:
    """The whole file with what was recorded of each line, and with both forms of it where they are compared. Writes of
    equal values mark no line: they are no fault.
    """
    marked = [one for one in trace.hazards if not one.kind.is_of_equal_values]
    forms = {line.line: line for line in comparison.lines} if comparison is not None else {}
    warps = trace.warps_recorded
    counts = {line.line: line for line in lines_of(trace)}
    executed = by_line(trace.executed, trace.warps_recorded)
    in_calls, helpers = accesses_in_calls(trace), {one.line: one for one in helper_lines(trace)}
    return tuple(
        replace(
            line,
            counts=counts.get(line.number),
            shared_cost=line_code(trace, line.number, Space.SHARED).cost,
            hazards=tuple(each for each in marked if line.number in lines_of_hazard(trace, each)),
            skipped=tuple(skip for skip in trace.skipped if skip.line == line.number),
            kinds=frozenset((site.space, site.kind) for site in trace.sites if site.line == line.number),
            executed=executed.get(line.number),
            forms=forms.get(line.number),
            form_sentences=_changes_of(forms.get(line.number), warps),
            in_calls=in_calls.get(line.number, ()),
            helper=helpers.get(line.number),
            machine=trace.machine.of_line(line.number) if trace.machine is not None else (),
            merged=trace.machine.merged_with(line.number) if trace.machine is not None else (),
        )
        for line in plain_lines(trace.source_text)
    )


def helper_words(helper: HelperLine) -> str:
    """At which lines the accesses of a function's line are counted, and their sum, in words."""
    counts = helper.counts
    parts = [f"{figures.counted(counts.global_requests, 'request')} to global memory"] if counts.global_requests else []
    if counts.shared_requests:
        parts.append(f"{figures.counted(counts.shared_requests, 'request')} to shared memory")
    total = f": {listed(parts)} in all" if parts else ""
    return f"counted at {lines_words(helper.callers)}, which {'call' if len(helper.callers) > 1 else 'calls'} it{total}"


def lines_of_hazard(trace: TraceRun, hazard: Hazard) -> frozenset[int]:
    """The lines, from 1, that have a part in a hazard: of a race those of both accesses."""
    sites = (trace.sites[index] for index in hazard.sites if index < len(trace.sites))
    return frozenset({hazard.line, *(site.line for site in sites)})


def _changes_of(forms: LineForms | None, warps: int) -> tuple[str, ...]:
    changes = forms.changes if forms is not None else ()
    return tuple(change_sentence(change, warps) for change in changes if change.change is not Change.KEPT)


def first_line(lines: Sequence[SourceLine]) -> int:
    """The first line behind the header and the empty lines after it; 1 in a file without one."""
    begin = next((line.code for line in lines if line.code), "")
    if not begin.startswith(HEADER_STARTS):
        return 1
    for line in lines:
        if line.code.strip() in HEADER_ENDS:
            return next((later.number for later in lines[line.number :] if later.code), 1)
    return 1


def opening_line(text: str, entry: str = "") -> int:
    """The line at which a file is opened: where the signature of its kernel begins, or without an `entry` that of its
    first kernel; where none is found, the first line behind the header.
    """
    named = entry or next(iter(kernel_functions(text)), "")
    return (line_of_signature(text, named) if named else 0) or first_line(plain_lines(text))


def title_of(trace: TraceRun, *, says_form: bool = False) -> str:
    """A recording's name in a list of several. The form is said where it is not as written, or with `says_form`."""
    says_form = says_form or trace.form is not CodeForm.AS_WRITTEN
    name = f"{trace.spec.kernel} {format_params(trace.spec.params)}".rstrip()
    return SEPARATOR.join((name, trace.spec.shape.words, *([str(trace.form)] if says_form else [])))


def titles_of_recordings(traces: Sequence[TraceRun]) -> tuple[str, ...]:
    """A name for each; of a kernel that is there in both forms every name says which it is."""
    forms: dict[tuple[str, Params, Shape], set[CodeForm]] = {}
    for trace in traces:
        forms.setdefault((trace.spec.kernel, trace.spec.params, trace.spec.shape), set()).add(trace.form)
    return tuple(
        title_of(trace, says_form=len(forms[trace.spec.kernel, trace.spec.params, trace.spec.shape]) > 1)
        for trace in traces
    )


def why_no_forms(trace: TraceRun | None, other: TraceRun | None) -> str:
    """Why a recording cannot be set beside its other form and what to do, in a sentence; "" where `other` is it."""
    if other is not None or trace is None:
        return ""
    missing = next(form for form in CodeForm if form is not trace.form)
    return (
        f"The session has no recording of the same blocks {missing}, by the same device. Press the arrow beside Record "
        "and choose Record both forms."
    )


def facts_of(trace: TraceRun, *, with_note: bool = False) -> str:
    """What was recorded, in one line; as compiled, with what that leaves open."""
    where = place_words(trace.device, trace.finished)
    accesses = figures.counted(trace.accesses, "access", "accesses")
    facts = f"{blocks_words(trace)} · {accesses} · {trace.recorded_words} on {where}"
    return f"{facts} · {machine_note(trace)}" if with_note and trace.form is CodeForm.AS_COMPILED else facts


def totals_rows(trace: TraceRun) -> tuple[TotalsRow, ...]:
    """Loads and stores of global memory; of shared memory, and copies past the registers, where there are any. What
    shared memory takes in SASS comes last, where merged accesses make that something else: lines have those figures.
    """
    totals = totals_of(trace)
    rows = []
    for name, requests, sectors in totals.of_global:
        each = f"{sectors / requests:.2f}" if requests else ""
        rows.append(TotalsRow(name, figures.count(requests), figures.count(sectors), each))
    for name, requests, wavefronts, ideal in totals.of_shared:
        excess = figures.count(wavefronts - ideal)
        rows.append(TotalsRow(name, figures.count(requests), wavefronts=figures.count(wavefronts), excess=excess))
    if totals.async_copy_requests or totals.async_copy_wavefronts:
        rows.append(_async_copies(totals))
    if (cost := derived_cost(trace)) is not None:
        in_all, taken, added = map(figures.count, (cost.requests, cost.wavefronts, cost.excess))
        rows.append(TotalsRow(SHARED_IN_SASS, in_all, "", "", taken, added, Evidence.DERIVED))
    return tuple(rows)


def moved_rows(trace: TraceRun) -> tuple[MovedRow, ...]:
    """What the TMA and the tensor cores move, each where there is any."""
    return tuple(MovedRow(name, figures.count(nbytes)) for name, nbytes in moved_bytes(trace) if nbytes)


def moved_bytes(trace: TraceRun) -> tuple[tuple[str, int], ...]:
    """The bytes that the TMA and the tensor cores move, with their names."""
    totals = totals_of(trace)
    return (
        ("TMA, from global", totals.copy_engine_bytes),
        ("TMA, into shared", totals.copy_engine_written_bytes),
        ("tensor cores, from shared", totals.tensor_core_bytes),
    )


def copies_note(trace: TraceRun) -> str:
    """What the figures of asynchronous copies count, in a sentence; "" where they write nothing to shared memory."""
    if not totals_of(trace).async_copy_wavefronts:
        return ""
    return (
        "Asynchronous copies: requests are reads of global memory, wavefronts are writes to shared memory. A warp's "
        "copy takes 1 wavefront for 4 bytes per lane and 4 for 16. Copies that only fill with zeros make wavefronts "
        "but no requests."
    )


def _async_copies(totals: Totals) -> TotalsRow:
    return TotalsRow(
        "async copies",
        figures.count(totals.async_copy_requests),
        figures.count(totals.async_copy_sectors),
        f"{totals.async_copy_sectors / max(totals.async_copy_requests, 1):.2f}",
        figures.count(totals.async_copy_wavefronts),
        figures.count(totals.async_copy_wavefronts - totals.async_copy_ideal_wavefronts),
    )


def kind_words(hazard: Hazard) -> str:
    """A hazard's kind as words."""
    return hazard.kind.words


def hazard_text(hazard: Hazard) -> str:
    """A hazard in three lines: kind and line, the first of them in a sentence, and where that was."""
    what = [kind_words(hazard)]
    if hazard.line:
        what.append(f"line {hazard.line}")
    if hazard.times_words:
        what.append(hazard.times_words)
    where = [hazard.block_words]
    if hazard.threads:
        several = "threads" if len(hazard.threads) > 1 else "thread"
        more = " …" if len(hazard.threads) > NAMED else ""
        where.append(f"{several} {', '.join(map(str, hazard.threads[:NAMED]))}{more}")
    if hazard.warp_words:
        where.append(hazard.warp_words)
    interval = f"between barriers {hazard.epoch} and {hazard.epoch + 1}"
    if interval not in hazard.detail:
        where.append(interval)
    return f"{' · '.join(what)}\n{hazard.detail}\n{' · '.join(where)}"


def first_of_interest(lines: tuple[SourceLine, ...]) -> int:
    """The number of the first line that has a hazard, or else touches memory; 0 for none."""
    hazardous = next((line.number for line in lines if line.hazards), 0)
    return hazardous or next((line.number for line in lines if line.counts), 0)


def outside_note(trace: TraceRun) -> str:
    """That accesses outside the arrays are counted, in a sentence; "" where there are none."""
    outside = sum(hazard.count for hazard in trace.hazards if hazard.kind is HazardKind.OUT_OF_BOUNDS)
    if not outside:
        return ""
    are = "is" if outside == 1 else "are"
    return f"{figures.counted(outside, 'access', 'accesses')} outside the arrays {are} counted like every other."


def notes_of(trace: TraceRun) -> tuple[str, ...]:
    """What explains the figures, in sentences: that they count accesses outside the arrays, what those of asynchronous
    copies count, which sums registers keep, how SASS differs from the PTX, and what the recording does not
    hold.
    """
    copies = copies_note(trace)
    skipped = [f"Not recorded: line {skip.line}, {skip.text}: {skip.reason}" for skip in trace.skipped]
    of_ptx = (machine_note(trace, says_cost=False),) if trace.form is CodeForm.AS_COMPILED else ()
    return (*filter(None, (outside_note(trace), copies)), *register_sums(trace), *of_ptx, *skipped)
