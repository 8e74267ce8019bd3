"""A game in the terminal: one person at a table of agents, seeing what that seat may see and nothing else.

All that is printed about the table comes from the person's own observation (`envs.picture.view`). A choice is said back
before it is played, so that a slip can be taken back.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from rich.console import Console, Group, RenderableType
from rich.rule import Rule
from rich.table import Table as Grid
from rich.text import Text

from karty.agents.agent import as_agent
from karty.envs.chance import agent_generator
from karty.envs.game import ASKED, DEAL, END, NOBODY, SCORE, SHUFFLE, TRUNCATED, Game
from karty.envs.picture import (
    BACK,
    SYMBOLS,
    Face,
    Look,
    SeatView,
    View,
    drawable,
    fan,
    is_red,
    joined,
    readable,
    short,
    symbol,
    view,
)
from karty.envs.table import Table

RED, BLACK, REVERSE, DIMMED = "bold red on white", "bold black on white", "bold white on blue", "grey42 on grey82"
RED_DOWN, BLACK_DOWN = "bold red on light_steel_blue", "bold black on light_steel_blue"
RANK, SUIT = slice(-1), slice(-1, None)  # in a card's name
ASKED_STYLE, QUIET, HINT = "bold yellow", "dim", "cyan"
PLACES = {1: ("opponent",), 2: ("left", "right"), 3: ("left", "across", "right")}
LETTERS = str.maketrans({sign: suit for suit, sign in SYMBOLS.items()})
INDENT = 4  # of what goes on in another line


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
        self.look = Look(**table.game.picture)
        self.heard: npt.NDArray[np.int8] = np.zeros(table.shape.observation.size, np.int8)  # what news were told of
        self.own = ""  # the person's latest move, if it has not been told what came of it
        self.queue: list[int] = []  # moves that were chosen together and are still to be played

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
            if event in (SCORE, DEAL):
                self.tell(played)
            if event == SCORE:
                # the last trick, or a hand that ended the deal by being shown, has not been seen yet
                self.say(screen(view(table.game, played, self.seat, self.names), self.console.width))
                self.say(score_sheet(table, self.names, self.seat))
                running = 0
                if table.clone().advance() == DEAL:
                    self.read("Enter for the next deal > ")
            elif event == DEAL:
                if running:
                    self.say(Text(unscored(running, again=running > table.number), style=HINT))
                running = table.number + 1
                self.heard = np.zeros_like(self.heard)
                self.say(Rule(self.fit(f"deal {table.number + 1}"), style=QUIET))
                if not (seen := self.seen()).seats[0].cards:  # whoever has no part in a deal is never asked in it
                    self.say(screen(seen, self.console.width))
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
        before, seen, was = table.observe(self.seat), self.seen(), table.clone()
        openly = asked_openly(table, self.seat, before, table.observe(seat))
        # what I see of my last move may hold only unless this seat, asked aside, has something better
        pending = [] if openly else self.news(before)
        if openly:
            self.tell(table)
        if kernel is None:
            rows = table.observe(seat)[None], table.mask()[None]
            action = int(self.agents[seat].act(*rows, self.generators[seat])[0])
        else:
            action = table.choose(kernel)
        table.play(action)
        heard = overheard(table, before, table.observe(self.seat), table.shape.actions[action], openly=openly)
        said = [self.called(heard, was), *followed(seen, self.seen(), heard)] if heard else []
        self.tell(table, seat, said, pending)

    def news(self, row: npt.NDArray[np.int8]) -> list[tuple[int, str]]:
        """What came to be known since the person was told last, by this observation: (seat or NOBODY, words)."""
        layout, seats = self.table.shape.observation, self.table.seats
        told = self.table.game.news(readable(layout, self.heard), readable(layout, row))
        return [(NOBODY if i == NOBODY else (self.seat + i) % seats, words) for i, words in told]

    def tell(
        self,
        table: Table,
        mover: int = NOBODY,
        heard: Sequence[str] = (),
        pending: Sequence[tuple[int, str]] = (),
    ) -> None:
        """Print what another seat was heard to do, and what the person has come to know since it was told last.

        table: as it was, if something that was not to be told has happened since. pending: what was known before the
        move, and may not hold any more.
        """
        row = table.observe(self.seat)
        news = self.news(row)
        self.print_news([told for told in news if told in pending], NOBODY, ())
        self.print_news([told for told in news if told not in pending], mover, heard)
        self.heard, self.own = row.copy(), ""

    def print_news(self, news: Sequence[tuple[int, str]], mover: int, heard: Sequence[str]) -> None:
        """Print news, a line a seat: first of the person's own latest move, then of the seat that moved."""
        said: dict[int, list[str]] = {}
        for seat, words in news:
            said.setdefault(seat, []).append(words)
        lines = []
        if self.own and self.seat in said:
            lines.append((self.names[self.seat], [self.own, *said.pop(self.seat)]))
            self.own = ""
        if heard:
            lines.append((self.names[mover], [*heard, *said.pop(mover, [])]))
        lines += [(self.names[seat], said[seat]) for seat in sorted(said) if seat != NOBODY]
        told = [Text.assemble((f"{name}: ", QUIET), *inked(", ".join(parts))) for name, parts in lines]
        told += [Text.assemble(*inked(words)) for words in said.get(NOBODY, [])]
        for text in told:
            for i, line in enumerate(text.wrap(self.console, self.console.width - INDENT)):
                self.say(Text.assemble("    " if i else "  ", line))

    def decide(self) -> None:
        """Show the table, take the person's choice, and play it once it is confirmed."""
        if self.queue:
            self.table.play(self.queue.pop(0))
            return
        table = self.table
        self.tell(table)
        legal = self.in_order(table.legal())
        names = [table.shape.actions[action] for action in legal]
        first, seen, spoken = first_number(names), self.seen(), [self.called(name) for name in names]
        self.show(names)
        chosen = [0] if len(legal) == 1 else []
        while True:
            if chosen:
                only = "the only move, " if len(legal) == 1 else ""
                back = "" if len(legal) == 1 else f", u takes {'it' if len(chosen) == 1 else 'them'} back"
                moves = ", ".join(spelled(self.named(names[place])) for place in chosen)
                answer = self.read(f"{only}{moves}: Enter plays {'it' if len(chosen) == 1 else 'them'}{back} > ")
            else:
                answer = self.read("your move > ")
            word = answer.rstrip("!").strip()
            if word == "" and chosen:
                break
            if word in ("?", "help"):
                for line in explained(table.game, seen, names, self.series(names), spoken):
                    self.say(Text.assemble(*inked(line), style=HINT))
            elif word in ("t", "table"):
                self.show(names)
            elif word in ("u", "undo"):
                if chosen and len(legal) > 1:
                    chosen = []
                else:
                    self.say(Text("Nothing is chosen yet; what has been played stays played.", style=HINT))
            elif word == "":
                self.say(Text(f"A number from {first} to {first + len(names) - 1}, or ? for help.", style=HINT))
            else:
                found = matching(word, names) or matching(word, spoken)
                together = [] if found else several(word, names, self.series(names))
                if together:
                    wrong = self.cut([legal[place] for place in together])
                else:
                    wrong = "" if len(found) == 1 else puzzled(word, spoken, found)
                if wrong:
                    self.say(Text(wrong, style=HINT))
                    continue
                chosen = together or found
                if answer.endswith("!"):
                    break
        table.play(legal[chosen[0]])
        self.queue = [legal[place] for place in chosen[1:]]
        self.own = names[chosen[0]]
        if news := list(followed(seen, self.seen(), names[chosen[0]])):
            self.say(Text.assemble(("  you: ", QUIET), *inked(", ".join(news))))

    def named(self, move: str) -> str:
        """What a move is called, and what it would put forward if the person is asked now."""
        table = self.table
        means = table.game.means(readable(table.shape.observation, table.observe(self.seat)), move)
        return f"{self.called(move)} {means}" if means else self.called(move)

    def called(self, move: str, table: Table | None = None) -> str:
        """What people call a move of the seat that is asked, as the person sees the table, now or as it was."""
        table = table or self.table
        seen = readable(table.shape.observation, table.observe(self.seat))
        clockwise = [short(self.names[(self.seat + i) % table.seats]) for i in range(table.seats)]
        return table.game.called(seen, move).format(*clockwise)

    def series(self, moves: Sequence[str]) -> str:
        """The kind of the moves that are made one by one in a given order, if that is asked now; else ""."""
        kind, _ = self.look.series.get(self.seen().phase, ("", ""))
        return kind if any(move.split()[0] == kind for move in moves) else ""

    def cut(self, actions: Sequence[int]) -> str:
        """What to say if these actions of the person cannot be played one after another; "" if they can.

        They are tried on a copy of the table: of that only shows whether they may follow each other.
        """
        table = self.table.clone()
        for i, action in enumerate(actions):
            if table.seat != self.seat or action not in table.legal():
                done = ", ".join(spelled(table.shape.actions[earlier]) for earlier in actions[:i])
                return f"After {done} you cannot {spelled(table.shape.actions[action])}."
            table.play(action)
            if i < len(actions) - 1:
                table.settle()
        return ""

    def seen(self) -> View:
        """The table as the person sees it now."""
        return view(self.table.game, self.table, self.seat, self.names)

    def in_order(self, legal: Sequence[int]) -> list[int]:
        """The legal actions as the hand is sorted: by what is done, then by the card that it is done with."""
        deck, names = self.table.shape.deck, self.table.shape.actions
        ranked = self.seen().ranked
        sorted_cards = {card: i for i, card in enumerate(fan(deck, deck.names, ranked=ranked))}
        kinds = list(self.table.game.action_kinds(self.table.rules))
        series = self.series([names[action] for action in legal])

        def place(action: int) -> tuple[int, int, int]:
            kind, _, rest = names[action].partition(" ")
            card = 0 if kind == series else sorted_cards.get(rest, deck.size)  # in a series the ids have the order
            return kinds.index(kind), card, action

        return sorted(legal, key=place)

    def show(self, moves: Sequence[str]) -> None:
        """Print the table as the person sees it, and the moves with their numbers."""
        width = self.console.width
        shown: list[RenderableType] = ["", screen(self.seen(), width)]
        if kind := self.series(moves):
            _, words = self.look.series[self.seen().phase]
            shown.append(Text.assemble(" ", *inked(words)))
            if example := list_example(moves, kind):
                shown.append(Text.assemble(" ", *inked(f"Several at once, in any order: {example}.")))
        self.say(Group(*shown, numbered([self.named(move) for move in moves], width)))

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


