"""A recording as a person reads it: the source line by line with its figures, totals, hazards. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.domain import figures
from gemmviz.domain.hazard import Hazard
from gemmviz.domain.tables import format_params
from gemmviz.domain.trace_run import TraceRun
from gemmviz.gui.last_run import blocks_words
from gemmviz.trace.explain import lines_of, totals_of
from gemmviz.trace.totals import LineCounts

HEADER_END = "---*/"
TAB = 4
"""Columns a tabulator reaches to."""
NAMED = 4
"""Threads that a hazard names at most."""
PAST_BARRIERS = "Recorded with each thread running past the barriers: the kernel's control flow allows no other way."
SIGN = "!"
"""Stands before a hazard's name, beside colour and hatch."""


@dataclass(frozen=True, slots=True)
class SourceLine:
    """One line of the kernel, from 1, with what it cost (None: it touches no memory) and what is wrong with it."""

    number: int
    code: str
    counts: LineCounts | None = None
    hazards: tuple[Hazard, ...] = ()

    @property
    def requests(self) -> str:
        """Requests to global memory."""
        return figures.count(self.counts.global_requests) if self.counts and self.counts.global_requests else ""

    @property
    def sectors_per_request(self) -> str:
        return f"{self.counts.sectors_per_request:.2f}" if self.counts and self.counts.global_requests else ""

    @property
    def shared(self) -> str:
        """Wavefronts of requests to shared memory."""
        return figures.count(self.counts.wavefronts) if self.counts and self.counts.shared_requests else ""

    @property
    def excess(self) -> str:
        """Wavefronts that bank conflicts add."""
        return figures.count(self.counts.excess_wavefronts) if self.counts and self.counts.shared_requests else ""

    @property
    def mark(self) -> str:
        """The hazards in words behind a sign, each kind once; "" for none."""
        kinds = dict.fromkeys(kind_words(hazard) for hazard in self.hazards)
        return f"{SIGN} {', '.join(kinds)}" if kinds else ""

    @property
    def tip(self) -> str:
        """Everything about the line, for its tooltip and for a screen reader; "" for a line with nothing to tell."""
        parts = [f"line {self.number}: {self.code.strip()}"]
        counts = self.counts
        if counts is not None and counts.global_requests:
            parts.append(
                f"global memory: {self.requests} requests, {figures.count(counts.sectors)} sectors, "
                f"{self.sectors_per_request} sectors per request, {figures.count(counts.bytes_asked)} bytes asked for, "
                f"{figures.count(counts.bytes_fetched)} fetched (recorded)"
            )
        if counts is not None and counts.shared_requests:
            parts.append(
                f"shared memory: {figures.count(counts.shared_requests)} requests, {self.shared} wavefronts, "
                f"{self.excess} of them excess (recorded)"
            )
        parts += [f"{SIGN} {kind_words(hazard)}: {hazard.detail}" for hazard in self.hazards[:4]]
        return "\n".join(parts)


@dataclass(frozen=True, slots=True)
class TotalsRow:
    """Sums over all sites of a kind; "" where a figure has no meaning."""

    name: str
    requests: str
    sectors: str = ""
    per_request: str = ""
    wavefronts: str = ""
    excess: str = ""


def source_lines(trace: TraceRun) -> tuple[SourceLine, ...]:
    """The kernel from the first line behind its header."""
    counts = {line.line: line for line in lines_of(trace)}
    hazards: dict[int, list[Hazard]] = {}
    for hazard in trace.hazards:
        hazards.setdefault(hazard.line, []).append(hazard)
    source = trace.source_text.splitlines()
    return tuple(
        SourceLine(number, source[number - 1].expandtabs(TAB).rstrip(), counts.get(number),
                   tuple(hazards.get(number, ())))
        for number in range(first_line(source), len(source) + 1)
    )  # fmt: skip


def first_line(source: list[str]) -> int:
    """The first line behind the header and the empty lines after it; 1 in a file without one."""
    for number, line in enumerate(source, 1):
        if HEADER_END in line:
            while number < len(source) and not source[number].strip():
                number += 1
            return number + 1
    return 1


def title_of(trace: TraceRun) -> str:
    """A recording's name in a list of several."""
    return f"{trace.spec.kernel} {format_params(trace.spec.params)}".rstrip() + f"  ·  {trace.spec.shape}"


def facts_of(trace: TraceRun) -> str:
    """What was recorded, in one line."""
    return f"{blocks_words(trace)} · {figures.count(trace.accesses)} accesses · recorded on {trace.device.id}"


def totals_rows(trace: TraceRun) -> tuple[TotalsRow, ...]:
    """Loads and stores of global memory, and of shared memory where there are any."""
    totals = totals_of(trace)
    rows = []
    for name, requests, sectors in (
        ("global loads", totals.global_load_requests, totals.global_load_sectors),
        ("global stores", totals.global_store_requests, totals.global_store_sectors),
    ):
        each = f"{sectors / requests:.2f}" if requests else ""
        rows.append(TotalsRow(name, figures.count(requests), figures.count(sectors), each))
    for name, requests, wavefronts, ideal in (
        ("shared loads", totals.shared_load_requests, totals.shared_load_wavefronts,
         totals.shared_load_ideal_wavefronts),
        ("shared stores", totals.shared_store_requests, totals.shared_store_wavefronts,
         totals.shared_store_ideal_wavefronts),
    ):  # fmt: skip
        if requests:
            excess = figures.count(wavefronts - ideal)
            rows.append(TotalsRow(name, figures.count(requests), wavefronts=figures.count(wavefronts), excess=excess))
    return tuple(rows)


def kind_words(hazard: Hazard) -> str:
    """A hazard's kind as words."""
    return str(hazard.kind).replace("_", " ")


def hazard_text(hazard: Hazard) -> str:
    """A hazard in three lines: kind and line, the first of them in a sentence, and where that was."""
    what = [kind_words(hazard)]
    if hazard.line:
        what.append(f"line {hazard.line}")
    if hazard.count > 1:
        what.append(f"{figures.count(hazard.count)} times")
    where = [f"block {','.join(map(str, hazard.block))}"]
    if hazard.threads:
        several = "threads" if len(hazard.threads) > 1 else "thread"
        more = " …" if len(hazard.threads) > NAMED else ""
        where.append(f"{several} {', '.join(map(str, hazard.threads[:NAMED]))}{more}")
    where.append(f"epoch {hazard.epoch}")
    return f"{' · '.join(what)}\n{hazard.detail}\n{' · '.join(where)}"


def first_of_interest(lines: tuple[SourceLine, ...]) -> int:
    """The number of the first line that has a hazard, or else touches memory; 0 for none."""
    hazardous = next((line.number for line in lines if line.hazards), 0)
    return hazardous or next((line.number for line in lines if line.counts), 0)


def what_is_missing(trace: TraceRun) -> tuple[str, ...]:
    """What the recording does not hold, in sentences."""
    skipped = [f"Not recorded: line {skip.line}, {skip.text}: {skip.reason}" for skip in trace.skipped]
    return tuple([] if trace.keeps_barriers else [PAST_BARRIERS]) + tuple(skipped)
