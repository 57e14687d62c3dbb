"""The pages of a handout: what stands on them, as text, within their margins."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pypdf import PdfReader
from PySide6.QtGui import QImage, QPageSize

from gemmviz import __version__
from gemmviz.catalogue.glossary import load_glossary
from gemmviz.catalogue.lessons import load_lessons
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.runs.result import Session
from gemmviz.domain.session.session import load_session
from gemmviz.domain.shape import Shape
from gemmviz.explain.requests.pairing import PairStep
from gemmviz.explain.requests.selection import NOTHING
from gemmviz.explain.source.recorded_lines import first_line, plain_lines
from gemmviz.explain.source.recordings_beside import names_beside
from gemmviz.gui.charts.plot_table import Charted
from gemmviz.gui.export.handout import maker
from gemmviz.gui.export.handout.contents import (
    HandoutChoice,
    HandoutPicture,
    Paper,
    PartKind,
    PrintedStep,
    first_choice,
)
from gemmviz.gui.export.handout.flow import PagePiece, PlacedPiece
from gemmviz.gui.export.handout.maker import FOOT, SIDE, TOP, HandoutMaker, HandoutPages
from gemmviz.gui.lessons.lesson_data import read_lesson_data
from gemmviz.gui.lessons.shown_step import ShownStep
from gemmviz.gui.lessons.step_text import StepText
from gemmviz.gui.recording.block_names import Beside, Watched
from gemmviz.resources import resource_folder
from gemmviz.trace.frames.plan import FrameMode

pytestmark = [pytest.mark.qt_log_ignore("This plugin does not support"), pytest.mark.usefixtures("qapp")]


@pytest.fixture(scope="module")
def session() -> Session:
    return load_session(Path(resource_folder("assets") / "lessons" / "race.gemmviz"))


STEP = PrintedStep(
    "Step 2 of 7", StepText("Threads share tiles.", "A tile is a square.", "Who stores it?", ("a) one", "b) all"))
)


def made(
    session: Session,
    *names: str,
    paper: Paper = Paper.A4,
    title: str = "Tiles",
    step: PrintedStep | None = None,
) -> HandoutPages:
    made_by = HandoutMaker(session, Charted(session.runs, session.traces), load_catalogue(), step=step)
    choice = HandoutChoice(title, frozenset(names) or first_choice(made_by.parts), paper)
    made_by.prepare(choice)
    return made_by.pages(choice)


def read(pages: HandoutPages) -> PdfReader:
    return PdfReader(io.BytesIO(pages.pdf()))


def text_of(pages: HandoutPages) -> list[str]:
    """The text of each page; a reader may take the font's space for a tab."""
    return [page.extract_text().replace("\t", " ") for page in read(pages).pages]


