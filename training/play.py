"""A game in the terminal: one person at a table of agents, seeing what that seat may see and nothing else.

All that is printed about the table comes from the person's own observation (`envs.picture.view`). A choice is said back
before it is played, so that a slip can be taken back.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.console import Console, Group, RenderableType
from rich.rule import Rule
from rich.table import Table as Grid
from rich.text import Text

from karty.agents.agent import as_agent
from karty.envs.chance import agent_generator
from karty.envs.game import ASKED, DEAL, END, SCORE, SHUFFLE, TRUNCATED, Game
from karty.envs.picture import BACK, SCORED, SYMBOLS, Face, SeatView, View, drawable, fan, is_red, symbol, view
from karty.envs.table import Table

RED, BLACK, REVERSE, DIMMED = "bold red on white", "bold black on white", "bold white on blue", "grey42 on grey82"
RED_DOWN, BLACK_DOWN = "bold red on light_steel_blue", "bold black on light_steel_blue"
RANK, SUIT = slice(-1), slice(-1, None)  # in a card's name
ASKED_STYLE, QUIET, HINT = "bold yellow", "dim", "cyan"
PLACES = {1: ("opponent",), 2: ("left", "right"), 3: ("left", "across", "right")}
LETTERS = str.maketrans({sign: suit for suit, sign in SYMBOLS.items()})
HELP = (
    "a move's number, its name (play QH) or what tells it apart (QH, 120, pass) · "
    "then Enter plays it, u takes it back · 3! plays number 3 at once · t shows the table again · q quits"
)


class EnoughError(Exception):
    """The person wants to leave."""


def play(
    game: Game,
    *,
    rules: Any = None,
    episode: str = "match",
    seat: int = 0,
    opponents: Sequence[Any] = ("rule",),
    seed: int = 0,
    console: Console | None = None,
    input: Callable[[str], str] | None = None,
) -> int:
    """Play one episode at the terminal and return the exit code, 0 also when the person leaves early.

    seat: the person's. opponents: names or agents, one for each other seat clockwise from the person, or one for all.
    console: where to print; input: asks with a prompt and returns a line (EOFError or KeyboardInterrupt end the game).
    """
    table = Table(game, rules, episode=episode)
    if not 0 <= seat < table.seats:
        raise ValueError(f"seat: {seat} is none of the seats 0 … {table.seats - 1}")
    others = tuple(opponents) * (table.seats - 1) if len(opponents) == 1 else tuple(opponents)
    if len(others) != table.seats - 1:
        raise ValueError(f"opponents: {len(others)} given, {table.seats - 1} other seats take one each or one for all")
    session = Session(table, seat, [as_agent(game, other, table.rules) for other in others], console or Console())
    if input is not None:
        session.ask = input
    table.reset(seed)
    try:
        session.run()
    except (EnoughError, EOFError, KeyboardInterrupt):
        session.say(Text("\nGood-bye.", style=QUIET))
    return 0


class Session:
    """A person, the agents and the table between them."""

    def __init__(self, table: Table, seat: int, others: Sequence[Any], console: Console) -> None:
        """Seat the agents `others` clockwise from the person at `seat`."""
        self.table, self.seat, self.console = table, seat, console
        self.ask: Callable[[str], str] = lambda prompt: console.input(prompt, markup=False, emoji=False)
        self.agents = {(seat + 1 + i) % table.seats: other for i, other in enumerate(others)}
        places = PLACES.get(len(others), tuple(f"seat {s}" for s in self.agents))
        self.names = ["you"] * table.seats
        for place, (s, agent) in zip(places, self.agents.items(), strict=True):
            self.names[s] = f"{place} ({agent.name})"
        self.generators: dict[int, np.random.Generator] = {}

    def run(self) -> None:
        """Play the episode to its end."""
        table = self.table
        self.generators = {s: agent_generator(table.seed, s) for s in self.agents}
        self.say(Text("Type ? for help, q to quit.", style=QUIET))
        running = 0  # the number of the deal that was dealt and is not scored
        while True:
            played = table.clone()
            event = table.advance()
            if event == END:
                self.say(ending(table, self.seat, self.names))
                return
            if event == SCORE:
                # the last trick, or a hand that ended the deal by being shown, has not been seen yet
                self.say(screen(view(table.game, played, self.seat, self.names), self.console.width))
                self.say(score_sheet(table, self.names))
                running = 0
                if table.clone().advance() == DEAL:
                    self.read("Enter for the next deal > ")
            elif event == DEAL:
                if running:
                    self.say(Text(unscored(running, again=running > table.number), style=HINT))
                running = table.number + 1
                self.say(Rule(self.fit(f"deal {table.number + 1}"), style=QUIET))
            elif event == SHUFFLE:
                continue  # whoever chose it was heard
            elif event == ASKED and table.seat == self.seat:
                self.decide()
            else:
                self.others_turn()

    def others_turn(self) -> None:
        """An agent decides, and the person hears of it what its seat can see."""
        table, seat = self.table, self.table.seat
        kernel = getattr(self.agents[seat], "kernel_name", None)
        before, seen = table.observe(self.seat), self.seen()
        openly = next(its.asked for its in seen.seats if its.seat == seat)
        if kernel is None:
            rows = table.observe(seat)[None], table.mask()[None]
            action = int(self.agents[seat].act(*rows, self.generators[seat])[0])
        else:
            action = table.choose(kernel)
        table.play(action)
        heard = overheard(table, before, table.observe(self.seat), table.shape.actions[action], openly=openly)
        if heard:
            news = "".join(f", {part}" for part in followed(seen, self.seen(), heard))
            self.say(Text.assemble((f"  {self.names[seat]}: ", QUIET), *inked(heard + news)))

    def decide(self) -> None:
        """Show the table, take the person's choice, and play it once it is confirmed."""
        table = self.table
        legal = self.in_order(table.legal())
        names = [table.shape.actions[action] for action in legal]
        first, seen = first_number(names), self.seen()
        self.show(names)
        chosen = 0 if len(legal) == 1 else -1
        while True:
            if chosen >= 0:
                only = "the only move, " if len(legal) == 1 else ""
                back = "" if len(legal) == 1 else ", u takes it back"
                answer = self.read(f"{only}{spelled(names[chosen])}: Enter plays it{back} > ")
            else:
                answer = self.read("your move > ")
            word = answer.rstrip("!").strip()
            if word == "" and chosen >= 0:
                break
            if word in ("?", "help"):
                self.say(Text(HELP, style=HINT))
            elif word in ("t", "table"):
                self.show(names)
            elif word in ("u", "undo"):
                if chosen >= 0 and len(legal) > 1:
                    chosen = -1
                else:
                    self.say(Text("Nothing is chosen yet; what has been played stays played.", style=HINT))
            elif word == "":
                self.say(Text(f"A number from {first} to {first + len(names) - 1}, or ? for help.", style=HINT))
            else:
                found = matching(word, names)
                if len(found) == 1:
                    chosen = found[0]
                    if answer.endswith("!"):
                        break
                else:
                    self.say(Text(puzzled(word, names, found), style=HINT))
        table.play(legal[chosen])
        if news := list(followed(seen, self.seen(), names[chosen])):
            self.say(Text.assemble(("  you: ", QUIET), *inked(", ".join(news))))

    def seen(self) -> View:
        """The table as the person sees it now."""
        return view(self.table.game, self.table, self.seat, self.names)

    def in_order(self, legal: Sequence[int]) -> list[int]:
        """The legal actions as the hand is sorted: by what is done, then by the card that it is done with."""
        deck, names = self.table.shape.deck, self.table.shape.actions
        ranked = self.seen().ranked
        sorted_cards = {card: i for i, card in enumerate(fan(deck, deck.names, ranked=ranked))}
        kinds = list(self.table.game.action_kinds(self.table.rules))

        def place(action: int) -> tuple[int, int, int]:
            kind, _, rest = names[action].partition(" ")
            return kinds.index(kind), sorted_cards.get(rest, deck.size), action

        return sorted(legal, key=place)

    def show(self, moves: Sequence[str]) -> None:
        """Print the table as the person sees it, and the moves with their numbers."""
        width = self.console.width
        self.say(Group("", screen(self.seen(), width), numbered(moves, width)))

    def say(self, what: RenderableType) -> None:
        """Print, with letters for the suit signs where the console's encoding has none."""
        if drawable("♠", self.console.encoding) == "♠":
            self.console.print(what, highlight=False)
            return
        with self.console.capture() as captured:
            self.console.print(what, highlight=False)
        self.console.out(drawable(captured.get(), self.console.encoding), end="", highlight=False)

    def fit(self, text: str) -> str:
        """A text with what the console's encoding lacks put into ASCII."""
        return drawable(text, self.console.encoding)

    def read(self, prompt: str) -> str:
        """One line from the person; q leaves."""
        answer = self.ask(self.fit(prompt)).strip()
        if answer.lower() in ("q", "quit", "exit"):
            raise EnoughError
        return answer


