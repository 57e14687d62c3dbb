"""The geometry of a launch as a description has it: expressions, which a size and parameters give values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gemmviz.catalogue.expressions import ExpressionError, evaluate_whole
from gemmviz.domain.spec import Launch

LAUNCH_SIZES = ("shared_bytes", "static_shared_bytes", "partial_sums")
"""The keys of a launch that have one expression each."""


class GeometryError(ExpressionError):
    """An expression of a description that has no value; `key` is where it stands."""

    def __init__(self, error: ExpressionError, key: str) -> None:
        super().__init__(str(error))
        self.key = key


@dataclass(frozen=True, slots=True)
class LaunchRule:
    """Expressions for the geometry of a launch. `partial_sums` values per element of C are added on the host."""

    block: tuple[str, ...]
    grid: tuple[str, ...]
    shared_bytes: str = "0"
    static_shared_bytes: str = "0"
    partial_sums: str = "1"
    cluster: tuple[str, ...] = ("1",)

    def launch(self, names: Mapping[str, int], local_bytes: int) -> tuple[Launch, int]:
        """The launch at a size, and how many partial sums it leaves; `local_bytes` of shared memory are the call's.

        Raises:
            GeometryError: an expression has no value.
        """
        dynamic, static, sums = (whole_values((getattr(self, key),), names, key)[0] for key in LAUNCH_SIZES)
        launch = Launch(
            grid=_three(self.grid, names, "grid"),
            block=_three(self.block, names, "block"),
            dynamic_shared_bytes=dynamic,
            static_shared_bytes=static + local_bytes,
            cluster=_three(self.cluster, names, "cluster"),
        )
        return launch, sums


def whole_values(expressions: Sequence[str], names: Mapping[str, int], key: str) -> list[int]:
    """The values of expressions that stand under a key of a description.

    Raises:
        GeometryError: one has none, or no whole one.
    """
    try:
        return [evaluate_whole(text, names) for text in expressions]
    except ExpressionError as error:
        raise GeometryError(error, key) from error


def _three(expressions: tuple[str, ...], names: Mapping[str, int], key: str) -> tuple[int, int, int]:
    x, y, z = [*whole_values(expressions, names, key), 1, 1][:3]
    return x, y, z
