"""The geometry of a launch in words and figures, derived from the kernel's header before anything runs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from gemmviz.catalogue.kernel import Kernel
from gemmviz.domain.device import Device, DeviceKind
from gemmviz.domain.figures import count, percent, size
from gemmviz.domain.kernels.resources import NO_RESOURCES, Resources, shared_bytes_of
from gemmviz.domain.listing import listed
from gemmviz.domain.memory import MemoryNeed
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import RunResult
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch, Params
from gemmviz.domain.terms import Language
from gemmviz.gui.kernels.availability import Availability, availability_of
from gemmviz.gui.kernels.edges import EdgeWaste, edge_waste

_DECLARES_SHARED = re.compile(r"(?<!extern )\b__shared__\b|\b(?:__local|local)\b[^();]*\[|\.shared\b")
"""An array in shared memory whose size the compiler knows, in CUDA C, OpenCL C or PTX."""

UNTRIED = "not tried when described: a run checks it"


@dataclass(frozen=True, slots=True)
class Fact:
    """A figure with its name; a sentence where there is no name. `words` explains it.

    `short` is name and value where two facts share a line; None for one that needs a line of its own. `brief` is the
    value where the whole one has no room beside the name; "" for none.
    """

    name: str
    value: str
    words: str = ""
    short: tuple[str, str] | None = None
    brief: str = ""

    @property
    def line(self) -> str:
        return f"{self.name} {self.value}".lstrip()


@dataclass(frozen=True, slots=True)
class Geometry:
    """What a launch would be, or why there can be none; `launch` is None for a kernel that runs on the host."""

    refusal: str = ""
    facts: tuple[Fact, ...] = ()
    launch: Launch | None = None

    @property
    def lines(self) -> tuple[str, ...]:
        """The facts as text: "grid 65 × 65 blocks"."""
        return tuple(fact.line for fact in self.facts)


def describe(
    kernel: Kernel, params: Params, shape: Shape, device: Device | None, available_bytes: int | None
) -> Geometry:
    """The launch of a kernel on a device, None if there is none, with so much main memory left, None if unknown."""
    availability = availability_of(kernel, params, shape, device, available_bytes)
    return geometry_of(availability, kernel, params, shape, device, available_bytes)


def geometry_of(
    availability: Availability,
    kernel: Kernel,
    params: Params,
    shape: Shape,
    device: Device | None,
    available_bytes: int | None,
    known: Resources | None = None,
    target: Device | None = None,
) -> Geometry:
    """As `describe`, where the kernel's availability is known already. `known` is what a compiler said that it takes
    with these `params`, None where nobody asked one; it tells what the source declares of shared memory, where the
    header does not. `target` is the PTX machine, with the limits of the target GPU.
    """
    if not availability.can_run or availability.need is None:
        return Geometry(refusal=availability.reason)
    if availability.plan is None or device is None:
        return Geometry(facts=(_host_sentence(kernel, device), _memory(availability.need, available_bytes)))
    launch = availability.plan.launch
    target = target if kernel.language is not Language.OPENCL else None  # OpenCL C is compiled for no target
    facts = (
        *_untried(kernel, params),
        *_grid_facts(launch, device),
        *_waste_facts(edge_waste(kernel, params, shape, device)),
        _shared(launch, device, _block_bytes(kernel, launch, known), target),
        _memory(availability.need, available_bytes, on_device=True),
    )
    return Geometry(facts=facts, launch=launch)


def _untried(kernel: Kernel, params: Params) -> tuple[Fact, ...]:
    if not (values := kernel.untried(params)):
        return ()
    said = listed([f"{name} = {value}" for name, value in values])
    words = f"{said} was not tried together when {kernel.id} was described. Each run checks the result."
    return (Fact("", UNTRIED, words),)


def _grid_facts(launch: Launch, device: Device) -> tuple[Fact, ...]:
    grid, block = _times(launch.grid), _times(launch.block)
    threads, in_all = count(launch.threads_per_block), count(launch.threads_per_block * launch.blocks)
    equal = f"{block} = {threads}" if "×" in block else block
    return (
        Fact("grid", f"{grid} {_one_or_more('block', launch.blocks)}", "Blocks of the launch", ("grid", grid)),
        Fact(
            "block",
            f"{equal} {_one_or_more('thread', launch.threads_per_block)}",
            f"Threads per block; {device.name} allows {count(device.max_threads_per_block)}",
            ("block", equal),
        ),
        Fact("threads in all", in_all, "Threads in all: blocks times threads per block", ("threads", in_all)),
    )


def _waste_facts(waste: EdgeWaste | None) -> tuple[Fact, ...]:
    if waste is None:
        return ()
    value = _percent(waste.part) + (f" of {waste.of}" if waste.of else "")
    what = f"The share of the {waste.of or 'elements'} covered by the grid that lies outside C"
    return (Fact("grid outside C", value, what, ("outside C", value)),)


def known_resources(
    kernel: Kernel, params: Params, runs: Sequence[RunResult], traces: Sequence[TraceRun]
) -> Resources | None:
    """What a compiler said that a kernel takes with these parameters, in a recording of its text as it is or else in a
    run, of each the newest that knows its shared memory; None where none does.
    """
    made: tuple[RunResult | TraceRun, ...] = (
        *runs,
        *(trace for trace in traces if trace.source_text == kernel.shown.text),
    )
    own = (one.resources for one in reversed(made) if (one.spec.kernel, one.spec.params) == (kernel.id, params))
    return next((each for each in own if each.static_shared_bytes), None)


def _block_bytes(kernel: Kernel, launch: Launch, known: Resources | None) -> int | None:
    """The shared memory of a block, in bytes; None where only a compiler could tell."""
    is_told = launch.static_shared_bytes or known is not None or _DECLARES_SHARED.search(kernel.text) is None
    return shared_bytes_of(known or NO_RESOURCES, launch) if is_told else None


def _shared(launch: Launch, device: Device, of_block: int | None, target: Device | None) -> Fact:
    """The shared memory of a block in bytes, None where that is not known. On a CPU its limit is that of a `target`."""
    is_usual_cpu = device.kind is DeviceKind.CPU and not device.is_emulated
    if is_usual_cpu and target is not None:
        limit, whose = count(target.shared_bytes_per_block), "the target GPU"
    else:
        limit, whose = count(device.shared_bytes_per_block), device.name
    what = f"Shared memory per block, and the most that {whose} has for one"
    if of_block is None:
        dynamic = launch.dynamic_shared_bytes
        asked = f"{count(dynamic)} bytes shared and more: run or record" if dynamic else "Run or record"
        tip = (
            f"{what}: {limit} bytes. The source declares arrays in shared memory whose bytes its compiler tells; they "
            "are known after a run or a recording with these settings, and in Run > Show machine code"
        )
        return Fact("", f"{asked} it once to see its shared memory.", tip)
    brief = f"{count(of_block)} of {limit}"
    return Fact("shared", f"{brief} bytes", what, brief=brief)


def _memory(need: MemoryNeed, available_bytes: int | None, *, on_device: bool = False) -> Fact:
    there = f", of which {size(available_bytes)} are free" if available_bytes is not None else ""
    words = f"RAM, the main memory of the host: A, B, C and the data that check C{there}"
    if not on_device:
        return Fact("memory", f"{size(need.host_bytes)} RAM", words)
    value = f"{size(need.device_bytes)} A, B, C · {size(need.host_bytes)} RAM"
    brief = f"{size(need.device_bytes)} · {size(need.host_bytes)} RAM"
    return Fact("memory", value, f"Device: A, B and C. {words}", brief=brief)


def _host_sentence(kernel: Kernel, device: Device | None) -> Fact:
    threads = "one thread"
    if kernel.threads == "all":
        threads = "every core" if device is None else _cores(device.compute_units)
    return Fact("", f"Runs on the CPU, on {threads}.")


def _cores(number: int) -> str:
    return "its one core" if number == 1 else f"all {number} cores"


def _times(sizes: tuple[int, int, int]) -> str:
    """Without the axes behind the last that counts: "65 × 65", "16 706"."""
    x, y, z = sizes
    shown = (x, y, z) if z > 1 else (x, y) if y > 1 else (x,)
    return " × ".join(count(along) for along in shown)


def _one_or_more(word: str, number: int) -> str:
    return word if number == 1 else f"{word}s"


def _percent(part: float) -> str:
    if 0 < part < 0.0005:
        return "< 0.1 %"
    if 0.9995 <= part < 1:
        return "> 99.9 %"
    return percent(part) if part else "0 %"
