"""Exported files, opened again: pixels, the canvas and text of an SVG, the numbers of a CSV."""

from __future__ import annotations

import csv
import errno
import itertools
import os
import time
import xml.etree.ElementTree as ET
from collections import defaultdict
from collections.abc import Generator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from image_pixels import lightness_of, saturation_of
from numpy.lib.stride_tricks import sliding_window_view
from pace import slowest_s
from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter
from PySide6.QtWidgets import QApplication, QLabel, QMainWindow
from pytestqt.qtbot import QtBot
from svg_fonts import svg_renderer

from gemmviz.cli.app import run_app
from gemmviz.domain.runs.result import RunResult, Session
from gemmviz.domain.session.session import load_session
from gemmviz.explain.figures.figure import PlotTable
from gemmviz.explain.figures.timing.kernel import kernel_time_table
from gemmviz.gui.charts.error_map.view import ErrorMapView
from gemmviz.gui.charts.plot_table import Plot
from gemmviz.gui.charts.timing_chart import TimingChart, TimingView
from gemmviz.gui.export.plan import plots_of
from gemmviz.gui.export.steps import (
    ExportError,
    ExportStep,
    copy_widget,
    export_session,
    export_steps,
    export_table,
    export_widget,
)
from gemmviz.gui.looks.theme import DARK, LIGHT

SVG = "{http://www.w3.org/2000/svg}"
KERNELS = ("naive", "tiled", "cpu_ijk", "cpu_blas")
FORMATS = ("png", "svg", "csv")
Exported = tuple[list[Path], list[float]]
"""The files of all that a session shows, and of the steps to each of them the longest."""


@pytest.fixture(scope="module")
def session(real_session: Session, tmp_path_factory: pytest.TempPathFactory) -> Session:
    """Real runs, a sweep made of one of them, and a real recording."""
    trace = tmp_path_factory.mktemp("real") / "trace.gemmviz"
    assert run_app(["trace", "--kernel", "tiled", "--size", "32x32x32", "--all-blocks", "--out", str(trace)]) == 0
    tiled = real_session.runs[1]
    sweep = tuple(replace(tiled, sweep=1, spec=replace(tiled.spec, params=(("TILE", tile),))) for tile in (4, 8))
    return replace(real_session, runs=real_session.runs + sweep, traces=load_session(trace).traces)


@pytest.fixture
def chart(qtbot: QtBot, session: Session) -> TimingChart:
    made = TimingChart(LIGHT)
    qtbot.addWidget(made)
    made.resize(640, 400)
    made.show_runs(session.runs)
    return made


def svg_of(path: Path) -> ET.Element:
    return ET.fromstring(path.read_bytes())


def texts_of(root: ET.Element) -> list[str]:
    return [(text.text or "").strip() for text in root.iter(f"{SVG}text")]


