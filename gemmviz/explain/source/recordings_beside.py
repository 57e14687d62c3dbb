"""The totals of two recordings beside each other: the names of their columns, their rows, what sets them apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gemmviz.domain.kernels.version_names import VersionNames
from gemmviz.domain.recordings.access import Space
from gemmviz.domain.recordings.machine_accesses import AccessSort
from gemmviz.domain.recordings.multiply_adds import multiply_adds_of
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.spec import format_params
from gemmviz.domain.terms import CodeForm
from gemmviz.explain.forms.comparison import figures_of_all
from gemmviz.explain.forms.rows import PairRow, WorkPair, pair_row, pair_rows
from gemmviz.explain.runs.recorded_extent import blocks_words
from gemmviz.explain.source.machine_words import differs_in, shared_cost_of, sorts_of
from gemmviz.explain.source.recorded_lines import SEPARATOR, moved_bytes
from gemmviz.explain.source.recording_titles import device_of, inputs_of, made_of
from gemmviz.trace.explain import totals_of

SIDES = "left", "right"
SASS_DIFFERS = "*"
"""Behind a ratio of accesses that SASS has otherwise than the PTX that was recorded."""
UNKNOWN_WORK = "How many multiply-adds they do is not known: compare no totals."
_WAVEFRONTS, _EXCESS = "wavefronts", "excess wavefronts"
_OF_SHARED = frozenset(sorts_of(Space.SHARED))
_SORTS = {
    "global load requests": frozenset({AccessSort.GLOBAL_LOADS}),
    "global store requests": frozenset({AccessSort.GLOBAL_STORES}),
    "sectors": frozenset(sorts_of(Space.GLOBAL)),
    "shared load requests": frozenset({AccessSort.SHARED_LOADS}),
    "shared store requests": frozenset({AccessSort.SHARED_STORES}),
    _WAVEFRONTS: _OF_SHARED,
    _EXCESS: _OF_SHARED,
}
"""The accesses of machine code that each row counts."""


@dataclass(frozen=True, slots=True)
class NameBeside:
    """The name of one of two recordings: `kernel` with parameters, and `facts` in which it differs from the other one
    where both are of one kernel with the same parameters, else its form where that differs. `short` is only what tells
    the two apart.
    """

    kernel: str
    facts: tuple[str, ...]
    short: str

    @property
    def title(self) -> str:
        """ "tiled TILE=16  ·  version 1 (previous)"."""
        return SEPARATOR.join((self.kernel, *self.facts))

    @property
    def apart(self) -> tuple[str, ...]:
        """The facts that tell one kernel's recordings apart, else `short`."""
        return self.facts if self.short == _short(self.facts) else (self.short,)


NamesBeside = tuple[NameBeside, NameBeside]
"""The names of two recordings, in their order."""


@dataclass(frozen=True, slots=True)
class TotalsPair:
    """The totals of two recordings. `names` tell them apart; `note` says why they are not of the same work, and what
    sets a GPU's figures apart from recorded ones, "" for neither.
    """

    names: NamesBeside
    rows: tuple[PairRow, ...]
    note: str


def names_beside(
    left: TraceRun, right: TraceRun, names: VersionNames, blocks: tuple[str, str] = ("", "")
) -> NamesBeside:
    """A name for each of two recordings: kernel and parameters where that tells them apart, with a form that differs,
    else also form, version, inputs, device and size, as far as they differ; where none does, the `blocks` that are
    looked at, or the time.

    `names` are those of all versions of the session: two recordings alone do not tell which version each is of.
    """
    pair = (left, right)
    params = [format_params(each.spec.params) for each in pair]
    kernels = [f"{each.spec.kernel} {words}".rstrip() for each, words in zip(pair, params, strict=True)]
    told = [
        (str(each.form), names.of_recording(each), inputs_of(each), device_of(each), each.spec.shape.words)
        for each in pair
    ]
    if kernels[0] != kernels[1]:
        is_same_kernel = left.spec.kernel == right.spec.kernel
        short = params if is_same_kernel and all(params) else [each.spec.kernel for each in pair]
        short = short if short[0] != short[1] else kernels
        forms = [(str(each.form),) if left.form is not right.form else () for each in pair]
        return NameBeside(kernels[0], forms[0], short[0]), NameBeside(kernels[1], forms[1], short[1])
    differing = [both for both in zip(*told, strict=True) if both[0] != both[1]]
    if not differing:
        differing = [both for both in (blocks, (made_of(left), made_of(right))) if both[0] != both[1]][:1]
    facts = [tuple(filter(None, (both[place] for both in differing))) for place in range(2)]
    first, second = (NameBeside(kernels[0], each, _short(each) or kernels[0]) for each in facts)
    return first, second


def _short(facts: Sequence[str]) -> str:
    return ", ".join(facts)


def titles_together(names: NamesBeside) -> str:
    """Both names in one title, what they share once: "naive and tiled TILE=16", "tiled · version 1 and version 2"."""
    left, right = names
    if left.kernel != right.kernel:
        return f"{left.kernel} and {right.kernel}"
    return SEPARATOR.join(filter(None, (left.kernel, f"{left.short} and {right.short}" if left.facts else "")))


