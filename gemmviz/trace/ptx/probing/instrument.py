"""From a PTX text to one that writes down every access before it is made.

A warp that is recorded has a cell in memory: how many slots it has filled, how many it may, and where they lie. What
an instruction tells takes a slot for each value: a header (number of the value, mask of the lanes in its upper half)
and 32 words. The lanes that are there together (`activemask`) choose the lowest that takes part; it takes the slots
from the cell at once, and hands their number to the others. No branch is added, so that what was converged stays so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from gemmviz.machine.log import SLOT_BYTES, As, LoggedValue
from gemmviz.machine.ptx.parse import Statement, parse
from gemmviz.trace.ptx.decoding.cells import CELL
from gemmviz.trace.ptx.probing.module_arrays import module_arrays
from gemmviz.trace.ptx.probing.probes import Probe, Probed, find_probes
from gemmviz.trace.ptx.probing.split_vectors import Vectors

CELLS = "gv_cells"
"""The variable that points to the cells, block by block, a block's warps in order."""
BLOCKS = "gv_blocks"
"""The variable that points to a 32-bit number for each block of the grid: its place among the recorded ones, or -1."""

_ADDRESS = re.compile(r"\[\s*(?P<base>[\w$%.]+)\s*(?:(?P<sign>[+-])\s*(?P<offset>[+-]?\w+))?\s*\]")


@dataclass(frozen=True, slots=True)
class InstrumentedPtx:
    """A PTX text that records itself, and what its probes tell."""

    text: str
    probed: Probed


def instrument_ptx(text: str, symbol: str, source_name: str, vectors: Vectors | None = None) -> InstrumentedPtx:
    """The recording form of a PTX text, for its kernel `symbol`; `vectors` as `find_probes` takes them.

    Raises:
        KeyError: the text has no such kernel.
    """
    probed = find_probes(parse(text, source_name), symbol, tells_symbols=True, vectors=vectors)
    edits = list(_edits(probed))
    declared = text.index("\n", text.index(".address_size")) + 1
    variables = "".join(f".visible .global .align 8 .u64 {name};\n" for name in (CELLS, BLOCKS))
    edits.append((declared, f"\n{variables}"))
    edits += _visible_variables(probed)
    pieces, at = [], 0
    for place, added in sorted(edits, key=lambda edit: edit[0]):
        pieces += [text[at:place], added]
        at = place
    return InstrumentedPtx("".join([*pieces, text[at:]]), probed)


def _visible_variables(probed: Probed) -> Iterator[tuple[int, str]]:
    """Texts to insert so that the driver finds the variables of the module that are recorded, each with its place."""
    for variable in module_arrays(probed.module, probed.symbol):
        declared = re.compile(rf"^\s*(?P<at>)\.global\b[^;={{]*?\s{re.escape(variable.symbol)}\s*[\[=;]", re.MULTILINE)
        match = declared.search(probed.module.text)
        if match is not None:
            yield match.start("at"), ".visible "


def _edits(probed: Probed) -> Iterator[tuple[int, str]]:
    """Texts to insert, each with its place."""
    entry = probed.module.entry(probed.symbol)
    for function in (entry, *(one for one in probed.module.functions if not one.is_entry)):
        symbols = (_record(probe) for probe in probed.probes if probe.symbol is not None)
        yield function.body, _PROLOGUE + ("".join(symbols) if function is entry else "")
    for probe in probed.probes:
        if probe.statement is not None:
            yield (probe.statement.end if probe.found.after else probe.statement.start), _record(probe)


def _record(probe: Probe) -> str:
    found = probe.found
    lines = ["activemask.b32 %gv_all;", "mov.b32 %gv_mask, %gv_all;"]
    if found.guard:
        guard = f"{'!' if found.negated else ''}{found.guard}"
        lines = ["activemask.b32 %gv_all;", f"vote.sync.ballot.b32 %gv_mask, {guard}, %gv_all;"]
    lines += [line.replace("COUNT", str(len(found.values))) for line in _TAKE]
    for number, value in enumerate(found.values):
        lines += _value(value, probe.statement)
        lines += [line.replace("NUMBER", str(probe.first + number)) for line in _WRITE]
        if number + 1 < len(found.values):
            lines.append(f"add.s64 %gv_slot, %gv_slot, {SLOT_BYTES};")
    return "{ " + _REGISTERS + "\n" + "\n".join(lines) + "\n}\n"


def _value(value: LoggedValue, statement: Statement | None) -> list[str]:
    lines = _number(value, statement)
    if value.kind is As.GENERIC:
        lines += _OUT_OF_GENERIC
    if value.only_if:
        register = statement.scope.register(value.only_if) if statement is not None else None
        if register is not None and register.bits == 1:
            test = f"{'not' if value.negated else 'mov'}.pred %gv_if, {value.only_if};"
        else:
            test = (
                f"setp.ne.u32 %gv_if, {value.only_if}, 0;" if register else f"setp.ne.u32 %gv_if, 0, {value.only_if};"
            )
        lines += [test, "selp.b64 %gv_value, %gv_value, -1, %gv_if;"]
    return lines


def _number(value: LoggedValue, statement: Statement | None) -> list[str]:
    base, offset = value.operand, "0"
    if value.kind in (As.ADDRESS, As.GENERIC) and (match := _ADDRESS.fullmatch(value.operand)) is not None:
        base = match["base"]
        offset = f"{match['sign'] if match['sign'] == '-' else ''}{match['offset'] or '0'}"
    register = statement.scope.register(base) if statement is not None else None
    bits = register.bits if register is not None else 0
    if register is None:  # a number, or a variable
        return [f"mov.b64 %gv_value, {base};", *_plus(offset)]
    if bits == 64:
        return [f"add.s64 %gv_value, {base}, {offset};"]
    if bits == 16:
        return [f"cvt.u64.u16 %gv_value, {base};"]
    if value.kind is As.SIGNED:
        return [f"cvt.s64.s32 %gv_value, {base};"]
    return [f"add.s32 %gv_word, {base}, {offset};", "cvt.u64.u32 %gv_value, %gv_word;"]


