"""A person's own kernel files come in off the window's thread, and what is no file is refused at once."""

from __future__ import annotations

import os
import shutil
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gemmviz.catalogue.loader import load_catalogue
from gemmviz.engine.own_kernel_file import load_own_kernel
from gemmviz.engine.sandbox.protections import protections
from gemmviz.gui.kernels import user_catalogue as user_catalogue_module
from gemmviz.gui.kernels.python_question import question_words
from gemmviz.gui.kernels.user_catalogue import UserCatalogue

DATA = Path(__file__).parents[2] / "data" / "languages"
TEXT = '/*---\ntitle = "{}"\nentry = "k"\n[launch]\nblock = ["1"]\ngrid = ["1"]\n---*/\n'


class Told:
    """What a user catalogue says."""

    def __init__(self, user_catalogue: UserCatalogue) -> None:
        self.added: list[str] = []
        self.failed: list[str] = []
        self.told: list[str] = []
        self.busy: list[str] = []
        user_catalogue.added.connect(self.added.append)
        user_catalogue.failed.connect(lambda _path, why, _is_adoptable: self.failed.append(why))
        user_catalogue.notified.connect(lambda words, _details: self.told.append(words))
        user_catalogue.reread.connect(lambda path, _kernel: self.told.append(f"{Path(path).name} read again"))
        user_catalogue.busy_changed.connect(self.busy.append)


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    event = threading.Event()
    yield event
    event.set()


@pytest.fixture
def user_catalogue() -> UserCatalogue:
    return UserCatalogue(load_catalogue())


def write(path: Path, title: str = "Mine") -> Path:
    path.write_text(TEXT.format(title), encoding="utf-8")
    return path


def test_that_files_are_taken_in_and_read_again_when_they_change(
    qtbot: QtBot, user_catalogue: UserCatalogue, tmp_path: Path
) -> None:
    told = Told(user_catalogue)
    user_catalogue.add((write(tmp_path / "one.cu"), write(tmp_path / "two.cu")))
    qtbot.waitUntil(lambda: sorted(told.added) == ["one", "two"])
    write(tmp_path / "one.cu", "Another title")
    qtbot.waitUntil(lambda: told.told == ["one.cu read again"])
    assert user_catalogue.catalogue.get("one").title == "Another title"
    assert [name for name, _ in user_catalogue.file_texts] == ["one", "two"]
    write(tmp_path / "two.cu").write_text("no kernel", encoding="utf-8")
    (tmp_path / "one.cu").unlink()
    qtbot.waitUntil(lambda: user_catalogue.file_texts == ())
    write(tmp_path / "one.cu", "Again")
    qtbot.waitUntil(lambda: user_catalogue.file_texts == (("one", TEXT.format("Again")),))
    user_catalogue.remove("one")
    assert "one" not in [kernel.id for kernel in user_catalogue.catalogue.kernels]


@pytest.mark.parametrize(
    ("name", "text", "is_adoptable"),
    [
        ("mine.cu", "__global__ void k(const float *A, const float *B, float *C, int N) {}\n", True),
        ("mine.py", "import triton\n@triton.jit\ndef k(a, b, c, M, N, K):\n    pass\n", False),
        ("mine.py", "import cupy\nk = cupy.RawKernel(made(), 'k')\n", True),
        ("mine.py", "from numba import cuda\n@cuda.jit\ndef k(a, b, c):\n    pass\n", False),
    ],
)
def test_that_a_description_is_offered_only_where_one_can_be_found_out(
    qtbot: QtBot, user_catalogue: UserCatalogue, tmp_path: Path, name: str, text: str, is_adoptable: bool
) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with qtbot.waitSignal(user_catalogue.failed) as failed:
        user_catalogue.add((path,))
    assert failed.args is not None
    assert failed.args[2] is is_adoptable


@pytest.mark.skipif(sys.platform == "win32", reason="no pipes and no /dev in folders")
def test_that_a_pipe_and_a_device_named_like_a_kernel_are_refused_at_once(
    qtbot: QtBot, user_catalogue: UserCatalogue, tmp_path: Path
) -> None:
    told = Told(user_catalogue)
    os.mkfifo(tmp_path / "pipe.cu")
    (tmp_path / "zero.cu").symlink_to("/dev/zero")
    user_catalogue.add((tmp_path / "pipe.cu", tmp_path / "zero.cu"))
    qtbot.waitUntil(lambda: len(told.failed) == 2)
    assert sorted(told.failed) == [
        f"{tmp_path / 'pipe.cu'}: it is a pipe. Give an ordinary file",
        f"{tmp_path / 'zero.cu'}: it is a device. Give an ordinary file",
    ]


