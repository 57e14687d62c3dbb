"""A progress bar on standard error when that is a terminal; silent elsewhere."""

from __future__ import annotations

from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, TextColumn
from rich.progress import Progress as RichProgress


class Progress:
    """Follows `jobs` runs one after the other; a context manager."""

    def __init__(self, jobs: int) -> None:
        console = Console(stderr=True)
        self._bar = RichProgress(
            TextColumn("{task.percentage:>3.0f} %"),
            BarColumn(bar_width=30),
            TextColumn("{task.description}"),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._task = self._bar.add_task("", total=jobs)
        self._done = -1

    def __enter__(self) -> Progress:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def stop(self) -> None:
        """Take the bar away before its time."""
        self._bar.stop()

    def say(self, words: str) -> None:
        """Show what is going on."""
        self._bar.update(self._task, description=words)

    def next(self) -> None:
        """Another run begins."""
        self._done += 1
        self.advance(0.0)

    def advance(self, fraction: float) -> None:
        """The part of the current run that is done."""
        self._bar.update(self._task, completed=max(self._done, 0) + fraction)
