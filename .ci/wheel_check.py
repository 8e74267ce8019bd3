"""Check that the wheel holds exactly the tracked files, and that it works outside the checkout.

The wheel is built from the source distribution, so both are checked. A mistake in the folder mapping of pyproject.toml
makes a wheel that lacks a whole sub-package while the build succeeds; nothing else would notice.
"""

import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

FOLDERS = ("envs", "agents", "training")
OWN = {"karty/__init__.py", "karty/__main__.py", "karty/py.typed"}
USE = "import karty; print(karty.__file__); [karty.load_agent(game, 'rule') for game in karty.GAMES]"

top = Path(__file__).resolve().parent.parent
tracked = subprocess.run(["git", "ls-files", *FOLDERS], cwd=top, capture_output=True, text=True, check=True)
wanted = {f"karty/{name}" for name in tracked.stdout.splitlines()} | OWN

with tempfile.TemporaryDirectory() as folder:
    subprocess.run([sys.executable, "-m", "build", "-o", folder, top], check=True, stdout=subprocess.DEVNULL)
    wheel = zipfile.ZipFile(next(Path(folder).glob("*.whl")))
    inside = {name for name in wheel.namelist() if ".dist-info/" not in name}
    if inside != wanted:
        sys.exit(f"missing in the wheel: {sorted(wanted - inside)}; too much in it: {sorted(inside - wanted)}")

    site = Path(folder, "site")
    wheel.extractall(site)
    found = subprocess.run(
        [sys.executable, "-c", USE],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
    )
    if found.returncode or Path(found.stdout.strip()).parent != site / "karty":
        sys.exit(f"the wheel does not work on its own: {found.stdout}{found.stderr}")

print(f"{len(inside)} files in the wheel, as in the tree")
