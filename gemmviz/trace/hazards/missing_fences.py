"""Says which fence would put two accesses in order that nothing puts in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from gemmviz.domain.recordings.strong_steps import StepKind, StrongSteps
from gemmviz.trace.hazards.happens_before import ExecutionPoint, HappensBefore, OrderedSteps


class Orders:
    """The order that some blocks keep, and those that they would keep if no fence were missing."""

    def __init__(self, blocks: Sequence[StrongSteps]) -> None:
        self._blocks = blocks

    @cached_property
    def _steps(self) -> OrderedSteps:
        return OrderedSteps.of(self._blocks)

    @cached_property
    def strict(self) -> HappensBefore:
        """What is sure."""
        return HappensBefore(self._steps)

    @cached_property
    def with_releases(self) -> HappensBefore:
        """As if a fence stood before each strong write."""
        return HappensBefore(self._steps, needs_release=False)

    @cached_property
    def with_acquires(self) -> HappensBefore:
        """As if a fence stood behind each strong read."""
        return HappensBefore(self._steps, needs_acquire=False)

    @cached_property
    def with_both(self) -> HappensBefore:
        """As if both were there."""
        return HappensBefore(self._steps, needs_release=False, needs_acquire=False)


@dataclass(frozen=True, slots=True)
class MissingFence:
    """Which fence is missing, in words. `has_others`: the two threads have fences of their own on the way, which the
    memory consistency model does not count, since other threads of their blocks do the signalling.
    """

    words: str
    has_others: bool


def missing_fence(orders: Orders, one: ExecutionPoint, other: ExecutionPoint) -> MissingFence | None:
    """The fences without which one point does not happen before another one; None where fences alone would not do."""
    is_grid = one.block != other.block
    fence = "__threadfence()" if is_grid else "__threadfence_block()"
    for order, of_release, of_acquire in (
        (orders.with_releases, True, False),
        (orders.with_acquires, False, True),
        (orders.with_both, True, True),
    ):
        release = order.release_between(one, other)
        if release is None:
            continue
        places, has_others = [], True
        if of_release:
            has_others &= order.has_fence(one, release.until, one, is_grid=is_grid)
            places.append(f"before {_words(release.kind)}, by the thread that executes it")
        if of_acquire:
            acquire = order.acquire_of(release, other)
            has_others &= acquire is not None and order.has_fence(acquire[0], other, other, is_grid=is_grid)
            places.append("after the read that acquires" if acquire is None else f"after {_words(acquire[1])}")
        return MissingFence(f"a {fence} is missing {', and one '.join(places)}", has_others)
    return None


def _words(kind: StepKind) -> str:
    return f"{kind.text} (line {kind.line})"
