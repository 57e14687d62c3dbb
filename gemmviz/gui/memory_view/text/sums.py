"""The sums of a thread written out, term by term, left of A: for matrices small enough."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from gemmviz.domain.elements import element_name
from gemmviz.domain.terms import Evidence
from gemmviz.explain.block.arithmetic import Sum, Term
from gemmviz.gui.memory_view.paint.looks import Face, Looks
from gemmviz.gui.memory_view.paint.number_room import numbers_of
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.places.legend import STRIP_HEIGHT
from gemmviz.gui.memory_view.places.matrix_layout import SUM_AROUND, SUM_LINE
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.text.picture_numbers import FREE, PictureNumbers
from gemmviz.gui.memory_view.text.text_item import LineSide, TextItem, text_in

PAD, HEAD, LINE, WIDEST = 8.0, SUM_AROUND - 4.0, SUM_LINE, 320.0
SHEET = 150.0
NOTHING_READ = "empty"
"""The name of what a thread reads before anything was stored there."""
_PIECE, _LETTERS = 16, 22
"""Letters of a term and its sign, or of an element and its accumulator, with what stands between two; of a term and the
accumulator behind it."""


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
    words: tuple[TextItem, ...]

    @property
    def is_sheet(self) -> bool:
        """Whether there is width enough for a margin."""
        return self.box.width >= SHEET


@dataclass(frozen=True, slots=True)
class SumNumbers:
    """The texts of the factors and of the accumulators of a thread: each with the decimals that the picture has."""

    factors: Mapping[float, str]
    totals: Mapping[float, str]

    @classmethod
    def of(cls, sums: Sequence[Sum], numbers: PictureNumbers = FREE) -> SumNumbers:
        """Those of the sums of a thread, as a picture writes its numbers."""
        terms = [term for found in sums for term in found.terms]
        factors = [factor for term in terms for factor in (term.a, term.b) if factor is not None]
        totals = [found.total for found in sums] + [term.total for term in terms]
        known = [total for total in totals if total is not None]
        return cls(numbers.factors.texts(factors), numbers.result.texts(known))

    def total(self, value: float | None) -> str:
        """An accumulator; "" where it is not known."""
        return "" if value is None else self.totals[value]

    def product(self, term: Term) -> str:
        """The factors of a term; "" where one is not known."""
        return "" if term.a is None or term.b is None else f"{self.factors[term.a]}·{self.factors[term.b]}"


def sum_lines(sums: Sequence[Sum], numbers: SumNumbers, result: str = "C") -> tuple[SumLine, ...]:
    """The sums of a thread for elements of `result` as lines: for each a head, then a term on each."""
    lines: list[SumLine] = []
    for found in sums:
        lines.append(SumLine("", element_name(result, found.row, found.column), "", "stored" if found.stored else ""))
        lines += [_line(found, place, term, numbers) for place, term in enumerate(found.terms)] + _unknown_lines(found)
        if not found.terms and not found.unknown:
            lines.append(SumLine("=", "0", "", "nothing added yet"))
    return tuple(lines)


def close_lines(found: Sum, across: int, numbers: SumNumbers, result: str = "C") -> tuple[SumLine, ...]:
    """A sum with the accumulator in its head and `across` terms on a line; their names where no value is known."""
    if found.unknown:
        return sum_lines([found], numbers, result)
    terms = [_line(found, place, term, numbers) for place, term in enumerate(found.terms)]
    pieces = [f"{term.sign} {term.values or term.names}" for term in terms] or ["= 0"]
    rows = [" ".join(pieces[at : at + across]) for at in range(0, len(pieces), across)]
    total = "" if found.total is None else f"= {numbers.total(found.total)}"
    head = SumLine("", element_name(result, found.row, found.column), "", total if found.terms else "")
    return head, *(SumLine("", row, "", "") for row in rows)


def accumulator_lines(sums: Sequence[Sum], across: int, numbers: SumNumbers, result: str = "C") -> tuple[SumLine, ...]:
    """What else a thread adds up, `across` accumulators on a line."""
    pairs = [(element_name(result, found.row, found.column), numbers.total(found.total)) for found in sums]
    said = [" ".join(filter(None, pair)).ljust(_PIECE - 2) for pair in pairs]
    return tuple(SumLine("", "  ".join(said[at : at + across]).rstrip(), "", "") for at in range(0, len(said), across))


def chosen_sum(scene: Scene) -> Sum:
    """Of the sums of the thread that of the element pointed at or chosen, else the one it is at, else the first."""
    for element in (scene.pointed.hovered, scene.pointed.chosen):
        for found in scene.sums.of_thread:
            if element == (scene.result, found.row, found.column):
                return found
    under_way = [found for found in scene.sums.of_thread if found.terms and not found.stored]
    done = [found for found in scene.sums.of_thread if found.stored]
    if under_way or len(done) == len(scene.sums.of_thread):
        return (under_way or done)[0]
    return done[-1] if done else scene.sums.of_thread[0]


def place_sums(scene: Scene, looks: Looks, top: float) -> SumsPlace | None:
    """Left of A, from `top` downwards, or in the corner above it; None where there is no room for all there will be to
    say.

    Of several sums all terms are said, or those of one and the other accumulators, or as much of it as has room.
    """
    corner = scene.layout.corner
    room = corner or scene.layout.figures  # the foot of a panel is too low for them
    if not scene.sums.of_thread or scene.sums.thread is None or room is None:
        return None
    y = top if corner is None and top > 0 else room.y
    width = min(room.width, WIDEST)
    inside = width - 2 * _pad(width)
    across = max(int(inside / (looks.width("0", Face.FIGURES) * _PIECE)), 1)
    k, found = scene.run.spec.shape.k, chosen_sum(scene)
    numbers = SumNumbers.of(scene.sums.of_thread, numbers_of(scene))
    has_room = inside >= looks.width("0", Face.FIGURES) * _LETTERS

    def whole(sums: Sequence[Sum]) -> tuple[SumLine, ...]:
        close = (line for each in sums for line in close_lines(each, 1, numbers, scene.result))
        return sum_lines(sums, numbers, scene.result) if has_room else tuple(close)

    def one_by_one() -> tuple[SumLine, ...]:
        return close_lines(found, across, numbers, scene.result)

    def the_others() -> tuple[SumLine, ...]:
        return accumulator_lines(others, across, numbers, scene.result)

    others = [each for each in scene.sums.of_thread if each is not found]
    rest, close = -(-len(others) // across), 1 + -(-k // across)
    choices: list[tuple[int, Callable[[], tuple[SumLine, ...]]]] = [
        ((k + 1) * len(scene.sums.of_thread), lambda: whole(scene.sums.of_thread))
    ]
    if others:
        choices.append((k + 1 + rest, lambda: whole([found]) + the_others()))
        choices.append((close + rest, lambda: one_by_one() + the_others()))
        choices.append((k + 1, lambda: whole([found])))
        choices.append((close, one_by_one))
    space = (corner.bottom + PAD if corner is not None else scene.window.bottom - STRIP_HEIGHT) - y - HEAD - PAD
    # Of so many lines at the end: place and size stay the same from frame to frame.
    fitting = next(((most, choice) for most, choice in choices if most * LINE <= space), None)
    if fitting is None:
        return None
    most, lines = fitting[0], fitting[1]()
    box = Box(room.x, y, width, HEAD + max(most, len(lines)) * LINE + PAD - 4)
    is_derived = not all(one.is_recorded for one in scene.sums.of_thread)
    return SumsPlace(box, tuple(_words(looks, box, lines, scene.sums.thread, is_derived=is_derived)))


def _pad(width: float) -> float:
    return PAD if width >= SHEET else 0.0


def _line(found: Sum, place: int, term: Term, numbers: SumNumbers) -> SumLine:
    read = term.read or (("A", found.row, term.k), ("B", term.k, found.column))
    names = "·".join(element_name(*each) if each is not None else NOTHING_READ for each in read)
    return SumLine("=" if place == 0 else "+", names, numbers.product(term), numbers.total(term.total))


def _unknown_lines(found: Sum) -> list[SumLine]:
    """Why the terms of a sum are not written out; none where they are known."""
    return [SumLine("", words, "", "") for words in ("sum not known:", found.unknown) if found.unknown]


def _words(looks: Looks, box: Box, lines: tuple[SumLine, ...], thread: int, *, is_derived: bool) -> list[TextItem]:
    theme = looks.theme
    pad = _pad(box.width)
    inside = Box(box.x + pad, box.y + 5, box.width - 2 * pad, HEAD - 6)
    said = [text_in(looks, f"Thread {thread}", inside, Face.HEAD, theme.muted)]
    if is_derived:
        said.append(text_in(looks, str(Evidence.DERIVED), inside, Face.SMALL, theme.muted, LineSide.RIGHT))
    letter = looks.width("0", Face.FIGURES)
    widest = max(len(line.names) + len(line.values) + len(line.total) for line in lines) + 5
    names_fit = widest * letter <= inside.width
    for number, line in enumerate(lines):
        at = Box(inside.x, box.y + HEAD + number * LINE, inside.width, LINE)
        middle = f"{line.names} {line.values}" if names_fit or not line.values else line.values
        said.append(text_in(looks, f"{line.sign} {middle}".strip(), at, Face.FIGURES, theme.text))
        total = text_in(looks, line.total, at, Face.FIGURES, theme.c, LineSide.RIGHT)
        said += [total] if said[-1].box.right + 4 <= total.box.x else []
    return said
