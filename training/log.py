"""What a run tells while it goes on: lines of JSON, TensorBoard events, and a progress line for whoever watches."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
from torch.utils.tensorboard.writer import SummaryWriter

FILE = "log.jsonl"
_QUIET = 15.0
"""Seconds between two lines where the progress line cannot be redrawn in place."""


class RunLog:
    """The log of one run folder; leaving it as a context closes the files and ends the progress line."""

    def __init__(self, run: Path, console: Console, *, kept: int = 0, decisions: int = 0) -> None:
        """Begin a log, or go on after the first ``kept`` bytes of it, where ``decisions`` had been made."""
        self.run, self.console = run, console
        path = run / FILE
        if path.exists():
            with open(path, "r+b") as file:
                file.truncate(min(kept, path.stat().st_size))  # more would fill it up with zeros
        self._file = open(path, "a", encoding="utf-8")  # noqa: SIM115 (closed in __exit__)
        self._events = SummaryWriter(str(run), purge_step=decisions or None)
        self._last_line = float("-inf")
        self._progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            TaskProgressColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[told]}"),
            console=console,
            disable=not console.is_terminal,
        )
        self._task = self._progress.add_task("compiling", total=1.0, told="")

    def __enter__(self) -> RunLog:
        """Start to show progress."""
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Close the files."""
        self._progress.stop()
        self._events.close()
        self._file.close()

    @property
    def size(self) -> int:
        """How many bytes of log.jsonl are written: where a resumed run goes on."""
        self._file.flush()
        return (self.run / FILE).stat().st_size

    def write(self, decisions: int, told: Mapping[str, Any]) -> None:
        """Log numbers, which may be nested by name, as of so many training decisions."""
        self._file.write(json.dumps({"decisions": decisions, **told}) + "\n")
        self._file.flush()
        for name, value in _flat(told):
            self._events.add_scalar(name, value, decisions)

    def show(self, phase: str, fraction: float, seconds_left: float, told: str) -> None:
        """Show how far the run has come: ``fraction`` from 0 to 1, ``told`` in a few words how it fares."""
        self._progress.update(self._task, description=phase, completed=min(fraction, 1.0), told=told)
        if not self.console.is_terminal and time.monotonic() - self._last_line >= _QUIET:
            self._last_line = time.monotonic()
            self.say(f"{phase} {min(fraction, 1.0):4.0%} · {clock(seconds_left)} left · {told}")

    def say(self, line: str) -> None:
        """Print a line above the progress line."""
        self.console.print(line, highlight=False, markup=False, soft_wrap=True)


def clock(seconds: float) -> str:
    """A span of time for people: `42 s`, `5 min 04 s`, `1 h 02 min`."""
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"


def _flat(told: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, float]]:
    for name, value in told.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{above}{name}/")
        elif isinstance(value, int | float):
            yield f"{above}{name}", float(value)
