"""A driver in facts."""

from __future__ import annotations

import pytest

from gemmviz.domain.runs.driver_words import driver_words

POCL = "OpenCL 3.0 PoCL 3.0-rc2  Linux, Release, RELOC, LLVM 14.0.6, SLEEF, DISTRO, POCL_DEBUG, driver 3.0-rc2"


@pytest.mark.parametrize(
    ("description", "words"),
    [
        (POCL, "OpenCL 3.0, PoCL 3.0-rc2, LLVM 14.0.6"),
        ("OpenCL 3.0 CUDA 12.4.131, driver 550.54.15", "OpenCL 3.0, CUDA 12.4.131, driver 550.54.15"),
        ("OpenCL 2.1 AMD-APP (3581.0), driver 3581.0 (HSA1.1,LC)", "OpenCL 2.1, driver 3581.0"),
        ("OpenCL 3.0 LINUX, driver 2023.16.7.0.21_160000", "OpenCL 3.0, driver 2023.16.7.0.21_160000"),
        ("Python 3.11.4", "Python 3.11.4"),
        ("  something   else ", "something else"),
        ("", ""),
    ],
)
def test_that_only_what_has_a_version_is_told(description: str, words: str) -> None:
    assert driver_words(description) == words
