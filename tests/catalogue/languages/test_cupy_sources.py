"""The CUDA C that a Python file gives to CuPy is read without running the file, and its lines are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemmviz.catalogue.header import HeaderError
from gemmviz.catalogue.kernel import Kernel
from gemmviz.catalogue.loader import load_user_kernel
from gemmviz.domain.terms import Language

LAUNCH = '[launch]\nblock = [128]\ngrid = ["M"]\n'
TEXT = 'extern "C" __global__ void k(float *a)\n{\n    a[0] = 4;\n}\n'
IMPORT = "import cupy, os, string, textwrap\nfrom pathlib import Path\n"


def own(folder: Path, text: str, toml: str = LAUNCH) -> Kernel:
    path = folder / "mine.py"
    path.write_text(IMPORT + text, encoding="utf-8")
    path.with_name("mine.py.toml").write_text(toml, encoding="utf-8")
    return load_user_kernel(path)


def lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


@pytest.mark.parametrize(
    "source",
    [
        "f'''extern \"C\" __global__ void k(float *a)\n{{\n    a[{T - 4}] = {T:d};\n}}\n'''",
        "'''extern \"C\" __global__ void k(%s *a)\n{\n    a[0] = %d;\n}\n''' % (TYPE, T)",
        "'''extern \"C\" __global__ void k({t} *a)\n{{\n    a[0] = {0};\n}}\n'''.format(T, t=TYPE)",
        "'''extern \"C\" __global__ void k(TYPE *a)\n{\n    a[0] = 4;\n}\n'''.replace('TYPE', TYPE)",
        "string.Template('''extern \"C\" __global__ void k($t *a)\n{\n    a[0] = 4;\n}\n''').substitute(t=TYPE)",
        "textwrap.dedent('''\n  extern \"C\" __global__ void k(float *a)\n  {\n    a[0] = 4;\n  }\n''').strip()",
        "HEAD + '''{\n    a[0] = 4;\n}\n'''",
        "('extern \"C\" __global__ void k(float *a)\\n'\n'{\\n'\n'    a[0] = 4;\\n'\n'}\\n')",
        "'\\n'.join(['extern \"C\" __global__ void k(float *a)',\n'{',\n'    a[0] = 4;',\n'}'])",
    ],
)
def test_that_a_source_of_constants_is_read_and_each_line_is_where_it_stands(tmp_path: Path, source: str) -> None:
    head = "TYPE, T = 'float', 4\nTYPE = 'float'\nT = 2\nT += 2\nHEAD = 'extern \"C\" __global__ void k(float *a)\\n'\n"
    kernel = own(tmp_path, f"{head}SOURCE = {source}\nk = cupy.RawKernel(SOURCE, 'k')\n")
    assert kernel.language is Language.CUDA
    assert lines(kernel.text) == lines(TEXT)
    assert kernel.shown.name == "mine.py"
    shown = kernel.shown.text.splitlines()
    places = [number for number, line in enumerate(kernel.text.splitlines()) if line.strip()]
    for number in places:
        words = kernel.text.splitlines()[number].strip()
        assert words[0] in shown[number], "the first sign of each line is on the line of the file"
    assert places == sorted(places)
    assert (IMPORT + head).count("\n") - 1 <= places[0]


@pytest.mark.parametrize(
    "read",
    [
        "open('sub/k.cu').read()",
        "Path('sub/k.cu').read_text()",
        "(Path(__file__).resolve().parent / 'sub' / 'k.cu').read_text(encoding='utf-8')",
        "open(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'sub', 'k.cu'), 'r').read()",
    ],
)
def test_that_a_source_is_read_from_a_file_beside_and_has_that_files_lines(tmp_path: Path, read: str) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "k.cu").write_text(TEXT, encoding="utf-8")
    kernel = own(tmp_path, f"k = cupy.RawModule(code={read}).get_function('k')\n")
    assert (kernel.text, kernel.shown.name, kernel.shown.text) == (TEXT, "sub/k.cu", TEXT)
    with_block = "with open('sub/k.cu') as file:\n    source = file.read()\nk = cupy.RawKernel(source, 'k')\n"
    assert own(tmp_path, with_block).text == TEXT


def test_that_a_source_whose_lines_are_in_another_order_is_shown_itself(tmp_path: Path) -> None:
    body = "BODY = '''{\n    a[0] = 4;\n}\n'''\n"
    text = f"{body}k = cupy.RawKernel('extern \"C\" __global__ void k(float *a)\\n' + BODY, 'k')\n"
    kernel = own(tmp_path, text)
    assert kernel.text == TEXT
    assert (kernel.shown.name, kernel.shown.text) == ("mine.py (k).cu", TEXT)


@pytest.mark.parametrize(
    "text",
    [
        "def make(t):\n    return cupy.RawKernel(f'__global__ void k(float *a) {{ a[0] = {t}; }}', 'k')\nk = make(4)\n",
        "T = len('four')\nk = cupy.RawKernel(f'__global__ void k(float *a) {{ a[0] = {T}; }}', 'k')\n",
        "T = 1\nfor T in range(5): pass\nk = cupy.RawKernel('__global__ void k(float *a) { a[0] = %d; }' % T, 'k')\n",
        "O = []\nO.append('-DT=4')\nk = cupy.RawKernel('__global__ void k(float *a) { a[0] = T; }', 'k', O)\n",
        "k = cupy.RawModule(code=build()).get_function('k')\n",
        "k = cupy.RawKernel(f'__global__ void k(float *a) {{ a[0] = {1:99999}; }}', 'k')\n",
        "k = cupy.RawKernel('%*d' % (99999, 4) + '__global__ void k(float *a) {}', 'k')\n",
        "import json\nk = cupy.RawKernel(json.loads('1'), 'k')\n",
    ],
)
def test_that_a_source_which_the_file_computes_takes_running_it(tmp_path: Path, text: str) -> None:
    kernel = own(tmp_path, text)
    assert (kernel.language, kernel.entry) == (Language.CUPY, "k")
    assert kernel.language.is_python_to_compile
    assert kernel.needs_cuda


def test_that_a_name_is_what_it_was_where_the_kernel_is_made(tmp_path: Path) -> None:
    text = "T = 4\nk = cupy.RawKernel('__global__ void k(float *a) { a[0] = %d; }' % T, 'k')\nT = 5\n"
    assert "a[0] = 4;" in own(tmp_path, text).text


def test_that_a_parameter_in_the_place_of_a_constant_of_the_source_is_refused(tmp_path: Path) -> None:
    text = "T = 4\nk = cupy.RawKernel('__global__ void k(float *a) { a[0] = %d; }' % T, 'k')\n"
    with pytest.raises(HeaderError, match=r"T is a constant of mine\.py, whose value the kernel's source has in it"):
        own(tmp_path, text, f"[params.T]\nchoices = [4, 8]\n{LAUNCH}")
