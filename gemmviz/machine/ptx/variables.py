"""Variables and parameters that a PTX text declares, with their sizes and initial values.

Syntax: NVIDIA, PTX ISA, "State Spaces, Types, and Variables".
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from gemmviz.domain.recordings.warp import LANES

_TYPE_BYTES = {"8": 1, "16": 2, "32": 4, "64": 8, "128": 16}
_DECLARATION = re.compile(
    r"(?:\.(?P<linkage>visible|weak|extern|common)\s+)*\.(?P<space>global|const|shared|local|param)\b\s*"
    r"(?:\.attribute\([^)]*\)\s*)?(?:\.align\s+(?P<align>\d+)\s*)?(?:\.attribute\([^)]*\)\s*)?(?:\.v(?P<vector>[24])\s+)?"
    r"\.(?P<type>[a-z]+)(?P<bits>\d+)\s+(?:\.ptr\b(?:\s*\.(?:global|shared|local|const))?(?:\s*\.align\s+\d+)?\s*)?"
    r"(?P<name>[\w$%]+)(?P<sizes>(?:\[\d*\])*)\s*(?:=\s*(?P<initial>.*))?$",
    re.DOTALL,
)
_WORD = re.compile(r"[\w.$+-]+(?:\([\w$]+\))?")
_BYTE_OF_ADDRESS = re.compile(r"0[xX][fF]{2}(?P<zeros>0*)\((?P<name>[\w$]+)\)")
"""One byte of an address, as packed structures have them, all eight one behind the other: 0xFF00(name) is the second.
"""
_LOCAL = re.compile(r"_ZZ.*E(?P<rest>\d+\w+)$")
_GLOBAL = re.compile(r"_Z(?:N[VK]*)?(?P<rest>(?:\d+\w+)+?)E?$")
_WARP_SZ = "WARP_SZ"
"""The one constant that PTX defines by name: the threads of a warp."""
_FORMATS = {1: "<B", 2: "<H", 4: "<I", 8: "<Q"}


@dataclass(frozen=True, slots=True)
class PtxVariable:
    """A named piece of memory. `nbytes` is None where only the launch says how much there is.

    `initial` are the bytes that it begins with; `addresses` are offsets within them at which the 64-bit address of
    another variable or of a function belongs. `element_bytes` are those of the type that is declared.
    """

    name: str
    space: str
    nbytes: int | None
    alignment: int
    initial: bytes = b""
    addresses: tuple[tuple[int, str], ...] = ()
    element_bytes: int = 1


def variable_name(symbol: str) -> str:
    """What the source calls a variable outside the registers: "_ZZ11sgemm_tiledE2As" is As."""
    match = _LOCAL.match(symbol) or _GLOBAL.match(symbol)
    if match is None:
        return symbol
    rest, name = match["rest"], symbol
    while (digits := re.match(r"\d+", rest)) is not None:
        begin, length = digits.end(), int(digits[0])
        name, rest = rest[begin : begin + length], rest[begin + length :]
    return name


def read_variable(words: str) -> PtxVariable | None:
    """The variable that a declaration without its semicolon names; None for any other text."""
    match = _DECLARATION.match(words.strip())
    if match is None:
        return None
    width = _TYPE_BYTES[match["bits"]] * int(match["vector"] or 1)
    sizes = re.findall(r"\[(\d*)\]", match["sizes"])
    nbytes: int | None = width
    for size in sizes:
        nbytes = None if nbytes is None or not size else nbytes * int(size)
    initial, addresses = _initial(match["initial"] or "", _TYPE_BYTES[match["bits"]])
    if nbytes is None and initial:
        nbytes = len(initial)
    alignment = int(match["align"] or width)
    return PtxVariable(match["name"], match["space"], nbytes, alignment, initial, tuple(addresses), width)


@lru_cache(maxsize=8)
def module_variables(text: str) -> tuple[PtxVariable, ...]:
    """The variables that a PTX text declares outside its functions, in their order."""
    return tuple(_module_variables(text))


def _module_variables(text: str) -> Iterator[PtxVariable]:
    depth, begin = 0, 0
    plain = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)
    for match in re.finditer(r"[{};]", plain):
        if match[0] == "{":
            if depth == 0 and "=" not in plain[begin : match.start()]:
                begin = -1  # a function's body, not an initialiser
            depth += 1
        elif match[0] == "}":
            depth -= 1
            if depth == 0 and begin < 0:
                begin = match.end()
        elif depth == 0:
            declared = plain[begin : match.start()].strip()
            declared = declared[declared.rfind("\n.") + 1 :] if not declared.startswith(".") else declared
            for line in re.split(r"\n(?=\s*\.)", declared):
                variable = read_variable(line)
                if variable is not None:
                    yield variable
            begin = match.end()


def parameters_of(declared: str | None) -> tuple[PtxVariable, ...]:
    """The parameters in the parentheses behind a function's name, in their order."""
    found = (read_variable(part) for part in _parts(declared or ""))
    return tuple(variable for variable in found if variable is not None)


def _parts(declared: str) -> list[str]:
    return [part.strip().replace(".reg", ".param") for part in declared.split(",") if part.strip()]


def _initial(words: str, width: int) -> tuple[bytes, list[tuple[int, str]]]:
    """Bytes of an initialiser whose elements have `width` bytes, and which of them are addresses of variables."""
    made, addresses = bytearray(), []
    for word in _WORD.findall(words):
        value = number(word)
        masked = _BYTE_OF_ADDRESS.fullmatch(word)
        if masked is not None:
            addresses += [] if masked["zeros"] else [(len(made), masked["name"])]
            value = 0
        elif value is None:
            name = re.sub(r"^generic\((.*)\)$", r"\1", word)
            addresses.append((len(made), name))
            value = 0
        made += struct.pack(_FORMATS[width], value & ((1 << 8 * width) - 1))
    return bytes(made), addresses


def number(word: str) -> int | None:
    """The bits of an integer or floating-point literal, or of the constant WARP_SZ; None for anything else.

    >>> number("0f3F800000"), number("-1"), number("0x10U"), number("WARP_SZ"), number("%r1")
    (1065353216, -1, 16, 32, None)
    """
    if word.lstrip("+-") == _WARP_SZ:
        return -LANES if word.startswith("-") else LANES
    if (bits := re.fullmatch(r"0(?:[fF]([0-9a-fA-F]{8})|[dD]([0-9a-fA-F]{16}))", word)) is not None:
        return int(bits[1] or bits[2], 16)
    match = re.fullmatch(r"([+-]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[0-7]*|[1-9]\d*)U?", word)
    if match is not None:
        digits = match[2]
        base = 8 if re.fullmatch(r"0[0-7]+", digits) else 0
        value = int(digits, base)
        return -value if match[1] == "-" else value
    if re.fullmatch(r"[+-]?\d+\.\d*(?:[eE][+-]?\d+)?", word):
        return int(struct.unpack("<Q", struct.pack("<d", float(word)))[0])
    return None
