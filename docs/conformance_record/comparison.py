"""Compares results with recorded ones: bit for bit, approximate ones within their bounds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from conformance_record.bounds import BOUNDS
from conformance_record.form import Form
from conformance_record.operands import FLOATS, column
from conformance_record.results import APPROXIMATE_STEP, CHUNK, Recorded, Results, checksums, kept

SHOWN = 3
"""Places that are named of a form that disagrees."""


def disagreements(form: Form, results: Results, recorded: Recorded) -> str:
    """Where results disagree, in words; "" if they agree."""
    mine = kept(form, results)
    if form.bound:
        return _beyond_bound(form, mine, recorded)
    wrong = np.zeros(mine[0].size, bool)
    for one, two in zip(mine, recorded.kept, strict=True):
        wrong |= one != two
    words = [_words(form, int(place), int(place), mine, recorded) for place in np.flatnonzero(wrong)[:SHOWN]]
    chunks = np.flatnonzero(checksums(results) != recorded.checksums)
    if words or chunks.size:
        first = f"operands {int(chunks[0]) * CHUNK} to {int(chunks[0]) * CHUNK + CHUNK - 1}" if chunks.size else "none"
        words.append(f"{chunks.size} parts of {CHUNK} results differ, first {first}")
    return "; ".join(words)


def _words(form: Form, place: int, operand: int, mine: Results, recorded: Recorded) -> str:
    given = ", ".join(f"{int(column(kind, 'abc'[number])[operand]):#x}" for number, kind in enumerate(form.operands))
    found = " ".join(f"{int(one[place]):#x}" for one in mine)
    wanted = " ".join(f"{int(one[place]):#x}" for one in recorded.kept)
    return f"operand {operand} ({given}) gives {found}, not {wanted}"


def as_numbers(words: NDArray[np.unsignedinteger], kind: str) -> NDArray[np.float64]:
    """Bit patterns of a floating-point kind as float64; a pair as two columns."""
    if kind.endswith("x2"):
        halves = [(words >> shift & 0xFFFF).astype(np.uint16) for shift in (0, 16)]
        return np.stack([as_numbers(half, kind[:-2]) for half in halves], axis=1)
    if kind == "bf16":
        words, kind = words.astype(np.uint32) << np.uint32(16), "f32"
    with np.errstate(all="ignore"):
        found: NDArray[np.float64] = words.view({"f16": "f2", "f32": "f4", "f64": "f8"}[kind]).astype(np.float64)
    return found


def _errors(form: Form, mine: Results, recorded: Recorded) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Relative and absolute differences of finite results; 0 where nothing is promised. NaN where one is no number."""
    kind = form.operands[0]
    bound = BOUNDS[form.bound]
    one, two = as_numbers(mine[0], kind), as_numbers(recorded.kept[0], kind)
    argument = as_numbers(np.ascontiguousarray(column(kind, "a")[::APPROXIMATE_STEP]), kind)
    with np.errstate(all="ignore"):
        absolute = np.abs(one - two)
        relative = absolute / np.abs(two)
        same = (one == two) | (np.isnan(one) & np.isnan(two)) | (np.abs(argument) > bound.most)
    relative[same], absolute[same] = 0, 0
    return relative, absolute


def _smallest(kind: str) -> float:
    """The distance of subnormal numbers, which no relative error can be below."""
    exponent, fraction = FLOATS[kind.removesuffix("x2")]
    return float(2.0 ** (2 - (1 << exponent - 1) - fraction)) if exponent < 11 else 2.0**-1074


def _last_place(kind: str) -> float:
    return float(2.0 ** -FLOATS[kind.removesuffix("x2")][1])


def _beyond_bound(form: Form, mine: Results, recorded: Recorded) -> str:
    """Both are within the bound of the exact value, the machine's within half a last place."""
    kind, bound = form.operands[0], BOUNDS[form.bound]
    relative, absolute = _errors(form, mine, recorded)
    last = _last_place(kind)
    with np.errstate(all="ignore"):
        # a last place of results below 1 is no more than that of 1
        fine = (relative <= bound.relative + last) | (absolute <= bound.absolute + _smallest(kind))
        if bound.absolute:
            fine |= absolute <= bound.absolute + last
    fine = fine if fine.ndim == 1 else fine.all(axis=1)
    wrong = np.flatnonzero(~fine)
    words = [_words(form, int(one), int(one) * APPROXIMATE_STEP, mine, recorded) for one in wrong[:SHOWN]]
    return "; ".join([*words, f"{wrong.size} beyond the bound"]) if words else ""


def largest_error(form: Form, results: Results, recorded: Recorded) -> str:
    """The largest relative and absolute difference of two normal finite numbers, in words."""
    kind = form.operands[0]
    relative, absolute = _errors(form, kept(form, results), recorded)
    numbers = as_numbers(recorded.kept[0], kind)
    exponent = FLOATS[kind.removesuffix("x2")][0]
    least = 2.0 ** (2 - (1 << exponent - 1)) if exponent < 11 else 2.0**-1022
    fine = np.isfinite(relative) & (np.abs(numbers) >= least)
    most = [float(one[fine].max(initial=0.0)) for one in (relative, absolute)]
    return ", ".join(
        f"2^{np.log2(one):.1f} {name}" if one else f"none {name}"
        for one, name in zip(most, ("relative", "absolute"), strict=True)
    )
