"""Checks a description at a size: the whole result against float64, in arrays with not one element to spare."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gemmviz.adopt.description import FIRST_ALPHA, FIRST_BETA, Description
from gemmviz.adopt.prove.gpu_limits import beyond_gpu
from gemmviz.adopt.prove.launcher import ArrayLauncher, BlockGeometry, Index, TooSlowError, TryError
from gemmviz.adopt.prove.machine import array_of, is_poison, poison, values_in
from gemmviz.adopt.reasons import FaultKind
from gemmviz.adopt.resemblance.coarser import coarser_words
from gemmviz.catalogue.expressions import ExpressionError, evaluate, evaluate_whole
from gemmviz.domain.elements import element_name
from gemmviz.domain.kernels.call import OPERANDS, leading_dimension, size_of
from gemmviz.domain.listing import listed
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Arithmetic, Element, Layout
from gemmviz.machine.memory import Array
from gemmviz.measure.check.bounds import UNDERFLOW_ERROR, error_bound

Matrix = NDArray[np.float64]
MOST_BLOCKS = 16_384
"""Of a launch that is only to tell something."""
_MARGIN, _MARGIN_OF_COARSE = 8.0, 4.0
"""Of the bound, in typical rounding errors of a sum in the coarsest type of the matrices."""
_UNIT = {Element.DOUBLE: 2.0**-53, Element.FLOAT32: 2.0**-24, Element.HALF: 2.0**-11, Element.BFLOAT16: 2.0**-8}
_OTHER_ROUNDINGS = 3
"""Beside those of the sum: of two products with factors, and of their sum."""
_COARSE = 2.0**-16
"""Of the sum of the products' sizes: an error that is rounding of any order of sums, and no element that is wrong."""
_NEAR = 0.02
"""Of the largest element of a product: by that much another one may differ, of coarse sums."""
_LD = [f"ld{name.lower()}" for name in OPERANDS]
_COARSEST = (Element.BFLOAT16, Element.HALF, Element.FLOAT32, Element.DOUBLE)


@dataclass(frozen=True, slots=True)
class Checked:
    """What came of a check: "" in `fault` where every element is right. `is_untold`: it did not end in time, or was too
    large to be tried, and may be right.
    """

    fault: str = ""
    kind: FaultKind = FaultKind.OTHER
    """What follows from the fault."""
    is_untold: bool = False
    overwrites: bool = False
    """Whether the fault is that the kernel changed A, B or a C that is no result."""
    is_coarse: bool = False
    """Whether every element is right within the rounding of sums that gemmviz takes for less exact than float32's."""
    keeps_c_at_zeros: bool = False
    """Whether all that is wrong are elements whose sum is 0, and that were not written."""

    @property
    def is_right(self) -> bool:
        return not self.fault


def _keep(a: Matrix, b: Matrix) -> None:
    """Leave A and B as they are."""