def _plus(offset: str) -> list[str]:
    return [] if offset == "0" else [f"add.s64 %gv_value, %gv_value, {offset};"]


_REGISTERS = (
    ".reg .pred %gv_lead, %gv_on, %gv_if; .reg .b32 %gv_all, %gv_mask, %gv_low, %gv_place, %gv_room, %gv_word; "
    ".reg .b64 %gv_slot, %gv_mine, %gv_value, %gv_head;"
)

_TAKE = (
    # The lowest lane that takes part, if this warp is recorded.
    "neg.s32 %gv_low, %gv_mask;",
    "and.b32 %gv_low, %gv_low, %gv_mask;",
    "mov.u32 %gv_word, %lanemask_eq;",
    "setp.ne.u64 %gv_on, %gv_cell, 0;",
    "setp.eq.and.u32 %gv_lead, %gv_low, %gv_word, %gv_on;",
    "and.b32 %gv_word, %gv_word, %gv_mask;",
    "setp.ne.and.u32 %gv_on, %gv_word, 0, %gv_on;",
    "mov.u32 %gv_place, 0;",
    "@%gv_lead atom.global.add.u32 %gv_place, [%gv_cell], COUNT;",
    "bfind.u32 %gv_low, %gv_low;",
    "shfl.sync.idx.b32 %gv_place, %gv_place, %gv_low, 31, %gv_all;",
    # Only as far as there is room: none at all when events are counted.
    "mov.u32 %gv_room, 0;",
    "@%gv_on ld.global.u32 %gv_room, [%gv_cell+4];",
    "add.u32 %gv_word, %gv_place, COUNT;",
    "setp.le.and.u32 %gv_on, %gv_word, %gv_room, %gv_on;",
    "setp.le.and.u32 %gv_lead, %gv_word, %gv_room, %gv_lead;",
    "mov.u64 %gv_slot, 0;",
    "@%gv_on ld.global.u64 %gv_slot, [%gv_cell+8];",
    f"mad.wide.u32 %gv_slot, %gv_place, {SLOT_BYTES}, %gv_slot;",
)

_OUT_OF_GENERIC = (
    # Neither memory of one thread nor constant memory is recorded; of shared memory the address within the block's is.
    "isspacep.local %gv_if, %gv_value;",
    "selp.b64 %gv_value, -1, %gv_value, %gv_if;",
    "isspacep.const %gv_if, %gv_value;",
    "selp.b64 %gv_value, -1, %gv_value, %gv_if;",
    "isspacep.shared %gv_if, %gv_value;",
    "cvta.to.shared.u64 %gv_mine, %gv_value;",
    "selp.b64 %gv_value, %gv_mine, %gv_value, %gv_if;",
)

_WRITE = (
    "mov.u32 %gv_word, NUMBER;",
    "mov.b64 %gv_head, {%gv_word, %gv_mask};",
    "@%gv_lead st.global.u64 [%gv_slot], %gv_head;",
    "mov.u32 %gv_word, %laneid;",
    "mad.wide.u32 %gv_mine, %gv_word, 8, %gv_slot;",
    "@%gv_on st.global.u64 [%gv_mine+8], %gv_value;",
)

_PROLOGUE = f"""
.reg .b64 %gv_cell;
{{ .reg .pred %gv_on; .reg .b32 %gv_x, %gv_y, %gv_z, %gv_size, %gv_block, %gv_warp; .reg .b64 %gv_at;
mov.u32 %gv_x, %ctaid.x;
mov.u32 %gv_y, %ctaid.y;
mov.u32 %gv_z, %ctaid.z;
mov.u32 %gv_size, %nctaid.y;
mad.lo.u32 %gv_y, %gv_z, %gv_size, %gv_y;
mov.u32 %gv_size, %nctaid.x;
mad.lo.u32 %gv_block, %gv_y, %gv_size, %gv_x;
ld.global.u64 %gv_at, [{BLOCKS}];
mad.wide.u32 %gv_at, %gv_block, 4, %gv_at;
ld.global.u32 %gv_block, [%gv_at];
setp.ge.s32 %gv_on, %gv_block, 0;
mov.u32 %gv_x, %tid.x;
mov.u32 %gv_y, %tid.y;
mov.u32 %gv_z, %tid.z;
mov.u32 %gv_size, %ntid.y;
mad.lo.u32 %gv_y, %gv_z, %gv_size, %gv_y;
mov.u32 %gv_z, %ntid.z;
mul.lo.u32 %gv_z, %gv_z, %gv_size;
mov.u32 %gv_size, %ntid.x;
mad.lo.u32 %gv_warp, %gv_y, %gv_size, %gv_x;
shr.u32 %gv_warp, %gv_warp, 5;
mul.lo.u32 %gv_z, %gv_z, %gv_size;
add.u32 %gv_z, %gv_z, 31;
shr.u32 %gv_z, %gv_z, 5;
mad.lo.u32 %gv_warp, %gv_block, %gv_z, %gv_warp;
ld.global.u64 %gv_at, [{CELLS}];
mad.wide.u32 %gv_at, %gv_warp, {CELL.itemsize}, %gv_at;
selp.b64 %gv_cell, %gv_at, 0, %gv_on;
}}
"""
