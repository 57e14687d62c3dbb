"""Where a tree of sums stands: every level a row of slots; with room, and few enough threads, all its arithmetic."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum

from gemmviz.explain.block.tree_values import Product, TreeLeaf, TreeStep, TreeValues
from gemmviz.gui.memory_view.paint.looks import Face, Looks
from gemmviz.gui.memory_view.paint.number_room import numbers_of
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.places.onchip_layout import PAD, TITLE, WORDS_BESIDE_TREE
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.text.picture_numbers import FREE, PictureNumbers

NAME = 20.0
"""Height of the array's name above the tree."""
STEP_LINE = 22.0
"""Height of the sentence below a tree with its numbers."""
LEAST_BARE_GAP, LEAST_GAP, GOOD_GAP, LARGEST_GAP = 5.0, 14.0, 28.0, 72.0
"""Between a row of slots and what is written above the next, where lines run: at least, without and with writing there,
and at most of usual and of large slots.
"""
MOST_CELL = 34.0
"""Height of a slot."""
_AIR, _AIR_OF_LINE, _LITTLE_AIR = 6.0, 3.0, 1.5
_NAMES = "thread {}", "t{}"
_CLEAR = 4.0
"""Between the end of a line and what is written below it."""


class LevelState(Enum):
    """Whether a level of a tree is still to be added up, is added up in the frame that is shown, or is past."""

    TO_COME = -1
    NOW = 0
    PAST = 1


def level_states(scene: Scene) -> tuple[LevelState, ...]:
    """The leaves, then each level; nothing without a tree."""
    tree = scene.analysis.tree if scene.analysis is not None else None
    if tree is None:
        return ()
    epochs = tree.levels[0].epoch - 1, *(level.epoch for level in tree.levels)
    if scene.picture is None:
        return (LevelState.TO_COME,) * len(epochs)
    now = scene.picture.frame.epoch
    states = [LevelState((now > own) - (now < own)) for own in epochs]
    if not scene.picture.load_counters.global_loads:
        states[0] = LevelState.TO_COME
    return tuple(states)


def stored_until(scene: Scene) -> int:
    """The slot of the trace before which all is stored that the picture shows: what a frame stores is there when its
    motion is over, as with sums in registers. 0 without a frame.
    """
    return scene.picture.frame.slots[scene.arrival >= 1.0] if scene.picture is not None else 0


@dataclass(frozen=True, slots=True)
class TreeForm:
    """How the numbers are written: with words beside the rows, names of factors, a line for the thread.

    Additions stand `spaced` or close in a line above their slot, or not (None); factors beside each other or `stacked`;
    values as the picture writes its `numbers`, or `is_short` with two decimals. Values of a `large` one stand out in
    higher slots. One that `is_bare` has nothing but the values that are added, in large letters on a whole screen.
    """

    face: Face
    beside: bool = False
    names: bool = False
    threads: bool = False
    spaced: bool | None = None
    stacked: bool = False
    is_short: bool = False
    large: bool = False
    is_bare: bool = False
    numbers: PictureNumbers = FREE

    @property
    def value_face(self) -> Face:
        """How values in slots are written."""
        return Face.FIGURES_STRONG if self.large else self.face

    @property
    def line(self) -> float:
        return 14.0 if self.face is Face.FIGURES else 11.0

    @property
    def cell(self) -> float:
        return 22.0 if self.large else 19.0 if self.face is Face.FIGURES else 13.0 if self.is_bare else 15.0

    @property
    def least_gap(self) -> float:
        """Between a row of slots and what is written above the next, at least."""
        return LEAST_BARE_GAP if self.is_bare else LEAST_GAP

    def number(self, value: float) -> str:
        """A sum as the picture writes it, or as short as this form has it."""
        return short_text(value) if self.is_short else self.numbers.result.text(value)

    def factor(self, value: float) -> str:
        """An element of A or B as the picture writes it, or as short as this form has it."""
        return short_text(value) if self.is_short else self.numbers.factors.text(value)

    def product(self, product: Product, sign: str = "") -> tuple[str, ...]:
        """The lines of a product, and the sign it is added with."""
        term = product.term
        factors = self.factor(term.a or 0.0), self.factor(term.b or 0.0)
        values = (f"{sign}{factors[0]}", f"·{factors[1]}") if self.stacked else (f"{sign}{'·'.join(factors)}",)
        return (f"A[0,{term.k}]·B[{term.k},0]", *values) if self.names else values

    def products(self, leaf: TreeLeaf, until: int | None = None) -> list[str]:
        """The lines of what a thread adds up by itself, as far as it is before the slot `until` of the trace."""
        known = [one for one in leaf.products if not self.is_bare and (until is None or one.since < until)]
        return [text for place, product in enumerate(known) for text in self.product(product, "+" if place else "")]

    def addition(self, step: TreeStep) -> str:
        """The values a thread adds; "" where the form has no line for them."""
        if self.spaced is None:
            return ""
        sign = "-" if step.right < 0 else "+"
        between = f" {sign} " if self.spaced else sign
        return f"{self.number(step.left)}{between}{self.number(abs(step.right))}"