# --------------------------------------------------------------------------------------- what is typed


def first_number(moves: Sequence[str]) -> int:
    """The number of the first move: 1, or 0 if the moves begin with place 0, so that numbers and places agree."""
    return 0 if moves[0].split()[1:] == ["0"] else 1


def matching(word: str, moves: Sequence[str]) -> list[int]:
    """The places of the moves that a word may mean: its number, a name, or a part that tells moves apart."""
    said, first = " ".join(plain(word)), first_number(moves)
    for same in (
        [i for i, move in enumerate(moves) if " ".join(plain(move)) == said],
        [i for i in range(len(moves)) if said == str(i + first)],
        [i for i, move in enumerate(moves) if plain(move)[1:] == plain(word)],
        [i for i, move in enumerate(moves) if " ".join(plain(move)).startswith(said)],
    ):
        if same:
            return same
    return []


def plain(text: str) -> list[str]:
    """The words of a move in small letters, suit signs as letters, 10 of a suit as T, in the order rank, suit."""
    words = []
    for word in text.translate(LETTERS).lower().split():
        if word[:2] == "10" and word[2:] in ("s", "c", "d", "h"):
            word = "t" + word[2:]
        words.append(word)
    return words


def puzzled(word: str, moves: Sequence[str], found: Sequence[int]) -> str:
    """One line for what is no move, or could be several."""
    shown, first = word if len(word) <= 20 else word[:20] + "…", first_number(moves)
    if not found:
        allowed = f"a number from {first} to {first + len(moves) - 1}"
        return f"{shown!r} is no move here: {allowed}, a move's name, or ? for help."
    may = " or ".join(f"{i + first} {spelled(moves[i])}" for i in found[:5])
    return f"{shown!r} could be {may}{' …' if len(found) > 5 else ''}."


