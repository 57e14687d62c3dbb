"""The arithmetic of a tree of sums as it is written: products, additions, what lies in each slot, the step in words."""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.domain.elements import element_name
from gemmviz.domain.figures import counted
from gemmviz.domain.terms import Evidence
from gemmviz.explain.block.tree_values import TreeLeaf, TreeStep, TreeValues
from gemmviz.gui.memory_view.paint.looks import Face, Looks
from gemmviz.gui.memory_view.paint.number_room import numbers_of
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.places.onchip_layout import PAD
from gemmviz.gui.memory_view.places.tree_place import NAME, STEP_LINE, TreeForm, TreePlace, stored_until, tree_place
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.text.text_item import LineSide, TextItem, text_in

BESIDE = 5.0
"""Pixels between a slot and what is written beside it."""


@dataclass(frozen=True, slots=True)
class _Pen:
    """What every line of the tree needs to be written."""

    looks: Looks
    place: TreePlace
    form: TreeForm
    array: str
    epoch: int
    until: int
    stored_until: int
    """Sums of threads that are stored before it are written; the rest of the frame's arithmetic is before `until`."""

    def line(self, text: str, level: int, slot: int, number: int, face: Face, colour: str) -> TextItem:
        """Line `number` above a slot."""
        cell = self.place.cell(level, slot)
        at = Box(cell.x, self.place.heads[level] + number * self.form.line, cell.width, self.form.line)
        return text_in(self.looks, text, at, face, colour, LineSide.MIDDLE)

    def value(self, value: float, level: int, slot: int, colour: str) -> TextItem:
        """What lies in a slot; beside one that is too narrow for it, only the last one, with its name."""
        cell, text, face = self.place.cell(level, slot), self.form.number(value), self.form.value_face
        if self.looks.width(text, face) > cell.width:
            text = f"{self.array}[{slot}] = {text}"
            cell = Box(cell.right + BESIDE, cell.y, self.looks.width(text, face), cell.height)
            colour = self.looks.theme.text
        return text_in(self.looks, text, cell, face, colour, LineSide.MIDDLE)

    def who(self, thread: int, level: int, slot: int) -> TextItem:
        """The thread that puts it there, in the first line above."""
        return self.line(self.place.who.format(thread), level, slot, 0, Face.SMALL, self.looks.theme.muted)


def tree_words(scene: Scene, looks: Looks) -> list[TextItem]:
    """All of it, as far as the frame has come; nothing where the tree is drawn without its numbers."""
    place, values = tree_place(scene, looks), scene.sums.tree
    found = _partial_words(scene, looks, place) if place is not None else []
    if place is None or values is None or scene.picture is None or scene.analysis is None:
        return found
    if place.form is None:
        return found + _busy_words(scene, looks, place, values)
    frame = scene.picture.frame
    tree = scene.analysis.tree
    assert tree is not None
    pen = _Pen(looks, place, place.form, tree.array.name, frame.epoch, frame.slots[1], stored_until(scene))
    is_now = frame.epoch < tree.levels[0].epoch
    for leaf in values.leaves:
        found += _leaf(pen, leaf, is_now=is_now)
    for number, (level, steps) in enumerate(zip(tree.levels, values.levels, strict=True), 1):
        if frame.epoch >= level.epoch:
            found += _level(pen, values, number, steps, is_now=frame.epoch == level.epoch)
    told = step_texts(scene, values)
    panel = scene.camera.seen(scene.onchip.panel)
    at = Box(place.box.x, place.rows[-1] + place.height + 6, panel.right - PAD - place.box.x, STEP_LINE - 6)
    if at.bottom > place.box.bottom + PAD:
        return found
    evidence = text_in(looks, str(Evidence.DERIVED), at, Face.SMALL, looks.theme.muted, LineSide.RIGHT)
    room = Box(at.x, at.y, evidence.box.x - 10 - at.x, at.height)
    fits = next((text for text in told if looks.width(text, Face.FIGURES) <= room.width), told[-1] if told else "")
    if fits:
        found += [text_in(looks, fits, room, Face.FIGURES, looks.theme.text), evidence]
    return found


def _partial_words(scene: Scene, looks: Looks, place: TreePlace) -> list[TextItem]:
    """Beside the array's name: of how many partial sums this is one, and who adds them; nothing if it is alone."""
    c = scene.array(scene.result)
    sums = c.rows // scene.run.spec.shape.m if c is not None else 1
    if sums < 2 or scene.analysis is None or scene.analysis.tree is None:
        return []
    panel = scene.camera.seen(scene.onchip.panel)
    x = place.box.x + looks.width(scene.analysis.tree.array.name, Face.NAME) + 14
    at = Box(x, place.box.y - NAME, panel.right - PAD - x, NAME - 2)
    labels = (
        f"one of {sums} partial sums: other blocks add the other products, and the host adds the sums",
        f"one of {sums} partial sums, each of a block's part of A and B; the host adds them",
        f"one of {sums} partial sums; the host adds them",
        f"1 of {sums} partial sums",
    )
    fits = next((text for text in labels if looks.width(text, Face.SMALL) <= at.width), "")
    return [text_in(looks, fits, at, Face.SMALL, looks.theme.muted)] if fits else []


