"""Leaves out the roof kernel with the most sums: PoCL compiles it for ten seconds, the others for one."""

from __future__ import annotations

import pytest
from unoptimised import is_plain_run

from gemmviz.domain.device import Device
from gemmviz.domain.runs.roof import RoofKind
from gemmviz.measure import roofs
from gemmviz.measure.roof_kernels import RoofKernel, kernels_for


def shorten_roofs(patch: pytest.MonkeyPatch) -> None:
    """Let a plain run measure the first two kernels of each roof; `.ci/thorough` measures all."""
    if is_plain_run():
        patch.setattr(roofs, "kernels_for", _first_two)


def _first_two(kind: RoofKind, device: Device) -> tuple[tuple[RoofKernel, ...], str]:
    kernels, reason = kernels_for(kind, device)
    return kernels[:2], reason
