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
    words = [words_of(form, place, place, mine, recorded.kept) for place in differing(mine, recorded.kept)[:SHOWN]]
    chunks = np.flatnonzero(checksums(results) != recorded.checksums)
    if words or chunks.size:
        first = f"operands {int(chunks[0]) * CHUNK} to {int(chunks[0]) * CHUNK + CHUNK - 1}" if chunks.size else "none"
        words.append(f"{chunks.size} parts of {CHUNK} results differ, first {first}")
    return "; ".join(words)


def differing(mine: Results, others: Results) -> list[int]:
    """The places at which two devices' results of one form differ."""
    differ = [one != two for one, two in zip(mine, others, strict=True)]
    return np.flatnonzero(np.any(differ, axis=0)).tolist()


def words_of(form: Form, place: int, operand: int, mine: Results, others: Results) -> str:
    """What the results at a place are and which operands gave them."""
    given = ", ".join(f"{int(column(kind, 'abc'[number])[operand]):#x}" for number, kind in enumerate(form.operands))
    found = " ".join(f"{int(one[place]):#x}" for one in mine)
    wanted = " ".join(f"{int(one[place]):#x}" for one in others)
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


def _arguments(form: Form) -> NDArray[np.float64]:
    """The magnitudes of an approximate function's first operand."""
    kind = form.operands[0]
    return np.abs(as_numbers(np.ascontiguousarray(column(kind, "a")[::APPROXIMATE_STEP]), kind))


def _errors(form: Form, mine: Results, recorded: Recorded) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Relative and absolute differences of finite results; 0 where nothing is promised. NaN where one is no number."""
    kind = form.operands[0]
    bound = BOUNDS[form.bound]
    one, two = as_numbers(mine[0], kind), as_numbers(recorded.kept[0], kind)
    with np.errstate(all="ignore"):
        absolute = np.abs(one - two)
        relative = absolute / np.abs(two)
        same = (one == two) | (np.isnan(one) & np.isnan(two)) | (_arguments(form) > max(bound.most, bound.far_most))
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
    promised = np.where(_arguments(form) <= bound.most, bound.absolute, bound.far_absolute)
    with np.errstate(all="ignore"):
        # a last place of results below 1 is no more than that of 1
        fine = (relative <= bound.relative + last) | (absolute <= promised + _smallest(kind))
        fine |= (promised > 0) & (absolute <= promised + last)
    fine = fine if fine.ndim == 1 else np.logical_and.reduce(fine, axis=1)
    wrong = np.flatnonzero(~fine)
    words = [words_of(form, one, one * APPROXIMATE_STEP, mine, recorded.kept) for one in wrong[:SHOWN].tolist()]
    return "; ".join([*words, f"{wrong.size} beyond the bound"]) if words else ""


def largest_errors(form: Form, results: Results, recorded: Recorded) -> list[tuple[float, float]]:
    """The largest difference of normal numbers and the bound that it is held to, for near arguments, then far ones.

    Differences are relative where the bound is, absolute where that is, and the lesser of the two where it has both.
    """
    kind, bound = form.operands[0], BOUNDS[form.bound]
    relative, absolute = _errors(form, kept(form, results), recorded)
    exponent = FLOATS[kind.removesuffix("x2")][0]
    least = 2.0 ** (2 - (1 << exponent - 1)) if exponent < 11 else 2.0**-1022
    normal = np.abs(as_numbers(recorded.kept[0], kind)) >= least
    error = np.where(normal, relative, 0) if bound.relative else absolute
    error = np.minimum(error, absolute) if bound.absolute else error
    error = np.where(np.isfinite(error), error, 0)
    near = _arguments(form) <= bound.most
    found = [(float(error[near].max(initial=0.0)), max(bound.relative, bound.absolute))]
    if bound.far_most:
        found.append((float(error[~near].max(initial=0.0)), bound.far_absolute))
    return found
