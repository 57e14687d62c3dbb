"""In which arithmetic a kernel computes, and whether it is the one that it claims."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gemmviz.domain import figures
from gemmviz.domain.listing import listed
from gemmviz.domain.operands import Operands
from gemmviz.domain.shape import Shape
from gemmviz.domain.terms import Arithmetic, Element, Fill
from gemmviz.measure.arithmetic.formats import (
    BFLOAT16,
    FLOAT32,
    FLOAT64,
    FORMATS,
    HALF,
    Format,
    Model,
    claimed_input_bits,
)
from gemmviz.measure.arithmetic.kept_bits import is_lost, kept_bits
from gemmviz.measure.arithmetic.probing import probed
from gemmviz.measure.arithmetic.rounded_inputs import rounded_input_words
from gemmviz.measure.check.bounds import error_bound, sum_bound
from gemmviz.referee.attempts import attempt
from gemmviz.referee.examination import Needs, by_cases, failed, held, not_examined
from gemmviz.referee.finding import Case, Finding
from gemmviz.referee.inputs import SEED, random_numbers
from gemmviz.referee.recordings import follows_from, race_words
from gemmviz.referee.subject import Launched, Subject

UNEXPLAINED = "The error does not grow with K as that of any arithmetic does."
_LONG = 64
"""Products of a sum whose rounding in float32 shows in some element."""
_TIE = 1e-5
"""By what part float64's own errors move an element beyond half a unit."""
_COMPARED = (Arithmetic.FP32, Arithmetic.TF32, Arithmetic.BF16)


@dataclass(frozen=True, slots=True)
class ComputesIn:
    """Two kinds of evidence. Probes are sums of a few products whose last bits tell in which format inputs and sums
    are held: every model (`arithmetic/formats.py`) that explains all of them is possible. The growth of the error with
    K is set beside the bound of each arithmetic (`measure/check/bounds.py` has their sources). Failed where no possible
    model is as exact as what is claimed, or where the error exceeds the claimed bound.
    """

    name: str = "Computes in the arithmetic it claims"
    asks: str = "In which formats are inputs held and sums kept, and is that what it claims?"
    needs: Needs = Needs.RIGHT_PRODUCT

    def examine(self, subject: Subject) -> Finding:
        claimed = subject.kernel.arithmetic
        models, cases, cut = _probed(subject)
        possible = [model for model in models if model.meets(claimed)]
        growth = _growth(subject, claimed)
        grown, are_rounded_once = growth.cases, growth.are_rounded_once
        is_coarse = bool(cut) or (models and not possible) or any(case.failed for case in grown)
        if is_coarse and (race := race_words(subject)):
            return not_examined(self, follows_from(race), [replace(case, failed=False) for case in (*cases, *grown)])
        cases += grown
        named = _named(possible or models, claimed)
        sums = _sums_words(named, possible or models, are_rounded_once=are_rounded_once)
        if cut and not growth.cause_words:
            return failed(self, f"It computes with {cut}, which is less exact than the {claimed} it claims.", cases)
        if models and not possible and named is not None and _is_unclaimed(subject, named):
            words = f"Claimed: {claimed}, which follows from the type of its matrices. The probes tell"
            finding = held(self, f"{words} {_keep(subject, named, sums)}.", cases)
            kept = f"sums are rounded more coarsely than in float32 (in {named.sums.name})"
            kept = kept if named.products is None else f"each product is rounded to {named.products.name}"
            return replace(finding, caveat=f"{kept}, which `gemmviz run` takes for an error")
        if models and not possible:
            assert named is not None
            words = f"It computes with {_keep(subject, named, sums)}, which is less exact than the {claimed} it claims."
            return failed(self, " ".join(filter(None, (words, growth.least_words))), cases)
        if any(case.faulted for case in grown):
            return by_cases(self, cases, "")
        wrong = next((case for case in grown if case.failed), None)
        if wrong is not None:
            words = " ".join(filter(None, (growth.cause_words, growth.least_words))) or UNEXPLAINED
            return failed(self, f"{words} At {wrong.shape}: {wrong.found}.", cases)
        if named is not None:
            return held(self, f"Claimed: {claimed}. The probes tell {_keep(subject, named, sums)}.", cases)
        told = "No single arithmetic explains all probes"
        where = "as K grows" if len(grown) > 1 else f"at {grown[0].shape}, the only K that was tried"
        return held(self, f"Claimed: {claimed}. {told}; the error stays within its bound {where}.", cases)


