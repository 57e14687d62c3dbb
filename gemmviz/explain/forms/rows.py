"""The sums of two recordings beside each other as rows of a table."""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.domain import figures
from gemmviz.explain.forms.comparison import FormFigures

NONE = "–"
NOT_OPTIMISED = "Code as written is not optimised. Its instructions are not compared with those as compiled."


@dataclass(frozen=True, slots=True)
class PairRow:
    """One figure of two recordings, or of both forms of a kernel, as text. `ratio` is that of both, "1 : 16".

    `tip` says why there is none.
    """

    name: str
    first: str
    second: str
    ratio: str = ""
    tip: str = ""


def pair_rows(first: FormFigures, second: FormFigures, *, is_one_form: bool) -> tuple[PairRow, ...]:
    """The figures of a line or of whole recordings, those that are 0 in both left out. Instructions of different forms
    have no ratio.
    """
    rows = [
        PairRow(name, figures.count(one), figures.count(other), ratio_words(one, other))
        for name, one, other in (
            ("global load requests", first.global_loads, second.global_loads),
            ("global store requests", first.global_stores, second.global_stores),
            ("shared load requests", first.shared_loads, second.shared_loads),
            ("shared store requests", first.shared_stores, second.shared_stores),
            ("requests of asynchronous copies", first.copies, second.copies),
            ("lane accesses", first.accesses, second.accesses),
            ("sectors", first.sectors, second.sectors),
            ("wavefronts", first.wavefronts, second.wavefronts),
        )
        if one or other
    ]
    if first.excess_wavefronts or second.excess_wavefronts:
        ratio = ratio_words(first.excess_wavefronts, second.excess_wavefronts)
        rows.append(PairRow("excess wavefronts", _excess(first), _excess(second), ratio))
    if first.instructions is not None and second.instructions is not None:
        one, other = first.instructions, second.instructions
        ratio, tip = (ratio_words(one, other), "") if is_one_form else (NONE, NOT_OPTIMISED)
        rows.append(PairRow("PTX instructions per warp", figures.average(one), figures.average(other), ratio, tip))
    return tuple(rows)


def _excess(found: FormFigures) -> str:
    """Excess wavefronts; of a kernel without shared memory there are none to count."""
    return figures.count(found.excess_wavefronts) if found.shared_requests else NONE


def ratio_words(first: float, second: float) -> str:
    """The ratio of two figures with 1 for the smaller one: "1 : 16", "2.5 : 1"; "" where one of them is 0."""
    if min(first, second) <= 0:
        return "" if first or second else "equal"
    if first == second:
        return "equal"
    larger = figures.plain(max(first, second) / min(first, second))
    return f"1 : {larger}" if first < second else f"{larger} : 1"
