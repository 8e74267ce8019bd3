"""The one gate to Numba: how a rule is compiled, and where its machine code is kept.

Numba keeps machine code between processes, but it does not notice an edit in a function that a cached one calls, nor
a change of its own flags, and it never finds a cached loop again that got its kernels as arguments. So the code lives
in a folder named by a digest of all compiled sources, versions and flags, and every game's entry points are made from
shared plain functions whose globals hold that game's kernels. Nor does it tell apart the records of two processes:
inside machine code they get names of ours.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast

import llvmlite
import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

F = TypeVar("F", bound=Callable[..., Any])

_CONFIG: Any = getattr(numba, "config")  # noqa: B009 (numba's own stubs do not declare it)
PLAIN = bool(_CONFIG.DISABLE_JIT)
"""True under NUMBA_DISABLE_JIT=1: the same rules run as plain Python."""

if PLAIN:
    # The random streams wrap around at 64 bits; NumPy's scalars would warn about it, machine code does not.
    np.seterr(over="ignore")

_QUICKLY = bool(_CONFIG.BOUNDSCHECK or os.environ.get("KARTY_COMPILE") == "quickly")
"""Rather compiled soon than run fast, for tests: set by KARTY_COMPILE=quickly, or where array accesses are checked."""
_OPTIONS: dict[str, Any] = {"nogil": True, "no_cfunc_wrapper": True}  # threads run side by side; C code calls no rule
_ENVS = Path(__file__).resolve().parent
_SOURCES = (_ENVS, _ENVS.parent / "agents" / "rules")
_NO_CODE = {"NUMBA_CACHE_DIR", "NUMBA_NUM_THREADS", "NUMBA_DEBUG_CACHE", "NUMBA_DISABLE_JIT"}  # change no machine code
_UNUSED = 30 * 86400  # seconds after which the code of older sources is deleted
_LOCK = threading.Lock()


def _digest() -> str:
    """Name the machine code of exactly these sources, versions and flags."""
    digest = hashlib.sha256(f"{numba.__version__} {llvmlite.__version__} {np.__version__}".encode())
    for folder in _SOURCES:
        for path in sorted(folder.rglob("*.py")):
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    digest.update(b"quickly" if _QUICKLY else b"")
    for key in sorted(os.environ):
        if key.startswith("NUMBA_") and key not in _NO_CODE:
            digest.update(f"\0{key}={os.environ[key]}".encode())
    return digest.hexdigest()[:20]


def _base() -> Path:
    """The folder for all caches: KARTY_CACHE_DIR, NUMBA_CACHE_DIR, or the platform's own place."""
    if own := os.environ.get("KARTY_CACHE_DIR"):
        return Path(own)
    if _CONFIG.CACHE_DIR:
        return Path(_CONFIG.CACHE_DIR) / "karty"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local") / "karty" / "numba"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "karty" / "numba"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "karty" / "numba"


def _folder() -> Path | None:
    """The cache folder of these sources, or None: then everything works, compiled anew in each process."""
    if PLAIN or os.environ.get("KARTY_NO_CACHE"):
        return None
    try:
        base = _base()
        folder = base / _digest()
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK):
            return None
        os.utime(folder)
        for old in base.iterdir():
            if len(old.name) == len(folder.name) and old.stat().st_mtime < time.time() - _UNUSED:
                shutil.rmtree(old, ignore_errors=True)
        return folder
    except (OSError, RuntimeError):  # no home, a read-only disk, a package inside a zip
        return None


CACHE = _folder()
"""Where this process keeps machine code; None if nothing is kept."""


def _name_of_record(record: types.Record) -> tuple[str, tuple[str]]:
    """What machine code calls a record: by all its fields.

    Numba calls it by how many types the process had met before. Two tables of different sizes, compiled by two
    processes, could get one name then, and a third process that loaded both ran the code of one on the other's records.
    """
    return type(record).__name__, (hashlib.sha256(record.name.encode()).hexdigest()[:16],)


setattr(types.Record, "mangling_args", property(_name_of_record))  # noqa: B010 (to mypy it is a method)


def rule(function: F) -> F:
    """Compile a function that compiled code calls; its code is put into each of the entry points that use it.

    Left to itself LLVM calls most rules, and a call hands over an array as seven numbers: a fifth of a step's time.
    It takes a third longer to compile, so tests do without.
    """
    return cast(F, numba.njit(forceinline=not _QUICKLY, **_OPTIONS)(function))


if PLAIN:

    def ones(number: int) -> int:
        """How many bits of the number are set."""
        return int(number).bit_count()

    def first_one(number: int) -> int:
        """The place of the lowest bit that is set; the number must not be 0."""
        return (int(number) & -int(number)).bit_length() - 1

    def last_one(number: int) -> int:
        """The place of the highest bit that is set; the number must not be 0."""
        return int(number).bit_length() - 1

    def eight(row: Any, start: int) -> int:
        """Eight columns of an int8 row from this one on as one number, the first in its lowest byte."""
        return sum((int(row[start + i]) & 255) << 8 * i for i in range(8))

    def place_in_eight(columns: int, skip: int) -> int:
        """Which of eight 0/1 columns, as one number, is the one that is 1 after so many others."""
        return [i for i in range(8) if columns >> 8 * i & 1][skip]

