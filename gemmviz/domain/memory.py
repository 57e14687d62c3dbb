"""How much memory a product takes, and a refusal with the number before any of it is allocated."""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.domain.kernels.call import MATRICES, Call
from gemmviz.domain.shape import Shape

_FLOAT32 = 4
_FLOAT64 = 8
_BLOCK_ELEMENTS = 2**20
_C_BLOCKS = 8
_A_BLOCKS = 2


class MemoryRefusal(ValueError):
    """A product that does not fit; the message names the size, the need, what there is, and the remedy."""


@dataclass(frozen=True, slots=True)
class MemoryNeed:
    """What a product of `shape` takes on the host, on the device, and at most in one piece on the device."""

    shape: Shape
    host_bytes: int
    device_bytes: int
    largest_allocation_bytes: int

    @property
    def total_bytes(self) -> int:
        """What it takes on the host where the device shares its memory."""
        return self.host_bytes + self.device_bytes


def memory_needed(
    shape: Shape, partial_sums: int = 1, *, full_reference: bool = True, call: Call | None = None
) -> MemoryNeed:
    """The need of one run, checked; `partial_sums` is how many values a kernel leaves per element of C, `call` says how
    the matrices are stored: as float32 where there is none.

    Device: 4·(M·K + K·N + P·M·N) bytes, P = partial_sums, with elements of other sizes and a matrix D as the call has
    them; in one piece the largest of them.

    Host:
    - float32: A, B, C as it is downloaded, and the result it is summed into or compared with,
      4·(M·K + K·N + (P + 1)·M·N);
    - float64, for the product it is checked against: R, G and a copy of B, 8·(2·M·N + K·N). Without
      `full_reference` it is checked by projections on 4 vectors for each panel of 256 columns, and the
      panels' norms: 8·5·K·ceil(N/256);
    - elements that take more than float32, and what C begins as where it is read, once more;
    - float64 working blocks, 8·(8·blk(M, N) + 2·blk(M, K)), where blk(rows, columns) is the most rows that
      hold 2^20 elements, but one row at least.

    Interpreter, compilers and drivers are not in it: some 300 MiB on top.
    """
    m, n, k = shape.m, shape.n, shape.k
    a, b, c = m * k, k * n, m * n
    reference = 2 * c + b if full_reference else 5 * k * -(-n // 256)
    blocks = _C_BLOCKS * _block(m, n) + _A_BLOCKS * _block(m, k)
    counts = {"A": a, "B": b, "C": partial_sums * c, "D": c}
    stored = [
        counts[name] * (call.storage(name).element.nbytes if call is not None else _FLOAT32)
        for name in (call.matrices if call is not None else MATRICES)
    ]
    plain = _FLOAT32 * (a + b + partial_sums * c)
    more = max(0, sum(stored) - plain) + (_FLOAT32 * 2 * c if call is not None and call.reads_c else 0)
    return MemoryNeed(
        shape=shape,
        host_bytes=plain + _FLOAT32 * c + more + _FLOAT64 * (reference + blocks),
        device_bytes=sum(stored),
        largest_allocation_bytes=max(stored),
    )


def check_memory(
    need: MemoryNeed,
    host_available_bytes: int | None,
    device_bytes: int | None,
    max_allocation_bytes: int | None,
    *,
    shares_host_memory: bool = False,
) -> None:
    """Refuse what does not fit. None is for a figure that nobody knows, and skips its check.

    `shares_host_memory` is for a device whose memory is the host's (a CPU, an integrated GPU): then both
    needs come out of the host's memory.

    Raises:
        MemoryRefusal: the host, the device or its largest allocation is too small.
    """
    host_bytes = need.host_bytes + (need.device_bytes if shares_host_memory else 0)
    for needed, available, where, there in (
        (need.largest_allocation_bytes, max_allocation_bytes, "in one allocation on the device", "which allows"),
        (need.device_bytes, device_bytes, "on the device", "which has"),
        (host_bytes, host_available_bytes, "of main memory", "of which there are"),
    ):
        if available is not None and needed > available:
            raise MemoryRefusal(
                f"{need.shape.words} needs {format_bytes(needed, up=True)} {where}, "
                f"{there} {format_bytes(available)}. Choose a smaller M, N or K"
            )


def format_bytes(count: int, *, up: bool = False) -> str:
    """`count` bytes in the largest binary unit up to GiB of which there is one: "512 MiB", "1.5 GiB".

    Cut to two decimals, or rounded up to them: a need just above what there is must not read the same.
    """
    for unit, size in (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if count >= size:
            hundredths = -(-count * 100 // size) if up else count * 100 // size
            return f"{hundredths / 100:.2f}".rstrip("0").rstrip(".") + f" {unit}"
    return f"{count} bytes"


def _block(rows: int, columns: int) -> int:
    return min(rows, max(1, _BLOCK_ELEMENTS // columns)) * columns
