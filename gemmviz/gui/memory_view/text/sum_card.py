"""What is said about a running sum that a thread keeps in a register, when the pointer is at it on chip."""

from __future__ import annotations

from dataclasses import replace

from gemmviz.domain.elements import element_name
from gemmviz.domain.figures import count
from gemmviz.domain.terms import Evidence
from gemmviz.explain.block.progress import ProductProgress
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.text.card import HoverCard
from gemmviz.gui.memory_view.text.cell_values import whole_text
from gemmviz.gui.memory_view.text.labels import value_text
from gemmviz.trace.frames.regions import Rectangle


def points_at_sum(scene: Scene) -> bool:
    """Whether the pointer is at one of the sums in registers, not at the element of C it becomes."""
    if scene.pointed.hovered is None or scene.pointed.hovered[0] != scene.result or scene.pointed.pointer is None:
        return False
    name, row, column = scene.pointed.hovered
    cell = scene.enlarged(name, Rectangle(row, row + 1, column, column + 1))
    return cell is not None and cell.grown(2.0).holds(*scene.pointed.pointer)


def sum_card(scene: Scene, thread: int | None, recorded: float | None = None) -> HoverCard | None:
    """The sum the pointer is at: its value, how many terms it has, `thread` that keeps it; None if it is at no sum.

    `recorded` is what the thread's variable held; where that is not known, the value is added up here.
    """
    analysis, terms = scene.analysis, scene.sums.terms
    if analysis is None or analysis.progress is None or analysis.part is None or scene.picture is None or terms is None:
        return None
    if not points_at_sum(scene) or scene.pointed.hovered is None:
        return None
    _, row, column = scene.pointed.hovered
    at = row - analysis.part.row_start, column - analysis.part.column_start
    added = int(terms[at])
    value = recorded if recorded is not None else _known(scene, row, column)
    said = whole_text(value) if value is not None else _rounded(scene, row, column, added)
    title = f"sum of {element_name(scene.result, row, column)}"
    lines = [("terms so far", f"{count(added)} of {count(analysis.progress.depth)}")]
    if scene.sums.unknown:
        lines.append(("value", f"not known: {scene.sums.unknown}"))
    if thread is not None:
        lines.append(("kept by", f"thread {thread}, in a register"))
    is_stored = scene.picture.matrices[scene.result].is_stored(row, column)
    lines.append((f"in {scene.result}", "stored" if is_stored else "not stored yet"))
    evidence = str(Evidence.DERIVED) if recorded is None else ""
    return HoverCard(f"{title} = {said}" if said else title, tuple(lines), evidence)


def _known(scene: Scene, row: int, column: int) -> float | None:
    """The float32 sum of a small block; None where it is not written out."""
    return None if scene.sums.unknown else scene.sums.totals.get((row, column))


def _rounded(scene: Scene, row: int, column: int, added: int) -> str:
    """What has been added up, "" where that is not known: of float64 and in another order, hence few digits."""
    a, b = scene.values.a, scene.values.b
    if scene.sums.unknown or a is None or b is None:
        return ""
    progress = scene.analysis.progress if scene.analysis is not None else None
    if not isinstance(progress, ProductProgress) or scene.picture is None:
        return ""
    order = list(progress.order(scene.picture.frame, row, column)[:added])
    if len(order) < added:  # of a large block every sum is said to have what each of them has at least
        return ""
    return value_text(float(a[row, order].astype(float) @ b[order, column].astype(float)))


def is_at_another_place(last: Scene, pointer: tuple[float, float] | None) -> bool:
    """Whether an element of C is pointed at where it is seen as a sum, and was not before, or the other way."""
    now = replace(last, pointed=replace(last.pointed, pointer=pointer))
    return points_at_sum(now) != points_at_sum(last)
