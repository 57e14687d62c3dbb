"""What became of the figures of each line between two versions of a kernel; lines are matched by their text. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.runs.recorded_extent import blocks_words
from gemmviz.explain.source.changed_lines import pairs_of_lines
from gemmviz.explain.source.line_figures import MEANINGS, LineFigure, LineFigureKind, Row, figures_of
from gemmviz.explain.source.recorded_lines import source_lines
from gemmviz.explain.source.worth import Worth, change_words, worth_of

COMPARED = (
    LineFigureKind.EXCESS,
    LineFigureKind.SECTORS_PER_REQUEST,
    LineFigureKind.GLOBAL_REQUESTS,
    LineFigureKind.SHARED_REQUESTS,
    LineFigureKind.WAVEFRONTS,
    LineFigureKind.BYTES_MOVED,
    LineFigureKind.INSTRUCTIONS,
    LineFigureKind.ACTIVE_LANES,
)
"""Figures that are compared line by line; the first of them that changed stands in the margin."""
NONE = "–"


@dataclass(frozen=True, slots=True)
class LineChange:
    """What became of one figure of a line. `line` and `before_line` are its numbers now and before, 0 where it is not
    there; `words` is short enough for a margin, `tip` says it in full.
    """

    figure: LineFigureKind
    line: int
    before_line: int
    code: str
    before: str
    after: str
    change: str
    worth: Worth

    @property
    def words(self) -> str:
        """ "480→0", "new 8" and "gone" where only one version has it, or the figure alone where it did not change."""
        if self.worth is Worth.SAME:
            return self.after
        if NONE in (self.before, self.after):
            return f"new {self.after}" if self.before == NONE else "gone"
        return f"{self.before}→{self.after}"

    @property
    def tip(self) -> str:
        """The change in a sentence, with what the figure means."""
        name, moved = MEANINGS[self.figure].name, ""
        if self.line and self.before_line and self.line != self.before_line:
            moved = f"; it was line {self.before_line}"
        if self.worth is Worth.SAME:
            return f"line {self.line}: {self.after} {name}, as before{moved}"
        return f"line {self.line or self.before_line}: {name} {self.before} → {self.after} ({self.change}){moved}"


def figure_rows(trace: TraceRun) -> tuple[Row, ...]:
    """The figures of each line of a recording, as the source view has them."""
    return figures_of(source_lines(trace), blocks_words(trace), trace.form)


def line_changes(before: TraceRun | None, after: TraceRun) -> tuple[LineChange, ...]:
    """Every figure of every line that has it in either recording, in the order of the lines now, then lines that are
    gone. Without a recording before, the figures are compared with themselves.
    """
    old_text, new_text = (before or after).source_text.split("\n"), after.source_text.split("\n")
    old_rows, new_rows = figure_rows(before or after), figure_rows(after)
    pairs = pairs_of_lines(old_text, new_text)
    found: list[LineChange] = []
    for number, code in enumerate(new_text, 1):
        old_number = pairs.get(number, 0)
        found += _of_line(number, old_number, code, _row(old_rows, old_number), _row(new_rows, number))
    kept = set(pairs.values())
    for number, code in enumerate(old_text, 1):
        if number not in kept:
            found += _of_line(0, number, code, _row(old_rows, number), {})
    return tuple(found)


def figure_to_show(changes: tuple[LineChange, ...]) -> LineFigureKind:
    """The figure for the margin: the first of COMPARED that changed in a line, else the first that there is."""
    for wanted in ({Worth.BETTER, Worth.WORSE, Worth.PRICE, Worth.OTHER}, set(Worth)):
        for figure in COMPARED:
            if any(one.figure is figure and one.worth in wanted for one in changes):
                return figure
    return COMPARED[0]


def _of_line(line: int, before_line: int, code: str, old: Row, new: Row) -> list[LineChange]:
    found = []
    for figure in COMPARED:
        before, after = old.get(figure), new.get(figure)
        if before is None and after is None:
            continue
        is_ratio = figure in (LineFigureKind.SECTORS_PER_REQUEST, LineFigureKind.ACTIVE_LANES)
        values = tuple(one.value if one is not None else float("nan") if is_ratio else 0.0 for one in (before, after))
        # A line that was written anew has its like among those that are gone: alone neither is a gain or a loss.
        is_paired = bool(line and before_line)
        worth = worth_of(*values, more_is_better=figure is LineFigureKind.ACTIVE_LANES if is_paired else None)
        found.append(
            LineChange(figure, line, before_line, code, _text(before), _text(after), change_words(*values), worth)
        )
    return found


def _row(rows: tuple[Row, ...], number: int) -> Row:
    return rows[number - 1] if 1 <= number <= len(rows) else {}


def _text(figure: LineFigure | None) -> str:
    return figure.text if figure is not None else NONE
