"""What the kernel list shows, row by row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.kernel_names import KernelName
from gemmviz.catalogue.loader import Catalogue, is_shipped
from gemmviz.catalogue.recordable import why_not_recorded
from gemmviz.domain.visible_text import make_visible
from gemmviz.gui.commands.ranking import singular
from gemmviz.gui.kernels.availability import LACKS, Availability
from gemmviz.gui.work.experiment import Experiment

ON_DEVICE, ON_CPU, ON_TENSOR_CORES, OWN = "On the device", "On the CPU", "On tensor cores", "Your own"


@dataclass(frozen=True, slots=True)
class KernelRow:
    """One kernel; or a heading, whose `id` is "" and which has nothing but a title.

    `number` is the place in the lesson, from 1, or 0 for a kernel that has none there. `mark` is a word for why it
    cannot run, `reason` the sentence, both "" for one that can. `recording` is why it cannot be recorded, "" if it can.
    `is_own` is for a person's own file, `is_compared` for one that runs beside the chosen one.
    """

    title: str
    id: str = ""
    number: int = 0
    teaches: str = ""
    file: str = ""
    is_own: bool = False
    is_compared: bool = False
    mark: str = ""
    reason: str = ""
    recording: str = ""

    def __post_init__(self) -> None:
        make_visible(self, "title", "teaches", "file", "mark", "reason", "recording")

    @property
    def lacks_hardware(self) -> bool:
        """Whether it cannot run because the device is of another kind, whatever is set up."""
        return self.mark.startswith(LACKS)

    @property
    def is_heading(self) -> bool:
        return not self.id

    @property
    def name(self) -> str:
        """Id and title, as everywhere; of a heading the title."""
        return KernelName(self.id, self.title).words if self.id else self.title

    @property
    def tooltip(self) -> str:
        return "\n".join(line for line in (self.name, self.teaches, self.file, self.reason) if line)

    @property
    def spoken(self) -> str:
        """The row for a screen reader, in one sentence."""
        if self.is_heading:
            return self.title
        parts = (
            f"{self.number or ''} {self.name}".strip(),
            "own file" if self.is_own else "",
            "compared" if self.is_compared else "",
            self.mark,
        )
        return ", ".join(part for part in parts if part)


def rows_of(
    catalogue: Catalogue, experiment: Experiment, availability: Mapping[str, Availability]
) -> tuple[KernelRow, ...]:
    """The kernels in lesson order under headings, and behind them those that gemmviz does not bring.

    The latter are a person's own; they have no place in the lesson, so its numbers stay whatever is taken in.
    """
    rows: dict[str, list[KernelRow]] = {ON_CPU: [], ON_DEVICE: [], ON_TENSOR_CORES: [], OWN: []}
    number = 0
    for kernel in catalogue.kernels:
        found, is_own = availability.get(kernel.id, Availability()), not is_shipped(kernel)
        number += not is_own
        row = KernelRow(
            kernel.title if kernel.title != kernel.id else "",
            kernel.id,
            0 if is_own else number,
            kernel.teaches,
            file_words(kernel) if is_own else "",
            is_own,
            kernel.id in experiment.compared,
            found.word,
            found.reason,
            why_not_recorded(kernel),
        )
        rows[OWN if is_own else _heading_of(kernel)].append(row)
    return tuple(row for title, below in rows.items() if below for row in (KernelRow(title), *below))


def matching(rows: Sequence[KernelRow], query: str, *, only_runnable: bool = False) -> tuple[KernelRow, ...]:
    """The kernels that have every word of `query` in id, title, heading or what they teach, below their headings; a
    plural is found in other forms too.

    One whose id is the whole query comes first, with the others of its heading. With `only_runnable` those that cannot
    run as things are set up are left out.
    """
    words, heading = query.casefold().split(), KernelRow("")
    below: dict[KernelRow, list[KernelRow]] = {}
    for row in rows:
        if row.is_heading:
            heading = row
            continue
        text = f"{row.id} {row.title} {heading.title} {row.teaches}".casefold()
        if all(singular(word) in text for word in words) and not (only_runnable and row.mark):
            below.setdefault(heading, []).append(row)

    def is_other(row: KernelRow) -> bool:
        return [row.id.casefold()] != words

    found = list[KernelRow]()
    for head in sorted(below, key=lambda head: all(map(is_other, below[head]))):
        found += ([head] if head.title else []) + sorted(below[head], key=is_other)
    return tuple(found)


def _heading_of(kernel: Kernel) -> str:
    if kernel.runs_on_host:
        return ON_CPU
    return ON_TENSOR_CORES if kernel.arithmetic.is_of_tensor_cores else ON_DEVICE


def file_words(kernel: Kernel) -> str:
    """The file of a person's own kernel: "File mine.cu."; "" for one that gemmviz brings."""
    return "" if is_shipped(kernel) else f"File {kernel.path.name}."


def title_among(kernel: Kernel, kernels: Sequence[Kernel]) -> str:
    """A kernel's title, with its file where another of the kernels has the same one."""
    is_alone = all(other.title != kernel.title for other in kernels if other.id != kernel.id)
    return kernel.title if is_alone else f"{kernel.title} · {kernel.path.name}"
