"""Imported by the process that those of a plain run are forked from: they do as the tests do (`tests/conftest.py`)."""

from __future__ import annotations

import pytest
from late_checksums import note_no_checksums
from short_looks import record_one_size, try_few_further_values, try_no_large_sizes
from short_recordings import shorten_recordings
from short_warm_ups import warm_up_little
from small_flushes import flush_little
from unoptimised import optimise_nothing
from warm_compiler import fork_for_each_source

optimise_nothing(pytest.MonkeyPatch())
shorten_recordings(pytest.MonkeyPatch())
try_no_large_sizes(pytest.MonkeyPatch())
record_one_size(pytest.MonkeyPatch())
try_few_further_values(pytest.MonkeyPatch(), 2)
flush_little(pytest.MonkeyPatch())
warm_up_little(pytest.MonkeyPatch())
note_no_checksums(pytest.MonkeyPatch())
fork_for_each_source()
