"""The sums of both forms of a kernel as rows of a table."""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.domain import figures
from gemmviz.explain.forms.comparison import LineForms


@dataclass(frozen=True, slots=True)
class FormRow:
    """One figure in both forms, as text."""

    name: str
    written: str
    compiled: str


def form_rows(forms: LineForms) -> tuple[FormRow, ...]:
    """The figures of a line or of the whole kernel, those that are 0 in both forms left out."""
    before, after = forms.written, forms.compiled
    rows = [
        FormRow(name, figures.count(written), figures.count(compiled))
        for name, written, compiled in (
            ("global load requests", before.global_loads, after.global_loads),
            ("global store requests", before.global_stores, after.global_stores),
            ("shared load requests", before.shared_loads, after.shared_loads),
            ("shared store requests", before.shared_stores, after.shared_stores),
            ("requests of asynchronous copies", before.copies, after.copies),
            ("lane accesses", before.accesses, after.accesses),
            ("sectors", before.sectors, after.sectors),
            ("excess wavefronts", before.excess_wavefronts, after.excess_wavefronts),
        )
        if written or compiled
    ]
    if before.instructions is not None and after.instructions is not None:
        counts = figures.average(before.instructions), figures.average(after.instructions)
        rows.append(FormRow("PTX instructions per warp", *counts))
    return tuple(rows)
