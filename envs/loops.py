"""What the engine compiles: loops over tables, written once and bound to each game's kernels (see ``kernel.bind``).

``begin advance legal play frame observe hide determinize returns`` are a game's kernels, ``first`` and ``rest`` its
built-in players. ``states``, ``slots``, ``records`` (observations), ``masks`` and ``hidden`` are arrays of records,
for a record costs compiled code a pointer and a row of an array a reference count. ``which`` int64 lists the tables
that a call is about, so that threads can share them out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .cards import marked, marked_at
from .chance import IMAGINED, VARIANT, choices_stream, draw, episode_seed, lot, stream
from .game import FORFEITED, NOBODY, RUNNING, TRUNCATED

if TYPE_CHECKING:  # a game's kernels: kernel.bind gives these names, and those of the loops below, a meaning
    begin = advance = legal = play = frame = observe = hide = determinize = returns = first = rest = choose = Any
    INDEX = 0

CALLER = -1
"""A player code: the caller decides. From 0 on codes are built-in players, from PYTHON on agents that Python asks."""
PYTHON = 1 << 20
OVER = -2
"""What ``play_on`` returns when nobody is asked, since the episode is over."""

ANY = 0
"""The built-in player that takes any legal action, each as likely."""

PLAYING, FINISHED, CLOSED = range(3)
"""A table's status: a seat is asked; the next step begins the next episode; only reset does."""

SAME, NEXT, OFF = range(3)
"""Autoreset: the next episode begins in the step that ends the last, in the step after, or only by reset."""

BEGIN, STEP, ANSWER, RESUME = range(4)
"""Tasks of ``go``."""

NO_LEARNER, ROTATE = -1, -2
"""Values of ``learner`` besides a seat."""


def settle(s):
    """Let happen what happens by itself, until a seat is asked or the episode is over."""
    while s.turn == NOBODY and s.over == RUNNING:
        advance(s)


def open_episode(states, i, blank, seed, episode):
    """Begin the episode of this number at table i: options and seats from the blank record, the rest drawn."""
    states[i] = blank
    s = states[i]
    s.first = seed
    s.episode = episode
    s.seed = episode_seed(seed, episode)
    s.turn = NOBODY
    s.forfeit = NOBODY
    s.choices[0] = choices_stream(s.seed)
    begin(s)


def sole(mask):
    """The only legal action, or -1 if there are several."""
    if marked(mask) != 1:
        return -1
    return marked_at(mask, 0)


def any_of(mask, chance):
    """One of the legal actions, each as likely."""
    return marked_at(mask, draw(chance, marked(mask)))


def choose_alone(player, o, mask, chance):
    """Ask the only built-in player left to ask."""
    return first(o, mask, chance)


def choose_tempered(player, o, mask, chance):
    """Ask the only one left, in the temper that the number tells."""
    return first(o, mask, chance, player - INDEX)


def choose_among(player, o, mask, chance):
    """Ask a built-in player of the first half of the list, or of the rest."""
    if player < INDEX:
        return first(player, o, mask, chance)
    return rest(player, o, mask, chance)


def choose_any(player, o, mask, chance):
    """Where nobody is to be asked but the first built-in player."""
    return any_of(mask, chance)


def see(s, me, o, frame):
    """Write what a seat sees: first what never changes at this table, then the rest."""
    o.row[:] = frame.row
    observe(s, me, o)


def decide(s, player, mask, o, frame):
    """What a built-in player does; a single legal action needs no thought."""
    if player == ANY:
        return any_of(mask, s.choices)
    action = sole(mask)
    if action >= 0:
        return action
    see(s, s.turn, o, frame)
    return choose(player, o, mask, s.choices)


def play_on(s, slot, skip_forced, o, frames):
    """Play built-in players' decisions until somebody else is asked.

    That player's code, or OVER. The slot holds what is legal.
    """
    while True:
        settle(s)
        if s.over != RUNNING:
            return OVER
        player = slot.players[s.turn]
        slot.legal[:] = 0
        legal(s, slot.legal)
        if player == CALLER:
            action = sole(slot.legal) if skip_forced else -1
            if action < 0:
                return player
        elif player >= PYTHON:
            return player
        else:
            action = decide(s, player, slot.legal, o, frames[slot.kind])
        play(s, action)
        slot.decisions += 1


def forfeit(s):
    """The seat asked chose an illegal action: the episode ends at its cost."""
    s.forfeit = s.turn
    s.turn = NOBODY
    s.over = FORFEITED


def score_episode(s, reward, points):
    """Rewards and points of an episode that is over; after an illegal action its seat -1, the others share 1."""
    reward[:] = 0.0
    points[:] = 0.0
    returns(s, reward, points)
    if s.over == FORFEITED:
        for seat in range(s.seats):
            reward[seat] = -1.0 if seat == s.forfeit else 1.0 / (s.seats - 1)


