"""What became of figures of shared memory between two versions where SASS has other accesses than the PTX."""

from __future__ import annotations

from collections.abc import Callable

from measured_versions import by_name, measured, with_counts, with_sass

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.source.line_changes import line_changes
from gemmviz.explain.source.line_figures import MEANINGS, LineFigureKind, figures_of
from gemmviz.explain.source.recorded_lines import source_lines
from gemmviz.explain.source.version_figures import NOT_DERIVED, NOT_DERIVED_BEFORE, figure_changes
from gemmviz.explain.source.worth import Worth

Make = Callable[..., TraceRun]


def test_that_figures_of_the_ptx_are_no_gain_where_a_gpu_runs_other_accesses(make_recording: Make) -> None:
    before, after = with_counts(make_recording(), 64, 32), with_counts(make_recording(), 48, 32)
    found = by_name(figure_changes(measured(with_sass(before, 20)), measured(with_sass(after, 0))))
    recorded, derived = found["excess wavefronts in PTX"], found["excess wavefronts in SASS"]
    assert recorded.worth is Worth.OF_PTX
    assert "a GPU runs the SASS" in recorded.tip
    assert derived.worth is Worth.WORSE
    assert int(derived.after) - int(derived.before) == 20 - (int(recorded.before) - int(recorded.after))
    unknown = by_name(figure_changes(measured(with_sass(before, 20, is_known=False)), measured(after)))
    assert unknown["excess wavefronts in PTX"].worth is Worth.OF_PTX
    assert "excess wavefronts in SASS" not in unknown
    plain = by_name(figure_changes(measured(before), measured(after)))
    assert plain["excess wavefronts"].worth is Worth.BETTER


def test_that_a_total_of_the_ptx_is_called_what_it_is_in_sass_and_else_by_the_code_it_counts(
    make_recording: Make,
) -> None:
    def told(known_before: bool, known_after: bool) -> Worth:
        before = with_sass(with_counts(make_recording(), 64, 32), 0, is_known=known_before, line=8)
        after = with_sass(with_counts(make_recording(), 32, 32), 0, is_known=known_after, line=8)
        lines = [one for one in line_changes(before, after) if one.figure is LineFigureKind.EXCESS]
        assert {one.worth for one in lines} - {Worth.SAME} == {Worth.BETTER}, (
            "SASS has the line that changed as the PTX"
        )
        found = by_name(figure_changes(measured(before), measured(after)))["excess wavefronts in PTX"]
        assert ("a GPU runs the SASS" in found.tip) is (found.worth is Worth.OF_PTX)
        return found.worth

    assert told(True, True) is Worth.BETTER
    assert told(False, True) is Worth.BETTER, "the line that changed alone cost more before than all do now"
    assert told(True, False) is told(False, False) is Worth.OF_PTX


def test_that_what_does_not_follow_from_the_recording_is_not_called_unknown_yet(make_recording: Make) -> None:
    known = measured(with_sass(make_recording(), 20))
    unknown = measured(with_sass(make_recording(), 20, is_known=False))
    for before, after, change in (
        (known, unknown, NOT_DERIVED),
        (unknown, known, NOT_DERIVED_BEFORE),
        (unknown, unknown, NOT_DERIVED),
    ):
        found = by_name(figure_changes(before, after))["wavefronts in SASS"]
        assert (found.change, found.worth) == (change, Worth.UNKNOWN)
        assert "at line 6 SASS has other accesses to shared memory" in found.tip


def test_that_a_line_has_the_same_figures_beside_the_source_as_among_the_changed_lines(make_recording: Make) -> None:
    trace = with_sass(with_counts(make_recording(), 64, 32), 3)
    rows = figures_of(source_lines(trace), "", trace.form)
    in_sass = {one.figure: one for one in line_changes(None, trace) if one.line == 6 and one.form == "SASS"}
    assert set(in_sass) == {LineFigureKind.EXCESS, LineFigureKind.SHARED_REQUESTS, LineFigureKind.WAVEFRONTS}
    for figure, change in in_sass.items():
        assert rows[5][figure].text == change.after
        assert f"{MEANINGS[figure].name} · derived" in rows[5][figure].explanation
    assert "The figures count the SASS." in rows[5][LineFigureKind.EXCESS].explanation
    unknown = with_sass(trace, 3, is_known=False)
    row = figures_of(source_lines(unknown), "", trace.form)[5]
    assert row[LineFigureKind.EXCESS].explanation.startswith(
        f"{row[LineFigureKind.EXCESS].text} excess wavefronts · recorded"
    )
    assert "The figures count the PTX." in row[LineFigureKind.EXCESS].explanation
