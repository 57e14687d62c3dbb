"""The roofline on its page: where its plane ends, what it lacks, and which recordings it asks for."""

from __future__ import annotations

from dataclasses import replace

from gpu_runs import GPU, gpu_run, made_roofs
from pytestqt.qtbot import QtBot

from gemmviz.domain.device import EMULATOR, NO_GPU_FACTS, DeviceKind
from gemmviz.domain.figures import counted
from gemmviz.explain.figures.roofline.bytes import HOW_TO_MEND, byte_notes
from gemmviz.explain.figures.roofline.device_roofs import (
    BUSY,
    LOOKING,
    DevicesHere,
    lack_notes,
    reason_against,
    roofs_offer,
    seconds_to_measure,
    without_roofs,
)
from gemmviz.explain.figures.roofline.roofline import roofline_figure, roofline_of
from gemmviz.explain.figures.traffic.run_traffic import why_unknown
from gemmviz.gui.charts.timing_chart import TimingChart, TimingView

ROOFS = (made_roofs(),)
POCL = replace(GPU, id="pocl", backend="opencl", name="CPU (PoCL)", kind=DeviceKind.CPU, gpu_facts=NO_GPU_FACTS)
HOST = replace(POCL, id="host", backend="host", name="CPU")
MACHINE = replace(POCL, id="machine:sm_90a", backend=EMULATOR, name="PTX machine")


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
    assert not chart.measure_roofs.isEnabled()
    assert chart.measure_roofs.toolTip().endswith(LOOKING)
    chart.show_devices(DevicesHere((GPU,), GPU))
    assert chart.measure_roofs.isEnabled()
    cost = f" (up to {seconds_to_measure(GPU)} s)"
    assert chart.measure_roofs.text() == f"Measure roofs{cost}"
    assert chart.measure_roofs.toolTip() == f"Measure how fast {GPU.name} copies and computes, for the roofline"
    assert f"the roofs of {GPU.name} have not been measured. Press Measure roofs{cost}" in chart.figure.notes
    chart.show_devices(DevicesHere((GPU,), GPU, is_busy=True))
    assert not chart.measure_roofs.isEnabled()
    chart.show_devices(DevicesHere((POCL, MACHINE), MACHINE))
    assert not chart.measure_roofs.isEnabled()
    assert chart.measure_roofs.toolTip().endswith(f"needs {GPU.name}, which is not here; the PTX machine has no roofs")
    assert f"the roofs of {GPU.name} have not been measured, and it is not here" in chart.figure.notes
    chart.show_devices(DevicesHere((GPU, POCL), POCL))
    assert chart.measure_roofs.toolTip().endswith(f"needs {GPU.name}, which is not chosen")
    assert any(
        note.endswith(f"Choose {GPU.name} as the device, then press Measure roofs{cost}") for note in chart.figure.notes
    )
    chart.show_runs([gpu_run(ms=(2.8,) * 3)], ROOFS)
    assert not chart.measure_roofs.isVisible()


def test_that_with_several_devices_roofs_and_marks_say_whose_they_are_and_notes_who_lacks_them() -> None:
    gpu, cpu, host = gpu_run(), gpu_run("slow", device=POCL), gpu_run("looped", device=HOST)
    shown = roofline_of([cpu, gpu, host], [made_roofs(POCL)])
    assert [line.words for line in shown.lines] == ["fp32 FMA 60.0 TFLOP/s on pocl"]
    assert [line.slope_words for line in shown.lines] == ["copy 4.00 TB/s on pocl"]
    assert [point.name for point in shown.points] == ["slow on pocl", f"tiled on {GPU.short_name}", "looped"]
    notes = roofline_figure([cpu, gpu, host], [made_roofs(POCL)]).notes
    assert any(note.startswith(f"roofs measured on {POCL.name}") for note in notes)
    lacking = [f"the roofs of {device.name} have not been measured" for device in (GPU, HOST)]
    assert [note for note in notes if "not been measured" in note] == lacking
    alone = roofline_of([gpu], ROOFS)
    assert (alone.lines[0].words, alone.points[0].name) == ("fp32 FMA 60.0 TFLOP/s", "tiled")
    beside_the_cpu = roofline_of([gpu, host], ROOFS)
    assert beside_the_cpu.lines[0].words == f"fp32 FMA 60.0 TFLOP/s on {GPU.short_name}"
    assert beside_the_cpu.points[0].name == "tiled", "the mark of a CPU kernel says that it is one"


