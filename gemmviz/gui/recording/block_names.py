"""The recorded blocks of a session by name: which there are, what they are called, what their files are. No Qt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count as count_from

from gemmviz.domain.figures import count
from gemmviz.domain.kernels.version_names import VersionNames, number_alone
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.domain.runs.result import Session
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Params, format_params
from gemmviz.domain.terms import CodeForm
from gemmviz.explain.block.heat_maps import HeatKind
from gemmviz.explain.requests.machine_requests import RequestCode
from gemmviz.explain.requests.pairing import PairStep
from gemmviz.explain.requests.selection import NOTHING, Selection
from gemmviz.explain.source.recordings_beside import NameBeside, NamesBeside, names_beside
from gemmviz.gui.recording.grids import Others, Playable, block_title, grids_of, recorded_with
from gemmviz.trace.frames.plan import FrameMode

Block = tuple[int, int, int]
SIZES_DIFFER = "The sizes differ: the totals cannot be compared"


@dataclass(frozen=True, slots=True)
class BlockName:
    """A recorded block whose trace a session keeps: its recording and its place there, and the stem of its files.

    `others` are x and y of the blocks of its launch that the session keeps.
    """

    recording: int
    place: int
    block: Block
    stem: str
    title: str
    others: Others = ()


@dataclass(frozen=True, slots=True, eq=False)
class Beside:
    """A block that stands beside another one: by its place in a recording, in a mode, and how the two keep step.

    `names` are that of the other block and its own; `selection` is what is chosen in it. `moment` is what both show,
    from 0, of all `moments` that the player counts.
    """

    run: TraceRun
    place: int
    mode: FrameMode | None
    step: PairStep
    names: NamesBeside
    is_left: bool = False
    selection: Selection = NOTHING
    moment: int = 0
    moments: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Watched:
    """What a person looks at: a block of a recording, by its place there, and frame `index`, from 0, of `count`.

    `selection` is the element, thread or warp that is chosen in it, `beside` what it is compared with. Warp requests of
    both are shown as `code` has them.
    """

    run: TraceRun
    place: int
    index: int
    count: int
    mode: FrameMode
    heat: HeatKind = HeatKind.NONE
    selection: Selection = NOTHING
    beside: Beside | None = None
    code: RequestCode = RequestCode.SASS

    @property
    def shown(self) -> int:
        """What the player shows, from 0: of two pictures the moment, of one its frame."""
        return self.index if self.beside is None else self.beside.moment

    @property
    def shown_of(self) -> int:
        """How many moments or frames the player counts."""
        return self.count if self.beside is None else self.beside.moments


def recorded_block_names(session: Session) -> tuple[BlockName, ...]:
    """All of them, in order; of a kernel that is there in both forms, or in several versions, every title says which it
    is.

    A stem says kernel, size and block: "tiled_64x64x32_memory_block_3_1". Where that is not one's own it has the
    parameters, the form and the version as well, and if need be a number.
    """
    found: list[BlockName] = []
    plain = Counter(_stem(run, stored.block) for run in session.traces for stored in run.blocks)
    taken = set[str]()
    names = session.version_names
    forms: dict[tuple[str, Params, Shape], set[CodeForm]] = {}
    versions: dict[tuple[str, Params, Shape], set[str]] = {}
    for run in session.traces:
        key = run.spec.kernel, run.spec.params, run.spec.shape
        forms.setdefault(key, set()).add(run.form)
        versions.setdefault(key, set()).add(names.of_recording(run))
    grids = grids_of(session.traces)
    for recording, run in enumerate(session.traces):
        others = recorded_with(grids, run)
        key = run.spec.kernel, run.spec.params, run.spec.shape
        version = names.of_recording(run) if len(versions[key]) > 1 else ""
        form = str(run.form) if len(forms[key]) > 1 else ""
        for place, stored in enumerate(run.blocks):
            says_all = plain[_stem(run, stored.block)] > 1
            stem = _stem(run, stored.block, says_all=says_all, version=number_alone(version))
            numbered = (f"{stem}_{number}" for number in count_from(2))
            stem = stem if stem not in taken else next(name for name in numbered if name not in taken)
            taken.add(stem)
            title = ", ".join(filter(None, (*block_words(run, stored.block), form, version)))
            found.append(BlockName(recording, place, stored.block, stem, title, others))
    return tuple(found)


def watched_block_name(session: Session, watched: Watched) -> BlockName | None:
    """The recorded block that a person looks at; None where the session does not keep it."""
    names = recorded_block_names(session)
    return next(
        (one for one in names if one.place == watched.place and session.traces[one.recording] is watched.run), None
    )


def watched_stem(session: Session, watched: Watched) -> str:
    """The stem of the files of the block that a person looks at."""
    name = watched_block_name(session, watched)
    return name.stem if name is not None else _stem(watched.run, watched.run.blocks[watched.place].block)


def still_stem(stem: str, beside: Beside | None, number: int) -> str:
    """The name of a picture of one frame of a block, or of a moment with the block `beside`, without suffix; `number`
    counts from 1: "tiled_64x64x32_memory_block_3_1_and_naive_moment_7".
    """
    return f"{stem_beside(stem, beside)}_{counted_word(beside)}_{number}"


def _stem(run: TraceRun, block: Block, *, says_all: bool = False, version: str = "") -> str:
    params = [f"{name}{value}" for name, value in run.spec.params] if says_all else []
    facts = [file_word(each) for each in (str(run.form), version) if each and says_all]
    at = map(str, _short(block))
    return "_".join((file_word(run.spec.kernel), *params, str(run.spec.shape), *facts, "memory_block", *at))


def picture_title(run: TraceRun) -> str:
    """What stands above a picture of a recording that is alone: "tiled TILE=16"."""
    return f"{run.spec.kernel} {format_params(run.spec.params)}".strip()


def picture_names(first: Playable, second: Playable, names: VersionNames) -> NamesBeside:
    """The names of two blocks that stand beside each other; `names` are those of the session's versions."""
    return names_beside(first.run, second.run, names, (block_title(first), block_title(second)))


