"""A folder for results: what lies in one is never written over."""

from __future__ import annotations

import os
from pathlib import Path


def check_free(folder: Path, instead: str = "") -> None:
    """ValueError unless the folder of `--out` is empty or can be made; instead: what else one may do."""
    there = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not there.is_dir():
        raise ValueError(f"--out: {there} is a file, not a folder; choose another folder{instead}")
    if not os.access(there, os.W_OK):
        raise ValueError(f"--out: the folder {there} cannot be written to; choose another one{instead}")
    if there == folder and any(folder.iterdir()):
        raise ValueError(f"--out: {folder} exists and is not empty; choose another folder{instead}")
