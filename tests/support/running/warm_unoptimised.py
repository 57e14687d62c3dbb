"""Imported by the process that those of tests are forked from, where their code is not to be optimised."""

from __future__ import annotations

import pytest
from unoptimised import optimise_nothing

optimise_nothing(pytest.MonkeyPatch())
