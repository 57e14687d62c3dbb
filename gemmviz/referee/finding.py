"""What came of judging a kernel: for each examination a verdict, the reason, and what was tried."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gemmviz.domain.spec import Params


class Outcome(StrEnum):
    """The verdict of one examination."""

    HELD = "held"
    VARIES = "varies"
    """Results are right within the bound, and not the same each time, because sums are rounded in another order."""
    FAILED = "failed"
    NOT_EXAMINED = "not examined"


class Judgement(StrEnum):
    """The verdict on a kernel."""

    RIGHT = "right"
    """No examination failed, and the results were examined."""
    WRONG = "wrong"
    """At least one examination failed."""
    NOT_EXAMINED = "could not be examined"


@dataclass(frozen=True, slots=True)
class LineFault:
    """What is wrong at a line of the source, 0 where no line is known: of which `kind`, and a sentence about it. The
    least `gravity` is the gravest.
    """

    line: int
    kind: str
    detail: str
    gravity: int = 0

    @property
    def place(self) -> str:
        """ "line 37"; "" where no line is known."""
        return f"line {self.line}" if self.line else ""

    @property
    def words(self) -> str:
        """ "race: thread 2 reads …"."""
        return f"{self.kind}: {self.detail}"


@dataclass(frozen=True, slots=True)
class Case:
    """One thing that was tried, with all that is needed to repeat it: size `MxNxK` ("" where there is none) and seed.

    `tried` and `found` say in words what was given to the kernel and what came of it. `faulted`: a launch ended at a
    fault, so that there was no result to compare; `failed` says whether that counts against the kernel here, and
    `named_by` which examination fails with that fault, "" where none did before. `faults`
    are the lines at which something is wrong, the gravest first; `found` names them too. `other_value` is the value
    that was tried in place of the one that is judged: "TILE = 8"; "" where there was none.
    """

    tried: str
    found: str
    shape: str = ""
    seed: int = 0
    failed: bool = False
    faulted: bool = False
    faults: tuple[LineFault, ...] = ()
    other_value: str = ""
    named_by: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """What an examination found. `name` and `asks` say what it is about, `reason` why its verdict is what it is."""

    name: str
    asks: str
    outcome: Outcome
    reason: str
    cases: tuple[Case, ...] = ()
    caveat: str = ""
    """What the verdict on the kernel has to leave open: "races were not looked for"; "" for nothing."""

    @property
    def repeatable(self) -> Case | None:
        """The first failed case that has a size, for whoever wants to see it; None where there is none."""
        return next((case for case in self.cases if case.failed and case.shape), None)

    @property
    def wrong_values(self) -> tuple[str, ...]:
        """The other values that failed, where nothing failed with the values that are judged: "TILE = 8"."""
        failed = [case.other_value for case in self.cases if case.failed]
        return tuple(dict.fromkeys(failed)) if all(failed) else ()

    @property
    def faults(self) -> tuple[LineFault, ...]:
        """The lines at fault of all cases that failed, the gravest first; of a later case those whose line has no fault
        of that kind in an earlier one.
        """
        found: list[LineFault] = []
        for case in (case for case in self.cases if case.failed):
            known = {(fault.line, fault.kind) for fault in found}
            found += [fault for fault in case.faults if (fault.line, fault.kind) not in known]
        return tuple(sorted(found, key=lambda fault: fault.gravity))


@dataclass(frozen=True, slots=True)
class FactorValues:
    """Values of those of alpha and beta that a kernel takes, with which results were right: "(1, 0)", "-1"; `error` is
    the largest of these results as a part of the allowed bound.
    """

    values: str
    error: float


@dataclass(frozen=True, slots=True)
class Reach:
    """How far a verdict reaches. `sizes` are those at which results were compared with float64 and right; `sizes_by`
    says how many of them come from which examination, by its name, "" for all that have no count of their own, each
    size once. `recorded` are those at which races were looked for, with the blocks where
    these were not all: "32x32x4160 (1 of 4 blocks (2x2))"; `inputs` says with which numbers
    results were right, `factors` with which values of those of alpha and beta that the kernel takes (`factor_names`, ""
    for none).
    """

    sizes: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    recorded: tuple[str, ...] = ()
    sizes_by: tuple[tuple[str, int], ...] = ()
    factor_names: str = ""
    factors: tuple[FactorValues, ...] = ()


@dataclass(frozen=True, slots=True)
class Ruling:
    """The verdict on a kernel with parameters, on a device, and the findings that it rests on.

    `fault` says why nothing was examined, "" where something was. `claims` is what the kernel says that it computes
    and in which arithmetic; `found_arithmetic` is the one that the probes tell, "" where they were not made.
    `time` is when it was judged, in ISO 8601, UTC; `seconds` how long it took. `version` is the number of the text that
    was judged, 0 where nobody numbers its versions.
    """

    kernel: str
    params: Params
    device: str
    claims: str
    findings: tuple[Finding, ...] = ()
    fault: str = ""
    found_arithmetic: str = ""
    time: str = ""
    seconds: float = 0.0
    is_misdescribed: bool = False
    """Whether nothing was examined because the description does not fit the file: a wrong entry, template or args."""
    version: int = 0
    reach: Reach | None = None
    """How far the examinations went; None where there were none."""
    digest: str = ""
    """The SHA-256 of the text that was judged; "" where nobody compares it with that of the file."""

    @property
    def failed(self) -> tuple[Finding, ...]:
        return tuple(one for one in self.findings if one.outcome is Outcome.FAILED)

    @property
    def held(self) -> tuple[Finding, ...]:
        return tuple(one for one in self.findings if one.outcome is Outcome.HELD)

    @property
    def varying(self) -> tuple[Finding, ...]:
        return tuple(one for one in self.findings if one.outcome is Outcome.VARIES)

    @property
    def not_examined(self) -> tuple[Finding, ...]:
        return tuple(one for one in self.findings if one.outcome is Outcome.NOT_EXAMINED)

    @property
    def wrong_values(self) -> tuple[str, ...]:
        """The other values that are wrong, where nothing failed with the values that are judged: "TILE = 8"."""
        found = [one.wrong_values for one in self.failed]
        return tuple(dict.fromkeys(value for values in found for value in values)) if all(found) else ()

    @property
    def judgement(self) -> Judgement:
        """The verdict: wrong where an examination failed, right where some held and none failed."""
        if self.failed:
            return Judgement.WRONG
        return Judgement.RIGHT if self.held and not self.fault else Judgement.NOT_EXAMINED
