"""A run shared out: several processes play some of its tables each and learn from the mean of their gradients.

Process 0 is the run: it keeps the time, logs, measures and saves, and the others do as it says. Each of them is started
with a command line of its own, so no line of the caller's program runs again, and hangs on two pipes to process 0. A
pipe ends with the process at its other end, whatever ends that: nobody waits for a process that is gone. Gradients lie
in memory that all share; through a network layer they would take twenty times as long.
"""

from __future__ import annotations

import json
import os
import signal
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, NoReturn

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from karty.training.config import TrainConfig

_START = "import sys; sys.path[:] = sys.argv[1:]; from karty.training.processes import work; work()"
_HEADER = struct.Struct("<cQ")
_CONTENT, _SLIP, _FAILURE = b"c", b"s", b"f"
"""What a message is: content, a ValueError (one line for the user), or another error."""


class LostError(Exception):
    """The process at the other end of the line has ended."""


class Alone:
    """One process, which has nobody to agree with; ``rank``: its number, ``size``: how many there are."""

    rank, size = 0, 1

    def __enter__(self) -> Alone:
        """Leaving the context ends the other processes."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the other processes."""

    def begin(self, config: TrainConfig, saved: Path | None) -> None:
        """Have the other processes begin the same run, or go on from the checkpoint ``saved``."""

    def agree(self, tensors: Iterable[Tensor], gradients: int) -> None:
        """Overwrite the tensors by those of process 0, and prepare for so many numbers of all gradients together."""

    def order(self, what: str, **told: Any) -> None:
        """Have the other processes do the same as this one; ``told`` is what JSON knows."""

    def each(self, number: int) -> list[int]:
        """The number that each process gives, by rank."""
        return [number]

    def average(self, weights: Iterable[Tensor]) -> None:
        """Replace the gradients of the weights by their mean over the processes."""

    def share(self, tensors: Iterable[Tensor]) -> None:
        """Overwrite the tensors by those of process 0."""

    def gather(self, content: bytes) -> list[bytes]:
        """What each process gives, by rank; nothing in others than process 0."""
        return [content]


class Line:
    """Messages to one other process and from it."""

    def __init__(self, source: IO[bytes] | None, target: IO[bytes] | None) -> None:
        """``source``: read from; ``target``: written to."""
        assert source is not None and target is not None
        self._source, self._target = source, target

    def send(self, content: bytes, kind: bytes = _CONTENT) -> None:
        """Send a message; LostError if nobody is there to read it."""
        try:
            self._target.write(_HEADER.pack(kind, len(content)))
            self._target.write(content)
            self._target.flush()
        except OSError as error:
            raise LostError from error

    def receive(self) -> bytes:
        """Wait for a message.

        LostError if none will come; what went wrong at the other end as ValueError, if that is what it was there, or
        ChildProcessError.
        """
        header = self._source.read(_HEADER.size)
        if len(header) < _HEADER.size:
            raise LostError
        kind, size = _HEADER.unpack(header)
        content = self._source.read(size)
        if len(content) < size:
            raise LostError
        if kind == _SLIP:
            raise ValueError(content.decode())
        if kind == _FAILURE:
            raise ChildProcessError(f"another process of this run failed: {content.decode()}")
        return content

    def close(self) -> None:
        """Close both ends."""
        for file in (self._source, self._target):
            with suppress(OSError):
                file.close()


class _Crew(Alone):
    """One of several processes that work together."""

    def __init__(self, rank: int, size: int, folder: str) -> None:
        """``rank``: 0 … size - 1; ``folder``: where the file of the shared memory is."""
        self.rank, self.size = rank, size
        self._file = Path(folder) / "gradients"
        # A row for each process, where its gradients lie, and one for their mean.
        self._gradients: NDArray[np.float32] = np.zeros((size + 1, 0), np.float32)

    def _up(self, content: bytes) -> list[bytes]:
        """Bring what each process gives to process 0: by rank there, nothing elsewhere."""
        raise NotImplementedError

    def _down(self, content: bytes) -> bytes:
        """What process 0 gives."""
        raise NotImplementedError

    def agree(self, tensors: Iterable[Tensor], gradients: int) -> None:
        """Overwrite the tensors by those of process 0, and prepare for so many numbers of all gradients together."""
        self.share(tensors)
        shape = (self.size + 1, gradients)
        if self.rank == 0:
            self._gradients = np.memmap(self._file, np.float32, "w+", shape=shape)
        self._down(b"")
        if self.rank:
            self._gradients = np.memmap(self._file, np.float32, "r+", shape=shape)
        self._up(b"")

    def each(self, number: int) -> list[int]:
        """The number that each process gives, by rank."""
        numbers: list[int] = json.loads(
            self._down(json.dumps([int(x) for x in self._up(str(number).encode())]).encode())
        )
        return numbers

    def average(self, weights: Iterable[Tensor]) -> None:
        """Replace the gradients of the weights by their mean over the processes."""
        gradients = [weight.grad for weight in weights if weight.grad is not None]
        mine, mean = torch.from_numpy(self._gradients[self.rank]), torch.from_numpy(self._gradients[-1])
        torch.cat([gradient.reshape(-1) for gradient in gradients], out=mine)
        self._up(b"")
        if self.rank == 0:
            np.mean(self._gradients[:-1], axis=0, out=self._gradients[-1])
        self._down(b"")
        start = 0
        for gradient in gradients:
            gradient.copy_(mean[start : start + gradient.numel()].view_as(gradient))
            start += gradient.numel()

    def share(self, tensors: Iterable[Tensor]) -> None:
        """Overwrite the tensors by those of process 0."""
        for tensor in tensors:
            content = self._down(tensor.numpy().tobytes() if self.rank == 0 else b"")
            if self.rank:
                tensor.copy_(torch.frombuffer(bytearray(content), dtype=tensor.dtype).view_as(tensor))

    def gather(self, content: bytes) -> list[bytes]:
        """What each process gives, by rank; nothing in others than process 0."""
        return self._up(content)


