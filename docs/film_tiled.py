"""Makes docs/tiled.gif, the film at the head of the README: `python docs/film_tiled.py`, in about ten seconds.

It is what these two commands make, under another name:

    gemmviz trace --kernel tiled --param TILE=8 --size 32x32x32 --block 2,1 --out tiled.gemmviz
    gemmviz export tiled.gemmviz --out docs --format gif --size 960x540 --speed 0.75 --fps 20
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

TARGET = Path(__file__).with_name("tiled.gif")
TRACE = ("--kernel", "tiled", "--param", "TILE=8", "--size", "32x32x32", "--block", "2,1")
LOOKS = ("--format", "gif", "--size", "960x540", "--speed", "0.75", "--fps", "20")


def main() -> None:
    with TemporaryDirectory() as folder:
        session = Path(folder) / "tiled.gemmviz"
        _gemmviz("trace", *TRACE, "--out", str(session))
        _gemmviz("export", str(session), "--out", folder, *LOOKS)
        (film,) = Path(folder).glob("*.gif")
        TARGET.write_bytes(film.read_bytes())
    print(f"{TARGET}: {TARGET.stat().st_size / 1e6:.2f} MB")


def _gemmviz(*words: str) -> None:
    subprocess.run([sys.executable, "-m", "gemmviz", *words], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
