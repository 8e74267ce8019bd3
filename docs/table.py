"""Draws docs/table.svg, the picture in the README: `python docs/table.py`.

A deal of Tysiąc spelled in cards, as seat 0 sees it: it plays 160, has melded hearts, and seat 1 has just answered
with the marriage of spades.
"""

from pathlib import Path

import karty
from karty.envs import picture
from karty.envs.table import Table

DEAL = {
    "dealer": 2,
    "hands": [
        ["QH", "KH", "TH", "AS", "KC", "TC", "9D"],
        ["AH", "JH", "AD", "TD", "KS", "QS", "9C"],
        ["9H", "TS", "JD", "KD", "QC", "JC", "9S"],
    ],
    "talon": ["AC", "JS", "QD"],
}
MOVES = """
bid 100, bid 110, pass, bid 150, pass,
give 9D, give JS, contract 160,
play AC, play 9C, play JC,
meld QH, play AH, play 9H,
meld KS, play TS
"""
SEAT = 0


def table() -> Table:
    """The table after these moves."""
    game = karty.GAMES["tysiac"]
    found = Table(game)
    found.reset(seed=0, deal=DEAL, start=[310, 260, 480])
    for name in MOVES.replace("\n", " ").split(","):
        found.settle()
        found.play(game.action_id(found.rules, name.strip()))
    return found


def drawn() -> str:
    """The picture as SVG."""
    return picture.svg(karty.GAMES["tysiac"], table(), SEAT, ["you", "Zofia", "Jan"])


if __name__ == "__main__":
    path = Path(__file__).with_name("table.svg")
    path.write_text(drawn(), encoding="utf-8")
    print(f"written: {path}")
