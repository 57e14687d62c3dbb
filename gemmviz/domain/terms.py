"""The closed sets of words gemmviz uses: memory fills, timing modes, stop reasons, verdicts, evidence."""

from __future__ import annotations

from enum import StrEnum


class Fill(StrEnum):
    """How the elements of A and B are made. The tutorials' own fills come last."""

    UNIFORM = "uniform"
    """Seeded, uniform in [0, 1)."""
    NORMAL = "normal"
    """Seeded, standard normal."""
    RAMP = "ramp"
    """From 0 to 1 in even steps over the row-major index."""
    ONES = "ones"
    """All ones: every element of C is K."""
    INTEGERS = "integers"
    """Seeded whole numbers so small that every partial sum stays below 2^24: every summation order is exact."""
    INTEGERS_2147 = "integers_2147"
    """Seeded whole numbers from 0 to 2147; sums round."""
    COUNTING = "counting"
    """1, 2, 3, … over the row-major index, in A and in B."""
    ROW_COLUMN = "row_column"
    """`A[i][j] = i` and `B[i][j] = j`."""
    INDEX_TWOS = "index_twos"
    """A counts 0, 1, 2, … over the row-major index; B is 2 everywhere."""


class Mode(StrEnum):
    """What the caches hold when a sample begins."""

    COLD = "cold"
    """One launch per sample; the caches are overwritten before it, outside the timed window."""
    HOT = "hot"
    """A batch of launches divided by their number; nothing is flushed."""


class StopReason(StrEnum):
    """Which rule ended a series of samples."""

    STEADY = "steady"
    """Enough samples over enough time, and a relative IQR below the target."""
    STEADY_NOISE = "steady noise"
    """Enough samples over enough time; the relative IQR is above the target but no longer changes."""
    TIME_LIMIT = "time limit"
    """The budget for this series was spent."""
    SAMPLE_LIMIT = "sample limit"
    """The largest number of samples was reached."""
    CANCELLED = "cancelled"
    """The user stopped the series."""


class Verdict(StrEnum):
    """What a comparison of A with B by pairs of samples may say about A."""

    FASTER = "faster"
    SLOWER = "slower"
    SAME = "same"
    CANNOT_TELL = "cannot tell"

    @property
    def words(self) -> str:
        """The verdict in a row of figures."""
        return "cannot be ranked" if self is Verdict.CANNOT_TELL else self.value


class Evidence(StrEnum):
    """Where a figure comes from; every figure a person sees carries one."""

    MEASURED = "measured"
    RECORDED = "recorded"
    COUNTER = "counter"
    DERIVED = "derived"
    MODELLED = "modelled"


class Arithmetic(StrEnum):
    """The arithmetic of a kernel's products and sums."""

    FP32 = "fp32"
    FP64 = "fp64"
    TF32 = "tf32"
    TF32X3 = "tf32x3"
    """Each float32 is split into two TF32; three of the four products are summed. What the split loses does not grow
    with K: from some tens of products on, the error is within float32's bound.
    """
    BF16 = "bf16"
    FP16 = "fp16"

    @property
    def is_of_tensor_cores(self) -> bool:
        """Whether tensor cores compute in it."""
        return self not in (Arithmetic.FP32, Arithmetic.FP64)

    @property
    def operand_bytes(self) -> int:
        """The size of an element of A and B where nothing else is known of them."""
        return {Arithmetic.BF16: 2, Arithmetic.FP16: 2, Arithmetic.FP64: 8}.get(self, 4)

    @property
    def result_bytes(self) -> int:
        """The size of an element of C where nothing else is known of it."""
        return 8 if self is Arithmetic.FP64 else 4


class Element(StrEnum):
    """The type of a matrix' elements in the device's memory."""

    FLOAT32 = "float32"
    HALF = "half"
    BFLOAT16 = "bfloat16"
    DOUBLE = "double"

    @property
    def nbytes(self) -> int:
        return {Element.HALF: 2, Element.BFLOAT16: 2, Element.DOUBLE: 8}.get(self, 4)


class Layout(StrEnum):
    """Which elements of a matrix are neighbours in memory."""

    ROW = "row"
    """Those of a row: element (i, j) is number i·columns + j."""
    COLUMN = "column"
    """Those of a column: element (i, j) is number j·rows + i."""


class InitialC(StrEnum):
    """What C holds when a launch begins."""

    UNDEFINED = "undefined"
    """Nothing that means anything: a kernel must write an element before it reads it."""
    ZERO = "zero"
    """Zeros, for kernels that add to C."""
    RANDOM = "random"
    """Seeded numbers, for kernels that compute alpha·A·B + beta·C."""


COMPILED_NOTE = "As compiled records the PTX: ptxas may merge or move more accesses in SASS."


class CodeForm(StrEnum):
    """The form in which a kernel is compiled and its accesses are recorded."""

    AS_WRITTEN = "as written"
    """Its source, or PTX compiled line by line as for a debugger (-G)."""
    AS_COMPILED = "as compiled"
    """PTX as optimised for a run (-O3)."""

    @property
    def meaning(self) -> str:
        """Which code the figures of such a recording describe, and what may still differ, in one sentence."""
        if self is CodeForm.AS_WRITTEN:
            return "Figures are as written in the source: a compiler may merge or drop accesses."
        return COMPILED_NOTE


class Language(StrEnum):
    """What a kernel file is written in."""

    CUDA = "cuda"
    OPENCL = "opencl"
    PYTHON = "python"
    LIBRARY = "library"
    """A call of the GPU vendor's library from Python: there is no source of a kernel."""
    PTX = "ptx"
    TRITON = "triton"
    """A Python file with a function decorated with `triton.jit`."""
    NUMBA_CUDA = "numba-cuda"
    """A Python file with a function decorated with `numba.cuda.jit`."""
    CUPY = "cupy"
    """A Python file that computes the CUDA C that it gives to CuPy; CUDA C that can be read from the file is CUDA."""

    @property
    def runs_on_devices(self) -> bool:
        """Whether it is launched on a device, in a grid of blocks."""
        return self not in (Language.PYTHON, Language.LIBRARY)

    @property
    def runs_on_cuda(self) -> bool:
        """Whether NVIDIA GPUs and the PTX machine run it, by the PTX that is made of it."""
        return self.runs_on_devices and self is not Language.OPENCL

    @property
    def is_python_to_compile(self) -> bool:
        """Whether its file is a Python program that has to be run before its kernel can be compiled."""
        return self in (Language.TRITON, Language.NUMBA_CUDA, Language.CUPY)

    @property
    def has_written_form(self) -> bool:
        """Whether it can be compiled as written, which takes a compiler that can be told not to optimise."""
        return self in (Language.CUDA, Language.OPENCL)
