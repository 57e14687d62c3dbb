"""Numbers that a description gives a kernel as constants: whether results are right with others, too."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from gemmviz.catalogue.expressions import ExpressionError, evaluate
from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.kernel_functions import parameter_names
from gemmviz.catalogue.launch.call_rule import CallRule
from gemmviz.domain.kernels.call import Factor
from gemmviz.domain.listing import listed
from gemmviz.referee.finding import Case
from gemmviz.referee.subject import Subject

_FACTORS = (-0.75, 1.5)
"""Another alpha, and a beta beside it; every format holds them."""
_OTHERS = (1.5, -2.0)
"""Values of a number that may change nothing."""
_NEUTRAL = {Factor.ALPHA: 1.0, Factor.BETA: 0.0}
"""The constants that take a factor out of a product."""


@dataclass(frozen=True, slots=True)
class GivenConstants:
    """What other values do: `caveat` is what a verdict leaves open ("alpha is given 1.0; with -0.75, results are
    wrong"), `right` the numbers that other values may replace.
    """

    caveat: str = ""
    right: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """The findings as sentences to go on with; "" where no constant is given."""
        right = f" Right also with another value of {listed([*self.right])}." if self.right else ""
        return right + (f" {self.caveat[0].upper()}{self.caveat[1:]}." if self.caveat else "")


def given_constants(subject: Subject, judged: Callable[[Subject], Case]) -> GivenConstants:
    """What comes of other values of the constants that no rule for sizes names, each with the rest as they are: as
    alpha or beta, else as a number that changes nothing. Parameters that take whole numbers may be flags or distances,
    and get no other values.

    Raises:
        KernelFaultedError: the device was lost.
        CancelledError: stopped.
    """
    rule, names = subject.kernel.call, parameter_names(subject.kernel.text, subject.kernel.entry)
    caveats, right, idle = list[str](), list[str](), list[str]()
    for place, text in _constants(subject.kernel):
        name = names[place] if len(names) == len(rule.arguments) else f"parameter {place + 1}"
        if subject.left_s() > 0 and ("." in text or subject.takes_fraction(place)):
            wrong, has_effect = _wrong_value(subject, place, judged)
            if not wrong:
                (right if has_effect or name not in ("alpha", "beta") else idle).append(name)
                continue
            caveats.append(f"{name} is given {text}; with {wrong}, results are wrong")
        else:
            caveats.append(f"{name} is given {text}, and other values were not judged")
    caveats += [f"{name} has no effect, with another value the result is the same" for name in idle]
    return GivenConstants(" and ".join(caveats), tuple(right))


def _constants(kernel: Kernel) -> Iterator[tuple[int, str]]:
    """The arguments that are plain numbers, by their places, without sizes that are fixed (M == 128)."""
    fixed = {one.rule.partition("==")[2].strip() for one in kernel.constraints}
    for place, text in enumerate(kernel.call.arguments):
        try:
            value = evaluate(text, {})
        except ExpressionError:
            continue
        if isinstance(value, int | float) and text not in fixed:
            yield place, text


def _wrong_value(subject: Subject, place: int, judged: Callable[[Subject], Case]) -> tuple[str, bool]:
    """The first value with which results are wrong, in whatever role the number may have; "" where they are right in
    one role. And whether it has an effect: whether results are wrong where it is said to have none.
    """
    wrong, roles = "", [*_roles(subject.kernel.call, place)]
    for number, rules in enumerate(roles):
        found = next((words for words, rule in rules if _fails(subject, rule, judged)), "")
        if not found:
            return "", number < len(roles) - 1
        wrong = wrong or found
    return wrong, True


def _fails(subject: Subject, rule: CallRule, judged: Callable[[Subject], Case]) -> bool:
    kernel = replace(subject.kernel, call=rule)
    other = Subject(kernel, subject.params, subject.device, subject.watch, subject.limit_s, subject.left_s)
    other.starts_at_zero, other.model, other.step = subject.starts_at_zero, subject.model, subject.step
    other.claims = subject.claims  # sizes follow from no argument that is a number
    try:
        found = judged(other)
    finally:
        other.release()
    return found.failed or found.faulted


def _roles(rule: CallRule, place: int) -> Iterator[Sequence[tuple[str, CallRule]]]:
    """What a number may be, the likeliest first and last one that changes nothing: for each role the values to try, in
    words, with the call.
    """
    value, other, beside = float(rule.arguments[place]), *_FACTORS
    for factor, neutral in _NEUTRAL.items():
        if factor in rule.arguments or value != neutral or factor in rule.factors_not_given:
            continue
        as_factor = _with(rule, place, factor)
        if factor is Factor.BETA:
            yield [(f"{other:g}", replace(as_factor, beta=other))]
            continue
        scaled = replace(as_factor, alpha=other)
        tries = [(f"{other:g}", scaled)]
        if Factor.BETA in rule.arguments:
            tries.append((f"{other:g} and beta = {beside:g}", replace(scaled, beta=beside)))
        yield tries
    yield [(f"{one:g}", _with(rule, place, str(one))) for one in _OTHERS if one != value]


def _with(rule: CallRule, place: int, text: str) -> CallRule:
    return replace(rule, arguments=tuple(text if at == place else one for at, one in enumerate(rule.arguments)))