def test_that_the_roofs_of_the_cpu_are_offered_for_its_kernels_whatever_device_is_chosen() -> None:
    host, slow = gpu_run("looped", device=HOST), gpu_run("slow", device=POCL)
    here = DevicesHere((HOST, MACHINE, POCL), POCL)
    (note,) = lack_notes([host], (), here)
    seconds = seconds_to_measure(HOST)
    assert note == f"the roofs of {HOST.name} have not been measured. Press Measure roofs (up to {seconds} s)"
    assert here.offered(without_roofs([host], ())) == HOST
    assert roofs_offer([HOST], here)[::2] == (f"Measure roofs (up to {seconds} s)", "")
    assert here.offered(without_roofs([host, slow], ())) == POCL, "the device of GPU kernels first"
    emulated = replace(here, chosen=MACHINE)
    assert emulated.offered([HOST, POCL]) == HOST
    assert reason_against([HOST], emulated) == ""
    assert reason_against([HOST], replace(emulated, is_busy=True)) == BUSY
    (both,) = lack_notes([host, slow], (), here)
    assert both == (
        f"the roofs of {POCL.name} and {HOST.name} have not been measured. "
        f"Press {roofs_offer([HOST, POCL], here)[0]}, then again for {HOST.name}"
    ), "the one that the button says"
    other = replace(HOST, name="another CPU")
    assert here.offered([other]) is None
    assert lack_notes([gpu_run("looped", device=other)], (), here)[0].endswith(
        "have not been measured, and it is not here"
    )


def test_that_cpu_kernels_stand_below_the_roof_of_their_cpu_with_its_threads() -> None:
    host = gpu_run("looped", (2.8,) * 3, device=HOST)
    roofs = replace(made_roofs(), device=HOST)
    line = roofline_of([host], [roofs])
    assert [one.words for one in line.lines] == [f"fp32 FMA 60.0 TFLOP/s on {HOST.compute_units} CPU threads"]
    (note,) = (one for one in roofline_figure([host], [roofs]).notes if one.startswith("roofs measured on"))
    assert note.startswith(f"roofs measured on {HOST.name}, {counted(HOST.compute_units, 'thread')}, 2025-01-02")
    assert without_roofs([host], [roofs]) == ()


def test_that_no_recording_is_asked_for_of_what_cannot_be_recorded() -> None:
    names = ("cublas_fp32", "wgmma_bf16", "naive", "cpu_ijk")
    reasons = [(name, why_unknown(gpu_run(name, (2.8,) * 3), ())) for name in names]
    mendable, lasting = byte_notes([None] * len(names), reasons, has_slope=True)[1:]
    assert mendable == f"no arrow: naive (not recorded); {HOW_TO_MEND}"
    assert "cublas_fp32 (cannot be recorded: cuBLAS does the work)" in lasting
    assert "wgmma_bf16 (not recorded: that needs an NVIDIA GPU)" in lasting
    assert "cpu_ijk (cannot be recorded: it runs on the CPU)" in lasting
    assert "record a kernel" not in lasting


def test_that_no_scroll_bar_of_rows_stands_beside_a_roofline(qtbot: QtBot) -> None:
    chart = TimingChart()
    qtbot.addWidget(chart)
    chart.resize(640, 360)
    chart.show()
    chart.show_runs([gpu_run(f"rung_{rung}") for rung in range(60)], ROOFS)
    chart.refresh()
    chart.grab()
    assert chart.plot.scroll_bar.isVisibleTo(chart)
    chart.set_view(TimingView.ROOFLINE)
    chart.refresh()
    chart.resize(660, 380)
    assert not chart.plot.scroll_bar.isVisibleTo(chart)


def test_that_measuring_takes_longer_where_a_device_has_more_roofs() -> None:
    of_cpu, of_gpu = seconds_to_measure(POCL), seconds_to_measure(GPU)
    assert of_cpu == 2 * (5 + 1), "copy and fp32, each with its warm-up"
    assert of_gpu > of_cpu
