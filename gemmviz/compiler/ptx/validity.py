"""Finds instructions of a PTX text that NVIDIA's assembler refuses: operands of wrong types, missing registers, labels.

Rules: NVIDIA, PTX ISA, "Type Checking" and "Operand Type Checking". What is not known here is left to whoever runs it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from gemmviz.compiler.ptx.instruction_forms import COUNTS, FORMS, SPECIAL_REGISTERS, TYPE_BITS

_FUNCTION = re.compile(r"\.(?:entry|func)\b(?P<head>[^{;]*)(?P<end>[{;])")
_REGISTERS = re.compile(r"\.reg\s+(?:\.v[248]\s+)?\.(?P<type>\w+)\s+(?P<names>[^;]*)")
_OF_SIGNATURE = re.compile(r"\.reg\s+\.(?P<type>\w+)\s+(?P<name>[\w$%]+)")
_RANGE = re.compile(r"(?P<stem>[\w$%]+?)<(?P<count>\d+)>\Z")
_LOC = re.compile(r"^[ \t]*\.(?:loc|file)\b[^\n]*", re.MULTILINE)
_LABEL = re.compile(r"\s*(?P<name>[\w$%]+)\s*:(?!:)")
_GUARD = re.compile(r"@!?\s*(?P<name>[\w$%]+)\s+")
_SPECIAL = re.compile(rf"%(?:{SPECIAL_REGISTERS})(?:\.[xyzw])?")
_MEMORY = {"ld", "st"}
_SIDES = 2
"""Of a conversion: the result and what is converted."""
_SHIFTS = {"shl", "shr"}


@dataclass(frozen=True, slots=True)
class InvalidInstruction:
    """An instruction that is none, with its line in the text and why."""

    line: int
    words: str
    why: str

    def __str__(self) -> str:
        return f"`{self.words}` is no valid PTX: {self.why}"


@dataclass(slots=True)
class _Scope:
    """The registers that a block of code declares, by their names, and those named by a stem and a number."""

    outer: _Scope | None = None
    registers: dict[str, str] = field(default_factory=dict)
    ranges: dict[str, tuple[str, int]] = field(default_factory=dict)

    def declare(self, kind: str, names: str) -> None:
        for name in (one.strip() for one in names.split(",")):
            found = _RANGE.match(name)
            if found is not None:
                self.ranges[found["stem"]] = kind, int(found["count"])
            elif name:
                self.registers[name] = kind

    def type_of(self, name: str) -> str:
        """The type of a register; "" for what is none."""
        if name in self.registers:
            return self.registers[name]
        stem = name.rstrip("0123456789")
        number = name[len(stem) :]
        kind, count = self.ranges.get(stem, ("", 0))
        if number and int(number) < count:
            return kind
        return self.outer.type_of(name) if self.outer is not None else ""


def invalid_instruction(text: str) -> InvalidInstruction | None:
    """The first instruction of a text without comments that is none; None where nothing is known against any."""
    text = _LOC.sub(lambda match: " " * len(match[0]), text)
    for function in _FUNCTION.finditer(text):
        if function["end"] == "{":
            found = _in_function(text, function)
            if found is not None:
                return found
    return None


def _in_function(text: str, function: re.Match[str]) -> InvalidInstruction | None:
    scope, depth, at = _Scope(), 1, function.end()
    for one in _OF_SIGNATURE.finditer(function["head"]):
        scope.declare(one["type"], one["name"])
    labels: set[str] = set()
    branches: list[tuple[int, str, str]] = []
    for begin, end, sign in _pieces(text, at):
        words = text[begin:end]
        while (label := _LABEL.match(words)) is not None:
            labels.add(label["name"])
            begin, words = begin + label.end(), words[label.end() :]
        begin += len(words) - len(words.lstrip())
        words = " ".join(words.split())
        if sign == "{":
            scope, depth = _Scope(scope), depth + 1
        elif sign == "}":
            depth -= 1
            scope = scope.outer or scope
        elif words.startswith(".reg"):
            declared = _REGISTERS.match(words)
            if declared is not None:
                scope.declare(declared["type"], declared["names"])
        elif words and not words.startswith("."):
            line = text.count("\n", 0, begin) + 1
            guard = _GUARD.match(words)
            why = _why_invalid(words, scope, guard)
            if why:
                return InvalidInstruction(line, words, why)
            target = re.fullmatch(r"bra(?:\.uni)?\s+([\w$%]+)", words[guard.end() :] if guard else words)
            if target is not None:
                branches.append((line, words, target[1]))
        if not depth:
            break
    for line, words, name in branches:
        if name not in labels:
            return InvalidInstruction(line, words, f"there is no label {name} in its function")
    return None


def _pieces(text: str, at: int) -> Iterator[tuple[int, int, str]]:
    """The parts of a function's body with the sign that ends each: ";", or a brace that opens or closes a block."""
    begin, inside = at, 0
    for match in re.finditer(r'"[^"\n]*"|[{};]', text[at:]):
        sign, place = match[0], at + match.start()
        if len(sign) > 1:
            continue
        is_of_block = not text[begin:place].strip() or _LABEL.fullmatch(text[begin:place].rstrip()) is not None
        if sign == "{" and not (is_of_block and not inside):
            inside += 1  # the braces of a vector
        elif sign == "}" and inside:
            inside -= 1
        else:
            yield begin, place, sign
            begin = place + 1