@pytest.mark.skipif(sys.platform == "win32", reason="no pipes in folders")
def test_that_a_kernel_file_that_becomes_a_pipe_keeps_its_last_contents(
    qtbot: QtBot, user_catalogue: UserCatalogue, tmp_path: Path
) -> None:
    told = Told(user_catalogue)
    path = write(tmp_path / "own.cu")
    user_catalogue.add((path,))
    qtbot.waitUntil(lambda: told.added == ["own"])
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "pipe").replace(path)
    qtbot.waitUntil(lambda: told.failed == [f"{path}: it is a pipe. Give an ordinary file"])
    assert user_catalogue.catalogue.get("own").title == "Mine"


def test_that_a_dead_disk_is_told_and_keeps_no_other_file_out(
    qtbot: QtBot, user_catalogue: UserCatalogue, tmp_path: Path, gate: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    def load(path: Path) -> object:
        if path.name == "dead.cu":
            gate.wait()
        return load_own_kernel(path)

    monkeypatch.setattr(user_catalogue_module, "load_own_kernel", load)
    told = Told(user_catalogue)
    user_catalogue.add((write(tmp_path / "dead.cu"), write(tmp_path / "live.cu")))
    qtbot.waitUntil(lambda: told.added == ["live"])
    assert told.busy[0] == "reading dead.cu"
    gate.set()
    qtbot.waitUntil(lambda: told.added == ["live", "dead"])
    assert told.busy[-1] == ""


def test_that_of_two_readings_of_a_file_the_later_one_counts(
    qtbot: QtBot, user_catalogue: UserCatalogue, tmp_path: Path, gate: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, readings = write(tmp_path / "own.cu", "Old"), []

    def load(path: Path) -> object:
        kernel = load_own_kernel(path)
        readings.append(kernel)
        if len(readings) == 1:
            gate.wait()
        return kernel

    monkeypatch.setattr(user_catalogue_module, "load_own_kernel", load)
    told = Told(user_catalogue)
    user_catalogue.add((path,))
    qtbot.waitUntil(lambda: len(readings) == 1)
    write(path, "New")
    user_catalogue.add((path,))
    qtbot.waitUntil(lambda: told.added == ["own"])
    gate.set()
    qtbot.waitUntil(lambda: told.busy[-1] == "")
    assert user_catalogue.catalogue.get("own").title == "New"
    assert told.added == ["own"]


def test_that_a_python_file_is_taken_in_only_where_it_may_be_run(
    qtbot: QtBot, user_catalogue: UserCatalogue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told, asked, answers = Told(user_catalogue), [], iter((False, True))

    def answer(_window: object, path: Path) -> bool:
        asked.append(path)
        return next(answers)

    monkeypatch.setattr(user_catalogue_module, "may_run_python", answer)
    for name in ("numba_tiled.py", "numba_tiled.py.toml", "cupy_tiled.py", "cupy_tiled.py.toml"):
        shutil.copy(DATA / name, tmp_path / name)
    numba = tmp_path / "numba_tiled.py"
    user_catalogue.add((numba,))
    qtbot.waitUntil(lambda: len(told.told) == 1)
    assert told.told == ["numba_tiled.py was not opened: its kernel cannot be compiled without running Python code"]
    user_catalogue.add((numba,))
    qtbot.waitUntil(lambda: told.added == ["numba_tiled"])
    numba.write_text(numba.read_text(encoding="utf-8") + "\n# changed\n", encoding="utf-8")
    qtbot.waitUntil(lambda: told.told[1:] == ["numba_tiled.py read again"])
    user_catalogue.add((tmp_path / "cupy_tiled.py",))
    qtbot.waitUntil(lambda: told.added == ["numba_tiled", "cupy_tiled"])
    assert asked == [numba, numba]


def test_that_a_file_that_is_saved_in_this_window_is_taken_once_and_without_a_word(
    qtbot: QtBot, user_catalogue: UserCatalogue, tmp_path: Path
) -> None:
    told, taken = Told(user_catalogue), list[str]()
    user_catalogue.taken.connect(lambda _path, kernel_id: taken.append(kernel_id))
    user_catalogue.add((write(tmp_path / "one.cu"), write(tmp_path / "two.cu")))
    qtbot.waitUntil(lambda: sorted(told.added) == ["one", "two"])
    taken.clear()
    user_catalogue.read_saved(write(tmp_path / "one.cu", "Saved"))
    qtbot.waitUntil(lambda: taken == ["one"])
    assert user_catalogue.catalogue.get("one").title == "Saved"
    write(tmp_path / "two.cu", "By another program")
    qtbot.waitUntil(lambda: taken == ["one", "two"])
    assert told.told == ["two.cu read again"]


def test_that_the_question_says_what_is_run_and_within_which_bounds() -> None:
    words = question_words(Path("/home/somebody/mine.py"))
    assert "the part of the file that the kernel needs is run" in words
    assert protections().words in words
    assert "Allow it only if you trust /home/somebody/mine.py." in words
