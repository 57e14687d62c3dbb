"""The PTX machine judges what NVIDIA's compiler makes of kernels."""

from __future__ import annotations

import pytest
from short_recordings import shorten_recordings
from unoptimised import is_plain_run

LARGE_SIZES = ("test_examinations.py",)
"""Files that look for races and accesses at the large sizes themselves."""


@pytest.fixture(autouse=True)
def _compiler(nvrtc: None) -> None:
    """Skips where there is no compiler."""
    del nvrtc


@pytest.fixture
def short_recordings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every block is recorded at smaller sizes than in the program; `.ci/thorough` records as the program does."""
    if is_plain_run():
        shorten_recordings(monkeypatch)


@pytest.fixture(autouse=True)
def _short_recordings(request: pytest.FixtureRequest) -> None:
    """In files about large sizes a test asks for short recordings by name."""
    if request.path.name not in LARGE_SIZES:
        request.getfixturevalue("short_recordings")
