"""Imported by the process that those of a plain run are forked from: they do as the tests do (`tests/conftest.py`)."""

from __future__ import annotations

import pytest
from short_looks import try_no_large_sizes
from short_recordings import shorten_recordings
from small_flushes import flush_little
from unoptimised import optimise_nothing
from warm_compiler import fork_for_each_source

optimise_nothing(pytest.MonkeyPatch())
shorten_recordings(pytest.MonkeyPatch())
try_no_large_sizes(pytest.MonkeyPatch())
flush_little(pytest.MonkeyPatch())
fork_for_each_source()
