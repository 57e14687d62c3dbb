"""What a backend compiles of a kernel whose launch is planned."""

from __future__ import annotations

from gemmviz.backends.base import Source
from gemmviz.catalogue.kernel import Kernel, Plan
from gemmviz.catalogue.loader import is_shipped


def kernel_source(kernel: Kernel, plan: Plan) -> Source:
    """The source of a kernel with all that compilers are told besides."""
    return Source(
        path=kernel.path,
        text=kernel.text,
        entry=plan.entry,
        language=kernel.language,
        defines=plan.defines,
        requires=kernel.requires,
        is_foreign=not is_shipped(kernel),
        listing=kernel.listing.name if kernel.listing is not None else "",
        types=plan.types,
        threads=plan.launch.threads_per_block,
    )
