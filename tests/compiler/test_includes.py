"""A kernel brings in files of its own folder and headers of the compiler, whatever it tries."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from gemmviz.backends.base import CompileError, OpenDevice, Source, TrialRun
from gemmviz.compiler.device_source import device_source, left_out_words
from gemmviz.compiler.includes import MOST_BYTES, copies_of, included_files, with_copies, write_copies
from gemmviz.domain.shape import Shape
from gemmviz.domain.spec import Launch
from gemmviz.domain.terms import Language
from gemmviz.engine.sandbox.confinement import sources_of

KERNEL = """
extern "C" __global__ void k(const float *A, const float *B, float *C, int M, int N, int K) { C[0] = A[0]; }
"""
CL = """
__kernel void k(__global const float *A, __global const float *B, __global float *C, int M, int N, int K) { C[0] = 1; }
"""


def source_of(folder: Path, text: str, language: Language = Language.CUDA) -> Source:
    suffix = ".cu" if language is Language.CUDA else ".cl"
    return Source(folder / f"mine{suffix}", text + (KERNEL if language is Language.CUDA else CL), "k", language)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A kernel's folder with headers, beside something that is none of its business."""
    (tmp_path / "secret.txt").write_text("the secret")
    own = tmp_path / "own"
    (own / "sub").mkdir(parents=True)
    (own / "a.h").write_text('#include "sub/b.h"\n#define A_IS 1\n')
    (own / "sub" / "b.h").write_text('#include "c.h"\n')
    (own / "sub" / "c.h").write_text("#define C_IS 3\n")
    (own / "sub" / "bad.h").write_text('#include "../../secret.txt"\n')
    (own / "round.h").write_text('#include "round.h"\n')
    (own / "link.h").symlink_to(tmp_path / "secret.txt")
    (own / "linked").symlink_to(tmp_path)
    os.mkfifo(own / "pipe.h")
    (own / "large.h").write_bytes(b" " * (MOST_BYTES + 1))
    return own


ABSOLUTE, OUTSIDE = "an absolute path", "a path that leaves the folder"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('#include "/etc/hostname"', ABSOLUTE),
        ("#include </etc/hostname>", ABSOLUTE),
        ('#include "../secret.txt"', OUTSIDE),
        ('#include "sub/../../secret.txt"', OUTSIDE),
        ("#include <../secret.txt>", OUTSIDE),
        ('#include "..\\\\secret.txt"', OUTSIDE),
        ('#include "C:/secret.txt"', ABSOLUTE),
        ('  #  include "/etc/hostname"', ABSOLUTE),
        ('/* a */ # /* b */ include /* c */ "/etc/hostname" // d', ABSOLUTE),
        ('#inc\\\nlude "/etc/hostname"', ABSOLUTE),
        ('#inc\\  \nlude "/etc/hostname"', ABSOLUTE),
        ('#\\\r\ninclude \\\r\n"/etc/hostname"', ABSOLUTE),
        ('%:include "/etc/hostname"', ABSOLUTE),
        ('\v\f#include "/etc/hostname"', ABSOLUTE),
        ('??=include "/etc/hostname"', "a trigraph"),
        ("// what??/\n", "a trigraph"),
        ('#define F "/etc/hostname"\n#include F', "this does not name a file"),
        ("#define F(x) x\n#include F(</etc/hostname>)", "this does not name a file"),
        ('#include "a.h" "b.h"', "this does not name a file"),
        ('#include_next "a.h"', "#include_next is not supported"),
        ('#import "/etc/hostname"', "#import is not supported"),
        ('const char x[] = {\n#embed "/etc/hostname"\n};', "#embed is not supported"),
        ('#if __has_include("/etc/hostname")\n#endif', ABSOLUTE),
        ("#if 1 && __has_include(<../secret.txt>)\n#endif", OUTSIDE),
        ("#if __has_include(NAME)\n#endif", "no name"),
        ("#define LOOK __has_include", "no name"),
        ('#pragma GCC dependency "/etc/hostname"', "#pragma GCC names another file"),
        ('#pragma include_alias("a.h", "/etc/hostname")', "names another file"),
        ('asm(".incbin \\"/etc/hostname\\"");', "'incbin' reads a file"),
        ('asm(".inc" /* c */ "bin \\"/etc/hostname\\"");', "'incbin' reads a file"),
        ('#define S(x) #x\nasm(S(.incbin "/etc/hostname"));', "'incbin' reads a file"),
        ('asm(".include \\"/etc/hostname\\"");', "reads a file"),
        ("#include \"/etc/hostname\" // it's\n/* don't */", ABSOLUTE),
        ('#if 0\ndon\'t /*\n#endif\n#include "/etc/hostname"\n/* */', ABSOLUTE),
        ('"/*"\n#include "/etc/hostname"\n"*/"', ABSOLUTE),
        ('#include "link.h"', "a link that leads to"),
        ('#include "linked/secret.txt"', "a link that leads to"),
        ('#include "pipe.h"', "not an ordinary file"),
        ('#include "sub"', "not an ordinary file"),
        ('#include "large.h"', "bytes"),
        ('#include "sub/bad.h"', OUTSIDE),
    ],
)
@pytest.mark.parametrize("language", [Language.CUDA, Language.OPENCL])
def test_that_no_other_file_is_reached(folder: Path, text: str, reason: str, language: Language) -> None:
    with pytest.raises(CompileError) as error:
        included_files(source_of(folder, text, language))
    assert reason in str(error.value)
    assert str(folder) in str(error.value)
    assert "\n" not in str(error.value)


