"""Does anything a seat sees, may do or would choose depend on cards that it cannot know?

    python benchmarks/leaks.py --positions 100000

Plays episodes of every game under random options and stops at random decisions of all phases. There it takes a seat,
deals anew what this seat cannot know (`Table.determinize`), and looks whether the seat's observation, its mask if it is
asked, the number of hidden cards in each place and the choice of every built-in player but the random one stay as they
were; whether the new state passes the checks of states from outside; and whether it agrees with the referee's
independent account of what the seat knows. Prints how many positions of which kind were looked at; the exit code is 1
if a fault was found.
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
from karty.envs.game import ASKED, DEAL, RUNNING, SCORE, Game
from karty.envs.snapshot import StateError

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from randomly import some_rules
from referee import knowledge, tysiac


class Account:
    """The referee's account of the running deal, kept beside the table; only of games that have a referee."""

    def __init__(self, table: Table) -> None:
        self.table, self.rules = table, table.rules.to_dict()
        self.bombs = [0] * table.seats
        self.deal: tysiac.Deal | None = None

    def dealt(self) -> None:
        """A deal has begun."""
        if self.table.game.name == "tysiac":
            piles, (_, totals) = self.table.dealt(), self.table.scored()
            hands = [list(hand) for hand in piles["hands"]]
            dealer = self.table.dealer
            assert dealer is not None
            self.deal = tysiac.Deal(self.rules, dealer, hands, list(piles["talon"]), totals, self.bombs)

    def acted(self, action: int) -> None:
        """The seat asked has chosen."""
        if self.deal is not None:
            self.deal.act(self.table.shape.actions[action])

    def objections(self, imagined: Table, me: int) -> list[str]:
        """What the seat knows to be otherwise than at this table."""
        if self.deal is None:
            return []
        state, deck = imagined.state, imagined.shape.deck
        hands = [deck.cards(state.hands[seat]) for seat in range(imagined.seats)]
        gifts = {seat: deck.names[card] for seat, card in enumerate(state.given[: imagined.seats]) if card >= 0}
        return knowledge.objections(knowledge.Knowledge.of(self.deal, me), hands, deck.cards(state.lying), gifts)


def positions(game: Game, lot: random.Random, share: float) -> Iterator[tuple[Table, Account, str]]:
    """Decisions of random episodes without end, each taken with this probability: the table, the account, the phase."""
    names = players(game.name)
    while True:
        table = Table(game, some_rules(game, lot), episode=lot.choice(("match", "deal")))
        table.reset(lot.randrange(2**62))
        account = Account(table)
        seats = [lot.choice(names) for _ in range(table.seats)]
        rounds = 0
        while table.over == RUNNING and rounds < 4:
            event = table.advance()
            if event == DEAL:
                account.dealt()
            rounds += event == SCORE
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
    if imagined.seat != table.seat:
        found.append("who is asked")
    if me == table.seat:
        if imagined.legal() != table.legal():
            found.append("what it may do")
        found += [
            f"what {name} chooses"
            for name in players(table.game.name)[1:]  # the first is random
            if table.clone().choose(name) != imagined.clone().choose(name)
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


def look(game: Game, count: int, seed: int, share: float = 0.2) -> tuple[Counter[Any], list[str]]:
    """Look at so many positions of a game: how many of which kind, and the faults."""
    lot, kinds, found = random.Random(seed), Counter[Any](), list[str]()
    for table, account, what in positions(game, lot, share):
        me = table.seat if lot.random() < 0.4 else lot.randrange(table.seats)
        wrong = faults(table, account, me, lot.randrange(2**62))
        found += [f"seed {table.seed}, deal {table.number}, {what}, seat {me}: {fault}" for fault in wrong]
        kinds[what, "asked" if me == table.seat else "waiting"] += 1
        kinds["moved"] += moved(table, me, lot)
        if kinds.total() - kinds["moved"] == count:
            return kinds, found
    raise AssertionError("positions never end")


def moved(table: Table, me: int, lot: random.Random) -> bool:
    """Whether dealing anew changed anything at all: else the check would be empty."""
    imagined = table.clone()
    imagined.determinize(me, lot.randrange(2**62))
    return bool((imagined.hidden(me) != table.hidden(me)).any())


def main() -> int:
    """Run the check for every game and print what it covered."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=100_000, help="positions of each game")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    wrong = 0
    for game in karty.GAMES.values():
        begin = time.process_time()
        kinds, found = look(game, options.positions, options.seed)
        wrong += len(found)
        moved_in = kinds.pop("moved")
        print(f"{game.name}: {kinds.total()} positions, {len(found)} faults, {time.process_time() - begin:.0f} CPU s")
        print(f"  hidden cards changed place in {moved_in}")
        for kind, number in sorted(kinds.items()):
            print(f"  {' '.join(kind):20} {number}")
        for fault in found[:20]:
            print(f"  {fault}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
