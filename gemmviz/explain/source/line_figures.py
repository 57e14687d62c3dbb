"""The figures of a line of source: their text, their share of the kernel's total, what they mean in words. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum

from gemmviz.domain import figures
from gemmviz.domain.recordings.access import SECTOR_BYTES, Space
from gemmviz.domain.recordings.executed import ExecutedSum
from gemmviz.domain.recordings.warp import LANES
from gemmviz.domain.terms import CodeForm, Evidence
from gemmviz.explain.forms.comparison import FormFigures, LineForms
from gemmviz.explain.source.machine_words import code_words
from gemmviz.explain.source.recorded_lines import SourceLine
from gemmviz.trace.counts.totals import LineCounts

MILLION = 1_000_000


class LineFigureKind(StrEnum):
    """What may stand beside a line."""

    GLOBAL_REQUESTS = "global"
    SHARED_REQUESTS = "shared"
    SECTORS_PER_REQUEST = "sect/req"
    WAVEFRONTS = "wavefr."
    EXCESS = "excess"
    BYTES_ASKED = "asked"
    BYTES_MOVED = "moved"
    INSTRUCTIONS = "instr."
    ACTIVE_LANES = "lanes"
    REQUESTS_WRITTEN = "written"
    REQUESTS_COMPILED = "compiled"
    INSTRUCTIONS_WRITTEN = "instr. writ."
    INSTRUCTIONS_COMPILED = "instr. comp."


class FigureSet(Enum):
    """Figures that are shown together."""

    COST = "sectors per request · excess wavefronts"
    REQUESTS = "requests"
    SECTORS = "sectors per request"
    EXCESS = "excess wavefronts"
    BYTES = "bytes asked · moved"
    INSTRUCTIONS = "instructions · lanes"
    FORMS = "written · compiled"
    ALL = "all figures"

    @property
    def figures(self) -> tuple[LineFigureKind, ...]:
        """In the order of their columns."""
        return _SETS[self]

    @property
    def short(self) -> str:
        """The heads of the columns, shorter than a value of two parts."""
        return " · ".join(self.figures) if self is FigureSet.COST else self.value


_SETS = {
    FigureSet.COST: (LineFigureKind.SECTORS_PER_REQUEST, LineFigureKind.EXCESS),
    FigureSet.REQUESTS: (LineFigureKind.GLOBAL_REQUESTS, LineFigureKind.SHARED_REQUESTS),
    FigureSet.SECTORS: (LineFigureKind.SECTORS_PER_REQUEST,),
    FigureSet.EXCESS: (LineFigureKind.WAVEFRONTS, LineFigureKind.EXCESS),
    FigureSet.BYTES: (LineFigureKind.BYTES_ASKED, LineFigureKind.BYTES_MOVED),
    FigureSet.INSTRUCTIONS: (LineFigureKind.INSTRUCTIONS, LineFigureKind.ACTIVE_LANES),
    FigureSet.FORMS: (
        LineFigureKind.REQUESTS_WRITTEN,
        LineFigureKind.REQUESTS_COMPILED,
        LineFigureKind.INSTRUCTIONS_WRITTEN,
        LineFigureKind.INSTRUCTIONS_COMPILED,
    ),
    FigureSet.ALL: tuple(LineFigureKind),
}


FORM_REQUESTS = (LineFigureKind.REQUESTS_WRITTEN, LineFigureKind.REQUESTS_COMPILED)


@dataclass(frozen=True, slots=True)
class FigureMeaning:
    """What a figure means: `name` in a sentence, `words` what it says, `counter` what it is on hardware.

    `weight` is what its share is the share of; `share_of` names that. In a `counter`, {op} is ld or st, and {form} says
    of which form of the kernel the figure is. `space` is None of figures about instructions, which have no weight here.
    """

    space: Space | None
    evidence: Evidence
    name: str
    words: str
    weight: Callable[[LineCounts], int]
    share_of: str
    counter: str


_REQUEST = "One request is one access by the 32 threads of a warp at once."
_SECTORS = "l1tex__t_sectors_pipe_lsu_mem_global_op_{op}.sum"
_REQUESTS = "l1tex__t_requests_pipe_lsu_mem_global_op_{op}.sum"
_WAVEFRONTS = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{op}.sum"


_INSTRUCTIONS = "smsp__inst_executed.sum over the warps; it counts machine instructions"
_BUILT = "of a kernel that was built with -G"


def _no_weight(counts: LineCounts) -> int:
    del counts
    return 0


MEANINGS = {
    LineFigureKind.GLOBAL_REQUESTS: FigureMeaning(
        Space.GLOBAL,
        Evidence.RECORDED,
        "requests to global memory",
        _REQUEST,
        lambda c: c.global_requests,
        "requests to global memory",
        _REQUESTS,
    ),
    LineFigureKind.SHARED_REQUESTS: FigureMeaning(
        Space.SHARED,
        Evidence.RECORDED,
        "requests to shared memory",
        _REQUEST,
        lambda c: c.shared_requests,
        "requests to shared memory",
        "none that counts requests {form}; compare wavefronts",
    ),
    LineFigureKind.SECTORS_PER_REQUEST: FigureMeaning(
        Space.GLOBAL,
        Evidence.RECORDED,
        "sectors per request",
        "A request moves whole sectors: aligned pieces of 32 bytes of global memory. A row of 32 floats takes 4.",
        lambda c: c.sectors,
        "sectors",
        f"{_SECTORS} / {_REQUESTS}",
    ),
    LineFigureKind.WAVEFRONTS: FigureMeaning(
        Space.SHARED,
        Evidence.RECORDED,
        "wavefronts",
        "A wavefront is one pass through shared memory; lanes that want different words of one bank need several.",
        lambda c: c.wavefronts,
        "wavefronts",
        _WAVEFRONTS,
    ),
    LineFigureKind.EXCESS: FigureMeaning(
        Space.SHARED,
        Evidence.RECORDED,
        "excess wavefronts",
        "Extra passes through shared memory caused by bank conflicts; 0 is best.",
        lambda c: c.excess_wavefronts,
        "excess wavefronts",
        f"{_WAVEFRONTS} less the ideal; counters of bank conflicts also count lost arbitration",
    ),
    LineFigureKind.BYTES_ASKED: FigureMeaning(
        Space.GLOBAL,
        Evidence.RECORDED,
        "bytes asked for",
        "The distinct bytes that each request accesses, summed.",
        lambda c: c.bytes_asked,
        "bytes asked for",
        "none; they follow from the addresses",
    ),
    LineFigureKind.BYTES_MOVED: FigureMeaning(
        Space.GLOBAL,
        Evidence.DERIVED,
        "bytes moved",
        "Bytes of all sectors read or written for requests to global memory, used or not.",
        lambda c: c.bytes_moved,
        "bytes moved",
        f"{SECTOR_BYTES} · {_SECTORS}, but for copies past L1",
    ),
    LineFigureKind.INSTRUCTIONS: FigureMeaning(
        None,
        Evidence.RECORDED,
        "instructions per warp",
        "Instructions of the PTX that a warp executed on average.",
        _no_weight,
        "instructions",
        "smsp__inst_executed.sum over the warps; it counts machine instructions, which the assembler makes of these",
    ),
    LineFigureKind.ACTIVE_LANES: FigureMeaning(
        None,
        Evidence.RECORDED,
        "active lanes",
        f"Lanes of the {LANES} of a warp that ran an instruction, on average. Branches and unused lanes leave fewer.",
        _no_weight,
        "idle lanes of instructions",
        "smsp__thread_inst_executed_per_inst_executed.ratio, of machine instructions",
    ),
    LineFigureKind.REQUESTS_WRITTEN: FigureMeaning(
        None,
        Evidence.RECORDED,
        "requests as written",
        f"Requests to global and shared memory. {_REQUEST}",
        _no_weight,
        "requests",
        f"{_REQUESTS}, {_BUILT}; none that counts requests to shared memory",
    ),
    LineFigureKind.REQUESTS_COMPILED: FigureMeaning(
        None,
        Evidence.RECORDED,
        "requests as compiled",
        f"Requests to global and shared memory. {_REQUEST}",
        _no_weight,
        "requests",
        f"{_REQUESTS}; none that counts requests to shared memory",
    ),
    LineFigureKind.INSTRUCTIONS_WRITTEN: FigureMeaning(
        None,
        Evidence.RECORDED,
        "instructions per warp as written",
        "Instructions of the PTX that a warp executed on average, compiled line by line as for a debugger.",
        _no_weight,
        "instructions",
        f"{_INSTRUCTIONS}, {_BUILT}",
    ),
    LineFigureKind.INSTRUCTIONS_COMPILED: FigureMeaning(
        None,
        Evidence.RECORDED,
        "instructions per warp as compiled",
        "Instructions of the PTX that a warp executed on average, optimised as for a run.",
        _no_weight,
        "instructions",
        _INSTRUCTIONS,
    ),
}


@dataclass(frozen=True, slots=True)
class LineFigure:
    """A figure beside a line: its text, and `value` with all digits.

    `share`, 0 to 1, is that of the kernel's total; `explanation` has several lines, the first a headline.
    """

    text: str
    value: float
    share: float
    explanation: str


Row = dict[LineFigureKind, LineFigure]
"""What stands beside one line."""


def figures_of(lines: Sequence[SourceLine], scope: str, form: CodeForm = CodeForm.AS_WRITTEN) -> tuple[Row, ...]:
    """The figures of each line; `scope` says what was recorded ("1 of 4 blocks"), `form` in which form of the code."""
    counts = [counted for line in lines if (counted := line.gpu_counts) is not None]
    totals = {figure: sum(map(meaning.weight, counts)) for figure, meaning in MEANINGS.items()}
    idle = sum(_idle(line.executed) for line in lines if line.executed is not None)
    wholes = _form_totals(lines)
    return tuple(
        {
            figure: _figure(figure, line, counted, totals[figure], scope, form)
            for figure in LineFigureKind
            if line.counts is not None and _requests(figure, line.counts) and (counted := line.gpu_counts) is not None
        }
        | (_of_warps(line.executed, idle, scope, form) if line.executed is not None else {})
        | (_of_forms(line.forms, line.form_sentences, wholes, scope) if line.forms is not None else {})
        for line in lines
    )


def _of_warps(executed: ExecutedSum, idle: float, scope: str, form: CodeForm) -> Row:
    """What a line makes warps execute; `idle` are the idle lanes of all lines."""
    idle_share = _idle(executed) / idle if idle else 0.0
    row: Row = {}
    for figure, value, share in (
        (LineFigureKind.INSTRUCTIONS, executed.per_warp, executed.share),
        (LineFigureKind.ACTIVE_LANES, executed.lanes, idle_share),
    ):
        meaning = MEANINGS[figure]
        text = f"{value:.1f}" if figure is LineFigureKind.ACTIVE_LANES else figures.average(value)
        parts = [f"{text} {meaning.name} · {meaning.evidence}", meaning.words]
        if share:
            parts.append(f"{_percent(share)} of the {meaning.share_of} of all lines; {scope} recorded.")
        parts += [f"Hardware counter: {meaning.counter}.", form.meaning]
        row[figure] = LineFigure(text, value, share, "\n".join(parts))
    return row


_FORM_PAIRS: tuple[tuple[LineFigureKind, LineFigureKind, Callable[[FormFigures], float]], ...] = (
    (LineFigureKind.REQUESTS_WRITTEN, LineFigureKind.REQUESTS_COMPILED, lambda one: one.requests),
    (LineFigureKind.INSTRUCTIONS_WRITTEN, LineFigureKind.INSTRUCTIONS_COMPILED, lambda one: one.instructions or 0.0),
)


def _form_totals(lines: Sequence[SourceLine]) -> tuple[float, ...]:
    """For each of the pairs the sum over all lines in the form that has more, so that two bars of a line compare."""
    forms = [line.forms for line in lines if line.forms is not None]
    return tuple(
        max(sum(value(one.written) for one in forms), sum(value(one.compiled) for one in forms))
        for _, _, value in _FORM_PAIRS
    )


def _of_forms(forms: LineForms, sentences: Sequence[str], wholes: Sequence[float], scope: str) -> Row:
    """What a line does in both forms, with a 0 in one where it does something in the other alone."""
    row: Row = {}
    for (written, compiled, value_of), whole in zip(_FORM_PAIRS, wholes, strict=True):
        values = value_of(forms.written), value_of(forms.compiled)
        if not any(values):
            continue
        for figure, value in zip((written, compiled), values, strict=True):
            meaning = MEANINGS[figure]
            text = short_count(round(value)) if figure in FORM_REQUESTS else figures.average(value)
            exact = figures.count(round(value)) if figure in FORM_REQUESTS else text
            parts = [f"{exact} {meaning.name} · {meaning.evidence}", meaning.words, *sentences]
            parts.append(f"The bar is a share of the {meaning.share_of} of the form with more; {scope} recorded.")
            form = CodeForm.AS_WRITTEN if figure is written else CodeForm.AS_COMPILED
            parts += [f"Hardware counter: {meaning.counter.replace('{op}', '{ld,st}')}.", form.meaning]
            row[figure] = LineFigure(text, value, value / whole, "\n".join(parts))
    return row


def _idle(executed: ExecutedSum) -> float:
    """Idle lanes of a warp's instructions, on average."""
    return executed.per_warp * (LANES - executed.lanes)