else:
    # One machine instruction each, instead of ten lines of shifts.
    @intrinsic
    def ones(typing, number):  # type: ignore[no-untyped-def]  # noqa: D103
        return types.int64(types.int64), lambda context, builder, signature, arguments: builder.ctpop(arguments[0])

    @intrinsic
    def first_one(typing, number):  # type: ignore[no-untyped-def]  # noqa: D103
        return types.int64(types.int64), lambda context, builder, signature, arguments: builder.cttz(
            arguments[0], context.get_constant(types.boolean, True)
        )

    @intrinsic
    def last_one(typing, number):  # type: ignore[no-untyped-def]  # noqa: D103
        def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            zeros = builder.ctlz(arguments[0], context.get_constant(types.boolean, True))
            return builder.sub(context.get_constant(types.int64, 63), zeros)

        return types.int64(types.int64), generate

    @intrinsic
    def eight(typing, row, start):  # type: ignore[no-untyped-def]  # noqa: D103
        def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            data = cgutils.create_struct_proxy(signature.args[0])(context, builder, arguments[0]).data  # type: ignore[no-untyped-call]
            columns = builder.bitcast(builder.gep(data, [arguments[1]]), ir.IntType(64).as_pointer())
            return builder.load(columns, align=1)

        if row.layout != "C" or row.dtype.bitwidth != 8:
            return None  # Numba says that there is no such function
        return types.int64(row, types.int64), generate

    _EVERY_BYTE = 0x0101010101010101
    _HIGHEST_BITS = -0x7F7F7F7F7F7F7F80

    @rule
    def place_in_eight(columns: int, skip: int) -> int:  # noqa: D103
        # A byte of the product counts the columns up to it; its highest bit is set from the one looked for on.
        upto: int = first_one((columns + 127 - skip) * _EVERY_BYTE & _HIGHEST_BITS)
        return upto >> 3


def bind(loop: Any, kernels: Mapping[str, Any], name: str) -> Callable[..., Any]:
    """Copy a plain function so that its global names mean the given kernels, under a name of its own."""
    code = loop.__code__
    function = FunctionType(code, {**loop.__globals__, **kernels}, name, loop.__defaults__)
    function.__qualname__ = name
    function.__module__ = loop.__module__
    return function


def entry(loop: Any, kernels: Mapping[str, Any] | None = None, name: str = "") -> Callable[..., Any]:
    """Compile a function that Python calls, with one signature, its machine code kept between processes.

    ``name`` tells apart what is made from one loop; it must name the kernels fully, for Numba's index knows only the
    name. A loop or kernel from outside the digested folders adds its own file's digest to the name.
    """
    kernels = kernels or {}
    name = name or loop.__qualname__
    name += outside((loop, *kernels.values()))
    function = bind(loop, kernels, name)
    if CACHE is None:
        return rule(function)
    with _LOCK:  # Numba reads CACHE_DIR while it decorates, so nobody else's functions are moved
        before = _CONFIG.CACHE_DIR
        _CONFIG.CACHE_DIR = str(CACHE)
        try:
            dispatcher = numba.njit(cache=True, **_OPTIONS)(function)
        except RuntimeError:  # "cannot cache function": no usable folder after all
            return rule(function)
        finally:
            _CONFIG.CACHE_DIR = before
    if str(dispatcher.stats.cache_path).startswith(str(CACHE)):
        return cast(Callable[..., Any], dispatcher)
    return rule(function)


def outside(functions: Iterable[Any]) -> str:
    """A digest of the source files of these functions that the cache folder's own does not cover, or nothing."""
    plain = [getattr(function, "py_func", function) for function in functions]
    paths = {function.__code__.co_filename for function in plain if isinstance(function, FunctionType)}
    return "".join(_digest_outside(path) for path in sorted(paths))


@cache
def _digest_outside(path: str) -> str:
    """A digest of one source file, or nothing if it is covered."""
    file = Path(path).resolve()
    if not file.is_file() or any(file.is_relative_to(folder) for folder in _SOURCES):
        return ""
    return "_" + hashlib.sha256(file.read_bytes()).hexdigest()[:12]


def is_kept(dispatcher: Any) -> bool:
    """Is there machine code of this entry point from an earlier process (or nothing to compile at all)?"""
    if PLAIN:
        return True
    if CACHE is None:
        return False
    name = dispatcher.py_func.__qualname__
    return any(True for _ in Path(dispatcher.stats.cache_path).glob(f"*.{name}-*.nbi"))


def announce(what: str) -> None:
    """Say on stderr that compiling takes a moment, so that nobody waits in the dark."""
    kept = "; kept for later runs" if CACHE is not None else ""
    took = "ten seconds to a minute in all"
    print(f"karty: compiling {what} for this machine, {took}{kept} …", file=sys.stderr, flush=True)
