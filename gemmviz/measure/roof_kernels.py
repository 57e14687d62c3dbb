"""Which kernels measure which roof on which device: their sources, launches and how much work a launch does."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from gemmviz.compiler.source import Source
from gemmviz.domain.device import CUDA, HOST, Device, DeviceKind
from gemmviz.domain.figures import counted
from gemmviz.domain.kernels.capability import lack_of
from gemmviz.domain.runs.roof import RoofKind
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch
from gemmviz.domain.terms import Language
from gemmviz.measure.stopping import StoppingRule

RULE, HOST_RULE = StoppingRule(limit_seconds=5.0), StoppingRule(min_samples=5, limit_seconds=1.5)
"""How long each roof is measured, and each of the CPU as the device of CPU kernels."""
_FOLDER = Path(__file__).with_name("roof_sources")
_FLOAT4 = 16
_COPY_BYTES = 2**30
"""Read by one launch on a GPU; far more than its caches hold."""
_CPU_COPY_BYTES = (2**26, 2**28)
"""The same on a CPU, at least and at most; between them, as much as its caches hold, and as much is written again."""
_TRIAL_BLOCKS = 16
_HOST_SIZE = Shape(1024, 1024, 1024)
"""Of the product by a BLAS."""
_HOST_CALLS = 6
_HOST_COLUMNS = 1024
"""Of the matrix that is copied."""
_HOST_ELEMENTS, _HOST_CHAIN, _HOST_ROUNDS_PER_K = 2048, 16, 16
"""As in roof_sources/cpu.py."""


@dataclass(frozen=True, slots=True)
class RoofKernel:
    """One way to reach a roof: `blocks` of `threads` do `work_per_round` bytes or operations in each of `rounds`.

    `count` is what the kernel gets as M, or `shape` as M, N and K. `defines` reach the compiler. Elements are 4 bytes.
    """

    kind: RoofKind
    file: str
    entry: str
    how: str
    instruction: str
    blocks: int
    threads: int
    count: int
    work_per_round: int
    a_elements: int
    c_elements: int
    defines: tuple[tuple[str, int], ...] = ()
    requires: tuple[str, ...] = ()
    static_shared_bytes: int = 0
    rounds: int = 1
    shape: Shape | None = None
    """Of a function that runs on the host."""
    calls: int = 1
    """A sample is the fastest of so many launches: on a CPU other programs slow some of them, and none is too fast."""

    def sizes(self, rounds: int) -> tuple[int, int, int]:
        """What the kernel gets as M, N and K."""
        return (self.count, 1, rounds) if self.shape is None else (self.shape.m, self.shape.n, self.shape.k)

    @property
    def b_elements(self) -> int:
        return min(self.a_elements, 2**14) if self.shape is None else self.shape.k * self.shape.n

    @property
    def has_rounds(self) -> bool:
        """Whether a launch can be made longer by more rounds."""
        return self.kind is not RoofKind.COPY and self.shape is None

    @property
    def work(self) -> int:
        """Bytes or operations of one launch."""
        return self.work_per_round * self.rounds

    @property
    def source(self) -> Source:
        path = _FOLDER / self.file
        defines = (("THREADS", self.threads), *self.defines)
        language = Language.CUDA if self.shape is None else Language.PYTHON
        return Source(path, path.read_text(encoding="utf-8"), self.entry, language, defines, self.requires)

    @property
    def launch(self) -> Launch:
        shared = self.static_shared_bytes
        return Launch((self.blocks, 1, 1), (self.threads, 1, 1), static_shared_bytes=shared)

    @property
    def trial(self) -> Shape:
        """A small size of the same, such that A of M·K and B of K·N elements are large enough."""
        each = dict(self.defines).get("PIECES", 1)
        k = 4 if self.kind is RoofKind.COPY else 4096
        return Shape(self.trial_blocks * self.threads * each, 1, k)

    @property
    def trial_blocks(self) -> int:
        return min(self.blocks, _TRIAL_BLOCKS)

    @property
    def trial_grid(self) -> tuple[int, int, int]:
        return (self.trial_blocks, 1, 1)

    @property
    def trial_elements(self) -> int:
        """Of C."""
        return self.trial.m * (4 if self.kind is RoofKind.COPY else 1)


def kernels_for(kind: RoofKind, device: Device) -> tuple[tuple[RoofKernel, ...], str]:
    """The ways to reach a roof on a device, the fastest of which counts; or () and why there is none."""
    is_cpu = device.kind is DeviceKind.CPU
    if device.backend == HOST and kind in (RoofKind.COPY, RoofKind.FP32):
        return (_host_copy(device),) if kind is RoofKind.COPY else (_host_fma(device), _host_blas(device)), ""
    match kind:
        case RoofKind.COPY:
            return tuple(_copy(device, pieces) for pieces in ((4, 16) if is_cpu else (1, 4))), ""
        case RoofKind.FP32:
            # A CPU's vector unit holds several sums in one register, so it needs more of them to stay busy.
            return tuple(_fma(device, is_cpu, sums) for sums in ((64, 128, 256) if is_cpu else (8, 16, 32))), ""
        case RoofKind.TF32 | RoofKind.BF16:
            makers = (partial(_mma, kind, device), partial(_wgmma, kind, device))
            kernels = tuple(kernel for make in makers if not lack_of((kernel := make()).requires, device))
            return kernels, "" if kernels else f"it {lack_of((CUDA, 'sm_80'), device)}"


def rule_for(device: Device) -> StoppingRule:
    """How long each roof of a device is measured."""
    return HOST_RULE if device.backend == HOST else RULE


def _host_copy(device: Device) -> RoofKernel:
    """Far more than the caches of most CPUs hold."""
    rows = max(1, min(_CPU_COPY_BYTES[1], device.max_allocation_bytes, device.global_bytes // 8) // (4 * _HOST_COLUMNS))
    size = Shape(rows, _HOST_COLUMNS, _HOST_COLUMNS)
    nbytes = 4 * rows * _HOST_COLUMNS
    how = f"{nbytes // 2**20} MiB read and as many written, NumPy on {_threads(device)}"
    return _on_host(RoofKind.COPY, "copy", how, "memory copies", device, 2 * nbytes, size)


def _host_fma(device: Device) -> RoofKernel:
    """A and C have room for the numbers of all threads."""
    rows = max(_HOST_SIZE.m, -(-device.compute_units * _HOST_ELEMENTS // _HOST_SIZE.k))
    size = replace(_HOST_SIZE, m=rows)
    work = 2 * device.compute_units * _HOST_ELEMENTS * _HOST_CHAIN * _HOST_ROUNDS_PER_K * size.k
    how = f"chains of {_HOST_CHAIN} in vector registers, Numba on {_threads(device)}"
    return _on_host(RoofKind.FP32, "fma_rate", how, "float32 fused multiply-add", device, work, size)


def _host_blas(device: Device) -> RoofKernel:
    """A BLAS may use wider vectors than Numba does."""
    how = f"a product of {_HOST_SIZE.words}, caches warm, on {_threads(device)}"
    return _on_host(RoofKind.FP32, "blas", how, "NumPy's BLAS", device, _HOST_SIZE.flop, _HOST_SIZE)


def _on_host(
    kind: RoofKind, entry: str, how: str, instruction: str, device: Device, work: int, shape: Shape
) -> RoofKernel:
    how = f"{how}, the fastest of each {_HOST_CALLS} calls"
    a_elements, c_elements, threads = shape.m * shape.k, shape.m * shape.n, device.compute_units
    given = RoofKernel(kind, "cpu.py", entry, how, instruction, 1, threads, shape.m, work, a_elements, c_elements)
    return replace(given, shape=shape, calls=_HOST_CALLS)


def _threads(device: Device) -> str:
    return counted(device.compute_units, "thread")


def _copy(device: Device, pieces: int) -> RoofKernel:
    threads = 256
    most = min(device.max_allocation_bytes, device.global_bytes // 8)
    least, largest = _CPU_COPY_BYTES if device.kind is DeviceKind.CPU else (_COPY_BYTES, _COPY_BYTES)
    wanted = min(max(least, device.cache_bytes), largest)
    of_a_block = threads * pieces * _FLOAT4
    blocks = max(1, min(wanted, most) // of_a_block)
    count = blocks * threads * pieces
    return RoofKernel(
        RoofKind.COPY,
        "copy.cu",
        "copy",
        f"{count * _FLOAT4 // 2**20} MiB read and as many written, float4 by float4",
        "128-bit loads and stores",
        blocks,
        threads,
        count,
        2 * count * _FLOAT4,
        4 * count,
        4 * count,
        (("PIECES", pieces),),
    )


def _fma(device: Device, is_cpu: bool, sums: int) -> RoofKernel:
    threads, blocks = (8, 32 * device.compute_units) if is_cpu else (256, 4 * device.compute_units)
    return RoofKernel(
        RoofKind.FP32,
        "fma.cu",
        "fma_rate",
        f"{sums} independent sums in each of {blocks * threads} threads, operands in registers",
        "float32 fused multiply-add",
        blocks,
        threads,
        blocks * threads,
        2 * sums * blocks * threads,
        256,
        blocks * threads,
        (("SUMS", sums),),
    )


def _mma(kind: RoofKind, device: Device) -> RoofKernel:
    threads, blocks, sums, is_bf16 = 256, 2 * device.compute_units, 8, kind is RoofKind.BF16
    k = 16 if is_bf16 else 8
    warps = blocks * threads // 32
    return RoofKernel(
        kind,
        "mma.cu",
        "mma_rate",
        f"{sums} independent sums in each of {warps} warps, operands in registers",
        f"mma.sync m16n8k{k} {kind}",
        blocks,
        threads,
        blocks * threads,
        2 * 16 * 8 * k * sums * warps,
        4 * threads,
        blocks * threads,
        (("SUMS", sums), ("BF16", int(is_bf16))),
        (CUDA, "sm_80"),
    )


def _wgmma(kind: RoofKind, device: Device) -> RoofKernel:
    threads, blocks, is_bf16 = 256, device.compute_units, kind is RoofKind.BF16
    k, groups = 16 if is_bf16 else 8, blocks * threads // 128
    return RoofKernel(
        kind,
        "wgmma.cu",
        "wgmma_rate",
        f"one sum of 64 x 256 in each of {groups} warpgroups, operands in shared memory",
        f"wgmma m64n256k{k} {kind}",
        blocks,
        threads,
        8192,
        2 * 64 * 256 * k * 16 * groups,
        8192,
        blocks * threads,
        (("BF16", int(is_bf16)),),
        (CUDA, "sm_90a"),
        49152,
    )
