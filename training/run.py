"""The folder of a training run: made once, filled while the run goes on, taken up again after any kind of end.

`config.json` is what the run was told, `log.jsonl` and the TensorBoard events what it told; `checkpoints/` holds
everything the rest of the run depends on, `agent.safetensors` what came of it.
"""

from __future__ import annotations

import dataclasses
import datetime
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import torch
from safetensors.torch import load
from safetensors.torch import save as packed
from torch import Tensor

from karty.agents import checkpoint
from karty.agents.checkpoint import About, CheckpointError
from karty.agents.fields import read_fields
from karty.training.config import DEFAULT_DECISIONS, TrainConfig
from karty.training.out_folder import check_free
from karty.training.selfplay import Tables

CONFIG, AGENT = "config.json", "agent.safetensors"
CHANCE = "chance."
"""How the files of a checkpoint are called, before the number of the process, that hold what is drawn at random."""
Stage = Literal["imitating", "deals", "matches"]
STAGES: tuple[Stage, ...] = ("imitating", "deals", "matches")
"""The stages of a run in their order."""
_MAY_CHANGE = ("--resume", "--decisions", "--minutes")


@dataclass
class Progress:
    """How far a run has come.

    ``decisions`` and ``updates`` made; ``steps``: gradient steps; ``seconds`` taken, ``busy`` those of them in which it
    played and learned; ``score``: the last one measured, in the game's measure (points, or the share lost, 0 … 1);
    ``stage``: the one reached.
    """

    decisions: int = 0
    updates: int = 0
    steps: int = 0
    seconds: float = 0.0
    busy: float = 0.0
    score: float | None = None
    stage: Stage = "imitating"


@dataclass
class Saved(Progress):
    """The JSON of a checkpoint: the progress and what else is no tensor.

    ``log_size``: bytes of the log that belong to it; ``past``: what is known of the earlier selves.
    """

    log_size: int = 0
    past: list[dict[str, Any]] = dataclasses.field(default_factory=list)


def complete(config: TrainConfig) -> tuple[TrainConfig, Path | None]:
    """The configuration in full, and the checkpoint to go on from: a run that is resumed keeps its own options.

    ValueError, one line, for an option that makes no sense or a folder that is no run.
    """
    if config.resume is None:
        config.check()
        if config.decisions is None and config.minutes is None:
            config = dataclasses.replace(config, decisions=DEFAULT_DECISIONS)
        return config, None
    folder = config.resume
    # Told nothing: the game's defaults from the command line, those of the fields from Python.
    plain = config.changed(TrainConfig(game=config.game))
    if fixed := [name for name in config.changed() if name in plain and name not in _MAY_CHANGE]:
        raise ValueError(f"a run that is resumed keeps its own options: {', '.join(fixed)} cannot be changed")
    saved = checkpoint.latest(folder)
    try:
        before = TrainConfig.from_dict(checkpoint.read_json(folder / CONFIG))
        before.check()
    except CheckpointError:
        raise
    except ValueError as error:
        raise CheckpointError(f"{folder / CONFIG}: {error}") from error
    if before.game != config.game:
        raise CheckpointError(f"{folder} is a run of {before.game}, not of {config.game}")
    if config.decisions is not None or config.minutes is not None:
        before = dataclasses.replace(before, decisions=config.decisions, minutes=config.minutes)
    before.check()
    return dataclasses.replace(before, out=folder), saved


def make_folder(config: TrainConfig, resumed: bool) -> Path:
    """The run's folder with its configuration; ValueError for a new run where something lies already."""
    folder = config.out or _free(config.game)
    if not resumed:
        check_free(folder, f", or --resume {folder}")
    folder.mkdir(parents=True, exist_ok=True)
    told = dataclasses.replace(config, out=folder).to_dict()
    checkpoint.write_bytes(folder / CONFIG, (json.dumps(told, indent=2) + "\n").encode())
    return folder


def _free(game: str) -> Path:
    """runs/GAME-DATE-NUMBER, the first number that is free."""
    day = datetime.date.today().isoformat()
    number = 1
    while (folder := Path("runs") / f"{game}-{day}-{number}").exists():
        number += 1
    return folder


def about(name: str, tables: Tables, config: TrainConfig, decisions: int) -> About:
    """What the run's agent is."""
    rules = list({json.dumps(rules.to_dict()): rules.to_dict() for rules in tables.rules}.values())
    return About(
        name=name,
        game=tables.game.name,
        version=tables.game.version,
        shape=tables.shape.digest,
        rules=rules if len(rules) <= checkpoint.MOST_RULES else [],
        decisions=decisions,
        width=config.network.width,
        depth=config.network.depth,
        greedy=config.network.choice == "likeliest",
    )


def save(
    folder: Path,
    told: About,
    learned: dict[str, dict[str, Tensor]],
    chance: Sequence[bytes],
    progress: Progress,
    log_size: int,
    past: list[dict[str, Any]],
) -> None:
    """Write a checkpoint.

    ``learned``: tensors by file and name; ``chance``: what ``take_chance`` gave in each process; ``log_size``: bytes of
    the log that belong to it; ``past``: what is known of the earlier selves.
    """
    files = {f"{CHANCE}{rank}": load(content) for rank, content in enumerate(chance)}
    state = {**dataclasses.asdict(progress), "log_size": log_size, "past": past}
    checkpoint.write_checkpoint(folder, progress.decisions, {**learned, **files}, told, state)


def read(saved: Path) -> tuple[dict[str, dict[str, Tensor]], Saved]:
    """What a checkpoint holds: tensors by file and name, and its JSON; CheckpointError if it is damaged."""
    learned, state = checkpoint.read_checkpoint(saved)
    try:
        told = read_fields(Saved, state)
        for name in ("decisions", "updates", "steps", "seconds", "busy", "log_size"):
            if getattr(told, name) < 0:
                raise ValueError(f"{name} must not be negative, as {getattr(told, name)} is")
        if told.decisions != int(saved.name) or max(told.updates, told.steps, told.seconds, told.log_size) >= 2**62:
            raise ValueError("its counters are impossible")
    except (ValueError, OverflowError) as error:
        raise foreign(saved, error) from error
    return learned, told


def take_chance(tables: Tables, generator: torch.Generator) -> bytes:
    """How the tables stand and what a process draws on, as a safetensors file."""
    here = {"generator": generator.get_state()}
    for k, part in enumerate(tables.get_state()):
        here[f"tables.{k}"] = _as_tensor(part)
    # What the engine's own players draw is part of each table's state; agents called by Python share this generator.
    here["agents"] = _as_tensor(json.dumps(tables.generator.bit_generator.state).encode())
    return packed(here)


def put_back(here: dict[str, Tensor], tables: Tables, generator: torch.Generator) -> None:
    """Put tables and generators back where ``take_chance`` found them; an error of any kind if they do not fit."""
    generator.set_state(here.pop("generator"))
    agents = json.loads(here.pop("agents").numpy().tobytes())
    tables.set_state([here[f"tables.{k}"].numpy().tobytes() for k in range(len(here))])
    tables.generator.bit_generator.state = agents  # last: to sit down the agents may have drawn on it


def _as_tensor(content: bytes) -> Tensor:
    """Bytes as safetensors can hold them."""
    return torch.frombuffer(bytearray(content), dtype=torch.uint8)


def foreign(saved: Path, error: Exception) -> CheckpointError:
    """What to raise for a checkpoint that does not fit the run's configuration."""
    return CheckpointError(f"{saved}: not a checkpoint of this run ({' '.join(str(error).split())})")
