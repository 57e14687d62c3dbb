"""What is to be run, and how it is laid out on the device."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from gemmviz.domain.session.field_ranges import Bytes, Extent, ParameterValue, Seed, SourceText
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Element, Fill, Mode

Params = tuple[tuple[str, ParameterValue], ...]
"""A kernel's parameters in the order of its header: (("TILE", 16),)."""


def format_params(params: Params) -> str:
    """A kernel's parameters as the command line takes them, with a space between: "BM=64 BN=32"."""
    return " ".join(f"{name}={value}" for name, value in params)


@dataclass(frozen=True, slots=True)
class Launch:
    """The geometry of one launch: blocks, threads per block, shared memory per block in bytes.

    `cluster` is how many neighbouring blocks the hardware places together; (1, 1, 1) asks for nothing.
    """

    grid: tuple[Extent, Extent, Extent]
    block: tuple[Extent, Extent, Extent]
    dynamic_shared_bytes: Bytes = 0
    static_shared_bytes: Bytes = 0
    cluster: tuple[Extent, Extent, Extent] = (1, 1, 1)

    @property
    def threads_per_block(self) -> int:
        return prod(self.block)

    @property
    def blocks(self) -> int:
        return prod(self.grid)

    def block_at(self, index: int) -> tuple[int, int, int]:
        """The x, y, z of the block with a linear index, x fastest."""
        x, y, _ = self.grid
        return index % x, index // x % y, index // x // y

    @property
    def shared_bytes(self) -> int:
        return self.dynamic_shared_bytes + self.static_shared_bytes


@dataclass(frozen=True, slots=True)
class TensorMap:
    """How the TMA of a GPU sees a matrix of `rows` x `columns` elements: it moves boxes of `box` elements,
    columns first, between global and shared memory, and swizzles them there over `swizzle` bytes (0: not at all).
    With `to_tf32` it rounds float32 to the nearest TF32 number on its way to shared memory.
    """

    matrix: str
    rows: int
    columns: int
    element: Element
    box: tuple[int, int]
    swizzle: int = 0
    to_tf32: bool = False

    @property
    def pitch_bytes(self) -> int:
        """From one row of the matrix to the next."""
        return self.columns * self.element.nbytes


@dataclass(frozen=True, slots=True)
class RunSpec:
    """One run as a person asks for it.

    `computes` says in words what the kernel computes of which matrices (`Call.words`), "" for C = A·B of float32, row
    by row. `description` is the TOML text by which it was called, "" where that is in its own file.
    """

    kernel: str
    shape: Shape
    params: Params
    device: str
    fill: Fill = Fill.UNIFORM
    seed: Seed = 0
    mode: Mode = Mode.COLD
    computes: str = ""
    description: SourceText = ""
