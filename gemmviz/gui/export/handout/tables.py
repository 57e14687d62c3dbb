"""The tables of a handout: results, what kernels take of a GPU, and the requests of recordings. No Qt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gemmviz.catalogue.gpus import target_of_machine
from gemmviz.domain import figures
from gemmviz.domain.kernels.version_names import VersionNames
from gemmviz.domain.recordings.access import Space
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import RunResult, Session
from gemmviz.domain.spec import format_params
from gemmviz.explain.figures.distinctions import BETWEEN
from gemmviz.explain.figures.traffic.recorded import traffic_of
from gemmviz.explain.runs.columns import COLUMNS, PLACE, Key
from gemmviz.explain.runs.recorded_extent import blocks_words
from gemmviz.explain.source.machine_words import differs_in, shared_cost_of, why_no_cost
from gemmviz.explain.source.recorded_lines import copies_note, moved_bytes
from gemmviz.gui.figures.gpu_section import resource_lines
from gemmviz.gui.results.compared import rows_of
from gemmviz.gui.results.text import copied
from gemmviz.trace.explain import totals_of

_RESULTS = (
    Key.KERNEL,
    Key.SIZE,
    Key.PARAMS,
    Key.MEDIAN,
    Key.IQR,
    Key.SAMPLES,
    Key.GFLOPS,
    Key.TIMES_CPU,
    Key.TIMES_LIBRARY,
    Key.ERROR,
    Key.DEVICE,
    Key.MODE,
    Key.PASSED,
    Key.FILL,
    Key.SEED,
    Key.FINISHED,
)
"""The columns of the results; those that have one value in all rows are told below them."""
_LEFT_OUT = Key.FINISHED, Key.SEED, Key.FILL, Key.IQR, Key.MODE, Key.ERROR, Key.TIMES_CPU
"""What is left out, in this order, where there is no room for all of them."""
_IN_SASS = "excess in SASS"
_UNKNOWN, _NOT_DERIVED = "unknown", "not derived"
_RESOURCE_NOTE = (
    "Registers and spills are of a thread, shared memory of a block, as the compiler reports them. Occupancy is the "
    "theoretical one: the warps that fit on a multiprocessor as a share of the most it holds. Blocks / SM is how many "
    "blocks fit on a multiprocessor at once; limited by tells what allows no more of them."
)
_REQUEST_NOTE = (
    "A request is one access by a whole warp. Sectors are pieces of 32 bytes of global memory. Wavefronts are passes "
    "through shared memory, and excess counts those that bank conflicts add."
)
_SASS_NOTE = (
    "The machine code (SASS) of some kernels has other accesses to shared memory than the PTX that was recorded: "
    f"{_IN_SASS} is derived for it, where that is possible."
)


@dataclass(frozen=True, slots=True)
class PrintedTable:
    """Headings, of which some stand above figures, cells, and sentences below. Columns of `may_go`, by their places,
    are left out in this order where there is no room for all.
    """

    heads: tuple[str, ...]
    is_figure: tuple[bool, ...]
    lines: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]
    may_go: tuple[int, ...] = ()


def results_table(session: Session, reference: str) -> PrintedTable:
    """The results, × CPU against the kernel `reference`, in the columns that a page has room for."""
    table = copied(rows_of(session, reference), tuple(COLUMNS[PLACE[key]] for key in _RESULTS))
    places = {column.key: at for at, column in enumerate(table.columns)}
    return PrintedTable(
        tuple(column.title for column in table.columns),
        tuple(column.is_figure for column in table.columns),
        table.lines,
        table.source,
        tuple(places[key] for key in _LEFT_OUT if key in places),
    )


def has_resources(session: Session) -> bool:
    """Whether a compiler said what a kernel takes of a GPU."""
    return any(one.resources.are_known for one in _compiled(session))


def _compiled(session: Session) -> tuple[RunResult | TraceRun, ...]:
    """What kernels were compiled for: runs, then recordings."""
    return (*session.runs, *session.traces)


def resources_table(session: Session) -> PrintedTable:
    """Registers, spills, shared memory and occupancy of each kernel with its version and its parameters, as *Figures*
    has them: of its runs, and of recordings where they say something else.
    """
    found: dict[tuple[str, ...], dict[str, str]] = {}
    names = session.version_names
    for one in _compiled(session):
        lines = {line.words: line.value for line in resource_lines(one) if line.value}
        if one.resources.are_known:
            kernel = BETWEEN.join(filter(None, (one.spec.kernel, _version(one, names))))
            name = f"{kernel} {format_params(one.spec.params)}".rstrip()
            found.setdefault((name, _target(one), *lines.values()), lines)
    heads = list(dict.fromkeys(words for lines in found.values() for words in lines))
    cells = [(key[0], key[1], *(lines.get(words, "") for words in heads)) for key, lines in found.items()]
    is_figure = (False, False, *(words != "limited by" for words in heads))
    return _alike_below(("kernel", "compiled for", *heads), is_figure, cells, (1,), (_RESOURCE_NOTE,))


def _version(one: RunResult | TraceRun, names: VersionNames) -> str:
    """The name of the version that ran or was recorded, "" for a kernel with one text."""
    if isinstance(one, TraceRun):
        return names.of_recording(one)
    return names.of_digest(one.spec.kernel, one.source_digest)


def requests_table(session: Session) -> PrintedTable:
    """The requests of each recording, their sectors and wavefronts, and those that bank conflicts add."""
    recordings = traffic_of(session.traces, session.version_names)
    has_sass = any(differs_in(one.run.machine, Space.SHARED) for one in recordings)
    cells = []
    for one in recordings:
        totals = one.totals
        each = f"{totals.sectors_per_request:.2f}" if totals.global_requests else ""
        cells.append(
            (
                f"{one.name} {format_params(one.run.spec.params)}".rstrip(),
                one.run.spec.shape.words,
                str(one.run.form),
                blocks_words(one.run),
                figures.count(totals.global_requests),
                figures.count(totals.global_sectors),
                each,
                figures.count(totals.shared_requests),
                figures.count(totals.wavefronts),
                figures.count(totals.excess_wavefronts),
                *((_excess_in_sass(one.run),) if has_sass else ()),
            )
        )
    why_not = [why_no_cost(one.run.machine) for one in recordings]
    heads = "recording", "M×N×K", "recorded", "blocks", "global requests", "sectors", "sectors / request"
    shared = "shared requests", "wavefronts", "excess", *((_IN_SASS,) if has_sass else ())
    notes = (
        _REQUEST_NOTE,
        *((_SASS_NOTE,) if has_sass else ()),
        *(f"{line[0]}, {_NOT_DERIVED}: {why}" for line, why in zip(cells, why_not, strict=True) if why),
        *dict.fromkeys(filter(None, (copies_note(run) for run in session.traces))),
        *_moved_notes([(line[0], one.run) for line, one in zip(cells, recordings, strict=True)]),
    )
    is_figure = *(False,) * 4, *(True,) * (3 + len(shared))
    return _alike_below((*heads, *shared), is_figure, cells, (1, 2, 3), notes)


def _target(one: RunResult | TraceRun) -> str:
    """The GPU, or the architecture, that a kernel was compiled for."""
    if isinstance(one, TraceRun):
        return one.compiler.partition(" for ")[2] or one.compiler
    return target_of_machine(one.device) if one.is_emulated else one.device.short_name


def _excess_in_sass(run: TraceRun) -> str:
    """The excess wavefronts of what a GPU runs; those recorded where SASS is known to have the same accesses."""
    cost = shared_cost_of(run.machine, totals_of(run))
    if cost is None:
        return _NOT_DERIVED if why_no_cost(run.machine) else _UNKNOWN
    return figures.count(cost.excess)


def _moved_notes(named: Sequence[tuple[str, TraceRun]]) -> Iterator[str]:
    """What the TMA and tensor cores move without requests, a sentence for each recording with any."""
    for name, run in named:
        moved = [f"{what} {figures.size(nbytes)}" for what, nbytes in moved_bytes(run) if nbytes]
        if moved:
            yield f"{name}, without requests: {'; '.join(moved)}"


def _alike_below(
    heads: Sequence[str],
    is_figure: Sequence[bool],
    lines: Sequence[Sequence[str]],
    places: Sequence[int],
    notes: Sequence[str],
) -> PrintedTable:
    """A table whose columns at `places` stand below it where all their cells are alike."""
    alike = {place for place in places if len({line[place] for line in lines}) == 1}
    kept = [place for place in range(len(heads)) if place not in alike]
    told = [f"{heads[place]}: {lines[0][place]}" for place in sorted(alike) if lines[0][place]]
    said = "; ".join(told)
    return PrintedTable(
        tuple(heads[place] for place in kept),
        tuple(is_figure[place] for place in kept),
        tuple(tuple(line[place] for place in kept) for line in lines),
        (*((f"{said[:1].upper()}{said[1:]}",) if said else ()), *notes),
    )
