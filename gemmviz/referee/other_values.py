"""Other values than a kernel is judged with, of its parameters, alpha and beta, each with the rest as they are."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from gemmviz.catalogue.claims.claims import NoSizeError
from gemmviz.catalogue.kernel import Kernel
from gemmviz.domain.edge_case_factors import edge_case_pairs
from gemmviz.domain.figures import counted
from gemmviz.domain.kernels.call import Factor
from gemmviz.domain.listing import listed
from gemmviz.domain.spec import Params
from gemmviz.domain.terms import InitialC
from gemmviz.referee.emulated_gpu import launch_fault
from gemmviz.referee.finding import Case
from gemmviz.referee.subject import Subject
from gemmviz.referee.words import largest_words, size_of

OTHERS_S = 60.0
"""How long one examination may take for all other values; no more than this part of the time for all:"""
_SHARE = 0.25
_MOST_NAMED = 4
_MOST_SIZES_NAMED = 2
_FACTORS = (-0.75, 1.5)
"""Values of alpha and beta that are tried; the first that a description does not have. Every format holds them."""

Other = tuple[Kernel, Params, str]
"""A kernel with parameters, and in words what is other than usual."""


@dataclass(slots=True)
class OtherValues:
    """Cases of other values, each with its values in words; the values that were judged, with the sizes, those that
    were not, those whose time ended after some of their examinations (how many, of how many), and those with which the
    GPU that is emulated cannot launch the kernel.
    """

    cases: list[Case] = field(default_factory=list)
    judged: dict[str, tuple[str, ...]] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)
    cut: dict[str, tuple[int, int]] = field(default_factory=dict)
    unlaunched: list[str] = field(default_factory=list)
    gpu: str = ""

    @property
    def words(self) -> str:
        """The values that were judged, and where: "TILE = 8 and TILE = 32, each at 16 sizes, with M up to …"; "" for
        none. Values of several parameters were not judged together, and that is said.
        """
        if not self.judged:
            return ""
        several = len({one.partition(" = ")[0] for one in self.judged}) > 1
        alone = ", one at a time" if several else ""
        if len({len(sizes) for sizes in self.judged.values()}) > 1:
            each = [f"{one} at {counted(len(sizes), 'size')}" for one, sizes in self.judged.items()]
            return f"{listed(each, _MOST_NAMED)}{alone}"
        comma = "," if len(self.judged) > 1 else ""
        named = listed([*self.judged], _MOST_NAMED)
        if len(self.judged) > _MOST_NAMED and not several:
            name, values = next(iter(self.judged)).partition(" = ")[0], [one.partition(" = ")[2] for one in self.judged]
            named = f"{name} = {listed(values, _MOST_NAMED)}"
        return f"{named}{alone}{comma} {self._sizes_words}"

    @property
    def _sizes_words(self) -> str:
        each = "each " if len(self.judged) > 1 else ""
        first = next(iter(self.judged.values()))
        if all(sizes == first for sizes in self.judged.values()) and len(first) <= _MOST_SIZES_NAMED:
            return f"{each}at {listed([*first])}"
        reaches = {largest_words([size_of(one) for one in sizes]) for sizes in self.judged.values()}
        reach = f", {next(iter(reaches))}" if len(reaches) == 1 else ""
        return f"{each}at {counted(len(first), 'size')}{reach}"

    @property
    def caveat(self) -> str:
        """What the verdict leaves open: "TILE = 32 was not judged"; "" for nothing."""
        found = []
        if self.left_out:
            found.append(f"{_named(self.left_out)} {'was' if len(self.left_out) == 1 else 'were'} not judged")
        if self.cut:
            each = [f"{one} (after {done} of {counted(every, 'size')})" for one, (done, every) in self.cut.items()]
            found.append(f"time ended the examination of {_named(each)}")
        if self.unlaunched:
            found.append(f"{self.gpu} cannot launch it with {_named(self.unlaunched)}")
        return " and ".join(found)

    @property
    def caveat_sentence(self) -> str:
        """The caveat as a sentence to go on with: " Time ended the examination of …."; "" for none."""
        return f" {self.caveat[0].upper()}{self.caveat[1:]}." if self.caveat else ""


def other_parameters(subject: Subject) -> list[Other]:
    """The kernel with one further value of one parameter each; nothing where somebody chose the values."""
    if subject.is_judged_alone or subject.params != subject.kernel.params({}):
        return []
    return [
        (
            subject.kernel,
            tuple((name, choice if name == one.name else value) for name, value in subject.params),
            f"{one.name} = {choice}",
        )
        for one in subject.kernel.parameters
        for choice in one.choices
        if choice != one.default
    ]


def other_factors(subject: Subject) -> list[Other]:
    """The kernel with another alpha, and with another beta, where it is given these numbers and, for beta, a C that is
    read; of a kernel whose beta is 0 with both, too.
    """
    rule = subject.kernel.call
    found: list[Other] = []
    for factor, value in ((Factor.ALPHA, 1.0 if rule.alpha is None else rule.alpha), (Factor.BETA, rule.beta or 0.0)):
        is_read = factor is Factor.ALPHA or rule.start is InitialC.RANDOM
        if factor in rule.arguments and is_read:
            other = next(one for one in _FACTORS if one != value)
            changed = replace(rule, alpha=other) if factor is Factor.ALPHA else replace(rule, beta=other)
            found.append((replace(subject.kernel, call=changed), subject.params, f"{factor} = {other:g}"))
    if len(found) == len(Factor) and not rule.beta:  # without it alpha was tried where C adds nothing
        first, second = _FACTORS
        both = replace(subject.kernel, call=replace(rule, alpha=first, beta=second))
        found.append((both, subject.params, pair_words(first, second)))
    return found


def pair_words(alpha: float, beta: float) -> str:
    """Values of both factors at once: "(alpha, beta) = (1, 0.5)"."""
    return f"({Factor.ALPHA}, {Factor.BETA}) = ({alpha:g}, {beta:g})"


def factor_pairs(subject: Subject) -> list[Other]:
    """The kernel with each edge-case pair of those of alpha and beta that it is given; with beta 0 alone where C is not
    read, since C holds no numbers then.
    """
    rule, own = subject.kernel.call, subject.factors
    takes_alpha, takes_beta = (factor in rule.arguments for factor in (Factor.ALPHA, Factor.BETA))
    reads_c = rule.start is InitialC.RANDOM
    pairs = {
        (alpha if takes_alpha else own[0], beta if takes_beta else own[1]): None
        for alpha, beta in edge_case_pairs(*own)
    }
    return [
        (
            replace(
                subject.kernel,
                call=replace(rule, alpha=alpha if takes_alpha else rule.alpha, beta=beta if takes_beta else rule.beta),
            ),
            subject.params,
            factor_words((alpha, beta), takes_alpha=takes_alpha, takes_beta=takes_beta),
        )
        for alpha, beta in pairs
        if (alpha, beta) != own and (reads_c or not beta or not takes_beta)
    ]


def factor_words(pair: tuple[float, float], *, takes_alpha: bool, takes_beta: bool) -> str:
    """Those of alpha and beta that a kernel takes: "(alpha, beta) = (1, 0)", "alpha = -1"."""
    if takes_alpha and takes_beta:
        return pair_words(*pair)
    return f"{Factor.ALPHA} = {pair[0]:g}" if takes_alpha else f"{Factor.BETA} = {pair[1]:g}"


def of_other_values(
    subject: Subject, others: Sequence[Other], parts_of: Callable[[Subject], Sequence[Callable[[], Sequence[Case]]]]
) -> OtherValues:
    """What others are examined for, size by size in the `parts_of` each, as long as its part of the time allows. Values
    that allow no size are no values to judge.

    Raises:
        KernelFaultedError: the device was lost.
        CancelledError: stopped.
    """
    found = OtherValues()
    end = time.monotonic() + min(OTHERS_S, _SHARE * max(0.0, subject.left_s()))
    for number, (kernel, params, words) in enumerate(others):
        now = time.monotonic()
        if now > end:
            found.left_out.append(words)
            continue
        other = Subject(kernel, params, subject.device, subject.watch, subject.limit_s, subject.left_s)
        other.starts_at_zero, other.model, other.step = subject.starts_at_zero, subject.model, subject.step
        if params == subject.params:  # sizes follow from no alpha and no beta
            other.claims = subject.claims
        try:
            parts = parts_of(other)
            done = list(_until(now + (end - now) / (len(others) - number), parts))
        except NoSizeError:
            continue
        finally:
            other.release()
        subject.right_with |= other.right_with
        cases = [case for part in done for case in part]
        found.cases += [replace(one, tried=f"{one.tried}, {words}", other_value=words) for one in cases]
        fault = launch_fault(other)
        if fault is not None:
            found.gpu = fault.gpu
            found.unlaunched.append(f"{words} ({fault.reason})")
        elif len(done) < len(parts):
            found.cut[words] = len(done), len(parts)
        elif cases:
            found.judged[words] = tuple(dict.fromkeys(one.shape for one in cases))
        else:
            found.left_out.append(words)
    return found


def _until(end: float, parts: Sequence[Callable[[], Sequence[Case]]]) -> Iterator[Sequence[Case]]:
    """The cases of the first part, and of further ones until a time."""
    for part in parts:
        yield part()
        if time.monotonic() > end:
            return


def _named(values: Sequence[str]) -> str:
    more = len(values) - _MOST_NAMED
    return listed([*values[:_MOST_NAMED], *([f"{more} more values"] if more > 0 else [])])
