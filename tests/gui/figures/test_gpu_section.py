"""What a GPU told of a run, as figures; of runs made by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from gpu_runs import GPU, gauges, gpu_run, made_roofs
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gemmviz.domain.runs.result import RunResult, Session
from gemmviz.domain.terms import Arithmetic, Evidence
from gemmviz.explain.runs.figure_lines import Section, ValueTone
from gemmviz.gui.figures.gpu_section import gpu_section
from gemmviz.gui.figures.last_run import run_section
from gemmviz.gui.figures.panel import FiguresPanel
from gemmviz.gui.layout.dock_widths import right_width
from gemmviz.gui.looks.style_sheet import style_sheet
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.widgets.figure_row import FigureRow


def values(section: Section | None) -> dict[str, str]:
    assert section is not None
    return {line.words: line.value for line in section.lines}


def test_that_a_run_elsewhere_has_no_section(make_result: Callable[..., RunResult]) -> None:
    assert gpu_section(None) is None
    assert gpu_section(make_result()) is None


def test_that_the_compilers_figures_and_what_fits_are_shown() -> None:
    found = values(gpu_section(gpu_run(registers=128, threads=256, shared=16384)))
    assert found["registers"] == "128"
    assert found["spills"] == "none"
    assert found["shared"] == "16 KiB"
    assert found["occupancy"] == "25 %"
    assert found["limited by"] == "registers"
    assert found["blocks / SM"] == "2"
    assert found["waves"] == "248", "65 536 blocks, 264 at once"


def test_that_what_limits_is_told_with_its_arithmetic() -> None:
    note = getattr(gpu_section(gpu_run(registers=128, threads=256)), "note", "")
    thin = "\N{NARROW NO-BREAK SPACE}"
    assert note == (
        f"No more blocks fit by registers: 128 per thread are 4{thin}096 per warp; a quarter of a multiprocessor has "
        f"16{thin}384, so 4 warps fit there and 16 in all; a block has 8: 2 blocks."
    )
    rounded = getattr(gpu_section(gpu_run(registers=66, threads=256)), "note", "")
    assert f"66 per thread are 2{thin}112 per warp, rounded up to 2{thin}304; a quarter" in rounded
    shared = getattr(gpu_section(gpu_run(registers=32, shared=49152)), "note", "")
    assert shared == (
        "No more blocks fit by shared memory: 48 KiB per block and 1 KiB for the driver; a multiprocessor has 228 KiB: "
        "4 blocks."
    )


def test_that_two_limits_that_allow_equally_few_are_both_told() -> None:
    section = gpu_section(gpu_run(registers=32, shared=1024, threads=256))
    assert values(section)["limited by"] == "warps, regs"
    assert getattr(section, "note", "").count("No more blocks fit by") == 2


def test_that_spilled_registers_stand_out() -> None:
    section = gpu_section(gpu_run(spilled=24))
    (line,) = [line for line in section.lines if line.words == "spills"] if section else []
    assert (line.value, line.tone) == ("24 bytes", ValueTone.WRONG)


def test_that_gauges_are_medians_beside_the_samples() -> None:
    told = gauges([1980.0, 1605.0, 1755.0, 1755.0], held=(1,), power_w=690.0)
    section = gpu_section(gpu_run(told=told))
    found, thin = values(section), "\N{NARROW NO-BREAK SPACE}"
    assert found["clock"] == f"1{thin}755 MHz"
    assert found["lowest clock"] == f"1{thin}605 MHz"
    assert (found["power"], found["temperature"]) == ("690 W", "56 °C")
    assert found["throttled"] == "1 of 4"
    assert section is not None
    assert "throttled in 25 % of the samples: power limit." in section.note
    measured = {line.words for line in section.lines if line.evidence is Evidence.MEASURED}
    assert {"clock", "lowest clock", "power", "temperature", "throttled"} <= measured


def test_that_pinned_transfers_have_their_rate() -> None:
    section = gpu_section(gpu_run(pinned=(2.5, 1.25)))
    rates = [line.value for line in section.lines if line.words == "as a rate"] if section else []
    assert rates == ["53.7 GB/s", "53.7 GB/s"], "128 MiB in 2.5 ms, 64 MiB in 1.25 ms"
    bf16 = gpu_section(gpu_run(pinned=(2.5, 1.25), arithmetic=Arithmetic.BF16))
    assert bf16 is not None
    assert next(line.value for line in bf16.lines if line.words == "as a rate") == "26.8 GB/s"


def test_that_the_floor_and_the_part_of_the_roof_come_with_roofs() -> None:
    run = gpu_run(ms=(2.8,) * 3)
    session = Session("", "1", GPU, 0.0, (run,), roofs=(made_roofs(),))
    assert values(gpu_section(run, session))["empty kernel"] == "2.10 µs"
    assert "empty kernel" not in values(gpu_section(run))
    lines = {line.words: line for line in run_section(run, session).lines}
    assert lines["of the fp32 roof"].value == "81.8 %"
    assert "fp32 FMA roof 60.0 TFLOP/s, measured 2025-01-02 at 1\u202f755 MHz" in lines["of the fp32 roof"].tip
    assert "of the fp32 roof" not in {line.words for line in run_section(run).lines}
    assert "roof" not in run_section(run, session).note
    roofs = made_roofs()
    held = replace(roofs, roofs=tuple(replace(one, gauges=gauges([1830.0] * 4, held=(1,))) for one in roofs.roofs))
    note = run_section(run, replace(session, roofs=(held,))).note
    assert "While the fp32 FMA roof was measured, the GPU lowered its clock to 1\u202f830 MHz (" in note
    assert "the roof would be higher" in note
    split = gpu_run(ms=(2.8,) * 3, arithmetic=Arithmetic.TF32X3)
    line = next(line for line in run_section(split, session).lines if line.words == "of the tf32x3 roof")
    assert "133 TFLOP/s, a third of 400 TFLOP/s" in line.tip


@pytest.mark.parametrize("field", ["resources", "gauges"])
def test_that_what_nobody_told_is_absent_and_not_zero(field: str) -> None:
    run = gpu_run(registers=0) if field == "resources" else gpu_run(told=gauges([]))
    found = values(gpu_section(run))
    missing = {"resources": {"registers", "limited by", "waves"}, "gauges": {"clock", "power"}}[field]
    assert not missing & set(found)
    assert "shared" in found


def test_that_the_panel_shows_the_section_only_for_a_gpu(qtbot: QtBot, make_result: Callable[..., RunResult]) -> None:
    panel = FiguresPanel()
    qtbot.addWidget(panel)
    part = panel.findChild(QWidget, "figuresGpu")
    assert part is not None
    panel.show_run(gpu_run())
    assert part.isVisibleTo(panel)
    assert "limited by\tregisters\tderived" in panel.text
    panel.show_run(make_result())
    assert not part.isVisibleTo(panel)
    assert "limited by" not in panel.text


def test_that_the_words_of_a_gpus_run_are_whole_in_a_window_1280_wide(qtbot: QtBot) -> None:
    panel = FiguresPanel()
    qtbot.addWidget(panel)
    panel.setStyleSheet(style_sheet(LIGHT))
    panel.resize(right_width(1280), 420)
    panel.show()
    run = gpu_run(pinned=(2.5, 1.25), registers=128, threads=256, shared=16384)
    panel.show_run(run, Session("", "1", run.device, 0.0, (run,), roofs=(made_roofs(),)))
    panel.layout().activate()
    rows = [row for row in panel.findChildren(FigureRow) if row.isVisibleTo(panel)]
    assert len(rows) > 20
    assert [row.toolTip() for row in rows if row.is_elided] == []
