"""What the compiler says of a source in OpenCL C, in OpenCL's words: its types, and what can be done."""

from __future__ import annotations

import re

from gemmviz.compiler.opencl.vectors import KINDS
from gemmviz.domain.kernels.call_types import ONLY_BUFFERS

_NAME_OF = {c: name for name, c in KINDS}
_VECTOR = re.compile(r"gemmviz_opencl::vector<(?P<type>[\w ]+), (?P<size>\d+)>")
_SWIZZLE = re.compile(r"gemmviz_opencl::swizzle<(?P<type>[\w ]+), \d+(?P<places>(?:, \d+)+)>")
_SHORT = re.compile(r"\bgemmviz_(?P<name>[a-z]+\d+)\b")
_WITH = re.compile(r'"(?:operator )?(?P<words>[^"]*?) \[with T=(?P<type>[\w ]+)(?:, [^\]"]*)?\]"')
_SAME = re.compile(r'"(?P<name>\w+)" \(aka "(?P=name)"\)')
_PLACE = re.compile(r"^[^\n]*?gemmviz_prelude\.h:\d+(?::\d+)?: ")
_CALLED_AT = r"at line (?P<line>\d+)(?: of (?P<file>\S+))?"
_INSTEAD = {
    "expression must have bool type": "where the condition of an if or a loop is a vector, write any(condition) or "
    "all(condition)",
}
_OF_IMAGES = re.compile(
    r"(?P<place>.*?: )identifier \"(?P<name>(?:image\w+|(?:read|write)_image\w+|get_image_\w+|sampler_t|pipe|queue_t|"
    r"CLK_(?:NORMALIZED|ADDRESS|FILTER)\w+))\" is undefined"
)
_BESIDE = (
    "OpenCL C is compiled as C++ for CUDA here, which lacks parts of it: if the line is right, an OpenCL device, such "
    "as PoCL, runs the kernel"
)


def opencl_error(message: str, log: str, path: object, name: str) -> str:
    """`path:line: message` of an error in OpenCL C; the `log` says which line of the source, which the compiler knew as
    `name`, used what was found wrong elsewhere.
    """
    if (place := _PLACE.match(message)) is not None:
        lines = [match["line"] for match in re.finditer(_CALLED_AT, log) if match["file"] in (None, f'"{name}"', name)]
        where = f"{path}:{lines[-1]}" if lines else str(path)
        message = f"{where}: {message[place.end() :]}"
    if (image := _OF_IMAGES.match(message)) is not None:
        return f"{image['place']}{image['name']}: {ONLY_BUFFERS}"
    for words, instead in _INSTEAD.items():
        if words in message:
            return f"{_renamed(message)}: {instead}. {_BESIDE}"
    return f"{_renamed(message)}. {_BESIDE}"


def _renamed(message: str) -> str:
    """A message with OpenCL's names of types."""
    message = _WITH.sub(lambda match: '"' + re.sub(r"\bT\b", match["type"], match["words"]) + '"', message)
    message = _VECTOR.sub(lambda match: f"{_scalar(match['type'])}{match['size']}", message)
    message = _SWIZZLE.sub(lambda match: f"{_scalar(match['type'])}{match['places'].count(',')}", message)
    message = _SHORT.sub(lambda match: match["name"], message).replace("gemmviz_opencl::", "")
    return _SAME.sub(lambda match: f'"{match["name"]}"', message)


def _scalar(c: str) -> str:
    return _NAME_OF.get(c, c)