def several(words: str, moves: Sequence[str], kind: str) -> list[int]:
    """The places, in order, of the moves of this kind that a list means, perhaps with one of another kind at its end.

    They may be named in any order, by numbers or by what tells them apart; none if anything in the list is something
    else.
    """
    if not kind:
        return []
    found: list[int] = []
    for word in words.replace(",", " ").split():
        if word.lower() == kind:
            continue
        places = matching(word, moves)
        if len(places) != 1 or (found and moves[found[-1]].split()[0] != kind):
            return []
        found += [] if places[0] in found else places
    ordered = [place for place in found if moves[place].split()[0] == kind]
    return sorted(ordered) + found[len(ordered) :]


def list_example(moves: Sequence[str], kind: str) -> str:
    """How several moves of this kind are named at once, by the first and the last of them; "" if there are not two."""
    places = [place for place, move in enumerate(moves) if move.split()[0] == kind]
    if len(places) < 2:
        return ""
    ends, first = (places[0], places[-1]), first_number(moves)
    numbers, cards = (
        " ".join(words) for words in zip(*((str(i + first), moves[i].split()[-1]) for i in ends), strict=True)
    )
    return f"{numbers} or {cards}"


def explained(
    game: Game, seen: View, moves: Sequence[str], series: str, spoken: Sequence[str] | None = None
) -> Iterator[str]:
    """The lines of help: what is being decided, how these moves are named, and what else may be typed.

    spoken: what people call the moves, if not by their names.
    """
    told = game.phases.get(seen.phase) or " ".join(game.phases.values() if len(game.phases) == 1 else ())
    if told:
        yield f"To decide now: {told}"
    example = max(moves, key=lambda move: len(move.split()) > 1)
    place = moves.index(example)
    number, part = place + first_number(moves), " ".join(example.split()[1:])
    name = spoken[place] if spoken else example
    apart = f", or what tells it apart ({part})" if part and matching(part, moves) == [place] else ""
    yield f"Type a move's number ({number}), its name ({name}){apart}; then Enter plays it, u takes it back."
    if series and (list_of := list_example(moves, series)):
        yield f"Several at once, in any order: {list_of}."
    yield f"{number}! plays number {number} at once · t shows the table again · q quits"


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


