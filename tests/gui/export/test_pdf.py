"""A PDF is one page of the size of its picture; its text is text, and its cells are the picture's own colours."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from pypdf import PageObject, PdfReader
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QFont, QImage, QPainter
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.examples import examples_folder
from gemmviz.domain.runs.result import Session
from gemmviz.domain.session.session import load_session
from gemmviz.gui.charts.plot_table import Plot
from gemmviz.gui.export.pictures.widget_pdf import pdf_bytes, render_pdf
from gemmviz.gui.export.steps import export_session
from gemmviz.gui.looks.fonts import figures, words
from gemmviz.gui.widgets.widget_image import PictureTooLargeError

pytestmark = pytest.mark.usefixtures("qapp")


def page_of(data: bytes) -> PageObject:
    """The only page of a file."""
    (page,) = PdfReader(io.BytesIO(data)).pages
    return page


def text_of(page: PageObject) -> str:
    """Its words, one space between them."""
    return " ".join(page.extract_text().split())


def points_of(page: PageObject) -> tuple[float, float]:
    return float(page.mediabox.width), float(page.mediabox.height)


@pytest.fixture(scope="module")
def session() -> Session:
    return load_session(examples_folder() / "cpu-four.gemmviz")


@pytest.fixture
def widget(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    label = QLabel("Nothing is slower than a guess")
    label.setFont(words())
    QVBoxLayout(made).addWidget(label)
    made.resize(400, 100)
    return made


@pytest.mark.parametrize("scale", [0.5, 1.0, 3.0])
def test_that_a_page_is_as_large_as_its_picture_at_96_pixels_an_inch(widget: QWidget, scale: float) -> None:
    page = page_of(render_pdf(widget, scale))
    assert points_of(page) == (round(300 * scale), round(75 * scale))
    assert "Nothing is slower than a guess" in text_of(page)


def test_that_a_file_has_its_title_and_its_maker(widget: QWidget) -> None:
    about = PdfReader(io.BytesIO(render_pdf(widget, title="Kernel\ttime"))).metadata
    assert about is not None
    assert (about.title, about.creator) == (r"Kernel\ttime", "gemmviz")


def test_that_an_empty_page_is_refused(widget: QWidget) -> None:
    with pytest.raises(PictureTooLargeError, match="is empty: choose a larger scale"):
        render_pdf(widget, 0.001)


def test_that_an_image_keeps_every_pixel() -> None:
    noise = np.random.default_rng(0).integers(0, 256, (9, 7, 3)).astype(np.uint8)

    def paint(painter: QPainter) -> None:
        image = QImage(7, 9, QImage.Format.Format_RGB32)
        for row, line in enumerate(noise.tolist()):
            for column, colour in enumerate(line):
                image.setPixelColor(column, row, QColor(*colour))
        painter.drawImage(0, 0, image)

    (image,) = page_of(pdf_bytes(paint, QSize(20, 20), QSize(20, 20), "noise")).images
    assert image.image is not None
    assert np.array_equal(np.asarray(image.image.convert("RGB")), noise)


@pytest.mark.parametrize(
    "font", [words(), words(8.5, QFont.Weight.DemiBold), figures()], ids=["words", "bold", "figures"]
)
def test_that_signs_between_digits_and_capitals_are_copied_as_what_they_are(font: QFont) -> None:
    text = "rows 0–15 2026-11-26 TILE=16 (0, 0) M×N×K = 64×64×64 · A → B ≈ 3 − 2 ≥ 1"

    def paint(painter: QPainter) -> None:
        painter.setFont(font)
        painter.drawText(10, 40, text)

    page = page_of(pdf_bytes(paint, QSize(900, 60), QSize(900, 60), "signs"))
    assert "".join(page.extract_text().split()) == "".join(text.split())


def test_that_charts_and_memory_are_exported_as_pdf(session: Session, tmp_path: Path) -> None:
    names = {Plot.KERNEL_TIME, Plot.MEMORY}
    paths = {path.name: path for path in export_session(session, tmp_path, ("pdf",), size=(1200, 750), names=names)}
    assert {path.suffix for path in paths.values()} == {".pdf"}
    chart = page_of(paths["kernel_time.pdf"].read_bytes())
    assert points_of(chart)[0] == 900
    kernels = {run.spec.kernel for run in session.runs}
    assert all(kernel in text_of(chart) for kernel in kernels)
    shape = session.runs[0].spec.shape
    assert f"M×N×K={shape.words}" in "".join(page_of(paths["kernel_time.pdf"].read_bytes()).extract_text().split())
    memory = page_of(next(path for name, path in paths.items() if "_memory_block_" in name).read_bytes())
    assert points_of(memory) == (900, 563), "of 562.5"
    assert "A[0,1]" in text_of(memory)
