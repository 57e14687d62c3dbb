"""The time of a kernel that does nothing: no kernel's time on that device means much below it."""

from __future__ import annotations

from pathlib import Path
from statistics import median

from gemmviz.backends.base import Argument, OpenDevice, Source, TrialRun
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch
from gemmviz.domain.terms import Language

_EMPTY = """
extern "C" __global__ void empty(const float *A, const float *B, float *C, int M, int N, int K)
{
}
"""
_LAUNCH = Launch((1, 1, 1), (1, 1, 1))
_SAMPLES = 21


def _unsaid(words: str) -> None:
    del words


def floor_ms(device: OpenDevice, limit_s: float) -> float:
    """Median of the device's own times of an empty kernel of one thread, in ms.

    Launched as cold samples are; three more come first and do not count.

    Raises:
        CompileError, LaunchError: the device cannot even do that.
    """
    source = Source(Path("empty.cu"), _EMPTY, "empty", Language.CUDA)
    compiled = device.compile(source, _LAUNCH, TrialRun(Shape(1, 1, 1), _LAUNCH, 1, limit_s), _unsaid)
    buffers = [device.allocate(4) for _ in range(3)]
    arguments: list[Argument] = [*buffers, 1, 1, 1]
    try:
        times_ms = []
        for _ in range(3 + _SAMPLES):
            device.flush_caches()
            times_ms.append(device.launch(compiled, _LAUNCH, arguments).wait(limit_s))
    finally:
        for buffer in buffers:
            buffer.release()
    return median(times_ms[3:])
