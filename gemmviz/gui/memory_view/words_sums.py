"""The sums of a thread written out, term by term, left of A: for matrices small enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gemmviz.domain.terms import Evidence
from gemmviz.gui.memory_view.arithmetic import Sum, Term
from gemmviz.gui.memory_view.box import Box
from gemmviz.gui.memory_view.foot import FOOT
from gemmviz.gui.memory_view.inscription import Inscription, Side, inscribed
from gemmviz.gui.memory_view.labels import value_text
from gemmviz.gui.memory_view.looks import Face, Looks
from gemmviz.gui.memory_view.scene import Scene

PAD, HEAD, LINE, WIDEST = 8.0, 24.0, 16.0, 320.0
SHEET = 150.0


@dataclass(frozen=True, slots=True)
class SumLine:
    """A line of a sum: its sign, the names of two factors, their values, and the sum up to and with it."""

    sign: str
    names: str
    values: str
    total: str


@dataclass(frozen=True, slots=True)
class SumsPlace:
    """The sheet they stand on, and the writing."""

    box: Box
    words: tuple[Inscription, ...]

    @property
    def is_sheet(self) -> bool:
        """Whether there is width enough for a margin."""
        return self.box.width >= SHEET


def sum_lines(sums: Sequence[Sum]) -> tuple[SumLine, ...]:
    """The sums of a thread as lines: for each a head, then a term on each."""
    lines: list[SumLine] = []
    for found in sums:
        lines.append(SumLine("", f"C[{found.row},{found.column}]", "", "stored" if found.stored else ""))
        lines += [_line(found, place, term) for place, term in enumerate(found.terms)]
        if not found.terms:
            lines.append(SumLine("=", "0", "", "nothing added yet"))
    return tuple(lines)


def place_sums(scene: Scene, looks: Looks, top: float) -> SumsPlace | None:
    """Left of A, from `top` downwards; None where there is no room for all there will be to say."""
    room = scene.stage.figures  # the foot of a panel is too low for them
    if not scene.sums or scene.sums_thread is None or room is None:
        return None
    lines = sum_lines(scene.sums)
    longest = sum(scene.run.spec.shape.k + 1 for _ in scene.sums)  # the place stays the same from frame to frame
    y = top if top > 0 else room.y
    if y + HEAD + max(longest, len(lines)) * LINE + PAD > scene.window.bottom - FOOT:
        return None
    box = Box(room.x, y, min(room.width, WIDEST), HEAD + len(lines) * LINE + PAD - 4)
    return SumsPlace(box, tuple(_words(looks, box, lines, scene.sums_thread)))


def _line(found: Sum, place: int, term: Term) -> SumLine:
    values = ""
    if term.a is not None and term.b is not None:
        values = f"{value_text(term.a)}·{value_text(term.b)}"
    names = f"A[{found.row},{term.k}]·B[{term.k},{found.column}]"
    return SumLine("=" if place == 0 else "+", names, values, "" if term.total is None else value_text(term.total))


def _words(looks: Looks, box: Box, lines: tuple[SumLine, ...], thread: int) -> list[Inscription]:
    theme = looks.theme
    pad = PAD if box.width >= SHEET else 0.0
    inside = Box(box.x + pad, box.y + 5, box.width - 2 * pad, HEAD - 6)
    said = [inscribed(looks, f"Thread {thread}", inside, Face.HEAD, theme.muted)]
    said.append(inscribed(looks, str(Evidence.DERIVED), inside, Face.SMALL, theme.muted, Side.RIGHT))
    letter = looks.width("0", Face.FIGURES)
    widest = max(len(line.names) + len(line.values) + len(line.total) for line in lines) + 5
    names_fit = widest * letter <= inside.width
    for number, line in enumerate(lines):
        at = Box(inside.x, box.y + HEAD + number * LINE, inside.width, LINE)
        middle = f"{line.names} {line.values}" if names_fit or not line.values else line.values
        said.append(inscribed(looks, f"{line.sign} {middle}".strip(), at, Face.FIGURES, theme.text))
        total = inscribed(looks, line.total, at, Face.FIGURES, theme.c, Side.RIGHT)
        said += [total] if said[-1].box.right + 4 <= total.box.x else []
    return said