def check(
    kernel: ArrayLauncher,
    description: Description,
    shape: Shape,
    limit_s: float,
    seed: int = 1,
    alpha: float = FIRST_ALPHA,
    beta: float = FIRST_BETA,
    *,
    is_poisoned: bool = False,
    in_float32: bool = False,
    meant: tuple[float, float] | None = None,
    may_be_coarser: bool = True,
    keeps_infinity: bool = False,
    c_times: float = 1.0,
    change: Callable[[Matrix, Matrix], None] = _keep,
) -> Checked:
    """Run a kernel as described and compare all of its result, and that it keeps its inputs. With `is_poisoned` C
    begins as NaNs, with `in_float32` sums may not be rounded more coarsely than float32's. `change` gets A and B, whose
    elements are from -1 to 1, and makes of them what the kernel is given. `meant` are the alpha and beta of what is
    right, where they are not those that are given. With `may_be_coarser` a fault says where errors are as large as
    those of coarser arithmetic; with `keeps_infinity` an element that is infinite may not be NaN. Elements of C are
    from -1 to 1, multiplied by `c_times`.
    """
    names = {"M": shape.m, "N": shape.n, "K": shape.k, **description.defaults}
    try:
        block, grid = launch_index(description.block, names), launch_index(description.grid, names)
        shared_bytes = evaluate_whole(description.shared_bytes, names)
    except ExpressionError as error:
        return Checked(str(error))
    if beyond := beyond_gpu(block, grid):
        return Checked(beyond)
    blocks = grid[0] * grid[1] * grid[2]
    if blocks > MOST_BLOCKS or min(*grid, *block) < 1:
        fault = f"a grid of {grid[0]} × {grid[1]} × {grid[2]} blocks is not tried"
        return Checked(fault, is_untold=blocks > MOST_BLOCKS)
    rng = np.random.default_rng(seed)
    values = {name: rng.uniform(-1, 1, size_of(name, shape)) for name in OPERANDS}
    change(values["A"], values["B"])
    values["C"] *= c_times
    values = {name: rounded_to(one, description.storage(name).element) for name, one in values.items()}
    arrays = {name: stored(values[name], description, name) for name in OPERANDS}
    reads_c = description.reads_c and not is_poisoned
    if not reads_c:
        poison(arrays["C"])
    if description.result == "D":
        poison(arrays["D"])
    inputs = {name: one.bytes.copy() for name, one in arrays.items() if name != description.result}
    try:
        kernel = kernel.with_local(local_bytes(description, names))
        given = [given_value(text, names, description, shape, arrays, alpha, beta) for text in description.arguments]
        kernel.run(given, BlockGeometry(block, shared_bytes), grid, limit_s)
    except ExpressionError as error:
        return Checked(str(error))
    except TryError as error:
        return Checked(str(error), error.kind, is_untold=isinstance(error, TooSlowError))
    factor, share = description.scalings(*(meant or (alpha, beta)))
    scalings = (factor, share if reads_c else 0.0)
    kept = _kept(description, shape, arrays, inputs)
    if not kept.is_right:  # in which order blocks ran decides what else is wrong
        return kept
    compared = _compared(
        description,
        shape,
        values,
        arrays[description.result],
        scalings,
        in_float32=in_float32,
        may_be_coarser=may_be_coarser
        and (alpha, beta) == (FIRST_ALPHA, FIRST_BETA)
        and change is _keep
        and meant is None,
        keeps_infinity=keeps_infinity,
    )
    if compared.is_right:
        return compared
    return replace(compared, fault=f"{compared.fault}, with {_inputs(description, seed, alpha, beta, change)}")


def _inputs(
    description: Description, seed: int, alpha: float, beta: float, change: Callable[[Matrix, Matrix], None]
) -> str:
    """What the kernel was given: "A and B random from -1 to 1 (seed 1), alpha = 1.5"."""
    names = "A, B and C" if description.reads_c else "A and B"
    found = [f"{names} random from -1 to 1{'' if change is _keep else ' before that change'} (seed {seed})"]
    found += [f"alpha = {alpha:g}"] if description.has_alpha else []
    found += [f"beta = {beta:g}"] if description.has_beta else []
    return ", ".join(found)


