"""Kernels that leave parts of a product in a workspace, which another kernel adds up (split K)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gemmviz.adopt.description import Description
from gemmviz.adopt.prove.search_log import SearchLog
from gemmviz.adopt.prove.searched_kernel import SearchedKernel
from gemmviz.adopt.sidecar import sidecar_text
from gemmviz.adopt.source.launches import FoundLaunch
from gemmviz.backends.base import BackendError
from gemmviz.catalogue.gpus import emulated
from gemmviz.catalogue.header import HeaderError
from gemmviz.catalogue.kernel import Refusal
from gemmviz.catalogue.loader import described_kernel
from gemmviz.domain.listing import listed
from gemmviz.domain.memory import MemoryRefusal
from gemmviz.domain.shape import Shape
from gemmviz.engine.examination import checked
from gemmviz.engine.messages import Conditions, Job
from gemmviz.measure.bench import Watch

_SHAPES = (Shape(33, 29, 40), Shape(64, 48, 96))
_RUN_S = 10.0
_OF_HOST_CODE = "its launch was taken from its host code, and the parts that it leaves were added at two sizes only"


def sums_in_workspace(searched: SearchedKernel, called: Description, log: SearchLog) -> tuple[Description, str] | None:
    """How a kernel is described whose blocks along z, as its host code launches them, each leave a part of every sum,
    one whole part behind the other, and why it is no product by itself; None where the parts do not add up to one.
    """
    if len(called.grid) < len("xyz") or called.grid[2] == "1":
        return None
    parts = replace(called, partial_sums=called.grid[2], unproven=_OF_HOST_CODE)
    log.tell_beside("adding up the parts that blocks along z leave")
    try:
        kernel = described_kernel(searched.path, searched.text, sidecar_text(parts))
        job = Job(kernel, kernel.params({}))
        for shape in _SHAPES:
            conditions = Conditions(shape, device=emulated().id, launch_limit_s=log.run_s(_RUN_S))
            if not checked(job, conditions, Watch()).passed:
                return None
    except (BackendError, HeaderError, MemoryRefusal, Refusal, ValueError):
        return None
    adders = _adders(searched, parts)
    who = f"{listed(adders)} {'adds' if len(adders) == 1 else 'add'}" if adders else "another kernel has to add"
    words = (
        f"it writes {called.grid[2]} partial products into a workspace, one behind the other, which {who} (split K), "
        "and gemmviz launches one kernel: added up on the host, they were the product at "
        f"{listed([str(shape) for shape in _SHAPES])}. Described with `partial_sums` it runs, and the host adds them"
    )
    return parts, words


def _adders(searched: SearchedKernel, parts: Description) -> list[str]:
    """The other kernels that host code gives what the result of this one is written to."""
    place = next((place for place, word in enumerate(parts.arguments) if word in ("C", "D")), -1)
    own = searched.source.launches_of(searched.kernel)
    given = {one.texts.arguments[place] for one in own if 0 <= place < len(one.texts.arguments)}
    return _named([one for one in searched.source.launches if one not in own and given & {*one.texts.arguments}])


def _named(launches: Sequence[FoundLaunch]) -> list[str]:
    return list(dict.fromkeys(one.kernel.rpartition("::")[2] for one in launches if one.kernel))