def asked_openly(table: Table, me: int, mine: npt.NDArray[np.int8], theirs: npt.NDArray[np.int8]) -> bool:
    """Does seat `me` see who is asked now, and what? If not, that seat is asked aside.

    mine, theirs: the observations of `me` and of the seat that is asked, int8 [F].
    """
    layout = table.shape.observation
    phases = [part.slice for part in layout if part.name == "phase"]
    asked = mine[layout["turn"].slice][(table.seat - me) % table.seats] > 0
    return bool(asked) and all((mine[phase] == theirs[phase]).all() for phase in phases)


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
    lines: list[RenderableType] = [Rule(Text(seen.title, style="bold"), style=QUIET), seats_grid(seen, width)]
    for seat in seen.seats[1:]:
        if not seat.drawable and (known := list(held(seat))):
            lines += in_lines(f" {short(seat.name)} holds  ", QUIET, known, width)
    for name, cards in seen.piles.items():
        lines += in_lines(f" {name}  ", QUIET, stacked(cards), width)
    if seen.last:
        taken: list[Cell] = [[(f"  taken by {short(names[seen.taker])}", QUIET)]] if seen.taker is not None else []
        lines += in_lines(" last trick  ", QUIET, [*laid(seen.last, names, QUIET), *taken], width)
    if seen.trick:
        lines += in_lines(" on the table  ", ASKED_STYLE, laid(seen.trick, names, "bold"), width)
    if seen.pairs:
        lines.append(Text.assemble((" laid off  ", QUIET), *two_by_two(seen.pairs)))
    if seen.pile:
        lines += rows(" pile, top last", seen.pile, width, framed=len(seen.pile) - 1)
    if facts := [*seen.facts, *seen.mine]:
        lines += [Text.assemble(" ", *inked(line)) for line in joined(facts, "   ", width - 1)]
    for seat in seen.seats[1:]:
        if seat.drawable:
            lines += rows(f" to draw from: {seat.name}", seat.cards, width, down=seat.down, numbers=True)
    own = seen.seats[0]
    if own.cards and own.fan:
        lines += rows(" your fan", own.cards, width, playable=seen.playable, numbers=True)
    elif own.cards:
        cells = tiles(own.cards, seen.playable, RANK if seen.ranked else SUIT)
        lines += in_lines(" your hand  ", "bold", cells, width)
    return Group(*lines)


