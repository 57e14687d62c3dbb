"""Exports from the window: the dialog, the steps of the work between which the window goes on, the clipboard."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QWidget

from gemmviz.domain.result import RunResult, Session
from gemmviz.domain.tables import RUN_COLUMNS, ExportError, run_rows, write_csv
from gemmviz.gui.export import ExportStep, copy_widget, export_steps, export_widget
from gemmviz.gui.export_choice import PNG, SVG, ExportChoice, ExportItem
from gemmviz.gui.export_dialog import ExportDialog
from gemmviz.gui.export_plan import Plot, left_out, plots_of
from gemmviz.gui.layout import Layout
from gemmviz.gui.notice import NoticeKind
from gemmviz.gui.parts import Parts
from gemmviz.gui.theme import Theme, theme_for

WINDOW = ExportItem("window", "The whole window", (PNG, SVG))
TITLES = {
    Plot.KERNEL_TIME: "Kernel time", Plot.WHOLE_TIME: "Transfers and kernel", Plot.RATE: "Rate in GFLOP/s",
    Plot.SPEEDUP: "Speed-up", Plot.ERROR_BOUND: "Error against its bound", Plot.RELATIVE_ERROR: "Relative error",
    Plot.ERROR_MAP: "Error maps of C", Plot.SWEEP: "Sweeps", Plot.TRAFFIC: "Memory traffic",
}  # fmt: skip


class ExportControl(QObject):
    """Writes files and the clipboard for the window."""

    told = Signal(object, str, str)
    """A NoticeKind, a sentence, and details or ""."""
    folder_used = Signal(Path)

    def __init__(self, window: QWidget, parts: Parts, layout: Layout, folder: Path) -> None:
        super().__init__(window)
        self._window, self._parts, self._layout, self._folder = window, parts, layout, folder
        self._dialog: ExportDialog | None = None
        self._steps: Iterator[ExportStep] | None = None
        self._written: list[Path] = []
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._on_step)

    def ask(self, session: Session, theme: Theme) -> None:
        """Open the dialog for what a session has to show."""
        items = [ExportItem(plot.value, title_of(plot, session)) for plot in plots_of(session)]
        dialog = ExportDialog([*items, WINDOW], self._folder, [item.name for item in items], self._window)
        dialog.export_asked.connect(lambda choice: self._begin(session, choice, theme))
        dialog.cancel_asked.connect(self.stop)
        dialog.finished.connect(self._on_closed)
        dialog.finished.connect(dialog.deleteLater)
        self._dialog = dialog
        dialog.open()

    def copy(self, tab: str) -> None:
        """Put the chart of a tab on the clipboard, as a picture and as data; without a tab the whole window."""
        parts = self._parts
        charts = {
            "Timing": parts.timing, "Accuracy": parts.accuracy, "Sweep": parts.sweep, "Traffic": parts.traffic,
        }  # fmt: skip
        chart = charts.get(tab)
        if tab == "Accuracy" and parts.accuracy_page.shows_map:
            copy_widget(parts.error_map, parts.error_map.tables())
        elif chart is not None:
            copy_widget(chart, chart.tables())
        else:
            copy_widget(parts.memory if tab else self._window, ())
        self.told.emit(NoticeKind.INFO, "Copied to the clipboard", "")

    def write_runs(self, session: Session) -> None:
        """Ask for a name and write the runs of a session as CSV."""
        proposed = str(self._folder / "runs.csv")
        name, _ = QFileDialog.getSaveFileName(self._window, "Write runs as CSV", proposed, "CSV (*.csv)")
        if not name:
            return
        path = Path(name) if Path(name).suffix else Path(name).with_suffix(".csv")
        self._use(path.parent)
        try:
            write_csv(run_rows(session), path, RUN_COLUMNS)
        except ExportError as error:
            self.told.emit(NoticeKind.ERROR, str(error), "")
        else:
            self.told.emit(NoticeKind.INFO, f"Wrote {path}", "")

    @Slot()
    def stop(self) -> None:
        """Give up the export that is going on; whole files stay."""
        self._timer.stop()
        steps, self._steps = self._steps, None
        if steps is not None:
            close = getattr(steps, "close", None)
            if close is not None:
                close()
            if self._dialog is not None:
                self._dialog.show_cancelled()

    def _begin(self, session: Session, choice: ExportChoice, theme: Theme) -> None:
        self._use(choice.folder)
        self._written = []
        names = {item.name for item in choice.items} - {WINDOW.name}
        wanted = theme if choice.theme.value == "auto" else theme_for(choice.theme, desktop_is_dark=False)
        try:
            if any(item == WINDOW for item in choice.items):
                choice.folder.mkdir(parents=True, exist_ok=True)
                for form in (form for form in choice.formats if form in WINDOW.formats):
                    path = choice.folder / f"{WINDOW.name}.{form}"
                    export_widget(self._window, path, choice.scale)
                    self._written.append(path)
        except (ExportError, OSError) as error:
            self._fail(error)
            return
        self._steps = (
            export_steps(session, choice.folder, choice.formats, choice.scale, choice.size, wanted, names)
            if names else iter(())
        )  # fmt: skip
        self._timer.start()

    @Slot()
    def _on_step(self) -> None:
        if self._steps is None:
            self._timer.stop()
            return
        try:
            step = next(self._steps, None)
        except (ExportError, ValueError) as error:
            self._fail(error)
            return
        if step is None:
            self._timer.stop()
            self._steps = None
            if self._dialog is not None:
                self._dialog.show_done(tuple(self._written))
        elif step.path is not None:
            self._written.append(step.path)
            if self._dialog is not None:
                self._dialog.show_progress(step.done, step.total, step.path.name)

    def _fail(self, error: Exception) -> None:
        self._timer.stop()
        self._steps = None
        if self._dialog is not None:
            self._dialog.show_failure(str(error))

    @Slot()
    def _on_closed(self) -> None:
        self.stop()
        self._dialog = None

    def _use(self, folder: Path) -> None:
        self._folder = folder
        self.folder_used.emit(folder)


def title_of(plot: Plot, session: Session) -> str:
    """What a chart is called in the dialog, and what an export of it leaves out."""
    words = left_out(session) if plot is Plot.ERROR_MAP else ""
    return f"{TITLES[plot]}: {words}" if words else TITLES[plot]


def only(session: Session, runs: tuple[RunResult, ...]) -> Session:
    """The session with these runs only, or whole if there are none."""
    return replace(session, runs=runs) if runs else session