_FORMS = (
    TreeForm(Face.FIGURES, beside=True, names=True, threads=True, spaced=True),
    TreeForm(Face.FIGURES, beside=True, threads=True, spaced=True),
    TreeForm(Face.FIGURES, names=True, threads=True, spaced=True),
    TreeForm(Face.FIGURES, threads=True, spaced=True),
    TreeForm(Face.FIGURES, threads=True, spaced=True, stacked=True),
    TreeForm(Face.FIGURES, spaced=True),
    TreeForm(Face.FIGURES, spaced=True, stacked=True),
    *(
        TreeForm(Face.TINY, threads=threads, spaced=spaced, stacked=stacked)
        for threads, spaced in ((True, False), (True, None), (False, False))
        for stacked in (False, True)
    ),
    TreeForm(Face.FIGURES),
    *(TreeForm(Face.TINY, stacked=stacked) for stacked in (False, True)),
    TreeForm(Face.TINY, stacked=True, is_short=True),
)
FORMS = (
    *(replace(form, large=large) for form in _FORMS for large in (True, False)),
    TreeForm(Face.TINY, is_bare=True),
)
"""The most telling first, all but the last large and small; a product is stacked only where it has not the width of
one line.
"""
_ON_SCREEN = (
    *(form for form in FORMS if form.face is Face.FIGURES),
    *(form for form in FORMS if form.face is Face.TINY and not form.is_short),
)
"""On a whole screen less is told before numbers are the smallest writing in the picture, or shortened."""


@dataclass(frozen=True, slots=True)
class TreePlace:
    """Where the rows of slots are seen, level 0 the leaves; `heads` is where the writing above each begins."""

    box: Box
    across: float
    rows: tuple[float, ...]
    heads: tuple[float, ...]
    height: float
    form: TreeForm | None = None
    who: str = "{}"
    """How threads are named: all of them in the same way."""

    def cell(self, level: int, slot: int) -> Box:
        """Where a slot is drawn on a level; every level has room for all slots, used or idle."""
        return Box(self.box.x + slot * self.across, self.rows[level], self.across, self.height)

    def line_end(self, level: int) -> float:
        """How far down the lines of its additions run: clear of the names above its slots."""
        return self.heads[level] - (_CLEAR if self.heads[level] < self.rows[level] else 0.0)


def short_text(value: float) -> str:
    """A value in five characters or so: "0.05", "-1.42", "3e-4"."""
    if value == int(value) and abs(value) < 1000:
        return str(int(value))
    if 0.005 <= abs(value) < 1000:
        return f"{value:.2f}" if abs(value) < 10 else f"{value:.0f}"
    return f"{value:.0e}".replace("e-0", "e-").replace("e+0", "e")