def seat_players(s, slot, config):
    """Who plays which seat of this episode: the learner's seat the caller, the others its opponents, clockwise."""
    if config.learner == NO_LEARNER:
        return
    seat = config.learner
    if seat == ROTATE:
        seat = (s.first % s.seats + s.episode) % s.seats
    slot.learner = seat
    slot.players[seat] = CALLER
    for k in range(s.seats - 1):
        seat += 1
        if seat == s.seats:
            seat = 0
        slot.players[seat] = config.opponents[k]


def begin_episode(states, i, slot, config, blanks, seed, episode):
    """Begin an episode at table i, perhaps of rules drawn by lot, and seat its players."""
    if config.draw_rules:
        slot.kind = lot(episode_seed(seed, episode), VARIANT, blanks.shape[0])
    open_episode(states, i, blanks[slot.kind], seed, episode)
    seat_players(states[i], slot, config)
    slot.asked = 0
    slot.decisions = 0


def go(
    which, task, actions, seeds, episodes, starts, given_starts, states, slots, blanks, frames, config, records, masks,
    seat, reward, points, terminated, truncated, finals, scratch, row,
):  # fmt: skip
    """Do the task at each of the tables, then bring it to the next decision that is not a built-in player's.

    BEGIN an episode, the seeds' own or their k-th later one; STEP: one decision of the caller; ANSWER: one of an
    agent that Python asks, within the caller's step; RESUME a state that was put in.
    """
    c = config[0]
    for i in which:
        s, slot = states[i], slots[i]
        if task == BEGIN:
            begin_episode(states, i, slot, c, blanks, seeds[i], episodes[i])
            if given_starts:
                for p in range(s.seats):
                    s.start[p] = starts[i, p]
                    s.scores[p] = starts[i, p]
            seat[i] = 0
        elif task == RESUME:
            seat_players(s, slot, c)
            slot.asked = 1
        elif slot.status == FINISHED:
            begin_episode(states, i, slot, c, blanks, s.first, s.episode + 1)
        elif 0 <= actions[i] < slot.legal.shape[0] and slot.legal[actions[i]]:
            play(s, actions[i])
            slot.decisions += 1
        else:
            forfeit(s)
        while True:
            player = play_on(s, slot, c.skip_forced, scratch[row], frames)
            if player != OVER:
                see(s, s.turn, records[i], frames[slot.kind])
                masks[i].legal[:] = slot.legal
                seat[i] = s.turn
                slot.waits = player
                slot.status = PLAYING
                if player == CALLER:
                    slot.asked += 1
                break
            score_episode(s, slot.reward, slot.points)
            slot.revoked = s.revoked
            slot.margin = s.margin
            if slot.asked == 0 and not c.report_all:
                slot.passed_over += 1
                for p in range(s.seats):
                    slot.passed_return[p] += slot.reward[p]
            else:
                terminated[i] = s.over != TRUNCATED
                truncated[i] = s.over == TRUNCATED
                for p in range(reward.shape[1]):
                    reward[i, p] = slot.reward[p]
                    points[i, p] = slot.points[p]
                    if p < s.seats:
                        see(s, p, finals[i, p], frames[slot.kind])
                    else:  # a larger table may have played here before
                        finals[i, p].row[:] = 0
                if c.autoreset != SAME:
                    slot.status = FINISHED if c.autoreset == NEXT else CLOSED
                    slot.waits = CALLER
                    if c.learner != NO_LEARNER:
                        seat[i] = slot.learner
                    records[i].row[:] = finals[i, seat[i]].row
                    masks[i].legal[:] = 1
                    break
            begin_episode(states, i, slot, c, blanks, s.first, s.episode + 1)


def first_illegal(which, actions, slots):
    """The first of the tables whose action is not legal where one is asked, or -1."""
    for i in which:
        slot = slots[i]
        if slot.status == PLAYING and not (0 <= actions[i] < slot.legal.shape[0] and slot.legal[actions[i]]):
            return i
    return -1


def choose_tables(which, player, states, slots, records, actions):
    """The action of a built-in player for the seat asked at each table, from its last observation."""
    for i in which:
        slot = slots[i]
        if player == ANY:
            actions[i] = any_of(slot.legal, states[i].choices)
        else:
            action = sole(slot.legal)
            if action < 0:
                action = choose(player, records[i], slot.legal, states[i].choices)
            actions[i] = action


def hide_tables(which, states, seat, hidden):
    """Write at each of the tables what the seat asked cannot see."""
    for i in which:
        h = hidden[i]
        h.row[:] = 0
        hide(states[i], seat[i], h)