def seats_grid(seen: View, width: int) -> Grid:
    """A row for each seat: who, score, cards, what is to be said of it."""
    scored = any(seat.score for seat in seen.seats)
    names = max(len(seat.name) for seat in seen.seats) + 2
    numbers = len("cards") + (max(len(seen.score), *(len(seat.score) for seat in seen.seats)) + 2 if scored else 0)
    room = width - names - numbers - 6  # each column has a space on both sides
    grid = Grid(box=None, show_header=True, header_style=QUIET, pad_edge=True)
    for heading in ("seat", *([seen.score] if scored else []), "cards", ""):
        grid.add_column(heading, justify="right" if heading == seen.score else "left", no_wrap=heading != "")
    for seat in seen.seats:
        grid.add_row(
            Text(("> " if seat.asked else "  ") + seat.name, style=ASKED_STYLE if seat.asked else ""),
            *([seat.score] if scored else []),
            str(len(seat.cards)),
            Text.assemble(*inked("\n".join(joined(seat.words, ", ", room)))),
        )
    return grid


Piece = str | tuple[str, str]
Cell = list[Piece]
"""Pieces that stand in one line."""


def held(seat: SeatView) -> Iterator[Cell]:
    """The cards that another seat is known to hold, in a fan each after its place."""
    for place, card in enumerate(seat.cards):
        if card is not BACK:
            yield [*([(f"{place}:", QUIET)] if seat.fan else []), *next(tiles([card]))]


def stacked(cards: Sequence[Face]) -> Iterator[Cell]:
    """The cards of a pile that are seen, and how many others there are."""
    shown = [card for card in cards if card is not BACK]
    backs = len(cards) - len(shown)
    yield from tiles(shown)
    if backs:
        yield [f"and {backs} more" if shown else f"{backs} card" if backs == 1 else f"{backs} cards"]


