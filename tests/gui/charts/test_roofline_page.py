"""The roofline on its page: where its plane ends, what it lacks, and which recordings it asks for."""

from __future__ import annotations

from gpu_runs import gpu_run, made_roofs
from pytestqt.qtbot import QtBot

from gemmviz.gui.charts.roofline_bytes import HOW_TO_MEND, byte_notes
from gemmviz.gui.charts.roofline_figure import roofline_of
from gemmviz.gui.charts.run_traffic import why_unknown
from gemmviz.gui.charts.timing_chart import TimingChart, TimingView

ROOFS = (made_roofs(),)


def test_that_the_plane_ends_near_the_marks_and_roofs() -> None:
    shown = roofline_of([gpu_run(ms=(2.8,) * 3), gpu_run("slow", (280.0,) * 3)], ())
    places = [point.intensity for point in shown.points]
    assert min(places) / 2 < shown.x.low < min(places)
    assert max(places) < shown.x.high < 2.5 * max(places)


def test_that_the_page_offers_to_measure_the_roofs_that_it_lacks(qtbot: QtBot) -> None:
    chart = TimingChart()
    qtbot.addWidget(chart)
    chart.show()
    chart.show_runs([gpu_run(ms=(2.8,) * 3)])
    chart.set_view(TimingView.KERNEL)
    assert not chart.measure_roofs.isVisible()
    chart.set_view(TimingView.ROOFLINE)
    assert chart.measure_roofs.isVisible()
    assert any("Press Measure roofs" in note for note in chart.figure.notes)
    chart.show_runs([gpu_run(ms=(2.8,) * 3)], ROOFS)
    assert not chart.measure_roofs.isVisible()


def test_that_no_recording_is_asked_for_of_what_cannot_be_recorded() -> None:
    names = ("cublas_fp32", "wgmma_bf16", "naive", "cpu_ijk")
    reasons = [(name, why_unknown(gpu_run(name, (2.8,) * 3), ())) for name in names]
    mendable, lasting = byte_notes([None] * len(names), reasons)[1:]
    assert mendable == f"no arrow: naive (not recorded); {HOW_TO_MEND}"
    assert "cublas_fp32 (cannot be recorded: cuBLAS does the work)" in lasting
    assert "wgmma_bf16 (not recorded: that needs an NVIDIA GPU)" in lasting
    assert "cpu_ijk (cannot be recorded: it runs on the CPU)" in lasting
    assert "record a kernel" not in lasting
