"""What a look at a kernel file leaves out where a test is not about it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from short_looks import record_one_size, try_no_further_values, try_no_large_sizes
from unoptimised import is_plain_run

OF_RECORDINGS = ("test_block_races.py", "test_race_beginnings.py", "test_races.py", "test_time_limit.py")
"""Files about what is recorded, and at which sizes."""
OF_SIZES = (
    "test_batches.py",
    "test_bounds.py",
    "test_device_proof.py",
    "test_large_sizes.py",
    "test_limits.py",
    "test_loosened.py",
    "test_powers.py",
)
"""Files about the sizes at which a rule has to hold, or that name one of them."""


@pytest.fixture(autouse=True, scope="module")
def _no_large_sizes(request: pytest.FixtureRequest) -> Iterator[None]:
    """Kernels of other files are tried at no large size; `.ci/thorough` tries them as the program does."""
    with pytest.MonkeyPatch.context() as patch:
        if request.path.name not in OF_SIZES and is_plain_run():
            try_no_large_sizes(patch)
        yield


@pytest.fixture(autouse=True, scope="module")
def _short_recordings(request: pytest.FixtureRequest) -> Iterator[None]:
    """Described kernels are recorded at one small size; `.ci/thorough` records as the program does. Looks are shared by
    the tests of a file, so all of them record alike.
    """
    with pytest.MonkeyPatch.context() as patch:
        if request.path.name not in OF_RECORDINGS and is_plain_run():
            record_one_size(patch)
        yield


@pytest.fixture(scope="module")
def no_further_values() -> Iterator[None]:
    """How many further values there is time for depends on the machine; `test_parameters.py` looks at them."""
    with pytest.MonkeyPatch.context() as patch:
        try_no_further_values(patch)
        yield
