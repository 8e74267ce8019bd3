"""Cards in words and signs."""

import re

SYMBOLS = {"S": "♠", "C": "♣", "D": "♦", "H": "♥"}
SUIT_NAMES = {"S": "spades", "C": "clubs", "D": "diamonds", "H": "hearts"}
RANK_NAMES = {"T": "10", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}
RED_SUITS = "DH"
PICTURES = ("sun", "moon", "star", "house", "tree", "fish", "boat", "apple", "key", "bell", "cup", "umbrella")
"""What the cards 1a, 1b, 2a … of a picture deck show, by their numbers from 1 on."""
ODD_PICTURE = "P"
"""The card of a picture deck that has no twin."""


def symbol(card: str) -> str:
    """A card's name with the sign of its suit: QH becomes Q♥."""
    return card[:-1] + SYMBOLS[card[-1]] if card[-1] in SYMBOLS else card


NAMES = re.compile(r"\b(?:10|[2-9TJQKA])?[SCDH]\b")
"""Cards and suits in words."""


def signed(words: str) -> str:
    """Words with the signs of suits: play QH becomes play Q♥."""
    return NAMES.sub(lambda found: symbol(found[0]), words)


def is_red(card: str) -> bool:
    """Is the card of a red suit?"""
    return card[-1] in RED_SUITS


def number_of(card: str) -> int:
    """The number of a card of a picture deck, from 1 on; 0 for any other card."""
    number = card[:-1]
    shown = number.isdecimal() and card[-1] in "ab" and 1 <= int(number) <= len(PICTURES)
    return int(number) if shown else 0


def called(card: str) -> str:
    """A card in words: QH is the queen of hearts, 4a the house."""
    rank, suit = card[:-1], card[-1]
    if rank and suit in SUIT_NAMES:
        return f"{RANK_NAMES.get(rank, rank)} of {SUIT_NAMES[suit]}"
    if number := number_of(card):
        return f"{card}, a twin of the {PICTURES[number - 1]}"
    return "the odd one out, a black cat" if card == ODD_PICTURE else card
