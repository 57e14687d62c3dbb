"""What a kernel printed, as a section of a report: its first lines, and how many more there are."""

from __future__ import annotations

from gemmviz.cli.terminal import Terminal
from gemmviz.domain import figures

MOST_LINES = 20


def print_printed(terminal: Terminal, name: str, printed: str) -> None:
    """Print the first lines that the kernel `name` printed, in the order in which they came; nothing of none."""
    if not printed:
        return
    lines = printed.removesuffix("\n").split("\n")
    terminal.print()
    terminal.print_words((f"{name} printed {figures.count(len(lines))} line{'s'[: len(lines) != 1]}", "bold"))
    for line in lines[:MOST_LINES]:
        terminal.print_words(line)
    if len(lines) > MOST_LINES:
        terminal.print_words(
            f"… and {figures.count(len(lines) - MOST_LINES)} more lines; --json has them all", style="dim"
        )
