"""The debug information of PTX: what NVIDIA's compiler writes, and what is refused when it is damaged."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path
from typing import NoReturn

import pytest

from gemmviz.catalogue.loader import load_catalogue
from gemmviz.compiler.nvidia.nvrtc import compile_cuda
from gemmviz.compiler.source import SOURCE_NAME, Source
from gemmviz.domain.recordings.variables import Scalar
from gemmviz.domain.terms import CodeForm, Language
from gemmviz.machine.debug_info import sections
from gemmviz.machine.debug_info.entries import Attribute, DebugTag, read_entries
from gemmviz.machine.debug_info.sections import DebugInfoError, read_sections
from gemmviz.machine.debug_info.variables import InLocalMemory, InRegister, SourceVariable, read_variables
from gemmviz.machine.ptx.parse import parse
from gemmviz.trace.ptx.decoding.expand import Expander
from gemmviz.trace.ptx.probing.probes import find_probes
from gemmviz.trace.ptx.probing.sites import sites_of
from gemmviz.trace.ptx.probing.variable_plan import plan_variables
from gemmviz.trace.ptx.variable_recorder import VariableRecorder

TYPES = """
enum Mode { ROW, COLUMN };
struct Base { short tag; };
struct Point : Base { float x; double y[2]; struct { unsigned char r; } colour; };
extern "C" __global__ void mine(const float *A, float *C, unsigned long long n)
{
    Mode mode = threadIdx.x & 1 ? ROW : COLUMN;
    Point points[2];
    long matrix[2][3];
    float *aliases[2] = {C, C + 1};
    points[threadIdx.x & 1].y[1] = A[0];
    matrix[threadIdx.x & 1][2] = n;
    __syncthreads();
    *aliases[threadIdx.x & 1] = points[0].y[1] + matrix[1][2] + mode;
}
"""


@pytest.fixture(scope="module", autouse=True)
def _compiler(nvrtc: None) -> None:
    del nvrtc


@cache
def compiled(text: str, entry: str) -> str:
    source = Source(Path("kernel.cu"), text, entry, Language.CUDA)
    return compile_cuda(source, "sm_90a", CodeForm.AS_WRITTEN).ptx


def of_tiled() -> str:
    return compiled(load_catalogue().get("tiled").text.replace("TILE", "16"), "sgemm_tiled")


def named(variables: tuple[SourceVariable, ...], name: str) -> SourceVariable:
    (found,) = (one for one in variables if one.name == name)
    return found


def test_that_types_are_taken_apart_into_scalars_at_their_places() -> None:
    found = read_variables(compiled(TYPES, "mine"))
    points = named(found, "points")
    assert points.type == "Point[2]"
    assert [(one.path, one.scalar, one.nbytes, one.offset, one.shape) for one in points.leaves] == [
        (f"[{number}]{path}", scalar, nbytes, 32 * number + offset, shape)
        for number in range(2)
        for path, scalar, nbytes, offset, shape in (
            (".tag", Scalar.SIGNED, 2, 0, ()),
            (".x", Scalar.FLOAT, 4, 4, ()),
            (".y", Scalar.FLOAT, 8, 8, (2,)),
            (".colour.r", Scalar.UNSIGNED, 1, 24, ()),
        )
    ]
    assert isinstance(points.locations[0].where, InLocalMemory)
    assert [(one.scalar, one.nbytes, one.shape) for one in named(found, "matrix").leaves] == [
        (Scalar.SIGNED, 8, (2, 3))
    ]
    assert (named(found, "matrix").type, named(found, "aliases").type) == ("long[2][3]", "float *[2]")
    assert named(found, "aliases").leaves[0].scalar is Scalar.POINTER
    assert (named(found, "mode").type, named(found, "mode").leaves[0].nbytes) == ("Mode", 4)
    assert (named(found, "n").type, named(found, "n").leaves[0].scalar) == ("unsigned long long", Scalar.UNSIGNED)
    assert named(found, "A").type == "const float *"


def test_that_a_variable_moves_from_register_to_register() -> None:
    text = of_tiled()
    acc = named(read_variables(text), "acc")
    assert acc.line == next(
        n for n, line in enumerate(load_catalogue().get("tiled").text.splitlines(), 1) if "acc = 0" in line
    )
    places = [one.where for one in acc.locations]
    assert all(isinstance(one, InRegister) and one.name.startswith("%f") for one in places)
    assert len(set(map(str, places))) > 3
    ends = [one.end for one in acc.locations]
    assert ends[:-1] == [one.begin for one in acc.locations[1:]]
    assert acc.where(acc.locations[0].begin - 1) is None
    assert acc.where(acc.locations[2].begin) == places[2]


def test_that_code_without_debug_information_has_no_variables() -> None:
    text = of_tiled()
    bare = text[: text.index("\t.section\t.debug")]
    assert read_variables(bare) == ()
    assert plan_variables(parse(bare, SOURCE_NAME), "sgemm_tiled", (), ()).variables == []


BROKEN = {
    "a section is cut": lambda text: re.sub(r"(\.section\t\.debug_info\n\t\{\n(?:[^\n]*\n){40})[^}]*\}", r"\1}", text),
    "the abbreviations are missing": lambda text: re.sub(r"\.section\t\.debug_abbrev\n\t\{[^}]*\}", "", text),
    "the locations are missing": lambda text: re.sub(r"\.section\t\.debug_loc\n\t\{[^}]*\}", "", text),
    "a label is missing": lambda text: text.replace("$L__tmp7:", ""),
    "another version": lambda text: re.sub(r"(\.section\t\.debug_info\n\t\{\n[^\n]*\n)\.b8 2", r"\1.b8 9", text),
    "words instead of numbers": lambda text: re.sub(r"(\.section\t\.debug_info\n\t\{\n)", r"\1.b8 many\n", text),
    "an instruction among the data": lambda text: re.sub(r"(\.section\t\.debug_info\n\t\{\n)", r"\1ret;\n", text),
    "a length beyond the end": lambda text: re.sub(
        r"(\.section\t\.debug_info\n\t\{\n)[^\n]*", r"\1.b32 4294967295", text
    ),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_that_damaged_debug_information_is_refused(fault: str) -> None:
    text = of_tiled()
    broken = BROKEN[fault](text)
    assert broken != text
    with pytest.raises(DebugInfoError):
        read_variables(broken)


def test_that_debug_information_of_any_bytes_is_read_or_refused() -> None:
    text, chance = of_tiled(), random.Random(7)
    lines = text.splitlines()
    data = [number for number, line in enumerate(lines) if re.match(r"\.b(8|32|64) ", line)]
    outcomes = set()
    for _ in range(400):
        changed = list(lines)
        for number in chance.sample(data, chance.randint(1, 4)):
            width = chance.choice((8, 8, 8, 32, 64))
            changed[number] = f".b{width} {chance.randrange(1 << chance.choice((3, 8, width)))}"
        broken = "\n".join(changed)
        try:
            read_variables(broken)
            plan_variables(parse(broken, SOURCE_NAME), "sgemm_tiled", (), ())
            outcomes.add("read")
        except DebugInfoError:
            outcomes.add("refused")
    assert outcomes == {"read", "refused"}


def test_that_types_which_contain_themselves_are_refused() -> None:
    text = of_tiled()
    entries = read_entries(read_sections(text))
    constant = next(one for one in entries.by_offset.values() if one.tag == DebugTag.CONSTANT)
    info = re.search(r"\.section\t\.debug_info\n\t\{\n([^}]*)\}", text)
    assert info is not None
    wanted = constant.number(Attribute.TYPE)
    place = text.index(f".b32 {wanted}\n", text.index(".b8 9\n", info.start(1)))
    looped = text[:place] + text[place:].replace(f".b32 {wanted}\n", f".b32 {constant.offset}\n", 1)
    with pytest.raises(DebugInfoError, match="parts"):
        read_variables(looped)


def test_that_a_flood_of_debug_information_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sections, "MOST_BYTES", 100)
    with pytest.raises(DebugInfoError, match="more than 100 bytes"):
        read_variables(of_tiled())


def _not_run(*_: object) -> NoReturn:
    pytest.fail("nothing runs where nothing is watched")


def test_that_a_recording_goes_on_without_values_where_debug_information_is_damaged() -> None:

    text = BROKEN["a length beyond the end"](of_tiled())
    probed = find_probes(parse(text, SOURCE_NAME), "sgemm_tiled", tells_symbols=False)
    recorder = VariableRecorder(probed, {}, Expander(probed.probes, sites_of(probed), {}))
    trace, values = recorder.record(_not_run, (0, 0, 0), 256, 8, _not_run)
    assert trace is None
    assert values.note == (
        "The values of variables are not recorded: a unit of the debug information claims 4294967295 bytes."
    )
