"""What nvcc and ptxas say: errors at the line of the original file, and what each kernel takes."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from gemmviz.compiler.nvidia.missing_sign import error_at_end, line_without_sign
from gemmviz.compiler.source import SOURCE_NAME
from gemmviz.domain.kernels.resources import Resources

_ERROR = re.compile(
    r"^(?P<file>[^\n(:]+)(?:\((?P<line>\d+)\)|:(?P<line2>\d+):(?P<column>\d+)):\s*"
    r"(?:catastrophic |fatal )?error(?:\s*#[\w-]+)?:\s*(?P<text>.+)$"
)
_WARNING = re.compile(
    r"^(?P<file>[^\n(:]+)(?:\((?P<line>\d+)\)|:(?P<line2>\d+):(?P<column>\d+)):\s*"
    r"warning(?:\s*#[\w-]+)?:\s*(?P<text>.+)$"
)
_UNSET = re.compile(r'variable "([^"]+)" is used before its value is set')
_AT_END = re.compile(r"^At end of source: (?:catastrophic |fatal )?error(?:\s*#[\w-]+)?:\s*(?P<text>.+)$")
_PTX_ERROR = re.compile(r"^ptxas\s+[^,]+, line (?P<line>\d+); error\s*:\s*(?P<text>.+)$")
_ASSEMBLER = re.compile(r"^(?:ptxas|nvcc|nvlink|nvrtc)\s*:?\s+(?:error|fatal)\s*:\s*(?P<text>.+)$")
_PLACELESS = re.compile(r"^\s*(?:fatal |internal )?error\b", re.MULTILINE | re.IGNORECASE)
_PLACE = re.compile(r"^\s*\.loc\s+(\d+)\s+(\d+)")
_FILE = re.compile(r'^\s*\.file\s+(\d+)\s+"([^"]*)"')

_COMPILING = re.compile(r"Compiling entry function '([^']+)'")
_PROPERTIES = re.compile(r"Function properties for (\S+)")
_STACK = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
_USED = re.compile(r"Used (\d+) registers(?:.*?(\d+) bytes smem)?")


def error_in(log: str, path: Path, name: str, ptx: str = "", text: str = "") -> str:
    """`path:line: message` of the first error in `log`; the log's first words where it names no line.

    nvcc is handed the text of the file at `path` as it is, in a file called `name`, so its lines are the original's. An
    error of the assembler stands at a line of `ptx`, whose `.loc` names the line it comes from. A missing sign stands
    at the line of `text`, the source, that lacks it. Further errors are counted.
    """
    errors = errors_in(log, path, name, ptx, text)
    if not errors:
        words = " ".join(_first_error(log).split())
        return f"{path}: does not compile: {words[:300] or 'the compiler gives no reason'}"
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    return errors[0] + more


def _first_error(log: str) -> str:
    """What a log says from the first line on that begins with an error, behind its warnings; all of it without one."""
    found = _PLACELESS.search(log)
    return log[found.start() :] if found is not None else log


def errors_in(log: str, path: Path, name: str, ptx: str = "", text: str = "") -> tuple[str, ...]:
    """Every error in `log` as `path:line: message`, in its order."""
    lines = log.splitlines()
    found = (_error(lines[place : place + 3], path, name, ptx, text) for place in range(len(lines)))
    return tuple(one for one in found if one is not None)


def warnings_in(log: str, path: Path, name: str) -> tuple[str, ...]:
    """Every warning of the compiler in `log` as `path:line: warning: message`, in its order."""
    found = (_WARNING.match(line.strip()) for line in log.splitlines())
    return tuple(
        f"{_place(match, path, name, int(match['line'] or match['line2']))}: warning: {match['text'].strip()}"
        for match in found
        if match is not None
    )


def unset_variables(log: str, name: str = SOURCE_NAME) -> tuple[tuple[int, str], ...]:
    """The variables of the source called `name` of which the compiler says in `log` that they are used before their
    values are set, each with the line.
    """
    found = ((_WARNING.match(line.strip()), _UNSET.search(line)) for line in log.splitlines())
    return tuple(
        (int(warning["line"] or warning["line2"]), unset[1])
        for warning, unset in found
        if warning is not None and unset is not None and Path(warning["file"]).name == name
    )


def _place(match: re.Match[str], path: Path, name: str, line: int) -> str:
    """ "path:line" or "path:line:column" in a log: the file is the one at `path` if the log calls it `name`."""
    file = path if Path(match["file"]).name == name else match["file"]
    return f"{file}:{line}{':' + match['column'] if match['column'] else ''}"


def _error(lines: list[str], path: Path, name: str, ptx: str, text: str) -> str | None:
    """The error in the first of these lines of a log; None if there is none."""
    line, below = lines[0].strip(), lines[1:3]
    match = _ERROR.match(line)
    if match is not None:
        at = int(match["line"] or match["line2"])
        if Path(match["file"]).name == name:
            at = line_without_sign(match["text"], at, below, text)
        return f"{_place(match, path, name, at)}: {match['text'].strip()}"
    match = _AT_END.match(line)
    if match is not None:
        at, words = error_at_end(match["text"].strip(), below, text)
        return f"{path}:{at}: {words}" if at else f"{path}: {words}"
    match = _PTX_ERROR.match(line)
    if match is not None:
        number = source_line(ptx, int(match["line"]), name)
        place = f"{path}:{number}" if number else f"{path}"
        return f"{place}: {match['text'].strip()}"
    match = _ASSEMBLER.match(line)
    if match is None or "aborted due to errors" in line:
        return None
    return f"{path}: {_shared_words(match['text'].strip())}"


def _shared_words(text: str) -> str:
    """The assembler counts shared memory in hexadecimal digits; a person does not."""
    return re.sub(r"0x([0-9a-f]+)", lambda match: str(int(match[1], 16)), text) if "shared data" in text else text


def source_line(ptx: str, number: int, name: str) -> int | None:
    """The line of the source file called `name` that line `number` of its PTX comes from, as `.loc` says."""
    lines = ptx.splitlines()
    files = {match[1] for line in lines if (match := _FILE.match(line)) and Path(match[2]).name == name}
    for line in reversed(lines[:number]):
        match = _PLACE.match(line)
        if match is not None and match[1] in files:
            return int(match[2])
    return None


def resources_in(log: str) -> dict[str, Resources]:
    """What `ptxas -v` says about each kernel, by its symbol; local memory is its stack frame."""
    found: dict[str, Resources] = {}
    entry = function = ""
    for line in log.splitlines():
        if match := _COMPILING.search(line):
            entry = function = match[1]
            found[entry] = Resources()
        elif match := _PROPERTIES.search(line):
            function = match[1]
        elif (match := _STACK.search(line)) and function in found:
            stack, stores, loads = (int(figure) for figure in match.groups())
            found[function] = replace(
                found[function], local_bytes=stack, spill_store_bytes=stores, spill_load_bytes=loads
            )
        elif (match := _USED.search(line)) and entry:
            found[entry] = replace(found[entry], registers=int(match[1]), static_shared_bytes=int(match[2] or 0))
            entry = ""
    return found
