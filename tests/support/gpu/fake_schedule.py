"""A fake GPU whose kernel multiplies for real and stamps its blocks as a scheduler of two slots to a unit would."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest
from fake_cuda import FakeDriver, FakeLibrary

from gemmviz.backends.base import Source
from gemmviz.backends.cuda import device as cuda_module
from gemmviz.backends.cuda.build import Built
from gemmviz.backends.cuda.device import CudaDevice
from gemmviz.backends.cuda.devices import Cuda, describe
from gemmviz.backends.cuda.driver import CudaLibrary
from gemmviz.backends.cuda.gauges import GaugeReader
from gemmviz.backends.cuda.nvcc import Nvcc
from gemmviz.compiler.ptx.kernels import PtxParameter
from gemmviz.domain.kernels.resources import Resources
from gemmviz.measure.schedule_source import POINTER

UUID = "GPU-00112233-4455-6677-8899-aabbccddeeff"
EPOCH_NS = 1_700_000_000_000_000_000
BLOCK_NS = 1024
_POINTER, _NUMBER = PtxParameter(8, 8), PtxParameter(4, 4)


class StampingGpu:
    """`texts` are the sources that were compiled. `silent` blocks leave no stamp, `wrong` spoils C where the kernel
    stamps, `backwards` turns the clock round.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, blocks: int, entry: str = "sgemm_tiled") -> None:
        self.blocks = blocks
        self.silent, self.wrong, self.backwards = 0, False, False
        self.texts: list[str] = []
        self.launches = 0
        self.driver = FakeDriver()
        self.driver.variables[POINTER] = 16
        self.driver.kernels[entry] = self._run
        monkeypatch.setattr(cuda_module, "find_nvcc", lambda: Nvcc(Path("nvcc"), "13.0", "13.0.88"))
        monkeypatch.setattr(cuda_module, "build", self._build)
        monkeypatch.setattr(cuda_module, "_ABANDONED", [])
        cuda = Cuda(self.driver, CudaLibrary(FakeLibrary()))
        context = self.driver.Device(0).retain_primary_context()
        self.opened = CudaDevice(describe(cuda, 0, UUID), cuda, context, GaugeReader(None, UUID))

    def _build(self, source: Source, target: str, *_: object) -> Built:
        self.texts.append(source.text)
        numbers = 2 if source.entry == "hold" else 3
        parameters = (_POINTER,) * (1 if source.entry == "hold" else 3) + (_NUMBER,) * numbers
        return Built(target, "13.0", source.entry, parameters, Resources(40), b"\x7fELF", "ptx")

    def _run(self, driver: FakeDriver, packed: bytes) -> None:
        self.launches += 1
        a, b, c, m, n, k = struct.unpack("<QQQiii", packed)
        product = self._floats(a, m * k).reshape(m, k) @ self._floats(b, k * n).reshape(k, n)
        self._floats(c, m * n)[:] = product.reshape(-1)
        to = int(driver.memory[16:24].view(np.uint64)[0])
        if to:
            self._stamp(driver.memory[to : to + 24 * self.blocks].view(np.uint64))
            if self.wrong:
                self._floats(c, 1)[0] += 1.0

    def _stamp(self, words: np.ndarray) -> None:
        for block in range(self.blocks - self.silent):
            wave, place = divmod(block, 8)
            start = EPOCH_NS + self.launches * 10**6 + wave * BLOCK_NS
            # As atomics do over all warps: the first start, the last end.
            words[3 * block] = min(int(words[3 * block]), start + (2 * BLOCK_NS if self.backwards else 0))
            words[3 * block + 1] = max(int(words[3 * block + 1]), start + BLOCK_NS)
            words[3 * block + 2] = place // 2

    def _floats(self, at: int, count: int) -> np.ndarray:
        return self.driver.memory[at : at + 4 * count].view(np.float32)