def _kept(
    description: Description, shape: Shape, arrays: Mapping[str, Array], inputs: Mapping[str, NDArray[np.uint8]]
) -> Checked:
    """That the kernel overwrote one of its inputs, and where first; no fault where it kept them."""
    for name, before in inputs.items():
        storage = description.storage(name)
        changed = np.flatnonzero(arrays[name].bytes != before)
        if changed.size:
            place = int(changed[0]) // storage.element.nbytes
            rows, columns = size_of(name, shape)
            i, j = (place % rows, place // rows) if storage.layout is Layout.COLUMN else divmod(place, columns)
            count = np.unique(changed // storage.element.nbytes).size
            which = f"{count} of its {rows * columns} elements change, {element_name(name, i, j)} first"
            return Checked(f"{name} is overwritten: {which}", overwrites=True)
    return Checked()


def is_near(found: Matrix, expected: Matrix) -> bool:
    """Whether elements are a product's, whose sums may be coarse, and no other product's."""
    return found.shape == expected.shape and bool((abs(found - expected) <= _NEAR * abs(expected).max()).all())


def launch_index(expressions: tuple[str, ...], names: Mapping[str, int]) -> Index:
    """The numbers of a block or a grid along x, y and z.

    Raises:
        ExpressionError: one of them cannot be computed.
    """
    x, y, z = (*(evaluate_whole(text, names) for text in expressions), 1, 1)[:3]
    return x, y, z


def rounded_to(matrix: Matrix, element: Element) -> Matrix:
    """The values that elements of a type can hold."""
    return values_in(array_of(matrix, element, ""), element).reshape(matrix.shape)


def stored(matrix: Matrix, description: Description, name: str) -> Array:
    """A matrix as a kernel finds it in memory."""
    storage = description.storage(name)
    turned = matrix.T if storage.layout is Layout.COLUMN else matrix
    return array_of(turned, storage.element, name)


def result_in(array: Array, description: Description, shape: Shape) -> Matrix:
    """The matrix that a kernel computed, from memory."""
    storage = description.storage(description.result)
    rows, columns = size_of(description.result, shape)
    held = values_in(array, storage.element)
    return held.reshape(columns, rows).T if storage.layout is Layout.COLUMN else held.reshape(rows, columns)


def given_value(
    text: str,
    names: Mapping[str, int],
    description: Description,
    shape: Shape,
    arrays: Mapping[str, Array],
    alpha: float,
    beta: float,
) -> int | float | Array:
    """What a parameter is given that a description says `text` of.

    Raises:
        ExpressionError: it cannot be computed.
    """
    if text in arrays:
        return arrays[text]
    if text in ("alpha", "beta"):
        return alpha if text == "alpha" else beta
    if text == "null" or text.startswith("local("):
        return 0
    leading = {
        f"ld{name.lower()}": leading_dimension(name, shape, description.storage(name).layout) for name in OPERANDS
    }
    value = evaluate(text, {**names, **leading})
    return value if isinstance(value, int | float) else 0


def leading_words(description: Description, names: Sequence[str], shape: Shape) -> str:
    """What leading dimensions are given at a size, as text to go on with: ", where gemmviz gave lda = 96"."""
    pairs = zip(names, description.arguments, strict=False)
    letters = [(name, text[-1].upper()) for name, text in pairs if text in _LD]
    given = [f"{name} = {leading_dimension(one, shape, description.storage(one).layout)}" for name, one in letters]
    return f", where gemmviz gave {listed(given)}" if given else ""


def local_bytes(description: Description, names: Mapping[str, int]) -> tuple[tuple[int, int], ...]:
    """The bytes of local memory that parameters are given at a size, by their numbers."""
    return tuple(
        (number, evaluate_whole(text.removeprefix("local"), names))
        for number, text in enumerate(description.arguments, 1)
        if text.startswith("local(")
    )


def _compared(
    description: Description,
    shape: Shape,
    values: Mapping[str, Matrix],
    array: Array,
    scalings: tuple[float, float],
    *,
    in_float32: bool,
    may_be_coarser: bool,
    keeps_infinity: bool,
) -> Checked:
    """What came of the comparison; with `may_be_coarser` the words say where errors are as large as those of
    coarser arithmetic; with `keeps_infinity` what is infinite has to be, else it may be NaN.
    """
    storage = description.storage(description.result)
    rows, columns = size_of(description.result, shape)
    found = result_in(array, description, shape)
    factor, share = scalings
    with np.errstate(invalid="ignore"):  # of infinities that are given
        expected = factor * (values["A"] @ values["B"]) + share * values["C"]
        squares = factor**2 * (values["A"] ** 2 @ values["B"] ** 2) + (share * values["C"]) ** 2
    elements = [description.storage(name).element for name in OPERANDS]
    coarsest = next(one for one in _COARSEST if one in elements)
    if in_float32 and coarsest is not Element.DOUBLE:
        coarsest = Element.FLOAT32

    underflow = UNDERFLOW_ERROR.get(storage.element, 0.0)

    def is_near_to(product: Matrix, unit: float) -> NDArray[np.bool_]:
        """Where elements are within the bound of sums that are rounded by `unit`."""
        # rounding errors of a sum of K random products of either sign grow as a random walk does
        walk = unit * (np.sqrt(shape.k) / 2 + 2) * (np.sqrt(squares) + abs(product))
        margin = _MARGIN if unit <= _UNIT[Element.FLOAT32] else _MARGIN_OF_COARSE
        rounding = 2 * _UNIT[storage.element] * abs(product) + underflow
        return np.asarray(abs(found - product) <= margin * walk + rounding)

    own = _UNIT[coarsest]
    with np.errstate(invalid="ignore"):
        is_near = is_near_to(expected, own)
        largest = abs(factor) * (abs(values["A"]) @ abs(values["B"])) + abs(share * values["C"])
        if in_float32 and coarsest is Element.FLOAT32:
            bound = error_bound(Arithmetic.FP32, shape.k + _OTHER_ROUNDINGS, storage.element) * _UNIT[coarsest]
            is_near &= abs(found - expected) <= bound * largest + underflow
    is_wrong = ~np.where(np.isfinite(expected), is_near & np.isfinite(found), ~np.isfinite(found))
    if keeps_infinity:
        is_wrong |= np.isinf(expected) & (found != expected)
    if not is_wrong.any():
        return Checked()
    i, j = (int(part[0]) for part in np.nonzero(is_wrong))
    place = j * rows + i if storage.layout is Layout.COLUMN else i * columns + j
    is_kept = is_poison(array, storage.element.nbytes, place)
    value, wanted = _apart(float(found[i, j]), float(expected[i, j]) + 0.0)  # 0 for -0
    value = "not a number (NaN)" if np.isnan(found[i, j]) else value
    wanted = wanted if np.isfinite(expected[i, j]) or keeps_infinity else "NaN or infinite"
    what = f"{'was not written' if is_kept else f'is {value}'}, right is {wanted}"
    count = int(is_wrong.sum())
    right, coarser = _right_part(is_wrong), ""
    is_told = np.isfinite(found)  # elements that were not written are no numbers
    if may_be_coarser and 2 * count > is_wrong.size and is_wrong[is_told].any() and np.isfinite(expected).all():
        held_c = share * values["C"]

        def is_all_near(product: Matrix | None, unit: float) -> bool:
            product = expected if product is None else factor * product + held_c
            return bool(is_near_to(product, unit or own)[is_told].all())

        coarser = coarser_words(values["A"], values["B"], is_all_near, lambda unit: unit > own)
    with np.errstate(invalid="ignore"):
        is_coarse = bool((abs(found - expected) <= _COARSE * largest).all())
    return Checked(
        f"{count} of {is_wrong.size} elements are wrong{right}; "
        f"{element_name(description.result, i, j)} {what}{coarser}",
        FaultKind.LEFT_OUT if is_kept else FaultKind.WRONG,
        is_coarse=is_coarse,
        keeps_c_at_zeros=is_kept and not expected[is_wrong].any(),
    )


def _apart(found: float, expected: float) -> tuple[str, str]:
    """Two numbers with as many digits as tell them apart."""
    for digits in range(6, 18):
        words = f"{found:.{digits}g}", f"{expected:.{digits}g}"
        if words[0] != words[1]:
            break
    return words


def _right_part(is_wrong: NDArray[np.bool_]) -> str:
    """Which rows or columns, or which triangle, are right where all others are wrong, as text to go on with."""
    for name, wrong in (("row", is_wrong.all(axis=1)), ("column", is_wrong.all(axis=0))):
        right = np.flatnonzero(~wrong)
        if 0 < right.size < wrong.size and (is_wrong.sum() == wrong.sum() * (is_wrong.size // wrong.size)):
            first, last = int(right[0]), int(right[-1])
            which = f"{name} {first} alone is" if first == last else f"only {name}s {first} to {last} are"
            return f" ({which} right)" if right.size == last - first + 1 else ""
    rows, columns = np.indices(is_wrong.shape)
    for name, inside in (("upper", columns >= rows), ("lower", columns <= rows)):
        if (~is_wrong == inside).all():
            return f" (only the {name} triangle is right)"
    return ""