def short_count(value: int) -> str:
    """A whole number in few characters: grouped below a million, else three digits and M or G."""
    for size, letter in ((1000 * MILLION, "G"), (MILLION, "M")):
        if value >= size:
            return f"{figures.number(value / size)}\N{NARROW NO-BREAK SPACE}{letter}"
    return figures.count(value)


def _figure(
    figure: LineFigureKind, line: SourceLine, counts: LineCounts, total: int, scope: str, form: CodeForm
) -> LineFigure:
    meaning = MEANINGS[figure]
    weight = meaning.weight(counts)
    share = weight / total if total else 0.0
    is_ratio = figure is LineFigureKind.SECTORS_PER_REQUEST
    value = counts.sectors_per_request if is_ratio else float(weight)
    text = f"{value:.2f}" if is_ratio else short_count(weight)
    exact = text if is_ratio else figures.count(weight)
    is_derived = meaning.space is Space.SHARED and line.shared_cost is not None
    evidence = Evidence.DERIVED if is_derived else meaning.evidence
    parts = [f"{exact} {meaning.name} · {evidence}", meaning.words, *_formula(figure, counts)]
    if total:
        parts.append(
            f"{_percent(share)} of the {figures.count(total)} {meaning.share_of} of all lines; {scope} recorded."
        )
    parts.append(f"Hardware counter: {_counter(meaning, line, form)}.")
    parts.append(code_words(line.machine, line.merged, meaning.space, form, is_derived=is_derived))
    return LineFigure(text, value, share, "\n".join(parts))


