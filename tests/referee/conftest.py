"""The PTX machine judges what NVIDIA's compiler makes of kernels."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _compiler(nvrtc: None) -> None:
    """Skips where there is no compiler."""
    del nvrtc
