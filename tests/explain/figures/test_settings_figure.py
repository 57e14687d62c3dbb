"""The chart of the settings of a sweep without a GPU: marks, lines, and the best one in a sentence."""

from __future__ import annotations

from dataclasses import replace

from settings_figures import make_setting, make_sweep

from gemmviz.domain.kernels.resources import Occupancy
from gemmviz.domain.recordings.machine_accesses import (
    AccessSort,
    LineAccesses,
    MachineAccesses,
    MergedRequests,
    WidthCount,
)
from gemmviz.explain.figures.circumstances import SEPARATOR
from gemmviz.explain.figures.figure import Form, Look, Tone
from gemmviz.explain.figures.settings import (
    EXCESS_IN_SASS,
    SECTORS_OF_WORK,
    SETTING_FIGURES,
    WAVEFRONTS_IN_SASS,
    WAVEFRONTS_OF_WORK,
    changed_words,
    notes_of_sweep,
    setting_rows,
    settings_of_sweep,
    sweep_name,
    sweep_words,
)
from gemmviz.explain.figures.settings_code import form_note
from gemmviz.explain.figures.settings_figure import (
    NOTHING_KNOWN,
    SETTING_AXES,
    best_words,
    known_axes,
    settings_figure,
    telling_axis,
)
from gemmviz.explain.figures.ticks import ticks_of
from gemmviz.explain.source.version_figures import OCCUPANCY, Measured

BY_NAME = {axis.figure.name: axis for axis in SETTING_AXES}
SECTORS = BY_NAME[SECTORS_OF_WORK.name]


def test_that_the_best_sound_setting_is_named_and_a_wrong_one_never() -> None:
    racing = make_setting(64, sectors=50, hazards=1)
    wrong = make_setting(128, sectors=10, passed=False)
    figure = settings_figure(make_sweep(make_setting(8, sectors=250), make_setting(16, sectors=125), racing, wrong))
    assert figure.title == "Sectors per 1000 multiply-adds over BM: mine"
    assert figure.essential[0] == "BM=16 moves least: 125 sectors per 1000 multiply-adds"
    assert [row.value for row in figure.rows] == ["250", "125", "50.0", "10.0"]
    assert [row.flag for row in figure.rows] == ["", "", "hazard", "wrong"]
    assert [row.tone for row in figure.rows] == [Tone.OPEN, Tone.GOOD, Tone.WRONG, Tone.WRONG]
    marks = {one.look: one.places.tolist() for one in figure.series if one.form is Form.DOTS}
    assert marks == {Look.SLOWER: [0], Look.BEST: [1], Look.WRONG: [2, 3]}


def test_that_a_setting_that_the_gpu_cannot_launch_is_no_best_one() -> None:
    most = make_setting(128, sectors=10)
    assert most.version.compilation is not None
    code = replace(most.version.compilation, occupancy=Occupancy(0, 0, 64, ("registers",)))
    most = replace(most, version=replace(most.version, compilation=code))
    sweep = make_sweep(make_setting(8, sectors=250), make_setting(16, sectors=125), most)
    figure = settings_figure(sweep)
    assert figure.essential[0] == "BM=16 moves least: 125 sectors per 1000 multiply-adds"
    assert [row.flag for row in figure.rows] == ["", "", "cannot launch"]
    row = setting_rows(settings_of_sweep(sweep))[-1]
    assert row.faults == ("H100 SXM (sm_90a) cannot launch it: a multiprocessor has too few registers for one block.",)
    assert row.is_wrong_in(SETTING_FIGURES.index(OCCUPANCY))


def test_that_lines_join_sound_settings_and_end_at_one_that_is_not() -> None:
    settings = [make_setting(2**bits, sectors=100 + bits, hazards=bits == 3) for bits in range(1, 7)]
    figure = settings_figure(make_sweep(*settings))
    lines = [one.places.tolist() for one in figure.series if one.form is Form.LINE]
    assert lines == [[0, 1], [3, 4, 5]]