def _busy_words(scene: Scene, looks: Looks, place: TreePlace, values: TreeValues) -> list[TextItem]:
    """Below a tree too wide for its numbers, of which most threads are idle: what the slots of the others hold now."""
    assert scene.picture is not None
    assert scene.analysis is not None
    tree, until = scene.analysis.tree, stored_until(scene)
    assert tree is not None
    busy = {leaf.into for leaf in values.leaves if leaf.products}
    held = {leaf.into: leaf.total for leaf in values.leaves if leaf.since < until}
    shown = set(held)
    for steps in values.levels:
        done = {step.into: step.total for step in steps if step.since < until}
        held |= done
        shown = set(done) or shown
    slots = sorted(busy & shown)
    if not slots:
        return []
    name, idle = tree.array.name, len(tree.leaves) - len(busy)
    numbers = ", ".join(numbers_of(scene).result.text(held[slot]) for slot in slots)
    said = f"{name}[{slots[0]}] = {numbers}" if len(slots) == 1 else f"{name}[{slots[0]}–{slots[-1]}] = {numbers}"
    panel, top = scene.camera.seen(scene.onchip.panel), place.rows[-1] + place.height + 2
    room = Box(place.box.x, top, panel.right - PAD - place.box.x, STEP_LINE - 6)
    if top + room.height > place.box.bottom + PAD:
        return []
    evidence = text_in(looks, str(Evidence.DERIVED), room, Face.SMALL, looks.theme.muted, LineSide.RIGHT)
    rest = f"; {counted(idle, 'idle thread')} stored 0" if idle else ""
    for text, face in ((said + rest, Face.FIGURES), (said, Face.FIGURES), (said + rest, Face.TINY), (said, Face.TINY)):
        if looks.width(text, face) <= evidence.box.x - 10 - room.x:
            return [text_in(looks, text, room, face, looks.theme.text), evidence]
    return []


def _leaf(pen: _Pen, leaf: TreeLeaf, *, is_now: bool) -> list[TextItem]:
    theme, form = pen.looks.theme, pen.form
    found: list[TextItem] = []
    number = 0
    if form.threads:
        found.append(pen.who(leaf.thread, 0, leaf.into))
        number = 1
    for text in form.products(leaf, pen.until):
        colour = theme.muted if text.startswith("A[") or not is_now else theme.text
        found.append(pen.line(text, 0, leaf.into, number, form.face, colour))
        number += 1
    if leaf.since < pen.stored_until:
        colour = theme.on_accent if is_now else theme.text
        found.append(pen.value(leaf.total, 0, leaf.into, colour))
    return found


def _level(pen: _Pen, values: TreeValues, number: int, steps: tuple[TreeStep, ...], *, is_now: bool) -> list[TextItem]:
    theme, form = pen.looks.theme, pen.form
    done = {step.into: step for step in steps if step.since < pen.until}
    found: list[TextItem] = []
    for step in done.values():
        at = 0
        if form.threads:
            found.append(pen.who(step.thread, number, step.into))
            at = 1
        if form.spaced is not None:
            colour = theme.text if is_now else theme.muted
            found.append(pen.line(form.addition(step), number, step.into, at, form.face, colour))
        if step.since < pen.stored_until:
            found.append(pen.value(step.total, number, step.into, theme.on_accent if is_now else theme.text))
    adding = {step.into for step in steps}
    for slot, value in values.after[number - 1].items():
        if slot not in adding and not form.is_bare:
            found.append(pen.value(value, number, slot, theme.muted))  # lies there still, read no more
    return found


def step_texts(scene: Scene, values: TreeValues) -> tuple[str, ...]:
    """What one thread does in this frame, with its values: longer and shorter; the chosen thread if it works."""
    if scene.picture is None or scene.analysis is None or scene.analysis.tree is None:
        return ()
    frame, tree, numbers = scene.picture.frame, scene.analysis.tree, numbers_of(scene)
    name, outcome = tree.array.name, values.outcome
    if outcome is not None and frame.slots[0] <= outcome.since < frame.slots[1]:
        value, c = numbers.result.text(outcome.value), scene.array(scene.result)
        target = element_name(scene.result, outcome.row, outcome.column)
        said = f"thread {outcome.thread}: {target} = {name}[{outcome.slot}] = {value}"
        short = said.removeprefix(f"thread {outcome.thread}: ")
        partial = c.rows // scene.run.spec.shape.m if c is not None else 1
        part = f", one of {partial} partial sums; the host adds them"
        return (f"{said}{part}", f"{short}{part}", said, short) if partial > 1 else (said, short)
    level = next((steps for at, steps in zip(tree.levels, values.levels, strict=True) if at.epoch == frame.epoch), ())
    steps = {step.thread: step for step in level if step.since < frame.slots[1]}
    if steps:
        step = steps.get(scene.pointed.thread if scene.pointed.thread is not None else -1) or next(iter(steps.values()))
        sums = TreeForm(Face.FIGURES, spaced=True, numbers=numbers).addition(step)
        sums += f" = {numbers.result.text(step.total)}" if step.since < stored_until(scene) else ""
        names = f"{name}[{step.into}] += {name}[{step.read[1]}]"
        return f"thread {step.thread}: {names}: {sums}", f"t{step.thread}: {names}: {sums}", sums
    leaves = {leaf.thread: leaf for leaf in values.leaves if leaf.since < frame.slots[1]}
    if not leaves or frame.epoch >= tree.levels[0].epoch:
        return ()
    leaf = leaves.get(scene.pointed.thread if scene.pointed.thread is not None else -1) or next(iter(leaves.values()))
    terms, factor = [product.term for product in leaf.products], numbers.factors.text
    products = " + ".join(f"{factor(term.a or 0.0)}·{factor(term.b or 0.0)}" for term in terms) or "0"
    names = (
        " + ".join(f"{element_name('A', 0, term.k)}·{element_name('B', term.k, 0)}" for term in terms) or "no product"
    )
    total = numbers.result.text(leaf.total)
    return (
        f"thread {leaf.thread}: {name}[{leaf.into}] = {names} = {products} = {total}",
        f"thread {leaf.thread}: {name}[{leaf.into}] = {products} = {total}",
        f"{name}[{leaf.into}] = {products} = {total}",
        f"{name}[{leaf.into}] = {total}",
    )
