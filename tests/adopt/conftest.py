"""What a look at a kernel file leaves out where a test is not about it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from short_looks import record_one_size, try_few_further_values, try_no_further_values, try_no_large_sizes
from unoptimised import is_plain_run

OF_RECORDINGS = ("test_block_races.py", "test_races.py", "test_time_limit.py")
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
OF_VALUES = ("test_host_expressions.py", "test_literal_blocks.py")
"""Files outside `parameters` about values that constants may have besides their own."""
FEW_SETTINGS = 6
"""Of values that are tried there: twice, half, four times and a quarter of one, or twice and half of three."""


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


@pytest.fixture(autouse=True, scope="module")
def _no_further_values(request: pytest.FixtureRequest) -> Iterator[None]:
    """Constants get no further values, in files about these few; `.ci/thorough` tries as the program does."""
    with pytest.MonkeyPatch.context() as patch:
        is_about_values = request.path.parent.name == "parameters" or request.path.name in OF_VALUES
        if is_plain_run() and is_about_values:
            try_few_further_values(patch, FEW_SETTINGS)
        elif is_plain_run():
            try_no_further_values(patch)
        yield


@pytest.fixture
def one_recorded_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """A described kernel is recorded at one small size, also by `.ci/thorough`: the test is not about sizes."""
    record_one_size(monkeypatch)


@pytest.fixture(scope="module")
def no_further_values() -> Iterator[None]:
    """How many further values there is time for depends on the machine; `test_parameters.py` looks at them."""
    with pytest.MonkeyPatch.context() as patch:
        try_no_further_values(patch)
        yield
