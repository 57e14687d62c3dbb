"""Roofs in words: what was measured, how fast, at which clock, when."""

from __future__ import annotations

from gemmviz.domain import figures
from gemmviz.domain.roof import Roof, RoofKind, Roofs

KIND_WORDS = {
    RoofKind.COPY: "copy",
    RoofKind.FP32: "fp32 FMA",
    RoofKind.TF32: "TF32 tensor",
    RoofKind.BF16: "bf16 tensor",
}


def rate_words(kind: RoofKind, rate: float) -> str:
    """A rate with the unit that fits: "4.21 TB/s", "60.1 TFLOP/s", "51.3 GB/s"."""
    unit = kind.unit
    return f"{figures.number(rate / 1000)} T{unit[1:]}" if rate >= 1000 else f"{figures.number(rate)} {unit}"


def clock_words(roof: Roof) -> str:
    """ "at 1755 MHz", with what held it down; "" where nobody can tell."""
    if not roof.clock_mhz:
        return ""
    held = ", ".join(roof.gauges.throttles)
    return f"at {roof.clock_mhz:.0f} MHz" + (f", held down by {held}" if held else "")


def roofs_words(roofs: Roofs) -> str:
    """All of them in one line."""
    parts = [f"{KIND_WORDS[roof.kind]} {rate_words(roof.kind, roof.median)}" for roof in roofs.roofs]
    return f"Roofs of {roofs.device.name}: {', '.join(parts) or 'none could be measured'}"


def day_of(roofs: Roofs) -> str:
    """The day they were measured, "2025-01-02"; "" where nobody wrote it down."""
    return roofs.finished[:10]
