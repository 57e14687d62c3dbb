"""The kernel that is judged: launched on one device, with inputs and a C of one's own choice."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gemmviz.backends.base import (
    BackendError,
    CompilerStuckError,
    CompileTimeoutError,
    DeviceLostError,
    HasSignature,
    UnsupportedKernelError,
)
from gemmviz.backends.machine.compared_values import sizes_compared_by
from gemmviz.backends.machine.device import BlockOrder, MachineDevice
from gemmviz.catalogue.claims.claims import Claims
from gemmviz.catalogue.claims.compared_sizes import claimed_compared_sizes
from gemmviz.catalogue.kernel import Kernel, Refusal
from gemmviz.domain.device import Device
from gemmviz.domain.elements import element_name
from gemmviz.domain.kernels.call import Call
from gemmviz.domain.kernels.initial_c import count_poison
from gemmviz.domain.kernels.parameter_types import Kind
from gemmviz.domain.operands import Operands
from gemmviz.domain.runs.result import Mismatch, WorstElement
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Params
from gemmviz.domain.stored import begun, empty_result, stored
from gemmviz.domain.terms import Fill, InitialC
from gemmviz.machine.faults import KernelFaultError, LaunchCancelledError
from gemmviz.measure.arithmetic.formats import Model
from gemmviz.measure.bench import Bench, Inputs, Matrix, Prepared, Watch
from gemmviz.measure.cancel import raise_if_cancelled
from gemmviz.measure.check.bounds import sum_bound
from gemmviz.measure.check.combination import MORE_ROUNDINGS
from gemmviz.measure.check.judge import Expected, expected_product, judge
from gemmviz.referee.evidence import Ending, Recordings

_MOST_PREPARED = 24
_LEAST_S = 0.1
"""For a launch, where less time is left for all."""


class KernelFaultedError(Exception):
    """A launch ended at a fault, or a claimed size cannot be compiled or launched. `is_access`: memory was touched that
    may not be touched. `is_lost`: this process can do nothing more with the device. `is_late`: a time limit ended it.
    """

    def __init__(self, words: str, shape: Shape, *, is_access: bool, is_lost: bool, is_late: bool = False) -> None:
        super().__init__(words)
        self.shape, self.is_access, self.is_lost, self.is_late = shape, is_access, is_lost, is_late


@dataclass(frozen=True, slots=True, eq=False)
class Launched:
    """What a launch left behind. `c`, shape (M, N), is the result; `unwritten` counts the elements that still hold the
    poison, `changed` names the inputs that are no longer what they were, `overruns` says which bytes beside an array
    were written.
    """

    shape: Shape
    operands: Operands
    c: Matrix
    unwritten: int
    changed: tuple[str, ...]
    overruns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class JudgedResult:
    """How a result compares with float64: the error in units of u·|A|·|B| with its bound, and equal elements. The first
    that is not equal and the one with the largest error are there in words.
    """

    error: float
    bound: float
    equal: int
    elements: int
    unwritten: int
    first_unequal: str
    worst: str

    @property
    def is_within(self) -> bool:
        return self.unwritten == 0 and self.error <= self.bound

    @property
    def is_exact(self) -> bool:
        return self.equal == self.elements


@dataclass(slots=True)
class Subject:
    """A kernel with parameters on a device. `starts_at_zero`: it was found to read C, so C begins as zeros for what
    else is examined; `model` is the arithmetic that it was found to compute in, `found_arithmetic` the same in words.
    """

    kernel: Kernel
    params: Params
    device: Device
    watch: Watch = field(default_factory=Watch)
    limit_s: float = 30.0
    left_s: Callable[[], float] = field(default=lambda: math.inf)
    """How much time is left for all examinations: a launch on the PTX machine ends with it."""
    is_judged_alone: bool = False
    """Whether somebody chose its parameters, so that no other values are judged."""
    adds_to_c: bool = False
    """Whether a kernel whose C begins as zeros was seen to compute A·B + C where C holds something else."""
    starts_at_zero: bool = False
    model: Model | None = None
    found_arithmetic: str = ""
    recordings: Recordings | None = None
    large_recordings: Recordings | None = None
    other_recordings: dict[Params, Recordings] = field(default_factory=dict)
    """Those with other values of its parameters, by all of these."""
    endings: tuple[Ending, ...] | None = None
    right_at: dict[Shape, None] = field(default_factory=dict)
    """The sizes at which a result was judged and found right, in that order."""
    right_with: dict[tuple[float, float], float] = field(default_factory=dict)
    """The pairs of alpha and beta with which a result was judged and found right, in that order, each with the largest
    error as a part of the allowed bound.
    """
    keeps_something: bool = False
    """Whether it was found to keep something from launch to launch."""
    follows_in_part: bool = False
    """Whether its results follow its inputs but for some elements."""
    step: str = ""
    """What is being examined, for whoever follows."""
    claims: Claims = field(init=False)
    _compared_sizes: list[Shape] | None = None
    _bench: Bench = field(default_factory=Bench)
    _prepared: dict[Shape, Prepared] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.claims = Claims(self.kernel, self.params, self.device)

    @property
    def factors(self) -> tuple[float, float]:
        """The alpha and the beta of its description."""
        rule = self.kernel.call
        return 1.0 if rule.alpha is None else rule.alpha, rule.beta or 0.0

    @property
    def compared_sizes(self) -> list[Shape]:
        """The claimed sizes at which its code may do something else (`claimed_compared_sizes`), looked for once."""
        if self._compared_sizes is None:
            compared = sizes_compared_by(self.kernel, self.params, self.claims.home)
            self._compared_sizes = claimed_compared_sizes(self.claims, compared)
        return self._compared_sizes

    def anew(self) -> Subject:
        """The same kernel, to be loaded anew, so that its variables are as in its file; the caller releases it."""
        made = Subject(self.kernel, self.params, self.device, self.watch, self.limit_s, self.left_s)
        made.starts_at_zero, made.endings, made.step = self.starts_at_zero, self.endings, self.step
        made.claims = self.claims
        return made

    def launch(
        self,
        operands: Operands,
        start: NDArray[Any] | None = None,
        launches: int = 1,
        order: BlockOrder | None = None,
        *,
        zero_c: bool = False,
        one_by_one: bool = False,
    ) -> Launched:
        """Launch with A and B, C as the kernel's description says, or full of zeros with `zero_c`, or the result as
        `start` is stored. Of several launches each finds A and B anew, and the result of the one before. `one_by_one`:
        each block of an `order` ends before the next one begins.

        Raises:
            KernelFaultedError: the launch ended at a fault, or there was none.
            UnsupportedKernelError, CompileTimeoutError, CompilerStuckError: the kernel could not be launched, which
                says nothing against it.
            CancelledError: stopped.
        """
        raise_if_cancelled(self.watch.should_cancel)
        shape = _shape_of(operands)
        try:
            ready = self.prepared(shape)
            if isinstance(device := ready.launcher.device, MachineDevice):
                device.block_order, device.runs_one_by_one = order, one_by_one
            return self._launched(ready, shape, operands, start, launches, zero_c=zero_c)
        except (UnsupportedKernelError, CompileTimeoutError):
            raise
        except (BackendError, Refusal) as error:
            cause = error.__cause__
            is_late = isinstance(cause, LaunchCancelledError)
            if is_late:  # by the time limit of the launch, or by that of all
                raise_if_cancelled(self.watch.should_cancel)
            is_access = isinstance(cause, KernelFaultError) and cause.is_access
            is_lost = isinstance(error, DeviceLostError)
            if is_lost:
                self._bench.abandon()
                self._prepared.clear()
            if isinstance(error, CompilerStuckError):
                raise
            raise KernelFaultedError(
                str(error), shape, is_access=is_access, is_lost=is_lost, is_late=is_late
            ) from error

    def prepared(self, shape: Shape) -> Prepared:
        """The kernel, compiled for a size, with its buffers."""
        if shape not in self._prepared:
            while len(self._prepared) >= _MOST_PREPARED:
                self._prepared.pop(next(iter(self._prepared))).release()
            self._prepared[shape] = self.prepare(self.kernel, self.params, self.device, _ones(shape))
        return self._prepared[shape]

    def takes_fraction(self, place: int) -> bool:
        """Whether the parameter at a place, counted from 0, is a floating-point number by its compiled type."""
        ready = next(iter(self._prepared.values()), None) or self.prepared(self.claims.home)
        compiled = ready.launcher.compiled
        signature = compiled.signature if isinstance(compiled, HasSignature) else None
        one = signature[place] if signature is not None and place < len(signature) else None
        return one is not None and not one.is_pointer and one.scalar.kind is Kind.FLOATING

    def prepare(self, kernel: Kernel, params: Params, device: Device, operands: Operands) -> Prepared:
        """Any kernel, compiled and with these inputs on a device, to be released by the caller."""
        inputs = Inputs(_shape_of(operands), operands.fill, operands.seed, operands, 0.0, None)
        return self._bench.prepare(kernel, params, device, inputs, self.limit_s, self.say)

    def say(self, words: str) -> None:
        """Tell whoever follows what is being done for the present step."""
        raise_if_cancelled(self.watch.should_cancel)
        detail = words.removeprefix(f"{self.kernel.id}: ")
        self.watch.say(f"{self.step}: {detail}" if self.step else detail)

    def _launched(
        self,
        ready: Prepared,
        shape: Shape,
        operands: Operands,
        start: NDArray[Any] | None,
        launches: int,
        *,
        zero_c: bool,
    ) -> Launched:
        call, sides, device = ready.call, ready.both_sides, ready.launcher.device
        sums = sides.c.shape[0]
        given = {name: stored(matrix, call.storage(name)) for name, matrix in (("A", operands.a), ("B", operands.b))}
        begins = begun(call, shape, sums, operands)
        if zero_c:
            begins = {name: np.zeros_like(array) for name, array in begins.items()}
        if start is not None:
            begins[call.result] = start
        elif self.starts_at_zero and call.c_begins is InitialC.UNDEFINED:
            begins[call.result] = np.zeros_like(begins[call.result])
        device.upload(begins[call.result], sides.buffers[call.result])
        kept = given | {name: array for name, array in begins.items() if name != call.result}
        launcher = replace(ready.launcher, begins=None)
        for _ in range(launches):
            for name, array in kept.items():
                device.upload(array, sides.buffers[name])
            if self.device.is_emulated:
                launcher = replace(launcher, limit_s=min(self.limit_s, max(_LEAST_S, self.left_s())))
            launcher.run()
        changed = []
        for name, array in kept.items():
            now = np.empty_like(array)
            device.download(sides.buffers[name], now)
            if now.tobytes() != array.tobytes():
                changed.append(name)
        overruns = tuple(
            f"{count} bytes {side} {name}"
            for name, buffer in sides.buffers.items()
            for count, side in zip(device.overrun_bytes(buffer), ("before", "behind"), strict=True)
            if count
        )
        c = ready.result()
        is_undefined = call.has_d or call.c_begins is InitialC.UNDEFINED
        is_poisoned = is_undefined and start is None and not zero_c and not self.starts_at_zero
        unwritten = count_poison(sides.c, call.storage(call.result).element) if is_poisoned else 0
        return Launched(shape, operands, c, unwritten, tuple(changed), overruns)

    def poison(self, shape: Shape) -> NDArray[Any]:
        """A result full of NaNs that no arithmetic makes, as it is stored."""
        ready = self.prepared(shape)
        return empty_result(ready.call, shape, ready.both_sides.c.shape[0])

    def expected(self, launched: Launched) -> Expected:
        """What results of these inputs are held against; the product is computed each time."""
        return expected_product(self.kernel, self.prepared(launched.shape).call, launched.operands)

    def judge(self, launched: Launched, expected: Expected | None = None) -> JudgedResult:
        """Hold a result against the float64 product of its inputs, by the bound of the arithmetic that the kernel
        claims, or of the one that it was found to compute in.
        """
        expected = expected if expected is not None else self.expected(launched)
        result = self.judged_as(launched, self.prepared(launched.shape).call, expected)
        if result.is_within:
            self.right_at[launched.shape] = None
            part = result.error / result.bound if result.bound > 0 else 0.0
            self.right_with[self.factors] = max(part, self.right_with.get(self.factors, 0.0))
        return result

    def judged_as(self, launched: Launched, call: Call, expected: Expected) -> JudgedResult:
        """A result beside the float64 product as a call has it, also one with other factors than the kernel's own."""
        both = judge(self.kernel, launched.c, call, expected, launched.unwritten)
        found, bound = both.accuracy, max(both.accuracy.bound, self._found_bound(call, launched.shape.k))
        return JudgedResult(
            found.max_error_over_ug,
            bound,
            found.exact_matches,
            found.elements,
            launched.unwritten,
            _element_words(call.result, next(iter(found.first_mismatches), None)),
            _element_words(call.result, next(iter(both.error_map.worst), None)),
        )

    def _found_bound(self, call: Call, k: int) -> float:
        """The bound of the arithmetic that was found, 0 where it is as exact as the claimed one."""
        if self.model is None or self.model.meets(self.kernel.arithmetic):
            return 0.0
        roundings = k + (0 if call.is_plain_product else MORE_ROUNDINGS)
        result = call.storage(call.result).element
        of_product = self.model.products.roundoff if self.model.products is not None else 0.0
        return sum_bound(self.model.inputs.roundoff, self.model.sums.roundoff, roundings, result, of_product)

    def fault_named_by(self, shape: Shape) -> str:
        """The examination that fails with the fault at which a launch at this size ended, among `endings`; "" for
        none.
        """
        return next((one.named_by for one in self.endings or () if one.fault and one.shape == shape), "")

    @property
    def is_plain(self) -> bool:
        """Whether it computes A·B, so that results with whole numbers are exact."""
        return self.prepared(self.claims.home).call.is_plain_product

    def release(self) -> None:
        """Give buffers and devices back."""
        for ready in self._prepared.values():
            ready.release()
        self._prepared.clear()
        self._bench.__exit__(None, None, None)


def _element_words(matrix: str, one: Mismatch | WorstElement | None) -> str:
    if one is None:
        return ""
    expected = one.expected + 0.0  # a zero of either sign is right
    return f"{element_name(matrix, one.row, one.column)} is {one.got:.9g} and should be {expected:.9g}"


def _shape_of(operands: Operands) -> Shape:
    return Shape(operands.a.shape[0], operands.b.shape[1], operands.a.shape[1])


def _ones(shape: Shape) -> Operands:
    return Operands(np.ones((shape.m, shape.k), np.float32), np.ones((shape.k, shape.n), np.float32), Fill.ONES)
