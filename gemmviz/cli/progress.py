"""A progress bar on standard error when that is a terminal; elsewhere silent but for what takes long once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

from rich.progress import BarColumn, TextColumn
from rich.progress import Progress as RichProgress
from rich.table import Column

from gemmviz.cli.terminal import error_terminal, print_error
from gemmviz.domain.visible_text import visible

_BAR_WIDTH = 30
_FOR_A_BAR = 70
"""Columns of a terminal that has room for a bar as well."""


class RunProgress:
    """Follows `jobs` runs one after the other; a context manager."""

    def __init__(self, jobs: int) -> None:
        console = error_terminal()
        bar = [BarColumn(bar_width=_BAR_WIDTH)] if console.width >= _FOR_A_BAR else []
        self._bar = RichProgress(
            TextColumn("{task.percentage:>3.0f} %"),
            *bar,
            TextColumn("{task.description}", markup=False, table_column=Column(overflow="fold")),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._task = self._bar.add_task("", total=jobs)
        self._done = -1
        self._is_announced = False

    def __enter__(self) -> RunProgress:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def stop(self) -> None:
        """Take the bar away before its time."""
        self._bar.stop()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Around what is printed meanwhile: without the bar."""
        self._bar.stop()
        yield
        self._bar.start()

    def say(self, words: str) -> None:
        """Show what is going on."""
        self._bar.update(self._task, description=visible(words))

    def announce(self, words: str) -> None:
        """Show what takes long and comes once; without a terminal the first such words are a line on standard error."""
        if self._bar.disable and not self._is_announced:
            print_error(words)
        self._is_announced = True
        self.say(words)

    def next(self) -> None:
        """Another run begins."""
        self._done += 1
        self.advance(0.0)

    def advance(self, fraction: float) -> None:
        """The part of the current run that is done."""
        self._bar.update(self._task, completed=max(self._done, 0) + fraction)
