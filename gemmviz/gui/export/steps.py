"""Charts, the memory view and the window as files and on the clipboard: PNG, SVG, PDF, CSV."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from PySide6.QtCore import QByteArray, QMimeData, QSize
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QWidget

from gemmviz.domain.runs.result import RunResult, Session
from gemmviz.domain.runs.tables import ExportError, export_csv
from gemmviz.explain.figures.figure import PlotTable
from gemmviz.gui.charts.page import Page
from gemmviz.gui.charts.plot_table import Charted, PlannedTable, Plot
from gemmviz.gui.export.choice import PICTURES
from gemmviz.gui.export.files import awaited, export_errors, write_file
from gemmviz.gui.export.film.choice import SLIDE_SIZE
from gemmviz.gui.export.pictures.chart_picture import chart_slide, draw_chart_slide, twin_of
from gemmviz.gui.export.pictures.charts import PictureMaker
from gemmviz.gui.export.pictures.side_by_side import named_pictures
from gemmviz.gui.export.pictures.still_choice import EVERY_BLOCK, StillChoice
from gemmviz.gui.export.pictures.still_files import SIZE, StillLook, stills_written
from gemmviz.gui.export.pictures.widget_pdf import pdf_bytes, render_pdf
from gemmviz.gui.export.pictures.widget_svg import paint_svg, render_svg, svg_bytes
from gemmviz.gui.export.plan import FORMATS, Planned, planned_tables
from gemmviz.gui.export.tables import as_csv, as_tsv, export_table, make_folder
from gemmviz.gui.export.targets import fixed_tables, wanted_pictures
from gemmviz.gui.looks.projector import projector_theme
from gemmviz.gui.looks.theme import LIGHT, Theme
from gemmviz.gui.recording.block_names import table_prefix
from gemmviz.gui.widgets.clipboard import put_on_clipboard
from gemmviz.gui.widgets.on_screen import screen_only_parts_hidden
from gemmviz.gui.widgets.widget_image import image_steps, png_bytes, render_image, settle

__all__ = [
    "ExportError",
    "ExportStep",
    "copy_chart",
    "copy_pictures",
    "copy_widget",
    "export_session",
    "export_steps",
    "export_table",
    "export_widget",
]

Size = tuple[int, int]

_MAKERS: Mapping[str, Callable[[QWidget, float], bytes]] = {
    "png": lambda widget, scale: png_bytes(render_image(widget, scale)),
    "svg": render_svg,
    "pdf": render_pdf,
}


@dataclass(frozen=True, slots=True)
class ExportStep:
    """How far an export is: files written, files in all, and the file just written if it was this step."""

    done: int
    total: int
    path: Path | None = None


def export_widget(widget: QWidget, path: Path, scale: float = 1.0, *, may_replace: bool = True) -> None:
    """Write a picture of a widget; the suffix decides: .png of exactly its size times `scale`, .svg or .pdf.

    Raises:
        ExportError: another suffix, a picture too large, or a folder or file that cannot be written.
    """
    suffix = _suffix(path)
    with screen_only_parts_hidden(widget), export_errors(path):
        data = _MAKERS[suffix](widget, scale)
    write_file(path, data, may_replace=may_replace)


def copy_widget(widget: QWidget, tables: Sequence[PlotTable] = (), scale: float = 0.0) -> None:
    """Put a picture of a widget on the clipboard, and what it plots as text with tabs and as CSV; without a scale as
    large as on its screen.
    """
    data = QMimeData()
    with screen_only_parts_hidden(widget):
        data.setImageData(render_image(widget, scale or widget.devicePixelRatioF()))
    if tables:
        data.setText(as_tsv(tables))
        data.setData("text/csv", QByteArray(as_csv(tables).encode("utf-8", errors="backslashreplace")))
    put_on_clipboard(data)


def copy_chart(live: Page, session: Session, chosen: tuple[RunResult, ...], theme: Theme) -> None:
    """Put a page of figures on the clipboard, as a picture as wide as it is on the screen, with every row and all
    notes, and what it plots as text with tabs and as CSV.
    """
    twin, width = twin_of(live, session, chosen, theme), live.width()
    twin.set_for_picture(True, width)
    twin.resize(width, twin.picture_height(width))
    try:
        copy_widget(twin, live.tables(), live.devicePixelRatioF())
    finally:
        twin.deleteLater()


def copy_pictures(whole: QWidget, named: Sequence[tuple[QWidget, str]], theme: Theme) -> None:
    """Put pictures that are beside each other on the clipboard as one image, each under its name."""
    data = QMimeData()
    with screen_only_parts_hidden(whole):
        data.setImageData(named_pictures(whole, named, theme, whole.devicePixelRatioF()))
    data.setText("\n".join(name for _, name in named))
    put_on_clipboard(data)


def export_session(
    session: Session,
    folder: Path,
    formats: Collection[str],
    scale: float = 1.0,
    size: Size | None = None,
    theme: Theme = LIGHT,
    names: Collection[str] | None = None,
    still: StillChoice = EVERY_BLOCK,
    may_replace: bool = True,
) -> list[Path]:
    """Write every chart that has something to show, or those of `names`; the paths written. See `export_steps`."""
    steps = export_steps(session, folder, formats, scale, size, theme, names, still, may_replace)
    return [step.path for step in steps if step.path is not None]


def export_steps(
    session: Session,
    folder: Path,
    formats: Collection[str],
    scale: float = 1.0,
    size: Size | None = None,
    theme: Theme = LIGHT,
    names: Collection[str] | None = None,
    still: StillChoice = EVERY_BLOCK,
    may_replace: bool = True,
    fixed: Collection[str] | None = None,
    charted: Charted | None = None,
) -> Iterator[ExportStep]:
    """Write the charts of a session step by step, each step so short that a window can go on in between.

    Pictures are `size` wide and at least as high, more where they have more rows, and their letters grow with it;
    without it 1200 wide and as high as they need; all of it times `scale`. Where `still` says that it is a
    presentation, each is a slide. The memory view is `size` large, or 1200 x 750, and shows what `still` says. Of the
    tables of all runs and recordings those of `fixed` are written or, where CSV is a format, all. The
    charts compare what is `charted`, or all of the session. Encoding and writing go on in a thread of their own, and
    the painting of the memory view. An export that is given up after any step leaves whole files only. Files that are
    there are replaced if `may_replace`.

    Raises:
        ExportError: a folder or file that cannot be written, a picture too large.
        ValueError: an unknown format or chart, or a frame that a block has not.
    """
    unknown = sorted(set(formats) - set(FORMATS))
    if unknown:
        raise ValueError(f"there is no format {unknown[0]!r}: choose from {', '.join(FORMATS)}")
    suffixes = [word for word in PICTURES if word in formats]
    pictures = wanted_pictures(session, names, still) if suffixes else ()
    tables = planned_tables(session, names, charted) if "csv" in formats else ()
    whole = fixed_tables(session, fixed, formats)
    total = len(pictures) * len(suffixes) + len(tables) + len(whole)
    done = 0
    make_folder(folder)
    yield ExportStep(done, total)
    maker = PictureMaker(session, projector_theme(theme) if still.is_slide else theme, size, charted)
    with ThreadPoolExecutor(1, "export") as pool, closing(maker):
        charts = [one for one in pictures if one.plot is not Plot.MEMORY]
        stills = [one.name for one in pictures if one.plot is Plot.MEMORY]
        look = StillLook(still, size or SIZE, scale, theme, may_replace)
        paths = chain(
            _written_slides(pool, maker, charts, suffixes, folder, scale, may_replace)
            if still.is_slide
            else _written_pictures(pool, maker, charts, suffixes, folder, scale, may_replace),
            stills_written(pool, session, stills, folder, suffixes, look),
        )
        if tables or whole:
            paths = chain(paths, _written_tables(pool, session, tables, folder, may_replace, whole))
        for path in paths:
            done += path is not None
            yield ExportStep(done, total, path)


def _written_pictures(
    pool: ThreadPoolExecutor,
    maker: PictureMaker,
    pictures: Sequence[Planned],
    suffixes: Sequence[str],
    folder: Path,
    scale: float,
    may_replace: bool,
) -> Iterator[Path | None]:
    """Every file when it is written, and None while there is more to do to one."""
    for one in pictures:
        widget = maker.widget_for(one)
        times = scale * maker.magnification
        yield None
        for suffix in suffixes:
            path = folder / f"{one.name}.{suffix}"
            with export_errors(path):
                if suffix == "svg":
                    settle(widget)
                    yield None
                    finish = paint_svg(widget, times, widget.words)
                    work = pool.submit(_finish_and_write, finish, path, may_replace)
                elif suffix == "pdf":
                    drawing = render_pdf(widget, times, widget.words)
                    work = pool.submit(write_file, path, drawing, may_replace=may_replace)
                else:
                    image: QImage | None = None
                    for step in image_steps(widget, times):
                        image = step
                        yield None
                    work = pool.submit(_encode_and_write, image, path, may_replace)
            yield from awaited(work)
            yield path


def _written_slides(
    pool: ThreadPoolExecutor,
    maker: PictureMaker,
    pictures: Sequence[Planned],
    suffixes: Sequence[str],
    folder: Path,
    scale: float,
    may_replace: bool,
) -> Iterator[Path | None]:
    """Write charts in the form of a presentation, SLIDE_SIZE times `scale` pixels large."""
    view, whole = QSize(*SLIDE_SIZE), QSize(*(round(side * scale) for side in SLIDE_SIZE))
    for one in pictures:
        chart = maker.chart_of(one)
        yield None
        for suffix in suffixes:
            path = folder / f"{one.name}.{suffix}"

            def draw(painter: QPainter, chart: Page = chart) -> None:
                draw_chart_slide(painter, chart, SLIDE_SIZE, maker.theme)

            with export_errors(path):
                if suffix == "png":
                    image = chart_slide(chart, SLIDE_SIZE, scale, maker.theme)
                    work = pool.submit(_encode_and_write, image, path, may_replace)
                else:
                    drawing = (pdf_bytes if suffix == "pdf" else svg_bytes)(draw, view, whole, chart.words)
                    work = pool.submit(write_file, path, drawing, may_replace=may_replace)
            yield from awaited(work)
            yield path


def _written_tables(
    pool: ThreadPoolExecutor,
    session: Session,
    tables: Sequence[PlannedTable],
    folder: Path,
    may_replace: bool,
    fixed: Collection[str],
) -> Iterator[Path | None]:
    runs = pool.submit(export_csv, session, folder, fixed, may_replace=may_replace, prefix=table_prefix(session.traces))
    yield from awaited(runs)
    yield from runs.result()
    for table in tables:
        path = folder / f"{table.name}.csv"
        yield from awaited(pool.submit(_make_and_write, table, path, may_replace))
        yield path


def _finish_and_write(finish: Callable[[], bytes], path: Path, may_replace: bool) -> None:
    write_file(path, finish(), may_replace=may_replace)


def _encode_and_write(image: QImage | None, path: Path, may_replace: bool) -> None:
    if image is not None:
        with export_errors(path):
            data = png_bytes(image)
        write_file(path, data, may_replace=may_replace)


def _make_and_write(table: PlannedTable, path: Path, may_replace: bool) -> None:
    export_table(table.make(), path, may_replace=may_replace)


def _suffix(path: Path) -> str:
    suffix = path.suffix.lower().removeprefix(".")
    if suffix not in _MAKERS:
        raise ExportError(f"cannot write {path}: a picture is .png, .svg or .pdf: choose one of these endings")
    return suffix
