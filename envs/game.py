"""What a game is: one value that holds its rules, layouts, actions and kernels; everything else is computed from it."""

from __future__ import annotations

import dataclasses
import hashlib
import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, TypeVar

from .cards import Deck
from .kernel import rule
from .layout import SHOWN, Field, Layout, choice, flag, number

NOBODY = -1
"""No seat."""

ASKED, DEAL, SCORE, END, SHUFFLE = range(5)
"""What ``advance`` did: nothing, since a seat is asked; dealt; scored a deal; ended the episode; shuffled a fan."""

RUNNING, TERMINATED, TRUNCATED, FORFEITED = range(4)
"""``over``: not yet; the rules ended it; a cap did; an illegal action did."""


@rule
def next_seat(s, seat):  # type: ignore[no-untyped-def]
    """The left neighbour: seats are numbered clockwise."""
    return seat + 1 if seat < s.seats - 1 else 0


@rule
def seat_before(s, seat):  # type: ignore[no-untyped-def]
    """The right neighbour."""
    return seat - 1 if seat > 0 else s.seats - 1


@rule
def clockwise(s, me, seat):  # type: ignore[no-untyped-def]
    """The seat counted clockwise from ``me``, as an observation counts."""
    return seat - me if seat >= me else seat - me + s.seats


@rule
def observe_deals(s, o, most):  # type: ignore[no-untyped-def]
    """How many deals are over, and how many are left of the most there may be."""
    o.deals_played = min(s.deal, SHOWN)
    o.deals_left = max(0, min(most - s.deal, SHOWN))


@rule
def pay(s, reward, points, gain, unit):  # type: ignore[no-untyped-def]
    """Points by seat, and rewards: of a match the winner 1, the others share -1; of a deal the points beyond theirs.

    ``gain`` is 1 if a higher score is better, -1 if a lower one; so many points as ``unit`` more than the mean of the
    others' make a reward of 1 in a deal. A match that a cap ended pays nothing.
    """
    others = s.seats - 1
    total = 0
    for seat in range(s.seats):
        points[seat] = gain * (s.scores[seat] - s.start[seat])
        total += gain * (s.scores[seat] - s.start[seat])
    for seat in range(s.seats):
        if s.single_deal:
            reward[seat] = (points[seat] - (total - points[seat]) / others) / unit
        elif s.over == TERMINATED:
            reward[seat] = 1.0 if seat == s.winner else -1.0 / others
        else:
            reward[seat] = 0.0


MAX_SEED = 2**63 - 1
"""Seeds are whole numbers from 0 to this."""
EVALUATION_SEEDS = 2**62
"""Seeds from this on are for evaluation: training, and whatever draws a seed by itself, stays below."""

_R = TypeVar("_R", bound="Options")


class RulesError(ValueError):
    """An option that the game does not have, or a value that the option does not take."""


def option(
    default: Any, values: Iterable[Any], caption: str, *, kept: str = "", told: Mapping[Any, str] | None = None
) -> Any:
    """A field of a game's rules that takes one of the values; the state holds the value's index.

    ``kept`` names the state's field, if every state has one of the option's own name for something else; ``told`` says
    in a line what a value is.
    """
    described = {"values": tuple(values), "caption": caption, "kept": kept, "told": told or {}}
    return field(default=default, metadata=described)


def kept_as(spec: dataclasses.Field[Any]) -> str:
    """The name of the state's field that holds this option."""
    return str(spec.metadata.get("kept") or spec.name)


NO_LIMIT = 2**31
"""What a state holds where a limit is None: more than any number that a limit may be."""


def limit(default: int | None, minimum: int, caption: str, *, none: bool = False) -> Any:
    """A field of a game's rules that takes any whole number from the minimum on; the state holds the number.

    With ``none`` it also takes None, for no limit; the state then holds NO_LIMIT.
    """
    return field(default=default, metadata={"values": None, "minimum": minimum, "none": none, "caption": caption})


