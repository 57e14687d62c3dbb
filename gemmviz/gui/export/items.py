"""What the export dialog offers, and which files a choice of it makes. No Qt."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from gemmviz.domain.runs.result import RunResult, Session
from gemmviz.gui.charts.plot_table import Charted, Plot
from gemmviz.gui.export.choice import CSV, FORMATS, PICTURES, ExportChoice, ExportItem, ItemKind
from gemmviz.gui.export.targets import RUN_FILES, TRACE_FILES, export_targets
from gemmviz.gui.recording.block_names import recorded_block_names

WINDOW = ExportItem("window", "The whole window", PICTURES, kind=ItemKind.VIEW)
REQUEST = ExportItem("request", "The request on the screen", FORMATS, kind=ItemKind.VIEW)
TABLES = (
    ExportItem("runs", "Table of all runs and samples (CSV)", (CSV,), RUN_FILES, ItemKind.TABLE),
    ExportItem("recordings", "Tables of all recordings (CSV)", (CSV,), TRACE_FILES, ItemKind.TABLE),
)
"""What has no chart of its own."""


def targets_of(session: Session, choice: ExportChoice) -> tuple[Path, ...]:
    """Every file, and folder of PNG frames, that a choice makes."""
    on_screen = [choice.folder / name for _, _, name in on_screen_of(choice)]
    asked = choice.folder, choice.formats, charts_of(choice), choice.still, fixed_of(choice)
    pictures = export_targets(session, *asked)
    film = choice.film.paths(choice.folder) if choice.film is not None else ()
    lesson = (choice.folder / name for name in of_lesson(choice))
    return (*on_screen, *pictures, *lesson, *film)


def charts_of(choice: ExportChoice) -> set[str]:
    """The names of the charts that a choice makes pictures and tables of."""
    return {item.name for item in choice.items if item.kind is ItemKind.CHART} if choice.formats else set()


def on_screen_of(choice: ExportChoice) -> tuple[tuple[ExportItem, str, str], ...]:
    """The pictures of what is on the screen that a choice makes: item, format, and the name of the file."""
    wanted = [item for item in choice.items if item.kind is ItemKind.VIEW]
    return tuple(
        (item, form, f"{item.name}.{form}") for item in wanted for form in choice.formats if form in item.formats
    )


def of_lesson(choice: ExportChoice) -> tuple[str, ...]:
    """The names of the files of a whole lesson that a choice makes."""
    wanted = (item for item in choice.items if item.kind is ItemKind.LESSON)
    return tuple(name for item in wanted for name in item.files_in(choice.formats))


def fixed_of(choice: ExportChoice) -> tuple[str, ...]:
    """The files of the tables without charts that a choice makes."""
    return tuple(file for item in choice.items if item.kind is ItemKind.TABLE for file in item.files)


def item_of(plot: Plot, session: Session, charted: Charted) -> ExportItem:
    """A chart in the dialog, which compares what is `charted`."""
    if plot is Plot.MEMORY:
        files = tuple(f"{block_name.stem}.{form}" for block_name in recorded_block_names(session) for form in PICTURES)
        return ExportItem(plot.value, title_of(plot, session, charted), PICTURES, files)
    return ExportItem(plot.value, title_of(plot, session, charted))


def title_of(plot: Plot, session: Session, charted: Charted) -> str:
    """What a chart is called in the dialog, and what an export of it leaves out."""
    words = plot.spec.left_out(session, charted)
    return f"{plot.spec.title}: {words}" if words else plot.spec.title


def only(session: Session, runs: tuple[RunResult, ...]) -> Session:
    """The session with these runs only, or whole if there are none."""
    return replace(session, runs=runs) if runs else session
