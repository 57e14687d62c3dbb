"""Roofs in words: what was measured, how fast, at which clock, when."""

from __future__ import annotations

from gemmviz.domain import figures
from gemmviz.domain.device import HOST
from gemmviz.domain.runs.roof import Roof, RoofKind, Roofs, compute_roof, share_of
from gemmviz.domain.terms import Arithmetic

KIND_WORDS = {
    RoofKind.COPY: "copy",
    RoofKind.FP32: "fp32 FMA",
    RoofKind.TF32: "TF32 tensor",
    RoofKind.BF16: "bf16 tensor",
}


ROOF_MARK = "!"
"""Behind the clock of a roof that was measured while the clock was held down, as behind a kernel's time."""
LOWERED = f"roofs with {ROOF_MARK}: measured at a lowered clock"
"""What the mark means; a longer note about it begins so."""
LOWERED_NOTE = f"{LOWERED}; at full clock they would be higher"

_ORDINALS = {2: "half", 3: "third"}


def rate_words(kind: RoofKind, rate: float) -> str:
    """A rate with the unit that fits: "4.21 TB/s", "60.1 TFLOP/s", "51.3 GB/s"."""
    if kind is not RoofKind.COPY:
        return figures.flops(rate)
    return f"{figures.number(rate / 1000)} TB/s" if rate >= 1000 else f"{figures.number(rate)} {kind.unit}"


def clock_words(roof: Roof) -> str:
    """ "at 1755 MHz", with what held it down; "" where nobody can tell."""
    if not roof.clock_mhz:
        return ""
    held = ", ".join(roof.gauges.throttles)
    return f"at {figures.megahertz(roof.clock_mhz)}" + (f", lowered by the GPU ({held})" if held else "")


def lowered_words(roof: Roof) -> str:
    """The clock of a roof where something held it down, with the mark: " at 1245 MHz !"; "" where nothing did."""
    return f" at {figures.megahertz(roof.clock_mhz)} {ROOF_MARK}" if is_lowered(roof) else ""


def is_lowered(roof: Roof) -> bool:
    """Whether something held the clock down while the roof was measured."""
    return bool(roof.clock_mhz and roof.gauges.throttles)


def roofs_words(roofs: Roofs) -> str:
    """All of them in one line."""
    parts = [f"{KIND_WORDS[roof.kind]} {rate_words(roof.kind, roof.median)}" for roof in roofs.roofs]
    return f"Roofs of {roofs.device.name}: {', '.join(parts) or 'none could be measured'}"


def roof_words(roofs: Roofs, arithmetic: Arithmetic) -> str:
    """The roof of an arithmetic: "fp32 FMA roof 60.1 TFLOP/s, measured 2025-01-02 at 1755 MHz"; "" if there is none."""
    rate, share = compute_roof(roofs, arithmetic), share_of(arithmetic)
    roof = roofs.of(share.kind) if share is not None else None
    if rate is None or roof is None or share is None:
        return ""
    part = f", a {_ORDINALS[share.divisor]} of {rate_words(roof.kind, roof.median)}" if share.divisor > 1 else ""
    when = " ".join(filter(None, (day_of(roofs), clock_words(roof))))
    return f"{KIND_WORDS[roof.kind]} roof {rate_words(roof.kind, rate)}{part}, measured {when}".rstrip()


def throttle_sentence(roofs: Roofs, arithmetic: Arithmetic) -> str:
    """What it means that the roof of an arithmetic was measured at a clock that was held down, "" where none was:
    "While the fp32 FMA roof was measured, the GPU lowered its clock to 1 830 MHz (power limit). …".
    """
    share = share_of(arithmetic)
    roof = roofs.of(share.kind) if share is not None else None
    if roof is None or not roof.gauges.throttles:
        return ""
    clock = f"its clock to {figures.megahertz(roof.clock_mhz)} ({', '.join(roof.gauges.throttles)})"
    when = f"While the {KIND_WORDS[roof.kind]} roof was measured"
    return f"{when}, the GPU lowered {clock}. At its full clock the roof would be higher."


def where_measured(roofs: Roofs) -> str:
    """The device and the day, of a CPU with the threads that measured: "AMD EPYC 9554, 64 threads, 2025-01-02"."""
    threads = figures.counted(roofs.device.compute_units, "thread") if roofs.device.backend == HOST else ""
    return ", ".join(filter(None, (roofs.device.name, threads, day_of(roofs))))


def day_of(roofs: Roofs) -> str:
    """The day they were measured, "2025-01-02"; "" where nobody wrote it down."""
    return roofs.finished[:10]
