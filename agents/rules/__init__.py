"""Compiled players, one file a game; importing them registers them with the engine."""

from karty.agents.rules import tysiac

__all__ = ["tysiac"]