def test_that_a_setting_without_figures_has_no_mark_and_says_so() -> None:
    figure = settings_figure(make_sweep(make_setting(8, sectors=250), make_setting(16, fault="does not compile")))
    assert figure.rows[1].note == "no figures"
    assert sum(one.places.size for one in figure.series) == 1
    assert "does not compile" in figure.rows[1].tooltip


def test_that_where_nothing_is_known_the_chart_says_where_to_look() -> None:
    figure = settings_figure(make_sweep(*(make_setting(bm, fault="does not compile") for bm in (8, 16))))
    assert (figure.rows, figure.empty) == ((), NOTHING_KNOWN)


def test_that_settings_that_tie_are_named_together() -> None:
    settings = [make_setting(8, sectors=90), make_setting(16, sectors=60), make_setting(32, sectors=60)]
    assert best_words(SECTORS, settings) == (
        "BM=16 and BM=32 move least, both alike: 60.0 sectors per 1000 multiply-adds"
    )
    registers = BY_NAME["registers per thread"]
    assert best_words(registers, settings) == ("All settings with a correct result are alike: 40 registers per thread")
    alike = settings_figure(make_sweep(*settings), registers)
    assert {one.look for one in alike.series} == {Look.SLOWER}, "none is better than another"
    wrong = [make_setting(bm, sectors=1, passed=False) for bm in (8, 16)]
    assert best_words(SECTORS, wrong).startswith("No setting is correct, free of hazards")


