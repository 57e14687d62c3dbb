"""What came of launches in host code that give a kernel's template other arguments, and a finding with that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gemmviz.adopt.finding import KernelFinding
from gemmviz.adopt.host_launch import HostLaunch, OpenKind, OpenLaunch
from gemmviz.adopt.prove.host.wrong_launches import WrongLaunch, with_wrong_launches
from gemmviz.adopt.source.launches import FoundLaunch


@dataclass(frozen=True, slots=True)
class UnprovenLaunch:
    """The line in which host code launches a kernel in a way that proved nothing, and why; `name` is the kernel's with
    the arguments of its template, "" where those say nothing of it.
    """

    line: int
    why: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class InstanceJudgement:
    """What came of a launch: that it is `wrong`, that it was not compared, or not tried, and why, or at how many sizes
    it was `right`.
    """

    launch: FoundLaunch
    name: str
    """The kernel with the arguments of its template."""
    wrong: str = ""
    fault: str = ""
    """Of a wrong result the size, and what is wrong there."""
    not_compared: str = ""
    untried: str = ""
    right: int = 0
    other: HostLaunch | None = None
    """How it launches the kernel, where it was right."""
    other_meaning: str = ""
    """What shows that it computes something else than what is described."""
    layout: str = ""
    """How matrices lie that do not lie as described, as text to go on with: ", with A column-major"."""
    over: OpenLaunch | None = None
    """That it needs more dynamic shared memory than a kernel gets unasked."""


def with_other_instances(
    found: KernelFinding, judged: Sequence[InstanceJudgement], unproven: Sequence[UnprovenLaunch]
) -> KernelFinding:
    """The finding with what came of launches that give the template other arguments. `unproven` are launches
    that proved nothing: what a launch was seen to do says more.
    """
    assert found.description is not None
    others = [
        WrongLaunch(launch.line, launch.why)
        for launch in unproven
        if launch.line != found.description.otherwise_line and not any(_is_about(one, launch, judged) for one in judged)
    ][:1]
    wrong = [*(WrongLaunch(one.launch.line, one.wrong) for one in judged if one.wrong), *others]
    described, others_wrong = with_wrong_launches(found.description, wrong)
    notes = [
        f"right at {one.right} size{'s'[: one.right != 1]} as {one.name}, too, as line {one.launch.line} launches it"
        f"{one.layout}"
        for one in judged
        if one.right
    ]
    unknown = [OpenLaunch(one.launch.line, one.not_compared) for one in judged if one.not_compared]
    unknown += [OpenLaunch(one.launch.line, one.untried, one.name, OpenKind.UNTRIED) for one in judged if one.untried]
    unknown += [
        OpenLaunch(one.launch.line, one.other_meaning, one.name, OpenKind.OTHER_MEANING)
        for one in judged
        if one.other_meaning
    ]
    unknown += [one.over for one in judged if one.over is not None]
    described = replace(
        described,
        open_launches=(*found.description.open_launches, *unknown),
        launched=(*found.description.launched, *(one.other for one in judged if one.other is not None)),
    )
    return replace(
        found,
        description=described,
        notes=(*found.notes, *others_wrong, *notes),
        left_out=tuple(dict.fromkeys((*found.left_out, *(one.words for one in unknown)))),
    )


def _is_about(one: InstanceJudgement, unproven: UnprovenLaunch, judged: Sequence[InstanceJudgement]) -> bool:
    """Whether this launch was judged, by its line and, of several in that line, by its name."""
    is_only = sum(other.launch.line == unproven.line for other in judged) == 1
    is_this = one.launch.line == unproven.line and (is_only or one.name == unproven.name)
    return is_this and bool(one.wrong or one.right or one.other_meaning)