@dataclass(frozen=True)
class Options:
    """The options of a game: its ``Rules`` is a frozen dataclass derived from this, its fields by ``option``.

    Checks across options go into an overridden ``__post_init__`` that calls this one first.
    """

    GAME: ClassVar[str] = ""
    PRESETS: ClassVar[Mapping[str, Mapping[str, Any]]] = {}

    def __post_init__(self) -> None:
        """Check every value; RulesError names the option, the value and what is allowed."""
        for spec in dataclasses.fields(self):
            value, values = getattr(self, spec.name), spec.metadata["values"]
            if values is None:
                minimum, none = spec.metadata["minimum"], spec.metadata["none"]
                good = _is_whole(value, minimum) or (none and value is None)
                allowed = f"a whole number from {minimum} to {_LARGEST}" + (", or None" if none else "")
            else:
                good, allowed = any(_same(value, v) for v in values), ", ".join(str(v) for v in values)
            if not good:
                raise RulesError(f"{self.GAME}: option {spec.name}={value!r} is not allowed; allowed: {allowed}")

    @property
    def seats(self) -> int:
        """P, the number of seats at this table."""
        raise NotImplementedError

    @property
    def teams(self) -> tuple[int, ...]:
        """The side of each seat, [P]: everyone for himself unless the game says otherwise."""
        return tuple(range(self.seats))

    @property
    def idle(self) -> tuple[str, ...]:
        """The options that have no effect beside the others."""
        return ()

    @classmethod
    def sizes(cls) -> range:
        """The numbers of seats that there are, from the fewest to the most.

        At most two options have to be chosen for one: in a larger pack more players have room.
        """
        seats = [cls().seats]
        single = [(spec.name, value) for spec in dataclasses.fields(cls) for value in spec.metadata["values"] or ()]
        for pair in itertools.product(single, repeat=2):
            with suppress(RulesError):  # values that do not go together
                seats.append(cls(**dict(pair)).seats)
        return range(min(seats), max(seats) + 1)

    @classmethod
    def make(cls: type[_R], preset: str | None = None, **options: Any) -> _R:
        """Rules from a preset's defaults and options; RulesError for what the game does not know."""
        known = [spec.name for spec in dataclasses.fields(cls)]
        for name in options:
            if name not in known:
                raise RulesError(f"{cls.GAME}: there is no option {name!r}; options: {', '.join(known)}")
        defaults: Mapping[str, Any] = {}
        if preset is not None:
            if not isinstance(preset, str) or preset not in cls.PRESETS:
                names = ", ".join(cls.PRESETS) or "none"
                raise RulesError(f"{cls.GAME}: there is no preset {preset!r}; presets: {names}")
            defaults = cls.PRESETS[preset]
        return cls(**{**defaults, **options})

    def to_dict(self) -> dict[str, Any]:
        """Every option by name, as JSON knows it."""
        return dataclasses.asdict(self)

    def to_state(self) -> dict[str, int]:
        """Every option by the state's field, as that holds it: the index of its value, or the number itself."""
        values: dict[str, int] = {}
        for spec in dataclasses.fields(self):
            value, allowed = getattr(self, spec.name), spec.metadata["values"]
            if allowed is None:
                values[kept_as(spec)] = NO_LIMIT if value is None else value
            else:
                values[kept_as(spec)] = next(i for i, v in enumerate(allowed) if _same(value, v))
        return values


_LARGEST = NO_LIMIT - 1
MOST_START = 2**30
"""Scores that an episode may be asked to start from stay below this, so that they stay within a state's bounds."""


