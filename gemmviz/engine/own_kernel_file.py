"""A person's own kernel file as a kernel, with what only CUDA can run in it found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import described_kernel, load_user_kernel, read_source
from gemmviz.domain.device import CUDA
from gemmviz.domain.terms import Language

_CHECK_LIMIT_S = 10.0
_MOST_CHECKED = 100_000
"""Characters of a source that is checked: a longer one takes seconds, and its compiler reports what is wrong."""


def load_own_kernel(
    path: Path, options: Mapping[str, Any] | None = None, params: Mapping[str, tuple[int, ...]] | None = None
) -> Kernel:
    """The kernel in a person's own file. It needs CUDA where its header or, beyond what gemmviz translates to
    OpenCL C, its source says so. `options` and `params` as of `load_user_kernel`.

    Raises:
        HeaderError: as `load_user_kernel`.
    """
    return _with_needs(load_user_kernel(path, options, params))


def load_described_kernel(path: Path, description: str) -> Kernel:
    """The kernel in a file that a TOML text describes which lies in no file.

    Raises:
        HeaderError: the file cannot be read, or the description is wrong.
    """
    return _with_needs(described_kernel(path, read_source(path), description))


def _with_needs(kernel: Kernel) -> Kernel:
    if kernel.language is not Language.CUDA or kernel.needs_cuda or len(kernel.text) > _MOST_CHECKED:
        return kernel
    use = _use_beyond_opencl(kernel)
    return replace(kernel, requires=(CUDA, *kernel.requires), cuda_use=use) if use else kernel


def _use_beyond_opencl(kernel: Kernel) -> str:
    """What in a kernel only CUDA has ("line 18 uses __shfl_down_sync"), "" if nothing, or if it does not compile."""
    # Imported here: a window and a command without own kernels start without the parser.
    from gemmviz.backends.base import BackendError
    from gemmviz.backends.compile_limit import within_limit
    from gemmviz.backends.dialect.beyond import BeyondDialectError
    from gemmviz.backends.dialect.opencl_c import to_work_items
    from gemmviz.backends.dialect.tree import depth_refused, parse

    def translate() -> None:
        with depth_refused(kernel.path):
            to_work_items(parse(kernel.path, kernel.text), kernel.entry)

    try:
        within_limit(translate, _CHECK_LIMIT_S)
    except BeyondDialectError as error:
        return error.use
    except BackendError:
        return ""
    return ""