def totals_beside(left: TraceRun, right: TraceRun, names: VersionNames) -> TotalsPair:
    """The totals of two recordings, whatever they are of; `names` are those of the session's versions."""
    work = _work(left, right)
    rows = pair_rows(figures_of_all(left), figures_of_all(right), work, forms=(left.form, right.form))
    derived = _derived_rows(left, right, work)
    marked = tuple(_marked(row, left, right, has_derived=bool(derived)) for row in rows)
    notes = (
        _extent_note(left, right, work),
        forms_note(left, right),
        _note_on_sass(marked, has_derived=bool(derived)),
    )
    names_of_ptx = {_name_in_ptx(name, left, right) for name, sorts in _SORTS.items() if sorts <= _OF_SHARED}
    at = next((place for place, row in enumerate(marked) if row.name in names_of_ptx), len(marked))
    return TotalsPair(
        names_beside(left, right, names),
        (*marked[:at], *derived, *marked[at:], *_moved(left, right, work)),
        " ".join(filter(None, notes)),
    )


def _work(left: TraceRun, right: TraceRun) -> WorkPair:
    """The multiply-adds of both. Where they are not known, equal parts of products of one size are equal work."""
    first, second = multiply_adds_of(left), multiply_adds_of(right)
    if first and second:
        return WorkPair(first, second, first == second)
    is_same_part = left.blocks_recorded * right.blocks_in_grid == right.blocks_recorded * left.blocks_in_grid
    return WorkPair(first, second, left.spec.shape == right.spec.shape and is_same_part)


def _derived_rows(left: TraceRun, right: TraceRun, work: WorkPair) -> Sequence[PairRow]:
    """What both cost in shared memory as SASS has it; none where that is as recorded, or not known of one of them."""
    costs = [shared_cost_of(each.machine, totals_of(each)) for each in (left, right)]
    one, other = costs
    if one is None or other is None or not any(differs_in(each.machine, Space.SHARED) for each in (left, right)):
        return ()
    return [
        pair_row(f"{name} in SASS, derived", first, second, work)
        for name, first, second in (
            ("shared requests", one.requests, other.requests),
            (_WAVEFRONTS, one.wavefronts, other.wavefronts),
            (_EXCESS, one.excess, other.excess),
        )
        if first or second
    ]


def _marked(row: PairRow, left: TraceRun, right: TraceRun, *, has_derived: bool) -> PairRow:
    """A row of counted accesses which SASS has otherwise, called that of the PTX; its ratio has a mark where no row
    says what it is in SASS.
    """
    sorts = _SORTS.get(row.name, frozenset())
    if not any(differs_in(each.machine, sort) for each in (left, right) for sort in sorts):
        return row
    is_told = has_derived and sorts <= _OF_SHARED
    ratio = f"{row.ratio} {SASS_DIFFERS}" if row.ratio and not is_told else row.ratio
    return replace(row, name=_name_in_ptx(row.name, left, right), ratio=ratio)


def _name_in_ptx(name: str, left: TraceRun, right: TraceRun) -> str:
    """The name of a row that counts the PTX: of both recordings, or only of the one as compiled."""
    return f"{name} in PTX" if left.form is right.form else f"{name} ({CodeForm.AS_COMPILED}: in PTX)"


def _note_on_sass(rows: Sequence[PairRow], *, has_derived: bool) -> str:
    """What a person must know before comparing the rows: "" where SASS accesses memory as the PTX does."""
    derived = "A GPU runs the SASS: compare its rows rather than those of the PTX." if has_derived else ""
    is_marked = any(row.ratio.endswith(SASS_DIFFERS) for row in rows)
    marked = f"{SASS_DIFFERS} SASS has other accesses: the ratio on a GPU differs." if is_marked else ""
    return " ".join(filter(None, (derived, marked)))


def _moved(left: TraceRun, right: TraceRun, work: WorkPair) -> Sequence[PairRow]:
    """Bytes that move without a request."""
    return [
        pair_row(f"{name}, bytes", one, other, work)
        for (name, one), (_, other) in zip(moved_bytes(left), moved_bytes(right), strict=True)
        if one or other
    ]


def forms_note(left: TraceRun, right: TraceRun) -> str:
    """That two recordings are of different forms, and what to do where they are not both forms of one kernel; "" where
    they are of one form.
    """
    if left.form is right.form:
        return ""
    said = f"The forms differ: {left.form} at the left, {right.form} at the right."
    of_what = [(each.spec.kernel, each.spec.params, each.source_text) for each in (left, right)]
    if of_what[0] == of_what[1]:
        return said
    return f"{said} A compiler merges and drops accesses: to compare kernels, record both in one form."


def _extent_note(left: TraceRun, right: TraceRun, work: WorkPair) -> str:
    """What sets the work of the two apart, and what the ratios are of; "" where nothing does."""
    if work.is_equal:
        return ""
    ratios = "Ratios are of figures per multiply-add." if work.is_comparable else UNKNOWN_WORK
    one, other = left.spec.shape, right.spec.shape
    if one != other:
        return f"The sizes differ: {one.words} at the left, {other.words} at the right. {ratios}"
    return (
        f"Recorded: {blocks_words(left)} at the left, {blocks_words(right)} at the right. "
        f"The totals count parts of the product that differ in size. {ratios}"
    )
