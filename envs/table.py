"""One table, one event or decision at a time: what records, PettingZoo, pictures and people at the terminal play at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import compiled, snapshot
from .cards import NO_CARD, Deck
from .game import ASKED, DEAL, END, FORFEITED, MAX_SEED, NOBODY, RUNNING, SHUFFLE, Game, Options, Shape, make_rules
from .games import find_game
from .layout import records
from .loops import CALLER

Int8 = npt.NDArray[np.int8]
Given = Mapping[str, Any]
"""The content of a record's ``deal`` line: dealer, hands and the game's other piles, cards by name."""

EPISODES = ("match", "deal")


class IllegalAction(ValueError):  # noqa: N818 (the field's name for it)
    """An action that the seat asked may not choose; nothing has moved."""


def illegal_action(
    actions: Sequence[str], seat: int, action: int, legal: Sequence[int], table: int | None = None
) -> IllegalAction:
    """The error that names table, seat, action and what is legal."""
    name = repr(actions[action]) if 0 <= action < len(actions) else f"none of the ids 0 … {len(actions) - 1}"
    where = "" if table is None else f"table {table}, "
    may = ", ".join(f"{actions[a]} ({a})" for a in legal)
    return IllegalAction(
        f"{where}seat {seat}: action {action} ({name}) is not legal; legal: {may or 'none, nobody is asked'}"
    )


def check_episode(episode: str) -> bool:
    """Is the episode a single deal? ValueError for what is neither "match" nor "deal"."""
    if episode not in EPISODES:
        raise ValueError(f"episode={episode!r} is not allowed; allowed: {', '.join(EPISODES)}")
    return episode == "deal"


def check_seed(seed: Any) -> int:
    """The seed as an int; ValueError if it is not a whole number from 0 to 2**63 - 1."""
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= int(seed) <= MAX_SEED:
        raise ValueError(f"seed={seed!r} is not allowed; allowed: a whole number from 0 to 2**63 - 1")
    return int(seed)


def partners_agree(rules: Options, scores: npt.NDArray[Any]) -> bool:
    """Has each side one score? ``scores``: whole numbers [..., P]."""
    teams = rules.teams
    return bool((scores == scores[..., [teams.index(side) for side in teams]]).all())


def blank_states(game: Game, rules: Sequence[Options], single_deal: bool) -> npt.NDArray[Any]:
    """States [len(rules)] that hold options and seats and nothing else."""
    blanks = records(np.zeros(len(rules), game.state.dtype))
    for i, its in enumerate(rules):
        for name, value in its.to_state().items():
            blanks[name][i] = value
        blanks["seats"][i] = its.seats
        blanks["single_deal"][i] = single_deal
    return blanks


def draw_frames(code: Any, blanks: npt.NDArray[Any], shape: Shape) -> npt.NDArray[Any]:
    """Observation records [kinds] that hold what never changes at tables of each kind of blank state."""
    frames = records(np.zeros(len(blanks), shape.observation.dtype))
    code.draw_frames(blanks, frames)
    return frames


class Table:
    """One table of a game.

    ``reset`` begins an episode without any event; ``advance`` lets one event happen (a deal, its score, the end),
    ``settle`` all that come before the next decision; ``play`` carries out one decision and nothing else.
    """

    def __init__(
        self,
        game: Game | str,
        rules: Options | Mapping[str, Any] | None = None,
        *,
        episode: str = "match",
        **options: Any,
    ) -> None:
        """Set a table up under these rules (a ``Rules``, its dict, or options by name)."""
        self.game = game = find_game(game)
        self.rules = make_rules(game, rules, **options)
        self.episode = episode
        single_deal = check_episode(episode)
        self.shape: Shape = game.shape(self.rules)
        self.seats = self.shape.seats
        self._code = compiled.code_of(game, self.shape, "table_advance")
        self._blanks = blank_states(game, [self.rules], single_deal)
        self._records = records(np.zeros(1, self.shape.observation.dtype))
        self._frames = draw_frames(self._code, self._blanks, self.shape)
        blank = self._blanks.copy()
        blank["turn"] = NOBODY
        self._take(blank)
        self._started = False

    def _take(self, states: npt.NDArray[Any]) -> None:
        """Put a state in place of the table's own."""
        self._states = states
        self._turn, self._over = states["turn"].view(np.ndarray), states["over"].view(np.ndarray)
        self._told = {key: states[name].view(np.ndarray) for key, name in self.game.infos.items()}

    def reset(self, seed: int | None = None, deal: Given | None = None, start: Sequence[int] | None = None) -> None:
        """Begin an episode: the one of this seed, or the table's next one.

        ``deal`` fixes dealer and cards of the first deal as in a record, ``start`` the scores before it [P].
        ValueError names a seed, score or card that cannot be; the table then stays as it was.
        """
        states = self._states.copy()
        if seed is not None:
            self._code.table_open(states, self._blanks, check_seed(seed), 0)
        elif self._started:
            self._code.table_open(states, self._blanks, int(states["first"][0]), int(states["episode"][0]) + 1)
        else:
            raise ValueError("the first reset of a table needs a seed")
        if start is not None:
            self._set_start(states, start)
        if deal is not None:
            self._stack(states, deal, free_dealer=True)
        self._take(states)
        self._started = True

    def _set_start(self, states: npt.NDArray[Any], start: Sequence[int]) -> None:
        whole = isinstance(start, Sequence | np.ndarray) and all(
            isinstance(score, int | np.integer) and not isinstance(score, bool) and abs(int(score)) < 2**31
            for score in start
        )
        if not whole or len(start) != self.seats:
            raise ValueError(f"start={start!r} is not allowed; allowed: {self.seats} whole numbers, one a seat")
        allowed = self.game.given_starts(self.rules)
        if not all(int(score) in allowed for score in start):
            raise ValueError(f"start={start!r} is not allowed; allowed: scores from {allowed[0]} to {allowed[-1]}")
        if not partners_agree(self.rules, np.asarray(start)):
            raise ValueError(f"start={start!r} is not allowed; allowed: the same score for partners")
        for name in ("start", "scores"):
            states[name][0, : self.seats] = start

    def _stack(self, states: npt.NDArray[Any], deal: Given, *, free_dealer: bool) -> None:
        """Lay the pack so that the next deal is this one."""
        if not isinstance(deal, Mapping):
            raise ValueError(f"deal={deal!r} is not allowed; allowed: a mapping with dealer, hands and the other piles")
        due = int(states["dealer"][0])
        dealer = deal.get("dealer", None if due == NOBODY else due)
        if due == NOBODY:
            if dealer is not None:
                raise ValueError(f"the deal's dealer is {dealer!r}, but {self.game.name} has none")
            dealer = NOBODY
        elif isinstance(dealer, bool) or not isinstance(dealer, int | np.integer) or not 0 <= dealer < self.seats:
            raise ValueError(f"the deal's dealer {dealer!r} is no seat; seats: 0 … {self.seats - 1}")
        elif not free_dealer and dealer != due:
            raise ValueError(f"the deal's dealer is seat {dealer}, but it is seat {due}'s turn to deal")
        order = _pack_order(self.shape.deck, self.game.piles(self.rules, int(dealer)), deal)
        states["pack"][0] = NO_CARD
        states["pack"][0, : len(order)] = order
        states["dealer"] = dealer
        states["stacked"] = 1

    def _lay_fan(self, states: npt.NDArray[Any], given: Given) -> None:
        """Lay the fan that is to be shuffled in the order of a record's shuffle line."""
        shuffler, names = int(states["shuffler"][0]), self.shape.deck.names
        if given.get("seat") != shuffler or isinstance(given["seat"], bool):
            raise ValueError(f"seat {given.get('seat')!r} shuffles, but it is seat {shuffler}'s fan")
        fan = given.get("fan")
        if not isinstance(fan, Sequence) or isinstance(fan, str):
            raise ValueError(f"the fan must be a list of cards, not {fan!r}")
        order, held = [self.shape.deck.id(name) for name in fan], self._fan(states, shuffler)
        if sorted(order) != sorted(held):
            raise ValueError(
                f"the fan is {', '.join(fan) or 'empty'}, but seat {shuffler} holds {', '.join(names[c] for c in held)}"
            )
        states[self.game.fans][0, shuffler, : len(order)] = order
        states["stacked"] = 1

    def _fan(self, states: npt.NDArray[Any], seat: int) -> list[int]:
        """The cards of a seat's fan, in order."""
        return [card for card in states[self.game.fans][0, seat].tolist() if card != NO_CARD]

    def shuffled(self) -> tuple[int, list[str]]:
        """The seat that shuffled last, and its fan by names, position 0 first; in a game with fans only."""
        seat = int(self._states["shuffler"][0])
        return seat, [self.shape.deck.names[card] for card in self._fan(self._states, seat)]

    @property
    def state(self) -> Any:
        """The state's record, to be read only: one attribute a field of ``game.state``."""
        return self._states.view(np.recarray)[0]

    @property
    def seat(self) -> int:
        """The seat that is asked, or -1 (before ``settle``, or when the episode is over)."""
        return int(self._turn.item())

    @property
    def over(self) -> int:
        """RUNNING, TERMINATED, TRUNCATED or FORFEITED."""
        return int(self._over.item())

    @property
    def seed(self) -> int:
        """The episode's seed, as in its record."""
        return int(self._states["seed"][0])

    @property
    def dealer(self) -> int | None:
        """The dealer of the running (or next) deal; None in a game without one."""
        dealer = int(self._states["dealer"][0])
        return None if dealer == NOBODY else dealer

    @property
    def number(self) -> int:
        """How many deals of this episode are over."""
        return int(self._states["deal"][0])

    @property
    def latest(self) -> tuple[int, int | None]:
        """The number, from 1, and the dealer of the deal on the table: one that is over lies there until the next."""
        ended = self.number > 0 and self.seat == NOBODY and self.over != FORFEITED and self.state.attempt == 0
        if ended and self.over == RUNNING:
            ended = self.clone().advance() in (DEAL, END)
        if not ended:
            return self.number + 1, self.dealer
        return self.number, None if self.dealer is None else int(self.game.dealt_by(self.state))

    @property
    def start(self) -> list[int]:
        """The scores before the first deal, [P]."""
        return [int(score) for score in self._states["start"][0, : self.seats]]

    @property
    def starts(self) -> range | None:
        """From which scores these rules draw each start, or None if they fix it."""
        return self.game.starts(self.rules, self.episode == "deal")

    def scored(self) -> tuple[list[int], list[int]]:
        """What the last scored deal changed in each score, and the scores since, [P] each."""
        change, scores = (self._states[name][0, : self.seats].tolist() for name in ("change", "scores"))
        return change, scores

    def dealt(self) -> dict[str, Any]:
        """The latest deal as in a record: hands by seat, then the other piles, cards by name in the order dealt."""
        names, top, piles = self.shape.deck.names, 0, {}
        dealer = self.latest[1]
        for pile, index, size in self.game.piles(self.rules, NOBODY if dealer is None else dealer):
            cards = [names[card] for card in self._states["pack"][0, top : top + size]]
            top += size
            if index is None:
                piles[pile] = cards
            else:
                piles.setdefault(pile, []).append(cards)
        return piles

    def advance(self, given: Given | None = None) -> int:
        """Let the one event happen that is due and say which: DEAL, SCORE, END, SHUFFLE, or ASKED if none is.

        If it is a deal or a shuffle, ``given`` (a record's deal or shuffle line) says how the cards come to lie;
        ValueError names what cannot be, and nothing has happened. Before any other event ``given`` means nothing.
        """
        if self.seat != NOBODY or self.over != RUNNING:
            return ASKED
        if given is None:
            return int(self._code.table_advance(self._states))
        trial = self._states.copy()
        event = int(self._code.table_advance(trial))
        if event in (DEAL, SHUFFLE):
            trial = self._states.copy()
            if event == SHUFFLE:
                self._lay_fan(trial, given)
            else:
                first = int(trial["deal"][0]) == 0 and int(trial["attempt"][0]) == 0
                self._stack(trial, given, free_dealer=first)
            self._code.table_advance(trial)
        self._take(trial)
        return event

    def settle(self) -> None:
        """Let everything happen that comes before the next decision."""
        while self.advance() != ASKED:
            pass

    def mask(self) -> Int8:
        """1 for every action that the seat asked may choose: a fresh int8 [A], all 0 when nobody is asked."""
        mask = np.empty(self.shape.size, np.int8)
        self._code.table_legal(self._states, mask)
        return mask

    def legal(self) -> list[int]:
        """The ids of the actions that the seat asked may choose, ascending."""
        found: list[int] = np.flatnonzero(self.mask()).tolist()
        return found

    def play(self, action: int) -> None:
        """Carry out one decision of the seat asked; IllegalAction if it may not choose it, and nothing has moved."""
        mask = self.mask()
        if not 0 <= action < len(mask) or not mask[action]:
            raise illegal_action(self.shape.actions, self.seat, int(action), self.legal())
        self._code.table_play(self._states, int(action))

    def forfeit(self) -> None:
        """End the episode at the cost of the seat asked, which chose an illegal action: -1, the others share 1."""
        self._code.table_forfeit(self._states)

    def _checked_seat(self, seat: int) -> int:
        """The seat; ValueError if the table has no such seat."""
        if not isinstance(seat, int | np.integer) or not 0 <= seat < self.seats:
            raise ValueError(f"there is no seat {seat!r}; seats: 0 … {self.seats - 1}")
        return int(seat)

    def observe(self, seat: int) -> Int8:
        """What a seat sees, at any time after ``reset``: a fresh int8 [F]."""
        seat = self._checked_seat(seat)
        self._code.table_observe(self._states, seat, self._records, self._frames)
        return _row(self._records).copy()

    def hidden(self, seat: int) -> Int8:
        """The cards that a seat cannot see, where they are: a fresh int8 [H]."""
        cards = records(np.zeros(1, self.shape.hidden.dtype))
        self._code.table_hide(self._states, self._checked_seat(seat), cards)
        return _row(cards)

    def choose(self, player: str) -> int:
        """The action of a built-in player in the place of the seat asked.

        It draws on the table's own stream of choices.
        """
        names = compiled.players(self.game.name)
        if player not in names:
            raise ValueError(f"{self.game.name}: there is no built-in player {player!r}; players: {', '.join(names)}")
        return int(self._code.table_choose(self._states, names.index(player), self.mask(), self._records, self._frames))

    def trace(self, players: Sequence[str | None], most: int = 256) -> tuple[list[int], list[int], Int8, list[bool]]:
        """Play decisions of built-in players by name, one a seat, up to the next event, a seat with None, or ``most``.

        Returns who was asked, what it chose, the masks int8 [m, A] from which it chose, and whether that was taken
        back since it broke a rule of play.
        """
        if len(players) != self.seats or most < 1:
            raise ValueError(f"{len(players)} players for {self.seats} seats, {most} decisions at most")
        names = compiled.players(self.game.name)
        codes = np.array([CALLER if player is None else names.index(player) for player in players])
        seats, actions = np.zeros(most, np.int64), np.zeros(most, np.int64)
        masks, revoked = np.empty((most, self.shape.size), np.int8), np.zeros(most, np.bool_)
        count = self._code.table_trace(self._states, codes, seats, actions, masks, revoked, self._records, self._frames)
        return seats[:count].tolist(), actions[:count].tolist(), masks[:count], revoked[:count].tolist()

    def follow(self, actions: Sequence[int]) -> tuple[int, list[int], Int8, list[bool]]:
        """Play these decisions as long as a seat is asked and may choose them: how many were played.

        Also who was asked, the masks int8 [m, A] and which decisions were taken back; if it stopped at an
        illegal action, seat and mask of that one are filled in.
        """
        seats, masks = np.full(len(actions), NOBODY, np.int64), np.zeros((len(actions), self.shape.size), np.int8)
        revoked = np.zeros(len(actions), np.bool_)
        count = self._code.table_follow(self._states, np.array(actions, np.int64), seats, masks, revoked)
        return int(count), seats.tolist(), masks, revoked.tolist()

    def infos(self) -> dict[str, float]:
        """What the game tells besides (``Game.infos``), by key."""
        return {key: float(value[0]) for key, value in self._told.items()}

    def returns(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Rewards and points (change of score) of the episode that is over, float64 [P] each; 0 while it runs."""
        reward, points = np.zeros(self.seats), np.zeros(self.seats)
        if self.over != RUNNING:
            self._code.table_returns(self._states, reward, points)
        return reward, points

    def determinize(self, seat: int, seed: int) -> None:
        """Deal anew, at random, every card that a seat cannot know where it is, and all chance to come.

        How the pack was dealt (``dealt``) is then imagined too, or means nothing. ValueError for a state that never
        was.
        """
        seat, seed = self._checked_seat(seat), check_seed(seed)
        self._code.table_determinize(self._states, seat, seed, np.zeros(1, np.uint64))

    def clone(self) -> Table:
        """A table of its own in the same state."""
        twin = object.__new__(Table)
        twin.__dict__.update(self.__dict__)
        twin._take(self._states.copy())
        twin._records = self._records.copy()
        return twin

    def __copy__(self) -> Table:
        """The same as ``clone``."""
        return self.clone()

    def __deepcopy__(self, memo: Any) -> Table:
        """The same as ``clone``."""
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the running game: the game's name, the rules and the state."""
        return _revive, (self.game.name, self.rules.to_dict(), self.episode, self._states.tobytes(), self._started)

    def get_state(self) -> bytes:
        """The state as bytes, with game, version and digest."""
        return snapshot.pack(self.game, self._states)

    def set_state(self, data: bytes) -> None:
        """Take a state from ``get_state`` of a table with the same rules; StateError (a ValueError) if it is none."""
        states, _ = snapshot.unpack(self.game, data, 1, self._blanks, [self.shape.deck], self._code, self.shape.size)
        self._take(records(states))
        self._started = True


def _row(record: npt.NDArray[Any]) -> Int8:
    """The only record of the array as a flat row."""
    return record.view(np.ndarray).view(np.int8)


def _revive(game: str, rules: Mapping[str, Any], episode: str, state: bytes, started: bool) -> Table:
    """A table from what ``Table.__reduce__`` kept."""
    table = Table(game, rules, episode=episode)
    table._take(records(np.frombuffer(bytearray(state), table.game.state.dtype)))
    table._started = started
    return table


def _pack_order(deck: Deck, piles: Sequence[tuple[str, int | None, int]], deal: Given) -> list[int]:
    """The pack that deals these cards: ValueError names a missing, doubled, unknown or misplaced card."""
    allowed = {"dealer", *(pile for pile, _, _ in piles)}
    for name in deal:
        if name not in allowed and name not in ("type", "number"):
            raise ValueError(
                f"the deal has no pile {name!r}; piles: {', '.join(dict.fromkeys(p for p, _, _ in piles))}"
            )
    order: list[int] = []
    for pile, index, size in piles:
        cards = deal.get(pile)
        where = pile if index is None else f"{pile}[{index}]"
        if index is not None:
            count = sum(1 for name, _, _ in piles if name == pile)
            if not isinstance(cards, Sequence) or isinstance(cards, str) or len(cards) != count:
                raise ValueError(f"the deal's {pile} must be {count} lists of cards, not {cards!r}")
            cards = cards[index]
        if not isinstance(cards, Sequence) or isinstance(cards, str):
            raise ValueError(f"the deal's {where} must be a list of cards, not {cards!r}")
        for name in cards:
            card = deck.id(name)
            if card in order:
                raise ValueError(f"the deal holds {name} twice, the second time in {where}")
            order.append(card)
        if len(cards) != size:
            raise ValueError(f"the deal's {where} must have {size} cards, not {len(cards)}")
    if missing := [name for card, name in enumerate(deck.names) if deck.full >> card & 1 and card not in order]:
        raise ValueError(f"the deal lacks {', '.join(missing)}")
    return order
