"""The blocks that a kernel's launch bounds allow: a GPU launches no others, and neither does the PTX machine."""

from __future__ import annotations

from math import prod

from gemmviz.backends.base import LaunchError
from gemmviz.catalogue.languages.ptx import block_of, needs_block
from gemmviz.domain.spec import Launch


def check_launch_bounds(ptx: str, symbol: str, launch: Launch) -> None:
    """See that a GPU launches a compiled kernel with such blocks: with at most as many threads as `.maxntid` names,
    whatever their shape, and with exactly the block of `.reqntid`.

    Raises:
        LaunchError: it does not.
    """
    bounds = tuple(map(int, block_of(ptx, symbol)))
    if not bounds:
        return
    if needs_block(ptx, symbol):
        x, y, z = (*bounds, 1, 1)[:3]
        if launch.block != (x, y, z):
            raise LaunchError(
                f"the kernel is compiled for blocks of {x} × {y} × {z} threads alone (`__block_size__`, "
                f"`reqd_work_group_size` or `.reqntid`), and a GPU refuses a launch with {_words(launch)}. Launch it "
                "with that block"
            )
    elif launch.threads_per_block > prod(bounds):
        raise LaunchError(
            f"the kernel's launch bounds (`__launch_bounds__` or `.maxntid`) allow {prod(bounds)} threads per block, "
            f"and a GPU refuses a launch with {_words(launch)}: {launch.threads_per_block} threads. Choose a smaller "
            "block, or raise the bound"
        )


def _words(launch: Launch) -> str:
    return " × ".join(map(str, launch.block))
