"""Does anything a seat sees, may do or would choose depend on cards that it cannot know?

    python benchmarks/leaks.py --positions 100000
    python benchmarks/leaks.py --game pan

Plays episodes of every game under random options and stops at random decisions of all phases. There it takes a seat,
deals anew what this seat cannot know (`Table.determinize`), and looks whether the seat's observation, its mask if it is
asked, the number of hidden cards in each place and the choice of every built-in player, with the same lots if it draws
any, stay as they were; whether the observation keeps to its bounds; whether the new state passes the checks of states
from outside; and whether it agrees with the referee's independent account of what the seat knows. Prints how many
positions of which kind were looked at; the exit code is 1 if a fault was found.
"""

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import karty
from karty.envs.engine import Table, players
from karty.envs.game import ASKED, DEAL, RUNNING, SHUFFLE, Game
from karty.envs.snapshot import StateError

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from randomly import endless_rules
from referee import (
    pan,
    pan_knowledge,
    petukh,
    petukh_knowledge,
    piotrus,
    piotrus_knowledge,
    piquet,
    piquet_knowledge,
    tysiac,
    tysiac_knowledge,
)


class Account:
    """A game's referee keeps the running deal beside the table, and what each seat knows of it."""

    def __init__(self, table: Table) -> None:
        self.table, self.rules = table, table.rules.to_dict()
        self.deal: Any = None

    def dealt(self) -> None:
        """A deal has begun."""
        hands = [list(hand) for hand in self.table.dealt()["hands"]]
        self.deal = self.begin(hands)

    def begin(self, hands: list[list[str]]) -> Any:
        """The referee's deal of these hands."""
        raise NotImplementedError

    def acted(self, action: int) -> None:
        """The seat asked has chosen."""
        self.deal.act(self.table.shape.actions[action])

    def shuffled(self) -> None:
        """A fan lies in a new order."""

    def objections(self, imagined: Table, me: int) -> list[str]:
        """What the seat knows to be otherwise than at this table."""
        raise NotImplementedError


