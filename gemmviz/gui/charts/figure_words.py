"""A figure in words, for tooltips and for those who listen to it. No Qt."""

from __future__ import annotations

from gemmviz.explain.figures.figure import Figure
from gemmviz.gui.charts.newest_runs import newest_words


def words_of(figure: Figure) -> tuple[str, ...]:
    """What stands beside the marks of a figure and has terms that need their meaning: units, axis, spread, lines."""
    rows = (words for row in figure.rows[:1] for words in (row.value, row.note))
    return (figure.axis.unit, *rows, figure.axis.words, *figure.heads, *(rule.words for rule in figure.rules))


def in_words(figure: Figure, most: int = 40) -> str:
    """A figure for those who listen to it."""
    if not figure.rows:
        return figure.empty
    rows = [row.heading or f"{row.name} {row.detail}: {row.value}, {row.note}" for row in figure.rows[:most]]
    rows = [
        f"{newest_words(row)}: {said}" if row.is_new else said for row, said in zip(figure.rows, rows, strict=False)
    ]
    left = len(figure.rows) - len(rows)
    where = f"{figure.subtitle}. " if figure.subtitle else ""
    return f"{figure.evidence.value}. {where}" + "; ".join(rows) + (f"; and {left} more" if left else "")
