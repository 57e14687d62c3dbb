"""What a backend compiles of a kernel whose launch is planned."""

from __future__ import annotations

from pathlib import Path

from gemmviz.backends.base import Source
from gemmviz.catalogue.kernel import Kernel, Plan
from gemmviz.catalogue.languages.file_constants import with_values
from gemmviz.catalogue.loader import is_shipped
from gemmviz.domain.terms import Language


def kernel_source(kernel: Kernel, plan: Plan) -> Source:
    """The source of a kernel with all that compilers are told besides."""
    replaced = {name: value for name, value in plan.defines if name in kernel.replaces}
    return Source(
        path=_path(kernel),
        text=with_values(kernel.text, replaced),
        entry=plan.entry,
        language=kernel.language,
        defines=tuple(one for one in plan.defines if one[0] not in replaced),
        requires=kernel.requires,
        is_foreign=not is_shipped(kernel),
        listing=kernel.listing.name if kernel.listing is not None else "",
        types=plan.types,
        threads=plan.launch.threads_per_block,
    )


def _path(kernel: Kernel) -> Path:
    """The file that lines of the source are those of, which is named where it does not compile."""
    if kernel.language is Language.CUDA and kernel.listing is not None:
        return kernel.path.parent / kernel.listing.name
    return kernel.path
