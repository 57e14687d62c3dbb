"""What a kernel is called wherever a person reads it: its id first, its title muted beside or below the id."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import load_catalogue
from gemmviz.domain.visible_text import make_visible


@dataclass(frozen=True, slots=True)
class KernelName:
    """A kernel's id, and its title, "" where no title is known. Where there is no room for both, the id stands alone
    and the title goes to the tooltip.
    """

    id: str
    title: str = ""

    def __post_init__(self) -> None:
        make_visible(self, "id", "title")

    @property
    def words(self) -> str:
        """Both in one line: "tiled · Shared-memory tiles"."""
        return f"{self.id} · {self.title}" if self.title else self.id


def kernel_name(kernel: Kernel | str) -> KernelName:
    """The name of a kernel, or of the id that a session keeps. A session keeps no titles: an id has the title of the
    shipped kernel, and a person's own kernel has none.
    """
    if isinstance(kernel, Kernel):
        return KernelName(kernel.id, kernel.title)
    return KernelName(kernel, _shipped_titles().get(kernel, ""))


def place_in_catalogue(kernel: str) -> int:
    """The place of a shipped kernel among all, the simplest first; a person's own kernel has the one behind them."""
    titles = _shipped_titles()
    return next((place for place, known in enumerate(titles) if known == kernel), len(titles))


@cache
def _shipped_titles() -> Mapping[str, str]:
    return {kernel.id: kernel.title for kernel in load_catalogue().kernels}
