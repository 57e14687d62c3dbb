"""The figures of the settings of a sweep without a GPU: rows for a person, a table for a file."""

from __future__ import annotations

from dataclasses import replace

import pytest
from settings_figures import make_counts, make_setting

from gemmviz.domain.kernels.resources import Occupancy
from gemmviz.domain.recordings.machine_accesses import (
    AccessSort,
    LineAccesses,
    MachineAccesses,
    MergedRequests,
    WidthCount,
)
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import CodeForm
from gemmviz.explain.figures.settings import (
    EXCESS_IN_SASS,
    SECTORS_OF_WORK,
    SETTING_FIGURES,
    WAVEFRONTS_IN_SASS,
    WAVEFRONTS_OF_WORK,
    head_of,
    same_figures,
    same_words,
    setting_rows,
    settings_head,
    settings_table,
    settings_words,
)
from gemmviz.explain.figures.settings_code import form_note
from gemmviz.explain.source.version_figures import HAZARDS, RESIDENT_BLOCKS, RESULT, UNKNOWN


def test_that_a_setting_is_named_by_what_differs() -> None:
    several = [make_setting(16, tn=2), make_setting(32, tn=2)]
    assert settings_head(several) == "BM"
    assert [row.name for row in setting_rows(several)] == ["16", "32"]


def test_that_a_wrong_setting_and_one_that_does_not_compile_say_so() -> None:
    right, wrong, broken = setting_rows(
        [make_setting(8), make_setting(16, passed=False), make_setting(32, fault="line 3: no such type")]
    )
    result = SETTING_FIGURES.index(RESULT)
    assert [row.cells[result] for row in (right, wrong, broken)] == ["correct", "wrong", UNKNOWN]
    assert [row.is_wrong_in(result) for row in (right, wrong, broken)] == [False, True, False]
    assert "The result is wrong at" in wrong.faults[0]
    assert broken.faults == ("line 3: no such type",)
    assert set(broken.cells) == {UNKNOWN}
    assert not right.is_sound, "nobody knows whether it has hazards"
    assert not right.is_wrong_in(SETTING_FIGURES.index(HAZARDS))


def test_that_the_table_has_whole_numbers_and_nothing_for_what_is_not_known() -> None:
    right = make_setting(8)
    assert right.version.check is not None
    check = replace(right.version.check, right_before=(Shape(1, 1, 1),))
    proven = replace(right, version=replace(right.version, check=check))
    table = settings_table([right, make_setting(32, fault="line 3: no such type"), proven])
    first, second, third = table.rows
    assert (first["kernel"], first["param_BM"], first["registers_per_thread"]) == ("mine", 8, 40)
    assert first["shared_memory_per_block"] == 2 * 8 * 8 * 4
    assert first["theoretical_occupancy"] == pytest.approx(0.5)
    assert (first["limited_by"], first["result"], first["checked_at"]) == ("registers", "correct", "64×64×64")
    assert second["checked_at"] == ""
    assert third["checked_at"] == "1×1×1; 64×64×64", "in the order in which they were checked"
    assert (second["registers_per_thread"], second["result"], second["faults"]) == ("", "", "line 3: no such type")
    assert set(first) == set(second) == set(table.columns)


def test_that_a_row_of_a_block_recorded_as_compiled_says_that_a_gpu_may_count_otherwise() -> None:
    compiled, unknown = make_setting(8, sectors=1), make_setting(16)
    written = replace(compiled, block=replace(make_counts(1), form=CodeForm.AS_WRITTEN))
    notes = [row["form_note"] for row in settings_table([compiled, unknown, written]).rows]
    assert notes == [form_note([compiled]), "", ""]
    assert "ptxas may merge" in form_note([unknown, compiled])


