"""Files of networks and of runs: safetensors for numbers, JSON for everything else, nothing that could run code.

An agent is one `.safetensors` file that says in its header what it is. A checkpoint is a folder of such files and one
JSON file, written under another name and renamed into place, so that it is there completely or not at all.
"""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

FORMAT = 1
"""The number of this way to write an agent or a checkpoint."""

FOLDER = "checkpoints"
AVERAGE = "average.safetensors"
STATE = "state.json"
MOST_RULES = 64
"""A file names the rules it was trained under, unless they were more than this."""
_UNDONE = ".writing-"


class CheckpointError(ValueError):
    """A file or folder that is no agent or checkpoint, is damaged, or belongs to another game, version or layout."""


@dataclass(frozen=True)
class About:
    """What an agent's file says of itself.

    ``layout`` is the digest of the observation's layout, ``rules`` the rules trained on (an empty list if too many to
    name), ``decisions`` how many decisions it was trained on, ``width`` and ``depth`` the network's size.
    """

    name: str
    game: str
    version: int
    layout: str
    actions: int
    rules: list[dict[str, Any]]
    decisions: int
    width: int
    depth: int

    def to_header(self) -> dict[str, str]:
        """The description as a safetensors header holds it: text by name."""
        told = {key: json.dumps(value) for key, value in dataclasses.asdict(self).items()}
        return {"format": str(FORMAT), "kind": "karty agent", **told}

    @classmethod
    def from_header(cls, path: Path, header: Mapping[str, str] | None) -> About:
        """The description in a header; CheckpointError if it is none of ours."""
        if not header or header.get("kind") != "karty agent":
            raise CheckpointError(f"{path}: a safetensors file, but not an agent of karty")
        if header.get("format") != str(FORMAT):
            raise CheckpointError(f"{path}: format {header.get('format')}; this version of karty reads format {FORMAT}")
        try:
            return cls(**{field.name: json.loads(header[field.name]) for field in dataclasses.fields(cls)})
        except (KeyError, ValueError) as error:
            raise CheckpointError(f"{path}: its header is incomplete") from error


def write_tensors(path: Path, tensors: Mapping[str, Tensor], header: Mapping[str, str] | None = None) -> None:
    """Write a safetensors file, complete or not at all."""
    write_bytes(
        path, save({name: tensor.detach().contiguous() for name, tensor in tensors.items()}, dict(header or {}))
    )


def read_tensors(path: Path) -> tuple[dict[str, Tensor], dict[str, str]]:
    """The tensors and header of a safetensors file; CheckpointError if it is missing, cut short or something else."""
    try:
        with safe_open(path, framework="pt") as file:
            return {name: file.get_tensor(name) for name in file.keys()}, dict(file.metadata() or {})  # noqa: SIM118
    except FileNotFoundError:
        raise CheckpointError(f"{path}: there is no such file") from None
    except (SafetensorError, OSError) as error:
        raise CheckpointError(f"{path}: not a safetensors file, or cut short ({error})") from error


def write_agent(path: Path, tensors: Mapping[str, Tensor], about: About) -> None:
    """Write an agent's weights with what it is."""
    write_tensors(path, tensors, about.to_header())


def read_agent(path: Path) -> tuple[dict[str, Tensor], About]:
    """An agent's weights and what it is; CheckpointError if the file is no complete agent."""
    tensors, header = read_tensors(path)
    return tensors, About.from_header(path, header)


def must_fit(path: Path, about: About, game: str, version: int, layout: str, actions: int) -> None:
    """CheckpointError unless the agent is for this game, version and layout."""
    if about.game != game:
        raise CheckpointError(f"{path}: an agent for {about.game}, not for {game}")
    if about.version != version:
        raise CheckpointError(f"{path}: an agent for {game} version {about.version}; this is version {version}")
    if about.layout != layout or about.actions != actions:
        raise CheckpointError(
            f"{path}: an agent for another observation layout of {game} ({about.layout}, not {layout})"
        )


def agent_file(path: Path) -> Path:
    """The agent's file: the path itself, or in a run folder the average weights of the latest checkpoint."""
    return latest(path) / AVERAGE if path.is_dir() else path


def write_checkpoint(
    run: Path,
    decisions: int,
    tensors: Mapping[str, Mapping[str, Tensor]],
    about: About,
    state: Mapping[str, Any],
    *,
    keep: int = 2,
) -> Path:
    """Write a run's checkpoint and drop old ones; whenever the process dies, the latest complete one is found again.

    ``tensors``: by file, tensors by name; the file ``average`` is the agent. ``state``: whatever JSON can hold.
    """
    folder = run / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    undone = folder / f"{_UNDONE}{decisions:015d}"
    shutil.rmtree(undone, ignore_errors=True)
    undone.mkdir()
    for file, content in tensors.items():
        header = about.to_header() if file == Path(AVERAGE).stem else None
        write_tensors(undone / f"{file}.safetensors", content, header)
    write_bytes(undone / STATE, json.dumps({"format": FORMAT, **state}, indent=1).encode())
    done = folder / f"{decisions:015d}"
    shutil.rmtree(done, ignore_errors=True)
    os.replace(undone, done)
    _sync(folder)
    for old in _complete(run)[:-keep]:
        shutil.rmtree(old, ignore_errors=True)
    return done


def read_checkpoint(folder: Path) -> tuple[dict[str, dict[str, Tensor]], dict[str, Any]]:
    """A checkpoint's tensors by file and name, and its state; CheckpointError if anything is missing or damaged."""
    path = folder / STATE
    try:
        state = json.loads(path.read_text())
    except FileNotFoundError:
        raise CheckpointError(f"{path}: there is no such file") from None
    except (OSError, ValueError) as error:
        raise CheckpointError(f"{path}: not JSON, or cut short ({error})") from error
    if not isinstance(state, dict) or state.get("format") != FORMAT:
        raise CheckpointError(f"{path}: not a checkpoint of format {FORMAT}")
    return {file.stem: read_tensors(file)[0] for file in sorted(folder.glob("*.safetensors"))}, state


def latest(run: Path) -> Path:
    """The folder of the run's latest complete checkpoint; CheckpointError if there is none."""
    folders = _complete(run)
    if not folders:
        raise CheckpointError(f"{run}: no run folder with a checkpoint")
    return folders[-1]


def _complete(run: Path) -> list[Path]:
    """The complete checkpoints of a run, oldest first."""
    return sorted(path for path in (run / FOLDER).glob("*") if path.is_dir() and path.name.isdecimal())


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file beside its place, to the disk, and rename it into place."""
    beside = path.with_name(f"{_UNDONE}{path.name}")
    with open(beside, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(beside, path)


def _sync(folder: Path) -> None:
    """Have the folder's names on the disk, where the system can do it."""
    if hasattr(os, "O_DIRECTORY"):
        number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