def _is_unclaimed(subject: Subject, named: Model) -> bool:
    """Whether only the type of the matrices, and no word of the description, says that sums are kept in float32."""
    kernel = subject.kernel
    is_exact = named.inputs.bits >= min(one.bits for one in _stored(subject))
    return kernel.arithmetic.is_of_tensor_cores and not kernel.names_tensor_core_arithmetic and is_exact


def _sums_words(named: Model | None, possible: Sequence[Model], *, are_rounded_once: bool) -> str:
    """What is known of sums that may be more exact than those of the model that is named; "" where no possible model
    has more exact ones with the same inputs. `are_rounded_once`: each element is the exact sum, rounded to float32.
    """
    if named is None or all(one.sums.bits <= named.sums.bits for one in possible if one.inputs is named.inputs):
        return ""
    if are_rounded_once and named.sums.bits == FLOAT32.bits:
        return f"more exact than {FLOAT32.name}, as in {FLOAT64.name}"
    return f"at least as exact as {named.sums.name}"


def _keep(subject: Subject, model: Model, sums: str) -> str:
    """Let the subject be known to compute in a model; its words, where `sums` are those for its sums, "" for the usual
    ones.
    """
    subject.model, subject.found_arithmetic = model, model.words_for(_stored(subject), sums)
    return subject.found_arithmetic


def _stored(subject: Subject) -> tuple[Format, Format]:
    """The formats that A and B are stored in."""
    call = subject.prepared(subject.claims.home).call
    return FORMATS[call.storage("A").element], FORMATS[call.storage("B").element]


def _named(models: Sequence[Model], claimed: Arithmetic) -> Model | None:
    """Of the possible models that meet the claim the one with the fewest bits, rounded rather than cut off; where none
    does, the one that sums in float32, if it is among them.
    """
    able = [model for model in models if model.meets(claimed)]
    if able:
        return min(able, key=lambda model: (model.sums.cuts, model.sums.bits, model.inputs.cuts, model.inputs.bits))
    usual = [model for model in models if model.sums.bits == FLOAT32.bits]
    return next(iter([*usual, *models]), None)


def _probed(subject: Subject) -> tuple[list[Model], list[Case], str]:
    """The models that explain every probe, what the probes gave, and, where no model does, which bits of inputs that
    the claim promises are lost; "" for none.
    """
    shape = subject.claims.home
    call = subject.prepared(shape).call

    def launch(a: NDArray[np.float32], b: NDArray[np.float32]) -> NDArray[np.floating]:
        return subject.launch(Operands(a, b, Fill.INTEGERS), zero_c=True).c

    answers = probed(launch, shape, _stored(subject), FORMATS[call.storage(call.result).element], call.alpha)
    able, found = [*answers.models], answers.found
    words = " or ".join(dict.fromkeys(model.words_for(_stored(subject)) for model in able))
    cases = [Case(f"{len(found)} probes", f"explained by {words or 'no single arithmetic'}", str(shape))]
    cases += [Case(probe.words, f"{value!r}", str(shape)) for probe, value in found if probe.words in _TELLING]
    kept = kept_bits(found)
    few = {} if able else _few_bits(subject, kept, call.alpha)
    lost = [words for name, words in few.items() if is_lost(launch, shape, name, kept[name])]
    cut = listed(lost) if lost else ""
    cases += [Case("bits of inputs", cut, str(shape), failed=True)] if cut else []
    return able, cases, cut


def _few_bits(subject: Subject, kept: Mapping[str, int], alpha: float) -> dict[str, str]:
    """The inputs of which fewer bits are `kept` than the claim promises, whatever format that leaves, and how many in
    words; none where C or alpha keeps that from being seen.
    """
    call = subject.prepared(subject.claims.home).call
    if alpha != 1.0 or FORMATS[call.storage(call.result).element].bits < FLOAT32.bits:
        return {}
    claimed = claimed_input_bits(subject.kernel.arithmetic)
    needed = {name: min(one.bits, claimed, FLOAT32.bits) for name, one in zip("AB", _stored(subject), strict=True)}
    return {
        name: f"{kept[name]} of the {bits} significant bits of {name}"
        for name, bits in needed.items()
        if kept[name] < bits
    }