def test_that_the_line_and_the_file_are_named(folder: Path) -> None:
    with pytest.raises(CompileError, match=r'mine\.cu:4: #include "/etc/x": an absolute path; a kernel may only'):
        included_files(source_of(folder, 'int \\\na;\n/*\n*/#include "/etc/x"\n'))
    with pytest.raises(CompileError, match=r"bad\.h:1: "):
        included_files(source_of(folder, '\n\n#include "sub/bad.h"'))


@pytest.mark.parametrize(
    "text",
    [
        "#include <cuda_runtime.h>",
        "#include <mma.h> // for it",
        '#include "not_there.h"',
        '// #include "/etc/hostname"',
        '/*\n#include "/etc/hostname"\n*/',
        'const char *s = "#include";',
        "#if __has_include(<cuda_bf16.h>)\n#endif",
        "#ifdef __has_include\n#endif",
        "#pragma once\n#pragma unroll 4",
        "#error don't \"include\n",
        "x = 1'000'000; // it's",
        "",
    ],
)
def test_that_what_reaches_nothing_is_left_alone(folder: Path, text: str) -> None:
    assert included_files(source_of(folder, text)) == {}


def test_that_files_beside_the_kernel_are_followed(folder: Path) -> None:
    found = included_files(source_of(folder, '#include "a.h"\n#include <sub/c.h>\n#include "round.h"\n'))
    assert set(found) == {"a.h", "sub/b.h", "sub/c.h", "round.h"}
    assert found["sub/c.h"] == "#define C_IS 3\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The folder of a kernel whose headers lie in folders for them: below it, beside it, and beside the one above."""
    own = tmp_path / "src" / "mma"
    for place, text in (
        ("src/mma/inc/tile.h", "#define TILE 16\n"),
        ("src/common/common.h", '#include "ptx/load.h"\n#include "tile.h"\n'),
        ("src/common/ptx/load.h", '#include "near.h"\n'),
        ("src/common/ptx/near.h", "#define NEAR 1\n"),
        ("include/tile.h", "#define TILE 32\n"),
        ("include/secret.txt", "the secret"),
        ("include/out.h", '#include "../secret.h"\n'),
        ("secret.h", "the secret"),
    ):
        path = tmp_path / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    own.mkdir(exist_ok=True)
    return own


def test_that_headers_are_found_in_folders_for_them(project: Path) -> None:
    source = replace(source_of(project, '#include "common.h"\n'), is_foreign=True)
    assert included_files(source) == {
        "common.h": '#include "ptx/load.h"\n#include "tile.h"\n',
        "ptx/load.h": '#include "near.h"\n',
        "ptx/near.h": "#define NEAR 1\n",
        "tile.h": "#define TILE 16\n",
    }
    undefined = 'identifier "TILE" is undefined'
    assert left_out_words(source, undefined) == ""
    missing = replace(source, text='#include <cublas_v2.h>\n#include "other.h"\n')
    assert left_out_words(missing, undefined).endswith("left out: other.h (line 2)")
    assert left_out_words(missing, "expression must be a modifiable lvalue") == ""
    standard = replace(source, text="#include <string>\n#include <sys/time.h>\n")
    assert left_out_words(standard, 'namespace "std" has no member "string"') == ""
    own = project / "mine.cu"
    above = project.parent / "common"
    assert sources_of(own, source.text) == {
        own,
        above / "common.h",
        above / "ptx" / "load.h",
        above / "ptx" / "near.h",
        project / "inc" / "tile.h",
        project.parents[1] / "include" / "tile.h",
    }