def _is_whole(value: Any, minimum: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and minimum <= value <= _LARGEST


def _same(value: Any, allowed: Any) -> bool:
    """Equal and of one type: True is not 1 in an option."""
    return type(value) is type(allowed) and bool(value == allowed)


def state_options(rules: type[Options]) -> dict[str, Field]:
    """A state's fields for the options: the index of the value, or the number."""
    fields = {}
    for spec in dataclasses.fields(rules):
        caption, values = spec.metadata["caption"], spec.metadata["values"]
        if values is None:
            fields[kept_as(spec)] = number(caption, spec.metadata["minimum"], NO_LIMIT)
        else:
            fields[kept_as(spec)] = choice(caption, values)
    return fields


def observed_options(rules: type[Options]) -> dict[str, Field]:
    """An observation's fields for the options with listed values: one 0/1 column a value, only one if there are two."""
    fields = {}
    for spec in dataclasses.fields(rules):
        caption, values = spec.metadata["caption"], spec.metadata["values"]
        if values is not None:
            fields[spec.name] = choice(caption, values) if len(values) > 2 else flag(f"{caption}: {values[1]}")
    return fields


@dataclass(frozen=True)
class Shape:
    """What a table of some rules looks like from outside: its layouts, action names, seats and pack."""

    observation: Layout
    hidden: Layout
    actions: tuple[str, ...]
    seats: int
    deck: Deck

    @cached_property
    def digest(self) -> str:
        """A name for exactly this layout and these actions: weights trained on others do not fit."""
        return hashlib.sha256(f"{self.observation.digest} {self.actions}".encode()).hexdigest()[:16]

    @property
    def features(self) -> int:
        """F, the length of an observation row."""
        return self.observation.size

    @property
    def size(self) -> int:
        """A, the number of actions."""
        return len(self.actions)


Seen = Mapping[str, Any]
"""An observation decoded: {field: value}."""
Pile = tuple[str, int | None, int]
"""A run of the pack: the pile's name, its number if there are several of the name, and how many cards it gets."""


@dataclass(frozen=True, eq=False)
class Game:
    """A game: its description, and its rules as kernels.

    The kernels work on one state record ``s`` and are compiled by the engine: ``begin(s)`` sets an episode up (first
    dealer, scores) once options, seed and seats are filled in; ``advance(s)`` does the one event that is due (DEAL,
    SCORE, END …) while no seat is asked; ``legal(s, mask)`` writes 1 for every legal action of the seat asked into an
    empty mask int8[A]; ``play(s, action)`` carries out one decision; ``frame(s, o)`` writes into an empty observation
    record what never changes at a table, ``observe(s, me, o)`` all else that a seat sees into such a frame, ``hide(s,
    me, h)`` the cards it cannot see into an empty hidden record; ``determinize(s, me, chance)`` deals those anew;
    ``returns(s, reward, points)`` gives the rewards and the change of score, float64[P] each, of an episode that is
    over (points so that more is better: ``gain`` is 1 if a higher score is, -1 if a lower one), ``unit`` how many
    points make a reward of 1 in a deal. ``fans`` names the state's pile of each seat that SHUFFLE puts in a new order;
    such a state has the field ``shuffler``, the seat whose fan it is. ``picture`` says which observation fields a
    picture shows where (see ``picture.Look``), ``outcome`` whether evaluation counts "wins" or "losses", ``measure``
    whether players are compared by that or by "points", ``infos`` what PettingZoo and Gymnasium tell besides in their
    infos, by key ``margin`` or ``revoked`` of the state's header, ``given_starts`` from which scores an episode may be
    asked to start, ``won_at`` the score that wins a match, if matches are won by a score, ``in_turn`` whether the
    deal passes on clockwise. ``flaw`` names what the
    fields of a state from outside say against each other, if they are within their ranges and cards lie once each, or
    "".

    For a person at the table: ``phases`` says in a sentence what is decided in each phase that asks somebody, by the
    phase's name (one, of any name, where the observation has no phases). ``news(before, now)`` and ``means(now,
    action)`` speak of observations of one seat, decoded, ``x_tens`` and ``x_ones`` as one ``x``: the first yields what
    was said or won between the two, besides the names of the actions, as (seat clockwise from the one that looks, or
    NOBODY; words); the second says what an action would put forward, or "". ``called(now, action)`` is how people call
    an action of the seat that is asked, if not by its name, ``asks(now)`` what is being decided, if the phase's title
    says too little, ``led(now)`` which seat clockwise led the last complete trick. ``shown(seen)`` gives fields for the
    picture to show like those of the observation; ``seen`` holds what the seat that looks sees, or if all cards lie
    open what each seat does. ``dealt_by(state)`` is who dealt the deal that is over, as long as no other is dealt:
    ``dealer`` may be the next one. Cards and suits in words are their names, ``{1}`` the seat clockwise from the one
    that looks.
    """

    name: str
    title: str
    version: int
    rules: type[Options]
    state: Layout
    shapes: Callable[[Any], Shape]
    piles: Callable[[Any, int], tuple[Pile, ...]]
    starts: Callable[[Any, bool], range | None]
    begin: Callable[..., Any]
    advance: Callable[..., Any]
    legal: Callable[..., Any]
    play: Callable[..., Any]
    frame: Callable[..., Any]
    observe: Callable[..., Any]
    hide: Callable[..., Any]
    determinize: Callable[..., Any]
    returns: Callable[..., Any]
    given_starts: Callable[[Any], range]
    gain: int = 1
    unit: float = 1.0
    fans: str | None = None
    picture: Mapping[str, Any] = field(default_factory=dict)
    outcome: str = "wins"
    measure: str = "points"
    infos: Mapping[str, str] = field(default_factory=dict)
    won_at: int | None = None
    in_turn: bool = True
    flaw: Callable[[Any], str] = lambda state: ""
    phases: Mapping[str, str] = field(default_factory=dict)
    news: Callable[[Seen, Seen], Iterable[tuple[int, str]]] = lambda before, now: ()
    means: Callable[[Seen, str], str] = lambda now, action: ""
    called: Callable[[Seen, str], str] = lambda now, action: action
    asks: Callable[[Seen], str] = lambda now: ""
    led: Callable[[Seen], int] = lambda now: NOBODY
    shown: Callable[[Sequence[Seen]], Mapping[str, Any]] = lambda seen: {}
    dealt_by: Callable[[Any], int] = lambda state: int(state.dealer)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy a game as its name: its kernels are what this version of the package compiles."""
        return _by_name, (self.name,)

    @property
    def presets(self) -> Mapping[str, Mapping[str, Any]]:
        """The named sets of defaults of the game's rules."""
        return self.rules.PRESETS

    @cached_property
    def kernels(self) -> dict[str, Callable[..., Any]]:
        """The compiled rules by the names that the engine's loops use."""
        names = ("begin", "advance", "legal", "play", "frame", "observe", "hide", "determinize", "returns")
        return {name: getattr(self, name) for name in names}

    def shape(self, rules: Options | None = None) -> Shape:
        """Layouts, actions and seats under these rules (the default ones if None)."""
        return self.shapes(self.rules() if rules is None else rules)

    def action_names(self, rules: Options | None = None) -> tuple[str, ...]:
        """The name of every action in the order of the ids, [A]."""
        return self.shape(rules).actions

    def action_id(self, rules: Options | None, name: str) -> int:
        """The id of the action with this name; ValueError for a name that the game does not have."""
        names = self.action_names(rules)
        try:
            return names.index(name)
        except ValueError:
            kin = [known for known in names if known.split()[0] == str(name).split(" ")[0]]
            hint = (
                f"actions of that kind: {', '.join(kin[:40])}"
                if kin
                else f"kinds: {', '.join(self.action_kinds(rules))}"
            )
            raise ValueError(f"{self.name}: there is no action {name!r}; {hint}") from None

    def action_kinds(self, rules: Options | None = None) -> tuple[str, ...]:
        """The first words of the action names, each once, in the order of the ids."""
        return tuple(dict.fromkeys(name.split()[0] for name in self.action_names(rules)))


def _by_name(name: str) -> Game:
    from .games import find_game

    return find_game(name)


def make_rules(game: Game, rules: Options | Mapping[str, Any] | None = None, **options: Any) -> Options:
    """The rules of a table, from a ``Rules``, its dict, or options by name (``preset=`` sets defaults).

    Both is a TypeError.
    """
    if rules is None:
        return game.rules.make(**options)
    if options:
        raise TypeError(f"{game.name}: give either rules= or options by name, not both: {', '.join(options)}")
    if isinstance(rules, game.rules):
        return rules
    if isinstance(rules, Mapping):
        return game.rules.make(**rules)
    raise TypeError(
        f"{game.name}: rules= takes a {game.rules.__qualname__} of this game or a dict, not {type(rules).__name__}"
    )
