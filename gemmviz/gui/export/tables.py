"""The tables of a session as CSV files and as text for the clipboard. No Qt."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from gemmviz.domain.files.atomic import describe_write_fault
from gemmviz.domain.files.csv_files import word_cell
from gemmviz.domain.runs.result import Session
from gemmviz.domain.runs.tables import ExportError, csv_text, export_csv, write_csv
from gemmviz.explain.figures.figure import PlotTable
from gemmviz.gui.export.plan import planned_tables
from gemmviz.gui.recording.block_names import table_prefix


def export_table(table: PlotTable, path: Path, *, may_replace: bool = True) -> None:
    """Write what a chart plots as CSV; every number reads back as the same.

    Raises:
        ExportError: the folder or the file cannot be written.
    """
    write_csv(table.rows, path, table.columns, may_replace=may_replace)


def export_tables(
    session: Session, folder: Path, names: Collection[str] | None = None, *, may_replace: bool = True
) -> list[Path]:
    """Write one CSV for each chart, and unless `names` says which charts, runs.csv and its kin; the paths written.

    Raises:
        ExportError: the folder or a file cannot be written.
    """
    written: list[Path] = []
    if names is None:
        written += export_csv(session, folder, may_replace=may_replace, prefix=table_prefix(session.traces))
    else:
        make_folder(folder)
    for table in planned_tables(session, names):
        path = folder / f"{table.name}.csv"
        export_table(table.make(), path, may_replace=may_replace)
        written.append(path)
    return written


def make_folder(folder: Path) -> None:
    """Make the folder of an export where it is missing.

    Raises:
        ExportError: it is a file, or cannot be made.
    """
    if folder.exists() and not folder.is_dir():
        raise ExportError(f"cannot write to {folder}: it is not a folder. Choose another name")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ExportError(describe_write_fault(folder, error)) from error


def as_csv(tables: Sequence[PlotTable]) -> str:
    """Tables as CSV, an empty line between two."""
    return "\r\n".join(csv_text(table.rows, table.columns) for table in tables)


def as_tsv(tables: Sequence[PlotTable]) -> str:
    """Tables with tabs between the cells, as spreadsheets take them, an empty line between two."""
    texts = []
    for table in tables:
        cells = (tuple(_cell(row[name]) for name in table.columns) for row in table.rows)
        lines = [tuple(map(word_cell, table.columns)), *cells]
        texts.append("".join("\t".join(line) + "\n" for line in lines))
    return "\n".join(texts)


def _cell(value: str | int | float) -> str:
    """A cell that keeps to its place, whatever it holds."""
    return word_cell(" ".join(value.split())) if isinstance(value, str) else repr(value)
