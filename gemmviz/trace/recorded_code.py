"""What is known of the code that records itself, also what no trace of it holds."""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.domain.recordings.access import AccessPath, Site, SkippedAccess

_ASYNCHRONOUS = (AccessPath.ASYNC_COPY, AccessPath.COPY_ENGINE, AccessPath.TENSOR_CORE)


@dataclass(frozen=True, slots=True)
class RecordedCode:
    """What is known of the code that records itself before it runs.

    `sites` are the accesses, each at the place of its own number; `skipped` is what touches memory and is not recorded;
    `hidden` are the shared arrays (findings.ANY: all) that something not recorded may store to; `text` is the PTX.
    `may_order_blocks`: it has what one block can wait for another one with. `follows_order`: it may have some, and the
    order of its strong accesses is recorded. `has_mbarriers`: it uses mbarriers, whose operations are in no trace.
    """

    sites: tuple[Site, ...]
    skipped: tuple[SkippedAccess, ...]
    hidden: frozenset[str]
    text: str
    may_order_blocks: bool = False
    follows_order: bool = False
    has_mbarriers: bool = False

    @property
    def skips_accesses(self) -> bool:
        """Whether accesses to shared or global memory may be in no trace; reads of constant memory do not count."""
        return bool(self.hidden)

    @property
    def works_asynchronously(self) -> bool:
        """Whether units move data at times that no trace tells: asynchronous copies, the TMA, operands of wgmma."""
        return any(site.path in _ASYNCHRONOUS for site in self.sites)
