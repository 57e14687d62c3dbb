"""What the buttons above the chart of times say."""

from __future__ import annotations

from gemmviz.gui.widgets.segments import Segment

SPEEDUP = "Speed-up"

SEGMENTS = (
    Segment(
        "timingViewKernel",
        "Kernel time",
        "Median kernel time of each run, and how many times as fast it is as the slowest",
    ),
    Segment(
        "timingViewWhole",
        "End to end",
        "A run end to end, part by part: A and B in, the kernel, launching and waiting, C out",
    ),
    Segment("timingViewRate", "Rate", "GFLOP/s: 2·M·N·K over the median kernel time"),
    Segment("timingViewSpeedup", SPEEDUP, "How many times as fast as the GPU vendor's library, or as a CPU kernel"),
    Segment("timingViewSamples", "Samples", "Every sample in the order taken, and where the clock was throttled"),
    Segment(
        "timingViewRoofline",
        "Roofline",
        "GFLOP/s against operations per byte, ideal and recorded, with the measured roofs",
    ),
)
