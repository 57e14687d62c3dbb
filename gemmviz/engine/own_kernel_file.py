"""A person's own kernel file as a kernel, with what only CUDA can run in it found."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import load_user_kernel
from gemmviz.domain.device import CUDA
from gemmviz.domain.terms import Language

_CHECK_LIMIT_S = 10.0
_MOST_CHECKED = 100_000
"""Characters of a source that is checked: a longer one takes seconds, and its compiler reports what is wrong."""


def load_own_kernel(path: Path) -> Kernel:
    """The kernel in a `.cu` or `.cl` file. It needs CUDA where its header or, beyond what gemmviz translates to
    OpenCL C, its source says so.

    Raises:
        HeaderError: as `load_user_kernel`.
    """
    kernel = load_user_kernel(path)
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
