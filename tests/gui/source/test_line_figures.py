"""The figures beside a line: their text, their share, and what is said about them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gemmviz.domain.recordings.executed import Executed, ExecutedSum
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.terms import CodeForm, Evidence
from gemmviz.explain.forms.comparison import FormFigures, LineForms
from gemmviz.explain.source.line_figures import MEANINGS, FigureSet, LineFigureKind, Row, figures_of, short_count
from gemmviz.explain.source.recorded_lines import SourceLine, plain_lines, source_lines
from gemmviz.trace.counts.totals import LineCounts
from gemmviz.trace.explain import totals_of

Record = Callable[..., TraceRun]


def by_line(run: TraceRun) -> dict[int, Row]:
    lines = source_lines(run)
    return {line.number: row for line, row in zip(lines, figures_of(lines, "1 of 4 blocks"), strict=True) if row}


def test_that_a_line_has_the_figures_of_the_memory_it_touches(make_recording: Record) -> None:
    rows = by_line(make_recording())
    assert {figure: found.text for figure, found in rows[5].items()} == {
        LineFigureKind.GLOBAL_REQUESTS: "10",
        LineFigureKind.SECTORS_PER_REQUEST: "5.70",
        LineFigureKind.BYTES_ASKED: "900",
        LineFigureKind.BYTES_MOVED: "1\N{NARROW NO-BREAK SPACE}824",
    }
    assert {figure: found.text for figure, found in rows[6].items()} == {
        LineFigureKind.SHARED_REQUESTS: "5",
        LineFigureKind.WAVEFRONTS: "20",
        LineFigureKind.EXCESS: "15",
    }
    assert figures_of(plain_lines("a\nb"), "") == ({}, {})
    assert figures_of((), "") == ()


def test_that_shares_of_a_real_kernel_add_up(recorded: Record) -> None:
    run = recorded("tiled_transposed", TILE=16)
    rows = by_line(run)
    totals = totals_of(run)
    of_machine = {
        LineFigureKind.INSTRUCTIONS,
        LineFigureKind.ACTIVE_LANES,
        *FigureSet.FORMS.figures,
    }  # counted there alone
    for figure in set(LineFigureKind) - of_machine:
        shares = [row[figure].share for row in rows.values() if figure in row]
        assert sum(shares) == pytest.approx(1.0), figure
    excess = totals.shared_load_wavefronts + totals.shared_store_wavefronts
    excess -= totals.shared_load_ideal_wavefronts + totals.shared_store_ideal_wavefronts
    costly = max(
        rows, key=lambda line: rows[line][LineFigureKind.EXCESS].share if LineFigureKind.EXCESS in rows[line] else -1.0
    )
    assert "As[tx][ty] =" in run.source_text.splitlines()[costly - 1]
    assert rows[costly][LineFigureKind.EXCESS].value == excess > 0


def test_that_an_explanation_names_evidence_formula_share_and_counter(make_recording: Record) -> None:
    rows = by_line(make_recording())
    assert rows[5][LineFigureKind.SECTORS_PER_REQUEST].explanation.splitlines() == [
        "5.70 sectors per request · recorded",
        "A request moves whole sectors: aligned pieces of 32 bytes of global memory. A row of 32 floats takes 4.",
        "= sectors / requests = 57 / 10",
        "The bytes it asks for would fit into 2.81 sectors per request.",
        "100 % of the 57 sectors of all lines; 1 of 4 blocks recorded.",
        "Hardware counter: l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum / "
        "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum.",
        "Figures are as written in the source: a compiler may merge or drop accesses.",
    ]
    excess = rows[6][LineFigureKind.EXCESS].explanation
    assert "= wavefronts - ideal = 20 - 5" in excess
    assert "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum" in excess
    moved = rows[5][LineFigureKind.BYTES_MOVED].explanation
    assert moved.startswith("1\N{NARROW NO-BREAK SPACE}824 bytes moved · derived\n")
    assert "= 32 · sectors sent = 32 · 57" in moved
    assert "49 % of them were asked for" in moved


def test_that_an_explanation_says_of_which_form_of_the_kernel_it_is(make_recording: Record) -> None:
    _, _, _, _, loads, stores, _ = figures_of(source_lines(make_recording()), "", CodeForm.AS_COMPILED)
    said = loads[LineFigureKind.BYTES_ASKED].explanation.splitlines()[-1]
    assert said == CodeForm.AS_COMPILED.meaning
    said = " ".join(found.explanation for row in (loads, stores) for found in row.values())
    assert "none that counts requests as compiled; compare wavefronts" in said
    assert "as written" not in said


def test_that_a_line_that_loads_and_stores_names_both_counters(recorded: Record) -> None:
    run = recorded("global_accumulate")
    rows = [
        row[LineFigureKind.GLOBAL_REQUESTS] for row in by_line(run).values() if LineFigureKind.GLOBAL_REQUESTS in row
    ]
    both = [cell for cell in rows if "_{ld,st}.sum" in cell.explanation]
    assert len(both) == 1


@pytest.mark.parametrize("figure", list(LineFigureKind))
def test_that_every_figure_says_where_it_comes_from(figure: LineFigureKind) -> None:
    counts = LineCounts(1, 3, 12, 3, 384, 384, 2, 4, 2)
    forms = LineForms(1, FormFigures(global_loads=3, instructions=4.0), FormFigures(instructions=1.0), ())
    line = SourceLine(1, "x", counts, executed=ExecutedSum(2.0, 1.0, 16.0), forms=forms)
    (row,) = figures_of([line], "all 4 blocks")
    head, *rest = row[figure].explanation.splitlines()
    assert head.rpartition(" · ")[2] in set(Evidence)
    assert MEANINGS[figure].name in head
    assert any(line.startswith("Hardware counter: ") for line in rest)
    assert "all 4 blocks recorded." in row[figure].explanation


def test_that_a_line_without_conflicts_says_so_and_has_no_bar() -> None:
    (row,) = figures_of([SourceLine(1, "x", LineCounts(1, 0, 0, 0, 0, 0, 2, 2, 2))], "")
    assert (row[LineFigureKind.EXCESS].text, row[LineFigureKind.EXCESS].share) == ("0", 0.0)
    assert "%" not in row[LineFigureKind.EXCESS].explanation


@pytest.mark.parametrize(("part", "words"), [(1, "under 1 %"), (500, "33 %"), (1_000_000, "over 99 %"), (0, "0 %")])
def test_that_a_share_is_never_rounded_to_nothing_or_to_all(part: int, words: str) -> None:
    lines = [SourceLine(n, "x", LineCounts(n, 1, s, 1, 4, 32, 0, 0, 0)) for n, s in ((1, part), (2, 1000))]
    first, _ = figures_of(lines, "")
    assert f"\n{words} of the " in first[LineFigureKind.SECTORS_PER_REQUEST].explanation


def test_that_large_counts_are_short() -> None:
    space = "\N{NARROW NO-BREAK SPACE}"
    assert [short_count(n) for n in (0, 999_999, 1_000_000, 25_517_440, 999_999_999, 4_000_000_000)] == [
        "0",
        f"999{space}999",
        f"1.00{space}M",
        f"25.5{space}M",
        f"1{space}000{space}M",
        f"4.00{space}G",
    ]


def test_that_instructions_and_active_lanes_stand_beside_every_line_that_has_some(make_recording: Record) -> None:
    assert not {LineFigureKind.INSTRUCTIONS, LineFigureKind.ACTIVE_LANES} & set(by_line(make_recording())[5])
    executed = (Executed(4, "moves", 12, 384), Executed(5, "global loads", 8, 64), Executed(6, "moves", 16, 448))
    rows = by_line(make_recording(executed=executed))  # of four blocks of a warp
    found = {
        line: (row[LineFigureKind.INSTRUCTIONS].text, row[LineFigureKind.ACTIVE_LANES].text)
        for line, row in rows.items()
    }
    assert found == {4: ("3", "32.0"), 5: ("2", "8.0"), 6: ("4", "28.0")}
    assert [row[LineFigureKind.INSTRUCTIONS].share for row in rows.values()] == pytest.approx(
        [12 / 36, 8 / 36, 16 / 36]
    )
    assert [row[LineFigureKind.ACTIVE_LANES].share for row in rows.values()] == pytest.approx([0.0, 0.75, 0.25])
    said = rows[5][LineFigureKind.ACTIVE_LANES].explanation
    assert said.splitlines()[0] == "8.0 active lanes · recorded"
    assert "75 % of the idle lanes of instructions of all lines; 1 of 4 blocks recorded." in said


def test_that_sets_hold_what_they_are_called() -> None:
    assert [chosen.value for chosen in FigureSet] == [
        "sectors per request · excess wavefronts",
        "requests",
        "sectors per request",
        "excess wavefronts",
        "bytes asked · moved",
        "instructions · lanes",
        "written · compiled",
        "all figures",
    ]
    assert FigureSet.BYTES.figures == (LineFigureKind.BYTES_ASKED, LineFigureKind.BYTES_MOVED)
    assert set(FigureSet.ALL.figures) == set(LineFigureKind)
