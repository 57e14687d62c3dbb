"""What every test shares."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("gemmviz", deadline=None)  # the first call of a compiled function includes its compilation
settings.load_profile("gemmviz")
