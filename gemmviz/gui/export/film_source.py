"""A recorded block made ready to be painted frame by frame, anywhere and in any thread."""

from __future__ import annotations

from dataclasses import dataclass

from gemmviz.catalogue.kernel_names import kernel_name
from gemmviz.domain.places import place_words
from gemmviz.domain.recordings.access import AccessKind, BlockTrace, Space
from gemmviz.domain.recordings.trace_run import TraceRun
from gemmviz.explain.block.arithmetic import Floats
from gemmviz.explain.requests.frame_facts import facts_of
from gemmviz.explain.requests.machine_requests import RequestCode, frames_in_code, machine_requests
from gemmviz.explain.requests.pairing import moments_of
from gemmviz.gui.memory.playing.making import make, with_terms
from gemmviz.gui.memory_view.block_analysis import BlockAnalysis
from gemmviz.gui.recording.block_names import Beside, block_words
from gemmviz.gui.recording.grids import Others
from gemmviz.trace.frames.frames import Frames, natural_mode
from gemmviz.trace.frames.plan import FrameMode


@dataclass(frozen=True, slots=True, eq=False)
class FilmSource:
    """The frames of one block in one mode, and what they are painted from. For one thread at a time, as Frames are.

    `a`, `b` and `c` are the numbers of the matrices, None where they are too large to be read or not known. `others`
    are x and y of the blocks of the same launch that are recorded, too.
    """

    run: TraceRun
    block: BlockTrace
    frames: Frames
    analysis: BlockAnalysis
    a: Floats | None
    b: Floats | None
    c: Floats | None
    others: Others = ()

    @property
    def words(self) -> str:
        """What was recorded: "tiled TILE=16 · Shared-memory tiles · 1037x1031x1055 · block (3, 1) · on NVIDIA H200,
        2026-11-22".
        """
        kernel, *where = block_words(self.run, self.block.block)
        place = f"on {place_words(self.run.device, self.run.finished)}"
        return " · ".join(filter(None, (kernel, kernel_name(self.run.spec.kernel).title, *where, place)))


def film_source_of(
    run: TraceRun,
    place: int = 0,
    mode: FrameMode | None = None,
    others: Others = (),
    code: RequestCode = RequestCode.SASS,
) -> FilmSource:
    """Make a block of a recording ready, by its place among those kept; in its natural mode for None. `others` are x
    and y of the blocks of its launch that are outlined with it. Warp requests are as `code` has them.

    Takes a while for a large trace.

    Raises:
        IndexError: the recording keeps no such block.
    """
    block = run.blocks[place].trace(run.sites, run.arrays)
    chosen = natural_mode(block) if mode is None else mode
    made = make(run, block, chosen, machine_requests(run, block), code)
    return FilmSource(run, block, made.frames, made.analysis, made.a, made.b, made.c, others)


def moments_beside(source: FilmSource, other: FilmSource, beside: Beside) -> tuple[list[int], list[int]]:
    """The frame of a source and of the one beside it at every moment of both, as the player counts them."""
    sides = (other, source) if beside.is_left else (source, other)
    left, right = (with_terms(facts_of(each.frames, ()), each.frames, each.analysis) for each in sides)
    frames = moments_of(left, right, beside.step).frames
    own, others = frames[::-1] if beside.is_left else frames
    return own.tolist(), others.tolist()


def counted(
    run: TraceRun, place: int = 0, mode: FrameMode | None = None, beside: Beside | None = None
) -> tuple[FrameMode, int, int]:
    """The mode, the number of frames and the telling one, counted from 1, of a block; in its natural mode for None.

    With a block `beside` it the moments of both are counted, and the first that shows the telling frame.

    Raises:
        IndexError: the recording keeps no such block.
    """
    if beside is not None:
        source = film_source_of(run, place, mode)
        own, _ = moments_beside(source, film_source_of(beside.run, beside.place, beside.mode), beside)
        return source.frames.mode, len(own), own.index(telling_frame(source.frames)) + 1
    block = run.blocks[place].trace(run.sites, run.arrays)
    chosen = natural_mode(block) if mode is None else mode
    frames = frames_in_code(run, block, chosen, machine_requests(run, block), RequestCode.SASS)
    return frames.mode, len(frames), telling_frame(frames) + 1


def telling_frame(frames: Frames) -> int:
    """The frame, counted from 0, that shows best what a kernel does: the middle one of those that load A or B."""
    loads = {
        site.line
        for site in frames.trace.sites
        if site.space is Space.GLOBAL and site.kind is AccessKind.LOAD and site.array in ("A", "B")
    }
    found = sorted({int(frame) for line in loads for frame in frames.frames_of_line(line)})
    return found[(len(found) - 1) // 2] if found else max(len(frames) - 1, 0) // 2
