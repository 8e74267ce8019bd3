"""Petukh as a PettingZoo environment: ``env`` for any learner, ``raw_env`` for fast loops."""

from .aec import door

env, raw_env = door("petukh", __name__)
