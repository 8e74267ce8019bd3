"""Tysiąc: what a deal brings each seat or team, and what an episode pays.

The clauses cited are those of tysiac.md.
"""

from ..cards import both, count
from ..game import NOBODY, TERMINATED, next_seat, pay
from ..kernel import rule
from .tysiac_tables import (
    ACE_POINTS,
    ACES,
    BOMB_ANY,
    BOMB_POINTS,
    BOMBED,
    CONCEDE_POINTS,
    CONCEDE_TWO,
    CONCEDED,
    DEALING,
    EXACT,
    GAME_POINTS,
    HALF_DOWN,
    OUT_CAP,
    OUT_WINS,
    OUTSIDER_TOP,
    OVER,
    PENALTY,
    STEP,
    TEAMS,
    THRESHOLD,
    UNIT,
    marriages,
)


@rule
def earned(s, seat):
    """Card points and marriages of a seat in this deal. §5.5 A marriage counts without a trick."""
    return s.taken[seat] + s.marriages[seat]


@rule
def rounded(s, points):
    """§6.2 The others' points in tens, or as they are."""
    if s.rounding == EXACT:
        return points
    if s.rounding == HALF_DOWN:
        points -= 1
    return (points + 5) // 10 * 10


@rule
def partner(s, seat):
    """§6.5 The seat opposite, if there are teams, else NOBODY."""
    return (seat + 2) % 4 if TEAMS[s.table] else NOBODY


@rule
def of_side(s, values, seat):
    """§6.5 What a seat has of something, its partner's included."""
    if TEAMS[s.table]:
        return values[seat] + values[partner(s, seat)]
    return values[seat]


@rule
def made(s, seat):
    """§6.5 Card points and marriages of a seat and its partner."""
    return of_side(s, s.taken, seat) + of_side(s, s.marriages, seat)


@rule
def declares(s, seat):
    """§6.5 Is the seat declarer, or his partner?"""
    return s.declarer != NOBODY and (seat == s.declarer or seat == partner(s, s.declarer))


@rule
def talon_points(talon):
    """§2.3 What the talon earns a resting dealer: fifty for an ace, and its marriages."""
    return ACE_POINTS * count(both(talon, ACES)) + marriages(talon)


@rule
def is_held(s, score):
    """§6.3 Was the threshold reached with this score, that before the deal?"""
    return score >= THRESHOLD[s.threshold]


@rule
def outsider(s, score, gain):
    """§6.3, §6.4 What these points change in such a score of a seat that is not declarer."""
    if is_held(s, score):
        return 0
    if score + gain < GAME_POINTS or s.outsider_at_1000 == OUT_WINS:
        return gain
    if s.outsider_at_1000 == OUT_CAP:
        return max(OUTSIDER_TOP - score, 0)
    return 0


@rule
def declarer_change(s):
    """§6.1 The contract won or lost, §6.3 perhaps without gain; §9 nothing after a bomb, the bid after a concession."""
    if s.ending == BOMBED:
        return 0
    if s.ending == CONCEDED:
        return -s.highest
    if made(s, s.declarer) < s.contract:
        return -s.contract
    melded = of_side(s, s.marriages, s.declarer) > 0
    if s.finish_with_marriage and is_held(s, s.scores[s.declarer]) and not melded:
        return 0
    return s.contract


@rule
def outsider_change(s, seat):
    """§6.2 Rounded points, §6.3 the penalty; §2.3 what lay in the talon.

    §9.2 A bomb or a concession gives points like any outsider's.
    """
    score = s.scores[seat]
    if s.ending == BOMBED:
        if s.bomb == BOMB_ANY:
            return outsider(s, score, (s.highest // 2 + STEP - 1) // STEP * STEP)
        return outsider(s, score, BOMB_POINTS)
    if s.ending == CONCEDED:
        return outsider(s, score, CONCEDE_TWO if s.seats == 2 else CONCEDE_POINTS)
    if seat == s.resting:
        return outsider(s, score, talon_points(s.talon[0]))
    if is_held(s, score) and s.no_trick_penalty and of_side(s, s.tricks, seat) == 0:
        return -PENALTY
    return outsider(s, score, rounded(s, made(s, seat)))


@rule
def score(s):
    """§6.4 All scores are written first, then the end is tested; §1.3 the deal passes on."""
    for seat in range(s.seats):
        if s.declarer == NOBODY:  # §7.3
            s.change[seat] = rounded(s, made(s, seat))
        else:
            s.change[seat] = declarer_change(s) if declares(s, seat) else outsider_change(s, seat)
    for seat in range(s.seats):
        s.scores[seat] += s.change[seat]
    s.winner = leader_at_1000(s)
    s.deal += 1
    s.attempt = 0
    s.dealer = next_seat(s, s.dealer)
    ended = s.single_deal or s.winner != NOBODY or s.deal >= s.max_deals
    s.phase = OVER if ended else DEALING


@rule
def leader_at_1000(s):
    """§6.4 The highest score of 1000 or more; of equal ones declarer's, then clockwise from the dealer's left."""
    winner, most = NOBODY, GAME_POINTS - 1
    if s.declarer != NOBODY and s.scores[s.declarer] > most:
        winner, most = s.declarer, s.scores[s.declarer]
    seat = s.dealer
    for _ in range(s.seats):
        seat = next_seat(s, seat)
        if s.scores[seat] > most:
            winner, most = seat, s.scores[seat]
    return winner


@rule
def returns(s, reward, points):
    """§6.6 Of a match: winner 1, the others share -1; a team wins or loses 1.

    Of a deal: what I gained more than the others' mean, or the other team, in hundreds.
    """
    pay(s, reward, points, 1, UNIT)
    if not TEAMS[s.table]:
        return
    for seat in range(s.seats):
        if s.single_deal:
            reward[seat] = (points[seat] - points[next_seat(s, seat)]) / UNIT
        elif s.over == TERMINATED:
            reward[seat] = 1.0 if seat in (s.winner, partner(s, s.winner)) else -1.0
