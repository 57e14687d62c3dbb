"""What moves in a frame, from where to where: tiles into shared memory, a row and a column into a sum."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable
from dataclasses import dataclass, replace

from gemmviz.domain.recordings.access import AccessKind
from gemmviz.gui.memory_view.places.box import Box
from gemmviz.gui.memory_view.routes import route
from gemmviz.gui.memory_view.scene import Scene
from gemmviz.gui.memory_view.tile_motion import TileMotion
from gemmviz.trace.frames.regions import Rectangle
from gemmviz.trace.frames.values import Frame

STORE_FROM = 0.6
"""The part of a frame's motion after which sums go to C, where the same frame adds the last products to them."""

ALL = 0.9
"""How much of the width or height of an array a part has that is a column or a row of it as a whole."""
LANDED = 0.5
"""The part of the motion of factors in which they go to where they are seen enlarged, before they go to a sum."""


@dataclass(frozen=True, slots=True)
class MotionPath:
    """The elements `part` of the array `name` go from one box to another, `by` others that lead past other arrays.

    `matrix` is whose elements they are, "" for computed values. One that `fades` is used up where it goes; `is_alike`:
    whether the elements lie there as they lay before. It moves from the part `begins` of the frame's motion to `ends`.
    """

    source: Box
    target: Box
    matrix: str
    name: str
    part: Rectangle
    fades: bool = False
    is_alike: bool = True
    begins: float = 0.0
    ends: float = 1.0
    by: tuple[Box, ...] = ()

    def fraction(self, arrival: float) -> float | None:
        """How far it has come, 0 to 1, when `arrival` of the motion is over; None while it does not move."""
        if not self.begins <= arrival < self.ends:
            return None
        return (arrival - self.begins) / (self.ends - self.begins)


def motion_paths(scene: Scene, texts: tuple[Box, ...] = ()) -> list[MotionPath]:
    """Where tiles are on their way in this frame, past as many `texts` as a short way can.

    A tile goes to where it is seen enlarged. What the block's threads read goes to their sums; of all threads it is
    the one that is followed. Sums go to C when they are stored: after the last products have been added to them.
    Computed values that a thread adds to a sum that is not drawn go nowhere, and neither does what a tree writes out.
    """
    if scene.picture is None:
        return []
    follows = scene.example is not None and (scene.lens(scene.result) is not None or scene.adds_in_memory)
    found: list[MotionPath] = []
    for motion in scene.picture.tile_motions:
        is_sum = motion.target == scene.result
        if (
            is_sum
            and not follows
            and not motion.matrix
            and scene.picture.frame.touch(scene.result, AccessKind.STORE) is None
        ):
            continue
        source, target = scene.part(motion.source, motion.source_part), scene.part(motion.target, motion.target_part)
        if source is None or target is None or (scene.shows_tree and _is_in_tree(scene, motion)):
            continue
        enlarged = scene.enlarged(motion.source, motion.source_part)
        if motion.target == scene.result and enlarged is not None:
            found.append(MotionPath(source, enlarged, motion.matrix, motion.source, motion.source_part, ends=LANDED))
        if motion.target != scene.result or not follows:
            is_used_up = is_sum or _is_factor_of(scene, motion)
            path = MotionPath(
                source, target, motion.matrix, motion.source, motion.source_part, is_used_up, motion.is_alike
            )
            found.append(path)
        else:
            begins = LANDED if enlarged is not None else 0.0
            found += (replace(path, begins=begins) for path in _followed(scene, motion.source, motion.matrix))
    stored, share = _stored(scene), _share_of_factors(scene)
    if found and share < 1.0:
        found = [replace(path, begins=path.begins * share, ends=path.ends * share) for path in found]
        stored = [replace(path, begins=share) for path in stored]
    arrays = _arrays(scene)
    return [replace(path, by=_way_past(arrays, path, scene.window, texts)) for path in found + stored]


def _arrays(scene: Scene) -> list[Box]:
    """Where arrays are seen: the matrices, and all in the on-chip panels."""
    on_chip = [place.box for place in (*scene.places, *(lens.place for lens in scene.lenses))]
    return [scene.camera.seen(box) for box in (*scene.layout.places.values(), *on_chip)]


def _way_past(arrays: list[Box], path: MotionPath, window: Box, texts: tuple[Box, ...]) -> tuple[Box, ...]:
    """The places by which elements get past all arrays but those that they leave and reach, in the window. Numbers at
    both sides of those that leave a row or a column are like texts.
    """
    ends = path.source, path.target
    others = tuple(array for array in arrays if not any(array.meets(end) for end in ends))
    left = next((array for array in arrays if array.meets(path.source)), path.source)
    beside = _at_sides(left, path.source) if path.fades else ()
    return route(*ends, others, window, texts + beside)


