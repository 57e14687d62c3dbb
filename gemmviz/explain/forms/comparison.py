"""A kernel's recording as written beside the one as compiled: what the compiler kept, merged, dropped and moved."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import product

from gemmviz.domain.input_words import input_words
from gemmviz.domain.recordings.access import AccessKind, AccessPath, Site, Space
from gemmviz.domain.recordings.executed import by_line
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.spec import format_params
from gemmviz.domain.terms import CodeForm


class Change(StrEnum):
    """What became of the accesses of a line when the kernel was compiled.

    KEPT: as many requests, for as many bytes. MERGED: fewer and wider accesses, for the same bytes. SPLIT: more and
    narrower ones. REGROUPED: the same accesses of lanes in another number of requests. MOVED: bytes that this line
    loses or gets, and other lines get or lose, so that the kernel has as many as before. DROPPED: fewer bytes.
    ADDED: more bytes.
    """

    KEPT = "kept"
    MERGED = "merged"
    SPLIT = "split"
    REGROUPED = "regrouped"
    MOVED = "moved"
    DROPPED = "dropped"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class AccessGroup:
    """Accesses that can be told apart in both forms: memory, direction, unit, array; "" where one of the two forms
    does not tell the array.
    """

    space: Space
    kind: AccessKind
    path: AccessPath
    array: str


@dataclass(frozen=True, slots=True)
class AccessSum:
    """Accesses of one form, summed over the recorded blocks: `requests` of warps, `accesses` of lanes, and the
    `nbytes` that these have together.
    """

    requests: int = 0
    accesses: int = 0
    nbytes: int = 0

    def __add__(self, other: AccessSum) -> AccessSum:
        return AccessSum(self.requests + other.requests, self.accesses + other.accesses, self.nbytes + other.nbytes)


@dataclass(frozen=True, slots=True)
class FormChange:
    """What became of the accesses of one group on one line; line 0 where the code does not say which.

    `others` are the lines at which the accesses of the group have become more, of a line where they became fewer, and
    the other way round.
    """

    line: int
    group: AccessGroup
    change: Change
    written: AccessSum
    compiled: AccessSum
    others: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class FormFigures:
    """What a line, or the whole kernel, does in one form, summed over the recorded blocks.

    Loads, stores and copies are requests of warps; `copies` are asynchronous copies from global memory, which are
    neither loads nor stores. `accesses` are those of lanes, `instructions` those of a warp on average, None where they
    were not counted. The TMA and the tensor cores make no requests and are not in these figures.
    """

    global_loads: int = 0
    global_stores: int = 0
    shared_loads: int = 0
    shared_stores: int = 0
    copies: int = 0
    accesses: int = 0
    sectors: int = 0
    wavefronts: int = 0
    excess_wavefronts: int = 0
    instructions: float | None = None

    @property
    def global_requests(self) -> int:
        """Loads, stores and asynchronous copies."""
        return self.global_loads + self.global_stores + self.copies

    @property
    def shared_requests(self) -> int:
        """Loads and stores."""
        return self.shared_loads + self.shared_stores

    @property
    def requests(self) -> int:
        """Requests to global and to shared memory."""
        return self.global_requests + self.shared_requests


@dataclass(frozen=True, slots=True)
class LineForms:
    """One source line in both forms; line 0 is code whose line is not known. A form in which the line does nothing has
    zeros. `changes` are those of the line, KEPT included.
    """

    line: int
    written: FormFigures
    compiled: FormFigures
    changes: tuple[FormChange, ...]


@dataclass(frozen=True, slots=True, eq=False)
class FormComparison:
    """Both forms of one kernel, recorded alike. `lines` are all that do something in one of them, in order."""

    written: TraceRun
    compiled: TraceRun
    lines: tuple[LineForms, ...]
    totals: LineForms
    """The same for all lines together; its changes compare the sums of each group, wherever they are."""

    @property
    def changes(self) -> tuple[FormChange, ...]:
        """What is not as it was written, line by line."""
        return tuple(one for line in self.lines for one in line.changes if one.change is not Change.KEPT)

    @property
    def warps(self) -> int:
        """Warps that were recorded, the same number in both forms."""
        return self.written.warps_recorded


class NotComparableError(ValueError):
    """Two recordings that cannot be set beside each other; the message says why."""


def why_not_comparable(one: TraceRun, other: TraceRun) -> str:
    """Why two recordings are not two forms of the same thing, in one sentence; "" if they are."""
    first, second = one.spec, other.spec
    for name, mine, others in (
        ("kernels", first.kernel, second.kernel),
        ("parameters", format_params(first.params), format_params(second.params)),
        ("sizes", first.shape.words, second.shape.words),
        ("inputs", input_words(first.fill, first.seed), input_words(second.fill, second.seed)),
        ("devices", one.device.distinct_name, other.device.distinct_name),
    ):
        if mine != others:
            return f"They have different {name}: {mine or 'none'} and {others or 'none'}."
    if one.source_text != other.source_text:
        return f"{one.source_name} was changed between the two recordings. Record both forms again."
    if _blocks(one) != _blocks(other):
        return "They are recordings of different blocks. Record the same blocks in both forms."
    if one.form is other.form:
        return f"Both are recorded {one.form}. Record the other form as well."
    return ""


def other_form(run: TraceRun, traces: Sequence[TraceRun]) -> TraceRun | None:
    """The newest of the recordings, which begin with the oldest, that is the other form of this one."""
    return next((each for each in reversed(traces) if each is not run and not why_not_comparable(run, each)), None)


def compare_forms(one: TraceRun, other: TraceRun) -> FormComparison:
    """Set two recordings beside each other, in whichever order they are given.

    Raises:
        NotComparableError: they are not two forms of the same thing.
    """
    reason = why_not_comparable(one, other)
    if reason:
        raise NotComparableError(reason)
    written, compiled = (one, other) if one.form is CodeForm.AS_WRITTEN else (other, one)
    unnamed = {_unnamed(site) for run in (written, compiled) for site in run.sites if _is_unnamed(run, site)}
    before, after = _sums(written, unnamed), _sums(compiled, unnamed)
    changes = _changes(before, after)
    mine, others = _figures_by_line(written), _figures_by_line(compiled)
    idle = FormFigures(instructions=_nothing(written)), FormFigures(instructions=_nothing(compiled))
    pairs = {line: (mine.get(line, idle[0]), others.get(line, idle[1])) for line in sorted(mine.keys() | others.keys())}
    lines = tuple(LineForms(line, *pair, tuple(changes.get(line, ()))) for line, pair in pairs.items() if pair != idle)
    in_all = _changes({0: _added_up(before)}, {0: _added_up(after)})
    totals = LineForms(0, figures_of_all(written), figures_of_all(compiled), tuple(in_all.get(0, ())))
    return FormComparison(written, compiled, lines, totals)


def figures_of_all(run: TraceRun) -> FormFigures:
    """The figures of a whole recording, summed over its blocks."""
    instructions = sum(one.instructions for one in run.executed) / run.warps_recorded if run.executed else None
    return _figures(run, run.sites, instructions)


def _blocks(run: TraceRun) -> tuple[int, tuple[tuple[int, int, int], ...]]:
    return run.blocks_recorded, tuple(block.block for block in run.blocks)


def _nothing(run: TraceRun) -> float | None:
    """The instructions of a line that a recording executes none of."""
    return 0.0 if run.executed else None


_Kind = tuple[Space, AccessKind, AccessPath]
_Groups = Mapping[AccessGroup, AccessSum]


def _unnamed(site: Site) -> _Kind:
    return site.space, site.kind, site.path


def _is_unnamed(run: TraceRun, site: Site) -> bool:
    """Whether a site made requests of which nobody knows the array."""
    return not site.array and run.counts.of(site).requests > 0


def _sums(run: TraceRun, unnamed: set[_Kind]) -> dict[int, _Groups]:
    """The accesses of each line by group; those without a request are left out."""
    found: dict[int, dict[AccessGroup, AccessSum]] = defaultdict(dict)
    for site in run.sites:
        counts = run.counts.of(site)
        if counts.requests:
            array = "" if _unnamed(site) in unnamed else site.array
            group = AccessGroup(site.space, site.kind, site.path, array)
            here = found[site.line]
            more = AccessSum(counts.requests, counts.accesses, counts.accesses * site.width_bytes)
            here[group] = here.get(group, AccessSum()) + more
    return dict(found)


def _added_up(lines: Mapping[int, _Groups]) -> dict[AccessGroup, AccessSum]:
    """The accesses of each group, whatever their lines."""
    found: dict[AccessGroup, AccessSum] = {}
    for groups in lines.values():
        for group, one in groups.items():
            found[group] = found.get(group, AccessSum()) + one
    return found


def _changes(before: Mapping[int, _Groups], after: Mapping[int, _Groups]) -> dict[int, list[FormChange]]:
    """What became of each group of each line."""
    nothing = AccessSum()
    wholes = _added_up(before), _added_up(after)
    lines = sorted(before.keys() | after.keys())
    found: dict[int, list[FormChange]] = {}
    for group in sorted(wholes[0].keys() | wholes[1].keys(), key=_order):
        pairs = {
            line: (before.get(line, {}).get(group, nothing), after.get(line, {}).get(group, nothing)) for line in lines
        }
        fewer = tuple(line for line, (written, compiled) in pairs.items() if compiled.nbytes < written.nbytes)
        more = tuple(line for line, (written, compiled) in pairs.items() if compiled.nbytes > written.nbytes)
        is_moved = wholes[0].get(group, nothing).nbytes == wholes[1].get(group, nothing).nbytes
        for line, (written, compiled) in pairs.items():
            if written == compiled == nothing:
                continue
            others = more if line in fewer else fewer if line in more else ()
            change = _change(written, compiled, is_moved=is_moved)
            found.setdefault(line, []).append(FormChange(line, group, change, written, compiled, others))
    return found


def _change(written: AccessSum, compiled: AccessSum, *, is_moved: bool) -> Change:
    """What became of some accesses; `is_moved`: their bytes are all there, on one line or another."""
    if written == compiled:
        return Change.KEPT
    if compiled.nbytes != written.nbytes:
        if is_moved:
            return Change.MOVED
        return Change.DROPPED if compiled.nbytes < written.nbytes else Change.ADDED
    if compiled.accesses == written.accesses:
        return Change.REGROUPED
    return Change.MERGED if compiled.accesses < written.accesses else Change.SPLIT


def _order(group: AccessGroup) -> tuple[bool, bool, str, str]:
    """Global memory before shared, loads before stores."""
    return group.space is not Space.GLOBAL, group.kind is not AccessKind.LOAD, group.path.value, group.array


def _figures_by_line(run: TraceRun) -> dict[int, FormFigures]:
    """The figures of every line that has an access or executes something."""
    sites: dict[int, list[Site]] = defaultdict(list)
    for site in run.sites:
        sites[site.line].append(site)
    executed = by_line(run.executed, run.warps_recorded)
    return {
        line: _figures(run, sites.get(line, ()), executed[line].per_warp if line in executed else _nothing(run))
        for line in sites.keys() | executed.keys()
    }


def _figures(run: TraceRun, sites: Iterable[Site], instructions: float | None) -> FormFigures:
    requests = dict.fromkeys(product(Space, AccessKind), 0)
    copies = accesses = sectors = wavefronts = excess = 0
    for site in sites:
        if not site.path.is_requested:
            continue
        counts = run.counts.of(site)
        is_copy = site.path is AccessPath.ASYNC_COPY
        if not is_copy:
            requests[site.space, site.kind] += counts.requests
        elif site.space is Space.GLOBAL:
            copies += counts.requests
        accesses += counts.accesses if not is_copy or site.space is Space.GLOBAL else 0
        sectors += counts.sectors
        wavefronts += counts.wavefronts
        excess += counts.wavefronts - counts.ideal_wavefronts
    return FormFigures(
        global_loads=requests[Space.GLOBAL, AccessKind.LOAD],
        global_stores=requests[Space.GLOBAL, AccessKind.STORE],
        shared_loads=requests[Space.SHARED, AccessKind.LOAD],
        shared_stores=requests[Space.SHARED, AccessKind.STORE],
        copies=copies,
        accesses=accesses,
        sectors=sectors,
        wavefronts=wavefronts,
        excess_wavefronts=excess,
        instructions=instructions,
    )