def drawn(path: Path) -> QImage:
    renderer = svg_renderer(path)
    assert renderer.isValid()
    image = QImage(renderer.defaultSize(), QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    renderer.render(painter)
    painter.end()
    return image


@pytest.mark.parametrize("scale", [1.0, 2.0, 0.5, 1.25])
def test_that_a_png_has_exactly_the_pixels_asked_for(chart: TimingChart, tmp_path: Path, scale: float) -> None:
    path = tmp_path / "chart.png"
    export_widget(chart, path, scale)
    image = QImage(str(path))
    assert (image.width(), image.height()) == (round(640 * scale), round(400 * scale))
    assert image.dotsPerMeterX() == pytest.approx(96 * scale / 0.0254, rel=0.001)
    assert image.pixelColor(2, 2) == QColor(LIGHT.canvas)


def test_that_a_larger_picture_shows_the_same_and_not_more(chart: TimingChart, tmp_path: Path) -> None:
    for scale in (1, 2):
        export_widget(chart, tmp_path / f"{scale}.png", scale)
    small, large = (saturation_of(QImage(str(tmp_path / f"{scale}.png"))) > 150 for scale in (1, 2))
    around = sliding_window_view(small[1:-1, 1:-1], (3, 3))  # the first is in the middle of row 2 and column 2
    rows, columns = np.nonzero(around.all(axis=(2, 3)))
    assert rows.size > 30  # the insides of marks, of which some may lie upon others
    assert large[2 * (rows + 2), 2 * (columns + 2)].all()


def test_that_an_svg_has_its_canvas_its_title_and_real_text(chart: TimingChart, tmp_path: Path) -> None:
    path = tmp_path / "chart.svg"
    export_widget(chart, path, 1.5)
    root = svg_of(path)
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("960", "600", "0 0 640 400")
    assert root.findtext(f"{SVG}title") == "Kernel time"
    texts = texts_of(root)
    for word in (*KERNELS, "Kernel time", "measured"):
        assert word in texts
    assert root.find(f".//{SVG}image") is None


def test_that_an_svg_looks_like_the_png(chart: TimingChart, tmp_path: Path) -> None:
    export_widget(chart, tmp_path / "a.svg")
    export_widget(chart, tmp_path / "a.png")
    vector, pixels = drawn(tmp_path / "a.svg"), QImage(str(tmp_path / "a.png"))
    assert vector.size() == pixels.size()
    differ = np.abs(lightness_of(vector) - lightness_of(pixels))[::2, ::2] > 90
    assert differ.sum() < 600


def test_that_marks_beyond_the_axis_are_clipped(chart: TimingChart, tmp_path: Path, qtbot: QtBot) -> None:
    chart.grab()
    for _ in range(7):
        qtbot.keyClick(chart.plot, Qt.Key.Key_Right)
    export_widget(chart, tmp_path / "a.png")
    export_widget(chart, tmp_path / "a.svg")
    image, area = QImage(str(tmp_path / "a.png")), chart.plot.plot_layout().plot
    left = chart.plot.mapTo(chart, chart.plot.rect().topLeft())
    for y in range(left.y() + round(area.top), left.y() + round(area.bottom)):
        for x in range(left.x() + round(area.left) - 8, left.x() + round(area.left) - 2):
            assert image.pixelColor(x, y).saturation() < 60, (x, y)
    # Qt's own reader knows no clip paths, so that they are looked for and not looked at.
    root = svg_of(tmp_path / "a.svg")
    clips = {clip.get("id") for clip in root.iter(f"{SVG}clipPath")}
    used = {(group.get("clip-path") or "").removeprefix("url(#").removesuffix(")") for group in root.iter(f"{SVG}g")}
    assert clips & used


def test_that_a_chart_is_exported_without_its_switches(chart: TimingChart, tmp_path: Path) -> None:
    export_widget(chart, tmp_path / "a.svg")
    assert "Speed-up" not in texts_of(svg_of(tmp_path / "a.svg"))
    assert chart.controls.isVisibleTo(chart)


def test_that_a_window_is_exported_whole(qtbot: QtBot, session: Session, tmp_path: Path) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    window.setWindowTitle("gemmviz")
    chart = TimingChart(LIGHT)
    chart.show_runs(session.runs)
    window.setCentralWidget(chart)
    window.resize(700, 500)
    export_widget(window, tmp_path / "w.svg")
    root = svg_of(tmp_path / "w.svg")
    assert root.get("viewBox") == "0 0 700 500"
    assert "Speed-up" in texts_of(root)
    export_widget(window, tmp_path / "w.png", 2.0)
    assert QImage(str(tmp_path / "w.png")).width() == 1400


def test_that_a_table_reads_back_to_the_same_numbers(session: Session, tmp_path: Path) -> None:
    table = kernel_time_table(session.runs)
    export_table(table, tmp_path / "t.csv")
    with (tmp_path / "t.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, strict=True))
    assert len(rows) == len(session.runs)
    for row, run in zip(rows, session.runs, strict=True):
        assert float(row["median_ms"]) == run.timing.kernel_ms.median
        assert int(row["samples"]) == run.timing.kernel_ms.n
    export_table(PlotTable("t", ("a", "b"), ()), tmp_path / "empty.csv")
    assert (tmp_path / "empty.csv").read_text() == "a,b\n", "without rows it has its heading"


@pytest.mark.parametrize("name", ["chart.gif", "chart", "chart.csv"])
def test_that_another_ending_is_refused_in_a_line(chart: TimingChart, tmp_path: Path, name: str) -> None:
    with pytest.raises(ExportError, match=r"\.png, \.svg or \.pdf"):
        export_widget(chart, tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("scale", [1e-9, 100.0, float("inf"), float("nan"), -1.0])
@pytest.mark.parametrize("name", ["a.png", "a.svg"])
def test_that_a_scale_that_cannot_be_is_refused_in_a_line(
    chart: TimingChart, tmp_path: Path, scale: float, name: str
) -> None:
    with pytest.raises(ExportError, match="scale") as caught:
        export_widget(chart, tmp_path / name, scale)
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_that_a_missing_folder_is_named(chart: TimingChart, tmp_path: Path, suffix: str) -> None:
    with pytest.raises(ExportError, match="does not exist"):
        export_widget(chart, tmp_path / "no match" / f"a.{suffix}")


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_that_a_full_disk_leaves_the_old_file(
    chart: TimingChart, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    path = tmp_path / f"a.{suffix}"
    path.write_text("old")

    def full(_number: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ExportError, match=r"the disk of .* is full") as caught:
        export_widget(chart, path)
    assert "\n" not in str(caught.value)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_that_the_clipboard_holds_picture_and_data(chart: TimingChart) -> None:
    copy_widget(chart, chart.tables())
    data = QGuiApplication.clipboard().mimeData()
    assert data.hasImage()
    image = data.imageData()
    assert (image.width(), image.height()) == (640, 400)
    lines = data.text().splitlines()
    assert lines[0].split("\t")[:3] == ["row", "run", "kernel"]
    assert [line.split("\t")[2] for line in lines[1:5]] == list(KERNELS)
    comma = bytes(QByteArray(data.data("text/csv")).data()).decode().splitlines()
    assert comma[0].startswith("row,run,kernel")


def test_that_a_picture_without_data_is_copied_alone(qtbot: QtBot) -> None:
    label = QLabel("words")
    qtbot.addWidget(label)
    label.resize(80, 20)
    copy_widget(label)
    assert QGuiApplication.clipboard().mimeData().hasImage()
    assert not QGuiApplication.clipboard().mimeData().hasText()


@pytest.fixture(scope="module")
def exported(session: Session, tmp_path_factory: pytest.TempPathFactory) -> Exported:
    paths: list[Path] = []
    folder = tmp_path_factory.mktemp("all") / "made"
    return paths, longest_s(export_steps(session, folder, FORMATS, 2.0), paths)


def test_that_a_session_is_exported_with_everything_it_shows(exported: Exported) -> None:
    paths, folder = exported[0], exported[0][0].parent
    names = {path.name for path in paths}
    charts = ("kernel_time", "end_to_end_time", "rate", "speedup", "samples_in_order", "roofline", "traffic")
    errors = ("error_bound", "relative_error", "error_map_1_naive", "error_map_4_cpu_blas")
    stems = {*charts, *errors, "sweep_1"}
    assert {f"{stem}.{suffix}" for stem in stems for suffix in ("png", "svg")} <= names
    assert {"runs.csv", "samples.csv", "tiled-sites.csv", "kernel_time.csv", "accuracy.csv", "sweep_1.csv"} <= names
    assert {"traffic.csv", "error_map_1_naive_cells.csv", "error_map_1_naive_worst.csv"} <= names
    assert {path.name for path in folder.iterdir()} == names
    assert len(names) == len(paths)


def test_that_exported_pictures_agree_in_size_and_have_their_words(exported: Exported) -> None:
    paths, folder = exported[0], exported[0][0].parent
    for path in paths:
        if path.suffix == ".svg":
            root, image = svg_of(path), QImage(str(path.with_suffix(".png")))
            assert (root.get("width"), root.get("height")) == (str(image.width()), str(image.height()))
            assert image.width() == 2400
            assert image.pixelColor(3, 3) == QColor(LIGHT.canvas)
            assert any("tiled" in text or "naive" in text or "cpu" in text for text in texts_of(root)), path
    assert "separate series" in "".join(texts_of(svg_of(folder / "speedup.svg"))).casefold()
    assert set(KERNELS) <= set(texts_of(svg_of(folder / "kernel_time.svg")))


def test_that_only_the_charts_asked_for_are_exported(session: Session, tmp_path: Path) -> None:
    paths = export_session(session, tmp_path, ["png"], size=(500, 340), theme=DARK, names=["rate", "traffic"])
    assert [path.name for path in paths] == ["rate.png", "traffic.png"]
    image = QImage(str(paths[1]))
    assert (image.width(), image.height()) == (500, 340)
    assert image.pixelColor(2, 2) == QColor(DARK.canvas)


def test_that_many_rows_make_a_higher_picture_which_says_what_it_leaves_out(session: Session, tmp_path: Path) -> None:
    many = replace(session, runs=tuple(replace(session.runs[0]) for _ in range(100)), traces=())
    (path,) = export_session(many, tmp_path, ["svg"], names=["kernel_time"])
    root = svg_of(path)
    assert int(root.get("height") or 0) > 60 * 40
    texts = texts_of(root)
    assert any(text.endswith("run 60 of 100") for text in texts)
    assert not any(text.endswith("run 61 of 100") for text in texts)
    assert any("1 to 60 of 100" in text for text in texts)


def test_that_steps_count_to_the_end_and_may_be_given_up(session: Session, tmp_path: Path) -> None:
    steps = list(export_steps(session, tmp_path / "all", FORMATS, names=["rate", "traffic"]))
    written = [step for step in steps if step.path is not None]
    assert [step.done for step in written] == list(range(1, len(written) + 1))
    assert {step.total for step in steps} == {len(written)}
    begun = export_steps(session, tmp_path / "some", ("png", "csv"))
    for _ in itertools.takewhile(lambda step: step.done < 2, begun):
        pass
    assert isinstance(begun, Generator)
    begun.close()
    left = sorted(path.name for path in (tmp_path / "some").iterdir())
    assert len(left) in (2, 3)
    assert all(not QImage(str(tmp_path / "some" / name)).isNull() for name in left)


def test_that_no_step_to_all_of_a_session_keeps_a_window_waiting(
    session: Session, exported: Exported, tmp_path: Path
) -> None:
    again = (longest_s(export_steps(session, tmp_path / str(n), FORMATS, 2.0)) for n in itertools.count())
    rounds = itertools.chain((exported[1],), again)  # the first is most often in time
    assert slowest_s(lambda: next(rounds), 0.05) < 0.05


def test_that_no_step_to_charts_of_many_runs_keeps_a_window_waiting(session: Session, tmp_path: Path) -> None:
    shown = replace(session, runs=session.runs * 20, traces=())
    names = {plot.value for plot in plots_of(shown)} - {Plot.ERROR_MAP.value}
    folders = (tmp_path / str(number) for number in itertools.count())

    def steps_s() -> list[float]:
        return longest_s(export_steps(shown, next(folders), FORMATS, 2.0, names=names))

    assert slowest_s(steps_s, 0.05) < 0.05


def longest_s(steps: Iterator[ExportStep], paths: list[Path] | None = None) -> list[float]:
    """Of the steps to each file, which `paths` gets, the longest: of what the window's own thread works, and no other.

    How many steps there are depends on how long files take to be written.
    """
    longest: dict[int, float] = defaultdict(float)
    done, last = 0, time.thread_time()
    for step in steps:
        longest[done] = max(longest[done], time.thread_time() - last)
        if paths is not None and step.path is not None:
            paths.append(step.path)
        done, last = step.done, time.thread_time()
    return list(longest.values())


def test_that_a_folder_that_cannot_be_and_an_unknown_format_are_named(session: Session, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(ExportError, match="not a folder"):
        export_session(session, tmp_path / "file", ["png"])
    with pytest.raises(ExportError, match="file"):
        export_session(session, tmp_path / "file" / "below", ["png"])
    with pytest.raises(ValueError, match="'gif'"):
        export_session(session, tmp_path, ["gif"])


def test_that_an_empty_session_makes_tables_only(session: Session, tmp_path: Path) -> None:
    empty = replace(session, runs=(), traces=())
    assert [p.name for p in export_session(empty, tmp_path, ("png", "csv"))] == ["runs.csv", "samples.csv"]


def test_that_charts_are_let_go_of(qapp: QApplication, session: Session, tmp_path: Path) -> None:
    def export() -> int:
        export_session(session, tmp_path, ["svg"], names=["kernel_time", "rate", "traffic", "error_map"])
        qapp.sendPostedEvents(None, 52)  # deferred deletion
        qapp.processEvents()
        return len(qapp.allWidgets())

    assert export() == export()


def test_that_views_keep_apart_in_one_chart(chart: TimingChart, tmp_path: Path) -> None:
    chart.set_view(TimingView.RATE)
    export_widget(chart, tmp_path / "rate.svg")
    assert "Rate of arithmetic" in texts_of(svg_of(tmp_path / "rate.svg"))


def test_that_an_error_map_is_a_picture_in_an_svg(qtbot: QtBot, session: Session, tmp_path: Path) -> None:
    view = ErrorMapView(LIGHT)
    qtbot.addWidget(view)
    run: RunResult = session.runs[0]
    view.show_runs([run, run])
    view.resize(800, 600)
    export_widget(view, tmp_path / "m.svg")
    root = svg_of(tmp_path / "m.svg")
    assert root.find(f".//{SVG}image") is not None
    texts: Any = texts_of(root)
    assert "WORST ELEMENTS" in texts
    worst = run.error_map.worst[0]
    assert str(worst.row) in texts
