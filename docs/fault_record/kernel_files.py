"""Kernel files that are no kernel files, or hostile ones."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

from fault_record.case import Case, LostError
from fault_record.scratch import Scratch, check_refused
from fault_record.sources import SOUND_BODY, kernel, with_header

Make = Callable[[Path], None]


def cases() -> Iterator[Case]:
    """Every file, given to `run` and to `trace`."""
    files: dict[str, tuple[Make, str]] = {
        "a pipe": (os.mkfifo, "regular file|pipe|FIFO"),
        "a link to /dev/zero": (lambda path: path.symlink_to("/dev/zero"), "regular file|device"),
        "a link to /dev/stdin": (lambda path: path.symlink_to("/dev/stdin"), "."),
        "a socket": (_socket, "regular file|socket|cannot be"),
        "a folder": (Path.mkdir, "folder|directory"),
        "a link to itself": (lambda path: path.symlink_to(path), "."),
        "a link to nothing": (lambda path: path.symlink_to("nothing"), "no such file|not found|does not exist"),
        "nothing": (lambda _: None, "no such file|not found|does not exist"),
        "an empty file": (lambda path: path.write_bytes(b""), "."),
        "a file of 8 GiB": (_sparse, "large|bytes|MiB|MB"),
        "zeros": (lambda path: path.write_bytes(bytes(4096)), "."),
        "random bytes": (lambda path: path.write_bytes(bytes((i * 7919 + 13) % 256 for i in range(9999))), "."),
        "Latin-1": (lambda path: path.write_bytes(kernel(before="// \xe9\xff").encode("latin-1")), "UTF-8|text"),
        "UTF-16": (lambda path: path.write_bytes(kernel().encode("utf-16")), "."),
        "a NUL in it": (_text(kernel("    int a\0b;\n")), "."),
        "no header": (_text(kernel(header="")), "header"),
        "half a header": (_text("/*---\ntitle = 'x'\n"), "header|---"),
        "a header that is no TOML": (_text(with_header("= = =")), "."),
        "a header with an unknown key": (_text(with_header("nothing = 1")), "nothing"),
        "an entry that is not there": (_text(with_header(_LAUNCH, entry="yours")), "yours"),
        "an entry that is no name": (_text(with_header(_LAUNCH, entry="a b")), "."),
        "no launch": (_text(with_header("")), "launch|block"),
        "a block of 0": (_text(_launch('"0", "8"')), "."),
        "a block of 9 999 threads": (_text(_launch('"9999", "8"')), "."),
        "a block that is no number": (_text(_launch('"x"')), "."),
        "4 dimensions": (_text(_launch('"8", "8", "1", "1"')), "."),
        "9**99999 in the header": (_text(_launch('"9**99999*9**99999*9**99999", "8"')), "."),
        "a tower of powers": (_text(_launch('"9**9**9**9**9", "8"')), "."),
        "1 << 999999999": (_text(_launch('"1 << 999999999", "8"')), "."),
        "a division by zero": (_text(_launch('"8 // (M - M)", "8"')), "."),
        "a call of open": (_text(_launch('"open(\'/etc/passwd\')", "8"')), "."),
        "an attribute": (_text(_launch('"().__class__", "8"')), "."),
        "a string times a million": (_text(_launch('"\'a\' * 10**9", "8"')), "."),
        "20 000 brackets in the header": (_text(_launch(f'"{"(" * 20000}8{")" * 20000}", "8"')), "."),
        "100 000 additions in the header": (_text(_launch(f'"{"1+" * 100000}1", "8"')), "."),
        "nested lists in the header": (_text(with_header(f"x = {'[' * 5000}{']' * 5000}")), "."),
        "a date in the place of a number": (_text(_launch("9999-99-99")), "."),
        "NaN in the header": (_text(_launch("nan, 8")), "."),
        "a syntax error": (_text(kernel("    int x = ;\n")), "."),
        "a brace too few": (_text(kernel()[:-2]), "."),
        "20 000 open brackets": (_text(kernel(f"    int x = {'(' * 20000}1{')' * 20000};\n")), "."),
        "5 000 blocks in each other": (_text(kernel("{" * 5000 + "}" * 5000)), "."),
        "a macro that doubles 22 times": (_text(kernel("    float x = X22;\n", _doubling(22))), "."),
        "a macro that doubles 40 times": (_text(kernel("    float x = X40;\n", _doubling(40))), "."),
        "a macro of itself": (_text(kernel("    int x = F(1);\n", "#define F(x) F(F(x))\n")), "."),
        "an #if without #endif": (_text(kernel(before="#if 1\n")), "."),
        "#error": (_text(kernel(before="#error no\n")), "no"),
        "a name that is not declared": (_text(kernel("    C[0] = nothing;\n")), "nothing"),
        "400 MB of shared memory": (_text(kernel("    __shared__ float s[100000000]; s[0] = 1; C[0] = s[0];\n")), "."),
        "16 MB for each thread": (_text(kernel(f"    float p[4000000]; p[row] = 1;\n{SOUND_BODY}")), "."),
        "an array of -1": (_text(kernel(f"    float p[-1]; p[0] = 1;\n{SOUND_BODY}")), "."),
        "an array of 2**62": (_text(kernel(f"    float p[1L << 62]; p[row] = 1;\n{SOUND_BODY}")), "."),
        "two kernels of one name": (_text(kernel() + kernel(header="")), "."),
        "goto": (_text(kernel('    again: if (row > 9) goto again;\n    atomicAdd(C, 1.0f); asm("x");\n')), "."),
        "throw": (_text(kernel("    throw 1;\n")), "."),
        "a template": (_text(kernel(before="template <int N> struct X : X<N + 1> {}; X<0> x;\n")), "."),
    }
    for path in (
        "{secret}",
        "/etc/hostname",
        "../secret.h",
        "/proc/self/environ",
        "sub/../../secret.h",
        "link.h",
        "pipe.h",
    ):
        for form in ('"{}"', "<{}>"):
            line = f"#include {form.format(path)}\n"
            files[f"{line.strip()}"] = (_including(line), ".")
    for line in (
        '#define WHERE "{secret}"\n#include WHERE\n',
        '#/* */include "{secret}"\n',
        '#inc\\\nlude "{secret}"\n',
        '%:include "{secret}"\n',
        '??=include "{secret}"\n',
        '#include_next "{secret}"\n',
        '#import "{secret}"\n',
        '#if 1\n#include "{secret}"\n#endif\n',
        '__asm__(".incbin \\"{secret}\\"");\n',
        '#pragma GCC dependency "{secret}"\n#include "{secret}"\n',
    ):
        files[f"{line!r}"] = (_including(line), ".")
    for what, (make, says) in files.items():
        for command in ("run", "trace"):
            yield Case("kernel files", f"{command}: {what}", _given(command, make, says))
    for name in _NAMES:
        yield Case("kernel files", f"the name {name!r:.60}", _named(name))


_NAMES = ("new\nline.cu", "escape\x1b[31m.cu", "[red].cu", "-x.cu", "x" * 250 + ".cu", "a b.cu", "é.cu", "x.txt", "x")
_SECRET = "somebodys_secret of_many_words"
_LAUNCH = '[launch]\nblock = ["8", "8"]\ngrid = ["1", "1"]'


def _launch(block: str) -> str:
    return with_header(f'[launch]\nblock = [{block}]\ngrid = ["1", "1"]')


def _doubling(times: int) -> str:
    return "#define X0 1.0f\n" + "".join(f"#define X{i} X{i - 1} + X{i - 1}\n" for i in range(1, times + 1))


def _text(text: str) -> Make:
    return lambda path: path.write_text(text, encoding="utf-8", newline="") and None


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(8 << 30)


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(os.path.relpath(path))


def _including(line: str) -> Make:
    """A kernel in whose folder lie a link and a pipe, and which includes what lies elsewhere."""

    def make(path: Path) -> None:
        secret = path.parent.parent / "secret.h"
        secret.write_text(f"{_SECRET}\n", encoding="utf-8")
        (path.parent / "link.h").symlink_to(secret)
        os.mkfifo(path.parent / "pipe.h")
        path.write_text(kernel(before=line.replace("{secret}", str(secret))), encoding="utf-8")

    return make


def _given(command: str, make: Make, says: str) -> Callable[[Scratch], None]:
    def attempt(scratch: Scratch) -> None:
        folder = scratch.work / "kernels"
        folder.mkdir()
        make(folder / "mine.cu")
        ended = scratch.run(
            command, "--kernel-file", "kernels/mine.cu", "--size", "17x9x5", "--time-limit", "10", limit_s=75.0
        )
        check_refused(ended, (1, 2), says)
        if any(word in ended.out + ended.err for word in _SECRET.split()):
            raise LostError("what is told quotes a file that may not be read")
        scratch.check_nothing_left()

    return attempt


def _named(name: str) -> Callable[[Scratch], None]:
    """A sound kernel by a strange name works or is refused in words."""

    def attempt(scratch: Scratch) -> None:
        (scratch.work / name).write_text(kernel(), encoding="utf-8")
        ended = scratch.run("run", f"--kernel-file=./{name}", "--size", "17x9x5", "--budget", "0.05")
        if ended.code == 0:
            scratch.check_nothing_left()
            return
        check_refused(ended, (2,), ".")
        scratch.check_nothing_left()

    return attempt
