"""What was found out about a kernel: how it is compiled, called and launched, and what of it was proven."""

from __future__ import annotations

from dataclasses import dataclass, field

from gemmviz.adopt.host_launch import HostLaunch, LaunchRemedy, OpenLaunch
from gemmviz.catalogue.expressions import evaluate_whole
from gemmviz.catalogue.values.values_left_out import ValueLeftOut
from gemmviz.domain.kernels.call import OPERANDS, Storage
from gemmviz.domain.recordings.hazard import HazardKind, Mend
from gemmviz.domain.shape import Shape

FIRST_BETA, FIRST_ALPHA = 0.5, 1.5
"""What a description says of a kernel that takes alpha and beta: neither 0 nor 1, so that their places matter."""

ELEMENTS = "M * N"
"""The number of the result's elements, as a rule for sizes names it."""


@dataclass(frozen=True, slots=True)
class SizeRule:
    """What a dimension ("M") must be: a multiple of `multiple`, from `least` to `most`, where 0 is no bound. Of a
    kernel whose blocks take the elements of the result as they come it is their number that must be one ("M * N"); a
    product of two dimensions, or a number of tiles, may have a largest value, too.
    """

    dimension: str
    multiple: int = 1
    least: int = 1
    most: int = 0
    multiple_words: str = ""
    """The multiple over the kernel's parameters, where it depends on them; `multiple` is that of their defaults."""
    is_power: bool = False
    """Whether it must be a power of two."""
    is_loose: bool = False
    """Whether further sizes that are no multiples are right, too."""
    tile: int = 0
    """Sizes are right, too, whose number of tiles of this size is a multiple of `multiple // tile`; 0 for none."""
    beside: tuple[str, int] | None = None
    """A dimension, and the size up to which every size of this one is right beside it: ("N", 16)."""
    example: str = field(default="", compare=False)
    """The smallest size that it alone leaves out and that went wrong: "17x16x16"; "" where none is known."""
    fault: str = field(default="", compare=False)
    """What went wrong at the example."""
    remainders: tuple[int, ...] = ()
    """The remainders by its multiple that go wrong, where others than 0 are right: something is wrong in the kernel."""
    guarded: int = field(default=0, compare=False)
    """The line of a guard that no size needs which it allows, so that others seem to be meant, too; 0 for none."""

    @property
    def is_narrow(self) -> bool:
        """Whether it says more than of what one dimension is a multiple."""
        return self.is_power or bool(self.most) or self.least > self.multiple or self.dimension == ELEMENTS

    def allows(self, shape: Shape) -> bool:
        """Whether the dimension of a size is what it must be."""
        size = dimension_of(shape, self.dimension)
        if self.is_power and size & (size - 1):
            return False
        left = size % self.multiple
        is_multiple = (left not in self.remainders if self.remainders else not left) or (
            self.tile and -(-size // self.tile) % (self.multiple // self.tile) == 0
        )
        is_beside = self.beside is not None and dimension_of(shape, self.beside[0]) <= self.beside[1]
        return bool(is_multiple or is_beside) and size >= self.least and (not self.most or size <= self.most)


def dimension_of(shape: Shape, name: str) -> int:
    """A dimension of a size by its name, "M", "N" or "K", or the value of an expression over them, such as ELEMENTS."""
    sizes = {"M": shape.m, "N": shape.n, "K": shape.k}
    return sizes[name] if name in sizes else evaluate_whole(name, sizes)


@dataclass(frozen=True, slots=True)
class FoundHazard:
    """A hazard of a kernel: its kind, the lines of the accesses, one sentence about it, and what mends a race."""

    kind: HazardKind
    lines: tuple[int, ...]
    detail: str
    shown_by: str = "a recording"
    mend: Mend = Mend.UNKNOWN
    is_of_initial_c: bool = False
    """Whether an uninitialised read is one of what C begins with."""
    is_in_global_memory: bool = False
    is_within_warp: bool = False
    """Whether it is a race of threads of one warp, which may be the only one to come there."""

    @property
    def line(self) -> int:
        """The first of its lines."""
        return self.lines[0]

    @property
    def is_race(self) -> bool:
        """Whether results depend on an order of accesses that a GPU does not keep."""
        return self.kind is HazardKind.RACE or self.kind.is_between_blocks

    @property
    def is_unwritten_read(self) -> bool:
        """Whether it reads what nothing has been written to; what C begins with is not known yet."""
        return self.kind is HazardKind.UNWRITTEN_READ and not self.is_of_initial_c


@dataclass(frozen=True, slots=True)
class SweptParameter:
    """A parameter of a kernel, its values that were proven, and the one that it has where nobody chooses."""

    name: str
    choices: tuple[int, ...]
    default: int
    others: tuple[str, ...] = ()
    """Further parameters of its template and macros, which always have its value."""


Setting = tuple[tuple[str, int], ...]
"""Values of some parameters, by their names, none of them a default; the other parameters have theirs."""


@dataclass(frozen=True, slots=True)
class Description:
    """A kernel as a sidecar file describes it. Expressions are those of a header, over M, N, K and its parameters.

    `arguments` are in the order of the kernel's parameters; `equal` are pairs of dimensions that it takes for one.
    """

    entry: str
    template: tuple[str, ...]
    defines: tuple[tuple[str, int], ...]
    arguments: tuple[str, ...]
    storages: tuple[Storage, Storage, Storage, Storage]
    block: tuple[str, ...]
    grid: tuple[str, ...]
    shared_bytes: str = "0"
    adds_to_c: bool = False
    """Whether the product is added to what C holds, which no parameter scales."""
    times: float = 1.0
    """A constant of the kernel that the product is multiplied by, beside alpha where it takes one."""
    kept: float = 1.0
    """A constant of the kernel that C is multiplied by, beside beta where it takes one."""
    equal: tuple[tuple[str, str], ...] = ()
    order: tuple[str, str, str] | None = None
    """What is enough in the place of its one pair of equal dimensions: ("N", ">=", "K")."""
    fixed: tuple[tuple[str, int], ...] = ()
    """Dimensions that are constants of its source, and their values."""
    rules: tuple[SizeRule, ...] = ()
    parameters: tuple[SweptParameter, ...] = ()
    """Their values are right alone, or in one of the `settings`."""
    settings: tuple[Setting, ...] = ()
    """The settings in which the kernel is right, beside that of all defaults."""
    wrong_settings: tuple[tuple[Setting, str], ...] = ()
    """Settings of offered values that were tried and in which the kernel is wrong, each with how."""
    replaced: tuple[str, ...] = ()
    """Constants of the file that parameters take the place of, as their definitions begin: "#define TILE"."""
    tied: tuple[tuple[str, str], ...] = ()
    """Macros, each with the parameter whose value it always has."""
    values_left_out: tuple[ValueLeftOut, ...] = ()
    """Further values of parameters and of constants that were tried or could be, and why each is not offered."""
    hazards: tuple[FoundHazard, ...] = ()
    """What a recording of it shows, though results were right."""
    is_wrong_at_some: bool = False
    """Whether results were wrong at sizes that were tried, of a kernel that races: no rule tells them then."""
    is_searched_for_races: bool = True
    """Whether races were looked for at all."""
    unsearched: str = ""
    """Which races may be there all the same: "races between blocks were not looked for"; "" for none."""
    open_launches: tuple[OpenLaunch, ...] = ()
    """The launches in host code of which is not known whether they are right."""
    launched: tuple[HostLaunch, ...] = ()
    """How host code launches it where that differs, and results were right with it: races are looked for there, too."""
    is_coarse: bool = False
    """Whether results are less exact than `run` allows, as those of sums in half."""
    infinity: str = ""
    """Where an infinity makes results wrong ("an infinity in the last column of A … at 17x19x23"); "" for nowhere."""
    gaps: tuple[str, ...] = ()
    """What goes wrong where lines of a matrix are farther apart than they have to be, a sentence for each leading
    dimension ("with ldc larger than lines of C need, it writes to the gaps between lines of C, too").
    """
    unproven: str = ""
    """Where it comes from, if runs of the kernel did not prove it ("taken from its host code and the names of its
    parameters"); "" where they did.
    """
    partial_sums: str = "1"
    """How many parts of the result it leaves one behind the other, as an expression: the host adds them."""
    otherwise: str = ""
    """How host code launches it where that was not proven right, and why not: "line 9 launches tiles<32> with blocks of
    32 × 32 threads. With that launch it was not proven right: …".
    """
    otherwise_line: int = 0
    """The line of that launch; 0 for none."""
    otherwise_remedy: LaunchRemedy = LaunchRemedy.LAUNCH
    """What to do about it."""

    @property
    def is_proven(self) -> bool:
        """Whether runs proved it; else it is how the kernel is launched, which is known apart from what is wrong."""
        return not self.unproven

    def storage(self, name: str) -> Storage:
        """How A, B, C or D lies in memory."""
        return self.storages[OPERANDS.index(name)]

    @property
    def has_races(self) -> bool:
        """Whether its results depend on an order of accesses that a GPU does not keep."""
        return any(one.is_race for one in self.hazards)

    @property
    def doubtful_rules(self) -> tuple[SizeRule, ...]:
        """The rules that leave out sizes that the kernel seems to be meant for, and goes wrong at."""
        return tuple(one for one in self.rules if one.guarded or one.remainders)

    @property
    def defaults(self) -> dict[str, int]:
        """The values of its parameters where nobody chooses."""
        return {one.name: one.default for one in self.parameters}

    @property
    def has_alpha(self) -> bool:
        return "alpha" in self.arguments

    @property
    def has_beta(self) -> bool:
        return "beta" in self.arguments

    @property
    def result(self) -> str:
        """The matrix that is computed, C or D."""
        return "D" if "D" in self.arguments else "C"

    def scalings(self, alpha: float, beta: float) -> tuple[float, float]:
        """What the product and what C is multiplied by, for such values of the kernel's factors."""
        kept = self.kept * (beta if self.has_beta else 1.0) if self.reads_c else 0.0
        return self.times * (alpha if self.has_alpha else 1.0), kept

    @property
    def reads_c(self) -> bool:
        return self.has_beta or self.adds_to_c or self.kept != 1.0 or self.result == "D"

    @property
    def formula(self) -> str:
        """What it computes: "C = alpha·A·B + beta·C"."""
        product = f"{_times(self.times)}{'alpha·' if self.has_alpha else ''}A·B"
        held = f"{_times(abs(self.kept))}{'beta·' if self.has_beta else ''}C"
        added = f" {'-' if self.kept < 0 else '+'} {held}" if self.reads_c else ""
        return f"{self.result} = {product}{added}"


def _times(constant: float) -> str:
    return {1.0: "", -1.0: "-"}.get(constant, f"{constant:g}·")