def in_lines(caption: str, style: str, cells: Iterable[Cell], width: int) -> Iterator[Text]:
    """A caption and what follows it, in as many lines as they need, the later ones indented."""
    indent = " " * (len(caption) if len(caption) < width // 2 else INDENT)
    line: Cell = [(caption, style)]
    used = len(caption)
    for cell in cells:
        wide = sum(len(piece if isinstance(piece, str) else piece[0]) for piece in cell)
        if used + wide > width and len(line) > 1:
            yield Text.assemble(*line, no_wrap=True)
            line, used = [indent], len(indent)
        line += cell
        used += wide
    yield Text.assemble(*line, no_wrap=True)


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


def tiles(cards: Sequence[Face], playable: set[str] | None = None, gaps: slice | None = None) -> Iterator[Cell]:
    """Cards as little tiles; with `playable` the others are dimmed, with `gaps` this part of their names sets apart."""
    kind = ""
    for card in cards:
        apart: Cell = [" "] if gaps and card and kind and card[gaps] != kind else []
        kind = card[gaps] if gaps and card else ""
        face, style = tile(card, playable)
        yield [*apart, (f" {face} ", style), " "]


def laid(trick: Sequence[tuple[int, str]], names: dict[int, str], style: str) -> Iterator[Cell]:
    """The cards of a trick, each after the name of its seat."""
    for seat, card in trick:
        yield [(short(names[seat]) + " ", style), *next(tiles([card])), " "]


def inked(text: str) -> Iterator[Piece]:
    """A text with its cards and suits in their colours."""
    for word in text.replace(" ", "\0 \0").split("\0"):
        name = word.rstrip(".,:;)").lstrip("(")
        is_card = len(name) in (2, 3) and name[-1] in SYMBOLS and name[:-1].isalnum()
        shown = symbol(name) if is_card else SYMBOLS.get(name, name)
        if shown and shown[-1] in "♥♦" and name:
            before, after = word.split(name, 1)
            yield from (piece for piece in (before, (shown, "bold red"), after) if piece)
        else:
            yield word.replace(name, shown, 1) if name else word


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


def score_sheet(table: Table, names: Sequence[str], me: int = 0) -> Grid:
    """What the deal changed in each score, and the scores now, in the game's own words for them: a row for each side.

    me: the seat of the person, whose row is the first.
    """
    points, totals = table.scored()
    seen = view(table.game, table, me, names)
    # where one deal is the whole game, its change says nothing that its own word for the score does not
    several = table.number > 1 or table.clone().advance() == DEAL
    both = seen.kept or points != totals or several
    unchanged = "" if any(points) else ": nothing changed"
    grid = Grid(title=f"deal {table.number} scored{unchanged}", title_style="bold", box=None, pad_edge=True)
    for heading in ("", *(["this deal"] if both else []), seen.score):
        grid.add_column(heading, justify="right" if heading else "left")
    sides = table.rules.teams
    for i, seat in enumerate(seen.seats):
        partners = [other.name for other in seen.seats[i:] if sides[other.seat] == sides[seat.seat]]
        if any(sides[other.seat] == sides[seat.seat] for other in seen.seats[:i]):
            continue  # told with its partner
        point = points[seat.seat]
        good = point * table.game.gain
        change = Text(f"{point:+d}", style="green" if good > 0 else "red" if good < 0 else QUIET)
        grid.add_row(Text(" and ".join(partners)), *([change] if both else []), seat.score)
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
    around = [(seat + i) % table.seats for i in range(table.seats)]
    best = [names[s] for s in around if rewards[s] == rewards.max()]
    if rewards[seat] == rewards.max():
        sides = table.rules.teams
        partners = [names[s] for s in around[1:] if sides[s] == sides[seat]]
        if partners and len(best) == len(partners) + 1:
            return Text(f"You and {' and '.join(partners)} win!", style="bold green")
        return Text("You win!" if len(best) == 1 else "You share the win.", style="bold green")
    return Text(f"{' and '.join(best)} {'wins' if len(best) == 1 else 'win'}.", style="bold")
