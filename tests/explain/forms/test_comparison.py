"""What the comparison of both forms counts, of code that NVIDIA's compiler really makes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from form_kernel import AGAIN, FILL, FIRST, STORE, SUM, SUM_LOOP, UNUSED, forms_kernel, in_both_forms

from gemmviz.domain.recordings.access import AccessKind, AccessPath, Space
from gemmviz.domain.recordings.executed import by_line
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.forms.comparison import (
    AccessGroup,
    AccessSum,
    Change,
    FormComparison,
    FormFigures,
    LineForms,
    NotComparableError,
    compare_forms,
    other_form,
    why_not_comparable,
)
from gemmviz.explain.forms.rows import BOTH_FORMS, PairRow, WorkPair, pair_row, pair_rows
from gemmviz.trace.explain import lines_of, totals_of

pytestmark = pytest.mark.usefixtures("nvrtc")


@pytest.fixture(scope="module")
def pair(nvrtc: None, tmp_path_factory: pytest.TempPathFactory) -> tuple[TraceRun, TraceRun]:
    """The small kernel as written and as compiled."""
    del nvrtc
    return in_both_forms(forms_kernel(tmp_path_factory.mktemp("forms")))


def line_of(comparison: FormComparison, number: int) -> LineForms:
    return next(line for line in comparison.lines if line.line == number)


def test_that_each_line_has_its_requests_in_both_forms(pair: tuple[TraceRun, TraceRun]) -> None:
    found = compare_forms(*pair)
    assert found.warps == 1
    requests = {line.line: (line.written.requests, line.compiled.requests) for line in found.lines}
    assert {line: pair for line, pair in requests.items() if any(pair)} == {
        FILL: (4 + 4, 4 + 1),
        SUM: (4, 1 + 1),
        AGAIN: (4, 0),
        UNUSED: (1, 0),
        FIRST: (1, 1),
        STORE: (1, 1),
    }
    fill = line_of(found, FILL)
    assert (fill.written.global_loads, fill.written.shared_stores) == (4, 4)
    assert (fill.compiled.global_loads, fill.compiled.shared_stores) == (4, 1)
    assert (fill.written.accesses, fill.compiled.accesses) == (8 * 32, 5 * 32)
    assert (fill.written.excess_wavefronts, fill.compiled.excess_wavefronts) == (12, 0), "v4 has no conflicts"
    assert (fill.written.sectors, fill.compiled.sectors) == (64, 64)


def test_that_a_line_of_one_form_alone_is_there_with_zeros(pair: tuple[TraceRun, TraceRun]) -> None:
    loop = line_of(compare_forms(*pair), SUM_LOOP)
    assert loop.compiled.instructions == 0.0, "the loop is unrolled"
    assert loop.written.instructions == by_line(pair[0].executed, 1)[SUM_LOOP].per_warp > 4
    assert loop.changes == ()


def test_that_every_change_is_told_by_its_kind(pair: tuple[TraceRun, TraceRun]) -> None:
    found = compare_forms(*pair)
    told = {(one.line, one.group.array, one.group.kind): (one.change, one.others) for one in found.changes}
    assert told == {
        (FILL, "rows", AccessKind.STORE): (Change.MERGED, ()),
        (SUM, "rows", AccessKind.LOAD): (Change.MERGED, ()),
        (SUM, "B", AccessKind.LOAD): (Change.ADDED, (AGAIN, UNUSED)),
        (AGAIN, "B", AccessKind.LOAD): (Change.DROPPED, (SUM,)),
        (UNUSED, "B", AccessKind.LOAD): (Change.DROPPED, (SUM,)),
    }
    (merged,) = [one for one in found.changes if one.line == FILL]
    assert merged.group == AccessGroup(Space.SHARED, AccessKind.STORE, AccessPath.LOAD_STORE, "rows")
    assert (merged.written, merged.compiled) == (AccessSum(4, 128, 512), AccessSum(1, 32, 512))
    kept = [one.group.array for line in found.lines for one in line.changes if one.change is Change.KEPT]
    assert sorted(kept) == ["A", "A", "C"]


def test_that_totals_are_those_of_each_recording(pair: tuple[TraceRun, TraceRun]) -> None:
    found = compare_forms(*pair)
    for run, figures in zip(pair, (found.totals.written, found.totals.compiled), strict=True):
        totals = totals_of(run)
        assert figures.global_loads == totals.global_load_requests
        assert figures.global_stores == totals.global_store_requests
        assert figures.shared_loads == totals.shared_load_requests
        assert figures.shared_stores == totals.shared_store_requests
        assert figures.sectors == totals.global_load_sectors + totals.global_store_sectors
        assert figures.wavefronts == totals.wavefronts
        assert figures.excess_wavefronts == totals.excess_wavefronts
        assert figures.accesses == run.accesses
    whole = {one.group.array: one.change for one in found.totals.changes if one.change is not Change.KEPT}
    assert whole == {"B": Change.DROPPED, "rows": Change.MERGED}
    rows = pair_rows(found.totals.written, found.totals.compiled, forms=BOTH_FORMS)
    assert rows[:2] == (
        PairRow("global load requests", "10", "6", "1.67 : 1"),
        PairRow("global store requests", "1", "1", "equal"),
    )


def test_that_figures_of_unequal_work_are_compared_per_multiply_add_or_not_at_all() -> None:
    assert pair_row("sectors", 96, 96, WorkPair(2000, 8000, False)) == PairRow(
        "sectors", "96", "96", "4 : 1", "48.0", "12.0"
    )
    unknown = WorkPair(2000, None, False)
    assert not unknown.is_comparable
    assert pair_row("sectors", 96, 96, unknown) == PairRow("sectors", "96", "96")
    assert pair_row("sectors", 96, 96, WorkPair()) == PairRow("sectors", "96", "96", "equal")


@pytest.mark.parametrize(
    ("kernel", "line", "array", "kind", "requests"),
    [
        ("global_accumulate", 35, "C", AccessKind.LOAD, (136, 0)),
        ("tiled_global_accumulate", 50, "C", AccessKind.LOAD, (18, 9)),
        ("tiled_global_accumulate", 50, "C", AccessKind.STORE, (18, 9)),
    ],
)
def test_that_sums_kept_in_registers_are_dropped_accesses(
    kernel: str, line: int, array: str, kind: AccessKind, requests: tuple[int, int]
) -> None:
    found = compare_forms(*in_both_forms(kernel, "33x40x17"))
    (change,) = [one for one in found.changes if (one.line, one.group.array, one.group.kind) == (line, array, kind)]
    assert change.change is Change.DROPPED
    assert (change.written.requests, change.compiled.requests) == requests


def test_that_neighbouring_reads_of_a_row_in_shared_memory_are_merged() -> None:
    written, compiled = in_both_forms("row_shared", "64x64x32")
    (change,) = compare_forms(written, compiled).changes
    assert (change.line, change.group.array, change.change) == (40, "a_row", Change.MERGED)
    assert change.written.requests == 4 * change.compiled.requests > 0
    assert change.written.nbytes == change.compiled.nbytes
    reads = [site for site in compiled.sites if (site.line, site.array) == (40, "a_row")]
    (site,) = [site for site in reads if compiled.counts.of(site).requests]
    assert site.width_bytes == 16


@pytest.mark.parametrize("kernel", ["naive", "tiled"])
def test_that_a_kernel_whose_accesses_all_stay_has_no_changes(kernel: str) -> None:
    written, compiled = in_both_forms(kernel, "33x40x17")
    found = compare_forms(written, compiled)
    assert found.changes == ()
    assert found.totals.compiled.instructions is not None
    assert found.totals.written.instructions is not None
    assert found.totals.compiled.instructions < found.totals.written.instructions


def test_that_copies_and_merged_reads_of_a_pipeline_are_told_apart() -> None:
    written, compiled = in_both_forms("cp_async", "33x40x17", BM=64, BN=64, TM=4, TN=4)
    found = compare_forms(written, compiled)
    assert found.totals.written.copies == found.totals.compiled.copies == totals_of(compiled).async_copy_requests > 0
    assert AccessPath.ASYNC_COPY not in {one.group.path for one in found.changes}, "copies stay at the lines that call"
    merged = {one.line: (one.written, one.compiled) for one in found.changes if one.change is Change.MERGED}
    assert merged
    for line, (before, after) in merged.items():
        assert after.nbytes == before.nbytes
        counts = next(each for each in lines_of(compiled) if each.line == line)
        assert after.requests == counts.shared_requests < before.requests


def test_that_the_order_of_the_two_does_not_matter(pair: tuple[TraceRun, TraceRun]) -> None:
    written, compiled = pair
    assert compare_forms(compiled, written).lines == compare_forms(written, compiled).lines
    older = replace(compiled)
    assert other_form(written, (older, compiled, written)) is compiled, "the newest"
    assert other_form(compiled, (written,)) is written
    assert other_form(written, (written,)) is None


def test_that_unlike_recordings_are_refused_with_the_reason(pair: tuple[TraceRun, TraceRun]) -> None:
    written, compiled = pair
    spec = compiled.spec
    for other, words in (
        (replace(compiled, spec=replace(spec, kernel="naive")), "They have different kernels: forms and naive."),
        (replace(compiled, spec=replace(spec, params=(("TILE", 2),))), "different parameters: none and TILE=2."),
        (replace(compiled, spec=replace(spec, seed=7)), "different inputs: uniform, seed 0 and uniform, seed 7."),
        (replace(compiled, source_text="other"), "forms.cu was changed between the two recordings. Record both"),
        (replace(compiled, blocks=(), blocks_recorded=2), "They are recordings of different blocks."),
        (written, "Both are recorded as written. Record the other form as well."),
    ):
        assert words in why_not_comparable(written, other)
        with pytest.raises(NotComparableError, match=r"[.]$"):
            compare_forms(written, other)
    assert why_not_comparable(written, compiled) == ""


def test_that_a_kernel_without_shared_memory_has_no_excess_wavefronts_to_count() -> None:
    tiled, naive = FormFigures(shared_loads=8, excess_wavefronts=24), FormFigures(global_loads=8)
    (excess,) = (row for row in pair_rows(tiled, naive, forms=BOTH_FORMS[1:] * 2) if row.name == "excess wavefronts")
    assert (excess.first, excess.second, excess.ratio) == ("24", "–", "")


def test_that_instructions_of_different_forms_have_no_ratio() -> None:
    long, short = FormFigures(instructions=30.0), FormFigures(instructions=10.0)
    (row,) = pair_rows(long, short, forms=BOTH_FORMS[1:] * 2)
    assert (row.name, row.ratio, row.tip) == ("PTX instructions per warp", "3 : 1", "")
    (row,) = pair_rows(long, short, forms=BOTH_FORMS[:1] * 2)
    assert (row.name, row.ratio) == ("PTX instructions per warp (as written: not optimised)", "3 : 1")
    (row,) = pair_rows(long, short, forms=BOTH_FORMS)
    assert row.name.endswith("(as written: not optimised)")
    assert (row.first, row.second, row.ratio) == ("30", "10", "–")
    assert "not optimised" in row.tip
