"""What became of the figures of each line between two versions of a kernel; lines are matched by their text. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, replace

from gemmviz.domain.recordings.access import Space
from gemmviz.domain.recordings.machine_accesses import SharedMemoryCost
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.runs.recorded_extent import blocks_words
from gemmviz.explain.source.changed_lines import pairs_of_lines
from gemmviz.explain.source.line_costs import LineCode, line_code
from gemmviz.explain.source.line_figures import MEANINGS, LineFigureKind, Row, figures_of, short_count
from gemmviz.explain.source.recorded_lines import source_lines
from gemmviz.explain.source.worth import Worth, change_words, in_ptx, worth_of

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
SASS, PTX = "SASS", "PTX"


_Codes = dict[Space, tuple[LineCode, LineCode]]
"""Whose accesses the figures of a line count in a space, before and after."""


@dataclass(frozen=True, slots=True)
class LineChange:
    """What became of one figure of a line. `line` and `before_line` are its numbers now and before, 0 where it is not
    there; `words` is short enough for a margin, `tip` says it in full. `code` is the line; `form` whose accesses the
    figure counts, SASS or PTX, where SASS has others than the PTX, "" where it has not. `is_alone`: there is no figure
    before to compare with.
    """

    figure: LineFigureKind
    line: int
    before_line: int
    code: str
    before: str
    after: str
    change: str
    worth: Worth
    form: str = ""
    is_alone: bool = False

    @property
    def words(self) -> str:
        """ "480→0", "new 8" and "gone" where only one version has it, or the figure alone where it did not change or
        there is none before; with the form, "480→0 SASS".
        """
        if self.is_alone:
            told = self.after
        elif NONE in (self.before, self.after) and self.before != self.after:
            told = f"new {self.after}" if self.before == NONE else "gone"
        else:
            told = self.after if self.before == self.after else f"{self.before}→{self.after}"
        return f"{told} {self.form}".rstrip()

    @property
    def cells(self) -> tuple[str, str]:
        """The figure before and after, for a table: "480 (SASS)"."""
        return self._cell(self.before), self._cell(self.after)

    def _cell(self, text: str) -> str:
        return f"{text} ({self.form})" if self.form and text not in ("", NONE) else text

    @property
    def tip(self) -> str:
        """The change in a sentence, with what the figure means."""
        name, moved = MEANINGS[self.figure].name, ""
        if self.form:
            name += " in SASS, derived" if self.form == SASS else " in PTX, and SASS has other accesses here"
        if self.line and self.before_line and self.line != self.before_line:
            moved = f"; it was line {self.before_line}"
        if self.is_alone:
            return f"line {self.line}: {self.after} {name}{f' ({self.change})' if self.change else ''}"
        if self.worth is Worth.SAME:
            return f"line {self.line}: {self.after} {name}, as before{moved}"
        return f"line {self.line or self.before_line}: {name} {self.before} → {self.after} ({self.change}){moved}"


def figure_rows(trace: TraceRun) -> tuple[Row, ...]:
    """The figures of each line of a recording in PTX."""
    lines = [replace(line, shared_cost=None) for line in source_lines(trace)]
    return figures_of(lines, blocks_words(trace), trace.form)


def line_changes(before: TraceRun | None, after: TraceRun, *, why_alone: str = "") -> tuple[LineChange, ...]:
    """Every figure of every line that has it in either recording, in the order of the lines now, then lines that are
    gone. Without a recording before there are the figures now alone, and `why_alone` stands in place of a change, ""
    where there is no version before at all.
    """
    new_text, new_rows = after.source_text.split("\n"), figure_rows(after)
    found: list[LineChange] = []
    if before is None:
        for number, code in enumerate(new_text, 1):
            codes = _codes(after, number, after, number)
            row = _row(new_rows, number)
            found += [_alone(one, why_alone) for one in _of_line(number, number, code, row, row, codes)]
        return tuple(found)
    old_text, old_rows = before.source_text.split("\n"), figure_rows(before)
    pairs = pairs_of_lines(old_text, new_text)
    for number, code in enumerate(new_text, 1):
        old_number = pairs.get(number, 0)
        codes = _codes(before, old_number, after, number)
        found += _of_line(number, old_number, code, _row(old_rows, old_number), _row(new_rows, number), codes)
    kept = set(pairs.values())
    for number, code in enumerate(old_text, 1):
        if number not in kept:
            codes = _codes(before, number, after, 0)
            found += _of_line(0, number, code, _row(old_rows, number), {}, codes)
    return tuple(found)


def figure_to_show(changes: tuple[LineChange, ...]) -> LineFigureKind:
    """The figure for the margin: the first of COMPARED that changed in a line, else the first that there is."""
    for wanted in (set(Worth) - {Worth.SAME, Worth.UNKNOWN}, set(Worth)):
        for figure in COMPARED:
            if any(one.figure is figure and one.worth in wanted for one in changes):
                return figure
    return COMPARED[0]


def _alone(change: LineChange, why: str) -> LineChange:
    """A figure of a line now, with none before."""
    before = NONE if why else ""
    return replace(change, before_line=0, before=before, change=why, worth=Worth.UNKNOWN, is_alone=True)


def _codes(before: TraceRun, before_line: int, after: TraceRun, line: int) -> _Codes:
    return {
        space: (line_code(before, before_line, space), line_code(after, line, space))
        for space in (Space.GLOBAL, Space.SHARED)
    }


def _of_line(line: int, before_line: int, code: str, old: Row, new: Row, codes: _Codes) -> list[LineChange]:
    found = []
    for figure in COMPARED:
        before, after = old.get(figure), new.get(figure)
        if before is None and after is None:
            continue
        is_ratio = figure in (LineFigureKind.SECTORS_PER_REQUEST, LineFigureKind.ACTIVE_LANES)
        values = [one.value if one is not None else float("nan") if is_ratio else 0.0 for one in (before, after)]
        texts = [one.text if one is not None else NONE for one in (before, after)]
        space = MEANINGS[figure].space
        pair = codes.get(space, ()) if space is not None else ()
        form = PTX if any(one.differs for one in pair) else ""
        if form and space is Space.SHARED and all(one.cost is not None or not one.differs for one in pair):
            form = SASS
            for place, one in enumerate(pair):
                if one.cost is not None:
                    values[place] = _in_sass(figure, one.cost)
                    texts[place] = short_count(round(values[place]))
        # A line that was written anew, also in the place of one that ran nothing, has its like among those that are
        # gone: alone neither is a gain or a loss. Nor is a figure of the PTX where a GPU runs other accesses.
        is_paired = bool(line and before_line and old and new)
        worth = worth_of(*values, more_is_better=figure is LineFigureKind.ACTIVE_LANES if is_paired else None)
        worth = in_ptx(worth) if form == PTX else worth
        change = change_words(*values)
        found.append(LineChange(figure, line, before_line, code, texts[0], texts[1], change, worth, form))
    return found


def _in_sass(figure: LineFigureKind, cost: SharedMemoryCost) -> float:
    if figure is LineFigureKind.SHARED_REQUESTS:
        return cost.requests
    return cost.wavefronts if figure is LineFigureKind.WAVEFRONTS else cost.excess


def _row(rows: tuple[Row, ...], number: int) -> Row:
    return rows[number - 1] if 1 <= number <= len(rows) else {}