def tree_box(scene: Scene, beside: float = WORDS_BESIDE_TREE) -> Box:
    """Where the tree lies in the layout, with so much room for words at its right."""
    panel = scene.onchip.panel
    top = panel.y + PAD + TITLE + NAME
    return Box(
        panel.x + PAD, top, panel.width - beside - 2 * PAD, panel.bottom - PAD - scene.layout.figures_height - top
    )


def tree_place(scene: Scene, looks: Looks) -> TreePlace | None:
    """The place of the tree of a scene, in the most telling form there is room for; None if there is no tree."""
    if scene.analysis is None or scene.analysis.tree is None:
        return None
    tree = scene.analysis.tree
    slots, levels = max(tree.leaves) + 1, len(tree.levels) + 1
    values = scene.sums.tree
    forms, numbers = _ON_SCREEN if scene.notes.least_label else FORMS, numbers_of(scene)
    for plain in forms if values is not None else ():
        assert values is not None
        form = replace(plain, numbers=numbers)
        box = scene.camera.seen(tree_box(scene, WORDS_BESIDE_TREE if form.beside else 0.0))
        place = _written(looks, values, form, box, slots, levels)
        if place is not None:
            return place
    box = scene.camera.seen(tree_box(scene))
    pitch = box.height / levels
    rows = tuple(box.y + level * pitch for level in range(levels))
    return TreePlace(box, box.width / slots, rows, rows, min(pitch * 0.42, 22.0))


def _written(looks: Looks, values: TreeValues, form: TreeForm, box: Box, slots: int, levels: int) -> TreePlace | None:
    """The place in a form; None where there is not the room for it."""
    across = box.width / slots
    if max(looks.width(text, face) + air for text, face, air in _texts(values, form)) > across:
        return None
    widths = {who: looks.width(who.format(values.leaves[-1].thread), Face.SMALL) for who in _NAMES}
    who = next((who for who in _NAMES if widths[who] + _AIR <= across), None)
    if who is None and form.threads:
        return None
    products = max(len(form.products(leaf)) for leaf in values.leaves)
    first = (form.threads + products) * form.line
    later = (form.threads + (form.spaced is not None)) * form.line
    fixed = first + form.cell + (levels - 1) * (later + form.cell)
    gaps = max(levels - 1, 1)
    gap = (box.height - fixed - STEP_LINE) / gaps
    if form.is_bare and gap < form.least_gap:  # the sum is below the picture, too
        gap = (box.height - fixed) / gaps
    if gap < form.least_gap:
        return None
    cell = min(form.cell + max(gap - GOOD_GAP, 0.0) * gaps / levels, MOST_CELL) if form.large else form.cell
    gap = min(gap - (cell - form.cell) * levels / gaps, LARGEST_GAP)
    heads = [box.y] + [box.y + first + cell + gap + n * (later + cell + gap) for n in range(levels - 1)]
    rows = [head + (later if level else first) for level, head in enumerate(heads)]
    return TreePlace(box, across, tuple(rows), tuple(heads), cell, form, who or "")


def _texts(values: TreeValues, form: TreeForm) -> Iterable[tuple[str, Face, float]]:
    """All that has to fit the width of a slot, how it is written, and how much wider a slot has to be."""
    air = _LITTLE_AIR if form.is_short or form.is_bare else _AIR
    of_product = air if form.stacked or form.face is not Face.TINY else min(air, _AIR_OF_LINE)
    for leaf in values.leaves:
        yield form.number(leaf.total), form.value_face, air
        yield from ((text, form.face, of_product) for text in form.products(leaf))
    for level in values.levels[: -1 if form.is_bare else None]:  # nothing stands beside the last sum of a bare one
        for step in level:
            yield form.number(step.total), form.value_face, air
            yield form.addition(step), form.face, air