def totals_words(run: TraceRun, beside: TraceRun | None) -> str:
    """What the totals below a picture count, where those of the picture `beside` it count something else; else ""."""
    if beside is None:
        return ""
    if run.spec.shape != beside.spec.shape:
        return SIZES_DIFFER
    if run.blocks_in_grid == beside.blocks_in_grid:
        return ""
    return f"Totals of {'the only block' if run.blocks_in_grid == 1 else f'1 of {count(run.blocks_in_grid)} blocks'}"


def block_words(run: TraceRun, block: Block) -> tuple[str, str, str]:
    """What was recorded: "tiled TILE=16", "64×48×32", "block (3, 1)"."""
    return picture_title(run), run.spec.shape.words, f"block ({', '.join(map(str, _short(block)))})"


def file_word(kernel: str) -> str:
    """A kernel's name as a part of a file's, whatever a person called it."""
    return "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in kernel)[:40]


def table_prefix(traces: Sequence[TraceRun]) -> str:
    """What the names of the tables' files begin with: "tiled-", or "naive_and_tiled-" as films of two; "" where more
    kernels were recorded.
    """
    kernels = list(dict.fromkeys(run.spec.kernel for run in traces))
    return f"{'_and_'.join(map(file_word, kernels))}-" if 1 <= len(kernels) <= 2 else ""


_MOST_OF_KERNEL = 24
"""Letters of a kernel's name in the name of a file with the size and another kernel in it."""


def file_title(run: TraceRun, names: NamesBeside | None, what: str) -> str:
    """The stem of a file of a recording, 80 letters at most: "tiled_64x64x64_banks", and of two beside each other, by
    their names, "naive_and_tiled_16x16x16_frame_3" or "tiled_version_2_and_version_1_16x16x16_frame_3".
    """
    kernel = file_word(run.spec.kernel)[:_MOST_OF_KERNEL]
    told = [_file_words(name)[:_MOST_OF_KERNEL] for name in names or ()]
    kernels = {name.kernel.partition(" ")[0] for name in names or ()}
    words = [*([kernel] if len(kernels) < 2 else []), "_and_".join(told)]
    return f"{'_'.join(filter(None, (*words, str(run.spec.shape))))}_{what}"[:80]


def stem_beside(stem: str, beside: Beside | None) -> str:
    """The stem of the files of a block, with what tells the one beside it from it, where there is one: its kernel, or
    of the same kernel its version, say. The names are in the order of the pictures, and a kernel comes first.
    """
    if beside is None:
        return stem
    other, kernel = _file_words(beside.names[1]), file_word(beside.run.spec.kernel)
    if not beside.is_left:
        return f"{stem}_and_{other}"
    return f"{other if other.startswith(kernel) else f'{kernel}_{other}'}_and_{stem}"


def counted_word(beside: Beside | None) -> str:
    """What the player counts: the moments of two pictures, the frames of one."""
    return "frame" if beside is None else "moment"


def _file_words(name: NameBeside) -> str:
    """What tells a recording from another one as a part of a file's name, without what changes with the next save."""
    return "_".join(file_word(number_alone(each).replace("=", "")) for each in name.apart)


def _short(block: Block) -> tuple[int, ...]:
    """Without z where there is none."""
    return block if block[2] else block[:2]
