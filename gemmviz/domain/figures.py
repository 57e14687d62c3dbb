"""Figures as a person reads them: few digits, grouped, with the unit that fits."""

from __future__ import annotations

import math


def milliseconds(value: float) -> str:
    """Three significant digits with the unit that fits: "0.812 ms", "35.1 µs", "2.04 s"."""
    if not math.isfinite(value):
        return str(value)
    if value >= 1000.0:
        return f"{_three(value / 1000.0)} s"
    if value >= 0.1 or value == 0.0:
        return f"{_three(value)} ms"
    return f"{_three(value * 1000.0)} µs"


def spread(value: float, of: float, n: int) -> str:
    """A spread of `n` samples in milliseconds as `milliseconds` writes it; one of nothing in the unit of what it is the
    spread of. One sample has none: "–".
    """
    if n == 1:
        return "–"
    return milliseconds(value) if value else f"0 {milliseconds(of).rpartition(' ')[2]}"


def number(value: float) -> str:
    """Three significant digits, thousands grouped: "51 100", "12.3", "0.004"."""
    if not math.isfinite(value):
        return str(value)
    return _three(value)


def flops(gflops: float) -> str:
    """A rate of arithmetic with the unit that fits: "54.5 MFLOP/s", "51.3 GFLOP/s", "777 TFLOP/s"."""
    if math.isfinite(gflops) and gflops >= 1000.0:
        return f"{number(gflops / 1000.0)} TFLOP/s"
    return f"{number(gflops * 1000.0)} MFLOP/s" if 0.0 < gflops < 0.1 else f"{number(gflops)} GFLOP/s"


def count(value: int) -> str:
    """A whole number with its thousands grouped by thin spaces: "4 457 310"."""
    return f"{value:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")


def counted(value: int, noun: str, plural: str = "") -> str:
    """A whole number with its noun, singular or plural: "1 run", "2 runs", "4 160 blocks"."""
    return f"{count(value)} {noun if value == 1 else plural or f'{noun}s'}"


def scientific(value: float) -> str:
    """ "4.5e-07", or what it is if it is no number."""
    return f"{value:.1e}" if math.isfinite(value) and value else f"{value:g}"


def size(nbytes: int) -> str:
    """Bytes in binary units: "48 KiB"."""
    value, unit = float(nbytes), "bytes"
    for larger in ("KiB", "MiB", "GiB", "TiB"):
        if value < 1024:
            break
        value, unit = value / 1024, larger
    return f"{value:.0f} {unit}" if value >= 100 or value == int(value) else f"{value:.1f} {unit}"


def _three(value: float) -> str:
    if value == 0:
        return "0"
    magnitude = math.floor(math.log10(abs(value)))
    if magnitude >= 2:
        return count(round(value))
    return f"{value:.{2 - magnitude}f}"