# -------------------------------------------------------------------------------------- what is printed


def overheard(
    table: Table, before: npt.NDArray[np.int8], after: npt.NDArray[np.int8], action: str, *, openly: bool = True
) -> str:
    """What a seat hears of another's action, from its own observations before and after; "" if nothing changed for it.

    A card is named only if it came into view, so a card given to somebody else stays unnamed. Where the other was not
    asked `openly`, that somebody else is asked now tells nothing.
    """
    layout, names = table.shape.observation, table.shape.deck.names
    changed = before != after
    for field in layout.fields:
        if not openly and field.name in ("phase", "turn"):
            changed[field.slice] = False
    if not changed.any():
        return ""
    come = (after > 0) & (before <= 0)
    visible = set()
    for field in layout.fields:
        if field.kind == "cards":
            visible |= {names[column] for column in np.flatnonzero(come[field.slice]) % len(names)}
        elif field.kind == "code":
            visible |= {field.values[code] for code in np.setdiff1d(after[field.slice], before[field.slice])}
    return " ".join("a card" if word in names and word not in visible else word for word in action.split())


def followed(before: View, after: View, heard: str) -> Iterator[str]:
    """What a move did to the cards of fans and was not said by its name, as far as the person sees it."""
    mine, now = before.seats[0], after.seats[0]
    if not now.fan:
        return
    laid_off = [card for card in after.pairs if card not in before.pairs]
    yield from (f"{card} drawn" for card in now.cards if card and card not in mine.cards)
    if not mine.asked:
        yield from (f"your {card} taken" for card in mine.cards if card and card not in now.cards)
    if not {*laid_off} <= {*heard.split()}:
        yield f"{' '.join(laid_off)} laid off"