def _formula(figure: LineFigureKind, counts: LineCounts) -> list[str]:
    count = figures.count
    match figure:
        case LineFigureKind.SECTORS_PER_REQUEST:
            fewest = counts.bytes_asked / SECTOR_BYTES / counts.global_requests
            return [
                f"= sectors / requests = {count(counts.sectors)} / {count(counts.global_requests)}",
                f"The bytes it asks for would fit into {fewest:.2f} sectors per request.",
            ]
        case LineFigureKind.EXCESS:
            return [f"= wavefronts - ideal = {count(counts.wavefronts)} - {count(counts.ideal_wavefronts)}"]
        case LineFigureKind.BYTES_MOVED:
            used = counts.bytes_asked / counts.bytes_moved
            return [
                f"= {SECTOR_BYTES} · sectors sent = {SECTOR_BYTES} · {count(counts.bytes_moved // SECTOR_BYTES)}",
                f"{_percent(used)} of them were asked for in the same request.",
            ]
    return []


def _requests(figure: LineFigureKind, counts: LineCounts) -> int:
    match MEANINGS[figure].space:
        case Space.GLOBAL:
            return counts.global_requests
        case Space.SHARED:
            return counts.shared_requests
    return 0


def _counter(meaning: FigureMeaning, line: SourceLine, form: CodeForm) -> str:
    """The counter with ld for loads and st for stores; both where the line does both."""
    ops = [op for kind, op in (("load", "ld"), ("store", "st")) if (meaning.space, kind) in line.kinds]
    named = meaning.counter.replace("{op}", ops[0] if len(ops) == 1 else "{ld,st}")
    return named.replace("{form}", form)


def _percent(share: float) -> str:
    """A share in whole per cent; what is there is never 0 %, what is not all never 100 %."""
    if 0 < share < 0.01:
        return "under 1 %"
    return "over 99 %" if 0.99 < share < 1 else f"{share:.0%}".replace("%", " %")
