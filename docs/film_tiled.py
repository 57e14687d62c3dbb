"""Makes docs/tiled.gif, the film at the head of the README: `python docs/film_tiled.py`, in about ten seconds.

It is what these two commands make, under another name:

    gemmviz trace --kernel tiled --param TILE=8 --size 32x32x32 --block 2,1 --out tiled.gemmviz
    gemmviz export tiled.gemmviz --out docs --format gif --size 960x540 --speed 1.5 --fps 20
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

TARGET = Path(__file__).with_name("tiled.gif")
TRACE = ("--kernel", "tiled", "--param", "TILE=8", "--size", "32x32x32", "--block", "2,1")
LOOKS = ("--format", "gif", "--size", "960x540", "--speed", "1.5", "--fps", "20")


def main(words: Sequence[str] | None = None) -> int:
    """Make the film; 1 where a command fails, which has said why: the film stays as it was."""
    argparse.ArgumentParser(description=__doc__.partition("\n")[0]).parse_args(words)
    try:
        film()
    except subprocess.CalledProcessError as error:
        print(f"nothing was filmed: `gemmviz {' '.join(error.cmd[3:])}` ended with {error.returncode}", file=sys.stderr)
        return 1
    return 0


def film() -> None:
    """Run both commands and take over what they made."""
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
    sys.exit(main())
