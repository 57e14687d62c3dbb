"""A header for a kernel file that has none, guessed from its source, for a person to check and paste."""

from __future__ import annotations

import re

_ENTRY = re.compile(
    r"(?:__global__|__kernel|\bkernel\b)\s+(?:__launch_bounds__\s*\([^)]{0,100}\)\s*)?(?:static\s+)?void\s+"
    r"(?:__launch_bounds__\s*\([^)]{0,100}\)\s*)?(\w+)\s*\("
)
_EDGE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+\w{0,40}(?:TILE|BLOCK)\w{0,40}[ \t]+(\d{1,4})[ \t]*$", re.MULTILINE)
_SECOND = re.compile(r"(?:threadIdx|blockIdx)\.y|get_(?:global|local|group)_id\s*\(\s*1\s*\)")
_USUAL_EDGE, _USUAL_THREADS = 16, 256
_MOST_EDGE = 32
_MOST_READ = 100_000
"""Characters of a source that are looked at."""


def proposed_header(name: str, text: str) -> str:
    """The header of a file called `name` with this source: title and entry as they stand there, block and grid guessed
    and marked to be checked.
    """
    text = text[:_MOST_READ]
    entry = _ENTRY.search(text)
    edge = next((int(found) for found in _EDGE.findall(text) if 1 <= int(found) <= _MOST_EDGE), _USUAL_EDGE)
    if _SECOND.search(text):
        block, grid = f'["{edge}", "{edge}"]', f'["ceil_div(N, {edge})", "ceil_div(M, {edge})"]'
    else:
        block, grid = f'["{_USUAL_THREADS}"]', f'["ceil_div(M * N, {_USUAL_THREADS})"]'
    title = re.sub(r"[^\w .-]", "_", name)
    return (
        "/*---\n"
        f'title = "{title}"\n'
        f'entry = "{entry[1] if entry else "YOUR_KERNEL"}"\n'
        "[launch]\n"
        f"block = {block}  # a guess, check it: threads along x, y\n"
        f"grid  = {grid}  # a guess, check it: blocks along x, y\n"
        "---*/\n"
    )