def _why_invalid(words: str, scope: _Scope, guard: re.Match[str] | None) -> str:
    """Why an instruction is none; "" where nothing is known against it."""
    if guard is not None:
        kind = scope.type_of(guard["name"])
        if kind != "pred":
            return f"{guard['name']} is {_said(kind)}, and a predicate is needed"
        words = words[guard.end() :]
    opcode, _, rest = words.partition(" ")
    name, *suffixes = re.split(r"\.|::", opcode)
    operands = _split(rest)
    form = FORMS.get(name)
    counts = form.counts if form is not None else COUNTS.get(name)
    if counts is not None and len(operands) not in counts:
        wanted = " or ".join(map(str, sorted(counts)))
        return f"{name} takes {wanted} operand{'s'[: counts != {1}]}, and it has {len(operands)}"
    if unknown := next((one for one in _names(operands) if one[0] == "%" and not _is_known(one, scope)), ""):
        return f"{unknown} is no register that its function declares"
    types = [one for one in suffixes if one in TYPE_BITS]
    if name in _MEMORY:
        return _why_no_access(name, operands, types, scope)
    if name == "cvt" and len(types) == len(operands) == _SIDES:
        return next(filter(None, map(lambda one, kind: _why_too_small(one, kind, scope), operands, types)), "")
    if form is None or len(types) > 1 or rest.startswith("."):  # of mixed types, or with a space in its name
        return ""
    if not types or types[0] not in form.types:
        return f"{name} takes no {types[0]}" if types else f"{name} needs a type such as .{min(form.types)}"
    known = form.modifiers | {types[0]}
    if foreign := next((one for one in suffixes if one not in known), ""):
        return f"{name} takes no .{foreign}"
    is_asked = not form.required_for or types[0] in form.required_for
    if form.required and is_asked and not form.required & set(suffixes):
        return f"{name}.{types[0]} needs one of {', '.join(f'.{one}' for one in sorted(form.required))}"
    return _why_of_types(name, suffixes, operands, types[0], scope)


def _why_of_types(name: str, suffixes: Sequence[str], operands: Sequence[str], kind: str, scope: _Scope) -> str:
    """Which operand has a type that the instruction does not take; "" for none."""
    wanted = [kind] * len(operands)
    if name == "selp":
        wanted[3] = "pred"
    elif name == "setp":
        wanted = ["pred", kind, kind, "pred"][: len(operands)]
    elif name in _SHIFTS:
        wanted[2] = "b32"
    elif "wide" in suffixes:
        double = f"{kind[0]}{2 * TYPE_BITS[kind]}"
        wanted[0] = double
        wanted[3:] = [double] * len(wanted[3:])
    for operand, one in zip(operands, wanted, strict=True):
        if operand.startswith("["):
            return f"{operand} is an address in memory, and {name} computes with registers: load it first"
        if _is_wrong_number(operand, one):
            return f"{operand} is no number of .{one}"
        for register in operand.lstrip("!").split("|"):
            found = scope.type_of(register.strip())
            if found and not _agrees(found, one):
                return f"{register.strip()} is {_said(found)}, and .{one} is needed"
    return ""


def _is_wrong_number(operand: str, kind: str) -> bool:
    """Whether a number is written as a float where a whole number is needed, or the other way round."""
    if kind[0] in "us":
        return re.fullmatch(r"0[fFdD][0-9a-fA-F]+|-?\d+\.\d*(?:[eE][-+]?\d+)?", operand) is not None
    return kind in ("f32", "f64") and re.fullmatch(r"-?\d+", operand) is not None


def _why_no_access(name: str, operands: Sequence[str], types: Sequence[str], scope: _Scope) -> str:
    """What is wrong with a load or a store: an operand that is no address, a register too small for what is loaded."""
    address, held = (operands[1], operands[0]) if name == "ld" else (operands[0], operands[1])
    if not address.startswith("["):
        return f"{address} is no address: {name} takes one in brackets"
    kind = types[-1] if types else ""
    return _why_too_small(held, kind, scope) if kind else ""


def _why_too_small(held: str, kind: str, scope: _Scope) -> str:
    """Which register cannot hold a value of a type; "" for none. One of bits may be wider than the value, and one of
    whole numbers than a whole number.
    """
    for register in re.findall(r"[\w$%]+", held):
        found = scope.type_of(register)
        may_be_wider = (found[:1] == "b" and found[1:].isdigit()) or (found[:1] in "us" and "f" not in kind)
        is_wider = may_be_wider and TYPE_BITS.get(found, 0) > TYPE_BITS[kind]
        if found and not is_wider and not _agrees(found, kind):
            return f"{register} is {_said(found)}, and .{kind} is needed"
    return ""


def _agrees(register: str, kind: str) -> bool:
    """Whether a register of a type may be an operand of a type: of as many bits, and not a float for a whole number."""
    if register == kind:
        return True
    if TYPE_BITS.get(register) != TYPE_BITS.get(kind) or "pred" in (register, kind):
        return False
    is_plain = register[0] == "b" and register[1:].isdigit()
    is_any = kind[0] == "b" and kind[1:].isdigit()
    are_whole = register[0] in "us" and kind[0] in "us"
    return is_plain or is_any or are_whole


def _said(kind: str) -> str:
    return f"a register of .{kind}" if kind else "no register that its function declares"


def _is_known(name: str, scope: _Scope) -> bool:
    return bool(scope.type_of(name)) or _SPECIAL.fullmatch(name) is not None


def _names(operands: Sequence[str]) -> Iterator[str]:
    for one in operands:
        yield from re.findall(r"%[\w$]+(?:\.[xyzw]\b)?", one)


def _split(operands: str) -> list[str]:
    """Operands at their commas, those in braces, brackets or parentheses left whole."""
    found, depth, begin = [], 0, 0
    for at, character in enumerate(operands):
        depth += (character in "{[(") - (character in "}])")
        if character == "," and depth == 0:
            found.append(operands[begin:at].strip())
            begin = at + 1
    last = operands[begin:].strip()
    return [*found, last] if last or found else []