def ink(image: QImage) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of what is not white."""
    image = image.convertToFormat(QImage.Format.Format_Grayscale8)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1)[:, : image.width()]
    down, across = np.nonzero(pixels < 250)
    return across.min(), down.min(), across.max(), down.max()


@pytest.mark.parametrize(("paper", "points"), [(Paper.A4, (595, 842)), (Paper.LETTER, (612, 792))])
def test_that_pages_have_the_size_of_the_paper_and_their_numbers(
    session: Session, paper: Paper, points: tuple[int, int]
) -> None:
    pages = made(session, paper=paper)
    assert {(round(page.mediabox.width), round(page.mediabox.height)) for page in read(pages).pages} == {points}
    assert pages.count > 2
    for number, text in enumerate(text_of(pages), 1):
        assert f"Page {number} of {pages.count}" in text
        assert f"Tiles · gemmviz {__version__}" in text


def test_that_title_sources_and_terms_are_text_and_fonts_are_in_the_file(session: Session) -> None:
    pages = made(session)
    reader, text = read(pages), "\n".join(text_of(pages))
    assert reader.metadata is not None
    assert reader.metadata.title == "Tiles"
    assert text.startswith("Tiles\nM×N×K = 8×8×8, 16×16×16  ·  AMD EPYC (PoCL) and PTX machine (")
    for words in (
        "Requests",
        "global requests",
        "wavefronts",
        "Pictures",
        "Sources",
        "race_broken.cu",
        "__global__",
        "Terms",
        "shared memory",
    ):
        assert words.replace(" ", "") in text.replace(" ", ""), "a reader may see spaces between underscores"
    resources: list[Any] = [page["/Resources"] for page in reader.pages]
    fonts = [font for one in resources for font in one["/Font"].values()]
    for font in fonts:
        (inside,) = font.get_object()["/DescendantFonts"]
        assert "/FontFile2" in inside.get_object()["/FontDescriptor"].get_object()


def test_that_terms_stand_in_alphabetical_order(session: Session) -> None:
    lines = text_of(made(session, "requests", "terms"))[0].partition("\nTerms\n")[2].splitlines()
    names = {term.name for term in load_glossary()}
    found = [line for line in lines if line in names]
    assert len(found) > 3
    assert found == sorted(found, key=str.casefold)


def test_that_every_line_of_a_source_stands_beside_its_number(session: Session) -> None:
    """From the first one behind the header of the file on, as it counts them."""
    lines = session.traces[0].source_text.splitlines()
    begin = first_line(plain_lines(session.traces[0].source_text))
    assert begin > 2
    text = "\n".join(text_of(made(session, "source_1_race_broken_cu")))
    numbers = [line.split(" ")[0] for line in text.splitlines()]
    assert [number for number in map(str, range(begin, len(lines) + 1)) if number not in numbers] == []
    assert "1" not in numbers


def test_that_nothing_stands_in_the_margins(session: Session, make_result) -> None:
    runs = tuple(make_result(kernel) for kernel in ("naive", "tiled", "vectorized", "register_2d"))
    pages = made(replace(session, runs=runs))
    width, height = round(pages.size.width()), round(pages.size.height())
    for number in range(pages.count):
        left, top, right, bottom = ink(pages.image(number, width))
        assert left >= SIDE - 3
        assert right <= width - SIDE + 3
        assert top >= TOP - 3
        assert bottom <= height - FOOT + 6


@pytest.mark.parametrize("width", [431, 432, 433])
def test_that_an_image_of_a_page_is_paper_to_its_edges(session: Session, width: int) -> None:
    image = made(session, "terms").image(0, width)
    corners = [(x, y) for x in (0, image.width() - 1) for y in (0, image.height() - 1)]
    assert {image.pixelColor(*corner).name() for corner in corners} == {maker.PAPER_THEME.canvas}


def test_that_an_image_of_a_small_page_shows_what_stands_on_paper() -> None:
    """What is painted is left out by the size that it has: a page of a dialog is painted larger than it is shown."""
    scales: list[float] = []
    piece = PagePiece(10.0, lambda painter: scales.append(painter.worldTransform().m11()))
    pages = HandoutPages("", QPageSize(QPageSize.PageSizeId.A4), ((PlacedPiece(piece, 0.0),),))
    small = pages.image(0, 300)
    assert (small.width(), small.height()) == (300, 424)
    pages.image(0, 3000)
    small_scale, large_scale = scales
    assert small_scale >= 2.0
    assert large_scale == pytest.approx(3000 / pages.size.width())


def test_that_a_file_has_the_numbers_of_sums_and_matrices_that_its_preview_has(session: Session) -> None:
    run = session.traces[0]
    watched = Watched(run, 0, 18, 25, FrameMode.REQUEST)
    made_by = HandoutMaker(session, Charted(session.runs, session.traces), load_catalogue(), watched)
    choice = HandoutChoice("", frozenset({"picture_1_race_broken"}))
    made_by.prepare(choice)
    words = text_of(made_by.pages(choice))[0].split()
    assert {"166", "438", "2780"} <= set(words), "sums of the threads"
    assert {str(number) for number in range(1, 65)} <= set(words), "A and B"


def test_that_a_step_of_a_lesson_stands_below_the_title_with_its_question_and_its_picture(session: Session) -> None:
    text = "\n".join(text_of(made(session, "step", "picture_1_race_broken", "requests", step=STEP)))
    told = ("Tiles", STEP.title, STEP.text.sentence, STEP.text.more, STEP.text.question, *STEP.text.choices)
    places = [text.index(words) for words in (*told, "Pictures", "Requests")]
    assert places == sorted(places)


def test_that_a_scene_that_no_recording_shows_is_drawn_in_type_that_can_be_read(session: Session) -> None:
    lesson = next(each for each in load_lessons() if each.id == "bank-conflicts")
    step = replace(STEP, shown=ShownStep(read_lesson_data(lesson), 1))
    parts = HandoutMaker(replace(session, traces=()), Charted((), ()), load_catalogue(), step=step).parts
    assert [part.name for part in parts] == ["step", "scene", "terms"]
    assert first_choice(parts) == {"step", "scene", "terms"}
    (page,) = read(made(replace(session, traces=()), "scene", step=step)).pages
    sizes: dict[str, float] = {}

    def visit(text: str, page_matrix: list[float], matrix: list[float], _font: object, size: float) -> None:
        sizes[text.strip()] = abs(matrix[3] * page_matrix[3]) * size

    said = page.extract_text(visitor_text=visit).replace("\t", " ")
    assert "32 wavefronts" in said
    assert "tiled_transposed TILE=32" in said
    assert "…" not in said
    foot = {"", f"Tiles\t·\tgemmviz\t{__version__}", "Page\t1\tof\t1"}
    sideways = {"wavefronts"}  # whose height is another number
    assert min(size for text, size in sizes.items() if text not in foot | sideways) >= 9.0


def test_that_a_table_that_is_too_wide_leaves_columns_out_and_names_them(
    session: Session, make_result, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(maker, "SIDE", 180.0)  # narrow paper
    runs = tuple(
        replace(run, spec=replace(run.spec, seed=number, shape=Shape(10_240 * number, 10_240, 10_240)))
        for number, run in enumerate(map(make_result, ("naive", "tiled", "naive")), 1)
    )
    (text,) = text_of(made(replace(session, runs=runs, traces=()), "results"))
    heads, _, dropped = text.partition("Not shown here: ")
    assert "\nseed\n" not in heads
    assert dropped.startswith("seed")


def test_that_another_choice_of_the_same_maker_has_other_pages(session: Session) -> None:
    made_by = HandoutMaker(session, Charted(session.runs, session.traces), load_catalogue())
    whole = HandoutChoice("", first_choice(made_by.parts))
    made_by.prepare(whole)
    many = made_by.pages(whole).count
    few = made_by.pages(replace(whole, parts=frozenset({"terms", "traffic"})))
    assert few.count < many
    assert "sector" in text_of(few)[0]
    made_by.close()


def test_that_no_type_of_a_chart_a_table_or_a_source_is_smaller_than_eight_points(session: Session) -> None:
    parts = HandoutMaker(session, Charted(session.runs, session.traces), load_catalogue()).parts
    names = [part.name for part in parts if part.kind is not PartKind.PICTURE]
    sizes = set[float]()

    def note(text: str, of_page: list[float], of_text: list[float], _: object, size: float) -> None:
        if text.strip():
            sizes.add(size * abs(of_page[3] * of_text[3]))

    for page in read(made(session, *names)).pages:
        page.extract_text(visitor_text=note)
    assert min(sizes) > 7.95


def test_that_no_label_in_a_picture_is_smaller_than_nine_points_on_a4(session: Session) -> None:
    made_by = HandoutMaker(session, Charted(session.runs, session.traces), load_catalogue())
    part = next(part for part in made_by.parts if part.kind is PartKind.PICTURE)
    choice = HandoutChoice("", frozenset({part.name}))
    made_by.prepare(choice)
    sizes: dict[str, float] = {}

    def note(text: str, of_page: list[float], of_text: list[float], _: object, size: float) -> None:
        if re.search("[A-Za-z]{2}", text) and not re.match("Page|.*gemmviz", text.strip()):  # not the foot
            sizes[text] = size * abs(of_page[3] * of_text[3])

    for page in read(made_by.pages(choice)).pages:
        page.extract_text(visitor_text=note)
    assert len(sizes) > 10
    assert {text: size for text, size in sizes.items() if size < 8.95} == {}


@pytest.mark.parametrize("is_compared", [False, True])
def test_that_captions_of_pictures_have_nine_points_on_a4(session: Session, is_compared: bool) -> None:
    run, other = session.traces[:2]
    names = names_beside(run, other, session.version_names)
    beside = Beside(other, 0, FrameMode.REQUEST, PairStep.WORK, names, False, NOTHING, 3, 25)
    watched = Watched(run, 0, 3, 25, FrameMode.REQUEST, beside=beside if is_compared else None)
    made_by = HandoutMaker(session, Charted(session.runs, session.traces), load_catalogue(), watched)
    (part,) = (
        part for part in made_by.parts if isinstance(part.content, HandoutPicture) and part.content.watched is watched
    )
    choice = HandoutChoice("", frozenset({part.name}))
    made_by.prepare(choice)
    sizes: dict[str, float] = {}

    def note(text: str, of_page: list[float], of_text: list[float], _: object, size: float) -> None:
        for word in re.findall(r"\b[a-z]{6,}\b", text):
            sizes[word] = max(sizes.get(word, 0.0), size * abs(of_page[3] * of_text[3]))

    slide, index = made_by._pictures[part.name]
    for page in read(made_by.pages(choice)).pages:
        page.extract_text(visitor_text=note)
    for text in slide.texts(index):
        for word in re.findall(r"\b[a-z]{6,}\b", f"{text.sentence} {text.note}"):
            assert sizes[word] >= 8.95, word
