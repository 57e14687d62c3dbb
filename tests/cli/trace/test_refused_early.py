"""What is refused is refused before what records is loaded."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

RUN = """
import sys
from gemmviz.__main__ import main
sys.argv = ["gemmviz", "trace", "--kernel-file", sys.argv[1], "--size", "8x8x8"]
try:
    code = main()
except SystemExit as error:
    code = error.code
print(code, "numba" in sys.modules)
"""


def test_that_a_file_that_is_too_large_is_refused_without_loading_numba(tmp_path: Path) -> None:
    path = tmp_path / "large.cu"
    path.write_bytes(b"// " + b"x" * (2 << 20))
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(path)], capture_output=True, text=True, timeout=90, check=True
    )
    assert "has more than 2097152 bytes" in done.stderr
    assert done.stdout.split() == ["2", "False"]