def test_that_headers_are_found_from_the_folder_that_a_person_is_in(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    source = replace(source_of(Path(), '#include "common.h"\n'), is_foreign=True)
    assert left_out_words(source, 'identifier "TILE" is undefined') == ""
    assert "common.h" in included_files(source)


@pytest.mark.parametrize(
    ("name", "found"), [("../common/common.h", "common.h"), ("../../include/out.h", "out.h"), ("../../secret.h", "")]
)
def test_that_a_folder_for_headers_may_be_named_from_the_folder_of_the_kernel(
    project: Path, name: str, found: str
) -> None:
    (project.parents[1] / "include" / "out.h").write_text("#define OUT 1\n")
    text = f'#include "{name}"\n'
    source = device_source(replace(source_of(project, text), is_foreign=True))
    assert len(source.text) == len(text + KERNEL)
    assert (found in included_files(source)) == bool(found)


def test_that_the_file_of_another_folder_is_not_taken_for_the_one_that_is_named(project: Path) -> None:
    source = device_source(replace(source_of(project, '#include "../../include/tile.h"\n'), is_foreign=True))
    assert included_files(source) == {}, "inc/tile.h comes first"


def test_that_no_folder_for_headers_leads_elsewhere(project: Path) -> None:
    with pytest.raises(CompileError, match=f"out.h:1: .*{OUTSIDE}"):
        included_files(source_of(project, '#include "out.h"'))
    (project / "include").symlink_to(project.parents[1])  # a folder that is a link is none
    assert included_files(source_of(project, '#include "secret.h"')) == {}
    assert sources_of(project / "mine.cu", '#include "secret.h"\n') == {project / "mine.cu"}


def test_that_the_compiler_sees_copies(folder: Path, tmp_path: Path) -> None:
    text = '#include "a.h"\n#include "other.h"\n'
    texts = included_files(source_of(folder, text))
    copies = copies_of(texts, tmp_path)
    assert copies == copies_of(texts, tmp_path)
    assert with_copies(text, texts, copies) == f'#include "{copies}/a.h"\n#include "other.h"\n'
    assert (copies / "sub" / "c.h").read_text() == "#define C_IS 3\n"
    write_copies({"x/y.h": "1"}, tmp_path / "z")
    assert (tmp_path / "z" / "x" / "y.h").read_text() == "1"


def compile_on(embedded: OpenDevice, source: Source) -> None:
    launch = Launch((1, 1, 1), (1, 1, 1))
    embedded.compile(source, launch, TrialRun(Shape(1, 1, 1), launch, 1), lambda _: None)


@pytest.mark.parametrize("language", [Language.CUDA, Language.OPENCL])
def test_that_headers_beside_a_kernel_are_found_wherever_gemmviz_was_started(
    embedded: OpenDevice, folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, language: Language
) -> None:
    elsewhere = tmp_path / "else where"
    (elsewhere / "sub").mkdir(parents=True)
    (elsewhere / "a.h").write_text("#error the wrong file\n")
    monkeypatch.chdir(elsewhere)
    check = '#include "a.h"\n#if A_IS != 1 || C_IS != 3\n#error not the right files\n#endif\n'
    compile_on(embedded, source_of(folder, check, language))


@pytest.mark.parametrize("language", [Language.CUDA, Language.OPENCL])
def test_that_an_error_in_a_header_names_the_header(embedded: OpenDevice, folder: Path, language: Language) -> None:
    (folder / "sub" / "c.h").write_text("\nflaot x;\n")
    with pytest.raises(CompileError) as error:
        compile_on(embedded, source_of(folder, '#include "a.h"\n', language))
    assert str(error.value).startswith(f"{folder / 'sub' / 'c.h'}:2:1: unknown type name 'flaot'")


@pytest.mark.parametrize("language", [Language.CUDA, Language.OPENCL])
def test_that_an_odd_name_of_a_kernel_file_does_no_harm(
    embedded: OpenDevice, tmp_path: Path, language: Language
) -> None:
    path = tmp_path / 'a "b\\" %s.cu'
    source = source_of(tmp_path, "flaot x;\n", language)
    with pytest.raises(CompileError) as error:
        compile_on(embedded, Source(path, source.text, "k", language))
    assert str(error.value).startswith(f"{path}:1")
