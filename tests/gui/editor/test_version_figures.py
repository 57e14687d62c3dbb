"""What became of figures between two versions: totals with their worth, lines matched by their text."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from measured_versions import RIGHT, SAVED, by_name, measured, with_counts

from gemmviz.catalogue.gpus import emulated
from gemmviz.domain.kernels.kernel_version import Compilation, KernelVersion
from gemmviz.domain.kernels.resources import Occupancy, Resources
from gemmviz.domain.recordings.hazard import Hazard, HazardKind
from gemmviz.domain.recordings.trace_run import StoredBlock, TraceRun
from gemmviz.domain.shape import Shape
from gemmviz.explain.source.comparability import form_words, other_target_words, why_not_compared
from gemmviz.explain.source.line_changes import LineChange, figure_to_show, line_changes
from gemmviz.explain.source.line_figures import LineFigureKind, figures_of
from gemmviz.explain.source.recorded_lines import source_lines
from gemmviz.explain.source.version_faults import faults_of
from gemmviz.explain.source.version_figures import (
    NOT_COMPARED,
    RESULT,
    UNKNOWN_BEFORE,
    UNKNOWN_NOW,
    FigureChange,
    Measured,
    by_weight,
    figure_changes,
    text_of,
)
from gemmviz.explain.source.version_lines import changes_between
from gemmviz.explain.source.worth import Worth, worth_of
from gemmviz.trace.explain import totals_of

Make = Callable[..., TraceRun]


def taking(shared_bytes: int, warps: int, limit: str, registers: int = 32) -> Measured:
    fits = Occupancy(warps // 8, warps, 64, (limit,))
    code = Compilation("NVIDIA H200", "sm_90a", "NVRTC 13.0", Resources(registers), shared_bytes, fits)
    return Measured(KernelVersion("tiled", 1, "tiled.cu", "text", SAVED, (), code, RIGHT), None)


def test_that_more_of_a_resource_is_worse_only_where_it_lowers_the_occupancy() -> None:
    before = taking(8192, 40, "registers")
    spare = by_name(figure_changes(before, taking(8448, 40, "registers", registers=34)))
    assert {spare[name].worth for name in ("shared memory per block", "registers per thread")} == {Worth.OTHER}
    assert spare["shared memory per block"].tip.endswith("it does not change how many blocks a multiprocessor holds")
    lowered = by_name(figure_changes(before, taking(8448, 32, "registers", registers=48)))
    assert lowered["registers per thread"].worth is Worth.WORSE
    assert lowered["shared memory per block"].worth is Worth.OTHER, "registers alone lower it"
    full = by_name(figure_changes(before, taking(65536, 24, "shared memory")))
    assert full["shared memory per block"].worth is Worth.WORSE


@pytest.mark.parametrize(
    ("less", "more", "name", "is_judged"),
    [
        (taking(4096, 40, "registers", 48), taking(4096, 40, "registers", 58), "registers per thread", False),
        (taking(4096, 40, "registers"), taking(4224, 40, "registers"), "shared memory per block", False),
        (taking(4096, 40, "threads", 48), taking(4096, 32, "registers", 58), "registers per thread", True),
        (taking(10000, 40, "threads"), taking(12000, 32, "shared memory"), "shared memory per block", True),
    ],
)
def test_that_a_change_of_a_resource_and_its_undoing_are_judged_alike(
    less: Measured, more: Measured, name: str, is_judged: bool
) -> None:
    grown, shrunk = (by_name(figure_changes(*pair))[name] for pair in ((less, more), (more, less)))
    wanted = (Worth.WORSE, Worth.BETTER) if is_judged else (Worth.OTHER, Worth.OTHER)
    assert (grown.worth, shrunk.worth) == wanted


def test_that_a_change_of_about_a_hundredth_and_its_undoing_are_judged_alike() -> None:
    assert worth_of(100.0, 101.0) is worth_of(101.0, 100.0) is Worth.OTHER


def test_that_totals_say_what_is_better_and_what_is_worse(make_recording: Make) -> None:
    trace = make_recording()
    hazard = Hazard(HazardKind.RACE, 6, "As[i]", (0, 0, 0), (0, 1), 0, 1, "two threads", (1,), "As", (0,))
    after = replace(with_counts(trace, 5, 5), hazards=(hazard,))
    wrong = replace(RIGHT, passed=False, max_error_over_ug=1e9, unwritten=3)
    found = by_name(figure_changes(measured(trace), measured(after, registers=40, warps=48, check=wrong)))
    told = {name: (one.before, one.after, one.change, one.worth) for name, one in found.items()}
    assert told["registers per thread"] == ("32", "40", "+25 %", Worth.WORSE)
    assert told["theoretical occupancy"] == ("100 %", "75 %", "-25 points", Worth.WORSE)
    assert told["excess wavefronts"] == ("15", "0", "none left", Worth.BETTER)
    assert told["wavefronts"] == ("20", "5", "-75 %", Worth.BETTER)
    assert told["sectors per request"] == ("5.70", "5.70", "=", Worth.SAME)
    assert told["hazards"] == ("0", "1", "+1", Worth.WORSE)
    assert told["result"] == ("correct", "wrong", "", Worth.WORSE)
    assert list(found)[-1] == "result"
    weights = {name: one.weight for name, one in found.items()}
    assert (weights["registers per thread"], weights["wavefronts"], weights["result"]) == (0.25, 0.75, math.inf)
    assert (weights["hazards"], weights["sectors per request"]) == (math.inf, 0.0)


def test_that_changes_come_by_what_they_mean() -> None:
    def change(name: str, worth: Worth, weight: float) -> FigureChange:
        return FigureChange(name, "1", "2", "", worth, "", weight)

    changes = (
        change("sectors", Worth.SAME, 0.0),
        change("instructions per warp", Worth.WORSE, 0.0031),
        change("excess wavefronts", Worth.BETTER, 1.0),
        change("result", Worth.WORSE, math.inf),
    )
    names = ["result", "excess wavefronts", "instructions per warp", "sectors"]
    assert [one.name for one in by_weight(changes)] == names


def test_that_figures_are_those_that_the_program_has_everywhere(make_recording: Make) -> None:
    trace = make_recording()
    totals = totals_of(trace)
    found = by_name(figure_changes(None, measured(trace)))
    assert found["requests to global memory"].after == str(totals.global_requests) == "10"
    assert found["sectors"].after == str(totals.global_sectors) == "57"
    assert found["requests to shared memory"].after == str(totals.shared_requests) == "5"
    rows = figures_of(source_lines(trace), "", trace.form)
    for change in line_changes(None, trace):
        assert change.after == rows[change.line - 1][change.figure].text
        assert (change.cells[0], change.change, change.worth) == ("", "", Worth.UNKNOWN), "there is none before"
        assert change.words == change.after


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"shape": Shape(8, 3, 2)}, "at another size"),
        ({"params": (("TILE", 4),)}, "with other parameters"),
        ({"seed": 3}, "with other inputs"),
    ],
)
def test_that_recordings_that_differ_otherwise_are_not_held_against_each_other(
    make_recording: Make, change: dict[str, Any], words: str
) -> None:
    trace = make_recording()
    other = make_recording()
    object.__setattr__(other, "spec", replace(other.spec, **change))
    assert words in why_not_compared(other, trace)
    found = by_name(figure_changes(measured(other), measured(trace)))
    assert (found["sectors"].before, found["sectors"].after, found["sectors"].worth) == ("–", "57", Worth.UNKNOWN)
    assert found["sectors"].change == NOT_COMPARED
    assert found["registers per thread"].worth is Worth.SAME
    assert_alone(changes_between(measured(other), measured(with_counts(trace, 5, 5))), NOT_COMPARED)


def assert_alone(lines: tuple[LineChange, ...], change: str) -> None:
    """The lines have the figures of the newest version, of which line 6 has 0 excess wavefronts, and none before."""
    excess = of(lines, LineFigureKind.EXCESS)[0, 6]
    assert (excess.cells, excess.change, excess.worth) == (("–", "0"), change, Worth.UNKNOWN)
    assert (excess.words, excess.tip) == ("0", f"line 6: 0 excess wavefronts ({change})")
    assert {one.before for one in lines} == {"–"}
    assert {one.worth for one in lines} == {Worth.UNKNOWN}


def test_that_lines_have_no_figures_before_where_block_or_form_differ_or_nothing_was_recorded(
    make_recording: Make,
) -> None:
    trace = make_recording()
    after = measured(with_counts(trace, 5, 5))
    nothing, nowhere = np.zeros(0, np.int32), np.zeros(0, np.int64)
    of_block = replace(trace, blocks=(StoredBlock((1, 0, 0), 4, nothing, nothing, nowhere, ()),))
    for other in (of_block, replace(trace, instrumented_text=".version 8.0\n.target sm_90a\n")):
        assert why_not_compared(other, trace)
        assert_alone(changes_between(measured(other), after), NOT_COMPARED)
    assert_alone(changes_between(measured(None), after), UNKNOWN_BEFORE)


@pytest.mark.parametrize(
    ("text", "is_compared"),
    [
        ("#define TILE 2\n", True),
        ("#  define TILE (2) // of both tiles\n", True),
        ("constexpr unsigned int TILE = 2;\n", True),
        ("static const int TILE=2;\n", True),
        ("#define TILE 4\n", False),
        ("#define TILE 2 * 2\n", False),
        ("#define TILES 2\n", False),
        ("#ifdef WIDE\n#define TILE 4\n#else\n#define TILE 2\n#endif\n", False),
        ("", False),
    ],
)
def test_that_a_constant_which_became_a_parameter_of_the_same_value_is_no_other_parameter(
    make_recording: Make, text: str, is_compared: bool
) -> None:
    after = make_recording()
    assert after.spec.params == (("TILE", 2),)
    before = replace(after, source_text=text, spec=replace(after.spec, params=()))
    assert (why_not_compared(before, after) == "") is is_compared
    assert (why_not_compared(after, before) == "") is is_compared, "the description may be taken back"


def test_that_what_nobody_knows_is_no_row(make_recording: Make) -> None:
    bare = replace(measured(make_recording()).version, compilation=None, check=None)
    assert figure_changes(None, Measured(bare, None)) == ()
    assert "registers per thread" not in by_name(figure_changes(None, Measured(bare, make_recording())))


def test_that_a_kernel_that_ended_at_a_fault_has_no_result_but_that(make_recording: Make) -> None:
    bare = replace(measured(None, check=None).version, faults=("Not checked: mine.cu: line 41: reads outside A",))
    assert text_of(RESULT, RESULT.value(Measured(bare, None))) == "fault"
    assert text_of(RESULT, RESULT.value(Measured(replace(bare, faults=("Not checked: no memory",)), None))) == "–"
    found = by_name(figure_changes(measured(make_recording()), Measured(bare, None)))["result"]
    assert (found.before, found.after, found.worth) == ("correct", "fault", Worth.WORSE)


def test_that_a_wrong_result_is_told_with_its_size_and_bound() -> None:
    wrong = replace(RIGHT, passed=False, max_error_over_ug=1234.5, unwritten=2)
    version = replace(measured(None, check=wrong).version, faults=("Not recorded: why",))
    assert faults_of(version) == (
        "The result is wrong at 65×63×67: error 18 times the allowed bound; 2 elements of C not written.",
        "Not recorded: why",
    )
    assert faults_of(measured(None).version) == ()


@pytest.mark.parametrize(
    ("error", "words"), [(math.nan, "elements that are not a number"), (math.inf, "infinite elements")]
)
def test_that_a_result_that_is_no_number_says_so(error: float, words: str) -> None:
    wrong = replace(RIGHT, passed=False, max_error_over_ug=error, unwritten=0)
    assert faults_of(measured(None, check=wrong).version) == (f"The result is wrong at 65×63×67: C holds {words}.",)


def of(changes: tuple[LineChange, ...], figure: LineFigureKind) -> dict[tuple[int, int], LineChange]:
    return {(one.before_line, one.line): one for one in changes if one.figure is figure}


def test_that_a_line_that_moved_is_compared_with_itself(make_recording: Make) -> None:
    before = make_recording()
    lines = before.source_text.split("\n")
    moved = "\n".join([*lines[:4], "// new", *lines[4:]])
    sites = tuple(replace(site, line=site.line + 1) for site in before.sites)
    after = replace(with_counts(before, 8, 5, moved), sites=sites)
    excess = of(line_changes(before, after), LineFigureKind.EXCESS)
    assert list(excess) == [(6, 7)]
    one = excess[6, 7]
    assert (one.words, one.change, one.worth) == ("15→3", "-80 %", Worth.BETTER)
    assert one.tip == "line 7: excess wavefronts 15 → 3 (-80 %); it was line 6"
    loads = of(line_changes(before, after), LineFigureKind.SECTORS_PER_REQUEST)[5, 6]
    assert (loads.words, loads.worth) == ("5.70", Worth.SAME)
    assert loads.tip == "line 6: 5.70 sectors per request, as before; it was line 5"


def test_that_lines_that_went_and_came_are_told(make_recording: Make) -> None:
    before = make_recording()
    lines = before.source_text.split("\n")
    gone = "\n".join([*lines[:5], "\tBs[i] = x;", "\tCs[i] = x;", *lines[6:]])
    after = replace(before, source_text=gone)
    requests = of(line_changes(before, after), LineFigureKind.SHARED_REQUESTS)
    assert {place: (one.before, one.after, one.worth) for place, one in requests.items()} == {
        (0, 6): ("–", "5", Worth.OTHER),
        (6, 0): ("5", "–", Worth.OTHER),
    }, "one line in place of another is by itself neither a gain nor a loss"


def test_that_the_margin_shows_the_first_figure_that_changed(make_recording: Make) -> None:
    before = make_recording()
    assert figure_to_show(line_changes(before, before)) is LineFigureKind.EXCESS
    assert figure_to_show(line_changes(before, with_counts(before, 25, 10))) is LineFigureKind.WAVEFRONTS
    assert figure_to_show(()) is LineFigureKind.EXCESS


def test_that_nothing_is_better_while_hazards_and_result_are_not_checked(make_recording: Make) -> None:
    found = by_name(
        figure_changes(measured(make_recording(), registers=40, warps=48), measured(None, registers=32, check=None))
    )
    assert (found["registers per thread"].change, found["registers per thread"].worth) == ("-20 %", Worth.UNKNOWN)
    for name in ("hazards", "result"):
        assert (found[name].after, found[name].worth, found[name].weight) == ("not checked", Worth.UNKNOWN, math.inf)
    checked = by_name(figure_changes(measured(None, registers=40, warps=48), measured(None, registers=32)))
    assert checked["registers per thread"].worth is Worth.BETTER


def test_that_fewer_hazards_are_better_before_the_result_is_known(make_recording: Make) -> None:
    hazard = Hazard(HazardKind.RACE, 6, "As[i]", (0, 0, 0), (0, 1), 0, 1, "two threads", (1,), "As", (0,))
    before = measured(replace(make_recording(), hazards=(hazard,)))
    for check in (None, RIGHT):
        found = by_name(figure_changes(before, measured(make_recording(), check=check)))["hazards"]
        assert (found.before, found.after, found.change, found.worth) == ("1", "0", "none left", Worth.BETTER)


def test_that_a_figure_that_one_version_lacks_has_not_changed(make_recording: Make) -> None:
    found = by_name(figure_changes(measured(None, check=None), measured(make_recording())))
    for name in ("sectors", "hazards", "result"):
        assert (found[name].change, found[name].worth) == (UNKNOWN_BEFORE, Worth.UNKNOWN)
    assert found["registers per thread"].worth is Worth.SAME
    gone = by_name(figure_changes(measured(make_recording()), measured(None)))
    assert (gone["sectors"].change, gone["sectors"].worth) == (UNKNOWN_NOW, Worth.UNKNOWN)


def test_that_what_a_repair_costs_is_its_price_and_no_loss(make_recording: Make) -> None:
    hazard = Hazard(HazardKind.RACE, 6, "As[i]", (0, 0, 0), (0, 1), 0, 1, "two threads", (1,), "As", (0,))
    racing = replace(make_recording(), hazards=(hazard,))
    mended = with_counts(make_recording(), 25, 5)
    wrong = replace(RIGHT, passed=False)
    for before in (measured(racing), measured(make_recording(), check=wrong)):
        found = by_name(figure_changes(before, measured(mended, registers=40, warps=56)))
        assert (found["registers per thread"].change, found["registers per thread"].worth) == ("+25 %", Worth.PRICE)
        assert found["wavefronts"].worth is Worth.PRICE
        lines = {one.worth for one in changes_between(before, measured(mended))}
        assert Worth.PRICE in lines
        assert Worth.WORSE not in lines
        unknown = by_name(figure_changes(before, measured(mended, registers=40, warps=56, check=None)))
        assert unknown["registers per thread"].worth is Worth.UNKNOWN
    right = by_name(figure_changes(measured(make_recording()), measured(mended, registers=40, warps=56)))
    assert right["registers per thread"].worth is Worth.WORSE
    still = by_name(
        figure_changes(measured(racing), measured(replace(mended, hazards=(hazard,)), registers=40, warps=56))
    )
    assert still["registers per thread"].worth is Worth.WORSE


def test_that_the_form_of_both_recordings_is_said(make_recording: Make) -> None:
    written = make_recording()
    compiled = replace(written, instrumented_text=".version 8.0\n.target sm_90a\n")
    assert form_words(None, written) == form_words(written, written) == "as written"
    assert form_words(written, compiled) == "as compiled, before as written"
    assert form_words(written, None) == ""
    assert why_not_compared(written, compiled).startswith(
        "The earlier version was recorded as written, this one as compiled: "
    )


def test_that_figures_for_different_targets_are_not_compared(make_recording: Make) -> None:
    trace = make_recording()
    before, after = measured(replace(trace, device=emulated("sm_90a")), 48), measured(trace, 64)
    code = Compilation("NVIDIA A100", "sm_80", "NVRTC 13.0", Resources(64), 2048, Occupancy(8, 32, 64, ("registers",)))
    version = replace(after.version, number=2, compilation=code)
    after = replace(after, version=version, trace=replace(trace, device=emulated("sm_80")))
    words = "Not comparable: version 1 was compiled for the H200 (sm_90a), version 2 for the A100 (sm_80)."
    assert other_target_words(before.version, after.version) == words
    found = by_name(figure_changes(before, after))
    for name in ("registers per thread", "theoretical occupancy", "sectors", "hazards"):
        assert (found[name].before, found[name].change, found[name].worth) == ("–", NOT_COMPARED, Worth.UNKNOWN)
    assert found["registers per thread"].after == "64"
    assert found["result"].worth is Worth.SAME, "a result is right for any target"
    assert "sm_90a" in why_not_compared(before.trace, after.trace)
    assert other_target_words(before.version, before.version) == other_target_words(None, after.version) == ""
