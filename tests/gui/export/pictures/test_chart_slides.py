"""Charts that Export more writes: what one chart after the other shows, and their form as slides."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pypdf import PdfReader
from PySide6.QtCore import QPoint
from PySide6.QtGui import QImage

from gemmviz.catalogue.examples import examples_folder
from gemmviz.domain.runs.result import Session
from gemmviz.domain.session.session import load_session
from gemmviz.gui.charts.chart import Chart
from gemmviz.gui.charts.plot.legend import Legend
from gemmviz.gui.charts.traffic_chart import TRAFFIC_CHART, TrafficChart
from gemmviz.gui.export.film.choice import SLIDE_SIZE
from gemmviz.gui.export.pictures.chart_picture import filled_twin
from gemmviz.gui.export.pictures.charts import PictureMaker
from gemmviz.gui.export.pictures.still_choice import StillChoice
from gemmviz.gui.export.plan import planned
from gemmviz.gui.export.steps import export_session
from gemmviz.gui.looks.theme import LIGHT
from gemmviz.gui.pages.pages import charted_in_window
from gemmviz.gui.widgets.widget_image import render_image, settle

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture(scope="module")
def ladder() -> Session:
    """27 kernels."""
    return load_session(examples_folder() / "gpu-ladder.gemmviz")


def test_that_dots_stand_in_their_rows_when_one_chart_shows_two_plots_in_one_size(ladder: Session) -> None:
    maker = PictureMaker(ladder, LIGHT, SLIDE_SIZE)
    for one in planned(ladder, ("error_bound", "relative_error")):
        chart = maker.widget_for(one)
        assert isinstance(chart, Chart)
        render_image(chart)
        wanted, placed = chart.plot.plot_layout().plot, chart.plot.box.geometry()
        assert (placed.y(), placed.height()) == pytest.approx((wanted.top, wanted.height), abs=1.0)
    maker.close()


def test_that_charts_of_a_presentation_are_slides(ladder: Session, tmp_path: Path) -> None:
    names, still = ("kernel_time", "relative_error"), StillChoice(is_slide=True)
    export_session(ladder, tmp_path, ("png", "pdf", "svg"), names=names, still=still)
    for name in names:
        image = QImage(str(tmp_path / f"{name}.png"))
        assert (image.width(), image.height()) == SLIDE_SIZE
        assert (tmp_path / f"{name}.svg").exists()
    page = PdfReader(tmp_path / "kernel_time.pdf").pages[0]
    assert page.mediabox.width / page.mediabox.height == pytest.approx(16 / 9, abs=0.01)
    text = page.extract_text().replace("\t", " ")
    assert "Kernel time" in text
    assert "cublas_bf16" in text
    larger = export_session(ladder, tmp_path / "2", ("png",), 2.0, names=("rate",), still=still)
    assert QImage(str(larger[0])).width() == 2 * SLIDE_SIZE[0]


@pytest.mark.parametrize("recordings", [1, 2])
def test_that_few_rows_leave_no_empty_band_on_a_slide(ladder: Session, recordings: int) -> None:
    few = replace(ladder, traces=ladder.traces[:recordings])
    live = TRAFFIC_CHART.make(LIGHT)
    TRAFFIC_CHART.fill(live, few, charted_in_window(few, ()))
    with filled_twin(live, few, (), (1920, 980), LIGHT, live.title, large=True) as (twin, _):
        settle(twin)
        assert isinstance(twin, TrafficChart)
        legend = twin.findChild(Legend)
        assert isinstance(legend, Legend)
        band = legend.mapTo(twin, QPoint()).y()
    assert band < 0.08 * twin.height()