def test_that_of_several_parameters_each_setting_is_a_row_of_its_own() -> None:
    settings = [make_setting(bm, tn, sectors=1000 // bm + tn) for bm in (8, 16) for tn in (1, 2)]
    figure = settings_figure(make_sweep(*settings), SECTORS)
    assert not figure.upright
    assert [row.name for row in figure.rows] == ["BM=8 TN=1", "BM=8 TN=2", "BM=16 TN=1", "BM=16 TN=2"]
    assert figure.essential[0] == "BM=16 TN=1 moves least: 63.0 sectors per 1000 multiply-adds"


def test_that_figures_of_blocks_recorded_as_compiled_say_that_a_gpu_may_count_otherwise() -> None:
    sweep = make_sweep(make_setting(8, sectors=250), make_setting(16, sectors=125))
    note = form_note(settings_of_sweep(sweep))
    assert note.startswith("As compiled records the PTX")
    assert note in settings_figure(sweep, SECTORS).essential, "exported pictures have it, too"
    assert note not in settings_figure(sweep, BY_NAME["registers per thread"]).notes, "ptxas itself counts registers"


def test_that_only_known_figures_can_be_charted() -> None:
    bare = known_axes(make_sweep(make_setting(8)))
    assert SECTORS not in bare
    assert BY_NAME["theoretical occupancy"] in bare
    assert known_axes(None) == ()
    assert settings_figure(None).rows == ()
    shown = settings_figure(make_sweep(make_setting(8), make_setting(16)), BY_NAME["theoretical occupancy"])
    assert {value for one in shown.series for value in one.values.tolist()} == {50.0}
    assert shown.axis.words == "theoretical occupancy in %"
    ticks = [tick.words for tick in ticks_of(shown.axis, shown.axis.low, shown.axis.high, 30)]
    assert ticks == ["0", "20", "40", "60", "80", "100"], "no tick beyond the whole"


def in_sass(setting: Measured, saved: int | None) -> Measured:
    """With shared loads that the assembler merged, which saves wavefronts; None: nobody knows how many."""
    merged = LineAccesses(30, AccessSort.SHARED_LOADS, (WidthCount(4, 8),), (WidthCount(16, 2),))
    cost = MergedRequests((30,), AccessSort.SHARED_LOADS, 4, 16, 16, 16, 16 + (saved or 0), 16)
    machine = MachineAccesses("sm_90a", "NVRTC 13.5", (merged,), () if saved is None else (cost,))
    assert setting.block is not None
    return replace(setting, block=replace(setting.block, machine=machine))


def test_that_the_best_setting_is_the_one_that_is_best_on_a_gpu() -> None:
    plain = [make_setting(bm, sectors=100) for bm in (8, 16)]
    settings = [in_sass(plain[0], 2), in_sass(plain[1], 9)]
    passes, of_ptx = BY_NAME[WAVEFRONTS_IN_SASS.name], BY_NAME[WAVEFRONTS_OF_WORK.name]
    assert {passes, BY_NAME[EXCESS_IN_SASS.name]} <= set(known_axes(make_sweep(*settings)))
    said = f"BM=16 takes the fewest passes through shared memory: 21.0 {WAVEFRONTS_IN_SASS.name}"
    assert best_words(passes, settings) == said
    assert best_words(of_ptx, settings).startswith(f"No setting is called the best by {WAVEFRONTS_OF_WORK.name}: a GPU")
    figure = settings_figure(make_sweep(*settings), of_ptx)
    assert Look.BEST not in {one.look for one in figure.series}
    assert best_words(of_ptx, plain) != best_words(of_ptx, settings)


def test_that_no_setting_is_the_best_in_sass_while_one_of_them_is_not_derived() -> None:
    settings = [in_sass(make_setting(8, sectors=100), 2), in_sass(make_setting(16, sectors=100), None)]
    passes = BY_NAME[WAVEFRONTS_IN_SASS.name]
    assert best_words(passes, settings).endswith(": it is not derived for BM=16")
    figure = settings_figure(make_sweep(*settings), passes)
    assert Look.BEST not in {one.look for one in figure.series}
    assert "Not derived: at line 30" in figure.rows[1].tooltip


def test_that_a_kept_sweep_has_the_figures_that_were_found_out() -> None:
    setting = make_setting(8, sectors=250)
    (kept,) = settings_of_sweep(make_sweep(setting))
    known = known_axes(make_sweep(setting))
    assert SECTORS in known
    assert [axis.figure.value(kept) for axis in known] == [axis.figure.value(setting) for axis in known]


def test_that_a_sweep_says_when_it_was_and_what_has_changed_since() -> None:
    sweep = make_sweep(make_setting(8), make_setting(16), missing=3)
    assert sweep_words(sweep).endswith("2026-01-02")
    assert sweep_name(sweep, 2).split(SEPARATOR) == ["2", "mine", "BM", "H100 SXM"]
    assert changed_words(sweep, "text") == ""
    assert changed_words(sweep, "other text").startswith("The file mine.cu has changed since")
    assert notes_of_sweep(sweep) == ("Cancelled: 3 settings not examined",)


def test_that_the_first_figure_shown_is_one_in_which_settings_differ() -> None:
    alike = make_sweep(
        make_setting(8, sectors=125), make_setting(16, sectors=125), make_setting(32, sectors=9, hazards=1)
    )
    axis = telling_axis(alike)
    assert axis is not None
    assert axis.figure.name == "shared memory per block", "sound settings have equally many sectors"
    assert settings_figure(alike).title.startswith("Shared memory per block over BM")
    assert telling_axis(make_sweep(make_setting(8, sectors=125))) == SECTORS, "of one setting the first that is known"
    assert telling_axis(None) is None


def test_that_a_chart_over_gpus_shows_where_they_differ_and_calls_none_the_best() -> None:
    first = replace(make_setting(8, sectors=250), gpu="H100 (sm_90a)")
    code = first.version.compilation
    assert code is not None
    code = replace(code, occupancy=Occupancy(2, 16, 64, ("registers",)))
    second = replace(first, gpu="T4 (sm_75)", version=replace(first.version, compilation=code, check=None), block=None)
    sweep = make_sweep(first, second)
    figure = settings_figure(sweep)
    assert figure.title == "Theoretical occupancy over GPUs: mine"
    assert figure.heads[0] == "GPU"
    assert [(row.name, row.value, row.flag) for row in figure.rows] == [
        ("H100 (sm_90a)", "50 %", ""),
        ("T4 (sm_75)", "25 %", ""),
    ]
    assert not any(one.look is Look.BEST for one in figure.series)
    assert figure.essential == ()
    assert "Recorded and checked for H100 (sm_90a), compiled for the others" in figure.notes