def play_ahead(which, player, whole, gain, states, slots, wanted, spare, frames, scratch, masks, outcome, row):
    """What each action wanted would bring every seat, if a built-in player then goes on: points of the deal.

    Or, if ``whole``, the reward of the episode. That is found out on a spare state: the tables stay as they are.
    Actions that are not legal are passed over.
    """
    s, o, mask = spare[row], scratch[row], masks[row].legal
    for i in which:
        slot = slots[i]
        for action in range(slot.legal.shape[0]):
            if not (slot.legal[action] and wanted[i, action]):
                continue
            spare[row] = states[i]
            deal = s.deal
            play(s, action)
            while s.over == RUNNING and (whole or s.deal == deal):
                if s.turn == NOBODY:
                    advance(s)
                else:
                    mask[:] = 0
                    legal(s, mask)
                    play(s, decide(s, player, mask, o, frames[slot.kind]))
            if whole or s.deal == deal:  # over without a score
                score_episode(s, slot.reward, slot.points)
                for p in range(outcome.shape[2]):
                    outcome[i, action, p] = slot.reward[p] if whole else slot.points[p]
            else:
                for p in range(outcome.shape[2]):
                    outcome[i, action, p] = gain * s.change[p]


def play_out(which, states, slots, blanks, episodes):
    """Play so many whole episodes of uniformly random legal play at each table, observing nothing.

    The decisions played.
    """
    played = 0
    for i in which:
        s, slot = states[i], slots[i]
        for _ in range(episodes):
            while s.over == RUNNING:
                settle(s)
                if s.over == RUNNING:
                    slot.legal[:] = 0
                    legal(s, slot.legal)
                    play(s, any_of(slot.legal, s.choices))
                    played += 1
            open_episode(states, i, blanks[slot.kind], s.first, s.episode + 1)
    return played


# Positions apart from any table, for whoever goes through a whole game


def branch(states, parents, actions, children):
    """Play an action each on copies of these parents int64 [m], and let happen what follows by itself."""
    for k in range(parents.shape[0]):
        children[k] = states[parents[k]]
        s = children[k]
        play(s, actions[k])
        settle(s)


def survey(states, frames, records, masks, seat, reward, points):
    """Write of each position who is asked, what that seat sees and may do; or, where it is over, what it paid."""
    for i in range(states.shape[0]):
        s = states[i]
        seat[i] = s.turn
        masks[i].legal[:] = 0
        if s.turn == NOBODY:
            score_episode(s, reward[i], points[i])
        else:
            legal(s, masks[i].legal)
            see(s, s.turn, records[i], frames[0])


# One table, one event or decision at a time; the table is the only one of ``states``


def table_open(states, blanks, seed, episode):
    """Begin an episode."""
    open_episode(states, 0, blanks[0], seed, episode)


def table_advance(states):
    """One event; which one it was."""
    return advance(states[0])


def table_play(states, action):
    """One decision."""
    play(states[0], action)


def table_legal(states, mask):
    """What the seat asked may do."""
    mask[:] = 0
    if states[0].turn != NOBODY:
        legal(states[0], mask)


def draw_frames(blanks, frames):
    """What never changes at tables of each kind, once for all."""
    for kind in range(blanks.shape[0]):
        o = frames[kind]
        o.row[:] = 0
        frame(blanks[kind], o)


def table_observe(states, me, records, frames):
    """What a seat sees."""
    see(states[0], me, records[0], frames[0])


def table_hide(states, me, hidden):
    """What a seat cannot see."""
    h = hidden[0]
    h.row[:] = 0
    hide(states[0], me, h)


def table_choose(states, player, mask, records, frames):
    """What a built-in player does in the place of the seat asked."""
    return decide(states[0], player, mask, records[0], frames[0])


def table_trace(states, players, seats, actions, masks, revoked, records, frames):
    """Play built-in players' decisions until another is asked, an event is due, or the arrays [m] are full.

    How many. ``revoked`` says which actions were taken back.
    """
    s = states[0]
    count = 0
    while s.turn != NOBODY and players[s.turn] != CALLER and count < actions.shape[0]:
        masks[count, :] = 0
        legal(s, masks[count])
        seats[count] = s.turn
        actions[count] = decide(s, players[s.turn], masks[count], records[0], frames[0])
        play(s, actions[count])
        revoked[count] = s.revoked
        count += 1
    return count


def table_follow(states, actions, seats, masks, revoked):
    """Play these actions as long as a seat is asked and may choose them.

    How many. Seat and mask of the next are filled in too; ``revoked`` says which actions were taken back.
    """
    s = states[0]
    for k in range(actions.shape[0]):
        if s.turn == NOBODY:
            return k
        masks[k, :] = 0
        legal(s, masks[k])
        seats[k] = s.turn
        if not (0 <= actions[k] < masks.shape[1] and masks[k, actions[k]]):
            return k
        play(s, actions[k])
        revoked[k] = s.revoked
    return actions.shape[0]


def table_returns(states, reward, points):
    """Rewards and points of the episode that is over."""
    score_episode(states[0], reward, points)


def table_forfeit(states):
    """The seat asked chose an illegal action."""
    forfeit(states[0])


def table_determinize(states, me, seed, chance):
    """Deal anew what a seat cannot see, and all chance to come."""
    chance[0] = stream(seed, IMAGINED, 0)
    s = states[0]
    s.stacked = 0  # a deal that lies ready is chance to come: nobody has seen it
    determinize(s, me, chance)
    s.first = seed
    s.episode = 0
    s.seed = seed
    s.chance[0] = chance[0]
    s.choices[0] = choices_stream(seed)
