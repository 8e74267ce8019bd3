"""Files of networks and of runs: safetensors for numbers, JSON for everything else, nothing that could run code.

An agent is one `.safetensors` file that says in its header what it is. A checkpoint is a folder of such files and one
JSON file, written under another name and renamed into place, so that it is there completely or not at all.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from karty.agents.fields import read_fields

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

    ``shape`` is the digest of the observation's layout and the actions, ``rules`` the rules trained on (an empty list
    if too many to name), ``decisions`` how many decisions it was trained on, ``width`` and ``depth`` the size,
    ``greedy`` whether it plays what it holds most likely or draws from its probabilities.
    """

    name: str
    game: str
    version: int
    shape: str
    rules: list[dict[str, Any]]
    decisions: int
    width: int
    depth: int
    greedy: bool

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
            told = {field.name: json.loads(header[field.name]) for field in dataclasses.fields(cls)}
            return read_fields(cls, told)
        except (KeyError, ValueError, RecursionError) as error:
            raise CheckpointError(f"{path}: its header is incomplete or damaged ({_one_line(error)})") from error


def write_tensors(path: Path, tensors: Mapping[str, Tensor], header: Mapping[str, str] | None = None) -> None:
    """Write a safetensors file, complete or not at all."""
    write_bytes(
        path, save({name: tensor.detach().contiguous() for name, tensor in tensors.items()}, dict(header or {}))
    )


def read_tensors(path: Path) -> tuple[dict[str, Tensor], dict[str, str]]:
    """The tensors and header of a safetensors file; CheckpointError if it is missing, cut short or something else."""
    with _opened(path) as file:
        return {name: file.get_tensor(name) for name in file.keys()}, dict(file.metadata() or {})  # noqa: SIM118


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    """A safetensors file; CheckpointError if it is missing, cut short or something else."""
    try:
        with safe_open(path, framework="pt") as file:
            yield file
    except FileNotFoundError:
        raise CheckpointError(f"{path}: there is no such file") from None
    except (SafetensorError, OSError) as error:
        raise CheckpointError(f"{path}: not a safetensors file, or cut short ({error})") from error


def write_agent(path: Path, tensors: Mapping[str, Tensor], about: About) -> None:
    """Write an agent's weights with what it is, and a digest of them."""
    write_tensors(path, tensors, {**about.to_header(), "sha256": _digest(tensors)})


def read_agent(path: Path) -> tuple[dict[str, Tensor], About]:
    """An agent's weights and what it is; CheckpointError if the file is no complete, undamaged agent."""
    tensors, header = read_tensors(path)
    about = About.from_header(path, header)
    if header.get("sha256") != _digest(tensors):
        raise CheckpointError(f"{path}: its weights are damaged")
    return tensors, about


def read_about(path: Path) -> About:
    """What an agent's file says of itself, its weights left unread; CheckpointError if it is no agent."""
    with _opened(path) as file:
        return About.from_header(path, file.metadata())


def _digest(tensors: Mapping[str, Tensor]) -> str:
    """The sha256 of all tensors with their names, kinds and shapes."""
    told = hashlib.sha256()
    for name in sorted(tensors):
        content = tensors[name].detach().contiguous()
        told.update(f"{name} {content.dtype} {list(content.shape)}\n".encode())
        told.update(content.numpy().tobytes())
    return told.hexdigest()


def must_fit(path: Path, about: About, game: str, version: int, shape: str) -> None:
    """CheckpointError unless the agent is for this game and version, and for its layout and actions."""
    if about.game != game:
        raise CheckpointError(f"{path}: an agent for {about.game}, not for {game}")
    if about.version != version:
        raise CheckpointError(f"{path}: an agent for {game} version {about.version}; this is version {version}")
    if about.shape != shape:
        raise CheckpointError(
            f"{path}: an agent for other observations or actions of {game} ({about.shape}, not {shape})"
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

    ``tensors``: by file, tensors by name; the file ``average`` is the agent. ``state``: whatever JSON can hold. A
    checkpoint of so many decisions that is there already stays: the same was learned from them.
    """
    folder = run / FOLDER
    done = folder / f"{decisions:015d}"
    if (done / STATE).is_file():
        return done
    folder.mkdir(parents=True, exist_ok=True)
    undone = folder / f"{_UNDONE}{decisions:015d}"
    shutil.rmtree(undone, ignore_errors=True)
    undone.mkdir()
    for file, content in tensors.items():
        path = undone / f"{file}.safetensors"
        if path.name == AVERAGE:
            write_agent(path, content, about)
        else:
            write_tensors(path, content)
    files = {path.name: _sha256(path) for path in sorted(undone.glob("*.safetensors"))}
    write_bytes(undone / STATE, json.dumps({"format": FORMAT, "files": files, **state}, indent=1).encode())
    shutil.rmtree(done, ignore_errors=True)  # without its JSON it is nothing
    os.replace(undone, done)
    _sync(folder)
    for old in _complete(run)[:-keep]:
        shutil.rmtree(old, ignore_errors=True)
    return done


def read_checkpoint(folder: Path) -> tuple[dict[str, dict[str, Tensor]], dict[str, Any]]:
    """A checkpoint's tensors by file and name, and its state; CheckpointError if anything is missing or damaged."""
    path = folder / STATE
    state = read_json(path)
    if not isinstance(state, dict) or state.get("format") != FORMAT:
        raise CheckpointError(f"{path}: not a checkpoint of format {FORMAT}")
    files = state.pop("files", None)
    found = sorted(folder.glob("*.safetensors"))
    if not isinstance(files, dict) or sorted(files) != [file.name for file in found]:
        raise CheckpointError(f"{path}: the files beside it are not those that it names")
    learned = {}
    for file in found:
        learned[file.stem] = read_tensors(file)[0]
        if _sha256(file) != files[file.name]:
            raise CheckpointError(f"{file}: damaged")
    del state["format"]
    return learned, state


def read_json(path: Path) -> Any:
    """What a JSON file holds; CheckpointError if it cannot be read or is none."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise CheckpointError(f"{path}: there is no such file") from None
    except (OSError, ValueError, RecursionError) as error:
        raise CheckpointError(f"{path}: not JSON, or cut short ({_one_line(error)})") from error


def _sha256(path: Path) -> str:
    """The digest of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())


def latest(run: Path) -> Path:
    """The folder of the run's latest complete checkpoint; CheckpointError if there is none."""
    folders = _complete(run)
    if not folders:
        raise CheckpointError(f"{run}: no run folder with a checkpoint")
    return folders[-1]


def _complete(run: Path) -> list[Path]:
    """The complete checkpoints of a run, oldest first."""
    return sorted(path.parent for path in (run / FOLDER).glob(f"*/{STATE}") if path.parent.name.isdecimal())


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