_TELLING = (
    "(1 + 2^-23)·1",
    "(1 + 2^-11)·1",
    "(1 + 2^-8)·1",
    "(1 + 3·2^-12)·1",
    "(1 + 2^-8)²",
    "2^11 + 1",
    "2^24 + 1",
    "2^24 + 1.5",
    "2^17·2^-4",
)
"""Probes that are shown; all are counted."""


@dataclass(frozen=True, slots=True)
class _Growth:
    """The error for growing K beside the bound of each arithmetic; which rounding of inputs explains it, and which
    bound holds, each "" for nothing. `are_rounded_once`: each element is the exact sum rounded once for every K from
    _LONG on.
    """

    cases: list[Case]
    cause_words: str
    least_words: str
    are_rounded_once: bool


def _growth(subject: Subject, claimed: Arithmetic) -> _Growth:
    cases, errors, once, rounded = [], {}, [], set[str]()
    for sizes in subject.claims.growing():
        shape, k = Shape(*sizes), sizes[2]
        launched = attempt(subject, replace(random_numbers(shape, Fill.UNIFORM, SEED), words=f"K = {k}"))
        if isinstance(launched, Case):
            cases.append(launched)
            continue
        judged = subject.judge(launched)
        errors[k] = judged.error
        once += [_is_rounded_once(subject, launched)] if k >= _LONG else []
        rounded.add("" if judged.is_within else _rounded_words(subject, launched))
        others = {name: bound for name, bound in _bounds(k).items() if bound < math.inf and name != f"{claimed}"}
        told = ", ".join(f"{name} {bound:.4g}" for name, bound in others.items())
        found = f"{figures.ERROR_NAME} is {judged.error:.4g}; the claimed {claimed} allows {judged.bound:.4g}"
        found += f" (others allow: {told})" if told else ""
        cases.append(Case(f"K = {k}", found, str(shape), SEED, failed=not judged.error <= judged.bound))
    holding = [name for name in _bounds(1) if all(error <= _bounds(k)[name] for k, error in errors.items())]
    if errors:  # a bound that is infinite from the first K on explains nothing
        holding = [name for name in holding if _bounds(min(errors))[name] < math.inf]
    if any(case.failed for case in cases) and not all(case.failed for case in cases):
        holding = []  # a coarser arithmetic shows at every K: here something else is wrong
    least = min(holding, key=_bounds(max(errors)).__getitem__, default="") if errors else ""
    cause = next(iter(rounded)) if len(rounded) == 1 else ""
    told = f"It computes with {cause}, which is less exact than the {claimed} it claims." if cause else ""
    least_words = "" if told and len(cases) > 1 else _growth_words(cases, least)
    return _Growth(cases, told, least_words, bool(once) and all(once))


def _rounded_words(subject: Subject, launched: Launched) -> str:
    """Which inputs were rounded, and to what, where that explains the result; "" where it does not."""
    call = subject.prepared(launched.shape).call
    if not call.is_plain_product or _stored(subject) != (FLOAT32, FLOAT32):
        return ""
    return rounded_input_words(launched.operands.a, launched.operands.b, launched.c)


def _is_rounded_once(subject: Subject, launched: Launched) -> bool:
    """Whether each element of a float32 result is within half a unit in the last place of the float64 product, as no
    sum of many products is that is rounded to float32 along the way.
    """
    call = subject.prepared(launched.shape).call
    if not call.is_plain_product or call.storage(call.result).element is not Element.FLOAT32:
        return False
    exact = launched.operands.a.astype(np.float64) @ launched.operands.b.astype(np.float64)
    half_unit = np.spacing(abs(exact).astype(np.float32)).astype(np.float64) / 2
    return bool((abs(launched.c - exact) <= half_unit * (1 + _TIE)).all())


def _growth_words(grown: Sequence[Case], least: str) -> str:
    """What the growth of the error tells; "" where no bound holds."""
    if len(grown) < 2:
        return f"How the error grows with K was not examined: no size but {grown[0].shape} could be tried."
    return f"The least bound that holds as K grows is that of {least}." if least else ""


def _bounds(k: int) -> dict[str, float]:
    """The bounds that the error of K products is compared with, by the arithmetic that each is of."""
    of_inputs = {f"{one}": error_bound(one, k) for one in _COMPARED}
    return of_inputs | {f"sums in {one.name}": sum_bound(0.0, one.roundoff, k) for one in (HALF, BFLOAT16)}
