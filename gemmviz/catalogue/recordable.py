"""Whether the memory accesses of a kernel can be recorded, and why not, in one sentence."""

from __future__ import annotations

from gemmviz.catalogue.kernel import Kernel


def why_not_recorded(kernel: Kernel) -> str:
    """Why the kernel cannot be recorded, whatever the device; "" if it can."""
    if kernel.runs_on_host:
        return "Only GPU kernels can be recorded, and this one runs on the CPU. Choose another kernel."
    if not kernel.has_accesses:
        return f"{kernel.library} does the work, and its accesses cannot be recorded. Choose another kernel."
    return ""