class Lead(_Crew):
    """Process 0, which as a context ends the others.

    What goes wrong in one of them is raised here when something of it is awaited: a ValueError as that, anything else
    as a ChildProcessError, in one line.
    """

    def __init__(self, lines: Sequence[Line], processes: Sequence[subprocess.Popen[bytes]] = ()) -> None:
        """``lines``: to the other processes, by rank from 1 on; ``processes``: which are ended in the end."""
        self._folder = tempfile.TemporaryDirectory(prefix="karty-", ignore_cleanup_errors=True)
        super().__init__(0, 1 + len(lines), self._folder.name)
        self._lines, self._processes = lines, processes

    def __exit__(self, *_: object) -> None:
        """End the other processes, whatever they do: they keep nothing that is not here."""
        for process in self._processes:
            process.kill()
        for process in self._processes:
            process.wait()
        for line in self._lines:
            line.close()
        self._folder.cleanup()

    def begin(self, config: TrainConfig, saved: Path | None) -> None:
        """Have the other processes begin the same run, or go on from the checkpoint ``saved``."""
        told = {"config": config.to_dict(), "saved": None if saved is None else str(saved)}
        for rank, line in enumerate(self._lines, 1):
            self._send(rank, line, json.dumps({**told, "rank": rank, "folder": self._folder.name}).encode())
        self._up(b"")

    def agree(self, tensors: Iterable[Tensor], gradients: int) -> None:
        """Overwrite the tensors of the others by these, and prepare for so many numbers of all gradients together."""
        super().agree(tensors, gradients)
        self._folder.cleanup()  # all have opened the file: nothing is left, however this process may end

    def order(self, what: str, **told: Any) -> None:
        """Have the other processes do the same as this one; ``told`` is what JSON knows."""
        self._down(json.dumps({"what": what, **told}).encode())

    def _up(self, content: bytes) -> list[bytes]:
        """What each process gives."""
        return [content, *(self._receive(rank, line) for rank, line in enumerate(self._lines, 1))]

    def _down(self, content: bytes) -> bytes:
        """Tell the others."""
        for rank, line in enumerate(self._lines, 1):
            self._send(rank, line, content)
        return content

    def _send(self, rank: int, line: Line, content: bytes) -> None:
        try:
            line.send(content)
        except LostError:
            while True:  # the last thing that it said is why it ended
                self._receive(rank, line)

    def _receive(self, rank: int, line: Line) -> bytes:
        try:
            return line.receive()
        except LostError as error:
            raise ChildProcessError(f"process {rank} of this run ended ({self._how(rank)})") from error

    def _how(self, rank: int) -> str:
        """How a process ended, in a few words."""
        if not self._processes:
            return "nobody knows how"
        code = self._processes[rank - 1].wait()
        with suppress(ValueError):
            return signal.Signals(-code).name
        return f"exit code {code}"


class Follower(_Crew):
    """A process that is not process 0; LostError when that is gone."""

    def __init__(self, rank: int, size: int, folder: str, line: Line) -> None:
        """``line``: to process 0."""
        super().__init__(rank, size, folder)
        self._line = line

    def ordered(self) -> dict[str, Any]:
        """What is to be done next."""
        told: dict[str, Any] = json.loads(self._down(b""))
        return told

    def _up(self, content: bytes) -> list[bytes]:
        self._line.send(content)
        return []

    def _down(self, content: bytes) -> bytes:
        return self._line.receive()


def make_crew(config: TrainConfig) -> Alone:
    """The processes that a run asks for."""
    if config.processes == 1:
        return Alone()
    processes = [_start() for _ in range(config.processes - 1)]
    return Lead([Line(process.stdout, process.stdin) for process in processes], processes)


def _start() -> subprocess.Popen[bytes]:
    """Start a process, out of reach of Ctrl-C, which is for process 0 to hear."""
    words = [sys.executable, "-c", _START, *(path or os.getcwd() for path in sys.path)]
    windows = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
    return subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=not windows, creationflags=windows
    )


def work() -> NoReturn:
    """The life of a process that is not process 0."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    line = Line(sys.stdin.buffer, os.fdopen(os.dup(1), "wb"))
    os.dup2(2, 1)  # whatever else is printed is for people
    with suppress(LostError):
        try:
            _follow(line)
        except ValueError as error:
            line.send(" ".join(str(error).split()).encode(), _SLIP)
        except Exception as error:
            if "KARTY_TRACEBACK" in os.environ:
                sys.excepthook(type(error), error, error.__traceback__)
            line.send(" ".join(f"{type(error).__name__}: {error}".split()).encode(), _FAILURE)
    os._exit(0)  # there is nothing to tidy up


def _follow(line: Line) -> None:
    """Make what process 0 has made, then do as it says until it ends."""
    from karty.training.ppo import Trainer

    torch.set_num_threads(1)
    told = json.loads(line.receive())
    config = TrainConfig.from_dict(told["config"])
    crew = Follower(told["rank"], config.processes, told["folder"], line)
    trainer = Trainer(config, crew)
    if told["saved"] is not None:
        trainer.restore(Path(told["saved"]))
    line.send(b"")
    trainer.agree()
    while True:
        trainer.follow(crew.ordered())