class TysiacAccount(Account):
    """Beside a table of Tysiąc."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.bombs = [0] * table.seats

    def begin(self, hands: list[list[str]]) -> tysiac.Deal:
        """A deal with its talon and stock, after the bombs of those before."""
        dealer, piles, (_, totals) = self.table.dealer, self.table.dealt(), self.table.scored()
        assert dealer is not None
        talon, stock = list(piles.get("talon", [])), list(piles.get("stock", []))
        return tysiac.Deal(self.rules, dealer, hands, talon, totals, self.bombs, stock)

    def objections(self, imagined: Table, me: int) -> list[str]:
        """By hands, piles and gifts, and where each card lay when it was dealt."""
        state, deck, known = imagined.state, imagined.shape.deck, tysiac_knowledge.Knowledge.of(self.deal, me)
        hands = hands_at(imagined)
        gifts = {seat: deck.names[card] for seat, card in enumerate(state.given[: imagined.seats]) if card >= 0}
        away, aside = deck.cards(state.away), deck.cards(state.aside)
        closed = [card for card in aside if card not in away]
        stock = [deck.names[card] for card in state.stock[: state.stocked]][::-1]  # the next card lies last
        found = tysiac_knowledge.objections(known, hands, deck.cards(state.lying), gifts, away, closed, stock)
        return found + tysiac_knowledge.origin_objections(known, hands, gifts, away, closed, stock, imagined.dealt())


class PanAccount(Account):
    """Beside a table of Pan."""

    def begin(self, hands: list[list[str]]) -> pan.Deal:
        """A deal is its hands."""
        return pan.Deal(self.rules, hands)

    def objections(self, imagined: Table, me: int) -> list[str]:
        """By hands and pile."""
        pile = [imagined.shape.deck.names[card] for card in imagined.state.pile if card >= 0]
        return pan_knowledge.objections(pan_knowledge.Knowledge.of(self.deal, me), hands_at(imagined), pile)


class PiotrusAccount(Account):
    """Beside a table of Piotruś, where a shuffle is told only after its order has been drawn."""

    def begin(self, hands: list[list[str]]) -> piotrus.Deal:
        """A deal is its dealer and the fans."""
        dealer = self.table.dealer
        assert dealer is not None
        return piotrus.Deal(self.rules, dealer, hands)

    def acted(self, action: int) -> None:
        """A shuffle waits for its order."""
        if self.table.shape.actions[action] != "shuffle":
            super().acted(action)

    def shuffled(self) -> None:
        """The seat asked has shuffled."""
        _, fan = self.table.shuffled()
        self.deal.act("shuffle", fan)

    def objections(self, imagined: Table, me: int) -> list[str]:
        """By fans, in order."""
        names = imagined.shape.deck.names
        fans = [[names[card] for card in fan if card >= 0] for fan in imagined.state.fans[: imagined.seats]]
        return piotrus_knowledge.objections(piotrus_knowledge.Knowledge.of(self.deal, me), self.deal, fans)


class PiquetAccount(Account):
    """Beside a table of Piquet, with the totals before the deal."""

    def begin(self, hands: list[list[str]]) -> piquet.Deal:
        """A deal with its talons."""
        dealer, piles, (_, totals) = self.table.dealer, self.table.dealt(), self.table.scored()
        assert dealer is not None
        single = self.table.episode == "deal"
        talons = (list(piles["talon_elder"]), list(piles["talon_younger"]))
        return piquet.Deal(self.rules, dealer, hands, *talons, totals, single)

    def objections(self, imagined: Table, me: int) -> list[str]:
        """By hands, what was laid away, and where each card lay when it was dealt."""
        state, deck = imagined.state, imagined.shape.deck
        hands, laid_away = ([deck.cards(cards[seat]) for seat in (0, 1)] for cards in (state.hands, state.discards))
        piles, known = imagined.dealt(), piquet_knowledge.Knowledge.of(self.deal, me)
        return piquet_knowledge.objections(
            known, hands, laid_away, piles["hands"], piles["talon_elder"], piles["talon_younger"]
        )


class PetukhAccount(Account):
    """Beside a table of Petukh, with the scores before the kon and who has folded in those before it."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.folds = [0] * table.seats

    def begin(self, hands: list[list[str]]) -> petukh.Deal:
        """A kon with its piles; a void one before it has changed nothing."""
        if self.deal is not None and self.deal.end != "void":
            self.folds = self.deal.folds_after()
        dealer, piles, (_, totals) = self.table.dealer, self.table.dealt(), self.table.scored()
        assert dealer is not None
        [trump_card] = piles.get("trump_card", [None])
        prikup, stock = list(piles.get("prikup", [])), list(piles["stock"])
        return petukh.Deal(self.rules, dealer, hands, prikup, trump_card, stock, totals, list(self.folds))

    def objections(self, imagined: Table, me: int) -> list[str]:
        """By all piles, where each card lay when it was dealt, and whether the seat asked has something to say."""
        state, deck, known = imagined.state, imagined.shape.deck, petukh_knowledge.Knowledge.of(self.deal, me)
        hands, aside = hands_at(imagined), [deck.cards(cards) for cards in state.aside[: imagined.seats]]
        prikup, stock = deck.cards(state.prikup), deck.cards(state.rest)
        found = petukh_knowledge.objections(known, hands, aside, prikup, stock)
        found += petukh_knowledge.origin_objections(known, hands, aside, stock, imagined.dealt())
        asked = hands[self.deal.seat]
        if self.deal.phase == "boys" and not petukh.boys(asked, self.deal.scores[self.deal.seat]):
            found.append("the seat asked for boys has none")
        if self.deal.phase == "khlust" and petukh.khlust(asked) != known.trump:
            found.append("the seat asked about a khlust has none")
        return found


ACCOUNTS = {
    "tysiac": TysiacAccount,
    "pan": PanAccount,
    "piotrus": PiotrusAccount,
    "piquet": PiquetAccount,
    "petukh": PetukhAccount,
}


def hands_at(table: Table) -> list[list[str]]:
    """The cards of each seat."""
    return [table.shape.deck.cards(table.state.hands[seat]) for seat in range(table.seats)]


def positions(game: Game, lot: random.Random, share: float, layouts: int) -> Iterator[tuple[Table, Account, str]]:
    """Decisions of random episodes without end, each taken with this probability: the table, the account, the phase."""
    names = players(game.name)
    for rules in endless_rules(game, lot, layouts):
        table = Table(game, rules, episode=lot.choice(("match", "deal")))
        table.reset(lot.randrange(2**62))
        account = ACCOUNTS[game.name](table)
        seats = [lot.choice(names) for _ in range(table.seats)]
        deals = 0
        while table.over == RUNNING and deals < 5:
            event = table.advance()
            if event == DEAL:
                account.dealt()
                deals += 1
            elif event == SHUFFLE:
                account.shuffled()
            if event == ASKED:
                if lot.random() < share:
                    yield table, account, phase(table)
                action = lot.choice(table.legal()) if lot.random() < 0.2 else table.choose(seats[table.seat])
                account.acted(action)
                table.play(action)