def screen(seen: View, width: int) -> Group:
    """The table as one seat sees it: the other seats, the middle, and its own hand below."""
    names = {seat.seat: seat.name for seat in seen.seats}
    lines: list[RenderableType] = [Rule(Text(seen.title, style="bold"), style=QUIET), seats_grid(seen)]
    for name, cards in seen.piles.items():
        lines.append(Text.assemble((f" {name}  ", QUIET), *tiles(cards)))
    if seen.last:
        taken = f"   taken by {names[seen.taker]}" if seen.taker is not None else ""
        lines.append(Text.assemble((" last trick  ", QUIET), *laid(seen.last, names, QUIET), (taken, QUIET)))
    if seen.trick:
        lines.append(Text.assemble((" on the table  ", ASKED_STYLE), *laid(seen.trick, names, "bold")))
    if seen.pairs:
        lines.append(Text.assemble((" laid off  ", QUIET), *two_by_two(seen.pairs)))
    if seen.pile:
        lines += rows(" pile, top last", seen.pile, width, framed=len(seen.pile) - 1)
    facts = [*seen.facts, *seen.mine]
    if facts:
        lines.append(Text.assemble(" ", *inked("   ".join(facts))))
    for seat in seen.seats[1:]:
        if seat.drawable:
            lines += rows(f" to draw from: {seat.name}", seat.cards, width, down=seat.down, numbers=True)
    own = seen.seats[0]
    if own.cards and own.fan:
        lines += rows(" your fan", own.cards, width, playable=seen.playable, numbers=True)
    elif own.cards:
        lines.append(
            Text.assemble((" your hand  ", "bold"), *tiles(own.cards, seen.playable, RANK if seen.ranked else SUIT))
        )
    return Group(*lines)


def seats_grid(seen: View) -> Grid:
    """A row for each seat: who, score, cards, what is to be said of it."""
    scored = any(seat.score for seat in seen.seats)
    grid = Grid(box=None, show_header=True, header_style=QUIET, pad_edge=True)
    for heading in ("seat", *([seen.score] if scored else []), "cards", ""):
        grid.add_column(heading, justify="right" if heading == seen.score else "left", no_wrap=heading != "")
    for i, seat in enumerate(seen.seats):
        known = [*held(seat)] if i else []
        grid.add_row(
            Text(("> " if seat.asked else "  ") + seat.name, style=ASKED_STYLE if seat.asked else ""),
            *([seat.score] if scored else []),
            Text.assemble(str(len(seat.cards)), *(["  holds ", *known] if known else [])),
            Text.assemble(*inked(", ".join(seat.words))),
        )
    return grid


def held(seat: SeatView) -> Iterator["Piece"]:
    """The cards that another seat is known to hold, in a fan each after its place."""
    for place, card in enumerate(seat.cards):
        if card is not BACK:
            if seat.fan:
                yield f"{place}:", QUIET
            yield from tiles([card])


Piece = str | tuple[str, str]