def test_that_a_setting_whose_machine_code_differs_says_so_and_what_is_derived_for_it() -> None:
    sort = AccessSort.SHARED_LOADS
    merged = LineAccesses(30, sort, (WidthCount(4, 64),), (WidthCount(16, 16),))
    cost = MergedRequests((30,), sort, 4, 16, 16, 16, 24, 16)
    machines = (
        MachineAccesses("sm_90a", "NVRTC 13.5", (merged,), (cost,)),
        MachineAccesses("sm_90a", "NVRTC 13.5", (merged,)),
        MachineAccesses("sm_90a", "NVRTC 13.5", ()),
        None,
    )
    settings = [
        replace(make_setting(size), block=replace(make_counts(1), machine=machine))
        for size, machine in zip((8, 16, 32, 64), machines, strict=True)
    ]
    rows = setting_rows(settings)
    places = [SETTING_FIGURES.index(one) for one in (WAVEFRONTS_OF_WORK, WAVEFRONTS_IN_SASS, EXCESS_IN_SASS)]
    assert [[row.cells[place] for place in places] for row in rows] == [
        ["30.0*", "22.0", "2.00"],
        ["30.0*", UNKNOWN, UNKNOWN],
        ["30.0", "30.0", "10.0"],
        ["30.0", UNKNOWN, UNKNOWN],
    ]
    assert all("*" not in row.cells[SETTING_FIGURES.index(SECTORS_OF_WORK)] for row in rows)
    assert rows[0].note.startswith("PTX and SASS differ in shared loads: 32-bit in PTX, 128-bit in SASS (line 30). ")
    assert rows[2].note.endswith("SASS has no accesses that could be compared")
    assert "ptxas may merge" in rows[3].note
    assert form_note(settings).startswith(
        "PTX and SASS differ with 2 of 3 settings whose code was compared, in shared loads: 32-bit in PTX, 128"
    )
    in_sass = SETTING_FIGURES.index(WAVEFRONTS_IN_SASS)
    why = [row.why_unknown(in_sass) for row in rows]
    assert (why[0], why[2]) == ("", "")
    assert why[1].startswith("Not derived: at line 30 SASS has other accesses")
    assert why[3].startswith("The machine code (SASS) of this setting was not compared")
    exact, unknown, *_ = settings_table(settings).rows
    assert (exact["sass_note"], unknown["sass_note"]) == ("", why[1])
    assert exact["wavefronts_in_SASS_per_1000_multiply_adds"] == 22


def test_that_rows_of_gpus_are_named_by_them_and_say_what_allows_no_more_blocks() -> None:
    first = replace(make_setting(8, sectors=1), gpu="H100 (sm_90a)")
    code = replace(first.version.compilation, occupancy=Occupancy(2, 16, 64, ("registers", "warps")))
    second = replace(first, gpu="T4 (sm_75)", version=replace(first.version, compilation=code, check=None), block=None)
    broken = replace(make_setting(8, fault="too much shared memory"), gpu="A100 (sm_80)")
    settings = (first, second, broken)
    rows = setting_rows(settings)
    assert settings_head(settings) == "GPU"
    assert [row.name for row in rows] == ["H100 (sm_90a)", "T4 (sm_75)", "A100 (sm_80)"]
    place = SETTING_FIGURES.index(RESIDENT_BLOCKS)
    assert [row.cells[place] for row in rows] == ["4 (regs)", "2 (regs, warps)", UNKNOWN]
    assert [row.is_compiled_only for row in rows] == [False, True, False]
    assert rows[1].why_unknown(SETTING_FIGURES.index(SECTORS_OF_WORK)) == (
        "Compiled for this GPU, neither recorded nor checked."
    )
    sort = AccessSort.SHARED_LOADS
    merged = LineAccesses(30, sort, (WidthCount(4, 8),), (WidthCount(16, 2),))
    machine = MachineAccesses("sm_90a", "NVRTC 13.5", (merged,))
    compared = replace(first, block=replace(make_counts(1), machine=machine))
    assert form_note((compared, second)).startswith(
        "PTX and SASS differ for H100 (sm_90a), the only one compared, in shared loads"
    )
    table = settings_table(settings).rows
    assert [row["blocks_per_multiprocessor"] for row in table] == [4, 2, ""]
    assert [row["limited_by"] for row in table] == ["registers", "registers and warps", ""]


def test_that_what_settings_have_in_common_is_told_together_but_not_what_is_wrong_in_all() -> None:
    rows = setting_rows([make_setting(8), make_setting(16)])
    assert same_words(rows) == "The same in all: regs 40, spilled 0, occ. 50 %, blocks/SM 4 (regs)"
    assert same_words(rows[:1]) == ""
    head = [head_of(one) for one in SETTING_FIGURES].index("occ.")
    zeros = [tuple(0.0 if place == head else value for place, value in enumerate(row.values)) for row in rows]
    none = [replace(row, values=values) for row, values in zip(rows, zeros, strict=True)]
    assert head in same_figures(rows)
    assert head not in same_figures(none)


def test_that_settings_are_named_by_all_that_is_swept_from_the_first_on() -> None:
    first = [make_setting(8, 4), make_setting(8, 2)]
    assert (settings_head(first), [row.name for row in setting_rows(first)]) == ("TN", ["4", "2"])
    swept = "BM", "TN"
    assert settings_head(first, swept) == "BM·TN"
    assert [row.name for row in setting_rows(first, swept)] == ["8·4", "8·2"]


def test_that_parameters_that_all_settings_share_are_told_with_what_was_examined() -> None:
    several = [make_setting(8, 4), make_setting(8, 2)]
    assert settings_words(several).startswith("BM=8; H100 SXM (sm_90a)")
    assert settings_words(several, ("BM", "TN")).startswith("H100 SXM (sm_90a)")
    assert settings_words(several[:1]).startswith("BM=8 TN=4; ")