def phase(table: Table) -> str:
    """What is being decided, if the game's observation says so."""
    return str(table.shape.observation.decode(table.observe(table.seat)).get("phase", "play"))


def hidden_counts(table: Table, me: int) -> list[int]:
    """How many cards the seat cannot see in each place."""
    row = table.hidden(me)
    counts = []
    for field in table.shape.hidden:
        part = row[field.slice].reshape(field.shape)
        counts += (part != 0).reshape(-1, field.shape[-1]).sum(1).tolist()
    return counts


def faults(table: Table, account: Account, me: int, seed: int) -> list[str]:
    """What differs for this seat once the cards that it cannot know are dealt anew."""
    imagined = table.clone()
    imagined.determinize(me, seed)
    found = []
    if (imagined.observe(me) != table.observe(me)).any():
        seen, other = (its.shape.observation.decode(its.observe(me)) for its in (table, imagined))
        found.append(f"sees {[name for name in seen if seen[name] != other[name]]}")
    layout, row = table.shape.observation, table.observe(me)
    if (row < layout.low).any() or (row > layout.high).any():
        found.append("sees a number out of its bounds")
    if imagined.seat != table.seat:
        found.append("who is asked")
    if me == table.seat:
        if imagined.legal() != table.legal():
            found.append("what it may do")
        found += [
            f"what {name} chooses"
            for name in players(table.game.name)
            if with_chance_of(table, table).choose(name) != with_chance_of(table, imagined).choose(name)
        ]
    elif not imagined.legal():
        found.append("the seat asked has no legal action")
    if hidden_counts(imagined, me) != hidden_counts(table, me):
        found.append("how many cards lie where")
    try:
        Table(table.game, table.rules, episode=table.episode).set_state(imagined.get_state())
    except StateError as error:
        found.append(f"the state is refused: {error}")
    return found + account.objections(imagined, me)


def with_chance_of(table: Table, other: Table) -> Table:
    """A copy of the other table at which a player that draws lots draws the same ones as at the first."""
    twin = other.clone()
    twin._states["choices"] = table._states["choices"]
    return twin


def look(
    game: Game, count: int, seed: int, share: float = 0.2, layouts: int = 100
) -> tuple[Counter[Any], int, list[str]]:
    """Look at so many positions of a game: how many of which kind, in how many of them cards moved, and the faults.

    ``layouts`` is how many different kinds of observations are compiled at the most.
    """
    lot, kinds, changed, found = random.Random(seed), Counter[Any](), 0, list[str]()
    for table, account, what in positions(game, lot, share, layouts):
        me = table.seat if lot.random() < 0.4 else lot.randrange(table.seats)
        wrong = faults(table, account, me, lot.randrange(2**62))
        found += [f"{table.rules}, seed {table.seed}, deal {table.number}, {what}, seat {me}: {it}" for it in wrong]
        kinds[what, "asked" if me == table.seat else "waiting"] += 1
        changed += moved(table, me, lot)
        if kinds.total() == count:
            break
    return kinds, changed, found


def moved(table: Table, me: int, lot: random.Random) -> bool:
    """Whether dealing anew changed anything at all: else the check would be empty."""
    imagined = table.clone()
    imagined.determinize(me, lot.randrange(2**62))
    return bool((imagined.hidden(me) != table.hidden(me)).any())


def main() -> int:
    """Run the check for every game and print what it covered."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=list(karty.GAMES), action="append", help="this one only; may be repeated")
    parser.add_argument("--positions", type=int, default=100_000, help="positions of each game")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    wrong = 0
    for game in (karty.GAMES[name] for name in options.game or karty.GAMES):
        begin = time.process_time()
        kinds, changed, found = look(game, options.positions, options.seed)
        wrong += len(found)
        print(f"{game.name}: {kinds.total()} positions, {len(found)} faults, {time.process_time() - begin:.0f} CPU s")
        print(f"  hidden cards changed place in {changed}")
        for kind, number in sorted(kinds.items()):
            print(f"  {' '.join(kind):20} {number}")
        for fault in found[:20]:
            print(f"  {fault}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