def _at_sides(array: Box, part: Box) -> tuple[Box, ...]:
    """What is left of an array of one row, or of one column, at both sides of a part of it."""
    if part.height >= ALL * array.height:
        sides = (
            Box(array.x, array.y, part.x - array.x, array.height),
            Box(part.right, array.y, array.right - part.right, array.height),
        )
    elif part.width >= ALL * array.width:
        sides = (
            Box(array.x, array.y, array.width, part.y - array.y),
            Box(array.x, part.bottom, array.width, array.bottom - part.bottom),
        )
    else:
        return ()
    return tuple(side for side in sides if side.width > 1.0 and side.height > 1.0)


def has_landed(scene: Scene, name: str) -> bool:
    """Whether what this frame reads of a matrix lies where it is seen enlarged; also where it reads nothing of it."""
    is_read = scene.picture is not None and scene.picture.frame.touch(name, AccessKind.LOAD) is not None
    return not is_read or scene.arrival >= LANDED * _share_of_factors(scene)


def still_key(scene: Scene) -> Hashable:
    """What all of a scene that does not move depends on while the tiles of its frame do: which changes in the midst of
    their motion are over.
    """
    steps = [LANDED * _share_of_factors(scene)] if any(lens.name != scene.result for lens in scene.lenses) else []
    if scene.picture is not None and adds_before_storing(scene.picture.frame, scene.result):
        steps.append(STORE_FROM)
    return scene.arrival > 0.0, bisect_right([*steps, 1.0], scene.arrival)


def _share_of_factors(scene: Scene) -> float:
    """The part of the motion in which factors move: all of it, but where sums go to C after them."""
    is_last = scene.picture is not None and adds_before_storing(scene.picture.frame, scene.result)
    return STORE_FROM if is_last and _stored(scene) else 1.0


def _is_in_tree(scene: Scene, motion: TileMotion) -> bool:
    return scene.place(motion.source) is not None or scene.place(motion.target) is not None


def _is_factor_of(scene: Scene, motion: TileMotion) -> bool:
    """Whether elements go to a slot of shared memory for a sum that will lie there, not to lie there themselves."""
    sums = scene.analysis.partial_sums if scene.analysis is not None else None
    return sums is not None and motion.target == sums.name


def adds_before_storing(frame: Frame, result: str) -> bool:
    """Whether threads read factors and store their sums in one frame."""
    reads = any(touch.kind is AccessKind.LOAD and touch.array.name != result for touch in frame.touches)
    return reads and frame.touch(result, AccessKind.STORE) is not None and frame.touch(result, AccessKind.LOAD) is None


def onchip_box(scene: Scene, name: str, part: Rectangle) -> Box | None:
    """Where a rectangle of elements is seen in the on-chip panel; None if it is not."""
    place = scene.place(name)
    return scene.camera.seen(place.part_of(part)) if place is not None else scene.enlarged(name, part)


def followed_box(scene: Scene, name: str, part: Rectangle) -> Box | None:
    """The same for elements of the thread that is followed: those of C in C where the thread adds to them there."""
    if scene.adds_in_memory and name == scene.result:
        return scene.part(name, part)
    return onchip_box(scene, name, part)


def _followed(scene: Scene, name: str, matrix: str) -> list[MotionPath]:
    """From what the thread that is followed reads of an array to the sum it makes, in C where it adds there."""
    example = scene.example
    if example is None or not example.made:
        return []
    goal = followed_box(scene, scene.result, example.made[0])
    found = []
    for of, part in example.read:
        box = (onchip_box(scene, of, part) or scene.part(of, part)) if of == name else None
        if box is not None and goal is not None:
            found.append(MotionPath(box, _inside(goal, box), matrix, of, part, fades=True))
    return found


def _stored(scene: Scene) -> list[MotionPath]:
    stored = scene.picture.frame.touch(scene.result, AccessKind.STORE) if scene.picture is not None else None
    sums = scene.enlarged(scene.result, stored.box) if stored is not None else None
    goal = scene.part(scene.result, stored.box) if stored is not None else None
    if stored is None or sums is None or goal is None:
        return []
    return [MotionPath(sums, goal, scene.result, scene.result, stored.box)]


def _inside(goal: Box, box: Box) -> Box:
    """A box of the proportions of another, in the middle of `goal` and as large as that: a row stays a row."""
    scale = min(goal.width / max(box.width, 1e-9), goal.height / max(box.height, 1e-9))
    width, height = box.width * scale, box.height * scale
    return Box(goal.middle_x - width / 2, goal.middle_y - height / 2, width, height)
