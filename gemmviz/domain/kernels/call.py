"""How a kernel is called: what each of its parameters is given, how the matrices lie in memory, and what it computes.

A call computes alpha·A·B + beta·C, into C or into a matrix D of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Element, InitialC, Layout

MATRICES = ("A", "B", "C")
OPERANDS = (*MATRICES, "D")
"""The matrices that a parameter may point to; D is the result where C is read only."""


@dataclass(frozen=True, slots=True)
class Storage:
    """How a matrix lies in the device's memory: its elements' type, and whether rows or columns are contiguous."""

    element: Element = Element.FLOAT32
    layout: Layout = Layout.ROW


@dataclass(frozen=True, slots=True)
class MatrixArgument:
    """A pointer to the first element of a matrix: A, B, C or D."""

    name: str


class Factor(StrEnum):
    """The scalars of alpha·A·B + beta·C."""

    ALPHA = "alpha"
    BETA = "beta"


@dataclass(frozen=True, slots=True)
class NumberArgument:
    """A number, and what it was computed from: `text`. `factor` says that it is alpha or beta, None for any other."""

    value: int | float
    text: str
    factor: Factor | None = None


@dataclass(frozen=True, slots=True)
class NullArgument:
    """A pointer to nothing."""


@dataclass(frozen=True, slots=True)
class LocalArgument:
    """A pointer to so many bytes of a block's shared memory, which OpenCL C calls local."""

    nbytes: int


_LOCAL_DEFINE = "GEMMVIZ_LOCAL_"


def local_define(number: int) -> str:
    """The macro that tells compilers how many bytes of local memory parameter `number` is given, counted from 1."""
    return f"{_LOCAL_DEFINE}{number}"


def is_local_define(name: str) -> bool:
    """Whether a macro tells the bytes of a parameter's local memory."""
    return name.startswith(_LOCAL_DEFINE)


CallArgument = MatrixArgument | NumberArgument | NullArgument | LocalArgument


@dataclass(frozen=True, slots=True)
class Call:
    """What a launch is given, in the order of the kernel's parameters, and what it computes from it.

    `storages` are those of A, B, C and D; `c_begins` is what C holds before the launch. A D always begins undefined.
    """

    arguments: tuple[CallArgument, ...]
    storages: tuple[Storage, Storage, Storage, Storage] = (Storage(), Storage(), Storage(), Storage())
    alpha: float = 1.0
    beta: float = 0.0
    c_begins: InitialC = InitialC.UNDEFINED

    def storage(self, name: str) -> Storage:
        """How A, B, C or D lies in memory."""
        return self.storages[OPERANDS.index(name)]

    @property
    def matrices(self) -> tuple[str, ...]:
        """The matrices that a launch needs: A, B, C and, where a parameter points to it, D."""
        return OPERANDS if self.has_d else MATRICES

    @property
    def has_d(self) -> bool:
        """Whether the result is D and C is read only."""
        return MatrixArgument("D") in self.arguments

    @property
    def local_bytes(self) -> dict[int, int]:
        """The bytes of local memory that parameters are given, by their numbers, counted from 1."""
        numbered = enumerate(self.arguments, 1)
        return {number: one.nbytes for number, one in numbered if isinstance(one, LocalArgument)}

    @property
    def reads_c(self) -> bool:
        """Whether C begins as random numbers, which are read."""
        return self.c_begins is InitialC.RANDOM

    @property
    def result(self) -> str:
        """The matrix that the kernel computes."""
        return "D" if self.has_d else "C"

    @property
    def is_plain_product(self) -> bool:
        """Whether it computes A·B, and nothing is scaled or added."""
        return (self.alpha, self.beta) == (1.0, 0.0)

    @property
    def formula(self) -> str:
        """What it computes, as a person writes it: "C = A·B", "D = 1.5·A·B + 0.5·C"."""
        product = "A·B" if self.alpha == 1.0 else f"{self.alpha:g}·A·B"
        times = "" if abs(self.beta) == 1.0 else f"{abs(self.beta):g}·"
        added = f" {'-' if self.beta < 0 else '+'} {times}C" if self.beta else ""
        return f"{self.result} = {product}{added}"

    @property
    def words(self) -> str:
        """The formula, and how matrices lie in memory where that is not usual: "C = A·B; A column by column, in half".
        Of a plain product of usual matrices "".
        """
        notes = []
        for name in self.matrices:
            storage = self.storage(name)
            said = ["column by column"] if storage.layout is Layout.COLUMN else []
            said += [f"in {TYPE_WORDS[storage.element]}"] if storage.element is not Element.FLOAT32 else []
            notes += [f"{name} {', '.join(said)}"] if said else []
        found = "; ".join((self.formula, *notes))
        return "" if found == "C = A·B" else found


TYPE_WORDS = {
    Element.FLOAT32: "float32",
    Element.HALF: "half",
    Element.BFLOAT16: "bf16",
    Element.DOUBLE: "double",
}
"""What the type of a matrix' elements is called in a description."""


USUAL_ARGUMENTS = ("A", "B", "C", "M", "N", "K")
"""What a kernel takes that says nothing else."""


def usual_call(shape: Shape) -> Call:
    """The call of a kernel that says nothing else, at a size."""
    sizes = (NumberArgument(shape.m, "M"), NumberArgument(shape.n, "N"), NumberArgument(shape.k, "K"))
    return Call((*(MatrixArgument(name) for name in MATRICES), *sizes))


def size_of(name: str, shape: Shape) -> tuple[int, int]:
    """Rows and columns of A, B, C or D."""
    return {"A": (shape.m, shape.k), "B": (shape.k, shape.n)}.get(name, (shape.m, shape.n))


def leading_dimension(name: str, shape: Shape, layout: Layout) -> int:
    """Elements from one row of a matrix to the next or, column by column, from one column to the next."""
    rows, columns = size_of(name, shape)
    return columns if layout is Layout.ROW else rows
