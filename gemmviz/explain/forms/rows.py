"""The sums of two recordings beside each other as rows of a table."""

from __future__ import annotations

from dataclasses import dataclass, replace

from gemmviz.domain import figures
from gemmviz.domain.terms import CodeForm
from gemmviz.explain.forms.comparison import FormFigures

NONE = "–"
"""Excess wavefronts of a kernel without shared memory: there are none to count."""
NOT_OPTIMISED = "Code as written is not optimised: as compiled, a kernel executes fewer instructions."
NOT_COMPARED = f"{NOT_OPTIMISED} The two are not compared."
INSTRUCTIONS = "PTX instructions per warp"
INSTRUCTIONS_NOT_OPTIMISED = f"{INSTRUCTIONS} (as written: not optimised)"
BOTH_FORMS = CodeForm.AS_WRITTEN, CodeForm.AS_COMPILED
PER = 1000
"""Figures of two recordings that do unequal work are given for so many multiply-adds."""


@dataclass(frozen=True, slots=True)
class WorkPair:
    """The multiply-adds of two recordings, None where it is not known how many, and whether they are equally many."""

    first: int | None = None
    second: int | None = None
    is_equal: bool = True

    @property
    def is_comparable(self) -> bool:
        """Whether figures of the two, or their parts of so many multiply-adds, can be compared."""
        return self.is_equal or bool(self.first and self.second)


@dataclass(frozen=True, slots=True)
class PairRow:
    """One figure of two recordings, or of both forms of a kernel, as text. `ratio` is that of both, "1 : 16"; where the
    two do unequal work, that of `first_per` and `second_per`, which are of 1000 multiply-adds each.

    `tip` says why there is none.
    """

    name: str
    first: str
    second: str
    ratio: str = ""
    first_per: str = ""
    second_per: str = ""
    tip: str = ""


def pair_row(name: str, first: int, second: int, work: WorkPair) -> PairRow:
    """A figure that grows with the work."""
    told = name, figures.count(first), figures.count(second)
    if work.is_equal or not work.first or not work.second:
        return PairRow(*told, ratio_words(first, second) if work.is_equal else "")
    one, other = PER * first / work.first, PER * second / work.second
    return PairRow(*told, ratio_words(one, other), figures.number(one), figures.number(other))


def pair_rows(
    first: FormFigures, second: FormFigures, work: WorkPair = WorkPair(), *, forms: tuple[CodeForm, CodeForm]
) -> tuple[PairRow, ...]:
    """The figures of a line or of whole recordings, those that are 0 in both left out. Instructions of different forms
    have no ratio; those of code as written are marked, as it is not optimised.
    """
    rows = [
        pair_row(name, one, other, work)
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
        row = pair_row("excess wavefronts", first.excess_wavefronts, second.excess_wavefronts, work)
        of_first = {} if first.shared_requests else {"first": NONE, "first_per": row.first_per and NONE}
        of_second = {} if second.shared_requests else {"second": NONE, "second_per": row.second_per and NONE}
        rows.append(replace(row, **of_first, **of_second))
    if first.instructions is not None and second.instructions is not None:
        one, other = first.instructions, second.instructions
        ratio = ratio_words(one, other) if work.is_equal else ""  # how many warps share the work is not told
        has_written = CodeForm.AS_WRITTEN in forms
        name, tip = (INSTRUCTIONS_NOT_OPTIMISED, NOT_OPTIMISED) if has_written else (INSTRUCTIONS, "")
        row = PairRow(name, figures.average(one), figures.average(other), ratio, tip=tip)
        rows.append(row if forms[0] is forms[1] else replace(row, ratio=NONE, tip=NOT_COMPARED))
    return tuple(rows)


def ratio_words(first: float, second: float) -> str:
    """The ratio of two figures with 1 for the smaller one: "1 : 16", "2.5 : 1"; "" where one of them is 0."""
    if min(first, second) <= 0:
        return "" if first or second else "equal"
    if first == second:
        return "equal"
    larger = figures.plain(max(first, second) / min(first, second))
    return f"1 : {larger}" if first < second else f"{larger} : 1"