def rows(
    caption: str,
    cards: Sequence[Face],
    width: int,
    *,
    playable: set[str] | None = None,
    down: frozenset[int] = frozenset(),
    framed: int = -1,
    numbers: bool = False,
) -> Iterator[Text]:
    """A caption, and below it cards in order, in as many lines as they need, perhaps with their places' numbers.

    down: the places of those that lie face down although they are known: (Q♥). framed: the place of one as [Q♥].
    """
    yield Text(caption, style="bold")
    cell = max(len(symbol(card)) if card else 2 for card in cards) + 3
    for start in range(0, len(cards), count := max(1, (width - 2) // cell)):
        places = range(start, min(start + count, len(cards)))
        line: list[Piece] = [" "]
        for place in places:
            face, style = tile(cards[place], playable, down=place in down)
            inner = f"({face})" if place in down else f"[{face}]" if place == framed else f" {face} "
            line += [(inner, style), " " * (cell - len(inner))]
        yield Text.assemble(*line, no_wrap=True)
        if numbers:
            yield Text(" " + "".join(f" {place}".ljust(cell) for place in places), style=QUIET, no_wrap=True)


def two_by_two(cards: Sequence[str]) -> Iterator[Piece]:
    """Pairs as words: both cards of each together."""
    for i, card in enumerate(cards):
        yield (symbol(card), "bold red") if is_red(card) else symbol(card)
        if i % 2:
            yield " "


def tile(card: Face, playable: set[str] | None = None, *, down: bool = False) -> tuple[str, str]:
    """A card's name and how it is printed; with `playable` the others are dimmed."""
    if card is BACK:
        return "░░", REVERSE
    if playable and card not in playable:
        return symbol(card), DIMMED
    if is_red(card):
        return symbol(card), RED_DOWN if down else RED
    return symbol(card), BLACK_DOWN if down else BLACK


def tiles(cards: Sequence[Face], playable: set[str] | None = None, gaps: slice | None = None) -> Iterator[Piece]:
    """Cards as little tiles; with `playable` the others are dimmed, with `gaps` this part of their names sets apart."""
    kind = ""
    for card in cards:
        if gaps and card and kind and card[gaps] != kind:
            yield " "
        kind = card[gaps] if gaps and card else ""
        face, style = tile(card, playable)
        yield f" {face} ", style
        yield " "


def laid(trick: Sequence[tuple[int, str]], names: dict[int, str], style: str) -> Iterator[Piece]:
    """The cards of a trick, each after the name of its seat."""
    for seat, card in trick:
        yield names[seat].split(" (")[0] + " ", style
        yield from tiles([card])
        yield " "


def inked(text: str) -> Iterator[Piece]:
    """A text with its cards and suits in their colours."""
    for word in text.replace(" ", "\0 \0").split("\0"):
        shown = symbol(word) if len(word) in (2, 3) and word[-1] in SYMBOLS and word[:-1].isalnum() else word
        yield (shown, "bold red") if shown and shown[-1] in "♥♦" else shown


def spelled(move: str) -> str:
    """A move's name with suit signs: play QH becomes play Q♥."""
    return "".join(piece if isinstance(piece, str) else piece[0] for piece in inked(move))


def numbered(moves: Sequence[str], width: int) -> Grid:
    """The moves with their numbers, in as many columns as fit."""
    widest = max(len(move) for move in moves) + len(str(len(moves))) + 4
    columns = max(1, min(len(moves), (width - 2) // widest))
    grid = Grid(box=None, show_header=False, pad_edge=True, padding=(0, 2, 0, 0))
    digits, first = len(str(len(moves))), first_number(moves)
    cells = [Text.assemble((f"{i:>{digits}} ", HINT), *inked(move)) for i, move in enumerate(moves, start=first)]
    for start in range(0, len(cells), columns):
        grid.add_row(*cells[start : start + columns])
    return grid


def score_sheet(table: Table, names: Sequence[str]) -> Grid:
    """What the deal changed in each score, and the scores now, in the game's own words for them."""
    points, totals = table.scored()
    seen = view(table.game, table, 0, names)
    # where one deal is the whole game, its change says nothing that its own word for the score does not
    several = table.number > 1 or table.clone().advance() == DEAL
    both = seen.score == SCORED or points != totals or several
    unchanged = "" if any(points) else ": nothing changed"
    grid = Grid(title=f"deal {table.number} scored{unchanged}", title_style="bold", box=None, pad_edge=True)
    for heading in ("", *(["this deal"] if both else []), seen.score):
        grid.add_column(heading, justify="right" if heading else "left")
    for seat, point in zip(seen.seats, points, strict=True):
        good = point * table.game.gain
        change = Text(f"{point:+d}", style="green" if good > 0 else "red" if good < 0 else QUIET)
        grid.add_row(Text(seat.name), *([change] if both else []), seat.score)
    return grid


def unscored(number: int, *, again: bool) -> str:
    """Why there is a deal although the one of this number was not scored: it is dealt again, or was given up."""
    return f"deal {number} is dealt again" if again else f"deal {number} was cut off by the limit: nothing is scored"


def ending(table: Table, seat: int, names: Sequence[str]) -> Text:
    """Who won, or lost where one seat does, in a line."""
    rewards = table.returns()[0]
    lost = table.game.outcome == "losses"
    if not rewards.any():
        cut_off = "Cut off by the limit: nobody" if table.over == TRUNCATED else "Nobody"
        return Text(f"{cut_off} {'loses' if lost else 'wins'}.", style="bold")
    if lost:
        loser = int(rewards.argmin())
        return Text("You lose.", style="bold red") if loser == seat else Text(f"{names[loser]} loses.", style="bold")
    best = [names[s] for s in range(table.seats) if rewards[s] == rewards.max()]
    if rewards[seat] == rewards.max():
        return Text("You win!" if len(best) == 1 else "You share the win.", style="bold green")
    return Text(f"{' and '.join(best)} {'wins' if len(best) == 1 else 'win'}.", style="bold")
