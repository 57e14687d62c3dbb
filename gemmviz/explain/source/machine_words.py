"""What a GPU's machine code (SASS) does otherwise than the PTX that was recorded, in words. No Qt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gemmviz.domain.figures import count, counted
from gemmviz.domain.kernels.examined_sweep import BlockCounts
from gemmviz.domain.listing import listed
from gemmviz.domain.recordings.access import Space
from gemmviz.domain.recordings.machine_accesses import (
    AccessSort,
    LineAccesses,
    MachineAccesses,
    MachineChange,
    MergedRequests,
    SharedMemoryCost,
    WidthCount,
    accessed_bytes,
    instructions,
)
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.terms import CodeForm
from gemmviz.trace.counts.totals import Totals
from gemmviz.trace.explain import totals_of

MARK = "SASS"
"""Begins what stands beside a line; alone where there is no room for more."""
_OF_SPACE = {
    Space.SHARED: (AccessSort.SHARED_LOADS, AccessSort.SHARED_STORES),
    Space.GLOBAL: (AccessSort.GLOBAL_LOADS, AccessSort.GLOBAL_STORES, AccessSort.ASYNC_COPIES),
}
_BY_WEIGHT = (
    MachineChange.WIDENED,
    MachineChange.PARTLY,
    MachineChange.NARROWED,
    MachineChange.GONE,
    MachineChange.FEWER,
    MachineChange.ADDED,
)
_FIGURES_OF_SASS = "The figures count the SASS."
_FIGURES_OF_PTX = "The figures count the PTX."


def sorts_of(space: Space | None) -> tuple[AccessSort, ...]:
    """The accesses of machine code to a space; () where these are not compared."""
    return _OF_SPACE.get(space, ()) if space is not None else ()


def machine_mark(accesses: Iterable[LineAccesses]) -> str:
    """What stands beside a line whose accesses SASS has otherwise, "SASS: 128-bit"; "" where it has them as PTX."""
    words = machine_has(accesses)
    return f"{MARK}: {words}" if words else ""


def machine_has(accesses: Iterable[LineAccesses]) -> str:
    """What SASS has at a line whose accesses it has otherwise: "128-bit"; "" where it has them as PTX."""
    changed = [one for one in accesses if one.change is not MachineChange.NONE]
    if not changed:
        return ""
    first = min(changed, key=lambda one: _BY_WEIGHT.index(one.change))
    match first.change:
        case MachineChange.WIDENED:
            return f"{8 * first.sass[-1].nbytes}-bit"
        case MachineChange.PARTLY:
            return f"some {8 * first.sass[-1].nbytes}-bit"
        case MachineChange.NARROWED:
            return f"some {8 * first.sass[0].nbytes}-bit"
        case MachineChange.GONE:
            return "none here"
        case MachineChange.FEWER:
            return "fewer"
    return "spills" if first.sort.is_local else "more"


def machine_sentences(accesses: Iterable[LineAccesses], space: Space | None = None) -> tuple[str, ...]:
    """What SASS has otherwise at a line, a sentence for each sort of accesses, of a space alone where one is given."""
    sorts = sorts_of(space) or tuple(AccessSort)
    return tuple(_sentence(one) for one in accesses if one.sort in sorts and one.change is not MachineChange.NONE)


def merged_sentences(merged: Iterable[MergedRequests]) -> tuple[str, ...]:
    """What merged accesses cost as SASS has them, a sentence for each."""
    return tuple(
        f"Derived for SASS{_together(one.lines)}: {counted(one.requests, 'request')}, "
        f"{counted(one.wavefronts, 'wavefront')}, {count(one.excess)} of them excess, if SASS runs its {one.sort} as "
        "often as the PTX."
        for one in merged
    )


def shared_cost_of(machine: MachineAccesses | None, totals: Totals | BlockCounts) -> SharedMemoryCost | None:
    """What all accesses to shared memory of a recording cost as SASS has them; None where that is not known."""
    recorded = SharedMemoryCost(totals.shared_requests, totals.wavefronts, totals.excess_wavefronts)
    return machine.shared_cost(recorded) if machine is not None else None


def derived_cost(trace: TraceRun) -> SharedMemoryCost | None:
    """What all accesses to shared memory cost as SASS has them, where merged ones make them cost something else than
    recorded; None where nothing was merged or that is not known.
    """
    machine = trace.machine
    return shared_cost_of(machine, totals_of(trace)) if machine is not None and machine.merged else None


def why_no_cost(machine: MachineAccesses | None) -> str:
    """Why it cannot be derived what accesses to shared memory cost as SASS has them, in a clause; "" where it can."""
    if machine is None or not machine.underived:
        return ""
    lines = sorted({one.line for one in machine.underived})
    return (
        f"at {lines_words(lines)} SASS has other accesses to shared memory, and what they cost does not follow from "
        "the recording"
    )


def code_words(
    accesses: Sequence[LineAccesses],
    merged: Iterable[MergedRequests],
    space: Space | None,
    form: CodeForm,
    *,
    is_derived: bool = False,
) -> str:
    """Which code a figure of a line describes, one that `is_derived` the SASS, and what a GPU does instead where that
    is known.
    """
    if found := machine_sentences(accesses, space):
        costs = merged_sentences(merged) if space is Space.SHARED else ()
        return " ".join((*found, _FIGURES_OF_SASS if is_derived else _FIGURES_OF_PTX, *costs))
    of_space = [one for one in accesses if space in _OF_SPACE and one.sort in _OF_SPACE[space] and one.ptx]
    if of_space:
        return "Figures are as compiled: they count the PTX, and SASS has these accesses with the same widths."
    return form.meaning


def differences(accesses: Iterable[LineAccesses], *, with_lines: bool = True) -> tuple[str, ...]:
    """How PTX and SASS differ, one for each sort of these accesses: "shared loads: 32-bit in PTX, 128-bit in SASS
    (lines 30, 32)"; () where they do not.
    """
    changed = [one for one in accesses if one.change is not MachineChange.NONE]
    found = ([one for one in changed if one.sort is sort] for sort in AccessSort)
    return tuple(_difference(of_sort, with_lines) for of_sort in found if of_sort)


def differs_in(machine: MachineAccesses | None, where: Space | AccessSort) -> bool:
    """Whether it is known that SASS has accesses to a space, or of a sort, otherwise than PTX."""
    sorts = _OF_SPACE[where] if isinstance(where, Space) else (where,)
    return machine is not None and any(one.sort in sorts for one in machine.differing)


def machine_note(trace: TraceRun, *, says_cost: bool = True) -> str:
    """Which code a recording counts and, where it is known, how SASS differs from it, in sentences; what is derived for
    SASS, too, unless that stands beside it.
    """
    machine = trace.machine
    if machine is None or trace.form is not CodeForm.AS_COMPILED:
        return trace.form.meaning
    found = differences(machine.differing)
    if not found:
        return f"As compiled records the PTX. SASS ({machine.target}) has {same_widths_words((machine,))}."
    cost = derived_cost(trace)
    derived = (
        f" Derived for SASS: {counted(cost.requests, 'request')} to shared memory, "
        f"{counted(cost.wavefronts, 'wavefront')}, {count(cost.excess)} of them excess."
        if says_cost and cost is not None
        else ""
    )
    return (
        f"As compiled records the PTX. SASS ({machine.target}) differs in {'; '.join(found)}. "
        f"There a GPU's requests and wavefronts differ from these figures.{derived}"
    )


def same_widths_words(machines: Sequence[MachineAccesses]) -> str:
    """What SASS has where no line differs, by the sorts that were compared, and of which it has other counts all the
    same: "global loads and shared loads of the same widths at every line". A sort with an access of no line is not
    compared.
    """
    compared = [sort for sort in AccessSort if any(one.sort is sort for machine in machines for one in machine.lines)]
    if not compared:
        return "no accesses that could be compared"
    other = [sort for sort in compared if any(_has_other_count(machine, sort) for machine in machines)]
    but = f", but another number of {listed(other)} in all, so a GPU makes another number of requests" if other else ""
    return f"{listed(compared)} of the same widths at every line{but}"


def _has_other_count(machine: MachineAccesses, sort: AccessSort) -> bool:
    """Whether SASS has another number of accesses of a sort than the PTX, all lines together."""
    lines = [one for one in machine.lines if one.sort is sort]
    in_ptx = instructions(width for one in lines for width in one.ptx)
    return in_ptx != instructions(width for one in lines for width in one.sass)


def _difference(found: Sequence[LineAccesses], with_lines: bool) -> str:
    """How SASS differs from PTX in accesses of one sort."""
    sort = found[0].sort
    ptx = _widths(width for one in found for width in one.ptx)
    sass = _widths(width for one in found for width in one.sass)
    spilled = ", for spilled registers" if sort.is_local and not ptx else ""
    widths = f"{ptx} in both, fewer in SASS" if ptx == sass else f"{ptx or 'none'} in PTX, {sass or 'none'} in SASS"
    lines = sorted({line for one in found for line in one.lines})
    where = f" ({lines_words(lines)})" if with_lines else ""
    return f"{sort}: {widths}{spilled}{where}"


def lines_words(lines: Sequence[int]) -> str:
    """ "line 52", "lines 42\N{EN DASH}45", of line numbers that ascend."""
    return f"{'line' if len(lines) == 1 else 'lines'} {_ranges(lines)}"


def _together(lines: Sequence[int]) -> str:
    return f" of {lines_words(lines)} together" if len(lines) > 1 else ""


def _widths(widths: Iterable[WidthCount]) -> str:
    """ "32-bit", "32- and 128-bit"; "" for none."""
    bits = [str(8 * nbytes) for nbytes in sorted({one.nbytes for one in widths})]
    return f"{'- and '.join(bits)}-bit" if bits else ""


def _ranges(lines: Sequence[int]) -> str:
    """Line numbers, ascending, neighbours together: "30, 87\N{EN DASH}90"."""
    runs: list[list[int]] = []
    for line in lines:
        if runs and line == runs[-1][-1] + 1:
            runs[-1].append(line)
        else:
            runs.append([line])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}\N{EN DASH}{run[-1]}" for run in runs)


def _sentence(one: LineAccesses) -> str:
    ptx, sass = _instructions(one.ptx, one.sort), _instructions(one.sass, one.sort)
    here = f"in {lines_words(one.lines)} together" if one.others else "here"
    match one.change:
        case MachineChange.GONE:
            why = "ptxas merged them with those of another line, moved them or removed them"
            return f"The PTX code has {ptx} {here}, the SASS code none: {why}."
        case MachineChange.ADDED:
            why = "ptxas spilled registers" if one.sort.is_local else "PTX has them at other lines"
            return f"The SASS code has {sass} {here}, the PTX code none: {why}."
        case MachineChange.WIDENED | MachineChange.PARTLY:
            why = _merged(one)
        case MachineChange.NARROWED:
            why = "ptxas split or removed some"
        case _:
            why = "ptxas moved some to other lines or removed them"
    return f"The PTX code has {ptx} {here}, the SASS code {_instructions(one.sass)}: {why}."


def _merged(one: LineAccesses) -> str:
    all_or_some = "accesses" if one.change is MachineChange.WIDENED else "some accesses"
    if one.has_same_bytes:
        return f"ptxas merged {all_or_some}, and a GPU makes fewer requests"
    if accessed_bytes(one.sass) > accessed_bytes(one.ptx):
        return f"ptxas merged {all_or_some}, also of other lines or passes of a loop"
    return f"ptxas merged {all_or_some}, and moved or removed others"


def _instructions(widths: Sequence[WidthCount], sort: AccessSort | None = None) -> str:
    """ "16 shared loads of 32 bits and 4 of 128 bits", without a sort "16 of 32 bits and 4 of 128 bits"."""
    parts = [f"{count(each.count)} of {8 * each.nbytes} bits" for each in widths]
    if sort is not None and widths:
        one = sort.removesuffix("ies") + "y" if sort.endswith("ies") else sort.removesuffix("s")
        parts[0] = f"{counted(widths[0].count, one, sort)} of {8 * widths[0].nbytes} bits"
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else "".join(parts)
