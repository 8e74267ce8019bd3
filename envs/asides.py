"""Questions that nobody else may notice: who is asked aside, and what the others see meanwhile.

While a seat is asked aside, the others see the table wait for what comes if it says nothing; so that was asked in the
open before. A game that does so has the fields of ``asides`` in its state.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .game import NOBODY, clockwise
from .kernel import rule
from .layout import Field, choice
from .layout import seat as one_seat


@rule
def ask(s, phase, seat):
    """Ask a seat in the open."""
    s.phase = phase
    s.turn = seat
    s.shown_phase = phase
    s.shown_turn = seat


@rule
def ask_aside(s, phase, seat):
    """Ask a seat so that nobody else notices."""
    s.phase = phase
    s.turn = seat


@rule
def resume(s):
    """Go on with what was asked in the open."""
    s.phase = s.shown_phase
    s.turn = s.shown_turn


@rule
def phase_seen(s, me):
    """What is being decided, as ``me`` sees it."""
    return s.phase if s.turn == me else s.shown_phase


@rule
def turn_seen(s, me):
    """The seat that is asked, as ``me`` sees it."""
    return me if s.turn == me else s.shown_turn


def asides(phases: Iterable[str]) -> dict[str, Field]:
    """A state's fields for ``ask`` and ``ask_aside``."""
    return {
        "phase": choice("what is being decided", tuple(phases)),
        "shown_phase": choice("what is being decided, as far as all may know", tuple(phases)),
        "shown_turn": one_seat("seat that is asked, as far as all may know"),
    }


def flaw_of_asides(s: Any, aside: tuple[int, ...], over: int) -> str:
    """What the fields of ``asides`` say against each other, or ""; ``aside`` are the phases that are asked aside.

    Phases before ``over`` are asked.
    """
    if (s.phase < over) != (s.turn != NOBODY) or (s.shown_phase < over) != (s.shown_turn != NOBODY):
        return "it is a seat's turn as long as something is being decided"
    if s.shown_phase in aside or (s.phase not in aside and (s.phase, s.turn) != (s.shown_phase, s.shown_turn)):
        return "only what is asked aside is hidden"
    return ""


@rule
def observe_question(s, me, o, over):
    """What is being decided, and who is asked, as ``me`` sees it; phases beyond ``over`` happen by themselves."""
    phase, turn = phase_seen(s, me), turn_seen(s, me)
    if phase <= over:
        o.phase[phase] = 1
    if turn != NOBODY:
        o.turn[clockwise(s, me, turn)] = 1
