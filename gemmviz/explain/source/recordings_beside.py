"""The totals of two recordings beside each other: the names of their columns, their rows, what sets them apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gemmviz.domain import figures
from gemmviz.domain.kernels.version_names import VersionNames
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.spec import format_params
from gemmviz.explain.forms.comparison import figures_of_all
from gemmviz.explain.forms.rows import PairRow, pair_rows, ratio_words
from gemmviz.explain.runs.recorded_extent import blocks_words
from gemmviz.explain.source.recorded_lines import SEPARATOR, moved_bytes
from gemmviz.explain.source.recording_titles import device_of, inputs_of, made_of

SIDES = "left", "right"


@dataclass(frozen=True, slots=True)
class NameBeside:
    """The name of one of two recordings: `kernel` with parameters, and `facts` in which it differs from the other one
    where both are of one kernel with the same parameters. `short` is only what tells the two apart.
    """

    kernel: str
    facts: tuple[str, ...]
    short: str

    @property
    def title(self) -> str:
        """ "tiled TILE=16  ·  version 1 (previous)"."""
        return SEPARATOR.join((self.kernel, *self.facts))


NamesBeside = tuple[NameBeside, NameBeside]
"""The names of two recordings, in their order."""


@dataclass(frozen=True, slots=True)
class TotalsPair:
    """The totals of two recordings. `names` tell them apart; `note` says why they are not of the same work, "" where
    they are.
    """

    names: NamesBeside
    rows: tuple[PairRow, ...]
    note: str


def names_beside(
    left: TraceRun, right: TraceRun, names: VersionNames, blocks: tuple[str, str] = ("", "")
) -> NamesBeside:
    """A name for each of two recordings: kernel and parameters where that tells them apart, else also form, version,
    inputs, device and size, as far as they differ; where none does, the `blocks` that are looked at, or the time.

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
        return NameBeside(kernels[0], (), short[0]), NameBeside(kernels[1], (), short[1])
    differing = [both for both in zip(*told, strict=True) if both[0] != both[1]]
    if not differing:
        differing = [both for both in (blocks, (made_of(left), made_of(right))) if both[0] != both[1]][:1]
    facts = [tuple(filter(None, (both[place] for both in differing))) for place in range(2)]
    first, second = (NameBeside(kernels[0], each, ", ".join(each) or kernels[0]) for each in facts)
    return first, second


def titles_together(names: NamesBeside) -> str:
    """Both names in one title, what they share once: "naive and tiled TILE=16", "tiled · version 1 and version 2"."""
    left, right = names
    if left.kernel != right.kernel:
        return f"{left.kernel} and {right.kernel}"
    return SEPARATOR.join(filter(None, (left.kernel, f"{left.short} and {right.short}" if left.facts else "")))


def totals_beside(left: TraceRun, right: TraceRun, names: VersionNames) -> TotalsPair:
    """The totals of two recordings, whatever they are of; `names` are those of the session's versions."""
    rows = pair_rows(figures_of_all(left), figures_of_all(right))
    return TotalsPair(names_beside(left, right, names), (*rows, *_moved(left, right)), _note(left, right))


def _moved(left: TraceRun, right: TraceRun) -> Sequence[PairRow]:
    """Bytes that move without a request."""
    return [
        PairRow(f"{name}, bytes", figures.count(one), figures.count(other), ratio_words(one, other))
        for (name, one), (_, other) in zip(moved_bytes(left), moved_bytes(right), strict=True)
        if one or other
    ]


def _note(left: TraceRun, right: TraceRun) -> str:
    one, other = left.spec.shape, right.spec.shape
    if one != other:
        return f"The sizes differ: {one.words} at the left, {other.words} at the right. Compare no totals."
    if left.blocks_recorded * right.blocks_in_grid == right.blocks_recorded * left.blocks_in_grid:
        return ""
    return (
        f"Recorded: {blocks_words(left)} at the left, {blocks_words(right)} at the right. "
        "The totals count parts of the product that differ in size."
    )
