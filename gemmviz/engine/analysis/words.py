"""How a person hears of what Numba compiles once for all kernels. Loads no Numba."""

from __future__ import annotations

COMPILING = "compiling the analysis"
"""How such words begin. It is no kernel's own time."""
