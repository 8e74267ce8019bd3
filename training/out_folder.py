"""A folder for results: what lies in one is never written over."""

from __future__ import annotations

from pathlib import Path


def check_free(folder: Path, instead: str = "") -> None:
    """ValueError if the folder of `--out` holds something, or is no folder; instead: what else one may do."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ValueError(f"--out: {folder} exists and is not empty; choose another folder{instead}")
